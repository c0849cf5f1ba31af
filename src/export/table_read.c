/* Tables from files of all formats. */
#include "export/arrays.h"

#include <stdio.h>

/* The length that most arrays have, of several the greatest. */
static size_t common_rows(const carom_found_arrays *list)
{
    size_t rows = 0, most = 0;
    for (size_t k = 0; k < list->count; k++) {
        size_t same = 0;
        for (size_t i = 0; i < list->count; i++)
            same += list->items[i].rows == list->items[k].rows;
        if (list->items[k].rows > 1 && (same > most || (same == most && list->items[k].rows > rows))) {
            most = same;
            rows = list->items[k].rows;
        }
    }
    return rows;
}

static carom_status name_column(carom_context *ctx, carom_table *out, size_t column, const carom_found_array *a,
                                size_t part)
{
    char name[256], number[24];
    snprintf(number, sizeof number, "%zu", part + 1);
    const char *suffix = a->columns == 1 ? "" : a->parts ? a->parts[part] : number;
    const int length = snprintf(name, sizeof name, "%.150s%s%.40s%s%.40s%s", a->name, a->columns == 1 ? "" : ".",
                                suffix, a->unit[0] ? " [" : "", a->unit, a->unit[0] ? "]" : "");
    return carom_table_name(ctx, out, column, name, (size_t)length);
}

static carom_status make_table(carom_context *ctx, const char *path, const carom_found_arrays *list, carom_table *out)
{
    const size_t rows = common_rows(list);
    size_t columns = 0;
    for (size_t k = 0; k < list->count; k++)
        columns += list->items[k].rows == rows ? list->items[k].columns : 0;
    if (rows == 0)
        return carom_fail(ctx, CAROM_ERROR_MODEL, NULL,
                          "%s has no columns of numbers; a record has vectors of one length, such as t and F", path);
    CAROM_TRY(carom_table_create(ctx, rows, columns, out));
    size_t column = 0;
    carom_status status = CAROM_OK;
    for (size_t k = 0; k < list->count && status == CAROM_OK; k++)
        for (size_t i = 0; list->items[k].rows == rows && i < list->items[k].columns && status == CAROM_OK; i++) {
            memcpy(carom_table_values(out, column), list->items[k].values + i * rows, rows * sizeof(double));
            status = name_column(ctx, out, column++, &list->items[k], i);
        }
    if (status != CAROM_OK)
        carom_table_free(ctx, out);
    return status;
}

static bool ends(const char *path, const char *ending)
{
    const size_t n = strlen(path), m = strlen(ending);
    return n > m && strcmp(path + n - m, ending) == 0;
}

/* MATLAB's files of version 7.3 are HDF5 behind a header. */
static bool is_hdf5(const char *path)
{
    static const char mark[] = "\x89HDF";
    char bytes[4];
    bool found = false;
    FILE *file = fopen(path, "rb");
    for (long at = 0; file && at <= 2048 && !found; at = at ? 2 * at : 512)
        found = fseek(file, at, SEEK_SET) == 0 && fread(bytes, 1, 4, file) == 4 && memcmp(bytes, mark, 4) == 0;
    if (file)
        fclose(file);
    return found;
}

carom_status carom_table_read(carom_context *ctx, const char *path, carom_table *out)
{
    CAROM_NEED(ctx, ctx);
    CAROM_NEED(ctx, path);
    CAROM_NEED(ctx, out);
    *out = (carom_table){0};
    const bool mat = ends(path, ".mat");
    if (!mat && !ends(path, ".h5") && !ends(path, ".hdf5"))
        return carom_table_read_csv(ctx, path, out);
    carom_arena arena;
    carom_arena_init(&arena, ctx);
    carom_found_arrays list = {.arena = &arena};
    carom_status status =
        mat && !is_hdf5(path) ? carom_found_in_mat(ctx, path, &list) : carom_found_in_h5(ctx, path, &list);
    if (status == CAROM_OK)
        status = make_table(ctx, path, &list, out);
    carom_release(ctx, list.items, list.capacity, sizeof *list.items);
    carom_arena_free(&arena);
    return status;
}
