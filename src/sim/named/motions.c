/* Prescribed motions have to be smooth: a jump of a motion, or of its rate, takes an infinite force, and no integrator
   sees it, as accelerations are imposed. Jumps where a switch of the expression changes are told by the values on both
   sides of the stop there, and where the time alone decides already before the run. Others, of functions that turn
   sharply without a switch and of motions of the caller's, show in a step: rates over it by the trapezoidal rule and
   values by Hermite's are wrong by the jump, however short the part of the step is that holds it. Jumps of the
   acceleration are allowed, and stepped to where a switch tells of them. */
#include "dynamics/assembly.h"
#include "sim/sim.h"

#include <math.h>
#include <string.h>

/* Jump of a motion, as a share of the model's length or of 1 rad, that the constraints take away without a trace, and
   of its rate as a share of the speeds. */
#define SMALL_JUMP 1e-6
#define SMALL_RATE 1e-4
/* Shares of them from which on a step is searched. */
#define SUSPICIOUS 1e-2
/* What changes within this share of the run's length jumps. */
#define INSTANT 1e-9
/* Share of the run's length within which the rate of a motion may double before it is followed to where it grows
   without bound, if the run goes on for certain, and if an event may end it, or a corner is looked for ahead; the most
   steps on that way, each of a quarter of the time in which the rate doubles, and the least growth in each: one that
   is even makes 1.25. */
#define SOON 1e-2
#define AT_ONCE 1e-6
#define POLE_STEPS 500
#define POLE_GROWTH 1.2
/* Share of the run's length by which rates are taken farther off a corner. */
#define FARTHER 1e-5
/* Most changes of a motion that are looked through before the run. */
#define BREAKS 10000

struct carom_motion_watch {
    double time;                /* at which jets and switches before a restart are known; NAN: at none */
    carom_jet *jet;             /* one a drive */
    int *switches;              /* room for those of any expression, twice */
    int *former;                /* all switches after the last step */
};

static bool is_relation(const carom_simulation *sim, const carom_constraint_block *e)
{
    return e->type == CAROM_BLOCK_JOINT && sim->model->joints[e->object].relation >= 0;
}

static bool is_driven(const carom_constraint_block *e)
{
    return e->type == CAROM_BLOCK_JOINT_MOTION || e->type == CAROM_BLOCK_BODY_MOTION;
}

carom_status carom_motions_create(carom_simulation *sim)
{
    const carom_model *m = sim->model;
    int watched = m->drive_count;
    for (int k = 0; k < m->block_count; k++)
        watched += is_relation(sim, &m->blocks[k]);
    if (!watched)
        return CAROM_OK;
    carom_arena *a = &sim->arena;
    sim->motions = carom_arena_alloc(a, 1, sizeof *sim->motions);
    carom_jet *jets = carom_arena_alloc(a, (size_t)m->drive_count, sizeof *jets);
    int *switches = carom_arena_alloc(a, (size_t)m->switch_count, 3 * sizeof *switches);
    if (!sim->motions || !jets || !switches)
        return carom_fail_memory(sim->ctx);
    *sim->motions = (carom_motion_watch){
        .time = (double)NAN, .jet = jets, .switches = switches, .former = switches + 2 * (size_t)m->switch_count};
    return CAROM_OK;
}

static carom_jet jet_at(const carom_simulation *sim, const carom_constraint_block *e, double t)
{
    const carom_motion_def *given = sim->system->motions ? &sim->system->motions[e->drive] : NULL;
    if (!given || !given->at)
        return carom_dynamics_jet(sim->probe, &sim->s, e->expr, t);
    carom_jet out;
    given->at(given->user, t, &out.value, &out.rate, &out.acceleration);
    return out;
}

/* ---- how much is a jump ---- */

static bool turns(const carom_simulation *sim, const carom_constraint_block *e)
{
    return e->type == CAROM_BLOCK_BODY_MOTION ? e->axis == 3
                                              : sim->model->joints[e->object].kind->coordinate_unit[0] == 'r';
}

/* The least values and rates that count as jumps. */
static carom_jet least_jump(const carom_simulation *sim, const carom_constraint_block *e, double rate)
{
    const carom_model *m = sim->model;
    const bool turn = turns(sim, e);
    const double speed = turn ? m->speed_scale / m->length_scale : m->speed_scale;
    return (carom_jet){.value = SMALL_JUMP * (turn ? 1 : m->length_scale),
                       .rate = SMALL_RATE * fmax(speed, fabs(rate))};
}

/* Whether the motion jumps between two jets of the same time; what is not finite does. */
static bool jumps(const carom_simulation *sim, const carom_constraint_block *e, carom_jet before, carom_jet after)
{
    const carom_jet least = least_jump(sim, e, fmin(fabs(before.rate), fabs(after.rate)));
    return !(fabs(after.value - before.value) <= least.value) || !(fabs(after.rate - before.rate) <= least.rate);
}

/* ---- what is told ---- */

static carom_status refuse(carom_simulation *sim, const carom_constraint_block *e, double t, carom_jet before,
                           carom_jet after, size_t at)
{
    const carom_model *m = sim->model;
    const char *unit = turns(sim, e) ? "rad" : "m";
    const bool record = m->exprs[e->expr].uses_measures;
    const carom_jet least = least_jump(sim, e, 0);
    carom_place place = m->exprs[e->expr].place;
    char name[160];
    carom_row_name(m, e->first_row, name, sizeof name);
    place.column += (int)at;
    if (!isfinite(before.rate) || !isfinite(after.rate) || !isfinite(after.value))
        return carom_fail(sim->ctx, CAROM_ERROR_MODEL, &place,
                          "%s: at t = %.9g s it is %.5g with the rate %.5g; both must be finite", name, t,
                          after.value, isfinite(before.rate) ? after.rate : before.rate);
    if (!(fabs(after.value - before.value) <= least.value))
        return carom_fail(sim->ctx, CAROM_ERROR_MODEL, &place,
                          "%s: at t = %.9g s it jumps from %.5g to %.5g %s, which no body can follow; let it go there "
                          "in a time, as with step5()",
                          name, t, before.value, after.value, unit);
    return carom_fail(sim->ctx, CAROM_ERROR_MODEL, &place,
                      "%s: at t = %.9g s its rate jumps from %.5g to %.5g %s/s, which takes an infinite force; %s",
                      name, t, before.rate, after.rate, unit,
                      record ? "let the record of its input begin and end with the rate 0, or the run end before it"
                             : "round the corner off, as with step5() or a spline");
}

/* Where in its text the first switch stands that differs. */
static size_t place_of_change(const carom_expr *expr, const int *before, const int *after)
{
    for (int k = 0; k < carom_expr_switch_count(expr); k++)
        if (before[k] != after[k])
            return carom_expr_switch_at(expr, k);
    return 0;
}

/* ---- before the run ---- */

static bool ends_by_event(const carom_model *m)
{
    bool ends = false;
    for (int k = 0; k < m->event_count; k++)
        for (int n = 0; n < m->events[k].action_count; n++)
            ends = ends || m->events[k].actions[n].type == CAROM_ACTION_STOP;
    return ends;
}

/* Changes of an expression whose times are known; those of records and of conditions that are not linear in t are met
   in the run. */
static carom_status look_ahead(carom_simulation *sim, const carom_constraint_block *e)
{
    const carom_model_expr *own = &sim->model->exprs[e->expr];
    const int count = carom_expr_switch_count(own->expr);
    int *before = sim->motions->switches, *after = before + count;
    if (own->uses_measures || carom_expr_root_count(own->expr) || !count)
        return CAROM_OK;
    double t = *sim->s.time;
    carom_expr_set_switches(own->expr, t, NULL, before);
    for (int n = 0; n < BREAKS; n++) {
        t = carom_expr_next_break(own->expr, t);
        if (!(t < sim->run.until))
            break;
        carom_expr_set_switches(own->expr, t, NULL, after);
        const carom_jet left = carom_expr_jet(own->expr, t, before), right = carom_expr_jet(own->expr, t, after);
        if (jumps(sim, e, left, right))
            return refuse(sim, e, t, left, right, place_of_change(own->expr, before, after));
        memcpy(before, after, (size_t)count * sizeof *before);
    }
    return CAROM_OK;
}

carom_status carom_motions_check(carom_simulation *sim)
{
    const carom_model *m = sim->model;
    if (!sim->motions)
        return CAROM_OK;
    sim->motions->time = (double)NAN;
    carom_assembly_switches(sim->d, &sim->s);
    for (int k = 0; k < m->block_count; k++) {
        const carom_constraint_block *e = &m->blocks[k];
        if (!is_driven(e))
            continue;
        const carom_jet j = jet_at(sim, e, *sim->s.time);
        char name[160];
        carom_row_name(m, e->first_row, name, sizeof name);
        if (!isfinite(j.value) || !isfinite(j.rate) || !isfinite(j.acceleration))
            return carom_fail(sim->ctx, CAROM_ERROR_MODEL, &m->exprs[e->expr].place,
                              "%s: at t = %.9g s it is %.5g with the rate %.5g and the acceleration %.5g; all must be "
                              "finite",
                              name, *sim->s.time, j.value, j.rate, j.acceleration);
        const bool given = sim->system->motions && sim->system->motions[e->drive].at;
        if (!given && !ends_by_event(m))
            CAROM_TRY(look_ahead(sim, e));
    }
    return CAROM_OK;
}

/* ---- in the run ---- */

/* By how much values and rates over a time differ from the rules for smooth functions, in jumps; not finite: very
   much. */
static double defect(const carom_simulation *sim, const carom_constraint_block *e, carom_jet a, carom_jet b, double h)
{
    const carom_jet least = least_jump(sim, e, fmin(fabs(a.rate), fabs(b.rate)));
    const double rate = b.rate - a.rate - 0.5 * h * (a.acceleration + b.acceleration);
    const double value =
        b.value - a.value - 0.5 * h * (a.rate + b.rate) + h * h / 12 * (b.acceleration - a.acceleration);
    const double sum = fmax(fabs(rate) / least.rate, fabs(value) / least.value);
    return isfinite(sum) ? sum : HUGE_VAL;
}

/* What is told of a jump of the rate: those that the motion has on both sides farther off, led on by its accelerations
   there. Near a corner that comes of a cancellation, such as that of asin(sin(t)), rates are lost in rounding. */
static carom_status refuse_corner(carom_simulation *sim, const carom_constraint_block *e, double from, double to,
                                  carom_jet a, carom_jet b)
{
    const double off = FARTHER * sim->run.until;
    const carom_jet left = jet_at(sim, e, from - off), right = jet_at(sim, e, to + off);
    carom_jet before = a, after = b;
    before.rate = left.rate + off * left.acceleration;
    after.rate = right.rate - off * right.acceleration;
    const bool told = isfinite(before.rate) && isfinite(after.rate) && jumps(sim, e, before, after);
    return refuse(sim, e, to, told ? before : a, told ? after : b, 0);
}

/* Narrows a time that is suspicious down to an instant, if it stays so. */
static carom_status search(carom_simulation *sim, const carom_constraint_block *e, double from, double to, carom_jet a,
                           carom_jet b)
{
    const double instant = INSTANT * fmax(sim->run.until, fabs(to));
    double worst = defect(sim, e, a, b, to - from);
    while (to - from > instant) {
        const double middle = 0.5 * (from + to);
        const carom_jet c = jet_at(sim, e, middle);
        const double first = defect(sim, e, a, c, middle - from), second = defect(sim, e, c, b, to - middle);
        worst = fmax(first, second);
        if (worst < SUSPICIOUS)
            return CAROM_OK;
        if (first > second) {
            to = middle;
            b = c;
        } else {
            from = middle;
            a = c;
        }
    }
    return worst > 1 ? refuse_corner(sim, e, from, to, a, b) : CAROM_OK;
}

/* Steps that have become shorter than an instant may creep up to a corner whose accelerations are lost in rounding, and
   that they never pass: it is searched ahead of them. */
static carom_status search_ahead(carom_simulation *sim, const carom_constraint_block *e, double t, carom_jet now)
{
    const carom_model_expr *own = &sim->model->exprs[e->expr];
    const bool given = sim->system->motions && sim->system->motions[e->drive].at;
    if (given || own->uses_measures || carom_expr_root_count(own->expr))
        return CAROM_OK;
    const double end = fmin(t + AT_ONCE * sim->run.until, carom_expr_next_break(own->expr, t));
    if (!(end < sim->run.until))
        return CAROM_OK;
    const carom_jet then = jet_at(sim, e, end);
    return defect(sim, e, now, then, end - t) > SUSPICIOUS ? search(sim, e, t, end, now, then) : CAROM_OK;
}

/* Follows a motion whose rate grows ever faster, as a quotient's does towards a zero of its divisor, to where it has no
   bound; a motion that grows evenly, as just behind a jump of its acceleration, or whose growth ends, is left. */
static carom_status look_for_pole(carom_simulation *sim, const carom_constraint_block *e, double t, carom_jet now)
{
    const carom_model *m = sim->model;
    const double instant = INSTANT * fmax(sim->run.until, t);
    double left = now.rate / now.acceleration;
    if ((sim->system->motions && sim->system->motions[e->drive].at) || !(left > 0 && left < SOON * sim->run.until))
        return CAROM_OK;
    if (ends_by_event(m) && !(left < AT_ONCE * sim->run.until))
        return CAROM_OK;
    for (int n = 0; n < POLE_STEPS && (!n || left > instant); n++) {
        t += 0.25 * left;
        const carom_jet next = jet_at(sim, e, t);
        const double then = next.rate / next.acceleration;
        if (t > sim->run.until || !(then > 0 && then < left && fabs(next.rate) > POLE_GROWTH * fabs(now.rate)))
            return CAROM_OK;
        left = then;
        now = next;
    }
    if (left > instant || !(fabs(now.rate) > least_jump(sim, e, 0).rate))
        return CAROM_OK;
    carom_place place = m->exprs[e->expr].place;
    char name[160];
    carom_row_name(m, e->first_row, name, sizeof name);
    return carom_fail(sim->ctx, CAROM_ERROR_MODEL, &place,
                      "%s: towards t = %.6g s its rate grows without bound (%.3g %s/s there), which no body can "
                      "follow; let the run end before, or keep the expression away from a division by 0, or the end of "
                      "a root",
                      name, t, now.rate, turns(sim, e) ? "rad" : "m");
}

carom_status carom_motions_step(carom_simulation *sim)
{
    carom_motion_watch *w = sim->motions;
    const double t = *sim->s.time;
    if (!w)
        return CAROM_OK;
    for (int k = 0; k < sim->model->block_count; k++) {
        const carom_constraint_block *e = &sim->model->blocks[k];
        if (!is_driven(e))
            continue;
        const carom_jet now = jet_at(sim, e, t), former = w->jet[e->drive];
        if (w->time < t && defect(sim, e, former, now, t - w->time) > SUSPICIOUS)
            CAROM_TRY(search(sim, e, w->time, t, former, now));
        if (w->time < t && t - w->time < INSTANT * sim->run.until)
            CAROM_TRY(search_ahead(sim, e, t, now));
        CAROM_TRY(look_for_pole(sim, e, t, now));
        w->jet[e->drive] = now;
    }
    memcpy(w->former, sim->s.switches, (size_t)sim->model->switch_count * sizeof *w->former);
    w->time = t;
    return CAROM_OK;
}

/* Whether switches of a relation change at this restart, and then whether it jumps. */
static carom_status relation_restart(carom_simulation *sim, const carom_constraint_block *e)
{
    const carom_motion_watch *w = sim->motions;
    const carom_model_expr *own = &sim->model->exprs[e->expr];
    int *before = w->former + own->first_switch;
    const int *after = sim->s.switches + own->first_switch;
    const size_t size = (size_t)carom_expr_switch_count(own->expr) * sizeof *before;
    if (w->time != *sim->s.time || !size || memcmp(before, after, size) == 0)
        return CAROM_OK;
    return carom_relation_check(sim, e, before, place_of_change(own->expr, before, after));
}

carom_status carom_motions_restart(carom_simulation *sim)
{
    carom_motion_watch *w = sim->motions;
    const double t = *sim->s.time;
    if (!w)
        return CAROM_OK;
    for (int k = 0; k < sim->model->block_count; k++) {
        const carom_constraint_block *e = &sim->model->blocks[k];
        if (is_relation(sim, e))
            CAROM_TRY(relation_restart(sim, e));
        if (!is_driven(e))
            continue;
        const carom_jet now = jet_at(sim, e, t), former = w->jet[e->drive];
        w->jet[e->drive] = now;
        if (w->time != t || !jumps(sim, e, former, now))
            continue;
        const carom_model_expr *own = &sim->model->exprs[e->expr];
        size_t at = 0;
        if (!own->uses_measures) {
            carom_expr_set_switches(own->expr, t - INSTANT * fmax(t, sim->run.until), NULL, w->switches);
            at = place_of_change(own->expr, w->switches, sim->s.switches + own->first_switch);
        }
        return refuse(sim, e, t, former, now, at);
    }
    w->time = t;
    return CAROM_OK;
}
