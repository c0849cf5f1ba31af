/* A disc beside, between and inside closed outlines with inner corners, solid and hollow: its distance against that
   from the sides, flights past them, and onsets where it meets them; rest between walls of one outline in closed form,
   and passages over the places where two sections of an outline share the contact. */
#include "carom_test.h"

#include <math.h>
#include <string.h>

#include "base/base.h"
#include "geometry/curve/curve.h"
#include "support/frames.h"
#include "support/free_runs.h"

#define DEGREE (acos(-1) / 180)
#define MOST 48

/* ---- outlines ---- */

typedef struct outline {
    const char *name;
    int count;
    carom_vec2 points[MOST];
} outline;

static const outline given[] = {
    {"U", 8, {{-2, -2}, {2, -2}, {2, 2}, {1, 2}, {1, -1}, {-1, -1}, {-1, 2}, {-2, 2}}},
    {"C", 8, {{-2, -2}, {2, -2}, {2, -1}, {-1, -1}, {-1, 1}, {2, 1}, {2, 2}, {-2, 2}}},
    {"H",
     12,
     {{-2, -2},
      {-0.5, -2},
      {-0.5, -0.2},
      {0.5, -0.2},
      {0.5, -2},
      {2, -2},
      {2, 2},
      {0.5, 2},
      {0.5, 0.2},
      {-0.5, 0.2},
      {-0.5, 2},
      {-2, 2}}},
    {"E",
     12,
     {{-2, -2},
      {2, -2},
      {2, -1.4},
      {-1, -1.4},
      {-1, -0.3},
      {0.5, -0.3},
      {0.5, 0.3},
      {-1, 0.3},
      {-1, 1.4},
      {2, 1.4},
      {2, 2},
      {-2, 2}}},
    {"V", 5, {{0, 0}, {-2, 2}, {-2, -2}, {2, -2}, {2, 2}}},
    {"L", 6, {{0, 0}, {0, 2}, {-0.5, 2}, {-0.5, -0.5}, {2, -0.5}, {2, 0}}},
};
#define CASTLE ((int)CAROM_COUNT(given))
#define GEAR (CASTLE + 1)
#define OUTLINES (GEAR + 1)

/* Wheels with teeth: square ones whose slots are as wide as they, and pointed ones. */
static outline wheel(int which)
{
    outline out = {which == CASTLE ? "castle" : "gear", 32, {{0, 0}}};
    for (int k = 0; k < out.count; k++) {
        const double castle = 2 * acos(-1) * ((k + 1) / 2) / 16, gear = 2 * acos(-1) * (k + (k % 2 ? 0.3 : 0)) / 32;
        const double angle = which == CASTLE ? castle : gear, radius = k / 2 % 2 ? 2 : 1.5;
        out.points[k] = carom_v2(radius * cos(angle), radius * sin(angle));
    }
    return out;
}

/* In metres, turned about the origin. */
static outline outline_of(int which, double angle)
{
    outline out = which < CASTLE ? given[which] : wheel(which);
    for (int k = 0; k < out.count; k++) {
        const carom_vec2 p = carom_v2_scale(0.1, out.points[k]);
        out.points[k] = carom_v2(cos(angle) * p.x - sin(angle) * p.y, sin(angle) * p.x + cos(angle) * p.y);
    }
    return out;
}

/* Distance from the sides, negative inside; a ray to the right crosses the outline an odd number of times then. */
static double distance_of(const outline *o, carom_vec2 p)
{
    double least = HUGE_VAL;
    bool inside = false;
    for (int k = 0; k < o->count; k++) {
        const carom_vec2 a = o->points[k], b = o->points[(k + 1) % o->count], e = carom_v2_sub(b, a);
        const double t = carom_v2_dot(carom_v2_sub(p, a), e) / carom_v2_dot(e, e);
        least = fmin(least, carom_v2_distance(p, carom_v2_add_scaled(a, fmin(fmax(t, 0), 1), e)));
        if ((a.y > p.y) != (b.y > p.y) && p.x < a.x + (p.y - a.y) / e.y * e.x)
            inside = !inside;
    }
    return inside ? -least : least;
}

/* ---- distances ---- */

/* The nearest section is as far as the outline; a point in the material is beneath that one alone, or both at an inner
   corner; of the contact with an outline that a disc outside is nearest to, the whole acts. */
static void check_point(const double *curve, carom_vec2 p, double expected)
{
    double least = HUGE_VAL, shares = 0;
    int beneath = 0;
    for (int k = 0; k < carom_curve_sections(curve); k++) {
        carom_curve_foot foot, near;
        const double share = carom_curve_section_closest(curve, k, p, NULL, &foot);
        assert_true(fabs(foot.distance) >= fabs(expected) - 1e-13);
        assert_true(fabs(carom_v2_dot(carom_v2_sub(p, foot.at), foot.normal) - foot.distance) < 1e-13);
        least = fmin(least, foot.distance);
        beneath += foot.distance < 0;
        shares += fabs(foot.distance - expected) < 1e-13 ? share : 0;
        /* followed from its place the same */
        const double again = carom_curve_section_closest(curve, k, p, &foot.s, &near);
        assert_true(fabs(near.distance - foot.distance) < 1e-13 && fabs(again - share) < 1e-9);
    }
    assert_true(fabs(least - expected) < 1e-13);
    assert_true(expected < 0 ? beneath == 1 || beneath == 2 : beneath == 0);
    assert_true(expected < 0 || fabs(shares - 1) < 1e-9);
}

static void test_distances(void **state)
{
    (void)state;
    uint64_t seed = 7;
    for (int which = 0; which < OUTLINES; which++)
        for (int form = 0; form < 4; form++) {
            double curve[CAROM_CURVE_HEADER + MOST * CAROM_CURVE_SEGMENT];
            const outline o = outline_of(which, form % 2 ? 37 * DEGREE : 0);
            const double sign = form / 2 ? -1 : 1;
            assert_null(carom_outline_polygon(curve, o.points, o.count));
            if (form / 2)
                carom_curve_reverse(curve);
            assert_true(carom_curve_sections(curve) > 1);
            for (int n = 0; n < 1000; n++) {
                carom_vec2 p = carom_v2(test_random(&seed, -0.35, 0.35), test_random(&seed, -0.35, 0.35));
                if (n % 2) { /* just outside and inside */
                    const int k = (int)test_random(&seed, 0, o.count);
                    const carom_vec2 a = o.points[k], e = carom_v2_sub(o.points[(k + 1) % o.count], a);
                    p = carom_v2_add_scaled(a, test_random(&seed, 0, 1), e);
                    p = carom_v2_add(p, carom_v2(test_random(&seed, -2e-3, 2e-3), test_random(&seed, -2e-3, 2e-3)));
                }
                check_point(curve, p, sign * distance_of(&o, p));
            }
        }
}

/* ---- flights ---- */

#define RADIUS 0.012
#define SPEED 0.5
#define LONG 1.2

/* Start, direction and the time at which the disc first touches; HUGE_VAL: never. */
typedef struct flight {
    carom_vec2 from, velocity;
    double hit;
} flight;

static double clearance(const outline *o, double sign, const flight *f, double t)
{
    return sign * distance_of(o, carom_v2_add_scaled(f->from, t, f->velocity)) - RADIUS;
}

/* False: it starts in the material, or passes by so near that sampling does not tell. */
static bool find_hit(const outline *o, double sign, flight *f)
{
    enum { SAMPLES = 6000 };
    double least = HUGE_VAL;
    f->hit = HUGE_VAL;
    if (clearance(o, sign, f, 0) < 1e-3)
        return false;
    for (int n = 1; n <= SAMPLES; n++) {
        double low = LONG * (n - 1) / SAMPLES, high = LONG * n / SAMPLES;
        const double c = clearance(o, sign, f, high);
        least = fmin(least, c);
        if (c >= 0)
            continue;
        for (int turn = 0; turn < 60; turn++)
            *(clearance(o, sign, f, 0.5 * (low + high)) < 0 ? &high : &low) = 0.5 * (low + high);
        f->hit = high;
        /* not a graze */
        return high < 0.9 * LONG && clearance(o, sign, f, high + 2e-3) < -1e-4;
    }
    return least > 2e-4;
}

/* As a polygon, as a profile, and hollow. */
static void fly(const outline *o, int form, const flight *f)
{
    char text[12000];
    size_t used = (size_t)snprintf(text, sizeof text,
                                   "carom: 1\ndimension: 2\ngravity: [0, 0]\nbodies:\n"
                                   "  d: {mass: 1, inertia: 1e-4, at: [%.17g, %.17g], velocity: [%.17g, %.17g]}\n"
                                   "shapes:\n  d: {type: sphere, on: d, radius: %.17g}\n  o: {on: ground, ",
                                   f->from.x, f->from.y, f->velocity.x, f->velocity.y, RADIUS);
    used += (size_t)snprintf(text + used, sizeof text - used, "%s",
                             form == 0   ? "type: polygon, points: ["
                             : form == 1 ? "type: profile, closed: true, outline: ["
                                         : "type: profile, closed: true, flip: true, outline: [");
    for (int k = 0; k < o->count; k++) {
        const carom_vec2 a = o->points[k], b = o->points[(k + 1) % o->count];
        used += (size_t)snprintf(text + used, sizeof text - used,
                                 form ? "{line: [[%.17g, %.17g], " : "[%.17g, %.17g], ", a.x, a.y);
        if (form)
            used += (size_t)snprintf(text + used, sizeof text - used, "[%.17g, %.17g]]}, ", b.x, b.y);
    }
    snprintf(text + used, sizeof text - used,
             "]}\ncontacts: {c: {between: [o, d], normal: {law: hooke, stiffness: 1e6}}}\nrun: {until: %g}\n", LONG);
    free_run run;
    free_run_parse(&run, text, 0, NULL);
    free_run_to(&run, LONG);
    size_t count;
    const carom_impact *impacts = carom_simulation_impacts(run.sim, &count);
    double first = HUGE_VAL;
    for (size_t k = 0; k < count; k++)
        first = fmin(first, impacts[k].onset);
    const carom_body_state b = free_run_body(&run, "d");
    if (f->hit < HUGE_VAL)
        assert_true(count > 0 && fabs(first - f->hit) < 1e-8);
    else
        assert_true(count == 0 && fabs(b.position[0] - f->from.x - LONG * f->velocity.x) < 1e-12 &&
                    fabs(b.position[1] - f->from.y - LONG * f->velocity.y) < 1e-12);
    assert_true(fabs(carom_simulation_ledger(run.sim).residual_fraction) < 1e-8);
    free_run_close(&run);
}

static void test_flights(void **state)
{
    (void)state;
    uint64_t seed = 11;
    for (int which = 0; which < OUTLINES; which++) {
        int past = 0, hits = 0;
        for (int n = 0; n < 72; n++) {
            const int form = n % 3;
            const outline o = outline_of(which, n % 2 ? 37 * DEGREE : 0);
            flight f = {.from = {test_random(&seed, -0.3, 0.3), test_random(&seed, -0.3, 0.3)}};
            const double reach = n / 6 % 2 ? 1 : 0.2;
            const carom_vec2 to = {test_random(&seed, -reach, reach), test_random(&seed, -reach, reach)};
            f.velocity = carom_v2_scale(SPEED, carom_v2_unit(carom_v2_sub(to, f.from)));
            if (!find_hit(&o, form == 2 ? -1 : 1, &f))
                continue;
            past += f.hit == HUGE_VAL;
            hits += f.hit < HUGE_VAL;
            fly(&o, form, &f);
        }
        print_message("%s: %d flights past, %d that hit\n", outline_of(which, 0).name, past, hits);
        assert_true(past >= 5 && hits >= 5);
    }
}

/* ---- rest ---- */

/* Outline and start of a disc of 1 kg, 50 mm and 1 MN/m, and the walls that bear it: their normals, their distances
   from the origin along these, and the forces. */
typedef struct rest {
    const char *name, *points;
    carom_vec2 start, gravity;
    int walls;
    carom_vec2 normals[3];
    double places[3], forces[3];
} rest;

#define STIFFNESS 1e6

static void check_rest(const rest *r, double angle)
{
    char text[2000];
    const double c = cos(angle), s = sin(angle);
    snprintf(text, sizeof text,
             "carom: 1\ndimension: 2\ngravity: [%.17g, %.17g]\n"
             "bodies: {d: {mass: 1, inertia: 1e-3, at: [%.17g, %.17g]}}\n"
             "shapes:\n  d: {type: sphere, on: d, radius: 0.05}\n"
             "  o: {type: polygon, on: ground, orientation: %.17g, points: [%s]}\n"
             "contacts: {c: {between: [o, d], normal: {law: kelvin-voigt, stiffness: 1e6, damping: 500}}}\n"
             "run: {until: 2}\n",
             c * r->gravity.x - s * r->gravity.y, s * r->gravity.x + c * r->gravity.y, c * r->start.x - s * r->start.y,
             s * r->start.x + c * r->start.y, angle, r->points);
    free_run run;
    free_run_parse(&run, text, 0, NULL);
    free_run_to(&run, 2);
    const carom_body_state b = free_run_body(&run, "d");
    const carom_vec2 at = {c * b.position[0] + s * b.position[1], c * b.position[1] - s * b.position[0]};
    double worst = 0;
    for (int k = 0; k < r->walls; k++) {
        const double depth = 0.05 - (carom_v2_dot(r->normals[k], at) - r->places[k]);
        worst = fmax(worst, fabs(STIFFNESS * depth / r->forces[k] - 1));
    }
    const double residual = carom_simulation_ledger(run.sim).residual_fraction;
    size_t warnings;
    carom_simulation_warnings(run.sim, &warnings);
    print_message("%s, turned by %.0f degrees: forces within %.1e, residual %.1e\n", r->name, angle / DEGREE, worst,
                  residual);
    assert_true(worst < 1e-6 && fabs(residual) < 1e-9 && warnings == 0);
    free_run_close(&run);
}

/* Between two walls that lie in one way round the outline: N1 n1 + N2 n2 = -m g; a disc that is 2 x 10 um too wide for
   a slot presses each wall by 10 N. */
static void test_rests(void **state)
{
    (void)state;
    const double w = sqrt(0.5), c = cos(20 * DEGREE), s = sin(20 * DEGREE);
    const rest rests[] = {
        {"V",
         "[0, 0], [-0.3, 0.3], [-0.3, -0.3], [0.3, -0.3], [0.3, 0.3]",
         {0, 0.08},
         {0, -10},
         2,
         {{w, w}, {-w, w}},
         {0, 0},
         {10 * w, 10 * w}},
        {"V aslant",
         "[0, 0], [-0.3, 0.3], [-0.3, -0.3], [0.3, -0.3], [0.3, 0.3]",
         {0.01, 0.09},
         {10 * s, -10 * c},
         2,
         {{w, w}, {-w, w}},
         {0, 0},
         {10 * w * (c - s), 10 * w * (c + s)}},
        {"L",
         "[0, 0], [0, 0.5], [-0.1, 0.5], [-0.1, -0.1], [0.5, -0.1], [0.5, 0]",
         {0.08, 0.07},
         {-3, -10},
         2,
         {{1, 0}, {0, 1}},
         {0, 0},
         {3, 10}},
        {"U",
         "[-0.1, -0.1], [0.1, -0.1], [0.1, 0.2], [0.04999, 0.2], [0.04999, 0], [-0.04999, 0], [-0.04999, 0.2], "
         "[-0.1, 0.2]",
         {4e-6, 0.06},
         {0, -10},
         3,
         {{1, 0}, {-1, 0}, {0, 1}},
         {-0.04999, -0.04999, 0},
         {10, 10, 10}},
    };
    for (size_t k = 0; k < CAROM_COUNT(rests); k++)
        for (int turned = 0; turned < 2; turned++)
            check_rest(&rests[k], turned * 37 * DEGREE);
}

/* ---- over seams ---- */

/* The state at the end of a disc that falls on `shape`. */
static carom_body_state fall_on(const char *shape, const char *start)
{
    char text[2000];
    snprintf(text, sizeof text,
             "carom: 1\ndimension: 2\ngravity: [0, -10]\n"
             "bodies: {d: {mass: 1, inertia: 1.25e-3, %s}}\n"
             "shapes:\n  d: {type: sphere, on: d, radius: 0.05}\n  o: {on: ground, %s}\n"
             "contacts: {c: {between: [o, d], normal: {law: kelvin-voigt, stiffness: 1e4, damping: 5}, "
             "friction: {law: threlfall, kinetic: 0.2}}}\n"
             "run: {until: 0.5, tolerance: 1e-9}\n",
             start, shape);
    free_run run;
    free_run_parse(&run, text, 0, NULL);
    free_run_to(&run, 0.5);
    assert_true(fabs(carom_simulation_ledger(run.sim).residual_fraction) < 1e-9);
    const carom_body_state out = free_run_body(&run, "d");
    free_run_close(&run);
    return out;
}

/* A block with a groove in its underside against one without, and a round with a notch against a circle: bounces on,
   and sliding over, a corner and a place where two sections share the contact, and beside these. */
static void test_seams(void **state)
{
    (void)state;
    static const struct {
        const char *shape, *plain, *start;
    } falls[] = {
#define GROOVED "type: polygon, points: [[0, 0], [0.3, -0.3], [0.3, 0.3], [-0.3, 0.3], [-0.3, -0.3]]"
#define BLOCK "type: polygon, points: [[0.3, -0.3], [0.3, 0.3], [-0.3, 0.3], [-0.3, -0.3]]"
        {GROOVED, BLOCK, "at: [0.302, 0.38]"},
        {GROOVED, BLOCK, "at: [0.28, 0.35], velocity: [0.3, 0]"},
        {GROOVED, BLOCK, "at: [0.35, 0.2], velocity: [-0.1, 1.5], angular_velocity: 20"},
        {GROOVED, BLOCK, "at: [-0.302, 0.38]"},
#define NOTCHED                                                                                                 \
    "type: profile, closed: true, outline: [{arc: {centre: [0, 0], radius: 0.3, from: -60*deg, to: 240*deg}}, " \
    "{line: [[0.3*cos(240*deg), 0.3*sin(240*deg)], [0, 0]]}, {line: [[0, 0], [0.3*cos(-60*deg), 0.3*sin(-60*deg)]]}]"
#define ROUND "type: sphere, radius: 0.3"
        {NOTCHED, ROUND, "at: [-0.03, 0.36], velocity: [0.2, 0]"},
        {NOTCHED, ROUND, "at: [-0.08, 0.339], velocity: [0.4, 0.09]"},
        {NOTCHED, ROUND, "at: [0.08, 0.345], velocity: [-0.8, 0]"},
    };
    for (size_t k = 0; k < CAROM_COUNT(falls); k++) {
        const carom_body_state a = fall_on(falls[k].shape, falls[k].start), b = fall_on(falls[k].plain, falls[k].start);
        double worst = fabs(a.angular_velocity[2] - b.angular_velocity[2]) * 0.05;
        for (int axis = 0; axis < 2; axis++)
            worst =
                fmax(worst, fmax(fabs(a.position[axis] - b.position[axis]), fabs(a.velocity[axis] - b.velocity[axis])));
        print_message("fall %zu: the same within %.1e\n", k, worst);
        assert_true(worst < 1e-6);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_distances),
        cmocka_unit_test(test_flights),
        cmocka_unit_test(test_rests),
        cmocka_unit_test(test_seams),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
