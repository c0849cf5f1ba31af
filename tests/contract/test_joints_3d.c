/* Every joint kind in a small mechanism, in space and in the plane: assembly from a guess that is off, rank and
   mobility, the geometry that the joint promises (computed here from the bodies' poses), drift, energy; integrators and
   projection; redundant rows. */
#include "carom_test.h"

#include <math.h>

#include "support/free_build.h"
#include "support/free_runs.h"

/* What a joint keeps, with d from point i to point j, h and k the axes on the first and second body. */
enum {
    POINT = 1,                  /* d = 0 */
    LINE = 2,                   /* d along h */
    PLANE = 4,                  /* d normal to h */
    AXES = 8,                   /* h and k parallel */
    NORMAL = 16,                /* h and k normal to each other */
    LOCKED = 32,                /* relative orientation of the start */
    LENGTH = 64                 /* |d| */
};

typedef struct kind_row {
    const char *type;
    size_t rows_2d, rows_3d;
    int keeps_2d, keeps_3d;
    bool axis_2d, axis_3d;
} kind_row;

static const kind_row kinds[] = {
    {"revolute", 2, 5, POINT, POINT | AXES, false, true},
    {"translational", 2, 5, LINE | LOCKED, LINE | LOCKED, true, true},
    {"cylindrical", 0, 4, 0, LINE | AXES, false, true},
    {"spherical", 0, 3, 0, POINT, false, false},
    {"universal", 0, 4, 0, POINT | NORMAL, false, true},
    {"planar", 0, 3, 0, PLANE | AXES, false, true},
    {"fixed", 3, 6, POINT | LOCKED, POINT | LOCKED, false, false},
    {"distance", 1, 1, LENGTH, LENGTH, false, false},
    {"point-in-line", 1, 2, LINE, LINE, true, true},
    {"point-in-plane", 0, 1, 0, PLANE, false, true},
};

#define COUNT(array) (sizeof(array) / sizeof(array)[0])
#define ROD 0.3                 /* length of the distance joint [m] */

/* ---- small vectors ---- */

static double dot(const double *a, const double *b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
static double norm(const double *a) { return sqrt(dot(a, a)); }
static void cross(const double *a, const double *b, double *out)
{
    const double c[3] = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
    memcpy(out, c, sizeof c);
}
static void turn(const double *m, const double *a, double *out)
{
    const double c[3] = {dot(m, a), dot(m + 3, a), dot(m + 6, a)};
    memcpy(out, c, sizeof c);
}
static void turn_back(const double *m, const double *a, double *out)
{
    for (int k = 0; k < 3; k++)
        out[k] = m[k] * a[0] + m[3 + k] * a[1] + m[6 + k] * a[2];
}

/* ---- the mechanism: ground, arm on a ball joint (a hinge in the plane), the joint, end ---- */

static const double root_of_arm[3] = {-0.3, -0.1, -0.05}, tip_of_arm[3] = {0.35, 0.05, -0.1};
static const double point_of_end[3] = {-0.25, 0.1, 0.15};
static const double axis_3d[3] = {0.3, -0.5, 0.8}, axis_2d[3] = {0.8, 0.6, 0};
/* Not quite normal to axis_3d: the assembly has to turn the bodies. */
static const double axis2_3d[3] = {0.9, 0.45, -0.02};

static void flatten(int dimension, const double *from, double *to)
{
    for (int k = 0; k < 3; k++)
        to[k] = k < dimension ? from[k] : 0;
}

static void build(free_build *b, const kind_row *kind, int dimension)
{
    static const double arm_inertia[6] = {0.02, 0.05, 0.06, 0.004, -0.003, 0.002}, end_inertia[3] = {0.03, 0.01, 0.025};
    static const double planar_inertia = 0.05;
    static double root[3], tip[3], point[3];
    bool space = dimension == 3;
    flatten(dimension, root_of_arm, root);
    flatten(dimension, tip_of_arm, tip);
    flatten(dimension, point_of_end, point);
    free_begin(b, dimension, 1.0);
    carom_body_def *arm = free_body(b, "arm", 1.2, space ? 6 : 1, space ? arm_inertia : &planar_inertia, 0.33, 0.08,
                                    space ? 0.06 : 0);
    carom_body_def *end = free_body(b, "end", 0.8, space ? 3 : 1, space ? end_inertia : &planar_inertia, 0.95, 0.12,
                                    space ? -0.17 : 0);
    arm->angle = 0.3;
    end->angle = -0.4;
    const double spin[3] = {1, -2, 0.5};
    if (space) {
        free_turn(0.2, 0.3, -0.3, arm->orientation);
        free_turn(-0.3, 0.1, 0.4, end->orientation);
        arm->angular_velocity = carom_value_vector(3, spin);
    } else {
        arm->angular_velocity = carom_value_number(2);
    }
    free_joint(b, "root", space ? "spherical" : "revolute", "ground", NULL, "arm", root);
    free_joint(b, "tested", kind->type, "arm", tip, "end", point);
    if (space ? kind->axis_3d : kind->axis_2d)
        free_joint_vector(b, "axis", space ? axis_3d : axis_2d);
    if ((space ? kind->keeps_3d : kind->keeps_2d) & NORMAL)
        free_joint_vector(b, "axis2", axis2_3d);
    if ((space ? kind->keeps_3d : kind->keeps_2d) & LENGTH)
        free_joint_number(b, "length", ROD);
}

/* Rotation matrix of a body of the spec at its guess. */
static void guess_axes(const carom_body_def *body, int dimension, double *m)
{
    double q[4];
    free_turn(0, 0, body->angle, q);
    free_rotation(dimension == 3 ? body->orientation : q, m);
}

/* Largest deviation from what the joint promises [m or rad]. */
static double deviation(const free_build *b, const free_run *run, int keeps)
{
    int dimension = b->spec.dimension;
    carom_body_state s[2] = {free_run_body(run, "arm"), free_run_body(run, "end")};
    const double *points[2] = {tip_of_arm, point_of_end};
    double now[2][9], start[2][9], p[2][3], axis[2][3], d[3], across[3], c[3], worst = 0;
    for (int k = 0; k < 2; k++) {
        double local[3], arm[3];
        flatten(dimension, points[k], local);
        free_rotation(s[k].orientation, now[k]);
        guess_axes(&b->bodies[k], dimension, start[k]);
        turn(now[k], local, arm);
        for (int i = 0; i < 3; i++)
            p[k][i] = s[k].position[i] + arm[i];
        const double *world = dimension == 2 ? axis_2d : k == 1 && (keeps & NORMAL) ? axis2_3d : axis_3d;
        turn_back(start[k], world, local);
        turn(now[k], local, axis[k]);
        double length = norm(axis[k]);
        for (int i = 0; i < 3; i++)
            axis[k][i] /= length;
    }
    for (int i = 0; i < 3; i++)
        d[i] = p[1][i] - p[0][i];
    double along = dot(axis[0], d);
    for (int i = 0; i < 3; i++)
        across[i] = d[i] - along * axis[0][i];
    cross(axis[0], axis[1], c);
    if (keeps & POINT)
        worst = fmax(worst, norm(d));
    if (keeps & LINE)
        worst = fmax(worst, norm(across));
    if (keeps & PLANE)
        worst = fmax(worst, fabs(along));
    if (keeps & AXES)
        worst = fmax(worst, norm(c));
    if (keeps & NORMAL)
        worst = fmax(worst, fabs(dot(axis[0], axis[1])));
    if (keeps & LENGTH)
        worst = fmax(worst, fabs(norm(d) - ROD));
    for (int i = 0; (keeps & LOCKED) && i < 3; i++)
        for (int j = 0; j < 3; j++) {
            double relative = 0, before = 0;
            for (int k = 0; k < 3; k++) {
                relative += now[0][3 * k + i] * now[1][3 * k + j];
                before += start[0][3 * k + i] * start[1][3 * k + j];
            }
            worst = fmax(worst, fabs(relative - before));
        }
    return worst;
}

static void check_kind(const kind_row *kind, int dimension)
{
    free_build b;
    free_run run;
    carom_check check;
    bool space = dimension == 3;
    size_t rows = (space ? kind->rows_3d : kind->rows_2d) + (space ? 3 : 2), coordinates = space ? 12 : 6;
    int keeps = space ? kind->keeps_3d : kind->keeps_2d;
    build(&b, kind, dimension);
    free_run_compile(&run, &b.spec, 1e-9, NULL);
    assert_int_equal(carom_simulation_check(run.sim, &check), CAROM_OK);
    assert_int_equal(check.rows, rows);
    assert_int_equal(check.rank, rows);
    assert_int_equal(check.coordinates, coordinates);
    assert_int_equal(check.mobility, coordinates - rows);
    assert_int_equal(check.redundant_count, 0);
    assert_true(check.assembly_residual < 1e-13);
    assert_true(check.assembly_moved > 1e-3 && check.assembly_moved < 0.5);
    assert_true(check.velocity_residual < 1e-13);
    double at_start = deviation(&b, &run, keeps);
    free_run_to(&run, 1.0);
    double at_end = deviation(&b, &run, keeps);
    carom_violation v = carom_simulation_violation(run.sim);
    carom_ledger ledger = carom_simulation_ledger(run.sim);
    printf("%-15s %d-D  moved %.3f m  geometry %.1e, %.1e  violation %.1e %.1e  ledger %.1e\n", kind->type, dimension,
           check.assembly_moved, at_start, at_end, v.position, v.velocity, ledger.residual_fraction);
    assert_true(at_start < 1e-12);
    assert_true(at_end < 1e-8);
    assert_true(v.position < 1e-8);
    assert_true(v.velocity < 1e-6);
    assert_true(ledger.residual_fraction < 1e-7);
    assert_true(ledger.kinetic > 0.1);
    free_run_close(&run);
}

static void test_kinds(void **state)
{
    (void)state;
    for (size_t k = 0; k < COUNT(kinds); k++) {
        check_kind(&kinds[k], 3);
        if (kinds[k].rows_2d)
            check_kind(&kinds[k], 2);
    }
}

/* Kinds that the plane does not have are refused there. */
static void test_kinds_of_space(void **state)
{
    (void)state;
    for (size_t k = 0; k < COUNT(kinds); k++) {
        if (kinds[k].rows_2d)
            continue;
        free_build b;
        build(&b, &kinds[k], 2);
        const char *error = free_error_of_spec(&b.spec);
        assert_non_null(strstr(error, "joint 'tested'"));
        assert_non_null(strstr(error, "planar"));
    }
}

/* ---- integrators ---- */

static void build_pendulum(free_build *b, int dimension, const char *integrator, double step)
{
    static const double planar = 0.2, inertia[3] = {0.01, 0.2, 0.2}, root[3] = {-0.7, 0, 0}, axis[3] = {0, -1, 0};
    free_begin(b, dimension, 1.0);
    free_body(b, "rod", 1.5, dimension == 3 ? 3 : 1, dimension == 3 ? inertia : &planar, 0.7, 0, 0);
    free_joint(b, "pin", "revolute", "ground", NULL, "rod", root)->rate = carom_value_number(0.5);
    if (dimension == 3)
        free_joint_vector(b, "axis", axis);
    b->run.integrator = integrator;
    b->run.step = step;
}

static double pendulum_angle(int dimension, const char *integrator, double step, double tolerance)
{
    free_build b;
    free_run run;
    build_pendulum(&b, dimension, integrator, step);
    free_run_compile(&run, &b.spec, tolerance, NULL);
    free_run_to(&run, 1.0);
    assert_string_equal(carom_simulation_integrator(run.sim), integrator);
    double angle = free_run_get(&run, "joint.pin.coordinate");
    free_run_close(&run);
    return angle;
}

static void test_integrators(void **state)
{
    (void)state;
    static const char *const controlled[] = {"adams", "bdf", "dopri5"};
    static const struct {
        const char *name;
        double step, order, largest;
    } fixed[] = {{"rk4", 0.004, 4, 1e-6}, {"semi-implicit-euler", 5e-4, 1, 1e-2}};
    double exact = pendulum_angle(2, "dopri5", 0, 1e-12);
    assert_true(fabs(exact) > 0.1);
    for (int dimension = 2; dimension <= 3; dimension++) {
        for (size_t k = 0; k < COUNT(controlled); k++) {
            double error = pendulum_angle(dimension, controlled[k], 0, 1e-9) - exact;
            printf("%d-D %-20s error %.1e rad\n", dimension, controlled[k], error);
            assert_true(fabs(error) < 1e-6);
        }
        for (size_t k = 0; k < COUNT(fixed); k++) {
            double coarse = pendulum_angle(dimension, fixed[k].name, fixed[k].step, 1e-9) - exact;
            double fine = pendulum_angle(dimension, fixed[k].name, 0.5 * fixed[k].step, 1e-9) - exact;
            printf("%d-D %-20s error %.1e, %.1e rad: order %.2f\n", dimension, fixed[k].name, coarse, fine,
                   log2(coarse / fine));
            assert_true(fabs(coarse) < fixed[k].largest);
            assert_true(fabs(log2(coarse / fine) - fixed[k].order) < 0.15 * fixed[k].order);
        }
    }
}

/* ---- projection ---- */

/* bdf and rk4 project every step, dopri5 when the violation passes a hundredth of the tolerance of 1e-9: the rates are
   those of a pendulum of some 5 m/s. */
static void test_projection(void **state)
{
    (void)state;
    static const struct {
        const char *integrator;
        double step, position, velocity;
    } rows[] = {{"bdf", 0, 2e-12, 2e-11}, {"dopri5", 0, 2e-11, 1e-10}, {"rk4", 5e-4, 2e-12, 2e-11}};
    for (size_t k = 0; k < COUNT(rows); k++)
        for (int dimension = 2; dimension <= 3; dimension++) {
            free_build b;
            free_run run;
            build(&b, &kinds[0], dimension);
            b.run.integrator = rows[k].integrator;
            b.run.step = rows[k].step;
            b.run.constraints = "projection";
            free_run_compile(&run, &b.spec, 1e-9, NULL);
            free_run_to(&run, 1.0);
            double position = free_run_get(&run, "constraint.position_violation");
            double velocity = free_run_get(&run, "constraint.velocity_violation");
            carom_violation v = carom_simulation_violation(run.sim);
            carom_ledger ledger = carom_simulation_ledger(run.sim);
            printf("%d-D projection %-8s at the end %.1e m %.1e m/s, largest %.1e %.1e, ledger %.1e, %llu restarts\n",
                   dimension, rows[k].integrator, position, velocity, v.position, v.velocity, ledger.residual_fraction,
                   (unsigned long long)carom_simulation_statistics(run.sim).restarts);
            assert_true(position < rows[k].position);
            assert_true(velocity < rows[k].velocity);
            assert_true(ledger.residual_fraction < 1e-7);
            free_run_close(&run);
        }
    free_build b;
    build(&b, &kinds[0], 3);
    b.run.integrator = "adams";
    b.run.constraints = "projection";
    assert_non_null(strstr(free_error_of_spec(&b.spec), "SUNDIALS projects with BDF only"));
}

/* ---- redundant rows ---- */

/* Four-bar in the xy-plane: crank 0.3, coupler 1.0, rocker 0.8, ground 1.1 m, crank along +y. */
static void build_four_bar(free_build *b, int dimension)
{
    static const double root[3] = {-0.15, 0, 0}, tip[3] = {0.15, 0, 0}, rod_root[3] = {-0.5, 0, 0},
                        rod_tip[3] = {0.5, 0, 0};
    static const double rocker_root[3] = {-0.4, 0, 0}, rocker_tip[3] = {0.4, 0, 0}, pivot[3] = {1.1, 0, 0};
    static const double axis[3] = {0, 0, 1}, length[3] = {0.3, 1.0, 0.8}, mass[3] = {1, 2, 1.5};
    static const char *const names[3] = {"crank", "rod", "rocker"};
    static double inertia[3][3];
    double diagonal = hypot(1.1, 0.3), angle[3];
    angle[0] = acos(0.0);
    angle[1] = atan2(-0.3, 1.1) + acos((1 + diagonal * diagonal - 0.64) / (2 * diagonal));
    double x = cos(angle[1]), y = 0.3 + sin(angle[1]);
    angle[2] = atan2(y, x - 1.1);
    const double at[3][2] = {{0, 0.15}, {0.5 * x, 0.5 * (0.3 + y)}, {0.5 * (1.1 + x), 0.5 * y}};
    free_begin(b, dimension, 1.0);
    b->spec.gravity[1] = -9.81;
    b->spec.gravity[2] = 0;
    for (int k = 0; k < 3; k++) {
        double transverse = mass[k] * length[k] * length[k] / 12;
        inertia[k][0] = 0.01 * transverse;
        inertia[k][1] = inertia[k][2] = transverse;
        carom_body_def *body = free_body(b, names[k], mass[k], dimension == 3 ? 3 : 1,
                                         dimension == 3 ? inertia[k] : &inertia[k][2], at[k][0], at[k][1], 0);
        body->angle = angle[k];
        free_turn(0, 0, angle[k], body->orientation);
    }
    static const char *const joints[4] = {"A", "B", "C", "D"};
    const char *pairs[4][2] = {{"ground", "crank"}, {"crank", "rod"}, {"rod", "rocker"}, {"ground", "rocker"}};
    const double *points[4][2] = {{NULL, root}, {tip, rod_root}, {rod_tip, rocker_tip}, {pivot, rocker_root}};
    for (int k = 0; k < 4; k++) {
        free_joint(b, joints[k], "revolute", pairs[k][0], points[k][0], pairs[k][1], points[k][1]);
        if (dimension == 3)
            free_joint_vector(b, "axis", axis);
    }
    b->joints[0].rate = carom_value_number(3);
}

/* Largest difference of the accelerations of both models, as a share of the largest acceleration of its kind. */
static double acceleration_difference(free_run *plane, free_run *space)
{
    static const char *const names[3] = {"crank", "rod", "rocker"};
    static const char *const channels[3][2] = {{"acceleration.x", "acceleration.x"},
                                               {"acceleration.y", "acceleration.y"},
                                               {"angular_acceleration", "angular_acceleration.z"}};
    double worst[2] = {0, 0}, largest[2] = {0, 0};
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < 3; i++) {
            char first[64], second[64];
            snprintf(first, sizeof first, "body.%s.%s", names[k], channels[i][0]);
            snprintf(second, sizeof second, "body.%s.%s", names[k], channels[i][1]);
            double a = free_run_get(plane, first), *w = &worst[i == 2], *l = &largest[i == 2];
            *l = fmax(*l, fabs(a));
            *w = fmax(*w, fabs(a - free_run_get(space, second)));
        }
    return fmax(worst[0] / largest[0], worst[1] / largest[1]);
}

static void test_redundant(void **state)
{
    (void)state;
    free_build b2, b3;
    free_run plane, space;
    carom_check check;
    build_four_bar(&b2, 2);
    build_four_bar(&b3, 3);
    free_run_compile(&plane, &b2.spec, 1e-11, "dopri5");
    free_run_compile(&space, &b3.spec, 1e-11, "dopri5");
    assert_int_equal(carom_simulation_check(space.sim, &check), CAROM_OK);
    assert_int_equal(check.rows, 20);
    assert_int_equal(check.rank, 17);
    assert_int_equal(check.mobility, 1);
    assert_int_equal(check.redundant_count, 3);
    /* the last hinge closes the loop: its shift along z and its two turns are already held */
    assert_string_equal(check.redundant[0], "joint 'D', row 3");
    assert_string_equal(check.redundant[1], "joint 'D', row 4");
    assert_string_equal(check.redundant[2], "joint 'D', row 5");
    double start = acceleration_difference(&plane, &space);
    free_run_to(&plane, 1.0);
    free_run_to(&space, 1.0);
    double end = acceleration_difference(&plane, &space);
    carom_ledger ledger = carom_simulation_ledger(space.sim);
    printf("four-bar in space: accelerations differ by %.1e at the start, %.1e after 1 s, ledger %.1e\n", start, end,
           ledger.residual_fraction);
    assert_true(start < 1e-10);
    assert_true(end < 1e-8);
    assert_true(ledger.residual_fraction < 1e-8);
    free_run_close(&plane);
    free_run_close(&space);
}

/* The model of models/: three redundant rows, and the motion of the planar mechanism. */
static void test_slider_crank_3d(void **state)
{
    (void)state;
    free_run space;
    carom_check check;
    free_run_open(&space, "slider_crank_3d.yaml", NULL, 0, 1e-9, NULL);
    assert_int_equal(carom_simulation_check(space.sim, &check), CAROM_OK);
    assert_int_equal(check.rows - check.rank, 3);
    assert_int_equal(check.mobility, 1);
    free_run_to(&space, 0.1);
    double angle = free_run_get(&space, "joint.main.coordinate"), phi = asin(-0.5 * sin(angle));
    double x = 0.153 * cos(angle) + 0.306 * cos(phi), off = free_run_get(&space, "body.slider.position.x") - x;
    printf("slider-crank in space: crank %.6f rad, slider off by %.1e m, ledger %.1e\n", angle, off,
           carom_simulation_ledger(space.sim).residual_fraction);
    assert_true(fabs(off) < 1e-9);
    assert_true(fabs(free_run_get(&space, "body.rod.position.z")) < 1e-12);
    assert_true(angle > 10 && angle < 20);
    assert_true(carom_simulation_ledger(space.sim).residual_fraction < 1e-7);
    free_run_close(&space);
}

/* ---- many rows ---- */

/* A hanging chain of n bars of 0.5 kg and 0.1 m, n large enough for the sparse solver. */
static void build_chain(free_build *b, int dimension, int count, bool hanging)
{
    static const double planar = 4.2e-4, inertia[3] = {4.2e-4, 4.2e-4, 1e-5};
    static const double root[3] = {-0.05, 0, 0}, tip[3] = {0.05, 0, 0}, axis[3] = {0, 1, 0};
    const char *before = "ground";
    free_begin(b, dimension, 0.25);
    for (int k = 0; k < count; k++) {
        double at = 0.1 * k + 0.05;
        const char *name = free_name(b, "bar", k + 1);
        carom_body_def *bar = free_body(b, name, 0.5, dimension == 3 ? 3 : 1, dimension == 3 ? inertia : &planar,
                                        hanging ? 0 : at, hanging && dimension == 2 ? -at : 0,
                                        hanging && dimension == 3 ? -at : 0);
        if (hanging) {
            bar->angle = -acos(0.0);
            free_turn(0, acos(0.0), 0, bar->orientation);
        }
        free_joint(b, free_name(b, "pin", k + 1), "revolute", before, k ? tip : NULL, name, root);
        if (dimension == 3)
            free_joint_vector(b, "axis", axis);
        before = name;
    }
}

static void test_chain(void **state)
{
    (void)state;
    for (int dimension = 2; dimension <= 3; dimension++) {
        int count = dimension == 2 ? 30 : 14;
        free_build b;
        free_run run;
        build_chain(&b, dimension, count, true);
        free_run_compile(&run, &b.spec, 1e-9, NULL);
        for (int k = 0; k < count; k++) {
            char name[64];
            snprintf(name, sizeof name, "joint.pin%d.reaction.%c", k + 1, dimension == 2 ? 'y' : 'z');
            assert_true(fabs(free_run_get(&run, name) - 0.5 * 9.81 * (count - k)) < 1e-9);
        }
        free_run_close(&run);
        build_chain(&b, dimension, count, false);
        free_run_compile(&run, &b.spec, 1e-9, NULL);
        free_run_to(&run, 0.25);
        carom_ledger ledger = carom_simulation_ledger(run.sim);
        carom_violation v = carom_simulation_violation(run.sim);
        printf("%d-D chain of %d bars: ledger %.1e, violation %.1e\n", dimension, count, ledger.residual_fraction,
               v.position);
        assert_true(ledger.residual_fraction < 1e-7);
        assert_true(v.position < 1e-7);
        free_run_close(&run);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kinds),       cmocka_unit_test(test_kinds_of_space),
        cmocka_unit_test(test_integrators), cmocka_unit_test(test_projection),
        cmocka_unit_test(test_redundant),   cmocka_unit_test(test_slider_crank_3d),
        cmocka_unit_test(test_chain),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
