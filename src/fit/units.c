/* Units of columns, as people write them. */
#include "fit/fit.h"

#include <stdio.h>

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

/* "N m" as the expression "N*m"; the micro sign as u. False: it is too long. */
static bool make_expression(const char *unit, char *out, size_t size)
{
    size_t n = 0;
    for (const char *c = unit; *c; c++) {
        const bool micro = strncmp(c, "\xc2\xb5", 2) == 0 || strncmp(c, "\xce\xbc", 2) == 0;
        const bool dot = strncmp(c, "\xc2\xb7", 2) == 0;
        if (n + 2 > size)
            return false;
        out[n++] = (char)(micro ? 'u' : dot || *c == ' ' ? '*' : *c);
        c += micro || dot;
    }
    out[n] = '\0';
    return true;
}

carom_status carom_fit_unit(carom_context *ctx, const carom_place *place, const char *column, const char *unit,
                            double *factor, carom_dimension *dimension)
{
    char text[128];
    *factor = 1;
    *dimension = (carom_dimension){.kind = CAROM_DIMENSION_UNIT};
    if (!unit || !unit[0] || strcmp(unit, "1") == 0 || strcmp(unit, "-") == 0)
        return CAROM_OK;
    if (strcmp(unit, "%") == 0) {
        *factor = 0.01;
        return CAROM_OK;
    }
    const bool made = make_expression(unit, text, sizeof text);
    if (made && carom_expr_quantity(ctx, NULL, text, place, factor, dimension) == CAROM_OK && *factor > 0 &&
        dimension->kind == CAROM_DIMENSION_UNIT)
        return CAROM_OK;
    return carom_fail(ctx, CAROM_ERROR_MODEL, place,
                      "column '%.60s': '%.60s' is no unit; write it as mm, kN, m/s^2, N*m, %%, or - for a pure number",
                      column, unit);
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
