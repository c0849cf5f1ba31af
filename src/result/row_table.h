/* Tables of a result that are written row by row, a dataset a column: /events and /rests. A table has as many complete
   rows as have numbers in two of its columns, the last of which is written last: numbers that were not written read as
   NaN. */
#ifndef CAROM_ROW_TABLE_H
#define CAROM_ROW_TABLE_H

#include "result/h5.h"

#define CAROM_TABLE_COLUMNS 16      /* at most */
#define CAROM_TABLE_CHUNK 64        /* rows of a chunk */

/* A column as a member of the struct of a row. */
typedef struct carom_table_column {
    const char *name, *unit, *description;
    size_t bytes;               /* of a text; 0: a number */
    size_t offset;
    bool index;                 /* a size_t */
} carom_table_column;

typedef struct carom_table_kind {
    const char *group;
    const carom_table_column *columns;
    size_t count;
    size_t size;                /* of a row's struct */
    size_t bytes;               /* of a row in the file */
    size_t first, last;         /* the two columns */
    int (*order)(const void *, const void *);   /* of rows that are read; NULL: as written */
} carom_table_kind;

extern const carom_table_kind carom_event_table, carom_rest_table;

typedef struct carom_row_table {
    const carom_table_kind *kind;
    hid_t sets[CAROM_TABLE_COLUMNS];
    hsize_t rows;
    unsigned char *held;        /* rows that wait, as many as a chunk has at most: column after column as in the file */
    size_t held_count;
} carom_row_table;

/* Room for the rows that wait. Errors: CAROM_ERROR_MEMORY (without text). */
carom_status carom_row_table_room(carom_arena *arena, const carom_table_kind *kind, carom_row_table *out);
/* Makes the datasets. False on failure. */
bool carom_row_table_make(hid_t file, carom_row_table *table);
/* Takes a row, which waits; texts that are too long are cut. */
void carom_row_table_hold(carom_row_table *table, const void *row);
/* Writes the rows that wait. False on failure. */
bool carom_row_table_write(carom_row_table *table);
/* Reads the complete rows into the arena; none of a file without the table. Errors: CAROM_ERROR_MEMORY, CAROM_ERROR_IO
   without a text. */
carom_status carom_row_table_read(hid_t file, const carom_table_kind *kind, carom_arena *arena, void **out,
                                  size_t *count);

#endif
