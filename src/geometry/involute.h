/* Involute spur gears: what the shape `gear` and its pair know of one. Lengths in m, angles in rad. Formulas:
   docs/theory/gears.md. */
#ifndef CAROM_INVOLUTE_H
#define CAROM_INVOLUTE_H

#include "base/base.h"
#include "math/vec2.h"

/* Places in the parameter array of a gear. */
enum {
    CAROM_GEAR_TEETH,
    CAROM_GEAR_MODULE,
    CAROM_GEAR_PRESSURE_ANGLE,
    CAROM_GEAR_SHIFT,
    CAROM_GEAR_THINNING,
    CAROM_GEAR_INTERNAL,
    CAROM_GEAR_ADDENDUM,
    CAROM_GEAR_DEDENDUM
};

/* inv(a) = tan a - a */
static inline double carom_involute(double angle) { return tan(angle) - angle; }

/* A gear, or a ring, whose teeth point inwards. Of a ring the spaces have the form of an external gear's teeth. */
typedef struct carom_gear {
    bool ring;
    double sign;                /* 1, of a ring -1 */
    double teeth, module;
    double pitch_radius, base;  /* radii of pitch circle and base circle */
    double tip, root;           /* radii of tip and root circle */
    double pressure;            /* pressure angle at the pitch circle */
    double thickness;           /* of a tooth along the pitch circle */
    double base_pitch;          /* pi module cos(pressure angle) */
    double base_thickness;      /* of a tooth along the base circle; of a ring what a space leaves of the base pitch */
    double half;                /* half the angle of a tooth, of a ring of a space, at the base circle */
} carom_gear;

static inline carom_gear carom_gear_of(const double *p)
{
    carom_gear g = {.ring = p[CAROM_GEAR_INTERNAL] > 0, .teeth = p[CAROM_GEAR_TEETH], .module = p[CAROM_GEAR_MODULE]};
    const double shift = p[CAROM_GEAR_SHIFT];
    g.sign = g.ring ? -1 : 1;
    g.pressure = p[CAROM_GEAR_PRESSURE_ANGLE];
    g.pitch_radius = 0.5 * g.module * g.teeth;
    g.base = g.pitch_radius * cos(g.pressure);
    g.tip = g.pitch_radius + g.module * (shift + g.sign * p[CAROM_GEAR_ADDENDUM]);
    g.root = g.pitch_radius + g.module * (shift - g.sign * p[CAROM_GEAR_DEDENDUM]);
    g.thickness = g.module * (0.5 * CAROM_PI + g.sign * 2 * shift * tan(g.pressure)) - p[CAROM_GEAR_THINNING];
    g.base_pitch = CAROM_PI * g.module * cos(g.pressure);
    g.base_thickness = g.thickness * cos(g.pressure) + g.sign * 2 * g.base * carom_involute(g.pressure);
    g.half = (g.ring ? g.base_pitch - g.base_thickness : g.base_thickness) / (2 * g.base);
    return g;
}

/* Half the angle of a tooth, of a ring of a space, at a radius from the base circle on. */
static inline double carom_gear_half_angle(const carom_gear *g, double radius)
{
    return g->half - carom_involute(acos(fmin(g->base / radius, 1)));
}

/* Length from the base circle to a radius along a tangent of it, 0 within. */
static inline double carom_gear_tangent(const carom_gear *g, double radius)
{
    return sqrt(fmax(radius * radius - g->base * g->base, 0));
}

#endif
