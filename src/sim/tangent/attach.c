/* Tangents of a simulation: what is covered, memory, the start. */
#include "sim/tangent/tangent.h"

#include "sim/kinematics/kinematics.h"

#include <math.h>
#include <string.h>

/* "no derivatives of this run: WHAT 'NAME'; INSTEAD" */
static carom_status refuse(carom_simulation *sim, const char *what, const char *name, const char *instead)
{
    return carom_fail(sim->ctx, CAROM_ERROR_USAGE, NULL, "no derivatives of this run: %s%s%s%s; %s", what,
                      name ? " '" : "", name ? name : "", name ? "'" : "", instead);
}

carom_status carom_tangents_check(carom_simulation *sim)
{
    const carom_run *run = &sim->run;
    const carom_model *m = sim->model;
    static const char steps[] = "give integrator auto, adams, bdf, dopri5 or dop853";
    if (run->kinematic)
        return refuse(sim, "analysis kinematics has no state of its own", NULL, "take analysis dynamics");
    if (run->integrator->fixed_step || run->integrator->rigid || run->integrator->holds ||
        run->integrator->outside)
        return refuse(sim, "its integrator does not locate events, or holds the constraints by itself:",
                      run->integrator->kind.name, steps);
    if (run->stabilization->index2 || run->stabilization->parts || run->stabilization->closes)
        return refuse(sim, "constraint method", run->stabilization->kind.name, "give baumgarte or projection");
    if (m->contact_set_count)
        return refuse(sim, "contact set", m->contact_sets[0].name, "name the pairs that touch as contacts");
    for (int k = 0; k < m->event_count; k++)
        for (int a = 0; a < m->events[k].action_count; a++)
            if (m->events[k].actions[a].type != CAROM_ACTION_STOP)
                return refuse(sim, "the state jumps at event", m->events[k].name, "leave it out");
    for (int k = 0; k < m->contact_count; k++)
        if (m->contacts[k].segments)
            return refuse(sim, "the radii of its segments change the force at once in contact", m->contacts[k].name,
                          "give radius_i and radius_j, or `radii: onset`");
    if (sim->def.control)
        return refuse(sim, "what its controller does is not known", NULL, "write it as expressions of the model");
    return CAROM_OK;
}

/* Whether a twin has the numbers and the contacts of the simulation. */
static carom_status check_twin(carom_simulation *sim, const carom_tangent *of, const carom_simulation *twin)
{
    const carom_model *a = sim->model, *b = twin->model;
    const bool same = twin->s.integrated == sim->s.integrated && twin->s.size == sim->s.size &&
                      twin->s.formulation == sim->s.formulation && a->body_count == b->body_count &&
                      a->joint_count == b->joint_count && a->contact_count == b->contact_count &&
                      a->load_count == b->load_count && a->row_count == b->row_count &&
                      carom_step_root_count(a) == carom_step_root_count(b);
    if (!same)
        return carom_fail(sim->ctx, CAROM_ERROR_USAGE, NULL,
                          "no derivatives by '%s': it changes what the model is made of, not only its numbers",
                          of->name);
    for (int k = 0; k < a->contact_count; k++)
        if (sim->s.located[k].open != twin->s.located[k].open)
            return carom_fail(sim->ctx, CAROM_ERROR_USAGE, NULL,
                              "no derivatives by '%s': contact '%s' just touches at the start, and does not with a "
                              "value beside that; start with a gap or with an overlap",
                              of->name, a->contacts[k].name);
    return CAROM_OK;
}

static carom_status take_memory(carom_simulation *sim, size_t count, carom_tangents *all)
{
    const size_t n = sim->s.integrated, size = n * (count + 1), contacts = (size_t)sim->model->contact_count;
    const carom_model *m = sim->model;
    const size_t roots = (size_t)carom_step_root_count(m), switches = (size_t)m->switch_count;
    const size_t branches = switches + (size_t)m->site_count + (size_t)m->input_count;
    carom_arena *arena = &all->arena;
    double **const whole[] = {&all->y, &all->last, &all->inside, &all->rate, &all->tolerance, &all->rounding};
    double **const one[] = {&all->scale, &all->moved,   &all->side[0], &all->side[1],
                            &all->flow,  &all->peak[0], &all->peak[1], &all->after};
    carom_arena_init(arena, sim->ctx);
    all->ctx = sim->ctx;
    all->count = count;
    all->n = n;
    bool done = true;
    for (size_t k = 0; k < CAROM_COUNT(whole) && done; k++)
        done = (*whole[k] = carom_arena_alloc(arena, size, sizeof(double))) != NULL;
    for (size_t k = 0; k < CAROM_COUNT(one) && done; k++)
        done = (*one[k] = carom_arena_alloc(arena, n, sizeof(double))) != NULL;
    done = done && (all->of = carom_arena_alloc(arena, count, sizeof *all->of)) &&
           (all->roots[0] = carom_arena_alloc(arena, roots, sizeof(double))) &&
           (all->roots[1] = carom_arena_alloc(arena, roots, sizeof(double))) &&
           (all->slips = carom_arena_alloc(arena, contacts, sizeof *all->slips)) &&
           (all->before = carom_arena_alloc(arena, contacts, sizeof *all->before)) &&
           (all->apart = carom_arena_alloc(arena, contacts, sizeof(double))) &&
           (all->due = carom_arena_alloc(arena, branches, sizeof(double))) &&
           (all->leaving = carom_arena_alloc(arena, switches, sizeof(double))) &&
           (all->kept = carom_arena_alloc(arena, branches, sizeof(int))) &&
           (all->force_settled = carom_arena_alloc(arena, contacts, sizeof(bool))) &&
           (all->depth_settled = carom_arena_alloc(arena, contacts, sizeof(bool)));
    for (size_t k = n; k < size && done; k++)
        all->tolerance[k] = HUGE_VAL; /* rounding: 0 */
    return done ? CAROM_OK : carom_fail_memory(sim->ctx);
}

/* Sizes of the model's motion; none of numbers that no body has. */
static void find_scales(const carom_simulation *sim, carom_tangents *all)
{
    const carom_model *m = sim->model;
    const double speed = carom_sim_speed(sim);
    const carom_body_bounds bounds = {m->length_scale, 1, speed, speed / m->length_scale};
    for (size_t k = 0; k < all->n; k++)
        all->scale[k] = HUGE_VAL;
    for (int body = 0; body < m->body_count; body++)
        sim->s.formulation->tolerate(m, body, &bounds, all->scale, all->scale + (sim->s.v - sim->s.q));
}

/* Tangents of the assembled start. */
static carom_status start(carom_simulation *sim, carom_tangents *all, const carom_tangent *tangents)
{
    memcpy(all->y, sim->s.q, all->n * sizeof *all->y);
    find_scales(sim, all);
    memcpy(all->before, sim->s.located, (size_t)sim->model->contact_count * sizeof *all->before);
    for (size_t i = 0; i < all->count; i++) {
        all->of[i] = tangents[i];
        all->of[i].clock = all->of[i].end = 0;
        all->of[i].lost = HUGE_VAL;
        all->of[i].told = all->of[i].noticed = false;
        for (int side = 0; side < 2; side++)
            CAROM_TRY(check_twin(sim, &tangents[i], tangents[i].twin[side]));
        for (int side = 0; side < 2; side++) {
            carom_simulation *twin = tangents[i].twin[side];
            /* its own branches just behind the start */
            if (carom_rhs_update(twin) == 0)
                carom_switches_update(twin);
            carom_tangent_prepare(all, twin);
        }
        for (size_t k = 0; k < all->n; k++)
            carom_tangent_vector(all, all->y, i)[k] =
                carom_tangent_slope(&tangents[i], tangents[i].twin[0]->s.q[k], tangents[i].twin[1]->s.q[k]);
    }
    for (int k = 0; k < sim->model->contact_count; k++)
        all->force_settled[k] = all->depth_settled[k] = true;
    return CAROM_OK;
}

carom_status carom_tangents_attach(carom_simulation *sim, size_t count, const carom_tangent *tangents,
                                   carom_tangent_remake *remake, void *user)
{
    CAROM_TRY(carom_tangents_check(sim));
    carom_tangents *all = carom_allocate(sim->ctx, 1, sizeof *all);
    if (!all)
        return carom_fail_memory(sim->ctx);
    carom_status status = take_memory(sim, count, all);
    if (status == CAROM_OK)
        status = start(sim, all, tangents);
    if (status == CAROM_OK) {
        all->remake = remake;
        all->user = user;
        sim->tangents = all;
        status = carom_sim_renew_integrator(sim);
        if (status == CAROM_OK)
            return CAROM_OK;
        sim->tangents = NULL;
    }
    carom_tangents_free(all);
    return status;
}
