/* Arrays as a MAT-file of level 5, uncompressed, as "MAT-File Format" of The MathWorks describes it: a header of 128
   bytes, then one miMATRIX element a variable. An element is a tag (type, bytes), its data, and zeros up to a multiple
   of 8 bytes; up to 4 bytes of data stand in the tag itself. Everything is little-endian, arrays are column by
   column. */
#include "export/mat_file.h"

#include <stdio.h>
#include <string.h>

#include "export/save.h"

#define HEADER_BYTES 128
#define HEADER_TEXT 116            /* the text, without the offset, version and byte order behind it */
#define SHORT_NAME_BYTES 32        /* in structs with short names only */
#define VARIABLE_LIMIT 0x7fffffffu /* bytes of a variable that MATLAB reads */

enum { MI_INT8 = 1, MI_UINT16 = 4, MI_INT32 = 5, MI_UINT32 = 6, MI_DOUBLE = 9, MI_MATRIX = 14 };

/* ---- names ---- */

/* The words that are no names in MATLAB. */
static bool is_keyword(const char *name)
{
    static const char *const words[] = {
        "break",  "case", "catch",     "classdef", "continue",   "else",   "elseif", "end",    "for", "function",
        "global", "if",   "otherwise", "parfor",   "persistent", "return", "spmd",   "switch", "try", "while"};
    for (size_t k = 0; k < CAROM_COUNT(words); k++)
        if (strcmp(name, words[k]) == 0)
            return true;
    return false;
}

static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

void carom_mat_name(char out[CAROM_MAT_NAME], const char *prefix, const char *name)
{
    char text[2 * CAROM_MAT_NAME];
    size_t length = (size_t)snprintf(text, sizeof text, "%s", prefix);
    for (const char *p = name; *p && length < CAROM_MAT_NAME; p++) {
        if (((unsigned char)*p & 0xc0) == 0x80)
            continue; /* not the first byte of a character */
        text[length++] = is_letter(*p) || (*p >= '0' && *p <= '9') ? *p : '_';
    }
    text[length] = '\0';
    bool valid = is_letter(text[0]) && !is_keyword(text);
    snprintf(out, CAROM_MAT_NAME, "%s%.*s", valid ? "" : "x_", valid ? CAROM_MAT_NAME - 1 : CAROM_MAT_NAME - 3, text);
}

/* ---- arrays ---- */

carom_status carom_mat_reserve(carom_arena *arena, carom_mat_array *array, size_t count)
{
    array->items = carom_arena_alloc(arena, count, sizeof *array->items);
    array->capacity = count;
    return array->items ? CAROM_OK : carom_fail_memory(arena->ctx);
}

carom_mat_array *carom_mat_add(carom_mat_array *to, carom_mat_class class, const char *name)
{
    carom_mat_array *item = &to->items[to->count++];
    item->class = class;
    snprintf(item->name, sizeof item->name, "%s", name);
    return item;
}

void carom_mat_add_text(carom_mat_array *to, const char *name, const char *text)
{
    carom_mat_add(to, CAROM_MX_CHAR, name)->text = text ? text : "";
}

carom_mat_array *carom_mat_add_numbers(carom_arena *arena, carom_mat_array *to, const char *name, size_t rows,
                                       size_t columns)
{
    const double **list = carom_arena_alloc(arena, columns, sizeof *list);
    if (!list)
        return NULL;
    carom_mat_array *item = carom_mat_add(to, CAROM_MX_DOUBLE, name);
    item->rows = rows;
    item->column_count = columns;
    item->columns = list;
    return item;
}

/* ---- sizes ---- */

static uint64_t padded(uint64_t bytes) { return (bytes + 7) / 8 * 8; }

/* Bytes of an element in the file, with its tag. */
static uint64_t element_bytes(uint64_t bytes) { return bytes && bytes <= 4 ? 8 : 8 + padded(bytes); }

/* Next character of UTF-8 text as one or two UTF-16 units; U+FFFD for what is no UTF-8. Returns their number. */
static int next_units(const char **text, uint16_t units[2])
{
    const unsigned char *p = (const unsigned char *)*text;
    int more = p[0] < 0x80                   ? 0
               : p[0] >= 0xc2 && p[0] < 0xe0 ? 1
               : (p[0] & 0xf0) == 0xe0       ? 2
               : p[0] >= 0xf0 && p[0] < 0xf5 ? 3
                                             : -1;
    static const uint32_t least[] = {0, 0x80, 0x800, 0x10000};
    uint32_t code = more <= 0 ? p[0] : p[0] & (0x3fu >> more);
    int k = 1;
    for (; k <= more && (p[k] & 0xc0) == 0x80; k++)
        code = code << 6 | (p[k] & 0x3fu);
    if (more < 0 || k <= more || code < least[more] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) {
        *text += 1;
        units[0] = 0xfffd;
        return 1;
    }
    *text += k;
    if (code < 0x10000) {
        units[0] = (uint16_t)code;
        return 1;
    }
    units[0] = (uint16_t)(0xd7c0 + (code >> 10));
    units[1] = (uint16_t)(0xdc00 + (code & 0x3ff));
    return 2;
}

static uint64_t text_units(const char *text)
{
    uint64_t count = 0;
    uint16_t units[2];
    while (*text)
        count += (uint64_t)next_units(&text, units);
    return count;
}

static size_t field_name_bytes(const carom_mat_array *a)
{
    for (size_t k = 0; k < a->count; k++)
        if (strlen(a->items[k].name) >= SHORT_NAME_BYTES)
            return CAROM_MAT_NAME;
    return SHORT_NAME_BYTES;
}

/* Bytes of an array behind its tag; `name_bytes`: of the name that stands in it, 0 in structs and cells. */
static uint64_t array_bytes(const carom_mat_array *a, size_t name_bytes)
{
    uint64_t bytes = element_bytes(8) + element_bytes(8) + element_bytes(name_bytes);
    if (a->class == CAROM_MX_DOUBLE)
        return bytes + element_bytes((uint64_t)a->rows * a->column_count * 8);
    if (a->class == CAROM_MX_CHAR)
        return bytes + element_bytes(2 * text_units(a->text));
    if (a->class == CAROM_MX_STRUCT)
        bytes += element_bytes(4) + element_bytes((uint64_t)a->count * field_name_bytes(a));
    for (size_t k = 0; k < a->count; k++)
        bytes += 8 + array_bytes(&a->items[k], 0);
    return bytes;
}

/* ---- writing ---- */

static void put(carom_save *out, const void *bytes, size_t length) { carom_save_bytes(out, bytes, length); }

static void put_integer(carom_save *out, uint64_t value, size_t bytes)
{
    unsigned char text[8];
    for (size_t k = 0; k < bytes; k++)
        text[k] = (unsigned char)(value >> 8 * k & 0xff);
    put(out, text, bytes);
}

/* The tag of an element; of a small one it is half as long. */
static void put_tag(carom_save *out, uint32_t type, uint64_t bytes)
{
    bool small = bytes && bytes <= 4;
    put_integer(out, small ? type | bytes << 16 : type, 4);
    if (!small)
        put_integer(out, bytes, 4);
}

/* Zeros behind the data of an element. */
static void put_padding(carom_save *out, uint64_t bytes)
{
    bool small = bytes && bytes <= 4;
    put_integer(out, 0, (size_t)(small ? 4 - bytes : padded(bytes) - bytes));
}

static void put_numbers(carom_save *out, const carom_mat_array *a)
{
    put_tag(out, MI_DOUBLE, (uint64_t)a->rows * a->column_count * 8);
    for (size_t i = 0; i < a->column_count; i++)
        for (size_t k = 0; k < a->rows && !out->error; k++) {
            uint64_t bits;
            memcpy(&bits, &a->columns[i][k], sizeof bits);
            put_integer(out, bits, 8);
        }
}

static void put_text(carom_save *out, const char *text)
{
    uint64_t bytes = 2 * text_units(text);
    put_tag(out, MI_UINT16, bytes);
    while (*text && !out->error) {
        uint16_t units[2];
        int count = next_units(&text, units);
        for (int k = 0; k < count; k++)
            put_integer(out, units[k], 2);
    }
    put_padding(out, bytes);
}

static void put_field_names(carom_save *out, const carom_mat_array *a)
{
    size_t length = field_name_bytes(a);
    put_tag(out, MI_INT32, 4);
    put_integer(out, length, 4);
    put_tag(out, MI_INT8, (uint64_t)a->count * length);
    for (size_t k = 0; k < a->count; k++) {
        char name[CAROM_MAT_NAME] = "";
        memcpy(name, a->items[k].name, strlen(a->items[k].name));
        put(out, name, length);
    }
}

static void put_array(carom_save *out, const carom_mat_array *a, const char *name)
{
    uint64_t rows = a->rows, columns = a->column_count;
    if (a->class == CAROM_MX_CHAR) {
        columns = text_units(a->text);
        rows = columns > 0;
    } else if (a->class != CAROM_MX_DOUBLE) {
        rows = a->class == CAROM_MX_CELL ? a->count : 1;
        columns = 1;
    }
    put_tag(out, MI_MATRIX, array_bytes(a, strlen(name)));
    put_tag(out, MI_UINT32, 8);
    put_integer(out, a->class, 8);
    put_tag(out, MI_INT32, 8);
    put_integer(out, rows, 4);
    put_integer(out, columns, 4);
    put_tag(out, MI_INT8, strlen(name));
    put(out, name, strlen(name));
    put_padding(out, strlen(name));
    if (a->class == CAROM_MX_DOUBLE)
        put_numbers(out, a);
    else if (a->class == CAROM_MX_CHAR)
        put_text(out, a->text);
    else if (a->class == CAROM_MX_STRUCT)
        put_field_names(out, a);
    for (size_t k = 0; k < a->count && !out->error; k++)
        put_array(out, &a->items[k], "");
}

static void put_file(carom_save *out, const carom_mat_array *variables)
{
    char header[HEADER_BYTES + 1];
    char text[HEADER_TEXT + 1];
    snprintf(text, sizeof text, "MATLAB 5.0 MAT-file, written by Carom %s", carom_version());
    snprintf(header, sizeof header, "%-*s", HEADER_BYTES, text);
    memset(header + HEADER_TEXT, 0, 8);
    memcpy(header + HEADER_TEXT + 8, "\0\1IM", 4);
    put(out, header, HEADER_BYTES);
    for (size_t k = 0; k < variables->count; k++)
        put_array(out, &variables->items[k], variables->items[k].name);
}

static carom_status check_sizes(carom_context *ctx, const carom_mat_array *variables)
{
    for (size_t k = 0; k < variables->count; k++) {
        const carom_mat_array *a = &variables->items[k];
        if (array_bytes(a, strlen(a->name)) > VARIABLE_LIMIT)
            return carom_fail(
                ctx, CAROM_ERROR_USAGE, NULL,
                "'%s' has more than 2 GiB, the largest variable of a MAT-file of level 5; read the result "
                "with h5read, or export its components one by one",
                a->name);
    }
    return CAROM_OK;
}

carom_status carom_mat_save(carom_context *ctx, const carom_mat_array *variables, const char *path)
{
    carom_save out;
    CAROM_TRY(check_sizes(ctx, variables));
    CAROM_TRY(carom_save_begin(ctx, path, &out));
    put_file(&out, variables);
    return carom_save_end(&out, CAROM_OK);
}
