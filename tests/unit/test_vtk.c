/* The series for ParaView: what a small scanner of the XML finds in it is what the result's snapshots hold. */
#include <dirent.h>
#include <stdio.h>

#include "drawn_run.h"

#define FOLDER "series"

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
        assert_true(same(strtod(at + 10, NULL), drawn_time(2 * row)));
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

/* The triangles wind counterclockwise about the normals of their points. */
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

static void check_space_frame(int row)
{
    char name[64];
    snprintf(name, sizeof name, NAME "_%06d.vtp", row);
    content c = read_content(name);
    size_t points = number_of(&c, "NumberOfPoints"), polys = number_of(&c, "NumberOfPolys"), count;
    size_t lines = number_of(&c, "NumberOfLines");
    const size_t sphere = 2 + 15 * 32, faces = 2 * 32 + 14 * 32 * 2, edges = 32 + 4 * 16;
    assert_int_equal(points, 4 * sphere + 4);
    assert_int_equal(polys, 4 * faces + 2);
    assert_int_equal(lines, 4 * edges + 4);
    assert_int_equal(check_cells(&c, "Lines", lines, points), 2 * lines);
    assert_int_equal(check_cells(&c, "Polys", polys, points), 3 * polys);
    double *p = numbers_of(&c, "Points", "points", 3 * points), all[SPACE_WIDTH], a[3], worst = 0;
    double *n = numbers_of(&c, "PointData", "normal", 3 * points);
    space_frame(2 * row, all);
    centre_of_a(all, a);
    const double shell[3] = {0, 0, 0}, twin[3] = {all[TWO] + 3, all[TWO + 1], all[TWO + 2]};
    const double *centre[5] = {a, NULL, all + TWO, shell, twin}, radius[5] = {2, 0, 0.5, 40, 2};
    size_t first = 0;
    for (int k = 0; k < 5; k++) {
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
    assert_int_equal(count, lines + polys);
    static const int32_t body_of[] = {1, 0, 2, 0, 2};
    const size_t line_ends[] = {edges, edges + 4, 2 * edges + 4, 3 * edges + 4, 4 * edges + 4};
    const size_t poly_ends[] = {faces, faces + 2, 2 * faces + 2, 3 * faces + 2, 4 * faces + 2};
    for (size_t k = 0; k < count; k++) {
        int32_t want = 0;
        while (k < lines ? k >= line_ends[want] : k - lines >= poly_ends[want])
            want++;
        assert_int_equal(shape[k], want);
        assert_int_equal(body[k], body_of[want]);
    }
    test_free(p);
    test_free(n);
    test_free(body);
    test_free(shape);
    test_free(c.bytes);
}

/* Contact 0 is ab, contact 1 floor and a: the total force on the second body, and its part along the floor. */
static void check_contact_frame(int row)
{
    char name[64];
    snprintf(name, sizeof name, NAME "-contacts_%06d.vtp", row);
    content c = read_content(name);
    assert_int_equal(number_of(&c, "NumberOfPoints"), 2);
    check_cells(&c, "Verts", number_of(&c, "NumberOfVerts"), 2);
    double *p = numbers_of(&c, "Points", "points", 6), *f = numbers_of(&c, "PointData", "force", 6);
    double *gap = numbers_of(&c, "PointData", "gap", 2), *site = numbers_of(&c, "PointData", "friction", 6);
    double all[SPACE_WIDTH], a[3];
    space_frame(2 * row, all);
    centre_of_a(all, a);
    double d = distance(a, all + TWO), height = (a[0] + 2 * a[1] + 2 * (a[2] + 1)) / 3;
    assert_true(fabs(gap[0] - (d - 2.5)) < 1e-13 && fabs(gap[1] - (height - 2)) < 1e-13);
    for (int k = 0; k < 3; k++) {
        const double tangent = k == 0 ? 0 : k == 1 ? 1 : -1;
        assert_true(p[k] == all[AB_POINT + k] && p[3 + k] == all[AF_POINT + k]);
        assert_true(f[k] == all[AB_FORCE + k] && f[3 + k] == all[AF_FORCE + k]);
        assert_true(site[k] == 0 && fabs(site[3 + k] - 2 * row * tangent) < 1e-13 * (1 + 10 * row));
    }
    test_free(p);
    test_free(f);
    test_free(gap);
    test_free(site);
    test_free(c.bytes);
}

/* The names that the indices mean, as the codes of their characters. */
static void check_names(void)
{
    content c = read_content(NAME "_000000.vtp");
    assert_non_null(strstr(c.bytes, "Name=\"body_names\" NumberOfTuples=\"3\" format=\"ascii\">"
                                    "103 114 111 117 110 100 0 111 110 101 0 116 119 111 0 </Array>"));
    assert_non_null(strstr(c.bytes, "Name=\"shape_names\" NumberOfTuples=\"5\" format=\"ascii\">"
                                    "97 0 102 108 111 111 114 0 "));
    assert_non_null(strstr(c.bytes, "Name=\"contact_names\" NumberOfTuples=\"2\" format=\"ascii\">97 98 0 97 102 0 "));
    test_free(c.bytes);
}

static void test_space(void **state)
{
    (void)state;
    counting_allocator a = {0};
    carom_context *ctx = make_context(&a);
    remove_folder();
    carom_result *result = make_result(ctx, space_text, "r=2", space_channels, CAROM_COUNT(space_channels),
                                       SPACE_WIDTH, space_frame);
    if (carom_result_write_vtk(result, FOLDER "/") != CAROM_OK)
        fail_msg("%s", carom_context_error(ctx));
    check_list(NAME ".pvd", "");
    check_list(NAME "-contacts.pvd", "-contacts");
    for (int row = 0; row < ROWS; row++) {
        check_space_frame(row);
        check_contact_frame(row);
    }
    check_names();
    /* not over what is there */
    assert_refused(ctx, carom_result_write_vtk(result, FOLDER), CAROM_ERROR_IO, "series: exists already");
    assert_refused(ctx, carom_result_write_vtk(result, "nowhere/series"),
                   CAROM_ERROR_IO, "nowhere/series: cannot be written");
    assert_int_equal(carom_result_write_vtk(result, ""), CAROM_ERROR_USAGE);
    carom_result_close(result);
    carom_context_free(ctx);
    assert_int_equal(a.bytes, 0);
}

static void test_planar(void **state)
{
    (void)state;
    counting_allocator a = {0};
    carom_context *ctx = make_context(&a);
    remove_folder();
    carom_result *result = make_result(ctx, plane_text, "", plane_channels, CAROM_COUNT(plane_channels), PLANE_WIDTH,
                                       plane_frame);
    if (carom_result_write_vtk(result, FOLDER) != CAROM_OK)
        fail_msg("%s", carom_context_error(ctx));
    check_list(NAME ".pvd", "");
    check_list(NAME "-contacts.pvd", "-contacts");
    for (int row = 0; row < ROWS; row++) {
        char name[64];
        snprintf(name, sizeof name, NAME "_%06d.vtp", row);
        content c = read_content(name);
        size_t points = number_of(&c, "NumberOfPoints");
        assert_int_equal(points, 64 + 1 + 2);
        assert_int_equal(check_cells(&c, "Polys", 64, points), 3 * 64);
        assert_int_equal(check_cells(&c, "Lines", 64 + 1 + 1, points), 2 * 66);
        double *p = numbers_of(&c, "Points", "points", 3 * points), all[PLANE_WIDTH];
        plane_frame(2 * row, all);
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
    carom_context_free(ctx);
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
    const size_t count = CAROM_COUNT(plane_channels);
    expect_refusal(ctx, make_result(ctx, plane_text, "", plane_channels, count - 1, PLANE_WIDTH - 2, plane_frame),
                   CAROM_ERROR_IO, "contact.af.total_force is missing among its frames; run the model again");
    expect_refusal(ctx, make_result(ctx, plane_text, "", plane_channels, 1, PLANE_WIDTH, plane_frame),
                   CAROM_ERROR_USAGE, "has no snapshots, so there is no motion to draw; run the model again");
    expect_refusal(ctx, make_result(ctx, plane_text, "", plane_channels, count, PLANE_WIDTH, NULL), CAROM_ERROR_USAGE,
                   "has no snapshots");
    expect_refusal(ctx, make_result(ctx, NULL, "", plane_channels, count, PLANE_WIDTH, plane_frame), CAROM_ERROR_USAGE,
                   "no model text");
    expect_refusal(ctx, make_result(ctx, "carom: 7\n", "", plane_channels, count, PLANE_WIDTH, plane_frame),
                   CAROM_ERROR_MODEL, "");
    carom_context_free(ctx);
    assert_int_equal(a.bytes, 0);
}

/* Whatever allocation fails, no folder is left and no memory. */
static void test_failing_memory(void **state)
{
    (void)state;
    counting_allocator a = {0};
    carom_context *ctx = make_context(&a);
    carom_result *result = make_result(ctx, plane_text, "", plane_channels, CAROM_COUNT(plane_channels), PLANE_WIDTH,
                                       plane_frame);
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
    carom_context_free(ctx);
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
