/* What a list of channels is made of: the quantities of one object after the other, and their names. */
#include "sim/record/channels.h"

#include <stdio.h>
#include <string.h>

static const char *const xyz[] = {"x", "y", "z"};
static const char *const wxyz[] = {"w", "x", "y", "z"};

void carom_channels_add(carom_channel_list *list, const carom_quantity *quantities, size_t count, const char *type,
                        const char *object, int index, const char *unit)
{
    for (size_t k = 0; k < count; k++) {
        const carom_quantity *q = &quantities[k];
        const int size = list->model->dimension == 2 ? q->size_2d : q->size_3d;
        if (size == 0)
            continue;
        if (list->items)
            list->items[list->count] = (carom_compiled_channel){.quantity = q,
                                                                .type = type,
                                                                .object = object,
                                                                .unit = unit ? unit : q->unit,
                                                                .description = q->description,
                                                                .index = index,
                                                                .size = size,
                                                                .groups = q->groups & CAROM_AT};
        list->count++;
    }
}

const char *const *carom_channel_components(int size) { return size == 1 ? NULL : size == 4 ? wxyz : xyz; }

void carom_channel_name(const carom_compiled_channel *c, char text[CAROM_CHANNEL_NAME])
{
    const char *name = c->quantity->name;
    snprintf(text, CAROM_CHANNEL_NAME, "%s%s%s%s%s", c->type, c->object[0] ? "." : "", c->object, name[0] ? "." : "",
             name);
}

bool carom_channel_matches(const carom_compiled_channel *c, const char *name, int *component)
{
    const char *const parts[] = {c->type, c->object, c->quantity->name};
    const char *p = name;
    for (int k = 0; k < 3; k++) {
        const size_t n = strlen(parts[k]);
        if (n == 0)
            continue;
        if (p > name && *p++ != '.')
            return false;
        if (strncmp(p, parts[k], n) != 0)
            return false;
        p += n;
    }
    *component = -1;
    if (*p == '\0')
        return true;
    const char *const *components = carom_channel_components(c->size);
    for (int i = 0; components && *p == '.' && i < c->size; i++)
        if (strcmp(p + 1, components[i]) == 0) {
            *component = i;
            return true;
        }
    return false;
}

const char *carom_channels_nearest(const carom_channel_list *list, const char *name, char out[CAROM_CHANNEL_NAME])
{
    char candidate[CAROM_CHANNEL_NAME];
    const char *nearest = NULL;
    for (size_t k = 0; k < list->count; k++) {
        carom_channel_name(&list->items[k], candidate);
        const char *two[] = {nearest, candidate};
        const char *chosen = carom_nearest_name(name, nearest ? two : two + 1, nearest ? 2 : 1);
        if (chosen == candidate)
            nearest = memcpy(out, candidate, sizeof candidate);
    }
    return nearest;
}
