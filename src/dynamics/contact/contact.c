/* Contacts at one instant: geometry, force, wrench. */
#include "dynamics/dynamics.h"

#include <math.h>
#include <string.h>

int carom_contact_body(const carom_model *m, int contact, int side)
{
    return side ? m->contacts[contact].body_j : m->contacts[contact].body_i;
}

int carom_contact_points(const carom_model *m, int first)
{
    int count = 1;
    while (first + count < m->contact_count && m->contacts[first + count].point == count)
        count++;
    return count;
}

int carom_contact_deepest(const carom_evaluation *d, int first)
{
    const carom_contact_point *points = d->contacts;
    int deepest = -1;
    for (int k = first, end = first + carom_contact_points(d->model, first); k < end; k++)
        if (points[k].less < 1 && (deepest < 0 || points[k].gap < points[deepest].gap))
            deepest = k;
    return deepest;
}

void carom_contact_tangents(int dimension, carom_vec3 normal, carom_vec3 out[2])
{
    carom_vec3 hint = fabs(normal.x) < 0.6 ? carom_v3(1, 0, 0) : carom_v3(0, 1, 0);
    out[0] = dimension == 2 ? carom_v3(-normal.y, normal.x, 0) : carom_v3_cross(normal, hint);
    out[0] = carom_v3_scale(1 / carom_v3_norm(out[0]), out[0]);
    out[1] = carom_v3_cross(normal, out[0]);
}

/* Velocity of the body's material. */
static carom_vec3 velocity_at(const carom_body_pose *body, carom_vec3 arm)
{
    return carom_v3_add(body->v, carom_v3_cross(body->w, arm));
}

/* Pose of a shape; returns its origin from the body's centre of mass. */
static carom_vec3 shape_pose(const carom_model_shape *shape, const carom_body_pose *body, carom_shape_pose *out)
{
    carom_vec3 offset = shape->centred ? carom_v3(0, 0, 0) : carom_m3_apply(&body->axes, shape->at);
    out->p = shape->p;
    out->near = NULL;
    out->origin = carom_v3_add(body->p, offset);
    if (!shape->kind->isotropic)
        out->axes = shape->parallel ? body->axes : carom_m3_multiply(&body->axes, &shape->axes);
    return offset;
}

/* Places from which the points of an open episode are followed; NULL: the whole surfaces are searched. */
static const double *followed(const carom_model *m, const carom_state *s, int contact)
{
    return s && m->contacts[contact].pair->varies && s->located[contact].open ? s->located[contact].parameter : NULL;
}

carom_contact_sides carom_contact_sides_of(const carom_model *m, const carom_state *s, int contact)
{
    const carom_model_contact *c = &m->contacts[contact];
    return (carom_contact_sides){.i = &m->shapes[c->shape_i],
                                 .j = &m->shapes[c->shape_j],
                                 .point = c->point,
                                 .near = followed(m, s, contact)};
}

void carom_contact_geometry_at(const carom_model *m, const carom_state *s, int contact, const carom_body_pose *pose_i,
                               const carom_body_pose *pose_j, carom_contact_point *out)
{
    const carom_contact_sides sides = carom_contact_sides_of(m, s, contact);
    carom_contact_geometry_of(&m->contacts[contact], &sides, pose_i, pose_j, out);
}

void carom_contact_geometry_of(const carom_model_contact *c, const carom_contact_sides *sides,
                               const carom_body_pose *pose_i, const carom_body_pose *pose_j, carom_contact_point *out)
{
    carom_shape_pose i, j;
    carom_pair_point pair = {.common = true};
    carom_vec3 offset_i = shape_pose(sides->i, pose_i, &i);
    carom_vec3 offset_j = shape_pose(sides->j, pose_j, &j);
    if (sides->near) {
        i.near = sides->near;
        j.near = sides->near + 1;
    }
    carom_model_gap_with(c, sides->point, c->swapped ? &j : &i, c->swapped ? &i : &j, sides->memory, &pair);
    out->gap = pair.gap;
    out->normal = c->swapped ? carom_v3_neg(pair.normal) : pair.normal;
    out->point = pair.point;
    out->radius[0] = c->swapped ? pair.radius_j : pair.radius_i;
    out->radius[1] = c->swapped ? pair.radius_i : pair.radius_j;
    out->parameter[0] = c->swapped ? pair.place_j : pair.place_i;
    out->parameter[1] = c->swapped ? pair.place_i : pair.place_j;
    memcpy(out->curvature, pair.curvature, sizeof out->curvature);
    out->residual = pair.residual;
    out->common = pair.common;
    out->less = pair.less;
    out->arm_i = carom_v3_add(c->swapped ? pair.from_j : pair.from_i, offset_i);
    out->arm_j = carom_v3_add(c->swapped ? pair.from_i : pair.from_j, offset_j);
    carom_vec3 relative = carom_v3_sub(velocity_at(pose_j, out->arm_j), velocity_at(pose_i, out->arm_i));
    out->gap_rate = carom_v3_dot(out->normal, relative);
    out->slip = carom_v3_add_scaled(relative, -out->gap_rate, out->normal);
}

bool carom_contact_nowhere_below(const carom_model *m, int contact, const carom_body_pose *pose_i,
                                 const carom_body_pose *pose_j, const double *places, double least)
{
    const carom_model_contact *c = &m->contacts[contact];
    carom_shape_pose i, j;
    if (!c->pair->nowhere_below)
        return false;
    shape_pose(&m->shapes[c->shape_i], pose_i, &i);
    shape_pose(&m->shapes[c->shape_j], pose_j, &j);
    i.near = &places[0];
    j.near = &places[1];
    return c->pair->nowhere_below(c->swapped ? &j : &i, c->swapped ? &i : &j, c->point, least);
}

void carom_contact_remark(const carom_model *m, int contact, const carom_body_pose *pose_i,
                          const carom_body_pose *pose_j, char *text, size_t size)
{
    const carom_model_contact *c = &m->contacts[contact];
    carom_shape_pose i, j;
    text[0] = 0;
    if (!c->pair->remark || c->point > 0)
        return;
    shape_pose(&m->shapes[c->shape_i], pose_i, &i);
    shape_pose(&m->shapes[c->shape_j], pose_j, &j);
    c->pair->remark(c->swapped ? &j : &i, c->swapped ? &i : &j, text, size);
}

double carom_contact_overlap(const carom_evaluation *d, int contact, carom_vec3 *at)
{
    const carom_model *m = d->model;
    const carom_model_contact *c = &m->contacts[contact];
    carom_shape_pose i, j;
    if (!c->pair->overlap || c->point > 0)
        return 0;
    shape_pose(&m->shapes[c->shape_i], &d->pose[c->body_i], &i);
    shape_pose(&m->shapes[c->shape_j], &d->pose[c->body_j], &j);
    return c->pair->overlap(c->swapped ? &j : &i, c->swapped ? &i : &j, at);
}

/* Both shapes with their motions; returns their origins from the bodies' centres of mass. */
static void moving_shapes(const carom_model *m, const carom_state *s, int contact, const carom_body_pose *pose_i,
                          const carom_body_pose *pose_j, carom_shape_pose *i, carom_shape_pose *j,
                          carom_vec3 *offset_i, carom_vec3 *offset_j)
{
    const carom_contact_sides sides = carom_contact_sides_of(m, s, contact);
    *offset_i = shape_pose(sides.i, pose_i, i);
    *offset_j = shape_pose(sides.j, pose_j, j);
    if (sides.near) {
        i->near = sides.near;
        j->near = sides.near + 1;
    }
    i->velocity = velocity_at(pose_i, *offset_i);
    j->velocity = velocity_at(pose_j, *offset_j);
    i->spin = pose_i->w;
    j->spin = pose_j->w;
}

carom_vec3 carom_contact_normal_rate(const carom_model *m, const carom_state *s, int contact,
                                     const carom_body_pose *pose_i, const carom_body_pose *pose_j)
{
    const carom_model_contact *c = &m->contacts[contact];
    carom_shape_pose i, j;
    carom_vec3 offset_i, offset_j;
    moving_shapes(m, s, contact, pose_i, pose_j, &i, &j, &offset_i, &offset_j);
    const carom_vec3 rate = carom_model_normal_rate(c, c->point, c->swapped ? &j : &i, c->swapped ? &i : &j);
    return c->swapped ? carom_v3_neg(rate) : rate;
}

bool carom_contact_arm_rates(const carom_model *m, const carom_state *s, int contact, const carom_body_pose *pose_i,
                             const carom_body_pose *pose_j, carom_vec3 *arm_i, carom_vec3 *arm_j)
{
    const carom_model_contact *c = &m->contacts[contact];
    carom_shape_pose i, j;
    carom_vec3 offset_i, offset_j;
    if (!c->pair->arm_rates)
        return false;
    moving_shapes(m, s, contact, pose_i, pose_j, &i, &j, &offset_i, &offset_j);
    c->pair->arm_rates(c->swapped ? &j : &i, c->swapped ? &i : &j, c->swapped ? arm_j : arm_i,
                       c->swapped ? arm_i : arm_j);
    *arm_i = carom_v3_add(*arm_i, carom_v3_cross(pose_i->w, offset_i));
    *arm_j = carom_v3_add(*arm_j, carom_v3_cross(pose_j->w, offset_j));
    return true;
}

void carom_contact_add_force(carom_evaluation *d, int contact, carom_vec3 force)
{
    const carom_model_contact *c = &d->model->contacts[contact];
    const carom_contact_point *point = &d->contacts[contact];
    carom_wrench *wi = &d->wrench[c->body_i], *wj = &d->wrench[c->body_j];
    wj->force = carom_v3_add(wj->force, force);
    wj->torque = carom_v3_add(wj->torque, carom_v3_cross(point->arm_j, force));
    wi->force = carom_v3_sub(wi->force, force);
    wi->torque = carom_v3_sub(wi->torque, carom_v3_cross(point->arm_i, force));
}
