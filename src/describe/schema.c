/* JSON Schema (draft 2020-12) of the model file for editors: it completes keys and names of kinds and shows what they
   mean. It accepts every right model; that a model is right is for `carom check` to say. */
#include "base/json.h"
#include "carom/explain.h"
#include "law/normal_law.h"
#include "spec/keys.h"

#include <stdio.h>
#include <string.h>

static const carom_context *context_of(const carom_json *out) { return out->text.ctx; }

static void write_ref(carom_json *out, const char *definition)
{
    char reference[80];
    snprintf(reference, sizeof reference, "#/$defs/%s", definition);
    carom_json_text(out, "$ref", reference);
}

static void write_one_ref(carom_json *out, const char *key, const char *definition)
{
    carom_json_begin(out, key, '{');
    write_ref(out, definition);
    carom_json_end(out, '}');
}

/* ---- types ---- */

static void write_list(carom_json *out, const char *words, char separator)
{
    for (const char *word = words; word && *word;) {
        char copy[80];
        const char *end = strchr(word, separator);
        snprintf(copy, sizeof copy, "%.*s", end ? (int)(end - word) : (int)strlen(word), word);
        if (*copy)
            carom_json_text(out, NULL, copy);
        word = end ? end + 1 : NULL;
    }
}

static void begin_words(carom_json *out)
{
    carom_json_begin(out, "anyOf", '[');
    carom_json_begin(out, NULL, '{');
    carom_json_begin(out, "enum", '[');
}

/* ... or what `definition` says. */
static void end_words(carom_json *out, const char *definition)
{
    carom_json_end(out, ']');
    carom_json_end(out, '}');
    write_one_ref(out, NULL, definition);
    carom_json_end(out, ']');
}

/* Words of an enumeration, separated by `separator`, and former ones (NULL: none). Text parameters may stand for any of
   them. */
static void write_words(carom_json *out, const char *words, const char *former, char separator)
{
    begin_words(out);
    write_list(out, words, separator);
    write_list(out, former, separator);
    end_words(out, "reference");
}

static void write_kinds(carom_json *out, carom_family family, bool number)
{
    begin_words(out);
    for (size_t k = 0; k < carom_kind_count(context_of(out), family); k++) {
        const carom_kind *kind = carom_kind_at(context_of(out), family, k);
        carom_json_text(out, NULL, kind->name);
        write_list(out, kind->aliases, ' ');
    }
    end_words(out, number ? "number" : "reference");
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
    case CAROM_KEY_POINT_FILE:
    case CAROM_KEY_EXPRESSION:
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
    case CAROM_KEY_JOINT_NAMES:
        return "joint_names";
    case CAROM_KEY_TEXTS:
    case CAROM_KEY_COLUMNS:
    case CAROM_KEY_SHAPE_NAMES:
        return "texts";
    case CAROM_KEY_EXCEPTIONS:
        return "text_pairs";
    case CAROM_KEY_YES:
        return "yes";
    case CAROM_KEY_ACTIONS:
        return "actions";
    case CAROM_KEY_FILES:
    case CAROM_KEY_FUNCTIONS:
    case CAROM_KEY_VALUES:
    case CAROM_KEY_PARAMETERS:
        return "parameters";
    case CAROM_KEY_SPLINES:
        return "splines";
    case CAROM_KEY_TRAJECTORIES:
        return "trajectories";
    case CAROM_KEY_POINTS:
        return "point_list";
    case CAROM_KEY_NUMBERS:
        return "numbers";
    default:
        return NULL;
    }
}

/* An array of what a definition says, of one entry at least. */
static void write_array(carom_json *out, const char *definition)
{
    carom_json_text(out, "type", "array");
    carom_json_number(out, "minItems", 1);
    write_one_ref(out, "items", definition);
}

static void write_type(carom_json *out, const carom_key *key)
{
    const char *definition = definition_of(key->type);
    const carom_object_row *element = carom_object_get(key->element);
    if (definition) {
        write_ref(out, definition);
    } else if (key->type == CAROM_KEY_VERSION) {
        carom_json_number(out, "const", key->low);
    } else if (key->type == CAROM_KEY_WORD) {
        write_words(out, key->choices, key->former, ' ');
    } else if (key->type == CAROM_KEY_KIND) {
        write_kinds(out, key->family, key->object == CAROM_OBJECT_NORMAL && strcmp(key->name, "damping") == 0);
    } else if (key->type == CAROM_KEY_MAP) {
        carom_json_text(out, "type", "object");
        write_one_ref(out, "additionalProperties", element->name);
    } else if (key->type == CAROM_KEY_LIST || key->type == CAROM_KEY_INCLUDES) {
        carom_json_begin(out, "anyOf", '[');
        write_one_ref(out, NULL, element->name);
        carom_json_begin(out, NULL, '{');
        write_array(out, element->name);
        carom_json_end(out, '}');
        carom_json_end(out, ']');
    } else {
        write_ref(out, element->name);
    }
}

/* ---- objects ---- */

/* Opens a property, which stands on one line. */
static void begin_property(carom_json *out, const char *name, const char *description)
{
    carom_json_begin(out, name, '{');
    out->on_one_line = true;
    carom_json_text(out, "description", description);
}

static void end_property(carom_json *out)
{
    carom_json_end(out, '}');
    out->on_one_line = false;
}

/* Name, description and type of a property. */
static void write_key(carom_json *out, const carom_key *key)
{
    char text[600];
    bool unit = key->unit && strcmp(key->unit, "-") != 0;
    snprintf(text, sizeof text, "%s%s%s%s%s%s", key->description, unit ? " [" : "",
             unit ? key->unit : "", unit ? "]" : "",
             key->otherwise || key->word ? " Default: " : "",
             key->otherwise ? key->otherwise
             : key->word    ? key->word
                            : "");
    begin_property(out, key->name, text);
    write_type(out, key);
    end_property(out);
    if (!key->alias)
        return;
    snprintf(text, sizeof text, "Former name of %s.", key->name);
    begin_property(out, key->alias, text);
    carom_json_bool(out, "deprecated", true);
    write_type(out, key);
    end_property(out);
}

/* What a parameter takes: a name of the model, one of some words, a number, or a list. */
typedef enum param_type {
    TYPE_NAME,
    TYPE_WORDS,
    TYPE_NUMBER,
    TYPE_NUMBERS,
    TYPE_POINTS,
    TYPE_OUTLINE,
    TYPE_FILE
} param_type;

static param_type type_of(const carom_param_row *row)
{
    if (row->flags & (CAROM_PARAM_SPLINE | CAROM_PARAM_FRAME))
        return TYPE_NAME;
    if (row->flags & CAROM_PARAM_TEXT)
        return TYPE_WORDS;
    if (row->flags & (CAROM_PARAM_POINTS | CAROM_PARAM_OUTLINE))
        return row->flags & CAROM_PARAM_POINTS ? TYPE_POINTS : TYPE_OUTLINE;
    if (row->flags & (CAROM_PARAM_MESH | CAROM_PARAM_TRIANGLES | CAROM_PARAM_GRID_FILE | CAROM_PARAM_GRAPH))
        return TYPE_FILE;
    if (row->flags & (CAROM_PARAM_CORNERS | CAROM_PARAM_GRID))
        return TYPE_POINTS;
    if (row->flags & CAROM_PARAM_CURVE)
        return TYPE_NUMBERS;
    return row->size == 1 ? TYPE_NUMBER : TYPE_NUMBERS;
}

/* Do the kinds of a family take the same under the name of the row? */
static bool is_uniform(const carom_json *out, carom_family family, const carom_param_row *row)
{
    for (size_t k = 0; k < carom_kind_count(context_of(out), family); k++) {
        const carom_kind *kind = carom_kind_at(context_of(out), family, k);
        for (int p = 0; p < kind->param_count; p++) {
            const carom_param_row *other = &kind->params[p];
            if (strcmp(other->name, row->name) == 0 &&
                (type_of(other) != type_of(row) || (type_of(row) == TYPE_WORDS && strcmp(other->unit, row->unit) != 0)))
                return false;
        }
    }
    return true;
}

/* `uniform`: no other kind takes something else under the same name. */
static void write_row(carom_json *out, const carom_param_row *row, const char *owner, bool uniform)
{
    char text[600];
    bool word = (row->flags & CAROM_PARAM_TEXT) != 0;
    snprintf(text, sizeof text, "%s: %s%s%s%s", owner, row->description, word ? "" : " [", word ? "" : row->unit,
             word ? "" : "]");
    begin_property(out, row->name, text);
    param_type type = type_of(row);
    if (!uniform || type == TYPE_NUMBERS)
        write_ref(out, "numbers");
    else if (type == TYPE_POINTS)
        write_ref(out, "point_list");
    else if (type == TYPE_OUTLINE)
        write_array(out, "segment");
    else if (type == TYPE_FILE)
        write_ref(out, "text");
    else if (type == TYPE_WORDS && strcmp(row->unit, "false|true") == 0)
        write_ref(out, "yes");
    else if (type == TYPE_WORDS)
        write_words(out, row->unit, NULL, '|');
    else
        write_ref(out, type == TYPE_NAME ? "name" : "number");
    end_property(out);
}

/* Parameters of a mapping: those of all kinds of its families, each name once. */
typedef struct param_list {
    const char *names[160];
    size_t count;
} param_list;

static void write_new_row(carom_json *out, param_list *list, carom_object object, const carom_param_row *row,
                          const char *owner, bool uniform)
{
    for (size_t k = 0; k < list->count; k++)
        if (strcmp(list->names[k], row->name) == 0)
            return;
    if (carom_key_find(object, row->name) || list->count == CAROM_COUNT(list->names))
        return;
    write_row(out, row, owner, uniform);
    list->names[list->count++] = row->name;
}

static void write_params(carom_json *out, carom_object object)
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
        for (size_t k = 0; k < carom_kind_count(context_of(out), families[f]); k++) {
            const carom_kind *kind = carom_kind_at(context_of(out), families[f], k);
            if (row->kind && strcmp(row->kind, kind->name) != 0)
                continue;
            for (int p = 0; p < kind->param_count; p++)
                write_new_row(out, &list, object, &kind->params[p], kind->name,
                              object == CAROM_OBJECT_NORMAL || row->kind ||
                                  is_uniform(out, families[f], &kind->params[p]));
        }
    }
    if (object == CAROM_OBJECT_LOAD) {
        rows = carom_axis_params(&count);
        write_new_row(out, &list, object, &rows[0], "load with an axis", true);
    }
}

/* The mapping of an object: its keys, its parameters, and no others. */
static void write_mapping(carom_json *out, carom_object object)
{
    size_t count;
    const carom_key *keys = carom_keys_of(object, &count);
    carom_json_text(out, "type", "object");
    carom_json_bool(out, "additionalProperties", false);
    carom_json_begin(out, "required", '[');
    out->on_one_line = true;
    for (size_t k = 0; k < count; k++)
        if (keys[k].flags & CAROM_KEY_REQUIRED)
            carom_json_text(out, NULL, keys[k].name);
    carom_json_end(out, ']');
    out->on_one_line = false;
    carom_json_begin(out, "properties", '{');
    for (size_t k = 0; k < count; k++)
        write_key(out, &keys[k]);
    write_params(out, object);
    carom_json_end(out, '}');
}

static void write_definition(carom_json *out, carom_object object)
{
    const carom_object_row *row = carom_object_get(object);
    carom_json_begin(out, row->name, '{');
    carom_json_text(out, "description", row->description);
    if (row->shorthand) {
        carom_json_begin(out, "anyOf", '[');
        carom_json_begin(out, NULL, '{');
        write_type(out, carom_key_find(object, row->shorthand));
        carom_json_end(out, '}');
        carom_json_begin(out, NULL, '{');
        write_mapping(out, object);
        carom_json_end(out, '}');
        carom_json_end(out, ']');
    } else {
        write_mapping(out, object);
    }
    carom_json_end(out, '}');
}

/* Types that are no mappings of the table. */
static const char basic_definitions[] =
    "\"reference\": {\"type\": \"string\", \"pattern\": \"^\\\\$[A-Za-z][A-Za-z0-9_]*$\"},\n"
    "    \"number\": {\"description\": \"A number or an expression.\", \"type\": [\"number\", \"string\"]},\n"
    "    \"text\": {\"type\": [\"string\", \"number\", \"boolean\", \"null\"]},\n"
    "    \"name\": {\"type\": [\"string\", \"boolean\", \"null\"]},\n"
    "    \"vector\": {\"type\": \"array\", \"minItems\": 2, \"maxItems\": 3, \"items\": {\"$ref\": "
    "\"#/$defs/number\"}},\n"
    "    \"numbers\": {\"anyOf\": [{\"$ref\": \"#/$defs/number\"}, {\"type\": \"array\", \"items\": {\"$ref\": "
    "\"#/$defs/number\"}}]},\n"
    "    \"any_orientation\": {\"anyOf\": [{\"$ref\": \"#/$defs/numbers\"}, {\"$ref\": \"#/$defs/orientation\"}]},\n"
    "    \"frame_reference\": {\"anyOf\": [{\"$ref\": \"#/$defs/name\"}, {\"type\": \"object\", \"minProperties\": 1, "
    "\"maxProperties\": 2, \"properties\": {\"orientation\": {\"$ref\": \"#/$defs/any_orientation\"}}, "
    "\"additionalProperties\": {\"$ref\": \"#/$defs/vector\"}}]},\n"
    "    \"frame_pair\": {\"type\": \"array\", \"minItems\": 2, \"maxItems\": 2, \"items\": {\"$ref\": "
    "\"#/$defs/frame_reference\"}},\n"
    "    \"name_pair\": {\"type\": \"array\", \"minItems\": 2, \"maxItems\": 2, \"items\": {\"$ref\": "
    "\"#/$defs/name\"}},\n"
    "    \"joint_names\": {\"type\": \"array\", \"minItems\": 2, \"maxItems\": 8, \"items\": {\"$ref\": "
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
    "{\"type\": \"object\", \"additionalProperties\": false, \"anyOf\": [{\"required\": [\"points\"]}, "
    "{\"required\": [\"file\"]}], \"properties\": {\"file\": {\"$ref\": \"#/$defs/text\"}, \"columns\": "
    "{\"$ref\": \"#/$defs/texts\"}, \"points\": {\"anyOf\": [{\"$ref\": \"#/$defs/points\"}, "
    "{\"$ref\": \"#/$defs/number\"}]}, \"value\": {\"$ref\": "
    "\"#/$defs/number\"}, \"from\": {\"$ref\": \"#/$defs/number\"}, \"to\": {\"$ref\": \"#/$defs/number\"}, "
    "\"copies\": {\"$ref\": \"#/$defs/number\"}, \"ends\": {\"anyOf\": [{\"enum\": [\"natural\", \"clamped\", "
    "\"periodic\"]}, "
    "{\"$ref\": \"#/$defs/reference\"}]}, \"slopes\": {\"$ref\": \"#/$defs/vector\"}, \"between\": {\"anyOf\": "
    "[{\"enum\": [\"smooth\", \"monotone\"]}, {\"$ref\": \"#/$defs/reference\"}]}}}]}},\n"
    "    \"via_points\": {\"type\": \"array\", \"minItems\": 2, \"items\": {\"type\": \"array\", \"minItems\": 2, "
    "\"maxItems\": 4, \"items\": {\"$ref\": \"#/$defs/number\"}}},\n"
    "    \"trajectories\": {\"type\": \"object\", \"additionalProperties\": {\"anyOf\": [{\"$ref\": "
    "\"#/$defs/via_points\"}, {\"type\": \"object\", \"additionalProperties\": false, \"required\": [\"through\"], "
    "\"properties\": {\"through\": {\"$ref\": \"#/$defs/via_points\"}, \"degree\": {\"anyOf\": [{\"enum\": "
    "[\"quintic\", \"cubic\"]}, {\"$ref\": \"#/$defs/reference\"}]}, \"ends\": {\"anyOf\": [{\"enum\": [\"rest\", "
    "\"free\", \"periodic\"]}, {\"$ref\": \"#/$defs/reference\"}]}}}]}}";

carom_status carom_json_schema(carom_context *ctx, char **out)
{
    CAROM_NEED(ctx, ctx);
    CAROM_NEED(ctx, out);
    carom_json json = {.text = {.ctx = ctx}, .indented = true};
    carom_json_begin(&json, NULL, '{');
    carom_json_text(&json, "$schema", "https://json-schema.org/draft/2020-12/schema");
    carom_json_text(&json, "title", "Carom model file");
    write_mapping(&json, CAROM_OBJECT_MODEL);
    carom_json_begin(&json, "$defs", '{');
    carom_json_raw(&json, basic_definitions);
    for (int object = CAROM_OBJECT_MODEL + 1; object < CAROM_OBJECT_COUNT; object++)
        write_definition(&json, (carom_object)object);
    carom_json_end(&json, '}');
    carom_json_end(&json, '}');
    return carom_text_finish(&json.text, out);
}
