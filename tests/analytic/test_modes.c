/* Analysis modes against closed forms: pendulum with damper, double pendulum, cart with spring, damper and a pendulum,
   rotor (whirl speeds and their sense), ball on its contact, inverted pendulum, a motor's integral, and the matrices of
   the state space against their eigenvalues and transfer functions. */
#include "carom_test.h"

#include <math.h>
#include <stdlib.h>

#include "carom/export.h"
#include "support/context.h"

#define PI 3.14159265358979323846

static carom_model *model;
static carom_analysis *analysis;

static void open_model(const char *text)
{
    if (carom_model_parse(ctx, "test.yaml", text, strlen(text), NULL, 0, &model) != CAROM_OK)
        fail_msg("%s", carom_context_error(ctx));
    if (carom_analysis_run(ctx, model, NULL, &analysis) != CAROM_OK)
        fail_msg("%s", carom_context_error(ctx));
}

static void close_model(void)
{
    carom_analysis_free(analysis);
    carom_model_free(model);
}

static const carom_analysis_cell *cell(size_t mode, const char *column)
{
    const carom_analysis_table *t = carom_analysis_find_table(analysis, "modes");
    assert_non_null(t);
    assert_true(mode < t->row_count);
    for (size_t k = 0; k < t->column_count; k++)
        if (strcmp(t->columns[k].name, column) == 0)
            return &t->cells[mode * t->column_count + k];
    fail_msg("no column %s", column);
    return NULL;
}

static double number(size_t mode, const char *column) { return cell(mode, column)->number; }

static void near(const char *what, double found, double expected, double allowed)
{
    const double off = fabs(found - expected) / fmax(fabs(expected), 1e-300);
    printf("%-44s %.12g, off by %.1e of %.0e\n", what, found, off, allowed);
    assert_true(off <= allowed);
}

static const carom_analysis_matrix *matrix(const char *name)
{
    size_t count;
    const carom_analysis_matrix *all = carom_analysis_matrices(analysis, &count);
    for (size_t k = 0; k < count; k++)
        if (strcmp(all[k].name, name) == 0)
            return &all[k];
    fail_msg("no matrix %s", name);
    return NULL;
}

static double entry(const carom_analysis_matrix *m, const char *row, const char *column)
{
    for (size_t r = 0; r < m->rows; r++)
        for (size_t c = 0; c < m->columns; c++)
            if (strcmp(m->row_names[r], row) == 0 && strcmp(m->column_names[c], column) == 0)
                return m->values[r + c * m->rows];
    fail_msg("%s has no %s, %s", m->name, row, column);
    return 0;
}

static const char *const formulations[] = {"cartesian", "tree"};

static void test_pendulum(void **state)
{
    (void)state;
    for (int f = 0; f < 2; f++) {
        char text[600];
        snprintf(text, sizeof text,
                 "carom: 1\ndimension: 2\ngravity: [0, -9.81]\n"
                 "bodies: {rod: {mass: 2, inertia: 0.3, at: [0, -0.5], angle: 0.4, frames: {pivot: [0, 0.5]}}}\n"
                 "joints: {pin: {type: revolute, between: [ground, rod.pivot], damper: {damping: 0.4}}}\n"
                 "run: {analysis: modes, formulation: %s}\n",
                 formulations[f]);
        open_model(text);
        const double inertia = 0.3 + 2 * 0.25, k = 2 * 9.81 * 0.5, w = sqrt(k / inertia),
                     zeta = 0.2 / sqrt(k * inertia);
        near("pendulum: natural frequency", number(0, "natural_frequency"), w / (2 * PI), 1e-8);
        near("pendulum: damping ratio", number(0, "damping_ratio"), zeta, 1e-8);
        near("pendulum: frequency", number(0, "frequency"), w * sqrt(1 - zeta * zeta) / (2 * PI), 1e-8);
        const carom_analysis_matrix *a = matrix("A");
        near("pendulum: A of the rate by the angle", entry(a, "joint.pin.rate", "joint.pin.coordinate"), -k / inertia,
             1e-8);
        near("pendulum: A of the rate by the rate", entry(a, "joint.pin.rate", "joint.pin.rate"), -0.4 / inertia, 1e-8);
        close_model();
    }
}

/* A pendulum on a slider whose friction of at most 0.3 x 29.43 N holds against its spring of 3 N: the slider is held,
   which is told, and the pendulum alone swings. */
static void test_held(void **state)
{
    (void)state;
    for (int f = 0; f < 2; f++) {
        char text[900];
        snprintf(text, sizeof text,
                 "carom: 1\ndimension: 2\ngravity: [0, -9.81]\nbodies:\n"
                 "  a: {mass: 2, inertia: 0.02, at: [0, 0]}\n"
                 "  b: {mass: 1, inertia: 0.01, at: [0.1, -0.489897948556636]}\njoints:\n"
                 "  r: {type: translational, between: [ground, a], axis: [1, 0], "
                 "friction: {law: coulomb, kinetic: 0.3}, spring: {stiffness: 300, free: 0.01}}\n"
                 "  p: {type: revolute, between: [{a: [0, 0]}, {b: [-0.1, 0.489897948556636]}]}\n"
                 "run: {analysis: modes, formulation: %s}\n",
                 formulations[f]);
        open_model(text);
        const carom_analysis_table *remarks = carom_analysis_find_table(analysis, "remarks");
        assert_int_equal(remarks->row_count, 1);
        assert_string_equal(remarks->cells[0].text, "friction holds joint 'r': the modes do not move it");
        near("held slider: frequency", number(0, "frequency"), sqrt(9.81 * 0.5 / 0.26) / (2 * PI), 1e-8);
        close_model();
    }
}

static void test_double_pendulum(void **state)
{
    (void)state;
    for (int f = 0; f < 2; f++) {
        char text[900];
        snprintf(text, sizeof text,
                 "carom: 1\ndimension: 3\ngravity: [0, 0, -9.81]\n"
                 "bodies:\n"
                 "  a: {mass: 1, inertia: [1e-12, 1e-12, 1e-12], at: [0, 0, -1]}\n"
                 "  b: {mass: 2, inertia: [1e-12, 1e-12, 1e-12], at: [0, 0, -1.5]}\n"
                 "joints:\n"
                 "  pin: {type: revolute, between: [ground, {a: [0, 0, 1]}], axis: [0, 1, 0]}\n"
                 "  knee: {type: revolute, between: [a, {b: [0, 0, 0.5]}], axis: [0, 1, 0]}\n"
                 "run: {analysis: modes, formulation: %s}\n",
                 formulations[f]);
        open_model(text);
        /* det(K - w^2 M) = 0, M = [[m1 + m2, m2 l2/l1], [m2 l2/l1, m2 (l2/l1)^2]] l1^2 in the angles */
        const double m1 = 1, m2 = 2, l1 = 1, l2 = 0.5, g = 9.81;
        const double qa = m1 * l1 * l2, qb = -(m1 + m2) * g * (l1 + l2), qc = (m1 + m2) * g * g;
        const double root = sqrt(qb * qb - 4 * qa * qc);
        near("double pendulum: first", number(0, "frequency"), sqrt((-qb - root) / (2 * qa)) / (2 * PI), 1e-8);
        near("double pendulum: second", number(1, "frequency"), sqrt((-qb + root) / (2 * qa)) / (2 * PI), 1e-8);
        close_model();
    }
}

/* Roots of the characteristic polynomial of a cart with a pendulum: that A has them, by Newton's method on the closed
   form from what was found. */
static void test_cart(void **state)
{
    (void)state;
    for (int f = 0; f < 2; f++) {
        char text[1200];
        snprintf(text, sizeof text,
                 "carom: 1\ndimension: 2\ngravity: [0, -9.81]\n"
                 "inputs: {push: {unit: N}}\n"
                 "outputs: {where: {value: joint.rail.coordinate + 2*push*m/N, unit: m}}\n"
                 "bodies:\n"
                 "  cart: {mass: 3, inertia: 1, at: [0, 0]}\n"
                 "  bob: {mass: 1, inertia: 0.1, at: [0, -0.5]}\n"
                 "joints:\n"
                 "  rail: {type: translational, between: [ground, cart], axis: [1, 0], spring: {stiffness: 400},\n"
                 "         damper: {damping: 5}}\n"
                 "  pin: {type: revolute, between: [cart, {bob: [0, 0.5]}]}\n"
                 "loads: {force: {type: force, on: cart, force: [push, 0]}}\n"
                 "run: {analysis: modes, formulation: %s}\n",
                 formulations[f]);
        open_model(text);
        /* (4 s^2 + 5 s + 400)(0.35 s^2 + 4.905) - 0.25 s^4 = 0 */
        const double p[5] = {400 * 4.905, 5 * 4.905, 4 * 4.905 + 400 * 0.35, 5 * 0.35, 4 * 0.35 - 0.25};
        for (size_t k = 0; k < 2; k++) {
            double x = number(k, "real"), y = number(k, "imaginary");
            const double x0 = x, y0 = y;
            for (int i = 0; i < 20; i++) {
                double re = p[4], im = 0, dre = 0, dim = 0;
                for (int n = 3; n >= 0; n--) {
                    const double nre = dre * x - dim * y + re, nim = dre * y + dim * x + im;
                    dre = nre;
                    dim = nim;
                    const double t = re * x - im * y + p[n];
                    im = re * y + im * x;
                    re = t;
                }
                const double size = dre * dre + dim * dim;
                x -= (re * dre + im * dim) / size;
                y -= (im * dre - re * dim) / size;
            }
            near("cart: eigenvalue", hypot(x - x0, y - y0) / hypot(x, y) + 1, 1, 1e-8);
        }
        near("cart: B", entry(matrix("B"), "joint.rail.rate", "push"), 0.35 / (4 * 0.35 - 0.25), 1e-8);
        near("cart: C", entry(matrix("C"), "where", "joint.rail.coordinate"), 1, 1e-8);
        near("cart: D", entry(matrix("D"), "where", "push"), 2, 1e-8);
        close_model();
    }
}

/* A disc on a shaft that is stiff against tilt: Ip Omega gives the whirl its sense. */
static void test_rotor(void **state)
{
    (void)state;
    static const double speeds[] = {30, 300, 3000};
    for (int f = 0; f < 2; f++)
        for (size_t i = 0; i < 3; i++) {
            char text[1000];
            snprintf(text, sizeof text,
                     "carom: 1\ndimension: 3\n"
                     "bodies:\n"
                     "  house: {mass: 0.5, inertia: [0.002, 0.002, 0.002], at: [0, 0, 0]}\n"
                     "  disc: {mass: 2, inertia: [0.01, 0.01, 0.018], at: [0, 0, 0], angular_velocity: [0, 0, %g]}\n"
                     "joints: {axle: {type: revolute, between: [house, disc], axis: [0, 0, 1]}}\n"
                     "loads:\n"
                     "  shaft: {type: bushing, between: [ground, house], stiffness: [1e5, 1e5, 1e6],\n"
                     "          turn_stiffness: [400, 400, 1000]}\n"
                     "run: {analysis: modes, about: state, formulation: %s}\n",
                     speeds[i], formulations[f]);
            open_model(text);
            const double gyro = 0.018 * speeds[i], tilt = 0.012, root = sqrt(gyro * gyro + 4 * tilt * 400);
            const carom_analysis_table *t = carom_analysis_find_table(analysis, "modes");
            int found = 0;
            for (size_t k = 0; k < t->row_count; k++) {
                const char *sense = cell(k, "whirl")->text;
                const double w = 2 * PI * number(k, "frequency");
                const double expected = (strcmp(sense, "forward") == 0 ? root + gyro : root - gyro) / (2 * tilt);
                if (!sense[0] || fabs(w / expected - 1) > 0.01)
                    continue;
                near(strcmp(sense, "forward") == 0 ? "rotor: forward whirl" : "rotor: backward whirl", w, expected,
                     1e-8);
                found++;
            }
            assert_int_equal(found, 2);
            close_model();
        }
}

static void test_ball(void **state)
{
    (void)state;
    for (int f = 0; f < 2; f++) {
        char text[700];
        double rigid;
        snprintf(text, sizeof text,
                 "carom: 1\ndimension: 3\ngravity: [0, 0, -9.81]\n"
                 "bodies: {ball: {mass: 1, inertia: [0.004, 0.004, 0.004], at: [0, 0, 0.1]}}\n"
                 "shapes:\n"
                 "  skin: {type: sphere, on: ball, radius: 0.1}\n"
                 "  floor: {type: plane, on: ground, normal: [0, 0, 1]}\n"
                 "contacts: {touch: {between: [skin, floor], normal: {law: hertz, stiffness: 1e9}}}\n"
                 "run: {analysis: modes, formulation: %s}\n",
                 formulations[f]);
        open_model(text);
        const carom_analysis_table *t = carom_analysis_find_table(analysis, "modes");
        assert_int_equal(t->row_count, 6);
        assert_int_equal(carom_analysis_get(analysis, "rigid", &rigid), CAROM_OK);
        assert_true(rigid == 5);
        near("ball on its contact spring", number(5, "frequency"),
             sqrt(1.5 * 1e9 * pow(9.81 / 1e9, 1.0 / 3)) / (2 * PI), 1e-8);
        close_model();
    }
}

/* A weight on a contact has the damping of a motion that begins there: v0 is the speed of the energy stored,
   zeta = A/(2 sqrt(1.2)) for n = 3/2 (docs/theory/impact-velocity.md, equation 4); with a fixed reference its own. */
static void test_contact_damping(void **state)
{
    (void)state;
    static const struct {
        const char *law, *velocity;
        double a; /* of the damping force A F delta'/v0, at restitution 0.5 */
    } laws[] = {{"hunt-crossley", "adaptive", 1.5 * 0.5},
                {"lankarani-nikravesh", "adaptive", 0.75 * (1 - 0.25)},
                {"flores", "adaptive", 8 * 0.5 / (5 * 0.5)},
                {"hunt-crossley", "per-impact", 1.5 * 0.5},
                {"hunt-crossley", "fixed-reference, reference_speed: 0.2", 1.5 * 0.5}};
    for (int f = 0; f < 2; f++)
        for (size_t k = 0; k < sizeof laws / sizeof *laws; k++) {
            char text[900];
            snprintf(text, sizeof text,
                     "carom: 1\ndimension: 2\ngravity: [0, -9.81]\n"
                     "bodies: {ball: {mass: 2, inertia: 0.02, at: [0, 0.0999]}}\n"
                     "shapes:\n  b: {type: circle, on: ball, radius: 0.1}\n"
                     "  floor: {type: plane, on: ground, normal: [0, 1]}\n"
                     "joints: {r: {type: translational, between: [ground, ball], axis: [0, 1]}}\n"
                     "contacts: {c: {between: [b, floor], normal: {law: %s, stiffness: 1e6, restitution: 0.5,\n"
                     "  velocity: %s}}}\nrun: {analysis: modes, formulation: %s}\n",
                     laws[k].law, laws[k].velocity, formulations[f]);
            open_model(text);
            const double depth = pow(2 * 9.81 / 1e6, 2.0 / 3), w = sqrt(1.5 * 9.81 / depth);
            const double v0 = strstr(laws[k].velocity, "0.2") ? 0.2 : sqrt(0.8 * 9.81 * depth);
            near("weight on a contact: frequency", number(0, "natural_frequency"), w / (2 * PI), 1e-8);
            near("weight on a contact: damping", number(0, "damping_ratio"), laws[k].a * 9.81 / (2 * w * v0), 1e-8);
            close_model();
        }
}

/* A table without friction slides and turns on its feet with no stiffness; of these motions the others have no part.
   Its inertia about the vertical is that of a plate, with which LAPACK's balancing gave both turns 1.5 % of it. */
static void test_table(void **state)
{
    (void)state;
    open_model("carom: 1\ndimension: 3\ngravity: [0, 0, -9.81]\n"
               "bodies: {top: {mass: 20, inertia: [1, 2, 3], at: [0, 0, 0.5]}}\n"
               "shapes:\n"
               "  foot: {copies: 4, type: sphere, on: top, radius: 0.05,\n"
               "    at: [\"if(copy < 3, 0.5, -0.5)\", \"if(mod(copy, 2) > 0, 0.3, -0.3)\", -0.45]}\n"
               "  floor: {type: plane, on: ground, normal: [0, 0, 1]}\n"
               "contacts: {leg: {copies: 4, between: [floor, foot_$copy], normal: {law: hooke, stiffness: 1e5}}}\n"
               "run: {analysis: modes}\n");
    const double fall = 20 * 9.81 * 0.45;
    near("table: up and down", number(3, "frequency"), sqrt(4e5 / 20) / (2 * PI), 1e-8);
    near("table: about x", number(4, "frequency"), sqrt(4e5 * 0.09 - fall) / (2 * PI), 1e-8);
    near("table: about y", number(5, "frequency"), sqrt((4e5 * 0.25 - fall) / 2) / (2 * PI), 1e-8);
    const carom_analysis_matrix *const shapes[] = {matrix("shapes_real"), matrix("shapes_imaginary")};
    double worst = 0;
    for (size_t mode = 3; mode < 6; mode++) {
        double most = 0, rest = 0;
        for (size_t k = 0; k < 2 * shapes[0]->rows; k++) {
            const double part = fabs(shapes[k % 2]->values[k / 2 + mode * shapes[0]->rows]);
            rest = fmax(rest, fmin(part, most));
            most = fmax(most, part);
        }
        worst = fmax(worst, rest / most);
    }
    printf("table: what moves besides, at most %.1e\n", worst);
    assert_true(worst < 1e-8);
    close_model();
}

static void test_unstable(void **state)
{
    (void)state;
    double unstable;
    open_model("carom: 1\ndimension: 2\ngravity: [0, -9.81]\n"
               "bodies: {rod: {mass: 2, inertia: 0.3, at: [0, 0.5], frames: {pivot: [0, -0.5]}}}\n"
               "joints: {pin: {type: revolute, between: [ground, rod.pivot]}}\n"
               "run: {analysis: modes, about: state}\n");
    assert_int_equal(carom_analysis_get(analysis, "unstable", &unstable), CAROM_OK);
    assert_true(unstable == 1);
    near("inverted pendulum: grows by", number(0, "real") > 0 ? number(0, "real") : number(1, "real"), sqrt(9.81 / 0.8),
         1e-8);
    close_model();
}

/* A shaft between two universal joints turns, and nothing else: its eigenvalues are 0 but for rounding, which does not
   grow. */
static void test_shaft(void **state)
{
    (void)state;
    for (int f = 0; f < 2; f++) {
        char text[1600];
        double unstable, rigid;
        snprintf(text, sizeof text,
                 "carom: 1\ndimension: 3\n"
                 "parameters: {cs: cos(0.5), sn: sin(0.5)}\n"
                 "bodies:\n"
                 "  input: {mass: 1, inertia: [0.01, 0.02, 0.02], at: [-0.3, 0, 0], frames: {u: [0.3, 0, 0]}}\n"
                 "  shaft: {mass: 0.5, inertia: [0.002, 0.01, 0.01], at: [0.3*cs, 0.3*sn, 0],\n"
                 "          orientation: [cos(0.25), 0, 0, sin(0.25)], frames: {a: [-0.3, 0, 0], b: [0.3, 0, 0]}}\n"
                 "  output: {mass: 2, inertia: [0.03, 0.02, 0.02], at: [0.6*cs + 0.3, 0.6*sn, 0],\n"
                 "           frames: {u: [-0.3, 0, 0]}}\n"
                 "joints:\n"
                 "  I: {type: revolute, between: [{ground: [-0.3, 0, 0]}, input], axis: [1, 0, 0]}\n"
                 "  U: {type: universal, between: [input.u, shaft.a], axis: [0, 0, 1], axis2: [-sn, cs, 0]}\n"
                 "  V: {type: universal, between: [shaft.b, output.u], axis: [-sn, cs, 0], axis2: [0, 0, 1]}\n"
                 "  W: {type: revolute, between: [{ground: [0.6*cs + 0.3, 0.6*sn, 0]}, output], axis: [1, 0, 0]}\n"
                 "run: {analysis: modes, formulation: %s}\n",
                 formulations[f]);
        open_model(text);
        assert_int_equal(carom_analysis_get(analysis, "unstable", &unstable), CAROM_OK);
        assert_int_equal(carom_analysis_get(analysis, "rigid", &rigid), CAROM_OK);
        assert_true(unstable == 0 && rigid == 1);
        close_model();
    }
}

/* A user's state as integral of a controller: s^3 + s^2 c + s k + i = 0 over the mass. */
static void test_states(void **state)
{
    (void)state;
    open_model("carom: 1\ndimension: 2\n"
               "bodies: {block: {mass: 2, inertia: 1}}\n"
               "states: {sum: {rate: joint.way.coordinate, start: 0, unit: m*s}}\n"
               "joints: {way: {type: translational, between: [ground, block], axis: [1, 0]}}\n"
               "loads: {pid: {type: force, on: block, force:\n"
               "  ['-200*N/m*joint.way.coordinate - 8*N*s/m*joint.way.rate - 300*N/m/s*sum', 0]}}\n"
               "run: {analysis: modes, about: state}\n");
    const carom_analysis_matrix *a = matrix("A");
    assert_int_equal(a->rows, 3);
    for (size_t k = 0; k < 2; k++) {
        const double x = number(k, "real"), y = number(k, "imaginary");
        /* 2 s^3 + 8 s^2 + 200 s + 300, and its size at |s| */
        const double re = 2 * (x * x * x - 3 * x * y * y) + 8 * (x * x - y * y) + 200 * x + 300;
        const double im = 2 * (3 * x * x * y - y * y * y) + 16 * x * y + 200 * y;
        printf("controller: eigenvalue %g %+g i, residual %.1e\n", x, y, hypot(re, im) / 300);
        assert_true(hypot(re, im) < 1e-7 * 300);
    }
    close_model();
}

/* States beside a mass on a spring (2 rad/s): one that follows it, of -7, in whose mode no body moves, and one of -5
   that pushes the mass, which then moves in its mode. */
static void test_states_alone(void **state)
{
    (void)state;
    open_model("carom: 1\ndimension: 2\n"
               "bodies: {block: {mass: 1, inertia: 1}}\n"
               "states: {sensor: {rate: 7*(x(block) - sensor)}, push: {rate: -5*push}}\n"
               "joints: {way: {type: translational, between: [ground, block], axis: [1, 0]}}\n"
               "loads: {f: {type: force, on: block, force: ['push - 4*x(block)', 0]}}\n"
               "run: {analysis: modes, about: state}\n");
    near("oscillation", number(0, "imaginary"), 2, 1e-9);
    assert_string_equal(cell(0, "motion")->text, "'way' slides");
    near("push", number(1, "real"), -5, 1e-9);
    assert_string_equal(cell(1, "motion")->text, "'way' slides");
    near("sensor", number(2, "real"), -7, 1e-9);
    assert_string_equal(cell(2, "motion")->text, "state.sensor alone: no body moves");
    close_model();
}

/* Whether a file has a number as its bytes. */
static bool has_number(const char *path, double value)
{
    char bytes[20000];
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    const size_t length = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    remove(path);
    for (size_t k = 0; k + sizeof value <= length; k++)
        if (memcmp(bytes + k, &value, sizeof value) == 0)
            return true;
    return false;
}

static void test_files(void **state)
{
    (void)state;
    open_model("carom: 1\ndimension: 2\ngravity: [0, -9.81]\n"
               "bodies: {rod: {mass: 2, inertia: 0.3, at: [0, -0.5], frames: {pivot: [0, 0.5]}}}\n"
               "joints: {pin: {type: revolute, between: [ground, rod.pivot], damper: {damping: 0.4}}}\n"
               "run: {analysis: modes}\n");
    const double value = entry(matrix("A"), "joint.pin.rate", "joint.pin.coordinate");
    assert_int_equal(carom_analysis_write_matrices(ctx, analysis, "modes.mat"), CAROM_OK);
    assert_int_equal(carom_analysis_write_matrices(ctx, analysis, "modes.h5"), CAROM_OK);
    assert_true(has_number("modes.mat", value));
    assert_true(has_number("modes.h5", value));
    assert_int_equal(carom_analysis_write_matrices(ctx, analysis, "modes.csv"), CAROM_ERROR_USAGE);
    assert_int_equal(carom_analysis_write_matrices(ctx, analysis, "no/such/folder.h5"), CAROM_ERROR_IO);
    assert_int_equal(carom_analysis_write_matrices(ctx, analysis, "no/such/folder.mat"), CAROM_ERROR_IO);
    close_model();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pendulum), cmocka_unit_test(test_held), cmocka_unit_test(test_double_pendulum),
        cmocka_unit_test(test_cart),     cmocka_unit_test(test_rotor),
        cmocka_unit_test(test_ball),         cmocka_unit_test(test_contact_damping), cmocka_unit_test(test_table),
        cmocka_unit_test(test_unstable), cmocka_unit_test(test_shaft),
        cmocka_unit_test(test_states), cmocka_unit_test(test_states_alone),   cmocka_unit_test(test_files),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
