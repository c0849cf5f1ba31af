/* Derivatives at one time: of the state, and of what is read of it. */
#include "sim/tangent/tangent.h"

#include <math.h>
#include <string.h>

carom_status carom_tangents_state(carom_simulation *sim, size_t i, double *out)
{
    const carom_tangents *all = sim->tangents;
    const carom_tangent *of = &all->of[i];
    if (of->lost < HUGE_VAL) {
        for (size_t k = 0; k < all->n; k++)
            out[k] = (double)NAN;
        return CAROM_OK;
    }
    CAROM_TRY(carom_tangent_place(sim, i));
    for (size_t k = 0; k < all->n; k++)
        out[k] = all->y[(i + 1) * all->n + k] - of->clock * all->flow[k];
    return CAROM_OK;
}

/* A time in which what is read changes little [s]. */
static double short_time(const carom_simulation *sim)
{
    double time = fmax(1e-2 * *sim->s.step_size, 1e-8 * sim->run.until);
    for (int k = 0; k < sim->model->contact_count; k++)
        if (sim->s.located[k].open && sim->s.located[k].time_scale > 0)
            time = fmin(time, 1e-4 * sim->s.located[k].time_scale);
    return time;
}

/* The channel of a twin at its present state, moved along its rates. */
static carom_status read_ahead(carom_simulation *sim, size_t i, int side, double ahead,
                               const carom_channel_ref *channel, double *out)
{
    carom_tangents *all = sim->tangents;
    carom_simulation *twin = all->of[i].twin[side];
    carom_tangent_put(sim, i, side, *sim->s.time, sim->s.q, carom_tangent_vector(all, all->y, i));
    *twin->s.time += ahead;
    for (size_t k = 0; k < all->n; k++)
        twin->s.q[k] += ahead * all->side[side][k];
    if (carom_rhs_update(twin) != 0)
        return carom_rhs_unsolved(sim);
    return carom_simulation_read(twin, channel, out);
}

/* Rate of a channel along the motion, as the twins of a tangent have it in the mean. */
static carom_status read_rate(carom_simulation *sim, size_t i, const carom_channel_ref *channel, double *out)
{
    const double step = short_time(sim);
    double value[4];
    memset(out, 0, (size_t)channel->size * sizeof *out);
    for (int n = 0; n < 4; n++) {
        CAROM_TRY(read_ahead(sim, i, n / 2, n % 2 ? step : -step, channel, value));
        for (int k = 0; k < channel->size; k++)
            out[k] += 0.25 * (n % 2 ? 1 : -1) * value[k] / step;
    }
    return CAROM_OK;
}

carom_status carom_tangents_channel(carom_simulation *sim, const carom_channel_ref *channel, double *out)
{
    carom_tangents *all = sim->tangents;
    const size_t size = (size_t)channel->size;
    for (size_t i = 0; i < all->count; i++) {
        const carom_tangent *of = &all->of[i];
        double value[2][4], rate[4] = {0};
        if (of->lost < HUGE_VAL) {
            for (size_t k = 0; k < size; k++)
                out[i * size + k] = (double)NAN;
            continue;
        }
        CAROM_TRY(carom_tangent_place(sim, i));
        for (int side = 0; side < 2; side++) {
            CAROM_TRY(carom_channels_list(of->twin[side]));
            CAROM_TRY(carom_simulation_read(of->twin[side], channel, value[side]));
        }
        if (of->clock != 0)
            CAROM_TRY(read_rate(sim, i, channel, rate));
        for (size_t k = 0; k < size; k++)
            out[i * size + k] = carom_tangent_slope(of, value[0][k], value[1][k]) - of->clock * rate[k];
    }
    return CAROM_OK;
}
