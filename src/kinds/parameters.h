/* Parameters of kinds: from the list of a definition to the compiled array, with ranges. */
#ifndef CAROM_PARAMETERS_H
#define CAROM_PARAMETERS_H

#include "base/base.h"
#include "carom/spec.h"
#include "kinds/kind.h"

/* The first of that name; NULL: none. */
const carom_param *carom_param_find(const carom_param_list *list, const char *name);
/* Kind of a family by name, or an error with the nearest name. */
carom_status carom_kind_require(carom_context *ctx, const carom_place *place, const char *owner, carom_family family,
                                const char *name, const carom_kind **out);

/* How the values of a list become numbers. */
typedef struct carom_param_reader {
    carom_context *ctx;
    carom_arena *arena;         /* of the compiled array */
    const char *owner;          /* what messages call it */
    int dimension;              /* of vectors: 2 or 3 */
    /* Values that stand in a model: one that depends on time, for the place `offset` of the array, and a spline, 1 +
       its index. NULL: refused. */
    carom_status (*timed)(void *user, const carom_param_row *row, int offset, const char *text,
                          const carom_place *place);
    carom_status (*spline)(void *user, const carom_value *value, double *out);
    void *user;
} carom_param_reader;

/* The range of a row in words, such as "above 0 and at most 1". */
const char *carom_param_range_text(const carom_param_row *row, char text[96]);
/* One number against the range of its row. */
carom_status carom_param_number(const carom_param_reader *reader, const carom_param_row *row, const carom_value *value,
                                double *out);
/* Fills the array of a kind, *out in the arena. Parameters of no interest to the kind are skipped where `others` is set
   (a contact shares its list between its parts), else refused. */
carom_status carom_params_read(const carom_param_reader *reader, const carom_kind *kind, const carom_param_list *list,
                               bool others, const carom_place *place, double **out);

#endif
