/* Beginnings and ends of contacts along a prescribed motion. Gaps are functions of the time alone, which can be asked
   for at any instant. Between two instants no gap has a zero
     where both are further away than the surfaces can come at their speeds, or
     where the cubic through gaps and rates has none, and its error in the middle is a small share of its distance
     from 0; a line where a gap does not change by its rate.
   Else the middle divides the time, until two instants are as near as can be told apart. */
#include "analysis/inverse_dynamics/inverse.h"
#include "math/hermite.h"

#include <math.h>

/* Distance of two instants with a beginning or an end between them, of the length of the run. */
#define RESOLUTION 1e-13
/* Indentation of a contact that begins, of the model's length: above what closed positions leave. */
#define TOUCHING 1e-12
/* Share of the distance from 0 by which the cubic may be wrong in the middle. */
#define TRUSTED 0.1
/* Points of the surfaces may come to be nearest that move faster than those that are so. */
#define FASTER 2.0
/* Halvings of a time, and instants that are looked at in one. */
#define LEVELS 60
#define INSTANTS 400

/* One instant: of each contact. */
typedef struct instant {
    double t;
    double *value;              /* gap, less the indentation at which a contact begins; falls through 0 there [m] */
    double *rate;               /* [m/s] */
    double *speed;              /* greatest of the surfaces towards each other [m/s] */
} instant;

struct carom_inverse_search {
    carom_inverse_mark mark;
    instant at[LEVELS + 2];     /* where the search is; ends that are still to be reached, the nearest last */
    int instants;
};

carom_status carom_inverse_search_create(carom_analysis *a, const carom_inverse *w, carom_inverse_search **out)
{
    const size_t n = (size_t)w->m->contact_count;
    carom_inverse_search *of = *out = carom_arena_alloc(&a->arena, 1, sizeof **out);
    if (!of)
        return carom_fail_memory(a->ctx);
    for (int k = 0; k < LEVELS + 2; k++) {
        double *numbers = carom_arena_alloc(&a->arena, 3 * n, sizeof *numbers);
        if (!numbers)
            return carom_fail_memory(a->ctx);
        of->at[k] = (instant){.value = numbers, .rate = numbers + n, .speed = numbers + 2 * n};
    }
    return carom_inverse_mark_create(a, w, &of->mark);
}

void carom_inverse_search_free(carom_inverse_search *search)
{
    if (search)
        carom_inverse_mark_free(&search->mark);
}

/* Gap as a function that changes its sign: below 0 a contact is open. One that is open ends at the gap 0. */
static double value_of(const carom_model *m, const carom_episode *e, double gap)
{
    return e->open ? gap : gap + TOUCHING * m->length_scale;
}

bool carom_inverse_turns(const carom_model *m, const carom_episode *e, double gap)
{
    return (value_of(m, e, gap) < 0) != (e->open != 0);
}

/* Fills an instant from the poses of the evaluation. */
static void look(const carom_inverse *w, instant *out)
{
    const carom_model *m = w->m;
    out->t = *w->s->time;
    for (int k = 0; k < m->contact_count; k++) {
        const carom_body_pose *i = &w->d->pose[carom_contact_body(m, k, 0)],
                              *j = &w->d->pose[carom_contact_body(m, k, 1)];
        carom_contact_point p = {.gap = 0};
        carom_contact_geometry_at(m, NULL, k, i, j, &p);
        out->value[k] = value_of(m, &w->s->located[k], p.gap);
        out->rate[k] = p.gap_rate;
        out->speed[k] = carom_v3_norm(carom_v3_sub(j->v, i->v)) + carom_v3_norm(i->w) * carom_v3_norm(p.arm_i) +
                        carom_v3_norm(j->w) * carom_v3_norm(p.arm_j);
    }
}

static carom_status look_at(carom_inverse *w, carom_inverse_search *of, double t, instant *out)
{
    CAROM_TRY(carom_inverse_go_back(w, &of->mark));
    CAROM_TRY(carom_inverse_move(w, t));
    carom_state_pose(w->d, w->s);
    look(w, out);
    of->instants++;
    return CAROM_OK;
}

/* ---- between two instants ---- */

static bool alike(const instant *a, const instant *b, int k) { return (a->value[k] < 0) == (b->value[k] < 0); }

/* The first contact whose gap changes its sign, -1: none. */
static int changed(const carom_inverse *w, const instant *a, const instant *b)
{
    for (int k = 0; k < w->m->contact_count; k++)
        if (!alike(a, b, k))
            return k;
    return -1;
}

/* The surfaces of a contact are too far away from an indentation, or too deep for a release. */
static bool out_of_reach(const instant *a, const instant *b, int k)
{
    const double way = FASTER * (b->t - a->t) * fmax(a->speed[k], b->speed[k]);
    return alike(a, b, k) && fmin(fabs(a->value[k]), fabs(b->value[k])) > way;
}

static carom_hermite cubic(const instant *a, const instant *b, int k)
{
    return carom_hermite_between(b->t - a->t, a->value[k], a->rate[k], b->value[k], b->rate[k]);
}

/* Least distance of the cubic from 0; negative where it changes its sign. */
static double distance(const instant *a, const instant *b, int k)
{
    const carom_hermite between = cubic(a, b, k);
    const double sign = a->value[k] < 0 ? -1 : 1;
    /* its derivative by x: c + d x + e x^2 */
    const double c = between.b, d = 2 * between.c, e = 3 * between.d;
    double least = fmin(sign * a->value[k], sign * b->value[k]);
    const double root = sqrt(fmax(d * d - 4 * c * e, 0)), q = -0.5 * (d + copysign(root, d));
    const double extreme[] = {q != 0 ? c / q : -1, e != 0 ? q / e : -1};
    for (int n = 0; n < 2; n++)
        if (extreme[n] > 0 && extreme[n] < 1)
            least = fmin(least, sign * carom_hermite_value(&between, extreme[n]));
    return least;
}

/* Whether a gap changes by its rates, and not by jumps: places of a patch that are not there have a gap of 0. */
static bool moves_by_rates(const instant *a, const instant *b, int k)
{
    const double h = b->t - a->t, most = fmax(fabs(a->rate[k]), fabs(b->rate[k]));
    return fabs(b->value[k] - a->value[k] - 0.5 * h * (a->rate[k] + b->rate[k])) <= 0.5 * h * most;
}

/* Whether a line through the ends is trusted. */
static bool on_line(const instant *a, const instant *middle, const instant *b, int k, double x)
{
    const double least = fmin(fabs(middle->value[k]), fmin(fabs(a->value[k]), fabs(b->value[k])));
    return fabs(a->value[k] + x * (b->value[k] - a->value[k]) - middle->value[k]) < TRUSTED * least;
}

/* Whether the cubics tell that nothing happens between a and b; `middle` lies between them. */
static bool nothing_between(const carom_inverse *w, const instant *a, const instant *middle, const instant *b)
{
    for (int k = 0; k < w->m->contact_count; k++) {
        if (out_of_reach(a, b, k))
            continue;
        const double x = (middle->t - a->t) / (b->t - a->t);
        if (!alike(a, b, k) || !alike(a, middle, k))
            return false;
        const carom_hermite between = cubic(a, b, k);
        const double off = fabs(carom_hermite_value(&between, x) - middle->value[k]);
        if (moves_by_rates(a, b, k) ? !(off < TRUSTED * distance(a, b, k))
                                    : !on_line(a, middle, b, k, x))
            return false;
    }
    return true;
}

/* ---- the search ---- */

/* A contact of which it is not known that nothing happens. */
static int unknown(const carom_inverse *w, const instant *a, const instant *b)
{
    for (int k = 0; k < w->m->contact_count; k++)
        if (!out_of_reach(a, b, k))
            return k;
    return -1;
}

/* From the first instant to the one behind it. */
static carom_status search(carom_inverse *w, carom_inverse_search *of, carom_inverse_event *out)
{
    instant *const a = &of->at[0];
    const double least = RESOLUTION * (of->at[1].t - a->t + of->at[1].t);
    for (int top = 1; top > 0;) {
        instant *const b = &of->at[top], swapped = *a;
        const double middle = 0.5 * (a->t + b->t);
        const int suspect = unknown(w, a, b), first = changed(w, a, b);
        const bool spent = of->instants >= INSTANTS;
        if (suspect >= 0 && !spent && b->t - a->t > least && top <= LEVELS) {
            CAROM_TRY(look_at(w, of, middle, &of->at[top + 1]));
            if (!nothing_between(w, a, &of->at[top + 1], b)) {
                top++;
                continue;
            }
        } else if (first >= 0) {
            *out = (carom_inverse_event){.found = true, .before = a->t, .after = b->t};
        }
        if (suspect >= 0 && spent && w->missed < 0) {
            w->missed = suspect;
            w->missed_time = a->t;
        }
        if (out->found)
            return CAROM_OK;
        *a = *b; /* the end is the next beginning */
        *b = swapped;
        top--;
    }
    return CAROM_OK;
}

carom_status carom_inverse_next_event(carom_inverse *w, carom_inverse_search *of, double t, carom_inverse_event *out)
{
    *out = (carom_inverse_event){.found = false};
    if (!w->m->contact_count)
        return CAROM_OK;
    of->instants = 0;
    CAROM_TRY(carom_inverse_keep(w, &of->mark));
    look(w, &of->at[0]);
    carom_status status = look_at(w, of, t, &of->at[1]);
    if (status == CAROM_OK)
        status = search(w, of, out);
    const carom_status back = carom_inverse_go_back(w, &of->mark);
    return status == CAROM_OK ? back : status;
}
