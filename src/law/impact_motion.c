/* Free direct impacts by integration: the Rosenbrock method RODAS of order 4 with steps of its own choice, which serves
   stiff damping as well, and events that are located by steps that end at them.
   Source: Hairer and Wanner 1996, Solving Ordinary Differential Equations II, section IV.7 and code RODAS. */
#include "law/depth.h"
#include "law/free_impact.h"
#include "math/roots.h"

#include <math.h>
#include <string.h>

/* ---- the law along the motion ---- */

typedef struct motion {
    const carom_normal_law *law;
    double mass, v0;            /* v0 as the law sees it */
    double history[CAROM_LAW_HISTORY];
    bool off;                   /* the tension policy keeps the force at zero */
    bool pressed;               /* there has been a force */
} motion;

/* Where values that are positive along a branch of the motion fall through zero. */
enum {
    EVENT_GAP,                  /* the indentation */
    EVENT_TURN,                 /* the rate */
    EVENT_TENSION,              /* share by which the parts of the force differ in sign; while the force is off the
                                   opposite */
    EVENT_BRANCH,               /* the branch of a law with history */
    EVENT_PEAK,                 /* rate of the force */
    EVENTS
};

/* A point of the motion. */
typedef struct point {
    double time, delta, rate;
    double force, d_delta, d_rate;      /* as it acts, and its derivatives */
    double event[EVENTS];
} point;

/* Force and events at a point. At delta < 0, where trial steps come, the law is continued without a kink: as an odd
   function, of a law that may pull its damping part as an even one. */
static void evaluate(const motion *m, point *p)
{
    const carom_normal_law *law = m->law;
    const double side = p->delta >= 0 ? 1 : -1, depth = fabs(p->delta);
    const double mirrored = law->tension == CAROM_TENSION_ALLOW ? side : 1;
    carom_elastic_force elastic;
    carom_damping_force damping;
    CAROM_KIND_CALL(law->elastic, force, law->elastic_constants, law->elastic->history ? m->history : NULL, depth,
                    &elastic);
    carom_normal_damping(law, law->elastic_constants, depth, p->rate, m->v0, m->mass, mirrored * elastic.force,
                         elastic.slope, &damping);
    const double fe = side * elastic.force, fd = side * mirrored * damping.force, sum = fabs(fe) + fabs(fd);
    const double pull = sum > 0 ? (fe + fd) / sum * side : 1;
    p->force = m->off ? 0 : fe + fd;
    p->d_delta = m->off ? 0 : elastic.slope + mirrored * damping.d_delta;
    p->d_rate = m->off ? 0 : side * mirrored * damping.d_rate;
    p->event[EVENT_GAP] = p->delta;
    p->event[EVENT_TURN] = p->rate;
    p->event[EVENT_TENSION] = law->tension == CAROM_TENSION_ALLOW ? 1
                              : !m->off                           ? pull
                              : law->tension == CAROM_TENSION_CLIP || !m->pressed ? -pull
                                                                                   : 1;
    p->event[EVENT_BRANCH] =
        law->elastic->history
            ? CAROM_KIND_CALL(law->elastic, branch, law->elastic_constants, m->history, depth, p->rate)
            : 1;
    p->event[EVENT_PEAK] = m->off ? 1 : p->d_delta * p->rate - p->d_rate * p->force / m->mass;
}

/* ---- one step ---- */

#define GAMMA 0.25

static const double stage_a[5][5] = {
    {0},
    {1.544000000000000},
    {0.9466785280815826, 0.2557011698983284},
    {3.314825187068521, 2.896124015972201, 0.9986419139977817},
    {1.221224509226641, 6.019134481288629, 12.53708332932087, -0.6878860361058950}};
static const double stage_c[6][5] = {
    {0},
    {-5.668800000000000},
    {-2.430093356833875, -0.2063599157091915},
    {-0.1073529058151375, -9.594562251023355, -20.47028614809616},
    {7.496443313967647, -10.24680431464352, -33.99990352819905, 11.70890893206160},
    {8.083246795921522, -7.981132988064893, -31.52159432874371, 16.31930543123136, -6.058818238834054}};

/* The step h from p to q, which is evaluated; `error` are the estimates of delta and rate. */
static void step(const motion *m, const point *p, double h, point *q, double error[2])
{
    const double g = 1 / (h * GAMMA), k = p->d_delta / m->mass, c = p->d_rate / m->mass;
    const double determinant = g * (g + c) + k;
    double u[6][2];
    point at = *p;
    for (int i = 0; i < 6; i++) {
        double sum[2] = {0, 0};
        if (i < 5) {
            at.delta = p->delta;
            at.rate = p->rate;
        }
        for (int j = 0; j < i; j++) {
            const double a = i < 5 ? stage_a[i][j] : j == 4 ? 1 : 0;
            at.delta += a * u[j][0];
            at.rate += a * u[j][1];
            sum[0] += stage_c[i][j] / h * u[j][0];
            sum[1] += stage_c[i][j] / h * u[j][1];
        }
        if (i > 0)
            evaluate(m, &at);
        const double r0 = at.rate + sum[0], r1 = -at.force / m->mass + sum[1];
        u[i][0] = ((g + c) * r0 + r1) / determinant;
        u[i][1] = (g * r1 - k * r0) / determinant;
    }
    *q = at;
    q->time = p->time + h;
    q->delta += u[5][0];
    q->rate += u[5][1];
    error[0] = u[5][0];
    error[1] = u[5][1];
    evaluate(m, q);
}

/* ---- events ---- */

static bool fires(const point *p, const point *q, int event) { return p->event[event] > 0 && q->event[event] <= 0; }

/* Step from p, at most h, at whose end the value of an event is zero: Illinois' method between brackets. */
static double locate(const motion *m, const point *p, int event, double h, double value)
{
    carom_bracket b = {.high = h, .at_low = p->event[event], .at_high = value};
    for (int k = 0; k < 100 && b.high - b.low > 1e-15 * h; k++) {
        const double at = carom_bracket_next(&b, k % 8 == 7);
        double unused[2];
        point q;
        step(m, p, at, &q, unused);
        if (q.event[event] == 0)
            return at;
        carom_bracket_take(&b, at, q.event[event]);
    }
    return b.high;
}

/* The first event within a step; EVENTS: none. *h becomes the step that ends at it. */
static int first_event(const motion *m, const point *p, const point *q, double *h)
{
    int first = EVENTS;
    const double whole = *h;
    for (int event = 0; event < EVENTS; event++) {
        if (!fires(p, q, event))
            continue;
        const double at = locate(m, p, event, whole, q->event[event]);
        /* the turn is also the end of the branch of loading, and may be the peak: the earlier in the list goes first */
        if (first == EVENTS || at < *h * (1 - 1e-12)) {
            first = event;
            *h = at;
        }
    }
    return first;
}

/* ---- the motion ---- */

/* Steps after which the integration is given up. */
#define MOST_STEPS 1000000
/* Durations of an elastic impact after which a contact that has not come to rest is given up. */
#define PATIENCE 1e5
/* Share of the impact velocity, and of the greatest indentation, below which a body rests. */
#define AT_REST 1e-12
/* Duration of an elastic Hertzian impact, in units of its depth over its speed. */
#define HERTZ_DURATION 2.9432
/* The local tolerance is this share of the tolerance. */
#define LOCAL_SHARE 0.01

typedef struct run {
    motion m;
    point at;
    double speed;               /* of the impact [m/s] */
    double force_end;           /* [s]; negative: the force acts */
    double scale, tolerance;
    carom_free_points *points;
    carom_free_solution *out;
} run;

static carom_status keep(run *r)
{
    carom_free_solution *out = r->out;
    const point *p = &r->at;
    r->m.pressed = r->m.pressed || p->force > 0;
    if (p->force > out->peak_force) {
        out->peak_force = p->force;
        out->peak_indentation = p->delta;
        out->peak_rate = p->rate;
    }
    out->max_indentation = fmax(out->max_indentation, p->delta);
    carom_free_points *points = r->points;
    if (!points)
        return CAROM_OK;
    CAROM_TRY(carom_grow(points->ctx, &points->items, &points->capacity, points->count + 1, sizeof *points->items));
    points->items[points->count++] = (carom_free_point){p->time, p->delta, p->rate, p->force};
    return CAROM_OK;
}

/* Error of a step over what is allowed. */
static double error_of(const run *r, const point *q, const double error[2])
{
    const double depth = fmax(fmax(fabs(r->at.delta), fabs(q->delta)), 0.1 * r->out->max_indentation);
    const double rate = fmax(fmax(fabs(r->at.rate), fabs(q->rate)), 1e-4 * r->speed);
    return fmax(fabs(error[0]) / depth, fabs(error[1]) / rate) / r->tolerance;
}

/* What changes at an event at which the motion stands. */
static void pass(run *r, int event)
{
    motion *m = &r->m;
    point *p = &r->at;
    const carom_elastic_kind *elastic = m->law->elastic;
    if (event == EVENT_GAP)
        p->delta = 0;
    if (event == EVENT_TURN)
        p->rate = 0;
    if (event == EVENT_TENSION)
        m->off = !m->off;
    /* loading ends where the rate is zero */
    if (elastic->history && (event == EVENT_BRANCH || event == EVENT_TURN))
        CAROM_KIND_CALL(elastic, update, m->law->elastic_constants, m->history, fmax(p->delta, 0), p->rate);
    evaluate(m, p);
    if (event == EVENT_TENSION)
        r->force_end = m->off ? p->time : -1;
    else if (event == EVENT_BRANCH)
        r->force_end = p->force > 1e-9 * r->out->peak_force ? -1 : p->time;
}

/* One accepted step, with an event at its end. False where steps have become too short. */
static bool advance(run *r, double *h, int *event)
{
    for (;;) {
        point q;
        double error[2], used = *h;
        step(&r->m, &r->at, used, &q, error);
        double wrong = error_of(r, &q, error);
        *event = EVENTS;
        /* beyond an event the law may have a kink, so that the error counts up to it */
        if (wrong < 1e6)
            *event = first_event(&r->m, &r->at, &q, &used);
        if (*event != EVENTS) {
            step(&r->m, &r->at, used, &q, error);
            wrong = error_of(r, &q, error);
        }
        const double factor = fmin(5, fmax(0.2, 0.9 * pow(fmax(wrong, 1e-10), -0.25)));
        if (wrong <= 1) {
            *h = *event == EVENTS ? used * factor : fmax(used * factor, 1e-3 * *h);
            r->at = q;
            return true;
        }
        *h = used * fmin(factor, 0.5);
        if (!(*h > 1e-18 * r->scale))
            return false;
    }
}

static void finish(run *r, carom_free_end end)
{
    carom_free_solution *out = r->out;
    const point *p = &r->at;
    out->time = p->time;
    out->end = end;
    if (end == CAROM_FREE_BEYOND_LIMIT)
        out->max_indentation = r->m.law->limit;
    if (end != CAROM_FREE_PARTED)
        return;
    const double e = -p->rate / r->speed;
    out->achieved_restitution = e;
    out->loss = (1 - e) * (1 + e);
    out->duration_to_zero = p->time;
    out->duration = r->force_end >= 0 ? r->force_end : p->time;
}

static carom_status integrate(run *r)
{
    const double limit = r->m.law->limit;
    double h = 1e-4 * r->scale;
    evaluate(&r->m, &r->at);
    if (r->at.event[EVENT_TENSION] < 0) {
        r->m.off = true; /* the law pulls from the onset on */
        evaluate(&r->m, &r->at);
    }
    CAROM_TRY(keep(r));
    for (int k = 0; k < MOST_STEPS; k++) {
        int event;
        if (!advance(r, &h, &event))
            break;
        if (r->at.delta > limit) {
            finish(r, CAROM_FREE_BEYOND_LIMIT);
            return CAROM_OK;
        }
        if (event != EVENTS)
            pass(r, event);
        CAROM_TRY(keep(r));
        const point *p = &r->at;
        if (event == EVENT_GAP) {
            finish(r, -p->rate > AT_REST * r->speed ? CAROM_FREE_PARTED : CAROM_FREE_RESTS);
            return CAROM_OK;
        }
        if (p->time > PATIENCE * r->scale ||
            (fabs(p->rate) < AT_REST * r->speed && p->delta < AT_REST * r->out->max_indentation)) {
            finish(r, CAROM_FREE_RESTS);
            return CAROM_OK;
        }
    }
    finish(r, CAROM_FREE_UNFINISHED);
    return CAROM_OK;
}

carom_status carom_free_impact_integrate(const carom_free_impact *i, carom_free_points *points,
                                         carom_free_solution *out)
{
    const double depth =
        carom_elastic_depth(i->law->elastic, i->law->elastic_constants, 0.5 * i->mass * i->speed * i->speed);
    run r = {.m = {.law = i->law, .mass = i->mass, .v0 = carom_normal_impact_velocity(i->law, i->speed)},
             .at = {.rate = i->speed},
             .speed = i->speed,
             .force_end = -1,
             .scale = HERTZ_DURATION * fmin(depth, i->law->limit) / i->speed,
             .tolerance = fmax(LOCAL_SHARE * i->tolerance, 1e-14),
             .points = points,
             .out = out};
    out->exact = false;
    out->achieved_restitution = out->loss = out->duration = out->duration_to_zero = (double)NAN;
    /* nothing that the law stores stops the body */
    if (!isfinite(r.scale)) {
        finish(&r, CAROM_FREE_UNFINISHED);
        return CAROM_OK;
    }
    return integrate(&r);
}
