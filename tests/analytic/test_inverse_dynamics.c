/* Inverse dynamics: closed forms of a slider-crank and of an arm of two links, formulations, motors and friction
   against a simulation, a contact, redundant constraints and actuators, refusals; and efforts fed back as loads
   (joint-effort), with which the mechanism moves as it was prescribed. */
#include "carom_test.h"

#include <math.h>

#include "base/base.h"
#include "support/context.h"

#define MOST 12 /* actuators */

static carom_analysis *analyse_in(const carom_model *model, double until, double every, const char *formulation,
                                  const char *name)
{
    carom_run_def run = carom_default_run_def();
    carom_analysis_def def = carom_default_analysis_def();
    carom_analysis *a = NULL;
    run.analysis = name;
    run.until = until;
    run.output_every = every;
    run.formulation = formulation;
    def.run_def = &run;
    assert_ok(ctx, carom_analysis_run(ctx, model, &def, &a));
    return a;
}

/* By the run of the model. */
static carom_analysis *analyse(const carom_model *model)
{
    carom_analysis *a = NULL;
    assert_ok(ctx, carom_analysis_run(ctx, model, NULL, &a));
    return a;
}

static double number(const carom_analysis *a, const char *name)
{
    double value;
    assert_ok(ctx, carom_analysis_get(a, name, &value));
    return value;
}

static double cell(const carom_analysis *a, const char *table, size_t row, const char *column)
{
    const carom_analysis_table *t = carom_analysis_find_table(a, table);
    assert_non_null(t);
    for (size_t k = 0; k < t->column_count; k++)
        if (strcmp(t->columns[k].name, column) == 0) {
            assert_true(row < t->row_count);
            return t->cells[row * t->column_count + k].number;
        }
    fail_msg("%s has no column %s", table, column);
    return 0;
}

static size_t rows_of(const carom_analysis *a, const char *table)
{
    return carom_analysis_find_table(a, table)->row_count;
}

/* ---- closed forms ---- */

#define CRANK_GUIDE(motion, pin, guide, more)                                                      \
    "carom: 1\ndimension: 2\ngravity: [0, -9.81]\n"                                                \
    "bodies:\n"                                                                                    \
    "  crank:  {mass: 0.3, inertia: 1e-4, at: [0.019, 0.016], angle: 0.7,\n"                       \
    "           frames: {root: [-0.025, 0], tip: [0.025, 0]}}\n"                                  \
    "  rod:    {mass: 0.2, inertia: 2e-5, at: [0.09, 0.016], angle: -0.27,\n"                      \
    "           frames: {root: [-0.06, 0], tip: [0.06, 0]}}\n"                                    \
    "  slider: {mass: 0.1, inertia: 1e-4, at: [0.15, 0]}\n"                                        \
    "joints:\n"                                                                                    \
    "  main:  {type: revolute, between: [ground, crank.root]" motion "}\n"                         \
    "  pin:   {type: revolute, between: [crank.tip, rod.root]" pin "}\n"                                  \
    "  wrist: {type: revolute, between: [rod.tip, slider]}\n"                                      \
    "  guide: {type: translational, between: [ground, slider], axis: [1, 0]" guide "}\n" more

#define CRANK_PIN(motion, pin, more) CRANK_GUIDE(motion, pin, "", more)
#define CRANK(motion, more) CRANK_PIN(motion, "", more)

/* Torque of a uniform crank that turns with the rate w: the power of the inertial forces and weights over w. */
static double crank_torque(double angle, double w)
{
    const double r = 0.05, l = 0.12, s = sin(angle), c = cos(angle);
    /* of the rod: sin(b) = -(r/l) sin(angle); derivatives by the angle */
    const double sb = -r / l * s, cb = sqrt(1 - sb * sb), b1 = -r / l * c / cb,
                 b2 = (r / l * s + sb * b1 * b1) / cb;
    const double x1 = -r * s - l / 2 * sb * b1, y1 = r * c + l / 2 * cb * b1;
    const double x2 = -r * c - l / 2 * (cb * b1 * b1 + sb * b2), y2 = -r * s + l / 2 * (-sb * b1 * b1 + cb * b2);
    const double z1 = -r * s - l * sb * b1, z2 = -r * c - l * (cb * b1 * b1 + sb * b2);
    const double inertial = 0.2 * (x1 * x2 + y1 * y2) + 2e-5 * b1 * b2 + 0.1 * z1 * z2;
    return w * w * inertial + 9.81 * (0.3 * 0.025 * c + 0.2 * y1);
}

static void test_slider_crank(void **state)
{
    (void)state;
    carom_model *m = new_model(ctx, CRANK(", motion: 0.7 + 30*t", "run: {analysis: inverse-dynamics, until: 0.3}\n"));
    static const char *const formulations[] = {"cartesian", "tree"};
    for (int f = 0; f < 2; f++) {
        carom_analysis *a = analyse_in(m, 0.3, 0, formulations[f], "inverse-dynamics");
        double worst = 0;
        for (size_t k = 0; k < rows_of(a, "efforts"); k++) {
            const double wanted = crank_torque(0.7 + 30 * cell(a, "efforts", k, "t"), 30);
            worst = fmax(worst, fabs(cell(a, "efforts", k, "main") - wanted));
        }
        printf("slider-crank, %s: torque off by %.1e\n", formulations[f], worst);
        assert_true(worst < 1e-10);
        assert_true(number(a, "degrees_of_freedom") == 1 && number(a, "redundant") == 0);
        /* work is the change of energy, by Simpson's rule of 150 instants a turn */
        assert_true(fabs(number(a, "work") - number(a, "energy_change")) < 1e-6);
        assert_true(fabs(cell(a, "actuators", 0, "peak_power") -
                         30 * fabs(cell(a, "actuators", 0, "peak_effort"))) < 1e-12 ||
                    cell(a, "actuators", 0, "peak_effort") < 0);
        carom_analysis_free(a);
    }
    carom_model_free(m);
}

/* Two links as rods: with relative angles p and q, M q'' + h + g (Spong, Hutchinson, Vidyasagar 2006, section 7.4). */
#define ARM(p, q)                                                                                  \
    "carom: 1\ndimension: 2\ngravity: [0, -9.81]\n"                                                \
    "bodies:\n"                                                                                    \
    "  upper: {mass: 4, inertia: 0.1, at: [0.25, 0], frames: {root: [-0.25, 0], tip: [0.25, 0]}}\n" \
    "  lower: {mass: 2, inertia: 0.03, at: [0.7, 0], frames: {root: [-0.2, 0], tip: [0.2, 0]}}\n"  \
    "joints:\n"                                                                                    \
    "  shoulder: {type: revolute, between: [ground, upper.root]" p "}\n"                           \
    "  elbow: {type: revolute, between: [upper.tip, lower.root]" q "}\n"

static void arm_torques(double t, double *tau)
{
    const double p = 0.3 + 0.8 * sin(2 * t), p1 = 1.6 * cos(2 * t), p2 = -3.2 * sin(2 * t);
    const double q = 0.5 * cos(3 * t), q1 = -1.5 * sin(3 * t), q2 = -4.5 * cos(3 * t);
    const double m1 = 4, m2 = 2, l = 0.5, c1 = 0.25, c2 = 0.2, i1 = 0.1, i2 = 0.03, g = 9.81, c = cos(q);
    const double m22 = m2 * c2 * c2 + i2, m12 = m22 + m2 * l * c2 * c, h = -m2 * l * c2 * sin(q);
    const double m11 = m1 * c1 * c1 + i1 + m22 + m2 * (l * l + 2 * l * c2 * c);
    tau[0] = m11 * p2 + m12 * q2 + h * q1 * q1 + 2 * h * p1 * q1 + (m1 * c1 + m2 * l) * g * cos(p) +
             m2 * c2 * g * cos(p + q);
    tau[1] = m12 * p2 + m22 * q2 - h * p1 * p1 + m2 * c2 * g * cos(p + q);
}

static void test_arm(void **state)
{
    (void)state;
    /* by motions, by the targets of motors of both kinds, which stand elsewhere at the start, and in space */
    static const char *const names[] = {"motions", "motors", "motions in space"};
    static const char *const texts[] = {
        ARM(", motion: \"0.3 + 0.8*sin(2*t)\"", ", motion: \"0.5*cos(3*t)\"")
            "run: {analysis: inverse-dynamics, until: 2}\n",
        ARM("", "") "loads:\n"
                    "  a: {type: motor, on: shoulder, target: \"0.3 + 0.8*sin(2*t)\", proportional: 100}\n"
                    "  b: {type: motor, on: elbow, target: \"0.5*cos(3*t)\", control: computed-torque, limit: 3}\n"
                    "run: {analysis: inverse-dynamics, until: 2}\n",
        "carom: 1\ndimension: 3\ngravity: [0, -9.81, 0]\n"
        "bodies:\n"
        "  upper: {mass: 4, inertia: [0.2, 0.3, 0.1], at: [0.25, 0, 0],\n"
        "          frames: {root: [-0.25, 0, 0], tip: [0.25, 0, 0]}}\n"
        "  lower: {mass: 2, inertia: [0.02, 0.01, 0.03], at: [0.7, 0, 0], frames: {root: [-0.2, 0, 0]}}\n"
        "joints:\n"
        "  shoulder: {type: revolute, between: [ground, upper.root], axis: [0, 0, 1], motion: 0.3 + 0.8*sin(2*t)}\n"
        "  elbow: {type: revolute, between: [upper.tip, lower.root], axis: [0, 0, 1], motion: 0.5*cos(3*t)}\n"
        "run: {analysis: inverse-dynamics, until: 2}\n"};
    for (int n = 0; n < 3; n++) {
        carom_model *m = new_model(ctx, texts[n]);
        carom_analysis *a = analyse(m);
        double worst = 0, tau[2];
        for (size_t k = 0; k < rows_of(a, "efforts"); k++) {
            arm_torques(cell(a, "efforts", k, "t"), tau);
            worst = fmax(worst, fabs(cell(a, "efforts", k, "shoulder") - tau[0]));
            worst = fmax(worst, fabs(cell(a, "efforts", k, "elbow") - tau[1]));
        }
        assert_int_equal(rows_of(a, "remarks"), n == 1);
        if (n == 1)
            assert_non_null(strstr(carom_analysis_find_table(a, "remarks")->cells[0].text, "motor 'b' is too weak"));
        printf("arm by %s: torques off by %.1e\n", names[n], worst);
        assert_true(worst < 1e-10);
        carom_analysis_free(a);
        carom_model_free(m);
    }
}

/* ---- redundancy ---- */

#define PARALLELOGRAM(first, second, run)                                                          \
    "carom: 1\ndimension: 2\ngravity: [0, -9.81]\n"                                                \
    "bodies:\n"                                                                                    \
    "  left:  {mass: 1, inertia: 0.02, at: [0, 0.25], angle: 90*deg, frames: {root: [-0.25, 0], tip: [0.25, 0]}}\n" \
    "  right: {mass: 1, inertia: 0.02, at: [1, 0.25], angle: 90*deg, frames: {root: [-0.25, 0], tip: [0.25, 0]}}\n" \
    "  bar:   {mass: 3, inertia: 0.2, at: [0.5, 0.5], frames: {l: [-0.5, 0], r: [0.5, 0]}}\n"      \
    "joints:\n"                                                                                    \
    "  a: {type: revolute, between: [ground, left.root]" first "}\n"                               \
    "  b: {type: revolute, between: [left.tip, bar.l]}\n"                                          \
    "  c: {type: revolute, between: [bar.r, right.tip]}\n"                                         \
    "  d: {type: revolute, between: [{ground: [1, 0]}, right.root]" second "}\n" run

static void test_redundant_actuators(void **state)
{
    (void)state;
    static const char move[] = ", motion: \"90*deg + 0.4*sin(3*t)\"";
    char text[3000];
    double one[3];
    const char *const runs[] = {"run: {analysis: inverse-dynamics, until: 1}\n",
                                "run: {analysis: inverse-dynamics, until: 1, actuators: [d]}\n",
                                "run: {analysis: inverse-dynamics, until: 1, actuators: [a, d]}\n"};
    for (int n = 0; n < 4; n++) {
        snprintf(text, sizeof text, PARALLELOGRAM("%s", "%s", "%s"), move, n == 3 ? move : "", runs[n == 3 ? 0 : n]);
        carom_model *m = new_model(ctx, text);
        carom_analysis *a = analyse(m);
        for (int k = 0; k < 3; k++) {
            const size_t row = (size_t)(40 + 60 * k);
            const double e = cell(a, "efforts", row, n == 1 ? "d" : "a");
            if (n == 0)
                one[k] = e;
            /* both turn alike: another one has the same effort, two share it */
            assert_true(fabs(e - one[k] * (n < 2 ? 1 : 0.5)) < 1e-10);
            if (n >= 2)
                assert_true(fabs(cell(a, "efforts", row, "d") - e) < 1e-10);
        }
        assert_true(number(a, "spare_actuators") == (n >= 2));
        assert_true(cell(a, "actuators", 0, "unique") == (n < 2));
        assert_true(cell(a, "reactions", 1, "unique") == (n < 2));
        carom_analysis_free(a);
        carom_model_free(m);
    }
}

/* A door on two hinges: their reactions across the axis are not unique, the torque is. */
static void test_redundant_constraints(void **state)
{
    (void)state;
    carom_model *m = new_model(
        ctx, "carom: 1\ndimension: 3\ngravity: [0, 0, -9.81]\n"
             "bodies:\n  door: {mass: 20, inertia: [7, 8, 2], at: [0.4, 0, 1],\n"
             "         frames: {low: [-0.4, 0, -0.8], high: [-0.4, 0, 0.8]}}\n"
             "joints:\n"
             "  low: {type: revolute, between: [{ground: [0, 0, 0.2]}, door.low], axis: [0, 0, 1], motion: t + t^2}\n"
             "  high: {type: revolute, between: [{ground: [0, 0, 1.8]}, door.high], axis: [0, 0, 1]}\n"
             "run: {analysis: inverse-dynamics, until: 1}\n");
    carom_analysis *a = analyse(m);
    assert_true(number(a, "redundant") == 5 && number(a, "spare_actuators") == 0);
    assert_true(cell(a, "reactions", 0, "unique") == 0 && cell(a, "actuators", 0, "unique") == 1);
    const double torque = 2 * (2 + 20 * 0.4 * 0.4);
    for (size_t k = 0; k < rows_of(a, "efforts"); k += 20)
        assert_true(fabs(cell(a, "efforts", k, "low") - torque) < 1e-10);
    assert_true(number(a, "force_residual") < 1e-12);
    carom_analysis_free(a);
    carom_model_free(m);
}

/* ---- contact, friction ---- */

/* A ball that is pressed into a plane: the drive bears the rest, the force of the law is K d^(3/2). */
#define PRESSED(law, run)                                                                          \
    "carom: 1\ndimension: 2\ngravity: [0, -9.81]\n"                                                \
    "bodies: {ball: {mass: 0.5, inertia: 1e-4, at: [0, 0.0205],\n"                                 \
    "                motion: {x: 0.3*t, y: 0.0205 - 1e-3*sin(4*t)^2, angle: 0}}}\n"                \
    "shapes: {ball: {type: sphere, on: ball, radius: 20*mm},\n"                                    \
    "         floor: {type: plane, on: ground, normal: [0, 1]}}\n"                                 \
    "contacts: {hit: {between: [floor, ball], normal: {" law "}}}\n" run

static void test_contact(void **state)
{
    (void)state;
    carom_model *m = new_model(ctx, PRESSED("elastic: power, damping: none, stiffness: 1e7, exponent: 1.5",
                                            "run: {analysis: inverse-dynamics, until: 0.4}\n"));
    carom_analysis *a = analyse(m);
    double worst = 0, deepest = 0;
    for (size_t k = 0; k < rows_of(a, "efforts"); k++) {
        const double t = cell(a, "efforts", k, "t"), s = sin(4 * t), d = 1e-3 * s * s - 0.5e-3;
        const double wanted = 0.5 * (9.81 - 1e-3 * 32 * cos(8 * t)) - (d > 0 ? 1e7 * pow(d, 1.5) : 0);
        worst = fmax(worst, fabs(cell(a, "efforts", k, "ball.y") - wanted));
        deepest = fmax(deepest, d);
    }
    printf("ball pressed %.2g m into a plane: force off by %.1e N of %.3g N\n", deepest, worst,
           1e7 * pow(deepest, 1.5));
    assert_true(deepest > 4e-4 && worst < 1e-8); /* rounding of 1e-17 m at 5e5 N/m times some */
    carom_analysis_free(a);
    carom_model_free(m);
}

#define PRESS(run)                                                                                 \
    "carom: 1\ndimension: 2\ngravity: [0, -9.81]\n"                                                \
    "bodies: {ball: {mass: 0.5, inertia: 1e-4, at: [0, 0]}}\n"                                     \
    "joints: {press: {type: translational, between: [ground, ball], axis: [0, 1],\n"               \
    "                 motion: \"-1e-3*sin(4*t)^2\"}}\n"                                            \
    "shapes: {ball: {type: sphere, on: ball, radius: 20*mm},\n"                                    \
    "         floor: {type: plane, on: ground, at: [0, -0.0205], normal: [0, 1]}}\n"               \
    "contacts: {hit: {between: [floor, ball],\n"                                                   \
    "                 normal: {law: flores, stiffness: 1e7, exponent: 1.5, restitution: 0.5}}}\n" run

/* A law with the speed of the onset, which is located, and friction: as a simulation of the same motion has them,
   within its tolerance. */
static void test_impact(void **state)
{
    (void)state;
    carom_model *m = new_model(ctx, PRESSED("law: flores, stiffness: 1e7, exponent: 1.5, restitution: 0.5, "
                                            "velocity: per-impact, minimum_speed: 1e-6}, "
                                            "friction: {law: coulomb, kinetic: 0.3",
                                            "run: {until: 0.7, tolerance: 1e-11}\n"));
    carom_analysis *a = analyse_in(m, 0.7, 0.01, NULL, "inverse-dynamics");
    carom_simulation *sim;
    double worst = 0, along = 0;
    assert_ok(ctx, carom_simulation_create(ctx, m, NULL, &sim));
    for (int k = 0; k <= 70; k++) {
        double x, y;
        if (k)
            assert_ok(ctx, carom_simulation_advance(sim, 0.01 * k));
        assert_ok(ctx, carom_simulation_channel(sim, "body.ball.drive_x", &x));
        assert_ok(ctx, carom_simulation_channel(sim, "body.ball.drive_y", &y));
        worst = fmax(worst, fmax(fabs(x - cell(a, "efforts", (size_t)k, "ball.x")),
                                 fabs(y - cell(a, "efforts", (size_t)k, "ball.y"))));
        along = fmax(along, x);
    }
    printf("two impacts with friction: efforts off by %.1e N, %.3g N along\n", worst, along);
    assert_true(worst < 1e-6 && along > 10);
    carom_simulation_free(sim);
    carom_analysis_free(a);
    carom_model_free(m);
}

/* An arm whose peg of 5 mm strikes past a fixed post: the distance of their middles, and its slope by the angle. */
static double peg_distance(double angle, double *slope)
{
    const double r = 0.2, a = 0.2098, d = sqrt(r * r + a * a - 2 * r * a * cos(angle));
    *slope = r * a * sin(angle) / d;
    return d;
}

/* Work of the drive in one pass at the rate w, and its effort at the onset: F = K delta + c delta' until it would pull,
   in 1e5 middles of the way over which the surfaces overlap. */
static double pass_of_peg(double w, double *effort)
{
    const double r = 0.2, a = 0.2098, half = acos((r * r + a * a - 1e-4) / (2 * r * a));
    const int n = 100000;
    double work = 0, slope;
    peg_distance(-half, &slope);
    *effort = 1000 * w * slope * slope;
    for (int k = 0; k < n; k++) {
        const double depth = 0.01 - peg_distance(half * ((2 * k + 1.0) / n - 1), &slope);
        work -= fmax(1e6 * depth - 1000 * w * slope, 0) * slope * 2 * half / n;
    }
    return work;
}

/* Contacts of 0.65 and 3.2 ms between instants 5 and 100 ms apart: each is found, with its onset and its release. */
static void test_short_contacts(void **state)
{
    (void)state;
    static const struct {
        double rate, every;
        int passes;
    } cases[] = {{30, 0, 5}, {30, 0.1, 5}, {6, 0, 1}, {6, 1, 1}};
    for (size_t n = 0; n < CAROM_COUNT(cases); n++) {
        char text[900];
        snprintf(text, sizeof text,
                 "carom: 1\ndimension: 2\nbodies: {arm: {mass: 1, inertia: 0.01, at: [0, 0]}}\n"
                 "joints: {j: {type: revolute, between: [ground, arm], motion: \"%g*t - 1.003\"}}\n"
                 "shapes: {peg: {type: sphere, on: arm, at: [0.2, 0], radius: 5*mm},\n"
                 "         post: {type: sphere, on: ground, at: [0.2098, 0], radius: 5*mm}}\n"
                 "contacts: {c: {between: [peg, post], "
                 "normal: {law: kelvin-voigt, stiffness: 1e6, damping: 1000}}}\n"
                 "run: {until: 1}\n",
                 cases[n].rate);
        carom_model *m = new_model(ctx, text);
        carom_analysis *a = analyse_in(m, 1, cases[n].every, NULL, "inverse-dynamics");
        double peak;
        const double wanted = cases[n].passes * pass_of_peg(cases[n].rate, &peak), work = number(a, "work");
        printf("%d passes at %g rad/s: work %.6g J, off by %.1e; peak of %.5g N m off by %.1e\n", cases[n].passes,
               cases[n].rate, work, work / wanted - 1, peak, cell(a, "actuators", 0, "peak_effort") / peak - 1);
        assert_true(fabs(work / wanted - 1) < 1e-6);
        /* the onset is located within 1e-13 of the time, over which the peg moves some 1e-12 m of its way of 5 mm */
        assert_true(fabs(cell(a, "actuators", 0, "peak_effort") / peak - 1) < 1e-8);
        assert_true(fabs(number(a, "energy_change")) < 1e-12 && rows_of(a, "remarks") == 0);
        carom_analysis_free(a);
        carom_model_free(m);
    }
}

/* No step ends where a joint meets its stop, nor where dry friction turns: short ones have the kinks between them. The
   arm on 3 N m of dry friction is led 0.1 rad into a stop that gives back all, and stands where it stood. */
static void test_work_over_kinks(void **state)
{
    (void)state;
    carom_model *m = new_model(
        ctx, "carom: 1\ndimension: 2\ngravity: [0, -9.81]\n"
             "bodies: {a: {mass: 2, inertia: 0.1, at: [0.3, 0], frames: {r: [-0.3, 0]}}}\n"
             "joints: {j: {type: revolute, between: [ground, a.r], motion: \"0.25*(1 - cos(2*pi*t))\",\n"
             "             friction: {law: coulomb, kinetic: 1, constant: 3},\n"
             "             limits: {upper: 0.4, stiffness: 500, damping: 0}}}\n"
             "run: {until: 1}\n");
    carom_analysis *a = analyse_in(m, 1, 0.03, NULL, "inverse-dynamics");
    const double off = number(a, "work") - 3 * 2 * 0.5;
    printf("arm into a stop and back over dry friction: work of 3 J off by %.1e\n", off);
    assert_true(fabs(off) < 1e-6);
    carom_analysis_free(a);
    carom_model_free(m);
}

/* A motion by a record, or by an expression with a branch for what comes later, that ends with the run while it moves:
   2 kg at 0.4 m/s against 5 N s/m. The last row is that of the motion before, and kinetic energy stays. */
static void test_end_in_motion(void **state)
{
    (void)state;
    const double t[] = {0, 0.3, 0.5, 1}, x[] = {0, 0.12, 0.2, 0.4};
    const carom_spline_def record = {.name = "q", .x = t, .y = x, .count = 4};
    carom_analysis_def def = carom_default_analysis_def();
    for (int n = 0; n < 2; n++) {
        char text[600];
        snprintf(text, sizeof text,
                 "carom: 1\ndimension: 2\ninputs: {q: {unit: m}}\nbodies: {a: {mass: 2, inertia: 0.1, at: [0, 0]}}\n"
                 "joints: {x: {type: translational, between: [ground, a], axis: [1, 0], damper: {damping: 5},\n"
                 "             motion: \"%s\"}}\n"
                 "run: {analysis: inverse-dynamics, until: 1, output: {every: 0.1}}\n",
                 n ? "if(t < 1, 0.4*t, 0.4)" : "q");
        carom_model *m = new_model(ctx, text);
        carom_analysis *a = NULL;
        def.inputs = n ? NULL : &record;
        def.input_count = n ? 0 : 1;
        assert_ok(ctx, carom_analysis_run(ctx, m, &def, &a));
        for (size_t k = 0; k <= 10; k++) /* rounding of a table over 0.3 s, in a rate: 1e-15 */
            assert_true(fabs(cell(a, "efforts", k, "x") - 2) < 1e-11);
        assert_true(fabs(number(a, "energy_change")) < 1e-12 && fabs(number(a, "work") - 0.8) < 1e-12);
        carom_analysis_free(a);
        carom_model_free(m);
    }
}

/* With friction, springs and rotors on joints the efforts are those that a simulation of the same motion has. */
static void test_friction(void **state)
{
    (void)state;
    static const char text[] =
        CRANK_PIN(", motion: 0.7 + 12*t + t^2, friction: {law: coulomb, kinetic: 0.2, radius: 8*mm}",
              ", armature: 2e-4, spring: {stiffness: 0.3, free: 0.2}, damper: {damping: 0.01}",
              "run: {until: 0.4, tolerance: 1e-11}\n");
    carom_model *m = new_model(ctx, text);
    carom_analysis *a = analyse_in(m, 0.4, 0.1, NULL, "inverse-dynamics");
    carom_simulation *sim;
    assert_ok(ctx, carom_simulation_create(ctx, m, NULL, &sim));
    for (int k = 0; k <= 4; k++) {
        double drive;
        if (k)
            assert_ok(ctx, carom_simulation_advance(sim, 0.1 * k));
        assert_ok(ctx, carom_simulation_channel(sim, "joint.main.drive", &drive));
        printf("friction at %.1f s: %.12g, in the simulation %.12g\n", 0.1 * k,
               cell(a, "efforts", (size_t)k, "main"), drive);
        assert_true(fabs(drive - cell(a, "efforts", (size_t)k, "main")) < 1e-9);
    }
    carom_simulation_free(sim);
    carom_analysis_free(a);
    carom_model_free(m);
}

/* Reaction of the shoulder of the arm: the forces of inertia and weight of both links. */
static double shoulder_reaction(double t)
{
    const double p = 0.3 + 0.8 * sin(2 * t), p1 = 1.6 * cos(2 * t), p2 = -3.2 * sin(2 * t);
    const double b = p + 0.5 * cos(3 * t), b1 = p1 - 1.5 * sin(3 * t), b2 = p2 - 4.5 * cos(3 * t);
    const double along = 4 * 0.25 + 2 * 0.5; /* first moment of the masses about the shoulder [kg m] */
    const double x = along * (-cos(p) * p1 * p1 - sin(p) * p2) + 0.4 * (-cos(b) * b1 * b1 - sin(b) * b2);
    const double y = along * (-sin(p) * p1 * p1 + cos(p) * p2) + 0.4 * (-sin(b) * b1 * b1 + cos(b) * b2);
    return hypot(x, y + 6 * 9.81);
}

/* A couple between the links is taken by the elbow's effort alone, however large it is: the reactions of the shoulder,
   its friction and its effort are those without it. */
static void test_friction_beside_couple(void **state)
{
    (void)state;
    for (int power = 0; power <= 9; power++) {
        char text[2000];
        const double couple = power ? pow(10, power) : 0;
        snprintf(text, sizeof text,
                 ARM(", motion: \"0.3 + 0.8*sin(2*t)\", friction: {law: coulomb, kinetic: 0.2, radius: 50*mm}",
                     ", motion: \"0.5*cos(3*t)\"")
                 "loads: {c: {type: torque, between: [upper, lower], torque: %.17g}}\n"
                 "run: {analysis: inverse-dynamics, until: 2}\n",
                 couple);
        carom_model *m = new_model(ctx, text);
        carom_analysis *a = analyse(m);
        double first = 0, second = 0, most = 0, tau[2];
        for (size_t k = 0; k < rows_of(a, "efforts"); k++) {
            const double t = cell(a, "efforts", k, "t"), force = 0.01 * shoulder_reaction(t);
            arm_torques(t, tau);
            tau[0] += cos(2 * t) > 0 ? force : -force;
            first = fmax(first, fabs(cell(a, "efforts", k, "shoulder") - tau[0]));
            second = fmax(second, fabs(cell(a, "efforts", k, "elbow") + couple - tau[1]));
            most = fmax(most, force);
        }
        printf("friction of %.2g N m beside a couple of %.0e N m: efforts off by %.1e and %.1e N m\n", most, couple,
               first, second);
        assert_true(most > 0.6 && first < 1e-12 + 1e-14 * couple && second < 1e-12 + 1e-14 * couple);
        carom_analysis_free(a);
        carom_model_free(m);
    }
}

/* An arm on a pin with dry friction that is led to rest, to turn back, to stop, and to begin at rest: the torque is
   that of inertia and weight about the pin with mu r |R| against the motion, and none of it where the pin rests. Torque
   and friction are couples, which the pin's reaction R does not feel. */
static void test_friction_at_rest(void **state)
{
    (void)state;
    static const struct {
        const char *motion, *friction;
        double until, radius, preload, speed; /* mu r; the speed at which it holds [rad/s] */
        int form;
    } cases[] = {
        {"0.3*sin(pi*t)", "law: coulomb, kinetic: 0.1, radius: 12*mm", 2, 1.2e-3, 0, 8e-5, 0},
        {"0.3*sin(pi*t)", "law: karnopp, kinetic: 0.1, radius: 12*mm", 2, 1.2e-3, 0, 8e-2, 0},
        {"0.3*sin(pi*t)", "law: coulomb, kinetic: 0.1, radius: 12*mm, preload: 20", 2, 1.2e-3, 20, 8e-5, 0},
        {"0.3*sin(pi*t)", "law: coulomb, kinetic: 1, constant: 0.02", 2, 0, 0.02, 1e-6, 0},
        {"0.5 - 0.5*cos(pi*t)", "law: coulomb, kinetic: 0.1, radius: 12*mm", 2, 1.2e-3, 0, 8e-5, 1},
        {"(1 - t)^3", "law: coulomb, kinetic: 0.1, radius: 12*mm", 1, 1.2e-3, 0, 8e-5, 2},
    };
    for (size_t c = 0; c < CAROM_COUNT(cases); c++) {
        char text[1000];
        snprintf(text, sizeof text,
                 "carom: 1\ndimension: 2\ngravity: [0, -9.81]\n"
                 "bodies: {arm: {mass: 1, inertia: 0.01, at: [0.1, 0], frames: {o: [-0.1, 0]}}}\n"
                 "joints: {p: {type: revolute, between: [ground, arm.o], motion: \"%s\", friction: {%s}}}\n"
                 "run: {analysis: inverse-dynamics, until: %g}\n",
                 cases[c].motion, cases[c].friction, cases[c].until);
        carom_model *m = new_model(ctx, text);
        carom_analysis *a = analyse(m);
        double worst = 0;
        int at_rest = 0;
        for (size_t k = 0; k < rows_of(a, "efforts"); k++) {
            const double t = cell(a, "efforts", k, "t"), u = CAROM_PI * t;
            const double q[3][3] = {
                {0.3 * sin(u), 0.3 * CAROM_PI * cos(u), -0.3 * CAROM_PI * CAROM_PI * sin(u)},
                {0.5 - 0.5 * cos(u), 0.5 * CAROM_PI * sin(u), 0.5 * CAROM_PI * CAROM_PI * cos(u)},
                {pow(1 - t, 3), -3 * (1 - t) * (1 - t), 6 * (1 - t)}};
            const double *of = q[cases[c].form];
            const double x = 0.1 * (-cos(of[0]) * of[1] * of[1] - sin(of[0]) * of[2]);
            const double y = 0.1 * (-sin(of[0]) * of[1] * of[1] + cos(of[0]) * of[2]) + 9.81;
            const double most = cases[c].radius > 0 ? cases[c].radius * (hypot(x, y) + cases[c].preload)
                                                    : cases[c].preload;
            const bool rests = fabs(of[1]) < cases[c].speed;
            const double friction = rests ? 0 : of[1] > 0 ? most : -most;
            const double wanted = 0.02 * of[2] + 0.981 * cos(of[0]) + friction;
            worst = fmax(worst, fabs(cell(a, "efforts", k, "p") - wanted));
            at_rest += rests;
        }
        printf("%s, %s: at rest at %d instants, torque off by %.1e N m\n", cases[c].motion, cases[c].friction, at_rest,
               worst);
        assert_true(at_rest >= 1 && number(a, "sticking") == 1 && worst < 1e-12);
        carom_analysis_free(a);
        carom_model_free(m);
    }
}

/* A guide whose friction is 3 of its normal force: the rod, up to 24.6 degrees off, makes 3 tan 24.6 deg = 1.4 of the
   friction anew. The guide is named, not the pin before it. */
static void test_self_locking(void **state)
{
    (void)state;
    carom_model *m = new_model(
        ctx, CRANK_GUIDE(", motion: 0.7 + 12*t", ", friction: {law: coulomb, kinetic: 0.1, radius: 2*mm}",
                         ", friction: {law: coulomb, kinetic: 3}", "run: {analysis: inverse-dynamics, until: 0.4}\n"));
    carom_analysis *a;
    assert_refused(ctx, carom_analysis_run(ctx, m, NULL, &a), CAROM_ERROR_SOLVER, ":14:3: inverse-dynamics: at t =");
    assert_non_null(strstr(carom_context_error(ctx), "self-locking"));
    carom_model_free(m);
}

/* ---- fed back ---- */

/* The text without what stands in `, motion: "..."`. */
static void without_motions(char *text)
{
    for (char *at; (at = strstr(text, "motion: \"")) != NULL;) {
        char *end = strchr(at + strlen("motion: \""), '"');
        assert_non_null(end);
        if (at - text >= 2 && at[-2] == ',')
            at -= 2;
        memmove(at, end + 1, strlen(end + 1) + 1);
    }
}

/* Derivative at the first of five points. */
static double slope(const double *y, ptrdiff_t way, double h)
{
    return (-25 * y[0] + 48 * y[way] - 36 * y[2 * way] + 16 * y[3 * way] - 3 * y[4 * way]) / (12 * h);
}

/* The mechanism with the efforts as loads instead of the motions; returns how far it ends from the prescribed place. */
static double feed_back(const char *name, const char *prescribed, double until, size_t knots)
{
    carom_model *m = new_model(ctx, prescribed);
    carom_analysis *at_start = analyse_in(m, 0, 0, "cartesian", "assembly");
    carom_analysis *a = analyse_in(m, until, until / (double)knots, "cartesian", "inverse-dynamics");
    const carom_analysis_table *efforts = carom_analysis_find_table(a, "efforts");
    const size_t count = efforts->column_count - 1, n = efforts->row_count, size = strlen(prescribed) + 4000;
    char *text = malloc(size), part[200];
    double *table = malloc((count + 1) * n * sizeof *table);
    carom_spline_def record[MOST];
    assert_true(text && table && count <= MOST && n == knots + 1);
    /* the model with loads */
    strcpy(text, prescribed);
    without_motions(text);
    char *run = strstr(text, "\nrun:");
    assert_non_null(run);
    run[1] = '\0';
    for (int section = 0; section < 2; section++) {
        strcat(text, section ? "loads:\n" : "inputs:\n");
        for (size_t k = 0; k < count; k++) {
            const char *joint = efforts->columns[k + 1].name;
            if (section)
                snprintf(part, sizeof part, "  e_%zu: {type: joint-effort, on: %s, effort: u_%zu}\n", k, joint, k);
            else
                snprintf(part, sizeof part, "  u_%zu: 0\n", k);
            strcat(text, part);
        }
    }
    strcat(text, "run: {until: 1}\n");
    carom_model *driven = new_model(ctx, text);
    /* its records */
    char input[MOST][16];
    for (size_t k = 0; k <= count; k++)
        for (size_t r = 0; r < n; r++)
            table[k * n + r] = efforts->cells[r * (count + 1) + k].number;
    for (size_t k = 0; k < count; k++) {
        const double *y = table + (k + 1) * n, h = until / (double)knots;
        snprintf(input[k], sizeof input[k], "u_%zu", k);
        record[k] = (carom_spline_def){.name = input[k], .x = table, .y = y, .count = n, .ends = "clamped",
                                       .slopes = {slope(y, 1, h), slope(y + n - 1, -1, -h)}};
    }
    carom_run_def def_run = carom_default_run_def();
    carom_simulation_def def = carom_default_simulation_def();
    carom_simulation *sim;
    carom_state *s;
    def_run.until = until;
    def_run.tolerance = 1e-12;
    def_run.formulation = "cartesian";
    def.run_def = &def_run;
    def.inputs = record;
    def.input_count = count;
    assert_ok(ctx, carom_simulation_create(ctx, driven, &def, &sim));
    assert_ok(ctx, carom_state_create(ctx, driven, &s));
    assert_ok(ctx, carom_simulation_get_state(sim, s));
    size_t positions, velocities, end_count;
    const double *q = carom_state_positions(carom_analysis_state(at_start), &positions);
    const double *v = carom_state_velocities(carom_analysis_state(at_start), &velocities);
    assert_ok(ctx, carom_state_set_positions(s, q, positions));
    assert_ok(ctx, carom_state_set_velocities(s, v, velocities));
    assert_ok(ctx, carom_simulation_set_state(sim, s, NULL, NULL));
    assert_ok(ctx, carom_simulation_run(sim));
    assert_ok(ctx, carom_simulation_get_state(sim, s));
    const double *end = carom_state_positions(s, &end_count);
    const double *wanted = carom_state_positions(carom_analysis_state(a), &positions);
    double worst = 0;
    assert_int_equal(end_count, positions);
    for (size_t k = 0; k < positions; k++)
        worst = fmax(worst, fabs(end[k] - wanted[k]));
    printf("%s: %zu efforts fed back, off by %.1e m or rad after %.3g s\n", name, count, worst, until);
    carom_state_free(s);
    carom_simulation_free(sim);
    carom_analysis_free(a);
    carom_analysis_free(at_start);
    carom_model_free(driven);
    carom_model_free(m);
    free(table);
    free(text);
    return worst;
}

static char *read_text(const char *file)
{
    FILE *in = fopen(file, "rb");
    assert_non_null(in);
    fseek(in, 0, SEEK_END);
    const size_t size = (size_t)ftell(in);
    rewind(in);
    char *text = calloc(size + 1, 1);
    assert_true(text && fread(text, 1, size, in) == size);
    fclose(in);
    return text;
}

static void test_fed_back(void **state)
{
    (void)state;
    assert_true(feed_back("slider-crank", CRANK(", motion: \"0.7 + 12*t\"", "run: {until: 1}\n"), 0.5, 400) < 1e-8);
    assert_true(feed_back("arm", ARM(", motion: \"0.3 + 0.8*sin(2*t)\"", ", motion: \"0.5*cos(3*t)\"")
                          "run: {until: 1}\n", 1, 800) < 1e-8);
    const char *bars = PARALLELOGRAM(", motion: \"90*deg + 0.4*sin(3*t)\"", "", "run: {until: 1}\n");
    assert_true(feed_back("parallelogram", bars, 1, 400) < 1e-8);
    char text[4000];
    snprintf(text, sizeof text,
             "carom: 1\ndimension: 3\ngravity: [0, 0, -9.81]\ninclude: {file: %s/robots/iiwa.urdf}\njoints:\n",
             CAROM_MODELS);
    for (int k = 1; k <= 7; k++)
        snprintf(text + strlen(text), sizeof text - strlen(text),
                 "  lbr_iiwa_joint_%d: {motion: \"%.1f + 0.3*sin(%d*t)\"}\n", k, 0.1 * k, 1 + k % 3);
    strcat(text, "run: {until: 1}\n");
    assert_true(feed_back("iiwa", text, 0.5, 200) < 1e-8);
    assert_true(feed_back("press with contact", PRESS("run: {until: 1}\n"), 0.5, 2500) < 1e-8);
    char *stewart = read_text(CAROM_MODELS "/stewart_platform.yaml");
    assert_true(feed_back("Stewart platform", stewart, 0.2, 100) < 1e-8);
    free(stewart);
    char *delta = read_text(CAROM_MODELS "/delta_robot.yaml");
    assert_true(feed_back("delta robot", delta, 0.2, 100) < 1e-8);
    free(delta);
}

/* ---- refusals ---- */

static void refuse(const char *text, const char *part)
{
    carom_model *m = new_model(ctx, text);
    carom_analysis *a;
    assert_refused(ctx, carom_analysis_run(ctx, m, NULL, &a), CAROM_ERROR_MODEL, part);
    carom_model_free(m);
}

static void test_refusals(void **state)
{
    (void)state;
    refuse(ARM(", motion: t", "") "run: {analysis: inverse-dynamics, until: 1}\n",
           "1 independent motion is free, of joint 'elbow'");
    refuse(ARM(", motion: t", ", motion: t") "run: {analysis: inverse-dynamics, until: 1, actuators: [shoulder]}\n",
           "underactuated: the mechanism has 2 degrees of freedom, and its actuators move 1 of them; nothing makes the "
           "motion of 'elbow'");
    refuse(ARM(", motion: t", ", motion: t") "run: {analysis: inverse-dynamics, until: 1, actuators: [sholder]}\n",
           "did you mean 'shoulder'?");
    refuse(ARM(", motion: t", ", motion: t") "run: {analysis: inverse-dynamics}\n", "needs `until`");
    refuse("carom: 1\ndimension: 2\nbodies: {box: {mass: 1, inertia: 1, at: [0, 0], motion: {x: t}}}\n"
           "run: {analysis: inverse-dynamics, until: 1}\n",
           "2 independent motions are free, of body 'box'");
    carom_model *m =
        new_model(ctx, CRANK("", "loads: {m: {type: motor, on: guide, target: \"0.15 + 0.01*t\", proportional: 1}}\n"
                                 "run: {analysis: inverse-dynamics, until: 9}\n"));
    carom_analysis *a;
    assert_refused(ctx, carom_analysis_run(ctx, m, NULL, &a), CAROM_ERROR_SOLVER, "the prescribed motion cannot be");
    carom_model_free(m);
}

/* A ball of 50 mm that lies in a wall as the motion begins: what dynamics and kinematics refuse is refused, from a
   quarter of its radius on, and what they tell of is told, from a hundredth. */
static void test_overlap(void **state)
{
    (void)state;
    static const struct {
        double share;
        bool told, refused;
    } cases[] = {
        {0.009, false, false}, {0.011, true, false}, {0.24, true, false}, {0.26, true, true}, {1.2, true, true}};
    static const char *const analyses[] = {"inverse-dynamics", "dynamics", "kinematics"};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        for (int n = 0; n < 3; n++) {
            char text[900];
            snprintf(text, sizeof text,
                     "carom: 1\ndimension: 2\nbodies: {s: {mass: 1, inertia: 0.01, at: [0.4, 0]}}\n"
                     "joints: {g: {type: translational, between: [ground, s], axis: [1, 0], "
                     "motion: 0.4 + 0.01*sin(5*t)}}\n"
                     "shapes:\n  nose: {type: sphere, on: s, at: [0.05, 0], radius: 0.05}\n"
                     "  face: {type: plane, on: ground, at: [%.17g, 0], normal: [-1, 0]}\n"
                     "contacts: {hit: {between: [nose, face], normal: {law: hooke, stiffness: 1e4}}}\n"
                     "run: {analysis: %s, until: 0.1}\n",
                     0.5 - 0.05 * cases[k].share, analyses[n]);
            carom_model *m = new_model(ctx, text);
            carom_analysis *a = NULL;
            const carom_status status = carom_analysis_run(ctx, m, NULL, &a);
            assert_int_equal(status, cases[k].refused ? CAROM_ERROR_MODEL : CAROM_OK);
            if (cases[k].refused)
                assert_non_null(strstr(carom_context_error(ctx), "'nose' and 'face' overlap by"));
            else if (n == 0)
                assert_int_equal(rows_of(a, "remarks"), cases[k].told);
            carom_analysis_free(a);
            carom_model_free(m);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_slider_crank),          cmocka_unit_test(test_arm),
        cmocka_unit_test(test_redundant_actuators),   cmocka_unit_test(test_redundant_constraints),
        cmocka_unit_test(test_contact),               cmocka_unit_test(test_impact),
        cmocka_unit_test(test_short_contacts),        cmocka_unit_test(test_work_over_kinks),
        cmocka_unit_test(test_friction),              cmocka_unit_test(test_friction_beside_couple),
        cmocka_unit_test(test_friction_at_rest),      cmocka_unit_test(test_self_locking),
        cmocka_unit_test(test_fed_back),              cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_overlap),               cmocka_unit_test(test_end_in_motion),
    };
    return cmocka_run_group_tests_name("inverse dynamics", tests, begin, end);
}
