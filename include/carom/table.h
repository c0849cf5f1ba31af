/* Tables of numbers from files: records of measurements. */
#ifndef CAROM_TABLE_H
#define CAROM_TABLE_H

#include <stddef.h>
#include "carom/base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct carom_table_column {
    const char *name, *unit;    /* unit: as the heading has it, "t [ms]"; "": none */
    const double *values;       /* a number a row; NAN: an empty cell, or one that holds no number */
    const char *text;           /* of the first cell that holds something else than a number; NULL: none does */
    size_t text_row;
} carom_table_column;

typedef struct carom_table {
    size_t rows, column_count;
    const carom_table_column *columns;
    const int *lines;           /* of the rows in the file, from 1; NULL: it has none */
    void *own;                  /* the memory of all this */
} carom_table;

/* Reads a text file: columns separated by commas, semicolons, or blanks; lines that begin with '#' are passed over. The
   first line may have headings, with units behind them: "t [ms], F [N]" or "t/ms, F/N"; without, the columns are called
   1, 2, ...
   Free with carom_table_free(). Errors: CAROM_ERROR_IO, CAROM_ERROR_MODEL (with the line), CAROM_ERROR_MEMORY. */
CAROM_API carom_status carom_table_read_csv(carom_context *ctx, const char *path, carom_table *out);
/* The column of a name, "t", or of a heading with its unit as the file has it, "t/ms"; column_count: there is none. */
CAROM_API size_t carom_table_find(const carom_table *table, const char *name);
CAROM_API void carom_table_free(carom_context *ctx, carom_table *table);

/* ---- for readers of other formats ---- */

/* A table of so many rows and columns, to be filled: values by carom_table_values(). */
CAROM_API carom_status carom_table_create(carom_context *ctx, size_t rows, size_t columns, carom_table *out);
/* Names a column, and takes the unit out of the heading. */
CAROM_API carom_status carom_table_name(carom_context *ctx, carom_table *table, size_t column, const char *heading,
                                        size_t length);
CAROM_API double *carom_table_values(carom_table *table, size_t column);

#ifdef __cplusplus
}
#endif
#endif
