/* Forces and torques that the caller applies to bodies: they act until they are cleared, their work is integrated. */
#include "sim/sim.h"

#include <math.h>

/* The number that is integrated for their work: a simulation has it from the first force on. */
static carom_status work_load(carom_simulation *sim)
{
    if (sim->own.applied_count)
        return CAROM_OK;
    sim->own.applied_count = 1;
    carom_status status = carom_sim_resize(sim);
    if (status != CAROM_OK)
        sim->own.applied_count = 0;
    return status;
}

static carom_status check_vector(carom_simulation *sim, const char *what, const double *v, bool angular)
{
    const bool plane = sim->model->dimension == 2;
    if (!v)
        return carom_fail(sim->ctx, CAROM_ERROR_USAGE, NULL, "the %s is NULL", what);
    if (!isfinite(v[0]) || !isfinite(v[1]) || !isfinite(v[2]))
        return carom_fail(sim->ctx, CAROM_ERROR_USAGE, NULL, "the %s is not finite", what);
    if (plane && (angular ? v[0] != 0 || v[1] != 0 : v[2] != 0))
        return carom_fail(sim->ctx, CAROM_ERROR_USAGE, NULL, "the %s leaves the plane: %s must be 0", what,
                          angular ? "x and y" : "z");
    return CAROM_OK;
}

/* The forces are others from now on. */
static carom_status changed(carom_simulation *sim)
{
    sim->restart = true;
    return carom_rhs_update(sim) == 0 ? CAROM_OK : carom_rhs_unsolved(sim);
}

static carom_status apply(carom_simulation *sim, size_t body, carom_applied applied)
{
    CAROM_TRY(carom_simulation_check_may_act(sim, "a force"));
    if (body >= (size_t)sim->model->body_count)
        return carom_fail(sim->ctx, CAROM_ERROR_USAGE, NULL, "body %zu: the model has %d, counted from 0", body,
                          sim->model->body_count);
    CAROM_TRY(carom_grow(sim->ctx, &sim->system->applied, &sim->system->applied_capacity,
                         sim->system->applied_count + 1, sizeof *sim->system->applied));
    CAROM_TRY(work_load(sim));
    applied.body = (int)body + 1;
    sim->system->applied[sim->system->applied_count++] = applied;
    return changed(sim);
}

static carom_status check_axes(const carom_simulation *sim, carom_axes axes)
{
    return axes == CAROM_AXES_WORLD || axes == CAROM_AXES_BODY
               ? CAROM_OK
               : carom_fail(sim->ctx, CAROM_ERROR_USAGE, NULL,
                            "axes %d: there are CAROM_AXES_WORLD and CAROM_AXES_BODY", (int)axes);
}

carom_status carom_simulation_apply_force(carom_simulation *sim, size_t body, const double force[3],
                                          const double point[3], carom_axes axes)
{
    static const double centre[3] = {0, 0, 0};
    CAROM_NEED(NULL, sim);
    point = point ? point : centre;
    CAROM_TRY(check_axes(sim, axes));
    CAROM_TRY(check_vector(sim, "force", force, false));
    CAROM_TRY(check_vector(sim, "point", point, false));
    return apply(sim, body,
                 (carom_applied){.force = carom_v3_load(force),
                                 .point = carom_v3_load(point),
                                 .turns = axes == CAROM_AXES_BODY});
}

carom_status carom_simulation_apply_torque(carom_simulation *sim, size_t body, const double torque[3], carom_axes axes)
{
    CAROM_NEED(NULL, sim);
    CAROM_TRY(check_axes(sim, axes));
    CAROM_TRY(check_vector(sim, "torque", torque, true));
    return apply(sim, body, (carom_applied){.torque = carom_v3_load(torque), .turns = axes == CAROM_AXES_BODY});
}

carom_status carom_simulation_clear_forces(carom_simulation *sim)
{
    CAROM_NEED(NULL, sim);
    CAROM_TRY(carom_simulation_check_may_act(sim, "carom_simulation_clear_forces()"));
    if (!sim->system->applied_count)
        return CAROM_OK;
    sim->system->applied_count = 0;
    return changed(sim);
}
