/* Nonlinear Gauss-Seidel for contacts with friction: each contact alone in turn, exactly, until none changes. */
#include "math/nsgs.h"

#include <math.h>

static double dot(const double *a, const double *b, int n)
{
    double sum = 0;
    for (int k = 0; k < n; k++)
        sum += a[k] * b[k];
    return sum;
}

double carom_nsgs_speed(const carom_nsgs *s, int contact, int row, const double *v)
{
    return dot(s->h + carom_nsgs_at(s, contact, row), v, s->n);
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

/* Turn from a direction to the slip that it leaves [rad], in (-pi, pi]; NAN: no slip along it. */
static double turn(const carom_nsgs_contact *c, const double *u, double angle, double *p)
{
    const double along[2] = {cos(angle), sin(angle)};
    double slip[2];
    if (!slide(c, u, along, p, slip))
        return (double)NAN;
    return atan2(along[0] * slip[1] - along[1] * slip[0], along[0] * slip[0] + along[1] * slip[1]);
}

#define QUARTER 1.5707963267948966
#define SAMPLES 48
#define STEPS 30

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

/* Direction of the slip by its own: it is that of the velocity which is left. */
static void slide_in_space(const carom_nsgs_contact *c, const double *u, const double *stick, double *p)
{
    double angle = atan2(-stick[2], -stick[1]);
    for (int n = 0; n < STEPS; n++) {
        const double off = turn(c, u, angle, p);
        if (isnan(off))
            break;
        if (fabs(off) < 1e-14)
            return;
        angle += off;
    }
    const double start = atan2(-stick[2], -stick[1]), width = 4 * QUARTER / SAMPLES;
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
    if (u[0] >= c->least || !(c->own[0][0] > 0))
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

double carom_nsgs_solve(carom_nsgs *s)
{
    double worst = HUGE_VAL;
    for (int k = 0; k < s->count; k++)
        push(s, k, s->contacts[k].p);
    for (int sweep = 0; sweep < s->sweeps && worst > s->tolerance; sweep++) {
        worst = 0;
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
        if (s->count == 1)
            return 0;
    }
    return worst;
}
