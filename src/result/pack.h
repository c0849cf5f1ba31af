/* The numbers of a chunk as HDF5's filters shuffle and deflate read them, made without HDF5: it is faster, because
   planes of noise are told and stored. */
#ifndef CAROM_RESULT_PACK_H
#define CAROM_RESULT_PACK_H

#include "base/base.h"

#define CAROM_PACK_LEVEL 1              /* of zlib, as the file says */
#define CAROM_PACK_NO_DEFLATE 2u        /* mask of a chunk that is shuffled alone: the second filter is left out */

typedef struct carom_packer carom_packer;

/* For up to `most` numbers at a time; lives as long as the arena; NULL: out of memory. */
carom_packer *carom_packer_create(carom_arena *arena, size_t most);
/* Packs `count` numbers, of rows of `size`; *packed stays until the next call. Returns the bytes, with the
   mask of filters left out. */
size_t carom_pack(carom_packer *packer, const double *values, size_t count, size_t size, const void **packed,
                  uint32_t *mask);

#endif
