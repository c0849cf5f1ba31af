/* Parts of checkpoints, and the points of a run at which one leaves no trace. */
#ifndef CAROM_CHECKPOINT_H
#define CAROM_CHECKPOINT_H

#include "sim/sim.h"

/* Makes of the present state, and of nothing but the state, all that the next step begins with: what goes on and what
   is resumed from a checkpoint taken here give the same bits. Counts no evaluation. */
carom_status carom_checkpoint_settle(carom_simulation *sim);

/* ---- checkpoint_warnings.c ---- */

/* Warnings that were read, and are not yet those of the run. */
typedef struct carom_checkpoint_warnings {
    carom_warning *list;
    const char **texts;
    size_t count, capacity, text_capacity;
} carom_checkpoint_warnings;

size_t carom_checkpoint_warning_bytes(const carom_simulation *sim);
void carom_checkpoint_put_warnings(const carom_simulation *sim, unsigned char *to);
/* To be dropped or taken, also after a failure. Errors: CAROM_ERROR_IO, CAROM_ERROR_MEMORY. */
carom_status carom_checkpoint_read_warnings(carom_simulation *sim, const unsigned char *bytes, size_t size,
                                            size_t count, carom_checkpoint_warnings *out);
void carom_checkpoint_drop_warnings(carom_simulation *sim, carom_checkpoint_warnings *warnings);
void carom_checkpoint_take_warnings(carom_simulation *sim, carom_checkpoint_warnings *warnings);

#endif
