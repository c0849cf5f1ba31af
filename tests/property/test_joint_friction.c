/* Friction of joints in random slider-cranks, a law and sizes of its own in each joint, with places that stick, loops
   that hold more slips than can move, and dead centres: every run ends, the energy balances, and at every instant
   friction is that of the law under the reaction. */
#include "carom_test.h"

#include <math.h>

#include "support/free_runs.h"

#define CASES 30

static uint64_t seed = 20240607;

static double uniform(double low, double high)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return low + (high - low) * (double)(seed >> 11) / 9007199254740992.0;
}

static const char *law(void)
{
    static const char *const laws[] = {"coulomb",
                                       "coulomb",
                                       "karnopp",
                                       "gonthier",
                                       "hollars, transition_speed: 0.005",
                                       "andersson, transition_speed: 0.01",
                                       "threlfall, transition_speed: 0.01"};
    return laws[(int)uniform(0, 7 - 1e-9)];
}

static void friction(char *out, size_t size, bool pin)
{
    const double mu = uniform(0.02, pin ? 0.5 : 0.3), radius = uniform(0.005, 0.05);
    const char *name = law();
    if (pin)
        snprintf(out, size, "{law: %s, kinetic: %.4f, radius: %.4f, preload: %d}", name, mu, radius,
                 uniform(0, 1) < 0.3 ? 30 : 0);
    else
        snprintf(out, size, "{law: %s, kinetic: %.4f%s}", name, mu, uniform(0, 1) < 0.5 ? ", length: 0.2" : "");
}

static void write_model(char *out, size_t size)
{
    char pins[3][160], guide[160];
    for (int k = 0; k < 3; k++)
        friction(pins[k], sizeof pins[k], true);
    friction(guide, sizeof guide, false);
    snprintf(out, size,
             "carom: 1\ndimension: 2\ngravity: [0, -9.81]\nbodies:\n"
             "  crank:  {mass: 1, inertia: 0.01, at: [0.1, 0], frames: {root: [-0.1, 0], tip: [0.1, 0]}}\n"
             "  rod:    {mass: 1, inertia: 0.02, at: [0.4, 0], frames: {root: [-0.2, 0], tip: [0.2, 0]}}\n"
             "  slider: {mass: 2, inertia: 0.01, at: [0.6, 0]}\n"
             "joints:\n"
             "  main:  {type: revolute, between: [ground, crank.root], rate: %.3f, friction: %s}\n"
             "  pin:   {type: revolute, between: [crank.tip, rod.root], friction: %s}\n"
             "  wrist: {type: revolute, between: [rod.tip, slider], friction: %s}\n"
             "  guide: {type: translational, between: [ground, slider], axis: [1, 0], spring: {stiffness: %d, free: "
             "0.5}, friction: "
             "%s}\n"
             "run: {until: 2, tolerance: 1e-8}\n",
             uniform(-10, 10), pins[0], pins[1], pins[2], (int)uniform(0, 3) * 50, guide);
}

/* The greatest share of its cone, radius times coefficient times normal force, that friction of a pin has; the sizes
   stand in the text. */
static double share_of_cone(free_run *run, const char *text, const char *joint)
{
    char key[32], channel[64];
    double mu = 0, radius = 0;
    snprintf(key, sizeof key, "%s: ", joint);
    const char *at = strstr(strstr(text, "joints:"), key);
    sscanf(strstr(at, "kinetic: "), "kinetic: %lf", &mu);
    sscanf(strstr(at, "radius: "), "radius: %lf", &radius);
    snprintf(channel, sizeof channel, "joint.%s.friction", joint);
    const double torque = fabs(free_run_get(run, channel));
    snprintf(channel, sizeof channel, "joint.%s.normal", joint);
    return torque / (mu * radius * free_run_get(run, channel));
}

static void test_random_slider_cranks(void **state)
{
    (void)state;
    static const char *const joints[] = {"main", "pin", "wrist"};
    double ledger = 0, share = 0;
    for (int n = 0; n < CASES; n++) {
        char text[2048];
        free_run run;
        write_model(text, sizeof text);
        free_run_parse(&run, text, 0, n % 2 ? "bdf" : "adams");
        for (int k = 1; k <= 20; k++) {
            free_run_to(&run, 0.1 * k);
            for (int j = 0; j < 3; j++)
                share = fmax(share, share_of_cone(&run, text, joints[j]));
        }
        ledger = fmax(ledger, carom_simulation_ledger(run.sim).residual_fraction);
        free_run_close(&run);
    }
    printf("%d slider-cranks: residual of the ledger %.1e (allowed 1e-6), greatest share of a cone 1 + %.1e (1e-6)\n",
           CASES, ledger, share - 1);
    assert_true(ledger < 1e-6);
    assert_true(share < 1 + 1e-6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random_slider_cranks)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
