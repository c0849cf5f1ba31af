/* Optimisation by NLopt: the only file that knows it. S. G. Johnson, The NLopt nonlinear-optimization package. COBYLA:
   M. J. D. Powell 1994; SLSQP: D. Kraft 1988; MMA: K. Svanberg 2002; subplex: T. Rowan 1990; BOBYQA: M. J. D. Powell
   2009; ISRES: T. P. Runarsson and X. Yao 2005; DIRECT: J. M. Gablonsky and C. T. Kelley 2001. */
#include "fit/optimise.h"

#include <nlopt.h>

const carom_optimise_method carom_optimise_methods[] = {
    {.name = "auto", .id = NLOPT_LN_COBYLA, .constrained = true, .polished = true},
    {.name = "cobyla", .id = NLOPT_LN_COBYLA, .constrained = true},
    {.name = "slsqp", .id = NLOPT_LD_SLSQP, .constrained = true, .slopes = true},
    {.name = "mma", .id = NLOPT_LD_MMA, .constrained = true, .slopes = true},
    {.name = "subplex", .id = NLOPT_LN_SBPLX},
    {.name = "bobyqa", .id = NLOPT_LN_BOBYQA},
    {.name = "isres", .id = NLOPT_GN_ISRES, .constrained = true, .global = true, .polished = true},
    {.name = "direct", .id = NLOPT_GN_DIRECT_L, .global = true, .polished = true}};
const size_t carom_optimise_method_count = CAROM_COUNT(carom_optimise_methods);

const carom_optimise_method *carom_optimise_method_find(const char *name)
{
    for (size_t k = 0; k < carom_optimise_method_count; k++)
        if (strcmp(carom_optimise_methods[k].name, name) == 0)
            return &carom_optimise_methods[k];
    return NULL;
}

/* The library asks for objective and constraints one after the other at one point: what was found is kept. */
typedef struct call {
    const carom_optimise_problem *p;
    nlopt_opt opt;
    double *x, *constraints, *slopes, objective;
    bool known, with_slopes;
} call;

static void find(call *c, const double *x, bool slopes)
{
    const carom_optimise_problem *p = c->p;
    if (c->known && (c->with_slopes || !slopes) && memcmp(c->x, x, p->n * sizeof *x) == 0)
        return;
    memcpy(c->x, x, p->n * sizeof *x);
    c->known = true;
    c->with_slopes = slopes;
    if (!p->evaluate(p->user, x, &c->objective, c->constraints, slopes ? c->slopes : NULL))
        nlopt_force_stop(c->opt);
}

static double objective(unsigned n, const double *x, double *slopes, void *user)
{
    call *c = user;
    find(c, x, slopes != NULL);
    if (slopes)
        memcpy(slopes, c->slopes, n * sizeof *slopes);
    return c->objective;
}

static void constraints(unsigned m, double *out, unsigned n, const double *x, double *slopes, void *user)
{
    call *c = user;
    find(c, x, slopes != NULL);
    memcpy(out, c->constraints, m * sizeof *out);
    if (slopes)
        memcpy(slopes, c->slopes + n, (size_t)m * n * sizeof *slopes);
}

carom_status carom_optimise_search(carom_context *ctx, const carom_optimise_problem *p, double *x, bool *converged)
{
    const size_t size = p->n + p->constraints + p->n * (p->constraints + 1);
    double *work = carom_allocate(ctx, size, sizeof *work);
    nlopt_opt opt = nlopt_create((nlopt_algorithm)p->method->id, (unsigned)p->n);
    call c = {.p = p, .opt = opt, .x = work};
    double least;
    bool good = work && opt;
    *converged = false;
    if (good) {
        c.constraints = work + p->n;
        c.slopes = c.constraints + p->constraints;
        good = nlopt_set_lower_bounds1(opt, 0) > 0 && nlopt_set_upper_bounds1(opt, 1) > 0 &&
               nlopt_set_min_objective(opt, objective, &c) > 0 && nlopt_set_xtol_abs1(opt, p->tolerance) > 0 &&
               nlopt_set_maxeval(opt, (int)p->evaluations) > 0 && nlopt_set_initial_step1(opt, p->step) > 0;
    }
    if (good && p->constraints > 0)
        good = nlopt_add_inequality_mconstraint(opt, (unsigned)p->constraints, constraints, &c, NULL) > 0;
    if (good) {
        /* global methods draw the same numbers each time */
        nlopt_srand(1);
        const nlopt_result result = nlopt_optimize(opt, x, &least);
        good = result != NLOPT_OUT_OF_MEMORY;
        if (p->limited)
            *p->limited = result == NLOPT_ROUNDOFF_LIMITED;
        /* the last digits of the runs may keep it from its tolerance */
        *converged = (result > 0 && result != NLOPT_MAXEVAL_REACHED) || result == NLOPT_ROUNDOFF_LIMITED;
    }
    nlopt_destroy(opt);
    carom_release(ctx, work, size, sizeof *work);
    return good ? CAROM_OK : carom_fail_memory(ctx);
}
