/* Spring and damper between two points: a force along the line of the origins.

   With l = |p_j - p_i| and u = (p_j - p_i)/l: T = k (l - l0) + c l', force_i = T u, force_j = -T u; stored energy
   k (l - l0)^2/2, dissipation c l'^2.
   Source: Nikravesh 1988, Computer-Aided Analysis of Mechanical Systems, chapter 9 (translational spring and damper);
   Haug 1989, Computer Aided Kinematics and Dynamics of Mechanical Systems, chapters 6 and 11.
   Valid for l > 0: at l = 0 the direction is undefined and the force is zero (exact for l0 = 0 without damping). */
#include "kinds/load.h"

static const carom_param_row parameters[] = {
    {"stiffness", "N/m", 1, CAROM_PARAM_REQUIRED, 0, 0, HUGE_VAL, "Force per change of length."},
    {"length", "m", 1, CAROM_PARAM_OPTIONAL, (double)NAN, 0, HUGE_VAL,
     "Free length; without it the distance of the two points at the start."},
    {"damping", "N s/m", 1, 0, 0, 0, HUGE_VAL, "Force per rate of the length."},
};

static const char *start(double *p, const carom_frame_pose *i, const carom_frame_pose *j, int dimension)
{
    (void)dimension;
    if (isnan(p[1]))
        p[1] = carom_load_line_of(i, j).length;
    return NULL;
}

static void apply(const carom_load_input *in, carom_load_output *out)
{
    const carom_load_line line = carom_load_line_of(&in->i, &in->j);
    const double k = in->p[0], stretch = line.length - in->p[1], c = in->p[2];
    const carom_vec3 pull = carom_v3_scale(k * stretch + c * line.rate, line.direction);

    *out = (carom_load_output){.force_i = pull,
                               .force_j = carom_v3_neg(pull),
                               .stored = 0.5 * k * stretch * stretch,
                               .dissipation = c * line.rate * line.rate};
}

const carom_load_kind carom_load_spring = {
    .kind = {
        .name = "spring",
        .title = "Linear spring, with a damper if wanted, between two points.",
        .formula = "T = k (l - l0) + c l', l = |p_j - p_i|, pulling the points together. Energy: k (l - l0)^2/2.",
        .source = "Nikravesh 1988, Computer-Aided Analysis of Mechanical Systems, chapter 9; Haug 1989, "
                  "Computer Aided Kinematics and Dynamics of Mechanical Systems, chapters 6 and 11",
        .validity = "Pulls and pushes. Where the points coincide the direction is undefined and the force is zero; "
                    "a spring of free length zero without damping passes through that point smoothly, any other "
                    "jumps there.",
        .params = parameters,
        .param_count = sizeof parameters / sizeof parameters[0],
    },
    .frame_count = 2,
    .start = start,
    .apply = apply,
};
