/* Channels: one table says what there is; rows are filled in its order. */
#include "dynamics/contact/pool.h"
#include "sim/sim.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const xyz[] = {"x", "y", "z"};
static const char *const wxyz[] = {"w", "x", "y", "z"};

/* What fills a channel: writes `size` numbers of object k. */
typedef void (*fill_fn)(const carom_simulation *sim, int k, double *out);

typedef struct channel_row {
    const char *name, *unit, *sentence;
    int size_2d, size_3d;       /* 0: not in that dimension */
    fill_fn fill;
} channel_row;

static void put(const carom_simulation *sim, carom_vec3 v, double *out)
{
    out[0] = v.x;
    out[1] = v.y;
    if (sim->model->dimension == 3)
        out[2] = v.z;
}

/* ---- bodies ---- */

static void body_position(const carom_simulation *sim, int k, double *out) { put(sim, sim->d->pose[k + 1].p, out); }
static void body_velocity(const carom_simulation *sim, int k, double *out) { put(sim, sim->d->pose[k + 1].v, out); }
static void body_acceleration(const carom_simulation *sim, int k, double *out)
{
    put(sim, carom_v3_load(sim->d->acceleration + k * sim->model->v_per_body), out);
}
static void body_angle(const carom_simulation *sim, int k, double *out) { *out = sim->d->pose[k + 1].angle; }
static void body_orientation(const carom_simulation *sim, int k, double *out)
{
    /* from the axes, so that interpolated states give unit quaternions; w > 0 */
    const double(*a)[3] = sim->d->pose[k + 1].axes.m;
    double trace = a[0][0] + a[1][1] + a[2][2];
    double q[4] = {1 + trace, 1 + 2 * a[0][0] - trace, 1 + 2 * a[1][1] - trace, 1 + 2 * a[2][2] - trace};
    int big = 0;
    for (int i = 1; i < 4; i++)
        big = q[i] > q[big] ? i : big;
    double s = 0.5 * sqrt(q[big]), f = 0.25 / s;
    double wx = f * (a[2][1] - a[1][2]), wy = f * (a[0][2] - a[2][0]), wz = f * (a[1][0] - a[0][1]);
    double xy = f * (a[0][1] + a[1][0]), xz = f * (a[0][2] + a[2][0]), yz = f * (a[1][2] + a[2][1]);
    const double rows[4][4] = {{s, wx, wy, wz}, {wx, s, xy, xz}, {wy, xy, s, yz}, {wz, xz, yz, s}};
    double sign = rows[big][0] < 0 ? -1 : 1;
    for (int i = 0; i < 4; i++)
        out[i] = sign * rows[big][i];
}
static void body_spin(const carom_simulation *sim, int k, double *out)
{
    carom_vec3 w = sim->d->pose[k + 1].w;
    if (sim->model->dimension == 2)
        *out = w.z;
    else
        put(sim, w, out);
}
static void body_spin_rate(const carom_simulation *sim, int k, double *out)
{
    const double *a = sim->d->acceleration + k * sim->model->v_per_body;
    if (sim->model->dimension == 2)
        *out = a[2];
    else
        put(sim, carom_v3_load(a + 3), out);
}

static const channel_row body_rows[] = {
    {"position", "m", "position of the centre of mass, world axes", 2, 3, body_position},
    {"velocity", "m/s", "velocity of the centre of mass, world axes", 2, 3, body_velocity},
    {"acceleration", "m/s^2", "acceleration of the centre of mass, world axes", 2, 3, body_acceleration},
    {"angle", "rad", "angle about z, unwrapped", 1, 0, body_angle},
    {"orientation", "-", "unit quaternion, body to world", 0, 4, body_orientation},
    {"angular_velocity", "rad/s", "angular velocity, world axes", 1, 3, body_spin},
    {"angular_acceleration", "rad/s^2", "angular acceleration, world axes", 1, 3, body_spin_rate},
};

/* ---- joints ---- */

/* Force and moment (about the joint's second frame) that the joint exerts on its second body, its friction left out. */
static carom_wrench reaction(const carom_simulation *sim, int k)
{
    return sim->model->joints[k].clearance.index >= 0 ? carom_clearance_reaction(sim, k)
                                                      : carom_dynamics_reaction(sim->d, k, sim->d->multipliers, true);
}
static void joint_reaction(const carom_simulation *sim, int k, double *out) { put(sim, reaction(sim, k).force, out); }
static void joint_reaction_body(const carom_simulation *sim, int k, double *out)
{
    const carom_body_pose *pose = &sim->d->pose[sim->model->joints[k].j.body];
    put(sim, carom_m3_apply_t(&pose->axes, reaction(sim, k).force), out);
}
static void joint_moment(const carom_simulation *sim, int k, double *out)
{
    carom_vec3 t = reaction(sim, k).torque;
    if (sim->model->dimension == 2)
        *out = t.z;
    else
        put(sim, t, out);
}
static void joint_moment_body(const carom_simulation *sim, int k, double *out)
{
    const carom_body_pose *pose = &sim->d->pose[sim->model->joints[k].j.body];
    put(sim, carom_m3_apply_t(&pose->axes, reaction(sim, k).torque), out);
}

static const channel_row joint_rows[] = {
    {"reaction", "N", "force of the joint on its second body, world axes", 2, 3, joint_reaction},
    {"reaction_body", "N", "force of the joint on its second body, in that body's axes", 2, 3, joint_reaction_body},
    {"moment", "N m", "moment of the joint on its second body about the joint, world axes", 1, 3, joint_moment},
    {"moment_body", "N m", "moment of the joint on its second body, in that body's axes", 0, 3, joint_moment_body},
};

static void joint_coordinate(const carom_simulation *sim, int k, double *out)
{
    carom_row row;
    double rate;
    *out = carom_dynamics_coordinate(sim->d, k, sim->s.coordinate[sim->model->joints[k].coordinate], &row, &rate);
}
static void joint_rate(const carom_simulation *sim, int k, double *out)
{
    carom_row row;
    carom_dynamics_coordinate(sim->d, k, 0, &row, out);
}

static const channel_row coordinate_rows[] = {
    {"coordinate", "", "joint coordinate, second frame relative to the first", 1, 1, joint_coordinate},
    {"rate", "", "rate of the joint coordinate", 1, 1, joint_rate},
};

/* Of ideal joints with friction: along the axis or about it, or a vector where the slip has no axis of its own. */
static carom_vec3 joint_axis(const carom_simulation *sim, int k)
{
    const carom_model_joint *j = &sim->model->joints[k];
    const carom_frame_pose f = carom_dynamics_frame_pose(&sim->d->pose[j->i.body], &j->i, sim->model->dimension);
    return carom_m3_column(&f.axes, 2);
}
static void friction_force(const carom_simulation *sim, int k, double *out)
{
    *out = carom_v3_dot(carom_rubbing_wrench(sim->d, k).force, joint_axis(sim, k));
}
static void friction_torque(const carom_simulation *sim, int k, double *out)
{
    *out = carom_v3_dot(carom_rubbing_wrench(sim->d, k).torque, joint_axis(sim, k));
}
static void friction_force_vector(const carom_simulation *sim, int k, double *out)
{
    put(sim, carom_rubbing_wrench(sim->d, k).force, out);
}
static void friction_torque_vector(const carom_simulation *sim, int k, double *out)
{
    put(sim, carom_rubbing_wrench(sim->d, k).torque, out);
}
static void friction_normal(const carom_simulation *sim, int k, double *out)
{
    *out = 0;
    for (int r = 0; r < sim->model->rub_count; r++)
        if (sim->model->rubs[r].joint == k)
            *out += sim->d->rubs[r].normal;
}
static void friction_loss(const carom_simulation *sim, int k, double *out)
{
    *out = sim->s.book_friction[sim->model->joints[k].friction.rubbing];
}

static const channel_row rubbing_force_rows[] = {
    {"friction", "N", "friction on the second body, along the axis", 1, 1, friction_force},
    {"friction", "N", "friction on the second body, world axes", 0, 3, friction_force_vector},
};
static const channel_row rubbing_torque_rows[] = {
    {"friction", "N m", "friction on the second body, about the axis", 1, 1, friction_torque},
    {"friction", "N m", "friction on the second body about the joint, world axes", 0, 3, friction_torque_vector},
};
static const channel_row rubbing_both_row = {
    "friction_torque", "N m", "friction on the second body, about the axis", 0, 1, friction_torque};
static const channel_row rubbing_rows[] = {
    {"normal", "N", "normal force of friction, preload included, the sum of all places", 1, 1, friction_normal},
    {"friction_work", "J", "work that friction has taken", 1, 1, friction_loss},
};

/* Of joints with clearance, where the journal is in its bearing. */
static void joint_offset(const carom_simulation *sim, int k, double *out)
{
    carom_vec3 at = carom_clearance_offset(sim, k);
    bool along = sim->model->dimension == 2 && sim->model->joints[k].kind->axis_in_plane;
    put(sim, along ? carom_v3(at.z, at.x, 0) : at, out);
}
static void joint_eccentricity(const carom_simulation *sim, int k, double *out)
{
    *out = carom_clearance_eccentricity(sim, k);
}

static const channel_row clearance_rows[] = {
    {"offset", "m", "second frame from the first one, axes of the first; of a planar guide along and across it", 2, 3,
     joint_offset},
    {"eccentricity", "-", "part of the offset that the clearance bounds, over the clearance", 1, 1, joint_eccentricity},
};

/* Multiplier of the prescribed motion: force or moment of the drive along the coordinate. */
static void drive_effort(const carom_simulation *sim, int k, double *out)
{
    *out = sim->d->multipliers[sim->model->elements[k].first_row];
}

/* ---- contacts ---- */

static void contact_force(const carom_simulation *sim, int k, double *out) { *out = sim->d->contacts[k].force; }
static void contact_elastic(const carom_simulation *sim, int k, double *out) { *out = sim->d->contacts[k].elastic; }
static void contact_damping(const carom_simulation *sim, int k, double *out) { *out = sim->d->contacts[k].damping; }

/* Contacts that are not open have no geometry in the workspace of a record between steps: it is made here, once a row. */
static const carom_contact_point *point_now(const carom_simulation *sim, int k)
{
    const carom_recorder *r = &sim->recorder;
    if (sim->s.located[k].open)
        return &sim->d->contacts[k];
    if (!r->known[k])
        carom_contact_geometry_at(sim->model, NULL, k, &sim->d->pose[carom_contact_body(sim->model, k, 0)],
                                  &sim->d->pose[carom_contact_body(sim->model, k, 1)], &r->points[k]);
    r->known[k] = true;
    return &r->points[k];
}
static void contact_indentation(const carom_simulation *sim, int k, double *out) { *out = -point_now(sim, k)->gap; }
static void contact_rate(const carom_simulation *sim, int k, double *out) { *out = -point_now(sim, k)->gap_rate; }

static const channel_row contact_rows[] = {
    {"force", "N", "normal force, positive repels", 1, 1, contact_force},
    {"indentation", "m", "indentation, negative is the gap", 1, 1, contact_indentation},
    {"indentation_rate", "m/s", "rate of the indentation, positive approaching", 1, 1, contact_rate},
    {"elastic", "N", "elastic part of the normal force", 1, 1, contact_elastic},
    {"damping", "N", "damping part of the normal force", 1, 1, contact_damping},
};

/* Of pairs that solve for a common normal. */
static void contact_residual(const carom_simulation *sim, int k, double *out) { *out = point_now(sim, k)->residual; }

static const channel_row normal_row = {"residual", "-", "residual of the equations of the common normal",
                                       1,          1,   contact_residual};

static void contact_friction(const carom_simulation *sim, int k, double *out)
{
    put(sim, sim->d->contacts[k].friction, out);
}
static void contact_slip(const carom_simulation *sim, int k, double *out) { put(sim, point_now(sim, k)->slip, out); }
static void contact_friction_loss(const carom_simulation *sim, int k, double *out)
{
    *out = sim->s.book_friction[sim->model->contacts[k].rubbing];
}

/* What draws a contact: also of contacts that are not open. */
static void contact_place(const carom_simulation *sim, int k, double *out) { put(sim, point_now(sim, k)->point, out); }
static void contact_total(const carom_simulation *sim, int k, double *out)
{
    const carom_contact_point *p = &sim->d->contacts[k];
    carom_vec3 total = carom_v3(0, 0, 0);
    if (sim->s.located[k].open)
        total = carom_v3_add_scaled(p->friction, p->force, point_now(sim, k)->normal);
    put(sim, total, out);
}

static const channel_row frame_rows[] = {
    {"point", "m", "where the contact is, world axes", 2, 3, contact_place},
    {"total_force", "N", "normal force and friction on the second body, world axes", 2, 3, contact_total},
};

/* Of contacts with friction. */
static const channel_row friction_rows[] = {
    {"friction", "N", "friction force on the second body, world axes", 2, 3, contact_friction},
    {"slip", "m/s", "tangential velocity of the second body's surface against the first's, world axes", 2, 3,
     contact_slip},
    {"friction_work", "J", "work that friction has taken", 1, 1, contact_friction_loss},
};

/* ---- contacts of many shapes ---- */

static void pool_count(const carom_simulation *sim, int k, double *out) { *out = sim->d->pools->sums[k].count; }
static void pool_force(const carom_simulation *sim, int k, double *out) { *out = sim->d->pools->sums[k].force; }
static void pool_largest(const carom_simulation *sim, int k, double *out) { *out = sim->d->pools->sums[k].largest; }
static void pool_energy(const carom_simulation *sim, int k, double *out) { *out = sim->d->pools->sums[k].energy; }
static void pool_loss(const carom_simulation *sim, int k, double *out) { *out = sim->s.book_pool[k]; }
static void pool_friction_loss(const carom_simulation *sim, int k, double *out)
{
    const int rubbing = sim->model->pools[k].rubbing;
    *out = rubbing >= 0 ? sim->s.book_pool_friction[rubbing] : 0;
}

static const channel_row pool_rows[] = {
    {"count", "-", "pairs of its shapes that touch", 1, 1, pool_count},
    {"force", "N", "sum of the normal forces of all pairs", 1, 1, pool_force},
    {"largest_force", "N", "largest normal force of a pair", 1, 1, pool_largest},
    {"energy", "J", "elastic energy of all pairs", 1, 1, pool_energy},
    {"damping_work", "J", "work lost in the damping parts and permanent indentations of all pairs", 1, 1, pool_loss},
    {"friction_work", "J", "work that friction has taken", 1, 1, pool_friction_loss},
};

/* ---- energy, constraints, solver ---- */

#define LEDGER_FILL(field)                                                       \
    static void ledger_##field(const carom_simulation *sim, int k, double *out) \
    {                                                                            \
        (void)k;                                                                 \
        *out = sim->recorder.ledger.field;                                       \
    }
LEDGER_FILL(kinetic)
LEDGER_FILL(potential)
LEDGER_FILL(elastic)
LEDGER_FILL(dissipated_contact)
LEDGER_FILL(dissipated_friction)
LEDGER_FILL(dissipated_other)
LEDGER_FILL(switched)
LEDGER_FILL(work)
LEDGER_FILL(residual)

static void largest_phi(const carom_simulation *sim, int k, double *out)
{
    (void)k;
    *out = 0;
    for (int r = 0; r < sim->model->row_count; r++)
        *out = fmax(*out, fabs(sim->d->rows[r].phi));
}
static void largest_phi_rate(const carom_simulation *sim, int k, double *out)
{
    (void)k;
    *out = 0;
    for (int r = 0; r < sim->model->row_count; r++)
        *out = fmax(*out, fabs(sim->d->phi_rate[r]));
}

static const channel_row energy_rows[] = {
    {"energy.kinetic", "J", "kinetic energy", 1, 1, ledger_kinetic},
    {"energy.potential", "J", "gravitational potential", 1, 1, ledger_potential},
    {"energy.elastic", "J", "elastic energy of springs and contacts", 1, 1, ledger_elastic},
    {"energy.dissipated_contact", "J", "work lost in the damping parts and permanent indentations of contacts", 1, 1,
     ledger_dissipated_contact},
    {"energy.dissipated_friction", "J", "work lost by friction", 1, 1, ledger_dissipated_friction},
    {"energy.dissipated_other", "J", "work lost in dampers", 1, 1, ledger_dissipated_other},
    {"energy.work", "J", "work of loads and drives", 1, 1, ledger_work},
    {"energy.residual", "J", "what the ledger does not account for", 1, 1, ledger_residual},
};

/* Of models with constants that change within episodes. */
static const channel_row switched_row = {
    "energy.switched", "J", "elastic energy that vanished as constants of contacts changed", 1, 1, ledger_switched};

static const channel_row violation_rows[] = {
    {"constraint.position_violation", "m", "largest violation of a constraint", 1, 1, largest_phi},
    {"constraint.velocity_violation", "m/s", "largest violation of a constraint's rate", 1, 1, largest_phi_rate},
};

static void solver_step(const carom_simulation *sim, int k, double *out)
{
    (void)k;
    *out = *sim->s.step_size;
}
static void solver_order(const carom_simulation *sim, int k, double *out)
{
    (void)k;
    *out = *sim->s.step_order;
}

static const channel_row solver_rows[] = {
    {"solver.step", "s", "size of the last step of the integrator", 1, 1, solver_step},
    {"solver.order", "-", "order of the method in that step", 1, 1, solver_order},
};

/* ---- the list ---- */

/* Calls `each` for every channel of a group, in order. */
typedef struct walk {
    const carom_simulation *sim;
    int group;
    void (*each)(struct walk *w, const channel_row *row, const char *family, const char *object, int k,
                 const char *unit);
    void *user;
} walk;

static void walk_rows(walk *w, const channel_row *rows, size_t count, const char *family, const char *object, int k,
                      const char *unit)
{
    for (size_t r = 0; r < count; r++)
        w->each(w, &rows[r], family, object, k, unit);
}

static const channel_row drive_row = {"drive", "", "effort of the prescribed motion along its coordinate",
                                      1,       1,  drive_effort};

static void walk_drives(walk *w)
{
    static const char *const names[] = {"drive_x", "drive_y", "drive_z", "drive_angle"};
    const carom_model *m = w->sim->model;
    for (int k = 0; k < m->element_count; k++) {
        const carom_element *e = &m->elements[k];
        channel_row row = drive_row;
        if (e->type == CAROM_ELEMENT_JOINT_MOTION)
            w->each(w, &row, "joint", m->joints[e->object].name, k,
                    m->joints[e->object].kind->coordinate_unit[0] == 'r' ? "N m" : "N");
        else if (e->type == CAROM_ELEMENT_BODY_MOTION) {
            row.name = names[e->axis];
            w->each(w, &row, "body", m->bodies[e->object].name, k, e->axis == 3 ? "N m" : "N");
        }
    }
}

/* The channels of frames: poses, and points and forces of contacts. */
static void walk_frames(walk *w)
{
    static const char *const poses[] = {"position", "angle", "orientation"};
    const carom_model *m = w->sim->model;
    for (int k = 0; k < m->body_count; k++)
        for (size_t r = 0; r < CAROM_COUNT(body_rows); r++)
            for (size_t p = 0; p < CAROM_COUNT(poses); p++)
                if (strcmp(body_rows[r].name, poses[p]) == 0)
                    w->each(w, &body_rows[r], "body", m->bodies[k + 1].name, k, NULL);
    for (int k = 0; k < m->contact_count; k++)
        walk_rows(w, frame_rows, CAROM_COUNT(frame_rows), "contact", m->contacts[k].name, k, NULL);
}

/* What slips says which channels there are: a joint that slides has a force, one that turns a torque, some have both. */
static void walk_rubbing(walk *w, int k)
{
    const carom_model *m = w->sim->model;
    const carom_model_joint *j = &m->joints[k];
    const carom_joint_slips slips = j->kind->slip_types;
    const int vector = j->coordinate < 0;
    if (slips == CAROM_SLIPS_TURN)
        walk_rows(w, &rubbing_torque_rows[vector], 1, "joint", j->name, k, NULL);
    else
        walk_rows(w, &rubbing_force_rows[vector], 1, "joint", j->name, k, NULL);
    if (slips == CAROM_SLIPS_BOTH)
        walk_rows(w, &rubbing_both_row, 1, "joint", j->name, k, NULL);
    walk_rows(w, rubbing_rows, CAROM_COUNT(rubbing_rows), "joint", j->name, k, NULL);
}

static void walk_channels(walk *w)
{
    const carom_model *m = w->sim->model;
    bool switches = false;
    if (w->group == 2) {
        walk_frames(w);
        return;
    }
    if (w->group == 0) {
        for (int k = 0; k < m->body_count; k++)
            walk_rows(w, body_rows, CAROM_COUNT(body_rows), "body", m->bodies[k + 1].name, k, NULL);
        for (int k = 0; k < m->joint_count; k++) {
            const carom_model_joint *j = &m->joints[k];
            walk_rows(w, joint_rows, CAROM_COUNT(joint_rows), "joint", j->name, k, NULL);
            if (j->clearance.index >= 0)
                walk_rows(w, clearance_rows, CAROM_COUNT(clearance_rows), "joint", j->name, k, NULL);
            if (j->friction.rubbing >= 0)
                walk_rubbing(w, k);
            if (j->coordinate < 0)
                continue;
            bool turns = j->kind->coordinate_unit[0] == 'r';
            walk_rows(w, &coordinate_rows[0], 1, "joint", j->name, k, turns ? "rad" : "m");
            walk_rows(w, &coordinate_rows[1], 1, "joint", j->name, k, turns ? "rad/s" : "m/s");
        }
        walk_drives(w);
    }
    for (int k = 0; k < m->contact_count; k++) {
        walk_rows(w, contact_rows, CAROM_COUNT(contact_rows), "contact", m->contacts[k].name, k, NULL);
        if (m->contacts[k].pair->varies)
            walk_rows(w, &normal_row, 1, "contact", m->contacts[k].name, k, NULL);
        switches = switches || m->contacts[k].pieces;
        if (m->contacts[k].rubbing >= 0)
            walk_rows(w, friction_rows, CAROM_COUNT(friction_rows), "contact", m->contacts[k].name, k, NULL);
    }
    for (int k = 0; k < m->pool_count && w->group == 0; k++)
        walk_rows(w, pool_rows, CAROM_COUNT(pool_rows), "contact", m->pools[k].name, k, NULL);
    walk_rows(w, energy_rows, CAROM_COUNT(energy_rows), NULL, NULL, 0, NULL);
    if (switches)
        walk_rows(w, &switched_row, 1, NULL, NULL, 0, NULL);
    if (w->group == 0)
        walk_rows(w, violation_rows, CAROM_COUNT(violation_rows), NULL, NULL, 0, NULL);
    walk_rows(w, solver_rows, CAROM_COUNT(solver_rows), NULL, NULL, 0, NULL);
}

static int row_size(const carom_simulation *sim, const channel_row *row)
{
    return sim->model->dimension == 2 ? row->size_2d : row->size_3d;
}

static void channel_name(char *text, size_t size, const channel_row *row, const char *family, const char *object)
{
    if (family)
        snprintf(text, size, "%s.%s.%s", family, object, row->name);
    else
        snprintf(text, size, "%s", row->name);
}

/* Whether the run's list of channels names this one, wholly or by a prefix that ends at a dot; frames are always
   recorded. */
static bool is_wanted(const carom_simulation *sim, int group, const char *name)
{
    if (sim->run.channel_count == 0 || group == 2)
        return true;
    for (size_t k = 0; k < sim->run.channel_count; k++) {
        size_t n = strlen(sim->run.channels[k]);
        if (strncmp(name, sim->run.channels[k], n) == 0 && (name[n] == '\0' || name[n] == '.'))
            return true;
    }
    return false;
}

typedef struct collector {
    carom_simulation *sim;
    bool failed;
} collector;

static void count_channel(walk *w, const channel_row *row, const char *family, const char *object, int k,
                          const char *unit)
{
    (void)k;
    (void)unit;
    char name[256];
    channel_name(name, sizeof name, row, family, object);
    if (row_size(w->sim, row) && is_wanted(w->sim, w->group, name))
        ++*(size_t *)w->user;
}

static void add_channel(walk *w, const channel_row *row, const char *family, const char *object, int k,
                        const char *unit)
{
    (void)k;
    collector *c = w->user;
    carom_simulation *sim = c->sim;
    int size = row_size(sim, row);
    char name[256];
    channel_name(name, sizeof name, row, family, object);
    if (!size || !is_wanted(sim, w->group, name))
        return;
    carom_channel *out = &sim->recorder.channels[sim->recorder.channel_count++];
    out->name = carom_arena_text(&sim->arena, name);
    c->failed |= !out->name;
    out->unit = unit ? unit : row->unit;
    out->sentence = row->sentence;
    out->size = size;
    out->components = size == 1 ? NULL : size == 4 ? wxyz : xyz;
    out->group = w->group;
    sim->recorder.columns[w->group] += size;
}

static void fill_channel(walk *w, const channel_row *row, const char *family, const char *object, int k,
                         const char *unit)
{
    (void)unit;
    int size = row_size(w->sim, row);
    char name[256];
    if (!size)
        return;
    if (w->sim->run.channel_count) {
        channel_name(name, sizeof name, row, family, object);
        if (!is_wanted(w->sim, w->group, name))
            return;
    }
    double **out = w->user;
    row->fill(w->sim, k, *out);
    *out += size;
}

/* The list of channels is made when it is first asked for. */
static carom_status list_channels(carom_simulation *sim)
{
    carom_recorder *r = &sim->recorder;
    size_t count = 0;
    if (r->channels)
        return CAROM_OK;
    for (int group = 0; group < CAROM_RECORD_GROUPS; group++)
        walk_channels(&(walk){sim, group, count_channel, &count});
    r->channels = carom_arena_alloc(&sim->arena, count, sizeof *r->channels);
    if (!r->channels)
        return carom_fail_memory(sim->ctx);
    collector c = {.sim = sim};
    for (int group = 0; group < CAROM_RECORD_GROUPS; group++)
        walk_channels(&(walk){sim, group, add_channel, &c});
    int most = 0;
    for (int group = 0; group < CAROM_RECORD_GROUPS; group++)
        most = r->columns[group] > most ? r->columns[group] : most;
    r->row = carom_arena_alloc(&sim->arena, (size_t)most, sizeof(double));
    r->points = carom_arena_alloc(&sim->arena, (size_t)sim->model->contact_count, sizeof *r->points);
    r->known = carom_arena_alloc(&sim->arena, (size_t)sim->model->contact_count, sizeof *r->known);
    return r->row && r->points && r->known && !c.failed ? CAROM_OK : carom_fail_memory(sim->ctx);
}

carom_status carom_record_create(carom_simulation *sim)
{
    carom_recorder *r = &sim->recorder;
    if (!sim->def.sink)
        return CAROM_OK;
    CAROM_TRY(list_channels(sim));
    for (int group = 0; group < CAROM_RECORD_GROUPS; group++) {
        r->time[group] = carom_arena_alloc(&sim->arena, CAROM_BLOCK_ROWS, sizeof(double));
        r->block[group] = carom_arena_alloc(&sim->arena, CAROM_BLOCK_ROWS * (size_t)r->columns[group], sizeof(double));
        if (!r->time[group] || !r->block[group])
            return carom_fail_memory(sim->ctx);
    }
    return CAROM_OK;
}

void carom_record_values(carom_simulation *sim, int group, double *out)
{
    if (group < 2)
        carom_ledger_evaluate(sim, &sim->recorder.ledger);
    memset(sim->recorder.known, 0, (size_t)sim->model->contact_count * sizeof *sim->recorder.known);
    walk_channels(&(walk){sim, group, fill_channel, &out});
}

static carom_status flush_group(carom_simulation *sim, int group)
{
    carom_recorder *r = &sim->recorder;
    size_t rows = r->rows[group];
    r->rows[group] = 0;
    const carom_sink *sink = sim->def.sink;
    if (!rows || !sink || !sink->rows)
        return CAROM_OK;
    return sink->rows(sink->user, group, rows, r->time[group], r->block[group]);
}

carom_status carom_record_flush(carom_simulation *sim)
{
    for (int group = 0; group < CAROM_RECORD_GROUPS; group++)
        CAROM_TRY(flush_group(sim, group));
    return CAROM_OK;
}

carom_status carom_record_row(carom_simulation *sim, int group, double t)
{
    carom_recorder *r = &sim->recorder;
    if (!sim->def.sink || r->columns[group] == 0)
        return CAROM_OK;
    size_t row = r->rows[group]++;
    r->time[group][row] = t;
    carom_record_values(sim, group, r->block[group] + row * (size_t)r->columns[group]);
    return r->rows[group] == CAROM_BLOCK_ROWS ? flush_group(sim, group) : CAROM_OK;
}

/* ---- frames ---- */

/* The distance to the next frame is this share of the time since the last event of a contact, so that an impact has frames
   on all its scales and a contact at rest adds few. */
#define FRAME_SHARE 0.05
/* Frames between rows of the output grid: so many for each such row, and at most so many at a time. */
#define FRAMES_PER_ROW 20.0
#define FRAMES_AT_A_TIME 2000.0

carom_status carom_record_grid_row(carom_simulation *sim, double t)
{
    carom_state *s = &sim->s;
    *s->frame_credit =
        *s->output_index == 0 ? FRAMES_AT_A_TIME : fmin(FRAMES_AT_A_TIME, *s->frame_credit + FRAMES_PER_ROW);
    *s->frame_time = t;
    CAROM_TRY(carom_record_row(sim, 0, t));
    return carom_record_row(sim, 2, t);
}

carom_status carom_record_contact_frame(carom_simulation *sim, bool event)
{
    carom_state *s = &sim->s;
    double t = *s->time;
    if (event)
        *s->frame_event = t;
    bool due = event || t - *s->frame_time >= FRAME_SHARE * (t - *s->frame_event);
    if (!due || *s->frame_credit < 1 || t <= *s->frame_time)
        return CAROM_OK;
    *s->frame_credit -= 1;
    *s->frame_time = t;
    return carom_record_row(sim, 2, t);
}

const carom_channel *carom_simulation_channels(carom_simulation *sim, size_t *count)
{
    bool listed = list_channels(sim) == CAROM_OK;
    *count = listed ? sim->recorder.channel_count : 0;
    return listed ? sim->recorder.channels : NULL;
}

carom_status carom_simulation_channel(carom_simulation *sim, const char *name, double *out)
{
    const carom_recorder *r = &sim->recorder;
    CAROM_TRY(list_channels(sim));
    carom_loop_evaluate(sim);
    carom_record_values(sim, 0, r->row);
    const double *at = r->row;
    const char *nearest = NULL;
    for (size_t k = 0; k < r->channel_count && r->channels[k].group == 0; at += r->channels[k++].size) {
        const carom_channel *c = &r->channels[k];
        size_t n = strlen(c->name);
        if (strcmp(name, c->name) == 0) {
            memcpy(out, at, (size_t)c->size * sizeof *out);
            return CAROM_OK;
        }
        for (int i = 0; c->components && i < c->size; i++)
            if (strncmp(name, c->name, n) == 0 && name[n] == '.' && strcmp(name + n + 1, c->components[i]) == 0) {
                *out = at[i];
                return CAROM_OK;
            }
    }
    for (size_t k = 0; k < r->channel_count && r->channels[k].group == 0 && !nearest; k++)
        nearest = carom_nearest_name(name, &r->channels[k].name, 1);
    return carom_fail(sim->ctx, CAROM_ERROR_USAGE, NULL,
                      nearest ? "no channel '%s'; did you mean '%s'?" : "no channel '%s'%s", name,
                      nearest ? nearest : "");
}
