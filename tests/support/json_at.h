/* Parts of a JSON value that must be there; the test fails if they are not. */
#ifndef CAROM_TEST_JSON_AT_H
#define CAROM_TEST_JSON_AT_H

#include "support/json.h"

/* Number or text at a path of json_get(). */
double number_at(const json *value, const char *path);
const char *text_at(const json *value, const char *path);
/* Asserts the name of the k-th member; that an object has exactly these members in this order. */
void assert_name(const json *object, size_t k, const char *name);
void assert_keys(const json *object, const char *const *keys, size_t count);

#endif
