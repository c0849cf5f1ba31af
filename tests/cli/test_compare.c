/* `carom compare` from outside: restitution of four laws against the closed form, parallel runs that are those of
   `carom run`, figures, failing variants, misspelt names, interruption. */
#include "carom_test.h"

#include <math.h>
#include <signal.h>

#include "carom/io.h"
#include "support/command.h"
#include "support/json_at.h"
#include "support/sample.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define SPHERES "'" CAROM_MODELS "/two_spheres.yaml'"
#define CRANK "'" CAROM_MODELS "/slider_crank_block.yaml'"

/* A ball whose law is no parameter, though something of a similar name is. */
static const char ball[] = "carom: 1\n"
                           "dimension: 2\n"
                           "gravity: [0, -9.81]\n"
                           "parameters: {e: 0.8, end: 0.25, laws: 3}\n"
                           "bodies:\n"
                           "  ball: {mass: 0.1, inertia: 4e-6, at: [0, 0.03]}\n"
                           "shapes:\n"
                           "  skin: {type: sphere, on: ball, radius: 0.01}\n"
                           "  plate: {type: plane, on: ground, normal: [0, 1]}\n"
                           "contacts:\n"
                           "  hit: {between: [plate, skin], normal: {law: flores, stiffness: 1e8, restitution: e}}\n"
                           "run: {until: end, tolerance: 1e-8}\n";

/* ---- running the program ---- */

/* Runs a comparison that must fail before anything is written, with one line of error that contains `part`. */
static void expect_wrong(int status, const char *part, const char *options)
{
    char arguments[1024];
    snprintf(arguments, sizeof arguments, "compare %s --results wrong-out", options);
    expect_error(status, part, arguments);
    assert_false(exists("wrong-out"));
}

/* Compares two files byte by byte. */
static void assert_same_file(const char *a, const char *b)
{
    char command[1024];
    snprintf(command, sizeof command, "cmp -s '%s' '%s'", a, b);
    if (system(command) != 0)
        fail_msg("%s and %s differ", a, b);
}

/* ---- JSON ---- */

static json *compare_json(int status, const char *arguments)
{
    outcome o = carom("compare %s --json", arguments);
    if (o.status != status)
        fail_msg("carom compare %s: exit status %d, expected %d; %s", arguments, o.status, status, o.err);
    json *value = expect_json(o.out);
    assert_string_equal(o.err, "");
    free_outcome(&o);
    return value;
}

/* Asserts that two values agree to the last bit, but for what names files and measures time. */
static void assert_same(const json *a, const json *b, const char *where)
{
    if (strcmp(where, "cpu_seconds") == 0 || strcmp(where, "results") == 0 || strcmp(where, "report") == 0)
        return;
    double x = json_number(a), y = json_number(b);
    const char *s = json_text(a), *t = json_text(b);
    if (json_type_of(a) != json_type_of(b) || json_size(a) != json_size(b) ||
        (json_type_of(a) == JSON_NUMBER && memcmp(&x, &y, sizeof x) != 0) || (s && (!t || strcmp(s, t) != 0)))
        fail_msg("'%s' differs", where);
    for (size_t k = 0; k < json_size(a); k++) {
        const char *name = json_name(a, k);
        if (name)
            assert_name(b, k, name);
        assert_same(json_item(a, k), json_item(b, k), name ? name : where);
    }
}

/* ---- set-up ---- */

static int set_up(void **state)
{
    if (enter_folder(state))
        return -1;
    write_text("ball.yaml", ball);
    return 0;
}

/* ---- numbers ---- */

/* Restitution of F = K d^n (1 + a v) with b = a v_in: m v dv = -F dd gives equal integrals of K d^n in and out, so that
   of v / (1 + a v) from -e v_in to v_in vanishes: b (1 + e) = ln((1 + b) / (1 - b e)). */
static double closed_form(double b)
{
    double low = 0, high = fmin(1, 1 / b);
    for (int k = 0; k < 200; k++) {
        double e = 0.5 * (low + high);
        /* at e = 0 the logarithm is the smaller one */
        if (log1p(b) - log1p(-b * e) < b * (1 + e))
            low = e;
        else
            high = e;
    }
    return 0.5 * (low + high);
}

static void test_laws(void **state)
{
    (void)state;
    static const char *const laws[] = {"flores", "hunt-crossley", "lankarani-nikravesh", "exact"};
    const double e = 0.7;
    const double expected[] = {closed_form(8 * (1 - e) / (5 * e)), closed_form(1.5 * (1 - e)),
                               closed_form(0.75 * (1 - e * e)), e};
    assert_true(fabs(expected[0] - 0.683184) < 1e-6 && fabs(expected[1] - 0.768000) < 1e-6);
    json *all = compare_json(0, SPHERES " --vary law=flores,hunt-crossley,lankarani-nikravesh,exact --no-results");
    assert_string_equal(text_at(all, "model"), "two_spheres");
    assert_int_equal(json_size(json_get(all, "variants")), COUNT(laws));
    double worst = 0;
    for (size_t k = 0; k < COUNT(laws); k++) {
        const json *v = json_item(json_get(all, "variants"), k);
        static const char *const keys[] = {"set", "status", "error", "run"};
        assert_int_equal(json_size(v), COUNT(keys));
        for (size_t i = 0; i < COUNT(keys); i++)
            assert_name(v, i, keys[i]);
        assert_string_equal(text_at(v, "set.law"), laws[k]);
        assert_string_equal(text_at(v, "status"), "completed");
        assert_int_equal(json_type_of(json_get(v, "error")), JSON_NULL);
        assert_int_equal(json_size(json_get(v, "run.impacts")), 1);
        assert_true(number_at(v, "run.impacts.0.e_asked") == e);
        worst = fmax(worst, fabs(number_at(v, "run.impacts.0.e_got") - expected[k]));
    }
    json_free(all);
    print_message("restitution of four laws: largest error %.2g of 1e-7 allowed\n", worst);
    /* ten times the relative tolerance of the run, 1e-8 */
    assert_true(worst < 1e-7);
}

/* The table shows what the JSON says. */
static void test_table(void **state)
{
    (void)state;
    outcome o = carom("compare " SPHERES " --vary law=flores,hunt-crossley -j 1 --no-results");
    assert_int_equal(o.status, 0);
    assert_string_equal(o.err, "");
    static const char *const parts[] = {"two_spheres · 2 variants of law · impact 1\n2 completed  ",
                                        "  1 thread\n",
                                        "impacts  v in [m/s]  v out [m/s]  e asked     e got  peak [N]",
                                        "0.683184",
                                        "0.768000",
                                        "  completed\n"};
    for (size_t k = 0; k < COUNT(parts); k++)
        expect_text(o.out, parts[k]);
    assert_null(strstr(o.out, " \n"));
    assert_false(exists("carom-out"));
    free_outcome(&o);
    o = carom("compare " CRANK " --vary e=0.7 --impact 2 --contact hit --no-results");
    assert_int_equal(o.status, 0);
    expect_text(o.out, "impact 2 of hit\n");
    expect_text(o.out, "0.683270");
    free_outcome(&o);
    o = carom("compare " SPHERES " --vary law=hertz,hooke -q --results quiet-out");
    assert_int_equal(o.status, 0);
    assert_string_equal(o.out, "");
    assert_string_equal(o.err, "");
    assert_true(exists("quiet-out/two_spheres-law=hooke.h5"));
    free_outcome(&o);
}

/* ---- variants ---- */

static void test_product(void **state)
{
    (void)state;
    json *all = compare_json(0, SPHERES " --vary law=flores,exact --vary 'e = 0.1:0.3:0.1, 45*deg' --no-results");
    static const double e[] = {0.1, 0.2, 0.3, 0.78539816339744831};
    assert_int_equal(json_size(json_get(all, "variants")), 8);
    for (size_t k = 0; k < 8; k++) {
        const json *v = json_item(json_get(all, "variants"), k);
        assert_string_equal(text_at(v, "set.law"), k < 4 ? "flores" : "exact");
        assert_true(number_at(v, "set.e") == e[k % 4]);
        assert_true(number_at(v, "run.impacts.0.e_asked") == e[k % 4]);
    }
    json_free(all);
    /* values that differ only in what no file name may hold, and a comma inside of brackets */
    outcome o = carom("compare " SPHERES " --vary 'K=1e9*2,1e9/2,min(1e9,2e9),1e9:3e9*N/m:1e9' --results names-out");
    assert_int_equal(o.status, 0);
    static const char *const names[] = {"K=1e9_2", "K=1e9_2_2", "K=min_1e9_2e9_", "K=1000000000", "K=3000000000"};
    for (size_t k = 0; k < COUNT(names); k++) {
        char path[128];
        snprintf(path, sizeof path, "names-out/two_spheres-%s.h5", names[k]);
        if (!exists(path))
            fail_msg("%s does not exist", path);
    }
    free_outcome(&o);
}

/* Every result file has the bytes, so every dataset the bits, of a single run, whatever the number of threads; and so
   has the JSON. */
static void test_threads(void **state)
{
    (void)state;
    static const char *const laws[] = {"flores", "hunt-crossley", "hertz", "exact"}, *const speeds[] = {"140", "150"};
    static const int jobs[] = {1, 8};
    json *all[COUNT(jobs)];
    for (size_t k = 0; k < COUNT(jobs); k++) {
        char arguments[512];
        snprintf(arguments, sizeof arguments,
                 CRANK " --set e=0.8 --vary law=flores,hunt-crossley,hertz,exact --vary omega=140,150 --tolerance 1e-7 "
                       "--at 0.05,0.01 --jobs %d --results jobs-%d",
                 jobs[k], jobs[k]);
        all[k] = compare_json(0, arguments);
    }
    for (size_t k = 0; k < COUNT(laws) * COUNT(speeds); k++) {
        const char *law = laws[k / 2], *speed = speeds[k % 2];
        outcome o =
            carom("run " CRANK " --set e=0.8 --set law=%s --set omega=%s --tolerance 1e-7 --at 0.05,0.01 --json "
                  "-o single",
                  law, speed);
        assert_int_equal(o.status, 0);
        json *single = json_parse_text(o.out);
        assert_non_null(single);
        for (size_t j = 0; j < COUNT(jobs); j++) {
            char path[256];
            snprintf(path, sizeof path, "jobs-%d/slider_crank_block-law=%s-omega=%s.h5", jobs[j], law, speed);
            assert_same_file("single/slider_crank_block.h5", path);
            const json *run = json_member(json_item(json_get(all[j], "variants"), k), "run");
            assert_same(single, run, "run");
            assert_string_equal(text_at(run, "results"), path);
            assert_int_equal(json_size(json_get(run, "samples")), 2);
        }
        json_free(single);
        free_outcome(&o);
    }
    for (size_t k = 0; k < COUNT(jobs); k++)
        json_free(all[k]);
}

/* ---- figures ---- */

/* Draws the curves as a caller of the library would. */
static void draw(carom_context *ctx, const carom_curve *curves, size_t count, const char *x_label, const char *x_unit,
                 const char *y_label, double x_max, const char *path)
{
    carom_figure f = {.size = sizeof(carom_figure), .x_label = x_label,
                      .x_unit = x_unit,
                      .y_label = y_label,
                      .y_unit = "N",
                      .curves = curves,
                      .curve_count = count,
                      .x_max = x_max};
    assert_ok(ctx, carom_figure_draw(ctx, &f, path));
}

static void test_overlay(void **state)
{
    (void)state;
    static const char *const laws[] = {"flores", "hertz"}, *const labels[] = {"law = flores", "law = hertz"};
    outcome o = carom("compare " SPHERES " --vary law=flores,hertz --channel contact.hit.force --against "
                      "contact.hit.indentation --episode 1 -o loop.svg --results loop-out");
    assert_int_equal(o.status, 0);
    expect_text(o.out, "figure       loop.svg  2 of 2 variants\n");
    free_outcome(&o);
    carom_context *ctx = new_context();
    carom_result *results[2];
    carom_curve loops[2];
    for (size_t k = 0; k < 2; k++) {
        char path[128];
        size_t rows, impacts, first = 0;
        const double *time, *x, *y;
        const char *unit;
        snprintf(path, sizeof path, "loop-out/two_spheres-law=%s.h5", laws[k]);
        assert_int_equal(carom_result_open(ctx, path, &results[k]), CAROM_OK);
        const carom_impact *impact = carom_result_impacts(results[k], &impacts);
        assert_int_equal(impacts, 1);
        assert_int_equal(carom_result_column(results[k], "contact.hit.force", &rows, &time, &y, &unit), CAROM_OK);
        assert_int_equal(carom_result_column(results[k], "contact.hit.indentation", &rows, &time, &x, &unit), CAROM_OK);
        while (time[first] < impact->onset)
            first++;
        size_t last = first;
        while (last + 1 < rows && time[last + 1] < impact->onset + 1.000001 * impact->duration)
            last++;
        assert_true(last > first + 50);
        loops[k] = (carom_curve){.label = labels[k], .count = last - first + 1, .x = x + first, .y = y + first};
    }
    draw(ctx, loops, 2, "Indentation δ", "m", "Force F", 0, "loop-expected.svg");
    assert_same_file("loop.svg", "loop-expected.svg");
    for (size_t k = 0; k < 2; k++)
        carom_result_close(results[k]);
    carom_context_free(ctx);
    static const char *const others[] = {
        "-o a.pdf --channel contact.hit.force,contact.hit.elastic --episode 1 --title Forces",
        "-o b.png --channel body.left.velocity.x --against time",
        "-o c.svg --channel energy.kinetic --channel energy.elastic",
    };
    for (size_t k = 0; k < COUNT(others); k++) {
        o = carom("compare " SPHERES " --vary law=flores,hertz,hooke,exact --vary e=0.5,0.7,0.9 -q %s", others[k]);
        if (o.status != 0)
            fail_msg("%s: %d, %s", others[k], o.status, o.err);
        free_outcome(&o);
    }
    assert_true(exists("a.pdf") && exists("b.png") && exists("c.svg"));
}

/* The vertical axis of `carom plot` names what the channels share. */
static void test_axis(void **state)
{
    (void)state;
    static const struct {
        const char *channels[2], *unit, *label;
    } cases[] = {
        {{"contact.hit.force", "contact.hit.damping"}, "N", "Force"},
        {{"joint.pin.reaction.x", "joint.wrist.reaction.x"}, "N", "Reaction R in x"},
        {{"joint.pin.reaction.x", "joint.pin.reaction.y"}, "N", "Reaction R"},
        {{"contact.hit.force", "joint.pin.reaction.x"}, "N", "Force"},
    };
    outcome o = carom("run " CRANK " -q -o axis-out");
    assert_int_equal(o.status, 0);
    free_outcome(&o);
    carom_context *ctx;
    carom_result *result;
    ctx = new_context();
    assert_int_equal(carom_result_open(ctx, "axis-out/slider_crank_block.h5", &result), CAROM_OK);
    for (size_t k = 0; k < COUNT(cases); k++) {
        carom_curve curves[2];
        double *scaled[2], end = 0;
        for (size_t i = 0; i < 2; i++) {
            size_t rows;
            const double *time, *values;
            const char *unit;
            assert_int_equal(carom_result_column(result, cases[k].channels[i], &rows, &time, &values, &unit), CAROM_OK);
            assert_string_equal(unit, cases[k].unit);
            scaled[i] = malloc(rows * sizeof *scaled[i]);
            for (size_t j = 0; j < rows; j++)
                scaled[i][j] = 1e3 * time[j];
            end = fmax(end, scaled[i][rows - 1]);
            curves[i] = (carom_curve){.label = cases[k].channels[i], .count = rows, .x = scaled[i], .y = values};
        }
        draw(ctx, curves, 2, "Time t", "ms", cases[k].label, 0, "axis-expected.svg");
        o = carom("plot axis-out/slider_crank_block.h5 %s %s -o axis.svg", cases[k].channels[0], cases[k].channels[1]);
        assert_int_equal(o.status, 0);
        free_outcome(&o);
        assert_same_file("axis.svg", "axis-expected.svg");
        free(scaled[0]);
        free(scaled[1]);
    }
    carom_result_close(result);
    carom_context_free(ctx);
}

/* ---- what fails ---- */

static void test_failing_variant(void **state)
{
    (void)state;
    json *all = compare_json(3, SPHERES " --vary law=flores,flroes --vary K=5.5e9,1e100 --results fail-out");
    static const char *const statuses[] = {"completed", "failed", "failed", "failed"};
    for (size_t k = 0; k < 4; k++) {
        const json *v = json_item(json_get(all, "variants"), k);
        assert_string_equal(text_at(v, "status"), statuses[k]);
        assert_int_equal(json_type_of(json_member(v, "error")), k == 0 ? JSON_NULL : JSON_TEXT);
        assert_int_equal(json_type_of(json_member(v, "run")), k < 2 ? JSON_OBJECT : JSON_NULL);
    }
    expect_text(text_at(all, "variants.1.error"), "no progress");
    assert_string_equal(text_at(all, "variants.1.run.status"), "failed");
    expect_text(text_at(all, "variants.2.error"), "did you mean 'flores'?");
    json_free(all);
    assert_true(exists("fail-out/two_spheres-law=flores-K=5.5e9.h5"));
    assert_true(exists("fail-out/two_spheres-law=flores-K=1e100.h5"));
    assert_false(exists("fail-out/two_spheres-law=flroes-K=5.5e9.h5"));
    outcome o = carom("compare " SPHERES " --vary e=0.5,1.5 --results fail-out --channel contact.hit.force -o one.svg");
    assert_int_equal(o.status, 3);
    assert_string_equal(o.err, "");
    expect_text(o.out, "1 completed  1 failed");
    expect_text(o.out, "failed: ");
    expect_text(o.out, "restitution is 1.5");
    expect_text(o.out, "figure       one.svg  1 of 2 variants\n");
    free_outcome(&o);
}

static void test_wrong(void **state)
{
    (void)state;
    /* the model */
    expect_wrong(1, "did you mean 'flores'?", SPHERES " --vary law=flroes");
    expect_wrong(1, "must be above 0 and at most 1", SPHERES " --vary e=1.5 --vary law=flores,exact");
    expect_wrong(1, ".yaml:", "'" CAROM_TEST_DATA "/../wrong/alias.yaml' --vary e=1");
    expect_wrong(4, "none.yaml", "none.yaml --vary e=1");
    /* names */
    expect_wrong(2, "did you mean 'law'?", SPHERES " --vary lwa=flores");
    expect_wrong(2, "did you mean 'laws'?", "ball.yaml --vary law=flores,hertz");
    expect_wrong(2, "by `law: $law` in its `normal` and `law: flores` in `parameters`", "ball.yaml --vary law=flores");
    expect_wrong(2, "by `law: $law`", "ball.yaml --vary e=0.5,0.6 --vary law=flores");
    expect_wrong(2, "no parameter 'frob'", SPHERES " --set frob=1 --vary e=0.5");
    expect_wrong(2, "did you mean 'hit'?", SPHERES " --vary e=0.5 --contact hti");
    expect_wrong(2, "did you mean 'contact.hit.force'?", SPHERES " --vary e=0.5 -o x.svg --channel contact.hit.forse");
    expect_wrong(2, "'body.left.position.x'", SPHERES " --vary e=0.5 -o x.svg --channel body.left.position");
    expect_wrong(2, "did you mean 'adams'?", SPHERES " --vary e=0.5 --integrator adam");
    expect_wrong(2, "did you mean '--vary'?", SPHERES " --vray e=0.5");
    /* values */
    expect_wrong(2, "is a word", SPHERES " --vary e=0.5,flores");
    expect_wrong(2, "--vary NAME=VALUE", SPHERES);
    expect_wrong(2, "NAME=VALUE", SPHERES " --vary e");
    expect_wrong(2, "a value is empty", SPHERES " --vary e=0.5,,0.6");
    expect_wrong(2, "there twice", SPHERES " --vary e=0.1:0.5:0.1,0.3");
    expect_wrong(2, "varied twice", SPHERES " --vary e=0.1 --vary e=0.2");
    expect_wrong(2, "set and varied", SPHERES " --set e=0.3 --vary e=0.1,0.2");
    expect_wrong(2, "first:last:step", SPHERES " --vary e=0.1:0.2");
    expect_wrong(2, "never gets", SPHERES " --vary e=0.5:0.1:0.1");
    expect_wrong(2, "never gets", SPHERES " --vary e=0.1:0.5:0");
    expect_wrong(2, "not a number", SPHERES " --vary e=0.1:frob:0.1");
    expect_wrong(2, "more than 10000", SPHERES " --vary e=0:1:1e-6");
    expect_wrong(2, "--jobs takes", SPHERES " --vary e=0.5 --jobs 1.5");
    expect_wrong(2, "--impact takes", SPHERES " --vary e=0.5 --impact 0");
    expect_wrong(2, "--output FILE is missing", SPHERES " --vary e=0.5 --channel contact.hit.force");
    expect_wrong(2, "--channel NAME", SPHERES " --vary e=0.5 -o x.svg");
    expect_wrong(2, ".svg", SPHERES " --vary e=0.5 -o x.gif --channel contact.hit.force");
    expect_wrong(2, "--json", SPHERES " --vary e=0.5 --at 0.001");
    outcome o = carom("compare " SPHERES " --vary e=0.5 -o x.svg --channel contact.hit.force --episode 2");
    assert_int_equal(o.status, 2);
    expect_text(o.err, "no variant has an episode 2 of the contact hit");
    assert_false(exists("x.svg"));
    free_outcome(&o);
    o = carom("compare ball.yaml --vary e=0.5 --results ball.yaml/out");
    assert_int_equal(o.status, 4);
    expect_text(o.err, "ball.yaml/out");
    free_outcome(&o);
    o = carom("compare --help");
    assert_int_equal(o.status, 0);
    expect_text(o.out, "Example:\n  carom compare ");
    free_outcome(&o);
}

/* ---- inputs ---- */

/* A record pushes a body of 2 kg and one of 4 kg from rest: v = (impulse of the record)/mass, and as carom run has
   it. */
static void test_record(void **state)
{
    (void)state;
    write_text("push.yaml", "carom: 1\ndimension: 2\nparameters: {weight: 2}\ninputs: {drive: 0}\n"
                            "bodies: {cart: {mass: weight, inertia: 1}}\n"
                            "loads: {push: {type: force, on: cart, force: [drive, 0]}}\n"
                            "run: {until: 1, tolerance: 1e-10}\n");
    write_text("drive.csv", "time,drive\n0,0\n0.5,5\n1,10\n");
    json *all = compare_json(0, "push.yaml --vary weight=2,4 --input drive=drive.csv --no-results --no-report");
    outcome one = carom("run push.yaml --input drive=drive.csv --json --no-results --no-report");
    json *alone = expect_json(one.out);
    for (size_t k = 0; k < 2; k++) {
        const json *run = json_member(json_item(json_member(all, "variants"), k), "run");
        const json *v = json_member(json_member(json_member(run, "final"), "cart"), "velocity");
        assert_true(fabs(json_number(json_item(v, 0)) - 5.0 / (k ? 4 : 2)) < 1e-9);
        if (k == 0)
            assert_same(json_member(run, "final"), json_member(alone, "final"), "final");
    }
    json_free(all);
    json_free(alone);
    free_outcome(&one);
    expect_wrong(4, "none.csv", "push.yaml --vary weight=2,4 --input drive=none.csv");
    expect_wrong(2, "NAME=FILE", "push.yaml --vary weight=2,4 --input drive.csv");
}

/* ---- options of the run ---- */

static void test_integrators(void **state)
{
    (void)state;
    static const char *const names[] = {"dopri5", "bdf"};
    json *all = compare_json(0, "ball.yaml --vary integrator=dopri5,bdf --no-results --no-report");
    for (size_t k = 0; k < 2; k++) {
        const json *run = json_member(json_item(json_member(all, "variants"), k), "run");
        assert_string_equal(text_at(run, "integrator"), names[k]);
    }
    json_free(all);
}

/* ---- interruption ---- */

static void test_interruption(void **state)
{
    (void)state;
    /* a ball that never comes to rest */
    static const char *const arguments[] = {"compare", "ball.yaml",        "--set",  "e=1",
                                            "--vary",  "end=0.25,1e6,2e6", "--json", "--jobs",
                                            "1",       "--results",        "long-out", NULL};
    assert_int_equal(interrupt(arguments, "long.json", "long-out/ball-end=1e6.h5", 0.05, SIGINT), 130);
    json *all = json_parse_file("long.json");
    assert_non_null(all);
    static const char *const statuses[] = {"completed", "interrupted", "not run"};
    for (size_t k = 0; k < 3; k++)
        assert_string_equal(text_at(json_item(json_get(all, "variants"), k), "status"), statuses[k]);
    json_free(all);
    carom_context *ctx;
    carom_result *result;
    ctx = new_context();
    assert_int_equal(carom_result_open(ctx, "long-out/ball-end=0.25.h5", &result), CAROM_OK);
    assert_string_equal(carom_result_status(result), "completed");
    carom_result_close(result);
    assert_int_equal(carom_result_open(ctx, "long-out/ball-end=1e6.h5", &result), CAROM_OK);
    assert_string_equal(carom_result_status(result), "interrupted");
    carom_result_close(result);
    carom_context_free(ctx);
    assert_false(exists("long-out/ball-end=2e6.h5"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_laws),    cmocka_unit_test(test_table),           cmocka_unit_test(test_product),
        cmocka_unit_test(test_threads), cmocka_unit_test(test_overlay),         cmocka_unit_test(test_axis),
        cmocka_unit_test(test_wrong),   cmocka_unit_test(test_failing_variant), cmocka_unit_test(test_integrators),
        cmocka_unit_test(test_interruption),
        cmocka_unit_test(test_record),
    };
    return sample_group_tests(tests, 1, 3, set_up, leave_folder);
}
