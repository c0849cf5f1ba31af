/* Friction of contacts at one instant: tangential forces, couples of rolling and spinning, states of the laws. What
   contacts that stick need is in dynamics/friction/sticking.c. */
#include "dynamics/dynamics.h"

#include <float.h>
#include <math.h>

/* ---- force of a contact that slips ---- */

/* Share of its length that a vector has at least in the tangent plane if it was put beside that by the integrator. */
#define LEAST_FLAT 0.9

/* A vector of the state without what rounding and the integrator have put along the normal, at its own length. Where
   the contact has passed a corner the vector may stand on the plane: that is no deflection in it, and what rounding
   leaves there has no direction. */
static carom_vec3 tangential(carom_vec3 z, carom_vec3 normal)
{
    carom_vec3 flat = carom_v3_add_scaled(z, -carom_v3_dot(z, normal), normal);
    const double length = carom_v3_norm(flat), whole = carom_v3_norm(z);
    return length > 0 ? carom_v3_scale(whole / fmax(length, LEAST_FLAT * whole), flat) : flat;
}

carom_vec3 carom_friction_plane_spin(const carom_model *m, const carom_state *s, int k, const carom_body_pose *i,
                                     const carom_body_pose *j, carom_vec3 normal)
{
    double about = 0.5 * carom_v3_dot(carom_v3_add(i->w, j->w), normal);
    return carom_v3_add_scaled(carom_v3_cross(normal, carom_contact_normal_rate(m, s, k, i, j)), about, normal);
}

/* Couple on j against its spin relative to i: arm times normal force, built up over rolling_speed. */
static carom_vec3 resist(carom_vec3 spin, double moment, double rolling_speed)
{
    double x = carom_v3_norm(spin) / rolling_speed;
    double share = x > 1e-8 ? tanh(x) / x : 1;
    return carom_v3_scale(-moment * share / rolling_speed, spin);
}

carom_vec3 carom_friction_resistance(const carom_model_contact *c, carom_vec3 spin, carom_vec3 normal, double force)
{
    const carom_vec3 about = carom_v3_scale(carom_v3_dot(spin, normal), normal);
    return carom_v3_add(resist(carom_v3_sub(spin, about), c->rolling * force, c->rolling_speed),
                        resist(about, c->spinning * force, c->rolling_speed));
}

static void couples(const carom_model_contact *c, const carom_body_pose *i, const carom_body_pose *j, double normal,
                    carom_contact_point *p)
{
    const carom_vec3 spin = carom_v3_sub(j->w, i->w);
    p->couple = carom_friction_resistance(c, spin, p->normal, normal);
    p->friction_power -= carom_v3_dot(p->couple, spin);
}

/* Force of a law with state; rates of the state with the turning of the tangent plane. */
static carom_vec3 state_force(const carom_model_contact *c, const carom_friction_input *in, const double *z,
                              carom_vec3 turn, carom_vec3 normal, double *rate)
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
    CAROM_KIND_CALL(c->friction, force, c->friction_constants, &input, &out);
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

/* Indentation, of that expected, at which the laws with state see a contact that has just begun or all but ended: at
   zero, where their coefficients go as 1/delta, rounding would decide their rates. The forces there are a share of
   3e-14. */
#define LEAST_DEPTH 1e-9

static carom_contact_point law_point(const carom_model *m, const carom_state *s, int k, const carom_contact_point *p)
{
    carom_contact_point at = *p;
    double least = LEAST_DEPTH * s->located[k].depth_scale;
    if (-p->gap < least) {
        at.gap = -least;
        carom_episode_force(&m->contacts[k], &s->located[k], &at);
    }
    return at;
}

double carom_friction_sliding(const carom_model_contact *c, double normal)
{
    const double slow = 2 * CAROM_KIND_CALL(c->friction, stick_speed, c->friction_constants);
    return CAROM_KIND_CALL(c->friction, map, c->friction_constants, slow, normal);
}

double carom_friction_greatest(const carom_friction_kind *law, const double *constants, double normal)
{
    return law->state ? CAROM_KIND_CALL(law, cone, constants) * normal
                      : CAROM_KIND_CALL(law, map, constants, 0, normal);
}

double carom_friction_rests_below(const carom_model_contact *c, const carom_episode *e)
{
    return CAROM_KIND_CALL(c->friction, stick_speed, c->friction_constants) + e->rocking;
}

bool carom_friction_drops(const carom_model_contact *c)
{
    return CAROM_KIND_CALL(c->friction, map, c->friction_constants, 0, 1) > (1 + 1e-9) * carom_friction_sliding(c, 1);
}

carom_vec3 carom_friction_with_state(const carom_model *m, const carom_state *s, int k, const carom_contact_point *p,
                                     carom_vec3 turn, const double *z, double *rate)
{
    const carom_contact_point at = law_point(m, s, k, p);
    const carom_friction_input in = {.slip = p->slip,
                                     .speed = carom_v3_norm(p->slip),
                                     .normal = fmax(at.force, 0),
                                     .delta = fmax(-at.gap, 0),
                                     .rate = -p->gap_rate,
                                     .elastic = fmax(at.elastic, 0),
                                     .elastic_slope = at.elastic_slope,
                                     .depth = s->located[k].depth_scale,
                                     .duration = s->located[k].time_scale};
    return state_force(&m->contacts[k], &in, z, turn, p->normal, rate);
}

/* Direction of a slip in the motion beside which a state is, in the tangent plane of its point; `size` of that slip;
   false: there is none. */
static bool beside(const carom_state *s, int k, const carom_contact_point *p, carom_vec3 *along, double *size)
{
    if (!s->slips)
        return false;
    const carom_vec3 flat = carom_v3_add_scaled(s->slips[k], -carom_v3_dot(s->slips[k], p->normal), p->normal);
    const double length = carom_v3_norm(flat);
    *size = carom_v3_norm(s->slips[k]);
    if (!(length > 0))
        return false;
    *along = carom_v3_scale(1 / length, flat);
    return true;
}

double carom_friction_slip_speed(const carom_state *s, int k, const carom_contact_point *p)
{
    carom_vec3 along;
    double size;
    return beside(s, k, p, &along, &size) ? carom_v3_dot(p->slip, along) : carom_v3_norm(p->slip);
}

/* Force of a law without state against the slip. Beside another motion its direction is linear in the difference of
   both slips, u + (v - (u v) u) / |v0| with u = v0 / |v0|, also where v has turned round. */
static carom_vec3 sliding_force(const carom_model_contact *c, const carom_state *s, int k, const carom_contact_point *p,
                                double normal)
{
    const double own = carom_v3_norm(p->slip);
    carom_vec3 direction;
    double size;
    if (c->friction->set_valued && beside(s, k, p, &direction, &size)) {
        const double along = carom_v3_dot(p->slip, direction), speed = fmax(along, DBL_MIN);
        const carom_vec3 across = carom_v3_add_scaled(p->slip, -along, direction);
        return carom_v3_scale(-CAROM_KIND_CALL(c->friction, map, c->friction_constants, speed, normal),
                              carom_v3_add_scaled(direction, 1 / size, across));
    }
    if (!(own > 0))
        return carom_v3(0, 0, 0);
    return carom_v3_scale(-CAROM_KIND_CALL(c->friction, map, c->friction_constants, own, normal) / own, p->slip);
}

void carom_friction_at(const carom_model *m, const carom_state *s, int k, const carom_body_pose *pose_i,
                       const carom_body_pose *pose_j, const double *z, carom_contact_point *p, double *rate)
{
    const carom_model_contact *c = &m->contacts[k];
    double normal = fmax(p->force, 0);
    p->friction = p->couple = carom_v3(0, 0, 0);
    p->friction_power = 0;
    if (c->rolling > 0 || c->spinning > 0)
        couples(c, pose_i, pose_j, normal, p);
    if (!c->friction)
        return;
    if (s->located[k].stick == CAROM_STICKING) {
        for (int i = 0; rate && i < c->friction->state; i++)
            rate[i] = 0;
        return;
    }
    if (c->friction->state)
        p->friction = carom_friction_with_state(
            m, s, k, p, carom_friction_plane_spin(m, s, k, pose_i, pose_j, p->normal), z, rate);
    else if (c->friction->set_valued && s->located[k].stick == CAROM_BREAKING_AWAY)
        p->friction = carom_v3_scale(-carom_friction_sliding(c, normal), s->located[k].parting);
    else
        p->friction = sliding_force(c, s, k, p, normal);
    p->friction_power -= carom_v3_dot(p->friction, p->slip);
}
