/* What implicit methods get of the system: Newton's equations, and constraints that are held on the positions. */
#include "sim/works.h"

/* ---- Newton's equations ---- */

static int newton_evaluate(void *user, double t, const double *y)
{
    const carom_simulation *sim = user;
    return carom_newton_evaluate(sim->newton, t, y) ? 0 : 1;
}

static int newton_factor(void *user, double gamma)
{
    const carom_simulation *sim = user;
    return carom_newton_factor(sim->newton, gamma) ? 0 : 1;
}

static void newton_solve(void *user, double *b)
{
    carom_simulation *sim = user;
    double *whole = carom_works_expand(sim, b);
    carom_newton_solve(sim->newton, whole);
    carom_works_shorten(sim, whole, b);
}

static int newton_factor_held(void *user, double gamma, double move)
{
    const carom_simulation *sim = user;
    return carom_newton_factor_held(sim->newton, gamma, move) ? 0 : 1;
}

static void newton_solve_held(void *user, double *b, double *impulse, double pull, double hold)
{
    const carom_simulation *sim = user;
    carom_newton_solve_held(sim->newton, sim->trial, b, impulse, (carom_held_level){pull, hold});
}

static carom_status create_newton(carom_simulation *sim, carom_ode *ode)
{
    sim->newton = NULL;
    /* the derivatives of a computed effort are those of all accelerations */
    if (!sim->run.integrator->stiff || !sim->run.newton || sim->model->computed_count)
        return CAROM_OK;
    CAROM_TRY(carom_newton_create(sim->ctx, sim->system, &sim->s, &sim->newton));
    if (sim->newton)
        ode->newton =
            (carom_ode_newton){newton_evaluate, newton_factor, newton_solve, newton_factor_held, newton_solve_held};
    return CAROM_OK;
}

/* ---- constraints on the positions ---- */

static int rows(void *user, double pull, double hold, double *phi, double *jacobian, double *answer)
{
    const carom_simulation *sim = user;
    const carom_held_level level = {pull, hold};
    return carom_dynamics_held_rows(sim->trial, sim->held_mass, sim->held_pivot, level, phi, jacobian, answer) ? 0 : 1;
}

static void retract(void *user, const double *step, double *q)
{
    const carom_simulation *sim = user;
    sim->s.formulation->retract(sim->model, step, q);
}

static void difference(void *user, const double *from, const double *to, double *step)
{
    const carom_simulation *sim = user;
    sim->s.formulation->difference(sim->model, from, to, step);
}

/* The rows in coordinates whose masses are 1 but for what couples them, decomposed. */
static int decompose(void *user, const double *jacobian)
{
    const carom_simulation *sim = user;
    const size_t n = (size_t)sim->s.layout.velocities, rows = (size_t)carom_dynamics_held_count(sim->system);
    double *out = carom_orthogonal_rows(sim->held_rows);
    carom_dynamics_held_kinds(sim->trial, carom_orthogonal_angles(sim->held_rows), sim->held_rate);
    carom_dynamics_velocity_scales(sim->trial, sim->held_mass, sim->held_scale);
    carom_dynamics_held_already(sim->trial, sim->held_already);
    for (size_t k = 0; k < rows * n; k++)
        out[k] = sim->held_already[k / n] ? 0 : jacobian[k] * sim->held_scale[k % n];
    return carom_orthogonal_factor(sim->held_rows) ? 0 : 1;
}

static void least(void *user, double *b, double *x)
{
    const carom_simulation *sim = user;
    const double *y = carom_orthogonal_solve(sim->held_rows, b);
    for (int k = 0; k < sim->s.layout.velocities; k++)
        x[k] = sim->held_scale[k] * y[k];
}

static carom_status create_decomposition(carom_simulation *sim, carom_ode *ode)
{
    const size_t n = (size_t)sim->s.layout.velocities, rows = (size_t)ode->row_count;
    sim->held_rate = carom_arena_alloc(&sim->arena, rows, sizeof *sim->held_rate);
    sim->held_scale = carom_arena_alloc(&sim->arena, n, sizeof *sim->held_scale);
    sim->held_already = carom_arena_alloc(&sim->arena, rows, sizeof *sim->held_already);
    if (!sim->held_rate || !sim->held_already || !sim->held_scale)
        return carom_fail_memory(sim->ctx);
    ode->decompose = decompose;
    ode->least = least;
    ode->rate_rows = sim->held_rate;
    return sim->held_rows ? CAROM_OK : carom_orthogonal_create(sim->ctx, ode->row_count, (int)n, &sim->held_rows);
}

/* For methods that hold them. */
static carom_status create_rows(carom_simulation *sim, carom_ode *ode)
{
    const carom_run *run = &sim->run;
    const size_t n = (size_t)sim->s.layout.velocities;
    if (!run->integrator->holds)
        return CAROM_OK;
    ode->row_count = carom_dynamics_held_count(sim->system);
    ode->rows = rows;
    ode->retract = retract;
    ode->difference = difference;
    ode->keeps_step = carom_run_keeps_step(run);
    ode->spectral_radius = run->spectral_radius;
    ode->hht_alpha = run->hht_alpha;
    if (ode->row_count && run->integrator->begins_closed)
        CAROM_TRY(create_decomposition(sim, ode));
    if (!sim->system->tree || !ode->row_count)
        return CAROM_OK;
    sim->held_mass = carom_arena_alloc(&sim->arena, n * n, sizeof *sim->held_mass);
    sim->held_pivot = carom_arena_alloc(&sim->arena, n, sizeof *sim->held_pivot);
    return sim->held_mass && sim->held_pivot ? CAROM_OK : carom_fail_memory(sim->ctx);
}

/* ---- singular positions ---- */

static double weakest(void *user)
{
    const carom_simulation *sim = user;
    return sim->s.formulation->weakest(sim->system);
}

/* Rounds of rows that yield, after which those of a passage do not. */
#define EXACT_ROUNDS 4

/* The states of a passage lie on the constraints, and so have to do their accelerations. */
static void stiffen(void *user, bool begins)
{
    const carom_simulation *sim = user;
    sim->system->soft.rounds = begins ? EXACT_ROUNDS : sim->run.stabilization->rounds;
}

/* Methods that do not get over positions where rows depend on each other by themselves: implicit ones that keep the
   constraints on the positions, those that close each state, and rows that yield. What a drive takes at such a position
   is what a run with drives has to tell. */
static void set_passages(carom_simulation *sim, carom_ode *ode)
{
    const carom_run *run = &sim->run;
    const carom_stabilization_kind *method = run->stabilization;
    const bool stops = run->integrator->holds || (run->integrator->stiff && method->projects) || method->closes ||
                       (method->softness && method->rounds == 1);
    if (!stops || run->kinematic || run->integrator->fixed_step || !sim->model->tree.cut_count ||
        !sim->s.formulation->weakest || carom_system_is_driven(sim->system))
        return;
    ode->weakest = weakest;
    ode->close = carom_step_close;
    ode->passes = sim->system->soft.n ? stiffen : NULL;
}

carom_status carom_sim_equations(carom_simulation *sim, carom_ode *ode)
{
    set_passages(sim, ode);
    CAROM_TRY(create_newton(sim, ode));
    return create_rows(sim, ode);
}
