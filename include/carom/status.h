/* Outcome of every fallible call. The text of the last failure is in the context: carom_context_error(). */
#ifndef CAROM_STATUS_H
#define CAROM_STATUS_H

#ifdef __cplusplus
extern "C" {
#endif

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
const char *carom_status_name(carom_status status);

#ifdef __cplusplus
}
#endif
#endif
