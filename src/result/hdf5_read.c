/* Reads a result, also one that is being written or whose writer was killed. */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif
#include "result/chunks.h"
#include "result/look.h"
#include "result/reader.h"
#include "result/row_table.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define TEXT_LIMIT ((size_t)1 << 28)    /* longest text read [bytes] */
#define MOST_RATIO 1040.0               /* bytes that deflate makes of one, 1032 (RFC 1951), and some */

static carom_status foreign(const carom_result *r, const char *what)
{
    return carom_fail(r->ctx, CAROM_ERROR_IO, NULL,
                      "%s: is not a result of Carom %s: %s; give a file that `carom run` wrote", r->path,
                      carom_version(), what);
}

/* ---- attributes ---- */

/* Text of an attribute of fixed length in the arena. */
static carom_status read_text(carom_result *r, hid_t object, const char *name, const char **out)
{
    hid_t attribute = H5Aopen(object, name, H5P_DEFAULT);
    hid_t stored = attribute < 0 ? -1 : H5Aget_type(attribute);
    bool fits = stored >= 0 && H5Tget_class(stored) == H5T_STRING && H5Tis_variable_str(stored) == 0;
    size_t size = fits ? H5Tget_size(stored) : 0;
    hid_t space = attribute < 0 ? -1 : H5Aget_space(attribute);
    fits = fits && space >= 0 && H5Sget_simple_extent_npoints(space) == 1 && size < TEXT_LIMIT;
    carom_status status = CAROM_OK;
    if (!fits) {
        char what[128];
        snprintf(what, sizeof what, "no text attribute '%s'", name);
        status = foreign(r, what);
    } else {
        char *text = carom_arena_alloc(&r->arena, size + 1, 1);
        if (!text)
            status = carom_fail_memory(r->ctx);
        else if (H5Aread(attribute, stored, text) < 0)
            status = carom_result_damaged(r, name);
        *out = text;
    }
    if (space >= 0)
        H5Sclose(space);
    if (stored >= 0)
        H5Tclose(stored);
    if (attribute >= 0)
        H5Aclose(attribute);
    return status;
}

/* ---- channels ---- */

static carom_status split_components(carom_result *r, carom_channel *c, char *text)
{
    if (!text[0])
        return CAROM_OK;
    const char **names = carom_arena_alloc(&r->arena, (size_t)c->size, sizeof *names);
    if (!names)
        return carom_fail_memory(r->ctx);
    int count = 0;
    for (char *word = text; word; count++) {
        char *end = strchr(word, ' ');
        if (end)
            *end++ = '\0';
        if (count < c->size)
            names[count] = word;
        word = end;
    }
    c->components = names;
    return count == c->size ? CAROM_OK : foreign(r, "the components of a channel do not fit its dataset");
}

/* The parts of a name, TYPE.OBJECT.QUANTITY or TYPE.QUANTITY, for channels that do not say them; an object may have
   points in its name. */
static carom_status split_name(carom_result *r, carom_channel *c)
{
    const char *first = strchr(c->name, '.'), *last = strrchr(c->name, '.');
    c->quantity = last ? last + 1 : c->name;
    c->type = carom_arena_text_n(&r->arena, c->name, first ? (size_t)(first - c->name) : 0);
    c->object = carom_arena_text_n(&r->arena, first ? first + 1 : "", last > first ? (size_t)(last - first) - 1 : 0);
    return c->type && c->object ? CAROM_OK : carom_fail_memory(r->ctx);
}

static carom_status read_parts(carom_result *r, hid_t set, carom_channel *c)
{
    if (H5Aexists(set, "type") <= 0)
        return split_name(r, c);
    CAROM_TRY(read_text(r, set, "type", &c->type));
    CAROM_TRY(read_text(r, set, "object", &c->object));
    return read_text(r, set, "quantity", &c->quantity);
}

/* In a first look: the chunks of a dataset of numbers; adds the bytes that its rows have in memory. */
static carom_status look_at_rows(carom_result *r, hid_t set, const char *what, size_t rows)
{
    carom_chunks c;
    const bool done = !r->looking || (carom_chunks_open(&c, set, H5T_NATIVE_DOUBLE) && carom_chunks_look(&c, rows));
    if (r->looking) {
        r->bytes += (double)rows * (double)c.columns * sizeof(double);
        carom_chunks_close(&c);
    }
    return done ? CAROM_OK : carom_result_damaged(r, what);
}

static carom_status read_channel_at(carom_result *r, hid_t set, const char *link, int group)
{
    int64_t index = -1;
    hsize_t rows, columns;
    int rank;
    if (!carom_h5_read_attribute(set, "index", H5T_NATIVE_INT64, &index) || index < 0 ||
        (size_t)index >= r->channel_count ||
        r->data[index].link || !carom_h5_measure(set, &rows, &columns, &rank) || columns < 1)
        return foreign(r, "a dataset under /channels or /steps is not a channel");
    carom_channel *c = &r->channels[index];
    *c = (carom_channel){.size = (int)columns, .group = group};
    const char *components;
    CAROM_TRY(read_text(r, set, "name", &c->name));
    CAROM_TRY(read_parts(r, set, c));
    CAROM_TRY(read_text(r, set, "unit", &c->unit));
    CAROM_TRY(read_text(r, set, "description", &c->description));
    CAROM_TRY(read_text(r, set, "components", &components));
    char *names = carom_arena_text(&r->arena, components);
    r->data[index].link = carom_arena_format(&r->arena, "%s/%s", carom_h5_groups[group], link);
    if (!names || !r->data[index].link)
        return carom_fail_memory(r->ctx);
    if (rows < r->rows[group])
        return foreign(r, "a channel has too few rows");
    if (!names[0] && columns != 1)
        return foreign(r, "a channel of several columns has no components");
    CAROM_TRY(look_at_rows(r, set, c->name, r->rows[group]));
    return split_components(r, c, names);
}

typedef struct visit {
    carom_result *result;
    int group;
    carom_status status;
} visit;

static herr_t visit_link(hid_t parent, const char *link, const H5L_info_t *info, void *user)
{
    (void)info;
    visit *v = user;
    if (v->group > 0 && strcmp(link, "time") == 0)
        return 0;
    hid_t set = H5Dopen2(parent, link, H5P_DEFAULT);
    v->status = set < 0 ? carom_result_damaged(v->result, link) : read_channel_at(v->result, set, link, v->group);
    if (set >= 0)
        H5Dclose(set);
    return v->status == CAROM_OK ? 0 : 1;
}

static carom_status count_links(carom_result *r, hid_t group, size_t *count)
{
    H5G_info_t info;
    if (group < 0 || H5Gget_info(group, &info) < 0)
        return foreign(r, "no groups /channels, /steps and /snapshots");
    *count = (size_t)info.nlinks;
    return CAROM_OK;
}

/* Times are read where they are asked for. */
static carom_status check_times(carom_result *r, int group)
{
    hid_t set = H5Dopen2(r->file, carom_result_time_links[group], H5P_DEFAULT);
    hsize_t rows = 0, columns;
    int rank;
    carom_status status = CAROM_OK;
    if (set < 0 || !carom_h5_measure(set, &rows, &columns, &rank) || rank != 1) {
        status = foreign(r, "no times");
    } else if (rows < r->rows[group]) {
        status = foreign(r, "too few times");
    } else {
        status = look_at_rows(r, set, "times", r->rows[group]);
    }
    if (set >= 0)
        H5Dclose(set);
    return status;
}

/* Numbers of complete rows; a file that was not closed may have more that are not. */
static carom_status read_complete(carom_result *r)
{
    int64_t count[CAROM_H5_COMPLETE_COUNT] = {-1, -1, -1, -1, -1};
    hsize_t rows, columns;
    int rank;
    hid_t set = H5Dopen2(r->file, CAROM_H5_COMPLETE, H5P_DEFAULT);
    bool done = set >= 0 && carom_h5_measure(set, &rows, &columns, &rank) && rank == 1 &&
                rows == CAROM_H5_COMPLETE_COUNT && carom_h5_read_rows(set, H5T_NATIVE_INT64, rows, 1, count);
    if (set >= 0)
        H5Dclose(set);
    for (int k = 0; k < CAROM_H5_COMPLETE_COUNT; k++)
        done = done && count[k] >= 0 && count[k] <= INT_MAX;
    if (!done)
        return foreign(r, "no numbers of complete rows");
    r->rows[0] = (size_t)count[0];
    r->rows[1] = (size_t)count[1];
    r->impact_count = (size_t)count[2];
    r->rows[2] = (size_t)count[3];
    r->warning_count = (size_t)count[4];
    return CAROM_OK;
}

static carom_status read_channels(carom_result *r)
{
    hid_t groups[CAROM_H5_GROUPS];
    carom_status status = CAROM_OK;
    for (int g = 0; g < CAROM_H5_GROUPS; g++) {
        size_t count = 0;
        groups[g] = H5Gopen2(r->file, carom_h5_groups[g], H5P_DEFAULT);
        if (status == CAROM_OK)
            status = count_links(r, groups[g], &count);
        if (status == CAROM_OK && g > 0 && !count)
            status = foreign(r, "no times of the steps or snapshots");
        r->channel_count += g > 0 && count ? count - 1 : count;
    }
    if (status == CAROM_OK) {
        r->channels = carom_arena_alloc(&r->arena, r->channel_count, sizeof *r->channels);
        r->data = carom_arena_alloc(&r->arena, r->channel_count, sizeof *r->data);
        if (!r->channels || !r->data)
            status = carom_fail_memory(r->ctx);
    }
    for (int g = 0; status == CAROM_OK && g < CAROM_H5_GROUPS; g++) {
        visit v = {r, g, CAROM_OK};
        if (H5Literate(groups[g], H5_INDEX_NAME, H5_ITER_NATIVE, NULL, visit_link, &v) < 0 && v.status == CAROM_OK)
            v.status = carom_result_damaged(r, "the list of channels");
        status = v.status;
        if (status == CAROM_OK)
            status = check_times(r, g);
    }
    for (int g = 0; g < CAROM_H5_GROUPS; g++)
        if (groups[g] >= 0)
            H5Gclose(groups[g]);
    return status;
}

/* A file unpacks to no more than this. */
static carom_status check_size(const carom_result *r)
{
    hsize_t size = 0;
    return !r->looking || (H5Fget_filesize(r->file, &size) >= 0 && r->bytes <= MOST_RATIO * (double)size)
               ? CAROM_OK
               : foreign(r, "it tells of more rows than it can have");
}

static carom_status order_channels(carom_result *r)
{
    r->by_parts = carom_arena_alloc(&r->arena, r->channel_count, sizeof *r->by_parts);
    if (!r->by_parts)
        return carom_fail_memory(r->ctx);
    for (size_t k = 0; k < r->channel_count; k++)
        r->by_parts[k] = &r->channels[k];
    qsort(r->by_parts, r->channel_count, sizeof *r->by_parts, carom_result_compare_parts);
    return CAROM_OK;
}

/* Names of all columns: "time", scalars, components. */
static carom_status list_columns(carom_result *r)
{
    size_t count = 1;
    for (size_t k = 0; k < r->channel_count; k++)
        count += (size_t)r->channels[k].size;
    r->columns = carom_arena_alloc(&r->arena, count, sizeof *r->columns);
    if (!r->columns)
        return carom_fail_memory(r->ctx);
    r->columns[r->column_count++] = "time";
    for (size_t k = 0; k < r->channel_count; k++) {
        const carom_channel *c = &r->channels[k];
        for (int i = 0; i < c->size; i++) {
            const char *name =
                c->components ? carom_arena_format(&r->arena, "%s.%s", c->name, c->components[i]) : c->name;
            if (!name)
                return carom_fail_memory(r->ctx);
            r->columns[r->column_count++] = name;
        }
    }
    return CAROM_OK;
}

/* ---- tables ---- */

/* Reads `count` texts of fixed length of a dataset into the arena, `size` bytes each. */
static carom_status read_texts(carom_result *r, hid_t set, const char *what, size_t count, char **out, size_t *size)
{
    hid_t type = H5Dget_type(set);
    bool fits = type >= 0 && H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) == 0;
    *size = fits ? H5Tget_size(type) : 0;
    carom_status status = CAROM_OK;
    *out = *size && *size < TEXT_LIMIT ? carom_arena_alloc(&r->arena, count, *size) : NULL;
    if (!*size)
        status = foreign(r, "a table holds no text of fixed length");
    else if (!*out)
        status = carom_fail_memory(r->ctx);
    else if (!carom_h5_read_rows(set, type, count, 1, *out))
        status = carom_result_damaged(r, what);
    for (size_t k = 0; status == CAROM_OK && k < count; k++)
        (*out)[k * *size + *size - 1] = '\0';
    if (type >= 0)
        H5Tclose(type);
    return status;
}

static carom_status read_names(carom_result *r, hid_t set)
{
    char *names;
    size_t size;
    CAROM_TRY(read_texts(r, set, "impacts/contact", r->impact_count, &names, &size));
    for (size_t k = 0; k < r->impact_count; k++)
        r->impacts[k].contact = names + k * size;
    return CAROM_OK;
}

static carom_status read_warnings(carom_result *r)
{
    hid_t set = H5Dopen2(r->file, "warnings", H5P_DEFAULT);
    if (set < 0)
        return carom_result_damaged(r, "warnings");
    char *texts;
    size_t size;
    r->warnings = carom_arena_alloc(&r->arena, r->warning_count, sizeof *r->warnings);
    carom_status status = r->warnings ? read_texts(r, set, "warnings", r->warning_count, &texts, &size)
                                      : carom_fail_memory(r->ctx);
    for (size_t k = 0; status == CAROM_OK && k < r->warning_count; k++)
        r->warnings[k] = texts + k * size;
    H5Dclose(set);
    return status;
}

static carom_status read_overrides(carom_result *r)
{
    hid_t set = H5Dopen2(r->file, "overrides", H5P_DEFAULT);
    hsize_t count = 0, columns;
    int rank;
    char *texts;
    size_t size;
    if (set < 0 || !carom_h5_measure(set, &count, &columns, &rank) || rank != 1) {
        if (set >= 0)
            H5Dclose(set);
        return carom_result_damaged(r, "overrides");
    }
    r->override_count = (size_t)count;
    r->overrides = carom_arena_alloc(&r->arena, r->override_count, sizeof *r->overrides);
    carom_status status = r->overrides ? read_texts(r, set, "overrides", r->override_count, &texts, &size)
                                       : carom_fail_memory(r->ctx);
    for (size_t k = 0; status == CAROM_OK && k < r->override_count; k++)
        r->overrides[k] = texts + k * size;
    H5Dclose(set);
    return status;
}

/* Reads one column; `buffer` takes impact_count numbers or indices. */
static carom_status read_impact_column(carom_result *r, const carom_field *f, void *buffer)
{
    char link[64];
    snprintf(link, sizeof link, "impacts/%s", f->name);
    hid_t set = H5Dopen2(r->file, link, H5P_DEFAULT);
    if (set < 0 && f == &carom_impact_field[CAROM_IMPACT_FIELD_peak_time]) {
        /* files of former versions have none */
        for (size_t k = 0; k < r->impact_count; k++)
            r->impacts[k].peak_time = (double)NAN;
        return CAROM_OK;
    }
    if (set < 0)
        return carom_result_damaged(r, link);
    carom_status status = CAROM_OK;
    if (f->type == CAROM_FIELD_TEXT)
        status = read_names(r, set);
    else if (!carom_h5_read_rows(set, f->type == CAROM_FIELD_INDEX ? H5T_NATIVE_INT64 : H5T_NATIVE_DOUBLE,
                                 r->impact_count, 1, buffer))
        status = carom_result_damaged(r, link);
    for (size_t k = 0; status == CAROM_OK && k < r->impact_count; k++) {
        if (f->type == CAROM_FIELD_INDEX)
            r->impacts[k].contact_index = (size_t)((const int64_t *)buffer)[k];
        else if (f->type == CAROM_FIELD_NUMBER)
            memcpy((char *)&r->impacts[k] + f->offset, (const double *)buffer + k, sizeof(double));
    }
    H5Dclose(set);
    return status;
}

static int compare_onsets(const void *a, const void *b)
{
    const carom_impact *const *x = a, *const *y = b;
    if ((*x)->onset != (*y)->onset)
        return (*x)->onset < (*y)->onset ? -1 : 1;
    return *x < *y ? -1 : 1;
}

/* Impacts are written in order of their end; sorts them by onset, equal ones as they are. */
static carom_status sort_impacts(carom_result *r)
{
    size_t count = r->impact_count;
    carom_impact *sorted = carom_arena_alloc(&r->arena, count, sizeof *sorted);
    const carom_impact **order = carom_allocate(r->ctx, count, sizeof *order);
    carom_status status = sorted && order ? CAROM_OK : carom_fail_memory(r->ctx);
    for (size_t k = 0; status == CAROM_OK && k < count; k++)
        order[k] = &r->impacts[k];
    if (status == CAROM_OK)
        qsort(order, count, sizeof *order, compare_onsets);
    for (size_t k = 0; status == CAROM_OK && k < count; k++)
        sorted[k] = *order[k];
    if (status == CAROM_OK)
        r->impacts = sorted;
    carom_release(r->ctx, order, count, sizeof *order);
    return status;
}

static carom_status read_impacts(carom_result *r)
{
    r->impacts = carom_arena_alloc(&r->arena, r->impact_count, sizeof *r->impacts);
    void *buffer = carom_allocate(r->ctx, r->impact_count, sizeof(double));
    carom_status status = r->impacts && buffer ? CAROM_OK : carom_fail_memory(r->ctx);
    for (size_t k = 0; status == CAROM_OK && k < CAROM_IMPACT_FIELDS; k++)
        status = read_impact_column(r, &carom_impact_field[k], buffer);
    carom_release(r->ctx, buffer, r->impact_count, sizeof(double));
    return status == CAROM_OK ? sort_impacts(r) : status;
}

static carom_status read_rows(carom_result *r, const carom_table_kind *kind, void **rows, size_t *count)
{
    const carom_status status = carom_row_table_read(r->file, kind, &r->arena, rows, count);
    return status == CAROM_ERROR_MEMORY ? carom_fail_memory(r->ctx)
           : status == CAROM_OK         ? CAROM_OK
                                        : carom_result_damaged(r, kind->group);
}

static carom_status read_tables(carom_result *r)
{
    void *rows;
    CAROM_TRY(read_rows(r, &carom_event_table, &rows, &r->event_count));
    r->events = rows;
    CAROM_TRY(read_rows(r, &carom_rest_table, &rows, &r->rest_count));
    r->rests = rows;
    return CAROM_OK;
}

static carom_status read_ledger(carom_result *r)
{
    hid_t group = H5Gopen2(r->file, "ledger", H5P_DEFAULT);
    bool done = group >= 0;
    for (size_t k = 0; done && k < CAROM_LEDGER_FIELDS; k++) {
        const carom_field *f = &carom_ledger_field[k];
        double value = 0;
        done = carom_h5_read_attribute(group, f->name, H5T_NATIVE_DOUBLE, &value);
        memcpy((char *)&r->ledger + f->offset, &value, sizeof value);
    }
    if (group >= 0)
        H5Gclose(group);
    return done ? CAROM_OK : foreign(r, "no ledger");
}

static carom_status read_all(carom_result *r)
{
    const char *format;
    CAROM_TRY(read_text(r, r->file, "format", &format));
    if (strcmp(format, CAROM_H5_FORMAT) != 0) {
        char what[128];
        snprintf(what, sizeof what, "its format is '%.60s' instead of '" CAROM_H5_FORMAT "'", format);
        return foreign(r, what);
    }
    CAROM_TRY(read_text(r, r->file, "version", &r->version));
    CAROM_TRY(read_text(r, r->file, "model_name", &r->model_name));
    CAROM_TRY(read_text(r, r->file, "title", &r->title));
    CAROM_TRY(read_text(r, r->file, "model_text", &r->model_text));
    CAROM_TRY(read_text(r, r->file, "options", &r->options));
    r->methods = ""; /* files of former versions have none */
    if (H5Aexists(r->file, "methods") > 0)
        CAROM_TRY(read_text(r, r->file, "methods", &r->methods));
    CAROM_TRY(read_text(r, r->file, "host", &r->host));
    CAROM_TRY(read_text(r, r->file, "status", &r->status));
    CAROM_TRY(read_complete(r));
    CAROM_TRY(read_overrides(r));
    CAROM_TRY(read_channels(r));
    CAROM_TRY(check_size(r));
    CAROM_TRY(order_channels(r));
    CAROM_TRY(list_columns(r));
    CAROM_TRY(read_impacts(r));
    CAROM_TRY(read_tables(r));
    CAROM_TRY(read_warnings(r));
    return read_ledger(r);
}

/* ---- opening ---- */

/* What can be said about a file without HDF5. */
static carom_status check_file(carom_context *ctx, const char *path)
{
    static const unsigned char mark[8] = {0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n'};
    struct stat info;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return carom_fail_open(ctx, path);
    unsigned char start[8] = {0};
    bool ordinary = fstat(file, &info) == 0 && S_ISREG(info.st_mode);
    ssize_t got = ordinary ? read(file, start, sizeof start) : 0;
    close(file);
    if (!ordinary)
        return carom_fail(ctx, CAROM_ERROR_IO, NULL, "%s: is not an ordinary file; check the name", path);
    if (got != (ssize_t)sizeof start || memcmp(start, mark, sizeof mark) != 0)
        return carom_fail(ctx, CAROM_ERROR_IO, NULL,
                          "%s: %s, so it is not a result of Carom; give a file that `carom run` wrote", path,
                          info.st_size == 0 ? "is empty" : "is not an HDF5 file");
    return CAROM_OK;
}

/* On failure `reason` holds HDF5's; it takes `size` bytes. */
static hid_t open_with(const char *path, unsigned flags, char *reason, size_t size)
{
    hid_t list = carom_h5_access(flags & H5F_ACC_SWMR_READ);
    hid_t file = list < 0 ? -1 : H5Fopen(path, flags, list);
    if (file < 0)
        carom_h5_reason(reason, size);
    if (list >= 0)
        H5Pclose(list);
    return file;
}

/* Opens an ordinary file, else one whose writer has not closed it. */
static carom_status open_file(carom_result *r)
{
    char reason[512], other[512];
    if (carom_h5_is_lost(r->path))
        return carom_fail(r->ctx, CAROM_ERROR_IO, NULL,
                          "%s: could not be closed by this program when a write had failed, which cannot read it "
                          "either; read it with another one", r->path);
    r->file = open_with(r->path, H5F_ACC_RDONLY, reason, sizeof reason);
    if (r->file >= 0)
        return CAROM_OK;
    r->file = open_with(r->path, H5F_ACC_RDONLY | H5F_ACC_SWMR_READ, other, sizeof other);
    r->swmr = true;
    if (r->file >= 0)
        return CAROM_OK;
    if (strncmp(reason, "truncated", 9) == 0)
        return carom_fail(r->ctx, CAROM_ERROR_IO, NULL, "%s: is truncated (%s); copy it again or run again", r->path,
                          reason);
    return carom_fail(r->ctx, CAROM_ERROR_IO, NULL,
                      "%s: cannot be opened (%s); it was left before its first row or is damaged, run again", r->path,
                      reason);
}

/* After a file that was not closed was read: if no writer holds it, repairs it if it may be written. `closed`: it opens
   as an ordinary file by now, because its writer closed it meanwhile, or because there was no place for another open
   file; what was read is not what it holds. */
static carom_status settle(carom_result *r, bool *closed)
{
    char reason[512];
    *closed = false;
    if (!r->swmr)
        return CAROM_OK;
    H5Fclose(r->file);      /* HDF5 has a lock of its own, which would look like a writer's */
    r->file = -1;
    if (!carom_h5_is_being_written(r->path)) {
        r->file = open_with(r->path, H5F_ACC_RDONLY, reason, sizeof reason);
        *closed = r->file >= 0;
        if (*closed)
            return CAROM_OK;
        r->status = "killed";
        r->mended = access(r->path, W_OK) == 0 && carom_h5_repair(r->path, r->status);
        r->swmr = !r->mended;
    }
    r->file = open_with(r->path, r->swmr ? H5F_ACC_RDONLY | H5F_ACC_SWMR_READ : H5F_ACC_RDONLY, reason, sizeof reason);
    if (r->file >= 0)
        return CAROM_OK;
    return carom_fail(r->ctx, CAROM_ERROR_IO, NULL, "%s: cannot be opened (%s); try again", r->path, reason);
}

/* `looking`: at where the rows are, too, which are read later on. `again`: for the second time. */
static carom_status open_result(carom_context *ctx, const char *path, bool looking, bool again, carom_result **out)
{
    carom_result *r = carom_allocate(ctx, 1, sizeof *r);
    if (!r)
        return carom_fail_memory(ctx);
    r->ctx = ctx;
    r->file = -1;
    r->looking = looking;
    carom_arena_init(&r->arena, ctx);
    carom_h5_scope scope;
    carom_h5_enter(&scope);
    bool closed = false;
    r->path = carom_arena_text(&r->arena, path);
    carom_status status = r->path ? open_file(r) : carom_fail_memory(ctx);
    if (status == CAROM_OK)
        status = read_all(r);
    if (status == CAROM_OK)
        status = settle(r, &closed);
    if (status == CAROM_OK && !closed)
        carom_h5_take_own(r->path, &r->own);
    carom_h5_leave(&scope);
    if (status == CAROM_OK && !closed) {
        *out = r;
        return CAROM_OK;
    }
    carom_result_close(r);
    if (!closed)
        return status;
    if (again)
        return carom_fail(ctx, CAROM_ERROR_IO, NULL, "%s: cannot be opened at every try; try again", path);
    return open_result(ctx, path, looking, true, out);
}

/* ---- the first look ---- */

static carom_status look_once(carom_context *ctx, const char *path, bool *mended)
{
    carom_result *r;
    const carom_result_derivative *derivatives;
    size_t count;
    CAROM_TRY(open_result(ctx, path, true, false, &r));
    *mended = r->mended;
    const carom_status status = carom_result_derivatives(r, &derivatives, &count);
    carom_result_close(r);
    return status;
}

/* Of a file that was mended the caller reads what it has become. */
static carom_status look_at(carom_context *ctx, const char *path)
{
    bool mended;
    CAROM_TRY(look_once(ctx, path, &mended));
    return mended ? look_once(ctx, path, &mended) : CAROM_OK;
}

carom_status carom_result_open(carom_context *ctx, const char *path, carom_result **out)
{
    CAROM_NEED(ctx, ctx);
    CAROM_NEED(ctx, out);
    *out = NULL;
    if (!path || !path[0])
        return carom_fail(ctx, CAROM_ERROR_USAGE, NULL, "a result needs a path; give the name of a file");
    CAROM_TRY(check_file(ctx, path));
    CAROM_TRY(carom_look(ctx, path, look_at));
    return open_result(ctx, path, false, false, out);
}

void carom_result_close(carom_result *result)
{
    if (!result)
        return;
    carom_context *ctx = result->ctx;
    carom_result_show_all(result);
    carom_h5_scope scope;
    carom_h5_enter(&scope);
    if (result->file >= 0)
        H5Fclose(result->file);
    carom_h5_drop_own(&result->own);
    carom_h5_leave(&scope);
    for (size_t k = 0; result->data && k < result->channel_count; k++) {
        const carom_channel *c = &result->channels[k];
        carom_release(ctx, result->data[k].values, result->rows[c->group] * (size_t)c->size, sizeof(double));
    }
    for (int g = 0; g < CAROM_H5_GROUPS; g++)
        carom_release(ctx, result->times[g], result->rows[g], sizeof(double));
    carom_arena_free(&result->arena);
    carom_release(ctx, result, 1, sizeof *result);
}

/* ---- what was read ---- */

const char *carom_result_model_name(const carom_result *result) { return result ? result->model_name : ""; }
const char *carom_result_title(const carom_result *result) { return result ? result->title : ""; }
const char *carom_result_model_text(const carom_result *result) { return result ? result->model_text : ""; }
const char *carom_result_options(const carom_result *result) { return result ? result->options : ""; }

const char *carom_result_methods(const carom_result *result) { return result ? result->methods : ""; }
const char *const *carom_result_overrides(const carom_result *result, size_t *count)
{
    if (!result)
        return carom_give_none(count);
    carom_give_count(count, result->override_count);
    return result->overrides;
}
const char *carom_result_version(const carom_result *result) { return result ? result->version : ""; }
const char *carom_result_host(const carom_result *result) { return result ? result->host : ""; }
const char *carom_result_status(const carom_result *result) { return result ? result->status : ""; }
carom_context *carom_result_context(carom_result *result) { return result->ctx; }
carom_arena *carom_result_arena(carom_result *result) { return &result->arena; }
struct carom_merged **carom_result_merged(carom_result *result) { return &result->merged; }
const char *carom_result_path(const carom_result *result) { return result->path; }

const carom_channel *carom_result_channels(const carom_result *result, size_t *count)
{
    if (!result)
        return carom_give_none(count);
    carom_give_count(count, result->channel_count);
    return result->channels;
}

const carom_impact *carom_result_impacts(const carom_result *result, size_t *count)
{
    if (!result)
        return carom_give_none(count);
    carom_give_count(count, result->impact_count);
    return result->impacts;
}

const carom_rest *carom_result_rests(const carom_result *result, size_t *count)
{
    if (!result)
        return carom_give_none(count);
    carom_give_count(count, result->rest_count);
    return result->rests;
}

const carom_fired_event *carom_result_events(const carom_result *result, size_t *count)
{
    if (!result)
        return carom_give_none(count);
    carom_give_count(count, result->event_count);
    return result->events;
}

const char *const *carom_result_warnings(const carom_result *result, size_t *count)
{
    if (!result)
        return carom_give_none(count);
    carom_give_count(count, result->warning_count);
    return result->warnings;
}

bool carom_result_ledger(const carom_result *result, carom_ledger *out)
{
    if (!result || !out)
        return false;
    *out = result->ledger;
    return !isnan(result->ledger.start) || !isnan(result->ledger.kinetic);
}
