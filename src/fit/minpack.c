/* Least squares by MINPACK (cminpack): the only file that knows it. J. J. More 1978, "The Levenberg-Marquardt
   algorithm:
   implementation and theory", Lecture Notes in Mathematics 630, 105-116. */
#include "fit/fit.h"

#include <cminpack.h>
#include <float.h>

/* Residual that stands for those that cannot be computed: the step to them is rejected. */
#define FAILED 1e100

typedef struct call {
    const carom_least_squares *p;
    bool begun, refused, ended;
} call;

static int compute(void *user, int m, int n, const double *x, double *r, double *jacobian, int rows, int what)
{
    call *c = user;
    (void)n;
    (void)rows;
    if (what == 2) {
        c->ended = !c->p->jacobian(c->p->user, x, jacobian);
        return c->ended ? -1 : 0;
    }
    if (!c->p->residuals(c->p->user, x, r)) {
        c->refused = !c->begun;
        for (int k = 0; k < m; k++)
            r[k] = FAILED;
    }
    c->begun = true;
    return c->refused ? -1 : 0;
}

carom_status carom_least_squares_solve(carom_context *ctx, const carom_least_squares *p, double *x, bool *converged)
{
    const size_t m = p->m, n = p->n, size = m + m * n + 6 * n + m;
    double *work = carom_allocate(ctx, size, sizeof *work);
    int *pivots = carom_allocate(ctx, n, sizeof *pivots);
    call c = {.p = p};
    int calls, slopes, info = 0;
    *converged = false;
    if (work && pivots) {
        double *r = work, *j = r + m, *diagonal = j + m * n, *qtf = diagonal + n, *w = qtf + n;
        info =
            lmder(compute, &c, (int)m, (int)n, x, r, j, (int)m, p->tolerance, p->tolerance, DBL_EPSILON, (int)p->most,
                  diagonal, 1, p->first_step, 0, &calls, &slopes, pivots, qtf, w, w + n, w + 2 * n, w + 3 * n);
        /* 1 to 4: to the tolerance; 6 to 8: to the last digits */
        *converged = (info >= 1 && info <= 4) || (info >= 6 && info <= 8);
    }
    const bool memory = work && pivots;
    carom_release(ctx, work, size, sizeof *work);
    carom_release(ctx, pivots, n, sizeof *pivots);
    if (!memory)
        return carom_fail_memory(ctx);
    return c.refused ? CAROM_ERROR_SOLVER : CAROM_OK;
}
