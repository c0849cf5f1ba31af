/* The ledger of balls of a contact set that fall, hit and slide on a tilted floor, with fixed steps: what friction and
   damping take is what the balls lose. */
#include "carom_test.h"

#include <math.h>
#include <string.h>

#include "base/base.h"
#include "support/free_runs.h"
#include "support/trial.h"

static void balance(void **state)
{
    (void)state;
    static const char *const methods[] = {"verlet", "rk4"};
    for (size_t k = 0; k < sizeof methods / sizeof methods[0]; k++) {
        carom_context *ctx = new_context();
        carom_model *model;
        carom_simulation *sim;
        assert_int_equal(trial_compile(ctx, &trial_many, methods[k], NULL, &model), CAROM_OK);
        const carom_simulation_def def = carom_default_simulation_def();
        assert_int_equal(carom_simulation_create(ctx, model, &def, &sim), CAROM_OK);
        assert_int_equal(carom_simulation_run(sim), CAROM_OK);
        const carom_ledger ledger = carom_simulation_ledger(sim);
        printf("%s: friction %g J, contact %g J, residual %g\n", methods[k], ledger.dissipated_friction,
               ledger.dissipated_contact, ledger.residual_fraction);
        assert_true(ledger.dissipated_friction > 1e-5 && ledger.dissipated_contact > 1e-5);
        assert_true(fabs(ledger.residual_fraction) < 1e-3);
        carom_simulation_free(sim);
        carom_model_free(model);
        carom_context_free(ctx);
    }
}

/* Two soft balls that hit a floor at 1 and 0.5 m/s. */
static const char two[] =
    "carom: 1\n"
    "dimension: 3\n"
    "parameters: {r: 5*mm, mb: 2500*4/3*pi*r^3}\n"
    "materials: {soft: {E: 5e6, nu: 0.25}}\n"
    "bodies:\n"
    "  ball: {copies: 2, mass: mb, inertia: [0.4*mb*r^2, 0.4*mb*r^2, 0.4*mb*r^2], at: [0.1*copy, 0, 6*mm],"
    " velocity: [0, 0, -0.5*copy]}\n"
    "shapes:\n"
    "  ball: {type: sphere, on: ball, radius: r, material: soft}\n"
    "  floor: {type: plane, on: ground, normal: [0, 0, 1], material: soft}\n"
    "contacts: {pour: {all: [ball, floor], normal: {law: tsuji, restitution: 0.5%s}}}\n"
    "run: {until: 0.01, integrator: verlet, step: 20*us}\n";

/* What a set gives up where its law would pull is what located contacts do, but for the error of the step, of which the
   end of the force within it is known to the second order: 0.5 % at a hundredth of the impact. */
static void cut_off(void **state)
{
    (void)state;
    static const char *const policies[] = {"", ", tension: cut-off"};
    for (size_t p = 0; p < CAROM_COUNT(policies); p++) {
        char text[sizeof two + 40];
        free_run set, located;
        snprintf(text, sizeof text, two, policies[p]);
        free_run_parse(&set, text, 0, NULL);
        free_run_parse(&located, text, 0, "auto");
        free_run_to(&set, 0.01);
        free_run_to(&located, 0.01);
        size_t count, others;
        const carom_impact *own = carom_simulation_impacts(set.sim, &count);
        const carom_impact *other = carom_simulation_impacts(located.sim, &others);
        assert_int_equal(count, 2);
        assert_int_equal(others, 2);
        double all = 0;
        for (size_t k = 0; k < count; k++) {
            printf("cut off %.6g J, located %.6g J\n", own[k].cutoff_loss, other[k].cutoff_loss);
            assert_true(other[k].cutoff_loss > 1e-6);
            assert_true(fabs(own[k].cutoff_loss / other[k].cutoff_loss - 1) < 0.01);
            all += own[k].cutoff_loss;
        }
        assert_true(fabs(carom_simulation_ledger(set.sim).cutoff_loss - all) < 1e-15 * all);
        free_run_close(&set);
        free_run_close(&located);
    }
}

/* A ball on a spring and a damper, pressed so hard that it turns while its force is cut off: in turns a damped
   oscillation, constant acceleration, and the oscillation again from the place where it turns. */
#define PRESS 110.0
#define SPRING 1e5
#define DASHPOT 100.0
#define BALL 0.7
static void oscillate(double x0, double v0, double t, double *x, double *v)
{
    const double decay = DASHPOT / (2 * BALL), turns = sqrt(SPRING / BALL - decay * decay), rest = PRESS / SPRING;
    const double a = x0 - rest, b = (v0 + decay * a) / turns, shrink = exp(-decay * t);
    *x = rest + shrink * (a * cos(turns * t) + b * sin(turns * t));
    *v = shrink * turns * (b * cos(turns * t) - a * sin(turns * t)) - decay * (*x - rest);
}

static void pressed_again(void **state)
{
    (void)state;
    static const char text[] =
        "carom: 1\n"
        "dimension: 2\n"
        "bodies: {ball: {mass: 0.7, inertia: 0.004, at: [0, 0.1], velocity: [0, -1]}}\n"
        "shapes: {ball: {type: sphere, on: ball, radius: 0.1}, floor: {type: plane, on: ground, normal: [0, 1]}}\n"
        "loads: {press: {type: force, on: ball, force: [0, -110]}}\n"
        "contacts: {hit: {%s, normal: {law: kelvin-voigt, stiffness: 1e5, damping: 100, tension: cut-off}}}\n"
        "run: {until: 0.014, %s}\n";
    double low = 0.005, high = 0.0125, depth, rate; /* the force falls to zero once between them */
    for (int k = 0; k < 100; k++) {
        const double middle = 0.5 * (low + high);
        oscillate(0, 1, middle, &depth, &rate);
        *(SPRING * depth + DASHPOT * rate > 0 ? &low : &high) = middle;
    }
    oscillate(0, 1, low, &depth, &rate);
    const double turn = low - rate * BALL / PRESS, held = depth, again = depth - rate * rate * BALL / (2 * PRESS);
    assert_true(rate < 0 && again > 5e-5);
    for (int set = 0; set < 2; set++) {
        char model[sizeof text + 120];
        free_run run;
        snprintf(model, sizeof model, text, set ? "all: [ball, floor]" : "between: [ball, floor]",
                 set ? "integrator: verlet, step: 1e-6" : "tolerance: 1e-10");
        free_run_parse(&run, model, 0, NULL);
        double worst = 0;
        for (double t = turn + 1e-4; t < 0.0139; t += 2e-4) {
            free_run_to(&run, t);
            oscillate(again, 0, carom_simulation_time(run.sim) - turn, &depth, &rate);
            const carom_body_state ball = free_run_body(&run, "ball");
            worst = fmax(worst, fmax(fabs(0.1 - depth - ball.position[1]) / again, fabs(-rate - ball.velocity[1])));
        }
        const carom_ledger ledger = carom_simulation_ledger(run.sim);
        const double lost = 0.5 * SPRING * (held * held - again * again);
        printf("%s: pressed again from %.4g m at %.6g s, %.3g off, cut off %.3g J, %.3g off, balance %.3g\n",
               set ? "set" : "located", again, turn, worst, lost, ledger.cutoff_loss / lost - 1,
               ledger.residual_fraction);
        /* a set sees the onset, where the damper acts at once, and the turn a step late: 100 N for 1 us are 1.4e-4 m/s;
           it books what was cut off at the release */
        assert_true(worst < (set ? 3e-3 : 1e-8));
        assert_true(set || fabs(ledger.cutoff_loss / lost - 1) < 1e-8);
        assert_true(fabs(ledger.residual_fraction) < (set ? 1e-4 : 1e-8));
        free_run_close(&run);
    }
}

/* The law returns 0.55 where 0.5 is asked, and the indentation is 0.08 of the radius: told of located contacts and of
   sets, of these once. */
static void judged(void **state)
{
    (void)state;
    char text[sizeof two];
    snprintf(text, sizeof text, two, "");
    static const char *const codes[] = {"[W13]", "[W16]"};
    for (int located = 0; located < 2; located++) {
        free_run run;
        free_run_parse(&run, text, 0, located ? "auto" : NULL);
        free_run_to(&run, 0.01);
        size_t count;
        const char *const *warnings = carom_simulation_warnings(run.sim, &count);
        for (size_t c = 0; c < CAROM_COUNT(codes); c++) {
            int found = 0;
            for (size_t k = 0; k < count; k++)
                found += strstr(warnings[k], codes[c]) != NULL;
            assert_int_equal(found, 1);
        }
        free_run_close(&run);
    }
}

/* Balls that touch the floor as they start and stay there are rests from 0 on, of the mean force that holds their
   weight, as located ones are: m g, less the momentum that is left, which is none. */
static void rests_from_the_start(void **state)
{
    (void)state;
    static const char text[] = "carom: 1\n"
                               "dimension: 2\n"
                               "gravity: [0, -9.81]\n"
                               "bodies: {b: {copies: 2, mass: 1*copy, inertia: 0.004, at: [0.3*copy, 0.1]}}\n"
                               "shapes:\n"
                               "  b: {type: sphere, on: b, radius: 0.1}\n"
                               "  floor: {type: plane, on: ground, normal: [0, 1]}\n"
                               "contacts:\n"
                               "  p: {all: [b, floor], normal: {law: kelvin-voigt, stiffness: 1e5, damping: 300}}\n"
                               "run: {until: 0.5, integrator: verlet, step: 10*us}\n";
    for (int located = 0; located < 2; located++) {
        free_run run;
        const carom_rest *rests;
        size_t count;
        free_run_parse(&run, text, 0, located ? "auto" : NULL);
        free_run_to(&run, 0.5);
        assert_int_equal(carom_simulation_rests(run.sim, &rests, &count), CAROM_OK);
        assert_int_equal(count, 2);
        for (size_t k = 0; k < count; k++) {
            printf("rest from %g s for %g s, %.9g N\n", rests[k].begin, rests[k].duration, rests[k].mean_force);
            assert_true(rests[k].begin == 0 && fabs(rests[k].duration - 0.5) < 1e-12);
            assert_true(fabs(rests[k].mean_force / (9.81 * (double)(k + 1)) - 1) < 1e-4);
        }
        free_run_close(&run);
    }
}

/* A ball that slides at 1000 m/s as it hits: its slip lasts, so that friction takes mu v times the impulse of the
   impact, whose last part, less than a step, is where the force of the law is far from zero. */
static void slides(void **state)
{
    (void)state;
    static const char text[] =
        "carom: 1\n"
        "dimension: 2\n"
        "bodies: {b: {copies: 3, mass: 1, inertia: 0.004, at: [copy, 0.101], velocity: [1000, -1-0.1*copy]}}\n"
        "shapes:\n"
        "  b: {type: sphere, on: b, radius: 0.1}\n"
        "  floor: {type: plane, on: ground, normal: [0, 1]}\n"
        "contacts:\n"
        "  p: {all: [b, floor], normal: {law: kelvin-voigt, stiffness: 1e5, damping: 0},"
        " friction: {law: mindlin, kinetic: 0.01}}\n"
        "run: {until: 0.02, integrator: verlet, step: 0.7*ms}\n";
    free_run run;
    size_t count;
    free_run_parse(&run, text, 0, NULL);
    free_run_to(&run, 0.02);
    const carom_impact *of = carom_simulation_impacts(run.sim, &count);
    assert_int_equal(count, 3);
    for (size_t k = 0; k < count; k++) {
        const double share = of[k].friction_lost / (0.01 * 1000 * of[k].impulse);
        printf("friction takes %.6f of mu v times the impulse of %g N s\n", share, of[k].impulse);
        assert_true(of[k].impulse > 1 && fabs(share - 1) < 1e-3);
    }
    free_run_close(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(balance), cmocka_unit_test(cut_off), cmocka_unit_test(judged),
                                       cmocka_unit_test(rests_from_the_start), cmocka_unit_test(pressed_again),
                                       cmocka_unit_test(slides)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
