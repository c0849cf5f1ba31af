/* Stops of default stiffness at limits of joints. The default is made for the model's speed and weight at the start;
   what meets the stop may be faster, or driven. So the stop is sized once more where its limit is met, by what meets
   it:

   E = m (g v)^2/2 + F d,  k >= 2 E/d^2,

   v the rate of the coordinate, d the indentation that the stop is made for, g the share of the indentation that the
   default damping leaves, exp(-zeta/sqrt(1 - zeta^2) acos zeta), m the effective mass along the coordinate,
   1/(J M^-1 J^T) with the constraints kept, and F = m a the effort that presses on it, a the acceleration of the
   coordinate without the stop. A stiffness that is less is raised to it for the rest of the run. The default damping
   is made anew at each meeting, of stiffness and effective mass, for the restitution that is asked: impulses of a short
   impact see the mechanism as it stands there, by this mass alone. Nothing is stored in the stop there, so that the
   energy stays. */
#include "dynamics/formulation/formulation.h"
#include "sim/tangent/tangent.h"

#include <math.h>

/* An indentation of so many times that which the stiffness is made for is told of. */
#define TOO_DEEP 5

/* A coordinate that forces cannot move: what is left of the mobility without constraints. */
#define BLOCKED 1e-12

/* ---- effective mass along a coordinate ---- */

typedef struct response {
    double kept, free;          /* acceleration of the coordinate with the constraints, and without them */
} response;

/* Adds what a force pair of a size makes of the acceleration of the coordinate with this row. */
static void add_response(const carom_evaluation *d, const carom_model_joint *j, const carom_row *row,
                         const carom_force_pair *pair, double size, response *out)
{
    const carom_formulation *f = d->system->formulation;
    double *column = d->system->column, free;
    f->delassus(d, pair, false, column, &free);
    const carom_body_acceleration a = f->body_change(d, column, j->i.body), b = f->body_change(d, column, j->j.body);
    out->kept += size * (carom_v3_dot(row->Li, a.linear) + carom_v3_dot(row->Ai, a.angular) +
                         carom_v3_dot(row->Lj, b.linear) + carom_v3_dot(row->Aj, b.angular));
    out->free += size * size * free;
}

/* A couple on a body: a force with a unit arm, and its opposite at the centre of mass. */
static void add_couple(const carom_evaluation *d, const carom_model_joint *j, const carom_row *row, int body,
                       carom_vec3 couple, response *out)
{
    const double size = carom_v3_norm(couple);
    if (body == 0 || !(size > 0))
        return;
    const carom_vec3 h = carom_v3_scale(1 / size, couple);
    carom_vec3 p = d->model->dimension == 2 ? carom_v3(1, 0, 0) : carom_v3_cross(h, carom_v3(1, 0, 0));
    if (carom_v3_norm(p) < 0.5)
        p = carom_v3_cross(h, carom_v3(0, 1, 0));
    p = carom_v3_scale(1 / carom_v3_norm(p), p);
    carom_force_pair pair = {.body_j = body, .arm_j = p, .direction = carom_v3_cross(h, p)};
    add_response(d, j, row, &pair, size, out);
    pair.arm_j = carom_v3(0, 0, 0);
    add_response(d, j, row, &pair, -size, out);
}

/* Acceleration of the coordinate by a unit effort [1/kg] or [1/(kg m^2)]; 0: nothing can move it. */
static double mobility_of(const carom_evaluation *d, const carom_model_joint *j, const carom_row *row)
{
    response sum = {0, 0};
    const double size = carom_v3_norm(row->Lj);
    if (size > 0) {
        const carom_force_pair pair = {.body_i = j->i.body,
                                       .body_j = j->j.body,
                                       .direction = carom_v3_scale(1 / size, row->Lj)};
        add_response(d, j, row, &pair, size, &sum);
    }
    add_couple(d, j, row, j->i.body, row->Ai, &sum);
    add_couple(d, j, row, j->j.body, row->Aj, &sum);
    return sum.kept > BLOCKED * sum.free ? sum.kept : 0;
}

/* ---- sizing ---- */

/* What meets a stop: the mobility along the coordinate; and the stiffness of default depth that holds it. */
typedef struct met {
    double mobility;            /* [1/kg] or [1/(kg m^2)]; 0: nothing can move the coordinate */
    double stiffness;           /* [N/m] or [N m/rad]; 0: that of the stop is given */
} met;

/* At the evaluated state of a simulation. */
static met meet(const carom_simulation *sim, int load, int level)
{
    const carom_evaluation *d = sim->d;
    const carom_compiled_load *l = &sim->model->loads[load];
    const carom_model_joint *j = &sim->model->joints[l->joint];
    carom_row row;
    double rate;
    const double q = carom_dynamics_coordinate(d, l->joint, sim->s.coordinate[j->coordinate], &row, &rate);
    const double mobility = mobility_of(d, j, &row), depth = l->sized.depth;
    if (!(mobility > 0) || !(depth > 0))
        return (met){.mobility = mobility};
    const double own = sim->s.load_off[load] ? 0 : carom_dynamics_load_pull(d, load);
    const double effort = level * (carom_dynamics_coordinate_acceleration(d, l->joint) / mobility - own);
    const double way = depth - level * (q - l->kind->stops->limit(l->p, level));
    rate *= l->kind->stops->damped(&l->sized);
    return (met){mobility, 2 * (0.5 * rate * rate / mobility + effort * way) / (depth * depth)};
}

static double stiffness_of(const carom_simulation *sim, const carom_compiled_load *l)
{
    const double raised = l->sized.depth > 0 ? sim->s.stop_stiffness[l->notice] : 0;
    return raised > 0 ? raised : l->kind->stops->stiffness(l->p);
}

void carom_stops_meet(carom_simulation *sim, int load, int level)
{
    const carom_compiled_load *l = &sim->model->loads[load];
    if (!l->kind->stops || sim->run.kinematic)
        return;
    const met by = meet(sim, load, level);
    if (!(by.mobility > 0) || !isfinite(by.mobility))
        return;
    sim->s.stop_mass[l->notice] = 1 / by.mobility;
    sim->s.stop_met[l->notice]++;
    if (!isfinite(by.stiffness) || !(by.stiffness > stiffness_of(sim, l)))
        return;
    sim->s.stop_stiffness[l->notice] = by.stiffness;
    sim->s.stop_sized[l->notice]++;
}

void carom_stops_follow(const carom_simulation *sim, carom_simulation *twin)
{
    const carom_model *m = sim->model;
    for (int k = 0; m->notice_count && k < m->load_count; k++) {
        const int notice = m->loads[k].notice;
        if (notice < 0 || !m->loads[k].kind->stops || sim->s.stop_met[notice] == twin->s.stop_met[notice])
            continue;
        const met by = meet(twin, k, sim->s.notice_level[notice]);
        twin->s.stop_mass[notice] = 1 / by.mobility;
        if (sim->s.stop_sized[notice] != twin->s.stop_sized[notice])
            twin->s.stop_stiffness[notice] = by.stiffness;
    }
}

double carom_stops_time(const carom_simulation *sim, int load)
{
    const carom_compiled_load *l = &sim->model->loads[load];
    const double mass = sim->s.stop_mass[l->notice], ratio = l->kind->stops->stiffness(l->p) / stiffness_of(sim, l);
    return (mass > 0 ? l->kind->stops->duration(l->p, mass) : l->stop_time) * sqrt(ratio);
}

/* ---- stops that are only touched ---- */

void carom_stops_hold(carom_simulation *sim)
{
    const carom_model *m = sim->model;
    for (int k = 0; m->notice_count && k < m->load_count; k++) {
        const carom_compiled_load *l = &m->loads[k];
        if (!l->kind->stops || !l->edges || sim->s.notice_level[l->notice])
            continue;
        carom_row row;
        double rate, energy;
        int *branch = &sim->s.switches[l->first_switch];
        const double q = carom_dynamics_coordinate(
            sim->probe, l->joint, sim->s.coordinate[m->joints[l->joint].coordinate], &row, &rate);
        const double e = fabs(l->kind->stops->beyond(l->p, q, &energy));
        /* half of it, as one that has just been met is beyond all of it within rounding */
        const int free = *branch - l->kind->notices->level(l->p, *branch);
        if (e < 0.5 * carom_model_touch(m, l, free, rate))
            *branch = free;
    }
}

/* ---- indentations that are far too deep ---- */

carom_status carom_stops_watch(carom_simulation *sim, int load)
{
    const carom_compiled_load *l = &sim->model->loads[load];
    const carom_model_joint *j = &sim->model->joints[l->joint];
    if (!(l->sized.depth > 0) || sim->s.stop_told[l->notice] || sim->run.kinematic)
        return CAROM_OK;
    carom_row row;
    double rate, energy;
    const double q = carom_dynamics_coordinate(sim->d, l->joint, sim->s.coordinate[j->coordinate], &row, &rate);
    const double e = l->kind->stops->beyond(l->p, q, &energy);
    if (!(fabs(e) > TOO_DEEP * l->sized.depth) || !(mobility_of(sim->d, j, &row) > 0))
        return CAROM_OK;
    sim->s.stop_told[l->notice] = 1;
    const char *unit = j->kind->coordinate_unit;
    return carom_simulation_warn(sim, CAROM_WARN_SOFT_STOP,
                                 "t = %.6g s: joint '%s' is %.3g %s beyond its %s limit of %.6g %s, and its default "
                                 "stiffness of %.3g %s was made for %.2g %s: what presses on the stop has grown since "
                                 "it was met; give `stiffness` in its `limits`",
                                 *sim->s.time, j->name, fabs(e), unit, e > 0 ? "upper" : "lower", q - e, unit,
                                 stiffness_of(sim, l), unit[0] == 'r' ? "N m/rad" : "N/m", l->sized.depth, unit);
}
