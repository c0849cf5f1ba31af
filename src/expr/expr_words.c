/* The words of the expression language, from the rows of expr_words.def. */
#include "carom/explain.h"
#include "expr/expr_program.h"

#include <string.h>

/* ---- tables ---- */

#define PURE(kind) {CAROM_DIMENSION_##kind, {0, 0, 0}}
#define CONSTANT(word, number, about) \
    {.name = #word, .signature = #word, .description = about, .value = number, .dimension = PURE(COUNT)},
#define UNIT(word, number, l, m, t, a, about)                          \
    {.name = #word, .signature = #word, .description = about,             \
     .value = number, .is_unit = true, .dimension = {CAROM_DIMENSION_UNIT, {l, m, t}}},
#define LATE_CONSTANT(word, number, about) \
    {.name = #word, .signature = #word, .description = about, .value = number, .late = true, .dimension = PURE(NUMBER)},
#define LATE_UNIT(word, number, l, m, t, a, about)                     \
    {.name = #word, .signature = #word, .description = about,             \
     .value = number, .late = true, .is_unit = true, .dimension = {CAROM_DIMENSION_UNIT, {l, m, t}}},
static const carom_expr_word constants[] = {
#include "expr/expr_words.def"
};

#define KEYWORD(word, call, about) {.name = #word, .signature = call, .description = about},
#define CONSTANT(word, number, about) {.name = #word, .signature = #word, .description = about, .value = number},
#define UNIT(word, number, l, m, t, a, about) CONSTANT(word, number, about)
#define LATE_CONSTANT(word, number, about) \
    {.name = #word, .signature = #word, .description = about, .value = number, .late = true},
#define LATE_UNIT(word, number, l, m, t, a, about) LATE_CONSTANT(word, number, about)
#define UNARY(word, about, value, jet) \
    {.name = #word, .signature = #word "(x)", .description = about, .is_function = true},
#define FUNCTION(word, call, least, most, builder, op, rule, about) \
    {.name = #word, .signature = call, .description = about, .is_function = true},
static const carom_expr_word words[] = {
#include "expr/expr_words.def"
};

static const carom_unit_row units[] = {
#define UNIT(word, number, l, m, t, a, about) {#word, number, {l, m, t, a}},
#define LATE_UNIT(word, number, l, m, t, a, about) {#word, number, {l, m, t, a}},
#define LATE_CONSTANT(word, number, about) {#word, number, {0, 0, 0, 0}},
#include "expr/expr_words.def"
};

static const char *const reserved[] = {
#define KEYWORD(name, signature, description) #name,
#define CONSTANT(name, value, description) #name,
#define UNIT(name, value, l, m, t, a, description) #name,
#define UNARY(name, description, value, jet) #name,
#define FUNCTION(name, signature, least, most, builder, op, rule, description) #name,
#include "expr/expr_words.def"
};

static const char *const function_names[] = {
#define UNARY(name, description, value, jet) #name,
#define FUNCTION(name, signature, least, most, builder, op, rule, description) #name,
#include "expr/expr_words.def"
};

const carom_unit_row *carom_explain_units(size_t *count)
{
    carom_give_count(count, CAROM_COUNT(units));
    return units;
}

/* `if` and `spline` are built by the parser: their arguments are not all values */
#define carom_build_call_none NULL

static const carom_function functions[] = {
#define UNARY(name, description, value, jet) \
    {#name, #name "(x)", 1, 1, carom_build_call_unary, CAROM_OP_##name, CAROM_RULE_PURE},
#define FUNCTION(name, signature, least, most, builder, op, rule, description) \
    {#name, signature, least, most, carom_build_call_##builder, CAROM_OP_##op, CAROM_RULE_##rule},
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
