/* What samplers share whose `count` is that of the runs. */
#ifndef CAROM_SAMPLER_COUNT_RUNS_H
#define CAROM_SAMPLER_COUNT_RUNS_H

#include "study/sampler/sampler.h"

static inline const char *carom_sampler_counted(carom_design *d)
{
    d->runs = (double)d->count;
    return NULL;
}

#endif
