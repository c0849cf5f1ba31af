/* A friction law out of the registry, for tests: parameters as text, "kinetic=0.3 cap=continuous". */
#ifndef CAROM_TEST_FRICTION_H
#define CAROM_TEST_FRICTION_H

#include <stdlib.h>
#include <string.h>

#include "kinds/friction/friction.h"
#include "support/kinds.h"

typedef struct test_friction {
    const carom_friction_kind *kind;
    double p[16]; /* parameters */
    double c[CAROM_FRICTION_CONSTANTS];
} test_friction;

/* Index of a word in "printed|continuous", or the number. */
static inline double test_friction_value(const carom_param_row *row, const char *text, size_t length)
{
    if (!(row->flags & CAROM_PARAM_TEXT))
        return strtod(text, NULL);
    int index = 0;
    for (const char *word = row->unit; word; word = strchr(word, '|'), index++) {
        word += *word == '|';
        if (strcspn(word, "|") == length && memcmp(word, text, length) == 0)
            return index;
    }
    return (double)NAN;
}

/* Returns NULL or the sentence of the refusal; parameters that the law does not have are passed over. */
static inline const char *test_friction_make(test_friction *law, const char *name, const char *given)
{
    const carom_kind *kind = carom_kind_find(every_kind(), CAROM_FAMILY_FRICTION, name);
    double *p = law->p;
    if (!kind || kind->param_count > (int)(sizeof law->p / sizeof *p))
        return "no such law";
    for (int k = 0; k < kind->param_count; k++) {
        const carom_param_row *row = &kind->params[k];
        size_t length = strlen(row->name);
        p[k] = row->default_value;
        for (const char *at = given; *at; at += strspn(at, " ")) {
            size_t span = strcspn(at, " ");
            if (span > length && at[length] == '=' && memcmp(at, row->name, length) == 0)
                p[k] = test_friction_value(row, at + length + 1, span - length - 1);
            at += span;
        }
    }
    law->kind = (const carom_friction_kind *)kind;
    const carom_contact_geometry geometry = {.radius = {1, HUGE_VAL}, .dimension = 3}; /* without materials */
    return CAROM_KIND_CALL(law->kind, prepare, p, &geometry, law->c);
}

#endif
