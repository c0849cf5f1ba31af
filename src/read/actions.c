/* Actions of events: {lock: joint}, {set: {input: value}}, stop. */
#include "read/reader.h"

#include <string.h>

typedef struct action_list {
    carom_action_def *items;    /* NULL: they are counted */
    size_t count;
} action_list;

static const char *const types[] = {"lock", "unlock", "switch-off", "switch-on", "set", "stop"};

static carom_action_def *add(action_list *list, const char *type, const carom_place *place)
{
    static carom_action_def unused;
    carom_action_def *action = list->items ? &list->items[list->count] : &unused;
    list->count++;
    *action = (carom_action_def){.type = type, .place = *place};
    return action;
}

static carom_status unknown_action(const carom_reader *r, const char *word, const carom_place *place)
{
    char hint[CAROM_SUGGESTION];
    carom_suggest(word, types, CAROM_COUNT(types), hint, sizeof hint);
    return carom_read_fail(r, place, "no action '%.63s'%s", word,
                           hint[0] ? hint : "; there are lock, unlock, switch-off, switch-on, set and stop");
}

/* The names behind `lock` and the like, one or a list of them. */
static carom_status read_names(carom_reader *r, const carom_node *node, const char *type, action_list *list)
{
    const bool one = node->type == CAROM_NODE_SCALAR;
    if (node->type == CAROM_NODE_MAPPING || (!one && !node->count))
        return carom_read_fail(r, &node->place, "'%s' takes a name or a list of names", type);
    for (const carom_node *part = one ? node : node->first; part; part = one ? NULL : part->next)
        CAROM_TRY(carom_read_text(r, part, &add(list, type, &part->place)->object));
    return CAROM_OK;
}

/* {name: value, ...} */
static carom_status read_set(carom_reader *r, const carom_node *node, action_list *list)
{
    if (node->type != CAROM_NODE_MAPPING || !node->count)
        return carom_read_fail(r, &node->place, "'set' takes a mapping of inputs and states, {name: value}");
    for (const carom_node *n = node->first; n; n = n->next) {
        carom_action_def *action = add(list, "set", &n->key_place);
        action->object = n->key;
        CAROM_TRY(carom_read_time_value(r, n, NULL, true, &action->value));
    }
    return CAROM_OK;
}

static carom_status read_action(carom_reader *r, const carom_node *node, action_list *list)
{
    if (node->type == CAROM_NODE_SCALAR) {
        const char *word;
        CAROM_TRY(carom_read_text(r, node, &word));
        if (strcmp(word, "stop") != 0)
            return unknown_action(r, word, &node->place);
        add(list, "stop", &node->place);
        return CAROM_OK;
    }
    if (node->type != CAROM_NODE_MAPPING || !node->count)
        return carom_read_fail(r, &node->place, "an action is expected here, such as `lock: joint` or `stop`");
    for (const carom_node *n = node->first; n; n = n->next) {
        size_t k = 0;
        while (k < CAROM_COUNT(types) && strcmp(types[k], n->key) != 0)
            k++;
        if (k == CAROM_COUNT(types))
            return unknown_action(r, n->key, &n->key_place);
        if (strcmp(n->key, "stop") == 0)
            return carom_read_fail(r, &n->key_place, "'stop' takes no value; write it alone");
        CAROM_TRY(strcmp(n->key, "set") == 0 ? read_set(r, n, list) : read_names(r, n, types[k], list));
    }
    return CAROM_OK;
}

static carom_status read_all(carom_reader *r, const carom_node *node, action_list *list)
{
    if (node->type != CAROM_NODE_LIST)
        return read_action(r, node, list);
    for (const carom_node *part = node->first; part; part = part->next)
        CAROM_TRY(read_action(r, part, list));
    return list->count ? CAROM_OK : carom_read_fail(r, &node->place, "the list of actions is empty");
}

carom_status carom_read_actions(carom_reader *r, const carom_node *node, const carom_action_def **out, size_t *count)
{
    action_list list = {0};
    CAROM_TRY(read_all(r, node, &list));
    list.items = carom_arena_alloc(r->arena, list.count, sizeof *list.items);
    if (!list.items)
        return carom_fail_memory(r->ctx);
    list.count = 0;
    CAROM_TRY(read_all(r, node, &list));
    *out = list.items;
    *count = list.count;
    return CAROM_OK;
}
