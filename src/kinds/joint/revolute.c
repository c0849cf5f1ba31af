/* Revolute joint (hinge, pin): the origins coincide; in space the axes h coincide, too.

   2-D: d = 0 (2 rows). 3-D: d = 0, f_i . h_j = 0, g_i . h_j = 0 (5 rows). Coordinate: angle from f_i to f_j about h. f
   is the frame's x-axis across h, of both frames the y- or z-axis where an x-axis is along h.
   Source: Nikravesh 1988, Computer-Aided Analysis of Mechanical Systems, sections 4.2 (planar) and 7.2 (spatial); the
   perpendicular form of the axis is Haug 1989, section 9.4. Valid at any angle; h_j = -h_i meets the rows as well. */
#include "kinds/joint/joint.h"

static void rows(const double *p, const carom_frame_pose *i, const carom_frame_pose *j, int dimension, carom_row *out)
{
    (void)p;
    carom_row_point(i, j, dimension, out);
    if (dimension < 3)
        return;
    const carom_vec3 h = carom_m3_column(&j->axes, 2);
    carom_row_perpendicular(i, carom_m3_column(&i->axes, 0), j, h, out + 3);
    carom_row_perpendicular(i, carom_m3_column(&i->axes, 1), j, h, out + 4);
}

static void coordinate(const double *p, const carom_frame_pose *i, const carom_frame_pose *j, int dimension,
                       carom_row *out)
{
    (void)p;
    carom_row_angle(i, j, dimension, out);
}

/* The pin rubs at its radius under the force across the axis and, with a length, the couple across it; a collar at its
   own radius under the force along the axis. */
static int slips(void *user, const double *size, const carom_joint_input *in, int place, carom_row *out)
{
    (void)user;
    const double arm = size[place ? CAROM_FRICTION_AXIAL_RADIUS : CAROM_FRICTION_RADIUS];
    if (place > 1 || (place == 1 && (in->dimension < 3 || !(arm > 0))))
        return 0;
    carom_row_spin(in->i, carom_m3_column(&in->i->axes, 2), in->i->w, in->j, arm, out);
    return 1;
}

static int bearings(void *user, const double *size, const carom_joint_input *in, int place, carom_vec3 force,
                    carom_vec3 moment, carom_vec3 *out)
{
    (void)user;
    const carom_vec3 h = carom_m3_column(&in->i->axes, 2);
    if (in->dimension == 3 && place == 0)
        return carom_joint_friction_bearing(h, size[CAROM_FRICTION_LENGTH], force, moment, out);
    out[0] = place ? carom_v3_scale(carom_v3_dot(force, h), h) : force;
    return 1;
}

static void place(const double *p, const double *q, carom_vec3 *origin, carom_mat3 *axes)
{
    (void)p;
    *origin = carom_v3(0, 0, 0);
    *axes = carom_joint_turned(q[0]);
}

static void coordinates(const double *p, const carom_vec3 *origin, const carom_mat3 *axes, double *q)
{
    (void)p;
    (void)origin;
    q[0] = carom_joint_angle(axes);
}

static void subspace(const double *p, const double *q, carom_joint_twist *columns)
{
    (void)p;
    (void)q;
    columns[0] = (carom_joint_twist){.turn = {0, 0, 1}};
}

static const carom_joint_freedoms freedoms = {
    .positions = 1, .speeds = 1, .place = place, .coordinates = coordinates, .subspace = subspace};

static const carom_joint_clearance_kind clearance_kind = {
    .needs = {CAROM_CLEARANCE_BIT(RADIAL) | CAROM_CLEARANCE_BIT(RADIUS),
              CAROM_CLEARANCE_BIT(RADIAL) | CAROM_CLEARANCE_BIT(RADIUS) | CAROM_CLEARANCE_BIT(LENGTH) |
                  CAROM_CLEARANCE_BIT(AXIAL)},
    .takes = {CAROM_CLEARANCE_BIT(LENGTH), 0},
    .parts = carom_clearance_bearing,
};

static const carom_joint_friction_kind friction = {
    .needs = {CAROM_FRICTION_SIZE_BIT(RADIUS), CAROM_FRICTION_SIZE_BIT(RADIUS)},
    .takes = {0, CAROM_FRICTION_SIZE_BIT(AXIAL_RADIUS) | CAROM_FRICTION_SIZE_BIT(LENGTH)},
    .slip_types = CAROM_SLIPS_TURN,
    .slips = slips,
    .bearings = bearings,
};

const carom_joint_kind carom_joint_revolute = {
    .kind = {
        .name = "revolute",
        .title = "Hinge: the two points stay together and the bodies turn about one common axis.",
        .formula = "2-D: p_j - p_i = 0. 3-D: p_j - p_i = 0, f_i . h_j = 0, g_i . h_j = 0. Coordinate: angle "
                   "from f_i to f_j about h_i.",
        .source = "Nikravesh 1988, Computer-Aided Analysis of Mechanical Systems, sections 4.2 and 7.2; Haug "
                  "1989, Computer Aided Kinematics and Dynamics of Mechanical Systems, sections 3.3 and 9.4",
        .validity = "Any angle, any number of turns. `axis` is in world axes at the start; in the plane it is z. The "
                    "angle is that between the x-axes of both frames seen along the axis; where one of these is within "
                    "6 degrees of it, between the y-axes, or else the z-axes. "
                    "A closed planar loop of hinges in space has three redundant rows.",
    },
    .rows_2d = 2,
    .rows_3d = 5,
    .has_axis = true,
    .coordinate_unit = "rad",
    .drawn = "ring",
    .rows = rows,
    .freedoms = &freedoms,
    .coordinate = coordinate,
    .clearance = &clearance_kind,
    .friction = &friction,
};
