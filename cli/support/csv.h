/* Tables as comma-separated values on a stream: a header with names and units, SI, numbers with 17 digits. */
#ifndef CAROM_CLI_CSV_H
#define CAROM_CLI_CSV_H

#include <stdio.h>

#include "support/cli.h"

typedef struct csv {
    FILE *file;
    bool begun; /* the line has a cell */
} csv;

/* A heading "name [unit]"; no unit where it is "" or "1". */
void csv_head(csv *out, const char *name, const char *unit);
/* NULL: an empty cell. */
void csv_text(csv *out, const char *text);
/* "nan" where there is none. */
void csv_number(csv *out, double number);
void csv_end_line(csv *out);
/* The columns of a table, such as that of impacts: their headings, or the cells of a record. */
void csv_field_heads(csv *out, const carom_field *fields, size_t count);
void csv_fields(csv *out, const carom_field *fields, size_t count, const void *record);

#endif
