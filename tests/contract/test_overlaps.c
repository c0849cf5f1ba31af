/* A start in overlap, alike for every pair of shapes, and for contact sets with both sorts of steps: told of with depth
   and energy from a hundredth of the smaller shape's size on, refused with names, place and remedy beyond a quarter. */
#include "carom_test.h"

#include "model/model.h"

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

/* 0: nothing is said; 1: warned of; 2: refused. */
static int outcome(const row *r, double way, const char *form, const char *run)
{
    char text[1500], depth[60];
    write_model(r, way, form, run, text, sizeof text);
    carom_context *ctx = new_context();
    carom_model *model = new_model(ctx, text);
    carom_simulation *sim = NULL;
    carom_status status = carom_simulation_create(ctx, model, NULL, &sim);
    if (status == CAROM_OK)
        status = carom_simulation_run(sim);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pairs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
