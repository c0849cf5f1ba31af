/* Lines of tables as text: records of inputs and of measurements. */
#ifndef CAROM_READ_CSV_H
#define CAROM_READ_CSV_H

#include "base/base.h"
#include "expr/dimension.h"

/* Most columns and bytes of a table. */
#define CAROM_CSV_COLUMNS 1024
#define CAROM_CSV_BYTES ((size_t)1 << 30)

/* A cell without the blanks and quotes around it. */
typedef struct carom_csv_field {
    const char *text;
    size_t length;
} carom_csv_field;

static inline bool carom_csv_is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

/* What separates the fields of a line: ',', ';', or ' ' for blanks and tabs. Beside ';' commas within numbers are
   decimal ones. */
char carom_csv_separator(const char *line, size_t length);

/* Cuts a line into at most CAROM_CSV_COLUMNS fields; returns their number, one more where there are more. Between
   blanks a unit in brackets belongs to the field before it: "time [ms]	push [N m]" are two. */
size_t carom_csv_split(const char *line, size_t length, char separator, carom_csv_field *fields);

/* Takes a heading apart, "t [ms]", "t[ms]", "Force (N)", "F/kN", "v/(m/s)", "t in ms": its name and its unit, of
   length 0 where there is none. The parts of a second stay in the name: "time_ms". */
void carom_csv_heading(const carom_csv_field *heading, carom_csv_field *name, carom_csv_field *unit);
/* Whether a text is a product of units that expressions know: "kN", "N m", "m/s^2". */
bool carom_csv_is_unit(const char *text, size_t length);
/* Size in SI and dimension of a unit as people write it, "N m", "%"; `column` is for messages. */
carom_status carom_csv_unit(carom_context *ctx, const carom_place *place, const char *column, const char *unit,
                            double *factor, carom_dimension *dimension);

/* What to do about a text that is no number, as the end of a sentence; "" where nothing is known: decimal commas. */
const char *carom_csv_remedy(const char *text, size_t length);

/* The next line that holds something and is no comment; NULL at the end. *at moves on, *number counts the lines. */
const char *carom_csv_line(const char **at, const char *end, size_t *length, int *number);
/* Behind the mark of UTF-8, if a text begins with one. */
const char *carom_csv_begin(const char *text, size_t length);

#endif
