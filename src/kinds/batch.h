/* Contacts of one composition (pair of shapes, law, friction) at one instant, as many as a loop takes at a time: a
   column each. A kind that contact sets meet often gives a function over a batch besides the one over a single contact,
   which the macros below make of that one by inlining, so that a formula stands once. Kinds without one are called for
   each column. docs/theory/many-bodies.md */
#ifndef CAROM_BATCH_H
#define CAROM_BATCH_H

#include "base/wide.h"
#include "kinds/kind.h"

/* Columns of a batch. */
#define CAROM_BATCH 32

/* A shape on its body. */
typedef struct carom_batch_shape {
    const double *p;            /* parameters */
    carom_vec3 at;              /* of the body's centre of mass */
    carom_mat3 axes;
    bool centred, parallel;     /* at the centre of mass; axes are the body's */
    bool isotropic;             /* the orientation does not matter */
} carom_batch_shape;

/* i and j are in the order of the pair kind. Columns of contacts that are apart hold zeros behind `delta`. */
typedef struct carom_batch {
    int count;
    const int *body[2];
    const carom_batch_shape *const *shape[2];
    double gap[CAROM_BATCH], gap_rate[CAROM_BATCH];     /* [m], [m/s] */
    double normal[3][CAROM_BATCH], slip[3][CAROM_BATCH];
    double arm[2][3][CAROM_BATCH];                      /* of the point about the centres of mass [m] */
    double about[CAROM_BATCH];                          /* mean spin of both bodies about the normal [rad/s] */
    double less[CAROM_BATCH];                           /* share of the law that does not act */
    double delta[CAROM_BATCH];                          /* indentation of those that touch, else 0 [m] */
    double elastic[CAROM_BATCH], slope[CAROM_BATCH], energy[CAROM_BATCH], loss[CAROM_BATCH];
    double place[2][CAROM_BATCH];                       /* on curves */
    double v0[CAROM_BATCH], gain[CAROM_BATCH];          /* of laws that see the impact velocity */
    const double *mass;                                 /* effective, of each column [kg] */
    double damping[CAROM_BATCH], raw[CAROM_BATCH], force[CAROM_BATCH], whole[CAROM_BATCH];
    double z[CAROM_FRICTION_STATE][CAROM_BATCH];        /* state of the friction */
    double friction[3][CAROM_BATCH], couple[3][CAROM_BATCH], friction_power[CAROM_BATCH];
    bool has_couple;
} carom_batch;

static inline carom_vec3 carom_batch_vector(const double column[3][CAROM_BATCH], int n)
{
    return carom_v3(column[0][n], column[1][n], column[2][n]);
}

static inline void carom_batch_store(double column[3][CAROM_BATCH], int n, carom_vec3 v)
{
    column[0][n] = v.x;
    column[1][n] = v.y;
    column[2][n] = v.z;
}

/* Pose of a shape; returns its origin from the body's centre of mass. */
static inline carom_vec3 carom_batch_pose(const carom_batch_shape *shape, const carom_body_pose *body,
                                          carom_shape_pose *out)
{
    const carom_vec3 offset = shape->centred ? carom_v3(0, 0, 0) : carom_m3_apply(&body->axes, shape->at);
    out->p = shape->p;
    out->near = NULL;
    out->origin = carom_v3_add(body->p, offset);
    out->axes = shape->isotropic || shape->parallel ? body->axes : carom_m3_multiply(&body->axes, &shape->axes);
    return offset;
}

/* Geometry of column n from that of its pair. */
static inline void carom_batch_place(carom_batch *b, int n, const carom_body_pose *i, const carom_body_pose *j,
                                     carom_vec3 offset_i, carom_vec3 offset_j, const carom_pair_point *pair)
{
    const carom_vec3 arm_i = carom_v3_add(pair->from_i, offset_i), arm_j = carom_v3_add(pair->from_j, offset_j);
    const carom_vec3 vi = carom_v3_add(i->v, carom_v3_cross(i->w, arm_i));
    const carom_vec3 vj = carom_v3_add(j->v, carom_v3_cross(j->w, arm_j)), relative = carom_v3_sub(vj, vi);
    const double rate = carom_v3_dot(pair->normal, relative);
    b->gap[n] = pair->gap;
    b->gap_rate[n] = rate;
    carom_batch_store(b->normal, n, pair->normal);
    carom_batch_store(b->slip, n, carom_v3_add_scaled(relative, -rate, pair->normal));
    carom_batch_store(b->arm[0], n, arm_i);
    carom_batch_store(b->arm[1], n, arm_j);
    b->less[n] = 0;
    b->about[n] = 0.5 * carom_v3_dot(carom_v3_add(i->w, j->w), pair->normal);
}

/* `batch` of a pair: of its `gap`. */
#define CAROM_PAIR_BATCH(gap)                                                                                  \
    CAROM_WIDE static void batch(const carom_body_pose *pose, carom_batch *b)                                  \
    {                                                                                                          \
        for (int n = 0; n < b->count; n++) {                                                                   \
            const carom_body_pose *i = &pose[b->body[0][n]], *j = &pose[b->body[1][n]];                        \
            carom_shape_pose shape_i, shape_j;                                                                 \
            carom_pair_point pair;                                                                             \
            const carom_vec3 offset_i = carom_batch_pose(b->shape[0][n], i, &shape_i);                         \
            const carom_vec3 offset_j = carom_batch_pose(b->shape[1][n], j, &shape_j);                         \
            gap(&shape_i, &shape_j, &pair);                                                                    \
            carom_batch_place(b, n, i, j, offset_i, offset_j, &pair);                                          \
        }                                                                                                      \
    }

/* Motions of the bodies of a batch, and the shapes on them. */
typedef struct carom_batch_motion {
    double p[2][3][CAROM_BATCH], v[2][3][CAROM_BATCH], w[2][3][CAROM_BATCH], offset[2][3][CAROM_BATCH];
    double size[2][CAROM_BATCH];        /* the first parameter of the shape */
} carom_batch_motion;

static inline void carom_batch_gather(const carom_body_pose *pose, const carom_batch *b, carom_batch_motion *out)
{
    for (int side = 0; side < 2; side++)
        for (int n = 0; n < CAROM_BATCH; n++) {
            const int at = n < b->count ? n : 0;
            const carom_body_pose *body = &pose[b->body[side][at]];
            const carom_batch_shape *shape = b->shape[side][at];
            const carom_vec3 offset = shape->centred ? carom_v3(0, 0, 0) : carom_m3_apply(&body->axes, shape->at);
            carom_batch_store(out->p[side], n, carom_v3_add(body->p, offset));
            carom_batch_store(out->v[side], n, body->v);
            carom_batch_store(out->w[side], n, body->w);
            carom_batch_store(out->offset[side], n, offset);
            out->size[side][n] = shape->p[0];
        }
}

static inline carom_body_pose carom_batch_body(const carom_batch_motion *m, int side, int n)
{
    return (carom_body_pose){.v = carom_batch_vector(m->v[side], n), .w = carom_batch_vector(m->w[side], n)};
}

/* Whether the first parameters of all shapes are positive: radii of bodies, not of hollows. */
static inline bool carom_batch_is_convex(const carom_batch_motion *m)
{
    int hollow = 0;
    for (int side = 0; side < 2; side++)
        for (int n = 0; n < CAROM_BATCH; n++)
            hollow |= !(m->size[side][n] > 0);
    return !hollow;
}

/* Columns by `gap`, where `holds` of the sizes a and b: what it rules out is left out of the loop. */
#define CAROM_BATCH_COLUMNS(gap, holds)                                                                        \
    for (int n = 0; n < CAROM_BATCH; n++) {                                                                    \
        const carom_body_pose i = carom_batch_body(&m, 0, n), j = carom_batch_body(&m, 1, n);                  \
        const double a = m.size[0][n], b_ = m.size[1][n];                                                      \
        const carom_shape_pose shape_i = {.p = &a, .origin = carom_batch_vector(m.p[0], n)};                   \
        const carom_shape_pose shape_j = {.p = &b_, .origin = carom_batch_vector(m.p[1], n)};                  \
        carom_pair_point pair;                                                                                 \
        if (!(holds))                                                                                          \
            __builtin_unreachable();                                                                           \
        gap(&shape_i, &shape_j, &pair);                                                                        \
        carom_batch_place(b, n, &i, &j, carom_batch_vector(m.offset[0], n), carom_batch_vector(m.offset[1], n), \
                          &pair);                                                                              \
    }

/* The same of shapes without axes, whose gap depends on origins and first parameters alone: as loops over numbers. */
#define CAROM_PAIR_BATCH_ROUND(gap)                                                                            \
    CAROM_WIDE static void batch(const carom_body_pose *pose, carom_batch *b)                                  \
    {                                                                                                          \
        carom_batch_motion m;                                                                                  \
        carom_batch_gather(pose, b, &m);                                                                       \
        if (carom_batch_is_convex(&m)) {                                                                       \
            CAROM_BATCH_COLUMNS(gap, a > 0 && b_ > 0)                                                          \
        } else {                                                                                               \
            CAROM_BATCH_COLUMNS(gap, true)                                                                     \
        }                                                                                                      \
    }

/* `batch` of an elastic part without history: of its `force`. */
#define CAROM_ELASTIC_BATCH(force)                                                                             \
    CAROM_WIDE static void batch(const double *c, carom_batch *b)                                              \
    {                                                                                                          \
        for (int n = 0; n < CAROM_BATCH; n++) {                                                                \
            carom_elastic_force f;                                                                             \
            force(c, NULL, b->delta[n], &f);                                                                   \
            b->elastic[n] = f.force;                                                                           \
            b->slope[n] = f.slope;                                                                             \
            b->energy[n] = f.energy;                                                                           \
            b->loss[n] = f.loss;                                                                               \
        }                                                                                                      \
    }

/* Column n as the input of a damping part; `constants` are those of the elastic one. */
static inline carom_damping_input carom_batch_damping(const carom_batch *b, int n, const double *constants,
                                                      double stiffness, double exponent)
{
    return (carom_damping_input){.delta = b->delta[n],
                                 .rate = -b->gap_rate[n],
                                 .elastic = b->elastic[n],
                                 .elastic_slope = b->slope[n],
                                 .v0 = b->v0[n],
                                 .mass = b->mass[n],
                                 .stiffness = stiffness,
                                 .exponent = exponent,
                                 .constants = constants};
}

/* `batch` of a damping part: of its `force`. */
#define CAROM_DAMPING_BATCH(force)                                                                             \
    CAROM_WIDE static void batch(const double *c, const double *constants, double stiffness, double exponent,  \
                                 carom_batch *b)                                                               \
    {                                                                                                          \
        for (int n = 0; n < CAROM_BATCH; n++) {                                                                \
            const carom_damping_input in = carom_batch_damping(b, n, constants, stiffness, exponent);          \
            carom_damping_force f;                                                                             \
            force(c, &in, &f);                                                                                 \
            b->damping[n] = f.force;                                                                           \
        }                                                                                                      \
    }

/* Column n as the input of a friction law with state. */
static inline carom_friction_input carom_batch_friction(const carom_batch *b, int n)
{
    const carom_vec3 slip = carom_batch_vector(b->slip, n);
    return (carom_friction_input){.slip = slip,
                                  .speed = carom_v3_norm(slip),
                                  .normal = b->force[n],
                                  .delta = b->delta[n],
                                  .rate = -b->gap_rate[n],
                                  .elastic = b->elastic[n],
                                  .elastic_slope = b->slope[n]};
}

/* `batch` of a friction law with state: of its `update`, over a step of h [s]. */
#define CAROM_FRICTION_BATCH(update)                                                                           \
    CAROM_WIDE static void batch(const double *c, double h, carom_batch *b)                                    \
    {                                                                                                          \
        for (int n = 0; n < b->count; n++) {                                                                   \
            if (!(b->force[n] > 0))                                                                            \
                continue;                                                                                      \
            const carom_friction_input in = carom_batch_friction(b, n);                                        \
            double z[CAROM_FRICTION_STATE] = {b->z[0][n], b->z[1][n], b->z[2][n], b->z[3][n]};                 \
            carom_batch_store(b->friction, n, update(c, &in, h, z));                                           \
            for (int k = 0; k < CAROM_FRICTION_STATE; k++)                                                     \
                b->z[k][n] = z[k];                                                                             \
        }                                                                                                      \
    }

#endif
