/* First-order states of the user's own: a lag, an oscillator, a controlled mass and a kink against closed forms, with
   all integrators; a rate that is not finite; checkpoints. */
#include "carom_test.h"

#include <math.h>

#include "support/free_runs.h"

#define MODEL(states, force)                                                                                         \
    "carom: 1\ndimension: 2\nstates:\n" states "bodies:\n  cart: {mass: 1, inertia: 1}\n"                              \
    "loads:\n  drive: {type: force, on: cart, force: [\"" force "\", 0]}\nrun: {until: 10, step: 1e-3}\n"

/* Global error of each method at a tolerance of 1e-11 or a step of 1 ms. */
static const struct {
    const char *name;
    double accuracy;
} methods[] = {{"adams", 1e-9},  {"bdf", 1e-9},    {"dopri5", 1e-9},
               {"rk4", 1e-12},   {"verlet", 1e-5}, {"semi-implicit-euler", 3e-3}};
#define METHODS (sizeof methods / sizeof methods[0])

static void expect(free_run *run, const char *channel, double t, double value, double accuracy, const char *method)
{
    double got = free_run_get(run, channel);
    if (!(fabs(got - value) <= accuracy))
        fail_msg("%s, t = %g: %s is %.15g, expected %.15g", method, t, channel, got, value);
}

/* T z' = u - z from rest: z = 1 - exp(-t/T). */
static void lag(void **state)
{
    (void)state;
    for (size_t n = 0; n < METHODS; n++) {
        free_run run;
        free_run_parse(&run, MODEL("  z: {rate: (1 - z)/0.5, unit: N}\n", "z"), 1e-11, methods[n].name);
        for (int k = 1; k <= 8; k++) {
            double t = 0.25 * k, fall = exp(-t / 0.5);
            free_run_to(&run, t);
            expect(&run, "state.z", t, 1 - fall, methods[n].accuracy, methods[n].name);
            /* v = t - T (1 - exp(-t/T)) */
            expect(&run, "body.cart.velocity.x", t, t - 0.5 * (1 - fall), methods[n].accuracy, methods[n].name);
        }
        free_run_close(&run);
    }
}

/* x' = y, y' = -x: states read each other, also those that stand below. */
static void oscillator(void **state)
{
    (void)state;
    for (size_t n = 0; n < METHODS; n++) {
        free_run run;
        free_run_parse(&run, MODEL("  a: {rate: 2*b, start: 3, scale: 1}\n  b: {rate: -2*a}\n", "0"), 1e-11,
                       methods[n].name);
        free_run_to(&run, 2);
        expect(&run, "state.a", 2, 3 * cos(4), 4 * methods[n].accuracy, methods[n].name);
        expect(&run, "state.b", 2, -3 * sin(4), 4 * methods[n].accuracy, methods[n].name);
        free_run_close(&run);
    }
}

/* A mass of 1 kg with u = 11 (1 - x) - 6 x' + 6 z, z' = 1 - x: X(s) = (11 s + 6)/(s (s + 1)(s + 2)(s + 3)). */
static void controlled_mass(void **state)
{
    (void)state;
    for (size_t n = 0; n < METHODS; n++) {
        free_run run;
        free_run_parse(&run, MODEL("  z: {rate: 1 - x(cart)}\n", "11*(1 - x(cart)) - 6*vx(cart) + 6*z"), 1e-11,
                       methods[n].name);
        for (int k = 1; k <= 10; k++) {
            double t = 0.5 * k, x = 1 + 2.5 * exp(-t) - 8 * exp(-2 * t) + 4.5 * exp(-3 * t);
            free_run_to(&run, t);
            expect(&run, "body.cart.position.x", t, x, 10 * methods[n].accuracy, methods[n].name);
        }
        free_run_close(&run);
    }
}

/* A rate with a kink at z = 1, which is located: z = t, then 1 + 2 (t - 1). */
static void kinks_are_located(void **state)
{
    (void)state;
    for (size_t n = 0; n < 4; n++) {
        free_run run;
        free_run_parse(&run, MODEL("  z: {rate: \"if(z < 1, 1, 2)\"}\n", "0"), 1e-11, methods[n].name);
        free_run_to(&run, 3);
        expect(&run, "state.z", 3, 5, 1e-11, methods[n].name);
        free_run_close(&run);
    }
}

static void rates_that_are_not_finite(void **state)
{
    (void)state;
    static const char *const integrators[] = {"adams", "bdf", "dopri5", "rk4"};
    for (int n = 0; n < 4; n++) {
        free_run run;
        free_run_parse(&run, MODEL("  z: {rate: log(0.7 - t)}\n", "z"), 1e-8, integrators[n]);
        assert_true(carom_simulation_advance(run.sim, 1) == CAROM_ERROR_SOLVER);
        assert_non_null(strstr(carom_context_error(run.ctx), "the rate of state 'z' is not finite"));
        assert_non_null(strstr(carom_context_error(run.ctx), ":4:3: t = "));
        free_run_close(&run);
    }
    assert_non_null(strstr(free_error_of_text(MODEL("  z: {rate: log(z)}\n", "z")), "z"));
}

static void checkpoints_keep_states(void **state)
{
    (void)state;
    free_run run, other;
    unsigned char *bytes;
    size_t size;
    const char *text = MODEL("  z: {rate: (1 - z)/0.5 + x(cart)}\n", "z - x(cart)");
    free_run_parse(&run, text, 1e-10, "bdf");
    free_run_parse(&other, text, 1e-10, "bdf");
    free_run_to(&run, 0.9);
    assert_true(carom_simulation_checkpoint(run.sim, &bytes, &size) == CAROM_OK);
    assert_true(carom_simulation_resume(other.sim, bytes, size) == CAROM_OK);
    free_run_to(&run, 2);
    free_run_to(&other, 2);
    assert_true(free_run_get(&run, "state.z") == free_run_get(&other, "state.z"));
    assert_true(free_run_get(&run, "body.cart.position.x") == free_run_get(&other, "body.cart.position.x"));
    carom_bytes_free(run.ctx, bytes, size);
    free_run_close(&run);
    free_run_close(&other);
}

/* Angle, its rate, integral of the error, torque of models/actuator_pendulum.yaml. */
static void pendulum_rates(const double *y, double *f)
{
    const double g = 9.81, m = 1.2, c = 0.5, j = 0.1 + m * c * c;
    double command = 60 * (0.2 - y[0]) - 8 * y[1] + 20 * y[2];
    command = fmin(12, fmax(-12, command));
    f[0] = y[1];
    f[1] = (m * g * c * sin(y[0]) + y[3]) / j;
    f[2] = 0.2 - y[0];
    f[3] = (command - y[3]) / 0.02;
}

/* The model against Runge and Kutta's method with steps of 20 us. */
static void actuator_pendulum(void **state)
{
    (void)state;
    const double h = 2e-5;
    double y[4] = {0}, k[4][4], z[4];
    free_run run;
    free_run_open(&run, "actuator_pendulum.yaml", NULL, 0, 1e-11, NULL);
    for (int n = 0; n < 150000; n++) {
        for (int stage = 0; stage < 4; stage++) {
            for (int i = 0; i < 4; i++)
                z[i] = y[i] + (stage ? h * (stage < 3 ? 0.5 : 1) * k[stage - 1][i] : 0);
            pendulum_rates(z, k[stage]);
        }
        for (int i = 0; i < 4; i++)
            y[i] += h / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
        if ((n + 1) % 25000)
            continue;
        free_run_to(&run, h * (n + 1));
        expect(&run, "joint.pin.coordinate", h * (n + 1), y[0], 1e-8, "model");
        expect(&run, "state.missing", h * (n + 1), y[2], 1e-8, "model");
        expect(&run, "state.torque", h * (n + 1), y[3], 1e-6, "model");
    }
    assert_true(carom_simulation_ledger(run.sim).residual_fraction < 1e-8);
    free_run_close(&run);
}

/* The same by the definition structs. */
static void from_a_spec(void **state)
{
    (void)state;
    carom_spec spec = carom_default_spec();
    carom_state_def z = carom_default_state_def();
    carom_body_def body = carom_default_body_def();
    carom_run_def analysis = carom_default_run_def();
    free_run run;
    z.name = "z";
    z.rate = carom_value_expression("1 - z");
    body.name = "cart";
    body.mass = 1;
    body.inertia = carom_value_number(1);
    analysis.until = 2;
    spec.dimension = 2;
    spec.states = &z;
    spec.state_count = 1;
    spec.bodies = &body;
    spec.body_count = 1;
    spec.runs = &analysis;
    spec.run_count = 1;
    free_run_compile(&run, &spec, 1e-11, NULL);
    free_run_to(&run, 2);
    expect(&run, "state.z", 2, 1 - exp(-2), 1e-9, "adams");
    free_run_close(&run);
    z.rate = carom_value_text("1 - z");
    assert_true(free_error_of_spec(&spec)[0] != '\0');
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lag),
        cmocka_unit_test(oscillator),
        cmocka_unit_test(controlled_mass),
        cmocka_unit_test(kinks_are_located),
        cmocka_unit_test(rates_that_are_not_finite),
        cmocka_unit_test(checkpoints_keep_states),
        cmocka_unit_test(actuator_pendulum),
        cmocka_unit_test(from_a_spec),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
