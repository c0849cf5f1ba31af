/* Contacts inside the last step, by the dense output. */
#include "math/roots.h"
#include "sim/sim.h"

#include <float.h>
#include <math.h>

/* ---- states that many contacts are looked at in ---- */

#define STATES 16

struct carom_inside_states {
    bool kept;
    int count, next;            /* how many there are; the next one that is given up */
    double time[STATES];        /* [s] */
    double *y[STATES];
};

carom_status carom_located_states_create(carom_simulation *sim)
{
    carom_arena *arena = &sim->arena;
    if (sim->model->contact_count < 2)
        return CAROM_OK;
    struct carom_inside_states *of = carom_arena_alloc(arena, 1, sizeof *of);
    for (int n = 0; of && n < STATES; n++)
        if (!(of->y[n] = carom_arena_alloc(arena, carom_sim_vector_room(sim), sizeof **of->y)))
            return carom_fail_memory(sim->ctx);
    sim->inside_states = of;
    return of ? CAROM_OK : carom_fail_memory(sim->ctx);
}

void carom_located_keep_states(carom_simulation *sim, bool keep)
{
    if (sim->inside_states) {
        sim->inside_states->kept = keep;
        sim->inside_states->count = sim->inside_states->next = 0;
    }
}

const double *carom_located_motion(carom_simulation *sim, double t)
{
    struct carom_inside_states *of = sim->inside_states;
    if (!of || !of->kept)
        return carom_step_motion(sim, t, sim->y_scratch) ? sim->y_scratch : NULL;
    for (int n = 0; n < of->count; n++)
        if (of->time[n] == t)
            return of->y[n];
    const int place = of->next;
    of->time[place] = (double)NAN;
    if (!carom_step_motion(sim, t, of->y[place]))
        return NULL;
    of->time[place] = t;
    of->next = (place + 1) % STATES;
    of->count = of->count < STATES ? of->count + 1 : STATES;
    return of->y[place];
}

/* ---- contacts ---- */

bool carom_located_inside(carom_simulation *sim, int k, double t, carom_contact_point *out)
{
    const carom_model *m = sim->model;
    const double *q = carom_located_motion(sim, t), *v = q ? q + (sim->s.v - sim->s.q) : NULL;
    if (!q)
        return false;
    carom_body_pose i = sim->s.formulation->body_pose(m, carom_contact_body(m, k, 0), q, v);
    carom_body_pose j = sim->s.formulation->body_pose(m, carom_contact_body(m, k, 1), q, v);
    carom_contact_known_geometry(sim->system, &sim->s, k, &i, &j, out);
    if (sim->s.located[k].open)
        carom_episode_force(&m->contacts[k], &sim->s.located[k], out);
    return true;
}

double carom_located_follow(carom_simulation *sim, int k, double t, carom_followed what)
{
    carom_contact_point p;
    if (!carom_located_inside(sim, k, t, &p))
        return 0;
    return what == CAROM_FOLLOW_GAP ? p.gap : p.gap_rate;
}

double carom_located_root(carom_simulation *sim, int k, carom_followed what, double a, double fa, double b, double fb)
{
    carom_bracket r = {a, b, fa, fb, 0};
    /* where the rate is zero the gap does not change to first order: a millionth of the step is near enough */
    double near = what == CAROM_FOLLOW_GAP_RATE ? 1e-6 * fabs(b - a) : 0;
    for (int iteration = 0; iteration < 100; iteration++) {
        const double tolerance = fmax(near, 4 * DBL_EPSILON * fmax(fabs(r.low), fabs(r.high)));
        if (fabs(r.high - r.low) <= tolerance || r.at_high == 0)
            break;
        const double x = carom_bracket_next(&r, iteration % 6 == 5);
        carom_bracket_take(&r, x, carom_located_follow(sim, k, x, what));
    }
    return r.high;
}

#define HALVINGS 14

/* A force that changes smoothly changes by half in half of the time, and by less than a hundredth of itself in the last
   of these halves. */
bool carom_located_jumped(carom_simulation *sim, int k, double begin, double end, carom_vec3 before, carom_vec3 after)
{
    const double whole = carom_v3_norm(carom_v3_sub(after, before));
    for (int n = 0; n < HALVINGS; n++) {
        carom_contact_point p;
        const double middle = 0.5 * (begin + end);
        if (!(middle > begin && middle < end) || !carom_located_inside(sim, k, middle, &p))
            return true;
        const carom_vec3 at = carom_v3_scale(p.force, p.normal);
        const bool early = carom_v3_norm(carom_v3_sub(at, before)) > carom_v3_norm(carom_v3_sub(after, at));
        *(early ? &end : &begin) = middle;
        *(early ? &after : &before) = at;
        if (carom_v3_norm(carom_v3_sub(after, before)) < 0.5 * pow(0.75, n) * whole)
            return false;
    }
    return true;
}

/* Of a depth: another corner of the pair that takes over is as deep. */
#define AS_DEEP 0.05

int carom_located_successor(const carom_simulation *sim, int k, double gap)
{
    const int first = k - sim->model->contacts[k].point, count = carom_contact_points(sim->model, first);
    for (int i = first; i < first + count; i++) {
        const double other = sim->d->contacts[i].gap;
        const bool begins = !sim->s.located[i].open || sim->s.located[i].onset == *sim->s.time;
        if (begins && other < 0 && fabs(other - gap) <= AS_DEEP * fabs(gap))
            return i;
    }
    return -1;
}

bool carom_located_hands_over(carom_simulation *sim, int k, double begin)
{
    carom_contact_point before;
    if (!sim->model->contacts[k].hands_over || !(sim->d->contacts[k].gap > 0) ||
        !carom_located_inside(sim, k, begin, &before))
        return false;
    const int next = carom_located_successor(sim, k, before.gap);
    return next >= 0 && carom_v3_dot(sim->d->contacts[next].normal, before.normal) > 1 - AS_DEEP * AS_DEEP;
}

/* Of a step: how far before its end a force is looked at that ends with it. */
#define JUST_BEFORE 1e-6

void carom_located_note_lost(carom_simulation *sim, int k, double *gap, double *gap_rate)
{
    const double begin = sim->integrator->t_before, end = *sim->s.time;
    const double near = fmax(begin, end - fmax(JUST_BEFORE * (end - begin), 64 * DBL_EPSILON * end));
    carom_contact_point before;
    *gap = *gap_rate = 0;
    if (!(end > begin) || !carom_located_inside(sim, k, near, &before) || before.gap >= 0)
        return;
    *gap = before.gap;
    *gap_rate = before.gap_rate;
    const int next = carom_located_successor(sim, k, before.gap);
    const carom_vec3 after =
        next >= 0 ? carom_v3_scale(before.force, sim->d->contacts[next].normal) : carom_v3(0, 0, 0);
    const carom_vec3 force = carom_v3_scale(before.force, before.normal);
    if (carom_episode_jumps(&sim->s.located[k], force, after))
        carom_episode_note_jump(&sim->s.located[k], force, after);
}
