/* Force between two points along the line of the origins, given as an expression.

   With l = |p_j - p_i|, u = (p_j - p_i)/l: force_i = T u, force_j = -T u, work_power = -T l'.
   Source: Haug 1989, Computer Aided Kinematics and Dynamics of Mechanical Systems, chapters 6 and 11
   (spring-damper-actuator: the force of the actuator).
   Valid for l > 0: at l = 0 the direction is undefined and the force is zero. */
#include "kinds/load/load.h"

static const carom_param_row parameters[] = {
    {"force", "N", 1, CAROM_PARAM_REQUIRED | CAROM_PARAM_TIME, 0, -HUGE_VAL, HUGE_VAL,
     "Tension: positive pulls the points together. May hold length(NAME) and rate(NAME), this load's own name "
     "included."},
};

static void apply(const carom_load_input *in, carom_load_output *out)
{
    const carom_load_line line = carom_load_line_of(&in->i, &in->j);
    const carom_vec3 pull = carom_v3_scale(in->p[0], line.direction);
    *out = (carom_load_output){.force_i = pull, .force_j = carom_v3_neg(pull), .work_power = -in->p[0] * line.rate};
}

const carom_load_kind carom_load_line_force = {
    .kind = {
        .name = "line-force",
        .title = "Force between two points along their line, given as an expression: an actuator, or any law of "
                 "length and rate.",
        .formula = "T = expression, pulling the points together. Power: -T l'.",
        .source = "Haug 1989, Computer Aided Kinematics and Dynamics of Mechanical Systems, chapters 6 and 11",
        .validity = "Its work counts as given from outside, also where the expression is that of a spring or a "
                    "damper; for those whose energy is to be told apart there are `spring` and `damper`. Where the "
                    "points coincide the force is zero.",
        .params = parameters,
        .param_count = sizeof parameters / sizeof parameters[0],
    },
    .frame_count = 2,
    .drawn = "line",
    .apply = apply,
};
