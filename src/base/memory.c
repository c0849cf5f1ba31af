/* Arrays that grow, arenas, definitions of the caller, on carom_allocate() and carom_release(). */
#include "base/base.h"

#include <stdio.h>
#include <string.h>

carom_status carom_grow(carom_context *ctx, void *block_pointer, size_t *capacity, size_t need, size_t size)
{
    void **block = block_pointer;
    if (need <= *capacity)
        return CAROM_OK;
    size_t wanted = *capacity ? *capacity * 2 : 8;
    if (wanted < need)
        wanted = need;
    void *bigger = carom_allocate(ctx, wanted, size);
    if (!bigger)
        return carom_fail_memory(ctx);
    if (*block)
        memcpy(bigger, *block, *capacity * size);
    carom_release(ctx, *block, *capacity, size);
    *block = bigger;
    *capacity = wanted;
    return CAROM_OK;
}

/* ---- arena ---- */

struct carom_arena_chunk {
    carom_arena_chunk *next;
    size_t used, size;
};

#define CHUNK_HEADER ((sizeof(carom_arena_chunk) + 15) & ~(size_t)15)
#define ALIGNMENT ((size_t)(CAROM_ARENA_CHUNK ? 16 : 1))

void carom_arena_init(carom_arena *arena, carom_context *ctx)
{
    arena->ctx = ctx;
    arena->first = NULL;
}

void carom_arena_free(carom_arena *arena)
{
    for (carom_arena_chunk *c = arena->first, *next; c; c = next) {
        next = c->next;
        carom_release(arena->ctx, c, CHUNK_HEADER + c->size, 1);
    }
    arena->first = NULL;
}

void *carom_arena_alloc(carom_arena *arena, size_t count, size_t size)
{
    if (size && count > SIZE_MAX / 4 / size)
        return NULL;
    size_t bytes = (count * size + ALIGNMENT - 1) & ~(ALIGNMENT - 1);
    carom_arena_chunk *c = arena->first;
    if (!c || c->size - c->used < bytes) {
        size_t capacity = bytes > CAROM_ARENA_CHUNK ? bytes : CAROM_ARENA_CHUNK;
        c = carom_allocate(arena->ctx, CHUNK_HEADER + capacity, 1);
        if (!c)
            return NULL;
        c->size = capacity;
        c->next = arena->first;
        arena->first = c;
    }
    void *block = (char *)c + CHUNK_HEADER + c->used;
    c->used += bytes;
    return block;
}

char *carom_arena_text_n(carom_arena *arena, const char *text, size_t length)
{
    char *copy = carom_arena_alloc(arena, length + 1, 1);
    if (copy)
        memcpy(copy, text, length);
    return copy;
}

char *carom_arena_text(carom_arena *arena, const char *text) { return carom_arena_text_n(arena, text, strlen(text)); }

const char *carom_arena_text_again(carom_arena *arena, const char *text, const char *last)
{
    return last && strcmp(text, last) == 0 ? last : carom_arena_text(arena, text);
}

char *carom_arena_format(carom_arena *arena, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int length = vsnprintf(NULL, 0, format, args);
    va_end(args);
    char *copy = length < 0 ? NULL : carom_arena_alloc(arena, (size_t)length + 1, 1);
    if (copy) {
        va_start(args, format);
        vsnprintf(copy, (size_t)length + 1, format, args);
        va_end(args);
    }
    return copy;
}

/* ---- definitions ---- */

carom_status carom_take_def(carom_context *ctx, const void *def, void *own, size_t size, const char *name)
{
    size_t given = 0;
    if (!def)
        return CAROM_OK;
    memcpy(&given, def, sizeof given);
    if (!carom_def_fits(def, size))
        return carom_fail(ctx, CAROM_ERROR_USAGE, NULL,
                          "carom_%s has the size %zu, not %zu: fill it with carom_default_%s() first", name, given,
                          size, name);
    memcpy(own, def, given);
    memcpy(own, &size, sizeof size);
    return CAROM_OK;
}
