/* Builds the program of an expression: folds constants, picks the instruction, allots registers and switches. */
#include "expr/expr_program.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- errors ---- */

carom_status carom_build_fail(carom_builder *b, size_t at, const char *format, ...)
{
    char text[CAROM_ERROR_TEXT / 2];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (b->place && b->place->file) {
        carom_place place = *b->place;
        place.column += (int)at;
        return carom_fail(b->arena->ctx, CAROM_ERROR_MODEL, &place, "%s", text);
    }
    return carom_fail(b->arena->ctx, CAROM_ERROR_MODEL, NULL, "column %d: %s", (int)at + 1, text);
}

carom_status carom_build_condition(carom_builder *b, size_t at, const carom_operand *x)
{
    if (x->condition || x->reg < 0)
        return CAROM_OK;
    return carom_build_fail(b, at, "a condition is needed here, such as 'x > 0'; this is a number that varies");
}

/* ---- operands ---- */

carom_operand carom_build_constant(double value)
{
    return (carom_operand){.reg = -1, .level = CAROM_LEVEL_CONSTANT, .value = value};
}

carom_operand carom_build_time(void) { return (carom_operand){.reg = 0, .level = CAROM_LEVEL_AFFINE}; }

static bool is_constant(const carom_operand *x) { return x->reg < 0; }

static carom_level most(carom_level x, carom_level y) { return x > y ? x : y; }

/* ---- instructions ---- */

/* Appends the instruction; its operands are in registers a, b (and c of a select), 0 where unused. */
static carom_status put(carom_builder *b, carom_instruction i, carom_level level, int to, carom_operand *out)
{
    if (b->count == b->capacity) {
        size_t capacity = b->capacity ? 2 * b->capacity : 16;
        carom_instruction *code = carom_arena_alloc(b->arena, capacity, sizeof *code);
        if (!code)
            return carom_fail_memory(b->arena->ctx);
        if (b->count)
            memcpy(code, b->code, b->count * sizeof *code);
        b->code = code;
        b->capacity = capacity;
    }
    if (to == CAROM_TO_REUSE) {
        int used[3] = {i.a, i.op <= CAROM_OP_SELECT ? i.b : 0, i.op == CAROM_OP_SELECT ? i.c : 0};
        for (int k = 0; k < 3; k++)
            if (used[k] > 0 && (to < 0 || used[k] < to))
                to = used[k];
        if (to > 0)
            b->free_register = to + 1;
    }
    if (to < 0)
        to = b->free_register++;
    if (to >= CAROM_EXPR_REGISTERS)
        return carom_build_fail(b, b->token.at, "the expression is too complex; use parameters for its parts");
    i.to = (uint16_t)to;
    if (level <= CAROM_LEVEL_AFFINE)
        i.affine |= CAROM_AFFINE_RESULT;
    b->code[b->count++] = i;
    *out = (carom_operand){.reg = to, .level = level};
    return CAROM_OK;
}

/* Brings a constant into a register. */
static carom_status to_register(carom_builder *b, carom_operand *x)
{
    if (!is_constant(x))
        return CAROM_OK;
    carom_instruction i = {.op = CAROM_OP_CONST, .u.number = x->value};
    return put(b, i, CAROM_LEVEL_PIECEWISE, CAROM_TO_NEW, x);
}

carom_status carom_build_measure(carom_builder *b, int slot, carom_operand *out)
{
    *out = carom_build_constant(0.0);
    if (b->dead)
        return CAROM_OK;
    b->measures = true;
    carom_instruction i = {.op = CAROM_OP_MEASURE, .c = slot};
    return put(b, i, CAROM_LEVEL_STATE, CAROM_TO_NEW, out);
}

carom_status carom_build_copy(carom_builder *b, carom_operand x, carom_operand *out)
{
    *out = x;
    if (x.reg <= 0)
        return CAROM_OK;
    carom_instruction i = {.op = CAROM_OP_MUL_C, .a = (uint16_t)x.reg, .u.number = 1.0};
    CAROM_TRY(put(b, i, x.level, CAROM_TO_NEW, out));
    out->condition = x.condition;
    out->dimension = x.dimension;
    return CAROM_OK;
}

/* ---- constants ---- */

/* Text on why the operation has no finite result; sets the number it names or NAN. */
static const char *fault_of(carom_op op, double x, double y, double *number)
{
    *number = NAN;
    if (op == CAROM_OP_DIV && y == 0.0)
        return "division by zero";
    if (op == CAROM_OP_POWER && x == 0.0 && y < 0.0)
        return "division by zero: a negative power of 0";
    if (op == CAROM_OP_POWER && x < 0.0 && y != floor(y))
        return *number = x, "a power with a fractional exponent of the negative number";
    if ((op == CAROM_OP_log || op == CAROM_OP_log10) && x <= 0.0)
        return *number = x, "logarithm of";
    if (op == CAROM_OP_sqrt && x < 0.0)
        return *number = x, "square root of the negative number";
    if ((op == CAROM_OP_asin || op == CAROM_OP_acos) && fabs(x) > 1.0)
        return *number = x, "asin and acos are defined from -1 to 1, not at";
    return "the result is not finite: too large";
}

/* Runs the instruction on constants, so that a constant has the very bits of the value at run time; `op` is what the
   text asks for. */
static carom_status fold(carom_builder *b, carom_op op, carom_instruction i, size_t at, double x, double y,
                         carom_operand *out)
{
    double registers[3] = {0.0, x, y};
    int branch = 0;
    i.a = 1;
    i.b = 2;
    if (i.op >= CAROM_OP_GE && i.op <= CAROM_OP_SPLINE)
        branch = carom_switch_branch(i.u.edges, (carom_jet){x, 0.0, 0.0});
    carom_program_values(&i, 1, NULL, &branch, NULL, registers);
    *out = carom_build_constant(registers[0]);
    if (b->dead || isfinite(out->value))
        return CAROM_OK;
    double number;
    const char *fault = fault_of(op, x, y, &number);
    return isnan(number) ? carom_build_fail(b, at, "%s", fault) : carom_build_fail(b, at, "%s %.6g", fault, number);
}

/* ---- arithmetic ---- */

/* Instruction for x op constant: false if there is none. Powers: specialised for small integers, 1/2 and 3/2. */
static bool constant_right(carom_op op, double c, carom_instruction *i)
{
    i->u.number = c;
    switch (op) {
    case CAROM_OP_ADD:
        i->op = CAROM_OP_ADD_C;
        return true;
    case CAROM_OP_SUB:
        i->op = CAROM_OP_ADD_C;
        i->u.number = -c;
        return true;
    case CAROM_OP_MUL:
        i->op = CAROM_OP_MUL_C;
        return true;
    case CAROM_OP_DIV:
        i->op = CAROM_OP_DIV_C;
        return true;
    case CAROM_OP_POWER:
        if (c == 2.0) {
            i->op = CAROM_OP_SQUARE;
        } else if (c == 3.0) {
            i->op = CAROM_OP_CUBE;
        } else if (c == 0.5) {
            i->op = CAROM_OP_sqrt;
        } else if (c == 1.5) {
            i->op = CAROM_OP_POWER_3_2;
        } else if (c == -1.0) {
            i->op = CAROM_OP_C_DIV;
            i->u.number = 1.0;
        } else if (c == floor(c) && fabs(c) <= 16.0) {
            i->op = CAROM_OP_POWER_INT;
            i->c = (int32_t)c;
        } else {
            i->op = CAROM_OP_POWER_C;
        }
        return true;
    default:
        return false;
    }
}

/* Instruction for constant op x. */
static bool constant_left(carom_op op, double c, carom_instruction *i)
{
    i->u.number = c;
    i->op = (uint16_t)(op == CAROM_OP_ADD   ? CAROM_OP_ADD_C
                       : op == CAROM_OP_SUB ? CAROM_OP_C_SUB
                       : op == CAROM_OP_MUL ? CAROM_OP_MUL_C
                       : op == CAROM_OP_DIV ? CAROM_OP_C_DIV
                                            : CAROM_OP_C_POWER);
    return op != CAROM_OP_ATAN2 && op != CAROM_OP_HYPOT;
}

static carom_level binary_level(carom_op op, carom_level x, carom_level y)
{
    carom_level level = most(x, y);
    bool product = (op == CAROM_OP_MUL && (x <= CAROM_LEVEL_PIECEWISE || y <= CAROM_LEVEL_PIECEWISE)) ||
                   (op == CAROM_OP_DIV && y <= CAROM_LEVEL_PIECEWISE);
    if (op == CAROM_OP_ADD || op == CAROM_OP_SUB || product)
        return level;
    return most(level, CAROM_LEVEL_TIME);
}

/* x + 0, x - 0, x * 1, x / 1, x ^ 1: nothing to do. */
static bool is_identity(carom_op op, double c)
{
    bool sum = op == CAROM_OP_ADD || op == CAROM_OP_SUB;
    bool product = op == CAROM_OP_MUL || op == CAROM_OP_DIV || op == CAROM_OP_POWER;
    return (sum && c == 0.0) || (product && c == 1.0);
}

carom_status carom_build_binary(carom_builder *b, carom_op op, size_t at, carom_operand x, carom_operand y, int to,
                                carom_operand *out)
{
    if (is_constant(&x) && is_constant(&y)) {
        carom_instruction i = {.op = (uint16_t)op};
        if (op == CAROM_OP_POWER)
            constant_right(op, y.value, &i);
        return fold(b, op, i, at, x.value, y.value, out);
    }
    carom_level level = binary_level(op, x.level, y.level);
    if (op == CAROM_OP_DIV && is_constant(&y) && y.value == 0.0)
        return carom_build_fail(b, at, "division by zero");
    if (op == CAROM_OP_POWER && is_constant(&x) && x.value <= 0.0)
        return carom_build_fail(b, at, "the base of a power whose exponent varies must be positive, not %.6g", x.value);
    bool reuse = to == CAROM_TO_REUSE;
    if (reuse && is_constant(&y) && is_identity(op, y.value)) {
        *out = x;
        out->condition = false;
        return CAROM_OK;
    }
    if (reuse && is_constant(&x) && is_identity(op, x.value) && (op == CAROM_OP_ADD || op == CAROM_OP_MUL)) {
        *out = y;
        out->condition = false;
        return CAROM_OK;
    }
    carom_instruction i = {.op = (uint16_t)op};
    if (is_constant(&y) && op == CAROM_OP_POWER && y.value == 0.0) {
        *out = carom_build_constant(1.0);
        return CAROM_OK;
    }
    if (is_constant(&y) && constant_right(op, y.value, &i)) {
        i.a = (uint16_t)x.reg;
    } else if (is_constant(&x) && constant_left(op, x.value, &i)) {
        i.a = (uint16_t)y.reg;
    } else {
        i = (carom_instruction){.op = (uint16_t)op};
        CAROM_TRY(to_register(b, &x));
        CAROM_TRY(to_register(b, &y));
        i.a = (uint16_t)x.reg;
        i.b = (uint16_t)y.reg;
    }
    return put(b, i, level, to, out);
}

carom_status carom_build_unary(carom_builder *b, carom_op op, size_t at, carom_operand x, carom_operand *out)
{
    carom_instruction i = {.op = (uint16_t)op};
    if (is_constant(&x))
        return fold(b, op, i, at, x.value, 0.0, out);
    i.a = (uint16_t)x.reg;
    return put(b, i, most(x.level, CAROM_LEVEL_TIME), CAROM_TO_REUSE, out);
}

/* ---- switches ---- */

carom_status carom_build_switch(carom_builder *b, carom_op op, size_t at, carom_operand x, const carom_edges *edges,
                                int to, carom_operand *out)
{
    carom_instruction i = {.op = (uint16_t)op, .u.edges = edges};
    if (is_constant(&x)) {
        CAROM_TRY(fold(b, op, i, at, x.value, 0.0, out));
        out->condition = op == CAROM_OP_GE;
        return CAROM_OK;
    }
    bool constant_segments = op == CAROM_OP_GE || op == CAROM_OP_FLOOR;
    carom_level level = constant_segments ? CAROM_LEVEL_PIECEWISE : CAROM_LEVEL_TIME;
    i.a = (uint16_t)x.reg;
    i.c = b->switches++;
    i.affine = (uint32_t)(b->frame ? b->frame->at : at) << CAROM_AFFINE_BITS;
    if (x.level <= CAROM_LEVEL_AFFINE) {
        i.affine |= CAROM_AFFINE_CONDITION;
        b->affine_switches++;
    } else {
        level = x.level;
        i.b = (uint16_t)b->roots++;
    }
    CAROM_TRY(put(b, i, level, to, out));
    out->condition = op == CAROM_OP_GE;
    return CAROM_OK;
}

carom_status carom_build_select(carom_builder *b, carom_operand condition, carom_operand x, carom_operand y,
                                carom_operand *out)
{
    if (is_constant(&condition)) {
        *out = condition.value != 0.0 ? x : y;
        return CAROM_OK;
    }
    bool both = x.condition && y.condition;
    CAROM_TRY(to_register(b, &x));
    CAROM_TRY(to_register(b, &y));
    carom_level level = most(most(x.level, y.level), CAROM_LEVEL_PIECEWISE);
    if (condition.level > CAROM_LEVEL_PIECEWISE)
        level = most(level, condition.level);
    carom_instruction i = {.op = CAROM_OP_SELECT, .a = (uint16_t)x.reg, .b = (uint16_t)y.reg, .c = condition.reg};
    CAROM_TRY(put(b, i, level, CAROM_TO_REUSE, out));
    out->condition = both;
    return CAROM_OK;
}

carom_status carom_build_not(carom_builder *b, size_t at, carom_operand x, carom_operand *out)
{
    if (is_constant(&x)) {
        *out = carom_build_constant(x.value == 0.0);
    } else {
        CAROM_TRY(carom_build_binary(b, CAROM_OP_SUB, at, carom_build_constant(1.0), x, CAROM_TO_REUSE, out));
    }
    out->condition = true;
    return CAROM_OK;
}

carom_status carom_build_or(carom_builder *b, size_t at, carom_operand x, carom_operand y, carom_operand *out)
{
    CAROM_TRY(carom_build_not(b, at, x, &x));
    CAROM_TRY(carom_build_not(b, at, y, &y));
    CAROM_TRY(carom_build_binary(b, CAROM_OP_MUL, at, x, y, CAROM_TO_REUSE, &x));
    return carom_build_not(b, at, x, out);
}

carom_status carom_build_compare(carom_builder *b, size_t at, carom_operand x, carom_operand y, bool negate,
                                 carom_operand *out)
{
    carom_operand d;
    CAROM_TRY(carom_build_binary(b, CAROM_OP_SUB, at, x, y, CAROM_TO_REUSE, &d));
    CAROM_TRY(carom_build_switch(b, CAROM_OP_GE, at, d, &carom_edge_zero, CAROM_TO_REUSE, out));
    return negate ? carom_build_not(b, at, *out, out) : CAROM_OK;
}

/* x - y >= 0 and y - x >= 0 */
carom_status carom_build_equal(carom_builder *b, size_t at, carom_operand x, carom_operand y, bool negate,
                               carom_operand *out)
{
    carom_operand d, minus, above, below, minus_one = carom_build_constant(-1.0);
    CAROM_TRY(carom_build_binary(b, CAROM_OP_SUB, at, x, y, CAROM_TO_REUSE, &d));
    CAROM_TRY(carom_build_binary(b, CAROM_OP_MUL, at, d, minus_one, CAROM_TO_NEW, &minus));
    CAROM_TRY(carom_build_switch(b, CAROM_OP_GE, at, minus, &carom_edge_zero, CAROM_TO_REUSE, &below));
    CAROM_TRY(carom_build_switch(b, CAROM_OP_GE, at, d, &carom_edge_zero, CAROM_TO_NEW, &above));
    CAROM_TRY(carom_build_binary(b, CAROM_OP_MUL, at, below, above, CAROM_TO_REUSE, out));
    out->condition = true;
    return negate ? carom_build_not(b, at, *out, out) : CAROM_OK;
}
