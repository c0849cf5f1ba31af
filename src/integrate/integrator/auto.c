/* Auto: Adams where accuracy limits the step, BDF where stability would, Dop853 from a contact's onset on.
   source: Petzold 1983, SIAM J. Sci. Stat. Comput. 4:136-148 (the idea: LSODA); Hindmarsh et al. 2005, ACM Trans. Math.
   Softw. 31:363-396 (both methods, SUNDIALS CVODE); Sommeijer, Shampine and Verwer 1998, J. Comput. Appl. Math.
   88:315-326 (spectral radius by a nonlinear power iteration); Hairer and Wanner 1996, Solving Ordinary Differential
   Equations II, section IV.2 (stiffness as the stages of an explicit method show it).
   Validity: any model; the methods' own limits are theirs.

   The measure is z = h rho, rho the spectral radius of the rates' Jacobian. Measured on the models of models/ at
   tolerance 1e-8: Adams whose steps accuracy limits has z of 0.001 to 0.3 at orders 6 to 10 and 2.0 evaluations a step;
   where stability limits them, 2.2 to 3 evaluations, and mostly order 2 at z = 0.5. BDF has z of 0.01 to 0.1 on motion
   that is not stiff, and 1 to 1000 where it is. Dop853 needs no start after a restart: it takes over from Adams at each
   onset, and gives back to it, or to BDF, where that gets on faster by a margin.
   docs/theory/integrators.md */
#include "integrate/integrator.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Steps between two judgements, and those after a start of Adams and of BDF that are not judged. */
#define WINDOW 25
#define ADAMS_START 25
#define BDF_START 50
/* Evaluations a step above which Adams is suspected to be at its limit. */
#define SUSPICIOUS 2.15
/* In a trial restarts take evaluations, too: the share of the limit at which stability may be the reason. A mean over
   restarts and starts finds a part of z. */
#define NEAR_LIMIT 0.2
/* Windows in a row that are suspicious, after which BDF is tried whatever z is. */
#define PERSISTENT 8
/* BDF must do better than Adams by this factor in z for each evaluation, which is at most so much at its limit. */
#define LEAST_GAIN 1.5
#define MOST_GAIN 0.2
/* Steps of Adams before BDF is tried again, after trials in a row that did not pay. */
#define LEAST_WAIT 50
#define LONGEST_WAIT 6400
/* z at which BDF of the orders 3 to 5 may be unstable along the imaginary axis, and the same mean step. */
#define LEAST_UNSTABLE 0.7
#define MOST_UNSTABLE 2
#define SAME_LENGTH 1e-6
/* Evaluations after which BDF must have paid, even if restarts have come before each judgement. */
#define LONGEST_TRIAL 1000
/* What the ends of a step cost, events and contacts looked for in it, in evaluations. */
#define STEP_COST 3
/* Local tolerance above which Dop853 is not taken: its steps are as long as impacts allow there, whatever the tolerance
   is. */
#define LOOSEST 2e-8
/* Steps of Dop853 after which Adams is tried, at least and at most; they double with each trial that was lost. */
#define LEAST_PATIENCE 100
#define LONGEST_PATIENCE 800
/* What a step of Dop853 leaves of the ones before in its mean pace. */
#define FORGOTTEN 0.95
/* Steps of such a trial that count, and those after which it may be hopeless: below this share of Dop853's pace. */
#define TRIAL 50
#define HALF_TRIAL 25
#define HOPELESS 0.3
/* Pace in units of Dop853's that Adams must reach, and BDF where stability limits Dop853: rounding changes both by
   less. */
#define ADAMS_MARGIN 1.8
#define BDF_MARGIN 1.3
/* z of a step of Dop853 that stability limits, how many of them are enough for a trial of BDF, how many others in a row
   forget them, and the share of the patience that such a trial needs as well. */
#define LIMIT 2.5
#define LIMITED 5
#define CALM 4
#define LIMITED_PATIENCE 0.25
/* Steps that are left to Adams when it has won a trial, or BDF has left the run to it, and at most; they double with
   each trial that it wins. */
#define LEAST_TERM 200
#define LONGEST_TERM 6400
/* Steps after which Dop853 must have reached this share of the pace of Adams before it. */
#define PROOF 15
#define PROVEN 0.6
/* Share of rho that is kept to the next judgement, which finds a part of it only. */
#define KEPT_RADIUS 0.8
/* Size of the disturbances from which rho is found, in units of the local tolerance. */
#define DISTURBANCE 1e4

enum { ADAMS, BDF, DOP853, METHODS };

/* What restarts and checkpoints keep: the numbers of ode.memory. */
typedef struct auto_memory {
    carom_method_memory used;
    double method;              /* in use, or of the next step */
    double wait, waited;        /* steps of Adams before the next trial of BDF, and those done */
    double gain;                /* z for each evaluation that BDF is to reach */
    double gained, spent;       /* by BDF since it was taken: sum of z, and evaluations */
    double patience;            /* steps of Dop853 before the next trial of Adams; 0: the run begins */
    double pace;                /* [s] for its cost that a method on trial must reach; 0: none is on trial */
    double term, won;           /* steps that are still left to Adams, and those that it won last; 0: none */
    double steps, time, cost;   /* of the method since it was taken, or in a trial, BDF's there alone; [s] */
    double long_step;           /* [s] of the last step if Dop853 has made it, else 0 */
} auto_memory;

/* Numbers of a checkpoint may be any. */
static int whole(double x) { return x > 0 && x < INT_MAX ? (int)x : 0; }
static int method_of(const auto_memory *memory) { return memory->method < METHODS ? whole(memory->method) : ADAMS; }

_Static_assert(sizeof(auto_memory) <= CAROM_METHOD_MEMORY * sizeof(double), "the state has room for it");

typedef struct auto_integrator {
    carom_integrator base;
    carom_integrator *methods[METHODS];
    int active;
    auto_memory *memory, own;
    double relative, max_step;  /* of the last restart */
    double *tolerance;
    int *direction;
    double *weight, *vector, *moved, *rate, *rate_moved;
    int steps;                  /* since the method began */
    bool has_vector;
    int suspicions;             /* windows in a row that were suspicious */
    int limited, calm;          /* steps of Dop853 that stability limited, and others since the last of them */
    double length;              /* [s] of the mean step of the last window of BDF */
    double radius;              /* rho, 0 after a restart */
    double window_time;         /* [s] at the last judgement, or since the steps are judged */
    uint64_t window_evaluations, booked;        /* the method's at that time, and after the last step */
} auto_integrator;

/* ---- the spectral radius ---- */

static double norm(const auto_integrator *self, const double *x)
{
    double sum = 0;
    for (int k = 0; k < self->base.ode.coupled_count; k++)
        sum += (x[k] * self->weight[k]) * (x[k] * self->weight[k]);
    return sqrt(sum / fmax(1, self->base.ode.coupled_count));
}

/* The spectral radius at the end of the last step by a power iteration; the mean of the last two growths serves pairs
   of imaginary eigenvalues, too. 0: not found. */
static double spectral_radius(auto_integrator *self)
{
    const carom_ode *ode = &self->base.ode;
    const int n = ode->coupled_count, iterations = self->has_vector ? 2 : 6;
    const double *y = self->base.y, t = self->base.t;
    self->base.rates = self->methods[self->active]->rates = CAROM_RATES_ELSEWHERE;
    for (int k = 0; k < n; k++)
        self->weight[k] = 1 / (self->relative * fabs(y[k]) + self->tolerance[k] + 20 * DBL_EPSILON * fabs(y[k]));
    if (ode->rhs(ode->user, t, y, self->rate) != 0)
        return 0;
    if (!self->has_vector)
        memcpy(self->vector, self->rate, (size_t)n * sizeof *self->rate);
    self->has_vector = false;
    memcpy(self->moved, y, (size_t)ode->size * sizeof *y);
    double size = norm(self, self->vector), growth[2] = {0, 0};
    for (int i = 0; i < iterations; i++) {
        if (!(size > 0) || !isfinite(size))
            return 0;
        const double step = DISTURBANCE / size;
        for (int k = 0; k < n; k++)
            self->moved[k] = y[k] + step * self->vector[k];
        if (ode->rhs(ode->user, t, self->moved, self->rate_moved) != 0)
            return 0;
        for (int k = 0; k < n; k++)
            self->vector[k] = (self->rate_moved[k] - self->rate[k]) / DISTURBANCE;
        size = norm(self, self->vector);
        growth[i % 2] = size;
    }
    self->has_vector = isfinite(size) && size > 0;
    /* two growths of an iteration with several large eigenvalues are less than the greatest of them */
    self->radius = fmax(self->has_vector ? sqrt(growth[0] * growth[1]) : 0, KEPT_RADIUS * self->radius);
    return self->radius;
}

/* ---- creation ---- */

static void destroy(carom_integrator *base)
{
    auto_integrator *self = (auto_integrator *)base;
    carom_context *ctx = base->ctx;
    const size_t n = (size_t)carom_ode_whole(&base->ode);
    for (int k = 0; k < METHODS; k++)
        if (self->methods[k])
            self->methods[k]->kind->destroy(self->methods[k]);
    double *const arrays[] = {self->tolerance, self->weight, self->vector, self->moved, self->rate, self->rate_moved};
    for (size_t k = 0; k < CAROM_COUNT(arrays); k++)
        carom_release(ctx, arrays[k], n, sizeof(double));
    carom_release(ctx, self->direction, (size_t)base->ode.root_count, sizeof(int));
    carom_release(ctx, self, 1, sizeof *self);
}

static carom_status create_parts(auto_integrator *self)
{
    carom_context *ctx = self->base.ctx;
    const carom_ode *ode = &self->base.ode;
    const size_t n = (size_t)ode->size;
    double **const arrays[] = {&self->tolerance, &self->weight, &self->vector, &self->moved, &self->rate,
                               &self->rate_moved};
    for (size_t k = 0; k < CAROM_COUNT(arrays); k++)
        if (!(*arrays[k] = carom_allocate(ctx, n, sizeof(double))))
            return carom_fail_memory(ctx);
    if (!(self->direction = carom_allocate(ctx, (size_t)ode->root_count, sizeof(int))))
        return carom_fail_memory(ctx);
    for (int k = 0; k < METHODS; k++) {
        if (ode->project && k != BDF)
            continue;
        const carom_integrator_kind *kind = carom_integrator_auto.methods[k];
        CAROM_TRY(kind->create(ctx, kind, ode, &self->methods[k]));
    }
    return CAROM_OK;
}

static carom_status create(carom_context *ctx, const carom_integrator_kind *kind, const carom_ode *ode,
                           carom_integrator **out)
{
    auto_integrator *self = carom_allocate(ctx, 1, sizeof *self);
    if (!self)
        return carom_fail_memory(ctx);
    self->base = (carom_integrator){.ctx = ctx, .kind = kind, .ode = *ode};
    self->memory = ode->memory ? (auto_memory *)ode->memory : &self->own;
    const carom_status status = create_parts(self);
    if (status != CAROM_OK) {
        destroy(&self->base);
        return status;
    }
    *out = &self->base;
    return CAROM_OK;
}

/* ---- steps ---- */

/* Shows what the method has done as one's own. */
static void show(auto_integrator *self)
{
    const carom_integrator *from = self->methods[self->active];
    carom_integrator *base = &self->base;
    base->t = from->t;
    base->t_before = from->t_before;
    base->order = from->kind->order ? from->kind->order : from->order;
    base->next_step = from->kind->maps ? from->next_step : 0;
    base->method = self->active;
    base->rates = from->rates;
    base->y = from->y;
    base->root_found = from->root_found;
    memcpy(base->message, from->message, sizeof base->message);
}

/* Evaluations since the window was opened. */
static double window_evaluations(const auto_integrator *self)
{
    return (double)(self->methods[self->active]->evaluations - self->window_evaluations);
}

/* Begins a window of judgement at the present time. */
static void open_window(auto_integrator *self)
{
    self->window_time = self->base.t;
    self->window_evaluations = self->methods[self->active]->evaluations;
}

/* First step of a method of order 1 as a part of the one that a method of order 8 took last. Left to itself it would
   take as long a one as the tolerance allows, and what is interpolated within that, as at a root, is no better. */
#define FIRST_PART 0.05

/* Begins the method that the memory names at t, where the rates may be known. */
static bool begin(auto_integrator *self, double t, const double *y, const double *known, double first_step)
{
    if (self->base.ode.project)
        self->memory->method = BDF;
    if (method_of(self->memory) != DOP853 && first_step == 0)
        first_step = FIRST_PART * self->memory->long_step;
    self->active = method_of(self->memory);
    self->steps = self->suspicions = self->limited = self->calm = 0;
    self->length = 0;
    carom_integrator *method = self->methods[self->active];
    method->ode.size = self->base.ode.size;
    method->ode.left_out = self->base.ode.left_out;
    self->booked = method->evaluations;
    method->known = known;
    method->opening = known ? self->base.opening : 0;
    method->opened = self->base.opened;
    method->scale = self->base.scale;
    const bool begun = method->kind->restart(method, t, y, self->relative, self->tolerance, self->direction, first_step,
                                             self->max_step);
    show(self);
    open_window(self);
    return begun;
}

/* Takes another method from the next step on. */
static void change(auto_integrator *self, int method)
{
    self->memory->method = method;
    self->memory->used.changes++;
}

/* What the method has done since it was taken. */
static void clear_tally(auto_memory *memory) { memory->steps = memory->time = memory->cost = 0; }

static void tally(auto_memory *memory, double kept, double time, double cost)
{
    memory->steps++;
    memory->time = kept * memory->time + time;
    memory->cost = kept * memory->cost + cost;
}

/* Back to Adams: at once where BDF has paid as a whole, and else BDF is tried later and later. */
static void leave_bdf(auto_integrator *self)
{
    auto_memory *memory = self->memory;
    const bool paid = memory->gained > memory->gain * memory->spent;
    memory->wait = paid ? memory->wait / 4 : fmin(fmax(2 * memory->wait, LEAST_WAIT), LONGEST_WAIT);
    memory->waited = 0;
    memory->term = fmax(memory->term, LEAST_TERM);
    clear_tally(memory);
    change(self, ADAMS);
}

/* Whether Dop853 may follow Adams: contacts begin and end, and the tolerance is tight. */
static bool may_leave_adams(const auto_integrator *self)
{
    const carom_ode *ode = &self->base.ode;
    return ode->touches && ode->integral_share <= LOOSEST && method_of(self->memory) == ADAMS &&
           !(self->memory->pace > 0);
}

/* Whether it does so at a restart: at the onset of a contact, but for steps that Adams has won, and at the begin of a
   run. */
static bool takes_dop853(const auto_integrator *self)
{
    const auto_memory *memory = self->memory;
    const bool left = memory->won > 0 && memory->term > 0;
    return may_leave_adams(self) && (memory->patience == 0 || (self->base.onset && !left));
}

/* Takes Dop853, which must reach a pace, or none, 0. */
static void take_dop853(auto_integrator *self, double pace)
{
    self->memory->pace = pace;
    clear_tally(self->memory);
    change(self, DOP853);
}

/* Leaves Adams steps that it has won, twice as many as the last time. */
static void grant_term(auto_memory *memory)
{
    memory->term = memory->won = fmin(fmax(2 * memory->won, LEAST_TERM), LONGEST_TERM);
}

static void choose_at_restart(auto_integrator *self)
{
    auto_memory *memory = self->memory;
    const bool takes = takes_dop853(self), first = memory->patience == 0;
    if (first)
        memory->patience = LEAST_PATIENCE;
    if (takes) {
        take_dop853(self, 0);
        memory->used.changes -= first;
    }
    self->base.onset = false;
}

static bool restart(carom_integrator *base, double t, const double *y, double relative, const double *tolerance,
                    const int *direction, double first_step, double max_step)
{
    auto_integrator *self = (auto_integrator *)base;
    self->relative = relative;
    self->max_step = max_step;
    memcpy(self->tolerance, tolerance, (size_t)base->ode.size * sizeof *y);
    memcpy(self->direction, direction, (size_t)base->ode.root_count * sizeof(int));
    self->has_vector = false;
    self->radius = 0;
    auto_memory *memory = self->memory;
    if (method_of(memory) == BDF && !base->ode.project && !(memory->pace > 0) && memory->spent > LONGEST_TRIAL &&
        memory->gained < memory->gain * memory->spent)
        leave_bdf(self);
    if (!base->ode.project)
        choose_at_restart(self);
    return begin(self, t, y, base->known, first_step);
}

/* Ends a trial of Adams, which leaves it the next steps if it is won, or of BDF; if it is lost Dop853 goes on. */
static void end_trial(auto_integrator *self, bool won)
{
    auto_memory *memory = self->memory;
    memory->patience = won ? LEAST_PATIENCE : fmin(2 * memory->patience, LONGEST_PATIENCE);
    if (won && self->active == ADAMS)
        grant_term(memory);
    else
        memory->won = memory->term = 0;
    if (!won) {
        take_dop853(self, 0);
        return;
    }
    memory->pace = 0;
    clear_tally(memory);
}

/* Seven tenths of the z at which Adams of each order from 1 on becomes unstable: up to 5 as LSODA has them; from 6 to 9
   not below what smooth motion reaches; from 10 on of the real z at which the method's root is -1 (0.191, 0.115 and
   0.068 at orders 10 to 12). */
static const double limits[] = {0.35, 0.4, 0.38, 0.32, 0.25, 0.2, 0.2, 0.2, 0.2, 0.13, 0.08, 0.047};

/* Whether Adams, with steps of a mean length, may have come to a share of its limit of stability. */
static bool is_at_limit(auto_integrator *self, double share, double length, double evaluations)
{
    const int order = self->base.order, last = (int)CAROM_COUNT(limits);
    const double z = length * spectral_radius(self);
    self->memory->gain = fmin(LEAST_GAIN * z / evaluations, MOST_GAIN);
    return z >= share * limits[order < 1 ? 0 : order > last ? last - 1 : order - 1];
}

/* Takes BDF; in a trial of Adams it is that of BDF from now on. */
static void take_bdf(auto_integrator *self)
{
    self->memory->gained = self->memory->spent = 0;
    clear_tally(self->memory);
    change(self, BDF);
}

/* Books a step of Adams or BDF in a trial, and ends that where it is told which gets on faster than Dop853 did. */
static void judge_trial(auto_integrator *self, double length, double evaluations)
{
    auto_memory *memory = self->memory;
    const int start = self->active == BDF ? BDF_START : ADAMS_START;
    tally(memory, 1, length, evaluations + STEP_COST);
    const int steps = whole(memory->steps) - start;
    if (steps == 0)
        memory->time = memory->cost = 0;
    const double share = memory->time / (memory->pace * memory->cost);
    if (!(steps == HALF_TRIAL && share < HOPELESS) && steps < TRIAL)
        return;
    const double mean = memory->time / steps, evaluated = memory->cost / steps - STEP_COST;
    if (share >= 1) {
        end_trial(self, true);
    } else if (self->active == ADAMS && evaluated > SUSPICIOUS && is_at_limit(self, NEAR_LIMIT, mean, evaluated)) {
        take_bdf(self);
    } else {
        end_trial(self, false);
    }
}

/* Books a step of Adams, and tries Dop853 anew after those that are left to it. */
static void count_adams(auto_integrator *self, double length, double evaluations)
{
    auto_memory *memory = self->memory;
    memory->waited++;
    if (memory->pace > 0)
        return;
    tally(memory, FORGOTTEN, length, evaluations + STEP_COST);
    if (--memory->term <= 0 && may_leave_adams(self))
        take_dop853(self, PROVEN * memory->time / memory->cost);
}

static void judge_adams(auto_integrator *self, double evaluations, double length)
{
    auto_memory *memory = self->memory;
    self->suspicions = evaluations < SUSPICIOUS ? 0 : self->suspicions + 1;
    if (self->suspicions < 2 || (memory->waited < memory->wait && !(memory->pace > 0)))
        return;
    if (is_at_limit(self, 1, length, evaluations) || self->suspicions >= PERSISTENT)
        take_bdf(self);
}

/* Ends a trial of Dop853: whether it has won. */
static bool stays(auto_integrator *self)
{
    auto_memory *memory = self->memory;
    const bool won = memory->time >= memory->pace * memory->cost;
    memory->pace = 0;
    if (won) {
        memory->won = 0;
        return true;
    }
    grant_term(memory);
    clear_tally(memory);
    change(self, ADAMS);
    return false;
}

/* Tries BDF where stability limits the steps of Dop853, which would limit those of Adams more, and else Adams after
   many of them. */
static void judge_dop853(auto_integrator *self, double length, double evaluations)
{
    auto_memory *memory = self->memory;
    const double z = self->methods[DOP853]->stiffness;
    tally(memory, FORGOTTEN, length, evaluations + STEP_COST);
    if (z > 0) {
        self->calm = z > LIMIT ? 0 : self->calm + 1;
        self->limited = z > LIMIT ? self->limited + 1 : self->calm < CALM ? self->limited : 0;
    }
    if (memory->pace > 0 && memory->steps >= PROOF && !stays(self))
        return;
    const bool limited = z > LIMIT && self->limited >= LIMITED && memory->steps >= LIMITED_PATIENCE * memory->patience;
    if (!limited && memory->steps < memory->patience)
        return;
    memory->pace = (limited ? BDF_MARGIN : ADAMS_MARGIN) * memory->time / memory->cost;
    if (limited) {
        memory->gain = fmin(LEAST_GAIN * z / evaluations, MOST_GAIN);
        take_bdf(self);
    } else {
        clear_tally(memory);
        change(self, ADAMS);
    }
}

/* Above order 2 BDF is not stable along the imaginary axis, where contacts of little damping have their eigenvalues:
   steps that keep their length at such a z may be at that limit, and CVODE finds out. Wherever else, it would take
   steady steps for steps at a limit. */
static void watch_stability(auto_integrator *self, double z, double length)
{
    const bool held = fabs(length - self->length) < SAME_LENGTH * length;
    self->length = length;
    if (held && self->base.order > 2 && z > LEAST_UNSTABLE && z < MOST_UNSTABLE)
        carom_cvode_watch_stability(self->methods[BDF]);
}

static void judge_bdf(auto_integrator *self, double evaluations, double length)
{
    const double z = length * spectral_radius(self);
    watch_stability(self, z, length);
    self->memory->gained += WINDOW * z;
    if (z < self->memory->gain * evaluations && !(self->memory->pace > 0))
        leave_bdf(self);
}

/* Books the step, and judges the method at the end of a window, Dop853 and trials of Adams after each step. */
static void judge(auto_integrator *self)
{
    const int start = self->active == BDF ? BDF_START : ADAMS_START;
    const carom_integrator *method = self->methods[self->active];
    const double evaluations_of_step = (double)(method->evaluations - self->booked);
    self->steps++;
    self->booked = method->evaluations;
    if (self->base.ode.project)
        return;
    if (self->active == DOP853) {
        judge_dop853(self, method->t - method->t_before, evaluations_of_step);
        return;
    }
    if (self->active == ADAMS)
        count_adams(self, method->t - method->t_before, evaluations_of_step);
    else
        self->memory->spent += evaluations_of_step;
    const bool judged = self->steps >= start && (self->steps - start) % WINDOW == 0;
    if (judged) {
        const double evaluations = window_evaluations(self) / WINDOW;
        const double length = (self->base.t - self->window_time) / WINDOW;
        if (self->steps > start && method_of(self->memory) == self->active)
            (self->active == BDF ? judge_bdf : judge_adams)(self, evaluations, length);
        open_window(self);
    }
    if (self->memory->pace > 0 && method_of(self->memory) == self->active)
        judge_trial(self, method->t - method->t_before, evaluations_of_step);
}

/* Another method takes the step that one could not. */
static carom_step_result rescue(auto_integrator *self, double t, double stop)
{
    const int other = self->active == ADAMS ? BDF : ADAMS;
    if (!self->methods[other])
        return CAROM_STEP_FAILED;
    char message[sizeof self->base.message];
    memcpy(message, self->base.message, sizeof message);
    memcpy(self->moved, self->methods[self->active]->y, (size_t)self->base.ode.size * sizeof *self->moved);
    self->memory->gain = MOST_GAIN;
    self->memory->gained = self->memory->spent = self->memory->pace = 0;
    self->memory->wait = LEAST_WAIT;
    self->memory->waited = 0;
    change(self, other);
    carom_integrator *method = self->methods[other];
    const carom_step_result result =
        begin(self, t, self->moved, NULL, 0) ? method->kind->step(method, stop) : CAROM_STEP_FAILED;
    show(self);
    if (result == CAROM_STEP_FAILED)
        memcpy(self->base.message, message, sizeof message);
    return result;
}

static carom_step_result step(carom_integrator *base, double stop)
{
    auto_integrator *self = (auto_integrator *)base;
    if (self->active != method_of(self->memory)) {
        memcpy(self->moved, base->y, (size_t)base->ode.size * sizeof *base->y);
        if (!begin(self, base->t, self->moved, NULL, 0))
            return CAROM_STEP_FAILED;
    }
    carom_integrator *method = self->methods[self->active];
    const double t = base->t;
    method->closing = base->closing;
    method->closes = base->closes;
    method->scale = base->scale;
    carom_step_result result = method->kind->step(method, stop);
    show(self);
    if (result == CAROM_STEP_FAILED)
        result = rescue(self, t, stop);
    if (result == CAROM_STEP_FAILED)
        return result;
    self->memory->long_step = self->active == DOP853 ? fabs(base->t - base->t_before) : 0;
    if (result != CAROM_STEP_ROOT)
        judge(self);
    return result;
}

static bool interpolate(carom_integrator *base, double t, int count, double *y)
{
    auto_integrator *self = (auto_integrator *)base;
    carom_integrator *method = self->methods[self->active];
    const uint64_t before = method->evaluations;
    const bool found = method->kind->interpolate(method, t, count, y);
    /* what is looked up in a step behind it, as rows of results are, is no cost of the method: which one goes on does
       not depend on it */
    self->booked += method->evaluations - before;
    self->window_evaluations += method->evaluations - before;
    base->rates = method->rates;
    return found;
}

/* Before a restart at an onset that of the method which follows. */
static bool maps_now(const carom_integrator *base)
{
    const auto_integrator *self = (const auto_integrator *)base;
    return !base->ode.project && (method_of(self->memory) == DOP853 || takes_dop853(self));
}

const carom_integrator_kind carom_integrator_auto = {
    .kind = {.name = "auto",
             .title = "Adams, BDF where stability would limit its steps, Dop853 from onsets on; the default.",
             .formula = "Adams while h rho < 0.7 of its limit of stability, rho the spectral radius of the rates' "
                        "Jacobian; then BDF while h rho for each evaluation is above that of Adams; after an onset "
                        "Dop853 while it gets on faster than Adams",
             .source = "Petzold 1983, SIAM J. Sci. Stat. Comput. 4:136-148; Hindmarsh et al. 2005, ACM Trans. Math. "
                       "Softw. 31:363-396 (SUNDIALS CVODE); Hairer, Norsett and Wanner 1993, Solving Ordinary "
                       "Differential Equations I, sections II.4 to II.6",
             .validity = "Any model. With the constraint method `projection` BDF alone, which SUNDIALS projects with."},
    .stiff = true,
    .maps_now = maps_now,
    .projects = true,
    .can_project = true,
    .methods = {&carom_integrator_adams, &carom_integrator_bdf, &carom_integrator_dop853},
    .shortens = true,
    .create = create,
    .destroy = destroy,
    .restart = restart,
    .step = step,
    .interpolate = interpolate,
};
