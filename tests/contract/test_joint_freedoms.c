/* Coordinates of joints that hold: places and back, the motion subspace and its rate against differences, retraction
   and difference, and that the constraint rows see nothing of the subspace. */
#include "carom_test.h"

#include "kinds/joint/joint.h"
#include "support/frames.h"

#define POSES 1000
#define STEP 0.0025 /* of differences of eighth order, exact to 1e-10 here */
#define PI 3.14159265358979323846

static const carom_joint_kind *const joints[] = {
#define CAROM_KIND(symbol) &carom_joint_##symbol,
#include "kinds/joint/joint.def"
#undef CAROM_KIND
};

/* Of kinds that have any. */
static const double parameters[8] = {0.3, -0.2};

static void near(carom_vec3 a, carom_vec3 b, double allowed, const carom_joint_kind *joint, const char *what)
{
    const double off = carom_v3_norm(carom_v3_sub(a, b));
    if (!(off <= allowed))
        fail_msg("%s: %s is off by %.3g, allowed %.3g", joint->kind.name, what, off, allowed);
}

static carom_joint_twist combine(const carom_joint_twist *columns, const double *u, int count)
{
    carom_joint_twist sum = {{0, 0, 0}, {0, 0, 0}};
    for (int k = 0; k < count; k++) {
        sum.turn = carom_v3_add_scaled(sum.turn, u[k], columns[k].turn);
        sum.move = carom_v3_add_scaled(sum.move, u[k], columns[k].move);
    }
    return sum;
}

/* Positions after the time t with steady speeds. */
static void advance(const carom_joint_freedoms *f, const double *q, const double *u, double t, double *out)
{
    double step[CAROM_JOINT_SPEEDS];
    memcpy(out, q, CAROM_JOINT_POSITIONS * sizeof *out);
    for (int k = 0; k < f->speeds; k++) {
        step[k] = t * u[k];
        if (!f->retract)
            out[k] += step[k];
    }
    if (f->retract)
        f->retract(step, out);
}

static void random_state(uint64_t *seed, const carom_joint_freedoms *f, double *q, double *u)
{
    memset(q, 0, CAROM_JOINT_POSITIONS * sizeof *q);
    if (f->retract) {
        const double turn[CAROM_JOINT_SPEEDS] = {test_random(seed, -1, 1), test_random(seed, -1, 1),
                                                 test_random(seed, -1, 1)};
        q[0] = 1;
        f->retract(turn, q);
    }
    for (int k = 0; k < f->speeds; k++) {
        u[k] = test_random(seed, -1.5, 1.5);
        if (!f->retract)
            q[k] = test_random(seed, -3, 3);
    }
}

static void places_come_back(void **state)
{
    (void)state;
    uint64_t seed = 3;
    int found = 0;
    for (size_t n = 0; n < sizeof joints / sizeof joints[0]; n++) {
        const carom_joint_freedoms *f = joints[n]->freedoms;
        if (!f)
            continue;
        found++;
        assert_true(f->positions <= CAROM_JOINT_POSITIONS && f->speeds <= CAROM_JOINT_SPEEDS);
        assert_int_equal(f->speeds + joints[n]->rows_3d, 6);
        assert_true(!joints[n]->rows_2d || f->speeds + joints[n]->rows_2d == 3);
        assert_true((f->rate != NULL) == (f->positions != f->speeds));
        assert_true((f->retract != NULL) == (f->rate != NULL) && (f->difference != NULL) == (f->rate != NULL));
        for (int k = 0; k < POSES; k++) {
            double q[CAROM_JOINT_POSITIONS], u[CAROM_JOINT_SPEEDS], back[CAROM_JOINT_POSITIONS] = {0};
            carom_vec3 origin, origin_back;
            carom_mat3 axes, axes_back;
            random_state(&seed, f, q, u);
            f->place(parameters, q, &origin, &axes);
            f->coordinates(parameters, &origin, &axes, back);
            f->place(parameters, back, &origin_back, &axes_back);
            near(origin_back, origin, 1e-15, joints[n], "the origin");
            for (int c = 0; c < 3; c++)
                near(carom_m3_column(&axes_back, c), carom_m3_column(&axes, c), 1e-14, joints[n], "an axis");
            for (int i = 0; i < f->positions && !f->retract; i++)
                assert_true(fabs(remainder(back[i] - q[i], 2 * PI)) < 1e-14);
            if (!f->retract)
                continue;
            double moved[CAROM_JOINT_POSITIONS], step[CAROM_JOINT_SPEEDS], rate[CAROM_JOINT_POSITIONS];
            advance(f, q, u, 1, moved);
            f->difference(q, moved, step);
            near(carom_v3_load(step), carom_v3_load(u), 1e-13, joints[n], "the difference");
            f->rate(q, u, rate);
            for (int i = 0; i < f->positions; i++) {
                double slope = 0;
                for (int w = 0; w < 9; w++) {
                    advance(f, q, u, (w - 4) * STEP, moved);
                    slope += test_first[w] / STEP * moved[i];
                }
                assert_true(fabs(slope - rate[i]) < 1e-10);
            }
        }
    }
    assert_int_equal(found, 8);
}

/* The travel of a nut on its screw tells how often it has turned, also where it is off by less than half a turn. */
static void turns_of_a_screw(void **state)
{
    (void)state;
    const carom_joint_freedoms *f = carom_joint_screw.freedoms;
    for (int k = -200; k <= 200; k++) {
        const double q = 0.37 * k;
        double back;
        carom_vec3 origin;
        carom_mat3 axes;
        f->place(parameters, &q, &origin, &axes);
        const double z = origin.z;
        for (int off = -4; off <= 4; off++) {
            origin.z = z + 0.1 * off * parameters[0];
            f->coordinates(parameters, &origin, &axes, &back);
            assert_true(fabs(back - q) < 1e-13);
        }
    }
}

/* S u is the motion of j against i, and S' u the rate of S u at steady speeds. */
static void subspace_is_the_motion(void **state)
{
    (void)state;
    uint64_t seed = 11;
    for (size_t n = 0; n < sizeof joints / sizeof joints[0]; n++) {
        const carom_joint_freedoms *f = joints[n]->freedoms;
        for (int k = 0; f && k < POSES; k++) {
            double q[CAROM_JOINT_POSITIONS], u[CAROM_JOINT_SPEEDS];
            carom_joint_twist columns[CAROM_JOINT_SPEEDS], rate = {{0, 0, 0}, {0, 0, 0}}, slope = rate;
            carom_vec3 origin, moved = {0, 0, 0};
            carom_mat3 axes, turned = {{{0}}};
            random_state(&seed, f, q, u);
            f->place(parameters, q, &origin, &axes);
            f->subspace(parameters, q, columns);
            const carom_joint_twist motion = combine(columns, u, f->speeds);
            for (int w = 0; w < 9; w++) {
                double at[CAROM_JOINT_POSITIONS];
                carom_vec3 there;
                carom_mat3 then;
                advance(f, q, u, (w - 4) * STEP, at);
                f->place(parameters, at, &there, &then);
                f->subspace(parameters, at, columns);
                const carom_joint_twist now = combine(columns, u, f->speeds);
                moved = carom_v3_add_scaled(moved, test_first[w] / STEP, there);
                slope.turn = carom_v3_add_scaled(slope.turn, test_first[w] / STEP, now.turn);
                slope.move = carom_v3_add_scaled(slope.move, test_first[w] / STEP, now.move);
                for (int a = 0; a < 3; a++)
                    for (int b = 0; b < 3; b++)
                        turned.m[a][b] += test_first[w] / STEP * then.m[a][b];
            }
            near(moved, motion.move, 1e-10, joints[n], "the velocity");
            for (int c = 0; c < 3; c++)
                near(carom_m3_column(&turned, c), carom_v3_cross(motion.turn, carom_m3_column(&axes, c)), 1e-10,
                     joints[n], "the spin");
            if (f->subspace_rate)
                f->subspace_rate(parameters, q, u, &rate);
            near(slope.turn, rate.turn, 1e-10, joints[n], "the rate of the spin");
            near(slope.move, rate.move, 1e-10, joints[n], "the rate of the velocity");
        }
    }
}

/* A coordinate of the joint where it holds: freedom k, or one of none. */
static void check_coordinate(const carom_joint_kind *kind, const double *p, const carom_frame_pose *i,
                             const carom_frame_pose *j, const carom_joint_freedoms *f, const double *q, int k,
                             const carom_joint_twist *columns)
{
    carom_row row;
    kind->coordinate(p, i, j, 3, &row);
    if (k >= f->speeds)
        return;
    assert_true(fabs(remainder(row.phi - q[k], 2 * PI)) < 1e-13);
    for (int c = 0; c < f->speeds; c++) {
        const carom_vec3 w = carom_m3_apply(&i->axes, columns[c].turn);
        const carom_vec3 v = carom_v3_sub(carom_m3_apply(&i->axes, columns[c].move), carom_v3_cross(w, j->arm));
        assert_true(fabs(carom_v3_dot(row.Lj, v) + carom_v3_dot(row.Aj, w) - (c == k)) < 1e-13);
    }
}

/* Where the joint holds its rows vanish, no column of S changes them, and the coordinates are those of the freedoms. */
static void rows_see_no_freedom(void **state)
{
    (void)state;
    const double *p = parameters;
    uint64_t seed = 5;
    for (size_t n = 0; n < sizeof joints / sizeof joints[0]; n++) {
        const carom_joint_kind *joint = joints[n];
        const carom_joint_freedoms *f = joint->freedoms;
        for (int k = 0; f && k < POSES; k++) {
            double q[CAROM_JOINT_POSITIONS], u[CAROM_JOINT_SPEEDS];
            carom_joint_twist columns[CAROM_JOINT_SPEEDS];
            carom_row rows[CAROM_JOINT_ROWS];
            carom_vec3 origin;
            carom_mat3 axes;
            random_state(&seed, f, q, u);
            f->place(parameters, q, &origin, &axes);
            f->subspace(parameters, q, columns);
            test_frame first = test_random_frame(&seed, 3, carom_m3_identity());
            first.v = first.a = first.w = first.alpha = carom_v3(0, 0, 0);
            const carom_frame_pose i = test_pose(&first, 0);
            const carom_mat3 world = carom_m3_multiply(&i.axes, &axes);
            test_frame second =
                test_frame_at(&seed, 3, carom_v3_add(i.p, carom_m3_apply(&i.axes, origin)), world, 0);
            const carom_frame_pose j = test_pose(&second, 0);
            joint->rows(p, &i, &j, 3, rows);
            for (int c = 0; c < f->speeds; c++) {
                const carom_vec3 w = carom_m3_apply(&i.axes, columns[c].turn);
                const carom_vec3 v = carom_v3_sub(carom_m3_apply(&i.axes, columns[c].move), carom_v3_cross(w, j.arm));
                for (int r = 0; r < joint->rows_3d; r++) {
                    assert_true(fabs(rows[r].phi) < 1e-14);
                    assert_true(fabs(carom_v3_dot(rows[r].Lj, v) + carom_v3_dot(rows[r].Aj, w)) < 1e-14);
                }
            }
            if (joint->coordinate)
                check_coordinate(joint, p, &i, &j, f, q, 0, columns);
            for (int c = 0; joint->coordinates && joint->coordinates[c]; c++)
                check_coordinate(joint->coordinates[c], p, &i, &j, f, q, c + (joint->coordinate != NULL), columns);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(places_come_back), cmocka_unit_test(turns_of_a_screw),
                                       cmocka_unit_test(subspace_is_the_motion), cmocka_unit_test(rows_see_no_freedom)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
