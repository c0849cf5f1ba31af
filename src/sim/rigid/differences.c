/* Derivatives for the theta rule by forward differences of the rates, one evaluation of them a velocity: a velocity
   that is changed by e moves the positions by gamma e. */
#include "sim/rigid/rigid.h"

#include "math/solve.h"

#include <math.h>
#include <string.h>

/* Change of a number, of its size in this model. */
#define SHARE 1e-7

carom_status carom_rigid_differences_create(carom_simulation *sim)
{
    carom_rigid *r = sim->rigid;
    const carom_model *m = sim->model;
    const size_t all = carom_sim_vector_room(sim), v = (size_t)(sim->s.v - sim->s.q);
    r->unknowns = sim->s.layout.velocities + m->friction_state_count + m->state_count + m->load_state_count;
    const size_t n = (size_t)r->unknowns;
    carom_arena *a = &sim->arena;
    const bool done =
        (r->slopes = carom_arena_alloc(a, n * (all - v), sizeof(double))) &&
        (r->factors = carom_arena_alloc(a, n * n, sizeof(double))) &&
        (r->pivot = carom_arena_alloc(a, n, sizeof *r->pivot)) &&
        (r->moved = carom_arena_alloc(a, all, sizeof(double))) &&
        (r->moved_rate = carom_arena_alloc(a, all, sizeof(double)));
    return done ? CAROM_OK : carom_fail_memory(sim->ctx);
}

/* The state with unknown k changed by e. */
static void change(carom_simulation *sim, double t, const double *y, int k, double gamma, double e)
{
    carom_rigid *r = sim->rigid;
    const size_t v = (size_t)(sim->s.v - sim->s.q);
    memcpy(r->moved, y, sim->s.integrated * sizeof *y);
    r->moved[v + (size_t)k] += e;
    if (k >= r->problem.n)
        return;
    memset(r->b, 0, (size_t)r->problem.n * sizeof *r->b);
    r->b[k] = gamma * e;
    sim->s.formulation->retract(sim->model, r->b, r->moved);
    carom_system_settle(sim->s.formulation, sim->probe, &sim->s, t, r->moved, r->moved + v);
}

bool carom_rigid_differences(carom_simulation *sim, double t, const double *y, double gamma)
{
    carom_rigid *r = sim->rigid;
    const size_t v = (size_t)(sim->s.v - sim->s.q), height = sim->s.integrated - v, n = (size_t)r->unknowns;
    const double local = carom_rhs_local_tolerance(sim);
    memset(r->factors, 0, n * n * sizeof *r->factors);
    for (size_t k = 0; k < n; k++) {
        double *column = r->slopes + k * height;
        memset(column, 0, height * sizeof *column);
        r->factors[k * n + k] = 1;
        if (k < (size_t)r->problem.n && r->prescribed[k])
            continue;
        const double e = SHARE * fmax(sim->tolerance[v + k] / local, fabs(y[v + k]));
        change(sim, t, y, (int)k, gamma, e);
        if (carom_rhs_rates(sim, t, r->moved, r->moved_rate) != 0)
            return false;
        for (size_t i = 0; i < height; i++)
            column[i] = (r->moved_rate[v + i] - r->rate[v + i]) / e;
        for (size_t i = 0; i < n; i++)
            r->factors[k * n + i] -= i < (size_t)r->problem.n && r->prescribed[i] ? 0 : gamma * column[i];
    }
    r->gamma = gamma;
    return carom_lu_factor((int)n, r->factors, r->pivot);
}

void carom_rigid_differences_solve(const carom_simulation *sim, double *b)
{
    const carom_rigid *r = sim->rigid;
    const size_t v = (size_t)(sim->s.v - sim->s.q), height = sim->s.integrated - v, n = (size_t)r->unknowns;
    carom_lu_solve((int)n, r->factors, r->pivot, b + v);
    for (size_t k = 0; k < n; k++)
        for (size_t i = n; i < height; i++)
            b[v + i] += r->gamma * b[v + k] * r->slopes[k * height + i];
}
