/* The numbers of a report: columns laid out byte by byte, compressed by zlib, written in base64. All lowest bytes of a
   column stand first, then all second bytes, ...: equal signs and exponents lie together, which saves a quarter. */
#include "report/report.h"

#include <float.h>
#include <math.h>
#include <string.h>
#include <zlib.h>

#define SMALL_BYTES ((size_t)4 << 20) /* compressed with most effort up to here */
#define CHUNK ((size_t)1 << 16)
#define LINE 57 /* bytes encoded at a time, a multiple of 3 */

static size_t width_of(carom_blob_type type)
{
    return type == CAROM_BLOB_F8 ? 8 : type == CAROM_BLOB_U1 ? 1 : 4;
}

/* ---- columns ---- */

static uint32_t integer_of(const carom_blob_column *c, size_t k) { return c->integers[c->rows ? c->rows[k] : k]; }
static double value_of(const carom_blob_column *c, size_t k) { return c->values[c->rows ? c->rows[k] : k]; }

/* The bits of number k. */
static uint64_t bits_of(const carom_blob_column *c, size_t k)
{
    if (c->type == CAROM_BLOB_U4)
        return integer_of(c, k);
    if (c->type == CAROM_BLOB_U1)
        return (unsigned char)c->text[k];
    double value = value_of(c, k);
    uint64_t wide;
    if (c->type == CAROM_BLOB_F8) {
        memcpy(&wide, &value, sizeof wide);
        return wide;
    }
    const double largest = (double)FLT_MAX;
    float narrow = value > largest ? HUGE_VALF : value < -largest ? -HUGE_VALF : (float)value;
    uint32_t bits;
    memcpy(&bits, &narrow, sizeof bits);
    return bits;
}

static bool are_equal(const carom_blob_column *a, const carom_blob_column *b)
{
    if (!a->shared || !b->shared || a->type != b->type || a->count != b->count)
        return false;
    for (size_t k = 0; k < a->count; k++)
        if (bits_of(a, k) != bits_of(b, k))
            return false;
    return true;
}

static uint64_t hash_of(const carom_blob_column *c)
{
    uint64_t hash = carom_hash(&c->count, sizeof c->count, (uint64_t)c->type);
    for (size_t k = 0; k < c->count; k++) {
        const uint64_t bits = bits_of(c, k);
        hash = carom_hash(&bits, sizeof bits, hash);
    }
    return hash;
}

/* The place of an equal shared column in the table, or the free one where it belongs. */
static size_t *place_of(const carom_blob *blob, const carom_blob_column *column)
{
    size_t k = (size_t)column->hash & (blob->table_size - 1);
    while (blob->table[k] && (blob->columns[blob->table[k] - 1].hash != column->hash ||
                              !are_equal(&blob->columns[blob->table[k] - 1], column)))
        k = (k + 1) & (blob->table_size - 1);
    return &blob->table[k];
}

/* Makes space for one more shared column. */
static carom_status grow_table(carom_blob *blob)
{
    if (2 * (blob->shared_count + 1) <= blob->table_size)
        return CAROM_OK;
    const carom_blob old = *blob;
    const size_t size = old.table_size ? 2 * old.table_size : 64;
    size_t *table = carom_allocate(blob->ctx, size, sizeof *table);
    if (!table)
        return carom_fail_memory(blob->ctx);
    blob->table = table;
    blob->table_size = size;
    for (size_t k = 0; k < old.table_size; k++)
        if (old.table[k])
            *place_of(blob, &blob->columns[old.table[k] - 1]) = old.table[k];
    carom_release(blob->ctx, old.table, old.table_size, sizeof *old.table);
    return CAROM_OK;
}

carom_status carom_blob_add(carom_blob *blob, carom_blob_column *column)
{
    size_t *place = NULL;
    if (column->shared) {
        CAROM_TRY(grow_table(blob));
        column->hash = hash_of(column);
        place = place_of(blob, column);
        if (*place) {
            column->offset = blob->columns[*place - 1].offset;
            return CAROM_OK;
        }
    }
    CAROM_TRY(
        carom_grow(blob->ctx, &blob->columns, &blob->column_capacity, blob->column_count + 1, sizeof *blob->columns));
    column->offset = blob->bytes;
    blob->columns[blob->column_count++] = *column;
    if (place) {
        *place = blob->column_count;
        blob->shared_count++;
    }
    blob->bytes += column->count * width_of(column->type);
    return CAROM_OK;
}

void carom_blob_clear(carom_blob *blob)
{
    carom_release(blob->ctx, blob->columns, blob->column_capacity, sizeof *blob->columns);
    carom_release(blob->ctx, blob->table, blob->table_size, sizeof *blob->table);
    carom_release(blob->ctx, blob->packed, blob->packed_capacity, 1);
    *blob = (carom_blob){.ctx = blob->ctx};
}

/* ---- compression ---- */

/* Blocks of zlib carry their size, which the context's allocator wants back. */
#define BLOCK_HEAD 16

static void *allocate(void *user, uInt count, uInt size)
{
    size_t bytes = (size_t)count * size + BLOCK_HEAD;
    unsigned char *block = carom_allocate(user, bytes, 1);
    if (!block)
        return Z_NULL;
    memcpy(block, &bytes, sizeof bytes);
    return block + BLOCK_HEAD;
}

static void release(void *user, void *block)
{
    unsigned char *head = (unsigned char *)block - BLOCK_HEAD;
    size_t bytes;
    memcpy(&bytes, head, sizeof bytes);
    carom_release(user, head, bytes, 1);
}

/* A stream that is being made. */
typedef struct packing {
    carom_blob *blob;
    size_t limit;
    z_stream stream;
    unsigned char out[CHUNK];
} packing;

/* Compresses bytes; `flush` as for deflate(). */
static carom_status squeeze(packing *p, unsigned char *bytes, size_t length, int flush)
{
    carom_blob *blob = p->blob;
    p->stream.next_in = bytes;
    p->stream.avail_in = (uInt)length;
    do {
        p->stream.next_out = p->out;
        p->stream.avail_out = CHUNK;
        if (deflate(&p->stream, flush) == Z_STREAM_ERROR)
            return carom_fail(blob->ctx, CAROM_ERROR_IO, NULL, "report: its numbers cannot be compressed; report this");
        size_t made = CHUNK - p->stream.avail_out;
        blob->packed_size += made;
        if (blob->packed_size > p->limit)
            continue;
        CAROM_TRY(carom_grow(blob->ctx, &blob->packed, &blob->packed_capacity, blob->packed_size, 1));
        memcpy(blob->packed + blob->packed_kept, p->out, made);
        blob->packed_kept = blob->packed_size;
    } while (p->stream.avail_out == 0);
    return CAROM_OK;
}

/* Byte `place` of all numbers of a column. */
static carom_status squeeze_bytes(packing *p, const carom_blob_column *c, size_t place, unsigned char *buffer)
{
    for (size_t first = 0; first < c->count; first += CHUNK) {
        size_t count = c->count - first < CHUNK ? c->count - first : CHUNK;
        for (size_t k = 0; k < count; k++)
            buffer[k] = (unsigned char)(bits_of(c, first + k) >> 8 * place & 0xff);
        CAROM_TRY(squeeze(p, buffer, count, Z_NO_FLUSH));
    }
    return CAROM_OK;
}

static carom_status squeeze_all(packing *p, unsigned char *buffer)
{
    for (size_t k = 0; k < p->blob->column_count; k++) {
        for (size_t place = 0; place < width_of(p->blob->columns[k].type); place++)
            CAROM_TRY(squeeze_bytes(p, &p->blob->columns[k], place, buffer));
        if (p->blob->columns[k].type != CAROM_BLOB_U1)
            p->blob->packed_numbers = p->blob->packed_size;
    }
    return squeeze(p, buffer, 0, Z_FINISH);
}

carom_status carom_blob_pack(carom_blob *blob, size_t limit)
{
    packing *p = carom_allocate(blob->ctx, 1, sizeof *p);
    unsigned char *buffer = carom_allocate(blob->ctx, CHUNK, 1);
    carom_status status = p && buffer ? CAROM_OK : carom_fail_memory(blob->ctx);
    blob->packed_size = blob->packed_numbers = blob->packed_kept = 0;
    if (status == CAROM_OK) {
        *p = (packing){.blob = blob, .limit = limit, .stream = {.zalloc = allocate, .zfree = release}};
        p->stream.opaque = blob->ctx;
        int level = blob->bytes <= SMALL_BYTES ? 9 : 6;
        if (deflateInit(&p->stream, level) != Z_OK)
            status = carom_fail_memory(blob->ctx);
        else {
            status = squeeze_all(p, buffer);
            deflateEnd(&p->stream);
        }
    }
    carom_release(blob->ctx, buffer, CHUNK, 1);
    carom_release(blob->ctx, p, 1, sizeof *p);
    return status;
}

/* ---- base64 ---- */

size_t carom_base64_size(size_t size) { return (size + 2) / 3 * 4; }

/* Encodes at most LINE bytes; returns the number of characters. */
static size_t encode(const unsigned char *bytes, size_t size, char *out)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    size_t length = 0;
    for (size_t k = 0; k < size; k += 3) {
        size_t left = size - k;
        uint32_t group = (uint32_t)bytes[k] << 16;
        group |= left > 1 ? (uint32_t)bytes[k + 1] << 8 : 0;
        group |= left > 2 ? (uint32_t)bytes[k + 2] : 0;
        out[length++] = digits[group >> 18];
        out[length++] = digits[group >> 12 & 63];
        out[length++] = left > 1 ? digits[group >> 6 & 63] : '=';
        out[length++] = left > 2 ? digits[group & 63] : '=';
    }
    return length;
}

void carom_base64_write(carom_save *save, const unsigned char *bytes, size_t size)
{
    char line[LINE / 3 * 4];
    for (size_t k = 0; k < size; k += LINE)
        carom_save_bytes(save, line, encode(bytes + k, size - k < LINE ? size - k : LINE, line));
}

void carom_base64_append(carom_text *out, const unsigned char *bytes, size_t size)
{
    char line[LINE / 3 * 4];
    for (size_t k = 0; k < size; k += LINE)
        carom_text_append_n(out, line, encode(bytes + k, size - k < LINE ? size - k : LINE, line));
}
