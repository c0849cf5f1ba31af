/* States that go in and out of a simulation: taken, given back, assembled; clones, and back to the start. */
#include "dynamics/contact/contact_set.h"
#include "dynamics/state/past.h"
#include "sim/sim.h"

#include <math.h>
#include <string.h>

/* ---- taken ---- */

static carom_status check_model(carom_simulation *sim, const carom_state *state)
{
    if (!state)
        return carom_fail(sim->ctx, CAROM_ERROR_USAGE, NULL, "the state is NULL");
    if (state->model != sim->s.model)
        return carom_fail(sim->ctx, CAROM_ERROR_USAGE, NULL,
                          "the state is of another model; make one with carom_state_create() and this model");
    return CAROM_OK;
}

static carom_status check_state(carom_simulation *sim, const carom_state *state)
{
    CAROM_TRY(check_model(sim, state));
    if (state->formulation != sim->s.formulation)
        return carom_fail(sim->ctx, CAROM_ERROR_USAGE, NULL,
                          "the state is in the coordinates of formulation '%s', the run in those of '%s'; "
                          "carom_simulation_get_state() gives it those of the run",
                          state->formulation->name, sim->s.formulation->name);
    return CAROM_OK;
}

carom_status carom_simulation_get_state(carom_simulation *sim, carom_state *out)
{
    CAROM_NEED(NULL, sim);
    CAROM_NEED(sim->ctx, out);
    CAROM_TRY(check_model(sim, out));
    carom_sets_write_back(sim);
    CAROM_TRY(carom_past_take_room(sim, out));
    CAROM_TRY(carom_state_assign(out, &sim->s));
    carom_past_take(sim, out);
    return CAROM_OK;
}

/* Room for one more state of the simulation, taken when it is first needed. */
static carom_status take_buffer(carom_simulation *sim, carom_state *buffer)
{
    if (buffer->block)
        return CAROM_OK;
    CAROM_TRY(carom_state_init(sim->ctx, sim->model, sim->s.formulation, buffer));
    buffer->model = sim->base;
    return CAROM_OK;
}

/* ---- given ---- */

/* Makes `from` the present state: the sizes of its lists are taken first. `restart`: nothing of the solvers' past
   stays. */
static carom_status replace(carom_simulation *sim, const carom_state *from, bool restart)
{
    if (sim->system->sets)
        CAROM_TRY(carom_sets_grow(sim->system->sets, &sim->s, from->episode_count));
    CAROM_TRY(carom_state_assign(&sim->s, from));
    if (sim->system->sparse && restart)
        carom_sparse_forget(sim->system->sparse);
    CAROM_TRY(carom_actions_restore(sim));
    return carom_sets_restart(sim);
}

/* Whether the run goes on with a state as it is, its open episodes and its past included. */
static bool resumes(const carom_simulation *sim, const carom_state *state)
{
    return !state->edited && state->past && state->past->kept && carom_state_alike(state, &sim->s);
}

/* Goes on with the present state, which is a copy of `from`. */
static carom_status resume(carom_simulation *sim, const carom_state *from)
{
    carom_past_given past;
    CAROM_TRY(carom_past_prepare(sim, from, &past));
    carom_status status = CAROM_OK;
    if (carom_past_of_other_parameters(sim, from))
        status = carom_parameters_settle(sim, &from->past->energy);
    else if (carom_rhs_update(sim) != 0)
        status = carom_fail(sim->ctx, CAROM_ERROR_SOLVER, NULL, "t = %.9g s: the state cannot be evaluated",
                            *sim->s.time);
    if (status != CAROM_OK)
        carom_past_drop(sim, &past);
    else
        carom_past_give(sim, from, &past);
    return status;
}

/* Ends what belongs to the motion before: open episodes, works, peaks; `m` has the contacts of the run. */
static void forget_motion(const carom_model *m, carom_state *s)
{
    s->episode_count = 0;
#define IS_OF(name, prefix) (strncmp(#name, prefix, sizeof prefix - 1) == 0)
#define IS_PAST(name)                                                                                        \
    ((IS_OF(name, "contact_") && !IS_OF(name, "contact_flags")) || IS_OF(name, "work_") ||                    \
     IS_OF(name, "normal_impulse") || IS_OF(name, "cutoff_loss") || IS_OF(name, "switch_term") ||             \
     IS_OF(name, "peak_") || IS_OF(name, "clearance_") || IS_OF(name, "step_") || IS_OF(name, "slip_") ||     \
     IS_OF(name, "integrator_") || IS_OF(name, "event_") || IS_OF(name, "stop_"))
#define CAROM_EPISODE(name, count, description) memset(s->name, 0, (size_t)(count) * sizeof *s->name);
#define CAROM_DOUBLE(name, count, unit, description)                \
    if (IS_PAST(name))                                              \
        memset(s->name, 0, (size_t)(count) * sizeof *s->name);
#define CAROM_INT(name, count, unit, description) CAROM_DOUBLE(name, count, unit, description)
    const carom_layout layout = s->layout;
#include "dynamics/state_fields.def"
#undef CAROM_DOUBLE
#undef CAROM_INT
#undef CAROM_EPISODE
#undef IS_PAST
#undef IS_OF
}

/* Begins a run at the present state: shapes that overlap touch now, the energy balance starts here. */
static carom_status begin(carom_simulation *sim)
{
    carom_state *s = &sim->s;
    const double t = *s->time;
    forget_motion(sim->model, s);
    s->edited = false;
    *s->output_index = (int)ceil(t / sim->run.output_every - 1e-9);
    *s->snapshot_time = *s->snapshot_event = t;
    sim->statistics = (carom_statistics){.time = t};
    sim->impact_count = sim->impacts_sent = sim->fired_count = sim->fired_sent = 0;
    carom_control_begin(sim);
    carom_assembly_branches(sim->d, &sim->s);
    const carom_status status = carom_loop_start(sim);
    s->rests = false;
    return status;
}

static carom_sim_undo remember(const carom_simulation *sim)
{
    return (carom_sim_undo){sim->statistics, sim->system->evaluations, sim->impact_count, sim->impacts_sent,
                            sim->warning_count, sim->fired_count, sim->fired_sent};
}

static void restore_counts(carom_simulation *sim, const carom_sim_undo *to)
{
    sim->statistics = to->statistics;
    sim->system->evaluations = to->evaluations;
    sim->impact_count = to->impacts;
    sim->impacts_sent = to->sent;
    sim->warning_count = to->warnings;
    sim->fired_count = to->fired;
    sim->fired_sent = to->fired_sent;
}

/* Back to the former state: there was a buffer for it, and it could be evaluated. */
static void undo_change(carom_simulation *sim, const carom_sim_undo *to)
{
    replace(sim, &sim->former, true);
    carom_rhs_update(sim);
    restore_counts(sim, to);
    sim->restart = true;
}

/* Replaces the present state, or leaves it as it was. */
static carom_status give(carom_simulation *sim, const carom_state *state)
{
    const carom_sim_undo before = remember(sim);
    CAROM_TRY(take_buffer(sim, &sim->former));
    carom_sets_write_back(sim);
    CAROM_TRY(carom_state_assign(&sim->former, &sim->s));
    carom_status status = replace(sim, state, true);
    if (status == CAROM_OK)
        status = resumes(sim, state) ? resume(sim, state) : begin(sim);
    if (status != CAROM_OK)
        undo_change(sim, &before);
    else
        sim->statistics.time = *sim->s.time;
    sim->restart = true;
    return status;
}

/* ---- visited ---- */

/* The state in the buffer onto the constraints. */
static carom_status assemble(carom_simulation *sim, const carom_assembly_def *def, carom_assembly *out)
{
    return sim->s.formulation->take_bodies ? carom_bodies_move(sim, &sim->buffer, def, out)
                                           : carom_assembly_move(sim->probe, &sim->buffer, def, out);
}

/* A state in the buffer: with the contacts of this run where it comes from a run that follows them in another way. */
static carom_status take_into_buffer(carom_simulation *sim, const carom_state *state)
{
    const bool alike = carom_state_alike(state, &sim->s);
    CAROM_TRY(take_buffer(sim, &sim->buffer));
    CAROM_TRY(carom_state_assign(&sim->buffer, alike ? state : &sim->s));
    return alike ? CAROM_OK : carom_state_move_to(&sim->buffer, state);
}

/* What a state must be, and where it is not as it can be evaluated, the buffer in its place: bodies that were placed
   one by one, in coordinates, have to fit the joints. */
static carom_status take_visited(carom_simulation *sim, const carom_state **state)
{
    carom_assembly unused;
    carom_assembly_def fitting = carom_default_assembly_def();
    fitting.refuse = true;
    CAROM_TRY(check_state(sim, *state));
    if ((*state)->wish_count)
        return carom_fail(sim->ctx, CAROM_ERROR_USAGE, NULL,
                          "the state has coordinates that are wished: carom_simulation_assemble() meets them first");
    const bool placing = (*state)->placing;
    if (!placing && carom_state_alike(*state, &sim->s))
        return CAROM_OK;
    CAROM_TRY(take_into_buffer(sim, *state));
    *state = &sim->buffer;
    return placing ? assemble(sim, &fitting, &unused) : CAROM_OK;
}

carom_status carom_sim_visit(carom_simulation *sim, const carom_state *state)
{
    CAROM_TRY(take_visited(sim, &state));
    carom_evaluation *const present = sim->d;
    if (!sim->spare)
        sim->spare = carom_system_workspace(sim->system);
    if (!sim->spare)
        return carom_fail_memory(sim->ctx);
    CAROM_TRY(take_buffer(sim, &sim->former));
    carom_sets_write_back(sim);
    CAROM_TRY(carom_state_assign(&sim->former, &sim->s));
    sim->visit = remember(sim);
    sim->visit_restart = sim->restart || sim->system->sets;
    sim->muted = true;
    sim->d = sim->spare;
    sim->spare = present;
    carom_status status = replace(sim, state, false);
    if (status == CAROM_OK && state->edited)
        status = begin(sim);
    else if (status == CAROM_OK && carom_rhs_update(sim) != 0)
        status = carom_rhs_unsolved(sim);
    if (status != CAROM_OK)
        carom_sim_return(sim);
    return status;
}

void carom_sim_return(carom_simulation *sim)
{
    const carom_sim_undo *to = &sim->visit;
    carom_evaluation *const present = sim->spare;
    replace(sim, &sim->former, false);
    sim->spare = sim->d;
    sim->d = present;
    if (sim->system->sets)
        carom_rhs_update(sim); /* forces of contact sets live in the system */
    restore_counts(sim, to);
    sim->restart = sim->visit_restart;
    sim->muted = false;
}

carom_status carom_simulation_record_state(carom_simulation *sim, const carom_state *state)
{
    CAROM_NEED(NULL, sim);
    CAROM_TRY(check_state(sim, state));
    CAROM_TRY(carom_simulation_check_idle(sim, "carom_simulation_record_state()"));
    if (!sim->def.sink)
        return carom_fail(sim->ctx, CAROM_ERROR_USAGE, NULL, "the simulation has no sink that would take the row");
    CAROM_TRY(carom_sim_visit(sim, state));
    carom_status status = carom_record_grid(sim, *sim->s.time, sim->d, &sim->s);
    carom_sim_return(sim);
    return status == CAROM_OK ? carom_record_flush(sim) : status;
}

carom_assembly_def carom_default_assembly_def(void) { return (carom_assembly_def){.size = sizeof(carom_assembly_def)}; }

carom_status carom_simulation_set_state(carom_simulation *sim, const carom_state *state,
                                        const carom_assembly_def *def, carom_assembly *out)
{
    CAROM_NEED(NULL, sim);
    CAROM_TRY(check_state(sim, state));
    CAROM_TRY(carom_simulation_check_idle(sim, "carom_simulation_set_state()"));
    CAROM_TRY(carom_simulation_check_alone(sim, "carom_simulation_set_state()"));
    carom_assembly_def own = carom_default_assembly_def();
    CAROM_TRY(carom_take_def(sim->ctx, def, &own, sizeof own, "assembly_def"));
    if (out)
        *out = (carom_assembly){0};
    if (!(*state->time <= sim->run.until * (1 + 1e-12)))
        return carom_fail(sim->ctx, CAROM_ERROR_USAGE, NULL,
                          "the state's time, %.9g s, lies beyond the run's end, %.9g s", *state->time, sim->run.until);
    if (resumes(sim, state)) {
        CAROM_TRY(carom_past_check(sim, state));
        return give(sim, state);
    }
    CAROM_TRY(take_into_buffer(sim, state));
    CAROM_TRY(assemble(sim, &own, out));
    for (int k = 0; k < sim->model->contact_count; k++)
        sim->buffer.located[k].pressed.x = (double)NAN;
    return give(sim, &sim->buffer);
}

carom_status carom_simulation_assemble(carom_simulation *sim, carom_state *state, const carom_assembly_def *def,
                                       carom_assembly *out)
{
    CAROM_NEED(NULL, sim);
    CAROM_TRY(check_state(sim, state));
    CAROM_TRY(carom_simulation_check_idle(sim, "carom_simulation_assemble()"));
    carom_assembly_def own = carom_default_assembly_def();
    CAROM_TRY(carom_take_def(sim->ctx, def, &own, sizeof own, "assembly_def"));
    CAROM_TRY(take_buffer(sim, &sim->buffer));
    CAROM_TRY(carom_state_assign(&sim->buffer, state));
    CAROM_TRY(assemble(sim, &own, out));
    return carom_state_assign(state, &sim->buffer);
}

/* ---- clones ---- */

/* The list of ended impacts; names of those of contact sets live in the arena of the simulation that saw them. */
static carom_status copy_impacts(carom_simulation *to, const carom_simulation *from)
{
    const int contacts = from->model->contact_count;
    CAROM_TRY(carom_grow(to->ctx, &to->impacts, &to->impact_capacity, from->impact_count, sizeof *to->impacts));
    for (size_t k = 0; k < from->impact_count; k++) {
        to->impacts[k] = from->impacts[k];
        const int set = (int)from->impacts[k].contact_index - contacts;
        if (set >= 0)
            to->impacts[k].contact = carom_set_contact_name(to, set, (int)from->impacts[k].shapes[0],
                                                             (int)from->impacts[k].shapes[1]);
        if (!to->impacts[k].contact)
            return carom_fail_memory(to->ctx);
    }
    CAROM_TRY(carom_grow(to->ctx, &to->fired, &to->fired_capacity, from->fired_count, sizeof *to->fired));
    for (size_t k = 0; k < from->fired_count; k++)
        to->fired[k] = from->fired[k];
    to->fired_count = to->fired_sent = from->fired_count;
    to->impact_count = from->impact_count;
    to->impacts_sent = from->impact_count;
    return CAROM_OK;
}

carom_status carom_simulation_clone(carom_simulation *sim, carom_context *ctx, carom_simulation **out)
{
    CAROM_NEED(NULL, sim);
    if (!out)
        return carom_fail(sim->ctx, CAROM_ERROR_USAGE, NULL, "the place for the clone's pointer is NULL");
    *out = NULL;
    CAROM_TRY(carom_simulation_check_idle(sim, "carom_simulation_clone()"));
    carom_simulation *clone;
    CAROM_TRY(carom_sim_build_like(ctx ? ctx : sim->ctx, sim, &clone));
    const carom_system *from = sim->system;
    carom_system *to = clone->system;
    carom_status status = copy_impacts(clone, sim);
    if (status == CAROM_OK)
        status = carom_grow(clone->ctx, &to->applied, &to->applied_capacity, from->applied_count, sizeof *to->applied);
    if (status == CAROM_OK && from->applied_count) {
        memcpy(to->applied, from->applied, from->applied_count * sizeof *from->applied);
        to->applied_count = from->applied_count;
    }
    carom_sets_write_back(sim);
    if (status == CAROM_OK)
        status = replace(clone, &sim->s, true);
    if (status == CAROM_OK && carom_rhs_update(clone) != 0)
        status = carom_rhs_unsolved(clone);
    if (status != CAROM_OK) {
        carom_simulation_free(clone);
        return status;
    }
    clone->statistics = sim->statistics;
    clone->system->evaluations = sim->system->evaluations;
    /* both start the integrator at the same state, and pivot there */
    clone->restart = sim->restart = true;
    if (sim->system->sparse)
        carom_sparse_forget(sim->system->sparse);
    *out = clone;
    return CAROM_OK;
}

carom_status carom_simulation_reset(carom_simulation *sim)
{
    CAROM_NEED(NULL, sim);
    CAROM_TRY(carom_simulation_check_idle(sim, "carom_simulation_reset()"));
    CAROM_TRY(carom_simulation_check_alone(sim, "carom_simulation_reset()"));
    const carom_sim_undo before = remember(sim);
    CAROM_TRY(take_buffer(sim, &sim->former));
    carom_sets_write_back(sim);
    CAROM_TRY(carom_state_assign(&sim->former, &sim->s));
    memset(sim->s.block, 0, sim->s.size);
    sim->s.episode_count = 0;
    sim->impact_count = sim->impacts_sent = sim->warning_count = sim->fired_count = sim->fired_sent = 0;
    sim->statistics = (carom_statistics){0};
    sim->system->evaluations = 0;
    if (sim->system->sparse)
        carom_sparse_forget(sim->system->sparse);
    carom_status status = carom_sim_start(sim);
    if (status != CAROM_OK)
        undo_change(sim, &before);
    return status;
}
