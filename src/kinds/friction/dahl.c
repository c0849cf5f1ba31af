/* Dahl's friction, a bristle without Stribeck effect: zdot = v - |v| z sigma0/mu_k, F = N sigma0 z against z.
   Source: Dahl 1968, A solid friction model, Aerospace Corporation TOR-0158(3107-18)-1, with exponent 1.
   Validity: rate independent; holds a constant load, drifts under an oscillating one. */
#include "kinds/friction/friction.h"

enum { KINETIC, BRISTLE_STIFFNESS };
enum { STIFFNESS = CAROM_FRICTION_OWN };

static const carom_param_row params[] = {
    {"kinetic", "-", 1, CAROM_PARAM_REQUIRED | CAROM_PARAM_ABOVE, 0, 0, HUGE_VAL, "Coefficient of friction mu_k."},
    {"bristle_stiffness", "1/m", 1, CAROM_PARAM_ABOVE, 1e5, 0, HUGE_VAL,
     "Stiffness sigma0 of the bristles: force over normal force and deflection."},
};

static const char *prepare(const double *p, const carom_contact_geometry *geometry, double *c)
{
    (void)geometry;
    c[STIFFNESS] = p[BRISTLE_STIFFNESS];
    return carom_friction_coefficients(p[KINETIC], (double)NAN, c);
}

static void force(const double *c, const carom_friction_input *in, carom_friction_force *out)
{
    carom_vec3 z = carom_v3_load(in->state);
    out->force = carom_v3_scale(-in->normal * c[STIFFNESS], z);
    carom_friction_store(carom_v3_add_scaled(in->slip, -in->speed * c[STIFFNESS] / c[CAROM_FRICTION_KINETIC], z),
                         out->rate);
}

static double scale(const double *c, double depth)
{
    (void)depth;
    return c[CAROM_FRICTION_KINETIC] / c[STIFFNESS];
}

const carom_friction_kind carom_friction_dahl = {
    .kind = {.name = "dahl",
             .title = "Dahl's bristle friction: elastic before it slides, rate independent.",
             .formula = "zdot = v - |v| z sigma0/mu_k, F = N sigma0 z against z",
             .source = "Dahl 1968, A solid friction model, Aerospace Corporation TOR-0158(3107-18)-1, exponent 1.",
             .validity =
                 "Holds a constant load below mu_k N at rest, after a displacement of -(mu_k/sigma0) ln(1 - F/(mu_k "
                 "N)); under a load that oscillates between f1 and f2 of mu_k N it drifts by (mu_k/sigma0) ln((1 - "
                 "f1^2)/(1 - f2^2)) in each cycle. No static peak. sigma0 is scaled by the load: that of the "
                 "literature is sigma0 N. The force is at most mu_k N. A load that rises while the bristles are "
                 "deflected stores up to mu_k^2/(2 sigma0) joule for each newton. Sliding has the time constant "
                 "mu_k/(sigma0 v): prefer bdf where it lasts. Unverified: from memory of the source.",
             .params = params,
             .param_count = (int)(sizeof params / sizeof params[0])},
    .state = 3,
    .prepare = prepare,
    .force = force,
    .scale = scale,
    .cone = carom_friction_kinetic_cone,
};
