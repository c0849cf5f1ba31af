/* The writer of carom/json.h as its users in the libraries have it: a value that needs no memory of its own. */
#ifndef CAROM_JSON_WRITER_H
#define CAROM_JSON_WRITER_H

#include "base/base.h"
#include "carom/json.h"

/* Starts as {.text = {.ctx = ctx}}; text.failed tells whether memory ran out. Free text with carom_text_clear(). */
struct carom_json {
    carom_text text;
    bool indented;              /* a line an entry */
    bool on_one_line;           /* for now none */
    bool filled;                /* the open object or array has an entry */
    int depth;
};

/* Entries that are written already, with their keys. */
void carom_json_raw(carom_json *json, const char *entries);

#endif
