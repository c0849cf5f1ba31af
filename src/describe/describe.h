/* Parts of the pages for people. */
#ifndef CAROM_DESCRIBE_H
#define CAROM_DESCRIBE_H

#include "base/base.h"

/* ---- layout.c ---- */

/* A paragraph, broken at blanks, every line indented. */
void carom_describe_paragraph(carom_text *out, int indent, const char *text);
/* A title and a paragraph; nothing where the text is NULL or empty. */
void carom_describe_section(carom_text *out, const char *title, const char *text);

/* ---- choices.c: what files name besides kinds: formulations, analyses, samplers of studies, and warnings; they
   have no parameters ---- */

#define CAROM_CHOICE_FAMILIES 4
extern const char *const carom_choice_families[CAROM_CHOICE_FAMILIES];

/* Index of a family by the first `length` letters of its name, in singular or plural; -1: there is none. */
int carom_choice_family(const char *name, size_t length);
/* Names of a family; NULL and count 0 of -1. */
const char *const *carom_choice_names(int family, size_t *count);
/* One sentence; NULL: there is none of that name. */
const char *carom_choice_title(int family, const char *name);
/* The names of a family with their titles, one a line. */
void carom_choice_list(carom_text *out, int family);
/* The page of a name, of `family` or, -1, of the first that has it; false if there is none. */
bool carom_choice_page(carom_text *out, int family, const char *name);

/* ---- channels.c ---- */

struct carom_quantity;
struct carom_quantity_group;
/* All quantities that are recorded; ends with NULL. */
extern const struct carom_quantity_group *const carom_channel_lists[];
/* "body.NAME.position", "energy.kinetic", "input.NAME" */
void carom_channel_pattern(const struct carom_quantity_group *group, const struct carom_quantity *quantity, char *out,
                           size_t size);

/* ---- words.c: keys of model files, channels, columns of tables, terms of the ledger ---- */

/* The pages of a word, such as "until", "run.output.every", "contact.hit.force", "e_got"; false: there is none. */
bool carom_word_page(carom_text *out, const char *name);
/* The word nearest to the last part of a name; NULL: none is near. */
const char *carom_word_nearest(const char *name);

#endif
