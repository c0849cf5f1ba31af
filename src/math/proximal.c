/* Solves with a symmetric matrix S that may be singular by the regular one S + R, R a share of its diagonal: once, or
   with what is left of the right-hand side until nothing is. With x += y, (S + R) y = r, what is left is r - S y = R y,
   so that S is not needed again: the iteration of the proximal point, or of augmented Lagrangians. It leads to a
   solution of S x = b where there is one, of the rows that depend on others to the one with the least x R x.
   Source: Rockafellar 1976, SIAM J. Control Optim. 14:877-898; Bayo, Garcia de Jalon and Serna 1988, Comput. Methods
   Appl. Mech. Eng. 71:183-195, eq. (15). */
#include "math/solve.h"

#include <math.h>
#include <string.h>

/* Pivots of S + R are above this share of its diagonal. */
#define PIVOT_SHARE 1e-14
/* What is left of the right-hand side counts as nothing. */
#define NOTHING 1e-16

carom_status carom_proximal_create(carom_arena *arena, int n, double share, int rounds, carom_proximal *out)
{
    *out = (carom_proximal){.n = n, .rounds = rounds, .share = share};
    out->regular = carom_arena_alloc(arena, (size_t)n, sizeof *out->regular);
    out->x = carom_arena_alloc(arena, (size_t)n, sizeof *out->x);
    return out->regular && out->x ? CAROM_OK : carom_fail_memory(arena->ctx);
}

bool carom_proximal_factor(carom_proximal *p, carom_dense *dense)
{
    double *s = carom_dense_matrix(dense);
    for (int k = 0; k < p->n; k++) {
        double *diagonal = &s[(size_t)k * (size_t)p->n + (size_t)k];
        p->regular[k] = *diagonal > 0 ? p->share * *diagonal : 1;
        *diagonal += p->regular[k];
    }
    carom_dense_set_pivot(dense, PIVOT_SHARE);
    const bool done = carom_dense_factor(dense);
    carom_dense_set_pivot(dense, 0);
    return done;
}

void carom_proximal_solve(const carom_proximal *p, const carom_dense *dense, double *b)
{
    double first = 0;
    memset(p->x, 0, (size_t)p->n * sizeof *p->x);
    for (int round = 0; round < p->rounds; round++) {
        double left = 0;
        carom_dense_solve(dense, b);
        for (int k = 0; k < p->n; k++) {
            p->x[k] += b[k];
            b[k] *= p->regular[k];
            left = fmax(left, fabs(b[k]));
        }
        first = round ? first : left;
        if (!(left > NOTHING * first))
            break;
    }
    memcpy(b, p->x, (size_t)p->n * sizeof *b);
}
