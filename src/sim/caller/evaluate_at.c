/* What a state leads to without integrating: accelerations, reactions, forces and energies at any state. */
#include "dynamics/contact/contact_set.h"
#include "sim/sim.h"

#include <math.h>
#include <string.h>

/* Arrays of the answer, taken when it is first asked for. */
typedef struct carom_answer {
    double *accelerations, *multipliers;
    carom_joint_forces *joints;
    carom_load_forces *loads;
    carom_contact_forces *contacts;
} answer;

static void *allocate(carom_simulation *sim, size_t count, size_t size)
{
    return carom_arena_alloc(&sim->arena, count, size);
}

static carom_status take_answer(carom_simulation *sim)
{
    const carom_model *m = sim->model;
    if (sim->answer)
        return CAROM_OK;
    answer *a = allocate(sim, 1, sizeof *a);
    if (!a)
        return carom_fail_memory(sim->ctx);
    a->accelerations = allocate(sim, (size_t)sim->s.layout.velocities, sizeof *a->accelerations);
    a->multipliers = allocate(sim, (size_t)m->row_count, sizeof *a->multipliers);
    a->joints = allocate(sim, (size_t)m->joint_count, sizeof *a->joints);
    a->loads = allocate(sim, (size_t)m->load_count, sizeof *a->loads);
    a->contacts = allocate(sim, (size_t)m->contact_count, sizeof *a->contacts);
    if (!a->accelerations || !a->multipliers || !a->joints || !a->loads || !a->contacts)
        return carom_fail_memory(sim->ctx);
    sim->answer = a;
    return CAROM_OK;
}

/* ---- what the evaluated state has ---- */

static void store(carom_vec3 v, double *out)
{
    out[0] = v.x;
    out[1] = v.y;
    out[2] = v.z;
}

static void fill_joint(const carom_simulation *sim, int k, carom_joint_forces *out)
{
    const carom_model_joint *j = &sim->model->joints[k];
    const carom_wrench w = carom_dynamics_joint_reaction(sim->d, &sim->s, k, sim->d->multipliers);
    const carom_mat3 *axes = &sim->d->pose[j->j.body].axes;
    *out = (carom_joint_forces){.coordinate = NAN, .rate = NAN, .acceleration = NAN};
    store(w.force, out->force);
    store(w.torque, out->moment);
    store(carom_m3_apply_t(axes, w.force), out->force_body);
    store(carom_m3_apply_t(axes, w.torque), out->moment_body);
    if (j->coordinate < 0)
        return;
    carom_row row;
    out->coordinate = carom_dynamics_coordinate(sim->d, k, sim->s.coordinate[j->coordinate], &row, &out->rate);
    out->acceleration = carom_row_acceleration(sim->d, &row, j->i.body, j->j.body) - row.gamma;
}

static void fill_load(const carom_load_output *load, carom_load_forces *out)
{
    store(load->force_i, out->force[0]);
    store(load->torque_i, out->torque[0]);
    store(load->force_j, out->force[1]);
    store(load->torque_j, out->torque[1]);
    out->power = load->work_power;
    out->dissipation = load->dissipation;
    out->stored = load->stored;
}

static void fill_contact(const carom_simulation *sim, int k, carom_contact_forces *out)
{
    const carom_contact_point *p = &sim->d->contacts[k];
    *out = (carom_contact_forces){.open = sim->s.located[k].open, .gap = p->gap, .gap_rate = p->gap_rate};
    store(p->point, out->point);
    store(p->normal, out->normal);
    if (!out->open)
        return;
    out->force = p->force;
    out->stored = p->energy;
    store(p->friction, out->friction);
    store(p->couple, out->couple);
}

static void fill(const carom_simulation *sim, carom_evaluated *out)
{
    const carom_model *m = sim->model;
    carom_evaluation *d = sim->d;
    const answer *a = sim->answer;
    const carom_energy energy = carom_system_energy(d, &sim->s);
    *out = (carom_evaluated){.time = *sim->s.time,
                             .kinetic = energy.kinetic,
                             .potential = energy.potential,
                             .elastic = energy.elastic,
                             .velocity_count = (size_t)sim->s.layout.velocities,
                             .row_count = (size_t)m->row_count,
                             .joint_count = (size_t)m->joint_count,
                             .load_count = (size_t)m->load_count,
                             .contact_count = (size_t)m->contact_count,
                             .accelerations = a->accelerations,
                             .multipliers = a->multipliers,
                             .joints = a->joints,
                             .loads = a->loads,
                             .contacts = a->contacts};
    carom_system_reactions(d, &sim->s, d->time);
    carom_system_velocity_rate(d, a->accelerations);
    memcpy(a->multipliers, d->multipliers, out->row_count * sizeof *a->multipliers);
    for (int r = 0; r < m->row_count; r++) {
        out->position_residual = fmax(out->position_residual, fabs(d->rows[r].phi));
        out->velocity_residual = fmax(out->velocity_residual, fabs(d->phi_rate[r]));
    }
    for (int k = 0; k < m->joint_count; k++)
        fill_joint(sim, k, &a->joints[k]);
    for (int k = 0; k < m->load_count; k++)
        fill_load(&d->loads[k], &a->loads[k]);
    for (int k = 0; k < m->contact_count; k++)
        fill_contact(sim, k, &a->contacts[k]);
}

/* ---- the call ---- */

/* Brings the workspace to a state, where it stays until leave(). */
static carom_status enter(carom_simulation *sim, const carom_state *state)
{
    carom_sim_catch_up(sim);
    carom_far_settle(sim);
    if (!state)
        return CAROM_OK;
    CAROM_TRY(carom_simulation_check_idle(sim, "an evaluation at another state"));
    return carom_sim_visit(sim, state);
}

static void leave(carom_simulation *sim, const carom_state *state)
{
    if (state)
        carom_sim_return(sim);
}

carom_status carom_simulation_evaluate_at(carom_simulation *sim, const carom_state *state, carom_evaluated *out)
{
    CAROM_NEED(NULL, sim);
    if (!out)
        return carom_fail(sim->ctx, CAROM_ERROR_USAGE, NULL, "the place for what is evaluated is NULL");
    CAROM_TRY(take_answer(sim));
    CAROM_TRY(enter(sim, state));
    fill(sim, out);
    leave(sim, state);
    return CAROM_OK;
}

/* ---- matrices ---- */

static carom_status check_size(carom_simulation *sim, const char *what, const double *out, size_t count, size_t wanted)
{
    return out && count == wanted
               ? CAROM_OK
               : carom_fail(sim->ctx, CAROM_ERROR_USAGE, NULL, "%s: %zu numbers%s where %zu are needed", what, count,
                            out ? "" : " at NULL", wanted);
}

/* Of a body, counted from 1: places of its linear and angular velocity are those of the body in the coordinates. */
static void put_inertia(carom_simulation *sim, int body, size_t n, double *out)
{
    const carom_model *m = sim->model;
    const carom_model_body *b = &m->bodies[body];
    const int at = sim->s.formulation->body_place(m, body - 1, true, false);
    const int turn = sim->s.formulation->body_place(m, body - 1, true, true);
    const size_t first = (size_t)at, angular = (size_t)turn;
    for (size_t k = 0; k < (size_t)m->dimension; k++)
        out[(first + k) * n + first + k] = b->mass;
    if (m->dimension == 2) {
        out[angular * n + angular] = b->inertia.m[2][2];
        return;
    }
    const carom_mat3 *r = &sim->d->pose[body].axes, half = carom_m3_multiply(r, &b->inertia);
    for (size_t i = 0; i < 3; i++)
        for (size_t k = 0; k < 3; k++)
            out[(angular + i) * n + angular + k] =
                half.m[i][0] * r->m[k][0] + half.m[i][1] * r->m[k][1] + half.m[i][2] * r->m[k][2];
}

carom_status carom_simulation_mass_matrix(carom_simulation *sim, const carom_state *state, double *out, size_t count)
{
    CAROM_NEED(NULL, sim);
    CAROM_NEED(sim->ctx, out);
    const size_t n = (size_t)sim->s.layout.velocities;
    CAROM_TRY(check_size(sim, "the mass matrix", out, count, n * n));
    CAROM_TRY(enter(sim, state));
    memset(out, 0, n * n * sizeof *out);
    if (sim->s.formulation->mass_matrix)
        sim->s.formulation->mass_matrix(sim->d, out);
    for (int body = 1; body <= sim->model->body_count && !sim->s.formulation->mass_matrix; body++)
        put_inertia(sim, body, n, out);
    leave(sim, state);
    return CAROM_OK;
}

carom_status carom_simulation_jacobian(carom_simulation *sim, const carom_state *state, double *out, size_t count)
{
    CAROM_NEED(NULL, sim);
    CAROM_NEED(sim->ctx, out);
    const carom_model *m = sim->model;
    const size_t n = (size_t)sim->s.layout.velocities, rows = (size_t)m->row_count;
    CAROM_TRY(check_size(sim, "the Jacobian", out, count, rows * n));
    CAROM_TRY(enter(sim, state));
    memset(out, 0, rows * n * sizeof *out);
    carom_system_reactions(sim->d, &sim->s, sim->d->time);
    for (int k = 0; k < m->block_count; k++) {
        const carom_constraint_block *e = &m->blocks[k];
        for (int r = e->first_row; r < e->first_row + e->row_count; r++)
            carom_block_entries(sim->d, e, r, out + (size_t)r * n);
    }
    leave(sim, state);
    return CAROM_OK;
}
