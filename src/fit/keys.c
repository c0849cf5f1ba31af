/* The study of a fit: its keys, the unknowns, the laws. */
#include "fit/fit.h"

#include <stdio.h>

/* ---- mappings ---- */

carom_status carom_fit_find_keys(carom_context *ctx, const carom_node *node, const char *owner, const char *const *keys,
                                 size_t count, const carom_node *found[])
{
    if (node->type != CAROM_NODE_MAPPING)
        return carom_study_fail(ctx, &node->place, "%s is a mapping of keys: %s, %s, ...", owner, keys[0], keys[1]);
    for (const carom_node *n = node->first; n; n = n->next) {
        size_t key = 0;
        while (key < count && strcmp(keys[key], n->key) != 0)
            key++;
        if (key == count)
            return carom_fail_unknown(ctx, &n->key_place, owner, "key", n->key, keys, count);
        found[key] = n;
    }
    return CAROM_OK;
}

carom_status carom_fit_number(carom_fit *f, const carom_node *node, double *out, carom_dimension *dimension)
{
    const carom_expr_scope scope = {.names = NULL};
    carom_dimension unused;
    if (node->type != CAROM_NODE_SCALAR)
        return carom_study_fail(f->arena.ctx, &node->place, "'%s' takes a number", node->key ? node->key : "a value");
    return carom_expr_quantity(f->arena.ctx, &scope, node->text, &node->place, out, dimension ? dimension : &unused);
}

carom_status carom_fit_note(carom_fit *f, const char *format, ...)
{
    char text[512];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    const char **notes = carom_arena_alloc(&f->arena, f->note_count + 2, sizeof *notes);
    char *copy = carom_arena_text(&f->arena, text);
    if (!notes || !copy)
        return carom_fail_memory(f->arena.ctx);
    if (f->note_count)
        memcpy(notes, f->notes, f->note_count * sizeof *notes);
    f->notes = notes;
    f->notes[f->note_count++] = copy;
    return CAROM_OK;
}

/* ---- unknowns ---- */

static carom_status check_range(carom_fit *f, const carom_unknown *u, const carom_node *const found[4])
{
    carom_context *ctx = f->arena.ctx;
    if (!(u->low < u->high))
        return carom_study_fail(ctx, &found[1]->place,
                                "'%s': the bounds are crossed, from %g to %g; `from` is less than `to`", u->name,
                                u->low, u->high);
    if (u->log && !(u->low > 0))
        return carom_study_fail(ctx, &found[0]->place,
                                "'%s': with `scale: log` 'from' is greater than 0, not %g; a small number such as %g "
                                "will do",
                                u->name, u->low, u->high * 1e-6);
    if (!(u->start >= u->low && u->start <= u->high))
        return carom_study_fail(ctx, &found[2]->place, "'%s': the start %g lies outside of its bounds, %g to %g",
                                u->name, u->start, u->low, u->high);
    return CAROM_OK;
}

carom_status carom_fit_read_unknown(carom_fit *f, const carom_node *node, size_t record, carom_unknown *out)
{
    static const char *const keys[] = {"from", "to", "start", "scale"};
    carom_context *ctx = f->arena.ctx;
    const carom_node *found[4] = {NULL};
    char owner[96];
    *out = (carom_unknown){.name = node->key, .node = node, .place = node->key_place, .record = record};
    if (!carom_study_is_name(node->key))
        return carom_study_fail(ctx, &node->key_place, "'%.80s' cannot be the name of a parameter", node->key);
    snprintf(owner, sizeof owner, "'%.63s'", node->key);
    if (node->type != CAROM_NODE_MAPPING)
        return carom_study_fail(ctx, &node->place,
                                "'%s' is unknown: give its bounds, {from: 0.1, to: 0.9}, with `start` and `scale: log` "
                                "where wanted; a fixed value belongs to `set`",
                                node->key);
    CAROM_TRY(carom_fit_find_keys(ctx, node, owner, keys, 4, found));
    if (!found[0] || !found[1])
        return carom_study_fail(ctx, &node->place,
                                "'%s' has no `%s`: bounds keep the search where the model "
                                "makes sense",
                                node->key, keys[found[0] != NULL]);
    CAROM_TRY(carom_fit_number(f, found[0], &out->low, NULL));
    CAROM_TRY(carom_fit_number(f, found[1], &out->high, NULL));
    if (found[3]) {
        const char *scale = found[3]->type == CAROM_NODE_SCALAR ? found[3]->text : "";
        out->log = strcmp(scale, "log") == 0;
        if (!out->log && strcmp(scale, "linear") != 0)
            return carom_study_fail(ctx, &found[3]->place, "'scale' is linear or log, not '%.40s'", scale);
    }
    if (found[2])
        CAROM_TRY(carom_fit_number(f, found[2], &out->start, NULL));
    else
        out->start = out->log ? sqrt(out->low) * sqrt(out->high) : 0.5 * (out->low + out->high);
    return check_range(f, out, found);
}

carom_status carom_fit_add_unknown(carom_fit *f, const carom_unknown *unknown)
{
    if (f->unknown_count == CAROM_FIT_UNKNOWNS)
        return carom_study_fail(f->arena.ctx, &unknown->place, "more than %d numbers are unknown", CAROM_FIT_UNKNOWNS);
    f->unknowns[f->unknown_count++] = *unknown;
    return CAROM_OK;
}

carom_status carom_fit_read_parameters(carom_fit *f, const carom_node *node)
{
    if (node->type != CAROM_NODE_MAPPING || node->count == 0)
        return carom_study_fail(f->arena.ctx, &node->place,
                                "'parameters' names what is to be found: `K: {from: 1e8, to: 1e11, scale: log}`");
    for (const carom_node *n = node->first; n; n = n->next) {
        carom_unknown u;
        CAROM_TRY(carom_fit_read_unknown(f, n, CAROM_FIT_NONE, &u));
        CAROM_TRY(carom_fit_add_unknown(f, &u));
    }
    f->shared_count = f->unknown_count;
    return CAROM_OK;
}

/* ---- laws ---- */

static carom_status add_law(carom_fit *f, const char *name, const carom_place *place)
{
    carom_context *ctx = f->arena.ctx;
    size_t count;
    const char *const *names = carom_law_list(ctx, &count);
    bool known = false;
    for (size_t k = 0; k < count; k++)
        known = known || strcmp(names[k], name) == 0;
    if (!known)
        return carom_fail_unknown(ctx, place, "there", "law", name, names, count);
    for (size_t k = 0; k < f->law_count; k++)
        if (strcmp(f->laws[k], name) == 0)
            return CAROM_OK;
    if (f->law_count == CAROM_FIT_LAWS)
        return carom_study_fail(ctx, place, "more than %d laws", CAROM_FIT_LAWS);
    f->laws[f->law_count++] = name;
    return CAROM_OK;
}

static carom_status read_laws(carom_fit *f, const carom_node *node)
{
    f->names_law = true;
    f->law_place = node->place;
    if (node->type == CAROM_NODE_SCALAR && strcmp(node->text, "all") == 0) {
        size_t count;
        const char *const *names = carom_law_list(f->arena.ctx, &count);
        for (size_t k = 0; k < count; k++)
            CAROM_TRY(add_law(f, names[k], &node->place));
        return CAROM_OK;
    }
    if (node->type == CAROM_NODE_SCALAR)
        return add_law(f, node->text, &node->place);
    for (const carom_node *n = node->first; n; n = n->next) {
        if (node->type != CAROM_NODE_LIST || n->type != CAROM_NODE_SCALAR)
            return carom_study_fail(f->arena.ctx, &n->place, "'laws' is a list of names, or `all`");
        CAROM_TRY(add_law(f, n->text, &n->place));
    }
    return CAROM_OK;
}

/* ---- how it is fitted ---- */

static carom_status read_loss(carom_fit *f, const carom_node *node)
{
    static const char *const names[] = {"linear", "huber", "soft-l1", "cauchy"};
    static const char *const keys[] = {"type", "scale"};
    /* residuals in sigma from which outliers count less: 95 % of the efficiency where there are none; of soft-l1 as
       of Huber's */
    static const double scales[] = {1, 1.345, 1.345, 2.385};
    carom_context *ctx = f->arena.ctx;
    const carom_node *found[2] = {NULL}, *type = node;
    if (node->type == CAROM_NODE_MAPPING) {
        CAROM_TRY(carom_fit_find_keys(ctx, node, "'loss'", keys, 2, found));
        type = found[0];
    }
    if (!type || type->type != CAROM_NODE_SCALAR)
        return carom_study_fail(ctx, &node->place, "'loss' is linear, huber, soft-l1 or cauchy");
    size_t k = 0;
    while (k < 4 && strcmp(names[k], type->text) != 0)
        k++;
    if (k == 4)
        return carom_fail_unknown(ctx, &type->place, "there", "loss", type->text, names, 4);
    f->loss = (carom_loss)k;
    f->loss_scale = scales[k];
    if (!found[1])
        return CAROM_OK;
    CAROM_TRY(carom_fit_number(f, found[1], &f->loss_scale, NULL));
    return f->loss_scale > 0
               ? CAROM_OK
               : carom_study_fail(ctx, &found[1]->place, "'scale' is greater than 0 [sigma], not %g", f->loss_scale);
}

static carom_status read_options(carom_fit *f, const carom_node *starts, const carom_node *confidence,
                                 const carom_node *profile)
{
    carom_context *ctx = f->arena.ctx;
    double number;
    if (starts) {
        CAROM_TRY(carom_fit_number(f, starts, &number, NULL));
        if (!(number >= 1 && number <= 10000) || number != floor(number))
            return carom_study_fail(ctx, &starts->place, "'starts' is a whole number from 1 to 10000, not %g", number);
        f->starts = (size_t)number;
    }
    if (confidence) {
        CAROM_TRY(carom_fit_number(f, confidence, &f->confidence, NULL));
        if (!(f->confidence >= 0.5 && f->confidence < 1))
            return carom_study_fail(ctx, &confidence->place,
                                    "'confidence' lies between 0.5 and 1, such as "
                                    "0.95, not %g",
                                    f->confidence);
    }
    if (profile) {
        const char *text = profile->type == CAROM_NODE_SCALAR ? profile->text : "";
        f->profile = strcmp(text, "true") == 0;
        if (!f->profile && strcmp(text, "false") != 0)
            return carom_study_fail(ctx, &profile->place, "'profile' is true or false, not '%.40s'", text);
    }
    return CAROM_OK;
}

/* ---- all keys ---- */

static const char *const fit_keys[] = {"carom", "title",   "model", "law",    "laws",       "parameters", "set",
                                       "run",   "records", "loss",  "starts", "confidence", "profile"};
enum {
    KEY_CAROM,
    KEY_TITLE,
    KEY_MODEL,
    KEY_LAW,
    KEY_LAWS,
    KEY_PARAMETERS,
    KEY_SET,
    KEY_RUN,
    KEY_RECORDS,
    KEY_LOSS,
    KEY_STARTS,
    KEY_CONFIDENCE,
    KEY_PROFILE,
    KEYS
};

static carom_status check_keys(carom_fit *f, const carom_node *const found[])
{
    carom_context *ctx = f->arena.ctx;
    if (!found[KEY_PARAMETERS])
        return carom_study_fail(ctx, &f->root->place,
                                "the study has no `parameters`: name what is to be found, as in `parameters: "
                                "{K: {from: "
                                "1e8, to: 1e11, scale: log}}`");
    if (!found[KEY_RECORDS])
        return carom_study_fail(ctx, &f->root->place,
                                "the study has no `records`: name the files of measurements, each with `file` and "
                                "`compare`");
    if (found[KEY_LAW] && found[KEY_LAWS])
        return carom_study_fail(ctx, &found[KEY_LAWS]->key_place, "give `law` or `laws`, not both");
    if (found[KEY_RUN] && !found[KEY_MODEL])
        return carom_study_fail(ctx, &found[KEY_RUN]->key_place, "'run' is of a model, and the study names none");
    if (found[KEY_SET] && found[KEY_SET]->type != CAROM_NODE_MAPPING)
        return carom_study_fail(ctx, &found[KEY_SET]->place, "'set' is a mapping, `name: value`");
    return CAROM_OK;
}

carom_status carom_fit_read_keys(carom_fit *f)
{
    const carom_node *found[KEYS] = {NULL};
    const carom_node *bodies = f->root->type == CAROM_NODE_MAPPING ? carom_node_find(f->root, "bodies") : NULL;
    if (bodies)
        return carom_study_fail(f->arena.ctx, &bodies->key_place,
                                "this is a model, not a study: a study names it, `model: %s`, with `parameters` and "
                                "`records`",
                                f->file);
    CAROM_TRY(carom_fit_find_keys(f->arena.ctx, f->root, "a study of `carom fit`", fit_keys, KEYS, found));
    CAROM_TRY(check_keys(f, found));
    if (found[KEY_TITLE] && found[KEY_TITLE]->type == CAROM_NODE_SCALAR)
        f->title = found[KEY_TITLE]->text;
    f->model = found[KEY_MODEL];
    f->set = found[KEY_SET];
    f->run = found[KEY_RUN];
    if (found[KEY_LAW] || found[KEY_LAWS])
        CAROM_TRY(read_laws(f, found[KEY_LAW] ? found[KEY_LAW] : found[KEY_LAWS]));
    f->of_law = f->names_law && !f->model;
    CAROM_TRY(carom_fit_read_parameters(f, found[KEY_PARAMETERS]));
    if (found[KEY_LOSS])
        CAROM_TRY(read_loss(f, found[KEY_LOSS]));
    CAROM_TRY(read_options(f, found[KEY_STARTS], found[KEY_CONFIDENCE], found[KEY_PROFILE]));
    f->records_node = found[KEY_RECORDS];
    return CAROM_OK;
}
