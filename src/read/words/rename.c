/* Names of a part: those that it defines get a prefix, where they are defined and where its texts name them. What it
   does not define is the model's. Which texts are names, expressions or words follows from the table of keys. */
#include "read/reader.h"

#include <string.h>

typedef struct renamer {
    carom_reader *reader;
    carom_tree_maker tree;
    const char *prefix, *folder;
    carom_names values, objects;        /* names that stand in expressions by themselves, and all others */
    const char **object_names;
    size_t object_count;
    const char *const *arguments;       /* of the function or curve whose expression is renamed */
    size_t argument_count;
} renamer;

/* Sections whose entries are values; of functions the name is what stands before their arguments. */
static const char *const value_sections[] = {"parameters", "inputs", "states", "functions"};

static bool is_value_section(const char *key)
{
    for (size_t k = 0; k < CAROM_COUNT(value_sections); k++)
        if (strcmp(value_sections[k], key) == 0)
            return true;
    return false;
}

/* ---- words ---- */

static size_t word_length(const char *text, bool hyphens)
{
    size_t n = 0;
    while (carom_is_word_char(text[n]) || (hyphens && text[n] == '-'))
        n++;
    return n;
}

static bool known(const carom_names *names, const char *text, size_t length)
{
    char name[CAROM_NAME_LENGTH + 1];
    if (length == 0 || length >= sizeof name)
        return false;
    memcpy(name, text, length);
    name[length] = '\0';
    return carom_names_find(names, name) >= 0;
}

static bool is_argument(const renamer *n, const char *text, size_t length)
{
    for (size_t k = 0; k < n->argument_count; k++)
        if (strlen(n->arguments[k]) == length && strncmp(n->arguments[k], text, length) == 0)
            return true;
    return false;
}

/* An object by its name, that of a copy, `NAME_3` or `NAME_$copy`, or the beginning of a pattern, `NAME*`. */
static bool is_object(const renamer *n, const char *text, size_t length)
{
    if (known(&n->objects, text, length))
        return true;
    size_t base = length;
    while (base > 0 && carom_is_digit(text[base - 1]))
        base--;
    const bool numbered = base < length || text[length] == '$';
    if (numbered && base > 1 && text[base - 1] == '_' && known(&n->objects, text, base - 1))
        return true;
    for (size_t k = 0; text[length] == '*' && k < n->object_count; k++)
        if (strncmp(n->object_names[k], text, length) == 0)
            return true;
    return false;
}

/* ---- texts ---- */

static void add_expression(const renamer *n, const char *text, size_t length, carom_text *out);

/* A name of an object: `leg`, `leg.tip`, `leg_$copy.tip`, `leg_$(copy + 1)`, `leg*`. */
static void add_name(const renamer *n, const char *text, size_t length, carom_text *out)
{
    const size_t word = word_length(text, true);
    if (word <= length && is_object(n, text, word))
        carom_text_append(out, "%s", n->prefix);
    for (size_t k = 0; k < length;) {
        size_t end = k + 1;
        if (text[k] == '$' && text[k + 1] == '(') {
            while (end < length && text[end] != ')')
                end++;
            add_expression(n, text + k, end - k, out);
        } else {
            carom_text_append_n(out, text + k, 1);
        }
        k = end;
    }
}

/* Names in the parentheses of a measure, or the first one of a spline; returns how many characters were added. */
static size_t add_names(const renamer *n, const char *text, size_t length, bool first_only, carom_text *out)
{
    size_t k = 0;
    for (bool more = true; more && k < length;) {
        size_t start = k;
        while (k < length && text[k] == ' ')
            k++;
        carom_text_append_n(out, text + start, k - start);
        start = k;
        while (k < length && text[k] != ',' && text[k] != ')' && text[k] != '(')
            k++;
        add_name(n, text + start, k - start, out);
        more = !first_only && k < length && text[k] == ',';
        if (more)
            carom_text_append_n(out, text + k++, 1);
    }
    return k;
}

/* A word of an expression at its beginning, and what belongs to it; returns how many characters that were. */
static size_t add_word(const renamer *n, const char *text, size_t length, carom_text *out)
{
    size_t word = word_length(text, false), behind = word;
    char name[CAROM_NAME_LENGTH + 1] = "";
    if (word < sizeof name) {
        memcpy(name, text, word);
        name[word] = '\0';
    }
    while (behind < length && text[behind] == ' ')
        behind++;
    const bool call = behind < length && text[behind] == '(', own = known(&n->values, text, word);
    const bool argument = is_argument(n, text, word);
    if (own && !argument)
        carom_text_append(out, "%s", n->prefix);
    carom_text_append_n(out, text, word);
    if (!call && word + 1 < length && text[word] == '.' && carom_is_letter(text[word + 1])) {
        /* a path, contact.NAME.force */
        carom_text_append(out, ".");
        size_t object = word_length(text + word + 1, true);
        add_name(n, text + word + 1, object, out);
        word += 1 + object;
        const size_t start = word;
        while (word < length && (carom_is_word_char(text[word]) || text[word] == '.'))
            word++;
        carom_text_append_n(out, text + start, word - start);
        return word;
    }
    if (!call || own)
        return word;
    const bool table = strcmp(name, "spline") == 0 || strcmp(name, "trajectory") == 0;
    if (!table && carom_expr_is_reserved(name))
        return word;
    carom_text_append_n(out, text + word, behind + 1 - word);
    return behind + 1 + add_names(n, text + behind + 1, length - behind - 1, table, out);
}

static void add_expression(const renamer *n, const char *text, size_t length, carom_text *out)
{
    for (size_t k = 0; k < length;) {
        size_t end = k + 1;
        if (carom_is_digit(text[k]) || text[k] == '.') {
            /* a number, whose exponent is no word */
            while (end < length && (carom_is_word_char(text[end]) || text[end] == '.' ||
                                    ((text[end] == '-' || text[end] == '+') && strchr("eE", text[end - 1]))))
                end++;
            carom_text_append_n(out, text + k, end - k);
        } else if (carom_is_letter(text[k])) {
            end = k + add_word(n, text + k, length - k, out);
        } else {
            carom_text_append_n(out, text + k, 1);
        }
        k = end;
    }
}

typedef enum text_kind { TEXT_WORD, TEXT_NAME, TEXT_EXPRESSION, TEXT_VALUE, TEXT_FILE } text_kind;

/* A scalar of that kind. A word that is no number may be a reference, `$name`; the value of a parameter may be a word
   that names an object. */
static const char *renamed(renamer *n, const char *text, text_kind kind)
{
    carom_text out = {.ctx = n->reader->ctx};
    const size_t length = strlen(text), word = word_length(text, true);
    const bool value = word == length && known(&n->values, text, length);
    if (text[0] == '$' && known(&n->values, text + 1, word_length(text + 1, false)))
        carom_text_append(&out, "$%s%s", n->prefix, text + 1);
    else if (kind == TEXT_NAME || (kind == TEXT_VALUE && !value && carom_is_letter(*text) &&
                                   is_object(n, text, word) && (!text[word] || text[word] == '.')))
        add_name(n, text, length, &out);
    else if (kind == TEXT_EXPRESSION || kind == TEXT_VALUE)
        add_expression(n, text, length, &out);
    else if (kind == TEXT_FILE && text[0] != '/' && *n->folder)
        carom_text_append(&out, "%s%s", n->folder, text);
    else
        carom_text_append(&out, "%s", text);
    const char *copy = out.failed ? NULL : carom_arena_text(n->tree.arena, out.data ? out.data : "");
    carom_text_clear(&out);
    n->tree.failed = n->tree.failed || !copy;
    return copy;
}

/* ---- the tree ---- */

static carom_node *copy_of(renamer *n, const carom_node *node)
{
    carom_node *copy = n->tree.failed ? NULL : carom_make_copy(&n->tree, node);
    if (copy) {
        copy->first = copy->last = NULL;
        copy->count = 0;
    }
    return copy;
}

static void add(renamer *n, carom_node *to, carom_node *entry)
{
    if (to && entry && !n->tree.failed) {
        const char *key = entry->key;
        carom_make_entry(&n->tree, to, key, entry);
    }
}

/* A tree whose scalars are all of one kind; of names, keys of mappings as well: {body: [x, y]}. */
static carom_node *rename_all(renamer *n, const carom_node *node, text_kind kind)
{
    carom_node *out = copy_of(n, node);
    if (out && node->type == CAROM_NODE_SCALAR)
        out->text = renamed(n, node->text, kind);
    const bool points = kind == TEXT_NAME && node->type == CAROM_NODE_MAPPING;
    for (const carom_node *part = out ? node->first : NULL; part; part = part->next) {
        carom_node *entry = rename_all(n, part, points ? TEXT_EXPRESSION : kind);
        /* of the axes at a point, no body */
        const bool turn = node->count == 2 && part->key && strcmp(part->key, "orientation") == 0;
        if (entry && points && !turn)
            entry->key = renamed(n, part->key, TEXT_NAME);
        add(n, out, entry);
    }
    return out;
}

static carom_node *rename_object(renamer *n, carom_object object, const carom_node *node);

static carom_node *rename_actions(renamer *n, const carom_node *node)
{
    carom_node *out = copy_of(n, node);
    for (const carom_node *part = out ? node->first : NULL; part; part = part->next) {
        carom_node *entry = part->type == CAROM_NODE_MAPPING && !part->key ? rename_actions(n, part)
                            : part->key && strcmp(part->key, "set") != 0   ? rename_all(n, part, TEXT_NAME)
                                                                           : rename_all(n, part, TEXT_EXPRESSION);
        for (carom_node *set = entry && part->key ? entry->first : NULL; set; set = set->next)
            if (set->key)
                set->key = renamed(n, set->key, TEXT_EXPRESSION);
        add(n, out, entry);
    }
    return out;
}

/* `points`, `value`, ... of splines and trajectories, which are read by their own tables. */
static carom_node *rename_table(renamer *n, const carom_node *node)
{
    static const char *const words[] = {"ends", "degree", "between", "columns"};
    carom_node *out = copy_of(n, node);
    if (node->type != CAROM_NODE_MAPPING)
        return rename_all(n, node, TEXT_EXPRESSION);
    for (const carom_node *part = out ? node->first : NULL; part; part = part->next) {
        text_kind kind = strcmp(part->key, "file") == 0 ? TEXT_FILE : TEXT_EXPRESSION;
        for (size_t k = 0; k < CAROM_COUNT(words); k++)
            kind = strcmp(part->key, words[k]) == 0 ? TEXT_WORD : kind;
        add(n, out, rename_all(n, part, kind));
    }
    return out;
}

/* The entries of a section, and their names. */
static carom_node *rename_section(renamer *n, const carom_key *key, const carom_node *node, bool named)
{
    carom_node *out = copy_of(n, node);
    for (const carom_node *part = out ? node->first : NULL; part; part = part->next) {
        carom_node *entry = key->type == CAROM_KEY_MAP          ? rename_object(n, key->element, part)
                            : key->type == CAROM_KEY_PARAMETERS ? rename_all(n, part, TEXT_VALUE)
                                                                : rename_table(n, part);
        if (entry && named)
            entry->key = carom_arena_format(n->tree.arena, "%s%s", n->prefix, part->key);
        n->tree.failed = n->tree.failed || (entry && !entry->key);
        add(n, out, entry);
    }
    return out;
}

/* Functions: their arguments are their own. */
static carom_node *rename_functions(renamer *n, const carom_node *node)
{
    carom_node *out = copy_of(n, node);
    for (const carom_node *part = out ? node->first : NULL; part; part = part->next) {
        const char *names[CAROM_FUNCTION_ARGUMENTS];
        n->argument_count = 0;
        const char *at = strchr(part->key, '(');
        while (at && *at && *at != ')' && n->argument_count < CAROM_FUNCTION_ARGUMENTS) {
            at += 1 + strspn(at + 1, " ");
            const size_t length = word_length(at, false);
            const char *name = carom_arena_text_n(n->tree.arena, at, length);
            n->tree.failed = n->tree.failed || !name;
            if (name && length)
                names[n->argument_count++] = name;
            at += length + strspn(at + length, " ");
        }
        n->arguments = names;
        carom_node *entry = rename_all(n, part, TEXT_EXPRESSION);
        n->argument_count = 0;
        if (entry)
            entry->key = carom_arena_format(n->tree.arena, "%s%s", n->prefix, part->key);
        add(n, out, entry);
    }
    return out;
}

static text_kind kind_of_key(const carom_key *key)
{
    switch (key->type) {
    case CAROM_KEY_TEXT:
    case CAROM_KEY_WORD:
    case CAROM_KEY_KIND:
    case CAROM_KEY_YES:
    case CAROM_KEY_COLUMNS:
    case CAROM_KEY_VERSION:
        return TEXT_WORD;
    case CAROM_KEY_NAME:
        return strcmp(key->name, "point") == 0 ? TEXT_WORD : TEXT_NAME;
    case CAROM_KEY_FRAME:
    case CAROM_KEY_FRAME_PAIR:
    case CAROM_KEY_NAME_PAIR:
    case CAROM_KEY_JOINT_NAMES:
    case CAROM_KEY_TEXTS:
    case CAROM_KEY_SHAPE_NAMES:
    case CAROM_KEY_EXCEPTIONS:
        return TEXT_NAME;
    case CAROM_KEY_POINT_FILE:
        return TEXT_FILE;
    default:
        return TEXT_EXPRESSION;
    }
}

/* The row of a parameter in the kinds that a mapping names, or in any of the family; NULL: there is none. */
static const carom_param_row *find_row(const renamer *n, carom_object object, const carom_node *node, const char *name)
{
    const carom_object_row *row = carom_object_get(object);
    carom_context *ctx = n->reader->ctx;
    const carom_node *type = carom_node_find(node, row->kind_key ? row->kind_key : "type");
    const char *own = row->kind ? row->kind : type && type->type == CAROM_NODE_SCALAR ? type->text : "";
    const carom_param_row *found = NULL;
    if (!row->has_family)
        return NULL;
    for (size_t k = 0; k < carom_kind_count(ctx, row->family); k++) {
        const carom_kind *kind = carom_kind_at(ctx, row->family, k);
        const bool meant = strcmp(kind->name, own) == 0;
        for (int p = 0; p < kind->param_count; p++)
            if (strcmp(kind->params[p].name, name) == 0 && (meant || !found))
                found = &kind->params[p];
        if (meant && found)
            return found;
    }
    return found;
}

static carom_node *rename_param(renamer *n, const carom_param_row *row, const carom_node *node)
{
    const unsigned names = CAROM_PARAM_SPLINE | CAROM_PARAM_FRAME;
    const unsigned files = CAROM_PARAM_MESH | CAROM_PARAM_TRIANGLES | CAROM_PARAM_GRID_FILE;
    if (row && (row->flags & CAROM_PARAM_OUTLINE)) {
        carom_node *out = copy_of(n, node);
        for (const carom_node *part = out ? node->first : NULL; part; part = part->next)
            add(n, out, rename_object(n, CAROM_OBJECT_SEGMENT, part));
        return out;
    }
    return rename_all(n, node,
                      !row                   ? TEXT_EXPRESSION
                      : row->flags & files   ? TEXT_FILE
                      : row->flags & names   ? TEXT_NAME
                      : row->flags & CAROM_PARAM_TEXT && !(row->flags & CAROM_PARAM_EVEN) ? TEXT_WORD
                                             : TEXT_EXPRESSION);
}

static carom_node *rename_entry(renamer *n, carom_object object, const carom_node *owner, const carom_node *node)
{
    const carom_key *key = carom_key_find(object, node->key);
    const bool mapping = node->type == CAROM_NODE_MAPPING;
    if (!key)
        return rename_param(n, find_row(n, object, owner, node->key), node);
    if (key->type == CAROM_KEY_FUNCTIONS && mapping)
        return rename_functions(n, node);
    if ((key->type == CAROM_KEY_PARAMETERS || key->type == CAROM_KEY_SPLINES || key->type == CAROM_KEY_TRAJECTORIES ||
         key->type == CAROM_KEY_MAP) &&
        mapping)
        return rename_section(n, key, node, object == CAROM_OBJECT_MODEL);
    if ((key->type == CAROM_KEY_SECTION || key->type == CAROM_KEY_SAMPLED || key->type == CAROM_KEY_PATTERN) && mapping)
        return rename_object(n, key->element, node);
    if (key->type == CAROM_KEY_ACTIONS)
        return rename_actions(n, node);
    if (key->type == CAROM_KEY_SECTION) /* the name of a law in its place */
        return rename_all(n, node, TEXT_WORD);
    return rename_all(n, node, kind_of_key(key));
}

static carom_node *rename_object(renamer *n, carom_object object, const carom_node *node)
{
    static const char *const polar[] = {"phi"}, *const trace[] = {"u"};
    const carom_object_row *row = carom_object_get(object);
    if (node->type != CAROM_NODE_MAPPING) {
        const carom_key *key = row->shorthand ? carom_key_find(object, row->shorthand) : NULL;
        return rename_all(n, node, key ? kind_of_key(key) : TEXT_EXPRESSION);
    }
    carom_node *out = copy_of(n, node);
    const bool curve = object == CAROM_OBJECT_POLAR || object == CAROM_OBJECT_TRACE;
    if (curve) {
        n->arguments = object == CAROM_OBJECT_POLAR ? polar : trace;
        n->argument_count = 1;
    }
    for (const carom_node *part = out ? node->first : NULL; part; part = part->next)
        add(n, out, rename_entry(n, object, node, part));
    if (curve)
        n->argument_count = 0;
    return out;
}

/* ---- the part ---- */

/* The names that the part defines. */
static carom_status gather(renamer *n, const carom_node *part)
{
    size_t counts[2] = {0, 0};
    for (const carom_node *section = part->first; section; section = section->next)
        counts[is_value_section(section->key)] += section->type == CAROM_NODE_MAPPING ? section->count : 0;
    CAROM_TRY(carom_names_create(n->tree.arena, counts[0], &n->objects));
    CAROM_TRY(carom_names_create(n->tree.arena, counts[1], &n->values));
    n->object_names = carom_arena_alloc(n->tree.arena, counts[0] + 1, sizeof *n->object_names);
    if (!n->object_names)
        return carom_fail_memory(n->reader->ctx);
    for (const carom_node *section = part->first; section; section = section->next) {
        carom_names *names = is_value_section(section->key) ? &n->values : &n->objects;
        for (const carom_node *e = section->type == CAROM_NODE_MAPPING ? section->first : NULL; e; e = e->next) {
            const char *name = carom_arena_text_n(n->tree.arena, e->key, strcspn(e->key, " ("));
            if (!name)
                return carom_fail_memory(n->reader->ctx);
            carom_names_add(names, name, 1);
            if (names == &n->objects)
                n->object_names[n->object_count++] = name;
        }
    }
    return CAROM_OK;
}

carom_status carom_reader_rename(carom_reader *r, const carom_node *part, const char *prefix, const char *folder,
                                 const carom_node **out)
{
    renamer n = {.reader = r, .tree = {.arena = r->arena, .place = part->place}, .prefix = prefix, .folder = folder};
    CAROM_TRY(gather(&n, part));
    *out = rename_object(&n, CAROM_OBJECT_MODEL, part);
    return n.tree.failed || !*out ? carom_fail_memory(r->ctx) : CAROM_OK;
}
