/* Fits: reading, checking, asking. */
#include "fit/fit.h"

#include <stdio.h>

/* Relative step of differences where runs are made to a tolerance of 1e-8, and of laws in closed form. */
#define DIFFERENCE_OF_RUNS 3e-3
#define DIFFERENCE_OF_LAWS 3e-4
#define TOLERANCE_OF_RUNS 1e-8

carom_fit_def carom_default_fit_def(void)
{
    return (carom_fit_def){.size = sizeof(carom_fit_def), .read_table = carom_table_read_csv};
}

/* In braces the brackets of units are YAML's, unless they stand in quotes. */
static carom_status parse_tree(carom_fit *f, const char *text, size_t length)
{
    carom_context *ctx = f->arena.ctx;
    const carom_status status = carom_tree_parse(&f->arena, f->file, text, length, &f->root);
    if (status != CAROM_ERROR_MODEL || !strchr(text, '['))
        return status;
    char told[512];
    snprintf(told, sizeof told, "%.500s", carom_context_error(ctx));
    return carom_fail(ctx, CAROM_ERROR_MODEL, NULL,
                      "%s; in braces what has brackets stands in quotes, {'F [N]': 'impacts[1].peak_force'}", told);
}

static carom_status fill(carom_fit *f, const char *path, const char *text, size_t length)
{
    f->file = carom_arena_text(&f->arena, path);
    f->text = carom_arena_text_n(&f->arena, text, length);
    if (!f->file || !f->text)
        return carom_fail_memory(f->arena.ctx);
    f->title = "";
    f->confidence = 0.95;
    f->loss_scale = 1;
    f->starts = 5;
    f->profile = true;
    f->maker.arena = &f->arena;
    CAROM_TRY(parse_tree(f, f->text, length));
    CAROM_TRY(carom_fit_read_keys(f));
    CAROM_TRY(carom_fit_read_records(f, f->records_node));
    f->difference = DIFFERENCE_OF_LAWS;
    if (f->of_law)
        return carom_fit_compile_law_items(f);
    CAROM_TRY(carom_fit_make_studies(f));
    if (f->model)
        f->difference = DIFFERENCE_OF_RUNS;
    const double tolerance = f->records[0].study->tolerance;
    if (f->model && tolerance > 0)
        f->difference *= fmin(cbrt(tolerance / TOLERANCE_OF_RUNS), 10);
    return CAROM_OK;
}

carom_status carom_fit_read(carom_context *ctx, const char *path, const carom_fit_def *def, carom_fit **out)
{
    CAROM_NEED(ctx, ctx);
    CAROM_NEED(ctx, path);
    CAROM_NEED(ctx, out);
    carom_fit_def own = carom_default_fit_def();
    *out = NULL;
    CAROM_TRY(carom_take_def(ctx, def, &own, sizeof own, "fit_def"));
    carom_fit *f = carom_allocate(ctx, 1, sizeof *f);
    if (!f)
        return carom_fail_memory(ctx);
    carom_arena_init(&f->arena, ctx);
    f->read_table = own.read_table ? own.read_table : carom_table_read_csv;
    carom_text text = {.ctx = ctx};
    carom_status status = carom_text_read(&text, path, CAROM_TREE_BYTES);
    if (status == CAROM_OK)
        status = fill(f, path, text.data ? text.data : "", text.length);
    carom_text_clear(&text);
    if (status == CAROM_OK)
        *out = f;
    else
        carom_fit_free(f);
    return status;
}

void carom_fit_free(carom_fit *f)
{
    if (!f)
        return;
    carom_context *ctx = f->arena.ctx;
    for (size_t k = 0; f->records && k < f->record_count; k++) {
        carom_study_free(f->records[k].study);
        carom_table_free(ctx, &f->records[k].table);
    }
    carom_release(ctx, f->responses, f->response_capacity, sizeof *f->responses);
    carom_arena_free(&f->arena);
    carom_release(ctx, f, 1, sizeof *f);
}

/* ---- check ---- */

/* A text without the name of the law, which stands before it. */
static const char *reason_of(carom_fit *f, size_t law, const char *text)
{
    char head[96];
    const int length = snprintf(head, sizeof head, "law '%.64s': ", f->laws[law]);
    return carom_arena_text(&f->arena, strncmp(text, head, (size_t)length) == 0 ? text + length : text);
}

/* What a law does not take is fixed; one that lacks a parameter is left out. */
static carom_status check_laws(carom_context *ctx, carom_fit *f)
{
    double values[CAROM_FIT_UNKNOWNS];
    size_t good = 0;
    for (size_t k = 0; k < f->unknown_count; k++)
        values[k] = f->unknowns[k].start;
    for (size_t law = 0; law < f->law_count; law++) {
        for (size_t k = 0; k < f->unknown_count; k++)
            f->taken[law][k] =
                f->unknowns[k].kind != CAROM_UNKNOWN_VALUE || carom_fit_law_takes(ctx, f, law, f->unknowns[k].name);
        const carom_status status = carom_fit_try_law(ctx, f, law, values);
        if (status == CAROM_ERROR_MEMORY)
            return status;
        good += status == CAROM_OK;
        if (status != CAROM_OK && !(f->left_out[law] = reason_of(f, law, carom_context_error(ctx))))
            return carom_fail_memory(ctx);
    }
    return good > 0 ? CAROM_OK : carom_fail(ctx, CAROM_ERROR_MODEL, &f->law_place, "%s", f->left_out[0]);
}

/* Whether an unknown is one of any law. */
static carom_status check_law_names(carom_context *ctx, carom_fit *f)
{
    for (size_t k = 0; k < f->unknown_count; k++) {
        bool taken = f->unknowns[k].kind != CAROM_UNKNOWN_VALUE;
        for (size_t law = 0; law < f->law_count; law++)
            taken = taken || f->taken[law][k];
        if (!taken)
            return carom_study_fail(ctx, &f->unknowns[k].place,
                                    "'%s' is no parameter of %s%s; `carom explain %s` lists them, and there are "
                                    "mass and "
                                    "speed of the impact",
                                    f->unknowns[k].name, f->law_count > 1 ? "any of the laws, as of " : "", f->laws[0],
                                    f->laws[0]);
        if (f->unknowns[k].kind == CAROM_UNKNOWN_VALUE)
            f->unknowns[k].unit = carom_fit_law_unit(ctx, f->unknowns[k].name);
    }
    return CAROM_OK;
}

/* Units of the unknowns, as the model has them. */
static void take_units(carom_fit *f)
{
    for (size_t i = 0; i < f->record_count; i++) {
        const carom_record *r = &f->records[i];
        for (size_t k = 0; k < r->study->side_count; k++)
            if (r->sources[k].from == CAROM_FROM_UNKNOWN && r->study->sides[k].unit)
                f->unknowns[r->sources[k].index].unit = r->study->sides[k].unit;
    }
}

carom_status carom_fit_check(carom_context *ctx, carom_fit *f)
{
    CAROM_NEED(ctx, ctx);
    CAROM_NEED_AS(ctx, f, "fit");
    for (size_t k = 0; k < f->response_count; k++)
        if (f->responses[k].offset != CAROM_FIT_NONE)
            f->unknowns[f->responses[k].offset].unit = f->responses[k].si_unit;
    for (size_t law = 0; law < (f->law_count ? f->law_count : 1); law++)
        for (size_t k = 0; k < f->unknown_count; k++)
            f->taken[law][k] = true;
    if (f->of_law) {
        const carom_status status = check_laws(ctx, f);
        CAROM_TRY(status == CAROM_OK || status == CAROM_ERROR_MEMORY ? status : CAROM_OK);
        CAROM_TRY(check_law_names(ctx, f));
        return status == CAROM_OK ? CAROM_OK : carom_fail(ctx, CAROM_ERROR_MODEL, &f->law_place, "%s", f->left_out[0]);
    }
    for (size_t k = 0; k < f->record_count; k++)
        CAROM_TRY(carom_study_check(ctx, f->records[k].study));
    take_units(f);
    return carom_fit_check_units(f);
}

/* ---- asking ---- */

carom_fit_info carom_fit_get_info(const carom_fit *f)
{
    static const char *const losses[] = {"linear", "huber", "soft-l1", "cauchy"};
    if (!f)
        return (carom_fit_info){0};
    return (carom_fit_info){.file = f->file,
                            .title = f->title,
                            .text = f->text,
                            .model = f->of_law ? NULL : f->records[0].study->model,
                            .loss = losses[f->loss],
                            .unknowns = f->unknown_count,
                            .shared = f->shared_count,
                            .records = f->record_count,
                            .responses = f->response_count,
                            .data = f->data,
                            .runs = f->runs,
                            .laws = f->law_count,
                            .confidence = f->confidence};
}

bool carom_fit_get_unknown(const carom_fit *f, size_t index, carom_fit_unknown *out)
{
    if (!f || index >= f->unknown_count)
        return false;
    const carom_unknown *u = &f->unknowns[index];
    *out = (carom_fit_unknown){.name = u->name,
                               .unit = u->unit,
                               .record = u->record == CAROM_FIT_NONE ? NULL : f->records[u->record].name,
                               .low = u->low,
                               .high = u->high,
                               .start = u->start,
                               .log = u->log};
    return true;
}

const char *carom_fit_get_law(const carom_fit *f, size_t index)
{
    return f && index < f->law_count ? f->laws[index] : NULL;
}

bool carom_fit_get_response(const carom_fit *f, size_t index, carom_fit_response *out)
{
    if (!f || index >= f->response_count)
        return false;
    const carom_response *q = &f->responses[index];
    const carom_record *r = &f->records[q->record];
    *out = (carom_fit_response){.record = r->name,
                                .column = q->column,
                                .unit = q->unit,
                                .si_unit = q->si_unit,
                                .expression = q->text,
                                .x_name = r->x_name,
                                .x_unit = r->x_unit,
                                .is_curve = r->kind != CAROM_RECORD_ROWS,
                                .count = q->count,
                                .x = q->x,
                                .measured = q->measured,
                                .sigma_given = q->sigma_given};
    return true;
}

const char *carom_fit_get_file(const carom_fit *f, size_t record)
{
    return f && record < f->record_count ? f->records[record].file : NULL;
}

const char *carom_fit_get_note(const carom_fit *f, size_t index)
{
    return f && index < f->note_count ? f->notes[index] : NULL;
}

carom_fit_options carom_default_fit_options(void)
{
    return (carom_fit_options){.size = sizeof(carom_fit_options), .workers = 1};
}
