/* Torque on a body: T in world axes or in the axes of the frame; in the plane one number about z.

   torque_i = T (world) or A_i T (body), with work_power = torque_i . w_i.
   Source: Nikravesh 1988, Computer-Aided Analysis of Mechanical Systems, chapters 9 (planar) and 11 (spatial), vector
   of forces. Valid for any T; the components may be expressions of time and measures. */
#include "kinds/load.h"

static const carom_param_row parameters[] = {
    {"torque", "N m", 3, CAROM_PARAM_REQUIRED | CAROM_PARAM_TIME | CAROM_PARAM_AXIAL, 0, -HUGE_VAL, HUGE_VAL,
     "Components of the torque; in the plane one number, counter-clockwise positive."},
    {"axes", "world|body", 1, CAROM_PARAM_TEXT, 0, 0, 1,
     "Axes of the components: the world's, or those of the frame named by `on`, which turn with its body."},
};

static void apply(const carom_load_input *in, carom_load_output *out)
{
    const carom_vec3 torque = carom_load_to_world(&in->i, in->p, in->p[3]);
    *out = (carom_load_output){.torque_i = torque, .work_power = carom_v3_dot(torque, in->i.w)};
}

const carom_load_kind carom_load_torque = {
    .kind = {
        .name = "torque",
        .title = "Torque on a body, in world axes or turning with the body.",
        .formula = "axes world: T_i = T. axes body: T_i = A_i T. Power: T_i . w_i.",
        .source = "Nikravesh 1988, Computer-Aided Analysis of Mechanical Systems, chapters 9 and 11",
        .validity = "Any torque; the components may be expressions of time and measures. In the plane `torque` is "
                    "one number about z. Its work counts as given from outside; for a torque between two bodies "
                    "give one load on each.",
        .params = parameters,
        .param_count = sizeof parameters / sizeof parameters[0],
    },
    .frame_count = 1,
    .apply = apply,
};
