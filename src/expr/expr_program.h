/* Inside of the expression language: instructions, switches, and the builder that the parser feeds. */
#ifndef CAROM_EXPR_PROGRAM_H
#define CAROM_EXPR_PROGRAM_H

#include "expr/expr.h"

#define CAROM_LN10 2.30258509299404568402

#define CAROM_EXPR_TEXT 4096      /* longest expression [characters] */
#define CAROM_EXPR_NESTING 64     /* deepest nesting of parentheses, calls, signs and powers */
#define CAROM_EXPR_NAME 127       /* longest name [characters] */
#define CAROM_EXPR_ARGUMENTS 32   /* most arguments of a function */
#define CAROM_EXPR_REGISTERS 128  /* values that wait for their operator; register 0 holds t */
#define CAROM_EXPR_CALLS 5000     /* most calls of functions of the model, those in their values included */
#define CAROM_EXPR_STACK 256      /* arguments that wait for their function */

/* ---- program ---- */

/* x is register a, y register b, C the number of the instruction. */
typedef enum carom_op {
    CAROM_OP_CONST,      /* C */
    CAROM_OP_MEASURE,    /* measures[c] */
    CAROM_OP_ADD,        /* x + y */
    CAROM_OP_ADD_C,      /* x + C */
    CAROM_OP_SUB,        /* x - y */
    CAROM_OP_C_SUB,      /* C - x */
    CAROM_OP_MUL,        /* x * y */
    CAROM_OP_MUL_C,      /* x * C */
    CAROM_OP_DIV,        /* x / y */
    CAROM_OP_DIV_C,      /* x / C */
    CAROM_OP_C_DIV,      /* C / x */
    CAROM_OP_SQUARE,     /* x^2 */
    CAROM_OP_CUBE,       /* x^3 */
    CAROM_OP_POWER_INT,  /* x^c */
    CAROM_OP_POWER_3_2,  /* x^1.5 */
    CAROM_OP_POWER_C,    /* x^C */
    CAROM_OP_C_POWER,    /* C^x */
    CAROM_OP_POWER,      /* x^y */
    CAROM_OP_ATAN2,      /* angle of (y, x) */
    CAROM_OP_HYPOT,      /* length of (x, y) */
    CAROM_OP_SELECT,     /* x if register c is not zero, else y */
    /* switches: c is the switch, b the root function if the condition is not affine in t */
    CAROM_OP_GE,         /* 1 if x >= 0, else 0 */
    CAROM_OP_FLOOR,      /* largest integer not above x */
    CAROM_OP_STEP,       /* from 0 at x0 to 1 at x1, cubic */
    CAROM_OP_STEP5,      /* quintic */
    CAROM_OP_HAVSIN,     /* half a wave */
    CAROM_OP_SPLINE,
#define UNARY(name, description, value, jet) CAROM_OP_##name,
#include "expr/expr_words.def"
    CAROM_OP_COUNT
} carom_op;

/* Branch of a floor whose argument is too large to freeze. */
#define CAROM_BRANCH_FREE INT32_MIN

enum {
    CAROM_AFFINE_RESULT = 1,    /* a + b*t as long as the switches stand */
    CAROM_AFFINE_CONDITION = 2, /* switch whose argument is affine */
    CAROM_AFFINE_BITS = 2       /* above these: where a switch stands in the text */
};

typedef struct carom_instruction {
    uint16_t op, to, a, b;
    int32_t c;
    uint32_t affine;
    union {
        double number;
        const carom_edges *edges;  /* of a switch; NULL: the integers */
    } u;
} carom_instruction;

struct carom_expr {
    const carom_instruction *code;
    size_t count;
    int result;             /* register; -1 constant */
    double value;           /* of a constant */
    int switches, affine_switches, roots;
    bool measures, condition;
    carom_dimension dimension;
};

/* Runs the code on registers, register 0 filled by the caller. `roots` NULL or the root functions to fill. */
void carom_program_values(const carom_instruction *code, size_t count, const double *measures, const int *switches,
                          double *roots, double *registers);
/* Measures while derivatives are made: their values, at rest, or where `jets` is not NULL their derivatives as well. */
typedef struct carom_measures {
    const double *values;
    const carom_jet *jets;
} carom_measures;

/* The same with derivatives; `set` NULL or the switches to set (those with root functions), usually == switches. */
void carom_program_jets(const carom_instruction *code, size_t count, carom_measures measures, const int *switches,
                        int *set, carom_jet *registers);

extern const carom_edges carom_edge_zero;

/* Sets the affine switches just after t, if wanted, and returns the earliest time > t at which one changes. */
double carom_switch_affine(const carom_expr *expr, double t, int *switches);

/* ---- builder ---- */

/* How a value depends on time and state, from least to most. Piecewise: as long as the switches stand. */
typedef enum carom_level {
    CAROM_LEVEL_CONSTANT,
    CAROM_LEVEL_PIECEWISE,  /* piecewise constant in t */
    CAROM_LEVEL_AFFINE,     /* piecewise affine in t */
    CAROM_LEVEL_TIME,
    CAROM_LEVEL_STATE
} carom_level;

/* A value while it is built. */
typedef struct carom_operand {
    int reg;                /* -1 constant */
    carom_level level;
    bool condition;         /* result of a comparison */
    double value;           /* of a constant */
    carom_dimension dimension; /* set by the parser */
    size_t at;              /* where it begins in the text */
} carom_operand;

typedef struct carom_token {
    int kind;
    size_t at, length;
    double number;
} carom_token;

/* The function of the model whose value is built, and what its arguments stand for. */
typedef struct carom_expr_frame {
    const carom_function_def *function;
    const carom_operand *arguments;
    const struct carom_expr_frame *caller;
    size_t at;              /* of the outermost call in the text of the expression */
} carom_expr_frame;

typedef struct carom_builder {
    carom_arena *arena;
    const carom_expr_scope *scope;
    const char *text;
    const carom_place *place;
    const carom_expr_frame *frame;      /* NULL: the expression itself */
    /* parser */
    carom_token token;
    size_t next;            /* offset after the token */
    int depth, calls;       /* of nesting; of functions of the model so far */
    int dead;               /* > 0 inside a part that is never used: t is a constant, and faults do not count */
    size_t top;
    /* program */
    carom_instruction *code;
    size_t count, capacity;
    int free_register;
    int switches, affine_switches, roots;
    bool measures;
    carom_operand stack[CAROM_EXPR_STACK];      /* `top` of them; not cleared, for its size */
} carom_builder;

/* What a function asks of the dimensions of its arguments, and gives. */
typedef enum carom_dimension_rule {
    CAROM_RULE_PURE,        /* takes and gives pure numbers */
    CAROM_RULE_ANGLE,       /* all arguments alike; gives an angle */
    CAROM_RULE_SUM,         /* all arguments alike; gives the same */
    CAROM_RULE_SIGN,        /* takes any, gives a pure number */
    CAROM_RULE_FLOOR,       /* takes any; what it gives is not known */
    CAROM_RULE_POWER,
    CAROM_RULE_CHOICE,      /* of a condition and two alike */
    CAROM_RULE_STEP,        /* x, x0, x1 alike, h0 and h1 alike */
    CAROM_RULE_POLY,
    CAROM_RULE_FREE
} carom_dimension_rule;

typedef struct carom_function carom_function;
struct carom_function {
    const char *name, *signature;
    size_t least, most;
    carom_status (*build)(carom_builder *b, const carom_function *function, size_t at, carom_operand *arguments,
                          size_t count, carom_operand *out);
    carom_op op;
    carom_dimension_rule rule;
};

/* Where a result goes: into the lowest register of its operands, or a new one. */
enum { CAROM_TO_REUSE = -1, CAROM_TO_NEW = -2 };

/* Fails with the text at an offset of the expression. */
carom_status carom_build_fail(carom_builder *b, size_t at, const char *format, ...) CAROM_PRINTF(3, 4);
/* Fails if the operand is neither a condition nor constant. */
carom_status carom_build_condition(carom_builder *b, size_t at, const carom_operand *x);
carom_operand carom_build_constant(double value);
carom_operand carom_build_time(void);
/* What a function reads of an argument: the same in a register of its own, as results go into those of operands. */
carom_status carom_build_copy(carom_builder *b, carom_operand x, carom_operand *out);
carom_status carom_build_measure(carom_builder *b, int slot, carom_operand *out);
/* `op` is ADD, SUB, MUL, DIV, POWER, ATAN2 or HYPOT; picks the variant for constants. `to`: a register or CAROM_TO_… */
carom_status carom_build_binary(carom_builder *b, carom_op op, size_t at, carom_operand x, carom_operand y, int to,
                                carom_operand *out);
carom_status carom_build_unary(carom_builder *b, carom_op op, size_t at, carom_operand x, carom_operand *out);
carom_status carom_build_switch(carom_builder *b, carom_op op, size_t at, carom_operand x, const carom_edges *edges,
                                int to, carom_operand *out);
carom_status carom_build_select(carom_builder *b, carom_operand condition, carom_operand x, carom_operand y,
                                carom_operand *out);
/* `negate`: not (x >= y). */
carom_status carom_build_compare(carom_builder *b, size_t at, carom_operand x, carom_operand y, bool negate,
                                 carom_operand *out);
carom_status carom_build_equal(carom_builder *b, size_t at, carom_operand x, carom_operand y, bool negate,
                               carom_operand *out);
carom_status carom_build_not(carom_builder *b, size_t at, carom_operand x, carom_operand *out);
carom_status carom_build_or(carom_builder *b, size_t at, carom_operand x, carom_operand y, carom_operand *out);
carom_status carom_build_spline(carom_builder *b, size_t at, const char *name, carom_operand x, carom_operand *out);
carom_status carom_build_trajectory(carom_builder *b, size_t at, const char *name, carom_operand x, carom_operand *out);

/* One builder for each word in the column "builder" of expr_words.def. */
#define CAROM_BUILDER(name)                                                                                    \
    carom_status carom_build_call_##name(carom_builder *b, const carom_function *function, size_t at,          \
                                         carom_operand *arguments, size_t count, carom_operand *out)
CAROM_BUILDER(unary);
CAROM_BUILDER(binary);
CAROM_BUILDER(abs);
CAROM_BUILDER(sign);
CAROM_BUILDER(min);
CAROM_BUILDER(max);
CAROM_BUILDER(mod);
CAROM_BUILDER(floor);
CAROM_BUILDER(ceil);
CAROM_BUILDER(shape);
CAROM_BUILDER(poly);
CAROM_BUILDER(random);

/* ---- names (expr_names.c) ---- */

bool carom_expr_find_parameter(const carom_builder *b, const char *name, double *value, carom_dimension *dimension);
/* The argument of that name of the function whose value is built; NULL: there is none. */
const carom_operand *carom_expr_find_argument(const carom_builder *b, const char *name);
/* Whether a name is that of a value, not of a function or measure. */
bool carom_expr_is_value(const carom_builder *b, const char *name);
carom_status carom_expr_unknown_name(carom_builder *b, size_t at, const char *name);

/* Parses the whole text into the builder. */
carom_status carom_expr_parse(carom_builder *b, carom_operand *out);

/* ---- dimensions (expr_dimension.c): after an operation is built ---- */

/* `x op y`; at the operator's place in the text. */
carom_status carom_expr_dimension_operator(carom_builder *b, carom_op op, size_t at, const carom_operand *x,
                                           const carom_operand *y, carom_dimension *out);
/* Both sides of a comparison must be alike. */
/* Of a spline at x; refuses an x of another dimension than that of its points. */
carom_status carom_expr_dimension_spline(carom_builder *b, const char *name, const carom_operand *x,
                                         carom_dimension *out);
carom_status carom_expr_dimension_compare(carom_builder *b, size_t at, const carom_operand *x, const carom_operand *y);
carom_status carom_expr_dimension_call(carom_builder *b, const carom_function *function,
                                       const carom_operand *arguments, size_t count, carom_dimension *out);

/* ---- words ---- */

const carom_function *carom_expr_function(const char *name);            /* NULL if there is none */
const carom_expr_word *carom_expr_constant(const char *name);           /* NULL if there is none */
/* Advice on a word that is not of the language, or NULL. */
const char *carom_expr_hint(const char *word);
/* Nearest function; NULL if there is none. */
const char *carom_expr_nearest_function(const char *word);

#endif
