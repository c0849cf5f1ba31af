/* Edges of boxes and meshes that cross: gap, normal and points against the closed form of two segments whose crossing
   is chosen, whichever solid is the first, and runs of it that do not depend on that. */
#include "carom_test.h"

#include <math.h>
#include <stdio.h>

#include "base/base.h"
#include "geometry/surface/patch/patch.h"
#include "support/polyhedra.h"
#include "support/runs.h"
#include "support/solids.h"

#define TRIALS 3000
/* The least sine between the edges, and of the segments what lies on either side of the crossing at least. */
#define SLANTED 0.2
#define INNER 0.2

static uint64_t seed = 31;

static double chance(double low, double high) { return solid_uniform(&seed, low, high); }

static carom_vec3 chance_vector(double size) { return solid_vector(&seed, size); }

/* An edge of the core of a solid, in the axes of its shape, and the normals of both faces. */
typedef struct edge {
    carom_vec3 from, to, face[2];
} edge;

/* Half sizes of a box less the radius of its edges; or a tetrahedron. */
typedef struct solid {
    const double *p;
    double half[3], radius;
    const double *corner;
} solid;

static edge box_edge(const solid *s)
{
    const int k = (int)chance(0, 3);
    double from[3] = {0, 0, 0}, to[3] = {0, 0, 0};
    edge e;
    from[k] = -s->half[k];
    to[k] = s->half[k];
    for (int n = 1; n < 3; n++) {
        const int axis = (k + n) % 3, sign = chance(-1, 1) < 0 ? -1 : 1;
        double normal[3] = {0, 0, 0};
        normal[axis] = sign;
        from[axis] = to[axis] = sign * s->half[axis];
        e.face[n - 1] = carom_v3_load(normal);
    }
    e.from = carom_v3_load(from);
    e.to = carom_v3_load(to);
    return e;
}

static edge tetrahedron_edge(const solid *s)
{
    carom_vec3 x[4];
    const int first = (int)chance(0, 4);
    edge e;
    for (int k = 0; k < 4; k++)
        x[k] = carom_v3_load(s->corner + 3 * ((first + k) % 4));
    e.from = x[0];
    e.to = x[1];
    for (int n = 0; n < 2; n++) {
        const carom_vec3 up = carom_v3_cross(carom_v3_sub(x[1], x[0]), carom_v3_sub(x[2 + n], x[0]));
        const bool inwards = carom_v3_dot(up, carom_v3_sub(x[3 - n], x[0])) > 0;
        e.face[n] = carom_unit(inwards ? carom_v3_neg(up) : up);
    }
    return e;
}

/* A direction in which the edge is the farthest part of the solid. */
static carom_vec3 outwards(const edge *e)
{
    const double share = chance(0.25, 0.75);
    return carom_unit(carom_v3_add_scaled(carom_v3_scale(share, e->face[0]), 1 - share, e->face[1]));
}

/* The turn that takes the unit vector a to b. */
static carom_mat3 turn_onto(carom_vec3 a, carom_vec3 b, double spin)
{
    const carom_mat3 to = carom_m3_axes(b, carom_v3(0.6, 0, 0.8)), from = carom_m3_axes(a, carom_v3(0, 0.8, 0.6));
    carom_mat3 back = from;
    for (int k = 0; k < 3; k++) {
        const carom_vec3 row = carom_m3_apply_t(&from, carom_v3(k == 0, k == 1, k == 2));
        back.m[0][k] = row.x;
        back.m[1][k] = row.y;
        back.m[2][k] = row.z;
    }
    const carom_mat3 onto = carom_m3_multiply(&to, &back);
    const carom_mat3 about = carom_quat_matrix(carom_quat_from_rotation(carom_v3_scale(spin, b)));
    return carom_m3_multiply(&about, &onto);
}

/* The contact of two shapes, and its points in the world. */
static void meet(const carom_shape_pose *i, const carom_shape_pose *j, carom_vec3 *x_i, carom_vec3 *x_j,
                 carom_surface_contact *out)
{
    carom_solid a, b;
    double share;
    carom_solid_at(i, false, &a);
    carom_solid_at(j, false, &b);
    carom_surface_patch(&a.surface, &a.pose, &b.surface, &b.pose, 0, out, &share);
    *x_i = carom_v3_add(a.pose.origin, out->from_i);
    *x_j = carom_v3_add(b.pose.origin, out->from_j);
}

static edge edge_of(const solid *s) { return s->corner ? tetrahedron_edge(s) : box_edge(s); }

static bool try_crossing(const solid *s, const solid *t, size_t trial, margin *m)
{
    const edge e = edge_of(s), f = edge_of(t);
    carom_shape_pose i = {.p = s->p, .axes = carom_quat_matrix(carom_quat_from_rotation(chance_vector(3)))};
    carom_shape_pose j = {.p = t->p};
    i.origin = chance_vector(1);
    const carom_vec3 n = carom_m3_apply(&i.axes, outwards(&e)), out_j = outwards(&f);
    j.axes = turn_onto(out_j, carom_v3_neg(n), chance(-3, 3));
    const carom_vec3 along_i = carom_m3_apply(&i.axes, carom_v3_sub(e.to, e.from));
    const carom_vec3 along_j = carom_m3_apply(&j.axes, carom_v3_sub(f.to, f.from));
    const double sine = carom_v3_norm(carom_v3_cross(carom_unit(along_i), carom_unit(along_j)));
    const double gap = (chance(0, 1) < 0.2 ? 1 : -1) * 1e-3 * pow(10, chance(-5, 0));
    const double at_i = chance(INNER, 1 - INNER), at_j = chance(INNER, 1 - INNER);
    if (sine < SLANTED)
        return false;
    const carom_vec3 from_i = carom_v3_add(i.origin, carom_m3_apply(&i.axes, e.from));
    const carom_vec3 core_i = carom_v3_add_scaled(from_i, at_i, along_i);
    const carom_vec3 x_i = carom_v3_add_scaled(core_i, s->radius, n), x_j = carom_v3_add_scaled(x_i, gap, n);
    const carom_vec3 core_j = carom_v3_add_scaled(x_j, t->radius, n);
    j.origin = carom_v3_sub(core_j, carom_v3_add_scaled(carom_m3_apply(&j.axes, f.from), at_j, along_j));
    for (int order = 0; order < 2; order++) {
        carom_surface_contact c;
        carom_vec3 first, second;
        if (order)
            meet(&j, &i, &second, &first, &c);
        else
            meet(&i, &j, &first, &second, &c);
        margin_add(m, "gap", trial, c.gap, gap, 1e-14);
        margin_add(m, "normal", trial, carom_v3_norm(carom_v3_add_scaled(c.normal, order ? 1 : -1, n)), 0, 1e-12);
        margin_add(m, "first point", trial, carom_v3_norm(carom_v3_sub(first, x_i)), 0, 1e-12);
        margin_add(m, "second point", trial, carom_v3_norm(carom_v3_sub(second, x_j)), 0, 1e-12);
        margin_add(m, "residual", trial, c.residual, 0, 1e-11);
    }
    return true;
}

static void test_crossings(void **state)
{
    (void)state;
    carom_context *ctx = new_context();
    carom_arena arena;
    carom_arena_init(&arena, ctx);
    static const double corner[12] = {0.1, 0, -0.05, -0.1, 0.1, -0.05, -0.1, -0.1, -0.05, 0, 0, 0.15};
    double brick[24], packed[2][CAROM_SOLID_PARAMS + 4];
    box_corners(0.1, 0.08, 0.06, brick);
    for (int k = 0; k < 2; k++) {
        double *p = carom_solid_begin(packed[k], &carom_surface_box, false);
        p[0] = 0.1;
        p[1] = 0.08;
        p[2] = 0.06;
        p[3] = k ? 0.01 : 0;
    }
    const solid solids[4] = {{polyhedron_of(&arena, brick, 8), {0.1, 0.08, 0.06}, 0, NULL},
                             {polyhedron_of(&arena, corner, 4), {0, 0, 0}, 0, corner},
                             {packed[0], {0.1, 0.08, 0.06}, 0, NULL},
                             {packed[1], {0.09, 0.07, 0.05}, 0.01, NULL}};
    margin m;
    size_t crossings = 0;
    margin_begin(&m, "edges of meshes and boxes across each other");
    for (size_t a = 0; a < 2; a++)
        for (size_t b = a; b < 4; b++)
            for (size_t trial = 0; trial < TRIALS; trial++)
                crossings += try_crossing(&solids[a], &solids[b], trial, &m);
    margin_end(&m);
    assert_true(crossings > 5 * TRIALS);
    carom_arena_free(&arena);
    carom_context_free(ctx);
}

/* ---- runs ---- */

typedef struct end {
    double energy, steps, impacts, v_in, v_out;
    carom_body_state a, b;
} end;

static end end_of(const char *text, double tolerance)
{
    free_run run;
    size_t count;
    end out;
    free_run_parse(&run, text, tolerance, NULL);
    free_run_to(&run, 0.3);
    const carom_ledger ledger = carom_simulation_ledger(run.sim);
    const carom_impact *impacts = carom_simulation_impacts(run.sim, &count);
    assert_true(count > 0);
    out.energy = ledger.kinetic;
    out.steps = (double)carom_simulation_statistics(run.sim).steps;
    out.impacts = (double)count;
    out.v_in = impacts[0].v_in;
    out.v_out = impacts[0].v_out;
    out.a = free_run_body(&run, "a");
    out.b = free_run_body(&run, "b");
    assert_false(free_run_is_told(&run, "[W02]"));
    free_run_close(&run);
    return out;
}

static void compare(margin *m, size_t k, const end *got, const end *expected, double allowed)
{
    margin_add(m, "steps", k, got->steps, expected->steps, 20);
    margin_add(m, "impacts", k, got->impacts, expected->impacts, 0.5);
    margin_add(m, "energy", k, got->energy, expected->energy, allowed);
    margin_add(m, "speed before", k, got->v_in, expected->v_in, allowed);
    margin_add(m, "speed after", k, got->v_out, expected->v_out, allowed);
    for (int n = 0; n < 3; n++) {
        margin_add(m, "velocity", k, got->a.velocity[n], expected->a.velocity[n], allowed);
        margin_add(m, "spin", k, got->b.angular_velocity[n], expected->b.angular_velocity[n], 10 * allowed);
    }
}

static const char *const tumbling =
    "carom: 1\ndimension: 3\ngravity: [0, 0, 0]\nbodies:\n"
    "  a: {mass: 1.6958565590703791, inertia: [0.009415, 0.010062, 0.009622],\n"
    "      at: [-0.20802777346821105, 0.044699069532023281, 0.012686287642422606],\n"
    "      orientation: [0.4807539684278041, -0.5019418262818488, 0.57014492401819772, 0.43802373278858292],\n"
    "      velocity: [1.1153851679643993, 0.29174427524620034, 0.076561550585635185],\n"
    "      angular_velocity: [-4.5462113059292601, -4.7328563054013451, 0.87879511833987678]}\n"
    "  b: {mass: 1.0588396162388736, inertia: [0.00494, 0.005425, 0.005559],\n"
    "      at: [0.19894263334332951, -0.0023445951263803694, 0.03776198762350727],\n"
    "      orientation: [-0.32818149102609667, -0.4584842958418302, -0.33008930492035621, -0.75705357154662767],\n"
    "      velocity: [-1.4100551984143144, 0.074117084766602226, -0.23390422814525447],\n"
    "      angular_velocity: [-1.0833065964138786, 0.33611008151054733, -1.031848372576861]}\nshapes:\n"
    "  sa: {type: box, size: [0.2, 0.16, 0.12], on: a,\n"
    "       at: [0.005065290393276755, -0.0071149867173368447, 0.018632262485113824],\n"
    "       orientation: [0.34171139434317194, -0.58243971251112758, 0.45923578837679047, -0.57714798357089314]}\n"
    "  sb: {type: mesh, points: [[0.1,0,-0.05],[-0.1,0.1,-0.05],[-0.1,-0.1,-0.05],[0,0,0.15]], on: b,\n"
    "       at: [-0.0049513667343799653, 0.0036706438304305415, 0.0071943953230182954],\n"
    "       orientation: [-0.50951604451210719, 0.40172032290082427, 0.75867836420987089, 0.058492069830261104]}\n"
    "contacts: {c: {between: [%s], normal: {law: exact, stiffness: 1e7, restitution: 0.6},\n"
    "               friction: {law: coulomb, kinetic: 0}}}\nrun: {until: 0.3}\n";

static const char *const bricks =
    "carom: 1\ndimension: 3\ngravity: [0, 0, 0]\nbodies:\n"
    "  a: {mass: 1.3292507903173696, inertia: [0.006433, 0.007103, 0.005632],\n"
    "      at: [-0.20938662836415936, -0.044249324233767817, -0.0040574121398917751],\n"
    "      orientation: [0.21376702764112368, -0.76656642652239915, 0.13737537189696858, -0.58975213337327403],\n"
    "      velocity: [0.63078913688358429, -0.066169756097547799, 0.1012209733454566],\n"
    "      angular_velocity: [-4.9380532475782584, 0.1876415308644841, 9.7218806850462016]}\n"
    "  b: {mass: 0.674235555597893, inertia: [0.003848, 0.00284, 0.003218],\n"
    "      at: [0.21621557614278444, -0.059759987641687065, 0.0041485253834866453],\n"
    "      orientation: [-0.80544100144573483, 0.4654443070263598, 0.3664587251753833, -0.018286415440871492],\n"
    "      velocity: [-1.2387148138172437, 0.23700309012920789, 0.026877405850768921],\n"
    "      angular_velocity: [-6.8490014454045918, 6.2318954986733317, -3.9098568211112017]}\n"
    "shapes:\n  sa: {type: %s, on: a}\n  sb: {type: %s, on: b}\n"
    "contacts: {c: {between: [sa, sb], normal: {law: exact, stiffness: 1e9, restitution: 0.6}}}\nrun: {until: 0.3}\n";

/* An edge of a box strikes one of a mesh: the same motion with either as the first, and two bricks move as two boxes
   do. */
static void test_runs(void **state)
{
    (void)state;
    static const char *const brick = "mesh, points: [[-.1,-.08,-.06],[.1,-.08,-.06],[-.1,.08,-.06],[.1,.08,-.06],"
                                     "[-.1,-.08,.06],[.1,-.08,.06],[-.1,.08,.06],[.1,.08,.06]]";
    static const char *const box = "box, size: [0.2, 0.16, 0.12]";
    char text[4096];
    end got[4];
    margin m;
    margin_begin(&m, "runs with edges across each other");
    for (size_t k = 0; k < 2; k++) {
        snprintf(text, sizeof text, tumbling, k ? "sb, sa" : "sa, sb");
        got[k] = end_of(text, 1e-9);
    }
    compare(&m, 0, &got[1], &got[0], 1e-6);
    /* the crossing of the edges by themselves, and the speed at which they approach each other there */
    margin_add(&m, "speed of the edges", 0, got[0].v_in, 2.5528, 1e-4);
    for (size_t k = 0; k < 4; k++) {
        snprintf(text, sizeof text, bricks, k & 1 ? brick : box, k & 2 ? brick : box);
        got[k] = end_of(text, 1e-9);
    }
    /* corners of a patch share a little of the second blow: 1e-5 of the energy */
    for (size_t k = 1; k < 4; k++)
        compare(&m, k, &got[k], &got[0], 1e-3);
    margin_end(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_crossings), cmocka_unit_test(test_runs)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
