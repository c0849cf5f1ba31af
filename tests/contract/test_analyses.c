/* Contract of analyses, over every row of their list; the assembly of all models; the motion as a simulation has it. */
#include "carom_test.h"

#include <dirent.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/context.h"

static double value_of(const carom_analysis *a, const char *name)
{
    double value = (double)NAN;
    if (carom_analysis_get(a, name, &value) != CAROM_OK)
        fail_msg("%s", carom_context_error(ctx));
    return value;
}

static carom_analysis *analyse(const carom_model *model, const char *name, double until)
{
    carom_run_def run = *carom_model_get_run(model, 0);
    carom_analysis_def def = carom_default_analysis_def();
    carom_analysis *a = NULL;
    run.analysis = name;
    if (until > 0)
        run.until = until;
    def.run_def = &run;
    if (carom_analysis_run(ctx, model, &def, &a) != CAROM_OK)
        fail_msg("%s of %s: %s", name, carom_model_get_info(model).name, carom_context_error(ctx));
    return a;
}

/* A crank turned by 0.7 rad from where it is guessed. */
static const char crank[] =
    "carom: 1\ndimension: 2\ngravity: [0, -9.81]\n"
    "bodies:\n"
    "  crank:  {mass: 0.3, inertia: 1e-4, at: [0.025, 0], frames: {root: [-0.025, 0], tip: [0.025, 0]}}\n"
    "  rod:    {mass: 0.2, inertia: 2e-5, at: [0.11, 0], frames: {root: [-0.06, 0], tip: [0.06, 0]}}\n"
    "  slider: {mass: 0.1, inertia: 1e-4, at: [0.17, 0]}\n"
    "joints:\n"
    "  main:  {type: revolute, between: [ground, crank.root], motion: 0.7 + 10*t}\n"
    "  pin:   {type: revolute, between: [crank.tip, rod.root]}\n"
    "  wrist: {type: revolute, between: [rod.tip, slider]}\n"
    "  guide: {type: translational, between: [ground, slider], axis: [1, 0]}\n"
    "  again: {type: translational, between: [ground, slider], axis: [1, 0]}\n"
    "run: {analysis: assembly}\n";

static carom_model *model_of(const char *text)
{
    carom_model *model = NULL;
    if (carom_model_parse(ctx, "text.yaml", text, strlen(text), NULL, 0, &model) != CAROM_OK)
        fail_msg("%s", carom_context_error(ctx));
    return model;
}

/* ---- what every analysis keeps ---- */

static void expect_quantities(const char *analysis, const carom_analysis_quantity *list, size_t count)
{
    for (size_t k = 0; k < count; k++) {
        assert_true(list[k].name && list[k].name[0] && list[k].unit && list[k].description &&
                    strlen(list[k].description) > 5);
        for (size_t i = 0; i < k; i++)
            if (strcmp(list[i].name, list[k].name) == 0)
                fail_msg("%s: two are called %s", analysis, list[k].name);
    }
}

static void test_contract(void **state)
{
    (void)state;
    carom_model *model = model_of(crank);
    size_t analyses;
    const char *const *names = carom_explain_names(ctx, "analyses", &analyses);
    assert_true(analyses >= 2);
    for (size_t n = 0; n < analyses; n++) {
        carom_analysis *a = analyse(model, names[n], 0.05);
        size_t quantities, tables, positions;
        const carom_analysis_quantity *list = carom_analysis_quantities(a, &quantities);
        const double *values = carom_analysis_values(a);
        const carom_analysis_table *table = carom_analysis_tables(a, &tables);
        assert_string_equal(carom_analysis_name(a), names[n]);
        expect_quantities(names[n], list, quantities);
        for (size_t k = 0; k < quantities; k++) {
            assert_true(isfinite(values[k]));
            assert_true(value_of(a, list[k].name) == values[k]);
        }
        for (size_t t = 0; t < tables; t++) {
            expect_quantities(names[n], table[t].columns, table[t].column_count);
            assert_ptr_equal(carom_analysis_find_table(a, table[t].name), &table[t]);
            for (size_t k = 0; k < table[t].row_count * table[t].column_count; k++)
                assert_true(!table[t].columns[k % table[t].column_count].unit[0] == (table[t].cells[k].text != NULL));
        }
        assert_null(carom_analysis_find_table(a, "nothing"));
        double unused;
        assert_int_equal(carom_analysis_get(a, "nothing", &unused), CAROM_ERROR_USAGE);
        assert_non_null(carom_state_positions(carom_analysis_state(a), &positions));
        assert_int_equal(positions, 9);
        carom_analysis_free(a);
        char *text;
        assert_int_equal(carom_explain(ctx, names[n], &text), CAROM_OK);
        for (size_t k = 0; k < quantities; k++)
            assert_non_null(strstr(text, list[k].name));
        carom_text_free(ctx, text);
    }
    carom_model_free(model);
}

static void test_names(void **state)
{
    (void)state;
    carom_model *model = model_of(crank);
    carom_run_def run = *carom_model_get_run(model, 0);
    carom_analysis_def def = carom_default_analysis_def();
    carom_simulation_def simulation = carom_default_simulation_def();
    carom_analysis *a;
    carom_simulation *sim;
    assert_false(carom_run_moves(&run));
    assert_false(carom_run_moves(NULL));
    /* an assembly is no motion, and the message says where that stands */
    assert_int_equal(carom_simulation_create(ctx, model, NULL, &sim), CAROM_ERROR_MODEL);
    assert_int_equal(carom_context_last_error(ctx).line, 14);
    run.analysis = "asembly";
    def.run_def = &run;
    assert_int_equal(carom_analysis_run(ctx, model, &def, &a), CAROM_ERROR_MODEL);
    assert_non_null(strstr(carom_context_error(ctx), "this version has: dynamics kinematics modes assembly"));
    assert_non_null(strstr(carom_context_error(ctx), "did you mean 'assembly'?"));
    simulation.run_def = &run;
    assert_int_equal(carom_simulation_create(ctx, model, &simulation, &sim), CAROM_ERROR_MODEL);
    def.run_def = NULL;
    def.run = 1;
    assert_int_equal(carom_analysis_run(ctx, model, &def, &a), CAROM_ERROR_USAGE);
    def.size = 0;
    assert_int_equal(carom_analysis_run(ctx, model, &def, &a), CAROM_ERROR_USAGE);
    run.analysis = NULL;
    assert_true(carom_run_moves(&run));
    carom_model_free(model);
}

/* ---- assembly ---- */

static void test_crank(void **state)
{
    (void)state;
    const double l = 0.05, r = 0.12, angle = 0.7, speed = 10;
    const double x = l * cos(angle) + sqrt(r * r - pow(l * sin(angle), 2));
    const double v = -l * speed * sin(angle) * (1 + l * cos(angle) / sqrt(r * r - pow(l * sin(angle), 2)));
    carom_model *model = model_of(crank);
    carom_analysis *a;
    assert_int_equal(carom_analysis_run(ctx, model, NULL, &a), CAROM_OK);
    assert_true(value_of(a, "coordinates") == 9 && value_of(a, "rows") == 11 && value_of(a, "rank") == 9);
    assert_true(value_of(a, "redundant") == 2 && value_of(a, "degrees_of_freedom") == 0);
    assert_true(fabs(value_of(a, "position_before") - 0.7) < 1e-15);
    assert_true(value_of(a, "position_residual") < 1e-13 && value_of(a, "velocity_residual") < 1e-12);
    const carom_analysis_table *redundant = carom_analysis_find_table(a, "redundant");
    assert_int_equal(redundant->row_count, 2);
    assert_string_equal(redundant->cells[0].text, "joint 'again', row 1");
    assert_string_equal(redundant->cells[1].text, "joint 'again', row 2");
    assert_int_equal(carom_analysis_find_table(a, "constraints")->row_count, 11);
    const carom_analysis_table *joints = carom_analysis_find_table(a, "joints");
    bool found = false;
    for (size_t k = 0; k < joints->row_count; k++) {
        const carom_analysis_cell *cell = &joints->cells[k * joints->column_count];
        if (strcmp(cell[0].text, "guide") != 0)
            continue;
        found = true;
        assert_string_equal(cell[1].text, "m");
        assert_true(fabs(cell[2].number - 0.17) < 1e-15 && fabs(cell[3].number - x) < 1e-13);
        assert_true(fabs(cell[4].number - v) < 1e-12);
    }
    assert_true(found);
    carom_analysis_free(a);
    carom_model_free(model);
}

/* The state is that in which a simulation of the model begins, to the last bit; so are rank, mobility and redundant
   rows. */
static void compare_with_simulation(const carom_model *model, const carom_analysis *a)
{
    const char *name = carom_model_get_info(model).name;
    carom_simulation *sim;
    carom_state *own;
    carom_check check;
    if (carom_simulation_create(ctx, model, NULL, &sim) != CAROM_OK) {
        /* an input drives a motion, and its time derivatives are needed */
        if (!strstr(carom_context_error(ctx), "time derivatives are needed"))
            fail_msg("%s: %s", name, carom_context_error(ctx));
        return;
    }
    assert_int_equal(carom_simulation_check(sim, &check), CAROM_OK);
    assert_int_equal(carom_state_create(ctx, model, &own), CAROM_OK);
    assert_int_equal(carom_simulation_get_state(sim, own), CAROM_OK);
    size_t n, m;
    const double *q = carom_state_positions(own, &n), *p = carom_state_positions(carom_analysis_state(a), &m);
    if (n != m || memcmp(q, p, n * sizeof *q) != 0)
        fail_msg("%s: positions differ", name);
    q = carom_state_velocities(own, &n);
    p = carom_state_velocities(carom_analysis_state(a), &m);
    if (n != m || memcmp(q, p, n * sizeof *q) != 0)
        fail_msg("%s: velocities differ", name);
    if (value_of(a, "rank") != (double)check.rank || value_of(a, "rows") != (double)check.rows)
        fail_msg("%s: rank %g of %g rows, in a check %zu of %zu", name, value_of(a, "rank"), value_of(a, "rows"),
                 check.rank, check.rows);
    assert_true(value_of(a, "degrees_of_freedom") == (double)check.mobility);
    const carom_analysis_table *redundant = carom_analysis_find_table(a, "redundant");
    assert_int_equal(redundant->row_count, check.redundant_count);
    for (size_t k = 0; k < check.redundant_count; k++)
        assert_string_equal(redundant->cells[k].text, check.redundant[k]);
    /* it may be given to the simulation, which finds nothing to assemble */
    carom_assembly report;
    carom_assembly_def def = carom_default_assembly_def();
    def.refuse = true;
    if (carom_simulation_set_state(sim, carom_analysis_state(a), &def, &report) != CAROM_OK)
        fail_msg("%s: %s", name, carom_context_error(ctx));
    carom_state_free(own);
    carom_simulation_free(sim);
}

static void test_all_models(void **state)
{
    (void)state;
    DIR *folder = opendir(CAROM_MODELS);
    assert_non_null(folder);
    int count = 0;
    for (const struct dirent *file; (file = readdir(folder)) != NULL;) {
        const char *ending = strrchr(file->d_name, '.');
        char path[512];
        carom_model *model;
        if (!ending || strcmp(ending, ".yaml") != 0)
            continue;
        snprintf(path, sizeof path, "%s/%s", CAROM_MODELS, file->d_name);
        if (carom_model_load(ctx, path, NULL, 0, &model) != CAROM_OK)
            fail_msg("%s", carom_context_error(ctx));
        carom_analysis *a = analyse(model, "assembly", 0);
        const carom_model_info info = carom_model_get_info(model);
        if (!(value_of(a, "position_residual") <= 1e-12 * fmax(1, info.length)) ||
            !(value_of(a, "coordinates") == (double)(info.bodies * (info.dimension == 3 ? 6 : 3))))
            fail_msg("%s: residual %g", file->d_name, value_of(a, "position_residual"));
        compare_with_simulation(model, a);
        carom_analysis_free(a);
        carom_model_free(model);
        count++;
    }
    closedir(folder);
    assert_true(count > 40);
}

/* ---- dynamics ---- */

static void test_motion(void **state)
{
    (void)state;
    carom_model *model;
    carom_simulation *sim;
    assert_int_equal(carom_model_load(ctx, CAROM_MODELS "/bouncing_ball.yaml", NULL, 0, &model), CAROM_OK);
    carom_analysis *a;
    assert_int_equal(carom_analysis_run(ctx, model, NULL, &a), CAROM_OK);
    assert_int_equal(carom_simulation_create(ctx, model, NULL, &sim), CAROM_OK);
    assert_int_equal(carom_simulation_run(sim), CAROM_OK);
    size_t impacts;
    const carom_impact *list = carom_simulation_impacts(sim, &impacts);
    const carom_analysis_table *table = carom_analysis_find_table(a, "impacts");
    assert_true(impacts > 0);
    assert_int_equal(table->row_count, impacts);
    for (size_t k = 0; k < impacts; k++) {
        const carom_analysis_cell *row = &table->cells[k * table->column_count];
        for (size_t c = 0; c < table->column_count; c++) {
            if (strcmp(table->columns[c].name, "onset") == 0)
                assert_true(row[c].number == list[k].onset);
            if (strcmp(table->columns[c].name, "peak_force") == 0)
                assert_true(row[c].number == list[k].peak_force);
        }
        assert_string_equal(row[0].text, list[k].contact);
    }
    assert_true(value_of(a, "time") == carom_simulation_time(sim));
    carom_body_state now;
    assert_int_equal(carom_simulation_body(sim, 0, &now), CAROM_OK);
    const carom_analysis_table *bodies = carom_analysis_find_table(a, "bodies");
    assert_string_equal(bodies->cells[1 * bodies->column_count + 1].text, "y");
    assert_true(bodies->cells[1 * bodies->column_count + 4].number == now.position[1]);
    assert_true(bodies->cells[1 * bodies->column_count + 5].number == now.velocity[1]);
    carom_simulation_free(sim);
    carom_analysis_free(a);
    carom_model_free(model);
}

/* A motion in two runs, the second of which begins where the first ended, is that of one run; and what is refused. */
static void test_start(void **state)
{
    (void)state;
    static const char *const wrong[] = {"{start: previous, until: 1}", "[{until: 1}, {start: previous, until: 0.5}]",
                                        "[{until: 1}, {analysis: assembly, start: before}]"};
    static const char ball[] = "carom: 1\ndimension: 2\ngravity: [0, -9.81]\n"
                               "bodies: {ball: {mass: 1, inertia: 0.1, at: [0, 1]}}\nrun: ";
    char text[512];
    for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++) {
        carom_model *none = NULL;
        snprintf(text, sizeof text, "%s%s\n", ball, wrong[k]);
        assert_int_equal(carom_model_parse(ctx, "text.yaml", text, strlen(text), NULL, 0, &none), CAROM_ERROR_MODEL);
        assert_non_null(strstr(carom_context_error(ctx), "text.yaml:5:"));
        carom_model_free(none);
    }
    snprintf(text, sizeof text,
             "%s[{until: 0.3}, {until: 1, start: previous}, {until: 1}, {analysis: assembly, start: previous}]\n",
             ball);
    carom_model *model = model_of(text);
    carom_analysis *a[3];
    for (size_t k = 0; k < 3; k++) {
        carom_analysis_def def = carom_default_analysis_def();
        def.run = k;
        def.state = k == 1 ? carom_analysis_state(a[0]) : NULL;
        if (carom_analysis_run(ctx, model, &def, &a[k]) != CAROM_OK)
            fail_msg("%s", carom_context_error(ctx));
    }
    const double *parts = carom_state_velocities(carom_analysis_state(a[1]), NULL);
    const double *whole = carom_state_velocities(carom_analysis_state(a[2]), NULL);
    printf("speed after two runs %.12g, after one %.12g\n", parts[1], whole[1]);
    assert_true(fabs(parts[1] + 9.81) < 1e-9 && fabs(whole[1] + 9.81) < 1e-9);
    assert_true(value_of(a[1], "time") == 1);
    carom_analysis *refused = NULL;
    carom_analysis_def def = carom_default_analysis_def();
    def.run = 1;
    assert_int_equal(carom_analysis_run(ctx, model, &def, &refused), CAROM_ERROR_USAGE);
    def.run = 3;
    def.state = carom_analysis_state(a[1]);
    assert_int_equal(carom_analysis_run(ctx, model, &def, &refused), CAROM_ERROR_MODEL);
    for (size_t k = 0; k < 3; k++)
        carom_analysis_free(a[k]);
    carom_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_contract),   cmocka_unit_test(test_names),  cmocka_unit_test(test_crank),
        cmocka_unit_test(test_all_models), cmocka_unit_test(test_motion), cmocka_unit_test(test_start),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
