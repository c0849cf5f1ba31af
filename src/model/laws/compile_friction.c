/* Friction of ideal joints: law, sizes, their friction sites. */
#include "kinds/joint/joint.h"
#include "model/compile.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Words of the model file, in the order of carom_friction_size. */
static const char *const size_names[CAROM_FRICTION_SIZES] = {"radius", "axial_radius", "length", "width"};

static carom_status wrong(carom_compiler *c, const char *owner, const carom_joint_friction_def *def, const char *name,
                          const char *text)
{
    return carom_fail(c->ctx, CAROM_ERROR_MODEL, &def->place, "%s: '%s' %s", owner, name, text);
}

/* Friction that the reaction has no part in. */
static carom_status read_constant(carom_compiler *c, const char *owner, const carom_joint_friction_def *def,
                                  const carom_model_joint *joint, carom_model_friction *friction)
{
    if (joint->coordinate < 0)
        return wrong(c, owner, def, "constant", "is for joints with a coordinate, revolute and translational");
    if (def->radius != 0 || def->axial_radius != 0 || def->length != 0 || def->width != 0 || def->preload != 0)
        return wrong(c, owner, def, "constant", "takes the place of sizes and preload; remove one of both");
    if (!(def->constant > 0))
        return wrong(c, owner, def, "constant", "must be above 0 [N or N m]");
    friction->constant = true;
    friction->preload = def->constant;
    for (int k = 0; k < CAROM_FRICTION_SIZES; k++)
        friction->size[k] = (joint->kind->friction->needs[c->model->dimension == 3] & 1u << k) ? 1 : 0;
    return CAROM_OK;
}

static carom_status read_sizes(carom_compiler *c, const char *owner, const carom_joint_friction_def *def,
                               const carom_model_joint *joint, double *size)
{
    const carom_joint_kind *kind = joint->kind;
    const int space = c->model->dimension == 3;
    const double given[CAROM_FRICTION_SIZES] = {def->radius, def->axial_radius, def->length, def->width};
    for (int k = 0; k < CAROM_FRICTION_SIZES; k++) {
        const unsigned bit = 1u << k, needs = kind->friction->needs[space],
                       takes = needs | kind->friction->takes[space];
        size[k] = given[k];
        if (given[k] != 0 && !(takes & bit))
            return wrong(c, owner, def, size_names[k], "does not apply to a joint of this type; remove it");
        if (given[k] < 0)
            return wrong(c, owner, def, size_names[k], "must be above 0 [m]");
        if (given[k] == 0 && (needs & bit))
            return wrong(c, owner, def, size_names[k], "is missing: the radius [m] at which the parts rub");
    }
    return def->preload >= 0 ? CAROM_OK : wrong(c, owner, def, "preload", "must be at least 0 [N]");
}

/* Whether the joint can have friction, and the law serve it. */
static carom_status check(carom_compiler *c, const char *owner, const carom_joint_friction_def *def,
                          const carom_model_joint *joint)
{
    if (!joint->kind->friction)
        return carom_fail(
            c->ctx, CAROM_ERROR_MODEL, &def->place,
            "%s: a %s joint takes none; revolute, translational, cylindrical, screw, spherical, universal, planar, "
            "point-in-line, point-in-plane, point-on-curve and rolling joints do",
            owner, joint->kind->kind.name);
    if (joint->clearance.index >= 0)
        return carom_fail(
            c->ctx, CAROM_ERROR_MODEL, &def->place,
            "%s: the contacts of a joint with clearance have friction of their own; write it within `clearance`",
            owner);
    return CAROM_OK;
}

static carom_status read_law(carom_compiler *c, const char *owner, const carom_joint_friction_def *def,
                             carom_model_friction *out)
{
    const carom_place *place = def->law_place.line ? &def->law_place : &def->place;
    const carom_contact_geometry none = {.dimension = c->model->dimension};
    const carom_kind *kind;
    double *p;
    CAROM_TRY(carom_compile_find_kind(c, place, owner, CAROM_FAMILY_FRICTION, def->law, &kind));
    const carom_friction_kind *law = (const carom_friction_kind *)kind;
    if (law->spring)
        return carom_fail(
            c->ctx, CAROM_ERROR_MODEL, place,
            "%s: %s is made for contacts, whose indentation gives its stiffness, and an ideal joint has none; "
            "gonthier, lugre and dahl have a spring of their own",
            owner, kind->name);
    CAROM_TRY(carom_compile_params(c, owner, kind, &def->params, place, &p, NULL, NULL));
    const char *refusal = CAROM_KIND_CALL(law, prepare, p, &none, out->constants);
    if (refusal)
        return carom_fail(c->ctx, CAROM_ERROR_MODEL, place, "%s: %s: %s", owner, kind->name, refusal);
    out->law = law;
    return CAROM_OK;
}

carom_status carom_compile_joint_friction(carom_compiler *c, const carom_joint_def *def, carom_model_joint *joint)
{
    carom_model *m = c->model;
    carom_model_friction *friction = &joint->friction;
    char owner[128];
    snprintf(owner, sizeof owner, "joint '%s': friction", def->name);
    CAROM_TRY(check(c, owner, &def->friction, joint));
    friction->preload = def->friction.preload;
    if (def->friction.constant != 0)
        CAROM_TRY(read_constant(c, owner, &def->friction, joint, friction));
    else
        CAROM_TRY(read_sizes(c, owner, &def->friction, joint, friction->size));
    CAROM_TRY(read_law(c, owner, &def->friction, friction));
    friction->friction_work = m->friction_work_count++;
    carom_frame_pose i = carom_compile_start_pose(m, &joint->i), j = carom_compile_start_pose(m, &joint->j);
    const carom_joint_input in = carom_joint_input_of(joint->kind, joint->p, &i, &j, m->dimension, joint->near);
    carom_row rows[CAROM_FRICTION_SLIPS];
    for (int place = 0; place < CAROM_FRICTION_SITES; place++) {
        const int count = joint->kind->friction->slips(joint->kind->user, friction->size, &in, place, rows);
        if (!count)
            continue;
        carom_model_friction_site *site = &m->sites[m->site_count++];
        *site = (carom_model_friction_site){.joint = (int)(joint - m->joints),
                                 .place = place,
                                 .slip_count = count,
                                 .first_slip = m->slip_count,
                                 .state = friction->law->state ? m->friction_state_count : -1,
                                 .root = friction->law->set_valued ? m->root_count++ : -1};
        m->slip_count += count;
        m->friction_state_count += friction->law->state;
    }
    return CAROM_OK;
}
