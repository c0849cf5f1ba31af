/* Power law: Fe = K delta^n.
   Source: Machado et al. 2012, eq. (17); Flores et al. 2011, eq. (1).
   Validity: n = 1.5 for smooth curved surfaces (Hertz); other exponents are fits of measurements or of other laws. */
#include "kinds/batch.h"
#include "kinds/normal/law.h"

enum { STIFFNESS, EXPONENT };

static const carom_param_row params[] = {
    {"stiffness", "N/m^n", 1, CAROM_PARAM_REQUIRED | CAROM_PARAM_ABOVE, 0, 0, HUGE_VAL, "Stiffness K."},
    {"exponent", "-", 1, 0, 1.5, 1, HUGE_VAL, "Exponent n of the indentation."},
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

CAROM_ELASTIC_BATCH(force)

const carom_elastic_kind carom_elastic_power = {
    .kind = {.name = "power",
             .title = "Power law of the indentation.",
             .formula = "Fe = K delta^n",
             .source = "Machado et al. 2012, eq. (17); Flores et al. 2011, eq. (1).",
             .validity =
                 "n = 1.5 follows from Hertz's theory for smooth curved surfaces, n = 1 is a linear spring; other "
                 "exponents fit measurements or other laws within the fitted range. The unit of K depends on n: "
                 "write it with its exponent, e.g. 1.2e5*N/mm^1.5.",
             .params = params,
             .param_count = (int)(sizeof params / sizeof params[0])},
    .power_law = true,
    .prepare = prepare,
    .force = force,
    .batch = batch,
};
