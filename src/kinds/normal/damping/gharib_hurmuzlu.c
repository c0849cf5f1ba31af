/* Damping factor A = 1/e. Force Fd = Fe A rate/v0 (Gharib and Hurmuzlu, first law).
   Source: Gharib and Hurmuzlu 2012, J. Appl. Mech. 79, 064506; Autiero et al. 2022, eqs. (133), (134); Alves et
   al., table 1.
   Validity: 0 < e <= 1, meant for low e: good below 0.3; returns 0.594 of the speed at e = 1. */
#include "kinds/normal/hysteresis.h"
#include "kinds/normal/law.h"

enum { RESTITUTION };

static const carom_param_row params[] = {
    {"restitution", "-", 1, CAROM_PARAM_REQUIRED | CAROM_PARAM_ABOVE, 0, 0, 1,
     "Coefficient of restitution e asked for."},
};

static double factor(double e) { return 1 / e; }

static const char *prepare(const double *p, double *c) { return carom_hysteresis_prepare(factor(p[RESTITUTION]), c); }

const carom_damping_kind carom_damping_gharib_hurmuzlu = {
    .kind = {.name = "gharib-hurmuzlu",
             .aliases = "gharib-hurmuzlu1",
             .title = "Damping of Gharib and Hurmuzlu (2012), first law.",
             .formula = "Fd = Fe A rate/v0, A = 1/e",
             .source = "Gharib and Hurmuzlu 2012, J. Appl. Mech. 79, 064506; Autiero et al. 2022, eqs. (133), "
                       "(134); Alves et al., table 1.",
             .validity = "For low restitution: 0.282 returned for 0.3, 0.411 for 0.5, and at e = 1 the contact "
                         "still takes energy and returns 0.594 of the speed. -e v0 is the terminal speed, where the "
                         "force would vanish, and a free impact never reaches it: Autiero et al. 2022, eq. (131), "
                         "does not follow from eq. (130), which holds because the indentation is zero.",
             .params = params,
             .param_count = (int)(sizeof params / sizeof params[0])},
    .takes_restitution = true,
    .factor = factor,
    .ratio = carom_hysteresis_ratio,
    .prepare = prepare,
    .force = carom_hysteresis_force,
};
