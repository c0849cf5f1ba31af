/* The words of the expression language, from the rows of expr_words.def. */
#include "expr/expr_program.h"

#include <string.h>

/* ---- tables ---- */

static const carom_expr_word words[] = {
#define KEYWORD(name, signature, description) {#name, signature, description, 0.0, false},
#define CONSTANT(name, value, description) {#name, #name, description, value, false},
#define UNARY(name, description, value, jet) {#name, #name "(x)", description, 0.0, true},
#define FUNCTION(name, signature, least, most, builder, op, description) {#name, signature, description, 0.0, true},
#include "expr/expr_words.def"
};

static const carom_expr_word constants[] = {
#define CONSTANT(name, value, description) {#name, #name, description, value, false},
#include "expr/expr_words.def"
};

static const char *const reserved[] = {
#define KEYWORD(name, signature, description) #name,
#define CONSTANT(name, value, description) #name,
#define UNARY(name, description, value, jet) #name,
#define FUNCTION(name, signature, least, most, builder, op, description) #name,
#include "expr/expr_words.def"
};

static const char *const function_names[] = {
#define UNARY(name, description, value, jet) #name,
#define FUNCTION(name, signature, least, most, builder, op, description) #name,
#include "expr/expr_words.def"
};

/* `if` and `spline` are built by the parser: their arguments are not all values */
#define carom_build_call_none NULL

static const carom_function functions[] = {
#define UNARY(name, description, value, jet) {#name, #name "(x)", 1, 1, carom_build_call_unary, CAROM_OP_##name},
#define FUNCTION(name, signature, least, most, builder, op, description) \
    {#name, signature, least, most, carom_build_call_##builder, CAROM_OP_##op},
#include "expr/expr_words.def"
};

static const struct {
    const char *word, *advice;
} hints[] = {
#define HINT(word, advice) {word, advice},
#include "expr/expr_words.def"
};

/* ---- look up ---- */

const carom_expr_word *carom_expr_words(size_t *count)
{
    *count = CAROM_COUNT(words);
    return words;
}

const char *const *carom_expr_reserved(size_t *count)
{
    *count = CAROM_COUNT(reserved);
    return reserved;
}

bool carom_expr_is_reserved(const char *name)
{
    for (size_t k = 0; k < CAROM_COUNT(reserved); k++)
        if (strcmp(reserved[k], name) == 0)
            return true;
    return false;
}

const carom_function *carom_expr_function(const char *name)
{
    for (size_t k = 0; k < CAROM_COUNT(functions); k++)
        if (strcmp(functions[k].name, name) == 0)
            return &functions[k];
    return NULL;
}

const carom_expr_word *carom_expr_constant(const char *name)
{
    for (size_t k = 0; k < CAROM_COUNT(constants); k++)
        if (strcmp(constants[k].name, name) == 0)
            return &constants[k];
    return NULL;
}

const char *carom_expr_hint(const char *word)
{
    for (size_t k = 0; k < CAROM_COUNT(hints); k++)
        if (strcmp(hints[k].word, word) == 0)
            return hints[k].advice;
    return NULL;
}

const char *carom_expr_nearest_function(const char *word)
{
    return carom_nearest_name(word, function_names, CAROM_COUNT(function_names));
}
