/* Linear spring: Fe = K delta.
   Source: Machado et al. 2012, eq. (17) with n = 1; Autiero et al. 2022, section 3.1.
   Validity: small indentations of bodies whose compliance is structural rather than local. */
#include "kinds/batch.h"
#include "kinds/normal/law.h"

enum { STIFFNESS };

static const carom_param_row params[] = {
    {"stiffness", "N/m", 1, CAROM_PARAM_REQUIRED | CAROM_PARAM_ABOVE, 0, 0, HUGE_VAL, "Stiffness K."},
};

static const char *prepare(const double *p, const carom_contact_geometry *geometry, double *c)
{
    (void)geometry;
    c[0] = p[STIFFNESS];
    c[1] = 1;
    return NULL;
}

static void force(const double *c, const double *history, double delta, carom_elastic_force *out)
{
    (void)history;
    carom_linear_force(c[0], delta, out);
}

CAROM_ELASTIC_BATCH(force)

const carom_elastic_kind carom_elastic_hooke = {
    .kind = {.name = "hooke",
             .title = "Linear spring.",
             .formula = "Fe = K delta",
             .source = "Machado et al. 2012, eq. (17) with n = 1; Autiero et al. 2022, section 3.1.",
             .validity =
                 "Contacts whose compliance is structural; a local contact of curved surfaces stiffens with the "
                 "indentation. The force has a kink at delta = 0.",
             .params = params,
             .param_count = (int)(sizeof params / sizeof params[0])},
    .power_law = true,
    .prepare = prepare,
    .force = force,
    .batch = batch,
};
