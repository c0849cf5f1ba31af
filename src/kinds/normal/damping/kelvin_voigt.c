/* Linear damper: Fd = D rate (Kelvin and Voigt).
   Source: Autiero et al. 2022, eqs. (12), (46).
   Validity: any elastic part. The force jumps at the onset and pulls before the end of a contact. */
#include "kinds/normal/dashpot.h"
#include "kinds/normal/law.h"

enum { DAMPING };

static const carom_param_row params[] = {
    {"damping", "N s/m", 1, CAROM_PARAM_REQUIRED, 0, 0, HUGE_VAL, "Damping coefficient D."},
};

static const char *prepare(const double *p, double *c)
{
    c[0] = p[DAMPING];
    return NULL;
}

static void force(const double *c, const carom_damping_input *in, carom_damping_force *out)
{
    carom_dashpot_force(c[0], 0, in, out);
}

const carom_damping_kind carom_damping_kelvin_voigt = {
    .kind = {.name = "kelvin-voigt",
             .title = "Linear damper of Kelvin and Voigt.",
             .formula = "Fd = D rate",
             .source = "Autiero et al. 2022, eqs. (12), (46).",
             .validity = "Any elastic part. The force jumps by D v0 at the onset and pulls before the end, which "
                         "tension: clip, the default, cuts. With a linear spring and z = D/(2 sqrt(K m)) < 1 a "
                         "free impact returns exp(-2 z acos(z)/sqrt(1 - z^2)) so, and exp(-pi z/sqrt(1 - z^2)) with "
                         "tension: allow.",
             .params = params,
             .param_count = (int)(sizeof params / sizeof params[0])},
    .ignores_v0 = true,
    .prepare = prepare,
    .force = force,
};
