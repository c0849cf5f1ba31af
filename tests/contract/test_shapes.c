/* Every shape in every dimension it exists: its drawing is the same each time, has unit normals, triangles that wind
   about them, indices of points that are there, and stays within its bounds. */
#include "carom_test.h"

#include <math.h>

#include "support/drawing.h"
#include "support/kinds.h"
#include "base/base.h"
#include "geometry/involute.h"
#include "kinds/shape/shape.h"

#define DRAWINGS 20
#define SIZE_OF_PARAMS 32

static const carom_shape_kind *shape_at(size_t k)
{
    return (const carom_shape_kind *)carom_kind_at(every_kind(), CAROM_FAMILY_SHAPE, k);
}

/* Lists for the shapes that take some: an L, and a wedge with a round nose. */
static const double corners[] = {0, 0, 2, 0, 2, 1, 1, 1, 1, 2, 0, 2};
static const double bottom[] = {-2, -1, 0, -1}, top[] = {0, 1, -2, 1};
static const carom_outline_def segments[] = {
    {.type = "line", .points = bottom, .point_count = 2},
    {.type = "arc", .radius = 1, .from = -0.5 * 3.14159265358979323846, .to = 0.5 * 3.14159265358979323846},
    {.type = "line", .points = top, .point_count = 2}};
static const carom_shape_lists lists = {corners, 6, segments, 3};

/* The curve of a shape that is one, of parameters that it takes; `p` as it is else. */
static const double *curve_of(const carom_shape_kind *kind, const double *p)
{
    static double curve[1000];
    int item;
    if (!kind->curve)
        return p;
    assert_true(carom_curve_size(carom_shape_segments(kind, p, &lists)) <= 1000);
    return kind->curve(p, &lists, curve, &item) ? NULL : curve;
}

static void draw(const carom_shape_kind *kind, const double *p, bool planar, double reach, drawing *out)
{
    const carom_mesh_sink sink = drawing_sink(out);
    CAROM_KIND_CALL(kind, mesh, p, planar, reach, &sink);
}

/* ---- parameters within their ranges ---- */

static uint64_t seed = 1;

static double random_between(double low, double high)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return low + (high - low) * (double)(seed >> 11) / 9007199254740992.0;
}

static void choose(const carom_shape_kind *kind, bool planar, double *p)
{
    int at = 0;
    assert_true(carom_kind_param_size(&kind->kind) <= SIZE_OF_PARAMS);
    for (int k = 0; k < kind->kind.param_count; k++) {
        const carom_param_row *row = &kind->kind.params[k];
        for (int j = 0; j < row->size; j++)
            p[at + j] = row->flags & CAROM_PARAM_TEXT ? 0 : random_between(fmax(row->low, -2), fmin(row->high, 2));
        if (planar && row->size == 3)
            p[at + 2] = 0;
        /* in the plane the optional parameters of solids, alone for space, keep their defaults */
        if (planar && kind->solid && !(row->flags & CAROM_PARAM_REQUIRED))
            p[at] = row->default_value;
        at += row->size;
    }
}

/* Gears that teeth can be given to, rings among them; few teeth are undercut or pointed, and refused. */
static void choose_gear(double *p)
{
    p[CAROM_GEAR_TEETH] = floor(random_between(5, 80));
    p[CAROM_GEAR_MODULE] = random_between(0.1, 2);
    p[CAROM_GEAR_PRESSURE_ANGLE] = random_between(0.2, 0.5);
    p[CAROM_GEAR_SHIFT] = random_between(-0.5, 1);
    p[CAROM_GEAR_THINNING] = random_between(0, 0.3) * p[CAROM_GEAR_MODULE];
    p[CAROM_GEAR_INTERNAL] = random_between(-1, 1) > 0;
    p[CAROM_GEAR_ADDENDUM] = random_between(0.5, 1.2);
    p[CAROM_GEAR_DEDENDUM] = random_between(0.8, 1.5);
}

/* Parameters that a shape takes. */
static void choose_fitting(const carom_shape_kind *kind, bool planar, double *p)
{
    char text[CAROM_KIND_TEXT];
    do {
        if (kind == &carom_shape_gear)
            choose_gear(p);
        else
            choose(kind, planar, p);
        text[0] = 0;
    } while (kind->check && !CAROM_KIND_CALL(kind, check, p, text, sizeof text));
}

/* ---- checks ---- */

static void check_drawing(const carom_shape_kind *kind, const double *p, bool planar, const drawing *d)
{
    const double bound = CAROM_KIND_CALL(kind, bounding_radius, p);
    assert_true(d->points > 1 && d->lines + d->triangles > 0);
    for (size_t k = 0; k < d->points; k++) {
        assert_true(fabs(carom_v3_norm(d->normal[k]) - 1) < 1e-14);
        assert_true(carom_v3_norm(d->at[k]) <= bound * (1 + 1e-14));
        assert_true(!planar || fabs(d->at[k].z) <= 0);
    }
    for (size_t k = 0; k < d->triangles; k++) {
        const int *corner = d->triangle[k];
        for (int j = 0; j < 3; j++)
            assert_true(corner[j] >= 0 && (size_t)corner[j] < d->points);
        carom_vec3 u = carom_v3_sub(d->at[corner[1]], d->at[corner[0]]),
                   v = carom_v3_sub(d->at[corner[2]], d->at[corner[0]]);
        for (int j = 0; j < 3; j++)
            assert_true(carom_v3_dot(carom_v3_cross(u, v), d->normal[corner[j]]) > 0);
    }
    for (size_t k = 0; k < d->lines; k++)
        for (int j = 0; j < 2; j++)
            assert_true(d->line[k][j] >= 0 && (size_t)d->line[k][j] < d->points && d->line[k][0] != d->line[k][1]);
}

static drawing first, second;

static void test_drawings(void **state)
{
    (void)state;
    for (size_t k = 0; k < carom_kind_count(every_kind(), CAROM_FAMILY_SHAPE); k++)
        for (int planar = 0; planar < 2; planar++) {
            const bool others = shape_at(k)->solid || shape_at(k)->hull || shape_at(k)->field ||
                                shape_at(k)->triangles;
            if (planar ? !shape_at(k)->in_2d : !shape_at(k)->in_3d || others)
                continue;
            for (int n = 0; n < DRAWINGS; n++) {
                double p[SIZE_OF_PARAMS] = {0}, reach = random_between(0.1, 3);
                const double *made = NULL;
                while (!made) {
                    choose_fitting(shape_at(k), planar, p);
                    made = curve_of(shape_at(k), p);
                }
                draw(shape_at(k), made, planar, reach, &first);
                check_drawing(shape_at(k), made, planar, &first);
                draw(shape_at(k), made, planar, reach, &second);
                assert_memory_equal(&first, &second, sizeof first);
            }
        }
}

/* A plane is drawn as far as asked, and lies in itself. */
static void test_plane(void **state)
{
    (void)state;
    const double p[3] = {1, 2, 2};
    draw(&carom_shape_plane, p, false, 5, &first);
    assert_int_equal(first.points, 4);
    for (size_t k = 0; k < 4; k++) {
        assert_true(fabs(carom_v3_dot(first.at[k], carom_v3_load(p))) < 1e-14);
        assert_true(fabs(carom_v3_norm(first.at[k]) - 5 * sqrt(2)) < 1e-14);
    }
    const double floor[3] = {0, 3, 0};
    draw(&carom_shape_plane, floor, true, 5, &first);
    assert_int_equal(first.points, 2);
    assert_true(fabs(first.at[0].x) == 5 && fabs(first.at[1].x) == 5 && first.at[0].y == 0);
}

/* The normals of a hollow sphere point inwards. */
static void test_hollow(void **state)
{
    (void)state;
    for (int sign = -1; sign <= 1; sign += 2) {
        const double p[1] = {2.0 * sign};
        draw(&carom_shape_sphere, p, false, 1, &first);
        for (size_t k = 0; k < first.points; k++)
            assert_true(fabs(carom_v3_dot(first.at[k], first.normal[k]) - 2 * sign) < 1e-14);
        draw(&carom_shape_sphere, p, true, 1, &first);
        assert_int_equal(first.triangles > 0, sign > 0);
    }
}

/* A round nose is drawn by lines that turn by no more than 1.9 degrees, so that no corners are seen. */
static void test_round_outline(void **state)
{
    static drawing d;
    const double p[] = {0, 0}, limit = sin(3.14159265358979323846 / 96) * (1 + 1e-9);
    int turns = 0;
    (void)state;
    d.points = d.triangles = d.lines = 0;
    const carom_mesh_sink sink = drawing_sink(&d);
    const double *curve = curve_of(&carom_shape_profile, p);
    assert_non_null(curve);
    carom_shape_profile.mesh(curve, true, 1, &sink);
    for (size_t k = 0; k + 1 < d.lines; k++) {
        const carom_vec3 a = carom_unit(carom_v3_sub(d.at[d.line[k][1]], d.at[d.line[k][0]]));
        const carom_vec3 b = carom_unit(carom_v3_sub(d.at[d.line[k + 1][1]], d.at[d.line[k + 1][0]]));
        const double turn = carom_v3_norm(carom_v3_cross(a, b));
        assert_true(turn <= limit);
        turns += turn > 0.5 * limit;
    }
    assert_true(turns >= 94 && turns <= 97);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_drawings),
        cmocka_unit_test(test_plane),
        cmocka_unit_test(test_hollow),
        cmocka_unit_test(test_round_outline),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
