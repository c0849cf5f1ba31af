/* The colours of the program's own words on a terminal. */
#ifndef CAROM_CLI_COLOURS_H
#define CAROM_CLI_COLOURS_H

#include <stddef.h>

/* What is painted. */
typedef enum paint { PAINT_ERROR, PAINT_WARNING, PAINT_HEADING, PAINT_COUNT } paint;

/* What begins a colour; of PAINT_COUNT: what ends each. */
const char *colour_code(paint what);
/* Bytes of a colour at the front of a text of `length` bytes; 0: none. */
size_t colour_length(const char *text, size_t length);

#endif
