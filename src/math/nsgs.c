/* Nonlinear Gauss-Seidel for contacts with friction: each contact alone in turn, exactly, until none changes. What many
   contacts share takes sweeps without end; Anderson's combination of the last ones finds it. */
#include "math/nsgs.h"

#include "math/anderson.h"

#include <math.h>
#include <string.h>

static double dot(const double *a, const double *b, int n)
{
    double sum = 0;
    for (int k = 0; k < n; k++)
        sum += a[k] * b[k];
    return sum;
}

void carom_nsgs_prepare(carom_nsgs *s)
{
    for (int k = 0; k < s->count; k++)
        for (int i = 0; i < s->contacts[k].rows; i++)
            for (int j = 0; j < s->contacts[k].rows; j++)
                s->contacts[k].own[i][j] = carom_nsgs_speed(s, k, i, s->x + carom_nsgs_at(s, k, j));
}

/* ---- one contact ---- */

/* Normal impulse of a contact that slips along a unit direction, and the velocity that is left there across it; false
   if there is none. */
static bool slide(const carom_nsgs_contact *c, const double *u, const double *along, double *p, double slip[2])
{
    const int tangents = c->rows - 1;
    double hold = c->own[0][0];
    for (int i = 0; i < tangents; i++)
        hold -= c->mu * c->own[0][i + 1] * along[i];
    if (!(hold > 0))
        return false;
    p[0] = (c->least - u[0]) / hold;
    for (int i = 0; i < tangents; i++)
        p[i + 1] = -c->mu * p[0] * along[i];
    for (int i = 0; i < tangents; i++)
        slip[i] = u[i + 1] + dot(c->own[i + 1], p, c->rows);
    return true;
}

static void slide_in_plane(const carom_nsgs_contact *c, const double *u, double *p)
{
    double slip[2], best = HUGE_VAL;
    for (int side = -1; side <= 1; side += 2) {
        const double along[1] = {side};
        double trial[CAROM_NSGS_ROWS] = {0};
        /* of two directions that both fit the one that it has */
        if (!slide(c, u, along, trial, slip))
            continue;
        const double wrong = side * slip[0] >= 0 ? (side * u[1] >= 0 ? -2 : -1) : -side * slip[0];
        if (wrong < best) {
            best = wrong;
            p[0] = trial[0];
            p[1] = trial[1];
        }
    }
}

#define QUARTER 1.5707963267948966
#define SAMPLES 48
#define STEPS 30

/* Turn from a direction to the slip that it leaves [rad], in (-pi, pi]; NAN: no slip along it. */
static double turn(const carom_nsgs_contact *c, const double *u, double angle, double *p)
{
    const double along[2] = {cos(angle), sin(angle)};
    double slip[2];
    if (!slide(c, u, along, p, slip))
        return (double)NAN;
    return atan2(along[0] * slip[1] - along[1] * slip[0], along[0] * slip[0] + along[1] * slip[1]);
}

/* The direction between two where the turn changes its sign, if the slip goes along it there and not against it. */
static bool slide_between(const carom_nsgs_contact *c, const double *u, double from, double to, double *p)
{
    const double first = turn(c, u, from, p), last = turn(c, u, to, p);
    if (!(first * last <= 0)) /* or there is none */
        return false;
    double off = first;
    for (int n = 0; n < 60; n++) {
        const double middle = 0.5 * (from + to);
        off = turn(c, u, middle, p);
        *((off < 0) == (first < 0) ? &from : &to) = middle;
    }
    return fabs(off) < QUARTER;
}

/* From a direction to that of the slip which it leaves, and on by the secant of two turns. */
static bool slide_from(const carom_nsgs_contact *c, const double *u, double angle, double *p)
{
    double before = 0, change = 0;
    for (int n = 0; n < STEPS; n++) {
        const double off = turn(c, u, angle, p);
        if (isnan(off))
            return false;
        /* what is left of a small slip is rounding */
        if (fabs(off) < 1e-14 || (n > 4 && fabs(off) < 1e-9 && fabs(off) >= fabs(before)))
            return true;
        const double secant = n ? -off * change / (off - before) : off;
        /* it leaves a fixed point of slopes above 1 for the better, but not the quarter in which it is */
        change = fabs(secant) < fmin(4 * fabs(off), QUARTER) ? secant : off;
        before = off;
        angle += change;
    }
    return false;
}

/* Direction of the slip by its own: it is that of the velocity which is left. */
static void slide_in_space(const carom_nsgs_contact *c, const double *u, const double *stick, double *p)
{
    const double start = atan2(-stick[2], -stick[1]), width = 4 * QUARTER / SAMPLES;
    const bool slid = c->p[0] > 0 && hypot(c->p[1], c->p[2]) > 0.999 * c->mu * c->p[0];
    if (slide_from(c, u, slid ? atan2(-c->p[2], -c->p[1]) : start, p) || (slid && slide_from(c, u, start, p)))
        return;
    for (int n = 0; n < SAMPLES; n++) {
        const double middle = start + (n % 2 ? (n + 1) / 2 : -n / 2) * width;
        if (slide_between(c, u, middle - 0.5 * width, middle + 0.5 * width, p))
            return;
    }
    p[0] = -1; /* none */
}

/* Impulses that leave u_N = least and no slip; false if the tangents have no masses of their own. */
static bool hold(const carom_nsgs_contact *c, const double *u, double *p)
{
    double a[CAROM_NSGS_ROWS][CAROM_NSGS_ROWS + 1];
    const int n = c->rows;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++)
            a[i][j] = c->own[i][j];
        a[i][n] = (i ? 0 : c->least) - u[i];
    }
    for (int k = 0; k < n; k++) {
        if (!(a[k][k] > 1e-12 * c->own[k][k]))
            return false;
        for (int i = 0; i < n; i++)
            for (int j = n; i != k && j >= k; j--)
                a[i][j] -= a[i][k] / a[k][k] * a[k][j];
    }
    for (int i = 0; i < n; i++)
        p[i] = a[i][n] / a[i][i];
    return true;
}

/* The impulses of one contact alone, where its velocities are u without them. */
static void solve_alone(const carom_nsgs_contact *c, const double *u, double *p)
{
    for (int i = 0; i < CAROM_NSGS_ROWS; i++)
        p[i] = 0;
    const bool parts = u[0] >= c->least;
    if ((parts && (!c->stays || c->rows == 1)) || !(c->own[0][0] > 0))
        return;
    if (c->rows == 1) {
        p[0] = (c->least - u[0]) / c->own[0][0];
        return;
    }
    double stick[CAROM_NSGS_ROWS] = {0, -u[1], c->rows > 2 ? -u[2] : 0};
    const bool holds = hold(c, u, stick);
    if (holds && stick[0] >= 0 && hypot(stick[1], stick[2]) <= c->mu * stick[0]) {
        for (int i = 0; i < c->rows; i++)
            p[i] = stick[i];
        return;
    }
    if (c->rows == 2)
        slide_in_plane(c, u, p);
    else
        slide_in_space(c, u, stick, p);
    double along = 0; /* the slip that it leaves, along its friction */
    for (int i = 1; i < c->rows; i++)
        along += p[i] * (u[i] + dot(c->own[i], p, c->rows));
    if (parts && (!(p[0] > 0) || along > 0))
        p[0] = p[1] = p[2] = 0;
    /* neither holds nor slips along any direction: without friction */
    if (!(p[0] >= 0))
        for (int i = 0; i < c->rows; i++)
            p[i] = i || !(c->least > u[0]) ? 0 : (c->least - u[0]) / c->own[0][0];
}

/* ---- all ---- */

/* Adds a change of the impulses of contact k to the velocities. */
static void push(carom_nsgs *s, int k, const double *change)
{
    for (int i = 0; i < s->contacts[k].rows; i++) {
        const double *x = s->x + carom_nsgs_at(s, k, i);
        for (int j = 0; j < s->n && change[i] != 0; j++)
            s->v[j] += change[i] * x[j];
    }
}

/* Each contact in turn; returns the greatest change of a velocity. */
static double sweep(carom_nsgs *s)
{
    double worst = 0;
    for (int k = 0; k < s->count; k++) {
        carom_nsgs_contact *c = &s->contacts[k];
        double u[CAROM_NSGS_ROWS] = {0}, p[CAROM_NSGS_ROWS];
        for (int i = 0; i < c->rows; i++)
            u[i] = carom_nsgs_speed(s, k, i, s->v) - dot(c->own[i], c->p, c->rows);
        solve_alone(c, u, p);
        for (int i = 0; i < c->rows; i++) {
            const double now = p[i];
            p[i] -= c->p[i];
            c->p[i] = now;
            worst = fmax(worst, fabs(p[i]) * sqrt(c->own[i][i] * c->own[0][0]));
        }
        push(s, k, p);
    }
    return worst;
}

static void take(const carom_nsgs *s, double *p)
{
    for (int k = 0; k < s->count; k++)
        for (int i = 0; i < CAROM_NSGS_ROWS; i++)
            p[k * CAROM_NSGS_ROWS + i] = i < s->contacts[k].rows ? s->contacts[k].p[i] : 0;
}

static void give(carom_nsgs *s, const double *p)
{
    for (int k = 0; k < s->count; k++) {
        carom_nsgs_contact *c = &s->contacts[k];
        double change[CAROM_NSGS_ROWS] = {0};
        for (int i = 0; i < c->rows; i++) {
            change[i] = p[k * CAROM_NSGS_ROWS + i] - c->p[i];
            c->p[i] = p[k * CAROM_NSGS_ROWS + i];
        }
        push(s, k, change);
    }
}

/* Sweeps before the first combination, and by how much one may be worse than the one before. */
#define PLAIN 4
#define WORSE 10
/* After how many sweeps Newton's method is tried, its steps at most and the change in tolerances that ends them, and by
   which shares it is kept near. */
#define NEWTON_EVERY 40
#define NEWTON_STEPS 10
#define SETTLED 0.1
#define FIRST_SHARE 10
#define NEXT_SHARE 0.5
#define LAST_SHARE 1e-9

size_t carom_nsgs_work(int contacts)
{
    const int n = contacts * CAROM_NSGS_ROWS;
    return carom_anderson_size(n) + 4 * (size_t)n + carom_nsgs_newton_work(contacts);
}

/* Newton's method near impulses that approach the ones looked for; returns the greatest change of a velocity by a sweep
   over them. Where it does not come to the tolerance the impulses are those of before. */
static double finish(carom_nsgs *s, double worst, double *before, double *near, double *work)
{
    const size_t n = (size_t)s->count * CAROM_NSGS_ROWS;
    double *w = work + n * n + n;
    carom_nsgs_couple(s, w);
    take(s, before);
    for (double rho = FIRST_SHARE; rho > LAST_SHARE; rho *= NEXT_SHARE) {
        take(s, near);
        double change = HUGE_VAL;
        for (int k = 0; k < NEWTON_STEPS && change > SETTLED * s->tolerance; k++)
            change = carom_nsgs_newton(s, w, rho, near, work);
        if (isnan(change))
            break;
    }
    const double change = sweep(s);
    if (change < worst)
        return change;
    give(s, before);
    return worst;
}

static double search(carom_nsgs *s)
{
    const int n = s->count * CAROM_NSGS_ROWS;
    double *weight = s->work, *before = weight + n, *after = before + n, *best = after + n, *rest = best + n;
    carom_anderson a;
    double worst = HUGE_VAL, last = HUGE_VAL, least = HUGE_VAL;
    for (int k = 0; k < n; k++)
        weight[k] = sqrt(s->contacts[k / CAROM_NSGS_ROWS].own[k % CAROM_NSGS_ROWS][k % CAROM_NSGS_ROWS]);
    carom_anderson_start(&a, n, weight, rest);
    for (int k = 0; k < s->sweeps; k++) {
        take(s, before);
        worst = sweep(s);
        if (k > PLAIN && k % NEWTON_EVERY == 0 && s->count <= CAROM_NSGS_FEW && worst > s->tolerance)
            worst = finish(s, worst, before, after, rest + carom_anderson_size(n));
        if (worst <= s->tolerance || s->count == 1)
            return s->count == 1 ? 0 : worst;
        if (k < PLAIN)
            continue;
        take(s, after);
        if (worst < least)
            memcpy(best, after, (size_t)n * sizeof *best);
        least = fmin(least, worst);
        if (worst > WORSE * last)
            carom_anderson_start(&a, n, weight, rest);
        last = worst;
        carom_anderson_next(&a, before, after);
        give(s, after);
    }
    if (least < HUGE_VAL)
        give(s, best);
    return fmin(worst, least);
}

double carom_nsgs_solve(carom_nsgs *s)
{
    for (int k = 0; k < s->count; k++)
        push(s, k, s->contacts[k].p);
    return search(s);
}
