/* Torsion spring and damper between two bodies, about the axis h_i.

   With the angle theta from f_i to f_j about h_i and theta' = n . (w_j - w_i), n = h_i where the axes h coincide:
   M = k (theta - theta0) + c theta', torque_i = M n, torque_j = -M n; stored energy k (theta - theta0)^2/2, dissipation
   c theta'^2. With n in place of h_i the power balance holds for axes out of line, too.
   Source: Nikravesh 1988, Computer-Aided Analysis of Mechanical Systems, chapter 9 (rotational spring and damper);
   Haug 1989, Computer Aided Kinematics and Dynamics of Mechanical Systems, chapters 6 and 11.
   Valid: 2-D for any number of turns, 3-D for deflections within half a turn. */
#include "kinds/joint.h"
#include "kinds/load.h"

#define TURN 6.283185307179586476925

static const carom_param_row parameters[] = {
    {"stiffness", "N m/rad", 1, CAROM_PARAM_REQUIRED, 0, 0, HUGE_VAL, "Torque per change of angle."},
    {"angle", "rad", 1, CAROM_PARAM_OPTIONAL, (double)NAN, -HUGE_VAL, HUGE_VAL,
     "Free angle from the x-axis of the first frame to that of the second about `axis`; without it the angle at the "
     "start."},
    {"damping", "N m s/rad", 1, 0, 0, 0, HUGE_VAL, "Torque per rate of the angle."},
};

static const char *start(double *p, const carom_frame_pose *i, const carom_frame_pose *j, int dimension)
{
    if (isnan(p[1])) {
        carom_row angle;
        carom_row_angle(i, j, dimension, &angle);
        p[1] = angle.phi;
    }
    return NULL;
}

static void apply(const carom_load_input *in, carom_load_output *out)
{
    carom_row angle;
    carom_row_angle(&in->i, &in->j, in->dimension, &angle);

    /* in space the angle is known up to whole turns only */
    double twist = angle.phi - in->p[1];
    if (in->dimension == 3)
        twist = remainder(twist, TURN);
    const double k = in->p[0], c = in->p[2];
    const double rate = carom_v3_dot(angle.Aj, carom_v3_sub(in->j.w, in->i.w));
    const carom_vec3 torque = carom_v3_scale(k * twist + c * rate, angle.Aj);

    *out = (carom_load_output){.torque_i = torque,
                               .torque_j = carom_v3_neg(torque),
                               .stored = 0.5 * k * twist * twist,
                               .dissipation = c * rate * rate};
}

const carom_load_kind carom_load_torsion_spring = {
    .kind = {
        .name = "torsion-spring",
        .title = "Linear torsion spring, with a damper if wanted, between two bodies about an axis.",
        .formula = "M = k (theta - theta0) + c theta', turning the bodies back. Energy: k (theta - theta0)^2/2.",
        .source = "Nikravesh 1988, Computer-Aided Analysis of Mechanical Systems, chapter 9; Haug 1989, "
                  "Computer Aided Kinematics and Dynamics of Mechanical Systems, chapters 6 and 11",
        .validity = "For bodies whose axes stay in line, as in a hinge. Two dimensions: any number of turns, `axis` "
                    "is z. Three dimensions: the deflection from the free angle stays within half a turn, beyond it "
                    "the torque jumps to the other side.",
        .params = parameters,
        .param_count = sizeof parameters / sizeof parameters[0],
    },
    .frame_count = 2,
    .has_axis = true,
    .start = start,
    .apply = apply,
};
