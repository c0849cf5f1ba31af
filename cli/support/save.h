/* Files that a command writes: each takes its name when it is whole, and none that of a file which is read. */
#ifndef CAROM_CLI_SAVE_H
#define CAROM_CLI_SAVE_H

#include <stdio.h>
#include "support/cli.h"

/* A file under way. Under the name of a device or a pipe there is nothing to keep: it is written as it is. */
typedef struct save {
    FILE *file;
    char *path, *part; /* the file behind links, and the name until it is whole; NULL: as it is */
} save;

/* Opens it; false with errno on failure. On success save_end() must follow. */
bool save_begin(save *s, const char *path);
/* Closes it, and gives it its name if `good` and all was written; else what was there stays. False with errno if it was
   to be and could not. */
bool save_end(save *s, bool good);
/* A whole file; false with errno. */
bool save_bytes(const char *path, const void *bytes, size_t size);
bool save_text(const char *path, const char *text);

/* Refuses an output that is a file which the command reads, `what` it is: "the model"; `by` is the option that names
   another output. Output and input may be NULL. Returns an exit status. */
int refuse_input(const char *command, const char *by, const char *output, const char *input, const char *what);

#endif
