/* Contact sets: their near pairs, in blocks of one composition, and what of the open episodes changes with each step.
   The blocks are those of the list of near pairs, in the order chunk of bodies, law, shapes i and j, point; what else
   belongs to an open episode stands in the list of the state. docs/theory/many-bodies.md */
#ifndef CAROM_CONTACT_SET_H
#define CAROM_CONTACT_SET_H

#include "dynamics/contact/broad.h"
#include "kinds/batch.h"

#include <math.h>

/* Sums over the open episodes of a set. */
typedef struct carom_set_sums {
    int count;
    double force, largest;      /* normal forces, and the largest of them [N] */
    double energy;              /* stored [J] */
    double loss_power, friction_power;  /* [W] */
    double vanished;            /* of the energy stored, over the step, as points hand over to others [J] */
} carom_set_sums;

/* Members of carom_episode that change with each step, and those that change or are read now and then. */
#define CAROM_BLOCK_FIELDS(FIELD)                                                                              \
    FIELD(gap) FIELD(gap_rate) FIELD(force) FIELD(loss_power) FIELD(friction_power) FIELD(impulse) FIELD(loss) \
    FIELD(friction_loss) FIELD(peak_force) FIELD(peak_depth) FIELD(fastest) FIELD(peak_time) FIELD(mass)
#define CAROM_BLOCK_RARE_FIELDS(FIELD)                                                                         \
    FIELD(v0) FIELD(gain) FIELD(force_end) FIELD(cutoff_loss) FIELD(less) FIELD(whole)

/* Near pairs of one composition, a column each. Those that are apart have no episode. What each step reads stands
   first. */
typedef struct carom_set_block {
    const carom_model_contact *law;
    int set, count;             /* columns in use */
    int last_part;              /* the last part of the bodies (carom_body_part) that has one of its; -1: none */
    const carom_batch_shape *same[2];   /* the shape of all columns of a side; NULL: they differ */
    bool shared;                /* some have a slot */
    bool ended;                 /* of some the force has become zero */
    int body[2][CAROM_BATCH];   /* in the order of the pair kind, as all below */
    int episode[CAROM_BATCH];   /* among those of the state, -1: apart */
#define FIELD(name) double name[CAROM_BATCH];
    CAROM_BLOCK_FIELDS(FIELD)
    int slot[CAROM_BATCH];      /* for the share of a body of another chunk, -1: none is */
    double z[CAROM_FRICTION_STATE][CAROM_BATCH];
    const carom_batch_shape *shape[2][CAROM_BATCH];
    int cut_off[CAROM_BATCH];   /* 0 but for laws that are cut off */
    int compressing[CAROM_BATCH];       /* of laws that tell compressions apart */
    CAROM_BLOCK_RARE_FIELDS(FIELD)
#undef FIELD
    int member[2][CAROM_BATCH]; /* among the model's, i before j */
    int point[CAROM_BATCH];
    double reach[CAROM_BATCH];  /* sum of the bounding radii [m] */
} carom_set_block;

/* What a step does to a column besides following it. */
typedef enum carom_set_change { CAROM_SET_OPENS, CAROM_SET_CLOSES, CAROM_SET_PASSES_LIMIT } carom_set_change;

typedef struct carom_set_event {
    carom_set_change change;
    int block, column;
    double gap, gap_rate;       /* at the end of the step [m], [m/s] */
} carom_set_event;

/* Consecutive bodies and the near pairs whose first moving body is among them: what one thread does at a time. How many
   there are depends on the model alone, and so does the order in which forces are added. */
typedef struct carom_set_chunk {
    int first_body, last_body;
    int first_block, block_count;
    carom_set_sums *sums;       /* of each set */
    carom_wrench ground;        /* on the ground */
    carom_set_event *events;    /* of the last step */
    size_t event_count;
} carom_set_chunk;

/* The share of a body in the force of a contact that another chunk has. */
typedef struct carom_set_share {
    int body;                   /* 0: none at present */
    carom_wrench wrench;
} carom_set_share;

typedef struct carom_set_column {
    int block, column;
} carom_set_column;

typedef struct carom_sets {
    carom_context *ctx;
    carom_arena arena;
    int threads;                /* that share the making of the blocks */
    carom_broad *broad;
    carom_batch_shape *shapes;  /* one a member; equal ones are one */
    const carom_batch_shape **shape_of;         /* of each member */
    carom_set_chunk *chunks;
    int chunk_count, chunk_bodies;
    carom_set_sums *chunk_sums;
    const carom_model_contact **laws;           /* all that occur */
    int law_count;
    carom_set_block *blocks, *single;           /* single: a column that opens */
    size_t block_count, block_capacity;
    carom_set_block *former;    /* those of the list before */
    size_t former_capacity;
    carom_set_event *events;
    size_t event_capacity;
    carom_set_share *shares;    /* ordered by the chunk that makes them, then by the part that the body is of */
    size_t share_capacity;
    size_t *first_share;        /* of each chunk and part, and the number of all */
    int *last_chunk;            /* of each part, that has a share in it */
    int group_count;            /* of consecutive chunks, which threads take where bodies move with them */
    bool *border;               /* parts with a share of a chunk of another group than their own */
    bool *reopened;             /* parts of the bodies of contacts that open: for who moves them */
    size_t *places;             /* of each chunk and law, where the next candidate goes */
    bool round;                 /* moving shapes are centred balls, all others are unbounded, and all pairs go by
                                   batches: centres and twists are all that forces depend on */
    bool built;                 /* the blocks hold the episodes, and what the steps have changed of them */
    carom_set_column *columns;  /* of each episode of the state */
    size_t column_capacity;
} carom_sets;

carom_status carom_sets_create(carom_context *ctx, const carom_model *model, carom_sets **out);
void carom_sets_free(carom_sets *sets);
/* Room for so many episodes here and in the state. Errors: CAROM_ERROR_MEMORY. */
carom_status carom_sets_grow(carom_sets *sets, carom_state *state, size_t episodes);
/* The law of an episode. */
const carom_model_contact *carom_set_law(const carom_model *model, const carom_episode *episode);
/* Makes the list of near pairs again, from poses that carom_broad_move() has taken, with the episodes that the blocks
   hold, or else those of the state: where it has changed the owner clears `built` before.
   False with the index of an episode whose shapes are far apart. Errors: CAROM_ERROR_MEMORY. */
carom_status carom_sets_build(carom_sets *sets, const carom_body_pose *pose, const carom_state *state, size_t *lost);
/* Writes what the steps have changed back to the episodes of the state. */
void carom_sets_store(const carom_sets *sets, carom_state *state);
/* The same of one episode, and the way back. */
void carom_set_take(const carom_set_block *block, int column, carom_episode *out);
void carom_set_put(const carom_episode *episode, carom_set_block *block, int column);
/* Copies what an episode keeps in column n. */
void carom_set_copy(const carom_set_block *from, int n, carom_set_block *to, int at);
/* Binds an episode to a column, or takes it off. */
void carom_set_bind(carom_sets *sets, size_t episode, int block, int column);

/* Geometry and normal forces of a block at the poses of the workspace; `step`: also of columns that are apart. */
void carom_batch_normal(const carom_evaluation *d, const carom_state *state, const carom_set_block *block, bool step,
                        carom_batch *out);
/* Friction; its states, those of the block or a copy, are led over a step of h [s]. */
void carom_batch_rub(const carom_evaluation *d, const carom_set_block *block, double h, double (*states)[CAROM_BATCH],
                     carom_batch *b);
/* Adds the forces to the bodies of the chunk, and to the shares of others. */
void carom_batch_apply(carom_evaluation *d, carom_set_chunk *chunk, const carom_set_block *block,
                       const carom_batch *b);
/* Column n as a contact point, in the order of the members. */
carom_contact_point carom_batch_point(const carom_set_block *block, const carom_batch *b, int n);

/* Between the normal forces and friction of a step from t0 to t: what changes in the law of open episodes. */
void carom_batch_change(carom_state *state, carom_set_block *block, carom_batch *b);
/* Takes the forces at t over into the open episodes, h after their last ones; whether a column opens or closes. */
bool carom_batch_keep(carom_set_block *block, const carom_batch *b, double h, double t);
/* Adds what acts to the sums. */
void carom_batch_sum(const carom_set_block *block, const carom_batch *b, carom_set_sums *sums);
/* A gap changes within a step by no more than so many times what the greater of its rates makes. */
#define CAROM_SET_MOST_WAY 2
/* Whether a gap has jumped within a step of h [s], as one point of a pair hands over to another one: no way leads from
   one value to the other, and each has its own rate [m], [m/s]. */
static inline bool carom_set_jumped(const carom_model_contact *law, double h, double gap, double gap_rate,
                                    double gap_end, double gap_rate_end)
{
    return law->pair->points &&
           fabs(gap_end - gap) > CAROM_SET_MOST_WAY * h * fmax(fabs(gap_rate), fabs(gap_rate_end));
}
/* Greatest indentation between two steps of which the first closes and the second opens [m]. */
double carom_set_turn_depth(double h, double gap, double gap_rate, double gap_end, double gap_rate_end);

/* Forces of all open episodes at the poses, with friction as its states are, and the sums of the sets. */
void carom_sets_evaluate(carom_evaluation *d, const carom_state *state);
/* The chunks from `first` to before the one returned. */
static inline int carom_set_group(const carom_sets *p, int group, int *first)
{
    *first = group * p->chunk_count / p->group_count;
    return (group + 1) * p->chunk_count / p->group_count;
}

/* Who moves the bodies part by part while the forces are found. */
typedef struct carom_set_mover {
    void *user;
    void (*advance)(void *user, int part);      /* before its poses are asked for */
    void (*loaded)(void *user, int part);       /* all forces of the sets on it are known */
} carom_set_mover;

/* The same at the end of a step from t0 to t, which the episodes take over. What opens, closes or passes its limit is
   noted as events of the chunks. `mover`: NULL, all bodies have moved; parts are given to it by several threads. */
void carom_sets_follow(carom_evaluation *d, carom_state *state, double t0, double t, const carom_set_mover *mover);
/* Forces of the column of an episode that has opened, h after its onset. */
void carom_sets_open(carom_evaluation *d, carom_state *state, size_t episode, double h, double t);
/* The normal force of an open episode at the poses, in the order of its members. */
carom_contact_point carom_set_point(const carom_evaluation *d, const carom_state *state, size_t episode);

#endif
