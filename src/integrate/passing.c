/* Passages of positions where rows of constraints come to depend on each other. Of a row that has the share p of itself
   a state off the constraints by e is closed by e/p, and beside such a position neither does a corrector converge nor
   can stages of a step be closed, which are off by their own low order. The motion itself is smooth there. From a weak
   row on Dopri5, with each state closed, goes on in the place of the method, by thirds of the way to the position. From
   a few of these states the motion is extrapolated by Hermite's polynomial to the other side, as far behind it as it
   was before, where it must close within the estimate of the polynomial's error: then it is on the branch that it came
   on. Where it cannot be extrapolated until the row is all but gone, the method gives up.
   source: Hairer, Norsett and Wanner 1993, Solving Ordinary Differential Equations I, sections II.5 (Dopri5), II.6
   (Hermite's polynomial). */
#include "integrate/integrator.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Shares of the strongest pivot seen: below the first one is weak, above the second strong again; below the third a
   method that fails has failed for that, below the fourth the motion is extrapolated, and below the last it is too late
   for that. */
#define WEAK 0.2
#define STRONG 0.25
#define DOUBTFUL 0.6
#define CLOSE 0.12
#define LOST 3e-3
/* Part of the way to the position that a step goes. */
#define PART 0.35
/* Steps of the method within which it would come to the position, from which on it goes the same way. */
#define SOON 5
/* Share below which stages of the method, where the rows were factored last, do not tell it. */
#define FRESH 0.9
/* Steps in a row with strong pivots that end a passage: at the position itself the row that depends on others is left
   out, and no pivot is weak. */
#define STRONG_STEPS 2
/* Steps after which the method has another try, whatever the pivots are. */
#define LONGEST 400
/* States that the polynomial goes through, with their rates. */
#define NODES 4
/* How far they lie apart at least, of the way to the position. */
#define SPACING 0.35
/* Share behind the position, of that before it, at which it is passed; else the extrapolation is tried so many times,
   each so much longer. */
#define BEHIND 0.4
#define LEAPS 3
#define LONGER 1.7
/* Local tolerances that the polynomial may be off. */
#define MOST 1e4
/* Nearer by, the error is less until rounding makes it: the extrapolation waits until it is below the first number, or
   has not fallen to that part of what it was. */
#define FINE 3
#define FALLS 0.3
/* Units of rounding of a number below which no difference counts. */
#define ROUNDING 1e5
/* How far the state may be off the constraints behind the position: local tolerances, or times the estimated error. */
#define FARTHEST 30
#define SAFETY 10
/* Parts of the share from which the position is told, and of the way to it how much what they tell may differ;
   less so, where the position is not near in steps of the method. */
#define MARKS 0.85
#define KEEPS 0.5
#define SURE 0.25
/* Part of a step within which no share falls to 0. */
#define JUMP 1e-5
/* Change of a share that is told from rounding. */
#define NOISE 1e-9

enum { MAIN, OVER, METHODS };

/* What restarts and checkpoints keep: the last numbers of ode.memory. */
typedef struct passing_memory {
    double strongest;           /* pivot seen */
    double steps;               /* of the passage, 0: there is none; negative: the last one was too long */
    double strong;              /* steps with strong pivots, in a row */
    double least;               /* share from which on pivots are strong in this passage */
} passing_memory;

_Static_assert(sizeof(passing_memory) == CAROM_PASSING_MEMORY * sizeof(double), "the state has room for it");

typedef struct passing_integrator {
    carom_integrator base;
    carom_integrator *methods[METHODS];
    int active, stepped;        /* method of the next step, and of the last one */
    passing_memory *memory, own;
    double *block;              /* base.y and the arrays below */
    size_t block_size;
    double *tolerance, *other, *landed, *roots_before, *roots_now;
    double *state[NODES], *rate[NODES], time[NODES]; /* the newest first */
    int nodes;
    int *direction;
    double relative, max_step;
    bool fresh;                 /* the active method has been restarted at the present state */
    double share, mark;         /* of the pivot at the last end of a step, and that from which was told: */
    double told, zero;          /* [s] where it would be 0; where that has been told twice, else -infinity */
    double apart;               /* how far it was told apart, of the way there */
    int rises;                  /* steps in a row in which it did not fall */
    double length;              /* [s] of the last step */
    double estimate;            /* of the last extrapolation that was tried */
    double leap_end;            /* [s] of the extrapolation that is under way */
    bool leaped;                /* the last step was a part of it */
} passing_integrator;

static void destroy(carom_integrator *base)
{
    passing_integrator *self = (passing_integrator *)base;
    for (int k = 0; k < METHODS; k++)
        if (self->methods[k])
            self->methods[k]->kind->destroy(self->methods[k]);
    carom_release(base->ctx, self->block, self->block_size, sizeof(double));
    carom_release(base->ctx, self->direction, (size_t)base->ode.root_count, sizeof(int));
    carom_release(base->ctx, base->root_found, (size_t)base->ode.root_count, sizeof(int));
    carom_release(base->ctx, self, 1, sizeof *self);
}

/* ---- the way to a position ---- */

/* Tells from the fall of the share where it will be 0. A share that turns tells another time each time: what counts is
   told twice, a part of the share apart. */
static void watch(passing_integrator *self, double share, double h)
{
    const double fell = self->share - share;
    const bool known = self->share > 0 && fabs(fell) > NOISE; /* else it is rounding */
    self->share = share;
    if (!known)
        return;
    self->rises = fell > 0 ? 0 : self->rises + 1;
    if (self->rises > 1) {
        self->mark = 0;
        self->zero = self->told = -HUGE_VAL;
    }
    if (self->rises > 0 || (self->mark > 0 && share > MARKS * self->mark))
        return;
    const double zero = self->base.t + share * h / fell;
    /* one that jumps is told again before it counts */
    self->apart = fabs(zero - self->told) / (fmax(zero, self->told) - self->base.t);
    if (self->mark > 0 && self->apart < KEEPS)
        self->zero = zero;
    self->told = zero;
    self->mark = share;
}

/* Forgets it, behind a position or at a new state. */
static void forget(passing_integrator *self)
{
    self->share = self->mark = 0;
    self->zero = self->told = -HUGE_VAL;
    self->rises = 0;
    self->nodes = 0;
    self->estimate = HUGE_VAL;
}

/* [s] to the position as it was told last; infinite where none is told. */
static double time_left(const passing_integrator *self)
{
    /* a share that jumped down is not about to be 0 */
    const double left = self->told - self->base.t;
    return left > JUMP * self->length && left > 1e3 * DBL_EPSILON * fabs(self->base.t) ? left : HUGE_VAL;
}

/* ---- the method in use ---- */

/* Takes a method, and says whether the rows may yield to it. */
static void take_method(passing_integrator *self, int method)
{
    self->active = method;
    if (self->base.ode.passes)
        self->base.ode.passes(self->base.ode.user, method == OVER);
}

static bool restart_active(passing_integrator *self, double first_step)
{
    carom_integrator *active = self->methods[self->active];
    self->fresh = active->kind->restart(active, self->base.t, self->base.y, self->relative, self->tolerance,
                                        self->direction, first_step, self->max_step);
    memcpy(self->base.message, active->message, sizeof self->base.message);
    return self->fresh;
}

static bool restart(carom_integrator *base, double t, const double *y, double relative, const double *tolerance,
                    const int *direction, double first_step, double max_step)
{
    passing_integrator *self = (passing_integrator *)base;
    const size_t n = (size_t)base->ode.size;
    memcpy(base->y, y, n * sizeof *y);
    memcpy(self->tolerance, tolerance, n * sizeof *tolerance);
    memcpy(self->direction, direction, (size_t)base->ode.root_count * sizeof *direction);
    self->relative = relative;
    self->max_step = max_step;
    base->t = base->t_before = t;
    base->rates = CAROM_RATES_ELSEWHERE;
    take_method(self, self->memory->steps > 0 ? OVER : MAIN);
    self->length = 0;
    forget(self);
    self->leap_end = -HUGE_VAL;
    self->leaped = false;
    return restart_active(self, first_step);
}

/* ---- extrapolation ---- */

/* y at t of the polynomial through the newest `count` nodes. */
static void extrapolate(const passing_integrator *self, double t, int count, int size, double *y)
{
    memcpy(y, self->state[0], (size_t)size * sizeof *y);
    for (int i = 0; i < count; i++) {
        double basis = 1, slope = 0;
        for (int k = 0; k < count; k++)
            if (k != i) {
                basis *= (t - self->time[k]) / (self->time[i] - self->time[k]);
                slope += 1 / (self->time[i] - self->time[k]);
            }
        const double moves = basis * basis * (t - self->time[i]);
        const double stays = basis * basis - 2 * slope * moves;
        for (int k = 0; k < size; k++)
            y[k] += stays * (self->state[i][k] - self->state[0][k]) + moves * self->rate[i][k];
    }
}

static double weight(const passing_integrator *self, const double *y, int k)
{
    return self->relative * fabs(y[k]) + self->tolerance[k];
}

/* Root mean square of the difference of two states in local tolerances, which are taken for no less than what rounding
   makes of states beside the position. */
static double distance(const passing_integrator *self, const double *a, const double *b)
{
    const carom_ode *ode = &self->base.ode;
    double sum = 0, least = 1;
    for (int k = 0; k < ode->coupled_count; k++) {
        const double d = (a[k] - b[k]) / weight(self, b, k);
        sum += d * d;
    }
    for (int k = 0; ode->rounding && k < ode->position_count; k++)
        if (isfinite(ode->rounding[k]))
            least = fmax(least, ROUNDING * ode->rounding[k] / weight(self, b, k));
    return sqrt(sum / ode->coupled_count) / least;
}

static void add_node(passing_integrator *self)
{
    double *const state = self->state[NODES - 1], *const rate = self->rate[NODES - 1];
    for (int k = NODES - 1; k > 0; k--) {
        self->state[k] = self->state[k - 1];
        self->rate[k] = self->rate[k - 1];
        self->time[k] = self->time[k - 1];
    }
    self->state[0] = state;
    self->rate[0] = rate;
    self->time[0] = self->base.t;
    memcpy(state, self->base.y, (size_t)self->base.ode.size * sizeof *state);
    self->nodes = self->nodes < NODES ? self->nodes + 1 : NODES;
    if (self->base.ode.rhs(self->base.ode.user, self->base.t, state, rate) != 0)
        self->nodes = 0;
}

/* The weakest pivot at the last factorisation, as a share of the strongest seen. */
static double share_of_pivot(passing_integrator *self)
{
    const double pivot = self->base.ode.weakest(self->base.ode.user);
    self->memory->strongest = fmax(self->memory->strongest, pivot);
    return pivot / self->memory->strongest;
}

/* Whether the motion may be extrapolated to `end`, behind the position: the state there is the one that the constraints
   ask for within the estimated error. Puts the share there into `share`. */
static bool may_leap(passing_integrator *self, double end, double *share)
{
    const carom_ode *ode = &self->base.ode;
    double *landed = self->landed, *other = self->other;
    extrapolate(self, end, NODES, ode->size, landed);
    extrapolate(self, end, NODES - 1, ode->size, other);
    const double estimate = distance(self, other, landed);
    const bool best = estimate <= FINE || estimate > FALLS * self->estimate || self->share < 2 * LOST;
    self->estimate = estimate;
    memcpy(other, landed, (size_t)ode->size * sizeof *other);
    const bool closed = best && estimate <= MOST && ode->close(ode->user, end, landed, NULL) == 0;
    *share = closed ? share_of_pivot(self) : 0;
    return closed && distance(self, other, landed) <= fmax(FARTHEST, SAFETY * estimate);
}

/* Begins an extrapolation to about as far behind the position, where it can be made. */
static void plan_leap(passing_integrator *self)
{
    const double t = self->base.t, zero = self->zero > t ? self->zero : self->told;
    const bool near = self->share < CLOSE && zero > t && (zero == self->zero || self->share < CLOSE / 2);
    if (!near || self->nodes < NODES || self->time[0] != t)
        return;
    double length = 2 * (zero - t), share;
    for (int tries = 0; tries < LEAPS; tries++, length *= LONGER) {
        if (!may_leap(self, t + length, &share))
            return;
        if (share > BEHIND * self->share) {
            self->leap_end = t + length;
            return;
        }
    }
}

static int reach(void *user, double h)
{
    passing_integrator *self = user;
    const carom_ode *ode = &self->base.ode;
    extrapolate(self, self->base.t_before + h, NODES, ode->size, self->base.y);
    return ode->root_count ? ode->roots(ode->user, self->base.t_before + h, self->base.y, self->roots_now) : 0;
}

static carom_step_result leap(passing_integrator *self, double stop)
{
    carom_integrator *base = &self->base;
    const carom_ode *ode = &base->ode;
    const double end = fmin(stop, self->leap_end);
    carom_step_result result = end == stop ? CAROM_STEP_STOP : CAROM_STEP_DONE;
    const carom_crossing crossing = {.count = ode->root_count, .direction = self->direction,
                                     .before = self->roots_before, .now = self->roots_now, .reach = reach,
                                     .user = self};
    base->t_before = base->t;
    if ((ode->root_count && ode->roots(ode->user, base->t, base->y, self->roots_before) != 0) ||
        reach(self, end - base->t) != 0)
        return CAROM_STEP_FAILED;
    base->t = end;
    if (carom_crossing_first(&crossing, self->roots_now) >= 0) {
        const double h = carom_crossing_locate(&crossing, base->t_before, end - base->t_before);
        if (h < 0)
            return CAROM_STEP_FAILED;
        base->t = base->t_before + h;
        for (int k = 0; k < ode->root_count; k++)
            base->root_found[k] = carom_crossing_of(&crossing, k, self->roots_now);
        result = CAROM_STEP_ROOT;
    }
    base->rates = CAROM_RATES_ELSEWHERE;
    base->order = 2 * NODES - 1;
    self->leaped = true;
    self->fresh = false;
    return result;
}

/* Takes the state behind the position. */
static void land(passing_integrator *self)
{
    carom_integrator *base = &self->base;
    memcpy(base->y, self->landed, (size_t)base->ode.size * sizeof *base->y);
    self->leap_end = -HUGE_VAL;
    self->length = base->t - self->time[0];
    forget(self);
}

/* ---- passages ---- */

/* Whether the last state is far enough from the last node, for an extrapolation over not much more than the nodes
   lie apart. */
static bool is_node(const passing_integrator *self)
{
    const double left = time_left(self), least = SPACING * left * fmin(1, CLOSE / self->share);
    return !self->nodes || left == HUGE_VAL || self->base.t - self->time[0] >= least;
}

static void change(passing_integrator *self, int method)
{
    take_method(self, method);
    self->fresh = false;
    self->nodes = 0;
    self->memory->steps = method == OVER;
    self->memory->strong = 0;
    self->estimate = HUGE_VAL;
    self->memory->least = fmin(fmax(STRONG, 1.5 * self->share), 0.9);
}

/* Says which method makes the next step. */
static void judge(passing_integrator *self)
{
    passing_memory *memory = self->memory;
    carom_integrator *base = &self->base;
    if (self->active == OVER && is_node(self))
        add_node(self);
    else if (self->active == MAIN && self->methods[MAIN]->kind == &carom_integrator_closing && self->share < FRESH)
        (void)base->ode.rhs(base->ode.user, base->t, base->y, self->other);
    const double share = share_of_pivot(self), h = base->t - base->t_before;
    self->length = h;
    watch(self, share, h);
    if (self->active == MAIN) {
        memory->steps = share > STRONG ? 0 : memory->steps;
        const bool sure = self->apart < SURE || time_left(self) < SOON * h;
        if (share < WEAK && self->zero > base->t && sure && memory->steps == 0)
            change(self, OVER);
        return;
    }
    memory->steps++;
    memory->strong = share > memory->least ? memory->strong + 1 : 0;
    const bool longest = memory->steps > LONGEST;
    if (memory->strong >= STRONG_STEPS || longest) {
        change(self, MAIN);
        memory->steps = longest ? -1 : 0;
        return;
    }
    plan_leap(self);
}

/* Takes over a step of the active method. */
static void take(passing_integrator *self)
{
    carom_integrator *base = &self->base, *active = self->methods[self->active];
    self->stepped = self->active;
    self->leaped = false;
    memcpy(base->y, active->y, (size_t)base->ode.size * sizeof *base->y);
    base->t = active->t;
    base->t_before = active->t_before;
    base->rates = active->rates;
    base->next_step = active->next_step;
    base->order = active->kind->order ? active->kind->order : active->order;
    base->method = self->active == MAIN ? active->method : 0;
    base->evaluations = self->methods[MAIN]->evaluations + self->methods[OVER]->evaluations;
}

/* Whether a step of the method may end before the position: one that keeps its step does not end there. */
static bool may_cut(const passing_integrator *self)
{
    return self->share < DOUBTFUL && self->zero > self->base.t && !self->base.ode.keeps_step;
}

/* A step of the active method, of Dopri5 towards the position a part of the way. */
static carom_step_result step_active(passing_integrator *self, double stop)
{
    carom_integrator *base = &self->base, *active = self->methods[self->active];
    const double left = time_left(self);
    const bool nears = self->active == OVER ? left < HUGE_VAL : may_cut(self) && left < SOON * self->length;
    const double end = nears ? fmin(stop, base->t + PART * left) : stop;
    const double first = nears ? end - base->t : fmin(end - base->t, self->length);
    if (!self->fresh && !restart_active(self, self->active == OVER ? first : 0))
        return CAROM_STEP_FAILED;
    const carom_step_result result = active->kind->step(active, end);
    if (result == CAROM_STEP_FAILED) {
        memcpy(base->message, active->message, sizeof base->message);
        return result;
    }
    if (self->active == OVER && self->nodes == NODES && left < HUGE_VAL && self->share < LOST) {
        snprintf(base->message, sizeof base->message,
                 "on which branch the motion goes on behind the singular position near t = %.9g s cannot be told; a "
                 "looser tolerance, or `constraints: baumgarte` with adams or dopri5, passes it by its accelerations",
                 base->t + left);
        return CAROM_STEP_FAILED;
    }
    if (result == CAROM_STEP_ROOT)
        memcpy(base->root_found, active->root_found, (size_t)base->ode.root_count * sizeof *base->root_found);
    take(self);
    judge(self);
    return result == CAROM_STEP_STOP && end < stop ? CAROM_STEP_DONE : result;
}

static carom_step_result step(carom_integrator *base, double stop)
{
    passing_integrator *self = (passing_integrator *)base;
    if (self->leap_end > base->t) {
        const carom_step_result result = leap(self, stop);
        if (base->t == self->leap_end)
            land(self);
        return result;
    }
    carom_step_result result = step_active(self, stop);
    if (result != CAROM_STEP_FAILED || self->active == OVER || !(share_of_pivot(self) < DOUBTFUL))
        return result;
    change(self, OVER);
    return step_active(self, stop);
}

static bool interpolate(carom_integrator *base, double t, int count, double *y)
{
    passing_integrator *self = (passing_integrator *)base;
    carom_integrator *method = self->methods[self->stepped];
    if (!self->leaped)
        return method->kind->interpolate(method, t, count, y);
    extrapolate(self, t, NODES, count, y);
    return true;
}

static const carom_integrator_kind passing = {
    .kind = {.name = "passing"},
    .destroy = destroy,
    .restart = restart,
    .step = step,
    .interpolate = interpolate,
};

static bool make_arrays(passing_integrator *self)
{
    carom_context *ctx = self->base.ctx;
    const size_t n = (size_t)self->base.ode.size, r = (size_t)self->base.ode.root_count;
    self->block_size = (4 + 2 * NODES) * n + 2 * r;
    self->block = carom_allocate(ctx, self->block_size, sizeof(double));
    self->direction = carom_allocate(ctx, r, sizeof(int));
    self->base.root_found = carom_allocate(ctx, r, sizeof(int));
    if (!self->block || !self->direction || !self->base.root_found)
        return false;
    double *p = self->base.y = self->block;
    self->tolerance = p += n;
    self->other = p += n;
    self->landed = p += n;
    for (int k = 0; k < NODES; k++) {
        self->state[k] = p += n;
        self->rate[k] = p += n;
    }
    self->roots_before = p += n;
    self->roots_now = p + r;
    return true;
}

carom_status carom_passing_create(carom_context *ctx, const carom_integrator_kind *kind, const carom_ode *ode,
                                  carom_integrator **out)
{
    passing_integrator *self = carom_allocate(ctx, 1, sizeof *self);
    if (!self)
        return carom_fail_memory(ctx);
    self->base = (carom_integrator){.ctx = ctx, .kind = &passing, .ode = *ode};
    self->memory = ode->memory ? (passing_memory *)(ode->memory + CAROM_METHOD_MEMORY) : &self->own;
    const carom_integrator_kind *const kinds[METHODS] = {kind, &carom_integrator_closing};
    carom_ode closed = *ode;
    closed.project = ode->close;
    carom_status status = make_arrays(self) ? CAROM_OK : carom_fail_memory(ctx);
    for (int k = 0; k < METHODS && status == CAROM_OK; k++)
        status = kinds[k]->create(ctx, kinds[k], k == MAIN ? ode : &closed, &self->methods[k]);
    if (status != CAROM_OK) {
        destroy(&self->base);
        return status;
    }
    *out = &self->base;
    return CAROM_OK;
}
