/* Units of columns, as people write them. */
#include "read/csv.h"

#include <string.h>

#include "carom/explain.h"
#include "expr/expr.h"

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

static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

bool carom_csv_is_unit(const char *text, size_t length)
{
    char given[64], made[64];
    size_t count, letters = 0;
    if (length >= sizeof given)
        return false;
    memcpy(given, text, length);
    given[length] = '\0';
    const carom_unit_row *units = carom_explain_units(&count);
    if (!make_expression(given, made, sizeof made))
        return false;
    for (const char *c = made; *c;) {
        size_t n = 0, k = 0;
        while (is_letter(c[n]))
            n++;
        while (n && k < count && (strlen(units[k].name) != n || memcmp(units[k].name, c, n) != 0))
            k++;
        if ((n && k == count) || (!n && !strchr("*/^()-0123456789.", *c)))
            return false;
        letters += n;
        c += n ? n : 1;
    }
    return letters > 0;
}

carom_status carom_csv_unit(carom_context *ctx, const carom_place *place, const char *column, const char *unit,
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
