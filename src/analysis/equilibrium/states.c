/* States of the user in an equilibrium: their rates are zero. For each pose they follow from r(z) = 0 by Newton's
   method with derivatives by differences, so that forces and stiffness are those with the states where they come to
   rest. The integral of a deviation, whose rate does not tell where it rests, is held; which ones are is told by the
   null spaces of dr/dz: without row and column k it has full rank if a null vector of it and one of its transpose have
   a part there, as its adjugate is the product of these (Horn and Johnson 2013, Matrix Analysis, section 0.8.2).
   Source: Stevens, Lewis and Johnson 2016, Aircraft Control and Simulation, chapter 3 (steady-state trim). */
#include "analysis/equilibrium/equilibrium.h"

#include "math/solve.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define MOST_STEPS 40
/* Step of a difference, of the state or its scale. */
#define STEP 1e-4
/* Derivative by a step that is none, of the rates that it is the difference of. */
#define NONE 1e-9
/* Last step, of the state or its scale; and one that may be rounding, if the next is no less. */
#define EXACT 1e-15
#define ROUNDING 1e-11
/* Singular value of the derivatives, rows of norm 1 in sizes of the states, that is none: differences have 1e-8. */
#define DEPENDS 1e-6

static double size_of(const carom_balance *b, int state)
{
    const double scale = b->m->states[state].scale;
    return fmax(fabs(b->s->states[state]), scale > 0 ? scale : 1e-6);
}

static bool evaluate(carom_balance *b) { return carom_system_evaluate(b->d, b->s, *b->s->time, b->s->q); }

/* Derivatives of all rates by state k; in `sizes` the largest of each rate. */
static bool column(carom_balance *b, int k, double *out, double *sizes)
{
    const int n = b->m->state_count;
    double *z = b->s->states;
    const double at = z[k], h = STEP * size_of(b, k);
    bool found = true;
    memset(out, 0, (size_t)n * sizeof *out);
    for (int side = -1; side <= 1 && found; side += 2) {
        z[k] = at + side * h;
        found = evaluate(b);
        for (int i = 0; i < n && found; i++) {
            out[i] += side * b->d->state_rate[i];
            sizes[i] = fmax(sizes[i], fabs(b->d->state_rate[i]));
        }
    }
    z[k] = at;
    for (int i = 0; i < n; i++)
        out[i] = fabs(out[i]) > NONE * sizes[i] ? out[i] / (2 * h) : 0;
    return found;
}

/* Factors of the derivatives of the rates by the states that are found. */
static bool factor(carom_balance *b)
{
    const int n = b->found_count;
    for (int k = 0; k < n; k++) {
        memset(b->rate_sizes, 0, (size_t)b->m->state_count * sizeof(double));
        if (!column(b, b->found[k], b->rate_column, b->rate_sizes))
            return false;
        for (int i = 0; i < n; i++)
            b->rate_factors[k * n + i] = b->rate_column[b->found[i]];
    }
    return carom_lu_factor(n, b->rate_factors, b->rate_pivot);
}

bool carom_balance_rest(carom_balance *b)
{
    const int n = b->found_count;
    double before = HUGE_VAL;
    for (int step = 0; n && step < MOST_STEPS; step++) {
        double size = 0;
        if (!evaluate(b))
            return false;
        if (!b->rate_factored && (!factor(b) || !evaluate(b)))
            return false;
        b->rate_factored = true;
        for (int i = 0; i < n; i++)
            b->rate_column[i] = b->d->state_rate[b->found[i]];
        carom_lu_solve(n, b->rate_factors, b->rate_pivot, b->rate_column);
        for (int i = 0; i < n; i++) {
            b->s->states[b->found[i]] -= b->rate_column[i];
            const double change = fabs(b->rate_column[i]) / size_of(b, b->found[i]);
            if (!(change <= size)) {
                size = change;
                b->restless = i;
            }
        }
        if (!isfinite(size))
            return false;
        if (size <= EXACT || (size < ROUNDING && size > 0.5 * before))
            return evaluate(b);
        b->rate_factored = size < 0.1 * before;
        before = size;
    }
    return n == 0 && evaluate(b);
}

/* Derivatives of the rates by the states, in their sizes, with rows of norm 1; and what looks for dependent ones. */
typedef struct dependence {
    carom_context *ctx;
    int n, left;                /* states; those that are not held: */
    int *of;
    bool *with;                 /* of those that are left, which go together */
    double *by, *matrix, *singular, *vt, *null[2];
} dependence;

static bool make_dependence(carom_analysis *a, const carom_balance *b, dependence *out)
{
    const size_t n = (size_t)b->m->state_count;
    carom_arena *arena = &a->arena;
    *out = (dependence){.ctx = a->ctx, .n = (int)n};
    return (out->of = carom_arena_alloc(arena, n, sizeof *out->of)) &&
           (out->by = carom_arena_alloc(arena, n * n, sizeof(double))) &&
           (out->matrix = carom_arena_alloc(arena, n * n, sizeof(double))) &&
           (out->vt = carom_arena_alloc(arena, n * n, sizeof(double))) &&
           (out->singular = carom_arena_alloc(arena, n, sizeof(double))) &&
           (out->with = carom_arena_alloc(arena, n, sizeof *out->with)) &&
           (out->null[0] = carom_arena_alloc(arena, n * n, sizeof(double))) &&
           (out->null[1] = carom_arena_alloc(arena, n * n, sizeof(double)));
}

static bool take_derivatives(carom_balance *b, dependence *of)
{
    const size_t n = (size_t)of->n;
    for (size_t k = 0; k < n; k++) {
        if (!column(b, (int)k, of->by + k * n, b->rate_sizes))
            return false;
        for (size_t i = 0; i < n; i++)
            of->by[k * n + i] *= size_of(b, (int)k);
    }
    for (size_t i = 0; i < n; i++) {
        double sum = 0;
        for (size_t k = 0; k < n; k++)
            sum += of->by[k * n + i] * of->by[k * n + i];
        for (size_t k = 0; k < n && sum > 0; k++)
            of->by[k * n + i] /= sqrt(sum);
    }
    return true;
}

/* Projection onto the null space of the derivatives of those that are left, or of their transpose; its dimension. */
static carom_status null_space(dependence *of, bool transposed, double *out, int *dimension)
{
    const int n = of->left;
    for (int k = 0; k < n; k++)
        for (int i = 0; i < n; i++) {
            const int row = of->of[transposed ? k : i], col = of->of[transposed ? i : k];
            of->matrix[k * n + i] = of->by[(size_t)col * (size_t)of->n + (size_t)row];
        }
    CAROM_TRY(carom_right_singular(of->ctx, n, n, of->matrix, of->singular, of->vt));
    int rank = 0;
    while (rank < n && of->singular[rank] > DEPENDS)
        rank++;
    *dimension = n - rank;
    for (int k = 0; k < n; k++)
        for (int i = 0; i < n; i++) {
            out[k * n + i] = 0;
            for (int c = rank; c < n; c++)
                out[k * n + i] += of->vt[k * n + c] * of->vt[i * n + c];
        }
    return CAROM_OK;
}

static void hold(dependence *of, int k)
{
    of->left--;
    memmove(of->of + k, of->of + k + 1, (size_t)(of->left - k) * sizeof *of->of);
}

/* Part of state i in what state k has of both null spaces, or of that of the transpose alone. */
static double part(const dependence *of, bool both, int k, int i)
{
    const int at = k * of->left + i;
    return fabs((both ? of->null[0][at] : 1) * of->null[1][at]);
}

/* The state with the greatest part of its own. */
static int greatest(const dependence *of, bool both)
{
    int best = 0;
    for (int k = 1; k < of->left; k++)
        if (part(of, both, k, k) > part(of, both, best, best) * (1 + 1e-9))
            best = k;
    return best;
}

/* Holds states until the rates of the others tell where these rest. Fewer rates depend on each other without one that
   has a part in a combination of states that changes no rate, and whose rate has one in a combination of rates that no
   state changes. An integral is one of these alone: no rate reads it, or its own has nothing of the states. Stores
   between which something flows are both together: all are held, as where they rest is in their sum. Where no state has
   both, one goes whose rate has a part in the latter. */
static carom_status hold_integrals(dependence *of)
{
    for (int dimension; of->left;) {
        CAROM_TRY(null_space(of, false, of->null[0], &dimension));
        if (!dimension)
            return CAROM_OK;
        CAROM_TRY(null_space(of, true, of->null[1], &dimension));
        int best = greatest(of, true);
        const bool both = part(of, true, best, best) > DEPENDS;
        best = both ? best : greatest(of, false);
        const int n = of->left;
        for (int k = 0; k < n; k++)
            of->with[k] = k == best || (both && part(of, true, best, k) > DEPENDS);
        for (int k = n - 1; k >= 0; k--)
            if (of->with[k])
                hold(of, k);
    }
    return CAROM_OK;
}

/* The states that are found from those of `of`. */
static void take_found(carom_balance *b, const dependence *of)
{
    b->found_count = of->left;
    memcpy(b->found, of->of, (size_t)of->left * sizeof *b->found);
    b->rate_factored = false;
}

carom_status carom_balance_find_states(carom_analysis *a, carom_balance *b)
{
    const size_t n = (size_t)b->m->state_count;
    double *start = carom_arena_alloc(&a->arena, n, sizeof *start);
    dependence of;
    b->found_count = 0;
    if (!start || !make_dependence(a, b, &of) || !(b->found = carom_arena_alloc(&a->arena, n, sizeof *b->found)) ||
        !(b->rate_pivot = carom_arena_alloc(&a->arena, n, sizeof *b->rate_pivot)) ||
        !(b->rate_factors = carom_arena_alloc(&a->arena, n * n, sizeof(double))) ||
        !(b->rate_column = carom_arena_alloc(&a->arena, n, sizeof(double))) ||
        !(b->rate_sizes = carom_arena_alloc(&a->arena, n, sizeof(double))))
        return carom_fail_memory(a->ctx);
    memcpy(start, b->s->states, n * sizeof *start);
    if (!n || !evaluate(b) || !take_derivatives(b, &of))
        return CAROM_OK;
    for (of.left = 0; of.left < of.n; of.left++)
        of.of[of.left] = of.left;
    for (;;) { /* one that comes to no rest is held, and what would follow from it goes on with its start */
        CAROM_TRY(hold_integrals(&of));
        take_found(b, &of);
        if (!of.left || carom_balance_rest(b))
            return CAROM_OK;
        memcpy(b->s->states, start, n * sizeof *start);
        hold(&of, b->restless);
    }
}

/* ---- what is told ---- */

static bool is_found(const carom_balance *b, int state)
{
    for (int k = 0; k < b->found_count; k++)
        if (b->found[k] == state)
            return true;
    return false;
}

carom_status carom_balance_say_states(carom_analysis *a, const carom_balance *b, int table)
{
    const carom_model *m = a->model;
    char text[300];
    for (int k = 0; k < m->state_count; k++) {
        const carom_model_state *of = &m->states[k];
        const double rate = b->d->state_rate[k];
        const char *unit = of->unit ? of->unit : "";
        if (is_found(b, k))
            snprintf(text, sizeof text, "state '%s' is %.6g%s%s, where its rate is 0", of->name, b->s->states[k],
                     unit[0] ? " " : "", unit);
        else if (rate != 0)
            snprintf(text, sizeof text,
                     "state '%s' is held as it starts: its rate does not tell where it rests, and it changes by %.3g a "
                     "second in a motion; let a motion settle first",
                     of->name, rate);
        else
            continue;
        CAROM_TRY(carom_analysis_add(a, table, &(carom_analysis_cell){.text = text}));
    }
    for (int k = 0; k < m->load_count; k++)
        for (int i = 0; i < m->loads[k].state_count; i++) {
            const double rate = b->d->load_state_rate[m->loads[k].first_state + i];
            if (rate == 0)
                continue;
            snprintf(text, sizeof text, "load '%s' is held as it starts: its state grows by %.3g a second in a motion",
                     m->loads[k].name, rate);
            return carom_analysis_add(a, table, &(carom_analysis_cell){.text = text});
        }
    return CAROM_OK;
}
