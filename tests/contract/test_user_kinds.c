/* Kinds that a program registers: what is refused, that they do what built-in kinds with the same formulas do, that
   they have their place in texts. The contract of their functions is tested with that of the built-in ones, in the
   other files. */
#include "carom_test.h"

#include <math.h>
#include <carom/carom.h>

#include "support/outside.h"
#include "support/trial.h"

static carom_context *fresh(void)
{
    carom_context *ctx = new_context();
    return ctx;
}

/* ---- refusals ---- */

static const char *prepare(void *user, const double *p, const carom_contact_geometry *geometry, double *c)
{
    (void)user;
    (void)p;
    (void)geometry;
    c[0] = 1;
    return NULL;
}

static void force(void *user, const double *c, const double *history, double delta, carom_elastic_force *out)
{
    (void)user;
    (void)history;
    *out = (carom_elastic_force){c[0] * delta, c[0], 0.5 * c[0] * delta * delta, 0};
}

static double turn(void *user, const double *c, const double *history, double delta, double rate)
{
    (void)user;
    (void)c;
    (void)history;
    (void)delta;
    return rate;
}

static void advance(void *user, const double *c, double *history, double delta, double rate)
{
    (void)user;
    (void)c;
    (void)delta;
    (void)rate;
    history[0] = 1;
}

static const carom_param_row good = {"gain", "-", 1, 0, 1, 0, HUGE_VAL, "A number."};

static carom_elastic_kind_def sound(const carom_param_row *rows, size_t count)
{
    carom_elastic_kind_def def = carom_default_elastic_kind_def();
    def.kind.name = "sound";
    def.kind.title = "A part with nothing wrong.";
    def.kind.params = rows;
    def.kind.param_count = count;
    def.prepare = prepare;
    def.force = force;
    return def;
}

/* Registering fails with a message that has the words, and leaves the context as it was. */
static void refuse(const carom_elastic_kind_def *def, const char *words)
{
    carom_context *ctx = fresh();
    size_t before, after;
    carom_explain_names(ctx, "elastic", &before);
    assert_int_equal(carom_register_elastic(ctx, def), CAROM_ERROR_USAGE);
    if (!strstr(carom_context_error(ctx), words))
        fail_msg("the message has no '%s': %s", words, carom_context_error(ctx));
    carom_explain_names(ctx, "elastic", &after);
    assert_int_equal(before, after);
    carom_context_free(ctx);
}

static void test_refused_definitions(void **state)
{
    (void)state;
    carom_param_row row = good;
    refuse(NULL, "no definition");
#define SPOIL(change, words)                       \
    do {                                           \
        row = good;                                \
        carom_param_row two[] = {good, good};      \
        carom_elastic_kind_def d = sound(&row, 1); \
        (void)two;                                 \
        change;                                    \
        refuse(&d, words);                         \
    } while (0)
    SPOIL(d.kind.size--, "bytes");
    SPOIL(d.kind.version++, "version");
    SPOIL(d.kind.name = NULL, "name");
    SPOIL(d.kind.name = "", "name");
    SPOIL(d.kind.name = "My-Law", "lower-case");
    SPOIL(d.kind.name = "my law", "lower-case");
    SPOIL(d.kind.name = "1st", "lower-case");
    SPOIL(d.kind.name = "hertz", "taken");
    SPOIL(d.kind.title = "", "title");
    SPOIL(d.kind.params = NULL, "table");
    SPOIL(row.name = "two words", "name of parameter 1");
    SPOIL(row.unit = "", "unit");
    SPOIL(row.description = NULL, "description");
    SPOIL(row.size = 2, "size");
    SPOIL(row.low = 2; row.high = 1, "range");
    SPOIL(row.flags = 1u << 20, "flags");
    SPOIL(row.flags = CAROM_PARAM_TIME, "time");
    SPOIL(d.kind.params = two; d.kind.param_count = 2, "twice");
    SPOIL(d.prepare = NULL, "`prepare`");
    SPOIL(d.force = NULL, "`force`");
    SPOIL(d.history = 2, "`branch`");
    SPOIL(d.history = 5; d.branch = turn; d.update = advance, "`history`");
    carom_context *ctx = fresh();
    const carom_elastic_kind_def def = sound(&good, 1);
    assert_int_equal(carom_register_elastic(ctx, &def), CAROM_OK);
    assert_int_equal(carom_register_elastic(ctx, &def), CAROM_ERROR_USAGE);
    carom_law_kind_def law = carom_default_law_kind_def();
    law.kind.name = "named";
    law.kind.title = "A law.";
    law.elastic = "sound";
    law.damping = "no-such-part";
    assert_int_equal(carom_register_law(ctx, &law), CAROM_ERROR_USAGE);
    law.damping = "none";
    assert_int_equal(carom_register_law(ctx, &law), CAROM_OK);
    carom_context_free(ctx);
}

/* Out of memory at any allocation: what was registered before stays whole, and nothing leaks. */
static void test_memory(void **state)
{
    (void)state;
    size_t failures = 0;
    for (size_t n = 1;; n++) {
        trial_allocator a = {0};
        carom_context *ctx = trial_context(&a);
        assert_non_null(ctx);
        a.calls = 0;
        a.fail_at = n;
        carom_status status = register_outside(ctx);
        carom_elastic_kind_def def = sound(&good, 1);
        for (int k = 0; k < 80 && status == CAROM_OK; k++) {
            char name[8];
            snprintf(name, sizeof name, "part%d", k);
            def.kind.name = name;
            status = carom_register_elastic(ctx, &def);
        }
        const bool injected = a.calls >= n;
        assert_int_equal(status, injected ? CAROM_ERROR_MEMORY : CAROM_OK);
        size_t count;
        const char *const *names = carom_explain_names(ctx, "elastic", &count);
        for (size_t k = 0; k < count; k++)
            assert_non_null(carom_explain_title(ctx, "elastic", names[k]));
        carom_context_free(ctx);
        assert_int_equal(a.blocks, 0);
        assert_int_equal(a.misuses, 0);
        failures += injected;
        if (!injected)
            break;
    }
    assert_true(failures > 0);
}

/* Kinds are those of one context. */
static void test_contexts(void **state)
{
    (void)state;
    carom_context *one = fresh(), *other = fresh();
    assert_int_equal(register_outside(one), CAROM_OK);
    assert_non_null(carom_explain_title(one, "joint", "outside-hinge"));
    assert_null(carom_explain_title(other, "joint", "outside-hinge"));
    assert_int_equal(register_outside(one), CAROM_ERROR_USAGE);
    carom_context_free(one);
    carom_context_free(other);
}

/* ---- the same motion as with built-in kinds ---- */

/* A disc that is thrown and slides on a line, and a pendulum with a damper and a motor on its hinge. */
static const char text[] =
    "carom: 1\ndimension: 2\ngravity: [0, -9.81]\n"
    "bodies:\n"
    "  ball: {mass: 0.1, inertia: 2e-5, at: [0, 30*mm], velocity: [1, 0]}\n"
    "  rod: {mass: 0.5, inertia: 1e-2, at: [0.3, 0], frames: {eye: [-0.3, 0], tip: [0.3, 0]}}\n"
    "shapes:\n"
    "  skin: {type: %s, on: ball, radius: 20*mm}\n"
    "  floor: {type: plane, on: ground, normal: [0, 1]}\n"
    "contacts:\n"
    "  hit:\n"
    "    between: [skin, floor]\n"
    "    normal: {law: %s, %s: 1e8, restitution: 0.7}\n"
    "    friction: {law: %s, kinetic: 0.2}\n"
    "joints:\n"
    "  pin: {type: %s, between: [ground, rod.eye]}\n"
    "loads:\n"
    "  brake: {type: %s, between: [{ground: [0.6, -0.5]}, rod.tip], damping: 2}\n"
    "run: {until: 0.3, constraints: {type: %s, alpha: 50}, integrator: %s}\n";

typedef struct outcome {
    carom_body_state ball, rod;
    carom_ledger ledger;
    size_t impacts;
} outcome;

static outcome run(carom_context *ctx, carom_context *simulates, const char *const words[8])
{
    char model_text[2000];
    snprintf(model_text, sizeof model_text, text, words[0], words[1], words[2], words[3], words[4], words[5], words[6],
             words[7]);
    carom_document *document;
    carom_model *model = NULL;
    carom_simulation *sim = NULL;
    outcome out;
    if (carom_document_parse(ctx, "model", model_text, strlen(model_text), NULL, 0, &document) != CAROM_OK ||
        carom_model_compile(ctx, carom_document_spec(document), &model) != CAROM_OK)
        fail_msg("%s", carom_context_error(ctx));
    if (carom_simulation_create(simulates, model, NULL, &sim) != CAROM_OK || carom_simulation_run(sim) != CAROM_OK)
        fail_msg("%s", carom_context_error(simulates));
    assert_int_equal(carom_simulation_body(sim, 0, &out.ball), CAROM_OK);
    assert_int_equal(carom_simulation_body(sim, 1, &out.rod), CAROM_OK);
    out.ledger = carom_simulation_ledger(sim);
    carom_simulation_impacts(sim, &out.impacts);
    carom_simulation_free(sim);
    carom_model_free(model);
    carom_document_free(document);
    return out;
}

static double differ(double a, double b) { return fabs(a - b) / fmax(fabs(b), 1e-3); }

/* Largest relative difference. */
static double compare(const outcome *a, const outcome *b)
{
    double worst = differ(a->rod.angle, b->rod.angle);
    worst = fmax(worst, differ(a->rod.angular_velocity[2], b->rod.angular_velocity[2]));
    worst = fmax(worst, differ(a->ball.position[0], b->ball.position[0]));
    worst = fmax(worst, differ(a->ball.velocity[1], b->ball.velocity[1]));
    worst = fmax(worst, differ(a->ball.angular_velocity[2], b->ball.angular_velocity[2]));
    worst = fmax(worst, differ(a->ledger.dissipated_contact, b->ledger.dissipated_contact));
    worst = fmax(worst, differ(a->ledger.dissipated_friction, b->ledger.dissipated_friction));
    return fmax(worst, differ(a->ledger.dissipated_other, b->ledger.dissipated_other));
}

static void test_same_motion(void **state)
{
    (void)state;
    static const char *const built_in[8] = {"sphere",   "hunt-crossley", "stiffness", "threlfall",
                                            "revolute", "damper",        "baumgarte", "adams"};
    static const char *const outside[8] = {"outside-disc",  "outside-hunt",   "stiffness",     "outside-friction",
                                           "outside-hinge", "outside-damper", "outside-decay", "adams"};
    carom_context *ctx = fresh(), *other = fresh();
    assert_int_equal(register_outside(ctx), CAROM_OK);
    const outcome expected = run(ctx, ctx, built_in), of_parts = run(ctx, ctx, outside);
    assert_true(expected.impacts >= 2 && expected.impacts == of_parts.impacts);
    assert_true(fabs(of_parts.ledger.residual_fraction) < 1e-6);
    /* the parts have the formulas of the built-in ones operation by operation: the same bits. A whole force rounds
       otherwise, and agrees to the tolerance 1e-8 of the run, grown by the impacts; the friction has another cap than
       threlfall prints, by 2e-4 of the force */
    const char *words[8];
    memcpy(words, outside, sizeof words);
    words[3] = "threlfall";
    const outcome dry = run(ctx, ctx, words);
    const double parts = compare(&dry, &expected), friction = compare(&of_parts, &expected);
    words[1] = "outside-whole";
    words[2] = "K";
    const outcome whole = run(ctx, ctx, words);
    const double function = compare(&whole, &expected);
    printf("parts %.1e (allowed 0), whole force %.1e (allowed 1e-6); with friction %.1e (allowed 1e-3)\n", parts,
           function, friction);
    assert_true(parts == 0 && function < 1e-6 && friction < 1e-3);
    /* implicit methods take the derivatives of an outside geometry by differences, and agree to the tolerance */
    const char *own[8];
    memcpy(own, built_in, sizeof own);
    memcpy(words, outside, sizeof words);
    words[3] = "threlfall";
    words[7] = own[7] = "bdf";
    const outcome implicit = run(ctx, ctx, own), by_differences = run(ctx, ctx, words);
    printf("by bdf %.1e (allowed 1e-7)\n", compare(&by_differences, &implicit));
    assert_true(compare(&by_differences, &implicit) < 1e-7);
    /* a model of the context simulated in another one, which knows none of its kinds */
    const outcome elsewhere = run(ctx, other, outside);
    assert_memory_equal(&elsewhere, &of_parts, sizeof elsewhere);
    carom_context_free(other);
    carom_context_free(ctx);
}

/* ---- messages and texts ---- */

static void test_texts(void **state)
{
    (void)state;
    static const char wrong[] = "carom: 1\ndimension: 2\n"
                                "bodies: {a: {mass: 1, inertia: 1}}\n"
                                "loads: {b: {type: outside-damper, between: [ground, a], dampin: 2}}\n"
                                "run: {until: 1}\n";
    carom_context *ctx = fresh();
    carom_document *document;
    assert_int_equal(register_outside(ctx), CAROM_OK);
    assert_refused(ctx, carom_document_parse(ctx, "m.yaml", wrong, strlen(wrong), NULL, 0, &document),
                   CAROM_ERROR_MODEL, "m.yaml:4:");
    assert_non_null(strstr(carom_context_error(ctx), "'damping'"));
    char *page;
    assert_int_equal(carom_explain(ctx, "outside-damper", &page), CAROM_OK);
    assert_non_null(strstr(page, "damping [N s/m], required"));
    carom_text_free(ctx, page);
    assert_int_equal(carom_reference_page(ctx, &page), CAROM_OK);
    assert_non_null(strstr(page, "**`outside-damper`**"));
    carom_text_free(ctx, page);
    assert_int_equal(carom_json_schema(ctx, &page), CAROM_OK);
    assert_non_null(strstr(page, "\"outside-hinge\""));
    carom_text_free(ctx, page);
    assert_refused(ctx, carom_explain(ctx, "outside-hing", &page), CAROM_ERROR_USAGE, "'outside-hinge'");
    carom_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_refused_definitions),
        cmocka_unit_test(test_memory),
        cmocka_unit_test(test_contexts),
        cmocka_unit_test(test_same_motion),
        cmocka_unit_test(test_texts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
