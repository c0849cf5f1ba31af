/* Robots of models/ without a reference of their own: the delta robot and the Stewart platform against their inverse
   kinematics in closed form, the Strandbeest's loops over 60 s of walking (3 s unless CAROM_TEST_ALL is set), the
   four-legged robot that stands up, the humanoid that falls, HyQ and iiwa by their balances. */
#include "carom_test.h"

#include <math.h>

#include "support/golden.h"
#include "support/sample.h"

#define PI 3.14159265358979323846
#define CLOSED 1e-10 /* [m], [rad], [-] */

/* The present state, moved onto its constraints to rounding. */
static carom_state *exact_state(free_run *run)
{
    const carom_assembly_def exact = {.size = sizeof exact, .tolerance = 1e-15};
    carom_state *s = NULL;
    assert_ok(run->ctx, carom_state_create(run->ctx, run->model, &s));
    assert_ok(run->ctx, carom_simulation_get_state(run->sim, s));
    assert_ok(run->ctx, carom_simulation_assemble(run->sim, s, &exact, NULL));
    return s;
}

static double coordinate(free_run *run, const carom_state *s, const char *joint, int copy)
{
    char name[64];
    size_t index;
    carom_evaluated now;
    snprintf(name, sizeof name, "%s_%d", joint, copy);
    assert_ok(run->ctx, carom_simulation_find_joint(run->sim, name, &index));
    assert_ok(run->ctx, carom_simulation_evaluate_at(run->sim, s, &now));
    return now.joints[index].coordinate;
}

/* ---- parallel robots ---- */

/* Angle of an arm of the delta robot for the platform at p, by the half of its tangent: with u outwards from the pivot
   to where the rods would end without their platform, v across, w up, the rods' length gives
   2 L u cos + (-2 L w) sin = L^2 + u^2 + v^2 + w^2 - l^2. */
static double arm_angle(const double p[3], double azimuth)
{
    const double A = 0.2, P = 0.05, L = 0.235, l = 0.6;
    const double u = p[0] * cos(azimuth) + p[1] * sin(azimuth) + P - A, v = p[1] * cos(azimuth) - p[0] * sin(azimuth);
    const double a = 2 * L * u, b = -2 * L * p[2], c = L * L + u * u + v * v + p[2] * p[2] - l * l;
    return 2 * atan((b - sqrt(a * a + b * b - c * c)) / (a + c));
}

static void test_delta(void **state)
{
    (void)state;
    free_run run;
    margin m;
    free_run_open(&run, "delta_robot.yaml", NULL, 0, 0, NULL);
    margin_begin(&m, "delta robot");
    for (int k = 0; k <= 20; k++) {
        const double t = 0.07 * k, turn = 2 * PI * t;
        const double wanted[3] = {0.12 * cos(turn), 0.12 * sin(turn), 0.03 * sin(2 * turn) - 0.55};
        double at[3], orientation[4];
        free_run_to(&run, t);
        carom_state *s = exact_state(&run);
        assert_ok(run.ctx, carom_state_get(s, "body.platform.position", at, 3));
        assert_ok(run.ctx, carom_state_get(s, "body.platform.orientation", orientation, 4));
        for (size_t i = 0; i < 3; i++) {
            margin_add(&m, "platform", i, at[i], wanted[i], CLOSED);
            margin_add(&m, "orientation", i, orientation[1 + i], 0, CLOSED);
            const double angle = arm_angle(at, 2 * PI / 3 * (double)i);
            margin_add(&m, "arm", i, coordinate(&run, s, "arm", (int)i + 1), angle, CLOSED);
        }
        carom_state_free(s);
    }
    free_run_close(&run);
    margin_end(&m);
}

static void test_stewart(void **state)
{
    (void)state;
    const double A = 1, P = 0.7, h = 1.1, spread = PI / 18;
    free_run run;
    margin m;
    free_run_open(&run, "stewart_platform.yaml", NULL, 0, 0, NULL);
    margin_begin(&m, "Stewart platform");
    for (int k = 0; k <= 20; k++) {
        const double t = 0.17 * k, roll = PI / 15 * sin(PI * t);
        const double wanted[3] = {0.15 * sin(PI * t), 0, h + 0.5 + 0.1 * sin(2 * PI * t)};
        double at[3], orientation[4], turn[9];
        free_run_to(&run, t);
        carom_state *s = exact_state(&run);
        assert_ok(run.ctx, carom_state_get(s, "body.cabin.position", at, 3));
        assert_ok(run.ctx, carom_state_get(s, "body.cabin.orientation", orientation, 4));
        free_rotation(orientation, turn);
        for (size_t i = 0; i < 3; i++)
            margin_add(&m, "cabin", i, at[i], wanted[i], CLOSED);
        margin_add(&m, "roll", 0, atan2(turn[7], turn[8]), roll, CLOSED);
        margin_add(&m, "pitch", 0, turn[6], 0, CLOSED);
        margin_add(&m, "yaw", 0, turn[3], 0, CLOSED);
        for (int leg = 1; leg <= 6; leg++) {
            const double odd = leg % 2 ? 1 : -1;
            const double below = 2 * PI / 3 * (leg / 2) + odd * spread;
            const double above = PI / 3 + 2 * PI / 3 * ((leg - 1) / 2) - odd * spread;
            const double own[3] = {P * cos(above), P * sin(above), -0.5};
            double square = 0;
            for (int i = 0; i < 3; i++) {
                const double foot = i == 0 ? A * cos(below) : i == 1 ? A * sin(below) : 0;
                const double head = at[i] + turn[3 * i] * own[0] + turn[3 * i + 1] * own[1] + turn[3 * i + 2] * own[2];
                square += (head - foot) * (head - foot);
            }
            margin_add(&m, "leg", (size_t)leg, coordinate(&run, s, "drive", leg), sqrt(square), CLOSED);
        }
        carom_state_free(s);
    }
    free_run_close(&run);
    margin_end(&m);
}

/* ---- legs ---- */

/* No loop opens by 1e-9 m, and the robot walks level: its frame rises and falls by the foot's path and the indentation
   alone. */
static void test_strandbeest(void **state)
{
    (void)state;
    const char *all = getenv("CAROM_TEST_ALL");
    const double duration = all && strcmp(all, "0") != 0 ? 60 : 3;
    free_run run;
    run_sets sets = {0};
    run_set(&sets, "duration", duration);
    run_open(&run, "strandbeest.yaml", &sets, 0);
    double low = HUGE_VAL, high = 0, violation = 0, tilt = 0;
    for (int k = 1; k <= 20 * (int)duration; k++) {
        free_run_to(&run, 0.05 * k);
        violation = fmax(violation, free_run_get(&run, "constraint.position_violation"));
        const carom_body_state frame = free_run_body(&run, "frame");
        low = fmin(low, frame.position[1]);
        high = fmax(high, frame.position[1]);
        tilt = fmax(tilt, fabs(frame.angle));
    }
    const double way = -free_run_body(&run, "frame").position[0];
    const carom_violation largest = carom_simulation_violation(run.sim);
    printf("Strandbeest: %.4g m in %g s, frame %.4g to %.4g m high, tilt %.2g rad; loops closed within %.1e m, energy "
           "residual %.1e\n",
           way, duration, low, high, tilt, largest.position, carom_simulation_ledger(run.sim).residual_fraction);
    assert_true(largest.position < 1e-9 && violation <= largest.position);
    assert_true(carom_simulation_ledger(run.sim).residual_fraction < 1e-8);
    assert_true(high - low < 0.02 && tilt < 0.02);
    assert_true(way > 0.5 * (duration - 1));
    free_run_close(&run);
}

/* It ends at rest on its feet, which bear its weight; its height is that of its angles, less what the gains give. */
static void test_standing_up(void **state)
{
    (void)state;
    free_run run;
    margin m;
    free_run_open(&run, "quadruped_standing_up.yaml", NULL, 0, 0, NULL);
    margin_begin(&m, "standing up");
    free_run_to(&run, 3);
    const double weight = (8 + 4 * 1.9) * 9.81;
    margin_add(&m, "sum of the normal forces", 0, free_run_get(&run, "output.load"), weight, 1e-3 * weight);
    margin_add(&m, "height", 0, free_run_body(&run, "torso").position[2], 0.44 * cos(0.6) + 0.02, 6e-3);
    margin_add(&m, "creep", 0, free_run_body(&run, "torso").velocity[0], 0, 1e-4);
    margin_add(&m, "residual", 0, carom_simulation_ledger(run.sim).residual_fraction, 0, 1e-8);
    free_run_close(&run);
    margin_end(&m);
}

static void test_fall(void **state)
{
    (void)state;
    free_run run;
    carom_check check;
    free_run_open(&run, "humanoid.yaml", NULL, 0, 0, NULL);
    assert_ok(run.ctx, carom_simulation_check(run.sim, &check));
    assert_int_equal(check.mobility, 36);
    const double start = free_run_body(&run, "head").position[2];
    free_run_to(&run, 1.5);
    const double end = free_run_body(&run, "head").position[2];
    printf("humanoid: head from %.3g m to %.3g m, energy residual %.1e\n", start, end,
           carom_simulation_ledger(run.sim).residual_fraction);
    assert_true(start > 1.5 && end < 0.5 && end > 0);
    assert_true(carom_simulation_ledger(run.sim).residual_fraction < 1e-7);
    free_run_close(&run);
}

/* ---- robots of files ---- */

/* HyQ stands for 10 s by motors that brace its feet against each other. Laws that hold creep by nothing (`lugre`), or
   by what keeps braced contacts determined (`coulomb`: a millionth of their inverse masses); `threlfall` slides. */
static void test_hyq_stands(void **state)
{
    (void)state;
    static const struct {
        const char *law;
        double creep;           /* greatest slip of a foot that is allowed after 10 s [m/s] */
    } laws[] = {{"coulomb", 1e-10}, {"lugre", 1e-12}, {"threlfall", 1e-3}};
    static const char *const feet[] = {"lf", "rf", "lh", "rh"};
    margin m;
    margin_begin(&m, "HyQ standing");
    for (size_t k = 0; k < 3; k++) {
        free_run run;
        run_sets sets = {0};
        run_set_word(&sets, "friction", laws[k].law);
        run_open(&run, "hyq_standing.yaml", &sets, 0);
        free_run_to(&run, 10);
        double mass = 0, creep = 0;
        for (size_t body = 0; body < carom_model_get_info(run.model).bodies; body++) {
            char name[80];
            double value;
            snprintf(name, sizeof name, "body.%s.mass", carom_model_body_name(run.model, body));
            assert_ok(run.ctx, carom_simulation_get_parameter(run.sim, name, &value));
            mass += value;
        }
        for (int foot = 0; foot < 4; foot++) {
            char x[64], y[64];
            snprintf(x, sizeof x, "contact.%s.slip.x", feet[foot]);
            snprintf(y, sizeof y, "contact.%s.slip.y", feet[foot]);
            creep = fmax(creep, hypot(free_run_get(&run, x), free_run_get(&run, y)));
        }
        const double load = free_run_get(&run, "output.load"), weight = mass * 9.81;
        printf("HyQ, %s: creep of a foot %.2g m/s, sum of the normal forces less the weight %.1e of it\n", laws[k].law,
               creep, load / weight - 1);
        margin_add(&m, laws[k].law, 0, load, weight, 1e-6 * weight);
        margin_add(&m, laws[k].law, 1, creep, 0, laws[k].creep);
        free_run_close(&run);
    }
    margin_end(&m);
}

/* It stays over its place, at its height and upright. */
static void test_hyq_trots(void **state)
{
    (void)state;
    free_run run;
    double most[3] = {0};
    free_run_open(&run, "hyq_trot.yaml", NULL, 0, 0, NULL);
    const carom_body_state start = free_run_body(&run, "base_link_0");
    for (int k = 1; k <= 60; k++) {
        double turn[9];
        free_run_to(&run, 0.05 * k);
        const carom_body_state now = free_run_body(&run, "base_link_0");
        free_rotation(now.orientation, turn);
        most[0] = fmax(most[0], hypot(now.position[0] - start.position[0], now.position[1] - start.position[1]));
        most[1] = fmax(most[1], fabs(now.position[2] - start.position[2]));
        most[2] = fmax(most[2], acos(fmin(1, turn[8])));
    }
    size_t impacts;
    carom_simulation_impacts(run.sim, &impacts);
    printf("HyQ trots: at most %.3g m from its place, %.3g m from its height, tilted by %.3g rad; %zu impacts, energy "
           "residual %.1e\n",
           most[0], most[1], most[2], impacts, carom_simulation_ledger(run.sim).residual_fraction);
    assert_true(most[0] < 0.06 && most[1] < 0.02 && most[2] < 0.05 && impacts >= 10);
    assert_true(carom_simulation_ledger(run.sim).residual_fraction < 1e-6);
    free_run_close(&run);
}

/* It walks at the speed asked, straight, at its height and upright, the feet bear its weight. */
static void test_hyq_walks(void **state)
{
    (void)state;
    free_run run;
    double lowest = HUGE_VAL, tilt = 0, force = 0;
    const int rows = 100; /* of two periods */
    free_run_open(&run, "hyq_walk.yaml", NULL, 0, 0, NULL);
    const carom_body_state start = free_run_body(&run, "base_link_0");
    free_run_to(&run, 2);
    const carom_body_state before = free_run_body(&run, "base_link_0");
    for (int k = 1; k <= rows; k++) {
        static const char *const feet[] = {"contact.lf.force", "contact.rf.force", "contact.lh.force",
                                           "contact.rh.force"};
        double turn[9];
        free_run_to(&run, 2 + 0.01 * k);
        const carom_body_state now = free_run_body(&run, "base_link_0");
        free_rotation(now.orientation, turn);
        lowest = fmin(lowest, now.position[2]);
        tilt = fmax(tilt, acos(fmin(1, turn[8])));
        for (size_t foot = 0; foot < 4; foot++)
            force += free_run_get(&run, feet[foot]) / rows;
    }
    const carom_body_state after = free_run_body(&run, "base_link_0");
    const double ahead = after.position[0] - before.position[0], aside = after.position[1] - start.position[1];
    printf("HyQ walks: %.4f m/s of 0.3, %.3g m aside, at least %.3f m high, tilted by %.3g rad; feet bear %.1f N; "
           "energy residual %.1e\n",
           ahead, aside, lowest, tilt, force, carom_simulation_ledger(run.sim).residual_fraction);
    assert_true(fabs(ahead - 0.3) < 0.006 && fabs(aside) < 0.05 && lowest > 0.58 && tilt < 0.03);
    double weight = 0;
    for (size_t k = 0; k < carom_model_get_info(run.model).bodies; k++) {
        char name[64];
        double mass;
        snprintf(name, sizeof name, "body.%s.mass", carom_model_body_name(run.model, k));
        assert_int_equal(carom_simulation_get_parameter(run.sim, name, &mass), CAROM_OK);
        weight += 9.81 * mass;
    }
    assert_true(fabs(force - weight) < 0.02 * weight);
    assert_true(carom_simulation_ledger(run.sim).residual_fraction < 1e-6);
    free_run_close(&run);
}

static void test_iiwa(void **state)
{
    (void)state;
    free_run run;
    free_run_open(&run, "iiwa_dropped.yaml", NULL, 0, 0, NULL);
    free_run_to(&run, 2);
    const carom_ledger ledger = carom_simulation_ledger(run.sim);
    printf("iiwa: kinetic energy %.2g J after 2 s, energy residual %.1e\n", ledger.kinetic, ledger.residual_fraction);
    assert_true(ledger.kinetic < 0.1 && ledger.potential < ledger.start - 40);
    assert_true(ledger.residual_fraction < 1e-7);
    free_run_close(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_delta), cmocka_unit_test(test_stewart),
                                       cmocka_unit_test(test_strandbeest), cmocka_unit_test(test_standing_up),
                                       cmocka_unit_test(test_fall), cmocka_unit_test(test_hyq_stands),
                                       cmocka_unit_test(test_hyq_trots), cmocka_unit_test(test_hyq_walks),
                                       cmocka_unit_test(test_iiwa)};
    return sample_group_tests(tests, 1, 3, NULL, NULL);
}
