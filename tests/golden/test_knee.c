/* Planar knee (Machado et al. 2012, section 6) against the reference in three coordinates (tests/data/mechanisms.json,
   knee-*): nearest points, radii and stiffness of the starting position, and at the tolerance 1e-10 motion, contact and
   impacts within 1e-6 of each quantity's largest value; a run resumed inside the
   contact. */
#include "carom_test.h"

#include <math.h>

#include "support/golden.h"

#define RELATIVE 1e-6

typedef struct reading {
    const char *name, *channel;
} reading;

static const reading at_samples[] = {{"sample_x", "body.tibia.position.x"},
                                     {"sample_y", "body.tibia.position.y"},
                                     {"sample_phi", "body.tibia.angle"},
                                     {"sample_vx", "body.tibia.velocity.x"},
                                     {"sample_vy", "body.tibia.velocity.y"},
                                     {"sample_omega", "body.tibia.angular_velocity"},
                                     {"sample_F", "contact.knee.force"},
                                     {"sample_delta", "contact.knee.indentation"},
                                     {"sample_deltadot", "contact.knee.indentation_rate"}};

static void open_case(free_run *run, const json *c, double tolerance)
{
    run_sets sets = {0};
    run_set_word(&sets, "law", json_text(reference_input(c, "law")));
    run_set(&sets, "direction", json_number(reference_input(c, "dirn")));
    run_open(run, "knee.yaml", &sets, tolerance);
}

static void compare_impacts(const json *c, free_run *run, margin *m)
{
    size_t count;
    const carom_impact *impacts = carom_simulation_impacts(run->sim, &count);
    assert_int_equal(count, reference_count(c, "contact_t_out"));
    for (size_t k = 0; k < count; k++) {
        const carom_impact *i = &impacts[k];
        margin_reference(m, c, "contact_t_in", k, i->onset, RELATIVE);
        margin_reference(m, c, "contact_v_in", k, i->v_in, RELATIVE);
        margin_reference(m, c, "contact_t_out", k, i->onset + i->duration, RELATIVE);
        margin_reference(m, c, "contact_v_out", k, i->v_out, RELATIVE);
        margin_reference(m, c, "contact_F_max", k, i->peak_force, RELATIVE);
        margin_reference(m, c, "contact_delta_max", k, i->max_indentation, RELATIVE);
        margin_reference(m, c, "contact_work_dissipated", k, i->energy_lost, RELATIVE);
    }
}

static void run_case(const char *id)
{
    const json *c = reference_case(mechanisms, id);
    assert_non_null(c);
    free_run run;
    margin m;
    open_case(&run, c, 1e-10);
    margin_begin(&m, id);
    free_run_to(&run, 0);
    margin_reference(&m, c, "init_gap", 0, -free_run_get(&run, "contact.knee.indentation"), RELATIVE);
    for (size_t k = 0; k < reference_count(c, "sample_t"); k++) {
        free_run_to(&run, reference_value(c, "sample_t", k));
        for (size_t r = 0; r < sizeof at_samples / sizeof at_samples[0]; r++) {
            const double got = free_run_get(&run, at_samples[r].channel);
            margin_reference(&m, c, at_samples[r].name, k, got, RELATIVE);
        }
        assert_true(free_run_get(&run, "contact.knee.residual") < 1e-9);
    }
    compare_impacts(c, &run, &m);
    assert_true(fabs(free_run_get(&run, "energy.residual")) < 1e-8 * free_run_get(&run, "energy.work"));
    free_run_close(&run);
    margin_end(&m);
}

static void test_hertz(void **state)
{
    (void)state;
    run_case("knee-hertz");
}

static void test_flexion(void **state)
{
    (void)state;
    run_case("knee-lankarani-nikravesh");
    run_case("knee-flores");
}

static void test_extension(void **state)
{
    (void)state;
    run_case("knee-lankarani-nikravesh-extension");
    run_case("knee-flores-extension");
}

/* A run resumed in the middle of the contact continues bit for bit: the places on both profiles are in the state. */
static void test_resumed(void **state)
{
    (void)state;
    run_sets sets = {0};
    free_run whole, resumed;
    run_open(&whole, "knee.yaml", &sets, 1e-8);
    run_open(&resumed, "knee.yaml", &sets, 1e-8);
    free_run_to(&whole, 0.05);
    unsigned char *bytes;
    size_t size;
    assert_int_equal(carom_simulation_checkpoint(whole.sim, &bytes, &size), CAROM_OK);
    assert_ok(resumed.ctx, carom_simulation_resume(resumed.sim, bytes, size));
    carom_bytes_free(whole.ctx, bytes, size);
    free_run_to(&whole, 0.12);
    free_run_to(&resumed, 0.12);
    for (size_t r = 0; r < sizeof at_samples / sizeof at_samples[0]; r++) {
        const double a = free_run_get(&whole, at_samples[r].channel);
        const double b = free_run_get(&resumed, at_samples[r].channel);
        assert_memory_equal(&a, &b, sizeof a);
    }
    assert_true(free_run_get(&whole, "contact.knee.force") > 0);
    free_run_close(&whole);
    free_run_close(&resumed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_hertz), cmocka_unit_test(test_flexion),
                                       cmocka_unit_test(test_extension), cmocka_unit_test(test_resumed)};
    return cmocka_run_group_tests(tests, golden_open, golden_close);
}
