/* Points of Sobol's sequence, which fill the ranges evenly.
   Source: I. M. Sobol' 1967; direction numbers of S. Joe, F. Y. Kuo 2008, SIAM J. Sci. Comput. 30, 2635-2654. */
#include "study/sampler/count_runs.h"

static double coordinate(const carom_design *d, size_t run, size_t side)
{
    return carom_sobol_coordinate(d->seed, side, run, d->count);
}

const carom_sampler carom_sampler_sobol = {
    .name = "sobol",
    .title = "Points of Sobol's sequence, which fill the ranges evenly",
    .text =
        "Best with a power of two as `count`. Each point lies in the middle of its part of each range; a seed other "
        "than 0 shifts the bits of each side by random ones.",
    .source = "Sobol' 1967; direction numbers of Joe and Kuo 2008, SIAM J. Sci. Comput. 30, 2635-2654 (new-joe-kuo-6)",
    .keys = CAROM_SAMPLER_COUNT | CAROM_SAMPLER_SEED,
    .count_text = "runs",
    .count = 256,
    .columns = 1,
    .count_runs = carom_sampler_counted,
    .coordinate = coordinate};
