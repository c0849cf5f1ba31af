/* Studies that are parts of other files: of a fit one for each experiment, of an optimisation one. */
#include "study/study.h"

static carom_status fill(carom_study *s, const carom_study_parts *parts)
{
    const carom_node *set = carom_node_find(parts->root, "set"), *run = carom_node_find(parts->root, "run");
    s->file = parts->file;
    s->text = s->title = "";
    s->identity = "";
    s->root = parts->root;
    s->items = carom_arena_alloc(&s->arena, parts->item_count + 1, sizeof *s->items);
    if (!s->items)
        return carom_fail_memory(s->arena.ctx);
    CAROM_TRY(carom_study_read_sides(s, carom_node_find(parts->root, "parameters")));
    if (set)
        CAROM_TRY(carom_study_read_set(s, set));
    if (run)
        CAROM_TRY(carom_study_read_run(s, run));
    const carom_node *model = carom_node_find(parts->root, "model");
    CAROM_TRY(carom_study_read_model(s, model, parts->model_text));
    for (size_t k = 0; k < parts->item_count; k++)
        s->items[s->item_count++] = parts->items[k];
    CAROM_TRY(carom_study_compile_items(s, &s->arena, NULL, NULL, true));
    if (s->reads_motion && !s->model)
        return carom_study_fail(s->arena.ctx, &s->items[0].place,
                                "the quantities read a run, and the study names no model: `model: FILE.yaml`");
    return CAROM_OK;
}

carom_status carom_study_build(carom_context *ctx, const carom_study_parts *parts, carom_study **out)
{
    *out = NULL;
    carom_study *s = carom_allocate(ctx, 1, sizeof *s);
    if (!s)
        return carom_fail_memory(ctx);
    carom_arena_init(&s->arena, ctx);
    const carom_status status = fill(s, parts);
    if (status == CAROM_OK)
        *out = s;
    else
        carom_study_free(s);
    return status;
}
