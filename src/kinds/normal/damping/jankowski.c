/* Damper in compression only: Fd = 2 xi sqrt(K sqrt(delta) m) rate for rate > 0, 0 else, xi = (9 sqrt(5)/2)(1 -
   e^2)/ (e(e(9 pi - 16) + 16)) (Jankowski).
   Source: Jankowski 2005, Earthq. Eng. Struct. Dyn. 34, 595; Jankowski 2006, Earthq. Eng. Struct. Dyn. 35, 517;
   Alves et al., table 1.
   Validity: 0 < e <= 1, Hertz; within 0.009 of the restitution asked. */
#include "kinds/normal/dashpot.h"
#include "kinds/normal/law.h"

enum { RESTITUTION };

static const carom_param_row params[] = {
    {"restitution", "-", 1, CAROM_PARAM_REQUIRED | CAROM_PARAM_ABOVE, 0, 0, 1,
     "Coefficient of restitution e asked for."},
};

static const char *prepare(const double *p, double *c)
{
    const double e = p[RESTITUTION];
    c[0] = 4.5 * sqrt(5) * (1 - e) * (1 + e) / (e * (e * (9 * CAROM_PI - 16) + 16));
    return isfinite(c[0]) ? NULL : "the restitution is too small: the damping ratio is infinite";
}

static const char *fits(bool power_law, double exponent)
{
    return power_law && exponent == 1.5 ? NULL : "its damping ratio is derived for Hertz's exponent n = 1.5";
}

static void force(const double *c, const carom_damping_input *in, carom_damping_force *out)
{
    carom_dashpot_force(in->rate >= 0 ? 2 * c[0] * sqrt(in->stiffness * in->mass) : 0, 0.25, in, out);
}

const carom_damping_kind carom_damping_jankowski = {
    .kind = {.name = "jankowski",
             .title = "Damping of Jankowski (2006), in compression only.",
             .formula = "Fd = 2 xi sqrt(K sqrt(delta) m) rate for rate > 0, 0 else, xi = (9 sqrt(5)/2)(1 - "
                        "e^2)/(e(e(9 pi - 16) + 16))",
             .source = "Jankowski 2005, Earthq. Eng. Struct. Dyn. 34, 595; Jankowski 2006, Earthq. Eng. Struct. "
                       "Dyn. 35, 517; Alves et al., table 1.",
             .validity = "e > 0 and Hertz. Never tensile; a free impact returns exp(-z acos(z)/sqrt(1 - z^2)), z = "
                         "2 xi/sqrt(5): within 0.009 of e, always a little low (0.4946 for 0.5, 0.2917 for 0.3). "
                         "Misprint: Alves et al., table 1, multiplies the damping by delta, which is unsound in its "
                         "units.",
             .params = params,
             .param_count = (int)(sizeof params / sizeof params[0])},
    .ignores_v0 = true,
    .takes_restitution = true,
    .uses_mass = true,
    .uses_stiffness = true,
    .kinked = true,
    .prepare = prepare,
    .fits = fits,
    .force = force,
};
