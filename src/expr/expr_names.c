/* Names in an expression: arguments, parameters, and what is told of one that is neither. */
#include "expr/expr_program.h"

#include <string.h>

const carom_function_def *carom_expr_find_function(const carom_expr_scope *scope, const char *name)
{
    for (size_t k = 0; k < scope->function_count; k++)
        if (strcmp(scope->functions[k].name, name) == 0)
            return &scope->functions[k];
    return NULL;
}

bool carom_expr_find_parameter(const carom_builder *b, const char *name, double *value, carom_dimension *dimension)
{
    for (size_t k = 0; k < b->scope->count; k++)
        if (strcmp(b->scope->names[k], name) == 0) {
            *value = b->scope->values[k];
            *dimension = b->scope->dimensions ? b->scope->dimensions[k] : (carom_dimension){0};
            return true;
        }
    return false;
}

/* The argument of that name of the function whose value is built; NULL: there is none. */
const carom_operand *carom_expr_find_argument(const carom_builder *b, const char *name)
{
    const carom_expr_frame *frame = b->frame;
    for (size_t k = 0; frame && k < frame->function->argument_count; k++)
        if (strcmp(frame->function->arguments[k], name) == 0)
            return &frame->arguments[k];
    return NULL;
}

/* Whether a name is that of a value, not of a function or measure. */
bool carom_expr_is_value(const carom_builder *b, const char *name)
{
    double value;
    carom_dimension dimension;
    return carom_expr_find_parameter(b, name, &value, &dimension) || carom_expr_constant(name) ||
           strcmp(name, "t") == 0 || carom_expr_find_argument(b, name);
}

carom_status carom_expr_unknown_name(carom_builder *b, size_t at, const char *name)
{
    const char *near = carom_expr_hint(name), *before = "; ", *after = "";
    if (carom_expr_find_function(b->scope, name))
        return carom_build_fail(b, at, "function '%s' needs its arguments: %s(...)", name, name);
    if (b->frame && !near)
        near = carom_nearest_name(name, b->frame->function->arguments, b->frame->function->argument_count);
    if (near && !carom_expr_hint(name))
        return carom_build_fail(b, at, "no parameter or constant '%s'; did you mean '%s'?", name, near);
    if (!near && name[1]) {
        size_t count;
        const char *const *reserved = carom_expr_reserved(&count);
        near = carom_nearest_name(name, b->scope->names, b->scope->count);
        if (!near)
            near = carom_nearest_name(name, b->scope->variables, b->scope->variable_count);
        if (!near)
            near = carom_nearest_name(name, reserved, count);
        before = "; did you mean '";
        after = "'?";
    }
    if (!near)
        return carom_build_fail(b, at, "no parameter or constant '%s'", name);
    return carom_build_fail(b, at, "no parameter or constant '%s'%s%s%s", name, before, near, after);
}
