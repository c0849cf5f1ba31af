/* The tables of events and rests in a result. */
#include "result/row_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- which there are ---- */

#define NAME_BYTES 128
#define LONGEST_TEXT 256
#define OF(member) offsetof(carom_fired_event, member)

static const carom_table_column events[] = {
    {"time", "s", "Located time.", 0, OF(time), false},
    {"name", "", "Name of the event in the model, or of the load that tells.", NAME_BYTES, OF(event), false},
    {"event_index", "1", "Index of the event in the model, from 0; limits and motors follow.", 0, OF(event_index),
     true},
    {"kind", "", "Types of its actions.", NAME_BYTES, OF(kind), false},
    {"action", "", "The actions and what they act on.", LONGEST_TEXT, OF(action), false},
    {"energy", "J", "Energy that the actions took, or the damping of a limit that is left; negative: gave.", 0,
     OF(energy), false},
    {"rate", "m/s or rad/s", "Rate of the joint of limits and motors; of others 0.", 0, OF(rate), false},
    {"peak", "N or N m", "Greatest effort of a limit that is left; of others 0.", 0, OF(peak), false},
    {"depth", "m or rad", "Greatest indentation of a limit that is left; of others 0.", 0, OF(depth), false},
};

#define BYTES_TEXT NAME_BYTES
#define BYTES_INDEX 0
#define BYTES_NUMBER 0
#define BYTES_INSTANT 0
#define INDEX_TEXT false
#define INDEX_INDEX true
#define INDEX_NUMBER false
#define INDEX_INSTANT false

static const carom_table_column rests[] = {
#define CAROM_REST_FIELD(name, type, unit, head, rank, description) \
    {#name, unit, description, BYTES_##type, offsetof(carom_rest, name), INDEX_##type},
#define CAROM_REST_PAIR(name)
#include "base/rest_fields.def"
};

static int compare_rests(const void *a, const void *b)
{
    const carom_rest *x = a, *y = b;
    if (x->begin != y->begin)
        return x->begin < y->begin ? -1 : 1;
    return x->contact_index != y->contact_index ? (x->contact_index < y->contact_index ? -1 : 1)
                                                : strcmp(x->contact, y->contact);
}

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
_Static_assert(COUNT(events) <= CAROM_TABLE_COLUMNS && COUNT(rests) <= CAROM_TABLE_COLUMNS, "too many columns");

const carom_table_kind carom_event_table = {
    "events", events, COUNT(events), sizeof(carom_fired_event), 560, 0, 8, NULL};
const carom_table_kind carom_rest_table = {"rests", rests, COUNT(rests), sizeof(carom_rest),
                                           NAME_BYTES + sizeof(double) * (COUNT(rests) - 1), CAROM_REST_FIELD_begin,
                                           CAROM_REST_FIELD_ended, compare_rests};

/* Closes the type unless it is one of HDF5's own. */
static void close_type(const carom_table_column *c, hid_t type)
{
    if (c->bytes && type >= 0)
        H5Tclose(type);
}

carom_status carom_row_table_room(carom_arena *arena, const carom_table_kind *kind, carom_row_table *out)
{
    *out = (carom_row_table){.kind = kind, .held = carom_arena_alloc(arena, CAROM_TABLE_CHUNK, kind->bytes)};
    return out->held ? CAROM_OK : CAROM_ERROR_MEMORY;
}

bool carom_row_table_make(hid_t file, carom_row_table *out)
{
    const carom_table_kind *kind = out->kind;
    hid_t group = carom_h5_make_group(file, kind->group);
    bool done = group >= 0;
    for (size_t k = 0; done && k < kind->count; k++) {
        const carom_table_column *c = &kind->columns[k];
        hid_t type = c->bytes ? carom_h5_text_type(c->bytes) : c->index ? H5T_STD_I64LE : H5T_IEEE_F64LE;
        hid_t set = type < 0 ? -1 : carom_h5_make_dataset(group, c->name, type, 1, true, CAROM_TABLE_CHUNK, false);
        out->sets[k] = set;
        done = set >= 0 && carom_h5_add_text(set, "unit", c->unit) &&
               carom_h5_add_text(set, "description", c->description);
        close_type(c, type);
    }
    if (group >= 0)
        H5Gclose(group);
    return done;
}

/* ---- appending ---- */

static size_t bytes_of(const carom_table_column *c) { return c->bytes ? c->bytes : sizeof(double); }

void carom_row_table_hold(carom_row_table *table, const void *row)
{
    unsigned char *to = table->held + table->held_count++ * table->kind->bytes;
    for (size_t k = 0; k < table->kind->count; k++) {
        const carom_table_column *c = &table->kind->columns[k];
        const char *at = (const char *)row + c->offset, *text;
        size_t index;
        if (c->bytes) {
            memcpy(&text, at, sizeof text);
            carom_h5_cut((char *)to, c->bytes, text);
        } else if (c->index) {
            memcpy(&index, at, sizeof index);
            const int64_t number = (int64_t)index;
            memcpy(to, &number, sizeof number);
        } else
            memcpy(to, at, sizeof(double));
        to += bytes_of(c);
    }
}

bool carom_row_table_write(carom_row_table *table)
{
    unsigned char column[CAROM_TABLE_CHUNK * LONGEST_TEXT];
    size_t offset = 0;
    for (size_t k = 0; table->held_count && k < table->kind->count; k++) {
        const carom_table_column *c = &table->kind->columns[k];
        const size_t bytes = bytes_of(c);
        for (size_t r = 0; r < table->held_count; r++)
            memcpy(column + r * bytes, table->held + r * table->kind->bytes + offset, bytes);
        hid_t type = c->bytes ? carom_h5_text_type(c->bytes) : c->index ? H5T_NATIVE_INT64 : H5T_NATIVE_DOUBLE;
        const bool done = type >= 0 && carom_h5_append(table->sets[k], type, true, 1, table->rows, table->held_count,
                                                       column);
        close_type(c, type);
        if (!done)
            return false;
        offset += bytes;
    }
    table->rows += table->held_count;
    table->held_count = 0;
    return true;
}

/* ---- reading ---- */

/* Puts a column into the rows. */
static carom_status read_column(hid_t set, const carom_table_kind *kind, const carom_table_column *c,
                                carom_arena *arena, char *rows, size_t count)
{
    const size_t bytes = c->bytes ? c->bytes : sizeof(double);
    char *buffer = carom_arena_alloc(arena, count, bytes);
    hid_t type = c->bytes ? carom_h5_text_type(bytes) : c->index ? H5T_NATIVE_INT64 : H5T_NATIVE_DOUBLE;
    bool done = buffer && type >= 0 && carom_h5_read_rows(set, type, count, 1, buffer);
    for (size_t k = 0; done && k < count; k++) {
        char *value = buffer + k * bytes, *at = rows + k * kind->size + c->offset;
        int64_t number;
        if (c->index) {
            memcpy(&number, value, sizeof number);
            const size_t index = (size_t)number;
            memcpy(at, &index, sizeof index);
        } else if (!c->bytes)
            memcpy(at, value, sizeof(double));
        else {
            value[bytes - 1] = '\0';
            memcpy(at, &value, sizeof value);
        }
    }
    close_type(c, type);
    return !buffer ? CAROM_ERROR_MEMORY : done ? CAROM_OK : CAROM_ERROR_IO;
}

/* Opens the columns and finds the rows that all of them have. */
static bool open_columns(hid_t group, const carom_table_kind *kind, hid_t *sets, hsize_t *least)
{
    bool done = true;
    *least = HSIZE_UNDEF;
    for (size_t k = 0; k < kind->count; k++) {
        hsize_t rows = 0, width;
        int rank = 0;
        sets[k] = H5Dopen2(group, kind->columns[k].name, H5P_DEFAULT);
        done = done && sets[k] >= 0 && carom_h5_measure(sets[k], &rows, &width, &rank) && rank == 1;
        *least = rows < *least ? rows : *least;
    }
    return done;
}

static bool is_number(const carom_table_kind *kind, const char *row, size_t column)
{
    double number;
    memcpy(&number, row + kind->columns[column].offset, sizeof number);
    return !isnan(number);
}

carom_status carom_row_table_read(hid_t file, const carom_table_kind *kind, carom_arena *arena, void **out,
                                  size_t *count)
{
    hid_t sets[CAROM_TABLE_COLUMNS];
    hsize_t least;
    char *rows = NULL;
    *out = NULL;
    *count = 0;
    if (H5Lexists(file, kind->group, H5P_DEFAULT) <= 0)
        return CAROM_OK;
    hid_t group = H5Gopen2(file, kind->group, H5P_DEFAULT);
    if (group < 0)
        return CAROM_ERROR_IO;
    carom_status status = open_columns(group, kind, sets, &least) ? CAROM_OK : CAROM_ERROR_IO;
    if (status == CAROM_OK) {
        *out = rows = carom_arena_alloc(arena, (size_t)least, kind->size);
        status = rows ? CAROM_OK : CAROM_ERROR_MEMORY;
    }
    for (size_t k = 0; status == CAROM_OK && k < kind->count; k++)
        status = read_column(sets[k], kind, &kind->columns[k], arena, rows, (size_t)least);
    while (status == CAROM_OK && *count < least && is_number(kind, rows + *count * kind->size, kind->first) &&
           is_number(kind, rows + *count * kind->size, kind->last))
        ++*count;
    if (kind->order && *count > 1)
        qsort(rows, *count, kind->size, kind->order);
    for (size_t k = 0; k < kind->count; k++)
        if (sets[k] >= 0)
            H5Dclose(sets[k]);
    H5Gclose(group);
    return status;
}
