/* Friction of Brown and McPhee: F = N (mu_k tanh(4 x) + (mu_s - mu_k) x/(x^2/4 + 3/4)^2) + c v tanh(4 N/Nt), x = v/vt.
   Source: Brown and McPhee 2016, J. Comput. Nonlinear Dyn. 11, 054502 (formula as in public implementations; the paper
   itself was not read).
   Validity: smooth for all slips; no stiction. */
#include "kinds/friction/friction.h"

enum { KINETIC, STATIC, TRANSITION_SPEED, VISCOUS_DAMPING, TRANSITION_LOAD };
enum { SPEED = CAROM_FRICTION_OWN, VISCOUS, LOAD };

static const carom_param_row params[] = {
    {"kinetic", "-", 1, CAROM_PARAM_REQUIRED, 0, 0, HUGE_VAL, "Coefficient of friction mu_k at high slip."},
    {"static", "-", 1, CAROM_PARAM_OPTIONAL, (double)NAN, 0, HUGE_VAL,
     "Coefficient mu_s of the peak near transition_speed; default: kinetic."},
    {"transition_speed", "m/s", 1, CAROM_PARAM_ABOVE, 1e-3, 0, HUGE_VAL, "Slip vt of the peak."},
    {"viscous_damping", "N s/m", 1, 0, 0, 0, HUGE_VAL,
     "Viscous friction c of a film, which the load switches on and does not scale."},
    {"transition_load", "N", 1, CAROM_PARAM_ABOVE, 1, 0, HUGE_VAL,
     "Normal force Nt at which the viscous part is complete."},
};

static const char *prepare(const double *p, const carom_contact_geometry *geometry, double *c)
{
    (void)geometry;
    c[SPEED] = p[TRANSITION_SPEED];
    c[VISCOUS] = p[VISCOUS_DAMPING];
    c[LOAD] = p[TRANSITION_LOAD];
    return carom_friction_coefficients(p[KINETIC], p[STATIC], c);
}

static double map(const double *c, double speed, double normal)
{
    double x = speed / c[SPEED], bottom = 0.25 * x * x + 0.75;
    double peak = (c[CAROM_FRICTION_STATIC] - c[CAROM_FRICTION_KINETIC]) * x / (bottom * bottom);
    double dry = c[CAROM_FRICTION_KINETIC] * tanh(4 * x) + peak;
    return dry * normal + c[VISCOUS] * speed * tanh(4 * normal / c[LOAD]);
}

const carom_friction_kind carom_friction_brown_mcphee = {
    .kind = {.name = "brown-mcphee",
             .title = "Smooth friction of Brown and McPhee (2016), with a Stribeck peak.",
             .formula = "F = N (mu_k tanh(4 v/vt) + (mu_s - mu_k) (v/vt)/((v/vt)^2/4 + 3/4)^2) + c v tanh(4 N/Nt)",
             .source = "Brown and McPhee 2016, J. Comput. Nonlinear Dyn. 11, 054502, as implemented publicly.",
             .validity =
                 "Differentiable for all slips. At vt the dry part is mu_s - 6.7e-4 mu_k, its greatest value lies "
                 "just above vt and stays below mu_s. Holds nothing at rest: with mu_s = mu_k it creeps at 0.137 vt "
                 "under half of mu_k N. Results are sensitive to vt. Unverified: the paper was not read.",
             .params = params,
             .param_count = (int)(sizeof params / sizeof params[0])},
    .prepare = prepare,
    .map = map,
    .cone = carom_friction_static_cone,
};
