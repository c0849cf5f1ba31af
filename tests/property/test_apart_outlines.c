/* Convex outlines of straight sides that are apart touch nowhere: a line along one of the sides parts them. Corners of
   both are put near each other, sides of both that face each other but for some degrees, where a corner is looked for
   that hands over to another one. */
#include "carom_test.h"

#include <math.h>

#include "base/base.h"
#include "geometry/curve/curve.h"
#include "kinds/shape/shape.h"
#include "support/frames.h"

#define TRIALS 40000
#define MOST 40
#define PI 3.14159265358979323846
/* Nearer outlines may be flush with each other [m]. */
#define FLUSH 1e-9

extern const carom_pair_kind carom_pair_curve_curve;

typedef struct outline {
    int count;
    carom_vec2 points[MOST];            /* its corners, counterclockwise */
    double curve[CAROM_CURVE_HEADER + MOST * CAROM_CURVE_SEGMENT];
    carom_pose2 pose;
} outline;

/* By what sides lean against each other in half of the trials [rad]: about the angle up to which an edge may lead into
   a side (the sine CAROM_CURVE_LEANS), five times as wide as where a false corner was found. */
#define LEAN_FROM 0.169
#define LEAN_TO 0.172

static uint64_t seed = 11;

static double between(double low, double high) { return test_random(&seed, low, high); }

/* A triangle, a trapezoid, a rectangle or a regular polygon, turned in its own frame; or points of an ellipse. */
static void make(outline *a)
{
    const int kind = (int)between(0, 5);
    const double turn = between(0, 2 * PI), width = between(4e-3, 12e-3), height = between(3e-3, 12e-3);
    const double upper = kind == 1 ? between(0.2, 1) : kind == 2 ? 1 : 0;
    a->count = kind == 0 ? 3 : kind < 3 ? 4 : 3 + (int)between(0, MOST - 3);
    if (kind < 3) {
        const carom_vec2 corners[] = {{-width / 2, 0}, {width / 2, 0}, {upper * width / 2, height},
                                      {-upper * width / 2, height}};
        for (int k = 0; k < a->count; k++)
            a->points[k] = corners[k];
    }
    for (int k = 0; k < a->count && kind >= 3; k++) {
        const double at = 2 * PI * (k + (kind == 4 ? between(-0.3, 0.3) : 0)) / a->count;
        a->points[k] = carom_v2(width / 2 * cos(at), (kind == 4 ? height : width) / 2 * sin(at));
    }
    const carom_pose2 own = {cos(turn), sin(turn), {0, 0}};
    for (int k = 0; k < a->count; k++)
        a->points[k] = carom_pose2_turn(&own, a->points[k]);
    assert_null(carom_outline_polygon(a->curve, a->points, a->count));
}

static carom_vec2 corner(const outline *a, int k) { return carom_pose2_apply(&a->pose, a->points[k % a->count]); }

/* Out of the side behind corner k. */
static carom_vec2 normal(const outline *a, int k)
{
    return carom_v2_right(carom_v2_unit(carom_v2_sub(corner(a, k + 1), corner(a, k))));
}

/* How far b lies beyond the side of a that parts them best; negative: none does [m]. */
static double beyond_sides(const outline *a, const outline *b)
{
    double most = -HUGE_VAL;
    for (int k = 0; k < a->count; k++) {
        const carom_vec2 out = normal(a, k);
        double least = HUGE_VAL;
        for (int n = 0; n < b->count; n++)
            least = fmin(least, carom_v2_dot(out, carom_v2_sub(corner(b, n), corner(a, k))));
        most = fmax(most, least);
    }
    return most;
}

static carom_pose2 turned(double angle) { return (carom_pose2){cos(angle), sin(angle), {0, 0}}; }

/* A side of b is turned to face one of a, and a corner at its end is put beside one at the end of the other. */
static void put(outline *a, outline *b)
{
    const int side[2] = {(int)between(0, a->count), (int)between(0, b->count)};
    a->pose = turned(between(0, 2 * PI));
    b->pose = turned(0);
    const carom_vec2 of_a = normal(a, side[0]), of_b = normal(b, side[1]);
    const bool about = between(0, 1) < 0.5;
    const double lean = about ? copysign(between(LEAN_FROM, LEAN_TO), between(-1, 1)) : between(-0.3, 0.3);
    b->pose = turned(PI + atan2(of_a.y, of_a.x) - atan2(of_b.y, of_b.x) + lean);
    const carom_vec2 to = corner(a, side[0] + (int)between(0, 2)), from = corner(b, side[1] + (int)between(0, 2));
    const double reach = 0.3 * a->curve[CAROM_CURVE_EXTENT];
    b->pose.at = carom_v2_add(carom_v2_sub(to, from), carom_v2(between(-reach, reach), between(-reach, reach)));
}

static carom_shape_pose pose_of(const outline *a)
{
    const double c = a->pose.cosine, s = a->pose.sine;
    return (carom_shape_pose){
        .p = a->curve,
        .axes = carom_m3_columns(carom_v3(c, s, 0), carom_v3(-s, c, 0), carom_v3(0, 0, 1)),
        .origin = {a->pose.at.x, a->pose.at.y, 0}};
}

static void test_apart(void **state)
{
    (void)state;
    static outline a, b;
    int apart = 0, crossed = 0, wrong = 0;
    for (int trial = 0; trial < TRIALS; trial++) {
        make(&a);
        make(&b);
        put(&a, &b);
        const double gap = fmax(beyond_sides(&a, &b), beyond_sides(&b, &a));
        const carom_shape_pose i = pose_of(&a), j = pose_of(&b);
        double least = HUGE_VAL;
        for (int point = 0; point < carom_pair_curve_curve.points(i.p, j.p); point++) {
            carom_pair_point got;
            carom_pair_curve_curve.gap_at(&i, &j, point, &got);
            least = fmin(least, got.gap);
        }
        if (gap <= FLUSH) {
            crossed++;
            continue;
        }
        apart++;
        if (least <= 0 && wrong++ < 5)
            print_message("trial %d: %d and %d corners, apart by %.3g m, %.3g m deep\n", trial, a.count, b.count, gap,
                          -least);
    }
    print_message("apart %d, of these %d touch; crossed %d\n", apart, wrong, crossed);
    assert_true(apart > TRIALS / 4);
    assert_int_equal(wrong, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_apart)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
