/* Instants that are gone back to: from a look ahead, and from a step that was too long. */
#include "analysis/inverse_dynamics/inverse.h"

#include <string.h>

carom_status carom_inverse_mark_create(carom_analysis *a, const carom_inverse *w, carom_inverse_mark *out)
{
    *out = (carom_inverse_mark){.touching = false};
    if (!(out->drives = carom_arena_alloc(&a->arena, (size_t)w->drive_count, sizeof *out->drives)) ||
        !(out->acceleration = carom_arena_alloc(&a->arena, (size_t)w->columns, sizeof *out->acceleration)) ||
        !(out->beyond = carom_arena_alloc(&a->arena, (size_t)w->m->load_count, sizeof *out->beyond)))
        return carom_fail_memory(a->ctx);
    return carom_state_create_in(w->ctx, w->m, w->s->formulation, &out->s);
}

void carom_inverse_mark_free(carom_inverse_mark *mark) { carom_state_free(mark->s); }

carom_status carom_inverse_keep(const carom_inverse *w, carom_inverse_mark *mark)
{
    CAROM_TRY(carom_state_assign(mark->s, w->s));
    memcpy(mark->drives, w->drives, (size_t)w->drive_count * sizeof *w->drives);
    memcpy(mark->acceleration, w->acceleration, (size_t)w->columns * sizeof *w->acceleration);
    memcpy(mark->beyond, w->beyond, (size_t)w->m->load_count * sizeof *w->beyond);
    mark->touching = w->touching;
    mark->sticking = w->sticking;
    mark->position_residual = w->position_residual;
    mark->force_residual = w->force_residual;
    return CAROM_OK;
}

carom_status carom_inverse_go_back(carom_inverse *w, const carom_inverse_mark *mark)
{
    CAROM_TRY(carom_state_assign(w->s, mark->s));
    memcpy(w->drives, mark->drives, (size_t)w->drive_count * sizeof *w->drives);
    memcpy(w->acceleration, mark->acceleration, (size_t)w->columns * sizeof *w->acceleration);
    memcpy(w->beyond, mark->beyond, (size_t)w->m->load_count * sizeof *w->beyond);
    w->touching = mark->touching;
    w->sticking = mark->sticking;
    w->position_residual = mark->position_residual;
    w->force_residual = mark->force_residual;
    carom_state_pose(w->d, w->s);
    return CAROM_OK;
}
