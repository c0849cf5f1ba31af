/* Dimensions of operators and calls. A fault is told at its place in the text; in a part that is never used none is. */
#include "expr/expr_program.h"

#include <stdio.h>

/* ---- faults ---- */

static carom_status differ(carom_builder *b, size_t at, const char *what, const carom_dimension *x,
                           const carom_dimension *y)
{
    char first[96], second[96];
    return carom_build_fail(b, at, "%s %s and %s do not go together: their units differ", what,
                            carom_dimension_text(x, first, sizeof first),
                            carom_dimension_text(y, second, sizeof second));
}

static bool is_pure(const carom_operand *x)
{
    return x->dimension.kind < CAROM_DIMENSION_QUANTITY || carom_dimension_is_pure(&x->dimension);
}

static carom_status must_be_pure(carom_builder *b, const char *name, const carom_operand *x)
{
    char text[96];
    if (b->dead || is_pure(x))
        return CAROM_OK;
    return carom_build_fail(b, x->at, "%s takes a pure number or an angle, and this is %s", name,
                            carom_dimension_text(&x->dimension, text, sizeof text));
}

/* ---- operators ---- */

static carom_status power(carom_builder *b, const carom_operand *x, const carom_operand *y, carom_dimension *out)
{
    *out = (carom_dimension){.kind = CAROM_DIMENSION_FREE};
    CAROM_TRY(must_be_pure(b, "an exponent", y));
    if (y->reg < 0)
        *out = carom_dimension_power(x->dimension, y->value);
    else if (!carom_dimension_is_known(&x->dimension))
        *out = x->dimension;
    return CAROM_OK;
}

carom_status carom_expr_dimension_operator(carom_builder *b, carom_op op, size_t at, const carom_operand *x,
                                           const carom_operand *y, carom_dimension *out)
{
    if (op == CAROM_OP_POWER)
        return power(b, x, y, out);
    if (op == CAROM_OP_MUL || op == CAROM_OP_DIV) {
        *out = carom_dimension_product(x->dimension, y->dimension, op == CAROM_OP_MUL ? 1 : -1);
        return CAROM_OK;
    }
    if (carom_dimension_sum(x->dimension, y->dimension, out) || b->dead)
        return CAROM_OK;
    return differ(b, at, op == CAROM_OP_ADD ? "'+':" : "'-':", &x->dimension, &y->dimension);
}

carom_status carom_expr_dimension_spline(carom_builder *b, const char *name, const carom_operand *x,
                                         carom_dimension *out)
{
    carom_dimension of[2] = {{.kind = CAROM_DIMENSION_FREE}, {.kind = CAROM_DIMENSION_FREE}}, unused;
    char what[96];
    const bool known = b->scope->spline_dimensions && b->scope->spline_dimensions(b->scope->user, name, of);
    *out = of[1];
    if (!known || b->dead || carom_dimension_sum(x->dimension, of[0], &unused))
        return CAROM_OK;
    snprintf(what, sizeof what, "spline '%.40s': the argument and the x of its points,", name);
    return differ(b, x->at, what, &x->dimension, &of[0]);
}

carom_status carom_expr_dimension_compare(carom_builder *b, size_t at, const carom_operand *x, const carom_operand *y)
{
    carom_dimension unused;
    if (carom_dimension_sum(x->dimension, y->dimension, &unused) || b->dead)
        return CAROM_OK;
    return differ(b, at, "a comparison:", &x->dimension, &y->dimension);
}

/* ---- calls ---- */

/* Arguments from `first` on, every `stride`-th, are alike. */
static carom_status alike(carom_builder *b, const char *name, const carom_operand *arguments, size_t first,
                          size_t count, size_t stride, carom_dimension *out)
{
    *out = arguments[first].dimension;
    for (size_t k = first + stride; k < count; k += stride) {
        carom_dimension before = *out;
        if (carom_dimension_sum(before, arguments[k].dimension, out) || b->dead)
            continue;
        char what[40];
        snprintf(what, sizeof what, "arguments of %s:", name);
        return differ(b, arguments[k].at, what, &before, &arguments[k].dimension);
    }
    return CAROM_OK;
}

/* x, x0, h0, x1, h1 */
static carom_status step(carom_builder *b, const char *name, const carom_operand *x, carom_dimension *out)
{
    const carom_operand edges[3] = {x[0], x[1], x[3]};
    CAROM_TRY(alike(b, name, edges, 0, 3, 1, out));
    return alike(b, name, x, 2, 5, 2, out);
}

/* a0 + a1 (x - x0) + ... */
static carom_status poly(carom_builder *b, const char *name, const carom_operand *x, size_t count,
                         carom_dimension *out)
{
    carom_dimension u, sum = x[2].dimension;
    CAROM_TRY(alike(b, name, x, 0, 2, 1, &u));
    carom_dimension factor = u;
    for (size_t k = 3; k < count; k++) {
        carom_dimension term = carom_dimension_product(x[k].dimension, factor, 1), before = sum;
        if (!carom_dimension_sum(before, term, &sum) && !b->dead)
            return differ(b, x[k].at, "terms of poly:", &before, &term);
        factor = carom_dimension_product(factor, u, 1);
    }
    *out = sum;
    return CAROM_OK;
}

carom_status carom_expr_dimension_call(carom_builder *b, const carom_function *function,
                                       const carom_operand *arguments, size_t count, carom_dimension *out)
{
    *out = (carom_dimension){.kind = CAROM_DIMENSION_FREE};
    if (count < function->least || count > function->most)
        return CAROM_OK;
    switch (function->rule) {
    case CAROM_RULE_PURE:
        if (function->op == CAROM_OP_sqrt) {
            *out = carom_dimension_power(arguments[0].dimension, 0.5);
            return CAROM_OK;
        }
        out->kind = CAROM_DIMENSION_NUMBER;
        return must_be_pure(b, function->name, &arguments[0]);
    case CAROM_RULE_ANGLE:
        CAROM_TRY(alike(b, function->name, arguments, 0, count, 1, out));
        *out = (carom_dimension){.kind = CAROM_DIMENSION_NUMBER};
        return CAROM_OK;
    case CAROM_RULE_SUM:
        return alike(b, function->name, arguments, 0, count, 1, out);
    case CAROM_RULE_CHOICE:
        return alike(b, function->name, arguments, 1, count, 1, out);
    case CAROM_RULE_SIGN:
        out->kind = CAROM_DIMENSION_NUMBER;
        return CAROM_OK;
    case CAROM_RULE_POWER:
        return power(b, &arguments[0], &arguments[1], out);
    case CAROM_RULE_STEP:
        return step(b, function->name, arguments, out);
    case CAROM_RULE_POLY:
        return poly(b, function->name, arguments, count, out);
    case CAROM_RULE_FLOOR:
        if (arguments[0].dimension.kind == CAROM_DIMENSION_NUMBER ||
            arguments[0].dimension.kind == CAROM_DIMENSION_COUNT)
            out->kind = CAROM_DIMENSION_NUMBER;
        return CAROM_OK;
    case CAROM_RULE_FREE:
        break;
    }
    return CAROM_OK;
}
