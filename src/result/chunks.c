/* Reads rows of datasets chunk by chunk. */
#include "result/chunks.h"

#include <limits.h>
#include <stdlib.h>
#include <zlib.h>

#define MOST_CHUNK ((hsize_t)1 << 28)   /* bytes */

/* Bytes that a packed chunk may have: what does not pack is stored, in blocks with a head each. */
static size_t most_packed(size_t bytes) { return bytes + bytes / 64 + 4096; }

/* The filters, of which shuffle and deflate are known, each once; no others. */
static bool take_filters(carom_chunks *c, hid_t plan)
{
    const int count = H5Pget_nfilters(plan);
    c->shuffled = c->deflated = -1;
    for (int k = 0; k < count; k++) {
        unsigned flags = 0, values[8];
        size_t value_count = CAROM_COUNT(values);
        const H5Z_filter_t filter = H5Pget_filter2(plan, (unsigned)k, &flags, &value_count, values, 0, NULL, NULL);
        int *place = filter == H5Z_FILTER_SHUFFLE   ? &c->shuffled
                     : filter == H5Z_FILTER_DEFLATE ? &c->deflated
                                                    : NULL;
        if (!place || *place >= 0)
            return false;
        *place = k;
    }
    c->packed = count > 0;
    return count >= 0 && (c->shuffled < 0 || c->deflated < 0 || c->shuffled < c->deflated);
}

/* What is not in chunks, or in chunks as they are, HDF5 reads; never from other files. */
static bool take_layout(carom_chunks *c)
{
    hsize_t chunk[2] = {0, c->columns};
    hid_t plan = H5Dget_create_plist(c->set);
    const H5D_layout_t layout = plan < 0 ? H5D_LAYOUT_ERROR : H5Pget_layout(plan);
    bool done = (layout == H5D_CONTIGUOUS || layout == H5D_COMPACT || layout == H5D_CHUNKED) &&
                H5Pget_external_count(plan) == 0;
    if (done && layout == H5D_CHUNKED) {
        done = H5Pget_chunk(plan, c->rank, chunk) == c->rank && chunk[0] > 0 && chunk[0] <= INT_MAX &&
               chunk[1] > 0 && chunk[1] <= INT_MAX && take_filters(c, plan);
        done = done && chunk[0] * chunk[1] <= MOST_CHUNK / c->size && (!c->packed || chunk[1] == c->columns);
        c->chunk_rows = chunk[0];
        c->bytes = done ? (size_t)(chunk[0] * chunk[1]) * c->size : 0;
    }
    if (plan >= 0)
        H5Pclose(plan);
    return done;
}

/* Numbers and texts of the size that they have in memory. */
static bool take_type(carom_chunks *c, hid_t type)
{
    const hid_t stored = H5Dget_type(c->set);
    c->type = type;
    c->size = stored < 0 ? 0 : H5Tget_size(stored);
    const bool done = c->size > 0 && c->size <= MOST_CHUNK && H5Tget_class(stored) == H5Tget_class(type) &&
                      H5Tget_class(type) != H5T_NO_CLASS && H5Tis_variable_str(stored) == 0 &&
                      (!c->packed || c->size == H5Tget_size(type));
    if (stored >= 0)
        H5Tclose(stored);
    return done;
}

bool carom_chunks_open(carom_chunks *c, hid_t set, hid_t type)
{
    *c = (carom_chunks){.set = set, .first = HSIZE_UNDEF};
    return carom_h5_measure(set, &c->rows, &c->columns, &c->rank) && take_type(c, type) && take_layout(c) &&
           (!c->packed || c->size == H5Tget_size(type));
}

void carom_chunks_close(carom_chunks *c)
{
    free(c->chunk);
    c->chunk = NULL;
    c->first = HSIZE_UNDEF;
}

/* ---- packed chunks ---- */

/* Exactly `bytes` from a stream of zlib's (RFC 1950), whose sum is right. */
static bool inflate_all(const unsigned char *from, size_t count, unsigned char *to, size_t bytes)
{
    z_stream z = {.next_in = (z_const Bytef *)from, .avail_in = (uInt)count, .next_out = to, .avail_out = (uInt)bytes};
    if (inflateInit(&z) != Z_OK)
        return false;
    const bool done = inflate(&z, Z_FINISH) == Z_STREAM_END && z.avail_out == 0;
    inflateEnd(&z);
    return done;
}

/* Puts the bytes of each number together, which stand in as many planes. */
static void unshuffle(const unsigned char *planes, size_t bytes, size_t size, unsigned char *out)
{
    const size_t count = bytes / size;
    if (size == 8) { /* known, the loop is unrolled */
        for (size_t k = 0; k < count; k++)
            for (size_t b = 0; b < 8; b++)
                out[8 * k + b] = planes[b * count + k];
        return;
    }
    for (size_t b = 0; b < size; b++)
        for (size_t k = 0; k < count; k++)
            out[size * k + b] = planes[b * count + k];
}

/* `planes` takes a chunk as well. */
static bool unpack(const carom_chunks *c, const unsigned char *raw, size_t count, uint32_t skipped,
                   unsigned char *planes)
{
    const bool deflated = c->deflated >= 0 && !(skipped >> c->deflated & 1);
    const bool shuffled = c->shuffled >= 0 && !(skipped >> c->shuffled & 1) && c->size > 1;
    unsigned char *last = shuffled ? planes : c->chunk;
    if (deflated ? !inflate_all(raw, count, last, c->bytes) : count != c->bytes)
        return false;
    if (!deflated)
        memcpy(last, raw, count);
    if (shuffled)
        unshuffle(planes, c->bytes, c->size, c->chunk);
    return true;
}

/* Bytes of the chunk that begins with a row; 0: there is none, or it has a size that none has. */
static size_t stored_size(const carom_chunks *c, hsize_t row)
{
    const hsize_t place[2] = {row, 0};
    hsize_t size = 0;
    return H5Dget_chunk_storage_size(c->set, place, &size) >= 0 && size <= most_packed(c->bytes) ? (size_t)size : 0;
}

/* Numbers of another byte order. */
static bool convert(const carom_chunks *c)
{
    const hid_t stored = H5Dget_type(c->set);
    const bool done =
        stored >= 0 && (H5Tequal(stored, c->type) > 0 ||
                        H5Tconvert(stored, c->type, c->bytes / c->size, c->chunk, NULL, H5P_DEFAULT) >= 0);
    if (stored >= 0)
        H5Tclose(stored);
    return done;
}

static bool take_chunk(carom_chunks *c, hsize_t row)
{
    const hsize_t place[2] = {row, 0};
    uint32_t skipped = 0;
    if (c->first == row)
        return true;
    c->first = HSIZE_UNDEF;
    const size_t count = stored_size(c, row);
    unsigned char *raw = malloc(count + 1), *planes = malloc(c->bytes + 1);
    c->chunk = c->chunk ? c->chunk : malloc(c->bytes + 1);
    const bool done = count > 0 && raw && planes && c->chunk &&
                      H5Dread_chunk(c->set, H5P_DEFAULT, place, &skipped, raw) >= 0 &&
                      unpack(c, raw, count, skipped, planes) && convert(c);
    free(raw);
    free(planes);
    c->first = done ? row : HSIZE_UNDEF;
    return done;
}

static bool read_packed(carom_chunks *c, hsize_t first, hsize_t rows, unsigned char *out)
{
    const size_t width = (size_t)c->columns * c->size;
    for (hsize_t r = first, count; r < first + rows; r += count) {
        const hsize_t in = r % c->chunk_rows;
        count = c->chunk_rows - in < first + rows - r ? c->chunk_rows - in : first + rows - r;
        if (!take_chunk(c, r - in))
            return false;
        memcpy(out + (size_t)(r - first) * width, c->chunk + (size_t)in * width, (size_t)count * width);
    }
    return true;
}

/* ---- rows ---- */

static bool read_plain(const carom_chunks *c, hsize_t first, hsize_t rows, void *out)
{
    const hsize_t start[2] = {first, 0}, count[2] = {rows, c->columns};
    hid_t place = H5Dget_space(c->set), block = H5Screate_simple(c->rank, count, NULL);
    bool done = place >= 0 && block >= 0 &&
                H5Sselect_hyperslab(place, H5S_SELECT_SET, start, NULL, count, NULL) >= 0 &&
                H5Dread(c->set, c->type, block, place, H5P_DEFAULT, out) >= 0;
    if (block >= 0)
        H5Sclose(block);
    if (place >= 0)
        H5Sclose(place);
    return done;
}

bool carom_chunks_read(carom_chunks *c, hsize_t first, hsize_t rows, void *out)
{
    if (first > c->rows || rows > c->rows - first)
        return false;
    return rows == 0 || (c->packed ? read_packed(c, first, rows, out) : read_plain(c, first, rows, out));
}

bool carom_chunks_look(carom_chunks *c, hsize_t rows)
{
    for (hsize_t row = 0; c->chunk_rows > 0 && row < rows; row += c->chunk_rows)
        if (stored_size(c, row) == 0)
            return false;
    return rows <= c->rows;
}

bool carom_h5_read_rows(hid_t set, hid_t type, size_t rows, size_t columns, void *out)
{
    carom_chunks c;
    const bool done = carom_chunks_open(&c, set, type) && c.columns == columns && carom_chunks_read(&c, 0, rows, out);
    carom_chunks_close(&c);
    return done;
}
