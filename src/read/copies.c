/* Copies of a body: one entry of the file that is read many times, with the number of the copy as the name `copy`. */
#include "read/reader.h"

#include <math.h>
#include <string.h>

/* Name of the number of a copy, from 1, in the expressions of its entry. */
#define COPY_NAME "copy"

static const carom_reader_copies *find(const carom_reader *r, const char *name)
{
    for (size_t k = 0; k < r->copies_count; k++)
        if (strcmp(r->copies[k].name, name) == 0)
            return &r->copies[k];
    return NULL;
}

/* `copies` of a body. */
static carom_status read_count(carom_reader *r, const char *body, const carom_node *node, size_t *count)
{
    double number;
    CAROM_TRY(carom_read_number(r, node, "-", &number));
    if (!(number >= 1 && number <= CAROM_READER_COPIES) || number != floor(number))
        return carom_read_fail(r, &node->place, "body '%s': 'copies' is %g; it must be a whole number from 1 to %d",
                               body, number, CAROM_READER_COPIES);
    if (carom_reader_parameter_find(r, COPY_NAME))
        return carom_read_fail(r, &node->key_place,
                               "body '%s': in the entry of a body with copies '" COPY_NAME "' is the "
                               "number of the copy; give the parameter of that name another one",
                               body);
    *count = (size_t)number;
    return CAROM_OK;
}

carom_status carom_reader_copy_count(carom_reader *r, carom_object object, const carom_node *node, size_t *count)
{
    const carom_node *on = object == CAROM_OBJECT_SHAPE ? carom_node_find(node, "on") : NULL;
    const carom_node *copies = object == CAROM_OBJECT_BODY ? carom_node_find(node, "copies") : NULL;
    *count = 0;
    if (node->type != CAROM_NODE_MAPPING)
        return CAROM_OK;
    if (copies)
        return read_count(r, node->key, copies, count);
    if (on && on->type == CAROM_NODE_SCALAR && find(r, on->text))
        *count = find(r, on->text)->count;
    return CAROM_OK;
}

/* Keeps the name of an entry that has copies. */
static carom_status remember(carom_reader *r, carom_object object, const char *name, size_t count)
{
    carom_reader_copies *more = carom_arena_alloc(&r->scratch, r->copies_count + 1, sizeof *more);
    if (!more)
        return carom_fail_memory(r->ctx);
    if (r->copies_count)
        memcpy(more, r->copies, r->copies_count * sizeof *more);
    more[r->copies_count++] = (carom_reader_copies){name, count, object == CAROM_OBJECT_SHAPE};
    r->copies = more;
    return CAROM_OK;
}

/* ---- the number of a copy ---- */

carom_status carom_copies_begin(carom_reader *r, carom_copies_scope *former)
{
    const char **names = carom_arena_alloc(&r->scratch, r->count + 1, sizeof *names);
    double *values = carom_arena_alloc(&r->scratch, r->count + 1, sizeof *values);
    carom_dimension *dimensions = carom_arena_alloc(&r->scratch, r->count + 1, sizeof *dimensions);
    *former = (carom_copies_scope){r->names, r->values, r->dimensions};
    if (!names || !values || !dimensions)
        return carom_fail_memory(r->ctx);
    if (r->count) {
        memcpy(names, r->names, r->count * sizeof *names);
        memcpy(values, r->values, r->count * sizeof *values);
        memcpy(dimensions, r->dimensions, r->count * sizeof *dimensions);
    }
    dimensions[r->count] = (carom_dimension){.kind = CAROM_DIMENSION_FREE};
    names[r->count++] = COPY_NAME;
    r->names = names;
    r->values = values;
    r->dimensions = dimensions;
    return CAROM_OK;
}

const char *carom_copies_next(carom_reader *r, const char *name, size_t number)
{
    r->values[r->count - 1] = (double)number;
    return carom_arena_format(r->arena, "%s_%zu", name, number);
}

carom_status carom_copies_place(carom_reader *r, carom_shape_def *shape, size_t number)
{
    shape->on = carom_arena_format(r->arena, "%s_%zu", shape->on, number);
    return shape->on ? CAROM_OK : carom_fail_memory(r->ctx);
}

carom_status carom_copies_end(carom_reader *r, const carom_copies_scope *former, carom_object object, const char *name,
                              size_t count, carom_status status)
{
    r->count--;
    r->names = former->names;
    r->values = former->values;
    r->dimensions = former->dimensions;
    return status == CAROM_OK ? remember(r, object, name, count) : status;
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
        const carom_reader_copies *copies = find(r, text);
        most += copies ? copies->count : 1;
    }
    const char **names = carom_arena_alloc(r->arena, most + 1, sizeof *names);
    if (!names)
        return carom_fail_memory(r->ctx);
    for (const carom_node *part = one ? node : node->first; part; part = one ? NULL : part->next) {
        const char *text;
        CAROM_TRY(carom_read_text(r, part, &text));
        const carom_reader_copies *copies = find(r, text);
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
    if (find(r, *out))
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
