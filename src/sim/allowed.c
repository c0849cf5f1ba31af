/* What may be called while a simulation advances. */
#include "sim/sim.h"

carom_status carom_simulation_check_idle(const carom_simulation *sim, const char *what)
{
    if (!sim->advancing)
        return CAROM_OK;
    return carom_fail(sim->ctx, CAROM_ERROR_USAGE, NULL,
                      "%s cannot be called from within a step: call it where carom_simulation_advance() has returned",
                      what);
}

carom_status carom_simulation_check_alone(const carom_simulation *sim, const char *what)
{
    if (!sim->tangents)
        return CAROM_OK;
    return carom_fail(sim->ctx, CAROM_ERROR_USAGE, NULL,
                      "%s: the simulation has derivatives, which do not know of changes that its model does not make; "
                      "create another one",
                      what);
}

carom_status carom_simulation_check_may_act(const carom_simulation *sim, const char *what)
{
    CAROM_TRY(carom_simulation_check_alone(sim, what));
    if (!sim->advancing || sim->controlling)
        return CAROM_OK;
    return carom_fail(sim->ctx, CAROM_ERROR_USAGE, NULL,
                      "%s cannot be called by an observer or a sink: call it from a controller, or between calls that "
                      "advance",
                      what);
}
