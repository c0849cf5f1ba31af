/* A small JSON reader for tests: the whole file becomes a tree of malloc'ed values. A NULL value is passed through, so
   that calls may be chained and checked once. */
#ifndef CAROM_TEST_JSON_H
#define CAROM_TEST_JSON_H

#include <stdbool.h>
#include <stddef.h>

typedef enum json_type { JSON_NULL, JSON_BOOL, JSON_NUMBER, JSON_TEXT, JSON_ARRAY, JSON_OBJECT } json_type;

typedef struct json json;

/* Reads a file or a text; NULL with a line on stderr if that fails. */
json *json_parse_file(const char *path);
json *json_parse_text(const char *text);
void json_free(json *value);

json_type json_type_of(const json *value); /* JSON_NULL for NULL */
/* Items of an array or members of an object; 0 for anything else. */
size_t json_size(const json *value);
/* Item of an array or value of a member, by index; NULL if there is none. */
const json *json_item(const json *value, size_t index);
/* Member of an object by name; NULL if there is none. */
const json *json_member(const json *value, const char *name);
/* Name of the member at an index; NULL if there is none. */
const char *json_name(const json *value, size_t index);
/* Value by path: names and indices separated by dots, "params.K" or "rows.3.e". */
const json *json_get(const json *value, const char *path);
/* NAN if it is not a number. */
double json_number(const json *value);
/* NULL if it is not a text. */
const char *json_text(const json *value);
bool json_bool(const json *value);

#endif
