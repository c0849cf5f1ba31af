/* Joints and prescribed motions: markers, constraint rows, drives. */
#include "model/compile.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Sine of the angle below which an axis of a frame is too near to the joint's to tell an angle about it. */
#define ALONG 0.1

/* Axis k of a frame at the start, world axes. */
static carom_vec3 frame_axis(const carom_model *m, const carom_marker *marker, int k)
{
    carom_mat3 axes = carom_model_start_axes(m, marker->body);
    return carom_m3_apply(&axes, carom_m3_column(&marker->axes, k));
}

void carom_compile_axes(const carom_model *m, const carom_marker *i, const carom_marker *j, carom_vec3 axis,
                        carom_mat3 *first, carom_mat3 *second)
{
    const carom_vec3 h = carom_v3_scale(1 / carom_v3_norm(axis), axis);
    for (int k = 0; k < 3; k++) {
        const carom_vec3 one = frame_axis(m, i, k), two = frame_axis(m, j, k);
        const double least = fmin(carom_v3_norm(carom_v3_cross(h, one)), carom_v3_norm(carom_v3_cross(h, two)));
        /* each frame has one axis at most that is nearly along h, so that one of three is left */
        if (k < 2 && !(least > ALONG))
            continue;
        *first = carom_m3_axes(axis, one);
        *second = carom_m3_axes(axis, two);
        return;
    }
}

/* Fixes world axes of the start on the marker's body. */
static void set_axes(const carom_model *m, carom_marker *marker, const carom_mat3 *world)
{
    carom_mat3 body = carom_model_start_axes(m, marker->body);
    marker->axes = carom_m3_multiply_t(&body, world);
    marker->angle = atan2(marker->axes.m[1][0], marker->axes.m[0][0]);
}

static carom_status read_axis(carom_compiler *c, const char *owner, const carom_param_list *list, const char *name,
                              carom_vec3 *axis)
{
    const carom_param *param = carom_param_find(list, name);
    if (!param)
        return CAROM_OK;
    CAROM_TRY(carom_compile_vector(c, owner, param, axis));
    if (!(carom_v3_norm(*axis) > 0) || !isfinite(carom_v3_norm(*axis)))
        return carom_fail(c->ctx, CAROM_ERROR_MODEL, &param->value.place, "%s: %s must not be the zero vector", owner,
                          name);
    return CAROM_OK;
}

/* Triads of both markers, from the axis and the frames as they start. */
static carom_status place_axes(carom_compiler *c, const char *owner, const carom_joint_def *def,
                               carom_model_joint *joint)
{
    const carom_model *m = c->model;
    const carom_joint_kind *kind = joint->kind;
    bool planar = m->dimension == 2, in_plane = planar && kind->axis_in_plane;
    carom_vec3 axis = in_plane ? carom_v3(1, 0, 0) : carom_v3(0, 0, 1);
    const carom_param *given = carom_param_find(&def->params, "axis");
    if (kind->has_axis) {
        if (in_plane && !given)
            return carom_fail(c->ctx, CAROM_ERROR_MODEL, &def->place, "%s: axis is missing: a direction like [1, 0]",
                              owner);
        if (planar && !in_plane && given)
            return carom_fail(c->ctx, CAROM_ERROR_MODEL, &given->place,
                              "%s: the axis of a planar %s joint is z; leave it out", owner, kind->kind.name);
        CAROM_TRY(read_axis(c, owner, &def->params, "axis", &axis));
    } else if (given)
        return carom_fail(c->ctx, CAROM_ERROR_MODEL, &given->place, "%s: a %s joint takes no axis", owner,
                          kind->kind.name);
    if (kind->follow)
        return CAROM_OK; /* the curve is given in the axes of the frame */
    carom_mat3 first, second;
    carom_compile_axes(m, &joint->i, &joint->j, axis, &first, &second);
    if (in_plane) {
        carom_vec3 h = carom_v3_scale(1 / carom_v3_norm(axis), axis), g = carom_v3(0, 0, 1);
        first = carom_m3_columns(carom_v3_cross(g, h), g, h);
    }
    if (in_plane || kind->axes_locked)
        second = first;
    carom_vec3 axis2 = carom_v3(1, 0, 0);
    if (kind->axis2_on_j) {
        CAROM_TRY(read_axis(c, owner, &def->params, "axis2", &axis2));
        if (!carom_param_find(&def->params, "axis2"))
            axis2 = carom_m3_column(&first, 0);
        second = carom_m3_axes(axis2, frame_axis(m, &joint->j, 0));
    }
    set_axes(m, &joint->i, &first);
    set_axes(m, &joint->j, &second);
    return CAROM_OK;
}

/* Parameters other than the axes. */
static carom_status joint_params(carom_compiler *c, const char *owner, const carom_joint_def *def,
                                 carom_model_joint *joint)
{
    carom_param *rest = carom_arena_alloc(&c->model->arena, def->params.count, sizeof *rest);
    if (!rest)
        return carom_fail_memory(c->ctx);
    carom_param_list list = {rest, 0};
    for (size_t k = 0; k < def->params.count; k++) {
        const carom_param *p = &def->params.items[k];
        bool is_axis = strcmp(p->name, "axis") == 0 || (strcmp(p->name, "axis2") == 0 && joint->kind->axis2_on_j);
        if (!is_axis)
            rest[list.count++] = *p;
    }
    return carom_compile_params(c, owner, &joint->kind->kind, &list, &def->place, &joint->p, NULL, NULL);
}

carom_constraint_block *carom_compile_block(carom_model *m, carom_constraint_block block)
{
    block.first_row = m->row_count;
    block.drive = block.expr >= 0 ? m->drive_count++ : -1;
    m->row_count += block.row_count;
    m->blocks[m->block_count] = block;
    return &m->blocks[m->block_count++];
}

/* Zero, prescribed motion and rate of the start fit the joint. */
static carom_status joint_motion(carom_compiler *c, const char *owner, const carom_joint_def *def,
                                 carom_model_joint *joint)
{
    const char *what = def->motion.type != CAROM_VALUE_NONE ? "motion"
                       : def->rate.type != CAROM_VALUE_NONE ? "rate"
                       : def->zero != 0                     ? "zero"
                                                            : NULL;
    joint->zero = def->zero;
    if (what && joint->coordinate < 0)
        return carom_fail(c->ctx, CAROM_ERROR_MODEL, &def->place, "%s: a %s joint has no coordinate, so it takes no %s",
                          owner, joint->kind->kind.name, what);
    if (joint->clearance.index >= 0 && def->motion.type != CAROM_VALUE_NONE)
        return carom_fail(
            c->ctx, CAROM_ERROR_MODEL, &def->motion.place,
            "%s: a joint with clearance has no motion, as nothing holds its coordinate; drive a joint without "
            "clearance, or a body",
            owner);
    if (def->rate.type == CAROM_VALUE_NUMBER) {
        joint->rate_given = true;
        joint->rate = def->rate.number[0];
    }
    return CAROM_OK;
}

static int row_count(const carom_model *m, const carom_model_joint *joint)
{
    return m->dimension == 2 ? joint->kind->rows_2d : joint->kind->rows_3d;
}

/* Name and kind, without what it joins. */
static carom_status begin_joint(carom_compiler *c, const char *owner, const carom_joint_def *def,
                                carom_model_joint *joint)
{
    carom_model *m = c->model;
    joint->name = carom_arena_text(&m->arena, def->name);
    CAROM_TRY(carom_compile_place(c, def->place, &joint->place));
    if (!joint->name)
        return carom_fail_memory(c->ctx);
    const carom_kind *kind;
    CAROM_TRY(carom_compile_find_kind(c, &def->type_place, owner, CAROM_FAMILY_JOINT, def->type, &kind));
    joint->kind = (const carom_joint_kind *)kind;
    joint->of = joint->relation = -1;
    for (int k = 0; k < CAROM_COUPLED_JOINTS; k++)
        joint->coupled[k] = -1;
    joint->coordinate = joint->clearance.index = -1;
    joint->friction.friction_work = joint->first_row = joint->lock = -1;
    if (row_count(m, joint) == 0)
        return carom_fail(c->ctx, CAROM_ERROR_MODEL, &def->type_place, "%s: there is no %s joint in a planar model%s%s",
                          owner, kind->name, joint->kind->in_plane ? "; " : "",
                          joint->kind->in_plane ? joint->kind->in_plane : "");
    if (def->relation && !joint->kind->has_relation)
        return carom_fail(c->ctx, CAROM_ERROR_MODEL, &def->relation_place,
                          "%s: a %s joint takes no relation; a coupler of joints does", owner, kind->name);
    if (!joint->kind->couple == !def->joints[0])
        return CAROM_OK;
    return carom_fail(c->ctx, CAROM_ERROR_MODEL, &def->type_place,
                      joint->kind->couple ? "%s: a %s joint is of others: name them in `joints`"
                                          : "%s: a %s joint is between two frames, not of other joints",
                      owner, kind->name);
}

static carom_status compile_joint(carom_compiler *c, const carom_joint_def *def, carom_model_joint *joint)
{
    carom_model *m = c->model;
    char owner[128];
    snprintf(owner, sizeof owner, "joint '%s'", def->name);
    CAROM_TRY(begin_joint(c, owner, def, joint));
    if (joint->kind->couple)
        return CAROM_OK; /* when all others are there: compile_coupled */
    CAROM_TRY(carom_compile_marker(c, owner, &def->between[0], &joint->i));
    CAROM_TRY(carom_compile_marker(c, owner, &def->between[1], &joint->j));
    if (joint->i.body == joint->j.body)
        return carom_fail(c->ctx, CAROM_ERROR_MODEL, &def->between[1].place,
                          "%s: both frames are on '%s'; a joint is between two bodies", owner,
                          m->bodies[joint->i.body].name);
    CAROM_TRY(place_axes(c, owner, def, joint));
    CAROM_TRY(joint_params(c, owner, def, joint));
    if (joint->kind->follow)
        CAROM_TRY(carom_compile_path(c, owner, def, joint));
    carom_frame_pose i = carom_compile_start_pose(m, &joint->i), j = carom_compile_start_pose(m, &joint->j);
    const char *refusal = joint->kind->start ? CAROM_KIND_CALL(joint->kind, start, joint->p, &i, &j) : NULL;
    if (refusal)
        return carom_fail(c->ctx, CAROM_ERROR_MODEL, &def->place, "%s: %s", owner, refusal);
    joint->coordinate = joint->kind->coordinate_unit ? m->coordinate_count++ : -1;
    const int rows = row_count(m, joint);
    joint->clearance = (carom_model_clearance){.index = def->clearance.given ? m->clearance_count++ : -1, .rows = rows};
    if (joint->clearance.index < 0)
        joint->first_row =
            carom_compile_block(m, (carom_constraint_block){CAROM_BLOCK_JOINT, .object = (int)(joint - m->joints),
                                                            .body_i = joint->i.body, .body_j = joint->j.body,
                                                            .row_count = rows, .expr = -1,
                                                            .rate_rows = joint->kind->rate_rows})
                ->first_row;
    CAROM_TRY(joint_motion(c, owner, def, joint));
    return def->friction.given ? carom_compile_joint_friction(c, def, joint) : CAROM_OK;
}

/* A joint that another one couples: it has a coordinate, and keeps it. */
static carom_status find_coupled(carom_compiler *c, const char *owner, const carom_joint_def *def, int k,
                                 carom_model_joint *joint)
{
    const carom_model *m = c->model;
    const carom_place *place = &def->joint_places[k];
    joint->coupled[k] = carom_names_find(&c->joint_index, def->joints[k]);
    if (joint->coupled[k] < 0) {
        for (int n = 0; n < m->joint_count; n++)
            c->names[n] = m->joints[n].name;
        return carom_compile_unknown(c, place, owner, "joint", def->joints[k], (size_t)m->joint_count);
    }
    const carom_model_joint *of = &m->joints[joint->coupled[k]];
    if (of->coordinate < 0)
        return carom_fail(c->ctx, CAROM_ERROR_MODEL, place, "%s: the %s joint '%s' has no coordinate to couple", owner,
                          of->kind->kind.name, of->name);
    if (of->clearance.index >= 0)
        return carom_fail(c->ctx, CAROM_ERROR_MODEL, place,
                          "%s: joint '%s' has clearance, so that nothing holds its coordinate; couple joints without "
                          "clearance",
                          owner, of->name);
    for (int n = 0; n < k; n++)
        if (joint->coupled[n] == joint->coupled[k])
            return carom_fail(c->ctx, CAROM_ERROR_MODEL, place, "%s: both are joint '%s'; a %s joint relates others",
                              owner, def->joints[k], def->type);
    return CAROM_OK;
}

/* Coordinate of a joint with the poses of the start; angles in space within half a turn. */
static double start_coordinate(const carom_model *m, const carom_model_joint *joint)
{
    const carom_frame_pose i = carom_compile_start_pose(m, &joint->i), j = carom_compile_start_pose(m, &joint->j);
    carom_row row;
    CAROM_KIND_CALL(joint->kind, coordinate, joint->p, &i, &j, m->dimension, &row);
    return row.phi - joint->zero;
}

static carom_status compile_coupled(carom_compiler *c, const carom_joint_def *def, carom_model_joint *joint)
{
    carom_model *m = c->model;
    char owner[128];
    snprintf(owner, sizeof owner, "joint '%s'", def->name);
    double start[CAROM_COUPLED_JOINTS];
    int count = 0;
    for (; count < CAROM_COUPLED_JOINTS && def->joints[count]; count++) {
        CAROM_TRY(find_coupled(c, owner, def, count, joint));
        start[count] = start_coordinate(m, &m->joints[joint->coupled[count]]);
    }
    if (count < 2 || (count > 2 && joint->kind->couple_start == NULL))
        return carom_fail(c->ctx, CAROM_ERROR_MODEL, &def->place, "%s: a %s joint relates two others", owner,
                          def->type);
    for (int k = count; k < CAROM_COUPLED_JOINTS; k++)
        start[k] = (double)NAN;
    if (def->clearance.given || def->friction.given || def->spring.given || def->damper.given || def->limits.given)
        return carom_fail(c->ctx, CAROM_ERROR_MODEL, &def->place,
                          "%s: a %s joint takes no clearance, friction, spring, damper or limits: give them to '%s' or "
                          "'%s'",
                          owner, def->type, def->joints[0], def->joints[1]);
    CAROM_TRY(joint_params(c, owner, def, joint));
    if (def->relation)
        CAROM_TRY(carom_compile_relation(c, owner, def, count, joint));
    const char *refusal = joint->kind->couple_start && !def->relation
                              ? CAROM_KIND_CALL(joint->kind, couple_start, joint->p, start)
                              : NULL;
    if (refusal)
        return carom_fail(c->ctx, CAROM_ERROR_MODEL, &def->place, "%s: %s", owner, refusal);
    const carom_model_joint *last = &m->joints[joint->coupled[count - 1]];
    joint->i = last->i;
    joint->j = last->j;
    joint->clearance.rows = 1;
    carom_constraint_block *block = carom_compile_block(
        m, (carom_constraint_block){CAROM_BLOCK_JOINT, .object = (int)(joint - m->joints), .body_i = last->i.body,
                                    .body_j = last->j.body, .other_count = 2 * (count - 1),
                                    .first_other = m->other_row_count, .row_count = 1, .expr = joint->relation});
    for (int k = 0; k < count - 1; k++) {
        block->others[2 * k] = m->joints[joint->coupled[k]].i.body;
        block->others[2 * k + 1] = m->joints[joint->coupled[k]].j.body;
    }
    m->other_row_count += count - 1;
    joint->first_row = block->first_row;
    return joint_motion(c, owner, def, joint);
}

static carom_status compile_joint_motion(carom_compiler *c, const carom_joint_def *def, const carom_model_joint *joint)
{
    int expr;
    char owner[128];
    snprintf(owner, sizeof owner, "joint '%s', motion", joint->name);
    const carom_wanted_unit wanted = {owner, joint->kind->coordinate_unit, -1, false, false};
    CAROM_TRY(carom_compile_expr(c, &def->motion, &wanted, false, &expr));
    carom_compile_block(c->model,
                (carom_constraint_block){CAROM_BLOCK_JOINT_MOTION, .object = (int)(joint - c->model->joints),
                                .body_i = joint->i.body, .body_j = joint->j.body, .row_count = 1, .expr = expr});
    return CAROM_OK;
}

static carom_status compile_body_motion(carom_compiler *c, const carom_body_def *def, int body)
{
    char owner[128];
    snprintf(owner, sizeof owner, "body '%s', motion", def->name);
    const carom_value *values[4] = {&def->motion_x, &def->motion_y, &def->motion_z, &def->motion_angle};
    carom_frame_ref ref = {.body = def->name, .frame = def->motion_point, .place = def->place};
    carom_marker marker;
    CAROM_TRY(carom_compile_marker(c, owner, &ref, &marker));
    for (int axis = 0; axis < 4; axis++) {
        if (values[axis]->type == CAROM_VALUE_NONE)
            continue;
        if ((c->model->dimension == 2 && axis == 2) || (c->model->dimension == 3 && axis == 3))
            return carom_fail(c->ctx, CAROM_ERROR_MODEL, &values[axis]->place, "%s: %s", owner,
                              axis == 2 ? "a planar model has no z"
                                        : "angle is for planar models; drive a revolute joint instead");
        int expr;
        const carom_wanted_unit wanted = {owner, axis == 3 ? "rad" : "m", -1, false, false};
        CAROM_TRY(carom_compile_expr(c, values[axis], &wanted, false, &expr));
        carom_compile_block(c->model, (carom_constraint_block){CAROM_BLOCK_BODY_MOTION, .object = body, .axis = axis,
                                                               .marker = marker, .body_i = 0, .body_j = body,
                                                               .row_count = 1, .expr = expr});
    }
    return CAROM_OK;
}

carom_status carom_compile_armatures(carom_compiler *c)
{
    carom_model *m = c->model;
    for (int k = 0; k < m->joint_count; k++) {
        const carom_joint_def *def = carom_compile_joint_def(c, k);
        carom_model_joint *joint = &m->joints[k];
        if (!def || def->armature == 0)
            continue;
        if (joint->coordinate < 0 || joint->clearance.index >= 0)
            return carom_fail(c->ctx, CAROM_ERROR_MODEL, &def->place, "joint '%s': it takes no armature, as %s",
                              joint->name,
                              joint->coordinate < 0 ? "its kind has no coordinate"
                                                    : "with clearance nothing holds its coordinate");
        joint->armature = def->armature;
        m->armature_count++;
        carom_compile_block(m, (carom_constraint_block){CAROM_BLOCK_ARMATURE, .object = k,
                                                        .body_i = joint->i.body, .body_j = joint->j.body,
                                                        .row_count = 1, .expr = -1, .armature = def->armature});
    }
    return CAROM_OK;
}

carom_status carom_compile_joints(carom_compiler *c)
{
    carom_model *m = c->model;
    const carom_spec *s = c->spec;
    const size_t most = (1 + CAROM_JOINT_COORDINATES) * s->joint_count;
    m->joints = carom_arena_alloc(&m->arena, most, sizeof *m->joints);
    m->sites = carom_arena_alloc(&m->arena, CAROM_FRICTION_SITES * s->joint_count, sizeof *m->sites);
    m->blocks = carom_arena_alloc(&m->arena, 5 * most + 4 * s->body_count, sizeof *m->blocks);
    if (!m->joints || !m->sites || !m->blocks)
        return carom_fail_memory(c->ctx);
    CAROM_TRY(carom_names_create(&m->arena, most, &c->joint_index));
    const size_t before = carom_problems_count(c->ctx);
    for (size_t k = 0; k < s->joint_count; k++) {
        CAROM_TRY_ON(c->ctx, compile_joint(c, &s->joints[k], &m->joints[k]));
        carom_names_add(&c->joint_index, s->joints[k].name, m->joint_count++);
    }
    CAROM_TRY(carom_problems_since(c->ctx, before));
    CAROM_TRY(carom_compile_coordinates(c));
    for (size_t k = 0; k < s->joint_count; k++)
        if (m->joints[k].kind->couple)
            CAROM_TRY(compile_coupled(c, &s->joints[k], &m->joints[k]));
    for (int k = 0; k < m->joint_count; k++) {
        const carom_joint_def *def = carom_compile_joint_def(c, k);
        if (def && def->motion.type != CAROM_VALUE_NONE)
            CAROM_TRY(compile_joint_motion(c, def, &m->joints[k]));
    }
    for (size_t k = 0; k < s->body_count; k++)
        CAROM_TRY(compile_body_motion(c, &s->bodies[k], (int)k + 1));
    return CAROM_OK;
}
