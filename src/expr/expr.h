/* Expressions of t, parameters, constants and measures, with exact first and second time derivative.

   An expression is compiled once into a small program in an arena and evaluated without allocation. Conditions (`if`,
   `step`, `spline` knots, comparisons) are *switches*: which branch is taken is frozen in an array of the caller while
   an integrator steps, and changed only at stops, so that no step integrates across a kink. */
#ifndef CAROM_EXPR_H
#define CAROM_EXPR_H

#include "base/base.h"
#include "carom/spec.h"
#include "expr/dimension.h"

#include <math.h>

/* Value with first and second derivative in time. */
typedef struct carom_jet {
    double value, rate, acceleration;
} carom_jet;

typedef struct carom_expr carom_expr;

/* Thresholds of a switch, ascending, and for a spline its ordinates and second derivatives; a trajectory has in y six
   coefficients of each segment, and no y2. Branch k is edges[k-1] <= x < edges[k]. */
typedef struct carom_edges {
    size_t n;
    const double *x, *y, *y2;
    const double *before;       /* where the second derivatives jump at the knots, those before them; NULL: y2 */
} carom_edges;

/* A measure reads the state: `angle(pin)`, or the same as a path, `contact.hit.count`, which is the measure
   `contact.count` of `hit`. The compiler asks the scope which slot of the caller's array it is. */
typedef struct carom_expr_scope {
    const char *const *names;       /* parameters, in order of definition */
    const double *values;
    size_t count;
    bool time_allowed;              /* may `t` occur? else it is an error that says so */
    /* Resolves measure `function` with `argument_count` names; returns the slot >= 0, -1 if there is no such function,
       -2 after carom_fail() with its own text, -3 when out of memory. NULL: measures are an error. */
    int (*measure)(void *user, carom_context *ctx, const char *function, const char *const *arguments,
                   size_t argument_count);
    /* Splines named in the model: returns true and the table */
    bool (*spline)(void *user, const char *name, carom_edges *out);
    /* Does a spline repeat itself beyond its ends? NULL: none does, they go on straight. */
    bool (*spline_repeats)(void *user, const char *name);
    /* Trajectories named in the model: returns true and the n points x, the six coefficients of each segment, and
       whether it repeats itself. */
    bool (*trajectory)(void *user, const char *name, size_t *n, const double **x, const double **coefficients,
                       bool *repeats);
    /* Dimensions of its x and y, of splines and trajectories; false: not known. */
    bool (*spline_dimensions)(void *user, const char *name, carom_dimension out[2]);
    void *user;
    /* Names that stand for a number which varies: inputs and states. `variable` resolves one by its index, as `measure`
       does; NULL: a constant is needed. */
    const char *const *variables;
    size_t variable_count;
    int (*variable)(void *user, carom_context *ctx, size_t index);
    /* Dimensions of the parameters, of the variables, and of the measure in a slot; NULL: not known. */
    const carom_dimension *dimensions, *variable_dimensions;
    carom_dimension (*measure_dimension)(void *user, int slot);
    /* Functions of the model: a call is built as its value with the arguments in their places. */
    const carom_function_def *functions;
    size_t function_count;
} carom_expr_scope;

/* Most arguments of a function of the model, and functions that call each other. */
#define CAROM_FUNCTION_ARGUMENTS 8

/* Compiles `text`. Constant parts are folded. Errors (CAROM_ERROR_MODEL) name column and remedy: the place passed in is
   that of the text's first character in its file and the column is advanced by the offset of the culprit. */
carom_status carom_expr_compile(carom_arena *arena, const carom_expr_scope *scope, const char *text,
                                const carom_place *place, carom_expr **out);

/* Compiles the value of a function of one argument with the time in its place: carom_expr_jet() of a time gives the
   value there and the derivatives by the argument, whose dimension is given. */
carom_status carom_expr_compile_graph(carom_arena *arena, const carom_expr_scope *scope,
                                      const carom_function_def *function, carom_dimension dimension, carom_expr **out);
/* Refuses a function that no call could use: names that are not known, calls of itself, faults of grammar. */
carom_status carom_expr_check_function(carom_context *ctx, const carom_expr_scope *scope,
                                       const carom_function_def *function);
/* A function of the model by its name; NULL: there is none. */
const carom_function_def *carom_expr_find_function(const carom_expr_scope *scope, const char *name);

/* Compiles and evaluates an expression that must be constant (numbers, parameters, constants, functions). The result is
   finite, or the call fails with a text that says what was not (division by zero, logarithm of a negative number,
   ...). */
carom_status carom_expr_number(carom_context *ctx, const carom_expr_scope *scope, const char *text,
                               const carom_place *place, double *out);
/* The same with its dimension. */
carom_status carom_expr_quantity(carom_context *ctx, const carom_expr_scope *scope, const char *text,
                                 const carom_place *place, double *out, carom_dimension *dimension);
carom_dimension carom_expr_dimension(const carom_expr *expr);

/* Constants that are left in the program, in the order of its text: what was made of numbers and parameters. Returns
   how many there are; `out` has the first `size` of them. */
typedef struct carom_expr_kept {
    double value;
    bool added;                 /* to what varies */
} carom_expr_kept;
size_t carom_expr_constants(const carom_expr *expr, size_t size, carom_expr_kept *out);

bool carom_expr_is_constant(const carom_expr *expr);         /* contains neither t nor measures */
bool carom_expr_uses_measures(const carom_expr *expr);
bool carom_expr_reads(const carom_expr *expr, int measure);  /* the measure in that slot */
bool carom_expr_is_condition(const carom_expr *expr);       /* result of a comparison: 1 or 0 */

/* Where in the text the operation of a switch stands, from 0. */
size_t carom_expr_switch_at(const carom_expr *expr, int index);
/* Number of switches; the caller keeps that many ints per expression (may be shared, one block per expression). */
int carom_expr_switch_count(const carom_expr *expr);

/* Sets every switch as it stands just after t (t+). */
void carom_expr_set_switches(const carom_expr *expr, double t, const double *measures, int *switches);
/* The same where the measures are those of a time a little ahead, at which switches that have root functions are looked
   at. */
void carom_expr_set_switches_ahead(const carom_expr *expr, double t, double ahead, const double *measures,
                                   int *switches);

/* Earliest time > t at which a switch whose condition depends on t alone and linearly changes; HUGE_VAL if none. */
double carom_expr_next_break(const carom_expr *expr, double t);
/* Of each of these switches the time at which it leaves its branch while the others stand; HUGE_VAL: it never does.
   Numbers of switches of another kind stay as they are. */
void carom_expr_leaving(const carom_expr *expr, double t, const int *switches, double *out);
/* The root function of a switch; -1: its times are known. */
int carom_expr_switch_root(const carom_expr *expr, int index);

/* Switches whose time is not known in advance (nonlinear in t, or state-dependent): their root functions, one a switch,
   finite, positive while the frozen branch holds and negative past its end. */
int carom_expr_root_count(const carom_expr *expr);
void carom_expr_roots(const carom_expr *expr, double t, const double *measures, const int *switches, double *out);

/* Value with frozen switches, or where it is not finite that of the true branches. `switches` may be NULL when there
   are none, `measures` when none are used. */
double carom_expr_value(const carom_expr *expr, double t, const double *measures, const int *switches);
/* Value and exact time derivatives; only for expressions without measures. */
carom_jet carom_expr_jet(const carom_expr *expr, double t, const int *switches);
/* The same where the derivatives of the measures are known. */
carom_jet carom_expr_jet_of(const carom_expr *expr, double t, const carom_jet *measures, const int *switches);

/* Natural cubic spline through n >= 3 points, x ascending: fills y2 (n second derivatives), work of n doubles. */
void carom_spline_fit(size_t n, const double *x, const double *y, double *y2, double *work);

/* The same with `ends`: "natural" (or NULL), "clamped" with the two slopes, or "periodic", n >= 4, the last y equal to
   the first; and `between`: "smooth" (or NULL), or "monotone", which rises and falls where its points do and has
   continuous first derivatives. Fills *out with the given x and y. y2 has room for 2 n doubles, work for 2 n. False if
   there are no such ends or no such way, or too few points. */
bool carom_spline_fit_ends(const char *between, const char *ends, const double *slopes, size_t n, const double *x,
                           const double *y, double *y2, double *work, carom_edges *out);
/* By how much a spline leaves the range of the two points at the ends of its segment k, and where; 0: it does not. */
double carom_spline_beyond(const carom_edges *spline, size_t k, double *x);
/* Points of a trajectory. Rates and accelerations are NaN where they are free; NULL: all are. */
typedef enum carom_trajectory_ends { CAROM_ENDS_REST, CAROM_ENDS_FREE, CAROM_ENDS_PERIODIC } carom_trajectory_ends;
typedef struct carom_via_points {
    size_t n;                   /* 2 or more, of a periodic one 3 or more, the last point as the first */
    const double *x, *y, *rates, *accelerations;        /* x ascending */
    bool cubic;                 /* else quintic */
    carom_trajectory_ends ends; /* free of rates at rest (and without acceleration), the smoothest, those of a period */
} carom_via_points;

/* The sentence why points make no trajectory (NULL: they do), and the points; `degree` and `ends` as in
   carom_trajectory_def. */
const char *carom_trajectory_fault(const char *degree, const char *ends, size_t n, const double *x, const double *y,
                                   const double *rates, const double *accelerations);
carom_via_points carom_trajectory_points(const char *degree, const char *ends, size_t n, const double *x,
                                         const double *y, const double *rates, const double *accelerations);
/* Doubles of the work of a fit for each point. */
#define CAROM_TRAJECTORY_WORK 10
/* Fills six coefficients of each of the n - 1 segments. */
void carom_trajectory_fit(const carom_via_points *points, double *coefficients, double *work);
/* Segment `branch` of a trajectory at x: value, first and second derivative; beyond its ends it goes on straight. */
void carom_trajectory_segment(const carom_edges *edges, int branch, double x, double *f, double *f1, double *f2);
/* As carom_spline_beyond(). */
double carom_trajectory_beyond(const carom_edges *edges, size_t k, double *x);

/* Where a curve leaves the range of the two points at the ends of a segment, and by which share of that of all. */
typedef struct carom_overshoot {
    double ends[2][2], x, y, share;
} carom_overshoot;

/* The worst segment of a spline or a trajectory through points: beyond its ends by more than a hundredth of the range
   of all points, or a tenth where they have a crest or a trough, and not led there by a rate that a point is given.
   False: there is none. Of the points x, y, rates and whether they repeat are read. */
bool carom_curve_overshoots(const carom_edges *curve, const carom_via_points *points, carom_overshoot *out);
/* "between its points (0, 1) and (2, 3) it goes to 5, at x = 1.5, 67 % of the range of its points beyond them". */
void carom_overshoot_text(const carom_overshoot *overshoot, char *text, size_t size);

/* Segment `branch` of a spline at x: value, first and second derivative. */
void carom_spline_segment(const carom_edges *spline, int branch, double x, double *f, double *f1, double *f2);
/* Integral of a spline from its first knot to x; `sums` are those to each knot. */
double carom_spline_integral(const carom_edges *spline, const double *sums, int branch, double x);
/* Fills the integrals from the first knot to each knot. */
void carom_spline_sums(const carom_edges *spline, double *sums);

/* Switches outside of expressions: the branch just after the time of x (NULL edges: the integers), and the root
   function of a branch, positive inside it. */
int carom_switch_branch(const carom_edges *edges, carom_jet x);
double carom_switch_root(const carom_edges *edges, double x, int branch);

/* Reserved words (constants and functions) for suggestions and for refusing parameters with such names. */
bool carom_expr_is_reserved(const char *name);
const char *const *carom_expr_reserved(size_t *count);
/* Rows of the reference page: name, value or signature, description. */
typedef struct carom_expr_word {
    const char *name, *signature, *description;
    double value;               /* of constants; 0 for functions */
    bool is_function;
    bool late;                  /* not reserved: a name of the user's own comes before it */
    bool is_unit;               /* of constants: a unit of measure */
    carom_dimension dimension;  /* of constants that carom_expr_constant() finds */
} carom_expr_word;
const carom_expr_word *carom_expr_words(size_t *count);

#endif
