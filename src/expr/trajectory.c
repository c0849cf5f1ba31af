/* Trajectories through via points: piecewise polynomials of fifth or third degree.

   The quintic one makes the integral of the squared third derivative least, the cubic one that of the squared second
   derivative, among all curves through the points with the rates and accelerations that are given. Where the rate of
   a point is free the fourth (cubic: second) derivative is continuous there, where its acceleration is free the third
   one: with neither given the curve has four (two) continuous derivatives.
   With z = (v, a) of each point this is a block tridiagonal system, positive definite but for rows of what is given;
   of a periodic curve a cyclic one, solved by its first point as a border.
   Source: Spong, Hutchinson, Vidyasagar 2006, Robot Modeling and Control, section 5.5 (cubic and quintic polynomials
   through via points); de Boor 1978, A Practical Guide to Splines, chapter V (natural ends, least integrals). */
#include "expr/expr_program.h"

#include <string.h>

carom_via_points carom_trajectory_points(const char *degree, const char *ends, size_t n, const double *x,
                                         const double *y, const double *rates, const double *accelerations)
{
    const carom_trajectory_ends which = !ends || strcmp(ends, "rest") == 0 ? CAROM_ENDS_REST
                                        : strcmp(ends, "free") == 0        ? CAROM_ENDS_FREE
                                                                           : CAROM_ENDS_PERIODIC;
    const bool cubic = degree && strcmp(degree, "cubic") == 0;
    return (carom_via_points){n, x, y, rates, accelerations, cubic, which};
}

/* Both ends of a period have the same value, or but one has any. */
static bool meets(const double *values, size_t n)
{
    return !values || isnan(values[0]) || isnan(values[n - 1]) || values[0] == values[n - 1];
}

const char *carom_trajectory_fault(const char *degree, const char *ends, size_t n, const double *x, const double *y,
                                   const double *rates, const double *accelerations)
{
    const bool cubic = degree && strcmp(degree, "cubic") == 0;
    if (degree && !cubic && strcmp(degree, "quintic") != 0)
        return "its degree is quintic or cubic";
    if (ends && strcmp(ends, "rest") != 0 && strcmp(ends, "free") != 0 && strcmp(ends, "periodic") != 0)
        return "its ends are rest, free or periodic";
    const bool periodic = ends && strcmp(ends, "periodic") == 0;
    if (n < (periodic ? 3 : 2) || n > 10000000)
        return periodic ? "a periodic trajectory goes through three points or more" : "two points or more are needed";
    for (size_t k = 0; k < n; k++) {
        if (!isfinite(x[k]) || !isfinite(y[k]) || (k > 0 && !(x[k] > x[k - 1])))
            return "x must ascend, and all numbers be finite";
        if ((rates && isinf(rates[k])) || (accelerations && isinf(accelerations[k])))
            return "rates and accelerations must be finite";
        if (cubic && accelerations && !isnan(accelerations[k]))
            return "a cubic trajectory takes no accelerations; write `degree: quintic`";
    }
    if (periodic && !(y[0] == y[n - 1] && meets(rates, n) && meets(accelerations, n)))
        return "it is periodic: its last point must be the first";
    return NULL;
}

typedef struct block2 {
    double m[2][2];
} block2;

/* Equations of a point: own, of the point before, of the one after, right-hand side. */
typedef struct equations {
    block2 own, before, after;
    double right[2];
} equations;

/* The segment of length h and rise d before (side -1) or after (side 1) the point: minus snap and jerk at its end, snap
   and minus jerk at its beginning. */
static void add_quintic(equations *e, int side, double h, double d)
{
    const double i1 = 1 / h, i2 = i1 * i1, i3 = i2 * i1;
    block2 *other = side < 0 ? &e->before : &e->after;
    e->own.m[0][0] += 192 * i3;
    e->own.m[0][1] += side * 36 * i2;
    e->own.m[1][0] += side * 36 * i2;
    e->own.m[1][1] += 9 * i1;
    other->m[0][0] += 168 * i3;
    other->m[0][1] -= side * 24 * i2;
    other->m[1][0] += side * 24 * i2;
    other->m[1][1] -= 3 * i1;
    e->right[0] += 360 * d * i3 * i1;
    e->right[1] += side * 60 * d * i3;
}

/* The second derivative at the ends of the segment. */
static void add_cubic(equations *e, int side, double h, double d)
{
    block2 *other = side < 0 ? &e->before : &e->after;
    e->own.m[0][0] += 4 / h;
    other->m[0][0] += 2 / h;
    e->right[0] += 6 * d / (h * h);
}

static double given(const double *values, size_t k) { return values ? values[k] : (double)NAN; }

/* Rate (0) or acceleration (1) that the point must have; NaN: free. */
static double wanted(const carom_via_points *p, size_t k, int which)
{
    const double value = given(which ? p->accelerations : p->rates, k);
    const bool end = k == 0 || k + 1 == p->n;
    if (!isnan(value))
        return value;
    if (p->ends == CAROM_ENDS_PERIODIC && k == 0)
        return given(which ? p->accelerations : p->rates, p->n - 1);
    return end && p->ends == CAROM_ENDS_REST ? 0 : value;
}

/* Equations of point k; a periodic curve has the last segment before its first point. */
static equations equations_of(const carom_via_points *p, size_t k)
{
    void (*const add)(equations *, int, double, double) = p->cubic ? add_cubic : add_quintic;
    const bool periodic = p->ends == CAROM_ENDS_PERIODIC;
    const size_t last = p->n - 1, before = k ? k - 1 : last - 1;
    equations e = {0};
    if (k > 0 || periodic)
        add(&e, -1, p->x[before + 1] - p->x[before], p->y[before + 1] - p->y[before]);
    if (k < last)
        add(&e, 1, p->x[k + 1] - p->x[k], p->y[k + 1] - p->y[k]);
    for (int i = 0; i < 2; i++) {
        const double value = p->cubic && i ? 0 : wanted(p, k, i);
        if (isnan(value))
            continue;
        for (int j = 0; j < 2; j++)
            e.own.m[i][j] = e.before.m[i][j] = e.after.m[i][j] = 0;
        e.own.m[i][i] = 1;
        e.right[i] = value;
    }
    return e;
}

/* b = m^-1 b. */
static void solve2(const block2 *m, double b[2])
{
    const double determinant = m->m[0][0] * m->m[1][1] - m->m[0][1] * m->m[1][0];
    const double x = (m->m[1][1] * b[0] - m->m[0][1] * b[1]) / determinant;
    b[1] = (m->m[0][0] * b[1] - m->m[1][0] * b[0]) / determinant;
    b[0] = x;
}

static block2 inverse_times(const block2 *m, const block2 *of)
{
    block2 out;
    for (int j = 0; j < 2; j++) {
        double column[2] = {of->m[0][j], of->m[1][j]};
        solve2(m, column);
        out.m[0][j] = column[0];
        out.m[1][j] = column[1];
    }
    return out;
}

/* b -= m x */
static void take(const block2 *m, const double x[2], double b[2])
{
    for (int i = 0; i < 2; i++)
        b[i] -= m->m[i][0] * x[0] + m->m[i][1] * x[1];
}

/* Columns of the right-hand side of the points `first` to `end`: the equations, and of a periodic curve what the first
   point does, one column for its rate and one for its acceleration. */
static void solve_chain(const carom_via_points *p, size_t first, size_t end, int columns, double *z, block2 *upper)
{
    for (size_t k = first; k < end; k++) {
        equations e = equations_of(p, k);
        double(*b)[2] = (double(*)[2])(void *)(z + 6 * k);
        memcpy(b[0], e.right, sizeof e.right);
        for (int c = 1; c < columns; c++)
            for (int i = 0; i < 2; i++)
                b[c][i] = -((k == first ? e.before.m[i][c - 1] : 0) + (k + 1 == end ? e.after.m[i][c - 1] : 0));
        if (k > first) {
            for (int c = 0; c < columns; c++)
                take(&e.before, z + 6 * (k - 1) + 2 * c, b[c]);
            for (int i = 0; i < 2; i++)
                for (int j = 0; j < 2; j++)
                    e.own.m[i][j] -= e.before.m[i][0] * upper[k - 1].m[0][j] + e.before.m[i][1] * upper[k - 1].m[1][j];
        }
        upper[k] = inverse_times(&e.own, &e.after);
        for (int c = 0; c < columns; c++)
            solve2(&e.own, b[c]);
    }
    for (size_t k = end - 1; k-- > first;)
        for (int c = 0; c < columns; c++)
            take(&upper[k], z + 6 * (k + 1) + 2 * c, z + 6 * k + 2 * c);
}

/* Rates and accelerations of all points, at z + 6 k. */
static void solve(const carom_via_points *p, double *z, block2 *upper)
{
    const size_t n = p->n;
    if (p->ends != CAROM_ENDS_PERIODIC) {
        solve_chain(p, 0, n, 1, z, upper);
        return;
    }
    const equations e = equations_of(p, 0);
    solve_chain(p, 1, n - 1, 3, z, upper);
    block2 own = e.own;
    double first[2] = {e.right[0], e.right[1]};
    take(&e.after, z + 6, first);
    take(&e.before, z + 6 * (n - 2), first);
    for (size_t c = 0; c < 2; c++)
        for (size_t i = 0; i < 2; i++)
            for (size_t j = 0; j < 2; j++)
                own.m[i][c] += e.after.m[i][j] * z[8 + 2 * c + j] + e.before.m[i][j] * z[6 * (n - 2) + 2 + 2 * c + j];
    solve2(&own, first);
    for (size_t k = 1; k + 1 < n; k++)
        for (size_t i = 0; i < 2; i++)
            z[6 * k + i] += z[6 * k + 2 + i] * first[0] + z[6 * k + 4 + i] * first[1];
    memcpy(z, first, sizeof first);
    memcpy(z + 6 * (n - 1), first, sizeof first);
}

/* Coefficients of a segment about its first point. */
static void expand(bool cubic, double h, const double y[2], const double *z0, const double *z1, double c[6])
{
    const double d = y[1] - y[0], v = z0[0], a = z0[1];
    c[0] = y[0];
    c[1] = v;
    if (cubic) {
        c[2] = (3 * d / h - 2 * v - z1[0]) / h;
        c[3] = (v + z1[0] - 2 * d / h) / (h * h);
        c[4] = c[5] = 0;
        return;
    }
    const double rise = d - h * (v + 0.5 * a * h), rate = (z1[0] - v - a * h) * h, bend = (z1[1] - a) * h * h;
    c[2] = 0.5 * a;
    c[3] = (10 * rise - 4 * rate + 0.5 * bend) / (h * h * h);
    c[4] = (-15 * rise + 7 * rate - bend) / (h * h * h * h);
    c[5] = (6 * rise - 3 * rate + 0.5 * bend) / (h * h * h * h * h);
}

void carom_trajectory_fit(const carom_via_points *p, double *coefficients, double *work)
{
    solve(p, work, (block2 *)(void *)(work + 6 * p->n));
    for (size_t k = 0; k + 1 < p->n; k++)
        expand(p->cubic, p->x[k + 1] - p->x[k], p->y + k, work + 6 * k, work + 6 * (k + 1), coefficients + 6 * k);
}

void carom_trajectory_segment(const carom_edges *edges, int branch, double x, double *f, double *f1, double *f2)
{
    const size_t n = edges->n, k = branch < 1 ? 0 : (size_t)branch > n - 1 ? n - 2 : (size_t)branch - 1;
    const bool beyond = branch < 1 || (size_t)branch > n - 1;
    const double *c = edges->y + 6 * k, end = edges->x[branch < 1 ? 0 : n - 1], u = (beyond ? end : x) - edges->x[k];
    *f = c[0] + u * (c[1] + u * (c[2] + u * (c[3] + u * (c[4] + u * c[5]))));
    *f1 = c[1] + u * (2 * c[2] + u * (3 * c[3] + u * (4 * c[4] + u * 5 * c[5])));
    *f2 = beyond ? 0 : 2 * c[2] + u * (6 * c[3] + u * (12 * c[4] + u * 20 * c[5]));
    if (beyond)
        *f += *f1 * (x - end);
}

/* Halvings of an interval in search of an extreme, whose value is then right to the square of what is left of it. */
#define HALVINGS 30

static double polynomial(int degree, const double *c, double s)
{
    double sum = c[degree];
    for (int n = degree - 1; n >= 0; n--)
        sum = sum * s + c[n];
    return sum;
}

/* Where a polynomial changes its sign between a and b, if it does. */
static bool sign_change(int degree, const double *c, double a, double b, double *at)
{
    const double start = polynomial(degree, c, a);
    if (!(start * polynomial(degree, c, b) < 0))
        return false;
    for (int n = 0; n < HALVINGS; n++) {
        *at = 0.5 * (a + b);
        *(start * polynomial(degree, c, *at) > 0 ? &a : &b) = *at;
    }
    return true;
}

double carom_trajectory_beyond(const carom_edges *edges, size_t k, double *x)
{
    const double *c = edges->y + 6 * k, h = edges->x[k + 1] - edges->x[k];
    double own[6], power = 1, at[6] = {0, 1}, most = 0;
    for (int n = 0; n < 6; n++, power *= h)
        own[n] = c[n] * power;
    const double y0 = own[0], y1 = polynomial(5, own, 1);
    /* the sign changes of each derivative, from the fourth to the first one, lie between those of the next one */
    int count = 2;
    for (int order = 4; order > 0; order--) {
        double derivative[6], found[6] = {0};
        int founds = 1;
        for (int n = order; n < 6; n++) {
            derivative[n - order] = own[n];
            for (int i = 0; i < order; i++)
                derivative[n - order] *= n - i;
        }
        for (int n = 0; n + 1 < count; n++)
            founds += sign_change(5 - order, derivative, at[n], at[n + 1], &found[founds]);
        found[founds++] = 1;
        memcpy(at, found, sizeof at);
        count = founds;
    }
    for (int n = 1; n + 1 < count; n++) {
        const double f = polynomial(5, own, at[n]), beyond = fmax(f - fmax(y0, y1), fmin(y0, y1) - f);
        if (beyond > most) {
            most = beyond;
            *x = edges->x[k] + at[n] * h;
        }
    }
    return most;
}
