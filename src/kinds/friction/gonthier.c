/* Friction of Gonthier, McPhee, Lange and Piedboeuf: a bristle that is a spring while s = exp(-(v/vs)^2) is near 1 and
   Coulomb friction while it is near 0, with a static friction that grows with the dwell time:
     zdot = s v + (1 - s) (mu_k v/|v| - sigma0 z)/sigma1, sdot_d = (s - s_d)/tau, tau = dwell time or sigma1/sigma0,
     F = N sat(sigma0 z + sigma1 zdot, mu_k + (mu_s - mu_k) s_d) + N sigma2 v.
   Source: Gonthier, McPhee, Lange and Piedboeuf 2004, Multibody Syst. Dyn. 11, 209 (formula from memory, not verified).
   Validity: holds without drift below 0.9 of the cone. The deflection is kept within the cone: the printed rate winds
   it up without bound in slow sliding, so that the force would point the wrong way after a reversal. */
#include "kinds/friction/friction.h"

enum { KINETIC, STATIC, BRISTLE_STIFFNESS, BRISTLE_DAMPING, STRIBECK_SPEED, DWELL_TIME, VISCOUS };
enum { STIFFNESS = CAROM_FRICTION_OWN, DAMPING, STRIBECK, DWELL, FILM };

static const carom_param_row params[] = {
    {"kinetic", "-", 1, CAROM_PARAM_REQUIRED | CAROM_PARAM_ABOVE, 0, 0, HUGE_VAL,
     "Coefficient of friction mu_k while sliding."},
    {"static", "-", 1, CAROM_PARAM_OPTIONAL, (double)NAN, 0, HUGE_VAL,
     "Coefficient mu_s after a long rest; default: kinetic."},
    {"bristle_stiffness", "1/m", 1, CAROM_PARAM_ABOVE, 1e5, 0, HUGE_VAL,
     "Stiffness sigma0 of the bristles: force over normal force and deflection."},
    {"bristle_damping", "s/m", 1, CAROM_PARAM_OPTIONAL | CAROM_PARAM_ABOVE, (double)NAN, 0, HUGE_VAL,
     "Damping sigma1 of the bristles, at least kinetic/(2 stribeck_speed); default: kinetic/stribeck_speed."},
    {"stribeck_speed", "m/s", 1, CAROM_PARAM_ABOVE, 1e-3, 0, HUGE_VAL,
     "Slip vs that divides sticking (s = 1) from sliding (s = 0)."},
    {"dwell_time", "s", 1, CAROM_PARAM_ABOVE, 1, 0, HUGE_VAL,
     "Time constant with which static friction grows at rest."},
    {"viscous", "s/m", 1, 0, 0, 0, HUGE_VAL, "Viscous friction sigma2: force over normal force and slip."},
};

static const char *prepare(const double *p, const carom_contact_geometry *geometry, double *c)
{
    (void)geometry;
    c[STIFFNESS] = p[BRISTLE_STIFFNESS];
    c[DAMPING] = isnan(p[BRISTLE_DAMPING]) ? p[KINETIC] / p[STRIBECK_SPEED] : p[BRISTLE_DAMPING];
    c[STRIBECK] = p[STRIBECK_SPEED];
    c[DWELL] = p[DWELL_TIME];
    c[FILM] = p[VISCOUS];
    if (c[DAMPING] * c[STRIBECK] < 0.5 * p[KINETIC])
        return "bristle_damping must be at least kinetic/(2 stribeck_speed): the bristles would give back more energy "
               "than they took";
    return carom_friction_coefficients(p[KINETIC], p[STATIC], c);
}

static void force(const double *c, const carom_friction_input *in, carom_friction_force *out)
{
    double u = in->speed / c[STRIBECK], s = exp(-u * u), slides = -expm1(-u * u);
    double cone = carom_friction_between(c, fmin(fmax(in->state[3], 0), 1));
    double drive = u > 1e-150 ? slides * c[CAROM_FRICTION_KINETIC] / (in->speed * c[DAMPING]) : 0;
    carom_vec3 z = carom_v3_load(in->state), spring = carom_v3_scale(c[STIFFNESS], z);
    carom_vec3 rate = carom_v3_add_scaled(carom_v3_scale(s + drive, in->slip), -slides / c[DAMPING], spring);
    carom_vec3 pull = carom_v3_add_scaled(spring, c[DAMPING], rate);
    double size = carom_v3_norm(pull), r = carom_v3_norm(spring) / cone;
    double share = carom_friction_sliding_share(r), outward = carom_v3_dot(z, rate);
    if (size > cone)
        pull = carom_v3_scale(cone / size, pull);
    if (share > 0 && outward > 0)
        rate = carom_v3_add_scaled(rate, -share * r * outward / carom_v3_dot(z, z), z);
    out->force = carom_v3_scale(-in->normal, carom_v3_add_scaled(pull, c[FILM], in->slip));
    carom_friction_store(rate, out->rate);
    double gain = s - in->state[3];
    out->rate[3] = gain >= 0 ? gain / c[DWELL] : gain * c[STIFFNESS] / c[DAMPING];
}

static double scale(const double *c, double depth)
{
    (void)depth;
    return c[CAROM_FRICTION_STATIC] / c[STIFFNESS];
}

const carom_friction_kind carom_friction_gonthier = {
    .kind = {.name = "gonthier",
             .title = "Bristle friction of Gonthier et al. (2004), whose static friction grows with the time of rest.",
             .formula = "zdot = s v + (1 - s) (mu_k v/|v| - sigma0 z)/sigma1, s = exp(-(v/vs)^2), F = N sat(sigma0 z + "
                        "sigma1 zdot, mu_k + (mu_s - mu_k) s_d) + N sigma2 v, sdot_d = (s - s_d)/dwell_time at rest, "
                        "(s - s_d) sigma0/sigma1 after it",
             .source = "Gonthier, McPhee, Lange and Piedboeuf 2004, Multibody Syst. Dyn. 11, 209.",
             .validity =
                 "Holds at rest, without drift below 0.9 of the cone save terms of the order (v/vs)^2. Static "
                 "friction is that of sliding at the onset of a contact and grows over dwell_time. sigma0, sigma1 and "
                 "sigma2 are scaled by the load. The deflection is kept within the cone, which the printed rate does "
                 "not do: in sliding slower than vs it grows without bound and pulls the wrong way after a reversal. "
                 "Force without the viscous part: at most mu_s N. A load that rises while the bristles are deflected "
                 "stores up to mu_s^2/(2 sigma0) joule for each newton. Unverified: the formula is from memory of the "
                 "source.",
             .params = params,
             .param_count = (int)(sizeof params / sizeof params[0])},
    .state = 4,
    .prepare = prepare,
    .force = force,
    .scale = scale,
    .cone = carom_friction_static_cone,
};
