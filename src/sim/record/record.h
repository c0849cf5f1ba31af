/* Samples of a run: rows of the channels, held in blocks until the sink takes them. */
#ifndef CAROM_RECORD_H
#define CAROM_RECORD_H

#include "sim/record/channels.h"

/* Samples of a block: the least, the most of those of the output interval in a long run, and of steps in contact. A run
   that is killed loses the last block. */
#define CAROM_BLOCK_SAMPLES 256
#define CAROM_LONG_BLOCK_SAMPLES 8192
#define CAROM_STEP_BLOCK_SAMPLES 1024
#define CAROM_LEAST_BLOCKS 32           /* of a run with long ones */
#define CAROM_LONG_BLOCK_BYTES (1 << 24)

/* A channel of a group as a sample needs it. */
typedef struct carom_record_item {
    carom_fill_fn fill;
    int index, size;
} carom_record_item;

typedef struct carom_recorder {
    carom_channel_list list;            /* all channels that there are, */
    uint64_t identity;                  /* and a hash of their names and sizes */
    carom_channel *channels;            /* those that are recorded, group by group */
    size_t channel_count;
    size_t *of_group[CAROM_RECORD_GROUPS];      /* places in the list of the channels of each group */
    size_t group_count[CAROM_RECORD_GROUPS];
    carom_record_item *plan[CAROM_RECORD_GROUPS];       /* the same channels */
    carom_reading_needs needs;          /* of a row of the output interval, its snapshot included */
    size_t columns[CAROM_RECORD_GROUPS];        /* numbers of a sample of each group */
    double *time[CAROM_RECORD_GROUPS], *block[CAROM_RECORD_GROUPS]; /* samples not yet given to the sink */
    size_t samples[CAROM_RECORD_GROUPS];
    size_t room[CAROM_RECORD_GROUPS];   /* samples of a part of a block */
    size_t place[CAROM_RECORD_GROUPS];  /* of the first of them in a whole part */
    size_t last[CAROM_RECORD_GROUPS];   /* place in the block of the last one that the sink has */
    carom_reading reading;
} carom_recorder;

/* Prepares the blocks if there is a sink. */
carom_status carom_record_create(carom_simulation *sim);
/* Samples of a block of a group whose channels are known. */
size_t carom_record_room(const carom_simulation *sim, int group);
/* Writes the channels of a group from an evaluated state. */
void carom_record_values(carom_simulation *sim, int group, carom_evaluation *d, const carom_state *s,
                         double *out);
/* A sample of a group from an evaluated state. */
carom_status carom_record_sample(carom_simulation *sim, int group, double t, carom_evaluation *d,
                                 const carom_state *s);
/* The last sample of a group once more, at another time. */
carom_status carom_record_again(carom_simulation *sim, int group, double t);
/* Gives all samples to the sink. */
carom_status carom_record_flush(carom_simulation *sim);
/* Takes the sink away; what it has not taken is dropped. */
void carom_record_let_go(carom_simulation *sim);

/* ---- rows.c ---- */

/* Rows of the output grid from the state's time to `end`, by the dense output of the last step. They are evaluated
   where the integrator evaluates: `rates` then tells where that is. */
carom_status carom_record_rows(carom_simulation *sim, double end, carom_step_rates *rates);

/* ---- inside.c ---- */

/* Rows of the contacts between the state's time and `end`, where the last step is that of a method of long steps;
   evaluated as above. */
carom_status carom_record_inside(carom_simulation *sim, double end, carom_step_rates *rates);

/* ---- snapshots.c ---- */

/* A sample of the output grid at t, with its snapshot. */
carom_status carom_record_grid(carom_simulation *sim, double t, carom_evaluation *d, const carom_state *s);
/* The last one of both once more, at t. */
carom_status carom_record_grid_again(carom_simulation *sim, double t);
/* A snapshot of the present state while a contact is open, if it is due; always at an event of a contact. */
carom_status carom_record_snapshot(carom_simulation *sim, bool event);

#endif
