/* Pin in a hollow cylinder after ESDU 78035: delta = W (h_i + h_j) (ln(4 (R_i - R_j)/(W (h_i + h_j))) + 1), W = Fe/L,
   h = (1 - nu^2)/(pi E).
   Source: Autiero et al. 2022, Table 1; ESDU 78035.
   Validity: internal contact, delta < 4 dR; inverted in closed form. */
#include "kinds/normal/law.h"
#include "kinds/normal/line.h"
#include "base/base.h"

enum { CONVENTION };

static const carom_param_row params[] = {
    {"convention", "literature|printed", 1, CAROM_PARAM_TEXT, 0, 0, 1,
     "Compliance of a side: `literature`, h = (1 - nu^2)/(pi E), or `printed`, h = (1 - nu^2)/E as in Autiero et al., "
     "which is pi times too soft."},
};

static const char *prepare(const double *p, const carom_contact_geometry *geometry, double *c)
{
    carom_line_contact line;
    const char *refusal = carom_line_read(geometry, &line);
    if (refusal)
        return refusal;
    if (!line.cylinders.internal)
        return "the law of ESDU 78035 is that of a pin in a hollow cylinder: one radius must be negative; `johnson` "
               "holds for external contact, too";
    double stiffness = p[CONVENTION] == 1 ? line.modulus : CAROM_PI * line.modulus; /* 1/(h_i + h_j) */
    return carom_line_prepare(1 / stiffness, 4 * stiffness * line.cylinders.difference, 1, line.length, c);
}

const carom_elastic_kind carom_elastic_esdu_78035 = {
    .kind = {.name = "esdu-78035",
             .aliases = "esdu",
             .title = "Pin in a hollow cylinder after ESDU 78035.",
             .formula =
                 "delta = W (h_i + h_j) (ln(4 (R_i - R_j)/(W (h_i + h_j))) + 1), W = Fe/L, h = (1 - nu^2)/(pi E)",
             .source = "Autiero et al. 2022, Table 1 (there also EDSU-78035); ESDU 78035.",
             .validity =
                 "A pin in a hollow cylinder (its radius negative), axes parallel; external contact is refused, "
                 "although Table 11 of Autiero et al. has one. The range ends at delta = 4 dR; the theory wants "
                 "indentations small against dR. Autiero et al. drop the pi of h, in their formula and in their "
                 "Tables 8, 9 and 11, which are pi times too soft in A (`convention: printed`). Not read at its "
                 "own source: the pi is what the theory of line contact demands, 1/(pi E*) in front of W ln W.",
             .params = params,
             .param_count = (int)(sizeof params / sizeof params[0])},
    .needs = CAROM_NEEDS_MATERIALS | CAROM_NEEDS_RADII | CAROM_NEEDS_LENGTH,
    .prepare = prepare,
    .force = carom_line_force,
    .limit = carom_line_limit,
};
