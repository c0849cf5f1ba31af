/* JSON Schema (draft 2020-12) of the model file for editors: it completes keys and names of kinds and shows what they
   mean. It accepts every right model; that a model is right is for `carom check` to say. */
#include "carom/explain.h"
#include "law/normal_law.h"
#include "spec/keys.h"

#include <stdio.h>
#include <string.h>

/* ---- JSON ---- */

static void write_string(carom_text *out, const char *text)
{
    carom_text_append(out, "\"");
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\')
            carom_text_append(out, "\\%c", c);
        else if (c < 0x20)
            carom_text_append(out, "\\u%04x", c);
        else
            carom_text_append(out, "%c", c);
    }
    carom_text_append(out, "\"");
}

static void write_ref(carom_text *out, const char *definition)
{
    carom_text_append(out, "\"$ref\": \"#/$defs/%s\"", definition);
}

/* ---- types ---- */

static void write_list(carom_text *out, const char *words, char separator, bool first)
{
    for (const char *word = words; word; first = false) {
        const char *end = strchr(word, separator);
        size_t length = end ? (size_t)(end - word) : strlen(word);
        carom_text_append(out, "%s\"%.*s\"", first ? "" : ", ", (int)length, word);
        word = end ? end + 1 : NULL;
    }
}

/* Words of an enumeration, separated by `separator`, and former ones (NULL: none). Text parameters may stand for any of
   them. */
static void write_words(carom_text *out, const char *words, const char *former, char separator)
{
    carom_text_append(out, "\"anyOf\": [{\"enum\": [");
    write_list(out, words, separator, true);
    write_list(out, former, separator, false);
    carom_text_append(out, "]}, {\"$ref\": \"#/$defs/reference\"}]");
}

static void write_kinds(carom_text *out, carom_family family, bool number)
{
    bool first = true;
    carom_text_append(out, "\"anyOf\": [{\"enum\": [");
    for (size_t k = 0; k < carom_kind_count(out->ctx, family); k++) {
        const carom_kind *kind = carom_kind_at(out->ctx, family, k);
        carom_text_append(out, "%s\"%s\"", first ? "" : ", ", kind->name);
        first = false;
        for (const char *alias = kind->aliases; alias && *alias;) {
            size_t length = strcspn(alias, " ");
            carom_text_append(out, ", \"%.*s\"", (int)length, alias);
            alias += length + strspn(alias + length, " ");
        }
    }
    carom_text_append(out, "]}, {\"$ref\": \"#/$defs/%s\"}]", number ? "number" : "reference");
}

/* A definition that `key` refers to, or NULL if it is written in place. */
static const char *definition_of(carom_key_type type)
{
    switch (type) {
    case CAROM_KEY_INTEGER:
    case CAROM_KEY_COPIES:
    case CAROM_KEY_NUMBER:
    case CAROM_KEY_NUMBER_VALUE:
    case CAROM_KEY_TIME_VALUE:
    case CAROM_KEY_STATE_VALUE:
        return "number";
    case CAROM_KEY_TEXT:
        return "text";
    case CAROM_KEY_NAME:
        return "name";
    case CAROM_KEY_VECTOR:
    case CAROM_KEY_VECTOR_VALUE:
        return "vector";
    case CAROM_KEY_VECTOR3:
    case CAROM_KEY_SPIN:
    case CAROM_KEY_INERTIA:
        return "numbers";
    case CAROM_KEY_ORIENTATION:
    case CAROM_KEY_ORIENTATION_VALUE:
        return "any_orientation";
    case CAROM_KEY_FRAME:
        return "frame_reference";
    case CAROM_KEY_FRAME_PAIR:
        return "frame_pair";
    case CAROM_KEY_NAME_PAIR:
        return "name_pair";
    case CAROM_KEY_TEXTS:
    case CAROM_KEY_SHAPE_NAMES:
        return "texts";
    case CAROM_KEY_EXCEPTIONS:
        return "text_pairs";
    case CAROM_KEY_YES:
        return "yes";
    case CAROM_KEY_ACTIONS:
        return "actions";
    case CAROM_KEY_PARAMETERS:
        return "parameters";
    case CAROM_KEY_SPLINES:
        return "splines";
    case CAROM_KEY_POINTS:
        return "point_list";
    case CAROM_KEY_NUMBERS:
        return "numbers";
    default:
        return NULL;
    }
}

static void write_type(carom_text *out, const carom_key *key)
{
    const char *definition = definition_of(key->type);
    const carom_object_row *element = carom_object_get(key->element);
    if (definition)
        write_ref(out, definition);
    else if (key->type == CAROM_KEY_VERSION)
        carom_text_append(out, "\"const\": %g", key->low);
    else if (key->type == CAROM_KEY_WORD)
        write_words(out, key->choices, key->former, ' ');
    else if (key->type == CAROM_KEY_KIND)
        write_kinds(out, key->family, key->object == CAROM_OBJECT_NORMAL && strcmp(key->name, "damping") == 0);
    else if (key->type == CAROM_KEY_MAP)
        carom_text_append(out, "\"type\": \"object\", \"additionalProperties\": {\"$ref\": \"#/$defs/%s\"}",
                          element->name);
    else if (key->type == CAROM_KEY_LIST)
        carom_text_append(out,
                          "\"anyOf\": [{\"$ref\": \"#/$defs/%s\"}, {\"type\": \"array\", \"minItems\": 1, \"items\": "
                          "{\"$ref\": \"#/$defs/%s\"}}]",
                          element->name, element->name);
    else
        write_ref(out, element->name);
}

/* ---- objects ---- */

/* Name, description and type of a property; a comma before all but the first. */
static void write_key(carom_text *out, const carom_key *key, bool first)
{
    char text[600];
    bool unit = key->unit && strcmp(key->unit, "-") != 0;
    snprintf(text, sizeof text, "%s%s%s%s%s%s", key->sentence, unit ? " [" : "", unit ? key->unit : "", unit ? "]" : "",
             key->otherwise || key->word ? " Default: " : "",
             key->otherwise ? key->otherwise
             : key->word    ? key->word
                            : "");
    carom_text_append(out, "%s\n        \"%s\": {\"description\": ", first ? "" : ",", key->name);
    write_string(out, text);
    carom_text_append(out, ", ");
    write_type(out, key);
    carom_text_append(out, "}");
    if (!key->alias)
        return;
    carom_text_append(out, ",\n        \"%s\": {\"description\": \"Former name of %s.\", \"deprecated\": true, ", key->alias,
                      key->name);
    write_type(out, key);
    carom_text_append(out, "}");
}

/* What a parameter takes: a name of the model, one of some words, a number, or a list. */
typedef enum param_type { TYPE_NAME, TYPE_WORDS, TYPE_NUMBER, TYPE_NUMBERS, TYPE_POINTS, TYPE_OUTLINE } param_type;

static param_type type_of(const carom_param_row *row)
{
    if (row->flags & (CAROM_PARAM_SPLINE | CAROM_PARAM_FRAME))
        return TYPE_NAME;
    if (row->flags & CAROM_PARAM_TEXT)
        return TYPE_WORDS;
    if (row->flags & (CAROM_PARAM_POINTS | CAROM_PARAM_OUTLINE))
        return row->flags & CAROM_PARAM_POINTS ? TYPE_POINTS : TYPE_OUTLINE;
    return row->size == 1 ? TYPE_NUMBER : TYPE_NUMBERS;
}

/* Do the kinds of a family take the same under the name of the row? */
static bool is_uniform(const carom_text *out, carom_family family, const carom_param_row *row)
{
    for (size_t k = 0; k < carom_kind_count(out->ctx, family); k++) {
        const carom_kind *kind = carom_kind_at(out->ctx, family, k);
        for (int p = 0; p < kind->param_count; p++) {
            const carom_param_row *other = &kind->params[p];
            if (strcmp(other->name, row->name) == 0 &&
                (type_of(other) != type_of(row) || (type_of(row) == TYPE_WORDS && strcmp(other->unit, row->unit) != 0)))
                return false;
        }
    }
    return true;
}

/* `uniform`: no other kind takes something else under the same name; `first`: no property stands before it. */
static void write_row(carom_text *out, const carom_param_row *row, const char *owner, bool uniform, bool first)
{
    char text[600];
    bool word = (row->flags & CAROM_PARAM_TEXT) != 0;
    snprintf(text, sizeof text, "%s: %s%s%s%s", owner, row->sentence, word ? "" : " [", word ? "" : row->unit,
             word ? "" : "]");
    carom_text_append(out, "%s\n        \"%s\": {\"description\": ", first ? "" : ",", row->name);
    write_string(out, text);
    carom_text_append(out, ", ");
    param_type type = type_of(row);
    if (!uniform || type == TYPE_NUMBERS)
        write_ref(out, "numbers");
    else if (type == TYPE_POINTS)
        write_ref(out, "point_list");
    else if (type == TYPE_OUTLINE)
        carom_text_append(out, "\"type\": \"array\", \"minItems\": 1, \"items\": {\"$ref\": \"#/$defs/piece\"}");
    else if (type == TYPE_WORDS)
        write_words(out, row->unit, NULL, '|');
    else
        write_ref(out, type == TYPE_NAME ? "name" : "number");
    carom_text_append(out, "}");
}

/* Parameters of a mapping: those of all kinds of its families, each name once. */
typedef struct param_list {
    const char *names[160];
    size_t count;
} param_list;

static void write_new_row(carom_text *out, param_list *list, carom_object object, const carom_param_row *row,
                          const char *owner, bool uniform)
{
    for (size_t k = 0; k < list->count; k++)
        if (strcmp(list->names[k], row->name) == 0)
            return;
    if (carom_key_find(object, row->name) || list->count == CAROM_COUNT(list->names))
        return;
    size_t keys;
    carom_keys_of(object, &keys);
    write_row(out, row, owner, uniform, !keys && !list->count);
    list->names[list->count++] = row->name;
}

static void write_params(carom_text *out, carom_object object)
{
    const carom_object_row *row = carom_object_get(object);
    param_list list = {.count = 0};
    carom_family families[2] = {row->family, row->family};
    int family_count = row->has_family ? 1 : 0;
    size_t count = 0;
    const carom_param_row *rows = NULL;
    if (object == CAROM_OBJECT_NORMAL) {
        families[0] = CAROM_FAMILY_ELASTIC;
        families[1] = CAROM_FAMILY_DAMPING;
        family_count = 2;
        rows = carom_normal_params(&count);
    } else if (object == CAROM_OBJECT_JOINT) {
        rows = carom_axis_params(&count);
    }
    for (size_t k = 0; k < count; k++)
        write_new_row(out, &list, object, &rows[k], object == CAROM_OBJECT_JOINT ? "joint with an axis" : "every law",
                      true);
    for (int f = 0; f < family_count; f++) {
        for (size_t k = 0; k < carom_kind_count(out->ctx, families[f]); k++) {
            const carom_kind *kind = carom_kind_at(out->ctx, families[f], k);
            if (row->kind && strcmp(row->kind, kind->name) != 0)
                continue;
            for (int p = 0; p < kind->param_count; p++)
                write_new_row(out, &list, object, &kind->params[p], kind->name,
                              object == CAROM_OBJECT_NORMAL || row->kind || is_uniform(out, families[f], &kind->params[p]));
        }
    }
    if (object == CAROM_OBJECT_LOAD) {
        rows = carom_axis_params(&count);
        write_new_row(out, &list, object, &rows[0], "load with an axis", true);
    }
}

/* The mapping of an object: its keys, its parameters, and no others. */
static void write_mapping(carom_text *out, carom_object object)
{
    size_t count;
    const carom_key *keys = carom_keys_of(object, &count);
    bool first = true;
    carom_text_append(out, "\"type\": \"object\",\n      \"additionalProperties\": false,\n      \"required\": [");
    for (size_t k = 0; k < count; k++) {
        if (!(keys[k].flags & CAROM_KEY_REQUIRED))
            continue;
        carom_text_append(out, "%s\"%s\"", first ? "" : ", ", keys[k].name);
        first = false;
    }
    carom_text_append(out, "],\n      \"properties\": {");
    for (size_t k = 0; k < count; k++)
        write_key(out, &keys[k], k == 0);
    write_params(out, object);
    carom_text_append(out, "\n      }");
}

static void write_definition(carom_text *out, carom_object object)
{
    const carom_object_row *row = carom_object_get(object);
    carom_text_append(out, ",\n    \"%s\": {\n      \"description\": ", row->name);
    write_string(out, row->sentence);
    carom_text_append(out, ",\n      ");
    if (row->shorthand) {
        carom_text_append(out, "\"anyOf\": [{");
        write_type(out, carom_key_find(object, row->shorthand));
        carom_text_append(out, "}, {");
        write_mapping(out, object);
        carom_text_append(out, "}]");
    } else {
        write_mapping(out, object);
    }
    carom_text_append(out, "\n    }");
}

/* Types that are no mappings of the table. */
static const char basic_definitions[] =
    "    \"reference\": {\"type\": \"string\", \"pattern\": \"^\\\\$[A-Za-z][A-Za-z0-9_]*$\"},\n"
    "    \"number\": {\"description\": \"A number or an expression.\", \"type\": [\"number\", \"string\"]},\n"
    "    \"text\": {\"type\": [\"string\", \"number\", \"boolean\", \"null\"]},\n"
    "    \"name\": {\"type\": [\"string\", \"boolean\", \"null\"]},\n"
    "    \"vector\": {\"type\": \"array\", \"minItems\": 2, \"maxItems\": 3, \"items\": {\"$ref\": "
    "\"#/$defs/number\"}},\n"
    "    \"numbers\": {\"anyOf\": [{\"$ref\": \"#/$defs/number\"}, {\"type\": \"array\", \"items\": {\"$ref\": "
    "\"#/$defs/number\"}}]},\n"
    "    \"any_orientation\": {\"anyOf\": [{\"$ref\": \"#/$defs/numbers\"}, {\"$ref\": \"#/$defs/orientation\"}]},\n"
    "    \"frame_reference\": {\"anyOf\": [{\"$ref\": \"#/$defs/name\"}, {\"type\": \"object\", \"minProperties\": 1, "
    "\"maxProperties\": 1, \"additionalProperties\": {\"$ref\": \"#/$defs/vector\"}}]},\n"
    "    \"frame_pair\": {\"type\": \"array\", \"minItems\": 2, \"maxItems\": 2, \"items\": {\"$ref\": "
    "\"#/$defs/frame_reference\"}},\n"
    "    \"name_pair\": {\"type\": \"array\", \"minItems\": 2, \"maxItems\": 2, \"items\": {\"$ref\": "
    "\"#/$defs/name\"}},\n"
    "    \"texts\": {\"anyOf\": [{\"$ref\": \"#/$defs/text\"}, {\"type\": \"array\", \"items\": {\"$ref\": "
    "\"#/$defs/text\"}}]},\n"
    "    \"yes\": {\"anyOf\": [{\"type\": \"boolean\"}, {\"enum\": [\"yes\", \"no\"]}, {\"$ref\": "
    "\"#/$defs/reference\"}]},\n"
    "    \"action\": {\"anyOf\": [{\"const\": \"stop\"}, {\"type\": \"object\", \"additionalProperties\": false, "
    "\"minProperties\": 1, \"properties\": {\"lock\": {\"$ref\": \"#/$defs/texts\"}, \"unlock\": {\"$ref\": "
    "\"#/$defs/texts\"}, \"switch-off\": {\"$ref\": \"#/$defs/texts\"}, \"switch-on\": {\"$ref\": "
    "\"#/$defs/texts\"}, \"set\": {\"type\": \"object\", \"additionalProperties\": {\"$ref\": "
    "\"#/$defs/number\"}}}}]},\n"
    "    \"actions\": {\"anyOf\": [{\"$ref\": \"#/$defs/action\"}, {\"type\": \"array\", \"minItems\": 1, \"items\": "
    "{\"$ref\": \"#/$defs/action\"}}]},\n"
    "    \"text_pairs\": {\"type\": \"array\", \"items\": {\"type\": \"array\", \"minItems\": 2, \"maxItems\": 2, "
    "\"items\": {\"$ref\": \"#/$defs/text\"}}},\n"
    "    \"parameters\": {\"type\": \"object\", \"additionalProperties\": {\"type\": [\"number\", \"string\", "
    "\"boolean\", \"null\"]}},\n"
    "    \"point_list\": {\"type\": \"array\", \"minItems\": 2, \"items\": {\"$ref\": \"#/$defs/vector\"}},\n"
    "    \"points\": {\"type\": \"array\", \"minItems\": 3, \"items\": {\"$ref\": \"#/$defs/vector\"}},\n"
    "    \"splines\": {\"type\": \"object\", \"additionalProperties\": {\"anyOf\": [{\"$ref\": \"#/$defs/points\"}, "
    "{\"type\": \"object\", \"additionalProperties\": false, \"required\": [\"points\"], \"properties\": {\"points\": "
    "{\"$ref\": \"#/$defs/points\"}, \"ends\": {\"anyOf\": [{\"enum\": [\"natural\", \"clamped\", \"periodic\"]}, "
    "{\"$ref\": \"#/$defs/reference\"}]}, \"slopes\": {\"$ref\": \"#/$defs/vector\"}}}]}}";

carom_status carom_json_schema(carom_context *ctx, char **out)
{
    carom_text text = {.ctx = ctx};
    carom_text_append(&text, "{\n    \"$schema\": \"https://json-schema.org/draft/2020-12/schema\",\n"
                             "    \"title\": \"Carom model file\",\n    ");
    write_mapping(&text, CAROM_OBJECT_MODEL);
    carom_text_append(&text, ",\n    \"$defs\": {\n%s", basic_definitions);
    for (int object = CAROM_OBJECT_MODEL + 1; object < CAROM_OBJECT_COUNT; object++)
        write_definition(&text, (carom_object)object);
    carom_text_append(&text, "\n    }\n}\n");
    return carom_text_finish(&text, out);
}
