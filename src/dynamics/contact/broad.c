/* Broad phase: a tree of boxes about the bounding spheres of the members, made again when one has moved by half the
   skin, and the list of near pairs that it gives (Verlet 1967, Phys. Rev. 159, 98). The order of the list does not
   depend on when it was made, and neither do the results. */
#include "dynamics/contact/broad.h"

#include "base/team.h"
#include "kinds/shape/shape.h"

#include <math.h>
#include <string.h>

/* Pairs are listed up to this share of the mean bounding radius apart at first. Later lists follow what they cost: to
   make one costs as much, for each member, as a step with LIST_PAIRS more pairs. The steps that a list lasts and the
   pairs that the skin adds both grow with the skin, which is best where both cost the same. */
#define SKIN_SHARE 0.2
#define LEAST_SHARE 0.01
#define GREATEST_SHARE 0.4
#define LIST_PAIRS 80
#define LEAF_SIZE 4
#define PARTNERS 24
#define TREE_DEPTH 64

typedef struct tree_node {
    double low[3], high[3];
    int first, count;           /* members of a leaf in `order`; inner nodes: count 0, their second child is `first` */
} tree_node;

typedef struct carom_set_tree {
    int *bounded, *unbounded;   /* members, ascending */
    int bounded_count, unbounded_count;
} set_tree;

struct carom_broad {
    carom_context *ctx;
    const carom_model *model;
    carom_arena arena;
    double radius, skin;        /* mean bounding radius, how far apart pairs are listed [m] */
    int steps;                  /* that the list has lasted */
    size_t added;               /* pairs of the list that the skin adds */
    carom_vec3 *centre, *placed;        /* of each member, now and in the list */
    int *first_of, *members;    /* those of body k are members[first_of[k]] ..; -1 - member: not at its centre */
    double *farthest;           /* of each part of the bodies, square of the way since the list was made, when it was
                                   taken last */
    double *passed;             /* of each, most that the way has grown since */
    double *speed;              /* of each, HUGE_VAL: not known */
    bool centred;               /* all members are at the centres of their bodies */
    set_tree *trees;            /* one a set */
    tree_node *nodes;
    int node_count;
    int *order;                 /* members in the order of the leaves */
    int *hits;                  /* partners of a member */
    int *partners, *partner_count;      /* the same of each, PARTNERS of them at most; -1: it has more */
    carom_candidate *candidates;
    size_t *firsts;             /* of each member, the first of the candidates in which it is i */
    size_t count, capacity;
};

/* ---- members ---- */

/* Members ordered by their bodies. */
static void list_by_body(carom_broad *b)
{
    const carom_model *m = b->model;
    for (int k = 0; k < m->member_count; k++)
        b->first_of[m->members[k].body]++;
    for (int body = 0; body <= m->body_count; body++)
        b->first_of[body + 1] += b->first_of[body];
    b->centred = true;
    for (int k = m->member_count - 1; k >= 0; k--) {
        const bool centred = m->shapes[m->members[k].shape].centred;
        b->members[--b->first_of[m->members[k].body]] = centred ? k : -1 - k;
        b->centred = b->centred && (centred || !m->members[k].body);
    }
}

carom_status carom_broad_create(carom_context *ctx, const carom_model *m, carom_broad **out)
{
    *out = NULL;
    carom_broad *b = carom_allocate(ctx, 1, sizeof *b);
    if (!b)
        return carom_fail_memory(ctx);
    b->ctx = ctx;
    b->model = m;
    carom_arena_init(&b->arena, ctx);
    const size_t members = (size_t)m->member_count;
    b->centre = carom_arena_alloc(&b->arena, members, sizeof *b->centre);
    b->placed = carom_arena_alloc(&b->arena, members, sizeof *b->placed);
    b->first_of = carom_arena_alloc(&b->arena, (size_t)m->body_count + 2, sizeof *b->first_of);
    b->members = carom_arena_alloc(&b->arena, members, sizeof *b->members);
    b->farthest = carom_arena_alloc(&b->arena, (size_t)carom_body_parts(m), sizeof *b->farthest);
    b->passed = carom_arena_alloc(&b->arena, (size_t)carom_body_parts(m), sizeof *b->passed);
    b->speed = carom_arena_alloc(&b->arena, (size_t)carom_body_parts(m), sizeof *b->speed);
    b->trees = carom_arena_alloc(&b->arena, (size_t)m->contact_set_count, sizeof *b->trees);
    b->nodes = carom_arena_alloc(&b->arena, 2 * members + 1, sizeof *b->nodes);
    b->order = carom_arena_alloc(&b->arena, members, sizeof *b->order);
    b->hits = carom_arena_alloc(&b->arena, members, sizeof *b->hits);
    b->partners = carom_arena_alloc(&b->arena, PARTNERS * members, sizeof *b->partners);
    b->partner_count = carom_arena_alloc(&b->arena, members, sizeof *b->partner_count);
    b->firsts = carom_arena_alloc(&b->arena, members + 1, sizeof *b->firsts);
    int *lists = carom_arena_alloc(&b->arena, members, sizeof *lists);
    if (!b->centre || !b->placed || !b->first_of || !b->members || !b->farthest || !b->passed || !b->speed ||
        !b->trees || !b->nodes || !b->order || !b->hits || !b->partners || !b->partner_count || !b->firsts || !lists) {
        carom_broad_free(b);
        return carom_fail_memory(ctx);
    }
    list_by_body(b);
    double sum = 0;
    int bounded = 0;
    for (int p = 0; p < m->contact_set_count; p++) {
        const carom_contact_set *set = &m->contact_sets[p];
        set_tree *tree = &b->trees[p];
        tree->bounded = lists;
        for (int k = set->first; k < set->first + set->count; k++)
            if (isfinite(m->members[k].radius)) {
                tree->bounded[tree->bounded_count++] = k;
                sum += m->members[k].radius;
                bounded++;
            }
        lists += tree->bounded_count;
        tree->unbounded = lists;
        for (int k = set->first; k < set->first + set->count; k++)
            if (!isfinite(m->members[k].radius))
                tree->unbounded[tree->unbounded_count++] = k;
        lists += tree->unbounded_count;
    }
    b->radius = bounded ? sum / bounded : 0;
    b->skin = SKIN_SHARE * b->radius;
    *out = b;
    return CAROM_OK;
}

void carom_broad_free(carom_broad *b)
{
    if (!b)
        return;
    carom_release(b->ctx, b->candidates, b->capacity, sizeof *b->candidates);
    carom_arena_free(&b->arena);
    carom_release(b->ctx, b, 1, sizeof *b);
}

carom_candidate *carom_broad_candidates(carom_broad *b, size_t *count)
{
    *count = b->count;
    return b->candidates;
}

const size_t *carom_broad_firsts(const carom_broad *b) { return b->firsts; }

/* Of a member that is not at its body's centre of mass. */
static carom_vec3 centre_of(const carom_broad *b, int k, const carom_body_pose *body)
{
    return carom_v3_add(body->p, carom_m3_apply(&body->axes, b->model->shapes[b->model->members[k].shape].at));
}

/* Centres of the members of bodies, and the square of the longest way since the list was made. */
static double move_bodies(carom_broad *b, int first, int last, const carom_body_pose *pose)
{
    double farthest = 0;
    for (int body = first; body <= last; body++)
        for (int n = b->first_of[body]; n < b->first_of[body + 1]; n++) {
            const bool centred = b->members[n] >= 0;
            const int k = centred ? b->members[n] : -1 - b->members[n];
            b->centre[k] = centred ? pose[body].p : centre_of(b, k, &pose[body]);
            const carom_vec3 moved = carom_v3_sub(b->centre[k], b->placed[k]);
            const double square = carom_v3_dot(moved, moved);
            farthest = square > farthest ? square : farthest;
        }
    return farthest;
}

void carom_broad_move(carom_broad *b, int part, const carom_body_pose *pose)
{
    int before;
    const int last = carom_body_part(b->model, part, &before);
    b->farthest[part] = move_bodies(b, part ? before + 1 : 0, last, pose);
    b->passed[part] = 0;
    b->speed[part] = HUGE_VAL;
}

void carom_broad_move_all(carom_broad *b, const carom_body_pose *pose)
{
    for (int k = 0; k < carom_body_parts(b->model); k++)
        carom_broad_move(b, k, pose);
}

void carom_broad_set_speed(carom_broad *b, int part, double speed) { b->speed[part] = speed; }

bool carom_broad_stays(const carom_broad *b, double h)
{
    bool stays = b->centred;
    for (int k = 0; stays && k < carom_body_parts(b->model); k++)
        stays = sqrt(b->farthest[k]) + b->passed[k] + h * b->speed[k] < 0.499 * b->skin;
    return stays;
}

void carom_broad_pass(carom_broad *b, double h)
{
    for (int k = 0; k < carom_body_parts(b->model); k++)
        b->passed[k] += h * b->speed[k];
    b->steps++;
}

bool carom_broad_moved(carom_broad *b)
{
    double farthest = 0;
    for (int k = 0; k < carom_body_parts(b->model); k++)
        farthest = b->farthest[k] > farthest ? b->farthest[k] : farthest;
    b->steps++;
    return !(farthest <= 0.25 * b->skin * b->skin);
}

bool carom_broad_near(const carom_broad *b, int i, int j, double reach)
{
    const carom_vec3 apart = carom_v3_sub(b->centre[j], b->centre[i]);
    return carom_v3_dot(apart, apart) <= reach * reach;
}

/* ---- the tree ---- */

static double along(carom_vec3 v, int axis) { return axis == 0 ? v.x : axis == 1 ? v.y : v.z; }

/* Box of members order[first ..] with their radii and half the skin; of their centres into `inner`. */
static void enclose(const carom_broad *b, int first, int count, tree_node *node, double inner[2][3])
{
    for (int axis = 0; axis < 3; axis++) {
        node->low[axis] = inner[0][axis] = HUGE_VAL;
        node->high[axis] = inner[1][axis] = -HUGE_VAL;
    }
    for (int n = first; n < first + count; n++) {
        const int k = b->order[n];
        const double reach = b->model->members[k].radius + 0.5 * b->skin;
        for (int axis = 0; axis < 3; axis++) {
            const double x = along(b->centre[k], axis);
            node->low[axis] = x - reach < node->low[axis] ? x - reach : node->low[axis];
            node->high[axis] = x + reach > node->high[axis] ? x + reach : node->high[axis];
            inner[0][axis] = x < inner[0][axis] ? x : inner[0][axis];
            inner[1][axis] = x > inner[1][axis] ? x : inner[1][axis];
        }
    }
}

/* Puts the smaller half along an axis before the others (Hoare 1961, Algorithm 65). */
static void halve(const carom_broad *b, int *order, int count, int axis)
{
    int low = 0, high = count - 1;
    const int middle = count / 2;
    while (low < high) {
        const double pivot = along(b->centre[order[(low + high) / 2]], axis);
        int i = low, j = high;
        while (i <= j) {
            while (along(b->centre[order[i]], axis) < pivot)
                i++;
            while (along(b->centre[order[j]], axis) > pivot)
                j--;
            if (i <= j) {
                const int swap = order[i];
                order[i++] = order[j];
                order[j--] = swap;
            }
        }
        if (middle <= j)
            high = j;
        else if (middle >= i)
            low = i;
        else
            return;
    }
}

/* Splits at the median of the longest axis; nodes stand in the order of a walk, a first child behind its parent. */
static void make_tree(carom_broad *b, const set_tree *tree)
{
    struct {
        int first, count, parent;
    } stack[TREE_DEPTH];
    int depth = 0;
    b->node_count = 0;
    if (!tree->bounded_count)
        return;
    memcpy(b->order, tree->bounded, (size_t)tree->bounded_count * sizeof *b->order);
    stack[depth].first = 0;
    stack[depth].count = tree->bounded_count;
    stack[depth++].parent = -1;
    while (depth) {
        depth--;
        const int first = stack[depth].first, count = stack[depth].count, at = b->node_count++;
        double inner[2][3];
        tree_node *node = &b->nodes[at];
        if (stack[depth].parent >= 0)
            b->nodes[stack[depth].parent].first = at;
        enclose(b, first, count, node, inner);
        node->first = first;
        node->count = count <= LEAF_SIZE ? count : 0;
        if (node->count)
            continue;
        int axis = 0;
        for (int k = 1; k < 3; k++)
            axis = inner[1][k] - inner[0][k] > inner[1][axis] - inner[0][axis] ? k : axis;
        halve(b, b->order + first, count, axis);
        stack[depth].first = first + count / 2;
        stack[depth].count = count - count / 2;
        stack[depth++].parent = at;
        stack[depth].first = first;
        stack[depth].count = count / 2;
        stack[depth++].parent = -1;
    }
}

/* Members behind k whose spheres come within the skin of its sphere; -1: there are more than `room`. */
static int search(const carom_broad *b, int k, int *hits, int room)
{
    const carom_set_member *members = b->model->members;
    const carom_vec3 c = b->centre[k];
    const double reach = members[k].radius + 0.5 * b->skin;
    const double low[3] = {c.x - reach, c.y - reach, c.z - reach}, high[3] = {c.x + reach, c.y + reach, c.z + reach};
    int stack[TREE_DEPTH], depth = 0, count = 0;
    if (b->node_count)
        stack[depth++] = 0;
    while (depth) {
        const int at = stack[--depth];
        const tree_node *node = &b->nodes[at];
        if (node->low[0] > high[0] || node->high[0] < low[0] || node->low[1] > high[1] || node->high[1] < low[1] ||
            node->low[2] > high[2] || node->high[2] < low[2])
            continue;
        if (!node->count) {
            stack[depth++] = node->first;
            stack[depth++] = at + 1;
            continue;
        }
        for (int n = node->first; n < node->first + node->count; n++) {
            const int j = b->order[n];
            const carom_vec3 apart = carom_v3_sub(b->centre[j], c);
            const double within = members[k].radius + members[j].radius + b->skin;
            if (j <= k || !(carom_v3_dot(apart, apart) <= within * within))
                continue;
            if (count == room)
                return -1;
            hits[count++] = j;
        }
    }
    return count;
}

/* ---- the list ---- */

static void sort_hits(int *hits, int count)
{
    for (int n = 1; n < count; n++) {
        const int hit = hits[n];
        int at = n;
        for (; at > 0 && hits[at - 1] > hit; at--)
            hits[at] = hits[at - 1];
        hits[at] = hit;
    }
}

/* Whether a bounded and an unbounded member are near: a shape that turns may come nearer by its size. Unbounded ones
   that move are always near. */
static bool near_unbounded(const carom_broad *b, const carom_model_contact *law, int i, int j,
                           const carom_body_pose *pose)
{
    const carom_model *m = b->model;
    const carom_set_member *a = &m->members[i], *c = &m->members[j];
    const carom_set_member *bounded = isfinite(a->radius) ? a : c, *other = bounded == a ? c : a;
    if (!isfinite(bounded->radius) || other->body != 0 || law->pair->points)
        return true;
    const carom_contact_sides sides = {&m->shapes[a->shape], &m->shapes[c->shape], 0, NULL};
    carom_contact_point point;
    carom_contact_geometry_of(law, &sides, &pose[a->body], &pose[c->body], &point);
    return point.gap < b->skin + (m->shapes[bounded->shape].kind->isotropic ? 0 : 2 * bounded->radius);
}

/* The law of a pair of members that is to be listed, else NULL. */
static const carom_model_contact *law_of(const carom_broad *b, int p, int i, int j, const carom_body_pose *pose)
{
    const carom_model *m = b->model;
    const carom_contact_set *set = &m->contact_sets[p];
    const carom_set_member *a = &m->members[i], *c = &m->members[j];
    const carom_model_contact *law = set->laws[a->group * set->group_count + c->group];
    const bool listed = law && carom_contact_set_pairs(m, set, a, c) &&
                        (isfinite(a->radius + c->radius) || near_unbounded(b, law, i, j, pose));
    return listed ? law : NULL;
}

/* Partners of member i that stand behind it, ascending; -1: there are more than `room`. */
static int find_partners(const carom_broad *b, int p, int i, const carom_body_pose *pose, int *hits, int room)
{
    const set_tree *tree = &b->trees[p];
    const bool bounded = isfinite(b->model->members[i].radius);
    int count = bounded ? search(b, i, hits, room) : 0, kept = 0;
    if (count < 0)
        return -1;
    for (int k = bounded ? 1 : 0; k < 2; k++) {
        const int *others = k ? tree->unbounded : tree->bounded;
        const int other_count = k ? tree->unbounded_count : tree->bounded_count;
        for (int n = 0; n < other_count; n++) {
            if (others[n] <= i)
                continue;
            if (count == room)
                return -1;
            hits[count++] = others[n];
        }
    }
    sort_hits(hits, count);
    for (int n = 0; n < count; n++)
        if (law_of(b, p, i, hits[n], pose))
            hits[kept++] = hits[n];
    return kept;
}

/* Partners of the members of a set, which threads share. */
typedef struct partners_task {
    carom_broad *b;
    const carom_body_pose *pose;
    int set;
} partners_task;

static void find_some(void *user, int first, int end)
{
    const partners_task *task = user;
    carom_broad *b = task->b;
    const int from = b->model->contact_sets[task->set].first;
    for (int i = from + first; i < from + end; i++)
        b->partner_count[i] = find_partners(b, task->set, i, task->pose, &b->partners[PARTNERS * i], PARTNERS);
}

static carom_status add(carom_broad *b, int p, int i, int j)
{
    const carom_model *m = b->model;
    const carom_set_member *a = &m->members[i], *c = &m->members[j];
    const carom_model_contact *law =
        m->contact_sets[p].laws[a->group * m->contact_sets[p].group_count + c->group];
    int points = 1;
    if (law->pair->points) {
        const carom_model_shape *si = &m->shapes[a->shape], *sj = &m->shapes[c->shape];
        points = law->pair->points(law->swapped ? sj->p : si->p, law->swapped ? si->p : sj->p);
    }
    CAROM_TRY(carom_grow(b->ctx, &b->candidates, &b->capacity, b->count + (size_t)points, sizeof *b->candidates));
    if (!carom_broad_near(b, i, j, a->radius + c->radius))
        b->added += (size_t)points;
    for (int point = 0; point < points; point++)
        b->candidates[b->count++] = (carom_candidate){p, i, j, point, -1, a->radius + c->radius, law};
    return CAROM_OK;
}

/* The skin of the next list, from the steps that the last one has lasted and the pairs that its skin has added. */
static void choose_skin(carom_broad *b)
{
    const double share = b->radius > 0 ? b->skin / b->radius : 0;
    if (b->steps > 1 && share > 0) {
        const double lists = (double)LIST_PAIRS * b->model->member_count / b->steps;
        const double best = share * sqrt(lists / fmax((double)b->added, 1));
        const double next = fmin(fmax(best, 0.5 * share), 2 * share);
        b->skin = fmin(fmax(next, LEAST_SHARE), GREATEST_SHARE) * b->radius;
    }
    b->steps = 0;
    b->added = 0;
}

carom_status carom_broad_build(carom_broad *b, const carom_body_pose *pose, int threads)
{
    const carom_model *m = b->model;
    choose_skin(b);
    b->count = 0;
    memcpy(b->placed, b->centre, (size_t)m->member_count * sizeof *b->placed);
    for (int p = 0; p < m->contact_set_count; p++) {
        const int first = m->contact_sets[p].first, end = first + m->contact_sets[p].count;
        partners_task task = {b, pose, p};
        make_tree(b, &b->trees[p]);
        carom_team_share(threads, end - first, find_some, &task);
        for (int i = first; i < end; i++) {
            const int *partners = &b->partners[PARTNERS * i];
            int count = b->partner_count[i];
            b->firsts[i] = b->count;
            if (count < 0) {
                partners = b->hits;
                count = find_partners(b, p, i, pose, b->hits, m->member_count);
            }
            for (int n = 0; n < count; n++)
                CAROM_TRY(add(b, p, i, partners[n]));
        }
    }
    b->firsts[m->member_count] = b->count;
    return CAROM_OK;
}
