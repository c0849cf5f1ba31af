/* Simulations with diagnostics: their creation, and what is known of one before it runs. */
#include "diagnose/diagnostics.h"
#include "sim/kinematics/freedoms.h"
#include "diagnose/plausible.h"
#include "sim/sim.h"

#include <math.h>
#include <string.h>

carom_status carom_simulation_create(carom_context *ctx, const carom_model *model, const carom_simulation_def *def,
                                     carom_simulation **out)
{
    CAROM_NEED(ctx, ctx);
    CAROM_NEED(ctx, model);
    CAROM_NEED(ctx, out);
    return carom_sim_create(ctx, model, def, &carom_diagnostics_listener, 1, out);
}

/* ---- check ---- */

/* What is less than this share of the model's length, or of 1 rad, is written with too few digits, and no gap. */
#define WRITTEN 1e-9

/* Numbers of all contacts, then of the laws of contact sets. */
static carom_status check_contacts(carom_simulation *sim, size_t *count)
{
    const carom_model *m = sim->model;
    size_t laws = 0;
    for (int p = 0; p < m->contact_set_count; p++)
        for (int k = 0; k < m->contact_sets[p].group_count * m->contact_sets[p].group_count; k++)
            laws += m->contact_sets[p].laws[k] != NULL;
    if (!sim->checks)
        sim->checks = carom_arena_alloc(&sim->arena, (size_t)m->contact_count + laws, sizeof *sim->checks);
    if (!sim->checks)
        return carom_fail_memory(sim->ctx);
    *count = 0;
    carom_trial trial;
    CAROM_TRY(carom_trial_run(sim, sim->def.touch_speed > 0 ? 0 : sim->def.trial_steps, &trial));
    for (int k = 0; k < m->contact_count; k++)
        CAROM_TRY(carom_advise_contact(sim, k, &trial, &sim->checks[(*count)++]));
    for (int p = 0; p < m->contact_set_count; p++)
        for (int k = 0; k < m->contact_sets[p].group_count * m->contact_sets[p].group_count; k++)
            if (m->contact_sets[p].laws[k])
                CAROM_TRY(carom_advise_law(sim, p, m->contact_sets[p].laws[k], &sim->checks[(*count)++]));
    return CAROM_OK;
}

/* Rows that hold now without those of computed efforts, which bind accelerations alone. */
static int constraint_rows(const carom_simulation *sim)
{
    const carom_model *m = sim->model;
    int count = carom_dynamics_active_rows(sim->d);
    for (int k = 0; m->computed_count && k < m->block_count; k++)
        if (m->blocks[k].type == CAROM_BLOCK_COMPUTED && !sim->d->idle[m->blocks[k].first_row])
            count--;
    return count;
}

/* What the formulation has of the model: unknowns, rows, and the joints that it cuts. */
static carom_status describe_formulation(carom_simulation *sim, carom_check *out)
{
    const carom_tree *tree = &sim->model->tree;
    out->unknowns = out->coordinates;
    out->held = out->rows;
    if (!sim->system->tree)
        return CAROM_OK;
    const char **names = carom_arena_alloc(&sim->arena, (size_t)tree->cut_count, sizeof *names);
    if (!names)
        return carom_fail_memory(sim->ctx);
    for (int k = 0; k < tree->cut_count; k++)
        names[k] = sim->model->joints[tree->cut[k]].name;
    out->unknowns = (size_t)tree->free_count;
    out->held = (size_t)(tree->row_count - tree->armature_count);
    out->cut = names;
    out->cut_count = (size_t)tree->cut_count;
    return CAROM_OK;
}

/* Free motions and what redundant rows hold, once: they are of the start. */
static carom_status name_freedoms(carom_simulation *sim, carom_check *out)
{
    if (!sim->free_texts) {
        carom_freedoms found;
        CAROM_TRY(carom_freedoms_find(sim, sim->d, sim->start.redundant, out->mobility, &found));
        sim->free_texts = found.free;
        sim->free_count = found.free_count;
        sim->free_whole = found.whole;
        sim->stuck_texts = found.stuck;
        sim->stuck_count = found.stuck_count;
        sim->held_texts = found.held_count == out->redundant_count ? found.held : NULL;
    }
    out->free = sim->free_texts;
    out->free_count = sim->free_count;
    out->free_whole = sim->free_whole;
    out->stuck = sim->stuck_texts;
    out->stuck_count = sim->stuck_count;
    out->redundant_held = sim->held_texts;
    return CAROM_OK;
}

static double size_of(const carom_model *m, const carom_initial_gap *gap)
{
    return fmax(gap->distance, gap->angle * m->length_scale);
}

/* Joints and motions whose rows are open at the poses as they are written, the worst first, once. */
static carom_status list_gaps(carom_simulation *sim)
{
    const carom_model *m = sim->model;
    carom_initial_gap *gaps = carom_arena_alloc(&sim->arena, (size_t)m->block_count, sizeof *gaps);
    size_t count = 0;
    if (!gaps)
        return carom_fail_memory(sim->ctx);
    for (int k = 0; k < m->block_count; k++) {
        const carom_constraint_block *e = &m->blocks[k];
        carom_initial_gap gap = carom_assembly_open_of(&sim->start, e);
        if (!(size_of(m, &gap) > WRITTEN * m->length_scale))
            continue;
        char name[160];
        carom_row_part_name(m, e->first_row, name, sizeof name);
        if (!(gap.name = carom_arena_text(&sim->arena, name)))
            return carom_fail_memory(sim->ctx);
        size_t place = count++;
        for (; place > 0 && size_of(m, &gaps[place - 1]) < size_of(m, &gap); place--)
            gaps[place] = gaps[place - 1];
        gaps[place] = gap;
    }
    sim->gaps = gaps;
    sim->gap_count = count;
    return CAROM_OK;
}

carom_status carom_simulation_check(carom_simulation *sim, carom_check *out)
{
    CAROM_NEED(NULL, sim);
    CAROM_NEED(sim->ctx, out);
    const carom_model *m = sim->model;
    const int rows = constraint_rows(sim);
    size_t redundant = (size_t)(rows - sim->start.rank), count = 0, contacts = 0;
    if (!sim->redundant_names)
        sim->redundant_names = carom_arena_alloc(&sim->arena, redundant, sizeof *sim->redundant_names);
    if (!sim->redundant_names)
        return carom_fail_memory(sim->ctx);
    CAROM_TRY(check_contacts(sim, &contacts));
    if (!sim->free_texts)
        CAROM_TRY(carom_plausible_judge_contacts(sim, sim->checks, contacts));
    for (int r = 0; r < m->row_count && count < redundant; r++) {
        char name[160];
        if (!sim->start.redundant[r])
            continue;
        carom_row_name(m, r, name, sizeof name);
        sim->redundant_names[count] = carom_arena_text(&sim->arena, name);
        if (!sim->redundant_names[count++])
            return carom_fail_memory(sim->ctx);
    }
    const size_t coordinates = (size_t)(m->body_count * carom_twist_size(m));
    *out = (carom_check){.bodies = (size_t)m->body_count,
                         .joints = (size_t)(m->joint_count - m->part_count),
                         .coordinates = coordinates,
                         .rows = (size_t)rows,
                         .rank = (size_t)sim->start.rank,
                         .mobility = coordinates - (size_t)sim->start.rank,
                         .redundant = sim->redundant_names,
                         .redundant_count = count,
                         .assembly_residual = sim->start.residual,
                         .assembly_moved = sim->start.moved,
                         .velocity_residual = sim->start.velocity_residual,
                         .contacts = sim->checks,
                         .contact_count = contacts,
                         .formulation = sim->s.formulation->name};
    CAROM_TRY(name_freedoms(sim, out));
    if (!sim->gaps)
        CAROM_TRY(list_gaps(sim));
    out->gaps = sim->gaps;
    out->gap_count = sim->gap_count;
    return describe_formulation(sim, out);
}
