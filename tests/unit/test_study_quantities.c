/* Quantities of studies: against what the impacts say of the same run, closed forms of a falling ball, and what is
   refused, with its place. */
#include "carom_test.h"

#include <math.h>

#define CAROM_COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

#include "carom/study.h"

/* A ball that falls 0.1 m onto a plate and bounces, with nothing but gravity. */
static const char ball[] = "carom: 1\n"
                           "dimension: 2\n"
                           "gravity: [0, -9.81]\n"
                           "parameters: {e: 0.8, h: 0.1*m, law: flores, k: 1e8}\n"
                           "bodies:\n"
                           "  ball: {mass: 0.1, inertia: 4e-6, at: [0, h + 0.01], velocity: [0.3, 0]}\n"
                           "shapes:\n"
                           "  skin: {type: sphere, on: ball, radius: 0.01}\n"
                           "  plate: {type: plane, on: ground, normal: [0, 1]}\n"
                           "contacts:\n"
                           "  hit: {between: [plate, skin], normal: {law: $law, stiffness: k, restitution: e}}\n"
                           "run: {until: 0.3, tolerance: 1e-9}\n";

static void assert_close(double got, double expected, double tolerance)
{
    if (!(fabs(got - expected) <= tolerance))
        fail_msg("%.17g is not %.17g to %g", got, expected, tolerance);
}

static carom_study *parse(carom_context *ctx, const char *text)
{
    carom_study *study = NULL;
    assert_ok(ctx, carom_study_parse(ctx, "study.yaml", text, strlen(text), ball, &study));
    assert_ok(ctx, carom_study_check(ctx, study));
    return study;
}

static double quantity(const carom_study *study, const carom_study_outcome *o, const char *name)
{
    carom_study_quantity q;
    for (size_t k = 0; carom_study_get_quantity(study, k, &q); k++)
        if (strcmp(q.name, name) == 0)
            return o->quantities[k];
    fail_msg("no quantity '%s'", name);
    return 0;
}

static void test_falling_ball(void **state)
{
    carom_context *ctx = new_context();
    (void)state;
    carom_study *study = parse(ctx, "model: ball.yaml\n"
                                    "parameters: {e: [0.8, 0.5], h: [0.1*m, 0.05*m]}\n"
                                    "quantities:\n"
                                    "  touch: impacts[1].onset\n"
                                    "  falls: when(body.ball.position.y < 0.03)\n"
                                    "  rises: when(body.ball.velocity.y > 0)\n"
                                    "  again: when(body.ball.velocity.y < 0, 2)\n"
                                    "  peak: max(contact.hit.force)\n"
                                    "  located: impacts[hit, 1].peak_force\n"
                                    "  strongest: max(impacts.peak_force)\n"
                                    "  lost: sum(impacts[hit].energy_lost)\n"
                                    "  book: ledger.dissipated_contact\n"
                                    "  impacts: count(impacts)\n"
                                    "  path: integral(body.ball.velocity.x)\n"
                                    "  mean_fall: mean(body.ball.velocity.y, 0, impacts[1].onset)\n"
                                    "  rms_fall: rms(body.ball.velocity.y, 0, 0.5*impacts[1].onset)\n"
                                    "  half: at(body.ball.position.y, 0.5*touch)\n"
                                    "  highest: max(body.ball.position.y, 1.1*rises, 0.3)\n"
                                    "  ratio: 2*highest/h + 0*impacts\n"
                                    "  none: impacts[99].e_got\n"
                                    "  first: start(body.ball.position.y) - h\n"
                                    "  greater: max(peak, 3, e)\n");
    carom_study_runner *runner;
    carom_study_outcome o;
    assert_ok(ctx, carom_study_runner_create(ctx, study, &runner));
    for (size_t run = 0; run < 4; run++) {
        const double h = run % 2 ? 0.05 : 0.1, g = 9.81, t = sqrt(2 * h / g);
        assert_ok(ctx, carom_study_run(runner, run, NULL, NULL, &o));
        assert_string_equal(o.status, "completed");
        /* between rows of a parabola the interpolation is exact; what is left is the integration's 1e-9 */
        assert_close(quantity(study, &o, "touch"), t, 1e-8);
        assert_close(quantity(study, &o, "falls"), sqrt(2 * (h + 0.01 - 0.03) / g), 1e-8);
        assert_close(quantity(study, &o, "mean_fall"), -h / t, 1e-8);
        assert_close(quantity(study, &o, "rms_fall"), g * t / sqrt(12), 1e-8);
        assert_close(quantity(study, &o, "half"), 0.01 + 0.75 * h, 1e-8);
        assert_close(quantity(study, &o, "path"), 0.09, 1e-8);
        assert_close(quantity(study, &o, "first"), 0.01, 1e-12);
        /* the greatest row of a half wave of some 100 steps, refined */
        const double located = quantity(study, &o, "located");
        assert_close(quantity(study, &o, "peak") / located, 1, 1e-5);
        assert_close(quantity(study, &o, "strongest"), located, 0);
        assert_close(quantity(study, &o, "greater"), quantity(study, &o, "peak"), 0);
        /* the ledger has the contact that is open at the end as well */
        const double book = quantity(study, &o, "book");
        assert_true(quantity(study, &o, "lost") <= book + 1e-9 && quantity(study, &o, "lost") > 0.999 * book);
        assert_close(quantity(study, &o, "ratio") * h, 2 * quantity(study, &o, "highest"), 1e-12);
        assert_true(quantity(study, &o, "rises") > t && quantity(study, &o, "again") > quantity(study, &o, "rises"));
        assert_true(isnan(quantity(study, &o, "none")));
        assert_non_null(strstr(o.message, "none: there is no impact 99: the run has"));
    }
    carom_study_quantity q;
    static const char *const units[] = {"s", "s", "s", "s", "N", "N", "N", "J", "J", NULL, "m", "m/s", "m/s", "m", "m"};
    for (size_t k = 0; k < CAROM_COUNT_OF(units); k++) {
        assert_true(carom_study_get_quantity(study, k, &q));
        if (units[k])
            assert_string_equal(q.unit, units[k]);
        else
            assert_null(q.unit);
    }
    carom_study_runner_free(runner);
    carom_study_free(study);
    carom_context_free(ctx);
}

/* A table that falls onto a pad of Kelvin's law and feels a push from a time on: at both instants its acceleration
   jumps, at the onset by D v/m, and before and behind them all is known in closed form, however far apart rows are. */
static void test_jumps(void **state)
{
    static const char model[] =
        "carom: 1\ndimension: 2\ngravity: [0, -10]\nparameters: {D: 4e3}\n"
        "bodies: {table: {mass: 20, inertia: 1, at: [0, 0.25]}}\n"
        "joints: {guide: {type: translational, between: [ground, table], axis: [0, 1]}}\n"
        "shapes: {nose: {type: sphere, on: table, radius: 0.05}, pad: {type: plane, on: ground, normal: [0, 1]}}\n"
        "contacts: {hit: {between: [pad, nose], normal: {law: kelvin-voigt, stiffness: 2e6, damping: $D}}}\n"
        "loads: {push: {type: force, on: table, force: [0, '100*(t > 0.1234567)']}}\n"
        "run: {until: 0.4, tolerance: 1e-9, output: {every: 0.1}}\n";
    static const char text[] =
        "model: drop.yaml\nparameters: {D: [4e3, 12e3]}\nquantities:\n"
        "  onset: impacts[1].onset\n  v: impacts[1].v_in\n"
        "  flies: at(body.table.acceleration.y, onset - 1e-9*s)\n"
        "  bears: at(body.table.acceleration.y, onset + 1e-9*s)\n"
        "  falls: at(body.table.acceleration.y, 0.1234566)\n  pushed: at(body.table.acceleration.y, 0.1234568)\n"
        "  gained: integral(body.table.acceleration.y) - end(body.table.velocity.y)\n"
        "  air: rms(body.table.acceleration.y, 0.15, onset)\n"
        "  least: min(body.table.acceleration.y, 0.15, onset + 1e-7*s)\n"
        "  most: max(body.table.acceleration.y, 0, 0.15)\n"
        "  touches: when(contact.hit.force > 1*N) - onset\n";
    carom_context *ctx = new_context();
    carom_study *study = NULL;
    carom_study_runner *runner;
    carom_study_outcome o;
    (void)state;
    assert_ok(ctx, carom_study_parse(ctx, "study.yaml", text, strlen(text), model, &study));
    assert_ok(ctx, carom_study_check(ctx, study));
    assert_ok(ctx, carom_study_runner_create(ctx, study, &runner));
    for (size_t run = 0; run < 2; run++) {
        const double damping = run ? 12e3 : 4e3, mass = 20, t1 = 0.1234567;
        assert_ok(ctx, carom_study_run(runner, run, NULL, NULL, &o));
        assert_string_equal(o.status, "completed");
        /* 0.2 m at -10 m/s^2, behind t1 at -5 m/s^2 */
        const double v1 = 10 * t1, left = 0.2 - 5 * t1 * t1, v = sqrt(v1 * v1 + 10 * left);
        assert_close(quantity(study, &o, "v"), v, 1e-8);
        assert_close(quantity(study, &o, "onset"), t1 + (v - v1) / 5, 1e-8);
        assert_close(quantity(study, &o, "falls"), -10, 1e-9);
        assert_close(quantity(study, &o, "pushed"), -5, 1e-9);
        assert_close(quantity(study, &o, "flies"), -5, 1e-9);
        /* within 1 ns the force grows by (K - D^2/m) v dt */
        assert_close(quantity(study, &o, "bears"), damping * v / mass - 5, 1e-3);
        assert_close(quantity(study, &o, "air"), 5, 1e-6);
        assert_close(quantity(study, &o, "least"), -5, 1e-9);
        assert_close(quantity(study, &o, "most"), -5, 1e-9);
        assert_close(quantity(study, &o, "touches"), 0, 1e-12);
        /* the cubic between steps of the impact: a share of 1e-3 of its 4 m/s */
        assert_close(quantity(study, &o, "gained"), 0, 4e-3);
    }
    carom_study_runner_free(runner);
    carom_study_free(study);
    carom_context_free(ctx);
}

/* The time is read as a channel is, also where no quantity reads a channel. */
static void test_time(void **state)
{
    carom_context *ctx = new_context();
    (void)state;
    for (int with_channel = 0; with_channel < 2; with_channel++) {
        char text[900];
        snprintf(text, sizeof text,
                 "model: ball.yaml\nparameters: {e: [0.8]}\nquantities:\n%s"
                 "  there: at(t, 0.1)\n  last: end(t)\n  begun: start(2*t)\n  late: when(t > 0.123)\n"
                 "  middle: mean(t)\n  area: integral(t, 0.1, 0.2)\n  wave: rms(sin(2*pi*t/(0.3*s)))\n"
                 "  late_peak: integral(max(t, 0.1*s, 0.2*s))\n  nested: mean(t*at(t, 0.2))\n",
                 with_channel ? "  fall: end(body.ball.velocity.x*t)\n" : "");
        carom_study *study = parse(ctx, text);
        carom_study_runner *runner;
        carom_study_outcome o;
        carom_study_quantity q;
        assert_ok(ctx, carom_study_runner_create(ctx, study, &runner));
        assert_ok(ctx, carom_study_run(runner, 0, NULL, NULL, &o));
        assert_string_equal(o.status, "completed");
        assert_close(quantity(study, &o, "there"), 0.1, 1e-15);
        assert_close(quantity(study, &o, "last"), 0.3, 1e-15);
        assert_close(quantity(study, &o, "begun"), 0, 0);
        assert_close(quantity(study, &o, "late"), 0.123, 1e-15);
        assert_close(quantity(study, &o, "middle"), 0.15, 1e-14);
        assert_close(quantity(study, &o, "area"), 0.015, 1e-14);
        assert_close(quantity(study, &o, "wave"), sqrt(0.5), 1e-9);
        /* 0.2 up to there, the time behind */
        assert_close(quantity(study, &o, "late_peak"), 0.04 + 0.025, 1e-6);
        assert_close(quantity(study, &o, "nested"), 0.03, 1e-14);
        if (with_channel)
            assert_close(quantity(study, &o, "fall"), 0.09, 1e-12);
        assert_true(carom_study_get_quantity(study, (size_t)with_channel, &q));
        assert_string_equal(q.unit, "s");
        carom_study_runner_free(runner);
        carom_study_free(study);
    }
    carom_context_free(ctx);
}

/* A pendulum that hangs: its frequency has a closed form. */
static const char pendulum[] = "carom: 1\n"
                               "dimension: 2\n"
                               "gravity: [0, -9.81]\n"
                               "parameters: {L: 1}\n"
                               "bodies:\n"
                               "  bob: {mass: 1, inertia: 0.02, at: [0, -L], frames: {pivot: {at: [0, L]}}}\n"
                               "joints:\n"
                               "  pin: {type: revolute, between: [ground, bob.pivot]}\n"
                               "run: {analysis: modes, about: state}\n";

static void test_numbers_of_an_analysis(void **state)
{
    carom_context *ctx = new_context();
    (void)state;
    static const char text[] =
        "model: pendulum.yaml\nparameters: {L: [0.5, 2]}\n"
        "quantities: {f: 'modes[1].frequency', lowest: value.lowest_frequency, last: 'modes[-1].mode'}\n";
    static const struct {
        const char *part, *text;
    } wrong[] = {
        {"no 'freqency'; did you mean 'frequency'", "modes[1].freqency"},
        {"no table 'mode'; did you mean 'modes'", "mode[1].frequency"},
        {"no 'lowest'", "value.lowest"},
        {"'kind' is a text", "modes[1].kind"},
        {"is no motion", "impacts[1].e_got"},
    };
    carom_study *study = NULL;
    carom_study_runner *runner;
    carom_study_outcome o;
    carom_study_quantity q;
    assert_ok(ctx, carom_study_parse(ctx, "study.yaml", text, strlen(text), pendulum, &study));
    assert_ok(ctx, carom_study_check(ctx, study));
    assert_ok(ctx, carom_study_runner_create(ctx, study, &runner));
    for (size_t run = 0; run < 2; run++) {
        const double l = run ? 2 : 0.5;
        assert_ok(ctx, carom_study_run(runner, run, NULL, NULL, &o));
        assert_string_equal(o.status, "completed");
        /* modes are differences of accelerations: to about 1e-8 */
        assert_close(o.quantities[0] * 2 * 3.141592653589793, sqrt(9.81 * l / (0.02 + l * l)), 1e-6);
        assert_close(o.quantities[1], o.quantities[0], 1e-12);
        assert_close(o.quantities[2], 1, 0);
    }
    assert_true(carom_study_get_quantity(study, 0, &q));
    assert_string_equal(q.unit, "Hz");
    carom_study_runner_free(runner);
    carom_study_free(study);
    for (size_t k = 0; k < CAROM_COUNT_OF(wrong); k++) {
        char own[256];
        snprintf(own, sizeof own, "model: p.yaml\nparameters: {L: [1, 2]}\nquantities: {q: '%s'}\n", wrong[k].text);
        assert_ok(ctx, carom_study_parse(ctx, "study.yaml", own, strlen(own), pendulum, &study));
        assert_refused(ctx, carom_study_check(ctx, study), CAROM_ERROR_MODEL, wrong[k].part);
        carom_study_free(study);
    }
    carom_context_free(ctx);
}

/* A run that the model refuses is an outcome; the next one is not touched by it. */
static void test_failures_are_outcomes(void **state)
{
    carom_context *ctx = new_context();
    (void)state;
    carom_study *study = parse(ctx, "model: ball.yaml\nparameters: {e: [0.5, 1.5, 0.7]}\n"
                                    "quantities: {e_got: 'impacts[1].e_got'}\n");
    carom_study_runner *runner;
    carom_study_outcome o;
    assert_ok(ctx, carom_study_runner_create(ctx, study, &runner));
    assert_ok(ctx, carom_study_run(runner, 1, NULL, NULL, &o));
    assert_string_equal(o.status, "refused");
    assert_non_null(strstr(o.message, "1.5"));
    assert_true(isnan(o.quantities[0]));
    assert_ok(ctx, carom_study_run(runner, 2, NULL, NULL, &o));
    assert_string_equal(o.status, "completed");
    assert_string_equal(o.message, "");
    assert_refused(ctx, carom_study_run(runner, 3, NULL, NULL, &o), CAROM_ERROR_USAGE, "the study has 3");
    carom_study_runner_free(runner);
    carom_study_free(study);
    carom_context_free(ctx);
}

/* ---- what is refused ---- */

static void expect_study(carom_context *ctx, carom_status status, const char *part, const char *text)
{
    carom_study *study = NULL;
    carom_status got = carom_study_parse(ctx, "study.yaml", text, strlen(text), ball, &study);
    if (got == CAROM_OK)
        got = carom_study_check(ctx, study);
    carom_study_free(study);
    if (got != status || !strstr(carom_context_error(ctx), part))
        fail_msg("status %d: '%s' does not say '%s'\n%s", (int)got, carom_context_error(ctx), part, text);
}

/* Sums of forces that bear 2 and 3 kg. */
static void weigh(const char *model, const char *text)
{
    carom_context *ctx = new_context();
    carom_study *study = NULL;
    carom_study_runner *runner;
    carom_study_outcome o;
    assert_ok(ctx, carom_study_parse(ctx, "study.yaml", text, strlen(text), model, &study));
    assert_ok(ctx, carom_study_check(ctx, study));
    assert_ok(ctx, carom_study_runner_create(ctx, study, &runner));
    for (size_t run = 0; run < 2; run++) {
        assert_ok(ctx, carom_study_run(runner, run, NULL, NULL, &o));
        assert_string_equal(o.status, "completed");
        assert_close(quantity(study, &o, "sum"), run ? 30 : 20, 1e-4);
    }
    carom_study_runner_free(runner);
    carom_study_free(study);
    carom_context_free(ctx);
}

/* A place of a contact with several by its number: a box that rests on two corners. Pairs of a contact set. */
static void test_places(void **state)
{
    (void)state;
    static const char box[] =
        "carom: 1\ndimension: 2\ngravity: [0, -10]\nparameters: {load: 2}\n"
        "bodies: {b: {mass: load, inertia: 0.03, at: [0, 0.1]}}\n"
        "shapes: {b: {type: box, on: b, size: [0.4, 0.2]}, f: {type: plane, on: ground, normal: [0, 1]}}\n"
        "contacts: {c: {between: [f, b], normal: {law: kelvin-voigt, stiffness: 1e5, damping: 1e3}}}\n"
        "run: {until: 0.5}\n";
    static const char text[] =
        "model: box.yaml\nparameters: {load: [2, 3]}\nquantities:\n"
        "  sum: end(contact.c.1.force) + end(contact.c.2.force) + end(contact.c.3.force) + end(contact.c.4.force)\n";
    static const char pair[] =
        "carom: 1\ndimension: 2\ngravity: [0, -10]\nparameters: {load: 2}\n"
        "bodies: {b: {mass: load, inertia: 0.03, at: [0, 0.1]}, c: {mass: 1, inertia: 0.1, at: [1, 0.1]}}\n"
        "shapes: {b-1: {type: circle, on: b, radius: 0.1}, c-1: {type: circle, on: c, radius: 0.1},\n"
        "         f: {type: plane, on: ground, normal: [0, 1]}}\n"
        "contacts: {s: {all: ['*'], normal: {law: kelvin-voigt, stiffness: 1e5, damping: 1e3}}}\n"
        "run: {until: 0.5}\n";
    static const char of_pair[] = "model: box.yaml\nparameters: {load: [2, 3]}\nquantities:\n"
                                  "  unlike: end(contact.s.b-1-f.force-contact.s.c-1-f.force-ledger.kinetic)\n"
                                  "  sum: unlike + end(contact.s.c-1-f.force)\n";
    weigh(box, text);
    weigh(pair, of_pair);
}

#define STUDY(rest) "model: ball.yaml\nparameters: {e: [0.5, 0.7]}\n" rest
#define QUANTITY(text) STUDY("quantities: {q: '" text "'}\n")

static void test_refused_quantities(void **state)
{
    carom_context *ctx = new_context();
    (void)state;
    static const struct {
        const char *part, *text;
    } wrong[] = {
        {"study.yaml:3:22", QUANTITY("1 + contact.hit.forc")},
        {"did you mean 'contact.hit.force'", QUANTITY("max(contact.hit.forc)")},
        {"is a channel: say what of it", QUANTITY("contact.hit.force")},
        {"impacts have no 'e_gott'; did you mean 'e_got'", QUANTITY("impacts[1].e_gott")},
        {"numbered from 1", QUANTITY("impacts[0].e_got")},
        {"is a column: name a row", QUANTITY("impacts.e_got")},
        {"say what of it", QUANTITY("impacts[1]")},
        {"'contact' is a text", QUANTITY("impacts[1].contact")},
        {"no contact 'hitt'; did you mean 'hit'", QUANTITY("impacts[hitt,1].e_got")},
        {"the terms of the ledger have no 'kinetik'", QUANTITY("ledger.kinetik")},
        {"rms(x [, from, to])", QUANTITY("rms(e)")},
        {"no parameter or constant 'kk'", QUANTITY("kk + 1")},
        {"no function 'maxx'; did you mean 'max'", QUANTITY("maxx(contact.hit.force)")},
        {"no function 'peak'; over the time there are", QUANTITY("peak(contact.hit.force)")},
        {"a row stands in brackets", QUANTITY("impacts(1)")},
        {"stands in quotes", STUDY("quantities: {q: impacts[1].e_got}\n")},
        {"vector", QUANTITY("max(body.ball.velocity)")},
        {"a motion, with channels and impacts", QUANTITY("value.frequency")},
        {"cannot be the name of a quantity", STUDY("quantities: {max: 'e'}\n")},
        {"is the name of a parameter", STUDY("quantities: {e: 'impacts[1].e_got'}\n")},
        {"parameter of the model", STUDY("quantities: {k: 'impacts[1].e_got'}\n")},
        {"a length [m]", QUANTITY("max(body.ball.position.y) + 2*N")},
        {"the expression ends", QUANTITY("max(contact.hit.force) + ")},
    };
    for (size_t k = 0; k < CAROM_COUNT_OF(wrong); k++)
        expect_study(ctx, CAROM_ERROR_MODEL, wrong[k].part, wrong[k].text);
    carom_context_free(ctx);
}

static void test_refused_studies(void **state)
{
    carom_context *ctx = new_context();
    (void)state;
#define REST "quantities: {q: 'impacts[1].e_got'}\n"
    static const struct {
        carom_status status;
        const char *part, *text;
    } wrong[] = {
        {CAROM_ERROR_MODEL, "study.yaml:3:1: a study: no key 'quantitys'; did you mean 'quantities'",
         STUDY("quantitys: {q: e}\n")},
        {CAROM_ERROR_MODEL, "the study has no `quantities`", STUDY("")},
        {CAROM_ERROR_MODEL, "the study has no `parameters`", "model: ball.yaml\n" REST},
        {CAROM_ERROR_MODEL, "this is a model, not a study", "bodies: {}\n"},
        {CAROM_ERROR_MODEL, "study.yaml:2:17: parameter 'e' has no values",
         "model: b.yaml\nparameters: {e: []}\n" REST},
        {CAROM_ERROR_MODEL, "the range from 0.9 to 0.3 is empty",
         "model: b.yaml\nparameters: {e: {from: 0.9, to: 0.3, count: 3}}\n" REST},
        {CAROM_ERROR_MODEL, "no key 'form'; did you mean 'from'",
         "model: b.yaml\nparameters: {e: {form: 0.9, to: 0.3, count: 3}}\n" REST},
        {CAROM_ERROR_MODEL, "is a range, and `sampling: grid` takes values",
         "model: b.yaml\nparameters: {e: {from: 0.3, to: 0.9}}\n" REST},
        {CAROM_ERROR_MODEL, "the study has 1e+09 runs; at most 10000000",
         "model: b.yaml\nparameters: {e: {from: 0.3, to: 0.9, count: 1000}, k: {from: 1, to: 2, count: 1000},\n"
         "  h: {from: 1, to: 2, count: 1000}}\n" REST},
        {CAROM_ERROR_MODEL, "no sampler 'sobel'; did you mean 'sobol'",
         "model: b.yaml\nparameters: {e: {from: 0.3, to: 0.9}}\nsampling: sobel\n" REST},
        {CAROM_ERROR_MODEL, "`sampling: sobol` takes no 'levels'",
         "model: b.yaml\nparameters: {e: {from: 0.3, to: 0.9}}\nsampling: {type: sobol, levels: 4}\n" REST},
        {CAROM_ERROR_MODEL, "'count' is a whole number from 1",
         "model: b.yaml\nparameters: {e: {from: 0.3, to: 0.9}}\nsampling: {type: sobol, count: 0}\n" REST},
        {CAROM_ERROR_MODEL, "an even number",
         "model: b.yaml\nparameters: {e: {from: 0.3, to: 0.9}}\n"
         "sampling: {type: morris, levels: 5}\n" REST},
        {CAROM_ERROR_MODEL, "takes ranges", STUDY("sampling: morris\n" REST)},
        {CAROM_ERROR_MODEL, "the same number of values",
         "model: b.yaml\nparameters: {e: [0.3, 0.5], k: [1e8]}\nsampling: list\n" REST},
        {CAROM_ERROR_MODEL, "has its value 1 twice", "model: b.yaml\nparameters: {e: [0.3, 0.3]}\n" REST},
        {CAROM_ERROR_USAGE, "study.yaml:2:14: 'ee=0.5': the model has no parameter 'ee'; did you mean 'e'",
         "model: b.yaml\nparameters: {ee: [0.5]}\n" REST},
        {CAROM_ERROR_USAGE, "is a word in the model", "model: b.yaml\nparameters: {law: [1, 2]}\n" REST},
        {CAROM_ERROR_MODEL, "'e' varies by `parameters`", STUDY("set: {e: 0.5}\n" REST)},
        {CAROM_ERROR_USAGE, "study.yaml:3:7: 'kk=1': the model has no parameter 'kk'", STUDY("set: {kk: 1}\n" REST)},
        {CAROM_ERROR_MODEL, "run: no key 'untill'; did you mean 'until'", STUDY("run: {untill: 1}\n" REST)},
        {CAROM_ERROR_MODEL, "'sd' of 'e' is greater than 0",
         "model: b.yaml\nparameters: {e: {mean: 0.5, sd: 0}}\nsampling: random\n" REST},
    };
    for (size_t k = 0; k < CAROM_COUNT_OF(wrong); k++)
        expect_study(ctx, wrong[k].status, wrong[k].part, wrong[k].text);
    carom_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_falling_ball),
        cmocka_unit_test(test_jumps),
        cmocka_unit_test(test_time),
        cmocka_unit_test(test_numbers_of_an_analysis),
        cmocka_unit_test(test_failures_are_outcomes),
        cmocka_unit_test(test_refused_quantities),
        cmocka_unit_test(test_refused_studies),
        cmocka_unit_test(test_places),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
