/* Inputs and states: names that every expression may read, wherever they stand in the file. */
#include "read/reader.h"

#include <string.h>

/* Sections whose entries are variables. */
static const char *const sections[] = {"inputs", "states"};

carom_status carom_check_variable_name(const carom_reader *r, const char *what, const carom_node *node)
{
    size_t same = 0;
    CAROM_TRY(carom_check_expression_name(r, what, node));
    for (size_t k = 0; k < r->variable_count; k++)
        same += strcmp(r->variables[k], node->key) == 0;
    /* an input and a state: told once */
    if (same > 1 && strcmp(what, "input") == 0)
        return carom_read_fail(r, &node->key_place,
                               "the name '%s' stands for two values that expressions read; choose another", node->key);
    const carom_reader_parameter *p = carom_reader_parameter_find(r, node->key);
    if (p)
        return carom_read_fail(r, &node->key_place, "the name '%s' is that of a parameter, at line %d; choose another",
                               node->key, p->place.line);
    return CAROM_OK;
}

carom_status carom_reader_variables(carom_reader *r, const carom_node *root)
{
    size_t count = 0;
    r->variable_count = 0;
    for (size_t k = 0; k < CAROM_COUNT(sections); k++) {
        const carom_node *section = carom_node_find(root, sections[k]);
        count += section && section->type == CAROM_NODE_MAPPING ? section->count : 0;
    }
    r->variables = carom_arena_alloc(r->arena, count + 1, sizeof *r->variables);
    r->variable_dimensions = carom_arena_alloc(r->arena, count + 1, sizeof *r->variable_dimensions);
    if (!r->variables || !r->variable_dimensions)
        return carom_fail_memory(r->ctx);
    for (size_t k = 0; k < CAROM_COUNT(sections); k++) {
        const carom_node *section = carom_node_find(root, sections[k]);
        for (const carom_node *n = section && section->type == CAROM_NODE_MAPPING ? section->first : NULL; n;
             n = n->next) {
            const carom_node *unit = n->type == CAROM_NODE_MAPPING ? carom_node_find(n, "unit") : NULL;
            if (unit && unit->type == CAROM_NODE_SCALAR)
                r->variable_dimensions[r->variable_count] = carom_unit_dimension(unit->text, CAROM_UNIT_ANY);
            r->variables[r->variable_count++] = n->key;
        }
    }
    return CAROM_OK;
}
