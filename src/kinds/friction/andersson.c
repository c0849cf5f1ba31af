/* Friction of Andersson, Soderberg and Bjorklund: F = N (mu_k + (mu_s - mu_k) exp(-(v/vs)^p)) tanh(v/v0) + N mu_v v.
   Source: Andersson, Soderberg and Bjorklund 2007, Tribology International 40, 580 (formula as in public
   implementations; the paper itself was not read).
   Validity: smooth; the peak comes near mu_s N only where v0 is small against vs; no stiction. */
#include "kinds/friction/friction.h"

enum { KINETIC, STATIC, TRANSITION_SPEED, STRIBECK_SPEED, STRIBECK_EXPONENT, VISCOUS };
enum { SPEED = CAROM_FRICTION_OWN, STRIBECK, EXPONENT, FILM };

static const carom_param_row params[] = {
    {"kinetic", "-", 1, CAROM_PARAM_REQUIRED, 0, 0, HUGE_VAL, "Coefficient of friction mu_k at high slip."},
    {"static", "-", 1, CAROM_PARAM_OPTIONAL, (double)NAN, 0, HUGE_VAL,
     "Coefficient mu_s at low slip; default: kinetic."},
    {"transition_speed", "m/s", 1, CAROM_PARAM_ABOVE, 1e-3, 0, HUGE_VAL,
     "Slip v0 = 1/k_t at which the tanh has reached 76 %."},
    {"stribeck_speed", "m/s", 1, CAROM_PARAM_ABOVE, 1e-2, 0, HUGE_VAL,
     "Slip vs over which friction falls from mu_s to mu_k."},
    {"stribeck_exponent", "-", 1, CAROM_PARAM_ABOVE, 2, 0, HUGE_VAL, "Exponent p of that fall."},
    {"viscous", "s/m", 1, 0, 0, 0, HUGE_VAL, "Viscous friction mu_v: force over normal force and slip."},
};

static const char *prepare(const double *p, const carom_contact_geometry *geometry, double *c)
{
    (void)geometry;
    c[SPEED] = p[TRANSITION_SPEED];
    c[STRIBECK] = p[STRIBECK_SPEED];
    c[EXPONENT] = p[STRIBECK_EXPONENT];
    c[FILM] = p[VISCOUS];
    return carom_friction_coefficients(p[KINETIC], p[STATIC], c);
}

static double map(const double *c, double speed, double normal)
{
    double fall = exp(-pow(speed / c[STRIBECK], c[EXPONENT]));
    return normal * (carom_friction_between(c, fall) * tanh(speed / c[SPEED]) + c[FILM] * speed);
}

const carom_friction_kind carom_friction_andersson = {
    .kind = {.name = "andersson",
             .title = "Friction of Andersson, Soderberg and Bjorklund (2007): Stribeck curve times a tanh.",
             .formula = "F = N ((mu_k + (mu_s - mu_k) exp(-(v/vs)^p)) tanh(v/v0) + mu_v v)",
             .source = "Andersson, Soderberg and Bjorklund 2007, Tribology International 40, 580, as implemented "
                       "publicly.",
             .validity =
                 "Its peak stays below mu_s N and comes near it only where v0 is small against vs. The source's "
                 "coefficient k_t is 1/v0. Holds nothing at rest: with mu_s = mu_k it creeps at 0.549 v0 under half "
                 "of mu_k N. Unverified: the paper was not read.",
             .params = params,
             .param_count = (int)(sizeof params / sizeof params[0])},
    .prepare = prepare,
    .map = map,
    .cone = carom_friction_static_cone,
};
