/* The matrices of an analysis as a MAT-file or an HDF5 file, by the ending of its name: each a variable or dataset of
   its name, and the names of its rows and columns. */
#include "carom/export.h"
#include "export/mat_file.h"
#include "export/save.h"
#include "result/h5.h"

#include <stdio.h>
#include <string.h>

/* ---- MAT-files ---- */

static carom_status add_names(carom_arena *arena, carom_mat_array *to, const char *of, const char *what,
                              const char *const *names, size_t count)
{
    char name[CAROM_MAT_NAME];
    snprintf(name, sizeof name, "%.40s_%s", of, what);
    carom_mat_array *cells = carom_mat_add(to, CAROM_MX_CELL, name);
    CAROM_TRY(carom_mat_reserve(arena, cells, count));
    for (size_t k = 0; k < count; k++)
        carom_mat_add_text(cells, "", names[k]);
    return CAROM_OK;
}

static carom_status write_mat(carom_context *ctx, carom_arena *arena, const carom_analysis_matrix *all, size_t count,
                              const char *path)
{
    carom_mat_array root = {.class = CAROM_MX_STRUCT};
    CAROM_TRY(carom_mat_reserve(arena, &root, 3 * count));
    for (size_t k = 0; k < count; k++) {
        const carom_analysis_matrix *m = &all[k];
        carom_mat_array *numbers = carom_mat_add_numbers(arena, &root, m->name, m->rows, m->columns);
        if (!numbers)
            return carom_fail_memory(ctx);
        for (size_t c = 0; c < m->columns; c++)
            numbers->columns[c] = m->values + c * m->rows;
        CAROM_TRY(add_names(arena, &root, m->name, "rows", m->row_names, m->rows));
        CAROM_TRY(add_names(arena, &root, m->name, "columns", m->column_names, m->columns));
    }
    return carom_mat_save(ctx, &root, path);
}

/* ---- HDF5 ---- */

/* A dataset of rows x columns numbers, row by row as HDF5 has them; of no numbers where one is 0. */
static bool put_numbers(hid_t file, const carom_analysis_matrix *m, double *room)
{
    const hsize_t size[2] = {m->rows, m->columns};
    for (size_t r = 0; r < m->rows; r++)
        for (size_t c = 0; c < m->columns; c++)
            room[r * m->columns + c] = m->values[r + c * m->rows];
    const hid_t space = H5Screate_simple(2, size, NULL);
    const hid_t set = H5Dcreate2(file, m->name, H5T_IEEE_F64LE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    bool done = set >= 0 && (m->rows * m->columns == 0 ||
                             H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, room) >= 0);
    done = done && carom_h5_add_text(set, "description", m->description);
    return (set < 0 || H5Dclose(set) >= 0) && H5Sclose(space) >= 0 && done;
}

static bool put_names(hid_t file, const char *of, const char *what, const char *const *names, size_t count)
{
    char link[128];
    size_t longest = 1;
    for (size_t k = 0; k < count; k++)
        longest = strlen(names[k]) + 1 > longest ? strlen(names[k]) + 1 : longest;
    snprintf(link, sizeof link, "%.60s_%s", of, what);
    const hsize_t size = count;
    const hid_t space = H5Screate_simple(1, &size, NULL), type = carom_h5_text_type(longest);
    const hid_t set = H5Dcreate2(file, link, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    bool done = set >= 0;
    for (size_t k = 0; k < count && done; k++) {
        char text[512] = "";
        const hsize_t at = k, one = 1;
        const hid_t cell = H5Screate_simple(1, &one, NULL);
        carom_h5_cut(text, longest < sizeof text ? longest : sizeof text, names[k]);
        done = H5Sselect_hyperslab(space, H5S_SELECT_SET, &at, NULL, &one, NULL) >= 0 &&
               H5Dwrite(set, type, cell, space, H5P_DEFAULT, text) >= 0;
        H5Sclose(cell);
    }
    done = (set < 0 || H5Dclose(set) >= 0) && done;
    H5Tclose(type);
    H5Sclose(space);
    return done;
}

static carom_status write_hdf5(carom_context *ctx, carom_arena *arena, const carom_analysis_matrix *all, size_t count,
                               const char *path)
{
    size_t most = 1;
    carom_h5_scope scope;
    carom_save save;
    for (size_t k = 0; k < count; k++)
        most = all[k].rows * all[k].columns > most ? all[k].rows * all[k].columns : most;
    double *room = carom_arena_alloc(arena, most, sizeof *room);
    if (!room)
        return carom_fail_memory(ctx);
    CAROM_TRY(carom_save_begin(ctx, path, &save));
    carom_h5_enter(&scope);
    const hid_t file = H5Fcreate(save.part, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    bool done = file >= 0;
    for (size_t k = 0; k < count && done; k++)
        done = put_numbers(file, &all[k], room) &&
               put_names(file, all[k].name, "rows", all[k].row_names, all[k].rows) &&
               put_names(file, all[k].name, "columns", all[k].column_names, all[k].columns);
    done = (file < 0 || H5Fclose(file) >= 0) && done;
    const carom_status status = done ? CAROM_OK : carom_h5_fail(ctx, path, "cannot be written");
    carom_h5_leave(&scope);
    return carom_save_end(&save, status);
}

/* ---- by the ending ---- */

static bool ends(const char *path, const char *ending)
{
    const size_t length = strlen(path), own = strlen(ending);
    return length > own && strcmp(path + length - own, ending) == 0;
}

carom_status carom_analysis_write_matrices(carom_context *ctx, const carom_analysis *analysis, const char *path)
{
    size_t count;
    carom_arena arena;
    CAROM_NEED(ctx, ctx);
    if (!analysis || !path)
        return carom_fail(ctx, CAROM_ERROR_USAGE, NULL, "carom_analysis_write_matrices: no analysis or no path");
    const carom_analysis_matrix *all = carom_analysis_matrices(analysis, &count);
    const bool mat = ends(path, ".mat"), hdf5 = ends(path, ".h5") || ends(path, ".hdf5");
    if (!count)
        return carom_fail(ctx, CAROM_ERROR_USAGE, NULL, "%s: analysis %s has no matrices; modes has", path,
                          carom_analysis_name(analysis));
    if (!mat && !hdf5)
        return carom_fail(ctx, CAROM_ERROR_USAGE, NULL, "%s: give the file the ending .mat or .h5", path);
    carom_arena_init(&arena, ctx);
    const carom_status status =
        mat ? write_mat(ctx, &arena, all, count, path) : write_hdf5(ctx, &arena, all, count, path);
    carom_arena_free(&arena);
    return status;
}
