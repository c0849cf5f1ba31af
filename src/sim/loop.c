/* The loop: step, watch, record, accept, process events, restart. */
#include "dynamics/contact/contact_set.h"
#include "sim/kinematics/kinematics.h"
#include "sim/kinematics/singular.h"
#include "sim/partition.h"
#include "sim/rigid/rigid.h"
#include "sim/sim.h"
#include "sim/tangent/tangent.h"
#include "sim/works.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static double cpu_now(void) { return (double)clock() / CLOCKS_PER_SEC; }

/* ---- restart ---- */

/* The sign with which each root function of a contact passes through zero. Those of a closed one but for its gap are 1
   throughout, whatever its last episode ended with: to fall is what they would do. */
static void set_directions(carom_simulation *sim, int k)
{
    const carom_episode *e = &sim->s.located[k];
    const carom_model_contact *c = &sim->model->contacts[k];
    const int compression = e->open && e->compressing && !carom_normal_adapts(&c->law) ? 1 : -1;
    const int directions[CAROM_CONTACT_ROOTS] = {[CAROM_ROOT_GAP] = e->open ? 1 : -1,
                                                 [CAROM_ROOT_COMPRESSION] = compression,
                                                 [CAROM_ROOT_TENSION] = e->open && e->cut_off ? 1 : -1,
                                                 [CAROM_ROOT_BRANCH] = e->open && !c->law.elastic->history ? 0 : -1,
                                                 [CAROM_ROOT_STICK] = -1};
    for (int r = 0; r < CAROM_CONTACT_ROOTS; r++)
        if (c->roots[r] >= 0)
            sim->direction[c->roots[r]] = directions[r];
}

/* Deflections of the present time and their rates, from which whole turns are told. */
static void keep_deflections(carom_simulation *sim)
{
    carom_state *s = &sim->s;
    for (int k = 0; k < sim->model->load_count; k++) {
        s->load_deflection[k] = sim->d->loads[k].deflection;
        s->load_deflection_rate[k] = sim->d->loads[k].deflection_rate;
    }
    *s->load_deflection_time = *s->time;
}

/* Methods that hold the positions have velocities that keep the constraints to their local error, which a shorter step
   would take for accelerations. */
static void project_velocities(carom_simulation *sim)
{
    carom_state *s = &sim->s;
    const double share = sim->run.integrator->begins_closed ? 0.01 : 1;
    const double tolerance = fmax(share * carom_rhs_local_tolerance(sim), 1e-15);
    if (sim->model->row_count)
        (void)s->formulation->project(sim->probe, s, *s->time, s->q, s->v, tolerance, 20);
}

/* ---- what keeps a run from going on ---- */

/* Times ahead of a run that makes no progress, of its whole time: the shortest, the longest, from one to the next. */
#define AHEAD 1e-12
#define FARTHEST 1e-6
#define FARTHER 10

/* Whether the rates cannot be found a little ahead, where the steps do not get to: `trial` is the evaluation there. */
static bool fails_ahead(carom_simulation *sim)
{
    const carom_state *s = &sim->s;
    const double now = *s->time;
    bool solved = carom_rhs_rates(sim, now, s->q, sim->rate_scratch) == 0;
    for (double h = AHEAD * sim->run.until; solved && h < FARTHEST * sim->run.until; h *= FARTHER) {
        for (size_t k = 0; k < s->integrated; k++)
            sim->y_scratch[k] = s->q[k] + h * sim->rate_scratch[k];
        solved = carom_rhs_rates(sim, now + h, sim->y_scratch, sim->root_scratch) == 0;
    }
    sim->integrator->rates = CAROM_RATES_ELSEWHERE;
    return !solved;
}

/* Where the forces that the integrator tried last are numbers, by those a little ahead. */
static void find_culprit(carom_simulation *sim, char *text, size_t size)
{
    const bool ahead = sim->statistics.steps > 0 && !sim->run.kinematic && !*carom_culprit(sim, true, text, size);
    if (ahead && !fails_ahead(sim))
        (void)carom_rhs_rates(sim, *sim->s.time + 1e-9 * sim->run.until, sim->s.q, sim->rate_scratch);
    carom_culprit(sim, false, text, size);
}

static carom_status give_up(carom_simulation *sim)
{
    char text[1000];
    if (sim->run.kinematic && *carom_kinematics_stuck(sim, text, sizeof text))
        return carom_fail(sim->ctx, CAROM_ERROR_SOLVER, NULL, "t = %.9g s: %s", *sim->s.time, text);
    find_culprit(sim, text, sizeof text);
    if (sim->run.stabilization->index2)
        return carom_fail(sim->ctx, CAROM_ERROR_SOLVER, NULL,
                          "t = %.9g s: constraint method %s gave up: %s; use `constraints: baumgarte`%s%s",
                          *sim->s.time, sim->run.stabilization->kind.name, sim->integrator->message,
                          text[0] ? "; " : "", text);
    return carom_fail(sim->ctx, CAROM_ERROR_SOLVER, NULL, "t = %.9g s: integrator %s gave up: %s%s%s", *sim->s.time,
                      sim->run.integrator->kind.name, sim->integrator->message, text[0] ? "; " : "", text);
}

/* ---- gains of the constraint method ---- */

/* Rate of a motion that has become so many times faster than its gains are made for begins anew with others. */
#define MUCH_FASTER 4

/* Time scales of the motion a second: of its greatest speed so far over the model's length, and of its spins. */
static double motion_rate(const carom_simulation *sim)
{
    double fastest = carom_sim_speed(sim) / sim->model->length_scale;
    for (int body = 1; body <= sim->model->body_count; body++)
        fastest = fmax(fastest, carom_v3_norm(sim->d->pose[body].w));
    return fastest;
}

static void suit_gains(carom_simulation *sim)
{
    const double rate = motion_rate(sim);
    carom_run_suit(&sim->run, rate);
    for (size_t i = 0; sim->tangents && i < sim->tangents->count; i++)
        for (int side = 0; side < 2; side++)
            carom_run_suit(&sim->tangents->of[i].twin[side]->run, rate);
}

static bool gains_lag(const carom_simulation *sim)
{
    const carom_formulation *formulation = sim->s.formulation;
    const bool rows = sim->model->row_count && (!formulation->needs_rows || formulation->needs_rows(sim->system));
    carom_run other = sim->run;
    if (!rows || !sim->run.stabilization->suit || !(motion_rate(sim) > MUCH_FASTER * sim->run.suited))
        return false;
    carom_run_suit(&other, motion_rate(sim));
    return memcmp(other.stabilization_params, sim->run.stabilization_params, sizeof other.stabilization_params) != 0;
}

/* ---- restarts ---- */

/* Restarts the integrator at the present state. After a mere projection the motion goes on as before, and the
   step has the length that the method proposed: of its own it would begin with a much shorter one. */
static carom_status restart(carom_simulation *sim)
{
    const carom_model *m = sim->model;
    carom_state *s = &sim->s;
    carom_sim_catch_up(sim);
    sim->s.formulation->normalise(sim->model, sim->s.q);
    if (sim->run.integrator->holds)
        project_velocities(sim);
    if (sim->run.kinematic && carom_step_close(sim, *s->time, s->q, NULL) != 0)
        return give_up(sim);
    carom_sets_write_back(sim);
    CAROM_TRY(carom_sets_restart(sim));
    carom_switches_restart(sim);
    CAROM_TRY(carom_chatter_restart(sim));
    if (sim->restart || !sim->projected) {
        carom_switch_watch_restart(sim);
        carom_hold_watch_restart(sim);
    }
    CAROM_TRY(carom_motions_restart(sim));
    if (m->event_count)
        CAROM_TRY(carom_actions_update(sim));
    CAROM_TRY(carom_notices_ends(sim));
    CAROM_TRY(carom_notices_update(sim));
    suit_gains(sim);
    double relative = carom_loop_tolerances(sim);
    carom_loop_rounding(sim);
    double first = sim->restart ? 0 : sim->integrator->next_step, longest = sim->run.max_step;
    sim->integrator->opening = 0;
    sim->integrator->onset = false;
    const bool fixed = carom_run_keeps_step(&sim->run);
    if (fixed)
        longest = sim->run.step;
    for (int k = 0; k < m->contact_count; k++) {
        set_directions(sim, k);
        if (!s->located[k].open || sim->rigid)
            continue;
        double scale = s->located[k].time_scale;
        double start = scale * fmin(0.02, pow(carom_rhs_local_tolerance(sim), 0.4));
        if (*s->time - s->located[k].onset < 1e-3 * scale) {
            sim->integrator->onset = true;
            if (carom_integrator_maps(sim->integrator))
                start = carom_located_map_onset(sim, k);
            first = first > 0 ? fmin(first, start) : start;
        }
        if (fixed)
            longest = fmin(longest, 0.02 * scale);
    }
    if (*s->first_step > 0)
        first = first > 0 ? fmin(first, *s->first_step) : *s->first_step;
    *s->first_step = 0;
    for (int k = 0; fixed && m->notice_count && k < m->load_count; k++)
        if (m->loads[k].stop_time > 0 && s->notice_level[m->loads[k].notice])
            longest = fmin(longest, 0.02 * carom_stops_time(sim, k));
    for (int k = 0; k < m->root_count; k++)
        sim->direction[m->contact_root_count + k] = 0;
    if (sim->tangents)
        CAROM_TRY(carom_tangents_switches(sim));
    const bool anew = sim->restart;
    sim->restart = sim->projected = false;
    sim->statistics.restarts++;
    bool evaluated = carom_rhs_again(sim) == 0;
    if (evaluated) {
        keep_deflections(sim);
        carom_partition_choose(sim);
    }
    const double *y = s->q, *tolerance = sim->tolerance;
    sim->integrator->known = sim->rate_scratch;
    if (sim->tangents && evaluated)
        evaluated = carom_tangents_begin(sim, &relative, &y, &tolerance);
    /* without rates at the state the integrator has not been asked: its message is that of a former step */
    if (!evaluated)
        return carom_rhs_unsolved(sim);
    carom_works_restart(sim, &y, &tolerance);
    if (sim->integrator->kind->restart(sim->integrator, *s->time, y, relative, tolerance, sim->direction, first,
                                       longest))
        return anew ? carom_events_restart(sim) : CAROM_OK;
    return sim->integrator->message[0]
               ? carom_fail(sim->ctx, CAROM_ERROR_SOLVER, NULL, "t = %.9g s: the integrator cannot start: %s", *s->time,
                            sim->integrator->message)
               : carom_rhs_unsolved(sim);
}

carom_status carom_loop_start(carom_simulation *sim)
{
    carom_state *s = &sim->s;
    carom_state_pose(sim->probe, s);
    carom_joint_friction_switches(sim->probe, s, true);
    if (carom_rhs_update(sim) != 0)
        return carom_rhs_unsolved(sim);
    CAROM_TRY(carom_located_start(sim));
    CAROM_TRY(sim->rigid ? carom_rigid_start(sim) : carom_located_update(sim));
    CAROM_TRY(carom_start_check_crossed(sim));
    CAROM_TRY(carom_sets_start(sim));
    if (sim->system->sets && carom_rhs_update(sim) != 0)
        return carom_rhs_unsolved(sim);
    carom_start_scale(sim);
    const carom_ledger l = carom_ledger_at(sim->d, s);
    *s->potential_start = l.potential;
    *s->loads_start = carom_system_energy(sim->d, s).loads;
    *s->energy_start = l.kinetic + l.potential + l.elastic;
    /* a model at rest has rounding for a residual, of which the energies that it holds are to have little */
    *s->energy_peak = fmax(DBL_EPSILON * carom_energy_scale(sim->model),
                           1e-8 * (l.kinetic + fabs(l.potential) + fabs(l.elastic)));
    carom_ledger_accept(sim);
    sim->restart = true;
    return CAROM_OK;
}

/* ---- one step ---- */

static double next_stop(carom_simulation *sim, double target)
{
    double now = *sim->s.time, stop = fmin(target, fmin(sim->next_break, carom_control_next(sim)));
    stop = fmin(stop, carom_holds_stop(sim));
    sim->integrator->closing = 0;
    const double safe = sim->rigid ? *sim->s.time + carom_closed_safe_time(sim) : carom_located_safe_time(sim);
    const double horizon = fmin(safe, carom_given_horizon(sim));
    /* episodes of sets are known at the ends of steps only, and so are the works: rows of the output grid end a step,
       whether they are recorded or not */
    if (sim->system->sets)
        stop = fmin(stop, (floor(now / sim->run.output_every + 1e-9) + 1) * sim->run.output_every);
    /* too near ahead to be a step of its own: SUNDIALS refuses stops within rounding of the present time */
    double least = 1e3 * DBL_EPSILON * fmax(fabs(now), 1e-3 * sim->run.until);
    return fmin(stop, fmax(horizon, now + least));
}

/* A stop that lies within rounding of the present time is reached without a step. */
static bool reached(const carom_simulation *sim, double stop)
{
    double now = *sim->s.time;
    return stop - now <= 16 * DBL_EPSILON * fmax(fabs(now), fabs(stop));
}

/* Ends a step of no length at `stop`, with the present state. */
static carom_step_result move_to(carom_simulation *sim, double stop)
{
    sim->integrator->t_before = sim->integrator->t = fmax(stop, *sim->s.time);
    sim->integrator->rates = CAROM_RATES_ELSEWHERE;
    /* that of the last step that was one, also where it was made before a checkpoint */
    sim->integrator->order = *sim->s.step_order;
    sim->restart = true;
    return CAROM_STEP_STOP;
}

/* ---- guard against standing still ---- */

/* Steps over which time must advance by more than rounding. */
#define STALL_STEPS 10000

/* So many times these steps must bring the run on by a part of its time; else it would take 2e13 steps and more. Where
   a drive or joint locks the mechanism, once. */
#define STALL_TIMES 20
#define STALL_PART 1e-8

/* At the pace of the steps counted the rest of the run would take more steps than this: jumps of kinds that a program
   registered are looked for, and told of. More than this: the run ends where they, or switches, have gone to and fro so
   many times in a row, or where a kind gives other values for the same arguments. A run that is slow for a while, in a
   stiff impact, has none of these. */
#define MANY_STEPS 1e7
#define TOO_MANY_STEPS 1e10
#define JUMP_TIMES 10

typedef struct stall_guard {
    double time, since;         /* [s] at the first of the steps counted, of all those that are looked at together */
    int steps, times;
    int jumping;                /* so many times in a row a force has jumped to and fro */
} stall_guard;

/* Whether friction in a joint has no solution there. */
static bool jams_ahead(carom_simulation *sim) { return fails_ahead(sim) && sim->system->friction_fault >= 0; }

/* Whether a force jumps to and fro and keeps the run from going on; then `text` says which. `crawls`: it advances by
   next to nothing. */
static carom_status find_jump(carom_simulation *sim, stall_guard *guard, bool crawls, bool *found, char *text,
                              size_t size)
{
    const double advance = *sim->s.time - guard->time, rest = sim->run.until - *sim->s.time;
    const double ahead = rest * STALL_STEPS / fmax(advance, DBL_MIN);
    const bool chatters = (crawls || ahead > TOO_MANY_STEPS) && carom_chatters(sim, guard->time, text, size);
    carom_own_fault own = CAROM_OWN_SOUND;
    if (!chatters && (crawls || ahead > MANY_STEPS) && !sim->taken)
        CAROM_TRY(carom_own_jump(sim, advance / STALL_STEPS, &own, text, size));
    const bool jumps = chatters || own != CAROM_OWN_SOUND, endless = jumps && ahead > TOO_MANY_STEPS;
    guard->jumping = endless ? guard->jumping + 1 : 0;
    *found = jumps && (crawls || guard->jumping >= JUMP_TIMES || (endless && own == CAROM_OWN_VARIES));
    return CAROM_OK;
}

static carom_status watch_progress(carom_simulation *sim, stall_guard *guard)
{
    double now = *sim->s.time;
    if (++guard->steps < STALL_STEPS)
        return CAROM_OK;
    double advance = now - guard->time;
    const bool rounding = advance <= 4 * STALL_STEPS * DBL_EPSILON * fmax(now, 1e-9 * sim->run.until);
    const bool over = ++guard->times == STALL_TIMES, slow = over && now - guard->since < STALL_PART * sim->run.until;
    const bool crawls = !rounding && !slow && advance < STALL_PART * sim->run.until && !sim->taken;
    char text[800] = "";
    bool chatters;
    CAROM_TRY(find_jump(sim, guard, crawls || rounding, &chatters, text, sizeof text));
    const bool jams = crawls && !chatters && sim->model->site_count && jams_ahead(sim),
               locked = chatters || (crawls && carom_culprit_locks(sim));
    if (jams)
        return carom_rhs_unsolved(sim);
    const int steps = rounding || locked ? STALL_STEPS : STALL_TIMES * STALL_STEPS;
    if (!rounding && !locked)
        advance = now - guard->since;
    guard->time = now;
    guard->steps = 0;
    if (over)
        *guard = (stall_guard){.time = now, .since = now, .jumping = guard->jumping};
    if (!rounding && !slow && !locked)
        return CAROM_OK;
    if (sim->system->state_fault >= 0)
        return carom_rhs_unsolved(sim);
    carom_sim_catch_up(sim);
    if (!chatters && sim->model->site_count && jams_ahead(sim))
        return carom_rhs_unsolved(sim);
    if (!chatters)
        find_culprit(sim, text, sizeof text);
    return carom_fail(sim->ctx, CAROM_ERROR_SOLVER, NULL,
                      "t = %.17g s: no progress, %d steps of integrator %s advanced by %.3g s%s%s", now, steps,
                      sim->run.integrator->kind.name, advance, text[0] ? ": " : "", text);
}

/* Projection of methods that leave it to the caller. */
static void project(carom_simulation *sim)
{
    const carom_integrator_kind *kind = sim->run.integrator;
    if (!sim->run.stabilization->projects || kind->projects || sim->model->row_count == 0)
        return;
    const carom_evaluation *d = sim->d;
    const double speed = carom_sim_speed(sim), length = sim->model->length_scale;
    double worst = 0, allowed = fmax(0.1 * carom_rhs_local_tolerance(sim), carom_row_rounding(d, true));
    for (int r = 0; r < sim->model->row_count; r++) {
        const double rate = carom_row_is_angle(&d->rows[r]) ? speed / length : speed;
        worst = fmax(worst, fmax(carom_row_violation(d, r), fabs(d->phi_rate[r]) / rate));
    }
    if (worst <= allowed && !kind->fixed_step)
        return;
    if (carom_step_project(sim, *sim->s.time, sim->s.q, NULL) != 0)
        return;
    sim->projected = true;
    if (sim->tangents)
        carom_tangents_project(sim);
}

/* Evaluates the state that a step has led to, unless that has been done. */
static int evaluate_end(carom_simulation *sim, carom_step_rates rates)
{
    if (rates == CAROM_RATES_ELSEWHERE || (rates == CAROM_RATES_PREDICTED && !sim->system->sets))
        return carom_rhs_again(sim);
    carom_evaluation *former = sim->d;
    sim->d = sim->trial;
    sim->trial = former;
    /* with contact sets the forces are kept that a method found with predicted velocities: the corrected ones
       differ by the square of the step */
    if (sim->integrator->ode.parts.count)
        sim->d->sums_known = true;
    else if (rates == CAROM_RATES_PREDICTED)
        sim->s.formulation->twist(sim->d, sim->s.v);
    carom_closed_gaps(sim);
    return 0;
}

/* The integrated numbers at `t`, of which the parts of the bodies may have brought theirs. */
static bool take_numbers(carom_simulation *sim, double t)
{
    carom_state *s = &sim->s;
    const bool taken = sim->taken && t == sim->integrator->t;
    const size_t first = (size_t)(s->v - s->q) + (size_t)s->layout.velocities;
    sim->taken = false;
    sim->ahead = taken && sim->lean ? sim->integrator->y : NULL;
    sim->ahead_rate = sim->flow.f_new;
    if (!taken)
        return carom_step_interpolate(sim, t, s->q);
    memcpy(s->q + first, sim->integrator->y + first, (s->integrated - first) * sizeof *s->q);
    return true;
}

/* After a step that failed, at whose begin the integrator is again. */
static void give_back(carom_simulation *sim)
{
    carom_sim_catch_up(sim);
    memcpy(sim->s.q, sim->integrator->y, sim->s.integrated * sizeof *sim->s.q);
    sim->taken = false;
}

/* Takes over the state at `t`, the end of the last step or a time inside it. */
static carom_status accept(carom_simulation *sim, double t, carom_step_rates rates)
{
    carom_state *s = &sim->s;
    if (!take_numbers(sim, t))
        return carom_fail(sim->ctx, CAROM_ERROR_SOLVER, NULL, "t = %.9g s: no dense output", t);
    if (sim->tangents && !carom_tangents_take(sim, t))
        return carom_fail(sim->ctx, CAROM_ERROR_SOLVER, NULL, "t = %.9g s: no dense output of the derivatives", t);
    carom_method_memory *used = carom_sim_methods(sim);
    used->time[sim->integrator->method] += t - *s->time;
    used->steps[sim->integrator->method]++;
    if (t - *s->time > 4 * STALL_STEPS * DBL_EPSILON * t)
        sim->system->state_fault = -1; /* steps towards the fault have no length */
    *s->time = t;
    sim->statistics.time = t;
    if (evaluate_end(sim, rates) != 0)
        return carom_rhs_unsolved(sim);
    for (int k = 0; k < sim->model->joint_count; k++) {
        carom_row row;
        double rate;
        const carom_model_joint *j = &sim->model->joints[k];
        const int c = j->coordinate;
        /* in the plane angles count their turns by themselves */
        if (c >= 0 && (sim->model->dimension == 3 || j->kind->follow))
            s->coordinate[c] = carom_dynamics_coordinate(sim->d, k, s->coordinate[c], &row, &rate);
    }
    keep_deflections(sim);
    carom_ledger_accept(sim);
    project(sim);
    carom_partition_choose(sim);
    return carom_motions_step(sim);
}

/* Impacts that ended, and events of the model. */
static carom_status send_events(carom_simulation *sim)
{
    const carom_sink *sink = sim->def.sink;
    while (sim->impacts_sent < sim->impact_count) {
        const carom_impact *impact = &sim->impacts[sim->impacts_sent++];
        const bool rest = carom_impact_is_rest(impact);
        const carom_rest row = carom_rest_of(impact, true);
        if (sink && rest && sink->rest)
            CAROM_TRY(sink->rest(sink->user, &row));
        if (sink && !rest && sink->impact)
            CAROM_TRY(sink->impact(sink->user, impact));
    }
    while (sim->fired_sent < sim->fired_count) {
        const carom_fired_event *event = &sim->fired[sim->fired_sent++];
        if (sink && sink->event)
            CAROM_TRY(sink->event(sink->user, event));
    }
    return CAROM_OK;
}

/* The clock of CPU time is a system call: it is read at both ends of an advance and for progress only. */
static void take_time(carom_simulation *sim)
{
    sim->statistics.cpu_seconds = sim->cpu_before + cpu_now() - sim->clock_start;
}

static carom_status report_progress(carom_simulation *sim)
{
    if (!sim->def.progress || (sim->statistics.steps & 15))
        return CAROM_OK;
    take_time(sim);
    carom_progress progress = {*sim->s.time, sim->run.until, sim->statistics.cpu_seconds, sim->statistics.steps,
                               sim->impact_count, *sim->s.step_size};
    if (sim->def.progress(sim->def.progress_user, &progress))
        return CAROM_OK;
    return carom_fail(sim->ctx, CAROM_INTERRUPTED, NULL, "interrupted at t = %.9g s", *sim->s.time);
}

/* The last row of a run that an event ends, unless there is one at this time. */
static carom_status record_stop(carom_simulation *sim)
{
    const double last = (*sim->s.output_index - 1) * sim->run.output_every;
    if (*sim->s.output_index > 0 && *sim->s.time - last <= 1e-12 * sim->run.until)
        return CAROM_OK;
    if (carom_rhs_update(sim) != 0)
        return carom_rhs_unsolved(sim);
    return carom_record_grid(sim, *sim->s.time, sim->d, &sim->s);
}

/* Maxima of open contacts, and those of the derivatives' twins. */
static carom_status track(carom_simulation *sim, double begin)
{
    if (sim->tangents)
        carom_tangents_before(sim);
    carom_located_track(sim, begin);
    return sim->tangents ? carom_tangents_track(sim, begin) : CAROM_OK;
}

/* Contacts at the accepted state, and those of the derivatives' twins, behind a step from `begin`. */
static carom_status update_contacts(carom_simulation *sim, double begin, bool by_root)
{
    CAROM_TRY(carom_located_update(sim));
    if (sim->tangents) {
        sim->tangents->by_root = by_root;
        sim->tangents->by_time = *sim->s.time >= sim->next_break;
        CAROM_TRY(carom_tangents_contacts(sim));
        CAROM_TRY(carom_tangents_watch(sim));
    }
    /* what has ended in the step has done so at the speeds of rest that it was made with */
    carom_rocking_follow(sim, *sim->s.time - begin);
    return CAROM_OK;
}

/* Whether a step is to be made again, as it left the branch of a law with memory where it began; twins of the motion
   turn there as well. */
static carom_status turn_back(carom_simulation *sim, bool *again)
{
    if (sim->tangents)
        carom_tangents_before(sim);
    *again = carom_located_left_branch(sim);
    return *again && sim->tangents ? carom_tangents_contacts(sim) : CAROM_OK;
}

/* Makes the next step, once more with other branches where it leaves a switch at whose edge it began, and to where
   friction that holds is first asked for more than that. */
static carom_status make_step(carom_simulation *sim, double target, carom_step_result *result)
{
    const bool located = !sim->system->sets && !sim->rigid;
    bool turned = sim->rigid || !sim->remembers;
    for (bool again = true; again;) {
        const double stop = next_stop(sim, target);
        *result = reached(sim, stop) ? move_to(sim, stop) : sim->integrator->kind->step(sim->integrator, stop);
        sim->statistics.steps++;
        sim->statistics.rhs_evaluations = sim->system->evaluations;
        const bool made = *result != CAROM_STEP_FAILED && !sim->taken;
        again = made && carom_switches_left(sim);
        if (made && !again && !turned) {
            CAROM_TRY(turn_back(sim, &again));
            turned = again;
        }
        const bool shorter = made && !again && located && carom_holds_missed(sim);
        const double first_asked = carom_holds_stop(sim);
        again = again || shorter;
        if (again)
            CAROM_TRY(restart(sim));
        if (shorter)
            carom_holds_stop_at(sim, first_asked);
    }
    return CAROM_OK;
}

/* Steps to `target`, or makes the first step of the way. */
static carom_status advance(carom_simulation *sim, double target, bool record, bool once)
{
    carom_state *s = &sim->s;
    bool steps_group = record && sim->run.contacts_every_step, moved = false;
    stall_guard guard = {.time = *s->time, .since = *s->time};
    for (bool going = true; going && *s->time < target && !*s->event_stop; going = !once) {
        CAROM_TRY(carom_control_update(sim));
        if (sim->restart || sim->projected)
            CAROM_TRY(restart(sim));
        if (*s->event_stop) {
            CAROM_TRY(send_events(sim));
            return record ? record_stop(sim) : CAROM_OK;
        }
        carom_step_result result;
        CAROM_TRY(make_step(sim, target, &result));
        CAROM_TRY(watch_progress(sim, &guard));
        if (result == CAROM_STEP_FAILED && sim->taken)
            give_back(sim);
        if (result == CAROM_STEP_FAILED && sim->step_status != CAROM_OK)
            return sim->step_status;
        if (result == CAROM_STEP_FAILED && (sim->system->friction_fault >= 0 || sim->system->state_fault >= 0))
            return carom_rhs_unsolved(sim);
        if (result == CAROM_STEP_FAILED)
            return give_up(sim);
        double end = sim->integrator->t;
        const bool located = !sim->system->sets && !sim->rigid;
        bool missed = located && carom_located_missed(sim, &end), touched = carom_located_any_open(sim);
        bool switched = located && carom_switches_missed(sim, &end);
        switched = (located && carom_ends_missed(sim, &end)) || switched;
        bool cut = (located && carom_compression_crest(sim, &end)) || switched;
        cut = carom_slip_reversed(sim, &end) || cut;
        cut = carom_passed_over(sim, &end) || cut;
        if (sim->rigid)
            carom_rigid_take(sim);
        const bool singular = carom_singular_passed(sim, &end);
        const double begin = *s->time, violated = *s->peak_violation_share;
        *s->step_size = sim->integrator->t - sim->integrator->t_before;
        *s->step_order = sim->run.integrator->order ? sim->run.integrator->order : sim->integrator->order;
        carom_step_rates rates = end == sim->integrator->t ? sim->integrator->rates : CAROM_RATES_ELSEWHERE;
        if (record)
            CAROM_TRY(carom_record_rows(sim, end, &rates));
        if (sim->tangents && record)
            CAROM_TRY(carom_tangents_record(sim, end));
        if (steps_group && touched)
            CAROM_TRY(carom_record_inside(sim, end, &rates));
        CAROM_TRY(accept(sim, end, rates));
        cut = carom_holds_arrived(sim) || cut;
        const bool event = missed || cut || *s->time >= sim->next_break || result == CAROM_STEP_ROOT;
        if (event)
            CAROM_TRY(carom_events_arrive(sim));
        if (!sim->rigid)
            CAROM_TRY(track(sim, begin));
        carom_clearance_track(sim, begin);
        CAROM_TRY(carom_notices_track(sim, begin));
        if (steps_group && touched)
            CAROM_TRY(carom_record_sample(sim, 1, end, sim->d, s));
        const bool by_root = switched || result == CAROM_STEP_ROOT;
        CAROM_TRY(sim->rigid ? carom_rigid_update(sim) : update_contacts(sim, begin, by_root));
        bool open = carom_located_any_open(sim);
        if (steps_group && !touched && open)
            CAROM_TRY(carom_record_sample(sim, 1, end, sim->d, s));
        if (record && (touched || open))
            CAROM_TRY(carom_record_snapshot(sim, missed || result == CAROM_STEP_ROOT));
        CAROM_TRY(carom_singular_note(sim, singular));
        if (sim->run.kinematic && carom_kinematics_halts(sim, sim->run.until, CAROM_SHORT_STEPS))
            return give_up(sim);
        CAROM_TRY(carom_locked_watch(sim, violated));
        if (event || gains_lag(sim))
            sim->restart = true;
        CAROM_TRY(carom_events_step(sim));
        CAROM_TRY(send_events(sim));
        CAROM_TRY(report_progress(sim));
        if (sim->points.every)
            CAROM_TRY(carom_points_step(sim));
        moved = true;
    }
    /* projections and branches that changed wait for the restart, those who ask now do not */
    const bool waits = sim->restart || sim->projected;
    return moved && waits && carom_rhs_update(sim) != 0 ? carom_rhs_unsolved(sim) : CAROM_OK;
}

static carom_status advance_timed(carom_simulation *sim, double target, bool record, bool once)
{
    sim->clock_start = cpu_now();
    sim->cpu_before = sim->statistics.cpu_seconds;
    sim->advancing = true;
    if (!sim->rigid && !sim->system->sets && sim->model->contact_count)
        carom_system_keep_touching(sim->system, &sim->s);
    carom_status status = advance(sim, target, record, once);
    if (sim->system->touching_kept)
        carom_system_touch_all(sim->system);
    carom_far_settle(sim);
    carom_sim_catch_up(sim);
    sim->advancing = false;
    take_time(sim);
    return status;
}

carom_status carom_loop_advance(carom_simulation *sim, double target, bool record)
{
    return advance_timed(sim, target, record, false);
}

carom_status carom_loop_step(carom_simulation *sim, double target, bool record)
{
    return advance_timed(sim, target, record, true);
}
