/* Fixed joint (weld): body j does not move against body i.

   2-D: d = 0, f_i . g_j = 0 (3 rows). 3-D: d = 0, f_i . g_j = 0, g_i . h_j = 0, h_i . f_j = 0 (6 rows); both triads are
   equal at the start. No coordinate.
   Source: Nikravesh 1988, Computer-Aided Analysis of Mechanical Systems, section 7.2 (rows of spherical and
   perpendicular type); Haug 1989, section 9.4. The rows f_i . g_j = 0 hold at half a turn as well, which no continuous
   motion reaches. */
#include "kinds/joint/joint.h"

static void rows(const double *p, const carom_frame_pose *i, const carom_frame_pose *j, int dimension, carom_row *out)
{
    (void)p;
    const carom_vec3 f = carom_m3_column(&i->axes, 0), g = carom_m3_column(&j->axes, 1);

    carom_row_point(i, j, dimension, out);
    carom_row_perpendicular(i, f, j, g, out + dimension);
    if (dimension < 3)
        return;
    carom_row_perpendicular(i, carom_m3_column(&i->axes, 1), j, carom_m3_column(&j->axes, 2), out + 4);
    carom_row_perpendicular(i, carom_m3_column(&i->axes, 2), j, carom_m3_column(&j->axes, 0), out + 5);
}

static void place(const double *p, const double *q, carom_vec3 *origin, carom_mat3 *axes)
{
    (void)p;
    (void)q;
    *origin = carom_v3(0, 0, 0);
    *axes = carom_m3_identity();
}

static void coordinates(const double *p, const carom_vec3 *origin, const carom_mat3 *axes, double *q)
{
    (void)p;
    (void)origin;
    (void)axes;
    (void)q;
}

static void subspace(const double *p, const double *q, carom_joint_twist *columns)
{
    (void)p;
    (void)q;
    (void)columns;
}

static const carom_joint_freedoms freedoms = {.place = place, .coordinates = coordinates, .subspace = subspace};

const carom_joint_kind carom_joint_fixed = {
    .kind = {
        .name = "fixed",
        .title = "Weld: the two points stay together and the bodies do not turn against each other.",
        .formula = "2-D: p_j - p_i = 0, f_i . g_j = 0. 3-D: p_j - p_i = 0, f_i . g_j = 0, g_i . h_j = 0, h_i . "
                   "f_j = 0.",
        .source = "Nikravesh 1988, Computer-Aided Analysis of Mechanical Systems, section 7.2; Haug 1989, "
                  "Computer Aided Kinematics and Dynamics of Mechanical Systems, sections 3.3 and 9.4",
        .validity = "Always. The relative orientation of the start is kept; the points are brought together at "
                    "the start. One body is faster than two that are welded: weld where the reaction is wanted.",
    },
    .rows_2d = 3,
    .rows_3d = 6,
    .axes_locked = true,
    .rows = rows,
    .freedoms = &freedoms,
};
