/* `carom run`: checks a model, runs its analyses in order, keeps results. */
#include "run.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- signals ---- */

static volatile sig_atomic_t caught_signal;

static void catch_signal(int number) { caught_signal = number; }

/* The first Ctrl-C ends the run, a second one the program. */
static void watch_signals(void)
{
    struct sigaction action = {.sa_handler = catch_signal, .sa_flags = (int)SA_RESETHAND};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

/* ---- what the simulation calls ---- */

static carom_status pass_rows(void *user, int group, size_t rows, const double *time, const double *data)
{
    const carom_sink *target = ((run_job *)user)->target;
    return target && target->rows ? target->rows(target->user, group, rows, time, data) : CAROM_OK;
}

static carom_status pass_impact(void *user, const carom_impact *impact)
{
    const carom_sink *target = ((run_job *)user)->target;
    return target && target->impact ? target->impact(target->user, impact) : CAROM_OK;
}

static bool on_progress(void *user, const carom_progress *progress)
{
    run_job *job = user;
    progress_update(&job->bar, progress);
    return caught_signal == 0 && job->stop_status == EXIT_DONE;
}

static int write_file(const char *path, const unsigned char *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    bool written = file && fwrite(bytes, 1, size, file) == size;
    int error = errno;
    if (file && fclose(file) != 0) {
        error = errno;
        written = false;
    }
    if (written)
        return EXIT_DONE;
    if (file)
        remove(path);
    print_error("cannot write the checkpoint '%s': %s", path, strerror(error));
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
    carom_bytes_release(job->session->ctx, bytes, size);
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

/* Sorts the times of --at and --checkpoint and merges equal ones. */
static int make_stops(run_job *job)
{
    const run_options *o = job->options;
    double begin = carom_simulation_time(job->sim), until = job->def->until;
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
        if (job->stops[k].time < begin || job->stops[k].time > until)
            return usage_error("run", "--%s %.10g is not in the run, which goes from %.10g s to %.10g s", name,
                               job->stops[k].time, begin, until);
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

static int read_file(const char *path, unsigned char **bytes, size_t *size)
{
    FILE *file = fopen(path, "rb");
    size_t length = 0, capacity = 0;
    unsigned char *data = NULL;
    while (file && !feof(file) && !ferror(file)) {
        if (length == capacity) {
            unsigned char *more = realloc(data, capacity = capacity ? 2 * capacity : 65536);
            if (!more) {
                free(data);
                fclose(file);
                return memory_error();
            }
            data = more;
        }
        length += fread(data + length, 1, capacity - length, file);
    }
    if (!file || ferror(file)) {
        print_error("cannot read the checkpoint '%s': %s", path, strerror(errno));
        free(data);
        if (file)
            fclose(file);
        return EXIT_IO;
    }
    fclose(file);
    *bytes = data;
    *size = length;
    return EXIT_DONE;
}

static int resume(run_job *job)
{
    unsigned char *bytes = NULL;
    size_t size = 0;
    int result = read_file(job->options->resume, &bytes, &size);
    if (result != EXIT_DONE)
        return result;
    carom_status status = carom_simulation_resume(job->sim, bytes, size);
    free(bytes);
    return status == CAROM_OK ? EXIT_DONE : session_error(job->session, status);
}

/* DIR/MODEL.ENDING, with the number of the analysis if there are several; NULL when out of memory. */
static char *output_path(const run_job *job, size_t index, const char *ending)
{
    const char *output = job->options->output;
    size_t length = strlen(output);
    const char *slash = output[length - 1] == '/' ? "" : "/";
    if (job->info.runs > 1)
        return format_text("%s%s%s-%zu.%s", output, slash, job->info.name, index + 1, ending);
    return format_text("%s%s%s.%s", output, slash, job->info.name, ending);
}

/* Creates the simulation of an analysis and all that can fail before anything is written. */
static int prepare(run_job *job, size_t index)
{
    const run_options *o = job->options;
    job->sink = (carom_sink){.user = job, .rows = pass_rows, .impact = pass_impact};
    carom_simulation_def def = carom_default_simulation_def();
    def.run = index;
    def.sink = o->no_results ? NULL : &job->sink;
    def.progress = on_progress;
    def.progress_user = job;
    def.tolerance = o->tolerance;
    def.integrator = o->integrator;
    carom_status status = carom_simulation_create(job->session->ctx, job->model, &def, &job->sim);
    if (status != CAROM_OK)
        return session_error(job->session, status);
    carom_check check;
    status = carom_simulation_check(job->sim, &check);
    if (status != CAROM_OK)
        return session_error(job->session, status);
    job->mobility = check.mobility;
    int result = o->resume ? resume(job) : EXIT_DONE;
    if (result == EXIT_DONE)
        result = make_stops(job);
    if (result != EXIT_DONE)
        return result;
    if (!o->no_results)
        job->results = output_path(job, index, "h5");
    if (!isnan(o->checkpoint))
        job->checkpoint = output_path(job, index, "ckpt");
    bool missing = (!o->no_results && !job->results) || (!isnan(o->checkpoint) && !job->checkpoint);
    return missing ? memory_error() : EXIT_DONE;
}

/* ---- folder and results ---- */

/* Makes a folder and those above it; *made tells whether the last one is new. */
static int make_folder(const char *path, bool *made)
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
    print_error("cannot make the folder '%s': %s", path, strerror(error));
    return EXIT_IO;
}

/* One line: what the command line and the file ask for. */
static char *options_line(const run_job *job)
{
    double tolerance = job->options->tolerance > 0 ? job->options->tolerance : job->def->tolerance;
    char *line = format_text("integrator %s, tolerance %.17g, formulation %s", carom_simulation_integrator(job->sim),
                             tolerance, carom_simulation_formulation(job->sim));
    if (line && job->def->step > 0) {
        char *longer = format_text("%s, step %.17g", line, job->def->step);
        free(line);
        line = longer;
    }
    for (size_t k = 0; line && k < job->options->set.count; k++) {
        char *longer = format_text("%s, set %s", line, job->options->set.items[k]);
        free(line);
        line = longer;
    }
    return line;
}

static int open_writer(run_job *job, const carom_spec *spec, carom_writer **writer)
{
    *writer = NULL;
    if (!job->results)
        return EXIT_DONE;
    char *line = options_line(job);
    if (!line)
        return memory_error();
    carom_writer_def def = {.path = job->results,
                            .model_name = job->info.name,
                            .title = job->info.title,
                            .model_text = spec->text,
                            .options = line};
    def.channels = carom_simulation_channels(job->sim, &def.channel_count);
    carom_status status = carom_writer_create(job->session->ctx, &def, writer);
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
    progress_begin(&job->bar, job->options->quiet, carom_simulation_time(job->sim));
    carom_status status = job->stop_count > 0
                              ? carom_simulation_run_sampled(job->sim, job->stop_count, times, on_stop, job)
                              : carom_simulation_run(job->sim);
    job->wall_seconds = progress_end(&job->bar);
    free(times);
    return status;
}

/* Runs a prepared analysis to its end and closes its results; prints errors, not the outcome. */
static int execute(run_job *job, const carom_spec *spec)
{
    carom_writer *writer;
    int result = open_writer(job, spec, &writer);
    if (result != EXIT_DONE)
        return result;
    if (!job->options->json && !job->options->quiet)
        run_print_header(job);
    job->outcome = advance(job);
    if (job->stop_status != EXIT_DONE) {
        job->status = "failed";
        result = job->stop_status;
    } else if (job->outcome == CAROM_INTERRUPTED) {
        job->status = "interrupted";
        result = caught_signal ? EXIT_SIGNAL + (int)caught_signal : EXIT_SOLVER;
    } else if (job->outcome != CAROM_OK) {
        job->status = "failed";
        result = session_error(job->session, job->outcome);
    } else {
        job->status = "completed";
    }
    job->target = NULL;
    if (writer) {
        carom_ledger ledger = carom_simulation_ledger(job->sim);
        carom_status status = carom_writer_close(writer, &ledger, job->status);
        if (status != CAROM_OK && result == EXIT_DONE)
            result = session_error(job->session, status);
    }
    size_t count;
    const char *const *warnings = carom_simulation_warnings(job->sim, &count);
    for (size_t k = 0; k < count; k++)
        session_warn(job->session, warnings[k]);
    return result;
}

/* Prints what became of an analysis. */
static void print_outcome(const run_job *job, json_writer *json)
{
    if (job->options->json)
        run_print_json(job, json);
    else if (!job->options->quiet)
        run_print_text(job);
}

static int execute_all(run_job *jobs, size_t count, const carom_spec *spec)
{
    const run_options *o = jobs[0].options;
    bool folder = !o->no_results || !isnan(o->checkpoint), made = false;
    int result = folder ? make_folder(o->output, &made) : EXIT_DONE;
    if (result != EXIT_DONE)
        return result;
    watch_signals();
    json_writer json = {.file = stdout};
    if (o->json && count > 1)
        json_begin_array(&json, NULL);
    for (size_t k = 0; k < count && result == EXIT_DONE; k++) {
        session *s = jobs[k].session;
        size_t common = s->warning_count;
        if (k > 0 && !o->json && !o->quiet)
            printf("\n");
        result = execute(&jobs[k], spec);
        if (jobs[k].status)
            print_outcome(&jobs[k], &json);
        while (s->warning_count > common)
            free(s->warnings[--s->warning_count]);
    }
    if (o->json && count > 1)
        json_end_array(&json);
    /* without any result there is no reason for the folder; rmdir leaves one that holds something */
    if (made && result != EXIT_DONE)
        rmdir(o->output);
    return result;
}

static void free_jobs(run_job *jobs, size_t count)
{
    for (size_t k = 0; jobs && k < count; k++) {
        carom_simulation_free(jobs[k].sim);
        for (size_t j = 0; j < jobs[k].stop_count; j++)
            free(jobs[k].stops[j].bodies);
        free(jobs[k].stops);
        free(jobs[k].results);
        free(jobs[k].checkpoint);
    }
    free(jobs);
}

static int run_model(session *s, const run_options *o, const carom_spec *spec, const carom_model *model)
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
        jobs[k].session = s;
        jobs[k].options = o;
        jobs[k].model = model;
        jobs[k].info = info;
        jobs[k].def = &spec->runs[k];
        result = prepare(&jobs[k], k);
    }
    if (result == EXIT_DONE && info.runs > 0)
        result = execute_all(jobs, info.runs, spec);
    free_jobs(jobs, info.runs);
    return result;
}

/* Compiles the document, with the formulation of the command line. */
static int run_document(session *s, const run_options *o, const carom_document *document)
{
    carom_spec spec = *carom_document_spec(document);
    carom_run_def *runs = malloc((spec.run_count + 1) * sizeof *runs);
    if (!runs)
        return memory_error();
    for (size_t k = 0; k < spec.run_count; k++) {
        runs[k] = spec.runs[k];
        if (o->formulation)
            runs[k].formulation = o->formulation;
    }
    spec.runs = runs;
    carom_model *model = NULL;
    carom_status status = carom_model_compile(s->ctx, &spec, &model);
    int result = status == CAROM_OK ? run_model(s, o, &spec, model) : session_error(s, status);
    carom_model_free(model);
    free(runs);
    return result;
}

/* ---- command line ---- */

/* What is wrong on the command line is the user's fault, not the model's. */
static int check_options(const run_options *o)
{
    static const char *const formulations[] = {"cartesian"};
    if (o->at.count > 0 && !o->json)
        return usage_error("run", "--at takes effect with --json only");
    if (o->formulation && strcmp(o->formulation, formulations[0]) != 0)
        return usage_error("run", "unknown formulation '%s'; the only one is '%s'", o->formulation, formulations[0]);
    if (o->integrator && !carom_explain_title("integrator", o->integrator)) {
        size_t count;
        const char *const *names = carom_explain_names("integrator", &count);
        const char *nearest = nearest_name(o->integrator, names, count);
        if (nearest)
            return usage_error("run", "unknown integrator '%s'; did you mean '%s'?", o->integrator, nearest);
        return usage_error("run", "unknown integrator '%s'; `carom list integrators` names them", o->integrator);
    }
    return EXIT_DONE;
}

static int run(const run_options *o)
{
    int result = check_options(o);
    if (result != EXIT_DONE)
        return result;
    session s;
    result = session_open(&s);
    if (result != EXIT_DONE)
        return result;
    carom_document *document = NULL;
    carom_status status = carom_document_read(s.ctx, o->model, o->set.items, o->set.count, &document);
    result = status == CAROM_OK ? run_document(&s, o, document) : session_error(&s, status);
    carom_document_free(document);
    session_close(&s);
    return result;
}

int command_run(int argc, char **argv)
{
    run_options o = {.output = "carom-out", .checkpoint = NAN};
    const option options[] = {
        {"set", 0, OPTION_TEXTS, &o.set, "NAME=VALUE", "replace the value of a parameter; may be repeated"},
        {"output", 'o', OPTION_TEXT, &o.output, "DIR", "folder of the results (default carom-out)"},
        {"integrator", 0, OPTION_TEXT, &o.integrator, "NAME",
         "integrator instead of the file's; see `carom list integrators`"},
        {"tolerance", 0, OPTION_POSITIVE, &o.tolerance, "X", "relative tolerance instead of the file's"},
        {"formulation", 0, OPTION_TEXT, &o.formulation, "NAME", "formulation instead of the file's: cartesian"},
        {"at", 0, OPTION_NUMBERS, &o.at, "T1,T2,...", "times [s] at which --json gives the state of all bodies"},
        {"json", 0, OPTION_FLAG, &o.json, NULL, "print one JSON object instead of tables"},
        {"all", 0, OPTION_FLAG, &o.all, NULL, "print all rows of long tables"},
        {"no-results", 0, OPTION_FLAG, &o.no_results, NULL, "write no result file"},
        {"checkpoint", 0, OPTION_NUMBER, &o.checkpoint, "T", "write DIR/MODEL.ckpt at time T [s] and go on"},
        {"resume", 0, OPTION_TEXT, &o.resume, "FILE", "begin where the checkpoint FILE was written"},
        {"quiet", 'q', OPTION_FLAG, &o.quiet, NULL, "no progress bar and no tables"},
    };
    const command_def def = {
        .name = "run",
        .arguments = "MODEL",
        .text = "Runs the analyses of a model file in their order. Prints the impacts, the contacts that are still\n"
                "open, the energy ledger, the largest violation of the constraints and the warnings, and writes all\n"
                "channels to DIR/MODEL.h5 (of several analyses DIR/MODEL-1.h5, ...). The folder is made when the\n"
                "model has passed its check. Ctrl-C ends the run with readable results and exit status 130.",
        .example = "  carom run models/slider_crank_block.yaml --set law=hertz --tolerance 1e-9 -o out",
        .options = options,
        .option_count = COUNT(options),
        .least = 1,
        .most = 1};
    text_list arguments = {0};
    int result = options_parse(&def, argc, argv, &arguments);
    if (result == OPTIONS_GO) {
        o.model = arguments.items[0];
        result = run(&o);
    }
    options_free(&def, &arguments);
    return result;
}
