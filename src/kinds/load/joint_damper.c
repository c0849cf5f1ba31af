/* Damper along the coordinate of a joint: what the key `damper` of a joint makes.

   With the rate q' of the coordinate: Q = -c q' along the coordinate, the reaction on the first body; dissipation
   c q'^2. The wrenches are Q times the gradient of the coordinate.
   Source: Nikravesh 1988, Computer-Aided Analysis of Mechanical Systems, chapter 9 (dampers); Haug 1989, Computer
   Aided Kinematics and Dynamics of Mechanical Systems, chapters 6 and 11.
   Valid for any coordinate. */
#include "kinds/load/load.h"

static const carom_param_row parameters[] = {
    {"damping", "N s/m or N m s/rad", 1, CAROM_PARAM_REQUIRED, 0, 0, HUGE_VAL,
     "Force or torque per rate of the coordinate."},
};

static void apply(const carom_load_input *in, carom_load_output *out)
{
    const double effort = -in->p[0] * in->coordinate_rate;
    *out = (carom_load_output){.dissipation = -effort * in->coordinate_rate};
    carom_load_along_coordinate(in, effort, out);
}

const carom_load_kind carom_load_joint_damper = {
    .kind =
        {
            .name = "joint-damper",
            .title = "Linear damper along the coordinate of a joint.",
            .formula =
                "Q = -c q', along the joint's coordinate q, the reaction on the first body. Dissipation: c q'^2.",
            .source = "Nikravesh 1988, Computer-Aided Analysis of Mechanical Systems, chapter 9; Haug 1989, "
                      "Computer Aided Kinematics and Dynamics of Mechanical Systems, chapters 6 and 11",
            .validity = "`on` a joint with a coordinate, or as the key `damper` of that joint.",
            .params = parameters,
            .param_count = sizeof parameters / sizeof parameters[0],
        },
    .frame_count = 1,
    .on_joint = true,
    .apply = apply,
};
