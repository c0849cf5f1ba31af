/* Friction in motion: stick-slip of LuGre's block (Canudas de Wit et al. 1995), blocks held and sliding on a slope, a
   ball from sliding to rolling, the couples of rolling and spinning; closed forms and the energy balance. */
#include "carom_test.h"

#include <math.h>

#include "support/runs.h"

#define G 9.81
#define KINETIC 0.4
#define LEDGER 1e-7 /* ten tolerances: the energies of a block at rest are 1e-5 J */

static carom_body_state body_now(const free_run *run)
{
    carom_body_state state;
    assert_int_equal(carom_simulation_body(run->sim, 0, &state), CAROM_OK);
    return state;
}

static void check_ledger(margin *m, const free_run *run)
{
    margin_add(m, "ledger", 0, carom_simulation_ledger(run->sim).residual_fraction, 0, LEDGER);
}

static void test_stick_slip(void **state)
{
    (void)state;
    run_sets sets = {0};
    free_run run;
    margin m;
    margin_begin(&m, "LuGre stick-slip");
    run_open(&run, "lugre_stick_slip.yaml", &sets, 1e-8);
    free_run_to(&run, 20);
    margin_add(&m, "x(20 s)", 0, body_now(&run).position[0], 1.27259641232, 1e-6);
    free_run_to(&run, 25);
    margin_add(&m, "x(25 s)", 0, body_now(&run).position[0], 1.90883919922, 1e-6);
    margin_add(&m, "v(25 s)", 0, body_now(&run).velocity[0], 9.4241554e-6, 1e-9);
    check_ledger(&m, &run);
    margin_end(&m);
    free_run_close(&run);
}

static void open_slope(free_run *run, const char *friction, double slope, double heading)
{
    run_sets sets = {0};
    run_set_word(&sets, "friction", friction);
    run_set(&sets, "slope", slope);
    run_set(&sets, "heading", heading);
    run_open(run, "block_on_slope.yaml", &sets, 1e-8);
}

/* Laws that hold a block below the cone, by state or by solving for the force. */
static const char *const holding[] = {"coulomb", "karnopp", "lugre", "gonthier", "mindlin"};

/* Mean position over half a second from `begin`: an undamped spring swings about its rest. */
static void mean_position(free_run *run, double begin, double *x, double *y)
{
    const int samples = 50;
    *x = *y = 0;
    for (int k = 0; k < samples; k++) {
        free_run_to(run, begin + 0.5 * k / samples);
        carom_body_state now = body_now(run);
        *x += now.position[0] / samples;
        *y += now.position[1] / samples;
    }
}

static void test_held(void **state)
{
    (void)state;
    static const double slopes[] = {0.1, 0.26, 0.36};
    margin m;
    margin_begin(&m, "creep below the cone, of 1 um/s");
    for (size_t k = 0; k < sizeof holding / sizeof *holding; k++)
        for (size_t i = 0; i < sizeof slopes / sizeof *slopes; i++) {
            free_run run;
            assert_true(tan(slopes[i]) < KINETIC);
            open_slope(&run, holding[k], slopes[i], 0.7);
            double before[2], after[2];
            mean_position(&run, 0.5, &before[0], &before[1]);
            mean_position(&run, 1.5, &after[0], &after[1]);
            margin_add(&m, holding[k], i, hypot(after[0] - before[0], after[1] - before[1]), 0, 1e-6);
            check_ledger(&m, &run);
            free_run_close(&run);
        }
    margin_end(&m);
}

static void test_sliding(void **state)
{
    (void)state;
    margin m;
    margin_begin(&m, "acceleration above the cone");
    for (size_t k = 0; k < sizeof holding / sizeof *holding; k++)
        for (int i = 0; i < 2; i++) {
            double slope = i ? 0.8 : 0.5, heading = i ? 2 : -0.3;
            double expected = G * (sin(slope) - KINETIC * cos(slope));
            free_run run;
            open_slope(&run, holding[k], slope, heading);
            free_run_to(&run, 0.2);
            carom_body_state before = body_now(&run);
            free_run_to(&run, 0.3);
            carom_body_state after = body_now(&run);
            double along = (after.velocity[0] - before.velocity[0]) * cos(heading) +
                           (after.velocity[1] - before.velocity[1]) * sin(heading);
            double across = after.velocity[1] * cos(heading) - after.velocity[0] * sin(heading);
            margin_add(&m, holding[k], (size_t)i, along / 0.1, expected, 1e-6);
            margin_add(&m, "across", (size_t)i, across, 0, 1e-9);
            check_ledger(&m, &run);
            free_run_close(&run);
        }
    margin_end(&m);
}

/* Sliding bristles are stiff: after 100,000 steps the user is told which integrator takes few. */
static void test_cost(void **state)
{
    (void)state;
    free_run run;
    size_t before, after;
    static const char *const sliding[] = {"friction=lugre", "slope=0.5"};
    free_run_open(&run, "block_on_slope.yaml", sliding, 2, 1e-8, "adams");
    free_run_to(&run, 0.3);
    carom_simulation_warnings(run.sim, &before);
    assert_true(carom_simulation_statistics(run.sim).steps < 100000);
    free_run_to(&run, 0.8);
    const char *const *warnings = carom_simulation_warnings(run.sim, &after);
    assert_true(carom_simulation_statistics(run.sim).steps > 100000);
    assert_int_equal(after, before + 1);
    assert_non_null(strstr(warnings[before], "auto"));
    free_run_close(&run);
}

/* Four feet on one body: the forces that hold are shared, and the table slides as one block does. */
static void test_table(void **state)
{
    (void)state;
    static const char *const laws[] = {"coulomb", "karnopp", "lugre", "mindlin"};
    margin m;
    margin_begin(&m, "table on a slope");
    for (size_t k = 0; k < sizeof laws / sizeof *laws; k++)
        for (int slides = 0; slides < 2; slides++) {
            double slope = slides ? 0.5 : 0.26;
            run_sets sets = {0};
            free_run run;
            run_set_word(&sets, "friction", laws[k]);
            run_set(&sets, "slope", slope);
            run_open(&run, "table_on_slope.yaml", &sets, 1e-8);
            free_run_to(&run, 0.4);
            carom_body_state before = body_now(&run);
            free_run_to(&run, 0.5);
            carom_body_state after = body_now(&run);
            if (slides)
                margin_add(&m, laws[k], 1, (after.velocity[0] - before.velocity[0]) / 0.1,
                           G * (sin(slope) - KINETIC * cos(slope)), 1e-6);
            else
                margin_add(&m, laws[k], 0, (after.position[0] - before.position[0]) / 0.1, 0, 1e-6);
            check_ledger(&m, &run);
            free_run_close(&run);
        }
    margin_end(&m);
}

/* The energy that friction takes is m u0^2/7, whatever its law. Mindlin's spring, undamped, swings about rolling; the
   angular momentum about the contact holds for all. */
static void test_slide_to_roll(void **state)
{
    (void)state;
    static const char *const laws[] = {"coulomb",      "karnopp",   "lugre",  "mindlin",
                                       "brown-mcphee", "andersson", "hollars"};
    margin m;
    margin_begin(&m, "5/7 of the speed");
    for (size_t k = 0; k < sizeof laws / sizeof *laws; k++) {
        run_sets sets = {0};
        free_run run;
        run_set_word(&sets, "friction", laws[k]);
        run_open(&run, "slide_to_roll.yaml", &sets, 1e-8);
        free_run_to(&run, 0.4);
        carom_body_state ball = body_now(&run);
        double slides = ball.velocity[0], rolls = ball.angular_velocity[1] * 0.05;
        margin_add(&m, "momentum", k, (slides + 0.4 * rolls) / 1.4, 2 * 5. / 7, 1e-9);
        if (strcmp(laws[k], "mindlin") == 0) {
            margin_add(&m, laws[k], 0, slides, 2 * 5. / 7, 1e-2);
        } else {
            margin_add(&m, laws[k], 0, slides, 2 * 5. / 7, 1e-6);
            margin_add(&m, "spin", k, rolls, 2 * 5. / 7, 1e-6);
            margin_add(&m, "work", k, carom_simulation_ledger(run.sim).dissipated_friction, 0.5 * 4 / 7, 1e-6);
        }
        check_ledger(&m, &run);
        free_run_close(&run);
    }
    margin_end(&m);
}

static void test_couples(void **state)
{
    (void)state;
    const double arm = 1e-4, radius = 0.05, time = 0.4;
    run_sets sets = {0};
    free_run run;
    margin m;
    margin_begin(&m, "rolling and spinning resistance");
    run_set(&sets, "roll", 1);
    run_set(&sets, "spin", 3);
    run_set(&sets, "rolling", arm);
    run_set(&sets, "spinning", arm / 2);
    run_open(&run, "slide_to_roll.yaml", &sets, 1e-8);
    free_run_to(&run, time);
    carom_body_state ball = body_now(&run);
    margin_add(&m, "rolling", 0, ball.velocity[0], 2 - 5. / 7 * G * arm / radius * time, 1e-6);
    margin_add(&m, "spinning", 0, ball.angular_velocity[2], 3 - 2.5 * G * arm / 2 / (radius * radius) * time, 1e-6);
    check_ledger(&m, &run);
    margin_end(&m);
    free_run_close(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_stick_slip), cmocka_unit_test(test_held),
                                       cmocka_unit_test(test_sliding),    cmocka_unit_test(test_table),
                                       cmocka_unit_test(test_cost),       cmocka_unit_test(test_slide_to_roll),
                                       cmocka_unit_test(test_couples)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
