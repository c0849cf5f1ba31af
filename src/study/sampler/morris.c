/* Trajectories of elementary effects: from a random point of a grid of `levels` each parameter is changed once, in
   random order, by levels/(2 (levels - 1)) of its range.
   Source: M. D. Morris 1991, Technometrics 33, 161-174. */
#include "study/sampler/sampler.h"

static const char *count_runs(carom_design *d)
{
    d->runs = (double)d->count * (double)(d->dimension + 1);
    if (d->levels < 2 || d->levels % 2 != 0 || d->levels > 1000)
        return "`levels` of morris is an even number from 2 to 1000";
    return NULL;
}

/* The step in which a side changes: its rank among random numbers of the trajectory. */
static size_t step_of(const carom_design *d, size_t trajectory, size_t side)
{
    const uint64_t own = carom_random_bits(d->seed, 3 * side + 2, trajectory);
    size_t step = 0;
    for (size_t k = 0; k < d->dimension; k++) {
        const uint64_t other = carom_random_bits(d->seed, 3 * k + 2, trajectory);
        step += other < own || (other == own && k < side);
    }
    return step;
}

static double coordinate(const carom_design *d, size_t run, size_t side)
{
    const size_t trajectory = run / (d->dimension + 1), row = run % (d->dimension + 1);
    const size_t half = d->levels / 2;
    const size_t low = carom_random_below(d->seed, 3 * side, trajectory, half);
    const bool falls = carom_random_bits(d->seed, 3 * side + 1, trajectory) >> 63;
    const bool moved = row > step_of(d, trajectory, side);
    return (double)(low + (moved != falls ? half : 0)) / (double)(d->levels - 1);
}

const carom_sampler carom_sampler_morris = {
    .name = "morris",
    .title = "Trajectories from which Morris's elementary effects are found",
    .text = "`count` trajectories of parameters + 1 runs each, on a grid of `levels`; `carom plot STORE` draws mu* and "
            "sigma. Cheap where there are many parameters.",
    .source = "Morris 1991, Technometrics 33, 161-174; mu*: Campolongo, Cariboni, Saltelli 2007",
    .keys = CAROM_SAMPLER_COUNT | CAROM_SAMPLER_SEED | CAROM_SAMPLER_LEVELS,
    .count_text = "trajectories, each of as many runs as parameters and one more",
    .count = 20,
    .levels = 4,
    .needs_ranges = true,
    .count_runs = count_runs,
    .coordinate = coordinate};
