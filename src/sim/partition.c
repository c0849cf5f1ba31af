/* Coordinate partitioning: with the constraint rows J = [J_w J_u], J_w of the largest pivots, dependent velocities and
   small motions w follow from the independent ones u,
       J_w dw = -Phi   by Newton's method,     J_w w' = -Phi_t - J_u u'.
   Which they are is chosen anew after each step by elimination with exchanges of rows and columns, so that J_w is as
   regular as it can be and a run that goes on from a state chooses the same.
   Source: Wehage and Haug 1982, J. Mech. Design 104:247-255. */
#include "sim/partition.h"

#include "dynamics/formulation/tree.h"
#include "math/solve.h"

#include <math.h>
#include <string.h>

/* Newton's method has ended where the violation is no longer halved, below this. */
#define STALLED 1e-11
/* A pivot below this share of the first one is none. */
#define DEPENDENT 1e-7

typedef struct carom_partition {
    int n, most;      /* velocities; rows at most */
    int *row, *block; /* of the model: that may be held, and their blocks */
    int row_count;
    int *chosen, *dependent; /* rows, of these, and columns that are solved from them */
    int rank;
    double *j, *square, *b; /* rows x n row by row, rank x rank by columns, right-hand side */
    double *scale;          /* of each column: turns in lengths */
    int *pivot;
    double *step;
} carom_partition;

carom_status carom_partition_create(carom_simulation *sim)
{
    const carom_model *m = sim->model;
    carom_arena *arena = &sim->arena;
    const size_t n = (size_t)sim->s.layout.velocities, rows = (size_t)m->row_count;
    carom_partition *p = carom_arena_alloc(arena, 1, sizeof *p);
    if (!p)
        return carom_fail_memory(sim->ctx);
    sim->partition = p;
    p->n = (int)n;
    const bool done = (p->row = carom_arena_alloc(arena, rows, sizeof *p->row)) &&
                      (p->block = carom_arena_alloc(arena, rows, sizeof *p->block)) &&
                      (p->chosen = carom_arena_alloc(arena, rows, sizeof *p->chosen)) &&
                      (p->dependent = carom_arena_alloc(arena, rows + n, sizeof *p->dependent)) &&
                      (p->j = carom_arena_alloc(arena, rows * n, sizeof *p->j)) &&
                      (p->square = carom_arena_alloc(arena, rows * rows, sizeof *p->square)) &&
                      (p->b = carom_arena_alloc(arena, rows, sizeof *p->b)) &&
                      (p->scale = carom_arena_alloc(arena, n, sizeof *p->scale)) &&
                      (p->pivot = carom_arena_alloc(arena, rows, sizeof *p->pivot)) &&
                      (p->step = carom_arena_alloc(arena, n, sizeof *p->step));
    if (!done)
        return carom_fail_memory(sim->ctx);
    for (int k = 0; k < m->block_count; k++) {
        const carom_constraint_block *e = &m->blocks[k];
        const bool held = carom_dynamics_is_held(sim->system, k);
        for (int r = e->first_row; held && r < e->first_row + e->row_count; r++) {
            p->row[p->row_count] = r;
            p->block[p->row_count++] = k;
        }
    }
    return CAROM_OK;
}

/* Rows at the poses of an evaluation; those of joints that are not locked are zero. */
static void fill(const carom_simulation *sim, const carom_evaluation *d, double *out)
{
    const carom_partition *p = sim->partition;
    memset(out, 0, (size_t)p->row_count * (size_t)p->n * sizeof *out);
    for (int k = 0; k < p->row_count; k++)
        if (!d->idle || !d->idle[p->row[k]])
            carom_block_entries(d, &sim->model->blocks[p->block[k]], p->row[k], out + (size_t)k * (size_t)p->n);
}

static void exchange(int *a, int i, int k)
{
    const int kept = a[i];
    a[i] = a[k];
    a[k] = kept;
}

/* Norms of rows and columns of one size: lengths and turns may stand in both. */
static void equilibrate(carom_partition *p)
{
    for (int k = 0; k < p->row_count; k++) {
        double most = 0;
        for (int c = 0; c < p->n; c++)
            most = fmax(most, fabs(p->j[k * p->n + c] * p->scale[c]));
        for (int c = 0; c < p->n; c++)
            p->j[k * p->n + c] *= most > 0 ? p->scale[c] / most : 0;
    }
}

/* The column scales: of a coordinate the inverse of its largest effect on a body, turns in lengths. */
static void scale_columns(carom_simulation *sim)
{
    carom_partition *p = sim->partition;
    const carom_formulation *f = sim->s.formulation;
    const carom_model *m = sim->model;
    double *x = p->step;
    for (int c = 0; c < p->n; c++)
        p->scale[c] = 1;
    for (int body = 1; sim->system->tree && body <= m->body_count; body++) /* what is prescribed depends on nothing */
        if (m->tree.bodies[body].motion >= 0)
            p->scale[m->tree.bodies[body].first_v] = 0;
    for (int c = 0; c < p->n && !sim->system->tree; c++) {
        double most = 0;
        memset(x, 0, (size_t)p->n * sizeof *x);
        x[c] = 1;
        for (int body = 1; body <= m->body_count; body++) {
            const carom_body_acceleration a = f->body_change(sim->d, x, body);
            most = fmax(most, fmax(carom_v3_norm(a.linear), m->length_scale * carom_v3_norm(a.angular)));
        }
        p->scale[c] = most > 0 ? 1 / most : 1;
    }
}

void carom_partition_choose(carom_simulation *sim)
{
    carom_partition *p = sim->partition;
    if (!p)
        return;
    const int n = p->n, rows = p->row_count;
    double first = 0;
    scale_columns(sim);
    fill(sim, sim->d, p->j);
    equilibrate(p);
    for (int k = 0; k < rows; k++)
        p->chosen[k] = k;
    for (int c = 0; c < n; c++)
        p->dependent[c] = c;
    for (p->rank = 0; p->rank < rows && p->rank < n; p->rank++) {
        int row = p->rank, column = p->rank;
        double most = 0;
        for (int i = p->rank; i < rows; i++)
            for (int k = p->rank; k < n; k++) {
                const double size = fabs(p->j[p->chosen[i] * n + p->dependent[k]]);
                if (size > most * (1 + 1e-6)) {
                    most = size;
                    row = i;
                    column = k;
                }
            }
        first = p->rank ? first : most;
        if (!(most > DEPENDENT * first))
            return;
        exchange(p->chosen, p->rank, row);
        exchange(p->dependent, p->rank, column);
        const double *own = p->j + p->chosen[p->rank] * n;
        const int at = p->dependent[p->rank];
        for (int i = p->rank + 1; i < rows; i++) {
            double *other = p->j + p->chosen[i] * n;
            const double share = other[at] / own[at];
            for (int k = p->rank; k < n && share != 0; k++)
                other[p->dependent[k]] -= share * own[p->dependent[k]];
        }
    }
}

/* Solves J_w x = b of the chosen rows, which is in p->b; false if they are singular. */
static bool factor(carom_simulation *sim)
{
    carom_partition *p = sim->partition;
    const size_t n = (size_t)p->n, rank = (size_t)p->rank;
    fill(sim, sim->probe, p->j);
    for (size_t c = 0; c < rank; c++)
        for (size_t r = 0; r < rank; r++)
            p->square[c * rank + r] = p->j[(size_t)p->chosen[r] * n + (size_t)p->dependent[c]];
    return !rank || carom_lu_factor(p->rank, p->square, p->pivot);
}

static void spread(carom_partition *p)
{
    if (p->rank)
        carom_lu_solve(p->rank, p->square, p->pivot, p->b);
    memset(p->step, 0, (size_t)p->n * sizeof *p->step);
    for (int k = 0; k < p->rank; k++)
        p->step[p->dependent[k]] = p->b[k];
}

int carom_partition_close(void *user, double t, double *y, double *error)
{
    carom_simulation *sim = user;
    carom_partition *p = sim->partition;
    const carom_formulation *f = sim->s.formulation;
    double *v = y + (sim->s.v - sim->s.q), before = HUGE_VAL;
    (void)error;
    f->normalise(sim->model, y);
    carom_system_settle(f, sim->probe, &sim->s, t, y, v);
    for (int iteration = 0;; iteration++) {
        carom_system_pose(sim->probe, &sim->s, t, y, v);
        carom_dynamics_constraints(sim->probe, &sim->s, t);
        double worst = 0;
        for (int k = 0; k < p->rank; k++)
            worst = fmax(worst, carom_row_violation(sim->probe, p->row[p->chosen[k]]));
        const bool closed = worst <= fmax(CAROM_CLOSED, carom_row_rounding(sim->probe, false)) ||
                            (worst < STALLED && worst > 0.5 * before);
        if (!isfinite(worst) || (iteration == CAROM_CLOSING_ITERATIONS && !closed) || !factor(sim))
            return 1;
        if (closed)
            break;
        before = worst;
        for (int k = 0; k < p->rank; k++)
            p->b[k] = -sim->probe->rows[p->row[p->chosen[k]]].phi;
        spread(p);
        f->retract(sim->model, p->step, y);
    }
    for (int k = 0; k < p->rank; k++)
        p->b[k] = -sim->probe->phi_rate[p->row[p->chosen[k]]];
    spread(p);
    for (int k = 0; k < p->n; k++)
        v[k] += p->step[k];
    carom_system_pose(sim->probe, &sim->s, t, y, v);
    carom_dynamics_constraints(sim->probe, &sim->s, t);
    return 0;
}
