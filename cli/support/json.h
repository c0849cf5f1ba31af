/* Writes JSON to a stream: 17 digits, escaped texts, null for what is not finite. */
#ifndef CAROM_CLI_JSON_H
#define CAROM_CLI_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include "carom/simulation.h"

typedef struct json_writer {
    FILE *file;
    int depth;
    bool filled; /* the open object or array has an entry */
} json_writer;

/* Keys are NULL for entries of arrays and for the outermost value. */
void json_begin_object(json_writer *json, const char *key);
void json_end_object(json_writer *json);
void json_begin_array(json_writer *json, const char *key);
void json_end_array(json_writer *json);
/* A NULL text is written as null. */
void json_text(json_writer *json, const char *key, const char *text);
void json_number(json_writer *json, const char *key, double number);
void json_integer(json_writer *json, const char *key, int64_t number);
void json_numbers(json_writer *json, const char *key, const double *numbers, size_t count);
/* The members of a carom_impact or carom_ledger that `fields` lists, as entries of the open object. */
void json_fields(json_writer *json, const carom_field *fields, size_t count, const void *record);

#endif
