/* JSON on standard output, by the writer of carom/json.h. */
#ifndef CAROM_CLI_JSON_H
#define CAROM_CLI_JSON_H

#include "support/cli.h"

/* An empty value, a line an entry; NULL, and it is said, when out of memory. */
carom_json *json_open(const session *s);
/* Prints and frees what is written; returns an exit status. NULL is allowed: nothing is printed. */
int json_print(const session *s, carom_json *json);

#endif
