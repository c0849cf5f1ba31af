/* Rows of contacts inside a long step, whose ends alone would draw an impact by a few points. */
#include "sim/sim.h"

/* Parts of such a step; after an onset their ends lie as the squares, near to it. */
#define PARTS 5

static bool is_long(const carom_integrator *integrator)
{
    const carom_integrator_kind *kind = integrator->kind;
    return kind->methods[0] ? kind->methods[integrator->method]->maps : kind->maps;
}

carom_status carom_record_inside(carom_simulation *sim, double end, carom_step_rates *rates)
{
    const carom_integrator *integrator = sim->integrator;
    const double begin = *sim->s.time;
    if (!sim->def.sink || !sim->recorder.columns[CAROM_RECORD_STEPS] || !is_long(integrator))
        return CAROM_OK;
    const bool onset = integrator->opening > 0 && integrator->opened == begin;
    double *y = sim->y_scratch;
    const carom_state then = carom_state_at(&sim->s, y);
    for (int n = 1; n < PARTS; n++) {
        const double share = (double)n / PARTS, t = begin + share * (onset ? share : 1) * (end - begin);
        if (!(t > begin && t < end) || !carom_step_interpolate(sim, t, y))
            continue;
        *rates = CAROM_RATES_ELSEWHERE;
        if (carom_system_evaluate(sim->trial, &sim->s, t, y))
            CAROM_TRY(carom_record_sample(sim, CAROM_RECORD_STEPS, t, sim->trial, &then));
    }
    return CAROM_OK;
}
