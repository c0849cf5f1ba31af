/* Copies of the definitions of runs. */
#include "model/runs.h"

#include "carom/analysis.h"
#include "model/compile.h"
#include "spec/analyses.h"

#include <string.h>

/* Where the copied texts go, and the name of the file of the last place. */
typedef struct copier {
    carom_arena *arena;
    const char *file;           /* NULL: none */
    bool failed;
} copier;

static void copy_text(copier *c, const char **text)
{
    if (!*text)
        return;
    *text = carom_arena_text(c->arena, *text);
    c->failed = c->failed || !*text;
}

static void copy_place(copier *c, carom_place *place)
{
    if (!place->file)
        return;
    place->file = c->file = carom_arena_text_again(c->arena, place->file, c->file);
    c->failed = c->failed || !place->file;
}

/* No key of a run takes points or an outline: of those the type stays, for the message. */
static void copy_value(copier *c, carom_value *value)
{
    copy_text(c, &value->text);
    for (int k = 0; k < CAROM_VALUE_SIZE; k++)
        copy_text(c, &value->expression[k]);
    value->points = NULL;
    value->outline = NULL;
    value->count = 0;
    value->places = NULL;
    copy_place(c, &value->place);
}

static void copy_params(copier *c, carom_param_list *list)
{
    carom_param *items = carom_arena_alloc(c->arena, list->count, sizeof *items);
    c->failed = c->failed || !items;
    for (size_t k = 0; items && k < list->count; k++) {
        items[k] = list->items[k];
        copy_text(c, &items[k].name);
        copy_value(c, &items[k].value);
        copy_place(c, &items[k].place);
    }
    list->items = items;
}

static void copy_list(copier *c, const char *const **list, size_t count)
{
    const char **own = carom_arena_alloc(c->arena, count, sizeof *own);
    c->failed = c->failed || !own;
    for (size_t k = 0; own && k < count; k++) {
        own[k] = (*list)[k];
        copy_text(c, &own[k]);
    }
    *list = own;
}

carom_status carom_run_def_copy(carom_context *ctx, carom_arena *arena, const carom_run_def *run, carom_run_def *out)
{
    *out = *run;
    copier c = {.arena = arena};
    const char **const texts[] = {&out->analysis, &out->integrator, &out->formulation, &out->constraints,
                                  &out->output_contacts, &out->jacobian, &out->start,
                                  &out->singular,      &out->about,       &out->max_size};
    carom_place *const places[] = {&out->place, &out->analysis_place, &out->integrator_place, &out->constraints_place,
                                   &out->step_place, &out->formulation_place, &out->output_contacts_place,
                                   &out->jacobian_place, &out->start_place, &out->actuators_place,
                                   &out->singular_place, &out->about_place, &out->channels_place,
                                   &out->max_size_place};
    for (size_t k = 0; k < CAROM_COUNT(texts); k++)
        copy_text(&c, texts[k]);
    for (size_t k = 0; k < CAROM_COUNT(places); k++)
        copy_place(&c, places[k]);
    copy_value(&c, &out->absolute);
    copy_params(&c, &out->constraint_params);
    copy_list(&c, &out->channels, out->channel_count);
    copy_list(&c, &out->actuators, out->actuator_count);
    return c.failed ? carom_fail_memory(ctx) : CAROM_OK;
}

bool carom_run_follows(const carom_run_def *run) { return run && run->start && strcmp(run->start, "previous") == 0; }

/* A run that follows has one before it, and goes on from its end. */
static carom_status check_starts(carom_context *ctx, const carom_run_def *runs, size_t count)
{
    double time = 0;
    for (size_t k = 0; k < count; k++) {
        const carom_run_def *run = &runs[k];
        const bool follows = carom_run_follows(run), moves = carom_analysis_moves(run->analysis);
        if (follows && k == 0)
            return carom_fail(ctx, CAROM_ERROR_MODEL, &run->start_place,
                              "start: the first run has none before it; give a list of runs, or leave 'start' out");
        if (follows && moves && run->until <= time)
            return carom_fail(ctx, CAROM_ERROR_MODEL, &run->start_place,
                              "start: the run before it ends at %.9g s, where this one is to begin; give a later "
                              "'until' than %.9g s",
                              time, run->until);
        if (moves)
            time = run->until;
        else if (!follows)
            time = 0;
    }
    return CAROM_OK;
}

carom_status carom_compile_runs(carom_compiler *c)
{
    carom_model *m = c->model;
    carom_run_def *runs = carom_arena_alloc(&m->arena, c->spec->run_count, sizeof *runs);
    if (!runs)
        return carom_fail_memory(c->ctx);
    for (size_t k = 0; k < c->spec->run_count; k++)
        CAROM_TRY(carom_run_def_copy(c->ctx, &m->arena, &c->spec->runs[k], &runs[k]));
    CAROM_TRY(check_starts(c->ctx, runs, c->spec->run_count));
    m->runs = runs;
    m->run_count = (int)c->spec->run_count;
    return CAROM_OK;
}
