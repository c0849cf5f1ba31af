/* The past of a state: its memory, and copies of it. */
#include "dynamics/state/past.h"

#include <string.h>

carom_status carom_past_room(carom_state *state, size_t impacts, size_t fired, size_t laws)
{
    carom_context *ctx = state->ctx;
    if (!state->past && !(state->past = carom_allocate(ctx, 1, sizeof *state->past)))
        return carom_fail_memory(ctx);
    carom_past *p = state->past;
    CAROM_TRY(carom_grow(ctx, &p->impacts, &p->impact_capacity, impacts, sizeof *p->impacts));
    CAROM_TRY(carom_grow(ctx, &p->fired, &p->fired_capacity, fired, sizeof *p->fired));
    return carom_grow(ctx, &p->laws, &p->law_capacity, laws, sizeof *p->laws);
}

static void copy(void *to, const void *from, size_t count, size_t size)
{
    if (count)
        memcpy(to, from, count * size);
}

carom_status carom_past_assign(carom_state *to, const carom_state *from)
{
    const carom_past *p = from->past;
    if (!p || !p->kept) {
        if (to->past)
            to->past->kept = false;
        return CAROM_OK;
    }
    CAROM_TRY(carom_past_room(to, p->impact_count, p->fired_count, p->law_count));
    carom_past *own = to->past;
    copy(own->impacts, p->impacts, p->impact_count, sizeof *p->impacts);
    copy(own->fired, p->fired, p->fired_count, sizeof *p->fired);
    copy(own->laws, p->laws, p->law_count, sizeof *p->laws);
    own->impact_count = p->impact_count;
    own->fired_count = p->fired_count;
    own->law_count = p->law_count;
    own->parameters = p->parameters;
    own->energy = p->energy;
    own->kept = true;
    return CAROM_OK;
}

void carom_past_free(carom_state *state)
{
    carom_past *p = state->past;
    if (!p)
        return;
    carom_release(state->ctx, p->impacts, p->impact_capacity, sizeof *p->impacts);
    carom_release(state->ctx, p->fired, p->fired_capacity, sizeof *p->fired);
    carom_release(state->ctx, p->laws, p->law_capacity, sizeof *p->laws);
    carom_release(state->ctx, p, 1, sizeof *p);
    state->past = NULL;
}
