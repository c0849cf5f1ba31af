/* Arrays of HDF5 files: all datasets of numbers of one or two dimensions, also in groups. */
#include "export/arrays.h"
#include "result/look.h"

#include <stdio.h>

#define MOST_NUMBERS ((hsize_t)1 << 27)

typedef struct visit {
    carom_context *ctx;
    carom_found_arrays *list;
    const char *path;
    carom_status status;
} visit;

/* A text attribute of fixed or variable length; "" without one. */
static const char *read_text(visit *v, hid_t set, const char *name)
{
    char *out = NULL;
    const hid_t attribute = H5Aexists(set, name) > 0 ? H5Aopen(set, name, H5P_DEFAULT) : -1;
    if (attribute < 0)
        return "";
    const hid_t type = H5Aget_type(attribute), space = H5Aget_space(attribute);
    const bool one = space >= 0 && H5Sget_simple_extent_npoints(space) == 1;
    if (space >= 0)
        H5Sclose(space);
    if (one && H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) > 0) {
        char *text = NULL;
        if (H5Aread(attribute, type, &text) >= 0 && text) {
            out = carom_arena_text(v->list->arena, text);
            H5free_memory(text);
        }
    } else if (one && H5Tget_class(type) == H5T_STRING) {
        const size_t size = H5Tget_size(type);
        char *text = carom_arena_alloc(v->list->arena, size + 1, 1);
        if (text && H5Aread(attribute, type, text) >= 0)
            out = text;
    }
    H5Tclose(type);
    H5Aclose(attribute);
    return out ? out : "";
}

/* "x, y" or "x y" as a list of `count`; NULL: they are not so many. */
static const char *const *split_parts(visit *v, const char *text, size_t count)
{
    const char **parts = carom_arena_alloc(v->list->arena, count + 1, sizeof *parts);
    size_t found = 0;
    while (parts && *text && found <= count) {
        text += strspn(text, ", ");
        const size_t length = strcspn(text, ", ");
        if (length == 0)
            break;
        parts[found++] = carom_arena_text_n(v->list->arena, text, length);
        if (!parts[found - 1])
            return NULL;
        text += length;
    }
    return found == count ? parts : NULL;
}

static carom_status read_set(visit *v, hid_t set, const char *name)
{
    hsize_t rows, columns;
    int rank;
    const hid_t type = H5Dget_type(set);
    const H5T_class_t class = H5Tget_class(type);
    H5Tclose(type);
    if ((class != H5T_FLOAT && class != H5T_INTEGER) || !carom_h5_measure(set, &rows, &columns, &rank) ||
        rows * columns > MOST_NUMBERS || rows * columns == 0)
        return CAROM_OK;
    double *raw = carom_arena_alloc(v->list->arena, rows * columns, sizeof *raw);
    double *values = carom_arena_alloc(v->list->arena, rows * columns, sizeof *values);
    if (!raw || !values)
        return carom_fail_memory(v->ctx);
    if (H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, raw) < 0)
        return carom_h5_fail(v->ctx, v->path, "cannot be read");
    /* one row is a vector as well, and what is wider than high are the columns of MATLAB, one after the other */
    const bool wide = columns > rows;
    for (hsize_t r = 0; r < rows; r++)
        for (hsize_t c = 0; c < columns; c++)
            values[wide ? r * columns + c : c * rows + r] = raw[r * columns + c];
    const size_t long_side = (size_t)(wide ? columns : rows), short_side = (size_t)(wide ? rows : columns);
    const char *slash = strrchr(name, '/');
    const carom_found_array array = {.name = carom_arena_text(v->list->arena, slash ? slash + 1 : name),
                                     .unit = read_text(v, set, H5Aexists(set, "unit") > 0 ? "unit" : "units"),
                                     .rows = long_side,
                                     .columns = short_side,
                                     .values = values,
                                     .parts = split_parts(v, read_text(v, set, "components"), short_side)};
    return array.name ? carom_found_add(v->list, &array) : carom_fail_memory(v->ctx);
}

/* Numbers of this file, not of others that it names. */
static bool is_own(hid_t set)
{
    const hid_t plan = H5Dget_create_plist(set);
    const bool own = plan >= 0 && H5Pget_external_count(plan) == 0 && H5Pget_layout(plan) != H5D_VIRTUAL;
    if (plan >= 0)
        H5Pclose(plan);
    return own;
}

static herr_t visit_object(hid_t file, const char *name, const H5O_info_t *info, void *user)
{
    visit *v = user;
    if (info->type != H5O_TYPE_DATASET)
        return 0;
    const hid_t set = H5Dopen2(file, name, H5P_DEFAULT);
    if (set < 0)
        return 0;
    v->status = is_own(set) ? read_set(v, set, name) : CAROM_OK;
    H5Dclose(set);
    return v->status == CAROM_OK ? 0 : -1;
}

static carom_status read_file(carom_context *ctx, const char *path, carom_found_arrays *list)
{
    visit v = {.ctx = ctx, .list = list, .path = path};
    carom_h5_scope scope;
    carom_h5_enter(&scope);
    const hid_t access = carom_h5_access(false), file = H5Fopen(path, H5F_ACC_RDONLY, access);
    carom_status status = CAROM_OK;
    if (file < 0)
        status = carom_h5_fail(ctx, path, "cannot be opened");
    else if (H5Ovisit(file, H5_INDEX_NAME, H5_ITER_INC, visit_object, &v) < 0)
        status = v.status != CAROM_OK ? v.status : carom_h5_fail(ctx, path, "cannot be read");
    if (file >= 0)
        H5Fclose(file);
    if (access >= 0)
        H5Pclose(access);
    carom_h5_leave(&scope);
    return status;
}

static carom_status look_at(carom_context *ctx, const char *path)
{
    carom_arena arena;
    carom_arena_init(&arena, ctx);
    carom_found_arrays list = {.arena = &arena};
    return read_file(ctx, path, &list); /* the memory goes with the process */
}

carom_status carom_found_in_h5(carom_context *ctx, const char *path, carom_found_arrays *list)
{
    CAROM_TRY(carom_look(ctx, path, look_at));
    return read_file(ctx, path, list);
}
