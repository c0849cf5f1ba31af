/* Aligned tables with units, and numbers for people. */
#ifndef CAROM_CLI_TABLE_H
#define CAROM_CLI_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Units of one quantity, from small to large; the last one has a NULL name. */
typedef struct unit_scale {
    const char *name;
    double size; /* in SI */
    double from; /* smallest magnitude, in SI, for which it is taken */
} unit_scale;

extern const unit_scale units_none[], units_time[], units_short_time[], units_speed[], units_force[], units_length[],
    units_energy[], units_mass[];

/* The unit for a magnitude in SI; for 0 the SI unit, if it is among them. */
const unit_scale *unit_for(const unit_scale *units, double magnitude);

#define TABLE_COLUMNS 32

/* A table is filled column by column; start with {.rows = ...}. */
typedef struct table {
    size_t rows, columns;
    size_t keys; /* the first columns, which tell the rows apart; 0: one */
    bool whole;  /* never parted */
    struct {
        char *header;
        char **cells;
        bool right;
    } column[TABLE_COLUMNS];
    size_t gap_after; /* a line of gap_text follows this row; 0: none */
    const char *gap_text;
    bool failed; /* out of memory */
} table;

/* Column of texts; NULL texts are shown as "-". */
void table_texts(table *t, const char *header, bool right, const char *const *texts);
/* Column of numbers in the unit that fits the largest, decimal points aligned; NaN is shown as "-"; digits 0:
   integers. */
void table_numbers(table *t, const char *name, const unit_scale *units, int digits, const double *values);
/* Prints a table. On a terminal that is narrower it is parted: below each other stand as many columns as fit, each time
   after the first ones. */
void table_print(const table *t, FILE *file);
void table_free(table *t);

/* Writes a number with `digits` significant digits to text[32], with a short exponent: 1e-8; returns text. */
const char *short_number(char *text, double value, int digits);

#endif
