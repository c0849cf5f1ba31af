/* Prescribed motions that the mechanism cannot follow: it has come to the end of its way, where a drive goes on and the
   joints do not let it. Before such a place velocities grow without limit and steps shrink with what is left of the
   way; behind it the constraints are violated. Both are found by whether positions exist that keep all constraints a
   little later: Newton's method closes them from where the mechanism is, and from where inertia takes it. At a dead
   centre that the mechanism passes there are some, and the run goes on.
   Source: Haug 1989, Computer Aided Kinematics and Dynamics of Mechanical Systems, section 4.3. */
#include "sim/kinematics/kinematics.h"
#include "sim/sim.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* After so many short steps the positions are looked for: methods of long steps come to rounding soon behind these. */
#define SHORT_STEPS 20
/* How far the fastest drive goes on, of the model's length or in rad, to where the positions are looked for. */
static const double ahead[] = {1e-5, 1e-4};
/* Positions are those if so much is left of the violation of those that they were looked for from; what joints and
   drives share of a way that cannot be gone is a tenth and more. */
#define CLOSED 1e-6
#define ITERATIONS 40
/* What inertia moves is no more than this, of the model's length or in rad: velocities at the end of a way are none of
   the motion before it. */
#define FARTHEST 1e-2

/* [s] in which the fastest drive moves the model's length or 1 rad, at most the run. */
static double time_of_drives(const carom_simulation *sim)
{
    const carom_model *m = sim->model;
    double rate = 1 / sim->run.until;
    for (int k = 0; k < m->block_count; k++) {
        const int row = m->blocks[k].first_row;
        if (m->blocks[k].drive >= 0 && !carom_dynamics_leaves_out(sim->d, k))
            rate = fmax(rate, fabs(sim->d->row_rate[row]) /
                                  (carom_row_is_angle(&sim->d->rows[row]) ? 1 : m->length_scale));
    }
    return 1 / rate;
}

/* Whether positions near those of y keep the constraints at t; they are left in y. */
static bool closes(carom_simulation *sim, double t, double *y)
{
    const carom_model *m = sim->model;
    const carom_formulation *f = sim->s.formulation;
    double *v = y + (sim->s.v - sim->s.q), worst = 0;
    f->normalise(m, y);
    carom_system_pose(sim->probe, &sim->s, t, y, v);
    carom_dynamics_constraints(sim->probe, &sim->s, t);
    for (int k = 0; k < m->block_count; k++)
        for (int r = 0; !carom_dynamics_leaves_out(sim->probe, k) && r < m->blocks[k].row_count; r++)
            worst = fmax(worst, carom_row_violation(sim->probe, m->blocks[k].first_row + r));
    return f->project(sim->probe, &sim->s, t, y, v, CLOSED * worst, ITERATIONS);
}

/* Whether the mechanism can be where its drives will have it after a time [s]. */
static bool can_follow(carom_simulation *sim, double after)
{
    const carom_state *s = &sim->s;
    double *y = sim->y_scratch, fastest = 0;
    const size_t places = (size_t)(s->v - s->q);
    memcpy(y, s->q, s->integrated * sizeof *y);
    if (closes(sim, *s->time + after, y))
        return true;
    for (int body = 1; body <= sim->model->body_count; body++)
        fastest = fmax(fastest, fmax(carom_v3_norm(sim->d->pose[body].v) / sim->model->length_scale,
                                     carom_v3_norm(sim->d->pose[body].w)));
    memcpy(y, s->q, s->integrated * sizeof *y);
    if (!(after > 0) || carom_step_position_rate(sim, s->q, s->v, sim->rate_scratch) != 0)
        return false;
    const double part = fmin(after, FARTHEST / fmax(fastest, FARTHEST / after));
    for (size_t k = 0; k < places; k++)
        y[k] += part * sim->rate_scratch[k];
    return closes(sim, *s->time + after, y);
}

static carom_status tell(carom_simulation *sim)
{
    char text[1000];
    carom_sim_catch_up(sim);
    if (!*carom_culprit_drive(sim, sim->d, text, sizeof text))
        snprintf(text, sizeof text,
                 "the mechanism is locked there, or at a dead centre, and its joints do not let its motions go on; "
                 "change its lengths or the range of the motions, or drive it by a load");
    return carom_fail(sim->ctx, CAROM_ERROR_SOLVER, NULL,
                      "t = %.9g s: the prescribed motion cannot be reached beyond this time: %s", *sim->s.time, text);
}

carom_status carom_locked_watch(carom_simulation *sim, double violated)
{
    const double now = *sim->s.peak_violation_share;
    /* each time it has become twice as much */
    const bool broken = now > CAROM_GREATEST_VIOLATION &&
                        !(violated > CAROM_GREATEST_VIOLATION && ilogb(now) == ilogb(violated));
    if (sim->run.kinematic || !sim->model->drive_count)
        return CAROM_OK;
    const double whole = time_of_drives(sim);
    const bool halts = carom_kinematics_halts(sim, whole, SHORT_STEPS);
    if ((!broken && !halts) || (broken && can_follow(sim, 0)))
        return CAROM_OK;
    sim->short_steps = 0;
    for (size_t k = 0; k < sizeof ahead / sizeof *ahead; k++)
        if (can_follow(sim, ahead[k] * whole))
            return CAROM_OK;
    return tell(sim);
}
