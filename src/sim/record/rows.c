/* Rows of the output grid inside a step: the state by the dense output, and of its evaluation what channels need. */
#include "sim/works.h"

#include <limits.h>
#include <math.h>

/* Evaluates a state within the step; false: it cannot be solved. */
static bool evaluate(carom_simulation *sim, carom_reading_needs needs, double t, const double *y)
{
    const carom_state *s = &sim->s;
    carom_evaluation *d = sim->trial;
    sim->taken = false; /* what a step of the contact sets left in it is made anew */
    if (needs != CAROM_NEEDS_ALL) {
        carom_system_pose(d, s, t, y, y + (s->v - s->q));
        if (needs == CAROM_NEEDS_CONTACTS) {
            memset(d->wrench, 0, ((size_t)sim->model->body_count + 1) * sizeof *d->wrench);
            carom_dynamics_contacts(d, s, y + (s->friction - s->q));
        }
        return true;
    }
    if (!carom_system_evaluate(d, s, t, y))
        return false;
    double sum = 0;
    carom_system_velocity_rate(d, sim->rate_scratch);
    for (int k = 0; k < s->layout.velocities; k++)
        sum += sim->rate_scratch[k];
    return isfinite(sum);
}

/* ---- steps at rest ---- */

/* A state that moves in a step by less than this share of each number's tolerance rests: its rows are the first one's.
   Impulses of contacts grow at rest as well, and no channel has them. */
#define AT_REST 1e-6
/* Rows of a step from which on that is looked at, and places inside it. */
#define LEAST_ROWS 16
#define PLACES 3

static bool is_unmoved(const carom_simulation *sim, const double *y)
{
    const carom_state *s = &sim->s;
    const size_t impulses = (size_t)(s->normal_impulse - s->q), behind = impulses + (size_t)sim->model->contact_count;
    for (size_t k = 0; k < s->integrated; k++)
        if (!(fabs(y[k] - s->q[k]) <= AT_REST * sim->tolerance[k]) && !(k >= impulses && k < behind))
            return false;
    return true;
}

/* Whether channels depend on the time by the state alone. */
static bool is_autonomous(const carom_model *m)
{
    bool by_state = !m->expr_count && !m->input_count && !m->output_count && !m->state_count;
    for (int k = 0; k < m->load_count && by_state; k++)
        by_state = !m->loads[k].kind->outside;
    for (int k = 0; k < m->joint_count && by_state; k++)
        by_state = !m->joints[k].kind->outside;
    return by_state;
}

/* Whether the state rests over the last step, with many rows up to `end` from t on. */
static bool rests(carom_simulation *sim, double t, double end, double *y)
{
    const carom_integrator *integrator = sim->integrator;
    const double begin = integrator->t_before, step = integrator->t - begin;
    if (end - t < LEAST_ROWS * sim->run.output_every || !is_autonomous(sim->model) ||
        !is_unmoved(sim, carom_works_end(sim)))
        return false;
    for (int n = 1; n <= PLACES; n++)
        if (!carom_step_interpolate(sim, begin + step * n / (PLACES + 1), y) || !is_unmoved(sim, y))
            return false;
    return true;
}

carom_status carom_record_rows(carom_simulation *sim, double end, carom_step_rates *rates)
{
    carom_state *s = &sim->s;
    const double every = sim->run.output_every, until = sim->run.until, slack = 1e-12 * until;
    const bool whole = sim->system->sets || sim->rigid;
    const carom_reading_needs needs = whole ? CAROM_NEEDS_ALL : sim->recorder.needs;
    double *y = sim->y_scratch;
    carom_state then;
    bool resting = false;
    /* the index of a checkpoint may be any: rows before the step are not found in it */
    const double least = ceil(*s->time / every - 1e-6);
    if (*s->output_index < least && least < INT_MAX)
        *s->output_index = (int)least;
    for (bool begun = false;; begun = true) {
        const double t = fmin(*s->output_index * every, until);
        if (t > end || (*s->output_index > 0 && (*s->output_index - 1) * every >= until - slack))
            return CAROM_OK;
        if (resting) {
            CAROM_TRY(carom_record_grid_again(sim, t));
            ++*s->output_index;
            continue;
        }
        if (!begun) {
            carom_sim_catch_up(sim);
            then = carom_state_at(s, y);
        }
        if (!carom_step_interpolate(sim, t, y))
            return carom_fail(sim->ctx, CAROM_ERROR_SOLVER, NULL, "t = %.9g s: no dense output", t);
        const bool solved = evaluate(sim, needs, t, y);
        *rates = solved && t == end && needs == CAROM_NEEDS_ALL ? CAROM_RATES_AT_END : CAROM_RATES_ELSEWHERE;
        if (solved)
            CAROM_TRY(carom_record_grid(sim, t, sim->trial, &then));
        ++*s->output_index;
        resting = solved && !begun && !whole && rests(sim, t, end, y);
    }
}
