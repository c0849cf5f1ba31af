/* Spring, with a damper if wanted, along the coordinate of a joint: what the key `spring` of a joint makes.

   With the coordinate q and s = q - free: Q = -(F(s) + c q') along the coordinate, the reaction on the first body;
   dissipation c q'^2. F is linear with a cubic part, k s + k3 s^3, or a spline; with free play it begins at |s| = gap,
   and one-sided it acts on one side alone; stored energy is the integral of F. The characteristic is that of
   kinds/load/load.h, the wrenches are Q times the gradient of the coordinate.
   Source: Nikravesh 1988, Computer-Aided Analysis of Mechanical Systems, chapter 9 (springs and dampers); Haug 1989,
   Computer Aided Kinematics and Dynamics of Mechanical Systems, chapters 6 and 11.
   Valid for any coordinate, through zero and over any number of turns. */
#include "kinds/load/load.h"

static const carom_param_row parameters[] = {
    {"stiffness", "N/m or N m/rad", 1, CAROM_PARAM_OPTIONAL, (double)NAN, 0, HUGE_VAL,
     "Force or torque per change of the coordinate; required unless `cubic` or `curve` is given."},
    {"free", "m or rad", 1, 0, 0, -HUGE_VAL, HUGE_VAL, "Coordinate at which the spring has no force."},
    {"damping", "N s/m or N m s/rad", 1, 0, 0, 0, HUGE_VAL, "Force or torque per rate of the coordinate."},
    {"cubic", "N/m^3 or N m/rad^3", 1, 0, 0, 0, HUGE_VAL, "Force or torque per cube of the change of the coordinate."},
    {"gap", "m or rad", 1, 0, 0, 0, HUGE_VAL,
     "Free play, or clearance of a stop: the spring begins where the "
     "coordinate differs by it from the free one."},
    {"only", "both|positive|negative", 1, CAROM_PARAM_TEXT, 0, 0, 2,
     "Whether the spring acts on both sides of the free coordinate, only above or only below it."},
    {"curve", "spline", 1, CAROM_PARAM_TEXT | CAROM_PARAM_SPLINE, 0, 0, HUGE_VAL,
     "Spline of the model: force [N] or torque [N m] over the change of the coordinate, beyond the gap, in place of "
     "the "
     "stiffness."},
};

enum { STIFFNESS, FREE, DAMPING, CUBIC, GAP, ONLY, CURVE };

static const char *start(double *p, const carom_frame_pose *i, const carom_frame_pose *j, int dimension)
{
    (void)i;
    (void)j;
    (void)dimension;
    return carom_characteristic_check(&p[STIFFNESS], p[CUBIC], p[CURVE]);
}

static carom_characteristic characteristic(const double *p)
{
    return (carom_characteristic){.stiffness = p[STIFFNESS],
                                  .cubic = p[CUBIC],
                                  .damping = p[DAMPING],
                                  .gap = p[GAP],
                                  .curve = p[CURVE],
                                  .side = p[ONLY] < 0.5   ? 0
                                          : p[ONLY] < 1.5 ? 1
                                                          : -1};
}

static size_t edges(const double *p, const carom_spline_table *curves, int dimension, int which, double *out)
{
    (void)dimension;
    const carom_characteristic c = characteristic(p);
    return carom_characteristic_edges(&c, curves, which, out);
}

static void apply(const carom_load_input *in, carom_load_output *out)
{
    const carom_characteristic c = characteristic(in->p);
    *out = (carom_load_output){0};
    const carom_deflection s = carom_load_coordinate(in, in->p[FREE]);
    const carom_characteristic_force f = carom_characteristic_at(&c, in, out, 0, &s);
    carom_load_along_coordinate(in, -f.force, out);
    out->stored = f.stored;
    out->dissipation = f.dissipation;
}

const carom_load_kind carom_load_joint_spring = {
    .kind =
        {
            .name = "joint-spring",
            .title =
                "Spring, with a damper if wanted, along the coordinate of a joint: linear, cubic or by a curve, with "
                "clearance, one-sided.",
            .formula =
                "Q = -(k s + k3 s^3 + c q'), s = q - free, along the joint's coordinate q, the reaction on the first "
                "body; or Q = -(curve(s) + c q'). With a gap s counts from the end of the free play. Energy: the "
                "integral of -Q - c q' over s, as k s^2/2 + k3 s^4/4.",
            .source = "Nikravesh 1988, Computer-Aided Analysis of Mechanical Systems, chapter 9; Haug 1989, "
                      "Computer Aided Kinematics and Dynamics of Mechanical Systems, chapters 6 and 11",
            .validity =
                "`on` a joint with a coordinate, or as the key `spring` of that joint. The coordinate is that of the "
                "joint, unwrapped: signed, through zero, over any number of turns. A stop with clearance is a spring "
                "with `gap`, for one stop with `only` as well; its damping acts while it is engaged and does not "
                "hold it back.",
            .params = parameters,
            .param_count = sizeof parameters / sizeof parameters[0],
        },
    .frame_count = 1,
    .on_joint = true,
    .switches = CAROM_CHARACTERISTIC_SWITCHES,
    .edges = edges,
    .start = start,
    .apply = apply,
};
