/* Cheap checks of a model text in one pass, before the YAML library reads it: its time is quadratic in the depth. */
#include "tree/tree.h"

#include <string.h>

/* The beginning of an HDF5 file. */
static const char hdf5_mark[] = "\x89HDF";

/* Every byte belongs to valid UTF-8 without control characters. */
static carom_status check_bytes(carom_context *ctx, const char *file, const char *text, size_t length)
{
    carom_place place = {file, 1, 1};
    if (length >= strlen(hdf5_mark) && memcmp(text, hdf5_mark, strlen(hdf5_mark)) == 0)
        return carom_fail(ctx, CAROM_ERROR_MODEL, NULL,
                          "%s: is a result, not a model; `carom report`, `carom plot` and `carom export` read it",
                          file);
    for (size_t k = 0; k < length;) {
        const unsigned char *s = (const unsigned char *)text + k;
        size_t n = carom_utf8_size(text + k, length - k);
        bool control = n == 1 && ((s[0] < 0x20 && s[0] != '\t' && s[0] != '\n' && s[0] != '\r') || s[0] == 0x7f);
        if (n == 0 || control)
            return carom_fail(ctx, CAROM_ERROR_MODEL, &place, "byte %zu (0x%02x) is %s; a model file is UTF-8 text",
                              k + 1, s[0],
                              n == 0 ? "not UTF-8"
                              : s[0] ? "a control character"
                                     : "NUL");
        if (s[0] == '\n') {
            place.line++;
            place.column = 1;
        } else {
            place.column++;
        }
        k += n;
    }
    return CAROM_OK;
}

/* State of the scan for tabs and depth. It need not understand every text: what it misses the parser counts exactly. */
typedef struct scan {
    carom_context *ctx;
    const char *file;
    int line;
    int columns[CAROM_TREE_DEPTH + 1]; /* indentations of the open blocks */
    int blocks;                        /* how many */
    int flows;                         /* open braces and brackets */
    char quote;                        /* the open quote, or 0 */
    int literal;                       /* indentation of the line that opened a block text, -1: none is open */
} scan;

static carom_status fail_depth(const scan *s, int column)
{
    carom_place place = {s->file, s->line, column + 1};
    return carom_fail(
        s->ctx, CAROM_ERROR_MODEL, &place,
        "nested deeper than %d levels; a model needs fewer than ten: is a bracket or an indentation wrong?",
        CAROM_TREE_DEPTH);
}

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

static carom_status open_block(scan *s, int column)
{
    while (s->blocks > 0 && s->columns[s->blocks - 1] >= column)
        s->blocks--;
    if (s->blocks >= CAROM_TREE_DEPTH)
        return fail_depth(s, column);
    s->columns[s->blocks++] = column;
    return CAROM_OK;
}

/* Indentation of a line in block style; *at moves behind leading dashes, *skip: the line holds no structure. */
static carom_status scan_indentation(scan *s, const char *line, size_t length, size_t *at, bool *skip)
{
    size_t k = 0;
    while (k < length && line[k] == ' ')
        k++;
    size_t content = k;
    while (content < length && is_blank(line[content]))
        content++;
    *skip = content == length || line[content] == '#';
    if (!*skip && s->literal >= 0) {
        *skip = (int)k > s->literal;
        if (!*skip)
            s->literal = -1;
    }
    if (*skip)
        return CAROM_OK;
    if (content > k) {
        carom_place place = {s->file, s->line, (int)k + 1};
        return carom_fail(s->ctx, CAROM_ERROR_MODEL, &place, "tab in the indentation; indent with spaces");
    }
    CAROM_TRY(open_block(s, (int)k));
    while (k + 1 < length && (line[k] == '-' || line[k] == '?') && is_blank(line[k + 1])) {
        k++;
        while (k < length && is_blank(line[k]))
            k++;
        if (k < length && line[k] != '#')
            CAROM_TRY(open_block(s, (int)k));
    }
    *at = k;
    return CAROM_OK;
}

/* A block text opens here if nothing but its indicators is left on the line. */
static bool opens_literal(const char *line, size_t length, size_t k)
{
    for (k++; k < length && strchr("+-0123456789", line[k]); k++)
        continue;
    while (k < length && is_blank(line[k]))
        k++;
    return k >= length || line[k] == '#';
}

/* Moves over a quoted text; returns the index of its closing quote or `length`. */
static size_t scan_quoted(scan *s, const char *line, size_t length, size_t k)
{
    for (; k < length; k++) {
        if (line[k] == '\\' && s->quote == '"')
            k++;
        else if (line[k] == s->quote) {
            s->quote = 0;
            break;
        }
    }
    return k < length ? k : length;
}

/* Brackets, quotes and comments of a line from `k` on. */
static carom_status scan_content(scan *s, const char *line, size_t length, size_t k, int indentation)
{
    bool start = true, after_blank = true; /* a value may start here; the character before was blank */
    for (; k < length; k++) {
        char c = line[k];
        if (s->quote) {
            k = scan_quoted(s, line, length, k);
            start = after_blank = false;
            continue;
        }
        if (c == '#' && after_blank)
            break;
        after_blank = is_blank(c);
        if (after_blank)
            continue;
        bool behind_colon = k + 1 >= length || is_blank(line[k + 1]);
        if (start && (c == '"' || c == '\'')) {
            s->quote = c;
        } else if ((c == '[' || c == '{') && (start || s->flows > 0)) {
            if (++s->flows + s->blocks > CAROM_TREE_DEPTH)
                return fail_depth(s, (int)k);
            start = true;
        } else if ((c == ']' || c == '}') && s->flows > 0) {
            s->flows--;
            start = false;
        } else if ((c == ',' && s->flows > 0) || (c == ':' && (behind_colon || s->flows > 0))) {
            start = true;
        } else if ((c == '|' || c == '>') && start && s->flows == 0 && opens_literal(line, length, k)) {
            s->literal = indentation;
            break;
        } else {
            start = false;
        }
    }
    return CAROM_OK;
}

carom_status carom_tree_scan(carom_context *ctx, const char *file, const char *text, size_t length)
{
    carom_place whole = {file, 0, 0};
    if (length > CAROM_TREE_BYTES)
        return carom_fail(ctx, CAROM_ERROR_MODEL, &whole, "the file has more than %zu MiB; is it a model file?",
                          CAROM_TREE_BYTES >> 20);
    CAROM_TRY(check_bytes(ctx, file, text, length));
    scan s = {.ctx = ctx, .file = file, .literal = -1};
    for (size_t at = 0; at < length; at++) {
        const char *line = text + at;
        const char *end = memchr(line, '\n', length - at);
        size_t n = end ? (size_t)(end - line) : length - at;
        size_t content = 0;
        bool skip = false;
        s.line++;
        if (!s.quote && s.flows == 0)
            CAROM_TRY(scan_indentation(&s, line, n, &content, &skip));
        if (!skip)
            CAROM_TRY(scan_content(&s, line, n, content, s.blocks ? s.columns[s.blocks - 1] : 0));
        at += n;
    }
    return CAROM_OK;
}
