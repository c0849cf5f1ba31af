/* Friction of ideal joints at one instant: slips, laws, work, stick and slip. The forces are found in
   rubbing_search.c. */
#include "dynamics/dynamics.h"
#include "dynamics/formulation/formulation.h"

#include <float.h>
#include <math.h>
#include <string.h>

static carom_frame_pose frame_of(const carom_evaluation *d, const carom_marker *marker)
{
    return carom_dynamics_frame_pose(&d->pose[marker->body], marker, d->model->dimension);
}

static double dot(const double *a, const double *b, int count)
{
    double sum = 0;
    for (int k = 0; k < count; k++)
        sum += a[k] * b[k];
    return sum;
}

/* ---- slips ---- */

/* Rows and slip of a place at the poses. */
static void find_slip(carom_evaluation *d, int k)
{
    const carom_model *m = d->model;
    const carom_model_rub *rub = &m->rubs[k];
    const carom_model_joint *j = &m->joints[rub->joint];
    const carom_frame_pose fi = frame_of(d, &j->i), fj = frame_of(d, &j->j);
    carom_row rows[CAROM_RUBBING_SLIPS];
    carom_rub *out = &d->rubs[k];
    const int count = j->kind->slips(j->friction.size, &fi, &fj, m->dimension, rub->place, rows);
    for (int c = 0; c < count; c++) {
        carom_rub_slip *slip = &d->slips[rub->first_slip + c];
        slip->row = rows[c];
        out->slip[c] = carom_row_between(d, &rows[c], j->i.body, j->j.body, &slip->jacobian);
    }
    out->speed = sqrt(dot(out->slip, out->slip, count));
}

void carom_dynamics_rubbing(carom_evaluation *d, const carom_state *s, const double *friction)
{
    const carom_model *m = d->model;
    d->system->rub_fault = -1;
    for (int k = 0; k < m->rub_count; k++) {
        carom_rub *rub = &d->rubs[k];
        find_slip(d, k);
        rub->state = m->rubs[k].state >= 0 ? friction + m->rubs[k].state : NULL;
        rub->stick = s->rub_stick[k];
        memcpy(rub->direction, s->rub_direction + k * CAROM_RUBBING_SLIPS, sizeof rub->direction);
    }
}

/* ---- laws ---- */

/* Direction of the slip of a place that slides. A law that holds keeps the direction in which it began where the slip
   has turned against it, in the part of a step that is thrown away: an integrator meets no jump before the root is
   located. */
static void slide_direction(const carom_rub *rub, int count, bool holds, double *out)
{
    const bool against = holds && !(dot(rub->slip, rub->direction, count) > 0);
    for (int c = 0; c < count; c++)
        out[c] = against ? rub->direction[c] : rub->speed > 0 ? rub->slip[c] / rub->speed : 0;
}

void carom_rubbing_law(const carom_evaluation *d, int k, double normal, double *force, double *rate)
{
    const carom_model_rub *place = &d->model->rubs[k];
    const carom_model_friction *friction = &d->model->joints[place->joint].friction;
    const carom_rub *rub = &d->rubs[k];
    if (!friction->law->state) {
        double direction[CAROM_RUBBING_SLIPS];
        slide_direction(rub, place->slip_count, friction->law->holds, direction);
        const double speed = friction->law->holds ? fmax(rub->speed, DBL_MIN) : rub->speed;
        const double magnitude =
            speed > 0 ? CAROM_KIND_CALL(friction->law, map, friction->constants, speed, normal) : 0;
        for (int c = 0; c < place->slip_count; c++)
            force[c] = -magnitude * direction[c];
        return;
    }
    double slip[CAROM_RUBBING_SLIPS] = {0}, state[CAROM_FRICTION_STATE] = {0};
    memcpy(slip, rub->slip, (size_t)place->slip_count * sizeof *slip);
    memcpy(state, rub->state, (size_t)friction->law->state * sizeof *state);
    const carom_friction_input in = {
        .slip = carom_v3_load(slip), .speed = rub->speed, .normal = normal, .state = state};
    carom_friction_force out = {.force = {0, 0, 0}};
    CAROM_KIND_CALL(friction->law, force, friction->constants, &in, &out);
    const double components[CAROM_RUBBING_SLIPS] = {out.force.x, out.force.y, out.force.z};
    memcpy(force, components, (size_t)place->slip_count * sizeof *force);
    if (rate)
        memcpy(rate, out.rate, (size_t)friction->law->state * sizeof *rate);
}

void carom_rubbing_finish(carom_evaluation *d)
{
    const carom_model *m = d->model;
    for (int k = 0; k < m->rub_count; k++) {
        carom_rub *rub = &d->rubs[k];
        double force[CAROM_RUBBING_SLIPS];
        rub->power = -dot(rub->friction, rub->slip, m->rubs[k].slip_count);
        if (m->rubs[k].state >= 0)
            carom_rubbing_law(d, k, rub->normal, force, d->friction_rate + m->rubs[k].state);
    }
}

carom_wrench carom_rubbing_wrench(const carom_evaluation *d, int joint)
{
    const carom_model *m = d->model;
    const carom_frame_pose f = frame_of(d, &m->joints[joint].j);
    carom_wrench w = {{0, 0, 0}, {0, 0, 0}};
    for (int k = 0; k < m->rub_count; k++)
        for (int c = 0; m->rubs[k].joint == joint && c < m->rubs[k].slip_count; c++) {
            const carom_row *row = &d->slips[m->rubs[k].first_slip + c].row;
            w.force = carom_v3_add_scaled(w.force, d->rubs[k].friction[c], row->Lj);
            w.torque = carom_v3_add_scaled(w.torque, d->rubs[k].friction[c], row->Aj);
        }
    w.torque = carom_v3_sub(w.torque, carom_v3_cross(f.arm, w.force));
    return w;
}

/* ---- stick and slip ---- */

/* A place that sticks has broken away at this multiple of the speed at which it sticks. */
#define BREAK_AWAY 2
/* A root is located within rounding of the time: the speed there is its threshold within this share. */
#define LOCATED 1e-3

static double stick_speed(const carom_model *m, int k)
{
    const carom_model_friction *friction = &m->joints[m->rubs[k].joint].friction;
    return CAROM_KIND_CALL(friction->law, stick_speed, friction->constants);
}

void carom_rubbing_roots(carom_evaluation *d, const carom_state *s, double *out)
{
    const carom_model *m = d->model;
    for (int k = 0; k < m->rub_count; k++) {
        if (m->rubs[k].root < 0)
            continue;
        find_slip(d, k);
        const double least = stick_speed(m, k);
        out[m->rubs[k].root] =
            s->rub_stick[k]
                ? BREAK_AWAY * least - d->rubs[k].speed
                : dot(d->rubs[k].slip, s->rub_direction + k * CAROM_RUBBING_SLIPS, m->rubs[k].slip_count) - least;
    }
}

void carom_rubbing_switches(carom_evaluation *d, carom_state *s, bool start)
{
    const carom_model *m = d->model;
    for (int k = 0; k < m->rub_count; k++) {
        if (m->rubs[k].root < 0)
            continue;
        find_slip(d, k);
        const carom_rub *rub = &d->rubs[k];
        double *direction = s->rub_direction + k * CAROM_RUBBING_SLIPS, least = stick_speed(m, k);
        const int count = m->rubs[k].slip_count;
        const double along = dot(rub->slip, direction, count);
        const bool slides = s->rub_stick[k] && !start ? rub->speed >= (1 - LOCATED) * BREAK_AWAY * least
                                                      : rub->speed > (1 + LOCATED) * least;
        const bool anew = s->rub_stick[k] || start || along <= (1 + LOCATED) * least;
        s->rub_stick[k] = !slides;
        for (int c = 0; slides && anew && c < count; c++)
            direction[c] = rub->slip[c] / rub->speed;
    }
}
