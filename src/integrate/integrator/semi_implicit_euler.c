/* Semi-implicit Euler: velocities first, then positions with the new velocities; order 1, fixed steps.
   source: Hairer, Lubich and Wanner 2006, Geometric Numerical Integration, section I.1.2 (symplectic Euler).
   Validity: comparison with game and granular codes; no error control. */
#include "integrate/integrator.h"

/* The rate of a position depends on the velocities only, so that evaluating the right-hand side at (q, v + h a) gives
   the rates of the positions with the new velocities. Books are advanced with the mean power of both evaluations. */
static int make_step(const carom_ode *ode, double t, const double *y, const double *f, double h, double *y_new,
                     double *work)
{
    int n = ode->size, q = ode->position_count, v = ode->velocity_count;
    double *middle = work, *rate = work + n;
    for (int i = 0; i < n; i++)
        middle[i] = i >= q && i < q + v ? y[i] + h * f[i] : y[i];
    int result = ode->rhs(ode->user, t, middle, rate);
    for (int i = 0; i < n && !result; i++) {
        if (i < q)
            y_new[i] = y[i] + h * rate[i];
        else if (i < q + v)
            y_new[i] = middle[i];
        else
            y_new[i] = y[i] + 0.5 * h * (f[i] + rate[i]);
    }
    return result;
}

const carom_integrator_kind carom_integrator_semi_implicit_euler = {
    .kind = {.name = "semi-implicit-euler",
             .aliases = "symplectic-euler",
             .title = "Semi-implicit Euler method with fixed steps and located onsets.",
             .formula = "v_(n+1) = v_n + h a(q_n, v_n), q_(n+1) = q_n + h qdot(q_n, v_(n+1))",
             .source = "Hairer, Lubich and Wanner 2006, Geometric Numerical Integration, section I.1.2",
             .validity =
                 "Needs `step`. Order 1: for comparison with game and granular codes. Onset and release are stepped "
                 "to exactly; inside an impact the step is at most a fiftieth of its expected duration."},
    .fixed_step = true,
    .order = 1,
    .can_project = true,
    .method = make_step,
    .create = carom_fixed_create,
    .destroy = carom_fixed_destroy,
    .restart = carom_fixed_restart,
    .step = carom_fixed_step,
    .interpolate = carom_fixed_interpolate,
};
