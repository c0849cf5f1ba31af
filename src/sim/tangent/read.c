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

/* Vectors of a tangent at a time, and what is read there. */
typedef struct place {
    double t;
    const double *y, *s;
    const carom_channel_ref *channels;
    size_t count;
} place;

/* Adds a multiple of the channels of a twin at its present state. */
static carom_status add_channels(carom_simulation *twin, const place *at, double factor, double *out)
{
    double value[4];
    CAROM_TRY(carom_channels_list(twin));
    for (size_t c = 0; c < at->count; c++) {
        CAROM_TRY(carom_simulation_read(twin, &at->channels[c], value));
        for (int k = 0; k < at->channels[c].size; k++)
            *out++ += factor * value[k];
    }
    return CAROM_OK;
}

/* The rates of the channels along the motion, as the twins of a tangent have them in the mean. */
static carom_status add_rates(carom_simulation *sim, size_t i, const place *at, double factor, double *out)
{
    carom_tangents *all = sim->tangents;
    const double step = short_time(sim);
    for (int n = 0; n < 4; n++) {
        const int side = n / 2;
        const double ahead = n % 2 ? step : -step;
        carom_simulation *twin = all->of[i].twin[side];
        carom_tangent_put(sim, i, side, at->t, at->y, at->s);
        *twin->s.time += ahead;
        for (size_t k = 0; k < all->n; k++)
            twin->s.q[k] += ahead * all->side[side][k];
        if (carom_rhs_update(twin) != 0)
            return carom_rhs_unsolved(sim);
        CAROM_TRY(add_channels(twin, at, 0.25 * factor / ahead, out));
    }
    return CAROM_OK;
}

/* Derivatives where the time moves with the parameter by `moves`: zero at one and the same time. */
static carom_status read_channels(carom_simulation *sim, size_t i, const place *at, size_t numbers, double moves,
                                  double *out)
{
    carom_tangent *of = &sim->tangents->of[i];
    const double step = 1 / (of->offset[1] - of->offset[0]);
    memset(out, 0, numbers * sizeof *out);
    for (size_t k = 0; k < numbers && of->lost < HUGE_VAL; k++)
        out[k] = (double)NAN;
    if (of->lost < HUGE_VAL)
        return CAROM_OK;
    CAROM_TRY(carom_tangent_place_at(sim, i, at->t, at->y, at->s));
    for (int side = 0; side < 2; side++)
        CAROM_TRY(add_channels(of->twin[side], at, side ? step : -step, out));
    if (of->clock != moves)
        CAROM_TRY(add_rates(sim, i, at, moves - of->clock, out));
    for (size_t k = 0; k < numbers; k++)
        of->noticed = of->noticed || out[k] != 0;
    return CAROM_OK;
}

carom_status carom_tangents_moving(carom_simulation *sim, const carom_channel_ref *channel, const double *moves,
                                   double *out)
{
    carom_tangents *all = sim->tangents;
    const size_t size = (size_t)channel->size;
    for (size_t i = 0; i < all->count; i++) {
        const place at = {*sim->s.time, sim->s.q, carom_tangent_vector(all, all->y, i), channel, 1};
        CAROM_TRY(read_channels(sim, i, &at, size, moves ? moves[i] : 0, out + i * size));
    }
    return CAROM_OK;
}

carom_status carom_tangents_channel(carom_simulation *sim, const carom_channel_ref *channel, double *out)
{
    return carom_tangents_moving(sim, channel, NULL, out);
}

bool carom_tangents_inside(carom_simulation *sim, double t, double *out)
{
    carom_tangents *all = sim->tangents;
    carom_integrator *integrator = sim->integrator;
    const size_t size = all->n * (all->count + 1);
    if (t == integrator->t)
        memcpy(out, integrator->y, size * sizeof *out);
    return t == integrator->t || integrator->kind->interpolate(integrator, t, (int)size, out);
}

/* Time of the next row, as in carom_record_rows(); false: there is none up to `end`. */
static bool next_row(const carom_simulation *sim, double end, double *t)
{
    const carom_tangent_records *r = &sim->tangents->records;
    const double every = sim->run.output_every, until = sim->run.until, slack = 1e-12 * until;
    if (!r->take || (r->times && r->index >= r->time_count))
        return false;
    *t = r->times ? r->times[r->index] : fmin(r->index * every, until);
    return *t <= end && (r->times || r->index == 0 || (r->index - 1) * every < until - slack);
}

carom_status carom_tangents_record(carom_simulation *sim, double end)
{
    carom_tangents *all = sim->tangents;
    carom_tangent_records *r = &all->records;
    double t;
    while (next_row(sim, end, &t)) {
        if (!carom_tangents_inside(sim, t, all->inside))
            return carom_fail(sim->ctx, CAROM_ERROR_SOLVER, NULL, "t = %.9g s: no dense output of the derivatives", t);
        for (size_t i = 0; i < all->count; i++) {
            const place at = {t, all->inside, carom_tangent_vector(all, all->inside, i), r->channels, r->count};
            CAROM_TRY(read_channels(sim, i, &at, r->numbers, 0, r->row + i * r->numbers));
        }
        CAROM_TRY(r->take(r->user, t, r->row));
        r->index++;
    }
    return CAROM_OK;
}
