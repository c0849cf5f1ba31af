/* The zero of the angle of a hinge in space: as the x-axes of its frames lie, seen along the axis, and where one of
   these is along it, as the y- or z-axes do. Over axes along and across those of the bodies, and random ones. */
#include "carom_test.h"

#include <math.h>

#include "support/free_build.h"
#include "support/free_runs.h"

static uint64_t seed = 7;

static double uniform(void)
{
    seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
    return (double)(seed >> 11) / (double)(1ULL << 52) - 1;
}

static const double inertia[3] = {0.2, 0.3, 0.4};

/* The product of two unit quaternions w x y z: the second rotation, then the first. */
static void multiply(const double *a, const double *b, double *out)
{
    const double product[4] = {a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
                               a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
                               a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
                               a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0]};
    memcpy(out, product, sizeof product);
}

/* A hinge of a lever on a frame that is fixed to the ground; the lever is turned by `angle` about the axis from where
   its axes are those of the frame. */
static void build(free_build *b, const double *frame, const double *axis, double angle)
{
    double turn[4];
    const double length = sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]), s = angle / length;
    free_turn(s * axis[0], s * axis[1], s * axis[2], turn);
    free_begin(b, 3, 1);
    memcpy(free_body(b, "frame", 1, 3, inertia, 0, 0, 0)->orientation, frame, 4 * sizeof *frame);
    multiply(turn, frame, free_body(b, "lever", 1, 3, inertia, 0, 0, 0)->orientation);
    free_joint(b, "weld", "fixed", "ground", NULL, "frame", NULL);
    free_joint(b, "hinge", "revolute", "frame", NULL, "lever", NULL);
    free_joint_vector(b, "axis", axis);
}

/* Cosine of half the angle that the lever was turned by. */
static double kept(const free_build *b, const free_run *run)
{
    const carom_body_state now = free_run_body((free_run *)run, "lever");
    double sum = 0;
    for (int k = 0; k < 4; k++)
        sum += now.orientation[k] * b->bodies[1].orientation[k];
    return fabs(sum);
}

static void check(const double *frame, const double *axis, double *worst)
{
    static const double angles[] = {0, 0.3, -1.2, 1.5707963267948966, 3.0};
    for (size_t k = 0; k < sizeof angles / sizeof angles[0]; k++) {
        free_build b;
        free_run run;
        char text[40];
        /* the coordinate is the angle that it was turned by */
        build(&b, frame, axis, angles[k]);
        free_run_compile(&run, &b.spec, 1e-9, NULL);
        *worst = fmax(*worst, fabs(free_run_get(&run, "joint.hinge.coordinate") - angles[k]));
        free_run_close(&run);
        /* and a motion that begins there moves nothing */
        snprintf(text, sizeof text, "%.17g", angles[k]);
        b.joints[1].motion = carom_value_expression(text);
        free_run_compile(&run, &b.spec, 1e-9, NULL);
        *worst = fmax(*worst, 1 - kept(&b, &run));
        free_run_close(&run);
    }
}

static void test_axes(void **state)
{
    (void)state;
    double worst = 0, none[4] = {1, 0, 0, 0};
    /* along the axes, and near them on both sides of where another pair of axes is taken */
    static const double tilts[] = {0, 1e-9, 1e-5, 0.0999, 0.1001, 0.1005, 0.3};
    for (int k = 0; k < 6; k++)
        for (size_t n = 0; n < sizeof tilts / sizeof tilts[0]; n++) {
            double axis[3] = {0};
            axis[k / 2] = k % 2 ? -1 : 1;
            axis[(k / 2 + 1) % 3] = tilts[n];
            check(none, axis, &worst);
            double quarter[4] = {sqrt(0.5), k / 2 == 0 ? sqrt(0.5) : 0, k / 2 == 1 ? sqrt(0.5) : 0,
                                 k / 2 == 2 ? sqrt(0.5) : 0};
            check(quarter, axis, &worst);
        }
    for (int n = 0; n < 50; n++) {
        double frame[4];
        const double axis[3] = {uniform(), uniform(), uniform()};
        free_turn(3 * uniform(), 3 * uniform(), 3 * uniform(), frame);
        check(frame, axis, &worst);
        check(none, axis, &worst);
    }
    printf("worst %.1e\n", worst);
    assert_true(worst < 1e-12);
}

/* Frames whose axes differ by more than a turn about the hinge: one has its x-axis along it. A lever that lies along
   the axis of its hinge, on the ground whose x-axis lies across: their y-axes are alike. */
static void test_axis_along_one(void **state)
{
    (void)state;
    free_build b;
    free_run run;
    const double z[3] = {0, 0, 1};
    for (int k = 0; k < 4; k++) {
        free_begin(&b, 3, 1);
        carom_body_def *lever = free_body(&b, "lever", 1, 3, inertia, 0, 0, 0);
        double up[4], turn[4];
        free_turn(0, -1.5707963267948966, 0, up); /* x-axis up, y-axis that of the world */
        free_turn(0, 0, 0.5 * k, turn);
        multiply(turn, up, lever->orientation);
        free_joint(&b, "hinge", "revolute", "ground", NULL, "lever", NULL);
        free_joint_vector(&b, "axis", z);
        free_run_compile(&run, &b.spec, 1e-9, NULL);
        assert_true(fabs(free_run_get(&run, "joint.hinge.coordinate") - 0.5 * k) < 1e-12);
        free_run_close(&run);
    }
}

/* A motion that begins elsewhere is told of, one that a rough guess misses is not. */
static void test_motion_that_moves(void **state)
{
    (void)state;
    free_build b;
    free_run run;
    const double x[3] = {1, 0, 0}, none[4] = {1, 0, 0, 0};
    for (int far = 0; far < 2; far++) {
        build(&b, none, x, far ? 1.5 : 0.1);
        b.joints[1].motion = carom_value_expression("t");
        free_run_compile(&run, &b.spec, 1e-9, NULL);
        size_t count;
        const char *const *warnings = carom_simulation_warnings(run.sim, &count);
        assert_int_equal(count, far);
        if (far)
            assert_non_null(strstr(warnings[0], "joint 'hinge': its motion begins at 0 rad, but where the bodies are "
                                                "placed its coordinate is 1.5 rad"));
        free_run_close(&run);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_axes),
        cmocka_unit_test(test_axis_along_one),
        cmocka_unit_test(test_motion_that_moves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
