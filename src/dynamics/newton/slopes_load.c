/* Derivatives of loads and of the user's states, by differences over the bodies and states that they read. */
#include "dynamics/newton/newton.h"

#include <math.h>
#include <string.h>

/* Measures at the poses that are there, where an element reads any. */
static void measure(carom_newton *nt)
{
    if (nt->model->step_measure_count)
        carom_dynamics_measures(nt->at, nt->state, nt->time, nt->states);
}

/* ---- loads: wrenches, then rates of its states, work of its source and of its damper ---- */

static void load_values(carom_newton *nt, const carom_slopes *e, double *out)
{
    const carom_compiled_load *l = &nt->model->loads[e->object];
    carom_wrench wrench[2];
    measure(nt);
    carom_dynamics_load_wrenches(nt->at, nt->state, e->object, nt->time, nt->states, wrench);
    carom_slopes_add_wrench(nt, e, l->i.body, &wrench[0], out);
    carom_slopes_add_wrench(nt, e, l->j.body, &wrench[1], out);
    double *row = out + e->body_count * nt->width;
    for (int k = 0; k < l->state_count; k++)
        *row++ = nt->at->load_state_rate[l->first_state + k];
    *row++ = nt->at->loads[e->object].work_power;
    *row++ = nt->at->loads[e->object].dissipation;
}

/* Columns of states, which are unknowns. */
static void vary_states(carom_newton *nt, carom_slopes *e, carom_slopes_values values)
{
    const int first = nt->others + nt->model->friction_state_count;
    for (int c = 0; c < e->column_count; c++) {
        double *x = &nt->states[e->column[c] - first];
        carom_slopes_vary(nt, e, values, c, x, 6e-6 * fmax(fabs(*x), 1e-3));
    }
}

void carom_slopes_fill_load(carom_newton *nt, carom_slopes *e)
{
    const carom_slope_steps steps = carom_slopes_steps(nt);
    const carom_load_output kept = nt->at->loads[e->object];
    e->on = !nt->state->load_off[e->object] || nt->model->loads[e->object].state_count;
    if (!e->on)
        return;
    carom_slopes_vary_bodies(nt, e, load_values, &steps);
    vary_states(nt, e, load_values);
    nt->at->loads[e->object] = kept;
    measure(nt);
}

/* ---- the user's states ---- */

static void state_values(carom_newton *nt, const carom_slopes *e, double *out)
{
    measure(nt);
    carom_dynamics_state_rates(nt->at, nt->state, nt->time);
    for (int k = 0; k < nt->model->state_count; k++)
        out[e->body_count * nt->width + k] = nt->at->state_rate[k];
}

void carom_slopes_fill_states(carom_newton *nt, carom_slopes *e)
{
    const carom_slope_steps steps = carom_slopes_steps(nt);
    e->on = true;
    carom_slopes_vary_bodies(nt, e, state_values, &steps);
    vary_states(nt, e, state_values);
    measure(nt);
}
