/* Sections of motions: stroboscopic points and passages of harmonic motions with known places and times, directions,
   angles that count their turns, rows that are too far apart; the driven oscillator and pendulum have one point. */
#include "carom_test.h"

#include <math.h>

#include "carom/io.h"
#include "support/free_runs.h"
#include "support/channel.h"

#define PI 3.14159265358979323846
#define FILE_NAME "section.h5"

static carom_context *ctx;

/* ---- a harmonic motion: x = cos(w t), v = -w sin(w t), angle = u t - 1, all at the output interval; force, which
   jumps, at solver steps ---- */

#define W (2 * PI / 0.7)
#define U 9.0

static const carom_channel channels[] = {CHANNEL("point.x", "m", "x", 1, NULL, 0),
                                         CHANNEL("point.v", "m/s", "v", 1, NULL, 0),
                                         CHANNEL("arm.angle", "rad", "angle", 1, NULL, 0),
                                         CHANNEL("jump", "N", "jump", 1, NULL, 0)};

static carom_result *harmonic(double end, size_t rows)
{
    const carom_writer_def def = {.size = sizeof(carom_writer_def), .path = FILE_NAME, .model_name = "harmonic",
                                  .title = "", .options = "", .channels = channels, .channel_count = 4};
    carom_writer *writer;
    carom_result *result;
    assert_ok(ctx, carom_writer_create(ctx, &def, &writer));
    const carom_sink *sink = carom_writer_sink(writer);
    for (size_t k = 0; k < rows; k++) {
        /* rows at uneven times */
        const double t = end * ((double)k + (k % 3 == 1 ? 0.3 : 0)) / (double)(rows - 1);
        const double row[] = {cos(W * t), -W * sin(W * t), U * t - 1, t < 1 ? 0 : 5};
        assert_int_equal(sink->rows(sink->user, 0, 1, &t, row), CAROM_OK);
    }
    assert_int_equal(carom_writer_close(writer, NULL, "completed"), CAROM_OK);
    assert_int_equal(carom_result_open(ctx, FILE_NAME, &result), CAROM_OK);
    return result;
}

typedef struct section {
    size_t count, coarse, rough;
    const double *t, *x, *v, *angle;
} section;

static section take(carom_result *result, const carom_poincare_section_def *def)
{
    section s = {0};
    const char *unit;
    assert_int_equal(carom_result_poincare_section(result, def, &s.count, &s.t, &s.coarse), CAROM_OK);
    assert_int_equal(carom_result_sample(result, "point.x", s.count, s.t, &s.x, &unit, &s.rough), CAROM_OK);
    assert_string_equal(unit, "m");
    assert_int_equal(carom_result_sample(result, "point.v", s.count, s.t, &s.v, &unit, &s.rough), CAROM_OK);
    assert_int_equal(carom_result_sample(result, "arm.angle", s.count, s.t, &s.angle, &unit, &s.rough), CAROM_OK);
    return s;
}

static void test_stroboscope(void **state)
{
    (void)state;
    carom_result *result = harmonic(7, 2801);
    carom_poincare_section_def def = carom_default_poincare_section_def();
    def.period = 0.7;
    section s = take(result, &def);
    assert_int_equal(s.count, 11);
    for (size_t k = 0; k < s.count; k++) {
        assert_true(fabs(s.t[k] - 0.7 * (double)k) < 1e-12);
        assert_true(fabs(s.x[k] - 1) < 1e-6 && fabs(s.v[k]) < 1e-5 * W);
    }
    /* a quarter further on, in a part of the time */
    def.start = 0.175;
    def.from = 1;
    def.to = 4.4;
    s = take(result, &def);
    assert_int_equal(s.count, 5);
    double worst = 0;
    for (size_t k = 0; k < s.count; k++)
        worst = fmax(worst, fmax(fabs(s.x[k]), fabs(s.v[k] / W + 1)));
    printf("stroboscope: largest error %.2g\n", worst);
    assert_true(fabs(s.t[0] - 1.575) < 1e-12 && worst < 1e-6 && s.coarse == 0 && s.rough == 0);
    carom_result_close(result);
}

static void test_passages(void **state)
{
    (void)state;
    carom_result *result = harmonic(7, 2801);
    double worst = 0;
    for (int direction = -1; direction <= 1; direction++) {
        carom_poincare_section_def def = carom_default_poincare_section_def();
        def.channel = "point.x";
        def.value = 0.5;
        def.direction = direction;
        const section s = take(result, &def);
        assert_int_equal(s.count, direction ? 10 : 20);
        for (size_t k = 0; k < s.count; k++) {
            const size_t turn = direction ? k : k / 2;
            const bool rising = direction ? direction > 0 : k % 2 == 1;
            const double wanted = 0.7 * ((double)turn + (rising ? 5 : 1) / 6.0);
            worst = fmax(worst, fabs(s.t[k] - wanted));
            worst = fmax(worst, fabs(s.v[k] / W - (rising ? 1 : -1) * sqrt(0.75)));
        }
        assert_true(s.coarse == 0 && s.rough == 0);
    }
    printf("passages: largest error %.2g\n", worst);
    assert_true(worst < 1e-6);
    carom_result_close(result);
}

/* The angle passes 0.3 + n 2 pi. */
static void test_turns(void **state)
{
    (void)state;
    carom_result *result = harmonic(7, 2801);
    carom_poincare_section_def def = carom_default_poincare_section_def();
    def.channel = "arm.angle";
    def.value = 0.3;
    def.modulus = 2 * PI;
    section s = take(result, &def);
    assert_int_equal(s.count, 10);
    for (size_t k = 0; k < s.count; k++)
        assert_true(fabs(s.t[k] - (1.3 + 2 * PI * (double)k) / U) < 1e-12);
    assert_true(s.coarse == 0);
    def.direction = -1;
    s = take(result, &def);
    assert_int_equal(s.count, 0);
    def.direction = 1;
    def.value = 0.3 + 6 * PI;
    assert_int_equal(take(result, &def).count, 10);
    carom_result_close(result);
    /* several turns between two rows: all of them, counted as uncertain */
    result = harmonic(7, 4);
    def.value = 0.3;
    s = take(result, &def);
    assert_true(s.count == 10 && s.coarse == 10);
    carom_result_close(result);
}

/* Rows too far apart are told, and so is a jump: the value there stays between its rows. */
static void test_coarse(void **state)
{
    (void)state;
    carom_result *result = harmonic(7, 61);
    carom_poincare_section_def def = carom_default_poincare_section_def();
    def.period = 0.05;
    section s = take(result, &def);
    assert_true(s.rough == 0 && s.count == 141); /* of the angle, which is straight */
    const double *force, *x;
    const char *unit;
    size_t rough;
    assert_int_equal(carom_result_sample(result, "point.x", s.count, s.t, &x, &unit, &rough), CAROM_OK);
    assert_true(rough > s.count / 2);
    assert_int_equal(carom_result_sample(result, "jump", s.count, s.t, &force, &unit, &rough), CAROM_OK);
    assert_true(rough > 0 && rough < 12);
    /* what is not told is within 1 % of the range */
    for (size_t k = 0; k < s.count; k++)
        assert_true(force[k] >= -0.05 && force[k] <= 5.05 && fabs(x[k]) <= 1.02);
    carom_result_close(result);
}

static void refuse(carom_result *result, const carom_poincare_section_def *def, const char *text)
{
    size_t count, coarse;
    const double *t;
    assert_int_equal(carom_result_poincare_section(result, def, &count, &t, &coarse), CAROM_ERROR_USAGE);
    if (!strstr(carom_context_error(ctx), text))
        fail_msg("no '%s' in: %s", text, carom_context_error(ctx));
}

static void test_refusals(void **state)
{
    (void)state;
    carom_result *result = harmonic(1, 11);
    carom_poincare_section_def def = carom_default_poincare_section_def();
    refuse(result, &def, "a period above 0");
    def.period = 1e-9;
    refuse(result, &def, "more than 10000000 points");
    def.from = def.to = 0.5;
    refuse(result, &def, "the range of time");
    def = carom_default_poincare_section_def();
    def.channel = "point.y";
    refuse(result, &def, "did you mean 'point.");
    def.channel = "point.x";
    def.value = (double)NAN;
    refuse(result, &def, "not finite");
    def.value = 0;
    def.direction = 5;
    refuse(result, &def, "the direction of a section");
    def.direction = -1;
    def.modulus = -1;
    refuse(result, &def, "the modulus of a section");
    def.modulus = (double)NAN;
    refuse(result, &def, "the modulus of a section");
    carom_result_close(result);
}

/* ---- runs ---- */

/* Runs the text of a model and keeps all it records. */
static carom_result *run_text(const char *text)
{
    carom_simulation *sim;
    carom_result *result;
    carom_simulation_def def = carom_default_simulation_def();
    size_t count;
    carom_model *model = new_model(ctx, text);
    assert_int_equal(carom_simulation_create(ctx, model, &def, &sim), CAROM_OK);
    const carom_channel *list = carom_simulation_channels(sim, &count);
    const carom_writer_def file = {.size = sizeof(carom_writer_def), .path = FILE_NAME, .model_name = "driven",
                                   .title = "", .options = "", .channels = list, .channel_count = count};
    carom_writer *writer;
    assert_int_equal(carom_writer_create(ctx, &file, &writer), CAROM_OK);
    carom_simulation *recorded;
    def.sink = carom_writer_sink(writer);
    assert_int_equal(carom_simulation_create(ctx, model, &def, &recorded), CAROM_OK);
    assert_int_equal(carom_simulation_run(recorded), CAROM_OK);
    assert_int_equal(carom_writer_close(writer, NULL, "completed"), CAROM_OK);
    carom_simulation_free(recorded);
    carom_simulation_free(sim);
    carom_model_free(model);
    assert_int_equal(carom_result_open(ctx, FILE_NAME, &result), CAROM_OK);
    return result;
}

#define DRIVEN                                                                                               \
    "carom: 1\ndimension: 2\ngravity: [0, %s]\n"                                                             \
    "bodies:\n  bob: {mass: 1, inertia: 1, at: [0, -1]}\n"                                                   \
    "joints:\n  hinge: {type: revolute, between: [ground, {bob: [0, 1]}], rate: 0}\n"                        \
    "loads:\n  drive: {type: torque, on: bob, torque: 4*cos(3*t) - 1.2*spin(bob) - %s*turn(bob)}\n"          \
    "run: {until: 90, tolerance: 1e-9, output: {every: 0.01}}\n"

/* Points of a section after the transient: they are one within `spread`, whose place is returned. */
static void one_point(carom_result *result, const carom_poincare_section_def *def, double spread, double at[2])
{
    size_t count, coarse;
    const double *t, *angle, *rate;
    const char *unit;
    assert_int_equal(carom_result_poincare_section(result, def, &count, &t, &coarse), CAROM_OK);
    assert_true(count >= 14 && coarse == 0);
    assert_int_equal(carom_result_sample(result, "joint.hinge.coordinate", count, t, &angle, &unit, &coarse), CAROM_OK);
    assert_int_equal(carom_result_sample(result, "joint.hinge.rate", count, t, &rate, &unit, &coarse), CAROM_OK);
    double widest = 0;
    for (size_t k = 1; k < count; k++)
        widest = fmax(widest, fmax(fabs(angle[k] - angle[0]), fabs(rate[k] - rate[0])));
    printf("%zu points within %.2g of (%.9g, %.9g)\n", count, widest, angle[0], rate[0]);
    assert_true(widest < spread);
    at[0] = angle[0];
    at[1] = rate[0];
}

/* J a'' + c a' + k a = A cos(w t) has the amplitude A/|k - J w^2 + i c w|: the point at t = n 2 pi/w. */
static void test_driven_oscillator(void **state)
{
    (void)state;
    char text[1000];
    double at[2];
    snprintf(text, sizeof text, DRIVEN, "0", "5");
    carom_result *result = run_text(text);
    carom_poincare_section_def def = carom_default_poincare_section_def();
    def.period = 2 * PI / 3;
    def.from = 60;
    one_point(result, &def, 1e-7, at);
    const double stiff = 5 - 2 * 9.0, damp = 1.2 * 3, square = stiff * stiff + damp * damp;
    assert_true(fabs(at[0] - 4 * stiff / square) < 1e-7);
    assert_true(fabs(at[1] - 4 * damp / square * 3) < 1e-7);
    carom_result_close(result);
}

/* A driven pendulum with period one: one point of the stroboscope, and one of each section. */
static void test_driven_pendulum(void **state)
{
    (void)state;
    char text[1000];
    double at[2], cut[2];
    snprintf(text, sizeof text, DRIVEN, "-9.81", "0");
    carom_result *result = run_text(text);
    carom_poincare_section_def def = carom_default_poincare_section_def();
    def.period = 2 * PI / 3;
    def.from = 60;
    one_point(result, &def, 1e-6, at);
    def.channel = "joint.hinge.coordinate";
    def.value = at[0];
    def.direction = at[1] > 0 ? 1 : -1;
    one_point(result, &def, 1e-6, cut);
    assert_true(fabs(cut[0] - at[0]) < 1e-6 && fabs(cut[1] - at[1]) < 1e-6);
    carom_result_close(result);
}

static int open_context(void **state)
{
    (void)state;
    return carom_context_create(NULL, &ctx) == CAROM_OK ? 0 : -1;
}

static int close_context(void **state)
{
    (void)state;
    carom_context_free(ctx);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stroboscope),       cmocka_unit_test(test_passages),
        cmocka_unit_test(test_turns),             cmocka_unit_test(test_coarse),
        cmocka_unit_test(test_refusals),          cmocka_unit_test(test_driven_oscillator),
        cmocka_unit_test(test_driven_pendulum),
    };
    return cmocka_run_group_tests(tests, open_context, close_context);
}
