/* Switches: which branch holds just after a time, when it ends, and the root functions of those that are not affine. */
#include "expr/expr_program.h"

#include <math.h>

static const double zero = 0.0;
const carom_edges carom_edge_zero = {.n = 1, .x = &zero};

/* Largest argument of a floor that is frozen. */
#define FLOOR_LIMIT 1e9

/* ---- one switch by its argument ---- */

static bool falls(carom_jet x) { return x.rate < 0.0 || (x.rate == 0.0 && x.acceleration < 0.0); }

int carom_switch_branch(const carom_edges *edges, carom_jet x)
{
    if (!edges) {
        if (!(fabs(x.value) < FLOOR_LIMIT))
            return CAROM_BRANCH_FREE;
        double k = floor(x.value);
        return (int)k - (k == x.value && falls(x));
    }
    /* number of edges at or below x */
    size_t low = 0, high = edges->n;
    while (low < high) {
        size_t k = low + (high - low) / 2;
        if (edges->x[k] < x.value || (edges->x[k] == x.value && !falls(x)))
            low = k + 1;
        else
            high = k;
    }
    return (int)low;
}

double carom_switch_root(const carom_edges *edges, double x, int branch)
{
    double root;
    if (!edges) {
        root = branch == CAROM_BRANCH_FREE ? 1.0 : (x - branch) * (branch + 1.0 - x);
    } else {
        const bool below = branch > 0 && (size_t)branch <= edges->n, above = (size_t)branch < edges->n;
        double low = below ? edges->x[branch - 1] : 0.0, high = above ? edges->x[branch] : 0.0;
        root = below && above ? (x - low) * ((high - x) / (high - low)) : below ? x - low : high - x;
    }
    return isfinite(root) ? root : 1.0;
}

/* ---- switches that are affine in t: their times are known ---- */

/* value + rate*t */
typedef struct affine {
    double value, rate;
} affine;

/* Time at which x passes an edge. Branches are told by these times alone, so that a stop at one is past it. */
static double passing(affine x, double edge) { return (edge - x.value) / x.rate; }

/* Is x at or above the edge just after t? */
static bool above_after(affine x, double edge, double t)
{
    if (x.rate == 0.0)
        return edge <= x.value;
    double time = passing(x, edge);
    return x.rate > 0.0 ? time <= t : time > t;
}

static int floor_after(affine x, double t)
{
    double now = x.value + x.rate * t;
    if (!(fabs(now) < FLOOR_LIMIT))
        return CAROM_BRANCH_FREE;
    int k = (int)floor(now);
    /* rounding of `now` moves it by one at most */
    if (!above_after(x, k, t))
        k--;
    else if (above_after(x, k + 1.0, t))
        k++;
    return k;
}

static int edges_after(const carom_edges *edges, affine x, double t)
{
    size_t low = 0, high = edges->n;
    while (low < high) {
        size_t k = low + (high - low) / 2;
        if (above_after(x, edges->x[k], t))
            low = k + 1;
        else
            high = k;
    }
    return (int)low;
}

/* Time at which x leaves the branch; HUGE_VAL if it never does. */
static double leaving(const carom_edges *edges, affine x, int branch)
{
    if (x.rate == 0.0 || branch == CAROM_BRANCH_FREE)
        return HUGE_VAL;
    if (!edges)
        return passing(x, x.rate > 0.0 ? branch + 1.0 : branch);
    if (x.rate > 0.0)
        return (size_t)branch < edges->n ? passing(x, edges->x[branch]) : HUGE_VAL;
    return branch > 0 ? passing(x, edges->x[branch - 1]) : HUGE_VAL;
}

static affine affine_result(const carom_instruction *i, const affine *registers)
{
    affine x = registers[i->a], y = registers[i->b];
    double c = i->u.number;
    switch (i->op) {
    case CAROM_OP_CONST:
        return (affine){c, 0.0};
    case CAROM_OP_ADD:
        return (affine){x.value + y.value, x.rate + y.rate};
    case CAROM_OP_ADD_C:
        return (affine){x.value + c, x.rate};
    case CAROM_OP_SUB:
        return (affine){x.value - y.value, x.rate - y.rate};
    case CAROM_OP_C_SUB:
        return (affine){c - x.value, -x.rate};
    case CAROM_OP_MUL:
        return (affine){x.value * y.value, x.value * y.rate + x.rate * y.value};
    case CAROM_OP_MUL_C:
        return (affine){x.value * c, x.rate * c};
    case CAROM_OP_DIV:
        return (affine){x.value / y.value, x.rate / y.value};
    case CAROM_OP_DIV_C:
        return (affine){x.value / c, x.rate / c};
    default:
        return registers[i->c].value != 0.0 ? x : y; /* CAROM_OP_SELECT */
    }
}

static affine branch_result(affine x, int branch, double t)
{
    return (affine){branch == CAROM_BRANCH_FREE ? floor(x.value + x.rate * t) : branch, 0.0};
}

double carom_switch_affine(const carom_expr *expr, double t, int *switches)
{
    affine registers[CAROM_EXPR_REGISTERS];
    registers[0] = (affine){0.0, 1.0};
    double next = HUGE_VAL;
    for (const carom_instruction *i = expr->code, *end = i + expr->count; i < end; i++) {
        if (i->affine & CAROM_AFFINE_CONDITION) {
            affine x = registers[i->a];
            int branch = i->u.edges ? edges_after(i->u.edges, x, t) : floor_after(x, t);
            double time = leaving(i->u.edges, x, branch);
            if (time > t && time < next)
                next = time;
            if (switches)
                switches[i->c] = branch;
            registers[i->to] = branch_result(x, branch, t);
        } else if (i->affine & CAROM_AFFINE_RESULT) {
            registers[i->to] = affine_result(i, registers);
        }
    }
    return next;
}

void carom_expr_leaving(const carom_expr *expr, double t, const int *switches, double *out)
{
    affine registers[CAROM_EXPR_REGISTERS];
    registers[0] = (affine){0.0, 1.0};
    for (const carom_instruction *i = expr->code, *end = i + expr->count; i < end; i++) {
        if (i->affine & CAROM_AFFINE_CONDITION) {
            const affine x = registers[i->a];
            out[i->c] = leaving(i->u.edges, x, switches[i->c]);
            registers[i->to] = branch_result(x, switches[i->c], t);
        } else if (i->affine & CAROM_AFFINE_RESULT) {
            registers[i->to] = affine_result(i, registers);
        }
    }
}

int carom_expr_switch_root(const carom_expr *expr, int index)
{
    for (const carom_instruction *i = expr->code, *end = i + expr->count; i < end; i++)
        if (i->op >= CAROM_OP_GE && i->op <= CAROM_OP_SPLINE && i->c == index)
            return i->affine & CAROM_AFFINE_CONDITION ? -1 : i->b;
    return -1;
}
