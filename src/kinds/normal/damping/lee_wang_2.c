/* Linear damper that grows in a transition zone: Fd = 2 zeta sqrt(K m) T2(delta) rate, T2 = exp(2q(delta -
   eps)/eps) below eps, 1 above (Lee and Wang, second function).
   Source: Lee and Wang 1983, J. Mech. Transm. Autom. Des. 105, 534; Autiero et al. 2022, eqs. (40)-(45).
   Validity: 0 <= e <= 1, linear spring, eps at most the greatest indentation. */
#include "kinds/normal/dashpot.h"
#include "kinds/normal/law.h"

enum { RESTITUTION, EPSILON, Q };

static const carom_param_row params[] = {
    {"restitution", "-", 1, CAROM_PARAM_REQUIRED, 0, 0, 1, "Coefficient of restitution e asked for."},
    {"epsilon", "m", 1, CAROM_PARAM_REQUIRED | CAROM_PARAM_ABOVE, 0, 0, HUGE_VAL,
     "Width of the transition zone, at most the greatest indentation."},
    {"q", "-", 1, 0, 3, 0, HUGE_VAL, "Steepness of the transition; 2, 3 or 4 in the paper."},
};

static const char *prepare(const double *p, double *c)
{
    c[0] = carom_damping_ratio(p[RESTITUTION]);
    c[1] = p[EPSILON];
    c[2] = p[Q];
    return NULL;
}

static const char *fits(bool power_law, double exponent)
{
    return power_law && exponent == 1 ? NULL : "its damping ratio is that of a linear spring, n = 1; tsuji takes any n";
}

static void force(const double *c, const carom_damping_input *in, carom_damping_force *out)
{
    const double epsilon = c[1], steepness = 2 * c[2] / epsilon;
    const double inside = fmin(in->delta - epsilon, 0);
    carom_dashpot_force(2 * c[0] * sqrt(in->stiffness * in->mass) * exp(steepness * inside), 0, in, out);
    if (inside < 0)
        out->d_delta = steepness * out->force;
}

const carom_damping_kind carom_damping_lee_wang_2 = {
    .kind = {.name = "lee-wang-2",
             .aliases = "lee-wang2",
             .title = "Damping of Lee and Wang (1983), second function.",
             .formula = "Fd = 2 zeta sqrt(K m) T2(delta) rate, zeta = -ln e/sqrt(pi^2 + ln^2 e), T2 = exp(2q(delta "
                        "- eps)/eps) for delta < eps, 1 above",
             .source = "Lee and Wang 1983, J. Mech. Transm. Autom. Des. 105, 534; Autiero et al. 2022, eqs. "
                       "(40)-(45).",
             .validity = "Linear springs; eps at most the greatest indentation. At the onset the force still jumps, "
                         "by exp(-2q) of the full damping: 1.8 % for q = 2, 0.25 % for 3, 0.034 % for 4. zeta is "
                         "that of full damping at every indentation, so that more than e is returned: with q = 3 and "
                         "eps a tenth of v0 sqrt(m/K) 0.573 for 0.5, with a third of it 0.675. The condition of no "
                         "tension, eq. (43), cannot hold at the end of the rebound, which tension: clip, the "
                         "default, cuts. Misprint: Autiero et al. 2022, eq. (41), prints the rate where the unit "
                         "step of delta is meant.",
             .params = params,
             .param_count = (int)(sizeof params / sizeof params[0])},
    .ignores_v0 = true,
    .takes_restitution = true,
    .uses_mass = true,
    .uses_stiffness = true,
    .prepare = prepare,
    .fits = fits,
    .force = force,
};
