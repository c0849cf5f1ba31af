/* The start of a run: the model is assembled, and has accelerations. */
#include "sim/sim.h"

#include <math.h>

/* With redundant rows the accelerations exist only if the dependent ones agree. */
static carom_status accelerations(carom_simulation *sim)
{
    const carom_model *m = sim->model;
    carom_evaluation *d = sim->d;
    bool solved = carom_rhs_update(sim) == 0;
    if (!solved && sim->system->state_fault >= 0)
        return carom_fail(sim->ctx, CAROM_ERROR_MODEL, &m->states[sim->system->state_fault].place,
                          "state '%s': its rate is not finite at the start", m->states[sim->system->state_fault].name);
    if (!solved) {
        char text[400];
        carom_culprit(sim, true, text, sizeof text);
        return carom_fail(sim->ctx, CAROM_ERROR_MODEL, &(carom_place){m->file, 0, 0},
                          "the accelerations cannot be solved at the start; %s",
                          text[0] ? text : "a force or motion is not finite there");
    }
    double scale = 0;
    for (int k = 0; k < sim->s.layout.velocities; k++)
        scale = fmax(scale, fabs(d->acceleration[k]));
    for (int r = 0; r < m->row_count; r++) {
        double sum = -d->rows[r].gamma - d->row_acceleration[r];
        sum += sim->system->formulation->row_times(d, &d->jacobian[r], d->acceleration);
        if (fabs(sum) <= 1e-6 * (scale + fabs(d->row_acceleration[r]) + fabs(d->rows[r].gamma)) + 1e-9)
            continue;
        char name[160];
        carom_row_name(m, r, name, sizeof name);
        return carom_fail(sim->ctx, CAROM_ERROR_MODEL, carom_row_place(m, r),
                          "the accelerations contradict: %s is off by %.3g; two motions drive the same coordinate",
                          name, sum);
    }
    return CAROM_OK;
}

carom_status carom_assemble(carom_simulation *sim)
{
    CAROM_TRY(carom_assembly_start(sim->d, &sim->s, &sim->start));
    return accelerations(sim);
}
