/* Fits without a model: linear least squares whose estimates, errors and profiles are known in closed form, bounds,
   robust losses, predictions that fail, and the singular values and quantiles behind them. */
#include "carom_test.h"

#include <math.h>

#include "carom/fit.h"
#include "fit/fit.h"
#include "math/distributions.h"
#include "math/singular.h"

static void assert_close(double got, double expected, double tolerance)
{
    if (!(fabs(got - expected) <= tolerance))
        fail_msg("%.17g is not %.17g to %g", got, expected, tolerance);
}

/* ---- mathematics ---- */

/* Abramowitz and Stegun, table 26.10, and the closed form of two degrees of freedom. */
static void test_quantiles(void **state)
{
    (void)state;
    assert_close(carom_normal_quantile(0.975), 1.959963984540054, 1e-14);
    assert_close(carom_student_quantile(0.975, 1), 12.706204736174698, 1e-10);
    assert_close(carom_student_quantile(0.975, 10), 2.2281388519862735, 1e-11);
    assert_close(carom_student_quantile(0.025, 10), -2.2281388519862735, 1e-11);
    assert_close(carom_student_quantile(0.995, 30), 2.7499956535672254, 1e-11);
    assert_close(carom_student_quantile(0.975, 1e6), 1.959966356714162, 1e-8);
    for (double t = -3; t < 3; t += 0.37)
        assert_close(carom_student(t, 2), 0.5 + 0.5 * t / sqrt(2 + t * t), 1e-14);
}

/* Columns with known singular values, one of them 1e-9 of the others, that rotations keep. */
static void test_singular_values(void **state)
{
    const double wanted[3] = {5, 2, 5e-9}, c = cos(0.7), s = sin(0.7);
    double a[12], v[9], found[3];
    (void)state;
    /* U of four orthonormal rows by columns, times S, times a turn in the plane of the first and the last */
    static const double u[3][4] = {{0.5, 0.5, 0.5, 0.5}, {0.5, -0.5, 0.5, -0.5}, {0.5, 0.5, -0.5, -0.5}};
    for (int k = 0; k < 4; k++) {
        a[k] = c * wanted[2] * u[2][k] - s * wanted[0] * u[0][k];
        a[4 + k] = wanted[1] * u[1][k];
        a[8 + k] = s * wanted[2] * u[2][k] + c * wanted[0] * u[0][k];
    }
    carom_singular_values(4, 3, a, v, found);
    assert_close(found[0], 5, 1e-14);
    assert_close(found[1], 2, 1e-14);
    /* the columns were rounded to 1e-16 of 5 */
    assert_close(found[2], 5e-9, 1e-15);
    assert_close(fabs(v[6]), c, 1e-8);
    assert_close(fabs(v[8]), s, 1e-8);
}

/* ---- fits ---- */

static void write_file(const char *name, const char *text)
{
    FILE *file = fopen(name, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

typedef struct fitted {
    carom_context *ctx;
    carom_fit *fit;
    carom_fit_result r;
} fitted;

static fitted solve(const char *study, const char *record)
{
    fitted f = {.ctx = new_context()};
    write_file("study.yaml", study);
    write_file("record.csv", record);
    assert_ok(f.ctx, carom_fit_read(f.ctx, "study.yaml", NULL, &f.fit));
    assert_ok(f.ctx, carom_fit_check(f.ctx, f.fit));
    assert_ok(f.ctx, carom_fit_solve(f.ctx, f.fit, NULL, &f.r));
    return f;
}

static void finish(fitted *f)
{
    carom_fit_result_free(f->ctx, &f->r);
    carom_fit_free(f->fit);
    carom_context_free(f->ctx);
}

static bool says(const fitted *f, const char *part)
{
    for (size_t k = 0; k < f->r.sentence_count; k++)
        if (strstr(f->r.sentences[k], part))
            return true;
    return false;
}

static const char line_record[] = "x, y\n0, 1.1\n1, 2.9\n2, 5.2\n3, 6.8\n4, 9.1\n";

/* y = a + b x: a = 1.04, b = 1.99 by the normal equations; SSR = 0.107; errors sigma sqrt(0.6) and sigma sqrt(0.1). */
static void test_line(void **state)
{
    static const char *const sigmas[] = {"    sigma: 0.3\n", ""};
    (void)state;
    for (int k = 0; k < 2; k++) {
        char study[512];
        snprintf(study, sizeof study,
                 "parameters: {a: {from: -10, to: 10}, b: {from: -10, to: 10}}\nrecords:\n  - file: record.csv\n"
                 "    each: {x: x}\n    compare: {y: a + b*x}\n%s",
                 sigmas[k]);
        fitted f = solve(study, line_record);
        const double sigma = k == 0 ? 0.3 : sqrt(0.107 / 3);
        const double q = k == 0 ? carom_normal_quantile(0.975) : carom_student_quantile(0.975, 3);
        const carom_fit_estimate *a = &f.r.estimates[0], *b = &f.r.estimates[1];
        assert_true(f.r.converged);
        assert_close(a->value, 1.04, 1e-9);
        assert_close(b->value, 1.99, 1e-9);
        /* differences of a linear function have rounding alone: 1e-16 over steps of 3e-4 */
        assert_close(a->error, sigma * sqrt(0.6), 1e-9);
        assert_close(b->error, sigma * sqrt(0.1), 1e-9);
        assert_close(f.r.correlations[1], -2 / sqrt(6.0), 1e-9);
        assert_close(b->high, 1.99 + q * sigma * sqrt(0.1), 1e-8);
        /* the ends of a profile are found to 0.5 % of the root of the rise */
        assert_close(b->profile_high, b->high, 0.005 * q * sigma * sqrt(0.1));
        assert_close(a->profile_low, a->low, 0.005 * q * sigma * sqrt(0.6));
        assert_close(f.r.residuals[0].sigma, sigma, 1e-9);
        assert_close(f.r.misfit, 0.107 / (sigma * sigma), 1e-8);
        finish(&f);
    }
}

/* The best b lies beyond its bound: it stays there, a is the best with it, and profiles are open. */
static void test_bound(void **state)
{
    (void)state;
    fitted f = solve("parameters: {a: {from: -10, to: 10}, b: {from: 2.5, to: 10, start: 9}}\nrecords:\n"
                     "  - file: record.csv\n    each: {x: x}\n    compare: {y: a + b*x}\n    sigma: 0.3\n",
                     line_record);
    assert_true(f.r.estimates[1].at_low);
    assert_close(f.r.estimates[1].value, 2.5, 1e-12);
    assert_close(f.r.estimates[0].value, 5.02 - 2.5 * 2, 1e-8);
    assert_close(f.r.estimates[0].error, 0.3 / sqrt(5.0), 1e-8);
    assert_true(f.r.estimates[1].open_low);
    assert_true(isnan(f.r.estimates[1].error));
    assert_true(says(&f, "b lies at its lower bound"));
    assert_true(says(&f, "widen the bound"));
    assert_false(says(&f, "do not tell it"));
    finish(&f);
}

/* b is known to 0.95, by sigma: from bound to bound the misfit rises by (0.06 sqrt(10)/3)^2 at most. */
static void test_untold(void **state)
{
    (void)state;
    fitted f = solve("parameters: {a: {from: -10, to: 10}, b: {from: 2, to: 2.05}}\nrecords:\n"
                     "  - file: record.csv\n    each: {x: x}\n    compare: {y: a + b*x}\n    sigma: 3\n",
                     line_record);
    assert_true(f.r.estimates[1].at_low && f.r.estimates[1].open_low && f.r.estimates[1].open_high);
    assert_true(says(&f, "the records do not tell it, since its profile goes from bound to bound"));
    assert_false(says(&f, "widen the bound"));
    finish(&f);
}

/* Two unknowns of which the sum alone is known, and one that nothing depends on. */
static void test_not_told_apart(void **state)
{
    (void)state;
    fitted f = solve(
        "parameters: {a: {from: -10, to: 10}, b: {from: -10, to: 10}, c: {from: 0, to: 1}, d: {from: -9, to: 9}}\n"
        "records:\n  - file: record.csv\n    each: {x: x}\n    compare: {y: a + b + d*x + 0*c}\n    sigma: 0.3\n",
        line_record);
    assert_true(says(&f, "a and b cannot be told apart by these records"));
    assert_true(says(&f, "the records do not depend on c"));
    assert_false(f.r.estimates[0].free);
    assert_true(f.r.estimates[3].free);
    assert_close(f.r.estimates[3].error, 0.3 * sqrt(0.1), 1e-7);
    assert_close(f.r.estimates[0].value + f.r.estimates[1].value, 1.04, 1e-7);
    finish(&f);
}

/* An outlier of a hundred sigma moves robust lines by less than one. */
static void test_losses(void **state)
{
    static const char *const losses[] = {"huber", "soft-l1", "cauchy"};
    (void)state;
    for (int k = 0; k < 3; k++) {
        char study[512];
        snprintf(
            study, sizeof study,
            "loss: %s\nparameters: {a: {from: -10, to: 10}, b: {from: -10, to: 10}}\nrecords:\n  - file: record.csv\n"
            "    each: {x: x}\n    compare: {y: a + b*x}\n    sigma: 0.1\n",
            losses[k]);
        fitted f = solve(study, "x, y\n0, 1.0\n1, 3.1\n2, 4.9\n3, 17\n4, 9.0\n5, 11.1\n6, 12.9\n7, 15.05\n");
        assert_close(f.r.estimates[1].value, 2, 0.05);
        assert_close(f.r.estimates[0].value, 1, 0.25);
        finish(&f);
    }
    /* the losses are r^2 near 0 and have the derivatives that they say */
    for (carom_loss loss = CAROM_LOSS_LINEAR; loss <= CAROM_LOSS_CAUCHY; loss++) {
        carom_fit f = {.loss = loss, .loss_scale = 1.5};
        for (double r = -4; r < 4; r += 0.31) {
            double slope, unused, pull_slope;
            const double g = carom_fit_lossy(&f, r, &slope), h = 1e-6;
            const double pull = carom_fit_pull(&f, r, &pull_slope);
            const double above = carom_fit_lossy(&f, r + h, &unused), below = carom_fit_lossy(&f, r - h, &unused);
            assert_close(slope, (above - below) / (2 * h), 1e-8);
            assert_close(pull, g * slope, 1e-12);
            if (fabs(r) < 0.02)
                assert_close(g, r, 1e-4);
        }
    }
}

/* sqrt(b) has no value below 0: the search goes round it, and ends where it must. */
static void test_failing_predictions(void **state)
{
    (void)state;
    fitted f = solve(
        "parameters: {a: {from: -10, to: 10}, b: {from: -100, to: 100, start: 90}}\nrecords:\n  - file: record.csv\n"
        "    each: {x: x}\n    compare: {y: a + sqrt(b)*x}\n    sigma: 0.3\n",
        line_record);
    assert_close(f.r.estimates[1].value, 1.99 * 1.99, 1e-6);
    finish(&f);
    carom_context *ctx = new_context();
    carom_fit *fit;
    carom_fit_result r;
    write_file("study.yaml", "parameters: {b: {from: -100, to: -1}}\nrecords:\n  - file: record.csv\n"
                             "    each: {x: x}\n    compare: {y: sqrt(b)*x}\n    sigma: 0.3\n");
    assert_ok(ctx, carom_fit_read(ctx, "study.yaml", NULL, &fit));
    assert_ok(ctx, carom_fit_check(ctx, fit));
    assert_refused(ctx, carom_fit_solve(ctx, fit, NULL, &r), CAROM_ERROR_SOLVER,
                   "nothing could be predicted from any start");
    carom_fit_result_free(ctx, &r);
    carom_fit_free(fit);
    carom_context_free(ctx);
}

/* Headings, units, empty cells, comments. */
static void test_table(void **state)
{
    carom_context *ctx = new_context();
    carom_table t;
    (void)state;
    write_file("table.csv", "\xef\xbb\xbf# a comment\n\"t [ms]\"; Force (kN); note\n0; 1.5; a\n\n 1;; b\n");
    assert_ok(ctx, carom_table_read_csv(ctx, "table.csv", &t));
    assert_int_equal(t.rows, 2);
    assert_int_equal(t.column_count, 3);
    assert_string_equal(t.columns[0].name, "t");
    assert_string_equal(t.columns[0].unit, "ms");
    assert_string_equal(t.columns[1].name, "Force");
    assert_string_equal(t.columns[1].unit, "kN");
    assert_true(isnan(t.columns[1].values[1]));
    assert_null(t.columns[1].text);
    assert_string_equal(t.columns[2].text, "a");
    assert_int_equal(t.lines[1], 5);
    carom_table_free(ctx, &t);
    static const struct {
        const char *heading, *name, *unit;
    } headings[] = {{"t/ms", "t", "ms"},          {"v/(m/s)", "v", "m/s"},    {"M/N m", "M", "N m"},
                    {"time_ms", "time_ms", "ms"}, {"F in kN", "F", "kN"},     {"a/m/s^2", "a", "m/s^2"},
                    {"m/kg", "m", "kg"},          {"left/right", "left/right", ""}, {"rms", "rms", ""},
                    {"plug in", "plug in", ""},   {"x/t [mm]", "x/t", "mm"},  {"t/\xc2\xb5s", "t", "\xc2\xb5s"}};
    for (size_t k = 0; k < sizeof headings / sizeof *headings; k++) {
        char text[80];
        snprintf(text, sizeof text, "x;%s\n1;2\n", headings[k].heading);
        write_file("table.csv", text);
        assert_ok(ctx, carom_table_read_csv(ctx, "table.csv", &t));
        assert_string_equal(t.columns[1].name, headings[k].name);
        assert_string_equal(t.columns[1].unit, headings[k].unit);
        assert_int_equal(carom_table_find(&t, headings[k].name), 1);
        assert_int_equal(carom_table_find(&t, headings[k].heading), 1);
        assert_int_equal(carom_table_find(&t, "other"), 2);
        carom_table_free(ctx, &t);
    }
    write_file("table.csv", "1 2\n3 4\n");
    assert_ok(ctx, carom_table_read_csv(ctx, "table.csv", &t));
    assert_string_equal(t.columns[1].name, "2");
    assert_close(t.columns[1].values[1], 4, 0);
    carom_table_free(ctx, &t);
    carom_context_free(ctx);
}

/* An accelerometer on a table that falls onto a pad of Kelvin's law: the record jumps by D v/m at the onset, whose time
   on its clock is unknown, and its samples lie closer together than the rows of the model. */
static void test_jump_in_record(void **state)
{
    static const char model[] =
        "carom: 1\ndimension: 2\ngravity: [0, -10]\nparameters: {K: 3e6, D: 1e3}\n"
        "bodies: {table: {mass: 20, inertia: 1, at: [0, 0.26]}}\n"
        "joints: {guide: {type: translational, between: [ground, table], axis: [0, 1]}}\n"
        "shapes: {nose: {type: sphere, on: table, radius: 0.05}, pad: {type: plane, on: ground, normal: [0, 1]}}\n"
        "contacts: {hit: {between: [pad, nose], normal: {law: kelvin-voigt, stiffness: K, damping: D}}}\n"
        "run: {until: 0.4}\n";
    static const char study[] = "model: drop.yaml\nparameters:\n  K: {from: 1e6, to: 2e7, scale: log, start: 3e6}\n"
                                "  D: {from: 100, to: 2e4, scale: log, start: 1e3}\nrecords:\n"
                                "  - file: record.csv\n    time: t\n    sigma: 10\n"
                                "    compare: {a: 'body.table.acceleration.y + 10'}\n"
                                "    shift: {from: -210*ms, to: -190*ms, start: -201*ms}\n";
    /* it falls 0.21 m; the clock of the record begins 200.123 ms behind the start */
    const double stiffness = 4e6, damping = 4e3, mass = 20, speed = sqrt(2 * 10 * 0.21), begin = 0.200123;
    const double decay = damping / (2 * mass), w = sqrt(stiffness / mass - decay * decay), rest = mass * 10 / stiffness;
    char record[4096] = "t [ms], a [m/s^2]\n";
    (void)state;
    for (int k = 0; k < 45; k++) {
        const double t = 0.2e-3 * k, s = begin + t - speed / 10;
        /* y = x + rest from y = rest, y' = -speed on */
        const double b = (decay * rest - speed) / w, cosine = cos(w * s), sine = sin(w * s);
        const double y = exp(-decay * s) * (rest * cosine + b * sine);
        const double rate = exp(-decay * s) * ((b * w - decay * rest) * cosine - (rest * w + decay * b) * sine);
        const double force = s < 0 ? 0 : -(stiffness * (y - rest) + damping * rate);
        const size_t used = strlen(record);
        snprintf(record + used, sizeof record - used, "%.3f, %.9g\n", 1e3 * t, force / mass);
    }
    write_file("drop.yaml", model);
    fitted f = solve(study, record);
    /* cubics between the steps of the impact are 1e-3 of it off, 0.3 of 300 m/s^2, which is 0.03 sigma a datum; by
       what raises the misfit by 0.1 of its unit an unknown moves a third of its error, of 1, 2 % and 0.03 ms. A search
       ends where one sample or more stand on the wrong side of the jump, at a misfit of hundreds */
    assert_close(f.r.estimates[0].value / stiffness, 1, 1e-2);
    assert_close(f.r.estimates[1].value / damping, 1, 6e-2);
    assert_close(f.r.estimates[2].value, -begin, 1e-4);
    assert_true(f.r.misfit < 1);
    finish(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_quantiles), cmocka_unit_test(test_singular_values),
                                       cmocka_unit_test(test_line),      cmocka_unit_test(test_bound),
        cmocka_unit_test(test_untold),
        cmocka_unit_test(test_jump_in_record),
                                       cmocka_unit_test(test_losses),    cmocka_unit_test(test_not_told_apart),
                                       cmocka_unit_test(test_table),     cmocka_unit_test(test_failing_predictions)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
