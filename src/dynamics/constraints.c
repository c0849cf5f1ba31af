/* Constraint rows of joints and prescribed motions, and their Jacobian in the coordinates of the formulation. */
#include "dynamics/dynamics.h"
#include "dynamics/formulation/formulation.h"
#include "kinds/joint/joint.h"

#include <float.h>
#include <math.h>

/* Where the coordinate of a joint is looked for: on a path where the poses have it, else by that among the coordinates,
   else at `near`. */
static double place_of(const carom_evaluation *d, int joint, double near)
{
    const carom_model_joint *j = &d->model->joints[joint];
    const carom_formulation *f = d->system->formulation;
    return j->kind->follow ? d->followed[j->coordinate] : f->coordinate ? f->coordinate(d, joint, near) : near;
}

carom_joint_input carom_dynamics_joint_input(const carom_evaluation *d, int joint, carom_frame_pose *i,
                                             carom_frame_pose *j)
{
    const carom_model *m = d->model;
    const carom_model_joint *of = &m->joints[joint];
    *i = carom_dynamics_frame_pose(&d->pose[of->i.body], &of->i, m->dimension);
    *j = carom_dynamics_frame_pose(&d->pose[of->j.body], &of->j, m->dimension);
    return carom_joint_input_of(of->kind, of->p, i, j, m->dimension, place_of(d, joint, 0));
}

void carom_dynamics_follow(carom_evaluation *d, const carom_state *s)
{
    const carom_model *m = d->model;
    for (int k = 0; k < m->joint_count; k++) {
        const carom_model_joint *j = &m->joints[k];
        if (!j->kind->follow)
            continue;
        const carom_frame_pose fi = carom_dynamics_frame_pose(&d->pose[j->i.body], &j->i, m->dimension);
        const carom_frame_pose fj = carom_dynamics_frame_pose(&d->pose[j->j.body], &j->j, m->dimension);
        d->followed[j->coordinate] = j->kind->follow(j->p, &fi, &fj, s->coordinate[j->coordinate] + j->zero);
    }
}

/* The row of a joint's coordinate as its kind has it. */
static void coordinate_row(const carom_evaluation *d, int joint, double near, carom_row *row)
{
    const carom_model *m = d->model;
    const carom_model_joint *j = &m->joints[joint];
    const carom_formulation *f = d->system->formulation;
    if (f->angle && f->angle(d, joint, row))
        return;
    carom_frame_pose fi = carom_dynamics_frame_pose(&d->pose[j->i.body], &j->i, m->dimension);
    carom_frame_pose fj = carom_dynamics_frame_pose(&d->pose[j->j.body], &j->j, m->dimension);
    carom_joint_coordinate(j->kind, j->p, &fi, &fj, m->dimension, place_of(d, joint, near), row);
}

double carom_dynamics_coordinate(const carom_evaluation *d, int joint, double near, carom_row *row, double *rate)
{
    const carom_model_joint *j = &d->model->joints[joint];
    coordinate_row(d, joint, near + j->zero, row);
    row->phi -= j->zero;
    const carom_body_pose *i = &d->pose[j->i.body], *k = &d->pose[j->j.body];
    *rate = carom_v3_dot(row->Li, i->v) + carom_v3_dot(row->Ai, i->w) + carom_v3_dot(row->Lj, k->v) +
            carom_v3_dot(row->Aj, k->w);
    return row->phi;
}

/* World coordinate of a driven point, or the planar angle. */
static void body_motion_row(const carom_evaluation *d, const carom_constraint_block *e, carom_row *row)
{
    carom_frame_pose f = carom_dynamics_frame_pose(&d->pose[e->object], &e->marker, d->model->dimension);
    *row = (carom_row){0};
    if (e->axis == 3) {
        row->Aj.z = 1;
        row->phi = d->pose[e->object].angle;
        return;
    }
    carom_vec3 axis = carom_v3(e->axis == 0, e->axis == 1, e->axis == 2);
    row->Lj = axis;
    row->Aj = carom_v3_cross(f.arm, axis);
    row->phi = carom_v3_dot(axis, f.p);
    row->gamma = -carom_v3_dot(axis, f.centripetal);
}

/* The coordinate of a joint that an event holds; without it a row of zeros, which the solve leaves out. */
static void lock_row(carom_evaluation *d, const carom_state *s, const carom_constraint_block *e)
{
    const int r = e->first_row;
    double unused;
    d->row_rate[r] = d->row_acceleration[r] = 0;
    d->idle[r] = !s->locked[e->lock];
    if (d->idle[r]) {
        d->rows[r] = (carom_row){0};
        return;
    }
    carom_dynamics_coordinate(d, e->object, s->lock_value[e->lock], &d->rows[r], &unused);
    d->rows[r].phi -= s->lock_value[e->lock];
}

/* Without a motor that computes its effort, as positions and velocities see it, a row of zeros. */
static void computed_row(carom_evaluation *d, const carom_constraint_block *e)
{
    const int r = e->first_row;
    d->row_rate[r] = d->row_acceleration[r] = 0;
    d->rows[r] = (carom_row){0};
    d->idle[r] = true;
}

/* The coordinate of a joint with armature; nothing of it is violated. */
static void armature_row(carom_evaluation *d, const carom_constraint_block *e)
{
    const int r = e->first_row;
    d->row_acceleration[r] = 0;
    carom_dynamics_coordinate(d, e->object, 0, &d->rows[r], &d->row_rate[r]);
    d->rows[r].phi = 0;
}

static carom_row scaled(double factor, const carom_row *row)
{
    return (carom_row){.Li = carom_v3_scale(factor, row->Li),
                       .Ai = carom_v3_scale(factor, row->Ai),
                       .Lj = carom_v3_scale(factor, row->Lj),
                       .Aj = carom_v3_scale(factor, row->Aj)};
}

/* An expression of coordinates and t: its rate is that of t where they rest, and grows by the slope of the one that
   moves. Returns the rate at rest. */
static double related(carom_evaluation *d, const carom_state *s, const carom_model_joint *joint, int count,
                      const double *coordinate, const double *rate, double t, carom_coupled_row *out)
{
    for (int k = 0; k < count; k++)
        d->measure_jets[joint->relation_slot[k]] = (carom_jet){coordinate[k], rate[k], 0};
    const carom_jet moving = carom_dynamics_jet(d, s, joint->relation, t);
    for (int k = 0; k < count; k++)
        d->measure_jets[joint->relation_slot[k]].rate = 0;
    const double rest = carom_dynamics_jet(d, s, joint->relation, t).rate;
    *out = (carom_coupled_row){.phi = moving.value, .bend = d->system->at_rest ? 0 : moving.acceleration};
    for (int k = 0; k < count; k++) {
        carom_jet *own = &d->measure_jets[joint->relation_slot[k]];
        own->rate = 1;
        out->slope[k] = carom_dynamics_jet(d, s, joint->relation, t).rate - rest;
        own->rate = 0;
    }
    return d->system->at_rest ? 0 : rest;
}

/* The related coordinates with their rows and rates, in the order of the joint; returns how many there are. */
static int related_coordinates(carom_evaluation *d, const carom_state *s, const carom_constraint_block *e,
                               carom_row *row, double *coordinate, double *rate)
{
    const int count = e->other_count / 2 + 1;
    for (int k = 0; k < count; k++) {
        const int of = d->model->joints[e->object].coupled[k];
        const double near = s->coordinate[d->model->joints[of].coordinate];
        coordinate[k] = carom_dynamics_coordinate(d, of, near, &row[k], &rate[k]);
    }
    return count;
}

double carom_dynamics_relation(carom_evaluation *d, const carom_state *s, const carom_constraint_block *e, double t,
                               carom_coupled_row *out)
{
    carom_row row[CAROM_COUPLED_JOINTS];
    double coordinate[CAROM_COUPLED_JOINTS], rate[CAROM_COUPLED_JOINTS];
    const int count = related_coordinates(d, s, e, row, coordinate, rate);
    return related(d, s, &d->model->joints[e->object], count, coordinate, rate, t, out);
}

/* phi(c0, c1, ...) = 0: J = sum of fk Jk, and phi'' = sum of fk ck'' + bend, where ck'' = Jk a - gammak. */
static void coupled_row(carom_evaluation *d, const carom_state *s, const carom_constraint_block *e, double t)
{
    const carom_model_joint *joint = &d->model->joints[e->object];
    carom_row row[CAROM_COUPLED_JOINTS], *out = &d->rows[e->first_row];
    double coordinate[CAROM_COUPLED_JOINTS] = {0}, rate[CAROM_COUPLED_JOINTS] = {0};
    const int last = related_coordinates(d, s, e, row, coordinate, rate) - 1;
    carom_coupled_row coupled;
    double gamma = 0;
    d->row_rate[e->first_row] = d->row_acceleration[e->first_row] = 0;
    if (joint->relation >= 0)
        d->row_rate[e->first_row] = -related(d, s, joint, last + 1, coordinate, rate, t, &coupled);
    else
        CAROM_KIND_CALL(joint->kind, couple, joint->p, coordinate, rate, &coupled);
    for (int k = 0; k <= last; k++) {
        *(k < last ? &d->other_rows[e->first_other + k] : out) = scaled(coupled.slope[k], &row[k]);
        gamma += coupled.slope[k] * row[k].gamma;
    }
    out->phi = coupled.phi;
    out->gamma = gamma - coupled.bend;
}

carom_jet carom_dynamics_motion(carom_evaluation *d, const carom_state *s, const carom_constraint_block *e, double t)
{
    const carom_motion_def *given = d->system->motions ? &d->system->motions[e->drive] : NULL;
    carom_jet motion;
    if (given && given->at)
        given->at(given->user, t, &motion.value, &motion.rate, &motion.acceleration);
    else
        motion = carom_dynamics_jet(d, s, e->expr, t);
    if (d->system->at_rest)
        motion.rate = motion.acceleration = 0;
    return motion;
}

void carom_dynamics_block(carom_evaluation *d, const carom_state *s, const carom_constraint_block *e, double t)
{
    const carom_model *m = d->model;
    carom_row *rows = d->rows + e->first_row;
    double *rate = d->row_rate + e->first_row, *acceleration = d->row_acceleration + e->first_row;
    if (e->other_count) {
        coupled_row(d, s, e, t);
        return;
    }
    if (e->type == CAROM_BLOCK_JOINT) {
        const carom_model_joint *j = &m->joints[e->object];
        carom_frame_pose fi = carom_dynamics_frame_pose(&d->pose[j->i.body], &j->i, m->dimension);
        carom_frame_pose fj = carom_dynamics_frame_pose(&d->pose[j->j.body], &j->j, m->dimension);
        carom_joint_rows(j->kind, j->p, &fi, &fj, m->dimension,
                         j->coordinate < 0 ? 0 : place_of(d, e->object, s->coordinate[j->coordinate] + j->zero), rows);
        for (int r = 0; r < e->row_count; r++)
            rate[r] = acceleration[r] = 0;
        return;
    }
    if (e->type == CAROM_BLOCK_LOCK) {
        lock_row(d, s, e);
        return;
    }
    if (e->type == CAROM_BLOCK_COMPUTED) {
        computed_row(d, e);
        return;
    }
    if (e->type == CAROM_BLOCK_ARMATURE) {
        armature_row(d, e);
        return;
    }
    const carom_jet motion = carom_dynamics_motion(d, s, e, t);
    if (e->type == CAROM_BLOCK_JOINT_MOTION) {
        double unused;
        carom_dynamics_coordinate(d, e->object, motion.value, rows, &unused);
    } else
        body_motion_row(d, e, rows);
    rows->phi -= motion.value;
    *rate = motion.rate;
    *acceleration = motion.acceleration;
}

static void add_reactions(const carom_evaluation *d, int first, int count, const double *multipliers, carom_wrench *w)
{
    for (int r = first; r < first + count; r++) {
        w->force = carom_v3_add_scaled(w->force, multipliers[r], d->rows[r].Lj);
        w->torque = carom_v3_add_scaled(w->torque, multipliers[r], d->rows[r].Aj);
    }
}

carom_wrench carom_dynamics_reaction(const carom_evaluation *d, int joint, const double *multipliers, bool motion)
{
    const carom_model *m = d->model;
    const carom_model_joint *j = &m->joints[joint];
    carom_wrench w = {{0, 0, 0}, {0, 0, 0}};
    add_reactions(d, j->first_row, j->clearance.rows, multipliers, &w);
    for (int k = 0; motion && k < m->block_count; k++) {
        const carom_constraint_block *e = &m->blocks[k];
        const bool holds = e->type == CAROM_BLOCK_JOINT_MOTION || e->type == CAROM_BLOCK_LOCK;
        if (holds && (e->object == joint || m->joints[e->object].of == joint))
            add_reactions(d, e->first_row, e->row_count, multipliers, &w);
    }
    carom_frame_pose f = carom_dynamics_frame_pose(&d->pose[j->j.body], &j->j, m->dimension);
    w.torque = carom_v3_sub(w.torque, carom_v3_cross(f.arm, w.force));
    return w;
}

double carom_row_acceleration(const carom_evaluation *d, const carom_row *row, int body_i, int body_j)
{
    const carom_body_acceleration i = d->system->formulation->body_acceleration(d, body_i);
    const carom_body_acceleration j = d->system->formulation->body_acceleration(d, body_j);
    return carom_v3_dot(row->Li, i.linear) + carom_v3_dot(row->Ai, i.angular) + carom_v3_dot(row->Lj, j.linear) +
           carom_v3_dot(row->Aj, j.angular);
}

double carom_row_between(const carom_evaluation *d, const carom_row *row, int body_i, int body_j,
                         carom_jacobian_row *out)
{
    const carom_row_entry entries[2] = {{body_i, &row->Li, &row->Ai}, {body_j, &row->Lj, &row->Aj}};
    return d->system->formulation->row(d, entries, 2, out);
}

/* Of coupled joints: the last one's bodies, then those of the others. */
static double coupled_jacobian(const carom_evaluation *d, const carom_constraint_block *e, int r,
                               carom_jacobian_row *out)
{
    const carom_row *last = &d->rows[r];
    carom_row_entry entries[CAROM_ROW_BODIES] = {{e->body_i, &last->Li, &last->Ai}, {e->body_j, &last->Lj, &last->Aj}};
    for (int k = 0; k < e->other_count; k += 2) {
        const carom_row *other = &d->other_rows[e->first_other + k / 2];
        entries[2 + k] = (carom_row_entry){e->others[k], &other->Li, &other->Ai};
        entries[3 + k] = (carom_row_entry){e->others[k + 1], &other->Lj, &other->Aj};
    }
    return d->system->formulation->row(d, entries, carom_block_sides(e), out);
}

double carom_block_row(const carom_evaluation *d, const carom_constraint_block *e, int r, carom_jacobian_row *out)
{
    return e->other_count ? coupled_jacobian(d, e, r, out)
                          : carom_row_between(d, &d->rows[r], e->body_i, e->body_j, out);
}

void carom_block_entries(const carom_evaluation *d, const carom_constraint_block *e, int r, double *a)
{
    const carom_formulation *formulation = d->system->formulation;
    formulation->row_entries(d, &d->rows[r], e->body_i, e->body_j, a);
    for (int k = 0; k < e->other_count; k += 2)
        formulation->row_entries(d, &d->other_rows[e->first_other + k / 2], e->others[k], e->others[k + 1], a);
}

static void fill_jacobian(carom_evaluation *d, const carom_constraint_block *e)
{
    const int end = e->first_row + e->row_count;
    if (e->other_count) {
        for (int r = e->first_row; r < end; r++)
            d->phi_rate[r] = coupled_jacobian(d, e, r, &d->jacobian[r]) - d->row_rate[r];
        return;
    }
    double (*const jacobian_row)(const carom_evaluation *, const carom_row_entry *, int, carom_jacobian_row *) =
        d->system->formulation->row;
    carom_row_entry entries[2] = {{.body = e->body_i}, {.body = e->body_j}};
    for (int r = e->first_row; r < end; r++) {
        const carom_row *row = &d->rows[r];
        entries[0].linear = &row->Li;
        entries[0].angular = &row->Ai;
        entries[1].linear = &row->Lj;
        entries[1].angular = &row->Aj;
        d->phi_rate[r] = jacobian_row(d, entries, 2, &d->jacobian[r]) - d->row_rate[r];
    }
}

bool carom_row_is_angle(const carom_row *row)
{
    const carom_vec3 *i = &row->Li, *j = &row->Lj;
    return i->x == 0 && i->y == 0 && i->z == 0 && j->x == 0 && j->y == 0 && j->z == 0;
}

double carom_row_violation(const carom_evaluation *d, int r)
{
    return fabs(d->rows[r].phi) / (carom_row_is_angle(&d->rows[r]) ? 1 : d->model->length_scale);
}

/* Units of rounding of the positions that a constraint row may be made of. */
#define ROUNDING_OF_ROWS 10

double carom_row_rounding(const carom_evaluation *d, bool turns)
{
    double size = 1;
    for (int body = 1; body <= d->model->body_count; body++) {
        const carom_body_pose *pose = &d->pose[body];
        size = fmax(size, fmax(carom_v3_norm(pose->p) / d->model->length_scale, turns ? fabs(pose->angle) : 0));
    }
    return ROUNDING_OF_ROWS * DBL_EPSILON * size;
}

double carom_step_shorten(const carom_evaluation *d, double *step)
{
    const carom_system *system = d->system;
    double longest = 1;
    for (int body = 1; body <= d->model->body_count; body++) {
        const carom_body_acceleration moves = system->formulation->body_change(d, step, body);
        longest = fmax(longest, carom_v3_norm(moves.linear) / d->model->length_scale);
        longest = fmax(longest, carom_v3_norm(moves.angular));
    }
    for (int k = 0; longest > 1 && k < d->model->body_count * carom_twist_size(d->model); k++)
        step[k] /= longest;
    return 1 / longest;
}

int carom_dynamics_active_rows(const carom_evaluation *d)
{
    int count = carom_model_hard_rows(d->model);
    for (int r = 0; d->idle && r < d->model->row_count; r++)
        count -= d->idle[r];
    return count;
}

void carom_dynamics_turn_inertias(carom_evaluation *d, int first, int end)
{
    const carom_model *m = d->model;
    for (int body = first + 1; body <= end && m->dimension == 3 && !d->system->isotropic; body++) {
        const carom_model_body *b = &m->bodies[body];
        if (b->isotropic)
            continue;
        carom_mat3 half = carom_m3_multiply(&d->pose[body].axes, &b->inverse_inertia), turned;
        const carom_mat3 *r = &d->pose[body].axes;
        for (int i = 0; i < 3; i++)
            for (int k = 0; k <= i; k++)
                turned.m[i][k] = turned.m[k][i] =
                    half.m[i][0] * r->m[k][0] + half.m[i][1] * r->m[k][1] + half.m[i][2] * r->m[k][2];
        d->inverse_inertia[body] = turned;
    }
}

static bool needs_all(const carom_evaluation *d)
{
    const carom_formulation *f = d->system->formulation;
    return !f->needs_rows || f->needs_rows(d->system);
}

bool carom_dynamics_leaves_out(const carom_evaluation *d, int block)
{
    return d->model->tree.kept && d->model->tree.kept[block] && !needs_all(d);
}

void carom_dynamics_constraints(carom_evaluation *d, const carom_state *s, double t)
{
    const carom_model *m = d->model;
    const bool all = needs_all(d);
    if (all)
        carom_dynamics_turn_inertias(d, 0, m->body_count);
    for (int k = 0; k < m->block_count; k++) {
        const carom_constraint_block *e = &m->blocks[k];
        if (!all && m->tree.kept[k])
            continue;
        carom_dynamics_block(d, s, e, t);
        fill_jacobian(d, e);
        if (e->type == CAROM_BLOCK_ARMATURE)
            d->phi_rate[e->first_row] = 0;
    }
}

double carom_dynamics_armature_energy(const carom_evaluation *d)
{
    const carom_constraint_block *e = carom_model_armatures(d->model);
    double sum = 0, rate;
    carom_row row;
    for (int k = 0; k < d->model->armature_count; k++) {
        carom_dynamics_coordinate(d, e[k].object, 0, &row, &rate);
        sum += 0.5 * e[k].armature * rate * rate;
    }
    return sum;
}
