/* What Carom knows: kinds, their parameters, formulas and sources; the words of expressions. */
#ifndef CAROM_EXPLAIN_H
#define CAROM_EXPLAIN_H

#include <stddef.h>
#include "carom/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Families: "law", "elastic", "damping", "friction", "joint", "shape", "pair", "load", "integrator",
   "stabilization"; and what has no parameters, "formulation", "analysis", "sampler", "warning". */
CAROM_API const char *const *carom_explain_families(size_t *count);
/* Names of the kinds of a family (singular or plural) that the context knows; NULL and count 0 if there is no such
   family. They live as long as the context. */
CAROM_API const char *const *carom_explain_names(const carom_context *ctx, const char *family, size_t *count);
/* One-sentence title of a kind; NULL if there is none. */
CAROM_API const char *carom_explain_title(const carom_context *ctx, const char *family, const char *name);
/* The kinds of a family (singular or plural) with their titles, one a line, in groups with a heading where the family
   has groups; "" if there are none yet. Free with carom_text_clear(). Errors: CAROM_ERROR_USAGE (no such family). */
CAROM_API carom_status carom_explain_list(carom_context *ctx, const char *family, char **out);
/* Text for people on a kind (or topic, e.g. "validity", "expressions"): formula, parameters with units and defaults,
   source, validity. Free with carom_text_clear(). Errors: CAROM_ERROR_USAGE (nothing of that name; nearest name). */
CAROM_API carom_status carom_explain(carom_context *ctx, const char *name, char **out);

/* A unit of expressions, tables and measured data: its value in SI, and the exponents of metre, kilogram, second and
   radian. A number with a name, such as percent, has none. */
typedef struct carom_unit_row {
    const char *name;
    double value;
    int powers[4];
} carom_unit_row;

/* All units, in the order of the documentation. */
CAROM_API const carom_unit_row *carom_explain_units(size_t *count);

/* Writes the reference page of the model file (Markdown) or its JSON Schema to a new text of `ctx`'s allocator; free it
   with carom_text_clear(). Both are made from the table of keys that the reader uses. */
CAROM_API carom_status carom_reference_page(carom_context *ctx, char **out);
CAROM_API carom_status carom_json_schema(carom_context *ctx, char **out);
/* The table of all channels that a run can record (Markdown), likewise; made from the lists that recording uses. */
CAROM_API carom_status carom_channel_table(carom_context *ctx, char **out);

#ifdef __cplusplus
}
#endif
#endif
