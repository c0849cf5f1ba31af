/* One context for all tests of a program, from begin() to end(): set-up and tear-down of the group. */
#ifndef CAROM_TEST_CONTEXT_H
#define CAROM_TEST_CONTEXT_H

#include "carom_test.h"

static carom_context *ctx;

static int begin(void **state)
{
    (void)state;
    ctx = new_context();
    return 0;
}

static int end(void **state)
{
    (void)state;
    carom_context_free(ctx);
    return 0;
}

#endif
