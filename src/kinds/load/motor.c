/* Motor with a position control on a joint: a force or torque along the joint's coordinate.

   With the coordinate s, its rate s', the target s* and its rate: u = kp (s* - s) + kd (s*' - s'). Without a limit
   the effort is Q = u. With the limit Q0 and the no-load speed w0 it stays between the lines +-Q0 - (Q0/w0) s' (w0
   infinite: +-Q0): the torque-speed lines of a motor of inner resistance R at its highest voltages, Q = (K/R)(U -
   K s'), Q0 = K U/R, w0 = U/K. Wrench: Q times the gradient of the coordinate, so that the reaction is on the
   first body; work_power = Q s'.
   Source: Spong, Hutchinson, Vidyasagar 2006, Robot Modeling and Control, chapter 6 (independent joint control,
   motor with armature resistance). Valid for any target; without rate of its own the target's is its exact time
   derivative. */
#include "kinds/load/load.h"

static const carom_param_row parameters[] = {
    {"target", "m or rad", 1, CAROM_PARAM_REQUIRED | CAROM_PARAM_TIME | CAROM_PARAM_RATE, 0, -HUGE_VAL, HUGE_VAL,
     "Wanted coordinate of the joint: a number or an expression of t, which gives the wanted rate as well."},
    {"proportional", "N/m or N m/rad", 1, 0, 0, 0, HUGE_VAL, "Gain of the difference of the coordinate."},
    {"derivative", "N s/m or N m s/rad", 1, 0, 0, 0, HUGE_VAL, "Gain of the difference of the rate."},
    {"limit", "N or N m", 1, CAROM_PARAM_OPTIONAL | CAROM_PARAM_ABOVE, (double)NAN, 0, HUGE_VAL,
     "Greatest effort at rest; without it there is no limit."},
    {"no_load_speed", "m/s or rad/s", 1, CAROM_PARAM_OPTIONAL | CAROM_PARAM_ABOVE, (double)NAN, 0, HUGE_VAL,
     "Speed at which the greatest effort has fallen to zero; without it the limit does not depend on the speed."},
};

enum { TARGET, PROPORTIONAL, DERIVATIVE, LIMIT, NO_LOAD_SPEED };

static const char *start(double *p, const carom_frame_pose *i, const carom_frame_pose *j, int dimension)
{
    (void)i;
    (void)j;
    (void)dimension;
    if (p[PROPORTIONAL] == 0 && p[DERIVATIVE] == 0)
        return "a motor needs a gain: give 'proportional', 'derivative' or both";
    if (isnan(p[LIMIT]) && !isnan(p[NO_LOAD_SPEED]))
        return "'no_load_speed' needs 'limit', the greatest effort at rest";
    return NULL;
}

/* The control's effort between the two limits, as a share of the limit at rest. */
static size_t edges(const double *p, const carom_spline_table *curves, int which, double *out)
{
    (void)curves;
    (void)which;
    if (isnan(p[LIMIT]))
        return 0;
    if (out) {
        out[0] = -1;
        out[1] = 1;
    }
    return 2;
}

static void apply(const carom_load_input *in, carom_load_output *out)
{
    const double *p = in->p, rate = in->coordinate_rate;
    const carom_row *row = &in->coordinate;
    *out = (carom_load_output){0};
    double effort = p[PROPORTIONAL] * (p[TARGET] - row->phi) + p[DERIVATIVE] * (in->rates[TARGET] - rate);
    if (!isnan(p[LIMIT])) {
        const double fall = isnan(p[NO_LOAD_SPEED]) ? 0 : p[LIMIT] / p[NO_LOAD_SPEED] * rate;
        const int branch = carom_load_branch(in, out, 0, (effort + fall) / p[LIMIT], 0);
        if (branch != 1)
            effort = (branch < 1 ? -p[LIMIT] : p[LIMIT]) - fall;
    }
    carom_load_along_coordinate(in, effort, out);
    out->work_power = effort * rate;
}

const carom_load_kind carom_load_motor = {
    .kind = {
        .name = "motor",
        .title = "Motor with a position control on a joint: drives its coordinate to a target, within the motor's "
                 "limits.",
        .formula = "Q = kp (s* - s) + kd (s*' - s'), between +-Q0 - (Q0/w0) s'. Along the joint's coordinate s, the "
                   "reaction on the first body. Power: Q s'.",
        .source = "Spong, Hutchinson, Vidyasagar 2006, Robot Modeling and Control, chapter 6",
        .validity = "`on` a joint with a coordinate. Its work counts as given from outside. The line of the limit is "
                    "that of a direct-current motor at its highest voltage: driven against its speed it brakes with "
                    "more than the limit at rest. A motion that is followed exactly, with whatever effort it takes, "
                    "is `motion` of the joint.",
        .params = parameters,
        .param_count = sizeof parameters / sizeof parameters[0],
    },
    .frame_count = 1,
    .on_joint = true,
    .switches = 1,
    .edges = edges,
    .start = start,
    .apply = apply,
};
