/* Samples for Sobol's indices: of each sample a row of matrix A, one of B, and rows of A in which one parameter is that
   of B. A and B are columns of one Sobol sequence.
   Source: A. Saltelli et al. 2010, Computer Physics Communications 181, 259-270. */
#include "study/sampler/sampler.h"

static const char *count_runs(carom_design *d)
{
    d->runs = (double)d->count * (double)(d->dimension + 2);
    return NULL;
}

static double coordinate(const carom_design *d, size_t run, size_t side)
{
    const size_t sample = run / (d->dimension + 2), row = run % (d->dimension + 2);
    const bool of_b = row == 1 || row == side + 2;
    return carom_sobol_coordinate(d->seed, of_b ? d->dimension + side : side, sample, d->count);
}

const carom_sampler carom_sampler_saltelli = {
    .name = "saltelli",
    .title = "Samples from which Sobol's sensitivity indices are found",
    .text =
        "`count` samples of parameters + 2 runs each; `carom plot STORE` draws the indices. Best with a power of two.",
    .source = "Saltelli et al. 2010, Comput. Phys. Commun. 181, 259-270; Jansen 1999, Comput. Phys. Commun. 117, 35-43",
    .keys = CAROM_SAMPLER_COUNT | CAROM_SAMPLER_SEED,
    .count_text = "samples, each of as many runs as parameters and two more",
    .count = 256,
    .columns = 2,
    .count_runs = count_runs,
    .coordinate = coordinate};
