/* Trials of the tests of faults and restarts: models of models/ and a few of their own with a run of the test's choice;
   an allocator that counts and fails; a sink that keeps all it is given; comparison bit for bit. */
#ifndef CAROM_TEST_TRIAL_H
#define CAROM_TEST_TRIAL_H

#include <stdbool.h>
#include <stddef.h>
#include "carom/simulation.h"

/* ---- trials ---- */

typedef struct trial {
    const char *name;           /* of a file in models/, or for messages if there is a text */
    const char *text;           /* YAML; NULL: the file */
    double until;               /* [s] */
    double step;                /* of fixed-step integrators [s] */
    double every;               /* output interval [s] */
} trial;

/* Planar slider-crank that hits a block twice; spinning top; slider-crank in space with redundant rows; two balls in
   the plane that hit a floor and each other; the same in space; a block between springs, dampers and forces of time; a
   crank driven by expressions with branches; balls in space that rub, roll and are dented: laws with memory, clamps,
   friction that holds and friction with states; balls of which all may touch, with fixed steps in a set;
   two discs, a ball and a rod in a bearing with clearance, with inputs, states, events of every action and outputs; an
   arm with limits, an integral that is clamped, computed torque and trajectories. */
extern const trial trial_block, trial_top, trial_redundant, trial_balls, trial_balls_3d, trial_loads, trial_driven,
    trial_rubbing, trial_pins, trial_many, trial_events, trial_drives;

/* Chain of `links` planar bars, 2*links rows, as a text in `out`; returns out. */
char *trial_chain_text(int links, char *out, size_t size);

/* Reads and compiles a trial with the named integrator; `constraints` NULL: the default. */
carom_status trial_compile(carom_context *ctx, const trial *s, const char *integrator, const char *constraints,
                           carom_model **out);

extern const char *const trial_integrators[8];

/* ---- an allocator that counts and can fail ---- */

typedef struct trial_allocator {
    size_t blocks, bytes;       /* not yet released */
    size_t calls;               /* of `allocate` since it was last set to 0 */
    size_t fail_at;             /* this call returns NULL; 0: none */
    bool fail_after;            /* so do all later ones */
    size_t misuses;             /* releases with another size than asked for */
} trial_allocator;

/* Context on that allocator; NULL: defaults. */
carom_context *trial_context(trial_allocator *allocator);

/* ---- a sink that keeps all ---- */

typedef struct trial_rows {
    size_t rows, columns, capacity;
    double *data;               /* time, then the channels, row by row */
} trial_rows;

typedef struct trial_record {
    trial_rows group[3];
    size_t impacts;
    carom_sink sink;
} trial_record;

/* Makes a record ready; its sink may be given to a simulation. */
void trial_record_init(trial_record *record);
/* Tells the columns of all groups, before the first row comes. */
void trial_record_columns(trial_record *record, carom_simulation *sim);
void trial_record_free(trial_record *record);
/* Whether all rows of `tail` equal those of `whole` from row `before` on, bit for bit; tells on stderr what differs. */
bool trial_rows_end_with(const trial_rows *whole, const trial_rows *tail, size_t before);

/* Whether two simulations agree bit for bit in time, body states, impacts, open contacts, ledger and violations; tells
   on stderr what differs. */
bool trial_same(carom_simulation *a, carom_simulation *b, size_t bodies);
/* Whether they agree in the counts of steps and restarts and, on demand, of evaluations. */
bool trial_same_counts(carom_simulation *a, carom_simulation *b, bool evaluations);

#endif
