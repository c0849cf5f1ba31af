/* Channels of joints: reactions, coordinate, friction, clearance, and the effort of prescribed motions. */
#include "geometry/path/path.h"
#include "sim/sim.h"

#define AT CAROM_AT_INTERVALS

/* Force and moment (about the joint's second frame) that the joint exerts on its second body, its friction left out. */
static carom_wrench reaction_of(carom_reading *r, int k)
{
    return carom_dynamics_joint_reaction(r->d, r->s, k, carom_reading_multipliers(r));
}
static const carom_mat3 *second_axes(const carom_reading *r, int k)
{
    return &r->d->pose[r->model->joints[k].j.body].axes;
}
static void reaction(carom_reading *r, int k, double *out) { carom_put_vector(r, reaction_of(r, k).force, out); }
static void reaction_body(carom_reading *r, int k, double *out)
{
    carom_put_vector(r, carom_m3_apply_t(second_axes(r, k), reaction_of(r, k).force), out);
}
static void moment(carom_reading *r, int k, double *out) { carom_put_turn(r, reaction_of(r, k).torque, out); }
static void moment_body(carom_reading *r, int k, double *out)
{
    carom_put_vector(r, carom_m3_apply_t(second_axes(r, k), reaction_of(r, k).torque), out);
}

static const carom_quantity reactions[] = {
    {"reaction", "N", "force of the joint on its second body, world axes", 2, 3, AT, reaction},
    {"reaction_body", "N", "force of the joint on its second body, in that body's axes", 2, 3, AT, reaction_body},
    {"moment", "N m", "moment of the joint on its second body about the joint, world axes", 1, 3, AT, moment},
    {"moment_body", "N m", "moment of the joint on its second body, in that body's axes", 0, 3, AT, moment_body},
};

/* ---- joints with a coordinate ---- */

static void coordinate(carom_reading *r, int k, double *out)
{
    carom_row row;
    double unused;
    *out = carom_dynamics_coordinate(r->d, k, r->s->coordinate[r->model->joints[k].coordinate], &row, &unused);
}
static void rate(carom_reading *r, int k, double *out)
{
    carom_row row;
    carom_dynamics_coordinate(r->d, k, 0, &row, out);
}

static const carom_quantity coordinate_quantity = {
    "coordinate", "", "joint coordinate, second frame relative to the first", 1, 1, AT, coordinate};
static const carom_quantity rate_quantity = {"rate", "", "rate of the joint coordinate", 1, 1, AT, rate};

static void add_coordinate(carom_channel_list *list, const carom_model_joint *j, int k)
{
    const bool turns = j->kind->coordinate_unit[0] == 'r';
    carom_channels_add(list, &coordinate_quantity, 1, "joint", j->name, k, turns ? "rad" : "m");
    carom_channels_add(list, &rate_quantity, 1, "joint", j->name, k, turns ? "rad/s" : "m/s");
}

/* ---- joints on a path: the force across it ---- */

/* Least curvature, of that of the path's size, that tells a normal. */
#define STRAIGHT 1e-9

/* Unit tangent and principal normal of the path at the point, world axes; where it is straight, of the vectors across
   it the one that turns least along it. */
static void path_axes(const carom_reading *r, int k, carom_vec3 *tangent, carom_vec3 *normal)
{
    const carom_model_joint *j = &r->model->joints[k];
    const carom_frame_pose f = carom_dynamics_frame_pose(&r->d->pose[j->i.body], &j->i, r->model->dimension);
    carom_path_point c;
    carom_path_at(j->p, r->d->followed[j->coordinate], &c);
    const carom_vec3 t = carom_v3_scale(1 / carom_v3_norm(c.d1), c.d1);
    const bool bent = carom_v3_norm(c.d2) * j->p[CAROM_PATH_SIZE] > STRAIGHT;
    carom_vec3 n = bent ? c.d2 : c.across;
    n = carom_v3_add_scaled(n, -carom_v3_dot(n, t), t);
    *tangent = carom_m3_apply(&f.axes, t);
    *normal = carom_m3_apply(&f.axes, carom_v3_scale(1 / carom_v3_norm(n), n));
}
static void normal_force(carom_reading *r, int k, double *out)
{
    carom_vec3 t, n;
    path_axes(r, k, &t, &n);
    *out = carom_v3_dot(reaction_of(r, k).force, n);
}
static void binormal_force(carom_reading *r, int k, double *out)
{
    carom_vec3 t, n;
    path_axes(r, k, &t, &n);
    *out = carom_v3_dot(reaction_of(r, k).force, carom_v3_cross(t, n));
}

static const carom_quantity path_forces[] = {
    {"reaction_normal", "N", "force of the joint on its second body along the principal normal of the curve", 1, 1, AT,
     normal_force},
    {"reaction_binormal", "N", "force of the joint on its second body along the binormal of the curve", 0, 1, AT,
     binormal_force},
};

/* ---- ideal joints with friction: along the axis or about it, or a vector where the slip has no axis of its own
   ---- */

static carom_vec3 axis_of(const carom_reading *r, int k)
{
    const carom_model_joint *j = &r->model->joints[k];
    const carom_frame_pose f = carom_dynamics_frame_pose(&r->d->pose[j->i.body], &j->i, r->model->dimension);
    if (j->kind->follow) {
        carom_vec3 t, n;
        path_axes(r, k, &t, &n);
        return t;
    }
    return carom_m3_column(&f.axes, 2);
}
static void friction_force(carom_reading *r, int k, double *out)
{
    *out = carom_v3_dot(carom_joint_friction_wrench(r->d, k).force, axis_of(r, k));
}
static void friction_torque(carom_reading *r, int k, double *out)
{
    *out = carom_v3_dot(carom_joint_friction_wrench(r->d, k).torque, axis_of(r, k));
}
static void friction_force_vector(carom_reading *r, int k, double *out)
{
    carom_put_vector(r, carom_joint_friction_wrench(r->d, k).force, out);
}
static void friction_torque_vector(carom_reading *r, int k, double *out)
{
    carom_put_vector(r, carom_joint_friction_wrench(r->d, k).torque, out);
}
static void friction_normal(carom_reading *r, int k, double *out)
{
    *out = 0;
    for (int i = 0; i < r->model->site_count; i++)
        if (r->model->sites[i].joint == k)
            *out += r->d->sites[i].normal;
}
static void friction_work(carom_reading *r, int k, double *out)
{
    *out = r->s->work_friction[r->model->joints[k].friction.friction_work];
}

static const carom_quantity friction_forces[] = {
    {"friction", "N", "friction on the second body, along the axis", 1, 1, AT, friction_force},
    {"friction", "N", "friction on the second body, world axes", 0, 3, AT, friction_force_vector},
};
static const carom_quantity friction_torques[] = {
    {"friction", "N m", "friction on the second body, about the axis", 1, 1, AT, friction_torque},
    {"friction", "N m", "friction on the second body about the joint, world axes", 0, 3, AT, friction_torque_vector},
};
static const carom_quantity friction_torque_too = {
    "friction_torque", "N m", "friction on the second body, about the axis", 0, 1, AT, friction_torque};
static const carom_quantity friction_sums[] = {
    {"normal", "N", "normal force of friction, preload included, the sum of all places", 1, 1, AT, friction_normal},
    {"friction_work", "J", "work that friction has taken", 1, 1, AT, friction_work},
};

/* What slips says which channels there are: a joint that slides has a force, one that turns a torque, some have
   both. */
static void add_friction(carom_channel_list *list, const carom_model_joint *j, int k)
{
    const carom_joint_slips slips = j->kind->friction->slip_types;
    const int vector = j->coordinate < 0;
    const carom_quantity *of = slips == CAROM_SLIPS_TURN ? &friction_torques[vector] : &friction_forces[vector];
    carom_channels_add(list, of, 1, "joint", j->name, k, NULL);
    if (slips == CAROM_SLIPS_BOTH)
        carom_channels_add(list, &friction_torque_too, 1, "joint", j->name, k, NULL);
    carom_channels_add(list, friction_sums, CAROM_COUNT(friction_sums), "joint", j->name, k, NULL);
}

/* ---- joints with clearance: where the journal is in its bearing ---- */

static void offset(carom_reading *r, int k, double *out)
{
    carom_vec3 at = carom_clearance_offset(r->d, k);
    bool along = r->model->dimension == 2 && r->model->joints[k].kind->axis_in_plane;
    carom_put_vector(r, along ? carom_v3(at.z, at.x, 0) : at, out);
}
static void eccentricity(carom_reading *r, int k, double *out) { *out = carom_clearance_eccentricity(r->d, k); }

static const carom_quantity clearances[] = {
    {"offset", "m", "second frame from the first one, axes of the first; of a planar guide along and across it", 2, 3,
     AT, offset},
    {"eccentricity", "-", "part of the offset that the clearance bounds, over the clearance", 1, 1, AT, eccentricity},
};

/* ---- prescribed motions ---- */

/* Multiplier of the motion: force or moment of the drive along the coordinate; `k` is its block of rows. */
static void drive(carom_reading *r, int k, double *out)
{
    *out = r->d->multipliers[r->model->blocks[k].first_row];
}

/* What the drive gives: its effort times the prescribed rate, and the integral of that since the start, as in the
   ledger. */
static void drive_power(carom_reading *r, int k, double *out)
{
    const int row = r->model->blocks[k].first_row;
    *out = r->d->multipliers[row] * r->d->row_rate[row];
}
static void drive_work(carom_reading *r, int k, double *out) { *out = r->s->work_drive[r->model->blocks[k].drive]; }

#define POWER(name) {name, "W", "power that the drive of the prescribed motion gives", 1, 1, AT, drive_power}
#define WORK(name) {name, "J", "work that the drive has given since the start", 1, 1, AT, drive_work}
static const carom_quantity joint_drive_sums[] = {POWER("drive_power"), WORK("drive_work")};
static const carom_quantity body_drive_sums[][2] = {{POWER("drive_x_power"), WORK("drive_x_work")},
                                                    {POWER("drive_y_power"), WORK("drive_y_work")},
                                                    {POWER("drive_z_power"), WORK("drive_z_work")},
                                                    {POWER("drive_angle_power"), WORK("drive_angle_work")}};

#define DRIVE(name) {name, "", "effort of the prescribed motion along its coordinate", 1, 1, AT, drive}
static const carom_quantity joint_drive = DRIVE("drive");
static const carom_quantity body_drives[] = {DRIVE("drive_x"), DRIVE("drive_y"), DRIVE("drive_z"),
                                             DRIVE("drive_angle")};

static void add_drives(carom_channel_list *list)
{
    const carom_model *m = list->model;
    for (int k = 0; k < m->block_count; k++) {
        const carom_constraint_block *e = &m->blocks[k];
        if (e->type == CAROM_BLOCK_JOINT_MOTION) {
            const carom_model_joint *j = &m->joints[e->object];
            const bool turns = j->kind->coordinate_unit[0] == 'r';
            carom_channels_add(list, &joint_drive, 1, "joint", j->name, k, turns ? "N m" : "N");
            carom_channels_add(list, joint_drive_sums, 2, "joint", j->name, k, NULL);
        } else if (e->type == CAROM_BLOCK_BODY_MOTION) {
            carom_channels_add(list, &body_drives[e->axis], 1, "body", m->bodies[e->object].name, k,
                               e->axis == 3 ? "N m" : "N");
            carom_channels_add(list, body_drive_sums[e->axis], 2, "body", m->bodies[e->object].name, k, NULL);
        }
    }
}

void carom_channels_of_joints(carom_channel_list *list)
{
    for (int k = 0; k < list->model->joint_count; k++) {
        const carom_model_joint *j = &list->model->joints[k];
        if (j->of < 0)
            carom_channels_add(list, reactions, CAROM_COUNT(reactions), "joint", j->name, k, NULL);
        if (j->kind->follow)
            carom_channels_add(list, path_forces, CAROM_COUNT(path_forces), "joint", j->name, k, NULL);
        if (j->clearance.index >= 0)
            carom_channels_add(list, clearances, CAROM_COUNT(clearances), "joint", j->name, k, NULL);
        if (j->friction.friction_work >= 0)
            add_friction(list, j, k);
        if (j->coordinate >= 0)
            add_coordinate(list, j, k);
    }
    add_drives(list);
}

const carom_quantity_group carom_quantities_of_joints[] = {
    {"joint", "", reactions, CAROM_COUNT(reactions), NULL},
    {"joint", "of joints with a coordinate", &coordinate_quantity, 1, "m or rad"},
    {"joint", "of joints with a coordinate", &rate_quantity, 1, "m/s or rad/s"},
    {"joint", "of joints on a curve", path_forces, CAROM_COUNT(path_forces), NULL},
    {"joint", "of joints with friction against sliding", friction_forces, CAROM_COUNT(friction_forces), NULL},
    {"joint", "of joints with friction against turning", friction_torques, CAROM_COUNT(friction_torques), NULL},
    {"joint", "of joints with friction against both", &friction_torque_too, 1, NULL},
    {"joint", "of joints with friction", friction_sums, CAROM_COUNT(friction_sums), NULL},
    {"joint", "of joints with clearance", clearances, CAROM_COUNT(clearances), NULL},
    {"joint", "of joints with a motion", &joint_drive, 1, "N or N m"},
    {"joint", "of joints with a motion", joint_drive_sums, CAROM_COUNT(joint_drive_sums), NULL},
    {"body", "of bodies with a motion", body_drives, CAROM_COUNT(body_drives), "N or N m"},
    {"body", "of bodies with a motion", body_drive_sums[0], 2 * CAROM_COUNT(body_drive_sums), NULL},
    {NULL, NULL, NULL, 0, NULL}};
