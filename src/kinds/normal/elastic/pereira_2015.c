/* Internal and external contact of cylinders, empirical: Fe = (a dR + b)/dR E* L delta^n in mm, N and MPa.
   Internal: a = 0.965, b = 0.0965, n = Y dR^-0.005, Y = 1.51 ln(1000 dR)^-0.151 for dR <= 0.34954 mm, 0.0151 dR + 1.151
   above. External: a = 0.39, b = 0.85, n = 1.094.
   Source: Pereira, Ramalho and Ambrosio 2015, Multibody Syst. Dyn. 35, 277; Autiero et al. 2022, table 1.
   Validity: internal dR = R_hole - R_pin from 0.005 to 10 mm; of external contact, dR = R_i + R_j, no range is
   printed. */
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
    if (isinf(cylinders.difference))
        return "the law of Pereira et al. (2015) was fitted for two cylinders: a flat side is outside its range";
    const double difference = 1e3 * cylinders.difference; /* [mm] */
    if (cylinders.internal && !(difference >= 0.005 && difference <= 10))
        return "the law of Pereira et al. (2015) was fitted for dR = R_hole - R_pin from 0.005 to 10 mm; this one lies "
               "outside";
    double a = 0.39, b = 0.85;
    c[1] = 1.094;
    if (cylinders.internal) {
        a = 0.965;
        b = 0.0965;
        const double y =
            difference <= 0.34954 ? 1.51 * pow(log(1000 * difference), -0.151) : 0.0151 * difference + 1.151;
        c[1] = y * pow(difference, -0.005);
    }
    /* E* [MPa] L [mm] = 1e-3 E* L in SI; N/mm^n = 1000^n N/m^n */
    c[0] = (a * difference + b) / difference * 1e-3 * geometry->length / compliance * pow(1000, c[1]);
    return NULL;
}

static void force(const double *c, const double *history, double delta, carom_elastic_force *out)
{
    (void)history;
    carom_power_force(c[0], c[1], delta, out);
}

const carom_elastic_kind carom_elastic_pereira_2015 = {
    .kind =
        {
            .name = "pereira-2015",
            .title = "Internal and external contact of cylinders after Pereira, Ramalho and Ambrosio (2015), "
                     "empirical.",
            .formula = "Fe = (a dR + b)/dR E* L delta^n in mm, N and MPa; internal (dR = R_hole - R_pin): a = "
                       "0.965, b = 0.0965, n = Y dR^-0.005, Y = 1.51 ln(1000 dR)^-0.151 for dR <= 0.34954 mm, "
                       "0.0151 dR + 1.151 above; external (dR = R_i + R_j): a = 0.39, b = 0.85, n = 1.094",
            .source = "Pereira, Ramalho and Ambrosio 2015, Multibody Syst. Dyn. 35, 277; Autiero et al. 2022, "
                      "table 1.",
            .validity = "Empirical fit. Internal contact, told by one negative radius, with dR from 0.005 to 10 "
                        "mm; other dR are refused. For external contact Autiero et al. 2022 print no range: both "
                        "sides must be convex and none flat, the rest is for the user to judge. The constants hold "
                        "in mm, N and MPa only; models stay in SI, the law converts. n is Y dR^-0.005; a public "
                        "code that has (Y dR)^-0.005 loses Y.",
        },
    .power_law = true,
    .needs = CAROM_NEEDS_MATERIALS | CAROM_NEEDS_RADII | CAROM_NEEDS_LENGTH,
    .prepare = prepare,
    .force = force,
};
