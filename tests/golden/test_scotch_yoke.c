/* Scotch yoke with a curved slot (Autiero et al. 2022, section 4) against the reference of one degree of freedom
   (tests/data/mechanisms.json, sy-*): at the tolerance 1e-10 all contacts of three turns, and the motion, within
   1e-6 of each quantity's largest value or ten of its error estimates; at the default tolerance no bounce is
   missed. A crank of 52 mm takes the pin into the ends of the slot, where the constants of the law change within
   contacts: contacts and motion likewise, and the elastic energy that appears there is what the reference misses in its
   balance. The reference is in mm, N, kg, s. */
#include "carom_test.h"

#include <math.h>

#include "support/golden.h"

#define MM 1e-3

static const char *const fits[] = {"lankarani", "radzimowsky", "johnson", "goldsmith", "esdu"};

/* The track of contact `k` in the list "inner,outer,..." */
static void track_of(const json *c, size_t k, char *out, size_t size)
{
    const char *at = json_text(reference_output(c, "contact_track"));
    for (; k > 0; k--)
        at = strchr(at, ',') + 1;
    snprintf(out, size, "%.*s", (int)strcspn(at, ","), at);
}

static void compare_impacts(const json *c, free_run *run, double relative, margin *m)
{
    size_t count, expected = reference_count(c, "contact_t_in");
    const carom_impact *impacts = carom_simulation_impacts(run->sim, &count);
    assert_true(count >= reference_count(c, "contact_t_out"));
    for (size_t k = 0; k < count && k < reference_count(c, "contact_t_out"); k++) {
        const carom_impact *i = &impacts[k];
        char track[16];
        track_of(c, k, track, sizeof track);
        assert_string_equal(i->contact, strcmp(i->contact, "slot") == 0 ? "slot" : track);
        margin_reference(m, c, "contact_t_in", k, i->onset, relative);
        margin_reference(m, c, "contact_v_in", k, i->v_in / MM, relative);
        margin_reference(m, c, "contact_t_out", k, i->onset + i->duration, relative);
        margin_reference(m, c, "contact_v_out", k, -i->v_out / MM, relative);
        margin_reference(m, c, "contact_F_max", k, i->peak_force, relative);
        margin_reference(m, c, "contact_delta_max", k, i->max_indentation / MM, relative);
        margin_reference(m, c, "contact_work_dissipated", k, i->energy_lost / MM, relative);
    }
    assert_true(expected <= count + 1);
}

/* The elastic energy that appeared, of the ledger and of the impacts together. */
static void compare_switched(const json *c, free_run *run, double relative, margin *m)
{
    const json *check = json_member(c, "self_check");
    const double expected = json_number(json_member(check, "energy_residual_Nmm"));
    const carom_ledger ledger = carom_simulation_ledger(run->sim);
    double sum = 0;
    size_t count;
    const carom_impact *impacts = carom_simulation_impacts(run->sim, &count);
    for (size_t k = 0; k < count; k++)
        sum += impacts[k].switch_term;
    margin_add(m, "switched", 0, -ledger.switch_term / MM, expected, relative * fabs(expected));
    margin_add(m, "switched of impacts", 0, sum, ledger.switch_term, 1e-12 * fabs(ledger.switch_term));
    margin_add(m, "residual", 0, ledger.residual_fraction, 0, 0.1 * relative);
}

static void run_case(const json *c, const char *model, int fit, double tolerance, double relative)
{
    run_sets sets = {0};
    run_set(&sets, "fit", fit);
    run_set(&sets, "alpha", json_number(reference_input(c, "alpha")));
    run_set(&sets, "r", MM * json_number(reference_input(c, "r")));
    run_set(&sets, "direction", json_number(reference_input(c, "orient")));
    free_run run;
    margin m;
    const bool ends = strcmp(model, "scotch_yoke_ends.yaml") == 0;
    run_open(&run, model, &sets, tolerance);
    margin_begin(&m, json_text(json_member(c, "id")));
    for (size_t k = 0; k < reference_count(c, "sample_t"); k++) {
        free_run_to(&run, reference_value(c, "sample_t", k));
        margin_reference(&m, c, "sample_s_mm", k, free_run_get(&run, "body.slider.position.x") / MM, relative);
        margin_reference(&m, c, "sample_v_mm_s", k, free_run_get(&run, "body.slider.velocity.x") / MM, relative);
        const double force =
            ends ? free_run_get(&run, "contact.slot.force")
                 : free_run_get(&run, "contact.outer.force") + free_run_get(&run, "contact.inner.force");
        margin_reference(&m, c, "sample_F_N", k, force, relative);
    }
    free_run_to(&run, 0.25);
    compare_impacts(c, &run, relative, &m);
    if (ends)
        compare_switched(c, &run, relative, &m);
    free_run_close(&run);
    margin_end(&m);
}

static void run_cases(const char *suffix, double tolerance, double relative)
{
    for (int k = 0; k < 5; k++) {
        char id[64];
        snprintf(id, sizeof id, "sy-%s%s", fits[k], suffix);
        const json *c = reference_case(mechanisms, id);
        assert_non_null(c);
        run_case(c, "scotch_yoke.yaml", k + 1, tolerance, relative);
    }
}

static void test_as_printed(void **state)
{
    (void)state;
    run_cases("", 1e-10, 1e-6);
}

static void test_ten_times_the_damping(void **state)
{
    (void)state;
    run_cases("-alpha3.2", 1e-10, 1e-6);
}

static void test_default_tolerance(void **state)
{
    (void)state;
    run_cases("", 1e-8, 1e-3);
    run_cases("-alpha3.2", 1e-8, 1e-4);
}

static void test_ends(void **state)
{
    (void)state;
    const json *c = reference_case(mechanisms, "sy-end-r52-johnson");
    assert_non_null(c);
    run_case(c, "scotch_yoke_ends.yaml", 3, 1e-10, 1e-6);
    run_case(c, "scotch_yoke_ends.yaml", 3, 1e-8, 1e-4);
}

/* With a crank that does not reach the ends the one contact of the slot is the two contacts of its tracks. */
static void test_ends_out_of_reach(void **state)
{
    (void)state;
    for (int k = 0; k < 5; k += 2) {
        char id[64];
        snprintf(id, sizeof id, "sy-%s", fits[k]);
        const json *c = reference_case(mechanisms, id);
        free_run run;
        run_sets sets = {0};
        margin m;
        run_set(&sets, "fit", k + 1);
        run_set(&sets, "r", MM * json_number(reference_input(c, "r")));
        run_open(&run, "scotch_yoke_ends.yaml", &sets, 1e-10);
        margin_begin(&m, id);
        free_run_to(&run, 0.25);
        compare_impacts(c, &run, 1e-6, &m);
        assert_true(carom_simulation_ledger(run.sim).switch_term == 0);
        free_run_close(&run);
        margin_end(&m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_as_printed), cmocka_unit_test(test_ten_times_the_damping),
                                       cmocka_unit_test(test_default_tolerance), cmocka_unit_test(test_ends),
                                       cmocka_unit_test(test_ends_out_of_reach)};
    return cmocka_run_group_tests(tests, golden_open, golden_close);
}
