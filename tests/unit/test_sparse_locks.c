/* Locks of events where the constraint equations are sparse (48 rows and more): against the dense solve of the same
   equations, and the motion against that of models that are built with the joints fixed, or without locks. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
/* after the headers it needs */
#include <cmocka.h>

#include "sim/sim.h"
#include "support/free_runs.h"

#define BODIES 60
#define FIRST 20            /* joints that events lock */
#define SECOND 41
#define ROOM 65536

typedef struct text {
    char bytes[ROOM];
    size_t length;
} text;

static void add(text *t, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    t->length += (size_t)vsnprintf(t->bytes + t->length, ROOM - t->length, format, args);
    va_end(args);
    assert_true(t->length < ROOM);
}

/* A chain of rods of 1 m that hangs from the ground at the origin, bent like a sine; `states` or NULL: at rest. */
static void add_chain(text *t, int dimension, int bodies, const carom_body_state *states, bool fixed)
{
    double x = 0, y = 0;
    const char *z = dimension == 3 ? ", 0" : "";
    t->length = 0;
    add(t, "carom: 1\ndimension: %d\ngravity: [1, -9.81%s]\nbodies:\n", dimension, z);
    for (int k = 0; k < bodies; k++) {
        const double angle = 0.4 * sin(0.3 * k), c = cos(angle), s = sin(angle);
        add(t, "  b%d: {mass: %g, ", k, 1 + 0.3 * cos(k));
        if (dimension == 3)
            add(t, "inertia: [0.02, 0.08, 0.09], at: [%.17g, %.17g, 0], orientation: [%.17g, 0, 0, %.17g]}\n",
                x + 0.5 * c, y + 0.5 * s, cos(0.5 * angle), sin(0.5 * angle));
        else if (states)
            add(t,
                "inertia: 0.08, at: [%.17g, %.17g], angle: %.17g, velocity: [%.17g, %.17g], "
                "angular_velocity: %.17g}\n",
                states[k].position[0], states[k].position[1], states[k].angle, states[k].velocity[0],
                states[k].velocity[1], states[k].angular_velocity[2]);
        else
            add(t, "inertia: 0.08, at: [%.17g, %.17g], angle: %.17g}\n", x + 0.5 * c, y + 0.5 * s, angle);
        x += c;
        y += s;
    }
    add(t, "joints:\n");
    for (int k = 0; k < bodies; k++) {
        char before[64];
        if (k)
            snprintf(before, sizeof before, "{b%d: [0.5, 0%s]}", k - 1, z);
        else
            snprintf(before, sizeof before, "{ground: [0, 0%s]}", z);
        if (fixed && (k == FIRST || k == SECOND))
            add(t, "  j%d: {type: fixed, between: [%s, {b%d: [-0.5, 0%s]}]}\n", k, before, k, z);
        else
            add(t, "  j%d: {type: revolute, between: [%s, {b%d: [-0.5, 0%s]}]}\n", k, before, k, z);
    }
    add(t, "run: {until: 10, formulation: cartesian}\n");
}

static void add_locks(text *t, int first, int second, const char *lock, const char *unlock)
{
    add(t, "events:\n  catch: {when: %s, do: [{lock: j%d}, {lock: j%d}]}\n", lock, first, second);
    add(t, "  free: {when: %s, do: {unlock: [j%d, j%d]}}\n", unlock, first, second);
}

static void close_to(double got, double wanted, double accuracy, const char *what, int k)
{
    if (!(fabs(got - wanted) <= accuracy))
        fail_msg("%s %d: %.17g instead of %.17g", what, k, got, wanted);
}

static double largest(const double *x, int n)
{
    double size = 0;
    for (int k = 0; k < n; k++)
        size = fmax(size, fabs(x[k]));
    return size;
}

/* Accelerations and multipliers of the present state by the other solve. */
static void expect_dense_agrees(carom_simulation *sim)
{
    carom_evaluation *d = sim->d;
    carom_system *sys = sim->system;
    const int speeds = sys->layout.velocities, rows = sim->model->row_count;
    double *kept = calloc((size_t)(speeds + rows), sizeof *kept);
    assert_non_null(kept);
    assert_non_null(sys->sparse);
    assert_false(sys->redundant);
    assert_true(sys->formulation->accelerate(d));
    memcpy(kept, d->acceleration, (size_t)speeds * sizeof *kept);
    memcpy(kept + speeds, d->multipliers, (size_t)rows * sizeof *kept);
    assert_true(carom_system_set_redundant(sys, true) == CAROM_OK);
    assert_true(sys->formulation->accelerate(d));
    assert_true(carom_system_set_redundant(sys, false) == CAROM_OK);
    /* condition of the equations of a chain of n links: n^2 times a few; of a double 1e-16 is left */
    const double accuracy = 1e-10, a = largest(kept, speeds), f = largest(kept + speeds, rows);
    for (int k = 0; k < speeds; k++)
        close_to(d->acceleration[k], kept[k], accuracy * a, "acceleration", k);
    for (int k = 0; k < rows; k++)
        close_to(d->multipliers[k], kept[speeds + k], accuracy * f, "multiplier", k);
    assert_true(sys->formulation->accelerate(d));
    free(kept);
}

static void solves_agree(void **state)
{
    (void)state;
    static const struct {
        int dimension, bodies, first, second;
    } chains[] = {{2, BODIES, FIRST, SECOND}, {3, 12, 4, 7}};
    for (size_t n = 0; n < sizeof chains / sizeof chains[0]; n++) {
        free_run run;
        text *t = calloc(1, sizeof *t);
        assert_non_null(t);
        add_chain(t, chains[n].dimension, chains[n].bodies, NULL, false);
        add_locks(t, chains[n].first, chains[n].second, "t > 0.1", "t > 0.2");
        free_run_parse(&run, t->bytes, 1e-9, NULL);
        for (int phase = 0; phase < 3; phase++) {
            free_run_to(&run, 0.05 + 0.1 * phase);
            assert_true(run.sim->s.locked[0] == (phase == 1) && run.sim->s.locked[1] == (phase == 1));
            expect_dense_agrees(run.sim);
        }
        free_run_close(&run);
        free(t);
    }
}

/* Velocities with both joints locked now, by one of the solves. */
static double *locked_velocities(carom_simulation *sim, bool dense)
{
    carom_state *s = &sim->s;
    const size_t speeds = (size_t)s->layout.velocities, positions = (size_t)s->layout.positions;
    double *q = calloc(positions, sizeof *q), *v = calloc(speeds, sizeof *v);
    assert_true(q && v);
    memcpy(q, s->q, positions * sizeof *q);
    memcpy(v, s->v, speeds * sizeof *v);
    for (int lock = 0; lock < 2; lock++) {
        carom_row row;
        double rate;
        s->lock_value[lock] = carom_dynamics_coordinate(sim->d, lock ? SECOND : FIRST, 0, &row, &rate);
        assert_true(fabs(rate) > 1e-3);
        s->locked[lock] = 1;
    }
    assert_true(carom_system_set_redundant(sim->system, dense) == CAROM_OK);
    assert_true(sim->system->formulation->project(sim->probe, s, *s->time, q, v, HUGE_VAL, 1));
    assert_true(carom_system_set_redundant(sim->system, false) == CAROM_OK);
    s->locked[0] = s->locked[1] = 0;
    free(q);
    return v;
}

/* Kinetic energy at u less that at v, without taking one large number from another. */
static double kinetic_less(const carom_model *m, const double *u, const double *v)
{
    double sum = 0;
    for (int k = 0; k < m->body_count; k++, u += 3, v += 3)
        sum += 0.5 * (((u[0] - v[0]) * (u[0] + v[0]) + (u[1] - v[1]) * (u[1] + v[1])) / m->bodies[k + 1].inverse_mass +
                      (u[2] - v[2]) * (u[2] + v[2]) / m->bodies[k + 1].inverse_inertia.m[2][2]);
    return sum;
}

/* The change of the velocities at the lock, by both solves; the event takes the energy that it costs. */
static void jumps_agree(void **state)
{
    (void)state;
    free_run run;
    text *t = calloc(1, sizeof *t);
    assert_non_null(t);
    add_chain(t, 2, BODIES, NULL, false);
    add_locks(t, FIRST, SECOND, "t > 0.2", "t > 0.4");
    free_run_parse(&run, t->bytes, 1e-11, NULL);
    free_run_to(&run, 0.2);
    assert_int_equal(run.sim->s.locked[0], 0);
    const double *before = run.sim->s.v;
    double *v[2] = {locked_velocities(run.sim, false), locked_velocities(run.sim, true)};
    assert_true(fabs(v[0][3 * FIRST + 2] - before[3 * FIRST + 2]) > 1e-3);
    /* joint k is between bodies k - 1 and k, counted from 0 */
    close_to(v[0][3 * FIRST + 2], v[0][3 * FIRST - 1], 1e-11, "rate of lock", FIRST);
    close_to(v[0][3 * SECOND + 2], v[0][3 * SECOND - 1], 1e-11, "rate of lock", SECOND);
    const int speeds = run.sim->s.layout.velocities;
    for (int k = 0; k < speeds; k++)
        close_to(v[0][k], v[1][k], 1e-10 * largest(v[1], speeds), "velocity", k);
    const double taken = kinetic_less(run.model, before, v[1]);
    free_run_to(&run, 0.6);
    size_t count;
    const carom_fired_event *fired = carom_simulation_fired_events(run.sim, &count);
    assert_int_equal(count, 2);
    assert_true(taken > 0);
    close_to(fired[0].energy, taken, 1e-8 * taken, "energy of the lock", 0);
    close_to(fired[1].energy, 0, 1e-9, "energy of the unlocking", 1);
    close_to(carom_simulation_ledger(run.sim).residual_fraction, 0, 1e-9, "residual", 0);
    free(v[0]);
    free(v[1]);
    free(t);
    free_run_close(&run);
}

static void expect_same(const free_run *run, const free_run *other, double accuracy)
{
    for (int k = 0; k < BODIES; k++) {
        char name[16];
        snprintf(name, sizeof name, "b%d", k);
        const carom_body_state a = free_run_body(run, name), b = free_run_body(other, name);
        for (int i = 0; i < 2; i++)
            close_to(a.position[i], b.position[i], accuracy, "position", k);
        close_to(a.angle, b.angle, accuracy, "angle", k);
        close_to(a.angular_velocity[2], b.angular_velocity[2], 100 * accuracy, "angular velocity", k);
    }
}

/* Locked from the start to 0.3 s as a chain with two joints fixed, then as one without locks from there. */
static void moves_as_built_locked(void **state)
{
    (void)state;
    free_run run, other;
    carom_body_state states[BODIES];
    text *t = calloc(1, sizeof *t);
    assert_non_null(t);
    add_chain(t, 2, BODIES, NULL, true);
    free_run_parse(&other, t->bytes, 1e-11, NULL);
    add_chain(t, 2, BODIES, NULL, false);
    add_locks(t, FIRST, SECOND, "t >= 0", "t > 0.3");
    free_run_parse(&run, t->bytes, 1e-11, NULL);
    free_run_to(&run, 0.3);
    free_run_to(&other, 0.3);
    expect_same(&run, &other, 1e-8);
    for (int k = 0; k < BODIES; k++) {
        char name[16];
        snprintf(name, sizeof name, "b%d", k);
        states[k] = free_run_body(&run, name);
    }
    free_run_close(&other);
    add_chain(t, 2, BODIES, states, false);
    free_run_parse(&other, t->bytes, 1e-11, NULL);
    free_run_to(&run, 0.5);
    free_run_to(&other, 0.2);
    expect_same(&run, &other, 1e-8);
    size_t count;
    const carom_fired_event *fired = carom_simulation_fired_events(run.sim, &count);
    assert_true(count == 2 && fired[0].time == 0 && fired[1].time == 0.3);
    const carom_ledger l = carom_simulation_ledger(run.sim);
    close_to(l.residual_fraction, 0, 1e-9, "residual", 0);
    free_run_close(&run);
    free_run_close(&other);
    free(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(solves_agree),
        cmocka_unit_test(jumps_agree),
        cmocka_unit_test(moves_as_built_locked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
