/* Superellipsoids on a face of a box or mesh. With exponents below 1 their poles are flat, where the equations of the
   common normal tell no place; the point of support does, as on a plane: at rest they lie K d^1.5 = m g deep, whatever
   is below, and without friction they tumble on a face as on a plane, whose gap is another function. */
#include "carom_test.h"

#include <math.h>
#include <stdio.h>

#include "base/base.h"
#include "support/runs.h"

#define PLANE "{type: plane, on: ground, normal: [0, 0, 1]}"
#define BOX "{type: box, on: ground, at: [0, 0, -0.1], size: [1, 1, 0.2]}"
#define ROUND_BOX "{type: box, on: ground, at: [0, 0, -0.1], size: [1, 1, 0.2], edge: 0.02}"
#define MESH                                                                                                           \
    "{type: mesh, on: ground, at: [0, 0, -0.1], points: [[0.5, 0.5, 0.1], [-0.5, 0.5, 0.1], [0.5, -0.5, 0.1], "        \
    "[-0.5, -0.5, 0.1], [0.5, 0.5, -0.1], [-0.5, 0.5, -0.1], [0.5, -0.5, -0.1], [-0.5, -0.5, -0.1]]}"

static void parse(free_run *run, const char *ground, const char *between, double e1, double e2, const char *start,
                  const char *friction, const char *integrator)
{
    char text[2048];
    snprintf(text, sizeof text,
             "carom: 1\ndimension: 3\ngravity: [0, 0, -9.81]\n"
             "bodies: {s: {mass: 1, inertia: [0.003, 0.003, 0.003], %s}}\n"
             "shapes:\n  s: {type: superellipsoid, on: s, half_axes: [0.06, 0.07, 0.08], e1: %g, e2: %g}\n  b: %s\n"
             "contacts: {c: {between: %s, normal: {law: hunt-crossley, stiffness: 1e7, restitution: 0.3}%s}}\n"
             "run: {until: 0.5}\n",
             start, e1, e2, ground, between, friction);
    free_run_parse(run, text, 1e-8, integrator);
}

static void test_rest(void **state)
{
    (void)state;
    static const char *const grounds[] = {BOX, ROUND_BOX, MESH}, *const between[] = {"[s, b]", "[b, s]"};
    static const char *const frictions[] = {"", ", friction: {law: coulomb, kinetic: 0.5}",
                                            ", friction: {law: lugre, kinetic: 0.5}"};
    margin m;
    margin_begin(&m, "superellipsoids at rest");
    for (size_t k = 0; k < 12; k++) {
        free_run run;
        parse(&run, grounds[k % 3], between[k % 2], 0.5, k < 6 ? 0.5 : 0.3, "at: [0, 0, 0.08]", frictions[k / 2 % 3],
              NULL);
        free_run_to(&run, 0.5);
        const carom_body_state s = free_run_body(&run, "s");
        margin_add(&m, "height", k, s.position[2], 0.08 - pow(9.81 / 1e7, 2. / 3), 1e-9);
        margin_add(&m, "aside", k, hypot(s.position[0], s.position[1]), 0, 1e-12);
        margin_add(&m, "steps", k, (double)carom_simulation_statistics(run.sim).steps, 0, 300);
        assert_false(free_run_is_told(&run, "W52"));
        free_run_close(&run);
    }
    margin_end(&m);
}

static void test_tumble(void **state)
{
    (void)state;
    static const char *const grounds[] = {BOX, MESH, ROUND_BOX, BOX};
    static const double e[][2] = {{0.5, 0.5}, {0.3, 0.8}, {1.5, 0.8}, {1, 1}};
    const char *const start = "at: [0, 0, 0.09], velocity: [0.3, 0.1, 0], orientation: {axis: [1, 0.3, 0], angle: "
                              "12*deg}, angular_velocity: [1, 2, 3]";
    margin m;
    margin_begin(&m, "superellipsoids on faces and planes");
    for (size_t k = 0; k < 4; k++) {
        free_run run[2];
        parse(&run[0], PLANE, "[s, b]", e[k][0], e[k][1], start, "", NULL);
        parse(&run[1], grounds[k], k % 2 ? "[b, s]" : "[s, b]", e[k][0], e[k][1], start, "", NULL);
        for (int b = 0; b < 2; b++)
            free_run_to(&run[b], 0.2);
        const carom_body_state plane = free_run_body(&run[0], "s"), face = free_run_body(&run[1], "s");
        for (int axis = 0; axis < 3; axis++) {
            margin_add(&m, "place", k, face.position[axis], plane.position[axis], 1e-9);
            margin_add(&m, "spin", k, face.angular_velocity[axis], plane.angular_velocity[axis], 1e-8);
        }
        for (int b = 0; b < 2; b++)
            free_run_close(&run[b]);
    }
    margin_end(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rest), cmocka_unit_test(test_tumble)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
