/* `carom compare`: runs the variants of a model, tabulates and overlays them. */
#include "run/compare.h"
#include "support/model_text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/curves.h"
#include "support/report.h"

/* ---- figure ---- */

/* Contact whose episodes --episode counts: that of --contact, else that of the first channel of a contact. */
static char *episode_contact(const comparison *c)
{
    static const char family[] = "contact.";
    if (c->options->contact)
        return format_text("%s", c->options->contact);
    for (size_t k = 0; k < c->options->channels.count; k++) {
        const char *name = c->options->channels.items[k];
        if (strncmp(name, family, sizeof family - 1) == 0) {
            name += sizeof family - 1;
            return format_text("%.*s", (int)strcspn(name, "."), name);
        }
    }
    return NULL;
}

/* Sets the range of a source to the episode; false if the variant has none. */
static bool set_range(const compare_options *o, const variant *v, const char *contact, curve_source *source)
{
    source->from = -HUGE_VAL;
    source->to = HUGE_VAL;
    if (isnan(o->episode))
        return true;
    episode e = find_episode(v, contact, (size_t)o->episode);
    if (!e.found)
        return false;
    source->from = source->origin = e.onset;
    if (e.ended) /* the last row is at the end to rounding */
        source->to = e.onset + e.duration * (1 + 1e-9);
    return true;
}

static int draw_sources(const session *s, const comparison *c, const curve_source *sources, size_t count)
{
    const compare_options *o = c->options;
    const curve_request request = {.command = "compare",
                                   .output = o->figure,
                                   .title = o->title,
                                   .against = o->against,
                                   .time_label = isnan(o->episode) ? "Time t" : "Time from onset",
                                   .channels = o->channels.items,
                                   .channel_count = o->channels.count,
                                   .sources = sources,
                                   .source_count = count};
    return draw_curves(s, &request);
}

/* Draws the variants that were completed. */
static int draw_variants(const session *s, comparison *c)
{
    const compare_options *o = c->options;
    char *contact = isnan(o->episode) ? NULL : episode_contact(c);
    curve_source *sources = calloc(c->count, sizeof *sources);
    size_t count = 0, completed = 0;
    int code = sources ? EXIT_DONE : memory_error();
    for (size_t k = 0; k < c->count && code == EXIT_DONE; k++) {
        const variant *v = &c->variants[k];
        curve_source source = {.label = v->label};
        if (strncmp(variant_status(v), "completed", strlen("completed")) != 0)
            continue;
        completed++;
        if (!set_range(o, v, contact, &source))
            continue;
        carom_status status = carom_result_open(s->ctx, v->job.results, &source.result);
        if (status == CAROM_OK)
            sources[count++] = source;
        else
            code = session_error(s, status);
    }
    if (code == EXIT_DONE && count > 0)
        code = draw_sources(s, c, sources, count);
    else if (code == EXIT_DONE && completed > 0)
        code = usage_error("compare", "no variant has an episode %.10g%s%s: there is no figure", o->episode,
                           contact ? " of the contact " : "", contact ? contact : "");
    else if (code == EXIT_DONE)
        print_error("no variant was completed: there is no figure");
    if (code == EXIT_DONE)
        c->drawn = count;
    for (size_t k = 0; k < count; k++)
        carom_result_close(sources[k].result);
    free(sources);
    free(contact);
    return code;
}

/* ---- report ---- */

/* Overlays the first variants that have results in DIR/MODEL-compare.html. */
static void report_variants(const session *s, comparison *c)
{
    const char *paths[MOST_REPORTED], *labels[MOST_REPORTED];
    const char *output = c->options->run.output, *slash = output[strlen(output) - 1] == '/' ? "" : "/";
    size_t count = 0;
    for (size_t k = 0; k < c->count && count < MOST_REPORTED; k++) {
        const variant *v = &c->variants[k];
        if (!v->job.status || !v->job.results)
            continue;
        labels[count] = v->label;
        paths[count++] = v->job.results;
    }
    if (count == 0 || c->options->run.no_report)
        return;
    char *path = format_text("%s%s%s-compare.html", output, slash, c->model_name);
    const report_request r = {.results = paths, .labels = labels, .count = count, .output = path};
    carom_status status = path ? write_report(s, &r) : CAROM_ERROR_MEMORY;
    if (status == CAROM_OK) {
        c->report = path;
        c->reported = count;
        return;
    }
    free(path);
    c->report_error =
        format_text("no report: %s [%s]", carom_context_error(s->ctx), carom_warning_code_of("no-report"));
}

/* ---- command ---- */

static int check_number(const char *name, double value)
{
    if (isnan(value) || (value >= 1 && value <= 1e9 && value == floor(value)))
        return EXIT_DONE;
    return usage_error("compare", "--%s takes a whole number from 1 on, not '%.10g'", name, value);
}

static int check_options(const session *s, compare_options *o)
{
    int code = run_check_options(s, &o->run);
    if (code == EXIT_DONE && o->csv && o->run.json)
        code = usage_error("compare", "--csv and --json are two formats; give one of them");
    if (code == EXIT_DONE)
        code = check_number("jobs", o->jobs);
    if (code == EXIT_DONE)
        code = check_number("impact", o->impact);
    if (code == EXIT_DONE)
        code = check_number("episode", o->episode);
    if (code != EXIT_DONE)
        return code;
    if (!o->figure && (o->channels.count > 0 || o->against || o->title || !isnan(o->episode)))
        return usage_error("compare", "--channel, --against, --episode and --title are for a figure; --output FILE is "
                                      "missing");
    if (!o->figure)
        return EXIT_DONE;
    if (o->channels.count == 0)
        return usage_error("compare", "the figure needs --channel NAME, such as contact.NAME.force");
    if (o->run.no_results)
        return usage_error("compare", "a figure is drawn from the result files; --no-results leaves none");
    return check_figure_path("compare", o->figure);
}

static int finish(const session *s, comparison *c)
{
    int code = run_variants(c);
    if (code != EXIT_DONE)
        return code;
    const compare_options *o = c->options;
    int figure_code = o->figure && !caught_signal() ? draw_variants(s, c) : EXIT_DONE;
    report_variants(s, c);
    if (o->run.json)
        code = print_comparison_json(s, c);
    else if (o->csv)
        print_comparison_csv(c);
    else if (!o->run.quiet)
        print_comparison(c);
    for (size_t k = 0; k < c->count; k++)
        if (c->variants[k].tried && c->variants[k].code != EXIT_DONE)
            code = EXIT_SOLVER;
    if (caught_signal())
        return EXIT_SIGNAL + caught_signal();
    return code != EXIT_DONE ? code : figure_code;
}

static int compare(session *s, const text_list *arguments, void *options)
{
    compare_options *o = options;
    o->run.model = arguments->items[0];
    comparison c = {.options = o};
    int code = check_options(s, o);
    if (code == EXIT_DONE)
        code = take_model(s, &o->run.model);
    if (code == EXIT_DONE)
        code = run_check_inputs(s, &o->run);
    if (code != EXIT_DONE)
        return code;
    code = read_varied(s, &c);
    if (code == EXIT_DONE)
        code = probe_model(s, &c);
    if (code == EXIT_DONE)
        code = make_variants(&c);
    if (code == EXIT_DONE)
        code = finish(s, &c);
    free_variants(&c);
    return code;
}

int command_compare(int argc, char **argv)
{
    compare_options o = {.run = {.command = "compare", .output = "carom-out", .checkpoint = NAN, .threads = 1},
                         .jobs = NAN,
                         .impact = NAN,
                         .episode = NAN};
    const option options[] = {
        {"vary", 0, OPTION_TEXTS, &o.vary, "NAME=A,B,...",
         "values of a parameter, also ranges first:last:step, or of\n`integrator` or `formulation`; may be repeated: "
         "all combinations\nare run"},
        {"set", 0, OPTION_TEXTS, &o.run.set, "NAME=VALUE", "replace the value of a parameter in all variants"},
        {"input", 0, OPTION_TEXTS, &o.run.inputs, "NAME=FILE[:COLUMN]",
         "let an input follow a record in all variants, as in carom run"},
        {"output", 'o', OPTION_FILE, &o.figure, "FILE", "figure of all variants; .svg, .pdf or .png"},
        {"channel", 0, OPTION_NAMES, &o.channels, "NAME", "channel of the figure; may be repeated"},
        {"against", 0, OPTION_TEXT, &o.against, "CHANNEL", "channel of the horizontal axis (default: time)"},
        {"episode", 0, OPTION_NUMBER, &o.episode, "K", "draw episode K of the contact only, time from its onset"},
        {"title", 0, OPTION_TEXT, &o.title, "TEXT", "title of the figure (default: none)"},
        {"impact", 0, OPTION_NUMBER, &o.impact, "K", "impact of the table (default: 1, the first)"},
        {"contact", 0, OPTION_TEXT, &o.contact, "NAME", "count impacts and episodes of this contact only"},
        {"jobs", 'j', OPTION_NUMBER, &o.jobs, "N", "variants run at a time (default: the number of cores)"},
        {"results", 0, OPTION_FILE, &o.run.output, "DIR", "folder of the results (default carom-out)"},
        {"no-results", 0, OPTION_FLAG, &o.run.no_results, NULL, "write no result files"},
        {"no-report", 0, OPTION_FLAG, &o.run.no_report, NULL, "write no report"},
        {"integrator", 0, OPTION_TEXT, &o.run.integrator, "NAME",
         "integrator instead of the file's; see `carom list integrators`"},
        {"until", 0, OPTION_TEXT, &o.run.until, "T", "end of the simulated time instead of the file's: 0.2, 50*ms"},
        {"step", 0, OPTION_TEXT, &o.run.step_text, "T", "step of an integrator with fixed steps instead of the file's"},
        {"output-every", 0, OPTION_TEXT, &o.run.every_text, "T", "output interval instead of the file's: 1*ms"},
        {"tolerance", 0, OPTION_POSITIVE, &o.run.tolerance, "X", "relative tolerance instead of the file's"},
        {"formulation", 0, OPTION_TEXT, &o.run.formulation, "NAME",
         "formulation instead of the file's; see `carom list formulations`"},
        {"at", 0, OPTION_NUMBERS, &o.run.at, "T1,T2,...", "times [s] at which --json gives the state of all bodies"},
        {"json", 0, OPTION_FLAG, &o.run.json, NULL, "print one JSON object instead of the table"},
        {"csv", 0, OPTION_FLAG, &o.csv, NULL, "print comma-separated values instead of the table, one row a variant"},
        {"quiet", 'q', OPTION_FLAG, &o.run.quiet, NULL, "no progress and no table"},
    };
    const command_def def = {
        .name = "compare",
        .arguments = "MODEL --vary NAME=A,B,...",
        .text =
            "Runs a model with several values of its parameters, several variants at a time, and prints one row\n"
            "for each: impacts, and of one impact the speeds, the restitution asked and got, peak force, depth and\n"
            "duration; energy lost, residual of the energy ledger, status. The channels of each variant are\n"
            "written to DIR/MODEL-NAME=VALUE.h5, the same as by `carom run --set NAME=VALUE`, and overlaid in a\n"
            "page for the browser, DIR/MODEL-compare.html. A variant that fails does not stop the others; exit\n"
            "status 3 then. Ctrl-C keeps what is finished.",
        .example =
            "  carom compare models/two_spheres.yaml --vary law=flores,hunt-crossley,exact --vary e=0.3:0.9:0.2\n"
            "  carom compare models/two_spheres.yaml --vary law=flores,lankarani-nikravesh,hunt-crossley \\\n"
            "      --channel contact.hit.force --against contact.hit.indentation --episode 1 -o loops.svg",
        .options = options,
        .option_count = COUNT(options),
        .least = 1,
        .most = 1};
    return command_perform(&def, argc, argv, compare, &o);
}
