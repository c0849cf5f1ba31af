/* Further coordinates of joints with several freedoms: each is a joint without rows between the same frames, which
   takes motions, loads and couplings as others do. */
#include "model/compile.h"

#include "kinds/joint/joint.h"

#include <stdio.h>
#include <string.h>

const carom_joint_def *carom_compile_joint_def(const carom_compiler *c, int joint)
{
    const carom_model_joint *j = &c->model->joints[joint];
    if (j->of < 0)
        return &c->spec->joints[joint];
    const carom_joint_def *def = &c->spec->joints[j->of];
    for (size_t k = 0; k < def->coordinate_count; k++)
        if (strcmp(def->coordinates[k].name, j->kind->kind.name) == 0)
            return &def->coordinates[k];
    return NULL;
}

/* The names in `coordinates` are those of the kind. */
static carom_status check(carom_compiler *c, const carom_joint_def *def, const carom_model_joint *joint)
{
    const carom_joint_kind *const *kinds = joint->kind->coordinates;
    for (size_t k = 0; k < def->coordinate_count; k++) {
        const carom_joint_def *given = &def->coordinates[k];
        size_t count = 0;
        for (; kinds && kinds[count]; count++)
            c->names[count] = kinds[count]->kind.name;
        if (!count)
            return carom_fail(c->ctx, CAROM_ERROR_MODEL, &given->place,
                              "joint '%s': a %s joint has no further coordinates", def->name, joint->kind->kind.name);
        if (joint->clearance.index >= 0)
            return carom_fail(c->ctx, CAROM_ERROR_MODEL, &given->place,
                              "joint '%s': with clearance nothing holds its coordinates", def->name);
        if (!carom_joint_further(joint->kind, given->name)) {
            char owner[128];
            snprintf(owner, sizeof owner, "joint '%s'", def->name);
            return carom_compile_unknown(c, &given->place, owner, "coordinate", given->name, count);
        }
    }
    return CAROM_OK;
}

static carom_status add(carom_compiler *c, int of, int index)
{
    carom_model *m = c->model;
    const carom_model_joint *main = &m->joints[of];
    carom_model_joint *joint = &m->joints[m->joint_count];
    *joint = (carom_model_joint){.name = carom_arena_format(&m->arena, "%s.%s", main->name,
                                                            main->kind->coordinates[index]->kind.name),
                                 .kind = main->kind->coordinates[index],
                                 .p = main->p,
                                 .i = main->i,
                                 .j = main->j,
                                 .coupled = {-1, -1, -1, -1, -1, -1, -1, -1},
                                 .of = of,
                                 .relation = -1,
                                 .freedom = index + (main->coordinate >= 0),
                                 .first_row = -1,
                                 .coordinate = m->coordinate_count++,
                                 .lock = -1,
                                 .clearance = {.index = -1},
                                 .friction = {.friction_work = -1},
                                 .place = main->place};
    if (!joint->name)
        return carom_fail_memory(c->ctx);
    if (carom_names_find(&c->joint_index, joint->name) >= 0)
        return carom_fail(c->ctx, CAROM_ERROR_MODEL, &main->place,
                          "joint '%s': '%s' is the name of its coordinate and of another joint; rename that one",
                          main->name, joint->name);
    carom_names_add(&c->joint_index, joint->name, m->joint_count++);
    m->part_count++;
    const carom_joint_def *def = carom_compile_joint_def(c, m->joint_count - 1);
    joint->rate_given = def && def->rate.type == CAROM_VALUE_NUMBER;
    joint->rate = joint->rate_given ? def->rate.number[0] : 0;
    joint->zero = def ? def->zero : 0;
    return CAROM_OK;
}

carom_status carom_compile_coordinates(carom_compiler *c)
{
    carom_model *m = c->model;
    const int joints = m->joint_count;
    for (int k = 0; k < joints; k++) {
        const carom_model_joint *joint = &m->joints[k];
        CAROM_TRY(check(c, &c->spec->joints[k], joint));
        if (joint->clearance.index >= 0 || !joint->kind->coordinates)
            continue;
        for (int n = 0; joint->kind->coordinates[n]; n++)
            CAROM_TRY(add(c, k, n));
    }
    return CAROM_OK;
}
