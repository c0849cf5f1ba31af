/* Works of contacts stand still while these are closed, and between two restarts the same ones are: methods that can do
   so integrate without them. Of a heap of solids that leaves a few hundred of tens of thousands of numbers. */
#include "sim/works.h"

#include <string.h>

/* Contacts of a model from which on it pays. */
#define MANY_CONTACTS 48

struct carom_works {
    int first, whole;           /* where the works begin in the integrated vector, and its length */
    int count;                  /* numbers of the method's vector since the last restart; the first ones are those of
                                   the whole */
    bool *always;               /* of each number: it is no work of a contact */
    int *full;                  /* of each number of the method's vector where it is in the whole one, */
    int *place;                 /* and the other way round; -1: it is left out */
    double *y, *tolerance, *rate;       /* vectors of the method, as a restart gives them */
    double *expanded;           /* a whole one */
};

carom_status carom_works_create(carom_simulation *sim)
{
    const size_t room = carom_sim_vector_room(sim);
    carom_arena *arena = &sim->arena;
    if (sim->model->contact_count < MANY_CONTACTS || !sim->run.integrator->shortens)
        return CAROM_OK;
    struct carom_works *w = carom_arena_alloc(arena, 1, sizeof *w);
    if (!w || !(w->always = carom_arena_alloc(arena, room, sizeof *w->always)) ||
        !(w->full = carom_arena_alloc(arena, room, sizeof *w->full)) ||
        !(w->place = carom_arena_alloc(arena, room, sizeof *w->place)) ||
        !(w->y = carom_arena_alloc(arena, room, sizeof *w->y)) ||
        !(w->tolerance = carom_arena_alloc(arena, room, sizeof *w->tolerance)) ||
        !(w->rate = carom_arena_alloc(arena, room, sizeof *w->rate)) ||
        !(w->expanded = carom_arena_alloc(arena, room, sizeof *w->expanded)))
        return carom_fail_memory(sim->ctx);
    sim->works_room = w;
    return CAROM_OK;
}

void carom_works_prepare(carom_simulation *sim, const carom_ode *ode)
{
    const carom_model *m = sim->model;
    const carom_state *s = &sim->s;
    struct carom_works *w = sim->works_room;
    const bool own = ode->weakest || ode->project || sim->tangents;
    sim->works = own ? NULL : w;
    if (!sim->works)
        return;
    w->first = ode->coupled_count;
    w->count = w->whole = ode->size;
    for (int n = 0; n < w->whole; n++) {
        w->always[n] = true;
        w->full[n] = w->place[n] = n;
    }
    for (int k = 0; k < m->contact_count; k++) {
        w->always[s->work_contact - s->q + k] = w->always[s->normal_impulse - s->q + k] = false;
        if (m->contacts[k].friction_work >= 0)
            w->always[s->work_friction - s->q + m->contacts[k].friction_work] = false;
    }
}

/* Chooses the numbers that are integrated: all but the works of closed contacts. */
static void choose(const carom_simulation *sim)
{
    const carom_state *s = &sim->s;
    const carom_system *sys = sim->system;
    struct carom_works *w = sim->works;
    for (int n = w->first; n < w->whole; n++)
        w->place[n] = w->always[n] ? 0 : -1;
    for (int n = 0; n < sys->touching_count; n++) {
        const int k = sys->touching[n], friction = sim->model->contacts[k].friction_work;
        if (!s->located[k].open)
            continue;
        w->place[s->work_contact - s->q + k] = w->place[s->normal_impulse - s->q + k] = 0;
        if (friction >= 0)
            w->place[s->work_friction - s->q + friction] = 0;
    }
    w->count = w->first;
    for (int n = w->first; n < w->whole; n++)
        if (w->place[n] >= 0) {
            w->full[w->count] = n;
            w->place[n] = w->count++;
        }
}

static void shorten(const struct carom_works *w, const double *whole, double *out)
{
    memcpy(out, whole, (size_t)w->first * sizeof *out);
    for (int n = w->first; n < w->count; n++)
        out[n] = whole[w->full[n]];
}

/* Puts the numbers of the method's vector where they are in the whole one, whose others stay. */
static void expand(const struct carom_works *w, const double *y, double *whole)
{
    memcpy(whole, y, (size_t)w->first * sizeof *whole);
    for (int n = w->first; n < w->count; n++)
        whole[w->full[n]] = y[n];
}

void carom_works_restart(carom_simulation *sim, const double **y, const double **tolerance)
{
    struct carom_works *w = sim->works;
    if (!w)
        return;
    choose(sim);
    shorten(w, *y, w->y);
    shorten(w, *tolerance, w->tolerance);
    shorten(w, sim->integrator->known, w->rate);
    *y = w->y;
    *tolerance = w->tolerance;
    sim->integrator->known = w->rate;
    sim->integrator->ode.size = w->count;
    sim->integrator->ode.left_out = w->whole - w->count;
}

const int *carom_works_places(const carom_simulation *sim) { return sim->works ? sim->works->place : NULL; }

bool carom_works_interpolate(carom_simulation *sim, double t, double *y)
{
    carom_integrator *integrator = sim->integrator;
    const struct carom_works *w = sim->works;
    const size_t count = w ? (size_t)w->count : sim->s.integrated;
    const bool at_end = t == integrator->t || !(integrator->t_before < integrator->t);
    double *own = w ? w->y : y;
    if (at_end && !w)
        memcpy(y, integrator->y, count * sizeof *y);
    else if (!at_end && !integrator->kind->interpolate(integrator, t, (int)count, own))
        return false;
    if (w && y != sim->s.q)
        memcpy(y + w->first, sim->s.q + w->first, (size_t)(w->whole - w->first) * sizeof *y);
    if (w)
        expand(w, at_end ? integrator->y : own, y);
    return true;
}

const double *carom_works_end(carom_simulation *sim)
{
    const struct carom_works *w = sim->works;
    if (!w)
        return sim->integrator->y;
    memcpy(w->expanded + w->first, sim->s.q + w->first, (size_t)(w->whole - w->first) * sizeof *w->expanded);
    expand(w, sim->integrator->y, w->expanded);
    return w->expanded;
}

double *carom_works_expand(carom_simulation *sim, double *y)
{
    if (!sim->works)
        return y;
    expand(sim->works, y, sim->works->expanded);
    return sim->works->expanded;
}

void carom_works_shorten(carom_simulation *sim, const double *whole, double *y)
{
    if (sim->works && whole != y)
        shorten(sim->works, whole, y);
}
