/* The joints and the constraint rows they are made of.

   Each row is written over the world twists of the two bodies (velocity of the centre of mass, angular velocity) and is
   exact at every pose, on the constraint and off it: J v = d(phi)/dt and gamma = -Jdot v, so that phi'' = J a - gamma.
   With d = p_j - p_i (origin i to origin j), s = arm, c = centripetal: d' = v_pj - v_pi and
   d'' = (a_j + alpha_j x s_j + c_j) - (a_i + alpha_i x s_i + c_i). The rows serve planar models unchanged (z = 0,
   w = (0, 0, w)).

   Source: Haug 1989, Computer Aided Kinematics and Dynamics of Mechanical Systems, chapters 3 (planar) and 9 (spatial:
   dot-1, dot-2 and spherical constraints); Nikravesh 1988, Computer-Aided Analysis of Mechanical Systems, chapters 4
   and 7; here with world angular velocities in place of body-fixed ones. */
#ifndef CAROM_JOINT_H
#define CAROM_JOINT_H

#include <math.h>
#include "kinds/kind.h"

#define CAROM_KIND(symbol) extern const carom_joint_kind carom_joint_##symbol;
#include "kinds/joint/joint.def"
#undef CAROM_KIND

/* Turn of the unit vector f of body j about base[2] from base[0] towards base[1], right-handed axes of body i: phi
   within half a turn. */
void carom_row_turn(const carom_frame_pose *i, const carom_vec3 base[3], const carom_frame_pose *j, carom_vec3 f,
                    carom_row *out);

/* The further coordinate of a kind that has a name; NULL: there is none. */
const carom_joint_kind *carom_joint_further(const carom_joint_kind *kind, const char *name);

/* The coordinate of a joint that has one; `near` is it a little before, from which turns are told and paths
   followed. */
static inline void carom_joint_coordinate(const carom_joint_kind *kind, const double *p, const carom_frame_pose *i,
                                          const carom_frame_pose *j, int dimension, double near, carom_row *out)
{
    if (kind->follow) {
        kind->coordinate_at(p, i, j, kind->follow(p, i, j, near), out);
        return;
    }
    CAROM_KIND_CALL(kind, coordinate, p, i, j, dimension, out);
    if (dimension == 3 && kind->coordinate_unit[0] == 'r')
        out->phi += 2 * CAROM_PI * nearbyint((near - out->phi) / (2 * CAROM_PI));
}

/* What rows and friction of a joint are made from; of built-in kinds the coordinate is there only where it is
   followed. */
static inline carom_joint_input carom_joint_input_of(const carom_joint_kind *kind, const double *p,
                                                     const carom_frame_pose *i, const carom_frame_pose *j,
                                                     int dimension, double near)
{
    carom_joint_input in = {.p = p, .i = i, .j = j, .dimension = dimension};
    if (kind->coordinate_unit && (kind->outside || kind->follow))
        carom_joint_coordinate(kind, p, i, j, dimension, near, &in.coordinate);
    return in;
}

/* The rows of a joint of any origin; `near` as above. */
static inline void carom_joint_rows(const carom_joint_kind *kind, const double *p, const carom_frame_pose *i,
                                    const carom_frame_pose *j, int dimension, double near, carom_row *out)
{
    if (kind->outside) {
        const carom_joint_input in = carom_joint_input_of(kind, p, i, j, dimension, near);
        kind->outside->rows(kind->user, &in, out);
    } else if (kind->follow)
        kind->rows_at(p, i, j, dimension, kind->follow(p, i, j, near), out);
    else
        kind->rows(p, i, j, dimension, out);
}

/* ---- joint_freedoms.c: coordinates of joints that hold ---- */

/* Axes turned by an angle about h, and the angle of such axes. */
carom_mat3 carom_joint_turned(double angle);
double carom_joint_angle(const carom_mat3 *axes);

/* ---- joint_coordinates.c: coordinates that a joint may have besides its own ---- */

/* Places of the second origin along the axes f, g and h of the first frame, and the angle about h. */
extern const carom_joint_kind carom_coordinate_x, carom_coordinate_y, carom_coordinate_travel, carom_coordinate_angle;

/* ---- joint_friction.c: Friction sites of joints ---- */

#define CAROM_FRICTION_SIZE_BIT(size) (1u << CAROM_FRICTION_##size)

/* A bearing about or along the unit vector h: the force across it, and with a length the couple across it, taken as two
   forces at its ends. Returns their number. */
int carom_joint_friction_bearing(carom_vec3 h, double length, carom_vec3 force, carom_vec3 moment, carom_vec3 *out);

/* A slider or pin that rubs along the axis h of i: `slips` of a joint. */
int carom_joint_friction_slide(void *user, const double *size, const carom_joint_input *in, int place, carom_row *out);
/* A plane across the axis h of i that bears the force along it: `bearings` of a joint. */
int carom_joint_friction_face(void *user, const double *size, const carom_joint_input *in, int place, carom_vec3 force,
                              carom_vec3 moment, carom_vec3 *out);

/* ---- joint_clearance.c: parts of joints with clearance ---- */

#define CAROM_CLEARANCE_BIT(size) (1u << CAROM_CLEARANCE_##size)

/* Adds a shape; returns its index. */
int carom_clearance_add(carom_clearance_parts *parts, carom_clearance_shape shape);
/* Adds a contact of the shape `first` on the first body with `second` on the second. */
void carom_clearance_touch(carom_clearance_parts *parts, int first, int second);
/* A journal in its bearing: discs in the plane; in space the circles at both ends of the journal in a bore. */
void carom_clearance_bearing(void *user, const double *size, int dimension, carom_clearance_parts *out);

#endif
