/* Point in line: the origin of frame j stays on the line through the origin of frame i along h_i, at any orientation.

   2-D: f_i . d = 0 (1 row). 3-D: f_i . d = 0, g_i . d = 0 (2 rows). Coordinate: h_i . d.
   Source: Haug 1989, Computer Aided Kinematics and Dynamics of Mechanical Systems, sections 3.3 (revolute-translational
   joint) and 9.4 (dot-2 rows). Valid for any travel, also through d = 0. */
#include "kinds/joint/joint.h"

static void rows(const double *p, const carom_frame_pose *i, const carom_frame_pose *j, int dimension, carom_row *out)
{
    (void)p;
    carom_row_along(i, carom_m3_column(&i->axes, 0), j, out);
    if (dimension == 3)
        carom_row_along(i, carom_m3_column(&i->axes, 1), j, out + 1);
}

static void coordinate(const double *p, const carom_frame_pose *i, const carom_frame_pose *j, int dimension,
                       carom_row *out)
{
    (void)p;
    (void)dimension;
    carom_row_along(i, carom_m3_column(&i->axes, 2), j, out);
}

/* The pin rubs along its slot under the force across it. */
static int bearings(void *user, const double *size, const carom_joint_input *in, int place, carom_vec3 force,
                    carom_vec3 moment, carom_vec3 *out)
{
    (void)user;
    (void)size;
    (void)place;
    return carom_joint_friction_bearing(carom_m3_column(&in->i->axes, 2), 0, force, moment, out);
}

static const carom_joint_friction_kind friction = {
    .slip_types = CAROM_SLIPS_SLIDE,
    .slips = carom_joint_friction_slide,
    .bearings = bearings,
};

const carom_joint_kind carom_joint_point_in_line = {
    .kind = {
        .name = "point-in-line",
        .title = "Pin in a straight slot: the second point moves on a line of the first body, and the bodies "
                 "turn freely.",
        .formula = "d = p_j - p_i. 2-D: f_i . d = 0. 3-D: f_i . d = 0, g_i . d = 0. Coordinate: h_i . d.",
        .source = "Haug 1989, Computer Aided Kinematics and Dynamics of Mechanical Systems, sections 3.3 and "
                  "9.4; Nikravesh 1988, Computer-Aided Analysis of Mechanical Systems, sections 4.2 and 7.2",
        .validity = "Any travel and angle. `axis` is the direction of the line in world axes at the start and "
                    "turns with the first body; the line passes through the first frame.",
    },
    .rows_2d = 1,
    .rows_3d = 2,
    .has_axis = true,
    .axis_in_plane = true,
    .coordinate_unit = "m",
    .drawn = "ball rail",
    .rows = rows,
    .coordinate = coordinate,
    .friction = &friction,
};
