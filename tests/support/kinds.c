#include "support/kinds.h"

#include <stdlib.h>

static carom_context *ctx;

static void destroy(void) { carom_context_free(ctx); }

const carom_context *all_kinds(void)
{
    if (!ctx) {
        if (carom_context_create(NULL, &ctx) != CAROM_OK)
            abort();
        atexit(destroy);
    }
    return ctx;
}
