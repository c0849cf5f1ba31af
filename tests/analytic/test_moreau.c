/* Integrator moreau, rigid contacts: published motion of a slider with clearance, Housner's rocking block, friction
   that holds, energy; and six models with compliant contacts, which tend to it as their stiffness grows. */
#include "carom_test.h"

#include "base/base.h"

#include <math.h>
#include <stdio.h>

#include "support/free_runs.h"
#include "support/sample.h"

static void open_model(free_run *run, const char *name, double stiffness, double step, const char *other,
                       const char *integrator)
{
    char path[80], k[40], h[40];
    const char *const set[] = {k, h, other};
    snprintf(path, sizeof path, "../tests/data/rigid_%s.yaml", name);
    snprintf(k, sizeof k, "K=%.17g", stiffness);
    snprintf(h, sizeof h, "h=%.17g", step);
    free_run_open(run, path, set, other ? 3 : 2, 0, integrator);
}

static double value_of(const char *name, double stiffness, double step, const char *channel, double time,
                       const char *integrator)
{
    free_run run;
    open_model(&run, name, stiffness, step, NULL, integrator);
    free_run_to(&run, time);
    const double value = free_run_get(&run, channel);
    free_run_close(&run);
    return value;
}

/* ---- the limit of compliant contacts ---- */

/* What compliant contacts of three stiffnesses, each a hundred times the one before, differ by. With Hertz's exponent a
   contact lasts as K^(-2/5), and delays that much. */
static void limit(void **state)
{
    (void)state;
    static const struct {
        const char *model, *channel;
        double time, stiffness, step, last, order; /* the difference that is left, the order where there is one */
    } rows[] = {{"ball", "body.ball.velocity.y", 1.2, 1e6, 1e-5, 5e-3, 0.4},
                {"chain", "body.b5.position.x", 0.04, 1e6, 1e-6, 5e-4, 0.4},
                {"slope", "body.block.velocity.x", 0.5, 1e4, 1e-4, 2e-4, NAN},
                {"rocking", "body.block.angular_velocity", 0.2, 1e6, 1e-5, 5e-4, NAN},
                {"guide", "body.slider.angular_velocity", 1.6e-3, 1e9, 1e-6, 0.3, NAN},
                {"painleve", "body.rod.velocity.x", 0.02, 1e6, 1e-5, 1e-3, NAN}};
    for (size_t k = 0; k < CAROM_COUNT(rows); k++) {
        const char *name = rows[k].model, *channel = rows[k].channel;
        const double rigid = value_of(name, rows[k].stiffness, rows[k].step, channel, rows[k].time, "moreau");
        double off[3];
        for (int n = 0; n < 3; n++) {
            const double stiffness = rows[k].stiffness * pow(100, n);
            off[n] = fabs(value_of(name, stiffness, rows[k].step, channel, rows[k].time, NULL) - rigid);
        }
        const double order[2] = {log(off[0] / off[1]) / log(100), log(off[1] / off[2]) / log(100)};
        printf("%-9s %-30s %11.7f rigid; off by %.2e, %.2e, %.2e: orders %.2f, %.2f in K\n", name, channel, rigid,
               off[0], off[1], off[2], order[0], order[1]);
        if (!(off[2] < rows[k].last && order[0] > 0.15 && order[1] > 0.15))
            fail_msg("%s does not tend to its rigid limit", name);
        if (!isnan(rows[k].order) && !(fabs(order[1] - rows[k].order) < 0.05))
            fail_msg("%s: order %g in K", name, order[1]);
    }
}

/* ---- published and closed forms ---- */

/* Turns of the crank after 20, 40 and 60 ms (Flores, Leine and Glocker 2010), to the digits that Siconos publishes. */
static void slider_in_guide(void **state)
{
    (void)state;
    static const double turns[] = {0.25677, 0.62628, 0.86811};
    const char *const law[] = {"law=exact"};
    free_run run;
    free_run_open(&run, "slider_crank_guide.yaml", law, 1, 0, "moreau");
    for (int n = 0; n < 3; n++) {
        free_run_to(&run, 0.02 * (n + 1));
        const double got = free_run_get(&run, "joint.main.coordinate") / (2 * acos(-1));
        printf("slider in guide, %g ms: %.6f turns of %.5f\n", 20.0 * (n + 1), got, turns[n]);
        if (!(fabs(got - turns[n]) < 2e-5))
            fail_msg("%g turns", got);
    }
    free_run_close(&run);
}

/* Housner 1963: the spin behind the impact is that before times 1 - 3/2 sin^2 alpha, tan alpha = b/H. */
static void rocking_block(void **state)
{
    (void)state;
    const double expected = 1 - 1.5 * pow(sin(atan(0.1 / 0.4)), 2);
    free_run run;
    open_model(&run, "rocking", 1e6, 1e-5, "e=1e-6", "moreau");
    double before = 0, after = 0;
    for (double t = 0.1; t < 0.2; t += 1e-4) {
        free_run_to(&run, t);
        size_t count;
        carom_simulation_impacts(run.sim, &count);
        after = free_run_get(&run, "body.block.angular_velocity");
        if (count)
            break;
        before = after;
    }
    printf("rocking block: spin times %.5f, Housner %.5f\n", after / before, expected);
    assert_true(fabs(after / before - expected) < 1e-3);
    free_run_close(&run);
}

/* The bouncing ball of the reference models of FMI: from 1 m, restitution 0.7. The flights are a geometric series. */
static void ball_of_fmi(void **state)
{
    (void)state;
    static const char text[] = "carom: 1\n"
                               "dimension: 2\n"
                               "gravity: [0, -9.81]\n"
                               "bodies: {ball: {mass: 1, inertia: 0.004, at: [0, 1.1]}}\n"
                               "shapes: {rim: {type: sphere, on: ball, radius: 0.1},\n"
                               "         floor: {type: plane, on: ground, normal: [0, 1]}}\n"
                               "contacts:\n"
                               "  hit: {between: [rim, floor],\n"
                               "        normal: {law: exact, stiffness: 1e9, restitution: 0.7}}\n"
                               "run: {until: 3, integrator: moreau, step: 1e-5}\n";
    const double first = sqrt(2 / 9.81), expected[3] = {first, first * 2.4, first * 17 / 3};
    free_run run;
    size_t impacts, rests;
    free_run_parse(&run, text, 0, NULL);
    free_run_to(&run, 3);
    const carom_impact *hit = carom_simulation_impacts(run.sim, &impacts);
    const carom_rest *rest;
    assert_int_equal(carom_simulation_rests(run.sim, &rest, &rests), CAROM_OK);
    assert_true(impacts > 10 && rests == 1);
    const double got[3] = {hit[0].onset, hit[1].onset, rest[0].begin};
    for (int k = 0; k < 3; k++)
        printf("ball of FMI: %s at %.7f s of %.7f s\n", k < 2 ? "impact" : "rest", got[k], expected[k]);
    assert_true(fabs(got[0] - expected[0]) < 1e-5 && fabs(got[1] - expected[1]) < 1e-5);
    /* an impact within its step is off by up to g h in its speed, the flights that are left by 2/(1 - e) steps */
    assert_true(fabs(got[2] - expected[2]) < (double)impacts * 2 / 0.3 * 1e-5);
    free_run_close(&run);
}

/* ---- friction, energy, formulations ---- */

static void holds(void **state)
{
    (void)state;
    free_run run;
    open_model(&run, "slope", 1e6, 1e-3, "slope=5*deg", "moreau");
    free_run_to(&run, 0.4);
    const double a = free_run_get(&run, "body.block.position.x");
    free_run_to(&run, 0.5);
    const double b = free_run_get(&run, "body.block.position.x");
    double force = 0;
    for (int k = 1; k <= 8; k++) {
        char name[40];
        snprintf(name, sizeof name, "contact.foot.%d.force", k);
        force += free_run_get(&run, name);
    }
    const double weight = 2 * 9.81 * cos(5 * acos(-1) / 180);
    printf("held on the slope: moved by %.2e m, normal forces %.9f N of %.9f N\n", b - a, force, weight);
    assert_true(fabs(b - a) < 1e-13);
    assert_true(fabs(force - weight) < 1e-8 * weight);
    free_run_close(&run);
}

static void energy(void **state)
{
    (void)state;
    static const struct {
        const char *model;
        double step, allowed;
    } rows[] = {{"ball", 1e-4, 1e-10}, {"chain", 1e-5, 1e-12}, {"slope", 1e-3, 1e-10}, {"rocking", 1e-4, 1e-10},
                {"painleve", 1e-5, 1e-10}, {"guide", 1e-5, 1e-5}};
    static const char *const formulations[] = {"cartesian", "tree"};
    for (size_t k = 0; k < CAROM_COUNT(rows); k++)
        for (int f = 0; f < 2; f++) {
            char of[40];
            free_run run;
            snprintf(of, sizeof of, "form=%s", formulations[f]);
            open_model(&run, rows[k].model, 1e6, rows[k].step, of, "moreau");
            carom_status status = carom_simulation_run(run.sim);
            if (status != CAROM_OK)
                fail_msg("%s: %s", rows[k].model, carom_context_error(run.ctx));
            const carom_ledger ledger = carom_simulation_ledger(run.sim);
            printf("%-9s %-9s energy residual %.1e, lost %.6f J\n", rows[k].model, formulations[f],
                   ledger.residual_fraction, ledger.dissipated_contact + ledger.dissipated_friction);
            assert_true(ledger.residual_fraction < rows[k].allowed);
            free_run_close(&run);
        }
}

/* A run that goes on from a clone gives the same bits. */
static void goes_on(void **state)
{
    (void)state;
    free_run run;
    carom_simulation *clone;
    open_model(&run, "slope", 1e6, 1e-3, NULL, "moreau");
    free_run_to(&run, 0.1);
    assert_int_equal(carom_simulation_clone(run.sim, run.ctx, &clone), CAROM_OK);
    assert_int_equal(carom_simulation_advance(clone, 0.3), CAROM_OK);
    free_run_to(&run, 0.3);
    carom_body_state a, b;
    assert_int_equal(carom_simulation_body(run.sim, 0, &a), CAROM_OK);
    assert_int_equal(carom_simulation_body(clone, 0, &b), CAROM_OK);
    assert_memory_equal(&a, &b, sizeof a);
    carom_simulation_free(clone);
    free_run_close(&run);
}

/* A state that settles in a tenth of a step beside a ball that bounces: the theta rule solves for it, by derivatives or
   by differences. */
static void settles(void **state)
{
    (void)state;
    static const char text[] =
        "carom: 1\ndimension: 2\ngravity: [0, -9.81]\nstates: {z: {rate: (1 + x(ball) - z)/0.001}}\n"
        "bodies: {ball: {mass: 1, inertia: 0.004, at: [0, 0.5], velocity: [0.3, 0]}}\n"
        "shapes: {rim: {type: sphere, on: ball, radius: 0.1}, floor: {type: plane, on: ground, normal: [0, 1]}}\n"
        "loads: {wind: {type: force, on: ball, force: [0.1*z, 0]}}\n"
        "contacts: {hit: {between: [rim, floor], normal: {law: exact, stiffness: 1e9, restitution: 0.7}}}\n"
        "run: {until: 1, integrator: moreau, step: 0.01, formulation: %s}\n";
    static const char *const formulations[] = {"cartesian", "tree"};
    for (int k = 0; k < 2; k++) {
        char model[1200];
        free_run run;
        snprintf(model, sizeof model, text, formulations[k]);
        free_run_parse(&run, model, 0, NULL);
        free_run_to(&run, 1);
        const double z = free_run_get(&run, "state.z"), x = free_run_get(&run, "body.ball.position.x");
        /* x'' = 0.1 (1 + x), behind which z lags by a millisecond */
        const double w = sqrt(0.1), expected = cosh(w) + 0.3 / w * sinh(w) - 1;
        printf("settling state, %s: x %.6f of %.6f, z %.6f\n", formulations[k], x, expected, z);
        assert_true(fabs(x - expected) < 2e-3 && fabs(z - 1 - x) < 2e-3);
        free_run_close(&run);
    }
}

/* v' = v + h ((1 - theta) f + theta f') of a damper by the cube of the speed against what it is driven at. */
static double cubic_step(double stiff, double t, double h, double v)
{
    const double theta = carom_default_run_def().theta, before = v - 2 * sin(20 * t), drive = 2 * sin(20 * (t + h));
    const double known = v - h * (1 - theta) * stiff * before * before * before;
    double low = -10, high = 10;
    for (int k = 0; k < 100; k++) {
        const double middle = 0.5 * (low + high), off = middle - drive;
        if (middle + h * theta * stiff * off * off * off < known)
            low = middle;
        else
            high = middle;
    }
    return 0.5 * (low + high);
}

/* The theta rule of a force far from a line, by differences: the iterations with them are whole ones first, and shorter
   behind those, which take a third more. */
static void bends(void **state)
{
    (void)state;
    static const double stiff[] = {1500, 1700, 1900, 2100};
    static const int most[] = {620, 660, 690, 730};
    for (size_t k = 0; k < CAROM_COUNT(stiff); k++) {
        char text[800];
        free_run run;
        double v = 0;
        snprintf(text, sizeof text,
                 "carom: 1\ndimension: 2\ngravity: [0, 0]\nbodies: {b: {mass: 1, inertia: 1}}\n"
                 "joints: {j: {type: point-in-line, between: [ground, b], axis: [1, 0]}}\n"
                 "loads: {f: {type: force, on: b, force: [\"-%g*(vx(b) - 2*sin(20*t))^3\", 0]}}\n"
                 "run: {until: 1, integrator: moreau, step: 0.01, formulation: tree}\n",
                 stiff[k]);
        free_run_parse(&run, text, 0, NULL);
        free_run_to(&run, 0.3);
        for (int n = 0; n < 30; n++)
            v = cubic_step(stiff[k], 0.01 * n, 0.01, v);
        const double off = fabs(free_run_body(&run, "b").velocity[0] - v);
        const int evaluations = (int)carom_simulation_statistics(run.sim).rhs_evaluations;
        printf("cubic damper, %g: speed %.1e m/s off, %d evaluations\n", stiff[k], off, evaluations);
        assert_true(off < 1e-11 && evaluations < most[k]);
        free_run_close(&run);
    }
}

/* Motors with stiff gains in joint coordinates, where the system has no equations of its own and feet jam and part: the
   theta rule takes differences, and of two answers keeps to one (both ended the run at 0.12 s). */
static void walks(void **state)
{
    (void)state;
    static const char *const formulations[] = {"tree", "cartesian"};
    static const double steps[] = {4e-4, 2.5e-5};
    for (int k = 0; k < 2; k++) {
        free_run run;
        free_run_open_step(&run, "gait_table.yaml", "moreau", formulations[k], steps[k]);
        free_run_to(&run, 0.2);
        const double residual = carom_simulation_ledger(run.sim).residual_fraction;
        printf("walker, %s, step %g s: energy residual %.1e\n", formulations[k], steps[k], residual);
        assert_true(residual < 20 * steps[k]);
        free_run_close(&run);
    }
}

/* What is told: that the rod jams; and no peak force of an impact. */
static void told(void **state)
{
    (void)state;
    free_run run;
    size_t count;
    open_model(&run, "painleve", 1e6, 1e-5, NULL, "moreau");
    free_run_to(&run, 0.001);
    const char *const *warnings = carom_simulation_warnings(run.sim, &count);
    assert_int_equal(count, 1);
    assert_non_null(strstr(warnings[0], "Painleve"));
    free_run_close(&run);
    open_model(&run, "ball", 1e6, 1e-4, NULL, "moreau");
    free_run_to(&run, 0.5);
    const carom_impact *impacts = carom_simulation_impacts(run.sim, &count);
    assert_int_equal(count, 1);
    assert_true(isnan(impacts[0].peak_force) && isnan(impacts[0].max_indentation) && impacts[0].duration == 0);
    assert_true(fabs(impacts[0].e_got - 0.8) < 1e-6);
    assert_true(fabs(impacts[0].impulse - impacts[0].mass * (impacts[0].v_in + impacts[0].v_out)) < 2e-3);
    free_run_close(&run);
}

/* Kane's double pendulum: what Newton's restitution gives is told, in joules; without friction it gives nothing. */
static void gives(void **state)
{
    (void)state;
    static const char *const friction[] = {"mu=0.5", "mu=0"};
    for (int k = 0; k < 2; k++) {
        free_run run;
        size_t count;
        double told = 0;
        free_run_open(&run, "../tests/data/rigid_kane.yaml", &friction[k], 1, 0, NULL);
        const double before = carom_simulation_ledger(run.sim).kinetic;
        free_run_to(&run, 0.001);
        const double gain = carom_simulation_ledger(run.sim).kinetic - before;
        const char *const *warnings = carom_simulation_warnings(run.sim, &count);
        printf("Kane's pendulum, %s: gains %.4g J; %s\n", friction[k], gain, count ? warnings[0] : "no warning");
        if (k)
            assert_true(count == 0 && gain < 0);
        else {
            const char *said = strstr(warnings[0], "gives ");
            assert_true(count == 1 && strstr(warnings[0], "'hit'") && said && sscanf(said, "gives %lf J", &told) == 1);
            assert_true(gain > 0.5 * before && fabs(told - gain) < 0.05 * gain);
        }
        free_run_close(&run);
    }
}

/* A ball that drifts to a wall at half a nanometre a second: no speed is slow by itself, only beside others. */
static void slow(void **state)
{
    (void)state;
    free_run run;
    free_run_parse(&run,
                   "carom: 1\ndimension: 2\ngravity: [0, 0]\nbodies:\n"
                   "  ball: {mass: 1, inertia: 0.004, at: [0, 0.6], velocity: [0, -5e-10]}\n"
                   "shapes:\n  ball: {type: sphere, on: ball, radius: 0.1}\n"
                   "  wall: {type: plane, on: ground, normal: [0, 1]}\n"
                   "contacts:\n  hit: {between: [ball, wall], normal: {law: exact, stiffness: 1e8, restitution: 0.6, "
                   "minimum_speed: 1e-13}}\n"
                   "run: {until: 2e9, step: 1e7, integrator: moreau}\n",
                   0, NULL);
    free_run_to(&run, 2e9);
    size_t count;
    const carom_impact *impacts = carom_simulation_impacts(run.sim, &count);
    assert_int_equal(count, 1);
    printf("onset %.6g s, e %.6g\n", impacts[0].onset, impacts[0].e_got);
    assert_true(fabs(impacts[0].onset / 1e9 - 1) < 0.02 && fabs(impacts[0].e_got - 0.6) < 1e-6);
    assert_true(fabs(free_run_get(&run, "body.ball.velocity.y") / 3e-10 - 1) < 1e-6);
    free_run_close(&run);
}

/* A ball that bounces on a table which is driven up at a constant speed moves as on one that rests. */
static void travels(void **state)
{
    (void)state;
    static const double speeds[] = {0, 0.5, 5, -5};
    double rest = 0, off = 0;
    for (size_t k = 0; k < 2 * CAROM_COUNT(speeds); k++) {
        const double speed = speeds[k / 2];
        char text[1500];
        free_run run;
        snprintf(text, sizeof text,
                 "carom: 1\ndimension: 2\ngravity: [0, -9.81]\nbodies:\n"
                 "  ball: {mass: 1, inertia: 1e-3, at: [0, 0.3], velocity: [0, %.17g]}\n"
                 "  table: {mass: 1, inertia: 1, velocity: [0, %.17g]}\njoints:\n"
                 "  guide: {type: translational, between: [ground, table], axis: [0, 1], motion: \"%.17g*m/s*t\"}\n"
                 "shapes:\n  ball: {type: sphere, on: ball, radius: 0.1}\n"
                 "  top: {type: plane, on: table, normal: [0, 1]}\n"
                 "contacts:\n  hit: {between: [ball, top],\n"
                 "        normal: {law: hunt-crossley, stiffness: 1e6, restitution: 0.7}}\n"
                 "run: {until: 1, step: 1e-3, integrator: moreau, formulation: %s}\n",
                 speed - 1, speed, speed, k % 2 ? "tree" : "cartesian");
        free_run_parse(&run, text, 0, NULL);
        free_run_to(&run, 1);
        const double y = free_run_body(&run, "ball").position[1] - speed;
        rest = k ? rest : y;
        off = fmax(off, fabs(y - rest));
        free_run_close(&run);
    }
    printf("a table on the way: %.2g m off\n", off);
    assert_true(off < 1e-11);
}

/* A ball of 10 mm at 25 m/s on a plate of 5 mm that is free, in a run whose step of 1 ms is 25 mm long: neither goes
   through the other. Restitution of flores at 0.7, 0.68318; sinks by no more than the plate's half. */
static void fast(void **state)
{
    (void)state;
    static const char text[] =
        "carom: 1\ndimension: 3\nbodies:\n"
        "  ball: {mass: 0.03, inertia: [3e-7, 3e-7, 3e-7], at: [-1, 0, 0], velocity: [25, 0, 0]}\n"
        "  plate: {mass: 1, inertia: [0.01, 0.01, 0.01], at: [0, 0, 0]}\n"
        "shapes:\n  ball: {type: sphere, on: ball, radius: 5*mm}\n"
        "  plate: {type: box, on: plate, size: [5*mm, 0.3, 0.3]}\n"
        "contacts: {hit: {between: [ball, plate], normal: {law: flores, stiffness: 1e9, restitution: 0.7}}}\n"
        "run: {until: 10, integrator: moreau}\n";
    free_run run;
    free_run_parse(&run, text, 0, NULL);
    free_run_to(&run, 1);
    size_t count;
    const carom_impact *impacts = carom_simulation_impacts(run.sim, &count);
    assert_int_equal(count, 1);
    const double ball = free_run_get(&run, "body.ball.velocity.x"), plate = free_run_get(&run, "body.plate.velocity.x");
    printf("a fast ball: impact at %.6f s of 0.0397, %.4f and %.4f m/s behind it\n", impacts[0].onset, ball, plate);
    assert_true(fabs(impacts[0].onset - 0.9925 / 25) < 1e-4);
    assert_true(fabs(0.03 * ball + plate - 0.75) < 1e-12 && plate - ball > 0.68 * 25 && plate - ball < 0.69 * 25);
    free_run_close(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(limit),  cmocka_unit_test(slider_in_guide),
                                       cmocka_unit_test(rocking_block), cmocka_unit_test(ball_of_fmi),
                                       cmocka_unit_test(holds),
                                       cmocka_unit_test(energy), cmocka_unit_test(goes_on),
                                       cmocka_unit_test(settles), cmocka_unit_test(walks),
                                       cmocka_unit_test(told), cmocka_unit_test(gives),
                                       cmocka_unit_test(travels), cmocka_unit_test(fast),
                                       cmocka_unit_test(slow), cmocka_unit_test(bends)};
    return sample_group_tests(tests, 1, 3, NULL, NULL);
}
