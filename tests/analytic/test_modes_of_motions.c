/* Analysis modes about states that move, against closed forms: a rod that turns about a pin off its centre (a rigid
   mode), a pendulum on a hub that turns, driven or free, blades with lag and flap hinges, Euler's free body about each
   of its axes, a sleeping top whose inertias differ, the conical pendulum; A of a double pendulum against derivatives
   of its own equations; and what is told of motions that are no steady ones. Both formulations. */
#include "carom_test.h"

#include <math.h>

#include "support/context.h"

#define PI 3.14159265358979323846

static carom_model *model;
static carom_analysis *analysis;

static const char *const formulations[] = {"cartesian", "tree"};
#define BOTH (int f = 0; f < 2; f++)
#define RUN "run: {analysis: modes, about: state, formulation: %s}\n"

static void open_model(const char *text, int f)
{
    char filled[2000];
    const char *at = strstr(text, "%s");
    snprintf(filled, sizeof filled, "%.*s%s%s", (int)(at - text), text, formulations[f], at + 2);
    if (carom_model_parse(ctx, "test.yaml", filled, strlen(filled), NULL, 0, &model) != CAROM_OK ||
        carom_analysis_run(ctx, model, NULL, &analysis) != CAROM_OK)
        fail_msg("%s", carom_context_error(ctx));
}

static void close_model(void)
{
    carom_analysis_free(analysis);
    carom_model_free(model);
}

static double value(const char *name)
{
    double out;
    assert_int_equal(carom_analysis_get(analysis, name, &out), CAROM_OK);
    return out;
}

static double eigenvalue(size_t mode, const char *part)
{
    const carom_analysis_table *t = carom_analysis_find_table(analysis, "modes");
    assert_true(mode < t->row_count);
    for (size_t k = 0; k < t->column_count; k++)
        if (strcmp(t->columns[k].name, part) == 0)
            return t->cells[mode * t->column_count + k].number;
    fail_msg("no column %s", part);
    return 0;
}

static void near(const char *what, double found, double expected, double allowed)
{
    const double off = fabs(found - expected) / fabs(expected);
    printf("%-44s %.12g, off by %.1e of %.0e\n", what, found, off, allowed);
    assert_true(off <= allowed);
}

/* A mode that oscillates with w [rad/s] and neither grows nor decays. */
static void has_mode(const char *what, double w, double allowed)
{
    const carom_analysis_table *t = carom_analysis_find_table(analysis, "modes");
    double best = 0;
    for (size_t k = 0; k < t->row_count; k++)
        if (fabs(eigenvalue(k, "imaginary") - w) < fabs(best - w)) {
            best = eigenvalue(k, "imaginary");
            assert_true(fabs(eigenvalue(k, "real")) <= allowed * w);
        }
    near(what, best, w, allowed);
}

static bool says(const char *words)
{
    const carom_analysis_table *t = carom_analysis_find_table(analysis, "remarks");
    for (size_t k = 0; k < t->row_count; k++)
        if (strstr(t->cells[k].text, words))
            return true;
    return false;
}

static void is_steady(void) { assert_false(says("no steady one")); }

/* Nothing brings a rod back that turns about its pin. Its eigenvalues were the root of its rate of turn, as the
   displacements were along the tangent of the circle where it stands. */
static void test_rod(void **state)
{
    (void)state;
    for BOTH {
        open_model("carom: 1\ndimension: 2\n"
                   "bodies: {rod: {mass: 1, inertia: 0.1, at: [0.5, 0]}}\n"
                   "joints: {pin: {type: revolute, between: [ground, {rod: [-0.5, 0]}], rate: 10}}\n" RUN, f);
        assert_true(value("rigid") == 1 && value("highest_frequency") == 0 && value("residual") < 1e-9);
        is_steady();
        close_model();
    }
}

/* A pendulum that is carried round stands where cos = g/(W^2 l), and swings with W sin beside that;
   with a hub of the inertia J that turns freely, J + m l^2 sin^2 = H gives 4 W^2 m l^2 cos^2 more/(J + ...). */
static void test_carried_pendulum(void **state)
{
    (void)state;
    static const char *const spins[] = {"motion: w*t", "rate: w"};
    const double w = 6, l = 0.5, m = 0.7, c = 9.81 / (w * w * l), s2 = 1 - c * c, inertia = m * l * l;
    const double swing = inertia + 1e-6;
    for (int i = 0; i < 2; i++)
        for BOTH {
            char text[1500];
            snprintf(text, sizeof text,
                     "carom: 1\ndimension: 3\ngravity: [0, 0, -9.81]\n"
                     "parameters: {w: 6, l: 0.5, th: acos(9.81/(w^2*l))}\n"
                     "bodies:\n"
                     "  hub: {mass: 1, inertia: [0.2, 0.2, 0.3], at: [0, 0, 1]}\n"
                     "  bob: {mass: 0.7, inertia: [1e-6, 1e-6, 1e-6], at: [l*sin(th), 0, 1 - l*cos(th)],\n"
                     "        orientation: [cos(th/2), 0, -sin(th/2), 0]}\n"
                     "joints:\n"
                     "  spin: {type: revolute, between: [{ground: [0, 0, 1]}, hub], axis: [0, 0, 1], %s}\n"
                     "  pin: {type: revolute, between: [hub, {bob: [0, 0, l]}], axis: [0, 1, 0], rate: 0}\n"
                     "run: {analysis: modes, about: state, formulation: %%s}\n",
                     spins[i]);
            open_model(text, f);
            is_steady();
            const double held = w * w * inertia * s2 / swing, all = 0.3 + 1e-6 + inertia * s2;
            const double free = held + 4 * w * w * inertia * inertia * s2 * c * c / (swing * all);
            has_mode(i ? "pendulum on a free hub" : "pendulum on a driven hub", sqrt(i ? free : held), 1e-8);
            assert_true(value("rigid") == i && value("freedoms") == 1 + i);
            close_model();
        }
}

/* The same bob on a ball joint, without coordinates of a joint: axes that turn with it. */
static void test_conical_pendulum(void **state)
{
    (void)state;
    const double w = 6, c = 9.81 / (w * w * 0.5);
    for BOTH {
        open_model("carom: 1\ndimension: 3\ngravity: [0, 0, -9.81]\n"
                   "parameters: {w: 6, l: 0.5, th: acos(9.81/(w^2*l))}\n"
                   "bodies:\n"
                   "  bob: {mass: 0.7, inertia: [1e-6, 1e-6, 1e-6], at: [l*sin(th), 0, -l*cos(th)],\n"
                   "        orientation: [cos(th/2), 0, -sin(th/2), 0], angular_velocity: [0, 0, w]}\n"
                   "joints: {pin: {type: spherical, between: [ground, {bob: [0, 0, l]}]}}\n" RUN, f);
        is_steady();
        assert_true(says("axes that turn"));
        has_mode("conical pendulum", w * sqrt(1 + 3 * c * c), 1e-5); /* its own inertia is 6e-6 of m l^2 */
        close_model();
    }
}

/* Blades with hinges at e: lag W sqrt(e m L/2/I), flap W sqrt(1 + (e m L/2 - Ix)/I), I about the hinge. */
static void test_blades(void **state)
{
    (void)state;
    const double w = 20, inertia = 1 / 12.0 + 0.25, e = 0.1 * 0.5;
    static const char *const axes[] = {"[0, 0, 1]", "[0, 1, 0]"};
    for (int i = 0; i < 2; i++)
        for BOTH {
            char text[1200];
            snprintf(text, sizeof text,
                     "carom: 1\ndimension: 3\n"
                     "bodies:\n"
                     "  hub: {mass: 1, inertia: [0.2, 0.2, 0.3]}\n"
                     "  blade: {mass: 1, inertia: [0.001, 1/12, 1/12], at: [0.6, 0, 0]}\n"
                     "joints:\n"
                     "  spin: {type: revolute, between: [ground, hub], axis: [0, 0, 1], motion: 20*t}\n"
                     "  hinge: {type: revolute, between: [{hub: [0.1, 0, 0]}, {blade: [-0.5, 0, 0]}], axis: %s,\n"
                     "          rate: 0}\n"
                     "run: {analysis: modes, about: state, formulation: %%s}\n",
                     axes[i]);
            open_model(text, f);
            is_steady();
            if (i)
                has_mode("blade: flap", w * sqrt(1 + (e - 0.001) / inertia), 1e-8);
            else
                has_mode("blade: lag", w * sqrt(e / inertia), 1e-8);
            close_model();
        }
}

/* A body without forces that spins about each of its axes: W^2 (I1 - I3)(I2 - I3)/(I1 I2), about the middle one it
   grows; in world axes its linear system changes as it turns. */
static void test_free_body(void **state)
{
    (void)state;
    static const double inertia[] = {0.01, 0.02, 0.025};
    for (int axis = 0; axis < 3; axis++)
        for BOTH {
            char text[400];
            snprintf(text, sizeof text,
                     "carom: 1\ndimension: 3\n"
                     "bodies: {b: {mass: 2, inertia: [0.01, 0.02, 0.025], angular_velocity: [%d, %d, %d]}}\n" RUN,
                     7 * (axis == 0), 7 * (axis == 1), 7 * (axis == 2), "%s");
            open_model(text, f);
            const double i3 = inertia[axis], i1 = inertia[(axis + 1) % 3], i2 = inertia[(axis + 2) % 3];
            const double square = 49 * (i3 - i1) * (i3 - i2) / (i1 * i2);
            is_steady();
            assert_true(says("axes that turn"));
            if (square > 0)
                has_mode("free body", sqrt(square), 1e-8);
            else {
                double most = 0;
                for (size_t k = 0; k < carom_analysis_find_table(analysis, "modes")->row_count; k++)
                    most = fmax(most, eigenvalue(k, "real"));
                near("free body about its middle axis: grows by", most, sqrt(-square), 1e-8);
            }
            close_model();
        }
}

/* In its own axes, A, B, C about the tip: (A s^2 - k1)(B s^2 - k2) + (A + B - C)^2 W^2 s^2 = 0 with
   k1 = (B - C) W^2 + m g l, k2 = (A - C) W^2 + m g l (Euler's equations). */
static void test_top(void **state)
{
    (void)state;
    const double w = 200, a = 0.02, b = 0.022, c = 0.004, mgl = 0.981;
    const double k1 = (b - c) * w * w + mgl, k2 = (a - c) * w * w + mgl, g = (a + b - c) * w;
    const double p = (a * k2 + b * k1 - g * g) / (2 * a * b), q = k1 * k2 / (a * b); /* s^4 - 2 p s^2 + q */
    for BOTH {
        open_model("carom: 1\ndimension: 3\ngravity: [0, 0, -9.81]\n"
                   "bodies: {top: {mass: 1, inertia: [0.01, 0.012, 0.004], at: [0, 0, 0.1], "
                   "angular_velocity: [0, 0, 200]}}\n"
                   "joints: {tip: {type: spherical, between: [ground, {top: [0, 0, -0.1]}]}}\n" RUN, f);
        is_steady();
        has_mode("sleeping top: slow", sqrt(-p - sqrt(p * p - q)), 1e-8);
        has_mode("sleeping top: fast", sqrt(-p + sqrt(p * p - q)), 1e-8);
        close_model();
    }
}

/* Accelerations of a double pendulum in the angles of its joints, from the equations of its angles. */
static void pendulum(const double *y, double *out)
{
    const double ma = 1, mb = 2, ia = 0.02, ib = 0.05, ca = 0.25, l = 0.5, cb = 0.2, g = 9.81;
    const double t = y[0], u = y[0] + y[1], w = y[2], v = y[2] + y[3], d = u - t;
    const double m11 = ia + ma * ca * ca + mb * l * l, m12 = mb * l * cb * cos(d), m22 = ib + mb * cb * cb;
    const double f1 = mb * l * cb * sin(d) * v * v - (ma * ca + mb * l) * g * cos(t);
    const double f2 = -mb * l * cb * sin(d) * w * w - mb * cb * g * cos(u), det = m11 * m22 - m12 * m12;
    out[0] = (m22 * f1 - m12 * f2) / det;
    out[1] = (m11 * f2 - m12 * f1) / det - out[0];
}

/* A is the derivative of these accelerations by the coordinates and rates that it names, where it accelerates. */
static void test_double_pendulum(void **state)
{
    (void)state;
    static const double rates[2][2] = {{0, 0}, {2, -1}};
    static const char *const names[] = {"joint.p.coordinate", "joint.q.coordinate", "joint.p.rate", "joint.q.rate"};
    for (int i = 0; i < 2; i++)
        for BOTH {
            char text[900];
            double worst = 0;
            snprintf(text, sizeof text,
                     "carom: 1\ndimension: 2\ngravity: [0, -9.81]\nparameters: {th: 0.8, ps: 0.5}\n"
                     "bodies:\n"
                     "  a: {mass: 1, inertia: 0.02, at: [0.25*cos(th), 0.25*sin(th)], angle: th}\n"
                     "  b: {mass: 2, inertia: 0.05, angle: th + ps,\n"
                     "      at: [0.5*cos(th) + 0.2*cos(th + ps), 0.5*sin(th) + 0.2*sin(th + ps)]}\n"
                     "joints:\n"
                     "  p: {type: revolute, between: [ground, {a: [-0.25, 0]}], rate: %g}\n"
                     "  q: {type: revolute, between: [{a: [0.25, 0]}, {b: [-0.2, 0]}], rate: %g}\n" RUN,
                     rates[i][0], rates[i][1], "%s");
            open_model(text, f);
            size_t count;
            const carom_analysis_matrix *a = carom_analysis_matrices(analysis, &count);
            assert_string_equal(a->name, "A");
            for (size_t c = 0; c < 4; c++)
                for (size_t r = 0; r < 4; r++) {
                    double y[4] = {0.8, 0.5, rates[i][0], rates[i][1]}, sides[2][2], expected = 0;
                    int of = 0, by = 0;
                    while (strcmp(names[of], a->row_names[r]) != 0)
                        of++;
                    while (strcmp(names[by], a->column_names[c]) != 0)
                        by++;
                    const double at = y[by], h = 1e-5;
                    for (int side = 0; side < 2; side++) {
                        y[by] = at + (side ? h : -h);
                        pendulum(y, sides[side]);
                    }
                    expected = of < 2 ? by == of + 2 : (sides[1][of - 2] - sides[0][of - 2]) / (2 * h);
                    worst = fmax(worst, fabs(a->values[r + c * 4] - expected));
                }
            printf("double pendulum: A off by %.1e\n", worst);
            assert_true(worst < 1e-7); /* h^2 and rounding over h, of accelerations of 30 */
            assert_true(says("a body accelerates"));
            close_model();
        }
}

/* A rod that turns past a spring accelerates nowhere at the moment when that points at the pin, and is no steady
   motion. */
static void test_passing(void **state)
{
    (void)state;
    for BOTH {
        open_model("carom: 1\ndimension: 2\n"
                   "bodies: {rod: {mass: 1, inertia: 0.1, at: [0.5, 0]}}\n"
                   "joints: {pin: {type: revolute, between: [ground, {rod: [-0.5, 0]}], rate: 10}}\n"
                   "loads: {pull: {type: spring, between: [{ground: [2, 0]}, rod], stiffness: 50, length: 1}}\n" RUN,
                   f);
        assert_true(says("no steady one"));
        close_model();
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rod),    cmocka_unit_test(test_carried_pendulum), cmocka_unit_test(test_conical_pendulum),
        cmocka_unit_test(test_blades), cmocka_unit_test(test_free_body),        cmocka_unit_test(test_top),
        cmocka_unit_test(test_double_pendulum), cmocka_unit_test(test_passing),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
