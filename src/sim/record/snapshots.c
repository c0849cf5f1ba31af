/* Snapshots, from which a motion is drawn: with each sample of the output grid, and densely around events of
   contacts. */
#include "sim/sim.h"

#include <math.h>

/* The distance to the next snapshot is this share of the time since the last event of a contact, so that an impact has
   snapshots on all its scales and a contact at rest adds few. */
#define SNAPSHOT_SHARE 0.05
/* Snapshots between samples of the output grid: so many for each such sample, and at most so many at a time. */
#define SNAPSHOTS_PER_SAMPLE 20.0
#define SNAPSHOTS_AT_A_TIME 2000.0

static void note_grid(carom_simulation *sim, double t)
{
    const carom_state *s = &sim->s;
    const double more = *s->snapshot_credit + SNAPSHOTS_PER_SAMPLE;
    *s->snapshot_credit = *s->output_index == 0 ? SNAPSHOTS_AT_A_TIME : fmin(SNAPSHOTS_AT_A_TIME, more);
    *s->snapshot_time = t;
}

carom_status carom_record_grid_again(carom_simulation *sim, double t)
{
    note_grid(sim, t);
    CAROM_TRY(carom_record_again(sim, CAROM_RECORD_INTERVALS, t));
    return carom_record_again(sim, CAROM_RECORD_SNAPSHOTS, t);
}

carom_status carom_record_grid(carom_simulation *sim, double t, carom_evaluation *d, const carom_state *s)
{
    note_grid(sim, t);
    CAROM_TRY(carom_record_sample(sim, CAROM_RECORD_INTERVALS, t, d, s));
    return carom_record_sample(sim, CAROM_RECORD_SNAPSHOTS, t, d, s);
}

carom_status carom_record_snapshot(carom_simulation *sim, bool event)
{
    carom_state *s = &sim->s;
    double t = *s->time;
    if (event)
        *s->snapshot_event = t;
    bool due = event || t - *s->snapshot_time >= SNAPSHOT_SHARE * (t - *s->snapshot_event);
    if (!due || *s->snapshot_credit < 1 || t <= *s->snapshot_time)
        return CAROM_OK;
    *s->snapshot_credit -= 1;
    *s->snapshot_time = t;
    return carom_record_sample(sim, CAROM_RECORD_SNAPSHOTS, t, sim->d, s);
}
