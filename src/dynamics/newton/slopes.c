/* Derivatives of elements: what they share, bodies and constraint blocks. */
#include "dynamics/newton/newton.h"

#include <math.h>
#include <string.h>

/* ---- what they share ---- */

int carom_slopes_place(const carom_newton *nt, const carom_slopes *e, int body)
{
    for (int b = 0; b < e->body_count; b++)
        if (e->body[b] == body)
            return b * nt->width;
    return -1;
}

void carom_slopes_add_wrench(const carom_newton *nt, const carom_slopes *e, int body, const carom_wrench *w,
                             double *out)
{
    const int at = carom_slopes_place(nt, e, body);
    if (at < 0)
        return;
    out[at] += w->force.x;
    out[at + 1] += w->force.y;
    if (nt->width == 3) {
        out[at + 2] += w->torque.z;
        return;
    }
    out[at + 2] += w->force.z;
    out[at + 3] += w->torque.x;
    out[at + 4] += w->torque.y;
    out[at + 5] += w->torque.z;
}

/* One component of a vector. */
static void add_to(carom_vec3 *v, int k, double h)
{
    *v = carom_v3_add_scaled(*v, h, carom_v3(k == 0, k == 1, k == 2));
}

carom_body_pose carom_slopes_moved(const carom_body_pose *pose, int dimension, int coordinate, double h)
{
    carom_body_pose out = *pose;
    const int half = dimension == 2 ? 3 : 6;
    const bool twist = coordinate >= half;
    const int k = coordinate % half;
    if (k < dimension) {
        add_to(twist ? &out.v : &out.p, k, h);
        return out;
    }
    const int axis = dimension == 2 ? 2 : k - 3;
    if (twist) {
        add_to(&out.w, axis, h);
        return out;
    }
    const carom_mat3 turn =
        carom_quat_matrix(carom_quat_from_rotation(carom_v3(axis == 0 ? h : 0, axis == 1 ? h : 0, axis == 2 ? h : 0)));
    out.axes = carom_m3_multiply(&turn, &pose->axes);
    out.angle += dimension == 2 ? h : 0;
    return out;
}

/* Shares of the size and speed of the model by which elements are varied: rounding and curvature both stay below
   1e-9. */
#define STEP 1.5e-6

carom_slope_steps carom_slopes_steps(const carom_newton *nt)
{
    const double length = nt->model->length_scale, speed = nt->model->speed_scale;
    return (carom_slope_steps){STEP * length, STEP, STEP * speed, STEP * speed / length};
}

double *carom_slopes_column(const carom_newton *nt, const carom_slopes *e, int column)
{
    return e->d + (size_t)(e->body_count * 2 * nt->width + column) * (size_t)e->height;
}

/* (high - low)/(2 h) into a column. */
static void store_difference(const carom_newton *nt, const carom_slopes *e, double h, double *column)
{
    for (int r = 0; r < e->height; r++)
        column[r] = (nt->high[r] - nt->low[r]) / (2 * h);
}

void carom_slopes_vary_bodies(carom_newton *nt, carom_slopes *e, carom_slopes_values values,
                              const carom_slope_steps *steps)
{
    const int dimension = nt->model->dimension;
    const size_t bytes = (size_t)e->height * sizeof(double);
    for (int b = 0; b < e->body_count; b++) {
        carom_body_pose *pose = &nt->at->pose[e->body[b]];
        const carom_body_pose kept = *pose;
        for (int k = 0; k < 2 * nt->width; k++) {
            const bool turn = k % nt->width >= dimension;
            const double h = k < nt->width ? (turn ? steps->angle : steps->length) : turn ? steps->spin : steps->speed;
            memset(nt->low, 0, bytes);
            memset(nt->high, 0, bytes);
            *pose = carom_slopes_moved(&kept, dimension, k, -h);
            values(nt, e, nt->low);
            *pose = carom_slopes_moved(&kept, dimension, k, h);
            values(nt, e, nt->high);
            store_difference(nt, e, h, e->d + (size_t)(b * 2 * nt->width + k) * (size_t)e->height);
        }
        *pose = kept;
    }
}

void carom_slopes_vary(carom_newton *nt, carom_slopes *e, carom_slopes_values values, int column, double *x, double h)
{
    const size_t bytes = (size_t)e->height * sizeof(double);
    const double kept = *x;
    memset(nt->low, 0, bytes);
    memset(nt->high, 0, bytes);
    *x = kept - h;
    values(nt, e, nt->low);
    *x = kept + h;
    values(nt, e, nt->high);
    *x = kept;
    store_difference(nt, e, h, carom_slopes_column(nt, e, column));
}

/* ---- bodies: inertia in space, forces of the caller ---- */

static void store_torque(const carom_slopes *e, int column, carom_vec3 torque)
{
    double *d = e->d + (size_t)column * (size_t)e->height;
    d[3] += torque.x;
    d[4] += torque.y;
    d[5] += torque.z;
}

/* I v in world axes. */
static carom_vec3 inertia_times(const carom_newton *nt, int body, carom_vec3 v)
{
    const carom_mat3 *axes = &nt->at->pose[body].axes;
    return carom_m3_apply(axes, carom_m3_apply(&nt->model->bodies[body].inertia, carom_m3_apply_t(axes, v)));
}

/* Of -(I alpha + w x I w): by a turn t the change of I v is t x I v - I (t x v). */
static void add_inertia(carom_newton *nt, carom_slopes *e)
{
    const int body = e->object;
    const carom_vec3 w = nt->at->pose[body].w;
    const carom_vec3 alpha = nt->system->formulation->body_acceleration(nt->at, body).angular;
    const carom_vec3 moment = inertia_times(nt, body, w), rate = inertia_times(nt, body, alpha);
    for (int k = 0; k < 3; k++) {
        const carom_vec3 t = carom_v3(k == 0, k == 1, k == 2);
        const carom_vec3 of_rate =
            carom_v3_sub(carom_v3_cross(t, rate), inertia_times(nt, body, carom_v3_cross(t, alpha)));
        const carom_vec3 of_moment =
            carom_v3_sub(carom_v3_cross(t, moment), inertia_times(nt, body, carom_v3_cross(t, w)));
        store_torque(e, 3 + k, carom_v3_neg(carom_v3_add(of_rate, carom_v3_cross(w, of_moment))));
        store_torque(e, 9 + k,
                     carom_v3_neg(carom_v3_add(carom_v3_cross(t, moment),
                                               carom_v3_cross(w, inertia_times(nt, body, t)))));
    }
}

/* Of a force of the caller: it turns with the body, or its arm alone does; and of its power, the last row. */
static void add_applied(carom_newton *nt, carom_slopes *e, const carom_applied *a)
{
    const carom_body_pose *pose = &nt->at->pose[a->body];
    const carom_vec3 force = a->turns ? carom_m3_apply(&pose->axes, a->force) : a->force;
    const carom_vec3 torque = a->turns ? carom_m3_apply(&pose->axes, a->torque) : a->torque;
    const carom_vec3 arm = carom_m3_apply(&pose->axes, a->point), none = {0, 0, 0};
    const int dimension = nt->model->dimension;
    for (int k = 0; k < 2 * nt->width; k++) {
        const bool turns = k % nt->width >= dimension, twist = k >= nt->width;
        const int axis = turns ? (dimension == 2 ? 2 : k % nt->width - 3) : k % nt->width;
        const carom_vec3 t = carom_v3(axis == 0, axis == 1, axis == 2);
        double *column = e->d + (size_t)k * (size_t)e->height;
        double *power = e->row_count ? column + nt->width : NULL;
        if (twist && power)
            *power += turns ? carom_v3_dot(force, carom_v3_cross(t, arm)) + carom_v3_dot(torque, t)
                            : carom_v3_dot(force, t);
        if (twist || !turns)
            continue;
        const carom_vec3 of_force = a->turns ? carom_v3_cross(t, force) : none, of_arm = carom_v3_cross(t, arm);
        const carom_vec3 of_torque = a->turns ? carom_v3_cross(t, torque) : none;
        const carom_wrench change = {of_force, carom_v3_add(of_torque, carom_v3_add(carom_v3_cross(of_arm, force),
                                                                                  carom_v3_cross(arm, of_force)))};
        carom_slopes_add_wrench(nt, e, a->body, &change, column);
        if (power)
            *power += carom_v3_dot(of_force, carom_v3_add(pose->v, carom_v3_cross(pose->w, arm))) +
                      carom_v3_dot(force, carom_v3_cross(pose->w, of_arm)) + carom_v3_dot(of_torque, pose->w);
    }
}

void carom_slopes_fill_body(carom_newton *nt, carom_slopes *e)
{
    const carom_system *sys = nt->system;
    const bool gyroscopic = nt->width == 6 && !nt->model->bodies[e->object].isotropic;
    e->on = gyroscopic;
    memset(e->d, 0, (size_t)(2 * nt->width * e->height) * sizeof *e->d);
    if (gyroscopic)
        add_inertia(nt, e);
    for (size_t k = 0; k < sys->applied_count; k++) {
        if (sys->applied[k].body != e->object)
            continue;
        e->on = true;
        add_applied(nt, e, &sys->applied[k]);
    }
}

/* ---- constraint blocks: J^T lambda, and what its accelerations miss, gamma - correction - J a ---- */

static void block_values(carom_newton *nt, const carom_slopes *e, double *out)
{
    carom_evaluation *d = nt->at;
    const carom_constraint_block *block = &nt->model->blocks[e->object];
    const carom_stabilization_kind *kind = nt->system->stabilization;
    carom_dynamics_block(d, nt->state, block, nt->time);
    for (int r = 0; r < block->row_count; r++) {
        const carom_row *row = &d->rows[block->first_row + r];
        const double lambda = d->multipliers[block->first_row + r];
        double rate = -d->row_rate[block->first_row + r], missed = row->gamma;
        for (int side = 0; side < carom_block_sides(block); side++) {
            const int body = carom_block_body(block, side);
            const carom_row *of = side < 2 ? row : &d->other_rows[block->first_other + side / 2 - 1];
            const carom_vec3 linear = side % 2 ? of->Lj : of->Li, angular = side % 2 ? of->Aj : of->Ai;
            const carom_body_acceleration a = nt->system->formulation->body_acceleration(d, body);
            const carom_wrench wrench = {carom_v3_scale(lambda, linear), carom_v3_scale(lambda, angular)};
            if (body)
                carom_slopes_add_wrench(nt, e, body, &wrench, out);
            rate += carom_v3_dot(linear, d->pose[body].v) + carom_v3_dot(angular, d->pose[body].w);
            missed -= carom_v3_dot(linear, a.linear) + carom_v3_dot(angular, a.angular);
        }
        if (kind && kind->correction)
            missed -= CAROM_KIND_CALL(kind, correction, nt->system->stabilization_params, row->phi, rate);
        out[e->body_count * nt->width + r] = missed;
    }
}

void carom_slopes_fill_block(carom_newton *nt, carom_slopes *e)
{
    const carom_constraint_block *block = &nt->model->blocks[e->object];
    const carom_slope_steps steps = carom_slopes_steps(nt);
    e->on = !(nt->at->idle && nt->at->idle[block->first_row]);
    if (!e->on)
        return;
    carom_slopes_vary_bodies(nt, e, block_values, &steps);
    carom_dynamics_block(nt->at, nt->state, block, nt->time);
    if (e->column_count) {
        double *column = carom_slopes_column(nt, e, 0);
        memset(column, 0, (size_t)e->height * sizeof *column);
        column[e->height - 1] = nt->at->row_rate[block->first_row];
    }
}
