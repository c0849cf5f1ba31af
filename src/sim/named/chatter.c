/* Switches between whose branches the motion goes to and fro: on either side the force drives it back over the edge at
   which it jumps, as on-off control or friction written by hand does at rest. */
#include "sim/sim.h"

#include <stdio.h>

/* So many times to and fro within this share of the run. */
#define RETURNS 1000
#define SHARE 1e-3

/* Counts the returns of a switch; whether there have been so many. */
static bool returns(carom_simulation *sim, int k)
{
    carom_state *s = &sim->s;
    const int branch = s->switches[k];
    if (branch == s->switch_last[k])
        return false;
    s->switch_returns[k] = branch == s->switch_former[k] ? s->switch_returns[k] + 1 : 0;
    s->switch_former[k] = s->switch_last[k];
    s->switch_last[k] = branch;
    if (s->switch_returns[k] % RETURNS == 0) {
        const bool often = s->switch_returns[k] && *s->time - s->switch_since[k] < SHARE * sim->run.until;
        s->switch_since[k] = *s->time;
        return often;
    }
    return false;
}

/* The load's own switches, or the expression at its place. */
static void tell(const carom_simulation *sim, int k, char *text, size_t size)
{
    const carom_model *m = sim->model;
    for (int n = 0; n < m->expr_count; n++) {
        const carom_model_expr *e = &m->exprs[n];
        if (k >= e->first_switch && k < e->first_switch + carom_expr_switch_count(e->expr)) {
            snprintf(text, size, "the expression at %s:%d:%d jumps:", e->place.file, e->place.line,
                     e->place.column);
            return;
        }
    }
    for (int n = 0; n < m->load_count; n++) {
        const carom_compiled_load *l = &m->loads[n];
        if (l->edges && k >= l->first_switch && k < l->first_switch + l->kind->switches) {
            snprintf(text, size, "load '%s' switches:", l->name);
            return;
        }
    }
    snprintf(text, size, "a force jumps:");
}

#define REMEDY                                                                                                 \
    "on either side the motion is driven back over the jump; write it as a ramp, such as `tanh(vx(slider)/0.01)`, " \
    "give on-off control a dead band, or friction a law (`friction`)"

carom_status carom_chatter_restart(carom_simulation *sim)
{
    carom_state *s = &sim->s;
    const bool by_time = *s->time >= *s->switch_break;
    char what[300];
    *s->switch_break = sim->next_break;
    for (int k = 0; k < sim->model->switch_count; k++) {
        if (by_time) {
            s->switch_last[k] = s->switches[k];
            continue;
        }
        if (!returns(sim, k))
            continue;
        *s->chattering = 1 + k;
        if (s->switch_told[k])
            continue;
        s->switch_told[k] = 1;
        tell(sim, k, what, sizeof what);
        CAROM_TRY(carom_simulation_warn(sim, CAROM_WARN_CHATTER, "%s " REMEDY " (%d times to and fro until t = %.6g s)",
                                        what, RETURNS, *s->time));
    }
    return CAROM_OK;
}

bool carom_chatters(const carom_simulation *sim, double since, char *text, size_t size)
{
    const int k = *sim->s.chattering - 1;
    if (k < 0 || sim->s.switch_since[k] < since)
        return false;
    char what[300];
    tell(sim, k, what, sizeof what);
    snprintf(text, size, "%s " REMEDY, what);
    return true;
}
