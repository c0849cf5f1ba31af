/* A tree as YAML. Entries of sections stand in one line where they fit, and as blocks where not. */
#include "tree/tree.h"

#include <string.h>

#define COLUMNS 118 /* longest line that a mapping may take */
#define STEP 2      /* columns of an indentation */

/* ---- scalars ---- */

/* Whether YAML reads a plain text as this text, within braces or outside. */
static bool is_plain(const char *text)
{
    const size_t length = strlen(text);
    if (!length || text[length - 1] == ' ' || text[length - 1] == ':')
        return false;
    const char first = text[0];
    if (!((first >= 'a' && first <= 'z') || (first >= 'A' && first <= 'Z') || (first >= '0' && first <= '9') ||
          first == '$' || first == '(' || first == '+' || first == '.' ||
          (first == '-' && length > 1 && text[1] != ' ')))
        return false;
    if (strncmp(text, "---", 3) == 0 || strncmp(text, "...", 3) == 0)
        return false;
    for (const char *c = text; *c; c++)
        if ((unsigned char)*c < 0x20 || (unsigned char)*c >= 0x7f || strchr(",[]{}\"'\\#", *c) ||
            (*c == ':' && c[1] == ' '))
            return false;
    return true;
}

static void write_scalar(carom_text *out, const char *text, bool quoted)
{
    if (is_plain(text) || (!*text && !quoted)) {
        carom_text_append(out, "%s", text);
        return;
    }
    carom_text_append(out, "\"");
    for (const char *c = text; *c; c++) {
        if (*c == '"' || *c == '\\')
            carom_text_append(out, "\\%c", *c);
        else if (*c == '\n')
            carom_text_append(out, "\\n");
        else if (*c == '\t')
            carom_text_append(out, "\\t");
        else if ((unsigned char)*c < 0x20)
            carom_text_append(out, "\\x%02x", (unsigned)(unsigned char)*c);
        else
            carom_text_append_n(out, c, 1);
    }
    carom_text_append(out, "\"");
}

/* ---- in one line ---- */

static bool has_comments(const carom_node *node)
{
    for (const carom_node *n = node->first; n; n = n->next)
        if (n->comment || has_comments(n))
            return true;
    return false;
}

static void write_line(carom_text *out, const carom_node *node)
{
    if (node->type == CAROM_NODE_SCALAR) {
        write_scalar(out, node->text, node->quoted);
        return;
    }
    const bool mapping = node->type == CAROM_NODE_MAPPING;
    carom_text_append(out, mapping ? "{" : "[");
    for (const carom_node *n = node->first; n; n = n->next) {
        if (mapping) {
            write_scalar(out, n->key, true);
            carom_text_append(out, ": ");
        }
        write_line(out, n);
        if (n->next)
            carom_text_append(out, ", ");
    }
    carom_text_append(out, mapping ? "}" : "]");
}

/* Writes a value in the rest of a line if it fits; else leaves the text as it was. */
static bool try_line(carom_text *out, const carom_node *node, size_t line_start)
{
    const size_t before = out->length;
    if (node->type != CAROM_NODE_SCALAR && has_comments(node))
        return false;
    write_line(out, node);
    if (out->failed || node->type == CAROM_NODE_SCALAR || !node->first || out->length - line_start <= COLUMNS)
        return true;
    out->length = before;
    out->data[before] = '\0';
    return false;
}

/* ---- in blocks ---- */

static void indent(carom_text *out, int depth) { carom_text_append(out, "%*s", depth * STEP, ""); }

/* Comments of several lines stand above. */
static void write_comment_above(carom_text *out, const char *comment, int depth)
{
    for (const char *line = comment; *line;) {
        const size_t length = strcspn(line, "\n");
        indent(out, depth);
        carom_text_append(out, "# %.*s\n", (int)length, line);
        line += length + (line[length] == '\n');
    }
}

static void write_block(carom_text *out, const carom_node *node, int depth);

/* A short comment of an entry of one line stands behind it. */
static void write_comment_behind(carom_text *out, const char *comment, size_t start, int depth)
{
    const size_t line = out->length - start;
    if (out->failed || !comment)
        return;
    if (!strchr(comment, '\n') && line + 4 + strlen(comment) <= COLUMNS) {
        carom_text_append(out, "  # %s", comment);
        return;
    }
    carom_text moved = {.ctx = out->ctx};
    carom_text_append_n(&moved, out->data + start, line);
    out->length = start;
    write_comment_above(out, comment, depth);
    carom_text_append_n(out, moved.data ? moved.data : "", moved.length);
    out->failed = out->failed || moved.failed;
    carom_text_clear(&moved);
}

static void write_entry(carom_text *out, const carom_node *n, bool mapping, int depth)
{
    const size_t start = out->length;
    indent(out, depth);
    if (mapping)
        write_scalar(out, n->key, true);
    carom_text_append(out, mapping ? ":" : "-");
    const size_t named = out->length;
    carom_text_append(out, " ");
    /* sections of the model are blocks, even the short ones with a single entry */
    const bool section =
        depth == 0 && n->type == CAROM_NODE_MAPPING && n->first && n->first->type == CAROM_NODE_MAPPING;
    if (!section && try_line(out, n, start)) {
        write_comment_behind(out, n->comment, start, depth);
        carom_text_append(out, "\n");
        return;
    }
    if (out->failed)
        return;
    out->length = named;
    out->data[named] = '\0';
    if (n->comment)
        write_comment_behind(out, n->comment, start, depth);
    carom_text_append(out, "\n");
    write_block(out, n, depth + 1);
}

static void write_block(carom_text *out, const carom_node *node, int depth)
{
    for (const carom_node *n = node->first; n && !out->failed; n = n->next)
        write_entry(out, n, node->type == CAROM_NODE_MAPPING, depth);
}

void carom_tree_write(carom_text *out, const carom_node *root)
{
    if (root->comment)
        write_comment_above(out, root->comment, 0);
    if (root->type == CAROM_NODE_SCALAR)
        write_line(out, root);
    else
        write_block(out, root, 0);
}
