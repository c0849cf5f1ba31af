/* What a run found: all its channels that are results, at samples of its time; compared with those of another run. */
#ifndef TEST_OUTCOME_H
#define TEST_OUTCOME_H

#include <stdbool.h>

#include "base/base.h"
#include "carom/model.h"
#include "carom/spec.h"

#define OUTCOME_SAMPLES 20

typedef struct outcome {
    long steps;
    double first_impact;        /* behind the start [s]; HUGE_VAL: none */
    bool redundant;             /* rows depend on each other: reactions are those of least norm */
    size_t count;               /* of numbers */
    double *value;              /* those of each sample */
    double *largest;            /* of the channels of its dimension */
    const char **name, **unit;
} outcome;

/* Fails the test with the model's name unless the status is CAROM_OK. */
void outcome_must(const carom_context *ctx, carom_status status, const char *model);
/* Compiles a spec and runs it; all that is kept is in the arena. */
void outcome_run(carom_context *ctx, carom_arena *arena, const carom_spec *spec, const char *model, outcome *out);
/* The largest difference of a channel, of its largest value, over the first samples; reactions are
   left out where rows depend on each other. `b` is of a model whose lengths and
   masses are those of `a` times these. */
double outcome_compare(const outcome *a, const outcome *b, int samples, double length, double mass,
                       const char **where);

#endif
