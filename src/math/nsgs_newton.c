/* Impulses of contacts by Newton's method on the projections that they are fixed points of,
       p_N = max(0, p_N - r (u_N - least)),     p_T = the nearest of |x| <= mu p_N to x = p_T - r u_T,
   with u + rho own (p - p') in the place of u: near p' only one of the ways in which contacts share what they bear.
   Source: Alart and Curnier 1991, Comput. Methods Appl. Mech. Engrg. 92:353-375; Rockafellar 1976, SIAM J. Control
   Optim. 14:877-898 (proximal points). */
#include "math/nsgs.h"
#include "math/solve.h"

#include <math.h>

size_t carom_nsgs_newton_work(int contacts)
{
    const size_t few = (size_t)(contacts < CAROM_NSGS_FEW ? contacts : CAROM_NSGS_FEW) * CAROM_NSGS_ROWS;
    return 2 * few * few + few;
}

/* Velocities along all rows by unit impulses along all rows, by columns. */
void carom_nsgs_couple(const carom_nsgs *s, double *w)
{
    const int n = s->count * CAROM_NSGS_ROWS;
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) {
            const int from = j / CAROM_NSGS_ROWS, to = i / CAROM_NSGS_ROWS;
            const bool there = j % CAROM_NSGS_ROWS < s->contacts[from].rows &&
                               i % CAROM_NSGS_ROWS < s->contacts[to].rows;
            w[(size_t)j * (size_t)n + (size_t)i] =
                there ? carom_nsgs_speed(s, to, i % CAROM_NSGS_ROWS, s->x + carom_nsgs_at(s, from, j % CAROM_NSGS_ROWS))
                      : 0;
        }
}

/* Row i of the equations: p_i = value. */
static void set(double *a, double *b, int n, int i, double value)
{
    for (int j = 0; j < n; j++)
        a[(size_t)j * (size_t)n + (size_t)i] = j == i;
    b[i] = value;
}

/* Row i: its velocity changes by `value`. */
static void move(const double *w, double *a, double *b, int n, int i, double value)
{
    for (int j = 0; j < n; j++)
        a[(size_t)j * (size_t)n + (size_t)i] = w[(size_t)j * (size_t)n + (size_t)i];
    b[i] = value;
}

/* Rows of the tangents of a contact that slides: its friction turns with the slip. */
static void slide(const carom_nsgs_contact *c, const double *w, const double x[2], double r, double *a, double *b,
                  int n, int first)
{
    const int tangents = c->rows - 1;
    const double size = hypot(x[0], x[1]), turn = c->mu * c->p[0] / size;
    for (int t = 0; t < tangents; t++) {
        const int i = first + 1 + t;
        set(a, b, n, i, c->mu * c->p[0] * x[t] / size - c->p[1 + t]);
        a[(size_t)first * (size_t)n + (size_t)i] -= c->mu * x[t] / size;
        for (int e = 0; e < tangents; e++) {
            const double across = turn * ((t == e) - x[t] * x[e] / (size * size));
            a[(size_t)(first + 1 + e) * (size_t)n + (size_t)i] -= across;
            for (int j = 0; j < n; j++)
                a[(size_t)j * (size_t)n + (size_t)i] += across * r * w[(size_t)j * (size_t)n + (size_t)(first + 1 + e)];
        }
    }
}

double carom_nsgs_newton(carom_nsgs *s, double *w, double rho, const double *near, double *work)
{
    const int n = s->count * CAROM_NSGS_ROWS;
    double *a = work, *b = work + (size_t)n * (size_t)n;
    int pivot[CAROM_NSGS_FEW * CAROM_NSGS_ROWS];
    for (int k = 0; k < s->count; k++) {
        const carom_nsgs_contact *c = &s->contacts[k];
        const int first = k * CAROM_NSGS_ROWS;
        double u[CAROM_NSGS_ROWS] = {0}, x[2] = {0};
        for (int i = 0; i < c->rows; i++) {
            w[(size_t)(first + i) * (size_t)(n + 1)] = (1 + rho) * c->own[i][i];
            u[i] = carom_nsgs_speed(s, k, i, s->v) + rho * c->own[i][i] * (c->p[i] - near[first + i]);
        }
        const bool bears = c->p[0] * c->own[0][0] > u[0] - c->least;
        double mean = 0;
        for (int i = 1; i < c->rows; i++)
            mean += c->own[i][i] / (c->rows - 1);
        for (int i = 1; i < c->rows && mean > 0; i++)
            x[i - 1] = c->p[i] - u[i] / mean;
        const bool slides = bears && c->rows > 1 && hypot(x[0], x[1]) > c->mu * c->p[0];
        for (int i = 0; i < CAROM_NSGS_ROWS; i++)
            if (i >= c->rows || !bears)
                set(a, b, n, first + i, i < c->rows ? -c->p[i] : 0);
            else if (!i)
                move(w, a, b, n, first, c->least - u[0]);
            else if (!slides)
                move(w, a, b, n, first + i, -u[i]);
        if (slides)
            slide(c, w, x, 1 / mean, a, b, n, first);
    }
    if (!carom_lu_factor(n, a, pivot))
        return (double)NAN;
    carom_lu_solve(n, a, pivot, b);
    double worst = 0;
    for (int k = 0; k < n; k++) {
        if (!isfinite(b[k]))
            return (double)NAN;
        worst = fmax(worst, fabs(b[k]) * w[(size_t)k * (size_t)(n + 1)]);
    }
    for (int k = 0; k < s->count; k++)
        for (int i = 0; i < s->contacts[k].rows; i++) {
            const double change = b[k * CAROM_NSGS_ROWS + i], *x = s->x + carom_nsgs_at(s, k, i);
            s->contacts[k].p[i] += change;
            for (int j = 0; j < s->n && change != 0; j++)
                s->v[j] += change * x[j];
        }
    return worst;
}
