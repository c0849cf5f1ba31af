/* Friction of screws and of wheels that roll, against closed forms, in both formulations: torque and efficiency of a
   power screw that lifts and lowers, self-locking, thread angles, a load across the axis; resistance to rolling on the
   level and on a slope, spin. */
#include "carom_test.h"

#include <math.h>

#include "support/free_runs.h"

#define PI 3.14159265358979323846
#define G 9.81
#define TOLERANCE 1e-10

static const char *const formulations[] = {"cartesian", "tree"};

static void open_in(free_run *run, const char *text, int formulation)
{
    char whole[4096];
    snprintf(whole, sizeof whole, "%srun: {until: 100, formulation: %s}\n", text, formulations[formulation]);
    free_run_parse(run, whole, TOLERANCE, NULL);
}

static void close_checked(free_run *run, const char *what, int formulation, double worst, double allowed)
{
    const carom_ledger l = carom_simulation_ledger(run->sim);
    printf("%-28s %-9s error %.1e of %.0e  ledger %.1e\n", what, formulations[formulation], worst, allowed,
           l.residual_fraction);
    assert_true(worst <= allowed);
    assert_true(l.residual_fraction < 1e-8 || l.kinetic < 1e-20);
    free_run_close(run);
}

/* ---- screws ---- */

#define MASS 3.0
#define INERTIA 2e-3
#define RADIUS 0.01
#define PITCH 0.008
#define LEAD (PITCH / (2 * PI))

/* A screw whose load hangs on it; `sideways` is gravity along x, `more` what else the joint has. */
static void write_screw(char *text, size_t size, double mu, double flank, double sideways, const char *more)
{
    snprintf(text, size,
             "carom: 1\ndimension: 3\ngravity: [%.17g, 0, -9.81]\n"
             "bodies: {nut: {mass: 3, inertia: [1, 1, 2e-3]}}\n"
             "joints: {screw: {type: screw, between: [ground, nut], axis: [0, 0, 1], pitch: 8*mm, flank: %.17g, "
             "friction: {law: coulomb, kinetic: %.17g, radius: 10*mm}%s}}\n",
             sideways, flank, mu, more);
}

/* Directions of the flank's force N and of friction mu N along the axis, and about it over the radius. */
static void of_thread(double mu, double flank, double sign, double *along, double *about)
{
    const double arm = hypot(RADIUS, LEAD), c = RADIUS / arm, s = LEAD / arm;
    const double section = 1 / hypot(1, tan(flank) * c);
    *along = section * c - sign * mu * s;
    *about = section * s + sign * mu * c;
}

/* Turned at a steady rate: the torque that lifts is m g r tan(l + phi) of a square thread, that which lowers m g r
   tan(phi - l); the efficiency tan(l)/tan(l + phi). */
static void test_torque(void **state)
{
    (void)state;
    static const double flanks[] = {0, 15 * PI / 180, 30 * PI / 180};
    for (int f = 0; f < 2; f++)
        for (int n = 0; n < 6; n++) {
            const double mu = 0.15, flank = flanks[n / 2], sign = n % 2 ? -1 : 1;
            char text[1024];
            free_run run;
            double along, about;
            write_screw(text, sizeof text, mu, flank, 0, n % 2 ? ", motion: -5*t" : ", motion: 5*t");
            open_in(&run, text, f);
            free_run_to(&run, 2);
            of_thread(mu, flank, sign, &along, &about);
            const double torque = MASS * G * RADIUS * about / along, got = free_run_get(&run, "joint.screw.drive");
            if (flank <= 0) {
                const double l = atan(LEAD / RADIUS), phi = atan(mu);
                assert_true(fabs(torque - MASS * G * RADIUS * tan(l + sign * phi)) < 1e-14);
                const double efficiency = MASS * G * LEAD / got;
                assert_true(sign < 0 || fabs(efficiency - tan(l) / tan(l + phi)) < 1e-9);
            }
            const double normal = free_run_get(&run, "joint.screw.normal");
            const carom_ledger ledger = carom_simulation_ledger(run.sim);
            const double lost = mu * normal * 10 * hypot(RADIUS, LEAD);
            close_checked(&run, n % 2 ? "torque that lowers" : "torque that lifts", f,
                          fmax(fabs(got / torque - 1), fabs(ledger.dissipated_friction / lost - 1)), 1e-9);
        }
}

/* A load across the axis presses the nut to the thread as well: N (f) along = mu side sin l. */
static void test_side(void **state)
{
    (void)state;
    for (int f = 0; f < 2; f++) {
        const double mu = 0.15, side = MASS * 4, arm = hypot(RADIUS, LEAD), s = LEAD / arm, c = RADIUS / arm;
        char text[1024];
        free_run run;
        double along, about;
        write_screw(text, sizeof text, mu, 0, 4, ", motion: 5*t");
        open_in(&run, text, f);
        free_run_to(&run, 1);
        of_thread(mu, 0, 1, &along, &about);
        const double normal = (MASS * G + mu * side * s) / along;
        const double torque = RADIUS * (normal * about + mu * side * c);
        const double off = fabs(free_run_get(&run, "joint.screw.drive") / torque - 1);
        close_checked(&run, "load across the axis", f,
                      fmax(off, fabs(free_run_get(&run, "joint.screw.normal") / (normal + side) - 1)), 1e-9);
    }
}

/* Let go: below the angle of friction it holds, above it runs down. m l q'' = -m g + N along, I q'' = -r N about. */
static void test_locking(void **state)
{
    (void)state;
    for (int f = 0; f < 2; f++)
        for (int n = 0; n < 3; n++) {
            const double tangent = LEAD / RADIUS, mu = n == 0 ? 1.01 * tangent : n == 1 ? 0.99 * tangent : 0.05;
            char text[1024];
            free_run run;
            double along, about;
            write_screw(text, sizeof text, mu, 0, 0, "");
            open_in(&run, text, f);
            free_run_to(&run, 0.5);
            const double q = free_run_get(&run, "joint.screw.coordinate");
            of_thread(mu, 0, -1, &along, &about);
            const double normal = MASS * G / (along + MASS * LEAD * RADIUS * about / INERTIA);
            const double expected = n ? -0.5 * RADIUS * normal * about / INERTIA * 0.25 : 0;
            close_checked(&run, n ? "runs down" : "holds", f, fabs(q - expected), n ? 1e-8 : 1e-12);
        }
}

/* Turned and let go it stops, and stays: stick is located. */
static void test_stops(void **state)
{
    (void)state;
    for (int f = 0; f < 2; f++) {
        const double mu = 0.3;
        char text[1024];
        free_run run;
        double along, about;
        write_screw(text, sizeof text, mu, 0, 0, ", rate: 40");
        open_in(&run, text, f);
        of_thread(mu, 0, 1, &along, &about);
        const double normal = MASS * G / (along + MASS * LEAD * RADIUS * about / INERTIA);
        const double slowing = RADIUS * normal * about / INERTIA, time = 40 / slowing;
        free_run_to(&run, 0.5 * time);
        double worst = fabs(free_run_get(&run, "joint.screw.rate") / 20 - 1);
        free_run_to(&run, time + 1);
        worst = fmax(worst, fabs(free_run_get(&run, "joint.screw.coordinate") / (0.5 * 40 * time) - 1));
        worst = fmax(worst, fabs(free_run_get(&run, "joint.screw.rate")));
        close_checked(&run, "stops and stays", f, worst, 1e-7);
    }
}

/* ---- wheels ---- */

#define BALL(gravity, more)                                                                                           \
    "carom: 1\ndimension: 3\ngravity: [" gravity "]\n"                                                                \
    "bodies: {ball: {mass: 2, inertia: [2*0.4*0.1^2, 2*0.4*0.1^2, 2*0.4*0.1^2], at: [0, 0, 0.1]" more "}}\n"          \
    "joints: {roll: {type: rolling, between: [ground, ball], axis: [0, 0, 1], axis2: [1, 0, 0], "                     \
    "radius: 0.1, edge: 0.1, "                                                                                        \
    "friction: {law: coulomb, kinetic: 0.02, radius: 0.03}}}\n"

/* It rolls in any direction with v' = -mu g/(1 + I/(m R^2)), and rests. */
static void test_level(void **state)
{
    (void)state;
    const double slowing = 0.02 * G / 1.4, v = 0.5, time = v / slowing;
    for (int f = 0; f < 2; f++) {
        free_run run;
        open_in(&run, BALL("0, 0, -9.81", ", velocity: [0.3, 0.4, 0], angular_velocity: [-4, 3, 0]"), f);
        free_run_to(&run, 0.5 * time);
        carom_body_state b = free_run_body(&run, "ball");
        double worst = fmax(fabs(b.velocity[0] - 0.15), fabs(b.velocity[1] - 0.2));
        /* the couple is across its way */
        worst = fmax(worst, fabs(free_run_get(&run, "joint.roll.friction.x") - 0.02 * 2 * G * 0.1 * 0.8));
        worst = fmax(worst, fabs(free_run_get(&run, "joint.roll.normal") / 2 / (2 * G) - 1));
        free_run_to(&run, time + 2);
        b = free_run_body(&run, "ball");
        worst = fmax(worst, hypot(b.position[0] - 0.3 * 0.5 * time, b.position[1] - 0.4 * 0.5 * time));
        close_checked(&run, "rolls to rest", f, worst, 1e-7);
    }
}

/* On slopes less steep than the coefficient it stays, on steeper ones g (sin a - mu cos a)/(1 + I/(m R^2)). */
static void test_slope(void **state)
{
    (void)state;
    for (int f = 0; f < 2; f++)
        for (int n = 0; n < 2; n++) {
            free_run run;
            open_in(&run, n ? BALL("0.981, 0, -9.81", "") : BALL("0.18, 0, -9.81", ""), f);
            free_run_to(&run, 2);
            const double expected = n ? 0.5 * (0.981 - 0.02 * G) / 1.4 * 4 : 0;
            const carom_body_state b = free_run_body(&run, "ball");
            close_checked(&run, n ? "rolls down" : "stays", f, fabs(b.position[0] - expected), n ? 1e-8 : 1e-12);
        }
}

/* Spun on the spot: I w' = -mu m g r. */
static void test_spin(void **state)
{
    (void)state;
    const double slowing = 0.02 * 2 * G * 0.03 / (2 * 0.4 * 0.01), time = 5 / slowing;
    for (int f = 0; f < 2; f++) {
        free_run run;
        open_in(&run, BALL("0, 0, -9.81", ", angular_velocity: [0, 0, 5]"), f);
        free_run_to(&run, 0.5 * time);
        double worst = fabs(free_run_body(&run, "ball").angular_velocity[2] - 2.5);
        free_run_to(&run, time + 1);
        worst = fmax(worst, fabs(free_run_body(&run, "ball").angular_velocity[2]));
        close_checked(&run, "spins to rest", f, worst, 1e-7);
    }
}

static void test_refusals(void **state)
{
    (void)state;
    const char *error = free_error_of_text(
        "carom: 1\ndimension: 3\nbodies: {nut: {mass: 3, inertia: [1, 1, 1]}}\njoints: {s: {type: screw, between: "
        "[ground, nut], axis: [0, 0, 1], pitch: 8*mm, friction: {law: coulomb, kinetic: 0.1}}}\nrun: {until: 1}\n");
    if (!strstr(error, "'radius' is missing"))
        fail_msg("%s", error);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_torque), cmocka_unit_test(test_side),  cmocka_unit_test(test_locking),
        cmocka_unit_test(test_stops),  cmocka_unit_test(test_level), cmocka_unit_test(test_slope),
        cmocka_unit_test(test_spin),   cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
