/* The studies of the records: what each varies, keeps and runs, as the keys of a sweep. */
#include "fit/fit.h"

#include <math.h>

static carom_status made(carom_fit *f) { return f->maker.failed ? carom_fail_memory(f->arena.ctx) : CAROM_OK; }

/* Puts a value of the file, with its place, into a mapping. */
static void add_copy(carom_fit *f, carom_node *to, const carom_node *value)
{
    carom_make_entry(&f->maker, to, value->key, carom_make_copy(&f->maker, value));
}

/* ---- parameters ---- */

void carom_fit_add_range(carom_fit *f, carom_node *to, const carom_unknown *u)
{
    static const char *const keys[] = {"from", "to", "scale"};
    carom_node *range = carom_make_mapping(&f->maker);
    if (!range)
        return;
    for (size_t k = 0; k < CAROM_COUNT(keys); k++) {
        const carom_node *value = carom_node_find(u->node, keys[k]);
        if (value)
            add_copy(f, range, value);
    }
    range->place = range->key_place = u->place;
    carom_make_entry(&f->maker, to, u->name, range);
}

/* "0.2*m*kg" of 0.2 and "m kg"; "" without memory, which the maker knows. */
static const char *with_unit(carom_fit *f, double number, const char *unit)
{
    char digits[40];
    char *text = carom_arena_format(&f->arena, "%s*%s", carom_short_number_text(digits, number), unit);
    f->maker.failed = f->maker.failed || !text;
    for (char *c = text; c && *c; c++)
        if (*c == ' ')
            *c = '*';
    return text ? text : "";
}

/* The least and the greatest value of a column, with which the model is checked; with the unit, where the column has
   one, so that the model says where it wants another. */
static void add_ends(carom_fit *f, carom_node *to, const carom_each *e, size_t rows)
{
    double ends[2] = {HUGE_VAL, -HUGE_VAL};
    for (size_t k = 0; k < rows; k++) {
        ends[0] = fmin(ends[0], e->values[k]);
        ends[1] = fmax(ends[1], e->values[k]);
    }
    char text[96];
    const char *unit = e->unit && !carom_dimension_is_pure(&e->dimension)
                           ? carom_dimension_unit(&e->dimension, text, sizeof text)
                           : NULL;
    const int count = ends[1] > ends[0] ? 2 : 1;
    carom_node *list = unit ? carom_make_list(&f->maker) : carom_make_numbers(&f->maker, ends, count);
    for (int k = 0; unit && k < count; k++)
        carom_make_entry(&f->maker, list, NULL, carom_make_text(&f->maker, with_unit(f, ends[k], unit)));
    if (list)
        list->place = list->key_place = e->place;
    carom_make_entry(&f->maker, to, e->name, list);
}

static void add_source(carom_record *r, size_t *count, carom_fit_source source) { r->sources[(*count)++] = source; }

static carom_node *make_parameters(carom_fit *f, size_t record)
{
    carom_record *r = &f->records[record];
    carom_node *to = carom_make_mapping(&f->maker);
    size_t count = 0;
    if (to)
        to->place = f->root->place;
    for (size_t k = 0; k < f->unknown_count; k++) {
        const carom_unknown *u = &f->unknowns[k];
        if (u->kind != CAROM_UNKNOWN_VALUE || (u->record != CAROM_FIT_NONE && u->record != record))
            continue;
        carom_fit_add_range(f, to, u);
        add_source(r, &count, (carom_fit_source){CAROM_FROM_UNKNOWN, k});
    }
    for (size_t k = 0; k < r->each_count; k++) {
        add_ends(f, to, &r->each[k], r->rows);
        add_source(r, &count, (carom_fit_source){CAROM_FROM_EACH, k});
    }
    if (f->names_law) {
        carom_node *list = carom_make_list(&f->maker);
        for (size_t k = 0; k < f->law_count; k++)
            carom_make_entry(&f->maker, list, NULL, carom_make_text(&f->maker, f->laws[k]));
        if (list)
            list->place = list->key_place = f->law_place;
        carom_make_entry(&f->maker, to, "law", list);
        add_source(r, &count, (carom_fit_source){CAROM_FROM_LAW, 0});
    }
    return to;
}

/* ---- set and run ---- */

static carom_node *make_set(carom_fit *f, const carom_record *r)
{
    carom_node *to = carom_make_mapping(&f->maker);
    const carom_node *own = carom_node_find(r->node, "set"), *unknown = carom_node_find(r->node, "unknown");
    for (const carom_node *n = f->set ? f->set->first : NULL; n; n = n->next) {
        bool replaced = (own && carom_node_find(own, n->key)) || (unknown && carom_node_find(unknown, n->key));
        for (size_t k = 0; k < r->each_count; k++)
            replaced = replaced || strcmp(r->each[k].name, n->key) == 0;
        if (!replaced)
            add_copy(f, to, n);
    }
    for (const carom_node *n = own ? own->first : NULL; n; n = n->next)
        add_copy(f, to, n);
    return to;
}

/* The end of a run that has to reach the last row of a record. */
static double last_time(const carom_fit *f, const carom_record *r)
{
    double last = 0;
    for (size_t k = 0; k < r->rows; k++)
        if (r->x[k] <= r->to)
            last = fmax(last, r->x[k]);
    return r->shift == CAROM_FIT_NONE ? last : last - fmin(f->unknowns[r->shift].low, 0);
}

static carom_node *make_run(carom_fit *f, const carom_record *r)
{
    carom_node *to = carom_make_mapping(&f->maker);
    bool ends = false;
    for (const carom_node *n = f->run ? f->run->first : NULL; n; n = n->next) {
        add_copy(f, to, n);
        ends = ends || strcmp(n->key, "until") == 0;
    }
    if (f->model && r->kind == CAROM_RECORD_TIME && !r->along && !ends && last_time(f, r) > 0)
        carom_make_entry(&f->maker, to, "until", carom_make_number(&f->maker, last_time(f, r)));
    return to;
}

/* ---- a study ---- */

static carom_status make_items(carom_fit *f, const carom_record *r, carom_study_item **out)
{
    *out = carom_arena_alloc(&f->arena, r->response_count + 2, sizeof **out);
    if (!*out)
        return carom_fail_memory(f->arena.ctx);
    for (size_t k = 0; k < r->response_count; k++) {
        const carom_response *q = &f->responses[r->response + k];
        (*out)[k] = (carom_study_item){
            .name = q->column, .text = q->text, .place = q->place, .of_time = r->kind == CAROM_RECORD_TIME};
    }
    if (!r->along)
        return CAROM_OK;
    const char *text = carom_arena_format(&f->arena, "contact.%s.indentation", r->along->text);
    if (!text)
        return carom_fail_memory(f->arena.ctx);
    (*out)[r->response_count] =
        (carom_study_item){.name = "indentation", .text = text, .place = r->along->place, .of_time = true};
    return CAROM_OK;
}

static carom_status make_study(carom_fit *f, size_t record)
{
    carom_record *r = &f->records[record];
    carom_study_item *items;
    r->sources = carom_arena_alloc(&f->arena, f->unknown_count + r->each_count + 2, sizeof *r->sources);
    carom_node *root = carom_make_mapping(&f->maker);
    if (!r->sources)
        return carom_fail_memory(f->arena.ctx);
    if (f->model)
        add_copy(f, root, f->model);
    carom_make_entry(&f->maker, root, "parameters", make_parameters(f, record));
    carom_make_entry(&f->maker, root, "set", make_set(f, r));
    carom_make_entry(&f->maker, root, "run", make_run(f, r));
    CAROM_TRY(made(f));
    CAROM_TRY(make_items(f, r, &items));
    const carom_study_parts parts = {
        .file = f->file, .root = root, .items = items, .item_count = r->response_count + (r->along != NULL)};
    return carom_study_build(f->arena.ctx, &parts, &r->study);
}

carom_status carom_fit_make_studies(carom_fit *f)
{
    if (f->run && f->run->type != CAROM_NODE_MAPPING)
        return carom_study_fail(f->arena.ctx, &f->run->place, "'run' is a mapping, such as {tolerance: 1e-8}");
    for (size_t k = 0; k < f->record_count; k++)
        CAROM_TRY(make_study(f, k));
    return CAROM_OK;
}

/* ---- units ---- */

static carom_status check_unit(carom_fit *f, const carom_record *r, const carom_response *q, const char *unit)
{
    if (!unit || strcmp(unit, "1") == 0)
        return CAROM_OK;
    if (!q->unit)
        return carom_study_fail(f->arena.ctx, &q->place,
                                "column '%s' of '%s' has no unit: write `%s [%s]`, or what it is in, as the key of "
                                "`compare` or as the heading of the column",
                                q->column, r->name, q->column, unit);
    if (carom_unit_fits(unit, CAROM_UNIT_ANY, &q->dimension))
        return CAROM_OK;
    char own[96], other[96];
    return carom_study_fail(f->arena.ctx, &q->place, "column '%s' is %s, and what it is compared with is %s", q->column,
                            carom_dimension_text(&q->dimension, own, sizeof own),
                            carom_unit_text(unit, CAROM_UNIT_ANY, other, sizeof other));
}

static carom_status check_each(carom_fit *f, const carom_record *r)
{
    for (size_t k = 0; k < r->study->side_count; k++) {
        const char *unit = r->study->sides[k].unit;
        if (r->sources[k].from != CAROM_FROM_EACH || !unit)
            continue;
        const carom_each *e = &r->each[r->sources[k].index];
        CAROM_TRY(carom_fit_check_each(f, e, unit));
    }
    return CAROM_OK;
}

carom_status carom_fit_check_units(carom_fit *f)
{
    for (size_t k = 0; k < f->response_count; k++) {
        const carom_response *q = &f->responses[k];
        const carom_record *r = &f->records[q->record];
        CAROM_TRY(check_unit(f, r, q, r->study->items[k - r->response].unit));
    }
    for (size_t k = 0; k < f->record_count; k++)
        CAROM_TRY(check_each(f, &f->records[k]));
    return CAROM_OK;
}
