/* Contexts of the fuzzers. */
#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>

/* HDF5 1.10 forgets an object header, 424 bytes, of some files with damaged metadata. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void) { return "leak:libhdf5"; }

enum { MOST_MEMORY = 256 << 20 };

static size_t held;

static void *take(void *user, size_t size)
{
    (void)user;
    void *memory = held + size <= MOST_MEMORY ? malloc(size) : NULL;
    held += memory ? size : 0;
    return memory;
}

static void give_back(void *user, void *block, size_t size)
{
    (void)user;
    held -= block ? size : 0;
    free(block);
}

carom_context *fuzz_context(void)
{
    carom_context *ctx = NULL;
    carom_context_def def = carom_default_context_def();
    held = 0;
    def.allocator = (carom_allocator){.allocate = take, .release = give_back};
    if (carom_context_create(&def, &ctx) != CAROM_OK)
        fuzz_fail("no context");
    return ctx;
}

void fuzz_end(carom_context *ctx)
{
    carom_context_free(ctx);
    if (held != 0)
        fuzz_fail("memory is left");
}

void fuzz_check(carom_context *ctx, carom_status status)
{
    if (status != CAROM_OK && status != CAROM_INTERRUPTED && !carom_context_error(ctx)[0])
        fuzz_fail("an error without a message");
}

void fuzz_fail(const char *text)
{
    fprintf(stderr, "fuzz: %s\n", text);
    abort();
}
