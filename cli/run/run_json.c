/* What `carom run --json` prints, and `carom compare --json` of each variant; keys in the order of docs/commands.md. */
#include "run/run.h"

#include <stdlib.h>

static void write_impacts(const run_job *job, carom_json *json)
{
    size_t count, field_count;
    const carom_impact *impacts = carom_simulation_impacts(job->sim, &count);
    const carom_field *fields = carom_impact_fields(&field_count);
    carom_json_begin(json, "impacts", '[');
    for (size_t k = 0; k < count; k++) {
        carom_json_begin(json, NULL, '{');
        carom_json_fields(json, fields, field_count, &impacts[k]);
        carom_json_end(json, '}');
    }
    carom_json_end(json, ']');
}

static void write_rests(const run_job *job, carom_json *json)
{
    size_t count = 0, field_count;
    const carom_field *fields = carom_rest_fields(&field_count);
    const carom_rest *rests = NULL;
    if (carom_simulation_rests(job->sim, &rests, &count) != CAROM_OK)
        memory_error();
    carom_json_begin(json, "rests", '[');
    for (size_t k = 0; k < count; k++) {
        carom_json_begin(json, NULL, '{');
        carom_json_fields(json, fields, field_count, &rests[k]);
        carom_json_end(json, '}');
    }
    carom_json_end(json, ']');
}

static void write_open_contacts(const run_job *job, carom_json *json)
{
    size_t count = carom_simulation_open_contacts(job->sim, NULL, 0);
    carom_open_contact *open = calloc(count + 1, sizeof *open);
    if (!open)
        memory_error();
    else
        carom_simulation_open_contacts(job->sim, open, count);
    carom_json_begin(json, "open_contacts", '[');
    for (size_t k = 0; open && k < count; k++) {
        carom_json_begin(json, NULL, '{');
        carom_json_text(json, "contact", open[k].contact);
        carom_json_number(json, "onset", open[k].onset);
        carom_json_number(json, "v_in", open[k].v_in);
        carom_json_number(json, "indentation", open[k].indentation);
        carom_json_number(json, "force", open[k].force);
        carom_json_number(json, "peak_force", open[k].peak_force);
        carom_json_number(json, "max_indentation", open[k].max_indentation);
        carom_json_end(json, '}');
    }
    carom_json_end(json, ']');
    free(open);
}

/* Joints with clearance; left out where there are none. */
static void write_joints(const run_job *job, carom_json *json)
{
    size_t count = carom_simulation_joint_modes(job->sim, NULL, 0);
    double time = carom_simulation_time(job->sim);
    carom_joint_modes *modes = calloc(count + 1, sizeof *modes);
    if (count == 0 || !modes) {
        if (!modes)
            memory_error();
        free(modes);
        return;
    }
    carom_simulation_joint_modes(job->sim, modes, count);
    carom_json_begin(json, "joints", '[');
    for (size_t k = 0; k < count; k++) {
        carom_json_begin(json, NULL, '{');
        carom_json_text(json, "name", modes[k].joint);
        carom_json_number(json, "flight", time > 0 ? modes[k].flight / time : 0);
        carom_json_number(json, "impact", time > 0 ? modes[k].impact / time : 0);
        carom_json_number(json, "following", time > 0 ? modes[k].following / time : 0);
        carom_json_number(json, "impacts", (double)modes[k].impacts);
        carom_json_end(json, '}');
    }
    carom_json_end(json, ']');
    free(modes);
}

static void write_ledger(const run_job *job, carom_json *json)
{
    size_t field_count;
    const carom_field *fields = carom_ledger_fields(&field_count);
    carom_ledger l = carom_simulation_ledger(job->sim);
    carom_json_begin(json, "ledger", '{');
    carom_json_fields(json, fields, field_count, &l);
    carom_json_end(json, '}');
}

/* Entries of all bodies in the open object; states may be NULL: now. */
static void write_bodies(const run_job *job, carom_json *json, const carom_body_state *states)
{
    size_t size = job->info.dimension == 2 ? 2 : 3;
    for (size_t k = 0; k < job->info.bodies; k++) {
        carom_body_state now, *state = &now;
        if (states)
            now = states[k];
        else if (carom_simulation_body(job->sim, k, &now) != CAROM_OK)
            continue;
        carom_json_begin(json, carom_model_body_name(job->model, k), '{');
        carom_json_numbers(json, "position", state->position, size);
        carom_json_numbers(json, "velocity", state->velocity, size);
        if (size == 2) {
            carom_json_number(json, "angle", state->angle);
            carom_json_number(json, "angular_velocity", state->angular_velocity[2]);
        } else {
            carom_json_numbers(json, "orientation", state->orientation, 4);
            carom_json_numbers(json, "angular_velocity", state->angular_velocity, 3);
        }
        carom_json_end(json, '}');
    }
}

static void write_samples(const run_job *job, carom_json *json)
{
    carom_json_begin(json, "samples", '[');
    for (size_t k = 0; k < job->stop_count; k++) {
        if (!job->stops[k].sample || !job->stops[k].bodies)
            continue;
        carom_json_begin(json, NULL, '{');
        carom_json_number(json, "time", job->stops[k].time);
        write_bodies(job, json, job->stops[k].bodies);
        carom_json_end(json, '}');
    }
    carom_json_end(json, ']');
}

static void write_events(const run_job *job, carom_json *json)
{
    size_t count;
    const carom_fired_event *events = carom_simulation_fired_events(job->sim, &count);
    if (!job->spec->event_count && !count)
        return;
    carom_json_begin(json, "events", '[');
    for (size_t k = 0; k < count; k++) {
        carom_json_begin(json, NULL, '{');
        carom_json_text(json, "event", events[k].event);
        carom_json_number(json, "time", events[k].time);
        carom_json_text(json, "kind", events[k].kind);
        carom_json_text(json, "action", events[k].action);
        carom_json_number(json, "energy", events[k].energy);
        carom_json_number(json, "rate", events[k].rate);
        carom_json_number(json, "peak", events[k].peak);
        carom_json_number(json, "depth", events[k].depth);
        carom_json_end(json, '}');
    }
    carom_json_end(json, ']');
    carom_json_text(json, "stopped_by", carom_simulation_stopped_by(job->sim));
}

static void write_methods(const run_job *job, carom_json *json)
{
    carom_method_use uses[3];
    uint64_t changes;
    const size_t count = carom_simulation_methods(job->sim, uses, COUNT(uses), &changes);
    carom_json_begin(json, "methods", '[');
    for (size_t k = 0; k < count; k++) {
        carom_json_begin(json, NULL, '{');
        carom_json_text(json, "method", uses[k].method);
        carom_json_number(json, "duration", uses[k].time);
        carom_json_integer(json, "steps", (int64_t)uses[k].steps);
        carom_json_end(json, '}');
    }
    carom_json_end(json, ']');
    carom_json_integer(json, "method_changes", (int64_t)changes);
}

void run_print_json(const run_job *job, carom_json *json, const char *key)
{
    carom_statistics s = carom_simulation_statistics(job->sim);
    carom_violation v = carom_simulation_violation(job->sim);
    carom_json_begin(json, key, '{');
    carom_json_text(json, "model", job->info.name);
    carom_json_text(json, "version", carom_version());
    carom_json_text(json, "analysis", job->def->analysis ? job->def->analysis : "dynamics");
    carom_json_text(json, "formulation", carom_simulation_formulation(job->sim));
    carom_json_text(json, "integrator", carom_simulation_integrator(job->sim));
    carom_json_text(json, "status", job->status);
    carom_json_number(json, "time", s.time);
    carom_json_integer(json, "steps", (int64_t)s.steps);
    carom_json_integer(json, "rhs_evaluations", (int64_t)s.rhs_evaluations);
    carom_json_number(json, "cpu_seconds", s.cpu_seconds);
    if (job->unfinished.path) {
        carom_json_integer(json, "resumptions", (int64_t)job->unfinished.of.count);
        carom_json_number(json, "resumed_at", job->unfinished.of.time);
    }
    write_methods(job, json);
    write_impacts(job, json);
    write_rests(job, json);
    write_open_contacts(job, json);
    write_joints(job, json);
    write_events(job, json);
    write_ledger(job, json);
    carom_json_begin(json, "accuracy", '{');
    carom_json_bool(json, "accurate", job->accuracy.accurate);
    carom_json_number(json, "residual", job->accuracy.residual);
    carom_json_number(json, "violation", job->accuracy.violation);
    carom_json_end(json, '}');
    carom_json_begin(json, "constraints", '{');
    carom_json_number(json, "position_violation", v.position);
    carom_json_number(json, "velocity_violation", v.velocity);
    carom_json_end(json, '}');
    carom_json_begin(json, "final", '{');
    write_bodies(job, json, NULL);
    carom_json_end(json, '}');
    if (job->options->at.count > 0)
        write_samples(job, json);
    run_derivatives_print_json(job, json);
    carom_json_begin(json, "warnings", '[');
    for (size_t k = 0; k < job->session->warning_count; k++)
        carom_json_text(json, NULL, job->session->warnings[k]);
    carom_json_end(json, ']');
    carom_json_text(json, "results", job->results);
    carom_json_text(json, "report", job->report);
    carom_json_end(json, '}');
}
