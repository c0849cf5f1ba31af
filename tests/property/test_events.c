/* Events that coincide or nearly do, starts in touch and in overlap, long contacts, policies of velocity and release,
   ties with outputs, ends and breaks, and interruption. */
#include "carom_test.h"

#include <math.h>

#include "base/base.h"
#include "support/free_runs.h"
#include "support/sample.h"
#include "support/scene.h"

#define TOLERANCE 1e-9
#define G 9.81
#define RADIUS 0.01
#define MASS 0.032
#define INERTIA (0.4 * MASS * RADIUS * RADIUS)

static const double zero[3] = {0, 0, 0}, up[3] = {0, 1, 0};
static const char *const adaptive[] = {"adams", "bdf", "dopri5", "dop853"};
static const char *const all[] = {"adams", "bdf", "dopri5", "dop853", "rk4", "semi-implicit-euler"};

#define ADAPTIVE CAROM_COUNT(adaptive)

static carom_context *context;
static scene s;
static scene_result result;

static struct {
    double ledger, bounce, cradle, rest, overlap, tie, jump;
    uint64_t rest_steps;
} margin;

static void note(double *largest, double value)
{
    if (!(value <= *largest))
        *largest = value;
}

static void run(const char *integrator, const char *what)
{
    s.run.step = 1e-4;
    scene_run(context, &s, integrator, TOLERANCE, &result);
    if (result.status != CAROM_OK)
        fail_msg("%s, %s: %s", what, integrator, result.error);
    if (!strstr("rk4 semi-implicit-euler", integrator))
        note(&margin.ledger,
             result.ledger.kinetic + result.ledger.elastic > 1e-20 ? result.ledger.residual_fraction : 0);
}

static int ball(double x, double y, double vx, double vy)
{
    const double at[3] = {x, y, 0}, v[3] = {vx, vy, 0};
    return scene_sphere(&s, scene_body(&s, MASS, INERTIA, at, v, NULL), NULL, RADIUS);
}

/* ---- onsets within microseconds ---- */

static void test_close_onsets(void **state)
{
    (void)state;
    static const double apart[] = {0, 1e-15, 1e-12, 1e-9, 3e-7};
    for (size_t method = 0; method < CAROM_COUNT(all); method++)
        for (size_t a = 0; a < sizeof apart / sizeof *apart; a++) {
            scene_begin(&s, 2, 0.25);
            s.spec.gravity[1] = -G;
            int floor = scene_plane(&s, -1, zero, up);
            for (int k = 0; k < 3; k++)
                scene_contact(&s, ball(0.1 * k, RADIUS + 0.05 + k * apart[a], 0, 0), floor, "exact", 1e9, 0.8);
            run(all[method], "three balls");
            if (result.count != 3 || result.open)
                fail_msg("three balls %g m apart, %s: %zu impacts, %zu open", apart[a], all[method], result.count,
                         result.open);
            double allowed = method < ADAPTIVE ? 1e-7 : method == ADAPTIVE ? 1e-4 : 5e-2;
            for (size_t k = 0; k < 3; k++) {
                const carom_impact *i = &result.impacts[k];
                double height = 0.05 + (double)i->contact_index * apart[a], error = fabs(i->e_got / 0.8 - 1);
                note(&margin.bounce, method < ADAPTIVE ? error : 0);
                /* weight acts during the impact: 2e-4 of the momentum for 30 us at 1 m/s */
                if (!(error <= allowed + 1e-3) ||
                    (method <= ADAPTIVE && !(fabs(i->v_in - sqrt(2 * G * height)) < 1e-7)))
                    fail_msg("three balls %g m apart, %s: e_got %.9g, v_in %.12g", apart[a], all[method], i->e_got,
                             i->v_in);
                if (k)
                    assert_true(i->onset >= result.impacts[k - 1].onset);
            }
        }
}

/* ---- touching at the start ---- */

/* A row of four balls that touch; the last three rest. Without loss the first hands its momentum on; the whole keeps
   momentum and energy. */
static void test_cradle(void **state)
{
    (void)state;
    for (size_t method = 0; method < ADAPTIVE; method++)
        for (int moving = 0; moving < 3; moving++) {
            scene_begin(&s, 2, 0.01);
            int shape[4];
            for (int k = 0; k < 4; k++)
                shape[k] = ball(2 * RADIUS * k, 0,
                                moving == 1 && k == 0 ? 1
                                : moving == 2         ? (k < 2 ? 0.5 : -0.5)
                                                      : 0,
                                0);
            for (int k = 0; k < 3; k++)
                scene_contact(&s, shape[k], shape[k + 1], "hertz", 1e9, NAN);
            run(adaptive[method], "cradle");
            double p = 0, energy = 0;
            for (int k = 0; k < 4; k++) {
                p += result.body[k].velocity[0];
                energy += result.body[k].velocity[0] * result.body[k].velocity[0];
            }
            assert_true(fabs(p - (moving == 1)) < 1e-12);
            note(&margin.cradle, fabs(energy - (moving > 0)));
            if (!(fabs(energy - (moving > 0)) < 3e-8) || (moving == 0 && result.count))
                fail_msg("cradle %d, %s: energy %.12g, %zu impacts", moving, adaptive[method], energy, result.count);
            if (moving == 1) /* 0.98 of it for four balls in Hertz contact; Hinch and Saint-Jean 1999 find it never
                                whole */
                assert_true(result.body[3].velocity[0] > 0.97 && result.body[3].velocity[0] < 1 && result.count >= 3);
        }
}

/* Two balls that start in overlap fly apart with the energy stored. */
static void test_overlap(void **state)
{
    (void)state;
    for (size_t method = 0; method < ADAPTIVE; method++)
        for (int pace = -1; pace <= 1; pace++) {
            double depth = 2e-5, stiffness = 1e9, v = 0.3 * pace;
            scene_begin(&s, 2, 0.01);
            int a = ball(0, 0, v, 0), b = ball(2 * RADIUS - depth, 0, -v, 0);
            scene_contact(&s, a, b, "hertz", stiffness, NAN);
            run(adaptive[method], "overlap");
            double stored = stiffness * pow(depth, 2.5) / 2.5, expected = sqrt(stored / MASS + v * v);
            double error = fabs(result.body[1].velocity[0] / expected - 1);
            note(&margin.overlap, error);
            if (!(error < 3e-8) || result.count != 1 || result.open)
                fail_msg("overlap, %s, pace %d: leaves at %.12g, expected %.12g, %zu impacts", adaptive[method], pace,
                         result.body[1].velocity[0], expected, result.count);
            scene_begin(&s, 2, 0.01);
            a = ball(0, 0, v, 0), b = ball(2 * RADIUS - depth, 0, -v, 0);
            scene_contact(&s, a, b, "exact", stiffness, 0.5);
            run(adaptive[method], "overlap with loss");
            assert_true(result.count == 1 && result.body[1].velocity[0] < expected &&
                        result.body[1].velocity[0] > 0.2 * expected);
        }
}

/* ---- long contacts ---- */

/* A ball laid on the ground, and one dropped from 1 mm: at rest after a second under its weight, contact open. */
static void test_rest(void **state)
{
    (void)state;
    static const char *const velocities[] = {"latched", "re-armed", "memoryless"};
    static const char *const releases[] = {"clamp", "raw", "latch-open"};
    double stiffness = 1e8, weight = MASS * G, depth = pow(weight / stiffness, 2.0 / 3);
    for (size_t method = 0; method < ADAPTIVE; method++)
        for (int v = 0; v < 3; v++)
            for (int r = 0; r < 3; r++)
                for (int drop = 0; drop < 2; drop++) {
                    scene_begin(&s, 2, 1);
                    s.spec.gravity[1] = -G;
                    scene_contact(&s, ball(0, RADIUS + 1e-3 * drop, 0, 0), scene_plane(&s, -1, zero, up),
                                  "lankarani-nikravesh", stiffness, 0.3);
                    s.contacts[0].velocity = velocities[v];
                    s.contacts[0].tension = releases[r];
                    if (v == 2)
                        s.contact_params[0][2] =
                            (carom_param){.name = "reference_speed", .value = carom_value_number(0.1)};
                    if (v == 2)
                        s.contacts[0].normal.count = 3;
                    run(adaptive[method], velocities[v]);
                    double lies = RADIUS - result.body[0].position[1], speed = fabs(result.body[0].velocity[1]);
                    if (result.statistics.steps > margin.rest_steps)
                        margin.rest_steps = result.statistics.steps;
                    note(&margin.rest, fabs(lies / depth - 1));
                    if (result.open != 1 || !(fabs(lies / depth - 1) < 0.1) || !(speed < 1e-3))
                        fail_msg("rest, %s, %s, %s, drop %d: lies %.6g m deep, expected %.6g, at %.3g m/s",
                                 adaptive[method], velocities[v], releases[r], drop, lies, depth, speed);
                }
}

/* ---- policies ---- */

/* A ball that flies onto a wall and is pulled off in the middle of the impact: the law of small dissipation would
   pull. */
static void pull(const char *integrator, const char *release)
{
    scene_begin(&s, 2, 0.02);
    const double wall[3] = {-RADIUS, 0, 0}, right[3] = {1, 0, 0};
    scene_contact(&s, ball(0, 0, -0.1, 0), scene_plane(&s, -1, wall, right), "lankarani-nikravesh", 1e6, 0.1);
    s.contacts[0].tension = release;
    scene_force_expression(&s, 0, "if(t < 0.0006, 0, 60)");
    run(integrator, release);
    if (result.count != 1 || result.open)
        fail_msg("pull, %s, %s: %zu impacts, %zu open", integrator, release, result.count, result.open);
}

static void test_release(void **state)
{
    (void)state;
    for (size_t method = 0; method < ADAPTIVE; method++) {
        pull(adaptive[method], "clamp");
        carom_impact clamp = result.impacts[0];
        pull(adaptive[method], "raw");
        carom_impact raw = result.impacts[0];
        size_t warned = result.warnings;
        pull(adaptive[method], "latch-open");
        carom_impact latched = result.impacts[0];
        assert_true(warned >= 1);
        assert_true(raw.impulse <= clamp.impulse * (1 + 1e-7) && raw.v_out < clamp.v_out);
        assert_true(latched.v_out >= clamp.v_out * (1 - 1e-6));
        assert_true(raw.duration > clamp.duration);
    }
}

/* A ball driven against a wall by a force that waxes and wanes: compressions without a release between them. */
static void test_rearmed(void **state)
{
    (void)state;
    double lost[ADAPTIVE][3];
    static const char *const velocities[] = {"latched", "re-armed", "memoryless"};
    for (size_t method = 0; method < ADAPTIVE; method++)
        for (int v = 0; v < 3; v++) {
            scene_begin(&s, 2, 0.05);
            int a = ball(0, 0, -0.1, 0);
            const double wall[3] = {-RADIUS, 0, 0}, right[3] = {1, 0, 0};
            scene_contact(&s, a, scene_plane(&s, -1, wall, right), "exact", 1e7, 0.6);
            s.contacts[0].velocity = velocities[v];
            if (v == 2) {
                s.contact_params[0][2] = (carom_param){.name = "reference_speed", .value = carom_value_number(0.1)};
                s.contacts[0].normal.count = 3;
            }
            scene_force_expression(&s, 0, "-20 - 18*sin(1000*t)");
            run(adaptive[method], velocities[v]);
            assert_true(result.open == 1);
            lost[method][v] = result.ledger.dissipated_contact;
            if (method && !(fabs(lost[method][v] / lost[0][v] - 1) < 1e-5))
                fail_msg("%s: %s loses %.9g J, adams %.9g J", velocities[v], adaptive[method], lost[method][v],
                         lost[0][v]);
        }
    print_message("  loss of repeated compression: latched %.4g J, re-armed %.4g J, memoryless %.4g J\n", lost[0][0],
                  lost[0][1], lost[0][2]);
}

/* The force of a re-armed contact at every step: no jump where the compression begins again. */
static double largest_jump, last_force, last_time;

static void watch_force(void *user, carom_simulation *sim, double time)
{
    (void)user;
    carom_open_contact open;
    double force = carom_simulation_open_contacts(sim, &open, 1) ? open.force : 0;
    if (time > last_time)
        largest_jump = fmax(largest_jump, fabs(force - last_force));
    last_force = force;
    last_time = time;
}

static void test_rearmed_force_is_continuous(void **state)
{
    (void)state;
    static double times[50001];
    for (int k = 0; k <= 50000; k++)
        times[k] = 1e-6 * k;
    scene_begin(&s, 2, 0.05);
    int a = ball(0, 0, -0.1, 0);
    const double wall[3] = {-RADIUS, 0, 0}, right[3] = {1, 0, 0};
    scene_contact(&s, a, scene_plane(&s, -1, wall, right), "exact", 1e7, 0.6);
    s.contacts[0].velocity = "re-armed";
    scene_force_expression(&s, 0, "-20 - 18*sin(1000*t)");
    carom_model *model = scene_compile(context, &s);
    carom_simulation_def def = carom_default_simulation_def();
    def.tolerance = 1e-8;
    carom_simulation *sim;
    assert_int_equal(carom_simulation_create(context, model, &def, &sim), CAROM_OK);
    largest_jump = last_force = last_time = 0;
    assert_int_equal(carom_simulation_run_sampled(sim, 50001, times, watch_force, NULL), CAROM_OK);
    margin.jump = largest_jump;
    carom_simulation_free(sim);
    carom_model_free(model);
    assert_true(largest_jump < 0.5);
}

static void test_minimum_speed_is_reported_once(void **state)
{
    (void)state;
    scene_begin(&s, 2, 0.5);
    const double wall[3] = {-0.02, 0, 0}, right[3] = {1, 0, 0}, other[3] = {0.02, 0, 0}, left[3] = {-1, 0, 0};
    int a = ball(0, 0, 0.5, 0);
    scene_contact(&s, a, scene_plane(&s, -1, wall, right), "exact", 1e9, 0.9);
    scene_contact(&s, a, scene_plane(&s, -1, other, left), "hertz", 1e9, NAN);
    s.contacts[0].minimum_speed = s.contacts[1].minimum_speed = 1;
    run("adams", "minimum speed");
    assert_true(result.count > 10);
    /* of the law that uses it alone */
    assert_true(result.warnings == 1);
    assert_non_null(strstr(result.warning, "minimum_speed"));
}

/* What opens as it begins is no slow impact, whether the law keeps its impact velocity or adapts it. */
static void test_opening_is_no_impact(void **state)
{
    (void)state;
    static const char *const policies[] = {"per-impact", "adaptive"};
    for (int k = 0; k < 4; k++) {
        free_run run;
        char text[1024];
        const double speed = k < 2 ? 0.1 : -1e-4;
        snprintf(text, sizeof text,
                 "carom: 1\ndimension: 3\ngravity: [0, 0, 0]\n"
                 "bodies: {b: {mass: 1, inertia: [1/600, 1/600, 1/600], at: [0, 0, 0.05 - 1e-5], "
                 "velocity: [0, 0, %g]}}\n"
                 "shapes: {b: {type: box, on: b, size: [0.1, 0.1, 0.1]}, "
                 "slab: {type: box, on: ground, at: [0, 0, -0.1], size: [0.3, 0.3, 0.2]}}\n"
                 "contacts: {c: {between: [slab, b], normal: {law: hunt-crossley, stiffness: 1e5, restitution: 0.5, "
                 "velocity: %s}}}\nrun: {until: 0.1}\n",
                 speed, policies[k % 2]);
        free_run_parse(&run, text, 1e-8, "auto");
        free_run_to(&run, 0.1);
        size_t count;
        bool told = false;
        const char *const *texts = carom_simulation_warnings(run.sim, &count);
        for (size_t w = 0; w < count; w++)
            told = told || strstr(texts[w], "minimum_speed");
        /* of a slow impact they are told */
        assert_int_equal(told, k >= 2);
        free_run_close(&run);
    }
}

/* ---- ties ---- */

static size_t rows;
static double row_times[4096];

static carom_status take_rows(void *user, int group, size_t count, const double *time, const double *data)
{
    (void)user;
    (void)data;
    for (size_t k = 0; k < count && group == 0; k++)
        if (rows < 4096)
            row_times[rows++] = time[k];
    return CAROM_OK;
}

/* Onset at an output time, at a break of an expression and at a sample; an end at the end of an impact. */
static void test_ties(void **state)
{
    (void)state;
    for (size_t method = 0; method < CAROM_COUNT(all); method++)
        for (int shift = -3; shift <= 3; shift++) {
            /* the gap of 1/64 m at 1 m/s closes at 1/64 s, give or take units of rounding */
            double gap = 1.0 / 64 * (1 + shift * 2.220446049250313e-16);
            scene_begin(&s, 2, 0.03125);
            int a = ball(0, 0, 1, 0);
            const double wall[3] = {RADIUS + gap, 0, 0}, left[3] = {-1, 0, 0};
            scene_contact(&s, a, scene_plane(&s, -1, wall, left), "hertz", 1e9, NAN);
            scene_force_expression(&s, 0, "if(t < 1/64, 0, 1e-9)");
            s.run.output_every = 1.0 / 1024;
            s.run.step = 1e-4;
            carom_model *model = scene_compile(context, &s);
            const carom_sink sink = {.size = sizeof sink, .rows = take_rows};
            carom_simulation_def def = carom_default_simulation_def();
            def.integrator = all[method];
            def.tolerance = TOLERANCE;
            def.sink = &sink;
            carom_simulation *sim;
            rows = 0;
            assert_int_equal(carom_simulation_create(context, model, &def, &sim), CAROM_OK);
            const double samples[] = {0.015, 1.0 / 64, 1.0 / 64, nextafter(1.0 / 64, 1),
                                      nextafter(nextafter(1.0 / 64, 1), 1)};
            for (size_t k = 0; k < 5; k++)
                if (carom_simulation_advance(sim, samples[k]) != CAROM_OK)
                    fail_msg("tie %d, %s: %s", shift, all[method], carom_context_error(context));
            carom_status status = carom_simulation_run(sim);
            scene_report(context, sim, &s, status, &result);
            double error = fabs(result.body[0].velocity[0] + 1);
            note(&margin.tie, method < ADAPTIVE ? error : 0);
            if (status != CAROM_OK || result.count != 1 || rows != 33 ||
                !(error < (method < ADAPTIVE    ? 3e-7
                           : method == ADAPTIVE ? 1e-4
                                                : 5e-2)))
                fail_msg("tie %d, %s: %s %zu impacts, %zu rows, leaves at %.9g", shift, all[method], result.error,
                         result.count, rows, result.body[0].velocity[0]);
            for (size_t k = 0; k < rows; k++)
                assert_true(fabs(row_times[k] - (double)k / 1024) < 1e-15);
            double end = result.impacts[0].onset + result.impacts[0].duration;
            carom_simulation_free(sim);
            carom_model_free(model);
            /* the same with `until` at the end of the impact, and a unit of rounding on either side */
            for (int side = -1; side <= 1; side++) {
                s.run.until = side < 0 ? nextafter(end, 0) : side > 0 ? nextafter(end, 1) : end;
                run(all[method], "end at the end");
                if (result.count + result.open != 1)
                    fail_msg("end %d, %s: %zu impacts, %zu open", side, all[method], result.count, result.open);
            }
        }
}

/* ---- interruption ---- */

static bool stop_after_a_while(void *user, const carom_progress *progress)
{
    (void)progress;
    return --*(int *)user > 0;
}

/* Interrupted at every call of `progress` and continued: the same end as without. */
static void interrupt(const char *integrator)
{
    scene_begin(&s, 2, 0.3);
    s.spec.gravity[1] = -G;
    scene_contact(&s, ball(0, RADIUS + 0.02, 0.1, 0), scene_plane(&s, -1, zero, up), "exact", 1e8, 0.9);
    run(integrator, "uninterrupted");
    scene_result whole = result;
    carom_model *model = scene_compile(context, &s);
    carom_simulation_def def = carom_default_simulation_def();
    int countdown = 0, interruptions = 0;
    def.integrator = integrator;
    def.tolerance = TOLERANCE;
    def.progress = stop_after_a_while;
    def.progress_user = &countdown;
    carom_simulation *sim;
    assert_int_equal(carom_simulation_create(context, model, &def, &sim), CAROM_OK);
    carom_status status;
    double before = 0;
    while ((status = carom_simulation_run(sim)) == CAROM_INTERRUPTED) {
        interruptions++;
        countdown = interruptions % 3;
        assert_true(carom_simulation_time(sim) > before);
        before = carom_simulation_time(sim);
        assert_non_null(strstr(carom_context_error(context), "interrupted"));
        assert_true(carom_simulation_ledger(sim).residual_fraction < 1e-6);
    }
    scene_report(context, sim, &s, status, &result);
    carom_simulation_free(sim);
    carom_model_free(model);
    assert_int_equal(status, CAROM_OK);
    assert_true(interruptions > 3);
    assert_int_equal(result.count, whole.count);
    assert_memory_equal(&result.body[0], &whole.body[0], sizeof whole.body[0]);
    print_message("  %s: interrupted %d times, the end is the same in every bit\n", integrator, interruptions);
}

static void test_interruption(void **state)
{
    static const char *const methods[] = {"adams", "dop853", "auto", "bdf"};
    (void)state;
    for (size_t k = 0; k < CAROM_COUNT(methods); k++)
        interrupt(methods[k]);
}

static int print_margins(void **state)
{
    (void)state;
    print_message("events: ledger %.2g, e_got with weight %.2g, cradle energy %.2g, overlap %.2g, tie %.2g of 1 m/s, "
                  "rest %.2g of the depth in at most %llu steps, re-armed force changes by %.3g N in 1 us\n",
                  margin.ledger, margin.bounce, margin.cradle, margin.overlap, margin.tie, margin.rest,
                  (unsigned long long)margin.rest_steps, margin.jump);
    carom_context_free(context);
    return margin.ledger <= 1e-6 ? 0 : -1;
}

static int set_up(void **state)
{
    (void)state;
    return carom_context_create(NULL, &context) == CAROM_OK ? 0 : -1;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_close_onsets), cmocka_unit_test(test_cradle),
        cmocka_unit_test(test_overlap),      cmocka_unit_test(test_rest),
        cmocka_unit_test(test_release),      cmocka_unit_test(test_rearmed),
        cmocka_unit_test(test_rearmed_force_is_continuous),
        cmocka_unit_test(test_minimum_speed_is_reported_once), cmocka_unit_test(test_opening_is_no_impact),
        cmocka_unit_test(test_ties),         cmocka_unit_test(test_interruption),
    };
    return sample_group_tests(tests, 1, 2, set_up, print_margins);
}
