/* Ligament between two points: a force along the line of the origins that grows with the square of the elongation.

   With l = |p_j - p_i|, u = (p_j - p_i)/l: T = k (l - l0)^2 + c l' where l > l0, else 0; force_i = T u, force_j =
   -T u. The damping acts while the ligament is taut and does not make it push: T >= 0. Stored energy k (l -
   l0)^3/3 where taut, dissipation (T - k (l - l0)^2) l'.
   Source: Machado, Moreira, Flores, Lankarani 2012, Compliant contact force models in multibody dynamics:
   Evolution of the Hertz contact theory, Mech. Mach. Theory 53, eq. (49), constants in Table 3; c = 0 there.
   Valid for any elongation. */
#include "kinds/load/load.h"

static const carom_param_row parameters[] = {
    {"stiffness", "N/m^2", 1, CAROM_PARAM_REQUIRED, 0, 0, HUGE_VAL, "Force per square of the elongation."},
    {"length", "m", 1, CAROM_PARAM_OPTIONAL, (double)NAN, 0, HUGE_VAL,
     "Unstrained length; without it the distance of the two points at the start."},
    {"damping", "N s/m", 1, 0, 0, 0, HUGE_VAL, "Force per rate of the length while taut."},
};

enum { TAUT, PULLS };

static const char *start(double *p, const carom_frame_pose *i, const carom_frame_pose *j, int dimension)
{
    (void)dimension;
    if (isnan(p[1]))
        p[1] = carom_load_line_of(i, j).length;
    return NULL;
}

static double stretch(const double *p, const carom_frame_pose *i, const carom_frame_pose *j)
{
    return p[1] > 0 ? carom_load_line_of(i, j).length / p[1] : 0;
}

static size_t edges(const double *p, const carom_spline_table *curves, int dimension, int which, double *out)
{
    (void)dimension;
    (void)curves;
    if (which == PULLS && p[2] == 0)
        return 0;
    if (out)
        out[0] = 0;
    return 1;
}

static void apply(const carom_load_input *in, carom_load_output *out)
{
    const carom_load_line line = carom_load_line_of(&in->i, &in->j);
    const double k = in->p[0], c = in->p[2];
    const carom_deflection s = carom_load_distance(in, line.length - in->p[1], line.rate);
    *out = (carom_load_output){.quantity[PULLS] = 1, .branch[PULLS] = 1};
    if (carom_load_branch(in, out, TAUT, s.value, s.rate, s.noise) == 0)
        return;
    const double elastic = k * s.value * s.value, raw = elastic + c * s.rate;
    const double noise = k * (2 * fabs(s.value) + s.noise) * s.noise + c * s.rate_noise;
    const bool pulls = c == 0 || carom_load_branch(in, out, PULLS, raw, 0, noise) == 1;
    const double force = pulls ? raw : 0;
    out->force_i = carom_v3_scale(force, line.direction);
    out->force_j = carom_v3_neg(out->force_i);
    out->stored = elastic * s.value / 3;
    out->dissipation = (force - elastic) * s.rate;
}

const carom_load_kind carom_load_ligament = {
    .kind = {
        .name = "ligament",
        .title = "Ligament between two points: pulls with the square of its elongation, slack below its free length.",
        .formula = "T = k (l - l0)^2 + c l' where l > l0, else 0, and never below 0; l = |p_j - p_i|. Energy: "
                   "k (l - l0)^3/3.",
        .source = "Machado, Moreira, Flores, Lankarani 2012, Mech. Mach. Theory 53, eq. (49); the damping is an "
                  "addition, zero there",
        .validity = "Pulls only. The damping acts while it is taut and does not make it push.",
        .params = parameters,
        .param_count = sizeof parameters / sizeof parameters[0],
    },
    .frame_count = 2,
    .drawn = "line",
    .switches = 2,
    .edges = edges,
    .start = start,
    .stretch = stretch,
    .apply = apply,
};
