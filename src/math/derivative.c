/* Central differences of order 6, D(h) = (f' + O(h^6)) + O(rounding/h). A step h is good where D(h) agrees with that of
   a quarter of it, and with that of one a thousand times shorter, the probe, within the rounding of these: the second
   keeps from steps that agree because they lie beyond what bends, such as a contact that both have left. Each function
   takes the longest step that is good for it. The rounding of a function is what the differences of order 4 to 6 of
   its values at the probe leave, where smooth functions have none; if these fall with the step as well the function
   bends within the probe, and a shorter one is taken.
   Source: Fornberg 1988, Math. Comput. 51:699-706 (the weights); More and Wild 2011, SIAM J. Sci. Comput. 33:1292-1314
   (rounding from differences); Lepski 1991, Theory Probab. Appl. 35:454-466 (the longest step that agrees with all
   shorter ones). */
#include "math/derivative.h"

#include <float.h>
#include <math.h>
#include <stddef.h>

#define SIDES 6
static const double side[SIDES] = {-3, -2, -1, 1, 2, 3};
static const double weight[SIDES] = {-1 / 60.0, 9 / 60.0, -45 / 60.0, 45 / 60.0, -9 / 60.0, 1 / 60.0};

/* The probe's step, of the longest one; that of one after another, and how many there are. */
#define PROBE 1e-3
#define SHORTER 4
#define MOST 14
/* A probe whose rounding hides more than this, of what matters, is followed by a shorter one: so many times, and so
   often; it bends if its rounding is that much larger. */
#define HIDES 1e-6
#define SHORTER_PROBE 16
#define PROBES 6
/* Share of what the functions are sums of that rounding is not: a jump seems to be rounding. */
#define IMPLAUSIBLE 1e-8
#define BENT 12
/* The shortest step, of what x is rounded to: below it functions seem not to change. */
#define LEAST 64
/* What counts as agreeing: units of rounding, share of a derivative, and of the largest one. */
#define NOISES 8
#define AGREES 1e-7
#define OF_LARGEST 1e-12
/* A probe tells enough if its rounding is less than this, of what matters. */
#define TELLS 1e-6
/* Share of how far a function goes in the longest step that is no derivative. */
#define NONE_OF_WAY 1e-12
/* A derivative below these units of rounding is none, where the step is not the longest one. */
#define NONE 3

/* What is found for each function. */
typedef struct work {
    const carom_derivative *d;
    double *value[SIDES];
    double *probe, *noise;      /* derivative by the probe; rounding */
    double *now, *next;         /* by one step and the next one */
    double *kept;               /* rounding of a probe before */
    double *open;               /* what is open of the derivative that is taken; -1: it is good */
    double step;                /* of the probe */
    double largest, natural, least;
    bool unsure;                /* what seems to be rounding may be a jump */
    double none;                /* a derivative that is none beside how far the functions go in the longest step */
} work;

static bool evaluate(const work *w, double h)
{
    for (int i = 0; i < SIDES; i++)
        if (!w->d->evaluate(w->d->user, side[i] * h, w->value[i]))
            return false;
    return true;
}

static double difference(const work *w, int r, double h)
{
    double sum = 0;
    for (int i = 0; i < SIDES; i++)
        sum += weight[i] * w->value[i][r];
    return sum / h;
}

/* By the step; none where there are no values. */
static void differences(const work *w, double h, double *out)
{
    const bool found = evaluate(w, h);
    for (int r = 0; r < w->d->count; r++)
        out[r] = found ? difference(w, r, h) : (double)NAN;
}

/* Standard deviation of the rounding of a function by its seven values: differences of order n of independent values
   have n over 0 to n, squared and summed, times its square: 70, 252 and 924. */
static double rounding(const work *w, int r)
{
    double f[SIDES + 1], largest = 0, sum = 0;
    for (int i = 0; i <= SIDES; i++) {
        f[i] = i < 3 ? w->value[i][r] : i == 3 ? w->d->here[r] : w->value[i - 1][r];
        largest = fmax(largest, fabs(f[i]));
    }
    for (int order = 1; order <= SIDES; order++) {
        double squares = 0;
        for (int i = 0; i + order <= SIDES; i++) {
            f[i] = f[i + 1] - f[i];
            squares += f[i] * f[i] / (SIDES + 1 - order);
        }
        if (order >= 4)
            sum = fmax(sum, squares / (order == 4 ? 70 : order == 5 ? 252 : 924));
    }
    return fmax(sqrt(sum), 0.3 * DBL_EPSILON * largest);
}

static bool is_alike(const carom_derivative *d, int r) { return r >= d->from && r < d->from + d->alike; }

static bool probe(work *w, double h)
{
    w->step = h;
    w->largest = 0;
    if (!evaluate(w, h))
        return false;
    for (int r = 0; r < w->d->count; r++) {
        w->probe[r] = difference(w, r, h);
        w->noise[r] = fmax(rounding(w, r), is_alike(w->d, r) ? w->d->blur : 0);
        if (is_alike(w->d, r))
            w->largest = fmax(w->largest, fabs(w->probe[r]));
    }
    return true;
}

/* What matters of a function. */
static double size_of(const work *w, int r)
{
    return is_alike(w->d, r) ? fmax(w->largest, w->natural) : fabs(w->probe[r]);
}

static bool hides(const work *w, double share, int r)
{
    return NOISES * w->noise[r] / w->step > share * size_of(w, r);
}

/* How large the function is at the probe, or what it is the sum of. */
static double reach(const work *w, int r)
{
    double largest = fmax(fabs(w->d->here[r]), w->d->size);
    for (int i = 0; i < SIDES; i++)
        largest = fmax(largest, fabs(w->value[i][r]));
    return largest;
}

/* What of the probe that is taken matters: its rounding hides something, and is more than rounding can be, or falls
   with the step to that of the probe now. */
typedef struct verdict {
    bool hides, implausible, falls;
} verdict;

static verdict judge(const work *w, double taken)
{
    verdict out = {false, false, false};
    for (int r = w->d->from; r < w->d->from + w->d->alike; r++) {
        if (!(NOISES * w->kept[r] / taken > HIDES * size_of(w, r)))
            continue;
        out.hides = true;
        out.implausible = out.implausible || w->kept[r] > IMPLAUSIBLE * reach(w, r);
        out.falls = out.falls || w->kept[r] > BENT * w->noise[r];
    }
    return out;
}

static void keep(const work *w)
{
    for (int r = 0; r < w->d->count; r++)
        w->kept[r] = w->noise[r];
}

/* The longest probe within which nothing bends. */
static bool find_probe(work *w, double h)
{
    int n = 1;
    for (bool found = probe(w, h); !found; found = probe(w, h /= SHORTER_PROBE))
        if (n++ >= PROBES)
            return false; /* there are no values */
    verdict v;
    double taken = h;
    keep(w);
    for (v = judge(w, taken); v.hides && n < PROBES && w->step >= SHORTER_PROBE * w->least; n++) {
        if (!probe(w, w->step / SHORTER_PROBE))
            return false;
        v = judge(w, taken);
        if (v.falls) {
            taken = w->step;
            keep(w);
            v = judge(w, taken);
        } else if (!v.implausible)
            break;
    }
    w->unsure = v.implausible && w->step < taken;
    return w->step == taken || probe(w, taken);
}

static bool agree(const work *w, int r, double a, double b, double h)
{
    const double allowed = NOISES * w->noise[r] / h + AGREES * fmax(fabs(a), fabs(b)) +
                           (is_alike(w->d, r) ? OF_LARGEST * w->largest : 0);
    return fabs(a - b) <= allowed;
}

static void add_doubt(const work *w, int r, double open, double *doubt)
{
    const bool alone = r == w->d->judged;
    const double size = fmax(alone ? fmax(fabs(w->now[r]), w->natural) : size_of(w, r), w->none);
    if ((alone || (w->d->judged < 0 && is_alike(w->d, r))) && size > 0)
        *doubt = fmax(*doubt, open / size);
}

/* Takes those of `now`, of step h, that are good, or better than what is there; `next` has a shorter step, NULL: the
   probe alone tells. Whether all are good. */
static bool take(const work *w, double h, bool longest, const double *next, double *out, double *doubt)
{
    bool all = true;
    for (int r = 0; r < w->d->count; r++) {
        if (w->open[r] < 0)
            continue;
        const bool probed = h >= SHORTER * w->step;
        const bool good = (!probed || agree(w, r, w->now[r], w->probe[r], w->step)) &&
                          (next ? agree(w, r, w->now[r], next[r], h / SHORTER) : !hides(w, TELLS, r));
        double open = fabs(w->now[r] - (next ? next[r] : w->probe[r])) + w->noise[r] / h;
        if (next && probed)
            open = fmax(open, fabs(w->now[r] - w->probe[r]) - NOISES * w->noise[r] / w->step);
        if (good || open < w->open[r]) {
            out[r] = !longest && fabs(w->now[r]) < NONE * w->noise[r] / h ? 0 : w->now[r];
            w->open[r] = good ? -1 : open;
        }
        if (good && (!longest || w->unsure))
            add_doubt(w, r, next ? open : w->noise[r] / h, doubt);
        all = all && w->open[r] < 0;
    }
    return all;
}

bool carom_derivative_find(const carom_derivative *d, double h, double rounded, double natural, double *out,
                           double *doubt)
{
    work w = {.d = d, .natural = natural, .least = LEAST * rounded};
    double **const room[] = {&w.value[0], &w.value[1], &w.value[2], &w.value[3], &w.value[4], &w.value[5],
                             &w.probe,    &w.noise,    &w.now,      &w.next,     &w.kept,     &w.open};
    for (int k = 0; k < (int)(sizeof room / sizeof *room); k++)
        *room[k] = d->room + k * d->count;
    if (!find_probe(&w, fmin(h, fmax(PROBE * h, w.least))))
        return false;
    for (int r = 0; r < d->count; r++) {
        w.open[r] = HUGE_VAL;
        out[r] = w.probe[r];
    }
    differences(&w, h, w.now);
    for (int r = d->from; r < d->from + d->alike; r++)
        w.none = fmax(w.none, isfinite(w.value[0][r]) ? NONE_OF_WAY * fabs(w.value[0][r] - d->here[r]) / h : 0);
    bool all = take(&w, h, true, NULL, out, doubt);
    for (int n = 0; n < MOST && !all && h >= SHORTER * w.least; n++, h /= SHORTER) {
        differences(&w, h / SHORTER, w.next);
        all = take(&w, h, n == 0, w.next, out, doubt);
        double *const kept = w.now;
        w.now = w.next;
        w.next = kept;
    }
    for (int r = d->from; r < d->from + d->alike; r++)
        if (w.open[r] > 0)
            add_doubt(&w, r, w.open[r], doubt);
    return true;
}
