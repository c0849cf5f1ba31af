/* Trees that are made in memory. */
#include "tree/tree.h"

#include <stdio.h>
#include <stdlib.h>

static carom_node *new_node(carom_tree_maker *m, carom_node_type type)
{
    carom_node *node = m->failed ? NULL : carom_arena_alloc(m->arena, 1, sizeof *node);
    m->failed = !node;
    if (node) {
        node->type = type;
        node->place = node->key_place = m->place;
    }
    return node;
}

carom_node *carom_make_mapping(carom_tree_maker *m) { return new_node(m, CAROM_NODE_MAPPING); }

carom_node *carom_make_list(carom_tree_maker *m) { return new_node(m, CAROM_NODE_LIST); }

carom_node *carom_make_text(carom_tree_maker *m, const char *text)
{
    carom_node *node = new_node(m, CAROM_NODE_SCALAR);
    const char *copy = node ? carom_arena_text(m->arena, text) : NULL;
    if (!copy) {
        m->failed = true;
        return NULL;
    }
    node->text = copy;
    return node;
}

carom_node *carom_make_number(carom_tree_maker *m, double number)
{
    char text[40];
    carom_short_number_text(text, number);
    return carom_make_text(m, text);
}

carom_node *carom_make_numbers(carom_tree_maker *m, const double *numbers, int count)
{
    carom_node *list = carom_make_list(m);
    for (int k = 0; k < count; k++)
        carom_make_entry(m, list, NULL, carom_make_number(m, numbers[k]));
    return list;
}

carom_node *carom_make_entry(carom_tree_maker *m, carom_node *parent, const char *key, carom_node *value)
{
    if (m->failed || !parent || !value)
        return NULL;
    if (key && !(value->key = carom_arena_text(m->arena, key))) {
        m->failed = true;
        return NULL;
    }
    if (parent->last)
        parent->last->next = value;
    else
        parent->first = value;
    parent->last = value;
    parent->count++;
    return value;
}

carom_node *carom_make_copy(carom_tree_maker *m, const carom_node *node)
{
    carom_node *copy = new_node(m, node->type);
    if (copy) {
        *copy = *node;
        copy->next = NULL;
    }
    return copy;
}
