/* Columns of rows in a file: chunks that are filled in memory, packed, and handed to HDF5 whole. */
#ifndef CAROM_RESULT_COLUMNS_H
#define CAROM_RESULT_COLUMNS_H

#include "result/h5.h"
#include "result/pack.h"

/* A dataset that grows by rows: a channel, or the times of a group. */
typedef struct carom_column {
    const char *link;           /* path in the file */
    hid_t id;                   /* -1: open only while it is written */
    int group;
    size_t size;                /* numbers a row */
    size_t offset;              /* first of them in a row of its group */
    bool scalar;                /* one dimension instead of two */
    double *chunk;              /* the rows of the last chunk */
    double *same;               /* the numbers of the last chunk whose rows were all equal, */
    unsigned char *packed;      /* and its bytes, */
    size_t packed_size;         /* 0: none */
} carom_column;

/* Rows of the chunks of a group, a power of two: those of a block, or fewer where thousands of channels would each take
   room for rows that a short run has not. */
size_t carom_column_chunk(const carom_writer_def *def, int group);
/* Makes the dataset, which must be closed or kept in `id`. Returns -1 on failure. */
hid_t carom_column_make(hid_t parent, const char *link, const carom_column *column, size_t chunk_rows);
/* Room for a chunk. Errors: CAROM_ERROR_MEMORY (without text). */
carom_status carom_column_room(carom_arena *arena, carom_column *column, size_t chunk_rows);
/* Takes `rows` rows, `stride` numbers apart, to place `at` of the chunk. */
void carom_column_take(carom_column *column, size_t at, size_t rows, const double *data, size_t stride);
/* A chunk as it goes to the file. */
typedef struct carom_packed {
    const void *bytes;
    size_t size;
    uint32_t mask;              /* of filters that are left out */
} carom_packed;

/* Packs the chunk, of which the rows beyond those so far are filled with NaN; it stays until the next call with this
   packer. Needs no lock. */
void carom_column_pack(carom_column *column, carom_packer *packer, size_t rows, size_t chunk_rows, carom_packed *out);
/* Writes the packed chunk that begins with row `first` and has `rows` rows so far. Returns false on failure. */
bool carom_column_write(const carom_column *column, hid_t file, hsize_t first, size_t rows, const carom_packed *packed);

#endif
