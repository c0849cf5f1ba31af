/* Steel ball on two specimens: the 32 largest forces of Table 4 of Alves et al., within 0.04 % of what the paper
   prints, and Hertz's stiffness from E, nu and the radius. The ball's weight acts during the contact; speed and
   restitution of each column are those that reproduce the paper's numbers: the speed that the printed force of
   Hertz's law implies, and the restitution inside its rounding (+-0.0005). */
#include "carom_test.h"

#include <math.h>

#include "support/runs.h"

#define ALLOWED 4e-4

typedef struct column {
    const char *specimen;
    double printed_speed, speed, printed_restitution, restitution;
} column;

static const column columns[4] = {{"C1", 0.094, 0.09294, 0.974, 0.9739},
                                  {"C1", 0.500, 0.50002, 0.955, 0.9547},
                                  {"C2", 0.094, 0.09295, 0.917, 0.9175},
                                  {"C2", 0.500, 0.50001, 0.757, 0.7567}};

typedef struct row {
    const char *law;
    double force[4]; /* printed [N] */
} row;

static const row table[8] = {{"hertz", {662.5, 4937.8, 657.5, 4899.9}},
                             {"hunt-crossley", {652.7, 4817.6, 630.6, 4496.4}},
                             {"herbert-mcwhannell", {652.4, 4812.8, 628.9, 4464.1}},
                             {"lee-wang", {657.4, 4874.3, 642.6, 4633.5}},
                             {"lankarani-nikravesh", {652.8, 4820.0, 631.5, 4522.3}},
                             {"gonthier", {649.5, 4780.2, 622.9, 4436.0}},
                             {"zhiying-qishao", {652.3, 4810.1, 627.8, 4444.0}},
                             {"flores", {651.8, 4805.2, 627.2, 4445.5}}};

static void open_specimen(free_run *run, const char *law, const column *c, double tolerance)
{
    run_sets sets = {0};
    run_set_word(&sets, "law", law);
    run_set_word(&sets, "specimen", c->specimen);
    run_set(&sets, "speed", c->speed);
    run_set(&sets, "e", c->restitution);
    run_open(run, "specimens.yaml", &sets, tolerance);
}

static void test_stiffness(void **state)
{
    (void)state;
    static const double stiffness[2] = {2.46137e10, 2.41444e10};
    margin m;
    margin_begin(&m, "Hertz's stiffness");
    for (size_t k = 0; k < 2; k++) {
        free_run run;
        carom_check check;
        open_specimen(&run, "hertz", &columns[2 * k], 0);
        assert_int_equal(carom_simulation_check(run.sim, &check), CAROM_OK);
        assert_int_equal(check.contact_count, 1);
        margin_add(&m, columns[2 * k].specimen, 0, check.contacts[0].stiffness, stiffness[k], 0.5e5);
        free_run_close(&run);
    }
    margin_end(&m);
}

static void test_choices(void **state)
{
    (void)state;
    for (size_t k = 0; k < 4; k++)
        assert_true(fabs(columns[k].restitution - columns[k].printed_restitution) <= 5.0001e-4);
}

static void forces(double tolerance)
{
    for (size_t r = 0; r < 8; r++) {
        char name[64];
        margin m;
        snprintf(name, sizeof name, "%s, %.0e", table[r].law, tolerance);
        margin_begin(&m, name);
        for (size_t k = 0; k < 4; k++) {
            free_run run;
            size_t count;
            open_specimen(&run, table[r].law, &columns[k], tolerance);
            free_run_to(&run, columns[k].speed / 9.81 + 1e-3);
            const carom_impact *i = carom_simulation_impacts(run.sim, &count);
            assert_int_equal(count, 1);
            margin_add(&m, columns[k].specimen, k, i->peak_force, table[r].force[k], ALLOWED * table[r].force[k]);
            margin_add(&m, "speed", k, i->v_in, columns[k].speed, 1e-6 * columns[k].speed);
            free_run_close(&run);
        }
        margin_end(&m);
    }
}

static void test_forces(void **state)
{
    (void)state;
    forces(1e-10);
    forces(1e-8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_stiffness), cmocka_unit_test(test_choices),
                                       cmocka_unit_test(test_forces)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
