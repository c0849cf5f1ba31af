/* Latin hypercube: of `count` equal parts of each side every one has one run, at a random place in it.
   Source: M. D. McKay, R. J. Beckman, W. J. Conover 1979, Technometrics 21, 239-245. */
#include "study/sampler/count_runs.h"

/* A permutation of the parts for each side, by the shuffle of Fisher and Yates. */
static carom_status prepare(carom_design *d)
{
    uint32_t *parts = carom_arena_alloc(d->arena, d->dimension * d->count, sizeof *parts);
    if (!parts)
        return carom_fail_memory(d->arena->ctx);
    for (size_t side = 0; side < d->dimension; side++) {
        uint32_t *own = parts + side * d->count;
        for (size_t k = 0; k < d->count; k++)
            own[k] = (uint32_t)k;
        for (size_t k = d->count; k-- > 1;) {
            const size_t other = carom_random_below(d->seed, 2 * side, k, k + 1);
            const uint32_t kept = own[k];
            own[k] = own[other];
            own[other] = kept;
        }
    }
    d->table = parts;
    return CAROM_OK;
}

static double coordinate(const carom_design *d, size_t run, size_t side)
{
    const uint32_t *parts = d->table;
    const double inside = carom_random_unit(d->seed, 2 * side + 1, run);
    return ((double)parts[side * d->count + run] + inside) / (double)d->count;
}

const carom_sampler carom_sampler_latin_hypercube = {.name = "latin-hypercube",
                                                     .title = "Each of `count` equal parts of each range has one run",
                                                     .text = "Random otherwise; equal seeds give equal runs.",
                                                     .source =
                                                         "McKay, Beckman, Conover 1979, Technometrics 21, 239-245",
                                                     .keys = CAROM_SAMPLER_COUNT | CAROM_SAMPLER_SEED,
                                                     .count_text = "runs",
                                                     .count = 100,
                                                     .count_runs = carom_sampler_counted,
                                                     .prepare = prepare,
                                                     .coordinate = coordinate};
