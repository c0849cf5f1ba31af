/* Definitions of runs, which a model keeps as they are: a simulation compiles its own. */
#ifndef CAROM_MODEL_RUNS_H
#define CAROM_MODEL_RUNS_H

#include "base/base.h"
#include "carom/spec.h"

/* Soundness alone: lists, texts, types of values. What they mean is checked by those who compile the run. */
carom_status carom_run_def_check(carom_context *ctx, const carom_run_def *run);
/* A copy of a sound definition whose texts and lists are in the arena. */
carom_status carom_run_def_copy(carom_context *ctx, carom_arena *arena, const carom_run_def *run, carom_run_def *out);

#endif
