/* A file that takes its name when it is complete: until then it has another one beside it. */
#ifndef CAROM_IO_SAVE_H
#define CAROM_IO_SAVE_H

#include <stdio.h>
#include "base/base.h"

typedef struct carom_save {
    carom_context *ctx;
    const char *path;
    char *part;                 /* its name until it is complete */
    size_t part_size;
    FILE *file;
    int error;                  /* errno of the first failure */
} carom_save;

/* Creates the file. On success carom_save_end() must follow. Errors: CAROM_ERROR_IO (not an ordinary file, no such
   folder, ...), CAROM_ERROR_MEMORY. */
carom_status carom_save_begin(carom_context *ctx, const char *path, carom_save *out);
/* Appends bytes; after a failure it does nothing. */
void carom_save_bytes(carom_save *save, const void *bytes, size_t length);
/* Closes the file and gives it its name if `status` is CAROM_OK and all was written; else removes it. Returns
   `status`, or CAROM_ERROR_IO. */
carom_status carom_save_end(carom_save *save, carom_status status);

/* True if both names stand for one file that exists. */
bool carom_is_same_file(const char *a, const char *b);

#endif
