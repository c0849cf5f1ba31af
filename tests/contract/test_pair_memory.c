/* Pairs may keep what all their places have in common at the last poses: with that memory the geometry has the bits
   that it has without, whatever was asked for before. Internal headers. */
#include "carom_test.h"

#include <string.h>

#include "dynamics/dynamics.h"
#include "sim/sim.h"

/* Boxes with and without a radius, two of which are alike. */
static const char model[] =
    "carom: 1\ndimension: 3\n"
    "bodies:\n"
    "  a: {copies: 2, mass: 1, inertia: [1, 1, 1], at: ['0.2*copy', 0, 0]}\n"
    "  b: {mass: 1, inertia: [1, 1, 1], at: [0, 0.3, 0]}\n"
    "  c: {mass: 1, inertia: [1, 1, 1], at: [0, 0.6, 0]}\n"
    "shapes:\n"
    "  a: {type: box, on: a, size: [0.1, 0.1, 0.1], edge: 5*mm}\n"
    "  b: {type: box, on: b, size: [0.1, 0.08, 0.12]}\n"
    "  c: {type: box, on: c, size: [0.1, 0.08, 0.12]}\n"
    "contacts:\n  s: {all: [a, b, c], normal: {law: hertz, stiffness: 1e6}}\n"
    "run: {until: 1}\n";

static uint64_t seed = 7;

static double uniform(double low, double high)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return low + (high - low) * (double)(seed >> 11) / 9007199254740992.;
}

/* A box near the origin, at random or along the axes of the world, where faces are parallel. */
static carom_body_pose pose(bool along)
{
    const carom_quat turn = carom_quat_from_rotation(carom_v3(uniform(-2, 2), uniform(-2, 2), uniform(-2, 2)));
    return (carom_body_pose){.p = carom_v3(uniform(-0.08, 0.08), uniform(-0.08, 0.08), uniform(-0.08, 0.08)),
                             .axes = along ? carom_m3_identity() : carom_quat_matrix(turn),
                             .v = carom_v3(uniform(-1, 1), 0, 0),
                             .w = carom_v3(0, uniform(-1, 1), 0)};
}

static void test_same_bits(void **state)
{
    (void)state;
    carom_context *ctx = new_context();
    carom_model *m;
    carom_simulation *sim;
    assert_int_equal(carom_model_parse(ctx, "m.yaml", model, strlen(model), NULL, 0, &m), CAROM_OK);
    assert_int_equal(carom_simulation_create(ctx, m, NULL, &sim), CAROM_OK);
    const carom_model *of = sim->model;
    assert_int_equal(of->contact_count, 6 * 33);
    carom_pair_memory memory = {{0}};
    int bear = 0;
    for (int n = 0; n < 400; n++) {
        const carom_body_pose i = pose(n % 5 == 0), j = pose(n % 5 == 0);
        for (int times = 0; times < 60; times++) {
            /* mostly places of one pair */
            const int k = (int)(times % 5 ? uniform(0, 33) : uniform(0, of->contact_count));
            carom_contact_sides sides = carom_contact_sides_of(of, NULL, k);
            carom_contact_point fresh, kept;
            memset(&fresh, 0, sizeof fresh);
            memset(&kept, 0, sizeof kept);
            const bool turned = times % 7 == 6; /* other poses, for the next ones to find */
            carom_contact_geometry_of(&of->contacts[k], &sides, turned ? &j : &i, turned ? &i : &j, &fresh);
            sides.memory = &memory;
            carom_contact_geometry_of(&of->contacts[k], &sides, turned ? &j : &i, turned ? &i : &j, &kept);
            assert_memory_equal(&fresh, &kept, sizeof fresh);
            bear += fresh.less < 1;
        }
    }
    assert_true(bear > 500);
    carom_simulation_free(sim);
    carom_model_free(m);
    carom_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_same_bits)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
