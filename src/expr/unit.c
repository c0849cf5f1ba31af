/* Units as text, as tables of keys and kinds state them: "kg m^2", "N s/m or N m s/rad", "N/m^n", "m^(1-k)". */
#include "expr/expr_program.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A unit while it is read. */
typedef struct unit {
    carom_dimension d;
    bool any[CAROM_DIMENSIONS]; /* the exponent has a letter that is not known */
    double factor;              /* value in SI */
} unit;

typedef struct reader {
    const char *at, *end;
    carom_unit_scope scope;
    unit out;
} reader;

static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/* Moves over a text if it stands here. */
static bool take(reader *r, const char *text)
{
    size_t length = strlen(text);
    if ((size_t)(r->end - r->at) < length || memcmp(r->at, text, length) != 0)
        return false;
    r->at += length;
    return true;
}

/* ---- exponents ---- */

/* A number or a letter. */
static bool read_term(reader *r, double *out)
{
    size_t length = 0;
    while (r->at + length < r->end && ((r->at[length] >= '0' && r->at[length] <= '9') || r->at[length] == '.'))
        length++;
    if (length) {
        bool good = carom_parse_number(r->at, length, out);
        r->at += length;
        return good;
    }
    if (r->at == r->end || !is_letter(*r->at))
        return false;
    *out = *r->at == 'n' ? r->scope.n : *r->at == 'k' ? r->scope.k : (double)NAN;
    r->at++;
    return true;
}

/* What stands behind '^': a term, with a sign, or sums of them in parentheses. */
static bool read_exponent(reader *r, double *out)
{
    double term, sign;
    bool open = take(r, "(");
    *out = 0;
    do {
        sign = take(r, "-") ? -1 : 1;
        if (sign > 0)
            take(r, "+");
        if (!read_term(r, &term))
            return false;
        *out += sign * term;
    } while (open && r->at < r->end && (*r->at == '+' || *r->at == '-'));
    return !open || take(r, ")");
}

/* ---- factors ---- */

static bool read_product(reader *r, int sign, int depth);

static bool read_factor(reader *r, int sign, int depth)
{
    char name[16];
    size_t length = 0;
    double exponent = 1;
    if (take(r, "("))
        return depth < 4 && read_product(r, sign, depth + 1) && take(r, ")");
    if (take(r, "1"))
        return true;
    if (take(r, "%")) {
        r->out.factor *= sign > 0 ? 1e-2 : 1e2;
        return true;
    }
    while (r->at + length < r->end && is_letter(r->at[length]) && length + 1 < sizeof name)
        length++;
    memcpy(name, r->at, length);
    name[length] = '\0';
    const carom_expr_word *word = carom_expr_constant(name);
    if (!word || (!word->is_unit && !word->late))
        return false;
    r->at += length;
    if (take(r, "\xC2\xB2"))
        exponent = 2;
    else if (take(r, "\xC2\xB3"))
        exponent = 3;
    else if (take(r, "^") && !read_exponent(r, &exponent))
        return false;
    for (int k = 0; k < CAROM_DIMENSIONS; k++) {
        double e = word->dimension.e[k];
        if (e != 0 && isnan(exponent))
            r->out.any[k] = true;
        else if (e != 0)
            r->out.d.e[k] += sign * e * exponent;
    }
    r->out.factor *= isnan(exponent) ? 1 : pow(word->value, sign * exponent);
    return true;
}

/* Factors with blanks or dots between them; '/' inverts the next one. */
static bool read_product(reader *r, int sign, int depth)
{
    for (bool first = true;; first = false) {
        int factor = sign;
        while (take(r, " ") || take(r, "*") || take(r, "\xC2\xB7"))
            continue;
        if (take(r, "/"))
            factor = -sign;
        else if (r->at == r->end || *r->at == ')')
            return !first;
        if (!read_factor(r, factor, depth))
            return false;
    }
}

/* The first of the units that "or" separates in *text, which moves behind it; false: it is no unit. */
static bool read_unit(const char **text, carom_unit_scope scope, unit *out)
{
    static const char or[] = " or ";
    const char *end = strstr(*text, or);
    reader r = {*text, end ? end : *text + strlen(*text), scope, {.factor = 1}};
    bool good = strcmp(*text, "-") == 0 || read_product(&r, 1, 0);
    if (strcmp(*text, "-") == 0)
        r.at = r.end;
    *text = end ? end + strlen(or) : NULL;
    *out = r.out;
    out->d.kind = CAROM_DIMENSION_VARIABLE;
    return good && r.at == r.end;
}

/* ---- use ---- */

/* Products of powers of ten are 1 but for their rounding. */
static bool is_scaled(const unit *u) { return !(fabs(u->factor - 1) < 1e-9); }

bool carom_unit_is_scaled(const char *text)
{
    unit u;
    return text && *text && read_unit(&text, CAROM_UNIT_ANY, &u) && is_scaled(&u);
}

carom_dimension carom_unit_dimension(const char *text, carom_unit_scope scope)
{
    const carom_dimension unknown = {.kind = CAROM_DIMENSION_FREE};
    const bool several = text && strstr(text, " or ");
    unit u;
    if (!text || !*text || (several && scope.alternative < 0))
        return unknown;
    for (int which = 0; which == 0 || (several && which <= scope.alternative); which++)
        if (!text || !read_unit(&text, scope, &u))
            return unknown;
    return u.any[0] || u.any[1] || u.any[2] || is_scaled(&u) ? unknown : u.d;
}

bool carom_unit_fits(const char *text, carom_unit_scope scope, const carom_dimension *d)
{
    if (d->kind < CAROM_DIMENSION_QUANTITY || !text || !*text)
        return true;
    if (!strstr(text, " or "))
        scope.alternative = -1;
    for (int which = 0; text; which++) {
        unit u;
        if (!read_unit(&text, scope, &u))
            return true;
        bool fits = (scope.alternative < 0 || scope.alternative == which) && !is_scaled(&u);
        for (int k = 0; k < CAROM_DIMENSIONS; k++)
            fits = fits && (u.any[k] || fabs(u.d.e[k] - d->e[k]) <= 1e-9);
        if (fits)
            return true;
    }
    return false;
}

const char *carom_unit_text(const char *text, carom_unit_scope scope, char *buffer, size_t size)
{
    const char *rest = text, *start = text;
    unit u;
    if (!strstr(text, " or "))
        scope.alternative = -1;
    for (int which = 0; rest && (which == 0 || which <= scope.alternative); which++) {
        start = rest;
        if (!read_unit(&rest, scope, &u))
            break;
    }
    const bool several = scope.alternative < 0 && strstr(text, " or ");
    const bool letters = strstr(start, "^n") || strstr(start, "^(");
    const int length = several || !rest ? (int)strlen(start) : (int)(rest - start) - 4;
    char named[96];
    carom_dimension_text(&u.d, named, sizeof named);
    const char *bracket = strncmp(named, "a value", 7) == 0 ? NULL : strchr(named, '[');
    if (strcmp(start, "-") == 0)
        snprintf(buffer, size, "a pure number");
    else if (several || u.any[0] || u.any[1] || u.any[2] || (!letters && !bracket))
        snprintf(buffer, size, "a value in [%.*s]", length, start);
    else if (letters)
        snprintf(buffer, size, "%s", named);
    else
        snprintf(buffer, size, "%.*s[%.*s]", (int)(bracket - named), named, length, start);
    return buffer;
}
