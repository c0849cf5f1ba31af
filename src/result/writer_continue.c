/* A result that goes on where the writer of a former process was saved. HDF5 cannot be given back the state in which
   that process had it, by which every byte of the file is placed: so the file is made anew, with the same writes in the
   same order, whose chunks are copied as they are, packed. */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif
#include "result/reader.h"
#include "result/writer.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

typedef struct saved_group {
    uint64_t rows, written, width, chunk;
} saved_group;

typedef struct header {
    char magic[8];
    uint64_t hash;              /* of all bytes, taken with 0 here */
    uint64_t channels, name_size, impact_size;
    uint64_t writes, impacts, held, events, events_held, rests, rests_held;
    uint64_t content;           /* hash of what was written */
    saved_group groups[CAROM_H5_GROUPS];
    double last_time;           /* [s] */
} header;

static const char magic[8] = "caromwr1";

static uint64_t hash_of(header h, const unsigned char *rest, size_t size)
{
    h.hash = 0;
    return carom_hash(rest, size, carom_hash(&h, sizeof h, 0));
}

static header describe(const carom_writer *w)
{
    header h = {.channels = w->channel_count,
                .name_size = w->name_size,
                .impact_size = sizeof(carom_impact),
                .writes = w->write_count,
                .impacts = w->impact_rows,
                .held = w->held_count,
                .events = w->events.rows,
                .events_held = w->events.held_count,
                .rests = w->rests.rows,
                .rests_held = w->rests.held_count,
                .content = w->hash,
                .last_time = w->last_time};
    memcpy(h.magic, magic, sizeof magic);
    for (int k = 0; k < CAROM_H5_GROUPS; k++) {
        const carom_row_group *g = &w->groups[k];
        h.groups[k] = (saved_group){g->rows, g->written, g->width, g->chunk};
    }
    return h;
}

/* Bytes behind the header. */
static size_t content_size(const carom_writer *w, const header *h)
{
    size_t size = h->writes * sizeof(carom_write) + h->held * (sizeof(carom_impact) + h->name_size) +
                  h->events_held * w->events.kind->bytes + h->rests_held * w->rests.kind->bytes;
    for (int k = 0; k < CAROM_H5_GROUPS; k++)
        size += (h->groups[k].rows - h->groups[k].written) * (h->groups[k].width + 1) * sizeof(double);
    return size;
}

/* ---- saving ---- */

static void put(unsigned char **to, const void *from, size_t size)
{
    if (size)
        memcpy(*to, from, size);
    *to += size;
}

static void write_content(const carom_writer *w, unsigned char *to)
{
    put(&to, w->writes, w->write_count * sizeof *w->writes);
    for (size_t k = 0; k < w->held_count; k++) {
        carom_impact impact = w->held[k];
        impact.contact = NULL; /* its name stands behind */
        put(&to, &impact, sizeof impact);
    }
    put(&to, w->names, w->held_count * w->name_size);
    put(&to, w->events.held, w->events.held_count * w->events.kind->bytes);
    put(&to, w->rests.held, w->rests.held_count * w->rests.kind->bytes);
    for (int group = 0; group < CAROM_H5_GROUPS; group++) {
        const carom_row_group *g = &w->groups[group];
        const size_t used = (size_t)(g->rows - g->written);
        put(&to, g->time.chunk, used * sizeof(double));
        for (size_t k = 0; k < w->channel_count; k++)
            if (w->channels[k].group == group)
                put(&to, w->channels[k].chunk, used * w->channels[k].size * sizeof(double));
    }
}

carom_status carom_writer_save(carom_writer *w, unsigned char **bytes, size_t *size)
{
    CAROM_NEED_AS(NULL, w, "writer");
    CAROM_NEED(w->ctx, bytes);
    CAROM_NEED(w->ctx, size);
    *bytes = NULL;
    *size = 0;
    if (w->failed)
        return carom_fail(w->ctx, CAROM_ERROR_IO, NULL, "%s: is incomplete because an earlier write failed", w->path);
    bool whole = w->resumable;
    for (int k = 0; k < CAROM_H5_GROUPS; k++)
        whole = whole && w->groups[k].written % w->groups[k].chunk == 0;
    if (!whole)
        return carom_fail(w->ctx, CAROM_ERROR_USAGE, NULL,
                          "%s: its writer cannot be saved: it was not made resumable, or has been given blocks that "
                          "are not whole",
                          w->path);
    if (w->disk < 0 || fdatasync(w->disk) != 0)
        return carom_fail(w->ctx, CAROM_ERROR_IO, NULL, "%s: cannot be written: %s; write to another folder", w->path,
                          strerror(errno));
    header h = describe(w);
    const size_t rest = content_size(w, &h);
    unsigned char *block = carom_allocate(w->ctx, sizeof h + rest, 1);
    if (!block)
        return carom_fail_memory(w->ctx);
    write_content(w, block + sizeof h);
    h.hash = hash_of(h, block + sizeof h, rest);
    memcpy(block, &h, sizeof h);
    *bytes = block;
    *size = sizeof h + rest;
    return CAROM_OK;
}

/* ---- the former file ---- */

/* What is copied, and how far. */
typedef struct copy {
    carom_writer *w;
    carom_result *from;
    const carom_write *writes;
    header h;
    carom_arena arena;
    carom_impact *impacts;      /* all in the file, */
    char *names;                /* with their names, name_size bytes each */
    carom_fired_event *events;
    carom_rest *rests;
    size_t impact, event, rest; /* those that have been copied */
    hid_t *sets;                /* of each channel, then the times of each group */
    unsigned char *chunk;
    size_t room;
} copy;

static carom_status damaged(const copy *c, const char *what)
{
    return carom_fail(c->w->ctx, CAROM_ERROR_IO, NULL,
                      "%s: %s; the result cannot go on: remove it and what was saved of its run, and run again",
                      c->from->path, what);
}

static carom_status foreign(const copy *c)
{
    return carom_fail(c->w->ctx, CAROM_ERROR_USAGE, NULL,
                      "%s: is not the result of the run that was saved; give another folder, or remove what was saved "
                      "to begin anew",
                      c->from->path);
}

/* Reads a column of the impacts into the structs. */
static bool read_field(copy *c, hid_t group, const carom_field *f)
{
    const size_t count = (size_t)c->h.impacts;
    hid_t set = H5Dopen2(group, f->name, H5P_DEFAULT);
    hid_t type = f->type == CAROM_FIELD_TEXT    ? carom_h5_text_type(c->w->name_size)
                 : f->type == CAROM_FIELD_INDEX ? H5T_NATIVE_INT64
                                                : H5T_NATIVE_DOUBLE;
    double *numbers = f->type == CAROM_FIELD_TEXT ? NULL : carom_arena_alloc(&c->arena, count, sizeof *numbers);
    void *to = f->type == CAROM_FIELD_TEXT ? (void *)c->names : (void *)numbers;
    hsize_t rows = 0, columns;
    int rank;
    const bool done = set >= 0 && to && carom_h5_measure(set, &rows, &columns, &rank) && rank == 1 && rows >= count &&
                      carom_h5_read_rows(set, type, count, 1, to);
    for (size_t k = 0; done && numbers && k < count; k++) {
        int64_t index;
        memcpy(&index, &numbers[k], sizeof index);
        if (f->type == CAROM_FIELD_INDEX)
            c->impacts[k].contact_index = (size_t)index;
        else
            memcpy((char *)&c->impacts[k] + f->offset, &numbers[k], sizeof numbers[k]);
    }
    if (f->type == CAROM_FIELD_TEXT && type >= 0)
        H5Tclose(type);
    if (set >= 0)
        H5Dclose(set);
    return done;
}

static carom_status read_impacts(copy *c)
{
    const size_t count = (size_t)c->h.impacts;
    if (!count)
        return CAROM_OK;
    if (c->h.impacts > c->from->impact_count)
        return damaged(c, "impacts are missing");
    c->impacts = carom_arena_alloc(&c->arena, count, sizeof *c->impacts);
    c->names = carom_arena_alloc(&c->arena, count, c->w->name_size);
    if (!c->impacts || !c->names)
        return carom_fail_memory(c->w->ctx);
    hid_t group = H5Gopen2(c->from->file, "impacts", H5P_DEFAULT);
    bool done = group >= 0;
    for (size_t k = 0; done && k < CAROM_IMPACT_FIELDS; k++)
        done = read_field(c, group, &carom_impact_field[k]);
    if (group >= 0)
        H5Gclose(group);
    for (size_t k = 0; done && k < count; k++)
        c->impacts[k].contact = c->names + k * c->w->name_size;
    return done ? CAROM_OK : damaged(c, "impacts cannot be read");
}

/* Rows of a table in the order in which they were written. */
static carom_status read_table(copy *c, const carom_table_kind *kind, size_t least, void **out)
{
    size_t count = 0;
    carom_table_kind as_written = *kind;
    as_written.order = NULL;
    const carom_status status =
        least ? carom_row_table_read(c->from->file, &as_written, &c->arena, out, &count) : CAROM_OK;
    if (status == CAROM_ERROR_MEMORY)
        return carom_fail_memory(c->w->ctx);
    return status == CAROM_OK && count >= least ? CAROM_OK : damaged(c, "events or rests cannot be read");
}

static carom_status open_sets(copy *c)
{
    const size_t count = c->w->channel_count;
    c->sets = carom_arena_alloc(&c->arena, count + CAROM_H5_GROUPS, sizeof *c->sets);
    if (!c->sets)
        return carom_fail_memory(c->w->ctx);
    bool done = true;
    for (size_t k = 0; k < count + CAROM_H5_GROUPS; k++) {
        const char *link = k < count ? c->w->channels[k].link : carom_result_time_links[k - count];
        c->sets[k] = done ? H5Dopen2(c->from->file, link, H5P_DEFAULT) : -1;
        done = c->sets[k] >= 0;
    }
    return done ? CAROM_OK : foreign(c);
}

static void end_copy(copy *c)
{
    for (size_t k = 0; c->sets && k < c->w->channel_count + CAROM_H5_GROUPS; k++)
        if (c->sets[k] >= 0)
            H5Dclose(c->sets[k]);
    carom_release(c->w->ctx, c->chunk, c->room, 1);
    carom_arena_free(&c->arena);
}

/* ---- copying ---- */

/* Copies the chunk of a column that begins with row `first`, as it is. */
static carom_status copy_chunk(copy *c, const carom_column *column, hid_t from, size_t rows, hsize_t first)
{
    const hsize_t place[2] = {first, 0};
    /* what does not pack is stored, with a few bytes for each block of deflate */
    const size_t most = 2 * rows * column->size * sizeof(double) + 4096;
    hsize_t size = 0;
    carom_packed packed = {.mask = 0};
    if (H5Dget_chunk_storage_size(from, place, &size) < 0 || size == 0 || size > most)
        return damaged(c, "a block of rows is missing");
    CAROM_TRY(carom_grow(c->w->ctx, &c->chunk, &c->room, (size_t)size, 1));
    if (H5Dread_chunk(from, H5P_DEFAULT, place, &packed.mask, c->chunk) < 0)
        return damaged(c, "a block of rows cannot be read");
    packed.bytes = c->chunk;
    packed.size = (size_t)size;
    c->w->hash = carom_hash(packed.bytes, packed.size, c->w->hash);
    return carom_column_write(column, c->w->file, first, rows, &packed) ? CAROM_OK
                                                                        : carom_writer_fail(c->w, "cannot be written");
}

static carom_status copy_chunks(copy *c, int group)
{
    carom_writer *w = c->w;
    carom_row_group *g = &w->groups[group];
    for (size_t k = 0; k < w->channel_count; k++)
        if (w->channels[k].group == group)
            CAROM_TRY(copy_chunk(c, &w->channels[k], c->sets[k], g->chunk, g->written));
    CAROM_TRY(copy_chunk(c, &g->time, c->sets[w->channel_count + (size_t)group], g->chunk, g->written));
    g->written += g->chunk;
    return CAROM_OK;
}

/* Holds what one write took of the tables. */
static carom_status hold(copy *c, const carom_write *write)
{
    carom_writer *w = c->w;
    if (write->impacts > CAROM_IMPACTS_HELD || write->events > CAROM_TABLE_CHUNK || write->rests > CAROM_TABLE_CHUNK ||
        write->impacts > c->h.impacts - c->impact || write->events > c->h.events - c->event ||
        write->rests > c->h.rests - c->rest)
        return damaged(c, "what was saved of its writes is wrong");
    for (size_t k = 0; k < write->impacts; k++) {
        memcpy(w->names + k * w->name_size, c->names + c->impact * w->name_size, w->name_size);
        w->held[k] = c->impacts[c->impact++];
    }
    w->held_count = write->impacts;
    for (size_t k = 0; k < write->events; k++)
        carom_row_table_hold(&w->events, &c->events[c->event++]);
    for (size_t k = 0; k < write->rests; k++)
        carom_row_table_hold(&w->rests, &c->rests[c->rest++]);
    return CAROM_OK;
}

static carom_status copy_write(copy *c, const carom_write *write)
{
    carom_writer *w = c->w;
    CAROM_TRY(hold(c, write));
    if (write->group == CAROM_H5_GROUPS)
        return carom_writer_write_held(w);
    if (write->group > CAROM_H5_GROUPS)
        return damaged(c, "what was saved of its writes is wrong");
    carom_row_group *g = &w->groups[write->group];
    const saved_group *saved = &c->h.groups[write->group];
    if (write->chunks > (saved->written - g->written) / g->chunk)
        return damaged(c, "what was saved of its writes is wrong");
    haddr_t before = 0;
    CAROM_TRY(carom_writer_note(w, write->group, write->chunks));
    CAROM_TRY(carom_writer_begin_rows(w, write->group, write->chunks * g->chunk, &before));
    for (size_t k = 0; k < write->chunks; k++) {
        g->rows += g->chunk;
        CAROM_TRY(copy_chunks(c, write->group));
    }
    return carom_writer_end_rows(w, before);
}

static carom_status copy_all(copy *c)
{
    CAROM_TRY(read_impacts(c));
    CAROM_TRY(read_table(c, &carom_event_table, (size_t)c->h.events, (void **)&c->events));
    CAROM_TRY(read_table(c, &carom_rest_table, (size_t)c->h.rests, (void **)&c->rests));
    CAROM_TRY(open_sets(c));
    for (size_t k = 0; k < c->h.writes; k++)
        CAROM_TRY(copy_write(c, &c->writes[k]));
    for (int k = 0; k < CAROM_H5_GROUPS; k++)
        if (c->w->groups[k].written != c->h.groups[k].written)
            return damaged(c, "what was saved of its writes is wrong");
    return c->w->hash == c->h.content ? CAROM_OK : foreign(c);
}

/* ---- going on ---- */

/* Whether the bytes are those of such a writer. */
static carom_status check(const carom_writer *w, const unsigned char *bytes, size_t size, header *h)
{
    bool fits = bytes && size >= sizeof *h;
    if (fits)
        memcpy(h, bytes, sizeof *h);
    if (!fits || memcmp(h->magic, magic, sizeof magic) != 0 ||
        h->hash != hash_of(*h, bytes + sizeof *h, size - sizeof *h))
        return carom_fail(w->ctx, CAROM_ERROR_IO, NULL, "what was saved of a writer is damaged or truncated");
    fits = h->channels == w->channel_count && h->name_size == w->name_size && h->impact_size == sizeof(carom_impact);
    bool sound = h->writes <= size / sizeof(carom_write) && h->held <= CAROM_IMPACTS_HELD &&
                 h->events_held <= CAROM_TABLE_CHUNK && h->rests_held <= CAROM_TABLE_CHUNK;
    for (int k = 0; k < CAROM_H5_GROUPS; k++) {
        const saved_group *g = &h->groups[k];
        fits = fits && g->width == w->groups[k].width && g->chunk == w->groups[k].chunk;
        sound = sound && fits && g->written <= g->rows && g->rows - g->written < g->chunk &&
                g->written % g->chunk == 0;
    }
    if (!fits)
        return carom_fail(w->ctx, CAROM_ERROR_USAGE, NULL, "%s: other channels are recorded than those that were saved",
                          w->path);
    if (!sound || size != sizeof *h + content_size(w, h))
        return carom_fail(w->ctx, CAROM_ERROR_IO, NULL, "what was saved of a writer is damaged or truncated");
    return CAROM_OK;
}

static void take(const unsigned char **from, void *to, size_t size)
{
    if (size)
        memcpy(to, *from, size);
    *from += size;
}

/* Rows, impacts, events and rests that waited. */
static void take_waiting(carom_writer *w, const header *h, const unsigned char *from)
{
    w->held_count = (size_t)h->held;
    take(&from, w->held, w->held_count * sizeof *w->held);
    take(&from, w->names, w->held_count * w->name_size);
    for (size_t k = 0; k < w->held_count; k++)
        w->held[k].contact = w->names + k * w->name_size;
    w->events.held_count = (size_t)h->events_held;
    take(&from, w->events.held, w->events.held_count * w->events.kind->bytes);
    w->rests.held_count = (size_t)h->rests_held;
    take(&from, w->rests.held, w->rests.held_count * w->rests.kind->bytes);
    for (int group = 0; group < CAROM_H5_GROUPS; group++) {
        carom_row_group *g = &w->groups[group];
        const size_t used = (size_t)(h->groups[group].rows - h->groups[group].written);
        g->rows = h->groups[group].rows;
        take(&from, g->time.chunk, used * sizeof(double));
        for (size_t k = 0; k < w->channel_count; k++)
            if (w->channels[k].group == group)
                take(&from, w->channels[k].chunk, used * w->channels[k].size * sizeof(double));
    }
    w->last_time = h->last_time;
}

static carom_status fill(carom_writer *w, carom_result *from, const unsigned char *bytes, size_t size)
{
    copy c = {.w = w, .from = from};
    CAROM_TRY(check(w, bytes, size, &c.h));
    carom_write *writes = carom_allocate(w->ctx, (size_t)c.h.writes, sizeof *writes);
    if (!writes)
        return carom_fail_memory(w->ctx);
    const unsigned char *rest = bytes + sizeof c.h;
    take(&rest, writes, (size_t)c.h.writes * sizeof *writes);
    c.writes = writes;
    carom_arena_init(&c.arena, w->ctx);
    carom_h5_scope scope;
    carom_h5_enter(&scope);
    carom_status status = copy_all(&c);
    end_copy(&c);
    carom_h5_leave(&scope);
    carom_release(w->ctx, writes, (size_t)c.h.writes, sizeof *writes);
    if (status == CAROM_OK)
        take_waiting(w, &c.h, rest);
    return status;
}

/* Puts the new file in the place of the former one. */
static carom_status put_in_place(carom_writer *w, const char *path)
{
    char *own = carom_arena_text(&w->arena, path);
    if (!own)
        return carom_fail_memory(w->ctx);
    if ((w->disk >= 0 && fdatasync(w->disk) != 0) || rename(w->path, path) != 0)
        return carom_fail(w->ctx, CAROM_ERROR_IO, NULL, "%s: cannot be renamed to '%s': %s", w->path, path,
                          strerror(errno));
    w->path = own;
    return CAROM_OK;
}

carom_status carom_writer_continue(carom_context *ctx, const carom_writer_def *def, const unsigned char *bytes,
                                   size_t size, carom_writer **out)
{
    CAROM_NEED(ctx, ctx);
    if (size)
        CAROM_NEED(ctx, bytes);
    CAROM_NEED(ctx, out);
    *out = NULL;
    carom_writer_def own = carom_default_writer_def();
    CAROM_TRY(carom_take_def(ctx, def, &own, sizeof own, "writer_def"));
    carom_result *from = NULL;
    CAROM_TRY(carom_result_open(ctx, own.path, &from));
    if (strcmp(carom_result_status(from), "running") == 0) {
        carom_result_close(from);
        return carom_fail(ctx, CAROM_ERROR_IO, NULL,
                          "%s: another run is writing it; wait for its end or give another folder", own.path);
    }
    carom_arena arena;
    carom_arena_init(&arena, ctx);
    const char *path = own.path;
    own.path = carom_arena_format(&arena, "%s.part", path);
    own.resumable = true;
    carom_writer *w = NULL;
    carom_status status = own.path ? carom_writer_create(ctx, &own, &w) : carom_fail_memory(ctx);
    if (status == CAROM_OK)
        status = fill(w, from, bytes, size);
    carom_result_close(from);
    if (status == CAROM_OK)
        status = put_in_place(w, path);
    if (status != CAROM_OK && w) {
        char reason[1024];
        snprintf(reason, sizeof reason, "%s", carom_context_error(ctx));
        carom_writer_close(w, NULL, "failed");
        unlink(own.path);
        status = carom_fail(ctx, status, NULL, "%s", reason);
    }
    carom_arena_free(&arena);
    if (status == CAROM_OK)
        *out = w;
    return status;
}
