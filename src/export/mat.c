/* A result as a MAT-file of level 5, uncompressed, as "MAT-File Format" of The MathWorks describes it: a header of 128
   bytes, then one miMATRIX element a variable. An element is a tag (type, bytes), its data, and zeros up to a multiple
   of 8 bytes; up to 4 bytes of data stand in the tag itself. Everything is little-endian, arrays are column by column.
   The variables are listed in docs/results.md. */
#include "carom/export.h"
#include "result/h5.h"

#include <stdio.h>
#include <string.h>

#include "export/save.h"

#define HEADER_BYTES 128
#define HEADER_TEXT 116            /* the text, without the offset, version and byte order behind it */
#define NAME_BYTES 64              /* of a name of 63 characters, MATLAB's limit, and its NUL */
#define SHORT_NAME_BYTES 32        /* in structs with short names only */
#define VARIABLE_LIMIT 0x7fffffffu /* bytes of a variable that MATLAB reads */

enum { MI_INT8 = 1, MI_UINT16 = 4, MI_INT32 = 5, MI_UINT32 = 6, MI_DOUBLE = 9, MI_MATRIX = 14 };

typedef enum mat_class { MX_CELL = 1, MX_STRUCT = 2, MX_CHAR = 4, MX_DOUBLE = 6 } mat_class;

/* One array: numbers (`columns[k]` has `rows` of them), a text, or the cells (rows x 1) or fields (1 x 1) `items`. */
typedef struct mat_array {
    mat_class class;
    char name[NAME_BYTES]; /* of the variable or field; empty in a cell */
    size_t rows, column_count;
    const double **columns;
    const char *text; /* UTF-8 */
    struct mat_array *items;
    size_t count, capacity; /* of the items; room is made once, before the first */
} mat_array;

typedef struct mat_file {
    carom_result *result;
    carom_context *ctx;
    carom_arena arena;
    mat_array root, units, names; /* the variables, and the structs of texts that go with them */
    carom_names taken;            /* of the variables */
    carom_names bases;            /* their names before a number was added, */
    size_t *uses;                 /* and how many variables had each */
    size_t base_count;
    carom_save out;
} mat_file;

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

/* Prefix and name with each character that a variable may not have as '_', cut; "x_" before what would be no name. */
static void make_name(char out[NAME_BYTES], const char *prefix, const char *name)
{
    char text[2 * NAME_BYTES];
    size_t length = (size_t)snprintf(text, sizeof text, "%s", prefix);
    for (const char *p = name; *p && length < NAME_BYTES; p++) {
        if (((unsigned char)*p & 0xc0) == 0x80)
            continue; /* not the first byte of a character */
        text[length++] = is_letter(*p) || (*p >= '0' && *p <= '9') ? *p : '_';
    }
    text[length] = '\0';
    bool valid = is_letter(text[0]) && !is_keyword(text);
    snprintf(out, NAME_BYTES, "%s%.*s", valid ? "" : "x_", valid ? NAME_BYTES - 1 : NAME_BYTES - 3, text);
}

/* Name of the next variable: with a number behind it if the name is taken. */
static carom_status make_unique(mat_file *m, char out[NAME_BYTES], const char *prefix, const char *name)
{
    make_name(out, prefix, name);
    const char *base = carom_arena_text(&m->arena, out);
    if (!base)
        return carom_fail_memory(m->ctx);
    if (carom_names_add(&m->bases, base, (int)m->base_count))
        m->base_count++;
    size_t *uses = &m->uses[carom_names_find(&m->bases, base)];
    ++*uses;
    for (size_t number = *uses > 1 ? *uses : 2; carom_names_find(&m->taken, out) >= 0; number++) {
        char ending[24];
        int length = snprintf(ending, sizeof ending, "_%zu", number);
        snprintf(out, NAME_BYTES, "%.*s%s", NAME_BYTES - 1 - length, base, ending);
    }
    return CAROM_OK;
}

/* ---- arrays ---- */

static carom_status reserve(mat_file *m, mat_array *array, size_t count)
{
    array->items = carom_arena_alloc(&m->arena, count, sizeof *array->items);
    array->capacity = count;
    return array->items ? CAROM_OK : carom_fail_memory(m->ctx);
}

static mat_array *add_item(mat_array *to, mat_class class, const char *name)
{
    mat_array *item = &to->items[to->count++];
    item->class = class;
    snprintf(item->name, sizeof item->name, "%s", name);
    return item;
}

static void add_text(mat_array *to, const char *name, const char *text)
{
    add_item(to, MX_CHAR, name)->text = text ? text : "";
}

/* Adds an array of numbers whose columns the caller sets; NULL when out of memory. */
static mat_array *add_numbers(mat_file *m, mat_array *to, const char *name, size_t rows, size_t columns)
{
    const double **list = carom_arena_alloc(&m->arena, columns, sizeof *list);
    if (!list)
        return NULL;
    mat_array *item = add_item(to, MX_DOUBLE, name);
    item->rows = rows;
    item->column_count = columns;
    item->columns = list;
    return item;
}

/* ---- the variables ---- */

static carom_status add_times(mat_file *m, int group, const char *name)
{
    size_t rows;
    const double *time = carom_result_times(m->result, group, &rows);
    mat_array *array = add_numbers(m, &m->root, name, rows, 1);
    if (!array)
        return carom_fail_memory(m->ctx);
    array->columns[0] = time;
    add_text(&m->units, name, "s");
    return CAROM_OK;
}

/* One component of a channel, or all for -1, as variable; `name` is the channel's with that component. */
static carom_status add_channel(mat_file *m, size_t channel, int component, const char *name)
{
    size_t count, rows;
    const carom_channel *c = &carom_result_channels(m->result, &count)[channel];
    int first = component < 0 ? 0 : component, last = component < 0 ? c->size - 1 : component;
    char variable[NAME_BYTES];
    carom_result_times(m->result, c->group, &rows);
    static const char *const prefixes[CAROM_H5_GROUPS] = {"", "steps_", "snapshots_"};
    CAROM_TRY(make_unique(m, variable, prefixes[c->group], name));
    mat_array *array = add_numbers(m, &m->root, variable, rows, (size_t)(last - first + 1));
    if (!array)
        return carom_fail_memory(m->ctx);
    for (int k = first; k <= last; k++)
        CAROM_TRY(carom_result_values(m->result, channel, k, &array->columns[k - first]));
    carom_names_add(&m->taken, array->name, 0);
    add_text(&m->units, variable, c->unit);
    add_text(&m->names, variable, name);
    return CAROM_OK;
}

/* The channels asked for, from all groups that have one; all for count 0. */
static carom_status add_channels(mat_file *m, const char *const *names, size_t count)
{
    size_t channels;
    const carom_channel *list = carom_result_channels(m->result, &channels);
    for (size_t k = 0; !count && k < channels; k++)
        CAROM_TRY(add_channel(m, k, -1, list[k].name));
    for (size_t k = 0; k < count; k++) {
        for (int group = 0; group < CAROM_H5_GROUPS; group++) {
            size_t found;
            int component;
            CAROM_TRY(carom_result_find(m->result, group, names[k], &found, &component));
            if (list[found].group == group)
                CAROM_TRY(add_channel(m, found, component, names[k]));
        }
    }
    return CAROM_OK;
}

/* Adds a struct of `count` fields as variable, and one of their units to `units`. */
static carom_status add_struct(mat_file *m, const char *name, size_t count, mat_array **out, mat_array **units)
{
    *out = add_item(&m->root, MX_STRUCT, name);
    *units = add_item(&m->units, MX_STRUCT, name);
    CAROM_TRY(reserve(m, *out, count));
    return reserve(m, *units, count);
}

/* A struct of columns from rows of structs. */
static carom_status add_rows(mat_file *m, const char *name, const carom_field *fields, size_t field_count,
                             const void *rows, size_t size, size_t count)
{
    mat_array *table, *units, *column;
    CAROM_TRY(add_struct(m, name, field_count, &table, &units));
    for (size_t i = 0; i < field_count; i++) {
        const carom_field *field = &fields[i];
        const char *at = (const char *)rows + field->offset;
        add_text(units, field->name, field->unit);
        if (field->type == CAROM_FIELD_TEXT) {
            column = add_item(table, MX_CELL, field->name);
            CAROM_TRY(reserve(m, column, count));
            for (size_t k = 0; k < count; k++) {
                const char *text;
                memcpy(&text, at + k * size, sizeof text);
                add_text(column, "", text);
            }
            continue;
        }
        double *values = carom_arena_alloc(&m->arena, count, sizeof *values);
        column = add_numbers(m, table, field->name, count, 1);
        if (!values || !column)
            return carom_fail_memory(m->ctx);
        column->columns[0] = values;
        for (size_t k = 0; k < count; k++) {
            size_t index = 0;
            memcpy(&index, at + k * size, sizeof index);
            values[k] = field->type == CAROM_FIELD_INDEX ? (double)index
                                                         : carom_field_number(field, (const char *)rows + k * size);
        }
    }
    return CAROM_OK;
}

static carom_status add_impacts(mat_file *m)
{
    size_t impacts, rests;
    const carom_impact *impact = carom_result_impacts(m->result, &impacts);
    const carom_rest *rest = carom_result_rests(m->result, &rests);
    CAROM_TRY(add_rows(m, "impacts", carom_impact_field, CAROM_IMPACT_FIELDS, impact, sizeof *impact, impacts));
    return add_rows(m, "rests", carom_rest_field, CAROM_REST_FIELDS, rest, sizeof *rest, rests);
}

static carom_status add_events(mat_file *m)
{
    size_t count;
    const carom_fired_event *events = carom_result_events(m->result, &count);
    static const char *const names[] = {"name", "kind", "action"};
    mat_array *table, *units, *column;
    CAROM_TRY(add_struct(m, "events", 7, &table, &units));
    static const char *const numbers[] = {"time", "energy", "rate", "peak"},
                             *const unit[] = {"s", "J", "m/s or rad/s", "N or N m"};
    for (int i = 0; i < 4; i++) {
        double *values = carom_arena_alloc(&m->arena, count, sizeof *values);
        column = add_numbers(m, table, numbers[i], count, 1);
        if (!values || !column)
            return carom_fail_memory(m->ctx);
        column->columns[0] = values;
        for (size_t k = 0; k < count; k++)
            values[k] = i == 0   ? events[k].time
                        : i == 1 ? events[k].energy
                        : i == 2 ? events[k].rate
                                 : events[k].peak;
        add_text(units, numbers[i], unit[i]);
    }
    for (size_t i = 0; i < CAROM_COUNT(names); i++) {
        column = add_item(table, MX_CELL, names[i]);
        CAROM_TRY(reserve(m, column, count));
        for (size_t k = 0; k < count; k++)
            add_text(column, "", i == 0 ? events[k].event : i == 1 ? events[k].kind : events[k].action);
        add_text(units, names[i], "");
    }
    return CAROM_OK;
}

static carom_status add_ledger(mat_file *m)
{
    mat_array *table, *units, *field;
    carom_ledger *ledger = carom_arena_alloc(&m->arena, 1, sizeof *ledger);
    if (!ledger)
        return carom_fail_memory(m->ctx);
    carom_result_ledger(m->result, ledger);
    CAROM_TRY(add_struct(m, "ledger", CAROM_LEDGER_FIELDS, &table, &units));
    for (size_t i = 0; i < CAROM_LEDGER_FIELDS; i++) {
        field = add_numbers(m, table, carom_ledger_field[i].name, 1, 1);
        if (!field)
            return carom_fail_memory(m->ctx);
        field->columns[0] = (const double *)(const void *)((const char *)ledger + carom_ledger_field[i].offset);
        add_text(units, carom_ledger_field[i].name, carom_ledger_field[i].unit);
    }
    return CAROM_OK;
}

static carom_status collect(mat_file *m, const char *const *names, size_t count)
{
    enum { FIXED = 16 }; /* variables that are no channels */
    const carom_result *r = m->result;
    size_t channels;
    carom_result_channels(r, &channels);
    size_t most = (count ? CAROM_H5_GROUPS * count : channels) + FIXED;
    CAROM_TRY(reserve(m, &m->root, most));
    CAROM_TRY(reserve(m, &m->units, most));
    CAROM_TRY(reserve(m, &m->names, most));
    m->uses = carom_arena_alloc(&m->arena, most, sizeof *m->uses);
    if (!m->uses)
        return carom_fail_memory(m->ctx);
    CAROM_TRY(carom_names_create(&m->arena, most, &m->taken));
    CAROM_TRY(carom_names_create(&m->arena, most, &m->bases));
    m->units.class = m->names.class = MX_STRUCT;
    snprintf(m->units.name, NAME_BYTES, "units");
    snprintf(m->names.name, NAME_BYTES, "names");
    add_text(&m->root, "model_name", carom_result_model_name(r));
    add_text(&m->root, "title", carom_result_title(r));
    add_text(&m->root, "model_text", carom_result_model_text(r));
    add_text(&m->root, "options", carom_result_options(r));
    add_text(&m->root, "methods", carom_result_methods(r));
    add_text(&m->root, "status", carom_result_status(r));
    add_text(&m->root, "version", carom_result_version(r));
    CAROM_TRY(add_times(m, 0, "time"));
    CAROM_TRY(add_times(m, 1, "steps_time"));
    CAROM_TRY(add_times(m, 2, "snapshots_time"));
    CAROM_TRY(add_impacts(m));
    CAROM_TRY(add_events(m));
    CAROM_TRY(add_ledger(m));
    /* their places are taken now, so that no channel gets their names, and filled when the channels are known */
    size_t units = m->root.count, fields = units + 1;
    add_item(&m->root, MX_STRUCT, "units");
    add_item(&m->root, MX_STRUCT, "names");
    for (size_t k = 0; k < m->root.count; k++)
        carom_names_add(&m->taken, m->root.items[k].name, 0);
    CAROM_TRY(add_channels(m, names, count));
    m->root.items[units] = m->units;
    m->root.items[fields] = m->names;
    return CAROM_OK;
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

static size_t field_name_bytes(const mat_array *a)
{
    for (size_t k = 0; k < a->count; k++)
        if (strlen(a->items[k].name) >= SHORT_NAME_BYTES)
            return NAME_BYTES;
    return SHORT_NAME_BYTES;
}

/* Bytes of an array behind its tag; `name_bytes`: of the name that stands in it, 0 in structs and cells. */
static uint64_t array_bytes(const mat_array *a, size_t name_bytes)
{
    uint64_t bytes = element_bytes(8) + element_bytes(8) + element_bytes(name_bytes);
    if (a->class == MX_DOUBLE)
        return bytes + element_bytes((uint64_t)a->rows * a->column_count * 8);
    if (a->class == MX_CHAR)
        return bytes + element_bytes(2 * text_units(a->text));
    if (a->class == MX_STRUCT)
        bytes += element_bytes(4) + element_bytes((uint64_t)a->count * field_name_bytes(a));
    for (size_t k = 0; k < a->count; k++)
        bytes += 8 + array_bytes(&a->items[k], 0);
    return bytes;
}

/* ---- writing ---- */

static void put(mat_file *m, const void *bytes, size_t length) { carom_save_bytes(&m->out, bytes, length); }

static void put_integer(mat_file *m, uint64_t value, size_t bytes)
{
    unsigned char text[8];
    for (size_t k = 0; k < bytes; k++)
        text[k] = (unsigned char)(value >> 8 * k & 0xff);
    put(m, text, bytes);
}

/* The tag of an element; of a small one it is half as long. */
static void put_tag(mat_file *m, uint32_t type, uint64_t bytes)
{
    bool small = bytes && bytes <= 4;
    put_integer(m, small ? type | bytes << 16 : type, 4);
    if (!small)
        put_integer(m, bytes, 4);
}

/* Zeros behind the data of an element. */
static void put_padding(mat_file *m, uint64_t bytes)
{
    bool small = bytes && bytes <= 4;
    put_integer(m, 0, (size_t)(small ? 4 - bytes : padded(bytes) - bytes));
}

static void put_numbers(mat_file *m, const mat_array *a)
{
    put_tag(m, MI_DOUBLE, (uint64_t)a->rows * a->column_count * 8);
    for (size_t i = 0; i < a->column_count; i++)
        for (size_t k = 0; k < a->rows && !m->out.error; k++) {
            uint64_t bits;
            memcpy(&bits, &a->columns[i][k], sizeof bits);
            put_integer(m, bits, 8);
        }
}

static void put_text(mat_file *m, const char *text)
{
    uint64_t bytes = 2 * text_units(text);
    put_tag(m, MI_UINT16, bytes);
    while (*text && !m->out.error) {
        uint16_t units[2];
        int count = next_units(&text, units);
        for (int k = 0; k < count; k++)
            put_integer(m, units[k], 2);
    }
    put_padding(m, bytes);
}

static void put_field_names(mat_file *m, const mat_array *a)
{
    size_t length = field_name_bytes(a);
    put_tag(m, MI_INT32, 4);
    put_integer(m, length, 4);
    put_tag(m, MI_INT8, (uint64_t)a->count * length);
    for (size_t k = 0; k < a->count; k++) {
        char name[NAME_BYTES] = "";
        memcpy(name, a->items[k].name, strlen(a->items[k].name));
        put(m, name, length);
    }
}

static void put_array(mat_file *m, const mat_array *a, const char *name)
{
    uint64_t rows = a->rows, columns = a->column_count;
    if (a->class == MX_CHAR) {
        columns = text_units(a->text);
        rows = columns > 0;
    } else if (a->class != MX_DOUBLE) {
        rows = a->class == MX_CELL ? a->count : 1;
        columns = 1;
    }
    put_tag(m, MI_MATRIX, array_bytes(a, strlen(name)));
    put_tag(m, MI_UINT32, 8);
    put_integer(m, a->class, 8);
    put_tag(m, MI_INT32, 8);
    put_integer(m, rows, 4);
    put_integer(m, columns, 4);
    put_tag(m, MI_INT8, strlen(name));
    put(m, name, strlen(name));
    put_padding(m, strlen(name));
    if (a->class == MX_DOUBLE)
        put_numbers(m, a);
    else if (a->class == MX_CHAR)
        put_text(m, a->text);
    else if (a->class == MX_STRUCT)
        put_field_names(m, a);
    for (size_t k = 0; k < a->count && !m->out.error; k++)
        put_array(m, &a->items[k], "");
}

static void put_file(mat_file *m)
{
    char header[HEADER_BYTES + 1];
    char text[HEADER_TEXT + 1];
    snprintf(text, sizeof text, "MATLAB 5.0 MAT-file, written by Carom %s", carom_version());
    snprintf(header, sizeof header, "%-*s", HEADER_BYTES, text);
    memset(header + HEADER_TEXT, 0, 8);
    memcpy(header + HEADER_TEXT + 8, "\0\1IM", 4);
    put(m, header, HEADER_BYTES);
    for (size_t k = 0; k < m->root.count; k++)
        put_array(m, &m->root.items[k], m->root.items[k].name);
}

/* ---- the file ---- */

static carom_status save(mat_file *m, const char *path)
{
    if (carom_is_same_file(path, carom_result_path(m->result)))
        return carom_fail(m->ctx, CAROM_ERROR_USAGE, NULL, "%s: is the result itself; give the MAT-file another name",
                          path);
    CAROM_TRY(carom_save_begin(m->ctx, path, &m->out));
    put_file(m);
    return carom_save_end(&m->out, CAROM_OK);
}

static carom_status check_sizes(const mat_file *m)
{
    for (size_t k = 0; k < m->root.count; k++) {
        const mat_array *a = &m->root.items[k];
        if (array_bytes(a, strlen(a->name)) > VARIABLE_LIMIT)
            return carom_fail(
                m->ctx, CAROM_ERROR_USAGE, NULL,
                "'%s' has more than 2 GiB, the largest variable of a MAT-file of level 5; read the result "
                "with h5read, or export its components one by one",
                a->name);
    }
    return CAROM_OK;
}

carom_status carom_result_write_mat(carom_result *result, const char *const *names, size_t count, const char *path)
{
    if (!result)
        return CAROM_ERROR_USAGE;
    mat_file m = {.result = result, .ctx = carom_result_context(result)};
    if (!path || !*path || (!names && count))
        return carom_fail(m.ctx, CAROM_ERROR_USAGE, NULL, "carom_result_write_mat: no path or no names");
    carom_arena_init(&m.arena, m.ctx);
    carom_status status = collect(&m, names, count);
    if (status == CAROM_OK)
        status = check_sizes(&m);
    if (status == CAROM_OK)
        status = save(&m, path);
    carom_arena_free(&m.arena);
    return status;
}
