/* Friction of Bengisu and Akay, in the form of Marques et al.: a parabola up to mu_s N at v0, then
   F = N (mu_k + (mu_s - mu_k) exp(-xi (v - v0))).
   Source: Rodrigues da Silva et al. 2024, Robotica, eq. (48); Marques et al. 2016, Nonlinear Dyn. 86, 1407.
   Validity: Stribeck peak, but no stiction. Continuous at v0, with a kink of -xi (mu_s - mu_k) N in the slope. */
#include "kinds/friction/friction.h"

enum { KINETIC, STATIC, TRANSITION_SPEED, DECAY };
enum { SPEED = CAROM_FRICTION_OWN, XI };

static const carom_param_row params[] = {
    {"kinetic", "-", 1, CAROM_PARAM_REQUIRED, 0, 0, HUGE_VAL, "Coefficient of friction mu_k at high slip."},
    {"static", "-", 1, CAROM_PARAM_OPTIONAL, (double)NAN, 0, HUGE_VAL,
     "Coefficient mu_s of the peak at transition_speed; default: kinetic."},
    {"transition_speed", "m/s", 1, CAROM_PARAM_ABOVE, 1e-3, 0, HUGE_VAL, "Slip v0 of the peak."},
    {"decay", "s/m", 1, 0, 50, 0, HUGE_VAL, "Decay xi of the force beyond the peak."},
};

static const char *prepare(const double *p, const carom_contact_geometry *geometry, double *c)
{
    (void)geometry;
    c[SPEED] = p[TRANSITION_SPEED];
    c[XI] = p[DECAY];
    return carom_friction_coefficients(p[KINETIC], p[STATIC], c);
}

static double map(const double *c, double speed, double normal)
{
    double x = speed / c[SPEED];
    if (x < 1)
        return c[CAROM_FRICTION_STATIC] * normal * x * (2 - x);
    return carom_friction_between(c, exp(-c[XI] * (speed - c[SPEED]))) * normal;
}

const carom_friction_kind carom_friction_bengisu_akay = {
    .kind = {.name = "bengisu-akay",
             .title = "Friction of Bengisu and Akay in the form of Marques et al., with a Stribeck peak.",
             .formula = "F = mu_s N (1 - (v/v0 - 1)^2) for v < v0, N (mu_k + (mu_s - mu_k) exp(-xi (v - v0))) above",
             .source = "Rodrigues da Silva et al. 2024, Robotica, eq. (48); Marques et al. 2016, Nonlinear Dyn. 86, "
                       "1407.",
             .validity =
                 "Has the static peak, yet holds nothing at rest: under half of mu_s N it creeps at 0.293 v0. The "
                 "force is continuous at v0; its slope falls there from 0 to -xi (mu_s - mu_k) N. The source gives no "
                 "values of v0 and xi: the defaults are a choice.",
             .params = params,
             .param_count = (int)(sizeof params / sizeof params[0])},
    .prepare = prepare,
    .map = map,
    .cone = carom_friction_static_cone,
};
