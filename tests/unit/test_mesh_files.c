/* Mesh files: STL binary and text, OBJ; what is wrong is told with place; the text of the model holds what it needs
   afterwards; what a mesh holds, against closed forms. */
#include "carom_test.h"

#include <math.h>

#include "base/base.h"
#include "model/model.h"
#include "import/mesh.h"

/* ---- writing ---- */

static void write_file(const char *name, const void *bytes, size_t size)
{
    FILE *file = fopen(name, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

static void write_text(const char *name, const char *text) { write_file(name, text, strlen(text)); }

/* A box of the sizes 0.2, 0.1, 0.06 whose triangles turn outwards. */
static const int sides[12][3] = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                                 {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};

static void corner(int k, double *x)
{
    x[0] = k & 1 ? 0.125 : -0.125;
    x[1] = k & 2 ? 0.0625 : -0.0625;
    x[2] = k & 4 ? 0.03125 : -0.03125;
}

static unsigned char stl[84 + 50 * 12];

static void make_stl(const char *header)
{
    memset(stl, 0, sizeof stl);
    snprintf((char *)stl, 80, "%s", header);
    stl[80] = 12;
    for (int t = 0; t < 12; t++)
        for (int c = 0; c < 3; c++) {
            double x[3];
            corner(sides[t][c], x);
            for (int k = 0; k < 3; k++) {
                const float number = (float)x[k];
                memcpy(stl + 84 + 50 * t + 12 + 12 * c + 4 * k, &number, sizeof number);
            }
        }
}

static void make_files(void)
{
    carom_text text = {.ctx = new_context()}, obj = text;
    make_stl("solid is how this binary file begins");
    write_file("box.stl", stl, sizeof stl);
    carom_text_append(&text, "solid box\r\n");
    for (int t = 0; t < 12; t++) {
        carom_text_append(&text, "  facet normal 0 0 0\r\n    outer loop\r\n");
        for (int c = 0; c < 3; c++) {
            double x[3];
            corner(sides[t][c], x);
            carom_text_append(&text, "      VERTEX %.9e %.9e %.9e\r\n", x[0], x[1], x[2]);
        }
        carom_text_append(&text, "    endloop\r\n  endfacet\r\n");
    }
    carom_text_append(&text, "endsolid box\r\n");
    write_text("text.STL", text.data);
    carom_text_append(&obj, "# a box\nmtllib box.mtl\no box\nv 9 9 9\n");
    for (int k = 0; k < 8; k++) {
        double x[3];
        corner(k, x);
        carom_text_append(&obj, "v %.17g %.17g \\\n %.17g 1.0\n", x[0], x[1], x[2]);
    }
    carom_text_append(&obj, "vn 0 0 1\nf 2//1 4//1 5//1 3//1 # below\nf 6/1 7/1/1 9 8\n");
    carom_text_append(&obj, "f -8 -7 -3 -4\nf -6 -2 -1 -5\n");
    write_text("box.obj", obj.data);
    carom_context *ctx = text.ctx;
    carom_text_clear(&text);
    carom_text_clear(&obj);
    carom_context_free(ctx);
}

/* ---- models ---- */

static const char body[] = "carom: 1\ndimension: 3\nbodies: {a: {mass: 1, inertia: [1, 1, 1]}}\nrun: {until: 1}\n";

static carom_status compile(carom_context *ctx, const char *shape, carom_model **out)
{
    char text[2000];
    snprintf(text, sizeof text, "%sshapes: {foot: {type: mesh, on: a, %s}}\n", body, shape);
    *out = NULL;
    return carom_model_parse(ctx, "model.yaml", text, strlen(text), NULL, 0, out);
}

static void check_same(const carom_model *a, const carom_model *b)
{
    carom_shape_info x, y;
    assert_true(carom_model_get_shape(a, 0, &x) && carom_model_get_shape(b, 0, &y));
    assert_int_equal(x.number_count, y.number_count);
    assert_memory_equal(x.numbers, y.numbers, x.number_count * sizeof *x.numbers);
}

/* All kinds of files give the same corners; OBJ in another order. */
static void test_kinds_of_files(void **state)
{
    (void)state;
    carom_context *ctx = new_context();
    carom_model *binary, *text, *obj, *scaled;
    make_files();
    assert_ok(ctx, compile(ctx, "file: box.stl", &binary));
    assert_ok(ctx, compile(ctx, "file: text.STL", &text));
    assert_ok(ctx, compile(ctx, "file: ./box.obj, scale: [1, 1, 1]", &obj));
    assert_ok(ctx, compile(ctx, "file: box.obj, scale: [-2, 2, 2]", &scaled));
    check_same(binary, text);
    carom_shape_info x, y, z;
    assert_true(carom_model_get_shape(binary, 0, &x) && carom_model_get_shape(obj, 0, &y) &&
                carom_model_get_shape(scaled, 0, &z));
    assert_int_equal(x.number_count, y.number_count);
    assert_true(fabs(x.radius - sqrt(0.125 * 0.125 + 0.0625 * 0.0625 + 0.03125 * 0.03125)) < 1e-15);
    assert_true(fabs(y.radius - x.radius) < 1e-15 && fabs(z.radius - 2 * x.radius) < 1e-15);
    carom_model_free(binary);
    carom_model_free(text);
    carom_model_free(obj);
    carom_model_free(scaled);
    carom_context_free(ctx);
}

/* The text of the model is read without the files afterwards, in block style and in braces. */
static void test_held_files(void **state)
{
    (void)state;
    carom_context *ctx = new_context();
    static const char *const texts[] = {
        "%sshapes: {foot: {type: mesh, on: a, file: held.stl}, heel: {type: mesh, on: a, file: 'held \".obj'}}",
        "{carom: 1, dimension: 3, bodies: {a: {mass: 1, inertia: [1, 1, 1]}}, run: {until: 1},\n  shapes: {foot: "
        "{type: mesh, on: a, file: held.stl}, heel: {type: mesh, on: a, file: 'held \".obj'}}}\n# a } behind%s"};
    make_files();
    for (int k = 0; k < 2; k++) {
        char text[2000];
        carom_document *first, *second;
        carom_model *a, *b;
        make_stl("header");
        write_file("held.stl", stl, sizeof stl);
        write_text("held \".obj", "v 0 0 0\nv 0.1 0 0\nv 0 0.1 0\nv 0 0 0.1\n");
        snprintf(text, sizeof text, texts[k], k ? "" : body);
        assert_ok(ctx, carom_document_parse(ctx, "model.yaml", text, strlen(text), NULL, 0, &first));
        const carom_spec *spec = carom_document_spec(first);
        remove("held.stl");
        remove("held \".obj");
        assert_ok(ctx, carom_document_parse(ctx, "elsewhere/x.h5 (model text)", spec->text, spec->text_length, NULL, 0,
                                            &second));
        assert_ok(ctx, carom_model_compile(ctx, spec, &a));
        assert_ok(ctx, carom_model_compile(ctx, carom_document_spec(second), &b));
        check_same(a, b);
        assert_string_equal(carom_document_spec(second)->text, spec->text);
        carom_model_free(a);
        carom_model_free(b);
        carom_document_free(first);
        carom_document_free(second);
    }
    carom_context_free(ctx);
}

/* ---- what is wrong ---- */

static void refuse(carom_context *ctx, const char *name, const char *text, const char *part)
{
    char shape[200];
    carom_model *model;
    write_text(name, text);
    snprintf(shape, sizeof shape, "file: %s", name);
    assert_refused(ctx, compile(ctx, shape, &model), CAROM_ERROR_MODEL, part);
    assert_refused(ctx, compile(ctx, shape, &model), CAROM_ERROR_MODEL, "model.yaml:5:");
}

static void test_wrong_files(void **state)
{
    (void)state;
    carom_context *ctx = new_context();
    carom_model *model;
    make_stl("header");
    refuse(ctx, "empty.stl", "", "empty.stl: the file is empty");
    refuse(ctx, "some.stl", "hello", "some.stl: is no STL");
    refuse(ctx, "some.dae", "<xml>", "convert it");
    refuse(ctx, "word.stl", "solid\nfacet\n vertexx 0 0 0\n", "word.stl:3:");
    refuse(ctx, "nan.stl", "solid\nfacet\nvertex 0 nan 0\n", "nan.stl:3:1: 'nan' is not a finite number");
    refuse(ctx, "short.stl", "solid\nfacet\nvertex 0 0\n", "short.stl:3:");
    refuse(ctx, "two.stl", "solid\nfacet\nvertex 0 0 0\nvertex 1 0 0\nendfacet\n", "not three vertices");
    refuse(ctx, "cut.stl", "solid\nfacet\nvertex 0 0 0\n", "within a facet");
    refuse(ctx, "none.stl", "solid\nendsolid\n", "no vertices");
    refuse(ctx, "none.obj", "# nothing\n", "no vertices");
    refuse(ctx, "zero.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 0 1 2\n", "zero.obj:4:");
    refuse(ctx, "far.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 4\n", "'4' names a vertex");
    refuse(ctx, "back.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf -1 -2 -4\n", "'-4' names a vertex");
    refuse(ctx, "face.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2\n", "three vertices at least");
    refuse(ctx, "flat.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nf 1 2 3\nf 2 4 3\n", "no volume");
    refuse(ctx, "line.obj", "v 0 0 0\nv 1 1 1\nv 2 2 2\nv 3 3 3\nv 4 4 4\n", "no volume");
    refuse(ctx, "same.obj", "v 1 1 1\nv 1 1 1\nv 1 1 1\nv 1 1 1\n", "no volume");
    refuse(ctx, "three.obj", "v 1 1 1\nv 1 2 1\nv 1 1 3\n", "less than four points");
    write_file("cut.stl", stl, sizeof stl - 3);
    assert_refused(ctx, compile(ctx, "file: cut.stl", &model), CAROM_ERROR_MODEL, "cut.stl: byte 80: announces 12");
    const float bad = (float)NAN;
    memcpy(stl + 84 + 50 * 3 + 12 + 16, &bad, sizeof bad);
    write_file("nanb.stl", stl, sizeof stl);
    assert_refused(ctx, compile(ctx, "file: nanb.stl", &model), CAROM_ERROR_MODEL, "nanb.stl: byte 262: ");
    assert_refused(ctx, compile(ctx, "file: nowhere.stl", &model), CAROM_ERROR_MODEL,
                   "model.yaml:5:42: shape 'foot': 'file': nowhere.stl: cannot be opened");
    assert_refused(ctx, compile(ctx, "file: [a]", &model), CAROM_ERROR_MODEL, "model.yaml:5:");
    assert_refused(ctx, compile(ctx, "scale: 2", &model), CAROM_ERROR_MODEL, "mesh needs `file` or `points`");
    assert_refused(ctx, compile(ctx, "file: box.stl, scale: 0", &model), CAROM_ERROR_MODEL, "`scale` is 0");
    assert_refused(ctx, compile(ctx, "file: box.stl, points: [[0, 0, 0], [1, 0, 0]]", &model), CAROM_ERROR_MODEL,
                   "either 'file' or 'points'");
    assert_refused(ctx, compile(ctx, "points: [[0, 0, 0], [1, 0, 0], [0, 1]]", &model), CAROM_ERROR_MODEL, "3");
    assert_refused(ctx, compile(ctx, "fiel: box.stl", &model), CAROM_ERROR_MODEL, "did you mean 'file'");
    carom_context_free(ctx);
}

/* ---- a mesh that is not convex, a large one, and damaged ones ---- */

static void test_hollow(void **state)
{
    (void)state;
    carom_context *ctx = new_context();
    carom_model *model;
    /* a pyramid whose base is pushed in to half of its height */
    write_text("hollow.obj", "v -1 -1 0\nv 1 -1 0\nv 1 1 0\nv -1 1 0\nv 0 0 1\nv 0 0 0.5\n"
                             "f 1 2 5\nf 2 3 5\nf 3 4 5\nf 4 1 5\nf 2 1 6\nf 3 2 6\nf 4 3 6\nf 1 4 6\n");
    assert_ok(ctx, compile(ctx, "file: hollow.obj", &model));
    bool told = false;
    for (int k = 0; k < model->warning_count; k++)
        told = told || strstr(model->ignored[k].text, "fills 50 % of its convex hull");
    assert_true(told);
    carom_model_free(model);
    carom_context_free(ctx);
}

/* A million triangles, 50 MB. */
static void test_large(void **state)
{
    (void)state;
    carom_context *ctx = new_context();
    carom_model *model;
    const int n = 708;
    const size_t count = 2 * (size_t)n * (size_t)n, size = 84 + 50 * count;
    unsigned char *bytes = calloc(size, 1);
    assert_non_null(bytes);
    for (int k = 0; k < 4; k++)
        bytes[80 + k] = (unsigned char)(count >> 8 * k & 255);
    for (size_t t = 0; t < count; t++)
        for (int c = 0; c < 3; c++) {
            /* a rounded cushion over a grid, whose flanks are cut off straight */
            const size_t cell = t / 2;
            const int i = (int)(cell / (size_t)n) + (t % 2 ? c > 0 : c == 1);
            const int j = (int)(cell % (size_t)n) + (t % 2 ? c < 2 : c == 2);
            const double a = 2.0 * i / n - 1, b = 2.0 * j / n - 1;
            const float x[3] = {(float)a, (float)b, (float)fmin(2 - a * a - b * b, 1)};
            memcpy(bytes + 84 + 50 * t + 12 + 12 * c, x, sizeof x);
        }
    write_file("large.stl", bytes, size);
    free(bytes);
    assert_ok(ctx, compile(ctx, "file: large.stl", &model));
    carom_model_free(model);
    remove("large.stl");
    carom_context_free(ctx);
}

/* Bytes that change at random are read or refused, and nothing else. */
static void test_damaged(void **state)
{
    (void)state;
    carom_context *ctx = new_context();
    uint64_t seed = 5;
    static const char obj[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1 2 4\nf -1/2 -2//3 -3\n";
    make_stl("solid");
    for (int k = 0; k < 4000; k++) {
        carom_arena arena;
        carom_mesh_data mesh;
        unsigned char bytes[sizeof stl];
        const bool text = k % 2;
        size_t size = text ? sizeof obj - 1 : sizeof stl;
        memcpy(bytes, text ? (const void *)obj : stl, size);
        for (int n = 0; n < 1 + k % 4; n++) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            bytes[(seed >> 33) % size] = (unsigned char)(seed >> 20);
        }
        if (k % 7 == 0)
            size = (seed >> 40) % size;
        carom_arena_init(&arena, ctx);
        const carom_status status = carom_mesh_parse(&arena, text ? "x.obj" : "x.stl", (char *)bytes, size, &mesh);
        assert_true(status == CAROM_OK || status == CAROM_ERROR_MODEL);
        carom_arena_free(&arena);
    }
    carom_context_free(ctx);
}

/* ---- mass ---- */

/* A box and a tetrahedron off the origin, right way and inside out. */
static void test_mass(void **state)
{
    (void)state;
    double points[24], scale[3] = {2, -3, 4};
    int triangles[12][3];
    for (int k = 0; k < 8; k++) {
        corner(k, points + 3 * k);
        points[3 * k] += 5;
    }
    memcpy(triangles, sides, sizeof sides);
    const carom_mesh_data box = {points, 8, triangles, 12};
    const carom_mesh_mass m = carom_mesh_mass_of(&box, scale);
    const double a = 0.5, b = 0.375, c = 0.25, volume = a * b * c;
    assert_true(m.closed && fabs(m.volume - volume) < 1e-14);
    assert_true(carom_v3_norm(carom_v3_sub(m.centre, carom_v3(10, 0, 0))) < 1e-13);
    assert_true(fabs(m.inertia[0] - volume / 12 * (b * b + c * c)) < 1e-15);
    assert_true(fabs(m.inertia[1] - volume / 12 * (a * a + c * c)) < 1e-15);
    assert_true(fabs(m.inertia[2] - volume / 12 * (a * a + b * b)) < 1e-15);
    double tetra[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
    int faces[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
    const double one[3] = {1, 1, 1};
    const carom_mesh_mass t = carom_mesh_mass_of(&(carom_mesh_data){tetra, 4, faces, 4}, one);
    assert_true(t.closed && fabs(t.volume - 1.0 / 6) < 1e-16);
    assert_true(fabs(t.centre.x - 0.25) < 1e-16 && fabs(t.centre.z - 0.25) < 1e-16);
    /* integrals of x^2 and x y over the unit tetrahedron: 1/60, 1/120 */
    assert_true(fabs(t.inertia[0] - 2 * (1.0 / 60 - 1.0 / 96)) < 1e-16);
    assert_true(fabs(t.inertia[3] + (1.0 / 120 - 1.0 / 96)) < 1e-16);
    const carom_mesh_mass open = carom_mesh_mass_of(&(carom_mesh_data){tetra, 4, faces, 3}, one);
    assert_false(open.closed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kinds_of_files), cmocka_unit_test(test_held_files), cmocka_unit_test(test_wrong_files),
        cmocka_unit_test(test_hollow),         cmocka_unit_test(test_large),      cmocka_unit_test(test_damaged),
        cmocka_unit_test(test_mass),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
