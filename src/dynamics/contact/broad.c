/* Broad phase: a tree of boxes about the bounding spheres of the members, made again when one has moved by half the
   skin, and the list of near pairs that it gives (Verlet 1967, Phys. Rev. 159, 98). The order of the list does not
   depend on when it was made, and neither do the results. */
#include "dynamics/contact/broad.h"

#include "base/team.h"
#include "base/wide.h"
#include "dynamics/contact/bounding_box.h"
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

/* Nodes stand in the order of a walk, a first child behind its parent. */
typedef struct tree_node {
    double low[3], high[3];
    int leaf;                   /* -1: an inner node */
    int behind;                 /* the node behind it and all below it */
    int second;                 /* child of an inner node */
    int greatest;               /* of the members */
} tree_node;

/* Members of a leaf; behind the last one stand none (-1). */
typedef struct tree_leaf {
    double x[LEAF_SIZE], y[LEAF_SIZE], z[LEAF_SIZE], radius[LEAF_SIZE];
    int member[LEAF_SIZE];
    int count, node;
} tree_leaf;

typedef struct carom_set_tree {
    int *bounded, *unbounded;   /* members, ascending */
    int bounded_count, unbounded_count;
    int *order;                 /* the bounded ones in that of the leaves of the last list */
} set_tree;

/* Where a plane on the ground is: normal . r = offset. Of other shapes the normal is zero. */
typedef struct half_space {
    carom_vec3 normal;
    double offset;
} half_space;

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
    tree_leaf *leaves;
    int node_count, leaf_count;
    int *place;                 /* of each bounded member, LEAF_SIZE times its leaf and where it stands there; of the
                                   others, among the walls */
    half_space *walls;
    int *box_of;                /* of each member its box from its body, -1: it has none */
    carom_bounding_box *boxes;
    int *hits;                  /* partners of a member */
    int *partners, *partner_count;      /* the same of each, PARTNERS of them at most; -1: it has more, or is not
                                   bounded */
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

/* Boxes of solids, and the mean bounding radius of what moves. */
static carom_status measure_members(carom_broad *b)
{
    const carom_model *m = b->model;
    double sum[2] = {0};
    int count[2] = {0}, boxes = 0;
    size_t solids = 0;
    for (int k = 0; k < m->member_count; k++)
        solids += carom_shape_is_solid(m->shapes[m->members[k].shape].kind, m->dimension == 2);
    b->box_of = carom_arena_alloc(&b->arena, (size_t)m->member_count, sizeof *b->box_of);
    b->boxes = carom_arena_alloc(&b->arena, solids, sizeof *b->boxes);
    if (!b->box_of || !b->boxes)
        return carom_fail_memory(b->ctx);
    for (int k = 0; k < m->member_count; k++) {
        const bool moves = m->members[k].body != 0;
        b->box_of[k] = -1;
        if (!isfinite(m->members[k].radius))
            continue;
        sum[moves] += m->members[k].radius;
        count[moves]++;
        if (solids && carom_bounding_box_of(&m->shapes[m->members[k].shape], false, &b->boxes[boxes]))
            b->box_of[k] = boxes++;
    }
    const bool moving = count[1] > 0;
    b->radius = count[moving] ? sum[moving] / count[moving] : 0;
    b->skin = SKIN_SHARE * b->radius;
    return CAROM_OK;
}

static half_space wall_of(const carom_model *m, int member)
{
    const carom_model_shape *shape = &m->shapes[m->members[member].shape];
    half_space wall = {.offset = HUGE_VAL};
    if (m->members[member].body == 0 && shape->kind == &carom_shape_plane) {
        const carom_shape_pose pose = {.p = shape->p, .axes = shape->axes};
        wall.normal = carom_plane_normal(&pose);
        wall.offset = carom_v3_dot(wall.normal, shape->at);
    }
    return wall;
}

/* Members of the sets, bounded or not, and where the latter are on the ground. Errors: CAROM_ERROR_MEMORY. */
static carom_status list_by_set(carom_broad *b, int *lists, int *order)
{
    const carom_model *m = b->model;
    int walls = 0;
    for (int k = 0; k < m->member_count; k++)
        walls += !isfinite(m->members[k].radius);
    b->walls = carom_arena_alloc(&b->arena, (size_t)walls, sizeof *b->walls);
    if (!b->walls)
        return carom_fail_memory(b->ctx);
    walls = 0;
    for (int p = 0; p < m->contact_set_count; p++) {
        const carom_contact_set *set = &m->contact_sets[p];
        set_tree *tree = &b->trees[p];
        tree->bounded = lists;
        for (int k = set->first; k < set->first + set->count; k++)
            if (isfinite(m->members[k].radius))
                tree->bounded[tree->bounded_count++] = k;
        lists += tree->bounded_count;
        tree->order = order;
        memcpy(order, tree->bounded, (size_t)tree->bounded_count * sizeof *order);
        order += tree->bounded_count;
        tree->unbounded = lists;
        for (int k = set->first; k < set->first + set->count; k++) {
            if (isfinite(m->members[k].radius))
                continue;
            tree->unbounded[tree->unbounded_count++] = k;
            b->walls[walls] = wall_of(m, k);
            b->place[k] = walls++;
            b->partner_count[k] = -1;
        }
        lists += tree->unbounded_count;
    }
    return CAROM_OK;
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
    b->leaves = carom_arena_alloc(&b->arena, members, sizeof *b->leaves);
    int *order = carom_arena_alloc(&b->arena, members, sizeof *order);
    b->place = carom_arena_alloc(&b->arena, members, sizeof *b->place);
    b->hits = carom_arena_alloc(&b->arena, members, sizeof *b->hits);
    b->partners = carom_arena_alloc(&b->arena, PARTNERS * members, sizeof *b->partners);
    b->partner_count = carom_arena_alloc(&b->arena, members, sizeof *b->partner_count);
    b->firsts = carom_arena_alloc(&b->arena, members + 1, sizeof *b->firsts);
    int *lists = carom_arena_alloc(&b->arena, members, sizeof *lists);
    if (!b->centre || !b->placed || !b->first_of || !b->members || !b->farthest || !b->passed || !b->speed ||
        !b->trees || !b->nodes || !b->leaves || !order || !b->place || !b->hits || !b->partners ||
        !b->partner_count || !b->firsts || !lists) {
        carom_broad_free(b);
        return carom_fail_memory(ctx);
    }
    list_by_body(b);
    carom_status status = list_by_set(b, lists, order);
    if (status == CAROM_OK)
        status = measure_members(b);
    if (status == CAROM_OK)
        *out = b;
    else
        carom_broad_free(b);
    return status;
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

/* Whether the bounding sphere of a member comes within the skin of the box of the other, if it has one. */
static bool near_box(const carom_broad *b, int boxed, int other, double skin, const carom_body_pose *pose)
{
    if (b->box_of[boxed] < 0)
        return true;
    const carom_bounding_box box =
        carom_bounding_box_at(&b->boxes[b->box_of[boxed]], &pose[b->model->members[boxed].body]);
    const double reach = b->model->members[other].radius + skin;
    return carom_bounding_box_distance2(&box, b->centre[other]) <= reach * reach;
}

/* While the list lasts a box on the ground stays where it is; others turn. */
static bool may_come_near(const carom_broad *b, int i, int j, const carom_body_pose *pose)
{
    const carom_set_member *members = b->model->members;
    return (members[i].body || near_box(b, i, j, b->skin, pose)) &&
           (members[j].body || near_box(b, j, i, b->skin, pose));
}

static bool spheres_near(const carom_broad *b, int i, int j, double reach)
{
    const carom_vec3 apart = carom_v3_sub(b->centre[j], b->centre[i]);
    return carom_v3_dot(apart, apart) <= reach * reach;
}

bool carom_broad_near(const carom_broad *b, int i, int j, double reach, const carom_body_pose *pose)
{
    const carom_set_member *members = b->model->members;
    if (!spheres_near(b, i, j, reach))
        return false;
    if (b->box_of[i] < 0 || b->box_of[j] < 0)
        return near_box(b, i, j, 0, pose) && near_box(b, j, i, 0, pose);
    const carom_bounding_box own = carom_bounding_box_at(&b->boxes[b->box_of[i]], &pose[members[i].body]);
    const carom_bounding_box other = carom_bounding_box_at(&b->boxes[b->box_of[j]], &pose[members[j].body]);
    return !carom_bounding_boxes_apart(&own, &other);
}

/* ---- the tree ---- */

static double along(carom_vec3 v, int axis) { return axis == 0 ? v.x : axis == 1 ? v.y : v.z; }

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

/* Makes members a leaf of a node, with the box of their spheres and half the skin. */
static int make_leaf(carom_broad *b, const int *order, int count, int at)
{
    tree_leaf *leaf = &b->leaves[b->leaf_count];
    tree_node *node = &b->nodes[at];
    leaf->count = count;
    leaf->node = at;
    node->greatest = -1;
    for (int axis = 0; axis < 3; axis++) {
        node->low[axis] = HUGE_VAL;
        node->high[axis] = -HUGE_VAL;
    }
    for (int n = 0; n < LEAF_SIZE; n++) {
        const int k = order[n < count ? n : 0];
        const double radius = b->model->members[k].radius, reach = radius + 0.5 * b->skin;
        leaf->x[n] = b->centre[k].x;
        leaf->y[n] = b->centre[k].y;
        leaf->z[n] = b->centre[k].z;
        leaf->radius[n] = radius;
        leaf->member[n] = n < count ? k : -1;
        if (n < count)
            b->place[k] = LEAF_SIZE * b->leaf_count + n;
        node->greatest = k > node->greatest ? k : node->greatest;
        for (int axis = 0; axis < 3; axis++) {
            const double x = along(b->centre[k], axis);
            node->low[axis] = x - reach < node->low[axis] ? x - reach : node->low[axis];
            node->high[axis] = x + reach > node->high[axis] ? x + reach : node->high[axis];
        }
    }
    return b->leaf_count++;
}

/* Members that are still to be split, within a box of their centres. */
typedef struct tree_part {
    int first, count, parent;   /* parent: of a second child, else -1 */
    double low[3], high[3];
} tree_part;

static tree_part all_of(const carom_broad *b, const set_tree *tree)
{
    tree_part all = {.count = tree->bounded_count, .parent = -1};
    for (int axis = 0; axis < 3; axis++) {
        all.low[axis] = HUGE_VAL;
        all.high[axis] = -HUGE_VAL;
        for (int n = 0; n < all.count; n++) {
            const double x = along(b->centre[tree->bounded[n]], axis);
            all.low[axis] = x < all.low[axis] ? x : all.low[axis];
            all.high[axis] = x > all.high[axis] ? x : all.high[axis];
        }
    }
    return all;
}

/* Boxes of inner nodes from those of their children, and where a walk goes on behind each. */
static void finish_nodes(carom_broad *b)
{
    for (int at = b->node_count - 1; at >= 0; at--) {
        tree_node *node = &b->nodes[at];
        if (node->leaf >= 0)
            continue;
        const tree_node *one = node + 1, *other = &b->nodes[node->second];
        node->greatest = one->greatest > other->greatest ? one->greatest : other->greatest;
        for (int axis = 0; axis < 3; axis++) {
            node->low[axis] = one->low[axis] < other->low[axis] ? one->low[axis] : other->low[axis];
            node->high[axis] = one->high[axis] > other->high[axis] ? one->high[axis] : other->high[axis];
        }
    }
    b->nodes[0].behind = b->node_count;
    for (int at = 0; at < b->node_count; at++) {
        const tree_node *node = &b->nodes[at];
        if (node->leaf >= 0)
            continue;
        b->nodes[at + 1].behind = node->second;
        b->nodes[node->second].behind = node->behind;
    }
}

/* Splits at the median of the longest axis. */
static void make_tree(carom_broad *b, const set_tree *tree)
{
    tree_part stack[TREE_DEPTH];
    int depth = 0;
    b->node_count = b->leaf_count = 0;
    if (!tree->bounded_count)
        return;
    stack[depth++] = all_of(b, tree);
    while (depth) {
        const tree_part part = stack[--depth];
        const int at = b->node_count++, half = part.count / 2;
        int *order = tree->order + part.first;
        if (part.parent >= 0)
            b->nodes[part.parent].second = at;
        b->nodes[at].leaf = part.count <= LEAF_SIZE ? make_leaf(b, order, part.count, at) : -1;
        if (b->nodes[at].leaf >= 0)
            continue;
        int axis = 0;
        for (int k = 1; k < 3; k++)
            axis = part.high[k] - part.low[k] > part.high[axis] - part.low[axis] ? k : axis;
        halve(b, order, part.count, axis);
        tree_part *second = &stack[depth++], *first = &stack[depth++];
        *second = *first = part;
        second->first += half;
        second->count -= half;
        second->parent = at;
        first->count = half;
        first->parent = -1;
        second->low[axis] = first->high[axis] = along(b->centre[order[half]], axis);
    }
    finish_nodes(b);
}

/* Partners that are found of the members of a leaf. */
typedef struct leaf_hits {
    int first, end;             /* the members that are looked at */
    int room;
    int *hits[LEAF_SIZE];
    int count[LEAF_SIZE];       /* -1: there are more than `room` */
} leaf_hits;

static inline void add_hits(carom_four_marks near, const int *member, int k, leaf_hits *out)
{
    for (int n = 0; n < LEAF_SIZE; n++) {
        if (!near[n] || out->count[k] < 0)
            continue;
        if (out->count[k] == out->room)
            out->count[k] = -1;
        else
            out->hits[k][out->count[k]++] = member[n];
    }
}

static inline void compare(const tree_leaf *of, const tree_leaf *with, double skin, leaf_hits *out)
{
    const carom_four x = *carom_four_of(with->x), y = *carom_four_of(with->y), z = *carom_four_of(with->z);
    const carom_four radius = *carom_four_of(with->radius);
    const carom_four_marks member = __builtin_convertvector(*carom_four_ints_of(with->member), carom_four_marks);
    for (int k = out->first; k < out->end; k++) {
        const carom_four dx = x - of->x[k], dy = y - of->y[k], dz = z - of->z[k];
        const carom_four within = of->radius[k] + radius + skin;
        const carom_four_marks near = (dx * dx + dy * dy + dz * dz <= within * within) & (member > of->member[k]);
        if (CAROM_FOUR_ANY(near))
            add_hits(near, with->member, k, out);
    }
}

/* Members behind those of a leaf whose spheres come within the skin of theirs. */
CAROM_WIDE static void search(const carom_broad *b, const tree_leaf *of, leaf_hits *out)
{
    const tree_node *own = &b->nodes[of->node];
    int least = of->member[out->first];
    for (int k = out->first; k < out->end; k++) {
        least = of->member[k] < least ? of->member[k] : least;
        out->count[k] = 0;
    }
    for (int at = 0; at < b->node_count;) {
        const tree_node *node = &b->nodes[at];
        const bool apart = node->greatest <= least || node->low[0] > own->high[0] || node->high[0] < own->low[0] ||
                           node->low[1] > own->high[1] || node->high[1] < own->low[1] ||
                           node->low[2] > own->high[2] || node->high[2] < own->low[2];
        if (!apart && node->leaf >= 0)
            compare(of, &b->leaves[node->leaf], b->skin, out);
        at = apart ? node->behind : at + 1;
    }
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
    const half_space *wall = &b->walls[b->place[other == a ? i : j]];
    const double reach = b->skin + (m->shapes[bounded->shape].kind->isotropic ? 0 : 2 * bounded->radius);
    if (carom_v3_dot(wall->normal, b->centre[bounded == a ? i : j]) - bounded->radius > wall->offset + reach)
        return false;
    const carom_contact_sides sides = {&m->shapes[a->shape], &m->shapes[c->shape], 0, NULL, NULL};
    carom_contact_point point;
    carom_contact_geometry_of(law, &sides, &pose[a->body], &pose[c->body], &point);
    return point.gap < reach;
}

/* The law of a pair of members that is to be listed, else NULL. */
static const carom_model_contact *law_of(const carom_broad *b, int p, int i, int j, const carom_body_pose *pose)
{
    const carom_model *m = b->model;
    const carom_contact_set *set = &m->contact_sets[p];
    const carom_set_member *a = &m->members[i], *c = &m->members[j];
    const carom_model_contact *law = set->laws[a->group * set->group_count + c->group];
    const bool listed = law && carom_contact_set_pairs(m, set, a, c) &&
                        (isfinite(a->radius + c->radius) ? may_come_near(b, i, j, pose)
                                                         : near_unbounded(b, law, i, j, pose));
    return listed ? law : NULL;
}

/* Adds the others to `count` bounded partners of member i that stand behind it, and keeps those that are to be listed,
   ascending; -1: there are more than `room`. */
static int finish_partners(const carom_broad *b, int p, int i, const carom_body_pose *pose, int *hits, int count,
                           int room)
{
    const set_tree *tree = &b->trees[p];
    const bool bounded = isfinite(b->model->members[i].radius);
    int kept = 0;
    for (int k = bounded ? 1 : 0; k < 2 && count >= 0; k++) {
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
    return count < 0 ? -1 : kept;
}

/* Partners of member i, for whom the usual room is too small. */
static int find_all(const carom_broad *b, int p, int i, const carom_body_pose *pose, int *hits)
{
    const int room = b->model->member_count;
    int count = 0;
    if (isfinite(b->model->members[i].radius)) {
        const int at = b->place[i] % LEAF_SIZE;
        leaf_hits found = {.first = at, .end = at + 1, .room = room};
        found.hits[at] = hits;
        search(b, &b->leaves[b->place[i] / LEAF_SIZE], &found);
        count = found.count[at];
    }
    return finish_partners(b, p, i, pose, hits, count, room);
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
    for (int n = first; n < end; n++) {
        const tree_leaf *leaf = &b->leaves[n];
        leaf_hits found = {.end = leaf->count, .room = PARTNERS};
        for (int k = 0; k < leaf->count; k++)
            found.hits[k] = &b->partners[PARTNERS * leaf->member[k]];
        search(b, leaf, &found);
        for (int k = 0; k < leaf->count; k++)
            b->partner_count[leaf->member[k]] = finish_partners(b, task->set, leaf->member[k], task->pose,
                                                                found.hits[k], found.count[k], PARTNERS);
    }
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
    if (!spheres_near(b, i, j, a->radius + c->radius))
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
        carom_team_share(threads, b->leaf_count, find_some, &task);
        for (int i = first; i < end; i++) {
            const int *partners = &b->partners[PARTNERS * i];
            int count = b->partner_count[i];
            b->firsts[i] = b->count;
            if (count < 0) {
                partners = b->hits;
                count = find_all(b, p, i, pose, b->hits);
            }
            for (int n = 0; n < count; n++)
                CAROM_TRY(add(b, p, i, partners[n]));
        }
    }
    b->firsts[m->member_count] = b->count;
    return CAROM_OK;
}
