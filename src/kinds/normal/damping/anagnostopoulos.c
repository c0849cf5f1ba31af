/* Linear damper made for a restitution: Fd = 2 zeta sqrt(K m) rate, zeta = -ln e/sqrt(pi^2 + ln^2 e)
   (Anagnostopoulos).
   Source: Anagnostopoulos 1988, Earthq. Eng. Struct. Dyn. 16, 443; Alves et al., table 1.
   Validity: 0 <= e <= 1, linear spring; exact where the force may pull until delta = 0. */
#include "kinds/normal/dashpot.h"
#include "kinds/normal/law.h"

enum { RESTITUTION };

static const carom_param_row params[] = {
    {"restitution", "-", 1, CAROM_PARAM_REQUIRED, 0, 0, 1, "Coefficient of restitution e asked for."},
};

static const char *prepare(const double *p, double *c)
{
    c[0] = carom_damping_ratio(p[RESTITUTION]);
    return NULL;
}

static const char *fits(bool power_law, double exponent)
{
    return power_law && exponent == 1 ? NULL : "its damping ratio is that of a linear spring, n = 1; tsuji takes any n";
}

static void force(const double *c, const carom_damping_input *in, carom_damping_force *out)
{
    carom_dashpot_force(2 * c[0] * sqrt(in->stiffness * in->mass), 0, in, out);
}

const carom_damping_kind carom_damping_anagnostopoulos = {
    .kind = {.name = "anagnostopoulos",
             .title = "Linear damper of Anagnostopoulos (1988), made for a restitution.",
             .formula = "Fd = 2 zeta sqrt(K m) rate, zeta = -ln e/sqrt(pi^2 + ln^2 e)",
             .source = "Anagnostopoulos 1988, Earthq. Eng. Struct. Dyn. 16, 443; Alves et al., table 1.",
             .validity = "Linear springs. Returns e exactly with tension: allow, where the force pulls before the "
                         "end; with tension: clip, the default, more: 0.902 for 0.9, 0.550 for 0.5, 0.253 for 0.1. "
                         "The force jumps at the onset. Misprint: Alves et al., table 1, multiplies the damping by "
                         "delta, which is unsound in its units.",
             .params = params,
             .param_count = (int)(sizeof params / sizeof params[0])},
    .ignores_v0 = true,
    .takes_restitution = true,
    .uses_mass = true,
    .uses_stiffness = true,
    .prepare = prepare,
    .fits = fits,
    .force = force,
};
