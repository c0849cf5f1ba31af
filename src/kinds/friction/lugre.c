/* LuGre friction, a bristle with Stribeck effect: F = N (sigma0 z + sigma1 zdot + sigma2 v), zdot = v - |v| z/g(v),
   g = (mu_k + (mu_s - mu_k) exp(-(v/vs)^2))/sigma0.
   Source: Canudas de Wit, Olsson, Astrom and Lischinsky 1995, IEEE Trans. Autom. Control 40, 419.
   Validity: holds a constant load, drifts under an oscillating one. sigma1 acts in full up to |v| = 4 sigma0 g/sigma1,
   beyond which it would give back energy that it never took, and as long as the force stays below mu_s N. */
#include "kinds/friction/friction.h"

enum { KINETIC, STATIC, BRISTLE_STIFFNESS, BRISTLE_DAMPING, STRIBECK_SPEED, VISCOUS };
enum { STIFFNESS = CAROM_FRICTION_OWN, DAMPING, STRIBECK, FILM };

static const carom_param_row params[] = {
    {"kinetic", "-", 1, CAROM_PARAM_REQUIRED | CAROM_PARAM_ABOVE, 0, 0, HUGE_VAL,
     "Coefficient of friction mu_k at high slip."},
    {"static", "-", 1, CAROM_PARAM_OPTIONAL, (double)NAN, 0, HUGE_VAL,
     "Coefficient mu_s at the least slip; default: kinetic."},
    {"bristle_stiffness", "1/m", 1, CAROM_PARAM_ABOVE, 1e5, 0, HUGE_VAL,
     "Stiffness sigma0 of the bristles: force over normal force and deflection."},
    {"bristle_damping", "s/m", 1, 0, 316.22776601683796, 0, HUGE_VAL,
     "Damping sigma1 of the bristles: force over normal force and rate of deflection."},
    {"stribeck_speed", "m/s", 1, CAROM_PARAM_ABOVE, 1e-3, 0, HUGE_VAL,
     "Slip vs over which friction falls from mu_s to mu_k."},
    {"viscous", "s/m", 1, 0, 0, 0, HUGE_VAL, "Viscous friction sigma2: force over normal force and slip."},
};

static const char *prepare(const double *p, const carom_contact_geometry *geometry, double *c)
{
    (void)geometry;
    c[STIFFNESS] = p[BRISTLE_STIFFNESS];
    c[DAMPING] = p[BRISTLE_DAMPING];
    c[STRIBECK] = p[STRIBECK_SPEED];
    c[FILM] = p[VISCOUS];
    return carom_friction_coefficients(p[KINETIC], p[STATIC], c);
}

/* The greatest t <= limit with |a + t d| <= cone, where |a| <= cone; 0 where rounding has put a beyond the cone. */
static double within(double limit, carom_vec3 a, carom_vec3 d, double cone)
{
    carom_vec3 full = carom_v3_add_scaled(a, limit, d);
    if (carom_v3_dot(full, full) <= cone * cone)
        return limit;
    double inside = cone * cone - carom_v3_dot(a, a), along = carom_v3_dot(a, d), square = carom_v3_dot(d, d);
    double root = sqrt(fmax(along * along + square * inside, 0));
    double t = along > 0 ? inside / (along + root) : (root - along) / square;
    return fmin(fmax(t, 0), limit);
}

static void force(const double *c, const carom_friction_input *in, carom_friction_force *out)
{
    double u = in->speed / c[STRIBECK], mu = carom_friction_between(c, exp(-u * u));
    carom_vec3 z = carom_v3_load(in->state);
    carom_vec3 rate = carom_v3_add_scaled(in->slip, -in->speed * c[STIFFNESS] / mu, z);
    carom_vec3 spring = carom_v3_scale(c[STIFFNESS], z);
    double damping = c[DAMPING] * in->speed > 4 * mu ? 4 * mu / in->speed : c[DAMPING];
    damping = within(damping, spring, rate, c[CAROM_FRICTION_STATIC]);
    carom_vec3 sum = carom_v3_add_scaled(carom_v3_add_scaled(spring, damping, rate), c[FILM], in->slip);
    out->force = carom_v3_scale(-in->normal, sum);
    carom_friction_store(rate, out->rate);
}

static double scale(const double *c, double depth)
{
    (void)depth;
    return c[CAROM_FRICTION_STATIC] / c[STIFFNESS];
}

const carom_friction_kind carom_friction_lugre = {
    .kind = {.name = "lugre",
             .title = "LuGre friction: bristles with damping and a Stribeck curve.",
             .formula = "zdot = v - |v| z/g(v), g = (mu_k + (mu_s - mu_k) exp(-(v/vs)^2))/sigma0, "
                        "F = N (sigma0 z + sigma1 zdot + sigma2 v)",
             .source = "Canudas de Wit, Olsson, Astrom and Lischinsky 1995, IEEE Trans. Autom. Control 40, 419.",
             .validity =
                 "Stick-slip and presliding. Holds a constant load below mu_k N at rest; drifts under an oscillating "
                 "one, as dahl does. sigma0, sigma1 and sigma2 are scaled by the load: those of the literature are N "
                 "times these. Two limits of sigma1, without effect in the source's stick-slip example: at most 4 "
                 "sigma0 g/|v|, beyond which the law could give back more energy than it took, and such that the "
                 "force without the viscous part stays within mu_s N (the printed law starts an impact at the slip v "
                 "with sigma1 N v). A load that rises while the bristles are deflected stores up to mu_s^2/(2 sigma0) "
                 "joule for each newton. Sliding has the time constant g/v: prefer bdf where it lasts. The default of "
                 "bristle_damping is the source's sqrt(1e5).",
             .params = params,
             .param_count = (int)(sizeof params / sizeof params[0])},
    .state = 3,
    .prepare = prepare,
    .force = force,
    .scale = scale,
    .cone = carom_friction_static_cone,
};
