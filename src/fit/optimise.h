/* Inside of optimisations. */
#ifndef CAROM_OPTIMISE_INTERNAL_H
#define CAROM_OPTIMISE_INTERNAL_H

#include "carom/optimise.h"
#include "fit/fit.h"

#define CAROM_OPTIMISE_CONSTRAINTS 100

/* A method of the library of optimisation. */
typedef struct carom_optimise_method {
    const char *name;
    int id;
    bool constrained;           /* it takes constraints */
    bool slopes;                /* it asks for derivatives */
    bool global;                /* it searches all the bounds by itself: one start is enough */
    bool polished;              /* what it finds is the start of slsqp */
} carom_optimise_method;
extern const carom_optimise_method carom_optimise_methods[];
extern const size_t carom_optimise_method_count;
const carom_optimise_method *carom_optimise_method_find(const char *name);

struct carom_optimise {
    carom_fit base;             /* its arena, keys, unknowns */
    carom_study *study;
    const carom_optimise_method *method;
    bool maximise;
    size_t quantities, constraints, items;
    carom_study_item *list;
    const char **texts;         /* of the constraints */
    double signs[CAROM_OPTIMISE_CONSTRAINTS];   /* the left side less the right one, times it, is to be >= 0 */
    size_t starts, evaluations;
};

/* ---- nlopt.c ---- */

/* A least value over numbers from 0 to 1, under constraints c <= 0. */
typedef struct carom_optimise_problem {
    const carom_optimise_method *method;
    size_t n, constraints, evaluations;
    double step, tolerance;
    /* Objective and constraints at x, and, where they are asked for, their derivatives: n of the objective, then n of
       each constraint. False ends the search. */
    bool (*evaluate)(void *user, const double *x, double *objective, double *constraints, double *slopes);
    void *user;
    bool *limited;              /* whether rounding kept it from its tolerance; NULL: not asked for */
} carom_optimise_problem;
/* Changes x; what is best is the caller's to keep. *converged: it ended by itself. Errors: CAROM_ERROR_MEMORY. */
carom_status carom_optimise_search(carom_context *ctx, const carom_optimise_problem *p, double *x, bool *converged);

#endif
