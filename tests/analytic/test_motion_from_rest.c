/* A motion that begins in an equilibrium rests: friction that holds by a deflection goes on with the one that was
   found, states of the user with their values, also where the run has contact sets and the equilibrium a contact of
   each pair. Friction of a joint that holds beside feet that share a load leaves nothing unbalanced. */
#include "carom_test.h"

#include <math.h>

#include "support/context.h"

static carom_model *model;
static carom_analysis *analysis;
static carom_simulation *sim;

/* Run 0 is the equilibrium, run 1 the motion. */
static void begin_motion(const char *text)
{
    carom_analysis_def def = carom_default_analysis_def();
    carom_simulation_def motion = carom_default_simulation_def();
    assert_ok(ctx, carom_model_parse(ctx, "test.yaml", text, strlen(text), NULL, 0, &model));
    carom_run_def run = *carom_model_get_run(model, 0);
    def.run_def = &run;
    assert_ok(ctx, carom_analysis_run(ctx, model, &def, &analysis));
    carom_run_def second = *carom_model_get_run(model, 1);
    motion.run_def = &second;
    assert_ok(ctx, carom_simulation_create(ctx, model, &motion, &sim));
    assert_ok(ctx, carom_simulation_set_state(sim, carom_analysis_state(analysis), NULL, NULL));
}

static void close_model(void)
{
    carom_simulation_free(sim);
    carom_analysis_free(analysis);
    carom_model_free(model);
}

static double channel(const char *name, int part)
{
    double out[6];
    carom_channel_ref ref;
    assert_ok(ctx, carom_simulation_find_channel(sim, name, &ref));
    assert_ok(ctx, carom_simulation_read(sim, &ref, out));
    return out[part];
}

/* A block on two feet that is pushed by 0.2 of its weight, a slider held by the friction of its rail. */
static void test_rests(void **state)
{
    (void)state;
    static const char *const laws[] = {"coulomb", "mindlin", "dahl", "lugre", "gonthier"};
    static const char *const formulations[] = {"cartesian", "tree"};
    for (int k = 0; k < 5; k++)
        for (int f = 0; f < 2; f++) {
            static char text[2000];
            double y;
            snprintf(text, sizeof text,
                     "carom: 1\ndimension: 2\ngravity: [0, -9.81]\nstates: {y: {rate: 4 - y^2, start: 1}}\n"
                     "bodies:\n  blk: {mass: 2, inertia: 0.02, at: [0, 0.0999]}\n"
                     "  m: {mass: 2, inertia: 1, at: [0.3, 0]}\n"
                     "shapes:\n  b: {type: box, on: blk, size: [0.4, 0.2]}\n"
                     "  fl: {type: plane, on: ground, normal: [0, 1]}\n"
                     "loads:\n  push: {type: force, on: blk, force: [2*y, 0]}\n"
                     "  pull: {type: force, on: m, force: [10, 0]}\n"
                     "joints: {r: {type: translational, between: [ground, m], axis: [1, 0],\n"
                     "  friction: {law: %s, kinetic: 0.8, preload: 40}}}\n"
                     "contacts: {c: {between: [b, fl], friction: {law: %s, kinetic: 0.4},\n"
                     "  normal: {law: hunt-crossley, stiffness: 1e6, restitution: 0.5}}}\n"
                     "run: [{analysis: equilibrium, formulation: %s},\n"
                     "  {until: 0.2, start: previous, formulation: %s}]\n",
                     k == 1 ? "dahl" : laws[k], laws[k], formulations[f], formulations[f]);
            begin_motion(text);
            double residual, place[2] = {channel("body.blk.position", 0), channel("body.blk.position", 1)}, most = 0;
            assert_ok(ctx, carom_analysis_get(analysis, "residual", &residual));
            for (int n = 1; n <= 20; n++) {
                assert_ok(ctx, carom_simulation_advance(sim, 0.01 * n));
                for (int i = 0; i < 2; i++)
                    most = fmax(most, fabs(channel("body.blk.position", i) - place[i]));
                most = fmax(most, fabs(channel("body.m.position", 0) - 0.3));
            }
            assert_ok(ctx, carom_state_get(carom_analysis_state(analysis), "state.y", &y, 1));
            printf("%-9s %-9s residual %.1e, moves by %.1e m\n", laws[k], formulations[f], residual, most);
            assert_true(y == 2 && channel("state.y", 0) == 2);
            /* Coulomb's feet creep beside friction of joints (docs/theory/friction.md) */
            assert_true(residual < 1e-12 && most < (k ? 1e-12 : 1e-8));
            close_model();
        }
}

/* A ball of a contact set under a force of a state, with a fixed step: the state does not begin anew. */
static void test_sets(void **state)
{
    (void)state;
    begin_motion("carom: 1\ndimension: 2\ngravity: [0, -9.81]\nstates: {y: {rate: 4 - y^2, start: 1}}\n"
                 "bodies: {ball: {mass: 2, inertia: 0.02, at: [0, 0.0999]}}\n"
                 "shapes:\n  b: {type: circle, on: ball, radius: 0.1}\n"
                 "  fl: {type: plane, on: ground, normal: [0, 1]}\n"
                 "joints: {r: {type: translational, between: [ground, ball], axis: [0, 1]}}\n"
                 "loads: {push: {type: force, on: ball, force: [0, -10*y]}}\n"
                 "contacts: {c: {all: [b, fl], allow_connected: true, normal: {law: hunt-crossley, stiffness: 1e6,\n"
                 "  restitution: 0.5}}}\n"
                 "run: [{analysis: equilibrium}, {until: 0.05, start: previous, integrator: verlet, step: 1e-5}]\n");
    double before = channel("body.ball.position", 1);
    assert_ok(ctx, carom_simulation_advance(sim, 0.05));
    const double depth = pow((2 * 9.81 + 20) / 1e6, 2.0 / 3);
    printf("set: state %.15g, moves by %.1e m, indentation off by %.1e\n", channel("state.y", 0),
           channel("body.ball.position", 1) - before, (0.1 - before) / depth - 1);
    assert_true(channel("state.y", 0) == 2);
    assert_true(fabs((0.1 - before) / depth - 1) < 1e-9);
    assert_true(fabs(channel("body.ball.position", 1) - before) < 1e-9);
    close_model();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rests),
        cmocka_unit_test(test_sets),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
