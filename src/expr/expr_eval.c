/* Runs the program of an expression: values, and values with first and second time derivative. */
#include "expr/expr_program.h"

#include <math.h>
#include <string.h>

/* ---- single functions ---- */

static double power_int(double x, int n)
{
    double result = 1.0, factor = x;
    for (unsigned k = (unsigned)(n < 0 ? -n : n); k; k >>= 1) {
        if (k & 1u)
            result *= factor;
        if (k > 1u)
            factor *= factor;
    }
    return n < 0 ? 1.0 / result : result;
}

/* Shapes of the steps on 0 <= u <= 1. */
static void shape(carom_op op, double u, double *f, double *f1, double *f2)
{
    if (op == CAROM_OP_STEP) {
        *f = u * u * (3.0 - 2.0 * u);
        *f1 = 6.0 * u * (1.0 - u);
        *f2 = 6.0 - 12.0 * u;
    } else if (op == CAROM_OP_STEP5) {
        *f = u * u * u * (10.0 + u * (6.0 * u - 15.0));
        *f1 = 30.0 * u * u * (1.0 - u) * (1.0 - u);
        *f2 = 60.0 * u * (1.0 - u) * (1.0 - 2.0 * u);
    } else {
        double s = sin(0.5 * CAROM_PI * u), c = cos(0.5 * CAROM_PI * u);
        *f = s * s;
        *f1 = CAROM_PI * s * c;
        *f2 = 0.5 * CAROM_PI * CAROM_PI * (c * c - s * s);
    }
}

/* Value and derivatives by x of a switch whose branch is frozen. */
static void segment(const carom_instruction *i, int branch, double x, double *f, double *f1, double *f2)
{
    *f1 = *f2 = 0.0;
    if (i->op == CAROM_OP_GE) {
        *f = branch;
    } else if (i->op == CAROM_OP_FLOOR) {
        *f = branch == CAROM_BRANCH_FREE ? floor(x) : branch;
    } else if (i->op == CAROM_OP_SPLINE) {
        (i->u.edges->y2 ? carom_spline_segment : carom_trajectory_segment)(i->u.edges, branch, x, f, f1, f2);
    } else if (branch == 1) {
        double x0 = i->u.edges->x[0], width = i->u.edges->x[1] - x0;
        shape((carom_op)i->op, (x - x0) / width, f, f1, f2);
        *f1 /= width;
        *f2 /= width * width;
    } else {
        *f = branch < 1 ? 0.0 : 1.0;
    }
}

static double switch_value(const carom_instruction *i, double x, const int *switches, double *roots)
{
    double f, f1, f2;
    int branch = switches[i->c];
    if (roots && !(i->affine & CAROM_AFFINE_CONDITION))
        roots[i->b] = carom_switch_root(i->u.edges, x, branch);
    segment(i, branch, x, &f, &f1, &f2);
    return f;
}

/* ---- values ---- */

#define CASE(name, result) \
    case CAROM_OP_##name:  \
        v = result;        \
        break;

void carom_program_values(const carom_instruction *code, size_t count, const double *measures, const int *switches,
                          double *roots, double *registers)
{
    for (const carom_instruction *i = code, *end = count ? code + count : code; i < end; i++) {
        double x = registers[i->a], v;
        switch (i->op) {
            CASE(CONST, i->u.number)
            CASE(MEASURE, measures[i->c])
            CASE(ADD, x + registers[i->b])
            CASE(ADD_C, x + i->u.number)
            CASE(SUB, x - registers[i->b])
            CASE(C_SUB, i->u.number - x)
            CASE(MUL, x * registers[i->b])
            CASE(MUL_C, x * i->u.number)
            CASE(DIV, x / registers[i->b])
            CASE(DIV_C, x / i->u.number)
            CASE(C_DIV, i->u.number / x)
            CASE(SQUARE, x * x)
            CASE(CUBE, x * x * x)
            CASE(POWER_INT, power_int(x, i->c))
            CASE(POWER_3_2, x * sqrt(x))
            CASE(POWER_C, pow(x, i->u.number))
            CASE(C_POWER, pow(i->u.number, x))
            CASE(POWER, pow(x, registers[i->b]))
            CASE(ATAN2, atan2(x, registers[i->b]))
            CASE(HYPOT, hypot(x, registers[i->b]))
            CASE(SELECT, registers[i->c] != 0.0 ? x : registers[i->b])
#define UNARY(name, description, value, jet) CASE(name, value)
#include "expr/expr_words.def"
        default:
            v = switch_value(i, x, switches, roots);
            break;
        }
        registers[i->to] = v;
    }
}

/* ---- values with derivatives ---- */

static carom_jet jet_mul(carom_jet x, carom_jet y)
{
    return (carom_jet){x.value * y.value, x.rate * y.value + x.value * y.rate,
                       x.acceleration * y.value + 2.0 * x.rate * y.rate + x.value * y.acceleration};
}

static carom_jet jet_div(carom_jet x, carom_jet y)
{
    carom_jet q;
    q.value = x.value / y.value;
    q.rate = (x.rate - q.value * y.rate) / y.value;
    q.acceleration = (x.acceleration - 2.0 * q.rate * y.rate - q.value * y.acceleration) / y.value;
    return q;
}

/* f(x(t)); where x rests, an infinite derivative of f does not count. */
static carom_jet chain(carom_jet x, double f, double f1, double f2)
{
    carom_jet v = {f, f1 * x.rate, f1 * x.acceleration + f2 * (x.rate * x.rate)};
    if (isnan(v.acceleration) || isnan(v.rate)) {
        v.rate = x.rate == 0.0 ? 0.0 : f1 * x.rate;
        v.acceleration =
            (x.acceleration == 0.0 ? 0.0 : f1 * x.acceleration) + (x.rate == 0.0 ? 0.0 : f2 * (x.rate * x.rate));
    }
    return v;
}

static carom_jet jet_power_int(carom_jet x, int n)
{
    double f = power_int(x.value, n);
    return chain(x, f, n * power_int(x.value, n - 1), n * (n - 1.0) * power_int(x.value, n - 2));
}

static carom_jet jet_power_c(carom_jet x, double c)
{
    double f = pow(x.value, c);
    if (x.value == 0.0 || !isfinite(f))
        return chain(x, f, c * pow(x.value, c - 1.0), c * (c - 1.0) * pow(x.value, c - 2.0));
    double f1 = c * f / x.value;
    return chain(x, f, f1, (c - 1.0) * f1 / x.value);
}

/* x^y = exp(y log x) */
static carom_jet jet_power(carom_jet x, carom_jet y)
{
    if (y.rate == 0.0 && y.acceleration == 0.0)
        return jet_power_c(x, y.value);
    double f = pow(x.value, y.value);
    carom_jet logarithm = chain(x, log(x.value), 1.0 / x.value, -1.0 / (x.value * x.value));
    carom_jet w = jet_mul(y, logarithm);
    return (carom_jet){f, f * w.rate, f * (w.acceleration + w.rate * w.rate)};
}

static carom_jet jet_c_power(double c, carom_jet x)
{
    double f = pow(c, x.value), logarithm = log(c);
    return chain(x, f, f * logarithm, f * logarithm * logarithm);
}

static carom_jet jet_atan2(carom_jet y, carom_jet x)
{
    double square = x.value * x.value + y.value * y.value;
    double rate = (x.value * y.rate - y.value * x.rate) / square;
    double acceleration = (x.value * y.acceleration - y.value * x.acceleration) / square -
                          2.0 * rate * ((x.value * x.rate + y.value * y.rate) / square);
    return (carom_jet){atan2(y.value, x.value), rate, acceleration};
}

/* At the origin the derivatives are those just after t. */
static carom_jet jet_hypot(carom_jet x, carom_jet y)
{
    carom_jet h = {hypot(x.value, y.value), 0.0, 0.0};
    if (h.value == 0.0) {
        h.rate = hypot(x.rate, y.rate);
        h.acceleration = h.rate > 0.0 ? (x.rate * x.acceleration + y.rate * y.acceleration) / h.rate
                                      : hypot(x.acceleration, y.acceleration);
        return h;
    }
    double cx = x.value / h.value, cy = y.value / h.value;
    double turn = cx * y.rate - cy * x.rate;
    h.rate = cx * x.rate + cy * y.rate;
    h.acceleration = cx * x.acceleration + cy * y.acceleration + turn * turn / h.value;
    return h;
}

static carom_jet jet_switch(const carom_instruction *i, carom_jet x, const int *switches, int *set)
{
    if (set && !(i->affine & CAROM_AFFINE_CONDITION))
        set[i->c] = carom_switch_branch(i->u.edges, x);
    double f, f1, f2;
    segment(i, switches[i->c], x.value, &f, &f1, &f2);
    if (f1 == 0.0 && f2 == 0.0)
        return (carom_jet){f, 0.0, 0.0};
    return chain(x, f, f1, f2);
}

#define JET(name, result)          \
    case CAROM_OP_##name:          \
        registers[i->to] = result; \
        continue;

#define LINEAR(name, v, r, a)                    \
    case CAROM_OP_##name:                        \
        registers[i->to] = (carom_jet){v, r, a}; \
        continue;

void carom_program_jets(const carom_instruction *code, size_t count, carom_measures measures, const int *switches,
                        int *set, carom_jet *registers)
{
    for (const carom_instruction *i = code, *end = count ? code + count : code; i < end; i++) {
        const carom_jet p = registers[i->a];
        const carom_jet *q = &registers[i->b];
        double x = p.value, c = i->u.number, f, f1, f2;
        switch (i->op) {
            LINEAR(CONST, c, 0.0, 0.0)
            JET(MEASURE, measures.jets ? measures.jets[i->c] : ((carom_jet){measures.values[i->c], 0.0, 0.0}))
            LINEAR(ADD, x + q->value, p.rate + q->rate, p.acceleration + q->acceleration)
            LINEAR(ADD_C, x + c, p.rate, p.acceleration)
            LINEAR(SUB, x - q->value, p.rate - q->rate, p.acceleration - q->acceleration)
            LINEAR(C_SUB, c - x, -p.rate, -p.acceleration)
            LINEAR(MUL_C, x * c, p.rate * c, p.acceleration * c)
            LINEAR(DIV_C, x / c, p.rate / c, p.acceleration / c)
            LINEAR(SQUARE, x * x, 2.0 * x * p.rate, 2.0 * (p.rate * p.rate + x * p.acceleration))
            JET(MUL, jet_mul(p, *q))
            JET(DIV, jet_div(p, *q))
            JET(C_DIV, jet_div((carom_jet){c, 0.0, 0.0}, p))
            JET(CUBE, chain(p, x * x * x, 3.0 * x * x, 6.0 * x))
            JET(POWER_INT, jet_power_int(p, i->c))
            JET(POWER_3_2, chain(p, x * sqrt(x), 1.5 * sqrt(x), 0.75 / sqrt(x)))
            JET(POWER_C, jet_power_c(p, c))
            JET(C_POWER, jet_c_power(c, p))
            JET(POWER, jet_power(p, *q))
            JET(ATAN2, jet_atan2(p, *q))
            JET(HYPOT, jet_hypot(p, *q))
            JET(SELECT, registers[i->c].value != 0.0 ? p : *q)
#define UNARY(name, description, value, jet) \
    case CAROM_OP_##name:                 \
        (void)jet;                        \
        break;
#include "expr/expr_words.def"
        default:
            registers[i->to] = jet_switch(i, p, switches, set);
            continue;
        }
        registers[i->to] = chain(p, f, f1, f2);
    }
}

/* ---- the interface ---- */

/* Sets the switches that have root functions as they are at these measures. */
static void set_by_state(const carom_expr *expr, double t, const double *measures, int *switches)
{
    carom_jet registers[CAROM_EXPR_REGISTERS];
    registers[0] = (carom_jet){t, 1.0, 0.0};
    const carom_measures at_rest = {.values = measures};
    carom_program_jets(expr->code, expr->count, at_rest, switches, switches, registers);
}

/* Of so many switches at most: the true branches where the frozen ones have no number. */
#define THAWED 32

/* Beyond the edge of a frozen branch there may be no value, as of sqrt(abs(x)): there it is that of the true branches,
   so that a trial step past an edge does not fail, and the edge is found. */
static double thawed(const carom_expr *expr, double t, const double *measures, const int *switches)
{
    int branches[THAWED];
    double registers[CAROM_EXPR_REGISTERS];
    memcpy(branches, switches, (size_t)expr->switches * sizeof *branches);
    set_by_state(expr, t, measures, branches);
    registers[0] = t;
    carom_program_values(expr->code, expr->count, measures, branches, NULL, registers);
    return registers[expr->result];
}

double carom_expr_value(const carom_expr *expr, double t, const double *measures, const int *switches)
{
    if (expr->result < 0)
        return expr->value;
    double registers[CAROM_EXPR_REGISTERS];
    registers[0] = t;
    carom_program_values(expr->code, expr->count, measures, switches, NULL, registers);
    const double value = registers[expr->result];
    return isfinite(value) || !expr->roots || expr->switches > THAWED ? value : thawed(expr, t, measures, switches);
}

carom_jet carom_expr_jet_of(const carom_expr *expr, double t, const carom_jet *measures, const int *switches)
{
    if (expr->result < 0)
        return (carom_jet){expr->value, 0.0, 0.0};
    if (expr->measures && !measures)
        return (carom_jet){NAN, NAN, NAN};
    carom_jet registers[CAROM_EXPR_REGISTERS];
    registers[0] = (carom_jet){t, 1.0, 0.0};
    carom_program_jets(expr->code, expr->count, (carom_measures){.jets = measures}, switches, NULL, registers);
    return registers[expr->result];
}

carom_jet carom_expr_jet(const carom_expr *expr, double t, const int *switches)
{
    return carom_expr_jet_of(expr, t, NULL, switches);
}

void carom_expr_roots(const carom_expr *expr, double t, const double *measures, const int *switches, double *out)
{
    if (expr->roots == 0)
        return;
    double registers[CAROM_EXPR_REGISTERS];
    registers[0] = t;
    carom_program_values(expr->code, expr->count, measures, switches, out, registers);
}

void carom_expr_set_switches_ahead(const carom_expr *expr, double t, double ahead, const double *measures,
                                   int *switches)
{
    if (expr->affine_switches)
        carom_switch_affine(expr, t, switches);
    if (expr->roots)
        set_by_state(expr, ahead, measures, switches);
}

void carom_expr_set_switches(const carom_expr *expr, double t, const double *measures, int *switches)
{
    carom_expr_set_switches_ahead(expr, t, t, measures, switches);
}

double carom_expr_next_break(const carom_expr *expr, double t)
{
    return expr->affine_switches ? carom_switch_affine(expr, t, NULL) : HUGE_VAL;
}

bool carom_expr_is_constant(const carom_expr *expr) { return expr->result < 0; }
bool carom_expr_uses_measures(const carom_expr *expr) { return expr->measures; }

bool carom_expr_reads(const carom_expr *expr, int measure)
{
    for (size_t k = 0; k < expr->count; k++)
        if (expr->code[k].op == CAROM_OP_MEASURE && expr->code[k].c == measure)
            return true;
    return false;
}

bool carom_expr_is_condition(const carom_expr *expr) { return expr->condition; }

size_t carom_expr_switch_at(const carom_expr *expr, int index)
{
    size_t at = 0;
    for (size_t k = 0; k < expr->count; k++)
        if (expr->code[k].op >= CAROM_OP_GE && expr->code[k].op <= CAROM_OP_SPLINE && expr->code[k].c == index)
            at = expr->code[k].affine >> CAROM_AFFINE_BITS;
    return at;
}

int carom_expr_switch_count(const carom_expr *expr) { return expr->switches; }
int carom_expr_root_count(const carom_expr *expr) { return expr->roots; }
