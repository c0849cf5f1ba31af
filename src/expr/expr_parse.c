/* Reads the text of an expression and builds it as it goes. Only parentheses, calls, signs, `not` and powers nest, to
   a limited depth. */
#include "expr/expr_program.h"

#include <stdio.h>
#include <string.h>

/* ---- tokens ---- */

enum {
    TOKEN_END,
    TOKEN_NUMBER,
    TOKEN_NAME,
    TOKEN_OPEN,
    TOKEN_CLOSE,
    TOKEN_COMMA,
    TOKEN_NOT,
    TOKEN_OR,
    TOKEN_AND,
    TOKEN_LESS,
    TOKEN_LESS_EQUAL,
    TOKEN_GREATER,
    TOKEN_GREATER_EQUAL,
    TOKEN_EQUAL,
    TOKEN_UNEQUAL,
    TOKEN_PLUS,
    TOKEN_MINUS,
    TOKEN_TIMES,
    TOKEN_OVER,
    TOKEN_POWER
};

/* How tightly operators bind. */
enum { BIND_ANY = 1, BIND_OR = 1, BIND_AND, BIND_NOT, BIND_COMPARE, BIND_SUM, BIND_PRODUCT, BIND_SIGN, BIND_POWER };

static int binding(int kind)
{
    switch (kind) {
    case TOKEN_OR:
        return BIND_OR;
    case TOKEN_AND:
        return BIND_AND;
    case TOKEN_LESS:
    case TOKEN_LESS_EQUAL:
    case TOKEN_GREATER:
    case TOKEN_GREATER_EQUAL:
    case TOKEN_EQUAL:
    case TOKEN_UNEQUAL:
        return BIND_COMPARE;
    case TOKEN_PLUS:
    case TOKEN_MINUS:
        return BIND_SUM;
    case TOKEN_TIMES:
    case TOKEN_OVER:
        return BIND_PRODUCT;
    case TOKEN_POWER:
        return BIND_POWER;
    default:
        return 0;
    }
}

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
static bool is_digit(char c) { return c >= '0' && c <= '9'; }
static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

static size_t skip_blanks(const carom_builder *b, size_t at)
{
    while (is_blank(b->text[at]))
        at++;
    return at;
}

/* Digits with at most one point and an exponent, as in C. */
static carom_status read_number(carom_builder *b)
{
    const char *text = b->text;
    size_t at = b->token.at;
    while (is_digit(text[at]) || text[at] == '.')
        at++;
    if (text[at] == 'e' || text[at] == 'E') {
        size_t digits = at + 1 + (text[at + 1] == '+' || text[at + 1] == '-');
        if (is_digit(text[digits]))
            for (at = digits; is_digit(text[at]);)
                at++;
    }
    b->token.kind = TOKEN_NUMBER;
    b->token.length = at - b->token.at;
    if (!carom_parse_number(text + b->token.at, b->token.length, &b->token.number))
        return carom_build_fail(b, b->token.at, "'%.*s' is not a number that can be represented",
                                (int)(b->token.length < 64 ? b->token.length : 64), text + b->token.at);
    return CAROM_OK;
}

static carom_status read_name(carom_builder *b)
{
    static const struct {
        const char *word;
        int kind;
    } keywords[] = {{"and", TOKEN_AND}, {"or", TOKEN_OR}, {"not", TOKEN_NOT}};
    const char *start = b->text + b->token.at;
    size_t length = 0;
    while (is_letter(start[length]) || is_digit(start[length]))
        length++;
    b->token.kind = TOKEN_NAME;
    b->token.length = length;
    for (size_t k = 0; k < CAROM_COUNT(keywords); k++)
        if (strlen(keywords[k].word) == length && memcmp(keywords[k].word, start, length) == 0)
            b->token.kind = keywords[k].kind;
    if (length > CAROM_EXPR_NAME)
        return carom_build_fail(b, b->token.at, "a name of %zu characters; at most %d are allowed", length,
                                CAROM_EXPR_NAME);
    return CAROM_OK;
}

static carom_status stray_character(carom_builder *b)
{
    static const struct {
        const char *text, *advice;
    } known[] = {{"&&", "write 'and'"},          {"||", "write 'or'"},       {"!", "write 'not'"},
                 {"=", "to compare write '=='"}, {"%", "write mod(x, m)"},   {"?", "write if(c, a, b)"},
                 {"\xC2\xB7", "write '*'"},      {"\xC3\x97", "write '*'"},  {"\xE2\x88\x92", "write '-'"},
                 {"\xC2\xB2", "write '^2'"},     {"\xC2\xB3", "write '^3'"}, {"\xCF\x80", "write 'pi'"},
                 {"\xC2\xB0", "write '*deg'"}};
    size_t at = b->token.at;
    const char *start = b->text + at;
    for (size_t k = 0; k < CAROM_COUNT(known); k++) {
        size_t length = strlen(known[k].text);
        if (strncmp(start, known[k].text, length) == 0)
            return carom_build_fail(b, at, "'%.*s' is not an operator: %s", (int)length, start, known[k].advice);
    }
    unsigned char first = (unsigned char)*start;
    if (first > ' ' && first < 0x7F)
        return carom_build_fail(b, at, "stray character '%c'", *start);
    /* the whole of a character in UTF-8 */
    int length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC2 ? 2 : 0;
    for (int k = 1; k < length; k++)
        if (((unsigned char)start[k] & 0xC0u) != 0x80u)
            length = 0;
    if (length)
        return carom_build_fail(b, at, "stray character '%.*s'", length, start);
    return carom_build_fail(b, at, "stray byte 0x%02X", first);
}

/* Reads the token after the present one. */
static carom_status advance(carom_builder *b)
{
    static const struct {
        const char *text;
        int kind;
    } signs[] = {{"<=", TOKEN_LESS_EQUAL}, {">=", TOKEN_GREATER_EQUAL}, {"==", TOKEN_EQUAL}, {"!=", TOKEN_UNEQUAL},
                 {"<", TOKEN_LESS},        {">", TOKEN_GREATER},        {"(", TOKEN_OPEN},   {")", TOKEN_CLOSE},
                 {",", TOKEN_COMMA},       {"+", TOKEN_PLUS},           {"-", TOKEN_MINUS},  {"*", TOKEN_TIMES},
                 {"/", TOKEN_OVER},        {"^", TOKEN_POWER}};
    size_t at = skip_blanks(b, b->next);
    char c = b->text[at];
    b->token = (carom_token){.kind = TOKEN_END, .at = at};
    if (is_digit(c) || (c == '.' && is_digit(b->text[at + 1]))) {
        CAROM_TRY(read_number(b));
    } else if (is_letter(c)) {
        CAROM_TRY(read_name(b));
    } else if (c == '*' && b->text[at + 1] == '*') {
        return carom_build_fail(b, at, "'**' is not an operator: powers are written x^y");
    } else if (c) {
        size_t k = 0;
        while (k < CAROM_COUNT(signs) && strncmp(b->text + at, signs[k].text, strlen(signs[k].text)) != 0)
            k++;
        if (k == CAROM_COUNT(signs))
            return stray_character(b);
        b->token.kind = signs[k].kind;
        b->token.length = strlen(signs[k].text);
    }
    b->next = at + b->token.length;
    return CAROM_OK;
}

static carom_status deeper(carom_builder *b, size_t at)
{
    if (++b->depth > CAROM_EXPR_NESTING)
        return carom_build_fail(b, at, "nested deeper than %d levels; use parameters for the parts",
                                CAROM_EXPR_NESTING);
    return CAROM_OK;
}

static void copy_name(const carom_builder *b, const carom_token *token, char *name)
{
    memcpy(name, b->text + token->at, token->length);
    name[token->length] = '\0';
}

/* What stands at the token, for messages. */
static carom_status unexpected(carom_builder *b, const char *wanted)
{
    if (b->token.kind == TOKEN_END)
        return carom_build_fail(b, b->token.at, "the expression ends where %s is needed", wanted);
    return carom_build_fail(b, b->token.at, "'%.*s' stands where %s is needed", (int)b->token.length,
                            b->text + b->token.at, wanted);
}

/* ---- names ---- */

/* Puts the place before a text that the scope wrote without one. */
static carom_status scope_failed(carom_builder *b, size_t at)
{
    char text[CAROM_ERROR_TEXT / 2];
    const char *file = b->place ? b->place->file : NULL;
    snprintf(text, sizeof text, "%.*s", (int)sizeof text - 1, carom_context_error(b->arena->ctx));
    if (file && strncmp(text, file, strlen(file)) == 0)
        return CAROM_ERROR_MODEL;
    return carom_build_fail(b, at, "%s", text);
}

/* A value that the scope keeps in a slot, or its refusal; -1 is for the caller. */
static carom_status build_slot(carom_builder *b, size_t at, int slot, carom_operand *out)
{
    if (slot == -3)
        return carom_fail_memory(b->arena->ctx);
    if (slot < 0)
        return scope_failed(b, at);
    CAROM_TRY(carom_build_measure(b, slot, out));
    out->dimension = b->scope->measure_dimension ? b->scope->measure_dimension(b->scope->user, slot)
                                                 : (carom_dimension){.kind = CAROM_DIMENSION_FREE};
    return CAROM_OK;
}

/* Index of an input or state; variable_count if there is none. */
static size_t find_variable(const carom_builder *b, const char *name)
{
    size_t k = 0;
    while (k < b->scope->variable_count && strcmp(b->scope->variables[k], name) != 0)
        k++;
    return k;
}

static carom_status build_variable(carom_builder *b, size_t at, size_t index, carom_operand *out)
{
    const carom_expr_scope *scope = b->scope;
    if (!scope->variable)
        return carom_build_fail(b, at, "'%s' varies in a run, and a constant is needed here", scope->variables[index]);
    CAROM_TRY(build_slot(b, at, scope->variable(scope->user, b->arena->ctx, index), out));
    out->dimension = scope->variable_dimensions ? scope->variable_dimensions[index]
                                                : (carom_dimension){.kind = CAROM_DIMENSION_FREE};
    return CAROM_OK;
}

static carom_status build_name(carom_builder *b, const carom_token *token, carom_operand *out)
{
    char name[CAROM_EXPR_NAME + 1];
    copy_name(b, token, name);
    const carom_function *function = carom_expr_function(name);
    const carom_expr_word *constant = carom_expr_constant(name);
    carom_dimension dimension = {.kind = CAROM_DIMENSION_FREE};
    double value = 0.0;
    const carom_operand *argument = carom_expr_find_argument(b, name);
    if (argument)
        return carom_build_copy(b, *argument, out);
    if (strcmp(name, "t") == 0) {
        if (!b->scope->time_allowed)
            return carom_build_fail(b, token->at, "'t': this value may not depend on time");
        *out = b->dead ? carom_build_constant(0.0) : carom_build_time();
        out->dimension = carom_dimension_of(CAROM_DIMENSION_TIME, 0, 0, 1);
        return CAROM_OK;
    }
    size_t variable = find_variable(b, name);
    if (constant && !constant->late) {
        value = constant->value;
        dimension = constant->dimension;
    } else if (function) {
        return carom_build_fail(b, token->at, "function '%s' needs its arguments: %s", name, function->signature);
    } else if (!carom_expr_find_parameter(b, name, &value, &dimension)) {
        if (variable < b->scope->variable_count)
            return build_variable(b, token->at, variable, out);
        if (!constant)
            return carom_expr_unknown_name(b, token->at, name);
        value = constant->value;
        dimension = constant->dimension;
    }
    if (value - value != 0.0)
        return carom_build_fail(b, token->at, "parameter '%s' is not finite", name);
    *out = carom_build_constant(value);
    out->dimension = dimension;
    return CAROM_OK;
}

/* ---- calls ---- */

static carom_status parse(carom_builder *b, int least, carom_operand *out);

static carom_status wrong_count(carom_builder *b, size_t at, const carom_function *f, size_t count)
{
    const char *word = f->least == 1 && f->most == 1 ? "argument" : "arguments";
    if (f->least == f->most)
        return carom_build_fail(b, at, "%s takes %zu %s, not %zu: %s", f->name, f->least, word, count, f->signature);
    return carom_build_fail(b, at, "%s takes %zu to %zu arguments, not %zu: %s", f->name, f->least, f->most, count,
                            f->signature);
}

/* Parses an argument, in a part that is never used if `dead`. */
static carom_status parse_argument(carom_builder *b, bool dead, carom_operand *out)
{
    b->dead += dead;
    CAROM_TRY(parse(b, BIND_ANY, out));
    b->dead -= dead;
    return CAROM_OK;
}

/* ---- functions of the model ---- */

/* Builds the value of a function as a text of its own. */
static carom_status parse_value(carom_builder *b, const carom_function_def *function, const carom_operand *arguments,
                                size_t at, carom_operand *out)
{
    const carom_expr_frame frame = {function, arguments, b->frame, b->frame ? b->frame->at : at};
    const carom_expr_frame *caller = b->frame;
    const char *text = b->text;
    const carom_place *place = b->place;
    const carom_token token = b->token;
    const size_t next = b->next;
    for (const carom_expr_frame *f = caller; f; f = f->caller)
        if (f->function == function)
            return carom_build_fail(b, at, "function '%s' needs its own value, by '%s': a cycle", function->name,
                                    caller->function->name);
    if (++b->calls > CAROM_EXPR_CALLS)
        return carom_build_fail(b, at, "functions call each other more than %d times; use parameters for their parts",
                                CAROM_EXPR_CALLS);
    b->frame = &frame;
    b->text = function->value;
    b->place = &function->place;
    b->next = 0;
    CAROM_TRY(carom_expr_parse(b, out));
    b->frame = caller;
    b->text = text;
    b->place = place;
    b->token = token;
    b->next = next;
    return CAROM_OK;
}

static carom_status parse_arguments(carom_builder *b, const carom_function *f, size_t at, size_t *count);

/* A call of a function of the model; the token is '('. */
static carom_status parse_own_call(carom_builder *b, const carom_function_def *own, size_t at, carom_operand *out)
{
    const carom_function f = {.name = own->name, .signature = own->value, .op = CAROM_OP_CONST,
                              .least = own->argument_count, .most = own->argument_count};
    size_t count, top = b->top;
    CAROM_TRY(advance(b));
    CAROM_TRY(parse_arguments(b, &f, at, &count));
    if (count != own->argument_count)
        return wrong_count(b, at, &f, count);
    CAROM_TRY(parse_value(b, own, &b->stack[top], at, out));
    b->top = top;
    return CAROM_OK;
}

/* Arguments after '(' up to and with ')'; a constant condition of `if` kills the branch that is not taken. */
static carom_status parse_arguments(carom_builder *b, const carom_function *f, size_t at, size_t *count)
{
    size_t base = b->top;
    bool choice = f->op == CAROM_OP_SELECT;
    *count = 0;
    if (b->token.kind == TOKEN_CLOSE)
        return advance(b);
    for (;;) {
        if (b->top == CAROM_EXPR_STACK)
            return carom_build_fail(b, b->token.at, "the expression is too complex; use parameters for its parts");
        const carom_operand *c = &b->stack[base];
        bool decided = choice && *count > 0 && c->reg < 0;
        bool dead = decided && ((*count == 1 && c->value == 0.0) || (*count == 2 && c->value != 0.0));
        size_t start = b->token.at;
        carom_operand argument;
        CAROM_TRY(parse_argument(b, dead, &argument));
        if (choice && *count == 0)
            CAROM_TRY(carom_build_condition(b, start, &argument));
        b->stack[b->top++] = argument;
        ++*count;
        if (b->token.kind == TOKEN_CLOSE)
            return advance(b);
        if (b->token.kind == TOKEN_END)
            return carom_build_fail(b, at, "the parenthesis of %s is not closed", f->name);
        if (b->token.kind != TOKEN_COMMA)
            return unexpected(b, "',' or ')'");
        CAROM_TRY(advance(b));
    }
}

/* Names of objects, as measures and splines take them: letters, digits, '_', '.', '-'. */
static bool is_object(char c) { return is_letter(c) || is_digit(c) || c == '.' || c == '-'; }

/* Reads the name after the present token; the token becomes the one after it. */
static carom_status read_object(carom_builder *b, const char **out)
{
    size_t at = skip_blanks(b, b->next), end = at;
    while (is_object(b->text[end]))
        end++;
    if (end == at)
        return carom_build_fail(b, at, "a name is needed here");
    *out = carom_arena_text_n(b->arena, b->text + at, end - at);
    if (!*out)
        return carom_fail_memory(b->arena->ctx);
    b->next = end;
    return advance(b);
}

static carom_status parse_spline(carom_builder *b, const carom_function *f, size_t at, carom_operand *out)
{
    const char *name;
    carom_operand x;
    CAROM_TRY(read_object(b, &name));
    if (b->token.kind != TOKEN_COMMA)
        return carom_build_fail(b, b->token.at, "%s takes a name and an argument: %s", f->name, f->signature);
    CAROM_TRY(advance(b));
    CAROM_TRY(parse(b, BIND_ANY, &x));
    if (b->token.kind != TOKEN_CLOSE)
        return unexpected(b, "')'");
    CAROM_TRY(advance(b));
    carom_dimension dimension;
    CAROM_TRY(carom_expr_dimension_spline(b, name, &x, &dimension));
    CAROM_TRY((f->name[0] == 's' ? carom_build_spline : carom_build_trajectory)(b, at, name, x, out));
    out->dimension = dimension;
    return CAROM_OK;
}

static carom_status unknown_function(carom_builder *b, size_t at, const char *name)
{
    if (carom_expr_is_value(b, name))
        return carom_build_fail(b, at, "'%s' is not a function; is an operator missing, %s*(...)?", name, name);
    const char *near = carom_expr_hint(name);
    if (near)
        return carom_build_fail(b, at, "no function '%s'; %s", name, near);
    near = carom_expr_nearest_function(name);
    for (size_t k = 0; k < b->scope->function_count && !near; k++)
        near = carom_nearest_name(name, &b->scope->functions[k].name, 1);
    if (near)
        return carom_build_fail(b, at, "no function '%s'; did you mean '%s'?", name, near);
    if (!b->scope->measure)
        return carom_build_fail(b, at, "no function '%s'; values of the state are not available here", name);
    return carom_build_fail(b, at, "no function '%s'", name);
}

/* Reads names up to and with ')'; `names_only` is false if something else stands there. */
static carom_status read_objects(carom_builder *b, const char **objects, size_t *count, bool *names_only)
{
    *count = 0;
    *names_only = true;
    if (b->text[skip_blanks(b, b->next)] == ')') {
        CAROM_TRY(advance(b));
        return advance(b);
    }
    while (*names_only) {
        if (*count == CAROM_EXPR_ARGUMENTS)
            return carom_build_fail(b, b->token.at, "at most %d arguments are allowed", CAROM_EXPR_ARGUMENTS);
        size_t at = skip_blanks(b, b->next);
        *names_only = is_object(b->text[at]);
        if (!*names_only)
            break;
        CAROM_TRY(read_object(b, &objects[(*count)++]));
        if (b->token.kind == TOKEN_CLOSE)
            return advance(b);
        *names_only = b->token.kind == TOKEN_COMMA;
    }
    return CAROM_OK;
}

/* A value with names in brackets behind it: of a measure that it hides it is told that it does. */
static carom_status value_called(carom_builder *b, size_t at, const char *name)
{
    const char *objects[CAROM_EXPR_ARGUMENTS];
    size_t count;
    bool names_only;
    const bool read = b->scope->measure && read_objects(b, objects, &count, &names_only) == CAROM_OK;
    if (read && names_only && b->scope->measure(b->scope->user, b->arena->ctx, name, objects, count) >= 0)
        return carom_build_fail(b, at, "'%s' is a parameter or value here, which hides the measure %s(...); give it "
                                       "another name", name, name);
    return unknown_function(b, at, name);
}

static carom_status parse_measure(carom_builder *b, size_t at, const char *name, carom_operand *out)
{
    const char *objects[CAROM_EXPR_ARGUMENTS];
    size_t count;
    bool names_only;
    if (carom_expr_is_value(b, name))
        return value_called(b, at, name);
    if (!b->scope->measure)
        return unknown_function(b, at, name);
    CAROM_TRY(read_objects(b, objects, &count, &names_only));
    if (!names_only && (carom_expr_hint(name) || carom_expr_nearest_function(name)))
        return unknown_function(b, at, name);
    if (!names_only)
        return carom_build_fail(b, at, "'%s' is no function of numbers, and a measure takes names only", name);
    int slot = b->scope->measure(b->scope->user, b->arena->ctx, name, objects, count);
    if (slot == -1)
        return unknown_function(b, at, name);
    return build_slot(b, at, slot, out);
}

/* A path `family.object.quantity` behind the family's name: the measure `family.quantity` of the object. */
static carom_status parse_path(carom_builder *b, const carom_token *token, carom_operand *out)
{
    const char *text = b->text;
    const size_t start = token->at + token->length + 1;
    size_t last;                /* of the dots */
    const size_t end = carom_path_end(text, start, true, &last);
    if (last == start)
        return carom_build_fail(b, token->at, "a path has three parts, such as contact.NAME.force");
    char *function = carom_arena_format(b->arena, "%.*s%.*s", (int)token->length, text + token->at, (int)(end - last),
                                        text + last);
    const char *object = carom_arena_text_n(b->arena, text + start, last - start);
    if (!function || !object)
        return carom_fail_memory(b->arena->ctx);
    b->next = end;
    CAROM_TRY(advance(b));
    if (!b->scope->measure)
        return carom_build_fail(b, token->at, "values of the state are not available here");
    int slot = b->scope->measure(b->scope->user, b->arena->ctx, function, &object, 1);
    if (slot == -1)
        return carom_build_fail(b, token->at, "there is no '%s' of '%s'", strchr(function, '.') + 1, object);
    return build_slot(b, token->at, slot, out);
}

/* Moves the result of a call into the first register that the call took, and gives the others back. */
static void release_registers(carom_builder *b, int base, carom_operand *out)
{
    if (out->reg < base) {
        b->free_register = base;
    } else if (b->code[b->count - 1].to == out->reg) {
        b->code[b->count - 1].to = (uint16_t)base;
        out->reg = base;
        b->free_register = base + 1;
    }
}

/* A name that '(' follows; the token is '('. */
static carom_status parse_call(carom_builder *b, const carom_token *token, carom_operand *out)
{
    char name[CAROM_EXPR_NAME + 1];
    copy_name(b, token, name);
    CAROM_TRY(deeper(b, token->at));
    const carom_function *f = carom_expr_function(name);
    int base = b->free_register;
    const carom_function_def *own = carom_expr_find_function(b->scope, name);
    if (!f && own) {
        CAROM_TRY(parse_own_call(b, own, token->at, out));
    } else if (!f) {
        CAROM_TRY(parse_measure(b, token->at, name, out));
    } else if (f->op == CAROM_OP_SPLINE) {
        CAROM_TRY(parse_spline(b, f, token->at, out));
    } else {
        size_t count, top = b->top;
        CAROM_TRY(advance(b));
        CAROM_TRY(parse_arguments(b, f, token->at, &count));
        if (count < f->least || count > f->most)
            return wrong_count(b, token->at, f, count);
        carom_operand *arguments = &b->stack[top];
        carom_dimension dimension;
        CAROM_TRY(carom_expr_dimension_call(b, f, arguments, count, &dimension));
        if (f->op == CAROM_OP_SELECT)
            CAROM_TRY(carom_build_select(b, arguments[0], arguments[1], arguments[2], out));
        else
            CAROM_TRY(f->build(b, f, token->at, arguments, count, out));
        out->dimension = dimension;
        b->top = top;
    }
    release_registers(b, base, out);
    b->depth--;
    return CAROM_OK;
}

/* ---- operators ---- */

static carom_status parse_group(carom_builder *b, carom_operand *out)
{
    size_t at = b->token.at;
    CAROM_TRY(deeper(b, at));
    CAROM_TRY(advance(b));
    if (b->token.kind == TOKEN_CLOSE)
        return carom_build_fail(b, at, "the parentheses are empty");
    CAROM_TRY(parse(b, BIND_ANY, out));
    if (b->token.kind == TOKEN_END)
        return carom_build_fail(b, at, "this parenthesis is not closed");
    if (b->token.kind == TOKEN_COMMA)
        return carom_build_fail(b, b->token.at, "',' stands outside of the arguments of a function");
    if (b->token.kind != TOKEN_CLOSE)
        return unexpected(b, "an operator or ')'");
    b->depth--;
    return advance(b);
}

/* Numbers, names, calls, parentheses, and the prefixes '-', '+', 'not'. */
static carom_status parse_prefix(carom_builder *b, int least, carom_operand *out)
{
    carom_token token = b->token;
    switch (token.kind) {
    case TOKEN_NUMBER:
        *out = carom_build_constant(token.number);
        out->dimension.kind = token.number < 10 && token.number == (int)token.number ? CAROM_DIMENSION_COUNT
                                                                                     : CAROM_DIMENSION_NUMBER;
        return advance(b);
    case TOKEN_NAME: {
        if (b->text[token.at + token.length] == '.' && is_letter(b->text[token.at + token.length + 1]))
            return parse_path(b, &token, out);
        CAROM_TRY(advance(b));
        bool word = b->token.kind == TOKEN_OPEN;
        return word ? parse_call(b, &token, out) : build_name(b, &token, out);
    }
    case TOKEN_OPEN:
        return parse_group(b, out);
    case TOKEN_PLUS:
    case TOKEN_MINUS:
        CAROM_TRY(deeper(b, token.at));
        CAROM_TRY(advance(b));
        CAROM_TRY(parse(b, BIND_SIGN, out));
        b->depth--;
        {
            const carom_dimension dimension = out->dimension;
            if (token.kind == TOKEN_MINUS)
                CAROM_TRY(carom_build_binary(b, CAROM_OP_MUL, token.at, *out, carom_build_constant(-1.0),
                                             CAROM_TO_REUSE, out));
            out->dimension = dimension;
        }
        out->condition = false;
        return CAROM_OK;
    case TOKEN_NOT:
        if (least > BIND_NOT)
            return carom_build_fail(b, token.at, "'not' needs parentheses here: (not ...)");
        CAROM_TRY(deeper(b, token.at));
        CAROM_TRY(advance(b));
        {
            size_t at = b->token.at;
            CAROM_TRY(parse(b, BIND_NOT, out));
            CAROM_TRY(carom_build_condition(b, at, out));
        }
        b->depth--;
        CAROM_TRY(carom_build_not(b, token.at, *out, out));
        out->dimension.kind = CAROM_DIMENSION_NUMBER;
        return CAROM_OK;
    default:
        return unexpected(b, "a value");
    }
}

/* `and`, `or`: a constant left side decides, or leaves the right side. */
static carom_status parse_logic(carom_builder *b, size_t left_at, carom_operand *out)
{
    carom_token token = b->token;
    bool is_or = token.kind == TOKEN_OR;
    CAROM_TRY(carom_build_condition(b, left_at, out));
    CAROM_TRY(advance(b));
    size_t right_at = b->token.at;
    bool decided = out->reg < 0 && (out->value != 0.0) == is_or;
    carom_operand x = *out, y;
    b->dead += decided;
    CAROM_TRY(parse(b, is_or ? BIND_AND : BIND_NOT, &y));
    b->dead -= decided;
    CAROM_TRY(carom_build_condition(b, right_at, &y));
    if (decided || (y.reg < 0 && (y.value != 0.0) == is_or))
        *out = carom_build_constant(is_or);
    else if (x.reg < 0)
        *out = y;
    else if (y.reg < 0)
        *out = x;
    else if (is_or)
        CAROM_TRY(carom_build_or(b, token.at, x, y, out));
    else
        CAROM_TRY(carom_build_binary(b, CAROM_OP_MUL, token.at, x, y, CAROM_TO_REUSE, out));
    if (out->reg < 0)
        out->value = out->value != 0.0;
    out->condition = true;
    out->dimension = (carom_dimension){.kind = CAROM_DIMENSION_NUMBER};
    return CAROM_OK;
}

static carom_status build_compare(carom_builder *b, const carom_token *token, carom_operand x, carom_operand y,
                                  carom_operand *out)
{
    switch (token->kind) {
    case TOKEN_LESS:
        return carom_build_compare(b, token->at, x, y, true, out);
    case TOKEN_LESS_EQUAL:
        return carom_build_compare(b, token->at, y, x, false, out);
    case TOKEN_GREATER:
        return carom_build_compare(b, token->at, y, x, true, out);
    case TOKEN_GREATER_EQUAL:
        return carom_build_compare(b, token->at, x, y, false, out);
    default:
        return carom_build_equal(b, token->at, x, y, token->kind == TOKEN_UNEQUAL, out);
    }
}

/* The operator at the token and its right side. */
static carom_status parse_operator(carom_builder *b, carom_operand *out)
{
    carom_token token = b->token;
    carom_operand x = *out, y;
    int bind = binding(token.kind);
    CAROM_TRY(advance(b));
    if (bind == BIND_POWER) {
        CAROM_TRY(deeper(b, token.at));
        CAROM_TRY(parse(b, BIND_POWER, &y));
        b->depth--;
    } else {
        CAROM_TRY(parse(b, bind + 1, &y));
    }
    if (bind == BIND_COMPARE) {
        CAROM_TRY(carom_expr_dimension_compare(b, token.at, &x, &y));
        CAROM_TRY(build_compare(b, &token, x, y, out));
        out->dimension = (carom_dimension){.kind = CAROM_DIMENSION_NUMBER};
        if (binding(b->token.kind) == BIND_COMPARE)
            return carom_build_fail(b, b->token.at, "comparisons cannot be chained; write 'a < b and b < c'");
        return CAROM_OK;
    }
    carom_op op = token.kind == TOKEN_PLUS    ? CAROM_OP_ADD
                  : token.kind == TOKEN_MINUS ? CAROM_OP_SUB
                  : token.kind == TOKEN_TIMES ? CAROM_OP_MUL
                  : token.kind == TOKEN_OVER  ? CAROM_OP_DIV
                                              : CAROM_OP_POWER;
    carom_dimension dimension;
    CAROM_TRY(carom_expr_dimension_operator(b, op, token.at, &x, &y, &dimension));
    CAROM_TRY(carom_build_binary(b, op, token.at, x, y, CAROM_TO_REUSE, out));
    out->dimension = dimension;
    return CAROM_OK;
}

/* Parses as far as operators bind at least so tightly. */
static carom_status parse(carom_builder *b, int least, carom_operand *out)
{
    size_t at = b->token.at;
    CAROM_TRY(parse_prefix(b, least, out));
    out->at = at;
    for (int bind; (bind = binding(b->token.kind)) != 0 && bind >= least;) {
        if (bind <= BIND_AND)
            CAROM_TRY(parse_logic(b, at, out));
        else
            CAROM_TRY(parse_operator(b, out));
        out->at = at;
    }
    return CAROM_OK;
}

/* Whether the token is the name of a unit. */
static bool is_unit(const carom_builder *b)
{
    char name[16];
    snprintf(name, sizeof name, "%.*s", (int)b->token.length, b->text + b->token.at);
    const carom_expr_word *word = carom_expr_constant(name);
    return word && word->is_unit;
}

carom_status carom_expr_parse(carom_builder *b, carom_operand *out)
{
    CAROM_TRY(advance(b));
    if (b->token.kind == TOKEN_END)
        return carom_build_fail(b, 0, "the expression is empty");
    CAROM_TRY(parse(b, BIND_ANY, out));
    switch (b->token.kind) {
    case TOKEN_END:
        return CAROM_OK;
    case TOKEN_CLOSE:
        return carom_build_fail(b, b->token.at, "')' without '('");
    case TOKEN_COMMA:
        return carom_build_fail(b, b->token.at, "',' stands outside of the arguments of a function");
    default:
        return carom_build_fail(b, b->token.at, "an operator is missing before '%.*s'%s", (int)b->token.length,
                                b->text + b->token.at, is_unit(b) ? "; a unit is multiplied, as in 30*mm" : "");
    }
}
