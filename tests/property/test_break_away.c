/* Friction that holds and drops as it breaks away: a body pulled by a force that rises slowly leaves its rest at the
   instant where the force reaches mu_s N, with any integrator, on one contact, on two, and on four that bear different
   loads. */
#include "carom_test.h"

#include <math.h>
#include <stdio.h>

#include "support/runs.h"

#define KINETIC 0.4
#define STATIC 0.6
#define RAMP 10.0   /* [N/s] */
#define WEIGHT 10.0 /* [N] */
#define END 0.8     /* [s] */

static const char *const integrators[] = {"auto", "adams", "bdf", "dopri5"};

typedef struct pulled {
    const char *name, *dimension, *gravity, *body, *shapes, *direction;
} pulled;

/* At rest on their contacts at the start: 1e5 N/m each. */
static const pulled bodies[] = {
    {"ball", "3", "[0, 0, -10]", "inertia: [1e9, 1e9, 1e9], at: [0, 0, 0.5 - 1e-4]",
     "{type: sphere, on: body, radius: 0.5}",
     "[0.8*10*t, 0.6*10*t, 0]"},
    {"box in the plane", "2", "[0, -10]", "inertia: 1/6, at: [0, 0.5 - 5e-5], frames: {foot: [0, -0.5]}",
     "{type: box, on: body, size: [1, 1]}", "[10*t, 0]"},
    {"box", "3", "[0, 0, -10]", "inertia: [1/6, 1/6, 1/6], at: [0, 0, 0.5 - 2.5e-5], frames: {foot: [0, 0, -0.5]}",
     "{type: box, on: body, size: [1, 1, 1]}", "[0.8*10*t, 0.6*10*t, 0]"},
    {"box with its mass off the middle", "3", "[0, 0, -10]",
     "inertia: [1/6, 1/6, 1/6], at: [0, 0, 0.5], frames: {foot: [0, 0, -0.5]}",
     "{type: box, on: body, size: [1, 1, 1], at: [0.1, 0.05, 0]}", "[10*t, 0, 0]"},
};

static void open_pulled(free_run *run, const pulled *of, const char *integrator)
{
    char text[2048];
    const bool flat = of->dimension[0] == '2', foot = strstr(of->body, "foot") != NULL;
    snprintf(text, sizeof text,
             "carom: 1\ndimension: %s\ngravity: %s\n"
             "bodies: {body: {mass: 1, velocity: %s, angular_velocity: %s, %s}}\n"
             "shapes: {s: %s, g: {type: plane, on: ground, normal: %s}}\n"
             "contacts: {f: {between: [g, s], normal: {law: kelvin-voigt, stiffness: 1e5, damping: 500}, "
             "friction: {law: coulomb, kinetic: %g, static: %g}}}\n"
             "loads: {pull: {type: force, on: %s, force: %s}}\nrun: {until: 1}\n",
             of->dimension, of->gravity, flat ? "[0, 0]" : "[0, 0, 0]", flat ? "0" : "[0, 0, 0]", of->body, of->shapes,
             flat ? "[0, 1]" : "[0, 0, 1]", KINETIC, STATIC, foot ? "body.foot" : "body", of->direction);
    free_run_parse(run, text, 1e-8, integrator);
}

/* Speed at the end if it has left its rest at the time t [m/s]. */
static double speed_from(double t)
{
    return RAMP / 2 * (END * END - t * t) - KINETIC * WEIGHT * (END - t);
}

static void test_ramp(void **state)
{
    (void)state;
    const double instant = STATIC * WEIGHT / RAMP;
    margin m;
    margin_begin(&m, "a ramp breaks a body away");
    for (size_t k = 0; k < sizeof bodies / sizeof *bodies; k++)
        for (size_t i = 0; i < sizeof integrators / sizeof *integrators; i++) {
            free_run run;
            open_pulled(&run, &bodies[k], integrators[i]);
            free_run_to(&run, instant - 1e-5);
            const carom_body_state rest = free_run_body(&run, "body");
            margin_add(&m, "rest", k, hypot(rest.velocity[0], rest.velocity[1]), 0, 1e-6);
            free_run_to(&run, END);
            const carom_body_state now = free_run_body(&run, "body");
            const bool flat = bodies[k].dimension[0] == '2';
            const double speed = flat ? now.velocity[0] : hypot(now.velocity[0], now.velocity[1]);
            /* the normal forces of the last box still settle by then */
            margin_add(&m, bodies[k].name, i, speed, speed_from(instant), k == 3 ? 2e-5 : 1e-6);
            margin_add(&m, "ledger", k, carom_simulation_ledger(run.sim).residual_fraction, 0, 1e-7);
            free_run_close(&run);
        }
    margin_end(&m);
}

/* Below mu_s N it stays, however long. */
static void test_held(void **state)
{
    (void)state;
    margin m;
    margin_begin(&m, "a body held just below mu_s N");
    for (size_t k = 0; k < sizeof bodies / sizeof *bodies; k++) {
        pulled of = bodies[k];
        of.direction = k == 1 ? "[5.999, 0]" : k == 3 ? "[5.999*(1 - exp(-40*t)), 0, 0]" : "[0.8*5.999, 0.6*5.999, 0]";
        free_run run;
        open_pulled(&run, &of, "auto");
        free_run_to(&run, 0.5);
        const carom_body_state before = free_run_body(&run, "body");
        free_run_to(&run, 1);
        const carom_body_state after = free_run_body(&run, "body");
        margin_add(&m, of.name, k, after.position[0] - before.position[0], 0, 1e-7);
        free_run_close(&run);
    }
    margin_end(&m);
}

/* Four legs welded to a hull that touch the ground exactly at the start, where what is needed and what holds are both
   rounding; pulled until they slide. */
static void test_legs(void **state)
{
    (void)state;
    char text[4096];
    int n = snprintf(text, sizeof text,
                     "carom: 1\ndimension: 3\ngravity: [0, 0, -9.81]\nbodies:\n"
                     "  hull: {mass: 4, inertia: [0.05, 0.05, 0.05], at: [0, 0, 0.4], velocity: [0, 0, 0], "
                     "angular_velocity: [0, 0, 0]}\n");
    static const char *const at[] = {"0.3, 0.1", "-0.3, 0.1", "-0.3, -0.1", "0.3, -0.1"};
    for (int k = 0; k < 4; k++)
        n += snprintf(text + n, sizeof text - (size_t)n,
                      "  l%d: {mass: 0.3, inertia: [0.003, 0.003, 0.0003], at: [%s, 0.2], velocity: [0, 0, 0], "
                      "angular_velocity: [0, 0, 0]}\n", k, at[k]);
    n += snprintf(text + n, sizeof text - (size_t)n, "shapes:\n  g: {type: plane, on: ground, normal: [0, 0, 1]}\n");
    for (int k = 0; k < 4; k++)
        n += snprintf(text + n, sizeof text - (size_t)n,
                      "  f%d: {type: sphere, on: l%d, radius: 0.03, at: [0, 0, -0.17]}\n", k, k);
    n += snprintf(text + n, sizeof text - (size_t)n, "joints:\n");
    for (int k = 0; k < 4; k++)
        n += snprintf(text + n, sizeof text - (size_t)n,
                      "  j%d: {type: fixed, between: [{hull: [%s, 0]}, {l%d: [0, 0, 0.2]}]}\n", k, at[k], k);
    snprintf(text + n, sizeof text - (size_t)n,
             "contacts: {c: {all: [f0, f1, f2, f3, g], normal: {law: hunt-crossley, stiffness: 1e7, restitution: 0.3}, "
             "friction: {law: coulomb, kinetic: 0.3, static: 0.4}}}\n"
             "loads: {pull: {type: force, on: hull, force: [\"10*t\", 0, 0]}}\nrun: {until: 3}\n");
    const double weight = 5.2 * 9.81, begin = 0.4 * weight / 10;
    margin m;
    margin_begin(&m, "legs that touch exactly at the start");
    free_run run;
    free_run_parse(&run, text, 1e-8, NULL);
    free_run_to(&run, 2.9);
    const double speed = (5 * (2.9 * 2.9 - begin * begin) - 0.3 * weight * (2.9 - begin)) / 5.2;
    /* what is still rocking as it breaks away changes the impulse by a little */
    margin_add(&m, "speed", 0, free_run_body(&run, "hull").velocity[0], speed, 1e-3);
    margin_add(&m, "ledger", 0, carom_simulation_ledger(run.sim).residual_fraction, 0, 1e-7);
    margin_add(&m, "steps", 0, (double)carom_simulation_statistics(run.sim).steps, 0, 30000);
    margin_end(&m);
    free_run_close(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_ramp), cmocka_unit_test(test_held),
                                       cmocka_unit_test(test_legs)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
