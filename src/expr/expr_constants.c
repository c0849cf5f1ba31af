/* The constants that are left in the program of an expression when it is compiled. */
#include "expr/expr_program.h"

static bool holds_number(uint16_t op)
{
    switch (op) {
    case CAROM_OP_CONST:
    case CAROM_OP_ADD_C:
    case CAROM_OP_C_SUB:
    case CAROM_OP_MUL_C:
    case CAROM_OP_DIV_C:
    case CAROM_OP_C_DIV:
    case CAROM_OP_POWER_C:
    case CAROM_OP_C_POWER:
        return true;
    default:
        return false;
    }
}

size_t carom_expr_constants(const carom_expr *expr, size_t size, carom_expr_kept *out)
{
    size_t count = 0;
    if (expr->result < 0) {
        if (size > 0)
            out[0] = (carom_expr_kept){expr->value, false};
        return 1;
    }
    for (size_t k = 0; k < expr->count; k++) {
        const carom_instruction *i = &expr->code[k];
        if (!holds_number(i->op))
            continue;
        if (count < size)
            out[count] = (carom_expr_kept){i->u.number, i->op == CAROM_OP_ADD_C || i->op == CAROM_OP_C_SUB};
        count++;
    }
    return count;
}
