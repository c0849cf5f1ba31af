/* No damping: Fd = 0.
   Source: Machado et al. 2012, section 4 (pure elastic contact force models).
   Validity: impacts whose loss may be neglected; every free impact returns its speed in full. */
#include "kinds/normal/hysteresis.h"
#include "kinds/normal/law.h"

/* The hysteresis family with A = 0, so that its closed forms hold here, too. */
static double factor(double e)
{
    (void)e;
    return 0;
}

static const char *prepare(const double *p, double *c)
{
    (void)p;
    c[0] = 0;
    return NULL;
}

static void force(const double *c, const carom_damping_input *in, carom_damping_force *out)
{
    (void)c;
    (void)in;
    *out = (carom_damping_force){0, 0, 0};
}

const carom_damping_kind carom_damping_none = {
    .kind = {.name = "none",
             .title = "No damping.",
             .formula = "Fd = 0",
             .source = "Machado et al. 2012, section 4 (pure elastic contact force models).",
             .validity = "Impacts whose loss may be neglected: every free impact returns its speed in full."},
    .ignores_v0 = true,
    .undamped = true,
    .factor = factor,
    .ratio = carom_hysteresis_ratio,
    .prepare = prepare,
    .force = force,
};
