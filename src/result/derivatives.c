/* Derivatives of the impacts of a run in its result: /derivatives/PARAMETER, a dataset a column whose rows are those of
   /impacts. They are added to a file that is complete, since nothing can be created in one that is being written. */
#include "carom/sensitivity.h"
#include "result/reader.h"
#include "result/room.h"

#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define GROUP "derivatives"

/* Bytes of a parameter without its rows: headers of its group and datasets. */
#define PARAMETER_BYTES (8192 + 4096 * CAROM_IMPACT_FIELDS)

/* ---- the rows of the file ---- */

/* An impact of the file or of the run, as it is found again. */
typedef struct place {
    double onset;
    int64_t contact;
    size_t index;
} place;

static int by_onset(const void *a, const void *b)
{
    const place *x = a, *y = b;
    if (x->onset != y->onset)
        return x->onset < y->onset ? -1 : 1;
    if (x->contact != y->contact)
        return x->contact < y->contact ? -1 : 1;
    return x->index < y->index ? -1 : x->index > y->index;
}

static bool read_column(hid_t file, const char *link, hid_t type, size_t count, void *out)
{
    hid_t set = H5Dopen2(file, link, H5P_DEFAULT);
    const bool done = set >= 0 && carom_h5_read_rows(set, type, count, 1, out);
    if (set >= 0)
        H5Dclose(set);
    return done;
}

/* Number of the run's impact that is row k of /impacts: rows[k]. False: the file has others. */
static bool find_rows(hid_t file, const carom_impact *impacts, size_t count, size_t *rows)
{
    place *run = malloc((count + 1) * sizeof *run), *own = malloc((count + 1) * sizeof *own);
    double *onsets = malloc((count + 1) * sizeof *onsets);
    int64_t *contacts = malloc((count + 1) * sizeof *contacts);
    bool done = run && own && onsets && contacts &&
                read_column(file, "impacts/onset", H5T_NATIVE_DOUBLE, count, onsets) &&
                read_column(file, "impacts/contact_index", H5T_NATIVE_INT64, count, contacts);
    for (size_t k = 0; done && k < count; k++) {
        run[k] = (place){impacts[k].onset, (int64_t)impacts[k].contact_index, k};
        own[k] = (place){onsets[k], contacts[k], k};
    }
    if (done) {
        qsort(run, count, sizeof *run, by_onset);
        qsort(own, count, sizeof *own, by_onset);
    }
    for (size_t k = 0; done && k < count; k++) {
        done = run[k].onset == own[k].onset && run[k].contact == own[k].contact;
        rows[own[k].index] = run[k].index;
    }
    free(run);
    free(own);
    free(onsets);
    free(contacts);
    return done;
}

/* ---- writing ---- */

static bool add_numbers(hid_t group, const carom_field *field, const carom_sensitivity_parameter *p,
                        const double *values, hsize_t count)
{
    char text[512];
    snprintf(text, sizeof text, "Derivative by %s of: %s", p->name, field->description);
    return carom_h5_put(group, field->name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, values, count, field->unit, text);
}

static bool add_parameter(hid_t parent, const carom_sensitivity_parameter *p, int64_t index, double end,
                          const carom_impact *rows, size_t count, double *values)
{
    char link[256];
    const double until = p->lost < HUGE_VAL ? p->lost : end;
    const int64_t influences = p->influences, one_sided = p->one_sided;
    snprintf(link, sizeof link, "%.255s", p->name);
    for (char *c = link; *c; c++)
        *c = *c == '/' ? '|' : *c;
    hid_t group = carom_h5_make_group(parent, link);
    bool done = group >= 0 && carom_h5_add_text(group, "name", p->name) && carom_h5_add_text(group, "unit", p->unit) &&
                carom_h5_add(group, "value", H5T_NATIVE_DOUBLE, &p->value) &&
                carom_h5_add(group, "index", H5T_NATIVE_INT64, &index) &&
                carom_h5_add(group, "influences", H5T_NATIVE_INT64, &influences) &&
                carom_h5_add(group, "one_sided", H5T_NATIVE_INT64, &one_sided) &&
                carom_h5_add(group, "defined_until", H5T_NATIVE_DOUBLE, &until);
    for (size_t f = 0; f < CAROM_IMPACT_FIELDS && done; f++) {
        const carom_field *field = &carom_impact_field[f];
        if (field->type != CAROM_FIELD_NUMBER)
            continue;
        for (size_t k = 0; k < count; k++)
            values[k] = carom_field_number(field, &rows[k]);
        done = add_numbers(group, field, p, values, count);
    }
    if (group >= 0)
        H5Gclose(group);
    return done;
}

/* The derivatives of the impacts by a parameter, in the order of the rows of the file. */
static carom_status collect(carom_sensitivity *of, size_t parameter, const size_t *rows, size_t count,
                            carom_impact *out)
{
    for (size_t k = 0; k < count; k++)
        CAROM_TRY(carom_sensitivity_impact(of, rows[k], parameter, &out[k]));
    return CAROM_OK;
}

/* Adds the group to an open file. */
static carom_status add_all(carom_context *ctx, hid_t file, const char *path, carom_sensitivity *of)
{
    size_t count, parameters;
    carom_simulation *sim = carom_sensitivity_simulation(of);
    const carom_impact *impacts = carom_simulation_impacts(sim, &count);
    const carom_sensitivity_parameter *p = carom_sensitivity_parameters(of, &parameters);
    size_t *rows = malloc((count + 1) * sizeof *rows);
    carom_impact *d = malloc((count + 1) * sizeof *d);
    double *values = malloc((count + 1) * sizeof *values);
    carom_status status = rows && d && values ? CAROM_OK : carom_fail_memory(ctx);
    if (status == CAROM_OK && !find_rows(file, impacts, count, rows))
        status = carom_fail(ctx, CAROM_ERROR_USAGE, NULL, "%s: its impacts are not those of the run", path);
    hid_t group = status == CAROM_OK ? carom_h5_make_group(file, GROUP) : -1;
    if (status == CAROM_OK && group < 0)
        status = carom_h5_fail(ctx, path, "the derivatives cannot be written");
    for (size_t i = 0; i < parameters && status == CAROM_OK; i++) {
        status = collect(of, i, rows, count, d);
        if (status == CAROM_OK &&
            !add_parameter(group, &p[i], (int64_t)i, carom_simulation_time(sim), d, count, values))
            status = carom_h5_fail(ctx, path, "the derivatives cannot be written");
    }
    if (group >= 0)
        H5Gclose(group);
    free(rows);
    free(d);
    free(values);
    return status;
}

/* Makes room for what is added; where there is none the file stays as it is. */
static carom_status make_room(carom_context *ctx, const char *path, uint64_t bytes)
{
    struct stat info;
    off_t end;
    const int file = open(path, O_RDWR | O_CLOEXEC);
    if (file < 0 || fstat(file, &info) != 0) {
        if (file >= 0)
            close(file);
        return CAROM_OK; /* HDF5 says why */
    }
    const off_t wanted = info.st_size + (off_t)bytes;
    const carom_status status = carom_room_make(ctx, path, file, info.st_size, wanted, wanted, &end);
    /* what was made of it goes; HDF5 reads the file with it as well */
    const bool short_again = status == CAROM_OK || ftruncate(file, info.st_size) == 0;
    close(file);
    return short_again ? status : carom_fail(ctx, CAROM_ERROR_IO, NULL, "%s: cannot be written", path);
}

carom_status carom_result_add_derivatives(carom_context *ctx, const char *path, carom_sensitivity *of)
{
    CAROM_NEED(ctx, ctx);
    CAROM_NEED(ctx, path);
    CAROM_NEED(ctx, of);
    size_t count, parameters;
    carom_simulation_impacts(carom_sensitivity_simulation(of), &count);
    carom_sensitivity_parameters(of, &parameters);
    const uint64_t bytes = PARAMETER_BYTES + (uint64_t)CAROM_IMPACT_FIELDS * count * sizeof(double);
    CAROM_TRY(make_room(ctx, path, parameters * bytes));
    carom_h5_scope scope;
    carom_h5_enter(&scope);
    hid_t access = carom_h5_access(false), file = H5Fopen(path, H5F_ACC_RDWR, access);
    carom_status status = file < 0 ? carom_h5_fail(ctx, path, "cannot be opened")
                          : H5Lexists(file, GROUP, H5P_DEFAULT) > 0
                              ? carom_fail(ctx, CAROM_ERROR_USAGE, NULL, "%s: has derivatives already", path)
                              : add_all(ctx, file, path, of);
    if (file >= 0 && !carom_h5_close(file, path) && status == CAROM_OK)
        status = carom_h5_fail(ctx, path, "the derivatives cannot be written");
    if (access >= 0)
        H5Pclose(access);
    carom_h5_leave(&scope);
    return status;
}

/* ---- reading ---- */

static carom_status read_name(carom_result *r, hid_t object, const char *name, const char **out)
{
    char text[1024] = "";
    hid_t attribute = H5Aopen(object, name, H5P_DEFAULT), type = attribute < 0 ? -1 : H5Aget_type(attribute);
    const hid_t space = attribute < 0 ? -1 : H5Aget_space(attribute);
    const bool done = type >= 0 && space >= 0 && H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) == 0 &&
                      H5Sget_simple_extent_npoints(space) == 1 && H5Tget_size(type) < sizeof text &&
                      H5Aread(attribute, type, text) >= 0;
    if (space >= 0)
        H5Sclose(space);
    if (type >= 0)
        H5Tclose(type);
    if (attribute >= 0)
        H5Aclose(attribute);
    if (!done)
        return carom_result_damaged(r, GROUP);
    return (*out = carom_arena_text(&r->arena, text)) ? CAROM_OK : carom_fail_memory(r->ctx);
}

/* Columns of a parameter into rows that are copies of the impacts, in the order of those; order[k] is the row of the
   file. */
static carom_status read_parameter(carom_result *r, hid_t group, const size_t *order, double *buffer,
                                   carom_result_derivative *out)
{
    int64_t influences = 0, one_sided = 0;
    CAROM_TRY(read_name(r, group, "name", &out->parameter));
    CAROM_TRY(read_name(r, group, "unit", &out->unit));
    carom_impact *rows = carom_arena_alloc(&r->arena, r->impact_count, sizeof *rows);
    if (!rows)
        return carom_fail_memory(r->ctx);
    if (r->impact_count > 0)
        memcpy(rows, r->impacts, r->impact_count * sizeof *rows);
    bool done = carom_h5_read_attribute(group, "value", H5T_NATIVE_DOUBLE, &out->value) &&
                carom_h5_read_attribute(group, "influences", H5T_NATIVE_INT64, &influences) &&
                carom_h5_read_attribute(group, "one_sided", H5T_NATIVE_INT64, &one_sided) &&
                carom_h5_read_attribute(group, "defined_until", H5T_NATIVE_DOUBLE, &out->defined_until);
    for (size_t f = 0; f < CAROM_IMPACT_FIELDS && done; f++) {
        const carom_field *field = &carom_impact_field[f];
        if (field->type != CAROM_FIELD_NUMBER)
            continue;
        done = read_column(group, field->name, H5T_NATIVE_DOUBLE, r->impact_count, buffer);
        for (size_t k = 0; k < r->impact_count && done; k++)
            memcpy((char *)&rows[k] + field->offset, &buffer[order[k]], sizeof *buffer);
    }
    out->influences = influences != 0;
    out->one_sided = one_sided != 0;
    out->impacts = rows;
    return done ? CAROM_OK : carom_result_damaged(r, GROUP);
}

static int by_row(const void *a, const void *b)
{
    const place *x = a, *y = b;
    if (x->onset != y->onset)
        return x->onset < y->onset ? -1 : 1;
    return x->index < y->index ? -1 : x->index > y->index;
}

/* Rows of the file in the order of the impacts, as they were sorted when the result was opened. */
static bool find_order(const carom_result *r, size_t *order, double *buffer)
{
    place *rows = malloc((r->impact_count + 1) * sizeof *rows);
    const bool done = rows && read_column(r->file, "impacts/onset", H5T_NATIVE_DOUBLE, r->impact_count, buffer);
    for (size_t k = 0; k < r->impact_count && done; k++)
        rows[k] = (place){buffer[k], 0, k};
    if (done)
        qsort(rows, r->impact_count, sizeof *rows, by_row);
    for (size_t k = 0; k < r->impact_count && done; k++)
        order[k] = rows[k].index;
    free(rows);
    return done;
}

static carom_status read_all(carom_result *r, hid_t parent, carom_result_derivative *list, size_t count)
{
    size_t *order = carom_allocate(r->ctx, r->impact_count + 1, sizeof *order);
    double *buffer = carom_allocate(r->ctx, r->impact_count + 1, sizeof *buffer);
    carom_status status = order && buffer ? CAROM_OK : carom_fail_memory(r->ctx);
    if (status == CAROM_OK && !find_order(r, order, buffer))
        status = carom_result_damaged(r, GROUP);
    for (size_t k = 0; k < count && status == CAROM_OK; k++) {
        char link[256];
        int64_t index = -1;
        const ssize_t length = H5Lget_name_by_idx(parent, ".", H5_INDEX_NAME, H5_ITER_INC, k, link, sizeof link,
                                                  H5P_DEFAULT);
        hid_t group = length < 0 ? -1 : H5Gopen2(parent, link, H5P_DEFAULT);
        const bool good = group >= 0 && carom_h5_read_attribute(group, "index", H5T_NATIVE_INT64, &index) &&
                          index >= 0 && (size_t)index < count;
        status = good ? read_parameter(r, group, order, buffer, &list[index]) : carom_result_damaged(r, GROUP);
        if (group >= 0)
            H5Gclose(group);
    }
    carom_release(r->ctx, order, r->impact_count + 1, sizeof *order);
    carom_release(r->ctx, buffer, r->impact_count + 1, sizeof *buffer);
    for (size_t k = 0; k < count && status == CAROM_OK; k++)
        status = list[k].parameter ? CAROM_OK : carom_result_damaged(r, GROUP);
    return status;
}

carom_status carom_result_derivatives(carom_result *r, const carom_result_derivative **out, size_t *count)
{
    CAROM_NEED_AS(NULL, r, "result");
    CAROM_NEED(r->ctx, out);
    CAROM_NEED(r->ctx, count);
    *out = r->derivatives;
    *count = r->derivative_count;
    if (r->derivatives)
        return CAROM_OK;
    carom_h5_scope scope;
    carom_status status = CAROM_OK;
    carom_h5_enter(&scope);
    hid_t group = H5Lexists(r->file, GROUP, H5P_DEFAULT) > 0 ? H5Gopen2(r->file, GROUP, H5P_DEFAULT) : -1;
    H5G_info_t info = {.nlinks = 0};
    if (group >= 0 && H5Gget_info(group, &info) >= 0) {
        carom_result_derivative *list = carom_arena_alloc(&r->arena, (size_t)info.nlinks + 1, sizeof *list);
        status = list ? read_all(r, group, list, (size_t)info.nlinks) : carom_fail_memory(r->ctx);
        if (status == CAROM_OK) {
            *out = r->derivatives = list;
            *count = r->derivative_count = (size_t)info.nlinks;
        }
    }
    if (group >= 0)
        H5Gclose(group);
    carom_h5_leave(&scope);
    return status;
}
