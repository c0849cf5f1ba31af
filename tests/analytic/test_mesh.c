/* The shape `mesh`: hulls of random points, the mesh of a box against the shape `box` in every pair (surface-plane,
   surface-sphere, surface-surface), a sphere of triangles against the sphere, and motions. */
#include "carom_test.h"

#include <math.h>

#include "geometry/surface/hull.h"
#include "geometry/surface/patch/face.h"
#include "geometry/surface/patch/least.h"
#include "support/polyhedra.h"
#include "support/runs.h"
#include "support/sample.h"
#include "support/solids.h"

static uint64_t seed = 3;

static carom_vec3 random_vector(double size)
{
    return carom_v3(solid_uniform(&seed, -size, size), solid_uniform(&seed, -size, size),
                    solid_uniform(&seed, -size, size));
}

static carom_shape_pose random_pose(const double *p, double away)
{
    const carom_quat turn = carom_quat_from_rotation(random_vector(3));
    return (carom_shape_pose){.p = p, .origin = random_vector(away), .axes = carom_quat_matrix(turn)};
}

/* ---- hulls ---- */

/* Every point lies within the hull, whose triangles close, and every corner is one of the points. */
static void check_hull(const double *points, size_t count, const carom_hull *hull, double tolerance)
{
    int twins = 0;
    for (int t = 0; t < hull->triangle_count; t++) {
        carom_vec3 x[3];
        for (int k = 0; k < 3; k++) {
            x[k] = carom_v3_load(points + 3 * (size_t)hull->point[hull->triangle[t][k]]);
            const int beside = hull->beside[t][k];
            for (int m = 0; m < 3; m++)
                twins += hull->triangle[beside][m] == hull->triangle[t][(k + 1) % 3] &&
                         hull->triangle[beside][(m + 1) % 3] == hull->triangle[t][k];
        }
        const carom_vec3 n =
            carom_unit(carom_v3_cross(carom_v3_sub(x[1], x[0]), carom_v3_sub(x[2], x[0])));
        for (size_t k = 0; k < count; k++)
            assert_true(carom_v3_dot(n, carom_v3_sub(carom_v3_load(points + 3 * k), x[0])) < tolerance);
    }
    assert_int_equal(twins, 3 * hull->triangle_count);
    assert_int_equal(hull->count - 3 * hull->triangle_count / 2 + hull->triangle_count, 2);
}

static void test_hulls(void **state)
{
    (void)state;
    carom_context *ctx = new_context();
    carom_arena arena;
    carom_arena_init(&arena, ctx);
    static double points[3 * 3000];
    for (int trial = 0; trial < 60; trial++) {
        const int kind = trial % 6;
        const size_t count = kind == 5 ? 1000 : 4 + (size_t)trial * 8;
        for (size_t k = 0; k < count; k++) {
            carom_vec3 x = random_vector(1);
            if (kind == 1)
                x = carom_unit(x);
            if (kind == 2)      /* a coarse grid: many points in planes and on lines */
                x = carom_v3(round(3 * x.x) / 3, round(3 * x.y) / 3, round(3 * x.z) / 3);
            if (kind == 3)      /* a thin plate */
                x.z *= 1e-4;
            if (kind == 4)      /* of single precision, turned */
                x = carom_v3((float)(round(x.x) * 0.6 - round(x.y) * 0.8), (float)(round(x.x) * 0.8 + round(x.y) * 0.6),
                             (float)(round(x.z) + 0.1));
            if (kind == 5) {    /* a can of 500 sides */
                const double a = 2 * CAROM_PI * (double)(k / 2) / 500;
                x = carom_v3(cos(a), sin(a), k % 2 ? 0.3 : -0.3);
            }
            points[3 * k] = x.x;
            points[3 * k + 1] = x.y;
            points[3 * k + 2] = x.z;
        }
        carom_hull hull;
        const char *refusal;
        assert_ok(ctx, carom_hull_make(&arena, points, count, &hull, &refusal));
        if (refusal && (kind == 2 || kind == 4) && count < 30)
            continue;
        assert_null(refusal);
        check_hull(points, count, &hull, 3e-7 * 2 * sqrt(3));
        if (kind == 5)
            assert_int_equal(hull.count, 1000);
        if (kind == 4 && count > 100)
            assert_true(hull.count <= 28);
    }
    carom_arena_free(&arena);
    carom_context_free(ctx);
}

/* ---- a box ---- */

typedef struct worst {
    double gap, normal, point;
    int tried;
} worst;

/* The same contact in two ways; faces that lie flat on each other aside, where any point of the patch is right. */
static void compare(const carom_pair_point *a, const carom_pair_point *b, bool points, worst *w)
{
    w->tried++;
    w->gap = fmax(w->gap, fabs(a->gap - b->gap));
    w->normal = fmax(w->normal, carom_v3_norm(carom_v3_sub(a->normal, b->normal)));
    if (points)
        w->point = fmax(w->point, carom_v3_norm(carom_v3_sub(a->point, b->point)));
}

static void box_solid(double *solid, double a, double b, double c)
{
    double *p = carom_solid_begin(solid, &carom_surface_box, false);
    p[0] = a;
    p[1] = b;
    p[2] = c;
    p[3] = 0;
}

static void test_box_and_sphere(void **state)
{
    (void)state;
    carom_context *ctx = new_context();
    carom_arena arena;
    carom_arena_init(&arena, ctx);
    double corners[24], box[CAROM_SOLID_SIZE];
    box_corners(0.5, 0.3, 0.2, corners);
    box_solid(box, 0.5, 0.3, 0.2);
    const double *mesh = polyhedron_of(&arena, corners, 8);
    worst w = {0};
    for (int k = 0; k < 3000; k++) {
        const double radius[1] = {solid_uniform(&seed, 0.01, 0.5)};
        carom_shape_pose i = random_pose(box, 0.1), j = random_pose(radius, 1);
        carom_pair_point a = {0}, b = {0};
        carom_pair_surface_sphere.gap(&i, &j, &a);
        i.p = mesh;
        carom_pair_surface_sphere.gap(&i, &j, &b);
        compare(&a, &b, true, &w);
    }
    print_message("box and sphere: gap %.1e m, normal %.1e, point %.1e m\n", w.gap, w.normal, w.point);
    assert_true(w.gap < 1e-12 && w.normal < 1e-12 && w.point < 1e-12);
    carom_arena_free(&arena);
    carom_context_free(ctx);
}

/* The deepest corner has the gap of the lowest corner of the box; force and reaction act at one point, without a moment
   together. */
static void test_box_and_plane(void **state)
{
    (void)state;
    carom_context *ctx = new_context();
    carom_arena arena;
    carom_arena_init(&arena, ctx);
    double corners[24], box[CAROM_SOLID_SIZE];
    box_corners(0.5, 0.3, 0.2, corners);
    box_solid(box, 0.5, 0.3, 0.2);
    const double *mesh = polyhedron_of(&arena, corners, 8);
    const double plane[3] = {0.3, -0.4, 1};
    double most = 0, apart = 0;
    for (int k = 0; k < 1000; k++) {
        carom_shape_pose i = random_pose(box, 1);
        const carom_shape_pose j = random_pose(plane, 1);
        double least[2] = {HUGE_VAL, HUGE_VAL}, sum[2] = {0, 0};
        for (int side = 0; side < 2; side++) {
            i.p = side ? mesh : box;
            for (int n = 0; n < carom_pair_surface_plane.points(i.p, plane); n++) {
                carom_pair_point at = {0};
                carom_pair_surface_plane.gap_at(&i, &j, n, &at);
                least[side] = fmin(least[side], at.gap);
                sum[side] += at.gap < least[side] + 1e-9 ? 1 - at.less : 0;
                assert_true(fabs(at.less) < 1e-14);
                apart = fmax(apart, carom_v3_norm(carom_v3_sub(carom_v3_add(i.origin, at.from_i),
                                                               carom_v3_add(j.origin, at.from_j))));
            }
        }
        most = fmax(most, fabs(least[1] - least[0]));
    }
    print_message("box and plane: gap %.1e m, points %.1e m apart\n", most, apart);
    assert_true(most < 1e-12 && apart < 1e-12);
    carom_arena_free(&arena);
    carom_context_free(ctx);
}

/* Against solids of every family, apart and overlapping. */
static void test_box_and_solids(void **state)
{
    (void)state;
    carom_context *ctx = new_context();
    carom_arena arena;
    carom_arena_init(&arena, ctx);
    double corners[24], box[CAROM_SOLID_SIZE], other[64];
    box_corners(0.5, 0.3, 0.2, corners);
    box_solid(box, 0.5, 0.3, 0.2);
    const double *mesh = polyhedron_of(&arena, corners, 8);
    const carom_shape_kind *kind;
    for (size_t n = 0; (kind = solid_kind_at(n)) != NULL; n++) {
        worst w = {0};
        if (kind == &carom_shape_torus || kind == &carom_shape_tube || kind == &carom_shape_revolution)
            continue;
        for (int k = 0; k < 150; k++) {
            assert_true(solid_random(kind, &seed, false, other) >= 0);
            if (kind == &carom_shape_box)
                other[CAROM_SOLID_PARAMS + 3] = solid_uniform(&seed, 0, 0.02);
            if (carom_solid_check(other))
                continue;
            carom_shape_pose i = random_pose(box, 0.2), j = random_pose(other, 2);
            const carom_surface s_box = carom_solid_surface(box), s_mesh = carom_solid_surface(mesh);
            const carom_surface s = carom_solid_surface(other);
            carom_surface_contact a, b;
            carom_surface_pair(&s_box, &i, &s, &j, NULL, &a);
            carom_surface_pair(&s_mesh, &i, &s, &j, NULL, &b);
            if (!a.converged || !b.converged)
                continue;
            /* deep inside several directions may be the shortest way out */
            if (a.gap < -0.02)
                continue;
            w.tried++;
            w.gap = fmax(w.gap, fabs(a.gap - b.gap));
            w.normal = fmax(w.normal, carom_v3_norm(carom_v3_sub(a.normal, b.normal)));
        }
        print_message("box and %s: %d tried, gap %.1e m, normal %.1e\n", kind->kind.name, w.tried, w.gap, w.normal);
        assert_true(w.tried > 80);
        assert_true(w.gap < 1e-11 && w.normal < 1e-8);
    }
    carom_arena_free(&arena);
    carom_context_free(ctx);
}

/* ---- faces on faces ---- */

/* Sums over the places of the share of the law at a depth, and of its moment about the origin of j. */
static void sums(const carom_shape_pose *i, const carom_shape_pose *j, double *force, carom_vec3 *moment)
{
    *force = 0;
    *moment = carom_v3(0, 0, 0);
    for (int n = 0; n < carom_pair_surface_surface.points(i->p, j->p); n++) {
        carom_pair_point at = {0};
        carom_pair_surface_surface.gap_at(i, j, n, &at);
        const double f = at.gap < 0 ? -(1 - at.less) * at.gap : 0;
        *force += f;
        *moment = carom_v3_add_scaled(*moment, f, carom_v3_cross(at.from_j, at.normal));
    }
}

/* A brick that lies on another one, slid, turned and tilted: as the two boxes, whichever of them are meshes. */
static void test_faces(void **state)
{
    (void)state;
    carom_context *ctx = new_context();
    carom_arena arena;
    carom_arena_init(&arena, ctx);
    double corners[24], box[2][CAROM_SOLID_SIZE], most = 0, moments = 0;
    const double *mesh[2];
    static const double half[2][3] = {{0.5, 0.4, 0.1}, {0.3, 0.2, 0.15}};
    int borne = 0;
    for (int b = 0; b < 2; b++) {
        box_corners(half[b][0], half[b][1], half[b][2], corners);
        box_solid(box[b], half[b][0], half[b][1], half[b][2]);
        mesh[b] = polyhedron_of(&arena, corners, 8);
    }
    for (int k = 0; k < 3000; k++) {
        const carom_vec3 turn = {solid_uniform(&seed, -0.02, 0.02), solid_uniform(&seed, -0.02, 0.02),
                                 solid_uniform(&seed, -3, 3)};
        const carom_mat3 frame = carom_quat_matrix(carom_quat_from_rotation(random_vector(3)));
        const carom_mat3 own = carom_quat_matrix(carom_quat_from_rotation(turn));
        carom_shape_pose i = {.p = box[0], .axes = frame}, j = {.p = box[1], .axes = carom_m3_multiply(&frame, &own)};
        j.origin = carom_m3_apply(&frame, carom_v3(solid_uniform(&seed, -0.6, 0.6), solid_uniform(&seed, -0.5, 0.5),
                                                   solid_uniform(&seed, 0.245, 0.252)));
        double force[4];
        carom_vec3 moment[4];
        for (int which = 0; which < 4; which++) {
            i.p = which & 1 ? mesh[0] : box[0];
            j.p = which & 2 ? mesh[1] : box[1];
            sums(&i, &j, &force[which], &moment[which]);
            most = fmax(most, fabs(force[which] - force[0]));
            moments = fmax(moments, carom_v3_norm(carom_v3_sub(moment[which], moment[0])));
        }
        borne += force[0] > 0;
    }
    print_message("faces on faces: %d borne, forces %.1e, moments %.1e of the boxes' (depths of 5e-3)\n", borne, most,
                  moments);
    assert_true(borne > 1000 && most < 1e-12 && moments < 1e-12);
    carom_arena_free(&arena);
    carom_context_free(ctx);
}

/* A brick that stands on an edge, in the middle of a face: as the two boxes. The edge is equally
   deep all along, so that it bears where it ends, with a law at each end. */
static void test_standing(void **state)
{
    (void)state;
    carom_context *ctx = new_context();
    carom_arena arena;
    carom_arena_init(&arena, ctx);
    double corners[24], box[2][CAROM_SOLID_SIZE], most = 0, moments = 0, least = HUGE_VAL;
    const double *mesh[2];
    static const double half[2][3] = {{0.5, 0.45, 0.1}, {0.3, 0.06, 0.08}};
    for (int b = 0; b < 2; b++) {
        box_corners(half[b][0], half[b][1], half[b][2], corners);
        box_solid(box[b], half[b][0], half[b][1], half[b][2]);
        mesh[b] = polyhedron_of(&arena, corners, 8);
    }
    for (int k = 0; k < 2000; k++) {
        /* about the edge, askew by no more than both ends touch, about the normal of the face */
        const double stand = solid_uniform(&seed, 0.1, 1.5), yaw = solid_uniform(&seed, -1.3, 1.3);
        const carom_mat3 about = carom_quat_matrix(carom_quat_from_rotation(carom_v3(stand, 0, 0)));
        const carom_mat3 askew = carom_quat_matrix(carom_quat_from_rotation(
            carom_v3(0, solid_uniform(&seed, -0.005, 0.005), 0)));
        const carom_mat3 turned = carom_quat_matrix(carom_quat_from_rotation(carom_v3(0, 0, yaw)));
        const carom_mat3 tilted = carom_m3_multiply(&askew, &about), own = carom_m3_multiply(&turned, &tilted);
        const carom_mat3 frame = carom_quat_matrix(carom_quat_from_rotation(random_vector(3)));
        carom_shape_pose i = {.p = box[0], .axes = frame}, j = {.p = box[1], .axes = carom_m3_multiply(&frame, &own)};
        /* the middle of the lowest edge */
        const carom_vec3 edge = carom_m3_apply(&own, carom_v3(0, -half[1][1], -half[1][2]));
        const carom_vec3 at = {solid_uniform(&seed, -0.1, 0.1), solid_uniform(&seed, -0.1, 0.1), 0.1 - 0.004};
        j.origin = carom_m3_apply(&frame, carom_v3_sub(at, edge));
        double force[4];
        carom_vec3 moment[4];
        for (int which = 0; which < 4; which++) {
            i.p = which & 1 ? mesh[0] : box[0];
            j.p = which & 2 ? mesh[1] : box[1];
            sums(&i, &j, &force[which], &moment[which]);
            most = fmax(most, fabs(force[which] - force[0]));
            moments = fmax(moments, carom_v3_norm(carom_v3_sub(moment[which], moment[0])));
        }
        least = fmin(least, force[0]);
    }
    print_message("standing on an edge: forces of %.1e or more, %.1e, moments %.1e of the boxes'\n", least, most,
                  moments);
    assert_true(least > 0.0079 && most < 1e-12 && moments < 1e-12);
    carom_arena_free(&arena);
    carom_context_free(ctx);
}

/* Of two polyhedra that nearly lie flat no normal of a face has a larger separation than the least gap. The polytope of
   their differences is not convex there but for rounding; the first poses gave -0.33, -14.6, -36, -27.5 mm. */
static void test_nearly_flat(void **state)
{
    (void)state;
    static const double pose[][7] = {
        {-8.3076777578384421e-06, -3.6480206498322144e-06, 0, 4.7123889803846897, 0.0179909409279276,
         0.0074829778213129066, 0},
        {-2.1834952034149674e-06, 1.814004424902804e-06, 0, 1.5707963267948966, 0.017983224241269954,
         -0.0025494983672163518, 0},
        {2.0422137766871763e-06, -2.4080412295111751e-06, 0, 1.5707963267948966, 0.017968861080238999,
         0.0034588584141095145, 0.0012783831777140441},
        {2.767477915163586e-06, 2.1762242396719724e-06, 0, 1.5707963267948966, 0.017989999993289343,
         0.0097242805961207535, -0.0075190486087518974}};
    static const double x[6] = {.015, .0075, -.0075, -.015, -.0075, .0075};
    static const double y[6] = {0, .01299, .01299, 0, -.01299, -.01299};
    carom_context *ctx = new_context();
    carom_arena arena;
    carom_arena_init(&arena, ctx);
    double corners[36], worst_gap = 0;
    for (int k = 0; k < 12; k++) {
        corners[3 * k] = x[k % 6];
        corners[3 * k + 1] = y[k % 6];
        corners[3 * k + 2] = k < 6 ? -0.01 : 0.01;
    }
    const double *nut = polyhedron_of(&arena, corners, 12);
    const double sizes[4] = {0.005, 0.01, 0.01, 0};
    const carom_surface pad = {&carom_surface_box, sizes, false}, hexagon = carom_solid_surface(nut);
    for (int k = 0; k < 20000; k++) {
        carom_vec3 turn = random_vector(pow(10, solid_uniform(&seed, -7, -4)));
        double angle = CAROM_PI / 6 + (int)solid_uniform(&seed, 0, 6) * CAROM_PI / 3;
        carom_shape_pose i = {.axes = carom_m3_identity()}, j = {.origin = {0.0, 0, 0}};
        j.origin = random_vector(0.01);
        j.origin.x = 0.01799 + solid_uniform(&seed, -1, 1) * pow(10, solid_uniform(&seed, -9, -4));
        if (k < (int)CAROM_COUNT(pose)) {
            turn = carom_v3_load(pose[k]);
            angle = pose[k][3];
            j.origin = carom_v3_load(pose[k] + 4);
        }
        const carom_mat3 tilt = carom_quat_matrix(carom_quat_from_rotation(turn));
        const carom_mat3 about = carom_quat_matrix(carom_quat_from_rotation(carom_v3(0, 0, angle)));
        j.axes = carom_m3_multiply(&tilt, &about);
        carom_surface_contact least, face;
        const carom_surface_placed placed = carom_surface_place(&i, &j);
        carom_surface_least_polyhedra(&pad, &i, &hexagon, &j, &least);
        assert_true(carom_face_foremost(&pad, &hexagon, &placed, &face));
        worst_gap = fmax(worst_gap, face.gap - least.gap);
    }
    print_message("nearly flat: gaps at most %.1e m below that of the foremost face\n", worst_gap);
    assert_true(worst_gap < 1e-8);
    carom_arena_free(&arena);
    carom_context_free(ctx);
}

static void put_corner(double *corners, int n, carom_vec3 x)
{
    corners[3 * n] = x.x;
    corners[3 * n + 1] = x.y;
    corners[3 * n + 2] = x.z;
}

/* Solids whose corners and sides are in line with the axes have the least gap that they have in axes that are turned:
   supports along an axis are ties there, and the first four may lie in a plane or on a line. */
static void test_in_line(void **state)
{
    (void)state;
    carom_context *ctx = new_context();
    carom_arena arena;
    carom_arena_init(&arena, ctx);
    double off = 0;
    int apart = 0;
    for (int k = 0; k < 3000; k++) {
        const carom_mat3 turn = carom_quat_matrix(carom_quat_from_rotation(random_vector(3)));
        double bar[24], turned[24], corners[12];
        carom_vec3 at[4];
        const carom_vec3 half = {1 + floor(solid_uniform(&seed, 0, 3)), 1 + floor(solid_uniform(&seed, 0, 3)), 1};
        for (int n = 0; n < 8; n++) {
            const carom_vec3 x = {n & 1 ? half.x : -half.x, n & 2 ? half.y : -half.y, n & 4 ? half.z : -half.z};
            put_corner(bar, n, x);
            put_corner(turned, n, carom_m3_apply_t(&turn, x));
        }
        for (int n = 0; n < 4; n++) {
            const carom_vec3 x = random_vector(2.999);
            at[n] = carom_v3(trunc(x.x), trunc(x.y), trunc(x.z));
            put_corner(corners, n, at[n]);
        }
        const carom_vec3 a = carom_v3_sub(at[1], at[0]), b = carom_v3_sub(at[2], at[0]);
        if (carom_v3_dot(carom_v3_cross(a, b), carom_v3_sub(at[3], at[0])) == 0)
            continue;
        const carom_vec3 away = random_vector(6.999);
        const carom_shape_pose i = {.axes = carom_m3_identity()}, i_turned = {.axes = turn};
        const carom_shape_pose j = {.origin = {trunc(away.x), trunc(away.y), trunc(away.z)},
                                    .axes = carom_m3_identity()};
        const carom_surface first = carom_solid_surface(polyhedron_of(&arena, bar, 8));
        const carom_surface other = carom_solid_surface(polyhedron_of(&arena, turned, 8));
        const carom_surface wedge = carom_solid_surface(polyhedron_of(&arena, corners, 4));
        carom_surface_contact in_line, aside;
        carom_surface_least_polyhedra(&first, &i, &wedge, &j, &in_line);
        carom_surface_least_polyhedra(&other, &i_turned, &wedge, &j, &aside);
        apart += in_line.gap > 0;
        off = fmax(off, fabs(in_line.gap - aside.gap));
    }
    print_message("in line with the axes: gaps differ by %.1e of those in turned axes, %d of them apart\n", off, apart);
    assert_true(apart > 300 && off < 1e-9);
    carom_arena_free(&arena);
    carom_context_free(ctx);
}

/* ---- motions ---- */

#define SPACE "carom: 1\ndimension: 3\ngravity: [0, 0, -9.81]\n"
#define MESH(a, b, c)                                                                                                  \
    "type: mesh, points: [[" a ", " b ", " c "], [-" a ", " b ", " c "], [" a ", -" b ", " c "], [-" a ", -" b ", " c  \
    "], [" a ", " b ", -" c "], [-" a ", " b ", -" c "], [" a ", -" b ", -" c "], [-" a ", -" b ", -" c "]]"

/* A brick that falls askew on a slab, and one that holds by friction on a slope, as boxes and as meshes. */
static void test_motions(void **state)
{
    (void)state;
    static const char *const slab[2] = {"type: box, size: [0.3, 0.2, 0.1]", MESH("0.15", "0.1", "0.05")};
    static const char *const brick[2] = {"type: box, size: [0.24, 0.12, 0.07]", MESH("0.12", "0.06", "0.035")};
    static const char *const law =
        "normal: {law: hunt-crossley, stiffness: 1e7, restitution: 0.3}, friction: {law: coulomb, kinetic: 0.4}}}\n";
    double end[4][3], held[2][2];
    for (int k = 0; k < 4; k++) {
        char text[3000];
        free_run run;
        snprintf(text, sizeof text,
                 SPACE "bodies: {a: {mass: 2, inertia: [0.004, 0.01, 0.012], at: [0.02, 0.01, 0.04], orientation: "
                       "{axis: [0, 0.02, 1], angle: 0.5}, velocity: [0, 0, 0], angular_velocity: [0, 0, 0]}}\n"
                       "shapes: {s: {on: ground, at: [0, 0, -0.05], %s}, b: {on: a, %s}}\n"
                       "contacts: {lie: {between: [s, b], %srun: {until: 0.5}\n",
                 slab[k & 1], brick[k >> 1], law);
        free_run_parse(&run, text, 1e-8, NULL);
        free_run_to(&run, 0.5);
        memcpy(end[k], free_run_body(&run, "a").position, sizeof end[k]);
        const double residual = carom_simulation_ledger(run.sim).residual_fraction;
        print_message("brick on slab, %d: %.9f %.9f %.9f m, ledger %.1e, %llu steps\n", k, end[k][0], end[k][1],
                      end[k][2], residual, (unsigned long long)carom_simulation_statistics(run.sim).steps);
        assert_true(residual < 1e-7);
        for (int axis = 0; axis < 3; axis++)
            assert_true(fabs(end[k][axis] - end[0][axis]) < 1e-7);
        free_run_close(&run);
    }
    /* tan of the slope 0.36 < 0.4: what is set down slowly holds, in any direction */
    for (int k = 0; k < 2; k++) {
        char text[3000];
        free_run run;
        snprintf(text, sizeof text,
                 SPACE "bodies: {a: {mass: 2, inertia: [0.004, 0.01, 0.012], at: [0, 0, 0.035], velocity: [0, 0, 0], "
                       "angular_velocity: [0, 0, 0]}}\nshapes: {s: {on: ground, type: plane, normal: [0, 0, 1]}, b: "
                       "{on: a, %s}}\nloads: {push: {type: force, on: a, force: [0.3*2*9.81, -0.2*2*9.81, 0]}}\n"
                       "contacts: {lie: {between: [s, b], %srun: {until: 2}\n",
                 brick[k], law);
        free_run_parse(&run, text, 1e-8, NULL);
        free_run_to(&run, 1);
        memcpy(held[k], free_run_body(&run, "a").position, sizeof held[k]);
        free_run_to(&run, 2);
        const carom_body_state at = free_run_body(&run, "a");
        print_message("pushed %s: moved %.1e m in the last second\n", k ? "mesh" : "box",
                      hypot(at.position[0] - held[k][0], at.position[1] - held[k][1]));
        assert_true(hypot(at.position[0] - held[k][0], at.position[1] - held[k][1]) < 1e-7);
        free_run_close(&run);
    }
    assert_true(hypot(held[1][0] - held[0][0], held[1][1] - held[0][1]) < 1e-7);
}

/* A cube strikes a wall with an edge along it: both ends of the edge bear, each with half of the mass, so that it comes
   back as fast, in the closed time 2.9432 (d/v) of Hertz, d = (5 m v^2/(8 K))^(2/5) for half of the mass m. A mesh does
   as a box does, and once stood still there. */
static void test_edge_on_wall(void **state)
{
    (void)state;
    static const char *const cube[2] = {"type: box, size: [0.02, 0.02, 0.02]", MESH("0.01", "0.01", "0.01")};
    static const char *const wall[2] = {"type: box, size: [0.02, 0.04, 0.06]", MESH("0.01", "0.02", "0.03")};
    const double deep = pow(5 * 0.1 * 0.25 / (8 * 1e8), 0.4), time = 2.9432751 * deep / 0.5;
    for (int k = 0; k < 8; k++) {
        char text[3000];
        free_run run;
        size_t count;
        snprintf(text, sizeof text,
                 "carom: 1\ndimension: 3\nbodies: {a: {mass: 0.1, inertia: [1e-5, 1e-5, 1e-5], at: [0, 0, 0], "
                 "orientation: {axis: [0, 0, 1], angle: %s}, velocity: [0.5, 0, 0]}}\n"
                 "shapes: {w: {on: ground, at: [0.03, 0, 0], %s}, c: {on: a, %s}}\n"
                 "contacts: {s: {between: [c, w], normal: {law: hertz, stiffness: 1e8}}}\nrun: {until: 0.02}\n",
                 k & 4 ? "44*deg" : "45*deg", wall[k & 1], cube[k >> 1 & 1]);
        free_run_parse(&run, text, 1e-9, NULL);
        free_run_to(&run, 0.02);
        const carom_impact *impacts = carom_simulation_impacts(run.sim, &count);
        const unsigned long long steps = carom_simulation_statistics(run.sim).steps;
        print_message("edge on a wall, %d: %zu impacts, %.7g s of %.7g s, %llu steps\n", k, count,
                      count ? impacts[0].duration : 0, time, steps);
        assert_int_equal(count, 2);
        assert_true(steps < 500);
        for (size_t n = 0; n < count && !(k & 4); n++) { /* at 44 degrees the blow is eccentric */
            assert_true(fabs(impacts[n].v_out - 0.5) < 1e-6);
            assert_true(fabs(impacts[n].max_indentation - deep) < 1e-5 * deep);
            assert_true(fabs(impacts[n].duration - time) < 1e-5 * time);
        }
        assert_true(fabs(carom_simulation_ledger(run.sim).residual_fraction) < 1e-7);
        free_run_close(&run);
    }
}

/* ---- a sphere of triangles ---- */

static double ball_points[3 * 200000];

/* Points of 10,000 triangles: depths are those of the sphere, less the height of the sphere over the triangles at
   most. */
static void test_ball(void **state)
{
    (void)state;
    carom_context *ctx = new_context();
    carom_arena arena;
    carom_arena_init(&arena, ctx);
    const int n = 22;
    const double height = sphere_points(n, 0.5, ball_points);
    const double *mesh = polyhedron_of(&arena, ball_points, (size_t)(10 * n * n + 2));
    assert_int_equal(carom_polyhedron_corner_count(mesh + CAROM_SOLID_PARAMS), 10 * n * n + 2);
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (int k = 0; k < 2000; k++) {
        const double radius[1] = {0.2};
        const carom_shape_pose i = random_pose(mesh, 0);
        carom_shape_pose j = random_pose(radius, 1);
        j.origin = carom_v3_scale(solid_uniform(&seed, 0.55, 0.8), carom_unit(j.origin));
        carom_pair_point at = {0};
        carom_pair_surface_sphere.gap(&i, &j, &at);
        const carom_vec3 d = carom_v3_sub(j.origin, i.origin);
        const double real = at.gap - (carom_v3_norm(d) - 0.7);
        low = fmin(low, real);
        high = fmax(high, real);
    }
    print_message("ball of %d triangles: gap %.2e ... %.2e m more than the sphere, triangles lie %.2e m below it\n",
                  20 * n * n, low, high, height);
    assert_true(low > -1e-12 && high < height);
    assert_true(high > 0.5 * height);
    carom_arena_free(&arena);
    carom_context_free(ctx);
}

/* 100,000 corners are taken, and their places on a plane are few. */
static void test_many_corners(void **state)
{
    (void)state;
    carom_context *ctx = new_context();
    carom_arena arena;
    carom_arena_init(&arena, ctx);
    const int n = 100;
    sphere_points(n, 0.5, ball_points);
    const double *mesh = polyhedron_of(&arena, ball_points, (size_t)(10 * n * n + 2));
    const double *p = mesh + CAROM_SOLID_PARAMS;
    assert_int_equal(carom_polyhedron_corner_count(p), 10 * n * n + 2);
    assert_true(carom_polyhedron_place_count(p) <= 8);
    for (int k = 0; k < 200; k++) {
        const carom_vec3 x = carom_unit(random_vector(1));
        const carom_vec3 far = carom_surface_polyhedron.support(p, x);
        double most = -HUGE_VAL;
        for (int c = 0; c < 10 * n * n + 2; c++)
            most = fmax(most, carom_v3_dot(x, carom_polyhedron_corner(p, c)));
        assert_true(carom_v3_dot(x, far) >= most - 1e-15);
    }
    carom_arena_free(&arena);
    carom_context_free(ctx);
}

/* ---- chart ---- */

/* The point located at a place and normal of the surface is that place, with that normal. */
static void test_chart(void **state)
{
    (void)state;
    carom_context *ctx = new_context();
    carom_arena arena;
    carom_arena_init(&arena, ctx);
    double points[3 * 40], most = 0, rate = 0;
    for (int k = 0; k < 40; k++) {
        const carom_vec3 x = random_vector(1);
        points[3 * k] = x.x;
        points[3 * k + 1] = 0.6 * x.y;
        points[3 * k + 2] = 0.4 * x.z;
    }
    const carom_surface surface = carom_solid_surface(polyhedron_of(&arena, points, 40));
    for (int k = 0; k < 3000; k++) {
        const carom_vec3 x = random_vector(2);
        carom_surface_point foot, there, near[2];
        double u, v;
        if (carom_surface_distance(&surface, x, &foot) <= 0)
            continue;
        surface.kind->locate(surface.p, foot.position, foot.normal, &u, &v);
        carom_surface_at(&surface, u, v, &there);
        most = fmax(most, carom_v3_norm(carom_v3_sub(there.position, foot.position)));
        most = fmax(most, carom_v3_norm(carom_v3_sub(there.normal, foot.normal)));
        for (int side = 0; side < 2; side++)
            carom_surface_at(&surface, u + (side ? 1e-7 : -1e-7), v, &near[side]);
        if (carom_v3_norm(carom_v3_sub(near[1].normal, near[0].normal)) > 1e-5)
            continue;
        const carom_vec3 slope = carom_v3_scale(0.5e7, carom_v3_sub(near[1].position, near[0].position));
        rate = fmax(rate, carom_v3_norm(carom_v3_sub(slope, there.du)));
    }
    print_message("chart: %.1e, its derivative %.1e\n", most, rate);
    assert_true(most < 1e-12);
    assert_true(rate < 1e-6);
    carom_arena_free(&arena);
    carom_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hulls),          cmocka_unit_test(test_box_and_sphere),
        cmocka_unit_test(test_box_and_plane),  cmocka_unit_test(test_box_and_solids),
        cmocka_unit_test(test_ball),           cmocka_unit_test(test_many_corners),
        cmocka_unit_test(test_chart),          cmocka_unit_test(test_faces),
        cmocka_unit_test(test_motions),        cmocka_unit_test(test_standing),
        cmocka_unit_test(test_nearly_flat),    cmocka_unit_test(test_edge_on_wall),
        cmocka_unit_test(test_in_line),
    };
    return sample_group_tests(tests, 1, 3, NULL, NULL);
}
