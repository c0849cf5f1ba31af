/* Friction that holds in a joint or contact, and is asked for more than it holds for a while within a step: what is
   left of it is positive at both ends. While it holds nothing need move, so that no error of the motion shortens a
   step, and an oscillating force is past its crest by the end. Where what is left may have come to zero, by what it
   changed in this step and the one before, the step is halved until it surely did not in any part, by the dense output.
   It is then made again, to where it is first zero: what it met behind that is no part of the motion.
   docs/theory/friction.md */
#include "sim/sim.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Halvings of a step that are made in any case; where nothing is known of the step before; in one that is much longer
   than that: what oscillates may do so many times in it, and parts in which it does look clear by chance, but not they
   and their halves. */
#define SURE 1
#define SURE_ALONE 2
#define SURE_LONG 6
#define MUCH_LONGER 3
#define DEEPEST 14
/* Looks into a step; one that needs more ends where they do, if not before a share of it. */
#define MOST_LOOKS 600
#define LEAST_SHARE 0.02
/* Of a part, where it is divided: not the middle, or an oscillation of the step's length would look like none. */
#define DIVIDED 0.46
/* Share of the greatest force below which changes are rounding. */
#define ROUNDING 1e-8
/* Of the change of what passes zero in a part, how far it may lie beside a line. */
#define STRAIGHT 0.2
#define HALVINGS 48
/* So often at most a step is made again, each time shorter. */
#define MOST_AGAIN 20
/* Of what is behind a zero: how far the step goes, so that its root is located. */
#define BEHIND 1e-3
/* The first step behind the end, of the part in which it was found. */
#define FIRST 0.05

struct carom_hold_watch {
    int count;                  /* places of friction: sites of joints, then contacts */
    double *before, *first, *last; /* what is left at the begin of the step before, at the ends of this one */
    double *row[DEEPEST + 1], *inside;
    double *y;                  /* a state of the step */
    bool *asked;                /* of each place, whether it is looked for */
    double begin_before, begin, end; /* [s] */
    double scale;               /* length of the step, of that before; HUGE_VAL: nothing is known of one */
    int again;                  /* so often the step has been made again */
    bool one;                   /* step since the motion went on in another way */
    /* of a search: */
    bool twice;                 /* a part is clear where its whole is, too */
    int looks, sure, found;
    double at, width, searched; /* [s]: of what was found, the part it lay in, and how far is looked for */
    double stop;                /* [s] of a step that is made again; HUGE_VAL: none */
};

carom_status carom_hold_watch_create(carom_simulation *sim)
{
    const carom_model *m = sim->model;
    carom_arena *arena = &sim->arena;
    bool holds = false;
    for (int k = 0; k < m->site_count; k++)
        holds = holds || m->sites[k].root >= 0;
    for (int k = 0; k < m->contact_count; k++)
        holds = holds || m->contacts[k].roots[CAROM_ROOT_STICK] >= 0;
    if (!holds || sim->run.kinematic)
        return CAROM_OK;
    const size_t n = (size_t)m->site_count + (size_t)m->contact_count;
    struct carom_hold_watch *w = carom_arena_alloc(arena, 1, sizeof *w);
    double *room = carom_arena_alloc(arena, (DEEPEST + 5) * n, sizeof *room);
    if (!w || !room)
        return carom_fail_memory(sim->ctx);
    double **const arrays[] = {&w->before, &w->first, &w->last, &w->inside};
    for (size_t k = 0; k < CAROM_COUNT(arrays); k++, room += n)
        *arrays[k] = room;
    for (int k = 0; k <= DEEPEST; k++, room += n)
        w->row[k] = room;
    w->count = (int)n;
    w->stop = HUGE_VAL;
    w->y = carom_arena_alloc(arena, carom_sim_vector_room(sim), sizeof *w->y);
    w->asked = carom_arena_alloc(arena, n, sizeof *w->asked);
    if (!w->y || !w->asked)
        return carom_fail_memory(sim->ctx);
    sim->hold_watch = w;
    return CAROM_OK;
}

void carom_hold_watch_restart(carom_simulation *sim)
{
    if (!sim->hold_watch)
        return;
    sim->hold_watch->one = false;
    sim->hold_watch->stop = HUGE_VAL;
}

static bool holds(const carom_simulation *sim, int place)
{
    const carom_model *m = sim->model;
    const int k = place - m->site_count;
    if (k < 0)
        return m->sites[place].root >= 0 && sim->s.site_stick[place] == CAROM_STICKING;
    const carom_episode *e = &sim->s.located[k];
    return m->contacts[k].roots[CAROM_ROOT_STICK] >= 0 && e->open && e->stick == CAROM_STICKING;
}

static bool any_holds(const carom_simulation *sim)
{
    const carom_model *m = sim->model;
    for (int k = 0; k < m->site_count; k++)
        if (holds(sim, k))
            return true;
    for (int n = 0; n < sim->system->touching_count; n++)
        if (holds(sim, m->site_count + sim->system->touching[n]))
            return true;
    return false;
}

/* What is left at an evaluated state, 1 where nothing holds. */
static void take(const carom_simulation *sim, const carom_evaluation *d, double *out)
{
    const carom_model *m = sim->model;
    for (int k = 0; k < sim->hold_watch->count; k++)
        out[k] = 1;
    for (int k = 0; k < m->site_count; k++)
        if (holds(sim, k))
            out[k] = carom_joint_friction_left(d, k);
    for (int n = 0; n < sim->system->touching_count; n++) {
        const int k = sim->system->touching[n];
        if (holds(sim, m->site_count + k))
            out[m->site_count + k] = carom_step_friction_left(&d->contacts[k]);
    }
}

static bool take_inside(carom_simulation *sim, double t, double *out)
{
    struct carom_hold_watch *w = sim->hold_watch;
    const bool done = carom_step_interpolate(sim, t, w->y) &&
                      carom_rhs_evaluate(sim, sim->probe, t, w->y, sim->root_scratch) == 0;
    if (done)
        take(sim, sim->probe, out);
    return done;
}

/* At the end of the step, of which the integrator's evaluation may be. */
static bool take_end(carom_simulation *sim, double end, double *out)
{
    if (sim->integrator->rates != CAROM_RATES_AT_END || sim->trial->time != end)
        return take_inside(sim, end, out);
    take(sim, sim->trial, out);
    return true;
}

/* Whether what is left of a place may have come to zero in the step, by its changes. */
static bool comes_near(const struct carom_hold_watch *w, int k)
{
    const double change = fabs(w->last[k] - w->first[k]) + w->scale * fabs(w->first[k] - w->before[k]);
    return change > ROUNDING && fmin(w->first[k], w->last[k]) < 2 * change;
}

/* The first zero between two times, at the second of which a place has less than nothing left. */
static void narrow(carom_simulation *sim, int k, double low, double high)
{
    struct carom_hold_watch *w = sim->hold_watch;
    const double width = high - low, found = high;
    for (int n = 0; n < HALVINGS && high - low > 4 * DBL_EPSILON * high; n++) {
        const double half = 0.5 * (low + high);
        if (!take_inside(sim, half, w->inside))
            break;
        *(w->inside[k] < 0 ? &high : &low) = half;
    }
    if (w->found >= 0 && high >= w->at)
        return;
    w->found = k;
    w->at = high + BEHIND * (found - high);
    w->width = width;
}

/* Whether a part with a look into it hides no zero but one between its ends: a parabola through the three values does
   not go below the least of them by a quarter of their changes; those that pass zero lie nearly on a line. */
static bool is_clear(const struct carom_hold_watch *w, const double *a, const double *middle, const double *b)
{
    for (int k = 0; k < w->count; k++) {
        const double change = fabs(middle[k] - a[k]) + fabs(b[k] - middle[k]);
        const double off = fabs(middle[k] - a[k] - DIVIDED * (b[k] - a[k]));
        if (!w->asked[k] || change <= ROUNDING)
            continue;
        if (b[k] < 0 ? off > STRAIGHT * change : fmin(fmin(a[k], middle[k]), b[k]) < change)
            return false;
    }
    return true;
}

static bool narrow_all(carom_simulation *sim, double a, double b, const double *at_b)
{
    struct carom_hold_watch *w = sim->hold_watch;
    for (int k = 0; k < w->count; k++)
        if (w->asked[k] && at_b[k] < 0)
            narrow(sim, k, a, b);
    return w->found >= 0;
}

/* Looks for the first zero in a part of the step; false: there is none, or no more looks are left. `clear`: the whole
   that it is a part of is. */
static bool search(carom_simulation *sim, double a, const double *at_a, double b, const double *at_b, int depth,
                   bool clear)
{
    struct carom_hold_watch *w = sim->hold_watch;
    if (depth > DEEPEST)
        return narrow_all(sim, a, b, at_b);
    const double middle = a + DIVIDED * (b - a);
    double *const row = w->row[depth];
    if (w->looks == MOST_LOOKS || !(middle > a && middle < b) || !take_inside(sim, middle, row)) {
        w->searched = fmin(w->searched, a);
        return false;
    }
    w->looks++;
    const bool now = is_clear(w, at_a, row, at_b);
    if (depth >= w->sure && now && (clear || !w->twice))
        return narrow_all(sim, a, middle, row) || narrow_all(sim, middle, b, at_b);
    return search(sim, a, at_a, middle, row, depth + 1, now) || search(sim, middle, row, b, at_b, depth + 1, now);
}

/* What is left at both ends; false: it cannot be found. */
static bool take_ends(carom_simulation *sim, double begin, double end)
{
    struct carom_hold_watch *w = sim->hold_watch;
    double *const former = w->before;
    const bool goes_on = w->one && w->end == begin;
    w->again = begin == w->begin ? w->again + 1 : 0;
    w->before = w->first;
    w->first = former;
    w->begin_before = w->begin;
    w->begin = begin;
    w->end = end;
    w->one = true;
    w->scale = goes_on && begin > w->begin_before ? (end - begin) / (begin - w->begin_before) : HUGE_VAL;
    take(sim, sim->d, w->first);
    return take_end(sim, end, w->last);
}

bool carom_holds_missed(carom_simulation *sim)
{
    struct carom_hold_watch *w = sim->hold_watch;
    const double begin = sim->integrator->t_before, last = sim->integrator->t;
    if (!w || sim->taken || !(last > begin) || !any_holds(sim) || !take_ends(sim, begin, last))
        return false;
    const bool known = isfinite(w->scale), is_long = carom_step_looks(sim, last - begin) > 0;
    bool asks = false, near = false;
    for (int k = 0; k < w->count; k++) {
        const bool between = w->first[k] > 0 && w->last[k] > 0 && holds(sim, k), comes = known && comes_near(w, k);
        w->asked[k] = between && (comes || !known || is_long);
        asks = asks || w->asked[k];
        near = near || (between && comes);
    }
    w->twice = near && (w->scale > MUCH_LONGER || is_long);
    w->sure = w->twice ? SURE_LONG : near ? SURE : SURE_ALONE;
    w->looks = 0;
    w->found = -1;
    w->searched = last;
    if (!asks || w->again >= MOST_AGAIN)
        return false;
    if (!search(sim, begin, w->first, last, w->last, 0, false)) {
        w->at = fmax(w->searched, begin + LEAST_SHARE * (last - begin));
        w->width = last - begin;
    }
    if (!((w->found >= 0 || w->looks == MOST_LOOKS) && w->at < last))
        return false;
    w->stop = w->at;
    return true;
}

double carom_holds_stop(const carom_simulation *sim)
{
    return sim->hold_watch ? sim->hold_watch->stop : HUGE_VAL;
}

void carom_holds_stop_at(carom_simulation *sim, double time) { sim->hold_watch->stop = time; }

bool carom_holds_arrived(carom_simulation *sim)
{
    struct carom_hold_watch *w = sim->hold_watch;
    if (!w || *sim->s.time < w->stop)
        return false;
    w->stop = HUGE_VAL;
    *sim->s.first_step = FIRST * w->width;
    return true;
}
