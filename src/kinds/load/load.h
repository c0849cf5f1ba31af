/* The loads and what they share. The forces and torques that a load exerts on its two sides have no resultant:
   forces act along the line of the origins, or at the origin of the second frame on both bodies. */
#ifndef CAROM_LOAD_H
#define CAROM_LOAD_H

#include "kinds/kind.h"

#include <float.h>
#include <math.h>

#define CAROM_KIND(symbol) extern const carom_load_kind carom_load_##symbol;
#include "kinds/load/load.def"
#undef CAROM_KIND

/* Line from origin i to origin j. */
typedef struct carom_load_line {
    carom_vec3 direction;       /* unit, from i to j; zero where the origins coincide [-] */
    double length;              /* [m] */
    double rate;                /* rate of the length [m/s]; zero where the origins coincide */
} carom_load_line;

static inline carom_load_line carom_load_line_of(const carom_frame_pose *i, const carom_frame_pose *j)
{
    const carom_vec3 d = carom_v3_sub(j->p, i->p);
    const double length = carom_v3_norm(d);
    const carom_vec3 u = carom_v3_scale(length > 0 ? 1 / length : 0, d);
    return (carom_load_line){u, length, carom_v3_dot(u, carom_v3_sub(j->v, i->v))};
}

/* A vector given in world axes, or in those of the frame that the load acts on (index 1 of "world|body"), or in
   those of the frame that `axes` names. */
static inline carom_vec3 carom_load_to_world(const carom_load_input *in, const double *vector, double axes)
{
    const carom_vec3 v = carom_v3_load(vector);
    const carom_mat3 *own = in->frames == 2 ? &in->j.axes : &in->i.axes;
    return axes < 0.5 ? v : carom_m3_apply(axes < 1.5 ? own : &in->reference, v);
}

/* A deflection, its rate, and what rounding of poses and velocities leaves of both. */
typedef struct carom_deflection {
    double value, rate, noise, rate_noise;
} carom_deflection;

/* Units of rounding of a coordinate in a deflection: a mechanism that only moves as a whole stays within these. */
#define CAROM_DEFLECTION_ROUNDING (16 * DBL_EPSILON)

/* A distance between the frames [m]. */
static inline carom_deflection carom_load_distance(const carom_load_input *in, double value, double rate)
{
    const double size = carom_v3_norm(in->i.p) + carom_v3_norm(in->j.p);
    const double speed = carom_v3_norm(in->i.v) + carom_v3_norm(in->j.v);
    return (carom_deflection){value, rate, CAROM_DEFLECTION_ROUNDING * size, CAROM_DEFLECTION_ROUNDING * speed};
}

/* An angle between the frames [rad]. */
static inline carom_deflection carom_load_angle(const carom_load_input *in, double value, double rate)
{
    const double spin = carom_v3_norm(in->i.w) + carom_v3_norm(in->j.w);
    return (carom_deflection){value, rate, CAROM_DEFLECTION_ROUNDING * (1 + fabs(value)),
                              CAROM_DEFLECTION_ROUNDING * spin};
}

/* The coordinate of the joint that the load is on, from `origin` on. */
static inline carom_deflection carom_load_coordinate(const carom_load_input *in, double origin)
{
    const carom_row *row = &in->coordinate;
    const bool turns = carom_v3_dot(row->Lj, row->Lj) == 0;
    return turns ? carom_load_angle(in, row->phi - origin, in->coordinate_rate)
                 : carom_load_distance(in, row->phi - origin, in->coordinate_rate);
}

/* Branch of a switch whose quantity is now x, with its rate and noise, which are noted for the pipeline. */
static inline int carom_load_branch(const carom_load_input *in, carom_load_output *out, int which, double x,
                                    double rate, double noise)
{
    const carom_edges *edges = &in->edges[which];
    out->quantity[which] = x;
    out->noise[which] = noise;
    out->branch[which] = in->branch ? in->branch[which] : carom_switch_branch(edges, (carom_jet){x, rate, 0});
    return out->branch[which];
}

/* The wrenches of an effort along the coordinate of the joint that the load is on [N or N m], the reaction on the first
   body. The gradient of the coordinate is about the centres of mass, torques are about the origins of the frames. */
static inline void carom_load_along_coordinate(const carom_load_input *in, double effort, carom_load_output *out)
{
    const carom_row *row = &in->coordinate;
    out->force_i = carom_v3_scale(effort, row->Li);
    out->force_j = carom_v3_scale(effort, row->Lj);
    out->torque_i = carom_v3_sub(carom_v3_scale(effort, row->Ai), carom_v3_cross(in->i.arm, out->force_i));
    out->torque_j = carom_v3_sub(carom_v3_scale(effort, row->Aj), carom_v3_cross(in->j.arm, out->force_j));
}

/* Rate of the vector from origin i to origin j as seen in frame i, world axes [m/s]. */
static inline carom_vec3 carom_load_relative_velocity(const carom_frame_pose *i, const carom_frame_pose *j)
{
    const carom_vec3 d = carom_v3_sub(j->p, i->p);
    return carom_v3_sub(carom_v3_sub(j->v, i->v), carom_v3_cross(i->w, d));
}

/* ---- characteristic (load_characteristic.c): force of one direction over its deflection ---- */

/* With e the deflection s beyond the free play of +-gap (0 inside it): F = k e + k3 e^3, or the curve F(e), and c
   s'. It acts on both sides, or on one. On one side, or with free play, the damping acts while that side is
   engaged and does not turn the force around. The curve is a spline. Stored energy: the integral of F from 0 to e. */
typedef struct carom_characteristic {
    double stiffness, cubic, damping;
    double gap;                 /* >= 0 */
    double curve;               /* 1 + index of a spline; 0: none */
    int side;                   /* 0: both, 1: s > 0 alone, -1: s < 0 alone */
} carom_characteristic;

typedef struct carom_characteristic_force {
    double force;               /* against the deflection, */
    double slope;               /* and its elastic part's slope */
    double stored, dissipation;
} carom_characteristic_force;

/* Switches of a characteristic: the segment of the deflection, and whether the damping would turn the force around. */
#define CAROM_CHARACTERISTIC_SWITCHES 2

/* Edges of its switch `which`, as in carom_load_kind. */
size_t carom_characteristic_edges(const carom_characteristic *c, const carom_spline_table *curves, int which,
                                  double *out);
/* Force at a deflection; its switches of the load are first, first + 1. */
carom_characteristic_force carom_characteristic_at(const carom_characteristic *c, const carom_load_input *in,
                                                   carom_load_output *out, int first, const carom_deflection *s);
/* Without characteristic: NULL, or the sentence of the refusal. */
const char *carom_characteristic_check(double *stiffness, double cubic, double curve);

#endif
