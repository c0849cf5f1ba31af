/* Writes what inflates as zlib's streams do (RFC 1950, RFC 1951), of bytes of which the caller knows more than zlib:
   whether they are noise, and at which distance they repeat. */
#ifndef CAROM_RESULT_DEFLATE_H
#define CAROM_RESULT_DEFLATE_H

#include "base/base.h"

#define CAROM_DEFLATE_BLOCK 32768       /* bytes of a block, at most */

typedef struct carom_deflate {
    unsigned char *begin, *out;
    uint64_t bits;              /* that wait to be written, */
    unsigned waiting;           /* so many, fewer than 8 between calls */
    uint32_t sum, sum_of_sums;  /* of the bytes so far: Adler's checksum */
    uint16_t tokens[CAROM_DEFLATE_BLOCK];
} carom_deflate;

/* Bytes of a stream of `count` bytes that are added in `parts` parts, at most. */
size_t carom_deflate_room(size_t count, size_t parts);
/* Begins a stream. */
void carom_deflate_begin(carom_deflate *d, unsigned char *out);
/* Adds bytes as they are. */
void carom_deflate_store(carom_deflate *d, const unsigned char *bytes, size_t count);
/* Adds bytes that often equal those `distance` before; stores them where that is shorter. */
void carom_deflate_add(carom_deflate *d, const unsigned char *bytes, size_t count, size_t distance);
/* Ends the stream; returns its bytes. */
size_t carom_deflate_end(carom_deflate *d);

#endif
