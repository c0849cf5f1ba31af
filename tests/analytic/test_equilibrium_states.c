/* Equilibrium and modes of models with states of the user: their rates are zero as well, against closed forms;
   integrals of the user and of motors are held, which both analyses tell. Both formulations. */
#include "carom_test.h"

#include <math.h>

#include "support/context.h"

#define RAIL                                                                                        \
    "bodies: {cart: {mass: 1, inertia: 0.1, at: [0.03, 0]}}\n"                                      \
    "joints: {rail: {type: translational, between: [ground, cart], axis: [1, 0],\n"                 \
    "  spring: {stiffness: 80}, damper: {damping: 4}}}\n"

static carom_model *model;
static carom_analysis *analysis;

static void open_model(const char *text, const char *kind, int tree)
{
    carom_analysis_def def = carom_default_analysis_def();
    assert_ok(ctx, carom_model_parse(ctx, "test.yaml", text, strlen(text), NULL, 0, &model));
    carom_run_def run = *carom_model_get_run(model, 0);
    run.analysis = kind;
    run.formulation = tree ? "tree" : "cartesian";
    def.run_def = &run;
    assert_ok(ctx, carom_analysis_run(ctx, model, &def, &analysis));
}

static void close_model(void)
{
    carom_analysis_free(analysis);
    carom_model_free(model);
}

static double state_of(const char *name)
{
    double out;
    assert_ok(ctx, carom_state_get(carom_analysis_state(analysis), name, &out, 1));
    return out;
}

static void near(const char *what, double found, double expected, double allowed)
{
    printf("%-30s %.15g, off by %.1e of %.0e\n", what, found, fabs(found / expected - 1), allowed);
    assert_true(fabs(found - expected) <= allowed * fabs(expected));
}

static bool says(const char *table, const char *words)
{
    const carom_analysis_table *t = carom_analysis_find_table(analysis, table);
    for (size_t k = 0; k < t->row_count; k++)
        if (strstr(t->cells[k].text, words))
            return true;
    return false;
}

/* A force 200 z with z = x + 0.1 at rest: 80 x = 200 (x + 0.1), and a stiffness of 80 - 200. It was "stable" at 0. */
static void test_lag(void **state)
{
    (void)state;
    for (int tree = 0; tree < 2; tree++) {
        double stiffness;
        open_model("carom: 1\ndimension: 2\nstates: {z: {rate: 10*(x(cart) + 0.1 - z)}}\n" RAIL
                   "loads: {f: {type: force, on: cart, force: [200*z, 0]}}\nrun: {analysis: equilibrium}\n",
                   "equilibrium", tree);
        near("lag: place", state_of("joint.rail.coordinate"), -1 / 6.0, 1e-12);
        near("lag: state", state_of("state.z"), -1 / 15.0, 1e-12);
        assert_ok(ctx, carom_analysis_get(analysis, "least_stiffness", &stiffness));
        near("lag: stiffness", stiffness, -120, 1e-8);
        assert_true(says("verdict", "unstable") && says("verdict", "state 'z' is"));
        close_model();
    }
}

/* Two states in a row, a force that is not linear: 80 x = 4.2 - 20 z^2 with z = y + 0.02, y = x. */
static void test_chain(void **state)
{
    (void)state;
    static const char *const kinds[] = {"equilibrium", "modes"};
    for (int tree = 0; tree < 2; tree++)
        for (int i = 0; i < 2; i++) {
            open_model("carom: 1\ndimension: 2\nstates: {z: {rate: (y - z)/0.1 + 0.2}, y: {rate: 5*(x(cart) - y)}}\n"
                       RAIL "loads: {f: {type: force, on: cart, force: [4.2 - 20*z*abs(z), 0]}}\n"
                       "run: {analysis: equilibrium}\n",
                       kinds[i], tree);
            const double z = (-80 + sqrt(80 * 80 + 4 * 20 * (4.2 + 80 * 0.02))) / (2 * 20); /* of 80 (z - 0.02) */
            near("chain: place", state_of("joint.rail.coordinate"), z - 0.02, 1e-12);
            near("chain: z", state_of("state.z"), z, 1e-12);
            near("chain: y", state_of("state.y"), z - 0.02, 1e-12);
            assert_true(says(i ? "remarks" : "verdict", "state 'y' is"));
            close_model();
        }
}

/* The integral of a deviation has a rate that no value of it changes: it is held beside a state that is found. */
static void test_integral(void **state)
{
    (void)state;
    static const char *const kinds[] = {"equilibrium", "modes"};
    for (int tree = 0; tree < 2; tree++)
        for (int i = 0; i < 2; i++) {
            const char *table = i ? "remarks" : "verdict";
            open_model("carom: 1\ndimension: 2\n"
                       "states: {sum: {rate: 0.1 - x(cart), start: 0.02}, z: {rate: 3*(sum - z)}}\n" RAIL
                       "loads: {f: {type: force, on: cart, force: [200*z, 0]}}\nrun: {analysis: equilibrium}\n",
                       kinds[i], tree);
            near("integral: place", state_of("joint.rail.coordinate"), 200 * 0.02 / 80, 1e-12);
            assert_true(state_of("state.sum") == 0.02);
            assert_true(says(table, "state 'sum' is held as it starts") && says(table, "by 0.05 a second"));
            close_model();
            open_model("carom: 1\ndimension: 2\n" RAIL
                       "loads: {f: {type: motor, on: rail, target: 0.1, integral: 50}}\nrun: {analysis: equilibrium}\n",
                       kinds[i], tree);
            assert_true(says(table, "load 'f' is held as it starts: its state grows by 0.1 a second"));
            close_model();
        }
}

/* Integrals that read states which can rest, cycles, pairs of which a sum stays, and a state that rests nowhere: what
   is found, and what is held. */
static void test_read_by_integrals(void **state)
{
    (void)state;
    static const struct {
        const char *states, *force; /* of the cart, whose spring has 80 N/m */
        double x;                   /* of the rail */
        const char *name;
        double z;
        const char *held;           /* the one that is told; NULL: none */
    } cases[] = {
        {"{y: {rate: 4 - y^2, start: 1}, h: {rate: y - 2}}", "y", 2 / 80.0, "y", 2, NULL},
        {"{y: {rate: 4 - y^2, start: 1}, h: {rate: y - 1}}", "y", 2 / 80.0, "y", 2, "h"},
        {"{f: {rate: (x(cart) - f)/0.1}, i: {rate: 0.2 - f}}", "3 + 5*i + 40*(0.2 - f)", 11 / 120.0, "f", 11 / 120.0,
         "i"},
        {"{p: {rate: v}, v: {rate: 1 - 5*v}}", "v + p", 0.2 / 80, "v", 0.2, "p"},
        {"{a: {rate: b - 3}, b: {rate: 2 - a}}", "a*b", 6 / 80.0, "b", 3, NULL},
        {"{a: {rate: b - 1}, b: {rate: c - 2}, c: {rate: a - 3}}", "a*b*c", 6 / 80.0, "c", 2, NULL},
        {"{p: {rate: q}, q: {rate: 0.5}, z: {rate: 2 - z}}", "z", 2 / 80.0, "z", 2, "q"},
        {"{n: {rate: 1 + n^2, start: 0.5}, z: {rate: 2 - z}, h: {rate: n - z}}", "z", 2 / 80.0, "z", 2, "n"},
        {"{a: {rate: -1e6*(a - 1), scale: 1}, w: {rate: 1e-4*(a - 2*w), scale: 1}, h: {rate: w + a, scale: 1}}", "w",
         0.5 / 80, "w", 0.5, "h"},
    };
    for (int tree = 0; tree < 2; tree++)
        for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
            char text[900], name[40];
            snprintf(text, sizeof text,
                     "carom: 1\ndimension: 2\nstates: %s\n" RAIL
                     "loads: {f: {type: force, on: cart, force: [%s, 0]}}\nrun: {analysis: equilibrium}\n",
                     cases[k].states, cases[k].force);
            open_model(text, "equilibrium", tree);
            near("integrals: place", state_of("joint.rail.coordinate"), cases[k].x, 1e-12);
            snprintf(name, sizeof name, "state.%s", cases[k].name);
            near("integrals: state", state_of(name), cases[k].z, 1e-12);
            snprintf(name, sizeof name, "state '%s' is held", cases[k].held ? cases[k].held : "");
            assert_true(says("verdict", cases[k].held ? name : "where its rate is 0"));
            assert_true(cases[k].held || !says("verdict", "is held"));
            close_model();
        }
}

/* What flows from one store into the other keeps the sum, which says where they rest: both are held, which is told, and
   a state that reads them is found. */
static void test_stores(void **state)
{
    (void)state;
    open_model("carom: 1\ndimension: 2\nstates: {a: {rate: b - a, start: 0.1}, b: {rate: a - b, start: 0.3},\n"
               "  z: {rate: a + b - z}}\n" RAIL
               "loads: {f: {type: force, on: cart, force: [z, 0]}}\nrun: {analysis: equilibrium}\n",
               "equilibrium", 0);
    near("stores: place", state_of("joint.rail.coordinate"), 0.4 / 80, 1e-12);
    assert_true(state_of("state.a") == 0.1 && state_of("state.b") == 0.3);
    assert_true(says("verdict", "state 'a' is held") && says("verdict", "state 'b' is held"));
    close_model();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lag),
        cmocka_unit_test(test_chain),
        cmocka_unit_test(test_integral),
        cmocka_unit_test(test_read_by_integrals),
        cmocka_unit_test(test_stores),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
