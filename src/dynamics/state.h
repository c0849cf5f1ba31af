/* The state: all that moves, in one block made from state_fields.def; copyable, hashable. */
#ifndef CAROM_STATE_H
#define CAROM_STATE_H

#include "model/model.h"

typedef struct carom_state {
    carom_context *ctx;
    size_t double_count, int_count;
    size_t integrated;          /* length of the integrated vector, which starts at q */
    size_t size;                /* of the block [bytes] */
    void *block;
#define CAROM_DOUBLE(name, count, unit, sentence) double *name;
#define CAROM_INT(name, count, unit, sentence) int *name;
#include "dynamics/state_fields.def"
#undef CAROM_DOUBLE
#undef CAROM_INT
} carom_state;

carom_status carom_state_create(carom_context *ctx, const carom_model *model, carom_state *out);
void carom_state_free(carom_state *state);

/* Contact reports already made (bits of contact_flags). */
enum {
    CAROM_REPORTED_FLOOR = 1,
    CAROM_REPORTED_RATE = 2,
    CAROM_REPORTED_TENSION = 4,
    CAROM_REPORTED_STIFF = 8,
    CAROM_REPORTED_NORMAL = 16
};
/* The bit of the first rule of kinds/validity.h; those of the others follow. */
#define CAROM_REPORTED_RULE (1 << 16)

#endif
