/* Default gains of Baumgarte's method follow the time scale of a slow motion. A double pendulum with the gravity g/T^2
   is that of g with the time T t: the same positions, and not many more steps, whatever T. Motions of
   ordinary machines have 50/s to the last bit; one that begins slowly and becomes fast has gains for its speed. */
#include "carom_test.h"

#include <math.h>
#include <stdio.h>

#include "support/free_runs.h"

#define UNTIL 5.0
#define TOLERANCE 1e-8
#define LENGTH 1.5 /* of the model, by which violations are measured, and its speed */

typedef struct outcome {
    carom_body_state end;       /* of the second arm */
    double position, velocity; /* violations, as shares of the length and of the greatest speed */
    double steps;
} outcome;

static const char *pendulum(double scale, const char *constraints)
{
    static char text[800];
    snprintf(text, sizeof text,
             "carom: 1\ndimension: 2\ngravity: [0, %.17g]\nbodies:\n"
             "  a: {mass: 1, inertia: 0.1, at: [0.5, 0]}\n  b: {mass: 2, inertia: 0.2, at: [1.5, 0]}\n"
             "joints:\n  j: {type: revolute, between: [ground, {a: [-0.5, 0]}]}\n"
             "  k: {type: revolute, between: [{a: [0.5, 0]}, {b: [-0.5, 0]}]}\n"
             "run: {until: %.17g, formulation: cartesian%s}\n",
             -9 / (scale * scale), UNTIL * scale, constraints);
    return text;
}

static outcome run_of(const char *text, double until)
{
    free_run run;
    free_run_parse(&run, text, TOLERANCE, NULL);
    free_run_to(&run, until);
    const carom_violation violation = carom_simulation_violation(run.sim);
    const outcome out = {free_run_body(&run, "b"), violation.position / LENGTH,
                         violation.velocity / violation.peak_speed, (double)carom_simulation_statistics(run.sim).steps};
    free_run_close(&run);
    return out;
}

static void test_scales(void **state)
{
    (void)state;
    const outcome one = run_of(pendulum(1, ""), UNTIL);
    static const double scales[] = {1e2, 1e4, 1e6};
    for (int k = 0; k < 3; k++) {
        const outcome slow = run_of(pendulum(scales[k], ""), UNTIL * scales[k]);
        const double *p = slow.end.position, off = hypot(p[0] - one.end.position[0], p[1] - one.end.position[1]);
        printf("slower by %.0e: %.0f steps of %.0f; position off by %.1e, violations %.1e, %.1e of %.1e, %.1e\n",
               scales[k], slow.steps, one.steps, off, slow.position, slow.velocity, one.position, one.velocity);
        assert_true(slow.steps < 3 * one.steps);
        /* a chaotic pendulum lets errors of 1e-8 grow a thousandfold in this time */
        assert_true(off < 1e-4);
        assert_true(slow.position < TOLERANCE && slow.velocity < TOLERANCE);
    }
}

static void test_ordinary(void **state)
{
    (void)state;
    const outcome a = run_of(pendulum(1, ""), UNTIL);
    const outcome b = run_of(pendulum(1, ", constraints: {type: baumgarte, alpha: 50, beta: 50}"), UNTIL);
    assert_true(a.end.position[0] == b.end.position[0] && a.end.velocity[1] == b.end.velocity[1] && a.steps == b.steps);
    /* gains that are given are those, of a slow motion too: 50/s takes steps of 1/50 s */
    const outcome slow =
        run_of(pendulum(1e3, ", constraints: {type: baumgarte, alpha: 50, beta: 50}"), UNTIL * 1e3);
    printf("slower by 1e3 with 50/s: %.0f steps\n", slow.steps);
    assert_true(slow.steps > 10 * a.steps);
}

/* Two bars that turn with 1e-5 rad/s and are driven to many turns a second: the gains of the start, kept, would let
   violations grow. */
static void test_driven(void **state)
{
    (void)state;
    static const char *const gains[] = {"", ", constraints: {type: baumgarte, alpha: 1e-3, beta: 1e-3}"};
    char text[2][800];
    outcome out[2];
    for (int k = 0; k < 2; k++) {
        snprintf(text[k], sizeof text[k],
                 "carom: 1\ndimension: 2\nbodies:\n"
                 "  a: {mass: 1, inertia: 0.1, at: [0.5, 0]}\n  b: {mass: 2, inertia: 0.2, at: [1.5, 0]}\n"
                 "joints:\n  j: {type: revolute, between: [ground, {a: [-0.5, 0]}], rate: 1e-5}\n"
                 "  k: {type: revolute, between: [{a: [0.5, 0]}, {b: [-0.5, 0]}], spring: {stiffness: 5}}\n"
                 "loads:\n  t: {type: torque, on: a, torque: 20*t}\n"
                 "run: {until: 8, formulation: cartesian%s}\n",
                 gains[k]);
        out[k] = run_of(text[k], 8);
    }
    printf("driven from 1e-5 rad/s: violations %.1e, %.1e, with 1e-3/s %.1e, %.1e\n", out[0].position, out[0].velocity,
           out[1].position, out[1].velocity);
    assert_true(out[0].position < TOLERANCE && out[0].velocity < TOLERANCE);
    assert_true(out[1].position > 10 * out[0].position);
}

/* A run that goes on from a checkpoint while gains grow has the same bits. */
static void test_checkpoint(void **state)
{
    (void)state;
    free_run whole, resumed;
    unsigned char *bytes;
    size_t size;
    const char *text = pendulum(1e4, "");
    free_run_parse(&whole, text, 0, NULL);
    free_run_parse(&resumed, text, 0, NULL);
    free_run_to(&whole, 7e3);
    assert_ok(whole.ctx, carom_simulation_checkpoint(whole.sim, &bytes, &size));
    free_run_to(&whole, 3e4);
    assert_ok(resumed.ctx, carom_simulation_resume(resumed.sim, bytes, size));
    free_run_to(&resumed, 3e4);
    const carom_body_state a = free_run_body(&whole, "b"), b = free_run_body(&resumed, "b");
    assert_true(a.position[0] == b.position[0] && a.position[1] == b.position[1]);
    assert_true(a.velocity[0] == b.velocity[0] && a.velocity[1] == b.velocity[1]);
    carom_bytes_free(whole.ctx, bytes, size);
    free_run_close(&whole);
    free_run_close(&resumed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_scales),
        cmocka_unit_test(test_ordinary),
        cmocka_unit_test(test_driven),
        cmocka_unit_test(test_checkpoint),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
