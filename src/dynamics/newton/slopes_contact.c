/* Derivatives of a contact: of its geometry, exact where the pair knows the rates of its points and else by differences
   of the geometry alone; from there by the chain rule with the slopes of the laws. */
#include "dynamics/newton/newton.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Change of a contact's normal and of its arms. */
typedef struct turned {
    carom_vec3 normal, arm_i, arm_j;
} turned;

/* Derivatives of the laws at the point. */
typedef struct laws {
    double force[2];            /* normal force by gap and gap rate [N/m], [N s/m] */
    double elastic, loss;       /* elastic part and its lost part by the gap [N/m] */
    double map_speed, map_normal;       /* of a map: by slip speed and normal force */
    /* of a law with state: force and rates by gap, gap rate, slip, normal, spin of the plane, state */
    carom_vec3 by[17];
    double rate_by[17][CAROM_FRICTION_STATE];
} laws;
enum { BY_GAP, BY_RATE, BY_SLIP, BY_NORMAL = BY_SLIP + 3, BY_TURN = BY_NORMAL + 3, BY_STATE = BY_TURN + 3 };

/* A contact while its derivatives are taken. */
typedef struct contact {
    carom_newton *nt;
    carom_slopes *e;
    const carom_model_contact *c;
    const carom_episode *episode;
    carom_contact_point *p;
    const carom_body_pose *i, *j;
    carom_vec3 relative;        /* velocity of j against i at the point */
    carom_vec3 turn;            /* spin of the tangent plane, of a law with state */
    bool stick;
    laws of;
    turned moved[6];            /* by motions of j */
    /* Of one that sticks, at its point: rate of the slip by what the bodies do now and by accelerations, which stay;
       by how much the first is moved [m], [m/s], 0: it is too slow to matter. */
    carom_vec3 bias, rate, push[2];
    double step, speed;
} contact;

/* A change of the contact, by a coordinate or by a state. */
typedef struct change {
    double gap, rate;
    carom_vec3 normal, arm_i, arm_j, slip, spin, turn;
    carom_vec3 turned[2];       /* of i and j */
    double state[CAROM_FRICTION_STATE];
} change;

static carom_vec3 axis(int k) { return carom_v3(k == 0, k == 1, k == 2); }

static int axis_of(const carom_newton *nt, int coordinate)
{
    const int k = coordinate % nt->width;
    return k < nt->model->dimension ? k : nt->model->dimension == 2 ? 2 : k - 3;
}

static bool turns(const carom_newton *nt, int coordinate)
{
    return coordinate % nt->width >= nt->model->dimension;
}

/* ---- geometry ---- */

/* Lengths over which normal and points change [m]. */
static double size_of(const contact *k)
{
    const carom_model *m = k->nt->model;
    double size = isfinite(k->c->feature_size) && k->c->feature_size > 0 ? k->c->feature_size : m->length_scale;
    if (k->c->pair->play && !k->c->pair->outside) {
        const carom_model_shape *a = &m->shapes[k->c->swapped ? k->c->shape_j : k->c->shape_i];
        const carom_model_shape *b = &m->shapes[k->c->swapped ? k->c->shape_i : k->c->shape_j];
        const double play = k->c->pair->play(a->p, b->p);
        size = play > 0 ? fmin(size, play) : size;
    }
    return size;
}

static void move_by_differences(contact *k, int coordinate, turned *out)
{
    const carom_newton *nt = k->nt;
    const double size = size_of(k), reach = fmax(carom_v3_norm(k->p->arm_j), size);
    const double h = turns(nt, coordinate) ? 2e-5 * size / reach : 2e-5 * size;
    carom_contact_point at[2] = {*k->p, *k->p};
    for (int end = 0; end < 2; end++) {
        const carom_body_pose j = carom_slopes_moved(k->j, nt->model->dimension, coordinate, end ? h : -h);
        carom_contact_geometry_at(nt->model, nt->state, k->e->object, k->i, &j, &at[end]);
    }
    out->normal = carom_v3_scale(0.5 / h, carom_v3_sub(at[1].normal, at[0].normal));
    out->arm_i = carom_v3_scale(0.5 / h, carom_v3_sub(at[1].arm_i, at[0].arm_i));
    out->arm_j = carom_v3_scale(0.5 / h, carom_v3_sub(at[1].arm_j, at[0].arm_j));
}

static void move_j(contact *k)
{
    carom_body_pose i = *k->i, j = *k->j;
    i.v = i.w = j.v = j.w = carom_v3(0, 0, 0);
    for (int c = 0; c < k->nt->width; c++) {
        const carom_body_pose moving = carom_slopes_moved(&j, k->nt->model->dimension, k->nt->width + c, 1);
        if (!carom_contact_arm_rates(k->nt->model, k->nt->state, k->e->object, &i, &moving, &k->moved[c].arm_i,
                                     &k->moved[c].arm_j)) {
            move_by_differences(k, c, &k->moved[c]);
            continue;
        }
        k->moved[c].normal = carom_contact_normal_rate(k->nt->model, k->nt->state, k->e->object, &i, &moving);
    }
}

static void add_turned(turned *to, double s, const turned *a)
{
    to->normal = carom_v3_add_scaled(to->normal, s, a->normal);
    to->arm_i = carom_v3_add_scaled(to->arm_i, s, a->arm_i);
    to->arm_j = carom_v3_add_scaled(to->arm_j, s, a->arm_j);
}

/* By a pose coordinate of a side. A motion of i is one of both, with which all turns, less that of j. */
static turned moved_by(const contact *k, int side, int coordinate)
{
    turned out = k->moved[coordinate];
    if (side)
        return out;
    add_turned(&out, -2, &k->moved[coordinate]);
    if (!turns(k->nt, coordinate))
        return out;
    const carom_vec3 t = axis(axis_of(k->nt, coordinate));
    const carom_vec3 far = carom_v3_cross(t, carom_v3_sub(k->j->p, k->i->p));
    const double along[3] = {far.x, far.y, far.z};
    const turned with = {carom_v3_cross(t, k->p->normal), carom_v3_cross(t, k->p->arm_i),
                         carom_v3_cross(t, k->p->arm_j)};
    add_turned(&out, 1, &with);
    for (int c = 0; c < k->nt->model->dimension; c++)
        add_turned(&out, -along[c], &k->moved[c]);
    return out;
}

/* Gap rate and slip follow from normal, arms and relative velocity. */
static void complete(const contact *k, carom_vec3 relative, change *x)
{
    const carom_contact_point *p = k->p;
    x->rate = carom_v3_dot(x->normal, k->relative) + carom_v3_dot(p->normal, relative);
    x->slip = carom_v3_sub(relative, carom_v3_add_scaled(carom_v3_scale(x->rate, p->normal), p->gap_rate, x->normal));
}

static change by_pose(const contact *k, int side, int coordinate)
{
    const turned t = moved_by(k, side, coordinate);
    const carom_vec3 e = axis(axis_of(k->nt, coordinate)), arm = side ? k->p->arm_j : k->p->arm_i;
    change x = {.normal = t.normal, .arm_i = t.arm_i, .arm_j = t.arm_j};
    const carom_vec3 point = turns(k->nt, coordinate) ? carom_v3_cross(e, arm) : e;
    x.gap = (side ? 1 : -1) * carom_v3_dot(k->p->normal, point);
    if (turns(k->nt, coordinate))
        x.turned[side] = e;
    complete(k, carom_v3_sub(carom_v3_cross(k->j->w, t.arm_j), carom_v3_cross(k->i->w, t.arm_i)), &x);
    return x;
}

static change by_twist(const contact *k, int side, int coordinate)
{
    const bool turning = turns(k->nt, coordinate);
    const double sign = side ? 1 : -1;
    const carom_vec3 e = axis(axis_of(k->nt, coordinate)), arm = side ? k->p->arm_j : k->p->arm_i;
    change x = {.spin = turning ? carom_v3_scale(sign, e) : carom_v3(0, 0, 0)};
    complete(k, carom_v3_scale(sign, turning ? carom_v3_cross(e, arm) : e), &x);
    return x;
}

/* Of the spin of the tangent plane, n x n' and about n the mean of both bodies. */
static void add_plane_spin(const contact *k, int side, int coordinate, change *x)
{
    const carom_newton *nt = k->nt;
    const carom_vec3 n = k->p->normal, both = carom_v3_add(k->i->w, k->j->w);
    if (coordinate >= nt->width) {
        const turned t = moved_by(k, side, coordinate - nt->width);
        x->turn = carom_v3_cross(n, t.normal);
        if (turns(nt, coordinate))
            x->turn = carom_v3_add_scaled(x->turn, 0.5 * carom_v3_dot(axis(axis_of(nt, coordinate)), n), n);
        return;
    }
    const double size = size_of(k), reach = fmax(carom_v3_norm(side ? k->p->arm_j : k->p->arm_i), size);
    const double h = turns(nt, coordinate) ? 2e-5 * size / reach : 2e-5 * size;
    carom_vec3 rate[2];
    for (int end = 0; end < 2; end++) {
        const carom_body_pose moved =
            carom_slopes_moved(side ? k->j : k->i, nt->model->dimension, coordinate, end ? h : -h);
        rate[end] = carom_contact_normal_rate(nt->model, nt->state, k->e->object, side ? k->i : &moved,
                                              side ? &moved : k->j);
    }
    const carom_vec3 now = carom_contact_normal_rate(nt->model, nt->state, k->e->object, k->i, k->j);
    const carom_vec3 change_of_rate = carom_v3_scale(0.5 / h, carom_v3_sub(rate[1], rate[0]));
    x->turn = carom_v3_add(carom_v3_cross(x->normal, now), carom_v3_cross(n, change_of_rate));
    x->turn = carom_v3_add_scaled(x->turn, 0.5 * carom_v3_dot(both, x->normal), n);
    x->turn = carom_v3_add_scaled(x->turn, 0.5 * carom_v3_dot(both, n), x->normal);
}

/* ---- laws ---- */

/* Slopes of the normal force as carom_episode_force() has it. */
static void normal_slopes(contact *k)
{
    const carom_contact_point *p = k->p;
    const carom_episode *e = k->episode;
    const carom_normal_law *law = &k->c->law;
    const double side = p->gap <= 0 ? 1 : -1, slope = p->elastic_slope;
    const double share = 1 - p->less, whole = share > 0 ? share : 1;
    k->of.elastic = -slope;
    if (e->cut_off) {
        k->of.force[0] = k->of.force[1] = 0;
    } else if (!isnan(e->gain)) {
        k->of.force[0] = -slope * (1 - e->gain * p->gap_rate);
        k->of.force[1] = -e->gain * p->elastic;
    } else {
        const double mirrored = law->tension == CAROM_TENSION_ALLOW ? side : 1;
        carom_damping_force f;
        carom_normal_damping(law, carom_episode_constants(k->c, e), fabs(p->gap), -p->gap_rate, e->v0, e->mass,
                             mirrored * side * p->elastic / whole, slope / whole, &f);
        k->of.force[0] = -slope - share * mirrored * f.d_delta;
        k->of.force[1] = -share * side * mirrored * f.d_rate;
    }
    k->of.loss = 0;
    if (p->loss != 0) {
        carom_contact_point at[2] = {*p, *p};
        const double h = 1e-6 * fabs(p->gap);
        at[0].gap -= h;
        at[1].gap += h;
        carom_episode_force(k->c, e, &at[0]);
        carom_episode_force(k->c, e, &at[1]);
        k->of.loss = (at[1].loss - at[0].loss) / (2 * h);
    }
}

static void map_slopes(contact *k)
{
    const carom_friction_kind *law = k->c->friction;
    const double *c = k->c->friction_constants, normal = fmax(k->p->force, 0), speed = carom_v3_norm(k->p->slip);
    const double h = 1e-5 * speed, f = 1e-5 * normal;
    if (!(speed > 0))
        return;
    k->of.map_speed =
        (CAROM_KIND_CALL(law, map, c, speed + h, normal) - CAROM_KIND_CALL(law, map, c, speed - h, normal)) / (2 * h);
    if (normal > 0)
        k->of.map_normal =
            (CAROM_KIND_CALL(law, map, c, speed, normal + f) - CAROM_KIND_CALL(law, map, c, speed, normal - f)) /
            (2 * f);
}

static const double *state_of(const contact *k)
{
    const carom_newton *nt = k->nt;
    return k->c->friction_state >= 0 ? nt->y + nt->positions + nt->velocities + k->c->friction_state : NULL;
}

/* Least share of the elastic part that counts as left of a force, of which changes are shares: less is rounding. */
#define LEAST_LEFT 1e-3

/* Of a law with state by one of its arguments, moved by h both ways. */
static void vary_law(contact *k, int by, double h)
{
    double rate[2][CAROM_FRICTION_STATE] = {{0}}, z[CAROM_FRICTION_STATE];
    carom_vec3 force[2];
    for (int end = 0; end < 2; end++) {
        const double step = end ? h : -h;
        carom_contact_point p = *k->p;
        carom_vec3 turn = k->turn;
        if (k->c->friction_state >= 0)
            memcpy(z, state_of(k), (size_t)k->c->friction->state * sizeof *z);
        if (by >= BY_STATE)
            z[by - BY_STATE] += step;
        else if (by >= BY_TURN)
            turn = carom_v3_add_scaled(turn, step, axis(by - BY_TURN));
        else if (by >= BY_NORMAL)
            p.normal = carom_v3_add_scaled(p.normal, step, axis(by - BY_NORMAL));
        else if (by >= BY_SLIP)
            p.slip = carom_v3_add_scaled(p.slip, step, axis(by - BY_SLIP));
        else
            *(by == BY_GAP ? &p.gap : &p.gap_rate) += step;
        if (by <= BY_RATE)
            carom_episode_force(k->c, k->episode, &p);
        force[end] = carom_friction_with_state(k->nt->model, k->nt->state, k->e->object, &p, turn, z, rate[end]);
    }
    k->of.by[by] = carom_v3_scale(0.5 / h, carom_v3_sub(force[1], force[0]));
    for (int r = 0; r < k->c->friction->state; r++)
        k->of.rate_by[by][r] = (rate[1][r] - rate[0][r]) / (2 * h);
}

static void state_slopes(contact *k)
{
    const int dimension = k->nt->model->dimension, count = k->c->friction->state;
    const double speed = carom_v3_norm(k->p->slip), depth = k->episode->depth_scale;
    const double size = CAROM_KIND_CALL(k->c->friction, scale, k->c->friction_constants, depth);
    k->turn = carom_friction_plane_spin(k->nt->model, k->nt->state, k->e->object, k->i, k->j, k->p->normal);
    /* where damping leaves little of the normal force a smaller change is as much of that */
    const double force = fabs(k->p->force), elastic = fabs(k->p->elastic);
    const double part = 1e-5 * (force < elastic ? fmax(force / elastic, LEAST_LEFT) : 1);
    vary_law(k, BY_GAP, part * fmax(fabs(k->p->gap), 1e-4 * depth));
    vary_law(k, BY_RATE, part * fmax(fabs(k->p->gap_rate), k->episode->v0));
    for (int c = 0; c < dimension; c++) {
        vary_law(k, BY_SLIP + c, fmax(1e-5 * speed, 1e-9));
        vary_law(k, BY_NORMAL + c, 1e-5);
    }
    for (int c = 0; c < 3; c++)
        if (dimension == 3 || c == 2)
            vary_law(k, BY_TURN + c, fmax(1e-5 * carom_v3_norm(k->turn), 1e-5));
    const double length = fmax(carom_v3_norm(carom_v3_load(state_of(k))), 1e-3 * size);
    for (int c = 0; c < count; c++)
        if (dimension == 3 || c != 2)
            vary_law(k, BY_STATE + c, 1e-5 * (c < 3 ? fmin(length, size) : fmax(fabs(state_of(k)[c]), size)));
}

/* Change of the couple on j against a spin: moment(N) share(x)/rolling_speed spin, x = |spin|/rolling_speed. */
static carom_vec3 of_couple(const contact *k, double arm, carom_vec3 spin, carom_vec3 of_spin, double of_force)
{
    const double normal = fmax(k->p->force, 0), slow = k->c->rolling_speed, speed = carom_v3_norm(spin);
    const double x = speed / slow, near = tanh(x), share = x > 1e-8 ? near / x : 1;
    const double bend = x > 1e-4 ? ((1 - near * near) - share) / x : -2 * x / 3;
    carom_vec3 out = carom_v3_scale(-arm * of_force * share / slow, spin);
    out = carom_v3_add_scaled(out, -arm * normal * share / slow, of_spin);
    const double along = speed > 0 ? carom_v3_dot(spin, of_spin) / (speed * slow) : 0;
    return carom_v3_add_scaled(out, -arm * normal / slow * bend * along, spin);
}

static carom_vec3 of_couples(const contact *k, const change *x, double of_force)
{
    const carom_vec3 n = k->p->normal, spin = carom_v3_sub(k->j->w, k->i->w);
    const double along = carom_v3_dot(spin, n);
    const double of_along = carom_v3_dot(x->spin, n) + carom_v3_dot(spin, x->normal);
    const carom_vec3 about = carom_v3_scale(along, n);
    const carom_vec3 of_about = carom_v3_add_scaled(carom_v3_scale(of_along, n), along, x->normal);
    const carom_vec3 rolling =
        of_couple(k, k->c->rolling, carom_v3_sub(spin, about), carom_v3_sub(x->spin, of_about), of_force);
    return carom_v3_add(rolling, of_couple(k, k->c->spinning, about, of_about, of_force));
}

/* Change of the friction force on j, and of the rates of its state. */
static carom_vec3 of_friction(const contact *k, const change *x, double of_force, double *rate)
{
    const carom_vec3 none = {0, 0, 0}, slip = k->p->slip;
    const double speed = carom_v3_norm(slip);
    if (!k->c->friction)
        return none;
    if (k->stick) /* it turns with the tangent plane; in it, it is an unknown */
        return carom_v3_scale(-carom_v3_dot(k->p->friction, x->normal), k->p->normal);
    if (k->c->friction->set_valued && k->episode->stick == CAROM_BREAKING_AWAY)
        return carom_v3_scale(k->p->force > 0 ? -carom_friction_sliding(k->c, 1) * of_force : 0, k->episode->parting);
    if (!k->c->friction->state) {
        if (!(speed > 0))
            return none;
        const carom_vec3 unit = carom_v3_scale(1 / speed, slip);
        const double map = -carom_v3_dot(k->p->friction, unit), of_speed = carom_v3_dot(unit, x->slip);
        const double of_map = k->of.map_speed * of_speed + k->of.map_normal * (k->p->force > 0 ? of_force : 0);
        return carom_v3_sub(carom_v3_scale((map * of_speed / speed - of_map), unit),
                            carom_v3_scale(map / speed, x->slip));
    }
    const double by[BY_STATE + CAROM_FRICTION_STATE] = {
        x->gap,    x->rate,   x->slip.x, x->slip.y,   x->slip.z,   x->normal.x, x->normal.y, x->normal.z,
        x->turn.x, x->turn.y, x->turn.z, x->state[0], x->state[1], x->state[2], x->state[3]};
    carom_vec3 sum = none;
    for (int n = 0; n < BY_STATE + k->c->friction->state; n++) {
        if (by[n] == 0)
            continue;
        sum = carom_v3_add_scaled(sum, by[n], k->of.by[n]);
        for (int r = 0; r < k->c->friction->state; r++)
            rate[r] += by[n] * k->of.rate_by[n][r];
    }
    return sum;
}

/* ---- columns ---- */

bool carom_slopes_clipped(const carom_newton *nt, int k)
{
    const double force = carom_v3_norm(nt->at->contacts[k].friction);
    return !(force < (1 - 1e-9) * nt->sticking[k].greatest);
}

void carom_slopes_stick_rows(const carom_newton *nt, int k, double rate[2][2], double force[2][2])
{
    const carom_sticking *own = &nt->sticking[k];
    const bool clipped = carom_slopes_clipped(nt, k);
    const double *u = own->toward, across[2] = {-u[1], u[0]};
    const int along = fabs(u[0]) < fabs(u[1]);
    for (int e = 0; e < 2; e++)
        for (int t = 0; t < 2; t++) {
            rate[e][t] = !clipped ? e == t : own->count > 1 && e != along ? across[t] : 0;
            force[e][t] = !clipped ? (e == t) * own->softness / CAROM_REFINEMENTS : own->count < 2 ? e == t
                          : e == along ? u[t] : own->pull / own->greatest * across[t];
        }
}

/* Slip that dies away this much faster than the bodies turn leaves nothing of how the point moves on them. */
#define SLOW 1e-7

/* What the rows of a contact that sticks are made of. */
static void prepare_stick(contact *k)
{
    const carom_evaluation *d = k->nt->at;
    const carom_formulation *formulation = k->nt->system->formulation;
    const double size = size_of(k);
    for (int side = 0; side < 2; side++) {
        const int body = side ? k->c->body_j : k->c->body_i;
        const carom_body_acceleration a = formulation->body_acceleration(d, body);
        const carom_vec3 at = carom_v3_add(a.linear, carom_v3_cross(a.angular, side ? k->p->arm_j : k->p->arm_i));
        k->push[side] = a.angular;
        k->rate = carom_v3_add_scaled(k->rate, side ? 1 : -1, at);
        k->speed = fmax(k->speed, fmax(carom_v3_norm((side ? k->j : k->i)->v),
                                       carom_v3_norm((side ? k->j : k->i)->w) * size));
    }
    if (!(k->speed > SLOW * k->nt->sticking[k->e->object].settle * size))
        return;
    k->bias = carom_friction_slip_bias(d, k->nt->state, k->e->object);
    k->rate = carom_v3_add(k->rate, k->bias);
    k->step = 2e-5 * size;
}

/* Change of how the point moves on the bodies, by a coordinate of one of them. */
static carom_vec3 of_bias(const contact *k, int side, int coordinate)
{
    carom_newton *nt = k->nt;
    carom_body_pose *pose = &nt->at->pose[side ? k->c->body_j : k->c->body_i];
    const carom_body_pose kept = *pose;
    const double reach = fmax(carom_v3_norm(side ? k->p->arm_j : k->p->arm_i), size_of(k));
    const double size = coordinate < nt->width ? k->step : 0.1 * k->speed;
    const double h = turns(nt, coordinate) ? size / reach : size;
    carom_vec3 bias[2];
    for (int end = 0; end < 2; end++) {
        *pose = carom_slopes_moved(&kept, nt->model->dimension, coordinate, end ? h : -h);
        bias[end] = carom_friction_slip_bias(nt->at, nt->state, k->e->object);
    }
    *pose = kept;
    return carom_v3_scale(0.5 / h, carom_v3_sub(bias[1], bias[0]));
}

/* Change of the mobility along the tangents, the mean of (a x t) I^-1 (a x t) over them, I^-1 turned with its body.
   What rows of joints make of it is left out. */
static double of_mobility(const contact *k, const change *x)
{
    const carom_newton *nt = k->nt;
    const carom_sticking *own = &nt->sticking[k->e->object];
    double sum = 0;
    for (int side = 0; side < 2; side++) {
        const int body = side ? k->c->body_j : k->c->body_i;
        const carom_vec3 arm = side ? k->p->arm_j : k->p->arm_i, of_arm = side ? x->arm_j : x->arm_i;
        for (int t = 0; body > 0 && t < own->count; t++) {
            const carom_vec3 along = own->tangent[t], u = carom_v3_cross(arm, along);
            const carom_vec3 of_u = carom_v3_add_scaled(carom_v3_cross(of_arm, along), -carom_v3_dot(x->normal, along),
                                                        carom_v3_cross(arm, k->p->normal));
            const carom_vec3 spin =
                nt->model->dimension == 2
                    ? carom_v3_scale(nt->model->bodies[body].inverse_inertia.m[2][2], carom_v3(0, 0, u.z))
                    : carom_m3_apply(&nt->at->inverse_inertia[body], u);
            sum += carom_v3_dot(spin, of_u);
            if (nt->model->dimension == 3)
                sum += carom_v3_dot(u, carom_v3_cross(x->turned[side], spin));
        }
    }
    return 2 * sum / own->count;
}

/* Rows of a contact that sticks: the rate of its slip and what lets this die away, or at the edge of its cone the force
   along it. */
static void store_stick(const contact *k, const change *x, double of_force, carom_vec3 of_the_bias, double *row)
{
    const carom_sticking *own = &k->nt->sticking[k->e->object];
    const bool clipped = carom_slopes_clipped(k->nt, k->e->object);
    double rate[2][2], forces[2][2], held[2], edge[2];
    const carom_vec3 n = k->p->normal, slip = k->p->slip;
    const carom_vec3 moved = carom_v3_sub(carom_v3_cross(k->push[1], x->arm_j), carom_v3_cross(k->push[0], x->arm_i));
    const carom_vec3 of_rate = carom_v3_add(moved, carom_v3_add_scaled(of_the_bias, own->settle, x->slip));
    /* slow contacts settle as the normal force allows */
    const bool bounded = own->settle * k->episode->time_scale < 1 - 1e-9 && k->p->force > 0;
    const double of_settle =
        bounded ? own->settle * (of_force / k->p->force + of_mobility(k, x) / own->mobility) : 0;
    carom_slopes_stick_rows(k->nt, k->e->object, rate, forces);
    for (int t = 0; t < own->count; t++) {
        const carom_vec3 along = own->tangent[t];
        held[t] = carom_v3_dot(along, x->normal) * carom_v3_dot(n, k->rate) - carom_v3_dot(along, of_rate) -
                  of_settle * carom_v3_dot(along, slip);
        edge[t] = clipped && k->p->force > 0 ? carom_v3_dot(k->p->friction, along) / k->p->force * of_force : 0;
    }
    for (int e = 0; e < own->count; e++) {
        row[e] = 0;
        for (int t = 0; t < own->count; t++)
            row[e] += rate[e][t] * held[t] + forces[e][t] * edge[t];
    }
}

/* Forces of a contact that sticks are unknowns: the power of theirs. */
static void store_stick_columns(const contact *k)
{
    const carom_slopes *e = k->e;
    const int states = k->c->friction_state >= 0 ? k->c->friction->state : 0;
    const carom_sticking *own = &k->nt->sticking[e->object];
    for (int t = 0; t < 2; t++) {
        double *column = carom_slopes_column(k->nt, e, states + t);
        memset(column, 0, (size_t)e->height * sizeof *column);
        if (k->stick && t < own->count && k->c->friction_work >= 0)
            column[e->body_count * k->nt->width + states + 2] = -carom_v3_dot(own->tangent[t], k->p->slip);
    }
}

/* What a change makes of forces, rates and powers. */
static void store(const contact *k, const change *x, carom_vec3 of_the_bias, double *column)
{
    const carom_newton *nt = k->nt;
    const carom_contact_point *p = k->p;
    double rate[CAROM_FRICTION_STATE] = {0};
    const double of_force = k->of.force[0] * x->gap + k->of.force[1] * x->rate;
    const carom_vec3 none = {0, 0, 0};
    const carom_vec3 of_friction_force = of_friction(k, x, of_force, rate);
    const carom_vec3 couple = k->c->rolling > 0 || k->c->spinning > 0
                                  ? of_couples(k, x, p->force > 0 ? of_force : 0) : none;
    const carom_vec3 force = carom_v3_add_scaled(p->friction, p->force, p->normal);
    const carom_vec3 of = carom_v3_add(of_friction_force, carom_v3_add_scaled(carom_v3_scale(of_force, p->normal),
                                                                              p->force, x->normal));
    const carom_wrench on_j = {of, carom_v3_add(couple, carom_v3_add(carom_v3_cross(x->arm_j, force),
                                                                    carom_v3_cross(p->arm_j, of)))};
    const carom_wrench on_i = {carom_v3_neg(of),
                               carom_v3_neg(carom_v3_add(couple, carom_v3_add(carom_v3_cross(x->arm_i, force),
                                                                             carom_v3_cross(p->arm_i, of))))};
    memset(column, 0, (size_t)k->e->height * sizeof *column);
    carom_slopes_add_wrench(nt, k->e, k->c->body_i, &on_i, column);
    carom_slopes_add_wrench(nt, k->e, k->c->body_j, &on_j, column);
    double *row = column + k->e->body_count * nt->width;
    for (int r = 0; k->c->friction_state >= 0 && r < k->c->friction->state; r++)
        *row++ = rate[r];
    const double of_lost = of_force + (k->of.loss - k->of.elastic) * x->gap;
    *row++ = -of_lost * p->gap_rate - (p->damping + p->loss) * x->rate;
    *row++ = of_force;
    if (k->c->friction_work >= 0)
        *row++ = -carom_v3_dot(of_friction_force, p->slip) - carom_v3_dot(p->friction, x->slip) -
                 carom_v3_dot(couple, carom_v3_sub(k->j->w, k->i->w)) - carom_v3_dot(p->couple, x->spin);
    if (!nt->sticking || !k->c->friction || !k->c->friction->set_valued)
        return;
    if (k->stick)
        store_stick(k, x, of_force, of_the_bias, row);
}

void carom_slopes_fill_contact(carom_newton *nt, carom_slopes *e)
{
    const carom_vec3 none = {0, 0, 0};
    contact k = {.nt = nt, .e = e, .c = &nt->model->contacts[e->object]};
    k.episode = &nt->state->located[e->object];
    e->on = k.episode->open;
    if (!e->on)
        return;
    k.p = &nt->at->contacts[e->object];
    k.i = &nt->at->pose[k.c->body_i];
    k.j = &nt->at->pose[k.c->body_j];
    k.relative = carom_v3_add_scaled(k.p->slip, k.p->gap_rate, k.p->normal);
    k.stick = k.c->friction && k.c->friction->set_valued && k.episode->stick == CAROM_STICKING;
    normal_slopes(&k);
    move_j(&k);
    if (k.stick)
        prepare_stick(&k);
    const bool state = k.c->friction_state >= 0;
    if (state)
        state_slopes(&k);
    else if (k.c->friction && !k.stick)
        map_slopes(&k);
    for (int b = 0; b < e->body_count; b++)
        for (int c = 0; c < 2 * nt->width; c++) {
            const int side = e->body[b] == k.c->body_j;
            change x = c < nt->width ? by_pose(&k, side, c) : by_twist(&k, side, c);
            if (state)
                add_plane_spin(&k, side, c, &x);
            store(&k, &x, k.step > 0 ? of_bias(&k, side, c) : none,
                  e->d + (size_t)(b * 2 * nt->width + c) * (size_t)e->height);
        }
    for (int c = 0; state && c < k.c->friction->state; c++) {
        change x = {0};
        x.state[c] = 1;
        store(&k, &x, none, carom_slopes_column(nt, e, c));
    }
    if (nt->stick[e->object] >= 0)
        store_stick_columns(&k);
}
