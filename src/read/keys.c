/* One function a type of key that holds no objects: from a value of the file to a field of a definition. */
#include "read/reader.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- checks ---- */

static carom_status check_range(const carom_reader *r, const carom_key *key, double value, const carom_place *place)
{
    const char *unit = key->unit && strcmp(key->unit, "-") != 0 ? key->unit : "";
    const char *blank = *unit ? " " : "", *relation = NULL;
    double bound = key->low;
    if ((key->flags & CAROM_KEY_ABOVE) && !(value > key->low))
        relation = "greater than";
    else if ((key->flags & CAROM_KEY_LOW) && !(value >= key->low))
        relation = "at least";
    if (!relation) {
        bound = key->high;
        if ((key->flags & CAROM_KEY_BELOW) && !(value < key->high))
            relation = "less than";
        else if ((key->flags & CAROM_KEY_HIGH) && !(value <= key->high))
            relation = "at most";
    }
    if (!relation)
        return CAROM_OK;
    return carom_read_fail(r, place, "'%s' is %g; it must be %s %g%s%s", key->name, value, relation, bound, blank,
                           unit);
}

/* ---- numbers ---- */

static carom_status read_version(carom_reader *r, const carom_key *key, const carom_node *node, void *field)
{
    double number;
    (void)field;
    CAROM_TRY(carom_read_number(r, node, key->unit, &number));
    if (number > key->high)
        return carom_read_fail(r, &node->place,
                               "the file has format version %g, and this program reads version %g; use a "
                               "newer program",
                               number, key->high);
    if (number != key->low)
        return carom_read_fail(r, &node->place, "'%s' is the format version, %g", key->name, key->low);
    return CAROM_OK;
}

static carom_status read_integer(carom_reader *r, const carom_key *key, const carom_node *node, void *field)
{
    double number;
    CAROM_TRY(carom_read_number(r, node, key->unit, &number));
    CAROM_TRY(check_range(r, key, number, &node->place));
    if (number != floor(number))
        return carom_read_fail(r, &node->place, "'%s' is %g; it must be a whole number", key->name, number);
    *(int *)field = (int)number;
    return CAROM_OK;
}

static carom_status read_number(carom_reader *r, const carom_key *key, const carom_node *node, void *field)
{
    CAROM_TRY(carom_read_number(r, node, key->unit, field));
    return check_range(r, key, *(double *)field, &node->place);
}

static carom_status read_number_value(carom_reader *r, const carom_key *key, const carom_node *node, void *field)
{
    double number;
    CAROM_TRY(read_number(r, key, node, &number));
    *(carom_value *)field = carom_value_number(number);
    ((carom_value *)field)->place = node->place;
    return CAROM_OK;
}

static carom_status read_time_value(carom_reader *r, const carom_key *key, const carom_node *node, void *field)
{
    carom_value *value = field;
    CAROM_TRY(carom_read_time_value(r, node, key->unit, key->type == CAROM_KEY_STATE_VALUE, value));
    return value->type == CAROM_VALUE_NUMBER ? check_range(r, key, value->number[0], &node->place) : CAROM_OK;
}

static carom_status read_vector(carom_reader *r, const carom_key *key, const carom_node *node, void *field)
{
    return carom_read_vector(r, node, key->unit, key->type == CAROM_KEY_VECTOR3 ? 3 : r->spec->dimension, field);
}

static carom_status read_vector_value(carom_reader *r, const carom_key *key, const carom_node *node, void *field)
{
    return carom_read_vector_value(r, node, key->unit, r->spec->dimension, false, field);
}

static carom_status read_points(carom_reader *r, const carom_key *key, const carom_node *node, void *field)
{
    return carom_read_points(r, node, key->unit, field);
}

static carom_status read_numbers(carom_reader *r, const carom_key *key, const carom_node *node, void *field)
{
    if (node->type != CAROM_NODE_LIST || node->count == 0)
        return carom_read_fail(r, &node->place, "'%s' takes a list of numbers", key->name);
    double *numbers = carom_arena_alloc(r->arena, node->count, sizeof *numbers);
    if (!numbers)
        return carom_fail_memory(r->ctx);
    *(const double **)field = numbers;
    r->units.k = 0;
    for (const carom_node *part = node->first; part; part = part->next, r->units.k++)
        CAROM_TRY(carom_read_number(r, part, key->unit, numbers++));
    r->units.k = (double)NAN;
    return CAROM_OK;
}

static carom_status read_spin(carom_reader *r, const carom_key *key, const carom_node *node, void *field)
{
    if (r->spec->dimension == 3)
        return carom_read_vector_value(r, node, key->unit, 3, false, field);
    return read_number_value(r, key, node, field);
}

static carom_status read_inertia(carom_reader *r, const carom_key *key, const carom_node *node, void *field)
{
    if (r->spec->dimension == 2)
        return read_number_value(r, key, node, field);
    if (node->type != CAROM_NODE_LIST || (node->count != 3 && node->count != 6))
        return carom_read_fail(r, &node->place,
                               "'%s' takes three numbers in space, [Ixx, Iyy, Izz], or six with Ixy, Ixz, "
                               "Iyz",
                               key->name);
    carom_value *value = field;
    CAROM_TRY(carom_read_vector_value(r, node, key->unit, (int)node->count, false, value));
    for (int k = 0; k < 3; k++)
        CAROM_TRY(check_range(r, key, value->number[k], &value->places[k]));
    return CAROM_OK;
}

/* ---- texts ---- */

static carom_status read_text(carom_reader *r, const carom_key *key, const carom_node *node, void *field)
{
    (void)key;
    return carom_read_text(r, node, field);
}

static carom_status read_expression(carom_reader *r, const carom_key *key, const carom_node *node, void *field)
{
    (void)key;
    CAROM_TRY(carom_read_text(r, node, field));
    return carom_reader_number_copy(r, field);
}

static carom_status read_name(carom_reader *r, const carom_key *key, const carom_node *node, void *field)
{
    CAROM_TRY(carom_read_text(r, node, field));
    return carom_check_name(r, strcmp(key->name, "on") == 0 ? "body" : key->name, *(const char **)field, &node->place);
}

/* Splits words at their blanks, in a copy; returns how many there are. */
static size_t split_words(const char *words, char *copy, size_t size, const char **out, size_t most)
{
    size_t count = 0;
    snprintf(copy, size, "%s", words ? words : "");
    for (char *word = copy; word && *word && count < most;) {
        char *blank = strchr(word, ' ');
        if (blank)
            *blank = '\0';
        out[count++] = word;
        word = blank ? blank + 1 : NULL;
    }
    return count;
}

static carom_status read_word(carom_reader *r, const carom_key *key, const carom_node *node, void *field)
{
    const char *text, *names[8], *former[8];
    char words[128], former_words[128], hint[CAROM_SUGGESTION];
    CAROM_TRY(carom_read_text(r, node, &text));
    const size_t count = split_words(key->choices, words, sizeof words, names, CAROM_COUNT(names));
    const size_t formers = split_words(key->former, former_words, sizeof former_words, former, CAROM_COUNT(former));
    for (size_t k = 0; k < count; k++)
        if (strcmp(names[k], text) == 0 || (k < formers && strcmp(former[k], text) == 0)) {
            *(const char **)field = carom_arena_text(r->arena, names[k]);
            return *(const char **)field ? CAROM_OK : carom_fail_memory(r->ctx);
        }
    carom_suggest(text, names, count, hint, sizeof hint);
    return carom_read_fail(r, &node->place, "'%s' is one of %s, not '%.63s'%s", key->name, key->choices, text, hint);
}

static carom_status read_kind(carom_reader *r, const carom_key *key, const carom_node *node, void *field)
{
    const carom_kind *kind = NULL;
    CAROM_TRY(carom_read_kind(r, key->family, node, &kind));
    *(const char **)field = kind->name;
    return CAROM_OK;
}

static carom_status read_texts(carom_reader *r, const carom_key *key, const carom_node *node, void *field)
{
    bool one = node->type == CAROM_NODE_SCALAR;
    size_t count = one ? 1 : node->count;
    if (node->type == CAROM_NODE_MAPPING)
        return carom_read_fail(r, &node->place, "'%s' takes a name or a list of names", key->name);
    const char **texts = carom_arena_alloc(r->arena, count + 1, sizeof *texts);
    if (!texts)
        return carom_fail_memory(r->ctx);
    const carom_node *part = one ? node : node->first;
    for (size_t k = 0; k < count; k++, part = part->next)
        CAROM_TRY(carom_read_text(r, part, &texts[k]));
    *(const char *const **)field = texts;
    return CAROM_OK;
}

static carom_status read_shape_names(carom_reader *r, const carom_key *key, const carom_node *node, void *field)
{
    size_t count;
    CAROM_TRY(carom_read_shape_names(r, node, field, &count));
    *(size_t *)(void *)((char *)field - key->offset + key->count_offset) = count;
    return CAROM_OK;
}

static carom_status read_exceptions(carom_reader *r, const carom_key *key, const carom_node *node, void *field)
{
    (void)key;
    return carom_read_exceptions(r, node, field);
}

static carom_status read_actions(carom_reader *r, const carom_key *key, const carom_node *node, void *field)
{
    size_t count;
    CAROM_TRY(carom_read_actions(r, node, field, &count));
    *(size_t *)(void *)((char *)field - key->offset + key->count_offset) = count;
    return CAROM_OK;
}

static carom_status read_yes(carom_reader *r, const carom_key *key, const carom_node *node, void *field)
{
    const char *text;
    CAROM_TRY(carom_read_text(r, node, &text));
    const bool yes = strcmp(text, "yes") == 0 || strcmp(text, "true") == 0;
    if (!yes && strcmp(text, "no") != 0 && strcmp(text, "false") != 0)
        return carom_read_fail(r, &node->place, "'%s' is yes or no, not '%.63s'", key->name, text);
    *(bool *)field = yes;
    return CAROM_OK;
}

static carom_status check_pair(const carom_reader *r, const carom_key *key, const carom_node *node, const char *of)
{
    if (node->type != CAROM_NODE_LIST || node->count != 2)
        return carom_read_fail(r, &node->place, "'%s' takes a list of two %s", key->name, of);
    return CAROM_OK;
}

static carom_status read_name_pair(carom_reader *r, const carom_key *key, const carom_node *node, void *field)
{
    CAROM_TRY(check_pair(r, key, node, "shapes"));
    const char **names = field;
    const carom_node *part = node->first;
    for (int k = 0; k < 2; k++, part = part->next) {
        CAROM_TRY(carom_read_text(r, part, &names[k]));
        CAROM_TRY(carom_check_name(r, "shape", names[k], &part->place));
    }
    return CAROM_OK;
}

static carom_status read_joint_names(carom_reader *r, const carom_key *key, const carom_node *node, void *field)
{
    const char **names = field;
    if (node->type != CAROM_NODE_LIST || node->count < 2 || node->count > CAROM_COUPLED_JOINTS)
        return carom_read_fail(r, &node->place, "'%s' takes a list of 2 to %d joints", key->name, CAROM_COUPLED_JOINTS);
    const carom_node *part = node->first;
    for (size_t k = 0; k < node->count; k++, part = part->next) {
        const char *joint, *coordinate;
        CAROM_TRY(carom_read_dotted(r, "joint", "coordinate", part, &joint, &coordinate));
        names[k] = part->text;
    }
    return CAROM_OK;
}

/* ---- frames ---- */

static carom_status read_frame(carom_reader *r, const carom_key *key, const carom_node *node, void *field)
{
    (void)key;
    return carom_read_frame_ref(r, node, field);
}

static carom_status read_frame_pair(carom_reader *r, const carom_key *key, const carom_node *node, void *field)
{
    CAROM_TRY(check_pair(r, key, node, "frames, such as [ground, crank.root]"));
    carom_frame_ref *frames = field;
    CAROM_TRY(carom_read_frame_ref(r, node->first, &frames[0]));
    return carom_read_frame_ref(r, node->first->next, &frames[1]);
}

/* ---- parameters and splines ---- */

static carom_status read_parameters(carom_reader *r, const carom_key *key, const carom_node *node, void *field)
{
    (void)key;
    (void)field;
    return r->has_parameters ? CAROM_OK : carom_read_parameters(r, node);
}

static carom_status read_functions(carom_reader *r, const carom_key *key, const carom_node *node, void *field)
{
    (void)key;
    (void)field;
    return r->has_parameters ? CAROM_OK : carom_read_functions(r, node);
}

static carom_status read_point_file(carom_reader *r, const carom_key *key, const carom_node *node, void *field)
{
    carom_value table;
    carom_dimension dimension[2];
    const int *lines;
    char wanted[160], given[160];
    CAROM_TRY(carom_read_point_file(r, node, r->columns, &table, dimension, &lines));
    for (int k = 0; k < 2; k++)
        if (!carom_unit_fits("m", CAROM_UNIT_ANY, &dimension[k]))
            return carom_read_fail(r, &node->place, "'%s': %s is needed here, and column %d of '%s' is %s", key->name,
                                   carom_unit_text("m", CAROM_UNIT_ANY, wanted, sizeof wanted), k + 1, node->text,
                                   carom_dimension_text(&dimension[k], given, sizeof given));
    *(const double **)field = table.points;
    *(size_t *)(void *)((char *)field - key->offset + key->count_offset) = table.count;
    return CAROM_OK;
}

static carom_status read_splines(carom_reader *r, const carom_key *key, const carom_node *node, void *field)
{
    (void)key;
    (void)field;
    return carom_read_splines(r, node);
}

static carom_status read_trajectories(carom_reader *r, const carom_key *key, const carom_node *node, void *field)
{
    (void)key;
    (void)field;
    return carom_read_trajectories(r, node);
}

/* ---- dispatch ---- */

static const carom_key_reader readers[CAROM_KEY_TYPE_COUNT] = {
    [CAROM_KEY_VERSION] = read_version,
    [CAROM_KEY_INTEGER] = read_integer,
    [CAROM_KEY_NUMBER] = read_number,
    [CAROM_KEY_NUMBER_VALUE] = read_number_value,
    [CAROM_KEY_TIME_VALUE] = read_time_value,
    [CAROM_KEY_STATE_VALUE] = read_time_value,
    [CAROM_KEY_TEXT] = read_text,
    [CAROM_KEY_EXPRESSION] = read_expression,
    [CAROM_KEY_WORD] = read_word,
    [CAROM_KEY_KIND] = read_kind,
    [CAROM_KEY_NAME] = read_name,
    [CAROM_KEY_VECTOR] = read_vector,
    [CAROM_KEY_VECTOR3] = read_vector,
    [CAROM_KEY_VECTOR_VALUE] = read_vector_value,
    [CAROM_KEY_SPIN] = read_spin,
    [CAROM_KEY_INERTIA] = read_inertia,
    [CAROM_KEY_FRAME] = read_frame,
    [CAROM_KEY_FRAME_PAIR] = read_frame_pair,
    [CAROM_KEY_NAME_PAIR] = read_name_pair,
    [CAROM_KEY_JOINT_NAMES] = read_joint_names,
    [CAROM_KEY_TEXTS] = read_texts,
    [CAROM_KEY_PARAMETERS] = read_parameters,
    [CAROM_KEY_FUNCTIONS] = read_functions,
    [CAROM_KEY_POINT_FILE] = read_point_file,
    [CAROM_KEY_SPLINES] = read_splines,
    [CAROM_KEY_TRAJECTORIES] = read_trajectories,
    [CAROM_KEY_POINTS] = read_points,
    [CAROM_KEY_NUMBERS] = read_numbers,
    [CAROM_KEY_SHAPE_NAMES] = read_shape_names,
    [CAROM_KEY_EXCEPTIONS] = read_exceptions,
    [CAROM_KEY_YES] = read_yes,
    [CAROM_KEY_ACTIONS] = read_actions,
};

carom_key_reader carom_reader_of_key(carom_key_type type) { return readers[type]; }
