/* A torus or a tube on the face of a box moves as on a plane, and so does a box on a torus; a cone on its side rests on
   both ends of the line, as the levers of its weight tell. */
#include "carom_test.h"

#include <math.h>

#include "base/base.h"
#include "support/free_runs.h"

#define ON                                                                                                             \
    "carom: 1\ndimension: 3\ngravity: [0, 0, -9.81]\nbodies:\n"                                                        \
    "  a: {mass: 1, inertia: [0.003, 0.003, 0.003], at: [0, 0, %s]%s}\n"                                               \
    "shapes:\n  a: {%s, on: a}\n  g: {%s, on: ground}\n"                                                               \
    "contacts: {s: {between: [%s], normal: {law: %s}%s}}\nrun: {until: 1}\n"
#define BOX "type: box, at: [0, 0, -0.1], size: [1, 1, 0.2]"
#define PLANE "type: plane, normal: [0, 0, 1]"
#define ELASTIC "hertz, stiffness: 1e7"
#define DAMPED "hunt-crossley, stiffness: 1e7, restitution: 0.3"
#define ROUGH ", friction: {law: coulomb, kinetic: 0.5}"

static void open_on(free_run *run, const char *at, const char *motion, const char *shape, const char *ground,
                    const char *between, const char *law, const char *friction)
{
    char text[1600];
    snprintf(text, sizeof text, ON, at, motion, shape, ground, between, law, friction);
    free_run_parse(run, text, 1e-10, NULL);
}

static void test_as_on_a_plane(void **state)
{
    (void)state;
    static const struct {
        const char *at, *motion, *shape;
        double until;
    } cases[] = {
        {"0.05", ", orientation: {axis: [1, 0.3, 0], angle: 0.2}", "type: torus, radius: 0.1, tube: 0.02", 0.2},
        {"0.08", ", orientation: {axis: [1, 0.3, 0], angle: 0.5}, velocity: [0.2, 0, 0]",
         "type: tube, bore: 0.05, radius: 0.06, length: 0.1", 0.2},
        {"0.0502", ", orientation: {axis: [1, 0.3, 0], angle: 5e-5}",
         "type: tube, bore: 0.05, radius: 0.06, length: 0.1, rim: 0.002", 0.2},
        {"0.061", ", orientation: {axis: [1, 0, 0], angle: pi/2}, angular_velocity: [0, 5, 0]",
         "type: tube, bore: 0.05, radius: 0.06, length: 0.1", 0.2},
        {"0.12", ", orientation: {axis: [1, 0, 0], angle: pi/2}, velocity: [1, 0, 0]",
         "type: torus, radius: 0.1, tube: 0.02", 0.3},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        free_run box, plane;
        const char *law = k % 2 || k == 4 ? DAMPED : ELASTIC;
        open_on(&box, cases[k].at, cases[k].motion, cases[k].shape, BOX, k % 2 ? "a, g" : "g, a", law, "");
        open_on(&plane, cases[k].at, cases[k].motion, cases[k].shape, PLANE, "a, g", law, "");
        free_run_to(&box, cases[k].until);
        free_run_to(&plane, cases[k].until);
        const carom_body_state a = free_run_body(&box, "a"), b = free_run_body(&plane, "a");
        double off = 0;
        for (int c = 0; c < 3; c++) {
            off = fmax(off, fabs(a.position[c] - b.position[c]));
            off = fmax(off, fabs(a.velocity[c] - b.velocity[c]));
            off = fmax(off, 0.1 * fabs(a.angular_velocity[c] - b.angular_velocity[c]));
        }
        print_message("case %zu: off by %.1e\n", k, off);
        assert_true(off < 1e-7);
        free_run_close(&box);
        free_run_close(&plane);
    }
}

/* Radii R and r over the length L, the centre of mass halfway on the axis: its foot lies off the middle of the line. */
static void test_cone_on_its_side(void **state)
{
    (void)state;
    const double large = 0.05, small = 0.01, length = 0.15, line = hypot(length, large - small);
    const double lean = atan2(large - small, length), height = 0.5 * (large + small) * cos(lean);
    const double foot = 0.5 * (large + small) * (large - small) / line; /* from the middle, to the small end */
    for (int order = 0; order < 2; order++) {
        char at[40], motion[80];
        free_run run;
        snprintf(at, sizeof at, "%.15g", height);
        snprintf(motion, sizeof motion, ", orientation: {axis: [0, 1, 0], angle: %.15g}", 0.5 * CAROM_PI + lean);
        open_on(&run, at, motion, "type: cone, radius_below: 0.05, radius_above: 0.01, length: 0.15", BOX,
                order ? "g, a" : "a, g", DAMPED, ROUGH);
        free_run_to(&run, 1);
        const double weight = 9.81, share[2] = {0.5 - foot / line, 0.5 + foot / line};
        double force = 0;
        for (int end = 0; end < 2; end++) {
            char name[60];
            snprintf(name, sizeof name, "contact.s.%d.force", 14 + end);
            const double got = free_run_get(&run, name);
            print_message("end %d: %.9g N of %.9g N\n", end, got, weight * share[end]);
            assert_true(fabs(got - weight * share[end]) < 1e-3);
            force += got;
        }
        assert_true(fabs(force - weight) < 1e-6);
        const carom_ledger ledger = carom_simulation_ledger(run.sim);
        assert_true(fabs(ledger.residual) < 1e-8 * ledger.start);
        free_run_close(&run);
    }
}

/* What fits through a ring, or into the bore of a tube, falls through. */
static void test_through(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"type: box, size: [0.1, 0.1, 0.02]", "type: torus, radius: 0.1, tube: 0.02"},
        {"type: torus, radius: 0.1, tube: 0.02", "type: box, size: [0.1, 0.1, 0.02]"},
        {"type: tube, bore: 0.05, radius: 0.06, length: 0.1", "type: box, size: [0.06, 0.06, 0.02]"}};
    for (int k = 0; k < 3; k++) {
        free_run run;
        open_on(&run, "0.15", ", angular_velocity: [0.1, 0.2, 0.3]", cases[k][0], cases[k][1], "a, g", ELASTIC, "");
        free_run_to(&run, 0.25);
        assert_true(fabs(free_run_body(&run, "a").position[2] - (0.15 - 0.5 * 9.81 * 0.0625)) < 1e-9);
        free_run_close(&run);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_as_on_a_plane), cmocka_unit_test(test_cone_on_its_side),
                                       cmocka_unit_test(test_through)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
