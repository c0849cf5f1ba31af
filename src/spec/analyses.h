/* Names of the analyses. */
#ifndef CAROM_SPEC_ANALYSES_H
#define CAROM_SPEC_ANALYSES_H

#include "base/base.h"

const char *const *carom_analysis_names(size_t *count);
/* What it is, in a sentence; NULL: there is none of that name. */
const char *carom_analysis_description(const char *name);
/* Whether it is a motion to `until`; the name NULL is the first one, and one that is none moves not. */
bool carom_analysis_moves(const char *name);
/* The name in the list, or an error with all names and the nearest one. The name NULL is the first one. */
carom_status carom_analysis_require(carom_context *ctx, const carom_place *place, const char *name, const char **out);

#endif
