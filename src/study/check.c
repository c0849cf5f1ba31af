/* The check of a study: the model takes the values, and has what the quantities name. */
#include "study/study.h"

#include <stdio.h>

/* Values of a list of numbers that are tried: its first and last; of words all. */
static size_t tried_count(const carom_study_side *side)
{
    return side->words ? side->count : side->count > 1 || side->count == 0 ? 2 : 1;
}

/* The text of a value that is tried: as the file gives it, with units. */
static const char *tried_text(const carom_study_side *side, size_t which, char *number)
{
    if (side->words)
        return side->words[which];
    const size_t k = which ? side->count - 1 : 0;
    if (side->texts)
        return side->texts[k];
    if (side->count > 0)
        return carom_short_number_text(number, side->numbers[k]);
    return which ? side->high_text : side->low_text;
}

/* The text of a value within the side: of a range that at the place `within` in ]0, 1[, of a list the one there. */
static const char *inner_text(const carom_study *s, size_t k, double within, char number[64])
{
    const carom_study_side *side = &s->sides[k];
    const size_t index = (size_t)(within * (double)side->count);
    if (side->texts && side->count > 0)
        return side->texts[index];
    return carom_study_value_text(s, k, carom_study_side_value(side, within), number);
}

/* Reads the model with value `which` of parameter `own`, and the first values of the others; with `within` above 0 with
   values within all sides. */
static carom_status try_value(carom_study *s, size_t own, size_t which, double within, carom_document **out)
{
    const char *overrides[CAROM_STUDY_SET + CAROM_STUDY_PARAMETERS];
    carom_context *ctx = s->arena.ctx;
    carom_arena arena;
    carom_arena_init(&arena, ctx);
    size_t count = 0;
    bool failed = false;
    for (size_t k = 0; k < s->set_count; k++)
        overrides[count++] = s->set[k];
    for (size_t k = 0; k < s->side_count; k++) {
        char number[64];
        const char *value = within > 0 ? inner_text(s, k, within, number)
                                       : tried_text(&s->sides[k], k == own ? which : 0, number);
        overrides[count] = carom_arena_format(&arena, "%s=%s", s->sides[k].name, value);
        failed = failed || !overrides[count++];
    }
    carom_status status =
        failed ? carom_fail_memory(ctx)
               : carom_document_parse(ctx, s->model, s->model_text, s->model_length, overrides, count, out);
    carom_arena_free(&arena);
    return status;
}

/* An override that is wrong is so by the study: says where. */
static carom_status blame(carom_study *s, size_t own)
{
    char text[512];
    snprintf(text, sizeof text, "%.500s", carom_context_error(s->arena.ctx));
    const carom_place *place = &s->sides[own].place;
    for (size_t k = 0; k < s->set_count; k++)
        if (strstr(text, s->set[k]))
            place = &s->set_places[k];
    for (size_t k = 0; k < s->side_count; k++) {
        char start[CAROM_STUDY_NAME + 16];
        snprintf(start, sizeof start, "'%s=", s->sides[k].name);
        if (strstr(text, start))
            place = &s->sides[k].place;
    }
    const bool law = strstr(text, "no parameter 'law'") != NULL;
    return carom_fail(s->arena.ctx, CAROM_ERROR_USAGE, place, "%s%s", text,
                      law ? "; a law becomes a parameter by `law: $law` in the contact's `normal` and `law: flores` in "
                            "the model's `parameters`"
                          : "");
}

/* ---- what the quantities name ---- */

static carom_status find_bases(carom_study *s, carom_simulation *sim)
{
    size_t count;
    const carom_channel *channels = carom_simulation_channels(sim, &count);
    s->bases = carom_arena_alloc(&s->arena, s->channel_count + 1, sizeof *s->bases);
    if (!s->bases || !channels)
        return carom_fail_memory(s->arena.ctx);
    for (size_t k = 0; k < s->channel_count; k++) {
        size_t component;
        s->bases[k] = s->channels[k];
        for (size_t i = 0; i < count; i++)
            if (carom_study_is_column(&channels[i], s->channels[k], &component)) {
                s->bases[k] = carom_arena_text(&s->arena, channels[i].name);
                break;
            }
        if (!s->bases[k])
            return carom_fail_memory(s->arena.ctx);
    }
    return CAROM_OK;
}

/* Place of a channel in the quantities: the first text that has it. */
static carom_place channel_place(const carom_study *s, const char *name)
{
    for (size_t k = 0; k < s->item_count; k++) {
        const char *at = strstr(s->items[k].text, name);
        if (at) {
            carom_place place = s->items[k].place;
            place.column += (int)(at - s->items[k].text);
            return place;
        }
    }
    return (carom_place){s->file, 0, 0};
}

static carom_status check_channels(carom_study *s, carom_simulation *sim, const char **units)
{
    for (size_t k = 0; k < s->channel_count; k++) {
        carom_channel_ref ref;
        carom_status status = carom_simulation_find_channel(sim, s->channels[k], &ref);
        const carom_place place = channel_place(s, s->channels[k]);
        if (status == CAROM_ERROR_USAGE) {
            char text[512];
            snprintf(text, sizeof text, "%.500s", carom_context_error(s->arena.ctx));
            const char *remedy = strchr(text, '?') ? "" : "; `carom plot RESULT --list` names those of a run";
            return carom_fail(s->arena.ctx, CAROM_ERROR_MODEL, &place, "%s%s", text, remedy);
        }
        if (status != CAROM_OK)
            return status;
        if (ref.size != 1)
            return carom_study_fail(s->arena.ctx, &place, "'%s' is a vector; name a component, such as '%s.x'",
                                    s->channels[k], s->channels[k]);
        units[k] = ref.unit;
    }
    return find_bases(s, sim);
}

static bool names_contact(const carom_spec *spec, const char *contact)
{
    for (size_t k = 0; k < spec->contact_count; k++) {
        const char *name = spec->contacts[k].name;
        const size_t length = strlen(name);
        /* of a contact set NAME.SHAPE-SHAPE, of a joint with clearance its own */
        if (strncmp(name, contact, length) == 0 && (contact[length] == '\0' || contact[length] == '.'))
            return true;
    }
    for (size_t k = 0; k < spec->joint_count; k++)
        if (strncmp(spec->joints[k].name, contact, strlen(spec->joints[k].name)) == 0)
            return true;
    return false;
}

static carom_status check_contacts(carom_study *s, const carom_spec *spec, const carom_study_item *item,
                                   const carom_program *p)
{
    carom_context *ctx = s->arena.ctx;
    for (size_t k = 0; k < p->leaf_count; k++) {
        const carom_leaf *leaf = &p->leaves[k];
        if (leaf->contact && !names_contact(spec, leaf->contact)) {
            carom_place place = item->place;
            place.column += (int)leaf->at;
            const char **names = carom_arena_alloc(&s->arena, spec->contact_count + 1, sizeof *names);
            if (!names)
                return carom_fail_memory(ctx);
            for (size_t i = 0; i < spec->contact_count; i++)
                names[i] = spec->contacts[i].name;
            return carom_fail_unknown(ctx, &place, s->model, "contact", leaf->contact, names, spec->contact_count);
        }
        if (leaf->body)
            CAROM_TRY(check_contacts(s, spec, item, leaf->body));
        for (size_t i = 0; i < leaf->argument_count; i++)
            CAROM_TRY(check_contacts(s, spec, item, leaf->arguments[i]));
    }
    return CAROM_OK;
}

/* Units of the parameters, and of the quantities from those of what they read. */
static carom_status find_units(carom_study *s, const carom_spec *spec, const char *const *channel_units)
{
    carom_arena arena;
    carom_arena_init(&arena, s->arena.ctx);
    const char **units = carom_arena_alloc(&arena, s->name_count + 1, sizeof *units);
    carom_status status = units ? CAROM_OK : carom_fail_memory(s->arena.ctx);
    for (size_t k = 0; k < spec->parameter_count && status == CAROM_OK; k++) {
        const carom_parameter_def *p = &spec->parameters[k];
        for (size_t i = 0; i < s->name_count; i++)
            if (strcmp(s->names[i], p->name) == 0)
                units[i] = p->unit;
        for (size_t i = 0; i < s->side_count; i++)
            if (p->unit && strcmp(s->sides[i].name, p->name) == 0 &&
                !(s->sides[i].unit = carom_arena_text(&s->arena, p->unit)))
                status = carom_fail_memory(s->arena.ctx);
    }
    if (status == CAROM_OK)
        status = carom_study_compile_items(s, &arena, channel_units, units, false);
    carom_arena_free(&arena);
    return status;
}

/* *refused: the model does not take the values, which says nothing of the study. */
static carom_status check_motion(carom_study *s, const carom_spec *spec, const carom_model *model, bool *refused)
{
    carom_context *ctx = s->arena.ctx;
    const carom_run_def given = *carom_model_get_run(model, 0);
    carom_run_def run = carom_study_run_def(s, &given);
    carom_simulation_def def = carom_default_simulation_def();
    carom_simulation *sim = NULL;
    run.channels = given.channels;
    run.channel_count = 0;
    def.run_def = &run;
    carom_status status = carom_simulation_create(ctx, model, &def, &sim);
    *refused = status != CAROM_OK;
    CAROM_TRY(status);
    const char **units = carom_arena_alloc(&s->arena, s->channel_count + 1, sizeof *units);
    status = units ? check_channels(s, sim, units) : carom_fail_memory(ctx);
    if (status == CAROM_OK)
        status = find_units(s, spec, units);
    carom_simulation_free(sim);
    return status;
}

static bool reads_type(const carom_program *p, carom_leaf_type first, carom_leaf_type last)
{
    for (size_t k = 0; k < p->leaf_count; k++)
        if ((p->leaves[k].type >= first && p->leaves[k].type <= last) ||
            (p->leaves[k].type == CAROM_LEAF_REDUCTION && first <= CAROM_LEAF_LEDGER))
            return true;
    return false;
}

/* A motion has channels and impacts, another analysis has numbers and tables. */
static carom_status check_kind(carom_study *s, const carom_run_def *run)
{
    const bool moves = carom_run_moves(run);
    const char *analysis = run->analysis ? run->analysis : "dynamics";
    for (size_t k = 0; k < s->item_count; k++) {
        const carom_study_item *item = &s->items[k];
        if (moves && reads_type(item->program, CAROM_LEAF_VALUE, CAROM_LEAF_CELL))
            return carom_study_fail(s->arena.ctx, &item->place,
                                    "quantity '%s': analysis %s is a motion, with channels and impacts, not numbers "
                                    "and tables",
                                    item->name, analysis);
        if (!moves && reads_type(item->program, CAROM_LEAF_CHANNEL, CAROM_LEAF_LEDGER))
            return carom_study_fail(s->arena.ctx, &item->place,
                                    "quantity '%s': analysis %s is no motion; it has value.NAME and TABLE[1].COLUMN, "
                                    "which `carom explain %s` lists",
                                    item->name, analysis, analysis);
    }
    return CAROM_OK;
}

static carom_status check_document(carom_study *s, const carom_document *document, bool *refused)
{
    carom_context *ctx = s->arena.ctx;
    const carom_spec *spec = carom_document_spec(document);
    carom_model *model = NULL;
    if (spec->run_count != 1)
        return carom_fail(ctx, CAROM_ERROR_USAGE, NULL, "a study takes a model with one run; '%s' has %zu", s->model,
                          spec->run_count);
    for (size_t k = 0; k < s->item_count; k++)
        CAROM_TRY(check_contacts(s, spec, &s->items[k], s->items[k].program));
    CAROM_TRY(check_kind(s, &spec->runs[0]));
    carom_status status = carom_model_compile(ctx, spec, &model);
    *refused = status != CAROM_OK;
    CAROM_TRY(status);
    if (!carom_run_moves(&spec->runs[0]))
        s->analysis = carom_analysis_kind_find(spec->runs[0].analysis);
    status = carom_run_moves(&spec->runs[0]) ? check_motion(s, spec, model, refused) : find_units(s, spec, NULL);
    carom_model_free(model);
    return status;
}

/* What came of the values that were tried. */
typedef struct trial {
    bool checked;                       /* a model that takes the values has what the quantities name */
    char refused[CAROM_ERROR_TEXT / 2]; /* by the first model that does not; "": none */
} trial;

/* Tries values as try_value(). A model that refuses them is kept in mind: it may take others. Errors: of the study. */
static carom_status try_model(carom_study *s, size_t own, size_t which, double within, trial *t)
{
    carom_context *ctx = s->arena.ctx;
    carom_document *document = NULL;
    carom_status status = try_value(s, own, which, within, &document);
    bool refused = status == CAROM_ERROR_MODEL || status == CAROM_ERROR_SOLVER;
    if (status == CAROM_ERROR_USAGE)
        return blame(s, own);
    if (status == CAROM_OK && !t->checked) {
        status = check_document(s, document, &refused);
        t->checked = status == CAROM_OK;
    }
    carom_document_free(document);
    if (status == CAROM_OK || !refused || status == CAROM_ERROR_MEMORY || status == CAROM_ERROR_IO)
        return status;
    if (!t->refused[0])
        snprintf(t->refused, sizeof t->refused, "%.*s", (int)sizeof t->refused - 1, carom_context_error(ctx));
    return CAROM_OK;
}

carom_status carom_study_check(carom_context *ctx, carom_study *s)
{
    static const double within[] = {0.5, 0.25, 0.75, 0.125, 0.375, 0.625, 0.875};
    CAROM_NEED(ctx, ctx);
    CAROM_NEED_AS(ctx, s, "study");
    if (!s->model)
        return CAROM_OK;
    trial t = {.checked = false};
    for (size_t k = 0; k < s->side_count; k++)
        for (size_t i = k > 0; i < tried_count(&s->sides[k]); i++)
            CAROM_TRY(try_model(s, k, i, 0, &t));
    for (size_t k = 0; k < CAROM_COUNT(within) && !t.checked; k++)
        CAROM_TRY(try_model(s, 0, 0, within[k], &t));
    return t.checked ? CAROM_OK : carom_fail(ctx, CAROM_ERROR_MODEL, NULL, "%s", t.refused);
}
