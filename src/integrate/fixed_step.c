/* Fixed steps: one driver for the methods that only know how to make a step of given length. It finds roots by stepping
   exactly to them, and interpolates by the cubic Hermite polynomial of both ends. */
#include "integrate/integrator.h"
#include "math/hermite.h"

#include <stdio.h>
#include <string.h>

typedef struct fixed_integrator {
    carom_integrator base;
    double step;
    double *block;              /* all arrays below, and base.y */
    size_t block_size;
    double *y_before, *f_before, *f, *y_try, *work;     /* these and base.y change places from step to step */
    double *roots_before, *roots_now, *roots_try;
    carom_rates rates;          /* for a method from outside */
    int *direction;
} fixed_integrator;

carom_status carom_fixed_create(carom_context *ctx, const carom_integrator_kind *kind, const carom_ode *ode,
                                carom_integrator **out)
{
    fixed_integrator *self = carom_allocate(ctx, 1, sizeof *self);
    if (!self)
        return carom_fail_memory(ctx);
    size_t n = (size_t)ode->size, r = (size_t)ode->root_count;
    self->base = (carom_integrator){.ctx = ctx, .kind = kind, .ode = *ode};
    self->rates = (carom_rates){ode->rhs, ode->user};
    const size_t vectors = 5 + (kind->outside ? (size_t)kind->outside->vectors : 5);
    self->block_size = vectors * n + 3 * r;
    self->block = carom_allocate(ctx, self->block_size, sizeof(double));
    self->direction = carom_allocate(ctx, r, sizeof(int));
    self->base.root_found = carom_allocate(ctx, r, sizeof(int));
    if (!self->block || !self->direction || !self->base.root_found) {
        carom_fixed_destroy(&self->base);
        return carom_fail_memory(ctx);
    }
    double *p = self->block;
    self->base.y = p;
    self->y_before = p + n;
    self->f_before = p + 2 * n;
    self->f = p + 3 * n;
    self->y_try = p + 4 * n;
    self->work = p + 5 * n;
    self->roots_before = p + vectors * n;
    self->roots_now = self->roots_before + r;
    self->roots_try = self->roots_now + r;
    *out = &self->base;
    return CAROM_OK;
}

void carom_fixed_destroy(carom_integrator *base)
{
    fixed_integrator *self = (fixed_integrator *)base;
    carom_release(base->ctx, self->block, self->block_size, sizeof(double));
    carom_release(base->ctx, self->direction, (size_t)base->ode.root_count, sizeof(int));
    carom_release(base->ctx, base->root_found, (size_t)base->ode.root_count, sizeof(int));
    carom_release(base->ctx, self, 1, sizeof *self);
}

/* One step of the method from y_before to y_try. */
static int make_step(fixed_integrator *self, double t, double h)
{
    const carom_ode *ode = &self->base.ode;
    const carom_integrator_kind_def *outside = self->base.kind->outside;
    if (!outside)
        return self->base.kind->method(ode, t, self->y_before, self->f_before, h, self->y_try, self->work);
    memcpy(self->y_try, self->y_before, (size_t)ode->size * sizeof *self->y_try);
    return outside->step(outside->kind.user, &self->rates, t, h, (size_t)ode->size, self->y_try, self->f_before,
                         self->work);
}

static bool evaluate(fixed_integrator *self, double t, const double *y, double *f, double *roots)
{
    const carom_ode *ode = &self->base.ode;
    if (ode->rhs(ode->user, t, y, f) != 0)
        return false;
    return !ode->root_count || ode->roots(ode->user, t, y, roots) == 0;
}

bool carom_fixed_restart(carom_integrator *base, double t, const double *y, double relative, const double *tolerance,
                         const int *direction, double first_step, double max_step)
{
    (void)relative;
    (void)tolerance;
    (void)first_step;
    fixed_integrator *self = (fixed_integrator *)base;
    memcpy(base->y, y, (size_t)base->ode.size * sizeof *y);
    memcpy(self->direction, direction, (size_t)base->ode.root_count * sizeof(int));
    base->t = base->t_before = t;
    base->rates = CAROM_RATES_ELSEWHERE;
    self->step = max_step;
    base->message[0] = '\0';
    return evaluate(self, t, base->y, self->f, self->roots_now);
}

/* The trial state after h, and its root functions. */
static int reach(void *user, double h)
{
    fixed_integrator *self = user;
    const carom_ode *ode = &self->base.ode;
    return make_step(self, self->base.t, h) != 0 ||
           ode->roots(ode->user, self->base.t + h, self->y_try, self->roots_try) != 0;
}

static void exchange(double **a, double **b)
{
    double *const former = *a;
    *a = *b;
    *b = former;
}

/* What was the present state and its rates is before the step now. */
static void begin(fixed_integrator *self)
{
    exchange(&self->y_before, &self->base.y);
    exchange(&self->f_before, &self->f);
    memcpy(self->roots_before, self->roots_now, (size_t)self->base.ode.root_count * sizeof(double));
    self->base.t_before = self->base.t;
}

/* A step that could not be made: the state before it is the present one again. */
static carom_step_result gone_back(fixed_integrator *self)
{
    carom_integrator *base = &self->base;
    const size_t bytes = (size_t)base->ode.size * sizeof(double);
    snprintf(base->message, sizeof base->message, "the right-hand side could not be evaluated near t = %.6g s",
             base->t);
    memcpy(base->y, self->y_before, bytes);
    memcpy(self->f, self->f_before, bytes);
    base->t = base->t_before;
    return CAROM_STEP_FAILED;
}

carom_step_result carom_fixed_step(carom_integrator *base, double stop)
{
    fixed_integrator *self = (fixed_integrator *)base;
    const carom_ode *ode = &base->ode;
    const size_t r = (size_t)ode->root_count;
    double h = self->step;
    bool stops = base->t + h * (1 + 1e-9) >= stop;
    if (stops)
        h = stop - base->t;
    begin(self);
    if (make_step(self, base->t, h) != 0 ||
        (r && ode->roots(ode->user, base->t + h, self->y_try, self->roots_now) != 0))
        return gone_back(self);
    carom_step_result result = stops ? CAROM_STEP_STOP : CAROM_STEP_DONE;
    const carom_crossing crossing = {.count = ode->root_count,
                                     .direction = self->direction,
                                     .before = self->roots_before,
                                     .now = self->roots_try,
                                     .reach = reach,
                                     .user = self};
    if (carom_crossing_first(&crossing, self->roots_now) >= 0) {
        memcpy(self->roots_try, self->roots_now, r * sizeof(double));
        h = carom_crossing_locate(&crossing, base->t, h);
        if (h < 0)
            return gone_back(self);
        for (int k = 0; k < ode->root_count; k++)
            base->root_found[k] = carom_crossing_of(&crossing, k, self->roots_try);
        memcpy(self->roots_now, self->roots_try, r * sizeof(double));
        result = CAROM_STEP_ROOT;
        stops = false;
    }
    base->t = stops ? stop : base->t + h;
    exchange(&base->y, &self->y_try);
    if ((ode->arrive ? ode->arrive(ode->user, base->t_before, self->y_before, base->t, base->y, self->f)
                     : ode->rhs(ode->user, base->t, base->y, self->f)) != 0)
        return gone_back(self);
    /* those of a step with impulses lack the forces of its contacts */
    base->rates = base->kind->rigid ? CAROM_RATES_ELSEWHERE : CAROM_RATES_AT_END;
    const int corrected =
        base->kind->correct ? base->kind->correct(ode, self->y_before, self->f_before, h, self->f, base->y) : 0;
    if (corrected < 0)
        return gone_back(self);
    if (corrected)
        base->rates = CAROM_RATES_PREDICTED;
    return result;
}

bool carom_fixed_interpolate(carom_integrator *base, double t, int count, double *y)
{
    fixed_integrator *self = (fixed_integrator *)base;
    const carom_ode *ode = &base->ode;
    if (ode->arrive && ode->arrive_leaves_positions &&
        (ode->position_rate(ode->user, self->y_before, self->y_before + ode->position_count, self->f_before) != 0 ||
         ode->position_rate(ode->user, base->y, base->y + ode->position_count, self->f) != 0))
        return false;
    if (base->kind->rigid) { /* velocities jump within it */
        const double share = (t - base->t_before) / (base->t - base->t_before);
        for (int k = 0; k < count; k++)
            y[k] = self->y_before[k] + share * (base->y[k] - self->y_before[k]);
        return true;
    }
    carom_hermite_interpolate(t, base->t_before, base->t, count, self->y_before, self->f_before, base->y, self->f, y);
    return true;
}
