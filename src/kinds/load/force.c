/* Force on a frame: F in world axes, in the axes of the frame it acts on, or in those of any frame; it acts at the
   origin of the frame.

   F_w = F (world), A F (body: the frame it acts on) or A_r F (the frame named by `axes`). On one frame: force_i =
   F_w and work_power = F_w . v_i. Between two: force_j = F_w at the origin of the second, and the opposite on the
   first body at the same point, force_i = -F_w with torque_i = -(p_j - p_i) x F_w; work_power = F_w . (v_j - v_i -
   w_i x (p_j - p_i)).
   Source: Nikravesh 1988, Computer-Aided Analysis of Mechanical Systems, chapters 9 (planar) and 11 (spatial),
   vector of forces. Valid for any F; the components may be expressions of time and measures. */
#include "kinds/load/load.h"

static const carom_param_row parameters[] = {
    {"force", "N", 3, CAROM_PARAM_REQUIRED | CAROM_PARAM_TIME, 0, -HUGE_VAL, HUGE_VAL, "Components of the force."},
    {"axes", "world|body", 1, CAROM_PARAM_TEXT | CAROM_PARAM_FRAME, 0, 0, 1,
     "Axes of the components: the world's, those of the frame it acts on, which turn with its body, or those of the "
     "body or frame named here."},
};

static void apply(const carom_load_input *in, carom_load_output *out)
{
    const carom_vec3 force = carom_load_to_world(in, in->p, in->p[3]);
    if (in->frames < 2) {
        *out = (carom_load_output){.force_i = force, .work_power = carom_v3_dot(force, in->i.v)};
        return;
    }
    const carom_vec3 back = carom_v3_neg(force);
    *out = (carom_load_output){.force_i = back,
                               .torque_i = carom_v3_cross(carom_v3_sub(in->j.p, in->i.p), back),
                               .force_j = force,
                               .work_power = carom_v3_dot(force, carom_load_relative_velocity(&in->i, &in->j))};
}

const carom_load_kind carom_load_force = {
    .kind = {
        .name = "force",
        .title = "Force on a point of a body, or between two bodies, in the axes of the world or of a frame.",
        .formula = "axes world: F_i = F. axes body: F_i = A_i F. axes FRAME: F_i = A_FRAME F. Power: F_i . v_i. "
                   "Between two frames F acts at the origin of the second and -F on the first body at the same point.",
        .source = "Nikravesh 1988, Computer-Aided Analysis of Mechanical Systems, chapters 9 and 11",
        .validity = "Any force; the components may be expressions of time and measures. `on` one frame it acts at "
                    "its origin; `between` two frames it acts on the second and its opposite on the first. Its work "
                    "counts as given from outside, also where the force is conservative.",
        .params = parameters,
        .param_count = sizeof parameters / sizeof parameters[0],
    },
    .frame_count = 1,
    .may_react = true,
    .apply = apply,
};
