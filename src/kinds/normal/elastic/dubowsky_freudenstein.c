/* Pin in a hollow cylinder after Dubowsky and Freudenstein: delta = Fe (h_i + h_j)/L (ln(L^3 (R_i - R_j)/(Fe R_i R_j
   (h_i + h_j))) + 1), h = (1 - nu^2)/(pi E), L = 2a the length of the pin.
   Source: Autiero et al. 2022, Table 1 and eq. (8); Dubowsky and Freudenstein 1971, J. Eng. Ind. 93, 305.
   Validity: internal contact, delta < L^2/R; inverted in closed form. */
#include "kinds/normal/law.h"
#include "kinds/normal/line.h"
#include "base/base.h"

enum { CONVENTION };

static const carom_param_row params[] = {
    {"convention", "literature|printed", 1, CAROM_PARAM_TEXT, 0, 0, 1,
     "Compliance of a side: `literature`, h = (1 - nu^2)/(pi E) and no further pi, or `printed`, pi (1 - nu^2)/E as "
     "eq. "
     "(8) of Autiero et al. reads, which is pi^2 times too soft."},
};

static const char *prepare(const double *p, const carom_contact_geometry *geometry, double *c)
{
    carom_line_contact line;
    const char *refusal = carom_line_read(geometry, &line);
    if (refusal)
        return refusal;
    if (!line.cylinders.internal)
        return "the law of Dubowsky and Freudenstein is that of a pin in a hollow cylinder: one radius must be "
               "negative; `goldsmith` has the same form for external contact";
    double stiffness = p[CONVENTION] == 1 ? line.modulus / CAROM_PI : CAROM_PI * line.modulus;
    double B = line.length * line.length * stiffness / line.cylinders.radius;
    return carom_line_prepare(1 / stiffness, B, 1, line.length, c);
}

const carom_elastic_kind carom_elastic_dubowsky_freudenstein = {
    .kind = {.name = "dubowsky-freudenstein",
             .aliases = "dubowsky",
             .title = "Pin in a hollow cylinder after Dubowsky and Freudenstein.",
             .formula = "delta = Fe (h_i + h_j)/L (ln(L^3 (R_i - R_j)/(Fe R_i R_j (h_i + h_j))) + 1), "
                        "h = (1 - nu^2)/(pi E), L = 2a",
             .source =
                 "Autiero et al. 2022, Table 1 and eq. (8); Dubowsky and Freudenstein 1971, J. Eng. Ind. 93, 305.",
             .validity =
                 "A pin in a hollow cylinder (its radius negative), axes parallel; external contact is refused. "
                 "The indentation depends on the length by itself and needs L^2 well above R delta: the range "
                 "ends at delta = L^2/R. Autiero et al. print a pi in front of h and another in the logarithm "
                 "and drop that of h, together pi^2 too soft (`convention: printed`); with h = (1 - nu^2)/(pi E) "
                 "and without them the law is Goldsmith's with the exponent 3. Their a is half the length of "
                 "the pin, their eq. (7) is the law of spheres.",
             .params = params,
             .param_count = (int)(sizeof params / sizeof params[0])},
    .needs = CAROM_NEEDS_MATERIALS | CAROM_NEEDS_RADII | CAROM_NEEDS_LENGTH,
    .prepare = prepare,
    .force = carom_line_force,
    .limit = carom_line_limit,
};
