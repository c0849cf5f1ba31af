/* What the terminal is: its width, its character set; lines of text that are cut or folded to it. */
#ifndef CAROM_CLI_TERMINAL_H
#define CAROM_CLI_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "support/colours.h"

/* Whether standard error is a terminal that can move its cursor. */
bool terminal_can_draw(void);
/* Columns and rows of the terminal on standard error, asked again each time; 80 and 24 where it does not tell. */
void terminal_size(size_t *columns, size_t *rows);
/* Columns of the terminal that a stream writes to; 0: it is no terminal, or does not tell. */
size_t terminal_columns(FILE *file);

/* Takes `auto`, the default: colours on a terminal, unless NO_COLOR is set or TERM is dumb; `always` or `never`; false:
   it is none of them. */
bool terminal_take_colour(const char *when);
/* What begins a painted text on a stream, and what ends it; "" where the stream shows no colours. */
const char *paint_begin(FILE *file, paint what);
const char *paint_end(FILE *file);
/* Whether the user's locale writes UTF-8. */
bool terminal_is_utf8(void);
/* Columns that a UTF-8 text takes on a terminal. */
size_t display_width(const char *text);

#define LINE_BYTES 2048

/* A line that grows at its end; what does not fit is left out. Start with {.width = ...}. */
typedef struct text_line {
    char text[LINE_BYTES];
    size_t length, columns; /* bytes, columns on the terminal */
    size_t width;           /* columns at most */
} text_line;

/* Appends text as far as it fits, in whole characters. */
void line_add(text_line *line, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Fills with blanks up to a column. */
void line_pad(text_line *line, size_t column);

/* Prints a line to standard output. On a terminal that is narrower it is folded at two blanks, which stand between the
   parts of a line, else at one; what follows is indented. */
void print_line(size_t indentation, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
