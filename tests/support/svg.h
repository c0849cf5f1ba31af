/* Figures in tests: reads paths and sizes of the SVG that they are drawn to. */
#ifndef CAROM_TEST_SVG_H
#define CAROM_TEST_SVG_H

#include <stddef.h>

#define SVG_MOST_POINTS 200000

typedef struct svg_path {
    size_t points, pieces;
    double x[SVG_MOST_POINTS], y[SVG_MOST_POINTS];
} svg_path;

/* Coordinates [pt] of the first path from `svg` on whose tag holds `mark`; fails if there is none. Free with
   test_free(). */
svg_path *svg_find_path(const char *svg, const char *mark);
/* Number of occurrences of a text. */
size_t svg_count(const char *svg, const char *text);

/* Contents of a file, with a zero behind them; fails if it cannot be read. Free with test_free(). */
char *read_bytes(const char *path, size_t *size);

#endif
