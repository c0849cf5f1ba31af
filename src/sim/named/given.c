/* What is given over the time, a load or a motion that is an expression of it, looked at before the run: an integrator
   knows nothing of a blow that lies ahead of a quiet time, and steps over it.

   The run is divided into cells, which are put together to intervals of 2, 4, 8, ... as long as the expression is a
   cubic in each within a share of its range: so long a step may be, to the end of its interval and over the next one.
   The Gaussian of width W has intervals of about W/2, and none in the quiet before it that go into it.

   A method of fixed step keeps its step, and the run says where it is too long for an expression. */
#include "sim/sim.h"

#include <limits.h>
#include <string.h>

#define CELLS 8192              /* a power of 2 */
#define FEWEST 512
#define EVALUATIONS (1 << 18)   /* of all expressions together, about */
#define GROUP 4                 /* cells whose five ends tell a cubic: the least that is judged */
#define BEFORE 0.38             /* of a cell: a step that ends between two does not meet 0.5 s and its like by chance */
#define BENT 1e-2               /* fourth difference of a cubic, of the range */
#define FEWEST_IN_STEP 4        /* cells, of a step of fixed length that is looked at */
#define PASSED 0.3              /* of the range of an expression: told of; a kink has less */
#define MEAN 2.5                /* so many times as much counts what lasts over a step */
#define TAKEN 0.1               /* of a step that would do */
#define HIDDEN 0.005            /* of the cells, that may hide a switch to and fro without a word */

struct carom_given {
    const carom_place *place;   /* of the expression for which a fixed step is too long; NULL: of none */
    double share, at, step;     /* of its range that is passed over; where; and a step that would do [s] */
    const carom_place *hidden;  /* of the expression that switches to and fro within cells; NULL: of none */
    double cell;                /* [s], from the time 0 on */
    int count;                  /* cells; 0: no step is limited */
    unsigned char level[];      /* of each group: 2^level cells are its interval; 0: even the group is none */
};

typedef struct room {
    double *value;              /* at the ends of the cells */
    int *piece;                 /* that they lie in: from one known time of a switch or knot, where steps end, on */
    double *measures;           /* all 0: what depends on the motion as well is looked at as if nothing moved */
    int *switches, *former, *inner;
    unsigned char *level;
} room;

/* Inputs with a record have its value at each time. Returns the time of the next knot. */
static double read_records(carom_simulation *sim, double t, double *measures)
{
    const carom_model *m = sim->model;
    if (!sim->records)
        return HUGE_VAL;
    *sim->s.time = t;
    const double next = carom_records_update(sim->records, &sim->s);
    for (int k = 0; k < m->measure_count; k++)
        if (m->measures[k].type == CAROM_MEASURE_INPUT && sim->records[m->measures[k].a].n)
            measures[k] = carom_dynamics_input(sim->d, &sim->s, m->measures[k].a, t).value;
    return next;
}

/* Values at the ends of the cells and their pieces; false: there are none to judge. */
static bool take_values(carom_simulation *sim, const carom_expr *expr, const room *r, double *range)
{
    const struct carom_given *g = sim->given;
    double *const value = r->value;
    int *const switches = r->switches, *const former = r->former;
    const size_t size = (size_t)carom_expr_switch_count(expr) * sizeof *switches;
    const bool known = size && carom_expr_root_count(expr) == 0;
    int piece = 0;
    double knot = HUGE_VAL, most = -HUGE_VAL, least = HUGE_VAL, largest = 0;
    for (int k = 0; k <= g->count; k++) {
        const double t = k * g->cell;
        piece += knot <= t;
        knot = read_records(sim, t, r->measures);
        if (size)
            carom_expr_set_switches(expr, t, r->measures, switches);
        const double now = carom_expr_value(expr, t, r->measures, switches);
        if (!isfinite(now))
            return false;
        piece += known && k > 0 && memcmp(switches, former, size) != 0;
        if (size)
            memcpy(former, switches, size);
        value[k] = now;
        r->piece[k] = piece;
        most = fmax(most, value[k]);
        least = fmin(least, value[k]);
        largest = fmax(largest, fabs(value[k]));
    }
    *range = most - least;
    return *range > 1e-12 * largest;
}

/* Whether an expression switches to and fro within many cells, as a look at another place of each tells: steps that go
   from cell to cell pass that over. */
static bool hides_switches(carom_simulation *sim, const carom_expr *expr, const room *r)
{
    const struct carom_given *g = sim->given;
    const size_t size = (size_t)carom_expr_switch_count(expr) * sizeof *r->switches;
    int hidden = 0;
    for (int k = 0; k <= g->count && carom_expr_root_count(expr) > 0; k++) {
        const double at = k * g->cell, inside = at - (0.1 + fmod(0.618034 * k, 0.8)) * g->cell;
        read_records(sim, at, r->measures);
        carom_expr_set_switches(expr, at, r->measures, r->switches);
        if (k > 0 && memcmp(r->switches, r->former, size) == 0) {
            read_records(sim, inside, r->measures);
            carom_expr_set_switches(expr, inside, r->measures, r->inner);
            hidden += memcmp(r->inner, r->former, size) != 0;
        }
        memcpy(r->former, r->switches, size);
    }
    return hidden > HIDDEN * g->count;
}

/* An interval with the end of a piece in it is one if its halves are. */
static bool is_cubic(const room *r, int first, int cells, double bound)
{
    const double *value = r->value + first;
    const int part = cells / GROUP;
    return r->piece[first] != r->piece[first + cells] ||
           fabs(value[0] - 4 * value[part] + 6 * value[2 * part] - 4 * value[3 * part] + value[4 * part]) <= bound;
}

/* Levels of one expression; false: it is rough nearly everywhere, which no integrator passes over, unless it switches
   at times that are not known. */
static bool find_levels(const room *r, int count, double bound, bool switches)
{
    unsigned char *level = r->level;
    int rough = 0;
    for (int k = 0; k < count / GROUP; k++) {
        level[k] = is_cubic(r, GROUP * k, GROUP, bound) ? 2 : 0;
        rough += !level[k];
    }
    int at = 3;
    for (int cells = 2 * GROUP; cells <= count; cells *= 2, at++)
        for (int k = 0; k < count / cells; k++) {
            unsigned char *first = level + (ptrdiff_t)(cells / GROUP) * k, *second = first + cells / GROUP / 2;
            if (*first == at - 1 && *second == at - 1 && is_cubic(r, cells * k, cells, bound))
                memset(first, at, (size_t)(cells / GROUP));
        }
    return switches || rough <= count / GROUP / 2;
}

/* Value between the ends of cells. */
static double value_at(const struct carom_given *g, const room *r, double t)
{
    const double place = fmin(t / g->cell, g->count);
    const int k = place < g->count ? (int)place : g->count - 1;
    return r->value[k] + (place - k) * (r->value[k + 1] - r->value[k]);
}

/* By how much what lies within a step differs from a line through its ends, at most, or in the mean by its own measure;
   where a piece ends steps do, and all is known. */
static double passed_over(const struct carom_given *g, const room *r, double begin, double end)
{
    const int first = (int)ceil(begin / g->cell), last = (int)fmin(floor(end / g->cell), g->count);
    const double from = value_at(g, r, begin), slope = (value_at(g, r, end) - from) / (end - begin);
    double sum = 0, most = 0;
    if (last - first + 1 < FEWEST_IN_STEP || r->piece[first] != r->piece[last])
        return 0;
    for (int k = first; k <= last; k++) {
        const double off = fabs(r->value[k] - from - slope * (k * g->cell - begin));
        sum += off;
        most = fmax(most, off);
    }
    return fmax(most, MEAN * sum / (last - first + 1));
}

/* Greatest such difference for steps of a length; *at is where that step begins. */
static double worst_step(const struct carom_given *g, const room *r, double step, double *at)
{
    const double until = g->count * g->cell;
    double most = 0;
    for (int k = 0; (k + 1) * step <= until * (1 + 1e-9); k++) {
        const double now = passed_over(g, r, k * step, (k + 1) * step);
        if (now > most) {
            most = now;
            *at = k * step;
        }
    }
    return most;
}

/* Keeps the expression of which steps of fixed length pass most over. */
static void find_passed(const carom_simulation *sim, const carom_model_expr *expr, const room *r, double range)
{
    struct carom_given *g = sim->given;
    double at = 0, unused, step = sim->run.step;
    const double share = step > FEWEST_IN_STEP * g->cell ? worst_step(g, r, step, &at) / range : 0;
    if (!(share > PASSED) || (g->place && share <= g->share))
        return;
    while (step > FEWEST_IN_STEP * g->cell && worst_step(g, r, step, &unused) > TAKEN * range)
        step *= 0.5;
    g->place = &expr->place;
    g->share = share;
    g->at = at;
    g->step = 0.5 * step;
}

/* Takes the levels of all; false: none of them limits a step. */
static bool judge(carom_simulation *sim, const room *r)
{
    const carom_model *m = sim->model;
    struct carom_given *g = sim->given;
    const double start = *sim->s.time;
    const bool keeps = carom_run_keeps_step(&sim->run);
    bool limits = false;
    for (int k = 0; k < m->expr_count; k++) {
        const carom_expr *expr = m->exprs[k].expr;
        double range;
        if (carom_expr_is_constant(expr))
            continue;
        if (!g->hidden && hides_switches(sim, expr, r))
            g->hidden = &m->exprs[k].place;
        if (!take_values(sim, expr, r, &range))
            continue;
        if (keeps)
            find_passed(sim, &m->exprs[k], r, range);
        if (keeps || !find_levels(r, g->count, BENT * range, carom_expr_root_count(expr) > 0))
            continue;
        limits = limits || 1 << r->level[0] < g->count;
        for (int n = 0; n < g->count / GROUP; n++)
            g->level[n] = r->level[n] < g->level[n] ? r->level[n] : g->level[n];
    }
    *sim->s.time = start;
    carom_records_update(sim->records, &sim->s);
    return limits;
}

carom_status carom_given_create(carom_simulation *sim)
{
    const carom_model *m = sim->model;
    int expressions = 0, switches = 0, count = CELLS;
    for (int k = 0; k < m->expr_count; k++) {
        const int own = carom_expr_switch_count(m->exprs[k].expr);
        switches = own > switches ? own : switches;
        expressions += !carom_expr_is_constant(m->exprs[k].expr);
    }
    if (!expressions || !(sim->run.until > 0) || !isfinite(sim->run.until) || sim->run.kinematic)
        return CAROM_OK;
    while (count > FEWEST && (double)count * expressions > EVALUATIONS)
        count /= 2;
    struct carom_given *g = carom_arena_alloc(&sim->arena, 1, sizeof *g + (size_t)(count / GROUP));
    if (!g)
        return carom_fail_memory(sim->ctx);
    g->place = g->hidden = NULL;
    g->cell = sim->run.until / count;
    g->count = count;
    memset(g->level, UCHAR_MAX, (size_t)(count / GROUP));
    carom_arena arena;
    carom_arena_init(&arena, sim->ctx);
    const room r = {carom_arena_alloc(&arena, (size_t)count + 1, sizeof(double)),
                    carom_arena_alloc(&arena, (size_t)count + 1, sizeof(int)),
                    carom_arena_alloc(&arena, (size_t)m->measure_count + 1, sizeof(double)),
                    carom_arena_alloc(&arena, (size_t)switches + 1, sizeof(int)),
                    carom_arena_alloc(&arena, (size_t)switches + 1, sizeof(int)),
                    carom_arena_alloc(&arena, (size_t)switches + 1, sizeof(int)),
                    carom_arena_alloc(&arena, (size_t)(count / GROUP), 1)};
    const bool done = r.value && r.piece && r.measures && r.switches && r.former && r.inner && r.level;
    sim->given = g;
    if (!done || !judge(sim, &r))
        g->count = 0;
    carom_arena_free(&arena);
    return done ? CAROM_OK : carom_fail_memory(sim->ctx);
}

carom_status carom_given_warn(carom_simulation *sim)
{
    const struct carom_given *g = sim->given;
    if (g && g->hidden)
        CAROM_TRY(carom_simulation_warn(
            sim, CAROM_WARN_STEP_OVER,
            "the expression at %s:%d:%d switches to and fro within %.2g s, which steps may pass over; take "
            "`%s: %.1g`",
            g->hidden->file, g->hidden->line, g->hidden->column, g->cell,
            carom_run_keeps_step(&sim->run) ? "step" : "max_step", 0.2 * g->cell));
    if (!g || !g->place)
        return CAROM_OK;
    return carom_simulation_warn(
        sim, CAROM_WARN_STEP_OVER,
        "the expression at %s:%d:%d goes up or down and back within a step of %.2g s at t = %.4g s, which the method "
        "does not see, or takes from few values. Take `step: %.1g`, or leave integrator and step out",
        g->place->file, g->place->line, g->place->column, sim->run.step, g->at, g->step);
}

double carom_given_horizon(const carom_simulation *sim)
{
    const struct carom_given *g = sim->given;
    if (!g || *sim->s.time < 0 || *sim->s.time >= g->count * g->cell)
        return HUGE_VAL;
    const int now = (int)fmin(*sim->s.time / g->cell, g->count - 1), level = g->level[now / GROUP];
    const int end = ((now >> level) + 1) << level;
    return end < g->count ? (end + (1 << g->level[end / GROUP]) - BEFORE) * g->cell : HUGE_VAL;
}
