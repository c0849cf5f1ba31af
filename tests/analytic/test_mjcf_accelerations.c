/* Ten robots in MJCF against MuJoCo 2.2.2: accelerations of all bodies at a state of a keyframe. The file
   tests/data/robots/accelerations.txt has them from mj_forward without contacts, limits and friction, equalities of
   joints as exact constraints: hand and linkages with tendons, floating crane with cables, humanoid with several joints
   a body, drone with forces on sites, quadruped of included files. */
#include "carom_test.h"

#include <math.h>

#include "support/free_runs.h"

#define ROBOTS CAROM_TEST_DATA "/robots/"

static void open_in(free_run *run, const char *robot, const char *formulation)
{
    char text[1000];
    snprintf(text, sizeof text,
             "carom: 1\ndimension: 3\ngravity: [0, 0, -9.81]\ninclude: {file: \"%s%s\", keyframe: k}\n"
             "run: {until: 1, formulation: %s}\n",
             ROBOTS, robot, formulation);
    free_run_parse(run, text, 1e-10, NULL);
    /* branches of clamps are chosen where the run begins */
    free_run_to(run, 1e-10);
}

static double compare(free_run *run, const char *body, const double *is, double scale)
{
    static const char *const channels[] = {"acceleration", "angular_acceleration"};
    double worst = 0;
    for (int k = 0; k < 6; k++) {
        char name[200];
        snprintf(name, sizeof name, "body.%s.%s.%c", body, channels[k / 3], "xyz"[k % 3]);
        worst = fmax(worst, fabs(free_run_get(run, name) - is[k]) / scale);
    }
    return worst;
}

/* Largest difference of a robot's accelerations, of the largest of them. */
static double check_robot(const char *robot, const char *formulation)
{
    char line[500], file[100], body[100];
    double is[6], scale = 1, worst = 0;
    size_t bodies = 0;
    free_run run;
    open_in(&run, robot, formulation);
    for (int pass = 0; pass < 2; pass++) {
        FILE *numbers = fopen(ROBOTS "accelerations.txt", "r");
        assert_non_null(numbers);
        while (fgets(line, sizeof line, numbers)) {
            if (*line == '#' ||
                sscanf(line, "%99s %99s %lf %lf %lf %lf %lf %lf", file, body, &is[0], &is[1], &is[2], &is[3], &is[4],
                       &is[5]) != 8 ||
                strcmp(file, robot) != 0)
                continue;
            for (int k = 0; k < 6; k++)
                scale = fmax(scale, fabs(is[k]));
            if (pass) {
                worst = fmax(worst, compare(&run, body, is, scale));
                bodies++;
            }
        }
        fclose(numbers);
    }
    assert_true(bodies > 1);
    free_run_close(&run);
    return worst;
}

static void test_robots(void **state)
{
    (void)state;
    /* Links between joints of a body have 1e-6 of its inertia, which the ratio of inertias along a leg multiplies; the
       others differ by rounding, and by what accelerations change within 1e-10 s. */
    static const struct {
        const char *name;
        double tolerance;
    } robots[] = {{"cartpole.xml", 1e-8}, {"quadruped.xml", 1e-6}, {"humanoid.xml", 3e-5}, {"hand.xml", 1e-6},
                  {"arm.xml", 1e-6},      {"car.xml", 1e-6},       {"crane.xml", 1e-5},    {"walker.xml", 1e-5},
                  {"drone.xml", 1e-5},    {"equal.xml", 1e-8}};
    static const char *const formulations[] = {"tree", "cartesian"};
    for (size_t k = 0; k < sizeof robots / sizeof robots[0]; k++)
        for (int f = 0; f < 2; f++) {
            const double worst = check_robot(robots[k].name, formulations[f]);
            print_message("%-14s %-9s %.1e\n", robots[k].name, formulations[f], worst);
            assert_true(worst < robots[k].tolerance);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_robots)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
