/* What a joint carries, as one rigid body at the start: for defaults that need a mass. */
#include "model/compile.h"

#include <math.h>

/* Whether two are one joint, or coordinates of one. */
static bool is_same(const carom_model *m, const carom_model_joint *a, const carom_model_joint *b)
{
    return (a->of < 0 ? a : &m->joints[a->of]) == (b->of < 0 ? b : &m->joints[b->of]);
}

/* Bodies that joints connect, without one of these and not through the ground: the number of a body of each group. */
static int group_of(int *of, int body)
{
    while (of[body] != body)
        body = of[body] = of[of[body]];
    return body;
}

static void connect_bodies(const carom_model *m, const carom_model_joint *without, int *of)
{
    for (int k = 0; k <= m->body_count; k++)
        of[k] = k;
    for (int k = 0; k < m->joint_count; k++) {
        const carom_model_joint *j = &m->joints[k];
        if (!is_same(m, j, without) && j->i.body && j->j.body)
            of[group_of(of, j->i.body)] = group_of(of, j->j.body);
    }
}

static bool is_grounded(const carom_model *m, const carom_model_joint *without, int *of, int group)
{
    for (int k = 0; k < m->joint_count; k++) {
        const carom_model_joint *j = &m->joints[k];
        const int body = !j->i.body ? j->j.body : !j->j.body ? j->i.body : 0;
        if (!is_same(m, j, without) && body && group_of(of, body) == group)
            return true;
    }
    return false;
}

static double mass_of(const carom_model *m, int *of, int group)
{
    double sum = 0;
    for (int k = 1; k <= m->body_count; k++)
        sum += group_of(of, k) == group ? m->bodies[k].mass : 0;
    return sum;
}

/* The group on the side that does not lead to the ground, else the lighter one. */
static int carried_group(const carom_model *m, const carom_model_joint *joint, int *of)
{
    const int one = joint->j.body ? group_of(of, joint->j.body) : 0, other = joint->i.body ? group_of(of, joint->i.body)
                                                                                           : 0;
    if (!one || !other)
        return one ? one : other;
    const bool grounded = is_grounded(m, joint, of, one), other_grounded = is_grounded(m, joint, of, other);
    if (grounded != other_grounded)
        return grounded ? other : one;
    return mass_of(m, of, other) < mass_of(m, of, one) ? other : one;
}

static void add_up(const carom_model *m, const carom_model_joint *joint, int *of, int group, carom_load_carried *out)
{
    const carom_frame_pose at = carom_compile_start_pose(m, &joint->i);
    const carom_vec3 axis = carom_m3_column(&at.axes, 2);
    const bool turns = joint->kind->coordinate_unit[0] == 'r';
    const double gravity = carom_v3_norm(m->gravity), rate = m->speed_scale / (turns ? m->length_scale : 1);
    double moment = 0;
    for (int k = 1; k <= m->body_count; k++) {
        const carom_model_body *b = &m->bodies[k];
        if (group_of(of, k) != group)
            continue;
        const carom_mat3 body = carom_model_start_axes(m, k);
        const carom_vec3 h = m->dimension == 2 ? carom_v3(0, 0, 1) : carom_m3_apply_t(&body, axis);
        const double arm = carom_v3_norm(carom_v3_cross(m->dimension == 2 ? h : axis, carom_v3_sub(b->position, at.p)));
        out->inertia += turns ? b->mass * arm * arm + carom_v3_dot(h, carom_m3_apply(&b->inertia, h)) : b->mass;
        moment += b->mass * (turns ? arm : m->length_scale);
    }
    out->energy = 0.5 * out->inertia * rate * rate + moment * gravity;
    out->length = turns ? 1 : m->length_scale;
}

carom_status carom_compile_carried(carom_compiler *c, const carom_model_joint *joint, carom_load_carried *out)
{
    const carom_model *m = c->model;
    const size_t count = (size_t)m->body_count + 1;
    int *of = carom_allocate(c->ctx, count, sizeof *of);
    *out = (carom_load_carried){0};
    if (!of)
        return carom_fail_memory(c->ctx);
    connect_bodies(m, joint, of);
    const int group = carried_group(m, joint, of);
    add_up(m, joint, of, group, out);
    carom_release(c->ctx, of, count, sizeof *of);
    return CAROM_OK;
}

/* ---- stops that are only touched ---- */

/* Of the model's speed: slower ones are rounding. */
#define SLOW 1e-9

/* A coordinate that lies at a stop without moving against it, as the leg of a hopper in flight whose spring is free at
   the end of its travel, is beyond it and before it by rounding, again and again. With a rate v there is
   a/(1 + (v/v0)^2) between the stop and where it is met, a what counts as at the limit and v0 the speed of rounding: at
   a thousandth of the model's speed 1e-12 of a. */
double carom_model_touch(const carom_model *m, const carom_compiled_load *l, int branch, double rate)
{
    if (!l->kind->stops || l->kind->notices->level(l->p, branch))
        return 0;
    const carom_model_joint *joint = &m->joints[l->joint];
    const bool turns = joint->kind->coordinate_unit[0] == 'r';
    const double share = rate / (SLOW * (turns ? m->speed_scale / m->length_scale : m->speed_scale));
    return carom_model_at_limit(m, joint) / (1 + share * share);
}
