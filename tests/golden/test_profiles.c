/* Models with profiles: a disc over line, arc and line without a jump of its force, a slot as one shape and as its
   tracks, a box and a capsule at rest on a plane, radii that vary, and what a run refuses. */
#include "carom_test.h"

#include <math.h>

#include "support/free_runs.h"

/* ---- from segment to segment ---- */

static const char over[] =
    "carom: 1\ndimension: 2\ngravity: [0, -9.81]\n"
    "bodies:\n  disc: {mass: 1, inertia: 2e-3, at: [-0.4, 0.06 - 2e-4], velocity: [1.5, 0]}\n"
    "shapes:\n  disc: {type: sphere, on: disc, radius: 0.06}\n"
    "  way: {type: profile, on: ground, flip: true, outline: [{line: [[-1, 0], [0, 0]]},\n"
    "    {arc: {centre: [0, 0.5], radius: 0.5, from: -90*deg, to: -50*deg}},\n"
    "    {line: [[0.5*cos(50*deg), 0.5 - 0.5*sin(50*deg)], [0.5*cos(50*deg) + sin(50*deg), 0.5 - 0.5*sin(50*deg) + "
    "cos(50*deg)]]}]}\n"
    "contacts:\n  c: {between: [way, disc], normal: {law: hunt-crossley, stiffness: 3.5e6, restitution: 0.7}}\n"
    "run: {until: 0.6, tolerance: 1e-9}\n";

/* Where the way bends the force must change by little in little time, and the energy must balance. */
static void test_over_segments(void **state)
{
    (void)state;
    free_run run;
    free_run_parse(&run, over, 1e-9, NULL);
    double before = 0, largest = 0, peak = 0;
    int kinds = 0;
    for (int k = 1; k <= 6000; k++) {
        free_run_to(&run, 1e-4 * k);
        const double force = free_run_get(&run, "contact.c.force"), x = free_run_get(&run, "body.disc.position.x");
        if (k > 1)
            largest = fmax(largest, fabs(force - before));
        peak = fmax(peak, force);
        before = force;
        kinds |= x < 0 ? 1 : x < 0.44 * cos(50 * 3.14159265358979323846 / 180) ? 2 : 4;
    }
    size_t count;
    carom_simulation_impacts(run.sim, &count);
    const carom_ledger ledger = carom_simulation_ledger(run.sim);
    printf("           way: %zu contacts, force up to %.4g N, changes of 0.1 ms up to %.3g N, residual %.2g\n", count,
           peak, largest, ledger.residual_fraction);
    /* line and arc at least; a wave of the contact is longer than 10 ms */
    assert_true((kinds & 3) == 3);
    assert_true(largest < 0.1 * peak);
    assert_true(ledger.residual_fraction < 1e-6);
    free_run_close(&run);
}

/* ---- a slot is its tracks ---- */

#define YOKE                                                                                                           \
    "carom: 1\ndimension: 2\n"                                                                                         \
    "parameters: {r: 0.05, R: 0.06, omega: 20, x: r - R}\n"                                                            \
    "bodies:\n  crank: {mass: 0.1, inertia: 3e-5}\n  slider: {mass: 2, inertia: 1e-3, at: [x, 0], velocity: [0, 0]}\n" \
    "joints:\n  main: {type: revolute, between: [ground, crank], motion: omega*t}\n"                                   \
    "  guide: {type: translational, between: [ground, slider], axis: [1, 0]}\n"                                        \
    "run: {until: 0.2, tolerance: 1e-10}\n"                                                                            \
    "shapes:\n  pin: {type: sphere, on: crank, at: [\"r\", 0], radius: 7.9*mm}\n"
#define LAW "normal: {law: lankarani-nikravesh, stiffness: 4e9, restitution: 0.8}"

static const char as_slot[] = YOKE
    "  slot: {type: curved-slot, on: slider, centre: [0, 0], radius: R, half_width: 8*mm, from: -60*deg, to: 60*deg}\n"
    "contacts:\n  c: {between: [slot, pin], " LAW "}\n";
static const char as_tracks[] =
    YOKE "  outer: {type: sphere, on: slider, radius: -68*mm}\n"
         "  inner: {type: sphere, on: slider, radius: 52*mm}\n"
         "contacts:\n  a: {between: [outer, pin], " LAW "}\n  b: {between: [inner, pin], " LAW "}\n";

static void test_slot(void **state)
{
    (void)state;
    free_run slot, tracks;
    free_run_parse(&slot, as_slot, 1e-10, NULL);
    free_run_parse(&tracks, as_tracks, 1e-10, NULL);
    free_run_to(&slot, 0.2);
    free_run_to(&tracks, 0.2);
    size_t count, expected;
    const carom_impact *got = carom_simulation_impacts(slot.sim, &count),
                       *want = carom_simulation_impacts(tracks.sim, &expected);
    double worst = 0;
    assert_int_equal(count, expected);
    assert_true(count > 5);
    for (size_t k = 0; k < count; k++) {
        worst = fmax(worst, fabs(got[k].onset - want[k].onset));
        assert_true(fabs(got[k].onset - want[k].onset) < 1e-9);
        assert_true(fabs(got[k].peak_force - want[k].peak_force) < 1e-5 * want[k].peak_force);
    }
    printf("           slot: %zu contacts as of its tracks, onsets within %.1g s\n", count, worst);
    free_run_close(&slot);
    free_run_close(&tracks);
}

/* ---- at rest ---- */

static const char resting[] =
    "carom: 1\ndimension: 2\ngravity: [0, -9.81]\n"
    "bodies:\n  box: {mass: 2, inertia: 0.01, at: [0, 0.06], angle: 5*deg}\n"
    "  bar: {mass: 2, inertia: 0.01, at: [1, 0.06], angle: -5*deg}\n"
    "shapes:\n  box: {type: box, on: box, size: [0.2, 0.1]}\n"
    "  bar: {type: capsule, on: bar, from: [-0.1, 0], to: [0.1, 0], radius: 0.05}\n"
    "  floor: {type: plane, on: ground, normal: [0, 1]}\n"
    "contacts:\n  box: {between: [floor, box], normal: {law: flores, stiffness: 1e6, restitution: 0.2}}\n"
    "  bar: {between: [bar, floor], normal: {law: flores, stiffness: 1e6, restitution: 0.2}}\n"
    "run: {until: 3, tolerance: 1e-8}\n";

static void test_resting(void **state)
{
    (void)state;
    free_run run;
    free_run_parse(&run, resting, 1e-8, NULL);
    free_run_to(&run, 3);
    double box = 0, sides = 0;
    for (int k = 1; k <= 4; k++) {
        char name[32];
        snprintf(name, sizeof name, "contact.box.%d.force", k);
        box += free_run_get(&run, name);
        sides += free_run_get(&run, name) > 9.8;
    }
    assert_true(fabs(box - 2 * 9.81) < 1e-3);
    assert_true(sides == 2); /* half the weight on each of two corners */
    assert_true(fabs(free_run_get(&run, "contact.bar.1.force") - 9.81) < 1e-3);
    assert_true(fabs(free_run_get(&run, "contact.bar.2.force") - 9.81) < 1e-3);
    assert_true(fabs(sin(2 * free_run_get(&run, "body.box.angle"))) < 1e-6);
    assert_true(fabs(sin(free_run_get(&run, "body.bar.angle"))) < 1e-6);
    assert_true(carom_simulation_ledger(run.sim).residual_fraction < 1e-6);
    free_run_close(&run);
}

static const char stacked[] =
    "carom: 1\ndimension: 2\ngravity: [0, -9.81]\n"
    "bodies:\n  low: {mass: 2, inertia: 0.01, at: [0, 0.06], angle: 3*deg}\n"
    "  high: {mass: 1, inertia: 0.005, at: [0.02, 0.18], angle: -4*deg}\n"
    "shapes:\n  low: {type: box, on: low, size: [0.3, 0.1]}\n"
    "  high: {type: polygon, on: high, points: [[-0.06, -0.05], [0.06, -0.05], [0.06, 0.05], [-0.06, 0.05]]}\n"
    "  floor: {type: segment, on: ground, from: [1, 0], to: [-1, 0]}\n"
    "contacts:\n  a: {between: [floor, low], normal: {law: flores, stiffness: 1e6, restitution: 0.2}}\n"
    "  b: {between: [low, high], normal: {law: flores, stiffness: 1e6, restitution: 0.2}}\n"
    "run: {until: 3, tolerance: 1e-8}\n";

/* A block on a box on a segment: each lies on two corners. */
static void test_stacked(void **state)
{
    (void)state;
    free_run run;
    free_run_parse(&run, stacked, 1e-8, NULL);
    free_run_to(&run, 3);
    double sum[2] = {0, 0};
    int touching[2] = {0, 0};
    for (int pair = 0; pair < 2; pair++)
        for (int k = 1; k <= (pair ? 8 : 6); k++) {
            char name[32];
            snprintf(name, sizeof name, "contact.%c.%d.force", 'a' + pair, k);
            const double force = free_run_get(&run, name);
            sum[pair] += force;
            touching[pair] += force > 0.1;
        }
    assert_true(touching[0] == 2 && touching[1] == 2);
    assert_true(fabs(sum[0] - 3 * 9.81) < 1e-2 && fabs(sum[1] - 9.81) < 1e-2);
    assert_true(carom_simulation_ledger(run.sim).residual_fraction < 1e-6);
    free_run_close(&run);
}

/* ---- radii that vary ---- */

#define CAM                                                                                                          \
    "carom: 1\ndimension: 2\ngravity: [0, -9.81]\nmaterials: {rubber: {E: 5*MPa, nu: 0.45}}\n"                       \
    "bodies:\n  ball: {mass: 0.2, inertia: 2e-5, at: [%s, 0.4]}\n"                                                   \
    "shapes:\n  ball: {type: sphere, on: ball, radius: 0.02, material: rubber}\n"                                    \
    "  hill: {type: profile, on: ground, material: rubber, flip: true, outline: [{polynomial: {coefficients: [0.1, " \
    "0, "                                                                                                            \
    "-1], from: -0.3, to: 0.3}}]}\n"                                                                                 \
    "contacts:\n  c: {between: [ball, hill], normal: {law: hertz}}\n"                                                \
    "run: {until: 0.4, tolerance: 1e-10}\n"

/* A ball on the top of a hill, with the radius of the top: 1/2 m; Hertz' peak force of the free impact. */
static void test_radius(void **state)
{
    (void)state;
    char text[2000];
    free_run run;
    size_t count;
    snprintf(text, sizeof text, CAM, "0");
    free_run_parse(&run, text, 1e-10, NULL);
    free_run_to(&run, 0.4);
    const carom_impact *impact = carom_simulation_impacts(run.sim, &count);
    assert_true(count == 1);
    const double radius = 1 / (1 / 0.02 + 1 / 0.5), modulus = 5e6 / (2 * (1 - 0.45 * 0.45));
    const double k = 4 / 3.0 * modulus * sqrt(radius), depth = impact[0].max_indentation;
    printf("           hill: %.6g N at %.4g m\n", impact[0].peak_force, depth);
    assert_true(fabs(impact[0].peak_force - k * pow(depth, 1.5)) < 1e-9 * impact[0].peak_force);
    free_run_close(&run);
    /* beside the top the radius is that of the place, (1 + y'^2)^1.5/|y''| */
    snprintf(text, sizeof text, CAM, "0.1");
    free_run_parse(&run, text, 1e-10, NULL);
    free_run_to(&run, 0.4);
    impact = carom_simulation_impacts(run.sim, &count);
    assert_true(count == 1);
    const double at = impact[0].peak_force / pow(impact[0].max_indentation, 1.5) / (4 / 3.0 * modulus);
    const double local = 1 / (1 / (at * at) - 1 / 0.02);
    /* the foot is where the normal hits the ball: x = s + 0.02 sin, with slope -2 s */
    double s = 0.1;
    for (int n = 0; n < 60; n++)
        s = 0.1 - 0.02 * 2 * s / sqrt(1 + 4 * s * s);
    assert_true(fabs(local - pow(1 + 4 * s * s, 1.5) / 2) < 1e-6);
    free_run_close(&run);
}

/* ---- radii of segments ---- */

/* A disc of radius R is led along a line and a hollow arc of radius r at the indentation d: on the line it is pressed
   by K d^1.5 with K = 4/3 E* sqrt(R), on the arc with the radius R r/(r - R). */
#define LED                                                                                                        \
    "carom: 1\ndimension: 2\nmaterials: {rubber: {E: 5*MPa, nu: 0.45}}\n"                                         \
    "parameters: {R: 0.06, r: 0.5, d: 2e-4, v: 0.5, t0: 0.2, rho: r - R + d}\n"                                    \
    "bodies:\n  disc: {mass: 1, inertia: 2e-3, at: [-v*t0, R - d], motion: {x: \"if(t < t0, v*(t - t0), "         \
    "rho*sin(v*(t - t0)/rho))\", y: \"if(t < t0, R - d, r - rho*cos(v*(t - t0)/rho))\"}}\n"                       \
    "shapes:\n  disc: {type: sphere, on: disc, radius: R, material: rubber}\n"                                    \
    "  way: {type: profile, on: ground, material: rubber, flip: true, outline: [{line: [[-1, 0], [0, 0]]},\n"      \
    "    {arc: {centre: [0, r], radius: r, from: -90*deg, to: -20*deg}}]}\n"                                       \
    "contacts:\n  c: {between: [way, disc], normal: {law: hertz, radii: %s}}\n"                                   \
    "run: {until: 0.4, tolerance: 1e-10}\n"

static void test_segments(void **state)
{
    (void)state;
    const double R = 0.06, r = 0.5, d = 2e-4, modulus = 4 / 3.0 * 5e6 / (2 * (1 - 0.45 * 0.45));
    const double line = modulus * sqrt(R), arc = modulus * sqrt(R * r / (r - R));
    for (int segments = 0; segments < 2; segments++) {
        char text[2000];
        free_run run;
        snprintf(text, sizeof text, LED, segments ? "segments" : "onset");
        free_run_parse(&run, text, 1e-10, NULL);
        free_run_to(&run, 0.19);
        const double before = free_run_get(&run, "contact.c.force");
        free_run_to(&run, 0.4);
        const double after = free_run_get(&run, "contact.c.force");
        const carom_ledger ledger = carom_simulation_ledger(run.sim);
        const double wanted = segments ? (line - arc) * pow(d, 2.5) / 2.5 : 0;
        printf("           segments %d: %.10g N, then %.10g N; %.6g J vanished, residual %.2g\n", segments, before,
               after, ledger.switch_term, ledger.residual_fraction);
        assert_true(fabs(before / (line * pow(d, 1.5)) - 1) < 1e-9);
        assert_true(fabs(after / ((segments ? arc : line) * pow(d, 1.5)) - 1) < 1e-9);
        assert_true(fabs(ledger.switch_term - wanted) <= 1e-9 * fabs(wanted));
        assert_true(fabs(ledger.residual) < 1e-12);
        free_run_close(&run);
    }
}

/* Segments are refused where there are none, and where the law does not see them. */
static void test_segments_refused(void **state)
{
    (void)state;
    static const struct {
        const char *shape, *law, *text;
    } cases[] = {{"plane, normal: [0, 1]", "hertz", "neither shape is a planar curve"},
                 {"box, size: [1, 0.1]", "power, damping: none, stiffness: 1e6", "does not depend on the radii"},
                 {"box, size: [1, 0.1]", "thornton", "permanent indentation belongs to the segment"}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char text[1200];
        const bool law = strchr(cases[k].law, ',') == NULL;
        snprintf(text, sizeof text,
                 "carom: 1\ndimension: 2\nmaterials: {rubber: {E: 5*MPa, nu: 0.45, yield: 1e6}}\n"
                 "bodies:\n  ball: {mass: 0.2, inertia: 2e-5, at: [0, 0.4]}\n"
                 "shapes:\n  ball: {type: sphere, on: ball, radius: 0.02, material: rubber}\n"
                 "  way: {type: %s, on: ground, material: rubber}\n"
                 "contacts:\n  c: {between: [ball, way], normal: {%s: %s, radii: segments}}\nrun: {until: 0.4}\n",
                 cases[k].shape, law ? "law" : "elastic", cases[k].law);
        const char *error = free_error_of_text(text);
        if (!strstr(error, cases[k].text) || !strstr(error, "radii: segments"))
            fail_msg("no '%s' in: %s", cases[k].text, error);
    }
}

/* ---- what a run refuses ---- */

#define DROP                                                                                   \
    "carom: 1\ndimension: 2\ngravity: [0, -9.81]\nmaterials: {rubber: {E: 5*MPa, nu: 0.45}}\n" \
    "bodies:\n  ball: {mass: 0.2, inertia: 2e-5, at: [0, 0.4]}\n"                              \
    "shapes:\n  ball: {type: sphere, on: ball, radius: 0.02, material: rubber}\n"              \
    "  way: {type: %s, on: ground, material: rubber}\n"                                        \
    "contacts:\n  c: {between: [ball, way], normal: {law: hertz}}\nrun: {until: 0.4}\n"

static void refuse(const char *shape, const char *text)
{
    char model[2000];
    snprintf(model, sizeof model, DROP, shape);
    carom_context *ctx;
    carom_simulation *sim = NULL;
    const carom_simulation_def def = carom_default_simulation_def();
    ctx = new_context();
    carom_model *compiled = new_model(ctx, model);
    carom_status status = carom_simulation_create(ctx, compiled, &def, &sim);
    if (status == CAROM_OK)
        status = carom_simulation_run(sim);
    assert_true(status != CAROM_OK);
    if (!strstr(carom_context_error(ctx), text))
        fail_msg("no '%s' in: %s", text, carom_context_error(ctx));
    carom_simulation_free(sim);
    carom_model_free(compiled);
    carom_context_free(ctx);
}

static void test_refusals(void **state)
{
    (void)state;
    refuse("profile, outline: [{line: [[1, 0], [0, 0.1]]}, {line: [[0, 0.1], [-1, 0]]}]", "radius_i");
    refuse("segment, from: [-1, 0], to: [1, 0]", "overlap by 0.42 m at the start");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_over_segments), cmocka_unit_test(test_slot),
                                       cmocka_unit_test(test_resting),     cmocka_unit_test(test_stacked),
                                       cmocka_unit_test(test_radius),      cmocka_unit_test(test_segments),
                                       cmocka_unit_test(test_segments_refused), cmocka_unit_test(test_refusals)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
