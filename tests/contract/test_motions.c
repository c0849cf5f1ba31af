/* Prescribed motions: those that jump, or whose rates do, are refused with place, time and sizes; those whose
   accelerations jump are stepped to and run as well as smooth ones do. */
#include "carom_test.h"

#include <math.h>

static const char model_text[] = "carom: 1\n"
                                 "dimension: 2\n"
                                 "gravity: [0, -9.81]\n"
                                 "inputs: {drive: 0}\n"
                                 "bodies:\n"
                                 "  arm: {mass: 1, inertia: 0.1, at: [0.5, 0], frames: {a: [-0.5, 0], b: [0.5, 0]}}\n"
                                 "  bob: {mass: 1, inertia: 0.1, at: [1.5, 0], frames: {a: [-0.5, 0]}}\n"
                                 "joints:\n"
                                 "  pin: {type: revolute, between: [ground, arm.a], motion: \"%s\"}\n"
                                 "  tip: {type: revolute, between: [arm.b, bob.a]}\n"
                                 "splines: {curve: [[0, 0], [0.3, 0.2], [0.6, 0.1], [0.9, 0.4]]}\n"
                                 "run: {until: 1, integrator: %s, tolerance: 1e-8}\n";

typedef struct trial {
    carom_context *ctx;
    carom_model *model;
    carom_simulation *sim;
} trial;

static carom_status begin(trial *r, const char *motion, const char *integrator, carom_simulation_def def)
{
    char text[2000];
    snprintf(text, sizeof text, model_text, motion, integrator);
    *r = (trial){.ctx = new_context()};
    r->model = new_model(r->ctx, text);
    return carom_simulation_create(r->ctx, r->model, &def, &r->sim);
}

static void end(trial *r)
{
    carom_simulation_free(r->sim);
    carom_model_free(r->model);
    carom_context_free(r->ctx);
}

static const char *const integrators[] = {"auto", "adams", "bdf", "dopri5"};

static void refused(const char *motion, const char *integrator, const char *part, const char *place)
{
    trial r;
    carom_status status = begin(&r, motion, integrator, carom_default_simulation_def());
    if (status == CAROM_OK)
        status = carom_simulation_run(r.sim);
    const char *error = status == CAROM_OK ? "it runs" : carom_context_error(r.ctx);
    if (!strstr(error, part) || !strstr(error, place) || !strstr(error, "motion of joint 'pin'"))
        fail_msg("%s, %s: '%s' or '%s' is missing in '%s'", motion, integrator, part, place, error);
    end(&r);
}

/* Columns are those of the operation in the line of the joint: the text begins in column 60. */
static void test_jumps(void **state)
{
    (void)state;
    static const struct {
        const char *motion, *part, *place;
    } rows[] = {
        {"abs(t - 0.3)", "at t = 0.3 s its rate jumps from -1 to 1 rad/s", ":9:60:"},
        {"if(t < 0.3, 0, 0.1)", "at t = 0.3 s it jumps from 0 to 0.1 rad", ":9:65:"},
        {"t + max(0, t - 0.3)", "at t = 0.3 s its rate jumps from 1 to 2 rad/s", ":9:64:"},
        {"max(0, sin(7*t))", "at t = 0.448798951 s its rate jumps from -7 to 0 rad/s", ":9:60:"},
        {"1 + max(0, sin(7*t))", "at t = 0.448798951 s its rate jumps from -7 to 0 rad/s", ":9:64:"},
        {"0.1*floor(3*t)", "at t = 0.333333333 s it jumps from 0 to 0.1 rad", ":9:64:"},
        {"mod(t, 0.25)", "at t = 0.25 s it jumps from 0.25 to 0 rad", ":9:60:"},
        {"sign(t - 0.4)*(t - 0.4)", "at t = 0.4 s its rate jumps from -1 to 1 rad/s", ":9:60:"},
        {"hypot(t - 0.5, 0)", "its rate jumps from -1 to 1 rad/s", ":9:60:"},
        {"sqrt((t - 0.5)^2)", "its rate jumps from -1 to 1 rad/s", ":9:60:"},
        {"0.1*asin(sin(3*t))", "at t = 0.523598", ":9:60:"},
        {"0.1*asin(sin(3*t))", "its rate jumps from 0.3 to -0.3 rad/s", ":9:60:"},
        {"hypot(t - 0.5, 1e-11)", "its rate jumps from -1 to 1 rad/s", ":9:60:"},
        {"atan2(t - 0.5, 0)", "it jumps from -1.5708 to 1.5708 rad", ":9:60:"},
        {"sqrt(t)", "at t = 0 s it is 0 with the rate inf", ":9:60:"},
    };
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++)
        for (size_t n = 0; n < sizeof integrators / sizeof integrators[0]; n++)
            refused(rows[k].motion, integrators[n], rows[k].part, rows[k].place);
}

/* Towards a pole of the motion or of its rate the steps would go on to shrink for ever. */
static void test_poles(void **state)
{
    (void)state;
    static const struct {
        const char *motion, *part;
    } rows[] = {
        {"1/(t - 0.5)", "towards t = 0.5 s its rate grows without bound"},
        {"0.01/(t - 0.7)^3", "towards t = 0.7 s its rate grows without bound"},
        {"log(0.6 - t)", "towards t = 0.6 s its rate grows without bound"},
        {"tan(3*t)", "towards t = 0.523599 s its rate grows without bound"},
        {"sqrt(0.8 - t)", "t = 0.8 s"},
        {"0.1*asin(2*t)", "t = 0.5 s"},
    };
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++)
        for (size_t n = 0; n < sizeof integrators / sizeof integrators[0]; n++)
            refused(rows[k].motion, integrators[n], rows[k].part, ":9:60:");
}

static void runs(const char *motion, const char *integrator, carom_simulation_def def)
{
    trial r;
    assert_ok(r.ctx, begin(&r, motion, integrator, def));
    if (carom_simulation_run(r.sim) != CAROM_OK)
        fail_msg("%s, %s: %s", motion, integrator, carom_context_error(r.ctx));
    const carom_ledger ledger = carom_simulation_ledger(r.sim);
    const carom_violation violation = carom_simulation_violation(r.sim);
    if (!(ledger.residual_fraction < 1e-6 && violation.position < 1e-6 && violation.velocity < 1e-4))
        fail_msg("%s, %s: residual %.1e, violations %.1e and %.1e", motion, integrator, ledger.residual_fraction,
                 violation.position, violation.velocity);
    end(&r);
}

static void test_kinks_of_the_rate(void **state)
{
    (void)state;
    static const char *const motions[] = {"abs(t - 0.3)*(t - 0.3)",
                                          "if(t < 0.3, t^2, 0.6*t - 0.09)",
                                          "min(t^2, 0.6*t - 0.09)",
                                          "max(0, t - 0.3)^2",
                                          "abs(sin(5*t))^3",
                                          "step(t, 0.2, 0, 0.5, 1)",
                                          "step5(t, 0.2, 0, 0.5, 1)",
                                          "0.01*step(t, 0.5, 0, 0.5005, 1)",
                                          "0.1*step(t, 0.3, 0, 0.301, 1)",
                                          "0.1*step(t, 0.3, 0, 0.3001, 1)",
                                          "havsin(t, 0.2, 0, 0.5, 1)",
                                          "spline(curve, t)",
                                          "0.3*sin(40*t)",
                                          "sqrt((t - 0.5)^2 + 1e-6)",
                                          "tanh(300*(t - 0.5))",
                                          "if(t < 0.3, t^2, 0.6*t - 0.0900000001)",
                                          "0.1*t + abs(t - 1.5)",
                                          "0.01/(1.1 - t)",
                                          "0.001/((t - 0.5)^2 + 0.01)",
                                          "0.001*exp(6*t)",
                                          "0.001*tan(1.5*t)"};
    for (size_t k = 0; k < sizeof motions / sizeof motions[0]; k++)
        for (size_t n = 0; n < sizeof integrators / sizeof integrators[0]; n++)
            runs(motions[k], integrators[n], carom_default_simulation_def());
}

/* Where an event may end the run before, the jump is met, or not, in the run. */
static void test_events(void **state)
{
    (void)state;
    static const char text[] = "carom: 1\ndimension: 2\nbodies: {arm: {mass: 1, inertia: 0.1}}\n"
                               "joints: {pin: {type: revolute, between: [ground, arm], motion: \"abs(t - 0.3)\"}}\n"
                               "events: {end: {when: t > %s, do: stop}}\nrun: {until: 1}\n";
    for (int late = 0; late < 2; late++) {
        char own[600];
        snprintf(own, sizeof own, text, late ? "0.4" : "0.2");
        carom_context *ctx = new_context();
        carom_model *model = new_model(ctx, own);
        carom_simulation *sim = NULL;
        assert_ok(ctx, carom_simulation_create(ctx, model, NULL, &sim));
        if (late)
            assert_refused(ctx, carom_simulation_run(sim), CAROM_ERROR_MODEL, "at t = 0.3 s its rate jumps");
        else
            assert_ok(ctx, carom_simulation_run(sim));
        carom_simulation_free(sim);
        carom_model_free(model);
        carom_context_free(ctx);
    }
}

/* A record that is the motion: within its knots it is smooth, and where it ends with a rate the rate jumps. */
static void test_records(void **state)
{
    (void)state;
    static const double x[] = {0, 0.2, 0.4, 0.6, 0.8}, y[] = {0, 0.1, 0.15, 0.2, 0.4};
    static const double beyond[] = {0, 0.3, 0.6, 0.9, 1.2};
    for (int ends = 0; ends < 3; ends++) {
        /* the record ends with a rate, behind the run, or clamped at rest */
        carom_spline_def record = {.name = "drive", .x = ends == 1 ? beyond : x, .y = y, .count = 5};
        if (ends == 2)
            record.ends = "clamped";
        carom_simulation_def def = carom_default_simulation_def();
        def.inputs = &record;
        def.input_count = 1;
        if (ends) {
            runs("drive", "auto", def);
            continue;
        }
        trial r;
        assert_ok(r.ctx, begin(&r, "drive", "auto", def));
        assert_refused(r.ctx, carom_simulation_run(r.sim), CAROM_ERROR_MODEL, "at t = 0.8 s its rate jumps");
        end(&r);
    }
}

/* A function of the caller's. */
static void kinked(void *user, double t, double *value, double *rate, double *acceleration)
{
    const double at = *(const double *)user;
    *value = fabs(t - at);
    *rate = t < at ? -1 : 1;
    *acceleration = 0;
}

static void test_functions(void **state)
{
    (void)state;
    for (int late = 0; late < 2; late++) {
        double at = late ? 2 : 0.62831;
        const carom_motion_def motion = {.joint = "pin", .at = kinked, .user = &at};
        carom_simulation_def def = carom_default_simulation_def();
        def.motions = &motion;
        def.motion_count = 1;
        trial r;
        assert_ok(r.ctx, begin(&r, "0", "auto", def));
        if (late)
            assert_ok(r.ctx, carom_simulation_run(r.sim));
        else
            assert_refused(r.ctx, carom_simulation_run(r.sim), CAROM_ERROR_MODEL,
                           "at t = 0.62831 s its rate jumps from -1 to 1 rad/s");
        end(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_poles),  cmocka_unit_test(test_jumps),   cmocka_unit_test(test_kinks_of_the_rate),
        cmocka_unit_test(test_events), cmocka_unit_test(test_records), cmocka_unit_test(test_functions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
