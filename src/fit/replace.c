/* A model with other values of its parameters: its text stays as it is, with its comments. */
#include "fit/fit.h"

#include <stdio.h>

/* Begin of a line of a text, from 1. */
static const char *line_of(const char *text, int line)
{
    while (line > 1 && text) {
        text = strchr(text, '\n');
        text = text ? text + 1 : NULL;
        line--;
    }
    return text;
}

/* Where a scalar stands in the text as it is written there; NULL: otherwise, as over several lines. */
static const char *find_scalar(const char *text, const carom_node *node)
{
    const char *at = line_of(text, node->place.line);
    for (int column = 1; at && column < node->place.column && *at && *at != '\n'; column++)
        at += carom_utf8_size(at, SIZE_MAX) ? carom_utf8_size(at, SIZE_MAX) : 1;
    return at && strncmp(at, node->text, strlen(node->text)) == 0 ? at : NULL;
}

carom_status carom_fit_replace_values(carom_context *ctx, const carom_study *s,
                                      const char *(*value_of)(const void *user, const char *name, char text[40]),
                                      const void *user, carom_text *out)
{
    carom_arena arena;
    const carom_node *root = NULL;
    carom_arena_init(&arena, ctx);
    carom_status status = carom_tree_parse(&arena, s->model, s->model_text, s->model_length, &root);
    const carom_node *parameters = status == CAROM_OK ? carom_node_find(root, "parameters") : NULL;
    const char *from = s->model_text;
    for (const carom_node *n = parameters ? parameters->first : NULL; n && status == CAROM_OK; n = n->next) {
        char number[40];
        const char *value = value_of(user, n->key, number);
        const char *at = value && n->type == CAROM_NODE_SCALAR ? find_scalar(s->model_text, n) : NULL;
        if (value && (!at || at < from))
            status = carom_fail(ctx, CAROM_ERROR_MODEL, &n->place,
                                "the value of '%s' cannot be replaced here; write it on one line, without "
                                "quotes",
                                n->key);
        if (!at || status != CAROM_OK)
            continue;
        carom_text_append_n(out, from, (size_t)(at - from));
        carom_text_append(out, "%s", value);
        from = at + strlen(n->text);
    }
    carom_text_append(out, "%s", from);
    carom_arena_free(&arena);
    return status;
}
