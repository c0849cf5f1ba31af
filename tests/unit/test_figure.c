/* Figures: endings, sizes and errors, labels with units, where the points of curves land, ticks, failing memory. */
#include "carom_test.h"

#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/base.h"
#include "carom/figure.h"
#include "figure/figure.h"
#include "support/svg.h"

/* ---- an allocator that counts and can fail ---- */

typedef struct counting_allocator {
    size_t blocks, bytes, calls;
    size_t fail_at;             /* this call and all later ones return NULL; 0: none */
} counting_allocator;

static void *count_allocate(void *user, size_t size)
{
    counting_allocator *a = user;
    if (++a->calls >= a->fail_at && a->fail_at)
        return NULL;
    void *block = malloc(size);
    if (block) {
        a->blocks++;
        a->bytes += size;
    }
    return block;
}

static void count_release(void *user, void *block, size_t size)
{
    counting_allocator *a = user;
    a->blocks--;
    a->bytes -= size;
    free(block);
}

static carom_context *make_context(counting_allocator *a)
{
    carom_context_def def = carom_default_context_def();
    def.allocator = (carom_allocator){count_allocate, count_release, a};
    carom_context *ctx = NULL;
    assert_int_equal(carom_context_create(&def, &ctx), CAROM_OK);
    return ctx;
}

/* ---- a force pulse of 70 us at 43.4 ms ---- */

enum { POINTS = 300 };
static double time_of[POINTS], force[POINTS], other[POINTS];
static carom_curve curves[2];
static carom_figure figure;

static int set_up(void **state)
{
    (void)state;
    for (int k = 0; k < POINTS; k++) {
        time_of[k] = 0.0434 - 10e-6 + 90e-6 * k / (POINTS - 1);
        double u = (time_of[k] - 0.0434) / 70e-6;
        force[k] = u > 0 && u < 1 ? 12345 * sin(CAROM_PI * u) : 0;
        other[k] = 0.8 * force[k];
    }
    curves[0] = (carom_curve){.label = "flores", .count = POINTS, .x = time_of, .y = force};
    curves[1] = (carom_curve){.label = "hunt & crossley", .count = POINTS, .x = time_of, .y = other};
    figure = (carom_figure){.size = sizeof(carom_figure), .title = "Pulse <1>",
                            .x_label = "time",
                            .x_unit = "s",
                            .y_label = "force",
                            .y_unit = "N",
                            .curves = curves,
                            .curve_count = 2};
    return 0;
}

static char *draw_svg(const carom_figure *f)
{
    counting_allocator a = {0};
    carom_context *ctx = make_context(&a);
    if (carom_figure_draw(ctx, f, "figure.svg") != CAROM_OK)
        fail_msg("%s", carom_context_error(ctx));
    carom_context_free(ctx);
    assert_int_equal(a.bytes, 0);
    size_t size;
    return read_bytes("figure.svg", &size);
}

#define CURVE_1 "stroke-width:0.992126;stroke-linecap:butt;stroke-linejoin:round;stroke:rgb(0%,44.7%,69.8%)"
#define FRAME "fill:none;stroke-width:0.566929;stroke-linecap:butt;stroke-linejoin:miter;stroke:rgb(0%,0%,0%)"

/* ---- tests ---- */

static void test_endings(void **state)
{
    (void)state;
    static const struct { const char *path, *magic; size_t least, most; } files[] = {
        {"figure.svg", "<?xml version", 10000, 300000},
        {"figure.pdf", "%PDF-1.", 3000, 100000},
        {"figure.png", "\x89PNG\r\n\x1a\n", 5000, 200000},
    };
    counting_allocator a = {0};
    carom_context *ctx = make_context(&a);
    for (size_t k = 0; k < CAROM_COUNT(files); k++) {
        size_t size, again;
        assert_int_equal(carom_figure_draw(ctx, &figure, files[k].path), CAROM_OK);
        char *bytes = read_bytes(files[k].path, &size);
        assert_memory_equal(bytes, files[k].magic, strlen(files[k].magic));
        assert_in_range(size, files[k].least, files[k].most);
        /* equal figures give equal files */
        assert_int_equal(carom_figure_draw(ctx, &figure, files[k].path), CAROM_OK);
        char *second = read_bytes(files[k].path, &again);
        assert_int_equal(size, again);
        assert_memory_equal(bytes, second, size);
        /* a PNG of 120 mm x 80 mm at 200 dots an inch */
        if (strstr(files[k].path, "png"))
            assert_memory_equal(bytes + 16, "\0\0\x03\xb1\0\0\x02\x76", 8);
        if (strstr(files[k].path, "pdf"))
            assert_null(strstr(bytes, "CreationDate"));
        test_free(bytes);
        test_free(second);
    }
    carom_context_free(ctx);
    assert_int_equal(a.bytes, 0);
}

static void expect_failure(const carom_figure *f, const char *file, carom_status status, const char *says)
{
    counting_allocator a = {0};
    carom_context *ctx = make_context(&a);
    assert_int_equal(carom_figure_draw(ctx, f, file), status);
    if (!strstr(carom_context_error(ctx), says))
        fail_msg("'%s' does not say '%s'", carom_context_error(ctx), says);
    carom_context_free(ctx);
    assert_int_equal(a.bytes, 0);
}

static void test_errors(void **state)
{
    (void)state;
    expect_failure(&figure, "figure.jpg", CAROM_ERROR_USAGE, "figure.jpg: a figure ends in .svg, .pdf or .png");
    expect_failure(&figure, "svg", CAROM_ERROR_USAGE, "ends in");
    expect_failure(&figure, ".svg", CAROM_ERROR_USAGE, "ends in");
    expect_failure(&figure, NULL, CAROM_ERROR_USAGE, "ends in");
    expect_failure(&figure, "no/such/folder.svg", CAROM_ERROR_IO, "No such file or directory; make the folder first");
    carom_figure f = figure;
    f.curve_count = 0;
    expect_failure(&f, "bad.svg", CAROM_ERROR_USAGE, "there is no curve");
    f = figure;
    f.width = 10;
    expect_failure(&f, "bad.svg", CAROM_ERROR_USAGE, "10 mm x 80 mm");
    f.width = (double)NAN;
    expect_failure(&f, "bad.svg", CAROM_ERROR_USAGE, "the width is from 40");
    f = figure;
    f.x_min = 2;
    f.x_max = 1;
    expect_failure(&f, "bad.svg", CAROM_ERROR_USAGE, "x from 2 to 1; give the smaller one first");
    f.x_max = 2 * (1 + 1e-15);
    expect_failure(&f, "bad.svg", CAROM_ERROR_USAGE, "give a wider range");
    f.x_max = 3;
    expect_failure(&f, "bad.svg", CAROM_ERROR_USAGE, "no curve has a point from x = 2 to 3");
    double none[2] = {(double)NAN, HUGE_VAL};
    carom_curve empty[2] = {{.label = "a"}, {.label = "b", .count = 2, .x = none, .y = none}};
    f = figure;
    f.curves = empty;
    expect_failure(&f, "bad.svg", CAROM_ERROR_USAGE, "no curve has a finite point");
    empty[0].count = 1;
    expect_failure(&f, "bad.svg", CAROM_ERROR_USAGE, "curve 1 has 1 points but no arrays of them");
    assert_null(fopen("bad.svg", "rb"));
}

/* What cannot be written is not left half written; a device is left alone. */
static void test_nothing_is_left(void **state)
{
    (void)state;
    expect_failure(&figure, "no/such/folder.png", CAROM_ERROR_IO, "no/such/folder.png: cannot be written");
    mkdir("folder.svg", 0777);
    expect_failure(&figure, "folder.svg", CAROM_ERROR_IO, "folder.svg: cannot be written: Is a directory");
    rmdir("folder.svg");
    if (access("/dev/full", W_OK) != 0)
        return;
    remove("full.png");
    assert_int_equal(symlink("/dev/full", "full.png"), 0);
    expect_failure(&figure, "full.png", CAROM_ERROR_IO, "No space left on device; make room on the disk");
    assert_int_equal(access("full.png", W_OK), 0);
    remove("full.png");
}

static void test_labels(void **state)
{
    (void)state;
    char *svg = draw_svg(&figure);
    assert_non_null(strstr(svg, "<title>Pulse &lt;1&gt;</title>"));
    assert_non_null(strstr(svg, "<desc>time [ms]; force [kN]; flores, hunt &amp; crossley</desc>"));
    test_free(svg);
    carom_figure f = figure;
    f.title = f.x_label = f.x_unit = f.y_unit = NULL;
    f.y_label = "caf\xe9\n";
    svg = draw_svg(&f);
    assert_non_null(strstr(svg, "<title></title>"));
    assert_non_null(strstr(svg, "<desc>; caf?  [×10³]; flores"));
    test_free(svg);
}

/* Force [N] at a time [s] between the points. */
static double force_at(double t)
{
    int k = 1;
    while (k < POINTS - 1 && time_of[k] < t)
        k++;
    double u = (t - time_of[k - 1]) / (time_of[k] - time_of[k - 1]);
    return force[k - 1] + u * (force[k] - force[k - 1]);
}

/* Each point of the path lies where frame, baseline and peak say; cairo leaves out points on straight lines. */
static void test_points_land_in_the_frame(void **state)
{
    (void)state;
    figure.curve_count = 1;
    char *svg = draw_svg(&figure);
    svg_path *frame = svg_find_path(svg, FRAME), *curve = svg_find_path(svg, CURVE_1);
    assert_int_equal(frame->pieces, 2); /* M … Z M, as cairo closes a rectangle */
    double left = frame->x[0], right = frame->x[1], top = frame->y[0], bottom = frame->y[2];
    assert_true(left > 20 && right > left + 200 && right < 120 * 72 / 25.4 && bottom > top + 120);
    assert_in_range(curve->points, POINTS * 2 / 3, POINTS);
    assert_int_equal(curve->pieces, 1);
    assert_true(fabs(curve->x[0] - left) < 0.01 && fabs(curve->x[curve->points - 1] - right) < 0.01);
    size_t peak = 0;
    double largest = 0;
    for (size_t k = 0; k < curve->points; k++)
        if (curve->y[k] < curve->y[peak])
            peak = k;
    for (int k = 0; k < POINTS; k++)
        largest = fmax(largest, force[k]);
    double scale = (curve->y[peak] - curve->y[0]) / largest;
    assert_true(scale < 0);
    for (size_t k = 0; k < curve->points; k++) {
        assert_true(k == 0 || curve->x[k] > curve->x[k - 1]);
        assert_true(curve->x[k] > left - 0.01 && curve->x[k] < right + 0.01);
        assert_true(curve->y[k] > top && curve->y[k] < bottom);
        double t = time_of[0] + (curve->x[k] - left) / (right - left) * (time_of[POINTS - 1] - time_of[0]);
        assert_true(fabs(curve->y[k] - (curve->y[0] + scale * force_at(t))) < 0.03);
    }
    /* data and a margin of 5 % fill the height */
    assert_true(fabs((curve->y[0] - curve->y[peak]) / (bottom - top) - 1 / 1.1) < 1e-3);
    test_free(frame);
    test_free(curve);
    test_free(svg);
}

/* More than one curve with a label has a legend, whose box is the only grey line of three quarters. */
static void test_legend(void **state)
{
    (void)state;
    static const char box[] = "stroke:rgb(75%,75%,75%)";
    char *svg = draw_svg(&figure);
    assert_non_null(strstr(svg, box));
    test_free(svg);
    figure.curve_count = 1;
    svg = draw_svg(&figure);
    assert_null(strstr(svg, box));
    test_free(svg);
    figure.curve_count = 2;
    curves[0].label = NULL;
    curves[1].label = "";
    svg = draw_svg(&figure);
    assert_null(strstr(svg, box));
    test_free(svg);
}

static void test_monotone_curve(void **state)
{
    (void)state;
    for (int k = 0; k < POINTS; k++)
        force[k] = 1e-7 * k * k;
    figure.curve_count = 1;
    char *svg = draw_svg(&figure);
    svg_path *frame = svg_find_path(svg, FRAME), *curve = svg_find_path(svg, CURVE_1);
    assert_int_equal(curve->pieces, 1);
    for (size_t k = 0; k < curve->points; k++) {
        assert_true(curve->x[k] > frame->x[0] - 0.01 && curve->x[k] < frame->x[1] + 0.01);
        assert_true(curve->y[k] > frame->y[0] && curve->y[k] < frame->y[2]);
        assert_true(k == 0 || (curve->x[k] > curve->x[k - 1] && curve->y[k] <= curve->y[k - 1]));
    }
    test_free(frame);
    test_free(curve);
    test_free(svg);
}

/* A curve that goes back in x keeps away from the frame on all sides. */
static void test_loop(void **state)
{
    (void)state;
    for (int k = 0; k < POINTS; k++) {
        time_of[k] = cos(2 * CAROM_PI * k / (POINTS - 1));
        force[k] = sin(2 * CAROM_PI * k / (POINTS - 1));
    }
    figure.curve_count = 1;
    char *svg = draw_svg(&figure);
    svg_path *frame = svg_find_path(svg, FRAME), *curve = svg_find_path(svg, CURVE_1);
    for (size_t k = 0; k < curve->points; k++) {
        assert_true(curve->x[k] > frame->x[0] + 5 && curve->x[k] < frame->x[1] - 5);
        assert_true(curve->y[k] > frame->y[0] + 5 && curve->y[k] < frame->y[2] - 5);
    }
    test_free(frame);
    test_free(curve);
    test_free(svg);
}

static void test_gaps_and_range(void **state)
{
    (void)state;
    force[100] = (double)NAN;
    force[200] = HUGE_VAL;
    figure.curve_count = 1;
    char *svg = draw_svg(&figure);
    svg_path *curve = svg_find_path(svg, CURVE_1);
    assert_int_equal(curve->pieces, 3);
    assert_in_range(curve->points, POINTS * 2 / 3, POINTS - 2);
    test_free(curve);
    test_free(svg);
    /* of a range only what is near is in the file, cut 2 mm outside the frame */
    figure.x_min = time_of[50];
    figure.x_max = time_of[80];
    svg = draw_svg(&figure);
    curve = svg_find_path(svg, CURVE_1);
    svg_path *frame = svg_find_path(svg, FRAME);
    assert_in_range(curve->points, 31, 40);
    for (size_t k = 0; k < curve->points; k++)
        assert_true(curve->x[k] > frame->x[0] - 6 && curve->x[k] < frame->x[1] + 6);
    test_free(curve);
    test_free(frame);
    test_free(svg);
}

static void test_many_points(void **state)
{
    (void)state;
    enum { MANY = 1000000 };
    double *x = test_malloc(MANY * sizeof *x), *y = test_malloc(MANY * sizeof *y);
    for (int k = 0; k < MANY; k++) {
        x[k] = k * 1e-6;
        y[k] = sin(20 * x[k]) + (k == 765432 ? 5 : 0);
    }
    carom_curve curve = {.label = "many", .count = MANY, .x = x, .y = y};
    carom_figure f = figure;
    f.curves = &curve;
    f.curve_count = 1;
    char *svg = draw_svg(&f);
    svg_path *drawn = svg_find_path(svg, CURVE_1), *frame = svg_find_path(svg, FRAME);
    assert_in_range(drawn->points, 500, 4 * 1000);
    assert_int_equal(drawn->pieces, 1);
    /* the single high point is there, at its place */
    double highest = 1e9, at = 0;
    for (size_t k = 0; k < drawn->points; k++)
        if (drawn->y[k] < highest) {
            highest = drawn->y[k];
            at = drawn->x[k];
        }
    assert_true(fabs(at - (frame->x[0] + 0.765433 * (frame->x[1] - frame->x[0]))) < 0.01);
    test_free(drawn);
    test_free(frame);
    test_free(svg);
    test_free(x);
    test_free(y);
}

static void test_degenerate_curves(void **state)
{
    (void)state;
    /* one point is a dot; equal values get a range; extremes of size; a great many curves */
    static const double cases[][2] = {{0, 0}, {1, 1}, {-5, -5}, {1e-300, 2e-300}, {-1e299, 1e299},
                                      {1, 1 + 1e-15}, {1e9, 1e9 + 1}, {0, 5e-324}, {0, 9e299}, {1e-280, 3e-280}};
    carom_figure f = figure;
    f.curve_count = 1;
    for (size_t k = 0; k < CAROM_COUNT(cases); k++)
        for (size_t count = 1; count <= 2; count++) {
            carom_curve curve = {.label = "a", .count = count, .x = cases[k], .y = cases[k]};
            f.curves = &curve;
            test_free(draw_svg(&f));
        }
    carom_curve many[60];
    for (size_t k = 0; k < CAROM_COUNT(many); k++)
        many[k] = (carom_curve){.label = "a name that is so long that it cannot be written in the room that a figure "
                                         "of this width has for the names of curves, ünïcödé and all",
                                .count = POINTS,
                                .x = time_of,
                                .y = k % 2 ? force : other};
    f.curves = many;
    f.curve_count = CAROM_COUNT(many);
    test_free(draw_svg(&f));
    f.width = 40;
    f.height = 30;
    test_free(draw_svg(&f));
}

static void test_axes(void **state)
{
    (void)state;
    static const struct {
        const char *label, *unit;
        double low, high;
        const char *says, *first;
        double step;
    } cases[] = {
        {"time", "s", 0.04339, 0.04348, "time [ms]", "43.40", 0.02},
        {"time", "ms", 43.39, 43.48, "time [ms]", "43.40", 0.02},
        {"time", "s", 0, 2000, "time [s]", "0", 500},
        {"force", "N", 0, 1.2e4, "force [kN]", "0", 2},
        {"force", "N", -5e-5, 5e-5, "force [µN]", "−40", 20},
        {"indentation", "um", 0, 5000, "indentation [mm]", "0", 1},
        {"speed", "m/s", 0, 0.3, "speed [m/s]", "0.00", 0.05},
        {"acceleration", "m/s^2", 0, 2e4, "acceleration [km/s²]", "0", 5},
        {"stiffness", "N/m^1.5", 0, 5e9, "stiffness [GN/m^1.5]", "0", 1},
        {"inertia", "kg m^2", 0, 2e-4, "inertia [×10⁻⁶ kg m²]", "0", 50},
        {"area", "m^2", 1, 2, "area [m²]", "1.0", 0.2},
        {"angle", "rad", 0, 3000, "angle [rad]", "0", 500},
        {"moment", "N*m", 0, 50, "moment [N·m]", "0", 10},
        {"e", "1", 0, 1, "e", "0.0", 0.2},
        {"", "Pa", 0, 1e11, "[GPa]", "0", 20},
        /* the unit given stays where it is readable; no unit has no brackets, and no prefix has a power of ten */
        {"time", "ms", 0, 500, "time [ms]", "0", 100},
        {"time", "s", 0, 0.5, "time [s]", "0.0", 0.1},
        {"orientation", "-", -1, 1, "orientation", "−1.0", 0.5},
        {"residual", "-", 0, 4e-9, "residual [×10⁻⁹]", "0", 1},
        {"force", "N", 0, 5e20, "force [×10¹⁸ N]", "0", 100},
        {"force", "N", 0, 5e-200, "force [×10⁻²⁰¹ N]", "0", 10},
        /* narrow ranges get more digits, the narrowest an offset */
        {"time", "s", 43.4, 43.40005, "time [s]", "43.40000", 1e-5},
        {"time", "s", 1234.5, 1234.50005, "time − 1234.5 s [µs]", "0", 10},
        {"energy", "J", -7 - 3e-9, -7 + 3e-9, "energy + 7 J [nJ]", "−2", 2},
        {"ratio", "", 5 - 2e-9, 5 + 2e-9, "ratio − 5 [×10⁻⁹]", "−2", 1},
    };
    for (size_t k = 0; k < CAROM_COUNT(cases); k++) {
        carom_axis a;
        char text[64];
        carom_axis_plan(&a, cases[k].label, cases[k].unit, cases[k].low, cases[k].high, 6);
        assert_string_equal(a.label, cases[k].says);
        if (fabs(a.step - cases[k].step) > 1e-9 * cases[k].step)
            fail_msg("%s: step %g instead of %g", a.label, a.step, cases[k].step);
        carom_axis_tick_text(&a, 0, text, sizeof text);
        assert_string_equal(text, cases[k].first);
        assert_in_range(a.count, 2, 7);
        double margin = 1e-5 * (cases[k].high - cases[k].low);
        for (int i = 0; i < a.count; i++) {
            assert_true(carom_axis_tick(&a, i, 0) >= cases[k].low - margin);
            assert_true(carom_axis_tick(&a, i, 0) <= cases[k].high + margin);
        }
    }
}

static void test_every_allocation_fails(void **state)
{
    (void)state;
    static const char *const paths[] = {"memory.svg", "memory.pdf", "memory.png"};
    for (size_t k = 0; k < CAROM_COUNT(paths); k++) {
        remove(paths[k]);
        carom_status status = CAROM_ERROR_MEMORY;
        for (size_t n = 2; status != CAROM_OK; n++) {
            assert_true(n < 100);
            counting_allocator a = {0};
            carom_context *ctx = make_context(&a);
            a.fail_at = n;
            status = carom_figure_draw(ctx, &figure, paths[k]);
            if (status != CAROM_OK) {
                assert_int_equal(status, CAROM_ERROR_MEMORY);
                assert_null(fopen(paths[k], "rb"));
            }
            carom_context_free(ctx);
            assert_int_equal(a.blocks, 0);
            assert_int_equal(a.bytes, 0);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_endings, set_up),
        cmocka_unit_test_setup(test_errors, set_up),
        cmocka_unit_test_setup(test_nothing_is_left, set_up),
        cmocka_unit_test_setup(test_labels, set_up),
        cmocka_unit_test_setup(test_legend, set_up),
        cmocka_unit_test_setup(test_monotone_curve, set_up),
        cmocka_unit_test_setup(test_loop, set_up),
        cmocka_unit_test_setup(test_points_land_in_the_frame, set_up),
        cmocka_unit_test_setup(test_gaps_and_range, set_up),
        cmocka_unit_test_setup(test_many_points, set_up),
        cmocka_unit_test_setup(test_degenerate_curves, set_up),
        cmocka_unit_test(test_axes),
        cmocka_unit_test_setup(test_every_allocation_fails, set_up),
    };
    return cmocka_run_group_tests_name("figure", tests, NULL, NULL);
}
