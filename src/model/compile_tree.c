/* The spanning tree of the joints, for formulations in joint coordinates. Of the joints that have coordinates of their
   own those are kept, in this order, that have a prescribed motion, that hold most rows (cutting one leaves its rows as
   constraints), and that are near the root, so that loops are cut far from it (Kruskal's method; Featherstone 2008,
   Rigid Body Dynamics Algorithms, section 8.5). The root of what no joint ties to the ground is its heaviest body. */
#include "model/compile.h"

#include <math.h>
#include <stdlib.h>

/* A joint that may be in the tree. */
typedef struct edge {
    int joint, i, j;
    int rows, depth;
    bool driven;
} edge;

typedef struct work {
    carom_compiler *c;
    carom_model *m;
    edge *edges;
    int edge_count;
    int *start, *of;               /* the edges of each body: of[start[body]] ... */
    int *depth;                    /* of each body from its root; -1: not reached */
    int *set;                      /* of each body, for joining them */
    bool *in_tree;                 /* by edge */
    int *hold, *motion, *armature; /* by joint: the blocks of its rows, its motion, its armature; -1: none */
} work;

static bool carries(const carom_model *m, const carom_model_joint *j)
{
    const carom_joint_freedoms *f = j->kind->freedoms;
    return f && !j->kind->outside && j->coupled[0] < 0 && j->clearance.index < 0 &&
           (m->dimension == 3 ? j->kind->rows_3d : j->kind->rows_2d) + f->speeds == (m->dimension == 3 ? 6 : 3);
}

static bool allocate(work *w)
{
    carom_model *m = w->m;
    carom_arena *a = &m->arena;
    const size_t bodies = (size_t)m->body_count + 1, joints = (size_t)m->joint_count;
    carom_tree *t = &m->tree;
    return (w->edges = carom_arena_alloc(a, joints, sizeof *w->edges)) &&
           (w->start = carom_arena_alloc(a, bodies + 1, sizeof *w->start)) &&
           (w->of = carom_arena_alloc(a, 2 * joints, sizeof *w->of)) &&
           (w->depth = carom_arena_alloc(a, bodies, sizeof *w->depth)) &&
           (w->set = carom_arena_alloc(a, bodies, sizeof *w->set)) &&
           (w->in_tree = carom_arena_alloc(a, joints, sizeof *w->in_tree)) &&
           (w->hold = carom_arena_alloc(a, joints, sizeof *w->hold)) &&
           (w->motion = carom_arena_alloc(a, joints, sizeof *w->motion)) &&
           (w->armature = carom_arena_alloc(a, joints, sizeof *w->armature)) &&
           (t->bodies = carom_arena_alloc(a, bodies, sizeof *t->bodies)) &&
           (t->order = carom_arena_alloc(a, bodies, sizeof *t->order)) &&
           (t->place = carom_arena_alloc(a, bodies, sizeof *t->place)) &&
           (t->kept = carom_arena_alloc(a, (size_t)m->block_count, sizeof *t->kept)) &&
           (t->rows = carom_arena_alloc(a, (size_t)m->row_count, sizeof *t->rows)) &&
           (t->cut = carom_arena_alloc(a, joints, sizeof *t->cut));
}

static void list_blocks(work *w)
{
    const carom_model *m = w->m;
    for (int k = 0; k < m->joint_count; k++)
        w->hold[k] = w->motion[k] = w->armature[k] = -1;
    for (int k = 0; k < m->block_count; k++) {
        const carom_constraint_block *e = &m->blocks[k];
        if (e->type == CAROM_BLOCK_JOINT)
            w->hold[e->object] = k;
        else if (e->type == CAROM_BLOCK_JOINT_MOTION)
            w->motion[e->object] = k;
        else if (e->type == CAROM_BLOCK_ARMATURE)
            w->armature[e->object] = k;
    }
}

/* The edges of each body, in their order. */
static void index_edges(work *w)
{
    for (int n = 0; n < 2 * w->edge_count; n++)
        w->of[n] = -1;
    for (int k = 0; k < w->edge_count; k++)
        for (int side = 0; side < 2; side++) {
            int n = w->start[side ? w->edges[k].j : w->edges[k].i];
            while (w->of[n] >= 0)
                n++;
            w->of[n] = k;
        }
}

static void list_edges(work *w)
{
    const carom_model *m = w->m;
    for (int k = 0; k < m->joint_count; k++) {
        const carom_model_joint *j = &m->joints[k];
        const bool cut = (size_t)k < w->c->spec->joint_count && w->c->spec->joints[k].cut;
        if (cut)
            w->m->tree.cut[w->m->tree.cut_count++] = k;
        else if (carries(m, j))
            w->edges[w->edge_count++] = (edge){
                .joint = k, .i = j->i.body, .j = j->j.body, .rows = j->clearance.rows, .driven = w->motion[k] >= 0};
    }
    for (int k = 0; k < w->edge_count; k++) {
        w->start[w->edges[k].i + 1]++;
        w->start[w->edges[k].j + 1]++;
    }
    for (int body = 0; body <= m->body_count; body++)
        w->start[body + 1] += w->start[body];
    index_edges(w);
}

/* The edges from a body outwards: all of them, or those of the tree. Bodies are named in `order` as they are reached;
   returns their new number. */
static int reach(work *w, int root, bool tree, int *order, int count)
{
    carom_tree_body *bodies = w->m->tree.bodies;
    int next = count;
    order[count++] = root;
    while (next < count) {
        const int body = order[next++];
        for (int n = w->start[body]; n < w->start[body + 1]; n++) {
            const edge *e = &w->edges[w->of[n]];
            const int other = e->i == body ? e->j : e->i;
            if ((tree && !w->in_tree[w->of[n]]) || w->depth[other] >= 0)
                continue;
            w->depth[other] = w->depth[body] + 1;
            order[count++] = other;
            if (tree)
                bodies[other] = (carom_tree_body){.parent = body, .joint = e->joint, .reversed = e->i == other};
        }
    }
    return count;
}

/* The heaviest body of what a body is connected with. */
static int heaviest(work *w, int body, int *order)
{
    const carom_model *m = w->m;
    w->depth[body] = 0;
    const int count = reach(w, body, false, order, 0);
    int best = body;
    for (int k = 0; k < count; k++) {
        const double mass = m->bodies[order[k]].mass, most = m->bodies[best].mass;
        if (mass > most || (mass == most && order[k] < best))
            best = order[k];
    }
    for (int k = 0; k < count; k++)
        w->depth[order[k]] = -1;
    return best;
}

/* Distances from the roots. */
static void find_depths(work *w, int *order)
{
    const carom_model *m = w->m;
    for (int body = 0; body <= m->body_count; body++)
        w->depth[body] = -1;
    w->depth[0] = 0;
    reach(w, 0, false, order, 0);
    for (int body = 1; body <= m->body_count; body++)
        if (w->depth[body] < 0) {
            const int root = heaviest(w, body, order);
            w->depth[root] = 0;
            w->m->tree.bodies[root].joint = -1;
            reach(w, root, false, order, 0);
        }
    for (int k = 0; k < w->edge_count; k++) {
        edge *e = &w->edges[k];
        e->depth = w->depth[e->i] > w->depth[e->j] ? w->depth[e->i] : w->depth[e->j];
    }
}

static int compare(const void *first, const void *second)
{
    const edge *a = first, *b = second;
    if (a->driven != b->driven)
        return a->driven ? -1 : 1;
    if (a->rows != b->rows)
        return a->rows > b->rows ? -1 : 1;
    if (a->depth != b->depth)
        return a->depth < b->depth ? -1 : 1;
    return a->joint < b->joint ? -1 : 1;
}

static int set_of(work *w, int body)
{
    while (w->set[body] != body)
        body = w->set[body] = w->set[w->set[body]];
    return body;
}

static void choose(work *w)
{
    carom_tree *t = &w->m->tree;
    qsort(w->edges, (size_t)w->edge_count, sizeof *w->edges, compare);
    for (int body = 0; body <= w->m->body_count; body++)
        w->set[body] = body;
    for (int k = 0; k < w->edge_count; k++) {
        const int i = set_of(w, w->edges[k].i), j = set_of(w, w->edges[k].j);
        w->in_tree[k] = i != j;
        w->set[i] = j;
        if (i == j)
            t->cut[t->cut_count++] = w->edges[k].joint;
    }
}

/* All bodies, the carrying ones first. */
static void order_bodies(work *w)
{
    const carom_model *m = w->m;
    carom_tree *t = &w->m->tree;
    /* roots are known by their depth of 0 */
    int *roots = w->set, root_count = 0;
    for (int body = 1; body <= m->body_count; body++)
        if (w->depth[body] == 0)
            roots[root_count++] = body;
    for (int body = 0; body <= m->body_count; body++)
        w->depth[body] = -1;
    w->depth[0] = 0;
    int count = reach(w, 0, true, t->order, 0);
    for (int k = 0; k < root_count; k++) {
        w->depth[roots[k]] = 0;
        t->bodies[roots[k]] = (carom_tree_body){.joint = -1};
        count = reach(w, roots[k], true, t->order, count);
    }
    /* the ground, which is the first one, is left out */
    for (int k = 0; k + 1 < count; k++)
        t->order[k] = t->order[k + 1];
    t->place[0] = -1;
    for (int k = 0; k < m->body_count; k++) {
        t->place[t->order[k]] = k;
        t->bodies[t->order[k]].leaf = true;
    }
    for (int k = m->body_count - 1; k >= 0; k--) {
        carom_tree_body *b = &t->bodies[t->order[k]], *parent = &t->bodies[b->parent];
        b->last = b->parent && parent->leaf;
        parent->leaf = false;
    }
}

/* Whole turns of a planar body beyond the angle that its joint gives it. */
static double whole_turns(const carom_model *m, const carom_tree_body *b, int body)
{
    const carom_model_joint *j = &m->joints[b->joint];
    const double sign = b->reversed ? -1 : 1;
    const double joint = m->bodies[b->parent].angle + sign * (j->i.angle - j->j.angle);
    return 2 * CAROM_PI * nearbyint((m->bodies[body].angle - joint) / (2 * CAROM_PI));
}

static carom_mat3 combine(const carom_mat3 *left, const carom_mat3 *turn, const carom_mat3 *right, bool reversed)
{
    const carom_mat3 first = reversed ? carom_m3_multiply_by_t(left, turn) : carom_m3_multiply(left, turn);
    return carom_m3_multiply_by_t(&first, right);
}

/* The axis of both bodies that a joint turns about, where their axes are those of each other at q = 0. */
static int find_about(const carom_axial_joint *a)
{
    for (int about = -3; about <= 3; about++) {
        const int k = abs(about) - 1, i = (k + 1) % 3, j = (k + 2) % 3;
        const double sign = about < 0 ? -1 : 1;
        bool same = about != 0;
        for (int row = 0; row < 3 && same; row++)
            for (int n = 0; n < 3; n++) {
                const double sine = row == j && n == i ? sign : row == i && n == j ? -sign : 0;
                same = same && a->still.m[row][n] == (row == k && n == k) &&
                       a->cosine.m[row][n] == (row == n && n != k) && a->sine.m[row][n] == sine;
            }
        const double axis[3] = {a->axis.x, a->axis.y, a->axis.z};
        if (same && axis[k] == sign && axis[i] == 0 && axis[j] == 0)
            return about;
    }
    return 0;
}

/* Where a body is, on a joint without coordinates. */
static void find_place(const carom_model_joint *j, carom_tree_body *b)
{
    const carom_marker *near = b->reversed ? &j->j : &j->i, *far = b->reversed ? &j->i : &j->j;
    carom_vec3 origin;
    carom_mat3 axes;
    j->kind->freedoms->place(j->p, NULL, &origin, &axes);
    b->axial.fixed = true;
    b->axial.still = combine(&near->axes, &axes, &far->axes, b->reversed);
    const carom_vec3 to = carom_m3_apply(b->reversed ? &far->axes : &near->axes, origin);
    carom_vec3 from = far->at;
    if (b->reversed)
        from = carom_v3_add(from, to);
    b->axial.near = carom_v3_sub(near->at, carom_m3_apply(&b->axial.still, from));
    if (!b->reversed)
        b->axial.near = carom_v3_add(b->axial.near, to);
}

/* Whether a joint is axial is told by its freedoms: one column, which is constant and along h. */
static void find_axis(const carom_model *m, carom_tree_body *b)
{
    static const double zero[CAROM_JOINT_POSITIONS];
    static const carom_mat3 still = {{{0, 0, 0}, {0, 0, 0}, {0, 0, 1}}}, cosine = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 0}}},
                            sine = {{{0, -1, 0}, {1, 0, 0}, {0, 0, 0}}};
    const carom_model_joint *j = &m->joints[b->joint];
    const carom_joint_freedoms *f = j->kind->freedoms;
    carom_joint_twist s[CAROM_JOINT_SPEEDS];
    carom_vec3 origin;
    carom_mat3 axes;
    if (f->positions == 0 && f->speeds == 0) {
        find_place(j, b);
        return;
    }
    if (f->positions != 1 || f->speeds != 1 || f->subspace_rate || f->rate)
        return;
    f->subspace(j->p, zero, s);
    f->place(j->p, zero, &origin, &axes);
    const bool along = s->turn.x == 0 && s->turn.y == 0 && s->move.x == 0 && s->move.y == 0 && origin.x == 0 &&
                       origin.y == 0 && (s->turn.z == 0 || s->turn.z == 1) && axes.m[0][0] == 1 && axes.m[2][2] == 1;
    if (!along)
        return;
    const carom_marker *near = b->reversed ? &j->j : &j->i, *far = b->reversed ? &j->i : &j->j;
    const double sign = b->reversed ? -1 : 1;
    const carom_mat3 unit = carom_m3_identity();
    carom_axial_joint *a = &b->axial;
    *a = (carom_axial_joint){.is = true,
                             .turn = s->turn.z,
                             .lead = s->move.z,
                             .offset = origin.z,
                             .axis = carom_v3_scale(sign, carom_m3_column(&near->axes, 2)),
                             .near = near->at,
                             .far = far->at};
    if (a->turn == 0) {
        a->still = combine(&near->axes, &unit, &far->axes, false);
        return;
    }
    a->still = combine(&near->axes, &still, &far->axes, b->reversed);
    a->cosine = combine(&near->axes, &cosine, &far->axes, b->reversed);
    a->sine = combine(&near->axes, &sine, &far->axes, b->reversed);
    a->hinge = a->turn == 1 && a->lead == 0 && a->offset == 0;
    a->about = find_about(a);
}

static void number_coordinates(work *w)
{
    const carom_model *m = w->m;
    carom_tree *t = &w->m->tree;
    const bool planar = m->dimension == 2;
    for (int k = 0; k < m->body_count; k++) {
        const int body = t->order[k];
        carom_tree_body *b = &t->bodies[body];
        const carom_joint_freedoms *f = b->joint >= 0 ? m->joints[b->joint].kind->freedoms : NULL;
        b->q_count = f ? f->positions : planar ? 3 : 7;
        b->v_count = f ? f->speeds : planar ? 3 : 6;
        b->first_q = t->positions;
        b->first_v = t->velocities;
        b->first_free = t->free_count;
        b->motion = f ? w->motion[b->joint] : -1;
        b->armature = f ? w->armature[b->joint] : -1;
        t->positions += b->q_count;
        t->velocities += b->v_count;
        t->free_count += b->v_count - (b->motion >= 0);
        t->driven = t->driven || b->motion >= 0;
        if (f)
            find_axis(m, b);
        if (!f || !planar)
            continue;
        b->angular = m->joints[b->joint].kind->coordinate_unit && m->joints[b->joint].kind->coordinate_unit[0] == 'r';
        b->turns = b->angular ? 0 : whole_turns(m, b, body);
    }
}

/* The blocks of rows that the coordinates hold, and the rows that stay. */
static void sort_rows(work *w)
{
    carom_model *m = w->m;
    carom_tree *t = &m->tree;
    for (int k = 0; k < m->body_count; k++) {
        const carom_tree_body *b = &t->bodies[t->order[k]];
        const int blocks[] = {b->motion, b->armature, b->joint < 0 ? -1 : w->hold[b->joint]};
        for (size_t e = 0; e < CAROM_COUNT(blocks); e++)
            if (blocks[e] >= 0)
                t->kept[blocks[e]] = true;
    }
    for (int k = 0; k < m->block_count; k++) {
        for (int r = 0; !t->kept[k] && r < m->blocks[k].row_count; r++)
            t->rows[t->row_count++] = m->blocks[k].first_row + r;
        t->armature_count += !t->kept[k] && m->blocks[k].type == CAROM_BLOCK_ARMATURE;
    }
}

carom_status carom_compile_tree(carom_compiler *c)
{
    work w = {.c = c, .m = c->model};
    if (!allocate(&w))
        return carom_fail_memory(c->ctx);
    list_blocks(&w);
    list_edges(&w);
    find_depths(&w, w.m->tree.order);
    choose(&w);
    index_edges(&w);
    order_bodies(&w);
    number_coordinates(&w);
    sort_rows(&w);
    return CAROM_OK;
}
