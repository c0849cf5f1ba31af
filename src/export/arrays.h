/* Arrays that were found in a file, of which a table is made. */
#ifndef CAROM_IO_ARRAYS_H
#define CAROM_IO_ARRAYS_H

#include "base/base.h"
#include "carom/fit_io.h"

typedef struct carom_found_array {
    const char *name, *unit;
    size_t rows, columns;
    const double *values;       /* by columns */
    const char *const *parts;   /* names of the columns; NULL: numbers */
} carom_found_array;

typedef struct carom_found_arrays {
    carom_arena *arena;
    carom_found_array *items;
    size_t count, capacity;
} carom_found_arrays;

/* Adds one; its texts and numbers live in the arena. */
carom_status carom_found_add(carom_found_arrays *list, const carom_found_array *array);

/* Each adds what a file has to the list. Errors: CAROM_ERROR_IO. */
carom_status carom_found_in_h5(carom_context *ctx, const char *path, carom_found_arrays *list);
carom_status carom_found_in_mat(carom_context *ctx, const char *path, carom_found_arrays *list);

#endif
