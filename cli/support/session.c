/* Errors, the session with the library, texts. */
#include "support/cli.h"
#include "support/terminal.h"
#include "support/visible.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- errors ---- */

static void begin_message(paint what, const char *kind)
{
    fprintf(stderr, "carom: %s%s:%s ", paint_begin(stderr, what), kind, paint_end(stderr));
}

void print_error(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    begin_message(PAINT_ERROR, "error");
    visible_print(stderr, format, args);
    fputc('\n', stderr);
    va_end(args);
}

void print_warning(const char *name, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    begin_message(PAINT_WARNING, "warning");
    visible_print(stderr, format, args);
    fprintf(stderr, " [%s]\n", carom_warning_code_of(name));
    va_end(args);
}

void print_running_warning(const char *text)
{
    begin_message(PAINT_WARNING, "warning");
    visible_write(stderr, text, strlen(text), false);
    fputc('\n', stderr);
}

void print_warnings(const session *s)
{
    for (size_t k = 0; k < s->warning_count; k++)
        print_running_warning(s->warnings[k]);
}

void print_warning_line(const char *text)
{
    print_line(13, "%s%-11s%s  %s", paint_begin(stdout, PAINT_WARNING), "warning", paint_end(stdout), text);
}

int usage_error(const char *command, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    begin_message(PAINT_ERROR, "error");
    fprintf(stderr, "%s: ", command);
    visible_print(stderr, format, args);
    fputc('\n', stderr);
    va_end(args);
    return EXIT_USAGE;
}

int exit_status_of(carom_status status)
{
    switch (status) {
    case CAROM_OK:
        return EXIT_DONE;
    case CAROM_ERROR_MODEL:
        return EXIT_MODEL;
    case CAROM_ERROR_USAGE:
        return EXIT_USAGE;
    case CAROM_ERROR_IO:
        return EXIT_IO;
    case CAROM_ERROR_SOLVER:
    case CAROM_ERROR_MEMORY:
    case CAROM_INTERRUPTED:
        break;
    }
    return EXIT_SOLVER;
}

/* ---- texts ---- */

static char *format_text_list(const char *format, va_list args)
{
    va_list again;
    va_copy(again, args);
    int length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    char *text = length < 0 ? NULL : malloc((size_t)length + 1);
    if (text)
        vsnprintf(text, (size_t)length + 1, format, args);
    return text;
}

char *format_text(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char *text = format_text_list(format, args);
    va_end(args);
    return text;
}

char *shell_word(const char *text)
{
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_./:=+,@%-";
    if (*text && text[strspn(text, plain)] == '\0')
        return format_text("%s", text);
    char *word = malloc(4 * strlen(text) + 3), *at = word;
    if (!word)
        return NULL;
    *at++ = '\'';
    for (const char *c = text; *c; c++)
        if (*c == '\'') {
            memcpy(at, "'\\''", 4);
            at += 4;
        } else {
            *at++ = *c;
        }
    *at++ = '\'';
    *at = '\0';
    return word;
}

/* ---- session ---- */

void session_warn(session *s, const char *text)
{
    for (size_t k = 0; k < s->warning_count; k++)
        if (strcmp(s->warnings[k], text) == 0)
            return;
    char **warnings = realloc(s->warnings, (s->warning_count + 1) * sizeof *warnings);
    if (!warnings)
        return;
    s->warnings = warnings;
    char *copy = format_text("%s", text);
    if (copy)
        s->warnings[s->warning_count++] = copy;
}

/* Forgets a warning. */
static void forget(session *s, const char *text)
{
    size_t kept = 0;
    for (size_t k = 0; k < s->warning_count; k++)
        if (strcmp(s->warnings[k], text) == 0)
            free(s->warnings[k]);
        else
            s->warnings[kept++] = s->warnings[k];
    s->warning_count = kept;
}

void session_forget_since(session *s, size_t count)
{
    while (s->warning_count > count)
        free(s->warnings[--s->warning_count]);
}

void session_warn_of(session *s, const char *first, const carom_simulation *sim)
{
    size_t count;
    const char *const *warnings = carom_simulation_warnings(sim, &count);
    for (size_t k = 0; k < count; k++)
        forget(s, warnings[k]);
    if (*first)
        session_warn(s, first);
    for (size_t k = 0; k < count; k++)
        session_warn(s, warnings[k]);
}

static void receive_log(void *user, carom_log_level level, const char *text)
{
    session *s = user;
    if (level == CAROM_LOG_WARNING && !s->deaf)
        session_warn(s, text);
}

int session_open(session *s)
{
    *s = (session){0};
    carom_context_def def = carom_default_context_def();
    def.log = receive_log;
    def.log_user = s;
    return carom_context_create(&def, &s->ctx) == CAROM_OK ? EXIT_DONE : memory_error();
}

void session_close(session *s)
{
    carom_context_free(s->ctx);
    for (size_t k = 0; k < s->warning_count; k++)
        free(s->warnings[k]);
    free(s->warnings);
    *s = (session){0};
}

int session_fail(const session *s, int exit_status, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char *text = format_text_list(format, args);
    va_end(args);
    if (!s->error || !text)
        print_error("%s", text ? text : "out of memory");
    else if (!*s->error) {
        *s->error = text;
        return exit_status;
    }
    free(text);
    return exit_status;
}

static int by_place(const void *a, const void *b)
{
    const carom_error *x = a, *y = b;
    const int file = strcmp(x->file, y->file);
    return file ? file : x->line != y->line ? x->line - y->line : x->column - y->column;
}

int session_error(const session *s, carom_status status)
{
    carom_error errors[CAROM_MOST_ERRORS];
    const char *text = carom_context_error(s->ctx);
    const size_t count = carom_context_errors(s->ctx, errors, CAROM_MOST_ERRORS);
    if (s->error || count < 2)
        return session_fail(s, exit_status_of(status), "%s", *text ? text : carom_status_name(status));
    qsort(errors, count, sizeof *errors, by_place);
    for (size_t k = 0; k < count; k++)
        print_error("%s", errors[k].text);
    print_error("%zu problems%s", count, count == CAROM_MOST_ERRORS ? ", and there may be more" : "");
    return exit_status_of(status);
}

char *sibling_name(const char *path, const char *ending)
{
    const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path, *dot = strrchr(base, '.');
    size_t length = dot && dot > base ? (size_t)(dot - path) : strlen(path);
    return format_text("%.*s%s", (int)length, path, ending);
}
