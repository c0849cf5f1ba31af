/* Arrays of MAT-files of level 5, also compressed: full real matrices of numbers, and those that are fields of structs.
   "MAT-File Format", The MathWorks. */
#include "export/arrays.h"

#include <stdio.h>
#include <zlib.h>

#define HEADER_BYTES 128
#define MOST_BYTES ((size_t)1 << 30)
#define DEPTH 8
#define NAME_BYTES 256

enum {
    MI_INT8 = 1,
    MI_UINT8,
    MI_INT16,
    MI_UINT16,
    MI_INT32,
    MI_UINT32,
    MI_SINGLE,
    MI_DOUBLE = 9,
    MI_INT64 = 12,
    MI_UINT64,
    MI_MATRIX,
    MI_COMPRESSED
};
enum { MX_STRUCT = 2, MX_DOUBLE = 6, MX_UINT64 = 15 };

typedef struct mat {
    carom_context *ctx;
    carom_found_arrays *list;
    const char *path;
    bool swapped; /* the other byte order */
} mat;

/* A part of the file that is read from its beginning on. */
typedef struct span {
    const unsigned char *at;
    size_t left;
} span;

typedef struct element {
    uint32_t type;
    span data;
} element;

static carom_status damaged(const mat *m)
{
    return carom_fail(m->ctx, CAROM_ERROR_IO, NULL, "%s: is no MAT-file, or damaged; save it anew, as by save -v7",
                      m->path);
}

/* ---- bytes ---- */

static uint32_t read_u32(const mat *m, const unsigned char *p)
{
    const uint32_t b[4] = {p[0], p[1], p[2], p[3]};
    return m->swapped ? b[0] << 24 | b[1] << 16 | b[2] << 8 | b[3] : b[3] << 24 | b[2] << 16 | b[1] << 8 | b[0];
}

/* Takes the next element off; false at the end, or where it is cut. */
static bool next_element(const mat *m, span *s, element *out)
{
    if (s->left < 8)
        return false;
    const uint32_t first = read_u32(m, s->at), second = read_u32(m, s->at + 4);
    if (first >> 16) {
        /* up to four bytes of data in the tag itself */
        out->type = first & 0xffff;
        out->data = (span){s->at + 4, first >> 16};
        s->at += 8;
        s->left -= 8;
        return out->data.left <= 4;
    }
    out->type = first;
    out->data = (span){s->at + 8, second};
    if (second > s->left - 8)
        return false;
    size_t whole = 8 + (size_t)second;
    if (out->type != MI_COMPRESSED)
        whole = (whole + 7) / 8 * 8;
    whole = whole < s->left ? whole : s->left;
    s->at += whole;
    s->left -= whole;
    return true;
}

/* Size of a number of a type in bytes; 0: it is none. */
static size_t size_of(uint32_t type)
{
    static const size_t sizes[] = {0, 1, 1, 2, 2, 4, 4, 4, 0, 8, 0, 0, 8, 8};
    return type < CAROM_COUNT(sizes) ? sizes[type] : 0;
}

static double read_number(const mat *m, uint32_t type, const unsigned char *p)
{
    unsigned char b[8];
    const size_t size = size_of(type);
    for (size_t k = 0; k < size; k++)
        b[k] = p[m->swapped ? size - 1 - k : k];
    uint64_t bits = 0;
    for (size_t k = 0; k < size; k++)
        bits |= (uint64_t)b[k] << (8 * k);
    float single;
    double number;
    const uint32_t low = (uint32_t)bits;
    switch (type) {
    case MI_INT8:
        return (int8_t)bits;
    case MI_INT16:
        return (int16_t)bits;
    case MI_INT32:
        return (int32_t)bits;
    case MI_INT64:
        return (double)(int64_t)bits;
    case MI_SINGLE:
        memcpy(&single, &low, sizeof single);
        return (double)single;
    case MI_DOUBLE:
        memcpy(&number, &bits, sizeof number);
        return number;
    default:
        return (double)bits;
    }
}

/* ---- arrays ---- */

static carom_status add_numbers(mat *m, const char *name, size_t rows, size_t columns, const element *data)
{
    const size_t size = size_of(data->type);
    if (size == 0 || rows == 0 || columns == 0)
        return CAROM_OK;
    if (columns > data->data.left / size / rows)
        return damaged(m);
    double *values = carom_arena_alloc(m->list->arena, rows * columns, sizeof *values);
    if (!values)
        return carom_fail_memory(m->ctx);
    for (size_t k = 0; k < rows * columns; k++)
        values[k] = read_number(m, data->type, data->data.at + k * size);
    const carom_found_array array = {.name = carom_arena_text(m->list->arena, name),
                                     .unit = "",
                                     .rows = rows == 1 ? columns : rows,
                                     .columns = rows == 1 ? 1 : columns,
                                     .values = values};
    return array.name ? carom_found_add(m->list, &array) : carom_fail_memory(m->ctx);
}

static carom_status read_matrix(mat *m, span s, const char *given, int depth);

/* The fields of one struct: their names stand side by side, then come their values. */
static carom_status read_fields(mat *m, span *s, int depth)
{
    element length, names, value;
    if (!next_element(m, s, &length) || length.data.left < 4 || !next_element(m, s, &names))
        return damaged(m);
    const size_t size = read_u32(m, length.data.at);
    if (size == 0 || size >= NAME_BYTES)
        return damaged(m);
    for (size_t k = 0; k < names.data.left / size; k++) {
        char name[NAME_BYTES];
        snprintf(name, sizeof name, "%.*s", (int)size, (const char *)names.data.at + k * size);
        if (!next_element(m, s, &value))
            return damaged(m);
        if (value.type == MI_MATRIX)
            CAROM_TRY(read_matrix(m, value.data, name, depth + 1));
    }
    return CAROM_OK;
}

static carom_status read_matrix(mat *m, span s, const char *given, int depth)
{
    element flags, size, name, data;
    char text[NAME_BYTES];
    if (s.left == 0 || depth > DEPTH)
        return CAROM_OK;
    if (!next_element(m, &s, &flags) || flags.data.left < 8 || !next_element(m, &s, &size) ||
        !next_element(m, &s, &name))
        return damaged(m);
    const uint32_t class = read_u32(m, flags.data.at) & 0xff;
    const bool complex = read_u32(m, flags.data.at) & 0x800;
    if (size.data.left != 8 || complex)
        return CAROM_OK;
    const size_t rows = read_u32(m, size.data.at), columns = read_u32(m, size.data.at + 4);
    snprintf(text, sizeof text, "%.*s", (int)(name.data.left < NAME_BYTES ? name.data.left : NAME_BYTES - 1),
             (const char *)name.data.at);
    if (class == MX_STRUCT && rows == 1 && columns == 1)
        return read_fields(m, &s, depth);
    if (class < MX_DOUBLE || class > MX_UINT64 || rows == 0 || columns == 0)
        return CAROM_OK;
    return next_element(m, &s, &data) ? add_numbers(m, given ? given : text, rows, columns, &data) : damaged(m);
}

/* ---- the file ---- */

/* What is packed becomes an element of its own. */
static carom_status read_packed(mat *m, span packed)
{
    z_stream z = {.next_in = (Bytef *)packed.at, .avail_in = (uInt)packed.left};
    unsigned char head[8];
    if (inflateInit(&z) != Z_OK)
        return carom_fail_memory(m->ctx);
    z.next_out = head;
    z.avail_out = sizeof head;
    int code = inflate(&z, Z_SYNC_FLUSH);
    const size_t length = z.avail_out == 0 ? read_u32(m, head + 4) : 0;
    unsigned char *bytes = (code == Z_OK || code == Z_STREAM_END) && length > 0 && length < MOST_BYTES
                               ? carom_allocate(m->ctx, length, 1)
                               : NULL;
    carom_status status = bytes ? CAROM_OK : damaged(m);
    if (bytes) {
        z.next_out = bytes;
        z.avail_out = (uInt)length;
        (void)inflate(&z, Z_FINISH); /* what is missing tells */
        if (z.avail_out != 0)
            status = damaged(m);
        else if (read_u32(m, head) == MI_MATRIX)
            status = read_matrix(m, (span){bytes, length}, NULL, 0);
    }
    inflateEnd(&z);
    carom_release(m->ctx, bytes, length, 1);
    return status;
}

carom_status carom_found_in_mat(carom_context *ctx, const char *path, carom_found_arrays *list)
{
    mat m = {.ctx = ctx, .list = list, .path = path};
    carom_text text = {.ctx = ctx};
    carom_status status = carom_text_read(&text, path, MOST_BYTES);
    const unsigned char *bytes = (const unsigned char *)text.data;
    if (status == CAROM_OK && (text.length < HEADER_BYTES || text.length > MOST_BYTES ||
                               (memcmp(bytes + 126, "IM", 2) != 0 && memcmp(bytes + 126, "MI", 2) != 0)))
        status = damaged(&m);
    if (status == CAROM_OK) {
        span s = {bytes + HEADER_BYTES, text.length - HEADER_BYTES};
        element e;
        m.swapped = bytes[126] == 'M';
        while (status == CAROM_OK && next_element(&m, &s, &e))
            status = e.type == MI_COMPRESSED ? read_packed(&m, e.data)
                     : e.type == MI_MATRIX   ? read_matrix(&m, e.data, NULL, 0)
                                             : CAROM_OK;
        if (status == CAROM_OK && s.left >= 8)
            status = damaged(&m);
    }
    carom_text_clear(&text);
    return status;
}
