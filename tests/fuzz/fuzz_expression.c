/* Expressions: any text is one or a message with its column; one that is compiled has a value and derivatives. */
#include "fuzz.h"

#include <string.h>

#include "expr/expr.h"

static bool in_text(const carom_context *ctx, size_t size)
{
    carom_error error;
    return carom_context_errors(ctx, &error, 1) == 1 && error.column >= 1 && (size_t)error.column <= size + 2;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const names[] = {"K", "e"};
    static const double values[] = {1e5, 0.5};
    const carom_expr_scope scope = {.names = names, .values = values, .count = 2, .time_allowed = true};
    const carom_place place = {.file = "model.yaml", .line = 1, .column = 1};
    char text[4096];
    if (size >= sizeof text)
        return 0;
    memcpy(text, data, size);
    text[size] = 0;
    carom_context *ctx = fuzz_context();
    carom_arena arena;
    carom_expr *expr = NULL;
    carom_arena_init(&arena, ctx);
    const carom_status status = carom_expr_compile(&arena, &scope, text, &place, &expr);
    fuzz_check(ctx, status);
    if (status == CAROM_ERROR_MODEL && !in_text(ctx, size))
        fuzz_fail("an error at a column that the text has not");
    if (status == CAROM_OK) {
        int switches[256] = {0};
        const int count = carom_expr_switch_count(expr);
        if (count <= 256) {
            carom_expr_set_switches(expr, 0.25, NULL, switches);
            carom_expr_value(expr, 0.25, NULL, switches);
            carom_expr_jet(expr, 0.25, switches);
            carom_expr_next_break(expr, 0.25);
        }
    }
    carom_arena_free(&arena);
    fuzz_end(ctx);
    return 0;
}
