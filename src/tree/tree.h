/* Model text as a tree of mappings, lists and scalars with positions. Knows nothing of the keys. */
#ifndef CAROM_TREE_H
#define CAROM_TREE_H

#include "base/base.h"

#define CAROM_TREE_BYTES ((size_t)8 << 20)  /* largest model text [byte] */
#define CAROM_TREE_DEPTH 64                 /* deepest nesting of mappings and lists */
#define CAROM_TREE_NODES ((size_t)1000000)  /* most values and keys */

typedef enum carom_node_type { CAROM_NODE_SCALAR, CAROM_NODE_MAPPING, CAROM_NODE_LIST } carom_node_type;

/* A value. Entries of a mapping or list are a chain: first, next, ... */
typedef struct carom_node carom_node;
struct carom_node {
    carom_node_type type;
    bool quoted;                /* scalars: in quotes or a block text */
    bool flow;                  /* mappings and lists: in braces or brackets */
    const char *text;           /* scalars: without quotes, escapes resolved */
    carom_place place;          /* of the value; of a quoted text behind its quote */
    const char *key;            /* in a mapping */
    const char *comment;        /* what carom_tree_write() says of it; NULL: nothing */
    carom_place key_place;
    size_t count;               /* of entries */
    carom_node *first, *last, *next;
};

/* Reads one document of YAML or JSON into the arena. Keys of a mapping are scalars and differ. `file` stands in
   messages and must live as long as the arena. Errors: CAROM_ERROR_MODEL with place and remedy, CAROM_ERROR_MEMORY. */
carom_status carom_tree_parse(carom_arena *arena, const char *file, const char *text, size_t length,
                              const carom_node **root);

/* Refuses, before the YAML library sees it, a text that is too long, is no UTF-8, holds control characters, is indented
   with tabs, or is nested too deeply. */
carom_status carom_tree_scan(carom_context *ctx, const char *file, const char *text, size_t length);

/* Entry of a mapping; NULL if there is none. */
const carom_node *carom_node_find(const carom_node *mapping, const char *key);

/* ---- build.c: trees that no text has ---- */

/* Makes nodes in its arena. A call without memory sets `failed`, and all calls take and return NULL from then on. */
typedef struct carom_tree_maker {
    carom_arena *arena;
    carom_place place;          /* of the nodes that are made */
    bool failed;
} carom_tree_maker;

carom_node *carom_make_mapping(carom_tree_maker *m);
carom_node *carom_make_list(carom_tree_maker *m);
carom_node *carom_make_text(carom_tree_maker *m, const char *text);
/* A number with as few digits as give it back. */
carom_node *carom_make_number(carom_tree_maker *m, double number);
carom_node *carom_make_numbers(carom_tree_maker *m, const double *numbers, int count);
/* Puts a value behind the others of a mapping or list; `key` is NULL in lists, and copied. Returns the value. */
carom_node *carom_make_entry(carom_tree_maker *m, carom_node *parent, const char *key, carom_node *value);
/* The entry itself without its neighbours, for another mapping; what it holds is shared. */
carom_node *carom_make_copy(carom_tree_maker *m, const carom_node *node);

/* ---- write.c ---- */

/* Writes a tree as YAML that carom_tree_parse() reads as the same tree: mappings in one line where they fit. */
void carom_tree_write(carom_text *out, const carom_node *root);

#endif
