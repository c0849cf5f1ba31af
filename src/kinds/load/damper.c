/* Damper between two points: a force along the line of the origins.

   With l = |p_j - p_i| and u = (p_j - p_i)/l: force_i = c l' u, force_j = -c l' u; dissipation c l'^2.
   Source: Nikravesh 1988, Computer-Aided Analysis of Mechanical Systems, chapter 9 (translational damper);
   Haug 1989, Computer Aided Kinematics and Dynamics of Mechanical Systems, chapters 6 and 11.
   Valid for l > 0: at l = 0 the direction is undefined and the force is zero. */
#include "kinds/load/load.h"

static const carom_param_row parameters[] = {
    {"damping", "N s/m", 1, CAROM_PARAM_REQUIRED, 0, 0, HUGE_VAL, "Force per rate of the length."},
};

static void apply(const carom_load_input *in, carom_load_output *out)
{
    const carom_load_line line = carom_load_line_of(&in->i, &in->j);
    const double force = in->p[0] * line.rate;
    const carom_vec3 pull = carom_v3_scale(force, line.direction);

    *out = (carom_load_output){.force_i = pull, .force_j = carom_v3_neg(pull), .dissipation = force * line.rate};
}

const carom_load_kind carom_load_damper = {
    .kind = {
        .name = "damper",
        .title = "Linear damper between two points.",
        .formula = "T = c l', l = |p_j - p_i|, against the change of length. Dissipation: c l'^2.",
        .source = "Nikravesh 1988, Computer-Aided Analysis of Mechanical Systems, chapter 9; Haug 1989, "
                  "Computer Aided Kinematics and Dynamics of Mechanical Systems, chapters 6 and 11",
        .validity = "Where the points coincide the direction is undefined and the force is zero: keep them apart.",
        .params = parameters,
        .param_count = sizeof parameters / sizeof parameters[0],
    },
    .frame_count = 2,
    .drawn = "dashpot",
    .apply = apply,
};
