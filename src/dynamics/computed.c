/* Motors that compute their effort: of each the joint's coordinate gets a row with the acceleration that is wanted,
   for the accelerations alone, and the multiplier is the effort. All motors of a model are found at once, with the
   reactions and forces of the instant. A motor at the limit of its effort has that effort and no row.
   Source: Featherstone 2008, Rigid Body Dynamics Algorithms, section 9.2 (hybrid dynamics). */
#include "dynamics/dynamics.h"
#include "dynamics/formulation/formulation.h"
#include "kinds/load/load.h"

#include <math.h>

/* Branch of the first switch of a motor within its limit. */
#define WITHIN 1

static bool is_within(const carom_compiled_load *l, const carom_state *s)
{
    return !l->edges || s->switches[l->first_switch] == WITHIN;
}

void carom_dynamics_computed(carom_evaluation *d, const carom_state *s)
{
    const carom_model *m = d->model;
    for (int k = 0; m->computed_count && k < m->load_count; k++) {
        const carom_compiled_load *l = &m->loads[k];
        if (l->computed < 0 || s->load_off[k] || !is_within(l, s))
            continue;
        const carom_constraint_block *e = &m->blocks[l->computed];
        const int r = e->first_row;
        carom_dynamics_coordinate(d, l->joint, 0, &d->rows[r], &d->row_rate[r]);
        d->rows[r].phi = 0;
        d->row_acceleration[r] = d->loads[k].wanted;
        d->idle[r] = false;
        carom_row_between(d, &d->rows[r], e->body_i, e->body_j, &d->jacobian[r]);
        d->phi_rate[r] = 0;
    }
}

void carom_dynamics_computed_efforts(carom_evaluation *d)
{
    const carom_model *m = d->model;
    for (int k = 0; m->computed_count && k < m->load_count; k++) {
        const carom_compiled_load *l = &m->loads[k];
        if (l->computed < 0 || d->idle[m->blocks[l->computed].first_row])
            continue;
        const int r = m->blocks[l->computed].first_row;
        const carom_load_input in = {
            .i = carom_dynamics_frame_pose(&d->pose[l->i.body], &l->i, m->dimension),
            .j = carom_dynamics_frame_pose(&d->pose[l->j.body], &l->j, m->dimension),
            .coordinate = d->rows[r],
        };
        carom_load_along_coordinate(&in, d->multipliers[r], &d->loads[k]);
        d->loads[k].work_power = d->multipliers[r] * d->row_rate[r];
    }
}

double carom_dynamics_coordinate_acceleration(const carom_evaluation *d, int joint)
{
    const carom_model_joint *j = &d->model->joints[joint];
    double rate;
    carom_row row;
    carom_dynamics_coordinate(d, joint, 0, &row, &rate);
    return carom_row_acceleration(d, &row, j->i.body, j->j.body) - row.gamma;
}

double carom_dynamics_computed_quantity(const carom_evaluation *d, int load, int branch)
{
    const carom_compiled_load *l = &d->model->loads[load];
    const carom_load_output *of = &d->loads[load];
    if (branch == WITHIN)
        return (d->multipliers[d->model->blocks[l->computed].first_row] - of->shift) / of->limit;
    return branch - WITHIN + of->wanted - carom_dynamics_coordinate_acceleration(d, l->joint);
}

bool carom_dynamics_computed_switches(const carom_evaluation *d, carom_state *s)
{
    const carom_model *m = d->model;
    bool changed = false;
    for (int k = 0; m->computed_count && k < m->load_count; k++) {
        const carom_compiled_load *l = &m->loads[k];
        if (l->computed < 0 || !l->edges || s->load_off[k])
            continue;
        int *branch = &s->switches[l->first_switch];
        const double x = carom_dynamics_computed_quantity(d, k, *branch);
        const int now = x > 1 ? 2 : x < -1 ? 0 : WITHIN;
        changed = changed || now != *branch;
        *branch = now;
    }
    return changed;
}
