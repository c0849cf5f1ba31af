/* Force on a frame: F in world axes or in the axes of the frame, acting at the frame's origin.

   force_i = F (world) or A_i F (body), with work_power = force_i . v_i.
   Source: Nikravesh 1988, Computer-Aided Analysis of Mechanical Systems, chapters 9 (planar) and 11 (spatial), vector
   of forces. Valid for any F; the components may be expressions of time and measures. */
#include "kinds/load.h"

static const carom_param_row parameters[] = {
    {"force", "N", 3, CAROM_PARAM_REQUIRED | CAROM_PARAM_TIME, 0, -HUGE_VAL, HUGE_VAL, "Components of the force."},
    {"axes", "world|body", 1, CAROM_PARAM_TEXT, 0, 0, 1,
     "Axes of the components: the world's, or those of the frame named by `on`, which turn with its body."},
};

static void apply(const carom_load_input *in, carom_load_output *out)
{
    const carom_vec3 force = carom_load_to_world(&in->i, in->p, in->p[3]);
    *out = (carom_load_output){.force_i = force, .work_power = carom_v3_dot(force, in->i.v)};
}

const carom_load_kind carom_load_force = {
    .kind = {
        .name = "force",
        .title = "Force on a point of a body, in world axes or turning with the body.",
        .formula = "axes world: F_i = F. axes body: F_i = A_i F. Power: F_i . v_i.",
        .source = "Nikravesh 1988, Computer-Aided Analysis of Mechanical Systems, chapters 9 and 11",
        .validity = "Any force; the components may be expressions of time and measures. It acts at the origin of "
                    "the frame named by `on`. Its work counts as given from outside, also where the force is "
                    "conservative.",
        .params = parameters,
        .param_count = sizeof parameters / sizeof parameters[0],
    },
    .frame_count = 1,
    .apply = apply,
};
