/* Forces at a state without integrating, and forces that the caller applies: against Newton and Euler by hand, against
   differences of the motion, against the same loads of a model file. */
#include "carom_test.h"

#include <math.h>

#include "base/base.h"
#include "support/free_runs.h"
#include "support/trial.h"

#define MUST(run, call)                                        \
    do {                                                       \
        if ((call) != CAROM_OK)                                \
            fail_msg("%s", carom_context_error((run)->ctx));   \
    } while (0)
#define NEAR(got, wanted, allowed)                                                                      \
    do {                                                                                                \
        const double near_got = (got), near_wanted = (wanted);                                          \
        if (!(fabs(near_got - near_wanted) <= (allowed)))                                               \
            fail_msg(#got ": %.15g in place of %.15g", near_got, near_wanted);                          \
    } while (0)
#define G 9.81
/* One linear solve with numbers of order 100. */
#define ROUNDING 1e-12

static carom_state *state_of(free_run *run)
{
    carom_state *s;
    MUST(run, carom_state_create(run->ctx, run->model, &s));
    MUST(run, carom_simulation_get_state(run->sim, s));
    return s;
}

static void set(free_run *run, carom_state *s, const char *name, double value)
{
    MUST(run, carom_state_set(s, name, &value, 1));
}

/* ---- a pendulum by hand ---- */

static const char rod[] =
    "{carom: 1, dimension: 2, gravity: [0, -9.81], bodies: {rod: {mass: 2, inertia: 0.3, at: [0.7, 0]}},"
    " joints: {pin: {type: revolute, between: [ground, {rod: [-0.7, 0]}]}},"
    " loads: {wind: {type: force, on: rod, force: [3, 0]}}, run: {until: 1}}";

/* (I + m l^2) theta'' = -m g l cos(theta) - 3 l sin(theta); the pin carries m a - weight - wind. */
static void test_pendulum(void **state)
{
    (void)state;
    free_run run;
    free_run_parse(&run, rod, 0, NULL);
    carom_state *s = state_of(&run);
    const double m = 2, l = 0.7, inertia = 0.3, angles[] = {0.4, -2.0, 9.0}, rates[] = {0, 3, -5};
    for (int k = 0; k < 3; k++) {
        carom_evaluated at;
        const double c = cos(angles[k]), sn = sin(angles[k]), w = rates[k];
        set(&run, s, "joint.pin.coordinate", angles[k]);
        set(&run, s, "joint.pin.rate", w);
        assert_int_equal(carom_simulation_evaluate_at(run.sim, s, &at), CAROM_ERROR_USAGE);
        MUST(&run, carom_simulation_assemble(run.sim, s, NULL, NULL));
        MUST(&run, carom_simulation_evaluate_at(run.sim, s, &at));
        const double alpha = (-m * G * l * c - 3 * l * sn) / (inertia + m * l * l);
        const double ax = -l * (sn * alpha + c * w * w), ay = l * (c * alpha - sn * w * w);
        assert_int_equal(at.velocity_count, 3);
        NEAR(at.accelerations[0], ax, ROUNDING * 100);
        NEAR(at.accelerations[1], ay, ROUNDING * 100);
        NEAR(at.accelerations[2], alpha, ROUNDING * 100);
        NEAR(at.joints[0].acceleration, alpha, ROUNDING * 100);
        NEAR(at.joints[0].coordinate, angles[k], ROUNDING);
        NEAR(at.joints[0].rate, w, ROUNDING * 10);
        const double fx = m * ax - 3, fy = m * ay + m * G;
        NEAR(at.joints[0].force[0], fx, ROUNDING * 100);
        NEAR(at.joints[0].force[1], fy, ROUNDING * 100);
        NEAR(at.joints[0].force_body[0], c * fx + sn * fy, ROUNDING * 100);
        NEAR(at.joints[0].force_body[1], c * fy - sn * fx, ROUNDING * 100);
        NEAR(at.joints[0].moment[2], 0, ROUNDING * 100);
        NEAR(at.kinetic, 0.5 * (inertia + m * l * l) * w * w, ROUNDING * 100);
        NEAR(at.potential, m * G * l * sn, ROUNDING * 100);
        NEAR(at.loads[0].force[0][0], 3, 0);
        NEAR(at.loads[0].power, -3 * l * sn * w, ROUNDING * 10);
        assert_true(at.position_residual < 1e-12 && at.velocity_residual < 1e-12);
    }
    assert_true(carom_simulation_time(run.sim) == 0);
    carom_state_free(s);
    free_run_close(&run);
}

/* ---- matrices ---- */

/* M a = weights + J^T multipliers, and J v = 0, at a moving state of a linkage in the plane and in space. */
static void equations(const char *model, int vertical)
{
    static double mass[64 * 64], jacobian[64 * 64];
    free_run run;
    carom_evaluated at;
    free_run_open_in(&run, model, "cartesian");
    free_run_to(&run, 0.1);
    carom_state *s = state_of(&run);
    MUST(&run, carom_simulation_evaluate_at(run.sim, s, &at));
    const size_t n = at.velocity_count, rows = at.row_count, each = n / carom_model_get_info(run.model).bodies;
    const double *v = carom_state_velocities(s, NULL);
    assert_true(n <= 64 && rows <= 64 && rows > 0);
    MUST(&run, carom_simulation_mass_matrix(run.sim, s, mass, n * n));
    MUST(&run, carom_simulation_jacobian(run.sim, s, jacobian, rows * n));
    assert_int_equal(carom_simulation_jacobian(run.sim, s, jacobian, rows * n + 1), CAROM_ERROR_USAGE);
    assert_int_equal(carom_simulation_mass_matrix(run.sim, s, NULL, n * n), CAROM_ERROR_USAGE);
    double scale = 0, kinetic = 0;
    for (size_t k = 0; k < n * n; k++) {
        kinetic += 0.5 * v[k / n] * mass[k] * v[k % n];
        scale = fmax(scale, fabs(mass[k] * at.accelerations[k % n]));
    }
    NEAR(at.kinetic, kinetic, 1e-13 * kinetic);
    for (size_t i = 0; i < n; i++) {
        double sum = 0;
        for (size_t k = 0; k < n; k++)
            sum += mass[i * n + k] * at.accelerations[k];
        for (size_t r = 0; r < rows; r++)
            sum -= jacobian[r * n + i] * at.multipliers[r];
        /* of the angular rows in space the gyroscopic torque is left */
        if (each == 3 || i % each < 3)
            NEAR(sum, i % each == (size_t)vertical ? -G * mass[i * n + i] : 0, 1e-12 * fmax(scale, 1));
    }
    for (size_t r = 0; r < rows; r++) {
        double rate = 0;
        for (size_t k = 0; k < n; k++)
            rate += jacobian[r * n + k] * v[k];
        NEAR(rate, 0, 1e-6);
    }
    carom_state_free(s);
    free_run_close(&run);
}

static void test_equations(void **state)
{
    (void)state;
    equations("four_bar.yaml", 1);
    equations("slider_crank_3d.yaml", 1);
}

/* The inertia of a turned body in world axes: R I R^T. */
static void test_turned(void **state)
{
    (void)state;
    static const char text[] = "{carom: 1, dimension: 3, bodies: {block: {mass: 2, at: [1, 2, 3],"
                               " inertia: [0.2, 0.3, 0.4, 0.01, 0.02, 0.03],"
                               " orientation: {axis: [1, 2, 3], angle: 1.1}}}, run: {until: 1}}";
    static const double own[3][3] = {{0.2, 0.01, 0.02}, {0.01, 0.3, 0.03}, {0.02, 0.03, 0.4}};
    double mass[36], r[9];
    free_run run;
    free_run_parse(&run, text, 0, NULL);
    carom_state *s = state_of(&run);
    MUST(&run, carom_simulation_mass_matrix(run.sim, s, mass, 36));
    free_rotation(free_run_body(&run, "block").orientation, r);
    for (int i = 0; i < 6; i++)
        for (int k = 0; k < 6; k++) {
            double wanted = i == k && i < 3 ? 2 : 0;
            for (int a = 0; a < 3 && i > 2 && k > 2; a++)
                for (int b = 0; b < 3; b++)
                    wanted += r[3 * (i - 3) + a] * own[a][b] * r[3 * (k - 3) + b];
            NEAR(mass[6 * i + k], wanted, 1e-15);
        }
    carom_state_free(s);
    free_run_close(&run);
}

/* ---- against the motion ---- */

/* Accelerations against central differences of velocities a little before and after, in space: an error of h^2 times a
   third derivative, and the integration's 1e-12 over h. */
static void test_differences(void **state)
{
    (void)state;
    free_run run;
    free_run_open(&run, "slider_crank_3d.yaml", NULL, 0, 1e-11, "dopri5");
    const double h = 1e-5, t = 0.05;
    double v[2][64];
    carom_evaluated at;
    carom_state *s = state_of(&run), *middle = state_of(&run);
    size_t n;
    const double *now = carom_state_velocities(s, &n);
    assert_true(n <= 64);
    free_run_to(&run, t - h);
    MUST(&run, carom_simulation_get_state(run.sim, s));
    memcpy(v[0], now, n * sizeof *now);
    free_run_to(&run, t);
    MUST(&run, carom_simulation_get_state(run.sim, middle));
    free_run_to(&run, t + h);
    MUST(&run, carom_simulation_get_state(run.sim, s));
    memcpy(v[1], now, n * sizeof *now);
    MUST(&run, carom_simulation_evaluate_at(run.sim, middle, &at));
    assert_int_equal(at.velocity_count, n);
    assert_true(at.time == t && at.joint_count == 4);
    double largest = 1;
    for (size_t k = 0; k < n; k++)
        largest = fmax(largest, fabs(at.accelerations[k]));
    for (size_t k = 0; k < n; k++)
        NEAR(at.accelerations[k], (v[1][k] - v[0][k]) / (2 * h), 1e-5 * largest);
    carom_state_free(s);
    carom_state_free(middle);
    free_run_close(&run);
}

/* A run that is asked at other states all the time is the run that was not asked, to the last bit. */
static void undisturbed(const trial *of, const char *integrator)
{
    carom_context *ctx = trial_context(NULL);
    carom_model *model;
    carom_simulation *sim, *plain;
    carom_state *start, *then;
    carom_evaluated at;
    assert_int_equal(trial_compile(ctx, of, integrator, NULL, &model), CAROM_OK);
    assert_int_equal(carom_simulation_create(ctx, model, NULL, &sim), CAROM_OK);
    assert_int_equal(carom_simulation_create(ctx, model, NULL, &plain), CAROM_OK);
    assert_int_equal(carom_state_create(ctx, model, &start), CAROM_OK);
    assert_int_equal(carom_state_create(ctx, model, &then), CAROM_OK);
    while (carom_simulation_time(sim) < of->until) {
        assert_int_equal(carom_simulation_step(sim), CAROM_OK);
        if (carom_simulation_statistics(sim).steps % 3 == 0)
            assert_int_equal(carom_simulation_get_state(sim, then), CAROM_OK);
        assert_int_equal(carom_simulation_evaluate_at(sim, start, &at), CAROM_OK);
        assert_int_equal(carom_simulation_evaluate_at(sim, then, &at), CAROM_OK);
    }
    assert_int_equal(carom_simulation_run(plain), CAROM_OK);
    /* a call that ends before a restart evaluates once more for those who read: the counts of evaluations differ */
    if (!trial_same(sim, plain, carom_model_get_info(model).bodies) || !trial_same_counts(sim, plain, false))
        fail_msg("%s: asking changed the run", of->name);
    carom_state_free(start);
    carom_state_free(then);
    carom_simulation_free(plain);
    carom_simulation_free(sim);
    carom_model_free(model);
    carom_context_free(ctx);
}

static void test_undisturbed(void **state)
{
    (void)state;
    undisturbed(&trial_block, "adams");
    undisturbed(&trial_balls, "bdf");
    undisturbed(&trial_rubbing, "dopri5");
    undisturbed(&trial_pins, "adams");
}

/* ---- forces of the caller ---- */

/* A body in the plane or in space with a force off its centre and a torque, in the axes of the world or its own: the
   motion of the same loads, within rounding by a method of fixed steps, and the energies balance. */
static void compare_load(const char *with, const char *without, const double *force, const double *point,
                         const double *torque, carom_axes axes)
{
    free_run a, b;
    double x[3], y[3];
    free_run_parse(&a, with, 0, NULL);
    free_run_parse(&b, without, 0, NULL);
    MUST(&b, carom_simulation_apply_force(b.sim, 0, force, point, axes));
    MUST(&b, carom_simulation_apply_torque(b.sim, 0, torque, axes));
    free_run_to(&a, 0.5);
    free_run_to(&b, 0.5);
    const carom_body_state p = free_run_body(&a, "body"), q = free_run_body(&b, "body");
    memcpy(x, p.position, sizeof x);
    memcpy(y, q.position, sizeof y);
    for (int k = 0; k < 3; k++) {
        NEAR(y[k], x[k], 1e-12);
        NEAR(q.angular_velocity[k], p.angular_velocity[k], 1e-11);
    }
    const carom_ledger l = carom_simulation_ledger(a.sim), m = carom_simulation_ledger(b.sim);
    assert_true(fabs(l.work) > 0.1);
    NEAR(m.work, l.work, 1e-11 * fabs(l.work));
    assert_true(m.residual_fraction < 1e-9);
    /* taken away, the body moves on by itself */
    MUST(&b, carom_simulation_clear_forces(b.sim));
    MUST(&b, carom_simulation_run(b.sim));
    NEAR(carom_simulation_ledger(b.sim).work, m.work, 1e-12 * fabs(m.work));
    assert_true(carom_simulation_ledger(b.sim).residual_fraction < 1e-9);
    free_run_close(&a);
    free_run_close(&b);
}

#define PLANE                                                                                                       \
    "{carom: 1, dimension: 2, gravity: [0, -9.81], bodies: {body: {mass: 1.5, inertia: 0.2, at: [0, 1], velocity: " \
    "[1, 0], "
#define SPACE "{carom: 1, dimension: 3, gravity: [0, 0, -9.81], bodies: {body: {mass: 1.5, inertia: [0.2, 0.3, 0.25], "
#define RUN " run: {until: 1, integrator: rk4, step: 1e-3}}"

static void test_applied(void **state)
{
    (void)state;
    static const double force[2] = {4, 3}, point[3] = {0.3, -0.2, 0};
    const double flat[3] = {force[0], force[1], 0}, turn[3] = {0, 0, 0.7};
    compare_load(PLANE "angular_velocity: 2}}, loads: {push: {type: force, on: {body: [0.3, -0.2]}, force: [4, 3]},"
                       " twist: {type: torque, on: body, torque: 0.7}}," RUN,
                 PLANE "angular_velocity: 2}}," RUN, flat, point, turn, CAROM_AXES_WORLD);
    compare_load(PLANE "angular_velocity: 2}}, loads: {push: {type: force, on: {body: [0.3, -0.2]}, force: [4, 3], "
                       "axes: body}, twist: {type: torque, on: body, torque: 0.7}}," RUN,
                 PLANE "angular_velocity: 2}}," RUN, flat, point, turn, CAROM_AXES_BODY);
    const double f[3] = {4, 3, -2}, p[3] = {0.3, -0.2, 0.1}, t[3] = {0.1, -0.5, 0.7};
    compare_load(SPACE "angular_velocity: [1, 2, 3]}}, loads: {push: {type: force, on: {body: [0.3, -0.2, 0.1]}, "
                       "force: [4, 3, -2]}, twist: {type: torque, on: body, torque: [0.1, -0.5, 0.7]}}," RUN,
                 SPACE "angular_velocity: [1, 2, 3]}}," RUN, f, p, t, CAROM_AXES_WORLD);
    compare_load(
        SPACE
        "angular_velocity: [1, 2, 3]}}, loads: {push: {type: force, on: {body: [0.3, -0.2, 0.1]}, "
        "force: [4, 3, -2], axes: body}, twist: {type: torque, on: body, torque: [0.1, -0.5, 0.7], axes: body}}," RUN,
        SPACE "angular_velocity: [1, 2, 3]}}," RUN, f, p, t, CAROM_AXES_BODY);
}

/* In the middle of a run with each integrator: the ledger closes, states and clones go on with the force. */
static void test_applied_later(void **state)
{
    (void)state;
    for (size_t k = 0; k < CAROM_COUNT(trial_integrators); k++) {
        carom_context *ctx = trial_context(NULL);
        carom_model *model;
        carom_simulation *sim, *clone;
        carom_state *s;
        trial t = trial_balls;
        const double push[3] = {0.02, 0.01, 0};
        t.step = 5e-5;
        assert_int_equal(trial_compile(ctx, &t, trial_integrators[k], NULL, &model), CAROM_OK);
        assert_int_equal(carom_simulation_create(ctx, model, NULL, &sim), CAROM_OK);
        assert_int_equal(carom_state_create(ctx, model, &s), CAROM_OK);
        assert_int_equal(carom_simulation_advance(sim, 0.3 * t.until), CAROM_OK);
        const double before = carom_simulation_ledger(sim).residual_fraction;
        assert_int_equal(carom_simulation_apply_force(sim, 0, push, NULL, CAROM_AXES_WORLD), CAROM_OK);
        assert_int_equal(carom_simulation_get_state(sim, s), CAROM_OK);
        assert_int_equal(carom_simulation_clone(sim, NULL, &clone), CAROM_OK);
        assert_int_equal(carom_simulation_run(sim), CAROM_OK);
        assert_int_equal(carom_simulation_run(clone), CAROM_OK);
        assert_true(trial_same(sim, clone, carom_model_get_info(model).bodies));
        assert_true(carom_simulation_ledger(sim).work != 0);
        if (!(carom_simulation_ledger(sim).residual_fraction < fmax(1e-6, 100 * before)))
            fail_msg("%s: residual %g", trial_integrators[k], carom_simulation_ledger(sim).residual_fraction);
        assert_int_equal(carom_simulation_set_state(sim, s, NULL, NULL), CAROM_OK);
        assert_int_equal(carom_simulation_run(sim), CAROM_OK);
        assert_true(trial_same(sim, clone, carom_model_get_info(model).bodies));
        carom_state_free(s);
        carom_simulation_free(clone);
        carom_simulation_free(sim);
        carom_model_free(model);
        carom_context_free(ctx);
    }
}

/* A force of the caller makes the vector that is integrated longer: so is what holds a state beside the integrator, of
   rigid contacts (differences, too, in joint coordinates) and of switches that are looked for inside a step. */
static void test_applied_longer(void **state)
{
    (void)state;
#define FOOT \
    "shapes: {foot: {type: sphere, on: body, radius: 0.3}, floor: {type: plane, on: ground, normal: [0, 1]}}, " \
    "contacts: {c: {between: [floor, foot], normal: {law: hertz, stiffness: 1e7, restitution: 0.5}, friction: {law: " \
    "coulomb, kinetic: 0.2}}}, run: {until: 1, integrator: moreau, step: 1e-3"
    static const char *const models[] = {
        PLANE "angular_velocity: 0}}, " FOOT "}}",
        PLANE "angular_velocity: 0}}, " FOOT ", formulation: tree}}",
        PLANE "angular_velocity: 0}}, loads: {drag: {type: force, on: body, force: "
              "[\"if(vy(body) > 0, -1, 1)\", 0]}}, run: {until: 1, integrator: adams}}",
    };
    const double push[3] = {0, 30, 0};
    for (size_t k = 0; k < CAROM_COUNT(models); k++) {
        free_run run;
        free_run_parse(&run, models[k], 0, NULL);
        free_run_to(&run, 0.3);
        MUST(&run, carom_simulation_apply_force(run.sim, 0, push, NULL, CAROM_AXES_WORLD));
        const double from = free_run_body(&run, "body").position[1];
        free_run_to(&run, 1);
        const double rise = free_run_body(&run, "body").position[1] - from;
        assert_true(rise > 0.1);
        const double own = k < 2 ? 0 : free_run_get(&run, "load.drag.work");
        NEAR(carom_simulation_ledger(run.sim).work, push[1] * rise + own, k < 2 ? 1e-11 : 1e-7);
        free_run_close(&run);
    }
}

static void test_misuse(void **state)
{
    (void)state;
    free_run run;
    carom_evaluated at;
    size_t index;
    const double out_of_plane[3] = {1, 0, 1}, wild[3] = {NAN, 0, 0}, fine[3] = {1, 2, 0};
    free_run_parse(&run, rod, 0, NULL);
    assert_int_equal(carom_simulation_evaluate_at(run.sim, NULL, NULL), CAROM_ERROR_USAGE);
    assert_int_equal(carom_simulation_evaluate_at(NULL, NULL, &at), CAROM_ERROR_USAGE);
    assert_int_equal(carom_simulation_evaluate_at(run.sim, NULL, &at), CAROM_OK);
    assert_int_equal(carom_simulation_apply_force(run.sim, 1, fine, NULL, CAROM_AXES_WORLD), CAROM_ERROR_USAGE);
    assert_int_equal(carom_simulation_apply_force(run.sim, 0, NULL, NULL, CAROM_AXES_WORLD), CAROM_ERROR_USAGE);
    assert_int_equal(carom_simulation_apply_force(run.sim, 0, wild, NULL, CAROM_AXES_WORLD), CAROM_ERROR_USAGE);
    assert_refused(run.ctx, carom_simulation_apply_force(run.sim, 0, out_of_plane, NULL, CAROM_AXES_WORLD),
                   CAROM_ERROR_USAGE, "leaves the plane");
    assert_int_equal(carom_simulation_apply_torque(run.sim, 0, fine, CAROM_AXES_WORLD), CAROM_ERROR_USAGE);
    assert_refused(run.ctx, carom_simulation_find_body(run.sim, "rood", &index),
                   CAROM_ERROR_USAGE, "did you mean 'rod'?");
    assert_int_equal(carom_simulation_find_joint(run.sim, "pin", &index), CAROM_OK);
    assert_int_equal(index, 0);
    assert_int_equal(carom_simulation_find_load(run.sim, "wind", NULL), CAROM_ERROR_USAGE);
    assert_int_equal(carom_simulation_find_contact(run.sim, NULL, &index), CAROM_ERROR_USAGE);
    free_run_close(&run);
}

/* ---- states that are not of the run ---- */

static void refuses(free_run *run, const carom_state *state, const char *text)
{
    carom_evaluated at;
    double numbers[144];
    MUST(run, carom_simulation_evaluate_at(run->sim, NULL, &at));
    const size_t n = at.velocity_count;
    assert_refused(run->ctx, carom_simulation_evaluate_at(run->sim, state, &at), CAROM_ERROR_USAGE, text);
    assert_refused(run->ctx, carom_simulation_mass_matrix(run->sim, state, numbers, n * n), CAROM_ERROR_USAGE, text);
    assert_refused(run->ctx, carom_simulation_jacobian(run->sim, state, numbers, at.row_count * n), CAROM_ERROR_USAGE,
                   text);
}

/* A state of another model, or in other coordinates of the same one, is refused; the run goes on as if nothing had been
   asked. */
static void test_other_states(void **state)
{
    (void)state;
    const char arm[] = "{carom: 1, dimension: 3, gravity: [0, 0, -9.81], bodies: {arm: {mass: 1,"
                       " inertia: [0.1, 0.1, 0.1], at: [1, 0, 0], frames: {r: [-1, 0, 0]}}}, joints: {pin: {type:"
                       " revolute, between: [ground, arm.r], axis: [0, 1, 0]}}, run: {until: 1, formulation: tree}}";
    free_run tree, alone, two;
    carom_simulation *absolute;
    free_run_parse(&tree, arm, 0, NULL);
    free_run_parse(&alone, arm, 0, NULL);
    free_run_parse(&two, "{carom: 1, dimension: 3, bodies: {a: {mass: 1, inertia: [1, 1, 1]}, b: {mass: 1,"
                         " inertia: [1, 1, 1], at: [3, 0, 0], velocity: [7, 8, 9]}}, run: {until: 1}}", 0, NULL);
    carom_state *own = state_of(&tree), *other = state_of(&two), *twin = state_of(&alone);
    refuses(&tree, other, "another model");
    refuses(&tree, twin, "another model");
    refuses(&two, own, "another model");
    carom_run_def run = *carom_model_get_run(tree.model, 0);
    run.formulation = "cartesian";
    carom_simulation_def def = carom_default_simulation_def();
    def.run_def = &run;
    MUST(&tree, carom_simulation_create(tree.ctx, tree.model, &def, &absolute));
    free_run as_absolute = {tree.ctx, tree.model, absolute};
    carom_state *long_one = state_of(&as_absolute);
    refuses(&as_absolute, own, "formulation");
    refuses(&tree, long_one, "formulation");
    free_run_to(&tree, 0.5);
    free_run_to(&alone, 0.5);
    assert_true(free_run_get(&tree, "joint.pin.coordinate") == free_run_get(&alone, "joint.pin.coordinate"));
    carom_state_free(own);
    carom_state_free(long_one);
    carom_state_free(other);
    carom_state_free(twin);
    carom_simulation_free(absolute);
    free_run_close(&tree);
    free_run_close(&alone);
    free_run_close(&two);
}

/* The state of an analysis has a contact of each pair where the run has a contact set: the run evaluates it with its
   own. A ball that overlaps by 1 mm of 0.1 m, at rest: m a = k d^1.5 - m g. */
static void test_state_of_analysis(void **state)
{
    (void)state;
    free_run run;
    carom_analysis *analysis;
    carom_evaluated at;
    free_run_parse(&run,
                   "{carom: 1, dimension: 2, gravity: [0, -9.81], bodies: {ball: {mass: 1, inertia: 0.01,"
                   " at: [0, 0.099]}, far: {mass: 1, inertia: 0.01, at: [9, 9]}}, shapes: {s: {type: sphere, on: ball,"
                   " radius: 0.1}, o: {type: sphere, on: far, radius: 0.1}, floor: {type: plane, on: ground,"
                   " normal: [0, 1]}}, contacts: {c: {all: [s, o, floor], normal: {law: hertz, stiffness: 1e6}}},"
                   " run: [{until: 1, integrator: verlet, step: 1e-5}, {analysis: assembly}]}",
                   0, NULL);
    carom_analysis_def def = carom_default_analysis_def();
    def.run = 1;
    MUST(&run, carom_analysis_run(run.ctx, run.model, &def, &analysis));
    for (int k = 0; k < 2; k++) {
        MUST(&run, carom_simulation_evaluate_at(run.sim, carom_analysis_state(analysis), &at));
        NEAR(at.accelerations[1], 1e6 * pow(1e-3, 1.5) - G, 1e-8); /* 5e4 N/m, a gap with rounding of 1e-16 m */
        free_run_to(&run, 0.01);
    }
    carom_analysis_free(analysis);
    free_run_close(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pendulum),    cmocka_unit_test(test_equations),
        cmocka_unit_test(test_turned), cmocka_unit_test(test_differences),
        cmocka_unit_test(test_undisturbed), cmocka_unit_test(test_applied),   cmocka_unit_test(test_applied_later),
        cmocka_unit_test(test_applied_longer), cmocka_unit_test(test_misuse),
        cmocka_unit_test(test_other_states), cmocka_unit_test(test_state_of_analysis),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
