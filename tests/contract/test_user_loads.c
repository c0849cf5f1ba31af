/* Loads of a program with states of their own: against the same system in a model file, in the energy balance, in
   states and checkpoints. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include <carom/carom.h>

#define MUST(call)                                          \
    do {                                                    \
        if ((call) != CAROM_OK)                             \
            fail_msg("%s", carom_context_error(ctx));       \
    } while (0)

/* A direct-current motor on a joint: L i' = U - R i - k s', effort k i. */
enum { VOLTAGE, RESISTANCE, INDUCTANCE, CONSTANT };

static const carom_param_row params[] = {
    {"voltage", "V", 1, CAROM_PARAM_TIME, 0, -HUGE_VAL, HUGE_VAL, "Voltage."},
    {"resistance", "Ohm", 1, CAROM_PARAM_REQUIRED, 0, 0, HUGE_VAL, "Resistance."},
    {"inductance", "H", 1, CAROM_PARAM_REQUIRED | CAROM_PARAM_ABOVE, 0, 0, HUGE_VAL, "Inductance."},
    {"constant", "N m/A", 1, CAROM_PARAM_REQUIRED, 0, 0, HUGE_VAL, "Torque per current."}};

static const carom_load_state states[] = {{"current", "A", "Current of the armature.", 0.1, 1}};

static void apply(void *user, const carom_load_input *in, carom_load_output *out)
{
    const double *p = in->p, i = in->states[0];
    (void)user;
    carom_load_effort(in, p[CONSTANT] * i, out);
    out->work_power = p[VOLTAGE] * i;
    out->dissipation = p[RESISTANCE] * i * i;
    out->stored = 0.5 * p[INDUCTANCE] * i * i;
}

static void rates(void *user, const carom_load_input *in, double *out)
{
    const double *p = in->p;
    (void)user;
    out[0] = (p[VOLTAGE] - p[RESISTANCE] * in->states[0] - p[CONSTANT] * in->coordinate_rate) / p[INDUCTANCE];
}

static carom_load_kind_def definition(void)
{
    carom_load_kind_def def = carom_default_load_kind_def();
    def.kind.name = "dc-motor";
    def.kind.title = "Direct-current motor.";
    def.kind.params = params;
    def.kind.param_count = 4;
    def.frame_count = 1;
    def.on_joint = true;
    def.apply = apply;
    def.states = states;
    def.state_count = 1;
    def.rates = rates;
    return def;
}

static carom_simulation *open_text(carom_context *ctx, const char *text, carom_model **model)
{
    carom_simulation *sim;
    MUST(carom_model_parse(ctx, "motor.yaml", text, strlen(text), NULL, 0, model));
    MUST(carom_simulation_create(ctx, *model, NULL, &sim));
    return sim;
}

static double get(carom_context *ctx, carom_simulation *sim, const char *name)
{
    double value;
    MUST(carom_simulation_channel(sim, name, &value));
    return value;
}

#define MACHINE(more, load)                                                                                          \
    "carom: 1\ndimension: 2\ngravity: [0, -9.81]\n" more                                                               \
    "bodies: {bar: {mass: 1, inertia: 0.1, at: [0.3, 0], frames: {root: [-0.3, 0]}}}\n"                               \
    "joints: {pin: {type: revolute, between: [ground, bar.root]}}\n"                                                  \
    "loads: {drive: " load "}\nrun: {until: 2, tolerance: 1e-11, integrator: %s}\n"

static const char own_text[] = MACHINE("", "{type: dc-motor, on: pin, voltage: 24*sin(5*t), resistance: 2, inductance: "
                                           "0.05, constant: 0.8}");
static const char file_text[] =
    MACHINE("states: {i: {rate: (24*sin(5*t) - 2*i - 0.8*joint.pin.rate)/0.05, start: 0.1}}\n",
            "{type: torque, on: bar, torque: 0.8*i}");

static void test_motion(void **state)
{
    (void)state;
    static const char *const integrators[] = {"adams", "bdf", "dopri5"};
    for (int n = 0; n < 3; n++) {
        carom_context *ctx;
        carom_model *own_model, *file_model;
        char text[1000];
        const carom_load_kind_def def = definition();
        assert_int_equal(carom_context_create(NULL, &ctx), CAROM_OK);
        MUST(carom_register_load(ctx, &def));
        snprintf(text, sizeof text, own_text, integrators[n]);
        carom_simulation *own = open_text(ctx, text, &own_model);
        snprintf(text, sizeof text, file_text, integrators[n]);
        carom_simulation *file = open_text(ctx, text, &file_model);
        assert_true(get(ctx, own, "load.drive.current") == 0.1);
        for (int k = 1; k <= 10; k++) {
            MUST(carom_simulation_advance(own, 0.2 * k));
            MUST(carom_simulation_advance(file, 0.2 * k));
            const double current = get(ctx, own, "load.drive.current"), angle = get(ctx, own, "joint.pin.coordinate");
            if (fabs(current - get(ctx, file, "state.i")) > 1e-7 ||
                fabs(angle - get(ctx, file, "joint.pin.coordinate")) > 1e-7)
                fail_msg("%s, t = %.1f: %.12g and %.12g A", integrators[n], 0.2 * k, current,
                         get(ctx, file, "state.i"));
        }
        const carom_ledger l = carom_simulation_ledger(own);
        assert_true(l.work > 1 && l.dissipated_other > 1 && l.residual_fraction < 1e-8);
        carom_simulation_free(own);
        carom_simulation_free(file);
        carom_model_free(own_model);
        carom_model_free(file_model);
        carom_context_free(ctx);
    }
}

/* States, clones and checkpoints have them: the same bits. A state set by name is where the run goes on. */
static void test_states(void **state)
{
    (void)state;
    carom_context *ctx;
    carom_model *model;
    carom_state *middle;
    carom_simulation *clone;
    char text[1000];
    unsigned char *bytes;
    size_t size, count, found = 0;
    double current = 3;
    const carom_load_kind_def def = definition();
    assert_int_equal(carom_context_create(NULL, &ctx), CAROM_OK);
    MUST(carom_register_load(ctx, &def));
    snprintf(text, sizeof text, own_text, "dopri5");
    char *page;
    MUST(carom_explain(ctx, "dc-motor", &page));
    assert_non_null(strstr(page, "state current [A], 0.1 at the start"));
    carom_text_free(ctx, page);
    carom_simulation *sim = open_text(ctx, text, &model);
    MUST(carom_state_create(ctx, model, &middle));
    MUST(carom_simulation_advance(sim, 0.7));
    MUST(carom_simulation_get_state(sim, middle));
    MUST(carom_simulation_checkpoint(sim, &bytes, &size));
    MUST(carom_simulation_clone(sim, NULL, &clone));
    MUST(carom_simulation_advance(sim, 1.5));
    MUST(carom_simulation_advance(clone, 1.5));
    const double reached = get(ctx, sim, "load.drive.current");
    assert_true(get(ctx, clone, "load.drive.current") == reached);
    MUST(carom_simulation_resume(clone, bytes, size));
    MUST(carom_simulation_advance(clone, 1.5));
    assert_true(get(ctx, clone, "load.drive.current") == reached);
    const carom_state_part *parts = carom_state_parts(middle, &count);
    for (size_t k = 0; k < count; k++)
        found += strcmp(parts[k].name, "load.drive.current") == 0 && strcmp(parts[k].unit, "A") == 0;
    assert_int_equal(found, 1);
    MUST(carom_state_set(middle, "load.drive.current", &current, 1));
    MUST(carom_simulation_set_state(sim, middle, NULL, NULL));
    assert_true(get(ctx, sim, "load.drive.current") == 3);
    assert_int_equal(carom_state_set(middle, "load.drive.curent", &current, 1), CAROM_ERROR_USAGE);
    assert_non_null(strstr(carom_context_error(ctx), "did you mean 'current'?"));
    carom_bytes_free(ctx, bytes, size);
    carom_state_free(middle);
    carom_simulation_free(clone);
    carom_simulation_free(sim);
    carom_model_free(model);
    carom_context_free(ctx);
}

static void test_refusals(void **state)
{
    (void)state;
    carom_context *ctx;
    assert_int_equal(carom_context_create(NULL, &ctx), CAROM_OK);
#define SPOIL(change, words)                                                      \
    do {                                                                          \
        carom_load_state row = states[0];                                         \
        carom_load_kind_def def = definition();                                   \
        def.states = &row;                                                        \
        change;                                                                   \
        assert_int_equal(carom_register_load(ctx, &def), CAROM_ERROR_USAGE);      \
        if (!strstr(carom_context_error(ctx), words))                             \
            fail_msg("no '%s' in: %s", words, carom_context_error(ctx));          \
    } while (0)
    SPOIL(def.rates = NULL, "`rates`");
    SPOIL(def.states = NULL, "states");
    SPOIL(row.name = "power", "another channel");
    SPOIL(row.name = "Current", "lower-case");
    SPOIL(row.unit = "", "unit");
    SPOIL(row.start = (double)NAN, "finite");
    SPOIL(def.state_count = CAROM_LOAD_STATES + 1, "at most");
    carom_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_motion), cmocka_unit_test(test_states),
                                       cmocka_unit_test(test_refusals)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
