/* Samplers: where the runs of a study lie among the values of its parameters. One file and one row of sampler.def
   each. */
#ifndef CAROM_SAMPLER_H
#define CAROM_SAMPLER_H

#include "base/base.h"

/* Which keys of `sampling` a sampler takes. */
enum { CAROM_SAMPLER_COUNT = 1, CAROM_SAMPLER_SEED = 2, CAROM_SAMPLER_LEVELS = 4 };

/* What a sampler is asked: points of a cube of `dimension` sides from 0 to 1. A parameter with n values has n equal
   parts of its side. */
typedef struct carom_design {
    carom_arena *arena;
    size_t dimension;
    const size_t *values;       /* of each parameter; 0: a range */
    size_t count;               /* key `count` */
    uint64_t seed;
    size_t levels;              /* of morris */
    double runs;                /* set by the sampler; may be more than there is room for */
    void *table;                /* its own */
} carom_design;

typedef struct carom_sampler {
    const char *name, *title, *text, *source;
    unsigned keys;
    const char *count_text;     /* what `count` counts */
    size_t count, levels;       /* defaults */
    bool needs_values;          /* all parameters have values, none a range */
    bool needs_ranges;          /* all have ranges */
    bool distinct;              /* no value stands twice */
    size_t columns;             /* of Sobol's sequence, for each parameter; 0: none */
    /* Finds the number of runs, and what is wrong; NULL: nothing. The text is a sentence. */
    const char *(*count_runs)(carom_design *d);
    /* Fills tables once the runs are known to be few enough; NULL: there are none. */
    carom_status (*prepare)(carom_design *d);
    /* Coordinate `side` of a run, in [0, 1]. */
    double (*coordinate)(const carom_design *d, size_t run, size_t side);
} carom_sampler;

extern const carom_sampler *const carom_samplers[];
extern const size_t carom_sampler_count;
const carom_sampler *carom_sampler_find(const char *name);
const char *const *carom_sampler_names(size_t *count);

/* ---- numbers.c: numbers that depend on their arguments alone ---- */

/* 64 bits of (seed, stream, index). */
uint64_t carom_random_bits(uint64_t seed, uint64_t stream, uint64_t index);
/* In (0, 1). */
double carom_random_unit(uint64_t seed, uint64_t stream, uint64_t index);
/* 0 ... count-1. */
size_t carom_random_below(uint64_t seed, uint64_t stream, uint64_t index, size_t count);

/* ---- sequence.c: Sobol's sequence ---- */

#define CAROM_SOBOL_SIDES 128
/* Point `index` of the sequence of `count` points on a side, moved to the middle of the smallest part that has one
   point; a seed other than 0 shifts its bits. */
double carom_sobol_coordinate(uint64_t seed, size_t side, size_t index, size_t count);
/* The same as 32 bits, neither moved nor shifted. */
uint32_t carom_sobol_bits(size_t side, uint32_t index);

#endif
