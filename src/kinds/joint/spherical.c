/* Spherical joint (ball and socket): the origins coincide.

   3-D: d = 0 (3 rows). No coordinate.
   Source: Nikravesh 1988, Computer-Aided Analysis of Mechanical Systems, section 7.2; Haug 1989, section 9.4.
   Valid at any orientation; in the plane it is the revolute joint. */
#include "kinds/joint.h"

static void rows(const double *p, const carom_frame_pose *i, const carom_frame_pose *j, int dimension, carom_row *out)
{
    (void)p;
    (void)dimension;
    carom_row_point(i, j, 3, out);
}

/* A ball in its socket. */
static void clearance(const double *size, int dimension, carom_clearance_parts *out)
{
    (void)dimension;
    const double radius = size[CAROM_CLEARANCE_RADIUS], radial = size[CAROM_CLEARANCE_RADIAL];
    int socket = carom_clearance_add(
        out, (carom_clearance_shape){.name = "socket", .type = "sphere", .radius = -(radius + radial)});
    int ball = carom_clearance_add(
        out, (carom_clearance_shape){.name = "ball", .type = "sphere", .side = 1, .radius = radius});
    carom_clearance_touch(out, socket, ball);
    out->play = radial;
    out->round_about = true;
}

const carom_joint_kind carom_joint_spherical = {
    .kind = {
        .name = "spherical",
        .title = "Ball and socket: the two points stay together and the bodies turn freely.",
        .formula = "3-D: p_j - p_i = 0.",
        .source = "Nikravesh 1988, Computer-Aided Analysis of Mechanical Systems, section 7.2; Haug 1989, "
                  "Computer Aided Kinematics and Dynamics of Mechanical Systems, section 9.4",
        .validity = "Three dimensions only (in the plane use revolute), any orientation. A body between two ball "
                    "joints may spin about the line of their centres: that freedom is counted.",
    },
    .rows_3d = 3,
    .rows = rows,
    .clearance_needs = {0, CAROM_CLEARANCE_BIT(RADIAL) | CAROM_CLEARANCE_BIT(RADIUS)},
    .clearance = clearance,
};
