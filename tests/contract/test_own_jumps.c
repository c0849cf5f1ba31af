/* Kinds of a program that jump where the motion is driven back on either side, or that give other values for the same
   arguments: the run says which (W48) and ends where it makes no progress; the same motion with a continuous kind, or
   with jumps that are passed, goes on and is told nothing. */
#include "carom_test.h"

#include <math.h>

#include "base/base.h"
#include "support/free_runs.h"

/* What the friction, law and load of a test do. */
static double (*shape_of)(double x);
static unsigned noise;

static double full(double x)
{
    (void)x;
    return 1;
}

static double sign(double x) { return (x > 0) - (x < 0); }
static double ramp(double x) { return tanh(x / 1e-3); }
static double edge(double x) { return x > 1e-3; }
static double relay(double x) { return x > 0 ? -1 : 1; }

static double noisy(double x)
{
    noise = noise * 1664525u + 1013904223u;
    return 1 + 1e-3 * noise / 4294967296.0 + 0 * x;
}

static const char *take(void *user, const double *p, const carom_contact_geometry *geometry, double *c)
{
    (void)user;
    (void)geometry;
    c[0] = p[0];
    return NULL;
}

static double friction(void *user, const double *c, double speed, double normal)
{
    (void)user;
    return c[0] * normal * shape_of(speed);
}

static double cone(void *user, const double *c)
{
    (void)user;
    return c[0];
}

/* A spring, a damper and a force that is switched by the indentation. */
static void law(void *user, const double *c, const carom_normal_input *in, carom_normal_force *out)
{
    (void)user;
    const double more = shape_of(in->delta);
    *out = (carom_normal_force){1e3 * in->delta + 50 * in->rate + c[0] * more, 1e3, 50,
                                500 * in->delta * in->delta + c[0] * more * fmax(in->delta - 1e-3, 0)};
}

static void load(void *user, const carom_load_input *in, carom_load_output *out)
{
    (void)user;
    out->force_i.x = -in->p[0] * shape_of(in->i.v.x);
    out->dissipation = -out->force_i.x * in->i.v.x;
}

/* On-off control by the position. */
static void control(void *user, const carom_load_input *in, carom_load_output *out)
{
    (void)user;
    out->force_i.x = in->p[0] * relay(in->i.p.x);
    out->work_power = out->force_i.x * in->i.v.x;
}

/* A spring that is there for a millisecond. */
static void spring(void *user, const carom_load_input *in, carom_load_output *out)
{
    (void)user;
    out->force_i.x = in->time < 1e-3 ? -in->p[0] * in->i.p.x : 0;
    out->work_power = out->force_i.x * in->i.v.x;
}

static const carom_param_row rows[] = {{"size", "-", 1, 0, 0.2, 0, HUGE_VAL, "A number."}};

static void describe(carom_kind_def *kind, const char *name)
{
    kind->name = name;
    kind->title = "A kind of a test.";
    kind->params = rows;
    kind->param_count = 1;
}

static void add(carom_context *ctx)
{
    carom_friction_kind_def f = carom_default_friction_kind_def();
    describe(&f.kind, "own-friction");
    f.prepare = take;
    f.map = friction;
    f.cone = cone;
    assert_ok(ctx, carom_register_friction(ctx, &f));
    carom_normal_kind_def n = carom_default_normal_kind_def();
    describe(&n.kind, "own-law");
    n.prepare = take;
    n.force = law;
    n.ignores_v0 = true;
    assert_ok(ctx, carom_register_normal(ctx, &n));
    carom_load_kind_def l = carom_default_load_kind_def();
    describe(&l.kind, "own-load");
    l.frame_count = 1;
    l.apply = load;
    assert_ok(ctx, carom_register_load(ctx, &l));
    describe(&l.kind, "own-control");
    l.apply = control;
    assert_ok(ctx, carom_register_load(ctx, &l));
    describe(&l.kind, "own-spring");
    l.apply = spring;
    assert_ok(ctx, carom_register_load(ctx, &l));
}

static carom_status open(free_run *run, double (*shape)(double), const char *text)
{
    memset(run, 0, sizeof *run);
    shape_of = shape;
    run->ctx = new_context();
    add(run->ctx);
    assert_ok(run->ctx, carom_model_parse(run->ctx, "own.yaml", text, strlen(text), NULL, 0, &run->model));
    const carom_simulation_def def = carom_default_simulation_def();
    assert_ok(run->ctx, carom_simulation_create(run->ctx, run->model, &def, &run->sim));
    return carom_simulation_run(run->sim);
}

#define BALL(law, friction, at, velocity, inertia, until)                                                           \
    "{carom: 1, dimension: 2, gravity: [0, -9.81], bodies: {ball: {mass: 2, inertia: " inertia ", at: [0, " at      \
    "], velocity: [" velocity ", 0]}}, shapes: {skin: {type: sphere, on: ball, radius: 0.1}, floor: {type: plane, " \
    "on: ground, normal: [0, 1]}}, contacts: {hit: {between: [floor, skin], normal: {" law "}" friction             \
    "}}, run: {until: " until "}}"
#define SLIDING                                                                                                \
    BALL("law: kelvin-voigt, stiffness: 1.962e6, damping: 500", ", friction: {law: own-friction}", "0.09999", "3", \
         "1e3", "2")
#define RESTING BALL("law: own-law, size: 100", "", "0.1", "0", "0.008", "3")
#define PUSHED(type)                                                                                             \
    "{carom: 1, dimension: 2, bodies: {m: {mass: 1, inertia: 0.1, at: [0.1, 0], velocity: [3, 0]}}, loads: {push: " \
    "{type: " type ", on: m, size: 5}}, run: {until: 2}}"

/* Each of them stops where its force jumps, the ball's slip at 3/(mu g (1 + m r^2/I)) = 1.529 s. The ball on the step
   comes to rest there in ever shorter turns. */
static void test_jumps(void **state)
{
    (void)state;
    const struct {
        const char *text, *names;
        double (*shape)(double);
        double time;
    } cases[] = {
        {SLIDING, "friction 'own-friction' of contact 'hit' jumps", full, 3 / (0.2 * 9.81 * (1 + 0.02 / 1e3))},
        {SLIDING, "friction 'own-friction' of contact 'hit' jumps", sign, 3 / (0.2 * 9.81 * (1 + 0.02 / 1e3))},
        {RESTING, "law 'own-law' of contact 'hit' jumps", edge, (double)NAN},
        {PUSHED("own-load"), "kind 'own-load' of load 'push' jumps", sign, 0.6},
        {BALL("law: own-law, size: 10", "", "0.1", "0", "0.008", "3000"), "gives other values for the same arguments",
         noisy, (double)NAN},
    };
    for (size_t k = 0; k < CAROM_COUNT(cases); k++) {
        free_run run;
        const carom_status status = open(&run, cases[k].shape, cases[k].text);
        const uint64_t steps = carom_simulation_statistics(run.sim).steps;
        const double time = carom_simulation_time(run.sim);
        print_message("  case %zu: %llu steps, t = %.9g s: %s\n", k, (unsigned long long)steps, time,
                      carom_context_error(run.ctx));
        assert_int_equal(status, CAROM_ERROR_SOLVER);
        assert_non_null(strstr(carom_context_error(run.ctx), cases[k].names));
        assert_true(steps < 500000 && free_run_is_told(&run, "[W48]"));
        assert_true(isnan(cases[k].time) || fabs(time - cases[k].time) < 1e-5 * cases[k].time);
        free_run_close(&run);
    }
}

/* Friction that rises over 1 mm/s lets the ball roll, jumps that are passed are passed: none is told of. */
static void test_sound(void **state)
{
    (void)state;
    static const char *const models[] = {SLIDING, PUSHED("own-load"), PUSHED("own-control")};
    for (size_t k = 0; k < CAROM_COUNT(models); k++) {
        free_run run;
        assert_ok(run.ctx, open(&run, ramp, models[k]));
        print_message("  model %zu: %llu steps\n", k, (unsigned long long)carom_simulation_statistics(run.sim).steps);
        assert_false(free_run_is_told(&run, "[W48]"));
        free_run_close(&run);
    }
}

/* A millisecond of 1600 oscillations, some 300,000 steps, in a run of 1e4 s: at their pace 3e12 steps would be left.
   The mass starts at rest at 1 m/s over the frequency and leaves at -sin(1e4) m/s, as the spring lets it go. */
static void test_slow_for_a_while(void **state)
{
    (void)state;
    free_run run;
    assert_ok(run.ctx, open(&run, ramp,
                            "{carom: 1, dimension: 2, bodies: {m: {mass: 1, inertia: 0.1, at: [1e-7, 0]}}, loads: "
                            "{push: {type: own-spring, on: m, size: 1e14}}, run: {until: 1e4, tolerance: 1e-9}}"));
    const uint64_t steps = carom_simulation_statistics(run.sim).steps;
    const double speed = free_run_body(&run, "m").velocity[0];
    print_message("  %llu steps, %.3g m/s off\n", (unsigned long long)steps, speed + sin(1e4));
    assert_true(steps > 100000 && fabs(speed + sin(1e4)) < 1e-4);
    assert_false(free_run_is_told(&run, "[W48]"));
    free_run_close(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_jumps), cmocka_unit_test(test_sound),
                                       cmocka_unit_test(test_slow_for_a_while)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
