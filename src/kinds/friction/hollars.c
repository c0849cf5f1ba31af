/* Hollars' friction: F = N (min(v/vt, 1) (mu_k + 2 (mu_s - mu_k)/(1 + (v/vt)^2)) + mu_v v).
   Source: Hollars, as documented by Simbody for its compliant contact (ElasticFoundationForce, HuntCrossleyForce).
   Validity: Stribeck peak mu_s at vt, with a kink; no stiction. */
#include "kinds/friction/friction.h"

enum { KINETIC, STATIC, TRANSITION_SPEED, VISCOUS };
enum { SPEED = CAROM_FRICTION_OWN, FILM };

static const carom_param_row params[] = {
    {"kinetic", "-", 1, CAROM_PARAM_REQUIRED, 0, 0, HUGE_VAL, "Coefficient of friction mu_k at high slip."},
    {"static", "-", 1, CAROM_PARAM_OPTIONAL, (double)NAN, 0, HUGE_VAL,
     "Coefficient mu_s of the peak at transition_speed; default: kinetic."},
    {"transition_speed", "m/s", 1, CAROM_PARAM_ABOVE, 1e-3, 0, HUGE_VAL, "Slip vt of the peak."},
    {"viscous", "s/m", 1, 0, 0, 0, HUGE_VAL, "Viscous friction mu_v: force over normal force and slip."},
};

static const char *prepare(const double *p, const carom_contact_geometry *geometry, double *c)
{
    (void)geometry;
    c[SPEED] = p[TRANSITION_SPEED];
    c[FILM] = p[VISCOUS];
    return carom_friction_coefficients(p[KINETIC], p[STATIC], c);
}

static double map(const double *c, double speed, double normal)
{
    double x = speed / c[SPEED];
    return normal * (fmin(x, 1) * carom_friction_between(c, 2 / (1 + x * x)) + c[FILM] * speed);
}

const carom_friction_kind carom_friction_hollars = {
    .kind = {.name = "hollars",
             .title = "Hollars' friction, as Simbody has it, with a Stribeck peak.",
             .formula = "F = N (min(v/vt, 1) (mu_k + 2 (mu_s - mu_k)/(1 + (v/vt)^2)) + mu_v v)",
             .source = "Hollars, as documented by Simbody for ElasticFoundationForce and HuntCrossleyForce.",
             .validity =
                 "The peak is mu_s N at vt, where the slope changes from mu_k N/vt to -(mu_s - mu_k) N/vt. Holds "
                 "nothing at rest: with mu_s = mu_k it creeps at vt/2 under half of mu_k N.",
             .params = params,
             .param_count = (int)(sizeof params / sizeof params[0])},
    .prepare = prepare,
    .map = map,
    .cone = carom_friction_static_cone,
};
