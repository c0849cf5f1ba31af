/* Elastic-perfectly plastic spheres: Hertz up to delta_y, where the greatest pressure is p_y; then Fe = F_y + pi p_y R
   (delta - delta_y); un- and reloading is Hertz's law with an enlarged radius R_p, Fe = 4/3 E* sqrt(R_p) (delta -
   delta_p)^1.5.
   Source: Thornton 1997, J. Appl. Mech. 64, 383; re-derived, the paper was not read.

   Yield: p0 = 2 E* a/(pi R) = p_y with a^2 = R delta gives delta_y = R (pi p_y/(2 E*))^2. The slope of Hertz's law
   there is k = 2 E* a_y = pi p_y R, that of the line: F_y = 2/3 k delta_y, and with s = delta/delta_y >= 1

     Fe = k delta_y (s - 1/3),   work W = k delta_y^2 (s^2/2 - s/3 + 1/10).

   Unloading keeps the contact radius of the turn, a_m^2 = R delta_m = R_p (delta_m - delta_p); with the force F_m =
   4/3 E* a_m^3/R_p there, and r = sqrt(s_m),

     R/R_p = 1 - delta_p/delta_m = (3 s_m - 1)/(2 s_m^1.5),   delta_p = delta_m (r - 1)^2 (2 r + 1)/(2 r^3),

   and it returns 2/5 F_m (delta_m - delta_p) = 3/5 F_m^2/(k r). A free impact at v has m v^2/2 = W, m v_y^2/2 = 4/15 k
   delta_y^2; x = v_y/v gives s_m = (x + 2 sqrt(6/5 - x^2/5))/(3 x), F_m = k delta_y sqrt(8 (1 - x^2/6)/15)/x, hence

     e^2 = 6/5 (1 - x^2/6)/sqrt(s_m) = (6 sqrt(3)/5)(1 - x^2/6) sqrt(x/(x + 2 sqrt(6/5 - x^2/5))),

   the published restitution.
   Validity: contact radius small against R; no hardening, no rate effects. */
#include "kinds/normal/geometry.h"
#include "kinds/normal/history.h"

enum { CONTACT_YIELD };

static const carom_param_row params[] = {
    {"contact_yield", "Pa", 1, CAROM_PARAM_OPTIONAL | CAROM_PARAM_ABOVE, (double)NAN, 0, HUGE_VAL,
     "Greatest pressure p_y that the contact bears; without it 1.6 times the lower yield stress of the two materials."},
};

/* Constants: K, 1.5, delta_y [m], k [N/m]. */
enum { STIFFNESS, EXPONENT, YIELD, SLOPE };

/* Greatest pressure over yield stress where a Hertzian contact of spheres begins to yield, nu = 0.3 (Johnson, Contact
   Mechanics, section 6.1). */
static const double onset_of_yield = 1.6;

static const char *prepare(const double *p, const carom_contact_geometry *geometry, double *c)
{
    double compliance, pressure = p[CONTACT_YIELD];
    const char *refusal = carom_contact_compliance(geometry, &compliance);
    if (refusal)
        return refusal;
    const double curvature = carom_contact_curvature(geometry->radius[0], geometry->radius[1]);
    if (!(curvature > 0))
        return "thornton needs 1/R = 1/R_i + 1/R_j > 0: these surfaces are flat or conform (concave radii are "
               "negative)";
    if (isnan(pressure)) {
        const double a = geometry->yield[0], b = geometry->yield[1];
        pressure = onset_of_yield * (a > 0 && b > 0 ? fmin(a, b) : fmax(a, b));
    }
    if (!(pressure > 0))
        return "thornton needs the pressure at which the contact yields: give contact_yield [Pa], or 'yield' of a "
               "material";
    const double strain = 0.5 * acos(-1) * pressure * compliance; /* a_y/R */
    c[STIFFNESS] = 4 / (3 * compliance * sqrt(curvature));
    c[EXPONENT] = 1.5;
    c[YIELD] = strain * strain / curvature;
    c[SLOPE] = 1.5 * c[STIFFNESS] * sqrt(c[YIELD]);
    return NULL;
}

static void virgin(const double *c, double delta, carom_elastic_force *out, double *permanent)
{
    *permanent = 0;
    if (delta <= c[YIELD]) {
        carom_three_halves_force(c[STIFFNESS], delta, out);
        return;
    }
    const double r = sqrt(delta / c[YIELD]), above = (r - 1) / r;
    out->force = c[SLOPE] * (delta - c[YIELD] / 3);
    out->slope = c[SLOPE];
    out->energy = 0.6 * out->force * (out->force / (c[SLOPE] * r));
    /* F - d(3/5 F^2/(k r))/d delta = F (r - 1)(10 r^2 + r + 1)/(10 r^3) */
    out->loss = out->force * above * (1 + 0.1 * (1 + 1 / r) / r);
    *permanent = delta * above * above * (1 + 0.5 / r);
}

static void force(const double *c, const double *history, double delta, carom_elastic_force *out)
{
    carom_history_force(virgin, 1.5, c, history, delta, out);
}

static void advance(const double *c, double *history, double delta, double rate)
{
    carom_history_update(virgin, c, history, delta, rate);
}

const carom_elastic_kind carom_elastic_thornton = {
    .kind =
        {.name = "thornton",
         .title = "Elastic-perfectly plastic contact of spheres (Thornton 1997), from materials and radii.",
         .formula = "Fe = K delta^1.5 up to delta_y, then F_y + pi p_y R (delta - delta_y); unloading 4/3 E* sqrt(R_p) "
                    "(delta - delta_p)^1.5; delta_y = R (pi p_y/(2 E*))^2, K = 4/3 E* sqrt(R), R/R_p = 1 - "
                    "delta_p/delta_m = F_m/(K delta_m^1.5)",
         .source = "Thornton 1997, J. Appl. Mech. 64, 383 (re-derived, the paper was not read); Johnson, Contact "
                   "Mechanics, sections 4.2 and 6.1.",
         .validity =
             "Smooth spheres without hardening or rate effects, contact radius small against R. Elastic up to v_y, "
             "v_y^2 = 16/15 (E* R^3/m)(pi p_y/(2 E*))^5; above it a free direct impact returns, with x = v_y/v0, "
             "e^2 = (6 sqrt(3)/5)(1 - x^2/6) sqrt(x/(x + 2 sqrt(6/5 - x^2/5))), in the end falling with v0^(-1/4). "
             "The default p_y = 1.6 yield is where plastic flow begins under the surface; the mean pressure of a full "
             "indent is about 2.8 yield, so that for v0 far above v_y a contact_yield fitted to measured restitutions "
             "is better. Reloading goes up the unloading curve to delta_m; after separation the surface is new. No "
             "damping part may be added. The force law is unverified at its source; it gives the published "
             "restitution exactly.",
         .params = params,
         .param_count = (int)(sizeof params / sizeof params[0])},
    .needs = CAROM_NEEDS_MATERIALS | CAROM_NEEDS_RADII,
    .history = CAROM_HISTORY_NUMBERS,
    .prepare = prepare,
    .force = force,
    .branch = carom_history_branch_event,
    .update = advance,
};
