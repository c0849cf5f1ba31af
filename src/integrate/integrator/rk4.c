/* Rk4: the classical explicit Runge-Kutta method of order 4 with steps of given length.
   source: Kutta 1901, Z. Math. Phys. 46:435-453.
   Validity: comparison with codes of fixed step, real-time use; no error control. */
#include "integrate/integrator.h"

static int make_step(const carom_ode *ode, double t, const double *y, const double *f, double h, double *y_new,
                     double *work)
{
    int n = ode->size;
    double *k2 = work, *k3 = work + n, *k4 = work + 2 * n, *stage = work + 3 * n;
    for (int i = 0; i < n; i++)
        stage[i] = y[i] + 0.5 * h * f[i];
    int result = ode->rhs(ode->user, t + 0.5 * h, stage, k2);
    if (result)
        return result;
    for (int i = 0; i < n; i++)
        stage[i] = y[i] + 0.5 * h * k2[i];
    result = ode->rhs(ode->user, t + 0.5 * h, stage, k3);
    if (result)
        return result;
    for (int i = 0; i < n; i++)
        stage[i] = y[i] + h * k3[i];
    result = ode->rhs(ode->user, t + h, stage, k4);
    for (int i = 0; i < n && !result; i++)
        y_new[i] = y[i] + h / 6 * (f[i] + 2 * k2[i] + 2 * k3[i] + k4[i]);
    return result;
}

const carom_integrator_kind carom_integrator_rk4 = {
    .kind = {.name = "rk4",
             .title = "Classical Runge-Kutta method of order 4 with fixed steps and located onsets.",
             .formula = "y_(n+1) = y_n + h/6 (k1 + 2 k2 + 2 k3 + k4)",
             .source = "Kutta 1901, Z. Math. Phys. 46:435-453",
             .validity =
                 "Needs `step`. Onset and release are stepped to exactly; inside an impact the step is at most a "
                 "fiftieth of its expected duration. No error control: halve the step to see the error of the motion "
                 "between impacts."},
    .fixed_step = true,
    .order = 4,
    .can_project = true,
    .method = make_step,
    .create = carom_fixed_create,
    .destroy = carom_fixed_destroy,
    .restart = carom_fixed_restart,
    .step = carom_fixed_step,
    .interpolate = carom_fixed_interpolate,
};
