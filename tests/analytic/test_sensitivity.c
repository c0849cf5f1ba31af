/* Derivatives of runs by parameters and by the start, against differences of runs extrapolated after Richardson:
   impacts, channels and states of a ball that bounces, of two spheres with friction, of a slider-crank over two
   impacts, and of what comes to stick or roll. Margins are printed. */
#include "carom_test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The accuracy that is promised, of a derivative or, if that is larger, of value over parameter, in runs of the
   tolerance TIGHT. A reference whose own error is estimated at more than a third of it is left out. */
#define PROMISED 1e-6
#define PROMISED_OF_PEAK_TIME 1e-5      /* a run has it to some 1e-5 of its step alone */
/* Where slip ends within an impact: the speed of rest, 1e-6 m/s, over the slip of some 0.1 m/s that ends there. */
#define PROMISED_OF_REST 1e-5
#define TIGHT 1e-10
#define REFERENCE 1e-11

#define MOST 12

/* A model with what is asked of it. */
typedef struct system_def {
    const char *name, *text, *file;     /* text, or a file of models/ */
    const char *parameters[MOST], *channels[MOST];
    double time;
    double step;                /* of the reference's differences, of each parameter */
    double promised;
} system_def;

static const char ball[] =
    "carom: 1\ndimension: 2\ngravity: [0, -gr]\n"
    "parameters: {gr: 9.81, mb: 0.2, R: 0.02, K: 1e8, e: 0.7, H: 0.5, law: flores}\n"
    "bodies:\n  ball: {mass: mb, inertia: 0.4*mb*R^2, at: [0, H + R]}\n"
    "shapes:\n  b: {type: sphere, on: ball, radius: R}\n  floor: {type: plane, on: ground, normal: [0, 1]}\n"
    "contacts:\n  c: {between: [b, floor], normal: {law: $law, stiffness: K, restitution: e}}\n"
    "run: {until: 1.0}\n";

static const char spheres[] =
    "carom: 1\ndimension: 3\ngravity: [0, 0, 0]\n"
    "parameters: {m1: 0.3, R: 0.03, K: 2e8, e: 0.6, v1: 1.2, off: 0.01, mu: 0.2}\n"
    "bodies:\n  a: {mass: m1, inertia: [1e-4, 1e-4, 1e-4], at: [-0.2, off, 0], velocity: [v1, 0, 0]}\n"
    "  b: {mass: 0.5, inertia: [2e-4, 2e-4, 2e-4], at: [0.1, 0, 0.002], velocity: [-0.4, 0, 0]}\n"
    "shapes:\n  sa: {type: sphere, on: a, radius: R}\n  sb: {type: sphere, on: b, radius: R}\n"
    "contacts:\n  c: {between: [sa, sb], normal: {law: hunt-crossley, stiffness: K, restitution: e},\n"
    "      friction: {law: coulomb, kinetic: mu, transition_speed: 1e-3}}\n"
    "run: {until: 0.4}\n";

static const char block[] =
    "carom: 1\ndimension: 2\ngravity: [0, -9.81]\nparameters: {mu: 0.3, mb: 2.0, v0: 1.0, k: 80}\n"
    "bodies:\n  block: {mass: mb, inertia: 0.01, velocity: [v0, 0]}\n"
    "joints:\n  rail: {type: translational, between: [ground, block], axis: [1, 0],\n"
    "      friction: {law: karnopp, kinetic: mu, preload: 12}}\n"
    "loads:\n  s: {type: spring, between: [ground, block], stiffness: k, length: 0}\n"
    "run: {until: 2}\n";

/* A limit that is met, would pull, and is left. */
static const char stop[] =
    "carom: 1\ndimension: 2\ngravity: [0, -9.81]\nparameters: {L: 0.5, mb: 1, c: 2, k: 200}\n"
    "bodies:\n  bob: {mass: mb, inertia: 1e-3, at: [L, 0]}\n"
    "joints:\n  pin: {type: revolute, between: [{ground: [0, 0]}, {bob: [-L, 0]}],\n"
    "        limits: {lower: -60*deg, stiffness: k, damping: c}}\n"
    "run: {until: 0.6}\n";

/* A stop of default stiffness, which is sized by what meets it. */
static const char sized_stop[] =
    "carom: 1\ndimension: 2\nparameters: {T: 5, I: 0.02, q: 1.5}\n"
    "bodies:\n  rotor: {mass: 1, inertia: I}\n"
    "joints:\n  pin: {type: revolute, between: [ground, rotor], limits: {upper: q}}\n"
    "loads:\n  t: {type: torque, on: rotor, torque: T}\n"
    "run: {until: 0.2}\n";

/* Two bars whose joints are kept by projections between the steps, which the derivatives share. */
static const char bars[] =
    "carom: 1\ndimension: 2\ngravity: [0, -9.81]\nparameters: {L: 0.6, mb: 1.5, w: 2}\n"
    "bodies:\n  upper: {mass: mb, inertia: 0.05, at: [L/2, 0]}\n"
    "  lower: {mass: 1, inertia: 0.03, at: [L, -0.25], angle: -90*deg}\n"
    "joints:\n  top: {type: revolute, between: [ground, {upper: [-L/2, 0]}], rate: w}\n"
    "  elbow: {type: revolute, between: [{upper: [L/2, 0]}, {lower: [-0.25, 0]}]}\n"
    "run: {until: 1, integrator: dopri5, constraints: projection, formulation: cartesian}\n";

/* Laws that hold at the speed of rest that they have by default, of which the derivatives' values beside the motion are
   far beyond: a disc with back spin that comes to roll, */
static const char disc[] =
    "carom: 1\ndimension: 2\ngravity: [0, -9.81]\nparameters: {mu: 0.25, v0: 1.2, w0: 6, mb: 0.4, R: 0.04}\n"
    "bodies:\n  disc: {mass: mb, inertia: mb*R^2/2, at: [0, R - (mb*9.81/1e6)^(2/3)], velocity: [v0, 0],\n"
    "         angular_velocity: w0}\n"
    "shapes:\n  d: {type: sphere, on: disc, radius: R}\n  floor: {type: plane, on: ground, normal: [0, 1]}\n"
    "contacts:\n  c: {between: [floor, d], normal: {law: flores, stiffness: 1e6, restitution: 0.2},\n"
    "      friction: {law: coulomb, kinetic: mu}}\n"
    "run: {until: 1}\n";

/* one of unequal moments of inertia in space that slips, also across, sticks and bounces on, */
static const char egg[] =
    "carom: 1\ndimension: 3\ngravity: [0, 0, -9.81]\n"
    "parameters: {mu: 0.5, H: 0.2, v1: 0.5, v2: 0.2, w1: 4, e: 0.6, I: 2e-4}\n"
    "bodies:\n  egg: {mass: 0.3, inertia: [I, 1.4e-4, 2.4e-4], at: [0, 0, 0.05 + H], velocity: [v1, v2, 0],\n"
    "        angular_velocity: [w1, -3, 2]}\n"
    "shapes:\n  s: {type: sphere, on: egg, radius: 0.05}\n  floor: {type: plane, on: ground, normal: [0, 0, 1]}\n"
    "contacts:\n  c: {between: [floor, s], normal: {law: flores, stiffness: 1e7, restitution: e},\n"
    "      friction: {law: coulomb, kinetic: mu}}\n"
    "run: {until: 0.7}\n";

/* and a block that sticks until a force that grows moves it on. */
static const char pulled[] =
    "carom: 1\ndimension: 2\ngravity: [0, -9.81]\nparameters: {mu: 0.2, v0: 0.3, F: 4, mb: 1.5}\n"
    "bodies:\n  block: {mass: mb, inertia: 10, at: [0, 0.05 - (mb*9.81/1e6)^(2/3)], velocity: [v0, 0]}\n"
    "shapes:\n  s: {type: sphere, on: block, radius: 0.05}\n  floor: {type: plane, on: ground, normal: [0, 1]}\n"
    "contacts:\n  c: {between: [floor, s], normal: {law: flores, stiffness: 1e6, restitution: 0.3},\n"
    "      friction: {law: coulomb, kinetic: mu}}\n"
    "loads:\n  p: {type: force, on: block, force: [F*t, 0]}\n"
    "run: {until: 1.3}\n";

/* Rates of states and of a motor's integral that switch by the time, again and again, and by their own values. */
static const char chopper[] =
    "carom: 1\ndimension: 2\nparameters: {P: 0.023, D: 0.7, imax: 2.5, Kt: 0.1, k: 30, L: 0.02, z0: 0.006}\n"
    "bodies:\n  rotor: {mass: 1, inertia: 0.01}\n  m: {mass: 1, inertia: 0.02, at: [1, 0]}\n"
    "joints:\n  ax: {type: revolute, between: [ground, rotor]}\n"
    "  h: {type: revolute, between: [{ground: [1, 0]}, m]}\n"
    "states:\n  i: {rate: \"if(mod(t, P) < D*P, if(i < imax, 12 - 2*i - Kt*speed(ax), 0), -2*i)/0.01\"}\n"
    "  z: {rate: \"if(angle(ax) < z0, mod(t, P), 0)\"}\n"
    "loads:\n  e: {type: joint-effort, on: ax, effort: Kt*i}\n"
    "  servo: {type: motor, on: h, target: \"0.5\", proportional: 0.4, derivative: 0.1,\n"
    "          integral: k, integral_limit: L}\n"
    "run: {until: 0.3}\n";

static const system_def systems[] = {
    {"ball", ball, NULL, {"K", "e", "H", "body.ball.velocity.y"}, {"body.ball.position", "body.ball.velocity"}, 0.82,
     3e-4, PROMISED},
    {"spheres", spheres, NULL, {"m1", "R", "off", "mu"}, {"body.a.position", "body.a.velocity", "body.b.velocity"}, 0.3,
     1e-4, PROMISED},
    {"slider-crank", NULL, CAROM_MODELS "/slider_crank_block.yaml", {"e", "L1", "body.block.velocity.x"},
     {"body.slider.position.x", "body.block.velocity.x", "energy.kinetic"}, 0.1, 1e-4, PROMISED},
    {"block", block, NULL, {"mu", "k", "v0", "body.block.mass"},
     {"body.block.position.x", "energy.dissipated_friction"}, 1.5, 1e-3, PROMISED},
    {"stop", stop, NULL, {"L", "k", "c", "mb"}, {"body.bob.angle", "body.bob.angular_velocity"}, 0.6, 1e-3, PROMISED},
    {"sized stop", sized_stop, NULL, {"T", "I", "q"}, {"body.rotor.angle", "body.rotor.angular_velocity"}, 0.12, 1e-3,
     PROMISED},
    {"bars", bars, NULL, {"L", "mb", "w"},
     {"body.lower.position", "body.lower.angle", "body.upper.angular_velocity"}, 1, 1e-4, PROMISED},
    {"disc", disc, NULL, {"mu", "v0", "w0", "R"},
     {"body.disc.position.x", "body.disc.angular_velocity", "energy.dissipated_friction"}, 0.9, 1e-4, PROMISED},
    {"egg", egg, NULL, {"mu", "v2", "w1", "I", "H"},
     {"body.egg.position", "body.egg.velocity", "body.egg.angular_velocity"}, 0.56, 1e-4, PROMISED_OF_REST},
    {"pulled block", pulled, NULL, {"mu", "v0", "F"},
     {"body.block.position.x", "body.block.velocity.x", "energy.dissipated_friction"}, 1.2, 1e-4, PROMISED},
    {"chopper", chopper, NULL, {"P", "D", "imax", "Kt", "L", "z0"},
     {"state.i", "state.z", "body.rotor.angle", "body.rotor.angular_velocity", "body.m.angle", "load.servo.integral"},
     0.201, 3e-5, PROMISED},
    {"ball pressed", ball, NULL, {"K", "e", "H", "mb"},
     {"contact.c.force", "contact.c.indentation", "body.ball.velocity"}, 0.3194, 1e-4, PROMISED},
};

/* ---- runs ---- */

typedef struct outcome {
    carom_impact impacts[8];
    size_t impact_count;
    double channels[MOST][4];
    int size[MOST];
} outcome;

static carom_document *read_system(carom_context *ctx, const system_def *s)
{
    carom_document *document;
    if (s->file)
        assert_ok(ctx, carom_document_read(ctx, s->file, NULL, 0, &document));
    else
        assert_ok(ctx, carom_document_parse(ctx, s->name, s->text, strlen(s->text), NULL, 0, &document));
    return document;
}

static size_t list_length(const char *const *list)
{
    size_t count = 0;
    while (count < MOST && list[count])
        count++;
    return count;
}

static void take(carom_context *ctx, const system_def *s, carom_simulation *sim, outcome *out)
{
    size_t count;
    const carom_impact *impacts = carom_simulation_impacts(sim, &count);
    out->impact_count = count < 8 ? count : 8;
    if (out->impact_count)
        memcpy(out->impacts, impacts, out->impact_count * sizeof *impacts);
    assert_ok(ctx, carom_simulation_evaluate(sim));
    for (size_t k = 0; k < list_length(s->channels); k++) {
        carom_channel_ref channel;
        assert_ok(ctx, carom_simulation_find_channel(sim, s->channels[k], &channel));
        assert_ok(ctx, carom_simulation_read(sim, &channel, out->channels[k]));
        out->size[k] = channel.size;
    }
}

/* A run with another value of a parameter. */
static void run_with(carom_context *ctx, const system_def *s, const carom_sensitivity_parameter *p, double value,
                     outcome *out)
{
    carom_document *document = read_system(ctx, s);
    carom_simulation_def def = carom_default_simulation_def();
    carom_model *model;
    carom_simulation *sim;
    char text[40];
    snprintf(text, sizeof text, "%.17g", value);
    if (p->kind == CAROM_SENSITIVITY_PARAMETER)
        assert_ok(ctx, carom_document_set(document, p->name, text));
    assert_ok(ctx, carom_model_compile(ctx, carom_document_spec(document), &model));
    def.tolerance = REFERENCE;
    assert_ok(ctx, carom_simulation_create(ctx, model, &def, &sim));
    if (p->kind == CAROM_SENSITIVITY_NUMBER) {
        assert_ok(ctx, carom_simulation_set_parameter(sim, p->name, value));
        assert_ok(ctx, carom_simulation_reset(sim));
    }
    if (p->kind == CAROM_SENSITIVITY_START) {
        carom_state *state;
        assert_ok(ctx, carom_state_create(ctx, model, &state));
        assert_ok(ctx, carom_simulation_get_state(sim, state));
        assert_ok(ctx, carom_state_set(state, p->name, &value, 1));
        assert_ok(ctx, carom_simulation_set_state(sim, state, NULL, NULL));
        carom_state_free(state);
    }
    assert_ok(ctx, carom_simulation_advance(sim, s->time));
    take(ctx, s, sim, out);
    carom_simulation_free(sim);
    carom_model_free(model);
    carom_document_free(document);
}

/* ---- comparison ---- */

typedef struct margin {
    double worst;
    char where[120];
    double promised;
    int compared, left_out;
} margin;

/* Four values at -2h, -h, h, 2h: the extrapolated difference and an estimate of its error. */
static double extrapolate(const double v[4], double h, double *error)
{
    const double near = (v[2] - v[1]) / (2 * h), far = (v[3] - v[0]) / (4 * h);
    *error = fabs(near - far) / 3;
    return (4 * near - far) / 3;
}

static void compare(margin *m, const char *what, double derivative, const double v[4], double h, double parameter)
{
    double error;
    const double reference = extrapolate(v, h, &error);
    const double over = parameter != 0 ? fabs(0.5 * (v[1] + v[2]) / parameter) : 0;
    const double size = fmax(fabs(reference), over);
    if (!isfinite(v[1]) && !isfinite(derivative))
        return;
    assert_true(isfinite(derivative));
    if (!(size > 0) || error > m->promised / 3 * size || fabs(reference) < 1e-12 * over) {
        m->left_out++;
        return;
    }
    const double miss = fabs(derivative - reference) / size;
    m->compared++;
    const bool peak_time = strstr(what, "peak_time");
    const double promised = peak_time ? fmax(PROMISED_OF_PEAK_TIME, m->promised) : m->promised;
    if (miss > m->worst && !peak_time) {
        m->worst = miss;
        snprintf(m->where, sizeof m->where, "%s", what);
    }
    if (miss > promised)
        print_error("%s: %.12g, extrapolated %.12g +- %.1e\n", what, derivative, reference, error);
    assert_true(miss <= promised);
}

static void compare_impacts(margin *m, carom_context *ctx, carom_sensitivity *of, size_t parameter,
                            const carom_sensitivity_parameter *p, const outcome runs[4], double h)
{
    size_t fields, count;
    const carom_field *field = carom_impact_fields(&fields);
    carom_simulation_impacts(carom_sensitivity_simulation(of), &count);
    assert_int_equal(count, runs[0].impact_count);
    for (size_t k = 0; k < count; k++) {
        carom_impact d;
        assert_ok(ctx, carom_sensitivity_impact(of, k, parameter, &d));
        for (size_t f = 0; f < fields; f++) {
            /* the greatest closing speed of a run is that at the ends of its steps */
            if (field[f].type != CAROM_FIELD_NUMBER || strcmp(field[f].name, "v_max") == 0)
                continue;
            double v[4], derivative;
            char what[120];
            for (int n = 0; n < 4; n++)
                memcpy(&v[n], (const char *)&runs[n].impacts[k] + field[f].offset, sizeof v[n]);
            memcpy(&derivative, (const char *)&d + field[f].offset, sizeof derivative);
            snprintf(what, sizeof what, "impact %zu %s by %s", k + 1, field[f].name, p->name);
            compare(m, what, derivative, v, h, p->value);
        }
    }
}

static void check_system(const system_def *s)
{
    carom_context *ctx = new_context();
    carom_document *document = read_system(ctx, s);
    carom_simulation_def def = carom_default_simulation_def();
    carom_sensitivity_def sensitivity = carom_default_sensitivity_def();
    carom_sensitivity *of;
    size_t count;
    margin m = {.promised = s->promised};
    def.tolerance = TIGHT;
    sensitivity.simulation = &def;
    sensitivity.parameters = s->parameters;
    sensitivity.parameter_count = list_length(s->parameters);
    assert_ok(ctx, carom_sensitivity_create(ctx, document, &sensitivity, &of));
    carom_document_free(document);
    carom_simulation *sim = carom_sensitivity_simulation(of);
    assert_ok(ctx, carom_simulation_advance(sim, s->time));
    const carom_sensitivity_parameter *p = carom_sensitivity_parameters(of, &count);
    for (size_t i = 0; i < count; i++) {
        static outcome runs[4];
        const double h = s->step * (p[i].value != 0 ? fabs(p[i].value) : 1);
        assert_true(p[i].influences && p[i].lost == HUGE_VAL);
        for (int n = 0; n < 4; n++)
            run_with(ctx, s, &p[i], p[i].value + (n < 2 ? n - 2 : n - 1) * h, &runs[n]);
        compare_impacts(&m, ctx, of, i, &p[i], runs, h);
        for (size_t k = 0; k < list_length(s->channels); k++) {
            double out[4 * MOST];
            assert_ok(ctx, carom_sensitivity_channel(of, s->channels[k], out));
            for (int c = 0; c < runs[0].size[k]; c++) {
                const double v[4] = {runs[0].channels[k][c], runs[1].channels[k][c], runs[2].channels[k][c],
                                     runs[3].channels[k][c]};
                char what[120];
                snprintf(what, sizeof what, "%s %d by %s", s->channels[k], c, p[i].name);
                compare(&m, what, out[i * (size_t)runs[0].size[k] + (size_t)c], v, h, p[i].value);
            }
        }
    }
    print_message("%-14s %3d derivatives, %d without a reference: worst %.1e of %.0e, %s\n", s->name, m.compared,
                  m.left_out, m.worst, m.promised, m.where);
    assert_true(m.compared > m.left_out);
    carom_sensitivity_free(of);
    carom_context_free(ctx);
}

static void test_systems(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof systems / sizeof systems[0]; k++)
        check_system(&systems[k]);
}


/* ---- what else there is ---- */

typedef struct asked {
    carom_context *ctx;
    carom_document *document;
    carom_sensitivity *of;
} asked;

static carom_status ask(asked *a, const char *text, const char *const *parameters, size_t count, const char *integrator)
{
    *a = (asked){.ctx = new_context()};
    assert_ok(a->ctx, carom_document_parse(a->ctx, "model", text, strlen(text), NULL, 0, &a->document));
    carom_simulation_def def = carom_default_simulation_def();
    carom_sensitivity_def sensitivity = carom_default_sensitivity_def();
    def.integrator = integrator;
    sensitivity.simulation = &def;
    sensitivity.parameters = parameters;
    sensitivity.parameter_count = count;
    return carom_sensitivity_create(a->ctx, a->document, &sensitivity, &a->of);
}

static void end(asked *a)
{
    carom_sensitivity_free(a->of);
    carom_document_free(a->document);
    carom_context_free(a->ctx);
}

/* Slip u0 = v0 + R w0 of the disc ends at u0/(3 mu g), and it rolls on at v0 - u0/3:
   x = (v0 - u0/3) t + u0^2/(18 mu g). */
static void test_rolls(void **state)
{
    (void)state;
    static const char *const by[] = {"mu", "v0", "w0"};
    const double t = 0.9, mu = 0.25, radius = 0.04, g = 9.81, u = 1.2 + radius * 6, by_slip = u / (9 * mu * g);
    const double wanted[] = {-u * u / (18 * mu * mu * g), 2 * t / 3 + by_slip, radius * (by_slip - t / 3)};
    asked a;
    double d[3];
    assert_int_equal(ask(&a, disc, by, 3, NULL), CAROM_OK);
    assert_ok(a.ctx, carom_simulation_advance(carom_sensitivity_simulation(a.of), t));
    assert_ok(a.ctx, carom_sensitivity_channel(a.of, "body.disc.position.x", d));
    for (int k = 0; k < 3; k++) {
        print_message("disc           x by %s %.10g, of the formula %.10g\n", by[k], d[k], wanted[k]);
        assert_true(fabs(d[k] - wanted[k]) <= 1e-6 * fabs(wanted[k]));
    }
    end(&a);
}

static void refuse(const char *text, const char *parameter, const char *integrator, const char *part)
{
    asked a;
    assert_int_not_equal(ask(&a, text, &parameter, 1, integrator), CAROM_OK);
    assert_null(a.of);
    if (!strstr(carom_context_error(a.ctx), part))
        print_error("'%s' lacks '%s'\n", carom_context_error(a.ctx), part);
    assert_non_null(strstr(carom_context_error(a.ctx), part));
    end(&a);
}

static void test_refusals(void **state)
{
    (void)state;
    refuse(ball, "Kk", NULL, "did you mean 'K'?");
    refuse(ball, "law", NULL, "'law': its value is a word");
    refuse(ball, "body.ball.velocity", NULL, "name one component, such as body.ball.velocity.x");
    refuse(ball, "contact.c.stifness", NULL, "did you mean 'stiffness'?");
    refuse(ball, "body.bal.mass", NULL, "the model has no such body");
    refuse(ball, "K", "moreau", "its integrator does not locate events");
    refuse(ball, "K", "verlet", "verlet");
    refuse("carom: 1\ndimension: 2\nparameters: {n: 3}\nbodies:\n"
           "  a: {mass: 1, inertia: 1e-3, copies: n}\nrun: {until: 1}\n",
           "n", NULL, "no derivatives by 'n'");
    asked a;
    const char *by = "K";
    assert_int_equal(ask(&a, ball, &by, 1, NULL), CAROM_OK);
    carom_simulation *sim = carom_sensitivity_simulation(a.of);
    assert_refused(a.ctx, carom_simulation_reset(sim), CAROM_ERROR_USAGE, "derivatives");
    assert_refused(a.ctx, carom_simulation_set_parameter(sim, "gravity.y", -1), CAROM_ERROR_USAGE, "derivatives");
    end(&a);
}

/* d ln T/d ln L of a pendulum is 1/2 at any amplitude: the time of a passage by its length. Here, of the angle by the
   length at a fixed time, phi' = -w t/(2 L): the motion is phi(t/sqrt(L)). */
static void test_pendulum(void **state)
{
    (void)state;
    static const char text[] =
        "carom: 1\ndimension: 2\ngravity: [0, -9.81]\nparameters: {L: 0.7, none: 1}\n"
        "bodies:\n  rod: {mass: 1, inertia: 1/12*L^2, at: [L/2, 0], frames: {top: [-L/2, 0]}}\n"
        "joints:\n  pin: {type: revolute, between: [ground, rod.top]}\nrun: {until: 5, tolerance: 1e-10}\n";
    const char *const by[] = {"L", "none", "gravity.y"};
    asked a;
    size_t count;
    double d[3], rate, phi[2];
    assert_int_equal(ask(&a, text, by, 3, NULL), CAROM_OK);
    carom_simulation *sim = carom_sensitivity_simulation(a.of);
    assert_ok(a.ctx, carom_simulation_advance(sim, 4));
    assert_ok(a.ctx, carom_sensitivity_channel(a.of, "body.rod.angle", d));
    assert_ok(a.ctx, carom_simulation_channel(sim, "body.rod.angular_velocity", &rate));
    const double exact = -rate * 4 / (2 * 0.7), by_gravity = rate * 4 / (2 * -9.81);
    print_message("pendulum       angle by length %.10g, of the formula %.10g: %.1e\n", d[0], exact, d[0] / exact - 1);
    assert_true(fabs(d[0] - exact) <= PROMISED * fabs(exact));
    assert_true(fabs(d[2] - by_gravity) <= PROMISED * fabs(by_gravity));
    assert_true(d[1] == 0);
    const carom_sensitivity_parameter *p = carom_sensitivity_parameters(a.of, &count);
    assert_int_equal(count, 3);
    assert_true(p[0].influences && !p[1].influences && p[2].influences);
    assert_int_equal(p[2].kind, CAROM_SENSITIVITY_NUMBER);
    assert_ok(a.ctx, carom_sensitivity_state(a.of, 0, NULL, NULL));
    assert_refused(a.ctx, carom_sensitivity_state(a.of, 3, phi, NULL), CAROM_ERROR_USAGE, "parameter 3");
    end(&a);
}

/* A restitution of 1 has one side; a ball that is thrown at the floor so slowly that it grazes it has no derivative by
   its height, from the contact on, and a warning says so. */
static void test_no_derivative(void **state)
{
    (void)state;
    static const char grazing[] =
        "carom: 1\ndimension: 2\ngravity: [0, 0]\nparameters: {y: 0.1, v: 1}\n"
        "bodies:\n  a: {mass: 1, inertia: 1e-3, at: [-0.5, y], velocity: [v, 0]}\n"
        "  b: {mass: 1, inertia: 1e-3, at: [0, -0.0999999999]}\n"
        "shapes:\n  sa: {type: sphere, on: a, radius: 0.1}\n  sb: {type: sphere, on: b, radius: 0.1}\n"
        "contacts:\n  hit: {between: [sa, sb], normal: {law: flores, stiffness: 1e8, restitution: 0.9}}\n"
        "run: {until: 1}\n";
    const char *const by[] = {"y", "v"};
    const char *e = "e";
    asked a;
    size_t count, warnings;
    double d[4];
    assert_int_equal(ask(&a, grazing, by, 2, NULL), CAROM_OK);
    assert_ok(a.ctx, carom_simulation_run(carom_sensitivity_simulation(a.of)));
    const carom_sensitivity_parameter *p = carom_sensitivity_parameters(a.of, &count);
    const char *const *warning = carom_simulation_warnings(carom_sensitivity_simulation(a.of), &warnings);
    bool told = false;
    for (size_t k = 0; k < warnings; k++)
        told = told || strstr(warning[k], "derivatives by 'y' are not defined from t = 0.4");
    assert_true(told && p[0].lost < 0.6);
    assert_ok(a.ctx, carom_sensitivity_channel(a.of, "body.a.velocity", d));
    assert_true(isnan(d[0]));
    end(&a);
    char text[sizeof ball + 8];
    snprintf(text, sizeof text, "%s", ball);
    memcpy(strstr(text, "e: 0.7"), "e: 1.0", 6);
    assert_int_equal(ask(&a, text, &e, 1, NULL), CAROM_OK);
    assert_ok(a.ctx, carom_simulation_advance(carom_sensitivity_simulation(a.of), 0.5));
    p = carom_sensitivity_parameters(a.of, &count);
    carom_impact impact;
    assert_true(p[0].one_sided);
    assert_ok(a.ctx, carom_sensitivity_impact(a.of, 0, 0, &impact));
    assert_true(fabs(impact.e_got - 1.069) < 1e-3);
    end(&a);
}

/* Rows at the output interval are those of the sampled times, and zero before the first impact. */
typedef struct rows {
    int count;
    double last, before;
} rows;

static carom_status on_row(void *user, double time, const double *data)
{
    rows *r = user;
    assert_true(fabs(time - 0.05 * r->count) < 1e-12);
    r->count++;
    r->last = data[1];
    if (time < 0.31)
        r->before = fmax(r->before, fabs(data[1]));
    return CAROM_OK;
}

static void test_record(void **state)
{
    (void)state;
    const char *by = "e";
    asked a;
    rows r = {0};
    carom_sink sink = carom_default_sink();
    carom_simulation_def def = carom_default_simulation_def();
    carom_sensitivity_def sensitivity = carom_default_sensitivity_def();
    a = (asked){.ctx = new_context()};
    assert_ok(a.ctx, carom_document_parse(a.ctx, "model", ball, strlen(ball), NULL, 0, &a.document));
    carom_run_def run = carom_document_spec(a.document)->runs[0];
    run.output_every = 0.05;
    def.run_def = &run;
    def.sink = &sink;
    sensitivity.simulation = &def;
    sensitivity.parameters = &by;
    sensitivity.parameter_count = 1;
    assert_ok(a.ctx, carom_sensitivity_create(a.ctx, a.document, &sensitivity, &a.of));
    carom_simulation *sim = carom_sensitivity_simulation(a.of);
    carom_channel_ref channel;
    double now[2];
    assert_ok(a.ctx, carom_simulation_find_channel(sim, "body.ball.position", &channel));
    assert_ok(a.ctx, carom_sensitivity_record(a.of, &channel, 1, on_row, &r));
    assert_ok(a.ctx, carom_simulation_run(sim));
    assert_int_equal(r.count, 21);
    assert_true(r.before == 0);
    assert_ok(a.ctx, carom_sensitivity_read(a.of, &channel, now));
    assert_true(fabs(now[1] - r.last) <= 1e-8 * fabs(now[1]) && now[1] != 0);
    end(&a);
}

/* A pendulum at rest beside a slider that is held so hard that stiff methods take long steps: what grows from another
   start is an error of the derivatives alone, not of the motion. And a mass at rest on a spring, which another mass
   lets swing. */
static void test_at_rest(void **state)
{
    (void)state;
    static const char pendulum[] =
        "carom: 1\ndimension: 2\ngravity: [0, -9.81]\nparameters: {th0: 0}\n"
        "bodies:\n  p: {mass: 2, inertia: 0.02, at: [sin(th0), -cos(th0)], angle: th0, frames: {top: [0, 1]}}\n"
        "  q: {mass: 1, inertia: 0.1, at: [2, 0.001]}\n"
        "joints:\n  j: {type: revolute, between: [ground, p.top]}\n"
        "  g: {type: translational, between: [{ground: [2, 0]}, q], axis: [0, 1]}\n"
        "loads: {s: {type: spring, between: [{ground: [2, -1]}, q], stiffness: 1e6, length: 1, damping: 1e5}}\n"
        "run: {until: 5}\n";
    static const char mass[] =
        "carom: 1\ndimension: 2\ngravity: [0, -9.81]\nparameters: {mb: 1}\n"
        "bodies: {p: {mass: mb, inertia: 0.02, at: [0, -9.81/100]}}\n"
        "joints: {g: {type: translational, between: [ground, p], axis: [0, 1]}}\n"
        "loads: {s: {type: spring, between: [{ground: [0, -1]}, p], stiffness: 100, length: 1}}\n"
        "run: {until: 5}\n";
    static const char *const integrators[] = {"auto", "bdf", "adams", "dop853"};
    const double swing = cos(5 * sqrt(2 * 9.81 / 2.02)), sag = -9.81 / 100 * (1 - cos(5 * sqrt(100.0)));
    for (int k = 0; k < 8; k++) {
        const char *const by = k % 2 ? "mb" : "th0";
        const double exact = k % 2 ? sag : swing;
        asked a;
        double d[3];
        assert_int_equal(ask(&a, k % 2 ? mass : pendulum, &by, 1, integrators[k / 2]), CAROM_OK);
        assert_ok(a.ctx, carom_simulation_run(carom_sensitivity_simulation(a.of)));
        assert_ok(a.ctx, carom_sensitivity_channel(a.of, k % 2 ? "body.p.position.y" : "body.p.angle", d));
        print_message("at rest, %-7s %.9f, of the formula %.9f\n", integrators[k / 2], d[0], exact);
        assert_true(fabs(d[0] - exact) <= 1e-5);
        end(&a);
    }
}

static void count_lines(void *user, carom_log_level level, const char *text)
{
    (void)text;
    *(size_t *)user += level == CAROM_LOG_WARNING;
}

/* What the model and its start tell is told once: of the run, not of the models and runs beside it again. */
static void test_told_once(void **state)
{
    (void)state;
    static const char text[] =
        "carom: 1\ndimension: 2\ngravity: [0, -9.81]\nparameters: {mb: 1, w0: 0.1}\n"
        "bodies:\n  bob: {mass: mb, inertia: 0.1, at: [1.5, 0], frames: {end: [-1, 0]}, angular_velocity: w0}\n"
        "joints:\n  pin: {type: revolute, between: [ground, bob.end]}\nrun: {until: 0.1}\n";
    static const char *const by[] = {"mb", "w0"};
    size_t lines = 0, own;
    carom_context_def c = carom_default_context_def();
    carom_context *ctx;
    carom_document *document;
    carom_model *model;
    carom_simulation *sim;
    carom_sensitivity *sensitivity;
    carom_sensitivity_def def = carom_default_sensitivity_def();
    c.log = count_lines;
    c.log_user = &lines;
    assert_int_equal(carom_context_create(&c, &ctx), CAROM_OK);
    assert_ok(ctx, carom_document_parse(ctx, "open", text, sizeof text - 1, NULL, 0, &document));
    assert_ok(ctx, carom_model_compile(ctx, carom_document_spec(document), &model));
    assert_ok(ctx, carom_simulation_create(ctx, model, NULL, &sim));
    own = lines;
    assert_true(own > 0);
    lines = 0;
    def.parameters = by;
    def.parameter_count = 2;
    assert_ok(ctx, carom_sensitivity_create(ctx, document, &def, &sensitivity));
    assert_int_equal(lines, own);
    carom_sensitivity_free(sensitivity);
    carom_simulation_free(sim);
    carom_model_free(model);
    carom_document_free(document);
    carom_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_systems),
        cmocka_unit_test(test_rolls),
        cmocka_unit_test(test_pendulum),
        cmocka_unit_test(test_at_rest),
        cmocka_unit_test(test_record),
        cmocka_unit_test(test_no_derivative),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_told_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
