/* Two boxes that meet edge across edge, or where their gap is least: along random motions the normal of the place turns
   at the rate that the pair says, and the gap closes at that of the place. */
#include "carom_test.h"

#include <math.h>

#include "kinds/shape/shape.h"
#include "kinds/shape/shape_solid.h"
#include "support/solids.h"

static double first[CAROM_SOLID_SIZE], second[CAROM_SOLID_SIZE];
static uint64_t seed = 3;

static carom_vec3 random_vector(double size)
{
    double x[3];
    for (int k = 0; k < 3; k++)
        x[k] = solid_uniform(&seed, -size, size);
    return carom_v3_load(x);
}

/* A pose after a time of steady motion. */
static carom_shape_pose moved(const carom_shape_pose *pose, double t)
{
    const carom_mat3 turn = carom_quat_matrix(carom_quat_from_rotation(carom_v3_scale(t, pose->spin)));
    carom_shape_pose out = *pose;
    out.origin = carom_v3_add_scaled(pose->origin, t, pose->velocity);
    out.axes = carom_m3_multiply(&turn, &pose->axes);
    return out;
}

static carom_shape_pose random_pose(const double *p, carom_vec3 origin)
{
    return (carom_shape_pose){.p = p,
                              .origin = origin,
                              .axes = carom_quat_matrix(carom_quat_from_rotation(random_vector(3))),
                              .velocity = random_vector(1),
                              .spin = random_vector(1)};
}

/* Whether the place bears at that time and before and after it, between the same edges. */
static bool compare(const carom_shape_pose *i, const carom_shape_pose *j, int point, double *turn, double *gap)
{
    static const double weight[5] = {1, -8, 0, 8, -1};
    const double h = 1e-4;
    carom_vec3 slope = {0, 0, 0};
    double gap_rate = 0;
    carom_pair_point at = {0}, last = {0};
    for (int n = 0; n < 5; n++) {
        const carom_shape_pose a = moved(i, (n - 2) * h), b = moved(j, (n - 2) * h);
        carom_pair_point then = {0};
        carom_pair_surface_surface.gap_at(&a, &b, point, &then);
        if (!(then.less < 1) || (n > 0 && carom_v3_norm(carom_v3_sub(then.normal, last.normal)) > 100 * h))
            return false;
        /* beyond the end of an edge another one is nearest, and the rate jumps */
        if (n > 0 && (then.curvature[0] != last.curvature[0] || then.curvature[1] != last.curvature[1]))
            return false;
        last = then;
        slope = carom_v3_add_scaled(slope, weight[n] / (12 * h), then.normal);
        gap_rate += weight[n] / (12 * h) * then.gap;
        at = n == 2 ? then : at;
    }
    const carom_vec3 rate = carom_pair_surface_surface.normal_rate_at(i, j, point);
    const carom_vec3 vi = carom_v3_add(i->velocity, carom_v3_cross(i->spin, at.from_i));
    const carom_vec3 vj = carom_v3_add(j->velocity, carom_v3_cross(j->spin, at.from_j));
    *turn = carom_v3_norm(carom_v3_sub(rate, slope)) / (1 + carom_v3_norm(slope));
    *gap = fabs(carom_v3_dot(at.normal, carom_v3_sub(vj, vi)) - gap_rate);
    return true;
}

static void test_rates(void **state)
{
    (void)state;
    int found = 0;
    for (int k = 0; k < 3000; k++) {
        const carom_shape_pose i = random_pose(first, random_vector(0.1));
        const carom_shape_pose j = random_pose(second, carom_v3(0, 0, solid_uniform(&seed, 0.6, 1.1)));
        for (int point = 16; point < carom_pair_surface_surface.points(first, second); point++) {
            double turn, gap;
            if (!compare(&i, &j, point, &turn, &gap))
                continue;
            found++;
            if (!(turn < 1e-6 && gap < 1e-6))
                fail_msg("motion %d, place %d: the normal's rate is off by %g, the gap's by %g", k, point, turn, gap);
        }
    }
    printf("%d places\n", found);
    assert_true(found > 100);
}

static int set_up(void **state)
{
    (void)state;
    const double size[4] = {1.0, 0.6, 0.7, 0.02}, other[4] = {0.8, 0.5, 0.6, 0};
    return carom_shape_box.solid(size, NULL, first) || carom_shape_box.solid(other, NULL, second);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rates)};
    return cmocka_run_group_tests(tests, set_up, NULL);
}
