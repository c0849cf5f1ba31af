/* Open contacts that part, change the branch of a law with memory or begin to pull, and come back within a step: their
   root functions have one sign at both ends. Gap and rate at these give the motion along the normal as a cubic; where a
   root function of that comes near to zero in between, the step is looked into by its dense output, and ends where the
   first one is zero. docs/theory/onset.md */
#include "math/largest.h"
#include "sim/sim.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define PARTS 8
/* Of the range of a root function over the step: how near to zero it is looked at, and how much less than at the ends
   it is inside. The cubic is right within 0.4 per cent of the amplitude of a sine over a step of 1 rad. */
#define NEAR 0.15
#define LESS 0.01
#define HALVINGS 48

/* A root function in the step, positive while what is goes on. */
typedef struct followed_end {
    carom_simulation *sim;
    int contact;
    carom_contact_root root;
    double sign;
    double value[PARTS + 1];
} followed_end;

static double value_of(const followed_end *of, const carom_contact_point *p)
{
    return of->sign * carom_step_root(of->sim, of->contact, of->root, p);
}

static double value_inside(const followed_end *of, double t)
{
    carom_contact_point p;
    return carom_located_inside(of->sim, of->contact, t, &p) ? value_of(of, &p) : HUGE_VAL;
}

static double beyond(void *user, double t) { return -value_inside(user, t); }

static double place_of(double begin, double end, int n) { return begin + (end - begin) * n / PARTS; }

/* The least value inside that is less than those at the ends, and near to zero; 0: there is none. */
static int least_inside(const followed_end *of)
{
    double most = of->value[0], least = of->value[0];
    int low = 1;
    for (int n = 1; n <= PARTS; n++) {
        most = fmax(most, of->value[n]);
        least = fmin(least, of->value[n]);
        low = n < PARTS && of->value[n] < of->value[low] ? n : low;
    }
    const double range = most - least, at_ends = fmin(of->value[0], of->value[PARTS]);
    return of->value[low] < NEAR * range && of->value[low] < at_ends - LESS * range ? low : 0;
}

/* Root functions of a contact along the cubic of gap and rate at both ends. */
static void follow_cubic(followed_end *of, int count, const carom_contact_point *first,
                         const carom_contact_point *last, double h)
{
    const carom_simulation *sim = of->sim;
    const int k = of->contact;
    for (int n = 1; n < PARTS; n++) {
        const double x = (double)n / PARTS, rise = last->gap - first->gap;
        const double b = 3 * rise - h * (2 * first->gap_rate + last->gap_rate),
                     a = h * (first->gap_rate + last->gap_rate) - 2 * rise;
        carom_contact_point p = *last;
        p.gap = first->gap + x * (h * first->gap_rate + x * (b + x * a));
        p.gap_rate = first->gap_rate + x * (2 * b + x * 3 * a) / h;
        carom_episode_force(&sim->model->contacts[k], &sim->s.located[k], &p);
        for (int r = 0; r < count; r++)
            of[r].value[n] = value_of(&of[r], &p);
    }
}

/* Whether a root function is below zero inside the step, by the dense output, and since when. */
static bool passes(followed_end *of, double begin, double end, double *at)
{
    for (int n = 1; n < PARTS; n++)
        of->value[n] = value_inside(of, place_of(begin, end, n));
    int low = 1;
    for (int n = 1; n < PARTS && !(of->value[low] < 0); n++)
        low = of->value[n] < of->value[low] ? n : low;
    double before = place_of(begin, end, low - 1), high = place_of(begin, end, low);
    if (!(of->value[low] < 0)) {
        if (!(of->value[low] < of->value[0] && of->value[low] < of->value[PARTS]) ||
            !(carom_largest_between(beyond, of, before, place_of(begin, end, low + 1), &high) > 0))
            return false;
    }
    for (int n = 0; n < HALVINGS && high - before > 4 * DBL_EPSILON * high; n++) {
        const double half = 0.5 * (before + high);
        *(value_inside(of, half) < 0 ? &high : &before) = half;
    }
    *at = high;
    return true;
}

/* The root functions of an open contact that are looked at, with their values at the ends; returns how many. */
static int list_ends(carom_simulation *sim, int k, const carom_contact_point *last, followed_end *out)
{
    const carom_model_contact *c = &sim->model->contacts[k];
    const carom_episode *e = &sim->s.located[k];
    const carom_contact_root roots[] = {CAROM_ROOT_GAP, CAROM_ROOT_TENSION, CAROM_ROOT_BRANCH};
    int count = 0;
    for (size_t n = 0; n < CAROM_COUNT(roots); n++) {
        const carom_contact_root r = roots[n];
        if (c->roots[r] < 0 || (r == CAROM_ROOT_BRANCH && !c->law.elastic->history))
            continue;
        followed_end *of = &out[count];
        *of = (followed_end){.sim = sim, .contact = k, .root = r};
        of->sign = r == CAROM_ROOT_GAP || (r == CAROM_ROOT_TENSION && e->cut_off) ? -1 : 1;
        of->value[0] = value_of(of, &sim->d->contacts[k]);
        of->value[PARTS] = value_of(of, last);
        count += of->value[0] > 0 && of->value[PARTS] > 0;
    }
    return count;
}

bool carom_ends_missed(carom_simulation *sim, double *end)
{
    const double begin = sim->integrator->t_before, last = sim->integrator->t;
    int root = -1;
    if (!(last > begin) || sim->taken)
        return false;
    carom_located_keep_states(sim, true);
    for (int n = 0; n < sim->system->touching_count; n++) {
        const int k = sim->system->touching[n];
        const carom_model_contact *c = &sim->model->contacts[k];
        followed_end of[CAROM_CONTACT_ROOTS];
        carom_contact_point point;
        if (!sim->s.located[k].open || c->hands_over || !carom_located_inside(sim, k, last, &point))
            continue;
        const int count = list_ends(sim, k, &point, of);
        if (count)
            follow_cubic(of, count, &sim->d->contacts[k], &point, last - begin);
        for (int r = 0; r < count; r++) {
            double at;
            if (!least_inside(&of[r]) || !passes(&of[r], begin, last, &at) || at >= *end)
                continue;
            *end = at;
            root = c->roots[of[r].root];
        }
    }
    carom_located_keep_states(sim, false);
    if (root < 0)
        return false;
    memset(sim->integrator->root_found, 0, (size_t)carom_step_root_count(sim->model) * sizeof(int));
    sim->integrator->root_found[root] = 1;
    return true;
}
