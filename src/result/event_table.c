/* The table of events in a result. */
#include "result/event_table.h"

#include <math.h>
#include <string.h>

/* Columns as the members of carom_fired_event; the energy is written last. `bytes`: of a text. */
typedef struct event_column {
    const char *name, *unit, *description;
    size_t bytes, offset;
    bool index;
} event_column;

#define OF(member) offsetof(carom_fired_event, member)

static const event_column columns[CAROM_EVENT_COLUMNS] = {
    {"time", "s", "Located time.", 0, OF(time), false},
    {"name", "", "Name of the event in the model.", 128, OF(event), false},
    {"event_index", "1", "Index of the event in the model, from 0.", 0, OF(event_index), true},
    {"kind", "", "Types of its actions.", 128, OF(kind), false},
    {"action", "", "The actions and what they act on.", 256, OF(action), false},
    {"energy", "J", "Energy that the actions took; negative: gave.", 0, OF(energy), false},
};

/* Closes the type unless it is one of HDF5's own. */
static void close_type(const event_column *c, hid_t type)
{
    if (c->bytes && type >= 0)
        H5Tclose(type);
}

bool carom_event_table_make(hid_t file, carom_event_table *out)
{
    hid_t group = carom_h5_make_group(file, "events");
    bool done = group >= 0;
    out->rows = 0;
    for (size_t k = 0; done && k < CAROM_EVENT_COLUMNS; k++) {
        const event_column *c = &columns[k];
        hid_t type = c->bytes ? carom_h5_text_type(c->bytes) : c->index ? H5T_STD_I64LE : H5T_IEEE_F64LE;
        hid_t set = type < 0 ? -1 : carom_h5_make_dataset(group, c->name, type, 1, true, CAROM_EVENT_CHUNK);
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

static bool append_text(const carom_event_table *table, size_t column, const char *text)
{
    char bytes[256];
    carom_h5_cut(bytes, columns[column].bytes, text);
    hid_t type = carom_h5_text_type(columns[column].bytes);
    bool done = type >= 0 && carom_h5_append(table->sets[column], type, true, 1, table->rows, 1, bytes);
    if (type >= 0)
        H5Tclose(type);
    return done;
}

bool carom_event_table_append(carom_event_table *table, const carom_fired_event *event)
{
    for (size_t k = 0; k < CAROM_EVENT_COLUMNS; k++) {
        const event_column *c = &columns[k];
        const char *at = (const char *)event + c->offset, *text;
        const int64_t index = (int64_t)event->event_index;
        bool done;
        if (c->bytes) {
            memcpy(&text, at, sizeof text);
            done = append_text(table, k, text);
        } else if (c->index)
            done = carom_h5_append(table->sets[k], H5T_NATIVE_INT64, true, 1, table->rows, 1, &index);
        else
            done = carom_h5_append(table->sets[k], H5T_NATIVE_DOUBLE, true, 1, table->rows, 1, at);
        if (!done)
            return false;
    }
    table->rows++;
    return true;
}

/* ---- reading ---- */

/* Puts a column into the rows. */
static carom_status read_column(hid_t set, const event_column *c, carom_arena *arena, carom_fired_event *rows,
                                size_t count)
{
    const size_t bytes = c->bytes ? c->bytes : sizeof(double);
    char *buffer = carom_arena_alloc(arena, count, bytes);
    hid_t type = c->bytes ? carom_h5_text_type(bytes) : c->index ? H5T_NATIVE_INT64 : H5T_NATIVE_DOUBLE;
    bool done = buffer && type >= 0 && carom_h5_read_rows(set, type, count, buffer);
    for (size_t k = 0; done && k < count; k++) {
        char *value = buffer + k * bytes;
        int64_t index;
        memcpy(&index, value, sizeof index);
        if (c->index)
            rows[k].event_index = (size_t)index;
        else if (!c->bytes)
            memcpy((char *)&rows[k] + c->offset, value, sizeof(double));
        else {
            value[bytes - 1] = '\0';
            memcpy((char *)&rows[k] + c->offset, &value, sizeof value);
        }
    }
    close_type(c, type);
    return !buffer ? CAROM_ERROR_MEMORY : done ? CAROM_OK : CAROM_ERROR_IO;
}

/* Opens the columns and finds the rows that all of them have. */
static bool open_columns(hid_t group, hid_t *sets, hsize_t *least)
{
    bool done = true;
    *least = HSIZE_UNDEF;
    for (size_t k = 0; k < CAROM_EVENT_COLUMNS; k++) {
        hsize_t rows = 0, width;
        int rank = 0;
        sets[k] = H5Dopen2(group, columns[k].name, H5P_DEFAULT);
        done = done && sets[k] >= 0 && carom_h5_measure(sets[k], &rows, &width, &rank) && rank == 1;
        *least = rows < *least ? rows : *least;
    }
    return done;
}

carom_status carom_event_table_read(hid_t file, carom_arena *arena, carom_fired_event **out, size_t *count)
{
    hid_t sets[CAROM_EVENT_COLUMNS];
    hsize_t least;
    *out = NULL;
    *count = 0;
    if (H5Lexists(file, "events", H5P_DEFAULT) <= 0)
        return CAROM_OK;
    hid_t group = H5Gopen2(file, "events", H5P_DEFAULT);
    if (group < 0)
        return CAROM_ERROR_IO;
    carom_status status = open_columns(group, sets, &least) ? CAROM_OK : CAROM_ERROR_IO;
    if (status == CAROM_OK) {
        *out = carom_arena_alloc(arena, (size_t)least, sizeof **out);
        status = *out ? CAROM_OK : CAROM_ERROR_MEMORY;
    }
    for (size_t k = 0; status == CAROM_OK && k < CAROM_EVENT_COLUMNS; k++)
        status = read_column(sets[k], &columns[k], arena, *out, (size_t)least);
    while (status == CAROM_OK && *count < least && !isnan((*out)[*count].time) && !isnan((*out)[*count].energy))
        ++*count;
    for (size_t k = 0; k < CAROM_EVENT_COLUMNS; k++)
        if (sets[k] >= 0)
            H5Dclose(sets[k]);
    H5Gclose(group);
    return status;
}
