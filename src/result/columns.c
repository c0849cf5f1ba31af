/* Columns of rows in a file. A chunk goes to the file packed, in one call, past HDF5's cache. One that grows is written
   again; rows come in blocks of whole chunks, so that happens at the ends of runs. */
#include "result/columns.h"

#include <math.h>

#define CHUNK_ROWS 256          /* if nothing else is said */
#define LEAST_CHUNK_ROWS 64
#define MOST_CHUNK_ROWS 65536
#define CHUNK_BYTES (1 << 25)   /* of the chunks of all channels of a group together, if more rows than the least do */
#define KEPT_BYTES 1024         /* of a chunk whose rows are all equal, which is kept for the next such */

size_t carom_column_chunk(const carom_writer_def *def, int group)
{
    size_t width = 1, rows = CHUNK_ROWS;
    for (size_t k = 0; k < def->channel_count; k++)
        width += def->channels[k].group == group ? (size_t)def->channels[k].size : 0;
    while (rows < MOST_CHUNK_ROWS && 2 * rows <= def->block_rows[group])
        rows *= 2;
    while (rows > LEAST_CHUNK_ROWS && rows * width * sizeof(double) > CHUNK_BYTES)
        rows /= 2;
    return rows;
}

hid_t carom_column_make(hid_t parent, const char *link, const carom_column *c, size_t chunk_rows)
{
    const int rank = c->scalar ? 1 : 2;
    const hsize_t now[2] = {0, c->size}, limit[2] = {H5S_UNLIMITED, c->size}, chunk[2] = {chunk_rows, c->size};
    const double nan = (double)NAN;
    hid_t space = H5Screate_simple(rank, now, limit), set = -1;
    hid_t plan = H5Pcreate(H5P_DATASET_CREATE), use = H5Pcreate(H5P_DATASET_ACCESS);
    if (space >= 0 && plan >= 0 && use >= 0 && H5Pset_chunk(plan, rank, chunk) >= 0 && H5Pset_shuffle(plan) >= 0 &&
        H5Pset_deflate(plan, CAROM_PACK_LEVEL) >= 0 && H5Pset_obj_track_times(plan, false) >= 0 &&
        H5Pset_fill_value(plan, H5T_NATIVE_DOUBLE, &nan) >= 0 && H5Pset_chunk_cache(use, 1, 0, 1) >= 0)
        set = H5Dcreate2(parent, link, H5T_IEEE_F64LE, space, H5P_DEFAULT, plan, use);
    if (use >= 0)
        H5Pclose(use);
    if (plan >= 0)
        H5Pclose(plan);
    if (space >= 0)
        H5Sclose(space);
    return set;
}

carom_status carom_column_room(carom_arena *arena, carom_column *c, size_t chunk_rows)
{
    c->chunk = carom_arena_alloc(arena, chunk_rows * c->size, sizeof *c->chunk);
    c->same = carom_arena_alloc(arena, c->size, sizeof *c->same);
    c->packed = carom_arena_alloc(arena, KEPT_BYTES, 1);
    return c->chunk && c->same && c->packed ? CAROM_OK : CAROM_ERROR_MEMORY;
}

void carom_column_take(carom_column *c, size_t at, size_t rows, const double *data, size_t stride)
{
    double *to = c->chunk + at * c->size;
    const double *from = data + c->offset;
    if (c->size == stride) {
        memcpy(to, from, rows * stride * sizeof *to);
        return;
    }
    switch (c->size) { /* how many numbers must be known to copy few of them fast */
    case 1:
        for (size_t r = 0; r < rows; r++)
            to[r] = from[r * stride];
        return;
    case 2:
        for (size_t r = 0; r < rows; r++)
            memcpy(to + 2 * r, from + r * stride, 2 * sizeof *to);
        return;
    case 3:
        for (size_t r = 0; r < rows; r++)
            memcpy(to + 3 * r, from + r * stride, 3 * sizeof *to);
        return;
    default:
        for (size_t r = 0; r < rows; r++)
            memcpy(to + r * c->size, from + r * stride, c->size * sizeof *to);
    }
}

void carom_column_pack(carom_column *c, carom_packer *packer, size_t rows, size_t chunk_rows, carom_packed *out)
{
    const size_t numbers = chunk_rows * c->size, width = c->size * sizeof *c->chunk;
    for (size_t k = rows * c->size; k < numbers; k++)
        c->chunk[k] = (double)NAN;
    const bool equal = rows == chunk_rows && memcmp(c->chunk, c->chunk + c->size, (rows - 1) * width) == 0;
    if (equal && c->packed_size && memcmp(c->chunk, c->same, width) == 0) {
        *out = (carom_packed){c->packed, c->packed_size, 0};
        return;
    }
    out->size = carom_pack(packer, c->chunk, numbers, c->size, &out->bytes, &out->mask);
    if (equal && out->size <= KEPT_BYTES && out->mask == 0) {
        memcpy(c->same, c->chunk, width);
        memcpy(c->packed, out->bytes, out->size);
        c->packed_size = out->size;
    }
}

bool carom_column_write(const carom_column *c, hid_t file, hsize_t first, size_t rows, const carom_packed *packed)
{
    const hsize_t extent[2] = {first + rows, c->size}, place[2] = {first, 0};
    hid_t set = c->id >= 0 ? c->id : H5Dopen2(file, c->link, H5P_DEFAULT);
    bool done = set >= 0 && H5Dset_extent(set, extent) >= 0 &&
                H5Dwrite_chunk(set, H5P_DEFAULT, packed->mask, place, packed->size, packed->bytes) >= 0;
    if (c->id < 0 && set >= 0 && H5Dclose(set) < 0)
        done = false;
    return done;
}
