/* The state: all that moves, in one block made from state_fields.def; copyable, hashable. */
#ifndef CAROM_STATE_H
#define CAROM_STATE_H

#include "carom/state.h"
#include "dynamics/contact/episode.h"

/* Value that a joint coordinate, or its rate, shall have: see carom_state_set(). */
typedef struct carom_wish {
    int joint;
    bool rate;
    double value;
} carom_wish;

/* The coordinates that a state is in (dynamics/formulation/formulation.h), and how many numbers they are. */
typedef struct carom_formulation carom_formulation;
typedef struct carom_past carom_past;   /* dynamics/state/past.h */
typedef struct carom_layout {
    int positions, velocities;
} carom_layout;

struct carom_state {
    carom_context *ctx;
    const carom_model *model;
    const carom_formulation *formulation;
    carom_layout layout;
    bool edited;                /* by its holder since it was taken from a simulation */
    bool rests;                 /* the states of its friction hold it at rest: contacts in touch begin with them */
    const carom_vec3 *slips;    /* of each contact, in a motion close by along whose slip the friction that holds acts,
                                   also where its own has turned round; borrowed, NULL: there is none */
    carom_wish *wishes;
    size_t wish_count, wish_capacity;
    /* Absolute positions, then velocities of all bodies, once the holder placed one that a joint carries: they count
       instead of the coordinates until the state is assembled. */
    double *placed;             /* NULL: never needed */
    bool placing;
    carom_past *past;           /* NULL: never needed */
    carom_state_part *parts;    /* the list of names, made when it is first asked for */
    size_t part_count;
    carom_arena texts;
    /* Open episodes of contact sets, behind the block: a list that grows between steps. */
    carom_episode *episodes;
    size_t episode_count, episode_capacity;
    size_t double_count, slot_count, int_count;
    size_t integrated;          /* length of the integrated vector, which starts at q */
    size_t size, room;          /* of the block, used and taken [bytes] */
    void *block;
#define CAROM_DOUBLE(name, count, unit, description) double *name;
#define CAROM_INT(name, count, unit, description) int *name;
#define CAROM_EPISODE(name, count, description) carom_episode *name;
#include "dynamics/state_fields.def"
#undef CAROM_DOUBLE
#undef CAROM_INT
#undef CAROM_EPISODE
};

/* Takes and gives back the memory of a state that stands in a struct; those of the caller's: carom_state_create(). */
carom_status carom_state_init(carom_context *ctx, const carom_model *model, const carom_formulation *formulation,
                              carom_state *out);
void carom_state_clear(carom_state *state);
/* As carom_state_create(), in the coordinates of a formulation. */
carom_status carom_state_create_in(carom_context *ctx, const carom_model *model, const carom_formulation *formulation,
                                   carom_state **out);
/* Whether both have the same contacts: sets, or a contact of each of their pairs. */
bool carom_state_alike(const carom_state *a, const carom_state *b);
/* What is not of contacts, in the same formulation; contacts are then those of the positions. Errors:
   CAROM_ERROR_MEMORY. */
carom_status carom_state_move_to(carom_state *to, const carom_state *from);
/* Makes `to` equal to `from`, of the same model; one without the work of applied forces has 0 for it. On failure `to`
   is as before. Errors: CAROM_ERROR_MEMORY. */
carom_status carom_state_assign(carom_state *to, const carom_state *from);
/* The same of all but the coordinates, which may be of different formulations. */
carom_status carom_state_share(carom_state *to, const carom_state *from);
/* A state in the block of another one of the same model, of which it may have the work of applied forces more: its
   arrays are where those of the other were. Its lists are those of `state`. */
carom_state carom_state_in_block_of(const carom_state *state, const carom_state *other);
/* Absolute positions and velocities of all bodies, as they were placed or else by the coordinates; NULL: not these. */
void carom_state_absolute(const carom_state *state, double *q, double *v);
size_t carom_state_placed_count(const carom_model *model);
/* Puts the bodies where the model has them at the start, not assembled. */
void carom_state_place_bodies(carom_state *state);
/* Gives them the velocities of the model, as they are given. */
void carom_state_move_bodies(carom_state *state);
/* The state with the numbers that are integrated taken from y; it lives as long as both. */
carom_state carom_state_at(const carom_state *state, double *y);
/* Inputs and states of the user's own as the model starts them. */
void carom_state_start_variables(carom_state *state);
/* Makes room for so many episodes of sets. Errors: CAROM_ERROR_MEMORY. */
carom_status carom_state_grow(carom_state *state, size_t episodes);

/* Contact reports already made (bits of contact_flags). */
enum {
    CAROM_REPORTED_FLOOR = 1,
    CAROM_REPORTED_RATE = 2,
    CAROM_REPORTED_TENSION = 4,
    CAROM_REPORTED_STIFF = 8,
    CAROM_REPORTED_NORMAL = 16,
    CAROM_REPORTED_START = 32,
    CAROM_REPORTED_JUMP = 64,
    CAROM_REPORTED_RIGID = 128,
    CAROM_REPORTED_JAM = 256,
    CAROM_REPORTED_GAIN = 512
};
/* The bit of the first rule of law/validity.h; those of the others follow. */
#define CAROM_REPORTED_RULE (1 << 16)

#endif
