/* Sweeps over the spanning tree: the articulated-body algorithm (Featherstone 2008, Rigid Body Dynamics Algorithms,
   chapter 7), with prescribed coordinates taken out (hybrid dynamics, section 9.2). With D = S^T I S = L L^T of each
   joint they are
     inward   z = L^-1 (tau - S^T p),   p' += X^T (p + W z),   W = I S L^-T,
     outward  a = X a' + c,   u' = L^-T (z - W^T a),   a += S u'.
   z of a force is the root of the inverse mass matrix times it: J H^-1 J^T = Z Z^T, with one inward sweep for each row
   of Z (Kreutz-Delgado, Jain and Rodriguez 1992, Int. J. Robot. Res. 11, 320). */
#include "dynamics/formulation/tree.h"
#include "dynamics/dynamics.h"

#include <math.h>
#include <string.h>

/* a += s v v^T */
static inline void add_square(double a[6], double s, carom_vec3 v)
{
    const carom_vec3 w = carom_v3_scale(s, v);
    a[0] += w.x * v.x;
    a[1] += w.x * v.y;
    a[2] += w.x * v.z;
    a[3] += w.y * v.y;
    a[4] += w.y * v.z;
    a[5] += w.z * v.z;
}

/* The moments of inertia of a body alone about its centre of mass, world axes. */
static inline void own_moments(const carom_evaluation *d, int body, double a[6])
{
    const carom_model *m = d->model;
    const carom_model_body *b = &m->bodies[body];
    if (b->principal || b->isotropic || m->dimension == 2) {
        /* by R R^T = 1 the last moment is that about all axes, and bodies of revolution need one axis alone */
        const double last = b->inertia.m[2][2], more[2] = {b->inertia.m[0][0] - last, b->inertia.m[1][1] - last};
        a[0] = a[3] = m->dimension == 2 ? 0 : last;
        a[1] = a[2] = a[4] = 0;
        a[5] = last;
        for (int k = 0; k < 2 && m->dimension == 3; k++)
            if (more[k] != 0)
                add_square(a, more[k], carom_m3_column(&d->pose[body].axes, k));
        return;
    }
    const carom_mat3 *r = &d->pose[body].axes;
    const carom_mat3 half = carom_m3_multiply(r, &b->inertia);
    const double(*h)[3] = half.m, (*x)[3] = r->m;
    a[0] = h[0][0] * x[0][0] + h[0][1] * x[0][1] + h[0][2] * x[0][2];
    a[1] = h[0][0] * x[1][0] + h[0][1] * x[1][1] + h[0][2] * x[1][2];
    a[2] = h[0][0] * x[2][0] + h[0][1] * x[2][1] + h[0][2] * x[2][2];
    a[3] = h[1][0] * x[1][0] + h[1][1] * x[1][1] + h[1][2] * x[1][2];
    a[4] = h[1][0] * x[2][0] + h[1][1] * x[2][1] + h[1][2] * x[2][2];
    a[5] = h[2][0] * x[2][0] + h[2][1] * x[2][1] + h[2][2] * x[2][2];
}

static inline void put_inertia(double mass, const double a[6], carom_articulated *out)
{
#pragma GCC unroll 6
    for (int k = 0; k < 6; k++)
        out->a[k] = a[k];
    out->c[0] = out->c[3] = out->c[5] = mass;
    out->c[1] = out->c[2] = out->c[4] = 0;
#pragma GCC unroll 3
    for (int k = 0; k < 3; k++)
        out->b.m[k][0] = out->b.m[k][1] = out->b.m[k][2] = 0;
}

/* L of a symmetric matrix of order n, in the place of its lower part; false if it is not positive. */
static bool cholesky(int n, int width, double *a)
{
    for (int k = 0; k < n; k++) {
        for (int i = 0; i < k; i++) {
            double sum = a[k * width + i];
            for (int j = 0; j < i; j++)
                sum -= a[k * width + j] * a[i * width + j];
            a[k * width + i] = sum / a[i * width + i];
        }
        double sum = a[k * width + k];
        for (int j = 0; j < k; j++)
            sum -= a[k * width + j] * a[k * width + j];
        if (!(sum > 0))
            return false;
        a[k * width + k] = sqrt(sum);
    }
    return true;
}

/* x of L x = b and of L^T x = b, in the place of b. */
static void solve_lower(int n, int width, const double *l, double *b)
{
    for (int k = 0; k < n; k++) {
        for (int i = 0; i < k; i++)
            b[k] -= l[k * width + i] * b[i];
        b[k] /= l[k * width + k];
    }
}

static void solve_upper(int n, int width, const double *l, double *b)
{
    for (int k = n - 1; k >= 0; k--) {
        for (int i = k + 1; i < n; i++)
            b[k] -= l[i * width + k] * b[i];
        b[k] /= l[k * width + k];
    }
}

/* The speeds of a free body are those of its centre of mass, then of its axes. */
void carom_tree_root_vector(int n, carom_vec3 turn, carom_vec3 move, double *out)
{
    out[0] = move.x;
    out[1] = move.y;
    if (n == 3) {
        out[2] = turn.z;
        return;
    }
    out[2] = move.z;
    out[3] = turn.x;
    out[4] = turn.y;
    out[5] = turn.z;
}

static carom_motion_vector root_motion(int n, const double *u)
{
    if (n == 3)
        return (carom_motion_vector){{0, 0, u[2]}, {u[0], u[1], 0}};
    return (carom_motion_vector){carom_v3_load(u + 3), carom_v3_load(u)};
}

static bool factor_root(int n, const carom_articulated *i, carom_tree_root *out)
{
    for (int k = 0; k < n; k++) {
        double unit[6] = {0}, column[6];
        unit[k] = 1;
        const carom_motion_vector x = root_motion(n, unit), force = carom_articulated_apply(i, &x);
        carom_tree_root_vector(n, force.turn, force.move, column);
        for (int row = k; row < n; row++)
            out->l[row][k] = column[row];
    }
    return cholesky(n, 6, &out->l[0][0]);
}

static bool factor_joint(int n, double armature, const carom_motion_vector *columns, carom_tree_sweep *s)
{
    for (int k = 0; k < n; k++) {
        s->w[k] = carom_articulated_apply(&s->inertia, &columns[k]);
        for (int i = 0; i <= k; i++)
            s->l[k][i] = carom_motion_pair(&columns[i], &s->w[k]);
    }
    s->l[0][0] += armature;
    if (!cholesky(n, CAROM_TREE_COLUMNS, &s->l[0][0]))
        return false;
    for (int k = 0; k < n; k++) { /* W L^T = I S */
        for (int i = 0; i < k; i++) {
            s->w[k].turn = carom_v3_add_scaled(s->w[k].turn, -s->l[k][i], s->w[i].turn);
            s->w[k].move = carom_v3_add_scaled(s->w[k].move, -s->l[k][i], s->w[i].move);
        }
        const double scale = 1 / s->l[k][k];
        s->w[k].turn = carom_v3_scale(scale, s->w[k].turn);
        s->w[k].move = carom_v3_scale(scale, s->w[k].move);
    }
    return true;
}

/* ---- sweeps ---- */

/* What keeps a body from accelerating beyond a0: its inertia less the wrench on it. */
static inline void own_force(const carom_evaluation *d, int body, const double moments[6], carom_wrench *p)
{
    const carom_model *m = d->model;
    const carom_wrench *w = &d->wrench[body];
    const carom_motion_vector *a0 = &d->tree->motion[body].a0;
    const double mass = m->bodies[body].mass;
    p->force = carom_v3_sub(carom_v3_scale(mass, a0->move), w->force);
    p->torque = carom_v3_sub(carom_symmetric_apply(moments, a0->turn), w->torque);
    if (m->dimension == 3 && !m->bodies[body].isotropic) {
        const carom_vec3 spin = d->pose[body].w;
        p->torque = carom_v3_add(p->torque, carom_v3_cross(spin, carom_symmetric_apply(moments, spin)));
    }
}

/* z of a body from the p of its subtree, in the place of which its share of the p of the body that carries it. */
static inline void pass_in(const carom_evaluation *d, int body, double *z, carom_wrench *p)
{
    const carom_tree_body *tb = &d->model->tree.bodies[body];
    carom_tree_work *work = d->system->tree;
    const carom_tree_sweep *s = &work->body[body];
    const carom_tree_motion *motion = &d->tree->motion[body];
    carom_vec3 torque = p->torque, force = p->force;
    if (carom_tree_is_root(tb)) {
        carom_tree_root_vector(tb->v_count, carom_v3_neg(torque), carom_v3_neg(force), z);
        solve_lower(tb->v_count, 6, &work->root[body].l[0][0], z);
        return;
    }
    const int first = carom_tree_first(tb), n = tb->v_count - first;
    if (n == 1) {
        const carom_motion_vector *column = &motion->s[first];
        z[0] = -s->scale * (carom_v3_dot(column->turn, torque) + carom_v3_dot(column->move, force));
    } else {
        for (int k = 0; k < n; k++)
            z[k] = -carom_v3_dot(motion->s[first + k].turn, torque) - carom_v3_dot(motion->s[first + k].move, force);
        solve_lower(n, CAROM_TREE_COLUMNS, &s->l[0][0], z);
    }
    if (tb->parent == 0)
        return;
    for (int k = 0; k < n; k++) {
        torque = carom_v3_add_scaled(torque, z[k], s->w[k].turn);
        force = carom_v3_add_scaled(force, z[k], s->w[k].move);
    }
    p->force = force;
    p->torque = carom_v3_add(torque, carom_v3_cross(motion->r, force));
}

/* The same with that of each body in its place. */
static inline void sweep_in(const carom_evaluation *d, int body, double *z, carom_wrench *p)
{
    const int parent = d->model->tree.bodies[body].parent;
    carom_wrench share = p[body];
    pass_in(d, body, z, &share);
    if (parent == 0)
        return;
    p[parent].force = carom_v3_add(p[parent].force, share.force);
    p[parent].torque = carom_v3_add(p[parent].torque, share.torque);
}

void carom_tree_own_inertia(const carom_evaluation *d, int body, carom_articulated *out)
{
    double moments[6];
    own_moments(d, body, moments);
    put_inertia(d->model->bodies[body].mass, moments, out);
}

/* What a body is without those that it carries. */
static inline void start_body(const carom_evaluation *d, int body)
{
    carom_tree_work *work = d->system->tree;
    double moments[6];
    own_moments(d, body, moments);
    own_force(d, body, moments, &work->p[body]);
    put_inertia(d->model->bodies[body].mass, moments, &work->body[body].inertia);
}

/* A body with one free column, and its share of the inertia and of the p of the body that carries it. That is
   I - w w^T, shifted: both are shifted while D and its inverse are found, for which the next body waits. */
static inline bool articulate_one(const carom_evaluation *d, int body, double armature, double *z)
{
    carom_tree_work *work = d->system->tree;
    const int parent = d->model->tree.bodies[body].parent;
    carom_tree_sweep *s = &work->body[body];
    const carom_tree_motion *motion = &d->tree->motion[body];
    const carom_motion_vector *column = &motion->s[carom_tree_first(&d->model->tree.bodies[body])];
    carom_motion_vector w = carom_articulated_apply(&s->inertia, column);
    const double own = carom_motion_pair(column, &w) + armature;
    if (!(own > 0))
        return false;
    const double inverse = 1 / own, scale = sqrt(inverse);
    s->scale = scale;
    s->w[0].turn = carom_v3_scale(scale, w.turn);
    s->w[0].move = carom_v3_scale(scale, w.move);
    const carom_wrench *p = &work->p[body];
    const double push = carom_v3_dot(column->turn, p->torque) + carom_v3_dot(column->move, p->force);
    if (z)
        *z = -scale * push;
    if (parent == 0)
        return true;
    carom_articulated *inertia = &work->body[parent].inertia;
    carom_wrench *share = &work->p[parent];
    w = carom_force_shifted(&w, motion->r);
    carom_articulated_add_shifted(inertia, &s->inertia, motion->r);
    carom_articulated_take_off(inertia, inverse, &w);
    if (!z)
        return true;
    const double held = inverse * push;
    const carom_vec3 torque = carom_v3_add(p->torque, carom_v3_cross(motion->r, p->force));
    share->force = carom_v3_add(share->force, carom_v3_add_scaled(p->force, -held, w.move));
    share->torque = carom_v3_add(share->torque, carom_v3_add_scaled(torque, -held, w.turn));
    return true;
}

static bool articulate_other(const carom_evaluation *d, int body, int n, double armature, double *z)
{
    const carom_tree_body *tb = &d->model->tree.bodies[body];
    carom_tree_work *work = d->system->tree;
    carom_tree_sweep *s = &work->body[body];
    const carom_tree_motion *motion = &d->tree->motion[body];
    if (carom_tree_is_root(tb) ? !factor_root(tb->v_count, &s->inertia, &work->root[body])
                               : n && !factor_joint(n, armature, &motion->s[carom_tree_first(tb)], s))
        return false;
    if (z)
        sweep_in(d, body, z, work->p);
    if (tb->parent == 0)
        return true;
    carom_articulated *inertia = &work->body[tb->parent].inertia;
    carom_articulated_add_shifted(inertia, &s->inertia, motion->r);
    for (int c = 0; c < n; c++) {
        const carom_motion_vector w = carom_force_shifted(&s->w[c], motion->r);
        carom_articulated_take_off(inertia, 1, &w);
    }
    return true;
}

bool carom_tree_articulate(const carom_evaluation *d, double *z)
{
    const carom_model *m = d->model;
    const carom_tree *t = &m->tree;
    for (int k = m->body_count - 1; k >= 0; k--) {
        const int body = t->order[k];
        const carom_tree_body *tb = &t->bodies[body];
        if (tb->leaf)
            start_body(d, body);
        if (tb->last)
            start_body(d, tb->parent);
        const int first = carom_tree_first(tb), n = tb->v_count - first;
        const double armature = first ? 0 : carom_tree_armature(m, tb);
        double *own = z ? z + tb->first_free : NULL;
        if (!(n == 1 ? articulate_one(d, body, armature, own) : articulate_other(d, body, n, armature, own)))
            return false;
    }
    return true;
}

void carom_tree_sweep_all_in(const carom_evaluation *d, double *z)
{
    const carom_model *m = d->model;
    const carom_tree *t = &m->tree;
    carom_tree_work *work = d->system->tree;
    for (int body = 1; body <= m->body_count; body++) {
        double moments[6];
        own_moments(d, body, moments);
        own_force(d, body, moments, &work->p[body]);
    }
    for (int k = m->body_count - 1; k >= 0; k--)
        sweep_in(d, t->order[k], z + t->bodies[t->order[k]].first_free, work->p);
}

/* Rates of the free speeds of a body from z and the acceleration of its place, which becomes its own. */
static inline void sweep_out(const carom_evaluation *d, int body, const double *z, carom_motion_vector *a,
                             double *rates)
{
    const carom_tree_body *tb = &d->model->tree.bodies[body];
    const carom_tree_work *work = d->system->tree;
    if (carom_tree_is_root(tb)) {
        memcpy(rates, z, (size_t)tb->v_count * sizeof *z);
        solve_upper(tb->v_count, 6, &work->root[body].l[0][0], rates);
        *a = root_motion(tb->v_count, rates);
        return;
    }
    const carom_tree_sweep *s = &work->body[body];
    const carom_tree_motion *motion = &d->tree->motion[body];
    const int first = carom_tree_first(tb), n = tb->v_count - first;
    for (int k = 0; k < n; k++)
        rates[k] = z[k] - carom_motion_pair(a, &s->w[k]);
    if (n == 1)
        rates[0] *= s->scale;
    else
        solve_upper(n, CAROM_TREE_COLUMNS, &s->l[0][0], rates);
    for (int k = 0; k < n; k++) {
        a->turn = carom_v3_add_scaled(a->turn, rates[k], motion->s[first + k].turn);
        a->move = carom_v3_add_scaled(a->move, rates[k], motion->s[first + k].move);
    }
}

/* The accelerations that z makes; returns that of the body. */
static inline carom_motion_vector move_body(const carom_evaluation *d, int body, const double *z, double *rates)
{
    const carom_tree_body *tb = &d->model->tree.bodies[body];
    carom_tree_sweep *sweep = d->system->tree->body;
    carom_motion_vector a = {{0, 0, 0}, {0, 0, 0}};
    if (tb->parent)
        a = carom_tree_carried(&sweep[tb->parent].a, d->tree->motion[body].r);
    sweep_out(d, body, z + tb->first_free, &a, rates);
    sweep[body].a = a;
    return a;
}

void carom_tree_sweep_all_out(const carom_evaluation *d, const double *z, double *x, double *rates)
{
    const carom_model *m = d->model;
    const carom_tree *t = &m->tree;
    for (int k = 0; k < m->body_count; k++) {
        const int body = t->order[k];
        const carom_tree_body *tb = &t->bodies[body];
        double own[6] = {0};
        const carom_motion_vector a = move_body(d, body, z, own);
        carom_tree_add_to_body(m, body, &a, x);
        for (int c = 0; rates && c < tb->v_count - carom_tree_first(tb); c++)
            rates[tb->first_v + carom_tree_first(tb) + c] += own[c];
    }
}

void carom_tree_sweep_motion(carom_evaluation *d, const double *z)
{
    const carom_model *m = d->model;
    const carom_tree *t = &m->tree;
    for (int k = 0; k < m->body_count; k++) {
        const int body = t->order[k];
        const carom_tree_body *tb = &t->bodies[body];
        const carom_motion_vector *a0 = &d->tree->motion[body].a0;
        double *rates = d->tree->rates + tb->first_v;
        if (tb->motion >= 0)
            *rates++ = d->tree->drive[body].acceleration;
        const carom_motion_vector a = move_body(d, body, z, rates);
        carom_tree_put_body(m, body,
                            &(carom_motion_vector){carom_v3_add(a0->turn, a.turn), carom_v3_add(a0->move, a.move)},
                            d->acceleration);
    }
}

void carom_tree_sweep_path_in(const carom_evaluation *d, int body, carom_wrench *p, double *const *z)
{
    const carom_tree *t = &d->model->tree;
    carom_wrench a = p[0], b = p[1];
    for (int k = 0; k < 2; k++)
        memset(z[k], 0, (size_t)carom_tree_width(t) * sizeof *z[k]);
    for (; body; body = t->bodies[body].parent) {
        const int first = t->bodies[body].first_free;
        pass_in(d, body, z[0] + first, &a);
        pass_in(d, body, z[1] + first, &b);
    }
}

/* z of wrenches on a few bodies, which are -p of these: along their paths to the roots. Entries of the others are 0. */
void carom_tree_sweep_paths_in(const carom_evaluation *d, int *bodies, int count, double *z)
{
    const carom_tree *t = &d->model->tree;
    carom_tree_work *work = d->system->tree;
    carom_wrench *p = work->p;
    memset(z, 0, (size_t)carom_tree_width(t) * sizeof *z);
    for (;;) {
        int body = 0;
        for (int k = 0; k < count; k++)
            if (t->place[bodies[k]] > t->place[body])
                body = bodies[k];
        if (body == 0)
            return;
        const int parent = t->bodies[body].parent;
        bool known = false;
        for (int k = 0; k < count; k++)
            known = known || bodies[k] == parent;
        if (!known && parent)
            p[parent] = (carom_wrench){{0, 0, 0}, {0, 0, 0}};
        sweep_in(d, body, z + t->bodies[body].first_free, p);
        for (int k = 0; k < count; k++)
            if (bodies[k] == body)
                bodies[k] = parent;
    }
}
