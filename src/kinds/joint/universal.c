/* Universal joint (Cardan, Hooke joint): the origins coincide and the axis of body i stays normal to that of body j.

   3-D: d = 0, h_i . h_j = 0 (4 rows), where h_i is `axis` and h_j is `axis2`, the two arms of the cross.
   Coordinates: angle, of the cross in the first body, and angle2, of the second body on the cross.
   Source: Nikravesh 1988, Computer-Aided Analysis of Mechanical Systems, section 7.2; Haug 1989, section 9.4.
   Valid while the shafts are not bent to a right angle, where the joint transmits no rotation (its rows stay
   independent). */
#include "kinds/joint/joint.h"

static void rows(const double *p, const carom_frame_pose *i, const carom_frame_pose *j, int dimension, carom_row *out)
{
    (void)p;
    (void)dimension;
    carom_row_point(i, j, 3, out);
    carom_row_perpendicular(i, carom_m3_column(&i->axes, 2), j, carom_m3_column(&j->axes, 2), out + 3);
}

/* The two pins of the cross, one in each body. Their axes are normal to each other: the spin about either is that of
   the bodies about it. */
static int slips(void *user, const double *size, const carom_joint_input *in, int place, carom_row *out)
{
    (void)user;
    if (place > 1)
        return 0;
    const carom_frame_pose *own = place ? in->j : in->i;
    carom_row_spin(in->i, carom_m3_column(&own->axes, 2), own->w, in->j, size[CAROM_FRICTION_RADIUS], out);
    return 1;
}

static int bearings(void *user, const double *size, const carom_joint_input *in, int place, carom_vec3 force,
                    carom_vec3 moment, carom_vec3 *out)
{
    (void)user;
    return carom_joint_friction_bearing(carom_m3_column(place ? &in->j->axes : &in->i->axes, 2),
                                        size[CAROM_FRICTION_LENGTH], force, moment, out);
}

/* The cross turns by q[0] about h_i, and j by q[1] about h_j, which at q[0] = 0 is -g_i. */
static void place(const double *p, const double *q, carom_vec3 *origin, carom_mat3 *axes)
{
    (void)p;
    const carom_mat3 first = carom_joint_turned(q[0]), last = carom_joint_turned(q[1]);
    const carom_mat3 cross = carom_m3_columns(carom_v3(1, 0, 0), carom_v3(0, 0, 1), carom_v3(0, -1, 0));
    const carom_mat3 half = carom_m3_multiply(&first, &cross);
    *origin = carom_v3(0, 0, 0);
    *axes = carom_m3_multiply(&half, &last);
}

static void coordinates(const double *p, const carom_vec3 *origin, const carom_mat3 *axes, double *q)
{
    (void)p;
    (void)origin;
    q[0] = atan2(axes->m[0][2], -axes->m[1][2]);
    /* h_i in the axes of j is (sin q1, cos q1, 0) */
    q[1] = atan2(axes->m[2][0], axes->m[2][1]);
}

static void subspace(const double *p, const double *q, carom_joint_twist *columns)
{
    (void)p;
    columns[0] = (carom_joint_twist){.turn = {0, 0, 1}};
    columns[1] = (carom_joint_twist){.turn = {sin(q[0]), -cos(q[0]), 0}};
}

static void subspace_rate(const double *p, const double *q, const double *u, carom_joint_twist *out)
{
    (void)p;
    const double rate = u[0] * u[1];
    *out = (carom_joint_twist){.turn = {rate * cos(q[0]), rate * sin(q[0]), 0}};
}

static const carom_joint_freedoms freedoms = {.positions = 2,
                                              .speeds = 2,
                                              .place = place,
                                              .coordinates = coordinates,
                                              .subspace = subspace,
                                              .subspace_rate = subspace_rate};

static const carom_joint_friction_kind friction = {
    .needs = {0, CAROM_FRICTION_SIZE_BIT(RADIUS)},
    .takes = {0, CAROM_FRICTION_SIZE_BIT(LENGTH)},
    .slip_types = CAROM_SLIPS_TURN,
    .slips = slips,
    .bearings = bearings,
};

/* The turn of the cross about h_i, from -g_i to h_j. */
static void first_angle(const double *p, const carom_frame_pose *i, const carom_frame_pose *j, int dimension,
                        carom_row *out)
{
    (void)p;
    (void)dimension;
    const carom_vec3 base[3] = {carom_v3_neg(carom_m3_column(&i->axes, 1)), carom_m3_column(&i->axes, 0),
                                carom_m3_column(&i->axes, 2)};
    carom_row_turn(i, base, j, carom_m3_column(&j->axes, 2), out);
}

/* The turn of j against the cross about h_j: that of h_i as j sees it about -h_j, from g_j. */
static void second_angle(const double *p, const carom_frame_pose *i, const carom_frame_pose *j, int dimension,
                         carom_row *out)
{
    (void)p;
    (void)dimension;
    carom_row turn;
    const carom_vec3 base[3] = {carom_m3_column(&j->axes, 1), carom_m3_column(&j->axes, 0),
                                carom_v3_neg(carom_m3_column(&j->axes, 2))};
    carom_row_turn(j, base, i, carom_m3_column(&i->axes, 2), &turn);
    *out = (carom_row){.phi = turn.phi, .gamma = turn.gamma, .Ai = turn.Aj, .Aj = turn.Ai};
}

static const carom_joint_kind of_cross = {
    .kind = {.name = "angle"}, .coordinate_unit = "rad", .coordinate = first_angle};
static const carom_joint_kind of_second = {
    .kind = {.name = "angle2"}, .coordinate_unit = "rad", .coordinate = second_angle};
static const carom_joint_kind *const coordinates_besides[] = {&of_cross, &of_second, NULL};

const carom_joint_kind carom_joint_universal = {
    .kind = {
        .name = "universal",
        .title = "Cardan joint: the two points stay together and an axis of the first body stays normal to an "
                 "axis of the second.",
        .formula = "3-D: p_j - p_i = 0, h_i . h_j = 0. Coordinates angle: from -g_i to h_j about h_i; angle2: "
                   "from h_i to g_j about h_j.",
        .source = "Nikravesh 1988, Computer-Aided Analysis of Mechanical Systems, section 7.2; Haug 1989, "
                  "Computer Aided Kinematics and Dynamics of Mechanical Systems, section 9.4",
        .validity = "Three dimensions only. `axis` is the arm of the cross that turns in the first body, `axis2` "
                    "the one in the second, both in world axes at the start, where they have to be normal to "
                    "each other. The speeds of the two shafts differ within a turn, as those of the mechanism do.",
    },
    .rows_3d = 4,
    .in_plane = "use `revolute`; a ratio between two shafts is a `coupler`",
    .has_axis = true,
    .axis2_on_j = true,
    .drawn = "ball",
    .rows = rows,
    .freedoms = &freedoms,
    .coordinates = coordinates_besides,
    .friction = &friction,
};
