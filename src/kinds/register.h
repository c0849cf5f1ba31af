/* What the functions that register kinds of a program share. */
#ifndef CAROM_REGISTER_H
#define CAROM_REGISTER_H

#include "kinds/kind.h"

/* A function that a definition may or must have. */
typedef struct carom_register_need {
    const char *name;
    bool given;
} carom_register_need;

/* Checks everything but what only one family has. `size` is that of the whole definition. Errors: CAROM_ERROR_USAGE. */
carom_status carom_register_check(carom_context *ctx, carom_family family, const carom_kind_def *def, size_t size,
                                  const carom_register_need *needs, size_t need_count);
/* Copies name, texts and table of a definition into the registry's arena. Errors: CAROM_ERROR_MEMORY. */
carom_status carom_register_texts(carom_context *ctx, const carom_kind_def *def, carom_kind *out);
/* A copy of a block there; NULL: no memory. */
void *carom_register_block(carom_context *ctx, const void *block, size_t size);

#endif
