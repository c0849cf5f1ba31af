/* Effort along the coordinate of a joint, given as an expression: what inverse-dynamics finds, as a load.

   Q = expression along the coordinate q, the reaction on the first body; work_power = Q q'. The wrenches are Q times
   the gradient of the coordinate.
   Source: Haug 1989, Computer Aided Kinematics and Dynamics of Mechanical Systems, chapters 6 and 11 (actuators).
   Valid for any coordinate. */
#include "kinds/load/load.h"

static const carom_param_row parameters[] = {
    {"effort", "N or N m", 1, CAROM_PARAM_REQUIRED | CAROM_PARAM_TIME, 0, -HUGE_VAL, HUGE_VAL,
     "Force or torque along the coordinate: a number or an expression, such as an input with a record."},
};

static void apply(const carom_load_input *in, carom_load_output *out)
{
    *out = (carom_load_output){.work_power = in->p[0] * in->coordinate_rate};
    carom_load_along_coordinate(in, in->p[0], out);
}

const carom_load_kind carom_load_joint_effort = {
    .kind =
        {
            .name = "joint-effort",
            .title = "Effort along the coordinate of a joint, given as an expression.",
            .formula = "Q = expression, along the joint's coordinate q, the reaction on the first body. Power: Q q'.",
            .source = "Haug 1989, Computer Aided Kinematics and Dynamics of Mechanical Systems, chapters 6 and 11",
            .validity = "`on` a joint with a coordinate. Its work counts as given from outside. The efforts that "
                        "inverse-dynamics finds drive the mechanism by it.",
            .params = parameters,
            .param_count = sizeof parameters / sizeof parameters[0],
        },
    .frame_count = 1,
    .on_joint = true,
    .apply = apply,
};
