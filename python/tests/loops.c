/* Loops in C that tests compare with the same in Python, and functions in C that a simulation calls. */
#include <math.h>

#include "carom/carom.h"

/* A controller of the pendulum of the tests; `user` is not read. */
carom_status control(void *user, carom_simulation *sim, double time)
{
    (void)user;
    (void)time;
    const double *q = carom_simulation_positions(sim, NULL), *v = carom_simulation_velocities(sim, NULL);
    return carom_simulation_set_input(sim, 0, fmax(-4, fmin(4, -60 * (q[2] - acos(0)) - 10 * v[2])));
}

/* `count` steps of a millisecond, the controller before each; 0 or the status of the failure. */
int control_loop(carom_simulation *sim, int count)
{
    for (int k = 1; k <= count; k++) {
        carom_status status = control(NULL, sim, 0);
        if (status == CAROM_OK)
            status = carom_simulation_advance(sim, k * 1e-3);
        if (status != CAROM_OK)
            return (int)status;
    }
    return 0;
}

/* As many impacts, each of a simulation that is made for it; their restitution in `e`. */
int impact_loop(const carom_model *model, int count, double *e)
{
    for (int k = 0; k < count; k++) {
        carom_context *ctx;
        carom_simulation *sim = NULL;
        size_t impacts;
        carom_status status = carom_context_create(NULL, &ctx);
        if (status != CAROM_OK)
            return (int)status;
        status = carom_simulation_create(ctx, model, NULL, &sim);
        if (status == CAROM_OK)
            status = carom_simulation_set_parameter(sim, "contact.hit.restitution", 0.4 + 0.001 * k);
        if (status == CAROM_OK)
            status = carom_simulation_run(sim);
        if (status == CAROM_OK)
            e[k] = carom_simulation_impacts(sim, &impacts)->e_got;
        carom_simulation_free(sim);
        carom_context_free(ctx);
        if (status != CAROM_OK)
            return (int)status;
    }
    return 0;
}

/* The same with one simulation that is set back. */
int reset_loop(carom_simulation *sim, int count, double *e)
{
    for (int k = 0; k < count; k++) {
        size_t impacts;
        carom_status status = carom_simulation_reset(sim);
        if (status == CAROM_OK)
            status = carom_simulation_set_parameter(sim, "contact.hit.restitution", 0.4 + 0.001 * k);
        if (status == CAROM_OK)
            status = carom_simulation_run(sim);
        if (status != CAROM_OK)
            return (int)status;
        e[k] = carom_simulation_impacts(sim, &impacts)->e_got;
    }
    return 0;
}
