/* Writes JSON (RFC 8259) to a text: for programs that hand on what they computed. */
#ifndef CAROM_JSON_H
#define CAROM_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "carom/simulation.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One value that grows: an object or an array. After it ran out of memory it takes more and forgets it. */
typedef struct carom_json carom_json;

/* Makes an empty one in *out; `indented`: a line an entry, else without blanks. Free it with carom_json_free().
   Errors: CAROM_ERROR_MEMORY. */
CAROM_API carom_status carom_json_create(carom_context *ctx, bool indented, carom_json **out);
/* NULL is allowed. */
CAROM_API void carom_json_free(carom_json *json);
/* The text so far in *text, which lives until the next call with it. Errors: CAROM_ERROR_MEMORY (at this call or
   before). */
CAROM_API carom_status carom_json_get(const carom_json *json, const char **text);

/* Opens an object or an array; `bracket` is '{' or '['. Keys are NULL for entries of arrays and for the outermost
   value. This function and those below do nothing where an argument that they need is NULL. */
CAROM_API void carom_json_begin(carom_json *json, const char *key, char bracket);
/* Closes it; `bracket` is '}' or ']'. */
CAROM_API void carom_json_end(carom_json *json, char bracket);
/* A text; NULL is written as null. Bytes that are not UTF-8 become U+FFFD; '<' is escaped, so that the text may stand
   in a page. */
CAROM_API void carom_json_text(carom_json *json, const char *key, const char *text);
/* A number with 17 digits; null if it is not finite. */
CAROM_API void carom_json_number(carom_json *json, const char *key, double number);
CAROM_API void carom_json_integer(carom_json *json, const char *key, int64_t number);
/* An array of numbers on one line. */
CAROM_API void carom_json_numbers(carom_json *json, const char *key, const double *numbers, size_t count);
CAROM_API void carom_json_bool(carom_json *json, const char *key, bool value);
CAROM_API void carom_json_null(carom_json *json, const char *key);
/* The members of a carom_impact or carom_ledger that `fields` lists, as entries of the open object. */
CAROM_API void carom_json_fields(carom_json *json, const carom_field *fields, size_t count, const void *record);

#ifdef __cplusplus
}
#endif
#endif
