/* The quantities of a study: each text becomes an expression whose variables are what it reads of a run. What the
   expression language has no word for (channels, impacts, methods over the time) is found here and replaced by names
   of the same length, so that places in messages stay those of the file. */
#include "study/mentions.h"

#include <stdio.h>

#define DEPTH 16

/* ---- what is compiled ---- */

/* The program that is made of a part of a quantity's text. */
typedef struct builder {
    carom_study *s;
    carom_arena *arena;
    const carom_study_item *item;
    size_t item_index, depth;
    const char *const *channel_units, *const *parameter_units; /* NULL: not known */
    const carom_dimension *item_dimensions;                    /* of the quantities before it */
    carom_program *program;
    carom_dimension *dimensions; /* of the leaves */
    size_t *leaf_ids;
} builder;

static carom_status fail_at(const builder *b, size_t at, const char *format, ...) CAROM_PRINTF(3, 4);
static carom_status fail_at(const builder *b, size_t at, const char *format, ...)
{
    char text[CAROM_ERROR_TEXT / 2];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    carom_place place = b->item->place;
    place.column += (int)at;
    return carom_fail(b->arena->ctx, CAROM_ERROR_MODEL, &place, "quantity '%s': %s", b->item->name, text);
}

/* ---- leaves ---- */

static const char placeholder_digits[] = "0123456789abcdefghijklmnopqrstuvwxyz";

static void placeholder(size_t leaf, char name[4])
{
    name[0] = '_';
    name[1] = placeholder_digits[leaf / 36];
    name[2] = placeholder_digits[leaf % 36];
    name[3] = '\0';
}

static carom_leaf *add_leaf(builder *b, size_t at)
{
    carom_program *p = b->program;
    if (p->leaf_count == CAROM_PROGRAM_LEAVES) {
        fail_at(b, at, "it reads more than %d things; give parts of it names of their own", CAROM_PROGRAM_LEAVES);
        return NULL;
    }
    b->dimensions[p->leaf_count] = (carom_dimension){.kind = CAROM_DIMENSION_FREE};
    carom_leaf *leaf = &p->leaves[p->leaf_count++];
    *leaf = (carom_leaf){.at = at};
    return leaf;
}

static carom_dimension unit_dimension(const char *unit)
{
    return unit ? carom_unit_dimension(unit, CAROM_UNIT_ANY) : (carom_dimension){.kind = CAROM_DIMENSION_FREE};
}

static void set_unit(builder *b, const char *unit)
{
    b->dimensions[b->program->leaf_count - 1] = unit_dimension(unit);
    b->program->leaves[b->program->leaf_count - 1].unit = unit;
}

/* The unit of a result: that of what it reads, if one has its dimension, so that work is in J, not in N m. */
static const char *unit_of(const carom_program *p, const carom_dimension *dimension, char *text, size_t size)
{
    char own[64];
    const char *unit = carom_dimension_is_pure(dimension) ? NULL : carom_dimension_unit(dimension, text, size);
    for (size_t k = 0; k < p->leaf_count && unit; k++) {
        const carom_dimension of = unit_dimension(p->leaves[k].unit);
        const char *its = p->leaves[k].unit ? carom_dimension_unit(&of, own, sizeof own) : NULL;
        if (its && strcmp(its, unit) == 0)
            return p->leaves[k].unit;
    }
    return unit;
}

static carom_status find_field(const builder *b, const carom_field *fields, size_t count, const char *what,
                               const char *text, const mention *m, const carom_field **out)
{
    const char *names[64];
    for (size_t k = 0; k < count && k < CAROM_COUNT(names); k++) {
        names[k] = fields[k].name;
        if (!carom_mention_is(text, m->field, m->field_end, fields[k].name))
            continue;
        *out = &fields[k];
        if (fields[k].type == CAROM_FIELD_TEXT)
            return fail_at(b, m->field, "'%s' is a text, not a number", fields[k].name);
        return CAROM_OK;
    }
    char word[CAROM_STUDY_NAME + 1];
    snprintf(word, sizeof word, "%.*s", (int)(m->field_end - m->field), text + m->field);
    const char *nearest = carom_nearest_name(word, names, count < CAROM_COUNT(names) ? count : CAROM_COUNT(names));
    return fail_at(b, m->field, "%s have no '%s'%s%s%s", what, word, nearest ? "; did you mean '" : "",
                   nearest ? nearest : "", nearest ? "'?" : "");
}

/* Contact and list of impacts or rests. */
static carom_status fill_rows(builder *b, const char *text, size_t at, const mention *m, carom_leaf *leaf)
{
    leaf->rows = carom_mention_is(text, at, m->head_end, "rests") ? CAROM_ROWS_RESTS : CAROM_ROWS_IMPACTS;
    if (m->has_contact &&
        !(leaf->contact = carom_arena_text_n(b->arena, text + m->contact, m->contact_end - m->contact)))
        return carom_fail_memory(b->arena->ctx);
    return CAROM_OK;
}

static carom_status add_rows_field(builder *b, const char *text, size_t at, const mention *m)
{
    carom_leaf *leaf = add_leaf(b, at);
    if (!leaf)
        return CAROM_ERROR_MODEL;
    CAROM_TRY(fill_rows(b, text, at, m, leaf));
    size_t count;
    const carom_field *fields =
        leaf->rows == CAROM_ROWS_RESTS ? carom_rest_fields(&count) : carom_impact_fields(&count);
    const char *what = leaf->rows == CAROM_ROWS_RESTS ? "rests" : "impacts";
    leaf->type = m->type == ELEMENT ? CAROM_LEAF_ELEMENT : CAROM_LEAF_FIELD;
    leaf->row = m->row;
    if (m->type == ELEMENT && (!m->has_row || m->row == 0))
        return fail_at(b, at, "%s are numbered from 1, the last one is -1: %s[1].e_got, %s[NAME, -1].e_got", what, what,
                       what);
    if (!m->field)
        return fail_at(b, at, "say what of it: %s[1].duration", what);
    CAROM_TRY(find_field(b, fields, count, what, text, m, &leaf->field));
    set_unit(b, strcmp(leaf->field->unit, "1") == 0 ? "1" : leaf->field->unit);
    b->s->reads_motion = true;
    return CAROM_OK;
}

static carom_status add_ledger(builder *b, const char *text, size_t at, const mention *m)
{
    carom_leaf *leaf = add_leaf(b, at);
    size_t count;
    const carom_field *fields = carom_ledger_fields(&count);
    if (!leaf)
        return CAROM_ERROR_MODEL;
    leaf->type = CAROM_LEAF_LEDGER;
    CAROM_TRY(find_field(b, fields, count, "the terms of the ledger", text, m, &leaf->field));
    set_unit(b, leaf->field->unit);
    b->s->reads_motion = true;
    return CAROM_OK;
}

/* The number or column of a name among those that an analysis declares. */
static carom_status find_declared(builder *b, size_t at, const char *what, const char *name,
                                  const carom_analysis_quantity *list, int count, const char **unit)
{
    const char *names[64];
    int known = 0;
    for (int k = 0; k < count && k < (int)CAROM_COUNT(names); k++) {
        names[known++] = list[k].name;
        if (strcmp(list[k].name, name) != 0)
            continue;
        *unit = list[k].unit;
        return list[k].unit[0] ? CAROM_OK : fail_at(b, at, "'%s' is a text, not a number", name);
    }
    const char *nearest = carom_nearest_name(name, names, (size_t)known);
    return fail_at(b, at, "%s has no '%s'%s%s%s", what, name, nearest ? "; did you mean '" : "", nearest ? nearest : "",
                   nearest ? "'?" : "");
}

/* Checks what a leaf names against what the analysis of the run declares, and takes its unit. */
static carom_status check_declared(builder *b, size_t at, carom_leaf *leaf)
{
    const carom_analysis_kind *kind = b->s->analysis;
    if (!kind)
        return CAROM_OK;
    if (leaf->type == CAROM_LEAF_VALUE)
        return find_declared(b, at, "the analysis", leaf->name, kind->quantities, kind->quantity_count, &leaf->unit);
    const char *names[64];
    int known = 0;
    for (int k = 0; k < kind->table_count && k < (int)CAROM_COUNT(names); k++) {
        names[known++] = kind->tables[k].name;
        if (strcmp(kind->tables[k].name, leaf->name) == 0)
            return find_declared(b, at, "the table", leaf->column, kind->tables[k].columns,
                                 kind->tables[k].column_count, &leaf->unit);
    }
    const char *nearest = carom_nearest_name(leaf->name, names, (size_t)known);
    return fail_at(b, at, "the analysis has no table '%s'%s%s%s", leaf->name, nearest ? "; did you mean '" : "",
                   nearest ? nearest : "", nearest ? "'?" : "");
}

/* `value.NAME` or `TABLE[1].COLUMN` of an analysis that is no motion. */
static carom_status add_analysis(builder *b, const char *text, size_t at, const mention *m)
{
    carom_leaf *leaf = add_leaf(b, at);
    if (!leaf)
        return CAROM_ERROR_MODEL;
    leaf->type = m->type == CELL ? CAROM_LEAF_CELL : CAROM_LEAF_VALUE;
    leaf->row = m->row;
    if (m->type == CELL && (m->has_contact || m->row == 0 || !m->field))
        return fail_at(b, at, "rows are numbered from 1, the last one is -1: modes[1].frequency");
    leaf->name = m->type == CELL ? carom_arena_text_n(b->arena, text + at, m->head_end - at)
                                 : carom_arena_text_n(b->arena, text + m->field, m->field_end - m->field);
    leaf->column = m->type == CELL ? carom_arena_text_n(b->arena, text + m->field, m->field_end - m->field) : "";
    b->s->reads_motion = true;
    if (!leaf->name || !leaf->column)
        return carom_fail_memory(b->arena->ctx);
    CAROM_TRY(check_declared(b, at, leaf));
    if (leaf->unit)
        set_unit(b, leaf->unit);
    return CAROM_OK;
}

/* The place of a channel in the list of the study, which it joins. */
static carom_status list_channel(builder *b, size_t at, const char *name, size_t *place)
{
    carom_study *s = b->s;
    size_t k = 0;
    while (k < s->channel_count && strcmp(s->channels[k], name) != 0)
        k++;
    if (k == CAROM_STUDY_CHANNELS)
        return fail_at(b, at, "the quantities read more than %d channels", CAROM_STUDY_CHANNELS);
    if (k == s->channel_count) {
        CAROM_TRY(carom_grow(s->arena.ctx, &s->channels, &s->channel_capacity, k + 1, sizeof *s->channels));
        if (!(s->channels[k] = carom_arena_text(&s->arena, name)))
            return carom_fail_memory(s->arena.ctx);
        s->channel_count++;
    }
    *place = k;
    s->reads_motion = true;
    return CAROM_OK;
}

static carom_status add_channel(builder *b, const char *text, size_t at, const mention *m)
{
    carom_leaf *leaf = add_leaf(b, at);
    if (!leaf)
        return CAROM_ERROR_MODEL;
    const char *name = carom_arena_text_n(b->arena, text + at, m->end - at);
    if (!name)
        return carom_fail_memory(b->arena->ctx);
    CAROM_TRY(list_channel(b, at, name, &leaf->index));
    leaf->type = CAROM_LEAF_CHANNEL;
    set_unit(b, b->channel_units ? b->channel_units[leaf->index] : NULL);
    return CAROM_OK;
}

/* ---- calls that make one number ---- */

typedef enum part_kind { SCALAR, OF_TIME, OF_ROWS } part_kind;

static carom_status compile_part(builder *outer, size_t begin, size_t end, part_kind kind, carom_program **out,
                                 carom_dimension *dimension);

static carom_status wrong_use(const builder *b, size_t at, const carom_reduction *r)
{
    return fail_at(b, at, "%s(%s): %s", r->name, r->arguments, r->text);
}

/* A list without column, `count(impacts)`. */
static carom_status bare_list(builder *b, size_t begin, size_t end, carom_leaf *leaf)
{
    const char *text = b->item->text;
    const size_t at = carom_mention_blanks(text, begin);
    const mention m = carom_mention_at(text, at);
    if (m.type != ROW_LIST || carom_mention_blanks(text, m.end) < end)
        return fail_at(b, at, "count takes a list: count(impacts), count(impacts[NAME]), count(rests)");
    CAROM_TRY(fill_rows(b, text, at, &m, leaf));
    b->s->reads_motion = true;
    return CAROM_OK;
}

/* What the result of a method has for a dimension, from that of its first argument. */
static carom_dimension reduced_dimension(const carom_reduction *r, carom_dimension of)
{
    static const carom_dimension time = {CAROM_DIMENSION_UNIT, {0, 0, 1}};
    if (r->id == CAROM_REDUCTION_WHEN)
        return time;
    if (r->id == CAROM_REDUCTION_COUNT)
        return (carom_dimension){.kind = CAROM_DIMENSION_UNIT};
    return r->id == CAROM_REDUCTION_INTEGRAL ? carom_dimension_product(of, time, 1) : of;
}

static carom_status add_reduction(builder *b, size_t at, const mention *m, size_t end, unsigned what, size_t *next)
{
    const carom_reduction *r = m->call;
    size_t places[CAROM_EXPR_ARGUMENTS_READ][2], count;
    *next = carom_mention_arguments(b->item->text, m->end, end, places, &count);
    if (!(what & READS_ROWS) && r->of_time) {
        /* the rows of a run are those of its channels: the time alone has those of one that every motion has */
        if (!(what & READS_CHANNEL) && b->s->channel_count == 0) {
            size_t place;
            CAROM_TRY(list_channel(b, at, "energy.kinetic", &place));
        }
        what = READS_CHANNEL;
    }
    if ((what & READS_CHANNEL) && (what & READS_ROWS))
        return fail_at(b, at, "a channel and a column of %s cannot be read together", "impacts or rests");
    if (what & READS_CHANNEL ? !r->of_time : !r->of_rows)
        return wrong_use(b, at, r);
    const size_t most = what & READS_CHANNEL ? r->most : 0;
    if (count < 1 + r->least || count > 1 + most || (most == 2 && count == 2))
        return wrong_use(b, at, r);
    carom_leaf *leaf = add_leaf(b, at);
    if (!leaf)
        return CAROM_ERROR_MODEL;
    const size_t own = b->program->leaf_count - 1;
    leaf->type = CAROM_LEAF_REDUCTION;
    leaf->reduction = r;
    leaf->label = carom_arena_text_n(b->arena, b->item->text + at, *next - at);
    if (!leaf->label)
        return carom_fail_memory(b->arena->ctx);
    leaf->index = (*b->leaf_ids)++;
    carom_dimension dimension = {.kind = CAROM_DIMENSION_FREE};
    if (r->id == CAROM_REDUCTION_COUNT)
        CAROM_TRY(bare_list(b, places[0][0], places[0][1], leaf));
    else
        CAROM_TRY(compile_part(b, places[0][0], places[0][1], what & READS_CHANNEL ? OF_TIME : OF_ROWS, &leaf->body,
                               &dimension));
    for (size_t k = 1; k < count; k++) {
        carom_dimension unused;
        CAROM_TRY(compile_part(b, places[k][0], places[k][1], SCALAR, &leaf->arguments[k - 1], &unused));
        leaf->argument_count++;
    }
    b->dimensions[own] = reduced_dimension(r, dimension);
    char unit[64];
    const bool kept = leaf->body && r->id != CAROM_REDUCTION_WHEN && r->id != CAROM_REDUCTION_INTEGRAL;
    const char *text = kept ? unit_of(leaf->body, &dimension, unit, sizeof unit) : NULL;
    if (text && !(leaf->unit = carom_arena_text(b->arena, text)))
        return carom_fail_memory(b->arena->ctx);
    return CAROM_OK;
}

/* ---- a part of the text ---- */

static void put_placeholder(builder *b, char *copy, size_t at, size_t end)
{
    char name[4];
    placeholder(b->program->leaf_count - 1, name);
    memset(copy + at, ' ', end - at);
    memcpy(copy + at, name, 3);
}

/* The list that all columns of a part are of. */
static carom_status same_rows(builder *b, size_t at)
{
    carom_program *p = b->program;
    const carom_leaf *leaf = &p->leaves[p->leaf_count - 1];
    const bool contact_same = !leaf->contact == !p->contact && (!leaf->contact || !strcmp(leaf->contact, p->contact));
    if (p->of_rows && (leaf->rows != p->rows || !contact_same))
        return fail_at(b, at, "all columns are of one list and contact");
    p->of_rows = true;
    p->rows = leaf->rows;
    p->contact = leaf->contact;
    return CAROM_OK;
}

static carom_status take_mention(builder *b, size_t at, const mention *m, part_kind kind)
{
    const char *text = b->item->text;
    switch (m->type) {
    case CHANNEL:
        if (kind == SCALAR)
            return fail_at(b, at, "'%.*s' is a channel: say what of it, as max(...), end(...), rms(...)",
                           (int)(m->end - at), text + at);
        return add_channel(b, text, at, m);
    case ROW_COLUMN:
        if (kind != OF_ROWS)
            return fail_at(b, at, "'%.*s' is a column: name a row, impacts[1].e_got, or say what of it, as max(...)",
                           (int)(m->end - at), text + at);
        CAROM_TRY(add_rows_field(b, text, at, m));
        return same_rows(b, at);
    case ROW_LIST:
        return fail_at(b, at, "'%.*s' is a list: count(...) is their number, and impacts[1].e_got a number of one",
                       (int)(m->end - at), text + at);
    case ELEMENT:
        return add_rows_field(b, text, at, m);
    case LEDGER:
        return add_ledger(b, text, at, m);
    default:
        return add_analysis(b, text, at, m);
    }
}

/* Whether a word that names a list, such as `impacts`, is a quantity before this one. */
static bool is_own_name(const builder *b, size_t at, const mention *m)
{
    if (m->type != ROW_LIST || m->end != m->head_end)
        return false;
    for (size_t k = 0; k < b->item_index; k++)
        if (carom_mention_is(b->item->text, at, m->end, b->s->items[k].name))
            return true;
    return false;
}

/* Refuses a function that neither the expression language nor the methods have. */
static carom_status check_call(const builder *b, size_t at, const mention *m)
{
    char word[CAROM_STUDY_NAME + 1];
    const char *text = b->item->text, *names[CAROM_REDUCTION_COUNT_OF_ALL];
    snprintf(word, sizeof word, "%.*s", (int)(m->head_end - at), text + at);
    if (m->call || carom_expr_is_reserved(word))
        return CAROM_OK;
    if (strcmp(word, "impacts") == 0 || strcmp(word, "rests") == 0)
        return fail_at(b, at, "a row stands in brackets: %s[1].duration, %s[NAME, -1].duration", word, word);
    size_t count;
    const char *const *reserved = carom_expr_reserved(&count);
    for (int k = 0; k < CAROM_REDUCTION_COUNT_OF_ALL; k++)
        names[k] = carom_reductions[k].name;
    const char *nearest = carom_nearest_name(word, names, CAROM_REDUCTION_COUNT_OF_ALL);
    if (!nearest)
        nearest = carom_nearest_name(word, reserved, count);
    if (nearest)
        return fail_at(b, at, "there is no function '%s'; did you mean '%s'?", word, nearest);
    return fail_at(b, at,
                   "there is no function '%s'; over the time there are max, min, mean, rms, integral, start, end, "
                   "at and when",
                   word);
}

static carom_status take_mentions(builder *b, char *copy, size_t at, size_t end, part_kind kind)
{
    const char *text = b->item->text;
    while (at < end) {
        if (carom_is_digit_of_text(text[at])) {
            at = carom_mention_number(text, at);
            continue;
        }
        if (!carom_is_letter_of_text(text[at])) {
            at++;
            continue;
        }
        const mention m = carom_mention_at(text, at);
        size_t next = m.end;
        if (m.type == CALL) {
            CAROM_TRY(check_call(b, at, &m));
            const unsigned what = m.call ? carom_mention_reduces(text, &m, end) : 0;
            const bool known = m.call && m.call->id != CAROM_REDUCTION_MAX && m.call->id != CAROM_REDUCTION_MIN;
            if (known && !what)
                return wrong_use(b, at, m.call);
            if (what) {
                CAROM_TRY(add_reduction(b, at, &m, end, what, &next));
                put_placeholder(b, copy, at, next);
            } else {
                next = m.end + 1;
            }
        } else if (m.type != NOTHING && !is_own_name(b, at, &m)) {
            CAROM_TRY(take_mention(b, at, &m, kind));
            put_placeholder(b, copy, at, next);
        }
        at = next > at ? next : at + 1;
    }
    return CAROM_OK;
}

/* Names that an expression may read: placeholders, numbers of the model, quantities before. */
typedef struct names {
    builder *b;
    const char **items;
    carom_dimension *dimensions;
    size_t count;
    char placeholders[CAROM_PROGRAM_LEAVES][4];
    size_t fixed; /* of the placeholders */
} names;

/* The leaf of a variable. */
static int find_variable(void *user, carom_context *ctx, size_t index)
{
    names *n = user;
    builder *b = n->b;
    (void)ctx;
    if (index < n->fixed)
        return (int)index;
    const size_t k = index - n->fixed;
    const bool parameter = k < b->s->name_count;
    for (size_t i = 0; i < b->program->leaf_count; i++) {
        const carom_leaf *leaf = &b->program->leaves[i];
        if (leaf->type == (parameter ? CAROM_LEAF_PARAMETER : CAROM_LEAF_QUANTITY) &&
            leaf->index == (parameter ? k : k - b->s->name_count))
            return (int)i;
    }
    carom_leaf *leaf = add_leaf(b, 0);
    if (!leaf)
        return -2;
    leaf->type = parameter ? CAROM_LEAF_PARAMETER : CAROM_LEAF_QUANTITY;
    leaf->index = parameter ? k : k - b->s->name_count;
    leaf->name = n->items[index];
    return (int)b->program->leaf_count - 1;
}

static carom_status list_names(builder *b, names *n)
{
    const carom_study *s = b->s;
    const size_t count = b->program->leaf_count + s->name_count + b->item_index;
    n->items = carom_arena_alloc(b->arena, count + 1, sizeof *n->items);
    n->dimensions = carom_arena_alloc(b->arena, count + 1, sizeof *n->dimensions);
    if (!n->items || !n->dimensions)
        return carom_fail_memory(b->arena->ctx);
    n->fixed = b->program->leaf_count;
    for (size_t k = 0; k < n->fixed; k++) {
        placeholder(k, n->placeholders[k]);
        n->items[n->count] = n->placeholders[k];
        n->dimensions[n->count++] = b->dimensions[k];
    }
    for (size_t k = 0; k < s->name_count; k++) {
        n->items[n->count] = s->names[k];
        n->dimensions[n->count++] = unit_dimension(b->parameter_units ? b->parameter_units[k] : NULL);
    }
    for (size_t k = 0; k < b->item_index; k++) {
        n->items[n->count] = s->items[k].name;
        n->dimensions[n->count++] = b->item_dimensions[k];
    }
    return CAROM_OK;
}

static carom_status compile_part(builder *outer, size_t begin, size_t end, part_kind kind, carom_program **out,
                                 carom_dimension *dimension)
{
    builder b = *outer;
    carom_context *ctx = b.arena->ctx;
    if (++b.depth > DEPTH)
        return fail_at(outer, begin, "nested deeper than %d levels", DEPTH);
    const size_t length = strlen(b.item->text);
    carom_program *p = carom_arena_alloc(b.arena, 1, sizeof *p);
    char *copy = carom_arena_text(b.arena, b.item->text);
    b.dimensions = carom_arena_alloc(b.arena, CAROM_PROGRAM_LEAVES, sizeof *b.dimensions);
    if (!p || !copy || !b.dimensions)
        return carom_fail_memory(ctx);
    p->leaves = carom_arena_alloc(b.arena, CAROM_PROGRAM_LEAVES, sizeof *p->leaves);
    if (!p->leaves)
        return carom_fail_memory(ctx);
    b.program = p;
    memset(copy, ' ', begin);
    memset(copy + end, ' ', length - end);
    CAROM_TRY(take_mentions(&b, copy, begin, end, kind));
    names *n = carom_arena_alloc(b.arena, 1, sizeof *n);
    if (!n)
        return carom_fail_memory(ctx);
    n->b = &b;
    CAROM_TRY(list_names(&b, n));
    const carom_expr_scope scope = {.time_allowed = kind == OF_TIME,
                                    .user = n,
                                    .variables = n->items,
                                    .variable_count = n->count,
                                    .variable = find_variable,
                                    .variable_dimensions = n->dimensions};
    CAROM_TRY(carom_expr_compile(b.arena, &scope, copy, &b.item->place, &p->expr));
    if (carom_expr_switch_count(p->expr) > CAROM_PROGRAM_SWITCHES)
        return fail_at(&b, begin, "it has more than %d conditions", CAROM_PROGRAM_SWITCHES);
    *dimension = carom_expr_dimension(p->expr);
    *out = p;
    return CAROM_OK;
}

/* ---- all of them ---- */

carom_status carom_study_compile_items(carom_study *s, carom_arena *arena, const char *const *units,
                                       const char *const *parameter_units, bool keep)
{
    carom_dimension *dimensions = carom_arena_alloc(arena, s->item_count + 1, sizeof *dimensions);
    size_t ids = 0;
    if (!dimensions)
        return carom_fail_memory(arena->ctx);
    for (size_t k = 0; k < s->item_count; k++) {
        carom_study_item *item = &s->items[k];
        builder b = {.s = s,
                     .arena = arena,
                     .item = item,
                     .item_index = k,
                     .channel_units = units,
                     .parameter_units = parameter_units,
                     .item_dimensions = dimensions,
                     .leaf_ids = &ids};
        carom_program *program;
        const part_kind kind = item->of_time ? OF_TIME : SCALAR;
        CAROM_TRY(compile_part(&b, 0, strlen(item->text), kind, &program, &dimensions[k]));
        char unit[64];
        const char *text = units || s->analysis ? unit_of(program, &dimensions[k], unit, sizeof unit) : NULL;
        if (text && !(item->unit = carom_arena_text(&s->arena, text)))
            return carom_fail_memory(arena->ctx);
        if (keep)
            item->program = program;
    }
    if (keep)
        s->reduction_count = ids;
    return CAROM_OK;
}

bool carom_study_is_name(const char *text)
{
    bool good = carom_is_letter_of_text(text[0]) && text[0] != '_' && strlen(text) <= CAROM_STUDY_NAME;
    for (const char *c = text; *c; c++)
        good = good && (carom_is_letter_of_text(*c) || carom_is_digit_of_text(*c));
    return good;
}

carom_status carom_study_read_quantities(carom_study *s, const carom_node *node)
{
    carom_context *ctx = s->arena.ctx;
    if (node->type != CAROM_NODE_MAPPING || node->count == 0)
        return carom_study_fail(ctx, &node->place,
                                "'quantities' names what is kept of each run: `e_got: "
                                "impacts[1].e_got`");
    if (node->count > CAROM_STUDY_QUANTITIES)
        return carom_study_fail(ctx, &node->place, "%zu quantities; at most %d are allowed", node->count,
                                CAROM_STUDY_QUANTITIES);
    s->items = carom_arena_alloc(&s->arena, node->count, sizeof *s->items);
    if (!s->items)
        return carom_fail_memory(ctx);
    for (const carom_node *n = node->first; n; n = n->next) {
        if (n->type != CAROM_NODE_SCALAR)
            return carom_study_fail(ctx, &n->place,
                                    "quantity '%s' is an expression such as max(contact.hit.force); one that begins "
                                    "with a bracket or holds ': ' stands in quotes",
                                    n->key);
        if (!carom_study_is_name(n->key) || carom_expr_is_reserved(n->key))
            return carom_study_fail(ctx, &n->key_place,
                                    "'%.80s' cannot be the name of a quantity: letters, digits and "
                                    "_, no word of expressions",
                                    n->key);
        for (size_t k = 0; k < s->side_count; k++)
            if (strcmp(s->sides[k].name, n->key) == 0)
                return carom_study_fail(ctx, &n->key_place, "'%s' is the name of a parameter", n->key);
        for (size_t k = 0; k < s->name_count; k++)
            if (strcmp(s->names[k], n->key) == 0)
                return carom_study_fail(ctx, &n->key_place, "'%s' is the name of a parameter of the model", n->key);
        s->items[s->item_count++] = (carom_study_item){.name = n->key, .text = n->text, .place = n->place};
    }
    return carom_study_compile_items(s, &s->arena, NULL, NULL, true);
}
