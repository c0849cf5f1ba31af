/* A point on a curve against closed forms, in both formulations: a bead on a helix, on a vertical circle and on a
   cycloid, whose period is that of any amplitude, on a hoop that turns, on a circle with friction, laps through a
   crossing, a prescribed motion, springs and stops, a rod with both ends on curves; what the curve is made of, and what
   is refused. */
#include "carom_test.h"

#include <math.h>

#include "geometry/path/path.h"
#include "model/model.h"
#include "support/free_runs.h"

#define PI 3.14159265358979323846
#define G 9.81
#define HEAD(dimension) "carom: 1\ndimension: " #dimension "\n"
#define DOWN(dimension) HEAD(dimension) "gravity: [" DOWN_##dimension "]\n"
#define DOWN_2 "0, -9.81"
#define DOWN_3 "0, 0, -9.81"
#define S "joint.wire.coordinate"
#define RATE "joint.wire.rate"
#define TOLERANCE 1e-10

static const char *const formulations[] = {"cartesian", "tree"};

/* Opens the model `text` with a run in one of the formulations. */
static void open_in(free_run *run, const char *text, int formulation)
{
    char whole[4096];
    snprintf(whole, sizeof whole, "%srun: {until: 100, formulation: %s}\n", text, formulations[formulation]);
    free_run_parse(run, whole, TOLERANCE, NULL);
}

static void close_balanced(free_run *run, const char *what, int formulation, double worst, double allowed)
{
    const carom_ledger l = carom_simulation_ledger(run->sim);
    const carom_violation v = carom_simulation_violation(run->sim);
    printf("%-24s %-9s error %.1e of %.0e  ledger %.1e  violation %.1e\n", what, formulations[formulation], worst,
           allowed, l.residual_fraction, v.position);
    assert_true(worst < allowed);
    assert_true(l.residual_fraction < 1e-8);
    assert_true(v.position < 1e-8);
    free_run_close(run);
}

/* The errors of some hundred steps of the tolerance 1e-10 that add up, of lengths and speeds of some m and m/s. */
#define ALLOWED 2e-8

/* ---- closed forms ---- */

/* s'' = g sin a, with the lead angle a; across the curve m v^2 kappa towards the axis, and m g cos a. */
static void test_helix(void **state)
{
    (void)state;
    const double rise = 1 / (2 * PI), radius = 0.5, arm = hypot(radius, rise), sine = rise / arm;
    for (int f = 0; f < 2; f++) {
        free_run run;
        double worst = 0;
        open_in(&run,
                DOWN(3) "bodies: {bead: {mass: 0.3, inertia: [1e-3, 2e-3, 3e-3], at: [0.5, 0, 10], angular_velocity: "
                        "[1, 2, 3]}}\n"
                        "joints: {wire: {type: point-on-curve, between: [ground, bead], range: [0, 60], curve: "
                        "[0.5*cos(u), 0.5*sin(u), 10 - u/(2*pi)]}}\n",
                f);
        for (int k = 0; k <= 15; k++) {
            const double t = 0.1 * k, v = G * sine * t;
            free_run_to(&run, t);
            worst = fmax(worst, fabs(free_run_get(&run, S) - 0.5 * G * sine * t * t));
            worst = fmax(worst, fabs(free_run_get(&run, RATE) - v));
            worst = fmax(worst,
                         fabs(free_run_get(&run, "joint.wire.reaction_normal") - 0.3 * v * v * radius / (arm * arm)));
            worst = fmax(worst, fabs(free_run_get(&run, "joint.wire.reaction_binormal") - 0.3 * G * radius / arm));
        }
        close_balanced(&run, "helix", f, worst, ALLOWED);
    }
}

/* Quarter of the period of a pendulum by the arithmetic-geometric mean. */
static double quarter_of(double length, double amplitude)
{
    double a = 1, b = cos(0.5 * amplitude);
    for (int k = 0; k < 20; k++) {
        const double mean = 0.5 * (a + b);
        b = sqrt(a * b);
        a = mean;
    }
    return 0.5 * PI / a * sqrt(length / G);
}

static void test_circle(void **state)
{
    (void)state;
    const double radius = 0.7, amplitude = 2.5, quarter = quarter_of(radius, amplitude);
    char text[1024];
    for (int f = 0; f < 2; f++)
        for (int space = 0; space < 2; space++) {
            free_run run;
            double worst = 0;
            snprintf(text, sizeof text,
                     space ? DOWN(3) "bodies: {bead: {mass: 2, inertia: [1, 1, 1], at: [%.17g, 0, %.17g]}}\n"
                                     "joints: {wire: {type: point-on-curve, between: [ground, bead], range: [-pi, pi], "
                                     "closed: true, curve: [0.7*sin(u), 0, -0.7*cos(u)]}}\n"
                           : DOWN(2) "bodies: {bead: {mass: 2, inertia: 1, at: [%.17g, %.17g]}}\n"
                                     "joints: {wire: {type: point-on-curve, between: [ground, bead], range: [-pi, pi], "
                                     "closed: true, curve: [0.7*sin(u), -0.7*cos(u)]}}\n",
                     radius * sin(amplitude), -radius * cos(amplitude));
            open_in(&run, text, f);
            for (int k = 0; k <= 8; k++) {
                /* at the ends of the swing, and at the bottom */
                const double at = k % 2 ? 0 : k % 4 ? -amplitude : amplitude;
                const double v = sqrt(fmax(2 * G * radius * (cos(at) - cos(amplitude)), 0));
                free_run_to(&run, k * quarter);
                worst = fmax(worst, fabs(free_run_get(&run, S) - radius * (PI + at)));
                worst = fmax(worst, fabs(fabs(free_run_get(&run, RATE)) - v));
                worst = fmax(
                    worst,
                    fabs(free_run_get(&run, "joint.wire.reaction_normal") - 2 * (G * cos(at) + v * v / radius)) / 100);
            }
            close_balanced(&run, space ? "vertical circle" : "circle in the plane", f, worst, 1e-7);
        }
}

/* s = s0 cos(sqrt(g/4a) t) from the bottom, whatever s0. */
static void test_cycloid(void **state)
{
    (void)state;
    const double a = 0.4, omega = sqrt(G / (4 * a)), end = 2.9, half = 4 * a * sin(0.5 * end);
    for (int f = 0; f < 2; f++)
        for (int n = 0; n < 3; n++) {
            static const double begin[] = {0.3, 1.5, 2.8};
            const double u = begin[n], from = 4 * a * sin(0.5 * u);
            char text[1024];
            free_run run;
            double worst = 0;
            snprintf(
                text, sizeof text,
                DOWN(2) "bodies: {bead: {mass: 0.2, inertia: 0.01, at: [%.17g, %.17g], angular_velocity: 3}}\n"
                        "joints: {wire: {type: point-on-curve, between: [ground, bead], range: [-2.9, 2.9], curve: "
                        "[0.4*(u + sin(u)), -0.4*cos(u)]}}\n",
                a * (u + sin(u)), -a * cos(u));
            open_in(&run, text, f);
            for (int k = 0; k <= 40; k++) {
                free_run_to(&run, 0.2 * k);
                worst = fmax(worst, fabs(free_run_get(&run, S) - half - from * cos(omega * 0.2 * k)));
            }
            close_balanced(&run, "cycloid", f, worst, ALLOWED);
        }
}

/* On a hoop that turns with w about its upright diameter: q'' = w^2 sin q cos q - g/R sin q. The same by the method of
   Runge and Kutta in small steps. */
static double on_hoop(double w, double radius, double q, double t)
{
    enum { STEPS = 4000 };
    const double h = t / STEPS;
    double y[2] = {q, 0};
    for (int n = 0; n < STEPS; n++) {
        double k[4][2];
        for (int i = 0; i < 4; i++) {
            const double c = i == 0 ? 0 : i == 3 ? h : 0.5 * h;
            const double at = y[0] + (i ? c * k[i - 1][0] : 0);
            k[i][0] = y[1] + (i ? c * k[i - 1][1] : 0);
            k[i][1] = w * w * sin(at) * cos(at) - G / radius * sin(at);
        }
        for (int i = 0; i < 2; i++)
            y[i] += h / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
    }
    return y[0];
}

#define HOOP(speed)                                                                                          \
    DOWN(3)                                                                                                  \
    "bodies:\n  hoop: {mass: 1, inertia: [0.08, 0.08, 0.16], frames: {middle: {at: [0, 0, 0], orientation: " \
    "{axis: [1, 0, 0], angle: 90*deg}}}, angular_velocity: [0, 0, " speed "]}\n"                             \
    "  bead: {mass: 0.5, inertia: [1e-4, 1e-4, 1e-4], at: [0.4*sin(0.5), 0, -0.4*cos(0.5)]}\njoints:\n"      \
    "  wire: {type: point-on-curve, between: [hoop.middle, bead], closed: true, range: [0, 2*pi], curve: "   \
    "[0.4*cos(u), 0.4*sin(u), 0]}\n"

static void test_hoop(void **state)
{
    (void)state;
    for (int f = 0; f < 2; f++) {
        free_run run;
        double worst = 0;
        open_in(&run, HOOP("8") "  axle: {type: revolute, between: [ground, hoop], axis: [0, 0, 1], motion: 8*t}\n", f);
        for (int k = 0; k <= 10; k++) {
            free_run_to(&run, 0.2 * k);
            const double q = free_run_get(&run, S) / 0.4 - 1.5 * PI;
            worst = fmax(worst, fabs(q - on_hoop(8, 0.4, 0.5, 0.2 * k)));
        }
        close_balanced(&run, "hoop driven", f, worst, 1e-7);
    }
    /* one that turns freely: its angular momentum about the upright stays */
    for (int f = 0; f < 2; f++) {
        free_run run;
        double worst = 0, before = 0;
        open_in(&run, HOOP("8") "  axle: {type: revolute, between: [ground, hoop], axis: [0, 0, 1], rate: 8}\n", f);
        for (int k = 0; k <= 10; k++) {
            free_run_to(&run, 0.2 * k);
            const carom_body_state b = free_run_body(&run, "bead");
            const double now = 0.08 * 0 + 0.16 * free_run_get(&run, "joint.axle.rate") +
                               0.5 * (b.position[0] * b.velocity[1] - b.position[1] * b.velocity[0]) +
                               1e-4 * b.angular_velocity[2];
            before = k ? before : now;
            worst = fmax(worst, fabs(now - before));
        }
        close_balanced(&run, "hoop free", f, worst, ALLOWED);
    }
}

/* ---- what the coordinate is ---- */

/* Without forces the speed stays, over many laps of a figure of eight through its crossing. */
static void test_laps(void **state)
{
    (void)state;
    for (int f = 0; f < 2; f++) {
        free_run run;
        double worst = 0;
        open_in(
            &run,
            HEAD(3) "bodies: {bead: {mass: 2, inertia: [1, 1, 1], at: [sin(1), sin(1)*cos(1), 0]}}\n"
                    "joints: {wire: {type: point-on-curve, between: [ground, bead], closed: true, range: [0, 2*pi], "
                    "curve: [sin(u), sin(u)*cos(u), 0], rate: 2.5}}\n",
            f);
        const double from = free_run_get(&run, S);
        for (int k = 0; k <= 40; k++) {
            free_run_to(&run, k);
            worst = fmax(worst, fabs(free_run_get(&run, S) - from - 2.5 * k) / (1 + k));
        }
        assert_true(free_run_get(&run, S) > 16 * 6);
        close_balanced(&run, "figure of eight", f, worst, ALLOWED);
    }
}

/* The zero counts, and the motion is along the curve; its effort m (s'' + g z'). */
static void test_motion(void **state)
{
    (void)state;
    const double sine = 1 / (2 * PI) / hypot(0.5, 1 / (2 * PI));
    for (int f = 0; f < 2; f++) {
        free_run run;
        double worst = 0;
        open_in(&run,
                DOWN(3) "bodies: {bead: {mass: 0.3, inertia: [1, 1, 1], at: [0.5, 0, 0]}}\n"
                        "joints: {wire: {type: point-on-curve, between: [ground, bead], range: [-20, 20], zero: "
                        "20*sqrt(0.25 + 1/(4*pi^2)), motion: 2*sin(t), curve: [0.5*cos(u), 0.5*sin(u), u/(2*pi)]}}\n",
                f);
        for (int k = 0; k <= 20; k++) {
            const double t = 0.3 * k;
            free_run_to(&run, t);
            worst = fmax(worst, fabs(free_run_get(&run, S) - 2 * sin(t)));
            worst = fmax(worst, fabs(free_run_get(&run, "joint.wire.drive") - 0.3 * (G * sine - 2 * sin(t))));
        }
        close_balanced(&run, "motion", f, worst, ALLOWED);
    }
}

/* A spring along a curve without gravity: s'' = -k/m s, whatever the curve; and an armature as so much more mass. */
static void test_spring(void **state)
{
    (void)state;
    for (int f = 0; f < 2; f++)
        for (int rotor = 0; rotor < 2; rotor++) {
            char text[1024];
            free_run run;
            double worst = 0;
            snprintf(text, sizeof text,
                     HEAD(3) "bodies: {bead: {mass: 0.5, inertia: [1, 1, 1], at: [0, 0, 0]}}\n"
                             "joints: {wire: {type: point-on-curve, between: [ground, bead], range: [-3, 3], curve: "
                             "[u, sin(u), 0.3*u^2], rate: 2, zero: 0, spring: {stiffness: 8}%s}}\n",
                     rotor ? ", armature: 1.5" : "");
            open_in(&run, text, f);
            const double zero = free_run_get(&run, S), omega = sqrt(8 / (rotor ? 2 : 0.5));
            free_run_close(&run);
            /* the middle of the curve is its zero */
            snprintf(text, sizeof text,
                     HEAD(3) "bodies: {bead: {mass: 0.5, inertia: [1, 1, 1], at: [0, 0, 0]}}\n"
                             "joints: {wire: {type: point-on-curve, between: [ground, bead], range: [-3, 3], curve: "
                             "[u, sin(u), 0.3*u^2], rate: 2, zero: %.17g, spring: {stiffness: 8, free: 0}%s}}\n",
                     zero, rotor ? ", armature: 1.5" : "");
            open_in(&run, text, f);
            for (int k = 0; k <= 30; k++) {
                free_run_to(&run, 0.2 * k);
                worst = fmax(worst, fabs(free_run_get(&run, S) - 2 / omega * sin(omega * 0.2 * k)));
            }
            close_balanced(&run, rotor ? "spring and rotor" : "spring", f, worst, ALLOWED);
        }
}

/* An open curve has stops at its ends. */
static void test_ends(void **state)
{
    (void)state;
    for (int f = 0; f < 2; f++) {
        free_run run;
        size_t count;
        open_in(&run,
                HEAD(3) "bodies: {bead: {mass: 1, inertia: [1, 1, 1], at: [0, 0, 0]}}\n"
                        "joints: {wire: {type: point-on-curve, between: [ground, bead], rate: 2, points: [[0, 0, 0], "
                        "[1, 0, 0], [3, 0, 0]]}}\n",
                f);
        free_run_to(&run, 10);
        const carom_fired_event *row = carom_simulation_fired_events(run.sim, &count);
        assert_true(count >= 3);
        assert_string_equal(row[0].action, "upper limit met");
        assert_string_equal(row[2].action, "lower limit met");
        close_balanced(&run, "ends", f, fabs(row[0].time - 1.5), 1e-9);
    }
}

/* ---- friction ---- */

/* On a circle without gravity v' = -mu v^2/R: v = v0/(1 + mu v0 t/R). On a straight curve down a slope
   g (sin a - mu cos a), or nothing. */
static void test_friction(void **state)
{
    (void)state;
    for (int f = 0; f < 2; f++) {
        free_run run;
        double worst = 0;
        open_in(
            &run,
            HEAD(3) "bodies: {bead: {mass: 0.5, inertia: [1e-3, 1e-3, 1e-3], at: [0.4, 0, 0]}}\n"
                    "joints: {wire: {type: point-on-curve, between: [ground, bead], closed: true, range: [0, 2*pi], "
                    "rate: 3, curve: [0.4*cos(u), 0.4*sin(u), 0], friction: {law: coulomb, kinetic: 0.2}}}\n",
            f);
        for (int k = 0; k <= 20; k++) {
            const double t = 0.2 * k, slow = 1 + 0.2 * 3 * t / 0.4;
            free_run_to(&run, t);
            worst = fmax(worst, fabs(free_run_get(&run, RATE) - 3 / slow));
            worst = fmax(worst, fabs(free_run_get(&run, S) - 0.4 / 0.2 * log(slow)));
            worst = fmax(worst, fabs(free_run_get(&run, "joint.wire.friction") + 0.2 * 0.5 * 9 / slow / slow / 0.4));
        }
        close_balanced(&run, "friction on a circle", f, worst, ALLOWED);
    }
    for (int f = 0; f < 2; f++)
        for (int n = 0; n < 2; n++) {
            const double mu = n ? 0.3 : 0.8;
            char text[1024];
            free_run run;
            snprintf(
                text, sizeof text,
                DOWN(3) "bodies: {bead: {mass: 0.5, inertia: [1, 1, 1], at: [0, 0, 0]}}\n"
                        "joints: {wire: {type: point-on-curve, between: [ground, bead], points: [[0, 0, 0], [4, 0, "
                        "-3], [40, 0, -30]], friction: {law: coulomb, kinetic: %g}}}\n",
                mu);
            open_in(&run, text, f);
            free_run_to(&run, 1);
            const double expected = n ? 0.5 * G * (0.6 - mu * 0.8) : 0;
            const double off = fabs(free_run_get(&run, S) - expected);
            if (n)
                close_balanced(&run, "slides down", f, off, ALLOWED);
            else {
                printf("holds: creeps by %.1e m\n", off); /* nothing moves: no energy to compare with */
                assert_true(off < 1e-12);
                free_run_close(&run);
            }
        }
}

/* ---- loops ---- */

/* A rod with its ends on two straight curves moves as with both on the lines of point-in-line joints. */
static void test_rod(void **state)
{
    (void)state;
    static const char body[] =
        DOWN(3) "bodies: {rod: {mass: 2, inertia: [0.2, 0.01, 0.2], at: [0.3, 0, 0.4], orientation: {axis: [0, 1, 0], "
                "angle: \"-atan2(0.3, 0.4)\"}}}\njoints:\n";
    double at[2][2][2];
    for (int f = 0; f < 2; f++)
        for (int n = 0; n < 2; n++) {
            char text[2048];
            free_run run;
            snprintf(
                text, sizeof text, "%s%s", body,
                n ? "  wire: {type: point-on-curve, between: [ground, {rod: [0, 0, 0.5]}], points: [[0, 0, -3], [0, "
                    "0, 3]]}\n"
                    "  floor: {type: point-on-curve, between: [ground, {rod: [0, 0, -0.5]}], points: [[-3, 0, 0], "
                    "[1, 0, 0], [3, 0, 0]]}\n"
                  : "  wire: {type: point-in-line, between: [ground, {rod: [0, 0, 0.5]}], axis: [0, 0, 1], zero: "
                    "-3}\n"
                    "  floor: {type: point-in-line, between: [ground, {rod: [0, 0, -0.5]}], axis: [1, 0, 0], zero: "
                    "-3}\n");
            open_in(&run, text, f);
            free_run_to(&run, 2);
            at[f][n][0] = free_run_get(&run, S);
            at[f][n][1] = free_run_get(&run, "joint.floor.rate");
            close_balanced(&run, n ? "rod on curves" : "rod on lines", f, 0, 1);
        }
    for (int k = 0; k < 2; k++) {
        assert_true(fabs(at[0][0][k] - at[0][1][k]) < 1e-7);
        assert_true(fabs(at[1][1][k] - at[0][1][k]) < 1e-7);
    }
}

/* ---- what it is made of ---- */

/* A circle through points: the spline's radius and length are right within its fourth order. */
static void test_points(void **state)
{
    (void)state;
    double off[2];
    for (int n = 0; n < 2; n++) {
        const int count = n ? 48 : 24;
        char text[8192];
        size_t length = 0;
        free_run run;
        length += (size_t)snprintf(text, sizeof text,
                                   HEAD(2) "bodies: {bead: {mass: 1, inertia: 1, at: [1, 0]}}\njoints: {wire: {type: "
                                           "point-on-curve, between: [ground, bead], rate: 1, closed: true, points: [");
        for (int k = 0; k < count; k++)
            length += (size_t)snprintf(text + length, sizeof text - length, "%s[%.17g, %.17g]", k ? ", " : "",
                                       cos(2 * PI * k / count), sin(2 * PI * k / count));
        snprintf(text + length, sizeof text - length, "]}}\nrun: {until: 100}\n");
        free_run_parse(&run, text, TOLERANCE, NULL);
        free_run_to(&run, 2.1);
        const carom_body_state b = free_run_body(&run, "bead");
        off[n] = fabs(hypot(b.position[0], b.position[1]) - 1) + fabs(atan2(b.position[1], b.position[0]) - 2.1);
        free_run_close(&run);
    }
    printf("circle of 24 and 48 points: off by %.1e and %.1e\n", off[0], off[1]);
    assert_true(off[0] < 1e-4 && off[1] < off[0] / 8);
}

#define BEAD2 \
    HEAD(2) "bodies: {bead: {mass: 1, inertia: 1}}\njoints: {wire: {type: point-on-curve, between: [ground, bead]"
#define BEAD3 \
    HEAD(3)   \
    "bodies: {bead: {mass: 1, inertia: [1, 1, 1]}}\njoints: {wire: {type: point-on-curve, between: [ground, bead]"

static void test_refusals(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {BEAD2 "}}\nrun: {until: 1}\n", "it needs the curve: 'points', or 'curve' with its 'range'"},
        {BEAD2 ", points: [[0, 0], [1, 0]], curve: [u, 0], range: [0, 1]}}\nrun: {until: 1}\n",
         "either 'points' or 'curve'"},
        {BEAD2 ", points: [[0, 0], [1, 0]], range: [0, 1]}}\nrun: {until: 1}\n", "'range' is that of the parameter"},
        {BEAD2 ", curve: [u, 0]}}\nrun: {until: 1}\n", "needs 'range'"},
        {BEAD2 ", curve: [u, 0], range: [1, 0]}}\nrun: {until: 1}\n", "needs 'range'"},
        {BEAD2 ", curve: [u, abs(u)], range: [-1, 1.1]}}\nrun: {until: 1}\n", "has a kink"},
        {BEAD2 ", curve: [u - sin(u), cos(u)], range: [-1, 1]}}\nrun: {until: 1}\n", "u = 0: the curve stands still"},
        {BEAD2 ", curve: [cos(u), sin(u)], range: [0, 6], closed: true}}\nrun: {until: 1}\n", "ends where it begins"},
        {BEAD2 ", curve: [cos(u), 2*u], range: [0, 6], closed: yes}}\nrun: {until: 1}\n", "closed"},
        {BEAD2 ", curve: [u^2, u^3 - u], range: [-1, 1], closed: true}}\nrun: {until: 1}\n",
         "same tangent and curvature"},
        {BEAD2 ", curve: [1/u, u], range: [-1, 1]}}\nrun: {until: 1}\n", "not finite"},
        {BEAD2 ", curve: [1, 2], range: [-1, 1]}}\nrun: {until: 1}\n", "a single point"},
        {BEAD2 ", curve: [u, t], range: [-1, 1]}}\nrun: {until: 1}\n", "t"},
        {BEAD2 ", curve: [u, v], range: [-1, 1]}}\nrun: {until: 1}\n", "no parameter or constant 'v'"},
        {BEAD2 ", curve: [u, 2, 3], range: [-1, 1]}}\nrun: {until: 1}\n", "a list of 2 expressions"},
        {BEAD3 ", curve: [u, 2], range: [-1, 1]}}\nrun: {until: 1}\n", "a list of 3 expressions"},
        {BEAD3 ", points: [[0, 0], [1, 0]]}}\nrun: {until: 1}\n", "[x, y, z]"},
        {BEAD2 ", points: [[0, 0], [1, 0], [1, 0]]}}\nrun: {until: 1}\n", "point 3: two points that follow"},
        {BEAD2 ", points: [[0, 0], [1, 0], [1, 1], [0, 0]], closed: true}}\nrun: {until: 1}\n", "given once"},
        {BEAD2 ", points: [[0, 0], [1, 0]], closed: true}}\nrun: {until: 1}\n", "three points or more"},
        {BEAD2 ", points: [[0, 0]]}}\nrun: {until: 1}\n", "two points or more"},
        {BEAD2 ", points: [[0, 0], [1, 0]], start: 2}}\nrun: {until: 1}\n", "the curve is 1 m long"},
        {BEAD2 ", points: [[0, 0], [1, 0]], axis: [1, 0]}}\nrun: {until: 1}\n", "axis"},
        {"parameters: {u: 1}\n" BEAD2 ", curve: [u, 0], range: [0, 1]}}\nrun: {until: 1}\n", "rename"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        const char *error = free_error_of_text(cases[k][0]);
        if (!strstr(error, cases[k][1]))
            fail_msg("case %zu: '%s' does not say '%s'", k, error, cases[k][1]);
    }
}

/* Where the foot jumps, as to the other side of a flat ellipse, its lap is the one that is nearest to where it was. */
static void test_foot_jumps(void **state)
{
    (void)state;
    carom_context *ctx = new_context();
    carom_model *model =
        new_model(ctx, DOWN(2) "bodies: {bead: {mass: 1, inertia: 1e-3, at: [1, 0]}}\n"
                               "joints: {wire: {type: point-on-curve, between: [ground, bead], closed: true, "
                               "range: [0, 2*pi], curve: [cos(u), 0.1*sin(u)]}}\nrun: {until: 1}\n");
    const carom_model_joint *wire = &model->joints[0];
    const carom_frame_pose i = {.axes = carom_m3_identity()};
    carom_frame_pose up = i, down = i;
    up.p = carom_v3(0.3, 0.1 * sqrt(1 - 0.3 * 0.3), 0);
    down.p = carom_v3(0.3, -up.p.y, 0);
    const double length = wire->p[CAROM_PATH_LENGTH];
    const double from = wire->kind->follow(wire->p, &i, &up, 0.2 * length);
    assert_true(from > 0.1 * length && from < 0.25 * length);
    /* it starts at (1, 0), to which the ellipse is alike on both sides */
    for (int lap = -3; lap < 4; lap++) {
        assert_true(fabs(wire->kind->follow(wire->p, &i, &up, from + lap * length) - from - lap * length) < 1e-9);
        assert_true(fabs(wire->kind->follow(wire->p, &i, &down, from + lap * length) + from - lap * length) < 1e-9);
    }
    carom_model_free(model);
    carom_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_helix),  cmocka_unit_test(test_circle), cmocka_unit_test(test_cycloid),
        cmocka_unit_test(test_hoop),   cmocka_unit_test(test_laps),   cmocka_unit_test(test_motion),
        cmocka_unit_test(test_spring), cmocka_unit_test(test_ends),   cmocka_unit_test(test_friction),
        cmocka_unit_test(test_rod),    cmocka_unit_test(test_points), cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_foot_jumps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
