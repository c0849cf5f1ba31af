/* The broad phase against all pairs: spheres of very different sizes, capsules off their bodies' centres and planes, in
   moves of all lengths; no near pair is missing, and the order of the list does not depend on when it was made. */
#include "carom_test.h"

#include <math.h>

#include "dynamics/contact/contact_set.h"

static uint64_t seed = 1;

static double uniform(double low, double high)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return low + (high - low) * (double)(seed >> 11) / 9007199254740992.0;
}

static const char *const balls =
    "{carom: 1, dimension: 3, bodies: {b: {copies: 120, mass: 1, inertia: [1, 1, 1], at: [random(copy), random(copy + "
    "0.3), random(copy + 0.6)]}, c: {copies: 20, mass: 1, inertia: [1, 1, 1], at: [random(copy), 1, 1]},"
    "d: {copies: 20, mass: 1, inertia: [1, 1, 1], at: [random(copy), random(2*copy), 0.5]}}, shapes: {f: "
    "{type: plane, on: ground, normal: [0, 0, 1]}, b: {type: sphere, on: b, at: ['0.02*mod(copy, 2)', 0, 0], radius: "
    "'0.005 + 0.15*random(copy)^4'}, w: {type: plane, on: ground, normal: [1, 1, 0]}, c: {type: capsule, on: c, from: "
    "[0, -0.1, 0], to: [0, 0.1, 0], radius: 0.01},"
    "d: {type: box, on: d, at: [0.05, 0, 0], size: [0.3, 0.02, 0.1]},"
    "bar: {type: capsule, on: ground, at: [0.5, 0.3, 0.4], from: [-0.3, 0, 0.1], to: [0.4, 0.4, 0], radius: 0.01},"
    "plate: {type: box, on: ground, at: [0.6, 0.5, 0.5], orientation: {axis: [3, 5, 7], angle: 0.9},"
    " size: [0.6, 0.02, 0.4]},"
    "post: {type: cylinder, on: ground, at: [0.3, 0.7, 0.2], orientation: {axis: [1, -1, 0], angle: 1},"
    " radius: 0.02, length: 0.9}},"
    "contacts: {p: {all: [f, b], normal: {law: hooke, stiffness: 1}}, q: {all: ['*'], except: [[f, c]], normal: {law: "
    "hooke, stiffness: 1}}}, run: {until: 1, integrator: verlet, step: 1e-3}}";

/* Shapes of a pair overlap. */
static bool overlap(const carom_model *m, const carom_model_contact *law, const carom_set_member *i,
                    const carom_set_member *j, const carom_body_pose *pose)
{
    const carom_contact_sides sides = {&m->shapes[i->shape], &m->shapes[j->shape], 0, NULL, NULL};
    carom_contact_point p;
    carom_contact_geometry_of(law, &sides, &pose[i->body], &pose[j->body], &p);
    return p.gap < 0;
}

static bool listed(const carom_candidate *list, size_t count, int set, int i, int j)
{
    for (size_t k = 0; k < count; k++)
        if (list[k].set == set && list[k].i == i && list[k].j == j)
            return true;
    return false;
}

static bool before(const carom_candidate *a, const carom_candidate *b)
{
    const int x[] = {a->set, a->i, a->j, a->point}, y[] = {b->set, b->i, b->j, b->point};
    for (int k = 0; k < 4; k++)
        if (x[k] != y[k])
            return x[k] < y[k];
    return false;
}

static void test_all_pairs(void **state)
{
    (void)state;
    carom_context *ctx = new_context();
    carom_model *m = new_model(ctx, balls);
    carom_body_pose *pose = test_calloc((size_t)m->body_count + 1, sizeof *pose);
    carom_broad *broad, *fresh;
    assert_int_equal(carom_broad_create(ctx, m, &broad), CAROM_OK);
    assert_int_equal(carom_broad_create(ctx, m, &fresh), CAROM_OK);
    pose[0].axes = carom_m3_identity();
    for (int k = 1; k <= m->body_count; k++)
        pose[k] = (carom_body_pose){.axes = carom_m3_identity(), .p = m->bodies[k].position};
    size_t builds = 0, overlaps = 0, longest = 0;
    for (int step = 0; step < 300; step++) {
        const double reach = step % 50 == 49 ? 0.3 : 1e-3;
        for (int k = 1; k <= m->body_count; k++) {
            pose[k].p = carom_v3_add(pose[k].p,
                                     carom_v3(uniform(-reach, reach), uniform(-reach, reach), uniform(-reach, reach)));
            const carom_mat3 turn =
                carom_quat_matrix(carom_quat_from_rotation(carom_v3(uniform(-0.1, 0.1), uniform(-0.1, 0.1), 0)));
            pose[k].axes = carom_m3_multiply(&turn, &pose[k].axes);
        }
        carom_broad_move_all(broad, pose);
        if (carom_broad_moved(broad)) {
            assert_int_equal(carom_broad_build(broad, pose, 2), CAROM_OK);
            builds++;
        }
        size_t count, count_fresh;
        const carom_candidate *list = carom_broad_candidates(broad, &count);
        longest = count > longest ? count : longest;
        for (size_t k = 1; k < count; k++)
            assert_true(before(&list[k - 1], &list[k]));
        carom_broad_move_all(fresh, pose);
        assert_int_equal(carom_broad_build(fresh, pose, 2), CAROM_OK);
        const carom_candidate *now = carom_broad_candidates(fresh, &count_fresh);
        if (step % 10)
            continue;
        for (int p = 0; p < m->contact_set_count; p++) {
            const carom_contact_set *set = &m->contact_sets[p];
            for (int i = set->first; i < set->first + set->count; i++)
                for (int j = i + 1; j < set->first + set->count; j++) {
                    const carom_set_member *a = &m->members[i], *b = &m->members[j];
                    const carom_model_contact *law = set->laws[a->group * set->group_count + b->group];
                    const bool may = law && carom_contact_set_pairs(m, set, a, b);
                    assert_true(may || !listed(list, count, p, i, j));
                    if (!may || !overlap(m, law, a, b, pose))
                        continue;
                    overlaps++;
                    assert_true(listed(list, count, p, i, j) && listed(now, count_fresh, p, i, j));
                    for (size_t k = 0; k < count; k++)
                        if (list[k].set == p && list[k].i == i && list[k].j == j)
                            assert_true(carom_broad_near(broad, list[k].i, list[k].j, list[k].reach, pose));
                }
        }
    }
    print_message("%zu overlaps found, %zu lists in 300 steps, at most %zu of %d pairs\n", overlaps, builds, longest,
                  m->member_count * (m->member_count - 1) / 2);
    assert_true(overlaps > 1000 && builds < 200);
    carom_broad_free(broad);
    carom_broad_free(fresh);
    test_free(pose);
    carom_model_free(m);
    carom_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_all_pairs)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
