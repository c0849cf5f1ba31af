/* Cylindrical joint: body j slides along the axis h_i and turns about it.

   3-D: f_i . d = 0, g_i . d = 0, f_i . h_j = 0, g_i . h_j = 0 (4 rows). Coordinate: the travel h_i . d.
   Source: Nikravesh 1988, Computer-Aided Analysis of Mechanical Systems, section 7.2; Haug 1989, section 9.4.
   Valid for any travel and angle; the plane has no such joint. */
#include "kinds/joint/joint.h"

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

/* The shaft rubs in its sleeve along the axis and around it, under the force and the couple across it. */
static int slips(void *user, const double *size, const carom_joint_input *in, int place, carom_row *out)
{
    (void)user;
    if (place > 0)
        return 0;
    const carom_vec3 h = carom_m3_column(&in->i->axes, 2);
    carom_row_along(in->i, h, in->j, out);
    carom_row_spin(in->i, h, in->i->w, in->j, size[CAROM_FRICTION_RADIUS], out + 1);
    return 2;
}

static int bearings(void *user, const double *size, const carom_joint_input *in, int place, carom_vec3 force,
                    carom_vec3 moment, carom_vec3 *out)
{
    (void)user;
    (void)place;
    return carom_joint_friction_bearing(carom_m3_column(&in->i->axes, 2), size[CAROM_FRICTION_LENGTH], force, moment,
                                        out);
}

/* Travel, then angle. */
static void place(const double *p, const double *q, carom_vec3 *origin, carom_mat3 *axes)
{
    (void)p;
    *origin = carom_v3(0, 0, q[0]);
    *axes = carom_joint_turned(q[1]);
}

static void coordinates(const double *p, const carom_vec3 *origin, const carom_mat3 *axes, double *q)
{
    (void)p;
    q[0] = origin->z;
    q[1] = carom_joint_angle(axes);
}

static void subspace(const double *p, const double *q, carom_joint_twist *columns)
{
    (void)p;
    (void)q;
    columns[0] = (carom_joint_twist){.move = {0, 0, 1}};
    columns[1] = (carom_joint_twist){.turn = {0, 0, 1}};
}

static const carom_joint_freedoms freedoms = {
    .positions = 2, .speeds = 2, .place = place, .coordinates = coordinates, .subspace = subspace};

static const carom_joint_clearance_kind clearance_kind = {
    .needs = {0, CAROM_CLEARANCE_BIT(RADIAL) | CAROM_CLEARANCE_BIT(RADIUS) | CAROM_CLEARANCE_BIT(LENGTH)},
    .parts = carom_clearance_bearing,
};

static const carom_joint_friction_kind friction = {
    .needs = {0, CAROM_FRICTION_SIZE_BIT(RADIUS)},
    .takes = {0, CAROM_FRICTION_SIZE_BIT(LENGTH)},
    .slip_types = CAROM_SLIPS_BOTH,
    .slips = slips,
    .bearings = bearings,
};

static const carom_joint_kind *const coordinates_besides[] = {&carom_coordinate_angle, NULL};

const carom_joint_kind carom_joint_cylindrical = {
    .kind = {
        .name = "cylindrical",
        .title = "Cylinder in a sleeve: the bodies slide along one common axis and turn about it.",
        .formula = "d = p_j - p_i. 3-D: f_i . d = 0, g_i . d = 0, f_i . h_j = 0, g_i . h_j = 0. Coordinate: "
                   "h_i . d.",
        .source = "Nikravesh 1988, Computer-Aided Analysis of Mechanical Systems, section 7.2; Haug 1989, "
                  "Computer Aided Kinematics and Dynamics of Mechanical Systems, section 9.4",
        .validity = "Three dimensions only, any travel and angle. The coordinate is the travel; the further "
                    "coordinate `angle` is that of revolute joints.",
    },
    .rows_3d = 4,
    .in_plane = "slide along an axis by a `translational` joint, turn by a `revolute` one",
    .has_axis = true,
    .coordinate_unit = "m",
    .drawn = "ring rail",
    .rows = rows,
    .freedoms = &freedoms,
    .coordinates = coordinates_besides,
    .coordinate = coordinate,
    .clearance = &clearance_kind,
    .friction = &friction,
};
