/* `carom run`: checks a model, runs its analyses in order, keeps results. */
#include "run/run.h"
#include "support/browser.h"
#include "support/model_text.h"
#include "support/ranges.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Prints what became of an analysis. */
static void print_outcome(const run_job *job, carom_json *json)
{
    if (job->options->json)
        job->analysis ? run_analysis_print_json(job, json) : run_print_json(job, json, NULL);
    else if (!job->options->quiet)
        job->analysis ? run_analysis_print_text(job) : run_print_text(job);
}

/* Shows the page of an analysis that --open asks for. */
static void open_report(const run_job *job)
{
    if (job->options->open && job->report && !browser_open(job->report))
        fprintf(stderr, "carom: no browser opens '%s' here; open it yourself\n", job->report);
}

static int execute_all(run_job *jobs, size_t count)
{
    const run_options *o = jobs[0].options;
    bool folder = false, made = false, warned = false;
    for (size_t k = 0; k < count; k++)
        folder = folder || jobs[k].results || jobs[k].checkpoint || jobs[k].unfinished.path;
    int result = folder ? make_folder(o->output, &made) : EXIT_DONE;
    if (result != EXIT_DONE)
        return result;
    watch_signals();
    carom_json *json = o->json ? json_open(jobs[0].session) : NULL;
    if (o->json && !json)
        return EXIT_SOLVER;
    if (o->json && count > 1)
        carom_json_begin(json, NULL, '[');
    for (size_t k = 0; k < count && result == EXIT_DONE; k++) {
        session *s = jobs[k].session;
        size_t common = s->warning_count;
        if (k > 0 && !o->json && !o->quiet)
            printf("\n");
        result = jobs[k].sim ? run_job_execute(&jobs[k]) : run_analysis_execute(&jobs[k]);
        if (jobs[k].status) {
            const int reported = run_job_report(&jobs[k]);
            result = result == EXIT_DONE ? reported : result;
            print_outcome(&jobs[k], json);
            open_report(&jobs[k]);
        }
        warned = warned || s->warning_count > 0;
        while (s->warning_count > common)
            free(s->warnings[--s->warning_count]);
    }
    if (result == EXIT_DONE)
        result = run_analysis_check_tables(jobs, count);
    if (o->json && count > 1)
        carom_json_end(json, ']');
    if (o->json && json_print(jobs[0].session, json) != EXIT_DONE)
        result = EXIT_SOLVER;
    /* without any result there is no reason for the folder; rmdir leaves one that holds something */
    if (made && result != EXIT_DONE)
        rmdir(o->output);
    return result == EXIT_DONE && o->strict && warned ? EXIT_SOLVER : result;
}

static int run_all(session *s, const run_options *o, const carom_document *document, const carom_model *model)
{
    carom_model_info info = carom_model_get_info(model);
    if (info.runs > 1 && (o->resume || !isnan(o->checkpoint)))
        return usage_error("run", "--checkpoint and --resume take a model with one run; '%s' has %zu", o->model,
                           info.runs);
    run_job *jobs = calloc(info.runs + 1, sizeof *jobs);
    if (!jobs)
        return memory_error();
    int result = EXIT_DONE;
    for (size_t k = 0; k < info.runs && result == EXIT_DONE; k++) {
        jobs[k] = run_job_of(s, o, document, model, k);
        jobs[k].before = k ? &jobs[k - 1] : NULL;
        result = carom_run_moves(jobs[k].def) ? run_job_prepare(&jobs[k]) : EXIT_DONE;
    }
    if (result == EXIT_DONE && info.runs > 0)
        result = run_check_motion(jobs, info.runs);
    if (result == EXIT_DONE && info.runs > 0)
        result = execute_all(jobs, info.runs);
    for (size_t k = 0; k < info.runs; k++)
        run_job_free(&jobs[k]);
    free(jobs);
    return result;
}

static int run_document(session *s, const run_options *o, const carom_document *document)
{
    carom_model *model = NULL;
    carom_status status = carom_model_compile(s->ctx, carom_document_spec(document), &model);
    int result = status == CAROM_OK ? run_all(s, o, document, model) : session_error(s, status);
    carom_model_free(model);
    return result;
}

/* ---- command line ---- */

/* Refuses a name of the command line that the family has none of. */
static int check_name(const session *s, const run_options *o, const char *family, const char *name)
{
    if (!name || carom_explain_title(s->ctx, family, name))
        return EXIT_DONE;
    size_t count;
    const char *const *names = carom_explain_names(s->ctx, family, &count);
    const char *nearest = carom_nearest_name(name, names, count);
    if (nearest)
        return usage_error(o->command, "unknown %s '%s'; did you mean '%s'?", family, name, nearest);
    if (count == 1)
        return usage_error(o->command, "unknown %s '%s'; the only one is '%s'", family, name, names[0]);
    return usage_error(o->command, "unknown %s '%s'; `carom list %ss` names them", family, name, family);
}

/* A time with or without unit, above 0; `text` NULL: not given. */
static int read_time(const session *s, const run_options *o, const char *name, const char *text, double *out)
{
    if (!text)
        return EXIT_DONE;
    const int result = read_number_option(s, o->command, name, text, "s", out);
    if (result == EXIT_DONE && !(*out > 0 && isfinite(*out)))
        return usage_error(o->command, "--%s is %g s; it must lie above 0", name, *out);
    return result;
}

static int read_times(const session *s, run_options *o)
{
    int result = read_time(s, o, "until", o->until, &o->end);
    if (result == EXIT_DONE)
        result = read_time(s, o, "step", o->step_text, &o->step);
    return result == EXIT_DONE ? read_time(s, o, "output-every", o->every_text, &o->every) : result;
}

/* What goes on by the same command is the whole run, from its start. */
static int check_checkpoints(run_options *o)
{
    const char *other = !isnan(o->checkpoint)      ? "checkpoint"
                        : o->resume                ? "resume"
                        : o->at.count > 0          ? "at"
                        : o->derivatives.count > 0 ? "derivatives"
                                                   : NULL;
    if (o->checkpoint_every && other)
        return usage_error(o->command, "--checkpoint-every does not go together with --%s", other);
    return run_unfinished_every(o->command, o->checkpoint_every, &o->checkpoint_seconds);
}

int run_check_options(const session *s, run_options *o)
{
    if (o->derivatives_of.count > 0 && o->derivatives.count == 0)
        return usage_error(o->command, "--derivatives-of takes effect with --derivatives only");
    if (o->at.count > 0 && !o->json)
        return usage_error(o->command, "--at takes effect with --json only");
    if (!(o->threads >= 0 && o->threads <= 1024 && o->threads == floor(o->threads)))
        return usage_error(o->command, "--threads takes a whole number from 1 to 1024, not '%.10g'", o->threads);
    int result = check_checkpoints(o);
    if (result == EXIT_DONE)
        result = check_name(s, o, "formulation", o->formulation);
    if (result == EXIT_DONE)
        result = check_name(s, o, "integrator", o->integrator);
    return result == EXIT_DONE ? read_times(s, o) : result;
}

static int run(session *s, const text_list *arguments, void *options)
{
    run_options *o = options;
    o->model = arguments->items[0];
    int result = run_check_options(s, o);
    if (result == EXIT_DONE)
        result = take_model(s, &o->model);
    if (result != EXIT_DONE)
        return result;
    carom_document *document = NULL;
    carom_status status = read_model(s, o->model, o->set.items, o->set.count, &document);
    result = status == CAROM_OK ? run_document(s, o, document) : session_error(s, status);
    carom_document_free(document);
    return result;
}

static int run_with_data(session *s, const text_list *arguments, void *options)
{
    run_options *o = options;
    const int code = measured_read(s, &o->measured);
    measured_free(&o->measured);
    return code == EXIT_DONE ? run(s, arguments, options) : code;
}

int command_run(int argc, char **argv)
{
    run_options o = {.command = "run", .output = "carom-out", .checkpoint = NAN, .measured.command = "run"};
    const option options[] = {
        {"set", 0, OPTION_TEXTS, &o.set, "NAME=VALUE", "replace the value of a parameter; may be repeated"},
        {"input", 0, OPTION_TEXTS, &o.inputs, "NAME=FILE[:COLUMN]",
         "let an input follow a record, a table with the time in its first column; may be repeated"},
        {"table", 0, OPTION_TEXTS, &o.tables, "NAME=FILE",
         "write a table of an analysis as CSV, such as efforts=efforts.csv; may be repeated"},
        {"matrices", 0, OPTION_FILE, &o.matrices, "FILE",
         "write the matrices of an analysis, such as the state space of\nmodes, as FILE.mat or FILE.h5"},
        {"output", 'o', OPTION_FILE, &o.output, "DIR", "folder of the results (default carom-out)"},
        {"integrator", 0, OPTION_TEXT, &o.integrator, "NAME",
         "integrator instead of the file's; see `carom list integrators`"},
        {"until", 0, OPTION_TEXT, &o.until, "T", "end of the simulated time instead of the file's: 0.2, 50*ms"},
        {"step", 0, OPTION_TEXT, &o.step_text, "T",
         "step of an integrator with fixed steps instead of the file's: 20*us"},
        {"output-every", 0, OPTION_TEXT, &o.every_text, "T", "output interval instead of the file's: 1*ms"},
        {"tolerance", 0, OPTION_POSITIVE, &o.tolerance, "X", "relative tolerance instead of the file's"},
        {"formulation", 0, OPTION_TEXT, &o.formulation, "NAME",
         "formulation instead of the file's; see `carom list formulations`"},
        {"threads", 0, OPTION_NUMBER, &o.threads, "N",
         "threads that share loops over many bodies (default: all cores where it\npays); results do not depend on it"},
        {"at", 0, OPTION_NUMBERS, &o.at, "T1,T2,...", "times [s] at which --json gives the state of all bodies"},
        {"json", 0, OPTION_FLAG, &o.json, NULL, "print one JSON object instead of tables"},
        {"all", 0, OPTION_FLAG, &o.all, NULL, "print all rows of long tables"},
        {"final", 0, OPTION_FLAG, &o.final, NULL, "print position and velocity of all bodies at the end"},
        {"live", 0, OPTION_NAMES, &o.live, "A,B,...",
         "draw these channels while the run is under way, and once at its end"},
        {"max-size", 0, OPTION_TEXT, &o.max_size, "SIZE",
         "largest size of the results, 300MB or 2GB: a run whose rows would need more is\nrefused, and one whose file "
         "comes to it records no more rows"},
        {"no-results", 0, OPTION_FLAG, &o.no_results, NULL, "write no result file"},
        {"no-report", 0, OPTION_FLAG, &o.no_report, NULL, "write no report"},
        {"derivatives", 0, OPTION_NAMES, &o.derivatives, "P,Q,...",
         "derivatives of impacts and channels by these parameters: names of `parameters:`,\nnumbers such as "
         "body.ball.mass, or of the start such as body.ball.velocity.y"},
        {"derivatives-of", 0, OPTION_NAMES, &o.derivatives_of, "A,B,...",
         "channels of which they are recorded (default: the motion of all bodies)"},
        {"checkpoint", 0, OPTION_NUMBER, &o.checkpoint, "T", "write DIR/MODEL.ckpt at time T [s] and go on"},
        {"checkpoint-every", 0, OPTION_TEXT, &o.checkpoint_every, "T",
         "write DIR/MODEL.unfinished from time to time of the clock, 30s, 10min or 2h, until\nthe run has ended: "
         "killed at any moment, it goes on by the same command"},
        {"resume", 0, OPTION_TEXT, &o.resume, "FILE", "begin where the checkpoint FILE was written"},
        MEASURED_OPTIONS(o.measured),
        {"open", 0, OPTION_FLAG, &o.open, NULL, "open the page in the browser when the run has ended"},
        {"strict", 0, OPTION_FLAG, &o.strict, NULL, "end with exit status 3 if there are warnings"},
        {"quiet", 'q', OPTION_FLAG, &o.quiet, NULL, "no progress bar and no tables"},
    };
    const command_def def = {
        .name = "run",
        .arguments = "MODEL",
        .text =
            "Runs the analyses of a model file in their order. Of a motion it prints the impacts, the contacts that\n"
            "are still open, the energy ledger, the largest violation of the constraints and the warnings, and writes\n"
            "all channels to DIR/MODEL.h5 and a page for the browser, DIR/MODEL.html (of several analyses\n"
            "DIR/MODEL-1.h5, ...). The folder is made when the model has passed its check. Ctrl-C ends the\n"
            "run with readable results and exit status 130. MODEL - reads standard input.",
        .example = "  carom run models/slider_crank_block.yaml --set law=hertz --tolerance 1e-9 -o out\n"
                   "  sed 's/0.7/0.5/' model.yaml | carom run - --output-every 1*ms",
        .options = options,
        .option_count = COUNT(options),
        .least = 1,
        .most = 1};
    return command_perform(&def, argc, argv, run_with_data, &o);
}
