/* Functions of the user's own: `lift(a): H*(a - sin(a)/(2*pi))`. */
#include "read/reader.h"

#include <string.h>

static const char *skip_blanks(const char *c)
{
    while (*c == ' ')
        c++;
    return c;
}

/* The name that begins at *at, checked; *at moves behind it and the blanks that follow. */
static carom_status read_name(carom_reader *r, const char *what, const carom_node *node, const char **at,
                              const char **out)
{
    const char *start = skip_blanks(*at), *end = start;
    carom_node name = {.key_place = node->key_place};
    while (carom_is_word_char(*end) || *end == '-')
        end++;
    name.key_place.column += (int)(start - node->key);
    name.key = carom_arena_text_n(r->arena, start, (size_t)(end - start));
    if (!name.key)
        return carom_fail_memory(r->ctx);
    *at = skip_blanks(end);
    *out = name.key;
    return carom_check_expression_name(r, what, &name);
}

static carom_status wrong_form(const carom_reader *r, const carom_node *node)
{
    return carom_read_fail(r, &node->key_place,
                           "'%.80s': a function is written `name(a, b): expression`, with 1 to %d arguments%s",
                           node->key, CAROM_FUNCTION_ARGUMENTS,
                           strchr(node->key, '(') ? "" : "; a value without arguments is a parameter");
}

static carom_status read_function(carom_reader *r, const carom_node *node, carom_function_def *def)
{
    const char *at = node->key;
    CAROM_TRY(read_name(r, "function", node, &at, &def->name));
    if (*at != '(')
        return wrong_form(r, node);
    const char **arguments = carom_arena_alloc(r->arena, CAROM_FUNCTION_ARGUMENTS, sizeof *arguments);
    if (!arguments)
        return carom_fail_memory(r->ctx);
    def->arguments = arguments;
    do {
        at++;
        if (def->argument_count == CAROM_FUNCTION_ARGUMENTS || !carom_is_letter(*skip_blanks(at)))
            return wrong_form(r, node);
        const char **name = &arguments[def->argument_count];
        CAROM_TRY(read_name(r, "argument", node, &at, name));
        for (size_t k = 0; k < def->argument_count; k++)
            if (strcmp(arguments[k], *name) == 0)
                return carom_read_fail(r, &node->key_place, "function '%s' has two arguments '%s'", def->name, *name);
        def->argument_count++;
    } while (*at == ',');
    if (at[0] != ')' || *skip_blanks(at + 1))
        return wrong_form(r, node);
    CAROM_TRY(carom_read_scalar(r, node, "an expression"));
    def->value = node->text;
    def->place = node->place;
    return CAROM_OK;
}

carom_status carom_read_functions(carom_reader *r, const carom_node *node)
{
    if (node->type != CAROM_NODE_MAPPING)
        return carom_read_fail(r, &node->place, "'functions' is a mapping, `name(a, b): expression`");
    carom_function_def *defs = carom_arena_alloc(r->arena, node->count + 1, sizeof *defs);
    if (!defs)
        return carom_fail_memory(r->ctx);
    for (const carom_node *n = node->first; n; n = n->next) {
        carom_function_def *def = &defs[r->spec->function_count];
        CAROM_TRY(read_function(r, n, def));
        for (size_t k = 0; k < r->spec->function_count; k++)
            if (strcmp(defs[k].name, def->name) == 0)
                return carom_read_fail(r, &n->key_place, "there are two functions '%s', the other at line %d",
                                       def->name, defs[k].place.line);
        r->spec->functions = defs;
        r->spec->function_count++;
    }
    return CAROM_OK;
}

carom_status carom_check_functions(carom_reader *r)
{
    const carom_expr_scope scope = carom_reader_scope(r, true, true);
    for (size_t k = 0; k < r->spec->function_count; k++)
        CAROM_TRY_ON(r->ctx, carom_expr_check_function(r->ctx, &scope, &r->spec->functions[k]));
    return CAROM_OK;
}
