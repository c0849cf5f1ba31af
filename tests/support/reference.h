/* Reference data of the tests, tests/data/mechanisms.json and contact.json: cases by name, values with their error. */
#ifndef CAROM_TEST_REFERENCE_H
#define CAROM_TEST_REFERENCE_H

#include "support/json.h"

/* Reads a file of tests/data, e.g. "mechanisms.json"; NULL if that fails. Free with json_free(). */
json *reference_open(const char *file);

/* Case of mechanisms.json by its id; NULL with a line on stderr if there is none. */
const json *reference_case(const json *mechanisms, const char *id);
/* An input of a case, e.g. "cr" or "delta.3". */
const json *reference_input(const json *one_case, const char *path);
/* Value of an output: all of it, or the number at `index` of a list (index is ignored for a scalar). */
const json *reference_output(const json *one_case, const char *name);
double reference_value(const json *one_case, const char *name, size_t index);
/* Error estimate of that number, absolute. */
double reference_error(const json *one_case, const char *name, size_t index);

#endif
