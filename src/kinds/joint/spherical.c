/* Spherical joint (ball and socket): the origins coincide.

   3-D: d = 0 (3 rows). No coordinate.
   Source: Nikravesh 1988, Computer-Aided Analysis of Mechanical Systems, section 7.2; Haug 1989, section 9.4.
   Valid at any orientation; in the plane it is the revolute joint. */
#include "kinds/joint/joint.h"

static void rows(const double *p, const carom_frame_pose *i, const carom_frame_pose *j, int dimension, carom_row *out)
{
    (void)p;
    (void)dimension;
    carom_row_point(i, j, 3, out);
}

/* A ball in its socket. */
static void clearance(void *user, const double *size, int dimension, carom_clearance_parts *out)
{
    (void)user;
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

/* The ball rubs against every relative spin with the arm of its radius, under the whole force. */
static int slips(void *user, const double *size, const carom_joint_input *in, int place, carom_row *out)
{
    (void)user;
    if (place > 0)
        return 0;
    for (int k = 0; k < 3; k++)
        carom_row_spin(in->i, carom_m3_column(&in->i->axes, k), in->i->w, in->j, size[CAROM_FRICTION_RADIUS], out + k);
    return 3;
}

static int bearings(void *user, const double *size, const carom_joint_input *in, int place, carom_vec3 force,
                    carom_vec3 moment, carom_vec3 *out)
{
    (void)in;
    (void)user;
    (void)size;
    (void)place;
    (void)moment;
    out[0] = force;
    return 1;
}

/* Positions: the quaternion w, x, y, z of j in i; speeds: the spin in the axes of i. */
static carom_quat load(const double *q) { return (carom_quat){q[0], q[1], q[2], q[3]}; }

static void store(carom_quat n, double *q)
{
    q[0] = n.w;
    q[1] = n.x;
    q[2] = n.y;
    q[3] = n.z;
}

static void place(const double *p, const double *q, carom_vec3 *origin, carom_mat3 *axes)
{
    (void)p;
    *origin = carom_v3(0, 0, 0);
    *axes = carom_quat_matrix(load(q));
}

static void coordinates(const double *p, const carom_vec3 *origin, const carom_mat3 *axes, double *q)
{
    (void)p;
    (void)origin;
    store(carom_quat_from_axes(axes), q);
}

static void subspace(const double *p, const double *q, carom_joint_twist *columns)
{
    (void)p;
    (void)q;
    for (int k = 0; k < 3; k++)
        columns[k] = (carom_joint_twist){.turn = {k == 0, k == 1, k == 2}};
}

static void rate(const double *q, const double *u, double *out)
{
    store(carom_quat_rate(load(q), carom_v3_load(u)), out);
}

static void retract(const double *step, double *q)
{
    const carom_quat turn = carom_quat_from_rotation(carom_v3_load(step));
    store(carom_quat_normalise(carom_quat_multiply(turn, load(q))), q);
}

static void difference(const double *from, const double *to, double *step)
{
    const carom_quat back = {from[0], -from[1], -from[2], -from[3]};
    const carom_vec3 turn = carom_quat_rotation(carom_quat_normalise(carom_quat_multiply(load(to), back)));
    step[0] = turn.x;
    step[1] = turn.y;
    step[2] = turn.z;
}

static const carom_joint_freedoms freedoms = {.positions = 4,
                                              .speeds = 3,
                                              .place = place,
                                              .coordinates = coordinates,
                                              .subspace = subspace,
                                              .rate = rate,
                                              .retract = retract,
                                              .difference = difference};

static const carom_joint_clearance_kind clearance_kind = {
    .needs = {0, CAROM_CLEARANCE_BIT(RADIAL) | CAROM_CLEARANCE_BIT(RADIUS)},
    .parts = clearance,
};

static const carom_joint_friction_kind friction = {
    .needs = {0, CAROM_FRICTION_SIZE_BIT(RADIUS)},
    .slip_types = CAROM_SLIPS_TURN,
    .slips = slips,
    .bearings = bearings,
};

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
    .in_plane = "use `revolute`",
    .drawn = "ball",
    .rows = rows,
    .freedoms = &freedoms,
    .clearance = &clearance_kind,
    .friction = &friction,
};
