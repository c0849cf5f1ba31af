/* Numbers compared with a reference: a value too far off ends the test, and the largest error of each sort is kept to
   be printed as the test's margin. */
#ifndef CAROM_TEST_NEAR_H
#define CAROM_TEST_NEAR_H

#include <stddef.h>

#define NEAR_SORTS 40

typedef struct near_margin {
    const char *what; /* the sort; NULL: none, here and in what follows */
    int count;
    double error;
    char where[64]; /* the case of the largest error */
} near_margin;

typedef struct near_table {
    near_margin sort[NEAR_SORTS];
} near_table;

/* Fails unless |got - expected| is at most `tolerance` times |scale|, or the tolerance itself if scale is 0. `what`
   must last as long as the table. */
void near_in(near_table *table, const char *what, const char *where, double got, double expected, double scale,
             double tolerance);
/* The same in a table of this program. */
void near(const char *what, const char *where, double got, double expected, double scale, double tolerance);
/* Relative to the expected value. */
void near_relative(const char *what, const char *where, double got, double expected, double tolerance);

/* The table of this program, and one line for each of its sorts; `width` is that of the names. */
const near_table *near_margins(void);
void near_print(int width);

#endif
