/* Height fields (the shape height_field, pairs field_sphere and field_surface) that are tilted planes: every point of
   every solid has the gap that it has on the plane, within the edges and beyond them, and a ball is touched halfway
   between the surfaces. */
#include "carom_test.h"

#include <math.h>

#include "geometry/surface/field.h"
#include "kinds/shape/shape.h"
#include "support/solids.h"

static uint64_t seed = 9;

enum { COLUMNS = 9, ROWS = 14 };

static double field[CAROM_FIELD_TABLE + 4 * COLUMNS * ROWS], heights[COLUMNS * ROWS], work[5 * ROWS];

static carom_vec3 random_vector(double size)
{
    return carom_v3(solid_uniform(&seed, -size, size), solid_uniform(&seed, -size, size),
                    solid_uniform(&seed, -size, size));
}

static void make(bool straight)
{
    for (int r = 0; r < ROWS; r++)
        for (int c = 0; c < COLUMNS; c++) {
            const double x = 2 * ((double)c / (COLUMNS - 1) - 0.5), y = 3 * ((double)r / (ROWS - 1) - 0.5);
            heights[r * COLUMNS + c] = 0.3 * x - 0.2 * y + 0.1;
        }
    carom_field_make(COLUMNS, ROWS, 2, 3, straight, heights, work, field);
}

static void test_plane(void **state)
{
    (void)state;
    double most = 0, side = 0;
    const carom_shape_kind *kind;
    const double plane[3] = {-0.3, 0.2, 1};
    for (int straight = 0; straight < 2; straight++) {
        make(straight);
        for (int k = 0; k < 300; k++) {
            const carom_quat turn = carom_quat_from_rotation(random_vector(2));
            const double radius[1] = {solid_uniform(&seed, 0.01, 0.5)};
            const carom_shape_pose i = {.p = field, .origin = {1, 2, 3}, .axes = carom_quat_matrix(turn)};
            carom_shape_pose j = {.p = plane, .axes = i.axes};
            j.origin = carom_v3_add(i.origin, carom_m3_apply(&i.axes, carom_v3(0, 0, 0.1)));
            carom_shape_pose ball = {.p = radius, .axes = carom_m3_identity()};
            ball.origin = carom_v3_add(i.origin, random_vector(3));
            carom_pair_point a = {0}, b = {0};
            carom_pair_field_sphere.gap(&i, &ball, &a);
            carom_pair_sphere_plane.gap(&ball, &j, &b);
            most = fmax(most, fabs(a.gap - b.gap));
            side = fmax(side, carom_v3_norm(carom_v3_add(a.normal, b.normal)));
            /* the point lies halfway between the surfaces, on the line through the centre */
            const carom_vec3 middle = carom_v3_add_scaled(ball.origin, -(radius[0] + 0.5 * a.gap), a.normal);
            most = fmax(most, carom_v3_norm(carom_v3_sub(a.point, middle)));
            most = fmax(most, carom_v3_norm(carom_v3_sub(carom_v3_add(i.origin, a.from_i), middle)));
            most = fmax(most, carom_v3_norm(carom_v3_sub(carom_v3_add(ball.origin, a.from_j), middle)));
            double solid[64];
            kind = solid_kind_at((size_t)k % 9);
            assert_true(solid_random(kind, &seed, false, solid) >= 0);
            ball.p = solid;
            ball.axes = carom_quat_matrix(carom_quat_from_rotation(random_vector(3)));
            /* flat ends have places of their own */
            const bool ends = kind == &carom_shape_cylinder || kind == &carom_shape_cone || kind == &carom_shape_tube;
            for (int n = 0; n < carom_pair_surface_plane.points(solid, plane) && !ends; n++) {
                carom_pair_field_surface.gap_at(&i, &ball, n, &a);
                carom_pair_surface_plane.gap_at(&ball, &j, n, &b);
                most = fmax(most, fabs(a.gap - b.gap));
                side = fmax(side, carom_v3_norm(carom_v3_add(a.normal, b.normal)));
            }
        }
    }
    print_message("field and plane: gap %.1e m, normal %.1e\n", most, side);
    assert_true(most < 1e-13 * 10 && side < 1e-13);
}

/* A capsule that lies across a ridge touches it between its ends, wherever the ridge is under it, and there alone; in a
   valley with its ends. */
static void test_ridge(void **state)
{
    (void)state;
    enum { LINES = 41 };
    static double ridge[CAROM_FIELD_TABLE + 4 * LINES * 5], height[LINES * 5], room[5 * LINES];
    double capsule[CAROM_SOLID_SIZE];
    const double bar[8] = {-0.4, 0, 0, 0.4, 0, 0, 0.05};
    assert_null(carom_shape_capsule.solid(bar, NULL, capsule));
    for (int valley = 0; valley < 2; valley++) {
        for (int k = 0; k < LINES * 5; k++) {
            const double x = 2 * ((double)(k % LINES) / (LINES - 1) - 0.5);
            height[k] = (valley ? 0.5 : -0.5) * x * x;
        }
        carom_field_make(LINES, 5, 2, 1, false, height, room, ridge);
        for (int k = -6; k <= 5; k++) {
            const double off = 0.05 * k + 0.01;
            const carom_shape_pose i = {.p = ridge, .axes = carom_m3_identity()};
            const carom_shape_pose j = {.p = capsule, .origin = {off, 0.1, 0.12}, .axes = carom_m3_identity()};
            carom_pair_point middle = {0}, end;
            carom_pair_field_surface.gap_at(&i, &j, 2, &middle);
            if (valley) {
                assert_true(middle.less == 1);
                carom_pair_field_surface.gap_at(&i, &j, off > 0, &end);
                assert_true(end.gap <= middle.gap + 1e-12);
                continue;
            }
            assert_true(fabs(middle.gap - 0.07) < 1e-12 && middle.less < 1);
            assert_true(fabs(middle.point.x) < 1e-6 && fabs(middle.normal.z - 1) < 1e-12);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_plane), cmocka_unit_test(test_ridge)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
