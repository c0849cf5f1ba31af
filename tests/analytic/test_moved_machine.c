/* A machine that stands elsewhere in the world is the same machine: its length, what follows from that without being
   given (tolerances, the stiffness of a stop), and its motion. */
#include "carom_test.h"

#include <math.h>

#include "base/base.h"
#include "support/free_runs.h"

static const double places[] = {0, 0.5, -10, 100, 1e4};

/* Replaces each <X+a>, <X>, <X-a> of a model by its number. */
static void move(const char *text, double x, char *out, size_t size)
{
    size_t used = 0;
    for (; *text && used + 40 < size; text++) {
        if (text[0] != '<') {
            out[used++] = *text;
            continue;
        }
        const double offset = text[2] == '>' ? 0 : strtod(text + 2, NULL);
        used += (size_t)snprintf(out + used, size - used, "%.17g", x + offset);
        text = strchr(text, '>');
    }
    out[used] = '\0';
    assert_true(!*text);
}

#define HEAD "carom: 1\ndimension: 2\n"

/* Without gravity a stop of default stiffness is made for m v^2/2 at the speed v of the start, and is pressed in by
   d = L/100: the greatest force is m v^2/d, with the length L = 0.5 from the rail to the cart 200. */
static void test_stop(void **state)
{
    (void)state;
    for (size_t k = 0; k < CAROM_COUNT(places); k++) {
        char text[1000];
        size_t count;
        free_run run;
        move(HEAD "bodies:\n  cart: {mass: 1, inertia: 0.02, at: [<X+0.5>, 0], velocity: [1, 0]}\n"
                  "joints:\n  rail: {type: translational, between: [{ground: [<X>, 0]}, cart], axis: [1, 0], "
                  "limits: {lower: 0.4, upper: 2.6, damping: 0}}\nrun: {until: 4}\n",
             places[k], text, sizeof text);
        free_run_parse(&run, text, 1e-10, NULL);
        free_run_to(&run, 4);
        const carom_fired_event *row = carom_simulation_fired_events(run.sim, &count);
        assert_true(count >= 2);
        printf("at %g m: peak %.9g N, depth %.9g m\n", places[k], row[1].peak, row[1].depth);
        assert_true(fabs(fabs(row[1].peak) / 200 - 1) < 1e-4 && fabs(fabs(row[1].depth) / 0.005 - 1) < 1e-4);
        free_run_close(&run);
    }
}

/* The length is that of the machine: of what stands on the ground and the bodies the diagonal of the box that holds it,
   arms of joints, radii of shapes and heights above planes where these are larger. */
static void test_length(void **state)
{
    (void)state;
    const struct {
        const char *text;
        double length;
    } cases[] = {
        {HEAD "bodies:\n  b: {mass: 1, inertia: 0.09, at: [<X>, 0.7], angular_velocity: 1}\n", 0.3},
        {HEAD "bodies:\n  b: {mass: 1, inertia: 0.09, at: [<X+0.3>, 0.4]}\n"
              "joints:\n  j: {type: revolute, between: [{ground: [<X>, 0]}, {b: [-0.3, -0.4]}]}\n",
         0.5},
        {HEAD "bodies:\n  b: {mass: 1, inertia: 0.09, at: [<X>, 0]}\n"
              "loads:\n  s: {type: spring, between: [{ground: [<X-1.5>, 2]}, b], stiffness: 1, length: 1}\n",
         2.5},
        {HEAD "bodies:\n  b: {mass: 1, inertia: 0.09, at: [<X>, 3.5]}\n"
              "shapes:\n  floor: {type: plane, on: ground, at: [0, 0.5], normal: [0, 1]}\n"
              "  ball: {type: sphere, on: b, radius: 0.1}\n",
         3},
        {HEAD "bodies:\n  b: {mass: 1, inertia: 0.09, at: [<X>, -0.4]}\n"
              "shapes:\n  bowl: {type: sphere, on: ground, at: [<X>, 0], radius: -0.5}\n",
         0.4},
        {HEAD "bodies:\n  b: {mass: 1, inertia: 0.09, at: [<X>, 0]}\n"
              "shapes:\n  step: {type: polygon, on: ground, "
              "points: [[<X-3>, -4], [<X+3>, -4], [<X+3>, 4], [<X-3>, 4]]}\n",
         5},
    };
    for (size_t c = 0; c < CAROM_COUNT(cases); c++)
        for (size_t k = 0; k < CAROM_COUNT(places); k++) {
            char text[1000];
            carom_context *ctx = new_context();
            move(cases[c].text, places[k], text, sizeof text - 30);
            strcat(text, "run: {until: 1}\n");
            carom_model *model = new_model(ctx, text);
            const double length = carom_model_get_info(model).length;
            printf("%zu at %g m: length %.12g\n", c, places[k], length);
            assert_true(fabs(length / cases[c].length - 1) < 1e-10);
            carom_model_free(model);
            carom_context_free(ctx);
        }
}

/* A crank that falls and drives a slider onto a stop, at default tolerance: the motion, and the work that it takes. */
static void test_motion(void **state)
{
    (void)state;
    double angle = 0, steps = 0;
    for (size_t k = 0; k < CAROM_COUNT(places); k++) {
        char text[1500];
        free_run run;
        move(HEAD "gravity: [0, -9.81]\nbodies:\n  crank: {mass: 1, inertia: 0.01, at: [<X+0.06>, 0.08]}\n"
                  "  rod: {mass: 1, inertia: 0.02, at: [<X+0.27>, 0.08]}\n"
                  "  slide: {mass: 2, inertia: 0.01, at: [<X+0.42>, 0]}\n"
                  "joints:\n  a: {type: revolute, between: [{ground: [<X>, 0]}, {crank: [-0.06, -0.08]}]}\n"
                  "  b: {type: revolute, between: [{crank: [0.06, 0.08]}, {rod: [-0.15, 0.08]}]}\n"
                  "  c: {type: revolute, between: [{rod: [0.15, -0.08]}, slide]}\n"
                  "  d: {type: translational, between: [{ground: [<X>, 0]}, slide], axis: [1, 0]}\n"
                  "run: {until: 2}\n",
             places[k], text, sizeof text);
        free_run_parse(&run, text, 1e-8, "dopri5");
        free_run_to(&run, 2);
        const double found = free_run_get(&run, "joint.a.coordinate");
        const double taken = (double)carom_simulation_statistics(run.sim).steps;
        angle = k ? angle : found;
        steps = k ? steps : taken;
        printf("at %g m: angle %.12g, %g steps\n", places[k], found, taken);
        assert_true(fabs(found - angle) < 1e-7);
        /* farther away rounding of the places is a part of the errors */
        assert_true(fabs(taken / steps - 1) < 0.1 || places[k] > 100);
        free_run_close(&run);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stop),
        cmocka_unit_test(test_length),
        cmocka_unit_test(test_motion),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
