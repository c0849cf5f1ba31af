/* What joints say of where they start, and where they are followed. */
#include "carom_test.h"

#include <math.h>
#include <string.h>

#include "base/base.h"
#include "geometry/path/path.h"
#include "kinds/joint/joint.h"

static carom_frame_pose frame(double about_x)
{
    const double c = cos(about_x), s = sin(about_x);
    return (carom_frame_pose){.axes = {{{1, 0, 0}, {0, c, -s}, {0, s, c}}}};
}

/* A disc whose axis is along the normal of the plane has no point at which it rolls; tilted, or round as a ball, it
   has, and no edge is rounder than the disc is large. */
static void flat_disc(void **state)
{
    (void)state;
    const struct {
        double edge, tilt;
        const char *refusal;
    } cases[] = {
        {0, 0, "flat"},      {0.05, 0, "flat"},         {0.05, 3.14159265358979, "flat"}, {0, 1e-3, NULL},
        {0.05, 1e-3, NULL},  {0.05, 1.5707963, NULL},   {0.2, 0, NULL},                   {0.2, 1e-3, NULL},
        {0.21, 0.3, "edge"}, {0.19, 1e-7, "flat"},
    };
    for (size_t k = 0; k < CAROM_COUNT(cases); k++) {
        double p[8] = {0.2, cases[k].edge};
        const carom_frame_pose plane = frame(0.4), disc = frame(0.4 + cases[k].tilt);
        const char *refusal = carom_joint_rolling.start(p, &plane, &disc);
        if (cases[k].refusal ? !refusal || !strstr(refusal, cases[k].refusal) : refusal != NULL)
            fail_msg("case %zu: %s", k, refusal ? refusal : "accepted");
    }
}

static void hairpin(void *user, double u, carom_vec3 out[3])
{
    (void)user;
    out[0] = carom_v3(u, 3 * u * u, 0);
    out[1] = carom_v3(1, 6 * u, 0);
    out[2] = carom_v3(0, 6, 0);
}

/* A point between the arms of a hairpin stays on the arm that it is followed on until the other one is nearer by 1/100
   of the size of the curve. */
static void hairpin_arms(void **state)
{
    (void)state;
    carom_context *ctx = new_context();
    carom_arena arena;
    double *path, where;
    const char *refusal = NULL;
    static const double knots[] = {-1, 1};
    const carom_path_source source = {.at = hairpin, .knots = knots, .knot_count = 2};
    carom_arena_init(&arena, ctx);
    assert_ok(ctx, carom_path_make(&arena, &source, &path, &refusal, &where));
    assert_null(refusal);
    const double middle = 0.5 * path[CAROM_PATH_LENGTH], most = 0.01 * path[CAROM_PATH_SIZE];
    int stayed = 0, left = 0;
    for (int k = 1; k < 40; k++) {
        const carom_vec3 x = carom_v3(-0.002 * k, 1.5, 0);
        const double right = carom_path_follow(path, x, 1.6 * middle), nearest = carom_path_nearest(path, x);
        carom_path_point far, near;
        carom_path_at(path, right, &far);
        carom_path_at(path, nearest, &near);
        const double gain = carom_v3_norm(carom_v3_sub(x, far.at)) - carom_v3_norm(carom_v3_sub(x, near.at));
        assert_true(right > middle && nearest < middle && gain > 0);
        const carom_frame_pose i = frame(0);
        carom_frame_pose j = frame(0);
        j.p = x;
        const double s = carom_joint_point_on_curve.follow(path, &i, &j, right);
        assert_true(fabs(s - (gain > most ? nearest : right)) < 1e-9);
        /* a bead rubs along the curve, at one place */
        const double size[CAROM_FRICTION_SIZES] = {0};
        const carom_joint_input in = {.p = path, .i = &i, .j = &j, .dimension = 2};
        carom_row row[CAROM_FRICTION_SLIPS + 3];
        assert_int_equal(carom_joint_point_on_curve.friction->slips(NULL, size, &in, 0, row), 1);
        assert_int_equal(carom_joint_point_on_curve.friction->slips(NULL, size, &in, 1, row), 0);
        stayed += gain < most;
        left += gain > most;
    }
    assert_true(stayed > 3 && left > 3);
    carom_arena_free(&arena);
    carom_context_free(ctx);
}

static const carom_joint_kind *const joints[] = {
#define CAROM_KIND(symbol) &carom_joint_##symbol,
#include "kinds/joint/joint.def"
#undef CAROM_KIND
};

/* Every joint with friction rubs at its first place, and at none beyond the last one. */
static void first_place_rubs(void **state)
{
    (void)state;
    int found = 0;
    const double size[CAROM_FRICTION_SIZES] = {0.1, 0.2, 0.3, 0.4}, p[16] = {0.2, 0.1, 0.3};
    const carom_frame_pose i = frame(0.2), j = frame(0.2);
    const carom_joint_input in = {.p = p, .i = &i, .j = &j, .dimension = 3};
    for (size_t n = 0; n < CAROM_COUNT(joints); n++) {
        const carom_joint_friction_kind *friction = joints[n]->friction;
        carom_row rows[CAROM_FRICTION_SLIPS + 3];
        if (!friction || joints[n] == &carom_joint_point_on_curve)
            continue;
        found++;
        if (friction->slips(NULL, size, &in, 0, rows) < 1 ||
            friction->slips(NULL, size, &in, CAROM_FRICTION_SITES, rows) != 0)
            fail_msg("%s: friction at the first place %d, beyond the last %d", joints[n]->kind.name,
                     friction->slips(NULL, size, &in, 0, rows),
                     friction->slips(NULL, size, &in, CAROM_FRICTION_SITES, rows));
    }
    assert_true(found >= 6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(flat_disc), cmocka_unit_test(hairpin_arms),
                                       cmocka_unit_test(first_place_rubs)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
