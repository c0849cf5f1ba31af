/* Rules on what the contact laws assume, and the quantities that they compare.
   Sources: Alves et al. 2015; Johnson, Contact Mechanics, sections 4.2, 6.1, 11.5; Thornton 1997, J. Appl. Mech. 64,
   383; Autiero et al. 2022, eqs. (112), (113); Machado et al. 2012; Rodrigues da Silva et al. 2024. */
#include "law/validity.h"
#include "base/base.h"
#include "kinds/normal/geometry.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const carom_validity_rule carom_validity[CAROM_RULE_COUNT] = {
    [CAROM_RULE_RESTITUTION] = {.warning = CAROM_WARN_RESTITUTION,
                                .quantity = "|e' - e|",
                                .threshold = 0.05,
                                .source = "Autiero et al. 2022, eq. (113); Gonthier et al. 2004; Zhang and Sharf 2009.",
                                .expected = true,
                                .onset = true},
    [CAROM_RULE_YIELD] =
        {.warning = CAROM_WARN_YIELD,
         .quantity = "v/v_y",
         .threshold = 1,
         .source = "Follows from Hertz's energy and pressure at p_0 = p_y; Thornton 1997, J. Appl. Mech. 64, 383, "
                   "has it with p_y. 1.6 Y (nu = 0.3) is from Johnson, Contact Mechanics, section 6.1. Both are "
                   "unverified at the source.",
         .expected = true,
         .onset = true},
    [CAROM_RULE_WAVES] =
        {.warning = CAROM_WARN_WAVES,
         .quantity = "v/sqrt(E/rho)",
         .threshold = 1e-5,
         .source = "Love, A Treatise on the Mathematical Theory of Elasticity, as quoted by Alves et al. 2015, where "
                   "both test speeds, 0.094 and 0.5 m/s on steel, exceed it.",
         .expected = true,
         .onset = true},
    [CAROM_RULE_INDENTATION] =
        {.warning = CAROM_WARN_INDENTATION,
         .quantity = "delta/R_min or (a/R_min)^2",
         .threshold = 0.01,
         .source = "Hertz 1882; Johnson, Contact Mechanics, section 4.2 (smooth, non-conformal, small strains, no "
                   "friction).",
         .expected = true,
         .onset = true},
    [CAROM_RULE_LIMIT] =
        {.warning = CAROM_WARN_LIMIT,
         .quantity = "delta/limit",
         .threshold = 0.8,
         .source = "Johnson's law: delta < 4 dR/e^2 = 0.541 dR, from d delta/dW = 0 of Autiero et al. 2022, section "
                   "3; its page has the limit of each law.",
         .expected = true,
         .onset = true},
    [CAROM_RULE_STATIC] = {.warning = CAROM_WARN_STATIC,
                           .quantity = "delta_s/R_min",
                           .threshold = 0.01,
                           .source = "Balance of forces.",
                           .expected = true},
    [CAROM_RULE_FLOOR] = {.warning = CAROM_WARN_FLOOR,
                          .quantity = "minimum_speed/v",
                          .threshold = 1,
                          .source = "Rodrigues da Silva et al. 2024 (contact at zero impact velocity).",
                          .expected = true,
                          .later = true},
    [CAROM_RULE_RATE] = {.warning = CAROM_WARN_RATE,
                         .quantity = "-rate/v0",
                         .threshold = 1,
                         .source = "Rodrigues da Silva et al. 2024 (velocity ratio below -1).",
                         .later = true},
    [CAROM_RULE_TENSION] =
        {.warning = CAROM_WARN_TENSION,
         .quantity = "-F",
         .threshold = 0,
         .source = "First integral of the free impact, Autiero et al. 2022, eq. (113): rate = -v0/A is an invariant "
                   "line.",
         .later = true},
};

const char *carom_validity_number(double value, char text[32])
{
    snprintf(text, 32, "%g", value);
    char *exponent = strchr(text, 'e');
    if (exponent) {
        char *from = exponent + 2 + strspn(exponent + 2, "0");
        char *to = exponent[1] == '-' ? exponent + 2 : exponent + 1;
        memmove(to, from, strlen(from) + 1);
    }
    return text;
}

const char *carom_validity_when(const carom_validity_rule *rule, char *text, size_t size)
{
    char number[32];
    snprintf(text, size, "Warned by %s where %s > %s.",
             !rule->expected              ? "the run"
             : rule->onset || rule->later ? "`carom check` and the run"
                                          : "`carom check`",
             rule->quantity, carom_validity_number(rule->threshold, number));
    return text;
}

double carom_contact_modulus(const carom_contact_geometry *g)
{
    double compliance;
    return carom_contact_compliance(g, &compliance) ? (double)NAN : 1 / compliance;
}

double carom_contact_radius(const carom_contact_geometry *g)
{
    double curvature = carom_contact_curvature(g->radius[0], g->radius[1]);
    return curvature > 0 ? 1 / curvature : HUGE_VAL;
}

double carom_smaller_radius(const carom_contact_geometry *g) { return fmin(fabs(g->radius[0]), fabs(g->radius[1])); }

double carom_contact_area_radius(const carom_contact_geometry *g, double indentation)
{
    return sqrt(carom_contact_radius(g) * indentation);
}

double carom_wave_speed(const carom_contact_geometry *g)
{
    double speed = (double)NAN;
    for (int side = 0; side < 2; side++)
        if (g->density[side] > 0 && g->young[side] > 0)
            speed = fmax(sqrt(g->young[side] / g->density[side]), speed);
    return speed;
}

double carom_yield_speed(const carom_contact_geometry *g, double mass)
{
    double stress = (double)NAN, modulus = carom_contact_modulus(g), radius = carom_contact_radius(g);
    for (int side = 0; side < 2; side++)
        if (g->yield[side] > 0)
            stress = fmin(g->yield[side], stress);
    if (!isfinite(radius) || !isfinite(mass) || !(mass > 0))
        return (double)NAN;
    double ratio = CAROM_PI * 1.6 * stress / (2 * modulus);
    return sqrt(16.0 / 15 * modulus * radius * radius * radius / mass * pow(ratio, 5));
}
