/* The series for ParaView: what a small scanner of the XML finds in it is what the result holds. */
#include <dirent.h>
#include <stdio.h>

#include "result_run.h"

#define FOLDER "series"
#define RESULT "two balls.h5"
#define NAME "two_balls"
enum { ROWS = 5, CHANNELS = 6 };

static const char space_text[] =
    "carom: 1\n"
    "dimension: 3\n"
    "parameters: {r: 1}\n"
    "bodies:\n"
    "  one: {mass: 1, inertia: [1, 1, 1], at: [0, 0, 3]}\n"
    "  two: {mass: 1, inertia: [1, 1, 1], at: [0, 0, 1]}\n"
    "shapes:\n"
    "  a: {type: sphere, on: one, at: [0.1, 0.2, 0.3], radius: r}\n"
    "  floor: {type: plane, on: ground, at: [0, 0, -1], normal: [1, 2, 2]}\n"
    "  b: {type: sphere, on: two, radius: 0.5}\n"
    "  shell: {type: sphere, on: ground, radius: -40}\n"
    "contacts:\n"
    "  ab: {between: [a, b], normal: {law: hertz, stiffness: 1e5}}\n"
    "  af: {between: [floor, a], normal: {law: hertz, stiffness: 1e5}}\n"
    "run: {until: 1}\n";

static const char plane_text[] =
    "carom: 1\n"
    "dimension: 2\n"
    "bodies:\n"
    "  one: {mass: 1, inertia: 1, at: [0, 3]}\n"
    "shapes:\n"
    "  a: {type: sphere, on: one, at: [0.1, 0.2], radius: 0.25}\n"
    "  floor: {type: plane, on: ground, normal: [0, 1]}\n"
    "contacts:\n"
    "  af: {between: [floor, a], normal: {law: hertz, stiffness: 1e5}}\n"
    "run: {until: 1}\n";

static const char *const wxyz[] = {"w", "x", "y", "z"};
static const carom_channel space_channels[CHANNELS] = {
    {"body.one.position", "m", "", 3, xyz, 0}, {"body.one.orientation", "-", "", 4, wxyz, 0},
    {"body.two.position", "m", "", 3, xyz, 0}, {"body.two.orientation", "-", "", 4, wxyz, 0},
    {"contact.af.force", "N", "", 1, NULL, 0}, {"contact.ab.force", "N", "", 1, NULL, 0}};
static const carom_channel plane_channels[] = {{"body.one.position", "m", "", 2, xyz, 0},
                                               {"body.one.angle", "rad", "", 1, NULL, 0}};
enum { SPACE_WIDTH = 16 };

/* ---- recorded poses ---- */

static double frame_time(int row) { return row / 3.0; }

static void space_row(int row, double *out)
{
    double turn = 0.3 * row;
    const double values[SPACE_WIDTH] = {0.7 * row, 1, 3 - 0.2 * row, cos(turn), 0.6 * sin(turn), 0, 0.8 * sin(turn),
                                        -1, 0.1 * row, 1, 1, 0, 0, 0, 10.0 * row, 7.0 * row};
    memcpy(out, values, sizeof values);
}

static void plane_row(int row, double *out)
{
    out[0] = 100.0 * row;
    out[1] = 3;
    out[2] = 0.5 * row;
}

/* Writes a result of these channels and opens it. */
static carom_result *make_result(carom_context *ctx, const char *text, const char *options, const carom_channel *list,
                                 size_t count, size_t width, void (*fill)(int row, double *out))
{
    carom_writer_def def = {.path = RESULT, .model_name = "m", .model_text = text, .options = options,
                            .channels = list, .channel_count = count};
    carom_writer *writer = NULL;
    assert_int_equal(carom_writer_create(ctx, &def, &writer), CAROM_OK);
    double time[ROWS], data[ROWS * SPACE_WIDTH];
    for (int row = 0; row < ROWS && fill; row++) {
        double all[SPACE_WIDTH];
        fill(row, all);
        time[row] = frame_time(row);
        memcpy(data + (size_t)row * width, all, width * sizeof *all);
    }
    const carom_sink *sink = carom_writer_sink(writer);
    if (fill)
        assert_int_equal(sink->rows(sink->user, 0, ROWS, time, data), CAROM_OK);
    assert_int_equal(carom_writer_close(writer, NULL, "completed"), CAROM_OK);
    carom_result *result = NULL;
    assert_int_equal(carom_result_open(ctx, RESULT, &result), CAROM_OK);
    return result;
}

/* ---- reading ---- */

typedef struct content {
    char *bytes;
    size_t length;
    const char *raw;            /* of the appended data */
} content;

static content read_content(const char *name)
{
    char path[256];
    snprintf(path, sizeof path, FOLDER "/%s", name);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    content c = {.bytes = test_malloc(1000000)};
    c.length = fread(c.bytes, 1, 999999, file);
    fclose(file);
    assert_true(c.length < 999999);
    c.bytes[c.length] = '\0';
    const char *mark = "<AppendedData encoding=\"raw\">\n_";
    c.raw = strstr(c.bytes, mark);
    if (c.raw)
        c.raw += strlen(mark);
    return c;
}

static size_t number_of(const content *c, const char *what)
{
    char key[64];
    snprintf(key, sizeof key, " %s=\"", what);
    const char *at = strstr(c->bytes, key);
    assert_non_null(at);
    return (size_t)strtoul(at + strlen(key), NULL, 10);
}

/* The data of an array of an element, checked to have that type and to lie in the file. */
static const void *array_of(const content *c, const char *element, const char *name, const char *type, size_t size,
                            size_t *count)
{
    char open[64], key[96];
    snprintf(open, sizeof open, "<%s", element);
    snprintf(key, sizeof key, "<DataArray type=\"%s\" Name=\"%s\" ", type, name);
    const char *at = strstr(c->bytes, open);
    while (at && at[strlen(open)] != '>' && at[strlen(open)] != ' ')
        at = strstr(at + 1, open);
    assert_non_null(at);
    at = strstr(at, key);
    assert_non_null(at);
    at = strstr(at, "offset=\"");
    assert_non_null(at);
    const char *data = c->raw + strtoul(at + 8, NULL, 10);
    uint64_t bytes;
    memcpy(&bytes, data, sizeof bytes);
    assert_true(data + sizeof bytes + bytes <= c->bytes + c->length);
    *count = (size_t)bytes / size;
    void *aligned = test_malloc(bytes + 1);
    memcpy(aligned, data + sizeof bytes, bytes);
    return aligned;
}

/* Corners of a sort of cells lie among the points, their ends rise up to the last corner. */
static size_t check_cells(const content *c, const char *element, size_t cells, size_t points)
{
    size_t corners, ends;
    int64_t *corner = (int64_t *)array_of(c, element, "connectivity", "Int64", sizeof *corner, &corners);
    int64_t *end = (int64_t *)array_of(c, element, "offsets", "Int64", sizeof *end, &ends);
    assert_int_equal(ends, cells);
    for (size_t k = 0; k < corners; k++)
        assert_true(corner[k] >= 0 && (size_t)corner[k] < points);
    for (size_t k = 0; k < ends; k++)
        assert_true(end[k] > (k ? end[k - 1] : 0));
    assert_int_equal(ends ? (size_t)end[ends - 1] : 0, corners);
    test_free(corner);
    test_free(end);
    return corners;
}

static double *numbers_of(const content *c, const char *element, const char *name, size_t want)
{
    size_t count;
    double *values = (double *)array_of(c, element, name, "Float64", sizeof *values, &count);
    assert_int_equal(count, want);
    return values;
}

static void check_list(const char *file, const char *kind)
{
    content c = read_content(file);
    const char *at = c.bytes;
    for (int row = 0; row < ROWS; row++) {
        char want[64];
        at = strstr(at, "timestep=\"");
        assert_non_null(at);
        assert_true(same(strtod(at + 10, NULL), frame_time(row)));
        at = strstr(at, "file=\"");
        snprintf(want, sizeof want, NAME "%s_%06d.vtp\"", kind, row);
        assert_memory_equal(at + 6, want, strlen(want));
        want[strlen(want) - 1] = '\0';
        content frame = read_content(want);
        test_free(frame.bytes);
    }
    assert_null(strstr(at, "timestep=\""));
    test_free(c.bytes);
}

static void remove_folder(void)
{
    DIR *list = opendir(FOLDER);
    for (const struct dirent *d; list && (d = readdir(list)) != NULL;) {
        char path[512];
        snprintf(path, sizeof path, FOLDER "/%s", d->d_name);
        remove(path);
    }
    if (list)
        closedir(list);
    remove(FOLDER);
}

/* ---- tests ---- */

static double distance(const double *p, const double *c)
{
    return sqrt((p[0] - c[0]) * (p[0] - c[0]) + (p[1] - c[1]) * (p[1] - c[1]) + (p[2] - c[2]) * (p[2] - c[2]));
}

/* The polygons wind counterclockwise about the normals of their points. */
static void check_winding(const content *c, const double *p, const double *n)
{
    size_t corners, cells;
    int64_t *corner = (int64_t *)array_of(c, "Polys", "connectivity", "Int64", sizeof *corner, &corners);
    int64_t *end = (int64_t *)array_of(c, "Polys", "offsets", "Int64", sizeof *end, &cells);
    for (size_t k = 0; k < cells; k++) {
        const int64_t *at = corner + (k ? end[k - 1] : 0);
        const double *a = p + 3 * at[0], *b = p + 3 * at[1], *d = p + 3 * at[2], *normal = n + 3 * at[0];
        double u[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]}, v[3] = {d[0] - a[0], d[1] - a[1], d[2] - a[2]};
        assert_true((u[1] * v[2] - u[2] * v[1]) * normal[0] + (u[2] * v[0] - u[0] * v[2]) * normal[1] +
                        (u[0] * v[1] - u[1] * v[0]) * normal[2] > 0);
    }
    test_free(corner);
    test_free(end);
}

/* Centre of sphere a in a row: position + the quaternion's rotation of (0.1, 0.2, 0.3) by Rodrigues' formula. */
static void centre_of_a(const double *row, double *out)
{
    const double r[3] = {0.1, 0.2, 0.3}, *q = row + 3;
    double t[3] = {2 * (q[2] * r[2] - q[3] * r[1]), 2 * (q[3] * r[0] - q[1] * r[2]), 2 * (q[1] * r[1] - q[2] * r[0])};
    out[0] = row[0] + r[0] + q[0] * t[0] + q[2] * t[2] - q[3] * t[1];
    out[1] = row[1] + r[1] + q[0] * t[1] + q[3] * t[0] - q[1] * t[2];
    out[2] = row[2] + r[2] + q[0] * t[2] + q[1] * t[1] - q[2] * t[0];
}

static void check_space_frame(int row)
{
    char name[64];
    snprintf(name, sizeof name, NAME "_%06d.vtp", row);
    content c = read_content(name);
    size_t points = number_of(&c, "NumberOfPoints"), polys = number_of(&c, "NumberOfPolys"), count;
    const size_t sphere = 2 + 15 * 32, faces = 16 * 32;
    assert_int_equal(points, 3 * sphere + 4);
    assert_int_equal(polys, 3 * faces + 1);
    assert_int_equal(number_of(&c, "NumberOfLines"), 0);
    check_cells(&c, "Lines", 0, points);
    check_cells(&c, "Polys", polys, points);
    double *p = numbers_of(&c, "Points", "points", 3 * points), all[SPACE_WIDTH], a[3], worst = 0;
    double *n = numbers_of(&c, "PointData", "normal", 3 * points);
    space_row(row, all);
    centre_of_a(all, a);
    const double shell[3] = {0, 0, 0}, *centre[4] = {a, NULL, all + 7, shell}, radius[4] = {2, 0, 0.5, 40};
    size_t first = 0;
    for (int k = 0; k < 4; k++) {
        for (size_t i = first; centre[k] && i < first + sphere; i++) {
            double out = k == 3 ? -1 : 1, at[3];
            for (int j = 0; j < 3; j++)
                at[j] = centre[k][j] + out * radius[k] * n[3 * i + (size_t)j];
            worst = fmax(worst, fmax(fabs(distance(p + 3 * i, centre[k]) - radius[k]), distance(p + 3 * i, at)));
        }
        for (size_t i = first; !centre[k] && i < first + 4; i++)   /* (1, 2, 2)/3 . (r - (0, 0, -1)) = 0 */
            worst = fmax(worst, fabs((p[3 * i] + 2 * p[3 * i + 1] + 2 * (p[3 * i + 2] + 1)) / 3));
        first += centre[k] ? sphere : 4;
    }
    print_message("row %d: largest distance of a point from its surface %.2g m\n", row, worst);
    assert_true(worst < 1e-13);
    check_winding(&c, p, n);
    int32_t *body = (int32_t *)array_of(&c, "CellData", "body", "Int32", sizeof *body, &count);
    int32_t *shape = (int32_t *)array_of(&c, "CellData", "shape", "Int32", sizeof *shape, &count);
    assert_int_equal(count, polys);
    static const int32_t body_of[] = {1, 0, 2, 0};
    for (size_t k = 0; k < count; k++) {
        assert_int_equal(shape[k], k < faces ? 0 : k < faces + 1 ? 1 : k < 2 * faces + 1 ? 2 : 3);
        assert_int_equal(body[k], body_of[shape[k]]);
    }
    test_free(p);
    test_free(n);
    test_free(body);
    test_free(shape);
    test_free(c.bytes);
}

/* Contact 0 is ab, contact 1 floor and a: the force on the second body, at the halved gap or the deepest point. */
static void check_contact_frame(int row)
{
    char name[64];
    snprintf(name, sizeof name, NAME "-contacts_%06d.vtp", row);
    content c = read_content(name);
    assert_int_equal(number_of(&c, "NumberOfPoints"), 2);
    check_cells(&c, "Verts", number_of(&c, "NumberOfVerts"), 2);
    double *p = numbers_of(&c, "Points", "points", 6), *f = numbers_of(&c, "PointData", "force", 6);
    double *gap = numbers_of(&c, "PointData", "gap", 2), *rub = numbers_of(&c, "PointData", "friction", 6);
    double all[SPACE_WIDTH], a[3];
    space_row(row, all);
    centre_of_a(all, a);
    double d = distance(a, all + 7), height = (a[0] + 2 * a[1] + 2 * (a[2] + 1)) / 3;
    assert_true(fabs(gap[0] - (d - 2.5)) < 1e-13 && fabs(gap[1] - (height - 2)) < 1e-13);
    for (int k = 0; k < 3; k++) {
        double along = (all[7 + k] - a[k]) / d, normal = (k ? 2 : 1) / 3.0;
        assert_true(fabs(f[k] - all[15] * along) < 1e-13 * (1 + all[15]));
        assert_true(fabs(p[k] - (a[k] + (2 + gap[0] / 2) * along)) < 1e-13);
        assert_true(fabs(f[3 + k] - all[14] * normal) < 1e-13 * (1 + all[14]));
        assert_true(fabs(p[3 + k] - (a[k] - 2 * normal)) < 1e-13);
        assert_true(rub[k] == 0 && rub[3 + k] == 0);
    }
    test_free(p);
    test_free(f);
    test_free(gap);
    test_free(rub);
    test_free(c.bytes);
}

static void test_space(void **state)
{
    (void)state;
    counting_allocator a = {0};
    carom_context *ctx = make_context(&a);
    remove_folder();
    /* --set r=2 stands in the options */
    carom_result *result = make_result(ctx, space_text, "integrator adams, tolerance 1e-8, set r=2", space_channels,
                                       CHANNELS, SPACE_WIDTH, space_row);
    if (carom_result_write_vtk(result, FOLDER "/") != CAROM_OK)
        fail_msg("%s", carom_context_error(ctx));
    check_list(NAME ".pvd", "");
    check_list(NAME "-contacts.pvd", "-contacts");
    for (int row = 0; row < ROWS; row++) {
        check_space_frame(row);
        check_contact_frame(row);
    }
    /* not over what is there */
    assert_int_equal(carom_result_write_vtk(result, FOLDER), CAROM_ERROR_IO);
    assert_non_null(strstr(carom_context_error(ctx), "series: exists already"));
    assert_int_equal(carom_result_write_vtk(result, "nowhere/series"), CAROM_ERROR_IO);
    assert_non_null(strstr(carom_context_error(ctx), "nowhere/series: cannot be written"));
    assert_int_equal(carom_result_write_vtk(result, ""), CAROM_ERROR_USAGE);
    carom_result_close(result);
    carom_context_destroy(ctx);
    assert_int_equal(a.bytes, 0);
}

static void test_planar(void **state)
{
    (void)state;
    counting_allocator a = {0};
    carom_context *ctx = make_context(&a);
    remove_folder();
    carom_result *result = make_result(ctx, plane_text, "", plane_channels, 2, 3, plane_row);
    if (carom_result_write_vtk(result, FOLDER) != CAROM_OK)
        fail_msg("%s", carom_context_error(ctx));
    check_list(NAME ".pvd", "");
    assert_false(exists(FOLDER "/" NAME "-contacts.pvd"));     /* no channel of a contact */
    for (int row = 0; row < ROWS; row++) {
        char name[64];
        snprintf(name, sizeof name, NAME "_%06d.vtp", row);
        content c = read_content(name);
        size_t points = number_of(&c, "NumberOfPoints");
        assert_int_equal(points, 64 + 1 + 2);
        assert_int_equal(check_cells(&c, "Polys", 1, points), 64);
        assert_int_equal(check_cells(&c, "Lines", 2, points), 4);
        double *p = numbers_of(&c, "Points", "points", 3 * points), all[3];
        plane_row(row, all);
        double s = sin(all[2]), k = cos(all[2]);
        const double centre[3] = {all[0] + 0.1 * k - 0.2 * s, all[1] + 0.1 * s + 0.2 * k, 0};
        for (size_t i = 0; i < 64; i++)
            assert_true(fabs(distance(p + 3 * i, centre) - 0.25) < 1e-12 && p[3 * i + 2] == 0);
        assert_true(distance(p + 3 * 64, centre) < 1e-12);
        const double spoke[3] = {centre[0] + 0.25 * k, centre[1] + 0.25 * s, 0};
        assert_true(distance(p, spoke) < 1e-12);
        /* the line of the floor reaches to where the ball gets */
        assert_true(fabs(p[3 * 65 + 1]) == 0 && fabs(p[3 * 66 + 1]) == 0);
        assert_true(fmin(fabs(p[3 * 65]), fabs(p[3 * 66])) >= fabs(centre[0]));
        test_free(p);
        test_free(c.bytes);
    }
    carom_result_close(result);
    carom_context_destroy(ctx);
    assert_int_equal(a.bytes, 0);
}

static void expect_refusal(carom_context *ctx, carom_result *result, carom_status status, const char *sentence)
{
    remove_folder();
    assert_int_equal(carom_result_write_vtk(result, FOLDER), status);
    if (!strstr(carom_context_error(ctx), sentence) || !strstr(carom_context_error(ctx), RESULT))
        fail_msg("%s", carom_context_error(ctx));
    assert_false(exists(FOLDER));
    carom_result_close(result);
}

static void test_refusals(void **state)
{
    (void)state;
    counting_allocator a = {0};
    carom_context *ctx = make_context(&a);
    expect_refusal(ctx, make_result(ctx, plane_text, "", plane_channels, 1, 2, plane_row), CAROM_ERROR_USAGE,
                   "body.one.position and body.one.angle are needed and not both recorded; add body.one to "
                   "output.channels");
    expect_refusal(ctx, make_result(ctx, plane_text, "", plane_channels, 2, 3, NULL), CAROM_ERROR_USAGE, "no rows");
    expect_refusal(ctx, make_result(ctx, NULL, "", plane_channels, 2, 3, plane_row), CAROM_ERROR_USAGE,
                   "no model text");
    expect_refusal(ctx, make_result(ctx, "carom: 7\n", "", plane_channels, 2, 3, plane_row), CAROM_ERROR_MODEL, "");
    carom_context_destroy(ctx);
    assert_int_equal(a.bytes, 0);
}

/* Whatever allocation fails, no folder is left and no memory. */
static void test_failing_memory(void **state)
{
    (void)state;
    counting_allocator a = {0};
    carom_context *ctx = make_context(&a);
    carom_result *result = make_result(ctx, plane_text, "", plane_channels, 2, 3, plane_row);
    size_t failures = 0;
    for (size_t at = 1;; at++) {
        remove_folder();
        a.fail_at = a.calls + at;
        carom_status status = carom_result_write_vtk(result, FOLDER);
        a.fail_at = 0;
        if (status == CAROM_OK)
            break;
        assert_int_equal(status, CAROM_ERROR_MEMORY);
        assert_false(exists(FOLDER));
        failures++;
    }
    print_message("%zu allocations failed in turn\n", failures);
    assert_true(failures > 10);
    carom_result_close(result);
    carom_context_destroy(ctx);
    assert_int_equal(a.bytes, 0);
    remove_folder();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_space),
        cmocka_unit_test(test_planar),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_failing_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
