/* What everything else stands on: status codes, the context with its allocator, log sink and last error, the version.
   One thread uses a context at a time; threads that share nothing but constant models use contexts of their own. */
#ifndef CAROM_BASE_API_H
#define CAROM_BASE_API_H

#include <stddef.h>
#include "carom/api.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- status ---- */

/* Status codes; the command line maps MODEL, USAGE, SOLVER and IO to its exit statuses 1 to 4. */
typedef enum carom_status {
    CAROM_OK = 0,
    CAROM_ERROR_MODEL = 1,       /* the model, or a value in it, is wrong */
    CAROM_ERROR_USAGE = 2,       /* an argument of the call is wrong */
    CAROM_ERROR_SOLVER = 3,      /* the solver gave up; what was computed so far is valid */
    CAROM_ERROR_IO = 4,          /* a file could not be read or written */
    CAROM_ERROR_MEMORY = 5,      /* the allocator returned NULL */
    CAROM_INTERRUPTED = 6        /* the caller asked to stop; what was computed so far is valid */
} carom_status;

/* Short English name of a status, e.g. "model error". Never NULL. */
CAROM_API const char *carom_status_name(carom_status status);

/* Position in a text file, for error messages; line 0: none; file NULL: no file. Lines and columns count from 1. */
typedef struct carom_place {
    const char *file;
    int line, column;
} carom_place;

/* ---- context ---- */

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
CAROM_API carom_context_def carom_default_context_def(void);

/* Makes a context in *out; `def` may be NULL for the defaults. The caller destroys it after everything made with it.
   Errors: CAROM_ERROR_MEMORY, CAROM_ERROR_USAGE (out is NULL). */
CAROM_API carom_status carom_context_create(const carom_context_def *def, carom_context **out);

/* Destroys a context; NULL is allowed. */
CAROM_API void carom_context_destroy(carom_context *context);

/* Text of the last failure, with place and remedy; "" if nothing failed. Valid until the next failing call. */
CAROM_API const char *carom_context_error(const carom_context *context);

/* Version of the library, e.g. "0.1.0". */
CAROM_API const char *carom_version(void);

/* ---- for what is built on Carom: kinds, sinks and libraries of one's own ---- */

#if defined(__GNUC__)
#define CAROM_PRINTF(format_index, first) __attribute__((format(printf, format_index, first)))
#else
#define CAROM_PRINTF(format_index, first)
#endif

/* Stores "file:line:column: text" (place may be NULL) as the context's error and returns `status`. */
CAROM_API carom_status carom_fail(carom_context *ctx, carom_status status, const carom_place *place,
                                  const char *format, ...)
    CAROM_PRINTF(4, 5);
/* Stores "out of memory" and returns CAROM_ERROR_MEMORY. */
CAROM_API carom_status carom_fail_memory(carom_context *ctx);
/* Sends one line to the log sink. */
CAROM_API void carom_log(carom_context *ctx, carom_log_level level, const char *format, ...) CAROM_PRINTF(3, 4);

/* Zeroed block of count*size bytes from the context's allocator, NULL when out of memory or on overflow. A zero size gives
   a valid block. */
CAROM_API void *carom_allocate(carom_context *ctx, size_t count, size_t size);
/* Gives a block back; `count` and `size` as allocated; NULL is allowed. */
CAROM_API void carom_release(carom_context *ctx, void *block, size_t count, size_t size);
/* Frees a text that the library made; NULL is allowed. */
CAROM_API void carom_text_release(carom_context *ctx, char *text);

#ifdef __cplusplus
}
#endif
#endif
