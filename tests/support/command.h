/* The program carom run from outside, in a temporary folder: exit status, output, errors. Any surprise ends the
   test. */
#ifndef CAROM_TEST_COMMAND_H
#define CAROM_TEST_COMMAND_H

#include <stdbool.h>
#include "support/json.h"

/* ---- the folder ---- */

/* Set-up and tear-down of a group of tests: makes a temporary folder the current one; removes it. */
int enter_folder(void **state);
int leave_folder(void **state);

/* A whole file; free it. */
char *read_text(const char *path);
void write_text(const char *path, const char *text);
bool exists(const char *path);

/* ---- the program ---- */

/* What a run of the program left. */
typedef struct outcome {
    int status;
    char *out, *err;
} outcome;

/* Runs `carom ARGUMENTS` through the shell. */
outcome carom(const char *format, ...);
void free_outcome(outcome *o);

/* Starts `carom ARGUMENTS...`, NULL ends them, with its output in a file; when the file `awaited` exists and `more`
   seconds are over, stops it by a signal. Returns the exit status. */
int interrupt(const char *const *arguments, const char *out, const char *awaited, double more, int signal);

/* Runs a command that must fail without output and with one line of error that contains `part`. */
void expect_error(int status, const char *part, const char *arguments);
void expect_text(const char *text, const char *part);
/* Parses what must be JSON; json_free() it. */
json *expect_json(const char *text);

#endif
