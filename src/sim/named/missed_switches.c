/* Switches of expressions and loads that leave their branch and come back within a step, as a ligament that is taut for
   a moment: their root functions have the same sign at both ends. Where these come nearer to zero than they have moved
   in this step and the one before, the step is searched by its dense output, and ends where the first one is zero. Long
   steps are looked into all along. */
#include "math/largest.h"
#include "sim/sim.h"

#include <math.h>
#include <string.h>

/* Values inside a step. */
#define PARTS 8
/* The least of them is looked at closely where the parabola through it and its neighbours comes below this share of
   it. */
#define LOW 0.5
#define HALVINGS 40
/* Fourth differences of the values, as a share of their range, from which on they are rounding, as of a ligament
   between two points of one rigid body: a sine of one and a third periods a step has half of it, noise more. */
#define ROUGH 0.5

struct carom_switch_watch {
    double *before, *first, *last; /* root functions at the begin of the step before, at the ends of this one, */
    double *inside, *samples[PARTS - 1];
    double *y;                  /* a state of the step */
    double begin_before, begin; /* [s] */
    uint64_t restarts;          /* of the run at the last step */
    bool one, two;              /* steps since the motion went on in another way */
};

typedef struct one_root {
    carom_simulation *sim;
    int root;
} one_root;

carom_status carom_switch_watch_create(carom_simulation *sim)
{
    const size_t n = (size_t)sim->model->root_count;
    carom_arena *arena = &sim->arena;
    if (!n || !(sim->model->step_measure_count || sim->model->switching_load_count))
        return CAROM_OK;
    struct carom_switch_watch *w = carom_arena_alloc(arena, 1, sizeof *w);
    double *room = carom_arena_alloc(arena, (4 + PARTS - 1) * n, sizeof *room);
    if (!w || !room)
        return carom_fail_memory(sim->ctx);
    double **const arrays[] = {&w->before, &w->first, &w->last, &w->inside};
    for (size_t k = 0; k < CAROM_COUNT(arrays); k++, room += n)
        *arrays[k] = room;
    for (int k = 0; k < PARTS - 1; k++, room += n)
        w->samples[k] = room;
    if (!(w->y = carom_arena_alloc(arena, carom_sim_vector_room(sim), sizeof *w->y)))
        return carom_fail_memory(sim->ctx);
    sim->switch_watch = w;
    return CAROM_OK;
}

static bool roots_at(carom_simulation *sim, double t, const double *y, double *out)
{
    for (int k = 0; k < sim->model->root_count; k++)
        out[k] = 1;
    return carom_step_switch_roots(sim, t, y, false, out) == 0;
}

static bool roots_inside(carom_simulation *sim, double t, double *out)
{
    double *y = sim->switch_watch->y;
    return carom_step_interpolate(sim, t, y) && roots_at(sim, t, y, out);
}

/* One root function, with the sign that is greatest where it is nearest to zero. */
static double beyond(void *user, double t)
{
    const one_root *of = user;
    double *out = of->sim->switch_watch->inside;
    return roots_inside(of->sim, t, out) ? -out[of->root] : -HUGE_VAL;
}

/* Whether a root function may have been zero within the step, by what it moved: in the step before, too, or to the
   middle of this one and on. */
static bool comes_near(const struct carom_switch_watch *w, int k, double step)
{
    const double first = w->first[k], last = w->last[k], middle = w->samples[PARTS / 2 - 1][k];
    if (!(first > 0 && last > 0))
        return false;
    if (!w->two)
        return fmin(fmin(first, middle), last) < fabs(middle - first) + fabs(last - middle);
    const double scale = step / (w->begin - w->begin_before);
    return fmin(first, last) < fabs(last - first) + scale * fabs(first - w->before[k]);
}

static bool is_rough(const double value[PARTS + 1])
{
    double most = value[0], least = value[0], rough = 0;
    for (int n = 1; n <= PARTS; n++) {
        most = fmax(most, value[n]);
        least = fmin(least, value[n]);
    }
    for (int n = 2; n <= PARTS - 2; n++)
        rough = fmax(rough, fabs(value[n - 2] + value[n + 2] - 4 * (value[n - 1] + value[n + 1]) + 6 * value[n]));
    return !(rough < ROUGH * (most - least));
}

/* Whether a root function with these values at the ends and inside is below zero, at *at. */
static bool dips(one_root *of, double begin, double end, double *at)
{
    const struct carom_switch_watch *w = of->sim->switch_watch;
    const double part = (end - begin) / PARTS;
    double value[PARTS + 1];
    int low = 1;
    value[0] = w->first[of->root];
    value[PARTS] = w->last[of->root];
    for (int n = 1; n < PARTS; n++) {
        value[n] = w->samples[n - 1][of->root];
        low = value[n] < value[low] ? n : low;
    }
    *at = begin + low * part;
    if (is_rough(value))
        return false;
    if (value[low] < 0)
        return true;
    const double bend = value[low + 1] - 2 * value[low] + value[low - 1],
                 slope = 0.5 * (value[low + 1] - value[low - 1]);
    if (!(bend > 0) || !(fabs(slope) < 1.5 * bend) || !(value[low] - 0.5 * slope * slope / bend < LOW * value[low]))
        return false;
    return carom_largest_between(beyond, of, *at - part, *at + part, at) > 0;
}

/* Where it is first zero before the time `below` at which it is less. */
static double zero_before(one_root *of, double begin, double below)
{
    double low = begin, high = below;
    for (int n = 0; n < HALVINGS; n++) {
        const double half = 0.5 * (low + high);
        *(beyond(of, half) > 0 ? &high : &low) = half;
    }
    return high;
}

void carom_switch_watch_restart(carom_simulation *sim)
{
    if (sim->switch_watch)
        sim->switch_watch->one = false;
}

/* Root functions at both ends of the step, and in its middle where none are known before it; false: they cannot be
   found. */
static bool take_values(carom_simulation *sim, double begin, double end)
{
    struct carom_switch_watch *w = sim->switch_watch;
    double *const former = w->before;
    w->two = w->one && w->begin < begin;
    w->one = true;
    w->before = w->first;
    w->first = w->last;
    w->last = former;
    w->begin_before = w->begin;
    w->begin = begin;
    /* a projection moves them */
    if ((!w->two || w->restarts != sim->statistics.restarts) && !roots_at(sim, begin, sim->s.q, w->first))
        return false;
    w->restarts = sim->statistics.restarts;
    return roots_at(sim, end, sim->integrator->y, w->last) &&
           (w->two || roots_inside(sim, 0.5 * (begin + end), w->samples[PARTS / 2 - 1]));
}

/* The first switch that has left its branch at one of the looks into a long step, and where; -1: none has. */
static int left_within(carom_simulation *sim, double begin, double last, double *at)
{
    const struct carom_switch_watch *w = sim->switch_watch;
    const int parts = carom_step_looks(sim, last - begin);
    for (int n = 1; n < parts; n++) {
        const double now = begin + (last - begin) * n / parts;
        int first = -1;
        if (!roots_inside(sim, now, w->samples[0]))
            return -1;
        *at = now;
        for (int k = 0; k < sim->model->root_count; k++) {
            one_root of = {sim, k};
            if (!(w->first[k] > 0 && w->samples[0][k] < 0))
                continue;
            const double zero = zero_before(&of, begin + (last - begin) * (n - 1) / parts, now);
            first = first < 0 || zero < *at ? k : first;
            *at = fmin(*at, zero);
        }
        if (first >= 0)
            return first;
    }
    return -1;
}

bool carom_switches_missed(carom_simulation *sim, double *end)
{
    struct carom_switch_watch *w = sim->switch_watch;
    const double begin = sim->integrator->t_before, last = sim->integrator->t;
    bool near = false;
    int found = -1;
    if (!w || !(last > begin) || !take_values(sim, begin, last))
        return false;
    for (int k = 0; k < sim->model->root_count && !near; k++)
        near = comes_near(w, k, last - begin);
    for (int n = 1; n < PARTS && near; n++)
        near = roots_inside(sim, begin + (last - begin) * n / PARTS, w->samples[n - 1]);
    for (int k = 0; k < sim->model->root_count && near; k++) {
        one_root of = {sim, k};
        double at;
        if (!comes_near(w, k, last - begin) || !dips(&of, begin, last, &at))
            continue;
        at = zero_before(&of, begin, at);
        if (at < *end) {
            *end = at;
            found = k;
        }
    }
    double at;
    const int left = found < 0 ? left_within(sim, begin, last, &at) : -1;
    if (left >= 0 && at < *end) {
        *end = at;
        found = left;
    }
    if (found < 0)
        return false;
    memset(sim->integrator->root_found, 0, (size_t)carom_step_root_count(sim->model) * sizeof(int));
    sim->integrator->root_found[sim->model->contact_root_count + found] = 1;
    return true;
}
