/* Two equal free cans meet side by side in the middle, their axes at a small angle: the contact lies on the line of
   centres, so that the law's restitution e alone tells the velocities, (1 - e)/2 and (1 + e)/2 of that before, and
   nothing turns. Their ends lie over each other in a narrow lens, with the length of the cans for a depth, and bear
   nothing. */
#include "carom_test.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/base.h"
#include "model/model.h"
#include "support/runs.h"

#define SPEED 0.1
#define E 0.3

static const char *const cans =
    "carom: 1\ndimension: 3\ngravity: [0, 0, 0]\nparameters: {r: 0.05, L: 0.3, moment: (3*r^2 + L^2)/12}\n"
    "bodies:\n"
    "  a: {mass: 1, inertia: [moment, moment, r^2/2], at: [0, -r-0.001, 0], orientation: {axis: [0, 1, 0], "
    "angle: 90*deg}, velocity: [0, 0.1, 0]}\n"
    "  b: {mass: 1, inertia: [moment, moment, r^2/2], at: [0, r, 0], orientation: {axis: [0, 1, 0], angle: %g*deg}}\n"
    "shapes:\n  a: {type: cylinder, on: a, radius: r, length: L}\n  b: {type: cylinder, on: b, radius: r, length: L}\n"
    "contacts: {k: {between: [a, b], normal: {law: exact, stiffness: %g, restitution: 0.3}}}\nrun: {until: 0.1}\n";

static void test_cans(void **state)
{
    (void)state;
    static const struct {
        double angle, stiffness;
    } cases[] = {{5, 1e5}, {1, 1e6}, {5, 1e8}, {30, 1e5}, {90, 1e6}};
    margin m;
    margin_begin(&m, "cans side by side");
    for (size_t k = 0; k < (size_t)CAROM_COUNT(cases); k++) {
        char text[2048];
        snprintf(text, sizeof text, cans, 90 + cases[k].angle, cases[k].stiffness);
        free_run run;
        free_run_parse(&run, text, 1e-8, NULL);
        free_run_to(&run, 0.1);
        const carom_body_state a = free_run_body(&run, "a"), b = free_run_body(&run, "b");
        margin_add(&m, "first", k, a.velocity[1], 0.5 * (1 - E) * SPEED, 1e-8);
        margin_add(&m, "second", k, b.velocity[1], 0.5 * (1 + E) * SPEED, 1e-8);
        for (int axis = 0; axis < 3; axis++)
            margin_add(&m, "spin", k, fmax(fabs(a.angular_velocity[axis]), fabs(b.angular_velocity[axis])), 0, 1e-8);
        size_t count;
        const carom_impact *impacts = carom_simulation_impacts(run.sim, &count);
        margin_add(&m, "impacts", k, (double)count, 1, 0.5);
        margin_add(&m, "depth", k, count > 0 ? impacts[0].max_indentation : HUGE_VAL, 0, 1e-3);
        margin_add(&m, "ledger", k, carom_simulation_ledger(run.sim).residual_fraction, 0, 1e-8);
        free_run_close(&run);
    }
    margin_end(&m);
}

/* A cube tumbles along a lying cylinder 3 m long that goes on far beyond it. With all its energy T in the motion no
   point of the cube is faster than sqrt(2 T (1/m + rho^2/I)), rho the half of its diagonal: nothing may touch faster,
   whatever the far ends of the cylinder do against the plane of a face. */
static void test_long_line(void **state)
{
    (void)state;
    free_run run;
    free_run_parse(&run,
                   "carom: 1\ndimension: 3\ngravity: [0, 0, -9.81]\nparameters: {a: 0.1}\n"
                   "bodies: {b: {mass: 1, inertia: [a^2/6, a^2/6, a^2/6], at: [0, 0, 0.12], orientation: {axis: [1, "
                   "0.3, 0], angle: 0.5}, velocity: [0.3, 0, 0], angular_velocity: [1, 2, 3]}}\n"
                   "shapes:\n  b: {type: box, on: b, size: [a, a, a]}\n"
                   "  p: {type: cylinder, on: ground, at: [0.05, 0.5, -0.2], orientation: {axis: [1, 0, 0], angle: "
                   "90*deg}, radius: 0.2, length: 3}\n"
                   "contacts: {k: {between: [p, b], normal: {law: exact, stiffness: 1e7, restitution: 0.5}, friction: "
                   "{law: coulomb, kinetic: 0.3}}}\nrun: {until: 0.3}\n",
                   1e-8, NULL);
    free_run_to(&run, 0.3);
    const double inertia = 0.01 / 6, half = 0.05, energy = 0.5 * 0.09 + 0.5 * inertia * 14 + 9.81 * (0.12 - half);
    const double fastest = sqrt(2 * energy * (1 + 3 * half * half / inertia));
    size_t count;
    const carom_impact *impacts = carom_simulation_impacts(run.sim, &count);
    assert_true(count > 3);
    for (size_t k = 0; k < count; k++)
        assert_true(impacts[k].v_in < fastest);
    const double residual = carom_simulation_ledger(run.sim).residual_fraction;
    print_message("a cube on a long cylinder: %zu impacts, residual %.1e\n", count, residual);
    /* by the rounding of the build its bounces, which are chaotic, come to edges or do not: 2.4e-9, or 2e-4 */
    assert_true(fabs(residual) < 1e-3);
    free_run_close(&run);
}

/* Which solids are nearest along a line as they start is told by the axes alone: parallel ones lie on each other along
   it, those a degree apart do not, and a tube has two points for what lies in it. Cylinders in the place of tubes
   beside each other, and of the inner one of two, bear at both ends: the remedy names them. */
static void test_line_told(void **state)
{
    (void)state;
    static const struct {
        const char *i, *j;
        double angle;
        const char *instead; /* the remedy that is told; NULL: nothing is */
    } cases[] = {{"cylinder, length: 0.3, radius: 0.05", "cylinder, length: 0.2, radius: 0.04", 0, NULL},
                 {"cylinder, length: 0.3, radius: 0.05", "cylinder, length: 0.2, radius: 0.04", 1, NULL},
                 {"capsule, from: [0, 0, -0.1], to: [0, 0, 0.1], radius: 0.05",
                  "cylinder, length: 0.2, radius: 0.04", 0, NULL},
                 {"cylinder, length: 0.3, radius: 0.2, hollow: true", "cylinder, length: 0.1, radius: 0.04", 0,
                  "take a tube for"},
                 {"tube, length: 0.3, bore: 0.2, radius: 0.21", "cylinder, length: 0.1, radius: 0.04", 0, NULL},
                 {"tube, length: 0.3, bore: 0.02, radius: 0.05", "tube, length: 0.2, bore: 0.02, radius: 0.04", 0,
                  "take cylinders for tubes"},
                 {"tube, length: 0.3, bore: 0.2, radius: 0.21", "tube, length: 0.2, bore: 0.02, radius: 0.04", 0,
                  "take cylinders for tubes"},
                 {"box, size: [0.1, 0.1, 0.3]", "cylinder, length: 0.1, radius: 0.04", 0, NULL},
                 {"box, size: [0.12, 0.2, 0.2]", "cylinder, length: 0.3, radius: 0.04", 0, NULL},
                 {"box, size: [0.12, 0.2, 0.2]", "capsule, from: [0, 0, -0.2], to: [0, 0, 0.2], radius: 0.04", 0,
                  NULL}};
    for (size_t k = 0; k < (size_t)CAROM_COUNT(cases); k++) {
        char text[2048];
        snprintf(text, sizeof text,
                 "carom: 1\ndimension: 3\ngravity: [0, 0, 0]\n"
                 "bodies: {b: {mass: 1, inertia: [1, 1, 1], at: [0.1, 0, 0], orientation: {axis: [1, 0, 0], angle: "
                 "%g*deg}}}\nshapes:\n  i: {type: %s, on: ground}\n  j: {type: %s, on: b}\n"
                 "contacts: {k: {between: [i, j], normal: {law: hunt-crossley, stiffness: 1e6, restitution: 0.5}}}\n"
                 "run: {until: 0.1}\n",
                 cases[k].angle, cases[k].i, cases[k].j);
        bool told = false;
        carom_context *ctx;
        carom_document *document;
        carom_model *model;
        assert_int_equal(carom_context_create(NULL, &ctx), CAROM_OK);
        assert_int_equal(carom_document_parse(ctx, "test.yaml", text, strlen(text), NULL, 0, &document), CAROM_OK);
        assert_int_equal(carom_model_compile(ctx, carom_document_spec(document), &model), CAROM_OK);
        carom_document_free(document);
        for (int n = 0; n < model->warning_count; n++)
            if (model->ignored[n].code == CAROM_WARN_LINE) {
                told = true;
                if (!cases[k].instead || !strstr(model->ignored[n].text, cases[k].instead))
                    fail_msg("%s and %s: %s", cases[k].i, cases[k].j, model->ignored[n].text);
            }
        carom_model_free(model);
        carom_context_free(ctx);
        if (told != (cases[k].instead != NULL))
            fail_msg("%s and %s", cases[k].i, cases[k].j);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cans),
        cmocka_unit_test(test_long_line),
        cmocka_unit_test(test_line_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
