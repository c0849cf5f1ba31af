/* The context: version, errors, log, memory. */
#include "base/context.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef CAROM_VERSION
#define CAROM_VERSION "0.0.0"
#endif

const char *carom_version(void) { return CAROM_VERSION; }

const char *carom_status_name(carom_status status)
{
    static const char *const names[] = {"ok", "model error", "usage error", "solver error", "input/output error",
                                        "out of memory", "interrupted"};
    return (size_t)status < CAROM_COUNT(names) ? names[status] : "unknown status";
}

static void *allocate_default(void *user, size_t size)
{
    (void)user;
    return malloc(size);
}

static void release_default(void *user, void *block, size_t size)
{
    (void)user;
    (void)size;
    free(block);
}

carom_context_def carom_default_context_def(void)
{
    return (carom_context_def){.allocator = {allocate_default, release_default, NULL}};
}

carom_status carom_context_open(const carom_context_def *def, carom_context **out)
{
    if (!out)
        return CAROM_ERROR_USAGE;
    *out = NULL;
    carom_context_def d = def ? *def : carom_default_context_def();
    if (!d.allocator.allocate || !d.allocator.release)
        d.allocator = carom_default_context_def().allocator;
    carom_context *ctx = d.allocator.allocate(d.allocator.user, sizeof *ctx);
    if (!ctx)
        return CAROM_ERROR_MEMORY;
    memset(ctx, 0, sizeof *ctx);
    ctx->allocator = d.allocator;
    ctx->log = d.log;
    ctx->log_user = d.log_user;
    *out = ctx;
    return CAROM_OK;
}

void carom_context_destroy(carom_context *ctx)
{
    if (ctx) {
        carom_allocator a = ctx->allocator;
        if (ctx->release_registry)
            ctx->release_registry(ctx);
        a.release(a.user, ctx, sizeof *ctx);
    }
}

const char *carom_context_error(const carom_context *ctx) { return ctx ? ctx->error : "no context"; }

carom_status carom_fail(carom_context *ctx, carom_status status, const carom_place *place, const char *format, ...)
{
    int n = 0;
    if (place && place->file && place->line > 0)
        n = snprintf(ctx->error, sizeof ctx->error, "%s:%d:%d: ", place->file, place->line, place->column);
    else if (place && place->file)
        n = snprintf(ctx->error, sizeof ctx->error, "%s: ", place->file);
    if (n < 0 || n >= CAROM_ERROR_TEXT)
        n = 0;
    va_list args;
    va_start(args, format);
    vsnprintf(ctx->error + n, sizeof ctx->error - (size_t)n, format, args);
    va_end(args);
    return status;
}

carom_status carom_fail_memory(carom_context *ctx)
{
    return carom_fail(ctx, CAROM_ERROR_MEMORY, NULL, "out of memory");
}

void carom_log(carom_context *ctx, carom_log_level level, const char *format, ...)
{
    if (!ctx->log)
        return;
    char line[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    ctx->log(ctx->log_user, level, line);
}

static size_t block_bytes(size_t count, size_t size)
{
    size_t bytes = count * size;
    return bytes > 0 ? bytes : 1;
}

void *carom_allocate(carom_context *ctx, size_t count, size_t size)
{
    if (size && count > SIZE_MAX / 2 / size)
        return NULL;
    size_t bytes = block_bytes(count, size);
    void *block = ctx->allocator.allocate(ctx->allocator.user, bytes);
    if (block)
        memset(block, 0, bytes);
    return block;
}

void carom_release(carom_context *ctx, void *block, size_t count, size_t size)
{
    if (block)
        ctx->allocator.release(ctx->allocator.user, block, block_bytes(count, size));
}

void carom_text_release(carom_context *ctx, char *text)
{
    if (text)
        carom_release(ctx, text, strlen(text) + 1, 1);
}
