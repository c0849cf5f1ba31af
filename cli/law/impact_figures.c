/* `carom impact`: loops, phase portraits, restitution found and damping factor over the restitution asked. */
#include "law/impact.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Curves of a figure that own their arrays and labels. */
typedef struct curve_list {
    carom_curve *items;
    char **labels;
    double **points; /* x, then y */
    size_t count;
} curve_list;

/* Room for a curve of `count` points with a label that is a new text, or NULL. */
static double *add_curve(curve_list *list, char *label, size_t count)
{
    size_t more = list->count + 1;
    carom_curve *items = realloc(list->items, more * sizeof *items);
    list->items = items ? items : list->items;
    char **labels = realloc(list->labels, more * sizeof *labels);
    list->labels = labels ? labels : list->labels;
    double **points = realloc(list->points, more * sizeof *points);
    list->points = points ? points : list->points;
    double *buffer = malloc((2 * count + 1) * sizeof *buffer);
    if (!items || !labels || !points || !buffer || !label) {
        free(label);
        free(buffer);
        return NULL;
    }
    list->labels[list->count] = label;
    list->points[list->count] = buffer;
    list->items[list->count++] = (carom_curve){.label = label, .count = count, .x = buffer, .y = buffer + count};
    return buffer;
}

static void free_curves(curve_list *list)
{
    for (size_t k = 0; k < list->count; k++) {
        free(list->labels[k]);
        free(list->points[k]);
    }
    free(list->items);
    free(list->labels);
    free(list->points);
}

static int draw(const impact_job *j, const curve_list *list, const char *const labels[4], const char *path)
{
    const carom_figure figure = {.size = sizeof(carom_figure), .title = j->o->title,
                                 .x_label = labels[0],
                                 .x_unit = labels[1],
                                 .y_label = labels[2],
                                 .y_unit = labels[3],
                                 .curves = list->items,
                                 .curve_count = list->count};
    carom_status status = carom_figure_draw(j->session->ctx, &figure, path);
    return status == CAROM_OK ? EXIT_DONE : session_error(j->session, status);
}

/* ---- motion ---- */

/* Names of an impact what differs among all: law, restitution, speed. */
static char *case_label(const impact_job *j, const impact_case *c)
{
    char e[40] = "", v[40] = "";
    bool law = j->law_count > 1 || (j->speeds.count == 1 && j->restitutions.count < 2);
    if (j->restitutions.count > 1 && !isnan(c->s.e_asked))
        snprintf(e, sizeof e, "%se %.4g", law ? ", " : "", c->s.e_asked);
    if (j->speeds.count > 1)
        snprintf(v, sizeof v, "%s%.4g m/s", law || *e ? ", " : "", c->s.v_in);
    return format_text("%s%s%s", law ? c->law : "", e, v);
}

static int draw_motion(const impact_job *j, const char *path, bool phase)
{
    static const char *const loop_labels[4] = {"indentation", "m", "force", "N"};
    static const char *const phase_labels[4] = {"indentation", "m", "rate of indentation", "m/s"};
    curve_list list = {0};
    int code = EXIT_DONE;
    for (size_t k = 0; k < j->case_count && code == EXIT_DONE; k++) {
        const carom_impact_solution *s = &j->cases[k].s;
        double *x = add_curve(&list, case_label(j, &j->cases[k]), s->loop);
        if (!x)
            code = memory_error();
        for (size_t i = 0; x && i < s->loop; i++) {
            x[i] = s->delta[i];
            x[s->loop + i] = phase ? s->rate[i] : s->force[i];
        }
    }
    if (code == EXIT_DONE)
        code = draw(j, &list, phase ? phase_labels : loop_labels, path);
    free_curves(&list);
    return code;
}

/* ---- over the restitution ---- */

/* Values of the restitution: those of the option if they are many, else 0.01 from `first` to 1. */
static double restitution_at(const impact_job *j, double first, size_t k)
{
    return j->restitutions.count > 1 ? j->restitutions.items[k] : first + 0.01 * (double)k;
}

static size_t restitution_count(const impact_job *j, double first)
{
    return j->restitutions.count > 1 ? j->restitutions.count : (size_t)lround((1 - first) / 0.01) + 1;
}

/* Restitution found, or A, of a law at each value; NAN where the law refuses. Returns how many are numbers in
   *found. */
static int fill_curve(const impact_job *j, const char *law, bool factor, double first, size_t count, double *x,
                      size_t *found)
{
    int code = EXIT_DONE;
    *found = 0;
    for (size_t k = 0; k < count && code == EXIT_DONE; k++) {
        double e = fmin(restitution_at(j, first, k), 1), y = NAN;
        if (factor) {
            law_request request;
            carom_law *compiled = NULL;
            code = law_request_make(j->session, j->options, law, true, "restitution", &request);
            if (code == EXIT_DONE)
                code = law_request_add(&request, "restitution", e);
            if (code == EXIT_DONE && carom_law_compile(j->session->ctx, &request.def, &compiled) == CAROM_OK)
                y = carom_law_get_info(compiled).factor;
            carom_law_free(compiled);
            law_request_free(&request);
        } else {
            carom_impact_solution s;
            carom_status status;
            code = solve_impact(j, law, j->speeds.items[0], e, 0, &s, &status);
            y = code == EXIT_DONE && status == CAROM_OK ? s.e_got : (double)NAN;
            carom_impact_solution_free(j->session->ctx, &s);
        }
        x[k] = e;
        x[count + k] = y;
        *found += isfinite(y) ? 1 : 0;
    }
    return code;
}

/* A law has a curve if it takes a restitution, and for A if its damping is of that form. */
static int add_law(const impact_job *j, const char *law, bool factor, double first, size_t count, curve_list *list)
{
    bool takes;
    int code = law_takes(j, law, "restitution", &takes);
    if (code != EXIT_DONE || !takes)
        return code;
    double *x = add_curve(list, format_text("%s", law ? law : "law"), count);
    if (!x)
        return memory_error();
    size_t found;
    code = fill_curve(j, law, factor, first, count, x, &found);
    if (code == EXIT_DONE && found == 0) {
        list->count--;
        free(list->labels[list->count]);
        free(list->points[list->count]);
    }
    return code;
}

static int draw_over_restitution(const impact_job *j, const char *path, bool factor)
{
    static const char *const found_labels[4] = {"restitution asked", "", "restitution found", ""};
    static const char *const factor_labels[4] = {"restitution asked", "", "damping factor A", ""};
    /* factors grow like 1/e: the figure begins where they can be told apart */
    double first = factor ? 0.1 : 0.01;
    size_t count = restitution_count(j, first);
    curve_list list = {0};
    int code = EXIT_DONE;
    /* the diagonal first, so that it covers no law */
    if (!factor) {
        double *x = add_curve(&list, format_text("as asked"), 2);
        if (!x) {
            free_curves(&list);
            return memory_error();
        }
        x[0] = x[2] = restitution_at(j, first, 0);
        x[1] = x[3] = fmin(restitution_at(j, first, count - 1), 1);
    }
    size_t before = list.count;
    for (size_t k = 0; k < j->law_count && code == EXIT_DONE; k++)
        code = add_law(j, j->laws[k], factor, first, count, &list);
    if (code == EXIT_DONE && list.count == before) {
        /* of the last law that refused, such as a stiffness that is not given */
        const char *reason = carom_context_error(j->session->ctx);
        code = usage_error("impact", "%s%s%s",
                           factor ? "--factor-figure: none of the laws has a damping factor A(e)"
                                  : "--restitution-figure: none of the laws takes a restitution and gives an impact",
                           *reason ? ": " : "", reason);
    }
    if (code == EXIT_DONE)
        code = draw(j, &list, factor ? factor_labels : found_labels, path);
    free_curves(&list);
    return code;
}

int draw_figures(const impact_job *j)
{
    const impact_options *o = j->o;
    int code = EXIT_DONE;
    if (o->loop && j->case_count)
        code = draw_motion(j, o->loop, false);
    if (o->phase && j->case_count && code == EXIT_DONE)
        code = draw_motion(j, o->phase, true);
    if (o->restitution_figure && code == EXIT_DONE)
        code = draw_over_restitution(j, o->restitution_figure, false);
    if (o->factor_figure && code == EXIT_DONE)
        code = draw_over_restitution(j, o->factor_figure, true);
    return code;
}
