/* The writer of results, for the files that make it, write with it and go on with the file of a former one. */
#ifndef CAROM_RESULT_WRITER_H
#define CAROM_RESULT_WRITER_H

#include "base/blocks.h"
#include "result/columns.h"
#include "result/room.h"
#include "result/row_table.h"

#define CAROM_WARNING_CHUNK 256  /* rows of a chunk of the warnings */
#define CAROM_IMPACTS_HELD 64   /* impacts that wait for the next flush, up to the end of a chunk; rows of one */

typedef struct carom_row_group {
    carom_column time;
    hsize_t rows, written;
    size_t width;               /* numbers a row, all channels together */
    size_t chunk;               /* rows of a chunk */
} carom_row_group;

/* One write to the file: rows that waited in the tables of impacts, events and rests, then whole chunks of a group. */
typedef struct carom_write {
    uint8_t impacts, events, rests, group;      /* group CAROM_H5_GROUPS: none */
    uint32_t chunks;
} carom_write;

struct carom_writer {
    carom_context *ctx;
    carom_arena arena;
    const char *path;
    hid_t file;
    carom_h5_own own;
    int disk;                   /* descriptor that reserves room, and whose shared lock says that the writer lives */
    off_t reserved;             /* end of the room that is sure to exist [bytes] */
    bool failed;                /* nothing more is recorded */
    bool broken;                /* HDF5 failed to write: the file cannot be closed in order */
    hid_t complete;             /* dataset of the numbers of complete rows */
    carom_sink sink;
    carom_row_group groups[CAROM_H5_GROUPS];
    carom_column *channels;
    size_t channel_count;
    double most, grown;         /* size that the file may have, and its growth by the last block [bytes] */
    bool full;                  /* no more rows are taken, */
    double last_time;           /* after this one [s] */
    bool many;                  /* channels: more than MOST_OPEN */
    carom_packer *packer;
    hid_t columns[CAROM_IMPACT_FIELDS];
    hsize_t impact_rows;
    hid_t warnings;
    hsize_t warning_rows;
    carom_impact *held;
    char *names;                /* names of the held impacts, name_size bytes each */
    size_t held_count, name_size;
    carom_row_table events, rests;
    bool resumable;             /* what follows is kept, of all writes and of the bytes that they wrote */
    carom_write *writes;
    size_t write_count, write_capacity;
    uint64_t hash;
};

/* ---- hdf5_write.c ---- */

/* Stores the error of a failed write and ends all writing to the disk. */
carom_status carom_writer_fail(carom_writer *w, const char *what);
/* Makes sure that the file can grow by `bytes` before HDF5 is asked to write them. Errors: CAROM_ERROR_IO. */
carom_status carom_writer_reserve(carom_writer *w, uint64_t bytes);
/* Makes the sink that the simulation is given. */
void carom_writer_make_sink(carom_writer *w);
/* Without the file. */
void carom_writer_free(carom_writer *w);
/* Writes what is held of impacts, events and rests, and flushes the file. */
carom_status carom_writer_write_held(carom_writer *w);
/* Begins the write of so many rows, before which stands what is held; tells where the file ends then. */
carom_status carom_writer_begin_rows(carom_writer *w, int group, size_t rows, haddr_t *end);
/* Ends it: flushes the file, which ended at `before`. */
carom_status carom_writer_end_rows(carom_writer *w, haddr_t before);
/* Keeps a write for a writer that goes on; `group` -1: of what was held alone. */
carom_status carom_writer_note(carom_writer *w, int group, size_t chunks);

#endif
