/* `carom report`: one HTML file of one or several results. */
#include "support/report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/options.h"

#define MOST_RESULTS 1000
#define MOST_BYTES 1e12

typedef struct report_options {
    const char *output, *title, *max_size;
    text_list labels;
    measured measured;
    double bytes; /* of --max-size; 0: not given */
} report_options;

/* ---- options ---- */

/* Reads a size: 6MB, 500kB, 6000000. */
static int read_size(report_options *o)
{
    if (!o->max_size || (carom_parse_size(o->max_size, &o->bytes) && o->bytes <= MOST_BYTES))
        return EXIT_DONE;
    return usage_error("report", "--max-size takes a size such as 6MB or 500kB, not '%s'", o->max_size);
}

static int check_options(report_options *o, const text_list *results)
{
    if (o->labels.count > 0 && o->labels.count != results->count)
        return usage_error("report", "%zu label%s for %zu result%s; give one for each", o->labels.count,
                           o->labels.count == 1 ? "" : "s", results->count, results->count == 1 ? "" : "s");
    return read_size(o);
}

/* The name of the first result with the ending .html, of several -compare.html; NULL when out of memory. */
static char *usual_output(const text_list *results)
{
    return sibling_name(results->items[0], results->count > 1 ? "-compare.html" : ".html");
}

static int report(session *s, const text_list *arguments, void *options)
{
    report_options *o = options;
    int code = check_options(o, arguments);
    if (code == EXIT_DONE)
        code = measured_place(s, &o->measured, arguments->items[0]);
    if (code != EXIT_DONE) {
        measured_free(&o->measured);
        return code;
    }
    char *usual = o->output ? NULL : usual_output(arguments);
    report_request r = {.results = arguments->items,
                        .labels = o->labels.count ? o->labels.items : NULL,
                        .count = arguments->count,
                        .title = o->title,
                        .size = (size_t)o->bytes,
                        .measured = &o->measured,
                        .output = o->output ? o->output : usual};
    if (!r.output) {
        code = memory_error();
    } else {
        carom_status status = write_report(s, &r);
        code = status == CAROM_OK ? EXIT_DONE : session_error(s, status);
    }
    if (code == EXIT_DONE)
        printf("%-11s  %s\n", "report", r.output);
    free(usual);
    measured_free(&o->measured);
    return code;
}

int command_report(int argc, char **argv)
{
    report_options o = {.measured.command = "report"};
    const option options[] = {
        {"output", 'o', OPTION_FILE, &o.output, "FILE",
         "file to write (default: RESULT with the ending .html; of several\nresults the first with -compare.html)"},
        {"label", 0, OPTION_NAMES, &o.labels, "A,B,...",
         "names that tell the results apart (default: names of their files)"},
        {"title", 0, OPTION_TEXT, &o.title, "TEXT", "title of the page (default: that of the first result)"},
        {"max-size", 0, OPTION_TEXT, &o.max_size, "SIZE",
         "largest size of the file, such as 2MB or 500kB (default: 5 MB of\ncompressed data); rows are left out until "
         "it fits"},
        MEASURED_OPTIONS(o.measured),
    };
    const command_def def = {
        .name = "report",
        .arguments = "RESULT...",
        .text = "Writes one HTML file that shows results in any browser, without a network: the motion, also in slow\n"
                "motion through an impact, plots of all channels, force-indentation loops, the table of impacts,\n"
                "energies, steps, warnings and the model. Several results are overlaid. `carom run` and\n"
                "`carom compare` write one by themselves. It works also while a run is under way.",
        .example = "  carom report carom-out/slider_crank_block.h5\n"
                   "  carom report fine.h5 coarse.h5 --label fine,coarse --title Steps -o steps.html --max-size 2MB\n"
                   "  carom report carom-out/slider_crank_block.h5 --data 'test.csv:force[kN]+-sd@time[us]' --impact 1 "
                   "--align onset",
        .options = options,
        .option_count = COUNT(options),
        .least = 1,
        .most = MOST_RESULTS};
    return command_perform(&def, argc, argv, report, &o);
}
