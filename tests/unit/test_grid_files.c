/* Files of heights: rows of numbers, PNG images of all depths and filters against the formula that drew them; what is
   wrong is told with place. */
#include "carom_test.h"

#include <math.h>
#include <zlib.h>

#include "base/base.h"
#include "read/grid.h"

static void write_file(const char *name, const void *bytes, size_t size)
{
    FILE *file = fopen(name, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

/* ---- images ---- */

static unsigned char png[200000];
static size_t png_size;

static void put_word(unsigned char *b, size_t word)
{
    for (int k = 0; k < 4; k++)
        b[k] = (unsigned char)(word >> (24 - 8 * k));
}

static void put_part(const char *name, const void *bytes, size_t size)
{
    put_word(png + png_size, size);
    memcpy(png + png_size + 4, name, 4);
    memcpy(png + png_size + 8, bytes, size);
    put_word(png + png_size + 8 + size, crc32(0, png + png_size + 4, (uInt)size + 4));
    png_size += size + 12;
}

static unsigned sample(int x, int y, int channel, unsigned most)
{
    return (unsigned)((3 * x * x + 5 * y + 7 * channel + x * y) % (int)(most + 1));
}

/* Draws an image of the type and depth, each row with the filter of its number or the one given, and packs it. */
static void draw(int width, int height, int type, int depth, int filter, int level)
{
    static const int channels[7] = {1, 0, 3, 1, 2, 0, 4};
    static unsigned char plain[100000], coded[100000], packed[120000];
    const int n = channels[type], row = (width * n * depth + 7) / 8, pixel = n * depth < 8 ? 1 : n * depth / 8;
    memset(plain, 0, sizeof plain);
    for (int y = 0; y < height; y++)
        for (int k = 0; k < width * n; k++) {
            const unsigned value = sample(k / n, y, k % n, (1u << depth) - 1);
            unsigned char *at = plain + y * row;
            if (depth == 16) {
                at[2 * k] = (unsigned char)(value >> 8);
                at[2 * k + 1] = (unsigned char)value;
            } else {
                at[k * depth / 8] |= (unsigned char)(value << (8 - depth - k * depth % 8));
            }
        }
    for (int y = 0; y < height; y++) {
        const int f = filter < 0 ? y % 5 : filter;
        coded[y * (row + 1)] = (unsigned char)f;
        for (int k = 0; k < row; k++) {
            const int here = plain[y * row + k], a = k >= pixel ? plain[y * row + k - pixel] : 0;
            const int b = y ? plain[(y - 1) * row + k] : 0, c = y && k >= pixel ? plain[(y - 1) * row + k - pixel] : 0;
            const int pa = abs(b - c), pb = abs(a - c), pc = abs(a + b - 2 * c);
            const int best = pa <= pb && pa <= pc ? a : pb <= pc ? b : c;
            const int guess[5] = {0, a, b, (a + b) / 2, best};
            coded[y * (row + 1) + 1 + k] = (unsigned char)(here - guess[f]);
        }
    }
    uLongf size = sizeof packed;
    assert_int_equal(compress2(packed, &size, coded, (uLong)(height * (row + 1)), level), Z_OK);
    unsigned char header[13] = {0}, palette[3 * 256];
    put_word(header, (size_t)width);
    put_word(header + 4, (size_t)height);
    header[8] = (unsigned char)depth;
    header[9] = (unsigned char)type;
    for (int k = 0; k < 256; k++)
        for (int c = 0; c < 3; c++)
            palette[3 * k + c] = (unsigned char)(k * (c + 1));
    memcpy(png, "\x89PNG\r\n\x1a\n", 8);
    png_size = 8;
    put_part("IHDR", header, sizeof header);
    if (type == 3)
        put_part("PLTE", palette, sizeof palette);
    put_part("tEXt", "a comment", 9);
    put_part("IDAT", packed, size / 2);
    put_part("IDAT", packed + size / 2, size - size / 2);
    put_part("IEND", "", 0);
}

static double expected(int x, int y, int type, int depth)
{
    const unsigned most = (1u << depth) - 1;
    if (type == 3) {
        const unsigned k = sample(x, y, 0, most);
        return ((k & 255) + (2 * k & 255) + (3 * k & 255)) / (3 * 255.0);
    }
    if (type == 0 || type == 4)
        return sample(x, y, 0, most) / (double)most;
    return (sample(x, y, 0, most) + sample(x, y, 1, most) + sample(x, y, 2, most)) / (3.0 * most);
}

static void test_images(void **state)
{
    (void)state;
    static const int kinds[][2] = {{0, 1}, {0, 2}, {0, 4}, {0, 8}, {0, 16}, {2, 8}, {2, 16}, {3, 1},
                                   {3, 2}, {3, 4}, {3, 8}, {4, 8}, {4, 16}, {6, 8}, {6, 16}};
    carom_context *ctx = new_context();
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        for (int level = 0; level <= 9; level += 3) {
            const int type = kinds[k][0], depth = kinds[k][1], width = 37, height = 23;
            carom_arena arena;
            carom_grid_data grid;
            carom_arena_init(&arena, ctx);
            draw(width, height, type, depth, -1, level);
            write_file("image.png", png, png_size);
            assert_ok(ctx, carom_grid_read(&arena, "image.png", &grid));
            assert_true(grid.columns == width && grid.rows == height);
            for (int r = 0; r < height; r++)
                for (int c = 0; c < width; c++)
                    assert_true(fabs(grid.numbers[r * width + c] - expected(c, height - 1 - r, type, depth)) < 1e-15);
            carom_arena_free(&arena);
        }
    carom_context_free(ctx);
}

/* Damaged images are read or refused. */
static void test_damaged(void **state)
{
    (void)state;
    carom_context *ctx = new_context();
    uint64_t seed = 7;
    int refused = 0;
    for (int k = 0; k < 6000; k++) {
        carom_arena arena;
        carom_grid_data grid = {0};
        draw(13, 9, k % 2 ? 2 : 0, 8, -1, k % 10);
        carom_arena_init(&arena, ctx);
        for (int n = 0; n < 1 + k % 5; n++) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            png[8 + (seed >> 33) % (png_size - 8)] = (unsigned char)(seed >> 20);
        }
        if (k % 9 == 0)
            png_size = 8 + (seed >> 40) % (png_size - 8);
        const carom_status status = carom_png_read(&arena, "x.png", png, png_size, &grid);
        assert_true(status == CAROM_OK || status == CAROM_ERROR_MODEL);
        refused += status != CAROM_OK;
        carom_arena_free(&arena);
    }
    assert_true(refused > 1000);
    carom_context_free(ctx);
}

/* ---- models ---- */

static carom_status compile(carom_context *ctx, const char *shape, carom_model **out)
{
    char text[2000];
    snprintf(text, sizeof text,
             "carom: 1\ndimension: 3\nparameters: {k: 2}\nbodies: {a: {mass: 1, inertia: [1, 1, 1]}}\nrun: {until: "
             "1}\nshapes: {hill: {type: height-field, on: ground, %s}}\n",
             shape);
    *out = NULL;
    return carom_model_parse(ctx, "model.yaml", text, strlen(text), NULL, 0, out);
}

/* The same heights as numbers, from a file and from an expression. */
static void test_sources(void **state)
{
    (void)state;
    carom_context *ctx = new_context();
    static const char *const shapes[] = {
        "size: [2, 1], heights: [[0, 2, 4], [1, 3, 5], [2, 4, 6]]",
        "size: [2, 1], file: heights.csv, scale: 0.5",
        "size: [2, 1], value: 'k*x + 2*y + 3', lines: [3, 3]",
    };
    carom_shape_info first = {0}, info;
    carom_model *model[3];
    static const char rows[] = "# rows\n0, 4 8\n\n2;6;10 # next\r\n4\t8,12";
    write_file("heights.csv", rows, sizeof rows - 1);
    for (int k = 0; k < 3; k++) {
        assert_ok(ctx, compile(ctx, shapes[k], &model[k]));
        assert_true(carom_model_get_shape(model[k], 0, &info));
        if (k == 0)
            first = info;
        assert_int_equal(info.number_count, first.number_count);
        for (size_t n = 0; n < info.number_count; n++)
            assert_true(fabs(info.numbers[n] - first.numbers[n]) < 1e-14);
    }
    for (int k = 0; k < 3; k++)
        carom_model_free(model[k]);
    carom_context_free(ctx);
}

static void test_wrong(void **state)
{
    (void)state;
    carom_context *ctx = new_context();
    carom_model *model;
    write_file("bad.csv", "1 2 3\n4 5\n", 10);
    write_file("word.csv", "1 2\n3 nan\n", 10);
    write_file("none.csv", "# 1\n", 4);
    draw(20, 20, 0, 8, 0, 9);
    write_file("cut.png", png, png_size / 2);
    static const char *const wrong[][2] = {
        {"size: [1, 1]", "needs `heights` or `file` or `value`"},
        {"size: [1, 1], heights: [[1, 2], [3]]", "row 2 has not as many numbers"},
        {"size: [1, 1], heights: [1, 2]", "list of rows"},
        {"size: [1, 1], heights: [[1, 2]]", "2 columns and 1 rows"},
        {"size: [1, 0], heights: [[1, 2], [3, 4]]", "above 0"},
        {"size: [1, 1], file: bad.csv", "bad.csv:2:1: 2 numbers stand here, and 3"},
        {"size: [1, 1], file: word.csv", "word.csv:2:1: 'nan' is not a finite number"},
        {"size: [1, 1], file: none.csv", "no numbers in the file"},
        {"size: [1, 1], file: cut.png", "cut.png: the image cannot be taken: it is cut off"},
        {"size: [1, 1], file: away.png", "cannot be opened"},
        {"size: [1, 1], value: x + z", "z"},
        {"size: [1, 1], value: x, lines: [1, 5]", "'lines' are whole numbers"},
        {"size: [1, 1], value: 1/x, lines: [3, 3]", "division by zero"},
        {"value: x", "size"},
        {"size: [1, 1], value: x, heights: [[1, 2], [3, 4]]", "either"},
        {"size: [1, 1], vaule: x", "did you mean 'value'"},
    };
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        assert_refused(ctx, compile(ctx, wrong[k][0], &model), CAROM_ERROR_MODEL, wrong[k][1]);
        assert_refused(ctx, compile(ctx, wrong[k][0], &model), CAROM_ERROR_MODEL, "model.yaml:6:");
    }
    carom_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_images),
        cmocka_unit_test(test_damaged),
        cmocka_unit_test(test_sources),
        cmocka_unit_test(test_wrong),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
