/* Damping without memory of the onset: Fd = Fe (3 alpha/2) rate (Hunt and Crossley, in their material constant).
   Source: Hunt and Crossley 1975, J. Appl. Mech. 42, 440; Autiero et al. 2022, eqs. (21), (22), (153).
   Validity: any elastic part; a free impact at v0 is one of the hysteresis family with A = 3 alpha v0/2. */
#include "kinds/normal/law.h"

enum { ALPHA };

static const carom_param_row params[] = {
    {"alpha", "s/m", 1, CAROM_PARAM_REQUIRED, 0, 0, HUGE_VAL, "Material constant: e = 1 - alpha v0 at low speeds."},
};

static const char *prepare(const double *p, double *c)
{
    c[0] = 1.5 * p[ALPHA];
    return NULL;
}

static double ratio(const double *c, double v0) { return c[0] * v0; }

static void force(const double *c, const carom_damping_input *in, carom_damping_force *out)
{
    out->force = in->elastic * c[0] * in->rate;
    out->d_delta = in->elastic_slope * c[0] * in->rate;
    out->d_rate = in->elastic * c[0];
}

const carom_damping_kind carom_damping_hunt_crossley_alpha = {
    .kind = {.name = "hunt-crossley-alpha",
             .title = "Damping of Hunt and Crossley (1975) in their material constant alpha.",
             .formula = "Fd = Fe (3 alpha/2) rate",
             .source = "Hunt and Crossley 1975, J. Appl. Mech. 42, 440; Autiero et al. 2022, eqs. (21), (22), "
                       "(153).",
             .validity = "Any elastic part. Needs no impact velocity, so that rest and long contacts need no "
                         "policy; the restitution falls with the speed, e = 1 - alpha v0 while alpha v0 is small, "
                         "and a free impact leaves slower than 2/(3 alpha). alpha from 0.08 to 0.32 s/m for steel, "
                         "bronze and ivory. Misprint: Autiero et al. 2022, eq. (153), is sound only with the "
                         "exponent 1 of the rate.",
             .params = params,
             .param_count = (int)(sizeof params / sizeof params[0])},
    .ignores_v0 = true,
    .ratio = ratio,
    .prepare = prepare,
    .force = force,
};
