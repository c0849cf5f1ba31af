#include "support/reference.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef CAROM_TEST_DATA
#define CAROM_TEST_DATA "tests/data"
#endif

json *reference_open(const char *file)
{
    char path[1024];
    const char *folder = getenv("CAROM_TEST_DATA");
    snprintf(path, sizeof path, "%s/%s", folder ? folder : CAROM_TEST_DATA, file);
    return json_parse_file(path);
}

const json *reference_case(const json *mechanisms, const char *id)
{
    const json *cases = json_member(mechanisms, "cases");
    for (size_t k = 0; k < json_size(cases); k++) {
        const char *name = json_text(json_member(json_item(cases, k), "id"));
        if (name && strcmp(name, id) == 0)
            return json_item(cases, k);
    }
    fprintf(stderr, "reference: no case '%s'\n", id);
    return NULL;
}

const json *reference_input(const json *one_case, const char *path)
{
    return json_get(json_member(one_case, "inputs"), path);
}

static const json *output_part(const json *one_case, const char *name, const char *part)
{
    return json_member(json_member(json_member(one_case, "outputs"), name), part);
}

/* A scalar, or the number at an index of a list. */
static double pick(const json *value, size_t index)
{
    return json_number(json_type_of(value) == JSON_ARRAY ? json_item(value, index) : value);
}

const json *reference_output(const json *one_case, const char *name) { return output_part(one_case, name, "value"); }

double reference_value(const json *one_case, const char *name, size_t index)
{
    return pick(output_part(one_case, name, "value"), index);
}

double reference_error(const json *one_case, const char *name, size_t index)
{
    return pick(output_part(one_case, name, "err"), index);
}
