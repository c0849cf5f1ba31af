/* Grids of heights in files: rows of numbers, and PNG images. */
#ifndef CAROM_IO_GRID_H
#define CAROM_IO_GRID_H

#include "base/base.h"

/* Rows from low y to high. */
typedef struct carom_grid_data {
    double *numbers;
    int columns, rows;
} carom_grid_data;

#define CAROM_GRID_LINES 4000   /* most columns or rows */

/* Reads a file: an image where it begins as a PNG does. In the arena. Errors: CAROM_ERROR_IO, CAROM_ERROR_MODEL with
   the line, CAROM_ERROR_MEMORY. */
carom_status carom_grid_read(carom_arena *arena, const char *path, carom_grid_data *out);

/* png.c: grey values from 0 to 1, rows from the top of the image down. */
carom_status carom_png_read(carom_arena *arena, const char *path, const unsigned char *bytes, size_t size,
                            carom_grid_data *out);

#endif
