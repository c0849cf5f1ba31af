/* Torsion spring and damper between two bodies, about the axis h_i.

   With the angle theta from f_i to f_j about h_i, s = theta - theta0 and theta' = n . (w_j - w_i), n = h_i where
   the axes h coincide: M = F(s) + c theta', torque_i = M n, torque_j = -M n; dissipation c theta'^2. F is linear
   with a cubic part, k s + k3 s^3, or a spline; with free play it begins at |s| = gap, and one-sided it acts on
   one side alone; stored energy is the integral of F. The characteristic is that of kinds/load/load.h. With n in place
   of h_i the power balance holds for axes out of line, too. Whole turns are counted: in space by the deflection and
   its rate at the last accepted time.
   Source: Nikravesh 1988, Computer-Aided Analysis of Mechanical Systems, chapter 9 (rotational spring and damper);
   Haug 1989, Computer Aided Kinematics and Dynamics of Mechanical Systems, chapters 6 and 11.
   Valid for any number of turns. */
#include "kinds/joint/joint.h"
#include "kinds/load/load.h"

#define TURN 6.283185307179586476925

static const carom_param_row parameters[] = {
    {"stiffness", "N m/rad", 1, CAROM_PARAM_OPTIONAL, (double)NAN, 0, HUGE_VAL,
     "Torque per change of angle; required unless `cubic` or `curve` is given."},
    {"angle", "rad", 1, CAROM_PARAM_OPTIONAL, (double)NAN, -HUGE_VAL, HUGE_VAL,
     "Free angle from the x-axis of the first frame to that of the second about `axis`; without it the angle at the "
     "start."},
    {"damping", "N m s/rad", 1, 0, 0, 0, HUGE_VAL, "Torque per rate of the angle."},
    {"cubic", "N m/rad^3", 1, 0, 0, 0, HUGE_VAL, "Torque per cube of the change of angle."},
    {"gap", "rad", 1, 0, 0, 0, HUGE_VAL, "Free play, or clearance of a stop: the spring begins where the angle "
                                         "differs by it."},
    {"only", "both|positive|negative", 1, CAROM_PARAM_TEXT, 0, 0, 2,
     "Whether the spring acts on both sides of the free angle, only above or only below it."},
    {"curve", "spline of rad to N m", 1, CAROM_PARAM_TEXT | CAROM_PARAM_SPLINE, 0, 0, HUGE_VAL,
     "Spline of the model: torque [N m] over the change of angle, beyond the gap [rad], in place of the stiffness."},
};

static const char *start(double *p, const carom_frame_pose *i, const carom_frame_pose *j, int dimension)
{
    if (isnan(p[1])) {
        carom_row angle;
        carom_row_angle(i, j, dimension, &angle);
        p[1] = angle.phi;
    }
    return carom_characteristic_check(&p[0], p[3], p[6]);
}

static carom_characteristic characteristic(const double *p)
{
    return (carom_characteristic){.stiffness = p[0], .cubic = p[3], .damping = p[2], .gap = p[4], .curve = p[6],
                                  .side = p[5] < 0.5 ? 0 : p[5] < 1.5 ? 1 : -1};
}

static size_t edges(const double *p, const carom_spline_table *curves, int dimension, int which, double *out)
{
    (void)dimension;
    const carom_characteristic c = characteristic(p);
    return carom_characteristic_edges(&c, curves, which, out);
}

static void apply(const carom_load_input *in, carom_load_output *out)
{
    carom_row angle;
    carom_row_angle(&in->i, &in->j, in->dimension, &angle);

    /* in space the angle is known up to whole turns only */
    double twist = angle.phi - in->p[1];
    if (in->dimension == 3)
        twist += TURN * nearbyint((in->deflection - twist) / TURN);
    const double rate = carom_v3_dot(angle.Aj, carom_v3_sub(in->j.w, in->i.w));
    const carom_characteristic c = characteristic(in->p);
    *out = (carom_load_output){.deflection = twist, .deflection_rate = rate};
    const carom_deflection s = carom_load_angle(in, twist, rate);
    const carom_characteristic_force f = carom_characteristic_at(&c, in, out, 0, &s);
    out->torque_i = carom_v3_scale(f.force, angle.Aj);
    out->torque_j = carom_v3_neg(out->torque_i);
    out->stored = f.stored;
    out->dissipation = f.dissipation;
}

const carom_load_kind carom_load_torsion_spring = {
    .kind = {
        .name = "torsion-spring",
        .title = "Torsion spring, with a damper if wanted, between two bodies about an axis: linear, cubic or by a "
                 "curve, with clearance, one-sided.",
        .formula = "M = k s + k3 s^3 + c theta', s = theta - theta0, turning the bodies back; or M = curve(s) + c "
                   "theta'. With a gap s counts from the end of the free play. Energy: the integral of M - c theta' "
                   "over s, as k s^2/2 + k3 s^4/4.",
        .source = "Nikravesh 1988, Computer-Aided Analysis of Mechanical Systems, chapter 9; Haug 1989, "
                  "Computer Aided Kinematics and Dynamics of Mechanical Systems, chapters 6 and 11",
        .validity = "For bodies whose axes stay in line, as in a hinge; any number of turns. In two dimensions "
                    "`axis` is z. In three dimensions the deflection at the start is within half a turn, and turns "
                    "are counted from there. A stop with clearance is a torsion spring with `gap`, for one stop with "
                    "`only` as well; its damping acts while it is engaged and does not hold it back.",
        .params = parameters,
        .param_count = sizeof parameters / sizeof parameters[0],
    },
    .frame_count = 2,
    .drawn = "spiral",
    .has_axis = true,
    .counts_turns = true,
    .switches = CAROM_CHARACTERISTIC_SWITCHES,
    .edges = edges,
    .start = start,
    .apply = apply,
};
