/* Internal contact of cylinders, empirical: Fe = (0.49 dR + 0.10)/dR E* L delta^n in mm, N and MPa, n = Y dR^-0.005,
   Y = 1.56 ln(1000 dR)^-0.192 for dR <= 0.75 mm, 0.0028 dR + 1.1083 above.
   Source: Pereira, Ramalho and Ambrosio 2011, Surface Effects and Contact Mechanics X, WIT Press, 49; Autiero et al.
   2022, table 1.
   Validity: dR = R_hole - R_pin from 0.005 to 10 mm. n jumps by 2.3 % at 0.75 mm. */
#include "kinds/normal/geometry.h"
#include "kinds/normal/law.h"

static const char *prepare(const double *p, const carom_contact_geometry *geometry, double *c)
{
    (void)p;
    double compliance; /* 1/E* [1/Pa] */
    carom_cylinders cylinders;
    const char *refusal = carom_contact_compliance(geometry, &compliance);
    if (!refusal)
        refusal = carom_contact_cylinders(geometry, &cylinders);
    if (refusal)
        return refusal;
    if (!(geometry->length > 0))
        return "the law of Pereira et al. needs 'length', the length of the line contact [m]";
    if (!cylinders.internal)
        return "the law of Pereira et al. (2011) is for a pin in a hole: one of the radii must be negative (concave); "
               "pereira-2015 serves external contact";
    const double difference = 1e3 * cylinders.difference; /* [mm] */
    if (!(difference >= 0.005 && difference <= 10))
        return "the law of Pereira et al. (2011) was fitted for dR = R_hole - R_pin from 0.005 to 10 mm; this one lies "
               "outside";
    const double y = difference <= 0.75 ? 1.56 * pow(log(1000 * difference), -0.192) : 0.0028 * difference + 1.1083;
    c[1] = y * pow(difference, -0.005);
    /* E* [MPa] L [mm] = 1e-3 E* L in SI; N/mm^n = 1000^n N/m^n */
    c[0] = (0.49 * difference + 0.10) / difference * 1e-3 * geometry->length / compliance * pow(1000, c[1]);
    return NULL;
}

static void force(const double *c, const double *history, double delta, carom_elastic_force *out)
{
    (void)history;
    carom_power_force(c[0], c[1], delta, out);
}

const carom_elastic_kind carom_elastic_pereira_2011 = {
    .kind =
        {
            .name = "pereira-2011",
            .title = "Internal contact of cylinders after Pereira, Ramalho and Ambrosio (2011), empirical.",
            .formula = "Fe = (0.49 dR + 0.10)/dR E* L delta^n in mm, N and MPa, n = Y dR^-0.005, Y = 1.56 ln(1000 "
                       "dR)^-0.192 for dR <= 0.75 mm, 0.0028 dR + 1.1083 above, dR = R_hole - R_pin",
            .source = "Pereira, Ramalho and Ambrosio 2011, Surface Effects and Contact Mechanics X, WIT Press, 49; "
                      "Autiero et al. 2022, table 1.",
            .validity = "Empirical fit for a pin in a hole with dR from 0.005 to 10 mm; other dR are refused. Its "
                        "constants hold in mm, N and MPa only; models stay in SI, the law converts. n jumps from "
                        "1.0868 to 1.1120 (2.3 %) at dR = 0.75 mm, which pereira-2015 mends. n is Y dR^-0.005; a "
                        "public code that has (Y dR)^-0.005 loses Y.",
        },
    .power_law = true,
    .needs = CAROM_NEEDS_MATERIALS | CAROM_NEEDS_RADII | CAROM_NEEDS_LENGTH,
    .prepare = prepare,
    .force = force,
};
