/* What expressions read: measures of the state, inputs and states of the user's own, and the rates of these. */
#include "dynamics/dynamics.h"
#include "dynamics/formulation/formulation.h"
#include "kinds/load/load.h"

#include <math.h>

static carom_load_line line_of(const carom_evaluation *d, int load)
{
    const carom_compiled_load *l = &d->model->loads[load];
    const int dimension = d->model->dimension;
    carom_frame_pose i = carom_dynamics_frame_pose(&d->pose[l->i.body], &l->i, dimension);
    carom_frame_pose j = carom_dynamics_frame_pose(&d->pose[l->j.body], &l->j, dimension);
    return carom_load_line_of(&i, &j);
}

/* ---- loads, joints and contacts behind their forces ---- */

void carom_dynamics_load_line(const carom_evaluation *d, int load, double *length, double *rate)
{
    const carom_load_line line = line_of(d, load);
    *length = line.length;
    *rate = line.rate;
}

double carom_dynamics_load_pull(const carom_evaluation *d, int load)
{
    const carom_compiled_load *l = &d->model->loads[load];
    const carom_load_output *out = &d->loads[load];
    if (l->joint >= 0) {
        /* the wrench is the effort times the gradient of the coordinate */
        double rate;
        carom_row row;
        carom_dynamics_coordinate(d, l->joint, 0, &row, &rate);
        const carom_frame_pose j = carom_dynamics_frame_pose(&d->pose[l->j.body], &l->j, d->model->dimension);
        const carom_vec3 torque = carom_v3_add(out->torque_j, carom_v3_cross(j.arm, out->force_j));
        const double size = carom_v3_dot(row.Lj, row.Lj) + carom_v3_dot(row.Aj, row.Aj);
        return size > 0 ? (carom_v3_dot(out->force_j, row.Lj) + carom_v3_dot(torque, row.Aj)) / size : 0;
    }
    return l->frames == 2 ? carom_v3_dot(out->force_i, line_of(d, load).direction) : carom_v3_norm(out->force_i);
}

carom_vec3 carom_dynamics_load_force(const carom_evaluation *d, int load)
{
    const bool two = d->model->loads[load].frames == 2 || d->model->loads[load].joint >= 0;
    return two ? d->loads[load].force_j : d->loads[load].force_i;
}

carom_vec3 carom_dynamics_load_torque(const carom_evaluation *d, int load)
{
    const bool two = d->model->loads[load].frames == 2 || d->model->loads[load].joint >= 0;
    return two ? d->loads[load].torque_j : d->loads[load].torque_i;
}

/* A torque or moment: with its sign in the plane, its size in space. */
static double turn_of(const carom_evaluation *d, carom_vec3 v)
{
    return d->model->dimension == 2 ? v.z : carom_v3_norm(v);
}

static double component_of(carom_vec3 v, int component)
{
    return component == 0 ? v.x : component == 1 ? v.y : v.z;
}

/* Of a body's centre of mass or of its frame: the acceleration, or what a mass on a spring there shows. */
static double felt(const carom_evaluation *d, const carom_measure *measure)
{
    const carom_body_pose *body = &d->pose[measure->a];
    carom_vec3 a = d->system->formulation->body_acceleration(d, measure->a).linear;
    carom_mat3 axes = body->axes;
    if (measure->frame) {
        const carom_frame_pose f = carom_dynamics_frame_pose(body, measure->frame, d->model->dimension);
        a = carom_dynamics_frame_acceleration(d, measure->a, &f);
        axes = f.axes;
    }
    if (measure->type < CAROM_MEASURE_ACCELEROMETER)
        return component_of(a, (int)measure->type - CAROM_MEASURE_ACCELERATION);
    return component_of(carom_m3_apply_t(&axes, carom_v3_sub(a, d->model->gravity)),
                        (int)measure->type - CAROM_MEASURE_ACCELEROMETER);
}

/* Of the places of a contact: the sum of the normal forces, or the size of the friction of all. */
static double rub_of(const carom_evaluation *d, const carom_state *s, const carom_measure *measure)
{
    double force = 0;
    carom_vec3 friction = carom_v3(0, 0, 0);
    for (int k = measure->a; k < measure->a + measure->b; k++) {
        if (!s->located[k].open)
            continue;
        force += d->contacts[k].force;
        friction = carom_v3_add(friction, d->contacts[k].friction);
    }
    return measure->type == CAROM_MEASURE_CONTACT_FORCE ? force : carom_v3_norm(friction);
}

static double late_value(const carom_evaluation *d, const carom_state *s, const carom_measure *measure)
{
    const int k = measure->a;
    if (measure->type >= CAROM_MEASURE_ACCELERATION)
        return felt(d, measure);
    switch (measure->type) {
    case CAROM_MEASURE_CONTACT_FORCE:
    case CAROM_MEASURE_CONTACT_FRICTION: return rub_of(d, s, measure);
    case CAROM_MEASURE_LOAD_FORCE: return carom_dynamics_load_pull(d, k);
    case CAROM_MEASURE_LOAD_TORQUE: return turn_of(d, carom_dynamics_load_torque(d, k));
    case CAROM_MEASURE_LOAD_POWER: return d->loads[k].work_power;
    case CAROM_MEASURE_LOAD_STORED: return d->loads[k].stored;
    case CAROM_MEASURE_REACTION: return carom_v3_norm(carom_dynamics_joint_reaction(d, s, k, d->multipliers).force);
    case CAROM_MEASURE_MOMENT: return turn_of(d, carom_dynamics_joint_reaction(d, s, k, d->multipliers).torque);
    case CAROM_MEASURE_DRIVE: return d->multipliers[d->model->blocks[k].first_row];
    case CAROM_MEASURE_TOUCH: return carom_v3_norm(carom_dynamics_contact_wrench(d, s, k).force);
    case CAROM_MEASURE_TOUCH_X: return carom_dynamics_contact_wrench(d, s, k).force.x;
    case CAROM_MEASURE_TOUCH_Y: return carom_dynamics_contact_wrench(d, s, k).force.y;
    case CAROM_MEASURE_TOUCH_Z: return carom_dynamics_contact_wrench(d, s, k).force.z;
    default: return 0;
    }
}

/* ---- measures ---- */

/* Gap of a contact where the bodies are, whether an episode is open or not. */
static carom_contact_point point_of(const carom_evaluation *d, const carom_state *s, int contact)
{
    const carom_model *m = d->model;
    carom_contact_point point;
    carom_contact_known_geometry(d->system, s->located[contact].open ? s : NULL, contact,
                                 &d->pose[carom_contact_body(m, contact, 0)],
                                 &d->pose[carom_contact_body(m, contact, 1)], &point);
    return point;
}

/* The deepest place of a contact: what others of a pair share of the law does not count. */
static carom_contact_point deepest_of(const carom_evaluation *d, const carom_state *s, const carom_measure *measure)
{
    carom_contact_point deepest = point_of(d, s, measure->a);
    for (int k = measure->a + 1; k < measure->a + measure->b; k++) {
        const carom_contact_point p = point_of(d, s, k);
        if (p.less < 1 && (!(deepest.less < 1) || p.gap < deepest.gap))
            deepest = p;
    }
    return deepest;
}

/* Episodes of the places of a contact: those that have begun, or those that are open. */
static double episodes_of(const carom_state *s, const carom_measure *measure)
{
    double sum = 0;
    for (int k = measure->a; k < measure->a + measure->b; k++)
        sum += measure->type == CAROM_MEASURE_COUNT ? s->contact_episodes[k] : s->located[k].open;
    return sum;
}

/* Pose and twist of a frame of a body. */
static const carom_body_pose *frame_of(const carom_evaluation *d, const carom_marker *marker, carom_body_pose *out)
{
    const carom_body_pose *body = &d->pose[marker->body];
    const carom_frame_pose f = carom_dynamics_frame_pose(body, marker, d->model->dimension);
    *out = (carom_body_pose){.axes = carom_m3_multiply(&body->axes, &marker->axes), .p = f.p, .v = f.v, .w = body->w};
    return out;
}

/* Of several bodies: m = sum of mk, centre c = sum of mk xk/m, momentum p = sum of mk vk, and the angular momentum
   about the centre, sum of Ik wk + mk (xk - c) x (vk - p/m). */
static double set_value(const carom_evaluation *d, const carom_measure *measure)
{
    const carom_model *m = d->model;
    carom_vec3 centre = {0, 0, 0}, momentum = {0, 0, 0}, spin = {0, 0, 0};
    double mass = 0;
    for (int k = 0; k < measure->b; k++) {
        const double own = m->bodies[measure->bodies[k]].mass;
        mass += own;
        centre = carom_v3_add_scaled(centre, own, d->pose[measure->bodies[k]].p);
        momentum = carom_v3_add_scaled(momentum, own, d->pose[measure->bodies[k]].v);
    }
    centre = carom_v3_scale(1 / mass, centre);
    const carom_vec3 velocity = carom_v3_scale(1 / mass, momentum);
    const int index = (int)measure->type - CAROM_MEASURE_CENTRE, of = index / 3, component = index % 3;
    for (int k = 0; k < measure->b && of == 3; k++) {
        const carom_model_body *body = &m->bodies[measure->bodies[k]];
        const carom_body_pose *pose = &d->pose[measure->bodies[k]];
        const carom_vec3 own = carom_m3_apply(&body->inertia, carom_m3_apply_t(&pose->axes, pose->w));
        spin = carom_v3_add(spin, m->dimension == 2 ? carom_v3(0, 0, body->inertia.m[2][2] * pose->w.z)
                                                    : carom_m3_apply(&pose->axes, own));
        spin = carom_v3_add_scaled(spin, body->mass,
                                   carom_v3_cross(carom_v3_sub(pose->p, centre), carom_v3_sub(pose->v, velocity)));
    }
    const carom_vec3 value = of == 0 ? centre : of == 1 ? velocity : of == 2 ? momentum : spin;
    return component_of(value, component);
}

/* Coordinate of a joint, or its rate; of one that an event has locked what it is held at, without the rounding of the
   constraint that holds it. */
static double coordinate_value(const carom_evaluation *d, const carom_state *s, int joint, bool of_rate)
{
    const carom_model_joint *j = &d->model->joints[joint];
    carom_row row;
    double rate;
    if (j->lock >= 0 && s->locked[j->lock])
        return of_rate ? 0 : s->lock_value[j->lock];
    const double value = carom_dynamics_coordinate(d, joint, of_rate ? 0 : s->coordinate[j->coordinate], &row, &rate);
    return of_rate ? rate : value;
}

static double measure_value(const carom_evaluation *d, const carom_state *s, const carom_measure *measure, double t,
                            const double *states)
{
    bool of_body = measure->type > CAROM_MEASURE_SPEED && measure->type < CAROM_MEASURE_LENGTH;
    carom_body_pose frame;
    const carom_body_pose *a = of_body ? &d->pose[measure->a] : NULL;
    if (of_body && measure->frame)
        a = frame_of(d, measure->frame, &frame);
    if (measure->bodies)
        return set_value(d, measure);
    if (measure->type >= CAROM_MEASURE_GYROSCOPE && measure->type <= CAROM_MEASURE_LAST_OF_GYROSCOPE)
        return component_of(carom_m3_apply_t(&a->axes, a->w), (int)measure->type - CAROM_MEASURE_GYROSCOPE);
    switch (measure->type) {
    case CAROM_MEASURE_ANGLE:
    case CAROM_MEASURE_SPEED: return coordinate_value(d, s, measure->a, measure->type == CAROM_MEASURE_SPEED);
    case CAROM_MEASURE_X: return a->p.x;
    case CAROM_MEASURE_Y: return a->p.y;
    case CAROM_MEASURE_Z: return a->p.z;
    case CAROM_MEASURE_VX: return a->v.x;
    case CAROM_MEASURE_VY: return a->v.y;
    case CAROM_MEASURE_VZ: return a->v.z;
    case CAROM_MEASURE_TURN: return a->angle;
    case CAROM_MEASURE_SPIN: return a->w.z;
    case CAROM_MEASURE_WX: return a->w.x;
    case CAROM_MEASURE_WY: return a->w.y;
    case CAROM_MEASURE_WZ: return a->w.z;
    case CAROM_MEASURE_ROLL: return atan2(a->axes.m[2][1], a->axes.m[2][2]);
    case CAROM_MEASURE_PITCH: return atan2(-a->axes.m[2][0], hypot(a->axes.m[2][1], a->axes.m[2][2]));
    case CAROM_MEASURE_YAW: return atan2(a->axes.m[1][0], a->axes.m[0][0]);
    case CAROM_MEASURE_DISTANCE: return carom_v3_norm(carom_v3_sub(d->pose[measure->b].p, a->p));
    case CAROM_MEASURE_LENGTH: return line_of(d, measure->a).length;
    case CAROM_MEASURE_STRETCH: return line_of(d, measure->a).length - d->model->loads[measure->a].p[measure->b];
    case CAROM_MEASURE_LENGTH_RATE: return line_of(d, measure->a).rate;
    case CAROM_MEASURE_INPUT: return carom_dynamics_input(d, s, measure->a, t).value;
    case CAROM_MEASURE_STATE: return states[measure->a];
    case CAROM_MEASURE_INDENTATION: return -deepest_of(d, s, measure).gap;
    case CAROM_MEASURE_INDENTATION_RATE: return -deepest_of(d, s, measure).gap_rate;
    case CAROM_MEASURE_COUNT:
    case CAROM_MEASURE_OPEN: return episodes_of(s, measure);
    default: return 0;
    }
}

void carom_dynamics_measures(carom_evaluation *d, const carom_state *s, double t, const double *states)
{
    const carom_model *m = d->model;
    for (int k = 0; k < m->step_measure_count; k++)
        if (!carom_measure_is_late(m->measures[k].type))
            d->measures[k] = measure_value(d, s, &m->measures[k], t, states);
}

void carom_dynamics_late_measures(carom_evaluation *d, const carom_state *s)
{
    const carom_model *m = d->model;
    for (int k = 0; k < m->step_measure_count; k++)
        if (carom_measure_is_late(m->measures[k].type))
            d->measures[k] = late_value(d, s, &m->measures[k]);
}

void carom_dynamics_all_measures(const carom_evaluation *d, const carom_state *s, double t, double *out)
{
    const carom_model *m = d->model;
    for (int k = 0; k < m->measure_count; k++)
        out[k] = carom_measure_is_late(m->measures[k].type) ? late_value(d, s, &m->measures[k])
                                                            : measure_value(d, s, &m->measures[k], t, s->states);
}

bool carom_dynamics_state_rates(carom_evaluation *d, const carom_state *s, double t)
{
    const carom_model *m = d->model;
    int fault = -1;
    for (int k = 0; k < m->state_count; k++) {
        const carom_model_expr *e = &m->exprs[m->states[k].expr];
        d->state_rate[k] = carom_expr_value(e->expr, t, d->measures, s->switches + e->first_switch);
        if (!isfinite(d->state_rate[k]) && fault < 0)
            fault = d->system->state_fault = k;
    }
    return fault < 0;
}
