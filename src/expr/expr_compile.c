/* Compiles the text of an expression: the parser feeds the builder; the program is kept, or was folded to a number. */
#include "expr/expr_program.h"

#include <string.h>

/* The stack is not cleared: what is not on it is not read. */
static void begin(carom_builder *b, carom_arena *arena, const carom_expr_scope *scope, const char *text,
                  const carom_place *place)
{
    memset(b, 0, offsetof(carom_builder, stack));
    b->arena = arena;
    b->scope = scope;
    b->text = text;
    b->place = place;
    b->free_register = 1;
}

static carom_status compile(carom_builder *b, const char *text, carom_operand *result)
{
    size_t length = strlen(text);
    if (length > CAROM_EXPR_TEXT)
        return carom_build_fail(b, CAROM_EXPR_TEXT, "the expression has %zu characters; at most %d are allowed", length,
                                CAROM_EXPR_TEXT);
    return carom_expr_parse(b, result);
}

static const carom_expr_scope no_scope;

static carom_status keep(const carom_builder *b, carom_operand result, carom_expr **out)
{
    carom_arena *arena = b->arena;
    carom_expr *expr = carom_arena_alloc(arena, 1, sizeof *expr);
    if (!expr)
        return carom_fail_memory(arena->ctx);
    expr->result = result.reg;
    expr->condition = result.condition;
    expr->value = result.value;
    expr->dimension = result.dimension;
    if (result.reg >= 0) {
        expr->code = b->code;
        expr->count = b->count;
        expr->switches = b->switches;
        expr->affine_switches = b->affine_switches;
        expr->roots = b->roots;
        expr->measures = b->measures;
    }
    *out = expr;
    return CAROM_OK;
}

carom_status carom_expr_compile(carom_arena *arena, const carom_expr_scope *scope, const char *text,
                                const carom_place *place, carom_expr **out)
{
    *out = NULL;
    carom_builder b;
    begin(&b, arena, scope ? scope : &no_scope, text, place);
    carom_operand result;
    CAROM_TRY(compile(&b, text, &result));
    return keep(&b, result, out);
}

/* ---- functions of the model ---- */

carom_status carom_expr_compile_graph(carom_arena *arena, const carom_expr_scope *scope,
                                      const carom_function_def *function, carom_dimension dimension, carom_expr **out)
{
    carom_operand argument = carom_build_time(), result;
    argument.dimension = dimension;
    const carom_expr_frame frame = {.function = function, .arguments = &argument};
    carom_builder b;
    *out = NULL;
    begin(&b, arena, scope, function->value, &function->place);
    b.frame = &frame;
    CAROM_TRY(compile(&b, function->value, &result));
    return keep(&b, result, out);
}

carom_status carom_expr_check_function(carom_context *ctx, const carom_expr_scope *scope,
                                       const carom_function_def *function)
{
    carom_operand arguments[CAROM_FUNCTION_ARGUMENTS], result;
    const carom_expr_frame frame = {.function = function, .arguments = arguments};
    carom_arena arena;
    carom_builder b;
    /* numbers in a part that is never used: what they make is of no matter */
    for (size_t k = 0; k < CAROM_FUNCTION_ARGUMENTS; k++)
        arguments[k] = carom_build_constant(0.5);
    carom_arena_init(&arena, ctx);
    begin(&b, &arena, scope, function->value, &function->place);
    b.frame = &frame;
    b.dead = 1;
    const carom_status status = compile(&b, function->value, &result);
    carom_arena_free(&arena);
    return status;
}

carom_dimension carom_expr_dimension(const carom_expr *expr) { return expr->dimension; }

carom_status carom_expr_number(carom_context *ctx, const carom_expr_scope *scope, const char *text,
                               const carom_place *place, double *out)
{
    return carom_expr_quantity(ctx, scope, text, place, out, &(carom_dimension){0});
}

carom_status carom_expr_quantity(carom_context *ctx, const carom_expr_scope *scope, const char *text,
                                 const carom_place *place, double *out, carom_dimension *dimension)
{
    carom_expr_scope constant_scope = scope ? *scope : no_scope;
    constant_scope.time_allowed = false;
    constant_scope.variable = NULL;
    carom_arena arena;
    carom_arena_init(&arena, ctx);
    carom_builder b;
    begin(&b, &arena, &constant_scope, text, place);
    carom_operand result;
    carom_status status = compile(&b, text, &result);
    if (status == CAROM_OK && result.reg >= 0)
        status = carom_build_fail(&b, 0, "'%.80s' may not depend on the state: a constant is needed here", text);
    if (status == CAROM_OK) {
        *out = result.value;
        *dimension = result.dimension;
    }
    carom_arena_free(&arena);
    return status;
}
