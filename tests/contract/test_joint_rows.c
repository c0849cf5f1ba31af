/* Every joint in every dimension it exists: its rows and its coordinate against differences along a motion, balance of
   the reactions, rank, and poses that meet the rows by construction. */
#include "carom_test.h"

#include "geometry/path/path.h"
#include "kinds/joint/joint.h"
#include "support/frames.h"
#include "support/kinds.h"

#define POSES 1000
#define STEP 0.0025
#define PI 3.14159265358979323846
#define OFFSET 0.3 /* of screws along their axis */

#define JOINTS carom_kind_count(every_kind(), CAROM_FAMILY_JOINT)

static const carom_joint_kind *joint_at(size_t k)
{
    return (const carom_joint_kind *)carom_kind_at(every_kind(), CAROM_FAMILY_JOINT, k);
}

/* Joints of two other joints have no rows of their own: test_couplers.c. */
static bool has_rows(const carom_joint_kind *joint) { return !joint->couple; }

/* How frame j may turn and move against frame i when the joint holds. */
enum { TURN_NONE, TURN_H, TURN_ANY, TURN_CROSS, TURN_SCREW, TURN_ANGLE };
enum { ALONG_F = 1, ALONG_G = 2, ALONG_H = 4 };
enum { COORDINATE_NONE, COORDINATE_ANGLE, COORDINATE_TRAVEL, COORDINATE_LENGTH, COORDINATE_ARC };

static const struct {
    const char *name;
    int rows_2d, rows_3d;
    int turn, along, coordinate;
} freedoms[] = {
    {"revolute", 2, 5, TURN_H, 0, COORDINATE_ANGLE},
    {"outside-hinge", 2, 5, TURN_H, 0, COORDINATE_ANGLE},
    {"translational", 2, 5, TURN_NONE, ALONG_H, COORDINATE_TRAVEL},
    {"cylindrical", 0, 4, TURN_H, ALONG_H, COORDINATE_TRAVEL},
    {"screw", 0, 5, TURN_SCREW, 0, COORDINATE_ANGLE},
    {"spherical", 0, 3, TURN_ANY, 0, COORDINATE_NONE},
    {"universal", 0, 4, TURN_CROSS, 0, COORDINATE_NONE},
    {"fixed", 3, 6, TURN_NONE, 0, COORDINATE_NONE},
    {"planar", 0, 3, TURN_H, ALONG_F | ALONG_G, COORDINATE_NONE},
    {"distance", 1, 1, TURN_ANY, ALONG_F | ALONG_G | ALONG_H, COORDINATE_LENGTH},
    {"point-in-line", 1, 2, TURN_ANY, ALONG_H, COORDINATE_TRAVEL},
    {"point-in-plane", 0, 1, TURN_ANY, ALONG_F | ALONG_G, COORDINATE_NONE},
    {"point-on-curve", 1, 2, TURN_ANY, 0, COORDINATE_ARC},
    {"constant-angle", 0, 1, TURN_ANGLE, ALONG_F | ALONG_G | ALONG_H, COORDINATE_NONE},
    {"rolling", 0, 3, TURN_ANY, ALONG_F | ALONG_G | ALONG_H, COORDINATE_NONE},
    {"gear", 1, 1, TURN_H, ALONG_F | ALONG_G | ALONG_H, COORDINATE_NONE},
    {"rack", 1, 1, TURN_H, ALONG_F | ALONG_G | ALONG_H, COORDINATE_NONE},
    {"coupler", 1, 1, TURN_ANY, ALONG_F | ALONG_G | ALONG_H, COORDINATE_NONE},
};

/* Largest relative errors, and the smallest pivot. */
static struct {
    double rate, gamma, second, balance, consistent, coordinate, pivot;
} margin = {0, 0, 0, 0, 0, 0, HUGE_VAL};

static void note(double *largest, double value, double bound, const char *name, int dimension, const char *what)
{
    if (value > *largest)
        *largest = value;
    if (!(value <= bound))
        fail_msg("%s, %d-D: %s is off by %.3g, allowed %.3g", name, dimension, what, value, bound);
}

static int row_count(const carom_joint_kind *joint, int dimension)
{
    return dimension == 3 ? joint->rows_3d : joint->rows_2d;
}

static int freedom_of(const carom_joint_kind *joint)
{
    for (size_t k = 0; k < sizeof freedoms / sizeof freedoms[0]; k++)
        if (!strcmp(freedoms[k].name, joint->kind.name))
            return (int)k;
    fail_msg("joint '%s' has no row in the table of this test", joint->kind.name);
    return 0;
}

/* A curve whose centres of curvature are far from all frames here. */
static void bent(void *user, double u, carom_vec3 out[3])
{
    const double rise = *(const double *)user;
    out[0] = carom_v3(6 * sin(u), 6 * cos(u) - 6, rise * u);
    out[1] = carom_v3(6 * cos(u), -6 * sin(u), rise);
    out[2] = carom_v3(-6 * sin(u), -6 * cos(u), 0);
}

static double paths[2][CAROM_PATH_HEADER + 64 * CAROM_PATH_SEGMENT];

static const double *path_of(int dimension)
{
    static const double knots[2] = {-1.2, 1.2};
    const int space = dimension == 3;
    double rise = space ? 2 : 0, where;
    const carom_path_source source = {.at = bent, .user = &rise, .knots = knots, .knot_count = 2};
    const char *refusal;
    if (paths[space][CAROM_PATH_COUNT] > 0)
        return paths[space];
    carom_context *ctx = new_context();
    carom_arena arena;
    double *path;
    carom_arena_init(&arena, ctx);
    assert_ok(ctx, carom_path_make(&arena, &source, &path, &refusal, &where));
    assert_null(refusal);
    assert_true(path[CAROM_PATH_COUNT] <= 64);
    memcpy(paths[space], path,
           (CAROM_PATH_HEADER + (size_t)path[CAROM_PATH_COUNT] * CAROM_PATH_SEGMENT) * sizeof *path);
    carom_arena_free(&arena);
    carom_context_free(ctx);
    return paths[space];
}

/* ---- frames ---- */

/* The triad in a body's axes: h = z, or in planar models with the axis in the plane g = z. */
static carom_mat3 base_triad(const carom_joint_kind *joint, int dimension)
{
    if (dimension == 2 && joint->axis_in_plane)
        return carom_m3_columns(carom_v3(0, 1, 0), carom_v3(0, 0, 1), carom_v3(1, 0, 0));
    return carom_m3_identity();
}

/* Whether the axes of both frames are far from each other, where angles between them are defined. */
static bool apart(const carom_joint_kind *joint, const test_frame pair[2])
{
    const carom_frame_pose i = test_pose(&pair[0], 0), j = test_pose(&pair[1], 0);
    const double off = carom_v3_dot(carom_m3_column(&j.axes, 2), carom_m3_column(&i.axes, 2));
    return !joint->axis2_on_j || fabs(off) < 0.8;
}

/* Whether the centres of two wheels are beside each other, not along their axes. */
static bool beside(const carom_frame_pose *i, const carom_frame_pose *j)
{
    const carom_vec3 d = carom_v3_sub(j->p, i->p);
    return carom_v3_norm(carom_v3_cross(carom_m3_column(&i->axes, 2), d)) > 0.7 &&
           carom_v3_norm(carom_v3_cross(carom_m3_column(&j->axes, 2), d)) > 0.7;
}

/* Two frames anywhere, but far from where a direction is undefined: origins apart, f_j not near the direction of
   h_i. */
static void random_pair(uint64_t *seed, const carom_joint_kind *joint, int dimension, test_frame pair[2])
{
    const carom_mat3 triad = base_triad(joint, dimension);
    for (;;) {
        pair[0] = test_random_frame(seed, dimension, triad);
        pair[1] = test_random_frame(seed, dimension, triad);
        const carom_frame_pose i = test_pose(&pair[0], 0), j = test_pose(&pair[1], 0);
        const double off = carom_v3_dot(carom_m3_column(&j.axes, 0), carom_m3_column(&i.axes, 2));
        if (joint->rate_rows && !apart(joint, pair))
            continue; /* a wheel that is far from lying flat */
        if (!strcmp(joint->kind.name, "gear") && !beside(&i, &j))
            continue;
        if (carom_v3_norm(carom_v3_sub(j.p, i.p)) > 0.5 && (joint->axis_in_plane || fabs(off) < 0.8))
            return;
    }
}

/* A pair that meets the joint's rows; returns the coordinate it must have. */
static double consistent_pair(uint64_t *seed, const carom_joint_kind *joint, int dimension, double length,
                              test_frame pair[2])
{
    const int k = freedom_of(joint);
    const double angle = test_random(seed, -3, 3);
    carom_mat3 turn = carom_m3_identity();
    if (freedoms[k].turn == TURN_H || freedoms[k].turn == TURN_SCREW ||
        (freedoms[k].turn == TURN_ANY && dimension == 2))
        turn = test_turn_z(angle);
    else if (freedoms[k].turn == TURN_ANY)
        turn = test_random_axes(seed, 3);
    else if (freedoms[k].turn == TURN_CROSS) {
        const carom_mat3 first = test_turn_z(angle), last = test_turn_z(test_random(seed, -3, 3));
        turn = carom_m3_columns(carom_v3(1, 0, 0), carom_v3(0, 0, 1), carom_v3(0, -1, 0));
        turn = carom_m3_multiply(&first, &turn);
        turn = carom_m3_multiply(&turn, &last);
    }
    if (freedoms[k].turn == TURN_ANGLE) {
        const carom_mat3 last = test_turn_z(test_random(seed, -3, 3)), first = test_turn_z(angle);
        turn = (carom_mat3){{{1, 0, 0}, {0, cos(length), -sin(length)}, {0, sin(length), cos(length)}}};
        turn = carom_m3_multiply(&first, &turn);
        turn = carom_m3_multiply(&turn, &last);
    }
    carom_vec3 d = {0, 0, 0};
    if (freedoms[k].along & ALONG_F)
        d.x = test_random(seed, -1, 1);
    if (!strcmp(joint->kind.name, "gear"))
        d.x += d.x < 0 ? -0.7 : 0.7;
    if (freedoms[k].along & ALONG_G)
        d.y = test_random(seed, -1, 1);
    if (freedoms[k].along & ALONG_H && !(dimension == 2 && !joint->axis_in_plane))
        d.z = test_random(seed, -1, 1);
    if (freedoms[k].turn == TURN_SCREW)
        d.z = OFFSET + length * (angle / (2 * PI) + nearbyint(test_random(seed, -3, 3)));
    if (freedoms[k].coordinate == COORDINATE_LENGTH)
        d = carom_v3_scale(length / carom_v3_norm(d), d);
    if (freedoms[k].coordinate == COORDINATE_ARC) {
        const double *path = path_of(dimension), s = path[CAROM_PATH_LENGTH] * test_random(seed, 0.1, 0.9);
        carom_path_point at;
        carom_path_at(path, s, &at);
        d = at.at;
        length = s;
    }

    pair[0] = test_random_frame(seed, dimension, base_triad(joint, dimension));
    const carom_frame_pose i = test_pose(&pair[0], 0);
    const carom_vec3 p = carom_v3_add(i.p, carom_m3_apply(&i.axes, d));
    /* planar turns are about z, which is not h when the axis lies in the plane */
    const carom_mat3 axes = dimension == 2 ? carom_m3_multiply(&turn, &i.axes) : carom_m3_multiply(&i.axes, &turn);
    const double whole = dimension == 2 ? 4 * PI : 0;
    pair[1] = test_frame_at(seed, dimension, p, axes, pair[0].angle + angle + whole);
    if (freedoms[k].coordinate == COORDINATE_ANGLE)
        return angle + whole;
    return freedoms[k].coordinate == COORDINATE_TRAVEL ? d.z : length;
}

/* The parameters of a joint: length, or pitch and offset, or its path; of wheels what fits a pair. */
static const double *parameters_of(const carom_joint_kind *joint, int n, const test_frame pair[2], int dimension,
                                   double p[8])
{
    const double given[8] = {0.8, OFFSET}, gear[8] = {2, 3, n % 2, NAN, NAN, NAN};
    const double rack[8] = {0.6, 0.8, 0, n % 2 ? 0.5 : -0.9, NAN};
    if (joint->follow)
        return path_of(dimension);
    memcpy(p, given, sizeof given);
    if (!strcmp(joint->kind.name, "gear"))
        memcpy(p, gear, sizeof gear);
    else if (!strcmp(joint->kind.name, "rack"))
        memcpy(p, rack, sizeof rack);
    else
        return p;
    const carom_frame_pose i = test_pose(&pair[0], 0), j = test_pose(&pair[1], 0);
    assert_null(joint->start(p, &i, &j));
    return p;
}

/* ---- one pose ---- */

/* The rows of a joint (`coordinate` false) or its coordinate at time t. */
static void evaluate(const carom_joint_kind *joint, bool coordinate, const double *p, const test_frame pair[2],
                     double t, int dimension, carom_row *out)
{
    const carom_frame_pose i = test_pose(&pair[0], t), j = test_pose(&pair[1], t);
    const double near = joint->follow ? 0.5 * p[CAROM_PATH_LENGTH] : 0;
    if (coordinate && joint->follow)
        carom_joint_coordinate(joint, p, &i, &j, dimension, near, out);
    else if (coordinate)
        CAROM_KIND_CALL(joint, coordinate, p, &i, &j, dimension, out);
    else
        carom_joint_rows(joint, p, &i, &j, dimension, near, out);
}

static double apply_row(const carom_row *row, const carom_vec3 *v)
{
    return carom_v3_dot(row->Li, v[0]) + carom_v3_dot(row->Ai, v[1]) + carom_v3_dot(row->Lj, v[2]) +
           carom_v3_dot(row->Aj, v[3]);
}

static double row_scale(const carom_row *row, const carom_vec3 *v)
{
    return carom_v3_norm(row->Li) * carom_v3_norm(v[0]) + carom_v3_norm(row->Ai) * carom_v3_norm(v[1]) +
           carom_v3_norm(row->Lj) * carom_v3_norm(v[2]) + carom_v3_norm(row->Aj) * carom_v3_norm(v[3]) + 1e-3;
}

/* phi against that of the middle, without the jump of a wrapped angle or thread. */
static double change(const carom_joint_kind *joint, bool coordinate, const double *p, double phi, double middle)
{
    const double d = phi - middle;
    if (!coordinate && !strcmp(joint->kind.name, "screw"))
        return remainder(d, p[0]);
    if (!coordinate && !strcmp(joint->kind.name, "gear"))
        return remainder(d, 2 * PI * p[3] / p[0]);
    if (!coordinate && !strcmp(joint->kind.name, "rack"))
        return remainder(d, 2 * PI * p[3]);
    return coordinate && !strcmp(joint->coordinate_unit, "rad") ? remainder(d, 2 * PI) : d;
}

static void add_row(carom_row *sum, double weight, const carom_row *row)
{
    sum->Li = carom_v3_add_scaled(sum->Li, weight, row->Li);
    sum->Ai = carom_v3_add_scaled(sum->Ai, weight, row->Ai);
    sum->Lj = carom_v3_add_scaled(sum->Lj, weight, row->Lj);
    sum->Aj = carom_v3_add_scaled(sum->Aj, weight, row->Aj);
}

/* J v = phi', gamma = -J' v, and phi'' = J a - gamma on an accelerated motion. */
static void check_derivatives(const carom_joint_kind *joint, bool coordinate, const double *p, const test_frame pair[2],
                              int dimension)
{
    const int count = coordinate ? 1 : row_count(joint, dimension);
    const test_frame steady[2] = {test_steady(&pair[0]), test_steady(&pair[1])};
    const carom_vec3 v[4] = {pair[0].v, pair[0].w, pair[1].v, pair[1].w};
    const carom_vec3 a[4] = {pair[0].a, pair[0].alpha, pair[1].a, pair[1].alpha};
    carom_row middle[CAROM_JOINT_ROWS], at[CAROM_JOINT_ROWS], slope[CAROM_JOINT_ROWS] = {0};
    double rate[CAROM_JOINT_ROWS] = {0}, second[CAROM_JOINT_ROWS] = {0};

    evaluate(joint, coordinate, p, steady, 0, dimension, middle);
    for (int n = 0; n < 9; n++) {
        const double t = (n - 4) * STEP, first_weight = test_first[n] / STEP;
        evaluate(joint, coordinate, p, steady, t, dimension, at);
        for (int k = 0; k < count; k++) {
            rate[k] += first_weight * change(joint, coordinate, p, at[k].phi, middle[k].phi);
            add_row(&slope[k], first_weight, &at[k]);
        }
        evaluate(joint, coordinate, p, pair, 2 * t, dimension, at);
        for (int k = 0; k < count; k++)
            second[k] += test_second[n] / (4 * STEP * STEP) * change(joint, coordinate, p, at[k].phi, middle[k].phi);
    }
    const char *name = joint->kind.name;
    for (int k = 0; k < count; k++) {
        const double scale = row_scale(&slope[k], v);
        if (!coordinate && k >= count - joint->rate_rows) {
            note(&margin.gamma, fabs(middle[k].gamma + apply_row(&slope[k], v)) / scale, 1e-8, name, dimension,
                 "gamma");
            assert_true(middle[k].phi == 0);
            continue;
        }
        note(&margin.rate, fabs(rate[k] - apply_row(&middle[k], v)) / row_scale(&middle[k], v), 1e-8, name, dimension,
             "J v");
        note(&margin.gamma, fabs(middle[k].gamma + apply_row(&slope[k], v)) / scale, 1e-8, name, dimension, "gamma");
        note(&margin.second,
             fabs(second[k] - apply_row(&middle[k], a) + middle[k].gamma) / (scale + row_scale(&middle[k], a)), 1e-8,
             name, dimension, "phi''");
    }
}

/* The reactions of a row balance: forces anywhere, and moments about the world's origin where the joint holds (with the
   points apart by d, the pair of forces of a coincidence has the moment d x F). In the plane they stay in the plane. */
static void check_balance(const carom_joint_kind *joint, const carom_row *row, const test_frame pair[2], int dimension,
                          bool holds)
{
    const carom_vec3 force = carom_v3_add(row->Li, row->Lj);
    assert_true(carom_v3_norm(force) == 0);
    carom_vec3 moment = carom_v3_add(row->Ai, row->Aj);
    moment = carom_v3_add(moment, carom_v3_cross(pair[0].x, row->Li));
    moment = carom_v3_add(moment, carom_v3_cross(pair[1].x, row->Lj));
    const double size = carom_v3_norm(row->Ai) + carom_v3_norm(row->Aj) + 1;
    if (holds)
        note(&margin.balance, carom_v3_norm(moment) / size, 1e-14, joint->kind.name, dimension,
             "moment of the reactions");
    if (dimension == 2) {
        assert_true(row->Li.z == 0 && row->Lj.z == 0);
        assert_true(row->Ai.x == 0 && row->Ai.y == 0 && row->Aj.x == 0 && row->Aj.y == 0);
    }
}

/* Smallest pivot of the rows over the twists, rows and columns pivoted. */
static double smallest_pivot(const carom_row *rows, int count)
{
    double m[CAROM_JOINT_ROWS][12], smallest = HUGE_VAL;
    for (int r = 0; r < count; r++) {
        const carom_vec3 parts[4] = {rows[r].Li, rows[r].Ai, rows[r].Lj, rows[r].Aj};
        for (int k = 0; k < 4; k++) {
            m[r][3 * k] = parts[k].x;
            m[r][3 * k + 1] = parts[k].y;
            m[r][3 * k + 2] = parts[k].z;
        }
    }
    for (int step = 0; step < count; step++) {
        int row = step, column = 0;
        for (int r = step; r < count; r++)
            for (int c = 0; c < 12; c++)
                if (fabs(m[r][c]) > fabs(m[row][column])) {
                    row = r;
                    column = c;
                }
        const double pivot = m[row][column];
        if (fabs(pivot) < smallest)
            smallest = fabs(pivot);
        if (pivot == 0)
            break;
        for (int c = 0; c < 12; c++) {
            const double swap = m[row][c];
            m[row][c] = m[step][c];
            m[step][c] = swap;
        }
        for (int r = step + 1; r < count; r++) {
            const double factor = m[r][column] / pivot;
            for (int c = 0; c < 12; c++)
                m[r][c] -= factor * m[step][c];
        }
    }
    return smallest;
}

/* ---- tests ---- */

static void rows_are_exact_at_any_pose(void **state)
{
    (void)state;
    double room[8];
    uint64_t seed = 20240229;
    for (size_t k = 0; k < JOINTS; k++)
        for (int dimension = 2; dimension <= 3; dimension++) {
            const int count = has_rows(joint_at(k)) ? row_count(joint_at(k), dimension) : 0;
            for (int n = 0; n < POSES && count > 0; n++) {
                test_frame pair[2];
                carom_row rows[CAROM_JOINT_ROWS + 1];
                random_pair(&seed, joint_at(k), dimension, pair);
                const double *p = parameters_of(joint_at(k), n, pair, dimension, room);
                check_derivatives(joint_at(k), false, p, pair, dimension);
                if (joint_at(k)->coordinate)
                    check_derivatives(joint_at(k), true, p, pair, dimension);
                for (int c = 0; joint_at(k)->coordinates && joint_at(k)->coordinates[c]; c++)
                    if (apart(joint_at(k), pair))
                        check_derivatives(joint_at(k)->coordinates[c], true, p, pair, dimension);
                evaluate(joint_at(k), false, p, pair, 0, dimension, rows);
                for (int r = 0; r < count; r++)
                    check_balance(joint_at(k), &rows[r], pair, dimension, false);
                assert_true(smallest_pivot(rows, count) > 1e-9);
            }
        }
    printf("anywhere: J v %.1e, gamma %.1e, phi'' %.1e (allowed 1e-8)\n", margin.rate, margin.gamma, margin.second);
}

static void rows_vanish_where_the_joint_holds(void **state)
{
    (void)state;
    double room[8];
    uint64_t seed = 42;
    for (size_t k = 0; k < JOINTS; k++)
        for (int dimension = 2; dimension <= 3; dimension++) {
            const int count = has_rows(joint_at(k)) ? row_count(joint_at(k), dimension) : 0;
            for (int n = 0; n < POSES && count > 0; n++) {
                test_frame pair[2];
                carom_row rows[CAROM_JOINT_ROWS], coordinate;
                if (joint_at(k)->rate_rows)
                    continue; /* wheels_roll */
                const double expected = consistent_pair(&seed, joint_at(k), dimension, 0.8, pair);
                const double *p = parameters_of(joint_at(k), n, pair, dimension, room);
                evaluate(joint_at(k), false, p, pair, 0, dimension, rows);
                for (int r = 0; r < count; r++) {
                    note(&margin.consistent, fabs(rows[r].phi), 1e-14, joint_at(k)->kind.name, dimension, "phi");
                    check_balance(joint_at(k), &rows[r], pair, dimension, true);
                }
                const double pivot = smallest_pivot(rows, count);
                margin.pivot = fmin(margin.pivot, pivot);
                assert_true(pivot > 0.1);
                check_derivatives(joint_at(k), false, p, pair, dimension);
                if (!joint_at(k)->coordinate)
                    continue;
                check_derivatives(joint_at(k), true, p, pair, dimension);
                evaluate(joint_at(k), true, p, pair, 0, dimension, &coordinate);
                note(&margin.coordinate, fabs(coordinate.phi - expected), 1e-14, joint_at(k)->kind.name, dimension,
                     "coordinate");
            }
        }
    printf("where the joint holds: phi %.1e, coordinate %.1e, moment %.1e (allowed 1e-14); smallest pivot %.2f (above "
           "0.1)\n",
           margin.consistent, margin.coordinate, margin.balance, margin.pivot);
}

/* With the axes in line the angle turns with h itself, as the torque of a drive must. */
static void angle_turns_about_the_axis(void **state)
{
    (void)state;
    uint64_t seed = 7;
    for (int n = 0; n < POSES; n++) {
        test_frame pair[2];
        carom_row angle;
        consistent_pair(&seed, &carom_joint_revolute, 3, 1, pair);
        const carom_frame_pose i = test_pose(&pair[0], 0), j = test_pose(&pair[1], 0);
        carom_row_angle(&i, &j, 3, &angle);
        assert_true(carom_v3_norm(carom_v3_sub(angle.Aj, carom_m3_column(&i.axes, 2))) < 1e-14);
    }
}

static void distance_takes_its_length_from_the_start(void **state)
{
    (void)state;
    carom_frame_pose i = {.axes = carom_m3_identity()}, j = i;
    double p[1] = {(double)NAN};
    j.p = carom_v3(3, 4, 0);
    assert_null(carom_joint_distance.start(p, &i, &j));
    assert_true(p[0] == 5);
    p[0] = 2;
    assert_null(carom_joint_distance.start(p, &i, &j));
    assert_true(p[0] == 2);
    p[0] = (double)NAN;
    assert_non_null(carom_joint_distance.start(p, &i, &i));

    /* no direction: everything finite, J zero */
    carom_row row;
    p[0] = 2;
    carom_joint_distance.rows(p, &i, &i, 3, &row);
    assert_true(row.phi == -2 && row.gamma == 0 && carom_v3_norm(row.Lj) == 0);
}

static void descriptions_are_whole(void **state)
{
    (void)state;
    assert_int_equal(JOINTS, sizeof freedoms / sizeof freedoms[0]);
    for (size_t k = 0; k < JOINTS; k++) {
        const carom_joint_kind *joint = joint_at(k);
        const int row = freedom_of(joint);
        assert_int_equal(joint->rows_2d, freedoms[row].rows_2d);
        assert_int_equal(joint->rows_3d, freedoms[row].rows_3d);
        assert_true((joint->rows_2d == 0) == (joint->in_plane != NULL));
        assert_true(joint->rows_3d > 0 && joint->rows_3d <= CAROM_JOINT_ROWS);
        assert_true((joint->coordinate != NULL) == (joint->coordinate_unit != NULL));
        assert_true((joint->coordinate != NULL) == (freedoms[row].coordinate != COORDINATE_NONE));
        assert_true(!joint->axis_in_plane || joint->has_axis);
        assert_true(!joint->axis2_on_j || joint->has_axis);
        assert_true((joint->rows != NULL) == has_rows(joint));
        const char *const texts[] = {joint->kind.title, joint->kind.formula, joint->kind.source, joint->kind.validity};
        for (size_t n = 0; n < 4; n++)
            assert_true(texts[n] && strlen(texts[n]) > 10);
        for (int n = 0; n < joint->kind.param_count; n++)
            assert_true(joint->kind.params[n].unit[0] && joint->kind.params[n].description[0]);
    }
}

/* Slip and height of a wheel at its lowest point, found among many on its edge, against the rows; thin discs, rounded
   edges and balls. */
static void wheels_roll(void **state)
{
    (void)state;
    uint64_t seed = 99;
    double worst = 0;
    for (int n = 0; n < POSES; n++) {
        const double p[2] = {0.8, n % 3 == 0 ? 0 : n % 3 == 1 ? 0.8 : 0.25};
        test_frame pair[2];
        carom_row rows[3];
        random_pair(&seed, &carom_joint_rolling, 3, pair);
        const carom_frame_pose i = test_pose(&pair[0], 0), j = test_pose(&pair[1], 0);
        const carom_vec3 normal = carom_m3_column(&i.axes, 2);
        /* the lowest point of the circle by halving the angle between points around it */
        carom_vec3 lowest = j.p;
        double at = 0, step = 1;
        for (int k = 0; k < 200 && p[1] < p[0]; k++) {
            double best = HUGE_VAL, best_at = at;
            for (int m = -4; m <= 4; m++) {
                const double t = at + m * step;
                const carom_vec3 c = carom_v3_add(
                    carom_v3_scale((p[0] - p[1]) * cos(t), carom_m3_column(&j.axes, 0)),
                    carom_v3_scale((p[0] - p[1]) * sin(t), carom_m3_column(&j.axes, 1)));
                if (carom_v3_dot(c, normal) < best) {
                    best = carom_v3_dot(c, normal);
                    best_at = t;
                    lowest = carom_v3_add(j.p, c);
                }
            }
            at = best_at;
            step *= 0.8;
        }
        const carom_vec3 c = carom_v3_add_scaled(lowest, -p[1], normal);
        const carom_vec3 vj = carom_v3_add(j.v, carom_v3_cross(j.w, carom_v3_sub(c, j.p)));
        const carom_vec3 vi = carom_v3_add(i.v, carom_v3_cross(i.w, carom_v3_sub(c, i.p)));
        const carom_vec3 v[4] = {pair[0].v, pair[0].w, pair[1].v, pair[1].w};
        evaluate(&carom_joint_rolling, false, p, pair, 0, 3, rows);
        for (int k = 0; k < 3; k++) {
            const carom_vec3 t = carom_m3_column(&i.axes, k == 0 ? 2 : k - 1);
            worst = fmax(worst, fabs(apply_row(&rows[k], v) - carom_v3_dot(t, carom_v3_sub(vj, vi))));
        }
        worst = fmax(worst, fabs(rows[0].phi - carom_v3_dot(normal, carom_v3_sub(c, i.p))));
    }
    printf("slip and height of wheels: off by %.1e (allowed 1e-6: the place of a minimum)\n", worst);
    assert_true(worst < 1e-6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_exact_at_any_pose), cmocka_unit_test(rows_vanish_where_the_joint_holds),
        cmocka_unit_test(angle_turns_about_the_axis), cmocka_unit_test(distance_takes_its_length_from_the_start),
        cmocka_unit_test(wheels_roll), cmocka_unit_test(descriptions_are_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
