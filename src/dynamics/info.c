/* Counts of a model. */
#include "dynamics/formulation/formulation.h"

carom_model_info carom_model_get_info(const carom_model *m)
{
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
