/* Writes a result: all objects are made before the run, rows are appended in SWMR mode and flushed block by block, so
   that a killed run keeps what was flushed. */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif
#include "result/os/os.h"
#include "result/writer.h"

#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#define FEW_ROWS 16             /* fewer rows wait for the next ones: a chunk that grows is written again */
#define TILE_ROWS 256           /* rows that are taken from a block at a time, of all channels, while they are near */
#define ROOM_AHEAD (1 << 20)    /* room on the disk reserved beyond what a block needs [bytes] */

carom_status carom_writer_fail(carom_writer *w, const char *what)
{
    const carom_status status = carom_h5_fail(w->ctx, w->path, what);
    if (!w->broken)
        carom_h5_divert(w->file);
    w->failed = w->broken = true;
    return status;
}

/* ---- room on the disk ---- */

carom_status carom_writer_reserve(carom_writer *w, uint64_t bytes)
{
    haddr_t end = 0;
    if (w->disk < 0 || H5Fget_eoa(w->file, &end) < 0)
        return CAROM_OK;
    off_t need = (off_t)(end + bytes);
    if (need <= w->reserved)
        return CAROM_OK;
    off_t end_of_room;
    const carom_status status =
        carom_room_make(w->ctx, w->path, w->disk, w->reserved, need, need + ROOM_AHEAD, &end_of_room);
    w->failed = w->failed || status != CAROM_OK;
    w->reserved = end_of_room;
    return status;
}

static uint64_t room_of_rows(const carom_writer *w, int group, size_t rows)
{
    const carom_row_group *g = &w->groups[group];
    uint64_t bytes = carom_room_of_rows(g->rows, rows, 1, g->chunk);
    for (size_t k = 0; k < w->channel_count; k++)
        if (w->channels[k].group == group)
            bytes += carom_room_of_rows(g->rows, rows, w->channels[k].size, g->chunk);
    return bytes;
}

static uint64_t room_of_table(const carom_row_table *t)
{
    return t->held_count ? carom_room_of_rows(t->rows, t->held_count, t->kind->bytes / sizeof(double),
                                              CAROM_TABLE_CHUNK) +
                               t->kind->count * 4096
                         : 0;
}

/* Room of what is held. */
static uint64_t room_of_held(const carom_writer *w)
{
    return carom_room_of_rows(w->impact_rows, w->held_count, w->name_size, CAROM_IMPACTS_HELD) +
           CAROM_IMPACT_FIELDS * carom_room_of_rows(w->impact_rows, w->held_count, 1, CAROM_IMPACTS_HELD) +
           room_of_table(&w->events) + room_of_table(&w->rests);
}

void carom_writer_free(carom_writer *w)
{
    if (!w)
        return;
    if (w->disk >= 0) {
        carom_os_unlock(w->disk); /* a child of this process may have the descriptor for a moment (look.c) */
        close(w->disk);
    }
    carom_release(w->ctx, w->writes, w->write_capacity, sizeof *w->writes);
    carom_arena_free(&w->arena);
    carom_release(w->ctx, w, 1, sizeof *w);
}

/* ---- appending ---- */

/* Writes the chunk of a column; HDF5 has the lock of the process for no longer than it takes the bytes. */
static carom_status write_chunk(carom_writer *w, carom_column *c, size_t chunk, hsize_t first, size_t rows)
{
    carom_packed packed;
    carom_h5_scope scope;
    carom_column_pack(c, w->packer, rows, chunk, &packed);
    if (w->resumable)
        w->hash = carom_hash(packed.bytes, packed.size, w->hash);
    carom_h5_enter(&scope);
    const bool done = carom_column_write(c, w->file, first, rows, &packed);
    const carom_status status = done ? CAROM_OK : carom_writer_fail(w, "cannot be written");
    carom_h5_leave(&scope);
    return status;
}

/* Writes the chunks of a group that begin with row `first` and have `rows` rows so far. */
static carom_status write_chunks(carom_writer *w, int group, hsize_t first, size_t rows)
{
    carom_row_group *g = &w->groups[group];
    for (size_t k = 0; k < w->channel_count; k++)
        if (w->channels[k].group == group)
            CAROM_TRY(write_chunk(w, &w->channels[k], g->chunk, first, rows));
    g->written = first + rows;
    return write_chunk(w, &g->time, g->chunk, first, rows);
}

/* Whether the last rows of a chunk, of which `used` are there now, wait for the next ones: few, and whole parts. */
static bool waits(const carom_row_group *g, size_t rows, size_t used)
{
    return used < g->chunk && (rows < FEW_ROWS || used % carom_block_part(g->chunk) == 0);
}

/* Appends rows of a group: the channels, then the times. */
static carom_status append_rows(carom_writer *w, int group, size_t rows, const double *time, const double *data)
{
    carom_row_group *g = &w->groups[group];
    size_t used = (size_t)(g->rows % g->chunk);
    for (size_t r = 0, count; r < rows; r += count, used = used == g->chunk ? 0 : used) {
        count = rows - r < TILE_ROWS ? rows - r : TILE_ROWS;
        count = count < g->chunk - used ? count : g->chunk - used;
        carom_column_take(&g->time, used, count, time + r, 1);
        for (size_t k = 0; k < w->channel_count; k++)
            if (w->channels[k].group == group)
                carom_column_take(&w->channels[k], used, count, data + r * g->width, g->width);
        g->rows += count;
        used += count;
        if (used == g->chunk || (r + count == rows && !waits(g, rows, used)))
            CAROM_TRY(write_chunks(w, group, g->rows - used, used));
    }
    return CAROM_OK;
}

/* Appends one column of the held impacts. */
static bool append_column(carom_writer *w, const carom_field *f, hid_t set)
{
    int64_t index[CAROM_IMPACTS_HELD];
    double number[CAROM_IMPACTS_HELD];
    for (size_t k = 0; k < w->held_count; k++) {
        const char *impact = (const char *)&w->held[k];
        if (f->type == CAROM_FIELD_INDEX)
            index[k] = (int64_t)w->held[k].contact_index;
        else if (f->type == CAROM_FIELD_NUMBER)
            memcpy(&number[k], impact + f->offset, sizeof number[k]);
    }
    if (w->resumable && f->type == CAROM_FIELD_NUMBER)
        w->hash = carom_hash(number, w->held_count * sizeof *number, w->hash);
    if (f->type == CAROM_FIELD_NUMBER)
        return carom_h5_append(set, H5T_NATIVE_DOUBLE, true, 1, w->impact_rows, w->held_count, number);
    if (f->type == CAROM_FIELD_INDEX)
        return carom_h5_append(set, H5T_NATIVE_INT64, true, 1, w->impact_rows, w->held_count, index);
    hid_t type = carom_h5_text_type(w->name_size);
    bool done = type >= 0 && carom_h5_append(set, type, true, 1, w->impact_rows, w->held_count, w->names);
    if (type >= 0)
        H5Tclose(type);
    return done;
}

static bool append_impacts(carom_writer *w)
{
    if (!w->held_count)
        return true;
    for (size_t k = 0; k < CAROM_IMPACT_FIELDS; k++)
        if (!append_column(w, &carom_impact_field[k], w->columns[k]))
            return false;
    w->impact_rows += w->held_count;
    w->held_count = 0;
    return true;
}

static bool append_held(carom_writer *w)
{
    return append_impacts(w) && carom_row_table_write(&w->events) && carom_row_table_write(&w->rests);
}

/* Flushes the file, then records how many rows are complete. */
static bool flush(carom_writer *w)
{
    const int64_t rows[CAROM_H5_COMPLETE_COUNT] = {(int64_t)w->groups[0].written, (int64_t)w->groups[1].written,
                                                   (int64_t)w->impact_rows, (int64_t)w->groups[2].written,
                                                   (int64_t)w->warning_rows};
    return H5Fflush(w->file, H5F_SCOPE_LOCAL) >= 0 &&
           H5Dwrite(w->complete, H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, rows) >= 0 &&
           H5Dflush(w->complete) >= 0;
}

static carom_status fail_again(carom_writer *w)
{
    return carom_fail(w->ctx, CAROM_ERROR_IO, NULL,
                      "%s: is incomplete because an earlier write failed; make room on the disk and run again",
                      w->path);
}

bool carom_writer_full(const carom_writer *w, double *time)
{
    if (!w)
        return false;
    if (time)
        *time = w->last_time;
    return w->full;
}

/* Whether another block as the last one would make the file larger than it may be. */
static bool comes_to_its_size(carom_writer *w, haddr_t before)
{
    haddr_t end = 0;
    if (w->most <= 0 || H5Fget_eoa(w->file, &end) < 0)
        return false;
    w->grown = fmax(w->grown, (double)(end - before));
    return (double)end + w->grown > w->most;
}

carom_status carom_writer_note(carom_writer *w, int group, size_t chunks)
{
    if (!w->resumable)
        return CAROM_OK;
    CAROM_TRY(carom_grow(w->ctx, &w->writes, &w->write_capacity, w->write_count + 1, sizeof *w->writes));
    w->writes[w->write_count++] = (carom_write){(uint8_t)w->held_count, (uint8_t)w->events.held_count,
                                                (uint8_t)w->rests.held_count,
                                                (uint8_t)(group < 0 ? CAROM_H5_GROUPS : group), (uint32_t)chunks};
    return CAROM_OK;
}

carom_status carom_writer_begin_rows(carom_writer *w, int group, size_t rows, haddr_t *end)
{
    carom_h5_scope scope;
    carom_h5_enter(&scope);
    carom_status status = carom_writer_reserve(w, room_of_held(w) + room_of_rows(w, group, rows));
    if (status == CAROM_OK && (!append_held(w) || H5Fget_eoa(w->file, end) < 0))
        status = carom_writer_fail(w, "cannot be written");
    carom_h5_leave(&scope);
    return status;
}

carom_status carom_writer_end_rows(carom_writer *w, haddr_t before)
{
    carom_h5_scope scope;
    carom_h5_enter(&scope);
    const carom_status status = flush(w) ? CAROM_OK : carom_writer_fail(w, "cannot be written");
    w->full = status == CAROM_OK && comes_to_its_size(w, before);
    carom_h5_leave(&scope);
    return status;
}

static carom_status take_rows(void *user, int group, size_t rows, const double *time, const double *data)
{
    carom_writer *w = user;
    haddr_t before = 0;
    if (group < 0 || group >= CAROM_H5_GROUPS)
        return carom_fail(w->ctx, CAROM_ERROR_USAGE, NULL, "%s: rows of group %d; it is 0, 1 or 2", w->path, group);
    if (w->failed)
        return fail_again(w);
    if (w->full)
        return CAROM_OK;
    const size_t used = (size_t)(w->groups[group].rows % w->groups[group].chunk);
    const bool only_taken = rows >= FEW_ROWS && used + rows < w->groups[group].chunk &&
                            waits(&w->groups[group], rows, used + rows);
    if (!only_taken) {
        CAROM_TRY(carom_writer_note(w, group, (used + rows) / w->groups[group].chunk));
        CAROM_TRY(carom_writer_begin_rows(w, group, used + rows, &before));
    }
    if (rows)
        CAROM_TRY(append_rows(w, group, rows, time, data));
    if (rows && !only_taken)
        CAROM_TRY(carom_writer_end_rows(w, before));
    if (group == 0 && rows)
        w->last_time = time[rows - 1];
    return CAROM_OK;
}

static carom_status take_impact(void *user, const carom_impact *impact)
{
    carom_writer *w = user;
    if (w->failed)
        return fail_again(w);
    carom_h5_cut(w->names + w->held_count * w->name_size, w->name_size, impact->contact);
    w->held[w->held_count++] = *impact;
    return (w->impact_rows + w->held_count) % CAROM_IMPACTS_HELD ? CAROM_OK : carom_writer_write_held(w);
}

carom_status carom_writer_write_held(carom_writer *w)
{
    CAROM_TRY(carom_writer_note(w, -1, 0));
    carom_h5_scope scope;
    carom_h5_enter(&scope);
    carom_status status = carom_writer_reserve(w, room_of_held(w));
    if (status == CAROM_OK && (!append_held(w) || !flush(w)))
        status = carom_writer_fail(w, "cannot be written");
    carom_h5_leave(&scope);
    return status;
}

/* Takes a row of a table, which waits for the next flush. */
static carom_status take_row(carom_writer *w, carom_row_table *table, const void *row)
{
    if (w->failed)
        return fail_again(w);
    carom_row_table_hold(table, row);
    return table->held_count < CAROM_TABLE_CHUNK ? CAROM_OK : carom_writer_write_held(w);
}

static carom_status take_event(void *user, const carom_fired_event *event)
{
    carom_writer *w = user;
    return take_row(w, &w->events, event);
}

static carom_status take_rest(void *user, const carom_rest *rest)
{
    carom_writer *w = user;
    return take_row(w, &w->rests, rest);
}

void carom_writer_make_sink(carom_writer *w)
{
    w->sink = carom_default_sink();
    w->sink.user = w;
    w->sink.rows = take_rows;
    w->sink.impact = take_impact;
    w->sink.event = take_event;
    w->sink.rest = take_rest;
}

const carom_sink *carom_writer_sink(carom_writer *writer) { return writer ? &writer->sink : NULL; }

carom_status carom_writer_warn(carom_writer *w, const char *text)
{
    CAROM_NEED_AS(NULL, w, "writer");
    char line[CAROM_H5_WARNING_SIZE];
    if (w->failed)
        return fail_again(w);
    carom_h5_cut(line, sizeof line, text);
    carom_h5_scope scope;
    carom_h5_enter(&scope);
    uint64_t room = carom_room_of_rows(w->warning_rows, 1, CAROM_H5_WARNING_SIZE / sizeof(double), CAROM_WARNING_CHUNK);
    carom_status status = carom_writer_reserve(w, room_of_held(w) + room);
    hid_t type = status == CAROM_OK ? carom_h5_text_type(CAROM_H5_WARNING_SIZE) : -1;
    bool done = type >= 0 && carom_h5_append(w->warnings, type, true, 1, w->warning_rows, 1, line);
    w->warning_rows += done;
    if (status == CAROM_OK && (!done || !flush(w)))
        status = carom_writer_fail(w, "cannot be written");
    if (type >= 0)
        H5Tclose(type);
    carom_h5_leave(&scope);
    return status;
}

carom_status carom_writer_methods(carom_writer *w, const char *text)
{
    CAROM_NEED_AS(NULL, w, "writer");
    if (w->failed)
        return fail_again(w);
    carom_h5_scope scope;
    carom_h5_enter(&scope);
    const carom_status status =
        carom_h5_put_text(w->file, "methods", text) && flush(w) ? CAROM_OK : carom_writer_fail(w, "cannot be written");
    carom_h5_leave(&scope);
    return status;
}

/* ---- the end ---- */

/* Gives back the room that was reserved beyond the end of the closed file. */
static void trim(const carom_writer *w)
{
    hid_t list = carom_h5_access(false);
    hid_t file = list < 0 ? -1 : H5Fopen(w->path, H5F_ACC_RDONLY, list);
    haddr_t end = 0;
    bool known = file >= 0 && H5Fget_eoa(file, &end) >= 0 && end > 0;
    if (list >= 0)
        H5Pclose(list);
    if (file >= 0)
        H5Fclose(file);
    /* a tail that stays is ignored by every reader */
    if (known && w->disk >= 0 && ftruncate(w->disk, (off_t)end) != 0)
        return;
}

/* Writes the rows that wait. */
static carom_status write_rest(carom_writer *w)
{
    for (int group = 0; group < CAROM_H5_GROUPS; group++) {
        const carom_row_group *g = &w->groups[group];
        const size_t used = (size_t)(g->rows % g->chunk);
        if (g->written == g->rows)
            continue;
        CAROM_TRY(carom_writer_reserve(w, room_of_held(w) + room_of_rows(w, group, used)));
        CAROM_TRY(write_chunks(w, group, g->rows - used, used));
    }
    return CAROM_OK;
}

/* Writes what is held back, ledger and status, and closes the file; the lock would keep a repair from it. */
static carom_status finish(carom_writer *w, const carom_ledger *ledger, const char *status)
{
    carom_status outcome = w->failed ? fail_again(w) : write_rest(w);
    outcome = outcome == CAROM_OK ? carom_writer_reserve(w, room_of_held(w)) : outcome;
    if (!w->broken && ((outcome == CAROM_OK && !append_held(w)) ||
                       (ledger && !carom_h5_put_ledger(w->file, ledger)) ||
                       !carom_h5_put_text(w->file, "status", status) || !flush(w)))
        outcome = carom_writer_fail(w, "cannot be completed");
    if (!carom_h5_close(w->file, w->path)) { /* no file for carom_writer_fail() to divert any more */
        outcome = outcome == CAROM_OK ? carom_h5_fail(w->ctx, w->path, "cannot be closed") : outcome;
        w->broken = true;
    }
    if (w->broken) {
        if (w->disk >= 0)
            carom_os_unlock(w->disk);
        carom_h5_repair(w->path, status);
    } else {
        trim(w);
    }
    return outcome;
}

carom_status carom_writer_close(carom_writer *writer, const carom_ledger *ledger, const char *status)
{
    if (!writer)
        return CAROM_OK;
    carom_h5_scope scope;
    carom_h5_enter(&scope);
    carom_status outcome = finish(writer, ledger, status ? status : "completed");
    carom_h5_drop_own(&writer->own);
    carom_h5_leave(&scope);
    carom_writer_free(writer);
    return outcome;
}

