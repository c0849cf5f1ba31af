/* Builds the calls of functions that are not one instruction. */
#include "expr/expr_program.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

/* ---- one instruction ---- */

CAROM_BUILDER(unary)
{
    (void)count;
    return carom_build_unary(b, function->op, at, arguments[0], out);
}

CAROM_BUILDER(binary)
{
    (void)count;
    return carom_build_binary(b, function->op, at, arguments[0], arguments[1], CAROM_TO_REUSE, out);
}

/* ---- switches on a sign ---- */

static carom_status negated(carom_builder *b, size_t at, carom_operand x, int to, carom_operand *out)
{
    return carom_build_binary(b, CAROM_OP_MUL, at, x, carom_build_constant(-1.0), to, out);
}

CAROM_BUILDER(abs)
{
    (void)function;
    (void)count;
    carom_operand x = arguments[0], minus, positive;
    CAROM_TRY(negated(b, at, x, CAROM_TO_NEW, &minus));
    CAROM_TRY(carom_build_switch(b, CAROM_OP_GE, at, x, &carom_edge_zero, CAROM_TO_NEW, &positive));
    return carom_build_select(b, positive, x, minus, out);
}

/* (x >= 0) - (-x >= 0) */
CAROM_BUILDER(sign)
{
    (void)function;
    (void)count;
    carom_operand x = arguments[0], minus, positive, negative;
    CAROM_TRY(negated(b, at, x, CAROM_TO_NEW, &minus));
    CAROM_TRY(carom_build_switch(b, CAROM_OP_GE, at, minus, &carom_edge_zero, CAROM_TO_REUSE, &negative));
    CAROM_TRY(carom_build_switch(b, CAROM_OP_GE, at, x, &carom_edge_zero, CAROM_TO_NEW, &positive));
    return carom_build_binary(b, CAROM_OP_SUB, at, positive, negative, CAROM_TO_REUSE, out);
}

static carom_status extreme(carom_builder *b, bool largest, size_t at, const carom_operand *arguments, size_t count,
                            carom_operand *out)
{
    carom_operand best = arguments[0];
    for (size_t k = 1; k < count; k++) {
        carom_operand other = arguments[k], difference, not_below;
        CAROM_TRY(carom_build_binary(b, CAROM_OP_SUB, at, best, other, CAROM_TO_NEW, &difference));
        CAROM_TRY(carom_build_switch(b, CAROM_OP_GE, at, difference, &carom_edge_zero, CAROM_TO_REUSE, &not_below));
        carom_operand high = largest ? best : other, low = largest ? other : best;
        /* the arguments after this one wait in higher registers */
        int waiting = b->free_register;
        CAROM_TRY(carom_build_select(b, not_below, high, low, &best));
        if (k + 1 < count)
            b->free_register = waiting;
    }
    *out = best;
    return CAROM_OK;
}

CAROM_BUILDER(min)
{
    (void)function;
    return extreme(b, false, at, arguments, count, out);
}

CAROM_BUILDER(max)
{
    (void)function;
    return extreme(b, true, at, arguments, count, out);
}

/* ---- integers ---- */

CAROM_BUILDER(floor)
{
    (void)function;
    (void)count;
    return carom_build_switch(b, CAROM_OP_FLOOR, at, arguments[0], NULL, CAROM_TO_REUSE, out);
}

/* -floor(-x) */
CAROM_BUILDER(ceil)
{
    (void)function;
    (void)count;
    carom_operand x;
    CAROM_TRY(negated(b, at, arguments[0], CAROM_TO_REUSE, &x));
    CAROM_TRY(carom_build_switch(b, CAROM_OP_FLOOR, at, x, NULL, CAROM_TO_REUSE, &x));
    return negated(b, at, x, CAROM_TO_REUSE, out);
}

/* x - m floor(x/m) */
CAROM_BUILDER(mod)
{
    (void)function;
    (void)count;
    carom_operand x = arguments[0], m = arguments[1], turns;
    CAROM_TRY(carom_build_binary(b, CAROM_OP_DIV, at, x, m, CAROM_TO_NEW, &turns));
    CAROM_TRY(carom_build_switch(b, CAROM_OP_FLOOR, at, turns, NULL, CAROM_TO_REUSE, &turns));
    int keep = turns.reg > 0 ? turns.reg : CAROM_TO_REUSE;
    CAROM_TRY(carom_build_binary(b, CAROM_OP_MUL, at, turns, m, keep, &turns));
    return carom_build_binary(b, CAROM_OP_SUB, at, x, turns, CAROM_TO_REUSE, out);
}

/* ---- steps, polynomials, splines ---- */

/* Columns of a table: x, those of a spline, and second derivatives before the knots. */
static size_t columns_of(const carom_edges *table) { return table->before ? 4 : table->y ? 3 : 1; }

/* Copies the edges of a switch into the arena. */
static carom_status make_edges(carom_builder *b, const carom_edges *table, const carom_edges **out)
{
    const size_t columns = columns_of(table), n = table->n;
    carom_edges *edges = carom_arena_alloc(b->arena, 1, sizeof *edges);
    double *data = carom_arena_alloc(b->arena, columns * n, sizeof *data);
    if (!edges || !data)
        return carom_fail_memory(b->arena->ctx);
    const double *const from[4] = {table->x, table->y, table->y2, table->before};
    for (size_t k = 0; k < columns; k++)
        memcpy(data + k * n, from[k], n * sizeof *data);
    *edges = (carom_edges){.n = n,
                           .x = data,
                           .y = columns > 1 ? data + n : NULL,
                           .y2 = columns > 2 ? data + 2 * n : NULL,
                           .before = columns > 3 ? data + 3 * n : NULL};
    *out = edges;
    return CAROM_OK;
}

/* h0 (1 - s) + h1 s, which is h0 and h1 to the bit outside of the step */
static carom_status blend(carom_builder *b, size_t at, carom_operand s, carom_operand h0, carom_operand h1,
                          carom_operand *out)
{
    carom_operand rest, low, high;
    if (h0.reg < 0 && h0.value == 0.0)
        return carom_build_binary(b, CAROM_OP_MUL, at, s, h1, CAROM_TO_REUSE, out);
    carom_operand one = carom_build_constant(1.0);
    CAROM_TRY(carom_build_binary(b, CAROM_OP_SUB, at, one, s, CAROM_TO_NEW, &rest));
    CAROM_TRY(carom_build_binary(b, CAROM_OP_MUL, at, rest, h0, rest.reg < 0 ? CAROM_TO_REUSE : rest.reg, &low));
    if (h1.reg < 0 && h1.value == 0.0) {
        *out = low;
        return CAROM_OK;
    }
    CAROM_TRY(carom_build_binary(b, CAROM_OP_MUL, at, s, h1, s.reg < 0 ? CAROM_TO_REUSE : s.reg, &high));
    return carom_build_binary(b, CAROM_OP_ADD, at, low, high, CAROM_TO_REUSE, out);
}

CAROM_BUILDER(shape)
{
    (void)count;
    carom_operand x = arguments[0], x0 = arguments[1], h0 = arguments[2], x1 = arguments[3], h1 = arguments[4], s;
    if (x0.reg >= 0 || x1.reg >= 0)
        return carom_build_fail(b, at, "x0 and x1 of %s must be constant", function->signature);
    if (!b->dead && !(x0.value < x1.value))
        return carom_build_fail(b, at, "%s needs x0 < x1, not %.6g and %.6g", function->signature, x0.value, x1.value);
    const carom_edges *edges;
    CAROM_TRY(make_edges(b, &(carom_edges){.n = 2, .x = (double[]){x0.value, x1.value}}, &edges));
    CAROM_TRY(carom_build_switch(b, function->op, at, x, edges, CAROM_TO_NEW, &s));
    return blend(b, at, s, h0, h1, out);
}

/* Horner's scheme */
CAROM_BUILDER(poly)
{
    (void)function;
    carom_operand u, sum = arguments[count - 1];
    CAROM_TRY(carom_build_binary(b, CAROM_OP_SUB, at, arguments[0], arguments[1], CAROM_TO_NEW, &u));
    int to = CAROM_TO_NEW;
    for (size_t k = count - 1; k-- > 2;) {
        CAROM_TRY(carom_build_binary(b, CAROM_OP_MUL, at, sum, u, to, &sum));
        if (sum.reg > 0)
            to = sum.reg;
        CAROM_TRY(carom_build_binary(b, CAROM_OP_ADD, at, sum, arguments[k], to, &sum));
        if (sum.reg > 0)
            to = sum.reg;
    }
    *out = sum;
    return CAROM_OK;
}

/* x in the first period of a spline that repeats itself: x - P floor((x - x0)/P). */
static carom_status first_period(carom_builder *b, size_t at, carom_operand x, double x0, double period,
                                 carom_operand *out)
{
    carom_operand turns, length = carom_build_constant(period);
    CAROM_TRY(carom_build_binary(b, CAROM_OP_SUB, at, x, carom_build_constant(x0), CAROM_TO_NEW, &turns));
    CAROM_TRY(carom_build_binary(b, CAROM_OP_DIV, at, turns, length, CAROM_TO_REUSE, &turns));
    CAROM_TRY(carom_build_switch(b, CAROM_OP_FLOOR, at, turns, NULL, CAROM_TO_REUSE, &turns));
    int keep = turns.reg > 0 ? turns.reg : CAROM_TO_REUSE;
    CAROM_TRY(carom_build_binary(b, CAROM_OP_MUL, at, turns, length, keep, &turns));
    return carom_build_binary(b, CAROM_OP_SUB, at, x, turns, CAROM_TO_REUSE, out);
}

/* The knots of a period with a segment more at both ends, so that rounding there stays on the spline. */
static carom_status make_period(carom_builder *b, const carom_edges *table, const carom_edges **out)
{
    const size_t n = table->n, columns = columns_of(table), knots = n + 2;
    const double *const columns_from[4] = {table->x, table->y, table->y2, table->before};
    double period = table->x[n - 1] - table->x[0], *data = carom_arena_alloc(b->arena, columns * knots, sizeof *data);
    if (!data)
        return carom_fail_memory(b->arena->ctx);
    for (size_t k = 0; k < knots; k++) {
        size_t from = k == 0 ? n - 2 : k == n + 1 ? 1 : k - 1;
        for (size_t c = 0; c < columns; c++)
            data[c * knots + k] = columns_from[c][from];
        data[k] += k == 0 ? -period : k == n + 1 ? period : 0.0;
    }
    carom_edges longer = {.n = knots, .x = data, .y = data + knots, .y2 = data + 2 * knots};
    if (columns > 3) { /* at the period's ends there are those of both its sides */
        double *before = data + 3 * knots, *y2 = data + 2 * knots;
        before[1] = table->before[n - 1];
        y2[n] = table->y2[0];
        longer.before = before;
    }
    return make_edges(b, &longer, out);
}

carom_status carom_build_spline(carom_builder *b, size_t at, const char *name, carom_operand x, carom_operand *out)
{
    carom_edges table = {0};
    if (!b->scope->spline || !b->scope->spline(b->scope->user, name, &table))
        return carom_build_fail(b, at, "no spline '%s'", name);
    const size_t n = table.n;
    const double *xs = table.x;
    for (size_t k = 0; k < n; k++)
        if (!isfinite(xs[k]) || !isfinite(table.y[k]) || !isfinite(table.y2[k]) ||
            (table.before && !isfinite(table.before[k])) || (k > 0 && !(xs[k - 1] < xs[k])))
            return carom_build_fail(b, at, "spline '%s': x must ascend and all numbers be finite; see row %zu", name,
                                    k + 1);
    if (n < 2 || n > 100000000)
        return carom_build_fail(b, at, "spline '%s' has %zu points; at least 2 are needed", name, n);
    const carom_edges *edges;
    if (b->scope->spline_repeats && b->scope->spline_repeats(b->scope->user, name)) {
        CAROM_TRY(first_period(b, at, x, xs[0], xs[n - 1] - xs[0], &x));
        CAROM_TRY(make_period(b, &table, &edges));
    } else {
        CAROM_TRY(make_edges(b, &table, &edges));
    }
    return carom_build_switch(b, CAROM_OP_SPLINE, at, x, edges, CAROM_TO_REUSE, out);
}

/* Segments of a period as knots: with a segment more at both ends, so that rounding there stays on the curve. */
static carom_status make_segments(carom_builder *b, size_t n, const double *x, const double *c, bool repeats,
                                  const carom_edges **out)
{
    const size_t more = repeats ? 1 : 0, knots = n + 2 * more, segments = knots - 1;
    carom_edges *edges = carom_arena_alloc(b->arena, 1, sizeof *edges);
    double *data = carom_arena_alloc(b->arena, knots + 6 * segments, sizeof *data);
    if (!edges || !data)
        return carom_fail_memory(b->arena->ctx);
    for (size_t k = 0; k < n; k++)
        data[k + more] = x[k];
    if (repeats) {
        data[0] = x[0] - (x[n - 1] - x[n - 2]);
        data[n + 1] = x[n - 1] + (x[1] - x[0]);
    }
    for (size_t k = 0; k < segments; k++) {
        const size_t from = k + (repeats ? n - 2 : 0);
        for (size_t i = 0; i < 6; i++)
            data[knots + 6 * k + i] = c[6 * (from % (n - 1)) + i];
    }
    *edges = (carom_edges){.n = knots, .x = data, .y = data + knots};
    *out = edges;
    return CAROM_OK;
}

carom_status carom_build_trajectory(carom_builder *b, size_t at, const char *name, carom_operand x, carom_operand *out)
{
    size_t n;
    bool repeats;
    const double *xs, *c;
    const carom_edges *edges = NULL;
    if (!b->scope->trajectory || !b->scope->trajectory(b->scope->user, name, &n, &xs, &c, &repeats))
        return carom_build_fail(b, at, "no trajectory '%s'", name);
    if (repeats)
        CAROM_TRY(first_period(b, at, x, xs[0], xs[n - 1] - xs[0], &x));
    CAROM_TRY(make_segments(b, n, xs, c, repeats, &edges));
    return carom_build_switch(b, CAROM_OP_SPLINE, at, x, edges, CAROM_TO_REUSE, out);
}

/* ---- numbers that look random ---- */

/* 53 bits of the mixed bits of n (Steele, Lea and Flood 2014, SplittableRandom). */
CAROM_BUILDER(random)
{
    (void)function;
    (void)count;
    const carom_operand n = arguments[0];
    if (n.reg >= 0)
        return carom_build_fail(b, at, "random(n) takes a number that does not change in time");
    const double value = n.value + 0.0;
    uint64_t x;
    memcpy(&x, &value, sizeof x);
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    x ^= x >> 31;
    *out = carom_build_constant((double)(x >> 11) / 9007199254740992.0);
    return CAROM_OK;
}
