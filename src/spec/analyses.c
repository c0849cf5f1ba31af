/* Names of the analyses, from their list. */
#include "spec/analyses.h"

#include <string.h>

static const char *const names[] = {
#define CAROM_ANALYSIS(id, name, moves, description) name,
#include "spec/analysis.def"
#undef CAROM_ANALYSIS
};

static const char *const descriptions[] = {
#define CAROM_ANALYSIS(id, name, moves, description) description,
#include "spec/analysis.def"
#undef CAROM_ANALYSIS
};

static const bool motions[] = {
#define CAROM_ANALYSIS(id, name, moves, description) moves,
#include "spec/analysis.def"
#undef CAROM_ANALYSIS
};

static const char all[] = ""
#define CAROM_ANALYSIS(id, name, moves, description) " " name
#include "spec/analysis.def"
#undef CAROM_ANALYSIS
    ;

static int find(const char *name)
{
    for (size_t k = 0; k < CAROM_COUNT(names); k++)
        if (!name || strcmp(names[k], name) == 0)
            return (int)k;
    return -1;
}

const char *const *carom_analysis_names(size_t *count)
{
    *count = CAROM_COUNT(names);
    return names;
}

const char *carom_analysis_description(const char *name)
{
    const int k = name ? find(name) : -1;
    return k < 0 ? NULL : descriptions[k];
}

bool carom_analysis_moves(const char *name)
{
    const int k = find(name);
    return k >= 0 && motions[k];
}

carom_status carom_analysis_require(carom_context *ctx, const carom_place *place, const char *name, const char **out)
{
    const int k = find(name);
    if (k < 0) {
        const char *nearest = carom_nearest_name(name, names, CAROM_COUNT(names));
        return carom_fail(ctx, CAROM_ERROR_MODEL, place,
                          "run: analysis '%.63s' is not available; this version has:%s%s%s%s", name, all,
                          nearest ? "; did you mean '" : "", nearest ? nearest : "", nearest ? "'?" : "");
    }
    *out = names[k];
    return CAROM_OK;
}
