/* Linear spring with two stiffnesses: Fe = k1 delta on loading, Fe = k2 (delta - delta_p) on un- and reloading,
   delta_p = delta_m (1 - k1/k2). Either k2 = k1/e^2, or k2 = k1 + S F_m = k1 (1 + S delta_m).
   With S the work of loading is k1 delta_m^2/2, that of unloading F_m^2/(2 k2), so that e^2 = k1/k2 = 1/(1 + S delta_m)
   with delta_m = v0 sqrt(m/k1).
   Source: Walton and Braun 1986, J. Rheol. 30, 949; rules of un- and reloading: Altair EDEM, Hysteretic Spring Model.
   Validity: one of restitution and hardening; the paper itself was not read. */
#include "kinds/normal/history.h"

enum { STIFFNESS, RESTITUTION, HARDENING };

static const carom_param_row params[] = {
    {"stiffness", "N/m", 1, CAROM_PARAM_REQUIRED | CAROM_PARAM_ABOVE, 0, 0, HUGE_VAL, "Stiffness k1 of the loading."},
    {"restitution", "-", 1, CAROM_PARAM_OPTIONAL | CAROM_PARAM_ABOVE, (double)NAN, 0, 1,
     "Coefficient of restitution e, k2 = k1/e^2; without it hardening is needed."},
    {"hardening", "1/m", 1, CAROM_PARAM_OPTIONAL, (double)NAN, 0, HUGE_VAL,
     "S of k2 = k1 + S F_m, F_m the greatest force: the restitution falls with the speed; without it restitution is "
     "needed."},
};

/* Constants: those of the power law with n = 1, used as they are where e is given, and S [1/m], 0 where e is given. */
enum { S = CAROM_PLASTIC_LOST + 1 };

static const char *prepare(const double *p, const carom_contact_geometry *geometry, double *c)
{
    (void)geometry;
    const double e = p[RESTITUTION], s = p[HARDENING];
    if (!isnan(e) && !isnan(s))
        return "walton-braun takes either restitution or hardening, not both";
    if (isnan(e) && isnan(s))
        return "walton-braun needs what decides k2: give either restitution (k2 = k1/e^2) or hardening S (k2 = k1 + S "
               "F_m)";
    c[S] = isnan(s) ? 0 : s;
    return carom_plastic_prepare(p[STIFFNESS], 1, isnan(e) ? 1 : e * e, isnan(e) ? 0 : (1 - e) * (1 + e), c);
}

/* With u = S delta: k2 = k1 (1 + u), recoverable F^2/(2 k2), loss F - d(F^2/(2 k2))/d delta = F u (3/2 + u)/(1 +
   u)^2. */
static void virgin(const double *c, double delta, carom_elastic_force *out, double *permanent)
{
    carom_plastic_virgin(c, delta, out, permanent);
    if (c[S] > 0) {
        const double u = c[S] * delta, part = u / (1 + u);
        out->energy /= 1 + u;
        out->loss = out->force * part * ((1.5 + u) / (1 + u));
        *permanent = part * delta;
    }
}

static void force(const double *c, const double *history, double delta, carom_elastic_force *out)
{
    carom_history_force(virgin, 1, c, history, delta, out);
}

static void advance(const double *c, double *history, double delta, double rate)
{
    carom_history_update(virgin, c, history, delta, rate);
}

const carom_elastic_kind carom_elastic_walton_braun = {
    .kind =
        {.name = "walton-braun",
         .title = "Linear spring, stiffer on unloading than on loading (Walton and Braun 1986).",
         .formula =
             "Fe = k1 delta on loading, Fe = k2 (delta - delta_p) on unloading from delta_m, delta_p = delta_m (1 "
             "- k1/k2), k2 = k1/e^2 or k2 = k1 + S F_m",
         .source = "Walton and Braun 1986, J. Rheol. 30, 949; Altair EDEM, Hysteretic Spring Model, for un- and "
                   "reloading.",
         .validity =
             "Plastic spheres of granular media; Altair EDEM takes k1 = 5 R min(yield_i, yield_j). With restitution a "
             "free direct impact returns e = sqrt(k1/k2) at every speed, with hardening e = 1/sqrt(1 + S v0 "
             "sqrt(m/k1)). Reloading goes up the unloading line to delta_m, then on along k1 delta; after "
             "separation the surface is new. The force has kinks at delta = 0, delta_m and delta_p. No damping part "
             "may be added. The form k2 = k1 + S F_m is unverified: the paper was not read; the restitution follows "
             "from it by the energies.",
         .params = params,
         .param_count = (int)(sizeof params / sizeof params[0])},
    .history = CAROM_HISTORY_NUMBERS,
    .prepare = prepare,
    .force = force,
    .branch = carom_history_branch_event,
    .update = advance,
};
