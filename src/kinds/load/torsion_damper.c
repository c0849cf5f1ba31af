/* Torsion damper between two bodies, about the axis h_i.

   With theta' = n . (w_j - w_i), the rate of the angle from f_i to f_j about h_i (n = h_i where the axes h coincide):
   torque_i = c theta' n, torque_j = -c theta' n; dissipation c theta'^2.
   Source: Nikravesh 1988, Computer-Aided Analysis of Mechanical Systems, chapter 9 (rotational damper);
   Haug 1989, Computer Aided Kinematics and Dynamics of Mechanical Systems, chapters 6 and 11.
   Valid for any angle. */
#include "kinds/joint/joint.h"
#include "kinds/load/load.h"

static const carom_param_row parameters[] = {
    {"damping", "N m s/rad", 1, CAROM_PARAM_REQUIRED, 0, 0, HUGE_VAL, "Torque per rate of the angle."},
};

static void apply(const carom_load_input *in, carom_load_output *out)
{
    carom_row angle;
    carom_row_angle(&in->i, &in->j, in->dimension, &angle);
    const double rate = carom_v3_dot(angle.Aj, carom_v3_sub(in->j.w, in->i.w));
    const double moment = in->p[0] * rate;
    const carom_vec3 torque = carom_v3_scale(moment, angle.Aj);

    *out = (carom_load_output){.torque_i = torque, .torque_j = carom_v3_neg(torque), .dissipation = moment * rate};
}

const carom_load_kind carom_load_torsion_damper = {
    .kind = {
        .name = "torsion-damper",
        .title = "Linear torsion damper between two bodies about an axis.",
        .formula = "M = c theta', against the turning of the bodies. Dissipation: c theta'^2.",
        .source = "Nikravesh 1988, Computer-Aided Analysis of Mechanical Systems, chapter 9; Haug 1989, "
                  "Computer Aided Kinematics and Dynamics of Mechanical Systems, chapters 6 and 11",
        .validity = "For bodies whose axes stay in line, as in a hinge; any number of turns. In two dimensions `axis` "
                    "is z.",
        .params = parameters,
        .param_count = sizeof parameters / sizeof parameters[0],
    },
    .frame_count = 2,
    .drawn = "spiral",
    .has_axis = true,
    .apply = apply,
};
