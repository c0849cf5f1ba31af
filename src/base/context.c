/* The context: version, errors, log, memory. */
#include "base/context.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef CAROM_VERSION
#define CAROM_VERSION "0.0.0"
#endif

/* Why a context could not be made last in this thread, or a call without one was refused. */
static _Thread_local char no_context[256] = "no context";

const char *carom_version(void) { return CAROM_VERSION; }

int carom_version_number(void) { return CAROM_VERSION_NUMBER; }

/* Versions that may go together have this number in common: the major one, and before 1.0 the minor one. */
static int generation(int version) { return version >= 10000 ? version / 10000 * 10000 : version / 100; }

carom_status carom_context_check_version(int version)
{
    if (generation(version) == generation(CAROM_VERSION_NUMBER))
        return CAROM_OK;
    snprintf(no_context, sizeof no_context,
             "the program was built with the headers of Carom %d.%d.%d and runs with the library %s; build it again "
             "with the headers of the library, or install the library of that version",
             version / 10000, version / 100 % 100, version % 100, CAROM_VERSION);
    return CAROM_ERROR_USAGE;
}

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
    return (carom_context_def){.size = sizeof(carom_context_def),
                               .allocator = {allocate_default, release_default, NULL}};
}

carom_status carom_context_open(const carom_context_def *def, carom_context **out)
{
    if (!out)
        return carom_fail(NULL, CAROM_ERROR_USAGE, NULL, "carom_context_create(): `out` is NULL");
    *out = NULL;
    carom_context_def d = carom_default_context_def();
    if (!carom_def_fits(def, sizeof d)) {
        snprintf(no_context, sizeof no_context,
                 "carom_context_def has the size %zu, not %zu: fill it with carom_default_context_def() first",
                 def->size, sizeof d);
        return CAROM_ERROR_USAGE;
    }
    if (def)
        memcpy(&d, def, def->size);
    if (!d.allocator.allocate || !d.allocator.release)
        d.allocator = carom_default_context_def().allocator;
    carom_context *ctx = d.allocator.allocate(d.allocator.user, sizeof *ctx);
    if (!ctx) {
        snprintf(no_context, sizeof no_context, "out of memory");
        return CAROM_ERROR_MEMORY;
    }
    memset(ctx, 0, sizeof *ctx);
    ctx->allocator = d.allocator;
    ctx->log = d.log;
    ctx->log_user = d.log_user;
    *out = ctx;
    return CAROM_OK;
}

void carom_context_free(carom_context *ctx)
{
    if (ctx) {
        carom_allocator a = ctx->allocator;
        if (ctx->release_registry)
            ctx->release_registry(ctx);
        a.release(a.user, ctx, sizeof *ctx);
    }
}

const char *carom_context_error(const carom_context *ctx) { return ctx ? ctx->failure.text : no_context; }

static carom_error error_of(const carom_failure *f)
{
    const char *remedy = f->remedy ? f->text + f->remedy : "";
    return (carom_error){f->status, f->file, f->line, f->column, f->object, f->text, remedy};
}

carom_error carom_context_last_error(const carom_context *ctx)
{
    return ctx ? error_of(&ctx->failure)
               : (carom_error){.status = CAROM_ERROR_USAGE, .file = "", .object = "", .text = no_context, .remedy = ""};
}

size_t carom_context_errors(const carom_context *ctx, carom_error *out, size_t capacity)
{
    const carom_error last = carom_context_last_error(ctx);
    const size_t kept = ctx ? ctx->kept_count : 0, count = kept ? kept : last.status != CAROM_OK;
    for (size_t k = 0; out && k < count && k < capacity; k++)
        out[k] = kept ? error_of(&ctx->kept[k]) : last;
    return count;
}

/* ---- problems that are kept while the work goes on ---- */

void carom_problems_begin(carom_context *ctx)
{
    ctx->keeping = true;
    ctx->is_kept = false;
    ctx->kept_count = ctx->behind_count = 0;
}

carom_status carom_fail_behind(carom_context *ctx)
{
    ctx->is_kept = true;
    ctx->behind_count++;
    return CAROM_ERROR_MODEL;
}

bool carom_problems_keep(carom_context *ctx, carom_status status)
{
    if (!ctx->keeping || status != CAROM_ERROR_MODEL)
        return false;
    if (ctx->is_kept)
        return true;
    if (ctx->kept_count + 1 >= CAROM_MOST_ERRORS)
        return false;
    ctx->kept[ctx->kept_count++] = ctx->failure;
    return ctx->is_kept = true;
}

size_t carom_problems_count(const carom_context *ctx) { return ctx->keeping ? ctx->kept_count + ctx->behind_count : 0; }

carom_status carom_problems_since(carom_context *ctx, size_t count)
{
    if (carom_problems_count(ctx) <= count)
        return CAROM_OK;
    ctx->is_kept = true;
    return CAROM_ERROR_MODEL;
}

carom_status carom_problems_end(carom_context *ctx, carom_status status)
{
    ctx->keeping = false;
    if (status == CAROM_OK && ctx->kept_count)
        status = CAROM_ERROR_MODEL;
    if (status != CAROM_ERROR_MODEL) {
        ctx->kept_count = 0;
        return status;
    }
    if (ctx->kept_count && !ctx->is_kept)
        ctx->kept[ctx->kept_count++] = ctx->failure;
    if (ctx->kept_count)
        ctx->failure = ctx->kept[0];
    return status;
}

/* What a message is about: its beginning up to the colon, if that is words and a name, as in "contact 'hit': ...". */
static void find_object(const char *message, char *out, size_t size)
{
    const char *quote = strchr(message, '\''), *end = quote ? strchr(quote + 1, '\'') : NULL;
    size_t words = strspn(message, "abcdefghijklmnopqrstuvwxyz- ");
    *out = '\0';
    if (end && words > 1 && message + words == quote && (end[1] == ':' || end[1] == ','))
        snprintf(out, size, "%.*s", (int)(end + 1 - message), message);
}

/* Where the remedy of a message begins: behind the first semicolon that is not part of a model's text in backquotes. */
static size_t find_remedy(const char *text, size_t from)
{
    bool quoted = false;
    for (size_t k = from; text[k]; k++) {
        quoted ^= text[k] == '`';
        if (!quoted && text[k] == ';' && text[k + 1] == ' ')
            return k + 2;
    }
    return 0;
}

carom_status carom_fail(carom_context *ctx, carom_status status, const carom_place *place, const char *format, ...)
{
    va_list args;
    if (!ctx) {
        va_start(args, format);
        vsnprintf(no_context, sizeof no_context, format, args);
        va_end(args);
        return status;
    }
    carom_failure *f = &ctx->failure;
    const carom_place nowhere = {.file = ""};
    place = place && place->file ? place : &nowhere;
    const char *file = place->file;
    int n = 0;
    ctx->is_kept = false;
    if (!ctx->keeping)
        ctx->kept_count = 0;
    f->status = status;
    f->line = *file && place->line > 0 ? place->line : 0;
    f->column = f->line ? place->column : 0;
    snprintf(f->file, sizeof f->file, "%s", file);
    if (f->line)
        n = snprintf(f->text, sizeof f->text, "%s:%d:%d: ", file, place->line, place->column);
    else if (*file)
        n = snprintf(f->text, sizeof f->text, "%s: ", file);
    if (n < 0 || n >= CAROM_ERROR_TEXT)
        n = 0;
    va_start(args, format);
    vsnprintf(f->text + n, sizeof f->text - (size_t)n, format, args);
    va_end(args);
    find_object(f->text + n, f->object, sizeof f->object);
    f->remedy = find_remedy(f->text, (size_t)n);
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

void carom_text_free(carom_context *ctx, char *text)
{
    if (text)
        carom_release(ctx, text, strlen(text) + 1, 1);
}
