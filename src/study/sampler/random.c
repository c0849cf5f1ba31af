/* Independent random runs. */
#include "study/sampler/count_runs.h"

static double coordinate(const carom_design *d, size_t run, size_t side)
{
    return carom_random_unit(d->seed, side, run);
}

const carom_sampler carom_sampler_random = {.name = "random",
                                            .title = "Independent random runs",
                                            .text = "Equal seeds give equal runs.",
                                            .source = "simple random sampling, for Monte Carlo estimates",
                                            .keys = CAROM_SAMPLER_COUNT | CAROM_SAMPLER_SEED,
                                            .count_text = "runs",
                                            .count = 100,
                                            .count_runs = carom_sampler_counted,
                                            .coordinate = coordinate};
