/* Assembly in absolute coordinates, for formulations in other ones: rough guesses, and bodies that are placed one by
   one, need no joint to hold. */
#include "dynamics/assembly.h"
#include "sim/sim.h"

#include <string.h>

/* A system and a state of the same model in absolute coordinates. */
typedef struct carom_bodies {
    carom_system *system;
    carom_evaluation *d;
    carom_state state;
} carom_bodies;

static void end(carom_bodies *b)
{
    carom_system_free(b->system);
    carom_state_clear(&b->state);
}

static carom_status begin(carom_simulation *sim, const carom_state *s, carom_bodies *out)
{
    const carom_model *m = sim->model;
    const carom_formulation *bodies = &carom_formulation_cartesian;
    *out = (carom_bodies){0};
    out->state.ctx = sim->ctx;
    CAROM_TRY(carom_system_create(sim->ctx, m, bodies, &out->system));
    out->system->motions = sim->system->motions;
    out->system->records = sim->system->records;
    out->d = carom_system_workspace(out->system);
    if (!out->d)
        return carom_fail_memory(sim->ctx);
    CAROM_TRY(carom_state_init(sim->ctx, m, bodies, &out->state));
    out->state.model = s->model;
    return carom_state_share(&out->state, s);
}

carom_status carom_bodies_start(carom_simulation *sim, carom_start *out)
{
    carom_bodies b;
    carom_status status = begin(sim, &sim->s, &b);
    if (status == CAROM_OK)
        status = carom_assembly_start(b.d, &b.state, out);
    if (status == CAROM_OK)
        status = carom_assembly_take(b.d, &b.state, &sim->s);
    end(&b);
    if (status != CAROM_OK)
        return status;
    bool *unused = carom_allocate(sim->ctx, (size_t)sim->model->row_count, sizeof *unused);
    if (!unused)
        return carom_fail_memory(sim->ctx);
    int rank;
    status = carom_assembly_rank(sim->d, &sim->s, unused, &rank);
    carom_release(sim->ctx, unused, (size_t)sim->model->row_count, sizeof *unused);
    return status;
}

carom_status carom_bodies_refuse_accelerations(carom_simulation *sim, double miss)
{
    carom_bodies b;
    carom_status status = begin(sim, &sim->s, &b);
    if (status == CAROM_OK) {
        carom_state_absolute(&sim->s, b.state.q, b.state.v);
        carom_state_pose(b.d, &b.state);
        carom_dynamics_constraints(b.d, &b.state, *b.state.time);
        status = carom_assembly_refuse_accelerations(b.d, miss);
    }
    end(&b);
    return status;
}

carom_status carom_bodies_move(carom_simulation *sim, carom_state *s, const carom_assembly_def *def,
                               carom_assembly *out)
{
    carom_bodies b;
    carom_status status = begin(sim, s, &b);
    if (status == CAROM_OK)
        carom_state_absolute(s, b.state.q, b.state.v);
    bool *redundant = NULL;
    const size_t rows = (size_t)sim->model->row_count;
    if (status == CAROM_OK && !(redundant = carom_allocate(sim->ctx, rows, sizeof *redundant)))
        status = carom_fail_memory(sim->ctx);
    int rank;
    if (status == CAROM_OK)
        status = carom_assembly_rank(b.d, &b.state, redundant, &rank);
    carom_release(sim->ctx, redundant, rows, sizeof *redundant);
    if (status == CAROM_OK)
        status = carom_assembly_move(b.d, &b.state, def, out);
    if (status == CAROM_OK)
        status = carom_assembly_take(b.d, &b.state, s);
    end(&b);
    return status;
}
