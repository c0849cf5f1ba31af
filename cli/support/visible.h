/* Texts of others on a terminal, which obeys control characters: they are shown instead. The one place that does so. */
#ifndef CAROM_CLI_VISIBLE_H
#define CAROM_CLI_VISIBLE_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Writes `length` bytes of a text. Of control characters, and of those that turn the direction of a text, is written
   what a program would call them, such as \x1b or \u202e; `painted`: the colours of paint_begin() stay. */
void visible_write(FILE *file, const char *text, size_t length, bool painted);
/* Writes a message from a format, in one line, without colours. */
void visible_print(FILE *file, const char *format, va_list args);

#endif
