/* The public face of a simulation: creation, running, asking. */
#include "base/context.h"
#include "base/team.h"
#include "dynamics/contact/contact_set.h"
#include "model/runs.h"
#include "sim/kinematics/kinematics.h"
#include "sim/kinematics/singular.h"
#include "sim/partition.h"
#include "sim/rigid/rigid.h"
#include "sim/sim.h"
#include "sim/tangent/tangent.h"
#include "sim/works.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

carom_simulation_def carom_default_simulation_def(void)
{
    return (carom_simulation_def){.size = sizeof(carom_simulation_def)};
}

carom_sink carom_default_sink(void) { return (carom_sink){.size = sizeof(carom_sink)}; }

/* ---- creation ---- */

/* The run, and a copy of the caller's definition of it, which clones need. */
static carom_status compile_run(carom_simulation *sim)
{
    carom_simulation_def *def = &sim->def;
    if (def->run_def) {
        carom_run_def *own = carom_arena_alloc(&sim->arena, 1, sizeof *own);
        if (!own)
            return carom_fail_memory(sim->ctx);
        CAROM_TRY(carom_run_def_check(sim->ctx, def->run_def));
        CAROM_TRY(carom_run_def_copy(sim->ctx, &sim->arena, def->run_def, own));
        def->run_def = own;
    }
    return carom_run_compile(sim->ctx, sim->model, def, &sim->run);
}

static int (*projection(const carom_run *run))(void *, double, double *, double *)
{
    if (run->stabilization->parts)
        return carom_partition_close;
    if (run->kinematic || run->stabilization->closes)
        return carom_step_close;
    return run->stabilization->projects ? carom_step_project : NULL;
}

static carom_status create_vectors(carom_simulation *sim)
{
    double **const vectors[] = {&sim->tolerance, &sim->rounding, &sim->y_scratch, &sim->rate_scratch,
                                &sim->root_scratch};
    for (size_t k = 0; k < CAROM_COUNT(vectors); k++)
        if (!(*vectors[k] = carom_arena_alloc(&sim->arena, carom_sim_vector_room(sim), sizeof **vectors[k])))
            return carom_fail_memory(sim->ctx);
    return CAROM_OK;
}

static carom_status create_integrator(carom_simulation *sim)
{
    const carom_model *m = sim->model;
    carom_ode ode = {.user = sim,
                     .size = (int)sim->s.integrated,
                     .threads = sim->system->threads,
                     .arrive_leaves_positions = sim->run.integrator->corrects,
                     .parts = carom_sim_parts(sim),
                     .root_count = carom_step_root_count(m),
                     .position_count = sim->s.layout.positions,
                     .velocity_count = sim->s.layout.velocities,
                     .coupled_count = sim->s.layout.positions + sim->s.layout.velocities + m->friction_state_count +
                                      m->state_count + m->load_state_count,
                     .rhs = sim->rigid ? carom_rigid_rates : carom_rhs_method_rates,
                     .roots = carom_step_roots,
                     .position_rate = carom_step_position_rate,
                     .arrive = m->contact_set_count ? carom_sets_arrive : NULL,
                     .project = projection(&sim->run),
                     .leap = sim->rigid ? carom_rigid_leap : NULL,
                     .rounding = sim->rounding,
                     .touches = m->contact_count > 0 && !sim->rigid,
                     .integral_share = carom_rhs_local_tolerance(sim),
                     .hold = m->row_count && sim->run.stabilization->correction ? carom_step_hold : NULL,
                     .memory = sim->s.integrator_memory};
    if (ode.hold)
        ode.longest_hold = carom_system_longest_hold(sim->system);
    carom_newton *former = sim->newton;
    carom_status status = carom_sim_equations(sim, &ode);
    if (sim->tangents && status == CAROM_OK && !carom_tangents_ode(sim, &ode))
        status = carom_fail_memory(sim->ctx);
    const carom_integrator_kind *kind = sim->run.integrator;
    if (status == CAROM_OK)
        status = (ode.weakest ? carom_passing_create : kind->create)(sim->ctx, kind, &ode, &sim->integrator);
    carom_newton_free(status == CAROM_OK ? former : sim->newton);
    sim->newton = status == CAROM_OK ? sim->newton : former;
    if (status == CAROM_OK)
        carom_works_prepare(sim, &ode);
    return status;
}

/* Contact sets are sets with fixed steps, and a contact of each pair with others. */
/* Most contacts of sets, point by point, that are recorded at every step unless the run asks for it: more of them cost
   several times the run, in time and bytes, and most are apart (docs/results.md). */
#define MOST_EVERY_STEP 50
/* The same of those that are recorded at all: beside more of them the bodies are a small part of the file. */
#define MOST_RECORDED 500

static carom_status choose_structure(carom_simulation *sim)
{
    const bool fixed_step = carom_integrator_has_sets(sim->run.integrator);
    const carom_model *m = carom_model_for_steps(sim->model, fixed_step);
    if (!m)
        return carom_fail(sim->ctx, CAROM_ERROR_USAGE, NULL, "not with an integrator of %s steps: %s",
                          fixed_step ? "fixed" : "variable", sim->model->other_refusal);
    sim->model = m;
    if (!sim->run.contacts_given && m->set_point_count > MOST_EVERY_STEP)
        sim->run.contacts_every_step = false;
    sim->run.without_places = !sim->run.contacts_given && m->set_point_count > MOST_RECORDED;
    return CAROM_OK;
}

/* Motions that functions of the caller give. */
static carom_status take_motions(carom_simulation *sim)
{
    const carom_model *m = sim->model;
    const size_t count = sim->def.motion_count;
    if (!count)
        return CAROM_OK;
    carom_motion_def *own = carom_arena_alloc(&sim->arena, count, sizeof *own);
    carom_motion_def *by_drive = carom_arena_alloc(&sim->arena, (size_t)m->drive_count, sizeof *by_drive);
    if (!own || !by_drive)
        return carom_fail_memory(sim->ctx);
    for (size_t n = 0; n < count; n++) {
        own[n] = sim->def.motions[n];
        int drive = -1;
        for (int k = 0; k < m->block_count; k++) {
            const carom_constraint_block *e = &m->blocks[k];
            if (e->type == CAROM_BLOCK_JOINT_MOTION && own[n].joint &&
                strcmp(m->joints[e->object].name, own[n].joint) == 0) {
                drive = e->drive;
                own[n].joint = m->joints[e->object].name;
            }
        }
        if (drive < 0 || !own[n].at)
            return carom_fail(sim->ctx, CAROM_ERROR_USAGE, NULL, "motion %zu: %s '%.63s'", n + 1,
                              drive < 0 ? "the model has no joint with `motion` of the name"
                                        : "there is no function of joint",
                              own[n].joint ? own[n].joint : "");
        by_drive[drive] = own[n];
    }
    sim->def.motions = own;
    sim->system->motions = by_drive;
    return CAROM_OK;
}

/* Loops of joint coordinates miss their closure by the local error e of a step. Where a row has the share p, e/p closes
   it, and a loop that is flat but for sqrt(e) would come to its other branch if p were below that. Left out from there
   on the row lets velocities drift by p. */
static double passed_share(const carom_run *run)
{
    return fmin(1e-3, fmax(CAROM_PASSED_SHARE, 3 * sqrt(run->tolerance)));
}

/* From so many bodies in contact sets on threads share the loops of a step unless the caller says how many. */
#define SHARED_BODIES 2000

static carom_status choose_threads(carom_simulation *sim)
{
    const carom_model *m = sim->model;
    if (sim->def.threads < 0)
        return carom_fail(sim->ctx, CAROM_ERROR_USAGE, NULL, "threads is %d: give 0 for all cores, or a number above 0",
                          sim->def.threads);
    const bool pays = m->contact_set_count && m->body_count >= SHARED_BODIES;
    sim->system->threads = sim->def.threads || pays ? carom_team_size(sim->def.threads) : 1;
    if (sim->system->sets)
        sim->system->sets->threads = sim->system->threads;
    return CAROM_OK;
}

/* All but the state: nothing is assembled. */
static carom_status create_parts(carom_simulation *sim)
{
    CAROM_TRY(compile_run(sim));
    CAROM_TRY(choose_structure(sim));
    const carom_model *m = sim->model;
    const carom_formulation *formulation = sim->run.formulation;
    CAROM_TRY(carom_system_create(sim->ctx, m, formulation, &sim->system));
    CAROM_TRY(choose_threads(sim));
    sim->d = carom_system_workspace(sim->system);
    sim->trial = carom_system_workspace(sim->system);
    sim->probe = carom_system_workspace(sim->system);
    if (!sim->d || !sim->trial || !sim->probe)
        return carom_fail_memory(sim->ctx);
    CAROM_TRY(carom_system_set_method(sim->system, sim->run.stabilization, sim->run.stabilization_params));
    sim->system->follows = sim->run.kinematic;
    if (sim->system->tree && !sim->run.kinematic)
        sim->system->passed_share = passed_share(&sim->run);
    CAROM_TRY(carom_state_init(sim->ctx, m, formulation, &sim->s));
    sim->s.model = sim->base;
    CAROM_TRY(take_motions(sim));
    CAROM_TRY(carom_inputs_create(sim));
    CAROM_TRY(carom_actions_create(sim));
    CAROM_TRY(carom_motions_create(sim));
    CAROM_TRY(carom_given_create(sim));
    CAROM_TRY(create_vectors(sim));
    CAROM_TRY(carom_passed_create(sim));
    CAROM_TRY(carom_switch_watch_create(sim));
    CAROM_TRY(carom_hold_watch_create(sim));
    CAROM_TRY(carom_located_states_create(sim));
    carom_located_memory_create(sim);
    CAROM_TRY(carom_far_create(sim));
    CAROM_TRY(carom_works_create(sim));
    sim->direction = carom_arena_alloc(&sim->arena, (size_t)carom_step_root_count(m), sizeof(int));
    sim->switch_roots = carom_arena_alloc(&sim->arena, (size_t)m->root_count, sizeof(double));
    sim->doubted = carom_arena_alloc(&sim->arena, (size_t)m->root_count, sizeof(bool));
    sim->past = carom_arena_alloc(&sim->arena, (size_t)m->contact_count, sizeof *sim->past);
    sim->start.redundant = carom_arena_alloc(&sim->arena, (size_t)m->row_count, sizeof(bool));
    sim->start.written = carom_arena_alloc(&sim->arena, (size_t)m->row_count, sizeof(double));
    sim->start.angles = carom_arena_alloc(&sim->arena, (size_t)m->row_count, sizeof(bool));
    if (!sim->direction || !sim->switch_roots || !sim->doubted || !sim->past || !sim->start.redundant ||
        !sim->start.written || !sim->start.angles)
        return carom_fail_memory(sim->ctx);
    if (m->body_count == 0)
        return carom_fail(sim->ctx, CAROM_ERROR_MODEL, &(carom_place){m->file, 0, 0}, "the model has no bodies");
    if (sim->s.integrated == 0)
        return carom_fail(sim->ctx, CAROM_ERROR_MODEL, &m->bodies[1].place,
                          "body '%s' and all others are held by fixed joints, so that formulation %s has no unknowns; "
                          "`formulation: cartesian` assembles them and gives their reactions, or let a joint move",
                          m->bodies[1].name, formulation->name);
    CAROM_TRY(carom_singular_create(sim));
    if (sim->run.stabilization->parts)
        CAROM_TRY(carom_partition_create(sim));
    if (sim->run.integrator->rigid)
        CAROM_TRY(carom_rigid_create(sim));
    CAROM_TRY(create_integrator(sim));
    if (sim->rigid && !sim->newton)
        CAROM_TRY(carom_rigid_differences_create(sim));
    return carom_record_create(sim);
}

carom_status carom_sim_renew_integrator(carom_simulation *sim)
{
    carom_integrator *integrator = sim->integrator;
    const carom_status status = create_integrator(sim);
    if (status == CAROM_OK)
        integrator->kind->destroy(integrator);
    else
        sim->integrator = integrator;
    sim->restart = true;
    return status;
}

carom_status carom_sim_resize(carom_simulation *sim)
{
    carom_state larger, former = sim->s;
    carom_integrator *integrator = sim->integrator;
    CAROM_TRY(carom_state_init(sim->ctx, sim->model, sim->s.formulation, &larger));
    larger.model = sim->base;
    carom_status status = carom_state_assign(&larger, &former);
    if (status != CAROM_OK) {
        carom_state_clear(&larger);
        return status;
    }
    /* callers see positions and velocities where they are */
    sim->s = carom_state_in_block_of(&larger, &former);
    status = create_integrator(sim);
    if (status != CAROM_OK) {
        sim->s = former;
        carom_state_assign(&sim->s, &larger);
        carom_state_clear(&larger);
        sim->integrator = integrator;
        return status;
    }
    integrator->kind->destroy(integrator);
    former.block = larger.block;
    former.room = larger.room;
    carom_state_clear(&former);
    carom_state_clear(&sim->buffer);
    carom_state_clear(&sim->former);
    sim->restart = true;
    return CAROM_OK;
}

carom_status carom_sim_start(carom_simulation *sim)
{
    const carom_model *m = sim->model;
    carom_state_start_variables(&sim->s);
    carom_inputs_update(sim);
    CAROM_TRY(carom_motions_check(sim));
    CAROM_TRY(carom_assemble(sim));
    CAROM_TRY(carom_kinematics_start(sim));
    for (int k = 0; k < m->warning_count; k++)
        CAROM_TRY(carom_simulation_warn(sim, m->ignored[k].code, "%s", m->ignored[k].text));
    CAROM_TRY(carom_inputs_warn(sim));
    CAROM_TRY(carom_rhs_check_tolerance(sim));
    if (sim->run.ignored)
        CAROM_TRY(carom_simulation_warn(sim, CAROM_WARN_UNUSED_CONSTRAINTS,
                                        "`constraints` of the run does nothing: integrator %s holds the constraints "
                                        "itself",
                                        sim->run.integrator->kind.name));
    CAROM_TRY(carom_notices_start(sim));
    CAROM_TRY(carom_loop_start(sim));
    carom_control_begin(sim);
    return carom_events_start(sim);
}

/* `model` may be a copy of `base`, the caller's. */
static carom_status build(carom_context *ctx, const carom_model *base, const carom_model *model,
                          const carom_simulation_def *def, const carom_sim_listener *listeners, size_t count,
                          carom_simulation **out)
{
    *out = NULL;
    carom_simulation_def own = carom_default_simulation_def();
    CAROM_TRY(carom_take_def(ctx, def, &own, sizeof own, "simulation_def"));
    carom_simulation *sim = carom_allocate(ctx, 1, sizeof *sim);
    if (!sim)
        return carom_fail_memory(ctx);
    sim->ctx = sim->buffer.ctx = sim->former.ctx = ctx;
    sim->own = *model;
    sim->model = &sim->own;
    sim->base = base;
    sim->def = own;
    sim->sink = carom_default_sink();
    if (own.sink)
        sim->def.sink = &sim->sink;
    carom_arena_init(&sim->arena, ctx);
    carom_status status = carom_take_def(ctx, own.sink, &sim->sink, sizeof sim->sink, "sink");
    for (size_t k = 0; k < count && status == CAROM_OK; k++)
        status = carom_sim_subscribe(sim, &listeners[k]);
    sim->own_listeners = sim->listener_count;
    if (status == CAROM_OK)
        status = create_parts(sim);
    if (status == CAROM_OK)
        status = carom_simulation_set_control(sim, own.control);
    if (status != CAROM_OK) {
        carom_simulation_free(sim);
        return status;
    }
    *out = sim;
    return CAROM_OK;
}

carom_status carom_sim_create(carom_context *ctx, const carom_model *model, const carom_simulation_def *def,
                              const carom_sim_listener *listeners, size_t count, carom_simulation **out)
{
    if (!ctx)
        return CAROM_ERROR_USAGE;
    if (!model || !out)
        return carom_fail(ctx, CAROM_ERROR_USAGE, NULL,
                          "a simulation needs a model and a place for its pointer, not NULL");
    CAROM_TRY(build(ctx, model, model, def, listeners, count, out));
    carom_status status = carom_sim_start(*out);
    if (status != CAROM_OK) {
        carom_simulation_free(*out);
        *out = NULL;
    }
    return status;
}

carom_status carom_sim_build_like(carom_context *ctx, const carom_simulation *like, carom_simulation **out)
{
    carom_simulation_def def = like->def;
    def.sink = NULL;
    def.progress = NULL;
    def.control = NULL;
    /* some bring an integrator of their own, which has no name for callers */
    def.integrator = like->run.kinematic               ? NULL
                     : like->run.stabilization->index2 ? "auto"
                                                       : like->run.integrator->kind.name;
    carom_model model = *like->base;
    model.applied_count = like->own.applied_count;
    CAROM_TRY(build(ctx, like->base, &model, &def, like->listeners, like->own_listeners, out));
    carom_simulation *sim = *out;
    carom_status status = carom_parameters_copy(sim, like);
    memcpy(sim->start.redundant, like->start.redundant, (size_t)like->model->row_count * sizeof *sim->start.redundant);
    memcpy(sim->start.written, like->start.written, (size_t)like->model->row_count * sizeof *sim->start.written);
    memcpy(sim->start.angles, like->start.angles, (size_t)like->model->row_count * sizeof *sim->start.angles);
    sim->start.rank = like->start.rank;
    if (status == CAROM_OK)
        status = carom_system_set_redundant(sim->system, like->system->redundant);
    sim->system->rcond = like->system->rcond;
    sim->system->held_share = like->system->held_share;
    if (like->system->share > 0)
        carom_system_set_share(sim->system, like->system->share);
    sim->start.residual = like->start.residual;
    sim->start.moved = like->start.moved;
    sim->start.velocity_residual = like->start.velocity_residual;
    if (status == CAROM_OK)
        status = carom_warnings_copy(sim, like);
    if (status != CAROM_OK) {
        carom_simulation_free(sim);
        *out = NULL;
    }
    return status;
}

void carom_simulation_free(carom_simulation *sim)
{
    if (!sim)
        return;
    if (sim->integrator)
        sim->integrator->kind->destroy(sim->integrator);
    carom_newton_free(sim->newton);
    carom_tangents_free(sim->tangents);
    carom_orthogonal_free(sim->held_rows);
    carom_system_free(sim->system);
    carom_state_clear(&sim->s);
    carom_state_clear(&sim->buffer);
    carom_state_clear(&sim->former);
    carom_release(sim->ctx, sim->impacts, sim->impact_capacity, sizeof *sim->impacts);
    carom_release(sim->ctx, sim->rests, sim->rest_capacity, sizeof *sim->rests);
    carom_release(sim->ctx, sim->listeners, sim->listener_capacity, sizeof *sim->listeners);
    carom_release(sim->ctx, sim->fired, sim->fired_capacity, sizeof *sim->fired);
    carom_release(sim->ctx, sim->open_names, sim->open_name_capacity, sizeof *sim->open_names);
    carom_release(sim->ctx, sim->warnings, sim->warning_capacity, sizeof *sim->warnings);
    carom_release(sim->ctx, sim->warning_texts, sim->text_capacity, sizeof *sim->warning_texts);
    carom_arena_free(&sim->arena);
    carom_release(sim->ctx, sim, 1, sizeof *sim);
}

/* ---- running ---- */

/* Refuses to go on behind the end. */
static carom_status at_end(const carom_simulation *sim)
{
    const int stop = *sim->s.event_stop;
    const bool event = stop > 0 && stop <= sim->model->event_count;
    const char *by = carom_simulation_stopped_by(sim);
    return carom_fail(sim->ctx, CAROM_ERROR_USAGE, NULL, "t = %.9g s: the run is at its end%s%s%s%s", *sim->s.time,
                      !stop ? "" : event ? ": event '" : ": it has stopped at ", by ? by : "",
                      event ? "' has stopped it" : "",
                      stop ? "; end a loop there, or go back by reset() or set_state()" : "");
}

carom_status carom_simulation_step(carom_simulation *sim)
{
    CAROM_NEED(NULL, sim);
    CAROM_TRY(carom_simulation_check_idle(sim, "carom_simulation_step()"));
    if (!(*sim->s.time < sim->run.until) || *sim->s.event_stop)
        return at_end(sim);
    return carom_loop_step(sim, sim->run.until, sim->def.sink != NULL);
}

carom_status carom_simulation_advance(carom_simulation *sim, double time)
{
    CAROM_NEED(NULL, sim);
    CAROM_TRY(carom_simulation_check_idle(sim, "carom_simulation_advance()"));
    if (isnan(time))
        return carom_fail(sim->ctx, CAROM_ERROR_USAGE, NULL, "the time to advance to is no number");
    if (!(time <= sim->run.until * (1 + 1e-12)))
        return carom_fail(sim->ctx, CAROM_ERROR_USAGE, NULL, "time %.9g s lies beyond the run's end, %.9g s", time,
                          sim->run.until);
    if (time < *sim->s.time * (1 - 1e-12))
        return carom_fail(sim->ctx, CAROM_ERROR_USAGE, NULL,
                          "time %.9g s is past, the simulation is at %.9g s; reset() and set_state() go back", time,
                          *sim->s.time);
    return carom_loop_advance(sim, time, sim->def.sink != NULL);
}

carom_status carom_simulation_run_sampled(carom_simulation *sim, size_t count, const double *times,
                                          void (*sample)(void *user, carom_simulation *sim, double time), void *user)
{
    CAROM_NEED(NULL, sim);
    if (count > 0 && (!times || !sample))
        return carom_fail(sim->ctx, CAROM_ERROR_USAGE, NULL, "samples need times and a function, not NULL");
    CAROM_TRY(carom_simulation_check_idle(sim, "carom_simulation_run_sampled()"));
    carom_status status = CAROM_OK;
    for (size_t k = 0; k < count && status == CAROM_OK && !*sim->s.event_stop; k++) {
        if (!(times[k] >= *sim->s.time && times[k] <= sim->run.until))
            return carom_fail(sim->ctx, CAROM_ERROR_USAGE, NULL,
                              "sample time %.9g s: times ascend from %.9g s to the run's end, %.9g s", times[k],
                              *sim->s.time, sim->run.until);
        status = carom_loop_advance(sim, times[k], sim->def.sink != NULL);
        if (status == CAROM_OK && !(*sim->s.event_stop && *sim->s.time < times[k]))
            sample(user, sim, times[k]);
    }
    if (status == CAROM_OK)
        status = carom_loop_advance(sim, sim->run.until, sim->def.sink != NULL);
    /* what was computed is kept, whatever ended the run */
    const carom_failure failure = sim->ctx->failure;
    carom_status flushed = carom_record_flush(sim);
    if (status != CAROM_OK)
        sim->ctx->failure = failure;
    return status != CAROM_OK ? status : flushed;
}

carom_status carom_simulation_run(carom_simulation *sim)
{
    CAROM_NEED(NULL, sim);
    return carom_simulation_run_sampled(sim, 0, NULL, NULL, NULL);
}

carom_status carom_simulation_set_sink(carom_simulation *sim, const carom_sink *sink)
{
    CAROM_NEED(NULL, sim);
    CAROM_TRY(carom_simulation_check_idle(sim, "carom_simulation_set_sink()"));
    carom_sink own = carom_default_sink();
    CAROM_TRY(carom_take_def(sim->ctx, sink, &own, sizeof own, "sink"));
    const carom_status given = carom_record_flush(sim);
    const carom_simulation_def former = sim->def;
    if (given != CAROM_OK)
        carom_record_let_go(sim);
    sim->def.sink = sink ? &sim->sink : NULL;
    carom_status status = sink && !sim->recorder.block[0] ? carom_record_create(sim) : CAROM_OK;
    if (status != CAROM_OK) {
        sim->def.sink = given == CAROM_OK ? former.sink : NULL;
        return status;
    }
    sim->sink = own;
    sim->impacts_sent = sim->fired_sent = 0;
    *sim->s.output_index = (int)ceil(*sim->s.time / sim->run.output_every - 1e-9);
    return given;
}

carom_status carom_simulation_end_sink(carom_simulation *sim, const void *user)
{
    CAROM_NEED(NULL, sim);
    if (!sim->def.sink)
        return CAROM_OK;
    CAROM_TRY(carom_simulation_check_idle(sim, "carom_simulation_end_sink()"));
    const carom_status given = carom_record_flush(sim);
    if (sim->def.sink->user == user)
        carom_record_let_go(sim);
    return given;
}

carom_status carom_simulation_set_progress(carom_simulation *sim,
                                           bool (*progress)(void *user, const carom_progress *progress), void *user)
{
    CAROM_NEED(NULL, sim);
    CAROM_TRY(carom_simulation_check_idle(sim, "carom_simulation_set_progress()"));
    sim->def.progress = progress;
    sim->def.progress_user = user;
    return CAROM_OK;
}

/* ---- asking ---- */

/* The state that a reader sees is the same before. */
static void catch_up(const carom_simulation *sim) { carom_sim_catch_up((carom_simulation *)(uintptr_t)sim); }

carom_status carom_simulation_evaluate(carom_simulation *sim)
{
    CAROM_NEED(NULL, sim);
    carom_sim_catch_up(sim);
    if (carom_rhs_evaluate(sim, sim->d, *sim->s.time, sim->s.q, sim->rate_scratch) == 0)
        return CAROM_OK;
    return carom_rhs_unsolved(sim);
}

double carom_simulation_time(const carom_simulation *sim) { return sim ? *sim->s.time : (double)NAN; }
double carom_simulation_until(const carom_simulation *sim) { return sim ? sim->run.until : (double)NAN; }

const double *carom_simulation_positions(const carom_simulation *sim, size_t *count)
{
    if (!sim)
        return carom_give_none(count);
    catch_up(sim);
    return carom_state_positions(&sim->s, count);
}

const double *carom_simulation_velocities(const carom_simulation *sim, size_t *count)
{
    if (!sim)
        return carom_give_none(count);
    catch_up(sim);
    return carom_state_velocities(&sim->s, count);
}

const carom_impact *carom_simulation_impacts(carom_simulation *sim, size_t *count)
{
    if (!sim)
        return carom_give_none(count);
    carom_events_sort_impacts(sim);
    size_t impacts = 0;
    while (impacts < sim->impact_count && !carom_impact_is_rest(&sim->impacts[impacts]))
        impacts++;
    carom_give_count(count, impacts);
    return sim->impacts;
}

static double length_of(const double *vector, int count)
{
    double sum = 0;
    for (int k = 0; k < count; k++)
        sum = hypot(sum, vector[k]);
    return sum;
}

size_t carom_simulation_joint_friction(const carom_simulation *sim, carom_joint_friction *out, size_t capacity)
{
    if (!sim)
        return 0;
    const carom_model *m = sim->model;
    size_t count = 0;
    for (int k = 0; k < m->joint_count; k++) {
        const carom_model_joint *joint = &m->joints[k];
        if (joint->friction.friction_work < 0)
            continue;
        carom_joint_friction f = {.joint = joint->name, .law = joint->friction.law->kind.name};
        f.turns = joint->friction.constant && joint->kind->coordinate_unit[0] == 'r';
        bool rests = true;
        for (int r = 0; r < m->site_count; r++) {
            const carom_friction_site *site = &sim->d->sites[r];
            if (m->sites[r].joint != k)
                continue;
            f.normal += site->normal;
            f.force = fmax(f.force, length_of(site->friction, m->sites[r].slip_count));
            f.speed = fmax(f.speed, site->speed);
            rests = rests && m->sites[r].root >= 0 && sim->s.site_stick[r] == CAROM_STICKING;
            f.begins = f.begins || site->sliding;
        }
        f.sticks = rests && !f.begins;
        f.begins = rests && f.begins;
        if (count < capacity)
            out[count] = f;
        count++;
    }
    return count;
}

carom_ledger carom_simulation_ledger(const carom_simulation *sim)
{
    return sim ? carom_ledger_at(sim->d, &sim->s) : (carom_ledger){0};
}

carom_violation carom_simulation_violation(const carom_simulation *sim)
{
    if (!sim)
        return (carom_violation){0};
    return (carom_violation){*sim->s.peak_position_violation, *sim->s.peak_velocity_violation, *sim->s.peak_speed};
}

carom_statistics carom_simulation_statistics(const carom_simulation *sim)
{
    return sim ? sim->statistics : (carom_statistics){0};
}

const char *carom_simulation_integrator(const carom_simulation *sim)
{
    return sim ? sim->run.integrator->kind.name : "";
}

/* Those of a checkpoint may be any numbers. */
static uint64_t counted(double count) { return count > 0 && count < 1e18 ? (uint64_t)count : 0; }

size_t carom_simulation_methods(const carom_simulation *sim, carom_method_use *out, size_t capacity, uint64_t *changes)
{
    if (!sim)
        return 0;
    const carom_integrator_kind *kind = sim->run.integrator;
    const carom_method_memory *used = carom_sim_methods(sim);
    size_t count = 0;
    for (size_t k = 0; k < CAROM_COUNT(kind->methods); k++) {
        if (!kind->methods[k] && k > 0)
            break;
        if (out && count < capacity)
            out[count] = (carom_method_use){.method = (kind->methods[k] ? kind->methods[k] : kind)->kind.name,
                                            .time = used->time[k],
                                            .steps = counted(used->steps[k])};
        count++;
    }
    if (changes)
        *changes = counted(used->changes);
    return count;
}

double carom_simulation_step_size(const carom_simulation *sim)
{
    if (!sim)
        return (double)NAN;
    return carom_run_keeps_step(&sim->run) ? sim->run.step : 0;
}

const char *carom_simulation_formulation(const carom_simulation *sim) { return sim ? sim->s.formulation->name : ""; }

carom_status carom_simulation_body(const carom_simulation *sim, size_t body, carom_body_state *out)
{
    CAROM_NEED(NULL, sim);
    CAROM_NEED(sim->ctx, out);
    const carom_model *m = sim->model;
    if (body >= (size_t)m->body_count)
        return carom_fail(sim->ctx, CAROM_ERROR_USAGE, NULL, "body %zu: the model has %d", body, m->body_count);
    catch_up(sim);
    sim->s.formulation->get_body(m, (int)body, sim->s.q, sim->s.v, out);
    if (m->dimension == 2)
        return CAROM_OK;
    /* of the two quaternions the one that channels have */
    double *o = out->orientation;
    const carom_mat3 axes = carom_quat_matrix((carom_quat){o[0], o[1], o[2], o[3]});
    const carom_quat q = carom_quat_from_axes(&axes);
    if (carom_v3_dot(carom_v3(q.x, q.y, q.z), carom_v3(o[1], o[2], o[3])) + q.w * o[0] < 0)
        for (int k = 0; k < 4; k++)
            o[k] = -o[k];
    return CAROM_OK;
}
