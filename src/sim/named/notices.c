/* Loads that tell of their switches: limits of joints met and left, motors at the limit of their effort. Each change
   is a row of the events of the run, and so is each singular position of a prescribed motion. */
#include "sim/sim.h"

#include <math.h>
#include <stdio.h>

/* Places of a load's rows behind those of the events: lower and upper one begin, lower and upper one end. */
#define ROWS_OF_A_LOAD 4

static const carom_compiled_load *load_of(const carom_model *m, int notice)
{
    int k = 0;
    while (m->loads[k].notice != notice)
        k++;
    return &m->loads[k];
}

/* The row of singular positions is behind those of all loads. */
static int singular_row(const carom_model *m) { return m->event_count + ROWS_OF_A_LOAD * m->notice_count; }

int carom_notices_rows(const carom_model *m) { return singular_row(m) + 1; }

carom_fired_event carom_notices_row(const carom_model *m, int index, const carom_fired_event *numbers)
{
    if (index == singular_row(m))
        return (carom_fired_event){.event = "mechanism",
                                   .event_index = (size_t)index,
                                   .time = numbers->time,
                                   .kind = "position",
                                   .action = "singular"};
    const int row = (index - m->event_count) % ROWS_OF_A_LOAD;
    const carom_compiled_load *l = load_of(m, (index - m->event_count) / ROWS_OF_A_LOAD);
    const carom_load_notices *notices = l->kind->notices;
    return (carom_fired_event){.event = l->name,
                               .event_index = (size_t)index,
                               .time = numbers->time,
                               .energy = numbers->energy,
                               .kind = notices->kind,
                               .action = row < 2 ? notices->begins[row] : notices->ends[row - 2],
                               .rate = numbers->rate,
                               .peak = numbers->peak,
                               .depth = numbers->depth};
}

static carom_status add(carom_simulation *sim, int index, const carom_fired_event *numbers)
{
    if (sim->muted) /* the list is that of the run */
        return CAROM_OK;
    CAROM_TRY(carom_grow(sim->ctx, &sim->fired, &sim->fired_capacity, sim->fired_count + 1, sizeof *sim->fired));
    sim->fired[sim->fired_count++] = carom_notices_row(sim->model, index, numbers);
    return carom_events_action(sim, &sim->fired[sim->fired_count - 1]);
}

static carom_status tell(carom_simulation *sim, int load, int level, bool begins, double rate)
{
    const carom_model *m = sim->model;
    const carom_state *s = &sim->s;
    const int notice = m->loads[load].notice;
    const int index = m->event_count + ROWS_OF_A_LOAD * notice + (begins ? 0 : 2) + (level > 0);
    const carom_fired_event row = {.time = *s->time,
                                   .energy = begins ? 0 : s->work_load_damper[load] - s->notice_lost[notice],
                                   .rate = rate,
                                   .peak = begins ? 0 : s->notice_peak[notice],
                                   .depth = begins ? 0 : s->notice_depth[notice]};
    return add(sim, index, &row);
}

carom_status carom_notices_singular(carom_simulation *sim, double time)
{
    return add(sim, singular_row(sim->model), &(carom_fired_event){.time = time});
}

bool carom_notices_passed_singular(const carom_simulation *sim)
{
    for (size_t k = 0; k < sim->fired_count; k++)
        if (sim->fired[k].event_index == (size_t)singular_row(sim->model))
            return true;
    return false;
}

carom_status carom_notices_update(carom_simulation *sim)
{
    const carom_model *m = sim->model;
    carom_state *s = &sim->s;
    for (int k = 0; m->notice_count && k < m->load_count; k++) {
        const carom_compiled_load *l = &m->loads[k];
        if (l->notice < 0 || !l->edges)
            continue;
        const int before = s->notice_level[l->notice];
        const int now = s->load_off[k] ? 0 : l->kind->notices->level(l->p, s->switches[l->first_switch]);
        carom_row row;
        double rate;
        if (now == before)
            continue;
        carom_dynamics_coordinate(sim->d, l->joint, s->coordinate[m->joints[l->joint].coordinate], &row, &rate);
        if (before)
            CAROM_TRY(tell(sim, k, before, false, rate));
        s->notice_level[l->notice] = now;
        s->notice_lost[l->notice] = s->work_load_damper[k];
        s->notice_peak[l->notice] = s->notice_depth[l->notice] = 0;
        if (now)
            carom_stops_meet(sim, k, now);
        if (now)
            CAROM_TRY(tell(sim, k, now, true, rate));
    }
    return CAROM_OK;
}

carom_status carom_notices_ends(carom_simulation *sim)
{
    const carom_model *m = sim->model;
    const carom_state *s = &sim->s;
    for (int k = 0; m->switching_load_count && k < m->load_count; k++) {
        const carom_compiled_load *l = &m->loads[k];
        const int last = l->kind->switches - 1;
        if (l->kind->ends && l->edges && l->edges[last].n && s->switches[l->first_switch + last] && !s->load_off[k])
            return carom_fail(sim->ctx, CAROM_ERROR_SOLVER, &l->place, "load '%s': at t = %.6g s %s", l->name, *s->time,
                              l->kind->ends);
    }
    return CAROM_OK;
}

/* ---- greatest efforts and indentations ---- */

/* Places of a step, both ends included. */
#define PLACES 5

/* Effort and indentation of a limit at a time within the last step. */
static void press_at(carom_simulation *sim, int load, double t, double *effort, double *depth)
{
    carom_state *s = &sim->s;
    const carom_compiled_load *l = &sim->model->loads[load];
    carom_wrench unused[2];
    carom_row row;
    double *y = sim->y_scratch, rate, energy;
    *effort = *depth = 0;
    if (!sim->integrator->kind->interpolate(sim->integrator, t, s->layout.positions + s->layout.velocities, y))
        return;
    carom_system_pose(sim->probe, s, t, y, y + (s->v - s->q));
    carom_dynamics_load_wrenches(sim->probe, s, load, t, s->states, unused);
    *effort = fabs(carom_dynamics_load_pull(sim->probe, load));
    const double q = carom_dynamics_coordinate(
        sim->probe, l->joint, s->coordinate[sim->model->joints[l->joint].coordinate], &row, &rate);
    *depth = fabs(l->kind->stops->beyond(l->p, q, &energy));
}

/* The greatest of some values, between them by the parabola through three. */
static double greatest(const double value[PLACES])
{
    int k = 0;
    for (int n = 1; n < PLACES; n++)
        k = value[n] > value[k] ? n : k;
    if (k == 0 || k == PLACES - 1)
        return value[k];
    const double slope = 0.5 * (value[k + 1] - value[k - 1]), bend = value[k + 1] - 2 * value[k] + value[k - 1];
    return bend < 0 ? value[k] - 0.5 * slope * slope / bend : value[k];
}

carom_status carom_notices_track(carom_simulation *sim, double begin)
{
    const carom_model *m = sim->model;
    carom_state *s = &sim->s;
    for (int k = 0; m->notice_count && k < m->load_count; k++) {
        const carom_compiled_load *l = &m->loads[k];
        if (!l->kind->stops || l->notice < 0 || !s->notice_level[l->notice] || !(*s->time > begin))
            continue;
        double effort[PLACES], depth[PLACES];
        for (int n = 0; n < PLACES; n++)
            press_at(sim, k, begin + (*s->time - begin) * n / (PLACES - 1), &effort[n], &depth[n]);
        s->notice_peak[l->notice] = fmax(s->notice_peak[l->notice], greatest(effort));
        s->notice_depth[l->notice] = fmax(s->notice_depth[l->notice], greatest(depth));
        CAROM_TRY(carom_stops_watch(sim, k));
    }
    return CAROM_OK;
}

/* ---- limits at the start ---- */

/* What is to be done: the units where the limit, or the angle of a body in the plane, looks like degrees. */
static void remedy_of(const carom_model *m, const carom_compiled_load *l, double limit, char *text, size_t size)
{
    const carom_model_joint *j = &m->joints[l->joint];
    const int bodies[2] = {l->i.body, l->j.body};
    const bool angles = j->kind->coordinate_unit[0] == 'r';
    int n = snprintf(text, size, "angles without a unit are in radians; for degrees write ");
    const int none = n;
    if (angles && carom_model_degrees(limit, CAROM_AT_LIMIT))
        n += snprintf(text + n, size - (size_t)n, "%.6g*deg for the limit", limit);
    for (int k = 0; k < 2 && angles && m->dimension == 2; k++) {
        const carom_model_body *b = &m->bodies[bodies[k]];
        if (bodies[k] && carom_model_degrees(b->angle, 0))
            n += snprintf(text + n, size - (size_t)n, "%s%.6g*deg for the angle of body '%.60s'",
                          n > none ? " and " : "", b->angle, b->name);
    }
    if (n == none)
        snprintf(text, size, "place the bodies within the limits%s, or widen them",
                 j->place.file != m->file ? ", those of a robot by `start` of its `include`" : "");
}

static carom_status check_limits(carom_simulation *sim, const carom_compiled_load *l)
{
    const carom_model *m = sim->model;
    const carom_model_joint *j = &m->joints[l->joint];
    const char *unit = j->kind->coordinate_unit;
    carom_row row;
    double rate, energy;
    const double q = carom_dynamics_coordinate(sim->d, l->joint, sim->s.coordinate[j->coordinate], &row, &rate);
    const double e = l->kind->stops->beyond(l->p, q, &energy), most = carom_energy_scale(m);
    if (!(fabs(e) > carom_model_at_limit(m, j)))
        return CAROM_OK;
    const char *side = e > 0 ? "upper" : "lower";
    char remedy[400];
    remedy_of(m, l, q - e, remedy, sizeof remedy);
    if (energy > most)
        return carom_fail(sim->ctx, CAROM_ERROR_MODEL, &l->place,
                          "joint '%s' starts at %.6g %s, %.4g %s beyond its %s limit of %.6g %s, where the stop holds "
                          "%.3g J, more than the model moves with (%.3g J): %s",
                          j->name, q, unit, fabs(e), unit, side, q - e, unit, energy, most, remedy);
    return carom_simulation_warn(sim, CAROM_WARN_BEYOND_LIMIT,
                                 "joint '%s' starts at %.6g %s, %.4g %s beyond its %s limit of %.6g %s: the stop gives "
                                 "%.3g J; %s",
                                 j->name, q, unit, fabs(e), unit, side, q - e, unit, energy, remedy);
}

/* ---- computed efforts at the start ---- */

/* Warns of the first one whose coordinate is held by others already. */
static carom_status check_computed(carom_simulation *sim, bool *redundant)
{
    const carom_model *m = sim->model;
    int rank;
    CAROM_TRY(sim->s.formulation->rank(sim->d, redundant, &rank));
    for (int k = 0; k < m->load_count; k++) {
        const carom_compiled_load *l = &m->loads[k];
        if (l->computed < 0 || !redundant[m->blocks[l->computed].first_row])
            continue;
        return carom_simulation_warn(
            sim, CAROM_WARN_SHARED_EFFORT,
            "load '%s' computes the effort on joint '%s', whose coordinate joints, motions or other computed efforts "
            "hold already: they share the effort by least squares, and targets that contradict each other are not "
            "followed",
            l->name, m->joints[l->joint].name);
    }
    return CAROM_OK;
}

carom_status carom_notices_start(carom_simulation *sim)
{
    const size_t rows = (size_t)sim->model->row_count;
    if (sim->model->computed_count) {
        bool *redundant = carom_allocate(sim->ctx, rows, sizeof *redundant);
        if (!redundant)
            return carom_fail_memory(sim->ctx);
        const carom_status status = check_computed(sim, redundant);
        carom_release(sim->ctx, redundant, rows, sizeof *redundant);
        CAROM_TRY(status);
    }
    for (int k = 0; k < sim->model->load_count; k++)
        if (sim->model->loads[k].kind->stops)
            CAROM_TRY(check_limits(sim, &sim->model->loads[k]));
    return CAROM_OK;
}
