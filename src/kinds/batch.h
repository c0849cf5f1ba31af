/* Contacts of one composition (pair of shapes, law, friction) at one instant, as many as a loop takes at a time: a
   column each. A kind that contact sets meet often gives a function over a batch besides the one over a single contact,
   which the macros below make of that one by inlining, so that a formula stands once. Kinds without one are called for
   each column. docs/theory/many-bodies.md */
#ifndef CAROM_BATCH_H
#define CAROM_BATCH_H

#include "base/wide.h"
#include "kinds/kind.h"

#include <stddef.h>

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
    carom_motions motions;      /* of the bodies; the ground has a pose alone, and so has what is not `centred` */
    const int *body[2];
    const carom_batch_shape *const *shape[2];
    const carom_batch_shape *same[2];   /* the shape of all columns of a side; NULL: they differ */
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
    double (*z)[CAROM_BATCH];   /* states of the friction */
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

/* The pose of the body of a column: that of the list, or else without axes in `own`. */
static inline const carom_body_pose *carom_batch_body_pose(const carom_body_pose *pose, const carom_batch *b, int side,
                                                           int n, carom_body_pose *own)
{
    const int body = b->body[side][n];
    if (!body || !b->motions.first)
        return &pose[body];
    *own = (carom_body_pose){.p = carom_v3_load(carom_motions_p(&b->motions, body)),
                             .v = carom_v3_load(carom_motions_v(&b->motions, body)),
                             .w = carom_v3_load(carom_motions_v(&b->motions, body) + 3)};
    return own;
}

/* Columns by the `gap` of a pair, one by one. */
#define CAROM_PAIR_BATCH_EACH(gap)                                                                             \
    CAROM_WIDE static void batch_each(const carom_body_pose *pose, carom_batch *b)                             \
    {                                                                                                          \
        for (int n = 0; n < b->count; n++) {                                                                   \
            carom_body_pose own[2];                                                                            \
            const carom_body_pose *i = carom_batch_body_pose(pose, b, 0, n, &own[0]);                          \
            const carom_body_pose *j = carom_batch_body_pose(pose, b, 1, n, &own[1]);                          \
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
    bool hollow;                        /* some are not positive */
    bool off_centre[2];                 /* some have an offset */
} carom_batch_motion;

/* Four numbers are read of a position, and spins behind velocities. */
_Static_assert(offsetof(carom_body_pose, v) == 3 * sizeof(double) && offsetof(carom_body_pose, w) == 6 * sizeof(double),
               "the numbers of a motion stand together");

/* Four columns from n on of one side. */
static inline void carom_batch_gather_four(const carom_motions *of, const int *body, int side, int n,
                                           carom_batch_motion *out)
{
    const double *const v[4] = {carom_motions_v(of, body[0]), carom_motions_v(of, body[1]),
                                carom_motions_v(of, body[2]), carom_motions_v(of, body[3])};
    carom_four a0 = *carom_four_of(carom_motions_p(of, body[0])), a1 = *carom_four_of(carom_motions_p(of, body[1])),
               a2 = *carom_four_of(carom_motions_p(of, body[2])), a3 = *carom_four_of(carom_motions_p(of, body[3]));
    carom_four b0 = *carom_four_of(v[0]), b1 = *carom_four_of(v[1]), b2 = *carom_four_of(v[2]),
               b3 = *carom_four_of(v[3]);
    CAROM_FOUR_TRANSPOSE(a0, a1, a2, a3);
    CAROM_FOUR_TRANSPOSE(b0, b1, b2, b3);
    *carom_four_at(&out->p[side][0][n]) = a0;
    *carom_four_at(&out->p[side][1][n]) = a1;
    *carom_four_at(&out->p[side][2][n]) = a2;
    *carom_four_at(&out->v[side][0][n]) = b0;
    *carom_four_at(&out->v[side][1][n]) = b1;
    *carom_four_at(&out->v[side][2][n]) = b2;
    *carom_four_at(&out->w[side][0][n]) = b3;
    *carom_four_at(&out->w[side][1][n]) = (carom_four){v[0][4], v[1][4], v[2][4], v[3][4]};
    *carom_four_at(&out->w[side][2][n]) = (carom_four){v[0][5], v[1][5], v[2][5], v[3][5]};
}

static inline void carom_batch_gather(const carom_body_pose *pose, const carom_batch *b, int side,
                                      carom_batch_motion *out)
{
    const carom_batch_shape *const *shape = b->shape[side];
    for (int n = 0; n < CAROM_BATCH; n += 4)
        carom_batch_gather_four(&b->motions, b->body[side] + n, side, n, out);
    const carom_batch_shape *same = b->same[side];
    const double size = same ? same->p[0] : shape[0]->p[0];
    for (int n = 0; n < CAROM_BATCH; n++)
        out->size[side][n] = size;
    if (same && same->centred) {
        out->hollow |= !(size > 0);
        return;
    }
    out->off_centre[side] = true;
    for (int n = 0; n < CAROM_BATCH; n++) {
        const carom_vec3 offset =
            shape[n]->centred ? carom_v3(0, 0, 0) : carom_m3_apply(&pose[b->body[side][n]].axes, shape[n]->at);
        out->size[side][n] = shape[n]->p[0];
        out->hollow |= !(shape[n]->p[0] > 0);
        carom_batch_store(out->offset[side], n, offset);
        carom_batch_store(out->p[side], n, carom_v3_add(carom_batch_vector(out->p[side], n), offset));
    }
}

static inline carom_body_pose carom_batch_body(const carom_batch_motion *m, int side, int n)
{
    return (carom_body_pose){.v = carom_batch_vector(m->v[side], n), .w = carom_batch_vector(m->w[side], n)};
}

/* Columns by `gap`, where `holds` of the sizes a and b_, with or without offsets: what these rule out is not in the
   loop. */
#define CAROM_BATCH_COLUMNS(gap, holds, offsets)                                                               \
    for (int n = 0; n < CAROM_BATCH; n++) {                                                                    \
        const carom_body_pose i = carom_batch_body(&m, 0, n), j = carom_batch_body(&m, 1, n);                  \
        const double a = m.size[0][n], b_ = m.size[1][n];                                                      \
        const carom_vec3 none = {0, 0, 0};                                                                     \
        const carom_vec3 offset_i = (offsets) && m.off_centre[0] ? carom_batch_vector(m.offset[0], n) : none;  \
        const carom_vec3 offset_j = (offsets) && m.off_centre[1] ? carom_batch_vector(m.offset[1], n) : none;  \
        const carom_shape_pose shape_i = {.p = &a, .origin = carom_batch_vector(m.p[0], n)};                   \
        const carom_shape_pose shape_j = {.p = &b_, .origin = carom_batch_vector(m.p[1], n)};                  \
        carom_pair_point pair;                                                                                 \
        if (!(holds))                                                                                          \
            __builtin_unreachable();                                                                           \
        gap(&shape_i, &shape_j, &pair);                                                                        \
        carom_batch_place(b, n, &i, &j, offset_i, offset_j, &pair);                                            \
    }

/* `batch` of a pair of shapes without axes, whose gap depends on origins and first parameters alone: as loops over
   numbers. */
#define CAROM_PAIR_BATCH_ROUND(gap)                                                                            \
    CAROM_WIDE static void batch(const carom_body_pose *pose, carom_batch *b)                                  \
    {                                                                                                          \
        carom_batch_motion m;                                                                                  \
        m.hollow = m.off_centre[0] = m.off_centre[1] = false;                                                  \
        carom_batch_gather(pose, b, 0, &m);                                                                    \
        carom_batch_gather(pose, b, 1, &m);                                                                    \
        if (!m.hollow && !m.off_centre[0] && !m.off_centre[1]) {                                               \
            CAROM_BATCH_COLUMNS(gap, a > 0 && b_ > 0, false)                                                   \
        } else {                                                                                               \
            CAROM_BATCH_COLUMNS(gap, true, true)                                                               \
        }                                                                                                      \
    }

/* `batch` of a shape i without axes on a shape j, which as a rule is one for all columns and on one body: of the vector
   that `common` gives of j, and of the gap by it, the `gap` of the pair. */
#define CAROM_PAIR_BATCH_ON(common, gap_by, gap)                                                               \
    CAROM_WIDE static void batch_on(const carom_body_pose *pose, carom_batch *b)                               \
    {                                                                                                          \
        carom_batch_motion m;                                                                                  \
        carom_shape_pose shape_j;                                                                              \
        const carom_body_pose j = pose[b->body[1][0]];                                                         \
        const carom_vec3 offset_j = carom_batch_pose(b->same[1], &j, &shape_j);                                \
        const carom_vec3 vector_j = common(&shape_j);                                                          \
        m.hollow = m.off_centre[0] = false;                                                                    \
        carom_batch_gather(pose, b, 0, &m);                                                                    \
        for (int n = 0; n < CAROM_BATCH; n++) {                                                                \
            const carom_body_pose i = carom_batch_body(&m, 0, n);                                              \
            const carom_vec3 none = {0, 0, 0};                                                                 \
            const carom_vec3 offset_i = m.off_centre[0] ? carom_batch_vector(m.offset[0], n) : none;           \
            const carom_shape_pose shape_i = {.p = &m.size[0][n], .origin = carom_batch_vector(m.p[0], n)};    \
            carom_pair_point pair;                                                                             \
            gap_by(&shape_i, &shape_j, vector_j, &pair);                                                       \
            carom_batch_place(b, n, &i, &j, offset_i, offset_j, &pair);                                        \
        }                                                                                                      \
    }                                                                                                          \
    CAROM_PAIR_BATCH_EACH(gap)                                                                                 \
    static void batch(const carom_body_pose *pose, carom_batch *b)                                             \
    {                                                                                                          \
        int moves = 0;                                                                                         \
        for (int n = 1; n < CAROM_BATCH; n++)                                                                  \
            moves |= b->body[1][n] != b->body[1][0];                                                           \
        if (!moves && b->same[1])                                                                              \
            batch_on(pose, b);                                                                                 \
        else                                                                                                   \
            batch_each(pose, b);                                                                               \
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

/* Columns by `update`, an expression of n, `in` and so many states z that gives the friction. Columns that do not act
   may give anything. */
#define CAROM_FRICTION_COLUMNS(states, update)                                                                       \
    for (int n = 0; n < CAROM_BATCH; n++) {                                                                    \
        const carom_friction_input in = carom_batch_friction(b, n);                                            \
        const bool acts = b->force[n] > 0;                                                                     \
        double z[states];                                                                                      \
        for (int k = 0; k < (states); k++)                                                                     \
            z[k] = b->z[k][n];                                                                                 \
        const carom_vec3 f = update;                                                                           \
        b->friction[0][n] = acts ? f.x : 0;                                                                    \
        b->friction[1][n] = acts ? f.y : 0;                                                                    \
        b->friction[2][n] = acts ? f.z : 0;                                                                    \
        for (int k = 0; k < (states); k++)                                                                     \
            b->z[k][n] = acts ? z[k] : b->z[k][n];                                                             \
    }

#endif
