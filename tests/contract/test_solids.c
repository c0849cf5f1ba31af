/* Every solid shape (ellipsoid, superellipsoid, torus, cylinder, cone, tube, revolution, capsule, box), drawn with
   random parameters: its mesh is closed, lies on its surface and within its bounds, its normals point out of the
   material and its triangles wind about them. */
#include "carom_test.h"

#include <math.h>

#include "base/base.h"
#include "support/drawing.h"
#include "support/polyhedra.h"
#include "support/solids.h"

#define DRAWINGS 6

static drawing drawn;

/* ---- points in one place get one number ---- */

static double weld;

static int by_place(const void *a, const void *b)
{
    const carom_vec3 *x = &drawn.at[*(const int *)a], *y = &drawn.at[*(const int *)b];
    const double d[3] = {x->x - y->x, x->y - y->y, x->z - y->z};
    for (int k = 0; k < 3; k++)
        if (fabs(d[k]) > weld)
            return d[k] < 0 ? -1 : 1;
    return 0;
}

static int place[MOST];

/* Each directed edge with the opposite one as often: sorted by its two places. */
typedef struct edge {
    int low, high, way;
} edge;

static int by_ends(const void *a, const void *b)
{
    const edge *x = a, *y = b;
    return x->low != y->low ? x->low - y->low : x->high - y->high;
}

static void number_places(void)
{
    static int order[MOST];
    for (size_t k = 0; k < drawn.points; k++)
        order[k] = (int)k;
    qsort(order, drawn.points, sizeof *order, by_place);
    int number = 0;
    for (size_t k = 0; k < drawn.points; k++) {
        if (k > 0 && by_place(&order[k - 1], &order[k]) != 0)
            number++;
        place[order[k]] = number;
    }
}

static void check_closed(const char *name)
{
    static edge edges[3 * MOST];
    size_t count = 0;
    number_places();
    for (size_t k = 0; k < drawn.triangles; k++)
        for (int j = 0; j < 3; j++) {
            const int a = place[drawn.triangle[k][j]], b = place[drawn.triangle[k][(j + 1) % 3]];
            assert_true(a != b);
            edges[count++] = (edge){a < b ? a : b, a < b ? b : a, a < b ? 1 : -1};
        }
    qsort(edges, count, sizeof *edges, by_ends);
    for (size_t k = 0; k < count; k += 2)
        if (k + 1 >= count || by_ends(&edges[k], &edges[k + 1]) != 0 || edges[k].way + edges[k + 1].way != 0 ||
            (k + 2 < count && by_ends(&edges[k], &edges[k + 2]) == 0))
            fail_msg("%s: an edge is not in two triangles", name);
}

static void check_drawing(const carom_shape_kind *kind, const double *solid)
{
    const carom_surface surface = carom_solid_surface(solid);
    const double size = surface.kind->bounding_radius(surface.p), bound = carom_solid_bounding_radius(solid);
    const double zero[3] = {0, 0, 0};
    assert_true(surface.hollow ? isinf(bound) : isfinite(bound));
    carom_solid here;
    carom_shape_pose pose = {.p = solid, .axes = carom_m3_identity(), .origin = carom_v3_load(zero)};
    carom_solid_at(&pose, false, &here);
    for (size_t k = 0; k < drawn.points; k++) {
        carom_surface_point foot;
        assert_true(fabs(carom_v3_norm(drawn.normal[k]) - 1) < 1e-13);
        assert_true(carom_v3_norm(drawn.at[k]) <= bound * (1 + 1e-12));
        const carom_vec3 x = carom_m3_apply_t(&here.pose.axes, carom_v3_sub(drawn.at[k], here.pose.origin));
        if (fabs(carom_surface_distance(&surface, x, &foot)) > 1e-9 * size)
            fail_msg("%s: a point is off the surface", kind->kind.name);
    }
    for (size_t k = 0; k < drawn.triangles; k++) {
        const int *corner = drawn.triangle[k];
        const carom_vec3 u = carom_v3_sub(drawn.at[corner[1]], drawn.at[corner[0]]);
        const carom_vec3 v = carom_v3_sub(drawn.at[corner[2]], drawn.at[corner[0]]), turn = carom_v3_cross(u, v);
        for (int j = 0; j < 3; j++)
            if (!(carom_v3_dot(turn, drawn.normal[corner[j]]) > 0))
                fail_msg("%s: a triangle does not wind about its normals", kind->kind.name);
    }
    for (size_t k = 0; k < drawn.lines; k++)
        for (int j = 0; j < 2; j++)
            assert_true(drawn.line[k][j] >= 0 && (size_t)drawn.line[k][j] < drawn.points &&
                        drawn.line[k][0] != drawn.line[k][1]);
}

static void test_meshes(void **state)
{
    (void)state;
    const carom_shape_kind *kind;
    uint64_t seed = 7;
    size_t count = 0;
    for (; (kind = solid_kind_at(count)) != NULL; count++)
        for (int n = 0; n < DRAWINGS; n++) {
            double solid[CAROM_SOLID_SIZE + 8];
            const bool hollow = n % 2 == 1 && solid_may_be_hollow(kind);
            assert_true(solid_random(kind, &seed, hollow, solid) >= 0);
            const carom_mesh_sink sink = drawing_sink(&drawn);
            carom_solid_mesh(solid, &sink);
            const carom_surface surface = carom_solid_surface(solid);
            weld = 1e-10 * surface.kind->bounding_radius(surface.p);
            assert_true(drawn.triangles > 11 && drawn.lines > 11);
            check_drawing(kind, solid);
            check_closed(kind->kind.name);
        }
    assert_true(count >= 9);
}

/* Sharp edges: the twelve lines of a box lie on its edges, and its mesh has two triangles a face. */
static void test_sharp_box(void **state)
{
    (void)state;
    const double size[4] = {0.4, 0.6, 1.0, 0};
    double solid[CAROM_SOLID_SIZE];
    assert_null(carom_shape_box.solid(size, NULL, solid));
    const carom_mesh_sink sink = drawing_sink(&drawn);
    carom_solid_mesh(solid, &sink);
    assert_int_equal(drawn.triangles, 12);
    assert_int_equal(drawn.lines, 12);
    for (size_t k = 0; k < drawn.lines; k++) {
        const carom_vec3 a = drawn.at[drawn.line[k][0]], b = drawn.at[drawn.line[k][1]];
        const double length = carom_v3_norm(carom_v3_sub(b, a));
        assert_true(fabs(length - 0.4) < 1e-14 || fabs(length - 0.6) < 1e-14 || fabs(length - 1.0) < 1e-14);
    }
    weld = 1e-12;
    check_closed("box");
}

/* A ball that fits in: known sizes. */
static void test_inner_radius(void **state)
{
    (void)state;
    static const struct {
        const carom_shape_kind *kind;
        double p[8], radius;
    } known[] = {{&carom_shape_ellipsoid, {0.3, 0.4, 0.5}, 0.3},
                 {&carom_shape_torus, {0.5, 0.1}, 0.1},
                 {&carom_shape_superellipsoid, {0.5, 0.4, 0.5, 1, 1}, 0.4},
                 {&carom_shape_cylinder, {0.2, 1.0}, 0.2},
                 {&carom_shape_tube, {0.2, 0.3, 1.0}, 0.05},
                 {&carom_shape_box, {1, 0.6, 0.8, 0}, 0.3},
                 {&carom_shape_capsule, {0, 0, 0, 0, 1, 0, 0.25}, 0.25}};
    for (size_t k = 0; k < CAROM_COUNT(known); k++) {
        double solid[CAROM_SOLID_SIZE];
        assert_null(known[k].kind->solid(known[k].p, NULL, solid));
        assert_true(fabs(carom_solid_inner_radius(solid) - known[k].radius) < 1e-12);
    }
}

/* The points in which two solids may touch have names of their own. */
static void check_names(const carom_pair_kind *pair, const double *pi, const double *pj)
{
    enum { MANY = 64, LENGTH = 80 };
    static char name[MANY][LENGTH];
    const int count = pair->points(pi, pj);
    for (int k = 0; k < count && k < MANY && count > 1; k++) {
        name[k][0] = 0;
        pair->point_name(pi, pj, k, name[k], LENGTH);
        assert_true(strlen(name[k]) > 5);
        for (int m = 0; m < k; m++)
            if (strcmp(name[m], name[k]) == 0)
                fail_msg("%s: points %d and %d are both '%s'", pair->kind.name, m, k, name[k]);
    }
}

static void test_point_names(void **state)
{
    (void)state;
    static const double plane[3] = {0, 0, 1};
    const carom_shape_kind *kind, *other;
    uint64_t seed = 9;
    for (size_t n = 0; (kind = solid_kind_at(n)) != NULL; n++) {
        double solid[CAROM_SOLID_SIZE + 8], second[CAROM_SOLID_SIZE + 8];
        assert_true(solid_random(kind, &seed, false, solid) >= 0);
        check_names(&carom_pair_surface_plane, solid, plane);
        check_names(&carom_pair_field_surface, NULL, solid);
        for (size_t m = 0; (other = solid_kind_at(m)) != NULL; m++) {
            assert_true(solid_random(other, &seed, false, second) >= 0);
            check_names(&carom_pair_surface_surface, solid, second);
        }
    }
    /* a cylinder has two flat ends, a pointed cone one */
    double solid[CAROM_SOLID_SIZE];
    char text[80];
    assert_null(carom_shape_cylinder.solid((const double[8]){0.2, 1.0}, NULL, solid));
    carom_pair_surface_plane.point_name(solid, plane, carom_pair_surface_plane.points(solid, plane) - 1, text,
                                        sizeof text);
    assert_non_null(strstr(text, "end z+"));
    carom_pair_surface_plane.point_name(solid, plane, 2, text, sizeof text);
    assert_string_equal(text, "far side of end z-");
    carom_pair_field_surface.point_name(NULL, solid, 1, text, sizeof text);
    assert_string_equal(text, "rim z+");
    assert_null(carom_shape_cone.solid((const double[8]){0.2, 0, 1.0}, NULL, solid));
    carom_pair_surface_plane.point_name(solid, plane, 2, text, sizeof text);
    assert_string_equal(text, "far side of the flat end");
}

/* A corner on a plane is a ball of the radius of its edges, curved alike both ways; that of a mesh is sharp. The arms
   lead to the point and to its foot on the plane. */
static void test_corners_on_a_plane(void **state)
{
    (void)state;
    carom_arena arena;
    carom_context *ctx = new_context();
    carom_arena_init(&arena, ctx);
    double corners[24], box[CAROM_SOLID_SIZE];
    static const double plane[3] = {0, 0, 1};
    box_corners(0.2, 0.3, 0.4, corners);
    assert_null(carom_shape_box.solid((const double[8]){0.4, 0.6, 0.8, 0.05}, NULL, box));
    const double *const solids[] = {polyhedron_of(&arena, corners, 8), box};
    const carom_mat3 turned = carom_quat_matrix(carom_quat_from_rotation(carom_v3(0.3, -0.5, 0.2)));
    const carom_shape_pose j = {.p = plane, .origin = {0.3, 0.1, -0.1}, .axes = carom_m3_identity()};
    for (int k = 0; k < 4; k++) {
        const double radius = k % 2 ? 0.05 : 0;
        const carom_shape_pose i = {
            .p = solids[k % 2], .origin = {0.1, 0.2, 0.3}, .axes = k / 2 ? turned : carom_m3_identity()};
        for (int n = 0; n < carom_pair_surface_plane.points(i.p, plane); n++) {
            carom_pair_point out = {.curvature = {7, 8}};
            carom_pair_surface_plane.gap_at(&i, &j, n, &out);
            const carom_vec3 at = carom_v3_add(i.origin, out.from_i), foot = carom_v3_add(j.origin, out.from_j);
            assert_true(carom_v3_norm(carom_v3_sub(at, out.point)) < 1e-15);
            assert_true(fabs(out.gap - (at.z - j.origin.z)) < 1e-15 && fabs(out.normal.z + 1) < 1e-15);
            assert_true(fabs(foot.x - at.x) < 1e-15 && fabs(foot.y - at.y) < 1e-15);
            assert_true(out.radius_i == radius && isinf(out.radius_j));
            for (int way = 0; way < 2; way++)
                assert_true(radius > 0 ? fabs(out.curvature[way] * radius - 1) < 1e-12 : isinf(out.curvature[way]));
        }
    }
    carom_arena_free(&arena);
    carom_context_free(ctx);
}

/* A pin in a tube that it fits into touches at both ends, whichever of the two is named first; beside it, or beside
   anything that is no tube, two round solids touch once. */
static void test_pins(void **state)
{
    (void)state;
    double tube[CAROM_SOLID_SIZE], pin[CAROM_SOLID_SIZE], thick[CAROM_SOLID_SIZE], ball[CAROM_SOLID_SIZE];
    assert_null(carom_shape_tube.solid((const double[8]){0.2, 0.3, 1.0, 0.01}, NULL, tube));
    assert_null(carom_shape_cylinder.solid((const double[8]){0.19, 2.0, 0.01}, NULL, pin));
    assert_null(carom_shape_cylinder.solid((const double[8]){0.21, 2.0, 0.01}, NULL, thick));
    assert_null(carom_shape_ellipsoid.solid((const double[8]){0.5, 0.5, 0.6}, NULL, ball));
    const carom_pair_kind *pair = &carom_pair_surface_surface;
    assert_int_equal(pair->points(tube, pin), 2);
    assert_int_equal(pair->points(pin, tube), 2);
    const double *const others[][2] = {{tube, ball}, {ball, pin}, {ball, tube}, {pin, ball}};
    for (size_t k = 0; k < CAROM_COUNT(others); k++)
        assert_int_equal(pair->points(others[k][0], others[k][1]), 1);
    assert_true(pair->points(tube, thick) != 2 && pair->points(pin, thick) != 2);
    /* the radius of a tube is that of its bore where a pin is in it, else that of its outside */
    const double both = cbrt(0.5 * 0.5 * 0.6);
    const struct {
        const double *i, *j;
        double radius_i, radius_j;
    } radii[] = {{tube, pin, -0.2, 0.19}, {pin, tube, 0.19, -0.2},  {tube, thick, 0.3, 0.21},
                 {ball, tube, both, 0.3}, {thick, pin, 0.21, 0.19}, {ball, ball, both, both}};
    for (size_t k = 0; k < CAROM_COUNT(radii); k++) {
        double i, j;
        pair->curvature(radii[k].i, radii[k].j, &i, &j);
        assert_true(fabs(i - radii[k].radius_i) < 1e-15 && fabs(j - radii[k].radius_j) < 1e-15);
    }
}

/* What bears a flat end is a ball of the radius of its rim, curved alike both ways; a sharp one is a point. */
static void test_rims_on_a_plane(void **state)
{
    (void)state;
    static const double plane[3] = {0, 0, 1};
    const carom_mat3 turned = carom_quat_matrix(carom_quat_from_rotation(carom_v3(0.01, -0.02, 0.4)));
    const carom_shape_pose j = {.p = plane, .axes = carom_m3_identity()};
    for (int k = 0; k < 2; k++) {
        const double rounding = k ? 0.01 : 0;
        double solid[CAROM_SOLID_SIZE];
        assert_null(carom_shape_cylinder.solid((const double[8]){0.2, 1.0, rounding}, NULL, solid));
        const carom_shape_pose i = {.p = solid, .origin = {0.1, 0.2, 0.5}, .axes = turned};
        const int points = carom_pair_surface_plane.points(solid, plane);
        assert_true(points > 2);
        for (int n = 2; n < points; n++) {
            carom_pair_point out = {.curvature = {7, 8}};
            carom_pair_surface_plane.gap_at(&i, &j, n, &out);
            assert_true(out.radius_i == rounding && isinf(out.radius_j));
            for (int way = 0; way < 2; way++)
                assert_true(k ? fabs(out.curvature[way] * rounding - 1) < 1e-12 : isinf(out.curvature[way]));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_meshes),
        cmocka_unit_test(test_sharp_box),
        cmocka_unit_test(test_inner_radius),
        cmocka_unit_test(test_point_names),
        cmocka_unit_test(test_pins),
        cmocka_unit_test(test_corners_on_a_plane),
        cmocka_unit_test(test_rims_on_a_plane),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
