/* How long closed contacts surely stay so. Of a model with many places those of pairs of shapes that are too far apart
   to touch within the next step are left alone: neither their gaps nor their root functions are asked for. */
#include "dynamics/contact/bounding_box.h"
#include "kinds/shape/shape.h"
#include "sim/sim.h"

#include <math.h>

/* One side of a closed contact as the horizon sees it: the centre of a bounded shape, or the point of the body of an
   unbounded one that is now at the other shape's centre. */
typedef struct moving_side {
    carom_vec3 velocity, acceleration; /* of the point; of the centre of mass [m/s], [m/s^2] */
    double turning;                    /* bound of the point's acceleration by rotation [m/s^2] */
    double spin;                       /* [rad/s]; 0 where it does not move the point */
    double sweep, sweeping;            /* bounds of what the rotation adds at its outline [m/s], [m/s^2] */
    bool bounded;
} moving_side;

static carom_vec3 shape_origin(const carom_simulation *sim, const carom_model_shape *shape)
{
    const carom_body_pose *pose = &sim->d->pose[shape->body];
    return carom_v3_add(pose->p, carom_m3_apply(&pose->axes, shape->at));
}

static double radius_of(const carom_model *m, const carom_model_shape *shape)
{
    return carom_shape_bounding_radius(shape->kind, shape->p, m->dimension == 2);
}

static moving_side side_of(const carom_simulation *sim, const carom_model_shape *own, const carom_model_shape *other)
{
    const carom_model *m = sim->model;
    const double radius = radius_of(m, own);
    moving_side out = {.bounded = isfinite(radius)};
    if (own->body == 0)
        return out;
    const carom_body_pose *pose = &sim->d->pose[own->body];
    const carom_body_acceleration x = sim->s.formulation->body_acceleration(sim->d, own->body);
    carom_vec3 arm = carom_v3_sub(shape_origin(sim, out.bounded ? own : other), pose->p);
    double reach = carom_v3_norm(arm), spin = carom_v3_norm(pose->w);
    out.velocity = carom_v3_add(pose->v, carom_v3_cross(pose->w, arm));
    out.acceleration = x.linear;
    const double twist = spin * spin + (m->dimension == 2 ? fabs(x.angular.z) : carom_v3_norm(x.angular));
    out.turning = reach * twist;
    if (out.bounded && !own->kind->isotropic) {
        out.sweep = radius * spin;
        out.sweeping = radius * twist;
    }
    out.spin = reach > 0 ? spin : 0;
    return out;
}

/* Time in which one side moves past the other by a length. */
static double time_over(const moving_side *a, const moving_side *b, double length)
{
    double speed = carom_v3_norm(carom_v3_sub(b->velocity, a->velocity)) + a->sweep + b->sweep;
    double push = carom_v3_norm(carom_v3_sub(b->acceleration, a->acceleration)) + a->turning + b->turning +
                  a->sweeping + b->sweeping + 2 * speed * ((a->bounded ? 0 : a->spin) + (b->bounded ? 0 : b->spin));
    return carom_time_over(length, speed, push);
}

/* Both sides of a contact, which all places of its shapes have. */
static void take_sides(const carom_simulation *sim, const carom_model_contact *c, moving_side out[2])
{
    const carom_model_shape *i = &sim->model->shapes[c->shape_i], *j = &sim->model->shapes[c->shape_j];
    out[0] = side_of(sim, i, j);
    out[1] = side_of(sim, j, i);
}

/* Length over which a gap that is small may close and open again unseen; in a hollow not beyond its middle, behind
   which the other wall is. */
static double passage(const carom_model_contact *c, const carom_model_shape *i, const carom_model_shape *j)
{
    const double *pi = c->swapped ? j->p : i->p, *pj = c->swapped ? i->p : j->p;
    return c->pair->play ? fmin(c->feature_size, c->pair->play(pi, pj)) : c->feature_size;
}

/* Time in which a closed contact cannot close, and where it is nearer than its features, cannot close and open again
   unseen: the time in which one shape moves past the other by the gap, or by the feature size, while turning little. */
static double safe_time(const carom_simulation *sim, int k, const moving_side sides[2])
{
    const carom_model_contact *c = &sim->model->contacts[k];
    const carom_model_shape *i = &sim->model->shapes[c->shape_i], *j = &sim->model->shapes[c->shape_j];
    const double gap = sim->d->contacts[k].gap, time = time_over(&sides[0], &sides[1], fmax(gap, passage(c, i, j)));
    const double spin = fmax(sides[0].spin, sides[1].spin);
    return gap < c->feature_size && spin > 0 ? fmin(time, 0.5 / spin) : time;
}

/* ---- pairs far apart ---- */

/* Places of a model from which on it pays. */
#define MANY_PLACES 48
/* Steps in a row that a pair that is far apart cannot touch in, by the length of the last one, and by that of the next
   one where the method has said it: longer ones than these it does not make. */
#define STEPS_AHEAD 10
#define NEXT_STEPS 2

/* The places of two shapes. */
typedef struct far_pair {
    int first, count;
    double time;                /* [s] that they surely stay apart */
    bool bounded;               /* a bound of their gap is known: one is within a sphere, the other too, or it is a
                                   plane on the ground */
} far_pair;

struct carom_far_pairs {
    far_pair *pairs;
    int count;
    bool *far;                  /* of each contact */
    double *radius;             /* of each shape: bounding, about its origin; HUGE_VAL: unbounded [m] */
    int *box_of;                /* its box, -1: it has none */
    carom_bounding_box *boxes;
    /* now: */
    carom_vec3 *centre;
    moving_side *sides;
    carom_bounding_box *placed;
};

/* A plane that does not move. */
static bool is_wall(const carom_model *m, int shape)
{
    return m->shapes[shape].body == 0 && m->shapes[shape].kind == &carom_shape_plane;
}

static void list_pairs(const carom_model *m, struct carom_far_pairs *all)
{
    for (int k = 0; k < m->contact_count;) {
        const carom_model_contact *c = &m->contacts[k];
        far_pair *p = &all->pairs[all->count++];
        const bool round[2] = {isfinite(all->radius[c->shape_i]), isfinite(all->radius[c->shape_j])};
        *p = (far_pair){.first = k, .count = carom_contact_points(m, k)};
        p->bounded = (round[0] && round[1]) || (round[0] && is_wall(m, c->shape_j)) ||
                     (round[1] && is_wall(m, c->shape_i));
        k += p->count;
    }
}

/* Lists the contacts that are not far apart. */
static void list_near(carom_simulation *sim)
{
    const struct carom_far_pairs *all = sim->far;
    sim->near_count = 0;
    for (int k = 0; !all && k < sim->model->contact_count; k++)
        sim->near[sim->near_count++] = k;
    for (int n = 0; all && n < all->count; n++)
        for (int k = all->pairs[n].first; k < all->pairs[n].first + all->pairs[n].count; k++)
            if (!all->far[k])
                sim->near[sim->near_count++] = k;
}

carom_status carom_far_create(carom_simulation *sim)
{
    const carom_model *m = sim->model;
    carom_arena *arena = &sim->arena;
    const size_t contacts = (size_t)m->contact_count, shapes = (size_t)m->shape_count;
    sim->near = carom_arena_alloc(arena, contacts, sizeof *sim->near);
    if (!sim->near)
        return carom_fail_memory(sim->ctx);
    list_near(sim);
    if (m->contact_count < MANY_PLACES || sim->run.kinematic)
        return CAROM_OK;
    struct carom_far_pairs *all = carom_arena_alloc(arena, 1, sizeof *all);
    if (!all)
        return carom_fail_memory(sim->ctx);
    all->pairs = carom_arena_alloc(arena, contacts, sizeof *all->pairs);
    all->far = carom_arena_alloc(arena, contacts, sizeof *all->far);
    all->radius = carom_arena_alloc(arena, shapes, sizeof *all->radius);
    all->box_of = carom_arena_alloc(arena, shapes, sizeof *all->box_of);
    all->boxes = carom_arena_alloc(arena, shapes, sizeof *all->boxes);
    all->centre = carom_arena_alloc(arena, shapes, sizeof *all->centre);
    all->sides = carom_arena_alloc(arena, shapes, sizeof *all->sides);
    all->placed = carom_arena_alloc(arena, shapes, sizeof *all->placed);
    if (!all->pairs || !all->far || !all->radius || !all->box_of || !all->boxes || !all->centre || !all->sides ||
        !all->placed)
        return carom_fail_memory(sim->ctx);
    int boxes = 0;
    for (int k = 0; k < m->shape_count; k++) {
        all->radius[k] = radius_of(m, &m->shapes[k]);
        const bool boxed = isfinite(all->radius[k]) &&
                           carom_bounding_box_of(&m->shapes[k], m->dimension == 2, &all->boxes[boxes]);
        all->box_of[k] = boxed ? boxes++ : -1;
    }
    list_pairs(m, all);
    sim->far = all;
    return CAROM_OK;
}

bool carom_is_far(const carom_simulation *sim, int contact) { return sim->far && sim->far->far[contact]; }

/* Where a shape is with its body at a pose. */
static void place_shape(const carom_simulation *sim, int k, const carom_body_pose *pose)
{
    struct carom_far_pairs *all = sim->far;
    all->centre[k] = carom_v3_add(pose->p, carom_m3_apply(&pose->axes, sim->model->shapes[k].at));
    if (all->box_of[k] >= 0)
        all->placed[all->box_of[k]] = carom_bounding_box_at(&all->boxes[all->box_of[k]], pose);
}

static bool is_placed(const carom_simulation *sim, int k)
{
    return isfinite(sim->far->radius[k]) || is_wall(sim->model, k);
}

/* Where the shapes are now, and how they move. */
static void place_shapes(const carom_simulation *sim)
{
    const carom_model *m = sim->model;
    for (int k = 0; k < m->shape_count; k++) {
        if (!is_placed(sim, k))
            continue;
        place_shape(sim, k, &sim->d->pose[m->shapes[k].body]);
        sim->far->sides[k] = side_of(sim, &m->shapes[k], &m->shapes[k]);
    }
}

/* A bound of the gap of two shapes, by the sphere about the second one and sphere, box or plane of the first. */
static double bound_of(const carom_simulation *sim, int i, int j)
{
    const struct carom_far_pairs *all = sim->far;
    const carom_model_shape *shape = &sim->model->shapes[i];
    const carom_vec3 apart = carom_v3_sub(all->centre[j], all->centre[i]);
    if (!isfinite(all->radius[j]))
        return -HUGE_VAL;
    if (!isfinite(all->radius[i])) {
        const carom_shape_pose pose = {.p = shape->p, .axes = shape->axes};
        return carom_v3_dot(apart, carom_plane_normal(&pose)) - all->radius[j];
    }
    const double spheres = carom_v3_norm(apart) - all->radius[i] - all->radius[j];
    if (all->box_of[i] < 0)
        return spheres;
    const carom_bounding_box *box = &all->placed[all->box_of[i]];
    return fmax(spheres, sqrt(carom_bounding_box_distance2(box, all->centre[j])) - all->radius[j]);
}

static double bound_of_pair(const carom_simulation *sim, const far_pair *p)
{
    const struct carom_far_pairs *all = sim->far;
    const carom_model_contact *c = &sim->model->contacts[p->first];
    const int i = all->box_of[c->shape_i], j = all->box_of[c->shape_j];
    const double gap = fmax(bound_of(sim, c->shape_i, c->shape_j), bound_of(sim, c->shape_j, c->shape_i));
    return i < 0 || j < 0 ? gap : fmax(gap, carom_bounding_boxes_gap(&all->placed[i], &all->placed[j]));
}

/* How long a pair surely stays apart; 0: that is not known. */
static double time_apart(const carom_simulation *sim, const far_pair *p)
{
    const carom_model_contact *c = &sim->model->contacts[p->first];
    if (!p->bounded)
        return 0;
    for (int k = p->first; k < p->first + p->count; k++)
        if (sim->s.located[k].open)
            return 0;
    const double gap = bound_of_pair(sim, p);
    return gap > 0 ? time_over(&sim->far->sides[c->shape_i], &sim->far->sides[c->shape_j], gap) : 0;
}

static void take_gap(const carom_simulation *sim, int k)
{
    sim->s.located[k].gap = sim->d->contacts[k].gap;
    sim->s.located[k].gap_rate = sim->d->contacts[k].gap_rate;
}

void carom_closed_gaps(carom_simulation *sim)
{
    for (int n = 0; n < sim->near_count; n++) {
        const int k = sim->near[n];
        if (!sim->s.located[k].open)
            carom_system_closed_contact(sim->d, k);
        take_gap(sim, k);
    }
}

/* Finds the gaps of a pair that comes near; whether it was far. */
static bool come_near(carom_simulation *sim, const far_pair *p)
{
    bool came = false;
    for (int k = p->first; k < p->first + p->count; k++) {
        if (!sim->far->far[k])
            continue;
        came = true;
        sim->far->far[k] = false;
        carom_system_closed_contact(sim->d, k);
        take_gap(sim, k);
    }
    return came;
}

/* Gaps of a pair that goes far; whether it was near. */
static bool go_far(carom_simulation *sim, const far_pair *p)
{
    bool went = false;
    for (int k = p->first; k < p->first + p->count; k++) {
        if (sim->far->far[k])
            continue;
        went = sim->far->far[k] = true;
        sim->d->contacts[k].gap = sim->trial->contacts[k].gap = sim->s.located[k].gap = HUGE_VAL;
        sim->d->contacts[k].gap_rate = sim->trial->contacts[k].gap_rate = sim->s.located[k].gap_rate = 0;
    }
    return went;
}

void carom_far_settle(carom_simulation *sim)
{
    bool changed = false;
    for (int n = 0; sim->far && n < sim->far->count; n++)
        changed = come_near(sim, &sim->far->pairs[n]) || changed;
    if (changed)
        list_near(sim);
}

/* Says which pairs are left alone in the step that begins. */
static void choose_far(carom_simulation *sim)
{
    struct carom_far_pairs *all = sim->far;
    if (!all || sim->tangents) {
        carom_far_settle(sim);
        return;
    }
    const double last = *sim->s.step_size, next = sim->integrator->next_step;
    const double least = fmax(STEPS_AHEAD * last, NEXT_STEPS * next);
    bool changed = false;
    place_shapes(sim);
    for (int n = 0; n < all->count; n++) {
        far_pair *p = &all->pairs[n];
        p->time = last > 0 ? time_apart(sim, p) : 0;
        changed = (p->time > least ? go_far(sim, p) : come_near(sim, p)) || changed;
    }
    if (changed)
        list_near(sim);
}

void carom_far_place(const carom_simulation *sim, const double *q)
{
    const carom_model *m = sim->model;
    for (int k = 0; k < m->shape_count; k++) {
        const carom_body_pose pose =
            sim->s.formulation->body_pose(m, m->shapes[k].body, q, q + (sim->s.v - sim->s.q));
        if (is_placed(sim, k))
            place_shape(sim, k, &pose);
    }
}

int carom_far_meets(carom_simulation *sim, int from)
{
    const struct carom_far_pairs *all = sim->far;
    for (int n = 0; n < all->count; n++) {
        const far_pair *p = &all->pairs[n];
        if (p->first < from || !all->far[p->first] || bound_of_pair(sim, p) > 0)
            continue;
        if (come_near(sim, p))
            list_near(sim);
        return p->first;
    }
    return -1;
}

void carom_far_none(carom_simulation *sim)
{
    if (sim->near_count == sim->model->contact_count)
        return;
    for (int k = 0; k < sim->model->contact_count; k++)
        sim->far->far[k] = false;
    list_near(sim);
}

double carom_closed_safe_time(carom_simulation *sim)
{
    double horizon = HUGE_VAL;
    moving_side sides[2];
    int shapes[2] = {-1, -1};
    choose_far(sim);
    for (int n = 0; n < sim->near_count; n++) {
        const int k = sim->near[n];
        const carom_model_contact *c = &sim->model->contacts[k];
        if (sim->s.located[k].open)
            continue;
        if (c->shape_i != shapes[0] || c->shape_j != shapes[1])
            take_sides(sim, c, sides);
        shapes[0] = c->shape_i;
        shapes[1] = c->shape_j;
        horizon = fmin(horizon, safe_time(sim, k, sides));
    }
    for (int n = 0; sim->far && n < sim->far->count; n++)
        if (sim->far->far[sim->far->pairs[n].first])
            horizon = fmin(horizon, sim->far->pairs[n].time);
    return horizon;
}
