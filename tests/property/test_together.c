/* A table on four legs is dropped flat, with the floor turned in space: all legs touch and part at the same times, and
   it bounces as a ball of its mass does on one contact that is as stiff as the four. Without losses each bounce gives
   back its speed. Rounding makes the gaps of the legs differ by units of it. So it does with both rims of a pin with
   play that a rod swings about in its plane, turned in space, and with the corners of boxes that land flat. */
#include "carom_test.h"

#include <math.h>
#include <stdio.h>

#include "support/runs.h"

#define STIFFNESS 1e8
#define LEGS 4
#define BOUNCES 7
#define UNTIL 1.5
/* Of the times of one bounce [s]: apart by rounding of positions of 0.2 m over a speed of 1 m/s, which grows with the
   bounces as the table begins to tilt. */
#define TOGETHER 1e-11
/* Of the first ones of a table far from the origin, located as one: rounding of its positions is 1e-12 m. */
#define AS_ONE 1e-14
#define FAR 1e4

static const char *const methods[] = {"auto", "dop853", "dopri5"};

/* A rotation that takes the floor's normal z to some direction. */
typedef struct turn {
    double axis[3], angle;
} turn;

static void rotate(const turn *r, const double *v, double *out)
{
    const double *n = r->axis, c = cos(r->angle), s = sin(r->angle);
    const double along = (n[0] * v[0] + n[1] * v[1] + n[2] * v[2]) * (1 - c);
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        out[i] = c * v[i] + s * (n[j] * v[k] - n[k] * v[j]) + along * n[i];
    }
}

static turn turn_of(int n)
{
    turn out = {.axis = {1, 2 + 0.3 * n, 0.5 - 0.1 * n}, .angle = 1.1 + 0.37 * n};
    const double length = sqrt(1 + out.axis[1] * out.axis[1] + out.axis[2] * out.axis[2]);
    for (int i = 0; i < 3; i++)
        out.axis[i] /= length;
    return out;
}

/* A body 0.15 m above the floor whose feet are 0.05 m above it; both far from the origin along an axis of the world, if
   it is not -1. */
static void write_model(char *text, size_t size, const turn *r, const char *method, bool table, int far)
{
    const double floor[3] = {far == 0 ? FAR : 0, far == 1 ? FAR : 0, far == 2 ? FAR : 0};
    double g[3], up[3], at[3];
    rotate(r, (const double[]){0, 0, -9.81}, g);
    rotate(r, (const double[]){0, 0, 1}, up);
    rotate(r, (const double[]){0, 0, 0.15}, at);
    for (int i = 0; i < 3; i++)
        at[i] += floor[i];
    int used = snprintf(text, size,
                        "carom: 1\ndimension: 3\ngravity: [%.17g, %.17g, %.17g]\nbodies:\n  t: {mass: 1, inertia: "
                        "[0.01, 0.01, 0.015], at: [%.17g, %.17g, %.17g], orientation: {axis: [%.17g, %.17g, %.17g], "
                        "angle: %.17g}}\nshapes:\n  floor: {type: plane, on: ground, at: [%g, %g, %g], normal: [%.17g, "
                        "%.17g, %.17g]}\n",
                        g[0], g[1], g[2], at[0], at[1], at[2], r->axis[0], r->axis[1], r->axis[2], r->angle, floor[0],
                        floor[1], floor[2], up[0], up[1], up[2]);
    for (int k = 0; k < (table ? LEGS : 1); k++)
        used += snprintf(text + used, size - (size_t)used,
                         "  s%d: {type: sphere, on: t, at: [%g, %g, -0.05], radius: 0.05}\n", k,
                         table ? (k & 1 ? 0.1 : -0.1) : 0, table ? (k & 2 ? 0.1 : -0.1) : 0);
    used += snprintf(text + used, size - (size_t)used, "contacts:\n");
    for (int k = 0; k < (table ? LEGS : 1); k++)
        used += snprintf(text + used, size - (size_t)used,
                         "  c%d: {between: [floor, s%d], normal: {law: hertz, stiffness: %g}}\n", k, k,
                         table ? STIFFNESS : LEGS * STIFFNESS);
    snprintf(text + used, size - (size_t)used, "run: {until: %g, integrator: %s}\n", UNTIL, method);
}

static void compare(margin *m, int n, const char *method)
{
    char text[4096];
    const turn r = turn_of(n);
    free_run table, ball;
    size_t count, balls;
    write_model(text, sizeof text, &r, method, true, -1);
    free_run_parse(&table, text, 1e-8, NULL);
    free_run_to(&table, UNTIL);
    write_model(text, sizeof text, &r, "dop853", false, -1);
    free_run_parse(&ball, text, 1e-10, NULL);
    free_run_to(&ball, UNTIL);
    const carom_impact *of = carom_simulation_impacts(table.sim, &count);
    const carom_impact *one = carom_simulation_impacts(ball.sim, &balls);
    assert_int_equal(balls, BOUNCES);
    assert_int_equal(count, LEGS * BOUNCES);
    for (size_t k = 0; k < count; k++) {
        const carom_impact *first = &of[k - k % LEGS];
        margin_add(m, "onset together", k, of[k].onset, first->onset, TOGETHER);
        margin_add(m, "release together", k, of[k].onset + of[k].duration, first->onset + first->duration, TOGETHER);
        margin_add(m, "onset of the ball", k, of[k].onset, one[k / LEGS].onset, 1e-6);
        margin_add(m, "duration of the ball", k, of[k].duration, one[k / LEGS].duration, 1e-9);
        margin_add(m, "speed", k, of[k].v_out, of[k].v_in, 1e-7);
    }
    free_run_close(&table);
    free_run_close(&ball);
}

static void test_table(void **state)
{
    (void)state;
    for (size_t method = 0; method < sizeof methods / sizeof *methods; method++) {
        margin m;
        margin_begin(&m, methods[method]);
        for (int n = 0; n < 8; n++)
            compare(&m, n, methods[method]);
        margin_end(&m);
    }
}

/* Ten kilometres away along any axis the legs still touch and part as one. */
static void test_far(void **state)
{
    (void)state;
    margin m;
    margin_begin(&m, "a table far from the origin");
    for (size_t method = 0; method < sizeof methods / sizeof *methods; method++)
        for (int n = 0; n < 8; n++)
            for (int axis = 0; axis < 3; axis++) {
                char text[4096];
                const turn r = turn_of(n);
                free_run run;
                size_t count;
                write_model(text, sizeof text, &r, methods[method], true, axis);
                free_run_parse(&run, text, 1e-8, NULL);
                free_run_to(&run, 0.2);
                const carom_impact *of = carom_simulation_impacts(run.sim, &count);
                assert_int_equal(count, LEGS);
                for (size_t k = 0; k < count; k++) {
                    margin_add(&m, "onset", k, of[k].onset, of[0].onset, AS_ONE);
                    margin_add(&m, "release", k, of[k].onset + of[k].duration, of[0].onset + of[0].duration, AS_ONE);
                }
                free_run_close(&run);
            }
    margin_end(&m);
}

/* A rod on a pin with play of 0.2 mm falls from level. */
static void swing(margin *m, int n)
{
    char text[2048];
    double g[3], at[3], hinge[3];
    const turn r = turn_of(n);
    rotate(&r, (const double[]){0, -9.81, 0}, g);
    rotate(&r, (const double[]){0.3, 0, 0}, at);
    rotate(&r, (const double[]){0, 0, 1}, hinge);
    snprintf(text, sizeof text,
             "carom: 1\ndimension: 3\ngravity: [%.17g, %.17g, %.17g]\nbodies:\n  rod: {mass: 2, inertia: [0.05, 0.05, "
             "0.05], at: [%.17g, %.17g, %.17g], orientation: {axis: [%.17g, %.17g, %.17g], angle: %.17g}, frames: "
             "{top: [-0.3, 0, 0]}}\njoints:\n  pin: {type: revolute, between: [{ground: [0, 0, 0], orientation: "
             "{axis: [%.17g, %.17g, %.17g], angle: %.17g}}, rod.top], axis: [%.17g, %.17g, %.17g], clearance: "
             "{radial: 0.2*mm, radius: 8*mm, length: 20*mm, axial: 0.1*mm, normal: {law: hertz, stiffness: "
             "0.5e9}}}\nrun: {until: 0.35}\n",
             g[0], g[1], g[2], at[0], at[1], at[2], r.axis[0], r.axis[1], r.axis[2], r.angle, r.axis[0], r.axis[1],
             r.axis[2], r.angle, hinge[0], hinge[1], hinge[2]);
    free_run run;
    size_t count;
    free_run_parse(&run, text, 1e-8, NULL);
    free_run_to(&run, 0.35);
    const carom_impact *of = carom_simulation_impacts(run.sim, &count);
    assert_true(count > 60 && count % 2 == 0);
    for (size_t k = 0; k < count; k += 2) {
        margin_add(m, "onset", k, of[k].onset, of[k + 1].onset, TOGETHER);
        margin_add(m, "release", k, of[k].onset + of[k].duration, of[k + 1].onset + of[k + 1].duration, TOGETHER);
    }
    free_run_close(&run);
}

static void test_pin(void **state)
{
    (void)state;
    margin m;
    margin_begin(&m, "both rims of a pin");
    for (int n = 0; n < 20; n++)
        swing(&m, n);
    margin_end(&m);
}

/* A box lands flat on another one, turned to many sides. Where the gap of a corner is 1e-19 m at its root, the next
   step of this method ends at that root again: the corner touches there, and is not met for ever. */
static void test_corner_again(void **state)
{
    (void)state;
    int most = 0;
    for (int n = 1; n <= 100; n++) {
        char text[2000];
        const double a = 0.37 * n, c = cos(a), s = sin(a), height = 1e-4, up = 0.05 + height, beside = 0.007;
        free_run run;
        int steps = 0;
        snprintf(text, sizeof text,
                 "carom: 1\ndimension: 2\ngravity: [%.17g, %.17g]\nbodies:\n"
                 "  b: {mass: 1, inertia: 0.00167, at: [%.17g, %.17g], angle: %.17g}\nshapes:\n"
                 "  b: {type: polygon, on: b, points: [[-0.05, -0.05], [0.05, -0.05], [0.05, 0.05], [-0.05, 0.05]]}\n"
                 "  f: {type: box, on: ground, size: [0.1, 0.1], at: [%.17g, %.17g], orientation: %.17g}\n"
                 "contacts: {c: {between: [f, b], normal: {law: kelvin-voigt, stiffness: 1e5, damping: 100}}}\n"
                 "run: {until: 0.01, integrator: bdf}\n",
                 9.81 * s, -9.81 * c, beside * c - up * s, beside * s + up * c, a, 0.05 * s, -0.05 * c, a);
        free_run_parse(&run, text, 1e-8, NULL);
        for (; steps < 1000 && carom_simulation_time(run.sim) < 1.02 * sqrt(2 * height / 9.81); steps++)
            assert_ok(run.ctx, carom_simulation_step(run.sim));
        most = steps > most ? steps : most;
        free_run_close(&run);
    }
    print_message("a box that lands flat: %d steps at most\n", most);
    assert_true(most < 500);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_table), cmocka_unit_test(test_far),
                                       cmocka_unit_test(test_pin),
                                       cmocka_unit_test(test_corner_again)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
