/* Coupler of two joints: gears, a rack and its pinion, belts, mimicked joints.

   c1 - ratio c0 - offset = 0 (1 row) over the coordinates of two joints, which share a body, the carrier, or do not.
   Its multiplier is the force or torque on the second coordinate; on the first acts -ratio times that.
   Source: Haug 1989, Computer Aided Kinematics and Dynamics of Mechanical Systems, section 3.4 (gears); Mueller 1982,
   Epicyclic Drive Trains (Willis' equation: coordinates against the carrier). Valid for any travel: angles count their
   turns. */
#include "kinds/joint/joint.h"

enum { RATIO, OFFSET };

static const carom_param_row parameters[] = {
    {"ratio", "1 or m/rad or rad/m", 1, CAROM_PARAM_REQUIRED, 0, -HUGE_VAL, HUGE_VAL,
     "Rate of the second joint's coordinate over that of the first: -z1/z2 of gears that mesh from outside, 1/radius "
     "[rad/m] of a pinion driven by its rack."},
    {"offset", "m or rad", 1, CAROM_PARAM_OPTIONAL, (double)NAN, -HUGE_VAL, HUGE_VAL,
     "Second coordinate where the first is zero; without it what fits the start."},
};

static const char *couple_start(double *p, const double *coordinates)
{
    if (isnan(p[OFFSET]))
        p[OFFSET] = coordinates[1] - p[RATIO] * coordinates[0];
    return NULL;
}

static void couple(const double *p, const double *coordinates, const double *rates, carom_coupled_row *out)
{
    (void)rates;
    *out = (carom_coupled_row){coordinates[1] - p[RATIO] * coordinates[0] - p[OFFSET], {-p[RATIO], 1}, 0};
}

const carom_joint_kind carom_joint_coupler = {
    .kind = {
        .name = "coupler",
        .title = "Gear ratio between the coordinates of two other joints.",
        .formula = "c1 - ratio c0 - offset = 0, c0 and c1 the coordinates of the two joints of `joints`.",
        .source = "Haug 1989, Computer Aided Kinematics and Dynamics of Mechanical Systems, section 3.4; Mueller 1982, "
                  "Epicyclic Drive Trains",
        .validity = "Both joints have a coordinate and no clearance. Teeth without backlash and losses; a pair of "
                    "shapes `gear` has both. The multiplier is the torque or force on the second coordinate.",
        .params = parameters,
        .param_count = sizeof parameters / sizeof parameters[0],
    },
    .rows_2d = 1,
    .rows_3d = 1,
    .couple_start = couple_start,
    .couple = couple,
};
