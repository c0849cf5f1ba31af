/* Model text as a tree of mappings, lists and scalars with positions. Knows nothing of the keys. */
#ifndef CAROM_IO_TREE_H
#define CAROM_IO_TREE_H

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

#endif
