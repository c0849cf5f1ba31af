/* Translational joint (slider, prismatic joint): body j slides along the axis h_i and does not turn against body i.

   2-D: f_i . d = 0, f_i . h_j = 0 (2 rows). 3-D: f_i . d = 0, g_i . d = 0, f_i . h_j = 0, g_i . h_j = 0, f_i . g_j = 0
   (5 rows); both triads are equal at the start. Coordinate: h_i . d.
   Source: Nikravesh 1988, Computer-Aided Analysis of Mechanical Systems, sections 4.2 (planar) and 7.2 (spatial);
   Haug 1989, sections 3.3 and 9.4. Valid for any travel, also through d = 0. */
#include "kinds/joint/joint.h"

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

/* A slider between walls, which its rounded corners touch: four corners between two walls across f; in space eight of
   them between four walls across f and g. */
static void clearance(void *user, const double *size, int dimension, carom_clearance_parts *out)
{
    (void)user;
    static const char *const wall_names[] = {"wall-1", "wall-2", "wall-3", "wall-4"};
    static const char *const corner_names[] = {"corner-1", "corner-2", "corner-3", "corner-4",
                                               "corner-5", "corner-6", "corner-7", "corner-8"};
    const double gap = size[CAROM_CLEARANCE_GAP], height = size[CAROM_CLEARANCE_HEIGHT];
    const double width = size[CAROM_CLEARANCE_WIDTH] > 0 ? size[CAROM_CLEARANCE_WIDTH] : height;
    const double edge = size[CAROM_CLEARANCE_EDGE] > 0 ? size[CAROM_CLEARANCE_EDGE] : 0.01 * height;
    const double half[3] = {0.5 * height, 0.5 * width, 0.5 * size[CAROM_CLEARANCE_LENGTH]};
    const bool planar = dimension == 2;
    int wall[4];
    for (int k = 0; k < (planar ? 2 : 4); k++) {
        const double sign = k % 2 ? -1 : 1, at = sign * (half[k / 2] + gap);
        wall[k] = carom_clearance_add(
            out, (carom_clearance_shape){.name = wall_names[k],
                                         .type = "plane",
                                         .at = k < 2 ? carom_v3(at, 0, 0) : carom_v3(0, at, 0),
                                         .direction = k < 2 ? carom_v3(-sign, 0, 0) : carom_v3(0, -sign, 0)});
    }
    for (int k = 0; k < (planar ? 4 : 8); k++) {
        /* bits: below or above across f, behind or before along h, and in space below or above across g */
        const int side_f = k & 1, side_h = k >> 1 & 1, side_g = k >> 2;
        const double f = half[0] - edge, g = planar ? 0 : half[1] - edge, h = half[2] - edge;
        int corner = carom_clearance_add(
            out, (carom_clearance_shape){.name = corner_names[k],
                                         .type = "sphere",
                                         .side = 1,
                                         .at = carom_v3(side_f ? -f : f, side_g ? -g : g, side_h ? -h : h),
                                         .radius = edge});
        carom_clearance_touch(out, wall[side_f], corner);
        if (!planar)
            carom_clearance_touch(out, wall[2 + side_g], corner);
    }
    out->play = gap;
}

/* The slider rubs along the guide under the force across it, with a length under the couple across it and with a width
   under that about the axis, which both sides of the slider bear. */
static int bearings(void *user, const double *size, const carom_joint_input *in, int place, carom_vec3 force,
                    carom_vec3 moment, carom_vec3 *out)
{
    (void)user;
    (void)place;
    const carom_vec3 h = carom_m3_column(&in->i->axes, 2);
    int count = carom_joint_friction_bearing(h, size[CAROM_FRICTION_LENGTH], force, moment, out);
    if (size[CAROM_FRICTION_WIDTH] > 0)
        out[count++] = carom_v3_scale(2 / size[CAROM_FRICTION_WIDTH] * carom_v3_dot(moment, h), h);
    return count;
}

#define NEEDED (CAROM_CLEARANCE_BIT(GAP) | CAROM_CLEARANCE_BIT(LENGTH) | CAROM_CLEARANCE_BIT(HEIGHT))

static void place(const double *p, const double *q, carom_vec3 *origin, carom_mat3 *axes)
{
    (void)p;
    *origin = carom_v3(0, 0, q[0]);
    *axes = carom_m3_identity();
}

static void coordinates(const double *p, const carom_vec3 *origin, const carom_mat3 *axes, double *q)
{
    (void)p;
    (void)axes;
    q[0] = origin->z;
}

static void subspace(const double *p, const double *q, carom_joint_twist *columns)
{
    (void)p;
    (void)q;
    columns[0] = (carom_joint_twist){.move = {0, 0, 1}};
}

static const carom_joint_freedoms freedoms = {
    .positions = 1, .speeds = 1, .place = place, .coordinates = coordinates, .subspace = subspace};

static const carom_joint_clearance_kind clearance_kind = {
    .needs = {NEEDED, NEEDED},
    .takes = {CAROM_CLEARANCE_BIT(EDGE), CAROM_CLEARANCE_BIT(EDGE) | CAROM_CLEARANCE_BIT(WIDTH)},
    .parts = clearance,
};

static const carom_joint_friction_kind friction = {
    .takes = {CAROM_FRICTION_SIZE_BIT(LENGTH), CAROM_FRICTION_SIZE_BIT(LENGTH) | CAROM_FRICTION_SIZE_BIT(WIDTH)},
    .slip_types = CAROM_SLIPS_SLIDE,
    .slips = carom_joint_friction_slide,
    .bearings = bearings,
};

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
    .drawn = "rail",
    .rows = rows,
    .freedoms = &freedoms,
    .coordinate = coordinate,
    .clearance = &clearance_kind,
    .friction = &friction,
};
