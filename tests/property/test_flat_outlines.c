/* Outlines with straight sides and rounds that lie along each other: the gap of each place along random motions, the
   least of them against the gap of the whole outlines, forces that stay continuous as sides turn through parallel and
   slide past an end, and runs with closed forms. */
#include "carom_test.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/base.h"
#include "kinds/shape/shape.h"
#include "support/free_runs.h"
#include "support/runs.h"
#include "support/solids.h"

/* A capsule, a short and thick one, a box, a segment, a keyhole of a half disc, and a small capsule. */
#define OUTLINES 6
static double outlines[OUTLINES][CAROM_CURVE_HEADER + CAROM_OUTLINE_SEGMENTS * CAROM_CURVE_SEGMENT];
/* Half the height above the side that looks up and below the one that looks down, and half the length of that. */
static const double above[OUTLINES] = {5e-3, 10e-3, 8e-3, 0, 10e-3, 2e-3};
static const double below[OUTLINES] = {5e-3, 10e-3, 8e-3, 0, 0, 2e-3};
static const double half[OUTLINES] = {20e-3, 6e-3, 25e-3, 50e-3, 10e-3, 8e-3};
static uint64_t seed = 11;

static double chance(double low, double high) { return solid_uniform(&seed, low, high); }

static void make_outlines(void)
{
    carom_curve_builder b = carom_curve_begin(outlines[4], CAROM_OUTLINE_SEGMENTS);
    assert_null(carom_outline_capsule(outlines[0], carom_v2(-20e-3, 0), carom_v2(20e-3, 0), 5e-3, false));
    assert_null(carom_outline_capsule(outlines[1], carom_v2(-6e-3, 0), carom_v2(6e-3, 0), 10e-3, false));
    assert_null(carom_outline_box(outlines[2], carom_v2(0, 0), 50e-3, 16e-3, 0));
    assert_null(carom_outline_segment(outlines[3], carom_v2(50e-3, 0), carom_v2(-50e-3, 0)));
    assert_null(carom_curve_line(&b, carom_v2(-10e-3, 0), carom_v2(10e-3, 0)));
    assert_null(carom_curve_arc(&b, carom_v2(0, 0), 10e-3, 0, CAROM_PI));
    assert_null(carom_curve_finish(&b, true, CAROM_MATERIAL_INSIDE));
    assert_null(carom_outline_capsule(outlines[5], carom_v2(-8e-3, 0), carom_v2(8e-3, 0), 2e-3, false));
}

/* The second outline above the first one, moved and turned. */
typedef struct arrangement {
    int i, j;
    double x, y, angle;
    carom_vec3 velocity, spin;
} arrangement;

/* The first one that looks up, and the second that looks down. A half disc has its side below. */
static bool is_pair(int i, int j)
{
    return i != 4 && j != 3 && carom_curve_lie_flat(outlines[i], outlines[j]);
}

/* Whether sides end in corners: those of two such outlines drop off each other at once. */
static bool is_sharp(int k) { return k == 2 || k == 3 || k == 4; }

static carom_shape_pose pose_of(const double *p, double x, double y, double angle)
{
    return (carom_shape_pose){.p = p,
                              .origin = carom_v3(x, y, 0),
                              .axes = carom_quat_matrix(carom_quat_from_rotation(carom_v3(0, 0, angle)))};
}

static carom_pair_point place_at(const arrangement *a, double t, int point)
{
    const carom_shape_pose i = pose_of(outlines[a->i], 0, 0, 0);
    carom_shape_pose j = pose_of(outlines[a->j], a->x + t * a->velocity.x, a->y + t * a->velocity.y,
                                 a->angle + t * a->spin.z);
    carom_pair_point out = {.common = true};
    j.velocity = a->velocity;
    j.spin = a->spin;
    carom_pair_curve_curve.gap_at(&i, &j, point, &out);
    return out;
}

static carom_vec3 normal_rate_at(const arrangement *a, int point)
{
    const carom_shape_pose i = pose_of(outlines[a->i], 0, 0, 0);
    carom_shape_pose j = pose_of(outlines[a->j], a->x, a->y, a->angle);
    j.velocity = a->velocity;
    j.spin = a->spin;
    return carom_pair_curve_curve.normal_rate_at(&i, &j, point);
}

#define STEP 1e-8

/* The gap of a place changes as the points on both bodies move along the normal, the normal by its rate, and the
   deepest of the places is the deepest point of the outlines but for rounds that pass each other's ends: by the tilt
   times the distance of their centres D, which is (tilt D)^2/(2 D) of it, and the band of ends next to each other. */
static void test_motions(void **state)
{
    (void)state;
    margin m;
    size_t bearing = 0, alone = 0;
    make_outlines();
    margin_begin(&m, "places along motions");
    for (int trial = 0; trial < 6000; trial++) {
        arrangement a = {.i = trial % OUTLINES, .j = trial / OUTLINES % OUTLINES};
        if (!is_pair(a.i, a.j))
            continue;
        const double tilt = pow(10, chance(-6, -0.7)), thick = above[a.i] + below[a.j];
        a.angle = chance(-1, 1) < 0 ? -tilt : tilt;
        a.x = chance(-1, 1) * (half[a.i] + half[a.j]);
        a.y = thick + chance(-5e-4, 5e-4) + fabs(a.angle) * fmin(half[a.i], half[a.j]);
        a.velocity = carom_v3(chance(-1, 1), chance(-1, 1), 0);
        a.spin = carom_v3(0, 0, chance(-2, 2));
        double least = HUGE_VAL, whole = 0;
        for (int point = 0; point < 1 + CAROM_CURVE_FLAT_PLACES; point++) {
            const carom_pair_point p = place_at(&a, 0, point);
            const carom_pair_point before = place_at(&a, -STEP, point), after = place_at(&a, STEP, point);
            whole += 1 - p.less;
            if (!(p.less < 1) || !(before.less < 1) || !(after.less < 1))
                continue;
            bearing++;
            alone += p.less == 0 && point == 0;
            least = fmin(least, p.gap);
            const carom_vec3 moved = carom_v3_add(a.velocity, carom_v3_cross(a.spin, p.from_j));
            const carom_vec3 rate = normal_rate_at(&a, point);
            const carom_vec3 turned = carom_v3_scale(0.5 / STEP, carom_v3_sub(after.normal, before.normal));
            if (point == 0)
                continue;
            margin_add(&m, "rate of the gap", bearing,
                       0.5 * (after.gap - before.gap) / STEP - carom_v3_dot(p.normal, moved), 0, 1e-7);
            margin_add(&m, "rate of the normal", bearing, carom_v3_norm(carom_v3_sub(turned, rate)), 0, 1e-6);
        }
        assert_true(whole > 1 - 1e-12 && whole < 2 + 1e-12);
        const carom_pose2 X = carom_pose2_of(a.angle, carom_v2(a.x, a.y));
        carom_curve_contact c;
        carom_curve_gap(outlines[a.i], outlines[a.j], &X, &c);
        const double band = 1e-3 * 2 * fmin(half[a.i], half[a.j]), past = band + fabs(a.angle) * (thick + 1e-3);
        if (is_sharp(a.i) && is_sharp(a.j))
            continue;
        margin_add(&m, "the least gap", (size_t)trial, least - c.gap, 0,
                   1e-12 + past * past / (2 * fmax(thick - 1e-3, 1e-3)) + past * fabs(a.angle));
    }
    margin_end(&m);
    print_message("%zu places, %zu of them the deepest point alone\n", bearing, alone);
    assert_true(bearing > 3000 && alone > 100);
}

/* Force and moment about the origin of the first, of a law with the power 3/2. */
static void load_on_way(arrangement *a, int way, double x, double *load)
{
    const double least = fmin(half[a->i], half[a->j]), thick = above[a->i] + below[a->j];
    const double depth = 0.01 * (thick > 0 ? fmin(thick, least) : least);
    a->angle = way == 0 ? 0.3 * x : 1e-3;
    a->x = way == 0 ? 0.1 * least : (half[a->i] + half[a->j]) * x;
    a->y = thick - depth + (way == 0 ? least * fabs(sin(a->angle)) : 0);
    memset(load, 0, 3 * sizeof *load);
    for (int point = 0; point < 1 + CAROM_CURVE_FLAT_PLACES; point++) {
        const carom_pair_point p = place_at(a, 0, point);
        const double size = p.less < 1 && p.gap < 0 ? (1 - p.less) * pow(-p.gap / depth, 1.5) : 0;
        load[0] += size * p.normal.x;
        load[1] += size * p.normal.y;
        load[2] += size * carom_v3_cross(p.from_i, p.normal).z / least;
    }
}

static double change_of(const double *a, const double *b)
{
    return fmax(fabs(a[0] - b[0]), fmax(fabs(a[1] - b[1]), fabs(a[2] - b[2])));
}

#define PARTS 500

/* A side turns through parallel and slides past the ends of the other one: the step in which force and moment change
   most is halved ten times, of which a slope leaves a thousandth, and a jump all. */
static void test_continuous(void **state)
{
    (void)state;
    margin m;
    make_outlines();
    margin_begin(&m, "force and moment as sides turn and slide");
    for (int pair = 0; pair < 2 * OUTLINES * OUTLINES; pair++) {
        arrangement a = {.i = pair / 2 % OUTLINES, .j = pair / 2 / OUTLINES};
        const int way = pair % 2;
        double low[3], middle[3], high[3], most = -1, largest = 0, from = 0, width = 2.0 / PARTS;
        if (!is_pair(a.i, a.j) || (way == 1 && is_sharp(a.i) && is_sharp(a.j)))
            continue;
        load_on_way(&a, way, -1, low);
        for (int k = 1; k <= PARTS; k++, memcpy(low, high, sizeof low)) {
            load_on_way(&a, way, -1 + k * width, high);
            largest = fmax(largest, hypot(high[0], high[1]));
            if (change_of(low, high) > most) {
                most = change_of(low, high);
                from = -1 + (k - 1) * width;
            }
        }
        load_on_way(&a, way, from, low);
        load_on_way(&a, way, from + width, high);
        for (int k = 0; k < 10; k++) {
            width *= 0.5;
            load_on_way(&a, way, from + width, middle);
            const bool upper = change_of(middle, high) > change_of(low, middle);
            from += upper ? width : 0;
            memcpy(upper ? low : high, middle, sizeof middle);
        }
        assert_true(largest > 0.5);
        margin_add(&m, way ? "slide" : "turn", (size_t)pair, change_of(low, high) / largest, 0, 4e-3);
    }
    margin_end(&m);
}

/* ---- runs ---- */

#define BAR "type: capsule, from: [-20*mm, 0], to: [20*mm, 0], radius: 5*mm"

/* A bar lands flat on a fixed one, with equal ends or its ends beyond, on a box, a table and a segment: by a law that
   returns the restitution asked it returns that, without a turn. */
static void test_lands(void **state)
{
    (void)state;
    static const char *const under[] = {BAR, "type: capsule, from: [-90*mm, 0], to: [90*mm, 0], radius: 5*mm",
                                        "type: capsule, from: [-10*mm, 0], to: [10*mm, 0], radius: 5*mm",
                                        "type: box, size: [40*mm, 10*mm]", "type: box, size: [400*mm, 10*mm]",
                                        "type: segment, from: [80*mm, 5*mm], to: [-80*mm, 5*mm]"};
    margin m;
    margin_begin(&m, "bars that land flat");
    for (size_t k = 0; k < CAROM_COUNT(under); k++) {
        free_run run;
        char text[900];
        snprintf(text, sizeof text,
                 "carom: 1\ndimension: 2\nbodies: {b: {mass: 0.02, inertia: 4e-6, at: [0, 10.1*mm], "
                 "velocity: [0, -0.5]}}\nshapes: {a: {on: ground, %s}, b: {on: b, " BAR "}}\n"
                 "contacts: {c: {between: [a, b], normal: {law: exact, stiffness: 1e6, restitution: 0.4}}}\n"
                 "run: {until: 0.01}\n", under[k]);
        free_run_parse(&run, text, 1e-10, NULL);
        assert_false(free_run_is_told(&run, "[W33]"));
        free_run_to(&run, 0.01);
        const carom_body_state b = free_run_body(&run, "b");
        margin_add(&m, "speed", k, b.velocity[1], 0.2, 1e-7);
        margin_add(&m, "turn", k, b.angular_velocity[2], 0, 1e-6);
        assert_true(carom_simulation_statistics(run.sim).steps < 200);
        free_run_close(&run);
    }
    margin_end(&m);
}

/* A bar falls by 0.1 mm flat on a loose one, or on a box, which lies on the floor, a way of d to the side: it comes to
   rest on the end of the lower side at the one hand and its own end at the other, by forces in the ratio of the levers
   h - d and h, h half the length: F (h - d) = G h, F + G = W. Without friction d is what they have slid to. */
static void test_rests(void **state)
{
    (void)state;
    static const char *const lower[] = {BAR, "type: box, size: [40*mm, 10*mm]"};
    static const char *const frictions[] = {"", ", friction: {law: coulomb, kinetic: 0.4}"};
    const double h = 20e-3, weight = 0.02 * 9.81;
    margin m;
    margin_begin(&m, "bars that rest on each other");
    for (size_t k = 0; k < 4; k++) {
        free_run run;
        char text[1200];
        snprintf(text, sizeof text,
                 "carom: 1\ndimension: 2\ngravity: [0, -9.81]\nbodies:\n"
                 "  a: {mass: 0.02, inertia: 4e-6, at: [0, 5*mm]}\n"
                 "  b: {mass: 0.02, inertia: 4e-6, at: [8*mm, 15.1*mm]}\n"
                 "shapes:\n  a: {on: a, %s}\n  b: {on: b, " BAR "}\n"
                 "  floor: {type: plane, on: ground, normal: [0, 1]}\ncontacts:\n  s: {all: [a, b, floor], "
                 "normal: {law: tsuji, stiffness: 1e6, restitution: 0.4}%s}\nrun: {until: 0.2}\n",
                 lower[k % 2], frictions[k / 2]);
        free_run_parse(&run, text, 1e-8, NULL);
        free_run_to(&run, 0.2);
        double force[CAROM_CURVE_FLAT_PLACES], larger = 0, sum = 0;
        for (int end = 0; end < CAROM_CURVE_FLAT_PLACES; end++) {
            char channel[60];
            snprintf(channel, sizeof channel, "contact.s.a-b.%d.force", end + 2);
            force[end] = free_run_get(&run, channel);
            larger = fmax(larger, force[end]);
            sum += force[end];
        }
        const double d = free_run_body(&run, "b").position[0] - free_run_body(&run, "a").position[0];
        margin_add(&m, "sum", k, sum, weight, 1e-4 * weight);
        margin_add(&m, "larger one", k, larger, weight * h / (2 * h - d), 1e-3 * weight);
        assert_true(carom_simulation_statistics(run.sim).steps < 6000);
        assert_true(carom_simulation_ledger(run.sim).residual_fraction < 1e-7);
        free_run_close(&run);
    }
    margin_end(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_motions), cmocka_unit_test(test_continuous),
                                       cmocka_unit_test(test_lands), cmocka_unit_test(test_rests)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
