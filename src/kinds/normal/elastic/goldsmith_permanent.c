/* Hertz's law with permanent indentation: Fe = K delta^n on loading, Fe = F_max ((delta - delta_p)/(delta_max -
   delta_p))^n on un- and reloading. delta_p is a fixed part of delta_max: measured, or from the restitution.
   Source: Goldsmith 1960, Impact; Machado et al. 2012, eq. (22).
   Validity: 0 <= delta_p/delta_max < 1; returns sqrt(1 - delta_p/delta_max) in a free direct impact. */
#include "kinds/normal/history.h"

enum { STIFFNESS, EXPONENT, RATIO, RESTITUTION };

static const carom_param_row params[] = {
    {"stiffness", "N/m^n", 1, CAROM_PARAM_REQUIRED | CAROM_PARAM_ABOVE, 0, 0, HUGE_VAL, "Stiffness K of the loading."},
    {"exponent", "-", 1, 0, 1.5, 1, HUGE_VAL, "Exponent n of the indentation."},
    {"permanent_ratio", "-", 1, CAROM_PARAM_OPTIONAL | CAROM_PARAM_BELOW, (double)NAN, 0, 1,
     "Permanent over greatest indentation, delta_p/delta_max, as a test of loading and unloading gives it; without it "
     "the restitution is needed."},
    {"restitution", "-", 1, CAROM_PARAM_OPTIONAL | CAROM_PARAM_ABOVE, (double)NAN, 0, 1,
     "Coefficient of restitution e, delta_p/delta_max = 1 - e^2; without it permanent_ratio is needed."},
};

static const char *prepare(const double *p, const carom_contact_geometry *geometry, double *c)
{
    (void)geometry;
    const double q = p[RATIO], e = p[RESTITUTION];
    if (!isnan(q) && !isnan(e))
        return "goldsmith-permanent takes either permanent_ratio or restitution, not both";
    if (isnan(q) && isnan(e))
        return "goldsmith-permanent needs what decides the permanent indentation: give either permanent_ratio "
               "(delta_p/delta_max) or restitution";
    if (isnan(e))
        return carom_plastic_prepare(p[STIFFNESS], p[EXPONENT], 1 - q, q, c);
    return carom_plastic_prepare_restitution(p[STIFFNESS], p[EXPONENT], e, c);
}

const carom_elastic_kind carom_elastic_goldsmith_permanent = {
    .kind =
        {.name = "goldsmith-permanent",
         .aliases = "goldsmith-plastic",
         .title = "Hertz's law modified by Goldsmith (1960) for a permanent indentation.",
         .formula =
             "Fe = K delta^n on loading, Fe = F_max ((delta - delta_p)/(delta_max - delta_p))^n on unloading from "
             "delta_max, F_max = K delta_max^n, delta_p = permanent_ratio delta_max",
         .source = "Goldsmith 1960, Impact; Machado et al. 2012, eq. (22).",
         .validity =
             "Softer materials or higher speeds than Hertz's theory allows. Machado et al. 2012 leave delta_p open "
             "and send the reader to Lankarani and Nikravesh 1994 for it: restitution gives their delta_p = "
             "delta_max (1 - e^2), permanent_ratio sets it by measurement, and a free direct impact returns sqrt(1 - "
             "permanent_ratio) for every n. How Goldsmith himself takes delta_p is unverified: the book was not "
             "read. Reloading, which eq. (22) does not cover, goes up the unloading curve to delta_max, then on "
             "along K delta^n; after separation the surface is new. No damping part may be added.",
         .params = params,
         .param_count = (int)(sizeof params / sizeof params[0])},
    .history = CAROM_HISTORY_NUMBERS,
    .prepare = prepare,
    .force = carom_plastic_force,
    .branch = carom_history_branch_event,
    .update = carom_plastic_update,
};
