/* Parts: files of bodies, joints, contacts, ... with parameters of their own that a model includes under a prefix, as
   often as it wants. A part may include others. */
#include "read/reader.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define MOST_PARTS 1000
#define DEEPEST 16

/* A file whose parts are put in. */
typedef struct level {
    carom_reader *reader;
    const struct level *outer;  /* the file that includes it; NULL: it is the model */
    const char *file, *folder;  /* the folder ends with '/', or is "" */
    const carom_node *dimension;/* of the model; NULL: it says none */
    size_t *count;              /* of parts so far */
    int depth;
} level;

/* An entry of `include` that names a part. */
typedef struct inclusion {
    const carom_node *node, *file, *prefix, *parameters;
    size_t copies;              /* 0: it has none */
} inclusion;

static const char *folder_of(carom_arena *arena, const char *file)
{
    const char *slash = strrchr(file, '/');
    return carom_arena_text_n(arena, file, slash ? (size_t)(slash - file) + 1 : 0);
}

static const carom_node *file_of(const carom_node *entry)
{
    const carom_node *file = entry->type == CAROM_NODE_MAPPING ? carom_node_find(entry, "file") : entry;
    return file && file->type == CAROM_NODE_SCALAR ? file : NULL;
}

static bool is_part(const carom_node *entry)
{
    static const char *const endings[] = {".yaml", ".yml", ".json"};
    const carom_node *file = file_of(entry);
    const size_t length = file ? strlen(file->text) : 0;
    for (size_t k = 0; k < CAROM_COUNT(endings); k++)
        if (length > strlen(endings[k]) && strcmp(file->text + length - strlen(endings[k]), endings[k]) == 0)
            return true;
    return false;
}

/* ---- what an entry says ---- */

static carom_status read_copies(const carom_reader *r, const carom_node *node, size_t *out)
{
    double number = 0;
    if (node->type != CAROM_NODE_SCALAR || !carom_parse_number(node->text, strlen(node->text), &number) ||
        !(number >= 1 && number <= MOST_PARTS) || number != floor(number))
        return carom_read_fail(r, &node->place, "'copies' of a part is a whole number from 1 to %d, and no expression",
                               MOST_PARTS);
    *out = (size_t)number;
    return CAROM_OK;
}

static carom_status read_inclusion(const carom_reader *r, const carom_node *node, inclusion *out)
{
    static const char *const keys[] = {"file", "prefix", "parameters", "copies"};
    char hint[CAROM_SUGGESTION];
    *out = (inclusion){.node = node, .file = file_of(node)};
    for (const carom_node *n = node->type == CAROM_NODE_MAPPING ? node->first : NULL; n; n = n->next) {
        size_t key = 0;
        while (key < CAROM_COUNT(keys) && strcmp(keys[key], n->key) != 0)
            key++;
        if (key == CAROM_COUNT(keys) && carom_key_find(CAROM_OBJECT_INCLUDE, n->key))
            return carom_read_fail(r, &n->key_place,
                                   "'%s' is for robots; a part stands where its `parameters` put it", n->key);
        if (key == CAROM_COUNT(keys))
            return carom_read_fail(r, &n->key_place, "unknown key '%.63s' of a part%s", n->key,
                                   carom_suggest(n->key, keys, CAROM_COUNT(keys), hint, sizeof hint));
        if (key == 3)
            CAROM_TRY(read_copies(r, n, &out->copies));
        out->prefix = key == 1 ? n : out->prefix;
        out->parameters = key == 2 ? n : out->parameters;
    }
    if (out->parameters && out->parameters->type != CAROM_NODE_MAPPING)
        return carom_read_fail(r, &out->parameters->place, "'parameters' of a part is a mapping, `name: value`");
    if (out->copies && !out->prefix)
        return carom_read_fail(r, &node->place, "a part with copies needs a `prefix`: its names are PREFIX1_NAME, ...");
    if (!out->prefix)
        return CAROM_OK;
    CAROM_TRY(carom_read_scalar(r, out->prefix, "a prefix"));
    CAROM_TRY(carom_check_name(r, "part", out->prefix->text, &out->prefix->place));
    if (strchr(out->prefix->text, '-'))
        return carom_read_fail(r, &out->prefix->place,
                               "the prefix '%s' would be a subtraction in an expression; write '_'", out->prefix->text);
    return CAROM_OK;
}

/* ---- parameters ---- */

/* The text with the number of the copy in the places of the word `copy`. */
static const char *number_copy(carom_reader *r, const char *text, size_t copy)
{
    const size_t before = r->copy;
    const char *out = text;
    r->copy = copy;
    const carom_status status = carom_reader_number_copy(r, &out);
    r->copy = before;
    return status == CAROM_OK ? out : NULL;
}

/* Puts the values that the entry gives into the part, whose names have their prefix. */
static carom_status give_parameters(carom_reader *r, const inclusion *inc, const char *prefix, size_t copy,
                                    const carom_node *part)
{
    const carom_node *own = carom_node_find(part, "parameters");
    const size_t skip = strlen(prefix);
    for (const carom_node *n = inc->parameters ? inc->parameters->first : NULL; n; n = n->next) {
        char hint[CAROM_SUGGESTION] = "";
        carom_node *found = NULL;
        for (carom_node *p = own && own->type == CAROM_NODE_MAPPING ? own->first : NULL; p; p = p->next) {
            const char *name = p->key + skip;
            found = strcmp(name, n->key) == 0 ? p : found;
            if (!hint[0])
                carom_suggest(n->key, &name, 1, hint, sizeof hint);
        }
        if (!found)
            return carom_read_fail(r, &n->key_place, "the part '%s' has no parameter '%.63s'%s", inc->file->text,
                                   n->key, hint);
        CAROM_TRY(carom_read_scalar(r, n, "a number, an expression or a word"));
        found->text = copy ? number_copy(r, n->text, copy) : n->text;
        found->quoted = n->quoted;
        found->place = n->place;
        if (!found->text)
            return carom_fail_memory(r->ctx);
    }
    return CAROM_OK;
}

/* ---- one part ---- */

/* The part without what it says of runs of its own. */
static carom_status without_run(const level *l, const carom_node *root, const carom_node **out)
{
    static const char *const alone[] = {"carom", "title", "dimension", "gravity", "run", "files"};
    carom_reader *r = l->reader;
    carom_tree_maker tree = {.arena = r->arena, .place = root->place};
    const carom_node *dimension = carom_node_find(root, "dimension");
    carom_node *copy = carom_make_copy(&tree, root);
    if (dimension && l->dimension && strcmp(dimension->text ? dimension->text : "", l->dimension->text) != 0)
        return carom_read_fail(r, &dimension->place, "the part has dimension %s, and the model that includes it %s",
                               dimension->text ? dimension->text : "?", l->dimension->text);
    if (copy) {
        copy->first = copy->last = NULL;
        copy->count = 0;
    }
    for (const carom_node *n = copy ? root->first : NULL; n; n = n->next) {
        size_t k = 0;
        while (k < CAROM_COUNT(alone) && strcmp(alone[k], n->key) != 0)
            k++;
        if (k == CAROM_COUNT(alone)) {
            carom_node *entry = carom_make_copy(&tree, n);
            carom_make_entry(&tree, copy, n->key, entry);
        }
    }
    *out = copy;
    return tree.failed ? carom_fail_memory(r->ctx) : CAROM_OK;
}

static carom_status parse_file(carom_reader *r, const inclusion *inc, const char *path, const carom_node **root)
{
    carom_text text = {.ctx = r->ctx};
    carom_status status = carom_text_read(&text, path, CAROM_TREE_BYTES);
    if (status == CAROM_ERROR_IO) {
        char why[CAROM_ERROR_TEXT / 2];
        snprintf(why, sizeof why, "%s", carom_context_error(r->ctx));
        status = carom_fail(r->ctx, CAROM_ERROR_MODEL, &inc->file->place,
                            "include: %s; paths are seen from the folder of the file that includes", why);
    } else if (status == CAROM_OK) {
        status = carom_tree_parse(r->arena, path, text.data ? text.data : "", text.length, root);
    }
    carom_text_clear(&text);
    CAROM_TRY(status);
    if ((*root)->type != CAROM_NODE_MAPPING)
        return carom_read_fail(r, &(*root)->place, "a part is a mapping with `parameters`, `bodies`, `joints`, ...");
    return CAROM_OK;
}

static carom_status expand(const level *l, const carom_node *root, const carom_node **out);

/* The part with its own parts, without prefix. */
static carom_status read_part(const level *l, const inclusion *inc, const carom_node **out, const char **folder)
{
    carom_reader *r = l->reader;
    const carom_node *root = NULL;
    const char *path = inc->file->text[0] == '/' ? carom_arena_text(r->arena, inc->file->text)
                                                 : carom_arena_format(r->arena, "%s%s", l->folder, inc->file->text);
    const char *own = path ? folder_of(r->arena, path) : NULL;
    if (!own)
        return carom_fail_memory(r->ctx);
    for (const level *outer = l; outer; outer = outer->outer)
        if (strcmp(outer->file, path) == 0)
            return carom_read_fail(r, &inc->file->place, "'%s' includes itself%s%s%s", path, outer == l ? "" : " by '",
                                   outer == l ? "" : l->file, outer == l ? "" : "'");
    if (l->depth == DEEPEST || ++*l->count > MOST_PARTS)
        return carom_read_fail(r, &inc->file->place, "parts are included %d deep and %d times at most", DEEPEST,
                               MOST_PARTS);
    CAROM_TRY(parse_file(r, inc, path, &root));
    const level inner = {r, l, path, own, l->dimension, l->count, l->depth + 1};
    CAROM_TRY(without_run(&inner, root, &root));
    *folder = inc->file->text[0] == '/' ? own : folder_of(r->arena, inc->file->text);
    return *folder ? expand(&inner, root, out) : carom_fail_memory(r->ctx);
}

/* The part under its prefix, with the parameters that it is given; `copy` is 0 where it has none. */
static carom_status place_part(const level *l, const inclusion *inc, size_t copy, const carom_node **out)
{
    carom_reader *r = l->reader;
    const char *prefix = inc->prefix ? inc->prefix->text : "", *folder = "";
    const carom_node *part = NULL;
    if (copy)
        prefix = carom_arena_format(r->arena, "%s%zu_", prefix, copy);
    if (!prefix)
        return carom_fail_memory(r->ctx);
    CAROM_TRY(read_part(l, inc, &part, &folder));
    CAROM_TRY(carom_reader_rename(r, part, prefix, folder, out));
    return give_parameters(r, inc, prefix, copy, *out);
}

/* ---- all parts of a file ---- */

/* Sorts what is included into parts, whose number is `most` at most, and others, which stay in a list. */
static carom_status sort(const level *l, const carom_node *include, inclusion *parts, size_t *count, size_t *trees,
                         carom_node *others)
{
    carom_reader *r = l->reader;
    carom_tree_maker tree = {.arena = r->arena, .place = include->place};
    const bool list = include->type == CAROM_NODE_LIST;
    *count = *trees = 0;
    for (const carom_node *n = list ? include->first : include; n; n = list ? n->next : NULL) {
        if (is_part(n)) {
            CAROM_TRY(read_inclusion(r, n, &parts[*count]));
            *trees += parts[*count].copies ? parts[*count].copies : 1;
            ++*count;
        } else if (l->outer) {
            return carom_read_fail(r, &n->place,
                                   "a part includes parts, files that end with .yaml, .yml or .json; include the robot "
                                   "in the model");
        } else {
            carom_make_entry(&tree, others, NULL, carom_make_copy(&tree, n));
        }
    }
    return tree.failed ? carom_fail_memory(r->ctx) : CAROM_OK;
}

static carom_status expand(const level *l, const carom_node *root, const carom_node **out)
{
    carom_reader *r = l->reader;
    const carom_node *include = carom_node_find(root, "include");
    *out = root;
    if (!include)
        return CAROM_OK;
    carom_tree_maker tree = {.arena = r->arena, .place = include->place};
    carom_node *others = carom_make_list(&tree);
    inclusion *parts = carom_arena_alloc(r->arena, include->count + 1, sizeof *parts);
    size_t count, trees, made = 0;
    if (!others || !parts)
        return carom_fail_memory(r->ctx);
    others->key = include->key;
    others->key_place = include->key_place;
    CAROM_TRY(sort(l, include, parts, &count, &trees, others));
    if (!count)
        return CAROM_OK;
    const carom_node **included = carom_arena_alloc(r->arena, trees + 1, sizeof *included);
    if (!included)
        return carom_fail_memory(r->ctx);
    for (size_t k = 0; k < count; k++)
        for (size_t copy = parts[k].copies ? 1 : 0; copy <= parts[k].copies; copy++)
            CAROM_TRY(place_part(l, &parts[k], copy, &included[made++]));
    return carom_reader_put_before(r, root, included, made, others->count ? others : NULL, out);
}

carom_status carom_reader_parts(carom_reader *r, const carom_node *root, const carom_node **out)
{
    size_t count = 0;
    const char *folder = folder_of(r->arena, r->file);
    if (!folder)
        return carom_fail_memory(r->ctx);
    const carom_node *dimension = carom_node_find(root, "dimension");
    const level model = {.reader = r, .file = r->file, .folder = folder, .count = &count,
                         .dimension = dimension && dimension->type == CAROM_NODE_SCALAR ? dimension : NULL};
    CAROM_TRY(expand(&model, root, out));
    if (*out != root)
        r->expanded = *out;
    return CAROM_OK;
}
