/* Laws of a program that pull from the onset on, F = K delta^1.5 - P: clipped or cut off they have no force until they
   repel, and a body without damping leaves as fast as it came. By the energy, m v^2/2 is the integral of F from the
   indentation at which F = 0 on. */
#include "carom_test.h"

#include <math.h>

#include "support/free_runs.h"

#define STIFFNESS 1e6
#define PULL 200.0
#define MASS 0.7
#define SPEED 2.0
#define DAMPING 0.15 /* s/m, times K delta^1.5 */

static const char *take(void *user, const double *p, const carom_contact_geometry *geometry, double *c)
{
    (void)user;
    (void)geometry;
    c[0] = p[0];
    c[1] = p[1];
    return NULL;
}

static const char *take_pull(void *user, const double *p, const carom_contact_geometry *geometry, double *c)
{
    (void)user;
    (void)geometry;
    c[0] = p[0];
    return NULL;
}

static void whole(void *user, const double *c, const carom_normal_input *in, carom_normal_force *out)
{
    (void)user;
    const double slope = STIFFNESS * sqrt(in->delta), power = slope * in->delta, share = 1 + c[1] * in->rate;
    *out = (carom_normal_force){power * share - c[0], 1.5 * slope * share, power * c[1],
                                (0.4 * power - c[0]) * in->delta};
}

static void part(void *user, const double *c, const double *history, double delta, carom_elastic_force *out)
{
    (void)user;
    (void)history;
    const double slope = STIFFNESS * sqrt(delta);
    *out = (carom_elastic_force){slope * delta - c[0], 1.5 * slope, (0.4 * slope * delta - c[0]) * delta, 0};
}

static const carom_param_row params[] = {{"pull", "N", 1, 0, PULL, -1e9, 1e9, "Force that is taken off."},
                                         {"damping", "s/m", 1, 0, 0, 0, 1e9, "Times the power law and the rate."}};

static void add(carom_context *ctx)
{
    carom_normal_kind_def law = carom_default_normal_kind_def();
    law.kind.name = "pulling";
    law.kind.title = "A power law that pulls at first.";
    law.kind.params = params;
    law.kind.param_count = 2;
    law.prepare = take;
    law.force = whole;
    assert_ok(ctx, carom_register_normal(ctx, &law));
    carom_elastic_kind_def elastic = carom_default_elastic_kind_def();
    elastic.kind.name = "pulling-part";
    elastic.kind.title = "The same without damping.";
    elastic.kind.params = params;
    elastic.kind.param_count = 1;
    elastic.prepare = take_pull;
    elastic.force = part;
    assert_ok(ctx, carom_register_elastic(ctx, &elastic));
}

#define MODEL                                                                                                  \
    "{carom: 1, dimension: 2, bodies: {ball: {mass: 0.7, inertia: 0.004, at: [0, 0.13], velocity: [0, -2]}}, "  \
    "shapes: {skin: {type: sphere, on: ball, radius: 0.1}, floor: {type: plane, on: ground, normal: [0, 1]}}, " \
    "contacts: {hit: {%s, normal: {%s, tension: %s}}}, run: {until: 0.04, %s}}"

static void open(free_run *run, const char *pair, const char *law, const char *tension, const char *keys)
{
    char text[900];
    memset(run, 0, sizeof *run);
    run->ctx = new_context();
    add(run->ctx);
    snprintf(text, sizeof text, MODEL, pair, law, tension, keys);
    assert_ok(run->ctx, carom_model_parse(run->ctx, "pull.yaml", text, strlen(text), NULL, 0, &run->model));
    const carom_simulation_def def = carom_default_simulation_def();
    assert_ok(run->ctx, carom_simulation_create(run->ctx, run->model, &def, &run->sim));
}

/* Energy from the indentation at which the force begins [J]. */
static double energy(double depth)
{
    const double from = pow(PULL / STIFFNESS, 1 / 1.5);
    return STIFFNESS * 0.4 * (pow(depth, 2.5) - pow(from, 2.5)) - PULL * (depth - from);
}

static double greatest_depth(void)
{
    double low = pow(PULL / STIFFNESS, 1 / 1.5), high = 1;
    for (int k = 0; k < 200; k++) {
        const double middle = 0.5 * (low + high);
        *(energy(middle) < 0.5 * MASS * SPEED * SPEED ? &low : &high) = middle;
    }
    return low;
}

/* The least force of a run so far is looked at by its steps. */
static double follow(free_run *run, double until)
{
    double least = 0;
    while (carom_simulation_time(run->sim) < until) {
        assert_ok(run->ctx, carom_simulation_step(run->sim));
        least = fmin(least, free_run_get(run, "contact.hit.force"));
    }
    return least;
}

/* Clipped, cut off, as a whole and as a part without damping. The run's tolerance is 1e-10. */
static void test_conservative(void **state)
{
    (void)state;
    static const char *const laws[] = {"law: pulling", "elastic: pulling-part, damping: none"};
    static const char *const policies[] = {"clip", "cut-off"};
    for (int l = 0; l < 2; l++)
        for (int k = 0; k < 2; k++) {
            free_run run;
            size_t count;
            open(&run, "between: [floor, skin]", laws[l], policies[k], "tolerance: 1e-10");
            const double least = follow(&run, 0.04);
            const carom_impact *i = carom_simulation_impacts(run.sim, &count);
            assert_int_equal(count, 1);
            print_message("  %s, %s: least %.3g N, e - 1 %.3g, loss %.3g J, depth %.3g off\n", laws[l], policies[k],
                          least, i->e_got - 1, i->cutoff_loss, i->max_indentation / greatest_depth() - 1);
            assert_true(least >= 0 || fabs(least) < 1e-12 * i->peak_force);
            assert_true(fabs(i->e_got - 1) < 1e-9 && fabs(i->cutoff_loss) < 1e-9 && fabs(i->energy_lost) < 1e-9);
            assert_true(fabs(i->max_indentation / greatest_depth() - 1) < 1e-9);
            assert_true(fabs(carom_simulation_ledger(run.sim).residual_fraction) < 1e-9);
            free_run_close(&run);
        }
}

/* Of contact sets, which see the change of the policy at their steps of 2 us: an error of order 1, by the force's slope
   there a step h changes the speed by K 1.5 sqrt(delta) v h^2/(2 m), 5e-7 m/s. */
static void test_sets(void **state)
{
    (void)state;
    static const char *const policies[] = {"clip", "cut-off"};
    for (int k = 0; k < 2; k++) {
        free_run run;
        size_t count;
        open(&run, "all: [floor, skin]", "law: pulling", policies[k], "integrator: verlet, step: 2e-6");
        free_run_to(&run, 0.04);
        const carom_impact *i = carom_simulation_impacts(run.sim, &count);
        assert_int_equal(count, 1);
        print_message("  set, %s: e - 1 %.3g, depth %.3g off\n", policies[k], i->e_got - 1,
                      i->max_indentation / greatest_depth() - 1);
        assert_true(fabs(i->e_got - 1) < 2e-6 && fabs(i->max_indentation / greatest_depth() - 1) < 2e-6);
        free_run_close(&run);
    }
}

/* With damping by the equation of motion m delta'' = -max(F, 0), in fixed steps of the Runge-Kutta method of order 4
   from the place where the force begins, which the body reaches at its speed, to that where it ends. */
static void integrate(double *speed, double *depth, double *time)
{
    const double h = 2e-8;
    double x = pow(PULL / (STIFFNESS * (1 + DAMPING * SPEED)), 1 / 1.5), v = SPEED, t = x / v;
#define ACCELERATION(x, v) (-(STIFFNESS * pow(x, 1.5) * (1 + DAMPING * (v)) - PULL) / MASS)
    for (*depth = 0;; t += h) {
        const double a1 = ACCELERATION(x, v), v2 = v + 0.5 * h * a1, a2 = ACCELERATION(x + 0.5 * h * v, v2);
        const double v3 = v + 0.5 * h * a2, a3 = ACCELERATION(x + 0.5 * h * v2, v3), v4 = v + h * a3;
        const double a4 = ACCELERATION(x + h * v3, v4);
        if (v < 0 && a1 >= 0)
            break;
        x += h / 6 * (v + 2 * v2 + 2 * v3 + v4);
        v += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
        *depth = fmax(*depth, x);
    }
    *speed = -v;
    *time = t + x / -v;
}

static void test_damped(void **state)
{
    (void)state;
    static const char *const policies[] = {"clip", "cut-off"};
    double speed, depth, time;
    integrate(&speed, &depth, &time);
    for (int k = 0; k < 2; k++) {
        free_run run;
        size_t count;
        open(&run, "between: [floor, skin]", "law: pulling, damping: 0.15", policies[k], "tolerance: 1e-11");
        const double least = follow(&run, 0.04);
        const carom_impact *i = carom_simulation_impacts(run.sim, &count);
        assert_int_equal(count, 1);
        print_message("  damped, %s: speed %.3g, depth %.3g, duration %.3g off\n", policies[k], i->v_out / speed - 1,
                      i->max_indentation / depth - 1, i->duration / time - 1);
        assert_true(least >= 0 || fabs(least) < 1e-12 * i->peak_force);
        assert_true(fabs(i->v_out / speed - 1) < 1e-8 && fabs(i->max_indentation / depth - 1) < 1e-8);
        assert_true(fabs(i->duration / time - 1) < 1e-8);
        free_run_close(&run);
    }
}

/* The free impact that `carom impact` solves. */
static void test_free_impact(void **state)
{
    (void)state;
    static const char *const policies[] = {"clip", "cut-off"};
    double speed, depth, time;
    integrate(&speed, &depth, &time);
    for (int k = 0; k < 6; k++) {
        carom_context *ctx = new_context();
        add(ctx);
        const bool damped = k < 2, parts = k >= 4;
        carom_param own = {.name = "damping", .value = carom_value_number(DAMPING)};
        carom_impact_def def = carom_default_impact_def();
        def.law.law = parts ? NULL : "pulling";
        def.law.elastic = parts ? "pulling-part" : NULL;
        def.law.damping = parts ? "none" : NULL;
        def.law.release = policies[k % 2];
        def.law.params = (carom_param_list){&own, damped};
        def.mass = MASS;
        def.speed = SPEED;
        def.tolerance = 1e-9;
        carom_impact_solution out;
        assert_ok(ctx, carom_impact_solve(ctx, &def, &out));
        const double asked[] = {damped ? speed : SPEED, damped ? depth : greatest_depth()};
        print_message("  free impact %d, %s: speed %.3g, depth %.3g off\n", k, out.method, out.v_out / asked[0] - 1,
                      out.max_indentation / asked[1] - 1);
        assert_true(fabs(out.v_out / asked[0] - 1) < 1e-7 && fabs(out.max_indentation / asked[1] - 1) < 1e-7);
        assert_true(!damped || fabs(out.duration_to_zero / time - 1) < 1e-7);
        carom_impact_solution_free(ctx, &out);
        carom_context_free(ctx);
    }
}

/* A law that always pulls, -P, stops nothing: no force, the body goes on at its speed, and the run says why. */
static void test_never_repels(void **state)
{
    (void)state;
    free_run run;
    open(&run, "between: [floor, skin]", "law: pulling, pull: 1e9", "clip", "tolerance: 1e-10");
    assert_true(follow(&run, 0.04) >= 0);
    assert_true(fabs(free_run_body(&run, "ball").velocity[1] + SPEED) < 1e-12);
    assert_true(free_run_is_told(&run, "[W21]"));
    free_run_close(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_conservative), cmocka_unit_test(test_sets),
                                       cmocka_unit_test(test_damped), cmocka_unit_test(test_free_impact),
                                       cmocka_unit_test(test_never_repels)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
