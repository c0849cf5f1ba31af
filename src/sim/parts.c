/* Bodies that nothing joins, part by part: what a step does to a body is done while it is near (carom_ode_parts). */
#include "dynamics/contact/contact_set.h"
#include "sim/sim.h"

#include <math.h>
#include <string.h>

/* Whether weight and contact sets are all that acts on the bodies. */
static bool bodies_are_free(const carom_model *m)
{
    return !m->row_count && !m->contact_count && !m->load_count && !m->site_count && !m->applied_count &&
           !m->state_count && !m->step_measure_count && !m->late_measure_count && !m->reaction_measure_count &&
           !m->computed_count;
}

static void range(void *user, int k, int *first_q, int *end_q, int *first_v, int *end_v)
{
    const carom_simulation *sim = user;
    const carom_layout layout = sim->s.layout;
    const int q = layout.positions / sim->model->body_count, v = layout.velocities / sim->model->body_count;
    int first;
    const int end = carom_body_part(sim->model, k, &first);
    *first_q = first * q;
    *end_q = end * q;
    *first_v = first * v;
    *end_v = end * v;
}

static int position_rate(void *user, int k, const double *q, const double *v, double *rate)
{
    const carom_simulation *sim = user;
    int first;
    const int end = carom_body_part(sim->model, k, &first);
    sim->s.formulation->each->position_rate(sim->model, 0, end - first, q, v, rate);
    return 0;
}

static void reached(void *user, int k, double *y)
{
    const carom_simulation *sim = user;
    int first;
    const int end = carom_body_part(sim->model, k, &first);
    sim->s.formulation->each->normalise(sim->model, first, end, y);
    if (sim->lean)
        return;
    sim->s.formulation->each->pose(sim->trial, first, end, y, y + (sim->s.v - sim->s.q));
    carom_broad_move(sim->system->sets->broad, k, sim->trial->pose);
}

static int velocity_rate(void *user, int k, double *rate)
{
    const carom_simulation *sim = user;
    carom_evaluation *d = sim->trial;
    const int size = carom_twist_size(sim->model);
    int first;
    const int end = carom_body_part(sim->model, k, &first);
    const size_t count = (size_t)(end - first);
    carom_wrench wrench[CAROM_BODY_PART];
    memcpy(wrench, &d->set_wrench[first + 1], count * sizeof *wrench);
    carom_dynamics_weigh(sim->system, first, end, wrench);
    carom_dynamics_turn_inertias(d, first, end);
    double *own = rate + (sim->s.v - sim->s.q) + first * size;
    sim->s.formulation->each->accelerate(d, first, end, wrench, own);
    if (!sim->lean)
        memcpy(d->acceleration + first * size, own, count * (size_t)size * sizeof *own);
    return carom_all_finite(own, count * (size_t)size) ? 0 : 1;
}

/* Into the present state, while the numbers are near; see carom_simulation.taken. */
static void take_over(const carom_simulation *sim, int k, const double *y)
{
    int first_q, end_q, first_v, end_v;
    range((void *)(uintptr_t)sim, k, &first_q, &end_q, &first_v, &end_v);
    memcpy(sim->s.q + first_q, y + first_q, (size_t)(end_q - first_q) * sizeof *y);
    memcpy(sim->s.v + first_v, y + (sim->s.v - sim->s.q) + first_v, (size_t)(end_v - first_v) * sizeof *y);
}

/* Fewer parts are near each other as it is. */
#define LEAST_FLOW 8

/* Bound of the speeds of a part in a step that begins now [m/s]. */
static double speed_ahead(const carom_simulation *sim, int part)
{
    const carom_evaluation *d = sim->trial;
    const double *accelerations = sim->lean ? sim->flow.f_new + (sim->s.v - sim->s.q) : d->acceleration;
    const int size = carom_twist_size(sim->model);
    const bool planar = sim->model->dimension == 2;
    int first;
    const int end = carom_body_part(sim->model, part, &first);
    double greatest = 0;
    for (int body = first; body < end; body++) {
        const double *a = accelerations + body * size, square = a[0] * a[0] + a[1] * a[1];
        const double whole = planar ? square : square + a[2] * a[2];
        greatest = whole > greatest ? whole : greatest;
    }
    return sqrt(d->part_sums[part].fastest) + 0.5 * sim->run.step * sqrt(greatest);
}

static void corrected(void *user, int k, const double *y)
{
    const carom_simulation *sim = user;
    carom_evaluation *d = sim->trial;
    int first;
    const int end = carom_body_part(sim->model, k, &first);
    if (!sim->lean)
        sim->s.formulation->each->twist(d, first, end, y + (sim->s.v - sim->s.q));
    d->part_sums[k] = carom_dynamics_part_sums(d, k);
    if (carom_body_parts(sim->model) >= LEAST_FLOW)
        carom_broad_set_speed(sim->system->sets->broad, k, speed_ahead(sim, k));
    if (!sim->lean)
        take_over(sim, k, y);
}

/* ---- one pass ---- */

/* Whether forces, accelerations and energies follow from centres and twists alone: balls. */
static bool needs_no_poses(const carom_simulation *sim)
{
    return sim->system->sets->round && sim->system->isotropic && sim->model->dimension == 3;
}

void carom_sim_catch_up(carom_simulation *sim)
{
    const double *y = sim->ahead, *rate = sim->ahead_rate;
    const size_t behind = (size_t)(sim->s.v - sim->s.q), speeds = (size_t)sim->s.layout.velocities;
    if (!y)
        return;
    sim->ahead = NULL;
    memcpy(sim->s.q, y, (behind + speeds) * sizeof *y);
    memcpy(sim->d->acceleration, rate + behind, speeds * sizeof *rate);
    sim->s.formulation->each->pose(sim->d, 0, sim->model->body_count, sim->s.q, sim->s.v);
}

/* Where the list of near pairs stays as it is, and nobody sees the state within the step. */
static bool take(void *user, const carom_flow *flow)
{
    carom_simulation *sim = user;
    const carom_sets *sets = sim->system->sets;
    const carom_ode *ode = flow->ode;
    sim->flowed = sim->lean = false;
    sim->flows = ode->parts.count >= LEAST_FLOW && !ode->root_count && sets->built &&
                 sim->listener_count == sim->own_listeners && carom_broad_stays(sets->broad, flow->h);
    if (sim->flows) {
        sim->flow = *flow;
        sim->lean = needs_no_poses(sim) && !sim->control.function && !sim->tangents && !sim->model->event_count;
    }
    if (!sim->lean)
        carom_sim_catch_up(sim);
    return sim->flows;
}

static bool taken(const void *user, carom_flow *flow)
{
    const carom_simulation *sim = user;
    if (sim->flowed) {
        flow->changed = sim->flow.changed;
        flow->failed = sim->flow.failed;
    }
    return sim->flowed;
}

/* Parts whose numbers are on their way from memory while one is worked on. */
#define PARTS_AHEAD 2

/* Asks for numbers that are read, or written, soon: into the second cache, as the first has no room for them. */
static void ask_for(const double *first, int count, bool written)
{
    for (int i = 0; i < count; i += 8)
        if (written)
            __builtin_prefetch(first + i, 1, 2);
        else
            __builtin_prefetch(first + i, 0, 2);
}

/* What the next part moves by. */
static void advance_bodies(void *user, int part)
{
    carom_simulation *sim = user;
    const carom_flow *flow = &sim->flow;
    const int behind = (int)(sim->s.v - sim->s.q);
    if (part + PARTS_AHEAD < carom_body_parts(sim->model)) {
        int first_q, end_q, first_v, end_v;
        range(sim, part + PARTS_AHEAD, &first_q, &end_q, &first_v, &end_v);
        ask_for(flow->y + first_q, end_q - first_q, false);
        ask_for(flow->y + behind + first_v, end_v - first_v, false);
        ask_for(flow->f + behind + first_v, end_v - first_v, false);
        ask_for(flow->y_new + first_q, end_q - first_q, true);
        ask_for(flow->y_new + behind + first_v, end_v - first_v, true);
        if (!sim->lean)
            ask_for(&sim->trial->pose[(part + PARTS_AHEAD) * CAROM_BODY_PART + 1].p.x,
                    (int)(sizeof(carom_body_pose) / sizeof(double)) * CAROM_BODY_PART, true);
    }
    sim->flow.advance(&sim->flow, part);
}

/* And what it is corrected by. */
static void correct_bodies(void *user, int part)
{
    carom_simulation *sim = user;
    const int behind = (int)(sim->s.v - sim->s.q);
    if (part + PARTS_AHEAD < carom_body_parts(sim->model)) {
        int first_q, end_q, first_v, end_v;
        range(sim, part + PARTS_AHEAD, &first_q, &end_q, &first_v, &end_v);
        ask_for(sim->flow.f_new + behind + first_v, end_v - first_v, true);
    }
    if (part + PARTS_AHEAD < carom_body_parts(sim->model) && !sim->lean) {
        int first_q, end_q, first_v, end_v;
        range(sim, part + PARTS_AHEAD, &first_q, &end_q, &first_v, &end_v);
        ask_for(sim->trial->acceleration + first_v, end_v - first_v, true);
        ask_for(sim->s.q + first_q, end_q - first_q, true);
        ask_for(sim->s.v + first_v, end_v - first_v, true);
    }
    sim->flow.correct(&sim->flow, part);
}

carom_set_mover carom_sim_mover(carom_simulation *sim)
{
    return (carom_set_mover){sim, advance_bodies, correct_bodies};
}

/* The parts of both bodies of a contact. */
static void note_reopened(carom_simulation *sim, const carom_set_block *block, int column)
{
    for (int side = 0; side < 2; side++)
        if (block->body[side][column])
            sim->system->sets->reopened[(block->body[side][column] - 1) / CAROM_BODY_PART] = true;
}

/* Their poses, which a lean step has not made. */
static void make_poses(carom_simulation *sim, const carom_set_block *block, int column)
{
    const double *q = sim->flow.y_new, *v = q + (sim->s.v - sim->s.q);
    for (int side = 0; side < 2; side++) {
        const int body = block->body[side][column];
        if (body)
            sim->trial->pose[body] = sim->s.formulation->body_pose(sim->model, body, q, v);
    }
}

static void for_openings(carom_simulation *sim, void (*visit)(carom_simulation *, const carom_set_block *, int))
{
    const carom_sets *sets = sim->system->sets;
    for (int c = 0; c < sets->chunk_count; c++)
        for (size_t n = 0; n < sets->chunks[c].event_count; n++) {
            const carom_set_event *at = &sets->chunks[c].events[n];
            if (at->change == CAROM_SET_OPENS)
                visit(sim, &sets->blocks[at->block], at->column);
        }
}

void carom_sim_before_openings(carom_simulation *sim)
{
    const double *v = sim->flow.y_new + (sim->s.v - sim->s.q);
    for_openings(sim, note_reopened);
    for (int k = 0; k < carom_body_parts(sim->model); k++) {
        int first;
        const int end = carom_body_part(sim->model, k, &first);
        if (!sim->system->sets->reopened[k])
            continue;
        sim->flow.predict(&sim->flow, k);
        if (!sim->lean)
            sim->s.formulation->each->twist(sim->trial, first, end, v);
    }
    if (sim->lean)
        for_openings(sim, make_poses);
}

void carom_sim_behind_openings(carom_simulation *sim)
{
    for (int k = 0; k < carom_body_parts(sim->model); k++)
        if (sim->system->sets->reopened[k]) {
            sim->flow.correct(&sim->flow, k);
            sim->system->sets->reopened[k] = false;
        }
}

carom_ode_parts carom_sim_parts(const carom_simulation *sim)
{
    const carom_formulation *f = sim->s.formulation;
    const bool has = sim->run.integrator->corrects && sim->system->sets && f->each && !f->settle && !f->pose_at &&
                     bodies_are_free(sim->model);
    return has ? (carom_ode_parts){carom_body_parts(sim->model), range, position_rate, reached, velocity_rate,
                                   corrected, take, taken}
               : (carom_ode_parts){0};
}
