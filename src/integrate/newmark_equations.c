/* Newton's equations of Newmark's family: those of the system, or of differences of its rates. The unknowns are changes
   of the velocities and impulses of the constraints: the rows J dv = -Phi/(dq/dv) and the columns M^-1 J^T keep their
   size however short the step is (scaling of Bottasso, Bauchau and Cardona 2007, SIAM J. Sci. Comput. 29:397-414). */
#include "integrate/newmark.h"
#include "math/solve.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Rows that depend on others are kept apart by this share of their own inverse mass. */
#define SEPARATION 1e-10
/* Share of the largest inverse mass below which a row is rounding: that of a direction which others hold. */
#define NO_ROW 1e-24

static int order_of(const carom_newmark *self) { return self->count + self->base.ode.row_count; }

static bool own(const carom_newmark *self) { return self->base.ode.newton.solve_held != NULL; }

bool carom_newmark_equations_create(carom_newmark *self)
{
    carom_context *ctx = self->base.ctx;
    const size_t n = (size_t)self->count, v = (size_t)self->base.ode.velocity_count;
    const size_t r = (size_t)self->base.ode.row_count, order = n + r;
    if (own(self))
        return true;
    self->differences_size = n * v + n * n + order * order + order + r + 2 * r * v;
    self->by_position = carom_allocate(ctx, self->differences_size, sizeof(double));
    self->pivot = carom_allocate(ctx, order, sizeof(int));
    if (!self->by_position || !self->pivot)
        return false;
    self->by_number = self->by_position + n * v;
    self->matrix = self->by_number + n * n;
    self->phi = self->matrix + order * order + order;
    self->jacobian = self->phi + r;
    self->answer = self->jacobian + r * v;
    return true;
}

void carom_newmark_equations_free(carom_newmark *self)
{
    carom_release(self->base.ctx, self->by_position, self->differences_size, sizeof(double));
    carom_release(self->base.ctx, self->pivot, (size_t)order_of(self), sizeof(int));
}

/* Derivatives by forward differences: by the positions along each velocity, and by the numbers behind them. */
static int take_differences(carom_newmark *self, double t)
{
    const carom_ode *ode = &self->base.ode;
    const int n = self->count, v = ode->velocity_count;
    double *moved = self->scratch, *along = self->change, *y = self->y_try, size = 0;
    memcpy(moved, y, (size_t)ode->size * sizeof *y);
    for (int k = 0; k < ode->position_count; k++)
        size = fmax(size, fabs(y[k]));
    for (int j = 0; j < v + n; j++) {
        const int k = self->first + j - v;
        double *column = (j < v ? self->by_position : self->by_number) + (size_t)(j < v ? j : j - v) * (size_t)n;
        const double h = sqrt(DBL_EPSILON) * (j < v ? fmax(size, DBL_EPSILON) : fmax(fabs(y[k]), 1e-3));
        if (j >= v)
            moved[k] += h;
        else if (ode->retract) {
            memset(along, 0, (size_t)v * sizeof *along);
            along[j] = h;
            ode->retract(ode->user, along, moved);
        } else
            moved[j] += h;
        const int result = carom_newmark_rates(self, t, moved, along);
        if (result != 0)
            return result;
        for (int i = 0; i < n; i++)
            column[i] = (along[self->first + i] - self->f[self->first + i]) / h;
        memcpy(moved, y, (size_t)(j < v ? ode->position_count : ode->size) * sizeof *y);
    }
    return carom_newmark_rates(self, t, y, self->f);
}

static int take_rows(carom_newmark *self)
{
    const carom_ode *ode = &self->base.ode;
    if (!ode->row_count)
        return 0;
    return ode->rows(ode->user, self->pull, self->hold, self->phi, self->jacobian, self->answer);
}

static double inverse_mass(const carom_newmark *self, int row)
{
    const int v = self->base.ode.velocity_count;
    double sum = 0;
    for (int i = 0; i < v; i++)
        sum += self->jacobian[row * v + i] * self->answer[row * v + i];
    return sum;
}

static int factor_differences(carom_newmark *self, double gamma, double move)
{
    const int n = self->count, v = self->base.ode.velocity_count, rows = self->base.ode.row_count;
    const size_t order = (size_t)order_of(self);
    double *a = self->matrix;
    if (take_rows(self) != 0)
        return 1;
    memset(a, 0, order * order * sizeof *a);
    for (int j = 0; j < n; j++) {
        double *column = a + (size_t)j * order;
        for (int i = 0; i < n; i++)
            column[i] = -gamma * self->by_number[(size_t)j * (size_t)n + (size_t)i];
        for (int i = 0; i < n && j < v; i++)
            column[i] -= gamma * move * self->by_position[(size_t)j * (size_t)n + (size_t)i];
        column[j] += 1;
    }
    double largest = 0;
    for (int r = 0; r < rows; r++)
        largest = fmax(largest, inverse_mass(self, r));
    for (int r = 0; r < rows; r++) {
        double *column = a + (size_t)(n + r) * order;
        const double inverse = inverse_mass(self, r);
        const bool none = !(inverse > NO_ROW * largest);
        for (int i = 0; i < v; i++)
            column[i] = none ? 0 : -self->answer[r * v + i];
        for (int j = 0; j < v; j++)
            a[(size_t)j * order + (size_t)(n + r)] = none ? 0 : self->jacobian[r * v + j];
        column[n + r] = none ? 1 : SEPARATION * inverse;
    }
    return carom_lu_factor((int)order, a, self->pivot) ? 0 : 1;
}

int carom_newmark_factor(carom_newmark *self, double t, double gamma, double move)
{
    const carom_ode *ode = &self->base.ode;
    if (own(self)) {
        const int result = ode->newton.evaluate(ode->user, t, self->y_try);
        return result != 0 ? result : ode->newton.factor_held(ode->user, gamma, move);
    }
    const int result = take_differences(self, t);
    return result != 0 ? result : factor_differences(self, gamma, move);
}

int carom_newmark_solve(carom_newmark *self, double *b)
{
    const carom_ode *ode = &self->base.ode;
    const int n = self->count, v = ode->velocity_count, rows = ode->row_count;
    if (own(self)) {
        ode->newton.solve_held(ode->user, b, self->impulse, self->pull, self->hold);
        return 0;
    }
    if (take_rows(self) != 0)
        return 1;
    double *x = self->matrix + (size_t)order_of(self) * (size_t)order_of(self);
    memcpy(x, b, (size_t)n * sizeof *x);
    for (int r = 0; r < rows; r++) {
        for (int i = 0; i < v; i++)
            x[i] += self->impulse[r] * self->answer[r * v + i];
        x[n + r] = -self->phi[r];
    }
    carom_lu_solve(order_of(self), self->matrix, self->pivot, x);
    memcpy(b, x, (size_t)n * sizeof *x);
    for (int r = 0; r < rows; r++)
        self->impulse[r] += x[n + r];
    return 0;
}
