/* Pages of the words of model files and results: keys, channels, columns of tables and terms of the ledger, from the
   tables that these are read and written by. */
#include "base/fields.h"
#include "describe/describe.h"
#include "expr/expr.h"
#include "law/normal_law.h"
#include "sim/record/channels.h"
#include "spec/keys.h"

#include <stdio.h>
#include <string.h>

/* Whether the last parts of `path`, whose parts NAME, BODY and FRAME stand for any, are those of `name`, the first of
   which stands for itself. */
static bool ends_as(const char *path, const char *name)
{
    size_t parts = 1, named = 1;
    for (const char *c = path; *c; c++)
        parts += *c == '.';
    for (const char *c = name; *c; c++)
        named += *c == '.';
    if (named > parts)
        return false;
    for (size_t k = named; k < parts; k++)
        path = strchr(path, '.') + 1;
    for (bool first = true;; first = false) {
        const size_t length = strcspn(path, "."), own = strcspn(name, ".");
        const bool any = !first && (strncmp(path, "NAME", length) == 0 || strncmp(path, "BODY", length) == 0 ||
                                    strncmp(path, "FRAME", length) == 0);
        if (!own || (!any && (length != own || memcmp(path, name, own) != 0)))
            return false;
        if (!path[length])
            return true;
        path += length + 1;
        name += own + 1;
    }
}

static void begin_page(carom_text *out, bool *found)
{
    carom_text_append(out, "%s", *found ? "\n" : "");
    *found = true;
}

/* ---- keys ---- */

static void range_text(carom_text *out, const carom_key *key)
{
    const bool low = (key->flags & (CAROM_KEY_LOW | CAROM_KEY_ABOVE)) != 0;
    const bool high = (key->flags & (CAROM_KEY_HIGH | CAROM_KEY_BELOW)) != 0;
    if (low)
        carom_text_append(out, ", %s %g", key->flags & CAROM_KEY_ABOVE ? ">" : ">=", key->low);
    if (high)
        carom_text_append(out, ", %s %g", key->flags & CAROM_KEY_BELOW ? "<" : "<=", key->high);
    if (key->flags & (CAROM_KEY_2D | CAROM_KEY_3D))
        carom_text_append(out, ", in %s only", key->flags & CAROM_KEY_2D ? "the plane" : "space");
}

/* "number [s], > 0, required" */
static void key_line(carom_text *out, const carom_key *key)
{
    if (key->type == CAROM_KEY_KIND)
        carom_text_append(out, "one of `carom list %ss`", carom_family_name(key->family));
    else
        carom_text_append(out, "%s", carom_key_type_text(key->type));
    if (key->unit && *key->unit)
        carom_text_append(out, " [%s]", key->unit);
    if (key->type == CAROM_KEY_WORD)
        carom_text_append(out, ": %s", key->choices);
    range_text(out, key);
    if (key->flags & CAROM_KEY_REQUIRED)
        carom_text_append(out, ", required");
    else if (key->word)
        carom_text_append(out, ", default %s", key->word);
    else if (key->flags & CAROM_KEY_DEFAULT)
        carom_text_append(out, ", default %g", key->default_value);
    else if (key->otherwise)
        carom_text_append(out, ", default %s", key->otherwise);
    carom_text_append(out, "\n");
}

static void key_page(carom_text *out, const carom_object_row *object, const carom_key *key, bool *found)
{
    const bool top = strcmp(object->path, "top level") == 0;
    begin_page(out, found);
    carom_text_append(out, "%s%s%s (key of the model file)\n", top ? "" : object->path, top ? "" : ".", key->name);
    carom_describe_paragraph(out, 2, key->description);
    carom_text_append(out, "  takes: ");
    key_line(out, key);
}

/* The keys of a mapping. */
static void object_page(carom_text *out, carom_object object, bool *found)
{
    size_t count;
    const carom_object_row *row = carom_object_get(object);
    const carom_key *keys = carom_keys_of(object, &count);
    begin_page(out, found);
    carom_text_append(out, "%s (mapping of the model file)\n", row->path);
    carom_describe_paragraph(out, 2, row->description);
    if (row->kind)
        carom_text_append(out, "  its keys are the parameters of `carom explain %s`\n", row->kind);
    for (size_t k = 0; k < count; k++) {
        carom_text_append(out, "  %-18s ", keys[k].name);
        key_line(out, &keys[k]);
    }
}

/* Of a mapping that stands for a kind: a parameter of it. */
static void find_own_parameters(carom_text *out, const carom_object_row *row, const char *name, bool *found)
{
    const carom_kind *kind = row->kind ? carom_kind_find(out->ctx, row->family, row->kind) : NULL;
    for (int k = 0; kind && k < kind->param_count; k++) {
        char path[192];
        snprintf(path, sizeof path, "%s.%s", row->path, kind->params[k].name);
        if (!ends_as(path, name) || !strchr(name, '.'))
            continue;
        begin_page(out, found);
        carom_text_append(out, "%s (key of the model file)\n", path);
        carom_describe_paragraph(out, 2, kind->params[k].description);
        carom_text_append(out, "  takes: number [%s]; `carom explain %s` has its range\n", kind->params[k].unit,
                          kind->name);
    }
}

/* The mapping that the word ends, "bodies" or "run.output"; else the keys. */
static void find_keys(carom_text *out, const char *name, bool *found)
{
    for (int object = 0; object < CAROM_OBJECT_COUNT; object++) {
        char path[128];
        const carom_object_row *row = carom_object_get((carom_object)object);
        snprintf(path, sizeof path, "%s", row->path);
        if (ends_as(path, name) && strcmp(path, "top level") != 0) {
            object_page(out, (carom_object)object, found);
            continue;
        }
        char *last = strrchr(path, '.');
        if (last && strcmp(last, ".NAME") == 0)
            *last = '\0';
        if (strcmp(path, name) == 0)
            object_page(out, (carom_object)object, found);
    }
    for (int object = 0; object < CAROM_OBJECT_COUNT && !*found; object++) {
        size_t count;
        const carom_object_row *row = carom_object_get((carom_object)object);
        const carom_key *keys = carom_keys_of((carom_object)object, &count);
        for (size_t k = 0; k < count; k++) {
            char path[192];
            snprintf(path, sizeof path, "%s.%s", row->path, keys[k].name);
            if (ends_as(path, name))
                key_page(out, row, &keys[k], found);
        }
        find_own_parameters(out, row, name, found);
    }
}

/* ---- parameters of kinds ---- */

static void parameter_line(carom_text *out, const carom_param_row *row, const char *of, bool *found, bool *begun)
{
    if (!*begun)
        begin_page(out, found);
    if (!*begun)
        carom_text_append(out, "%s (parameter)\n", row->name);
    *begun = true;
    carom_text_append(out, "  of %s [%s]:\n", of, row->unit);
    carom_describe_paragraph(out, 4, row->description);
}

/* By their names alone: they stand in the mapping of their kind. */
static void find_parameters(carom_text *out, const char *name, bool *found)
{
    size_t count;
    bool begun = false;
    const char *last = strrchr(name, '.');
    const carom_param_row *rows = carom_normal_params(&count);
    if (last && strncmp(name, "contacts.", 9) != 0)
        return;
    last = last ? last + 1 : name;
    for (size_t k = 0; k < count; k++)
        if (strcmp(rows[k].name, last) == 0)
            parameter_line(out, &rows[k], "every normal force", found, &begun);
    for (int family = 0; family < CAROM_FAMILY_COUNT; family++)
        for (size_t i = 0; i < carom_kind_count(out->ctx, (carom_family)family); i++) {
            const carom_kind *kind = carom_kind_at(out->ctx, (carom_family)family, i);
            for (int k = 0; k < kind->param_count; k++) {
                char of[96];
                snprintf(of, sizeof of, "%s %s", carom_family_name((carom_family)family), kind->name);
                if (strcmp(kind->params[k].name, last) == 0)
                    parameter_line(out, &kind->params[k], of, found, &begun);
            }
        }
}

/* ---- channels ---- */

static void channel_page(carom_text *out, const char *path, const carom_quantity_group *g, const carom_quantity *q,
                         bool *found)
{
    const char *unit = g->unit ? g->unit : q->unit;
    begin_page(out, found);
    carom_text_append(out, "%s (channel) [%s]\n", path, unit);
    if (*g->which)
        carom_text_append(out, "  %s:\n", g->which);
    carom_describe_paragraph(out, 2, q->description);
    if (q->size_3d > 1 || q->size_2d > 1)
        carom_text_append(out, "  numbers: %d in the plane, %d in space\n", q->size_2d, q->size_3d);
}

static void find_channels(carom_text *out, const char *name, bool *found)
{
    char path[160];
    for (const carom_quantity_group *const *list = carom_channel_lists; *list; list++)
        for (const carom_quantity_group *g = *list; g->type; g++)
            for (size_t k = 0; k < g->count; k++) {
                carom_channel_pattern(g, &g->quantities[k], path, sizeof path);
                if (ends_as(path, name))
                    channel_page(out, path, g, &g->quantities[k], found);
            }
}

/* ---- columns and terms ---- */

static void find_fields(carom_text *out, const char *table, const char *title, const carom_field *fields, size_t count,
                        const char *name, bool *found)
{
    for (size_t k = 0; k < count; k++) {
        char path[96];
        snprintf(path, sizeof path, "%s.%s", table, fields[k].name);
        if (!ends_as(path, name))
            continue;
        begin_page(out, found);
        carom_text_append(out, "%s (%s)%s%s%s\n", path, title, *fields[k].unit ? " [" : "", fields[k].unit,
                          *fields[k].unit ? "]" : "");
        carom_describe_paragraph(out, 2, fields[k].description);
    }
}

/* Functions of expressions. */
static void find_functions(carom_text *out, const char *name, bool *found)
{
    size_t count;
    const carom_expr_word *words = carom_expr_words(&count);
    for (size_t k = 0; k < count; k++) {
        if (!words[k].is_function || strcmp(words[k].name, name) != 0)
            continue;
        begin_page(out, found);
        carom_text_append(out, "%s (function in expressions)\n", words[k].signature);
        carom_describe_paragraph(out, 2, words[k].description);
        carom_text_append(out, "  `carom explain expressions` has them all.\n");
    }
}

bool carom_word_page(carom_text *out, const char *name)
{
    bool found = false;
    find_functions(out, name, &found);
    find_keys(out, name, &found);
    find_parameters(out, name, &found);
    find_channels(out, name, &found);
    find_fields(out, "impacts", "column of the table of impacts", carom_impact_field, CAROM_IMPACT_FIELDS, name,
                &found);
    find_fields(out, "rests", "column of the table of rests", carom_rest_field, CAROM_REST_FIELDS, name, &found);
    find_fields(out, "ledger", "term of the energy ledger", carom_ledger_field, CAROM_LEDGER_FIELDS, name, &found);
    return found;
}

/* ---- near words ---- */

/* The nearer of two to the name, NULL: none is near. */
static const char *nearer(const char *name, const char *best, const char *word)
{
    const char *both[] = {best, word};
    return carom_nearest_name(name, best ? both : &word, best ? 2 : 1);
}

const char *carom_word_nearest(const char *name)
{
    const char *last = strrchr(name, '.'), *best = NULL;
    last = last ? last + 1 : name;
    for (int object = 0; object < CAROM_OBJECT_COUNT; object++) {
        size_t count;
        const carom_key *keys = carom_keys_of((carom_object)object, &count);
        for (size_t k = 0; k < count; k++)
            best = nearer(last, best, keys[k].name);
    }
    size_t params;
    const carom_param_row *rows = carom_normal_params(&params);
    for (size_t k = 0; k < params; k++)
        best = nearer(last, best, rows[k].name);
    for (const carom_quantity_group *const *list = carom_channel_lists; *list; list++)
        for (const carom_quantity_group *g = *list; g->type; g++)
            for (size_t k = 0; k < g->count; k++)
                best = nearer(last, best, g->quantities[k].name);
    for (size_t k = 0; k < CAROM_IMPACT_FIELDS; k++)
        best = nearer(last, best, carom_impact_field[k].name);
    for (size_t k = 0; k < CAROM_LEDGER_FIELDS; k++)
        best = nearer(last, best, carom_ledger_field[k].name);
    size_t words;
    const carom_expr_word *functions = carom_expr_words(&words);
    for (size_t k = 0; k < words; k++)
        if (functions[k].is_function)
            best = nearer(last, best, functions[k].name);
    return best;
}
