/* `carom sweep`: reads the study, opens the store, has the runs made that are missing, tells the outcome. */
#include "sweep/sweep.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define COMMIT_SECONDS 0.5
#define TELL_SECONDS 60.0 /* between lines of progress where there is no terminal */

static double clock_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* ---- for the crews ---- */

static void take_status(sweep *w, carom_status status)
{
    if (status != CAROM_OK && w->code == EXIT_DONE)
        w->code = session_error(w->session, status);
}

void sweep_take(sweep *w, size_t run, const carom_study_outcome *outcome)
{
    if (w->code != EXIT_DONE)
        return;
    take_status(w, carom_store_put(w->store, run, outcome));
    if (w->code == EXIT_DONE)
        w->taken++;
}

/* A line in the log of a job that has no terminal. */
static void tell(sweep *w, double now)
{
    if (w->bar.shown || w->options->quiet || now - w->told < TELL_SECONDS)
        return;
    const double left = (now - w->begun) / (double)w->taken * (double)(w->todo_count - w->taken);
    w->told = now;
    if (w->taken > 0)
        fprintf(stderr, "carom: %zu of %zu runs, about %.0f min left\n", w->before + w->taken,
                w->before + w->todo_count, ceil(left / 60));
}

void sweep_tick(sweep *w)
{
    const double now = clock_seconds();
    if (now - w->committed >= COMMIT_SECONDS && w->code == EXIT_DONE) {
        take_status(w, carom_store_commit(w->store));
        w->committed = now;
    }
    progress_count(&w->bar, w->before + w->taken, w->before + w->todo_count, "runs");
    tell(w, now);
}

bool sweep_goes_on(const sweep *w) { return w->code == EXIT_DONE && caught_signal() == 0; }

/* ---- what is to be done ---- */

static int read_array(sweep *w)
{
    const char *text = w->options->array;
    if (!text)
        return EXIT_DONE;
    char rest;
    if (sscanf(text, "%zu/%zu%c", &w->part, &w->parts, &rest) == 2 && w->parts >= 1 && w->part >= 1 &&
        w->part <= w->parts)
        return EXIT_DONE;
    return usage_error("sweep", "--array takes PART/PARTS, from 1/100 to 100/100, not '%s'", text);
}

static int name_store(sweep *w)
{
    const sweep_options *o = w->options;
    char ending[64] = ".db";
    if (w->parts)
        snprintf(ending, sizeof ending, "-%zuof%zu.db", w->part, w->parts);
    w->path = o->output ? format_text("%s", o->output) : sibling_name(o->study, ending);
    return w->path ? EXIT_DONE : memory_error();
}

static int list_todo(sweep *w)
{
    const size_t runs = w->info.runs;
    bool *done = calloc(runs + 1, sizeof *done);
    w->todo = malloc((runs + 1) * sizeof *w->todo);
    int code = done && w->todo ? EXIT_DONE : memory_error();
    if (code == EXIT_DONE) {
        const carom_status status = carom_store_done(w->store, done, runs);
        if (status != CAROM_OK)
            code = session_error(w->session, status);
    }
    for (size_t k = 0; k < runs && code == EXIT_DONE; k++) {
        if (w->parts && k % w->parts != w->part - 1)
            continue;
        if (done[k])
            w->before++;
        else
            w->todo[w->todo_count++] = k;
    }
    free(done);
    return code;
}

static int open_store(sweep *w, size_t workers)
{
    carom_store_def def = carom_default_store_def();
    def.part = w->part;
    def.parts = w->parts;
    def.retry = w->options->retry;
    def.workers = workers;
    const carom_status status = carom_store_create(w->session->ctx, w->path, w->study, &def, &w->store);
    return status == CAROM_OK ? list_todo(w) : session_error(w->session, status);
}

static int make_runs(sweep *w, const sweep_crew *crew)
{
    watch_signals();
    w->begun = w->committed = w->told = clock_seconds();
    progress_begin(&w->bar, w->options->quiet, (double)w->before);
    const int code = crew->perform(w);
    if (w->code == EXIT_DONE)
        w->code = code;
    /* what was made is kept, whatever ended the sweep */
    const carom_status status = carom_store_commit(w->store);
    progress_end(&w->bar);
    take_status(w, status);
    return w->code;
}

static int report(sweep *w)
{
    if (w->options->csv)
        return print_store_csv(w->session, w->store);
    return w->options->quiet ? EXIT_DONE : print_sweep_summary(w);
}

static int read_study(sweep *w)
{
    carom_status status = carom_study_read(w->session->ctx, w->options->study, &w->study);
    if (status == CAROM_OK)
        status = carom_study_check(w->session->ctx, w->study);
    if (status != CAROM_OK)
        return session_error(w->session, status);
    w->info = carom_study_get_info(w->study);
    return EXIT_DONE;
}

static int perform(session *s, const sweep_options *o, const sweep_crew *crew)
{
    sweep w = {.session = s, .options = o};
    int code = read_array(&w);
    if (code == EXIT_DONE)
        code = read_study(&w);
    if (code == EXIT_DONE)
        code = name_store(&w);
    if (code == EXIT_DONE && o->check) {
        print_sweep_plan(&w);
    } else if (code == EXIT_DONE && !isnan(o->show)) {
        code = print_sweep_run(&w, o->show);
    } else if (code == EXIT_DONE) {
        w.workers = crew->workers(&w);
        code = open_store(&w, w.workers);
        if (code == EXIT_DONE)
            code = make_runs(&w, crew);
        if (code == EXIT_DONE || code == EXIT_SOLVER || caught_signal()) {
            const int told = report(&w);
            code = code == EXIT_DONE ? told : code;
        }
        if (caught_signal())
            code = EXIT_SIGNAL + caught_signal();
    }
    carom_store_close(w.store);
    carom_study_free(w.study);
    free(w.todo);
    free(w.path);
    return code;
}

/* ---- command ---- */

/* What the functions of the command share. */
typedef struct sweep_call {
    sweep_options options;
    const sweep_crew *crew;
} sweep_call;

static int check_jobs(double jobs)
{
    if (isnan(jobs) || (jobs >= 1 && jobs <= 4096 && jobs == floor(jobs)))
        return EXIT_DONE;
    return usage_error("sweep", "--jobs takes a whole number from 1 to 4096, not '%.10g'", jobs);
}

static int sweep_arguments(session *s, const text_list *arguments, void *user)
{
    sweep_call *call = user;
    sweep_options *o = &call->options;
    if (strcmp(arguments->items[0], "merge") == 0) {
        const text_list stores = {arguments->items + 1, arguments->count - 1};
        return sweep_merge(s, &stores, o->output);
    }
    if (arguments->count > 1)
        return usage_error("sweep", "one study at a time; '%s' is one too many", arguments->items[1]);
    o->study = arguments->items[0];
    const int code = check_jobs(o->jobs);
    return code == EXIT_DONE ? perform(s, o, call->crew) : code;
}

int sweep_command(int argc, char **argv, const sweep_crew *crew)
{
    sweep_call call = {.options = {.jobs = NAN, .show = NAN}, .crew = crew};
    sweep_options *o = &call.options;
    const option options[] = {
        {"output", 'o', OPTION_FILE, &o->output, "STORE", "file of the table (default: STUDY with the ending .db)"},
        {"jobs", 'j', OPTION_NUMBER, &o->jobs, "N", "runs made at a time (default: the number of cores)"},
        {"retry", 0, OPTION_FLAG, &o->retry, NULL, "make the runs again that failed, were refused or out of time"},
        {"check", 0, OPTION_FLAG, &o->check, NULL, "check the study, tell what would be run, run nothing"},
        {"show", 0, OPTION_NUMBER, &o->show, "K", "tell how run K is made alone by `carom run`, run nothing"},
        {"csv", 0, OPTION_FLAG, &o->csv, NULL, "print the table as CSV instead of the summary"},
        {"array", 0, OPTION_TEXT, &o->array, "K/N",
         "make part K of N, for job arrays; its store is\nSTUDY-KofN.db, and `carom sweep merge` makes one of them"},
        {"quiet", 'q', OPTION_FLAG, &o->quiet, NULL, "no progress and no summary"},
    };
    const command_def def = {
        .name = "sweep",
        .arguments = "STUDY",
        .text =
            "Makes the runs of a study file: parameters that vary (lists, ranges, distributions), a sampling (grid,\n"
            "list, random, latin-hypercube, sobol, saltelli, morris) and quantities that are kept of each run,\n"
            "expressions over channels and impacts. The table grows in one SQLite file; a sweep that was stopped\n"
            "or killed continues by the same command. A run that fails is a row with its reason.\n"
            "`carom sweep merge STORE... -o STORE` makes one store of those of a job array.\n"
            "`carom plot STORE` draws it, `carom export STORE` writes it as CSV. docs/sweeps.md tells of studies,\n"
            "docs/clusters.md of many machines.",
        .example = "  carom sweep study.yaml\n"
                   "  carom sweep study.yaml --array 7/100 && carom sweep merge study-*of100.db -o study.db",
        .options = options,
        .option_count = COUNT(options),
        .least = 1,
        .most = 100000};
    return command_perform(&def, argc, argv, sweep_arguments, &call);
}
