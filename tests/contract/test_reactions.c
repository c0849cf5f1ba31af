/* Reactions and drive efforts against statics and dynamics by hand. A reaction is the force of the joint on its second
   body, a moment is taken about the joint's second frame. */
#include "carom_test.h"

#include <math.h>

#include "support/free_build.h"
#include "support/free_runs.h"

#define G 9.81
/* Statics is one linear solve: rounding of numbers of order 100. */
#define ROUNDING 1e-11

static const double planar_inertia = 0.08, space_inertia[3] = {0.02, 0.08, 0.07};

static void get_vector(free_run *run, const char *name, int size, double *out)
{
    static const char *const axes[3] = {"x", "y", "z"};
    for (int k = 0; k < size; k++) {
        char component[96];
        snprintf(component, sizeof component, "%s.%s", name, axes[k]);
        out[k] = free_run_get(run, component);
    }
}

static void expect(const char *what, int size, const double *ours, const double *hand, double allowed)
{
    for (int k = 0; k < size; k++)
        if (!(fabs(ours[k] - hand[k]) <= allowed))
            fail_msg("%s, component %d: %.15g in place of %.15g", what, k + 1, ours[k], hand[k]);
}

static void cross(const double *a, const double *b, double *out)
{
    const double c[3] = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
    memcpy(out, c, sizeof c);
}

static void rotate(const double *m, const double *a, double *out)
{
    for (int k = 0; k < 3; k++)
        out[k] = m[3 * k] * a[0] + m[3 * k + 1] * a[1] + m[3 * k + 2] * a[2];
}

static void rotate_back(const double *m, const double *a, double *out)
{
    for (int k = 0; k < 3; k++)
        out[k] = m[k] * a[0] + m[3 + k] * a[1] + m[6 + k] * a[2];
}

/* ---- hanging at rest ---- */

/* A pendulum at rest below its pin: the pin carries the weight, whichever body is named second. */
static void test_hanging(void **state)
{
    (void)state;
    static const double root[3] = {-0.5, 0, 0}, axis[3] = {0, 1, 0};
    for (int dimension = 2; dimension <= 3; dimension++)
        for (int swapped = 0; swapped < 2; swapped++) {
            free_build b;
            free_run run;
            free_begin(&b, dimension, 1);
            bool space = dimension == 3;
            carom_body_def *rod = free_body(&b, "rod", 2, space ? 3 : 1, space ? space_inertia : &planar_inertia, 0,
                                            space ? 0 : -0.5, space ? -0.5 : 0);
            rod->angle = -acos(0.0);
            free_turn(0, acos(0.0), 0, rod->orientation); /* body x points down */
            if (swapped)
                free_joint(&b, "pin", "revolute", "rod", root, "ground", NULL);
            else
                free_joint(&b, "pin", "revolute", "ground", NULL, "rod", root);
            if (space)
                free_joint_vector(&b, "axis", axis);
            free_run_compile(&run, &b.spec, 1e-9, NULL);
            double weight = 2 * G * (swapped ? -1 : 1), force[3], in_body[3], moment[3] = {0, 0, 0};
            const double none[3] = {0, 0, 0}, up[3] = {0, space ? 0 : weight, space ? weight : 0};
            const double along[3] = {swapped && space ? 0 : swapped ? up[0] : -weight, swapped && !space ? weight : 0,
                                     swapped && space ? weight : 0};
            for (int pass = 0; pass < 2; pass++) {
                get_vector(&run, "joint.pin.reaction", dimension, force);
                get_vector(&run, "joint.pin.reaction_body", dimension, in_body);
                if (space)
                    get_vector(&run, "joint.pin.moment", 3, moment);
                else
                    moment[2] = free_run_get(&run, "joint.pin.moment");
                expect("hanging, reaction", dimension, force, up, pass ? 1e-8 : ROUNDING);
                expect("hanging, reaction in body axes", dimension, in_body, along, pass ? 1e-8 : ROUNDING);
                expect("hanging, moment", 3, moment, none, pass ? 1e-8 : ROUNDING);
                free_run_to(&run, 1);
            }
            free_run_close(&run);
        }
}

/* ---- cantilever ---- */

/* A beam welded to the ground at its root, with a force at its tip, a torque and its weight. */
static void check_cantilever(int dimension)
{
    static const double root[3] = {-0.6, 0.1, -0.05}, tip[3] = {0.5, -0.05, 0.2}, load[3] = {30, -70, 45};
    static const double torque[3] = {4, -6, 9};
    bool space = dimension == 3;
    double flat_root[3] = {root[0], root[1], space ? root[2] : 0}, flat_tip[3] = {tip[0], tip[1], space ? tip[2] : 0};
    double force[3] = {load[0], load[1], space ? load[2] : 0}, twist[3] = {space ? 4 : 0, space ? -6 : 0, 9};
    free_build b;
    free_run run;
    free_begin(&b, dimension, 1);
    carom_body_def *beam =
        free_body(&b, "beam", 3, space ? 3 : 1, space ? space_inertia : &planar_inertia, 1, 2, space ? 0.5 : 0);
    beam->angle = 0.7;
    free_turn(0.3, -0.5, 0.7, beam->orientation);
    double q[4], m[9], r[3], s[3];
    free_turn(0, 0, 0.7, q);
    free_rotation(space ? beam->orientation : q, m);
    rotate(m, flat_root, r);
    const double wall[3] = {1 + r[0], 2 + r[1], space ? 0.5 + r[2] : 0};
    free_joint(&b, "weld", "fixed", "ground", wall, "beam", flat_root);
    free_load(&b, "tip", "force", "beam", flat_tip, NULL, NULL);
    free_load_vector(&b, "force", force);
    free_load(&b, "twist", "torque", "beam", NULL, NULL, NULL);
    if (space)
        free_load_vector(&b, "torque", torque);
    else
        free_load_number(&b, "torque", torque[2]);
    free_run_compile(&run, &b.spec, 1e-9, NULL);
    /* by hand: R = -(F + m g), M = -(T + (tip - root) x F + (com - root) x m g) */
    double weight[3] = {0, space ? 0 : -3 * G, space ? -3 * G : 0}, hand[3], moment[3], c[3], arm[3], local[3];
    rotate(m, flat_tip, s);
    for (int k = 0; k < 3; k++) {
        hand[k] = -(force[k] + weight[k]);
        arm[k] = s[k] - r[k];
        r[k] = -r[k];
    }
    cross(arm, force, c);
    cross(r, weight, moment);
    for (int k = 0; k < 3; k++)
        moment[k] = -(twist[k] + c[k] + moment[k]);
    double ours[3] = {0, 0, 0};
    get_vector(&run, "joint.weld.reaction", dimension, ours);
    expect("cantilever, reaction", 3, ours, hand, ROUNDING);
    get_vector(&run, "joint.weld.reaction_body", dimension, ours);
    rotate_back(m, hand, local);
    expect("cantilever, reaction in body axes", 3, ours, local, ROUNDING);
    if (space) {
        get_vector(&run, "joint.weld.moment", 3, ours);
        expect("cantilever, moment", 3, ours, moment, ROUNDING);
        get_vector(&run, "joint.weld.moment_body", 3, ours);
        rotate_back(m, moment, local);
        expect("cantilever, moment in body axes", 3, ours, local, ROUNDING);
    } else {
        ours[0] = free_run_get(&run, "joint.weld.moment");
        expect("cantilever, moment", 1, ours, moment + 2, ROUNDING);
    }
    free_run_close(&run);
}

static void test_cantilever(void **state)
{
    (void)state;
    check_cantilever(2);
    check_cantilever(3);
}

/* ---- slider with a load off its line ---- */

/* The guide takes the force across its axis and the whole moment; along the axis the slider accelerates. Named the
   other way round, the guide shows the opposite force, and the moment about the ground's frame. */
static void test_slider(void **state)
{
    (void)state;
    static const double point[3] = {0.2, 0.1, -0.15}, wall[3] = {-0.4, 0.3, 0}, axis[3] = {1, 0, 0};
    static const double load[3] = {12, -50, 20};
    for (int dimension = 2; dimension <= 3; dimension++)
        for (int swapped = 0; swapped < 2; swapped++) {
            bool space = dimension == 3;
            free_build b;
            free_run run;
            double at[3] = {point[0], point[1], space ? point[2] : 0},
                   force[3] = {load[0], load[1], space ? load[2] : 0};
            double weight = 4 * G, hand[3] = {0, 50, space ? -20 : 0}, c[3], moment[3], ours[3] = {0, 0, 0};
            hand[dimension - 1] += weight;
            free_begin(&b, dimension, 1);
            free_body(&b, "slider", 4, space ? 3 : 1, space ? space_inertia : &planar_inertia, 0.9, 0.3, 0);
            if (swapped)
                free_joint(&b, "guide", "translational", "slider", NULL, "ground", wall);
            else
                free_joint(&b, "guide", "translational", "ground", wall, "slider", NULL);
            free_joint_vector(&b, "axis", axis);
            free_load(&b, "push", "force", "slider", at, NULL, NULL);
            free_load_vector(&b, "force", force);
            free_run_compile(&run, &b.spec, 1e-9, NULL);
            cross(at, force, c);
            for (int k = 0; k < 3; k++)
                moment[k] = -c[k];
            if (swapped) { /* -(M + (slider - wall) x R) on the ground */
                const double arm[3] = {1.3, 0, 0};
                cross(arm, hand, c);
                for (int k = 0; k < 3; k++) {
                    moment[k] = -(moment[k] + c[k]);
                    hand[k] = -hand[k];
                }
            }
            get_vector(&run, "joint.guide.reaction", dimension, ours);
            expect("slider, reaction", 3, ours, hand, ROUNDING);
            if (space)
                get_vector(&run, "joint.guide.moment", 3, ours);
            else
                ours[2] = free_run_get(&run, "joint.guide.moment");
            expect("slider, moment", space ? 3 : 1, space ? ours : ours + 2, space ? moment : moment + 2, ROUNDING);
            assert_true(fabs(free_run_get(&run, "body.slider.acceleration.x") - 3) < ROUNDING);
            assert_true(fabs(free_run_get(&run, "joint.guide.coordinate") - (swapped ? -1.3 : 1.3)) < ROUNDING);
            free_run_close(&run);
        }
}

/* ---- drives ---- */

/* A pendulum driven by 0.8 sin(3 t) from the horizontal: M = (J + m c^2) a'' + m g c cos(a), and its work is the change
   of the energy. The pin's reaction is that of the motion: R = m (acceleration - g). */
static void test_driven_pendulum(void **state)
{
    (void)state;
    static const double root[3] = {-0.5, 0, 0}, axis[3] = {0, -1, 0};
    static const double times[] = {0, 0.3, 0.77, 1.5, 2};
    for (int dimension = 2; dimension <= 3; dimension++) {
        bool space = dimension == 3;
        free_build b;
        free_run run;
        int up = dimension - 1;
        double worst = 0;
        free_begin(&b, dimension, 2);
        free_body(&b, "rod", 2, space ? 3 : 1, space ? space_inertia : &planar_inertia, 0.5, 0, 0);
        free_joint(&b, "pin", "revolute", "ground", NULL, "rod", root)->motion = carom_value_expression("0.8*sin(3*t)");
        if (space)
            free_joint_vector(&b, "axis", axis);
        free_run_compile(&run, &b.spec, 1e-10, NULL);
        for (size_t k = 0; k < sizeof times / sizeof *times; k++) {
            double t = times[k], a = 0.8 * sin(3 * t), rate = 2.4 * cos(3 * t), second = -7.2 * sin(3 * t);
            double effort = (0.08 + 2 * 0.25) * second + 2 * G * 0.5 * cos(a);
            double reaction[3], hand[3] = {0, 0, 0};
            free_run_to(&run, t);
            worst = fmax(worst, fabs(free_run_get(&run, "joint.pin.drive") - effort));
            worst = fmax(worst, fabs(free_run_get(&run, "joint.pin.coordinate") - a));
            worst = fmax(worst, fabs(free_run_get(&run, "joint.pin.rate") - rate));
            hand[0] = 2 * 0.5 * (-second * sin(a) - rate * rate * cos(a));
            hand[up] = 2 * (0.5 * (second * cos(a) - rate * rate * sin(a)) + G);
            get_vector(&run, "joint.pin.reaction", dimension, reaction);
            expect("driven pendulum, reaction", dimension, reaction, hand, 1e-6);
        }
        carom_ledger ledger = carom_simulation_ledger(run.sim);
        double a = 0.8 * sin(6.0), rate = 2.4 * cos(6.0);
        double work = 0.5 * 0.58 * (rate * rate - 2.4 * 2.4) + 2 * G * 0.5 * sin(a);
        printf("%d-D driven pendulum: worst %.1e, work off by %.1e J, ledger %.1e\n", dimension, worst,
               ledger.work - work, ledger.residual_fraction);
        assert_true(worst < 1e-6);
        assert_true(fabs(ledger.work - work) < 1e-7);
        assert_true(ledger.residual_fraction < 1e-7);
        free_run_close(&run);
    }
}

/* A slider driven up a slope of 30 degrees by s = 0.5 + 0.2 sin(4 t): F = m (s'' + g sin 30), and a body whose x, y and
   angle are prescribed at a point off its centre of mass: the efforts are the forces of inverse dynamics at that
   point. */
static void test_driven_slider(void **state)
{
    (void)state;
    static const double axis[3] = {0.86602540378443864676, 0.5, 0};
    free_build b;
    free_run run;
    free_begin(&b, 2, 1);
    carom_body_def *slider = free_body(&b, "slider", 4, 1, &planar_inertia, 0.5 * axis[0], 0.25, 0);
    slider->angle = acos(axis[0]);
    free_joint(&b, "guide", "translational", "ground", NULL, "slider", NULL)->motion =
        carom_value_expression("0.5 + 0.2*sin(4*t)");
    free_joint_vector(&b, "axis", axis);
    free_run_compile(&run, &b.spec, 1e-10, NULL);
    for (double t = 0; t < 0.95; t += 0.3) {
        free_run_to(&run, t);
        double effort = 4 * (-3.2 * sin(4 * t) + 0.5 * G);
        assert_true(fabs(free_run_get(&run, "joint.guide.drive") - effort) < 1e-7);
    }
    free_run_close(&run);
}

static void test_driven_body(void **state)
{
    (void)state;
    static const carom_frame_def hook = {.name = "hook", .at = {0.3, 0, 0}};
    free_build b;
    free_run run;
    free_begin(&b, 2, 1);
    carom_body_def *plate = free_body(&b, "plate", 4, 1, &planar_inertia, -0.3, 0, 0);
    plate->frames = &hook;
    plate->frame_count = 1;
    plate->motion_point = "hook";
    plate->motion_x = carom_value_expression("0.1*sin(5*t)");
    plate->motion_y = carom_value_expression("0.2*t^2");
    plate->motion_angle = carom_value_expression("1.5*t");
    free_run_compile(&run, &b.spec, 1e-10, NULL);
    for (double t = 0; t < 0.95; t += 0.3) {
        free_run_to(&run, t);
        /* centre of mass = hook - 0.3 (cos, sin): acceleration of the hook + 0.3 w^2 (cos, sin) */
        double c = cos(1.5 * t), s = sin(1.5 * t), x = -2.5 * sin(5 * t) + 0.3 * 2.25 * c, y = 0.4 + 0.3 * 2.25 * s;
        double fx = 4 * x, fy = 4 * (y + G), moment = -(0.3 * c * fy - 0.3 * s * fx);
        carom_body_state now = free_run_body(&run, "plate");
        assert_true(fabs(now.position[0] - (0.1 * sin(5 * t) - 0.3 * c)) < 1e-9);
        assert_true(fabs(now.position[1] - (0.2 * t * t - 0.3 * s)) < 1e-9);
        assert_true(fabs(now.angle - 1.5 * t) < 1e-9);
        assert_true(fabs(free_run_get(&run, "body.plate.drive_x") - fx) < 1e-6);
        assert_true(fabs(free_run_get(&run, "body.plate.drive_y") - fy) < 1e-6);
        assert_true(fabs(free_run_get(&run, "body.plate.drive_angle") - moment) < 1e-6);
    }
    assert_true(carom_simulation_ledger(run.sim).residual_fraction < 1e-7);
    free_run_close(&run);
}

/* What a drive gives is what the energies gain: the power is the rate of the work, and the work is that of the ledger,
   of prescribed motions and of motors. */
static void check_work(free_run *run, const char *work, const char *power, double until)
{
    double before = free_run_get(run, work);
    const double start = carom_simulation_ledger(run->sim).kinetic + carom_simulation_ledger(run->sim).potential;
    assert_true(before == 0);
    for (int k = 1; k <= 8; k++) {
        const double t = until * k / 8, h = 1e-4;
        free_run_to(run, t - h);
        const double early = free_run_get(run, work);
        free_run_to(run, t);
        const double middle = free_run_get(run, power);
        free_run_to(run, t + h);
        const double slope = (free_run_get(run, work) - early) / (2 * h);
        const carom_ledger l = carom_simulation_ledger(run->sim);
        assert_true(fabs(middle - slope) < 1e-4 * fmax(1, fabs(middle)));
        assert_true(free_run_get(run, work) == l.work);
        assert_true(fabs(l.work - (l.kinetic + l.potential - start)) < 1e-6);
    }
}

static void test_work(void **state)
{
    (void)state;
    static const char motor[] = "carom: 1\ndimension: 2\ngravity: [0, -9.81]\n"
                                "bodies: {bar: {mass: 1, inertia: 0.1, at: [0.5, 0], frames: {root: [-0.5, 0]}}}\n"
                                "joints: {pin: {type: revolute, between: [ground, bar.root]}}\n"
                                "loads: {servo: {type: motor, on: pin, target: 0.8*sin(2*t), proportional: 80, "
                                "derivative: 4}}\nrun: {until: 5}\n";
    free_run run;
    free_run_open(&run, "four_bar_driven.yaml", NULL, 0, 1e-10, NULL);
    check_work(&run, "joint.A.drive_work", "joint.A.drive_power", 3);
    assert_true(free_run_get(&run, "joint.A.drive_power") == 2 * free_run_get(&run, "joint.A.drive"));
    free_run_close(&run);
    free_run_parse(&run, motor, 1e-10, NULL);
    check_work(&run, "load.servo.work", "load.servo.power", 3);
    free_run_close(&run);
}

static void swing_at(void *user, double t, double *value, double *rate, double *acceleration)
{
    const double *size = user;
    *value = *size * sin(3 * t);
    *rate = 3 * *size * cos(3 * t);
    *acceleration = -9 * *size * sin(3 * t);
}

/* A motion given by a function is that of the same expression; clones have it; a joint without `motion` is refused. */
static void test_motion_function(void **state)
{
    (void)state;
    static const char text[] = "carom: 1\ndimension: 2\ngravity: [0, -9.81]\n"
                               "bodies: {bar: {mass: 1, inertia: 0.1, at: [0.5, 0], frames: {root: [-0.5, 0]}}}\n"
                               "joints: {pin: {type: revolute, between: [ground, bar.root], motion: \"%s\"}}\n"
                               "run: {until: 2, tolerance: 1e-10}\n";
    char words[600];
    double size = 0.5, got[3];
    carom_motion_def motion = {"pin", swing_at, &size};
    carom_simulation_def def = carom_default_simulation_def();
    free_run given, called;
    carom_simulation *sim, *clone;
    snprintf(words, sizeof words, text, "0.5*sin(3*t)");
    free_run_parse(&given, words, 0, NULL);
    snprintf(words, sizeof words, text, "0");
    free_run_parse(&called, words, 0, NULL);
    def.motions = &motion;
    def.motion_count = 1;
    assert_int_equal(carom_simulation_create(called.ctx, called.model, &def, &sim), CAROM_OK);
    assert_int_equal(carom_simulation_clone(sim, NULL, &clone), CAROM_OK);
    free_run_to(&given, 1.7);
    assert_int_equal(carom_simulation_advance(sim, 1.7), CAROM_OK);
    assert_int_equal(carom_simulation_advance(clone, 1.7), CAROM_OK);
    assert_int_equal(carom_simulation_channel(sim, "joint.pin.drive_work", &got[0]), CAROM_OK);
    assert_int_equal(carom_simulation_channel(sim, "joint.pin.coordinate", &got[1]), CAROM_OK);
    assert_int_equal(carom_simulation_channel(clone, "joint.pin.coordinate", &got[2]), CAROM_OK);
    assert_true(fabs(got[0] - free_run_get(&given, "joint.pin.drive_work")) < 1e-7);
    assert_true(fabs(got[1] - 0.5 * sin(5.1)) < 1e-8 && fabs(got[2] - got[1]) < 1e-9);
    carom_simulation_free(clone);
    carom_simulation_free(sim);
    motion.joint = "pim";
    assert_int_equal(carom_simulation_create(called.ctx, called.model, &def, &sim), CAROM_ERROR_USAGE);
    free_run_close(&given);
    free_run_close(&called);
}

/* ---- joints with clearance ---- */

/* Outputs that ask for the reaction of a joint are its channel, and at rest its load, beside an ideal joint whose rows
   are others. */
static void test_clearance(void **state)
{
    (void)state;
    static const char plane[] =
        "carom: 1\ndimension: 2\ngravity: [0, -9.81]\n"
        "bodies:\n  arm: {mass: 2, inertia: 0.01, at: [0.3, 0], frames: {top: [-0.3, 0], low: [0.3, 0]}}\n"
        "  bob: {mass: 3, inertia: 0.01, at: [0.8, 0], frames: {top: [-0.2, 0]}}\n"
        "joints:\n  k: {type: revolute, between: [arm.low, bob.top]}\n"
        "  j: {type: revolute, between: [ground, arm.top], clearance: {radial: 0.2*mm, radius: 10*mm, "
        "normal: {law: exact, stiffness: 1e8, restitution: 0.5}}}\n"
        "outputs: {r: joint.j.reaction, m: joint.j.moment}\nrun: {until: 0.5}\n";
    static const char space[] =
        "carom: 1\ndimension: 3\ngravity: [0, 0, -9.81]\n"
        "bodies:\n  c: {mass: 2, inertia: [0.005, 0.005, 0.001], at: [0, 1, 0]}\n"
        "  bob: {mass: 3, inertia: [0.01, 0.01, 0.01], at: [0, 2, 0]}\n"
        "joints:\n  k: {type: fixed, between: [ground, bob]}\n"
        "  j: {type: cylindrical, between: [{ground: [0, 1, 0]}, c], axis: [1, 0, 0], clearance: {radial: 0.1*mm, "
        "radius: 15*mm, length: 80*mm, normal: {law: exact, stiffness: 1e8, restitution: 0.1}}}\n"
        "outputs: {r: joint.j.reaction}\nrun: {until: 0.5}\n";
    free_run run;
    double largest = 0;
    free_run_parse(&run, plane, 0, NULL);
    for (int n = 1; n <= 50; n++) {
        free_run_to(&run, 0.01 * n);
        const double x = free_run_get(&run, "joint.j.reaction.x"), y = free_run_get(&run, "joint.j.reaction.y");
        const double channel = hypot(x, y);
        assert_true(fabs(free_run_get(&run, "output.r") - channel) < 1e-12 * (1 + channel));
        assert_true(fabs(free_run_get(&run, "output.m") - free_run_get(&run, "joint.j.moment")) < 1e-12);
        largest = fmax(largest, channel);
    }
    assert_true(largest > 40);
    free_run_close(&run);
    free_run_parse(&run, space, 0, NULL);
    free_run_to(&run, 0.5);
    const double weight = free_run_get(&run, "output.r");
    print_message("clearance: largest reaction %.1f N, that of a weight at rest %.2e off\n", largest,
                  weight / (2 * G) - 1);
    assert_true(fabs(weight / (2 * G) - 1) < 1e-5);
    assert_false(free_run_is_told(&run, "[W37]"));
    free_run_close(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_hanging),       cmocka_unit_test(test_cantilever),
                                       cmocka_unit_test(test_slider),        cmocka_unit_test(test_driven_pendulum),
                                       cmocka_unit_test(test_driven_slider), cmocka_unit_test(test_driven_body),
                                       cmocka_unit_test(test_work),          cmocka_unit_test(test_motion_function),
                                       cmocka_unit_test(test_clearance)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
