/* An index of names: a hash table with open addressing, at most half full. */
#include "base/base.h"

#include <string.h>

struct carom_name_slot {
    const char *name;           /* NULL: free */
    int value;
};

carom_status carom_names_create(carom_arena *arena, size_t capacity, carom_names *out)
{
    size_t size = 16;
    while (size < 2 * capacity + 2)
        size *= 2;
    *out = (carom_names){.slots = carom_arena_alloc(arena, size, sizeof *out->slots), .mask = size - 1};
    return out->slots ? CAROM_OK : carom_fail_memory(arena->ctx);
}

/* The slot of a name, or the free one where it belongs. */
static carom_name_slot *slot_of(const carom_names *names, const char *name)
{
    size_t k = (size_t)carom_hash(name, strlen(name), 0) & names->mask;
    while (names->slots[k].name && strcmp(names->slots[k].name, name) != 0)
        k = (k + 1) & names->mask;
    return &names->slots[k];
}

bool carom_names_add(carom_names *names, const char *name, int value)
{
    carom_name_slot *slot = slot_of(names, name);
    if (slot->name)
        return false;
    *slot = (carom_name_slot){name, value};
    return true;
}

int carom_names_find(const carom_names *names, const char *name)
{
    const carom_name_slot *slot = name && names->slots ? slot_of(names, name) : NULL;
    return slot && slot->name ? slot->value : -1;
}
