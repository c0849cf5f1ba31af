/* What everything else stands on: status codes, the context with its allocator, log sink and last error, the version.
   One thread uses a context at a time; threads that share nothing but constant models use contexts of their own. */
#ifndef CAROM_BASE_API_H
#define CAROM_BASE_API_H

#include <stdbool.h>
#include <stddef.h>
#include "carom/api.h"
#include "carom/version.h"

/* Most joints that one may couple. */
#define CAROM_COUPLED_JOINTS 8

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

/* Definitions begin with their size in bytes, which their carom_default_...() sets: a program that was built with an
   older header of the same major version gives a smaller one, and what it does not know has its default. Functions
   refuse a definition of size 0, that nobody filled, and one that is larger than they know. What stands in arrays of a
   definition, and definitions within others, have no size of their own: they change with the major version alone.

   A pointer that is needed and NULL: a function that returns a status refuses it with CAROM_ERROR_USAGE, and its text
   names function and argument; others return NULL, "", 0, NAN, false or a struct of zeros. The number of a list that is
   returned (`count`) is given where it is asked for: its pointer may be NULL. */

/* What a context is made from; fill with carom_default_context_def() first. */
typedef struct carom_context_def {
    size_t size;
    carom_allocator allocator;
    carom_log_fn log;           /* NULL: messages are dropped */
    void *log_user;
} carom_context_def;

/* The defaults: malloc and free, no log. */
CAROM_API carom_context_def carom_default_context_def(void);

/* carom_context_create() for a program that was built with the headers of this version (CAROM_VERSION_NUMBER). */
CAROM_API carom_status carom_context_create_for(int version, const carom_context_def *def, carom_context **out);

/* Makes a context in *out; `def` may be NULL for the defaults. The caller frees it after everything made with it.
   Errors, with the text from carom_context_error(NULL): CAROM_ERROR_MEMORY, CAROM_ERROR_USAGE (out is NULL, a
   definition that was not filled, headers and library of versions that do not fit: another major one, or before 1.0
   minor one). */
static inline carom_status carom_context_create(const carom_context_def *def, carom_context **out)
{
    return carom_context_create_for(CAROM_VERSION_NUMBER, def, out);
}

/* Frees a context; NULL is allowed. */
CAROM_API void carom_context_free(carom_context *context);

/* Text of the last failure, with place and remedy; "" if nothing failed. Valid until the next failing call. Of NULL:
   why a context could not be made last in this thread, or which call was refused that had none, such as that of a
   simulation that is NULL. */
CAROM_API const char *carom_context_error(const carom_context *context);

/* The last failure in its parts. Texts are never NULL and valid until the next failing call. */
typedef struct carom_error {
    carom_status status;        /* CAROM_OK: nothing failed */
    const char *file;           /* of the model; "": no file */
    int line, column;           /* from 1; 0: no place in the file */
    const char *object;         /* what it is about, as "contact 'hit'"; "": the failing call did not say */
    const char *text;           /* all of it, as carom_context_error() */
    const char *remedy;         /* its end that says what to do, behind the semicolon; "": it has none */
} carom_error;

CAROM_API carom_error carom_context_last_error(const carom_context *context);
/* Most problems that one call tells. */
#define CAROM_MOST_ERRORS 20

/* All problems that it found: reading and compiling a model go on behind one. Fills up to `capacity`
   of them in the order of their discovery, the first is carom_context_last_error(), and returns how many there are;
   0: nothing failed. */
CAROM_API size_t carom_context_errors(const carom_context *context, carom_error *out, size_t capacity);

/* Version of the library, e.g. "0.1.0", and as CAROM_VERSION_NUMBER. */
CAROM_API const char *carom_version(void);
CAROM_API int carom_version_number(void);

/* ---- for what is built on Carom: kinds, sinks and libraries of one's own ---- */

#if defined(__GNUC__)
#define CAROM_PRINTF(format_index, first) __attribute__((format(printf, format_index, first)))
#else
#define CAROM_PRINTF(format_index, first)
#endif

/* Stores "file:line:column: text" (place may be NULL) as the context's error and returns `status`; without a context,
   the text as that of carom_context_error(NULL). */
CAROM_API carom_status carom_fail(carom_context *ctx, carom_status status, const carom_place *place,
                                  const char *format, ...)
    CAROM_PRINTF(4, 5);
/* Stores "out of memory" and returns CAROM_ERROR_MEMORY. */
CAROM_API carom_status carom_fail_memory(carom_context *ctx);
/* The name among `names` nearest to `word` (edit distance at most a third of its length, at least 1), or NULL. */
CAROM_API const char *carom_nearest_name(const char *word, const char *const *names, size_t count);
/* Reads a size in bytes: 6MB, 500 kB, 2GB, 6000000; false: it is none of at least one byte. */
CAROM_API bool carom_parse_size(const char *text, double *bytes);
/* Sends one line to the log sink. */
CAROM_API void carom_log(carom_context *ctx, carom_log_level level, const char *format, ...) CAROM_PRINTF(3, 4);
/* Code of a warning by its name, "W05" of "inaccurate"; NULL if there is none. It stands in brackets at the end of
   every warning; carom_explain() explains it. */
CAROM_API const char *carom_warning_code_of(const char *name);
/* What to do about a warning, by its code; NULL if there is none of that code. */
CAROM_API const char *carom_warning_remedy(const char *code);

/* Zeroed block of count*size bytes from the context's allocator, NULL when out of memory or on overflow. A zero size
   gives a valid block. */
CAROM_API void *carom_allocate(carom_context *ctx, size_t count, size_t size);
/* Gives a block back; `count` and `size` as allocated; NULL is allowed. */
CAROM_API void carom_release(carom_context *ctx, void *block, size_t count, size_t size);
/* Frees a text that the library made; NULL is allowed. */
CAROM_API void carom_text_free(carom_context *ctx, char *text);

#ifdef __cplusplus
}
#endif
#endif
