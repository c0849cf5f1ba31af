/* The free direct impact of a normal law: m delta'' = -F from delta = 0 with the rate v0, no other force, m the
   effective mass. One solver for `carom impact`, the expectations of `carom check` and the diagnostics of a run: by the
   first integral of the motion where the law is Fe(1 + A rate/v0) with any elastic part, or has history and no damping
   (first_integral.h), else by integration (impact_motion.c). */
#ifndef CAROM_FREE_IMPACT_H
#define CAROM_FREE_IMPACT_H

#include "law/normal_law.h"

typedef struct carom_free_impact {
    const carom_normal_law *law;
    double mass, speed;         /* m [kg], v0 [m/s], both > 0 */
    double tolerance;           /* of the integration */
    bool integrate;             /* in any case */
    bool brief;                 /* achieved restitution and greatest indentation suffice */
} carom_free_impact;

typedef enum carom_free_end {
    CAROM_FREE_PARTED,          /* the indentation is zero again */
    CAROM_FREE_RESTS,           /* the body comes to rest in the contact, or creeps out of it without end */
    CAROM_FREE_BEYOND_LIMIT,    /* it goes beyond the indentation up to which the elastic part holds */
    CAROM_FREE_UNFINISHED       /* the integration was given up */
} carom_free_end;

typedef struct carom_free_solution {
    carom_free_end end;
    bool exact;                 /* by the first integral */
    double factor;              /* A of Fd = Fe A rate/v0, v0 the speed of this impact; NAN of other forms */
    double achieved_restitution;        /* speed of separation over v0; NAN unless parted, as the following */
    double loss;                /* 1 - achieved_restitution^2, accurate where it is small */
    double duration;            /* from onset to the end of the force [s] */
    double duration_to_zero;    /* from onset to indentation 0 [s] */
    double max_indentation;     /* [m]; the limit where the impact goes beyond it */
    double peak_force;          /* [N] */
    double peak_indentation, peak_rate; /* [m], [m/s] at the greatest force */
    double time;                /* that was integrated [s] */
    double end_indentation;     /* of the first integral: where the force ends for good [m] */
    double history[2][CAROM_LAW_HISTORY];        /* likewise: in compression and in restitution */
} carom_free_solution;

/* Motion at the ends of the steps of an integration, in a block of `ctx`; starts as {0} with ctx set. */
typedef struct carom_free_point {
    double time, delta, rate, force;    /* [s], [m], [m/s], [N] */
} carom_free_point;

typedef struct carom_free_points {
    carom_context *ctx;
    carom_free_point *items;
    size_t count, capacity;
} carom_free_points;

/* Solves the impact. `points` takes the motion of an integration; NULL: not wanted. Errors: CAROM_ERROR_MEMORY, of the
   points alone. */
carom_status carom_free_impact_solve(const carom_free_impact *impact, carom_free_points *points,
                                     carom_free_solution *out);

/* Motion at `count` >= 3 instants from onset to the end of the force: time [s], indentation [m], rate [m/s], force [N];
   by the first integral close where the motion turns, with the greatest indentation among them if `count` is odd, else
   in equal steps of the time between the points. */
void carom_free_impact_motion(const carom_free_impact *impact, const carom_free_solution *solution,
                              const carom_free_points *points, size_t count, double *time, double *delta, double *rate,
                              double *force);

void carom_free_points_free(carom_free_points *points);

/* The integration behind it (impact_motion.c). */
carom_status carom_free_impact_integrate(const carom_free_impact *impact, carom_free_points *points,
                                         carom_free_solution *out);

#endif
