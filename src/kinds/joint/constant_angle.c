/* Constant angle: an axis of the first body and one of the second keep their angle; the points are free.

   3-D: h_i . h_j - cos(angle) = 0 (1 row); without an angle that of the start. At 90 degrees it is the perpendicular
   row of universal joints, here without the point. An angle of 0 or 180 degrees would need two rows and is refused.
   Source: Haug 1989, Computer Aided Kinematics and Dynamics of Mechanical Systems, section 9.4 (dot-1 constraint).
   Valid for any motion; the plane has no such joint. */
#include "kinds/joint/joint.h"

enum { ANGLE };

static const carom_param_row parameters[] = {
    {"angle", "rad", 1, CAROM_PARAM_OPTIONAL, (double)NAN, -HUGE_VAL, HUGE_VAL,
     "Angle between the two axes; without it that of the start."},
};

/* Sine below which the row says nothing of the velocities. */
#define ALONG 1e-3

static const char *start(double *p, const carom_frame_pose *i, const carom_frame_pose *j)
{
    const carom_vec3 a = carom_m3_column(&i->axes, 2), b = carom_m3_column(&j->axes, 2);
    if (isnan(p[ANGLE]))
        p[ANGLE] = atan2(carom_v3_norm(carom_v3_cross(a, b)), carom_v3_dot(a, b));
    if (fabs(sin(p[ANGLE])) < ALONG)
        return "the axes are along each other, which one row cannot hold; take a joint that keeps axes parallel, such "
               "as planar or cylindrical";
    return NULL;
}

static void rows(const double *p, const carom_frame_pose *i, const carom_frame_pose *j, int dimension, carom_row *out)
{
    (void)dimension;
    carom_row_perpendicular(i, carom_m3_column(&i->axes, 2), j, carom_m3_column(&j->axes, 2), out);
    out->phi -= cos(p[ANGLE]);
}

const carom_joint_kind carom_joint_constant_angle = {
    .kind = {
        .name = "constant-angle",
        .title = "An axis of the first body and one of the second keep their angle; the points are free.",
        .formula = "3-D: h_i . h_j - cos(angle) = 0.",
        .source = "Haug 1989, Computer Aided Kinematics and Dynamics of Mechanical Systems, section 9.4",
        .validity = "Three dimensions only. `axis` is on the first body, `axis2` on the second, both in world axes at "
                    "the start. The angle is between 0 and 180 degrees, both excluded.",
        .params = parameters,
        .param_count = sizeof parameters / sizeof parameters[0],
    },
    .rows_3d = 1,
    .in_plane = "two bodies on `revolute` joints keep their angle by a `coupler` of these",
    .has_axis = true,
    .axis2_on_j = true,
    .start = start,
    .rows = rows,
};
