/* A context carries the allocator, the log sink and the text of the last error. One thread uses a context at a time. */
#ifndef CAROM_CONTEXT_H
#define CAROM_CONTEXT_H

#include <stddef.h>
#include "carom/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct carom_context carom_context;

/* Memory of the library. `allocate` returns at least `size` bytes aligned for any type, or NULL; `release` takes what
   `allocate` returned and the same size. NULL functions mean malloc and free. */
typedef struct carom_allocator {
    void *(*allocate)(void *user, size_t size);
    void (*release)(void *user, void *block, size_t size);
    void *user;
} carom_allocator;

typedef enum carom_log_level { CAROM_LOG_INFO, CAROM_LOG_WARNING } carom_log_level;

/* Receives messages; `text` is one line without newline, valid during the call only. */
typedef void (*carom_log_fn)(void *user, carom_log_level level, const char *text);

/* What a context is made from; fill with carom_default_context_def() first. */
typedef struct carom_context_def {
    carom_allocator allocator;
    carom_log_fn log;           /* NULL: messages are dropped */
    void *log_user;
} carom_context_def;

/* The defaults: malloc and free, no log. */
carom_context_def carom_default_context_def(void);

/* Makes a context in *out; `def` may be NULL for the defaults. The caller destroys it after everything made with it.
   Errors: CAROM_ERROR_MEMORY, CAROM_ERROR_USAGE (out is NULL). */
carom_status carom_context_create(const carom_context_def *def, carom_context **out);

/* Destroys a context; NULL is allowed. */
void carom_context_destroy(carom_context *context);

/* Text of the last failure, with place and remedy; "" if nothing failed. Valid until the next failing call. */
const char *carom_context_error(const carom_context *context);

/* Version of the library, e.g. "0.1.0". */
const char *carom_version(void);

#ifdef __cplusplus
}
#endif
#endif
