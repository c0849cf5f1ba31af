/* `carom force`: force of a contact law over indentation and rate, and the power law that fits it. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/cli.h"
#include "support/curves.h"
#include "support/json.h"
#include "law/law_options.h"
#include "support/ranges.h"
#include "support/table.h"

typedef struct force_options {
    const char *delta, *rate, *speed, *mass, *from, *max_force, *least_delta, *output, *title;
    bool json, fit;
} force_options;

/* One line of the table. */
typedef struct force_row {
    carom_law_input in;
    carom_law_output out;
} force_row;

typedef struct force_job {
    session *session;
    const force_options *o;
    const law_options *options;
    carom_law *law;
    carom_law_info info;
    number_list delta, rate;
    double speed, mass, from;
    force_row *rows; /* for each rate all indentations */
    size_t row_count;
} force_job;

/* ---- what is asked ---- */

static int read_scalar(const force_job *j, const char *name, const char *text, const char *unit, double *out)
{
    return text ? read_number_option(j->session, "force", name, text, unit, out) : EXIT_DONE;
}

static int read_ranges(force_job *j)
{
    const force_options *o = j->o;
    if (!o->delta)
        return usage_error("force", "--delta RANGE is missing: indentations such as 0:10*um:1*um, or --fit");
    int code = read_range_option(j->session, "force", "delta", o->delta, "m", &j->delta);
    if (code == EXIT_DONE)
        code = read_range_option(j->session, "force", "rate", o->rate ? o->rate : "0", "m/s", &j->rate);
    j->speed = 0;
    for (size_t k = 0; k < j->rate.count; k++)
        j->speed = fmax(j->speed, fabs(j->rate.items[k]));
    if (j->speed == 0)
        j->speed = 1;
    j->mass = NAN;
    if (code == EXIT_DONE)
        code = read_scalar(j, "speed", o->speed, "m/s", &j->speed);
    if (code == EXIT_DONE)
        code = read_scalar(j, "mass", o->mass, "kg", &j->mass);
    if (code == EXIT_DONE)
        code = read_scalar(j, "from", o->from, "m", &j->from);
    if (code == EXIT_DONE && o->from && !j->info.has_history)
        code = usage_error("force", "--from: %s has no memory of the largest indentation", j->info.elastic);
    if (code == EXIT_DONE && j->info.uses_mass && !o->mass)
        code = usage_error("force", "damping %s needs the effective mass: give --mass", j->info.damping);
    return code;
}

static int evaluate(force_job *j)
{
    j->rows = calloc(j->delta.count * j->rate.count + 1, sizeof *j->rows);
    if (!j->rows)
        return memory_error();
    for (size_t r = 0; r < j->rate.count; r++)
        for (size_t d = 0; d < j->delta.count; d++) {
            force_row *row = &j->rows[j->row_count++];
            row->in = (carom_law_input){j->delta.items[d], j->rate.items[r], j->speed, j->mass, j->from};
            char why[200];
            if (!carom_law_accepts(j->law, &row->in, why, sizeof why))
                return session_fail(j->session, EXIT_USAGE, "%s", why);
            carom_status status = carom_law_force(j->law, &row->in, &row->out);
            if (status != CAROM_OK)
                return session_error(j->session, status);
        }
    return EXIT_DONE;
}

/* ---- text ---- */

static const unit_scale units_slope[] = {
    {"N/m", 1, 0}, {"kN/m", 1e3, 1e3}, {"MN/m", 1e6, 1e6}, {"GN/m", 1e9, 1e9}, {NULL, 0, 0}};
static const unit_scale units_damping[] = {{"N s/m", 1, 0}, {"kN s/m", 1e3, 1e3}, {"MN s/m", 1e6, 1e6}, {NULL, 0, 0}};

static void add_column(table *t, const force_job *j, const char *name, const unit_scale *units, size_t offset)
{
    double *values = malloc((j->row_count + 1) * sizeof *values);
    for (size_t k = 0; values && k < j->row_count; k++)
        memcpy(&values[k], (const char *)&j->rows[k] + offset, sizeof values[k]);
    if (values)
        table_numbers(t, name, units, 5, values);
    else
        t->failed = true;
    free(values);
}

/* Name, parts and constants of the law. */
static void print_law(const force_job *j)
{
    char number[32];
    const carom_law_info *i = &j->info;
    printf("%s%selastic %s, damping %s", i->law ? i->law : "", i->law ? " · " : "", i->elastic, i->damping);
    if (!isnan(i->stiffness)) {
        printf(" · K %s N/m^n", short_number(number, i->stiffness, 6));
        printf(", n %s", short_number(number, i->exponent, 6));
    }
    if (!isnan(i->restitution))
        printf(" · e %s", short_number(number, i->restitution, 6));
    if (isfinite(i->limit))
        printf(" · holds to %s um", short_number(number, i->limit * 1e6, 5));
    printf("\n");
}

static void tell_warnings(const session *s, bool json)
{
    if (json)
        print_warnings(s);
    for (size_t k = 0; !json && k < s->warning_count; k++)
        print_warning_line(s->warnings[k]);
}

static void print_table(const force_job *j)
{
    char number[32];
    table t = {.rows = j->row_count, .keys = 2};
    bool damped = strcmp(j->info.damping, "none") != 0;
    print_law(j);
    if (damped)
        printf("impact velocity %s m/s", short_number(number, j->speed, 6));
    if (damped && j->info.uses_mass)
        printf(", effective mass %s kg", short_number(number, j->mass, 6));
    printf("%s\n", damped ? "\n" : "");
    add_column(&t, j, "delta", units_length, offsetof(force_row, in.delta));
    add_column(&t, j, "rate", units_speed, offsetof(force_row, in.rate));
    add_column(&t, j, "F", units_force, offsetof(force_row, out.force));
    add_column(&t, j, "Fe", units_force, offsetof(force_row, out.elastic));
    add_column(&t, j, "Fd", units_force, offsetof(force_row, out.damping));
    add_column(&t, j, "dF/ddelta", units_slope, offsetof(force_row, out.d_delta));
    if (damped)
        add_column(&t, j, "dF/drate", units_damping, offsetof(force_row, out.d_rate));
    table_print(&t, stdout);
    table_free(&t);
    tell_warnings(j->session, false);
}

/* ---- JSON ---- */

/* Opens the object of a law; NULL when out of memory. */
static carom_json *begin_json(const force_job *j)
{
    carom_json *json = json_open(j->session);
    if (!json)
        return NULL;
    char *name = law_title(&j->info);
    carom_json_begin(json, NULL, '{');
    carom_json_text(json, "law", name);
    carom_json_text(json, "elastic", j->info.elastic);
    carom_json_text(json, "damping", j->info.damping);
    free(name);
    return json;
}

static int print_json(const force_job *j)
{
    carom_json *json = begin_json(j);
    if (!json)
        return EXIT_SOLVER;
    carom_json_number(json, "stiffness", j->info.stiffness);
    carom_json_number(json, "exponent", j->info.exponent);
    carom_json_number(json, "limit", j->info.limit);
    carom_json_number(json, "speed", j->speed);
    carom_json_number(json, "mass", j->mass);
    carom_json_begin(json, "rows", '[');
    for (size_t k = 0; k < j->row_count; k++) {
        const force_row *row = &j->rows[k];
        carom_json_begin(json, NULL, '{');
        carom_json_number(json, "delta", row->in.delta);
        carom_json_number(json, "rate", row->in.rate);
        carom_json_number(json, "force", row->out.force);
        carom_json_number(json, "elastic", row->out.elastic);
        carom_json_number(json, "damping", row->out.damping);
        carom_json_number(json, "d_delta", row->out.d_delta);
        carom_json_number(json, "d_rate", row->out.d_rate);
        carom_json_number(json, "energy", row->out.energy);
        carom_json_end(json, '}');
    }
    carom_json_end(json, ']');
    carom_json_end(json, '}');
    tell_warnings(j->session, true);
    return json_print(j->session, json);
}

/* ---- figure ---- */

static int draw(const force_job *j)
{
    size_t points = j->row_count;
    double *x = malloc((2 * points + 1) * sizeof *x), *y = x ? x + points : NULL;
    carom_curve *curves = calloc(j->rate.count + 1, sizeof *curves);
    char **labels = calloc(j->rate.count + 1, sizeof *labels);
    int code = x && curves && labels ? EXIT_DONE : memory_error();
    for (size_t k = 0; code == EXIT_DONE && k < points; k++) {
        x[k] = j->rows[k].in.delta;
        y[k] = j->rows[k].out.force;
    }
    for (size_t r = 0; code == EXIT_DONE && r < j->rate.count; r++) {
        size_t first = r * j->delta.count;
        labels[r] = format_text("rate %.6g m/s", j->rate.items[r]);
        curves[r] = (carom_curve){.label = labels[r], .count = j->delta.count, .x = x + first, .y = y + first};
        code = labels[r] ? code : memory_error();
    }
    if (code == EXIT_DONE) {
        const carom_figure figure = {.size = sizeof(carom_figure), .title = j->o->title,
                                     .x_label = "indentation",
                                     .x_unit = "m",
                                     .y_label = "force",
                                     .y_unit = "N",
                                     .curves = curves,
                                     .curve_count = j->rate.count};
        carom_status status = carom_figure_draw(j->session->ctx, &figure, j->o->output);
        code = status == CAROM_OK ? EXIT_DONE : session_error(j->session, status);
    }
    for (size_t r = 0; labels && r < j->rate.count; r++)
        free(labels[r]);
    free(labels);
    free(curves);
    free(x);
    return code;
}

/* ---- fit ---- */

/* Greatest force of the fit: that of the option, or 1000 N a mm of the line contact's length. */
static int find_max_force(const force_job *j, double *out)
{
    const char *length = law_options_value(j->options, "length");
    if (j->o->max_force)
        return read_number_option(j->session, "force", "max-force", j->o->max_force, "N", out);
    if (!length)
        return usage_error("force", "--fit needs --max-force F: the law is fitted from 0 to it");
    int code = read_number_option(j->session, "force", "length", length, "m", out);
    *out *= 1e6;
    return code;
}

static int print_fit(const force_job *j)
{
    carom_law_fit_def def = carom_default_law_fit_def();
    carom_law_fit fit;
    int code = find_max_force(j, &def.max_force);
    if (code == EXIT_DONE && j->o->least_delta)
        code = read_number_option(j->session, "force", "least-delta", j->o->least_delta, "m", &def.least_indentation);
    if (code != EXIT_DONE)
        return code;
    carom_status status = carom_law_fit_power(j->session->ctx, j->law, &def, &fit);
    if (status != CAROM_OK)
        return session_error(j->session, status);
    double in_mm = fit.stiffness * pow(1e-3, fit.exponent);
    if (j->o->json) {
        carom_json *json = begin_json(j);
        if (!json)
            return EXIT_SOLVER;
        carom_json_number(json, "stiffness", fit.stiffness);
        carom_json_number(json, "stiffness_mm", in_mm);
        carom_json_number(json, "exponent", fit.exponent);
        carom_json_number(json, "largest_error", fit.largest_error);
        carom_json_number(json, "at", fit.at);
        carom_json_number(json, "max_force", def.max_force);
        carom_json_number(json, "max_indentation", fit.max_indentation);
        carom_json_end(json, '}');
        tell_warnings(j->session, true);
        return json_print(j->session, json);
    }
    char number[32];
    print_law(j);
    printf("\nFe = K delta^n fitted from 0 to %s N", short_number(number, def.max_force, 6));
    printf(" (%s um), least squares of the force\n", short_number(number, fit.max_indentation * 1e6, 6));
    printf("%-11s  %s N/m^n", "K", short_number(number, fit.stiffness, 10));
    printf("  =  %s N/mm^n\n", short_number(number, in_mm, 10));
    printf("%-11s  %s\n", "n", short_number(number, fit.exponent, 10));
    printf("%-11s  %s %%", "error", short_number(number, 100 * fit.largest_error, 4));
    printf(" of the force at most, at %s um\n", short_number(number, fit.at * 1e6, 4));
    tell_warnings(j->session, false);
    return EXIT_DONE;
}

/* ---- command ---- */

static int check_options(const force_options *o, const law_options *l)
{
    if (!l->law && !(l->elastic && l->damping))
        return usage_error("force",
                           "--law NAME is missing (or both --elastic and --damping); `carom list laws` names the laws");
    if (!o->fit && (o->max_force || o->least_delta))
        return usage_error("force", "--%s belongs to --fit", o->max_force ? "max-force" : "least-delta");
    if (o->fit && (o->delta || o->output))
        return usage_error("force", "--fit has no --%s: it covers the forces from 0 to --max-force",
                           o->delta ? "delta" : "output");
    return o->output ? check_figure_path("force", o->output) : EXIT_DONE;
}

static int tabulate(force_job *j)
{
    int code = read_ranges(j);
    if (code == EXIT_DONE)
        code = evaluate(j);
    if (code == EXIT_DONE && j->o->output)
        code = draw(j);
    if (code != EXIT_DONE)
        return code;
    if (j->o->json)
        return print_json(j);
    print_table(j);
    return EXIT_DONE;
}

static int force(session *s, const text_list *arguments, void *options)
{
    (void)arguments;
    const law_command *given = options;
    const force_options *o = given->own;
    law_options *l = given->law;
    int code = law_options_read_set(l);
    if (code == EXIT_DONE)
        code = check_options(o, l);
    if (code != EXIT_DONE)
        return code;
    force_job j = {.session = s, .o = o, .options = l};
    law_request request;
    code = law_request_make(s, l, NULL, false, NULL, &request);
    if (code == EXIT_DONE) {
        carom_status status = law_request_check(s, l, &request);
        if (status == CAROM_OK)
            status = carom_law_compile(s->ctx, &request.def, &j.law);
        code = status == CAROM_OK ? EXIT_DONE : session_error(s, status);
    }
    if (code == EXIT_DONE) {
        j.info = carom_law_get_info(j.law);
        code = o->fit ? print_fit(&j) : tabulate(&j);
    }
    carom_law_free(j.law);
    law_request_free(&request);
    free(j.delta.items);
    free(j.rate.items);
    free(j.rows);
    return code;
}

int command_force(int argc, char **argv)
{
    force_options o = {0};
    law_options l;
    const option own[] = {
        {"law", 0, OPTION_TEXT, &l.law, "NAME", "the contact law (`carom list laws`)"},
        {"delta", 0, OPTION_TEXT, &o.delta, "RANGE", "indentations [m]: a,b,c or first:last:step"},
        {"rate", 0, OPTION_TEXT, &o.rate, "RANGE", "rates of the indentation [m/s] (default: 0)"},
        {"speed", 0, OPTION_TEXT, &o.speed, "V0",
         "impact velocity that the law sees [m/s] (default: the\n"
         "largest rate, 1 without one)"},
        {"mass", 0, OPTION_TEXT, &o.mass, "M", "effective mass [kg], of laws whose damping depends on it"},
        {"from", 0, OPTION_TEXT, &o.from, "DELTA",
         "of laws with memory: the largest indentation reached\n"
         "before [m] (default: loading)"},
        {"fit", 0, OPTION_FLAG, &o.fit, NULL, "fit K delta^n to the elastic part, in place of a table"},
        {"max-force", 0, OPTION_TEXT, &o.max_force, "F",
         "the fit reaches from 0 to this force [N] (default: 1000 N\n"
         "times length in mm)"},
        {"least-delta", 0, OPTION_TEXT, &o.least_delta, "DELTA",
         "the fit's largest error counts from this indentation on\n"
         "[m] (default: 0)"},
        {"output", 'o', OPTION_FILE, &o.output, "FILE", "figure of the force over the indentation; .svg, .pdf or .png"},
        {"title", 0, OPTION_TEXT, &o.title, "TEXT", "title of the figure (default: none)"},
        {"json", 0, OPTION_FLAG, &o.json, NULL, "print one JSON object"},
    };
    int result = law_options_open(&l, "force", own, COUNT(own));
    const command_def def = {
        .name = "force",
        .arguments = "--law NAME",
        .text = "Prints the force of a contact law, its elastic and damping part and its slopes, over a range of\n"
                "indentations and rates, as the law says: no release policy cuts its tension. Numbers are expressions\n"
                "with units: 10*um, 207*GPa, 1.2e5*N/mm^1.5. With --fit it fits a power law to the elastic part.",
        .example = "  carom force --law johnson --E_i 207*GPa --radius_i 9.5*mm --radius_j -10*mm --length 10*mm \\\n"
                   "      --delta 0:10*um:1*um\n"
                   "  carom force --law flores --stiffness 5.5e9 --restitution 0.7 --delta 0:15*um:0.5*um \\\n"
                   "      --rate -0.2:0.2:0.1 -o force.svg\n"
                   "  carom force --law johnson --E_i 207*GPa --radius_i 9.5*mm --radius_j -10*mm --length 1*mm --fit",
        .options = l.options,
        .option_count = l.option_count,
        .more_from = l.param_options,
        .more_heading = "Parameters of the laws, also through --set (`carom explain LAW` lists those of one)",
        .least = 0,
        .most = 0};
    if (result == EXIT_DONE)
        result = command_perform(&def, argc, argv, force, &(law_command){&o, &l});
    law_options_close(&l);
    return result;
}
