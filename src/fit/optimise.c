/* Optimal designs: many starts, each a search by one method; what was evaluated is kept, so that the best design that
   holds its constraints is found whatever ended a search. */
#include "fit/optimise.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Points that are looked at for each start. */
#define LOOKED_AT 12
#define FIRST_STEP 0.1
/* Of the numbers from 0 to 1 where a search ends, and of a scaled constraint that is taken to hold. */
#define TOLERANCE 1e-6
#define HOLDS 1e-6
/* And where a search without derivatives is near enough for one with them. */
#define NEAR 1e-2
/* Scaled constraint that holds just so, and distance to a bound that is none. */
#define ACTIVE 1e-3
/* Relative differences: of objectives that are the same optimum, and of the steps of derivatives. */
#define SAME 1e-4
#define DIFFERENCE 1e-4

typedef struct content {
    carom_arena arena;
    carom_text sentences;
} content;

/* A design, and what it gives. */
typedef struct design {
    double *x, *numbers;
    double objective, violation; /* scaled; HUGE_VAL: it could not be evaluated */
} design;

typedef struct worker {
    carom_context *ctx;
    bool own;
    carom_study_runner *runner;
    carom_status status;
    char why[512];
} worker;

typedef struct search search;

typedef struct optimiser {
    carom_context *ctx;
    const carom_optimise *o;
    const carom_fit_options *options;
    carom_arena *arena;
    worker *workers;
    size_t worker_count, unknowns;
    design *designs; /* that were looked at, the best first */
    size_t design_count;
    double *scales; /* of objective and constraints */
    double worst;   /* scaled objective of what cannot be evaluated */
    carom_fit_derivatives derivatives;
    search *searches;
} optimiser;

struct search {
    optimiser *p;
    worker *w;
    design best, now;
    size_t evaluations;
    bool converged;
    bool lost[CAROM_FIT_UNKNOWNS]; /* a run had no derivatives by it */
    size_t slope_runs, saved;
};

/* ---- one design ---- */

static bool goes_on(void *user)
{
    const optimiser *p = user;
    return !p->options->go_on || p->options->go_on(p->options->user);
}

/* Fills the numbers of a design; those of one that cannot be evaluated are NAN. */
static void evaluate(optimiser *p, worker *w, design *d)
{
    const carom_optimise *o = p->o;
    double point[CAROM_FIT_UNKNOWNS];
    carom_study_outcome outcome;
    for (size_t k = 0; k < p->unknowns; k++)
        point[k] = carom_unknown_value(&o->base.unknowns[k], d->x[k]);
    for (size_t k = 0; k < o->items; k++)
        d->numbers[k] = NAN;
    if (w->status != CAROM_OK)
        return;
    w->status = carom_study_run_at(w->runner, point, NULL, goes_on, p, &outcome);
    if (w->status != CAROM_OK)
        return;
    bool good = strncmp(outcome.status, "completed", 9) == 0;
    memcpy(d->numbers, outcome.quantities, o->items * sizeof *d->numbers);
    for (size_t k = o->quantities; k < o->items; k++)
        good = good && isfinite(d->numbers[k]);
    if (!good && !w->why[0])
        snprintf(w->why, sizeof w->why, "%.30s: %.400s", outcome.status, outcome.message);
}

/* How far constraint k is violated, scaled; negative: it holds. */
static double violated(const optimiser *p, const design *d, size_t k)
{
    return -p->o->signs[k] * d->numbers[p->o->quantities + 1 + k] / p->scales[1 + k];
}

static void judge(const optimiser *p, design *d)
{
    const carom_optimise *o = p->o;
    const double value = d->numbers[o->quantities];
    d->objective = (o->maximise ? -value : value) / p->scales[0];
    d->violation = isfinite(value) ? 0 : HUGE_VAL;
    for (size_t k = 0; k < o->constraints; k++) {
        const double v = violated(p, d, k);
        d->violation = isfinite(v) ? fmax(d->violation, v) : HUGE_VAL;
    }
}

static bool is_better(const design *a, const design *b)
{
    const bool a_holds = a->violation <= HOLDS, b_holds = b->violation <= HOLDS;
    if (a_holds != b_holds)
        return a_holds;
    return a_holds ? a->objective < b->objective : a->violation < b->violation;
}

static carom_status make_design(optimiser *p, design *d)
{
    *d = (design){.objective = HUGE_VAL, .violation = HUGE_VAL};
    d->x = carom_arena_alloc(p->arena, p->unknowns + 1, sizeof *d->x);
    d->numbers = carom_arena_alloc(p->arena, p->o->items + 1, sizeof *d->numbers);
    return d->x && d->numbers ? CAROM_OK : carom_fail_memory(p->ctx);
}

static void copy_design(const optimiser *p, design *to, const design *from)
{
    memcpy(to->x, from->x, p->unknowns * sizeof *to->x);
    memcpy(to->numbers, from->numbers, p->o->items * sizeof *to->numbers);
    to->objective = from->objective;
    to->violation = from->violation;
}

/* ---- workers ---- */

static carom_status make_workers(optimiser *p)
{
    const carom_fit_options *options = p->options;
    const size_t count = options->perform && options->workers > 1 ? options->workers : 1;
    p->workers = carom_arena_alloc(p->arena, count, sizeof *p->workers);
    if (!p->workers)
        return carom_fail_memory(p->ctx);
    for (p->worker_count = 0; p->worker_count < count; p->worker_count++) {
        worker *w = &p->workers[p->worker_count];
        w->ctx = p->ctx;
        if (count > 1 && carom_context_create(NULL, &w->ctx) != CAROM_OK)
            return carom_fail_memory(p->ctx);
        w->own = count > 1;
        w->status = carom_study_runner_create(w->ctx, p->o->study, &w->runner);
        if (w->status != CAROM_OK) {
            p->worker_count++;
            return carom_fail_memory(p->ctx);
        }
    }
    return CAROM_OK;
}

static void free_workers(optimiser *p)
{
    for (size_t k = 0; k < p->worker_count; k++) {
        carom_study_runner_free(p->workers[k].runner);
        if (p->workers[k].own)
            carom_context_free(p->workers[k].ctx);
    }
}

static carom_status perform(optimiser *p, size_t count, carom_fit_task task)
{
    if (p->worker_count > 1)
        p->options->perform(p->options->user, count, task, p);
    else
        for (size_t k = 0; k < count; k++)
            task(p, 0, k);
    for (size_t k = 0; k < p->worker_count; k++)
        if (p->workers[k].status == CAROM_ERROR_MEMORY)
            return carom_fail_memory(p->ctx);
    for (size_t k = 0; k < p->worker_count; k++)
        if (p->workers[k].status != CAROM_OK)
            return carom_fail(p->ctx, CAROM_INTERRUPTED, NULL, "the optimisation was interrupted");
    return CAROM_OK;
}

/* ---- looking around ---- */

static void look_at(void *job, size_t index, size_t k)
{
    optimiser *p = job;
    evaluate(p, &p->workers[index], &p->designs[k]);
}

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The middle one of the sizes of a number over all designs. */
static double scale_of(const optimiser *p, size_t item, double *sizes)
{
    size_t count = 0;
    for (size_t k = 0; k < p->design_count; k++)
        if (isfinite(p->designs[k].numbers[item]))
            sizes[count++] = fabs(p->designs[k].numbers[item]);
    qsort(sizes, count, sizeof *sizes, by_size);
    const double scale = count > 0 ? sizes[count / 2] : 1;
    return scale > 0 ? scale : 1;
}

static int by_worth(const void *a, const void *b)
{
    const design *x = a, *y = b;
    return is_better(x, y) ? -1 : is_better(y, x) ? 1 : 0;
}

/* The start of the study and points that fill the bounds evenly; the best come to the front. Interrupted, these are
   those that were evaluated. */
static carom_status look_around(optimiser *p)
{
    const carom_optimise *o = p->o;
    p->design_count = 1 + LOOKED_AT * (o->starts > 1 ? o->starts - 1 : 1);
    p->designs = carom_arena_alloc(p->arena, p->design_count, sizeof *p->designs);
    p->scales = carom_arena_alloc(p->arena, o->constraints + 1, sizeof *p->scales);
    double *sizes = carom_arena_alloc(p->arena, p->design_count, sizeof *sizes);
    if (!p->designs || !p->scales || !sizes)
        return carom_fail_memory(p->ctx);
    for (size_t k = 0; k < p->design_count; k++) {
        CAROM_TRY(make_design(p, &p->designs[k]));
        for (size_t i = 0; i < p->unknowns; i++)
            p->designs[k].x[i] = k == 0 ? carom_unknown_scaled(&o->base.unknowns[i], o->base.unknowns[i].start)
                                        : carom_sobol_coordinate(0, i, k - 1, p->design_count - 1);
    }
    const carom_status status = perform(p, p->design_count, look_at);
    if (status != CAROM_OK && status != CAROM_INTERRUPTED)
        return status;
    for (size_t k = 0; k <= o->constraints; k++)
        p->scales[k] = scale_of(p, o->quantities + k, sizes);
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (size_t k = 0; k < p->design_count; k++) {
        judge(p, &p->designs[k]);
        if (isfinite(p->designs[k].objective)) {
            low = fmin(low, p->designs[k].objective);
            high = fmax(high, p->designs[k].objective);
        }
    }
    if (status == CAROM_INTERRUPTED) {
        qsort(p->designs, p->design_count, sizeof *p->designs, by_worth);
        return status;
    }
    if (!(low <= high))
        return carom_fail(p->ctx, CAROM_ERROR_SOLVER, NULL, "no design could be evaluated: %s", p->workers[0].why);
    p->worst = high + (high - low) + 1;
    /* the study's start is searched from in any case */
    qsort(p->designs + 1, p->design_count - 1, sizeof *p->designs, by_worth);
    return CAROM_OK;
}

/* ---- searches ---- */

/* Evaluates a point, and keeps it if it is the best; objective and constraints as the method has them. */
static void measure(search *s, const double *x, double *objective, double *constraints)
{
    optimiser *p = s->p;
    memcpy(s->now.x, x, p->unknowns * sizeof *x);
    evaluate(p, s->w, &s->now);
    judge(p, &s->now);
    s->evaluations++;
    const bool good = isfinite(s->now.violation) && isfinite(s->now.objective);
    *objective = good ? s->now.objective : p->worst;
    for (size_t k = 0; k < p->o->constraints; k++)
        constraints[k] = good ? violated(p, &s->now, k) : 1;
    if (good && is_better(&s->now, &s->best))
        copy_design(p, &s->best, &s->now);
}

/* Derivatives of objective and constraints by the scaled unknowns, of which there are some by runs: *found tells. */
static void measure_slopes(search *s, const double *x, double *slopes, bool *found)
{
    const optimiser *p = s->p;
    const carom_optimise *o = p->o;
    double point[CAROM_FIT_UNKNOWNS];
    size_t sides[CAROM_FIT_UNKNOWNS];
    carom_study_outcome outcome;
    carom_study_slopes of = {.sides = sides};
    for (size_t k = 0; k < p->unknowns; k++) {
        point[k] = carom_unknown_value(&o->base.unknowns[k], x[k]);
        if (p->derivatives.exact[k])
            sides[of.count++] = k;
    }
    const size_t size = of.count * o->items;
    of.quantities = of.count > 0 && s->w->status == CAROM_OK ? carom_allocate(s->w->ctx, size, sizeof(double)) : NULL;
    if (!of.quantities)
        return;
    s->w->status = carom_study_run_slopes(s->w->runner, point, NULL, &of, goes_on, s->p, &outcome);
    s->slope_runs++;
    for (size_t i = 0; i < of.count; i++) {
        const size_t k = sides[i];
        const double *by = of.quantities + i * o->items + o->quantities;
        const double factor = carom_unknown_slope(&o->base.unknowns[k], point[k]);
        bool good = true;
        for (size_t c = 0; c <= o->constraints; c++) {
            const double sign = c == 0 ? (o->maximise ? -1 : 1) : -o->signs[c - 1];
            slopes[c * p->unknowns + k] = sign * by[c] * factor / p->scales[c];
            good = good && isfinite(by[c]);
        }
        found[k] = good;
        s->saved += good;
        s->lost[k] = s->lost[k] || !good;
    }
    carom_release(s->w->ctx, of.quantities, size, sizeof(double));
}

static bool evaluate_search(void *user, const double *x, double *objective, double *constraints, double *slopes)
{
    search *s = user;
    const optimiser *p = s->p;
    const size_t n = p->unknowns, m = p->o->constraints;
    bool found[CAROM_FIT_UNKNOWNS] = {false};
    measure(s, x, objective, constraints);
    if (slopes)
        measure_slopes(s, x, slopes, found);
    for (size_t k = 0; slopes && k < n; k++) {
        double moved[CAROM_FIT_UNKNOWNS], at, others[CAROM_OPTIMISE_CONSTRAINTS];
        if (found[k])
            continue;
        memcpy(moved, x, n * sizeof *x);
        const double step = x[k] + DIFFERENCE <= 1 ? DIFFERENCE : -DIFFERENCE;
        moved[k] += step;
        measure(s, moved, &at, others);
        slopes[k] = (at - *objective) / step;
        for (size_t i = 0; i < m; i++)
            slopes[n + i * n + k] = (others[i] - constraints[i]) / step;
    }
    if (p->worker_count == 1 && p->options->progress)
        p->options->progress(p->options->user, p->o->method->name, s->evaluations, s->best.objective * p->scales[0]);
    return s->w->status == CAROM_OK && goes_on(s->p);
}

/* Asks the model which unknowns have derivatives, at the start of the study. */
static carom_status find_derivatives(optimiser *p)
{
    const carom_optimise *o = p->o;
    worker *w = &p->workers[0];
    double point[CAROM_FIT_UNKNOWNS];
    p->derivatives.known = true;
    for (size_t k = 0; k < p->unknowns; k++)
        point[k] = o->base.unknowns[k].start;
    for (size_t k = 0; k < p->unknowns && w->status == CAROM_OK; k++) {
        w->status = carom_study_slopes_check(w->runner, point, k, p->derivatives.why[k]);
        p->derivatives.exact[k] = w->status == CAROM_OK && !p->derivatives.why[k][0];
    }
    return w->status == CAROM_OK ? CAROM_OK : carom_fail_memory(p->ctx);
}

/* Where all derivatives are those of runs `auto` comes near the optimum without any, over the kinks that greatest and
   least values of quantities have, and goes the rest by them. *done: that ended as it should. */
static carom_status search_by_slopes(const optimiser *p, search *s, const carom_optimise_problem *problem, double *x,
                                     bool *done)
{
    carom_optimise_problem near = *problem, rest = *problem;
    bool limited = false, exact = true, unused;
    *done = false;
    for (size_t k = 0; k < p->unknowns; k++)
        exact = exact && p->derivatives.exact[k];
    if (!exact || strcmp(p->o->method->name, "auto") != 0)
        return CAROM_OK;
    near.tolerance = NEAR;
    CAROM_TRY(carom_optimise_search(s->w->ctx, &near, x, &unused));
    memcpy(x, s->best.x, p->unknowns * sizeof *x);
    rest.method = carom_optimise_method_find("slsqp");
    rest.limited = &limited;
    CAROM_TRY(carom_optimise_search(s->w->ctx, &rest, x, &s->converged));
    *done = s->converged && !limited && s->best.violation <= HOLDS;
    memcpy(x, s->best.x, p->unknowns * sizeof *x);
    return CAROM_OK;
}

static void search_from(void *job, size_t index, size_t k)
{
    optimiser *p = job;
    search *s = &p->searches[k];
    double x[CAROM_FIT_UNKNOWNS];
    const carom_optimise_problem problem = {.method = p->o->method,
                                            .n = p->unknowns,
                                            .constraints = p->o->constraints,
                                            .evaluations = p->o->evaluations,
                                            .step = FIRST_STEP,
                                            .tolerance = TOLERANCE,
                                            .evaluate = evaluate_search,
                                            .user = s};
    s->w = &p->workers[index];
    copy_design(p, &s->best, &p->designs[k]);
    memcpy(x, p->designs[k].x, p->unknowns * sizeof *x);
    if (s->w->status != CAROM_OK)
        return;
    bool done;
    carom_status status = search_by_slopes(p, s, &problem, x, &done);
    if (status == CAROM_OK && !done)
        status = carom_optimise_search(s->w->ctx, &problem, x, &s->converged);
    if (status == CAROM_OK && !done && p->o->method->polished) {
        carom_optimise_problem polish = problem;
        polish.method = carom_optimise_method_find("slsqp");
        memcpy(x, s->best.x, p->unknowns * sizeof *x);
        status = carom_optimise_search(s->w->ctx, &polish, x, &s->converged);
    }
    if (status != CAROM_OK)
        s->w->status = status;
}

static int by_best(const void *a, const void *b)
{
    const search *x = a, *y = b;
    return is_better(&x->best, &y->best) ? -1 : is_better(&y->best, &x->best) ? 1 : 0;
}

static carom_status search_all(optimiser *p, size_t *count)
{
    *count = p->o->starts < p->design_count ? p->o->starts : p->design_count;
    p->searches = carom_arena_alloc(p->arena, *count, sizeof *p->searches);
    if (!p->searches)
        return carom_fail_memory(p->ctx);
    for (size_t k = 0; k < *count; k++) {
        p->searches[k].p = p;
        CAROM_TRY(make_design(p, &p->searches[k].best));
        CAROM_TRY(make_design(p, &p->searches[k].now));
    }
    const carom_status status = perform(p, *count, search_from);
    for (size_t k = 0; k < *count; k++) {
        const search *s = &p->searches[k];
        p->derivatives.points += s->slope_runs;
        p->derivatives.saved += s->saved;
        for (size_t i = 0; i < p->unknowns; i++)
            if (s->lost[i])
                snprintf(p->derivatives.why[i], sizeof p->derivatives.why[i], "a design has none");
    }
    qsort(p->searches, *count, sizeof *p->searches, by_best);
    return status;
}

/* Of what was looked at before an interruption the best design, in place of a search. */
static carom_status take_looked_at(optimiser *p, size_t *count)
{
    size_t evaluated = 0;
    *count = 1;
    while (evaluated < p->design_count && isfinite(p->designs[evaluated].objective))
        evaluated++;
    p->design_count = evaluated;
    p->searches = carom_arena_alloc(p->arena, 1, sizeof *p->searches);
    if (!p->searches)
        return carom_fail_memory(p->ctx);
    CAROM_TRY(make_design(p, &p->searches[0].best));
    if (evaluated > 0)
        copy_design(p, &p->searches[0].best, &p->designs[0]);
    return CAROM_OK;
}

/* ---- the result ---- */

/* Of a search that was interrupted: what holds of the design, not what the end of a search would mean. */
static void tell_interrupted(content *c, const optimiser *p, const design *best, size_t designs)
{
    for (size_t k = 0; k < p->o->constraints; k++)
        if (violated(p, best, k) > HOLDS)
            carom_text_append(&c->sentences, "the constraint %s is violated by %.4g yet\n", p->o->texts[k],
                              violated(p, best, k) * p->scales[1 + k]);
    carom_text_append(&c->sentences, "interrupted: the best of %zu designs; `start` takes its values\n", designs);
}

static void tell(content *c, const optimiser *p, const design *best, const carom_optimise_result *r)
{
    const carom_optimise *o = p->o;
    size_t same = 0;
    if (!r->feasible)
        carom_text_append(&c->sentences,
                          "no design was found that holds all constraints: this is the one that violates them least\n");
    for (size_t k = 0; k < o->constraints; k++)
        if (violated(p, best, k) > HOLDS)
            carom_text_append(&c->sentences, "the constraint %s is violated by %.4g\n", o->texts[k],
                              violated(p, best, k) * p->scales[1 + k]);
        else if (r->active[k])
            carom_text_append(&c->sentences, "the constraint %s holds just so: it decides the design\n", o->texts[k]);
    for (size_t k = 0; k < p->unknowns; k++)
        if (best->x[k] < ACTIVE || best->x[k] > 1 - ACTIVE)
            carom_text_append(&c->sentences, "%s lies at its %s bound: a wider one may allow a better design\n",
                              o->base.unknowns[k].name, best->x[k] < ACTIVE ? "lower" : "upper");
    for (size_t k = 0; k < r->end_count; k++)
        same += r->ends[k].feasible && fabs(r->ends[k].objective - r->ends[0].objective) <=
                                           SAME * fmax(fabs(r->ends[0].objective), p->scales[0] * SAME);
    if (r->end_count > 1 && r->feasible)
        carom_text_append(&c->sentences, "%zu of %zu searches ended at this objective%s\n", same, r->end_count,
                          same == 1 ? ": the others ended elsewhere, and more `starts` may find a better one" : "");
    if (!r->converged)
        carom_text_append(&c->sentences, "the best search was ended before it converged: give more `evaluations`\n");
}

static carom_status split(content *c, carom_optimise_result *out)
{
    size_t count = 0, at = 0;
    for (size_t k = 0; k < c->sentences.length; k++)
        count += c->sentences.data[k] == '\n';
    const char **lines = carom_arena_alloc(&c->arena, count + 1, sizeof *lines);
    if (!lines || c->sentences.failed)
        return carom_fail_memory(c->arena.ctx);
    for (size_t k = 0; k < count; k++) {
        char *line = c->sentences.data + at, *end = strchr(line, '\n');
        *end = '\0';
        lines[out->sentence_count++] = line;
        at += (size_t)(end - line) + 1;
    }
    out->sentences = lines;
    return CAROM_OK;
}

static carom_status fill_result(optimiser *p, size_t count, carom_optimise_result *out)
{
    const carom_optimise *o = p->o;
    const design *best = &p->searches[0].best;
    double *values = carom_arena_alloc(p->arena, p->unknowns + 1, sizeof *values);
    bool *active = carom_arena_alloc(p->arena, o->constraints + 1, sizeof *active);
    carom_optimise_end *ends = carom_arena_alloc(p->arena, count, sizeof *ends);
    if (!values || !active || !ends)
        return carom_fail_memory(p->ctx);
    for (size_t k = 0; k < p->unknowns; k++)
        values[k] = carom_unknown_value(&o->base.unknowns[k], best->x[k]);
    for (size_t k = 0; k < o->constraints; k++)
        active[k] = fabs(violated(p, best, k)) < ACTIVE;
    out->evaluations = p->design_count;
    for (size_t k = 0; k < count; k++) {
        const search *s = &p->searches[k];
        ends[k] = (carom_optimise_end){.objective = s->best.numbers[o->quantities],
                                       .feasible = s->best.violation <= HOLDS,
                                       .converged = s->converged,
                                       .evaluations = s->evaluations};
        out->evaluations += s->evaluations;
    }
    if (p->derivatives.points > 0)
        CAROM_TRY(carom_fit_tell_derivatives(&o->base, &p->derivatives, p->arena, &out->derivatives));
    out->values = values;
    out->numbers = best->numbers;
    out->active = active;
    out->ends = ends;
    out->end_count = count;
    out->feasible = ends[0].feasible;
    out->converged = ends[0].converged;
    return CAROM_OK;
}

static carom_status optimise(optimiser *p, content *c, carom_optimise_result *out)
{
    size_t count;
    CAROM_TRY(make_workers(p));
    CAROM_TRY(find_derivatives(p));
    carom_status status = look_around(p);
    if (status == CAROM_OK)
        status = search_all(p, &count);
    else if (status == CAROM_INTERRUPTED)
        CAROM_TRY(take_looked_at(p, &count));
    /* of a search that was interrupted the best design so far is told */
    const bool found = p->searches && isfinite(p->searches[0].best.objective);
    if (status != CAROM_OK && !(status == CAROM_INTERRUPTED && found))
        return status;
    const design *best = &p->searches[0].best;
    CAROM_TRY(fill_result(p, count, out));
    if (status == CAROM_OK)
        tell(c, p, best, out);
    else
        tell_interrupted(c, p, best, out->evaluations);
    /* from now on they say how far a constraint holds */
    for (size_t k = 0; k < p->o->constraints; k++)
        best->numbers[p->o->quantities + 1 + k] *= p->o->signs[k];
    CAROM_TRY(split(c, out));
    return status;
}

carom_status carom_optimise_solve(carom_context *ctx, carom_optimise *study, const carom_fit_options *options,
                                  carom_optimise_result *out)
{
    CAROM_NEED(ctx, ctx);
    CAROM_NEED(ctx, study);
    CAROM_NEED(ctx, out);
    carom_fit_options own = carom_default_fit_options();
    *out = (carom_optimise_result){0};
    CAROM_TRY(carom_take_def(ctx, options, &own, sizeof own, "fit_options"));
    content *c = carom_allocate(ctx, 1, sizeof *c);
    if (!c)
        return carom_fail_memory(ctx);
    carom_arena_init(&c->arena, ctx);
    c->sentences.ctx = ctx;
    out->own = c;
    optimiser p = {.ctx = ctx, .o = study, .options = &own, .arena = &c->arena, .unknowns = study->base.unknown_count};
    const carom_status status = optimise(&p, c, out);
    free_workers(&p);
    return status;
}

void carom_optimise_result_free(carom_context *ctx, carom_optimise_result *result)
{
    if (!result || !result->own)
        return;
    content *c = result->own;
    carom_text_clear(&c->sentences);
    carom_arena_free(&c->arena);
    carom_release(ctx, c, 1, sizeof *c);
    *result = (carom_optimise_result){0};
}

/* ---- the model ---- */

typedef struct found {
    const carom_optimise *o;
    const carom_optimise_result *result;
} found;

static const char *find_value(const void *user, const char *name, char text[40])
{
    const found *v = user;
    const carom_fit *f = &v->o->base;
    for (size_t k = 0; k < f->unknown_count; k++)
        if (strcmp(f->unknowns[k].name, name) == 0)
            return carom_short_number_text(text, v->result->values[k]);
    const carom_node *node = f->set ? carom_node_find(f->set, name) : NULL;
    return node && node->type == CAROM_NODE_SCALAR ? node->text : NULL;
}

carom_status carom_optimise_model_text(carom_context *ctx, const carom_optimise *o, const carom_optimise_result *result,
                                       char **out)
{
    CAROM_NEED(ctx, ctx);
    if (!o || !result || !out || !result->values)
        return carom_fail(ctx, CAROM_ERROR_USAGE, NULL, "%s(): an argument is NULL, or the search failed", __func__);
    *out = NULL;
    if (!o->study->model)
        return CAROM_OK;
    const char *slash = strrchr(o->base.file, '/');
    const found values = {o, result};
    carom_text text = {.ctx = ctx};
    carom_text_append(&text, "# Written by `carom optimise %s`: the best values of its `parameters`.\n",
                      slash ? slash + 1 : o->base.file);
    const carom_status status = carom_fit_replace_values(ctx, o->study, find_value, &values, &text);
    if (status == CAROM_OK)
        return carom_text_finish(&text, out);
    carom_text_clear(&text);
    return status;
}
