/* Coulomb's friction: kinetic friction against slip; at rest the force that holds, up to that of static friction.
   Source: Rodrigues da Silva et al. 2024, Robotica, eqs. (45), (46).
   Validity: dry friction. The papers' f_t has the sign of the slip of j: it acts on i, on j it is the negative. Eq.
   (45) bounds the force at rest by mu_k, as here where static is not given. */
#include "kinds/friction/friction.h"

enum { KINETIC, STATIC, TRANSITION_SPEED };

static const carom_param_row params[] = {
    {"kinetic", "-", 1, CAROM_PARAM_REQUIRED, 0, 0, HUGE_VAL, "Coefficient of friction mu_k while sliding."},
    {"static", "-", 1, CAROM_PARAM_OPTIONAL, (double)NAN, 0, HUGE_VAL,
     "Coefficient mu_s up to which a contact at rest holds; default: kinetic."},
    {"transition_speed", "m/s", 1, CAROM_PARAM_ABOVE, 1e-6, 0, HUGE_VAL,
     "Slip below which the contact is at rest and the force that holds is solved for."},
};

static const char *prepare(const double *p, const carom_contact_geometry *geometry, double *c)
{
    (void)geometry;
    return carom_friction_dry(p[KINETIC], p[STATIC], p[TRANSITION_SPEED], c);
}

const carom_friction_kind carom_friction_coulomb = {
    .kind = {.name = "coulomb",
             .title = "Coulomb's dry friction with a true state of rest.",
             .formula = "sliding: F = mu_k N against the slip; at rest: the force that holds, up to mu_s N",
             .source = "Rodrigues da Silva et al. 2024, Robotica, eqs. (45), (46).",
             .validity =
                 "A contact at rest stays where it is, however long: stick is solved for, not approximated by a slow "
                 "creep, also of several contacts that are braced against each other. Slip that falls below "
                 "transition_speed ends in rest, and a force beyond mu_s N ends rest. Remarks on the source: its f_t "
                 "has the sign of the slip of j against i, so that it is the force on i and its negative that on j; it "
                 "bounds the force at rest by mu_k, which is what static = kinetic does.",
             .params = params,
             .param_count = (int)(sizeof params / sizeof params[0])},
    .set_valued = true,
    .prepare = prepare,
    .map = carom_friction_dry_map,
    .stick_speed = carom_friction_rest_speed,
    .cone = carom_friction_static_cone,
};
