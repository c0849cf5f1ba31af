/* Stores: the table of a study in one SQLite file, written run by run, so that a sweep that was killed continues where
   it was. Layout (docs/sweeps.md): table `runs` with a row for each run that is done, `columns` with names, units and
   expressions, `study` with texts and versions, `sessions` with the programs that wrote. */
#ifndef CAROM_STORE_H
#define CAROM_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include "carom/base.h"
#include "carom/study.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct carom_store carom_store;

/* Whether a file is a store, by its first bytes. */
CAROM_IO_API bool carom_store_is_one(const char *path);

/* How a store is written. */
typedef struct carom_store_def {
    size_t size;
    size_t part, parts;         /* of a job array: this store has the runs of part 1 ... parts; parts 0: all runs */
    size_t workers;             /* told in the table of sessions */
    bool retry;                 /* runs that failed are forgotten, so that they are made again */
} carom_store_def;
CAROM_IO_API carom_store_def carom_default_store_def(void);

/* Creates the store of a checked study, or opens one of the same study to continue it. Only one process writes at a
   time. On failure a file that was there is as it was. Errors: CAROM_ERROR_IO (no such folder, no room, another program
   writes it, no store), CAROM_ERROR_USAGE (a store of another study, with what differs), CAROM_ERROR_MEMORY. */
CAROM_IO_API carom_status carom_store_create(carom_context *ctx, const char *path, const carom_study *study,
                                             const carom_store_def *def, carom_store **out);
/* Opens a store for reading, also one that is being written. */
CAROM_IO_API carom_status carom_store_open(carom_context *ctx, const char *path, carom_store **out);
/* Closes it; what was not committed is lost. NULL is allowed. */
CAROM_IO_API void carom_store_close(carom_store *store);

typedef struct carom_store_info {
    const char *version;        /* of the library that created it */
    size_t runs, done;          /* of the study, in the store */
    size_t part, parts;         /* parts 0: all runs */
} carom_store_info;
CAROM_IO_API carom_status carom_store_get_info(carom_store *store, carom_store_info *out);
/* The study, made of the texts in the store; it lives as long as the store. */
CAROM_IO_API const carom_study *carom_store_study(const carom_store *store);
/* Unit of parameter or quantity `index`; NULL: none is known. */
CAROM_IO_API const char *carom_store_unit(const carom_store *store, bool quantity, size_t index);
/* Sets done[run] of the runs that are in the store; `count` is that of the study. */
CAROM_IO_API carom_status carom_store_done(carom_store *store, bool *done, size_t count);

/* Adds a run; it is in the file after the next commit. Errors: CAROM_ERROR_IO (no room: what was committed stays). */
CAROM_IO_API carom_status carom_store_put(carom_store *store, size_t run, const carom_study_outcome *outcome);
CAROM_IO_API carom_status carom_store_commit(carom_store *store);

/* A run in the store. Texts and numbers are good during the call. */
typedef struct carom_store_row {
    size_t run;                 /* from 0 */
    const char *status, *message;
    double seconds;
    const double *parameters;   /* of words the index */
    const double *quantities;   /* NAN: none */
} carom_store_row;
/* Calls a function with every run, in order; a status other than CAROM_OK ends it. */
CAROM_IO_API carom_status carom_store_each(carom_store *store,
                                           carom_status (*row)(void *user, const carom_store_row *row), void *user);
/* The table as CSV, without the seconds, which differ from run to run: equal studies give equal bytes. */
CAROM_IO_API carom_status carom_store_csv(carom_store *store,
                                          void (*write)(void *user, const char *text, size_t length), void *user);
/* Puts the runs of another store of the same study into this one; *added counts those that were new. Errors:
   CAROM_ERROR_USAGE (of another study), CAROM_ERROR_IO. */
CAROM_IO_API carom_status carom_store_merge(carom_store *store, carom_store *other, size_t *added);

#ifdef __cplusplus
}
#endif
#endif
