/* Power law with permanent indentation: Fe = K delta^n on loading, Fe = K_r (delta - delta_p)^n on un- and reloading,
   K_r = K/e_w^(2n), delta_p = delta_m (1 - e_w^2). K_r (delta_m - delta_p)^n = F_m, so that K_r is not needed.
   Source: Gharib and Hurmuzlu 2012, J. Appl. Mech. 79, 064506; Autiero et al. 2022, eqs. (135)-(145).
   Validity: 1e-6 < e_w <= 1; returns exactly e_w in a free direct impact that ends at delta_p. */
#include "kinds/normal/history.h"

enum { STIFFNESS, EXPONENT, RESTITUTION };

static const carom_param_row params[] = {
    {"stiffness", "N/m^n", 1, CAROM_PARAM_REQUIRED | CAROM_PARAM_ABOVE, 0, 0, HUGE_VAL,
     "Stiffness K of the loading, K_c in the source."},
    {"exponent", "-", 1, 0, 1.5, 1, HUGE_VAL, "Exponent n of the indentation."},
    {"restitution", "-", 1, CAROM_PARAM_REQUIRED | CAROM_PARAM_ABOVE, 0, 0, 1,
     "Energetic coefficient of restitution e_w; in a free direct impact also the ratio of the speeds."},
};

static const char *prepare(const double *p, const carom_contact_geometry *geometry, double *c)
{
    (void)geometry;
    return carom_plastic_prepare_restitution(p[STIFFNESS], p[EXPONENT], p[RESTITUTION], c);
}

const carom_elastic_kind carom_elastic_gharib_hurmuzlu_2 = {
    .kind =
        {.name = "gharib-hurmuzlu-2",
         .aliases = "gharib-hurmuzlu2",
         .title = "Power law that keeps a permanent indentation, second law of Gharib and Hurmuzlu (2012).",
         .formula = "Fe = K delta^n on loading, Fe = K_r (delta - delta_p)^n on unloading from delta_m, K_r = "
                    "K/e_w^(2n), delta_p = delta_m (1 - e_w^2)",
         .source = "Gharib and Hurmuzlu 2012, J. Appl. Mech. 79, 064506; Autiero et al. 2022, eqs. (135)-(145).",
         .validity =
             "e_w between 1e-6 and 1, independent of the speed. A free direct impact returns exactly e_w and ends "
             "at delta_p. The source says nothing of reloading: here it goes up the unloading curve to delta_m, "
             "then on along K delta^n; after separation the surface is new. No damping part may be added. Misprints "
             "in Autiero et al. 2022: eq. (141) lacks a minus sign, eq. (142) has the ratio of the works upside down "
             "(e_w^2 = -W_r/W_c), and eq. (145) takes K_r, delta_p, F_m from (144), (143), (138). Identical to "
             "lankarani-nikravesh-1994.",
         .params = params,
         .param_count = (int)(sizeof params / sizeof params[0])},
    .history = CAROM_HISTORY_NUMBERS,
    .prepare = prepare,
    .force = carom_plastic_force,
    .branch = carom_history_branch_event,
    .update = carom_plastic_update,
};
