/* Cylinders in the table of Autiero et al.: Fe = 4/3 E* sqrt(R) delta^n, R = R_i R_j/dR, dR = R_i + R_j (external) or
   R_hole - R_pin (internal).
   Source: Lankarani and Nikravesh 1990, J. Mech. Des. 112, 369; Autiero et al. 2022, table 1.
   Validity: it is Hertz's law of spheres: no length enters, and only n = 1.5 has the dimension of a force. */
#include "kinds/normal/geometry.h"
#include "kinds/normal/law.h"

enum { EXPONENT };

static const carom_param_row params[] = {
    {"exponent", "-", 1, 0, 1.5, 1, HUGE_VAL,
     "Exponent n of the indentation in metres; other values than 1.5 leave K without a sound unit."},
};

static const char *prepare(const double *p, const carom_contact_geometry *geometry, double *c)
{
    double compliance; /* 1/E* [1/Pa] */
    carom_cylinders cylinders;
    const char *refusal = carom_contact_compliance(geometry, &compliance);
    if (!refusal)
        refusal = carom_contact_cylinders(geometry, &cylinders);
    if (refusal)
        return refusal;
    c[0] = 4 * sqrt(cylinders.radius) / (3 * compliance);
    c[1] = p[EXPONENT];
    return NULL;
}

static void force(const double *c, const double *history, double delta, carom_elastic_force *out)
{
    (void)history;
    carom_power_force(c[0], c[1], delta, out);
}

const carom_elastic_kind carom_elastic_lankarani_nikravesh_cylinder = {
    .kind = {.name = "lankarani-nikravesh-cylinder",
             .title = "Law of Lankarani and Nikravesh as tabulated for cylinders; a law of spheres.",
             .formula = "Fe = 4/3 E* sqrt(R) delta^n, 1/E* = (1 - nu_i^2)/E_i + (1 - nu_j^2)/E_j, R = R_i R_j/dR, "
                        "dR = R_i + R_j (external) or R_hole - R_pin (internal)",
             .source = "Lankarani and Nikravesh 1990, J. Mech. Des. 112, 369; Autiero et al. 2022, table 1.",
             .validity = "Tabulated among the laws of cylinders, but Hertz's law of spheres: the length of the "
                         "contact does not enter. With n = 1.5 it equals hertz; any other n is unsound in its units "
                         "(K stays 4/3 E* sqrt(R) as a number, delta in metres) and is served for comparison only. "
                         "The column of this law in table 11 of Autiero et al. 2022 is 3.183 times too small for "
                         "reasons unknown.",
             .params = params,
             .param_count = (int)(sizeof params / sizeof params[0])},
    .power_law = true,
    .needs = CAROM_NEEDS_MATERIALS | CAROM_NEEDS_RADII,
    .prepare = prepare,
    .force = force,
};
