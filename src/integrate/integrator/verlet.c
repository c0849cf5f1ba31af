/* Velocity Verlet: positions by the acceleration at the step's begin, velocities by the mean of both ends; order 2,
   fixed steps, one evaluation a step.
   source: Swope, Andersen, Berens and Wilson 1982, J. Chem. Phys. 76:637-649, eqs. (6), (7); of Verlet 1967, Phys. Rev.
   159:98. Validity: many bodies in contact; comparison with granular codes; no error control. */
#include "base/team.h"
#include "base/wide.h"
#include "integrate/integrator.h"

#include <math.h>

/* What the loops of a step are given. */
typedef struct verlet_step {
    const double *y, *f, *f_new;
    double *middle, *rate, *y_new;
    int q;                      /* positions */
    double h;
    int changed;
} verlet_step;

CAROM_WIDE static void predict(void *user, int first, int end)
{
    const verlet_step *s = user;
    for (int i = first; i < end; i++) {
        s->middle[i] = s->y[s->q + i] + 0.5 * s->h * s->f[s->q + i];
        s->y_new[s->q + i] = s->y[s->q + i] + s->h * s->f[s->q + i];
    }
}

CAROM_WIDE static void move(void *user, int first, int end)
{
    const verlet_step *s = user;
    for (int i = first; i < end; i++)
        s->y_new[i] = s->y[i] + s->h * s->rate[i];
}

CAROM_WIDE static void correct_some(void *user, int first, int end)
{
    verlet_step *s = user;
    const double *y = s->y + s->q, *f = s->f + s->q, *f_new = s->f_new + s->q, half = 0.5 * s->h;
    double *y_new = s->y_new + s->q, largest = 0;
    for (int i = first; i < end; i++) {
        const double corrected = y[i] + half * (f[i] + f_new[i]), change = fabs(corrected - y_new[i]);
        largest = change > largest ? change : largest;
        y_new[i] = corrected;
    }
    if (largest > 0)
        __atomic_store_n(&s->changed, 1, __ATOMIC_RELAXED);
}

/* Forces that depend on velocities see those that the acceleration at the step's begin predicts. Books are advanced
   with the power at the begin, and corrected with that at the end. */
static int make_step(const carom_ode *ode, double t, const double *y, const double *f, double h, double *y_new,
                     double *work)
{
    const int n = ode->size, q = ode->position_count, v = ode->velocity_count;
    verlet_step s = {.y = y, .f = f, .middle = work, .rate = work + v, .y_new = y_new, .q = q, .h = h};
    (void)t;
    carom_team_share(ode->threads, v, predict, &s);
    for (int i = q + v; i < n; i++)
        y_new[i] = y[i] + h * f[i];
    const int result = ode->position_rate(ode->user, y, s.middle, s.rate);
    if (!result)
        carom_team_share(ode->threads, q, move, &s);
    return result;
}

static bool correct(const carom_ode *ode, const double *y, const double *f, double h, const double *f_new,
                    double *y_new)
{
    verlet_step s = {.y = y, .f = f, .f_new = f_new, .y_new = y_new, .q = ode->position_count, .h = h};
    carom_team_share(ode->threads, ode->size - ode->position_count, correct_some, &s);
    return s.changed;
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
