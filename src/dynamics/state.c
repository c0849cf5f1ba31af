/* Allocation of the state block. */
#include "dynamics/state.h"

carom_status carom_state_create(carom_context *ctx, const carom_model *m, carom_state *out)
{
    *out = (carom_state){.ctx = ctx};
    size_t doubles = 0, slots = 0, ints = 0;
#define CAROM_DOUBLE(name, count, unit, sentence) doubles += (size_t)(count);
#define CAROM_INT(name, count, unit, sentence) ints += (size_t)(count);
#define CAROM_EPISODE(name, count, sentence) slots += (size_t)(count);
#include "dynamics/state_fields.def"
#undef CAROM_DOUBLE
#undef CAROM_INT
#undef CAROM_EPISODE
    out->double_count = doubles;
    out->slot_count = slots;
    out->int_count = ints;
    out->size = doubles * sizeof(double) + slots * sizeof(carom_episode) + ints * sizeof(int);
    out->block = carom_allocate(ctx, out->size, 1);
    if (!out->block)
        return carom_fail_memory(ctx);
    double *d = out->block;
    carom_episode *e = (carom_episode *)(d + doubles);
    int *i = (int *)(e + slots);
#define CAROM_DOUBLE(name, count, unit, sentence) \
    out->name = d;                                \
    d += (count);
#define CAROM_INT(name, count, unit, sentence) \
    out->name = i;                             \
    i += (count);
#define CAROM_EPISODE(name, count, sentence) \
    out->name = e;                           \
    e += (count);
#include "dynamics/state_fields.def"
#undef CAROM_DOUBLE
#undef CAROM_INT
#undef CAROM_EPISODE
    out->integrated = (size_t)(out->time - out->q);
    return CAROM_OK;
}

void carom_state_free(carom_state *state)
{
    if (state->block)
        carom_release(state->ctx, state->block, state->size, 1);
    state->block = NULL;
    carom_release(state->ctx, state->episodes, state->episode_capacity, sizeof *state->episodes);
    state->episodes = NULL;
    state->episode_count = state->episode_capacity = 0;
}

carom_status carom_state_grow(carom_state *state, size_t episodes)
{
    return carom_grow(state->ctx, &state->episodes, &state->episode_capacity, episodes, sizeof *state->episodes);
}
