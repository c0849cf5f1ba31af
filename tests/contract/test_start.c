/* The start of a simulation: guesses are assembled with the least movement, given velocities are kept, the others take
   the least mass-weighted norm, and what contradicts is refused with the name of the culprit. */
#include "carom_test.h"

#include <math.h>

#include "support/free_build.h"
#include "support/free_runs.h"

static const double planar_inertia = 0.1, space_inertia[3] = {0.2, 0.3, 0.4}, root[3] = {-0.5, 0, 0},
                    tip[3] = {0.5, 0, 0};

/* ---- contradictions ---- */

/* The error of a spec has both texts. */
static void refused(const free_build *b, const char *text, const char *culprit)
{
    const char *error = free_error_of_spec(&b->spec);
    if (!strstr(error, text) || !strstr(error, culprit))
        fail_msg("'%s' or '%s' is missing in '%s'", text, culprit, error);
}

static carom_joint_def *build_arm(free_build *b)
{
    free_begin(b, 2, 1);
    free_body(b, "arm", 1, 1, &planar_inertia, 0.5, 0, 0);
    return free_joint(b, "pin", "revolute", "ground", NULL, "arm", root);
}

static void test_rates_that_contradict(void **state)
{
    (void)state;
    const double up[3] = {0, 1, 0}, along[3] = {1, 0, 0}, axis[3] = {1, 0, 0};
    free_build b;
    build_arm(&b)->rate = carom_value_number(1);
    b.bodies[0].angular_velocity = carom_value_number(2);
    refused(&b, "velocities contradict: angular velocity of body 'arm' is given as 2", "make it 1;");

    build_arm(&b)->rate = carom_value_number(1);
    b.bodies[0].velocity = carom_value_vector(2, up);
    refused(&b, "velocities contradict: velocity of body 'arm' is given as 1", "make it 0.5;");

    build_arm(&b)->motion = carom_value_expression("0.1*t");
    b.joints[0].rate = carom_value_number(1);
    refused(&b, "velocities contradict: rate of joint 'pin' is given as 1", "make it 0.1;");

    build_arm(&b);
    b.bodies[0].velocity = carom_value_vector(2, along); /* away from the pin */
    refused(&b, "velocities contradict: velocity of body 'arm' is given as 1", "make it 0;");

    free_begin(&b, 2, 1);
    free_body(&b, "slider", 1, 1, &planar_inertia, 0.5, 0, 0)->angular_velocity = carom_value_number(0.1);
    free_joint(&b, "guide", "translational", "ground", NULL, "slider", NULL);
    free_joint_vector(&b, "axis", axis);
    refused(&b, "velocities contradict: angular velocity of body 'slider' is given as 0.1", "make it 0;");
}

static void two_motions(const char *first, const char *second, const char *text)
{
    free_build b;
    build_arm(&b)->motion = carom_value_expression(first);
    b.bodies[0].motion_angle = carom_value_expression(second);
    if (text)
        refused(&b, text, "motion");
    else
        assert_string_equal(free_error_of_spec(&b.spec), "");
}

static void test_motions_that_contradict(void **state)
{
    (void)state;
    two_motions("t", "t + 0.5", "cannot be assembled");
    two_motions("t", "2*t", "velocities contradict: motion angle of body 'arm'");
    two_motions("t", "t + t^2", "accelerations contradict");
    two_motions("t^2 + 0.1", "0.1 + t^2", NULL);
}

/* Rates that say the same thing twice are no contradiction. */
static void test_repeated_rates(void **state)
{
    (void)state;
    free_build b;
    free_run run;
    const double up[3] = {0, 1, 0};
    build_arm(&b)->rate = carom_value_number(2);
    b.bodies[0].angular_velocity = carom_value_number(2);
    b.bodies[0].velocity = carom_value_vector(2, up);
    free_run_compile(&run, &b.spec, 1e-9, NULL);
    assert_true(fabs(free_run_get(&run, "joint.pin.rate") - 2) < 1e-14);
    free_run_close(&run);
}

static void test_unreachable(void **state)
{
    (void)state;
    static const double far[3] = {2.5, 0, 0};
    free_build b;
    for (int dimension = 2; dimension <= 3; dimension++) {
        bool space = dimension == 3;
        const char *hinge = space ? "spherical" : "revolute";
        free_begin(&b, dimension, 1);
        free_body(&b, "first", 1, space ? 3 : 1, space ? space_inertia : &planar_inertia, 0.5, 0.1, 0);
        free_body(&b, "second", 1, space ? 3 : 1, space ? space_inertia : &planar_inertia, 1.5, 0.1, 0);
        free_joint(&b, "left", hinge, "ground", NULL, "first", root);
        free_joint(&b, "middle", hinge, "first", tip, "second", root);
        free_joint(&b, "right", hinge, "ground", far, "second", tip);
        /* two bars of 1 m cannot span 2.5 m */
        refused(&b, "cannot be assembled: joint 'left', joint 'middle' and joint 'right' do not fit together",
                "is left open by 0.5 m where all others are closed");
    }
}

/* Two bars of 1 m along a line, which have to fold, or to turn round: a step along the rows turns neither. */
static void build_bars(free_build *b, int dimension, const double *end, bool reversed)
{
    const bool space = dimension == 3;
    const char *hinge = space ? "spherical" : "revolute";
    free_begin(b, dimension, 1);
    free_body(b, "first", 1, space ? 3 : 1, space ? space_inertia : &planar_inertia, 0.5, 0, 0);
    free_body(b, "second", 1, space ? 3 : 1, space ? space_inertia : &planar_inertia, reversed ? 0.5 : 1.5, 0, 0);
    free_joint(b, "left", hinge, "ground", NULL, "first", root);
    free_joint(b, "middle", hinge, "first", tip, "second", reversed ? tip : root);
    free_joint(b, "right", hinge, "ground", end, "second", reversed ? root : tip);
}

static void test_guesses_along_a_line(void **state)
{
    (void)state;
    static const double near[3] = {1.2, 0, 0}, far[3] = {2.5, 0, 0};
    for (int dimension = 2; dimension <= 3; dimension++)
        for (int reversed = 0; reversed < 2; reversed++) {
            free_build b;
            free_run run;
            build_bars(&b, dimension, near, reversed);
            free_run_compile(&run, &b.spec, 1e-9, NULL);
            /* an isosceles triangle of sides 1, 1 and 1.2 */
            carom_body_state first = free_run_body(&run, "first"), second = free_run_body(&run, "second");
            assert_true(fabs(first.position[0] - 0.3) < 1e-12 && fabs(second.position[0] - 0.9) < 1e-12);
            assert_true(fabs(hypot(first.position[1], first.position[2]) - 0.4) < 1e-12);
            assert_true(fabs(first.position[1] - second.position[1]) < 1e-12);
            free_run_close(&run);
            build_bars(&b, dimension, far, reversed);
            refused(&b, "cannot be assembled: joint 'left', joint 'middle' and joint 'right' do not fit together",
                    "is left open by 0.5 m where all others are closed");
        }
}

/* ---- least movement and least norm ---- */

/* A rod of 1.5 m between points 1 m apart pushes them apart as their inverse masses are. */
static void test_least_movement(void **state)
{
    (void)state;
    for (int dimension = 2; dimension <= 3; dimension++) {
        free_build b;
        free_run run;
        carom_check check;
        bool space = dimension == 3;
        free_begin(&b, dimension, 1);
        free_body(&b, "light", 1, space ? 3 : 1, space ? space_inertia : &planar_inertia, 0, 0, 0);
        free_body(&b, "heavy", 4, space ? 3 : 1, space ? space_inertia : &planar_inertia, 1, 0, 0);
        free_joint(&b, "rod", "distance", "light", NULL, "heavy", NULL);
        free_joint_number(&b, "length", 1.5);
        free_run_compile(&run, &b.spec, 1e-9, NULL);
        carom_body_state light = free_run_body(&run, "light"), heavy = free_run_body(&run, "heavy");
        assert_true(fabs(light.position[0] + 0.4) < 1e-13);
        assert_true(fabs(heavy.position[0] - 1.1) < 1e-13);
        assert_int_equal(carom_simulation_check(run.sim, &check), CAROM_OK);
        assert_true(fabs(check.assembly_moved - 0.4) < 1e-13);
        free_run_close(&run);
    }
}

/* A body whose point at c above the centre of mass is driven along x at v: of all velocities with vx - w c = v the one
   of least kinetic energy is vx = p/m, w = -c p/J with the impulse p = v/(1/m + c^2/J). */
static void test_least_norm_in_the_plane(void **state)
{
    (void)state;
    static const carom_frame_def hook = {.name = "hook", .at = {0, 0.4, 0}};
    free_build b;
    free_run run;
    free_begin(&b, 2, 1);
    carom_body_def *plate = free_body(&b, "plate", 2, 1, &planar_inertia, 0.7, -0.4, 0);
    plate->frames = &hook;
    plate->frame_count = 1;
    plate->motion_point = "hook";
    plate->motion_x = carom_value_expression("0.7 + 3*t");
    free_run_compile(&run, &b.spec, 1e-9, NULL);
    carom_body_state now = free_run_body(&run, "plate");
    double p = 3 / (0.5 + 0.16 / 0.1);
    assert_true(fabs(now.velocity[0] - 0.5 * p) < 1e-14);
    assert_true(fabs(now.velocity[1]) < 1e-14);
    assert_true(fabs(now.angular_velocity[2] + 0.4 * p / 0.1) < 1e-13);
    free_run_close(&run);
}

/* The same in space: with n the driven direction and r the point, p = v/(1/m + (r x n) . J^-1 (r x n)). */
static void test_least_norm_in_space(void **state)
{
    (void)state;
    static const carom_frame_def hook = {.name = "hook", .at = {0.1, 0.2, 0.3}};
    free_build b;
    free_run run;
    free_begin(&b, 3, 1);
    carom_body_def *body = free_body(&b, "body", 2, 3, space_inertia, 0, 0, 0);
    body->frames = &hook;
    body->frame_count = 1;
    body->motion_point = "hook";
    body->motion_z = carom_value_expression("0.3 + 3*t");
    free_run_compile(&run, &b.spec, 1e-9, NULL);
    carom_body_state now = free_run_body(&run, "body");
    /* r x z = (0.2, -0.1, 0) */
    double p = 3 / (0.5 + 0.04 / 0.2 + 0.01 / 0.3);
    const double v[3] = {0, 0, 0.5 * p}, w[3] = {0.2 * p / 0.2, -0.1 * p / 0.3, 0};
    for (int k = 0; k < 3; k++) {
        assert_true(fabs(now.velocity[k] - v[k]) < 1e-14);
        assert_true(fabs(now.angular_velocity[k] - w[k]) < 1e-14);
    }
    free_run_close(&run);
}

/* Two hinged bars: what is given for one stays to the last digits, what is free follows with the least norm. */
static void test_given_velocities(void **state)
{
    (void)state;
    const double velocity[3] = {1.7, -0.3, 0};
    free_build b;
    free_run run;
    free_begin(&b, 2, 1);
    free_body(&b, "first", 1, 1, &planar_inertia, 0, 0, 0)->velocity = carom_value_vector(2, velocity);
    free_body(&b, "second", 3, 1, &planar_inertia, 1, 0, 0)->angular_velocity = carom_value_number(-2.5);
    free_joint(&b, "pin", "revolute", "first", tip, "second", root);
    free_run_compile(&run, &b.spec, 1e-9, NULL);
    carom_body_state first = free_run_body(&run, "first"), second = free_run_body(&run, "second");
    assert_true(fabs(first.velocity[0] - 1.7) < 1e-15);
    assert_true(fabs(first.velocity[1] + 0.3) < 1e-15);
    assert_true(fabs(second.angular_velocity[2] + 2.5) < 2e-15);
    /* the pin: vx2 = 1.7; vy2 = -0.3 + 0.5 w1 + 0.5 w2; least 0.1 w1^2 + 3 vy2^2 with w2 = -2.5, so 0.2 w1 + 3 vy2 =
       0 */
    double w1 = 3 * (0.3 + 1.25) / (0.2 + 1.5);
    assert_true(fabs(second.velocity[0] - 1.7) < 1e-14);
    assert_true(fabs(first.angular_velocity[2] - w1) < 1e-14);
    assert_true(fabs(second.velocity[1] - (-0.3 + 0.5 * w1 - 1.25)) < 1e-14);
    free_run_close(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rates_that_contradict),   cmocka_unit_test(test_motions_that_contradict),
        cmocka_unit_test(test_repeated_rates),          cmocka_unit_test(test_unreachable),
        cmocka_unit_test(test_least_movement),          cmocka_unit_test(test_least_norm_in_the_plane),
        cmocka_unit_test(test_least_norm_in_space),     cmocka_unit_test(test_given_velocities),
        cmocka_unit_test(test_guesses_along_a_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
