/* Newton's equations of implicit methods for the state and its tangents: their derivatives are those of the state's
   rates, from the elements or, where these have none, by differences. */
#include "sim/tangent/tangent.h"

#include "math/solve.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* ---- from the elements ---- */

static void solve(void *user, double *b)
{
    const carom_simulation *sim = user;
    const carom_tangents *all = sim->tangents;
    for (size_t i = 0; i <= all->count; i++)
        carom_newton_solve(sim->newton, b + i * all->n);
}

/* ---- by differences ---- */

/* Steps of the differences, of each number or, if that is larger, in units of its tolerance. */
#define STEP 1.5e-8
#define TOLERANCES 1e3

static int take_differences(void *user, double t, const double *y)
{
    carom_simulation *sim = user;
    carom_tangents *all = sim->tangents;
    carom_tangent_newton *newton = &all->newton;
    int result = carom_rhs_evaluate(sim, sim->probe, t, y, all->side[0]);
    memcpy(all->moved, y, all->n * sizeof *y);
    for (size_t j = 0; j < newton->coupled && result == 0; j++) {
        double *column = newton->slopes + j * all->n;
        const double step = fmax(STEP * fabs(y[j]), TOLERANCES * sim->tolerance[j]);
        all->moved[j] = y[j] + step;
        result = carom_rhs_evaluate(sim, sim->probe, t, all->moved, column);
        all->moved[j] = y[j];
        for (size_t k = 0; k < all->n; k++)
            column[k] = (column[k] - all->side[0][k]) / step;
    }
    return result;
}

static int factor_differences(void *user, double gamma)
{
    carom_simulation *sim = user;
    carom_tangent_newton *newton = &sim->tangents->newton;
    const size_t n = newton->coupled, height = sim->tangents->n;
    newton->gamma = gamma;
    for (size_t j = 0; j < n; j++)
        for (size_t k = 0; k < n; k++)
            newton->factors[j * n + k] = (j == k ? 1 : 0) - gamma * newton->slopes[j * height + k];
    return carom_lu_factor((int)n, newton->factors, newton->pivot) ? 0 : 1;
}

static void solve_differences(void *user, double *b)
{
    const carom_simulation *sim = user;
    const carom_tangents *all = sim->tangents;
    const carom_tangent_newton *newton = &all->newton;
    for (size_t i = 0; i <= all->count; i++) {
        double *x = b + i * all->n;
        carom_lu_solve((int)newton->coupled, newton->factors, newton->pivot, x);
        for (size_t j = 0; j < newton->coupled; j++)
            for (size_t k = newton->coupled; k < all->n; k++)
                x[k] += newton->gamma * x[j] * newton->slopes[j * all->n + k];
    }
}

bool carom_tangents_newton(carom_simulation *sim, carom_ode *ode)
{
    carom_tangents *all = sim->tangents;
    carom_tangent_newton *newton = &all->newton;
    if (ode->newton.solve) {
        ode->newton.solve = solve;
        return true;
    }
    if (!sim->run.integrator->stiff)
        return true;
    const size_t n = newton->coupled = (size_t)ode->coupled_count;
    newton->slopes = carom_arena_alloc(&all->arena, n * all->n, sizeof(double));
    newton->factors = carom_arena_alloc(&all->arena, n * n, sizeof(double));
    newton->pivot = carom_arena_alloc(&all->arena, n, sizeof(int));
    ode->newton = (carom_ode_newton){
        .evaluate = take_differences, .factor = factor_differences, .solve = solve_differences};
    return newton->slopes && newton->factors && newton->pivot;
}
