/* Thin coins that roll on their edge on a box. One whose axis is level rolls on at its speed, K d^1.5 = m g/2 deep at
   either end of the line on which it lies, whatever its thickness and the way it is yawed against the box, and one that
   stands turns about the vertical. The speed is that of the arm a = R - d/2 of the friction, with the same angular
   momentum about the place of contact as at the start: v (m a + I/a) = v0 (m a + I/R). A leaning one moves as on a
   plane, whose places are others, but for the place of the friction: halfway in the indentation here, at the lowest
   point there. None takes many steps. */
#include "carom_test.h"

#include <math.h>
#include <stdio.h>

#include "base/base.h"
#include "support/runs.h"

#define BOX "{type: box, on: ground, at: [0, 0, -0.1], size: [4, 4, 0.2]}"
#define PLANE "{type: plane, on: ground, normal: [0, 0, 1]}"
#define MESH                                                                                                           \
    "{type: mesh, on: ground, at: [0, 0, -0.1], points: [[2, 2, 0.1], [-2, 2, 0.1], [2, -2, 0.1], [-2, -2, 0.1], "     \
    "[2, 2, -0.1], [-2, 2, -0.1], [2, -2, -0.1], [-2, -2, -0.1]]}"

typedef struct coin {
    double radius, length, rim, lean, yaw, speed, spin;
    const char *friction, *integrator;
} coin;

static void roll(free_run *run, const coin *c, const char *ground, double until)
{
    const double a = 0.5 * (0.5 * CAROM_PI - c->lean), y = 0.5 * c->yaw, turn = c->speed / c->radius;
    const double high = c->radius * sin(2 * a) + 0.5 * c->length * cos(2 * a);
    char text[2048];
    snprintf(text, sizeof text,
             "carom: 1\ndimension: 3\ngravity: [0, 0, -9.81]\n"
             "bodies: {c: {mass: 1, inertia: [0.003, 0.003, 0.003], at: [0, 0, %.17g], orientation: [%.17g, %.17g, "
             "%.17g, %.17g], velocity: [%.17g, %.17g, 0], angular_velocity: [%.17g, %.17g, %.17g]}}\n"
             "shapes:\n  c: {type: cylinder, on: c, radius: %g, length: %g, rim: %g}\n  g: %s\n"
             "contacts: {k: {between: [c, g], normal: {law: hunt-crossley, stiffness: 1e7, restitution: 0.3}, "
             "friction: {%s}}}\nrun: {until: %g}\n",
             high, cos(y) * cos(a), cos(y) * sin(a), sin(y) * sin(a), sin(y) * cos(a), c->speed * cos(2 * y),
             c->speed * sin(2 * y), -turn * sin(2 * y), turn * cos(2 * y), c->spin, c->radius, c->length, c->rim,
             ground, c->friction, until);
    free_run_parse(run, text, 1e-8, c->integrator);
    free_run_to(run, until);
}

#define COULOMB "law: coulomb, kinetic: 0.5"

static void test_level(void **state)
{
    (void)state;
    static const coin cases[] = {
        {0.05, 0.005, 0, 0, 0, 1, 0, COULOMB, NULL},
        {0.05, 0.005, 0, 0, 45 * CAROM_PI / 180, 1, 0, COULOMB, NULL},
        {0.05, 0.001, 0, 0, 0.2, 1, 0, COULOMB, NULL},
        {0.05, 0.005, 1e-3, 0, 0, 1, 0, COULOMB, NULL},
        {0.02, 0.002, 0, 0, 1, 0.5, 0, COULOMB, NULL},
        {0.05, 0.005, 0, 0, 0, 1, 0, COULOMB, "bdf"},
        {0.05, 0.005, 0, 0, 0.1, 1, 0, COULOMB, "dop853"},
        {0.05, 0.005, 0, 0, 0, 0, 10, COULOMB, NULL},
        {0.05, 0.006, 0, 0, 0, 1, 0, "law: karnopp, kinetic: 0.5", NULL},
        {0.05, 0.005, 0, 0, 0.3, 1, 0, "law: lugre, kinetic: 0.5", NULL},
        {0.05, 0.005, 0, 0, 0, 1, 0, "law: coulomb, kinetic: 0.3, static: 0.5", NULL},
    };
    const double depth = pow(9.81 / 2e7, 2. / 3);
    margin m;
    margin_begin(&m, "level coins");
    for (size_t k = 0; k < (size_t)CAROM_COUNT(cases); k++) {
        const coin *c = &cases[k];
        free_run run;
        roll(&run, c, k % 2 ? MESH : BOX, 0.4);
        const carom_body_state s = free_run_body(&run, "c");
        const double arm = c->radius - 0.5 * depth;
        const double way = 0.4 * c->speed * (arm + 0.003 / c->radius) / (arm + 0.003 / arm);
        margin_add(&m, "along", k, s.position[0] * cos(c->yaw) + s.position[1] * sin(c->yaw), way, 1e-5);
        margin_add(&m, "aside", k, s.position[1] * cos(c->yaw) - s.position[0] * sin(c->yaw), 0, 1e-6);
        margin_add(&m, "height", k, s.position[2], c->radius - depth, 1e-7);
        margin_add(&m, "steps", k, (double)carom_simulation_statistics(run.sim).steps, 0, 3000);
        free_run_close(&run);
    }
    margin_end(&m);
}

static void test_leaning(void **state)
{
    (void)state;
    static const coin cases[] = {
        {0.05, 0.005, 0, 5 * CAROM_PI / 180, 0, 1, 0, COULOMB, NULL},
        {0.05, 0.005, 0, 8 * CAROM_PI / 180, 0.5, 1, 2, COULOMB, NULL},
        {0.05, 0.003, 0, 12 * CAROM_PI / 180, 0, 1, 5, COULOMB, NULL},
        {0.05, 0.005, 1e-3, 5 * CAROM_PI / 180, 0, 1, 0, COULOMB, NULL},
        {0.05, 0.005, 0, 30 * CAROM_PI / 180, 0, 0, 15, COULOMB, NULL},
        {0.05, 0.005, 0, 5 * CAROM_PI / 180, 0, 1, 0, COULOMB, "bdf"},
    };
    margin m;
    margin_begin(&m, "leaning coins");
    for (size_t k = 0; k < (size_t)CAROM_COUNT(cases); k++) {
        free_run run[2];
        roll(&run[0], &cases[k], PLANE, 0.2);
        roll(&run[1], &cases[k], k % 2 ? MESH : BOX, 0.2);
        const carom_body_state plane = free_run_body(&run[0], "c"), face = free_run_body(&run[1], "c");
        for (int axis = 0; axis < 3; axis++)
            margin_add(&m, "place", k, face.position[axis], plane.position[axis], 1e-3);
        margin_add(&m, "ledger", k, carom_simulation_ledger(run[1].sim).residual_fraction, 0, 1e-8);
        margin_add(&m, "steps", k, (double)carom_simulation_statistics(run[1].sim).steps,
                   0, 4 * (double)carom_simulation_statistics(run[0].sim).steps);
        for (int b = 0; b < 2; b++)
            free_run_close(&run[b]);
    }
    margin_end(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_level), cmocka_unit_test(test_leaning)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
