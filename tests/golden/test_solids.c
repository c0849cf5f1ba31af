/* Models with solid shapes in space, against closed forms and balances. */
#include "carom_test.h"

#include <math.h>

#include "base/base.h"
#include "support/free_runs.h"

static void check_balance(free_run *run, const char *what, double most)
{
    const double residual = carom_simulation_ledger(run->sim).residual_fraction;
    printf("%s: energy residual %.1e\n", what, residual);
    assert_true(residual < most);
}

/* The box ends flat on four corners: m g/(4 K) deep, one of its faces level. */
static void test_box(void **state)
{
    (void)state;
    free_run run;
    free_run_open(&run, "box_on_table.yaml", NULL, 0, 0, NULL);
    free_run_to(&run, 3);
    const carom_body_state box = free_run_body(&run, "box");
    double turn[9];
    free_rotation(box.orientation, turn);
    const double sides[3] = {0.2, 0.15, 0.1};
    int up = 0;
    for (int k = 1; k < 3; k++)
        if (fabs(turn[6 + k]) > fabs(turn[6 + up]))
            up = k;
    assert_true(fabs(fabs(turn[6 + up]) - 1) < 1e-9);
    assert_true(fabs(box.position[2] - (0.5 * sides[up] - 2 * 9.81 / (4 * 2e4))) < 1e-7);
    check_balance(&run, "box", 1e-8);
    free_run_close(&run);
}

/* Dropped flat its corners are hit at the same time and alike, and it does not turn. */
static void test_flat_drop(void **state)
{
    (void)state;
    static const char text[] =
        "carom: 1\ndimension: 3\ngravity: [0, 0, -9.81]\n"
        "bodies:\n  box: {mass: 1, inertia: [0.01, 0.02, 0.03], at: [0, 0, 0.3]}\n"
        "shapes:\n  box: {type: box, on: box, size: [0.4, 0.3, 0.2]}\n"
        "  floor: {type: plane, on: ground, normal: [0, 0, 1]}\n"
        "contacts:\n  hit: {between: [floor, box], normal: {law: flores, stiffness: 1e7, restitution: 0.7}}\n"
        "run: {until: 1}\n";
    free_run run;
    free_run_parse(&run, text, 1e-9, NULL);
    free_run_to(&run, 0.3);
    size_t count;
    const carom_impact *impacts = carom_simulation_impacts(run.sim, &count);
    assert_int_equal(count, 4);
    for (size_t k = 0; k < count; k++) {
        assert_true(impacts[k].onset == impacts[0].onset);
        assert_true(fabs(impacts[k].peak_force - impacts[0].peak_force) < 1e-9 * impacts[0].peak_force);
    }
    assert_true(fabs(impacts[0].onset - sqrt(2 * 0.2 / 9.81)) < 1e-9);
    const carom_body_state box = free_run_body(&run, "box");
    for (int k = 0; k < 3; k++)
        assert_true(fabs(box.angular_velocity[k]) < 1e-9);
    check_balance(&run, "flat drop", 1e-8);
    free_run_close(&run);
}

/* Sliding turns into rolling with 2 v0/3; friction takes a third of the kinetic energy, however it acts. */
static void test_cylinder(void **state)
{
    (void)state;
    free_run run;
    free_run_open(&run, "rolling_cylinder.yaml", NULL, 0, 0, NULL);
    free_run_to(&run, 1);
    const carom_body_state roller = free_run_body(&run, "roller");
    const carom_ledger ledger = carom_simulation_ledger(run.sim);
    assert_true(fabs(roller.velocity[0] - 2.0 / 3) < 1e-7);
    assert_true(fabs(roller.angular_velocity[1] - 2.0 / 0.3) < 1e-6);
    assert_true(fabs(ledger.dissipated_friction - 1.0 / 3) < 1e-6);
    check_balance(&run, "cylinder", 1e-8);
    free_run_close(&run);
}

/* A ball in the bore of a pipe swings with the frequency of a pendulum of the length B - r while it slides, and with
   that over sqrt(1 + 2/5) while it rolls. */
static double swing(double friction)
{
    static const char head[] =
        "carom: 1\ndimension: 3\ngravity: [0, 0, -9.81]\n"
        "bodies:\n  ball: {mass: 1, inertia: [1.6e-4, 1.6e-4, 1.6e-4], at: [0.18001*sin(0.01), 0, "
        "-0.18001*cos(0.01)]}\n"
        "shapes:\n  ball: {type: sphere, on: ball, radius: 0.02}\n"
        "  pipe: {type: tube, on: ground, orientation: {axis: [1, 0, 0], angle: pi/2}, bore: 0.2, radius: 0.25, "
        "length: 1}\n"
        "contacts:\n  roll: {between: [pipe, ball], normal: {law: kelvin-voigt, stiffness: 1e6, damping: 2000}";
    char text[1200], site[120] = "";
    if (friction > 0)
        snprintf(site, sizeof site, ", friction: {law: threlfall, kinetic: %g, transition_speed: 2e-4}", friction);
    snprintf(text, sizeof text, "%s%s}\nrun: {until: 3}\n", head, site);
    free_run run;
    free_run_parse(&run, text, 1e-9, friction > 0 ? "bdf" : NULL);
    /* time of the second passage through the lowest place from the same side, by the crossing of x */
    double before = 1, period = NAN, first = NAN;
    for (int k = 1; k <= 3000 && isnan(period); k++) {
        const double t = 1e-3 * k;
        free_run_to(&run, t);
        const double x = free_run_body(&run, "ball").position[0];
        if (before > 0 && x <= 0) {
            const double cross = t - 1e-3 * (0 - x) / (before - x);
            if (isnan(first))
                first = cross;
            else
                period = cross - first;
        }
        before = x;
    }
    check_balance(&run, "pipe", 1e-6);
    free_run_close(&run);
    return period;
}

static void test_pipe(void **state)
{
    (void)state;
    const double slide = 2 * CAROM_PI * sqrt(0.18 / 9.81), roll = slide * sqrt(1.4);
    const double slid = swing(0), rolled = swing(0.5);
    printf("pipe: sliding %.6f s of %.6f s, rolling %.6f s of %.6f s\n", slid, slide, rolled, roll);
    assert_true(fabs(slid / slide - 1) < 1e-3);
    assert_true(fabs(rolled / roll - 1) < 5e-3);
}

/* The egg rises on end, and its centre with it. */
static void test_egg(void **state)
{
    (void)state;
    free_run run;
    free_run_open(&run, "spinning_spheroid.yaml", NULL, 0, 0, NULL);
    free_run_to(&run, 2);
    const carom_body_state egg = free_run_body(&run, "egg");
    printf("egg: height %.6f m\n", egg.position[2]);
    assert_true(fabs(egg.position[2] - (0.020 - 0.02 * 9.81 / 1e5)) < 1e-5);
    check_balance(&run, "egg", 1e-8);
    free_run_close(&run);
}

/* Two balls, as spheres and as ellipsoids: the same impacts. */
static void run_balls(const char *shape, double *depth, double *lost)
{
    char text[1600], one[200];
    snprintf(one, sizeof one, "%s", strcmp(shape, "sphere") == 0 ? "radius: 0.1" : "half_axes: [0.1, 0.1, 0.1]");
    snprintf(text, sizeof text,
             "carom: 1\ndimension: 3\ngravity: [0, 0, -9.81]\nmaterials: {steel: {E: 2.1e11, nu: 0.3}}\n"
             "bodies:\n  a: {mass: 1, inertia: [0.004, 0.004, 0.004], at: [0, 0, 0.3]}\n"
             "  b: {mass: 1, inertia: [0.004, 0.004, 0.004], at: [0.02, 0.01, 0.7]}\n"
             "shapes:\n  a: {type: %s, on: a, %s, material: steel}\n  b: {type: %s, on: b, %s, material: steel}\n"
             "  floor: {type: plane, on: ground, normal: [0, 0, 1], material: steel}\n"
             "contacts:\n  hit: {between: [floor, a], normal: {law: flores, restitution: 0.7}}\n"
             "  balls: {between: [a, b], normal: {law: flores, restitution: 0.7}}\nrun: {until: 0.35}\n",
             shape, one, shape, one);
    free_run run;
    free_run_parse(&run, text, 1e-12, NULL);
    free_run_to(&run, 0.3);
    size_t count;
    const carom_impact *impacts = carom_simulation_impacts(run.sim, &count);
    assert_int_equal(count, 3);
    for (size_t k = 0; k < count; k++) {
        depth[k] = impacts[k].max_indentation;
        lost[k] = impacts[k].energy_lost;
    }
    free_run_close(&run);
}

static void test_balls(void **state)
{
    (void)state;
    double depth[2][3], lost[2][3];
    run_balls("sphere", depth[0], lost[0]);
    run_balls("ellipsoid", depth[1], lost[1]);
    for (int k = 0; k < 3; k++) {
        printf("impact %d: depths differ by %.1e, losses by %.1e\n", k + 1, depth[1][k] / depth[0][k] - 1,
               lost[1][k] / lost[0][k] - 1);
        assert_true(fabs(depth[1][k] / depth[0][k] - 1) < 1e-9);
        assert_true(fabs(lost[1][k] / lost[0][k] - 1) < 1e-9);
    }
}

/* Shapes that overlap deeply at the start are reported, with the depth. */
static void test_overlap(void **state)
{
    (void)state;
    static const char text[] =
        "carom: 1\ndimension: 3\ngravity: [0, 0, -9.81]\n"
        "bodies:\n  egg: {mass: 1, inertia: [0.01, 0.01, 0.01], at: [0, 0, %s]}\n"
        "shapes:\n  egg: {type: ellipsoid, on: egg, half_axes: [0.2, 0.2, 0.1]}\n"
        "  floor: {type: plane, on: ground, normal: [0, 0, 1]}\n"
        "contacts:\n  hit: {between: [floor, egg], normal: {law: flores, stiffness: 1e5, restitution: 0.7}}\n"
        "run: {until: 1}\n";
    for (int deep = 0; deep < 2; deep++) {
        char model[800];
        free_run run;
        snprintf(model, sizeof model, text, deep ? "0.08" : "0.095");
        free_run_parse(&run, model, 0, NULL);
        size_t count, found = 0;
        const char *const *warnings = carom_simulation_warnings(run.sim, &count);
        for (size_t k = 0; k < count; k++)
            found += strstr(warnings[k], "contact 'hit': the shapes overlap at the start by 0.02 m, 20 %") != NULL;
        assert_int_equal(found, deep);
        free_run_close(&run);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_box),  cmocka_unit_test(test_flat_drop), cmocka_unit_test(test_cylinder),
        cmocka_unit_test(test_pipe), cmocka_unit_test(test_egg),       cmocka_unit_test(test_balls),
        cmocka_unit_test(test_overlap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
