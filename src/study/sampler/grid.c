/* All combinations of the values; the last parameter changes fastest. */
#include "study/sampler/sampler.h"

static const char *count_runs(carom_design *d)
{
    d->runs = 1;
    for (size_t k = 0; k < d->dimension; k++)
        d->runs *= (double)d->values[k];
    return NULL;
}

static double coordinate(const carom_design *d, size_t run, size_t side)
{
    for (size_t k = d->dimension - 1; k > side; k--)
        run /= d->values[k];
    return ((double)(run % d->values[side]) + 0.5) / (double)d->values[side];
}

const carom_sampler carom_sampler_grid = {
    .name = "grid",
    .title = "All combinations of the values of all parameters",
    .text = "Parameters have lists, or ranges with `count` or `step`. The last one changes fastest. It is the default.",
    .source = "full factorial design; D. C. Montgomery, \"Design and Analysis of Experiments\"",
    .needs_values = true,
    .distinct = true,
    .count_runs = count_runs,
    .coordinate = coordinate};
