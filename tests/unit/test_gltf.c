/* The glTF export: what a small reader of the container finds in it is what the result's snapshots hold. */
#include <stdio.h>

#include "drawn_run.h"
#include "support/json_at.h"

#define FILE_GLB "two balls.glb"
enum { MAGIC = 0x46546C67, CHUNK_JSON = 0x4E4F534A, CHUNK_BYTES = 0x004E4942, FLOAT = 5126, INDEX = 5125 };

/* ---- reading ---- */

typedef struct asset {
    unsigned char *bytes;
    size_t length;
    json *root;
    const unsigned char *data; /* of the binary chunk */
    size_t data_length;
} asset;

static uint32_t word_at(const unsigned char *p)
{
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

/* Header and both chunks, each of a multiple of 4 bytes, fill the file. */
static asset read_asset(void)
{
    FILE *file = fopen(FILE_GLB, "rb");
    assert_non_null(file);
    asset a = {.bytes = test_malloc(1000000)};
    a.length = fread(a.bytes, 1, 1000000, file);
    fclose(file);
    assert_true(a.length > 28 && a.length < 1000000);
    assert_int_equal(word_at(a.bytes), MAGIC);
    assert_int_equal(word_at(a.bytes + 4), 2);
    assert_int_equal(word_at(a.bytes + 8), a.length);
    size_t text = word_at(a.bytes + 12);
    assert_int_equal(text % 4, 0);
    assert_int_equal(word_at(a.bytes + 16), CHUNK_JSON);
    a.data_length = word_at(a.bytes + 20 + text);
    assert_int_equal(a.data_length % 4, 0);
    assert_int_equal(word_at(a.bytes + 24 + text), CHUNK_BYTES);
    assert_int_equal(28 + text + a.data_length, a.length);
    a.data = a.bytes + 28 + text;
    char *copy = test_malloc(text + 1);
    memcpy(copy, a.bytes + 20, text);
    copy[text] = '\0';
    a.root = json_parse_text(copy);
    test_free(copy);
    assert_non_null(a.root);
    assert_int_equal(number_at(a.root, "buffers.0.byteLength"), a.data_length);
    return a;
}

static void free_asset(asset *a)
{
    json_free(a->root);
    test_free(a->bytes);
}

static const json *item_at(const json *root, const char *list, double index)
{
    const json *item = json_item(json_member(root, list), (size_t)index);
    assert_non_null(item);
    return item;
}

/* Bytes of an accessor, checked to lie in its view. */
static const unsigned char *accessor_at(const asset *a, double index, const char *type, int component, size_t size,
                                        size_t *count)
{
    const json *accessor = item_at(a->root, "accessors", index);
    const json *view = item_at(a->root, "bufferViews", number_at(accessor, "bufferView"));
    assert_string_equal(text_at(accessor, "type"), type);
    assert_int_equal(number_at(accessor, "componentType"), component);
    *count = (size_t)number_at(accessor, "count");
    size_t offset = json_member(accessor, "byteOffset") ? (size_t)number_at(accessor, "byteOffset") : 0;
    size_t start = json_member(view, "byteOffset") ? (size_t)number_at(view, "byteOffset") : 0;
    assert_true(offset % 4 == 0 && start % 4 == 0);
    assert_true(offset + *count * size <= (size_t)number_at(view, "byteLength"));
    assert_true(start + (size_t)number_at(view, "byteLength") <= a->data_length);
    return a->data + start + offset;
}

static float float_at(const unsigned char *p, size_t k)
{
    uint32_t word = word_at(p + 4 * k);
    float value;
    memcpy(&value, &word, sizeof value);
    return value;
}

/* The node of a name; *index is its place. */
static const json *node_of(const asset *a, const char *name, size_t *index)
{
    const json *nodes = json_member(a->root, "nodes");
    for (*index = 0; *index < json_size(nodes); ++*index)
        if (strcmp(text_at(json_item(nodes, *index), "name"), name) == 0)
            return json_item(nodes, *index);
    fail_msg("no node '%s'", name);
    return NULL;
}

/* The values of the sampler that moves a node; NULL if none does. */
static const unsigned char *motion_of(const asset *a, size_t node, const char *path, const char *type, size_t *count)
{
    const json *animation = json_get(a->root, "animations.0");
    const json *list = json_member(animation, "channels");
    for (size_t k = 0; k < json_size(list); k++) {
        const json *c = json_item(list, k);
        if ((size_t)number_at(c, "target.node") != node || strcmp(text_at(c, "target.path"), path) != 0)
            continue;
        const json *sampler = item_at(animation, "samplers", number_at(c, "sampler"));
        assert_string_equal(text_at(sampler, "interpolation"), "LINEAR");
        size_t times;
        accessor_at(a, number_at(sampler, "input"), "SCALAR", FLOAT, 4, &times);
        const unsigned char *values =
            accessor_at(a, number_at(sampler, "output"), type, FLOAT, strlen(type) > 4 ? 4 : 12, count);
        assert_int_equal(times, *count);
        return values;
    }
    return NULL;
}

static const json *primitive_of(const asset *a, const char *node, int k)
{
    size_t index;
    const json *mesh = item_at(a->root, "meshes", number_at(node_of(a, node, &index), "mesh"));
    return item_at(mesh, "primitives", k);
}

static carom_result *space_result(carom_context *ctx)
{
    return make_result(ctx, space_text, "r=2", space_channels, CAROM_COUNT(space_channels),
                       SPACE_WIDTH, space_frame);
}

static carom_result *plane_result(carom_context *ctx)
{
    return make_result(ctx, plane_text, "", plane_channels, CAROM_COUNT(plane_channels), PLANE_WIDTH, plane_frame);
}

static void write_glb(carom_context *ctx, carom_result *result, double speed)
{
    if (carom_result_write_gltf(result, speed, FILE_GLB) != CAROM_OK)
        fail_msg("%s", carom_context_error(ctx));
}

/* ---- tests ---- */

static void check_times(const asset *a, double speed)
{
    const json *sampler = json_get(a->root, "animations.0.samplers.0");
    size_t count;
    double input = number_at(sampler, "input");
    const unsigned char *times = accessor_at(a, input, "SCALAR", FLOAT, 4, &count);
    assert_int_equal(count, DRAWN_FRAMES);
    for (int k = 0; k < DRAWN_FRAMES; k++)
        assert_true(float_at(times, (size_t)k) == (float)(drawn_time(k) / speed));
    assert_true(number_at(item_at(a->root, "accessors", input), "min.0") == 0);
    assert_true((float)number_at(item_at(a->root, "accessors", input), "max.0") ==
                (float)(drawn_time(DRAWN_FRAMES - 1) / speed));
}

/* Bounds of an accessor are its least and largest values. */
static void check_bounds(const asset *a, double index)
{
    size_t count;
    const unsigned char *p = accessor_at(a, index, "VEC3", FLOAT, 12, &count);
    const json *accessor = item_at(a->root, "accessors", index);
    for (size_t j = 0; j < 3; j++) {
        float low = float_at(p, j), high = low;
        for (size_t k = 0; k < count; k++) {
            low = fminf(low, float_at(p, 3 * k + j));
            high = fmaxf(high, float_at(p, 3 * k + j));
        }
        assert_true(json_number(json_item(json_member(accessor, "min"), j)) == (double)low);
        assert_true(json_number(json_item(json_member(accessor, "max"), j)) == (double)high);
    }
}

static void test_space(void **state)
{
    (void)state;
    counting_allocator allocator = {0};
    carom_context *ctx = make_context(&allocator);
    carom_result *result = space_result(ctx);
    write_glb(ctx, result, 0.01);
    asset a = read_asset();
    check_times(&a, 0.01);
    assert_string_equal(text_at(a.root, "asset.version"), "2.0");
    assert_string_equal(text_at(a.root, "asset.extras.model"), "m");
    assert_true(number_at(a.root, "asset.extras.speed") == 0.01);
    /* the root turns z up to y up: -90 degrees about x */
    assert_true((float)number_at(a.root, "nodes.0.rotation.0") == (float)-sqrt(0.5));
    assert_true((float)number_at(a.root, "nodes.0.rotation.3") == (float)sqrt(0.5));

    size_t one, two, ground, shape, count;
    node_of(&a, "one", &one);
    node_of(&a, "two", &two);
    node_of(&a, "ground", &ground);
    const unsigned char *p = motion_of(&a, one, "translation", "VEC3", &count);
    assert_int_equal(count, DRAWN_FRAMES);
    size_t turns;
    const json *animation = json_get(a.root, "animations.0");
    assert_int_equal(json_size(json_member(animation, "channels")), 3); /* two does not turn, the ground stays */
    const unsigned char *q = motion_of(&a, one, "rotation", "VEC4", &turns);
    assert_non_null(q);
    assert_null(motion_of(&a, two, "rotation", "VEC4", &turns));
    assert_null(motion_of(&a, ground, "translation", "VEC3", &turns));
    for (int k = 0; k < DRAWN_FRAMES; k++) {
        double all[SPACE_WIDTH];
        space_frame(k, all);
        for (size_t j = 0; j < 3; j++)
            assert_true(float_at(p, 3 * (size_t)k + j) == (float)all[j]);
        for (size_t j = 0; j < 4; j++) /* x, y, z, w */
            assert_true(fabs((double)float_at(q, 4 * (size_t)k + j) - all[3 + (j + 1) % 4]) < 1e-7);
    }
    /* spheres of one radius share their data, not their material */
    assert_true(number_at(node_of(&a, "a", &shape), "translation.1") == 0.2);
    const json *own = primitive_of(&a, "a", 0), *twin = primitive_of(&a, "twin", 0), *other = primitive_of(&a, "b", 0);
    assert_true(number_at(own, "attributes.POSITION") == number_at(twin, "attributes.POSITION"));
    assert_true(number_at(own, "material") != number_at(twin, "material"));
    assert_true(number_at(other, "material") == number_at(twin, "material"));
    assert_true(number_at(own, "attributes.POSITION") != number_at(other, "attributes.POSITION"));
    check_bounds(&a, number_at(own, "attributes.POSITION"));
    check_bounds(&a, number_at(primitive_of(&a, "a", 1), "attributes.POSITION"));
    const unsigned char *points = accessor_at(&a, number_at(own, "attributes.POSITION"), "VEC3", FLOAT, 12, &count);
    for (size_t k = 0; k < count; k++) {
        double at[3] = {(double)float_at(points, 3 * k), (double)float_at(points, 3 * k + 1),
                        (double)float_at(points, 3 * k + 2)};
        assert_true(fabs(distance(at, (const double[]){0, 0, 0}) - 2) < 1e-6);
    }
    size_t corners;
    const unsigned char *index = accessor_at(&a, number_at(own, "indices"), "SCALAR", INDEX, 4, &corners);
    for (size_t k = 0; k < corners; k++)
        assert_true(word_at(index + 4 * k) < count);
    free_asset(&a);
    carom_result_close(result);
    carom_context_free(ctx);
    assert_int_equal(allocator.bytes, 0);
}

static void test_planar(void **state)
{
    (void)state;
    counting_allocator allocator = {0};
    carom_context *ctx = make_context(&allocator);
    carom_result *result = plane_result(ctx);
    write_glb(ctx, result, 1);
    asset a = read_asset();
    check_times(&a, 1);
    assert_true(number_at(a.root, "nodes.0.rotation.3") == 1);
    size_t one, count;
    node_of(&a, "one", &one);
    const unsigned char *p = motion_of(&a, one, "translation", "VEC3", &count);
    const unsigned char *q = motion_of(&a, one, "rotation", "VEC4", &count);
    for (int k = 0; k < DRAWN_FRAMES; k++) {
        double all[PLANE_WIDTH];
        plane_frame(k, all);
        const float want[3] = {(float)all[0], (float)all[1], 0};
        const float turn[4] = {0, 0, (float)sin(all[2] / 2), (float)cos(all[2] / 2)};
        for (size_t j = 0; j < 3; j++)
            assert_true(float_at(p, 3 * (size_t)k + j) == want[j]);
        for (size_t j = 0; j < 4; j++)
            assert_true(float_at(q, 4 * (size_t)k + j) == turn[j]);
    }
    /* the disc is filled and has lines; the floor is a line in the colour of the ground */
    assert_null(json_member(primitive_of(&a, "a", 0), "mode"));
    assert_int_equal(number_at(primitive_of(&a, "a", 1), "mode"), 1);
    const json *floor = primitive_of(&a, "floor", 0);
    assert_int_equal(number_at(floor, "mode"), 1);
    const json *material = item_at(a.root, "materials", number_at(floor, "material"));
    assert_string_equal(text_at(material, "name"), "ground");
    free_asset(&a);
    carom_result_close(result);
    carom_context_free(ctx);
    assert_int_equal(allocator.bytes, 0);
}

static void expect_refusal(carom_context *ctx, carom_result *result, double speed, const char *path,
                           carom_status status, const char *sentence)
{
    assert_int_equal(carom_result_write_gltf(result, speed, path), status);
    if (!strstr(carom_context_error(ctx), sentence))
        fail_msg("%s", carom_context_error(ctx));
}

static void test_refusals(void **state)
{
    (void)state;
    counting_allocator allocator = {0};
    carom_context *ctx = make_context(&allocator);
    carom_result *result = plane_result(ctx);
    remove(FILE_GLB);
    expect_refusal(ctx, result, 0, FILE_GLB, CAROM_ERROR_USAGE, "speed of the animation must be above 0");
    expect_refusal(ctx, result, HUGE_VAL, FILE_GLB, CAROM_ERROR_USAGE, "speed of the animation must be above 0");
    expect_refusal(ctx, result, 1e-300, FILE_GLB, CAROM_ERROR_USAGE, "too long for a glTF file");
    expect_refusal(ctx, result, 1, "", CAROM_ERROR_USAGE, "no file to write to");
    expect_refusal(ctx, result, 1, RESULT, CAROM_ERROR_USAGE, RESULT ": is the result itself");
    expect_refusal(ctx, result, 1, "nowhere/x.glb", CAROM_ERROR_IO, "nowhere/x.glb: cannot be written");
    carom_result_close(result);
    result = make_result(ctx, plane_text, "", plane_channels, CAROM_COUNT(plane_channels), PLANE_WIDTH, NULL);
    expect_refusal(ctx, result, 1, FILE_GLB, CAROM_ERROR_USAGE, "has no snapshots");
    carom_result_close(result);
    result = make_result(ctx, NULL, "", plane_channels, CAROM_COUNT(plane_channels), PLANE_WIDTH, plane_frame);
    expect_refusal(ctx, result, 1, FILE_GLB, CAROM_ERROR_USAGE, "no model text");
    carom_result_close(result);
    assert_false(exists(FILE_GLB));
    carom_context_free(ctx);
    assert_int_equal(allocator.bytes, 0);
}

/* Whatever allocation fails, no file is left and no memory. */
static void test_failing_memory(void **state)
{
    (void)state;
    counting_allocator a = {0};
    carom_context *ctx = make_context(&a);
    carom_result *result = space_result(ctx);
    size_t failures = 0;
    remove(FILE_GLB);
    for (size_t at = 1;; at++) {
        a.fail_at = a.calls + at;
        carom_status status = carom_result_write_gltf(result, 1, FILE_GLB);
        a.fail_at = 0;
        if (status == CAROM_OK)
            break;
        assert_int_equal(status, CAROM_ERROR_MEMORY);
        assert_false(exists(FILE_GLB));
        failures++;
    }
    print_message("%zu allocations failed in turn\n", failures);
    assert_true(failures > 10);
    carom_result_close(result);
    carom_context_free(ctx);
    assert_int_equal(a.bytes, 0);
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
