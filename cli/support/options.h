/* Options of a command: one table makes the parser and the help text. */
#ifndef CAROM_CLI_OPTIONS_H
#define CAROM_CLI_OPTIONS_H

#include <string.h>

#include "support/cli.h"

typedef struct text_list {
    const char **items;
    size_t count;
} text_list;

typedef struct number_list {
    double *items;
    size_t count;
} number_list;

typedef enum option_type {
    OPTION_FLAG,     /* bool: takes no value */
    OPTION_TEXT,     /* const char *: the last one given counts */
    OPTION_FILE,     /* const char *: the same, of a file or folder that is no text for standard output: not "-" */
    OPTION_STREAM,   /* const char *: the same, of a text file; "-" is standard output */
    OPTION_TEXTS,    /* text_list: may be repeated */
    OPTION_NAMES,    /* text_list: names between commas, may be repeated */
    OPTION_NUMBER,   /* double */
    OPTION_POSITIVE, /* double > 0 */
    OPTION_NUMBERS   /* number_list: numbers between commas, may be repeated */
} option_type;

typedef struct option {
    const char *name; /* without the hyphens */
    char letter;      /* short form, or 0 */
    option_type type;
    void *target;      /* what the type says */
    const char *value; /* stands for the value in the help text */
    const char *help;
} option;

typedef struct command_def {
    const char *name;
    const char *arguments; /* "MODEL" */
    const char *text;      /* paragraph of the help text */
    const char *example;   /* lines of the help text */
    const option *options;
    size_t option_count;
    size_t more_from;      /* options from this index on stand under a heading of their own; 0: none */
    const char *more_heading;
    size_t least, most; /* number of arguments */
} command_def;

/* In place of options, for completion and the manual page: prints the table instead of the help text. */
#define OPTIONS_ROWS "--print-options"
#define OPTIONS_SECTION "--print-manual"

/* Whether an OPTION_STREAM names standard output, or as none was given stands for it. */
static inline bool option_is_standard(const char *file) { return !file || strcmp(file, "-") == 0; }

/* Result of options_parse(): go on; any other value is an exit status. */
#define OPTIONS_GO (-1)

/* Reads options and arguments; prints help and errors itself. The caller frees with options_free() in every case. */
int options_parse(const command_def *def, int argc, char **argv, text_list *arguments);
/* Frees the lists of all options and the arguments. */
void options_free(const command_def *def, text_list *arguments);

/* What a command does once its options are read; returns an exit status. */
typedef int (*command_fn)(session *s, const text_list *arguments, void *options);
/* Reads options and arguments, opens a session and performs the command in it; returns the exit status. */
int command_perform(const command_def *def, int argc, char **argv, command_fn perform, void *options);

#endif
