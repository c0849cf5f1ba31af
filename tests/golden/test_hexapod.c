/* The hexapod of Rodrigues da Silva et al. 2024, section 5.1 (models/hexapod.yaml), against the momentum balance of the
   whole robot in the frame of its torso (tests/data/mechanisms.json, hexapod-base): mobility, kinematics of the legs,
   motion, the first touchdowns and lift-offs, normal forces. Positions are a closed form: 1e-12 m. The motion is
   compared at two tolerances, within 1e-6 and 1e-4 of each quantity's largest value or ten of its error estimates. */
#include "carom_test.h"

#include <math.h>

#include "support/golden.h"
#include "support/sample.h"

#define FEET 6
#define KINEMATICS 1e-12 /* [m], [rad] */

static const char *const segments[3] = {"hip", "thigh", "knee"};

/* An element of the output `name`, a list of lists. */
static double element(const json *c, const char *name, size_t row, size_t column)
{
    return json_number(json_item(json_item(reference_output(c, name), row), column));
}

static double error_of(const json *c, const char *name, size_t row, size_t column)
{
    const json *output = json_member(json_member(json_member(c, "outputs"), name), "err");
    return json_number(json_item(json_item(output, row), column));
}

/* Largest size of an element of a list of lists. */
static double largest_of(const json *c, const char *name)
{
    const json *rows = reference_output(c, name);
    double largest = 0;
    for (size_t row = 0; row < json_size(rows); row++)
        for (size_t k = 0; k < json_size(json_item(rows, row)); k++)
            largest = fmax(largest, fabs(json_number(json_item(json_item(rows, row), k))));
    return largest;
}

static void compare(margin *m, const json *c, const char *name, size_t row, size_t column, double got, double relative)
{
    const double allowed = fmax(10 * error_of(c, name, row, column), relative * largest_of(c, name));
    margin_add(m, name, row, got, element(c, name, row, column), allowed);
}

/* ---- structure ---- */

static void test_structure(void **state)
{
    (void)state;
    free_run run;
    free_run_open(&run, "hexapod.yaml", NULL, 0, 0, NULL);
    const carom_model_info info = carom_model_get_info(run.model);
    assert_int_equal(info.bodies, 25);
    assert_int_equal(info.joints, 24);
    assert_int_equal(info.coordinates, 24); /* 6 of the torso, 18 of the legs */
    carom_check check;
    assert_ok(run.ctx, carom_simulation_check(run.sim, &check));
    assert_int_equal(check.rank, 144);
    assert_int_equal(check.mobility, 6);
    const json *c = reference_case(mechanisms, "hexapod-base");
    margin m;
    margin_begin(&m, "structure");
    double mass = 0;
    for (size_t k = 0; k < info.bodies; k++) {
        char name[64];
        double value;
        snprintf(name, sizeof name, "body.%s.mass", carom_model_body_name(run.model, k));
        assert_ok(run.ctx, carom_simulation_get_parameter(run.sim, name, &value));
        mass += value;
    }
    margin_add(&m, "mass", 0, mass, reference_value(c, "total_mass", 0), 1e-12);
    margin_add(&m, "z0", 0, free_run_body(&run, "torso").position[2], reference_value(c, "z0", 0), 1e-12);
    margin_end(&m);
    free_run_close(&run);
}

/* ---- kinematics ---- */

/* A vector in the axes of a body: its components along the columns of the rotation matrix. */
static void in_axes(const double quaternion[4], const double v[3], double out[3])
{
    double turn[9];
    free_rotation(quaternion, turn);
    for (int k = 0; k < 3; k++)
        out[k] = turn[k] * v[0] + turn[3 + k] * v[1] + turn[6 + k] * v[2];
}

/* Feet from the torso in its axes, of the reference and of an assembled state; they depend on the joints alone. */
static void compare_feet(const json *c, free_run *run, const carom_state *s, size_t sample, margin *m)
{
    double torso[3], turn[4], quaternion[4], position[3];
    for (size_t k = 0; k < 4; k++)
        quaternion[k] = element(c, "torso_quat", sample, k);
    for (size_t k = 0; k < 3; k++)
        position[k] = element(c, "torso_pos", sample, k);
    assert_ok(run->ctx, carom_state_get(s, "body.torso.position", torso, 3));
    assert_ok(run->ctx, carom_state_get(s, "body.torso.orientation", turn, 4));
    for (size_t foot = 0; foot < FEET; foot++) {
        char name[64];
        double centre[3], v[3], got[3], expected[3];
        snprintf(name, sizeof name, "body.foot_%zu.position", foot + 1);
        assert_ok(run->ctx, carom_state_get(s, name, centre, 3));
        for (int k = 0; k < 3; k++)
            v[k] = centre[k] - torso[k];
        in_axes(turn, v, got);
        const json *reference = json_item(json_item(reference_output(c, "feet_centre"), sample), foot);
        for (size_t k = 0; k < 3; k++)
            v[k] = json_number(json_item(reference, k)) - position[k];
        in_axes(quaternion, v, expected);
        for (int k = 0; k < 3; k++)
            margin_add(m, "feet_centre", sample, got[k], expected[k], KINEMATICS);
    }
}

static void compare_joints(const json *c, free_run *run, const carom_state *s, size_t sample, margin *m)
{
    carom_evaluated now;
    assert_ok(run->ctx, carom_simulation_evaluate_at(run->sim, s, &now));
    for (size_t leg = 0; leg < FEET; leg++)
        for (size_t k = 0; k < 3; k++) {
            char name[64];
            size_t joint;
            snprintf(name, sizeof name, "%s_%zu", segments[k], leg + 1);
            assert_ok(run->ctx, carom_simulation_find_joint(run->sim, name, &joint));
            const carom_joint_forces *j = &now.joints[joint];
            const size_t column = 3 * leg + k;
            margin_add(m, "joint_angle", sample, j->coordinate, element(c, "joint_angle", sample, column), KINEMATICS);
            margin_add(m, "joint_rate", sample, j->rate, element(c, "joint_rate", sample, column), 10 * KINEMATICS);
            margin_add(m, "joint_acc", sample, j->acceleration, element(c, "joint_acc", sample, column), 1e-9);
        }
}

static void test_kinematics(void **state)
{
    (void)state;
    const json *c = reference_case(mechanisms, "hexapod-base");
    const carom_assembly_def exact = {.size = sizeof exact, .tolerance = 1e-15};
    free_run run;
    margin m;
    carom_state *s = NULL;
    free_run_open(&run, "hexapod.yaml", NULL, 0, 0, NULL);
    margin_begin(&m, "kinematics");
    assert_ok(run.ctx, carom_state_create(run.ctx, run.model, &s));
    for (size_t k = 0; k < reference_count(c, "sample_t"); k++) {
        free_run_to(&run, reference_value(c, "sample_t", k));
        assert_ok(run.ctx, carom_simulation_get_state(run.sim, s));
        assert_ok(run.ctx, carom_simulation_assemble(run.sim, s, &exact, NULL));
        compare_feet(c, &run, s, k, &m);
        compare_joints(c, &run, s, k, &m);
    }
    carom_state_free(s);
    free_run_close(&run);
    margin_end(&m);
}

/* ---- motion ---- */

typedef struct touch {
    double time, speed;
    int foot, on;
} touch;

static int by_time(const void *a, const void *b)
{
    const double difference = ((const touch *)a)->time - ((const touch *)b)->time;
    return difference < 0 ? -1 : difference > 0;
}

/* Onsets and ends of the episodes of all feet, in order of time. */
static size_t touches(free_run *run, touch *out, size_t most)
{
    size_t count, n = 0;
    const carom_impact *impacts = carom_simulation_impacts(run->sim, &count);
    for (size_t k = 0; k < count && n + 2 <= most; k++) {
        const int foot = (int)impacts[k].contact_index + 1;
        out[n++] = (touch){impacts[k].onset, impacts[k].v_in, foot, 1};
        out[n++] = (touch){impacts[k].onset + impacts[k].duration, -impacts[k].v_out, foot, 0};
    }
    carom_open_contact open[FEET];
    const size_t opened = carom_simulation_open_contacts(run->sim, open, FEET);
    for (size_t k = 0; k < opened && n < most; k++)
        out[n++] = (touch){open[k].onset, open[k].v_in, (int)open[k].contact_index + 1, 1};
    qsort(out, n, sizeof *out, by_time);
    return n;
}

static void compare_touches(const json *c, free_run *run, double relative, margin *m)
{
    touch found[128];
    const size_t count = touches(run, found, 128), expected = reference_count(c, "event_t");
    assert_int_equal(count, (int)reference_value(c, "n_events", 0));
    assert_true(count >= expected);
    for (size_t k = 0; k < expected; k++) {
        assert_int_equal(found[k].foot, (int)reference_value(c, "event_foot", k));
        assert_int_equal(found[k].on, (int)reference_value(c, "event_on", k));
        margin_reference(m, c, "event_t", k, found[k].time, relative);
        margin_reference(m, c, "event_speed", k, found[k].speed, relative);
    }
}

static void compare_torso(const json *c, free_run *run, size_t sample, double relative, margin *m)
{
    const carom_body_state torso = free_run_body(run, "torso");
    double omega[3];
    in_axes(torso.orientation, torso.angular_velocity, omega);
    const double sign = torso.orientation[0] < 0 ? -1 : 1;
    for (size_t k = 0; k < 3; k++) {
        compare(m, c, "torso_pos", sample, k, torso.position[k], relative);
        compare(m, c, "torso_vel_world", sample, k, torso.velocity[k], relative);
        compare(m, c, "torso_omega_body", sample, k, omega[k], relative);
    }
    for (size_t k = 0; k < 4; k++)
        compare(m, c, "torso_quat", sample, k, sign * torso.orientation[k], relative);
    for (size_t k = 0; k < FEET; k++) {
        char name[64];
        snprintf(name, sizeof name, "contact.foot_%zu.force", k + 1);
        compare(m, c, "feet_fn", sample, k, free_run_get(run, name), relative);
    }
}

static void run_walk(const json *c, double tolerance, double relative)
{
    char name[64];
    free_run run;
    margin m;
    snprintf(name, sizeof name, "walk at %g", tolerance);
    free_run_open(&run, "hexapod.yaml", NULL, 0, tolerance, NULL);
    margin_begin(&m, name);
    for (size_t k = 0; k < reference_count(c, "sample_t"); k++) {
        free_run_to(&run, reference_value(c, "sample_t", k));
        compare_torso(c, &run, k, relative, &m);
    }
    compare_touches(c, &run, relative, &m);
    const carom_ledger ledger = carom_simulation_ledger(run.sim);
    margin_add(&m, "energy residual", 0, ledger.residual_fraction, 0, relative);
    const carom_statistics used = carom_simulation_statistics(run.sim);
    printf("%s: %llu steps, %llu evaluations, energy residual %.1e\n", name, (unsigned long long)used.steps,
           (unsigned long long)used.rhs_evaluations, ledger.residual_fraction);
    free_run_close(&run);
    margin_end(&m);
}

static void test_motion(void **state)
{
    (void)state;
    const json *c = reference_case(mechanisms, "hexapod-base");
    run_walk(c, 1e-10, 1e-6);
    run_walk(c, 1e-8, 1e-4);
}

/* ---- statements of the paper ---- */

typedef struct walk {
    double low, high, aside;    /* height of the torso, its way sideways [m] */
    double force;               /* largest normal force [N] */
    double ratio, stance;       /* largest friction over normal force, and that in the middle of a stance */
    double slip;                /* of a foot with more than 2 N [m/s] */
    size_t samples, above;      /* loaded feet, those whose friction is above kinetic */
} walk;

/* Every 5 ms from 1 s on. A foot with more than 0.1 N is loaded; the middle of a stance is 0.2 to 0.8 of it. */
static void look(free_run *run, double t, walk *w)
{
    const carom_body_state torso = free_run_body(run, "torso");
    w->low = fmin(w->low, torso.position[2]);
    w->high = fmax(w->high, torso.position[2]);
    w->aside = fmax(w->aside, fabs(torso.position[1]));
    carom_evaluated now;
    assert_ok(run->ctx, carom_simulation_evaluate_at(run->sim, NULL, &now));
    for (size_t k = 0; k < FEET; k++) {
        const carom_contact_forces *foot = &now.contacts[k];
        if (foot->force <= 0.1)
            continue;
        const double ratio = hypot(foot->friction[0], foot->friction[1]) / foot->force;
        const double phase = fmod(t + (double)(k % 2), 2);
        char x[64], y[64];
        snprintf(x, sizeof x, "contact.foot_%zu.slip.x", k + 1);
        snprintf(y, sizeof y, "contact.foot_%zu.slip.y", k + 1);
        if (foot->force > 2)
            w->slip = fmax(w->slip, hypot(free_run_get(run, x), free_run_get(run, y)));
        w->force = fmax(w->force, foot->force);
        w->ratio = fmax(w->ratio, ratio);
        if (phase > 0.2 && phase < 0.8)
            w->stance = fmax(w->stance, ratio);
        w->samples++;
        w->above += ratio > 0.5;
    }
}

/* Sum of the normal forces, its mean over each cycle, and what a look every 5 ms finds. */
static void test_statements(void **state)
{
    (void)state;
    const json *c = reference_case(mechanisms, "hexapod-base");
    free_run run;
    margin m;
    walk w = {.low = HUGE_VAL};
    double impulse = 0;
    free_run_open(&run, "hexapod.yaml", NULL, 0, 1e-10, NULL);
    margin_begin(&m, "statements");
    for (int k = 1; k <= 1200; k++) {
        const double t = 0.005 * k;
        free_run_to(&run, t);
        if (k >= 200)
            look(&run, t, &w);
        if (k % 400 == 0) {
            const double now = free_run_get(&run, "state.impulse");
            margin_reference(&m, c, "mean_sum_fn_per_cycle", (size_t)k / 400 - 1, (now - impulse) / 2, 1e-6);
            impulse = now;
        }
    }
    margin_reference(&m, c, "torso_z_min_after1s", 0, w.low, 1e-6);
    margin_reference(&m, c, "torso_z_max_after1s", 0, w.high, 1e-6);
    margin_reference(&m, c, "torso_y_absmax_after1s", 0, w.aside, 1e-5);
    margin_reference(&m, c, "fn_max_sampled", 0, w.force, 1e-5);
    margin_reference(&m, c, "friction_ratio_max_sampled", 0, w.ratio, 1e-3);
    margin_reference(&m, c, "loaded_foot_slip_speed_max_sampled", 0, w.slip, 1e-5);
    margin_add(&m, "share above kinetic", 0, (double)w.above / (double)w.samples,
               reference_value(c, "fraction_loaded_samples_ratio_above_mu_k", 0), 1e-5);
    printf("torso %.6g to %.6g m high, %.3g m aside; largest normal force %.6g N; friction ratio %.6g, %.6g in the "
           "middle of a stance (reference %.6g), %.2f %% of loaded feet above kinetic\n",
           w.low, w.high, w.aside, w.force, w.ratio, w.stance, reference_value(c, "friction_ratio_max_midstance", 0),
           100.0 * (double)w.above / (double)w.samples);
    assert_true(w.stance < 0.5);
    free_run_close(&run);
    margin_end(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_structure), cmocka_unit_test(test_kinematics),
                                       cmocka_unit_test(test_motion), cmocka_unit_test(test_statements)};
    return sample_group_tests(tests, 1, 2, golden_open, golden_close);
}
