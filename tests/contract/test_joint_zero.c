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

/* ---- `zero` ---- */

/* A lever with a stop, a spring, a prescribed slider and gears, whose coordinates count from `zero` and as the frames
   give them, where all numbers are shifted. */
static const char shifted[] =
    "carom: 1\ndimension: 3\ngravity: [0, 0, -9.81]\nparameters: {a: %.17g, b: %.17g, c: %.17g, raw: %.17g}\n"
    "bodies:\n"
    "  lever: {mass: 1, inertia: [0.1, 0.1, 0.1], at: [0.5, 0, 0]}\n"
    "  wheel: {mass: 2, inertia: [0.2, 0.2, 0.2], at: [0, 3, 0]}\n"
    "  sleeve: {mass: 2, inertia: [0.2, 0.2, 0.2], at: [0, 5, 0]}\n"
    "  nut: {mass: 2, inertia: [0.2, 0.2, 0.2], at: [0, 7, 0]}\n"
    "joints:\n"
    "  hinge: {type: revolute, between: [ground, {lever: [-0.5, 0, 0]}], axis: [0, 1, 0], zero: a,\n"
    "    spring: {stiffness: 2, free: 0.1 + raw*(%.17g)}, limits: {lower: -9 + raw*(%.17g), upper: 1 + raw*(%.17g),"
    " stiffness: 1e3}}\n"
    "  axle: {type: revolute, between: [{ground: [0, 3, 0]}, wheel], axis: [0, 1, 0], zero: b}\n"
    "  gear: {type: coupler, joints: [hinge, axle], ratio: 2, offset: %.17g}\n"
    "  rod: {type: cylindrical, between: [{ground: [0, 5, 0]}, sleeve], axis: [1, 0, 0], zero: c,\n"
    "    motion: 0.2*sin(t) + raw*(%.17g), coordinates: {angle: {zero: a, motion: t - raw*t + raw*(t + %.17g)}}}\n"
    "  thread: {type: screw, between: [{ground: [0, 7, 0]}, nut], axis: [0, 0, 1], pitch: 0.1, zero: b, rate: 1}\n"
    "outputs: {double_angle: 2*angle(hinge)}\n"
    "run: {until: 2, tolerance: 1e-10, formulation: %s}\n";

static void open_shifted(free_run *run, const double *zero, bool counted, const char *formulation)
{
    char text[2600];
    const double shift = counted ? 0 : 1;
    snprintf(text, sizeof text, shifted, counted ? zero[0] : 0, counted ? zero[1] : 0, counted ? zero[2] : 0, shift,
             zero[0], zero[0], zero[0], counted ? 2 * zero[0] - zero[1] : 0, zero[2], zero[0], formulation);
    free_run_parse(run, text, 0, NULL);
    assert_ok(run->ctx, carom_simulation_run(run->sim));
    assert_true(fabs(carom_simulation_ledger(run->sim).residual_fraction) < 1e-7);
}

/* All that counts from a zero moves as what is shifted by it, within the tolerance of the runs. */
static void test_given(void **state)
{
    (void)state;
    static const char *const formulations[] = {"tree", "cartesian"};
    const double zero[3] = {-0.4, 0.7, 0.3};
    for (size_t f = 0; f < 2; f++) {
        free_run one, two;
        open_shifted(&one, zero, true, formulations[f]);
        open_shifted(&two, zero, false, formulations[f]);
        static const char *const joints[] = {"hinge", "axle", "rod", "rod.angle", "thread"};
        const int of[] = {0, 1, 2, 0, 1};
        for (int k = 0; k < 5; k++) {
            char channel[60];
            snprintf(channel, sizeof channel, "joint.%s.coordinate", joints[k]);
            const double off = free_run_get(&two, channel) - free_run_get(&one, channel) - zero[of[k]];
            printf("%s %s off by %.1e\n", formulations[f], channel, off);
            assert_true(fabs(off) < 1e-7);
        }
        assert_true(fabs(free_run_get(&one, "joint.rod.coordinate") - 0.2 * sin(2)) < 1e-9);
        assert_true(fabs(free_run_get(&one, "output.double_angle") - 2 * free_run_get(&one, "joint.hinge.coordinate")) <
                    1e-12);
        free_run_close(&one);
        free_run_close(&two);
    }
}

/* An angle starts within half a turn of its zero in both formulations; a state takes what it gives. */
static void test_half_turn(void **state)
{
    (void)state;
    static const char text[] =
        "carom: 1\ndimension: 3\nbodies: {lever: {mass: 1, inertia: [1, 1, 1], orientation: {axis: [0, 0, 1], "
        "angle: -3.1}}}\njoints: {hinge: {type: revolute, between: [ground, lever], axis: [0, 0, 1], zero: pi}}\n"
        "run: {until: 1, formulation: %s}\n";
    static const char *const formulations[] = {"tree", "cartesian"};
    const double expected = 3.14159265358979323846 - 3.1;
    for (size_t f = 0; f < 2; f++) {
        free_run run;
        char model[500];
        snprintf(model, sizeof model, text, formulations[f]);
        free_run_parse(&run, model, 0, NULL);
        assert_true(fabs(free_run_get(&run, "joint.hinge.coordinate") - expected) < 1e-12);
        carom_state *at;
        double value;
        assert_ok(run.ctx, carom_state_create(run.ctx, run.model, &at));
        assert_ok(run.ctx, carom_simulation_get_state(run.sim, at));
        assert_ok(run.ctx, carom_state_get(at, "joint.hinge.coordinate", &value, 1));
        assert_true(fabs(value - expected) < 1e-12);
        carom_state_free(at);
        free_run_close(&run);
    }
}

/* Kinds without a coordinate have no zero. */
static void test_refused(void **state)
{
    (void)state;
    static const char text[] = "carom: 1\ndimension: 2\nbodies: {one: {mass: 1, inertia: 1}}\n"
                               "joints: {j: {type: fixed, between: [ground, one], zero: 1}}\nrun: {until: 1}\n";
    const char *error = free_error_of_text(text);
    if (!strstr(error, ":4:") || !strstr(error, "takes no zero"))
        fail_msg("%s", error);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_axes),
        cmocka_unit_test(test_axis_along_one),
        cmocka_unit_test(test_motion_that_moves),
        cmocka_unit_test(test_given),
        cmocka_unit_test(test_half_turn),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
