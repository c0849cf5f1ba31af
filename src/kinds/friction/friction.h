/* Friction laws: what the kinds of the family share. */
#ifndef CAROM_FRICTION_H
#define CAROM_FRICTION_H

#include "kinds/kind.h"

#define CAROM_KIND(symbol) extern const carom_friction_kind carom_friction_##symbol;
#include "kinds/friction/friction.def"
#undef CAROM_KIND

/* Constants every law begins with: coefficients of sliding and of rest [-]. */
enum { CAROM_FRICTION_KINETIC, CAROM_FRICTION_STATIC, CAROM_FRICTION_OWN };

/* Stores both coefficients; that of rest is the one of sliding where it is not given (NAN). */
static inline const char *carom_friction_coefficients(double sliding, double rest, double *c)
{
    c[CAROM_FRICTION_KINETIC] = sliding;
    c[CAROM_FRICTION_STATIC] = isnan(rest) ? sliding : rest;
    return c[CAROM_FRICTION_STATIC] >= sliding ? NULL : "static must not be below kinetic";
}

/* The cone of laws whose greatest force is the static one, or reaches the kinetic one where they have but that. */
static inline double carom_friction_static_cone(const double *c) { return c[CAROM_FRICTION_STATIC]; }
static inline double carom_friction_kinetic_cone(const double *c) { return c[CAROM_FRICTION_KINETIC]; }

/* ---- laws that hold: kinetic friction against slip, at rest what holds up to static friction ---- */

enum { CAROM_FRICTION_REST_SPEED = CAROM_FRICTION_OWN };

static inline const char *carom_friction_dry(double kinetic, double rest, double rest_speed, double *c)
{
    c[CAROM_FRICTION_REST_SPEED] = rest_speed;
    return carom_friction_coefficients(kinetic, rest, c);
}

static inline double carom_friction_dry_map(const double *c, double speed, double normal)
{
    return c[speed > 0 ? CAROM_FRICTION_KINETIC : CAROM_FRICTION_STATIC] * normal;
}

static inline double carom_friction_rest_speed(const double *c) { return c[CAROM_FRICTION_REST_SPEED]; }

/* ---- shapes of maps and states ---- */

/* mu_k + (mu_s - mu_k) weight */
static inline double carom_friction_between(const double *c, double weight)
{
    return c[CAROM_FRICTION_KINETIC] + (c[CAROM_FRICTION_STATIC] - c[CAROM_FRICTION_KINETIC]) * weight;
}

/* Share of the slip that does not deflect a spring at the fraction r of its cone: 0 up to 0.9, where the spring is
   elastic and nothing creeps, 1 from 1 on, with a continuous slope between. */
static inline double carom_friction_sliding_share(double r)
{
    double x = fmin(fmax((r - 0.9) / 0.1, 0), 1);
    return x * x * (3 - 2 * x);
}

static inline void carom_friction_store(carom_vec3 rate, double *out)
{
    out[0] = rate.x;
    out[1] = rate.y;
    out[2] = rate.z;
}

#endif
