/* Karnopp's friction: Coulomb's, with rest wherever the slip is within a band of speeds about zero.
   Source: Karnopp 1985, J. Dyn. Syst. Meas. Control 107, 100; Marques et al. 2016, Nonlinear Dyn. 86, 1407 (formula
   from memory, not verified at source).
   Validity: dry friction; the band is wider than the speeds at which the contact is to be told from rest. */
#include "kinds/friction/friction.h"

enum { KINETIC, STATIC, TRANSITION_SPEED };

static const carom_param_row params[] = {
    {"kinetic", "-", 1, CAROM_PARAM_REQUIRED, 0, 0, HUGE_VAL, "Coefficient of friction mu_k while sliding."},
    {"static", "-", 1, CAROM_PARAM_OPTIONAL, (double)NAN, 0, HUGE_VAL,
     "Coefficient mu_s up to which a contact at rest holds; default: kinetic."},
    {"transition_speed", "m/s", 1, CAROM_PARAM_ABOVE, 1e-3, 0, HUGE_VAL,
     "Half width Dv of the band of slip that counts as rest."},
};

static const char *prepare(const double *p, const carom_contact_geometry *geometry, double *c)
{
    (void)geometry;
    return carom_friction_dry(p[KINETIC], p[STATIC], p[TRANSITION_SPEED], c);
}

const carom_friction_kind carom_friction_karnopp = {
    .kind = {.name = "karnopp",
             .title = "Karnopp's friction: rest within a band of slip speeds.",
             .formula = "|v| < Dv: the force that holds, up to mu_s N; else F = mu_k N against the slip",
             .source = "Karnopp 1985, J. Dyn. Syst. Meas. Control 107, 100; Marques et al. 2016, Nonlinear Dyn. 86, "
                       "1407.",
             .validity =
                 "Holds without creep, as coulomb does, from which only the default of transition_speed differs: slip "
                 "slower than Dv is taken for rest, so that Dv must be small against the speeds that matter. "
                 "Unverified: the formula is from memory of the sources.",
             .params = params,
             .param_count = (int)(sizeof params / sizeof params[0])},
    .set_valued = true,
    .prepare = prepare,
    .map = carom_friction_dry_map,
    .stick_speed = carom_friction_rest_speed,
    .cone = carom_friction_static_cone,
};
