/* Free direct impacts of any elastic part by their first integral.
   Source: Autiero et al. 2022, eqs. (112), (113), whose separation of the variables holds for every Fe(delta). */
#include "law/first_integral.h"
#include "base/base.h"
#include "kinds/normal/impact.h"
#include "math/roots.h"

#include <float.h>
#include <math.h>

enum { COMPRESSION, RESTITUTION };

/* Below this the damping changes the impact by less than rounding. */
#define SMALL_FACTOR 1e-7

typedef struct path {
    const carom_first_integral *impact;
    const carom_free_solution *s;
} path;

static carom_elastic_force elastic_at(const path *p, int branch, double delta)
{
    carom_elastic_force out;
    const carom_elastic_kind *kind = p->impact->elastic;
    CAROM_KIND_CALL(kind, force, p->impact->constants, kind->history ? p->s->history[branch] : NULL, delta, &out);
    return out;
}

/* ---- work ---- */

/* Nodes and weights of Kronrod's rule of 15 points on (-1, 1), and of Gauss's of 7 within it (Piessens et al. 1983). */
static const double kronrod_node[8] = {0.991455371120812639206854697526329, 0.949107912342758524526189684047851,
                                       0.864864423359769072789712788640926, 0.741531185599394439863864773280788,
                                       0.586087235467691130294144691693829, 0.405845151377397166906606412076961,
                                       0.207784955007898467600689403773245, 0};
static const double kronrod_weight[8] = {0.022935322010529224963732008058970, 0.063092092629978553290700663189204,
                                         0.104790010322250183839876322541518, 0.140653259715525918745189590510238,
                                         0.169004726639267902826583426598550, 0.190350578064785409913256402421014,
                                         0.204432940075298892414161999234649, 0.209482141084727828012999174891714};
static const double gauss_weight[4] = {0.129484966168869693270611432679082, 0.279705391489276667901467771423780,
                                       0.381830050505118944950369775488975, 0.417959183673469387755102040816327};

/* An integral of the elastic part's force. */
typedef struct work {
    const path *path;
    int branch;
    double origin;
    bool from_onset; /* over u from 0 to 1 with delta = origin u^2, smooth at the onset; else over the depth x
                                   below, delta = origin - x */
} work;

static double work_integrand(const work *w, double x)
{
    if (w->from_onset)
        return 2 * w->origin * x * elastic_at(w->path, w->branch, w->origin * x * x).force;
    return elastic_at(w->path, w->branch, w->origin - x).force;
}

/* The integral from a to b, halved until both rules agree within `allowed`, a negative one in parts of the first
   result. */
static double integrate(const work *w, double a, double b, double allowed, int depth)
{
    double middle = 0.5 * (a + b), half = 0.5 * (b - a), gauss = 0, kronrod = 0;
    for (int k = 0; k < 8; k++) {
        double sum = work_integrand(w, middle - half * kronrod_node[k]);
        if (k < 7)
            sum += work_integrand(w, middle + half * kronrod_node[k]);
        kronrod += kronrod_weight[k] * sum;
        if (k % 2)
            gauss += gauss_weight[k / 2] * sum;
    }
    kronrod *= half;
    gauss *= half;
    if (allowed < 0)
        allowed *= -fabs(kronrod);
    /* the finer rule is far more accurate than the difference of both */
    if (depth == 0 || fabs(kronrod - gauss) <= allowed)
        return kronrod;
    return integrate(w, a, middle, 0.5 * allowed, depth - 1) + integrate(w, middle, b, 0.5 * allowed, depth - 1);
}

#define WORK_ACCURACY 1e-12

/* Work from onset to an indentation. */
static double work_to(const path *p, double delta)
{
    if (!p->impact->elastic->history)
        return elastic_at(p, COMPRESSION, delta).energy;
    const work w = {p, COMPRESSION, delta, true};
    return integrate(&w, 0, 1, -WORK_ACCURACY, 20);
}

/* W: work from the indentation that lies `below` under the greatest one up to it. */
static double work_below(const path *p, int branch, double below)
{
    const carom_first_integral *i = p->impact;
    double deep = p->s->max_indentation, span = branch == COMPRESSION ? deep : deep - p->s->end_indentation;
    /* a difference is accurate where it is no small part of what it is made from */
    if (below > 0.3 * span && i->elastic->history && branch == COMPRESSION)
        return 0.5 * i->mass * i->speed * i->speed - work_to(p, deep - below);
    if (below > 0.3 * span)
        return elastic_at(p, branch, deep).energy - elastic_at(p, branch, deep - below).energy;
    const work w = {p, branch, deep, false};
    return integrate(&w, 0, below, -WORK_ACCURACY, 20);
}

/* ---- rate ---- */

/* |rate|/v0 at the indentation that lies `below` under the greatest one. */
static double speed_below(const path *p, int branch, double below)
{
    const carom_first_integral *i = p->impact;
    double value = work_below(p, branch, below) / (i->mass * i->speed * i->speed), a = i->factor;
    if (!(value > 0))
        return 0;
    if (a < SMALL_FACTOR)
        return sqrt(2 * value);
    return (branch == COMPRESSION ? carom_impact_root_above(a * a * value) : carom_impact_root_below(a * a * value)) /
           a;
}

/* ---- greatest indentation, end ---- */

/* Greatest indentation, where the work is `energy`: Newton between brackets. False if it lies beyond the limit. */
static bool find_deepest(const path *p, double energy, double *out)
{
    const carom_elastic_kind *kind = p->impact->elastic;
    double limit = kind->limit ? CAROM_KIND_CALL(kind, limit, p->impact->constants) : HUGE_VAL;
    double low = 0, high = isfinite(limit) ? limit : 1e-9;
    *out = limit;
    if (isfinite(limit) && !(work_to(p, limit) >= energy))
        return false;
    while (!(work_to(p, high) >= energy)) {
        low = high;
        high *= 2;
        if (!(high < 1e30))
            return false;
    }
    double delta = 0.5 * (low + high);
    for (int k = 0; k < 200; k++) {
        double excess = work_to(p, delta) - energy;
        *(excess < 0 ? &low : &high) = delta;
        const double next = carom_newton_between(delta, excess, elastic_at(p, COMPRESSION, delta).force, low, high);
        double step = fabs(next - delta);
        delta = next;
        if (step < 2 * DBL_EPSILON * delta || high - low < 2 * DBL_EPSILON * high)
            break;
    }
    *out = delta;
    return true;
}

/* Indentation at which the force of the restitution has fallen to zero. */
static double find_end(const path *p)
{
    double low = 0, high = p->s->max_indentation;
    for (int k = 0; k < 1100 && high - low > DBL_EPSILON * high; k++) {
        double middle = 0.5 * (low + high);
        *(elastic_at(p, RESTITUTION, middle).force > 0 ? &high : &low) = middle;
        if (high < 1e-16 * p->s->max_indentation)
            return 0;
    }
    return high;
}

/* ---- greatest force ---- */

static double force_at(const path *p, double delta, double *speed)
{
    *speed = speed_below(p, COMPRESSION, p->s->max_indentation - delta);
    return elastic_at(p, COMPRESSION, delta).force * (1 + p->impact->factor * *speed);
}

/* Negative before the stationary point of the force along the motion, positive behind: A Fe^2 - Fe' m v0^2 w. */
static double stationarity(const path *p, double delta)
{
    const carom_first_integral *i = p->impact;
    carom_elastic_force f = elastic_at(p, COMPRESSION, delta);
    double w = speed_below(p, COMPRESSION, p->s->max_indentation - delta);
    return i->factor * f.force * f.force - f.slope * i->mass * i->speed * i->speed * w;
}

#define PEAK_POINTS 100

static void find_peak(const path *p, carom_free_solution *out)
{
    double deep = out->max_indentation, w;
    out->peak_indentation = deep;
    out->peak_rate = 0;
    out->peak_force = elastic_at(p, COMPRESSION, deep).force;
    if (p->impact->factor == 0)
        return;
    int best = PEAK_POINTS;
    double largest = out->peak_force;
    for (int k = 1; k < PEAK_POINTS; k++) {
        double force = force_at(p, deep * k / PEAK_POINTS, &w);
        if (force > largest) {
            largest = force;
            best = k;
        }
    }
    double low = deep * (best - 1) / PEAK_POINTS, high = best < PEAK_POINTS ? deep * (best + 1) / PEAK_POINTS : deep;
    for (int k = 0; k < 60 && high - low > DBL_EPSILON * high; k++) {
        double middle = 0.5 * (low + high);
        *(stationarity(p, middle) < 0 ? &low : &high) = middle;
    }
    out->peak_indentation = 0.5 * (low + high);
    out->peak_force = force_at(p, out->peak_indentation, &w);
    out->peak_rate = w * p->impact->speed;
}

/* ---- duration ---- */

/* Time of one branch between its end and the greatest indentation, by the double exponential rule, which converges in
   spite of the inverse square root at the turn. */
static double branch_sum(const path *p, int branch, double span, double start, double h)
{
    double sum = 0;
    for (double t = start; t < 4.3; t += h) {
        double x = exp(-CAROM_PI * sinh(t)), rho = 1 / (1 + x), rest = x / (1 + x);
        double speed = speed_below(p, branch, span * rest);
        if (speed > 0)
            sum += CAROM_PI * cosh(t) * rho * rest / speed;
    }
    return sum;
}

static double branch_duration(const path *p, int branch, double span)
{
    double h = 0.25, sum = branch_sum(p, branch, span, -4.25, h), integral = sum * h;
    for (int level = 0; level < 5; level++) {
        double before = integral;
        sum += branch_sum(p, branch, span, -4.25 + 0.5 * h, h);
        h *= 0.5;
        integral = sum * h;
        if (fabs(integral - before) < 1e-12 * integral)
            break;
    }
    return integral * span / p->impact->speed;
}

/* ---- the impact ---- */

static void solve_power_law(const carom_first_integral *i, carom_free_solution *out)
{
    const carom_hysteresis_impact closed = {.stiffness = i->constants[0],
                                 .exponent = i->constants[1],
                                 .factor = i->factor,
                                 .mass = i->mass,
                                 .speed = i->speed};
    out->max_indentation = carom_impact_max_indentation(&closed);
    if (i->brief)
        return;
    out->peak_force = carom_impact_max_force(&closed, &out->peak_indentation, &out->peak_rate);
    out->duration = carom_impact_duration(&closed);
}

/* Energy that unloading gives back from the greatest indentation. */
static double recoverable(const path *p, const carom_free_solution *s)
{
    return elastic_at(p, RESTITUTION, s->max_indentation).energy -
           elastic_at(p, RESTITUTION, s->end_indentation).energy;
}

bool carom_first_integral_solve(const carom_first_integral *i, carom_free_solution *out)
{
    path p = {i, out};
    double a = i->factor, energy = i->mass * i->speed * i->speed;
    out->achieved_restitution = carom_achieved_restitution(a);
    out->loss = carom_impact_loss(a);
    if (i->elastic->power_law && !i->elastic->history && !i->elastic->limit) {
        solve_power_law(i, out);
        return true;
    }
    energy *= a < 1e-9 ? 0.5 - a / 3 : -carom_log1p_minus(a) / a / a;
    double deepest;
    bool reached = find_deepest(&p, energy, &deepest);
    out->max_indentation = deepest;
    if (!reached)
        return false;
    if (i->elastic->history) {
        CAROM_KIND_CALL(i->elastic, update, i->constants, out->history[RESTITUTION], deepest, 0);
        out->end_indentation = find_end(&p);
        double part = recoverable(&p, out) / energy;
        out->achieved_restitution = sqrt(fmax(part, 0));
        out->loss = 1 - part;
    }
    if (i->brief)
        return true;
    find_peak(&p, out);
    out->duration = branch_duration(&p, COMPRESSION, deepest) +
                    branch_duration(&p, RESTITUTION, deepest - out->end_indentation);
    return true;
}

/* ---- motion ---- */

/* Time between two values of s, where the indentation is the greatest one less span s^2: smooth in s at the turn.
   Gauss's rule of 7 points. */
static double time_between(const path *p, int branch, double span, double s0, double s1)
{
    double middle = 0.5 * (s0 + s1), half = 0.5 * (s1 - s0), sum = 0;
    for (int k = 1; k < 8; k += 2)
        for (int side = 0; side < (k == 7 ? 1 : 2); side++) {
            double s = middle + (side ? half : -half) * kronrod_node[k];
            double speed = speed_below(p, branch, span * s * s);
            sum += speed > 0 ? gauss_weight[k / 2] * 2 * s / speed : 0;
        }
    return sum * half * span / p->impact->speed;
}

void carom_first_integral_motion(const carom_first_integral *i, const carom_free_solution *solution, size_t count,
                                 double *time, double *delta, double *rate, double *force)
{
    path p = {i, solution};
    double deep = solution->max_indentation, now = 0, before = 1;
    size_t turn = (count - 1) / 2;
    for (size_t k = 0; k < count; k++) {
        int branch = k <= turn ? COMPRESSION : RESTITUTION;
        double span = branch == COMPRESSION ? deep : deep - solution->end_indentation;
        double s =
            branch == COMPRESSION ? (double)(turn - k) / (double)turn : (double)(k - turn) / (double)(count - 1 - turn);
        if (k > 0)
            now += branch == COMPRESSION ? time_between(&p, branch, span, s, before)
                                         : time_between(&p, branch, span, before, s);
        before = s;
        double w = speed_below(&p, branch, span * s * s) * (branch == COMPRESSION ? 1 : -1);
        time[k] = now;
        delta[k] = k == 0 ? 0 : deep - span * s * s;
        rate[k] = k == 0 ? i->speed : w * i->speed;
        force[k] = elastic_at(&p, branch, delta[k]).force * (1 + i->factor * w);
    }
}
