/* Motions that keep the constraints at every evaluation. Dopri5 integrates; each state that it asks for is first closed
   onto the constraints by ode.project, and so are those of its ends, root functions and interpolation: positions and
   velocities are those that the constraints ask for, to rounding, near the ones that were integrated, and on their
   branch. Where nothing is left free they are those of kinematics; else the independent ones are as integrated.
   source: Nikravesh 1988, Computer-Aided Analysis of Mechanical Systems, chapter 3; Haug 1989, Computer Aided
   Kinematics and Dynamics of Mechanical Systems, section 4.3 (continuation). */
#include "integrate/integrator.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Of a step that failed, the part that is tried next, and units of rounding of the time that a step must have. */
#define SHORTER 0.2
#define LEAST_STEP (16 * DBL_EPSILON)

typedef struct closing_integrator {
    carom_integrator base;
    carom_integrator *inner; /* of the rates at the positions that the constraints ask for */
    double *block, *moved;   /* base.y, and a state moved onto the constraints */
    double *tolerance;
    int *direction;
    double relative, max_step;
    double failed; /* [s] where a state could not be closed or evaluated in the last step; else -infinity */
    bool fresh; /* the inner one has been restarted at the present state */
} closing_integrator;

/* The state that the constraints ask for at t, near y. */
static int close_state(closing_integrator *self, double t, const double *y)
{
    const carom_ode *ode = &self->base.ode;
    memcpy(self->moved, y, (size_t)ode->size * sizeof *y);
    return ode->project(ode->user, t, self->moved, NULL);
}

static int rates(void *user, double t, const double *y, double *rate)
{
    closing_integrator *self = user;
    int result = close_state(self, t, y);
    result = result ? result : self->base.ode.rhs(self->base.ode.user, t, self->moved, rate);
    self->failed = result ? t : self->failed;
    return result;
}

static int roots(void *user, double t, const double *y, double *values)
{
    closing_integrator *self = user;
    const int result = close_state(self, t, y);
    return result ? result : self->base.ode.roots(self->base.ode.user, t, self->moved, values);
}

static void destroy(carom_integrator *base)
{
    closing_integrator *self = (closing_integrator *)base;
    const size_t n = (size_t)base->ode.size, r = (size_t)base->ode.root_count;
    if (self->inner)
        self->inner->kind->destroy(self->inner);
    carom_release(base->ctx, self->block, 3 * n, sizeof(double));
    carom_release(base->ctx, self->direction, r, sizeof(int));
    carom_release(base->ctx, base->root_found, r, sizeof(int));
    carom_release(base->ctx, self, 1, sizeof *self);
}

static carom_status create(carom_context *ctx, const carom_integrator_kind *kind, const carom_ode *ode,
                           carom_integrator **out)
{
    closing_integrator *self = carom_allocate(ctx, 1, sizeof *self);
    if (!self)
        return carom_fail_memory(ctx);
    const size_t n = (size_t)ode->size, r = (size_t)ode->root_count;
    self->base = (carom_integrator){.ctx = ctx, .kind = kind, .ode = *ode};
    self->block = carom_allocate(ctx, 3 * n, sizeof(double));
    self->direction = carom_allocate(ctx, r, sizeof(int));
    self->base.root_found = carom_allocate(ctx, r, sizeof(int));
    const carom_integrator_kind *method = &carom_integrator_dopri5;
    carom_ode inner = *ode;
    inner.user = self;
    inner.rhs = rates;
    inner.roots = roots;
    carom_status status = self->block && self->direction && self->base.root_found ? CAROM_OK : carom_fail_memory(ctx);
    if (status == CAROM_OK)
        status = method->create(ctx, method, &inner, &self->inner);
    if (status != CAROM_OK) {
        destroy(&self->base);
        return status;
    }
    self->base.y = self->block;
    self->moved = self->block + n;
    self->tolerance = self->block + 2 * n;
    *out = &self->base;
    return CAROM_OK;
}

static bool restart(carom_integrator *base, double t, const double *y, double relative, const double *tolerance,
                    const int *direction, double first_step, double max_step)
{
    closing_integrator *self = (closing_integrator *)base;
    const size_t n = (size_t)base->ode.size;
    memcpy(self->tolerance, tolerance, n * sizeof *tolerance);
    memcpy(self->direction, direction, (size_t)base->ode.root_count * sizeof *direction);
    self->relative = relative;
    self->max_step = max_step;
    base->message[0] = '\0';
    base->t = base->t_before = t;
    if (close_state(self, t, y) != 0)
        return false;
    memcpy(base->y, self->moved, n * sizeof *y);
    self->fresh = true;
    return self->inner->kind->restart(self->inner, t, base->y, relative, tolerance, direction, first_step, max_step);
}

/* A step from the present state, of the length `first_step` or less. */
static carom_step_result begin_step(closing_integrator *self, double first_step, double stop)
{
    const carom_integrator *base = &self->base;
    carom_integrator *inner = self->inner;
    if (!self->fresh && !inner->kind->restart(inner, base->t, base->y, self->relative, self->tolerance,
                                              self->direction, first_step, self->max_step))
        return CAROM_STEP_FAILED;
    self->fresh = false;
    self->failed = -HUGE_VAL;
    return inner->kind->step(inner, stop);
}

static carom_step_result step(carom_integrator *base, double stop)
{
    closing_integrator *self = (closing_integrator *)base;
    carom_integrator *inner = self->inner;
    base->t_before = base->t;
    carom_step_result result = begin_step(self, base->next_step, stop);
    /* the method does not shorten a step whose stages cannot be closed */
    while (result == CAROM_STEP_FAILED && self->failed > base->t + LEAST_STEP * fmax(fabs(base->t), fabs(stop)))
        result = begin_step(self, SHORTER * (self->failed - base->t), stop);
    memcpy(base->message, inner->message, sizeof base->message);
    if (result == CAROM_STEP_FAILED)
        return result;
    if (result == CAROM_STEP_ROOT)
        memcpy(base->root_found, inner->root_found, (size_t)base->ode.root_count * sizeof *base->root_found);
    base->t = inner->t;
    base->next_step = inner->next_step;
    base->evaluations = inner->evaluations;
    base->rates = CAROM_RATES_ELSEWHERE;
    if (close_state(self, base->t, inner->y) != 0)
        return CAROM_STEP_FAILED;
    memcpy(base->y, self->moved, (size_t)base->ode.size * sizeof *base->y);
    return result;
}

static bool interpolate(carom_integrator *base, double t, int count, double *y)
{
    closing_integrator *self = (closing_integrator *)base;
    if (!self->inner->kind->interpolate(self->inner, t, base->ode.size, self->moved) ||
        base->ode.project(base->ode.user, t, self->moved, NULL) != 0)
        return false;
    memcpy(y, self->moved, (size_t)count * sizeof *y);
    return true;
}

#define CLOSING(label)                                                                                \
    {                                                                                                 \
        .kind = {.name = label}, .order = 5, .projects = true, .can_project = true, .create = create, \
        .destroy = destroy, .restart = restart, .step = step, .interpolate = interpolate              \
    }

const carom_integrator_kind carom_integrator_kinematic = CLOSING("kinematics");
const carom_integrator_kind carom_integrator_closing = CLOSING("dopri5");
