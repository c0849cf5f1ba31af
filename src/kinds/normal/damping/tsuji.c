/* Damper Fd = alpha sqrt(K m) delta^((n-1)/2) rate, alpha = sqrt(2(n+1)) zeta(e) (Tsuji, Tanaka and Ishida for n =
   1.5).
   With y = sqrt(2 K delta^(n+1)/((n+1) m)) the free impact is the linear oscillator y'' + 2 zeta y' + y = 0 in a
   time of its own, so that the restitution depends on zeta alone; n = 1.5 gives sqrt(5) zeta and delta^(1/4).
   Source: Tsuji, Tanaka and Ishida 1992, Powder Technol. 71, 239; Autiero et al. 2022, eqs. (89), (90); Alves et
   al., table 1.
   Validity: power laws; exact where the force may pull until delta = 0. */
#include "kinds/batch.h"
#include "kinds/normal/dashpot.h"
#include "kinds/normal/law.h"

enum { ALPHA, RESTITUTION };

static const carom_param_row params[] = {
    {"alpha", "-", 1, CAROM_PARAM_OPTIONAL, (double)NAN, 0, HUGE_VAL, "Damping constant alpha; or give restitution."},
    {"restitution", "-", 1, CAROM_PARAM_OPTIONAL, (double)NAN, 0, 1,
     "Coefficient of restitution e asked for, in place of alpha."},
};

/* c[0] is alpha as given, c[1] zeta(e); the one that is not given is zero. */
static const char *prepare(const double *p, double *c)
{
    const bool alpha = !isnan(p[ALPHA]), restitution = !isnan(p[RESTITUTION]);
    if (!alpha && !restitution)
        return "tsuji needs alpha or restitution";
    if (alpha && restitution)
        return "tsuji takes either alpha or restitution, not both";
    c[0] = alpha ? p[ALPHA] : 0;
    c[1] = restitution ? carom_damping_ratio(p[RESTITUTION]) : 0;
    return NULL;
}

static void force(const double *c, const carom_damping_input *in, carom_damping_force *out)
{
    const double n = in->exponent, alpha = c[0] + c[1] * sqrt(2 * (n + 1));
    carom_dashpot_force(alpha * sqrt(in->stiffness * in->mass), 0.5 * (n - 1), in, out);
}

CAROM_DAMPING_BATCH(force)

const carom_damping_kind carom_damping_tsuji = {
    .kind = {.name = "tsuji",
             .title = "Damping of Tsuji, Tanaka and Ishida (1992), for any power law.",
             .formula = "Fd = alpha sqrt(K m) delta^((n-1)/2) rate, alpha = sqrt(2(n+1)) zeta, zeta = -ln "
                        "e/sqrt(pi^2 + ln^2 e)",
             .source = "Tsuji, Tanaka and Ishida 1992, Powder Technol. 71, 239; Autiero et al. 2022, eqs. (89), "
                       "(90); Alves et al., table 1.",
             .validity = "Power laws; sqrt(5) zeta and delta^(1/4) for Hertz. Returns e exactly with tension: allow, "
                         "where the force pulls before the end; with tension: clip, the default, more: 0.902 for "
                         "0.9, 0.550 for 0.5, 0.253 for 0.1. The paper's relation of alpha and e is a plot only; "
                         "this one is exact. Misprint: Alves et al., table 1, prints delta^(1/2) in the law.",
             .params = params,
             .param_count = (int)(sizeof params / sizeof params[0])},
    .ignores_v0 = true,
    .takes_restitution = true,
    .uses_mass = true,
    .uses_stiffness = true,
    .prepare = prepare,
    .force = force,
    .batch = batch,
};
