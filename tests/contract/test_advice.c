/* The advisor: numbers to expect of a contact against closed forms and runs, each rule just below and just above its
   threshold, and the texts that go with them. */
#include "carom_test.h"

#include <math.h>

#include "law/depth.h"
#include "law/validity.h"
#include "spec/keys.h"
#include "diagnose/diagnostics.h"
#include "support/kinds.h"

/* ---- scenes ---- */

/* A ball above a floor in space, by default of steel. */
typedef struct ball {
    double radius, mass, gap, speed, gravity; /* speed downwards */
    double young, poisson, density, yield;    /* of both sides */
    double until;
    const char *normal; /* keys of the normal force */
    const char *more;   /* further sections */
} ball;

static const ball steel = {.radius = 0.01,
                           .mass = 0.0327,
                           .gap = 1e-3,
                           .speed = 0.3,
                           .young = 207e9,
                           .poisson = 0.3,
                           .until = 1,
                           .normal = "law: exact, restitution: 0.7"};

typedef struct trial_run {
    carom_context *ctx;
    carom_model *model;
    carom_simulation *sim;
} trial_run;

static void open_text(trial_run *run, const char *text, double touch_speed)
{
    carom_document *document;
    *run = (trial_run){0};
    run->ctx = new_context();
    if (carom_document_parse(run->ctx, "advice.yaml", text, strlen(text), NULL, 0, &document) != CAROM_OK)
        fail_msg("%s\n%s", carom_context_error(run->ctx), text);
    carom_status status = carom_model_compile(run->ctx, carom_document_spec(document), &run->model);
    carom_document_free(document);
    carom_simulation_def def = carom_default_simulation_def();
    def.touch_speed = touch_speed;
    if (status == CAROM_OK)
        status = carom_simulation_create(run->ctx, run->model, &def, &run->sim);
    if (status != CAROM_OK)
        fail_msg("%s\n%s", carom_context_error(run->ctx), text);
}

static void close_run(trial_run *run)
{
    carom_simulation_free(run->sim);
    carom_model_free(run->model);
    carom_context_free(run->ctx);
}

static void open_ball(trial_run *run, const ball *b, double touch_speed)
{
    char text[2048], material[256] = "", use[32] = "";
    if (b->young > 0) {
        int n = snprintf(material, sizeof material, "materials: {m: {E: %.17g, nu: %.17g", b->young, b->poisson);
        if (b->density > 0)
            n += snprintf(material + n, sizeof material - (size_t)n, ", density: %.17g", b->density);
        if (b->yield > 0)
            n += snprintf(material + n, sizeof material - (size_t)n, ", yield: %.17g", b->yield);
        snprintf(material + n, sizeof material - (size_t)n, "}}\n");
        snprintf(use, sizeof use, ", material: m");
    }
    snprintf(text, sizeof text,
             "carom: 1\ndimension: 3\ngravity: [0, 0, %.17g]\n%s"
             "bodies: {ball: {mass: %.17g, inertia: [1e-6, 1e-6, 1e-6], at: [0, 0, %.17g], velocity: [0, 0, %.17g], "
             "angular_velocity: [0, 0, 0]}}\n"
             "shapes:\n  skin: {type: sphere, on: ball, radius: %.17g%s}\n  floor: {type: plane, on: ground, normal: "
             "[0, 0, 1]%s}\n"
             "contacts: {hit: {between: [floor, skin], normal: {%s}}}\nrun: {until: %.17g, tolerance: 1e-9}\n%s",
             -b->gravity, material, b->mass, b->radius + b->gap, -b->speed, b->radius, use, use, b->normal, b->until,
             b->more ? b->more : "");
    open_text(run, text, touch_speed);
}

static carom_contact_check check_of(trial_run *run, size_t contact)
{
    carom_check check;
    assert_int_equal(carom_simulation_check(run->sim, &check), CAROM_OK);
    assert_true(contact < check.contact_count);
    return check.contacts[contact];
}

static bool warned(const carom_contact_check *c, carom_rule rule)
{
    size_t found = 0;
    for (size_t k = 0; k < c->warning_count; k++)
        if (strcmp(c->warnings[k].rule, carom_warning_rows[carom_validity[rule].warning].name) == 0) {
            found++;
            assert_non_null(strstr(c->warnings[k].text, "contact 'hit': "));
            assert_non_null(strstr(c->warnings[k].text, " [W"));
        }
    assert_true(found <= 1);
    return found == 1;
}

/* Whether a rule is violated by a ball at a speed that is given. */
static bool ball_warned(const ball *b, double speed, carom_rule rule)
{
    trial_run run;
    open_ball(&run, b, speed);
    carom_contact_check c = check_of(&run, 0);
    bool found = warned(&c, rule);
    close_run(&run);
    return found;
}

/* What the onset of an episode at that speed sets and judges; returns the number of warnings so far. */
static size_t begin_episode(trial_run *run, const ball *b, double speed)
{
    carom_state *s = &run->sim->s;
    const carom_model_contact *c = &run->model->contacts[0];
    size_t count;
    s->located[0].speed = speed;
    s->located[0].v0 = fmax(speed, c->law.minimum_speed);
    s->located[0].mass = b->mass;
    s->located[0].depth_scale =
        carom_elastic_depth(c->law.elastic, c->law.elastic_constants, 0.5 * b->mass * speed * speed);
    assert_int_equal(carom_diagnostics_listener.onset(NULL, run->sim, 0), CAROM_OK);
    carom_simulation_warnings(run->sim, &count);
    return count;
}

/* Whether an onset at that speed warns, and once only. */
static bool onset_warned(const ball *b, double speed, const char *part)
{
    trial_run run;
    open_ball(&run, b, 0);
    size_t before;
    carom_simulation_warnings(run.sim, &before);
    size_t count = begin_episode(&run, b, speed), after = begin_episode(&run, b, speed);
    assert_int_equal(count, after);
    size_t found = 0;
    const char *const *lines = carom_simulation_warnings(run.sim, &count);
    for (size_t k = before; k < count; k++)
        found += strstr(lines[k], part) != NULL;
    assert_true(found <= 1);
    close_run(&run);
    return found == 1;
}

#define BELOW (1 - 1e-4)
#define ABOVE (1 + 1e-4)

static double hertz_stiffness(const ball *b)
{
    return 2.0 / 3 * b->young / (1 - b->poisson * b->poisson) * sqrt(b->radius);
}

/* Speed at which an elastic Hertz impact of the ball is so deep. */
static double hertz_speed(const ball *b, double depth)
{
    return sqrt(0.8 * hertz_stiffness(b) * pow(depth, 2.5) / b->mass);
}

/* ---- expected against run ---- */

static void near(const char *what, double got, double expected, double relative)
{
    if (!(fabs(got - expected) <= relative * fabs(expected)))
        fail_msg("%s: %.12g, not %.12g (%.2e relative)", what, got, expected, fabs(got / expected - 1));
}

/* Largest relative difference between what is expected and what a run gives. */
static double compare_with_run(const ball *b, double relative)
{
    trial_run run;
    open_ball(&run, b, 0);
    carom_contact_check c = check_of(&run, 0);
    size_t count;
    if (carom_simulation_run(run.sim) != CAROM_OK)
        fail_msg("%s: %s", b->normal, carom_context_error(run.ctx));
    const carom_impact *impact = carom_simulation_impacts(run.sim, &count);
    if (count != 1)
        fail_msg("%s: %zu impacts", b->normal, count);
    const double pairs[][2] = {{c.expected_speed, impact->v_in},
                               {c.mass, impact->mass},
                               {c.achieved_restitution, impact->e_got},
                               {c.peak_force, impact->peak_force},
                               {c.max_indentation, impact->max_indentation},
                               {c.duration, impact->force_duration}};
    static const char *const names[] = {"speed", "mass", "restitution", "peak", "indentation", "duration"};
    double worst = 0;
    for (size_t k = 0; k < CAROM_COUNT(pairs); k++) {
        double error = fabs(pairs[k][0] / pairs[k][1] - 1);
        if (!(error <= relative))
            fail_msg("%s: %s %.9g expected, %.9g in the run", b->normal, names[k], pairs[k][0], pairs[k][1]);
        worst = fmax(worst, error);
    }
    assert_non_null(c.method);
    printf("  %-66s %-10s %.1e\n", b->normal, c.method, worst);
    close_run(&run);
    return worst;
}

/* Free impacts: laws of the hysteresis family are solved in closed form, others integrated, those with memory by their
   energies. Differences are those of the run's tolerance, and 1e-5 of the integration here. */
static void test_expected_against_run(void **state)
{
    (void)state;
    static const char *const normals[] = {"law: hertz",
                                          "law: exact, restitution: 0.3",
                                          "law: flores, restitution: 0.5",
                                          "law: lankarani-nikravesh, restitution: 0.5",
                                          "law: hunt-crossley, restitution: 0.5, stiffness: 2e10, exponent: 1.2",
                                          "law: hooke, stiffness: 1e7",
                                          "law: flores, restitution: 0.6, velocity: memoryless, reference_speed: 0.1",
                                          "law: kelvin-voigt, stiffness: 1e7, damping: 100",
                                          "law: kelvin-voigt, stiffness: 1e7, damping: 100, release: raw",
                                          "law: kelvin-voigt, stiffness: 1e7, damping: 100, release: latch-open",
                                          "law: tsuji, restitution: 0.5",
                                          "law: tsuji, restitution: 0.5, release: raw",
                                          "law: jankowski, restitution: 0.5",
                                          "law: walton-braun, stiffness: 1e7, restitution: 0.6",
                                          "law: thornton, contact_yield: 4e8"};
    for (size_t k = 0; k < CAROM_COUNT(normals); k++) {
        ball b = steel;
        b.normal = normals[k];
        b.until = 0.01;
        compare_with_run(&b, 1e-4);
    }
    ball b = steel;
    b.normal = "elastic: johnson, damping: exact, restitution: 0.6, length: 0.02, radius_i: -0.0105";
    b.until = 0.01;
    compare_with_run(&b, 1e-4);
}

/* A ball that falls 0.2 m: the weight during the contact is 4e-5 of the peak force. */
static void test_falling_ball_against_run(void **state)
{
    (void)state;
    ball b = steel;
    b.speed = 0;
    b.gap = 0.2;
    b.gravity = 9.81;
    b.until = 0.3;
    assert_true(compare_with_run(&b, 1e-2) < 1e-3);
}

/* ---- speed at the first touch ---- */

static void test_touch_of_a_ball(void **state)
{
    (void)state;
    static const struct {
        double gap, speed, gravity;
    } cases[] = {{0.2, 0, 9.81}, {0.05, -1, 9.81}, {0.05, 1, 9.81}, {1e-3, 0.3, 0}, {1e-6, 1e-5, 9.81}};
    for (size_t k = 0; k < CAROM_COUNT(cases); k++) {
        trial_run run;
        ball b = steel;
        b.gap = cases[k].gap;
        b.speed = cases[k].speed;
        b.gravity = cases[k].gravity;
        open_ball(&run, &b, 0);
        carom_contact_check c = check_of(&run, 0);
        near("speed at touch", c.expected_speed, sqrt(b.speed * b.speed + 2 * b.gravity * b.gap), 1e-8);
        assert_non_null(strstr(c.assumed, "flight"));
        close_run(&run);
    }
}

static void test_no_touch(void **state)
{
    (void)state;
    trial_run run;
    ball b = steel;
    b.speed = -1;
    open_ball(&run, &b, 0);
    carom_contact_check c = check_of(&run, 0);
    assert_true(isnan(c.expected_speed) && isnan(c.peak_force) && isnan(c.duration));
    assert_non_null(strstr(c.assumed, "do not touch"));
    assert_int_equal(c.warning_count, 0);
    close_run(&run);
    /* the floor is reached after the end of the run */
    b.speed = 1e-3;
    b.until = 0.5;
    open_ball(&run, &b, 0);
    c = check_of(&run, 0);
    assert_true(isnan(c.expected_speed));
    close_run(&run);
    open_ball(&run, &b, 0.25);
    c = check_of(&run, 0);
    assert_true(c.expected_speed == 0.25 && c.max_indentation > 0);
    assert_string_equal(c.assumed, "speed as given");
    close_run(&run);
    /* at rest beside each other: the time until they meet is not finite */
    open_text(&run,
              "carom: 1\ndimension: 2\n"
              "bodies: {a: {mass: 0.01, inertia: 1e-6, at: [0.03, 0]}, b: {mass: 0.01, inertia: 1e-6, at: [0.15, 0]}}\n"
              "shapes: {a: {type: capsule, on: a, from: [-0.02, 0], to: [0.02, 0], radius: 6*mm},\n"
              "         b: {type: capsule, on: b, from: [-0.02, 0], to: [0.02, 0], radius: 6*mm}}\n"
              "contacts: {c: {between: [a, b], normal: {law: hertz, stiffness: 1e6}}}\nrun: {until: 0.001}\n",
              0);
    c = check_of(&run, 0);
    assert_true(isnan(c.expected_speed));
    close_run(&run);
}

/* Two balls in flight past each other, spinning: the run's first impact has the speed expected. */
static void test_oblique_flight_against_run(void **state)
{
    (void)state;
    static const char model[] =
        "carom: 1\ndimension: 2\ngravity: [0, -9.81]\n"
        "bodies:\n"
        "  a: {mass: 0.1, inertia: 4e-6, at: [0, 0], velocity: [2, 3], angular_velocity: 40}\n"
        "  b: {mass: 0.3, inertia: 4e-5, at: [0.5, 0.31], velocity: [-1, 1], angular_velocity: -7}\n"
        "shapes: {sa: {type: sphere, on: a, at: [0.003, 0], radius: 0.01}, sb: {type: sphere, on: b, radius: 0.02},\n"
        "         far: {type: sphere, on: ground, at: [0, 100], radius: 0.02}}\n"
        "contacts: {hit: {between: [sa, sb], normal: {law: exact, stiffness: 1e9, restitution: 0.5}},\n"
        "           miss: {between: [sb, far], normal: {law: exact, stiffness: 1e9, restitution: 0.5}}}\n"
        "run: {until: 0.3, tolerance: 1e-10}\n";
    trial_run run;
    open_text(&run, model, 0);
    carom_contact_check c = check_of(&run, 0), miss = check_of(&run, 1);
    size_t count;
    assert_int_equal(carom_simulation_run(run.sim), CAROM_OK);
    const carom_impact *impacts = carom_simulation_impacts(run.sim, &count);
    assert_true(count >= 1);
    printf("  speed %.9g expected, %.9g in the run\n", c.expected_speed, impacts[0].v_in);
    near("oblique speed", c.expected_speed, impacts[0].v_in, 1e-7);
    assert_true(isnan(miss.expected_speed));
    close_run(&run);
}

/* ---- the trial run ---- */

typedef struct first_touch {
    double speed, mass;
} first_touch;

static carom_status keep_touch(void *user, carom_simulation *sim, const carom_open_contact *contact)
{
    (void)sim;
    first_touch *touch = (first_touch *)user + contact->contact_index;
    if (!(touch->speed > 0))
        *touch = (first_touch){contact->v_in, contact->mass};
    return CAROM_OK;
}

/* What a trial expects of a model's contacts is what its run does, and the run is as it is without. */
static void test_trial_against_run(void **state)
{
    (void)state;
    static const char *const models[] = {"slider_crank_block", "bouncing_ball", "knee",         "cam_follower",
                                         "geneva_wheel",       "gear_backlash", "moving_table", "scotch_yoke",
                                         "ball_bearing",       "slide_to_roll"};
    for (size_t n = 0; n < CAROM_COUNT(models); n++) {
        enum { MOST = 64 };
        char path[512];
        trial_run run = {.ctx = new_context()};
        first_touch touch[MOST] = {{0}};
        snprintf(path, sizeof path, "%s/%s.yaml", CAROM_MODELS, models[n]);
        assert_ok(run.ctx, carom_model_load(run.ctx, path, NULL, 0, &run.model));
        carom_simulation_def def = carom_default_simulation_def();
        def.trial_steps = 400;
        assert_ok(run.ctx, carom_simulation_create(run.ctx, run.model, &def, &run.sim));
        carom_check check;
        assert_ok(run.ctx, carom_simulation_check(run.sim, &check));
        assert_true(check.contact_count <= MOST);
        carom_observer observer = carom_default_observer();
        observer.user = touch;
        observer.onset = keep_touch;
        assert_ok(run.ctx, carom_simulation_observe(run.sim, &observer));
        for (int k = 0; k < 400 && carom_simulation_time(run.sim) < carom_simulation_until(run.sim) &&
                        !carom_simulation_stopped_by(run.sim);
             k++)
            assert_ok(run.ctx, carom_simulation_step(run.sim));
        size_t found = 0;
        for (size_t k = 0; k < check.contact_count; k++) {
            const carom_contact_check *c = &check.contacts[k];
            if (!strstr(c->assumed, "a trial run") || isnan(c->expected_speed))
                continue;
            found++;
            assert_true(c->expected_speed == touch[k].speed && c->mass == touch[k].mass);
        }
        printf("  %-20s %zu of %zu contacts touched in the trial\n", models[n], found, check.contact_count);
        close_run(&run);
    }
}

/* A pendulum falls against a wall: its speed there by the energy, and no effective mass at the start. */
static void test_trial_of_a_pendulum(void **state)
{
    (void)state;
    static const char model[] =
        "carom: 1\ndimension: 2\ngravity: [0, -9.81]\n"
        "bodies: {bob: {mass: 1, inertia: 0.01, at: [-1, 0], frames: {pin: [1, 0]}}}\n"
        "shapes: {ball: {type: sphere, on: bob, radius: 0.1},\n"
        "         wall: {type: plane, on: ground, at: [-0.2, 0], normal: [-1, 0]}}\n"
        "joints: {pin: {type: revolute, between: [ground, bob.pin]}}\n"
        "contacts: {hit: {between: [ball, wall], normal: {law: exact, stiffness: 1e7, restitution: 0.5}}}\n"
        "run: {until: 1, tolerance: 1e-10}\n";
    trial_run run = {0};
    open_text(&run, model, 0);
    carom_simulation_free(run.sim);
    carom_simulation_def def = carom_default_simulation_def();
    def.trial_steps = 10000;
    assert_ok(run.ctx, carom_simulation_create(run.ctx, run.model, &def, &run.sim));
    carom_contact_check c = check_of(&run, 0);
    const double down = sqrt(1 - 0.09), spin = sqrt(2 * 9.81 * down / 1.01);
    near("speed of the pendulum", c.expected_speed, spin * down, 1e-8);
    near("effective mass", c.mass, 1.01 / (down * down), 1e-8);
    assert_true(c.speed == 0 && c.peak_force > 0);
    close_run(&run);
    /* too few steps: it says so, and expects nothing */
    open_text(&run, model, 0);
    carom_simulation_free(run.sim);
    def.trial_steps = 3;
    assert_ok(run.ctx, carom_simulation_create(run.ctx, run.model, &def, &run.sim));
    c = check_of(&run, 0);
    assert_true(isnan(c.expected_speed));
    assert_non_null(strstr(c.assumed, "do not touch in a trial run of the first"));
    close_run(&run);
}

/* Held and driven sides. */
static void test_touch_of_mechanisms(void **state)
{
    (void)state;
    static const char table[] =
        "carom: 1\ndimension: 2\ngravity: [0, -9.81]\n"
        "bodies:\n"
        "  table: {mass: 1, inertia: 1, motion: {x: 0, y: 0.5*t, angle: 0}}\n"
        "  ball: {mass: 1, inertia: 1, at: [0, 0.4], velocity: [0, 0], angular_velocity: 0}\n"
        "  guided: {mass: 1, inertia: 1, at: [1, 0.3], velocity: [0, 0], angular_velocity: 0}\n"
        "joints: {rail: {type: translational, between: [ground, guided], axis: [0, 1]}}\n"
        "shapes: {top: {type: plane, on: table, normal: [0, 1]}, skin: {type: sphere, on: ball, radius: 0.1},\n"
        "         slab: {type: plane, on: ground, normal: [0, 1]}, foot: {type: sphere, on: guided, radius: 0.1}}\n"
        "contacts: {hit: {between: [top, skin], normal: {law: exact, stiffness: 1e9, restitution: 0.5}},\n"
        "           drop: {between: [slab, foot], normal: {law: exact, stiffness: 1e9, restitution: 0.5}}}\n"
        "run: {until: 1}\n";
    trial_run run;
    open_text(&run, table, 0);
    carom_contact_check c = check_of(&run, 0), drop = check_of(&run, 1);
    near("driven table", c.expected_speed, sqrt(0.25 + 2 * 9.81 * 0.3), 1e-8);
    assert_non_null(strstr(c.assumed, "driven"));
    near("guided body", drop.expected_speed, sqrt(2 * 9.81 * 0.2), 1e-8);
    assert_non_null(strstr(drop.assumed, "accelerations of the start"));
    close_run(&run);
}

/* ---- the stiffness and the rest ---- */

static void test_echo_of_the_stiffness(void **state)
{
    (void)state;
    trial_run run;
    double modulus = 0.5 * steel.young / (1 - steel.poisson * steel.poisson);
    open_ball(&run, &steel, 0);
    carom_contact_check c = check_of(&run, 0);
    near("K", c.stiffness, hertz_stiffness(&steel), 1e-14);
    near("E*", c.modulus, modulus, 1e-14);
    near("R", c.radius, steel.radius, 1e-14);
    near("point", c.reference_force, c.stiffness * pow(c.reference_indentation, 1.5), 1e-13);
    near("n", c.local_exponent, 1.5, 1e-13);
    assert_true(c.reference_indentation == c.max_indentation && isinf(c.limit));
    assert_true(c.first_step == c.duration / 50 && fabs(c.contact_step - c.duration / 20) < 1e-15 * c.duration);
    near("scale", c.absolute_scale, 1e-3 * c.max_indentation, 1e-14);
    assert_true(isnan(c.static_indentation) && isnan(c.wave_speed) && isnan(c.yield_speed));
    assert_string_equal(c.method, "exact");
    close_run(&run);
    /* a stiffness without materials: E* is what Hertz's law would need */
    ball b = steel;
    b.young = 0;
    b.gravity = 9.81;
    b.normal = "law: flores, stiffness: 1e9, restitution: 0.8";
    open_ball(&run, &b, 0);
    c = check_of(&run, 0);
    near("E* of K", 4.0 / 3 * c.modulus * sqrt(b.radius), 1e9, 1e-14);
    near("indentation at rest", c.static_indentation, pow(b.mass * 9.81 / 1e9, 2.0 / 3), 1e-12);
    close_run(&run);
    b.normal = "law: johnson, length: 0.02, E_i: 2e11, nu_i: 0.3, radius_i: -0.0105";
    open_ball(&run, &b, 0);
    c = check_of(&run, 0);
    assert_true(isnan(c.stiffness) && isnan(c.exponent) && c.local_exponent > 1.02 && c.local_exponent < 1.3);
    near("limit", c.limit, 4 * 0.0005 * exp(-2), 1e-10);
    close_run(&run);
}

/* ---- rules ---- */

/* Restitution of a free impact by the first integral, with bisections of its own. */
static double returned_by(double factor)
{
    double low = 0, high = 1;
    for (int k = 0; k < 200; k++) {
        double e = 0.5 * (low + high);
        double residual = factor * e >= 1 ? 1 : log((1 + factor) / (1 - factor * e)) - factor * (1 + e);
        *(residual > 0 ? &high : &low) = e;
    }
    return low;
}

static void test_rule_restitution(void **state)
{
    (void)state;
    /* Lankarani and Nikravesh: the e at which e' - e is 0.05 */
    double low = 0.5, high = 0.95;
    for (int k = 0; k < 100; k++) {
        double e = 0.5 * (low + high);
        *(returned_by(0.75 * (1 - e * e)) - e > 0.05 ? &low : &high) = e;
    }
    printf("  lankarani-nikravesh is off by 0.05 at e = %.6f\n", low);
    ball b = steel;
    char normal[96];
    for (int above = 0; above < 2; above++) {
        snprintf(normal, sizeof normal, "law: lankarani-nikravesh, restitution: %.12g", low + (above ? -1e-5 : 1e-5));
        b.normal = normal;
        assert_int_equal(ball_warned(&b, 0.3, CAROM_RULE_RESTITUTION), above);
        assert_int_equal(onset_warned(&b, 0.3, "returns a restitution"), above);
    }
    b.normal = "law: exact, restitution: 0.1";
    assert_false(ball_warned(&b, 0.3, CAROM_RULE_RESTITUTION));
    /* a law of another form: KV cut at F = 0 */
    b.normal = "law: tsuji, restitution: 0.3";
    assert_true(ball_warned(&b, 0.3, CAROM_RULE_RESTITUTION));
    b.normal = "law: tsuji, restitution: 0.3, release: raw";
    assert_false(ball_warned(&b, 0.3, CAROM_RULE_RESTITUTION));
}

static void test_rule_waves(void **state)
{
    (void)state;
    ball b = steel;
    b.density = 7800;
    double limit = 1e-5 * sqrt(207e9 / 7800);
    near("5.15 cm/s for steel", limit, 0.0515, 1e-3);
    assert_false(ball_warned(&b, limit * BELOW, CAROM_RULE_WAVES));
    assert_true(ball_warned(&b, limit * ABOVE, CAROM_RULE_WAVES));
    assert_false(onset_warned(&b, limit * BELOW, "sqrt(E/rho)"));
    assert_true(onset_warned(&b, limit * ABOVE, "sqrt(E/rho)"));
    /* permanent indentation is no news to such a law */
    b.normal = "law: thornton, contact_yield: 1e9";
    assert_false(ball_warned(&b, 10 * limit, CAROM_RULE_WAVES));
    /* nothing is said without a density */
    b = steel;
    assert_false(ball_warned(&b, 10, CAROM_RULE_WAVES));
}

/* Speed at which the pressure in the middle of the contact, (6 F E*^2/(pi^3 R^2))^(1/3), reaches 1.6 Y: Johnson,
   section
   4.2, with F = K delta^1.5 and m v^2/2 = 2/5 K delta^2.5. */
static double yield_speed_by(const ball *b)
{
    double modulus = 0.5 * b->young / (1 - b->poisson * b->poisson), low = 0, high = 100;
    for (int k = 0; k < 200; k++) {
        double v = 0.5 * (low + high), stiffness = hertz_stiffness(b);
        double depth = pow(1.25 * b->mass * v * v / stiffness, 0.4), force = stiffness * pow(depth, 1.5);
        double pressure = cbrt(6 * force * modulus * modulus / (pow(acos(-1), 3) * b->radius * b->radius));
        *(pressure > 1.6 * b->yield ? &high : &low) = v;
    }
    return low;
}

static void test_rule_yield(void **state)
{
    (void)state;
    ball b = steel;
    b.yield = 1e9;
    b.density = 7800;
    double speed = yield_speed_by(&b);
    printf("  yield speed of a hard steel ball %.6g m/s\n", speed);
    trial_run run;
    open_ball(&run, &b, 0);
    near("yield speed", check_of(&run, 0).yield_speed, speed, 1e-12);
    close_run(&run);
    assert_false(ball_warned(&b, speed * BELOW, CAROM_RULE_YIELD));
    assert_true(ball_warned(&b, speed * ABOVE, CAROM_RULE_YIELD));
    assert_false(onset_warned(&b, speed * BELOW, "yield speed"));
    assert_true(onset_warned(&b, speed * ABOVE, "yield speed"));
    /* one line for both rules on yielding, after a faster impact, too */
    open_ball(&run, &b, 0);
    size_t count = begin_episode(&run, &b, speed * ABOVE);
    assert_int_equal(count, 1);
    assert_int_equal(begin_episode(&run, &b, speed * BELOW), count);
    close_run(&run);
    assert_true(ball_warned(&b, speed * BELOW, CAROM_RULE_WAVES));
    assert_false(ball_warned(&b, speed * ABOVE, CAROM_RULE_WAVES));
    b.normal = "law: walton-braun, stiffness: 1e7, restitution: 0.6";
    assert_false(ball_warned(&b, speed * ABOVE, CAROM_RULE_YIELD));
}

static void test_rule_indentation(void **state)
{
    (void)state;
    ball b = steel;
    b.normal = "law: hertz";
    double speed = hertz_speed(&b, 0.01 * b.radius);
    assert_false(ball_warned(&b, speed * BELOW, CAROM_RULE_INDENTATION));
    assert_true(ball_warned(&b, speed * ABOVE, CAROM_RULE_INDENTATION));
    assert_false(onset_warned(&b, speed * BELOW, "of the radius"));
    assert_true(onset_warned(&b, speed * ABOVE, "of the radius"));
    /* a damped impact is less deep than the elastic one that bounds it */
    b.normal = "law: exact, restitution: 0.3";
    assert_false(ball_warned(&b, speed * ABOVE, CAROM_RULE_INDENTATION));
    assert_false(onset_warned(&b, speed * ABOVE, "of the radius"));
    /* a stiffness that was given */
    b.young = 0;
    b.normal = "law: hertz, stiffness: 1e9";
    speed = sqrt(0.8 * 1e9 * pow(0.1 * b.radius, 2.5) / b.mass);
    assert_false(ball_warned(&b, speed * BELOW, CAROM_RULE_INDENTATION));
    assert_true(ball_warned(&b, speed * ABOVE, CAROM_RULE_INDENTATION));
    /* in a hollow of nearly the same radius the contact area is large first: R = 0.0105 0.01/0.0005 */
    b = steel;
    b.normal = "law: hertz, radius_i: -0.0105";
    double radius = 0.0105 * 0.01 / 0.0005, depth = 0.01 * 0.01 * 0.01 / radius;
    double stiffness = 2.0 / 3 * b.young / (1 - b.poisson * b.poisson) * sqrt(radius);
    speed = sqrt(0.8 * stiffness * pow(depth, 2.5) / b.mass);
    assert_true(depth < 0.001 * b.radius);
    assert_false(ball_warned(&b, speed * BELOW, CAROM_RULE_INDENTATION));
    assert_true(ball_warned(&b, speed * ABOVE, CAROM_RULE_INDENTATION));
}

/* Elastic impact on Johnson's line law: energy to the indentation delta by Simpson's rule over the load per length, W d
   delta/dW = (ln(4 pi E* dR/W) - 2)/(pi E*). */
static double johnson_speed(double modulus, double clearance, double length, double delta, double mass)
{
    const double pi = acos(-1), full = 4 * pi * modulus * clearance;
    double low = 0, high = full * exp(-2);
    for (int k = 0; k < 200; k++) {
        double w = 0.5 * (low + high);
        *(w / (pi * modulus) * (log(full / w) - 1) > delta ? &high : &low) = w;
    }
    const int n = 200000;
    double energy = 0;
    for (int k = 1; k <= n; k++) {
        double w = low * k / n, weight = k == n ? 1 : k % 2 ? 4 : 2;
        energy += weight * w * (log(full / w) - 2) / (pi * modulus);
    }
    energy *= length * low / n / 3;
    return sqrt(2 * energy / mass);
}

static void test_rule_limit(void **state)
{
    (void)state;
    ball b = steel;
    b.normal = "law: johnson, length: 0.02, radius_i: -0.0105";
    double modulus = 0.5 * b.young / (1 - b.poisson * b.poisson), limit = 4 * 0.0005 * exp(-2);
    double speed = johnson_speed(modulus, 0.0005, 0.02, 0.8 * limit, b.mass);
    double end = johnson_speed(modulus, 0.0005, 0.02, limit, b.mass);
    printf("  johnson: 0.8 of the limit at %.6g m/s, the limit at %.6g m/s\n", speed, end);
    assert_false(ball_warned(&b, speed * BELOW, CAROM_RULE_LIMIT));
    assert_true(ball_warned(&b, speed * ABOVE, CAROM_RULE_LIMIT));
    assert_false(onset_warned(&b, speed * BELOW, "where johnson ends"));
    assert_true(onset_warned(&b, speed * ABOVE, "where johnson ends"));
    assert_true(onset_warned(&b, end * BELOW, "where johnson ends"));
    assert_false(onset_warned(&b, end * BELOW, "goes beyond"));
    assert_true(onset_warned(&b, end * ABOVE, "goes beyond"));
    trial_run run;
    open_ball(&run, &b, end * ABOVE);
    carom_contact_check c = check_of(&run, 0);
    assert_string_equal(c.method, "beyond limit");
    assert_true(isnan(c.duration) && isnan(c.achieved_restitution) && c.max_indentation == c.limit);
    assert_non_null(strstr(c.warnings[c.warning_count - 1].text, "goes beyond"));
    close_run(&run);
}

static void test_rule_static(void **state)
{
    (void)state;
    for (int above = 0; above < 2; above++) {
        ball b = steel;
        char normal[96];
        b.young = 0;
        b.gravity = 9.81;
        double stiffness = b.mass * 9.81 / pow(0.01 * b.radius, 1.5);
        snprintf(normal, sizeof normal, "law: hertz, stiffness: %.17g", stiffness * (above ? BELOW : ABOVE));
        b.normal = normal;
        assert_int_equal(ball_warned(&b, 1e-6, CAROM_RULE_STATIC), above);
    }
    /* the unit forgotten: 1e9 N/m^1.5 taken for N/mm^1.5 */
    ball b = steel;
    b.young = 0;
    b.gravity = 9.81;
    b.normal = "law: hertz, stiffness: 1e9*(1e-3)^1.5*1e-3";
    assert_true(ball_warned(&b, 0.1, CAROM_RULE_STATIC));
    /* a contact that cannot carry the weight */
    b = steel;
    b.gravity = 9.81;
    b.mass = 1e9;
    b.normal = "law: johnson, length: 0.02, radius_i: -0.0105";
    assert_true(ball_warned(&b, 1e-9, CAROM_RULE_STATIC));
}

static void test_rule_floor(void **state)
{
    (void)state;
    ball b = steel;
    b.normal = "law: flores, restitution: 0.5, minimum_speed: 0.01";
    assert_true(ball_warned(&b, 0.01 * BELOW, CAROM_RULE_FLOOR));
    assert_false(ball_warned(&b, 0.01 * ABOVE, CAROM_RULE_FLOOR));
    /* one line: the restitution is told with it */
    assert_false(ball_warned(&b, 1e-3, CAROM_RULE_RESTITUTION));
    b.normal = "law: hertz";
    assert_false(ball_warned(&b, 1e-6, CAROM_RULE_FLOOR));
    b.normal = "law: flores, restitution: 0.5, minimum_speed: 0.01, velocity: memoryless, reference_speed: 0.002";
    assert_false(ball_warned(&b, 1e-3, CAROM_RULE_FLOOR));
}

/* The models of the literature that name no densities are left alone. */
static void test_no_noise(void **state)
{
    (void)state;
    static const char *const files[] = {"bouncing_ball", "moving_table", "slider_crank_block",
                                        "specimens",     "two_spheres",  "two_spheres_3d"};
    for (size_t k = 0; k < CAROM_COUNT(files); k++) {
        char path[512];
        trial_run run = {0};
        snprintf(path, sizeof path, "%s/%s.yaml", CAROM_MODELS, files[k]);
        run.ctx = new_context();
        assert_int_equal(carom_model_load(run.ctx, path, NULL, 0, &run.model), CAROM_OK);
        assert_int_equal(carom_simulation_create(run.ctx, run.model, NULL, &run.sim), CAROM_OK);
        carom_contact_check c = check_of(&run, 0);
        if (c.warning_count)
            fail_msg("%s: %s", files[k], c.warnings[0].text);
        assert_true(c.expected_speed > 0 && c.duration > 0);
        close_run(&run);
    }
}

/* ---- texts ---- */

static char *page(carom_context *ctx, const char *name)
{
    char *text;
    if (carom_explain(ctx, name, &text) != CAROM_OK)
        fail_msg("%s: %s", name, carom_context_error(ctx));
    return text;
}

/* Each warning has a page by its code, in either case, and texts; codes and names are each other's. */
static void test_warning_pages(void **state)
{
    (void)state;
    carom_context *ctx = new_context();
    size_t count;
    const char *const *codes = carom_explain_names(ctx, "warnings", &count);
    assert_int_equal(count, CAROM_WARN_COUNT);
    for (size_t k = 0; k < count; k++) {
        const carom_warning_row *row = &carom_warning_rows[k];
        char small[8];
        snprintf(small, sizeof small, "w%s", codes[k] + 1);
        char *text = page(ctx, small);
        if (strncmp(text, row->code, 3) != 0 || !strstr(text, row->name) || !strstr(text, "\nWhen\n") ||
            !strstr(text, "\nRemedy\n"))
            fail_msg("%s: %s", codes[k], text);
        carom_text_free(ctx, text);
        assert_string_equal(codes[k], row->code);
        assert_string_equal(carom_warning_code_of(row->name), row->code);
        assert_string_equal(carom_explain_title(ctx, "warning", codes[k]), row->title);
    }
    assert_null(carom_warning_code_of("no such warning"));
    carom_context_free(ctx);
}

/* Every rule is on the page, with its threshold; the laws that the texts recommend exist. */
static void test_validity_page(void **state)
{
    (void)state;
    carom_context *ctx = new_context();
    char *text = page(ctx, "validity");
    for (int rule = 0; rule < CAROM_RULE_COUNT; rule++) {
        const carom_validity_rule *r = &carom_validity[rule];
        char part[128], number[32];
        const carom_warning_row *row = &carom_warning_rows[r->warning];
        assert_true(r->quantity && r->source && !row->when);
        assert_true(r->expected || r->onset || r->later);
        snprintf(part, sizeof part, "%s > %s", r->quantity, carom_validity_number(r->threshold, number));
        if (!strstr(text, row->title) || !strstr(text, row->code) || !strstr(text, part))
            fail_msg("rule %s: '%s' is not on the page", row->name, part);
    }
    carom_text_free(ctx, text);
    static const char *const laws[] = {"exact", "thornton", "walton-braun", "lankarani-nikravesh"};
    for (size_t k = 0; k < CAROM_COUNT(laws); k++)
        assert_non_null(carom_kind_find(all_kinds(), CAROM_FAMILY_LAW, laws[k]));
    char number[32];
    assert_string_equal(carom_validity_number(1e-5, number), "1e-5");
    assert_string_equal(carom_validity_number(3e12, number), "3e12");
    assert_string_equal(carom_validity_number(0.01, number), "0.01");
    carom_context_free(ctx);
}

/* The page of an elastic part names the keys that give it its geometry, and they are keys of the normal force. */
static void test_needs_on_the_page(void **state)
{
    (void)state;
    static const char *const keys[] = {"E_i", "nu_i", "E_j", "nu_j", "radius_i", "radius_j", "length"};
    carom_context *ctx = new_context();
    char *line = page(ctx, "elastic.johnson"), *power = page(ctx, "elastic.power"),
         *plastic = page(ctx, "elastic.walton-braun");
    size_t count;
    const carom_param_row *rows = carom_normal_params(&count);
    for (size_t k = 0; k < CAROM_COUNT(keys); k++) {
        bool known = false;
        for (size_t r = 0; r < count; r++)
            known = known || strcmp(rows[r].name, keys[k]) == 0;
        assert_true(known);
        assert_non_null(strstr(line, keys[k]));
        assert_null(strstr(power, keys[k]));
    }
    assert_non_null(strstr(line, "limit"));
    assert_non_null(strstr(plastic, "has memory"));
    carom_text_free(ctx, line);
    carom_text_free(ctx, power);
    carom_text_free(ctx, plastic);
    carom_context_free(ctx);
}

/* All kinds of every family are listed once, with their titles. */
static void test_lists(void **state)
{
    (void)state;
    carom_context *ctx = new_context();
    size_t families;
    const char *const *family = carom_explain_families(&families);
    for (size_t f = 0; f < families; f++) {
        char *text;
        size_t count;
        const char *const *names = carom_explain_names(all_kinds(), family[f], &count);
        assert_int_equal(carom_explain_list(ctx, family[f], &text), CAROM_OK);
        for (size_t k = 0; k < count; k++) {
            size_t found = 0, length = strlen(names[k]);
            for (const char *at = text; *at; at += strcspn(at, "\n"), at += *at == '\n') {
                const char *word = at + strspn(at, " ");
                const char *title = carom_explain_title(all_kinds(), family[f], names[k]);
                bool named = strncmp(word, names[k], length) == 0 && word[length] == ' ';
                found += named && strncmp(at + strcspn(at, "\n") - strlen(title), title, strlen(title)) == 0;
            }
            if (found != 1)
                fail_msg("%s %s is listed %zu times", family[f], names[k], found);
        }
        carom_text_free(ctx, text);
    }
    char *text;
    assert_int_equal(carom_explain_list(ctx, "flower", &text), CAROM_ERROR_USAGE);
    assert_refused(ctx, carom_explain(ctx, "lankarani", &text), CAROM_ERROR_USAGE, "'lankarani-nikravesh'");
    assert_refused(ctx, carom_explain(ctx, "floers", &text), CAROM_ERROR_USAGE, "did you mean 'flores'?");
    assert_int_equal(carom_explain(ctx, "xyz", &text), CAROM_ERROR_USAGE);
    carom_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_expected_against_run),
        cmocka_unit_test(test_falling_ball_against_run),
        cmocka_unit_test(test_touch_of_a_ball),
        cmocka_unit_test(test_no_touch),
        cmocka_unit_test(test_oblique_flight_against_run),
        cmocka_unit_test(test_trial_against_run),
        cmocka_unit_test(test_trial_of_a_pendulum),
        cmocka_unit_test(test_touch_of_mechanisms),
        cmocka_unit_test(test_echo_of_the_stiffness),
        cmocka_unit_test(test_rule_restitution),
        cmocka_unit_test(test_rule_waves),
        cmocka_unit_test(test_rule_yield),
        cmocka_unit_test(test_rule_indentation),
        cmocka_unit_test(test_rule_limit),
        cmocka_unit_test(test_rule_static),
        cmocka_unit_test(test_rule_floor),
        cmocka_unit_test(test_no_noise),
        cmocka_unit_test(test_warning_pages),
        cmocka_unit_test(test_validity_page),
        cmocka_unit_test(test_needs_on_the_page),
        cmocka_unit_test(test_lists),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
