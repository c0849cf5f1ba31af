/* Coupler of joints: gears, a rack and its pinion, belts, mimicked joints, differentials.

   c1 - ratio c0 - offset = 0, or of any joints sum of fk ck - offset = 0, or an expression (1 row) over
   the coordinates of other joints, which share a body, the carrier, or do not. Its multiplier is the force or
   torque on a coordinate whose factor is 1; on the others acts their factor times that; the factors of an expression
   are its derivatives.
   Source: Haug 1989, Computer Aided Kinematics and Dynamics of Mechanical Systems, section 3.4 (gears); Mueller 1982,
   Epicyclic Drive Trains (Willis' equation: coordinates against the carrier; differentials). Valid for any travel:
   angles count their turns. */
#include "kinds/joint/joint.h"

enum { RATIO, OFFSET, FACTORS };

static const carom_param_row parameters[] = {
    {"ratio", "1 or m/rad or rad/m", 1, CAROM_PARAM_OPTIONAL, (double)NAN, -HUGE_VAL, HUGE_VAL,
     "Of two joints, instead of `factors`: rate of the second coordinate over that of the first: -z1/z2 of gears that "
     "mesh from outside, 1/radius [rad/m] of a pinion driven by its rack."},
    {"offset", "m or rad", 1, CAROM_PARAM_OPTIONAL, (double)NAN, -HUGE_VAL, HUGE_VAL,
     "Second coordinate where the first is zero, or the sum of `factors` times coordinates; without it what fits the "
     "start."},
    {"factors", "-", CAROM_COUPLED_JOINTS, CAROM_PARAM_UP_TO, 0, -HUGE_VAL, HUGE_VAL,
     "Of each joint in `joints` the factor of its coordinate in the sum that stays what it is: `[1, 1, -2]` of a "
     "differential whose third joint is the cage."},
};

static const char *couple_start(double *p, const double *coordinates)
{
    double sum = 0;
    bool any = false;
    for (int k = 0; k < CAROM_COUPLED_JOINTS; k++)
        any = any || p[FACTORS + k] != 0;
    if (any == !isnan(p[RATIO]))
        return any ? "it takes ratio or factors, not both"
                   : "ratio is missing, or factors, one of each joint in `joints`";
    if (!any && !isnan(coordinates[2]))
        return "a ratio relates two joints; give factors, one of each joint in `joints`";
    for (int k = 0; k < CAROM_COUPLED_JOINTS && any; k++) {
        if (isnan(coordinates[k]) != (p[FACTORS + k] == 0))
            return "factors has to have a number other than zero for each joint in `joints`";
        sum += isnan(coordinates[k]) ? 0 : p[FACTORS + k] * coordinates[k];
    }
    if (isnan(p[OFFSET]))
        p[OFFSET] = any ? sum : coordinates[1] - p[RATIO] * coordinates[0];
    return NULL;
}

static void couple(const double *p, const double *coordinates, const double *rates, carom_coupled_row *out)
{
    (void)rates;
    if (!isnan(p[RATIO])) {
        *out = (carom_coupled_row){coordinates[1] - p[RATIO] * coordinates[0] - p[OFFSET], {-p[RATIO], 1}, 0};
        return;
    }
    *out = (carom_coupled_row){.phi = -p[OFFSET]};
    for (int k = 0; k < CAROM_COUPLED_JOINTS; k++) {
        out->slope[k] = p[FACTORS + k];
        out->phi += p[FACTORS + k] * coordinates[k];
    }
}

const carom_joint_kind carom_joint_coupler = {
    .kind = {
        .name = "coupler",
        .title = "Ratio between the coordinates of two other joints, or a relation among several.",
        .formula = "c1 - ratio c0 - offset = 0, or sum of fk ck - offset = 0; ck the coordinates of the joints of "
                   "`joints`, fk their factors; or `relation: sin(q1) - 2*q2 + 0.1*t` = 0, where q1, q2, ... are "
                   "these coordinates.",
        .source = "Haug 1989, Computer Aided Kinematics and Dynamics of Mechanical Systems, section 3.4; Mueller 1982, "
                  "Epicyclic Drive Trains",
        .validity = "All joints have a coordinate and no clearance, up to eight are related. Teeth without "
                    "backlash and losses; a pair of shapes `gear` has both, and joints `gear` and `rack` load the "
                    "bearings. "
                    "The multiplier is the torque or force on the second coordinate, times the derivative of a "
                    "relation. Where a relation or its first derivatives jump the run is refused; one that reads "
                    "`t` does work.",
        .params = parameters,
        .param_count = sizeof parameters / sizeof parameters[0],
    },
    .rows_2d = 1,
    .rows_3d = 1,
    .has_relation = true,
    .couple_start = couple_start,
    .couple = couple,
};
