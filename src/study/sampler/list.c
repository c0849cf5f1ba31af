/* Run k takes value k of every parameter. */
#include "study/sampler/sampler.h"

static const char *count_runs(carom_design *d)
{
    d->runs = (double)d->values[0];
    for (size_t k = 1; k < d->dimension; k++)
        if (d->values[k] != d->values[0])
            return "with `sampling: list` all parameters have the same number of values";
    return NULL;
}

static double coordinate(const carom_design *d, size_t run, size_t side)
{
    return ((double)run + 0.5) / (double)d->values[side];
}

const carom_sampler carom_sampler_list = {
    .name = "list",
    .title = "Run k takes value k of every parameter",
    .text = "Parameters have lists of the same length: the rows of a table of one's own.",
    .source = "the study's own table of runs",
    .needs_values = true,
    .count_runs = count_runs,
    .coordinate = coordinate};
