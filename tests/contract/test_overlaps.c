/* A start in overlap, alike for every pair of shapes, and for contact sets with both sorts of steps: told of with depth
   and energy from a hundredth of the smaller shape's size on, refused with names, place and remedy beyond a quarter.
   And names of contacts in warnings. */
#include "carom_test.h"

#include "model/model.h"
#include "support/free_runs.h"

/* Two shapes, the second one on a body that is moved by `toward` per depth [m], from where they touch. */
typedef struct row {
    const char *pair;
    int dimension;
    const char *first, *second;         /* on the ground, on the body */
    double at[3], toward[3];
} row;

static const row rows[] = {
    {"sphere-sphere", 2, "type: sphere, radius: 0.3", "type: sphere, radius: 0.1", {0.4, 0, 0}, {-1, 0, 0}},
    {"sphere-sphere", 3, "type: sphere, radius: 0.3", "type: sphere, radius: 0.1", {0, 0, 0.4}, {0, 0, -1}},
    {"sphere-sphere", 3, "type: sphere, radius: -0.3", "type: sphere, radius: 0.1", {0, 0, 0.2}, {0, 0, 1}},
    {"sphere-plane", 2, "type: plane, normal: [0, 1]", "type: sphere, radius: 0.1", {0.2, 0.1, 0}, {0, -1, 0}},
    {"sphere-plane", 3, "type: plane, normal: [0, 0, 1]", "type: sphere, radius: 0.1", {0, 0, 0.1}, {0, 0, -1}},
    {"surface-plane", 3, "type: plane, normal: [0, 0, 1]", "type: ellipsoid, half_axes: [0.3, 0.2, 0.1]",
     {0, 0, 0.1}, {0, 0, -1}},
    {"surface-plane", 3, "type: plane, normal: [0, 0, 1]", "type: box, size: [0.4, 0.3, 0.2]", {0, 0, 0.1},
     {0, 0, -1}},
    {"surface-sphere", 3, "type: ellipsoid, half_axes: [0.3, 0.2, 0.3]", "type: sphere, radius: 0.1", {0, 0, 0.4},
     {0, 0, -1}},
    {"surface-surface", 3, "type: ellipsoid, half_axes: [0.3, 0.2, 0.3]",
     "type: ellipsoid, half_axes: [0.1, 0.2, 0.1]", {0, 0, 0.4}, {0, 0, -1}},
    {"curve-plane", 2, "type: plane, normal: [0, 1]",
     "type: capsule, from: [-0.2, 0], to: [0.2, 0.01], radius: 0.1", {0, 0.1, 0}, {0, -1, 0}},
    {"sphere-curve", 2, "type: capsule, from: [-0.5, 0], to: [0.5, 0], radius: 0.2",
     "type: sphere, radius: 0.1", {0.1, 0.3, 0}, {0, -1, 0}},
    {"curve-curve", 2, "type: capsule, from: [-0.5, 0], to: [0.5, 0], radius: 0.2",
     "type: capsule, from: [0, 0], to: [0, 0.5], radius: 0.1", {0.1, 0.3, 0}, {0, -1, 0}},
};

static void write_model(const row *r, double depth, const char *form, const char *run, char *text, size_t size)
{
    const bool planar = r->dimension == 2;
    double p[3];
    char at[120], contact[60];
    for (int k = 0; k < 3; k++)
        p[k] = r->at[k] + depth * r->toward[k];
    if (planar)
        snprintf(at, sizeof at, "[%.17g, %.17g]", p[0], p[1]);
    else
        snprintf(at, sizeof at, "[%.17g, %.17g, %.17g]", p[0], p[1], p[2]);
    snprintf(contact, sizeof contact, form, "one", "two");
    snprintf(text, size,
             "carom: 1\ndimension: %d\nbodies: {body: {mass: 1, inertia: %s, at: %s}}\n"
             "shapes:\n  one: {on: ground, %s}\n  two: {on: body, %s}\n"
             "contacts: {hit: {%s, normal: {law: hunt-crossley, stiffness: 1e5, exponent: 1.5, restitution: 0.5}}}\n"
             "run: {until: 1e-3, %s}\n",
             r->dimension, planar ? "0.1" : "[0.1, 0.1, 0.1]", at, r->first, r->second, contact, run);
}

/* The size of the smaller one [m]. */
static double size_of(const row *r)
{
    char text[1500];
    write_model(r, 0, "between: [%s, %s]", "tolerance: 1e-8", text, sizeof text);
    carom_context *ctx = new_context();
    carom_model *model = new_model(ctx, text);
    const double size = model->contacts[0].feature_size;
    carom_model_free(model);
    carom_context_free(ctx);
    return size;
}

/* Makes and runs a simulation of a model, whose errors its context has; NULL: it could not be made. */
static carom_status run_model(carom_context *ctx, const carom_model *model, carom_simulation **sim)
{
    *sim = NULL;
    const carom_status status = carom_simulation_create(ctx, model, NULL, sim);
    return status == CAROM_OK ? carom_simulation_run(*sim) : status;
}

/* 0: nothing is said; 1: warned of; 2: refused. */
static int outcome(const row *r, double way, const char *form, const char *run)
{
    char text[1500], depth[60];
    write_model(r, way, form, run, text, sizeof text);
    carom_context *ctx = new_context();
    carom_model *model = new_model(ctx, text);
    carom_simulation *sim;
    const carom_status status = run_model(ctx, model, &sim);
    int found = 0;
    snprintf(depth, sizeof depth, " by %.4g m", way);
    if (status != CAROM_OK) {
        const char *error = carom_context_error(ctx);
        if (!strstr(error, "test.yaml:7:") || !strstr(error, "'one' and 'two' overlap") || !strstr(error, depth) ||
            !strstr(error, "move"))
            fail_msg("%s, %s: %s", r->pair, text, error);
        found = 2;
    } else {
        size_t count;
        const char *const *warnings = carom_simulation_warnings(sim, &count);
        for (size_t k = 0; k < count && !found; k++)
            found = strstr(warnings[k], "at the start") && strstr(warnings[k], depth) && strstr(warnings[k], " J");
    }
    carom_simulation_free(sim);
    carom_model_free(model);
    carom_context_free(ctx);
    return found;
}

static void test_pairs(void **state)
{
    (void)state;
    static const struct {
        double share;
        int outcome;
    } cases[] = {{0.003, 0}, {0.05, 1}, {0.2, 1}, {0.24, 1}, {0.26, 2}, {0.6, 2}};
    static const char *const forms[] = {"between: [%s, %s]", "all: [%s, %s]", "all: [%s, %s]"};
    static const char *const runs[] = {"tolerance: 1e-8", "tolerance: 1e-8", "integrator: verlet, step: 1e-5"};
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        const double size = size_of(&rows[k]);
        for (int form = 0; form < 3; form++)
            for (size_t n = 0; n < sizeof cases / sizeof cases[0]; n++) {
                const int got = outcome(&rows[k], cases[n].share * size, forms[form], runs[form]);
                if (got != cases[n].outcome)
                    fail_msg("%s, %d-D, %s, %s, %g of the size: %d instead of %d", rows[k].pair, rows[k].dimension,
                             forms[form], runs[form], cases[n].share, got, cases[n].outcome);
            }
    }
}

/* Two, three and four contacts of which the same is to be said: each of the first is named. */
static void test_names(void **state)
{
    (void)state;
    static const char *const says[] = {"contacts 'a' and 'b':", "contacts 'a', 'b' and 'c':",
                                       "contacts 'a', 'b' and 2 others:"};
    for (int balls = 2; balls <= 4; balls++) {
        char text[2000];
        free_run run;
        size_t used = (size_t)snprintf(text, sizeof text, "{carom: 1, dimension: 2, gravity: [0, -9.81], bodies: {");
        for (int k = 0; k < balls; k++)
            used += (size_t)snprintf(text + used, sizeof text - used,
                                     "%c: {mass: 1, inertia: 1e-3, at: [%d, 1.01], velocity: [0, -10]}, ", 'a' + k, k);
        used += (size_t)snprintf(text + used, sizeof text - used,
                                 "}, shapes: {floor: {type: plane, on: ground, at: [0, 0.96], normal: [0, 1]}, ");
        for (int k = 0; k < balls; k++)
            used += (size_t)snprintf(text + used, sizeof text - used, "s%c: {type: sphere, on: %c, radius: 0.05}, ",
                                     'a' + k, 'a' + k);
        used += (size_t)snprintf(text + used, sizeof text - used, "}, contacts: {");
        for (int k = 0; k < balls; k++)
            used += (size_t)snprintf(text + used, sizeof text - used,
                                     "%c: {between: [floor, s%c], normal: {law: hertz, stiffness: 1e6}}, ", 'a' + k,
                                     'a' + k);
        snprintf(text + used, sizeof text - used, "}, run: {until: 0.02}}");
        free_run_parse(&run, text, 0, NULL);
        free_run_to(&run, 0.02);
        size_t count, named = 0;
        const char *const *warnings = carom_simulation_warnings(run.sim, &count);
        for (size_t k = 0; k < count; k++)
            named += strncmp(warnings[k], says[balls - 2], strlen(says[balls - 2])) == 0;
        if (!named)
            fail_msg("%d balls: none of %zu warnings begins with \"%s\"", balls, count, says[balls - 2]);
        free_run_close(&run);
    }
}

/* Outlines of which no corner lies in the other one: crossed, in one place, one within the other. Refused with both
   names, a place and the overlap, `by` [m]; 0: not refused. */
static void test_crossed(void **state)
{
    (void)state;
    static const struct {
        const char *one, *two, *at;
        double by;
    } cases[] = {
        {"type: box, size: [0.3, 0.1]", "type: box, size: [0.1, 0.3]", "at: [0, 0]", 0.1},
        {"type: box, size: [0.3, 0.1]", "type: box, size: [0.3, 0.1]", "at: [0.02, 0], angle: 1", 0.1},
        {"type: box, size: [0.2, 0.2]", "type: box, size: [0.2, 0.2]", "at: [0, 0]", 0.2},
        {"type: box, size: [0.2, 0.2]", "type: polygon, points: [[-0.1, -0.1], [0.1, -0.1], [0.1, 0.1], [-0.1, 0.1]]",
         "at: [0, 0]", 0.2},
        {"type: polygon, points: [[-0.1, -0.1], [0.1, -0.1], [0.09, 0.1], [-0.09, 0.1]]",
         "type: polygon, points: [[-0.09, -0.1], [0.09, -0.1], [0.08, 0.1], [-0.08, 0.1]]", "at: [0, 0.1]", 0.1},
        /* side on side, and in a notch as wide as it is, which is no overlap */
        {"type: box, size: [0.2, 0.2]", "type: box, size: [0.2, 0.2]", "at: [0, 0.2]", 0},
        {"type: polygon, points: [[-0.2, -0.2], [0.2, -0.2], [0.2, 0.2], [0.05, 0.2], [0.05, 0], [-0.05, 0], "
         "[-0.05, 0.2], [-0.2, 0.2]]",
         "type: box, size: [0.1, 0.1]", "at: [0, 0.1]", 0},
    };
    for (size_t k = 0; k < 2 * CAROM_COUNT(cases); k++) {
        char text[1500], depth[60];
        const size_t n = k / 2;
        snprintf(text, sizeof text,
                 "carom: 1\ndimension: 2\nbodies: {body: {mass: 1, inertia: 0.005, %s}}\n"
                 "shapes:\n  one: {on: ground, %s}\n  two: {on: body, %s}\n"
                 "contacts: {hit: {%s: [one, two], normal: {law: hooke, stiffness: 1e5}}}\nrun: {until: 1e-4}\n",
                 cases[n].at, cases[n].one, cases[n].two, k % 2 ? "all" : "between");
        carom_context *ctx = new_context();
        carom_model *model = new_model(ctx, text);
        carom_simulation *sim;
        const carom_status status = run_model(ctx, model, &sim);
        snprintf(depth, sizeof depth, " by %.4g m", cases[n].by);
        if (cases[n].by > 0 && (status == CAROM_OK || !strstr(carom_context_error(ctx), "'one' and 'two' overlap") ||
                                !strstr(carom_context_error(ctx), depth)))
            fail_msg("%s: %s", text, status == CAROM_OK ? "not refused" : carom_context_error(ctx));
        if (cases[n].by == 0 && status != CAROM_OK)
            fail_msg("%s: %s", text, carom_context_error(ctx));
        carom_simulation_free(sim);
        carom_model_free(model);
        carom_context_free(ctx);
    }
}

/* The place of such an overlap lies in both of two bars that cross off their middles. */
static void test_place_of_crossed(void **state)
{
    (void)state;
    for (int n = 0; n < 8; n++) {
        char text[1500];
        const double x = 0.3 + 0.02 * (n % 4), y = n / 4 ? -0.23 : -0.17;
        snprintf(text, sizeof text,
                 "carom: 1\ndimension: 2\nbodies: {body: {mass: 1, inertia: 0.005, at: [%.17g, %.17g]}}\n"
                 "shapes:\n  one: {on: ground, at: [0.33, -0.2], type: box, size: [0.3, 0.1]}\n"
                 "  two: {on: body, type: box, size: [0.1, 0.3]}\n"
                 "contacts: {hit: {between: [one, two], normal: {law: hooke, stiffness: 1e5}}}\nrun: {until: 1e-4}\n",
                 x, y);
        carom_context *ctx = new_context();
        carom_model *model = new_model(ctx, text);
        carom_simulation *sim;
        double at[2];
        assert_true(run_model(ctx, model, &sim) != CAROM_OK);
        const char *place = strstr(carom_context_error(ctx), "at the start, at (");
        assert_true(place && sscanf(place, "at the start, at (%lf, %lf) m", &at[0], &at[1]) == 2);
        /* printed with four digits */
        assert_true(fabs(at[0] - x) < 0.0501 && fabs(at[1] - y) < 0.1501);
        assert_true(fabs(at[0] - 0.33) < 0.1501 && fabs(at[1] + 0.2) < 0.0501);
        carom_simulation_free(sim);
        carom_model_free(model);
        carom_context_free(ctx);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pairs),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_crossed),
        cmocka_unit_test(test_place_of_crossed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
