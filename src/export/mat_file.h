/* MAT-files of level 5: arrays, and the file that they make. */
#ifndef CAROM_MAT_FILE_H
#define CAROM_MAT_FILE_H

#include "base/base.h"

#define CAROM_MAT_NAME 64 /* of a name of 63 characters, MATLAB's limit, and its NUL */

typedef enum carom_mat_class {
    CAROM_MX_CELL = 1,
    CAROM_MX_STRUCT = 2,
    CAROM_MX_CHAR = 4,
    CAROM_MX_DOUBLE = 6
} carom_mat_class;

/* One array: numbers (`columns[k]` has `rows` of them), a text, or the cells (rows x 1) or fields (1 x 1) `items`. */
typedef struct carom_mat_array {
    carom_mat_class class;
    char name[CAROM_MAT_NAME]; /* of the variable or field; empty in a cell */
    size_t rows, column_count;
    const double **columns;
    const char *text; /* UTF-8 */
    struct carom_mat_array *items;
    size_t count, capacity; /* of the items; room is made once, before the first */
} carom_mat_array;

/* Prefix and name with each character that a variable may not have as '_', cut; "x_" before what would be no name. */
void carom_mat_name(char out[CAROM_MAT_NAME], const char *prefix, const char *name);
/* Room for items. Errors: CAROM_ERROR_MEMORY. */
carom_status carom_mat_reserve(carom_arena *arena, carom_mat_array *array, size_t count);
carom_mat_array *carom_mat_add(carom_mat_array *to, carom_mat_class class, const char *name);
void carom_mat_add_text(carom_mat_array *to, const char *name, const char *text);
/* Adds an array of numbers whose columns the caller sets; NULL when out of memory. */
carom_mat_array *carom_mat_add_numbers(carom_arena *arena, carom_mat_array *to, const char *name, size_t rows,
                                       size_t columns);
/* Writes the items of an array as the variables of a file, which takes its name when it is complete. Errors:
   CAROM_ERROR_USAGE (more than 2 GiB a variable), CAROM_ERROR_IO, CAROM_ERROR_MEMORY. */
carom_status carom_mat_save(carom_context *ctx, const carom_mat_array *variables, const char *path);

#endif
