/* Analysis kinematics against closed forms, of which velocities and accelerations are exact derivatives: slider-crank,
   four-bar linkage, universal joint. Singular positions of parallelograms are found at their times, passed on the
   branch or stopped at; a way that ends, a motion that is not prescribed and an integrator are refused. */
#include "carom_test.h"

#include <math.h>

#include "support/free_runs.h"

#define PI 3.14159265358979323846

/* ---- value and two derivatives by time ---- */

typedef struct jet {
    double x, v, a;
} jet;

static jet make(double x, double v, double a) { return (jet){x, v, a}; }
static jet add(jet f, double c, jet g) { return make(f.x + c * g.x, f.v + c * g.v, f.a + c * g.a); }
static jet number(double c) { return make(c, 0, 0); }

static jet times(jet f, jet g)
{
    return make(f.x * g.x, f.v * g.x + f.x * g.v, f.a * g.x + 2 * f.v * g.v + f.x * g.a);
}

/* h(f) of the derivatives of h. */
static jet chain(jet f, double h, double h1, double h2) { return make(h, h1 * f.v, h2 * f.v * f.v + h1 * f.a); }
static jet sine(jet f) { return chain(f, sin(f.x), cos(f.x), -sin(f.x)); }
static jet cosine(jet f) { return chain(f, cos(f.x), -sin(f.x), -cos(f.x)); }
static jet root(jet f) { return chain(f, sqrt(f.x), 0.5 / sqrt(f.x), -0.25 / (f.x * sqrt(f.x))); }
static jet inverse(jet f) { return chain(f, 1 / f.x, -1 / (f.x * f.x), 2 / (f.x * f.x * f.x)); }

static jet arc_cosine(jet f)
{
    const double s = sqrt(1 - f.x * f.x);
    return chain(f, acos(f.x), -1 / s, -f.x / (s * s * s));
}

/* The angle of (x, y), from the derivatives of y/x. */
static jet angle(jet y, jet x)
{
    const double r = x.x * x.x + y.x * y.x, rate = (x.x * y.v - y.x * x.v) / r;
    const double change = (x.x * y.a - y.x * x.a) / r - 2 * rate * (x.x * x.v + y.x * y.v) / r;
    return make(atan2(y.x, x.x), rate, change);
}

/* 0.4 + 3 t + 0.5 sin(2 t) */
static jet drive(double t) { return make(0.4 + 3 * t + 0.5 * sin(2 * t), 3 + cos(2 * t), -2 * sin(2 * t)); }
#define DRIVE "0.4 + 3*t + 0.5*sin(2*t)"

static const char *const formulations[] = {"cartesian", "tree"};

/* Largest differences of a coordinate, its rate and its acceleration, of their scales. */
static void compare(free_run *run, const char *position, const char *velocity, const char *acceleration, jet expected,
                    jet scale, jet *worst)
{
    const double turn = remainder(free_run_get(run, position) - expected.x, scale.x == 1 ? 2 * PI : HUGE_VAL);
    worst->x = fmax(worst->x, fabs(turn) / scale.x);
    worst->v = fmax(worst->v, fabs(free_run_get(run, velocity) - expected.v) / scale.v);
    worst->a = fmax(worst->a, fabs(free_run_get(run, acceleration) - expected.a) / scale.a);
}

static void judge(const char *what, const char *formulation, const free_run *run, jet worst)
{
    const carom_ledger l = carom_simulation_ledger(run->sim);
    printf("%-14s %-9s position %.1e, velocity %.1e, acceleration %.1e of 1e-10, energy residual %.1e\n", what,
           formulation, worst.x, worst.v, worst.a, l.residual_fraction);
    assert_true(worst.x < 1e-12 && worst.v < 1e-11 && worst.a < 1e-10);
    assert_true(l.residual_fraction < 1e-8);
}

/* ---- slider-crank, four-bar linkage ---- */

static void test_slider_crank(void **state)
{
    (void)state;
    for (int f = 0; f < 2; f++) {
        char text[1600];
        free_run run;
        jet worst = {0, 0, 0}, turned = {0, 0, 0};
        const double r = 0.1, l = 0.25;
        snprintf(text, sizeof text,
                 "carom: 1\ndimension: 2\ngravity: [0, -9.81]\n"
                 "parameters: {r: 0.1, l: 0.25, th: 0.4, b: asin(r*sin(th)/l)}\n"
                 "bodies:\n"
                 "  crank: {mass: 1, inertia: 1e-3, at: [0, 0], angle: th, frames: {tip: [r, 0]}}\n"
                 "  rod: {mass: 2, inertia: 0.01, at: [r*cos(th) + 0.1*cos(b), r*sin(th) - 0.1*sin(b)], angle: -b,\n"
                 "        frames: {root: [-0.1, 0], tip: [0.15, 0]}}\n"
                 "  slider: {mass: 3, inertia: 1e-3, at: [r*cos(th) + l*cos(b), 0]}\n"
                 "joints:\n"
                 "  A: {type: revolute, between: [ground, crank], motion: %s}\n"
                 "  B: {type: revolute, between: [crank.tip, rod.root]}\n"
                 "  C: {type: revolute, between: [rod.tip, slider]}\n"
                 "  G: {type: translational, between: [ground, slider], axis: [1, 0]}\n"
                 "run: {analysis: kinematics, until: 4, formulation: %s}\n",
                 DRIVE, formulations[f]);
        free_run_parse(&run, text, 0, NULL);
        for (int k = 0; k <= 40; k++) {
            const double t = 0.1 * k;
            free_run_to(&run, t);
            const jet s = sine(drive(t)), c = cosine(drive(t));
            const jet along = root(add(number(l * l), -r * r, times(s, s)));
            const jet x = add(along, r, c), lean = angle(add(number(0), -r, s), along);
            compare(&run, "body.slider.position.x", "body.slider.velocity.x", "body.slider.acceleration.x", x,
                    make(r, 4 * r, 16 * r), &worst);
            compare(&run, "body.rod.angle", "body.rod.angular_velocity", "body.rod.angular_acceleration", lean,
                    make(1, 2, 8), &turned);
        }
        judge("slider", formulations[f], &run, worst);
        judge("rod", formulations[f], &run, turned);
        free_run_close(&run);
    }
}

static void test_four_bar(void **state)
{
    (void)state;
    const double a = 0.3, b = 1.0, c = 0.8, d = 1.1;
    for (int f = 0; f < 2; f++) {
        char text[2000];
        free_run run;
        jet worst = {0, 0, 0};
        snprintf(text, sizeof text,
                 "carom: 1\ndimension: 2\ngravity: [0, -9.81]\n"
                 "parameters: {a: 0.3, b: 1, c: 0.8, d: 1.1, th: 0.4, Bx: a*cos(th), By: a*sin(th),\n"
                 "  e: 'hypot(d - Bx, By)', k: 'atan2(-By, d - Bx) + acos((b^2 + e^2 - c^2)/(2*b*e))',\n"
                 "  Cx: Bx + b*cos(k), Cy: By + b*sin(k)}\n"
                 "bodies:\n"
                 "  crank: {mass: 1, inertia: 0.01, at: [Bx/2, By/2], angle: th,\n"
                 "          frames: {root: [-a/2, 0], tip: [a/2, 0]}}\n"
                 "  rod: {mass: 2, inertia: 0.1, at: [(Bx + Cx)/2, (By + Cy)/2], angle: k,\n"
                 "        frames: {root: [-b/2, 0], tip: [b/2, 0]}}\n"
                 "  rocker: {mass: 1.5, inertia: 0.1, at: [(d + Cx)/2, Cy/2], angle: 'atan2(Cy, Cx - d)',\n"
                 "           frames: {root: [-c/2, 0], tip: [c/2, 0]}}\n"
                 "joints:\n"
                 "  A: {type: revolute, between: [ground, crank.root], motion: %s}\n"
                 "  B: {type: revolute, between: [crank.tip, rod.root]}\n"
                 "  C: {type: revolute, between: [rod.tip, rocker.tip]}\n"
                 "  D: {type: revolute, between: [{ground: [d, 0]}, rocker.root]}\n"
                 "run: {analysis: kinematics, until: 4, formulation: %s}\n",
                 DRIVE, formulations[f]);
        free_run_parse(&run, text, 0, NULL);
        for (int n = 0; n <= 40; n++) {
            const double t = 0.1 * n;
            free_run_to(&run, t);
            const jet q = drive(t), dx = add(number(d), -a, cosine(q)), dy = add(number(0), -a, sine(q));
            const jet square = add(times(dx, dx), 1, times(dy, dy));
            const jet beyond = add(number(b * b - c * c), 1, square);
            const jet lean = add(angle(dy, dx), 1,
                                 arc_cosine(times(times(beyond, number(0.5 / b)), inverse(root(square)))));
            const jet tip_x = add(times(number(a), cosine(q)), b, cosine(lean)),
                      tip_y = add(times(number(a), sine(q)), b, sine(lean));
            compare(&run, "body.rocker.angle", "body.rocker.angular_velocity", "body.rocker.angular_acceleration",
                    angle(tip_y, add(tip_x, -1, number(d))), make(1, 4, 16), &worst);
        }
        judge("rocker", formulations[f], &run, worst);
        free_run_close(&run);
    }
}

/* ---- universal joint between shafts at an angle ---- */

static void test_universal(void **state)
{
    (void)state;
    const double bend = 35 * PI / 180;
    for (int f = 0; f < 2; f++) {
        char text[1600];
        free_run run;
        jet worst = {0, 0, 0};
        snprintf(text, sizeof text,
                 "carom: 1\ndimension: 3\n"
                 "parameters: {bend: 35*deg}\n"
                 "bodies:\n"
                 "  first: {mass: 1, inertia: [0.01, 0.02, 0.02], at: [-0.1, 0, 0]}\n"
                 "  second: {mass: 1, inertia: [0.01, 0.02, 0.02], at: [0.1*cos(bend), 0.1*sin(bend), 0],\n"
                 "           orientation: {axis: [0, 0, 1], angle: bend}}\n"
                 "joints:\n"
                 "  in: {type: revolute, between: [{ground: [-0.1, 0, 0]}, first], axis: [1, 0, 0], motion: %s - 0.4}\n"
                 "  cross: {type: universal, between: [{first: [0.1, 0, 0]}, {second: [-0.1, 0, 0]}],\n"
                 "          axis: [0, 0, 1], axis2: ['-sin(bend)', cos(bend), 0]}\n"
                 "  out: {type: revolute, between: [{ground: [0.1*cos(bend), 0.1*sin(bend), 0]}, second],\n"
                 "        axis: [cos(bend), sin(bend), 0]}\n"
                 "run: {analysis: kinematics, until: 3, formulation: %s}\n",
                 DRIVE, formulations[f]);
        free_run_parse(&run, text, 0, NULL);
        for (int k = 0; k <= 30; k++) {
            const double t = 0.1 * k;
            free_run_to(&run, t);
            const jet q = add(drive(t), -0.4, number(1));
            /* tan(out) = cos(bend) tan(in) or tan(in)/cos(bend), as the fork of the first shaft stands at 0: it stands
               along z, in the normal of both shafts' plane */
            const jet out = angle(sine(q), times(number(1 / cos(bend)), cosine(q)));
            compare(&run, "joint.out.coordinate", "joint.out.rate", "body.second.angular_acceleration.x",
                    make(out.x, out.v, out.a * cos(bend)), make(1, 5, 25), &worst);
        }
        judge("universal", formulations[f], &run, worst);
        free_run_close(&run);
    }
}

/* ---- singular positions ---- */

/* Parallelograms side by side, whose first crank turns by 1.1 + 2 t + 0.3 t^2. */
static void parallelograms(char *text, size_t size, int count, const char *more)
{
    snprintf(text, size,
             "carom: 1\ndimension: 2\ngravity: [0, -9.81]\n"
             "parameters: {a: 0.3, d: 0.8, th: 1.1, n: %d}\n"
             "bodies:\n"
             "  crank: {copies: n + 1, mass: 1, inertia: 0.01, angle: th, frames: {root: [-a/2, 0], tip: [a/2, 0]},\n"
             "          at: ['(copy - 1)*d + a/2*cos(th)', a/2*sin(th)]}\n"
             "  bar: {copies: n, mass: 2, inertia: 0.2, frames: {root: [-d/2, 0], tip: [d/2, 0]},\n"
             "        at: ['(copy - 0.5)*d + a*cos(th)', a*sin(th)]}\n"
             "joints:\n"
             "  drive: {type: revolute, between: [ground, crank_1.root], motion: 1.1 + 2*t + 0.3*t^2}\n"
             "  left: {copies: n, type: revolute, between: ['crank_$copy.tip', 'bar_$copy.root']}\n"
             "%s"
             "run: {analysis: kinematics, until: 4%s}\n",
             count,
             count == 1
                 ? "  right: {type: revolute, between: [bar_1.tip, crank_2.tip]}\n"
                   "  pivot: {type: revolute, between: [{ground: [d, 0]}, crank_2.root]}\n"
                 : "  right_1: {type: revolute, between: [bar_1.tip, crank_2.tip]}\n"
                   "  right_2: {type: revolute, between: [bar_2.tip, crank_3.tip]}\n"
                   "  pivot_1: {type: revolute, between: [{ground: [d, 0]}, crank_2.root]}\n"
                   "  pivot_2: {type: revolute, between: [{ground: [2*d, 0]}, crank_3.root]}\n",
             more);
}

static bool is_told_passed(const free_run *run)
{
    size_t count;
    const char *const *warnings = carom_simulation_warnings(run->sim, &count);
    for (size_t k = 0; k < count; k++)
        if (strstr(warnings[k], "has passed a singular position"))
            return true;
    return false;
}

/* Time at which the crank comes to an angle. */
static double time_of(double turn) { return (-2 + sqrt(4 + 1.2 * (turn - 1.1))) / 0.6; }

static void test_parallelograms(void **state)
{
    (void)state;
    for (int count = 1; count <= 2; count++)
        for (int f = 0; f < 2; f++) {
            char text[2400], more[60];
            free_run run;
            size_t events;
            double late = 0;
            snprintf(more, sizeof more, ", formulation: %s", formulations[f]);
            parallelograms(text, sizeof text, count, more);
            free_run_parse(&run, text, 0, NULL);
            free_run_to(&run, 4);
            const carom_fired_event *rows = carom_simulation_fired_events(run.sim, &events);
            for (size_t k = 0; k < events; k++)
                late = fmax(late, fabs(rows[k].time - time_of(PI * (double)(k + 1))));
            const double off = free_run_get(&run, "body.crank_2.angle") - (1.1 + 8 + 4.8);
            const carom_ledger l = carom_simulation_ledger(run.sim);
            printf("%d parallelogram%s %-9s %zu singular positions within %.1e s, branch kept within %.1e rad, energy "
                   "residual %.1e\n",
                   count, count > 1 ? "s" : "", formulations[f], events, late, off, l.residual_fraction);
            assert_int_equal(events, 4);
            assert_true(is_told_passed(&run));
            assert_true(late < 1e-9 && fabs(off) < 1e-12 && l.residual_fraction < 1e-8);
            free_run_close(&run);
        }
}

static void test_stop(void **state)
{
    (void)state;
    char text[2400];
    free_run run;
    parallelograms(text, sizeof text, 1, ", singular: stop");
    free_run_parse(&run, text, 0, NULL);
    free_run_to(&run, 4);
    const double off = carom_simulation_statistics(run.sim).time - time_of(PI);
    printf("stopped within %.1e s of the singular position\n", fabs(off));
    assert_true(fabs(off) < 1e-9);
    assert_non_null(carom_simulation_stopped_by(run.sim));
    free_run_close(&run);
}

/* A motion by forces: the row of four-bars of IFToMM A02 falls through its flat positions. */
static void test_passed_by_inertia(void **state)
{
    (void)state;
    enum { PASSED = 10 };
    double times[2][PASSED], apart = 0, off = 0;
    for (int f = 0; f < 2; f++) {
        free_run run;
        size_t events;
        free_run_open_in(&run, "../tests/data/n_four_bar.yaml", formulations[f]);
        free_run_to(&run, 10);
        const carom_fired_event *rows = carom_simulation_fired_events(run.sim, &events);
        assert_int_equal(events, PASSED);
        for (int k = 0; k < PASSED; k++)
            times[f][k] = rows[k].time;
        free_run_close(&run);
        free_run_open_in(&run, "../tests/data/n_four_bar.yaml", formulations[f]);
        free_run_to(&run, times[f][0]);
        off = fmax(off, fabs(sin(free_run_get(&run, "body.bar_1.angle"))));
        for (int k = 0; k < PASSED; k++)
            apart = fmax(apart, fabs(times[f][k] - times[0][k]));
        free_run_close(&run);
    }
    printf("row of four-bars, dynamics: %d singular positions, the first at %.9f s, formulations up to %.1e s apart, "
           "%.1e rad from flat at the first\n",
           PASSED, times[0][0], apart, off);
    assert_true(apart < 1e-6 && off < 1e-7);
}

/* The slider pulls its crank straight: r + l = x + 0.2 t. */
static void test_end_of_way(void **state)
{
    (void)state;
    for (int f = 0; f < 2; f++) {
        char text[1600];
        free_run run;
        snprintf(text, sizeof text,
                 "carom: 1\ndimension: 2\n"
                 "parameters: {r: 0.1, l: 0.3, x: 'sqrt(l^2 - r^2)', b: asin(r/l)}\n"
                 "bodies:\n"
                 "  crank: {mass: 1, inertia: 1e-3, at: [0, 0], angle: 90*deg, frames: {tip: [r, 0]}}\n"
                 "  rod: {mass: 1, inertia: 0.01, at: [0, r], angle: -b, frames: {tip: [l, 0]}}\n"
                 "  slider: {mass: 1, inertia: 1e-3, at: [x, 0]}\n"
                 "joints:\n"
                 "  main: {type: revolute, between: [ground, crank]}\n"
                 "  pin: {type: revolute, between: [crank.tip, rod]}\n"
                 "  wrist: {type: revolute, between: [rod.tip, slider]}\n"
                 "  guide: {type: translational, between: [ground, slider], axis: [1, 0], motion: x + 0.2*t}\n"
                 "run: {analysis: kinematics, until: 2, formulation: %s}\n",
                 formulations[f]);
        free_run_parse(&run, text, 0, NULL);
        const carom_status status = carom_simulation_run(run.sim);
        const double off = carom_simulation_statistics(run.sim).time - (0.4 - sqrt(0.08)) / 0.2;
        printf("end of the way %s: %.1e s before: %s\n", formulations[f], -off, carom_context_error(run.ctx));
        assert_int_equal(status, CAROM_ERROR_SOLVER);
        assert_true(fabs(off) < 1e-8);
        assert_non_null(strstr(carom_context_error(run.ctx), "'main'"));
        free_run_close(&run);
    }
}

/* A hand on the line x = 0.8 leaves the reach 0.5 + 0.4 of its two links, at y = sqrt(0.9^2 - 0.8^2). The run says
   that the motion ends there, not that it has passed a singular position. */
static void test_reach(void **state)
{
    (void)state;
    static const char *const speeds[] = {"0.2*t", "0.1*t + 0.05*t^2", "0.3*t"};
    static const char *const untils[] = {"3", "5", "8"};
    for (int k = 0; k < 18; k++) {
        char text[1600];
        free_run run;
        snprintf(text, sizeof text,
                 "carom: 1\ndimension: 2\n"
                 "parameters: {x: 0.8, c: (x^2 - 0.41)/0.4, e: acos(c), b: '-atan2(0.4*sin(e), 0.5 + 0.4*c)'}\n"
                 "bodies:\n"
                 "  a: {mass: 1, inertia: 0.03, at: [0.25*cos(b), 0.25*sin(b)], angle: b,\n"
                 "      frames: {r: [-0.25, 0], t: [0.25, 0]}}\n"
                 "  h: {mass: 0.8, inertia: 0.02, at: [0.5*cos(b) + 0.2*cos(b + e), 0.5*sin(b) + 0.2*sin(b + e)],\n"
                 "      angle: b + e, frames: {r: [-0.2, 0], t: [0.2, 0]}, motion: {point: t, x: x, y: %s}}\n"
                 "joints:\n"
                 "  j1: {type: revolute, between: [ground, a.r]}\n"
                 "  j2: {type: revolute, between: [a.t, h.r]}\n"
                 "run: {analysis: kinematics, until: %s, formulation: %s}\n",
                 speeds[k / 2 % 3], untils[k / 6], formulations[k % 2]);
        free_run_parse(&run, text, 0, NULL);
        const carom_status status = carom_simulation_run(run.sim);
        const double t = carom_simulation_statistics(run.sim).time;
        const double y = k / 2 % 3 == 0 ? 0.2 * t : k / 2 % 3 == 1 ? 0.1 * t + 0.05 * t * t : 0.3 * t;
        const double off = y - sqrt(0.17);
        const bool passed = is_told_passed(&run);
        printf("reach %-16s %-9s ends at %.9f s, %.1e m from it%s\n", speeds[k / 2 % 3], formulations[k % 2], t, off,
               passed ? ", told as passed" : "");
        assert_int_equal(status, CAROM_ERROR_SOLVER);
        assert_non_null(strstr(carom_context_error(run.ctx), "end of its way"));
        assert_true(fabs(off) < 1e-8 && !passed);
        free_run_close(&run);
    }
}

/* ---- refusals ---- */

static void refused(const char *motion, const char *more, const char *name)
{
    char text[1000];
    snprintf(text, sizeof text,
             "carom: 1\ndimension: 2\n"
             "bodies: {arm: {mass: 1, inertia: 1, at: [1, 0]}, tool: {mass: 1, inertia: 1, at: [2, 0]}}\n"
             "joints:\n"
             "  shoulder: {type: revolute, between: [ground, arm], motion: t}\n"
             "  elbow: {type: revolute, between: [arm, tool]%s}\n"
             "run: {analysis: kinematics, until: 1%s}\n",
             motion, more);
    const char *message = free_error_of_text(text);
    printf("%s\n", message);
    assert_non_null(strstr(message, name));
}

static void test_refused(void **state)
{
    (void)state;
    refused("", "", "'elbow' turns");
    refused(", motion: 2*t", ", integrator: bdf", "integrator");
    refused(", motion: 2*t", ", constraints: {type: projection}", "constraints");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_slider_crank),      cmocka_unit_test(test_four_bar),
        cmocka_unit_test(test_universal),         cmocka_unit_test(test_parallelograms),
        cmocka_unit_test(test_stop),              cmocka_unit_test(test_passed_by_inertia),
        cmocka_unit_test(test_end_of_way),        cmocka_unit_test(test_reach),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
