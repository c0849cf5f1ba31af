/* Empirical damper in proportion to the mass: Fd = m chi delta^p rate, p = 0 unless given (Lee and Herrmann).
   Source: Lee and Herrmann 1993, J. Phys. A 26, 373; Alves et al., table 1.
   Validity: any elastic part; chi is empirical, its unit depends on p. */
#include "kinds/normal/dashpot.h"
#include "kinds/normal/law.h"

static const carom_param_row params[] = {
    {"chi", "1/(s m^p)", 1, CAROM_PARAM_REQUIRED, 0, 0, HUGE_VAL, "Damping coefficient per mass, empirical."},
    {"power", "-", 1, 0, 0, 0, HUGE_VAL, "Exponent p of the indentation in the damping."},
};

static void force(const double *c, const carom_damping_input *in, carom_damping_force *out)
{
    carom_dashpot_force(in->mass * c[0], c[1], in, out);
}

const carom_damping_kind carom_damping_lee_herrmann = {
    .kind = {.name = "lee-herrmann",
             .title = "Empirical damper of Lee and Herrmann (1993), in proportion to the mass.",
             .formula = "Fd = m chi delta^p rate, p = 0",
             .source = "Lee and Herrmann 1993, J. Phys. A 26, 373; Alves et al., table 1.",
             .validity = "Any elastic part. chi is empirical and means nothing without p. With p = 0 the force "
                         "jumps at the onset; with p below the elastic exponent it pulls before the end, which "
                         "tension: clip, the default, cuts. Alves et al., table 1, prints p = 1, although its text "
                         "calls the damping linear in the rate alone.",
             .params = params,
             .param_count = (int)(sizeof params / sizeof params[0])},
    .ignores_v0 = true,
    .uses_mass = true,
    .prepare = carom_empirical_prepare,
    .force = force,
};
