/* Power law with permanent indentation: Fe = K delta^n on loading, Fe = F_m ((delta - delta_p)/(delta_m - delta_p))^n
   on un- and reloading, delta_p = delta_m (1 - e^2).
   Source: Lankarani and Nikravesh 1994, Nonlinear Dyn. 5, 193; Autiero et al. 2022, eqs. (91)-(97).
   Validity: 1e-6 < e <= 1; returns exactly e in a free direct impact that ends at delta_p. */
#include "kinds/normal/history.h"

enum { STIFFNESS, EXPONENT, RESTITUTION };

static const carom_param_row params[] = {
    {"stiffness", "N/m^n", 1, CAROM_PARAM_REQUIRED | CAROM_PARAM_ABOVE, 0, 0, HUGE_VAL, "Stiffness K of the loading."},
    {"exponent", "-", 1, 0, 1.5, 1, HUGE_VAL, "Exponent n of the indentation."},
    {"restitution", "-", 1, CAROM_PARAM_REQUIRED | CAROM_PARAM_ABOVE, 0, 0, 1, "Coefficient of restitution e."},
};

static const char *prepare(const double *p, const carom_contact_geometry *geometry, double *c)
{
    (void)geometry;
    return carom_plastic_prepare_restitution(p[STIFFNESS], p[EXPONENT], p[RESTITUTION], c);
}

const carom_elastic_kind carom_elastic_lankarani_nikravesh_1994 = {
    .kind =
        {.name = "lankarani-nikravesh-1994",
         .aliases = "lankarani-nikravesh94",
         .title = "Power law that keeps a permanent indentation (Lankarani and Nikravesh 1994).",
         .formula = "Fe = K delta^n on loading, Fe = F_m ((delta - delta_p)/(delta_m - delta_p))^n on unloading from "
                    "delta_m, F_m = K delta_m^n, delta_p = delta_m (1 - e^2)",
         .source = "Lankarani and Nikravesh 1994, Nonlinear Dyn. 5, 193; Autiero et al. 2022, eqs. (91)-(97).",
         .validity =
             "Metals above an impact speed of about 1e-5 sqrt(E/density), where local plasticity is the loss. e is "
             "between 1e-6 and 1 and does not depend on the speed. A free direct impact returns exactly e and ends at "
             "delta_p. The source says nothing of reloading: here it goes up the unloading curve to delta_m, then "
             "on along K delta^n; after separation the surface is new. No damping part may be added. Misprint: "
             "Autiero et al. 2022, eq. (97), needs the square of the impact velocity, not of an indentation; it is "
             "then delta_m (1 - e^2). Identical to gharib-hurmuzlu-2.",
         .params = params,
         .param_count = (int)(sizeof params / sizeof params[0])},
    .history = CAROM_HISTORY_NUMBERS,
    .prepare = prepare,
    .force = carom_plastic_force,
    .branch = carom_history_branch_event,
    .update = carom_plastic_update,
};
