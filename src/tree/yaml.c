/* Events of libyaml to a tree. The typing of scalars is the schema's, not YAML's. */
#include "tree/tree.h"

#include <stdio.h>
#include <string.h>
#include <yaml.h>

typedef struct builder {
    carom_context *ctx;
    carom_arena *arena;
    const char *file;
    carom_node *stack[CAROM_TREE_DEPTH];
    int depth;
    size_t nodes;
    const char *key; /* read, its value not yet */
    carom_place key_place;
    carom_node *root;
    bool ended; /* the first document is complete */
} builder;

const carom_node *carom_node_find(const carom_node *mapping, const char *key)
{
    for (const carom_node *n = mapping->first; n; n = n->next)
        if (strcmp(n->key, key) == 0)
            return n;
    return NULL;
}

static carom_place place_of(const builder *b, yaml_mark_t mark)
{
    return (carom_place){b->file, (int)mark.line + 1, (int)mark.column + 1};
}

/* ---- duplicate keys ---- */

/* Compares each key with the earlier ones by way of a hash table, so that a long mapping takes no quadratic time. */
static carom_status check_duplicates(const builder *b, const carom_node *mapping)
{
    size_t slots = 16;
    while (slots < 2 * mapping->count)
        slots *= 2;
    const carom_node **table = carom_allocate(b->ctx, slots, sizeof(void *));
    if (!table)
        return carom_fail_memory(b->ctx);
    carom_status status = CAROM_OK;
    for (const carom_node *n = mapping->first; n && status == CAROM_OK; n = n->next) {
        size_t k = (size_t)carom_hash(n->key, strlen(n->key), 0) & (slots - 1);
        while (table[k] && strcmp(table[k]->key, n->key) != 0)
            k = (k + 1) & (slots - 1);
        if (table[k])
            status = carom_fail(b->ctx, CAROM_ERROR_MODEL, &n->key_place,
                                "duplicate key '%.80s': it stands in line %d already; remove or rename one", n->key,
                                table[k]->key_place.line);
        table[k] = n;
    }
    carom_release(b->ctx, table, slots, sizeof(void *));
    return status;
}

/* ---- building ---- */

/* Parentheses that stay open: the rest of an expression stands behind a comma that the braces took for theirs. */
static bool is_cut_expression(const char *text)
{
    int open = 0;
    for (; *text; text++)
        open += (*text == '(') - (*text == ')');
    return open > 0;
}

static carom_status new_node(builder *b, carom_node_type type, yaml_mark_t mark, carom_node **out)
{
    carom_place place = place_of(b, mark);
    if (++b->nodes > CAROM_TREE_NODES)
        return carom_fail(b->ctx, CAROM_ERROR_MODEL, &place, "more than %zu values in one model; is it a model file?",
                          CAROM_TREE_NODES);
    carom_node *node = carom_arena_alloc(b->arena, 1, sizeof *node);
    if (!node)
        return carom_fail_memory(b->ctx);
    node->type = type;
    node->place = place;
    *out = node;
    return CAROM_OK;
}

/* Puts a complete or opened node where it belongs: root, entry of a list, or value of the waiting key. */
static carom_status attach(builder *b, carom_node *node)
{
    if (b->depth == 0) {
        b->root = node;
        return CAROM_OK;
    }
    carom_node *parent = b->stack[b->depth - 1];
    if (parent->type == CAROM_NODE_MAPPING) {
        if (!b->key)
            return carom_fail(b->ctx, CAROM_ERROR_MODEL, &node->place, "a key must be a word, not a mapping or a list");
        node->key = b->key;
        node->key_place = b->key_place;
        b->key = NULL;
    }
    if (parent->last)
        parent->last->next = node;
    else
        parent->first = node;
    parent->last = node;
    parent->count++;
    return CAROM_OK;
}

static carom_status open_node(builder *b, carom_node_type type, bool flow, yaml_mark_t mark)
{
    carom_node *node;
    if (b->depth >= CAROM_TREE_DEPTH) {
        carom_place place = place_of(b, mark);
        return carom_fail(b->ctx, CAROM_ERROR_MODEL, &place,
                          "nested deeper than %d levels; a model needs fewer than ten: is a bracket or an indentation "
                          "wrong?",
                          CAROM_TREE_DEPTH);
    }
    CAROM_TRY(new_node(b, type, mark, &node));
    node->flow = flow;
    CAROM_TRY(attach(b, node));
    b->stack[b->depth++] = node;
    return CAROM_OK;
}

static carom_status read_key(builder *b, const char *text, bool quoted, carom_place place)
{
    if (!*text)
        return carom_fail(b->ctx, CAROM_ERROR_MODEL, &place, "a key is missing before ':'");
    if (strcmp(text, "<<") == 0 && !quoted)
        return carom_fail(b->ctx, CAROM_ERROR_MODEL, &place,
                          "merge keys ('<<') are not part of the model format; write the keys out");
    if (++b->nodes > CAROM_TREE_NODES)
        return carom_fail(b->ctx, CAROM_ERROR_MODEL, &place, "more than %zu values in one model; is it a model file?",
                          CAROM_TREE_NODES);
    b->key = carom_arena_text(b->arena, text);
    b->key_place = place;
    return b->key ? CAROM_OK : carom_fail_memory(b->ctx);
}

static carom_status read_scalar(builder *b, const yaml_event_t *event)
{
    const char *text = (const char *)event->data.scalar.value;
    yaml_scalar_style_t style = event->data.scalar.style;
    bool quoted = style != YAML_PLAIN_SCALAR_STYLE;
    carom_node *parent = b->depth > 0 ? b->stack[b->depth - 1] : NULL;
    carom_place place = place_of(b, event->start_mark);
    if (strlen(text) != event->data.scalar.length)
        return carom_fail(b->ctx, CAROM_ERROR_MODEL, &place, "the text holds a NUL character (\\0)");
    if (!quoted && parent && parent->flow && is_cut_expression(text))
        return carom_fail(b->ctx, CAROM_ERROR_MODEL, &place,
                          "the parenthesis in '%.80s' stays open: inside {} or [] an expression that holds a comma is "
                          "quoted, \"%.40s, ...)\"",
                          text, text);
    if (parent && parent->type == CAROM_NODE_MAPPING && !b->key)
        return read_key(b, text, quoted, place);
    carom_node *node;
    CAROM_TRY(new_node(b, CAROM_NODE_SCALAR, event->start_mark, &node));
    node->quoted = quoted;
    if (style == YAML_SINGLE_QUOTED_SCALAR_STYLE || style == YAML_DOUBLE_QUOTED_SCALAR_STYLE)
        node->place.column++;
    node->text = carom_arena_text(b->arena, text);
    if (!node->text)
        return carom_fail_memory(b->ctx);
    return attach(b, node);
}

static carom_status refuse_extras(builder *b, const yaml_event_t *event)
{
    const unsigned char *anchor = NULL, *tag = NULL;
    carom_place place = place_of(b, event->start_mark);
    if (event->type == YAML_SCALAR_EVENT) {
        anchor = event->data.scalar.anchor;
        tag = event->data.scalar.tag;
    } else if (event->type == YAML_MAPPING_START_EVENT) {
        anchor = event->data.mapping_start.anchor;
        tag = event->data.mapping_start.tag;
    } else if (event->type == YAML_SEQUENCE_START_EVENT) {
        anchor = event->data.sequence_start.anchor;
        tag = event->data.sequence_start.tag;
    } else if (event->type == YAML_ALIAS_EVENT) {
        return carom_fail(b->ctx, CAROM_ERROR_MODEL, &place,
                          "the alias '*%.60s' is not part of the model format; name a number in `parameters` instead",
                          (const char *)event->data.alias.anchor);
    }
    if (anchor)
        return carom_fail(b->ctx, CAROM_ERROR_MODEL, &place,
                          "the anchor '&%.60s' is not part of the model format; name a number in `parameters` instead",
                          (const char *)anchor);
    if (tag)
        return carom_fail(
            b->ctx, CAROM_ERROR_MODEL, &place,
            "the tag '%.60s' is not part of the model format; remove it (quote a text that begins with '!')",
            (const char *)tag);
    return CAROM_OK;
}

static carom_status read_event(builder *b, const yaml_event_t *event)
{
    CAROM_TRY(refuse_extras(b, event));
    switch (event->type) {
    case YAML_DOCUMENT_START_EVENT:
        if (b->ended) {
            carom_place place = place_of(b, event->start_mark);
            return carom_fail(b->ctx, CAROM_ERROR_MODEL, &place, "a second document begins; a model file holds one");
        }
        return CAROM_OK;
    case YAML_DOCUMENT_END_EVENT:
        b->ended = true;
        return CAROM_OK;
    case YAML_SCALAR_EVENT:
        return read_scalar(b, event);
    case YAML_MAPPING_START_EVENT:
        return open_node(b, CAROM_NODE_MAPPING, event->data.mapping_start.style == YAML_FLOW_MAPPING_STYLE,
                         event->start_mark);
    case YAML_SEQUENCE_START_EVENT:
        return open_node(b, CAROM_NODE_LIST, event->data.sequence_start.style == YAML_FLOW_SEQUENCE_STYLE,
                         event->start_mark);
    case YAML_MAPPING_END_EVENT:
        return check_duplicates(b, b->stack[--b->depth]);
    case YAML_SEQUENCE_END_EVENT:
        b->depth--;
        return CAROM_OK;
    default:
        return CAROM_OK;
    }
}

/* ---- errors of libyaml ---- */

/* The character at a position of the text, 0 at the end; columns count characters, not bytes. */
static char char_at(const char *text, size_t length, yaml_mark_t mark)
{
    size_t k = 0;
    for (size_t line = 0; line < mark.line; line++) {
        const char *end = memchr(text + k, '\n', length - k);
        if (!end)
            return 0;
        k = (size_t)(end - text) + 1;
    }
    for (size_t column = 0; k < length && column < mark.column; column++)
        for (k++; k < length && ((unsigned char)text[k] & 0xc0) == 0x80;)
            k++;
    return k < length ? text[k] : '\0';
}

/* What to do about a problem that libyaml names in its own words. */
static const char *remedy(const char *problem, char c)
{
    static const struct {
        const char *problem, *remedy;
    } remedies[] = {
        {"mapping values are not allowed", "is a blank or a line break wrong, or a ':' inside a text not quoted?"},
        {"could not find expected ':'", "a key needs ': ' and a value; is the line indented as its neighbours?"},
        {"did not find expected key", "is the indentation of this line that of its neighbours?"},
        {"did not find expected ',' or '}'", "a comma or the closing '}' is missing"},
        {"did not find expected ',' or ']'", "a comma or the closing ']' is missing"},
        {"did not find expected '-' indicator", "is the indentation of this line that of its neighbours?"},
        {"found unexpected end of stream", "a closing quote is missing"},
        {"found unknown escape", "inside \"\" a backslash is written twice; inside '' once"},
        {"did not find expected <document start>",
         "text stands behind the end of the model; is a bracket closed too early?"},
        {"did not find expected node content", "a value is missing here"},
        {"block sequence entries are not allowed", "a list begins on the line below its key, or is written [a, b]"},
    };
    if (c == '\t')
        return "a tab stands here; use spaces";
    if (strstr(problem, "cannot start any token"))
        return "quote a text that begins with this character";
    for (size_t k = 0; k < CAROM_COUNT(remedies); k++)
        if (strstr(problem, remedies[k].problem))
            return remedies[k].remedy;
    return "see docs/model-format.md";
}

static carom_status fail_yaml(const builder *b, const yaml_parser_t *parser, const char *text, size_t length)
{
    if (parser->error == YAML_MEMORY_ERROR)
        return carom_fail_memory(b->ctx);
    const char *problem = parser->problem ? parser->problem : "not YAML";
    carom_place place = place_of(b, parser->problem_mark);
    char begin[48] = "";
    if (parser->error == YAML_READER_ERROR)
        place = (carom_place){b->file, 0, 0};
    else if (parser->context && strstr(problem, "unexpected end of stream"))
        place = place_of(b, parser->context_mark);
    else if (parser->context && parser->context_mark.line != parser->problem_mark.line)
        snprintf(begin, sizeof begin, " that begins at line %zu", parser->context_mark.line + 1);
    return carom_fail(b->ctx, CAROM_ERROR_MODEL, &place, "%s%s%s%s: %s", parser->context ? parser->context : "", begin,
                      parser->context ? ", " : "", problem,
                      remedy(problem, char_at(text, length, parser->problem_mark)));
}

/* ---- JSON ---- */

static bool read_hex4(const char *s, unsigned *out)
{
    *out = 0;
    for (int k = 0; k < 4; k++) {
        char c = s[k];
        unsigned digit = c >= '0' && c <= '9'   ? (unsigned)(c - '0')
                         : c >= 'a' && c <= 'f' ? (unsigned)(c - 'a') + 10
                         : c >= 'A' && c <= 'F' ? (unsigned)(c - 'A') + 10
                                                : 16;
        if (digit > 15)
            return false;
        *out = *out * 16 + digit;
    }
    return true;
}

/* JSON writes characters above U+FFFF as two escapes, \ud83d\ude00, which YAML does not know: they become \U0001f600.
   Returns the text itself if it holds none. */
static const char *join_surrogates(carom_arena *arena, const char *text, size_t *length)
{
    const char *pair = NULL;
    for (size_t k = 0; !pair && k + 12 <= *length; k++)
        if (text[k] == '\\' && text[k + 1] == 'u' && (text[k + 2] | 0x20) == 'd')
            pair = text + k;
    if (!pair)
        return text;
    char *copy = carom_arena_alloc(arena, *length + 1, 1);
    if (!copy)
        return NULL;
    size_t n = 0;
    for (size_t k = 0; k < *length;) {
        unsigned high, low;
        const char *s = text + k;
        if (k + 12 <= *length && s[0] == '\\' && s[1] == 'u' && s[6] == '\\' && s[7] == 'u' &&
            read_hex4(s + 2, &high) && read_hex4(s + 8, &low) && high >= 0xd800 && high < 0xdc00 && low >= 0xdc00 &&
            low < 0xe000) {
            unsigned code = 0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00);
            copy[n++] = '\\';
            copy[n++] = 'U';
            for (int digit = 7; digit >= 0; digit--)
                copy[n++] = "0123456789abcdef"[(code >> (4 * digit)) & 15];
            k += 12;
        } else {
            size_t step = s[0] == '\\' && k + 1 < *length ? 2 : 1;
            memcpy(copy + n, s, step);
            n += step;
            k += step;
        }
    }
    *length = n;
    return copy;
}

/* ---- entry ---- */

carom_status carom_tree_parse(carom_arena *arena, const char *file, const char *text, size_t length,
                              const carom_node **root)
{
    builder b = {.ctx = arena->ctx, .arena = arena, .file = file};
    if (length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) {
        text += 3; /* the byte order mark, which libyaml skips only where it guesses the encoding */
        length -= 3;
    }
    CAROM_TRY(carom_tree_scan(b.ctx, file, text, length));
    text = join_surrogates(arena, text, &length);
    if (!text)
        return carom_fail_memory(b.ctx);
    yaml_parser_t parser;
    if (!yaml_parser_initialize(&parser))
        return carom_fail_memory(b.ctx);
    yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&parser, (const unsigned char *)text, length);
    carom_status status = CAROM_OK;
    for (bool more = true; more && status == CAROM_OK;) {
        yaml_event_t event;
        if (!yaml_parser_parse(&parser, &event)) {
            status = fail_yaml(&b, &parser, text, length);
            break;
        }
        more = event.type != YAML_STREAM_END_EVENT;
        status = read_event(&b, &event);
        yaml_event_delete(&event);
    }
    yaml_parser_delete(&parser);
    CAROM_TRY(status);
    carom_place start = {file, 1, 1};
    if (!b.root)
        return carom_fail(b.ctx, CAROM_ERROR_MODEL, &start,
                          "the file is empty; a model begins with `carom: 1` and has `dimension` and `run`");
    *root = b.root;
    return CAROM_OK;
}
