/* The table of events in a result: /events, a dataset a column. It has as many complete rows as have a time and an
   energy: numbers that were not written read as NaN. */
#ifndef CAROM_EVENT_TABLE_H
#define CAROM_EVENT_TABLE_H

#include "result/h5.h"

#define CAROM_EVENT_COLUMNS 6
#define CAROM_EVENT_CHUNK 64        /* rows of a chunk */
#define CAROM_EVENT_ROW_BYTES 536   /* of all columns */

typedef struct carom_event_table {
    hid_t sets[CAROM_EVENT_COLUMNS];
    hsize_t rows;
} carom_event_table;

/* Makes the datasets. False on failure. */
bool carom_event_table_make(hid_t file, carom_event_table *out);
/* Appends a row; texts that are too long are cut. False on failure. */
bool carom_event_table_append(carom_event_table *table, const carom_fired_event *event);
/* Reads the complete rows into the arena; none of a file without the table. Errors: CAROM_ERROR_MEMORY, CAROM_ERROR_IO
   without a text. */
carom_status carom_event_table_read(hid_t file, carom_arena *arena, carom_fired_event **out, size_t *count);

#endif
