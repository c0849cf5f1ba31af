/* Counts of a model, and words. */
#include "dynamics/dynamics.h"
#include "dynamics/formulation/formulation.h"

#include <math.h>
#include <stdio.h>

carom_model_info carom_model_get_info(const carom_model *m)
{
    if (!m)
        return (carom_model_info){0};
    const carom_run_def *run = carom_model_get_run(m, 0);
    const carom_formulation *formulation = carom_formulation_find(run ? run->formulation : NULL);
    return (carom_model_info){.name = m->name,
                              .title = m->title,
                              .dimension = m->dimension,
                              .bodies = (size_t)m->body_count,
                              .joints = (size_t)(m->joint_count - m->part_count),
                              .shapes = (size_t)m->shape_count,
                              .contacts = (size_t)(m->contact_count + m->contact_set_count),
                              .loads = (size_t)m->load_count,
                              .runs = (size_t)m->run_count,
                              .coordinates =
                                  formulation
                                      ? (size_t)carom_formulation_for(m, formulation)->layout(m).velocities
                                      : 0,
                              .rows = (size_t)carom_model_hard_rows(m),
                              .gravity = {m->gravity.x, m->gravity.y, m->gravity.z},
                              .length = m->length_scale};
}

const char *carom_direction_name(carom_vec3 a, char text[CAROM_DIRECTION_NAME])
{
    const double norm = carom_v3_norm(a);
    double c[3] = {a.x, a.y, a.z};
    for (int k = 0; k < 3; k++)
        if (fabs(c[k]) > 0.9999 * norm) {
            snprintf(text, CAROM_DIRECTION_NAME, "%c", "xyz"[k]);
            return text;
        }
    for (int k = 0; k < 3; k++)
        c[k] = fabs(c[k]) > 1e-4 * norm ? c[k] / norm : 0;
    snprintf(text, CAROM_DIRECTION_NAME, "[%.3g, %.3g, %.3g]", c[0], c[1], c[2]);
    return text;
}
