/* What a context holds. Only libcarom knows it: libcarom-io has the functions of carom/base.h. */
#ifndef CAROM_CONTEXT_H
#define CAROM_CONTEXT_H

#include "base/base.h"

struct carom_context {
    carom_allocator allocator;
    carom_log_fn log;
    void *log_user;
    char error[CAROM_ERROR_TEXT];
    struct carom_registry *registry;    /* the kinds it knows, see kinds/kind.h; NULL: none */
    void (*release_registry)(carom_context *ctx);
};

/* A context that knows no kinds yet; what carom_context_create() begins with. */
carom_status carom_context_open(const carom_context_def *def, carom_context **out);

#endif
