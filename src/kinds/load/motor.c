/* Motor with a position control on a joint: a force or torque along the joint's coordinate.

   With the coordinate s, its rate s', the target s* and its rate, e = s* - s and the integral z of e:
   u = kp e + kd e' + ki z. Without a limit the effort is Q = u. With the limit Q0 and the no-load speed w0 it stays
   between the lines +-Q0 - (Q0/w0) s' (w0 infinite: +-Q0): the torque-speed lines of a motor of inner resistance R at
   its highest voltages, Q = (K/R)(U - K s'), Q0 = K U/R, w0 = U/K. The integral stands still where |ki z| is at its
   limit and e would take it beyond. With `control: computed-torque` the effort is the one that makes
   s'' = s*'' + 2 d w e' + w^2 e, found with the accelerations (dynamics/computed.c), within the same limits.
   Wrench: Q times the gradient of the coordinate, so that the reaction is on the first body; work_power = Q s'.
   Source: Spong, Hutchinson, Vidyasagar 2006, Robot Modeling and Control, chapters 6 (independent joint control,
   motor with armature resistance) and 8 (inverse dynamics); Astrom, Murray 2008, Feedback Systems, section 10.4
   (windup). Valid for any target; its rate and acceleration are its exact time derivatives. */
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
    {"integral", "N/(m s) or N m/(rad s)", 1, 0, 0, 0, HUGE_VAL, "Gain of the integral of the difference."},
    {"integral_limit", "N or N m", 1, CAROM_PARAM_OPTIONAL | CAROM_PARAM_ABOVE, (double)NAN, 0, HUGE_VAL,
     "Greatest effort of the integral, at which it stands still; without it that of `limit`."},
    {"control", "gains|computed-torque", 1, CAROM_PARAM_TEXT, 0, 0, 1,
     "Effort by the gains, or the one that the equations of the model need for the wanted acceleration."},
    {"frequency", "rad/s", 1, 0, 0, 0, HUGE_VAL,
     "Of computed-torque: circular frequency with which a difference of the coordinate dies away."},
    {"damping_ratio", "-", 1, 0, 1, 0, HUGE_VAL, "Of computed-torque: damping of that, 1 is critical."},
};

enum { TARGET, PROPORTIONAL, DERIVATIVE, LIMIT, NO_LOAD_SPEED, INTEGRAL, INTEGRAL_LIMIT, CONTROL, FREQUENCY,
       DAMPING_RATIO };

/* Switches. */
enum { SATURATION, CLAMP, SWITCHES };
/* Branch of both between their limits. */
#define WITHIN 1
/* Share of its limit within which an integral that has come there is known. */
#define AT_LIMIT 1e-9

static bool computed(const double *p) { return p[CONTROL] > 0.5; }

static const char *start(double *p, const carom_frame_pose *i, const carom_frame_pose *j, int dimension)
{
    (void)i;
    (void)j;
    (void)dimension;
    const bool gains = p[PROPORTIONAL] != 0 || p[DERIVATIVE] != 0 || p[INTEGRAL] != 0;
    if (!computed(p) && !gains)
        return "a motor needs a gain: give 'proportional', 'derivative' or 'integral'";
    if (computed(p) && gains)
        return "with 'control: computed-torque' give 'frequency' and 'damping_ratio' in place of the gains";
    if (!computed(p) && p[FREQUENCY] != 0)
        return "'frequency' is for 'control: computed-torque'";
    if (isnan(p[LIMIT]) && !isnan(p[NO_LOAD_SPEED]))
        return "'no_load_speed' needs 'limit', the greatest effort at rest";
    if (!isnan(p[INTEGRAL_LIMIT]) && p[INTEGRAL] == 0)
        return "'integral_limit' needs 'integral'";
    return NULL;
}

/* Greatest integral of the difference; infinite: there is none. */
static double greatest_integral(const double *p)
{
    const double effort = isnan(p[INTEGRAL_LIMIT]) ? p[LIMIT] : p[INTEGRAL_LIMIT];
    return p[INTEGRAL] > 0 && !isnan(effort) ? effort / p[INTEGRAL] : HUGE_VAL;
}

/* The control's effort, and the integral, as shares of their limits. */
static size_t edges(const double *p, const carom_spline_table *curves, int dimension, int which, double *out)
{
    (void)dimension;
    (void)curves;
    if (which == SATURATION ? isnan(p[LIMIT]) : isinf(greatest_integral(p)))
        return 0;
    if (out) {
        out[0] = -1;
        out[1] = 1;
    }
    return 2;
}

/* The integral's switch: within its limits its share of them, at one of them beyond until the difference turns. */
static void clamp(const carom_load_input *in, double share, double difference, carom_load_output *out)
{
    const bool above = share >= 1 - AT_LIMIT && difference > 0, below = share <= AT_LIMIT - 1 && difference < 0;
    const int branch = in->branch ? in->branch[CLAMP] : above ? WITHIN + 1 : below ? WITHIN - 1 : WITHIN;
    out->branch[CLAMP] = branch;
    out->quantity[CLAMP] = branch == WITHIN ? share : branch - WITHIN + difference;
}

static double integral_effort(const carom_load_input *in, double difference, carom_load_output *out)
{
    const double most = greatest_integral(in->p), z = in->states[0];
    if (isinf(most)) {
        out->branch[CLAMP] = WITHIN;
        return in->p[INTEGRAL] * z;
    }
    clamp(in, z / most, difference, out);
    return in->p[INTEGRAL] * fmax(-most, fmin(z, most));
}

static void apply(const carom_load_input *in, carom_load_output *out)
{
    const double *p = in->p, rate = in->coordinate_rate;
    const double e = p[TARGET] - in->coordinate.phi, fall = in->rates[TARGET] - rate;
    const double shift = isnan(p[NO_LOAD_SPEED]) ? 0 : -p[LIMIT] / p[NO_LOAD_SPEED] * rate;
    *out = (carom_load_output){.limit = p[LIMIT], .shift = shift};
    double effort = p[PROPORTIONAL] * e + p[DERIVATIVE] * fall;
    if (p[INTEGRAL] > 0)
        effort += integral_effort(in, e, out);
    int branch = WITHIN;
    if (computed(p)) {
        out->wanted = in->accelerations[TARGET] + p[FREQUENCY] * (2 * p[DAMPING_RATIO] * fall + p[FREQUENCY] * e);
        branch = isnan(p[LIMIT]) || !in->branch ? WITHIN : in->branch[SATURATION];
        out->branch[SATURATION] = branch;
    } else if (!isnan(p[LIMIT]))
        branch = carom_load_branch(in, out, SATURATION, (effort - shift) / p[LIMIT], 0, 0);
    if (branch != WITHIN)
        effort = (branch < WITHIN ? -p[LIMIT] : p[LIMIT]) + shift;
    carom_load_along_coordinate(in, effort, out);
    out->work_power = effort * rate;
}

static bool keeps(const double *p) { return p[INTEGRAL] > 0; }

static void rates(const carom_load_input *in, const carom_load_output *out, double *rate)
{
    *rate = out->branch[CLAMP] == WITHIN ? in->p[TARGET] - in->coordinate.phi : 0;
}

static int level(const double *p, int branch) { return isnan(p[LIMIT]) ? 0 : branch - WITHIN; }

static const carom_load_state states[] = {
    {"integral", "m s or rad s", "integral of the difference of the coordinate", 0, 1},
};
static const carom_load_notices notices = {
    "saturation", level, {"comes to its lower limit", "comes to its upper limit"},
    {"leaves its lower limit", "leaves its upper limit"}};

const carom_load_kind carom_load_motor = {
    .kind = {
        .name = "motor",
        .title = "Motor with a position control on a joint: drives its coordinate to a target, within the motor's "
                 "limits.",
        .formula = "Q = kp e + kd e' + ki z, e = s* - s, z' = e, between +-Q0 - (Q0/w0) s'; with computed-torque the Q "
                   "that makes s'' = s*'' + 2 d w e' + w^2 e. Along the joint's coordinate s, the reaction on the "
                   "first body. Power: Q s'.",
        .source = "Spong, Hutchinson, Vidyasagar 2006, Robot Modeling and Control, chapters 6 and 8; Astrom, Murray "
                  "2008, Feedback Systems, section 10.4",
        .validity = "`on` a joint with a coordinate. Its work counts as given from outside. The line of the limit is "
                    "that of a direct-current motor at its highest voltage: driven against its speed it brakes with "
                    "more than the limit at rest. Where the effort comes to its limit and leaves it is located, and a "
                    "row of the events. computed-torque knows the model wholly, contacts and friction included, all "
                    "such motors at once; it drives each coordinate alone. A motion that is followed exactly, with "
                    "whatever effort it takes, is `motion` of the joint.",
        .params = parameters,
        .param_count = sizeof parameters / sizeof parameters[0],
    },
    .frame_count = 1,
    .on_joint = true,
    .switches = SWITCHES,
    .states = states,
    .state_count = 1,
    .keeps = keeps,
    .rates = rates,
    .computed = computed,
    .edges = edges,
    .start = start,
    .notices = &notices,
    .apply = apply,
};
