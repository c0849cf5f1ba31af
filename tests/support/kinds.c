#include "support/kinds.h"
#include "support/outside.h"

#include <stdio.h>
#include <stdlib.h>

static carom_context *contexts[2];

static void destroy(void)
{
    for (int k = 0; k < 2; k++)
        carom_context_free(contexts[k]);
}

static const carom_context *context_of(int outside)
{
    if (!contexts[0] && !contexts[1])
        atexit(destroy);
    if (contexts[outside])
        return contexts[outside];
    if (carom_context_create(NULL, &contexts[outside]) != CAROM_OK ||
        (outside && register_outside(contexts[outside]) != CAROM_OK)) {
        fprintf(stderr, "%s\n", carom_context_error(contexts[outside]));
        abort();
    }
    return contexts[outside];
}

const carom_context *all_kinds(void) { return context_of(0); }

const carom_context *every_kind(void) { return context_of(1); }
