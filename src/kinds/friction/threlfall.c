/* Threlfall's friction: F = mu_k N (1 - exp(-3 v/v0)) up to v0, constant above.
   Source: Rodrigues da Silva et al. 2024, Robotica, eq. (47).
   Validity: no stiction, creeps under any load. Misprint: the first branch of eq. (47) holds for v <= v0, not for
   v0 <= v <= v0. Its second branch is 0.95 against 1 - exp(-3) = 0.9502129: the force falls by 2.129e-4 mu_k N at
   v0. */
#include "kinds/friction/friction.h"

enum { KINETIC, TRANSITION_SPEED, CAP };
enum { SPEED = CAROM_FRICTION_OWN, TOP };

static const carom_param_row params[] = {
    {"kinetic", "-", 1, CAROM_PARAM_REQUIRED, 0, 0, HUGE_VAL, "Coefficient of friction mu_k."},
    {"transition_speed", "m/s", 1, CAROM_PARAM_ABOVE, 1e-3, 0, HUGE_VAL,
     "Slip v0 at which the force reaches 95 % of mu_k N."},
    {"cap", "printed|continuous", 1, CAROM_PARAM_TEXT, 0, 0, 1,
     "Share of mu_k N above v0: 0.95 as printed, or 1 - exp(-3) without the jump."},
};

static const char *prepare(const double *p, const carom_contact_geometry *geometry, double *c)
{
    (void)geometry;
    c[SPEED] = p[TRANSITION_SPEED];
    c[TOP] = p[CAP] == 0 ? 0.95 : -expm1(-3);
    return carom_friction_coefficients(p[KINETIC], (double)NAN, c);
}

static double map(const double *c, double speed, double normal)
{
    return c[CAROM_FRICTION_KINETIC] * normal * (speed > c[SPEED] ? c[TOP] : -expm1(-3 * speed / c[SPEED]));
}

/* The force reaches this at v0 with either cap. */
static double cone(const double *c) { return -expm1(-3) * c[CAROM_FRICTION_KINETIC]; }

const carom_friction_kind carom_friction_threlfall = {
    .kind = {.name = "threlfall",
             .title = "Threlfall's regularised Coulomb friction.",
             .formula = "F = mu_k N (1 - exp(-3 v/v0)) for v <= v0, 0.95 mu_k N (printed) or (1 - exp(-3)) mu_k N "
                        "(continuous) above",
             .source = "Rodrigues da Silva et al. 2024, Robotica, eq. (47).",
             .validity =
                 "Holds nothing at rest: under half of mu_k N it creeps at 0.231 v0. It never reaches mu_k N. "
                 "Misprints: the first branch of eq. (47) is meant for v <= v0 (printed v0 <= v <= v0); with the "
                 "printed 0.95 the force falls by 2.129e-4 mu_k N at v0, since 1 - exp(-3) = 0.9502129.",
             .params = params,
             .param_count = (int)(sizeof params / sizeof params[0])},
    .prepare = prepare,
    .map = map,
    .cone = cone,
};
