/* Joints with clearance at the start: one stays where the given positions put it as long as its parts do not overlap
   there, else it is centred. */
#include "dynamics/assembly.h"

#include "dynamics/dynamics.h"
#include "dynamics/formulation/formulation.h"

#include <math.h>
#include <string.h>

/* Largest violation that counts as assembled, relative to the model's length. */
#define POSITION_TOLERANCE 1e-13

/* Whether parts of a joint with clearance overlap in the present pose. */
static bool overlaps(const carom_evaluation *d, const carom_model_joint *j)
{
    const carom_model *m = d->model;
    for (int k = j->clearance.first_contact; k < j->clearance.first_contact + j->clearance.contact_count; k++) {
        carom_contact_point p;
        carom_contact_geometry_at(m, NULL, k, &d->pose[m->contacts[k].body_i], &d->pose[m->contacts[k].body_j], &p);
        if (p.gap < -1e-9 * j->clearance.play)
            return true;
    }
    return false;
}

bool carom_assembly_mark_overlapping(carom_evaluation *d, carom_state *s)
{
    const carom_model *m = d->model;
    bool more = false;
    carom_state_pose(d, s);
    for (int k = 0; k < m->joint_count; k++) {
        const int index = m->joints[k].clearance.index;
        if (index < 0 || s->clearance_centred[index] || !overlaps(d, &m->joints[k]))
            continue;
        s->clearance_centred[index] = 1;
        more = true;
    }
    return more;
}

bool carom_assembly_overlaps(carom_evaluation *d, carom_state *s)
{
    bool any = false;
    carom_state_pose(d, s);
    for (int k = 0; k < d->model->joint_count && !any; k++)
        any = d->model->joints[k].clearance.index >= 0 && overlaps(d, &d->model->joints[k]);
    return any;
}

bool carom_assembly_any_centred(const carom_state *s)
{
    bool any = false;
    for (int k = 0; k < s->model->clearance_count; k++)
        any = any || s->clearance_centred[k];
    return any;
}

void carom_assembly_centred(carom_assembly_rows *rows, const carom_state *s)
{
    const carom_model *m = rows->d->model;
    for (int k = 0; k < m->joint_count; k++)
        if (m->joints[k].clearance.index >= 0 && s->clearance_centred[m->joints[k].clearance.index])
            carom_assembly_ideal(rows, k, true);
}

/* Newton's method on the constraints and on the ideal joints instead of those that are marked. */
static carom_status centre(carom_evaluation *d, carom_state *s, carom_assembly_rows *rows, bool *done)
{
    const carom_model *m = d->model;
    *done = false;
    for (int iteration = 0; iteration < 60; iteration++) {
        double residual, largest = 0;
        memset(s->v, 0, (size_t)s->layout.velocities * sizeof *s->v);
        carom_state_pose(d, s);
        carom_dynamics_constraints(d, s, *s->time);
        rows->count = 0;
        carom_assembly_constraints(rows, true);
        carom_assembly_centred(rows, s);
        for (int r = 0; r < rows->count; r++)
            largest = fmax(largest, isfinite(rows->b[r]) ? carom_assembly_open(rows, r) : HUGE_VAL);
        *done = largest <= fmax(POSITION_TOLERANCE, carom_row_rounding(d, false));
        if (*done || !isfinite(largest))
            return CAROM_OK;
        CAROM_TRY(carom_assembly_solve(rows, rows->count, s->v, &(int){0}, &residual));
        carom_state_pose(d, s);
        s->formulation->position_rate(m, s->q, s->v, rows->step);
        for (int k = 0; k < s->layout.positions; k++)
            s->q[k] += rows->step[k];
    }
    return CAROM_OK;
}

carom_status carom_assembly_centre(carom_evaluation *d, carom_state *s, bool *done)
{
    *done = true;
    if (!carom_assembly_any_centred(s))
        return CAROM_OK;
    carom_assembly_rows rows;
    CAROM_TRY(carom_assembly_rows_create(d, &rows));
    carom_status status = centre(d, s, &rows, done);
    carom_assembly_rows_free(&rows);
    return status;
}
