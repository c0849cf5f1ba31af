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
    [CAROM_RULE_RESTITUTION] =
        {.name = "restitution",
         .title = "Restitution asked and returned",
         .quantity = "|e' - e|",
         .threshold = 0.05,
         .formula =
             "Most damping factors A(e) are approximations. A free direct impact with Fd = Fe A rate/v0 returns e' "
             "from "
             "A (1 + e') = ln[(1 + A)/(1 - A e')], whatever the elastic part, the mass and the speed; for laws of "
             "another "
             "form the impact is integrated. In a mechanism other forces act during the impact, and no law returns its "
             "restitution exactly.",
         .source = "Autiero et al. 2022, eq. (113); Gonthier et al. 2004; Zhang and Sharf 2009.",
         .remedy = "Use the law 'exact', or ask for the e with which the law returns what you want; the page of each "
                   "law has a "
                   "table of both.",
         .expected = true,
         .onset = true},
    [CAROM_RULE_YIELD] =
        {.name = "yield",
         .title = "Yield",
         .quantity = "v/v_y",
         .threshold = 1,
         .formula =
             "v_y^2 = (16/15) (E* R^3/m) (pi p_y/(2 E*))^5: at this speed the largest Hertz pressure is p_y = 1.6 Y, "
             "the "
             "pressure at which the weaker side begins to yield below its surface. Y is the yield stress of the "
             "materials, m the effective mass, 1/R = 1/R_i + 1/R_j. Faster impacts leave a permanent indentation, and "
             "the restitution falls with the speed. Only for contacts of points, with elastic laws.",
         .source = "Follows from Hertz's energy and pressure at p_0 = p_y; Thornton 1997, J. Appl. Mech. 64, 383, has "
                   "it with p_y. 1.6 Y "
                   "(nu = 0.3) is from Johnson, Contact Mechanics, section 6.1. Both are unverified at the source.",
         .remedy =
             "Use a law with permanent indentation, e.g. thornton or walton-braun; or take K and e from a measurement "
             "at this speed.",
         .expected = true,
         .onset = true},
    [CAROM_RULE_WAVES] =
        {.name = "waves",
         .title = "Quasi-static impact",
         .quantity = "v/sqrt(E/rho)",
         .threshold = 1e-5,
         .formula =
             "The laws are quasi-static: the impact must last long against the travel of elastic waves, whose speed "
             "sqrt(E/rho) is the larger of the two sides. The criterion gives 0.05 m/s for steel and is strict: metals "
             "begin to yield near it, while the energy in waves is still small. Where a yield stress is given, the "
             "rule "
             "'yield' says more, and only one of the two is printed.",
         .source = "Love, A Treatise on the Mathematical Theory of Elasticity, as quoted by Alves et al. 2015, where "
                   "both test speeds, "
                   "0.094 and 0.5 m/s on steel, exceed it.",
         .remedy = "Treat K and e as fitted to this speed; give the materials' `yield` to learn the yield speed; use a "
                   "law with "
                   "permanent indentation where it is passed.",
         .expected = true,
         .onset = true},
    [CAROM_RULE_INDENTATION] =
        {.name = "indentation",
         .title = "Indentation against the radius",
         .quantity = "delta/R_min or (a/R_min)^2",
         .threshold = 0.01,
         .formula =
             "Hertz's theory takes the contact area, of radius a = sqrt(R delta), and the indentation as small against "
             "the "
             "radii; R_min is the smaller one. Between nearly equal radii of opposite sign a/R_min is the first to "
             "become "
             "large: the surfaces conform. A stiffness given as a number claims no theory and is warned of above 0.1.",
         .source =
             "Hertz 1882; Johnson, Contact Mechanics, section 4.2 (smooth, non-conformal, small strains, no friction).",
         .remedy =
             "Check units and materials; take a measured force and indentation (`from_point`), and for a shaft in its "
             "bore a line law (`carom list elastic`).",
         .expected = true,
         .onset = true},
    [CAROM_RULE_LIMIT] =
        {.name = "limit",
         .title = "Limit of a law",
         .quantity = "delta/limit",
         .threshold = 0.8,
         .formula = "Line laws of the kind delta = a W (b - ln W) have a greatest indentation: beyond it delta would "
                    "fall while the "
                    "force grows. There the force stays at that of the limit, which is no contact law any more.",
         .source = "Johnson's law: delta < 4 dR/e^2 = 0.541 dR, from d delta/dW = 0 of Autiero et al. 2022, section 3; "
                   "its page has "
                   "the limit of each law.",
         .remedy =
             "Use a law without limit (lankarani-nikravesh with a fitted K), or a larger clearance, length or modulus.",
         .expected = true,
         .onset = true},
    [CAROM_RULE_STATIC] = {.name = "static",
                           .title = "Indentation at rest",
                           .quantity = "delta_s/R_min",
                           .threshold = 0.01,
                           .formula = "Fe(delta_s) = m g, (m g/K)^(1/n) for a power law: the indentation at which the "
                                      "contact carries the weight of the "
                                      "lighter side, along the normal. One that is not small is mostly a stiffness in "
                                      "the wrong unit: K in N/mm^1.5 "
                                      "is 31623 times that number in N/m^1.5.",
                           .source = "Balance of forces.",
                           .remedy = "Write K with its unit, e.g. 1.2e5*N/mm^1.5.",
                           .expected = true},
    [CAROM_RULE_FLOOR] =
        {.name = "floor",
         .title = "Impacts slower than minimum_speed",
         .quantity = "minimum_speed/v",
         .threshold = 1,
         .formula = "Damping is scaled by an impact velocity v0. The law uses at least `minimum_speed`, so that "
                    "slower impacts lose less than asked, e' -> 1 for v -> 0. Contacts that begin at rest have none: "
                    "with `velocity: adaptive`, the default, v0 follows their closing speed, with `per-impact` it "
                    "stays at `minimum_speed` however hard they are hit later.",
         .source = "Rodrigues da Silva et al. 2024 (contact at zero impact velocity).",
         .remedy = "Nothing for bodies that come to rest. For slow impacts set a lower minimum_speed.",
         .expected = true,
         .later = true},
    [CAROM_RULE_RATE] =
        {.name = "rate",
         .title = "Parting faster than it came",
         .quantity = "-rate/v0",
         .threshold = 1,
         .formula = "No free impact passes rate = -v0. Long contacts that other forces open, and those compressed "
                    "again, do: the law "
                    "is then used outside its derivation, with a v0 that has lost its meaning.",
         .source = "Rodrigues da Silva et al. 2024 (velocity ratio below -1).",
         .remedy = "`velocity: adaptive`, the default, follows the closing speed of each compression; "
                   "`fixed-reference` keeps one reference_speed.",
         .later = true},
    [CAROM_RULE_TENSION] =
        {.name = "tension",
         .title = "Force that pulls",
         .quantity = "-F",
         .threshold = 0,
         .formula =
             "F = Fe (1 + A rate/v0) pulls where rate < -v0/A. A free impact never passes that rate; with other forces "
             "it may. "
             "`tension: clip`, the default, limits the damping part so that F >= 0, `allow` lets it pull, and the run "
             "reports it.",
         .source =
             "First integral of the free impact, Autiero et al. 2022, eq. (113): rate = -v0/A is an invariant line.",
         .remedy = "Keep `tension: clip` unless the surfaces stick.",
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
