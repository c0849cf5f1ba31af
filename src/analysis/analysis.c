/* The list of analyses, and what is the same of all: the run, the room for the result, asking it. */
#include "analysis/analysis.h"

#include "dynamics/dynamics.h"
#include "model/runs.h"
#include "spec/analyses.h"

#include <math.h>
#include <string.h>

static const struct {
    const char *name;
    const carom_analysis_kind *kind;
} list[] = {
#define CAROM_ANALYSIS(id, name, moves, description) {name, &carom_analysis_##id},
#include "spec/analysis.def"
#undef CAROM_ANALYSIS
};

const carom_analysis_kind *carom_analysis_kind_find(const char *name)
{
    for (size_t k = 0; k < CAROM_COUNT(list); k++)
        if (!name || strcmp(list[k].name, name) == 0)
            return list[k].kind;
    return NULL;
}

bool carom_run_moves(const carom_run_def *run) { return run && carom_analysis_moves(run->analysis); }

carom_analysis_def carom_default_analysis_def(void)
{
    return (carom_analysis_def){.size = sizeof(carom_analysis_def)};
}

/* ---- computing ---- */

/* Copies the run, which the state and messages refer to. */
static carom_status take_run(carom_analysis *a, const carom_analysis_def *def)
{
    const carom_run_def *run = def->run_def ? def->run_def : carom_model_get_run(a->model, def->run);
    if (!run)
        return carom_fail(a->ctx, CAROM_ERROR_USAGE, NULL, "run %zu: the model has %d; or give one by "
                          "carom_analysis_def.run_def", def->run + 1, a->model->run_count);
    CAROM_TRY(carom_run_def_check(a->ctx, run));
    carom_run_def *own = carom_arena_alloc(&a->arena, 1, sizeof *own);
    if (!own)
        return carom_fail_memory(a->ctx);
    CAROM_TRY(carom_run_def_copy(a->ctx, &a->arena, run, own));
    a->run = own;
    CAROM_TRY(carom_analysis_require(a->ctx, &own->analysis_place, own->analysis, &a->name));
    a->kind = carom_analysis_kind_find(a->name);
    return CAROM_OK;
}

static carom_status take_records(carom_analysis *a, const carom_analysis_def *def)
{
    carom_spline_def *own;
    carom_edges *records;
    CAROM_TRY(carom_records_create(a->ctx, &a->arena, a->model, def->inputs, def->input_count, &own, &records));
    a->inputs = own;
    a->input_count = def->input_count;
    a->records = records;
    char text[500];
    for (int k = 0; k < a->model->input_count && !carom_analysis_moves(a->name); k++) /* a motion tells it itself */
        if (carom_records_warning(a->model, records, k, text, sizeof text))
            carom_log_warning(a->ctx, CAROM_WARN_OVERSHOOT, "%s: %s", a->name, text);
    return CAROM_OK;
}

static carom_status make_room(carom_analysis *a)
{
    const carom_analysis_kind *kind = a->kind;
    a->values = carom_arena_alloc(&a->arena, (size_t)kind->quantity_count, sizeof *a->values);
    a->tables = carom_arena_alloc(&a->arena, (size_t)kind->table_count, sizeof *a->tables);
    a->capacity = carom_arena_alloc(&a->arena, (size_t)kind->table_count, sizeof *a->capacity);
    if (!a->values || !a->tables || !a->capacity)
        return carom_fail_memory(a->ctx);
    for (int k = 0; k < kind->quantity_count; k++)
        a->values[k] = (double)NAN;
    for (int k = 0; k < kind->table_count; k++)
        a->tables[k] = (carom_analysis_table){.name = kind->tables[k].name,
                                              .description = kind->tables[k].description,
                                              .columns = kind->tables[k].columns,
                                              .column_count = (size_t)kind->tables[k].column_count};
    const carom_formulation *formulation;
    CAROM_TRY(carom_formulation_require(a->ctx, &a->run->formulation_place, a->run->formulation, &formulation));
    return carom_state_create_in(a->ctx, a->model, carom_formulation_for(a->model, formulation), &a->state);
}

/* The state that it begins in, if one is given. */
static carom_status take_state(carom_analysis *a, const carom_model *model, const carom_state *state)
{
    if (!state)
        return carom_run_follows(a->run)
                   ? carom_fail(a->ctx, CAROM_ERROR_USAGE, &a->run->start_place,
                                "start: the state of the run before it is to be given by carom_analysis_def.state")
                   : CAROM_OK;
    if (state->model != model)
        return carom_fail(a->ctx, CAROM_ERROR_USAGE, NULL, "the state is of another model");
    if (state->formulation != a->state->formulation)
        return carom_fail(a->ctx, CAROM_ERROR_MODEL, &a->run->formulation_place,
                          "%s begins in a state in the coordinates of formulation '%s', and has '%s'; give both runs "
                          "the same 'formulation'",
                          a->name, state->formulation->name, a->state->formulation->name);
    if (carom_state_alike(state, a->state))
        CAROM_TRY(carom_state_assign(a->state, state));
    else
        CAROM_TRY(carom_state_move_to(a->state, state));
    a->state->edited = true; /* what a motion keeps besides is no part of an analysis */
    a->state->rests = false;
    return CAROM_OK;
}

/* What moves nothing has a contact of each pair of a contact set, where there can be. */
static void choose_structure(carom_analysis *a)
{
    const carom_model *located = carom_model_for_steps(a->model, false);
    if (located && !carom_analysis_moves(a->name))
        a->model = located;
}

carom_status carom_analysis_run(carom_context *ctx, const carom_model *model, const carom_analysis_def *def,
                                carom_analysis **out)
{
    CAROM_NEED(ctx, ctx);
    if (!model || !out)
        return carom_fail(ctx, CAROM_ERROR_USAGE, NULL,
                          "an analysis needs a model and a place for its pointer, not NULL");
    *out = NULL;
    carom_analysis_def own = carom_default_analysis_def();
    CAROM_TRY(carom_take_def(ctx, def, &own, sizeof own, "analysis_def"));
    carom_analysis *a = carom_allocate(ctx, 1, sizeof *a);
    if (!a)
        return carom_fail_memory(ctx);
    a->ctx = ctx;
    a->model = model;
    carom_arena_init(&a->arena, ctx);
    carom_status status = take_run(a, &own);
    if (status == CAROM_OK) {
        choose_structure(a);
        status = take_records(a, &own);
    }
    if (status == CAROM_OK)
        status = make_room(a);
    if (status == CAROM_OK)
        status = take_state(a, model, own.state);
    if (status == CAROM_OK)
        status = a->kind->run(a);
    if (status != CAROM_OK) {
        carom_analysis_free(a);
        return status;
    }
    a->state->model = model; /* the caller's */
    if (a->about)
        a->about->model = model;
    *out = a;
    return CAROM_OK;
}

void carom_analysis_free(carom_analysis *a)
{
    if (!a)
        return;
    for (int k = 0; a->capacity && a->tables && k < a->kind->table_count; k++)
        carom_release(a->ctx, (void *)a->tables[k].cells, a->capacity[k], sizeof *a->tables[k].cells);
    carom_state_free(a->about);
    carom_state_free(a->state);
    carom_arena_free(&a->arena);
    carom_release(a->ctx, a, 1, sizeof *a);
}

/* ---- asking ---- */

const char *carom_analysis_name(const carom_analysis *a) { return a ? a->name : ""; }

const carom_analysis_quantity *carom_analysis_quantities(const carom_analysis *a, size_t *count)
{
    if (!a)
        return carom_give_none(count);
    carom_give_count(count, (size_t)a->kind->quantity_count);
    return a->kind->quantities;
}

const double *carom_analysis_values(const carom_analysis *a) { return a ? a->values : NULL; }

carom_status carom_analysis_get(const carom_analysis *a, const char *name, double *out)
{
    CAROM_NEED_AS(NULL, a, "analysis");
    CAROM_NEED(a->ctx, out);
    const char *names[64];
    size_t count = 0;
    for (int k = 0; k < a->kind->quantity_count; k++) {
        if (name && strcmp(a->kind->quantities[k].name, name) == 0) {
            *out = a->values[k];
            return CAROM_OK;
        }
        if (count < CAROM_COUNT(names))
            names[count++] = a->kind->quantities[k].name;
    }
    const char *nearest = name ? carom_nearest_name(name, names, count) : NULL;
    return carom_fail(a->ctx, CAROM_ERROR_USAGE, NULL, "%s has no number '%s'%s%s%s", a->name, name ? name : "",
                      nearest ? "; did you mean '" : "", nearest ? nearest : "", nearest ? "'?" : "");
}

const carom_analysis_table *carom_analysis_tables(const carom_analysis *a, size_t *count)
{
    if (!a)
        return carom_give_none(count);
    carom_give_count(count, (size_t)a->kind->table_count);
    return a->tables;
}

const carom_analysis_table *carom_analysis_find_table(const carom_analysis *a, const char *name)
{
    if (!a)
        return NULL;
    for (int k = 0; k < a->kind->table_count; k++)
        if (name && strcmp(a->tables[k].name, name) == 0)
            return &a->tables[k];
    return NULL;
}

const carom_analysis_matrix *carom_analysis_matrices(const carom_analysis *a, size_t *count)
{
    if (!a)
        return carom_give_none(count);
    carom_give_count(count, a->matrix_count);
    return a->matrices;
}

const carom_state *carom_analysis_state(const carom_analysis *a) { return a ? a->state : NULL; }
