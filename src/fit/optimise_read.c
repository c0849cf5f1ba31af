/* Studies of optimisations: their keys, the model, what is asked of a design. */
#include "fit/optimise.h"

#include <math.h>
#include <stdio.h>

static const char *const keys[] = {"carom",  "title",      "model",      "parameters", "set",
                                   "run",    "quantities", "minimise",   "maximise",   "constraints",
                                   "method", "starts",     "evaluations"};
enum {
    KEY_CAROM,
    KEY_TITLE,
    KEY_MODEL,
    KEY_PARAMETERS,
    KEY_SET,
    KEY_RUN,
    KEY_QUANTITIES,
    KEY_MINIMISE,
    KEY_MAXIMISE,
    KEY_CONSTRAINTS,
    KEY_METHOD,
    KEY_STARTS,
    KEY_EVALUATIONS,
    KEYS
};

/* ---- quantities, objective ---- */

static carom_status add_item(carom_optimise *o, const char *name, const char *text, carom_place place)
{
    if (o->items >= CAROM_STUDY_QUANTITIES)
        return carom_study_fail(o->base.arena.ctx, &place, "more than %d quantities and constraints",
                                CAROM_STUDY_QUANTITIES);
    o->list[o->items++] = (carom_study_item){.name = name, .text = text, .place = place};
    return CAROM_OK;
}

static carom_status read_quantities(carom_optimise *o, const carom_node *node)
{
    carom_context *ctx = o->base.arena.ctx;
    if (node && node->type != CAROM_NODE_MAPPING)
        return carom_study_fail(ctx, &node->place, "'quantities' is a mapping of names to expressions");
    for (const carom_node *n = node ? node->first : NULL; n; n = n->next) {
        if (n->type != CAROM_NODE_SCALAR)
            return carom_study_fail(ctx, &n->place, "quantity '%s' is an expression such as max(contact.hit.force)",
                                    n->key);
        if (!carom_study_is_name(n->key) || carom_expr_is_reserved(n->key))
            return carom_study_fail(ctx, &n->key_place,
                                    "'%.80s' cannot be the name of a quantity: letters, digits and _, no word of "
                                    "expressions",
                                    n->key);
        for (size_t k = 0; k < o->base.unknown_count; k++)
            if (strcmp(o->base.unknowns[k].name, n->key) == 0)
                return carom_study_fail(ctx, &n->key_place, "'%s' is the name of a parameter", n->key);
        CAROM_TRY(add_item(o, n->key, n->text, n->place));
        o->quantities++;
    }
    return CAROM_OK;
}

static carom_status read_objective(carom_optimise *o, const carom_node *least, const carom_node *most)
{
    carom_context *ctx = o->base.arena.ctx;
    const carom_node *node = least ? least : most;
    if (least && most)
        return carom_study_fail(ctx, &most->key_place, "give `minimise` or `maximise`, not both");
    if (!node)
        return carom_study_fail(ctx, &o->base.root->place,
                                "the study has no objective: `minimise: EXPRESSION` or `maximise: EXPRESSION`, over "
                                "quantities and parameters");
    if (node->type != CAROM_NODE_SCALAR || !node->text[0])
        return carom_study_fail(ctx, &node->place, "'%s' takes an expression over quantities and parameters",
                                node->key);
    o->maximise = most != NULL;
    return add_item(o, node->key, node->text, node->place);
}

/* ---- constraints ---- */

/* Place of the comparison outside of brackets; its length is 1 or 2. NULL: there is none. */
static const char *find_comparison(const char *text, size_t *length)
{
    int depth = 0;
    for (const char *c = text; *c; c++) {
        depth += (*c == '(' || *c == '[') - (*c == ')' || *c == ']');
        if (depth == 0 && (*c == '<' || *c == '>')) {
            *length = c[1] == '=' ? 2 : 1;
            return c;
        }
    }
    return NULL;
}

/* "a >= b" as the number a - (b). */
static carom_status read_constraint(carom_optimise *o, const carom_node *node)
{
    carom_context *ctx = o->base.arena.ctx;
    size_t length;
    const char *at = node->type == CAROM_NODE_SCALAR ? find_comparison(node->text, &length) : NULL;
    if (!at || find_comparison(at + length, &(size_t){0}))
        return carom_study_fail(ctx, &node->place,
                                "a constraint compares two expressions once, as in 'lowest >= 5*N' or 'peak < 2*kN'");
    if (o->constraints == CAROM_OPTIMISE_CONSTRAINTS)
        return carom_study_fail(ctx, &node->place, "more than %d constraints", CAROM_OPTIMISE_CONSTRAINTS);
    /* the places of what stands behind stay those of the file where a blank follows */
    const bool blank = at[length] == ' ';
    const char *text = carom_arena_format(&o->base.arena, "%.*s-(%*s%s)", (int)(at - node->text), node->text,
                                          length == 2 && blank ? 1 : 0, "", at + length + (length == 1 && blank));
    if (!text)
        return carom_fail_memory(ctx);
    o->signs[o->constraints] = *at == '>' ? 1 : -1;
    o->texts[o->constraints++] = node->text;
    return add_item(o, node->text, text, node->place);
}

static carom_status read_constraints(carom_optimise *o, const carom_node *node)
{
    if (!node)
        return CAROM_OK;
    if (node->type != CAROM_NODE_LIST)
        return carom_study_fail(o->base.arena.ctx, &node->place, "'constraints' is a list, as in ['lowest >= 5*N']");
    for (const carom_node *n = node->first; n; n = n->next)
        CAROM_TRY(read_constraint(o, n));
    return CAROM_OK;
}

/* ---- method ---- */

static carom_status read_count(carom_optimise *o, const carom_node *node, size_t *out)
{
    double number;
    if (!node)
        return CAROM_OK;
    CAROM_TRY(carom_fit_number(&o->base, node, &number, NULL));
    if (!(number >= 1 && number <= 1e6) || number != floor(number))
        return carom_study_fail(o->base.arena.ctx, &node->place, "'%s' is a whole number from 1 to 1000000, not %g",
                                node->key, number);
    *out = (size_t)number;
    return CAROM_OK;
}

static carom_status read_method(carom_optimise *o, const carom_node *node)
{
    carom_context *ctx = o->base.arena.ctx;
    const char *names[16];
    o->method = &carom_optimise_methods[0];
    if (node) {
        const char *given = node->type == CAROM_NODE_SCALAR ? node->text : "";
        for (size_t k = 0; k < carom_optimise_method_count; k++)
            names[k] = carom_optimise_methods[k].name;
        o->method = carom_optimise_method_find(given);
        if (!o->method)
            return carom_fail_unknown(ctx, &node->place, "there", "method", given, names, carom_optimise_method_count);
    }
    if (o->constraints > 0 && !o->method->constrained)
        return carom_study_fail(ctx, &node->place, "method %s takes no constraints; auto, cobyla, slsqp and isres do",
                                o->method->name);
    o->starts = o->method->global ? 1 : 5;
    o->evaluations = o->method->global ? 2000 : 100 + 50 * o->base.unknown_count;
    return CAROM_OK;
}

/* ---- all of it ---- */

static carom_status make_study(carom_optimise *o)
{
    carom_fit *f = &o->base;
    carom_node *root = carom_make_mapping(&f->maker), *parameters = carom_make_mapping(&f->maker);
    const carom_node *const copied[] = {f->model, f->set, f->run};
    for (size_t k = 0; k < CAROM_COUNT(copied); k++)
        if (copied[k])
            carom_make_entry(&f->maker, root, copied[k]->key, carom_make_copy(&f->maker, copied[k]));
    for (size_t k = 0; k < f->unknown_count; k++)
        carom_fit_add_range(f, parameters, &f->unknowns[k]);
    carom_make_entry(&f->maker, root, "parameters", parameters);
    if (f->maker.failed)
        return carom_fail_memory(f->arena.ctx);
    const carom_study_parts parts = {.file = f->file, .root = root, .items = o->list, .item_count = o->items};
    return carom_study_build(f->arena.ctx, &parts, &o->study);
}

static carom_status fill(carom_optimise *o, const char *path, const char *text, size_t length)
{
    carom_fit *f = &o->base;
    const carom_node *found[KEYS] = {NULL};
    f->file = carom_arena_text(&f->arena, path);
    f->text = carom_arena_text_n(&f->arena, text, length);
    f->title = "";
    f->maker.arena = &f->arena;
    o->list = carom_arena_alloc(&f->arena, CAROM_STUDY_QUANTITIES, sizeof *o->list);
    o->texts = carom_arena_alloc(&f->arena, CAROM_OPTIMISE_CONSTRAINTS, sizeof *o->texts);
    if (!f->file || !f->text || !o->list || !o->texts)
        return carom_fail_memory(f->arena.ctx);
    CAROM_TRY(carom_tree_parse(&f->arena, f->file, f->text, length, &f->root));
    CAROM_TRY(carom_fit_find_keys(f->arena.ctx, f->root, "a study of `carom optimise`", keys, KEYS, found));
    if (!found[KEY_PARAMETERS])
        return carom_study_fail(
            f->arena.ctx, &f->root->place,
            "the study has no `parameters`: name what is free, as in `parameters: {k: {from: 1e3, to: "
            "1e5, scale: log}}`");
    if (found[KEY_TITLE] && found[KEY_TITLE]->type == CAROM_NODE_SCALAR)
        f->title = found[KEY_TITLE]->text;
    f->model = found[KEY_MODEL];
    f->set = found[KEY_SET];
    f->run = found[KEY_RUN];
    CAROM_TRY(carom_fit_read_parameters(f, found[KEY_PARAMETERS]));
    CAROM_TRY(read_quantities(o, found[KEY_QUANTITIES]));
    CAROM_TRY(read_objective(o, found[KEY_MINIMISE], found[KEY_MAXIMISE]));
    CAROM_TRY(read_constraints(o, found[KEY_CONSTRAINTS]));
    CAROM_TRY(read_method(o, found[KEY_METHOD]));
    CAROM_TRY(read_count(o, found[KEY_STARTS], &o->starts));
    CAROM_TRY(read_count(o, found[KEY_EVALUATIONS], &o->evaluations));
    return make_study(o);
}

carom_status carom_optimise_read(carom_context *ctx, const char *path, carom_optimise **out)
{
    CAROM_NEED(ctx, ctx);
    CAROM_NEED(ctx, path);
    CAROM_NEED(ctx, out);
    *out = NULL;
    carom_optimise *o = carom_allocate(ctx, 1, sizeof *o);
    if (!o)
        return carom_fail_memory(ctx);
    carom_arena_init(&o->base.arena, ctx);
    carom_text text = {.ctx = ctx};
    carom_status status = carom_text_read(&text, path, CAROM_TREE_BYTES);
    if (status == CAROM_OK)
        status = fill(o, path, text.data ? text.data : "", text.length);
    carom_text_clear(&text);
    if (status == CAROM_OK)
        *out = o;
    else
        carom_optimise_free(o);
    return status;
}

void carom_optimise_free(carom_optimise *o)
{
    if (!o)
        return;
    carom_context *ctx = o->base.arena.ctx;
    carom_study_free(o->study);
    carom_arena_free(&o->base.arena);
    carom_release(ctx, o, 1, sizeof *o);
}

carom_status carom_optimise_check(carom_context *ctx, carom_optimise *o)
{
    CAROM_NEED(ctx, ctx);
    CAROM_NEED_AS(ctx, o, "study");
    CAROM_TRY(carom_study_check(ctx, o->study));
    for (size_t k = 0; k < o->base.unknown_count; k++)
        o->base.unknowns[k].unit = o->study->sides[k].unit;
    return CAROM_OK;
}

/* ---- asking ---- */

carom_optimise_info carom_optimise_get_info(const carom_optimise *o)
{
    if (!o)
        return (carom_optimise_info){0};
    return (carom_optimise_info){.file = o->base.file,
                                 .title = o->base.title,
                                 .model = o->study->model,
                                 .method = o->method->name,
                                 .maximise = o->maximise,
                                 .unknowns = o->base.unknown_count,
                                 .quantities = o->quantities,
                                 .constraints = o->constraints,
                                 .starts = o->starts};
}

bool carom_optimise_get_unknown(const carom_optimise *o, size_t index, carom_fit_unknown *out)
{
    if (!o || index >= o->base.unknown_count)
        return false;
    const carom_unknown *u = &o->base.unknowns[index];
    *out = (carom_fit_unknown){
        .name = u->name, .unit = u->unit, .low = u->low, .high = u->high, .start = u->start, .log = u->log};
    return true;
}

bool carom_optimise_get_item(const carom_optimise *o, size_t index, carom_optimise_item *out)
{
    if (!o || index >= o->items)
        return false;
    const carom_study_item *item = &o->study->items[index];
    const bool constraint = index > o->quantities;
    *out = (carom_optimise_item){item->name, constraint ? item->name : item->text, item->unit};
    return true;
}
