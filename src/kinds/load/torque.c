/* Torque on a body: T in world axes, in the axes of the frame it acts on, or in those of any frame; in the plane
   one number about z.

   T_w = T (world), A T (body: the frame it acts on) or A_r T (the frame named by `axes`). On one frame: torque_i =
   T_w and work_power = T_w . w_i. Between two: torque_j = T_w, torque_i = -T_w, work_power = T_w . (w_j - w_i).
   Source: Nikravesh 1988, Computer-Aided Analysis of Mechanical Systems, chapters 9 (planar) and 11 (spatial),
   vector of forces. Valid for any T; the components may be expressions of time and measures. */
#include "kinds/load/load.h"

static const carom_param_row parameters[] = {
    {"torque", "N m", 3, CAROM_PARAM_REQUIRED | CAROM_PARAM_TIME | CAROM_PARAM_AXIAL, 0, -HUGE_VAL, HUGE_VAL,
     "Components of the torque; in the plane one number, counter-clockwise positive."},
    {"axes", "world|body", 1, CAROM_PARAM_TEXT | CAROM_PARAM_FRAME, 0, 0, 1,
     "Axes of the components: the world's, those of the frame it acts on, which turn with its body, or those of the "
     "body or frame named here."},
};

static void apply(const carom_load_input *in, carom_load_output *out)
{
    const carom_vec3 torque = carom_load_to_world(in, in->p, in->p[3]);
    if (in->frames < 2) {
        *out = (carom_load_output){.torque_i = torque, .work_power = carom_v3_dot(torque, in->i.w)};
        return;
    }
    *out = (carom_load_output){.torque_i = carom_v3_neg(torque),
                               .torque_j = torque,
                               .work_power = carom_v3_dot(torque, carom_v3_sub(in->j.w, in->i.w))};
}

const carom_load_kind carom_load_torque = {
    .kind = {
        .name = "torque",
        .title = "Torque on a body, or between two bodies, in the axes of the world or of a frame.",
        .formula = "axes world: T_i = T. axes body: T_i = A_i T. axes FRAME: T_i = A_FRAME T. Power: T_i . w_i. "
                   "Between two frames T acts on the second body and -T on the first.",
        .source = "Nikravesh 1988, Computer-Aided Analysis of Mechanical Systems, chapters 9 and 11",
        .validity = "Any torque; the components may be expressions of time and measures. In the plane `torque` is "
                    "one number about z. `on` one frame it acts on its body; `between` two it acts on the second "
                    "body and its opposite on the first. Its work counts as given from outside.",
        .params = parameters,
        .param_count = sizeof parameters / sizeof parameters[0],
    },
    .frame_count = 1,
    .may_react = true,
    .apply = apply,
};
