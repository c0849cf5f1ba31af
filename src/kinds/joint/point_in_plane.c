/* Point in plane: the origin of frame j stays in the plane through the origin of frame i normal to h_i, at any
   orientation.

   3-D: h_i . d = 0 (1 row). Coordinates x = f_i . d, y = g_i . d.
   Source: Haug 1989, Computer Aided Kinematics and Dynamics of Mechanical Systems, section 9.4 (dot-2 row).
   Valid for any travel and orientation; in the plane it is point-in-line. */
#include "kinds/joint/joint.h"

static void rows(const double *p, const carom_frame_pose *i, const carom_frame_pose *j, int dimension, carom_row *out)
{
    (void)p;
    (void)dimension;
    carom_row_along(i, carom_m3_column(&i->axes, 2), j, out);
}

/* The point rubs in its plane under the force along the normal. */
static int slips(void *user, const double *size, const carom_joint_input *in, int place, carom_row *out)
{
    (void)user;
    (void)size;
    if (place > 0)
        return 0;
    carom_row_along(in->i, carom_m3_column(&in->i->axes, 0), in->j, out);
    carom_row_along(in->i, carom_m3_column(&in->i->axes, 1), in->j, out + 1);
    return 2;
}

static const carom_joint_friction_kind friction = {
    .slip_types = CAROM_SLIPS_SLIDE,
    .slips = slips,
    .bearings = carom_joint_friction_face,
};

static const carom_joint_kind *const coordinates[] = {&carom_coordinate_x, &carom_coordinate_y, NULL};

const carom_joint_kind carom_joint_point_in_plane = {
    .kind = {
        .name = "point-in-plane",
        .title = "Point on a plane: the second point moves in a plane of the first body, and the bodies turn "
                 "freely.",
        .formula = "3-D: h_i . (p_j - p_i) = 0.",
        .source = "Haug 1989, Computer Aided Kinematics and Dynamics of Mechanical Systems, section 9.4",
        .validity = "Three dimensions only (in the plane use point-in-line), any travel and orientation. `axis` "
                    "is the normal of the plane in world axes at the start; the plane passes through the first "
                    "frame. The constraint acts both ways: the point never lifts off.",
    },
    .rows_3d = 1,
    .in_plane = "use `point-in-line`",
    .has_axis = true,
    .rows = rows,
    .coordinates = coordinates,
    .friction = &friction,
};
