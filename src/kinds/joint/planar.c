/* Planar joint: the origin of frame j stays in the plane through the origin of frame i normal to h_i, and body j turns
   about that normal only.

   3-D: f_i . h_j = 0, g_i . h_j = 0, h_i . d = 0 (3 rows). Coordinates x = f_i . d, y = g_i . d, and the angle of
   revolute joints.
   Source: Haug 1989, Computer Aided Kinematics and Dynamics of Mechanical Systems, section 9.4 (dot-1 and dot-2 rows);
   Nikravesh 1988, section 7.2. Valid for any travel and angle; the plane has no such joint. */
#include "kinds/joint/joint.h"

static void rows(const double *p, const carom_frame_pose *i, const carom_frame_pose *j, int dimension, carom_row *out)
{
    (void)p;
    (void)dimension;
    const carom_vec3 h = carom_m3_column(&j->axes, 2);

    carom_row_perpendicular(i, carom_m3_column(&i->axes, 0), j, h, out);
    carom_row_perpendicular(i, carom_m3_column(&i->axes, 1), j, h, out + 1);
    carom_row_along(i, carom_m3_column(&i->axes, 2), j, out + 2);
}

/* The faces rub in their plane and, with a radius, against their spin, under the force along the normal. */
static int slips(void *user, const double *size, const carom_joint_input *in, int place, carom_row *out)
{
    (void)user;
    if (place > 0)
        return 0;
    carom_row_along(in->i, carom_m3_column(&in->i->axes, 0), in->j, out);
    carom_row_along(in->i, carom_m3_column(&in->i->axes, 1), in->j, out + 1);
    if (!(size[CAROM_FRICTION_RADIUS] > 0))
        return 2;
    carom_row_spin(in->i, carom_m3_column(&in->i->axes, 2), in->i->w, in->j, size[CAROM_FRICTION_RADIUS], out + 2);
    return 3;
}

/* Place in the plane, then angle. */
static void place(const double *p, const double *q, carom_vec3 *origin, carom_mat3 *axes)
{
    (void)p;
    *origin = carom_v3(q[0], q[1], 0);
    *axes = carom_joint_turned(q[2]);
}

static void coordinates(const double *p, const carom_vec3 *origin, const carom_mat3 *axes, double *q)
{
    (void)p;
    q[0] = origin->x;
    q[1] = origin->y;
    q[2] = carom_joint_angle(axes);
}

static void subspace(const double *p, const double *q, carom_joint_twist *columns)
{
    (void)p;
    (void)q;
    columns[0] = (carom_joint_twist){.move = {1, 0, 0}};
    columns[1] = (carom_joint_twist){.move = {0, 1, 0}};
    columns[2] = (carom_joint_twist){.turn = {0, 0, 1}};
}

static const carom_joint_freedoms freedoms = {
    .positions = 3, .speeds = 3, .place = place, .coordinates = coordinates, .subspace = subspace};

static const carom_joint_friction_kind friction = {
    .takes = {0, CAROM_FRICTION_SIZE_BIT(RADIUS)},
    .slip_types = CAROM_SLIPS_BOTH,
    .slips = slips,
    .bearings = carom_joint_friction_face,
};

static const carom_joint_kind *const coordinates_besides[] = {&carom_coordinate_x, &carom_coordinate_y,
                                                              &carom_coordinate_angle, NULL};

const carom_joint_kind carom_joint_planar = {
    .kind = {
        .name = "planar",
        .title = "Face on face: the second point moves in a plane of the first body, and the bodies turn "
                 "about its normal only.",
        .formula = "d = p_j - p_i. 3-D: f_i . h_j = 0, g_i . h_j = 0, h_i . d = 0. Coordinates x: "
                   "f_i . d, y: g_i . d, angle: from f_i to f_j about h_i.",
        .source = "Haug 1989, Computer Aided Kinematics and Dynamics of Mechanical Systems, section 9.4; "
                  "Nikravesh 1988, Computer-Aided Analysis of Mechanical Systems, section 7.2",
        .validity = "Three dimensions only, any travel and angle. `axis` is the normal of the plane in world "
                    "axes at the start; the plane passes through the first frame. The constraint acts both ways: "
                    "the faces never separate.",
    },
    .rows_3d = 3,
    .in_plane = "bodies move in the plane by themselves, so leave it out",
    .has_axis = true,
    .rows = rows,
    .freedoms = &freedoms,
    .coordinates = coordinates_besides,
    .friction = &friction,
};
