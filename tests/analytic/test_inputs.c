/* Inputs: set between two advances, and as records, against closed forms and against the same spline in an expression;
   records of motions; what is refused; tables of records. */
#include "carom_test.h"

#include <math.h>

#include "sim/sim.h"
#include "support/free_runs.h"

#define CART(section, force, motion)                                                                                 \
    "carom: 1\ndimension: 2\n" section "bodies:\n  cart: {mass: 2, inertia: 1" motion "}\n"                          \
    "loads:\n  drive: {type: force, on: cart, force: [\"" force "\", 0]}\nrun: {until: 10}\n"
#define SPLINE "splines: {p: [[0.2, 1], [0.5, 3], [1.2, -1], [2, 2]]}\n"
#define RESTING \
    "splines: {p: {points: [[0.2, 1], [0.5, 3], [1.2, -1], [2, 2]], ends: clamped, slopes: [0, 0]}}\n"

static const double times[] = {0.2, 0.5, 1.2, 2}, values[] = {1, 3, -1, 2};
static const carom_spline_def record = {.name = "push", .x = times, .y = values, .count = 4};

/* A run of a text with a record of the input `push` (NULL: none). */
static void open_with(free_run *run, const char *text, const carom_spline_def *input, const char *integrator)
{
    carom_document *document;
    carom_simulation_def def = carom_default_simulation_def();
    *run = (free_run){.ctx = NULL};
    run->ctx = new_context();
    def.tolerance = 1e-11;
    def.integrator = integrator;
    def.inputs = input;
    def.input_count = input != NULL;
    bool done = carom_document_parse(run->ctx, "inputs.yaml", text, strlen(text), NULL, 0, &document) == CAROM_OK &&
                carom_model_compile(run->ctx, carom_document_spec(document), &run->model) == CAROM_OK &&
                carom_simulation_create(run->ctx, run->model, &def, &run->sim) == CAROM_OK;
    if (!done)
        fail_msg("%s", carom_context_error(run->ctx));
    carom_document_free(document);
}

/* What is said where a record is refused. */
static const char *error_with(const char *text, const carom_spline_def *input)
{
    static char message[CAROM_ERROR_TEXT];
    carom_context *ctx;
    carom_document *document;
    carom_model *model;
    carom_simulation *sim;
    carom_simulation_def def = carom_default_simulation_def();
    ctx = new_context();
    def.inputs = input;
    def.input_count = 1;
    assert_ok(ctx, carom_document_parse(ctx, "inputs.yaml", text, strlen(text), NULL, 0, &document));
    assert_ok(ctx, carom_model_compile(ctx, carom_document_spec(document), &model));
    assert_true(carom_simulation_create(ctx, model, &def, &sim) == CAROM_ERROR_MODEL);
    snprintf(message, sizeof message, "%s", carom_context_error(ctx));
    carom_model_free(model);
    carom_document_free(document);
    carom_context_free(ctx);
    return message;
}

static void set(free_run *run, double value)
{
    assert_ok(run->ctx, carom_simulation_set_input(run->sim, 0, value));
}

/* ---- set by a program ---- */

/* Constant forces 4, -2, 6 N on 2 kg over a second each. */
static void segments_of_constant_force(void **state)
{
    (void)state;
    static const char *const integrators[] = {"adams", "bdf", "dopri5"};
    static const double forces[] = {4, -2, 6};
    for (int n = 0; n < 3; n++) {
        free_run run;
        double x = 0, v = 0;
        open_with(&run, CART("inputs: {push: 4}\n", "push", ""), NULL, integrators[n]);
        assert_true(free_run_get(&run, "input.push") == 4);
        for (int k = 0; k < 3; k++) {
            set(&run, forces[k]);
            assert_true(free_run_get(&run, "input.push") == forces[k]);
            assert_true(free_run_get(&run, "body.cart.acceleration.x") == forces[k] / 2);
            free_run_to(&run, k + 1.0);
            x += v + forces[k] / 4;
            v += forces[k] / 2;
            if (fabs(free_run_get(&run, "body.cart.position.x") - x) > 1e-11 ||
                fabs(free_run_get(&run, "body.cart.velocity.x") - v) > 1e-11)
                fail_msg("%s at %d s: %.15g %.15g, expected %g %g", integrators[n], k + 1,
                         free_run_get(&run, "body.cart.position.x"), free_run_get(&run, "body.cart.velocity.x"), x, v);
        }
        carom_ledger l = carom_simulation_ledger(run.sim);
        assert_true(l.residual_fraction < 1e-11);
        assert_true(carom_simulation_set_input(run.sim, 0, (double)NAN) == CAROM_ERROR_USAGE);
        assert_true(carom_simulation_set_input(run.sim, 1, 0) == CAROM_ERROR_USAGE);
        free_run_close(&run);
    }
}

/* A checkpoint keeps what was set: the run that continues and the resumed one give the same bits. */
static void checkpoints_keep_inputs(void **state)
{
    (void)state;
    free_run run, other;
    unsigned char *bytes;
    size_t size;
    open_with(&run, CART("inputs: {push: 4}\n", "push*cos(t)", ""), NULL, NULL);
    open_with(&other, CART("inputs: {push: 4}\n", "push*cos(t)", ""), NULL, NULL);
    free_run_to(&run, 0.7);
    set(&run, -3);
    assert_true(carom_simulation_checkpoint(run.sim, &bytes, &size) == CAROM_OK);
    assert_true(carom_simulation_resume(other.sim, bytes, size) == CAROM_OK);
    free_run_to(&run, 2);
    free_run_to(&other, 2);
    assert_true(free_run_get(&other, "input.push") == -3);
    assert_true(free_run_get(&run, "body.cart.position.x") == free_run_get(&other, "body.cart.position.x"));
    carom_bytes_free(run.ctx, bytes, size);
    free_run_close(&run);
    free_run_close(&other);
}

/* ---- records ---- */

/* Between its ends a record is the spline of the same points, to the bit; outside it is at rest. */
static void records_are_splines(void **state)
{
    (void)state;
    static const char *const integrators[] = {"adams", "bdf", "dopri5"};
    for (int n = 0; n < 3; n++) {
        free_run a, b;
        open_with(&a, CART("inputs: {push: 9}\n", "push", ""), &record, integrators[n]);
        open_with(&b, CART(SPLINE, "if(t < 0.2, 1, if(t < 2, spline(p, t), 2))", ""), NULL, integrators[n]);
        assert_true(free_run_get(&a, "input.push") == 1);
        for (int k = 1; k <= 30; k++) {
            free_run_to(&a, 0.1 * k);
            free_run_to(&b, 0.1 * k);
            assert_true(free_run_get(&a, "body.cart.acceleration.x") == free_run_get(&b, "body.cart.acceleration.x"));
            double difference = free_run_get(&a, "body.cart.position.x") - free_run_get(&b, "body.cart.position.x");
            if (fabs(difference) > 1e-12)
                fail_msg("%s, t = %.1f: the positions differ by %.3g", integrators[n], 0.1 * k, difference);
        }
        assert_true(free_run_get(&a, "input.push") == 2);
        assert_true(carom_simulation_set_input(a.sim, 0, 1) == CAROM_ERROR_USAGE);
        free_run_close(&a);
        free_run_close(&b);
    }
}

/* A motion takes the derivatives of the record, which begins and ends at rest: else the rate of the motion jumps. */
static void motions_follow_records(void **state)
{
    (void)state;
    static const char *const channels[] = {"body.cart.position.x", "body.cart.velocity.x", "body.cart.acceleration.x"};
    free_run a, b;
    carom_spline_def resting = record;
    resting.ends = "clamped";
    open_with(&a, CART("inputs: {push: 0}\n", "0", ", motion: {x: \"t*push\", y: 0, angle: 0}"), &resting, NULL);
    open_with(&b, CART(RESTING, "0", ", motion: {x: \"t*if(t < 0.2, 1, if(t < 2, spline(p, t), 2))\", y: 0, angle: 0}"),
              NULL, NULL);
    for (int k = 1; k <= 30; k++) {
        free_run_to(&a, 0.1 * k - 0.05);
        free_run_to(&b, 0.1 * k - 0.05);
        for (int c = 0; c < 3; c++)
            assert_true(fabs(free_run_get(&a, channels[c]) - free_run_get(&b, channels[c])) < 1e-10);
    }
    free_run_close(&a);
    free_run_close(&b);
    assert_non_null(strstr(free_error_of_text(CART("inputs: {push: 0}\n", "0", ", motion: {x: \"t*push\"}")),
                           "time derivatives"));
}

/* A force of 20 N that is switched on within a millisecond and logged where it changes: the smooth spline goes to
   5.8 kN, and is told. With `between: monotone`, of the input or of the record, it stays within 0 to 20 N and 2 kg have
   the speed of its area, in which the cubic of the switch has half of its width. */
static void records_stay_between_points(void **state)
{
    (void)state;
    static const double x[] = {0, 0.5, 0.501, 2}, y[] = {0, 0, 20, 20};
    static const char smooth[] = CART("inputs: {push: {unit: N}}\n", "push", ""),
                      monotone[] = CART("inputs: {push: {unit: N, between: monotone}}\n", "push", "");
    const carom_spline_def stepped = {.name = "push", .x = x, .y = y, .count = 4};
    carom_spline_def own = stepped;
    const double speed = 20 * (2 - 0.5005) / 2;
    const carom_spline_def *const records[] = {&stepped, &stepped, &own};
    own.between = "monotone";
    for (int k = 0; k < 3; k++) {
        free_run run;
        open_with(&run, k == 1 ? monotone : smooth, records[k], NULL);
        assert_true(free_run_is_told(&run, "[W55]") == (k == 0));
        double least = 0, most = 0;
        for (int n = 1; n <= 400; n++) {
            free_run_to(&run, 0.005 * n);
            least = fmin(least, free_run_get(&run, "input.push"));
            most = fmax(most, free_run_get(&run, "input.push"));
        }
        const double v = free_run_get(&run, "body.cart.velocity.x");
        print_message("force %.5g ... %.5g N, speed %.12g m/s, of the area %.12g\n", least, most, v, speed);
        if (k == 0)
            assert_true(free_run_is_told(&run, "the record of input 'push': between its points (0.501, 20) and "
                                               "(2, 20) it goes to 5792") &&
                        most > 5000 && v > 1000);
        else
            assert_true(least > -1e-12 && fabs(most - 20) < 1e-12 && fabs(v - speed) < 1e-9 * speed); /* rounding */
        free_run_close(&run);
    }
    assert_non_null(strstr(free_error_of_text(CART("inputs: {push: {between: monoton}}\n", "push", "")),
                           "did you mean 'monotone'"));
}

/* ---- tables ---- */

static carom_status read_text(carom_context *ctx, const char *text, const char *column, carom_spline_def *out)
{
    static char path[32]; /* the table borrows it */
    snprintf(path, sizeof path, "/tmp/carom-record-XXXXXX");
    int file = mkstemp(path);
    FILE *f = file < 0 ? NULL : fdopen(file, "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
    carom_status status = carom_record_read(ctx, "push", path, column, out);
    remove(path);
    return status;
}

static void tables(void **state)
{
    (void)state;
    static const struct {
        const char *text, *column;
        double last;
    } good[] = {{"0,1\n1,2\n", NULL, 2},
                {"0 1\n\n# a line\n 1\t2.5\n", NULL, 2.5},
                {"t;u\r\n0;1\r\n1;4\r\n", NULL, 4},
                {"time [s],other,push [N]\n0,5,1\n1,6,7\n", NULL, 7},
                {"\"time\", \"push\", \"other, too\"\n0, 5, 1\n1, 6, -3e-1\n", "other, too", -0.3},
                {"time [ms], push [kN]\n0, 1\n1000, 7\n", NULL, 7000},
                {"time [ms], push [kN]\n0, 1\n1000, 7\n", "push [kN]", 7000},
                {"t (min);push(N mm)\n0;1\n1.6666666666666667e-2;2\n", NULL, 2e-3},
                {"t [ms]\tother [N m]\tpush [%]\n0\t5\t1\n1e3\t6\t50\n", NULL, 0.5},
                {"t/ms, push/kN\n0, 1\n1000, 7\n", NULL, 7000},
                {"t/ms, push/kN\n0, 1\n1000, 7\n", "push/kN", 7000},
                {"t/ms push/(kg*m/s^2)\n0 1\n1000 7\n", "push", 7},
                {"t (in ms), push in mN\n0, 1\n1000, 7\n", NULL, 7e-3},
                {"time_ms,push_N\n0,1\n1000,7\n", "push_N", 7},
                {"t.us;push\n0;1\n1e6;7\n", NULL, 7},
                {"t_\xc2\xb5s;push\n0;1\n1e6;7\n", NULL, 7},
                {"time_s,push/left\n0,1\n1,7\n", "push/left", 7},
                {"t_ms [s],push\n0,1\n1,7\n", NULL, 7},
                {"t [-] push [-]\n0 1\n1 50\n", NULL, 50}};
    static const struct {
        const char *text, *column, *has;
    } wrong[] = {{"0,1\n1,x\n", NULL, ":2:3: 'x'"},         {"0,1\n0,2\n", NULL, ":2:1: times must ascend"},
                 {"zeit;push\n0;0\n500;0,01\n", NULL, ":3:5: '0,01' is no number; decimals have a point"},
                 {"t [s];push [N]\n0,0;0,5\n1,5;2\n", NULL, ":2:1: '0,0' is no number; decimals have a point"},
                 {"0;0\n0,5;0,5\n", NULL, ":2:1: '0,5' is no number; decimals have a point"},
                 {"0,1\n", NULL, "two points"},              {"", NULL, "two points"},
                 {"t,a,b\n0,1,2\n", NULL, "there are: a, b"}, {"t,a\n0,1\n", "b", "no column 'b'"},
                 {"t [ms],push [furlong]\n0,1\n1,2\n", NULL, ":1:8: column 'push': 'furlong' is no unit; write"},
                 {"t [fortnight],push\n0,1\n1,2\n", NULL, ":1:1: column 't': 'fortnight' is no unit"},
                 {"x [mm],push\n0,1\n1,2\n", NULL, ":1:1: the first column of a record is the time"},
                 {"t/fortnight,push\n0,1\n1,2\n", NULL, ":1:1: the times of 't/fortnight' may have a unit"},
                 {"t_min,push\n0,1\n1,2\n", NULL, "`t [ms]`, or `t [s]`"},
                 {"t/ms,push/furlong\n0,1\n1,2\n", "push", "no column 'push'; there are: push/furlong"},
                 {"0,1,2\n", NULL, "no headings"},           {"0,1\n1\n", NULL, ":2:1: the line has too few"}};
    carom_context *ctx;
    ctx = new_context();
    carom_spline_def r;
    for (size_t k = 0; k < sizeof good / sizeof good[0]; k++) {
        if (read_text(ctx, good[k].text, good[k].column, &r) != CAROM_OK)
            fail_msg("%zu: %s", k, carom_context_error(ctx));
        assert_true(r.count == 2 && fabs(r.x[1] - 1) < 4e-16);      /* a rounding of the table, one of the product */
        assert_true(fabs(r.y[1] - good[k].last) <= 4e-16 * fabs(good[k].last));
        carom_record_free(ctx, &r);
    }
    for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++) {
        assert_true(read_text(ctx, wrong[k].text, wrong[k].column, &r) == CAROM_ERROR_MODEL);
        if (!strstr(carom_context_error(ctx), wrong[k].has))
            fail_msg("%zu: %s", k, carom_context_error(ctx));
    }
    assert_true(carom_record_read(ctx, "push", "/no/such/file", NULL, &r) == CAROM_ERROR_IO);
    carom_context_free(ctx);
}

/* A table that says 10 N over 1 s in other units drives 2 kg as the closed form does: v = 5 m/s, x = 2.5 m. */
static void tables_with_units(void **state)
{
    (void)state;
    static const struct {
        const char *text, *input, *fault;
    } cases[] = {{"time [s], push [N]\n0, 10\n1, 10\n", "{start: 0, unit: N}", NULL},
                 {"time [ms], push [kN]\n0, 0.01\n500, 0.01\n1000, 0.01\n", "{start: 0, unit: N}", NULL},
                 {"time [us], push [mN]\n0, 1e4\n1e6, 1e4\n", "{start: 0, unit: kg m/s^2}", NULL},
                 {"time [ms], push [kN]\n0, 0.01\n1000, 0.01\n", "0", NULL},
                 {"time [ms], push\n0, 10\n1000, 10\n", "{start: 0, unit: N}", NULL},
                 {"time [ms], push [mm]\n0, 10\n1000, 10\n", "{start: 0, unit: N}",
                  ":1:12: input 'push' needs a force [N], and its record has a length [m]"},
                 {"time [ms], push [kN]\n0, 10\n1000, 10\n", "{start: 0, unit: kN}", "give the input the SI unit"}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        carom_context *ctx;
        carom_spline_def table;
        char text[512];
        free_run run;
        ctx = new_context();
        assert_ok(ctx, read_text(ctx, cases[k].text, NULL, &table));
        snprintf(text, sizeof text, CART("inputs: {push: %s}\n", "push", ""), cases[k].input);
        if (cases[k].fault) {
            const char *message = error_with(text, &table);
            if (!strstr(message, cases[k].fault))
                fail_msg("%s", message);
        } else {
            open_with(&run, text, &table, NULL);
            free_run_to(&run, 1);
            assert_true(fabs(free_run_get(&run, "body.cart.velocity.x") - 5) < 1e-10);
            assert_true(fabs(free_run_get(&run, "body.cart.position.x") - 2.5) < 1e-10);
            free_run_close(&run);
        }
        carom_record_free(ctx, &table);
        carom_context_free(ctx);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(records_stay_between_points),
        cmocka_unit_test(segments_of_constant_force), cmocka_unit_test(checkpoints_keep_inputs),
        cmocka_unit_test(records_are_splines), cmocka_unit_test(motions_follow_records), cmocka_unit_test(tables),
        cmocka_unit_test(tables_with_units)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
