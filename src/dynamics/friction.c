/* Friction at one instant: tangential forces, couples of rolling and spinning, states of the laws, and the forces of
   contacts that stick. */
#include "dynamics/dynamics.h"

#include <math.h>
#include <string.h>

/* ---- force of a contact that slips ---- */

/* A vector of the state without what rounding and the integrator have put along the normal, at its own length. */
static carom_vec3 tangential(carom_vec3 z, carom_vec3 normal)
{
    carom_vec3 flat = carom_v3_add_scaled(z, -carom_v3_dot(z, normal), normal);
    double length = carom_v3_norm(flat);
    return length > 0 ? carom_v3_scale(carom_v3_norm(z) / length, flat) : flat;
}

/* Angular velocity of the tangent plane: its normal turns as the contact does, and about it the mean of both bodies. */
static carom_vec3 plane_spin(const carom_body_pose *i, const carom_body_pose *j, const carom_contact_point *p)
{
    double about = 0.5 * carom_v3_dot(carom_v3_add(i->w, j->w), p->normal);
    return carom_v3_add_scaled(carom_v3_cross(p->normal, p->normal_rate), about, p->normal);
}

/* Couple on j against its spin relative to i: arm times normal force, built up over rolling_speed. */
static carom_vec3 resist(carom_vec3 spin, double moment, double rolling_speed)
{
    double x = carom_v3_norm(spin) / rolling_speed;
    double share = x > 1e-8 ? tanh(x) / x : 1;
    return carom_v3_scale(-moment * share / rolling_speed, spin);
}

static void couples(const carom_model_contact *c, const carom_body_pose *i, const carom_body_pose *j, double normal,
                    carom_contact_point *p)
{
    carom_vec3 spin = carom_v3_sub(j->w, i->w);
    carom_vec3 about = carom_v3_scale(carom_v3_dot(spin, p->normal), p->normal);
    p->couple = carom_v3_add(resist(carom_v3_sub(spin, about), c->rolling * normal, c->rolling_speed),
                             resist(about, c->spinning * normal, c->rolling_speed));
    p->friction_power -= carom_v3_dot(p->couple, spin);
}

/* Force of a law with state; rates of the state with the turning of the tangent plane. */
static carom_vec3 state_force(const carom_model_contact *c, const carom_friction_input *in, const double *z, carom_vec3 turn,
                              carom_vec3 normal, double *rate)
{
    double state[CAROM_FRICTION_STATE] = {0};
    carom_friction_input input = *in;
    carom_friction_force out = {.force = {0, 0, 0}};
    carom_vec3 vector = tangential(carom_v3_load(z), normal);
    state[0] = vector.x;
    state[1] = vector.y;
    state[2] = vector.z;
    if (c->friction->state > 3)
        state[3] = z[3];
    input.state = state;
    c->friction->force(c->friction_constants, &input, &out);
    if (rate) {
        carom_vec3 moved = carom_v3_cross(turn, vector);
        rate[0] = out.rate[0] + moved.x;
        rate[1] = out.rate[1] + moved.y;
        rate[2] = out.rate[2] + moved.z;
        if (c->friction->state > 3)
            rate[3] = out.rate[3];
    }
    return out.force;
}

void carom_friction_at(const carom_model *m, const carom_state *s, int k, const carom_body_pose *pose_i,
                       const carom_body_pose *pose_j, const double *z, carom_contact_point *p, double *rate)
{
    const carom_model_contact *c = &m->contacts[k];
    double normal = fmax(p->force, 0), speed = carom_v3_norm(p->slip);
    p->friction = p->couple = carom_v3(0, 0, 0);
    p->friction_power = 0;
    if (c->rolling > 0 || c->spinning > 0)
        couples(c, pose_i, pose_j, normal, p);
    if (!c->friction)
        return;
    if (c->friction->state) {
        carom_friction_input in = {.slip = p->slip,
                                   .speed = speed,
                                   .normal = normal,
                                   .delta = fmax(-p->gap, 0),
                                   .rate = -p->gap_rate,
                                   .elastic = fmax(p->elastic, 0),
                                   .elastic_slope = p->elastic_slope};
        p->friction = state_force(c, &in, z, plane_spin(pose_i, pose_j, p), p->normal, rate);
    } else if (c->friction->holds && s->contact_stick[k] == CAROM_STICK) {
        return;
    } else if (c->friction->holds && s->contact_stick[k] == CAROM_BREAKING) {
        double greatest = c->friction->map(c->friction_constants, c->friction->stick_speed(c->friction_constants), normal);
        p->friction = carom_v3_scale(-greatest, tangential(carom_v3_load(s->contact_hold + 3 * k), p->normal));
    } else if (speed > 0) {
        p->friction = carom_v3_scale(-c->friction->map(c->friction_constants, speed, normal) / speed, p->slip);
    }
    p->friction_power -= carom_v3_dot(p->friction, p->slip);
}

/* ---- force of contacts that stick ---- */

/* What is left of the slip dies away over the time of an impact, at most at this share of the deceleration that the cone
   allows. */
#define SETTLE_SHARE 0.05
/* Gauss-Seidel over several sticking contacts. */
#define SWEEPS 200
#define SWEEP_TOLERANCE 1e-13

typedef struct sticking {
    carom_vec3 tangent[2];
    double *response[2];        /* P J^T of both tangents */
    double inverse[2][2];       /* of the inverse masses */
    carom_vec3 bias;            /* rate of the slip without accelerations [m/s^2] */
    int count;                  /* tangents: 1 in the plane */
} sticking;

/* Tangential acceleration of j against i that the accelerations `a` make at the contact's point as it is now. */
static carom_vec3 slip_rate(const carom_dynamics *d, int k, const double *a)
{
    const carom_model *m = d->model;
    const carom_contact_point *p = &d->contacts[k];
    carom_vec3 sum = {0, 0, 0};
    for (int side = 0; side < 2; side++) {
        int body = carom_contact_body(m, k, side);
        if (body == 0)
            continue;
        const double *x = a + (body - 1) * m->v_per_body;
        bool planar = m->dimension == 2;
        carom_vec3 linear = carom_v3(x[0], x[1], planar ? 0 : x[2]);
        carom_vec3 angular = planar ? carom_v3(0, 0, x[2]) : carom_v3_load(x + 3);
        carom_vec3 point = carom_v3_add(linear, carom_v3_cross(angular, side ? p->arm_j : p->arm_i));
        sum = side ? carom_v3_add(sum, point) : carom_v3_sub(sum, point);
    }
    return carom_v3_add_scaled(sum, -carom_v3_dot(sum, p->normal), p->normal);
}

static carom_body_pose moved(const carom_body_pose *pose, double time)
{
    carom_body_pose out = *pose;
    carom_mat3 turn = carom_quat_matrix(carom_quat_from_rotation(carom_v3_scale(time, pose->w)));
    out.p = carom_v3_add_scaled(pose->p, time, pose->v);
    out.axes = carom_m3_multiply(&turn, &pose->axes);
    out.angle += time * pose->w.z;
    return out;
}

/* The other part of the slip's rate: the contact's point moves on both bodies at constant velocities. By a central
   difference over a hundred-thousandth of the shapes' size, which leaves ten digits. */
static carom_vec3 slip_bias(const carom_dynamics *d, int k)
{
    const carom_model_contact *c = &d->model->contacts[k];
    const carom_body_pose *pose[2] = {&d->pose[c->body_i], &d->pose[c->body_j]};
    double speed = 0, size = isfinite(c->feature_size) && c->feature_size > 0 ? c->feature_size : 1;
    for (int side = 0; side < 2; side++)
        speed = fmax(speed, fmax(carom_v3_norm(pose[side]->v), carom_v3_norm(pose[side]->w) * size));
    if (!(speed > 0))
        return carom_v3(0, 0, 0);
    double time = 1e-5 * size / speed;
    carom_contact_point at[2];
    for (int end = 0; end < 2; end++) {
        carom_body_pose i = moved(pose[0], end ? time : -time), j = moved(pose[1], end ? time : -time);
        carom_contact_geometry_at(d->model, k, &i, &j, &at[end]);
    }
    carom_vec3 bias = carom_v3_scale(0.5 / time, carom_v3_sub(at[1].slip, at[0].slip));
    const carom_vec3 n = d->contacts[k].normal;
    return carom_v3_add_scaled(bias, -carom_v3_dot(bias, n), n);
}

static void tangents(int dimension, carom_vec3 normal, carom_vec3 *out)
{
    carom_vec3 hint = fabs(normal.x) < 0.6 ? carom_v3(1, 0, 0) : carom_v3(0, 1, 0);
    out[0] = dimension == 2 ? carom_v3(-normal.y, normal.x, 0) : carom_v3_cross(normal, hint);
    out[0] = carom_v3_scale(1 / carom_v3_norm(out[0]), out[0]);
    out[1] = carom_v3_cross(normal, out[0]);
}

/* Responses of a contact and the inverse of their coupling; false where it cannot move along a tangent. */
static bool prepare(carom_dynamics *d, int k, sticking *out)
{
    const carom_model *m = d->model;
    const carom_contact_point *p = &d->contacts[k];
    size_t size = (size_t)(m->body_count * m->v_per_body);
    double w[2][2] = {{0}}, free = 0;
    out->count = m->dimension == 2 ? 1 : 2;
    tangents(m->dimension, p->normal, out->tangent);
    out->bias = slip_bias(d, k);
    for (int t = 0; t < out->count; t++) {
        out->response[t] = d->hold + ((size_t)k * 2 + (size_t)t) * size;
        w[t][t] = carom_cartesian_response(d, k, p, out->tangent[t], true, out->response[t], &free);
        if (!(w[t][t] > 1e-12 * free))
            return false;
    }
    if (out->count == 1) {
        out->inverse[0][0] = 1 / w[0][0];
        return true;
    }
    /* J_0 P J_1^T, from the accelerations that a unit force along the second tangent makes */
    for (int side = 0; side < 2; side++) {
        int body = carom_contact_body(m, k, side);
        if (body == 0)
            continue;
        const double *x = out->response[1] + (body - 1) * m->v_per_body;
        carom_vec3 arm = side ? p->arm_j : p->arm_i;
        carom_vec3 point = carom_v3_add(carom_v3_load(x), carom_v3_cross(carom_v3_load(x + 3), arm));
        w[0][1] += (side ? 1 : -1) * carom_v3_dot(out->tangent[0], point);
    }
    w[1][0] = w[0][1];
    double determinant = w[0][0] * w[1][1] - w[0][1] * w[1][0];
    if (!(determinant > 1e-12 * w[0][0] * w[1][1]))
        return false;
    out->inverse[0][0] = w[1][1] / determinant;
    out->inverse[1][1] = w[0][0] / determinant;
    out->inverse[0][1] = out->inverse[1][0] = -w[0][1] / determinant;
    return true;
}

/* One correction of a contact's force towards the wanted rate of slip; returns its size against the force. */
static double correct(carom_dynamics *d, const carom_state *s, int k, sticking *own)
{
    const carom_model *m = d->model;
    const carom_model_contact *c = &m->contacts[k];
    carom_contact_point *p = &d->contacts[k];
    size_t size = (size_t)(m->body_count * m->v_per_body);
    double greatest = c->friction->map(c->friction_constants, 0, fmax(p->force, 0));
    double speed = c->friction->stick_speed(c->friction_constants);
    double settle = fmin(1 / s->contact_time_scale[k], SETTLE_SHARE * greatest / (own->inverse[0][0] * speed));
    carom_vec3 wanted = carom_v3_add(own->bias, carom_v3_add_scaled(slip_rate(d, k, d->acceleration), settle, p->slip));
    carom_vec3 change = {0, 0, 0};
    double rate[2] = {carom_v3_dot(wanted, own->tangent[0]), carom_v3_dot(wanted, own->tangent[1])};
    for (int t = 0; t < own->count; t++) {
        double force = -own->inverse[t][0] * rate[0] - (own->count > 1 ? own->inverse[t][1] * rate[1] : 0);
        change = carom_v3_add_scaled(change, force, own->tangent[t]);
        for (size_t i = 0; i < size; i++)
            d->acceleration[i] += force * own->response[t][i];
    }
    p->friction = carom_v3_add(p->friction, change);
    return carom_v3_norm(change) / fmax(carom_v3_norm(p->friction), 1e-12 * greatest);
}

bool carom_friction_hold(carom_dynamics *d, const carom_state *s, const carom_model_run *run)
{
    const carom_model *m = d->model;
    int count = 0;
    for (int sweep = 0; d->hold && sweep < SWEEPS; sweep++) {
        double largest = 0;
        count = 0;
        for (int k = 0; k < m->contact_count; k++) {
            const carom_model_contact *c = &m->contacts[k];
            sticking own;
            if (!c->friction || !c->friction->holds || !s->contact_open[k] || s->contact_stick[k] != CAROM_STICK)
                continue;
            if (!prepare(d, k, &own))
                continue;
            largest = fmax(largest, correct(d, s, k, &own));
            count++;
        }
        if (count < 2 || largest < SWEEP_TOLERANCE)
            break;
    }
    if (!count)
        return true;
    for (int k = 0; k < m->contact_count; k++) {
        const carom_model_contact *c = &m->contacts[k];
        if (c->friction && c->friction->holds && s->contact_open[k] && s->contact_stick[k] == CAROM_STICK) {
            carom_contact_add_wrench(d, k, d->contacts[k].friction, carom_v3(0, 0, 0));
            d->contacts[k].friction_power -= carom_v3_dot(d->contacts[k].friction, d->contacts[k].slip);
        }
    }
    return carom_cartesian_accelerate(d, run);
}
