/* Ambrosio's friction: none below v0, a ramp from v0 to v1, mu_k N above.
   Source: Rodrigues da Silva et al. 2024, Robotica, eqs. (49), (50).
   Validity: regularises sliding only. Nothing at all is held below v0: a body on the slightest slope slides. */
#include "kinds/friction/friction.h"

enum { KINETIC, TRANSITION_SPEED, FULL_SPEED };
enum { BEGIN = CAROM_FRICTION_OWN, FULL };

static const carom_param_row params[] = {
    {"kinetic", "-", 1, CAROM_PARAM_REQUIRED, 0, 0, HUGE_VAL, "Coefficient of friction mu_k."},
    {"transition_speed", "m/s", 1, 0, 1e-3, 0, HUGE_VAL, "Slip v0 below which there is no friction."},
    {"full_speed", "m/s", 1, CAROM_PARAM_ABOVE, 1e-2, 0, HUGE_VAL, "Slip v1 > v0 from which on the force is mu_k N."},
};

static const char *prepare(const double *p, const carom_contact_geometry *geometry, double *c)
{
    (void)geometry;
    c[BEGIN] = p[TRANSITION_SPEED];
    c[FULL] = p[FULL_SPEED];
    if (!(c[FULL] > c[BEGIN]))
        return "full_speed must be above transition_speed";
    return carom_friction_coefficients(p[KINETIC], (double)NAN, c);
}

static double map(const double *c, double speed, double normal)
{
    double share = (speed - c[BEGIN]) / (c[FULL] - c[BEGIN]);
    return c[CAROM_FRICTION_KINETIC] * normal * fmin(fmax(share, 0), 1);
}

const carom_friction_kind carom_friction_ambrosio = {
    .kind = {.name = "ambrosio",
             .title = "Ambrosio's regularised Coulomb friction, without force at the lowest speeds.",
             .formula = "F = c_d mu_k N, c_d = 0 for v < v0, (v - v0)/(v1 - v0) up to v1, 1 above",
             .source = "Rodrigues da Silva et al. 2024, Robotica, eqs. (49), (50).",
             .validity =
                 "No friction at all below v0: nothing is held, a body on the slightest slope slides at more than v0, "
                 "and under half of mu_k N at (v0 + v1)/2. Meant to keep the force from changing sign at almost no "
                 "slip; use another law wherever something is to stand still. The source gives no values of v0 and "
                 "v1: the defaults are a choice.",
             .params = params,
             .param_count = (int)(sizeof params / sizeof params[0])},
    .prepare = prepare,
    .map = map,
    .cone = carom_friction_kinetic_cone,
};
