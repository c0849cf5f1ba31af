/* The mappings of a model file, by the table of keys: objects hold keys, and keys objects. */
#include "read/reader.h"

#include "kinds/joint/joint.h"

#include <string.h>

static carom_status read_object(carom_reader *r, carom_object object, const carom_node *node, const carom_place *place,
                                void *target);

/* ---- mappings and lists of objects ---- */

static carom_status read_section(carom_reader *r, const carom_key *key, const carom_node *node, void *target)
{
    return read_object(r, key->element, node, &node->key_place, target);
}

/* What "its unit" and "m or rad" mean in an entry: the unit that it names, the coordinate of a joint or
   the further one that it is of. */
static void name_units(carom_reader *r, carom_object object, const carom_node *node)
{
    const bool mapping = node->type == CAROM_NODE_MAPPING;
    const carom_node *unit = mapping ? carom_node_find(node, "unit") : NULL;
    const carom_node *type = mapping ? carom_node_find(node, "type") : NULL;
    if (unit && unit->type == CAROM_NODE_SCALAR && carom_key_find(object, "unit"))
        r->its_unit = unit->text;
    const carom_joint_kind *coordinate = NULL;
    if (object == CAROM_OBJECT_JOINT) {
        const bool named = type && type->type == CAROM_NODE_SCALAR;
        const carom_kind *kind = named ? carom_kind_find(r->ctx, CAROM_FAMILY_JOINT, type->text) : NULL;
        coordinate = r->joint = (const carom_joint_kind *)kind;
    } else if (object == CAROM_OBJECT_COORDINATE) {
        coordinate = carom_joint_further(r->joint, node->key);
    } else {
        return;
    }
    const char *of = coordinate ? coordinate->coordinate_unit : NULL;
    r->units.alternative = !of ? -1 : strcmp(of, "m") == 0 ? 0 : 1;
}

/* An element of a map or list, with its defaults; messages begin with `where` while it is read. */
static carom_status read_element(carom_reader *r, carom_object object, const carom_node *node, const char *where,
                                 const carom_place *place, void *target)
{
    const carom_object_row *row = carom_object_get(object);
    const char *outer = r->where;
    if (!where)
        return carom_fail_memory(r->ctx);
    carom_key_defaults(object, target);
    memcpy((char *)target + row->place_offset, place, sizeof *place);
    r->where = where;
    const carom_unit_scope units = r->units;
    const carom_joint_kind *joint = r->joint;
    name_units(r, object, node);
    carom_status status = read_object(r, object, node, place, target);
    r->units = units;
    r->joint = joint;
    r->its_unit = NULL;
    r->where = outer;
    return status;
}

/* How many objects an entry stands for, by its `copies` or `pattern`; 0: itself. */
static carom_status count_copies(carom_reader *r, carom_object object, const carom_node *node, size_t *count,
                                 carom_pattern_def *pattern)
{
    CAROM_TRY(carom_reader_copy_count(r, object, node, count));
    const carom_node *part = node->type == CAROM_NODE_MAPPING && carom_key_find(object, "pattern")
                                 ? carom_node_find(node, "pattern")
                                 : NULL;
    if (!part)
        return CAROM_OK;
    CAROM_TRY(carom_check_copies(r, carom_object_get(object)->name, node, part));
    carom_key_defaults(CAROM_OBJECT_PATTERN, pattern);
    CAROM_TRY(read_object(r, CAROM_OBJECT_PATTERN, part, &part->key_place, pattern));
    return carom_check_pattern(r, node, part, pattern, count);
}

/* Reads an entry `count` times into `items`; shapes go on the copies of their body. */
static carom_status read_copies(carom_reader *r, carom_object object, const carom_node *node, const char *where,
                                size_t count, const carom_pattern_def *pattern, char *items)
{
    const carom_object_row *row = carom_object_get(object);
    carom_names_scope former;
    CAROM_TRY(carom_copies_begin(r, &former));
    carom_status status = CAROM_OK;
    const char *outer = r->where;
    for (size_t k = 1; k <= count && status == CAROM_OK; k++, items += row->size) {
        const char *name = carom_copies_next(r, node->key, k);
        const carom_node *copy = node;
        r->where = where ? where : outer;
        status = name ? carom_copies_node(r, object, node, &copy) : carom_fail_memory(r->ctx);
        r->where = outer;
        if (status == CAROM_OK)
            status = read_element(r, object, copy, where, &node->key_place, items);
        memcpy(items, &name, sizeof name);
        if (status == CAROM_OK && pattern->count > 0)
            carom_pattern_place(r, pattern, object, copy, k, items);
        if (status == CAROM_OK && carom_copies_of_body(r, object, node))
            status = carom_copies_place(r, (carom_shape_def *)(void *)items, k);
    }
    return carom_copies_end(r, &former, object, node->key, count, status);
}

/* An entry of a map under its name, or so many copies of it (0: itself). */
static carom_status read_entry(carom_reader *r, carom_object object, const carom_node *n, size_t copies,
                               const carom_pattern_def *pattern, char *item)
{
    const carom_object_row *row = carom_object_get(object);
    CAROM_TRY(carom_check_name(r, row->name, n->key, &n->key_place));
    if (object == CAROM_OBJECT_BODY && strcmp(n->key, "ground") == 0)
        return carom_read_fail(r, &n->key_place,
                               "the body 'ground' exists in every model and is the world; choose another name");
    if (object == CAROM_OBJECT_INPUT || object == CAROM_OBJECT_STATE)
        CAROM_TRY(carom_check_variable_name(r, row->name, n));
    memcpy(item, &n->key, sizeof n->key);
    const char *where = carom_arena_format(&r->scratch, "%s%s '%s': ", r->where, row->name, n->key);
    return copies ? read_copies(r, object, n, where, copies, pattern, item)
                  : read_element(r, object, n, where, &n->key_place, item);
}

static carom_status read_map(carom_reader *r, const carom_key *key, const carom_node *node, void *field)
{
    const carom_object_row *row = carom_object_get(key->element);
    if (node->type != CAROM_NODE_MAPPING)
        return carom_read_fail(r, &node->place, "'%s' is a mapping, `name: {...}`", key->name);
    size_t total = 0, copies;
    for (const carom_node *n = node->first; n; n = n->next) {
        CAROM_TRY(count_copies(r, key->element, n, &copies, &(carom_pattern_def){0}));
        CAROM_TRY(carom_count_entries(r, key->name, n, copies, &total));
    }
    char *items = carom_arena_alloc(r->arena, total + 1, row->size), *item = items;
    if (!items)
        return carom_fail_memory(r->ctx);
    for (const carom_node *n = node->first; n; n = n->next) {
        carom_pattern_def pattern = {0};
        CAROM_TRY(count_copies(r, key->element, n, &copies, &pattern));
        CAROM_TRY_ON(r->ctx, read_entry(r, key->element, n, copies, &pattern, item));
        item += (copies ? copies : 1) * row->size;
    }
    memcpy(field, &items, sizeof items);
    *(size_t *)(void *)((char *)field - key->offset + key->count_offset) = total;
    return CAROM_OK;
}

static carom_status read_list(carom_reader *r, const carom_key *key, const carom_node *node, void *field)
{
    const carom_object_row *row = carom_object_get(key->element);
    bool one = node->type == CAROM_NODE_MAPPING;
    one = one || (node->type == CAROM_NODE_SCALAR && row->shorthand);
    size_t count = one ? 1 : node->count;
    if ((node->type == CAROM_NODE_SCALAR && !row->shorthand) || count == 0)
        return carom_read_fail(r, &node->place, "'%s' is a mapping or a list of mappings", key->name);
    char *items = carom_arena_alloc(r->arena, count, row->size);
    if (!items)
        return carom_fail_memory(r->ctx);
    const carom_node *part = one ? node : node->first;
    for (size_t k = 0; k < count; k++, part = part->next) {
        const char *where = count == 1 ? carom_arena_format(&r->scratch, "%s: ", row->name)
                                       : carom_arena_format(&r->scratch, "%s %zu: ", row->name, k + 1);
        CAROM_TRY_ON(r->ctx, read_element(r, key->element, part, where, one ? &part->key_place : &part->place,
                                          items + k * row->size));
    }
    memcpy(field, &items, sizeof items);
    return CAROM_OK;
}

/* ---- orientations ---- */

/* {axis, angle} or {zxz} in space. */
static carom_status read_turn(carom_reader *r, const carom_node *node, carom_turn_def *turn)
{
    memset(turn, 0, sizeof *turn);
    if (r->spec->dimension == 2 || node->type != CAROM_NODE_MAPPING)
        return CAROM_OK;
    carom_key_defaults(CAROM_OBJECT_TURN, turn);
    return read_object(r, CAROM_OBJECT_TURN, node, &node->place, turn);
}

static carom_status read_orientation(carom_reader *r, const carom_key *key, const carom_node *node, void *field)
{
    (void)key;
    carom_turn_def turn;
    CAROM_TRY(read_turn(r, node, &turn));
    return carom_read_orientation(r, node, &turn, field);
}

static carom_status read_orientation_value(carom_reader *r, const carom_key *key, const carom_node *node, void *field)
{
    (void)key;
    carom_turn_def turn;
    CAROM_TRY(read_turn(r, node, &turn));
    return carom_read_orientation_value(r, node, &turn, field);
}

/* The axes at the points of a frame or a pair of frames. */
static carom_status read_frame_turns(carom_reader *r, const carom_key *key, const carom_node *node,
                                     carom_frame_ref *frames)
{
    const bool pair = key->type == CAROM_KEY_FRAME_PAIR;
    const carom_node *part = pair ? node->first : node;
    for (int k = 0; k < (pair ? 2 : 1); k++, part = pair ? part->next : NULL) {
        const carom_node *turn = carom_frame_turn(part);
        if (turn)
            CAROM_TRY(read_orientation(r, key, turn, frames[k].orientation));
    }
    return CAROM_OK;
}

/* ---- parameters of kinds ---- */

static carom_status read_outline(carom_reader *r, const carom_node *node, carom_value *out)
{
    if (node->type != CAROM_NODE_LIST || node->count == 0)
        return carom_read_fail(r, &node->place, "'%s' is a list of segments, such as `- line: [[0, 0], [1, 0]]`",
                               node->key);
    carom_outline_def *segments = carom_arena_alloc(r->arena, node->count, sizeof *segments);
    if (!segments)
        return carom_fail_memory(r->ctx);
    *out = (carom_value){.type = CAROM_VALUE_OUTLINE, .outline = segments, .count = node->count, .place = node->place};
    size_t number = 0;
    for (const carom_node *part = node->first; part; part = part->next, segments++) {
        const char *where = carom_arena_format(&r->scratch, "%ssegment %zu: ", r->where, ++number);
        if (part->type != CAROM_NODE_MAPPING || part->count != 1)
            return carom_read_fail(r, &part->place,
                                   "a segment is a mapping with one key: line, arc, polynomial, spline, polar or "
                                   "curve");
        CAROM_TRY(read_element(r, CAROM_OBJECT_SEGMENT, part, where, &part->place, segments));
        const carom_key *key = carom_key_find(CAROM_OBJECT_SEGMENT, part->first->key);
        if (!key || key->type != CAROM_KEY_SAMPLED) /* those have become splines */
            segments->type = part->first->key;
    }
    return CAROM_OK;
}

/* {indentation, force} as a parameter of two numbers. */
static carom_status read_point_param(carom_reader *r, const carom_key *key, const carom_node *node, carom_value *out)
{
    carom_from_point_def point = {0};
    carom_place *places = carom_arena_alloc(r->arena, 2, sizeof *places);
    if (!places)
        return carom_fail_memory(r->ctx);
    CAROM_TRY(read_object(r, key->element, node, &node->key_place, &point));
    *out = carom_value_vector(2, (const double[]){point.indentation, point.force});
    places[0] = carom_node_find(node, "indentation")->place;
    places[1] = carom_node_find(node, "force")->place;
    out->place = node->place;
    out->places = places;
    return CAROM_OK;
}

/* A parameter whose unit may name the exponent of a power law. */
static carom_status read_param(carom_reader *r, const carom_param_tables *tables, const carom_param_row *row,
                               const carom_node *node, const carom_node *value, carom_value *out)
{
    const carom_unit_scope outer = r->units;
    r->units.n = carom_reader_exponent(r, tables, row, node);
    const carom_status status = carom_read_param(r, row, value, out);
    r->units = outer;
    return status;
}

/* Reads the parameters of a mapping into a list. */
static carom_status read_params(carom_reader *r, carom_object object, const carom_param_tables *tables,
                                const carom_node *node, carom_param_list *out)
{
    size_t count = 0;
    carom_param *items = carom_arena_alloc(r->arena, node->count + 1, sizeof *items);
    if (!items)
        return carom_fail_memory(r->ctx);
    for (const carom_node *n = node->first; n; n = n->next) {
        const carom_key *key = carom_key_find(object, n->key);
        bool from_point = key && key->type == CAROM_KEY_POINT_PARAM;
        bool damping = tables->damping_is_param && strcmp(n->key, "damping") == 0;
        if (key && !from_point && !damping)
            continue;
        const carom_param_row *row = carom_tables_find(tables, n->key);
        carom_param *item = &items[count++];
        item->name = row ? row->name : n->key;
        item->place = n->key_place;
        if (from_point)
            CAROM_TRY_ON(r->ctx, read_point_param(r, key, n, &item->value));
        else if (row && row->flags & CAROM_PARAM_GRAPH)
            CAROM_TRY_ON(r->ctx, carom_read_graph(r, tables, row, node, n, &item->value));
        else if (row && row->flags & CAROM_PARAM_OUTLINE)
            CAROM_TRY_ON(r->ctx, read_outline(r, n, &item->value));
        else if (row) /* else it has been told */
            CAROM_TRY_ON(r->ctx, read_param(r, tables, row, node, n, &item->value));
    }
    *out = (carom_param_list){items, count};
    return CAROM_OK;
}

/* A curve that is given by functions. */
static carom_status read_sampled(carom_reader *r, const carom_key *key, const carom_node *node, void *field)
{
    carom_trace_def trace;
    memset(&trace, 0, sizeof trace);
    carom_key_defaults(key->element, &trace);
    CAROM_TRY(read_object(r, key->element, node, &node->key_place, &trace));
    return carom_read_trace(r, key->element, node, &trace, field);
}

/* ---- keys ---- */

/* The types of keys that hold objects; keys.c has the others. */
static const carom_key_reader readers[CAROM_KEY_TYPE_COUNT] = {
    [CAROM_KEY_ORIENTATION] = read_orientation,
    [CAROM_KEY_ORIENTATION_VALUE] = read_orientation_value,
    [CAROM_KEY_SECTION] = read_section,
    [CAROM_KEY_SAMPLED] = read_sampled,
    [CAROM_KEY_MAP] = read_map,
    [CAROM_KEY_LIST] = read_list,
};

/* The places and the count that go with a field. */
static void write_companions(const carom_key *key, const carom_node *node, char *target)
{
    bool one = node->type == CAROM_NODE_SCALAR || (key->type == CAROM_KEY_LIST && node->type == CAROM_NODE_MAPPING);
    if (key->place_offset && key->type == CAROM_KEY_NAME_PAIR) {
        const carom_place places[2] = {node->first->place, node->first->next->place};
        memcpy(target + key->place_offset, places, sizeof places);
    } else if (key->place_offset && key->type == CAROM_KEY_JOINT_NAMES) {
        const carom_node *part = node->first;
        for (size_t k = 0; k < node->count; k++, part = part->next)
            memcpy(target + key->place_offset + k * sizeof part->place, &part->place, sizeof part->place);
    } else if (key->place_offset) {
        memcpy(target + key->place_offset, &node->place, sizeof node->place);
    }
    /* these count themselves: they make more or other objects than the file has entries */
    if (!key->count_offset || key->type == CAROM_KEY_PARAMETERS || key->type == CAROM_KEY_SPLINES ||
        key->type == CAROM_KEY_TRAJECTORIES || key->type == CAROM_KEY_FUNCTIONS ||
        key->type == CAROM_KEY_POINT_FILE || key->type == CAROM_KEY_MAP || key->type == CAROM_KEY_SHAPE_NAMES ||
        key->type == CAROM_KEY_ACTIONS)
        return;
    if (key->type == CAROM_KEY_FRAME || key->type == CAROM_KEY_FRAME_PAIR)
        *(int *)(void *)(target + key->count_offset) = key->type == CAROM_KEY_FRAME ? 1 : 2;
    else
        *(size_t *)(void *)(target + key->count_offset) = one || key->type == CAROM_KEY_SECTION ? 1 : node->count;
}

static carom_status read_key(carom_reader *r, const carom_key *key, const carom_node *node, void *target)
{
    char *bytes = target;
    const carom_key_reader reader = readers[key->type] ? readers[key->type] : carom_reader_of_key(key->type);
    if (!reader)
        return CAROM_OK;
    CAROM_TRY(reader(r, key, node, bytes + key->offset));
    if (key->type == CAROM_KEY_FRAME || key->type == CAROM_KEY_FRAME_PAIR)
        CAROM_TRY(read_frame_turns(r, key, node, (carom_frame_ref *)(void *)(bytes + key->offset)));
    write_companions(key, node, bytes);
    return CAROM_OK;
}

/* ---- mappings ---- */

/* Keys in the order of the table: first those that others need (parameters and splines), then the rest. */
static carom_status read_keys(carom_reader *r, carom_object object, const carom_param_tables *tables,
                              const carom_node *node, void *target)
{
    size_t count;
    size_t before = carom_problems_count(r->ctx);
    const carom_key *keys = carom_keys_of(object, &count);
    for (unsigned first = CAROM_KEY_FIRST;; first = 0) {
        for (size_t k = 0; k < count; k++) {
            const carom_node *value = carom_read_entry(node, &keys[k]);
            bool is_param = tables->damping_is_param && strcmp(keys[k].name, "damping") == 0;
            if (value && !is_param && (keys[k].flags & CAROM_KEY_FIRST) == first) {
                const size_t former = carom_problems_count(r->ctx);
                const carom_status status = read_key(r, &keys[k], value, target);
                CAROM_TRY_ON(r->ctx, status);
                /* what stands on a parameter without a value is silent; without their list nothing is known of them.
                   Problems of other keys, such as functions, stay */
                if (status == CAROM_OK && keys[k].type == CAROM_KEY_PARAMETERS)
                    before += carom_problems_count(r->ctx) - former;
            }
            /* what follows has as many numbers as it says */
            if (value && object == CAROM_OBJECT_MODEL && strcmp(keys[k].name, "dimension") == 0)
                CAROM_TRY(carom_problems_since(r->ctx, before));
        }
        if (!first)
            return CAROM_OK;
        CAROM_TRY(carom_problems_since(r->ctx, before)); /* the rest stands on them */
    }
}

/* A key that a mapping of the object may have, for messages. */
static const char *some_key(const carom_reader *r, carom_object object)
{
    const carom_object_row *row = carom_object_get(object);
    const carom_kind *kind = row->kind ? carom_kind_find(r->ctx, row->family, row->kind) : NULL;
    return kind && kind->param_count ? kind->params[0].name : carom_keys_of(object, &(size_t){0})->name;
}

/* Reads a mapping into `target` by the keys of `object`; `place` is where a missing key is reported. */
static carom_status read_object(carom_reader *r, carom_object object, const carom_node *node, const carom_place *place,
                                void *target)
{
    const carom_object_row *row = carom_object_get(object);
    if (node->type != CAROM_NODE_MAPPING) {
        if (!row->shorthand || (node->type == CAROM_NODE_SCALAR && !*node->text && !node->quoted))
            return carom_read_fail(r, &node->place, "%s%s%sa mapping with keys is expected here, such as {%s: ...}",
                                   node->key ? "'" : "", node->key ? node->key : "", node->key ? "': " : "",
                                   some_key(r, object));
        return read_key(r, carom_key_find(object, row->shorthand), node, target);
    }
    carom_param_tables tables;
    const size_t before = carom_problems_count(r->ctx);
    CAROM_TRY(carom_reader_tables(r, object, node, place, &tables));
    CAROM_TRY_ON(r->ctx, carom_check_known(r, object, &tables, node));
    /* a key that is missing may be the one that is not known */
    if (carom_problems_count(r->ctx) == before)
        CAROM_TRY_ON(r->ctx, carom_check_required(r, object, node, place));
    /* without it nobody knows how many numbers a place has */
    if (object == CAROM_OBJECT_MODEL && !carom_node_find(node, "dimension"))
        CAROM_TRY(carom_problems_since(r->ctx, before));
    r->columns = carom_node_find(node, "columns");
    CAROM_TRY(read_keys(r, object, &tables, node, target));
    if (row->params_offset) {
        carom_param_list params = {0};
        CAROM_TRY(read_params(r, object, &tables, node, &params));
        memcpy((char *)target + row->params_offset, &params, sizeof params);
    }
    CAROM_TRY(carom_problems_since(r->ctx, before));
    return carom_check_object(r, object, node, place, target);
}

/* ---- the file ---- */

static carom_status read_first(carom_reader *r, const carom_node *root, const char *name)
{
    const carom_node *node = carom_node_find(root, name);
    return node ? read_key(r, carom_key_find(CAROM_OBJECT_MODEL, name), node, r->spec) : CAROM_OK;
}

/* Puts what the file includes into its tree: parameters may say where it stands. */
static carom_status read_includes(carom_reader *r, const carom_node **root)
{
    const carom_key *key = carom_key_find(CAROM_OBJECT_MODEL, "include");
    const carom_node *node = carom_node_find(*root, "include");
    if (!node)
        return CAROM_OK;
    const carom_include_def *includes = NULL;
    CAROM_TRY(read_first(r, *root, "dimension"));
    CAROM_TRY(read_first(r, *root, "functions"));
    CAROM_TRY(read_first(r, *root, "parameters"));
    r->has_parameters = true;
    if (r->spec->dimension != 3)
        return carom_read_fail(r, &node->key_place, "a robot is spatial: 'include' needs `dimension: 3`");
    CAROM_TRY(read_list(r, key, node, &includes));
    CAROM_TRY(carom_problems_since(r->ctx, 0));
    const size_t count = node->type == CAROM_NODE_LIST ? node->count : 1;
    CAROM_TRY(carom_reader_merge(r, *root, includes, count, &r->expanded));
    *root = r->expanded;
    return carom_reader_variables(r, *root);
}

carom_status carom_reader_run(carom_reader *r, const carom_node *root)
{
    if (root->type != CAROM_NODE_MAPPING)
        return carom_read_fail(r, &root->place, "a model is a mapping; the file begins with `carom: 1`%s",
                               root->type == CAROM_NODE_SCALAR && root->text[0] == '<'
                                   ? "; the file of a robot comes into a model by `include`, or becomes one by "
                                     "`carom import`"
                                   : "");
    /* a newer format may have other keys: its version is read before they are judged */
    CAROM_TRY(read_first(r, root, "carom"));
    r->files = carom_node_find(root, "files");
    if (r->files && r->files->type != CAROM_NODE_MAPPING)
        return carom_read_fail(r, &r->files->place, "'files' is a mapping that Carom writes into results");
    CAROM_TRY(carom_reader_parts(r, root, &root));
    CAROM_TRY(carom_reader_variables(r, root));
    /* overrides need the parameters that the file may not have */
    if (!carom_node_find(root, "parameters"))
        CAROM_TRY(carom_read_parameters(r, NULL));
    CAROM_TRY(read_includes(r, &root));
    CAROM_TRY(read_object(r, CAROM_OBJECT_MODEL, root, &root->place, r->spec));
    return carom_check_functions(r);
}
