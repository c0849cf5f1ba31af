/* Involute spur gear about the origin of the shape, in the plane; `internal`: a ring whose teeth point inwards. A tooth
   stands on the x-axis of the shape. With the module m, z teeth, the pressure angle a, the profile shift x and the
   thinning t: pitch circle r = m z/2, base circle rb = r cos a, tooth thickness on the pitch circle
   m (pi/2 + 2 x tan a) - t, of a ring m (pi/2 - 2 x tan a) - t; a flank is the involute
   (rb/cos b, A -+ (tan b - b)) in polar coordinates.
   Source: docs/theory/gears.md, derived there from the string that unwinds from the base circle.
   Validity: two dimensions; flanks are involutes down to the base circle, without undercut. */
#include <stdio.h>
#include <stdlib.h>

#include "geometry/involute.h"
#include "kinds/shape/shape.h"

static const carom_param_row params[] = {
    {"teeth", "-", 1, CAROM_PARAM_REQUIRED, 0, 3, 1e4, "Number of teeth, a whole number."},
    {"module", "m", 1, CAROM_PARAM_REQUIRED | CAROM_PARAM_ABOVE, 0, 0, HUGE_VAL,
     "Module: diameter of the pitch circle over the teeth."},
    {"pressure_angle", "rad", 1, CAROM_PARAM_ABOVE | CAROM_PARAM_BELOW, 20 * CAROM_PI / 180, 0, 0.5 * CAROM_PI,
     "Pressure angle at the pitch circle; 20 degrees unless given."},
    {"shift", "-", 1, 0, 0, -HUGE_VAL, HUGE_VAL, "Profile shift in modules, positive away from the centre."},
    {"thinning", "m", 1, 0, 0, 0, HUGE_VAL,
     "What each tooth is thinner by along the pitch circle: backlash of the gear."},
    {"internal", "false|true", 1, CAROM_PARAM_TEXT, 0, 0, 1,
     "`true`: a ring with teeth inside, for a gear that runs in it."},
    {"addendum", "-", 1, CAROM_PARAM_ABOVE, 1, 0, HUGE_VAL, "Tooth beyond the pitch circle, in modules (and shift)."},
    {"dedendum", "-", 1, CAROM_PARAM_ABOVE, 1.25, 0, HUGE_VAL,
     "Space within the pitch circle, in modules (and shift)."},
};

/* ---- soundness ---- */

/* Widths along the tip and root circles; a sentence about what is impossible, or an empty one. */
static void refuse_form(const carom_gear *g, char *text, size_t size)
{
    const double least = g->ring ? g->tip : g->root, most = g->ring ? g->root : g->tip;
    const double low = fmax(least, g->base), widest = carom_gear_half_angle(g, low),
                 narrowest = carom_gear_half_angle(g, most);
    const char *in = g->ring ? "space" : "tooth", *out = g->ring ? "tooth" : "space";
    if (!(g->root > 0))
        snprintf(text, size, "the root circle has the radius %.4g m: give more teeth, or a smaller dedendum", g->root);
    else if (!(g->thickness > 0))
        snprintf(text, size, "a tooth is %.4g m thick on the pitch circle: give a smaller thinning, or another shift",
                 g->thickness);
    else if (g->ring && g->tip < g->base)
        snprintf(
            text, size,
            "the teeth reach in to the radius %.6g m, within the base circle of %.6g m, where there is no involute: "
            "give a smaller addendum, a larger shift or more teeth",
            g->tip, g->base);
    else if (!(most > g->base))
        snprintf(text, size,
                 "the tip circle of %.6g m lies within the base circle of %.6g m: give a larger addendum or shift",
                 g->tip, g->base);
    else if (!(narrowest > 0))
        snprintf(
            text, size,
            "the %s is pointed: its width at the radius %.6g m would be %.4g m; give a smaller %s, or another shift",
            in, most, 2 * most * narrowest, g->ring ? "dedendum" : "addendum");
    else if (!(widest < CAROM_PI / g->teeth))
        snprintf(text, size,
                 "there is no %s left: its width at the radius %.6g m would be %.4g m; give a smaller %s, or another "
                 "shift",
                 out, low, 2 * low * (CAROM_PI / g->teeth - widest), g->ring ? "addendum" : "dedendum");
}

static bool check(const double *p, char *text, size_t size)
{
    const carom_gear g = carom_gear_of(p);
    if (p[CAROM_GEAR_TEETH] != floor(p[CAROM_GEAR_TEETH])) {
        snprintf(text, size, "`teeth` is a whole number, not %.6g", p[CAROM_GEAR_TEETH]);
        return false;
    }
    refuse_form(&g, text, size);
    if (text[0])
        return false;
    /* a rack of that addendum would reach beyond the point where its line of action leaves the base circle */
    const double least = p[CAROM_GEAR_ADDENDUM] - 0.5 * g.teeth * sin(g.pressure) * sin(g.pressure);
    if (!g.ring && p[CAROM_GEAR_SHIFT] < least)
        snprintf(
            text, size,
            "cut by a rack its teeth would be undercut, from the shift %.4g down; contacts see whole involutes down "
            "to the base circle of %.6g m",
            least, g.base);
    return true;
}

/* ---- drawing ---- */

#define FLANK 12          /* points of a flank, */
#define FILLET 4          /* of the round at its foot, */
#define ARC 3             /* and of half a tip or root beyond its end */
#define RIM 2             /* width of a ring behind its teeth, in modules */
#define FILLET_WIDTH 0.38 /* in modules, at most; */
#define FILLET_SHARE 0.5  /* and of half the space */
#define HALF (FLANK + FILLET + 2 * ARC + 1)

/* Half a tooth, of a ring of a space, from its middle to the middle of what is beside it. */
typedef struct half_tooth {
    int count;
    double radius[HALF], angle[HALF]; /* the angles ascend from 0 to pi/teeth */
} half_tooth;

static void add(half_tooth *h, double radius, double angle)
{
    h->radius[h->count] = radius;
    h->angle[h->count++] = angle;
}

static half_tooth half_of(const carom_gear *g, double addendum, double dedendum)
{
    half_tooth h = {0};
    const double high = g->ring ? g->root : g->tip, low = g->ring ? g->tip : g->root, end = CAROM_PI / g->teeth;
    /* the round fills the clearance of a gear of the same addendum, and what lies within the base circle */
    const double foot = g->ring ? low : fmax(low + fmax(dedendum - addendum, 0) * g->module, g->base);
    const double middle = carom_gear_half_angle(g, high), aside = carom_gear_half_angle(g, foot);
    for (int k = 0; k < ARC; k++)
        add(&h, high, middle * k / ARC);
    /* equal steps of the roll angle tan b, in which the length of the involute is quadratic */
    const double from = carom_gear_tangent(g, high) / g->base, to = carom_gear_tangent(g, foot) / g->base;
    for (int k = 0; k < FLANK; k++) {
        const double roll = from + (to - from) * k / (FLANK - 1);
        add(&h, g->base * hypot(1, roll), g->half - (roll - atan(roll)));
    }
    double width = 0;
    if (foot > low) {
        width = fmin(FILLET_WIDTH * g->module / low, FILLET_SHARE * (end - aside));
        for (int k = 1; k <= FILLET; k++) {
            const double turn = 0.5 * CAROM_PI * k / FILLET;
            add(&h, foot - (foot - low) * sin(turn), aside + width * (1 - cos(turn)));
        }
    }
    const double root = aside + width;
    for (int k = 1; k <= ARC; k++)
        add(&h, low, root + (end - root) * k / ARC);
    return h;
}

/* The point at an angle beside the middle of tooth (space) `k`. */
static void put(const carom_gear *g, int k, double radius, double aside, const carom_mesh_sink *sink)
{
    const double angle = 2 * CAROM_PI * (k + (g->ring ? 0.5 : 0)) / g->teeth + aside;
    sink->point(sink->user, carom_v3(radius * cos(angle), radius * sin(angle), 0), carom_v3(0, 0, 1));
}

/* The outline, counterclockwise; of a ring each point is followed by that of the rim behind it. */
static int draw_outline(const carom_gear *g, const half_tooth *h, double rim, const carom_mesh_sink *sink)
{
    for (int k = 0; k < (int)g->teeth; k++)
        for (int n = 1 - h->count; n < h->count - 1; n++) {
            const int at = abs(n);
            const double aside = n < 0 ? -h->angle[at] : h->angle[at];
            put(g, k, h->radius[at], aside, sink);
            if (g->ring)
                put(g, k, rim, aside, sink);
        }
    return (int)g->teeth * (2 * h->count - 2);
}

static double rim_of(const carom_gear *g) { return g->root + RIM * g->module; }

static void mesh(const double *p, bool planar, double reach, const carom_mesh_sink *sink)
{
    (void)planar;
    (void)reach;
    const carom_gear g = carom_gear_of(p);
    const half_tooth h = half_of(&g, p[CAROM_GEAR_ADDENDUM], p[CAROM_GEAR_DEDENDUM]);
    const int count = draw_outline(&g, &h, rim_of(&g), sink);
    if (g.ring) {
        for (int k = 0; k < count; k++) {
            const int a = 2 * k, b = 2 * ((k + 1) % count);
            sink->triangle(sink->user, a, a + 1, b);
            sink->triangle(sink->user, b, a + 1, b + 1);
            sink->line(sink->user, a, b);
            sink->line(sink->user, a + 1, b + 1);
        }
        return;
    }
    /* a line from the centre to the first tooth shows how the gear turns */
    sink->point(sink->user, carom_v3(0, 0, 0), carom_v3(0, 0, 1));
    for (int k = 0; k < count; k++) {
        sink->triangle(sink->user, count, k, (k + 1) % count);
        sink->line(sink->user, k, (k + 1) % count);
    }
    sink->line(sink->user, count, h.count - 1);
}

static double bounding_radius(const double *p)
{
    const carom_gear g = carom_gear_of(p);
    return g.ring ? rim_of(&g) : g.tip;
}

const carom_shape_kind carom_shape_gear = {
    .kind =
        {.name = "gear",
         .title = "Involute spur gear, or a ring with teeth inside (2-D).",
         .formula =
             "flank: radius rb/cos b at the polar angle A -+ (tan b - b), rb = (module teeth/2) cos(pressure_angle)",
         .source = "Derived in docs/theory/gears.md from the string that unwinds from the base circle.",
         .validity = "Two dimensions. A tooth stands on the x-axis of the shape; `orientation` turns it. Contacts "
                     "see the flanks as involutes from the base circle to the tip circle: undercut is warned of, and "
                     "not cut. The foot of the teeth is drawn, and touches nothing. It meshes with gears of the same "
                     "base pitch alone.",
         .params = params,
         .param_count = (int)(sizeof params / sizeof params[0])},
    .in_2d = true,
    .check = check,
    .bounding_radius = bounding_radius,
    .mesh = mesh,
};
