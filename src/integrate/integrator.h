/* Integrators: methods that advance y' = f(t, y) by one step, stop where asked, find roots and interpolate. Those of
   SUNDIALS go through sundials.c, the only file that knows that library; fixed-step ones through fixed_step.c. */
#ifndef CAROM_INTEGRATOR_H
#define CAROM_INTEGRATOR_H

#include "base/base.h"
#include "kinds/kind.h"

/* The equations (I - gamma J) x = b of Newton's method, J the derivatives of the rates by y. `user` is that of the
   system; results as of its callbacks. `evaluate` takes the derivatives at (t, y), `factor` makes the matrix of those
   last taken, and `solve` puts x in the place of b; none takes memory. */
typedef struct carom_ode_newton {
    int (*evaluate)(void *user, double t, const double *y);
    int (*factor)(void *user, double gamma);
    void (*solve)(void *user, double *b);
    /* The same for methods that hold the constraints on the positions (index 3), where a change dv of the velocities
       moves the positions by `move` dv: factors
           (1 - gamma J_v - gamma move J_q) x - M^-1 J^T dp = b,      J dv = -pull Phi - hold Phi',
       and solves them at the state of the last rates: of b, which begins with the velocities, only the numbers that
       rates depend on count; `impulse` is p, one number a row, whose M^-1 J^T p is no part of b. */
    int (*factor_held)(void *user, double gamma, double move);
    void (*solve_held)(void *user, double *b, double *impulse, double pull, double hold);
} carom_ode_newton;

/* Positions or velocities of a part at most. */
#define CAROM_PART_NUMBERS 512

/* A step whose parts are gone through one by one. */
typedef struct carom_flow {
    const carom_ode *ode;
    const double *y, *f;        /* state and rates at its begin */
    double *f_new, *work, *y_new;
    double h;
    int changed, failed;
    void (*advance)(void *flow, int k); /* a part to the step's end */
    void (*correct)(void *flow, int k); /* its velocities, once its forces are known */
    void (*predict)(void *flow, int k); /* the velocities that `correct` has replaced, again */
} carom_flow;

/* Parts of the bodies whose positions move by their own velocities alone, for methods that go through them one by one
   and so find near what they need next. */
typedef struct carom_ode_parts {
    int count;                  /* 0: there are none */
    /* The positions and velocities of part k: those from `first` to before `end`, counted from the first of each. */
    void (*range)(void *user, int k, int *first_q, int *end_q, int *first_v, int *end_v);
    /* Rates of the positions; all arrays begin with the part. */
    int (*position_rate)(void *user, int k, const double *q, const double *v, double *rate);
    /* The positions of a step are there; may change them within rounding. `arrive` follows when all are. */
    void (*reached)(void *user, int k, double *y);
    /* Rates of the velocities, which `arrive` leaves out; then the velocities are there. */
    int (*velocity_rate)(void *user, int k, double *rate);
    void (*corrected)(void *user, int k, const double *y);
    /* Whether `arrive`, which is called next, advances and corrects all parts, each when its neighbours are near. */
    bool (*take)(void *user, const carom_flow *flow);
    /* Whether it has; then what became of it is in `flow`. */
    bool (*taken)(const void *user, carom_flow *flow);
} carom_ode_parts;

/* The system to integrate. Callbacks return 0, a positive value (recoverable: try a smaller step) or a negative one. */
struct carom_ode {
    void *user;
    int size;                   /* length of y */
    int left_out;               /* numbers that it lacks since the last restart: they stand still (`shortens`) */
    int position_count, velocity_count; /* y begins with the positions, then the velocities */
    int coupled_count;          /* numbers of y, from the first, that any rate depends on; the rest are integrals */
    int threads;                /* that may share loops over y */
    bool arrive_leaves_positions;       /* the rates of `arrive` lack those of the positions */
    carom_ode_parts parts;      /* for methods that correct; they call all of its functions */
    int root_count;             /* greatest number of root functions */
    int (*rhs)(void *user, double t, const double *y, double *rate);
    int (*roots)(void *user, double t, const double *y, double *values);
    int (*position_rate)(void *user, const double *q, const double *v, double *rate);   /* of the positions alone */
    /* Called by fixed-step methods with each new state for its rates, in place of rhs: between t_before and t, of which
       the states y_before and y. May change y within rounding (unit quaternions). May be NULL. */
    int (*arrive)(void *user, double t_before, const double *y_before, double t, double *y, double *rate);
    /* Moves y onto the constraints; `error` (may be NULL) is the error estimate to project along. May be NULL. */
    int (*project)(void *user, double t, double *y, double *error);
    /* A whole step over h from (t, y) with rates f, impulses of rigid contacts included; NULL: of other methods. */
    int (*leap)(void *user, double t, const double *y, const double *f, double h, double *y_new);
    carom_ode_newton newton;    /* for implicit methods; NULL: they take differences of rhs */
    int row_count;              /* constraints on the positions, for methods that hold them; 0: there are none */
    /* At the state of the last rates pull Phi + hold Phi', J (row by row over the velocities), and M^-1 J^T
       (column by column). */
    int (*rows)(void *user, double pull, double hold, double *phi, double *jacobian, double *answer);
    void (*retract)(void *user, const double *step, double *q); /* moves positions along a step in velocities; NULL: it
                                                                   is added to them */
    void (*difference)(void *user, const double *from, const double *to, double *step); /* the inverse of that */
    /* For methods with multipliers of their own for positions and velocities, NULL where there are no rows: decomposes
       rows, which are those of the last rates; then x is the least of the velocities, by their masses, whose J x is b,
       which is destroyed. And which rows hold velocities alone, set by the former. */
    int (*decompose)(void *user, const double *jacobian);
    void (*least)(void *user, double *b, double *x);
    const bool *rate_rows;
    /* For passages of singular positions, NULL: there are none. The weakest pivot of the rows at the last rates; as
       project, of the states that the passage asks for; and what begins and ends one, which may be NULL. */
    double (*weakest)(void *user);
    int (*close)(void *user, double t, double *y, double *error);
    void (*passes)(void *user, bool begins);
    bool keeps_step;            /* of methods that hold the constraints: the largest step is their step */
    double spectral_radius, hht_alpha;  /* parameters of these methods */
    const double *rounding;     /* of each number, which changes with restarts; may be NULL */
    double integral_share;      /* what integrals may be off by, of themselves */
    bool touches;               /* contacts may begin and end */
    /* Keeps what holds the constraints as it is at the present state, for the stages of a step of that length [s] that
       begins there; 0: no longer; less: as it was kept last. NULL: nothing holds them. */
    void (*hold)(void *user, double step);
    double longest_hold;        /* longest of these steps [s] */
    double *memory;             /* CAROM_INTEGRATOR_MEMORY numbers that a method keeps from restart to restart, a part
                                   of the state, 0 at the start of a run; may be NULL */
};

/* Numbers of the system, over which norms are means. */
static inline int carom_ode_whole(const carom_ode *ode) { return ode->size + ode->left_out; }

/* Where the last right-hand side of a step was evaluated. */
typedef enum carom_step_rates {
    CAROM_RATES_ELSEWHERE,
    CAROM_RATES_PREDICTED,      /* at its end, with velocities that were corrected afterwards */
    CAROM_RATES_AT_END          /* at the time and the state that the step ended with */
} carom_step_rates;

/* What every integrator begins with. */
struct carom_integrator {
    carom_context *ctx;
    const carom_integrator_kind *kind;
    carom_ode ode;
    double t, t_before;         /* the last step went from t_before to t */
    double next_step;           /* [s] that a one-step method proposes after that step; 0: none */
    double stiffness;           /* h rho of that step as its last stages show it, of a one-step method; 0: not known */
    int order;                  /* of the method in that step, where it varies */
    int method;                 /* in that step, of kind->methods */
    carom_step_rates rates;     /* of that step */
    double *y;                  /* state at t */
    int *root_found;            /* after CAROM_STEP_ROOT: which roots changed sign */
    char message[256];          /* after CAROM_STEP_FAILED */
    uint64_t evaluations;       /* of the right-hand side by the method, those of Jacobians included */
    /* Set by the caller before a restart: the rates at its state, read within it; NULL: they are not known. */
    const double *known;
    /* Set by the caller, of methods that map (carom_integrator_maps): before a restart the root of the time since
       `opened` in which the motion is smooth, before a step the root of the time until `closes`, which is not before
       its stop; 0, 1: the time itself. Up to the time `scale` from there steps are rather those of the root. */
    bool onset;                 /* before a restart: a contact begins there */
    int opening, closing;
    double opened, closes, scale;
};

#define CAROM_KIND(symbol) extern const carom_integrator_kind carom_integrator_##symbol;
#include "integrate/integrator/integrator.def"
#undef CAROM_KIND

/* Whether the next step may be made in a root of the time. */
static inline bool carom_integrator_maps(const carom_integrator *self)
{
    return self->kind->maps_now ? self->kind->maps_now(self) : self->kind->maps;
}

/* ---- where a root function crosses zero: crossing.c ---- */

/* A step whose root functions are known at its begin; `reach` makes it with a length h and puts those of its end into
   `now`, not 0: it cannot. A value that is zero at the begin does not count. */
typedef struct carom_crossing {
    int count;
    const int *direction;
    const double *before;
    double *now;
    int (*reach)(void *user, double h);
    void *user;
} carom_crossing;

bool carom_crossing_of(const carom_crossing *crossing, int k, const double *now);
int carom_crossing_first(const carom_crossing *crossing, const double *now);
/* Shortens the step of length h, whose end is in `now` and behind a crossing, until the earliest one lies within
   rounding of its end, which was reached last. Returns the length, or a negative number on failure. */
double carom_crossing_locate(const carom_crossing *crossing, double t, double h);

/* ---- methods of Newmark's family for index 3: newmark.c ---- */

carom_status carom_newmark_create(carom_context *ctx, const carom_integrator_kind *kind, const carom_ode *ode,
                                  double alpha_m, double alpha_f, carom_integrator **out);
void carom_newmark_destroy(carom_integrator *self);
bool carom_newmark_restart(carom_integrator *self, double t, const double *y, double relative, const double *tolerance,
                           const int *direction, double first_step, double max_step);
carom_step_result carom_newmark_step(carom_integrator *self, double stop);
bool carom_newmark_interpolate(carom_integrator *self, double t, int count, double *y);

/* ---- the adapter of SUNDIALS ---- */

carom_status carom_cvode_create(carom_context *ctx, const carom_integrator_kind *kind, const carom_ode *ode, bool stiff,
                                carom_integrator **out);
void carom_cvode_destroy(carom_integrator *self);
bool carom_cvode_restart(carom_integrator *self, double t, const double *y, double relative, const double *tolerance,
                         const int *direction, double first_step, double max_step);
carom_step_result carom_cvode_step(carom_integrator *self, double stop);
/* Until the next restart BDF lowers its order where it is at its limit of stability. */
void carom_cvode_watch_stability(carom_integrator *self);
bool carom_cvode_interpolate(carom_integrator *self, double t, int count, double *y);

carom_status carom_erkode_create(carom_context *ctx, const carom_integrator_kind *kind, const carom_ode *ode,
                                 carom_integrator **out);
void carom_erkode_destroy(carom_integrator *self);
bool carom_erkode_restart(carom_integrator *self, double t, const double *y, double relative, const double *tolerance,
                         const int *direction, double first_step, double max_step);
carom_step_result carom_erkode_step(carom_integrator *self, double stop);
bool carom_erkode_interpolate(carom_integrator *self, double t, int count, double *y);

/* Stabilised index 2 by IDA: sundials_ida.c; of the constraint method ggl, in no list. */
extern const carom_integrator_kind carom_integrator_ggl;

/* ---- fixed steps ---- */

/* Dopri5 with states that ode.project closes at each evaluation: closing.c; in no list. Of analysis kinematics, and of
   constraint methods that ask for it. */
extern const carom_integrator_kind carom_integrator_kinematic, carom_integrator_closing;

/* A method in whose place Dopri5 steps over singular positions: passing.c; in no list. Of implicit methods that keep
   the constraints on the positions. */
carom_status carom_passing_create(carom_context *ctx, const carom_integrator_kind *kind, const carom_ode *ode,
                                  carom_integrator **out);

carom_status carom_fixed_create(carom_context *ctx, const carom_integrator_kind *kind, const carom_ode *ode,
                                carom_integrator **out);
void carom_fixed_destroy(carom_integrator *self);
bool carom_fixed_restart(carom_integrator *self, double t, const double *y, double relative, const double *tolerance,
                         const int *direction, double first_step, double max_step);
carom_step_result carom_fixed_step(carom_integrator *self, double stop);
bool carom_fixed_interpolate(carom_integrator *self, double t, int count, double *y);

#endif
