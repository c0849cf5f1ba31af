/* `radii: start`: the elastic constants are those of the radii where the run starts, in all episodes, and a changed
   state begins a run of its own. */
#include "carom_test.h"

#include <math.h>

#include "support/free_runs.h"

/* A ball flies over a trough y = 2 x^2, with curvature 4 at its bottom, above which it starts. */
static const char trough[] =
    "carom: 1\ndimension: 2\ngravity: [0, -9.81]\n"
    "materials: {steel: {E: 207e9, nu: 0.3}}\n"
    "bodies: {ball: {mass: 0.1, inertia: 1e-5, at: [0, 0.12], velocity: [1, 0]}}\n"
    "shapes:\n"
    "  skin: {type: sphere, on: ball, radius: 0.02, material: steel}\n"
    "  road: {type: profile, on: ground, flip: true, material: steel,\n"
    "         outline: [{polynomial: {coefficients: [0, 0, 2], from: -1, to: 1}}]}\n"
    "contacts: {hit: {between: [skin, road], normal: {law: lankarani-nikravesh, restitution: 0.8%s}}}\n"
    "run: {until: 0.5}\n";

static void open_trough(free_run *run, const char *more)
{
    char text[2048];
    snprintf(text, sizeof text, trough, more);
    free_run_parse(run, text, 0, NULL);
}

/* Peak force of the first impact. */
static double peak_of(const char *more, size_t *count)
{
    free_run run;
    open_trough(&run, more);
    free_run_to(&run, 0.5);
    const carom_impact *impacts = carom_simulation_impacts(run.sim, count);
    assert_true(*count >= 1);
    const double peak = impacts[0].peak_force;
    free_run_close(&run);
    return peak;
}

static void test_radii_of_the_start(void **state)
{
    (void)state;
    size_t counts[3];
    const double start = peak_of(", radii: start", &counts[0]);
    const double given = peak_of(", radius_i: 0.02, radius_j: -0.25", &counts[1]);
    const double onset = peak_of("", &counts[2]);
    printf("  peak %.9g N with the radii of the start, %.9g N with them given, %.9g N with those of the onset\n", start,
           given, onset);
    assert_true(fabs(start - given) < 1e-9 * given && counts[0] == counts[1]);
    assert_true(fabs(start - onset) > 1e-3 * given);
}

/* Peak force of the first impact after the ball was put to a place. */
static double peak_from(const char *more, const double q[3], const double v[3])
{
    free_run run;
    open_trough(&run, more);
    carom_state *s = NULL;
    assert_ok(run.ctx, carom_state_create(run.ctx, run.model, &s));
    assert_ok(run.ctx, carom_simulation_get_state(run.sim, s));
    assert_ok(run.ctx, carom_state_set_positions(s, q, 3));
    assert_ok(run.ctx, carom_state_set_velocities(s, v, 3));
    assert_ok(run.ctx, carom_simulation_set_state(run.sim, s, NULL, NULL));
    free_run_to(&run, 0.01);
    size_t count;
    const carom_impact *impacts = carom_simulation_impacts(run.sim, &count);
    assert_true(count >= 1);
    const double peak = impacts[0].peak_force;
    carom_state_free(s);
    free_run_close(&run);
    return peak;
}

/* A state that was changed begins there: its constants are those of the flank that is nearest then. */
static void test_changed_state(void **state)
{
    (void)state;
    /* over x = 0.3, at the distance of 1 um along the normal of the trough there */
    const double x = 0.3, slope = 4 * x, over = (0.02 + 1e-6) / hypot(1, slope);
    const double radius = -pow(1 + slope * slope, 1.5) / 4;
    const double q[3] = {x - slope * over, 2 * x * x + over, 0}, v[3] = {0.1 * slope, -0.1, 0};
    char more[80];
    snprintf(more, sizeof more, ", radius_i: 0.02, radius_j: %.17g", radius);
    const double peak = peak_from(", radii: start", q, v), given = peak_from(more, q, v);
    printf("  peak %.9g N from the changed state, %.9g N with its radii given\n", peak, given);
    assert_true(fabs(peak - given) < 1e-8 * given);
}

/* Peak force of a rod that falls upright 60 mm, as a solid or as a ball at its lower end. */
static double peak_of_rod(const char *shape)
{
    char text[1024];
    free_run run;
    snprintf(text, sizeof text,
             "carom: 1\ndimension: 3\ngravity: [0, 0, -9.81]\nmaterials: {rubber: {E: 5e7, nu: 0.3}}\n"
             "bodies: {rod: {mass: 0.05, inertia: [2e-5, 2e-5, 5e-6], at: [0, 0, 0.112]}}\n"
             "shapes:\n  rod: {%s, on: rod, radius: 0.012, material: rubber}\n"
             "  floor: {type: plane, on: ground, normal: [0, 0, 1], material: rubber}\n"
             "contacts: {hit: {between: [rod, floor], normal: {law: flores, restitution: 0.5}}}\nrun: {until: 0.13}\n",
             shape);
    free_run_parse(&run, text, 0, NULL);
    free_run_to(&run, 0.13);
    size_t count;
    const carom_impact *impacts = carom_simulation_impacts(run.sim, &count);
    assert_int_equal(count, 1);
    const double peak = impacts[0].peak_force;
    free_run_close(&run);
    return peak;
}

/* The upper end of an upright capsule has its lowest point inside the solid, where there are no radii. */
static void test_upright_capsule(void **state)
{
    (void)state;
    const double ball = peak_of_rod("type: sphere, at: [0, 0, -0.04]");
    const double upright = peak_of_rod("type: capsule, from: [0, 0, -0.04], to: [0, 0, 0.04]");
    const double head_first = peak_of_rod("type: capsule, from: [0, 0, 0.04], to: [0, 0, -0.04]");
    printf("  peak %.12g N of a ball, %.12g and %.12g N of capsules\n", ball, upright, head_first);
    assert_true(fabs(upright - ball) < 1e-7 * ball && fabs(head_first - ball) < 1e-7 * ball);
}

static void test_refusals(void **state)
{
    (void)state;
    char text[2048];
    snprintf(text, sizeof text, trough, ", radii: start, stiffness: 1e9");
    assert_non_null(strstr(free_error_of_text(text), "leave the key out"));
    snprintf(text, sizeof text, trough, ", radii: begin");
    assert_non_null(strstr(free_error_of_text(text), "start"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_radii_of_the_start),
        cmocka_unit_test(test_changed_state),
        cmocka_unit_test(test_upright_capsule),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
