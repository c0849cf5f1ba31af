/* What the files of the command line share: exit statuses, commands, the session with the library, errors. */
#ifndef CAROM_CLI_H
#define CAROM_CLI_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include "carom/carom.h"
#include "carom/io.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* Exit statuses of the program. */
enum {
    EXIT_DONE = 0,
    EXIT_MODEL = 1,
    EXIT_USAGE = 2,
    EXIT_SOLVER = 3,
    EXIT_IO = 4,
    EXIT_SIGNAL = 128 /* plus the number of the signal */
};

/* ---- commands: each takes its arguments without its name and returns an exit status ---- */

int command_new(int argc, char **argv);
int command_view(int argc, char **argv);
int command_run(int argc, char **argv);
int command_check(int argc, char **argv);
int command_explain(int argc, char **argv);
int command_list(int argc, char **argv);
int command_export(int argc, char **argv);
int command_plot(int argc, char **argv);
int command_report(int argc, char **argv);
int command_force(int argc, char **argv);
int command_impact(int argc, char **argv);
int command_compare(int argc, char **argv);
int command_converge(int argc, char **argv);
int command_import(int argc, char **argv);
int command_sweep(int argc, char **argv);
int command_schema(int argc, char **argv);
int command_fit(int argc, char **argv);
int command_optimise(int argc, char **argv);

/* ---- errors: one line each on standard error ---- */

/* Prints "carom: error: ...". */
void print_error(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Prints "carom: warning: ... [CODE]", CODE that of a warning by its name in `carom list warnings`. */
void print_warning(const char *name, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Prints "carom: error: COMMAND: ..." and returns EXIT_USAGE. */
int usage_error(const char *command, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Prints "out of memory" and returns EXIT_SOLVER. */
static inline int memory_error(void)
{
    print_error("out of memory");
    return EXIT_SOLVER;
}
/* Exit status that belongs to a status of the library. */
int exit_status_of(carom_status status);

/* ---- session: the library's context and the warnings it sent ---- */

typedef struct session {
    carom_context *ctx;
    char **warnings;
    size_t warning_count;
    bool deaf;    /* to warnings of the log: those of a simulation are asked of it, grouped */
    char **error; /* takes the first error, a new text; NULL: errors go to standard error */
} session;

/* Opens a session; returns an exit status and has said what went wrong if it is not EXIT_DONE. */
int session_open(session *s);
void session_close(session *s);
/* Prints the warnings of a session to standard error. */
void print_warnings(const session *s);
/* A warning of a run that goes on, to standard error. */
void print_running_warning(const char *text);
/* Prints a warning to standard output, behind the label of its line in the tables of a run. */
void print_warning_line(const char *text);
/* Keeps a warning unless the session has the same one. */
void session_warn(session *s, const char *text);
/* Forgets all warnings behind the first `count`. */
void session_forget_since(session *s, size_t count);
/* Adds one, unless it is "", and those of a simulation behind it, in their order. */
void session_warn_of(session *s, const char *first, const carom_simulation *sim);
/* Prints or keeps the library's last error and returns the exit status of `status`. */
int session_error(const session *s, carom_status status);
/* Prints or keeps an error and returns `exit_status`. */
int session_fail(const session *s, int exit_status, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* ---- texts ---- */

/* New text from a format, NULL when out of memory; free with free(). */
char *format_text(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* A word as a shell reads it back, in quotes where it needs them; new as above. */
char *shell_word(const char *text);
/* The name of a file with another ending, in the same folder; new as above. */
char *sibling_name(const char *path, const char *ending);

#endif
