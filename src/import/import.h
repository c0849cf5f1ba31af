/* Descriptions of robots as trees of the model format. */
#ifndef CAROM_IMPORT_H
#define CAROM_IMPORT_H

#include "carom/model.h"
#include "tree/tree.h"

/* What a description says of the whole. */
typedef struct carom_import_about {
    const char *name; /* NULL: none */
    bool has_gravity;
    double gravity[3];         /* [m/s^2] */
    carom_place gravity_place; /* line 0: the file does not give it */
} carom_import_about;

/* Reads a description into the arena: a mapping of `bodies`, `joints`, `shapes`, ... with the places of the
   description. What is not taken over goes to the log. `path` and what `def` holds live as long as the arena. Errors:
   as carom_import_text(). */
carom_status carom_import_tree(carom_arena *arena, const char *path, const carom_import_def *def,
                               carom_import_about *about, carom_node **out);
/* The same of a text. */
carom_status carom_import_tree_of(carom_arena *arena, const char *path, const carom_text *text,
                                  const carom_import_def *def, carom_import_about *about, carom_node **out);

#endif
