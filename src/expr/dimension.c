/* Products, sums and powers of dimensions, and their names. */
#include "expr/dimension.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Exponents that differ by no more are the same: they come of a few sums of decimal numbers such as 1.08. */
#define SAME 1e-9

static bool same(const carom_dimension *x, const carom_dimension *y)
{
    for (int k = 0; k < CAROM_DIMENSIONS; k++)
        if (!(fabs(x->e[k] - y->e[k]) <= SAME))
            return false;
    return true;
}

bool carom_dimension_is_pure(const carom_dimension *d) { return same(d, &(carom_dimension){.e = {0}}); }

/* ---- operations ---- */

static carom_dimension number(void) { return carom_dimension_of(CAROM_DIMENSION_NUMBER, 0, 0, 0); }
static carom_dimension nothing(void) { return carom_dimension_of(CAROM_DIMENSION_FREE, 0, 0, 0); }

static bool is_number(const carom_dimension *d)
{
    return d->kind == CAROM_DIMENSION_NUMBER || d->kind == CAROM_DIMENSION_COUNT;
}

static bool is_angle(const carom_dimension *d)
{
    return d->kind >= CAROM_DIMENSION_QUANTITY && carom_dimension_is_pure(d);
}

/* Of two numbers or angles. */
static carom_dimension product_of_factors(carom_dimension x, carom_dimension y, int sign)
{
    if (is_angle(&x) && is_angle(&y))
        return number();
    if (is_angle(&x) || (is_angle(&y) && sign > 0))
        return is_angle(&x) ? x : y;
    return x.kind == CAROM_DIMENSION_COUNT && y.kind == CAROM_DIMENSION_COUNT ? x : number();
}

carom_dimension carom_dimension_product(carom_dimension x, carom_dimension y, int sign)
{
    const bool factor_x = is_number(&x) || is_angle(&x), factor_y = is_number(&y) || is_angle(&y);
    if (x.kind == CAROM_DIMENSION_FREE || y.kind == CAROM_DIMENSION_FREE)
        return nothing();
    if (factor_x && factor_y)
        return product_of_factors(x, y, sign);
    carom_dimension out;
    for (int k = 0; k < CAROM_DIMENSIONS; k++)
        out.e[k] = x.e[k] + sign * y.e[k];
    if (factor_x || factor_y) {
        const carom_dimension *factor = factor_x ? &x : &y;
        out.kind = factor_x ? y.kind : x.kind;
        const bool keeps = out.kind == CAROM_DIMENSION_UNIT ||
                           (out.kind == CAROM_DIMENSION_QUANTITY && factor->kind != CAROM_DIMENSION_NUMBER);
        return keeps ? out : nothing();
    }
    if (carom_dimension_is_pure(&out))
        return number();
    out.kind = x.kind > y.kind ? x.kind : y.kind;
    return out;
}

carom_dimension carom_dimension_power(carom_dimension x, double exponent)
{
    if (!carom_dimension_is_known(&x))
        return x.kind == CAROM_DIMENSION_COUNT ? number() : x;
    for (int k = 0; k < CAROM_DIMENSIONS; k++)
        x.e[k] *= exponent;
    return carom_dimension_is_pure(&x) ? number() : x;
}

bool carom_dimension_sum(carom_dimension x, carom_dimension y, carom_dimension *out)
{
    const bool known_x = carom_dimension_is_known(&x), known_y = carom_dimension_is_known(&y);
    if (known_x != known_y) {
        *out = known_x ? x : y;
        return true;
    }
    if (!known_x) {
        const bool unknown = x.kind == CAROM_DIMENSION_FREE || y.kind == CAROM_DIMENSION_FREE;
        *out = x.kind == y.kind ? x : unknown ? nothing() : number();
        return true;
    }
    *out = x.kind < y.kind ? x : y;
    if (same(&x, &y)) {
        if (x.kind != y.kind && out->kind == CAROM_DIMENSION_TIME)
            out->kind = CAROM_DIMENSION_VARIABLE;
        return true;
    }
    *out = nothing();
    return x.kind < CAROM_DIMENSION_QUANTITY && y.kind < CAROM_DIMENSION_QUANTITY;
}

/* ---- names ---- */

static const struct {
    double e[CAROM_DIMENSIONS];
    const char *unit, *word;
} named[] = {
    {{0, 0, 0}, "rad", "an angle"},
    {{1, 0, 0}, "m", "a length"},
    {{0, 1, 0}, "kg", "a mass"},
    {{0, 0, 1}, "s", "a time"},
    {{1, 0, -1}, "m/s", "a speed"},
    {{1, 0, -2}, "m/s^2", "an acceleration"},
    {{0, 0, -1}, "1/s", "a rate"},
    {{0, 0, -2}, "1/s^2", "an angular acceleration"},
    {{1, 1, -2}, "N", "a force"},
    {{2, 1, -2}, "N m", "a torque or an energy"},
    {{2, 1, -3}, "W", "a power"},
    {{-1, 1, -2}, "Pa", "a pressure"},
    {{-1, 1, -1}, "Pa s", "a viscosity"},
    {{0, 1, -2}, "N/m", "a stiffness"},
    {{-0.5, 1, -2}, "N/m^1.5", "a stiffness"},
    {{0, 1, -1}, "N s/m", "a damping constant"},
    {{2, 1, -1}, "N m s", "a damping constant or an angular momentum"},
    {{1, 1, -1}, "N s", "an impulse"},
    {{2, 1, 0}, "kg m^2", "a moment of inertia"},
    {{-3, 1, 0}, "kg/m^3", "a density"},
    {{2, 0, 0}, "m^2", "an area"},
    {{3, 0, 0}, "m^3", "a volume"},
};

static size_t find_name(const carom_dimension *d)
{
    size_t k = 0;
    while (k < sizeof named / sizeof named[0] &&
           !same(d, &(carom_dimension){.e = {named[k].e[0], named[k].e[1], named[k].e[2]}}))
        k++;
    return k;
}

const char *carom_dimension_unit(const carom_dimension *d, char *buffer, size_t size)
{
    static const char *const base[CAROM_DIMENSIONS] = {"m", "kg", "s"};
    static const int order[CAROM_DIMENSIONS] = {CAROM_MASS, CAROM_LENGTH, CAROM_TIME};
    size_t k = find_name(d), n = 0;
    buffer[0] = '\0';
    if (!carom_dimension_is_known(d))
        return NULL;
    if (k < sizeof named / sizeof named[0]) {
        snprintf(buffer, size, "%s", named[k].unit);
    } else if (fabs(d->e[CAROM_MASS] - 1) <= SAME && fabs(d->e[CAROM_TIME] + 2) <= SAME) {
        snprintf(buffer, size, "N/m^%.12g", 1 - d->e[CAROM_LENGTH]);
    } else {
        for (int i = 0; i < CAROM_DIMENSIONS && n < size; i++) {
            double e = d->e[order[i]];
            if (fabs(e - 1) <= SAME)
                n += (size_t)snprintf(buffer + n, size - n, "%s%s", n ? " " : "", base[order[i]]);
            else if (fabs(e) > SAME)
                n += (size_t)snprintf(buffer + n, size - n, "%s%s^%.12g", n ? " " : "", base[order[i]], e);
        }
    }
    return buffer;
}

const char *carom_dimension_text(const carom_dimension *d, char *buffer, size_t size)
{
    char unit[80];
    size_t k = find_name(d);
    if (!carom_dimension_unit(d, unit, sizeof unit))
        snprintf(buffer, size, "a number");
    else if (k < sizeof named / sizeof named[0])
        snprintf(buffer, size, "%s [%s]", named[k].word, unit);
    else
        snprintf(buffer, size, "a value in [%s]", unit);
    return buffer;
}
