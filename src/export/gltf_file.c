/* The data of a glTF 2.0 file. Source: Khronos Group, glTF 2.0 Specification, sections 3.6 (binary data) and 4
   (GLB file format). */
#include "export/gltf_file.h"

#include <math.h>
#include <string.h>

enum { TYPE_INDEX = 5125, TYPE_FLOAT = 5126 };            /* component types: 32-bit unsigned, float */
enum { TARGET_VERTICES = 34962, TARGET_INDICES = 34963 }; /* what a view is for */
enum { MAGIC = 0x46546C67, CHUNK_JSON = 0x4E4F534A, CHUNK_BYTES = 0x004E4942 };

/* A 32-bit number with its lowest byte first, as the format wants it on every machine. */
static void append_word(carom_text *bytes, uint32_t word)
{
    char text[4];
    for (int k = 0; k < 4; k++)
        text[k] = (char)(word >> 8 * k & 0xff);
    carom_text_append_n(bytes, text, sizeof text);
}

/* ---- accessors ---- */

int carom_gltf_begin(carom_gltf_file *file, carom_gltf_view view, int components, bool bounded)
{
    if (file->failed || carom_grow(file->ctx, &file->accessors, &file->capacity, file->accessor_count + 1,
                                   sizeof *file->accessors) != CAROM_OK) {
        file->failed = true;
        return 0;
    }
    file->accessors[file->accessor_count] = (carom_gltf_accessor){
        .view = view, .offset = file->bytes[view].length, .components = components, .bounded = bounded};
    return (int)file->accessor_count++;
}

/* Appends one component to the accessor at work; gives its index among the accessor's, or SIZE_MAX after a failure. */
static size_t append_component(carom_gltf_file *file, uint32_t word)
{
    if (file->failed)
        return SIZE_MAX;
    carom_gltf_accessor *a = &file->accessors[file->accessor_count - 1];
    carom_text *bytes = &file->bytes[a->view];
    size_t index = (bytes->length - a->offset) / sizeof word;
    append_word(bytes, word);
    file->failed = bytes->failed;
    a->count = (index + 1) / (size_t)a->components;
    return file->failed ? SIZE_MAX : index;
}

void carom_gltf_float(carom_gltf_file *file, double value)
{
    const float number = (float)value;
    uint32_t word;
    memcpy(&word, &number, sizeof word);
    size_t index = append_component(file, word);
    if (index == SIZE_MAX)
        return;
    carom_gltf_accessor *a = &file->accessors[file->accessor_count - 1];
    const size_t components = (size_t)a->components, k = index % components;
    a->low[k] = index < components ? number : fminf(a->low[k], number);
    a->high[k] = index < components ? number : fmaxf(a->high[k], number);
}

void carom_gltf_index(carom_gltf_file *file, uint32_t index) { append_component(file, index); }

/* ---- the JSON part ---- */

static void write_bounds(carom_json *json, const char *key, const float *bounds, int count)
{
    double values[4];
    for (int k = 0; k < count; k++)
        values[k] = (double)bounds[k];
    carom_json_numbers(json, key, values, (size_t)count);
}

static void write_accessor(carom_json *json, const carom_gltf_accessor *a, int view)
{
    static const char *const types[] = {"", "SCALAR", "", "VEC3", "VEC4"};
    carom_json_begin(json, NULL, '{');
    carom_json_number(json, "bufferView", view);
    if (a->offset)
        carom_json_number(json, "byteOffset", (double)a->offset);
    carom_json_number(json, "componentType", a->view == CAROM_GLTF_INDICES ? TYPE_INDEX : TYPE_FLOAT);
    carom_json_number(json, "count", (double)a->count);
    carom_json_text(json, "type", types[a->components]);
    if (a->bounded) {
        write_bounds(json, "min", a->low, a->components);
        write_bounds(json, "max", a->high, a->components);
    }
    carom_json_end(json, '}');
}

static void write_views(const carom_gltf_file *file, carom_json *json)
{
    static const int targets[CAROM_GLTF_VIEWS] = {TARGET_VERTICES, TARGET_INDICES, 0};
    size_t offset = 0;
    carom_json_begin(json, "bufferViews", '[');
    for (int k = 0; k < CAROM_GLTF_VIEWS; k++) {
        size_t length = file->bytes[k].length;
        if (length == 0)
            continue;
        carom_json_begin(json, NULL, '{');
        carom_json_number(json, "buffer", 0);
        if (offset)
            carom_json_number(json, "byteOffset", (double)offset);
        carom_json_number(json, "byteLength", (double)length);
        if (k == CAROM_GLTF_VERTICES)
            carom_json_number(json, "byteStride", 3 * sizeof(float));
        if (targets[k])
            carom_json_number(json, "target", targets[k]);
        carom_json_end(json, '}');
        offset += length;
    }
    carom_json_end(json, ']');
    carom_json_begin(json, "buffers", '[');
    carom_json_begin(json, NULL, '{');
    carom_json_number(json, "byteLength", (double)offset);
    carom_json_end(json, '}');
    carom_json_end(json, ']');
}

void carom_gltf_tables(const carom_gltf_file *file, carom_json *json)
{
    /* empty views are left out, so the others move up */
    int place[CAROM_GLTF_VIEWS], count = 0;
    for (int k = 0; k < CAROM_GLTF_VIEWS; k++)
        place[k] = file->bytes[k].length ? count++ : -1;
    carom_json_begin(json, "accessors", '[');
    for (size_t k = 0; k < file->accessor_count; k++)
        write_accessor(json, &file->accessors[k], place[file->accessors[k].view]);
    carom_json_end(json, ']');
    write_views(file, json);
}

/* ---- the container ---- */

carom_status carom_gltf_save(const carom_gltf_file *file, const carom_json *json, const char *path)
{
    static const char blanks[] = "   ";
    if (file->failed || json->text.failed)
        return carom_fail_memory(file->ctx);
    uint64_t text = (json->text.length + 3) / 4 * 4, bytes = 0;
    for (int k = 0; k < CAROM_GLTF_VIEWS; k++)
        bytes += file->bytes[k].length;
    const uint64_t total = 12 + 8 + text + 8 + bytes;
    if (total > UINT32_MAX)
        return carom_fail(file->ctx, CAROM_ERROR_USAGE, NULL,
                          "%s: would have more than 4 GiB, the most of a glTF file; run the model with fewer rows",
                          path);
    carom_text head = {.ctx = file->ctx}, middle = {.ctx = file->ctx};
    const uint32_t words[] = {MAGIC, 2, (uint32_t)total, (uint32_t)text, CHUNK_JSON, (uint32_t)bytes, CHUNK_BYTES};
    for (size_t k = 0; k < CAROM_COUNT(words); k++)
        append_word(k < 5 ? &head : &middle, words[k]);
    carom_save save;
    carom_status status =
        head.failed || middle.failed ? carom_fail_memory(file->ctx) : carom_save_begin(file->ctx, path, &save);
    if (status == CAROM_OK) {
        carom_save_bytes(&save, head.data, head.length);
        carom_save_bytes(&save, json->text.data, json->text.length);
        carom_save_bytes(&save, blanks, (size_t)(text - json->text.length));
        carom_save_bytes(&save, middle.data, middle.length);
        for (int k = 0; k < CAROM_GLTF_VIEWS; k++)
            if (file->bytes[k].length)
                carom_save_bytes(&save, file->bytes[k].data, file->bytes[k].length);
        status = carom_save_end(&save, CAROM_OK);
    }
    carom_text_clear(&head);
    carom_text_clear(&middle);
    return status;
}

void carom_gltf_free(carom_gltf_file *file)
{
    for (int k = 0; k < CAROM_GLTF_VIEWS; k++)
        carom_text_clear(&file->bytes[k]);
    carom_release(file->ctx, file->accessors, file->capacity, sizeof *file->accessors);
}
