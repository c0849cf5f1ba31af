/* Model files in memory: text, tree and spec in one arena. */
#include "carom/model.h"
#include "read/reader.h"

#include <stdio.h>
#include <string.h>

struct carom_document {
    carom_arena arena;
    carom_spec spec;
    const char *source;         /* the text as it was given; that of the spec holds what it includes as well */
    size_t source_length;
    const char **overrides;     /* `name=value`, in the arena */
    size_t override_count;
};

/* Bytes of a character beyond ASCII that a name keeps, so that names in any script stay apart; 0: there is none. */
static size_t foreign_size(const char *c)
{
    const size_t size = (unsigned char)*c >= 0x80 ? carom_utf8_size(c, SIZE_MAX) : 0;
    const bool control = size == 2 && (unsigned char)c[0] == 0xC2 && (unsigned char)c[1] < 0xA0;
    return control ? 0 : size;
}

/* Base name of the file without extension, with what a name may not hold as '_'. */
static const char *short_name(carom_arena *arena, const char *path)
{
    const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
    const char *dot = strrchr(base, '.');
    size_t length = dot && dot > base ? (size_t)(dot - base) : strlen(base);
    char *name = carom_arena_text_n(arena, length ? base : "model", length ? length : 5);
    for (char *c = name; c && *c;) {
        const size_t foreign = foreign_size(c);
        if (!foreign && !carom_is_word_char(*c) && *c != '-')
            *c = '_';
        c += foreign ? foreign : 1;
    }
    return name;
}

/* Results hold the text of a model and are read where the files that it includes are not. */
static carom_status take_expanded(carom_document *document, const carom_node *root)
{
    carom_text text = {.ctx = document->arena.ctx};
    carom_tree_write(&text, root);
    char *copy = text.failed ? NULL : carom_arena_text_n(&document->arena, text.data, text.length);
    document->spec.text = copy;
    document->spec.text_length = text.length;
    carom_text_clear(&text);
    return copy ? CAROM_OK : carom_fail_memory(document->arena.ctx);
}

static carom_status fill(carom_context *ctx, carom_document *document, const char *name, const char *text,
                         size_t length, const char *const *overrides, size_t override_count,
                         carom_read_numbers *numbers)
{
    carom_arena *arena = &document->arena;
    carom_spec *spec = &document->spec;
    *spec = carom_default_spec();
    spec->file = carom_arena_text(arena, name);
    spec->name = short_name(arena, name);
    if (!spec->file || !spec->name)
        return carom_fail_memory(ctx);
    const carom_node *root = NULL;
    CAROM_TRY(carom_tree_parse(arena, spec->file, text, length, &root));
    spec->text = document->source = carom_arena_text_n(arena, text, length);
    spec->text_length = document->source_length = length;
    document->overrides = carom_arena_alloc(arena, override_count, sizeof *document->overrides);
    if (!spec->text || !document->overrides)
        return carom_fail_memory(ctx);
    document->override_count = override_count;
    for (size_t k = 0; k < override_count; k++)
        if (!(document->overrides[k] = carom_arena_text(arena, overrides[k] ? overrides[k] : "")))
            return carom_fail_memory(ctx);
    carom_reader reader = {.ctx = ctx,
                           .units = CAROM_UNIT_ANY,
                           .arena = arena,
                           .file = spec->file,
                           .spec = spec,
                           .where = "",
                           .overrides = overrides,
                           .override_count = override_count,
                           .numbers = numbers};
    carom_arena_init(&reader.scratch, ctx);
    carom_problems_begin(ctx);
    carom_status status = carom_problems_end(ctx, carom_reader_run(&reader, root));
    if (status == CAROM_OK && reader.expanded)
        status = take_expanded(document, reader.expanded);
    if (status == CAROM_OK)
        status = carom_reader_hold_files(&reader, root->flow && !reader.expanded);
    carom_arena_free(&reader.scratch);
    return status;
}

static carom_status parse(carom_context *ctx, const char *name, const char *text, size_t length,
                          const char *const *overrides, size_t override_count, carom_read_numbers *numbers,
                          carom_document **out)
{
    carom_document *document = carom_allocate(ctx, 1, sizeof *document);
    if (!document)
        return carom_fail_memory(ctx);
    carom_arena_init(&document->arena, ctx);
    carom_status status =
        fill(ctx, document, name ? name : "model", text ? text : "", length, overrides, override_count, numbers);
    if (status == CAROM_OK)
        *out = document;
    else
        carom_document_free(document);
    return status;
}

carom_status carom_document_parse(carom_context *ctx, const char *name, const char *text, size_t length,
                                  const char *const *overrides, size_t override_count, carom_document **out)
{
    CAROM_NEED(ctx, ctx);
    CAROM_NEED(ctx, out);
    if (length)
        CAROM_NEED(ctx, text);
    if (override_count)
        CAROM_NEED(ctx, overrides);
    *out = NULL;
    return parse(ctx, name, text, length, overrides, override_count, NULL, out);
}

carom_status carom_document_read(carom_context *ctx, const char *path, const char *const *overrides,
                                 size_t override_count, carom_document **out)
{
    CAROM_NEED(ctx, ctx);
    CAROM_NEED(ctx, path);
    CAROM_NEED(ctx, out);
    *out = NULL;
    carom_text text = {.ctx = ctx};
    carom_status status = carom_text_read(&text, path, CAROM_TREE_BYTES);
    if (status == CAROM_OK)
        status = carom_document_parse(ctx, path, text.data, text.length, overrides, override_count, out);
    carom_text_clear(&text);
    return status;
}

/* The overrides of a document with one of a parameter added, or replaced. */
static carom_status with_override(const carom_document *document, const char *parameter, const char *value,
                                  const char **overrides, size_t *count, carom_text *text)
{
    const size_t length = strlen(parameter);
    carom_text_append(text, "%s=%s", parameter, value);
    if (text->failed)
        return carom_fail_memory(document->arena.ctx);
    *count = 0;
    for (size_t k = 0; k < document->override_count; k++)
        if (strncmp(document->overrides[k], text->data, length + 1) != 0)
            overrides[(*count)++] = document->overrides[k];
    overrides[(*count)++] = text->data;
    return CAROM_OK;
}

/* Another document with the text of a parameter's value. */
static carom_status parse_with(const carom_document *document, const char *parameter, const char *value,
                               carom_read_numbers *numbers, carom_document **out)
{
    carom_context *ctx = document->arena.ctx;
    const size_t size = document->override_count + 1;
    const char **overrides = carom_allocate(ctx, size, sizeof *overrides);
    carom_text text = {.ctx = ctx};
    size_t count = 0;
    carom_status status = overrides ? with_override(document, parameter, value, overrides, &count, &text)
                                    : carom_fail_memory(ctx);
    if (status == CAROM_OK)
        status = parse(ctx, document->spec.file, document->source, document->source_length, overrides, count, numbers,
                       out);
    carom_text_clear(&text);
    carom_release(ctx, overrides, size, sizeof *overrides);
    return status;
}

carom_status carom_document_set(carom_document *document, const char *parameter, const char *value)
{
    CAROM_NEED(NULL, document);
    CAROM_NEED(document->arena.ctx, parameter);
    CAROM_NEED(document->arena.ctx, value);
    carom_document *other = NULL;
    CAROM_TRY(parse_with(document, parameter, value, NULL, &other));
    const carom_document former = *document;
    *document = *other;
    *other = former;
    carom_document_free(other);
    return CAROM_OK;
}

carom_status carom_document_with(const carom_document *document, const char *parameter, double value,
                                 carom_read_numbers *numbers, carom_document **out)
{
    char text[40];
    snprintf(text, sizeof text, "%.17g", value);
    return parse_with(document, parameter, text, numbers, out);
}

carom_status carom_document_copy(const carom_document *document, carom_document **out)
{
    CAROM_NEED(NULL, document);
    CAROM_NEED(document->arena.ctx, out);
    return carom_document_parse(document->arena.ctx, document->spec.file, document->source, document->source_length,
                                document->overrides, document->override_count, out);
}

const carom_spec *carom_document_spec(const carom_document *document) { return document ? &document->spec : NULL; }

void carom_document_free(carom_document *document)
{
    if (document) {
        carom_context *ctx = document->arena.ctx;
        carom_arena_free(&document->arena);
        carom_release(ctx, document, 1, sizeof *document);
    }
}

carom_status carom_model_load(carom_context *ctx, const char *path, const char *const *overrides, size_t override_count,
                              carom_model **out)
{
    CAROM_NEED(ctx, ctx);
    CAROM_NEED(ctx, out);
    carom_document *document;
    CAROM_TRY(carom_document_read(ctx, path, overrides, override_count, &document));
    carom_status status = carom_model_compile(ctx, carom_document_spec(document), out);
    carom_document_free(document);
    return status;
}

carom_status carom_model_parse(carom_context *ctx, const char *name, const char *text, size_t length,
                               const char *const *overrides, size_t override_count, carom_model **out)
{
    CAROM_NEED(ctx, ctx);
    CAROM_NEED(ctx, out);
    carom_document *document;
    CAROM_TRY(carom_document_parse(ctx, name, text, length, overrides, override_count, &document));
    carom_status status = carom_model_compile(ctx, carom_document_spec(document), out);
    carom_document_free(document);
    return status;
}
