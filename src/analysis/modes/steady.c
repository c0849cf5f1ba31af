/* Whether a motion is a steady one: its coordinates go on at the same rates, and the linear system beside it stays the
   same. It is looked at a little later on the way on which the rates of the coordinates are constant, which is followed
   by the midpoint rule, as no forces are in it.
   Source: Wittenburg 2008, Dynamics of Multibody Systems, chapter 2; Greenwood 2003, Advanced Dynamics, chapter 2
   (steady motions). */
#include "analysis/modes/modes.h"

#include <math.h>
#include <string.h>

/* How far the bodies go: turns [rad], lengths of the model; and the steps in which they do. */
#define WAY 1e-3
#define STEPS 4
/* Share by which the linear system changes on that way; the midpoint rule makes 1e-11 of the model's length. */
#define CHANGES 1e-5

/* What is put back. */
typedef struct kept {
    double *q, *v, *states, *basis, *eigenvector, time;
    int width;
} kept;

/* What slides does not hold. */
static void set_sticking(carom_balance *b)
{
    carom_joint_friction_switches(b->d, b->s, true);
    for (int k = 0; k < b->m->contact_count; k++) {
        const carom_model_contact *c = &b->m->contacts[k];
        if (c->friction && c->friction->set_valued && b->s->located[k].open &&
            carom_v3_norm(b->d->contacts[k].slip) > CAROM_KIND_CALL(c->friction, stick_speed, c->friction_constants))
            b->s->located[k].stick = CAROM_SLIPPING;
    }
}

carom_status carom_linear_settle(carom_balance *b, const double *v, bool *found)
{
    CAROM_TRY(carom_balance_evaluate(b, found));
    memcpy(b->s->v, v, (size_t)b->columns * sizeof *v);
    if (*found) {
        carom_state_pose(b->d, b->s);
        set_sticking(b);
        *found = carom_system_evaluate(b->d, b->s, *b->s->time, b->s->q);
    }
    return CAROM_OK;
}

static carom_status keep(carom_analysis *a, const carom_linear *l, kept *out)
{
    const carom_balance *b = l->b;
    const size_t places = (size_t)b->s->layout.positions, n = (size_t)b->columns, w = (size_t)b->width;
    *out = (kept){.q = carom_arena_alloc(&a->arena, places, sizeof(double)),
                  .v = carom_arena_alloc(&a->arena, n, sizeof(double)),
                  .basis = carom_arena_alloc(&a->arena, n * w, sizeof(double)),
                  .eigenvector = carom_arena_alloc(&a->arena, w * w + w, sizeof(double)),
                  .time = *b->s->time,
                  .width = b->width};
    if (!out->q || !out->v || !out->basis || !out->eigenvector)
        return carom_fail_memory(a->ctx);
    memcpy(out->q, l->q, places * sizeof *out->q);
    memcpy(out->v, l->v, n * sizeof *out->v);
    memcpy(out->basis, b->basis, n * w * sizeof *out->basis);
    memcpy(out->eigenvector, b->eigenvector, w * w * sizeof(double));
    memcpy(out->eigenvector + w * w, b->eigenvalue, w * sizeof(double));
    return CAROM_OK;
}

static carom_status put_back(carom_linear *l, const kept *from)
{
    carom_balance *b = l->b;
    const size_t n = (size_t)b->columns, w = (size_t)from->width;
    bool found;
    *b->s->time = from->time;
    memcpy(b->s->q, from->q, (size_t)b->s->layout.positions * sizeof(double));
    CAROM_TRY(carom_linear_settle(b, from->v, &found));
    b->width = from->width;
    memcpy(b->basis, from->basis, n * w * sizeof(double));
    memcpy(b->eigenvector, from->eigenvector, w * w * sizeof(double));
    memcpy(b->eigenvalue, from->eigenvector + w * w, w * sizeof(double));
    return CAROM_OK;
}

static carom_status settle_here(carom_linear *l, bool *found)
{
    memcpy(l->step, l->b->s->v, (size_t)l->b->columns * sizeof *l->step);
    return carom_linear_settle(l->b, l->step, found);
}

/* Positions from `from` by the velocities v in h, and there the velocities with the rates of the coordinates. */
static carom_status advance(carom_linear *l, const double *from, const double *v, double h, const double *rates,
                            bool *found)
{
    carom_balance *b = l->b;
    carom_state *s = b->s;
    const carom_formulation *f = b->d->system->formulation;
    for (int k = 0; k < b->columns; k++)
        l->step[k] = h * v[k];
    memcpy(s->q, from, (size_t)s->layout.positions * sizeof *s->q);
    f->retract(b->m, l->step, s->q);
    f->normalise(b->m, s->q);
    *found = f->project(b->d, s, *s->time, s->q, s->v, 1e-14, 20);
    if (*found)
        CAROM_TRY(settle_here(l, found));
    if (!*found)
        return CAROM_OK;
    CAROM_TRY(carom_balance_motions(b));
    if (!(*found = b->width == l->f))
        return CAROM_OK;
    CAROM_TRY(carom_linear_chart(l));
    carom_linear_own_rates(l, l->own_rate);
    for (int i = 0; i < l->f; i++)
        l->own_rate[i] = rates[i] - l->own_rate[i];
    carom_linear_in_basis(l, l->own_rate, l->own_acceleration);
    carom_balance_motion(b, l->own_acceleration, l->step);
    for (int i = 0; i < b->columns; i++)
        s->v[i] += l->step[i];
    return settle_here(l, found);
}

/* To the state after the time `span`. */
static carom_status go(carom_linear *ahead, double *from, double *v, const double *rates, double span, bool *found)
{
    carom_balance *b = ahead->b;
    carom_state *s = b->s;
    const double h = span / STEPS;
    for (int k = 0; k < 2 * STEPS; k++) {
        if (k % 2 == 0)
            memcpy(from, s->q, (size_t)s->layout.positions * sizeof *from);
        memcpy(v, s->v, (size_t)b->columns * sizeof *v);
        *s->time += h / 2;
        CAROM_TRY(advance(ahead, from, v, k % 2 ? h : h / 2, rates, found));
        if (!*found)
            return CAROM_OK;
    }
    return carom_balance_motions(b);
}

double carom_linear_speed(const carom_linear *l)
{
    double length, angle;
    carom_balance_reach(l->b, l->v, &length, &angle);
    return fmax(length / l->b->m->length_scale, angle);
}

/* Accelerations of the coordinates by these and by their rates: the largest difference, of the largest one. */
static carom_status compare(carom_analysis *a, const carom_linear *now, carom_linear *then, double rate, bool *same)
{
    const int f = now->f, n = now->n;
    const size_t size = (size_t)n * (size_t)n;
    carom_linear named = *now;
    if (!(named.a = carom_arena_alloc(&a->arena, size, sizeof *named.a)))
        return carom_fail_memory(a->ctx);
    memcpy(named.a, now->a, size * sizeof *named.a);
    named.inputs = named.outputs = then->inputs = then->outputs = 0;
    carom_linear_take_names(&named);
    carom_linear_take_names(then);
    for (int half = 0; half < 2; half++) {
        double most = half ? rate : rate * rate, change = 0;
        for (int k = 0; k < f; k++)
            for (int i = 0; i < f; i++) {
                const size_t at = (size_t)(half * f + k) * (size_t)n + (size_t)(f + i);
                const double scale = carom_linear_scale(now, now->chosen[i]) / carom_linear_scale(now, now->chosen[k]);
                most = fmax(most, scale * fabs(named.a[at]));
                change = fmax(change, scale * fabs(named.a[at] - then->a[at]));
            }
        *same = *same && change <= CHANGES * most;
    }
    return CAROM_OK;
}

/* Whether coordinates that do not accelerate do not do so later, and the system beside them is the same. */
static carom_status look(carom_analysis *a, carom_linear *l, carom_linear *ahead, const kept *base, bool *same)
{
    carom_balance *b = l->b;
    const size_t places = (size_t)b->s->layout.positions, columns = (size_t)b->columns;
    double *rates = carom_arena_alloc(&a->arena, (size_t)l->f, sizeof *rates);
    double *from = carom_arena_alloc(&a->arena, places, sizeof *from);
    double *v = carom_arena_alloc(&a->arena, columns, sizeof *v);
    if (!rates || !from || !v)
        return carom_fail_memory(a->ctx);
    const double rate = carom_linear_speed(l);
    carom_linear_own_rates(l, rates);
    CAROM_TRY(go(ahead, from, v, rates, WAY / rate, same));
    *same = *same && b->width == l->f;
    if (*same) {
        memcpy(v, b->s->v, columns * sizeof *v);
        CAROM_TRY(carom_linear_make(ahead, v));
        CAROM_TRY(compare(a, l, ahead, rate, same));
        const double change = carom_linear_acceleration(ahead) - carom_linear_acceleration(l);
        *same = *same && change <= CHANGES * rate * rate * b->m->length_scale;
    }
    return put_back(l, base);
}

/* In the axes of `l`; leaves what is kept of it in `base`. */
static carom_status look_in(carom_analysis *a, carom_linear *l, carom_linear *ahead, kept *base, double small,
                            bool *steady)
{
    CAROM_TRY(keep(a, l, base));
    *steady = carom_linear_acceleration(l) <= small;
    return *steady ? look(a, l, ahead, base, steady) : CAROM_OK;
}

carom_status carom_linear_steady(carom_analysis *a, carom_linear *l, double small, bool *steady)
{
    kept base;
    carom_linear ahead;
    CAROM_TRY(carom_linear_create(a, l->b, &ahead));
    memcpy(ahead.chosen, l->chosen, (size_t)l->f * sizeof *l->chosen);
    for (int body = 0; body < l->b->m->body_count; body++)
        l->home[body] = ahead.home[body] = l->b->d->pose[body + 1].axes;
    const int inputs = ahead.inputs, outputs = ahead.outputs;
    CAROM_TRY(look_in(a, l, &ahead, &base, small, steady));
    for (int k = CAROM_LINEAR_TURNS; k <= CAROM_LINEAR_BODIES && !*steady && carom_linear_spins(l); k++) {
        l->axes_of = ahead.axes_of = (carom_linear_axes)k;
        ahead.inputs = inputs;
        ahead.outputs = outputs;
        CAROM_TRY(carom_linear_make(l, base.v));
        CAROM_TRY(look_in(a, l, &ahead, &base, small, steady));
    }
    if (*steady || l->axes_of == CAROM_LINEAR_WORLD)
        return CAROM_OK;
    l->axes_of = CAROM_LINEAR_WORLD;
    return carom_linear_make(l, base.v);
}
