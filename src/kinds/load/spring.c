/* Spring and damper between two points: a force along the line of the origins.

   With l = |p_j - p_i|, u = (p_j - p_i)/l, s = l - l0: T = F(s) + c l', force_i = T u, force_j = -T u; dissipation
   c l'^2. F is linear with a cubic part, k s + k3 s^3, or a spline; with free play it begins at |s| = gap, and
   one-sided it acts in tension or compression alone; stored energy is the integral of F. The characteristic is
   that of kinds/load/load.h.
   Source: Nikravesh 1988, Computer-Aided Analysis of Mechanical Systems, chapter 9 (translational spring and
   damper); Haug 1989, Computer Aided Kinematics and Dynamics of Mechanical Systems, chapters 6 and 11.
   Valid for l > 0: at l = 0 the direction is undefined and the force is zero (exact for l0 = 0 without damping). */
#include "kinds/load/load.h"

static const carom_param_row parameters[] = {
    {"stiffness", "N/m", 1, CAROM_PARAM_OPTIONAL, (double)NAN, 0, HUGE_VAL,
     "Force per change of length; required unless `cubic` or `curve` is given."},
    {"length", "m", 1, CAROM_PARAM_OPTIONAL, (double)NAN, 0, HUGE_VAL,
     "Free length; without it the distance of the two points at the start."},
    {"damping", "N s/m", 1, 0, 0, 0, HUGE_VAL, "Force per rate of the length."},
    {"cubic", "N/m^3", 1, 0, 0, 0, HUGE_VAL, "Force per cube of the change of length."},
    {"gap", "m", 1, 0, 0, 0, HUGE_VAL, "Free play: the spring begins where the length differs by it from the free "
                                       "one."},
    {"only", "both|tension|compression", 1, CAROM_PARAM_TEXT, 0, 0, 2,
     "Whether the spring pulls and pushes, only pulls or only pushes."},
    {"curve", "spline of m to N", 1, CAROM_PARAM_TEXT | CAROM_PARAM_SPLINE, 0, 0, HUGE_VAL,
     "Spline of the model: tension [N] over the change of length, beyond the gap [m], in place of the stiffness."},
};

static const char *start(double *p, const carom_frame_pose *i, const carom_frame_pose *j, int dimension)
{
    (void)dimension;
    if (isnan(p[1]))
        p[1] = carom_load_line_of(i, j).length;
    return carom_characteristic_check(&p[0], p[3], p[6]);
}

static double stretch(const double *p, const carom_frame_pose *i, const carom_frame_pose *j)
{
    return p[1] > 0 ? carom_load_line_of(i, j).length / p[1] : 0;
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
    const carom_load_line line = carom_load_line_of(&in->i, &in->j);
    const carom_characteristic c = characteristic(in->p);
    *out = (carom_load_output){0};
    const carom_deflection s = carom_load_distance(in, line.length - in->p[1], line.rate);
    const carom_characteristic_force f = carom_characteristic_at(&c, in, out, 0, &s);
    out->force_i = carom_v3_scale(f.force, line.direction);
    out->force_j = carom_v3_neg(out->force_i);
    out->stored = f.stored;
    out->dissipation = f.dissipation;
}

const carom_load_kind carom_load_spring = {
    .kind = {
        .name = "spring",
        .title = "Spring, with a damper if wanted, between two points: linear, cubic or by a curve, with free play, "
                 "one-sided.",
        .formula = "T = k s + k3 s^3 + c l', s = l - l0, l = |p_j - p_i|, pulling the points together; or T = "
                   "curve(s) + c l'. With a gap s counts from the end of the free play. Energy: the integral of T - "
                   "c l' over s, as k s^2/2 + k3 s^4/4.",
        .source = "Nikravesh 1988, Computer-Aided Analysis of Mechanical Systems, chapter 9; Haug 1989, "
                  "Computer Aided Kinematics and Dynamics of Mechanical Systems, chapters 6 and 11",
        .validity = "Pulls and pushes unless `only` says otherwise. One-sided or with a gap the damping acts while "
                    "the spring is engaged and does not turn its force around; what it then holds back is "
                    "dissipation. Where the points coincide the direction is undefined and the force is zero; a "
                    "spring of free length zero without damping passes through that point smoothly, any other jumps "
                    "there. For other laws of the length: `line-force`.",
        .params = parameters,
        .param_count = sizeof parameters / sizeof parameters[0],
    },
    .frame_count = 2,
    .drawn = "coil",
    .switches = CAROM_CHARACTERISTIC_SWITCHES,
    .edges = edges,
    .start = start,
    .stretch = stretch,
    .apply = apply,
};
