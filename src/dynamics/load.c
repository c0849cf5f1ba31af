/* Gravity and loads. */
#include "dynamics/dynamics.h"
#include "kinds/load/load.h"

#include <string.h>

static carom_frame_pose frame_of(const carom_evaluation *d, const carom_marker *marker)
{
    return carom_dynamics_frame_pose(&d->pose[marker->body], marker, d->model->dimension);
}

static void add_wrench(carom_evaluation *d, int body, carom_vec3 arm, carom_vec3 force, carom_vec3 torque)
{
    double scale = 1 + d->system->load_fault;
    carom_wrench *w = &d->wrench[body];
    w->force = carom_v3_add_scaled(w->force, scale, force);
    w->torque = carom_v3_add_scaled(w->torque, scale, carom_v3_add(torque, carom_v3_cross(arm, force)));
}

/* Values of a load's parameters at the time t, and the rates of those that ask for them. */
static const double *values_at(carom_evaluation *d, const carom_state *s, const carom_compiled_load *l, double t)
{
    const double stiffness = l->sized.depth > 0 ? s->stop_stiffness[l->notice] : 0;
    const double mass = l->sized.damping ? s->stop_mass[l->notice] : 0;
    if (!l->slot_count && !(stiffness > 0) && !(mass > 0))
        return l->p;
    memcpy(d->system->load_values, l->p, (size_t)l->param_size * sizeof(double));
    for (int k = 0; k < l->slot_count; k++) {
        const carom_model_expr *e = &d->model->exprs[l->slots[k].expr];
        const int *switches = s->switches + e->first_switch;
        double *value = &d->system->load_values[l->slots[k].offset];
        if (!l->slots[k].rate) {
            *value = carom_expr_value(e->expr, t, d->measures, switches);
            continue;
        }
        carom_jet jet = carom_dynamics_jet(d, s, l->slots[k].expr, t);
        *value = jet.value;
        if (d->system->at_rest)
            continue;
        d->system->load_rates[l->slots[k].offset] = jet.rate;
        d->system->load_accelerations[l->slots[k].offset] = jet.acceleration;
    }
    if (stiffness > 0 || mass > 0)
        l->kind->stops->suit(d->system->load_values, stiffness, mass, &l->sized);
    return d->system->load_values;
}

/* The load at the present poses; `branch` its switches, NULL: as the state is. */
static carom_load_input evaluate(carom_evaluation *d, const carom_state *s, int load, double t, const double *states,
                                 const int *branch)
{
    const carom_model *m = d->model;
    const carom_compiled_load *l = &m->loads[load];
    carom_load_input in = {.frames = l->frames,
                           .dimension = m->dimension,
                           .deflection = s->load_deflection[load] +
                                         s->load_deflection_rate[load] * (t - *s->load_deflection_time),
                           .curves = m->curves,
                           .edges = l->edges,
                           .branch = branch,
                           .time = t,
                           .states = states + l->first_state};
    if (l->slot_count) {
        memset(d->system->load_rates, 0, (size_t)l->param_size * sizeof(double));
        memset(d->system->load_accelerations, 0, (size_t)l->param_size * sizeof(double));
    }
    in.p = values_at(d, s, l, t);
    in.rates = l->slot_count ? d->system->load_rates : d->system->load_zeros;
    in.accelerations = l->slot_count ? d->system->load_accelerations : d->system->load_zeros;
    if (l->joint >= 0)
        carom_dynamics_coordinate(d, l->joint, s->coordinate[m->joints[l->joint].coordinate], &in.coordinate,
                                  &in.coordinate_rate);
    /* a couple along a coordinate has no arms */
    if (!l->kind->on_joint || l->kind->outside || !carom_row_is_angle(&in.coordinate)) {
        in.i = frame_of(d, &l->i);
        in.j = frame_of(d, &l->j);
    }
    if (l->has_reference)
        in.reference = carom_m3_multiply(&d->pose[l->reference.body].axes, &l->reference.axes);
    if (l->kind->outside)
        d->loads[load] = (carom_load_output){0};
    CAROM_KIND_CALL(l->kind, apply, &in, &d->loads[load]);
    if (l->state_count && l->kind->outside)
        l->kind->outside->rates(l->kind->outside->kind.user, &in, d->load_state_rate + l->first_state);
    else if (l->state_count)
        l->kind->rates(&in, &d->loads[load], d->load_state_rate + l->first_state);
    return in;
}

static const int *branch_of(const carom_compiled_load *l, const carom_state *s)
{
    return l->edges ? s->switches + l->first_switch : NULL;
}

static void apply(carom_evaluation *d, const carom_state *s, int load, double t, const double *states)
{
    const carom_compiled_load *l = &d->model->loads[load];
    carom_load_input in = evaluate(d, s, load, t, states, branch_of(l, s));
    carom_load_output *out = &d->loads[load];
    if (s->load_off[load]) {
        out->force_i = out->torque_i = out->force_j = out->torque_j = carom_v3(0, 0, 0);
        out->stored = out->dissipation = out->work_power = 0;
        return;
    }
    add_wrench(d, l->i.body, in.i.arm, out->force_i, out->torque_i);
    add_wrench(d, l->j.body, in.j.arm, out->force_j, out->torque_j);
}

void carom_dynamics_load_wrenches(carom_evaluation *d, const carom_state *s, int load, double t, const double *states,
                                  carom_wrench out[2])
{
    const carom_compiled_load *l = &d->model->loads[load];
    const carom_load_input in = evaluate(d, s, load, t, states + d->model->state_count, branch_of(l, s));
    carom_load_output *of = &d->loads[load];
    if (s->load_off[load]) {
        of->force_i = of->torque_i = of->force_j = of->torque_j = carom_v3(0, 0, 0);
        of->dissipation = of->work_power = 0;
    }
    out[0] = (carom_wrench){of->force_i, carom_v3_add(of->torque_i, carom_v3_cross(in.i.arm, of->force_i))};
    out[1] = (carom_wrench){of->force_j, carom_v3_add(of->torque_j, carom_v3_cross(in.j.arm, of->force_j))};
}

void carom_dynamics_load_switches(carom_evaluation *d, carom_state *s, double t)
{
    for (int k = 0; k < d->model->load_count; k++) {
        const carom_compiled_load *l = &d->model->loads[k];
        if (!l->edges)
            continue;
        evaluate(d, s, k, t, s->load_states, NULL);
        /* the first one of a computed effort is set where accelerations are known */
        const int own = l->computed >= 0;
        memcpy(s->switches + l->first_switch + own, d->loads[k].branch + own,
               (size_t)(l->kind->switches - own) * sizeof(int));
    }
}

void carom_dynamics_load_roots(carom_evaluation *d, const carom_state *s, double t, const double *states, double *out)
{
    for (int k = 0; k < d->model->load_count; k++) {
        const carom_compiled_load *l = &d->model->loads[k];
        const int *branch = branch_of(l, s);
        if (!branch)
            continue;
        carom_load_output *of = &d->loads[k];
        const double rate = evaluate(d, s, k, t, states, branch).coordinate_rate;
        of->noise[0] += carom_model_touch(d->model, l, branch[0], rate);
        if (l->computed >= 0)
            of->quantity[0] = carom_dynamics_computed_quantity(d, k, s->switches[l->first_switch]);
        for (int n = 0; n < l->kind->switches; n++)
            out[l->first_root + n] =
                l->edges[n].n ? carom_switch_root(&l->edges[n], of->quantity[n], branch[n]) + of->noise[n] : 1;
    }
}

/* Forces of the caller. */
static void add_applied(carom_evaluation *d)
{
    d->applied_power = 0;
    for (size_t k = 0; k < d->system->applied_count; k++) {
        const carom_applied *a = &d->system->applied[k];
        const carom_body_pose *pose = &d->pose[a->body];
        const carom_vec3 force = a->turns ? carom_m3_apply(&pose->axes, a->force) : a->force;
        const carom_vec3 torque = a->turns ? carom_m3_apply(&pose->axes, a->torque) : a->torque;
        const carom_vec3 arm = carom_m3_apply(&pose->axes, a->point);
        add_wrench(d, a->body, arm, force, torque);
        d->applied_power += carom_v3_dot(force, carom_v3_add(pose->v, carom_v3_cross(pose->w, arm))) +
                            carom_v3_dot(torque, pose->w);
    }
}

void carom_dynamics_weigh(const carom_system *system, int first, int end, carom_wrench *wrench)
{
    const carom_vec3 gravity = system->model->gravity;
    for (int body = first + 1; body <= end; body++) {
        carom_wrench *w = &wrench[body - first - 1];
        w->force = carom_v3_add_scaled(w->force, carom_system_inertia(system, body)->mass, gravity);
    }
}

void carom_dynamics_begin_wrenches(carom_evaluation *d)
{
    const size_t bodies = (size_t)d->model->body_count + 1;
    if (d->set_wrench)
        memcpy(d->wrench, d->set_wrench, bodies * sizeof *d->wrench);
    else
        memset(d->wrench, 0, bodies * sizeof *d->wrench);
}

void carom_dynamics_loads(carom_evaluation *d, const carom_state *s, double t, const double *states)
{
    const carom_model *m = d->model;
    carom_dynamics_weigh(d->system, 0, m->body_count, &d->wrench[1]);
    if (m->step_measure_count)
        carom_dynamics_measures(d, s, t, states);
    for (int k = 0; k < m->load_count; k++)
        apply(d, s, k, t, states + m->state_count);
    add_applied(d);
}
