/* The formulation in joint coordinates: each body moves against the one that carries it in the spanning tree of the
   joints (model/compile_tree.c), and joints that close loops are constraint rows. A coordinate that a motion prescribes
   is no unknown: its place among the positions and velocities is filled from the motion (`settle`).
   Source: Featherstone 2008, Rigid Body Dynamics Algorithms. The equations of motion are in tree_solve.c. */
#include "dynamics/formulation/tree.h"
#include "dynamics/dynamics.h"

#include <math.h>
#include <string.h>

/* Tolerance of a coordinate that is not integrated: its motion prescribes it. */
#define UNBOUNDED 1e30

static carom_layout layout(const carom_model *m) { return (carom_layout){m->tree.positions, m->tree.velocities}; }

/* ---- poses ---- */

static void pose_body(carom_evaluation *d, int body, const double *q, const double *u)
{
    const carom_tree_body *tb = &d->model->tree.bodies[body];
    carom_tree_place(d->model, body, &d->pose[tb->parent], q, u, &d->pose[body], &d->tree->motion[tb->parent],
                     &d->tree->motion[body]);
    if (tb->q_count)
        d->tree->coordinate[body] = q[0];
}

static void pose_all(carom_evaluation *d, const double *q, const double *v)
{
    const carom_tree *t = &d->model->tree;
    for (int k = 0; k < d->model->body_count; k++) {
        const carom_tree_body *tb = &t->bodies[t->order[k]];
        pose_body(d, t->order[k], q + tb->first_q, v + tb->first_v);
    }
}

/* The same with prescribed coordinates as their motions have them at t. */
static void pose_at(carom_evaluation *d, const carom_state *s, double t, const double *q, const double *v)
{
    const carom_tree *tree = &d->model->tree;
    for (int k = 0; k < d->model->body_count; k++) {
        const int body = tree->order[k];
        const carom_tree_body *tb = &tree->bodies[body];
        if (tb->motion < 0) {
            pose_body(d, body, q + tb->first_q, v + tb->first_v);
            continue;
        }
        double own[CAROM_JOINT_POSITIONS], speed[CAROM_JOINT_SPEEDS];
        const carom_constraint_block *e = &d->model->blocks[tb->motion];
        const carom_jet motion = carom_dynamics_motion(d, s, e, t);
        memcpy(own, q + tb->first_q, (size_t)tb->q_count * sizeof *own);
        memcpy(speed, v + tb->first_v, (size_t)tb->v_count * sizeof *speed);
        own[0] = motion.value + d->model->joints[tb->joint].zero;
        speed[0] = motion.rate;
        d->tree->drive[body] = motion;
        d->row_rate[e->first_row] = motion.rate;
        d->row_acceleration[e->first_row] = motion.acceleration;
        pose_body(d, body, own, speed);
        carom_tree_motion *own_motion = &d->tree->motion[body];
        own_motion->a0.turn = carom_v3_add_scaled(own_motion->a0.turn, motion.acceleration, own_motion->s[0].turn);
        own_motion->a0.move = carom_v3_add_scaled(own_motion->a0.move, motion.acceleration, own_motion->s[0].move);
    }
}

static void settle(carom_evaluation *d, const carom_state *s, double t, double *q, double *v)
{
    const carom_tree *tree = &d->model->tree;
    for (int k = 0; tree->driven && k < d->model->body_count; k++) {
        const carom_tree_body *tb = &tree->bodies[tree->order[k]];
        if (tb->motion < 0)
            continue;
        const carom_jet motion = carom_dynamics_motion(d, s, &d->model->blocks[tb->motion], t);
        q[tb->first_q] = motion.value + d->model->joints[tb->joint].zero;
        v[tb->first_v] = motion.rate;
    }
}

/* The body that a joint carries, 0: none. */
static int carried_by(const carom_model *m, int joint)
{
    const carom_model_joint *j = &m->joints[joint];
    if (j->j.body && m->tree.bodies[j->j.body].joint == joint)
        return j->j.body;
    return j->i.body && m->tree.bodies[j->i.body].joint == joint ? j->i.body : 0;
}

static double coordinate(const carom_evaluation *d, int joint, double near)
{
    const int body = carried_by(d->model, joint);
    return body ? d->tree->coordinate[body] : near;
}

static bool angle(const carom_evaluation *d, int joint, carom_row *row)
{
    const int body = carried_by(d->model, joint);
    const carom_tree_body *tb = &d->model->tree.bodies[body];
    if (!body || !tb->axial.is || tb->axial.turn == 0 || tb->axial.lead != 0)
        return false;
    const carom_vec3 own = d->tree->motion[body].s[0].turn, other = carom_v3_neg(own);
    *row = (carom_row){.phi = d->tree->coordinate[body],
                       .Ai = tb->reversed ? own : other,
                       .Aj = tb->reversed ? other : own};
    return true;
}

static carom_body_pose body_pose(const carom_model *m, int body, const double *q, const double *v)
{
    if (body == 0)
        return (carom_body_pose){.axes = carom_m3_identity()};
    const carom_tree_body *tb = &m->tree.bodies[body];
    const carom_body_pose parent = body_pose(m, tb->parent, q, v);
    carom_body_pose out;
    carom_tree_place(m, body, &parent, q + tb->first_q, v + tb->first_v, &out, NULL, NULL);
    return out;
}

static void twist(carom_evaluation *d, const double *v)
{
    const carom_tree *t = &d->model->tree;
    for (int k = 0; k < d->model->body_count; k++) {
        const int body = t->order[k];
        const carom_tree_body *tb = &t->bodies[body];
        const double *u = v + tb->first_v;
        const carom_body_pose *parent = &d->pose[tb->parent];
        const carom_tree_motion *motion = &d->tree->motion[body];
        carom_body_pose *pose = &d->pose[body];
        if (carom_tree_is_root(tb)) {
            pose->v = carom_v3(u[0], u[1], d->model->dimension == 3 ? u[2] : 0);
            pose->w = d->model->dimension == 3 ? carom_v3_load(u + 3) : carom_v3(0, 0, u[2]);
            continue;
        }
        pose->w = parent->w;
        pose->v = carom_v3_add(parent->v, carom_v3_cross(parent->w, motion->r));
        for (int c = 0; c < tb->v_count; c++) {
            pose->w = carom_v3_add_scaled(pose->w, u[c], motion->s[c].turn);
            pose->v = carom_v3_add_scaled(pose->v, u[c], motion->s[c].move);
        }
    }
}

/* ---- coordinates ---- */

static const carom_joint_freedoms *freedoms_of(const carom_model *m, const carom_tree_body *tb)
{
    return m->joints[tb->joint].kind->freedoms;
}

static carom_quat load_quat(const double *q) { return (carom_quat){q[0], q[1], q[2], q[3]}; }

static void store_quat(carom_quat n, double *q)
{
    q[0] = n.w;
    q[1] = n.x;
    q[2] = n.y;
    q[3] = n.z;
}

static void position_rate(const carom_model *m, const double *q, const double *v, double *rate)
{
    for (int body = 1; body <= m->body_count; body++) {
        const carom_tree_body *tb = &m->tree.bodies[body];
        const double *x = q + tb->first_q, *u = v + tb->first_v;
        double *r = rate + tb->first_q;
        if (carom_tree_is_root(tb)) {
            memcpy(r, u, 3 * sizeof *r);
            if (m->dimension == 3)
                store_quat(carom_quat_rate(load_quat(x + 3), carom_v3_load(u + 3)), r + 3);
        } else if (tb->axial.is)
            r[0] = u[0];
        else if (freedoms_of(m, tb)->rate)
            freedoms_of(m, tb)->rate(x, u, r);
        else
            memcpy(r, u, (size_t)tb->v_count * sizeof *r);
    }
}

static void retract(const carom_model *m, const double *step, double *q)
{
    for (int body = 1; body <= m->body_count; body++) {
        const carom_tree_body *tb = &m->tree.bodies[body];
        double *x = q + tb->first_q;
        const double *u = step + tb->first_v;
        if (!carom_tree_is_root(tb) && freedoms_of(m, tb)->retract) {
            freedoms_of(m, tb)->retract(u, x);
            continue;
        }
        const bool root = carom_tree_is_root(tb);
        for (int k = 0; k < (root ? 3 : tb->v_count); k++)
            x[k] += u[k];
        if (root && m->dimension == 3) {
            const carom_quat turn = carom_quat_from_rotation(carom_v3_load(u + 3));
            store_quat(carom_quat_normalise(carom_quat_multiply(turn, load_quat(x + 3))), x + 3);
        }
    }
}

static void difference(const carom_model *m, const double *from, const double *to, double *step)
{
    for (int body = 1; body <= m->body_count; body++) {
        const carom_tree_body *tb = &m->tree.bodies[body];
        const double *a = from + tb->first_q, *b = to + tb->first_q;
        double *u = step + tb->first_v;
        const bool root = carom_tree_is_root(tb);
        if (!root && freedoms_of(m, tb)->difference) {
            freedoms_of(m, tb)->difference(a, b, u);
            continue;
        }
        for (int k = 0; k < (root ? 3 : tb->v_count); k++)
            u[k] = b[k] - a[k];
        if (!root || m->dimension == 2)
            continue;
        const carom_quat back = {a[3], -a[4], -a[5], -a[6]};
        const carom_vec3 turn = carom_quat_rotation(carom_quat_normalise(carom_quat_multiply(load_quat(b + 3), back)));
        u[3] = turn.x;
        u[4] = turn.y;
        u[5] = turn.z;
    }
}

static void normalise(const carom_model *m, double *q)
{
    static const double none[CAROM_JOINT_SPEEDS];
    for (int body = 1; body <= m->body_count; body++) {
        const carom_tree_body *tb = &m->tree.bodies[body];
        double *x = q + tb->first_q;
        if (!carom_tree_is_root(tb)) {
            if (freedoms_of(m, tb)->retract)
                freedoms_of(m, tb)->retract(none, x);
        } else if (m->dimension == 3)
            store_quat(carom_quat_normalise(load_quat(x + 3)), x + 3);
    }
}

/* ---- bodies ---- */

static carom_body_pose start_pose(const carom_model *m, int body)
{
    const carom_model_body *b = &m->bodies[body];
    if (body == 0)
        return (carom_body_pose){.axes = carom_m3_identity()};
    return (carom_body_pose){
        .axes = carom_model_start_axes(m, body), .p = b->position, .v = b->velocity, .w = b->spin, .angle = b->angle};
}

static void take_bodies(const carom_model *m, const carom_body_pose *poses, const double *coordinates, double *q,
                        double *v)
{
    for (int body = 1; body <= m->body_count; body++) {
        const carom_tree_body *tb = &m->tree.bodies[body];
        const carom_body_pose own = poses ? poses[body] : start_pose(m, body);
        const carom_body_pose parent = poses ? poses[tb->parent] : start_pose(m, tb->parent);
        const int coordinate = tb->joint < 0 ? -1 : m->joints[tb->joint].coordinate;
        carom_tree_coordinates(m, body, &parent, &own, coordinates && coordinate >= 0 ? coordinates[coordinate] : 0,
                               q + tb->first_q, v + tb->first_v);
    }
}

/* Bodies whose numbers are among the coordinates: those that move freely against the ground. */
static int body_place(const carom_model *m, int body, bool velocity, bool angular)
{
    const carom_tree_body *tb = &m->tree.bodies[body + 1];
    if (!carom_tree_is_root(tb))
        return -1;
    return (velocity ? tb->first_v : tb->first_q) + (angular ? m->dimension : 0);
}

static void get_body(const carom_model *m, int body, const double *q, const double *v, carom_body_state *out)
{
    const carom_body_pose pose = body_pose(m, body + 1, q, v);
    const carom_quat n = m->dimension == 3 ? carom_quat_from_axes(&pose.axes)
                                           : (carom_quat){cos(0.5 * pose.angle), 0, 0, sin(0.5 * pose.angle)};
    *out = (carom_body_state){.position = {pose.p.x, pose.p.y, pose.p.z},
                              .velocity = {pose.v.x, pose.v.y, pose.v.z},
                              .orientation = {n.w, n.x, n.y, n.z},
                              .angle = pose.angle,
                              .angular_velocity = {pose.w.x, pose.w.y, pose.w.z}};
    const carom_tree_body *tb = &m->tree.bodies[body + 1];
    if (m->dimension == 3 && carom_tree_is_root(tb))
        store_quat(carom_quat_normalise(load_quat(q + tb->first_q + 3)), out->orientation);
}

static void put_body(const carom_model *m, int body, const carom_body_state *at, double *q)
{
    const carom_tree_body *tb = &m->tree.bodies[body + 1];
    double *x = q + tb->first_q;
    if (!carom_tree_is_root(tb))
        return;
    memcpy(x, at->position, (size_t)m->dimension * sizeof *x);
    if (m->dimension == 2)
        x[2] = at->angle;
    else
        memcpy(x + 3, at->orientation, sizeof at->orientation);
}

static void move_body(const carom_model *m, int body, const carom_body_state *at, double *v)
{
    const carom_tree_body *tb = &m->tree.bodies[body + 1];
    double *u = v + tb->first_v;
    if (!carom_tree_is_root(tb))
        return;
    memcpy(u, at->velocity, (size_t)m->dimension * sizeof *u);
    if (m->dimension == 2)
        u[2] = at->angular_velocity[2];
    else
        memcpy(u + 3, at->angular_velocity, sizeof at->angular_velocity);
}

/* A joint that carries a body moves its centre of mass by the angle times the distance. */
static void tolerate_joint(const carom_model *m, const carom_tree_body *tb, double lever,
                           const carom_body_bounds *bounds, double *q, double *v)
{
    const carom_joint_freedoms *f = freedoms_of(m, tb);
    const double none[CAROM_JOINT_POSITIONS] = {f->positions == CAROM_JOINT_POSITIONS};
    carom_joint_twist s[CAROM_JOINT_SPEEDS];
    f->subspace(m->joints[tb->joint].p, none, s);
    const double angle = lever > 0 ? fmin(bounds->angle, bounds->length / lever) : bounds->angle;
    const double spin = lever > 0 ? fmin(bounds->spin, bounds->speed / lever) : bounds->spin;
    for (int k = 0; k < tb->v_count; k++) {
        const bool turns = carom_v3_dot(s[k].turn, s[k].turn) > 0;
        double *own = &v[tb->first_v + k], *position = &q[tb->first_q + k];
        *own = fmin(*own, turns ? spin : bounds->speed);
        if (f->positions == f->speeds)
            *position = fmin(*position, turns ? angle : bounds->length);
        if (k == 0 && tb->motion >= 0)
            *own = *position = UNBOUNDED;
    }
    for (int k = 0; f->positions != f->speeds && k < f->positions; k++)
        q[tb->first_q + k] = fmin(q[tb->first_q + k], angle);
}

static void tolerate(const carom_model *m, int body, const carom_body_bounds *bounds, double *q, double *v)
{
    const carom_vec3 at = m->bodies[body + 1].position;
    for (int k = body + 1; k; k = m->tree.bodies[k].parent) {
        const carom_tree_body *tb = &m->tree.bodies[k];
        if (!carom_tree_is_root(tb)) {
            const carom_model_joint *j = &m->joints[tb->joint];
            const double arm = carom_v3_norm(tb->reversed ? j->i.at : j->j.at);
            tolerate_joint(m, tb, arm + carom_v3_norm(carom_v3_sub(at, m->bodies[k].position)), bounds, q, v);
            continue;
        }
        const double lever = carom_v3_norm(carom_v3_sub(at, m->bodies[k].position));
        const double angle = lever > 0 ? fmin(bounds->angle, bounds->length / lever) : bounds->angle;
        const double spin = lever > 0 ? fmin(bounds->spin, bounds->speed / lever) : bounds->spin;
        for (int n = 0; n < tb->q_count; n++)
            q[tb->first_q + n] = fmin(q[tb->first_q + n], n < m->dimension ? bounds->length : angle);
        for (int n = 0; n < tb->v_count; n++)
            v[tb->first_v + n] = fmin(v[tb->first_v + n], n < m->dimension ? bounds->speed : spin);
    }
}

/* ---- workspaces ---- */

static carom_status create(carom_system *sys)
{
    const carom_model *m = sys->model;
    const carom_tree *t = &m->tree;
    const size_t bodies = (size_t)m->body_count + 1, rows = (size_t)t->row_count, width = (size_t)carom_tree_width(t);
    carom_arena *a = &sys->arena;
    carom_tree_work *work = carom_arena_alloc(a, 1, sizeof *work);
    if (!work)
        return carom_fail_memory(sys->ctx);
    sys->tree = work;
    work->by_rows = m->site_count > 0;
    if (!(work->body = carom_arena_alloc(a, bodies, sizeof *work->body)) ||
        !(work->root = carom_arena_alloc(a, bodies, sizeof *work->root)) ||
        !(work->p = carom_arena_alloc(a, bodies, sizeof *work->p)) ||
        !(work->kept = carom_arena_alloc(a, bodies, sizeof *work->kept)) ||
        !(work->z = carom_arena_alloc(a, rows * width, sizeof *work->z)) ||
        !(work->force = carom_arena_alloc(a, width, sizeof *work->force)) ||
        !(work->y = carom_arena_alloc(a, width, sizeof *work->y)) ||
        !(work->b = carom_arena_alloc(a, rows > width ? rows : width, sizeof *work->b)) ||
        !(work->filled = carom_arena_alloc(a, width, sizeof *work->filled)) ||
        !(work->step = carom_arena_alloc(a, (size_t)t->velocities, sizeof *work->step)) ||
        !(work->dependent = carom_arena_alloc(a, rows, sizeof *work->dependent)))
        return carom_fail_memory(sys->ctx);
    if (!rows)
        return CAROM_OK;
    CAROM_TRY(carom_dense_create(sys->ctx, (int)rows, &work->dense));
    return carom_orthogonal_create(sys->ctx, (int)rows, (int)width, &work->orthogonal);
}

static void destroy(carom_system *sys)
{
    if (!sys->tree)
        return;
    carom_dense_free(sys->tree->dense);
    carom_orthogonal_free(sys->tree->orthogonal);
}

static carom_status prepare(carom_evaluation *d)
{
    const carom_model *m = d->model;
    carom_arena *a = &d->system->arena;
    const size_t bodies = (size_t)m->body_count + 1;
    d->tree = carom_arena_alloc(a, 1, sizeof *d->tree);
    if (!d->tree || !(d->tree->motion = carom_arena_alloc(a, bodies, sizeof *d->tree->motion)) ||
        !(d->tree->coordinate = carom_arena_alloc(a, bodies, sizeof *d->tree->coordinate)) ||
        !(d->tree->drive = carom_arena_alloc(a, bodies, sizeof *d->tree->drive)) ||
        !(d->tree->rates = carom_arena_alloc(a, (size_t)m->tree.velocities, sizeof *d->tree->rates)))
        return carom_fail_memory(d->system->ctx);
    return CAROM_OK;
}

static bool needs_rows(const carom_system *sys) { return sys->tree->by_rows; }

static void set_redundant(carom_system *sys, bool redundant) { sys->tree->redundant = redundant; }

static carom_orthogonal *orthogonal(const carom_system *sys)
{
    return sys->tree->by_rows ? sys->orthogonal : sys->tree->orthogonal;
}

/* Accelerations and changes are those of bodies, as in the cartesian formulation. */
static carom_body_acceleration body_change(const carom_evaluation *d, const double *x, int body)
{
    return carom_formulation_cartesian.body_change(d, x, body);
}

static carom_body_acceleration body_acceleration(const carom_evaluation *d, int body)
{
    return body_change(d, d->acceleration, body);
}

static double couple(const carom_evaluation *d, const carom_jacobian_row *a, const carom_jacobian_row *b)
{
    return carom_formulation_cartesian.couple(d, a, b);
}

static double row_times(const carom_evaluation *d, const carom_jacobian_row *row, const double *x)
{
    return carom_formulation_cartesian.row_times(d, row, x);
}

static void add_row(const carom_evaluation *d, const carom_jacobian_row *row, double f, double *x)
{
    carom_formulation_cartesian.add_row(d, row, f, x);
}

static double make_row(const carom_evaluation *d, const carom_row_entry *entries, int count, carom_jacobian_row *out)
{
    return carom_formulation_cartesian.row(d, entries, count, out);
}

/* Of the friction of joints alone, where the accelerations are found from the rows of all joints. */
static void solve(const carom_evaluation *d, double *b) { carom_formulation_cartesian.solve(d, b); }

static void add_rows(const carom_evaluation *d, const double *y, double *x)
{
    carom_formulation_cartesian.add_rows(d, y, x);
}

const carom_formulation carom_formulation_tree = {
    .name = "tree",
    .title = "Joint coordinates: articulated-body algorithm, loops closed by constraints.",
    .source = "Featherstone 2008, Rigid Body Dynamics Algorithms, chapters 4 to 9.",
    .layout = layout,
    .create = create,
    .destroy = destroy,
    .prepare = prepare,
    .needs_rows = needs_rows,
    .set_redundant = set_redundant,
    .orthogonal = orthogonal,
    .pose = pose_all,
    .pose_at = pose_at,
    .settle = settle,
    .coordinate = coordinate,
    .angle = angle,
    .twist = twist,
    .body_pose = body_pose,
    .position_rate = position_rate,
    .velocity_rate = carom_tree_velocity_rate,
    .speeds = carom_tree_speeds,
    .normalise = normalise,
    .retract = retract,
    .difference = difference,
    .take_bodies = take_bodies,
    .body_place = body_place,
    .get_body = get_body,
    .put_body = put_body,
    .move_body = move_body,
    .tolerate = tolerate,
    .accelerate = carom_tree_accelerate,
    .accelerate_again = carom_tree_accelerate_again,
    .reactions = carom_tree_reactions,
    .body_acceleration = body_acceleration,
    .body_change = body_change,
    .delassus = carom_tree_delassus,
    .root_size = carom_tree_root_size,
    .roots = carom_tree_roots,
    .root_column = carom_tree_root_column,
    .free_delassus = carom_tree_free_delassus,
    .row = make_row,
    .couple = couple,
    .row_times = row_times,
    .add_row = add_row,
    .solve = solve,
    .add_rows = add_rows,
    .project = carom_tree_project,
    .weakest = carom_tree_weakest,
    .rank = carom_tree_rank,
    .row_entries = carom_tree_row_entries,
    .mass_matrix = carom_tree_mass_matrix,
};
