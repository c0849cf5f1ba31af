/* What `carom check` says of free motions and redundant rows: as many as there are, by name, in both formulations. */
#include "carom_test.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "support/context.h"

static carom_simulation *simulate(const carom_model *model, const char *formulation)
{
    carom_run_def run = *carom_model_get_run(model, 0);
    carom_simulation_def def = carom_default_simulation_def();
    carom_simulation *sim = NULL;
    run.formulation = formulation;
    def.run_def = &run;
    if (carom_simulation_create(ctx, model, &def, &sim) != CAROM_OK)
        fail_msg("%s", carom_context_error(ctx));
    return sim;
}

static bool lists(const char *const *texts, size_t count, const char *text)
{
    for (size_t k = 0; k < count; k++)
        if (strcmp(texts[k], text) == 0)
            return true;
    return false;
}

/* The free motions of a model, in any order, the last NULL, and redundant rows by what they hold. */
static void expect(const char *text, const char *const *free, const char *const *held)
{
    static const char *const formulations[] = {"cartesian", "tree"};
    carom_model *model = NULL;
    if (carom_model_parse(ctx, "text.yaml", text, strlen(text), NULL, 0, &model) != CAROM_OK)
        fail_msg("%s", carom_context_error(ctx));
    for (int f = 0; f < 2; f++) {
        carom_simulation *sim = simulate(model, formulations[f]);
        carom_check check;
        size_t count = 0, rows = 0;
        assert_int_equal(carom_simulation_check(sim, &check), CAROM_OK);
        for (; free[count]; count++)
            if (!lists(check.free, check.free_count, free[count]))
                fail_msg("%s: not among the free motions, the first of which is %s", free[count], check.free[0]);
        assert_int_equal(check.free_count, count);
        assert_int_equal(check.free_count + check.free_whole, check.mobility);
        for (; held && held[rows]; rows++)
            if (!lists(check.redundant_held, check.redundant_count, held[rows]))
                fail_msg("%s: not what rows hold, the first %s", held[rows], check.redundant_held[0]);
        assert_int_equal(check.redundant_count, rows);
        carom_simulation_free(sim);
    }
    carom_model_free(model);
}

#define HEAD "carom: 1\ndimension: 3\ngravity: [0, 0, -9.81]\n"
#define RUN "run: {until: 1}\n"
#define BODY "mass: 1, inertia: [0.01, 0.01, 0.01]"

/* Crank, rod between two balls, rocker: the rod spins by itself. */
static void test_rod(void **state)
{
    (void)state;
    expect(HEAD "bodies:\n  crank: {" BODY ", at: [0, 0, 0.1]}\n"
                "  rod: {" BODY ", at: [0.3, 0.2, 0.2]}\n  rocker: {" BODY ", at: [0.6, 0.4, 0.1]}\n"
                "joints:\n  main: {type: revolute, between: [{ground: [0, 0, 0]}, crank], axis: [1, 0, 0]}\n"
                "  a: {type: spherical, between: [{crank: [0, 0, 0.1]}, {rod: [-0.3, -0.2, 0]}]}\n"
                "  b: {type: spherical, between: [{rod: [0.3, 0.2, 0]}, {rocker: [0, 0, 0.1]}]}\n"
                "  foot: {type: revolute, between: [{ground: [0.6, 0.4, 0]}, rocker], axis: [0, 1, 0]}\n" RUN,
           (const char *const[]){"'main' turns", "'rod' spins about the line through 'a' and 'b'", NULL}, NULL);
}

/* A door on two hinges: the second holds nothing that the first does not. */
static void test_door(void **state)
{
    (void)state;
    expect(
        HEAD
        "bodies: {door: {mass: 20, inertia: [5, 3, 2], at: [0.5, 0, 1]}}\n"
        "joints:\n  low: {type: revolute, between: [{ground: [0, 0, 0.2]}, {door: [-0.5, 0, -0.8]}], axis: [0, 0, 1]}\n"
        "  high: {type: revolute, between: [{ground: [0, 0, 1.8]}, {door: [-0.5, 0, 0.8]}], axis: [0, 0, 1]}\n" RUN,
        (const char *const[]){"'low' turns", NULL},
        (const char *const[]){"moving along x, held by 'low'", "moving along y, held by 'low'",
                              "moving along z, held by 'low'", "turning about x, held by 'low'",
                              "turning about y, held by 'low'", NULL});
}

/* Two bodies on a hinge in space, and one on its own; a slider on the ground, and a ball joint. */
static void test_groups(void **state)
{
    (void)state;
    expect(HEAD
           "bodies:\n  torso: {mass: 5, inertia: [1, 1, 1]}\n  arm: {" BODY ", at: [1, 0, 0]}\n"
           "  stone: {" BODY ", at: [5, 0, 0]}\n  cart: {" BODY ", at: [0, 5, 0]}\n"
           "  bob: {" BODY ", at: [0, 0, -5]}\n"
           "joints:\n  elbow: {type: revolute, between: [{torso: [0.5, 0, 0]}, {arm: [-0.5, 0, 0]}], axis: [0, 1, 0]}\n"
           "  rail: {type: translational, between: [ground, cart], axis: [1, 0, 0]}\n"
           "  ball: {type: spherical, between: [{ground: [0, 0, -4]}, {bob: [0, 0, 1]}]}\n" RUN,
           (const char *const[]){"'elbow' turns", "'rail' slides", "'ball' turns about x", "'ball' turns about y",
                                 "'ball' turns about z", "'torso' moves freely", "'stone' moves freely", NULL},
           NULL);
}

/* A truss of two bars cannot turn in its pins, and a wheel beside it can: what a motion prescribes is no reason. */
static void test_truss(void **state)
{
    (void)state;
    static const char text[] =
        "carom: 1\ndimension: 2\nbodies:\n  left: {mass: 1, inertia: 0.1, at: [0.5, 0.5], angle: 45*deg}\n"
        "  right: {mass: 1, inertia: 0.1, at: [1.5, 0.5], angle: 135*deg}\n"
        "  wheel: {mass: 1, inertia: 0.1, at: [5, 0]}\n"
        "joints:\n  foot: {type: revolute, between: [ground, {left: [-sqrt(0.5), 0]}]}\n"
        "  other: {type: revolute, between: [{ground: [2, 0]}, {right: [-sqrt(0.5), 0]}]}\n"
        "  top: {type: revolute, between: [{left: [sqrt(0.5), 0]}, {right: [sqrt(0.5), 0]}]}\n"
        "  axle: {type: revolute, between: [{ground: [5, 0]}, wheel], motion: 2*t}\nrun: {until: 1}\n";
    static const char *const stuck[] = {"'foot' cannot turn", "'other' cannot turn", "'top' cannot turn"};
    carom_model *model = NULL;
    carom_check check;
    if (carom_model_parse(ctx, "text.yaml", text, strlen(text), NULL, 0, &model) != CAROM_OK)
        fail_msg("%s", carom_context_error(ctx));
    carom_simulation *sim = simulate(model, "cartesian");
    assert_int_equal(carom_simulation_check(sim, &check), CAROM_OK);
    assert_int_equal(check.stuck_count, CAROM_COUNT(stuck));
    for (size_t k = 0; k < CAROM_COUNT(stuck); k++)
        assert_true(lists(check.stuck, check.stuck_count, stuck[k]));
    carom_simulation_free(sim);
    carom_model_free(model);
}

/* All of models/: each free motion has a name, and each redundant row an owner. */
static void test_models(void **state)
{
    (void)state;
    DIR *folder = opendir(CAROM_MODELS);
    assert_non_null(folder);
    int count = 0;
    for (struct dirent *entry = readdir(folder); entry; entry = readdir(folder)) {
        const size_t length = strlen(entry->d_name);
        char path[1024];
        carom_model *model = NULL;
        carom_check check;
        if (length < 5 || strcmp(entry->d_name + length - 5, ".yaml") != 0)
            continue;
        snprintf(path, sizeof path, "%s/%s", CAROM_MODELS, entry->d_name);
        if (carom_model_load(ctx, path, NULL, 0, &model) != CAROM_OK)
            fail_msg("%s", carom_context_error(ctx));
        carom_simulation_def def = carom_default_simulation_def();
        carom_simulation *sim = NULL;
        assert_int_equal(carom_simulation_create(ctx, model, &def, &sim), CAROM_OK);
        assert_int_equal(carom_simulation_check(sim, &check), CAROM_OK);
        if (check.free) {
            count++;
            if (check.free_count + check.free_whole != check.mobility ||
                (check.redundant_count > 0 && !check.redundant_held))
                fail_msg("%s: %zu and %zu motions named of %zu", entry->d_name, check.free_count, check.free_whole,
                         check.mobility);
        }
        carom_simulation_free(sim);
        carom_model_free(model);
    }
    closedir(folder);
    print_message("%d models\n", count);
    assert_true(count > 60);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rod),
        cmocka_unit_test(test_door),
        cmocka_unit_test(test_groups), cmocka_unit_test(test_truss),
        cmocka_unit_test(test_models),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
