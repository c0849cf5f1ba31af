/* One analysis of `carom run` or one variant of `carom compare`: preparation, the run, its files, signals. */
#include "run/run.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/report.h"
#include "support/save.h"

/* ---- what the simulation calls ---- */

static carom_status pass_rows(void *user, int group, size_t rows, const double *time, const double *data)
{
    run_job *job = user;
    const carom_sink *target = job->target;
    job->unfinished.of.given[group] += rows;
    if (job->live.count > 0)
        live_take(&job->live, group, rows, time, data);
    if (!target || !target->rows)
        return CAROM_OK;
    if (group == 0 && job->derivatives.of)
        return run_derivatives_rows(job, rows, time, data);
    return target->rows(target->user, group, rows, time, data);
}

static carom_status pass_impact(void *user, const carom_impact *impact)
{
    const carom_sink *target = ((run_job *)user)->target;
    if (!target || !target->impact)
        return CAROM_OK;
    return target->impact(target->user, impact);
}

static carom_status pass_rest(void *user, const carom_rest *rest)
{
    const carom_sink *target = ((run_job *)user)->target;
    if (!target || !target->rest)
        return CAROM_OK;
    return target->rest(target->user, rest);
}

static carom_status pass_event(void *user, const carom_fired_event *event)
{
    const carom_sink *target = ((run_job *)user)->target;
    if (!target || !target->event)
        return CAROM_OK;
    return target->event(target->user, event);
}

/* Tells who waits at once of a force that jumps to and fro: its run may take long to no end. Other warnings can wait
   for the end. */
static void tell_chatter(run_job *job)
{
    size_t count;
    char code[16];
    const char *const *warnings = carom_simulation_warnings(job->sim, &count);
    if (job->told >= count || job->options->quiet || !progress_is_long(&job->bar))
        return;
    snprintf(code, sizeof code, "[%s]", carom_warning_code_of("chatter"));
    for (; job->told < count; job->told++)
        if (strstr(warnings[job->told], code)) {
            progress_clear(&job->bar);
            print_running_warning(warnings[job->told]);
        }
}

static bool on_progress(void *user, const carom_progress *progress)
{
    run_job *job = user;
    tell_chatter(job);
    if (progress_is_due(&job->bar)) {
        if (job->live.count > 0)
            live_take_pending(&job->live, job->sim);
        progress_update(&job->bar, progress, &job->live);
    }
    return job->stop_status == EXIT_DONE && (caught_signal() == 0 || run_unfinished_waits(job));
}

static int write_file(const char *path, const unsigned char *bytes, size_t size)
{
    if (save_bytes(path, bytes, size))
        return EXIT_DONE;
    print_error("cannot write the checkpoint '%s': %s", path, strerror(errno));
    return EXIT_IO;
}

static int write_checkpoint(run_job *job)
{
    unsigned char *bytes = NULL;
    size_t size = 0;
    carom_status status = carom_simulation_checkpoint(job->sim, &bytes, &size);
    if (status != CAROM_OK)
        return session_error(job->session, status);
    int result = write_file(job->checkpoint, bytes, size);
    carom_bytes_free(job->session->ctx, bytes, size);
    return result;
}

static int take_sample(run_job *job, run_stop *stop)
{
    stop->bodies = calloc(job->info.bodies + 1, sizeof *stop->bodies);
    if (!stop->bodies)
        return memory_error();
    for (size_t k = 0; k < job->info.bodies; k++) {
        carom_status status = carom_simulation_body(job->sim, k, &stop->bodies[k]);
        if (status != CAROM_OK)
            return session_error(job->session, status);
    }
    return EXIT_DONE;
}

static void on_stop(void *user, carom_simulation *sim, double time)
{
    run_job *job = user;
    (void)sim;
    for (size_t k = 0; k < job->stop_count && job->stop_status == EXIT_DONE; k++) {
        run_stop *stop = &job->stops[k];
        if (stop->time != time || stop->bodies)
            continue;
        if (stop->sample)
            job->stop_status = take_sample(job, stop);
        if (stop->checkpoint && job->stop_status == EXIT_DONE)
            job->stop_status = write_checkpoint(job);
    }
}

/* ---- preparation ---- */

static int compare_stops(const void *a, const void *b)
{
    double x = ((const run_stop *)a)->time, y = ((const run_stop *)b)->time;
    return (x > y) - (x < y);
}

/* Share of the end of the run by which a time may lie beside it and still means it: 25e-6 and 25*us. */
#define SAME_TIME 1e-12

/* Sorts the times of --at and --checkpoint and merges equal ones. */
static int make_stops(run_job *job)
{
    const run_options *o = job->options;
    double begin = carom_simulation_time(job->sim), until = run_job_def(job).until;
    bool checkpoint = !isnan(o->checkpoint);
    job->stops = calloc(o->at.count + 1, sizeof *job->stops);
    if (!job->stops)
        return memory_error();
    size_t count = 0;
    for (size_t k = 0; k < o->at.count; k++)
        job->stops[count++] = (run_stop){.time = o->at.items[k], .sample = true};
    if (checkpoint)
        job->stops[count++] = (run_stop){.time = o->checkpoint, .checkpoint = true};
    for (size_t k = 0; k < count; k++) {
        const char *name = job->stops[k].checkpoint ? "checkpoint" : "at";
        if (fabs(job->stops[k].time - until) <= SAME_TIME * fabs(until))
            job->stops[k].time = until;
        if (job->stops[k].time < begin || job->stops[k].time > until)
            return session_fail(job->session, EXIT_USAGE,
                                "%s: --%s %.10g is not in the run, which goes from %.10g s to %.10g s", o->command,
                                name, job->stops[k].time, begin, until);
    }
    qsort(job->stops, count, sizeof *job->stops, compare_stops);
    for (size_t k = 0; k < count; k++) {
        run_stop *last = job->stop_count > 0 ? &job->stops[job->stop_count - 1] : NULL;
        if (last && last->time == job->stops[k].time) {
            last->sample |= job->stops[k].sample;
            last->checkpoint |= job->stops[k].checkpoint;
        } else {
            job->stops[job->stop_count++] = job->stops[k];
        }
    }
    return EXIT_DONE;
}

static int resume(run_job *job)
{
    unsigned char *bytes = NULL;
    size_t size = 0;
    int result = run_read_file(job->options->resume, &bytes, &size);
    if (result != EXIT_DONE)
        return result;
    carom_status status = carom_simulation_resume(job->sim, bytes, size);
    free(bytes);
    return status == CAROM_OK ? EXIT_DONE : session_error(job->session, status);
}

/* DIR/MODEL.ENDING, with the number of the analysis if there are several; NULL when out of memory. */
static char *output_path(const run_job *job, const char *ending)
{
    const char *output = job->options->output, *name = job->name ? job->name : job->info.name;
    size_t length = strlen(output);
    const char *slash = output[length - 1] == '/' ? "" : "/";
    if (job->info.runs > 1)
        return format_text("%s%s%s-%zu.%s", output, slash, name, job->index + 1, ending);
    return format_text("%s%s%s.%s", output, slash, name, ending);
}

static int open_live(run_job *job)
{
    size_t count;
    const carom_channel *channels = carom_simulation_channels(job->sim, &count);
    if (!channels)
        return memory_error();
    return live_open(&job->live, job->options->command, &job->options->live, channels, count,
                     carom_simulation_time(job->sim), run_job_def(job).until);
}

/* One NAME=FILE or NAME=FILE:COLUMN. */
static int read_record(run_job *job, const char *text, carom_spline_def *out)
{
    const char *equals = strchr(text, '=');
    if (!equals || equals == text || !equals[1])
        return session_fail(job->session, EXIT_USAGE,
                            "%s: --input '%s' is not of the form NAME=FILE or NAME=FILE:COLUMN", job->options->command,
                            text);
    /* the copy lives as long as the record, behind whose name it stands */
    char *name = format_text("%s", text);
    if (!name)
        return memory_error();
    char *path = name + (equals - text), *colon = strrchr(path + 1, ':');
    *path++ = '\0';
    if (access(path, F_OK) == 0)
        colon = NULL;
    if (colon)
        *colon++ = '\0';
    carom_status status = carom_record_read(job->session->ctx, name, path, colon, out);
    out->name = name;
    return status == CAROM_OK ? EXIT_DONE : session_error(job->session, status);
}

int run_job_read_records(run_job *job)
{
    const text_list *inputs = &job->options->inputs;
    job->records = calloc(inputs->count + 1, sizeof *job->records);
    if (!job->records)
        return memory_error();
    for (int result; job->record_count < inputs->count;) {
        carom_spline_def *record = &job->records[job->record_count];
        result = read_record(job, inputs->items[job->record_count++], record);
        if (result != EXIT_DONE)
            return result;
    }
    return EXIT_DONE;
}

int run_check_inputs(session *s, const run_options *o)
{
    run_job job = {.session = s, .options = o};
    const int result = run_job_read_records(&job);
    run_job_free(&job);
    return result;
}

/* Finds what the results will need, and refuses what is more than they may. */
static int estimate(run_job *job)
{
    const carom_status status = carom_simulation_estimate_output(job->sim, &job->rows);
    if (status != CAROM_OK)
        return session_error(job->session, status);
    if (job->options->no_results || !(job->rows.most > 0) || job->rows.bytes <= job->rows.most)
        return EXIT_DONE;
    return session_fail(job->session, EXIT_USAGE,
                        "%s: the results would need about %.3g MB, %.0f rows of %zu numbers, and the largest size "
                        "allowed is %.3g MB; name the channels to record by `output: {channels: [...]}`, or give a "
                        "longer `every` or a larger size",
                        job->info.name, 1e-6 * job->rows.bytes, job->rows.rows, job->rows.numbers,
                        1e-6 * job->rows.most);
}

int run_job_prepare(run_job *job)
{
    const run_options *o = job->options;
    job->sink = carom_default_sink();
    job->sink.user = job;
    job->sink.rows = pass_rows;
    job->sink.impact = pass_impact;
    job->sink.event = pass_event;
    job->sink.rest = pass_rest;
    carom_simulation_def def = carom_default_simulation_def();
    const carom_run_def run = run_job_def(job);
    def.run_def = &run;
    def.sink = o->no_results && o->live.count == 0 ? NULL : &job->sink;
    def.progress = on_progress;
    def.progress_user = job;
    def.tolerance = o->tolerance;
    def.integrator = o->integrator;
    def.threads = (int)o->threads;
    int result = run_job_read_records(job);
    if (result != EXIT_DONE)
        return result;
    def.inputs = job->records;
    def.input_count = job->record_count;
    job->session->deaf = true;
    result = run_derivatives_create(job, &def);
    job->session->deaf = false;
    if (result != EXIT_DONE)
        return result;
    const carom_status status = carom_simulation_check(job->sim, &job->check);
    if (status != CAROM_OK)
        return session_error(job->session, status);
    result = o->resume ? resume(job) : EXIT_DONE;
    if (result == EXIT_DONE)
        result = estimate(job);
    if (result == EXIT_DONE)
        result = run_derivatives_prepare(job);
    if (result == EXIT_DONE)
        result = make_stops(job);
    if (result == EXIT_DONE && o->live.count > 0)
        result = open_live(job);
    if (result != EXIT_DONE)
        return result;
    if (!o->no_results)
        job->results = output_path(job, "h5");
    if (!isnan(o->checkpoint))
        job->checkpoint = output_path(job, "ckpt");
    if (o->checkpoint_every && (o->no_results || job->results))
        result = run_unfinished_prepare(job, output_path(job, "unfinished"));
    if (result != EXIT_DONE)
        return result;
    bool missing = (!o->no_results && !job->results) || (!isnan(o->checkpoint) && !job->checkpoint);
    return missing ? memory_error() : EXIT_DONE;
}

/* ---- folder and results ---- */

int make_folder(const char *path, bool *made)
{
    char *part = format_text("%s", path);
    if (!part)
        return memory_error();
    int error = 0;
    for (char *c = part + 1; error == 0; c++) {
        if (*c != '/' && *c != '\0')
            continue;
        char kept = *c;
        *c = '\0';
        *made = mkdir(part, 0777) == 0;
        struct stat info;
        if (!*made && errno != EEXIST)
            error = errno;
        else if (!*made && (stat(part, &info) != 0 || !S_ISDIR(info.st_mode)))
            error = ENOTDIR;
        *c = kept;
        if (kept == '\0')
            break;
    }
    free(part);
    if (error == 0)
        return EXIT_DONE;
    print_error("cannot make the folder '%s': %s; choose another one, or give --no-results", path,
                error == ENOTDIR ? "a file is in the way" : strerror(error));
    return EXIT_IO;
}

/* One line: what the command line and the file ask for; the tolerance of integrators that choose their steps. */
static char *options_line(const run_job *job)
{
    const double step = carom_simulation_step_size(job->sim);
    const double tolerance = job->options->tolerance > 0 ? job->options->tolerance : job->def->tolerance;
    char *line = format_text("integrator %s, %s %.17g, formulation %s", carom_simulation_integrator(job->sim),
                             step > 0 ? "step" : "tolerance", step > 0 ? step : tolerance,
                             carom_simulation_formulation(job->sim));
    for (size_t k = 0; line && k < job->options->set.count; k++) {
        char *longer = format_text("%s, set %s", line, job->options->set.items[k]);
        free(line);
        line = longer;
    }
    return line;
}

static int open_writer(run_job *job, carom_writer **writer)
{
    *writer = NULL;
    if (!job->results)
        return EXIT_DONE;
    char *line = options_line(job);
    if (!line)
        return memory_error();
    carom_writer_def def = {.size = sizeof(carom_writer_def), .path = job->results,
                            .model_name = job->info.name,
                            .title = job->info.title,
                            .model_text = job->spec->text,
                            .options = line,
                            .overrides = job->options->set.items,
                            .override_count = job->options->set.count};
    def.channels = carom_simulation_channels(job->sim, &def.channel_count);
    if (job->derivatives.of) {
        def.channels = job->derivatives.listed;
        def.channel_count = job->derivatives.listed_count;
    }
    for (int group = 0; group < 3; group++)
        def.block_rows[group] = carom_simulation_block_rows(job->sim, group);
    def.most_bytes = job->rows.most;
    carom_status status = run_unfinished_open(job, &def, writer);
    free(line);
    if (status != CAROM_OK)
        return session_error(job->session, status);
    job->target = carom_writer_sink(*writer);
    return EXIT_DONE;
}

/* ---- the run ---- */

static carom_status advance(run_job *job)
{
    double *times = malloc((job->stop_count + 1) * sizeof *times);
    if (!times) {
        job->stop_status = memory_error();
        return CAROM_ERROR_MEMORY;
    }
    for (size_t k = 0; k < job->stop_count; k++)
        times[k] = job->stops[k].time;
    job->session->deaf = true;
    progress_begin(&job->bar, job->options->quiet, carom_simulation_time(job->sim));
    carom_status status = job->stop_count > 0
                              ? carom_simulation_run_sampled(job->sim, job->stop_count, times, on_stop, job)
                              : carom_simulation_run(job->sim);
    job->wall_seconds = progress_end(&job->bar);
    job->session->deaf = false;
    if (!job->options->quiet)
        live_print(&job->live);
    free(times);
    return status;
}

/* Writes warnings, ledger and status, and closes the results. */
static carom_status close_results(const run_job *job, carom_writer *writer, const carom_accuracy *accuracy)
{
    size_t count;
    const char *const *warnings = carom_simulation_warnings(job->sim, &count);
    const carom_ledger ledger = carom_simulation_ledger(job->sim);
    carom_status status = accuracy->accurate ? CAROM_OK : carom_writer_warn(writer, accuracy->text);
    if (status == CAROM_OK && job->full[0])
        status = carom_writer_warn(writer, job->full);
    for (size_t k = 0; k < count && status == CAROM_OK; k++)
        status = carom_writer_warn(writer, warnings[k]);
    size_t rests = 0;
    const carom_rest *rest = NULL;
    if (status == CAROM_OK)
        status = carom_simulation_rests(job->sim, &rest, &rests);
    const carom_sink *sink = carom_writer_sink(writer);
    for (size_t k = 0; k < rests && status == CAROM_OK; k++)
        if (rest[k].ended == 0)
            status = sink->rest(sink->user, &rest[k]);
    char *methods = run_methods_line(job);
    if (methods && status == CAROM_OK)
        status = carom_writer_methods(writer, methods);
    free(methods);
    const carom_status closed = carom_writer_close(writer, &ledger, job->status);
    return status == CAROM_OK ? closed : status;
}

/* What a run that has ended says of itself: its accuracy, its warnings, its results. */
static int end_job(run_job *job, carom_writer *writer, int result)
{
    carom_status status = carom_simulation_accuracy(job->sim, &job->accuracy);
    if (status != CAROM_OK)
        job->accuracy = (carom_accuracy){.accurate = true, .text = ""};
    if (result == EXIT_DONE && !job->accuracy.accurate)
        job->status = STATUS_INACCURATE;
    double last;
    if (writer && carom_writer_full(writer, &last)) {
        snprintf(job->full, sizeof job->full,
                 "the results have come to the largest size allowed, %.4g MB: rows end at t = %.6g s, the run went on "
                 "to its end; name the channels to record, or allow more by --max-size [%s]",
                 1e-6 * job->rows.most, last, carom_warning_code_of("full"));
        session_warn(job->session, job->full);
    }
    if (writer) {
        const carom_status closed = close_results(job, writer, &job->accuracy);
        status = status == CAROM_OK ? closed : status;
    }
    if (status != CAROM_OK && result == EXIT_DONE)
        result = session_error(job->session, status);
    session_warn_of(job->session, job->accuracy.text, job->sim);
    return result;
}

const carom_state *run_job_start(run_job *job)
{
    run_job *before = job->before;
    if (!carom_run_follows(job->def) || !before)
        return NULL;
    if (before->analysis)
        return carom_analysis_state(before->analysis);
    carom_status status = before->end ? CAROM_OK : carom_state_create(job->session->ctx, job->model, &before->end);
    if (status == CAROM_OK)
        status = carom_simulation_get_state(before->sim, before->end);
    if (status == CAROM_OK)
        return before->end;
    session_error(job->session, status);
    return NULL;
}

/* Where the job before it ended, if the run says so. */
static int begin_there(run_job *job)
{
    if (!carom_run_follows(job->def))
        return EXIT_DONE;
    const carom_state *state = run_job_start(job);
    if (!state)
        return EXIT_SOLVER;
    const carom_status status = carom_simulation_set_state(job->sim, state, NULL, NULL);
    return status == CAROM_OK ? EXIT_DONE : session_error(job->session, status);
}

int run_job_execute(run_job *job)
{
    carom_writer *writer;
    int result = begin_there(job);
    if (result == EXIT_DONE)
        result = open_writer(job, &writer);
    if (result != EXIT_DONE)
        return result;
    result = run_unfinished_begin(job);
    if (result != EXIT_DONE) {
        carom_writer_close(writer, NULL, "failed");
        return result;
    }
    if (!job->options->json && !job->options->quiet)
        run_print_header(job);
    job->outcome = advance(job);
    if (job->stop_status != EXIT_DONE) {
        job->status = "failed";
        result = job->stop_status;
    } else if (job->outcome == CAROM_INTERRUPTED) {
        job->status = "interrupted";
        result = caught_signal() ? EXIT_SIGNAL + caught_signal() : EXIT_SOLVER;
    } else if (job->outcome != CAROM_OK) {
        job->status = "failed";
        result = session_error(job->session, job->outcome);
    } else {
        job->status = "completed";
    }
    job->target = NULL;
    result = end_job(job, writer, result);
    run_unfinished_end(job, job->outcome == CAROM_OK || job->outcome == CAROM_ERROR_SOLVER);
    const int written = result == EXIT_IO ? result : run_derivatives_write(job);
    return result == EXIT_DONE ? written : result;
}

int run_job_draw(run_job *job, carom_status (*draw)(void *user, carom_simulation *sim), void *user)
{
    carom_writer *writer;
    int result = open_writer(job, &writer);
    if (result != EXIT_DONE || !writer)
        return result;
    carom_status status = draw(user, job->sim);
    job->status = status == CAROM_OK ? "completed" : "failed";
    const carom_accuracy none = {.accurate = true, .text = ""};
    const carom_status closed = close_results(job, writer, &none);
    job->target = NULL;
    status = status == CAROM_OK ? closed : status;
    return status == CAROM_OK ? EXIT_DONE : session_error(job->session, status);
}

int run_job_report(run_job *job)
{
    if (!job->results || !job->status || job->options->no_report)
        return EXIT_DONE;
    char *path = output_path(job, "html");
    measured data = job->options->measured;
    data.points = NULL;
    /* what is wrong with the data is said, and the page shows the run */
    const int code = measured_place(job->session, &data, job->results);
    if (code != EXIT_DONE)
        measured_free(&data);
    const report_request r = {
        .results = (const char *const[]){job->results}, .count = 1, .output = path, .measured = &data};
    carom_status status = path ? write_report(job->session, &r) : CAROM_ERROR_MEMORY;
    measured_free(&data);
    if (status == CAROM_OK) {
        job->report = path;
        return code;
    }
    free(path);
    char *text = format_text("no report: %s [%s]", carom_context_error(job->session->ctx),
                             carom_warning_code_of("no-report"));
    if (text)
        session_warn(job->session, text);
    free(text);
    return code;
}

/* ---- a job ---- */

run_job run_job_of(session *s, const run_options *o, const carom_document *document, const carom_model *model,
                   size_t index)
{
    return (run_job){.session = s,
                     .options = o,
                     .document = document,
                     .spec = carom_document_spec(document),
                     .model = model,
                     .info = carom_model_get_info(model),
                     .index = index,
                     .def = carom_model_get_run(model, index)};
}

void run_job_free(run_job *job)
{
    if (!job->derivatives.of)
        carom_simulation_free(job->sim);
    run_derivatives_free(&job->derivatives);
    carom_analysis_free(job->analysis);
    carom_state_free(job->end);
    for (size_t k = 0; k < job->stop_count; k++)
        free(job->stops[k].bodies);
    free(job->stops);
    for (size_t k = 0; k < job->record_count; k++) {
        if (job->session)
            carom_record_free(job->session->ctx, &job->records[k]);
        free((void *)job->records[k].name);
    }
    free(job->records);
    live_free(&job->live);
    run_unfinished_free(&job->unfinished);
    free(job->results);
    free(job->checkpoint);
    free(job->report);
    *job = (run_job){.session = NULL};
}
