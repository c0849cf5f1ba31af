/* The table of all channels, from the lists of quantities. */
#include "base/base.h"
#include "carom/explain.h"
#include "describe/describe.h"
#include "spec/keys.h"
#include "sim/record/channels.h"

#include <stdio.h>
#include <string.h>

const carom_quantity_group *const carom_channel_lists[] = {
    carom_quantities_of_bodies, carom_quantities_of_joints, carom_quantities_of_contacts, carom_quantities_of_loads,
    carom_quantities_of_frames, carom_quantities_of_names,  carom_quantities_of_energy,   carom_quantities_of_solver,
    NULL};

void carom_channel_pattern(const carom_quantity_group *g, const carom_quantity *q, char *out, size_t size)
{
    static const char *const nameless[] = {"energy", "constraint", "solver"};
    bool named = true;
    for (size_t k = 0; k < CAROM_COUNT(nameless); k++)
        named = named && strcmp(g->type, nameless[k]) != 0;
    snprintf(out, size, "%s%s%s%s", g->type, named ? strcmp(g->type, "frame") == 0 ? ".BODY.FRAME" : ".NAME" : "",
             *q->name ? "." : "", q->name);
}

static void write_rows(carom_text *out, int groups)
{
    static const char *const names[CAROM_RECORD_GROUPS] = {"intervals", "steps", "frames"};
    const char *before = "";
    for (int k = 0; k < CAROM_RECORD_GROUPS; k++)
        if (groups & 1 << k) {
            carom_text_append(out, "%s%s", before, names[k]);
            before = ", ";
        }
    if (!groups)
        carom_text_append(out, "where asked for");
}

static void write_size(carom_text *out, int size)
{
    static const char *const components[] = {"-", "1", "x y", "x y z", "w x y z"};
    carom_text_append(out, " | %s", components[size]);
}

static void write_quantity(carom_text *out, const carom_quantity_group *g, const carom_quantity *q)
{
    char name[160];
    carom_channel_pattern(g, q, name, sizeof name);
    carom_text_append(out, "| `%s`", name);
    carom_text_append(out, " | %s", g->unit ? g->unit : q->unit);
    write_size(out, q->size_2d);
    write_size(out, q->size_3d);
    carom_text_append(out, " | ");
    write_rows(out, q->groups & CAROM_AT);
    carom_text_append(out, " | ");
    if (*g->which)
        carom_text_append(out, "%s: ", g->which);
    carom_text_append(out, "%s |\n", q->description);
}

carom_status carom_channel_table(carom_context *ctx, char **out)
{
    CAROM_NEED(ctx, ctx);
    CAROM_NEED(ctx, out);
    carom_text text = {.ctx = ctx};
    carom_text_append(&text, "| channel | unit | plane | space | rows | what it is |\n|---|---|---|---|---|---|\n");
    for (const carom_quantity_group *const *list = carom_channel_lists; *list; list++)
        for (const carom_quantity_group *g = *list; g->type; g++)
            for (size_t i = 0; i < g->count; i++)
                write_quantity(&text, g, &g->quantities[i]);
    return carom_text_finish(&text, out);
}
