/* JSON on standard output. */
#include "support/json.h"

#include <stdio.h>

carom_json *json_open(const session *s)
{
    carom_json *json;
    const carom_status status = carom_json_create(s->ctx, true, &json);
    if (status == CAROM_OK)
        return json;
    session_error(s, status);
    return NULL;
}

int json_print(const session *s, carom_json *json)
{
    const char *text;
    if (!json)
        return EXIT_SOLVER;
    const carom_status status = carom_json_get(json, &text);
    if (status == CAROM_OK)
        fputs(text, stdout);
    carom_json_free(json);
    return status == CAROM_OK ? EXIT_DONE : session_error(s, status);
}
