/* Inputs of a simulation: their records, and setting them. */
#include "sim/sim.h"
#include "sim/warnings.h"

#include <math.h>
#include <string.h>

carom_status carom_inputs_create(carom_simulation *sim)
{
    carom_spline_def *own;
    CAROM_TRY(carom_records_create(sim->ctx, &sim->arena, sim->model, sim->def.inputs, sim->def.input_count, &own,
                                   &sim->records));
    sim->system->records = sim->records;
    sim->def.inputs = own;
    return carom_records_require(sim->ctx, sim->model, sim->records);
}

carom_status carom_inputs_warn(carom_simulation *sim)
{
    char text[500];
    for (int k = 0; k < sim->model->input_count; k++)
        if (carom_records_warning(sim->model, sim->records, k, text, sizeof text))
            CAROM_TRY(carom_simulation_warn(sim, CAROM_WARN_OVERSHOOT, "%s", text));
    return CAROM_OK;
}

double carom_inputs_update(carom_simulation *sim) { return carom_records_update(sim->records, &sim->s); }

carom_status carom_simulation_find_input(carom_simulation *sim, const char *name, size_t *out)
{
    CAROM_NEED(NULL, sim);
    CAROM_NEED(sim->ctx, out);
    int input;
    CAROM_TRY(carom_records_find(sim->ctx, &sim->arena, sim->model, name ? name : "", "", &input));
    *out = (size_t)input;
    return CAROM_OK;
}

carom_status carom_simulation_set_input(carom_simulation *sim, size_t input, double value)
{
    CAROM_NEED(NULL, sim);
    const carom_model *m = sim->model;
    CAROM_TRY(carom_simulation_check_may_act(sim, "carom_simulation_set_input()"));
    if (input >= (size_t)m->input_count)
        return carom_fail(sim->ctx, CAROM_ERROR_USAGE, NULL, "input %zu: the model has %d", input + 1, m->input_count);
    if (!isfinite(value))
        return carom_fail(sim->ctx, CAROM_ERROR_USAGE, NULL, "input '%s': the value is not finite",
                          m->inputs[input].name);
    if (sim->records && sim->records[input].n)
        return carom_fail(sim->ctx, CAROM_ERROR_USAGE, NULL, "input '%s' follows its record and cannot be set",
                          m->inputs[input].name);
    const double former = sim->s.input[input];
    sim->s.input[input] = value;
    if (carom_rhs_update(sim) != 0) {
        carom_status status = carom_rhs_unsolved(sim);
        sim->s.input[input] = former;
        carom_rhs_update(sim);
        return status;
    }
    sim->restart = true;
    return CAROM_OK;
}
