/* States of the user in an equilibrium: their rates are zero. For each pose they follow from r(z) = 0 by Newton's
   method with derivatives by differences, so that forces and stiffness are those with the states where they come to
   rest. A state whose rate does not depend on those that are found, such as the integral of a deviation, is held.
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
            size = fmax(size, fabs(b->rate_column[i]) / size_of(b, b->found[i]));
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

/* Leaves those out whose rates depend on none of the others. */
static bool leave_integrals(carom_balance *b, double *by, bool *held)
{
    const int n = b->m->state_count;
    for (int k = 0; k < n; k++)
        if (!column(b, k, by + (size_t)k * (size_t)n, b->rate_sizes))
            return false;
    for (bool changed = true; changed;) {
        changed = false;
        for (int i = 0; i < n; i++) {
            bool depends = held[i];
            for (int k = 0; k < n; k++)
                depends = depends || (!held[k] && by[(size_t)k * (size_t)n + (size_t)i] != 0);
            held[i] = held[i] || !depends;
            changed = changed || !depends;
        }
    }
    return true;
}

carom_status carom_balance_find_states(carom_analysis *a, carom_balance *b)
{
    const size_t n = (size_t)b->m->state_count;
    double *by = carom_arena_alloc(&a->arena, n * n, sizeof *by);
    double *start = carom_arena_alloc(&a->arena, n, sizeof *start);
    bool *held = carom_arena_alloc(&a->arena, n, sizeof *held);
    b->found_count = 0;
    if (!by || !start || !held || !(b->found = carom_arena_alloc(&a->arena, n, sizeof *b->found)) ||
        !(b->rate_pivot = carom_arena_alloc(&a->arena, n, sizeof *b->rate_pivot)) ||
        !(b->rate_factors = carom_arena_alloc(&a->arena, n * n, sizeof(double))) ||
        !(b->rate_column = carom_arena_alloc(&a->arena, n, sizeof(double))) ||
        !(b->rate_sizes = carom_arena_alloc(&a->arena, n, sizeof(double))))
        return carom_fail_memory(a->ctx);
    if (!n)
        return CAROM_OK;
    memcpy(start, b->s->states, n * sizeof *start);
    if (evaluate(b) && leave_integrals(b, by, held))
        for (size_t k = 0; k < n; k++)
            if (!held[k])
                b->found[b->found_count++] = (int)k;
    if (b->found_count && !carom_balance_rest(b)) { /* their rates do not tell where they rest, or they have none */
        b->found_count = 0;
        memcpy(b->s->states, start, n * sizeof *start);
    }
    return CAROM_OK;
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
