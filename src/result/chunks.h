/* Rows of a dataset. What is packed is unpacked here and not by HDF5, which trusts a chunk to have the bytes that it
   should, and takes the memory of whatever it unpacks to. */
#ifndef CAROM_RESULT_CHUNKS_H
#define CAROM_RESULT_CHUNKS_H

#include "result/h5.h"

/* An open dataset of one or two dimensions; {0} is none. */
typedef struct carom_chunks {
    hid_t set, type;            /* borrowed; type of the numbers in memory */
    int rank;
    hsize_t rows, columns;
    size_t size;                /* bytes of a number or text */
    bool packed;                /* by the filters that Carom's results have; else HDF5 reads it */
    int shuffled, deflated;     /* place of the filter, -1: none */
    hsize_t chunk_rows;
    size_t bytes;               /* of a chunk that is unpacked */
    unsigned char *chunk;
    hsize_t first;              /* row of the chunk that is unpacked; HSIZE_UNDEF: none */
} carom_chunks;

/* False: it is no such dataset, or of no such type. To be closed, also after a failure. */
bool carom_chunks_open(carom_chunks *c, hid_t set, hid_t type);
/* Reads rows; false on failure. */
bool carom_chunks_read(carom_chunks *c, hsize_t first, hsize_t rows, void *out);
/* Whether all chunks of the first rows are in the file, and have a size that they can have. Reads none. */
bool carom_chunks_look(carom_chunks *c, hsize_t rows);
void carom_chunks_close(carom_chunks *c);

#endif
