/* Points from files, such as measured ones: the option --data and what moves them. */
#ifndef CAROM_CLI_POINTS_H
#define CAROM_CLI_POINTS_H

#include "support/curves.h"
#include "support/options.h"

/* ---- points.c ---- */

/* Splits "LABEL=FILE" unless it is itself the name of a file; the label is a new text, by default the file's name
   without folders and ending. NULL: out of memory. */
char *split_label(const char *text, const char **path);
/* Reads points from a file, with or without LABEL=: two columns, in SI or in the units of their headings, or those that
   are named; prints errors. */
int read_points(const session *s, const char *command, const char *text, point_set *out);
void free_points(point_set *sets, size_t count);

/* ---- points_columns.c: named columns of a table ---- */

/* Where the columns begin, with a colon, in "FILE:Y[UNIT]+-ERROR@X[UNIT]"; NULL: it is the name of a file alone. */
const char *data_columns(const char *path);
/* `columns` NULL: the second over the first one. */
int read_columns(const session *s, const char *command, const char *text, const char *columns, point_set *out);
/* Whether the unit of a column has the dimension of another; NULL, "" and "-" are not known, and fit. */
bool unit_fits(const session *s, const char *unit, const char *of);
/* "DX" or "DX,DY", in SI or with units. */
int read_shift(const session *s, const char *text, double out[2]);
/* Moves points, and with `onset` their onset to the time `at`. */
int place_points(const char *command, const char *text, const double shift[2], bool onset, double at, point_set *set);

/* ---- points_measured.c: data that a report shows ---- */

typedef struct measured {
    const char *command;
    text_list data;
    const char *impact, *align, *shift; /* texts of the options; NULL: not given */
    point_set *points;                  /* of `data`, once they are read */
} measured;

/* Reads the points of all files and checks the options; prints errors. The caller frees in every case. */
int measured_read(const session *s, measured *m);
/* Whether points are over an indentation, not over time. */
bool measured_over_length(const session *s, const point_set *set);
/* Reads them anew and puts those over time where they belong in that of a result. */
int measured_place(const session *s, measured *m, const char *result);
void measured_free(measured *m);

/* Rows of the table of options. */
#define MEASURED_OPTIONS(m)                                                                                      \
    {"data", 0, OPTION_TEXTS, &(m).data, "FILE:Y[UNIT]@X[UNIT]",                                                 \
     "show measured points over the curves: columns of a table; errors by\nY[UNIT]+-E[UNIT]@X[UNIT]; "           \
     "LABEL=FILE... names them; may be repeated"},                                                               \
        {"impact", 0, OPTION_TEXT, &(m).impact, "K", "the times of --data count from the onset of impact K"},    \
        {"align", 0, OPTION_TEXT, &(m).align, "onset",                                                           \
         "puts the onset of the points of --data at that of impact K"},                                          \
        {"shift", 0, OPTION_TEXT, &(m).shift, "DX[,DY]", "moves the points of --data, in SI or with units: 0.2*ms"}

#endif
