/* Contacts of a tower of cubes, yawed and shifted against each other, that stick together: each force holds its
   contact, but for what it gives way by, or lies on the edge of its cone against the slip that is left. */
#include "carom_test.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "dynamics/dynamics.h"
#include "sim/sim.h"
#include "support/free_runs.h"
#include "support/sample.h"

#define CUBES 5
#define SIZE 0.1 /* [m] */

static void open_tower(free_run *run)
{
    static const double yaw[CUBES] = {0, 17, 40, 65, 80};
    static const double shift[CUBES][2] = {{0, 0}, {4e-3, 1e-3}, {-3e-3, 2e-3}, {2e-3, -3e-3}, {0, 0}};
    char text[4096];
    int n = snprintf(text, sizeof text, "carom: 1\ndimension: 3\ngravity: [0, 0, -9.81]\nbodies:\n");
    for (int k = 0; k < CUBES; k++)
        n += snprintf(text + n, sizeof text - (size_t)n,
                      "  b%d: {mass: 1, inertia: [1/600, 1/600, 1/600], at: [%g, %g, %g], "
                      "orientation: {axis: [0, 0, 1], angle: %g*deg}}\n",
                      k, shift[k][0], shift[k][1], (k + 0.5) * SIZE, yaw[k]);
    n += snprintf(text + n, sizeof text - (size_t)n,
                  "shapes:\n  floor: {type: plane, on: ground, normal: [0, 0, 1]}\n");
    for (int k = 0; k < CUBES; k++)
        n += snprintf(text + n, sizeof text - (size_t)n, "  b%d: {type: box, on: b%d, size: [0.1, 0.1, 0.1]}\n", k, k);
    n += snprintf(text + n, sizeof text - (size_t)n, "contacts:\n");
    for (int k = 0; k < CUBES; k++) {
        char below[16] = "floor";
        if (k)
            snprintf(below, sizeof below, "b%d", k - 1);
        n += snprintf(text + n, sizeof text - (size_t)n,
                      "  c%d: {between: [%s, b%d], normal: {law: hunt-crossley, stiffness: 1e5, restitution: 0.5}, "
                      "friction: {law: coulomb, kinetic: 0.4}}\n",
                      k, below, k);
    }
    snprintf(text + n, sizeof text - (size_t)n, "run: {until: 1}\n");
    free_run_parse(run, text, 1e-8, "auto");
}

/* Farthest force from where it should be, of its cone. */
static double worst_force(carom_simulation *sim, int *held, int *on_edge)
{
    carom_evaluation *d = sim->probe;
    double worst = 0;
    assert_int_equal(carom_rhs_evaluate(sim, d, *sim->s.time, sim->s.q, sim->root_scratch), 0);
    for (int k = 0; k < sim->model->contact_count; k++) {
        const carom_sticking *own = &d->system->sticking[k];
        if (!own->count)
            continue;
        const carom_vec3 f = d->contacts[k].friction;
        carom_vec3 rate = carom_v3_add(own->wanted, carom_friction_slip_rate(d, k, d->acceleration));
        for (int t = 0; t < own->count; t++)
            rate = carom_v3_add_scaled(rate, -own->softness * own->reference[t], own->tangent[t]);
        const double left = carom_v3_norm(rate), force = carom_v3_norm(f), edge = own->softness * own->greatest;
        rate = carom_v3_scale(left > edge ? own->greatest / left : 1 / own->softness, rate);
        worst = fmax(worst, carom_v3_norm(carom_v3_add(f, rate)) / own->greatest);
        worst = fmax(worst, force / own->greatest - 1);
        (*(left > edge ? on_edge : held))++;
    }
    return worst;
}

static void test_tower(void **state)
{
    (void)state;
    free_run run;
    open_tower(&run);
    int held = 0, on_edge = 0;
    double worst = 0;
    for (int k = 1; k <= 20; k++) {
        free_run_to(&run, k * 1e-3);
        worst = fmax(worst, worst_force(run.sim, &held, &on_edge));
    }
    print_message("%d contacts hold, %d are on the edge: off by %.2g of the cone, %ld steps\n", held, on_edge, worst,
                  (long)carom_simulation_statistics(run.sim).steps);
    assert_true(held > 100 && on_edge > 100);
    /* rates of 10 m/s^2 are known to 1e-15, what contacts give way by is a millionth */
    assert_true(worst < 1e-7);
    free_run_close(&run);
}

#define FEET "normal: {law: flores, stiffness: 1e7, restitution: 0.3}, friction: {law: coulomb, kinetic: 0.5}}\n"
#define FLOOR "  floor: {type: plane, on: ground, normal: [0, 0, 1]}\n"

/* Contacts that brace each other hold: a table that is pulled, a tripod and a box on a box on slopes. Without weight
   along the floor the slips' rates, 2 m/s^2 and rounded to 1e-15 of them, die away within 0.01 s. */
static void test_braced(void **state)
{
    (void)state;
    static const char *const models[] = {
        "carom: 1\ndimension: 3\ngravity: [0, 0, -9.81]\nbodies:\n"
        "  top: {mass: 10, inertia: [0.5, 0.5, 0.9], at: [0, 0, 0.3]}\nshapes:\n" FLOOR
        "  a: {type: sphere, on: top, at: [0.3, 0.3, -0.28], radius: 0.02}\n"
        "  b: {type: sphere, on: top, at: [-0.3, 0.3, -0.28], radius: 0.02}\n"
        "  c: {type: sphere, on: top, at: [-0.3, -0.3, -0.28], radius: 0.02}\n"
        "  d: {type: sphere, on: top, at: [0.3, -0.3, -0.28], radius: 0.02}\ncontacts:\n"
        "  a: {between: [floor, a], " FEET "  b: {between: [floor, b], " FEET "  c: {between: [floor, c], " FEET
        "  d: {between: [floor, d], " FEET
        "loads:\n  pull: {type: force, on: top, force: [25, 0, 0]}\nrun: {until: 2}\n",
        "carom: 1\ndimension: 3\ngravity: [2, 0, -9.6]\nbodies:\n"
        "  top: {mass: 10, inertia: [0.5, 0.5, 0.9], at: [0, 0, 0.3]}\nshapes:\n" FLOOR
        "  a: {type: sphere, on: top, at: [0.3, 0, -0.28], radius: 0.02}\n"
        "  b: {type: sphere, on: top, at: [-0.2, 0.3, -0.28], radius: 0.02}\n"
        "  c: {type: sphere, on: top, at: [-0.2, -0.25, -0.28], radius: 0.02}\ncontacts:\n"
        "  a: {between: [floor, a], " FEET "  b: {between: [floor, b], " FEET "  c: {between: [floor, c], " FEET
        "run: {until: 2}\n",
        "carom: 1\ndimension: 3\ngravity: [2, 0.3, -9.6]\nbodies:\n"
        "  low: {mass: 8, inertia: [0.05, 0.05, 0.05], at: [0, 0, 0.1]}\n"
        "  top: {mass: 2, inertia: [0.01, 0.01, 0.01], at: [0.01, 0.02, 0.26], orientation: {axis: [0, 0, 1], angle: "
        "0.5}}\nshapes:\n" FLOOR "  a: {type: box, on: low, size: [0.2, 0.2, 0.2]}\n"
        "  b: {type: box, on: top, size: [0.12, 0.12, 0.12]}\ncontacts:\n"
        "  low: {between: [floor, a], " FEET "  top: {between: [a, b], " FEET "run: {until: 2}\n"};
    for (size_t k = 0; k < CAROM_COUNT(models); k++) {
        free_run run;
        free_run_parse(&run, models[k], 1e-8, "auto");
        free_run_to(&run, 2);
        const carom_body_state top = free_run_body(&run, "top");
        const double speed = carom_v3_norm(carom_v3_load(top.velocity));
        print_message("braced %zu: %.1e m/s after 2 s, energy residual %.1e\n", k, speed,
                      carom_simulation_ledger(run.sim).residual_fraction);
        assert_true(speed < 1e-11);
        assert_true(carom_simulation_ledger(run.sim).residual_fraction < 1e-7);
        free_run_close(&run);
    }
}

/* Feet that stick hold alike in joint and in absolute coordinates: three legs of which a motion drives one, and a bar
   between the two others, which closes a loop. The two brace each other: what they bear together is compared. */
#define LEGS \
    "carom: 1\ndimension: 3\ngravity: [0, 0, -9.81]\nbodies:\n" \
    "  trunk: {mass: 4, inertia: [0.1, 0.1, 0.1], at: [0, 0, 0.4]}\n" \
    "  a: {mass: 1, inertia: [0.01, 0.01, 0.002], at: [0.3, 0, 0.2]}\n" \
    "  b: {mass: 1, inertia: [0.01, 0.01, 0.002], at: [-0.15, 0.26, 0.2]}\n" \
    "  c: {mass: 1, inertia: [0.01, 0.01, 0.002], at: [-0.15, -0.26, 0.2]}\n" \
    "  bar: {mass: 0.2, inertia: [5e-3, 1e-4, 5e-3], at: [-0.15, 0, 0.15]}\njoints:\n" \
    "  a: {type: revolute, between: [{trunk: [0.3, 0, 0]}, {a: [0, 0, 0.2]}], axis: [0, 1, 0], " \
    "motion: 0.02*sin(20*t)}\n" \
    "  b: {type: revolute, between: [{trunk: [-0.15, 0.26, 0]}, {b: [0, 0, 0.2]}], axis: [0, 1, 0], " \
    "spring: {stiffness: 200}, damper: {damping: 2}}\n" \
    "  c: {type: revolute, between: [{trunk: [-0.15, -0.26, 0]}, {c: [0, 0, 0.2]}], axis: [0, 1, 0], " \
    "spring: {stiffness: 200}, damper: {damping: 2}}\n" \
    "  bar_b: {type: spherical, between: [{b: [0, 0, -0.05]}, {bar: [0, 0.26, 0]}]}\n" \
    "  bar_c: {type: universal, between: [{c: [0, 0, -0.05]}, {bar: [0, -0.26, 0]}], axis: [0, 0, 1], " \
    "axis2: [1, 0, 0]}\n" \
    "shapes:\n" FLOOR "  a: {type: sphere, on: a, at: [0, 0, -0.18], radius: 0.02}\n" \
    "  b: {type: sphere, on: b, at: [0, 0, -0.18], radius: 0.02}\n" \
    "  c: {type: sphere, on: c, at: [0, 0, -0.18], radius: 0.02}\ncontacts:\n" \
    "  a: {between: [floor, a], " FEET "  b: {between: [floor, b], " FEET "  c: {between: [floor, c], " FEET

static void test_legs(void **state)
{
    (void)state;
    static const char *const texts[] = {LEGS "run: {until: 1, formulation: tree}\n",
                                        LEGS "run: {until: 1, formulation: cartesian}\n"};
    double value[2][8], off[8];
    for (int k = 0; k < 2; k++) {
        free_run run;
        free_run_parse(&run, texts[k], 1e-9, "auto");
        free_run_to(&run, 0.2);
        const carom_body_state trunk = free_run_body(&run, "trunk");
        memcpy(value[k], trunk.position, 3 * sizeof(double));
        memcpy(value[k] + 3, trunk.velocity, 3 * sizeof(double));
        value[k][6] = free_run_get(&run, "contact.a.friction.x");
        value[k][7] = free_run_get(&run, "contact.b.friction.x") + free_run_get(&run, "contact.c.friction.x");
        assert_true(carom_simulation_ledger(run.sim).residual_fraction < 1e-7);
        free_run_close(&run);
    }
    for (int n = 0; n < 8; n++)
        off[n] = fabs(value[0][n] - value[1][n]);
    const double at = fmax(off[0], fmax(off[1], off[2])), speed = fmax(off[3], fmax(off[4], off[5]));
    print_message("legs in joint and in absolute coordinates: off by %.1e m, %.1e m/s, %.1e N\n", at, speed,
                  fmax(off[6], off[7]));
    /* 100 times the tolerance of 1e-9; feet of 2e5 N/m under 7 kg sway with 300 rad/s */
    assert_true(at < 1e-7 && speed < 3e-5 && fmax(off[6], off[7]) < 2e-2);
}

/* Four feet that give way as the legs settle slide by micrometres a second, all at the edges of their cones at last.
   BDF takes differences of the rates in joint coordinates and those of the elements in absolute ones: both give one
   motion, in about as many steps. */
static void test_settling(void **state)
{
    (void)state;
    static const char *const forms[] = {"cartesian", "tree"};
    double at[2][3], worst = 0;
    uint64_t steps[2], all[2];
    for (int k = 0; k < 2; k++) {
        char text[4000];
        int n = snprintf(text, sizeof text,
                         "carom: 1\ndimension: 3\ngravity: [0, 0, -9.81]\nbodies:\n"
                         "  torso: {mass: 10, inertia: [0.2, 0.3, 0.4], at: [0, 0, 0.5]}\n"
                         "  load: {mass: 3, inertia: [0.01, 0.01, 0.01], at: [0.1, 0.06, 0.6]}\n");
        for (int leg = 0; leg < 4; leg++)
            n += snprintf(text + n, sizeof text - (size_t)n,
                          "  leg%d: {mass: 0.5, inertia: [0.005, 0.005, 0.001], at: [%g, %g, 0.25]}\n", leg,
                          leg < 2 ? 0.3 : -0.3, leg % 2 ? -0.2 : 0.2);
        n += snprintf(text + n, sizeof text - (size_t)n,
                      "joints:\n  weld: {type: fixed, between: [{torso: [0.1, 0.06, 0.1]}, load]}\n");
        for (int leg = 0; leg < 4; leg++)
            n += snprintf(text + n, sizeof text - (size_t)n,
                          "  p%d: {type: translational, between: [{torso: [%g, %g, 0]}, {leg%d: [0, 0, 0.25]}], "
                          "axis: [0, 0, 1]}\n",
                          leg, leg < 2 ? 0.3 : -0.3, leg % 2 ? -0.2 : 0.2, leg);
        n += snprintf(text + n, sizeof text - (size_t)n, "shapes:\n" FLOOR);
        for (int leg = 0; leg < 4; leg++)
            n += snprintf(text + n, sizeof text - (size_t)n,
                          "  foot%d: {type: sphere, on: leg%d, at: [0, 0, -0.23], radius: 0.02}\n", leg, leg);
        n += snprintf(text + n, sizeof text - (size_t)n, "contacts:\n");
        for (int leg = 0; leg < 4; leg++)
            n += snprintf(text + n, sizeof text - (size_t)n,
                          "  c%d: {between: [floor, foot%d], normal: {law: flores, stiffness: 1e7, restitution: 0.3}, "
                          "friction: {law: coulomb, kinetic: 0.6}}\n",
                          leg, leg);
        n += snprintf(text + n, sizeof text - (size_t)n, "loads:\n");
        for (int leg = 0; leg < 4; leg++)
            n += snprintf(text + n, sizeof text - (size_t)n,
                          "  m%d: {type: motor, on: p%d, target: 0, proportional: 20000, derivative: 400}\n", leg, leg);
        snprintf(text + n, sizeof text - (size_t)n, "run: {until: 2, formulation: %s}\n", forms[k]);
        free_run run;
        free_run_parse(&run, text, 1e-8, "bdf");
        free_run_to(&run, 0.0625);
        memcpy(at[k], free_run_body(&run, "torso").position, sizeof at[k]);
        steps[k] = carom_simulation_statistics(run.sim).steps;
        /* forces that jumped by 3e-6 as velocities changed by 1e-15 m/s took 1e5 steps of 1e-9 s from 0.55 s on */
        free_run_to(&run, 1);
        all[k] = carom_simulation_statistics(run.sim).steps;
        free_run_close(&run);
    }
    for (int i = 0; i < 3; i++)
        worst = fmax(worst, fabs(at[0][i] - at[1][i]));
    print_message("settling: off by %.1e m, %d and %d steps; in a second %d and %d\n", worst, (int)steps[0],
                  (int)steps[1], (int)all[0], (int)all[1]);
    /* 100 times the tolerance of 1e-8, of the millimetre by which it sinks */
    assert_true(worst < 1e-9 && steps[1] < 2 * steps[0]);
    assert_true(all[0] < 20000 && all[1] < 20000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_tower), cmocka_unit_test(test_braced),
                                       cmocka_unit_test(test_legs), cmocka_unit_test(test_settling)};
    return sample_group_tests(tests, 1, 3, NULL, NULL);
}
