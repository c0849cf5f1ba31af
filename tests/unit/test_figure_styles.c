/* Figures: two vertical axes, logarithmic axes and ticks, equal scales, markers, legends, pages of the styles. */
#include "carom_test.h"

#include <math.h>

#include "base/base.h"
#include "carom/figure.h"
#include "figure/figure.h"
#include "support/svg.h"

/* ---- drawing ---- */

static char *draw_svg(const carom_figure *f)
{
    carom_context_def def = carom_default_context_def();
    carom_context *ctx = NULL;
    assert_int_equal(carom_context_create(&def, &ctx), CAROM_OK);
    carom_text text = {.ctx = ctx};
    assert_ok(ctx, carom_figure_svg(ctx, f, &text));
    char *svg = test_malloc(text.length + 1);
    memcpy(svg, text.data, text.length + 1);
    carom_text_clear(&text);
    carom_context_free(ctx);
    return svg;
}

static char *draw_file(const carom_figure *f, const char *path, size_t *size)
{
    carom_context_def def = carom_default_context_def();
    carom_context *ctx = NULL;
    assert_int_equal(carom_context_create(&def, &ctx), CAROM_OK);
    assert_ok(ctx, carom_figure_draw(ctx, f, path));
    carom_context_free(ctx);
    return read_bytes(path, size);
}

static void expect_failure(const carom_figure *f, const char *says)
{
    carom_context_def def = carom_default_context_def();
    carom_context *ctx = NULL;
    assert_int_equal(carom_context_create(&def, &ctx), CAROM_OK);
    carom_text text = {.ctx = ctx};
    assert_int_equal(carom_figure_svg(ctx, f, &text), CAROM_ERROR_USAGE);
    if (!strstr(carom_context_error(ctx), says))
        fail_msg("'%s' does not say '%s'", carom_context_error(ctx), says);
    carom_text_clear(&text);
    carom_context_free(ctx);
}

#define FRAME "fill:none;stroke-width:0.566929;stroke-linecap:butt;stroke-linejoin:miter;stroke:rgb(0%,0%,0%)"
#define PEN "fill:none;stroke-width:0.992126;stroke-linecap:butt;stroke-linejoin:round;stroke:"
#define BLUE PEN "rgb(0%,44.7%,69.8%)"
#define RED PEN "rgb(83.5%,36.9%,0%)"
#define RED_MARKER \
    "fill:none;stroke-width:0.793701;stroke-linecap:butt;stroke-linejoin:round;stroke:rgb(83.5%,36.9%,0%)"

/* The plot area of a figure [pt]. */
typedef struct area {
    double left, right, top, bottom;
} area;

static area find_area(const char *svg)
{
    svg_path *frame = svg_find_path(svg, FRAME);
    area a = {frame->x[0], frame->x[1], frame->y[0], frame->y[2]};
    assert_true(a.left < a.right && a.top < a.bottom);
    test_free(frame);
    return a;
}

/* Place of a number from `low` to `high` on the area; cairo rounds places to 1/256 pt. */
static void expect_place(double got, double from, double to, double low, double high, double value)
{
    double expected = from + (value - low) / (high - low) * (to - from);
    if (fabs(got - expected) > 5e-3)
        fail_msg("%g is at %.4f instead of %.4f", value, got, expected);
}

/* ---- two vertical axes ---- */

/* A line of each axis, 2 x + 1 on the left and 5 - 3 x on the right. */
static const double line_x[2] = {0, 10}, left_y[2] = {1, 21}, right_y[2] = {5, -25};
static carom_curve lines[2];
static carom_figure figure;

static int set_up(void **state)
{
    (void)state;
    lines[0] = (carom_curve){.label = "force", .count = 2, .x = line_x, .y = left_y};
    lines[1] = (carom_curve){.label = "indentation", .count = 2, .x = line_x, .y = right_y, .axis = 1};
    figure = (carom_figure){.size = sizeof(carom_figure), .x_label = "time",
                            .x_unit = "s",
                            .y_label = "F",
                            .y_unit = "N",
                            .y2_label = "d",
                            .y2_unit = "m",
                            .curves = lines,
                            .curve_count = 2};
    return 0;
}

static void test_both_axes_scale_their_curves(void **state)
{
    (void)state;
    figure.y_max = 30;
    figure.y2_min = -30;
    figure.y2_max = 10;
    char *svg = draw_svg(&figure);
    area a = find_area(svg);
    svg_path *left = svg_find_path(svg, BLUE), *right = svg_find_path(svg, RED);
    for (int k = 0; k < 2; k++) {
        expect_place(left->x[k], a.left, a.right, 0, 10, line_x[k]);
        expect_place(left->y[k], a.bottom, a.top, 0, 30, left_y[k]);
        expect_place(right->x[k], a.left, a.right, 0, 10, line_x[k]);
        expect_place(right->y[k], a.bottom, a.top, -30, 10, right_y[k]);
    }
    assert_non_null(strstr(svg, "<desc>time [s]; F [N]; d [m]; force, indentation (right)</desc>"));
    /* the right axis takes the room of its ticks and label: the frame ends farther from the edge than it begins */
    assert_true(120 * 72 / 25.4 - a.right > 30);
    test_free(left);
    test_free(right);
    test_free(svg);
}

/* Without ranges each curve fills the height but for margins of 5 %, and what a legend above both takes from both. */
static void test_automatic_ranges(void **state)
{
    (void)state;
    figure.legend = CAROM_LEGEND_NONE;
    char *svg = draw_svg(&figure);
    area a = find_area(svg);
    svg_path *left = svg_find_path(svg, BLUE), *right = svg_find_path(svg, RED);
    double height = a.bottom - a.top;
    assert_true(fabs(fabs(right->y[1] - right->y[0]) / height - 1 / 1.1) < 1e-3);
    /* 1 is near 0, where the left axis begins */
    expect_place(left->y[0], a.bottom, a.top, -0.05 * 21, 1.05 * 21, 1);
    expect_place(left->y[1], a.bottom, a.top, -0.05 * 21, 1.05 * 21, 21);
    test_free(left);
    test_free(right);
    test_free(svg);
}

static void test_errors(void **state)
{
    (void)state;
    carom_figure f = figure;
    f.y_min = 2;
    f.y_max = 1;
    expect_failure(&f, "y from 2 to 1; give the smaller one first");
    f = figure;
    f.y2_min = 1;
    expect_failure(&f, "y2 from 1 to 0; give the smaller one first");
    f = figure;
    f.y_log = true;
    f.y_min = -1;
    f.y_max = 1;
    expect_failure(&f, "y from -1 to 1 on a logarithmic axis; begin above 0");
    f = figure;
    f.equal_scales = true;
    expect_failure(&f, "equal scales with a right axis");
    f = figure;
    f.style = (carom_figure_style)17;
    expect_failure(&f, "there is no style 17");
    lines[0].axis = 1;
    expect_failure(&figure, "all curves are of the right axis; give at least one to the left one");
    lines[0].axis = 2;
    expect_failure(&figure, "curve 1 is of axis 2; 0 is the left one, 1 the right one");
    lines[0].axis = 0;
    lines[1].axis = 0;
    figure.y_log = true;
    static const double none[2] = {0, -1};
    lines[0].y = lines[1].y = none;
    expect_failure(&figure, "no curve has a finite point above 0");
}

/* ---- logarithmic axes ---- */

/* A power law is a straight line from corner to corner; what is not above 0 is a gap. */
static void test_logarithmic_axes(void **state)
{
    (void)state;
    enum { POINTS = 31 };
    double x[POINTS], y[POINTS];
    for (int k = 0; k < POINTS; k++) {
        x[k] = pow(10, k / 10.0);
        y[k] = x[k] * x[k] * 1e-3;
    }
    y[10] = -y[10];
    y[20] = 0;
    lines[0] = (carom_curve){.count = POINTS, .x = x, .y = y};
    figure.curve_count = 1;
    figure.x_log = figure.y_log = true;
    figure.x_min = 1;
    figure.x_max = 1000;
    figure.y_min = 1e-3;
    figure.y_max = 1e3;
    char *svg = draw_svg(&figure);
    area a = find_area(svg);
    svg_path *line = svg_find_path(svg, BLUE);
    assert_int_equal(line->pieces, 3);
    for (size_t k = 0; k < line->points; k++) {
        double part = (line->x[k] - a.left) / (a.right - a.left);
        expect_place(line->y[k], a.bottom, a.top, 0, 1, part);
    }
    expect_place(line->x[line->points - 1], a.left, a.right, 0, 3, 3);
    test_free(line);
    test_free(svg);
    /* automatic: all that is above 0, with margins of 5 % of the decades */
    figure.x_min = figure.x_max = figure.y_min = figure.y_max = 0;
    svg = draw_svg(&figure);
    a = find_area(svg);
    line = svg_find_path(svg, BLUE);
    expect_place(line->x[0], a.left, a.right, 0, 3, 0);
    expect_place(line->y[0], a.bottom, a.top, -3.3, 3.3, -3);
    expect_place(line->y[line->points - 1], a.bottom, a.top, -3.3, 3.3, 3);
    test_free(line);
    test_free(svg);
}

/* The smallest and largest numbers, equal ones, and narrow ranges have axes, too. */
static void test_logarithmic_extremes(void **state)
{
    (void)state;
    static const double cases[][2] = {{1e-300, 1e299}, {5e-324, 1}, {5, 5}, {1, 1 + 1e-12}, {1e9, 1e9 + 1}, {3, 4}};
    figure.x_log = figure.y_log = figure.y2_log = true;
    for (size_t k = 0; k < CAROM_COUNT(cases); k++) {
        lines[0].x = lines[0].y = lines[1].x = lines[1].y = cases[k];
        char *svg = draw_svg(&figure);
        svg_path *line = svg_find_path(svg, FRAME);
        assert_true(line->x[0] < line->x[1]);
        assert_null(strstr(svg, "nan"));
        assert_null(strstr(svg, "inf"));
        test_free(line);
        test_free(svg);
    }
}

static void test_logarithmic_ticks(void **state)
{
    (void)state;
    static const struct {
        double low, high;
        int most;
        const char *label, *texts;
        int parts;
    } cases[] = {
        {1, 1000, 6, "F [N]", "1 10 100 1000", 9},
        {0.01, 100, 6, "F [N]", "0.01 0.1 1 10 100", 9},
        {1e-12, 1e-3, 5, "F [N]", "10⁻¹² 10⁻¹⁰ 10⁻⁸ 10⁻⁶ 10⁻⁴", 2},
        {1e-12, 1e-3, 4, "F [N]", "10⁻¹² 10⁻⁹ 10⁻⁶ 10⁻³", 3},
        {0.9e5, 1.1e9, 9, "F [N]", "10⁵ 10⁶ 10⁷ 10⁸ 10⁹", 9},
        {2, 70, 6, "F [N]", "2 5 10 20 50", 3},
        {2e3, 7e4, 6, "F [kN]", "2 5 10 20 50", 3},
        {10, 40, 6, "F [N]", "10 15 20 25 30 35 40", 5},
    };
    for (size_t c = 0; c < CAROM_COUNT(cases); c++) {
        carom_axis a;
        char texts[256] = "", text[64];
        carom_axis_plan_log(&a, "F", "N", cases[c].low, cases[c].high, cases[c].most);
        for (int k = 0; k < a.count; k++) {
            carom_axis_tick_text(&a, k, text, sizeof text);
            snprintf(texts + strlen(texts), sizeof texts - strlen(texts), "%s%s", k ? " " : "", text);
            double value = carom_axis_tick(&a, k, 0);
            assert_true(value > cases[c].low * (1 - 1e-5) && value < cases[c].high * (1 + 1e-5));
            /* the parts lead from a tick to the next one, in order */
            for (int part = 1; part < carom_axis_parts(&a, k); part++)
                assert_true(carom_axis_tick(&a, k, part) > carom_axis_tick(&a, k, part - 1) &&
                            carom_axis_tick(&a, k, part) < carom_axis_tick(&a, k + 1, 0) * (1 - 1e-9));
        }
        assert_string_equal(texts, cases[c].texts);
        assert_string_equal(a.label, cases[c].label);
        assert_int_equal(carom_axis_parts(&a, 0), cases[c].parts);
    }
}

/* ---- equal scales, markers, legends ---- */

static void test_equal_scales(void **state)
{
    (void)state;
    enum { POINTS = 101 };
    double x[POINTS], y[POINTS];
    for (int k = 0; k < POINTS; k++) {
        x[k] = 3 + 0.08 * cos(2 * CAROM_PI * k / (POINTS - 1));
        y[k] = 0.08 * sin(2 * CAROM_PI * k / (POINTS - 1));
    }
    lines[0] = (carom_curve){.count = POINTS, .x = x, .y = y};
    figure.curve_count = 1;
    figure.equal_scales = true;
    figure.x_unit = figure.y_unit = "m";
    char *svg = draw_svg(&figure);
    /* one prefix for both axes */
    assert_non_null(strstr(svg, "time [m]; F [m]"));
    svg_path *circle = svg_find_path(svg, BLUE);
    double low[2] = {HUGE_VAL, HUGE_VAL}, high[2] = {-HUGE_VAL, -HUGE_VAL};
    for (size_t k = 0; k < circle->points; k++) {
        low[0] = fmin(low[0], circle->x[k]);
        high[0] = fmax(high[0], circle->x[k]);
        low[1] = fmin(low[1], circle->y[k]);
        high[1] = fmax(high[1], circle->y[k]);
    }
    assert_true(high[0] - low[0] > 100);
    assert_true(fabs((high[0] - low[0]) / (high[1] - low[1]) - 1) < 1e-4);
    test_free(circle);
    test_free(svg);
}

/* Markers are closed paths around their points, drawn whole where they lie on the frame, and no line joins them. */
static void test_markers(void **state)
{
    (void)state;
    lines[1].axis = 0;
    lines[1].markers = true;
    figure.x_max = 10;
    figure.y_min = -25;
    figure.y_max = 25;
    figure.legend = CAROM_LEGEND_NONE;
    char *svg = draw_svg(&figure);
    area a = find_area(svg);
    assert_int_equal(svg_count(svg, RED_MARKER), 2);
    assert_int_equal(svg_count(svg, RED), 0);
    const char *at = svg;
    for (int k = 0; k < 2; k++) {
        at = strstr(at + 1, RED_MARKER);
        svg_path *marker = svg_find_path(at, RED_MARKER);
        double x = 0, y = 0;
        for (int corner = 0; corner < 4; corner++) {
            x += marker->x[corner] / 4;
            y += marker->y[corner] / 4;
        }
        expect_place(x, a.left, a.right, 0, 10, line_x[k]);
        expect_place(y, a.bottom, a.top, -25, 25, right_y[k]);
        test_free(marker);
    }
    test_free(svg);
}

/* Outside, the lines of the legend lie above a frame that begins lower; none leaves no trace of it. */
static void test_legends(void **state)
{
    (void)state;
    static const char box[] = "stroke:rgb(75%,75%,75%)";
    char *svg = draw_svg(&figure);
    assert_int_equal(svg_count(svg, box), 1);
    test_free(svg);
    figure.legend = CAROM_LEGEND_NONE;
    svg = draw_svg(&figure);
    assert_int_equal(svg_count(svg, box), 0);
    assert_int_equal(svg_count(svg, BLUE), 1);
    area without = find_area(svg);
    test_free(svg);
    figure.legend = CAROM_LEGEND_OUTSIDE;
    svg = draw_svg(&figure);
    assert_int_equal(svg_count(svg, BLUE), 2);
    area outside = find_area(svg);
    assert_true(outside.top > without.top + 8);
    const char *second = strstr(strstr(svg, BLUE) + 1, BLUE);
    svg_path *sample = svg_find_path(second, BLUE);
    assert_true(sample->y[0] < outside.top && sample->y[0] > without.top);
    test_free(sample);
    test_free(svg);
}

/* ---- pages ---- */

/* Numbers behind the first occurrence of a text. */
static void read_numbers(const char *bytes, size_t size, const char *key, double *out, int count)
{
    const char *at = NULL;
    for (size_t k = 0; k + strlen(key) < size && !at; k++)
        if (memcmp(bytes + k, key, strlen(key)) == 0)
            at = bytes + k + strlen(key);
    assert_non_null(at);
    for (int k = 0; k < count; k++) {
        char *end;
        out[k] = strtod(at, &end);
        assert_true(end != at);
        at = end;
    }
}

static bool has_bytes(const char *bytes, size_t size, const char *key)
{
    for (size_t k = 0; k + strlen(key) <= size; k++)
        if (memcmp(bytes + k, key, strlen(key)) == 0)
            return true;
    return false;
}

static uint32_t big_endian(const char *bytes)
{
    uint32_t value = 0;
    for (int k = 0; k < 4; k++)
        value = value << 8 | (unsigned char)bytes[k];
    return value;
}

/* Sizes of the pages in all formats; PDFs have a title and embed their font; equal figures give equal files (of a
   PNG test_figure.c says so). */
static void test_pages(void **state)
{
    (void)state;
    static const struct {
        carom_figure_style style;
        double width, height, dots;
    } cases[] = {{CAROM_FIGURE_SCREEN, 120, 80, 200},
                 {CAROM_FIGURE_SINGLE_COLUMN, 85, 62, 600},
                 {CAROM_FIGURE_DOUBLE_COLUMN, 178, 80, 600},
                 {CAROM_FIGURE_SLIDE, 254, 143, 200}};
    static const char *const paths[] = {"page.svg", "page.pdf", "page.png"};
    figure.title = "Pulse";
    for (size_t c = 0; c < CAROM_COUNT(cases); c++) {
        figure.style = cases[c].style;
        for (size_t k = 0; k < CAROM_COUNT(paths); k++) {
            size_t size, again;
            double page[4] = {0};
            char *bytes = draw_file(&figure, paths[k], &size);
            if (k < 2) {
                char *second = draw_file(&figure, paths[k], &again);
                assert_int_equal(size, again);
                assert_memory_equal(bytes, second, size);
                test_free(second);
            }
            if (k == 0) {
                read_numbers(bytes, size, "viewBox=\"", page, 4);
            } else if (k == 1) {
                read_numbers(bytes, size, "/MediaBox [", page, 4);
                assert_true(has_bytes(bytes, size, "/Title (Pulse)") && has_bytes(bytes, size, "/FontFile"));
            } else {
                page[2] = big_endian(bytes + 16) * 72 / cases[c].dots;
                page[3] = big_endian(bytes + 20) * 72 / cases[c].dots;
            }
            double tolerance = k == 2 ? 0.5 * 72 / cases[c].dots : 1e-3;
            assert_true(fabs(page[2] - cases[c].width * 72 / 25.4) <= tolerance);
            assert_true(fabs(page[3] - cases[c].height * 72 / 25.4) <= tolerance);
            test_free(bytes);
        }
    }
}

/* In the styles of a journal axes are 0.5 pt, there is no grid, and the first curve is black. */
static void test_print_style(void **state)
{
    (void)state;
    figure.style = CAROM_FIGURE_SINGLE_COLUMN;
    char *svg = draw_svg(&figure);
    assert_int_equal(svg_count(svg, "rgb(88%,88%,88%)"), 0);
    assert_true(svg_count(svg, "stroke-width:0.5;") >= 2);
    svg_path *line = svg_find_path(svg, "fill:none;stroke-width:0.9;stroke-linecap:butt;stroke-linejoin:round;"
                                        "stroke:rgb(0%,0%,0%)");
    assert_int_equal(line->points, 2);
    test_free(line);
    test_free(svg);
}

static void test_memory_is_the_file(void **state)
{
    (void)state;
    size_t size;
    char *svg = draw_svg(&figure), *file = draw_file(&figure, "same.svg", &size);
    assert_int_equal(strlen(svg), size);
    assert_string_equal(svg, file);
    test_free(svg);
    test_free(file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_both_axes_scale_their_curves, set_up),
        cmocka_unit_test_setup(test_automatic_ranges, set_up),
        cmocka_unit_test_setup(test_errors, set_up),
        cmocka_unit_test_setup(test_logarithmic_axes, set_up),
        cmocka_unit_test_setup(test_logarithmic_extremes, set_up),
        cmocka_unit_test(test_logarithmic_ticks),
        cmocka_unit_test_setup(test_equal_scales, set_up),
        cmocka_unit_test_setup(test_markers, set_up),
        cmocka_unit_test_setup(test_legends, set_up),
        cmocka_unit_test_setup(test_pages, set_up),
        cmocka_unit_test_setup(test_print_style, set_up),
        cmocka_unit_test_setup(test_memory_is_the_file, set_up),
    };
    return cmocka_run_group_tests_name("figure_styles", tests, NULL, NULL);
}
