/* `carom impact`: the free direct impact of contact laws. */
#include "law/impact.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/curves.h"
#include "support/ranges.h"

/* ---- laws ---- */

static bool is_all(const text_list *laws) { return laws->count == 1 && strcmp(laws->items[0], "all") == 0; }

static int unknown_law(const char *name, const char *const *names, size_t count)
{
    const char *nearest = carom_nearest_name(name, names, count);
    return usage_error("impact",
                       nearest ? "--laws: no law '%s'; did you mean '%s'?"
                               : "--laws: no law '%s'; `carom list %s` names them",
                       name, nearest ? nearest : "laws");
}

/* The laws of --laws or --law. */
static int choose_laws(impact_job *j, const char **single)
{
    const text_list *laws = &j->o->laws;
    const law_options *l = j->options;
    size_t count;
    const char *const *names = carom_law_list(l->kinds.ctx, &count);
    if (laws->count && l->law)
        return usage_error("impact", "give either --law or --laws");
    if (!laws->count && !l->law && !(l->elastic && l->damping))
        return usage_error(
            "impact",
            "--law NAME is missing (or --laws all, or both --elastic and --damping); `carom list laws` names the laws");
    j->several = laws->count > 0;
    *single = l->law;
    j->laws = laws->count ? laws->items : single;
    j->law_count = laws->count ? laws->count : 1;
    if (is_all(laws)) {
        j->laws = names;
        j->law_count = count;
        return EXIT_DONE;
    }
    for (size_t k = 0; k < laws->count; k++)
        if (!carom_explain_title(l->kinds.ctx, "law", laws->items[k]))
            return unknown_law(laws->items[k], names, count);
    return EXIT_DONE;
}

/* Every parameter given must be one that some of the laws takes. */
static int check_params(const impact_job *j)
{
    const law_options *l = j->options;
    for (size_t p = 0; j->several && p < l->param_count; p++) {
        bool taken = !l->values[p];
        for (size_t k = 0; k < j->law_count && !taken; k++) {
            int code = law_takes(j, j->laws[k], l->params[p].name, &taken);
            if (code != EXIT_DONE)
                return code;
        }
        if (!taken)
            return usage_error("impact", "none of the laws takes '%s'", l->params[p].name);
    }
    return EXIT_DONE;
}

/* ---- numbers ---- */

static int read_numbers(impact_job *j)
{
    const impact_options *o = j->o;
    const char *restitution = law_options_value(j->options, "restitution");
    j->only_figures = (o->factor_figure || o->restitution_figure) && !o->loop && !o->phase && !restitution;
    bool impacts = !j->only_figures || o->restitution_figure;
    if (!o->mass && impacts)
        return usage_error("impact", "--mass M is missing: the effective mass m1 m2/(m1 + m2) [kg]");
    if (!o->speed && impacts)
        return usage_error("impact", "--speed V is missing: the speed of approach [m/s]");
    j->mass = NAN;
    j->tolerance = carom_default_impact_def().tolerance;
    int code = EXIT_DONE;
    if (o->mass)
        code = read_number_option(j->session, "impact", "mass", o->mass, "kg", &j->mass);
    if (code == EXIT_DONE && o->tolerance)
        code = read_number_option(j->session, "impact", "tolerance", o->tolerance, "-", &j->tolerance);
    if (code == EXIT_DONE && o->speed)
        code = read_range_option(j->session, "impact", "speed", o->speed, "m/s", &j->speeds);
    if (code == EXIT_DONE && restitution)
        code = read_range_option(j->session, "impact", "restitution", restitution, "-", &j->restitutions);
    return code;
}

/* ---- command ---- */

static int check_figures(const impact_options *o)
{
    const char *const paths[] = {o->loop, o->phase, o->restitution_figure, o->factor_figure};
    int code = EXIT_DONE;
    for (size_t k = 0; k < COUNT(paths) && code == EXIT_DONE; k++)
        if (paths[k])
            code = check_figure_path("impact", paths[k]);
    return code;
}

static void print_refused(const impact_job *j)
{
    for (size_t k = 0; k < j->refused_count; k++)
        fprintf(stderr, "carom: %s is left out: %s\n", j->refused[k].law, j->refused[k].reason);
}

/* Says that laws of several exponents take one stiffness without unit in units of their own. */
static int note_units(const impact_job *j)
{
    char first[48] = "";
    const char *text = law_options_value(j->options, "stiffness");
    for (size_t k = 0; j->several && text && k < j->law_count; k++) {
        char unit[48];
        law_request request;
        const int code = law_request_make(j->session, j->options, j->laws[k], true, "restitution", &request);
        const bool has = code == EXIT_DONE && law_request_check(j->session, j->options, &request) == CAROM_OK &&
                         carom_law_stiffness_unit(j->session->ctx, &request.def, unit, sizeof unit);
        law_request_free(&request);
        if (code != EXIT_DONE)
            return code;
        if (has && *first && strcmp(first, unit) != 0) {
            print_warning("two-units",
                          "--stiffness %s is taken in %s by one law and in %s by another; give it a unit, which "
                          "leaves out the others, or --from_point",
                          text, first, unit);
            return EXIT_DONE;
        }
        if (has && !*first)
            snprintf(first, sizeof first, "%s", unit);
    }
    return EXIT_DONE;
}

/* Exit status where every impact was refused: the solver's if it gave up on one. */
static int status_of_refused(const impact_job *j)
{
    carom_status status = CAROM_ERROR_MODEL;
    for (size_t k = 0; k < j->refused_count; k++)
        if (j->refused[k].status == CAROM_ERROR_SOLVER)
            status = CAROM_ERROR_SOLVER;
    return exit_status_of(status);
}

static int impact(session *s, const text_list *arguments, void *options)
{
    (void)arguments;
    const law_command *given = options;
    const impact_options *o = given->own;
    const char *single = NULL;
    impact_job j = {.session = s, .o = o, .options = given->law};
    int code = law_options_read_set(given->law);
    if (code == EXIT_DONE)
        code = choose_laws(&j, &single);
    if (code == EXIT_DONE)
        code = check_figures(o);
    if (code != EXIT_DONE)
        return code;
    code = read_numbers(&j);
    if (code == EXIT_DONE)
        code = check_params(&j);
    if (code == EXIT_DONE && !j.only_figures)
        code = solve_cases(&j);
    if (code == EXIT_DONE)
        code = note_units(&j);
    if (code == EXIT_DONE)
        code = draw_figures(&j);
    if (code == EXIT_DONE && j.case_count == 0 && j.refused_count > 0) {
        print_refused(&j);
        print_error("impact: no law is left");
        code = status_of_refused(&j);
    } else if (code == EXIT_DONE && o->json) {
        print_refused(&j);
        code = print_cases_json(&j);
    } else if (code == EXIT_DONE && o->csv) {
        print_refused(&j);
        print_cases_csv(&j);
    } else if (code == EXIT_DONE && !j.only_figures) {
        print_cases(&j);
    }
    free_cases(&j);
    free(j.speeds.items);
    free(j.restitutions.items);
    return code;
}

int command_impact(int argc, char **argv)
{
    impact_options o = {0};
    law_options l;
    const option own[] = {
        {"law", 0, OPTION_TEXT, &l.law, "NAME", "the contact law (`carom list laws`)"},
        {"laws", 0, OPTION_NAMES, &o.laws, "NAMES",
         "several laws, separated by commas, or all; each takes the\n"
         "parameters that it has"},
        {"mass", 0, OPTION_TEXT, &o.mass, "M", "effective mass m1 m2/(m1 + m2) [kg]"},
        {"speed", 0, OPTION_TEXT, &o.speed, "RANGE", "speed of approach [m/s]: a,b,c or first:last:step"},
        {"tension", 0, OPTION_TEXT, &l.release, "POLICY",
         "where the law would pull: clip (default), allow or\n"
         "cut-off"},
        {"release", 0, OPTION_TEXT, &l.release, "POLICY", "former name of --tension"},
        {"integrate", 0, OPTION_FLAG, &o.integrate, NULL, "integrate also where there is a closed form"},
        {"tolerance", 0, OPTION_TEXT, &o.tolerance, "X", "relative tolerance of the integration (default: 1e-10)"},
        {"loop", 0, OPTION_FILE, &o.loop, "FILE", "figure of the force over the indentation"},
        {"phase", 0, OPTION_FILE, &o.phase, "FILE", "figure of the rate over the indentation"},
        {"restitution-figure", 0, OPTION_FILE, &o.restitution_figure, "FILE",
         "figure of the restitution found over the one asked, at the\n"
         "values of --restitution if these are many, else from 0.01 to 1"},
        {"factor-figure", 0, OPTION_FILE, &o.factor_figure, "FILE",
         "figure of the damping factor A over the restitution asked"},
        {"title", 0, OPTION_TEXT, &o.title, "TEXT", "title of the figures (default: none)"},
        {"json", 0, OPTION_FLAG, &o.json, NULL, "print an array, one object an impact"},
        {"csv", 0, OPTION_FLAG, &o.csv, NULL, "print comma-separated values, one row an impact"},
    };
    int result = law_options_open(&l, "impact", own, COUNT(own));
    const command_def def = {
        .name = "impact",
        .arguments = "--law NAME --mass M --speed V",
        .text =
            "Solves a free direct impact: a body of the effective mass approaches at the speed, no other force acts.\n"
            "Where the law is Fe(delta)(1 + A rate/v0), or has memory and no damping, the result is exact to "
            "rounding,\n"
            "else it is integrated. Numbers are expressions with units: 46*gram, 0.3*m/s, 1.2e5*N/mm^1.5.",
        .example = "  carom impact --law flores --mass 0.046 --speed 0.3 --restitution 0.7 --stiffness 5.5e9\n"
                   "  carom impact --laws all --mass 46*gram --speed 0.3 --restitution 0.7 --stiffness 5.5e9\n"
                   "  carom impact --laws hunt-crossley,flores,exact --mass 46*gram --speed 0.3 --stiffness 5.5e9 \\\n"
                   "      --restitution 0.1:0.9:0.2 --restitution-figure restitution.svg",
        .options = l.options,
        .option_count = l.option_count,
        .more_from = l.param_options,
        .more_heading =
            "Parameters of the laws, also through --set (`carom explain LAW` lists those of one); restitution\n"
            "may be a range",
        .least = 0,
        .most = 0};
    if (result == EXIT_DONE)
        result = command_perform(&def, argc, argv, impact, &(law_command){&o, &l});
    law_options_close(&l);
    return result;
}
