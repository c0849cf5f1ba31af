/* JSON as a growing text: 17 digits, null for what is not finite, escaped texts that are safe within HTML. */
#ifndef CAROM_IO_JSON_H
#define CAROM_IO_JSON_H

#include "base/base.h"

/* Starts as {.text = {.ctx = ctx}}; text.failed tells whether memory ran out. Free text with carom_text_clear(). */
typedef struct carom_json {
    carom_text text;
    bool filled;                /* the open object or array has an entry */
} carom_json;

/* Keys are NULL for entries of arrays and for the outermost value. `bracket` is '{' or '[', that of the end '}' or
   ']'. */
void carom_json_begin(carom_json *json, const char *key, char bracket);
void carom_json_end(carom_json *json, char bracket);
/* A NULL text is written as null; bytes that are not UTF-8 become U+FFFD, '<' becomes \u003c. */
void carom_json_text(carom_json *json, const char *key, const char *text);
void carom_json_number(carom_json *json, const char *key, double number);
void carom_json_numbers(carom_json *json, const char *key, const double *numbers, size_t count);
void carom_json_bool(carom_json *json, const char *key, bool value);
void carom_json_null(carom_json *json, const char *key);

/* A number with 17 digits and a point, whatever the locale, to text[40]; returns text. */
const char *carom_number_text(char *text, double value);

#endif
