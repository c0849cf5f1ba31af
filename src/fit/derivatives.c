/* Derivatives of the predictions by the runs themselves: one run with derivatives takes the place of two runs for each
   unknown. Which unknowns have them is asked of the models once; a run in which they end falls back on differences. */
#include "fit/fit.h"

#include <math.h>
#include <stdio.h>

/* Unknowns of a task: each makes the run once more, and more of them leave workers idle where there are few runs. */
#define TOGETHER 4

/* ---- which there are ---- */

static bool is_of(const carom_unknown *u, size_t record) { return u->record == CAROM_FIT_NONE || u->record == record; }

/* Side of a record's study that an unknown is; CAROM_FIT_NONE: it is none. */
static size_t side_of(const carom_record *r, size_t unknown)
{
    for (size_t k = 0; k < r->study->side_count; k++)
        if (r->sources[k].from == CAROM_FROM_UNKNOWN && r->sources[k].index == unknown)
            return k;
    return CAROM_FIT_NONE;
}

/* Asks the models of all records, with worker 0. */
static carom_status find_out(carom_fit_work *w, const double *values)
{
    const carom_fit *f = w->fit;
    carom_fit_derivatives *d = &w->derivatives;
    carom_fit_worker *worker = &w->workers[0];
    d->known = true;
    d->law = w->law;
    for (size_t k = 0; k < f->unknown_count; k++) {
        const carom_unknown *u = &f->unknowns[k];
        d->why[k][0] = '\0';
        if (f->of_law || !f->model)
            snprintf(d->why[k], sizeof d->why[k], "%s", f->of_law ? "a law alone makes no run" : "there is no model");
        for (size_t i = 0; i < f->record_count && u->kind != CAROM_UNKNOWN_OFFSET && !d->why[k][0]; i++) {
            const carom_record *r = &f->records[i];
            carom_study_runner *runner = is_of(u, i) ? carom_fit_runner(f, worker, i) : NULL;
            const size_t side = u->kind == CAROM_UNKNOWN_VALUE ? side_of(r, k) : 0;
            if (!is_of(u, i) || side == CAROM_FIT_NONE || worker->status != CAROM_OK)
                continue;
            carom_fit_point(w, r, 0, values, worker->point);
            worker->status = carom_study_slopes_check(runner, worker->point, side, d->why[k]);
        }
        d->exact[k] = !d->why[k][0];
    }
    return carom_fit_gathered(w);
}

/* ---- runs ---- */

typedef struct task {
    size_t record, run, count;
    size_t columns[TOGETHER];   /* among the free unknowns */
    bool failed[TOGETHER];
    char why[160];
} task;

typedef struct jacobian {
    carom_fit_work *w;
    const double *values;
    const size_t *free;
    double *out;
    task *tasks;
    size_t count;
} jacobian;

/* Puts a column of derivatives of a run into its place; `numbers` of its items, or their curves. False: one is
   missing. */
static bool put(const jacobian *j, const task *t, size_t column, const double *numbers, double factor)
{
    const carom_fit *f = j->w->fit;
    const carom_record *r = &f->records[t->record];
    double *out = j->out + column * f->data;
    bool good = true;
    for (size_t k = 0; k < r->response_count; k++) {
        const carom_response *q = &f->responses[r->response + k];
        for (size_t i = 0; i < q->count; i++) {
            if (r->runs > 1 && q->rows[i] != t->run)
                continue;
            const double value = r->kind == CAROM_RECORD_TIME ? numbers[k * r->rows + q->rows[i]] : numbers[k];
            out[q->first + i] = factor * value;
            good = good && isfinite(value);
        }
    }
    return good;
}

/* Room of a task's derivatives. */
static bool take_room(const carom_record *r, carom_context *ctx, carom_study_slopes *s, size_t *numbers,
                      size_t *values)
{
    *numbers = TOGETHER * r->study->item_count;
    *values = r->kind == CAROM_RECORD_TIME ? r->study->item_count * r->rows : 0;
    s->quantities = carom_allocate(ctx, *numbers + 1, sizeof(double));
    s->curves = carom_allocate(ctx, TOGETHER * *values + 1, sizeof(double));
    s->later = carom_allocate(ctx, *values + 1, sizeof(double));
    return s->quantities && s->curves && s->later;
}

static void release_room(carom_context *ctx, const carom_study_slopes *s, size_t numbers, size_t values)
{
    carom_release(ctx, s->quantities, numbers + 1, sizeof(double));
    carom_release(ctx, s->curves, TOGETHER * values + 1, sizeof(double));
    carom_release(ctx, s->later, values + 1, sizeof(double));
}

/* The run of a task, and what it gives each column. */
static carom_status run_task(const jacobian *j, carom_fit_worker *worker, task *t, carom_study_runner *runner,
                             carom_study_slopes *slopes)
{
    const carom_fit_work *w = j->w;
    const carom_fit *f = w->fit;
    const carom_record *r = &f->records[t->record];
    const bool of_time = r->kind == CAROM_RECORD_TIME;
    size_t sides[TOGETHER], count = 0;
    const carom_study_probe probe = carom_fit_probe(r, worker, j->values);
    carom_study_outcome outcome;
    for (size_t k = 0; k < t->count; k++)
        if (f->unknowns[j->free[t->columns[k]]].kind == CAROM_UNKNOWN_VALUE)
            sides[count++] = side_of(r, j->free[t->columns[k]]);
    slopes->count = count;
    slopes->sides = sides;
    carom_fit_point(w, r, t->run, j->values, worker->point);
    CAROM_TRY(carom_study_run_slopes(runner, worker->point, of_time ? &probe : NULL, slopes, carom_fit_goes_on,
                                     j->w, &outcome));
    snprintf(t->why, sizeof t->why, "%.20s: %.120s", outcome.status, outcome.message);
    const size_t width = r->study->item_count * (of_time ? r->rows : 1);
    for (size_t k = 0, n = 0; k < t->count; k++) {
        const carom_unknown *u = &f->unknowns[j->free[t->columns[k]]];
        const bool value = u->kind == CAROM_UNKNOWN_VALUE;
        const double *numbers = !value ? slopes->later : (of_time ? slopes->curves : slopes->quantities) + n * width;
        n += value;
        const double factor = carom_unknown_slope(u, j->values[j->free[t->columns[k]]]);
        t->failed[k] = !put(j, t, t->columns[k], numbers, value ? factor : -factor);
    }
    return CAROM_OK;
}

static void perform_task(void *job, size_t index, size_t k)
{
    jacobian *j = job;
    const carom_fit *f = j->w->fit;
    task *t = &j->tasks[k];
    carom_fit_worker *worker = &j->w->workers[index];
    carom_study_runner *runner = worker->status == CAROM_OK ? carom_fit_runner(f, worker, t->record) : NULL;
    carom_study_slopes slopes = {0};
    size_t numbers, values;
    if (!runner)
        return;
    worker->status = take_room(&f->records[t->record], worker->ctx, &slopes, &numbers, &values)
                         ? run_task(j, worker, t, runner, &slopes)
                         : CAROM_ERROR_MEMORY;
    release_room(worker->ctx, &slopes, numbers, values);
}

/* The runs that count, each with the columns that depend on it, a few at a time. */
static size_t list_tasks(const carom_fit_work *w, const size_t *free, size_t free_count, const bool *wanted,
                         task *out)
{
    const carom_fit *f = w->fit;
    size_t count = 0;
    for (size_t i = 0; i < f->record_count; i++)
        for (size_t run = 0; run < f->records[i].runs; run++) {
            const size_t first = count;
            for (size_t k = 0; k < free_count && w->use[f->records[i].first_run + run]; k++) {
                const carom_unknown *u = &f->unknowns[free[k]];
                if (!wanted[k] || !is_of(u, i) ||
                    (u->kind == CAROM_UNKNOWN_VALUE && side_of(&f->records[i], free[k]) == CAROM_FIT_NONE))
                    continue;
                if (count == first || out[count - 1].count == TOGETHER)
                    out[count++] = (task){.record = i, .run = run};
                out[count - 1].columns[out[count - 1].count++] = k;
            }
        }
    return count;
}

carom_status carom_fit_exact(carom_fit_work *w, const double *values, const size_t *free, size_t free_count,
                             double *out, bool *found)
{
    const carom_fit *f = w->fit;
    carom_fit_derivatives *d = &w->derivatives;
    bool any = false;
    if (!d->known || d->law != w->law)
        CAROM_TRY(find_out(w, values));
    for (size_t k = 0; k < free_count; k++) {
        found[k] = d->exact[free[k]] && f->unknowns[free[k]].kind != CAROM_UNKNOWN_OFFSET;
        any = any || found[k];
    }
    if (!any)
        return CAROM_OK;
    memset(out, 0, free_count * f->data * sizeof *out);
    const size_t most = f->runs * (free_count / TOGETHER + 1);
    jacobian j = {.w = w, .values = values, .free = free, .out = out};
    j.tasks = carom_allocate(w->ctx, most, sizeof *j.tasks);
    if (!j.tasks)
        return carom_fail_memory(w->ctx);
    j.count = list_tasks(w, free, free_count, found, j.tasks);
    if (w->worker_count > 1)
        w->options->perform(w->options->user, j.count, perform_task, &j);
    else
        for (size_t k = 0; k < j.count; k++)
            perform_task(&j, 0, k);
    const carom_status status = carom_fit_gathered(w);
    for (size_t k = 0; k < j.count; k++)
        for (size_t i = 0; i < j.tasks[k].count; i++) {
            const size_t column = j.tasks[k].columns[i];
            if (!j.tasks[k].failed[i])
                continue;
            found[column] = false;
            snprintf(d->why[free[column]], sizeof d->why[0], "at some values a run has none (%s)", j.tasks[k].why);
        }
    carom_release(w->ctx, j.tasks, most, sizeof *j.tasks);
    w->predictions++;
    d->points++;
    return status;
}

/* ---- what is told ---- */

carom_status carom_fit_tell_derivatives(const carom_fit *f, const carom_fit_derivatives *d, carom_arena *arena,
                                        const char **out)
{
    carom_text text = {.ctx = arena->ctx};
    size_t exact = 0;
    *out = NULL;
    for (size_t k = 0; k < f->unknown_count; k++)
        exact += !d->why[k][0];
    if (!d->known || f->unknown_count == 0)
        return CAROM_OK;
    if (exact > 0)
        carom_text_append(&text, "exact of %zu parameter%s", exact, exact == 1 ? "" : "s");
    if (exact < f->unknown_count)
        carom_text_append(&text, "%sdifferences of %zu: ", exact > 0 ? ", " : "", f->unknown_count - exact);
    for (size_t k = 0, reasons = 0; k < f->unknown_count; k++) {
        bool told = !d->why[k][0];
        for (size_t i = 0; i < k; i++)
            told = told || strcmp(d->why[i], d->why[k]) == 0;
        if (told)
            continue;
        for (size_t i = k; i < f->unknown_count; i++) {
            const carom_unknown *u = &f->unknowns[i];
            const bool own = u->record != CAROM_FIT_NONE && f->record_count > 1;
            if (strcmp(d->why[i], d->why[k]) == 0)
                carom_text_append(&text, "%s%s%s%s", i > k ? ", " : reasons++ ? "; " : "", u->name, own ? " of " : "",
                                  own ? f->records[u->record].name : "");
        }
        carom_text_append(&text, " (%s)", d->why[k]);
    }
    if (d->points > 0)
        carom_text_append(&text, "; %zu evaluations with derivatives in place of %zu without", d->points, d->saved);
    const bool good = !text.failed && (*out = carom_arena_text_n(arena, text.data, text.length));
    carom_text_clear(&text);
    return good ? CAROM_OK : carom_fail_memory(arena->ctx);
}
