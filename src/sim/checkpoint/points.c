/* Points of a run: where the integrator restarts anyway, and where it is made to after so many steps. They depend on
   the motion alone, never on a clock, so that a run has the same whether checkpoints are taken at them or not. */
#include "sim/checkpoint/checkpoint.h"

#include <string.h>

carom_status carom_points_step(carom_simulation *sim)
{
    carom_points *p = &sim->points;
    if (!sim->restart && ++p->since < p->every)
        return CAROM_OK;
    p->since = 0;
    CAROM_TRY(carom_checkpoint_settle(sim));
    p->settled = true;
    const carom_status status = p->point ? p->point(p->user, sim) : CAROM_OK;
    p->settled = false;
    return status;
}

carom_status carom_simulation_set_points(carom_simulation *sim, size_t steps,
                                         carom_status (*point)(void *user, carom_simulation *sim), void *user)
{
    CAROM_NEED(NULL, sim);
    CAROM_TRY(carom_simulation_check_idle(sim, "carom_simulation_set_points()"));
    CAROM_TRY(carom_simulation_check_alone(sim, "carom_simulation_set_points()"));
    sim->points = (carom_points){.every = steps, .point = point, .user = user};
    return CAROM_OK;
}

carom_status carom_simulation_continue_rows(carom_simulation *sim, int group, size_t before, size_t rows,
                                            const double *time, const double *data)
{
    CAROM_NEED(NULL, sim);
    CAROM_TRY(carom_simulation_check_idle(sim, "carom_simulation_continue_rows()"));
    carom_recorder *r = &sim->recorder;
    const bool known = sim->def.sink && group >= 0 && group < CAROM_RECORD_GROUPS;
    if (!known || (rows && (!time || !data)) || rows >= r->room[group] ||
        before % r->room[group] + rows >= r->room[group])
        return carom_fail(sim->ctx, CAROM_ERROR_USAGE, NULL,
                          "%zu rows of group %d behind %zu are not those that wait for the end of a block", rows,
                          group, before);
    r->place[group] = before % r->room[group];
    r->samples[group] = rows;
    if (rows) {
        memcpy(r->time[group], time, rows * sizeof *time);
        memcpy(r->block[group], data, rows * r->columns[group] * sizeof *data);
    }
    return CAROM_OK;
}
