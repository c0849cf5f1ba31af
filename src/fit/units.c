/* Units of columns, as people write them. */
#include "fit/fit.h"

carom_status carom_fit_split_unit(carom_arena *arena, const char *text, const char **name, const char **unit)
{
    const size_t length = strlen(text);
    const char *open = strrchr(text, '[');
    *unit = NULL;
    if (!open || open == text || length == 0 || text[length - 1] != ']') {
        *name = carom_arena_text(arena, text);
        return *name ? CAROM_OK : carom_fail_memory(arena->ctx);
    }
    size_t own = (size_t)(open - text);
    while (own > 0 && text[own - 1] == ' ')
        own--;
    *name = carom_arena_text_n(arena, text, own);
    *unit = carom_arena_text_n(arena, open + 1, length - (size_t)(open - text) - 2);
    return *name && *unit ? CAROM_OK : carom_fail_memory(arena->ctx);
}

carom_status carom_fit_check_each(const carom_fit *f, const carom_each *e, const char *unit)
{
    char own[96], other[96];
    if (strcmp(unit, "1") != 0 && !e->unit)
        return carom_study_fail(f->arena.ctx, &e->place,
                                "the column of '%s' has no unit: write `%s: COLUMN [%s]`, or what it is in", e->name,
                                e->name, unit);
    if (!carom_unit_fits(unit, CAROM_UNIT_ANY, &e->dimension))
        return carom_study_fail(f->arena.ctx, &e->place, "'%s' is %s, and its column is %s", e->name,
                                carom_unit_text(unit, CAROM_UNIT_ANY, other, sizeof other),
                                carom_dimension_text(&e->dimension, own, sizeof own));
    return CAROM_OK;
}
