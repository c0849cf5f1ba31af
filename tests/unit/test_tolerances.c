/* Absolute tolerances of what is integrated: those of the impulses of contacts that are apart are one momentum, those
   of works one energy, which is that momentum times a speed whatever the tolerance of the run. */
#include "carom_test.h"

#include <float.h>
#include <math.h>

#include "sim/sim.h"
#include "support/free_runs.h"
#include "support/trial.h"

typedef struct tolerances {
    double impulse, work;
} tolerances;

static tolerances tolerances_at(double relative)
{
    carom_context *ctx = new_context();
    carom_model *model;
    carom_simulation *sim;
    assert_int_equal(trial_compile(ctx, &trial_balls, "adams", NULL, &model), CAROM_OK);
    carom_run_def run = *carom_model_get_run(model, 0);
    carom_simulation_def def = carom_default_simulation_def();
    run.tolerance = relative;
    def.run_def = &run;
    assert_int_equal(carom_simulation_create(ctx, model, &def, &sim), CAROM_OK);
    assert_int_equal(carom_simulation_advance(sim, 1e-6), CAROM_OK);
    const carom_state *s = &sim->s;
    const double *impulse = sim->tolerance + (s->normal_impulse - s->q);
    const double *work = sim->tolerance + (s->work_contact - s->q);
    assert_true(sim->model->contact_count >= 3);
    for (int k = 0; k < sim->model->contact_count; k++) {
        assert_false(s->located[k].open);
        assert_true(impulse[k] > 0 && impulse[k] == impulse[0] && work[k] > 0 && work[k] == work[0]);
    }
    const tolerances out = {impulse[0], work[0]};
    carom_simulation_free(sim);
    carom_model_free(model);
    carom_context_free(ctx);
    return out;
}

static void impulses_and_works(void **state)
{
    (void)state;
    const tolerances a = tolerances_at(1e-6), b = tolerances_at(1e-8);
    printf("impulse %g N s, work %g J\n", a.impulse, a.work);
    assert_true(a.impulse > b.impulse && a.impulse != a.work);
    assert_true(fabs(a.work / a.impulse / (b.work / b.impulse) - 1) < 1e-6);
}

/* Of bodies whose contacts are apart: the model's length, its speed, and the spin that has the energy of the speed; of
   impulses the energy over the speed. */
static void of_bodies_and_contacts(void **state)
{
    (void)state;
    free_run run;
    free_run_parse(&run,
                   "carom: 1\ndimension: 2\ngravity: [0, -9]\nbodies:\n"
                   "  a: {mass: 1, inertia: 0.004, at: [0, 1], velocity: [30, 0]}\n"
                   "  b: {mass: 2, inertia: 0.008, at: [1, 1]}\n  c: {mass: 3, inertia: 0.012, at: [2, 1]}\n"
                   "shapes:\n  floor: {type: plane, on: ground, normal: [0, 1]}\n"
                   "  a: {type: sphere, on: a, radius: 0.1}\n"
                   "  b: {type: sphere, on: b, radius: 0.1}\n  c: {type: sphere, on: c, radius: 0.1}\n"
                   "contacts:\n"
                   "  a: {between: [a, floor], normal: {law: flores, stiffness: 1e8, restitution: 0.8}}\n"
                   "  b: {between: [b, floor], normal: {law: flores, stiffness: 1e8, restitution: 0.8}}\n"
                   "  c: {between: [c, floor], normal: {law: flores, stiffness: 1e8, restitution: 0.8}}\n"
                   "run: {until: 1, formulation: cartesian}\n",
                   1e-8, "dop853");
    free_run_to(&run, 1e-6);
    const carom_simulation *sim = run.sim;
    const carom_state *s = &sim->s;
    const double local = carom_rhs_local_tolerance(sim), speed = carom_sim_speed(sim);
    const double length = sim->model->length_scale;
    const double energy = 6 * (speed * speed + 9 * length);
    printf("local %g, speed %g m/s, length %g m, energy %g J\n", local, speed, length, energy);
    assert_true(fabs(speed - 1) > 0.1 && fabs(length - 1) > 0.01);
    for (int k = 0; k < 3; k++) {
        const double *q = sim->tolerance + 3 * k, *v = sim->tolerance + (s->v - s->q) + 3 * k;
        assert_true(fabs(q[0] / (local * length) - 1) < 1e-12 && fabs(q[1] / (local * length) - 1) < 1e-12);
        assert_true(fabs(v[0] / (local * speed) - 1) < 1e-12 && fabs(v[1] / (local * speed) - 1) < 1e-12);
        assert_true(v[2] > v[0] && q[2] == local);
        assert_true(fabs(sim->tolerance[s->normal_impulse - s->q + k] / (local * energy / speed) - 1) < 1e-12);
        assert_true(fabs(sim->tolerance[s->work_contact - s->q + k] / (local * energy) - 1) < 1e-12);
    }
    free_run_close(&run);
}

/* The gap of a contact that is apart is looked for where it falls through zero, that of one that touches where it
   rises. */
static void directions_of_gaps(void **state)
{
    (void)state;
    carom_context *ctx = new_context();
    carom_model *model;
    carom_simulation *sim;
    assert_int_equal(trial_compile(ctx, &trial_balls, "adams", NULL, &model), CAROM_OK);
    const carom_simulation_def def = carom_default_simulation_def();
    assert_int_equal(carom_simulation_create(ctx, model, &def, &sim), CAROM_OK);
    int seen[2] = {0, 0};
    for (int step = 1; step <= 400; step++) {
        assert_int_equal(carom_simulation_advance(sim, 1e-3 * step), CAROM_OK);
        for (int k = 0; k < sim->model->contact_count; k++) {
            const int root = sim->model->contacts[k].roots[CAROM_ROOT_GAP];
            const bool open = sim->s.located[k].open;
            assert_true(root >= 0);
            assert_int_equal(sim->direction[root], open ? 1 : -1);
            seen[open]++;
        }
    }
    assert_true(seen[0] > 0 && seen[1] > 0);
    carom_simulation_free(sim);
    carom_model_free(model);
    carom_context_free(ctx);
}

/* Positions have the rounding of those of the farthest body, in whichever direction it lies. */
static void rounding_of_the_farthest(void **state)
{
    (void)state;
    for (int axis = 0; axis < 3; axis++) {
        char text[400];
        free_run run;
        snprintf(text, sizeof text,
                 "{carom: 1, dimension: 3, bodies: {near: {mass: 1, inertia: [1, 1, 1], at: [1, -2, 3]}, far: {mass: "
                 "1, inertia: [1, 1, 1], at: [%s]}}, run: {until: 1}}",
                 (const char *[]){"-1e6, 0, 0", "0, -1e6, 0", "0, 0, -1e6"}[axis]);
        free_run_parse(&run, text, 0, NULL);
        free_run_to(&run, 1e-3);
        for (int k = 0; k < 3; k++)
            assert_true(run.sim->rounding[k] == 1e6 * DBL_EPSILON);
        free_run_close(&run);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(impulses_and_works), cmocka_unit_test(of_bodies_and_contacts),
                                       cmocka_unit_test(directions_of_gaps),
                                       cmocka_unit_test(rounding_of_the_farthest)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
