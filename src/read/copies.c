/* Copies: one entry of the file that is read many times. In its expressions `copy` is the number of the copy; in its
   names `$copy` stands for that number, and `$(...)` for a whole number made of it. */
#include "read/reader.h"

#include <math.h>
#include <string.h>

static const carom_reader_copies *find(const carom_reader *r, carom_object object, const char *name)
{
    for (size_t k = 0; k < r->copies_count; k++)
        if (r->copies[k].object == object && strcmp(r->copies[k].name, name) == 0)
            return &r->copies[k];
    return NULL;
}

/* `copies` of an entry. */
carom_status carom_read_copy_count(carom_reader *r, const char *what, const carom_node *entry,
                                   const carom_node *node, size_t *count)
{
    double number;
    CAROM_TRY(carom_read_number(r, node, "-", &number));
    if (!(number >= 1 && number <= CAROM_READER_COPIES) || number != floor(number))
        return carom_read_fail(r, &node->place, "%s '%s': 'copies' is %g; it must be a whole number from 1 to %d", what,
                               entry->key, number, CAROM_READER_COPIES);
    *count = (size_t)number;
    return carom_check_copies(r, what, entry, node);
}

carom_status carom_count_entries(const carom_reader *r, const char *section, const carom_node *entry, size_t copies,
                                 size_t *total)
{
    *total += copies ? copies : 1;
    if (*total <= CAROM_READER_ENTRIES)
        return CAROM_OK;
    return carom_read_fail(r, &entry->key_place,
                           "with '%.63s', '%s' has %zu entries, copies among them; at most %d are allowed", entry->key,
                           section, *total, CAROM_READER_ENTRIES);
}

carom_status carom_check_copies(const carom_reader *r, const char *what, const carom_node *entry,
                                const carom_node *node)
{
    if (r->copy)
        return carom_read_fail(r, &node->key_place,
                               "%s '%s' has copies within an entry that has copies; write its entries one by one", what,
                               entry->key);
    if (carom_reader_parameter_find(r, CAROM_COPY_NAME))
        return carom_read_fail(r, &node->key_place,
                               "%s '%s': in an entry with copies '" CAROM_COPY_NAME "' is the "
                               "number of the copy; give the parameter of that name another one",
                               what, entry->key);
    return CAROM_OK;
}

/* The copies of the body that a shape is on; NULL: it has none. */
static const carom_reader_copies *copies_of_body(const carom_reader *r, carom_object object, const carom_node *node)
{
    const carom_node *on = object == CAROM_OBJECT_SHAPE ? carom_node_find(node, "on") : NULL;
    return on && on->type == CAROM_NODE_SCALAR ? find(r, CAROM_OBJECT_BODY, on->text) : NULL;
}

bool carom_copies_of_body(const carom_reader *r, carom_object object, const carom_node *entry)
{
    return copies_of_body(r, object, entry) != NULL;
}

carom_status carom_reader_copy_count(carom_reader *r, carom_object object, const carom_node *node, size_t *count)
{
    *count = 0;
    if (node->type != CAROM_NODE_MAPPING || !carom_key_find(object, "copies"))
        return CAROM_OK;
    const carom_node *copies = carom_node_find(node, "copies"), *pattern = carom_node_find(node, "pattern");
    const carom_reader_copies *body = copies_of_body(r, object, node);
    if (copies && pattern)
        return carom_read_fail(r, &pattern->key_place,
                               "'%s': a pattern says how many copies there are; remove 'copies'", node->key);
    if (body && (copies || pattern))
        return carom_read_fail(r, &(copies ? copies : pattern)->key_place,
                               "shape '%s': the body '%s' has copies, and each has this shape; remove '%s', or put "
                               "the shape on '%s_$copy'",
                               node->key, body->name, copies ? "copies" : "pattern", body->name);
    if (body)
        *count = body->count;
    return copies ? carom_read_copy_count(r, carom_object_get(object)->name, node, copies, count) : CAROM_OK;
}

/* Keeps the name of an entry that has copies: of bodies and shapes it stands for all of them. */
static carom_status remember(carom_reader *r, carom_object object, const char *name, size_t count)
{
    carom_reader_copies *more = carom_arena_alloc(&r->scratch, r->copies_count + 1, sizeof *more);
    if (!more)
        return carom_fail_memory(r->ctx);
    if (r->copies_count)
        memcpy(more, r->copies, r->copies_count * sizeof *more);
    more[r->copies_count++] = (carom_reader_copies){name, count, object};
    r->copies = more;
    return CAROM_OK;
}

/* ---- the number of a copy ---- */

carom_status carom_reader_add_name(carom_reader *r, const char *name, carom_dimension dimension,
                                   carom_names_scope *former)
{
    const char **names = carom_arena_alloc(&r->scratch, r->count + 1, sizeof *names);
    double *values = carom_arena_alloc(&r->scratch, r->count + 1, sizeof *values);
    carom_dimension *dimensions = carom_arena_alloc(&r->scratch, r->count + 1, sizeof *dimensions);
    *former = (carom_names_scope){r->names, r->values, r->dimensions};
    if (!names || !values || !dimensions)
        return carom_fail_memory(r->ctx);
    if (r->count) {
        memcpy(names, r->names, r->count * sizeof *names);
        memcpy(values, r->values, r->count * sizeof *values);
        memcpy(dimensions, r->dimensions, r->count * sizeof *dimensions);
    }
    dimensions[r->count] = dimension;
    names[r->count++] = name;
    r->names = names;
    r->values = values;
    r->dimensions = dimensions;
    return CAROM_OK;
}

void carom_reader_remove_name(carom_reader *r, const carom_names_scope *former)
{
    r->count--;
    r->names = former->names;
    r->values = former->values;
    r->dimensions = former->dimensions;
}

carom_status carom_copies_begin(carom_reader *r, carom_names_scope *former)
{
    return carom_reader_add_name(r, CAROM_COPY_NAME, (carom_dimension){.kind = CAROM_DIMENSION_FREE}, former);
}

const char *carom_copies_next(carom_reader *r, const char *name, size_t number)
{
    r->values[r->count - 1] = (double)number;
    r->copy = number;
    return carom_arena_format(r->arena, "%s_%zu", name, number);
}

carom_status carom_copies_place(carom_reader *r, carom_shape_def *shape, size_t number)
{
    shape->on = carom_arena_format(r->arena, "%s_%zu", shape->on, number);
    return shape->on ? CAROM_OK : carom_fail_memory(r->ctx);
}

carom_status carom_copies_end(carom_reader *r, const carom_names_scope *former, carom_object object, const char *name,
                              size_t count, carom_status status)
{
    carom_reader_remove_name(r, former);
    r->copy = 0;
    const bool meant =
        object == CAROM_OBJECT_BODY || object == CAROM_OBJECT_SHAPE || object == CAROM_OBJECT_JOINT;
    return status == CAROM_OK && meant ? remember(r, object, name, count) : status;
}

/* ---- names with the number of a copy ---- */

/* Length of the `$copy` or `$(...)` at the beginning of a text; 0: there is none. */
static size_t placeholder(const char *text)
{
    const size_t word = strlen("$" CAROM_COPY_NAME);
    if (strncmp(text, "$" CAROM_COPY_NAME, word) == 0 && !carom_is_letter(text[word]))
        return word;
    if (text[0] != '$' || text[1] != '(')
        return 0;
    /* parentheses within are of functions */
    int open = 0;
    for (const char *c = text + 1; *c; c++) {
        open += *c == '(' ? 1 : *c == ')' ? -1 : 0;
        if (!open)
            return (size_t)(c - text) + 1;
    }
    return 0;
}

static bool has_placeholder(const char *text)
{
    for (const char *c = text ? strchr(text, '$') : NULL; c; c = strchr(c + 1, '$'))
        if (placeholder(c))
            return true;
    return false;
}

static bool tree_has_placeholder(const carom_node *node)
{
    if (has_placeholder(node->key) || (node->type == CAROM_NODE_SCALAR && has_placeholder(node->text)))
        return true;
    for (const carom_node *part = node->first; part; part = part->next)
        if (tree_has_placeholder(part))
            return true;
    return false;
}

/* The whole number of a placeholder. */
static carom_status number_of(carom_reader *r, const char *text, size_t length, const carom_place *place, size_t *out)
{
    double number = (double)r->copy;
    if (text[1] == '(') {
        carom_node value = {.type = CAROM_NODE_SCALAR, .quoted = true, .place = *place};
        value.text = carom_arena_text_n(&r->scratch, text + 2, length - 3);
        if (!value.text)
            return carom_fail_memory(r->ctx);
        CAROM_TRY(carom_read_number(r, &value, "-", &number));
    }
    if (!(number >= 0 && number <= 2 * CAROM_READER_COPIES) || number != floor(number))
        return carom_read_fail(r, place, "'%.*s' is %g for copy %zu; in a name it must be a whole number from 0",
                               (int)length, text, number, r->copy);
    *out = (size_t)number;
    return CAROM_OK;
}

/* A text with numbers for its placeholders. */
static carom_status fill_in(carom_reader *r, const char **text, const carom_place *place)
{
    if (!has_placeholder(*text))
        return CAROM_OK;
    carom_text filled = {.ctx = r->ctx};
    carom_status status = CAROM_OK;
    for (const char *c = *text; *c && status == CAROM_OK;) {
        const size_t length = placeholder(c);
        size_t number = 0;
        if (length)
            status = number_of(r, c, length, place, &number);
        if (length)
            carom_text_append(&filled, "%zu", number);
        else
            carom_text_append(&filled, "%c", *c);
        c += length ? length : 1;
    }
    if (status == CAROM_OK) {
        *text = filled.failed ? NULL : carom_arena_text(r->arena, filled.data);
        status = *text ? CAROM_OK : carom_fail_memory(r->ctx);
    }
    carom_text_clear(&filled);
    return status;
}

static carom_status clone(carom_reader *r, const carom_node *node, carom_node **out)
{
    carom_node *copy = carom_arena_alloc(&r->scratch, 1, sizeof *copy);
    if (!copy)
        return carom_fail_memory(r->ctx);
    *copy = *node;
    copy->first = copy->last = copy->next = NULL;
    if (node->key)
        CAROM_TRY(fill_in(r, &copy->key, &node->key_place));
    if (node->type == CAROM_NODE_SCALAR)
        CAROM_TRY(fill_in(r, &copy->text, &node->place));
    carom_node **next = &copy->first;
    for (const carom_node *part = node->first; part; part = part->next) {
        CAROM_TRY(clone(r, part, next));
        copy->last = *next;
        next = &(*next)->next;
    }
    *out = copy;
    return CAROM_OK;
}

/* ---- names of what has copies ---- */

/* What an entry of a joint, contact or load may name. */
static const carom_reader_copies *named(const carom_reader *r, carom_object object, const char *name)
{
    if (object == CAROM_OBJECT_CONTACT)
        return find(r, CAROM_OBJECT_SHAPE, name);
    const carom_reader_copies *body = find(r, CAROM_OBJECT_BODY, name);
    return body ? body : find(r, CAROM_OBJECT_JOINT, name);
}

/* The name with the number of the present copy: `ball` or `ball.pin` where `ball` has copies. */
static carom_status number_name(carom_reader *r, carom_object object, const char **text, const carom_place *place)
{
    const size_t length = strcspn(*text, ".");
    const char *name = carom_arena_text_n(&r->scratch, *text, length);
    if (!name)
        return carom_fail_memory(r->ctx);
    const carom_reader_copies *copies = named(r, object, name);
    if (!copies)
        return CAROM_OK;
    if (r->copy > copies->count)
        return carom_read_fail(r, place, "'%s' has %zu copies, and this is copy %zu", name, copies->count, r->copy);
    *text = carom_arena_format(r->arena, "%s_%zu%s", name, r->copy, *text + length);
    return *text ? CAROM_OK : carom_fail_memory(r->ctx);
}

/* The part of a joint, contact or load that names others; NULL: it has none. */
static carom_node *naming_part(carom_object object, const carom_node *node)
{
    static const char *const keys[] = {"between", "joints", "on"};
    const bool names = object == CAROM_OBJECT_JOINT || object == CAROM_OBJECT_CONTACT || object == CAROM_OBJECT_LOAD;
    for (size_t k = 0; names && k < CAROM_COUNT(keys); k++)
        for (carom_node *part = node->first; part; part = part->next)
            if (strcmp(part->key, keys[k]) == 0)
                return part;
    return NULL;
}

static carom_status number_names(carom_reader *r, carom_object object, carom_node *node)
{
    if (node->type == CAROM_NODE_SCALAR)
        return number_name(r, object, &node->text, &node->place);
    for (carom_node *part = node->first; part; part = part->next) {
        if (node->type == CAROM_NODE_MAPPING)
            CAROM_TRY(number_name(r, object, &part->key, &part->key_place));
        else
            CAROM_TRY(number_names(r, object, part));
    }
    return CAROM_OK;
}

carom_status carom_copies_node(carom_reader *r, carom_object object, const carom_node *node, const carom_node **out)
{
    carom_node *copy = NULL;
    *out = node;
    if (!tree_has_placeholder(node) && !(naming_part(object, node) && r->copies_count))
        return CAROM_OK;
    CAROM_TRY(clone(r, node, &copy));
    if (naming_part(object, copy))
        CAROM_TRY(number_names(r, object, naming_part(object, copy)));
    *out = copy;
    return CAROM_OK;
}

/* ---- shapes of a contact set ---- */

carom_status carom_read_shape_names(carom_reader *r, const carom_node *node, const char *const **out, size_t *count)
{
    const bool one = node->type == CAROM_NODE_SCALAR;
    if (node->type == CAROM_NODE_MAPPING || (!one && !node->count))
        return carom_read_fail(r, &node->place, "'all' takes a list of shapes, names or patterns such as 'wall*'");
    size_t most = 0, n = 0;
    for (const carom_node *part = one ? node : node->first; part; part = one ? NULL : part->next) {
        const char *text;
        CAROM_TRY(carom_read_text(r, part, &text));
        const carom_reader_copies *copies = find(r, CAROM_OBJECT_SHAPE, text);
        most += copies ? copies->count : 1;
    }
    const char **names = carom_arena_alloc(r->arena, most + 1, sizeof *names);
    if (!names)
        return carom_fail_memory(r->ctx);
    for (const carom_node *part = one ? node : node->first; part; part = one ? NULL : part->next) {
        const char *text;
        CAROM_TRY(carom_read_text(r, part, &text));
        const carom_reader_copies *copies = find(r, CAROM_OBJECT_SHAPE, text);
        for (size_t k = 0; k < (copies ? copies->count : 1); k++) {
            names[n] = copies ? carom_arena_format(r->arena, "%s_%zu", text, k + 1) : text;
            if (!names[n++])
                return carom_fail_memory(r->ctx);
        }
    }
    *out = names;
    *count = n;
    return CAROM_OK;
}

/* A name of copied shapes stands for all of them. */
static carom_status pattern_of(carom_reader *r, const carom_node *node, const char **out)
{
    CAROM_TRY(carom_read_text(r, node, out));
    if (find(r, CAROM_OBJECT_SHAPE, *out))
        *out = carom_arena_format(r->arena, "%s_*", *out);
    return *out ? CAROM_OK : carom_fail_memory(r->ctx);
}

carom_status carom_read_exceptions(carom_reader *r, const carom_node *node, const carom_except_def **out)
{
    if (node->type != CAROM_NODE_LIST)
        return carom_read_fail(r, &node->place, "'exclude' takes a list of pairs of shapes, [[shape, shape]]");
    carom_except_def *list = carom_arena_alloc(r->arena, node->count + 1, sizeof *list);
    if (!list)
        return carom_fail_memory(r->ctx);
    *out = list;
    for (const carom_node *part = node->first; part; part = part->next, list++) {
        if (part->type != CAROM_NODE_LIST || part->count != 2)
            return carom_read_fail(r, &part->place, "'exclude' takes a list of pairs of shapes, each [shape, shape]");
        list->place = part->place;
        CAROM_TRY(pattern_of(r, part->first, &list->shapes[0]));
        CAROM_TRY(pattern_of(r, part->first->next, &list->shapes[1]));
    }
    return CAROM_OK;
}
