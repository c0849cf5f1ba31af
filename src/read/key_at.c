/* The entry of a model text at a place. */
#include "carom/model.h"
#include "tree/tree.h"

#include <stdio.h>

/* Whether an entry begins at or before a place. */
static bool begins_before(const carom_node *entry, int line, int column)
{
    const carom_place *at = entry->key ? &entry->key_place : &entry->place;
    return at->line < line || (at->line == line && at->column <= column);
}

/* The last entry that does; NULL: none, or `node` is a scalar. A text in quotes has its place behind the quote. */
static const carom_node *entry_at(const carom_node *node, int line, int column, size_t *number)
{
    const carom_node *found = NULL;
    size_t k = 0;
    for (const carom_node *entry = node->first; entry; entry = entry->next, k++)
        if (begins_before(entry, line, column)) {
            found = entry;
            *number = k;
        }
    return found;
}

carom_status carom_document_key_at(carom_context *ctx, const char *text, size_t length, int line, int column, char *out,
                                   size_t size)
{
    CAROM_NEED(ctx, ctx);
    CAROM_NEED(ctx, text);
    CAROM_NEED(ctx, out);
    if (size == 0)
        return carom_fail(ctx, CAROM_ERROR_USAGE, NULL, "%s(): `size` is 0", __func__);
    out[0] = '\0';
    carom_arena arena;
    carom_arena_init(&arena, ctx);
    const carom_node *node = NULL;
    carom_status status = carom_tree_parse(&arena, "", text, length, &node);
    size_t used = 0, number = 0;
    while (status == CAROM_OK && (node = entry_at(node, line, column, &number)) && used < size) {
        const int more = node->key ? snprintf(out + used, size - used, "%s%s", used ? "." : "", node->key)
                                   : snprintf(out + used, size - used, "[%zu]", number);
        used += more > 0 ? (size_t)more : 0;
    }
    carom_arena_free(&arena);
    return status;
}
