/* Poses, twists and motion subspaces of bodies from those that carry them. With i and j the first and the second body
   of the joint, R the axes of its frame on i, o the place of its frame on j, s and b from the centres of mass of j and
   of i to o, and (t, m) the motion of the joint in the axes of i:
     w_j = w_i + R t,   v_j = v_i + w_i x b + R m - w_j x s,
   and solved for i where that is the body which is carried. Source: Featherstone 2008, Rigid Body Dynamics Algorithms,
   chapters 4 and 5; here in world axes about the centres of mass, so that a motion far from the origin loses no
   digits. */
#include "dynamics/formulation/tree.h"
#include "dynamics/dynamics.h"

#include <stdlib.h>
#include <string.h>

/* ---- bodies that move freely ---- */

static void place_root(const carom_model *m, const double *q, const double *u, carom_body_pose *out)
{
    if (m->dimension == 2) {
        out->axes = carom_joint_turned(q[2]);
        out->p = carom_v3(q[0], q[1], 0);
        out->v = carom_v3(u[0], u[1], 0);
        out->w = carom_v3(0, 0, u[2]);
        out->angle = q[2];
        return;
    }
    out->axes = carom_quat_matrix((carom_quat){q[3], q[4], q[5], q[6]});
    out->p = carom_v3_load(q);
    out->v = carom_v3_load(u);
    out->w = carom_v3_load(u + 3);
    out->angle = 0;
}

static void root_coordinates(const carom_model *m, const carom_body_pose *pose, double *q, double *u)
{
    q[0] = pose->p.x;
    q[1] = pose->p.y;
    u[0] = pose->v.x;
    u[1] = pose->v.y;
    if (m->dimension == 2) {
        q[2] = pose->angle;
        u[2] = pose->w.z;
        return;
    }
    const carom_quat n = carom_quat_from_axes(&pose->axes);
    const double own[5] = {pose->p.z, n.w, n.x, n.y, n.z};
    const double speeds[4] = {pose->v.z, pose->w.x, pose->w.y, pose->w.z};
    memcpy(q + 2, own, sizeof own);
    memcpy(u + 2, speeds, sizeof speeds);
}

/* ---- bodies on axial joints ---- */

/* b + s m */
static carom_mat3 add_scaled(const carom_mat3 *b, double s, const carom_mat3 *m)
{
    carom_mat3 out;
#pragma GCC unroll 3
    for (int i = 0; i < 3; i++)
#pragma GCC unroll 3
        for (int k = 0; k < 3; k++)
            out.m[i][k] = b->m[i][k] + s * m->m[i][k];
    return out;
}

/* Axes of a body that turns about an axis of the carrying one, the signed number of which is `about`, from 1. */
static inline carom_mat3 turn_about(const carom_mat3 *axes, int about, double cosine, double sine)
{
    const int k = abs(about) - 1, i = k == 2 ? 0 : k + 1, j = k == 0 ? 2 : k - 1;
    carom_mat3 out;
    if (about < 0)
        sine = -sine;
#pragma GCC unroll 3
    for (int row = 0; row < 3; row++) {
        const double own[2] = {axes->m[row][i], axes->m[row][j]};
        out.m[row][k] = axes->m[row][k];
        out.m[row][i] = cosine * own[0] + sine * own[1];
        out.m[row][j] = cosine * own[1] - sine * own[0];
    }
    return out;
}

/* Its axes, and the axis of the joint. */
static inline void turn_axial(const carom_axial_joint *a, const carom_mat3 *parent, double q, carom_mat3 *axes,
                              carom_vec3 *h)
{
    const double cosine = a->turn != 0 ? cos(q) : 0, sine = a->turn != 0 ? sin(q) : 0;
    if (a->about) {
        *axes = turn_about(parent, a->about, cosine, sine);
        *h = carom_m3_column(parent, abs(a->about) - 1);
        if (a->about < 0)
            *h = carom_v3_neg(*h);
        return;
    }
    carom_mat3 turned = a->still;
    if (a->turn != 0) {
        turned = add_scaled(&turned, cosine, &a->cosine);
        turned = add_scaled(&turned, sine, &a->sine);
    }
    *axes = carom_m3_multiply(parent, &turned);
    *h = carom_m3_apply(parent, a->axis);
}

/* With e and f from the centres of mass of the carrying body and of the own one to the frame of the joint on that one:
   v = v' + w' x e + lead u h - w x f. A hinge has a turn of 1, and neither lead nor offset. */
static inline void place_axial(const carom_axial_joint *a, double unit, double lead, double offset,
                               const carom_body_pose *parent, double q, double u, carom_body_pose *out,
                               const carom_tree_motion *from, carom_tree_motion *motion)
{
    const bool slides = lead != 0 || offset != 0;
    carom_vec3 h;
    turn_axial(a, &parent->axes, q, &out->axes, &h);
    const carom_vec3 f = carom_m3_apply(&out->axes, a->far);
    carom_vec3 e = carom_m3_apply(&parent->axes, a->near);
    if (slides)
        e = carom_v3_add_scaled(e, offset + lead * q, h);
    const carom_vec3 r = carom_v3_sub(e, f);
    out->p = carom_v3_add(parent->p, r);
    out->w = carom_v3_add_scaled(parent->w, unit * u, h);
    const carom_vec3 with = carom_v3_cross(parent->w, e), back = carom_v3_cross(out->w, f);
    out->v = carom_v3_sub(carom_v3_add(parent->v, with), back);
    if (slides)
        out->v = carom_v3_add_scaled(out->v, lead * u, h);
    if (!motion)
        return;
    motion->r = r;
    motion->s[0].turn = carom_v3_scale(unit, h);
    motion->s[0].move = carom_v3_cross(f, motion->s[0].turn);
    if (slides)
        motion->s[0].move = carom_v3_add_scaled(motion->s[0].move, lead, h);
    const carom_vec3 bend = carom_v3_scale(u, carom_v3_cross(parent->w, h));
    const carom_vec3 inward = carom_v3_sub(carom_v3_cross(parent->w, with), carom_v3_cross(out->w, back));
    motion->a0.turn = carom_v3_add_scaled(from->a0.turn, unit, bend);
    carom_vec3 move = carom_v3_add(from->a0.move, inward);
    if (slides)
        move = carom_v3_add_scaled(move, 2 * lead, bend);
    move = carom_v3_add(move, carom_v3_cross(from->a0.turn, e));
    motion->a0.move = carom_v3_sub(move, carom_v3_cross(motion->a0.turn, f));
}

/* The body is a part of the one that carries it. */
static inline void place_fixed(const carom_axial_joint *a, const carom_body_pose *parent, carom_body_pose *out,
                               const carom_tree_motion *from, carom_tree_motion *motion)
{
    const carom_vec3 r = carom_m3_apply(&parent->axes, a->near), with = carom_v3_cross(parent->w, r);
    out->axes = carom_m3_multiply(&parent->axes, &a->still);
    out->p = carom_v3_add(parent->p, r);
    out->w = parent->w;
    out->v = carom_v3_add(parent->v, with);
    if (!motion)
        return;
    motion->r = r;
    motion->a0.turn = from->a0.turn;
    motion->a0.move = carom_v3_add(carom_v3_add(from->a0.move, carom_v3_cross(from->a0.turn, r)),
                                   carom_v3_cross(parent->w, with));
}

/* ---- bodies on other joints ---- */

/* The frame of a joint on its first body, and where that on the second one is. */
typedef struct place {
    carom_mat3 axes;   /* R */
    carom_vec3 origin; /* o */
    carom_vec3 s, b;
} place;

/* Pose of the body, and the place of the joint. */
static void put(const carom_model *m, const carom_tree_body *tb, const carom_body_pose *parent, const double *q,
                carom_body_pose *out, place *at)
{
    const carom_model_joint *joint = &m->joints[tb->joint];
    const carom_marker *near = tb->reversed ? &joint->j : &joint->i, *far = tb->reversed ? &joint->i : &joint->j;
    const carom_mat3 axes = carom_m3_multiply(&parent->axes, &near->axes);
    const carom_vec3 from = carom_v3_add(parent->p, carom_m3_apply(&parent->axes, near->at));
    carom_vec3 origin;
    carom_mat3 turned, last;
    joint->kind->freedoms->place(joint->p, q, &origin, &turned);
    if (tb->reversed) {
        at->axes = last = carom_m3_multiply_by_t(&axes, &turned);
        at->origin = from;
    } else {
        at->axes = axes;
        last = carom_m3_multiply(&axes, &turned);
        at->origin = carom_v3_add(from, carom_m3_apply(&axes, origin));
    }
    out->axes = carom_m3_multiply_by_t(&last, &far->axes);
    const carom_vec3 end = tb->reversed ? carom_v3_sub(from, carom_m3_apply(&at->axes, origin)) : at->origin;
    out->p = carom_v3_sub(end, carom_m3_apply(&out->axes, far->at));
    at->b = carom_v3_sub(at->origin, tb->reversed ? out->p : parent->p);
    at->s = carom_v3_sub(at->origin, tb->reversed ? parent->p : out->p);
}

static void motion_of(const carom_tree_body *tb, const place *at, const carom_joint_twist *columns,
                      const carom_joint_twist *rate, const carom_joint_twist *motion, const carom_body_pose *parent,
                      const carom_body_pose *own, const carom_motion_vector *from, carom_tree_motion *out)
{
    const carom_vec3 lever = tb->reversed ? at->b : at->s;
    const double sign = tb->reversed ? -1 : 1;
    for (int k = 0; k < tb->v_count; k++) {
        const carom_vec3 turn = carom_v3_scale(sign, carom_m3_apply(&at->axes, columns[k].turn));
        const carom_vec3 move = carom_v3_scale(sign, carom_m3_apply(&at->axes, columns[k].move));
        out->s[k].turn = turn;
        out->s[k].move = carom_v3_sub(move, carom_v3_cross(turn, lever));
    }
    const carom_vec3 bend = carom_m3_apply(&at->axes, rate->turn), slide = carom_m3_apply(&at->axes, rate->move);
    out->r = carom_v3_sub(own->p, parent->p);
    const carom_vec3 wi = tb->reversed ? own->w : parent->w, wj = tb->reversed ? parent->w : own->w;
    const carom_vec3 to_i = carom_v3_cross(wi, carom_v3_cross(wi, at->b));
    const carom_vec3 to_j = carom_v3_cross(wj, carom_v3_cross(wj, at->s));
    carom_vec3 along = carom_v3_add(carom_v3_sub(to_i, to_j), carom_v3_scale(2, carom_v3_cross(wi, motion->move)));
    along = carom_v3_add(along, slide);
    const carom_vec3 across = carom_v3_add(carom_v3_cross(wi, motion->turn), bend);
    const carom_vec3 turn = carom_v3_scale(sign, across);
    const carom_vec3 move = carom_v3_sub(carom_v3_scale(sign, along), carom_v3_cross(turn, lever));
    const carom_motion_vector with = carom_tree_carried(from, out->r);
    out->a0 = (carom_motion_vector){carom_v3_add(with.turn, turn), carom_v3_add(with.move, move)};
}

static void place_general(const carom_model *m, const carom_tree_body *tb, const carom_body_pose *parent,
                          const double *q, const double *u, carom_body_pose *out, const carom_tree_motion *from,
                          carom_tree_motion *motion)
{
    const carom_model_joint *joint = &m->joints[tb->joint];
    const carom_joint_freedoms *f = joint->kind->freedoms;
    place at;
    put(m, tb, parent, q, out, &at);
    carom_joint_twist columns[CAROM_JOINT_SPEEDS], rate = {{0, 0, 0}, {0, 0, 0}}, rel = rate;
    f->subspace(joint->p, q, columns);
    for (int k = 0; k < tb->v_count; k++) {
        rel.turn = carom_v3_add_scaled(rel.turn, u[k], columns[k].turn);
        rel.move = carom_v3_add_scaled(rel.move, u[k], columns[k].move);
    }
    rel.turn = carom_m3_apply(&at.axes, rel.turn);
    rel.move = carom_m3_apply(&at.axes, rel.move);
    if (tb->reversed) {
        out->w = carom_v3_sub(parent->w, rel.turn);
        const carom_vec3 end_speed = carom_v3_add(parent->v, carom_v3_cross(parent->w, at.s));
        out->v = carom_v3_sub(carom_v3_sub(end_speed, carom_v3_cross(out->w, at.b)), rel.move);
    } else {
        out->w = carom_v3_add(parent->w, rel.turn);
        const carom_vec3 end_speed = carom_v3_add(carom_v3_add(parent->v, carom_v3_cross(parent->w, at.b)), rel.move);
        out->v = carom_v3_sub(end_speed, carom_v3_cross(out->w, at.s));
    }
    if (!motion)
        return;
    if (f->subspace_rate)
        f->subspace_rate(joint->p, q, u, &rate);
    motion_of(tb, &at, columns, &rate, &rel, parent, out, &from->a0, motion);
}

void carom_tree_place(const carom_model *m, int body, const carom_body_pose *parent, const double *q, const double *u,
                      carom_body_pose *out, const carom_tree_motion *from, carom_tree_motion *motion)
{
    const carom_tree_body *tb = &m->tree.bodies[body];
    if (carom_tree_is_root(tb)) {
        place_root(m, q, u, out);
        if (motion)
            motion->a0 = (carom_motion_vector){{0, 0, 0}, {0, 0, 0}};
        return;
    }
    const carom_axial_joint *a = &tb->axial;
    if (a->hinge)
        place_axial(a, 1, 0, 0, parent, q[0], u[0], out, from, motion);
    else if (a->fixed)
        place_fixed(a, parent, out, from, motion);
    else if (a->is)
        place_axial(a, a->turn, a->lead, a->offset, parent, q[0], u[0], out, from, motion);
    else
        place_general(m, tb, parent, q, u, out, from, motion);
    const carom_model_joint *joint = &m->joints[tb->joint];
    out->angle = 0;
    if (m->dimension == 2)
        out->angle = parent->angle + tb->turns +
                     (tb->reversed ? -1 : 1) * (joint->i.angle - joint->j.angle + (tb->angular ? q[0] : 0));
}

/* u of S u = twist, by least squares. */
static void speeds_of(const carom_joint_freedoms *f, const double *p, const double *q, const carom_joint_twist *twist,
                      double *u)
{
    carom_joint_twist s[CAROM_JOINT_SPEEDS];
    double a[CAROM_JOINT_SPEEDS * CAROM_JOINT_SPEEDS];
    int pivot[CAROM_JOINT_SPEEDS];
    const int n = f->speeds;
    f->subspace(p, q, s);
    for (int i = 0; i < n; i++) {
        u[i] = carom_v3_dot(s[i].turn, twist->turn) + carom_v3_dot(s[i].move, twist->move);
        for (int k = 0; k < n; k++)
            a[i + k * n] = carom_v3_dot(s[i].turn, s[k].turn) + carom_v3_dot(s[i].move, s[k].move);
    }
    if (n && !carom_dense_eliminate(n, a, pivot, u))
        memset(u, 0, (size_t)n * sizeof *u);
}

/* Whole turns to the angle nearest to `near`, unless they move the second frame, as those of a thread do. */
static void turn_to(const carom_model_joint *joint, const carom_vec3 *origin, double near, double *q)
{
    const double before = q[0];
    carom_vec3 there, back;
    carom_mat3 axes;
    joint->kind->freedoms->place(joint->p, q, &back, &axes);
    q[0] += 2 * CAROM_PI * nearbyint((near - q[0]) / (2 * CAROM_PI));
    joint->kind->freedoms->place(joint->p, q, &there, &axes);
    if (carom_v3_norm(carom_v3_sub(there, *origin)) > 2 * carom_v3_norm(carom_v3_sub(back, *origin)) + 1e-300)
        q[0] = before;
}

void carom_tree_coordinates(const carom_model *m, int body, const carom_body_pose *parent, const carom_body_pose *pose,
                            double near, double *q, double *u)
{
    const carom_tree_body *tb = &m->tree.bodies[body];
    if (carom_tree_is_root(tb)) {
        root_coordinates(m, pose, q, u);
        return;
    }
    const carom_model_joint *joint = &m->joints[tb->joint];
    const carom_joint_freedoms *f = joint->kind->freedoms;
    const carom_body_pose *bi = tb->reversed ? pose : parent, *bj = tb->reversed ? parent : pose;
    const carom_frame_pose i = carom_dynamics_frame_pose(bi, &joint->i, m->dimension);
    const carom_frame_pose j = carom_dynamics_frame_pose(bj, &joint->j, m->dimension);
    const carom_vec3 origin = carom_m3_apply_t(&i.axes, carom_v3_sub(j.p, i.p));
    const carom_mat3 axes = carom_m3_multiply_t(&i.axes, &j.axes);
    f->coordinates(joint->p, &origin, &axes, q);
    if (m->dimension == 2 && tb->angular)
        q[0] = bj->angle + joint->j.angle - bi->angle - joint->i.angle;
    else if (joint->kind->coordinate_unit && joint->kind->coordinate_unit[0] == 'r')
        turn_to(joint, &origin, near + joint->zero, q);
    const carom_vec3 b = carom_v3_sub(j.p, bi->p);
    const carom_joint_twist twist = {
        carom_m3_apply_t(&i.axes, carom_v3_sub(j.w, i.w)),
        carom_m3_apply_t(&i.axes, carom_v3_sub(j.v, carom_v3_add(bi->v, carom_v3_cross(bi->w, b))))};
    speeds_of(f, joint->p, q, &twist, u);
}
