/* What of several runs of one model agrees: until when, on how many digits, and which means behind that. */
#include "run/converge.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST_DIGITS 15

/* Digits on which two numbers agree, whose differences count against `scale`. */
static double digits(double a, double b, double scale)
{
    const double difference = fabs(a - b), size = fmax(fmax(fabs(a), fabs(b)), scale);
    if (isnan(a) || isnan(b))
        return isnan(a) && isnan(b) ? MOST_DIGITS : 0;
    if (!(difference > 0))
        return MOST_DIGITS;
    return fmin(MOST_DIGITS, fmax(0, -log10(difference / size)));
}

/* The run that the others are compared with: the tightest one of the file's own integrator that has come far enough. */
static const converge_run *best_of(const convergence *c)
{
    const size_t own = c->count < CONVERGE_RUNS ? c->count : CONVERGE_RUNS - 1;
    return &c->runs[own - 1];
}

static const converge_pose *pose_of(const convergence *c, const converge_run *r, size_t sample, size_t body)
{
    return &r->poses[sample * c->bodies + body];
}

/* The impact of a run that is as late among those of its contact as `impact` is in the first one; NULL: none. */
static const carom_impact *partner(const converge_run *first, size_t impact, const converge_run *r)
{
    size_t place = 0;
    for (size_t k = 0; k < impact; k++)
        place += strcmp(first->impacts[k].contact, first->impacts[impact].contact) == 0;
    for (size_t k = 0; k < r->impact_count; k++)
        if (strcmp(r->impacts[k].contact, first->impacts[impact].contact) == 0 && place-- == 0)
            return &r->impacts[k];
    return NULL;
}

/* ---- the horizon ---- */

/* Ranges of all positions [m] and of all angles [rad] of a run, and its greatest speeds [m/s], [rad/s]. */
typedef struct ranges {
    double length, angle, speed, spin;
} ranges;

static ranges ranges_of(const convergence *c, const converge_run *r)
{
    ranges out = {0};
    for (size_t k = 0; k < c->bodies; k++)
        for (int axis = 0; axis < 4; axis++) {
            double least[2] = {HUGE_VAL, HUGE_VAL}, most[2] = {-HUGE_VAL, -HUGE_VAL};
            for (size_t s = 0; s < r->samples; s++) {
                const converge_pose *p = pose_of(c, r, s, k);
                out.speed = fmax(out.speed, p->speed);
                out.spin = fmax(out.spin, p->spin);
                const double values[2] = {axis < 3 ? p->position[axis] : 0, c->plane ? p->turn[0] : 0};
                for (int i = 0; i < 2; i++) {
                    least[i] = fmin(least[i], values[i]);
                    most[i] = fmax(most[i], values[i]);
                }
            }
            out.length = fmax(out.length, most[0] - least[0]);
            out.angle = fmax(out.angle, most[1] - least[1]);
        }
    /* an angle that hardly changes is compared with what it moves at the model's range, a turn with one radian */
    out.angle = c->plane ? fmin(fmax(out.angle, 1e-3), 1) : 1;
    out.length = fmax(out.length, 1e-12);
    return out;
}

/* Angle between two orientations [rad]. */
static double angle_between(const convergence *c, const converge_pose *a, const converge_pose *b)
{
    if (c->plane)
        return fabs(a->turn[0] - b->turn[0]);
    double same = 0, other = 0;
    for (int k = 0; k < 4; k++) {
        same += (a->turn[k] - b->turn[k]) * (a->turn[k] - b->turn[k]);
        other += (a->turn[k] + b->turn[k]) * (a->turn[k] + b->turn[k]);
    }
    return 2 * sqrt(fmin(same, other));
}

/* Difference of two poses, or of their speeds as well, as a share of the ranges. */
static double share_apart(const convergence *c, const converge_pose *a, const converge_pose *b, const ranges *r,
                          bool speeds)
{
    double squares = 0;
    for (int k = 0; k < 3; k++)
        squares += (a->position[k] - b->position[k]) * (a->position[k] - b->position[k]);
    const double poses = fmax(sqrt(squares) / r->length, angle_between(c, a, b) / r->angle);
    if (!speeds)
        return poses;
    const double rates = fmax(r->speed > 0 ? fabs(a->speed - b->speed) / r->speed : 0,
                              r->spin > 0 ? fabs(a->spin - b->spin) / r->spin : 0);
    return fmax(poses, rates);
}

/* Number of samples until which two runs agree. */
static size_t agreeing(const convergence *c, const converge_run *a, const converge_run *b, const ranges *r, bool speeds)
{
    const size_t count = a->samples < b->samples ? a->samples : b->samples;
    for (size_t s = 0; s < count; s++)
        for (size_t k = 0; k < c->bodies; k++)
            if (!(share_apart(c, pose_of(c, a, s, k), pose_of(c, b, s, k), r, speeds) <= c->options->share))
                return s;
    return count;
}

/* Time of the first impact of a run that the other one has not, or with a speed or a force farther apart than the share
   [s]; HUGE_VAL: none. */
static double first_other_impact(const convergence *c, const converge_run *a, const converge_run *b)
{
    const double share = c->options->share;
    for (size_t k = 0; k < a->impact_count; k++) {
        const carom_impact *x = &a->impacts[k], *y = partner(a, k, b);
        if (!y || fabs(x->v_in - y->v_in) > share * x->v_in ||
            fabs(x->peak_force - y->peak_force) > share * x->peak_force)
            return y ? fmin(x->onset, y->onset) : x->onset;
    }
    return HUGE_VAL;
}

static void find_horizon(convergence *c)
{
    const converge_run *best = best_of(c);
    const ranges r = ranges_of(c, best);
    const double end = c->times[c->sample_count - 1];
    c->horizon = c->poses_agree = c->until = end;
    for (size_t k = 0; k < c->count; k++) {
        const converge_run *run = &c->runs[k];
        const size_t poses = agreeing(c, run, best, &r, false), all = agreeing(c, run, best, &r, true);
        const double impacts = fmin(first_other_impact(c, run, best), first_other_impact(c, best, run));
        c->against[k] = fmin(all ? c->times[all - 1] : 0, impacts);
        c->horizon = fmin(c->horizon, c->against[k]);
        c->poses_agree = fmin(c->poses_agree, poses ? c->times[poses - 1] : 0);
        c->until = fmin(c->until, run->samples ? c->times[run->samples - 1] : 0);
    }
    c->whole = c->horizon >= end;
}

/* ---- impacts ---- */

static void lower(double *digits_so_far, double a, double b)
{
    *digits_so_far = fmin(*digits_so_far, digits(a, b, 0));
}

static void compare_impact(const convergence *c, size_t impact, converge_impact *out)
{
    const carom_impact *a = &c->runs[0].impacts[impact];
    *out = (converge_impact){MOST_DIGITS, MOST_DIGITS, MOST_DIGITS, MOST_DIGITS, MOST_DIGITS, MOST_DIGITS};
    for (size_t k = 1; k < c->count; k++) {
        const carom_impact *b = partner(&c->runs[0], impact, &c->runs[k]);
        if (!b) {
            const double none = (double)NAN;
            *out = (converge_impact){none, none, none, none, none, none};
            return;
        }
        lower(&out->onset, a->onset, b->onset);
        lower(&out->v_in, a->v_in, b->v_in);
        lower(&out->v_out, a->v_out, b->v_out);
        lower(&out->peak_force, a->peak_force, b->peak_force);
        lower(&out->max_indentation, a->max_indentation, b->max_indentation);
        lower(&out->impulse, a->impulse, b->impulse);
    }
}

static bool compare_impacts(convergence *c)
{
    const size_t count = c->runs[0].impact_count;
    c->impacts = calloc(count + 1, sizeof *c->impacts);
    for (size_t k = 0; c->impacts && k < count; k++)
        compare_impact(c, k, &c->impacts[k]);
    return c->impacts != NULL;
}

/* ---- the end ---- */

enum { END_POSITION, END_ANGLE, END_SPEED, END_SPIN, END_QUANTITIES };
static const struct {
    const char *name, *unit;
} end_quantities[END_QUANTITIES] = {
    [END_POSITION] = {"position", "m"}, [END_ANGLE] = {"angle", "rad"}, [END_SPEED] = {"speed", "m/s"},
    [END_SPIN] = {"angular speed", "rad/s"}};

static double end_value(const convergence *c, const converge_pose *p, int what)
{
    switch (what) {
    case END_POSITION:
        return hypot(hypot(p->position[0], p->position[1]), p->position[2]);
    case END_ANGLE:
        return c->plane ? p->turn[0]
                        : 2 * atan2(hypot(hypot(p->turn[1], p->turn[2]), p->turn[3]), fabs(p->turn[0]));
    case END_SPEED:
        return p->speed;
    default:
        return p->spin;
    }
}

/* Largest value of a quantity of any body in a run, which its differences count against. */
static double largest(const convergence *c, const converge_run *r, int what)
{
    double out = 0;
    for (size_t s = 0; s < r->samples; s++)
        for (size_t k = 0; k < c->bodies; k++)
            out = fmax(out, fabs(end_value(c, pose_of(c, r, s, k), what)));
    return out;
}

/* A quantity of a body that never exceeds this share of the largest one of any body is rounding; */
#define ROUNDING 1e-12
/* that of angles is at least this one [rad]. */
#define LEAST_ANGLE 1e-3

/* Whether a body has a quantity by rounding alone: in no run more at any time. `scale` is the largest of any body. */
static bool is_rounding(const convergence *c, size_t body, int what, double scale)
{
    const double end = c->times[c->sample_count - 1];
    const double least[END_QUANTITIES] = {[END_ANGLE] = LEAST_ANGLE, [END_SPIN] = LEAST_ANGLE / end};
    const double most = ROUNDING * fmax(scale, least[what]);
    for (size_t k = 0; k < c->count; k++)
        for (size_t s = 0; s < c->runs[k].samples; s++)
            if (!(fabs(end_value(c, pose_of(c, &c->runs[k], s, body), what)) <= most))
                return false;
    return true;
}

static double end_difference(const convergence *c, const converge_pose *a, const converge_pose *b, int what)
{
    if (what == END_POSITION)
        return hypot(hypot(a->position[0] - b->position[0], a->position[1] - b->position[1]),
                     a->position[2] - b->position[2]);
    if (what == END_ANGLE)
        return angle_between(c, a, b);
    return fabs(end_value(c, a, what) - end_value(c, b, what));
}

static bool compare_ends(convergence *c)
{
    const converge_run *best = best_of(c);
    c->ends = calloc(c->bodies * END_QUANTITIES + 1, sizeof *c->ends);
    if (!c->ends || best->samples < c->sample_count)
        return c->ends != NULL;
    for (int what = 0; what < END_QUANTITIES; what++) {
        const double scale = largest(c, best, what);
        for (size_t k = 0; k < c->bodies && scale > 0; k++) {
            if (is_rounding(c, k, what, scale)) {
                c->rounding_count++;
                continue;
            }
            converge_end *e = &c->ends[c->end_count++];
            const converge_pose *b = pose_of(c, best, c->sample_count - 1, k);
            snprintf(e->name, sizeof e->name, "%s of %s", end_quantities[what].name,
                     carom_model_body_name(best->job.model, k));
            e->unit = end_quantities[what].unit;
            e->value = end_value(c, b, what);
            e->digits = MOST_DIGITS;
            for (size_t r = 0; r < c->count; r++)
                if (c->runs[r].samples == c->sample_count)
                    e->digits = fmin(e->digits, digits(end_difference(c, b, pose_of(c, &c->runs[r],
                                                                                 c->sample_count - 1, k), what),
                                                       0, fmax(scale, 1e-300)));
                else
                    e->digits = 0;
        }
    }
    return true;
}

/* ---- behind the horizon ---- */

/* What is averaged over a part of the time of a run: [from, to). */
typedef double (*average)(const convergence *c, const converge_run *r, size_t object, double from, double to);

static double mean_speed(const convergence *c, const converge_run *r, size_t body, double from, double to)
{
    double sum = 0, count = 0;
    for (size_t s = 0; s < r->samples; s++)
        if (c->times[s] > from && c->times[s] <= to) {
            sum += pose_of(c, r, s, body)->speed;
            count++;
        }
    return count > 0 ? sum / count : (double)NAN;
}

static double rms_speed(const convergence *c, const converge_run *r, size_t body, double from, double to)
{
    double sum = 0, count = 0;
    for (size_t s = 0; s < r->samples; s++)
        if (c->times[s] > from && c->times[s] <= to) {
            const double v = pose_of(c, r, s, body)->speed;
            sum += v * v;
            count++;
        }
    return count > 0 ? sqrt(sum / count) : (double)NAN;
}

static double mean_spin(const convergence *c, const converge_run *r, size_t body, double from, double to)
{
    double sum = 0, count = 0;
    for (size_t s = 0; s < r->samples; s++)
        if (c->times[s] > from && c->times[s] <= to) {
            sum += pose_of(c, r, s, body)->spin;
            count++;
        }
    return count > 0 ? sum / count : (double)NAN;
}

static bool counts(const carom_impact *i, double from, double to) { return i->onset > from && i->onset <= to; }

/* Impacts a second. */
static double impact_rate(const convergence *c, const converge_run *r, size_t none, double from, double to)
{
    (void)c;
    (void)none;
    double count = 0;
    for (size_t k = 0; k < r->impact_count; k++)
        count += counts(&r->impacts[k], from, to);
    return count / (to - from);
}

static double mean_peak(const convergence *c, const converge_run *r, size_t none, double from, double to)
{
    (void)c;
    (void)none;
    double sum = 0, count = 0;
    for (size_t k = 0; k < r->impact_count; k++)
        if (counts(&r->impacts[k], from, to)) {
            sum += r->impacts[k].peak_force;
            count++;
        }
    return count > 0 ? sum / count : (double)NAN;
}

static double rms_peak(const convergence *c, const converge_run *r, size_t none, double from, double to)
{
    (void)c;
    (void)none;
    double sum = 0, count = 0;
    for (size_t k = 0; k < r->impact_count; k++)
        if (counts(&r->impacts[k], from, to)) {
            sum += r->impacts[k].peak_force * r->impacts[k].peak_force;
            count++;
        }
    return count > 0 ? sqrt(sum / count) : (double)NAN;
}

/* Standard error of an average over the time behind the horizon, from the scatter of its blocks. */
static double block_error(const convergence *c, const converge_run *r, average f, size_t object)
{
    const double length = (c->until - c->horizon) / CONVERGE_BLOCKS;
    double sum = 0, squares = 0, count = 0;
    for (int b = 0; b < CONVERGE_BLOCKS; b++) {
        const double value = f(c, r, object, c->horizon + b * length, c->horizon + (b + 1) * length);
        if (isnan(value))
            continue;
        sum += value;
        squares += value * value;
        count++;
    }
    if (count < 2)
        return (double)NAN;
    return sqrt(fmax(0, squares - sum * sum / count) / (count - 1) / count);
}

/* Runs agree where none is farther from the mean than so many standard errors, */
#define STANDARD_ERRORS 3
/* or than this share of the largest value of any body: what a drive prescribes has no scatter, nor has rounding of what
   stands. */
#define SAME 1e-6

/* `most` is that largest value; 0 of what no body has. */
static void add_statistic(convergence *c, const char *name, const char *unit, average f, size_t object, double most)
{
    converge_statistic *s = &c->statistics[c->statistic_count];
    *s = (converge_statistic){.unit = unit, .agrees = true};
    snprintf(s->name, sizeof s->name, "%s", name);
    double sum = 0, squares = 0, errors = 0, n = (double)c->count;
    for (size_t k = 0; k < c->count; k++) {
        const double error = block_error(c, &c->runs[k], f, object);
        s->of[k] = f(c, &c->runs[k], object, c->horizon, c->until);
        sum += s->of[k];
        errors += error * error;
    }
    s->mean = sum / n;
    s->error = sqrt(errors / n);
    for (size_t k = 0; k < c->count; k++) {
        squares += (s->of[k] - s->mean) * (s->of[k] - s->mean);
        s->agrees = s->agrees && fabs(s->of[k] - s->mean) <= fmax(STANDARD_ERRORS * s->error, SAME * most);
    }
    s->spread = sqrt(squares / (n - 1));
    /* what did not happen in some run has no statistics */
    c->statistic_count += !isnan(s->mean) && !isnan(s->error);
}

#define STATISTICS_OF_ALL 3
#define STATISTICS_OF_BODY 3

static bool find_statistics(convergence *c)
{
    c->statistics = calloc(STATISTICS_OF_ALL + STATISTICS_OF_BODY * c->bodies, sizeof *c->statistics);
    if (!c->statistics || c->whole || !(c->until > c->horizon))
        return c->statistics != NULL;
    add_statistic(c, "impacts a second", "1/s", impact_rate, 0, 0);
    add_statistic(c, "mean peak force of impacts", "N", mean_peak, 0, 0);
    add_statistic(c, "rms peak force of impacts", "N", rms_peak, 0, 0);
    const converge_run *best = best_of(c);
    const double speed = largest(c, best, END_SPEED), spin = largest(c, best, END_SPIN);
    for (size_t k = 0; k < c->bodies; k++) {
        char name[96];
        const char *body = carom_model_body_name(c->runs[0].job.model, k);
        if (!is_rounding(c, k, END_SPEED, speed)) {
            snprintf(name, sizeof name, "mean speed of %.60s", body);
            add_statistic(c, name, "m/s", mean_speed, k, speed);
            snprintf(name, sizeof name, "rms speed of %.60s", body);
            add_statistic(c, name, "m/s", rms_speed, k, speed);
        }
        if (!is_rounding(c, k, END_SPIN, spin)) {
            snprintf(name, sizeof name, "mean angular speed of %.60s", body);
            add_statistic(c, name, "rad/s", mean_spin, k, spin);
        }
    }
    return true;
}

bool converge_compare(convergence *c)
{
    find_horizon(c);
    return compare_impacts(c) && compare_ends(c) && find_statistics(c);
}
