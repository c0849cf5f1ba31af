/* Viscoelastic spheres: Fd = chi delta^(1/2) rate = A dFe/dt, chi = 3 K A/2, with the dissipative time A = (3 eta2
   - eta1)^2 (1 - nu^2)(1 - 2 nu)/((3 eta2 + 2 eta1) 3 E nu^2) (Kuwabara and Kono; Brilliantov et al.).
   Source: Kuwabara and Kono 1987, Jpn. J. Appl. Phys. 26, 1230; Brilliantov et al. 1996, Phys. Rev. E 53, 5382;
   Alves et al., table 1.
   Validity: Hertz; rates slow against the relaxation of the material. */
#include "kinds/normal/dashpot.h"
#include "kinds/normal/law.h"

enum { CHI, VISCOUS_TIME, ETA1, ETA2, YOUNG, POISSON };

static const carom_param_row params[] = {
    {"chi", "N s/m^1.5", 1, CAROM_PARAM_OPTIONAL, (double)NAN, 0, HUGE_VAL,
     "Damping coefficient; or give viscous_time, or eta1, eta2, E and nu."},
    {"viscous_time", "s", 1, CAROM_PARAM_OPTIONAL, (double)NAN, 0, HUGE_VAL,
     "Dissipative constant A of the material, in place of chi = 3 K A/2."},
    {"eta1", "Pa s", 1, CAROM_PARAM_OPTIONAL, (double)NAN, 0, HUGE_VAL, "First viscosity, of shear."},
    {"eta2", "Pa s", 1, CAROM_PARAM_OPTIONAL, (double)NAN, 0, HUGE_VAL, "Second viscosity, of volume."},
    {"E", "Pa", 1, CAROM_PARAM_OPTIONAL | CAROM_PARAM_ABOVE, (double)NAN, 0, HUGE_VAL,
     "Young's modulus that goes with the viscosities."},
    {"nu", "-", 1, CAROM_PARAM_OPTIONAL | CAROM_PARAM_ABOVE, (double)NAN, 0, 0.5,
     "Poisson's ratio that goes with the viscosities."},
};

/* A [s] of the viscosities; NAN if both are zero. */
static double viscous_time(const double *p)
{
    const double difference = 3 * p[ETA2] - p[ETA1], nu = p[POISSON];
    return difference * difference * (1 - nu) * (1 + nu) * (1 - 2 * nu) /
           (3 * (3 * p[ETA2] + 2 * p[ETA1]) * p[YOUNG] * nu * nu);
}

/* c[0] is chi as given, c[1] is A; the one that is not given is zero. */
static const char *prepare(const double *p, double *c)
{
    int viscosities = 0, ways = !isnan(p[CHI]) + !isnan(p[VISCOUS_TIME]);
    for (int k = ETA1; k <= POISSON; k++)
        viscosities += !isnan(p[k]);
    if (ways + (viscosities > 0) > 1)
        return "kuwabara-kono takes one of chi, viscous_time, and the four eta1, eta2, E and nu";
    if (!ways && viscosities < 4)
        return "kuwabara-kono needs chi, or viscous_time, or the four eta1, eta2, E and nu";
    c[0] = isnan(p[CHI]) ? 0 : p[CHI];
    c[1] = viscosities ? viscous_time(p) : isnan(p[VISCOUS_TIME]) ? 0 : p[VISCOUS_TIME];
    return isfinite(c[1]) ? NULL : "eta1 and eta2 give no finite dissipative time: one of them must be above 0";
}

static const char *fits(bool power_law, double exponent)
{
    return power_law && exponent == 1.5 ? NULL : "it is derived for Hertz's exponent n = 1.5";
}

static void force(const double *c, const carom_damping_input *in, carom_damping_force *out)
{
    carom_dashpot_force(c[0] + 1.5 * c[1] * in->stiffness, 0.5, in, out);
}

const carom_damping_kind carom_damping_kuwabara_kono = {
    .kind = {.name = "kuwabara-kono",
             .aliases = "brilliantov",
             .title = "Damping of viscoelastic spheres, Kuwabara and Kono (1987), Brilliantov et al. (1996).",
             .formula = "Fd = chi delta^0.5 rate, chi = 3 K A/2, A = (3 eta2 - eta1)^2 (1 - nu^2)(1 - 2 nu)/((3 "
                        "eta2 + 2 eta1) 3 E nu^2)",
             .source = "Kuwabara and Kono 1987, Jpn. J. Appl. Phys. 26, 1230; Brilliantov et al. 1996, Phys. Rev. E "
                       "53, 5382; Alves et al., table 1.",
             .validity = "Hertz; slow impacts, whose duration is long against the relaxation of the material. The "
                         "restitution falls with the speed, 1 - e in proportion to v0^(1/5), as measured. The force "
                         "pulls before the end, which tension: clip, the default, cuts. Misprints: Alves et al., "
                         "table 1, lacks the factor 3/2, has 1 - nu in place of 1 - nu^2, and v^2 in place of nu^2; "
                         "as printed it is 1/(1.5(1 + nu)) of this.",
             .params = params,
             .param_count = (int)(sizeof params / sizeof params[0])},
    .ignores_v0 = true,
    .uses_stiffness = true,
    .prepare = prepare,
    .fits = fits,
    .force = force,
};
