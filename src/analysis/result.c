/* What an analysis found: rows of its tables. */
#include "analysis/analysis.h"

#include <stdio.h>
#include <string.h>

void carom_analysis_add_matrix(carom_analysis *a, const carom_analysis_matrix *matrix)
{
    a->matrices[a->matrix_count++] = *matrix;
}

carom_status carom_analysis_add(carom_analysis *a, int table, const carom_analysis_cell *cells)
{
    carom_analysis_table *t = &a->tables[table];
    const size_t columns = t->column_count, had = t->row_count * columns;
    carom_analysis_cell *list = (carom_analysis_cell *)t->cells;
    CAROM_TRY(carom_grow(a->ctx, &list, &a->capacity[table], had + columns, sizeof *list));
    t->cells = list;
    for (size_t k = 0; k < columns; k++) {
        list[had + k] = cells[k];
        if (!cells[k].text)
            continue;
        list[had + k].text = carom_arena_text(&a->arena, cells[k].text);
        if (!list[had + k].text)
            return carom_fail_memory(a->ctx);
    }
    t->row_count++;
    return CAROM_OK;
}

const carom_analysis_quantity carom_analysis_body_columns[CAROM_ANALYSIS_BODY_COLUMNS] = {
    {"body", "", "Name of the body."},
    {"coordinate", "", "x, y, z of its centre of mass, its angle in the plane, its quaternion w x y z in space."},
    {"unit", "", "Unit of the coordinate."},
    {"before", "SI", "As the model file places the body, or where the run before ended."},
    {"after", "SI", "As it is at the end."},
    {"rate", "SI/s", "Time derivative at the end."}};

static carom_status add_body(carom_analysis *a, int table, const char *name, const carom_body_state *before,
                             const carom_body_state *after)
{
    static const char *const planar[] = {"x", "y", "angle"},
                      *const spatial[] = {"x", "y", "z", "qw", "qx", "qy", "qz"};
    const bool plane = a->model->dimension == 2;
    for (int k = 0; k < (plane ? 3 : 7); k++) {
        double from, to, rate;
        if (k < a->model->dimension) {
            from = before->position[k];
            to = after->position[k];
            rate = after->velocity[k];
        } else if (plane) {
            from = before->angle;
            to = after->angle;
            rate = after->angular_velocity[2];
        } else {
            const double *q = after->orientation;
            const carom_quat turn =
                carom_quat_rate((carom_quat){q[0], q[1], q[2], q[3]}, carom_v3_load(after->angular_velocity));
            const double rates[4] = {turn.w, turn.x, turn.y, turn.z};
            from = before->orientation[k - 3];
            to = q[k - 3];
            rate = rates[k - 3];
        }
        const char *unit = k < a->model->dimension ? "m" : plane ? "rad" : "1";
        CAROM_TRY(carom_analysis_add(a, table,
                                     (const carom_analysis_cell[]){{.text = name},
                                                                   {.text = plane ? planar[k] : spatial[k]},
                                                                   {.text = unit},
                                                                   {.number = from},
                                                                   {.number = to},
                                                                   {.number = rate}}));
    }
    return CAROM_OK;
}

carom_status carom_analysis_add_bodies(carom_analysis *a, int table, const double *before)
{
    const carom_state *s = a->state;
    for (int body = 0; body < a->model->body_count; body++) {
        carom_body_state from, to;
        s->formulation->get_body(a->model, body, before, s->v, &from);
        s->formulation->get_body(a->model, body, s->q, s->v, &to);
        CAROM_TRY(add_body(a, table, a->model->bodies[body + 1].name, &from, &to));
    }
    return CAROM_OK;
}
