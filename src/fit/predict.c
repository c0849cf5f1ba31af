/* Predictions of all records at many points: tasks of one run each, that workers share. */
#include "fit/fit.h"

#include <math.h>
#include <stdio.h>

/* ---- workers ---- */

static void free_worker(const carom_fit *f, carom_fit_worker *w)
{
    for (size_t k = 0; w->runners && k < f->record_count; k++)
        carom_study_runner_free(w->runners[k]);
    if (w->own)
        carom_context_free(w->ctx);
}

static size_t most_rows(const carom_fit *f)
{
    size_t most = 1;
    for (size_t k = 0; k < f->record_count; k++)
        most = f->records[k].rows > most ? f->records[k].rows : most;
    return most;
}

static carom_status make_worker(carom_fit_work *w, carom_fit_worker *worker)
{
    const carom_fit *f = w->fit;
    size_t most = most_rows(f), responses = 1;
    for (size_t k = 0; k < f->record_count; k++)
        responses = f->records[k].response_count > responses ? f->records[k].response_count : responses;
    worker->own = w->worker_count > 1;
    worker->ctx = w->ctx;
    if (worker->own && carom_context_create(NULL, &worker->ctx) != CAROM_OK) {
        worker->own = false;
        return carom_fail_memory(w->ctx);
    }
    worker->runners = carom_arena_alloc(&w->arena, f->record_count, sizeof *worker->runners);
    worker->point = carom_arena_alloc(&w->arena, CAROM_STUDY_PARAMETERS + 1, sizeof *worker->point);
    worker->curve = carom_arena_alloc(&w->arena, most * (responses + 1), sizeof *worker->curve);
    worker->times = carom_arena_alloc(&w->arena, most, sizeof *worker->times);
    return worker->runners && worker->point && worker->curve && worker->times ? CAROM_OK : carom_fail_memory(w->ctx);
}

carom_status carom_fit_work_create(carom_context *ctx, const carom_fit *f, const carom_fit_options *options,
                                   carom_fit_work *out)
{
    *out = (carom_fit_work){.ctx = ctx, .fit = f, .options = options, .doing = ""};
    carom_arena_init(&out->arena, ctx);
    const size_t count = options->perform && options->workers > 1 ? options->workers : 1;
    out->workers = carom_arena_alloc(&out->arena, count, sizeof *out->workers);
    out->use = carom_arena_alloc(&out->arena, f->runs + 1, sizeof *out->use);
    out->sigma = carom_arena_alloc(&out->arena, f->data + 1, sizeof *out->sigma);
    out->so_far = carom_arena_alloc(&out->arena, f->unknown_count + 1, sizeof *out->so_far);
    out->so_far_misfit = HUGE_VAL;
    carom_status status = out->workers && out->use && out->sigma && out->so_far ? CAROM_OK : carom_fail_memory(ctx);
    out->worker_count = count;
    for (size_t k = 0; k < count && status == CAROM_OK; k++)
        status = make_worker(out, &out->workers[k]);
    for (size_t k = 0; status == CAROM_OK && k < f->runs; k++)
        out->use[k] = true;
    for (size_t k = 0; status == CAROM_OK && k < f->response_count; k++)
        memcpy(out->sigma + f->responses[k].first, f->responses[k].sigma, f->responses[k].count * sizeof(double));
    if (status != CAROM_OK)
        carom_fit_work_free(out);
    return status;
}

void carom_fit_work_free(carom_fit_work *w)
{
    for (size_t k = 0; w->workers && k < w->worker_count; k++)
        free_worker(w->fit, &w->workers[k]);
    w->workers = NULL;
    carom_arena_free(&w->arena);
}

/* ---- a run of a model ---- */

void carom_fit_point(const carom_fit_work *w, const carom_record *r, size_t run, const double *values, double *point)
{
    for (size_t k = 0; k < r->study->side_count; k++)
        point[k] = r->sources[k].from == CAROM_FROM_UNKNOWN ? values[r->sources[k].index]
                   : r->sources[k].from == CAROM_FROM_EACH  ? r->each[r->sources[k].index].values[run]
                                                            : (double)w->law;
}

/* Puts what the run left into the places of its data; false: a number is missing. */
static bool take_numbers(const carom_fit *f, const carom_record *r, size_t run, const double *numbers, double *out)
{
    bool good = true;
    for (size_t k = 0; k < r->response_count; k++) {
        const carom_response *q = &f->responses[r->response + k];
        for (size_t i = 0; i < q->count; i++)
            if (r->runs == 1 || q->rows[i] == run) {
                out[q->first + i] = numbers[k];
                good = good && isfinite(numbers[k]);
            }
    }
    return good;
}

static bool take_curves(const carom_fit *f, const carom_record *r, const double *curves, double *out)
{
    bool good = true;
    for (size_t k = 0; k < r->response_count; k++) {
        const carom_response *q = &f->responses[r->response + k];
        for (size_t i = 0; i < q->count; i++) {
            out[q->first + i] = curves[k * r->rows + q->rows[i]];
            good = good && isfinite(out[q->first + i]);
        }
    }
    return good;
}

bool carom_fit_goes_on(void *user)
{
    const carom_fit_work *w = user;
    return !w->options->go_on || w->options->go_on(w->options->user);
}

carom_study_runner *carom_fit_runner(const carom_fit *f, carom_fit_worker *worker, size_t record)
{
    carom_study_runner **runner = &worker->runners[record];
    if (!*runner)
        worker->status = carom_study_runner_create(worker->ctx, f->records[record].study, runner);
    return worker->status == CAROM_OK ? *runner : NULL;
}

carom_study_probe carom_fit_probe(const carom_record *r, carom_fit_worker *worker, const double *values)
{
    carom_study_probe probe = {
        .count = r->kind == CAROM_RECORD_TIME ? r->rows : 0, .times = worker->times, .values = worker->curve};
    for (size_t k = 0; k < probe.count; k++)
        worker->times[k] = r->x[k] - (r->shift == CAROM_FIT_NONE ? 0 : values[r->shift]);
    if (r->along) {
        probe.depths = r->x;
        probe.depth = r->response_count;
    }
    return probe;
}

/* False, with the reason in the worker: there is no prediction. */
static bool run_model(carom_fit_work *w, carom_fit_worker *worker, size_t record, size_t run, const double *values,
                      double *out, char *why)
{
    const carom_fit *f = w->fit;
    const carom_record *r = &f->records[record];
    carom_study_runner *runner = carom_fit_runner(f, worker, record);
    if (!runner)
        return false;
    carom_fit_point(w, r, run, values, worker->point);
    const carom_study_probe probe = carom_fit_probe(r, worker, values);
    carom_study_outcome outcome;
    const carom_status status = carom_study_run_at(runner, worker->point, &probe, carom_fit_goes_on, w, &outcome);
    worker->status = status;
    if (status != CAROM_OK)
        return false;
    const bool ran = strncmp(outcome.status, "completed", 9) == 0;
    const bool good =
        ran && (probe.count ? take_curves(f, r, worker->curve, out) : take_numbers(f, r, run, outcome.quantities, out));
    if (!good)
        snprintf(why, 256, "%.20s: %.200s", outcome.status, outcome.message);
    return good;
}

/* ---- tasks ---- */

typedef struct task_list {
    carom_fit_work *w;
    const carom_fit_points *points;
    size_t *point, *run; /* of each task */
    size_t count;
} task_list;

static size_t record_of(const carom_fit *f, size_t run)
{
    size_t k = 0;
    while (k + 1 < f->record_count && f->records[k + 1].first_run <= run)
        k++;
    return k;
}

/* Adds the offsets of the run's record. */
static void add_offsets(const carom_fit *f, const carom_record *r, size_t run, const double *values, double *out)
{
    for (size_t k = r->response; k < r->response + r->response_count; k++) {
        const carom_response *q = &f->responses[k];
        for (size_t i = 0; q->offset != CAROM_FIT_NONE && i < q->count; i++)
            if (r->runs == 1 || q->rows[i] == run)
                out[q->first + i] += values[q->offset];
    }
}

/* Which run failed: that of a row by its line in the record's file. */
static void tell_run(const carom_record *r, size_t run, const char *why, char *text, size_t size)
{
    if (r->kind == CAROM_RECORD_ROWS)
        snprintf(text, size, "%.100s, %s %d: %.230s", r->name, r->table.lines ? "line" : "row",
                 r->table.lines ? r->table.lines[run] : (int)run + 1, why);
    else
        snprintf(text, size, "%.100s: %.255s", r->name, why);
}

static void perform_task(void *job, size_t index, size_t k)
{
    task_list *t = job;
    carom_fit_work *w = t->w;
    const carom_fit *f = w->fit;
    carom_fit_worker *worker = &w->workers[index];
    const size_t point = t->point[k], record = record_of(f, t->run[k]);
    const size_t run = t->run[k] - f->records[record].first_run;
    const double *values = t->points->values + point * f->unknown_count;
    double *out = t->points->out + point * f->data;
    char why[256] = "";
    if (worker->status != CAROM_OK)
        return;
    bool good;
    if (f->of_law) {
        const carom_status status = carom_fit_run_law(worker->ctx, f, w->law, record, run, values, out, why);
        worker->status = status == CAROM_ERROR_MEMORY ? status : CAROM_OK;
        good = status == CAROM_OK;
    } else {
        good = run_model(w, worker, record, run, values, out, why);
    }
    if (good)
        add_offsets(f, &f->records[record], run, values, out);
    if (!good && k < worker->failed) {
        worker->failed = k;
        tell_run(&f->records[record], run, why, worker->why, sizeof worker->why);
    }
    /* a number that a failed run has not left: its point is bad */
    if (!good)
        for (size_t i = 0; i < f->data; i++)
            if (f->datum_run[i] == t->run[k])
                out[i] = NAN;
}

/* Lists the runs of each point that count and are not those of its base. */
static carom_status list_tasks(carom_fit_work *w, const carom_fit_points *p, task_list *out)
{
    const carom_fit *f = w->fit;
    *out = (task_list){.w = w, .points = p};
    out->point = carom_allocate(w->ctx, p->count * f->runs + 1, sizeof *out->point);
    out->run = carom_allocate(w->ctx, p->count * f->runs + 1, sizeof *out->run);
    if (!out->point || !out->run)
        return carom_fail_memory(w->ctx);
    for (size_t k = 0; k < p->count; k++) {
        const size_t only = p->record ? p->record[k] : CAROM_FIT_NONE;
        if (only != CAROM_FIT_NONE)
            memcpy(p->out + k * f->data, p->base, f->data * sizeof *p->out);
        for (size_t i = 0; i < f->record_count; i++)
            for (size_t run = 0; run < f->records[i].runs && (only == CAROM_FIT_NONE || only == i); run++)
                if (w->use[f->records[i].first_run + run]) {
                    out->point[out->count] = k;
                    out->run[out->count++] = f->records[i].first_run + run;
                }
    }
    return CAROM_OK;
}

static carom_status interrupted(carom_fit_work *w)
{
    return carom_fail(w->ctx, CAROM_INTERRUPTED, NULL, "the fit was interrupted");
}

carom_status carom_fit_gathered(carom_fit_work *w)
{
    for (size_t k = 0; k < w->worker_count; k++) {
        if (w->workers[k].status == CAROM_INTERRUPTED)
            return interrupted(w);
        if (w->workers[k].status != CAROM_OK)
            return carom_fail_memory(w->ctx);
    }
    return carom_fit_goes_on(w) ? CAROM_OK : interrupted(w);
}

static carom_status gather(carom_fit_work *w, const carom_fit_points *p)
{
    const carom_fit *f = w->fit;
    size_t first = CAROM_FIT_NONE;
    CAROM_TRY(carom_fit_gathered(w));
    for (size_t k = 0; k < w->worker_count; k++) {
        const carom_fit_worker *worker = &w->workers[k];
        if (worker->failed < first) {
            first = worker->failed;
            snprintf(w->why, sizeof w->why, "%s", worker->why);
        }
    }
    for (size_t k = 0; k < p->count; k++) {
        p->good[k] = true;
        for (size_t i = 0; i < f->data; i++)
            if (w->use[f->datum_run[i]] && !isfinite(p->out[k * f->data + i]))
                p->good[k] = false;
    }
    return CAROM_OK;
}

carom_status carom_fit_predict(carom_fit_work *w, const carom_fit_points *p)
{
    task_list t;
    carom_status status = list_tasks(w, p, &t);
    for (size_t k = 0; k < w->worker_count; k++)
        w->workers[k].failed = CAROM_FIT_NONE;
    if (status == CAROM_OK && w->worker_count > 1)
        w->options->perform(w->options->user, t.count, perform_task, &t);
    else if (status == CAROM_OK)
        for (size_t k = 0; k < t.count; k++)
            perform_task(&t, 0, k);
    carom_release(w->ctx, t.point, p->count * w->fit->runs + 1, sizeof *t.point);
    carom_release(w->ctx, t.run, p->count * w->fit->runs + 1, sizeof *t.run);
    if (status != CAROM_OK)
        return status;
    w->predictions += p->count;
    if (!carom_fit_goes_on(w))
        return interrupted(w);
    if (w->options->progress)
        w->options->progress(w->options->user, w->doing, w->predictions, w->misfit);
    return gather(w, p);
}
