/* Rows of results: whole blocks are packed and written at once, and come in parts that stay near while they are filled
   and taken. */
#ifndef CAROM_BLOCKS_H
#define CAROM_BLOCKS_H

#include <stddef.h>

#define CAROM_LEAST_PART 256    /* rows, unless a block has fewer */
#define CAROM_BLOCK_PARTS 16    /* at most */

/* Rows of a part of a block, both powers of two. */
static inline size_t carom_block_part(size_t rows)
{
    const size_t part = rows / CAROM_BLOCK_PARTS, least = rows < CAROM_LEAST_PART ? rows : CAROM_LEAST_PART;
    return part < least ? least : part;
}

#endif
