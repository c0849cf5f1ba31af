/* Modes drawn: each as two periods of its oscillation, in a file of results of its own, and all in one page. */
#include "run/run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/report.h"

#define PI 3.14159265358979323846
#define PERIODS 2
#define PERIOD 1.0     /* [s] of all, so that they are seen side by side; the label has the frequency */
#define FRAMES 48      /* of a period */
#define AMPLITUDE 0.12 /* of the model's length */
#define MOST 12        /* modes without --all */

typedef struct drawing {
    const carom_analysis *analysis;
    size_t mode;
    carom_state *state;
} drawing;

static const carom_analysis_cell *cell(const carom_analysis_table *t, size_t row, const char *column)
{
    size_t c = 0;
    while (strcmp(t->columns[c].name, column) != 0)
        c++;
    return &t->cells[row * t->column_count + c];
}

static carom_status draw(void *user, carom_simulation *sim)
{
    drawing *d = user;
    carom_status status = CAROM_OK;
    for (int k = 0; k <= PERIODS * FRAMES && status == CAROM_OK; k++) {
        const double part = (double)k / FRAMES;
        status = carom_simulation_get_state(sim, d->state);
        if (status == CAROM_OK)
            status = carom_state_set(d->state, "time", &(double){part * PERIOD}, 1);
        if (status == CAROM_OK)
            status = carom_analysis_mode_state(d->analysis, d->mode, AMPLITUDE, 2 * PI * part - PI / 2, d->state);
        if (status == CAROM_OK)
            status = carom_simulation_record_state(sim, d->state);
    }
    return status;
}

/* A run that is only recorded: in absolute coordinates, over the periods. */
static int draw_mode(const run_job *of, const carom_analysis_table *modes, size_t mode, char **path, char **label)
{
    const double natural = cell(modes, mode, "natural_frequency")->number;
    const char *whirl = cell(modes, mode, "whirl")->text;
    drawing d = {.analysis = of->analysis, .mode = mode};
    carom_run_def run = *of->def;
    run_options options = *of->options;
    char *name = format_text("%s-mode-%zu", of->info.name, mode + 1);
    run.analysis = "dynamics";
    run.formulation = "cartesian";
    run.integrator = run.constraints = run.start = NULL;
    run.until = PERIODS * PERIOD;
    run.output_every = PERIOD / FRAMES;
    options.formulation = options.integrator = NULL;
    options.step = options.every = options.end = options.tolerance = 0;
    options.inputs.count = 0;
    run_job job = {.session = of->session, .options = &options, .spec = of->spec, .model = of->model,
                   .info = of->info, .index = of->index, .name = name, .def = &run};
    int result = name ? run_job_prepare(&job) : memory_error();
    if (result == EXIT_DONE) {
        const carom_status status = carom_state_create(of->session->ctx, of->model, &d.state);
        result = status == CAROM_OK ? run_job_draw(&job, draw, &d) : session_error(of->session, status);
    }
    *path = job.results;
    job.results = NULL;
    *label = format_text("%zu: %.4g Hz · %s%s%s", mode + 1, natural, cell(modes, mode, "motion")->text,
                         whirl[0] ? " · " : "", whirl);
    carom_state_free(d.state);
    run_job_free(&job);
    free(name);
    return result == EXIT_DONE && (!*path || !*label) ? memory_error() : result;
}

int run_modes_draw(run_job *job)
{
    const run_options *o = job->options;
    const carom_analysis_table *modes = carom_analysis_find_table(job->analysis, "modes");
    char *paths[64] = {NULL}, *labels[64] = {NULL};
    if (!modes || strcmp(carom_analysis_name(job->analysis), "modes") != 0 || !modes->row_count || o->no_results)
        return EXIT_DONE;
    const size_t most = o->all ? sizeof paths / sizeof *paths : MOST;
    const size_t count = modes->row_count < most ? modes->row_count : most;
    bool made;
    int result = make_folder(o->output, &made);
    for (size_t k = 0; k < count && result == EXIT_DONE; k++)
        result = draw_mode(job, modes, k, &paths[k], &labels[k]);
    char *title = format_text("Modes of %s", job->info.title && job->info.title[0] ? job->info.title : job->info.name);
    char *page = format_text("%s/%s-modes.html", o->output, job->info.name);
    if (result == EXIT_DONE && !o->no_report && page) {
        const report_request r = {.results = (const char *const *)paths, .labels = (const char *const *)labels,
                                  .count = count, .output = page, .title = title, .one_at_a_time = true};
        const carom_status status = write_report(job->session, &r);
        if (status == CAROM_OK)
            job->report = page;
        else
            result = session_error(job->session, status);
    }
    for (size_t k = 0; k < count; k++) {
        free(paths[k]);
        free(labels[k]);
    }
    free(title);
    if (!job->report)
        free(page);
    return result;
}
