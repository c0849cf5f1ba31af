/* Friction of ideal joints at one instant: slips, laws, work, stick and slip. The forces are found in
   active_set.c. */
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

void carom_joint_friction_slip(carom_evaluation *d, int k)
{
    const carom_model *m = d->model;
    const carom_model_friction_site *site = &m->sites[k];
    const carom_model_joint *j = &m->joints[site->joint];
    carom_frame_pose fi, fj;
    const carom_joint_input in = carom_dynamics_joint_input(d, site->joint, &fi, &fj);
    carom_row rows[CAROM_FRICTION_SLIPS];
    carom_friction_site *out = &d->sites[k];
    const int count = j->kind->friction->slips(j->kind->user, j->friction.size, &in, site->place, rows);
    for (int c = 0; c < count; c++) {
        carom_friction_slip *slip = &d->slips[site->first_slip + c];
        slip->row = rows[c];
        out->slip[c] = carom_row_between(d, &rows[c], j->i.body, j->j.body, &slip->jacobian);
    }
    out->speed = sqrt(dot(out->slip, out->slip, count));
}

void carom_dynamics_joint_friction(carom_evaluation *d, const carom_state *s, const double *friction)
{
    const carom_model *m = d->model;
    d->system->friction_fault = -1;
    for (int k = 0; k < m->site_count; k++) {
        carom_friction_site *site = &d->sites[k];
        carom_joint_friction_slip(d, k);
        site->state = m->sites[k].state >= 0 ? friction + m->sites[k].state : NULL;
        site->stick = s->site_stick[k] == CAROM_STICKING;
        site->parting = s->site_stick[k] == CAROM_BREAKING_AWAY;
        site->spare = 1;
        memcpy(site->direction, s->site_direction + k * CAROM_FRICTION_SLIPS, sizeof site->direction);
    }
}

/* ---- thresholds ---- */

/* A site that sticks has broken away at this multiple of the speed at which it sticks. */
#define BREAK_AWAY 2
/* The same of one whose friction drops, if no force has broken it away. */
#define SLIPPED 100
/* Share of the greatest force by which the one that is needed exceeds it where friction drops as it breaks away. */
#define EXCESS 1e-9
/* A root is located within rounding of the time: the speed there is its threshold within this share. */
#define LOCATED 1e-3

static double stick_speed(const carom_model *m, int k)
{
    const carom_model_friction *friction = &m->joints[m->sites[k].joint].friction;
    return CAROM_KIND_CALL(friction->law, stick_speed, friction->constants);
}

/* Whether friction is less as soon as it slides: a site that sticks breaks away at the force that exceeds it. */
static bool drops(const carom_model *m, int k)
{
    const carom_model_friction *f = &m->joints[m->sites[k].joint].friction;
    return f->law->set_valued && CAROM_KIND_CALL(f->law, map, f->constants, 0, 1) >
                                     (1 + 1e-9) * CAROM_KIND_CALL(f->law, map, f->constants,
                                                                  BREAK_AWAY * stick_speed(m, k), 1);
}

bool carom_joint_friction_breaks(const carom_model *m, const carom_state *s)
{
    for (int k = 0; k < m->site_count; k++)
        if (m->sites[k].root >= 0 && s->site_stick[k] == CAROM_STICKING && drops(m, k))
            return true;
    return false;
}

/* ---- laws ---- */

/* Direction of the slip of a site that slides. A law that holds keeps the direction in which it began where the slip
   has turned against it, in the part of a step that is thrown away: an integrator meets no jump before the root is
   located; one that breaks away has it until its slip has begun. */
static void slide_direction(const carom_friction_site *site, int count, bool holds, double *out)
{
    const bool against = holds && (site->parting || !(dot(site->slip, site->direction, count) > 0));
    for (int c = 0; c < count; c++)
        out[c] = against ? site->direction[c] : site->speed > 0 ? site->slip[c] / site->speed : 0;
}

void carom_joint_friction_law(const carom_evaluation *d, int k, double normal, double *force, double *rate)
{
    const carom_model_friction_site *of = &d->model->sites[k];
    const carom_model_friction *friction = &d->model->joints[of->joint].friction;
    const carom_friction_site *site = &d->sites[k];
    if (!friction->law->state) {
        double direction[CAROM_FRICTION_SLIPS];
        slide_direction(site, of->slip_count, friction->law->set_valued, direction);
        const double least = site->parting ? BREAK_AWAY * stick_speed(d->model, k) : DBL_MIN;
        const double speed = friction->law->set_valued ? fmax(site->speed, least) : site->speed;
        const double magnitude =
            speed > 0 ? CAROM_KIND_CALL(friction->law, map, friction->constants, speed, normal) : 0;
        for (int c = 0; c < of->slip_count; c++)
            force[c] = -magnitude * direction[c];
        return;
    }
    double slip[CAROM_FRICTION_SLIPS] = {0}, state[CAROM_FRICTION_STATE] = {0};
    memcpy(slip, site->slip, (size_t)of->slip_count * sizeof *slip);
    memcpy(state, site->state, (size_t)friction->law->state * sizeof *state);
    const carom_friction_input in = {
        .slip = carom_v3_load(slip), .speed = site->speed, .normal = normal, .state = state};
    carom_friction_force out = {.force = {0, 0, 0}};
    CAROM_KIND_CALL(friction->law, force, friction->constants, &in, &out);
    const double components[CAROM_FRICTION_SLIPS] = {out.force.x, out.force.y, out.force.z};
    memcpy(force, components, (size_t)of->slip_count * sizeof *force);
    if (rate)
        memcpy(rate, out.rate, (size_t)friction->law->state * sizeof *rate);
}

void carom_joint_friction_finish(carom_evaluation *d)
{
    const carom_model *m = d->model;
    for (int k = 0; k < m->site_count; k++) {
        carom_friction_site *site = &d->sites[k];
        double force[CAROM_FRICTION_SLIPS];
        site->power = -dot(site->friction, site->slip, m->sites[k].slip_count);
        if (m->sites[k].state >= 0)
            carom_joint_friction_law(d, k, site->normal, force, d->friction_rate + m->sites[k].state);
    }
}

carom_wrench carom_joint_friction_wrench(const carom_evaluation *d, int joint)
{
    const carom_model *m = d->model;
    const carom_frame_pose f = frame_of(d, &m->joints[joint].j);
    carom_wrench w = {{0, 0, 0}, {0, 0, 0}};
    for (int k = 0; k < m->site_count; k++)
        for (int c = 0; m->sites[k].joint == joint && c < m->sites[k].slip_count; c++) {
            const carom_row *row = &d->slips[m->sites[k].first_slip + c].row;
            w.force = carom_v3_add_scaled(w.force, d->sites[k].friction[c], row->Lj);
            w.torque = carom_v3_add_scaled(w.torque, d->sites[k].friction[c], row->Aj);
        }
    w.torque = carom_v3_sub(w.torque, carom_v3_cross(f.arm, w.force));
    return w;
}

/* ---- stick and slip ---- */

void carom_joint_friction_roots(carom_evaluation *d, const carom_state *s, double *out)
{
    const carom_model *m = d->model;
    for (int k = 0; k < m->site_count; k++) {
        if (m->sites[k].root < 0)
            continue;
        carom_joint_friction_slip(d, k);
        const carom_friction_site *site = &d->sites[k];
        const double least = stick_speed(m, k);
        const double along = dot(site->slip, s->site_direction + k * CAROM_FRICTION_SLIPS, m->sites[k].slip_count);
        double *root = &out[m->sites[k].root];
        if (s->site_stick[k] == CAROM_STICKING)
            *root = drops(m, k) ? fmin(site->spare + EXCESS, SLIPPED - site->speed / least)
                                : BREAK_AWAY * least - site->speed;
        else
            *root = s->site_stick[k] == CAROM_BREAKING_AWAY ? BREAK_AWAY * least - fabs(along) : along - least;
    }
}

double carom_joint_friction_left(const carom_evaluation *d, int k) { return d->sites[k].spare + EXCESS; }

void carom_joint_friction_part(const carom_evaluation *d, carom_state *s)
{
    const carom_model *m = d->model;
    for (int k = 0; k < m->site_count; k++) {
        const carom_friction_site *site = &d->sites[k];
        const int count = m->sites[k].slip_count;
        const double force = sqrt(dot(site->friction, site->friction, count));
        if (m->sites[k].root < 0 || s->site_stick[k] != CAROM_STICKING || !drops(m, k) ||
            !(site->spare <= -0.5 * EXCESS) || !(force > 0))
            continue;
        s->site_stick[k] = CAROM_BREAKING_AWAY; /* the slip that is to begin is against the force that has held */
        for (int c = 0; c < count; c++)
            s->site_direction[k * CAROM_FRICTION_SLIPS + c] = -site->friction[c] / force;
    }
}

void carom_joint_friction_switches(carom_evaluation *d, carom_state *s, bool start)
{
    const carom_model *m = d->model;
    for (int k = 0; k < m->site_count; k++) {
        if (m->sites[k].root < 0)
            continue;
        carom_joint_friction_slip(d, k);
        const carom_friction_site *site = &d->sites[k];
        double *direction = s->site_direction + k * CAROM_FRICTION_SLIPS, least = stick_speed(m, k);
        const int count = m->sites[k].slip_count, was = s->site_stick[k];
        const double along = dot(site->slip, direction, count);
        if (was == CAROM_BREAKING_AWAY && !start) {
            if (fabs(along) >= (1 - LOCATED) * BREAK_AWAY * least)
                s->site_stick[k] = along > 0 ? CAROM_SLIPPING : CAROM_STICKING;
            continue;
        }
        const bool stuck = was == CAROM_STICKING && !start;
        const double most = stuck ? (1 - LOCATED) * (drops(m, k) ? SLIPPED : BREAK_AWAY) : 1 + LOCATED;
        const bool slides = stuck ? site->speed >= most * least : site->speed > most * least;
        const bool begins = was == CAROM_STICKING || start || along <= (1 + LOCATED) * least;
        s->site_stick[k] = slides ? CAROM_SLIPPING : CAROM_STICKING;
        for (int c = 0; slides && begins && c < count; c++)
            direction[c] = site->slip[c] / site->speed;
    }
}
