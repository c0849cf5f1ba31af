/* The state: all that moves, in one block made from state_fields.def; copyable, hashable. */
#ifndef CAROM_STATE_H
#define CAROM_STATE_H

#include "dynamics/contact/episode.h"

typedef struct carom_state {
    carom_context *ctx;
    /* Open episodes of the pools, behind the block: a list that grows between steps. */
    carom_episode *episodes;
    size_t episode_count, episode_capacity;
    size_t double_count, slot_count, int_count;
    size_t integrated;          /* length of the integrated vector, which starts at q */
    size_t size;                /* of the block [bytes] */
    void *block;
#define CAROM_DOUBLE(name, count, unit, sentence) double *name;
#define CAROM_INT(name, count, unit, sentence) int *name;
#define CAROM_EPISODE(name, count, sentence) carom_episode *name;
#include "dynamics/state_fields.def"
#undef CAROM_DOUBLE
#undef CAROM_INT
#undef CAROM_EPISODE
} carom_state;

carom_status carom_state_create(carom_context *ctx, const carom_model *model, carom_state *out);
void carom_state_free(carom_state *state);
/* Makes room for so many episodes of pools. Errors: CAROM_ERROR_MEMORY. */
carom_status carom_state_grow(carom_state *state, size_t episodes);

/* Contact reports already made (bits of contact_flags). */
enum {
    CAROM_REPORTED_FLOOR = 1,
    CAROM_REPORTED_RATE = 2,
    CAROM_REPORTED_TENSION = 4,
    CAROM_REPORTED_STIFF = 8,
    CAROM_REPORTED_NORMAL = 16
};
/* The bit of the first rule of law/validity.h; those of the others follow. */
#define CAROM_REPORTED_RULE (1 << 16)

#endif
