/* Velocity Verlet: positions by the acceleration at the step's begin, velocities by the mean of both ends; order 2,
   fixed steps, one evaluation a step.
   source: Swope, Andersen, Berens and Wilson 1982, J. Chem. Phys. 76:637-649, eqs. (6), (7); of Verlet 1967, Phys. Rev.
   159:98. Validity: many bodies in contact; comparison with granular codes; no error control. */
#include "integrate/integrator.h"

/* Forces that depend on velocities see those that the acceleration at the step's begin predicts. Books are advanced
   with the power at the begin, and corrected with that at the end. */
static int make_step(const carom_ode *ode, double t, const double *y, const double *f, double h, double *y_new,
                     double *work)
{
    const int n = ode->size, q = ode->position_count, v = ode->velocity_count;
    double *middle = work, *rate = work + v;
    (void)t;
    for (int i = 0; i < v; i++)
        middle[i] = y[q + i] + 0.5 * h * f[q + i];
    for (int i = q; i < n; i++)
        y_new[i] = y[i] + h * f[i];
    const int result = ode->position_rate(ode->user, y, middle, rate);
    for (int i = 0; i < q && !result; i++)
        y_new[i] = y[i] + h * rate[i];
    return result;
}

static bool correct(const carom_ode *ode, const double *y, const double *f, double h, const double *f_new,
                    double *y_new)
{
    int changed = 0;
    for (int i = ode->position_count; i < ode->size; i++) {
        const double corrected = y[i] + 0.5 * h * (f[i] + f_new[i]);
        changed |= corrected != y_new[i];
        y_new[i] = corrected;
    }
    return changed;
}

const carom_integrator_kind carom_integrator_verlet = {
    .kind = {.name = "verlet",
             .aliases = "velocity-verlet",
             .title = "Velocity Verlet method with fixed steps, for many bodies in contact.",
             .formula =
                 "q_(n+1) = q_n + h qdot(q_n, v_n + h a_n/2), v_(n+1) = v_n + h/2 (a_n + a(q_(n+1), v_n + h a_n))",
             .source = "Swope, Andersen, Berens and Wilson 1982, J. Chem. Phys. 76:637-649, eqs. (6), (7)",
             .validity =
                 "Needs `step`. Order 2, one evaluation a step: for contact sets (`all`), whose onsets are "
                 "interpolated; a fiftieth of the duration of an impact is a good step. Onset and release of contacts "
                 "of two shapes are stepped to exactly."},
    .fixed_step = true,
    .corrects = true,
    .order = 2,
    .can_project = true,
    .method = make_step,
    .correct = correct,
    .create = carom_fixed_create,
    .destroy = carom_fixed_destroy,
    .restart = carom_fixed_restart,
    .step = carom_fixed_step,
    .interpolate = carom_fixed_interpolate,
};
