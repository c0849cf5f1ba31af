/* Joints with clearance at the start: one stays where the given positions put it as long as its parts do not overlap
   there, else it is centred. */
#include "dynamics/assembly.h"

#include "dynamics/dynamics.h"
#include "dynamics/formulation/formulation.h"

#include <math.h>
#include <stdio.h>
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
    s->formulation->pose(d, s->q, s->v);
    for (int k = 0; k < m->joint_count; k++) {
        const int index = m->joints[k].clearance.index;
        if (index < 0 || s->clearance_centred[index] || !overlaps(d, &m->joints[k]))
            continue;
        s->clearance_centred[index] = 1;
        more = true;
    }
    return more;
}

static carom_status unassembled(const carom_assembly_rows *rows, int worst)
{
    const carom_model *m = rows->d->model;
    const carom_row_source source = rows->source[worst];
    const bool ideal = source.type == CAROM_SOURCE_IDEAL;
    char name[200];
    if (ideal)
        snprintf(name, sizeof name, "joint '%s', centred in its clearance,", m->joints[source.index].name);
    else
        carom_row_name(m, source.index, name, sizeof name);
    return carom_fail(rows->d->system->ctx, CAROM_ERROR_MODEL,
                      ideal ? &m->joints[source.index].place : carom_row_place(m, source.index),
                      "the parts cannot be assembled: %s is left open by %.3g; check lengths and the positions `at`",
                      name, fabs(rows->b[worst]));
}

/* Newton's method on the constraints and on the ideal joints instead of those that are marked. */
static carom_status centre(carom_evaluation *d, carom_state *s, carom_assembly_rows *rows)
{
    const carom_model *m = d->model;
    const double tolerance = POSITION_TOLERANCE * fmax(1e-3, m->length_scale);
    int worst = 0;
    for (int iteration = 0; iteration < 60; iteration++) {
        double residual, largest = 0;
        memset(s->v, 0, (size_t)s->layout.velocities * sizeof *s->v);
        s->formulation->pose(d, s->q, s->v);
        carom_dynamics_constraints(d, s, *s->time);
        rows->count = 0;
        carom_assembly_constraints(rows, true);
        for (int k = 0; k < m->joint_count; k++)
            if (m->joints[k].clearance.index >= 0 && s->clearance_centred[m->joints[k].clearance.index])
                carom_assembly_ideal(rows, k, true);
        for (int r = 0; r < rows->count; r++)
            if (!(fabs(rows->b[r]) <= largest)) {
                largest = fabs(rows->b[r]);
                worst = r;
            }
        if (largest <= tolerance)
            return CAROM_OK;
        CAROM_TRY(carom_assembly_solve(rows, rows->count, s->v, &(int){0}, &residual));
        s->formulation->pose(d, s->q, s->v);
        s->formulation->position_rate(m, s->q, s->v, rows->step);
        for (int k = 0; k < s->layout.positions; k++)
            s->q[k] += rows->step[k];
    }
    return unassembled(rows, worst);
}

carom_status carom_assembly_centre(carom_evaluation *d, carom_state *s)
{
    bool any = false;
    for (int k = 0; k < d->model->clearance_count; k++)
        any = any || s->clearance_centred[k];
    if (!any)
        return CAROM_OK;
    carom_assembly_rows rows;
    CAROM_TRY(carom_assembly_rows_create(d, &rows));
    carom_status status = centre(d, s, &rows);
    carom_assembly_rows_free(&rows);
    return status;
}
