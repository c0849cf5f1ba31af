/* Study files: their keys, the model that they name, and what identifies their table. */
#include "study/study.h"

#include <stdio.h>

/* ---- keys ---- */

static const char *const study_keys[] = {"carom", "title", "model",    "parameters",
                                         "set",   "run",   "sampling", "quantities"};
enum { KEY_CAROM, KEY_TITLE, KEY_MODEL, KEY_PARAMETERS, KEY_SET, KEY_RUN, KEY_SAMPLING, KEY_QUANTITIES, KEYS };

static carom_status find_keys(carom_study *s, const carom_node *found[])
{
    carom_context *ctx = s->arena.ctx;
    if (s->root->type != CAROM_NODE_MAPPING)
        return carom_study_fail(ctx, &s->root->place, "a study is a mapping of keys: model, parameters, quantities");
    const carom_node *bodies = carom_node_find(s->root, "bodies");
    for (const carom_node *n = s->root->first; n; n = n->next) {
        size_t key = 0;
        while (key < KEYS && strcmp(study_keys[key], n->key) != 0)
            key++;
        if (key == KEYS && bodies)
            return carom_study_fail(ctx, &bodies->key_place,
                                    "this is a model, not a study: a study names it, `model: %s`, with `parameters` "
                                    "and `quantities`",
                                    s->file);
        if (key == KEYS)
            return carom_fail_unknown(ctx, &n->key_place, "a study", "key", n->key, study_keys, KEYS);
        found[key] = n;
    }
    if (found[KEY_CAROM]) {
        double version;
        CAROM_TRY(carom_study_number(s, found[KEY_CAROM], &version));
        if (version != 1)
            return carom_study_fail(ctx, &found[KEY_CAROM]->place, "'carom' is the format version, 1");
    }
    if (!found[KEY_PARAMETERS])
        return carom_study_fail(ctx, &s->root->place,
                                "the study has no `parameters`: name what varies, as in "
                                "`parameters: {e: [0.3, 0.5, 0.7]}`");
    if (!found[KEY_QUANTITIES])
        return carom_study_fail(ctx, &s->root->place,
                                "the study has no `quantities`: name what is kept of each run, "
                                "as in `quantities: {e_got: 'impacts[1].e_got'}`");
    return CAROM_OK;
}

/* `set`: parameters with one value in all runs. */
carom_status carom_study_read_set(carom_study *s, const carom_node *node)
{
    carom_context *ctx = s->arena.ctx;
    if (node->type != CAROM_NODE_MAPPING)
        return carom_study_fail(ctx, &node->place, "'set' is a mapping, `name: value`");
    if (node->count > CAROM_STUDY_SET)
        return carom_study_fail(ctx, &node->place, "'set' has %zu values; at most %d are allowed", node->count,
                                CAROM_STUDY_SET);
    s->set = carom_arena_alloc(&s->arena, node->count + 1, sizeof *s->set);
    s->set_places = carom_arena_alloc(&s->arena, node->count + 1, sizeof *s->set_places);
    if (!s->set || !s->set_places)
        return carom_fail_memory(ctx);
    for (const carom_node *n = node->first; n; n = n->next) {
        if (n->type != CAROM_NODE_SCALAR)
            return carom_study_fail(ctx, &n->place, "'%s' has one value; what varies belongs to `parameters`", n->key);
        for (size_t k = 0; k < s->side_count; k++)
            if (strcmp(s->sides[k].name, n->key) == 0)
                return carom_study_fail(ctx, &n->key_place, "'%s' varies by `parameters`, and `set` keeps it", n->key);
        s->set_places[s->set_count] = n->key_place;
        s->set[s->set_count] = carom_arena_format(&s->arena, "%s=%s", n->key, n->text);
        if (!s->set[s->set_count++])
            return carom_fail_memory(ctx);
    }
    return CAROM_OK;
}

/* `run`: what the command line of `carom run` would replace. */
carom_status carom_study_read_run(carom_study *s, const carom_node *node)
{
    static const char *const keys[] = {"until", "tolerance", "integrator", "formulation", "limit"};
    double *const numbers[] = {&s->until, &s->tolerance, NULL, NULL, &s->limit};
    const char **const texts[] = {NULL, NULL, &s->integrator, &s->formulation, NULL};
    carom_context *ctx = s->arena.ctx;
    if (node->type != CAROM_NODE_MAPPING)
        return carom_study_fail(ctx, &node->place, "'run' is a mapping, such as {until: 0.2, tolerance: 1e-8}");
    for (const carom_node *n = node->first; n; n = n->next) {
        size_t k = 0;
        while (k < CAROM_COUNT(keys) && strcmp(keys[k], n->key) != 0)
            k++;
        if (k == CAROM_COUNT(keys))
            return carom_fail_unknown(ctx, &n->key_place, "run", "key", n->key, keys, CAROM_COUNT(keys));
        if (numbers[k]) {
            CAROM_TRY(carom_study_number(s, n, numbers[k]));
            if (!(*numbers[k] > 0))
                return carom_study_fail(ctx, &n->place, "'%s' is greater than 0, not %g", n->key, *numbers[k]);
        } else if (n->type == CAROM_NODE_SCALAR) {
            *texts[k] = n->text;
        } else {
            return carom_study_fail(ctx, &n->place, "'%s' takes a name", n->key);
        }
    }
    return CAROM_OK;
}

/* ---- the model ---- */

/* Path of the model: from the folder of the study. */
static const char *model_path(carom_study *s, const char *name)
{
    const char *slash = strrchr(s->file, '/');
    if (name[0] == '/' || !slash)
        return carom_arena_text(&s->arena, name);
    return carom_arena_format(&s->arena, "%.*s/%s", (int)(slash - s->file), s->file, name);
}

/* Keeps the model's text, with what it includes, and the names of its numbers. */
static carom_status take_model(carom_study *s, const carom_document *document)
{
    const carom_spec *spec = carom_document_spec(document);
    s->model_text = carom_arena_text_n(&s->arena, spec->text, spec->text_length);
    s->model_length = spec->text_length;
    s->names = carom_arena_alloc(&s->arena, spec->parameter_count + s->side_count + 1, sizeof *s->names);
    if (!s->model_text || !s->names)
        return carom_fail_memory(s->arena.ctx);
    for (size_t k = 0; k < spec->parameter_count; k++)
        if (!(s->names[s->name_count++] = carom_arena_text(&s->arena, spec->parameters[k].name)))
            return carom_fail_memory(s->arena.ctx);
    return CAROM_OK;
}

static carom_status read_model(carom_study *s, const carom_node *node, const char *model_text)
{
    carom_context *ctx = s->arena.ctx;
    if (node->type != CAROM_NODE_SCALAR || !node->text[0])
        return carom_study_fail(ctx, &node->place, "'model' takes the path of a model file");
    s->model = model_path(s, node->text);
    if (!s->model)
        return carom_fail_memory(ctx);
    carom_document *document = NULL;
    carom_status status = model_text
                              ? carom_document_parse(ctx, s->model, model_text, strlen(model_text), NULL, 0, &document)
                              : carom_document_read(ctx, s->model, NULL, 0, &document);
    if (status == CAROM_ERROR_IO) {
        char text[512];
        snprintf(text, sizeof text, "%.500s", carom_context_error(ctx));
        return carom_fail(ctx, CAROM_ERROR_IO, &node->place, "%s", text);
    }
    if (status == CAROM_OK)
        status = take_model(s, document);
    carom_document_free(document);
    return status;
}

/* Without a model expressions read the parameters of the study. */
static carom_status name_sides(carom_study *s)
{
    s->names = carom_arena_alloc(&s->arena, s->side_count + 1, sizeof *s->names);
    if (!s->names)
        return carom_fail_memory(s->arena.ctx);
    for (size_t k = 0; k < s->side_count; k++)
        if (!s->sides[k].words)
            s->names[s->name_count++] = s->sides[k].name;
    return CAROM_OK;
}

carom_status carom_study_read_model(carom_study *s, const carom_node *node, const char *model_text)
{
    return node ? read_model(s, node, model_text) : name_sides(s);
}

/* ---- identity ---- */

static void describe_side(carom_text *out, const carom_study_side *side)
{
    char low[40], high[40];
    carom_text_append(out, "parameter %s:", side->name);
    for (size_t k = 0; k < side->count; k++)
        if (side->words)
            carom_text_append(out, " %s", side->words[k]);
        else
            carom_text_append(out, " %s", carom_short_number_text(low, side->numbers[k]));
    if (side->count == 0 && side->normal)
        carom_text_append(out, " mean %s sd %s", carom_short_number_text(low, side->mean),
                          carom_short_number_text(high, side->deviation));
    else if (side->count == 0)
        carom_text_append(out, " from %s to %s%s", carom_short_number_text(low, side->low),
                          carom_short_number_text(high, side->high), side->log ? " log" : "");
    carom_text_append(out, "\n");
}

/* What of the model makes the table: its keys and values as they are read, not comments, blanks and line ends. */
static carom_status hash_model(carom_study *s, uint64_t *out)
{
    carom_arena arena;
    const carom_node *root = NULL;
    carom_text text = {.ctx = s->arena.ctx};
    *out = 0;
    if (!s->model_text)
        return CAROM_OK;
    carom_arena_init(&arena, s->arena.ctx);
    carom_status status = carom_tree_parse(&arena, s->model, s->model_text, s->model_length, &root);
    if (status == CAROM_OK) {
        carom_tree_write(&text, root);
        *out = text.failed ? 0 : carom_hash(text.data, text.length, 0);
        status = text.failed ? carom_fail_memory(s->arena.ctx) : CAROM_OK;
    }
    carom_text_clear(&text);
    carom_arena_free(&arena);
    return status;
}

static carom_status identify(carom_study *s)
{
    uint64_t model;
    CAROM_TRY(hash_model(s, &model));
    carom_text out = {.ctx = s->arena.ctx};
    char number[40];
    for (size_t k = 0; k < s->side_count; k++)
        describe_side(&out, &s->sides[k]);
    carom_text_append(&out, "sampling: %s count %zu seed %llu levels %zu\n", s->sampler->name, s->design.count,
                      (unsigned long long)s->design.seed, s->design.levels);
    for (size_t k = 0; k < s->set_count; k++)
        carom_text_append(&out, "set %s\n", s->set[k]);
    carom_text_append(&out, "run: until %s", carom_short_number_text(number, s->until));
    carom_text_append(&out, " tolerance %s", carom_short_number_text(number, s->tolerance));
    carom_text_append(&out, " integrator %s formulation %s", s->integrator ? s->integrator : "-",
                      s->formulation ? s->formulation : "-");
    carom_text_append(&out, " limit %s\n", carom_short_number_text(number, s->limit));
    for (size_t k = 0; k < s->item_count; k++)
        carom_text_append(&out, "quantity %s: %s\n", s->items[k].name, s->items[k].text);
    carom_text_append(&out, "model: %016llx\n", (unsigned long long)model);
    if (!out.failed)
        s->identity = carom_arena_text_n(&s->arena, out.data, out.length);
    carom_text_clear(&out);
    return s->identity ? CAROM_OK : carom_fail_memory(s->arena.ctx);
}

/* What all runs have in common, as options of `carom run`. */
static carom_status list_options(carom_study *s)
{
    static const char *const names[] = {"until", "tolerance", "integrator", "formulation"};
    const double numbers[] = {s->until, s->tolerance, 0, 0};
    const char *const words[] = {NULL, NULL, s->integrator, s->formulation};
    size_t count = 0;
    s->options = carom_arena_alloc(&s->arena, 2 * (s->set_count + CAROM_COUNT(names)) + 1, sizeof *s->options);
    if (!s->options)
        return carom_fail_memory(s->arena.ctx);
    for (size_t k = 0; k < CAROM_COUNT(names); k++) {
        char number[40];
        const char *value = words[k] ? words[k] : numbers[k] > 0 ? carom_short_number_text(number, numbers[k]) : NULL;
        if (!value)
            continue;
        s->options[count++] = carom_arena_format(&s->arena, "--%s", names[k]);
        s->options[count++] = carom_arena_text(&s->arena, value);
        if (!s->options[count - 2] || !s->options[count - 1])
            return carom_fail_memory(s->arena.ctx);
    }
    for (size_t k = 0; k < s->set_count; k++) {
        s->options[count++] = "--set";
        s->options[count++] = s->set[k];
    }
    return CAROM_OK;
}

/* ---- reading ---- */

/* In braces the brackets of impacts[1] are YAML's, unless they stand in quotes. */
static carom_status read_tree(carom_study *s, const char *text, size_t length)
{
    carom_context *ctx = s->arena.ctx;
    const carom_status status = carom_tree_parse(&s->arena, s->file, text, length, &s->root);
    const char *bracket = status == CAROM_ERROR_MODEL ? strstr(s->text, "impacts[") : NULL;
    if (!bracket)
        return status;
    char told[512];
    snprintf(told, sizeof told, "%.500s", carom_context_error(ctx));
    return carom_fail(ctx, CAROM_ERROR_MODEL, NULL,
                      "%s; in braces a quantity with brackets stands in quotes, {q: 'impacts[1].e_got'}", told);
}

static carom_status fill(carom_study *s, const char *name, const char *text, size_t length, const char *model_text)
{
    const carom_node *found[KEYS] = {NULL};
    s->file = carom_arena_text(&s->arena, name);
    s->text = carom_arena_text_n(&s->arena, text, length);
    if (!s->file || !s->text)
        return carom_fail_memory(s->arena.ctx);
    s->title = "";
    CAROM_TRY(read_tree(s, text, length));
    CAROM_TRY(find_keys(s, found));
    if (found[KEY_TITLE] && found[KEY_TITLE]->type == CAROM_NODE_SCALAR)
        s->title = found[KEY_TITLE]->text;
    CAROM_TRY(carom_study_read_sides(s, found[KEY_PARAMETERS]));
    if (found[KEY_SET])
        CAROM_TRY(carom_study_read_set(s, found[KEY_SET]));
    if (found[KEY_RUN])
        CAROM_TRY(carom_study_read_run(s, found[KEY_RUN]));
    CAROM_TRY(carom_study_read_sampling(s, found[KEY_SAMPLING], &found[KEY_PARAMETERS]->place));
    CAROM_TRY(carom_study_read_model(s, found[KEY_MODEL], model_text));
    CAROM_TRY(carom_study_read_quantities(s, found[KEY_QUANTITIES]));
    if (s->reads_motion && !s->model)
        return carom_study_fail(s->arena.ctx, &s->root->place,
                                "the quantities read a run, and the study names no model: `model: FILE.yaml`");
    CAROM_TRY(list_options(s));
    return identify(s);
}

carom_status carom_study_parse(carom_context *ctx, const char *name, const char *text, size_t length,
                               const char *model_text, carom_study **out)
{
    CAROM_NEED(ctx, ctx);
    CAROM_NEED(ctx, out);
    CAROM_NEED(ctx, name);
    if (length)
        CAROM_NEED(ctx, text);
    *out = NULL;
    carom_study *s = carom_allocate(ctx, 1, sizeof *s);
    if (!s)
        return carom_fail_memory(ctx);
    carom_arena_init(&s->arena, ctx);
    const carom_status status = fill(s, name, text ? text : "", length, model_text);
    if (status == CAROM_OK)
        *out = s;
    else
        carom_study_free(s);
    return status;
}

carom_status carom_study_read(carom_context *ctx, const char *path, carom_study **out)
{
    CAROM_NEED(ctx, ctx);
    CAROM_NEED(ctx, path);
    CAROM_NEED(ctx, out);
    *out = NULL;
    carom_text text = {.ctx = ctx};
    carom_status status = carom_text_read(&text, path, CAROM_TREE_BYTES);
    if (status == CAROM_OK)
        status = carom_study_parse(ctx, path, text.data, text.length, NULL, out);
    carom_text_clear(&text);
    return status;
}

void carom_study_free(carom_study *study)
{
    if (!study)
        return;
    carom_context *ctx = study->arena.ctx;
    carom_release(ctx, study->channels, study->channel_capacity, sizeof *study->channels);
    carom_arena_free(&study->arena);
    carom_release(ctx, study, 1, sizeof *study);
}

/* ---- asking ---- */

carom_study_info carom_study_get_info(const carom_study *s)
{
    if (!s)
        return (carom_study_info){0};
    return (carom_study_info){.file = s->file,
                              .title = s->title,
                              .text = s->text,
                              .model = s->model,
                              .model_text = s->model_text,
                              .identity = s->identity,
                              .options = s->options,
                              .sampler = s->sampler->name,
                              .runs = s->runs,
                              .parameters = s->side_count,
                              .quantities = s->item_count};
}

bool carom_study_get_parameter(const carom_study *s, size_t index, carom_study_parameter *out)
{
    if (!s || !out)
        return false;
    if (index >= s->side_count)
        return false;
    const carom_study_side *side = &s->sides[index];
    *out = (carom_study_parameter){.name = side->name,
                                   .unit = side->unit,
                                   .words = side->words,
                                   .values = side->count,
                                   .low = side->low,
                                   .high = side->high,
                                   .log = side->log};
    for (size_t k = 0; k < side->count && !side->words; k++) {
        out->low = k == 0 || side->numbers[k] < out->low ? side->numbers[k] : out->low;
        out->high = k == 0 || side->numbers[k] > out->high ? side->numbers[k] : out->high;
    }
    return true;
}

bool carom_study_get_quantity(const carom_study *s, size_t index, carom_study_quantity *out)
{
    if (!s || !out)
        return false;
    if (index >= s->item_count)
        return false;
    *out = (carom_study_quantity){s->items[index].name, s->items[index].text, s->items[index].unit};
    return true;
}

carom_status carom_study_point(carom_context *ctx, const carom_study *s, size_t run, double *out)
{
    CAROM_NEED(ctx, ctx);
    CAROM_NEED_AS(ctx, s, "study");
    CAROM_NEED(ctx, out);
    if (run >= s->runs)
        return carom_fail(ctx, CAROM_ERROR_USAGE, NULL, "run %zu: the study has %zu", run, s->runs);
    for (size_t k = 0; k < s->side_count; k++)
        out[k] = carom_study_side_value(&s->sides[k], s->sampler->coordinate(&s->design, run, k));
    return CAROM_OK;
}

const char *carom_study_value_text(const carom_study *s, size_t parameter, double value, char *text)
{
    if (!s)
        return NULL;
    const carom_study_side *side = parameter < s->side_count ? &s->sides[parameter] : NULL;
    if (side && side->words)
        snprintf(text, 64, "%.63s", value >= 0 && value < (double)side->count ? side->words[(size_t)value] : "");
    else
        carom_short_number_text(text, value);
    return text;
}
