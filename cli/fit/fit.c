/* `carom fit`: reads study and records, fits, tells what was found, writes a page and a model that runs. */
#include "fit/fit_call.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/save.h"

/* ---- how it is done ---- */

static bool go_on(void *user)
{
    (void)user;
    return caught_signal() == 0;
}

static void show(void *user, const char *what, size_t predictions, double misfit)
{
    fit_call *c = user;
    char text[160];
    if (isfinite(misfit))
        snprintf(text, sizeof text, "%.60s: %zu predictions, misfit %.6g", what, predictions, misfit);
    else
        snprintf(text, sizeof text, "%.60s: %zu predictions", what, predictions);
    progress_text(&c->bar, text);
}

static void perform_tasks(void *user, size_t count, carom_fit_task task, void *job)
{
    fit_call *c = user;
    fit_pool_perform(&c->pool, count, task, job);
}

static int solve(fit_call *c)
{
    carom_fit_options options = carom_default_fit_options();
    if (!fit_pool_open(&c->pool, fit_workers(c->options->jobs, c->info.model != NULL)))
        return memory_error();
    options.workers = c->pool.count + 1;
    options.perform = perform_tasks;
    options.go_on = go_on;
    options.progress = show;
    options.user = c;
    options.brief = c->options->brief;
    watch_signals();
    progress_begin(&c->bar, c->options->quiet, 0);
    const carom_status status = carom_fit_solve(c->session->ctx, c->fit, &options, &c->result);
    c->seconds = progress_end(&c->bar);
    fit_pool_close(&c->pool);
    if (caught_signal()) {
        if (!c->options->json && !c->options->quiet)
            print_fit_so_far(c);
        return EXIT_SIGNAL + caught_signal();
    }
    return status == CAROM_OK ? EXIT_DONE : session_error(c->session, status);
}

/* ---- what it writes ---- */

/* The model with the estimates, and the page; paths[] are NULL where nothing was written. */
static int write_files(fit_call *c, const char *paths[2])
{
    const fit_call_options *o = c->options;
    char *text = NULL;
    int code = EXIT_DONE;
    const carom_status status = carom_fit_model_text(c->session->ctx, c->fit, &c->result, &text);
    if (status != CAROM_OK)
        code = session_error(c->session, status);
    if (text) {
        code = write_fit_model(c->session, c->model, text);
        paths[0] = code == EXIT_DONE ? c->model : NULL;
    }
    carom_text_free(c->session->ctx, text);
    if (o->no_page)
        return code;
    const carom_status written = carom_fit_page_write(c->session->ctx, c->fit, &c->result, c->page);
    if (written != CAROM_OK)
        return session_error(c->session, written);
    paths[1] = c->page;
    return code;
}

static int report(fit_call *c)
{
    const char *paths[2] = {NULL, NULL};
    if (!c->options->json && !c->options->quiet)
        print_fit_result(c);
    fflush(stdout);
    int code = write_files(c, paths);
    if (c->options->json) {
        const int told = print_fit_json(c, paths[1], paths[0]);
        code = code == EXIT_DONE ? told : code;
    } else if (!c->options->quiet && (paths[0] || paths[1])) {
        printf("\n");
        if (paths[0])
            printf("model with these values: %s\n", paths[0]);
        if (paths[1])
            printf("page: %s\n", paths[1]);
    }
    return code;
}

/* The two files, named before the work is done; none may be what the study reads. */
static int name_files(fit_call *c)
{
    const fit_call_options *o = c->options;
    const bool writes_model = c->info.model || c->info.laws;
    c->model = o->model ? format_text("%s", o->model) : sibling_name(o->study, "-fitted.yaml");
    c->page = o->page ? format_text("%s", o->page) : sibling_name(o->study, "-fit.html");
    if (!c->model || !c->page)
        return memory_error();
    const char *outputs[2] = {writes_model ? c->model : NULL, o->no_page ? NULL : c->page};
    static const char *const options[2] = {"--model", "--output"};
    int code = EXIT_DONE;
    for (size_t k = 0; k < 2 && code == EXIT_DONE; k++) {
        code = refuse_input("fit", options[k], outputs[k], o->study, "the study");
        if (code == EXIT_DONE)
            code = refuse_input("fit", options[k], outputs[k], c->info.model, "the model of the study");
        const char *file;
        for (size_t i = 0; code == EXIT_DONE && (file = carom_fit_get_file(c->fit, i)); i++)
            code = refuse_input("fit", options[k], outputs[k], file, "a record of the study");
    }
    return code;
}

static int perform(fit_call *c)
{
    carom_fit_def def = carom_default_fit_def();
    def.read_table = carom_table_read;
    carom_status status = carom_fit_read(c->session->ctx, c->options->study, &def, &c->fit);
    if (status == CAROM_OK)
        status = carom_fit_check(c->session->ctx, c->fit);
    if (status != CAROM_OK)
        return session_error(c->session, status);
    c->info = carom_fit_get_info(c->fit);
    if (c->options->check) {
        print_fit_plan(c);
        return EXIT_DONE;
    }
    int code = name_files(c);
    if (code == EXIT_DONE)
        code = solve(c);
    return code == EXIT_DONE ? report(c) : code;
}

/* ---- command ---- */

static int fit_arguments(session *s, const text_list *arguments, void *user)
{
    fit_call_options *o = user;
    o->study = arguments->items[0];
    const int jobs = check_fit_jobs("fit", o->jobs);
    if (jobs != EXIT_DONE)
        return jobs;
    s->deaf = true;
    fit_call c = {.session = s, .options = o};
    const int code = perform(&c);
    carom_fit_result_free(s->ctx, &c.result);
    carom_fit_free(c.fit);
    free(c.model);
    free(c.page);
    return code;
}

int command_fit(int argc, char **argv)
{
    fit_call_options o = {.jobs = NAN};
    const option options[] = {
        {"check", 0, OPTION_FLAG, &o.check, NULL, "check study and records, tell what would be fitted, fit nothing"},
        {"brief", 0, OPTION_FLAG, &o.brief, NULL, "no profiles of the likelihood and no cross-validation"},
        {"all", 0, OPTION_FLAG, &o.all, NULL, "all laws, also those that fit badly or are left out"},
        {"json", 0, OPTION_FLAG, &o.json, NULL, "one JSON object instead of the tables"},
        {"output", 'o', OPTION_FILE, &o.page, "FILE", "the page (default: STUDY with the ending -fit.html)"},
        {"no-page", 0, OPTION_FLAG, &o.no_page, NULL, "no page"},
        {"model", 'm', OPTION_FILE, &o.model, "FILE",
         "the model with the estimates (default: STUDY with the\nending -fitted.yaml)"},
        {"jobs", 'j', OPTION_NUMBER, &o.jobs, "N", "runs made at a time (default: the number of cores)"},
        {"quiet", 'q', OPTION_FLAG, &o.quiet, NULL, "no progress and no tables"},
    };
    const command_def def = {
        .name = "fit",
        .arguments = "STUDY",
        .text = "Finds the parameters of a model, or of a contact law alone, from records of measurements (CSV, HDF5,\n"
                "MAT): forces over the time, loops of force and indentation, trajectories, tables of drop "
                "tests, several\n"
                "at once. Tells estimates, standard errors, correlations, intervals by the profile of the likelihood,\n"
                "what the data cannot tell apart, and which law fits best; writes a model with the estimates "
                "and a page.\n"
                "docs/fit.md tells of studies.",
        .example = "  carom fit study.yaml --check\n"
                   "  carom fit study.yaml && carom run study-fitted.yaml",
        .options = options,
        .option_count = COUNT(options),
        .least = 1,
        .most = 1};
    return command_perform(&def, argc, argv, fit_arguments, &o);
}
