/* Cylindrical joint: body j slides along the axis h_i and turns about it.

   3-D: f_i . d = 0, g_i . d = 0, f_i . h_j = 0, g_i . h_j = 0 (4 rows). Coordinate: the travel h_i . d.
   Source: Nikravesh 1988, Computer-Aided Analysis of Mechanical Systems, section 7.2; Haug 1989, section 9.4.
   Valid for any travel and angle; the plane has no such joint. */
#include "kinds/joint.h"

static void rows(const double *p, const carom_frame_pose *i, const carom_frame_pose *j, int dimension, carom_row *out)
{
    (void)p;
    (void)dimension;
    const carom_vec3 f = carom_m3_column(&i->axes, 0), g = carom_m3_column(&i->axes, 1);
    const carom_vec3 h = carom_m3_column(&j->axes, 2);

    carom_row_along(i, f, j, out);
    carom_row_along(i, g, j, out + 1);
    carom_row_perpendicular(i, f, j, h, out + 2);
    carom_row_perpendicular(i, g, j, h, out + 3);
}

static void coordinate(const double *p, const carom_frame_pose *i, const carom_frame_pose *j, int dimension,
                       carom_row *out)
{
    (void)p;
    (void)dimension;
    carom_row_along(i, carom_m3_column(&i->axes, 2), j, out);
}

const carom_joint_kind carom_joint_cylindrical = {
    .kind = {
        .name = "cylindrical",
        .title = "Cylinder in a sleeve: the bodies slide along one common axis and turn about it.",
        .formula = "d = p_j - p_i. 3-D: f_i . d = 0, g_i . d = 0, f_i . h_j = 0, g_i . h_j = 0. Coordinate: "
                   "h_i . d.",
        .source = "Nikravesh 1988, Computer-Aided Analysis of Mechanical Systems, section 7.2; Haug 1989, "
                  "Computer Aided Kinematics and Dynamics of Mechanical Systems, section 9.4",
        .validity = "Three dimensions only, any travel and angle. The coordinate is the travel; the angle about "
                    "the axis is free and has no coordinate.",
    },
    .rows_3d = 4,
    .has_axis = true,
    .coordinate_unit = "m",
    .rows = rows,
    .coordinate = coordinate,
    .clearance_needs = {0, CAROM_CLEARANCE_BIT(RADIAL) | CAROM_CLEARANCE_BIT(RADIUS) | CAROM_CLEARANCE_BIT(LENGTH)},
    .clearance = carom_clearance_bearing,
};
