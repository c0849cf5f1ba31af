/* What to say of a name that is not there. */
#include "base/base.h"

carom_status carom_fail_unknown(carom_context *ctx, const carom_place *place, const char *owner, const char *what,
                                const char *word, const char *const *names, size_t count)
{
    const char *nearest = carom_nearest_name(word, names, count);
    if (nearest)
        return carom_fail(ctx, CAROM_ERROR_MODEL, place, "%s: no %s '%s'; did you mean '%s'?", owner, what, word,
                          nearest);
    carom_text known = {.ctx = ctx};
    for (size_t k = 0; k < count && k < 12; k++)
        carom_text_append(&known, "%s%s", k ? ", " : "", names[k]);
    carom_status status = carom_fail(ctx, CAROM_ERROR_MODEL, place, "%s: no %s '%s'; %s%s%s", owner, what, word,
                                     count ? "there are: " : "there are none",
                                     known.data && !known.failed ? known.data : "", count > 12 ? ", ..." : "");
    carom_text_clear(&known);
    return status;
}
