/* The table of keys, its lookup, and the defaults that follow from it. */
#include "spec/keys.h"
#include "law/normal_law.h"

#include <math.h>
#include <string.h>

#define CAROM_OBJECT(id, struct_type, label, where, about, ...) \
    [CAROM_OBJECT_##                                            \
        id] = {.name = (label), .path = (where), .size = sizeof(struct_type), .description = (about), __VA_ARGS__},
static const carom_object_row objects[CAROM_OBJECT_COUNT] = {
#include "spec/keys.def"
};
#undef CAROM_OBJECT

/* The names of formulations, separated by blanks. */
static const char formulation_choices[] = ""
#define CAROM_FORMULATION(name, description) " " #name
#include "spec/formulation.def"
#undef CAROM_FORMULATION
    ;

/* Those of analyses. */
static const char analysis_choices[] = ""
#define CAROM_ANALYSIS(id, name, moves, description) " " name
#include "spec/analysis.def"
#undef CAROM_ANALYSIS
    ;

#define CAROM_KEY(id, key, key_type, struct_type, member, measure, about, ...) \
    {.object = CAROM_OBJECT_##id,                                              \
     .name = (key),                                                            \
     .type = CAROM_KEY_##key_type,                                             \
     .offset = offsetof(struct_type, member),                                  \
     .unit = (measure),                                                        \
     .description = (about),                                                   \
     __VA_ARGS__},
#define CAROM_KEY_ALONE(id, key, key_type, measure, about, ...) \
    {.object = CAROM_OBJECT_##id,                               \
     .name = (key),                                             \
     .type = CAROM_KEY_##key_type,                              \
     .unit = (measure),                                         \
     .description = (about),                                    \
     __VA_ARGS__},
static const carom_key keys[] = {
#include "spec/keys.def"
};
#undef CAROM_KEY
#undef CAROM_KEY_ALONE

/* The reader writes the name of an object into the first field of its struct. */
_Static_assert(offsetof(carom_body_def, name) == 0 && offsetof(carom_frame_def, name) == 0 &&
                   offsetof(carom_joint_def, name) == 0 && offsetof(carom_shape_def, name) == 0 &&
                   offsetof(carom_material_def, name) == 0 && offsetof(carom_contact_def, name) == 0 &&
                   offsetof(carom_load_def, name) == 0 && offsetof(carom_input_def, name) == 0 &&
                   offsetof(carom_state_def, name) == 0 && offsetof(carom_output_def, name) == 0 &&
                   offsetof(carom_event_def, name) == 0,
               "the name of a definition is its first field");

const carom_object_row *carom_object_get(carom_object object) { return &objects[object]; }

const carom_key *carom_keys_of(carom_object object, size_t *count)
{
    size_t first = 0, end;
    while (first < CAROM_COUNT(keys) && keys[first].object != object)
        first++;
    for (end = first; end < CAROM_COUNT(keys) && keys[end].object == object;)
        end++;
    *count = end - first;
    return &keys[first < CAROM_COUNT(keys) ? first : 0];
}

const carom_key *carom_key_find(carom_object object, const char *name)
{
    for (size_t k = 0; k < CAROM_COUNT(keys); k++)
        if (keys[k].object == object &&
            (strcmp(keys[k].name, name) == 0 || (keys[k].alias && strcmp(keys[k].alias, name) == 0)))
            return &keys[k];
    return NULL;
}

/* Writes the default of one key. */
static void set_default(const carom_key *key, void *field)
{
    static const double unit_quaternion[4] = {1, 0, 0, 0};
    switch (key->type) {
    case CAROM_KEY_INTEGER:
        *(int *)field = (int)key->default_value;
        break;
    case CAROM_KEY_NUMBER:
        *(double *)field = key->default_value;
        break;
    case CAROM_KEY_VECTOR:
        for (int k = 0; k < 3; k++)
            ((double *)field)[k] = key->default_value;
        break;
    case CAROM_KEY_VECTOR3:
        for (int k = 0; k < 3; k++)
            ((double *)field)[k] = (double)NAN;
        break;
    case CAROM_KEY_ORIENTATION:
        memcpy(field, unit_quaternion, sizeof unit_quaternion);
        break;
    case CAROM_KEY_WORD:
    case CAROM_KEY_KIND:
        *(const char **)field = key->word;
        break;
    default: /* zero: not given */
        break;
    }
}

void carom_key_defaults(carom_object object, void *target)
{
    for (size_t k = 0; k < CAROM_COUNT(keys); k++) {
        if (keys[k].object != object)
            continue;
        if (keys[k].type == CAROM_KEY_SECTION)
            carom_key_defaults(keys[k].element, (char *)target + keys[k].offset);
        else
            set_default(&keys[k], (char *)target + keys[k].offset);
    }
}

const char *carom_key_type_text(carom_key_type type)
{
    static const char *const texts[CAROM_KEY_TYPE_COUNT] = {
        [CAROM_KEY_VERSION] = "the number 1",
        [CAROM_KEY_INTEGER] = "whole number",
        [CAROM_KEY_NUMBER] = "number",
        [CAROM_KEY_NUMBER_VALUE] = "number",
        [CAROM_KEY_TIME_VALUE] = "number or expression of `t`",
        [CAROM_KEY_STATE_VALUE] = "number or expression of `t` and measures",
        [CAROM_KEY_TEXT] = "text",
        [CAROM_KEY_EXPRESSION] = "expression",
        [CAROM_KEY_WORD] = "word",
        [CAROM_KEY_KIND] = "name of a kind",
        [CAROM_KEY_NAME] = "name",
        [CAROM_KEY_VECTOR] = "list of 2 or 3 numbers",
        [CAROM_KEY_VECTOR3] = "list of 3 numbers",
        [CAROM_KEY_VECTOR_VALUE] = "list of 2 or 3 numbers",
        [CAROM_KEY_SPIN] = "number; in space a list of 3",
        [CAROM_KEY_INERTIA] = "number; in space a list of 3 or 6",
        [CAROM_KEY_ORIENTATION] = "angle; in space an orientation",
        [CAROM_KEY_ORIENTATION_VALUE] = "angle; in space an orientation",
        [CAROM_KEY_FRAME] = "frame",
        [CAROM_KEY_FRAME_PAIR] = "list of 2 frames",
        [CAROM_KEY_NAME_PAIR] = "list of 2 names",
        [CAROM_KEY_JOINT_NAMES] = "list of names",
        [CAROM_KEY_TEXTS] = "name or list of names",
        [CAROM_KEY_SECTION] = "mapping",
        [CAROM_KEY_MAP] = "mapping by name",
        [CAROM_KEY_LIST] = "mapping or list of mappings",
        [CAROM_KEY_PARAMETERS] = "mapping by name",
        [CAROM_KEY_FUNCTIONS] = "mapping by name",
        [CAROM_KEY_SPLINES] = "mapping by name",
        [CAROM_KEY_TRAJECTORIES] = "mapping by name",
        [CAROM_KEY_POINTS] = "list of points",
        [CAROM_KEY_NUMBERS] = "list of numbers",
        [CAROM_KEY_POINT_PARAM] = "mapping",
        [CAROM_KEY_PATTERN] = "mapping",
        [CAROM_KEY_SAMPLED] = "mapping",
        [CAROM_KEY_VALUES] = "mapping by name",
        [CAROM_KEY_COLUMNS] = "list of 2 names",
        [CAROM_KEY_POINT_FILE] = "name of a file",
        [CAROM_KEY_COPIES] = "whole number",
        [CAROM_KEY_SHAPE_NAMES] = "name or list of names",
        [CAROM_KEY_EXCEPTIONS] = "list of lists of 2 names",
        [CAROM_KEY_YES] = "yes or no",
        [CAROM_KEY_FILES] = "mapping by name",
        [CAROM_KEY_ACTIONS] = "action or list of actions",
        [CAROM_KEY_INCLUDES] = "name, mapping, or list of them",
    };
    return texts[type];
}

const carom_param_row *carom_axis_params(size_t *count)
{
    static const carom_param_row rows[] = {
        {.name = "axis",
         .unit = "-",
         .size = 3,
         .flags = CAROM_PARAM_REQUIRED | CAROM_PARAM_NONZERO,
         .low = -HUGE_VAL,
         .high = HUGE_VAL,
         .description =
             "Direction of the axis at the start, world axes, of any length; in the plane only where the axis lies in "
             "it, else it is z."},
        {.name = "axis2",
         .unit = "-",
         .size = 3,
         .flags = CAROM_PARAM_REQUIRED | CAROM_PARAM_NONZERO,
         .low = -HUGE_VAL,
         .high = HUGE_VAL,
         .description = "Direction of the second frame's axis at the start, world axes, of any length."},
    };
    *count = CAROM_COUNT(rows);
    return rows;
}

/* ---- public defaults ---- */

#define CAROM_DEFAULT(name, id)                       \
    carom_##name carom_default_##name(void)           \
    {                                                 \
        carom_##name def;                             \
        memset(&def, 0, sizeof def);                  \
        carom_key_defaults(CAROM_OBJECT_##id, &def);  \
        return def;                                   \
    }
CAROM_DEFAULT(body_def, BODY)
CAROM_DEFAULT(joint_def, JOINT)
CAROM_DEFAULT(shape_def, SHAPE)
CAROM_DEFAULT(material_def, MATERIAL)
CAROM_DEFAULT(contact_def, CONTACT)
CAROM_DEFAULT(load_def, LOAD)
CAROM_DEFAULT(run_def, RUN)
CAROM_DEFAULT(input_def, INPUT)
CAROM_DEFAULT(state_def, STATE)
CAROM_DEFAULT(output_def, NAMED_OUTPUT)
CAROM_DEFAULT(event_def, EVENT)

carom_spec carom_default_spec(void)
{
    carom_spec spec;
    memset(&spec, 0, sizeof spec);
    carom_key_defaults(CAROM_OBJECT_MODEL, &spec);
    spec.size = sizeof spec;
    return spec;
}
