/* Line contact of rollers: Fe = K delta^1.08.
   Source: Braendlein, Eschmann and Hasbargen 1998, Die Waelzlagerpraxis; Machado et al. 2012, eq. (21).
   Validity: fit of rolling bearings; K holds the length of the contact and not the radii. 1 N/mm^1.08 is 10^3.24
   N/m^1.08. */
#include "kinds/normal/law.h"

enum { STIFFNESS };

static const carom_param_row params[] = {
    {"stiffness", "N/m^1.08", 1, CAROM_PARAM_REQUIRED | CAROM_PARAM_ABOVE, 0, 0, HUGE_VAL,
     "Stiffness K; proportional to the length of the contact."},
};

static const char *prepare(const double *p, const carom_contact_geometry *geometry, double *c)
{
    (void)geometry;
    c[0] = p[STIFFNESS];
    c[1] = 1.08;
    return NULL;
}

static void force(const double *c, const double *history, double delta, carom_elastic_force *out)
{
    (void)history;
    carom_power_force(c[0], c[1], delta, out);
}

const carom_elastic_kind carom_elastic_braendlein = {
    .kind = {.name = "braendlein",
             .aliases = "brandlein",
             .title = "Line contact of rollers after Braendlein, a power law with n = 1.08.",
             .formula = "Fe = K delta^1.08",
             .source = "Braendlein, Eschmann and Hasbargen 1998, Die Waelzlagerpraxis; Machado et al. 2012, eq. "
                       "(21).",
             .validity = "A fit of the line contacts of rolling bearings: K is proportional to the length of the "
                         "contact and does not depend on the radii. The unit of K is N/m^1.08; a value in N/mm^1.08 "
                         "is multiplied by 10^3.24 = 1737.8, or written as 2e5*N/mm^1.08.",
             .params = params,
             .param_count = (int)(sizeof params / sizeof params[0])},
    .power_law = true,
    .prepare = prepare,
    .force = force,
};
