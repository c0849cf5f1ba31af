/* Velocity Verlet: positions by the acceleration at the step's begin, velocities by the mean of both ends; order 2,
   fixed steps, one evaluation a step.
   source: Swope, Andersen, Berens and Wilson 1982, J. Chem. Phys. 76:637-649, eqs. (6), (7); of Verlet 1967, Phys. Rev.
   159:98. Validity: many bodies in contact; comparison with granular codes; no error control. */
#include "base/team.h"
#include "base/wide.h"
#include "integrate/integrator.h"

#include <math.h>

/* Numbers from `first` to before `end` of the positions and of the velocities. */
typedef struct verlet_part {
    int first_q, end_q, first_v, end_v;
} verlet_part;

static verlet_part part_of(const carom_ode *ode, int k)
{
    verlet_part p = {0, ode->position_count, 0, ode->velocity_count};
    if (ode->parts.count)
        ode->parts.range(ode->user, k, &p.first_q, &p.end_q, &p.first_v, &p.end_v);
    return p;
}

CAROM_WIDE static void predict(const carom_flow *s, int first, int count, double *middle)
{
    const int at = s->ode->position_count + first;
    const double *y = s->y + at, *f = s->f + at, h = s->h;
    double *y_new = s->y_new + at;
    for (int i = 0; i < count; i++) {
        middle[i] = y[i] + 0.5 * h * f[i];
        y_new[i] = y[i] + h * f[i];
    }
}

CAROM_WIDE static void move(const carom_flow *s, int first, int count, const double *rate)
{
    const double *y = s->y + first, h = s->h;
    double *y_new = s->y_new + first;
    for (int i = 0; i < count; i++)
        y_new[i] = y[i] + h * rate[i];
}

/* Numbers behind the positions. */
CAROM_WIDE static int correct_some(const carom_flow *s, int first, int end)
{
    const int q = s->ode->position_count;
    const double *y = s->y + q, *f = s->f + q, *f_new = s->f_new + q, half = 0.5 * s->h;
    double *y_new = s->y_new + q;
    int changed = 0;
    for (int i = first; i < end; i++) {
        const double corrected = y[i] + half * (f[i] + f_new[i]);
        changed |= corrected != y_new[i];
        y_new[i] = corrected;
    }
    return changed;
}

static void note(int *flag, int value)
{
    if (value)
        __atomic_store_n(flag, 1, __ATOMIC_RELAXED);
}

static void advance_part(void *user, int k)
{
    carom_flow *s = user;
    const carom_ode *ode = s->ode;
    const verlet_part p = part_of(ode, k);
    double near[2][CAROM_PART_NUMBERS];
    double *const middle = ode->parts.count ? near[0] : s->work;
    double *const rate = ode->parts.count ? near[1] : s->work + ode->velocity_count;
    predict(s, p.first_v, p.end_v - p.first_v, middle);
    note(&s->failed, ode->parts.count ? ode->parts.position_rate(ode->user, k, s->y + p.first_q, middle, rate)
                                      : ode->position_rate(ode->user, s->y, middle, rate));
    move(s, p.first_q, p.end_q - p.first_q, rate);
    if (ode->parts.count)
        ode->parts.reached(ode->user, k, s->y_new);
}

/* The velocities by which forces are found. */
static void predict_part(void *user, int k)
{
    const carom_flow *s = user;
    const verlet_part p = part_of(s->ode, k);
    double middle[CAROM_PART_NUMBERS];
    predict(s, p.first_v, p.end_v - p.first_v, middle);
}

static int part_count(const carom_ode *ode) { return ode->parts.count ? ode->parts.count : 1; }

static void correct_part(void *user, int k)
{
    carom_flow *s = user;
    const carom_ode *ode = s->ode;
    const verlet_part p = part_of(ode, k);
    if (ode->parts.count)
        note(&s->failed, ode->parts.velocity_rate(ode->user, k, s->f_new));
    note(&s->changed, correct_some(s, p.first_v, p.end_v));
    if (ode->parts.count)
        ode->parts.corrected(ode->user, k, s->y_new);
}

/* Forces that depend on velocities see those that the acceleration at the step's begin predicts. Books are advanced
   with the power at the begin, and corrected with that at the end. */
static int make_step(const carom_ode *ode, double t, const double *y, const double *f, double h, double *y_new,
                     double *work)
{
    carom_flow s = {.ode = ode,
                    .y = y,
                    .f = f,
                    .work = work,
                    .y_new = y_new,
                    .h = h,
                    .advance = advance_part,
                    .correct = correct_part,
                    .predict = predict_part};
    (void)t;
    for (int i = ode->position_count + ode->velocity_count; i < ode->size; i++)
        y_new[i] = y[i] + h * f[i];
    if (!ode->parts.count || !ode->parts.take(ode->user, &s))
        carom_team_run(ode->threads, part_count(ode), advance_part, &s);
    return s.failed;
}

static int correct(const carom_ode *ode, const double *y, const double *f, double h, double *f_new, double *y_new)
{
    carom_flow s = {.ode = ode, .y = y, .f = f, .f_new = f_new, .y_new = y_new, .h = h};
    if (!ode->parts.count || !ode->parts.taken(ode->user, &s))
        carom_team_run(ode->threads, part_count(ode), correct_part, &s);
    note(&s.changed, correct_some(&s, ode->velocity_count, ode->size - ode->position_count));
    return s.failed ? -1 : s.changed;
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
