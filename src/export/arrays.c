/* Arrays that were found in a file. */
#include "export/arrays.h"

/* Most columns of a table, and of a matrix that is taken for several. */
#define MOST_COLUMNS 4096
#define MOST_PARTS 64

carom_status carom_found_add(carom_found_arrays *list, const carom_found_array *array)
{
    if (array->rows == 0 || array->columns == 0 || array->columns > MOST_PARTS || list->count == MOST_COLUMNS)
        return CAROM_OK;
    CAROM_TRY(carom_grow(list->arena->ctx, &list->items, &list->capacity, list->count + 1, sizeof *list->items));
    list->items[list->count++] = *array;
    return CAROM_OK;
}
