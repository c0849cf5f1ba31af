/* Distance joint (massless rod): the origins keep their distance.

   2-D and 3-D: |d| - length = 0 (1 row), its multiplier the force in the rod [N]. Coordinate: |d|.
   Source: Nikravesh 1988, Computer-Aided Analysis of Mechanical Systems, section 7.2 (spherical-spherical joint, there
   d . d - length^2 = 0); Haug 1989, sections 3.3 and 9.4. Valid for length > 0. */
#include "kinds/joint/joint.h"

static const carom_param_row parameters[] = {
    {"length", "m", 1, CAROM_PARAM_OPTIONAL | CAROM_PARAM_ABOVE, (double)NAN, 0, HUGE_VAL,
     "Length that is kept; without it the distance of the two points at the start."},
};

static const char *start(double *p, const carom_frame_pose *i, const carom_frame_pose *j)
{
    if (isnan(p[0]))
        p[0] = carom_v3_norm(carom_v3_sub(j->p, i->p));
    if (!(p[0] > 0))
        return "the two points coincide at the start: give `length`, or use a revolute or spherical joint";
    return NULL;
}

static void rows(const double *p, const carom_frame_pose *i, const carom_frame_pose *j, int dimension, carom_row *out)
{
    (void)dimension;
    carom_row_distance(i, j, out);
    out->phi -= p[0];
}

static void coordinate(const double *p, const carom_frame_pose *i, const carom_frame_pose *j, int dimension,
                       carom_row *out)
{
    (void)p;
    (void)dimension;
    carom_row_distance(i, j, out);
}

const carom_joint_kind carom_joint_distance = {
    .kind = {
        .name = "distance",
        .title = "Massless rod: the distance of the two points stays the same.",
        .formula = "|p_j - p_i| - length = 0. Coordinate: |p_j - p_i|.",
        .source = "Nikravesh 1988, Computer-Aided Analysis of Mechanical Systems, sections 4.2 and 7.2; Haug "
                  "1989, Computer Aided Kinematics and Dynamics of Mechanical Systems, sections 3.3 and 9.4",
        .validity = "length > 0: a rod of length zero has no direction (use revolute or spherical). The "
                    "multiplier is the force along the rod. The coordinate is the length that the joint keeps.",
        .params = parameters,
        .param_count = sizeof parameters / sizeof parameters[0],
    },
    .rows_2d = 1,
    .rows_3d = 1,
    .coordinate_unit = "m",
    .start = start,
    .drawn = "bar",
    .rows = rows,
    .coordinate = coordinate,
};
