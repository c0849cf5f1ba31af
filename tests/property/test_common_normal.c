/* Random poses of pairs of profile curves: the contact against a scan of both curves that knows nothing of normals, its
   residuals, its symmetry, warm starts along paths, rates against difference quotients. */
#include "carom_test.h"

#include <math.h>

#include "geometry/curve/curve.h"
#include "support/frames.h"

#define PI 3.14159265358979323846
#ifdef __SANITIZE_ADDRESS__
#define POSES 1000
#else
#define POSES 10000
#endif
#define POINTS 150 /* of a curve in a scan */
#define SEGMENTS 16

enum { FEMUR, TIBIA, CAM, EGG, CIRCLE, CAPSULE, SECTOR_SLOT, STRAIGHT_SLOT, PIN, BOX, TRIANGLE, WAVE, STEPS, CURVES };

static double curves[CURVES][CAROM_CURVE_HEADER + SEGMENTS * CAROM_CURVE_SEGMENT];
static const char *names[CURVES] = {"femur",         "tibia", "cam", "egg",      "circle", "capsule", "curved slot",
                                    "straight slot", "pin",   "box", "triangle", "wave",   "steps"};

/* Points and outward normals of a scan. */
typedef struct scan {
    int count;
    double spacing; /* of two points, at most [m] */
    double sagitta; /* of the chords [m] */
    carom_vec2 at[POINTS + 2 * SEGMENTS], normal[POINTS + 2 * SEGMENTS];
    bool smooth[POINTS + 2 * SEGMENTS];
} scan;

static scan scans[CURVES];

static void must(const char *refusal)
{
    if (refusal)
        fail_msg("%s", refusal);
}

static void build_smooth(void)
{
    /* Machado et al. 2012, section 6: profiles of Moeinzadeh, the femur in axes x anterior, y proximal, the tibia
       with its axis up; the material of the femur lies above its profile, that of the tibia below. */
    const double femur[] = {-0.04014, 0.247621, 6.889185, 270.4456, 8589.942};
    const double tibia[] = {0.213373, 0.0456051, 1.073446};
    carom_curve_builder b = carom_curve_begin(curves[FEMUR], SEGMENTS);
    carom_curve_polynomial(&b, femur, 4, -0.055, 0.02);
    must(carom_curve_finish(&b, false, CAROM_MATERIAL_LEFT));
    b = carom_curve_begin(curves[TIBIA], SEGMENTS);
    carom_curve_polynomial(&b, tibia, 2, 0.05, -0.05);
    must(carom_curve_finish(&b, false, CAROM_MATERIAL_LEFT));
    carom_vec2 points[12];
    for (int k = 0; k < 12; k++) {
        double a = 2 * PI * k / 12, r = 0.03 * (1 + 0.25 * cos(a) + 0.04 * cos(3 * a));
        points[k] = carom_v2(r * cos(a), r * sin(a));
    }
    b = carom_curve_begin(curves[CAM], SEGMENTS);
    carom_curve_spline(&b, points, 12, CAROM_SPLINE_PERIODIC, NULL);
    must(carom_curve_finish(&b, true, CAROM_MATERIAL_INSIDE));
    /* Two arcs of 0.02 and 0.008 m, 0.03 m apart, joined by their outer tangents. */
    double half = acos((0.02 - 0.008) / 0.03);
    carom_vec2 c = carom_v2(0.03, 0);
    b = carom_curve_begin(curves[EGG], SEGMENTS);
    carom_curve_arc(&b, carom_v2(0, 0), 0.02, half, 2 * PI - half);
    carom_curve_line(&b, carom_v2(0.02 * cos(half), -0.02 * sin(half)),
                     carom_v2_add(c, carom_v2(0.008 * cos(half), -0.008 * sin(half))));
    carom_curve_arc(&b, c, 0.008, -half, half);
    carom_curve_line(&b, carom_v2_add(c, carom_v2(0.008 * cos(half), 0.008 * sin(half))),
                     carom_v2(0.02 * cos(half), 0.02 * sin(half)));
    must(carom_curve_finish(&b, true, CAROM_MATERIAL_INSIDE));
    carom_vec2 wave[9];
    for (int k = 0; k < 9; k++)
        wave[k] = carom_v2(0.2 - 0.05 * k, 0.01 * cos(1.3 * k));
    b = carom_curve_begin(curves[WAVE], SEGMENTS);
    carom_curve_spline(&b, wave, 9, CAROM_SPLINE_NATURAL, NULL);
    must(carom_curve_finish(&b, false, CAROM_MATERIAL_LEFT));
}

static void build_all(void)
{
    build_smooth();
    must(carom_outline_circle(curves[CIRCLE], carom_v2(0.002, -0.001), 0.015, false));
    must(carom_outline_capsule(curves[CAPSULE], carom_v2(-0.02, 0), carom_v2(0.02, 0.01), 0.008, false));
    /* Autiero et al. 2022, table 11: slot of the scotch yoke and its pin. */
    must(carom_outline_sector(curves[SECTOR_SLOT], carom_v2(0, 0), 0.06, 0.008, -PI / 3, PI / 3, true));
    must(carom_outline_capsule(curves[STRAIGHT_SLOT], carom_v2(-0.03, 0), carom_v2(0.03, 0), 0.008, true));
    must(carom_outline_circle(curves[PIN], carom_v2(0, 0), 0.0079, false));
    must(carom_outline_box(curves[BOX], carom_v2(0, 0), 0.04, 0.02, 0.2));
    const carom_vec2 triangle[] = {{-0.01, -0.02}, {0.03, 0}, {-0.01, 0.015}};
    must(carom_outline_polygon(curves[TRIANGLE], triangle, 3));
    const carom_vec2 steps[] = {{0.15, 0.03}, {0.05, 0.03}, {0.05, 0}, {-0.05, 0.005}, {-0.15, 0.04}};
    carom_curve_builder b = carom_curve_begin(curves[STEPS], SEGMENTS);
    carom_curve_polyline(&b, steps, 5, false);
    must(carom_curve_finish(&b, false, CAROM_MATERIAL_LEFT));
    for (int k = 0; k < CURVES; k++) {
        scan *q = &scans[k];
        int segments = carom_curve_segments(curves[k]), each = POINTS / segments;
        for (int n = 0; n < segments; n++)
            for (int m = 0; m <= each; m++) {
                carom_curve_point c;
                carom_curve_eval(curves[k], n + (m == each ? 1 - 1e-12 : (double)m / each), &c);
                q->at[q->count] = c.at;
                carom_curve_joint joint;
                carom_curve_joint_at(curves[k], m > 0 ? n + 1 : n, &joint);
                q->smooth[q->count] =
                    (m > 0 && m < each) || joint.kind == CAROM_JOINT_C1 || joint.kind == CAROM_JOINT_C2;
                q->normal[q->count++] = c.normal;
            }
        for (int n = 1; n < q->count; n++)
            q->spacing = fmax(q->spacing, carom_v2_distance(q->at[n], q->at[n - 1]));
        double bend = fmax(curves[k][CAROM_CURVE_SHARPEST], -curves[k][CAROM_CURVE_HOLLOWEST]);
        q->sagitta = bend * q->spacing * q->spacing / 8 * 1.1 + 1e-12;
    }
}

/* Distance of p from the chord of samples n and n + 1, with the side. */
static double chord_distance(const scan *q, int n, carom_vec2 p)
{
    carom_vec2 e = carom_v2_sub(q->at[n + 1], q->at[n]), d = carom_v2_sub(p, q->at[n]);
    double square = carom_v2_dot(e, e), t = fmin(fmax(carom_v2_dot(d, e) / square, 0), 1);
    return carom_v2_norm(carom_v2_add_scaled(d, -t, e));
}

/* Distance of p from the polygon of the samples; *below: the nearest sample lies inside a segment and p on its left. */
static double scan_distance(const scan *q, carom_vec2 p, bool *below)
{
    double least = HUGE_VAL;
    int where = 0;
    for (int n = 0; n < q->count; n++) {
        carom_vec2 d = carom_v2_sub(p, q->at[n]);
        double square = carom_v2_dot(d, d);
        if (square < least) {
            least = square;
            where = n;
        }
    }
    *below = q->smooth[where] && carom_v2_dot(carom_v2_sub(p, q->at[where]), q->normal[where]) < 0;
    double distance = sqrt(least);
    if (q->smooth[where] && where > 0)
        distance = fmin(distance, chord_distance(q, where - 1, p));
    if (q->smooth[where] && where + 1 < q->count)
        distance = fmin(distance, chord_distance(q, where, p));
    return distance;
}

/* Least distance of two curves and the greatest depth below closed ones, by their scans. */
static void scan_pair(int i, int j, const carom_pose2 *X, double *distance, double *depth)
{
    const carom_pose2 back = carom_pose2_inverse(X);
    *distance = HUGE_VAL;
    *depth = 0;
    for (int way = 0; way < 2; way++) {
        const scan *from = &scans[way ? i : j], *to = &scans[way ? j : i];
        for (int n = 0; n < from->count; n++) {
            bool below;
            double d = scan_distance(to, carom_pose2_apply(way ? &back : X, from->at[n]), &below);
            *distance = fmin(*distance, d);
            if (below && d > *depth && carom_curve_closed(curves[way ? j : i]))
                *depth = d;
        }
    }
}

static const int pairs[][2] = {
    {FEMUR, TIBIA},     {TIBIA, FEMUR},       {CAM, CIRCLE}, {CAM, EGG},       {EGG, CAPSULE},  {CAM, CAM},
    {SECTOR_SLOT, PIN}, {PIN, STRAIGHT_SLOT}, {CAM, BOX},    {TRIANGLE, EGG},  {BOX, TRIANGLE}, {WAVE, CIRCLE},
    {STEPS, EGG},       {CAM, TRIANGLE},      {BOX, CAM},    {TRIANGLE, WAVE}, {CAPSULE, CAM}};
#define PAIRS (int)(sizeof pairs / sizeof pairs[0])

/* A pose at which the curves are near each other. */
static carom_pose2 random_pose(int n, uint64_t *seed)
{
    int i = pairs[n][0], j = pairs[n][1];
    double angle = test_random(seed, -PI, PI);
    if (i == FEMUR) {
        /* About the initial pose of the knee: the tibia's profile under the femur's. */
        carom_vec2 at =
            carom_v2(-0.2016 + test_random(seed, -0.004, 0.004), -0.1749 + test_random(seed, -0.004, 0.004));
        return carom_pose2_of((35.21 - 90) * PI / 180 + test_random(seed, -0.1, 0.1), at);
    }
    if (j == FEMUR) {
        carom_vec2 at =
            carom_v2(-0.2016 + test_random(seed, -0.004, 0.004), -0.1749 + test_random(seed, -0.004, 0.004));
        carom_pose2 X = carom_pose2_of((35.21 - 90) * PI / 180 + test_random(seed, -0.1, 0.1), at);
        return carom_pose2_inverse(&X);
    }
    if (i == SECTOR_SLOT) {
        double a = test_random(seed, -1.1, 1.1), r = 0.06 + test_random(seed, -0.002, 0.002);
        return carom_pose2_of(angle, carom_v2(r * cos(a), r * sin(a)));
    }
    if (j == STRAIGHT_SLOT) {
        carom_vec2 p = carom_v2(test_random(seed, -0.032, 0.032), test_random(seed, -0.002, 0.002));
        return carom_pose2_of(angle, carom_v2_neg(carom_pose2_turn(&(carom_pose2){cos(angle), sin(angle), {0, 0}}, p)));
    }
    if (j == WAVE) {
        carom_pose2 X = carom_pose2_of(angle, carom_v2(test_random(seed, -0.1, 0.1), test_random(seed, 0, 0.06)));
        return carom_pose2_inverse(&X);
    }
    if (i == WAVE || i == STEPS)
        return carom_pose2_of(angle, carom_v2(test_random(seed, -0.1, 0.1), test_random(seed, 0, 0.06)));
    double reach = 0.07, turn = test_random(seed, -PI, PI), r = test_random(seed, 0.015, reach);
    return carom_pose2_of(angle, carom_v2(r * cos(turn), r * sin(turn)));
}

static struct {
    int separated, crossing, common;
    double residual, short_of, beyond;
    long evaluations, most;
} seen;

static void test_against_scan(void **state)
{
    (void)state;
    uint64_t seed = 7;
    for (int n = 0; n < POSES; n++) {
        int which = n % PAIRS, i = pairs[which][0], j = pairs[which][1];
        carom_pose2 X = random_pose(which, &seed);
        carom_curve_contact c;
        carom_curve_gap(curves[i], curves[j], &X, &c);
        double distance, depth, spacing = fmax(scans[i].spacing, scans[j].spacing);
        scan_pair(i, j, &X, &distance, &depth);
        seen.evaluations += c.evaluations;
        if (c.evaluations > seen.most)
            seen.most = c.evaluations;
        if (c.common && c.place_i == CAROM_PLACE_SMOOTH && c.place_j == CAROM_PLACE_SMOOTH) {
            seen.common++;
            seen.residual = fmax(seen.residual, fmax(c.parallel, c.along));
        }
        double sagitta = scans[i].sagitta + scans[j].sagitta;
        if (c.gap > 0) {
            seen.separated++;
            if (c.gap > distance + sagitta || c.gap < distance - spacing || depth > sagitta)
                fail_msg("pose %d, %s and %s: gap %.17g, scan %.17g, depth %g", n, names[i], names[j], c.gap, distance,
                         depth);
        } else {
            seen.crossing++;
            bool both = carom_curve_closed(curves[i]) && carom_curve_closed(curves[j]);
            if (both && distance > spacing && depth == 0)
                fail_msg("pose %d, %s and %s: gap %.17g, scan %.17g", n, names[i], names[j], c.gap, distance);
            /* Of points as near to two places the scan finds one of them, which need not be the nearer one. */
            double either = c.common ? 0 : spacing * spacing / (8 * depth);
            if (-c.gap < depth - sagitta - either || (both && -c.gap > depth + spacing))
                fail_msg("pose %d, %s and %s: depth %.17g, scan %.17g", n, names[i], names[j], -c.gap, depth);
        }
        /* The points are apart by the gap along the normal. */
        carom_vec2 d = carom_v2_sub(c.point_j, c.point_i);
        assert_true(fabs(carom_v2_dot(d, c.normal) - c.gap) < 1e-13);
        assert_true(fabs(carom_v2_norm(c.normal) - 1) < 1e-12);
    }
    printf("%d separated, %d crossing, %d of them with both sides smooth: residual %.2g; evaluations %.1f a pose, most "
           "%ld\n",
           seen.separated, seen.crossing, seen.common, seen.residual, (double)seen.evaluations / POSES, seen.most);
    assert_true(seen.residual < 1e-10 && seen.common > POSES / 3);
}

/* The pose after a time h of constant velocity and spin. */
static carom_pose2 moved(double angle, carom_vec2 at, carom_vec2 velocity, double spin, double h)
{
    return carom_pose2_of(angle + spin * h, carom_v2_add_scaled(at, h, velocity));
}

#define PATHS (POSES / 100)
#define STEPS_OF_PATH 100

/* Along paths of closed curves the gap changes no faster than the points move, across joints, corners and from apart to
   crossing; steps from the last contact reach the same contact or a farther one, for few evaluations. */
static void test_paths(void **state)
{
    (void)state;
    static const int closed[][2] = {{CAM, CIRCLE}, {CAM, EGG}, {EGG, CAPSULE},
                                    {PIN, CIRCLE}, {CAM, BOX}, {EGG, TRIANGLE}};
    const int kinds = (int)(sizeof closed / sizeof closed[0]);
    uint64_t seed = 11;
    long evaluations = 0, searched = 0, steps = 0, worst = 0, same = 0;
    for (int path = 0; path < PATHS; path++) {
        const double *i = curves[closed[path % kinds][0]], *j = curves[closed[path % kinds][1]];
        double turn = test_random(&seed, -PI, PI), angle = test_random(&seed, -PI, PI),
               spin = test_random(&seed, -3, 3);
        double r = 0.8 * (i[CAROM_CURVE_EXTENT] + j[CAROM_CURVE_EXTENT]) / 2;
        carom_vec2 at = carom_v2(r * cos(turn), r * sin(turn));
        carom_vec2 velocity =
            carom_v2(test_random(&seed, -0.02, 0.02) - 0.3 * at.x, test_random(&seed, -0.02, 0.02) - 0.3 * at.y);
        carom_curve_contact before = {.gap = 0}, now, stepped;
        const double h = 0.5 / STEPS_OF_PATH;
        for (int n = 0; n <= STEPS_OF_PATH; n++) {
            carom_pose2 X = moved(angle, at, velocity, spin, n * h);
            carom_curve_gap(i, j, &X, &now);
            if (n > 0) {
                double reach = (carom_v2_norm(velocity) + fabs(spin) * j[CAROM_CURVE_RADIUS]) * h;
                assert_true(fabs(now.gap - before.gap) <= reach * (1 + 1e-9) + 1e-9);
                carom_curve_gap_from(i, j, &X, before.s_i, before.s_j, &stepped);
                steps++;
                if (stepped.searched)
                    searched++;
                else
                    evaluations += stepped.evaluations;
                if (!stepped.searched && stepped.evaluations > worst)
                    worst = stepped.evaluations;
                same += fabs(stepped.gap - now.gap) < 1e-12;
                assert_true(!stepped.common || stepped.along < 1e-10);
                assert_true(now.gap < 0 || stepped.gap >= now.gap - 1e-9);
            }
            before = now;
        }
    }
    printf("paths: %ld steps, %.2f evaluations each, most %ld; %ld searched again, %ld found the global contact\n",
           steps, (double)evaluations / (double)(steps - searched), worst, searched, same);
    assert_true(evaluations <= 20 * (steps - searched) && searched < steps / 5 && same > steps * 8 / 10);
}

/* Rates of gap, normal and parameters are those of difference quotients. */
static void test_rates(void **state)
{
    (void)state;
    uint64_t seed = 5;
    const double h = 1e-6;
    double gap_error = 0, normal_error = 0, s_error = 0;
    int checked = 0, corners = 0;
    for (int n = 0; n < POSES / 5; n++) {
        int which = n % PAIRS;
        const double *i = curves[pairs[which][0]], *j = curves[pairs[which][1]];
        carom_pose2 X = random_pose(which, &seed);
        double angle = atan2(X.sine, X.cosine), spin = test_random(&seed, -1, 1);
        carom_vec2 velocity = carom_v2(test_random(&seed, -0.05, 0.05), test_random(&seed, -0.05, 0.05));
        carom_curve_contact c, a, b;
        carom_curve_gap(i, j, &X, &c);
        if (!c.common)
            continue;
        carom_curve_rates rates;
        carom_curve_contact_rates(i, j, &X, &c, velocity, spin, &rates);
        carom_pose2 Xa = moved(angle, X.at, velocity, spin, -h), Xb = moved(angle, X.at, velocity, spin, h);
        carom_curve_gap_from(i, j, &Xa, c.s_i, c.s_j, &a);
        carom_curve_gap_from(i, j, &Xb, c.s_i, c.s_j, &b);
        /* The same segment and place on both sides, and no near neighbour of a singular contact. */
        if (a.searched || b.searched || floor(a.s_i) != floor(b.s_i) || floor(a.s_j) != floor(b.s_j) ||
            a.place_i != b.place_i || a.place_j != b.place_j || a.place_i != c.place_i || a.place_j != c.place_j)
            continue;
        bool smooth = c.place_i == CAROM_PLACE_SMOOTH && c.place_j == CAROM_PLACE_SMOOTH;
        double size = 1 + fabs(rates.s_i) + fabs(rates.s_j) + carom_v2_norm(rates.normal);
        if (size > 300 || fabs(c.gap) < 1e-4)
            continue;
        checked++;
        corners += !smooth;
        carom_vec2 turn = carom_v2_scale(0.5 / h, carom_v2_sub(b.normal, a.normal));
        gap_error = fmax(gap_error, fabs((b.gap - a.gap) / (2 * h) - rates.gap));
        normal_error = fmax(normal_error, carom_v2_distance(turn, rates.normal) / (size * size));
        s_error = fmax(s_error, fabs((b.s_i - a.s_i) / (2 * h) - rates.s_i) / (size * size));
        s_error = fmax(s_error, fabs((b.s_j - a.s_j) / (2 * h) - rates.s_j) / (size * size));
    }
    printf("rates: %d poses, %d at corners; gap %.2g, normal %.2g, parameters %.2g\n", checked, corners, gap_error,
           normal_error, s_error);
    assert_true(checked > POSES / 10 && corners > POSES / 200);
    assert_true(gap_error < 1e-7 && normal_error < 1e-5 && s_error < 1e-5);
}

/* Curves that touch within rounding have the normal that they have a little apart. */
static void test_touching(void **state)
{
    (void)state;
    uint64_t seed = 33;
    int checked = 0, corners = 0, wrong = 0;
    double worst = 0;
    for (int n = 0; n < POSES / 5; n++) {
        const int which = n % PAIRS;
        const double *i = curves[pairs[which][0]], *j = curves[pairs[which][1]];
        carom_pose2 X = random_pose(which, &seed), near = X;
        carom_curve_contact c, apart = {.common = false};
        carom_curve_gap(i, j, &X, &c);
        for (int k = 0; k < 8 && fabs(c.gap) > 1e-14; k++) {
            X.at = carom_v2_add_scaled(X.at, -c.gap, c.normal);
            near.at = carom_v2_add_scaled(X.at, 1e-7, c.normal);
            carom_curve_gap(i, j, &near, &apart);
            carom_curve_gap(i, j, &X, &c);
        }
        const bool corner_i = apart.place_i != CAROM_PLACE_SMOOTH, corner_j = apart.place_j != CAROM_PLACE_SMOOTH;
        /* of two corners that touch any normal between their sides is one */
        if (!(fabs(c.gap) <= 1e-14) || !apart.common || fabs(apart.gap - 1e-7) > 1e-12 || (corner_i && corner_j))
            continue;
        const double turned = carom_v2_distance(c.normal, apart.normal);
        checked++;
        corners += corner_i || corner_j;
        wrong += turned > 1e-2;
        worst = fmax(worst, turned);
    }
    printf("touching: %d poses, %d at corners; the normal differs by at most %.2g\n", checked, corners, worst);
    assert_true(checked > POSES / 20 && corners > POSES / 50);
    if (wrong)
        fail_msg("%d of %d poses have another normal where they touch", wrong, checked);
}

/* The initial pose of the knee: gap, parameters and radii of an independent solution in other coordinates. */
static void test_knee(void **state)
{
    (void)state;
    carom_pose2 X = carom_pose2_of((35.21 - 90) * PI / 180, carom_v2(-0.2016, -0.1749));
    carom_curve_contact c;
    carom_curve_gap(curves[FEMUR], curves[TIBIA], &X, &c);
    assert_true(fabs(c.gap - 6.49686724524761e-05) < 1e-15);
    assert_true(fabs(c.point_i.x - -0.04196533133252746) < 1e-12);
    assert_true(fabs(carom_pose2_apply_back(&X, c.point_j).x - -0.024923072277395885) < 1e-12);
    assert_true(fabs(1 / c.curvature_i - 0.04242379892453686) < 1e-12);
    assert_true(fabs(1 / c.curvature_j - -0.4658332440210105) < 1e-11);
}

/* Two crossing circles and a pin against both sides of the curved slot, in closed form. */
static void test_closed_forms(void **state)
{
    (void)state;
    carom_curve_contact c;
    uint64_t seed = 3;
    for (int n = 0; n < 1000; n++) {
        double a = test_random(&seed, -1, 1), r = 0.06 + test_random(&seed, -0.0005, 0.0005);
        carom_pose2 X = carom_pose2_of(test_random(&seed, -PI, PI), carom_v2(r * cos(a), r * sin(a)));
        carom_curve_gap(curves[SECTOR_SLOT], curves[PIN], &X, &c);
        double outer = 0.068 - 0.0079 - r, inner = r - 0.052 - 0.0079;
        assert_true(fabs(c.gap - fmin(outer, inner)) < 1e-15);
        assert_true(fabs(1 / c.curvature_j - 0.0079) < 1e-12);
        assert_true(fabs(1 / c.curvature_i - (outer < inner ? -0.068 : 0.052)) < 1e-12);
        double d = test_random(&seed, 0.02, 0.03), turn = test_random(&seed, -PI, PI);
        X.at = carom_v2(0.002 + d * cos(turn), -0.001 + d * sin(turn));
        carom_curve_gap(curves[CIRCLE], curves[PIN], &X, &c);
        assert_true(fabs(c.gap - (d - 0.015 - 0.0079)) < 1e-15);
        assert_true(fabs(c.normal.x - cos(turn)) + fabs(c.normal.y - sin(turn)) < 1e-12);
    }
}

/* Exchanged curves have the same contact, seen from the other side. */
static void test_exchanged(void **state)
{
    (void)state;
    uint64_t seed = 21;
    for (int n = 0; n < POSES / 10; n++) {
        int which = n % PAIRS;
        const double *i = curves[pairs[which][0]], *j = curves[pairs[which][1]];
        carom_pose2 X = random_pose(which, &seed), back = carom_pose2_inverse(&X);
        carom_curve_contact a, b;
        carom_curve_gap(i, j, &X, &a);
        carom_curve_gap(j, i, &back, &b);
        if (!(fabs(a.gap - b.gap) < 1e-5 * fabs(a.gap) + 1e-12))
            fail_msg("pose %d, %s and %s: gap %.17g, exchanged %.17g", n, names[pairs[which][0]],
                     names[pairs[which][1]], a.gap, b.gap);
        assert_true(!(a.common && b.common) || fabs(a.gap - b.gap) < 1e-12);
    }
}

/* From a common normal, the deepest or another one, what is proved to be nowhere deeper is not; and where it is the
   deepest and shallow, that is mostly proved. */
static void test_nowhere_deeper(void **state)
{
    (void)state;
    uint64_t seed = 71;
    int proved = 0, deepest = 0, shallow = 0;
    double worst = -HUGE_VAL;
    for (int n = 0; n < 4 * POSES; n++) {
        const int which = n % PAIRS;
        const double *i = curves[pairs[which][0]], *j = curves[pairs[which][1]];
        carom_pose2 X = random_pose(which, &seed);
        carom_curve_contact c, local;
        carom_curve_gap(i, j, &X, &c);
        if (!(c.gap < 0) || !c.common)
            continue;
        /* two in three out of each other, to one tenth of a millimetre or one hundredth, along the normal */
        if (n % 3)
            X.at = carom_v2_add_scaled(X.at, -c.gap - (n % 2 ? 1e-4 : 1e-5), c.normal);
        carom_curve_gap(i, j, &X, &c);
        const double s_i = n % 4 ? c.s_i : test_random(&seed, 0, carom_curve_segments(i));
        const double s_j = n % 4 ? c.s_j : test_random(&seed, 0, carom_curve_segments(j));
        carom_curve_gap_from(i, j, &X, s_i, s_j, &local);
        if (!(local.gap < 0) || local.searched)
            continue;
        const double least = local.gap - 1e-11;
        const bool is = local.gap < c.gap + 1e-12;
        const bool told = carom_curve_nowhere_below(i, j, &X, local.s_i, local.s_j, least);
        const bool smooth = local.place_i == CAROM_PLACE_SMOOTH && local.place_j == CAROM_PLACE_SMOOTH;
        assert_false(carom_curve_nowhere_below(i, j, &X, local.s_i, local.s_j, 0.9 * local.gap));
        proved += told;
        deepest += is && smooth;
        shallow += is && smooth && told;
        if (told)
            worst = fmax(worst, least - c.gap);
    }
    printf("nowhere deeper: %d times proved, of %d deepest smooth ones %d; deeper by at most %.2g m\n", proved, deepest,
           shallow, worst);
    assert_true(worst < 0 && shallow > deepest * 9 / 10);
}

/* A wave of two crests on a dome: the crest that is less deep is told from the other, by a thousandth of the depth. */
static void test_two_crests(void **state)
{
    (void)state;
    uint64_t seed = 5;
    static double two[2][CAROM_CURVE_HEADER + SEGMENTS * CAROM_CURVE_SEGMENT];
    int told = 0, refused = 0;
    for (int n = 0; n < 500; n++) {
        const double width = 0.01, height = test_random(&seed, 2e-4, 2e-3);
        const double tilt = test_random(&seed, 1e-7, 5e-6) / width;
        const double dome[] = {0, 0, -test_random(&seed, 0.1, 1)};
        const double depth = 1e-4 - dome[2] * width * width;
        const double crests[] = {height - depth, n % 2 ? tilt : -tilt, -2 * height / (width * width), 0,
                                 height / pow(width, 4)};
        carom_curve_builder b = carom_curve_begin(two[0], SEGMENTS);
        carom_curve_polynomial(&b, dome, 2, 0.03, -0.03);
        must(carom_curve_finish(&b, false, CAROM_MATERIAL_LEFT));
        b = carom_curve_begin(two[1], SEGMENTS);
        carom_curve_polynomial(&b, crests, 4, -0.02, 0.02);
        must(carom_curve_finish(&b, false, CAROM_MATERIAL_LEFT));
        const carom_pose2 X = carom_pose2_of(0, carom_v2(0, 0));
        carom_curve_contact deepest, crest;
        const int i = n % 4 / 2;
        carom_curve_gap(two[i], two[1 - i], &X, &deepest);
        for (int side = 0; side < 2; side++) {
            /* at -width and width of the outlines of 0.06 m, from the right, and of 0.04 m, from the left */
            const double s_dome = side ? 1.0 / 3 : 2.0 / 3, s_crest = side ? 0.75 : 0.25;
            carom_curve_gap_from(two[i], two[1 - i], &X, i ? s_crest : s_dome, i ? s_dome : s_crest, &crest);
            assert_true(!crest.searched && crest.gap < 0);
            const double at = crest.gap - 1e-11;
            const bool proved = carom_curve_nowhere_below(two[i], two[1 - i], &X, crest.s_i, crest.s_j, at);
            const bool least = crest.gap < deepest.gap + 1e-9;
            assert_false(proved && !least);
            told += proved;
            refused += !least && !proved;
        }
    }
    printf("two crests: %d deepest ones proved, %d others refused\n", told, refused);
    assert_true(told > 450 && refused > 450);
}

int main(void)
{
    build_all();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_against_scan),   cmocka_unit_test(test_paths),     cmocka_unit_test(test_rates),
        cmocka_unit_test(test_touching),       cmocka_unit_test(test_knee),      cmocka_unit_test(test_closed_forms),
        cmocka_unit_test(test_nowhere_deeper), cmocka_unit_test(test_exchanged), cmocka_unit_test(test_two_crests),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
