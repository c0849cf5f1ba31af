/* The motion beside a state. With the basis N of the motions that constraints and friction that holds allow,
   N^T M N = 1, a state beside it has the displacement N x and the velocities v + N w, both brought back onto the
   constraints. Of the coordinates c that name the states, T = dc/dq N, the rates c' and accelerations c'' there are
   known exactly (coordinates.c), and are differenced with an error of order 6 (math/derivative.c). With y = T^-1 c and
   y' = T^-1 c' for the states, as y' = S x + w beside a state that moves,
       d(y'')/dy = d(y'')/dx - d(y'')/dw S,   d(y'')/dy' = d(y'')/dw,
   and likewise for outputs and further states. All forces, those of constraints and gyroscopic ones included, are in
   the accelerations.
   Source: Nikravesh 1988, section 10.4; Negrut and Ortiz 2006, J. Comput. Nonlinear Dyn. 1:230-239 (linearisation of
   constrained systems). */
#include "analysis/modes/modes.h"

#include "math/derivative.h"
#include "math/solve.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Longest steps of the differences by rates and further states: of the model's speed, of a state's scale. */
#define STEP_SPEED 1e-5
#define STEP_STATE 1e-3

/* ---- room ---- */

static int further(const carom_model *m) { return m->friction_state_count + m->state_count + m->load_state_count; }

static carom_status allocate(carom_analysis *a, carom_linear *l)
{
    carom_arena *arena = &a->arena;
    const carom_model *m = l->b->m;
    const size_t n = (size_t)l->n, f = (size_t)l->f, columns = (size_t)l->b->columns;
    const size_t in = (size_t)l->inputs, out = (size_t)l->outputs;
    struct {
        double **to;
        size_t count;
    } arrays[] = {{&l->q, (size_t)l->b->s->layout.positions},
                  {&l->v, columns},
                  {&l->states, (size_t)l->more},
                  {&l->t, f * f},
                  {&l->back, f * f},
                  {&l->factors, f * f},
                  {&l->left, (size_t)m->row_count},
                  {&l->own_rate, f},
                  {&l->own_acceleration, f},
                  {&l->a, n * n},
                  {&l->in, n * in},
                  {&l->out, out * n},
                  {&l->through, out * in},
                  {&l->measures, (size_t)m->measure_count},
                  {&l->step, columns},
                  {&l->at_state, columns},
                  {&l->change, n + in},
                  {&l->steps, n + in},
                  {&l->here, n + out},
                  {&l->slope, n + out},
                  {&l->room, CAROM_DERIVATIVE_ROOM * (n + out)}};
    bool done = (l->switches = carom_arena_alloc(arena, (size_t)m->free_switch_count, sizeof *l->switches)) &&
                (l->pivot = carom_arena_alloc(arena, f, sizeof *l->pivot)) &&
                (l->axes = carom_arena_alloc(arena, (size_t)m->body_count, sizeof *l->axes)) &&
                (l->home = carom_arena_alloc(arena, (size_t)m->body_count, sizeof *l->home));
    for (size_t k = 0; k < CAROM_COUNT(arrays); k++)
        done = done && (*arrays[k].to = carom_arena_alloc(arena, arrays[k].count, sizeof(double)));
    return done ? CAROM_OK : carom_fail_memory(a->ctx);
}

/* ---- a state beside it ---- */

/* Where the further states stand in the state: one behind the other. */
static double *states_of(const carom_linear *l) { return l->b->s->friction; }

void carom_linear_in_basis(const carom_linear *l, const double *c, double *out)
{
    for (int i = 0; i < l->f; i++) {
        out[i] = 0;
        for (int k = 0; k < l->f; k++)
            out[i] += l->back[i + k * l->f] * c[k];
    }
}

static void further_rates(const carom_linear *l, double *out)
{
    const carom_model *m = l->b->m;
    const carom_evaluation *d = l->b->d;
    memcpy(out, d->friction_rate, (size_t)m->friction_state_count * sizeof *out);
    memcpy(out + m->friction_state_count, d->state_rate, (size_t)m->state_count * sizeof *out);
    memcpy(out + m->friction_state_count + m->state_count, d->load_state_rate,
           (size_t)m->load_state_count * sizeof *out);
}

static void read_outputs(carom_linear *l, double *out)
{
    const carom_balance *b = l->b;
    if (l->outputs)
        carom_dynamics_all_measures(b->d, b->s, *b->s->time, l->measures);
    for (int k = 0; k < l->outputs; k++) {
        carom_expr_set_switches(b->m->outputs[k].expr, *b->s->time, l->measures, l->switches);
        out[k] = carom_expr_value(b->m->outputs[k].expr, *b->s->time, l->measures, l->switches);
    }
}

/* Accelerations keep the constraint rows but for rounding, which a small inertia enlarges: once more for what is
   left. */
static void refine(const carom_linear *l)
{
    carom_evaluation *d = l->b->d;
    const carom_model *m = l->b->m;
    const carom_formulation *f = d->system->formulation;
    if (m->armature_count)
        return; /* their rows yield */
    for (int r = 0; r < m->row_count; r++) {
        const bool idle = d->idle && d->idle[r];
        l->left[r] = idle ? 0 : d->rows[r].gamma + d->row_acceleration[r] - carom_system_correction(d, r) -
                                    f->row_times(d, &d->jacobian[r], d->acceleration);
    }
    f->solve(d, l->left);
    f->add_rows(d, l->left, d->acceleration);
}

/* Rates of z, and behind them outputs, at z + change. */
static bool evaluate(carom_linear *l, double *rate)
{
    carom_balance *b = l->b;
    carom_state *s = b->s;
    const carom_formulation *f = b->d->system->formulation;
    const carom_model *m = b->m;
    const int f_count = l->f, columns = b->columns;
    memcpy(s->q, l->q, (size_t)s->layout.positions * sizeof *s->q);
    carom_balance_motion(b, l->change, l->step);
    f->retract(m, l->step, s->q);
    f->normalise(m, s->q);
    carom_balance_motion(b, l->change + f_count, s->v);
    for (int k = 0; k < columns; k++)
        s->v[k] += l->v[k];
    for (int k = 0; k < l->more; k++)
        states_of(l)[k] = l->states[k] + l->change[2 * f_count + k];
    for (int k = 0; k < l->inputs; k++)
        s->input[l->input[k]] += l->change[l->n + k];
    bool found = f->project(b->d, s, *s->time, s->q, s->v, 1e-14, 20) && carom_system_evaluate(b->d, s, *s->time, s->q);
    if (found) {
        refine(l);
        carom_linear_rates(l, l->own_rate, l->own_acceleration);
        carom_linear_in_basis(l, l->own_rate, rate);
        carom_linear_in_basis(l, l->own_acceleration, rate + f_count);
        further_rates(l, rate + 2 * f_count);
        read_outputs(l, rate + l->n);
    }
    for (int k = 0; k < l->inputs; k++)
        s->input[l->input[k]] -= l->change[l->n + k];
    return found;
}

/* ---- all columns ---- */

double carom_linear_state_scale(const carom_linear *l, int k)
{
    const carom_model *m = l->b->m;
    const int i = k - m->friction_state_count;
    const double scale = i >= 0 && i < m->state_count ? m->states[i].scale : 0;
    return scale > 0 ? scale : i < 0 ? 1e-6 : fmax(1e-3, fabs(l->states[k]));
}

/* Share of its size that is the step of a difference by the number k. */
static double share_of(const carom_linear *l, int k)
{
    return k < l->f ? CAROM_LONGEST_LENGTH : k < 2 * l->f ? STEP_SPEED : STEP_STATE;
}

static double step_of(const carom_linear *l, int k)
{
    carom_balance *b = l->b;
    const carom_model *m = b->m;
    double length, angle;
    if (k >= l->n)
        return STEP_STATE * fmax(1, fabs(b->s->input[l->input[k - l->n]]));
    if (k >= 2 * l->f)
        return STEP_STATE * carom_linear_state_scale(l, k - 2 * l->f);
    const double *x = b->basis + (size_t)(k % l->f) * (size_t)b->columns;
    if (k < l->f)
        return carom_balance_difference(b, x, CAROM_LONGEST_LENGTH, CAROM_LONGEST_DEPTH);
    carom_balance_reach(b, x, &length, &angle);
    return STEP_SPEED * l->speed / fmax(length, angle * m->length_scale);
}

/* What the number k is rounded to. */
static double rounded(const carom_linear *l, int k)
{
    const carom_balance *b = l->b;
    double length, angle;
    if (k >= 2 * l->f)
        return DBL_EPSILON * fabs(k < l->n ? l->states[k - 2 * l->f] : b->s->input[l->input[k - l->n]]);
    if (k < l->f)
        return carom_balance_rounded(b, b->basis + (size_t)k * (size_t)b->columns);
    carom_balance_reach(b, b->basis + (size_t)(k % l->f) * (size_t)b->columns, &length, &angle);
    return l->moves ? DBL_EPSILON * l->speed / fmax(length, angle * b->m->length_scale) : 0;
}

static bool evaluate_changed(void *user, double x, double *out)
{
    carom_linear *l = user;
    l->change[l->changed] = x;
    return evaluate(l, out);
}

/* One column of the matrices, by the number k of z and u. */
static carom_status difference(carom_linear *l, int k, double h, double *rate, double *value)
{
    const double share = share_of(l, k);
    const carom_derivative wanted = {.evaluate = evaluate_changed,
                                     .user = l,
                                     .count = l->n + l->outputs,
                                     .from = l->f,
                                     .alike = l->f,
                                     .size = l->b->scale,
                                     .blur = carom_balance_blur(l->b),
                                     .judged = k < 2 * l->f ? l->f + k % l->f : -1,
                                     .here = l->here,
                                     .room = l->room};
    double doubt = 0;
    l->changed = k;
    const bool found = carom_derivative_find(&wanted, h, rounded(l, k), share * l->b->scale / h, l->slope, &doubt);
    l->change[k] = 0;
    if (!found)
        return carom_fail(l->b->ctx, CAROM_ERROR_SOLVER, NULL,
                          "modes: no accelerations can be found beside the pose");
    memcpy(rate, l->slope, (size_t)l->n * sizeof *rate);
    memcpy(value, l->slope + l->n, (size_t)l->outputs * sizeof *value);
    if (doubt > l->doubt) {
        l->doubt = doubt;
        l->doubtful = k;
    }
    return CAROM_OK;
}

static carom_status evaluate_state(carom_linear *l)
{
    memset(l->change, 0, (size_t)(l->n + l->inputs) * sizeof *l->change);
    if (!evaluate(l, l->here))
        return carom_fail(l->b->ctx, CAROM_ERROR_SOLVER, NULL, "modes: no accelerations can be found at the pose");
    memcpy(l->at_state, l->b->d->acceleration, (size_t)l->b->columns * sizeof *l->at_state);
    return CAROM_OK;
}

/* From the displacements x to the coordinates: the column of a displacement keeps c' as it is. */
static void keep_rates(carom_linear *l)
{
    const int f = l->f, n = l->n;
    for (int k = 0; l->moves && k < f; k++)
        for (int j = 0; j < f; j++) {
            const double s = l->a[k * n + j];
            for (int r = f; r < n; r++)
                l->a[k * n + r] -= s * l->a[(f + j) * n + r];
            for (int r = 0; r < l->outputs; r++)
                l->out[k * l->outputs + r] -= s * l->out[(f + j) * l->outputs + r];
        }
    for (int k = 0; k < n; k++)
        for (int r = 0; r < f; r++)
            l->a[k * n + r] = k == f + r;
}

static carom_status take_differences(carom_linear *l)
{
    const int total = l->n + l->inputs;
    CAROM_TRY(evaluate_state(l));
    l->doubt = 0;
    for (int k = 0; k < total; k++) /* all at the indentations of the state */
        l->steps[k] = step_of(l, k);
    for (int k = 0; k < total; k++) {
        const bool input = k >= l->n;
        double *rate = input ? l->in + (size_t)(k - l->n) * (size_t)l->n : l->a + (size_t)k * (size_t)l->n;
        double *value = input ? l->through + (size_t)(k - l->n) * (size_t)l->outputs
                              : l->out + (size_t)k * (size_t)l->outputs;
        CAROM_TRY(difference(l, k, l->steps[k], rate, value));
    }
    keep_rates(l);
    return evaluate_state(l);
}

/* A change in the step of a difference below this share of the greatest one of its kind is rounding. */
#define ROUNDING 1e-13

/* Of accelerations: rounding that stands in the place of 0 makes LAPACK's balancing scale motions without stiffness up
   until modes have parts of them. */
static void clear_rounding(carom_linear *l)
{
    double most = 0;
    for (int k = 0; k < l->n; k++)
        for (int i = l->f; i < 2 * l->f; i++)
            most = fmax(most, fabs(l->a[k * l->n + i]) * l->steps[k]);
    for (int k = 0; k < l->n; k++)
        for (int i = l->f; i < 2 * l->f; i++)
            if (fabs(l->a[k * l->n + i]) * l->steps[k] < ROUNDING * most)
                l->a[k * l->n + i] = 0;
}

carom_status carom_linear_chart(carom_linear *l)
{
    const int f = l->f;
    carom_linear_set_axes(l);
    carom_linear_rows(l, l->t);
    for (int i = 0; i < f; i++)
        for (int k = 0; k < f; k++)
            l->factors[i + k * f] = l->t[i * f + k];
    memset(l->back, 0, (size_t)f * (size_t)f * sizeof *l->back);
    if (f && !carom_lu_factor(f, l->factors, l->pivot))
        return carom_fail(l->b->ctx, CAROM_ERROR_SOLVER, NULL, "modes: no coordinates tell the motions apart");
    for (int k = 0; k < f; k++) {
        l->back[k + k * f] = 1;
        carom_lu_solve(f, l->factors, l->pivot, l->back + (size_t)k * (size_t)f);
    }
    return CAROM_OK;
}

/* Soft motions are not lost beside stiff contacts where the basis has the eigenvectors of the stiffness: its symmetric
   part is that of the displacements. */
static carom_status turn_basis(carom_linear *l)
{
    carom_balance *b = l->b;
    const int f = l->f;
    for (int i = 0; i < f; i++)
        for (int k = 0; k < f; k++)
            b->eigenvector[i * f + k] = -0.5 * (l->a[i * l->n + f + k] + l->a[k * l->n + f + i]);
    CAROM_TRY(carom_symmetric_eigen(b->ctx, f, b->eigenvector, b->eigenvalue));
    for (int c = 0; c < f; c++)
        carom_balance_motion(b, b->eigenvector + (size_t)c * (size_t)f, b->vt + (size_t)c * (size_t)b->columns);
    memcpy(b->basis, b->vt, (size_t)f * (size_t)b->columns * sizeof *b->basis);
    memset(b->eigenvector, 0, (size_t)f * (size_t)f * sizeof *b->eigenvector);
    for (int c = 0; c < f; c++)
        b->eigenvector[c * f + c] = 1;
    return carom_linear_chart(l);
}

/* The state of the balance as that beside which it is linear. */
static void take_state(carom_linear *l, const double *v)
{
    const carom_balance *b = l->b;
    memcpy(l->q, b->s->q, (size_t)b->s->layout.positions * sizeof *l->q);
    memcpy(l->states, states_of(l), (size_t)l->more * sizeof *l->states);
    if ((l->moves = v != NULL))
        memcpy(l->v, v, (size_t)b->columns * sizeof *l->v);
}

carom_status carom_linear_create(carom_analysis *a, carom_balance *b, carom_linear *out)
{
    const carom_model *m = b->m;
    *out = (carom_linear){.b = b, .f = b->width, .more = further(m), .outputs = m->output_count};
    out->n = 2 * out->f + out->more;
    out->speed = m->speed_scale;
    out->input = carom_arena_alloc(&a->arena, (size_t)m->input_count, sizeof *out->input);
    if (!out->input)
        return carom_fail_memory(a->ctx);
    for (int k = 0; k < m->input_count; k++)
        if (!a->records || !a->records[k].n)
            out->input[out->inputs++] = k;
    CAROM_TRY(allocate(a, out));
    return carom_linear_choose(a, out);
}

carom_status carom_linear_make(carom_linear *l, const double *v)
{
    take_state(l, v);
    CAROM_TRY(carom_linear_chart(l));
    CAROM_TRY(take_differences(l));
    CAROM_TRY(turn_basis(l));
    CAROM_TRY(take_differences(l));
    clear_rounding(l);
    return CAROM_OK;
}

double carom_linear_acceleration(const carom_linear *l)
{
    double length, angle;
    carom_balance_motion(l->b, l->here + l->f, l->step);
    carom_balance_reach(l->b, l->step, &length, &angle);
    memset(l->step, 0, (size_t)l->b->columns * sizeof *l->step);
    return fmax(length, angle * l->b->m->length_scale);
}
