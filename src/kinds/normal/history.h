/* Elastic laws with memory: the branches that they share. A law gives its virgin curve and the permanent indentation
   that a turn leaves; un- and reloading is in all of them

     Fe = F_m u^n, u = (delta - delta_p)/(delta_m - delta_p)

   between delta_p and delta_m, zero below. docs/theory/memory.md. */
#ifndef CAROM_HISTORY_H
#define CAROM_HISTORY_H

#include <float.h>
#include "kinds/normal/law.h"

/* Branches, the value of history[CAROM_HISTORY_BRANCH]. */
enum {
    CAROM_HISTORY_LOADING,   /* on the virgin curve, ends where the rate falls through zero */
    CAROM_HISTORY_UNLOADING, /* un- and reloading, ends at delta_m and at delta_p */
    CAROM_HISTORY_FREE       /* below delta_p, no force, ends at delta_p */
};

/* The numbers of an episode; all zero on the first loading. */
enum {
    CAROM_HISTORY_BRANCH,
    CAROM_HISTORY_DEEPEST,   /* delta_m, where the last turn was [m] */
    CAROM_HISTORY_PERMANENT, /* delta_p [m] */
    CAROM_HISTORY_PEAK,      /* F_m, the force at delta_m [N] */
    CAROM_HISTORY_NUMBERS
};

_Static_assert(CAROM_HISTORY_NUMBERS <= CAROM_LAW_HISTORY, "the numbers fit the history variables of a law");

/* Least part of the indentation over which unloading is resolved by numbers. */
#define CAROM_HISTORY_LEAST_SPAN 1e-12

/* Virgin curve at delta > 0: force, slope, recoverable energy, loss; *permanent is the delta_p of a turn here [m]. */
typedef void (*carom_virgin_curve)(const double *c, double delta, carom_elastic_force *out, double *permanent);

static inline int carom_history_branch(const double *history)
{
    return history ? (int)history[CAROM_HISTORY_BRANCH] : CAROM_HISTORY_LOADING;
}

/* y^(n - 1), y > 0. */
static inline double carom_history_power(double y, double n) { return n == 1.5 ? sqrt(y) : n == 1 ? 1 : pow(y, n - 1); }

/* Force of a law with the virgin curve and the exponent n of its unloading. Each branch continues beyond its end, but
   never pulls. */
static inline void carom_history_force(carom_virgin_curve virgin, double n, const double *c, const double *history,
                                      double delta, carom_elastic_force *out)
{
    const int branch = carom_history_branch(history);
    *out = (carom_elastic_force){0};
    if (branch == CAROM_HISTORY_LOADING) {
        double permanent;
        if (delta > 0)
            virgin(c, delta, out, &permanent);
    } else if (branch == CAROM_HISTORY_UNLOADING) {
        const double lift = delta - history[CAROM_HISTORY_PERMANENT];
        const double span = history[CAROM_HISTORY_DEEPEST] - history[CAROM_HISTORY_PERMANENT];
        if (!(lift > 0))
            return;
        const double u = lift / span, power = history[CAROM_HISTORY_PEAK] * carom_history_power(u, n);
        out->force = power * u;
        out->slope = n * power / span;
        out->energy = out->force * lift / (n + 1);
    }
}

/* Loading: the rate [m/s]. Un- and reloading: u (1 - u); without permanent indentation only 1 - u, since delta = 0 is
   the end of the contact. Free: 1 - delta/delta_p. */
static inline double carom_history_branch_event(const double *c, const double *history, double delta, double rate)
{
    (void)c;
    const double deepest = history[CAROM_HISTORY_DEEPEST], permanent = history[CAROM_HISTORY_PERMANENT];
    switch (carom_history_branch(history)) {
    case CAROM_HISTORY_LOADING:
        return rate;
    case CAROM_HISTORY_UNLOADING:
        if (!(permanent > 0))
            return (deepest - delta) / deepest;
        return (deepest - delta) / (deepest - permanent) * ((delta - permanent) / (deepest - permanent));
    default:
        return (permanent - delta) / permanent;
    }
}

/* The branch that follows at an end of the present one. A turn without indentation and a call at no end change nothing;
   delta_m never falls within an episode. */
static inline void carom_history_update(carom_virgin_curve virgin, const double *c, double *history, double delta,
                                        double rate)
{
    const double deepest = history[CAROM_HISTORY_DEEPEST], permanent = history[CAROM_HISTORY_PERMANENT];
    switch (carom_history_branch(history)) {
    case CAROM_HISTORY_LOADING: {
        carom_elastic_force peak;
        double left;
        if (!(delta >= DBL_MIN))
            return;
        const double turned = fmax(delta, deepest);
        virgin(c, turned, &peak, &left);
        history[CAROM_HISTORY_DEEPEST] = turned;
        history[CAROM_HISTORY_PERMANENT] = fmin(left, turned * (1 - CAROM_HISTORY_LEAST_SPAN));
        history[CAROM_HISTORY_PEAK] = peak.force;
        history[CAROM_HISTORY_BRANCH] = CAROM_HISTORY_UNLOADING;
        return;
    }
    case CAROM_HISTORY_UNLOADING: {
        const bool deep = deepest - delta < delta - permanent;
        if (deep && rate > 0)
            history[CAROM_HISTORY_BRANCH] = CAROM_HISTORY_LOADING;
        else if (!deep && rate < 0 && permanent > 0)
            history[CAROM_HISTORY_BRANCH] = CAROM_HISTORY_FREE;
        return;
    }
    default:
        if (rate > 0)
            history[CAROM_HISTORY_BRANCH] = CAROM_HISTORY_UNLOADING;
    }
}

/* ---- power law whose permanent indentation is a constant part of the greatest ---- */

/* Constants: K, n, the recoverable part 1 - q of the work, the part q = delta_p/delta_m. */
enum { CAROM_PLASTIC_STIFFNESS, CAROM_PLASTIC_EXPONENT, CAROM_PLASTIC_RECOVERED, CAROM_PLASTIC_LOST };

/* Refuses a recoverable part that leaves no room for the unloading between two doubles. */
static inline const char *carom_plastic_prepare(double stiffness, double exponent, double recovered, double lost,
                                                double *c)
{
    c[CAROM_PLASTIC_STIFFNESS] = stiffness;
    c[CAROM_PLASTIC_EXPONENT] = exponent;
    c[CAROM_PLASTIC_RECOVERED] = recovered;
    c[CAROM_PLASTIC_LOST] = lost;
    return recovered > CAROM_HISTORY_LEAST_SPAN
               ? NULL
               : "a restitution of 1e-6 or less ends the unloading within 1e-12 of the indentation, which "
                 "numbers do not resolve";
}

/* The same with the part of delta_m that a restitution e leaves, delta_p = delta_m (1 - e^2). */
static inline const char *carom_plastic_prepare_restitution(double stiffness, double exponent, double e, double *c)
{
    return carom_plastic_prepare(stiffness, exponent, e * e, (1 - e) * (1 + e), c);
}

/* K delta^n. The work of unloading F_m (delta_m - delta_p)/(n + 1) is the part 1 - q of the work of loading. */
static inline void carom_plastic_virgin(const double *c, double delta, carom_elastic_force *out, double *permanent)
{
    carom_power_force(c[CAROM_PLASTIC_STIFFNESS], c[CAROM_PLASTIC_EXPONENT], delta, out);
    out->energy *= c[CAROM_PLASTIC_RECOVERED];
    out->loss = c[CAROM_PLASTIC_LOST] * out->force;
    *permanent = c[CAROM_PLASTIC_LOST] * delta;
}

/* `force` and `advance` of these laws. */
static inline void carom_plastic_force(const double *c, const double *history, double delta, carom_elastic_force *out)
{
    carom_history_force(carom_plastic_virgin, c[CAROM_PLASTIC_EXPONENT], c, history, delta, out);
}

static inline void carom_plastic_update(const double *c, double *history, double delta, double rate)
{
    carom_history_update(carom_plastic_virgin, c, history, delta, rate);
}

#endif
