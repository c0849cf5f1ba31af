/* What a context holds. Only libcarom knows it: libcarom-io has the functions of carom/base.h. */
#ifndef CAROM_CONTEXT_H
#define CAROM_CONTEXT_H

#include "base/base.h"

typedef struct carom_failure {
    carom_status status;
    int line, column;
    size_t remedy;              /* where it begins in the text; 0: there is none */
    char file[256], object[128], text[CAROM_ERROR_TEXT];
} carom_failure;

struct carom_context {
    carom_allocator allocator;
    carom_log_fn log;
    void *log_user;
    carom_failure failure;              /* the last one */
    carom_failure kept[CAROM_MOST_ERRORS]; /* of a call that went on behind problems, in their order */
    size_t kept_count;
    size_t behind_count;                /* failures that follow from those, and are not told */
    bool keeping;                       /* such a call is at work, */
    bool is_kept;                       /* and the last failure is among them */
    struct carom_registry *registry;    /* the kinds it knows, see kinds/kind.h; NULL: none */
    void (*release_registry)(carom_context *ctx);
};

/* CAROM_ERROR_USAGE, with the text for carom_context_error(NULL), if headers of this version and the library do not
   fit. */
carom_status carom_context_check_version(int version);
/* A context that knows no kinds yet; what carom_context_create() begins with. */
carom_status carom_context_open(const carom_context_def *def, carom_context **out);

#endif
