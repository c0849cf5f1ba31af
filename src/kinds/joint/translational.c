/* Translational joint (slider, prismatic joint): body j slides along the axis h_i and does not turn against body i.

   2-D: f_i . d = 0, f_i . h_j = 0 (2 rows). 3-D: f_i . d = 0, g_i . d = 0, f_i . h_j = 0, g_i . h_j = 0, f_i . g_j = 0
   (5 rows); both triads are equal at the start. Coordinate: h_i . d.
   Source: Nikravesh 1988, Computer-Aided Analysis of Mechanical Systems, sections 4.2 (planar) and 7.2 (spatial);
   Haug 1989, sections 3.3 and 9.4. Valid for any travel, also through d = 0. */
#include "kinds/joint.h"

static void rows(const double *p, const carom_frame_pose *i, const carom_frame_pose *j, int dimension, carom_row *out)
{
    (void)p;
    const carom_vec3 f = carom_m3_column(&i->axes, 0), h = carom_m3_column(&j->axes, 2);

    carom_row_along(i, f, j, out);
    carom_row_perpendicular(i, f, j, h, out + 1);
    if (dimension < 3)
        return;
    const carom_vec3 g = carom_m3_column(&i->axes, 1);
    carom_row_along(i, g, j, out + 2);
    carom_row_perpendicular(i, g, j, h, out + 3);
    carom_row_perpendicular(i, f, j, carom_m3_column(&j->axes, 1), out + 4);
}

static void coordinate(const double *p, const carom_frame_pose *i, const carom_frame_pose *j, int dimension,
                       carom_row *out)
{
    (void)p;
    (void)dimension;
    carom_row_along(i, carom_m3_column(&i->axes, 2), j, out);
}

const carom_joint_kind carom_joint_translational = {
    .kind = {
        .name = "translational",
        .aliases = "prismatic",
        .title = "Slider: the second point moves on a line through the first one, and the bodies do not turn "
                 "against each other.",
        .formula = "d = p_j - p_i. 2-D: f_i . d = 0, f_i . h_j = 0. 3-D: f_i . d = 0, g_i . d = 0, f_i . h_j = "
                   "0, g_i . h_j = 0, f_i . g_j = 0. Coordinate: h_i . d.",
        .source = "Nikravesh 1988, Computer-Aided Analysis of Mechanical Systems, sections 4.2 and 7.2; Haug "
                  "1989, Computer Aided Kinematics and Dynamics of Mechanical Systems, sections 3.3 and 9.4",
        .validity = "Any travel, also through zero. `axis` is the direction of sliding in world axes at the "
                    "start and turns with the first body; the line passes through the first frame and the "
                    "relative angle of the start is kept.",
    },
    .rows_2d = 2,
    .rows_3d = 5,
    .has_axis = true,
    .axis_in_plane = true,
    .axes_locked = true,
    .coordinate_unit = "m",
    .rows = rows,
    .coordinate = coordinate,
};
