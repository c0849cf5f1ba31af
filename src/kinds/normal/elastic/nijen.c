/* Line contact of a cylinder and a half-space: Fe = K delta^n.
   Source: van Nijen 1997, thesis, University of Twente; Machado et al. 2012, text below eq. (21).
   Validity: K and n belong together; Machado et al. 2012 call the law similar to that of Braendlein and print neither,
   the thesis was not at hand: unverified. */
#include "kinds/normal/law.h"

enum { STIFFNESS, EXPONENT };

static const carom_param_row params[] = {
    {"stiffness", "N/m^n", 1, CAROM_PARAM_REQUIRED | CAROM_PARAM_ABOVE, 0, 0, HUGE_VAL, "Stiffness K."},
    {"exponent", "-", 1, CAROM_PARAM_REQUIRED, 0, 1, HUGE_VAL,
     "Exponent n of the indentation, from the same fit as K; line contacts lie near 1.1."},
};

static const char *prepare(const double *p, const carom_contact_geometry *geometry, double *c)
{
    (void)geometry;
    c[0] = p[STIFFNESS];
    c[1] = p[EXPONENT];
    return NULL;
}

static void force(const double *c, const double *history, double delta, carom_elastic_force *out)
{
    (void)history;
    carom_power_force(c[0], c[1], delta, out);
}

const carom_elastic_kind carom_elastic_nijen = {
    .kind = {.name = "nijen",
             .title = "Line contact of a long cylinder and a half-space after van Nijen, a power law.",
             .formula = "Fe = K delta^n",
             .source = "van Nijen 1997, On the overrolling of local imperfections in rolling bearings, thesis, "
                       "University of Twente; Machado et al. 2012, text below eq. (21).",
             .validity = "Unverified: Machado et al. 2012 call it similar to the law of Braendlein (n = 1.08) and "
                         "print neither K nor n, and the thesis was not read. K and n belong together and are "
                         "therefore both required. The unit of K depends on n: 1 N/mm^n is 10^(3n) N/m^n.",
             .params = params,
             .param_count = (int)(sizeof params / sizeof params[0])},
    .power_law = true,
    .prepare = prepare,
    .force = force,
};
