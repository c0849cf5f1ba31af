/* What every test includes: cmocka with the headers it needs, the library, and the first steps with both. */
#ifndef CAROM_TEST_H
#define CAROM_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "carom/carom.h"

/* A context with the usual memory and no log; free it with carom_context_free(). */
static inline carom_context *new_context(void)
{
    carom_context *ctx = NULL;
    if (carom_context_create(NULL, &ctx) != CAROM_OK)
        fail_msg("no context: %s", carom_context_error(NULL));
    return ctx;
}

/* Fails with the library's text unless a call went well. */
#define assert_ok(ctx, call)                                                                       \
    do {                                                                                           \
        if ((call) != CAROM_OK)                                                                    \
            fail_msg("%s: %s", #call, carom_context_error(ctx));                                   \
    } while (0)

/* Fails unless a call gave `status` and the library's text holds `part`. */
#define assert_refused(ctx, call, status, part)                                                    \
    do {                                                                                           \
        assert_int_equal(call, status);                                                            \
        if (!strstr(carom_context_error(ctx), part))                                               \
            fail_msg("%s: '%s' does not say '%s'", #call, carom_context_error(ctx), part);         \
    } while (0)

/* A model of its text; free it with carom_model_free(). */
static inline carom_model *new_model(carom_context *ctx, const char *text)
{
    carom_document *document = NULL;
    carom_model *model = NULL;
    assert_ok(ctx, carom_document_parse(ctx, "test.yaml", text, strlen(text), NULL, 0, &document));
    assert_ok(ctx, carom_model_compile(ctx, carom_document_spec(document), &model));
    carom_document_free(document);
    return model;
}

#endif
