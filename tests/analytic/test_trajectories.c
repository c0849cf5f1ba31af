/* Trajectories through via points: single segments against the polynomials of the text books, points, rates and
   accelerations met and matched, the smoothest curves against polynomials that they must be, periods, shifted and
   mirrored gaits, prescribed motion of a joint with exact derivatives, refusals. */
#include "carom_test.h"

#include <math.h>

#include "expr/expr.h"
#include "support/free_runs.h"

#define ACCURACY 1e-13 /* of quantities of order 1: a polynomial of fifth degree, rounded some ten times */

static carom_jet segment_at(const carom_via_points *p, const double *c, size_t k, double x)
{
    const carom_edges edges = {.n = p->n, .x = p->x, .y = c};
    carom_jet j;
    carom_trajectory_segment(&edges, (int)k + 1, x, &j.value, &j.rate, &j.acceleration);
    return j;
}

static double difference(carom_jet a, carom_jet b)
{
    return fmax(fabs(a.value - b.value), fmax(fabs(a.rate - b.rate), fabs(a.acceleration - b.acceleration)));
}

#define MOST 12
static void fit(const carom_via_points *p, double *c)
{
    double work[CAROM_TRAJECTORY_WORK * MOST];
    assert_true(p->n <= MOST);
    carom_trajectory_fit(p, c, work);
}

/* From rest to rest: 10 u^3 - 15 u^4 + 6 u^5 and 3 u^2 - 2 u^3; with all that a point may have, a polynomial of fifth
   degree. */
static void test_single_segments(void **state)
{
    (void)state;
    const double x[] = {0.5, 2.5}, y[] = {0.3, 1.1};
    double c[6], worst = 0;
    carom_via_points p = {2, x, y, NULL, NULL, false, CAROM_ENDS_REST};
    fit(&p, c);
    for (int k = 0; k <= 50; k++) {
        const double u = k / 50.0, f = u * u * u * (10 + u * (6 * u - 15)), f1 = 30 * u * u * (1 - u) * (1 - u);
        const carom_jet j = {0.3 + 0.8 * f, 0.4 * f1, 0.2 * 60 * u * (1 - u) * (1 - 2 * u)};
        worst = fmax(worst, difference(segment_at(&p, c, 0, 0.5 + 2 * u), j));
    }
    printf("quintic from rest to rest %.1e\n", worst);
    assert_true(worst < ACCURACY);
    p.cubic = true;
    fit(&p, c);
    for (int k = 0; k <= 50; k++) {
        const double u = k / 50.0;
        const carom_jet j = {0.3 + 0.8 * u * u * (3 - 2 * u), 0.4 * 6 * u * (1 - u), 0.2 * (6 - 12 * u)};
        worst = fmax(worst, difference(segment_at(&p, c, 0, 0.5 + 2 * u), j));
    }
    printf("cubic from rest to rest %.1e\n", worst);
    assert_true(worst < ACCURACY);
}

static const double poly[6] = {0.4, -0.7, 0.9, 0.5, -0.8, 0.3};
static carom_jet poly_at(double x, int degree)
{
    carom_jet j = {0};
    for (int k = degree; k >= 0; k--)
        j.value = j.value * x + poly[k];
    for (int k = degree; k >= 1; k--)
        j.rate = j.rate * x + k * poly[k];
    for (int k = degree; k >= 2; k--)
        j.acceleration = j.acceleration * x + k * (k - 1) * poly[k];
    return j;
}

/* The smoothest curve through points of a polynomial, with its rates and accelerations at the ends, is that polynomial:
   quintic curves keep the fifth degree, cubic ones the third; with all rates given as well. */
static void test_polynomials_are_kept(void **state)
{
    (void)state;
    const double x[] = {-1, -0.6, 0.1, 0.2, 0.9, 1.3};
    double y[6], v[6], a[6], c[30], worst = 0;
    for (int all = 0; all < 2; all++)
        for (int cubic = 0; cubic < 2; cubic++) {
            for (int k = 0; k < 6; k++) {
                const carom_jet j = poly_at(x[k], cubic ? 3 : 5);
                const bool given = all || k == 0 || k == 5;
                y[k] = j.value;
                v[k] = given ? j.rate : (double)NAN;
                a[k] = given && !cubic ? j.acceleration : (double)NAN;
            }
            const carom_via_points p = {6, x, y, v, a, cubic, CAROM_ENDS_FREE};
            fit(&p, c);
            for (size_t k = 0; k < 5; k++)
                for (int i = 0; i <= 10; i++) {
                    const double at = x[k] + (x[k + 1] - x[k]) * i / 10;
                    worst = fmax(worst, difference(segment_at(&p, c, k, at), poly_at(at, cubic ? 3 : 5)));
                }
        }
    printf("polynomials are kept %.1e\n", worst);
    /* accelerations of a segment of 0.1 are differences of values of order 1 over its square */
    assert_true(worst < 100 * ACCURACY);
}

/* Derivative `order` of segment k at x, from its coefficients. */
static double derivative(const carom_via_points *p, const double *c, size_t k, double x, int order)
{
    double sum = 0;
    for (int n = 5; n >= order; n--) {
        double factor = 1;
        for (int i = 0; i < order; i++)
            factor *= n - i;
        sum = sum * (x - p->x[k]) + factor * c[6 * k + (size_t)n];
    }
    return sum;
}

/* What is given is met; where the rate is free the fourth (second) derivative has no jump, where the acceleration is
   free the third; a period closes. */
static void test_matched(void **state)
{
    (void)state;
    const double x[] = {0, 0.4, 1, 1.5, 2.2}, y[] = {0.2, 0.9, -0.3, 0.5, 0.2}, n = (double)NAN;
    const double v[] = {n, n, 0.5, n, n}, a[] = {n, -1, n, n, n};
    double c[24], at_points = 0, jumps = 0;
    for (int ends = 0; ends < 3; ends++)
        for (int cubic = 0; cubic < 2; cubic++) {
            const carom_via_points p = {5, x, y, v, cubic ? NULL : a, cubic, (carom_trajectory_ends)ends};
            fit(&p, c);
            for (size_t k = 0; k < 5; k++) {
                const bool last = k == 4, first = k == 0, end = first || last;
                const size_t before = first ? 3 : k - 1, after = last ? 0 : k;
                const bool inside = !end || ends == CAROM_ENDS_PERIODIC;
                const carom_jet l = segment_at(&p, c, before, first ? x[4] : x[k]),
                                r = segment_at(&p, c, after, last ? x[0] : x[k]), own = end && first ? r : l;
                at_points = fmax(at_points, fabs(own.value - y[k]));
                if (!isnan(v[k]))
                    at_points = fmax(at_points, fabs(own.rate - v[k]));
                /* of the terms that an acceleration at the end of a segment is made of */
                const double *of = c + 6 * before, bend = 20 * fabs(of[5]) + 12 * fabs(of[4]) + 6 * fabs(of[3]);
                if (!cubic && !isnan(a[k]))
                    at_points = fmax(at_points, fabs(own.acceleration - a[k]) / fmax(1, bend));
                if (end && ends == CAROM_ENDS_REST)
                    at_points = fmax(at_points, fmax(fabs(own.rate), cubic ? 0 : fabs(own.acceleration) / bend));
                if (inside) {
                    at_points = fmax(at_points, fmax(fabs(l.value - r.value), fabs(l.rate - r.rate)));
                    if (!cubic || isnan(v[k]))
                        at_points = fmax(at_points, fabs(l.acceleration - r.acceleration) / fmax(1, bend));
                }
                const int jump = cubic ? 2 : 4;
                const double left = first ? x[4] : x[k], right = last ? x[0] : x[k];
                const double of_left[2] = {derivative(&p, c, before, left, jump), derivative(&p, c, before, left, 3)},
                             of_right[2] = {derivative(&p, c, after, right, jump), derivative(&p, c, after, right, 3)};
                const double size = fmax(1, fmax(fabs(of_left[0]), fabs(of_left[1])));
                if (inside && isnan(v[k]))
                    jumps = fmax(jumps, fabs(of_left[0] - of_right[0]) / size);
                if (inside && !cubic && isnan(a[k]))
                    jumps = fmax(jumps, fabs(of_left[1] - of_right[1]) / size);
                if (end && ends == CAROM_ENDS_FREE) {
                    jumps = fmax(jumps, fabs(first ? of_right[0] : of_left[0]) / size);
                    jumps = fmax(jumps, cubic ? 0 : fabs(first ? of_right[1] : of_left[1]) / size);
                }
            }
        }
    printf("at the points %.1e, jumps of what is free %.1e of the derivative\n", at_points, jumps);
    assert_true(at_points < ACCURACY && jumps < 1e-11);
}

/* A prescribed motion along a trajectory: coordinate, rate and acceleration of a body; the drive is I a. Shifted and
   mirrored ones of a period are those. */
static void test_motion(void **state)
{
    (void)state;
    free_run run;
    double worst = 0;
    free_run_parse(&run,
                   "carom: 1\ndimension: 2\n"
                   "trajectories:\n"
                   "  lift: [[0, 0], [1, 0.8], [3, 0.2, -0.1], [4, 0]]\n"
                   "  swing: {through: [[0*s, 0*deg], [0.6*s, 30*deg], [1*s, 20*deg, -1*rad/s], [2*s, 0*deg]],\n"
                   "          ends: periodic}\n"
                   "bodies:\n  a: {mass: 1, inertia: 0.2}\n  b: {mass: 1, inertia: 0.2}\n  c: {mass: 1, inertia: 0.2}\n"
                   "joints:\n  j: {type: revolute, between: [ground, a], motion: \"trajectory(lift, t)\"}\n"
                   "  k: {type: revolute, between: [ground, b], motion: \"trajectory(swing, t)\"}\n"
                   "  m: {type: revolute, between: [ground, c], motion: \"-trajectory(swing, t + 1*s)\"}\n"
                   "outputs: {later: \"trajectory(swing, t + 5*s)\", wanted: \"trajectory(lift, t)\"}\n"
                   "run: {until: 6}\n",
                   1e-11, NULL);
    const double x[] = {0, 1, 3, 4}, y[] = {0, 0.8, 0.2, 0}, v[] = {(double)NAN, (double)NAN, -0.1, (double)NAN};
    double c[18];
    const carom_via_points p = {4, x, y, v, NULL, false, CAROM_ENDS_REST};
    fit(&p, c);
    for (int i = 0; i <= 60; i++) {
        const double t = 0.1 * i;
        free_run_to(&run, t);
        const size_t k = t < 1 ? 0 : t < 3 ? 1 : 2;
        carom_jet j = t < 4 ? segment_at(&p, c, k, t) : (carom_jet){0, 0, 0};
        const carom_jet is = {free_run_get(&run, "joint.j.coordinate"), free_run_get(&run, "joint.j.rate"),
                              free_run_get(&run, "joint.j.drive") / 0.2};
        if (i == 40)
            continue; /* the last segment ends there, within rounding */
        worst = fmax(worst, difference(is, j));
        worst = fmax(worst, fabs(free_run_get(&run, "output.later") + free_run_get(&run, "joint.m.coordinate")));
    }
    printf("motion along a trajectory %.1e\n", worst);
    /* the constraints are kept to the run's tolerance, accelerations to that over the time of the constraint method */
    assert_true(worst < 1e-9);
    free_run_close(&run);
}

/* Extremes of segments against those of many places of them; a dwell of zeros has none. */
static void test_extremes(void **state)
{
    (void)state;
    const double x[] = {0, 0.5, 0.6, 2, 2.2, 3}, y[] = {0, 0, 0.35, 0.35, -0.2, 0.1}, zeros[6] = {0};
    const carom_via_points sets[] = {{6, x, y, NULL, NULL, false, CAROM_ENDS_REST},
                                     {6, x, y, NULL, NULL, true, CAROM_ENDS_FREE},
                                     {6, x, y, zeros, zeros, false, CAROM_ENDS_REST}};
    double c[30], worst = 0;
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
        fit(&sets[i], c);
        const carom_edges edges = {.n = 6, .x = x, .y = c};
        for (size_t k = 0; k < 5; k++) {
            const double low = fmin(y[k], y[k + 1]), high = fmax(y[k], y[k + 1]);
            double most = 0, at = x[k];
            for (int n = 0; n <= 20000; n++) {
                const double f = segment_at(&sets[i], c, k, x[k] + (x[k + 1] - x[k]) * n / 20000).value;
                most = fmax(most, fmax(f - high, low - f));
            }
            const double beyond = carom_trajectory_beyond(&edges, k, &at), f = segment_at(&sets[i], c, k, at).value;
            worst = fmax(worst, fabs(beyond - most));
            assert_true(at >= x[k] && at <= x[k + 1]);
            if (beyond > 1e-12)
                assert_true(fabs(fmax(f - high, low - f) - beyond) < 1e-12);
            if (i == 2)
                assert_true(beyond < 1e-12);
        }
    }
    /* of the curvature y'' < 1e4 within half a place, 3.5e-5 */
    printf("extremes of segments %.1e\n", worst);
    assert_true(worst < 1e-5);
}

#define RISES(points, more)                                                                                        \
    "carom: 1\ndimension: 2\ntrajectories: {p: {through: " points more "}}\nbodies: {a: {mass: 1, inertia: 1}}\n"     \
    "joints: {j: {type: revolute, between: [ground, a], motion: \"trajectory(p, t)\"}}\nrun: {until: 2}\n"

/* Dwell, rise, dwell goes 78 degrees beyond its points of 0 and 20 degrees, and is told; with rates and accelerations
   given it stays between them. Where the points turn a tenth is allowed, and what a rate leads out of them is meant. */
static void test_overshoot_is_told(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool told;
    } cases[] = {
        {RISES("[[0*s, 0*deg], [0.5*s, 0*deg], [0.6*s, 20*deg], [2*s, 20*deg]]", ""), true},
        {RISES("[[0*s, 0*deg], [0.5*s, 0*deg], [0.6*s, 20*deg], [2*s, 20*deg]]", ", degree: cubic"), true},
        {RISES("[[0*s, 0*deg], [0.5*s, 0*deg, 0, 0], [0.6*s, 20*deg, 0, 0], [2*s, 20*deg]]", ""), false},
        {RISES("[[0*s, 0*deg], [0.5*s, 0*deg, 0], [0.6*s, 20*deg, 0], [2*s, 20*deg]]", ", degree: cubic"), false},
        {RISES("[[0, 0], [2, 1]]", ""), false},
        {RISES("[[0, 0], [0.5, 1], [1, 0], [1.5, -1], [2, 0]]", ", ends: periodic"), false},
        {RISES("[[0, 0], [1, 1, -2], [2, 2]]", ""), false},
        {RISES("[[0, 0.145], [1, 0.145], [1.5, 0.14500000000000002], [2, 0.145]]", ""), false},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        free_run run;
        free_run_parse(&run, cases[k].text, 1e-8, NULL);
        if (free_run_is_told(&run, "[W55]") != cases[k].told)
            fail_msg("%s\nis %stold", cases[k].text, cases[k].told ? "not " : "");
        if (k == 0) {
            double most = 0;
            for (int n = 0; n <= 200; n++) {
                free_run_to(&run, 0.01 * n);
                most = fmax(most, free_run_get(&run, "joint.j.coordinate"));
            }
            assert_true(fabs(most - 1.7110) < 1e-3 && free_run_is_told(&run, "it goes to 1.711, at x = 1.08634"));
        }
        free_run_close(&run);
    }
}

static void test_refusals(void **state)
{
    (void)state;
#define MODEL(trajectory, use)                                                                  \
    "carom: 1\ndimension: 2\ntrajectories: {" trajectory "}\nbodies: {a: {mass: 1, inertia: 1}}\n" \
    "joints: {j: {type: revolute, between: [ground, a], motion: \"" use "\"}}\nrun: {until: 1}\n"
    static const struct {
        const char *text, *part;
    } wrong[] = {
        {MODEL("p: [[0, 0]]", "trajectory(p, t)"), "two points"},
        {MODEL("p: [[0, 0], [0, 1]]", "trajectory(p, t)"), "x must ascend"},
        {MODEL("p: [[0, 0], [1, 1, 0, 0, 0]]", "trajectory(p, t)"), "[x, y, rate, acceleration]"},
        {MODEL("p: {through: [[0, 0], [1, 1, 0, 2]], degree: cubic}", "trajectory(p, t)"), "no accelerations"},
        {MODEL("p: {through: [[0, 0], [1, 1]], degree: quartic}", "trajectory(p, t)"), "one of quintic, cubic"},
        {MODEL("p: {through: [[0, 0], [1, 1]], ends: periodical}", "trajectory(p, t)"), "did you mean 'periodic'"},
        {MODEL("p: {through: [[0, 0], [0.5, 1], [1, 1]], ends: periodic}", "trajectory(p, t)"), "must be the first"},
        {MODEL("p: {trough: [[0, 0], [1, 1]]}", "trajectory(p, t)"), "did you mean 'through'"},
        {MODEL("p: [[0, 0], [1, 1]]", "trajectory(q, t)"), "no trajectory 'q'"},
        {MODEL("p: [[0, 0], [1, 1]]", "spline(p, t)"), "no spline 'p'"},
        {MODEL("p: [[0*s, 0*m], [1*s, 1*m]]", "trajectory(p, t)"), "rad"},
        {MODEL("p: [[0*s, 0*rad], [1*s, 1*rad, 2*m/s]]", "trajectory(p, t)"), "the rate of a point"},
    };
    for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++)
        if (!strstr(free_error_of_text(wrong[k].text), wrong[k].part))
            fail_msg("%s\ngave '%s', not '%s'", wrong[k].text, free_error_of_text(wrong[k].text), wrong[k].part);
    assert_string_equal(free_error_of_text(MODEL("p: [[0*s, 0*rad], [1*s, 1*rad, 2*rad/s]]", "trajectory(p, t)")), "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_single_segments), cmocka_unit_test(test_polynomials_are_kept),
        cmocka_unit_test(test_matched),         cmocka_unit_test(test_motion),
        cmocka_unit_test(test_extremes),        cmocka_unit_test(test_overshoot_is_told),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
