/* Newmark's family for index 3: one implicit step of second order that holds the constraints on the positions,
       (1 - alpha_m) a' + alpha_m a = (1 - alpha_f) vdot' + alpha_f vdot,      Phi(q') = 0,
       q' = q o exp(h v + h^2 ((1/2 - beta) a + beta a')),     v' = v + h ((1 - gamma) a + gamma a'),
   with vdot = f + M^-1 J^T mu: f are the accelerations whose multipliers keep the rows on the level of accelerations,
   and mu what holding the positions adds to them, of the order of the local error. Reactions, friction and contacts
   that depend on multipliers are therefore those of f. Other states of first order go as the velocities do, integrals
   by the trapezoidal rule.
   source: Chung and Hulbert 1993, J. Appl. Mech. 60:371-375; Arnold and Bruels 2007, Multibody Syst. Dyn. 18:185-202;
   in space Bruels, Cardona and Arnold 2012, Mech. Mach. Theory 48:121-137. Local errors as Negrut et al. 2007,
   J. Comput. Nonlinear Dyn. 2:73-85, section 4: from the change of the accelerations. */
#include "integrate/newmark.h"
#include "math/hermite.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Newton's iteration ends at this share of the local tolerance; it takes so many steps at most, and from
   the second number on the next one has a new matrix. */
#define ITERATION_SHARE 0.003
#define ITERATIONS 8
#define MANY 3
/* Below this share a correction that does not shrink is noise. */
#define NOISE 0.3
/* Rounding of the positions over a step may be so many local tolerances of a velocity; in shorter steps the constraints
   are held on the velocities, and what is left of the positions dies away over a step that is so many times as long.
   There they are held on the positions again: to change often would cost more. */
#define VELOCITY_NOISE 1e3
#define LONGER 100
/* Matrices are kept over so many steps, and while the step is within this share of theirs. */
#define MATRIX_STEPS 20
#define MATRIX_CHANGE 0.3
/* Units of rounding below which nothing is asked of a number (bdf has the same). */
#define ROUNDING 200
/* Safety of the next step, how much it may change, and what change is not worth a matrix. */
#define SAFETY 0.9
#define LEAST_FACTOR 0.2
#define GREATEST_FACTOR 2.0
#define FIRST_FACTOR 10.0
#define WORTH 1.2

typedef enum attempt { DONE, DIVERGED, UNSOLVED } attempt;

/* ---- creation ---- */

static void set_constants(carom_newmark *self, double alpha_m, double alpha_f)
{
    const double shift = alpha_m - alpha_f;
    self->alpha_m = alpha_m;
    self->alpha_f = alpha_f;
    self->shift = shift;
    self->gamma = 0.5 - shift;
    self->beta = 0.25 * (1 - shift) * (1 - shift);
    self->position_error = 0.5 * shift + self->beta - 1.0 / 6;
    const double c = 0.5 * (1 - alpha_f) - (1 - alpha_m) * (0.5 + shift);
    self->rate_error = fabs(c + self->gamma * (0.5 + shift) - 1.0 / 6);
}

carom_status carom_newmark_create(carom_context *ctx, const carom_integrator_kind *kind, const carom_ode *ode,
                                  double alpha_m, double alpha_f, carom_integrator **out)
{
    carom_newmark *self = carom_allocate(ctx, 1, sizeof *self);
    if (!self)
        return carom_fail_memory(ctx);
    self->base = (carom_integrator){.ctx = ctx, .kind = kind, .ode = *ode};
    set_constants(self, alpha_m, alpha_f);
    self->first = ode->position_count;
    self->count = ode->coupled_count - ode->position_count;
    const size_t n = (size_t)ode->size, r = (size_t)ode->root_count;
    double **const arrays[] = {&self->base.y,    &self->y_before,    &self->f_before, &self->f_older, &self->f,
                               &self->y_try,     &self->rate_before, &self->rate,     &self->a_before, &self->a,
                               &self->a_scaled,  &self->slope,       &self->tolerance, &self->weight, &self->b,
                               &self->scratch,   &self->change};
    double **const of_roots[] = {&self->roots_before, &self->roots_now, &self->roots_try};
    self->block_size = CAROM_COUNT(arrays) * n + CAROM_COUNT(of_roots) * r + (size_t)ode->row_count;
    self->block = carom_allocate(ctx, self->block_size, sizeof(double));
    self->direction = carom_allocate(ctx, r, sizeof(int));
    self->base.root_found = carom_allocate(ctx, r, sizeof(int));
    if (!self->block || !self->direction || !self->base.root_found || !carom_newmark_equations_create(self)) {
        carom_newmark_destroy(&self->base);
        return carom_fail_memory(ctx);
    }
    double *p = self->block;
    for (size_t k = 0; k < CAROM_COUNT(arrays); k++, p += n)
        *arrays[k] = p;
    for (size_t k = 0; k < CAROM_COUNT(of_roots); k++, p += r)
        *of_roots[k] = p;
    self->impulse = p;
    *out = &self->base;
    return CAROM_OK;
}

void carom_newmark_destroy(carom_integrator *base)
{
    carom_newmark *self = (carom_newmark *)base;
    carom_newmark_equations_free(self);
    carom_release(base->ctx, self->block, self->block_size, sizeof(double));
    carom_release(base->ctx, self->direction, (size_t)base->ode.root_count, sizeof(int));
    carom_release(base->ctx, base->root_found, (size_t)base->ode.root_count, sizeof(int));
    carom_release(base->ctx, self, 1, sizeof *self);
}

/* ---- norms ---- */

static double square(const carom_newmark *self, int k, double error)
{
    const double share = error / self->weight[k];
    return share * share;
}

/* Sum of squares over the positions of what `along` times `f` does to them. */
static double position_squares(carom_newmark *self, const double *along, double f)
{
    const carom_ode *ode = &self->base.ode;
    double *y = self->scratch, *rate = self->change, sum = 0;
    memcpy(y, self->y_try, (size_t)ode->size * sizeof *y);
    for (int k = 0; k < ode->velocity_count; k++)
        y[self->first + k] = f * along[k];
    if (ode->position_rate(ode->user, y, y + ode->position_count, rate) != 0)
        return HUGE_VAL;
    for (int k = 0; k < ode->position_count; k++)
        sum += square(self, k, rate[k]);
    return sum;
}

/* The bounds of errors; an implicit method asks nothing of a number that its rounding would not bear. */
static void set_weights(carom_newmark *self)
{
    const carom_ode *ode = &self->base.ode;
    self->rounding = 0;
    self->least_speed = HUGE_VAL;
    for (int k = 0; k < ode->size; k++) {
        self->weight[k] = self->relative * fabs(self->base.y[k]) + self->tolerance[k];
        if (!ode->rounding)
            continue;
        self->weight[k] = fmax(self->weight[k], ROUNDING * ode->rounding[k]);
        if (k < ode->position_count && isfinite(ode->rounding[k]))
            self->rounding = fmax(self->rounding, ode->rounding[k]);
    }
    for (int k = 0; k < ode->velocity_count; k++)
        self->least_speed = fmin(self->least_speed, self->weight[self->first + k]);
}

/* ---- restart ---- */

/* Root functions at the begin. Those that have just crossed, or are about to leave zero, are on the side where they are
   a little way ahead. */
static bool start_roots(carom_newmark *self)
{
    const carom_ode *ode = &self->base.ode;
    if (ode->roots(ode->user, self->base.t, self->base.y, self->roots_now) != 0 ||
        ode->roots(ode->user, self->base.t + self->ahead, self->y_try, self->roots_try) != 0)
        return false;
    for (int k = 0; k < ode->root_count; k++) {
        const double now = self->roots_now[k], then = self->roots_try[k];
        const bool counts = (self->direction[k] <= 0 && now > 0) || (self->direction[k] >= 0 && now < 0);
        if (now * then <= 0 && !counts)
            self->roots_now[k] = then;
    }
    return true;
}

/* Rates of the rates from a little way ahead, and from them the first step. */
static bool look_ahead(carom_newmark *self)
{
    const carom_ode *ode = &self->base.ode;
    double *y = self->y_try, moves = 0, curves = 0, bends;
    memcpy(y, self->base.y, (size_t)ode->size * sizeof *y);
    moves = position_squares(self, y + self->first, 1);
    for (int k = self->first; k < ode->coupled_count; k++)
        moves += square(self, k, self->f[k]);
    /* as far as moves the state by its tolerance */
    double h = moves > 0 ? sqrt(ode->coupled_count / moves) : 1e-6;
    if (self->longest > 0)
        h = fmin(h, 1e-3 * self->longest);
    h = fmax(h, 1e3 * DBL_EPSILON * fabs(self->base.t));
    self->ahead = h;
    for (int k = self->first; k < ode->size; k++)
        y[k] += h * self->f[k];
    if (ode->retract) {
        for (int k = 0; k < ode->velocity_count; k++)
            self->scratch[k] = h * self->base.y[self->first + k];
        ode->retract(ode->user, self->scratch, y);
    } else
        for (int k = 0; k < ode->position_count; k++)
            y[k] += h * self->base.y[self->first + k];
    if (carom_newmark_rates(self, self->base.t + h, y, self->a) != 0)
        return false;
    for (int k = self->first; k < ode->size; k++)
        self->slope[k - self->first] = (self->a[k] - self->f[k]) / h;
    for (int k = self->first; k < ode->coupled_count; k++)
        curves += square(self, k, self->slope[k - self->first]);
    bends = position_squares(self, self->slope, self->position_error);
    if (self->planned > 0)
        return true;
    self->planned = fmin(bends > 0 ? cbrt(sqrt(ode->coupled_count / bends)) : HUGE_VAL,
                         curves > 0 ? 10 * sqrt(2 * sqrt(ode->coupled_count / curves)) : HUGE_VAL);
    return true;
}

bool carom_newmark_restart(carom_integrator *base, double t, const double *y, double relative, const double *tolerance,
                           const int *direction, double first_step, double max_step)
{
    carom_newmark *self = (carom_newmark *)base;
    const carom_ode *ode = &base->ode;
    memcpy(base->y, y, (size_t)ode->size * sizeof *y);
    memcpy(self->direction, direction, (size_t)ode->root_count * sizeof(int));
    base->t = base->t_before = t;
    base->rates = CAROM_RATES_ELSEWHERE;
    base->message[0] = '\0';
    self->longest = max_step;
    self->planned = ode->keeps_step ? max_step : first_step;
    self->stop = HUGE_VAL;
    self->newest = -1;
    self->step_before = 0;
    self->relative = relative;
    memcpy(self->tolerance, tolerance, (size_t)ode->size * sizeof *tolerance);
    set_weights(self);
    if (carom_newmark_rates(self, t, base->y, self->f) != 0 || !look_ahead(self))
        return false;
    /* the rates at the state itself are asked for again by those who read them there */
    memcpy(self->rate, self->f + self->first, (size_t)self->count * sizeof *self->rate);
    self->step_of_a = self->planned < HUGE_VAL ? self->planned : 1;
    for (int k = 0; k < self->count; k++)
        self->a[k] = self->rate[k] + self->shift * self->step_of_a * self->slope[k];
    return !ode->root_count || start_roots(self);
}

/* ---- one step ---- */

static double time_after(const carom_newmark *self, double h)
{
    return h == self->stop - self->base.t_before ? self->stop : self->base.t_before + h;
}

/* The end of the step from the rates there. */
static void place(carom_newmark *self, double h)
{
    const carom_ode *ode = &self->base.ode;
    const double am = self->alpha_m, af = self->alpha_f;
    const double *y = self->y_before;
    double *move = self->scratch;
    for (int k = 0; k < self->count; k++) {
        self->a[k] = ((1 - af) * self->rate[k] + af * self->rate_before[k] - am * self->a_scaled[k]) / (1 - am);
        self->y_try[self->first + k] =
            y[self->first + k] + h * ((1 - self->gamma) * self->a_scaled[k] + self->gamma * self->a[k]);
    }
    for (int k = 0; k < ode->velocity_count; k++)
        move[k] =
            h * y[self->first + k] + h * h * ((0.5 - self->beta) * self->a_scaled[k] + self->beta * self->a[k]);
    memcpy(self->y_try, y, (size_t)ode->position_count * sizeof *y);
    if (ode->retract) {
        ode->retract(ode->user, move, self->y_try);
        return;
    }
    for (int k = 0; k < ode->position_count; k++)
        self->y_try[k] += move[k];
}

/* Size of a change of the numbers behind the positions, and of the positions with it. Where constraints hold the
   positions, velocities have the rounding of these over the step. */
static double size_of(carom_newmark *self, const double *change, double move)
{
    const carom_ode *ode = &self->base.ode;
    const double rounding = ode->row_count && !self->by_rates ? ROUNDING * self->rounding / move : 0;
    double sum = position_squares(self, change, move);
    for (int k = 0; k < self->count; k++) {
        const double weight = self->weight[self->first + k];
        const double share = change[k] / (k < ode->velocity_count ? fmax(weight, rounding) : weight);
        sum += share * share;
    }
    return sqrt(sum / ode->coupled_count);
}

/* One correction of the rates; returns its size, or a negative number if there is none. */
static double correct(carom_newmark *self, double t, double h, double gamma)
{
    const double move = h * self->beta / self->gamma;
    double *b = self->b;
    for (int k = 0; k < self->count; k++)
        b[k] = gamma * (self->f[self->first + k] - self->rate[k]);
    if (carom_newmark_solve(self, b) != 0)
        return -1;
    const double scale = self->base.ode.row_count ? 1 : 2 / (1 + gamma / self->gamma_of);
    for (int k = 0; k < self->count; k++) {
        b[k] *= scale;
        self->rate[k] += b[k] / gamma;
    }
    const double size = size_of(self, b, move);
    place(self, h);
    return isfinite(size) && carom_newmark_rates(self, t, self->y_try, self->f) == 0 ? size : -1;
}

static bool make_matrix(carom_newmark *self, double t, double gamma, double move)
{
    self->newest = -1;
    if (carom_newmark_factor(self, t, gamma, move) != 0)
        return false;
    self->newest = 0;
    self->gamma_of = gamma;
    return true;
}

/* Whether the step holds the constraints on the positions or on the velocities. */
static void choose_level(carom_newmark *self, double move)
{
    const double shortest = self->rounding / (VELOCITY_NOISE * self->least_speed);
    self->by_rates = move < (self->by_rates ? LONGER : 1) * shortest;
    /* Phi' + Phi/tau moves with the velocities by 1 + move/tau */
    const double pull = self->by_rates ? 1 / (LONGER * shortest) : 1 / move;
    self->hold = self->by_rates ? 1 / (1 + pull * move) : 0;
    self->pull = self->by_rates ? self->hold * pull : pull;
}

/* Newton's iteration over h; afterwards y_try and its rates f are those of the end. */
static attempt iterate(carom_newmark *self, double h, bool renew)
{
    const double t = time_after(self, h), weight = (1 - self->alpha_f) / (1 - self->alpha_m);
    const double gamma = self->gamma * h * weight, move = h * self->beta / self->gamma;
    double before = 0, rate = 1;
    choose_level(self, move);
    memset(self->impulse, 0, (size_t)self->base.ode.row_count * sizeof *self->impulse);
    for (int k = 0; k < self->count; k++) {
        self->a_scaled[k] = self->rate_before[k] + h / self->step_of_a * (self->a_before[k] - self->rate_before[k]);
        self->rate[k] = self->f_before[self->first + k] + h * self->slope[k];
    }
    place(self, h);
    if (carom_newmark_rates(self, t, self->y_try, self->f) != 0)
        return UNSOLVED;
    const bool far = fabs(gamma / self->gamma_of - 1) > MATRIX_CHANGE || self->newest >= MATRIX_STEPS;
    if ((renew || self->newest < 0 || far) && !make_matrix(self, t, gamma, move))
        return UNSOLVED;
    for (int n = 0; n < ITERATIONS; n++) {
        if (renew && n > 0 && !make_matrix(self, t, gamma, move))
            return UNSOLVED;
        const double size = correct(self, t, h, gamma);
        if (size < 0)
            return UNSOLVED;
        rate = n > 0 ? fmax(0.3 * rate, size / before) : 1;
        const bool noise = n > 1 && size > 0.5 * before && size < NOISE;
        if (size * fmin(1, rate) <= ITERATION_SHARE || noise) {
            if (n >= MANY)
                self->newest = MATRIX_STEPS;
            return DONE;
        }
        if (n > 1 && size > 2 * before)
            return DIVERGED;
        before = size;
    }
    return DIVERGED;
}

static attempt make_step(carom_newmark *self, double h)
{
    attempt result = iterate(self, h, false);
    if (result == DIVERGED)
        result = iterate(self, h, true);
    return result;
}

/* The local error, of what is allowed. */
static double error_of(carom_newmark *self, double h)
{
    const carom_ode *ode = &self->base.ode;
    const double hb = self->step_before;
    double *change = self->b;
    for (int k = 0; k < ode->velocity_count; k++)
        change[k] = self->f[self->first + k] - self->f_before[self->first + k];
    double sum = position_squares(self, change, self->position_error * h * h);
    for (int k = self->first; k < ode->size; k++) {
        const bool coupled = k < ode->coupled_count;
        const double now = (self->f[k] - self->f_before[k]) / h;
        const double former = hb > 0 ? (self->f_before[k] - self->f_older[k]) / hb : self->slope[k - self->first];
        const double bend = (now - former) / (h + hb);
        sum += square(self, k, (coupled ? self->rate_error : 1.0 / 12) * 2 * h * h * h * bend);
    }
    return sqrt(sum / ode->size);
}

/* Integrals, which nothing depends on. */
static void integrate(carom_newmark *self, double h)
{
    for (int k = self->base.ode.coupled_count; k < self->base.ode.size; k++)
        self->y_try[k] = self->y_before[k] + 0.5 * h * (self->f_before[k] + self->f[k]);
}

/* Length of the step that is planned, before `stop`. */
static double cut(const carom_newmark *self, double stop, bool *stops)
{
    const bool keeps = self->base.ode.keeps_step;
    const double left = stop - self->base.t;
    const double h = self->longest > 0 ? fmin(self->planned, self->longest) : self->planned;
    *stops = h * (1 + 1e-9) >= left;
    if (*stops)
        return left;
    return !keeps && 2 * h > left ? 0.5 * left : h;
}

static void begin(carom_newmark *self)
{
    const size_t bytes = (size_t)self->base.ode.size * sizeof(double);
    memcpy(self->y_before, self->base.y, bytes);
    memcpy(self->y_try, self->base.y, bytes);
    memcpy(self->f_older, self->f_before, bytes);
    memcpy(self->f_before, self->f, bytes);
    memcpy(self->rate_before, self->rate, bytes);
    memcpy(self->a_before, self->a, bytes);
    memcpy(self->roots_before, self->roots_now, (size_t)self->base.ode.root_count * sizeof(double));
    self->base.t_before = self->base.t;
    set_weights(self);
}

/* Takes over what y_try, f, rate and a are at the end of a step of length h. */
static void finish(carom_newmark *self, double t, double h)
{
    memcpy(self->base.y, self->y_try, (size_t)self->base.ode.size * sizeof *self->y_try);
    for (int k = self->first; k < self->base.ode.size; k++)
        self->slope[k - self->first] = (self->f[k] - self->f_before[k]) / h;
    self->step_of_a = self->step_before = h;
    self->base.t = t;
    self->base.rates = CAROM_RATES_AT_END;
    if (self->newest >= 0)
        self->newest++;
}

/* Steps until one is good; its length, or a negative number. */
static double try_steps(carom_newmark *self, double stop, bool *stops)
{
    const double least = 16 * DBL_EPSILON * fmax(fabs(self->base.t), 1e-3 * fabs(stop));
    for (;;) {
        const double h = cut(self, stop, stops);
        const attempt result = make_step(self, h);
        if (result == DONE) {
            integrate(self, h);
            if (self->base.ode.keeps_step) {
                self->planned = fmin(2 * self->planned, self->longest);
                return h;
            }
            const double error = error_of(self, h), factor = SAFETY / cbrt(error);
            if (error <= 1) {
                const double most = self->step_before > 0 ? GREATEST_FACTOR : FIRST_FACTOR;
                const double next = h * (factor >= 1 && factor < WORTH ? 1 : fmin(factor, most));
                self->planned = h < self->planned ? fmax(next, fmin(self->planned, most * h)) : next;
                return h;
            }
            self->planned = h * fmax(LEAST_FACTOR, fmin(factor, SAFETY));
        } else {
            self->planned = 0.25 * h;
        }
        if (!(self->planned > least)) {
            snprintf(self->base.message, sizeof self->base.message,
                     result == UNSOLVED  ? "the right-hand side could not be evaluated near t = %.6g s"
                     : result == DIVERGED ? "Newton's iteration does not converge near t = %.6g s"
                                          : "the error is too large however short the step, near t = %.6g s",
                     self->base.t);
            return -1;
        }
    }
}

/* The root functions after h of the last step, by its dense output. */
static int reach(void *user, double h)
{
    carom_newmark *self = user;
    const carom_ode *ode = &self->base.ode;
    const double t = time_after(self, h);
    return !carom_newmark_interpolate(&self->base, t, ode->size, self->y_try) ||
           ode->roots(ode->user, t, self->y_try, self->roots_try) != 0;
}

/* Ends the last step after h, at y_try. */
static bool end_at(carom_newmark *self, double h)
{
    self->base.t = time_after(self, h);
    memcpy(self->base.y, self->y_try, (size_t)self->base.ode.size * sizeof *self->y_try);
    return carom_newmark_rates(self, self->base.t, self->base.y, self->f) == 0;
}

carom_step_result carom_newmark_step(carom_integrator *base, double stop)
{
    carom_newmark *self = (carom_newmark *)base;
    const carom_ode *ode = &base->ode;
    bool stops;
    self->stop = stop;
    begin(self);
    double h = try_steps(self, stop, &stops);
    if (h < 0 || (ode->root_count && ode->roots(ode->user, time_after(self, h), self->y_try, self->roots_now) != 0))
        return CAROM_STEP_FAILED;
    carom_step_result result = stops ? CAROM_STEP_STOP : CAROM_STEP_DONE;
    finish(self, time_after(self, h), h);
    const carom_crossing crossing = {.count = ode->root_count,
                                     .direction = self->direction,
                                     .before = self->roots_before,
                                     .now = self->roots_try,
                                     .reach = reach,
                                     .user = self};
    if (carom_crossing_first(&crossing, self->roots_now) < 0)
        return result;
    memcpy(self->roots_try, self->roots_now, (size_t)ode->root_count * sizeof(double));
    h = carom_crossing_locate(&crossing, base->t_before, h);
    if (h < 0 || !end_at(self, h)) {
        snprintf(base->message, sizeof base->message, "the right-hand side could not be evaluated near t = %.6g s",
                 base->t_before);
        return CAROM_STEP_FAILED;
    }
    for (int k = 0; k < ode->root_count; k++)
        base->root_found[k] = carom_crossing_of(&crossing, k, self->roots_try);
    return CAROM_STEP_ROOT;
}

bool carom_newmark_interpolate(carom_integrator *base, double t, int count, double *y)
{
    const carom_newmark *self = (const carom_newmark *)base;
    carom_hermite_interpolate(t, base->t_before, base->t, count, self->y_before, self->f_before, base->y, self->f, y);
    return true;
}
