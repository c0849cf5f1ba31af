/* Laws with permanent indentation in motion: a ball that bounces several times. Each impact starts on the virgin curve,
   returns what is asked up to what the weight does over the indentation, and lets go before the indentation is zero. */
#include "carom_test.h"

#include <math.h>

#include "support/runs.h"

#define G 9.81
#define ASKED 0.7
#define IMPACTS 5

static void test_bounces(void **state)
{
    (void)state;
    static const char *const laws[] = {"walton-braun", "lankarani-nikravesh-1994", "gharib-hurmuzlu-2"};
    margin m;
    margin_begin(&m, "restitution of each bounce");
    for (size_t k = 0; k < sizeof laws / sizeof *laws; k++) {
        run_sets sets = {0};
        free_run run;
        size_t count;
        run_set_word(&sets, "law", laws[k]);
        run_set(&sets, "e", ASKED);
        run_open(&run, "bouncing_ball.yaml", &sets, 1e-8);
        free_run_to(&run, 2.2);
        const carom_impact *i = carom_simulation_impacts(run.sim, &count);
        assert_true(count >= IMPACTS);
        for (size_t b = 0; b < IMPACTS; b++) {
            /* the weight changes the squares of both speeds by at most 2 g times the greatest indentation */
            double weight = 2 * G * i[b].max_indentation / (i[b].v_in * i[b].v_in);
            margin_add(&m, laws[k], b, i[b].e_got, ASKED, 2 * weight / ASKED + 1e-7);
            /* (1 - e^2) of the indentation stays; the crater is crossed in free flight */
            assert_true(i[b].force_duration < 0.9 * i[b].duration);
            double lost = 0.5 * i[b].mass * i[b].v_in * i[b].v_in * (1 - ASKED * ASKED);
            margin_add(&m, "lost", b, i[b].energy_lost, lost, (2 * weight + 1e-7) * lost / (1 - ASKED * ASKED));
            assert_true(b == 0 || i[b].max_indentation < i[b - 1].max_indentation);
        }
        margin_add(&m, "ledger", k, carom_simulation_ledger(run.sim).residual_fraction, 0, 1e-7);
        free_run_close(&run);
    }
    margin_end(&m);
}

/* Mindlin's spring over a turn where the contact becomes stiffer at once: it keeps its force, and at no angle gives
   back more than the tangential energy it had. */
static void test_spring_over_the_turn(void **state)
{
    (void)state;
    static const char *const laws[] = {"walton-braun", "lankarani-nikravesh-1994"};
    static const char model[] = "carom: 1\n"
                                "dimension: 3\n"
                                "parameters: {vt: 0.2, law: walton-braun}\n"
                                "bodies:\n"
                                "  b: {mass: 0.1, inertia: [1e-5, 1e-5, 1e-5], at: [0, 0, 0.0201], velocity: [vt, 0, "
                                "-1], angular_velocity: [0, 0, 0]}\n"
                                "shapes:\n"
                                "  floor: {type: plane, on: ground, normal: [0, 0, 1]}\n"
                                "  c: {type: sphere, on: b, radius: 0.02}\n"
                                "contacts:\n"
                                "  c: {between: [floor, c], normal: {law: $law, stiffness: 1e6, restitution: 0.5}, "
                                "friction: {law: mindlin, kinetic: 0.5}}\n"
                                "run: {until: 0.05}\n";
    for (size_t k = 0; k < sizeof laws / sizeof *laws; k++)
        for (double vt = 0.02; vt < 4; vt *= 2.2) {
            char speed[32], law[64];
            snprintf(speed, sizeof speed, "vt=%.17g", vt);
            snprintf(law, sizeof law, "law=%s", laws[k]);
            const char *const sets[] = {speed, law};
            carom_context *ctx;
            carom_document *document;
            carom_model *compiled;
            carom_simulation *sim;
            size_t count;
            ctx = new_context();
            assert_int_equal(carom_document_parse(ctx, "turn", model, strlen(model), sets, 2, &document), CAROM_OK);
            assert_int_equal(carom_model_compile(ctx, carom_document_spec(document), &compiled), CAROM_OK);
            assert_int_equal(carom_simulation_create(ctx, compiled, NULL, &sim), CAROM_OK);
            assert_int_equal(carom_simulation_run(sim), CAROM_OK);
            const carom_impact *i = carom_simulation_impacts(sim, &count);
            assert_int_equal(count, 1);
            double tangential = 0.5 * vt * vt / (1 / 0.1 + 0.02 * 0.02 / 1e-5);
            assert_true(i->friction_lost >= 0 && i->friction_lost <= tangential * (1 + 1e-9));
            assert_true(carom_simulation_ledger(sim).residual_fraction < 1e-7);
            carom_simulation_free(sim);
            carom_model_free(compiled);
            carom_document_free(document);
            carom_context_free(ctx);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_bounces), cmocka_unit_test(test_spring_over_the_turn)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
