/* Events: each twin comes to its own instant of an event before it takes it, and its tangent with it. What a law keeps
   of the event, such as the impact velocity, is that of the twin. */
#include "sim/tangent/tangent.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- moving along the motion ---- */

static void move(carom_simulation *sim, size_t i, double late)
{
    carom_tangents *all = sim->tangents;
    double *s = carom_tangent_vector(all, all->y, i);
    for (size_t k = 0; k < all->n; k++)
        s[k] += late * all->flow[k];
    all->of[i].clock += late;
}

/* A time that is short for the motion now [s]. */
static double short_time(const carom_simulation *sim)
{
    const carom_state *s = &sim->s;
    double time = fmax(1e-2 * *s->step_size, 1e-9 * sim->run.until);
    for (int k = 0; k < sim->model->contact_count; k++)
        if (sim->tangents->before[k].open && s->located[k].time_scale > 0)
            time = fmin(time, 1e-4 * s->located[k].time_scale);
    return time;
}

/* Values of a root function of both twins, a little before and behind their present states as well. */
typedef struct root_of {
    int contact;                /* -1: number `root` of the functions of all */
    int root;
} root_of;

static bool root_value(carom_simulation *sim, size_t i, int side, root_of of, double ahead, double *out)
{
    carom_tangents *all = sim->tangents;
    carom_simulation *twin = all->of[i].twin[side];
    const double time = *twin->s.time + ahead;
    for (size_t k = 0; k < all->n; k++)
        all->moved[k] = twin->s.q[k] + ahead * all->side[side][k];
    if (of.contact < 0) {
        const bool found = carom_step_roots(twin, time, all->moved, all->roots[side]) == 0;
        *out = all->roots[side][of.root];
        return found;
    }
    if (carom_rhs_evaluate(twin, twin->probe, time, all->moved, twin->root_scratch) != 0)
        return false;
    *out = carom_step_root(twin, of.contact, (carom_contact_root)of.root, &twin->probe->contacts[of.contact]);
    return true;
}

/* A root function along the motion, as the twins have it in the mean. */
typedef struct passage {
    double value, rate, slope;  /* slope: its derivative by the parameter */
} passage;

/* The twins are placed. False: it cannot be evaluated. */
static bool find_passage(carom_simulation *sim, size_t i, root_of of, passage *out)
{
    const double step = short_time(sim);
    double value[2];
    *out = (passage){0};
    for (int side = 0; side < 2; side++) {
        double before, behind;
        if (!root_value(sim, i, side, of, 0, &value[side]) || !root_value(sim, i, side, of, -step, &before) ||
            !root_value(sim, i, side, of, step, &behind))
            return false;
        out->value += 0.5 * value[side];
        out->rate += 0.25 * (behind - before) / step;
    }
    out->slope = carom_tangent_slope(&sim->tangents->of[i], value[0], value[1]);
    return true;
}

/* By how much the twins are later there, by the parameter, than the clock says; the twins are placed. NAN: the function
   does not pass through zero. */
static double lateness(carom_simulation *sim, size_t i, root_of of)
{
    const carom_tangent *tangent = &sim->tangents->of[i];
    double value[2], rate = 0;
    passage through;
    if (of.contact >= 0 && of.root == CAROM_ROOT_GAP) {
        for (int side = 0; side < 2; side++) {
            const carom_contact_point *p = &tangent->twin[side]->d->contacts[of.contact];
            value[side] = p->gap;
            rate += 0.5 * p->gap_rate;
        }
        const double least = 1e-9 * carom_sim_speed(sim), slope = carom_tangent_slope(tangent, value[0], value[1]);
        if (fabs(rate) > least)
            return -slope / rate;
        /* surfaces that touch and stay so */
        return fabs(slope) * tangent->size <= 1e-9 * sim->model->length_scale ? 0 : (double)NAN;
    }
    return find_passage(sim, i, of, &through) && through.rate != 0 ? -through.slope / through.rate : (double)NAN;
}

/* ---- contacts ---- */

void carom_tangents_before(carom_simulation *sim)
{
    memcpy(sim->tangents->before, sim->s.located, (size_t)sim->model->contact_count * sizeof(carom_episode));
}

/* The root function whose zero changed a contact at the accepted state; -1: none that matters to the motion. */
static int changed_by(const carom_simulation *sim, int k)
{
    const carom_model_contact *c = &sim->model->contacts[k];
    const carom_episode *before = &sim->tangents->before[k], *now = &sim->s.located[k];
    if (before->open != now->open)
        return CAROM_ROOT_GAP;
    if (!now->open)
        return -1;
    if (c->law.elastic->history && memcmp(before->history, now->history, sizeof now->history) != 0)
        return CAROM_ROOT_BRANCH;
    if (memcmp(before->segment, now->segment, sizeof now->segment) != 0)
        return CAROM_ROOT_SEGMENT;
    if (before->cut_off != now->cut_off)
        return CAROM_ROOT_TENSION;
    if (before->stick != now->stick)
        return now->stick == CAROM_STICKING && before->stick == CAROM_BREAKING_AWAY ? -1 : CAROM_ROOT_STICK;
    if (before->compressing == now->compressing)
        return -1;
    if (c->roots[CAROM_ROOT_COMPRESSION] < 0)
        return c->roots[CAROM_ROOT_BRANCH] >= 0 ? CAROM_ROOT_BRANCH : -1;
    return now->compressing == CAROM_OPENING || before->compressing >= CAROM_FOLLOWING ? -1 : CAROM_ROOT_COMPRESSION;
}

static bool follows(const carom_simulation *sim, int k)
{
    return sim->s.located[k].open && carom_normal_adapts(&sim->model->contacts[k].law) &&
           (sim->tangents->before[k].compressing >= CAROM_FOLLOWING ||
            sim->s.located[k].compressing >= CAROM_FOLLOWING);
}

/* Rows of the impacts that end now, still without numbers. */
static carom_status add_impacts(carom_simulation *sim)
{
    carom_tangents *all = sim->tangents;
    for (int k = 0; k < sim->model->contact_count; k++) {
        const carom_episode *e = &sim->s.located[k];
        if (!all->before[k].open || e->open || !carom_episode_was_impact(e, *sim->s.time))
            continue;
        CAROM_TRY(carom_grow(all->ctx, &all->impacts, &all->impact_capacity, all->impact_count + 1,
                             sizeof *all->impacts));
        double *d = carom_allocate(all->ctx, all->count * carom_tangent_fields(), sizeof *d);
        if (!d)
            return carom_fail_memory(all->ctx);
        for (size_t n = 0; n < all->count * carom_tangent_fields(); n++)
            d[n] = (double)NAN;
        all->impacts[all->impact_count++] = (carom_tangent_impact){(size_t)k, e->onset, d};
    }
    return CAROM_OK;
}

/* The numbers of an impact whose twins have just ended it. */
static void fill_impact(carom_simulation *sim, size_t i, int k)
{
    const carom_tangents *all = sim->tangents;
    const carom_tangent_impact *row = NULL;
    for (size_t n = all->impact_count; n > 0 && !row; n--)
        if (all->impacts[n - 1].contact == (size_t)k && all->impacts[n - 1].onset == sim->s.located[k].onset)
            row = &all->impacts[n - 1];
    carom_impact impact[2];
    for (int side = 0; side < 2 && row; side++) {
        const carom_simulation *twin = all->of[i].twin[side];
        impact[side] = carom_episode_impact(&twin->model->contacts[k], &twin->s.located[k], *twin->s.time,
                                            twin->d->contacts[k].gap_rate);
    }
    size_t count, number = i * carom_tangent_fields();
    const carom_field *field = carom_impact_fields(&count);
    for (size_t f = 0; f < count && row; f++) {
        double value[2];
        if (field[f].type != CAROM_FIELD_NUMBER)
            continue;
        for (int side = 0; side < 2; side++)
            memcpy(&value[side], (const char *)&impact[side] + field[f].offset, sizeof value[side]);
        row->d[number++] = carom_tangent_slope(&all->of[i], value[0], value[1]);
    }
}

/* What a contact has become in the motion it becomes in a twin, which is at its own instant of that. */
static carom_status change_twin(carom_simulation *sim, carom_simulation *twin, int k)
{
    const carom_model_contact *c = &twin->model->contacts[k];
    const carom_episode *before = &sim->tangents->before[k], *now = &sim->s.located[k];
    carom_episode *e = &twin->s.located[k];
    const carom_contact_point *p = &twin->d->contacts[k];
    if (!before->open && now->open) {
        CAROM_TRY(carom_located_begin(twin, k));
        e->cut_off = now->cut_off;
        return CAROM_OK;
    }
    if (before->cut_off != now->cut_off)
        twin->s.cutoff_loss[k] += (now->cut_off ? 1 : -1) * carom_episode_held(p);
    if (c->law.elastic->history && memcmp(before->history, now->history, sizeof now->history) != 0)
        CAROM_KIND_CALL(c->law.elastic, update, carom_episode_constants(c, e), e->history, fmax(-p->gap, 0),
                        -p->gap_rate);
    if (before->stick != now->stick) {
        const double held = carom_v3_norm(p->friction);
        e->parted = *twin->s.time;
        if (now->stick == CAROM_BREAKING_AWAY && held > 0)
            e->parting = carom_v3_scale(-1 / held, p->friction);
    }
    if (before->compressing == CAROM_OPENING && now->compressing == CAROM_COMPRESSING &&
        c->roots[CAROM_ROOT_COMPRESSION] >= 0)
        carom_episode_begin_compression(c, e, p->gap, p->gap_rate);
    if (follows(sim, k)) {
        carom_episode_follow(c, e, carom_episode_followed(c, e, p));
        if (now->compressing < CAROM_FOLLOWING)
            carom_episode_set_scales(c, e, false);
    }
    if (now->fastest != before->fastest)
        e->fastest = -p->gap_rate;
    if (now->force_end != before->force_end)
        e->force_end = now->force_end >= 0 ? *twin->s.time : -1;
    if (!now->open)
        carom_located_end_sums(twin, k, e);
    return CAROM_OK;
}

/* Speeds of approach of the twins that differ by more than this share from that of the motion: it grazes. */
#define GRAZES 0.05

static carom_status check_onset(carom_simulation *sim, size_t i, int k)
{
    const carom_tangent *of = &sim->tangents->of[i];
    const double speed = sim->s.located[k].speed;
    const double differ = fabs(of->twin[1]->s.located[k].speed - of->twin[0]->s.located[k].speed);
    char why[200];
    if (of->lost < HUGE_VAL || differ <= GRAZES * speed)
        return CAROM_OK;
    snprintf(why, sizeof why, "contact '%.60s' touches at %.3g m/s there, so slowly that its onset has no derivative",
             sim->model->contacts[k].name, speed);
    return carom_tangent_lose(sim, i, why);
}

/* Events of one instant are one for the twins as well if their own instants agree within this share of what they move
   by. */
#define TOGETHER 1e-4
/* A force at an onset or a release is none up to this share of the mean one of the impact. */
#define SMOOTH 1e-4

/* Whether the force of a contact that opens or closes is zero there, so that others do not feel when that is. */
static bool is_smooth(const carom_simulation *sim, const carom_tangent *of, int k, int root)
{
    const carom_episode *e = &sim->s.located[k];
    const double size = isfinite(e->mass) ? e->mass * e->speed / e->time_scale : e->peak_force;
    const carom_contact_point *p = e->open ? &sim->d->contacts[k] : &of->twin[0]->d->contacts[k];
    return root == CAROM_ROOT_GAP && fabs(p->force) <= SMOOTH * size;
}

/* Moves the twins of a parameter to their instants of what happened to the contacts: to that of the first one; others
   of the same instant, which are apart from it for the twins, are noted. */
static carom_status come_to(carom_simulation *sim, size_t i)
{
    carom_tangents *all = sim->tangents;
    const carom_tangent *of = &all->of[i];
    const double clock = of->clock;
    int first = -1;
    for (int k = 0; k < sim->model->contact_count; k++) {
        const int root = of->lost == HUGE_VAL ? changed_by(sim, k) : -1;
        char why[240];
        all->apart[k] = 0;
        if (root < 0)
            continue;
        const double late = lateness(sim, i, (root_of){k, root});
        if (first < 0 && isfinite(late)) {
            move(sim, i, late);
            CAROM_TRY(carom_tangent_place(sim, i));
            first = k;
        } else if (first >= 0 && isfinite(late) && fabs(late) <= TOGETHER * (fabs(of->clock) + fabs(clock))) {
            continue;
        } else if (first >= 0 && isfinite(late) && is_smooth(sim, of, k, root)) {
            all->apart[k] = late;
        } else if (first >= 0) {
            snprintf(why, sizeof why,
                     "contacts '%.60s' and '%.60s' change at the same instant, and which one is first depends on it",
                     sim->model->contacts[first].name, sim->model->contacts[k].name);
            CAROM_TRY(carom_tangent_lose(sim, i, why));
        } else if (sim->statistics.steps > 0) {
            snprintf(why, sizeof why, "contact '%.60s' %s without a speed", sim->model->contacts[k].name,
                     sim->s.located[k].open ? "touches" : "parts");
            CAROM_TRY(carom_tangent_lose(sim, i, why));
        }
    }
    return CAROM_OK;
}

/* A contact of the twins of a parameter, at its own instant. */
static carom_status change_contact(carom_simulation *sim, size_t i, int k)
{
    carom_tangents *all = sim->tangents;
    const carom_tangent *of = &all->of[i];
    const double late = all->apart[k];
    if (late != 0) {
        move(sim, i, late);
        CAROM_TRY(carom_tangent_place(sim, i));
    }
    for (int side = 0; side < 2; side++)
        CAROM_TRY(change_twin(sim, of->twin[side], k));
    if (all->before[k].open && !sim->s.located[k].open)
        fill_impact(sim, i, k);
    if (late != 0) {
        move(sim, i, -late);
        CAROM_TRY(carom_tangent_place(sim, i));
    }
    return CAROM_OK;
}

/* Peak of a force that jumps at the onset. */
static carom_status begin_peak(carom_simulation *sim, size_t i)
{
    carom_tangents *all = sim->tangents;
    CAROM_TRY(carom_tangent_place(sim, i));
    for (int k = 0; k < sim->model->contact_count; k++)
        for (int side = 0; side < 2; side++) {
            carom_simulation *twin = all->of[i].twin[side];
            if (all->before[k].open || !sim->s.located[k].open)
                continue;
            twin->s.located[k].peak_force = 0;
            carom_episode_add_peak(&twin->s.located[k], twin->d->contacts[k].force, 0, *twin->s.time);
            all->force_settled[k] = all->depth_settled[k] = true;
        }
    return CAROM_OK;
}

/* Speeds of rest are those of the motion. */
static void take_rocking(carom_simulation *sim, size_t i)
{
    for (int side = 0; side < 2; side++)
        for (int k = 0; k < sim->model->contact_count; k++)
            sim->tangents->of[i].twin[side]->s.located[k].rocking = sim->s.located[k].rocking;
}

carom_status carom_tangents_contacts(carom_simulation *sim)
{
    carom_tangents *all = sim->tangents;
    const int contacts = sim->model->contact_count;
    bool acts = false, opens = false;
    for (int k = 0; k < contacts; k++) {
        acts = acts || changed_by(sim, k) >= 0 || follows(sim, k) ||
               all->before[k].compressing != sim->s.located[k].compressing ||
               all->before[k].stick != sim->s.located[k].stick ||
               all->before[k].force_end != sim->s.located[k].force_end ||
               (sim->s.located[k].open && all->before[k].fastest != sim->s.located[k].fastest);
        opens = opens || (!all->before[k].open && sim->s.located[k].open);
        if (all->before[k].open && !sim->s.located[k].open)
            CAROM_TRY(carom_tangents_settle(sim, k));
    }
    if (!acts)
        return CAROM_OK;
    CAROM_TRY(add_impacts(sim));
    for (size_t i = 0; i < all->count; i++) {
        if (all->of[i].lost < HUGE_VAL)
            continue;
        take_rocking(sim, i);
        CAROM_TRY(carom_tangent_place(sim, i));
        CAROM_TRY(come_to(sim, i));
        for (int k = 0; k < contacts && all->of[i].lost == HUGE_VAL; k++)
            CAROM_TRY(change_contact(sim, i, k));
    }
    carom_tangents_copy(sim);
    for (size_t i = 0; i < all->count; i++) {
        for (int k = 0; k < contacts; k++)
            if (!all->before[k].open && sim->s.located[k].open)
                CAROM_TRY(check_onset(sim, i, k));
        if (opens && all->of[i].lost == HUGE_VAL)
            CAROM_TRY(begin_peak(sim, i));
    }
    return CAROM_OK;
}

/* ---- switches ---- */

/* Rates that differ by no more than this share do so within the error of an event's instant. */
#define SAME_RATES 1e-6
/* Sizes of rates are no less than this share of the greatest acceleration, or of the scale of the number over the
   run's time: what is zero there is so within rounding. */
#define LEAST_RATE 1e-3
/* Instants by a parameter are one if a change of the whole parameter parts them by no more than this share of the
   run's time. */
#define NO_TIME 1e-9

/* Whether rates differ: accelerations, those of states and of works. */
static bool jumps(const carom_simulation *sim, const double *a, const double *b)
{
    const size_t first = (size_t)sim->s.layout.positions, end = first + (size_t)sim->s.layout.velocities;
    const double local = carom_rhs_local_tolerance(sim);
    double greatest = 0;
    for (size_t k = first; k < end; k++)
        greatest = fmax(greatest, fmax(fabs(a[k]), fabs(b[k])));
    for (size_t k = first; k < sim->tangents->n; k++) {
        const double scale = sim->tolerance[k] < HUGE_VAL ? sim->tolerance[k] / local / sim->run.until : 0;
        const double least = LEAST_RATE * fmax(scale, k < end ? greatest : 0);
        if (fabs(a[k] - b[k]) > SAME_RATES * fmax(fmax(fabs(a[k]), fabs(b[k])), least))
            return true;
    }
    return false;
}

/* Branches: those of expressions and loads, then of friction in joints, then the segments of records. */
static int branch_count(const carom_model *m) { return m->switch_count + m->site_count + m->input_count; }

static int *branch(const carom_state *s, int n)
{
    const carom_model *m = s->model;
    const int site = n - m->switch_count, input = site - m->site_count;
    return site < 0 ? &s->switches[n] : input < 0 ? &s->site_stick[site] : &s->input_segment[input];
}

/* Whether a branch of the twins of a parameter is not that of the motion. */
static bool has_changed(const carom_simulation *sim, size_t i, int n)
{
    const int now = *branch(&sim->s, n);
    return *branch(&sim->tangents->of[i].twin[0]->s, n) != now || *branch(&sim->tangents->of[i].twin[1]->s, n) != now;
}

static bool is_found(const carom_simulation *sim, int root)
{
    return sim->tangents->by_root && root >= 0 && sim->integrator->root_found[sim->model->contact_root_count + root];
}

/* A root function has its zero at the present time if it is no more than this share of the run's time away: within
   what locates it. */
#define AT_ZERO 1e-9

/* Derivative of the time at which a root function passes through zero, now. NAN: it does not, as what it is of jumps,
   or has none. */
static double due_by_root(carom_simulation *sim, size_t i, int root)
{
    const double clock = sim->tangents->of[i].clock;
    passage p;
    if (root < 0 || !find_passage(sim, i, (root_of){-1, sim->model->contact_root_count + root}, &p))
        return (double)NAN;
    /* at rest at an edge, which the twins leave as the motion does */
    if (p.value == 0 && p.slope == 0)
        return clock;
    if (!sim->tangents->by_root || p.rate == 0)
        return (double)NAN;
    const bool passes = is_found(sim, root) || fabs(p.value / p.rate) <= AT_ZERO * sim->run.until;
    return passes ? clock - p.slope / p.rate : (double)NAN;
}

/* That of a branch of an expression. Where the time alone changes it, of the same branch in each twin. */
static double due_of(carom_simulation *sim, size_t i, int expr, int index)
{
    const carom_tangents *all = sim->tangents;
    const carom_tangent *of = &all->of[i];
    const carom_model_expr *e = &sim->model->exprs[expr];
    const int root = carom_expr_switch_root(e->expr, index), *before = of->twin[0]->s.switches + e->first_switch;
    if (root >= 0)
        return due_by_root(sim, i, e->first_root + root);
    if (!all->by_time)
        return (double)NAN;
    double at[3];
    for (int n = 0; n < 3; n++) {
        const carom_model *m = n < 2 ? of->twin[n]->model : sim->model;
        carom_expr_leaving(m->exprs[expr].expr, *sim->s.time, before, all->leaving);
        at[n] = all->leaving[index];
    }
    return at[2] <= *sim->s.time && isfinite(at[0]) && isfinite(at[1]) ? carom_tangent_slope(of, at[0], at[1])
                                                                       : (double)NAN;
}

static bool is_one(const carom_simulation *sim, size_t i, double a, double b)
{
    return fabs(a - b) <= fmax(TOGETHER * (fabs(a) + fabs(b)), NO_TIME * sim->run.until / sim->tangents->of[i].size);
}

/* What the known ones of so many branches agree on; NAN: they do not, or none is known. */
static double agreed(const carom_simulation *sim, size_t i, int first, int count)
{
    const double *due = sim->tangents->due;
    double all = (double)NAN;
    for (int n = first; n < first + count; n++) {
        if (!isfinite(due[n]))
            continue;
        if (isfinite(all) && !is_one(sim, i, all, due[n]))
            return (double)NAN;
        all = due[n];
    }
    return all;
}

static void fill(carom_simulation *sim, int first, int count, double value)
{
    double *due = sim->tangents->due;
    for (int n = first; n < first + count; n++)
        if (isnan(due[n]))
            due[n] = value;
}

static bool contact_changed(const carom_simulation *sim)
{
    bool changed = false;
    for (int k = 0; k < sim->model->contact_count; k++)
        changed = changed || changed_by(sim, k) >= 0;
    return changed;
}

/* What a branch follows that changes without a zero of its own: a contact, to whose instant the twins have come, what
   the others do, or what ended the step. */
static double due_of_others(carom_simulation *sim, size_t i)
{
    const carom_model *m = sim->model;
    if (contact_changed(sim))
        return sim->tangents->of[i].clock;
    const double one = agreed(sim, i, 0, branch_count(m));
    bool any = false;
    for (int n = 0; n < branch_count(m); n++)
        any = any || isfinite(sim->tangents->due[n]);
    for (int r = 0; r < m->root_count && !any; r++)
        if (is_found(sim, r))
            return due_by_root(sim, i, r);
    return one;
}

/* Derivatives of the times at which the branches that are not those of the motion change: HUGE_VAL where they are the
   same, NAN where it is not known. The twins are placed. */
static void find_due(carom_simulation *sim, size_t i)
{
    const carom_model *m = sim->model;
    double *due = sim->tangents->due;
    bool unknown = false;
    for (int n = 0; n < branch_count(m); n++)
        due[n] = has_changed(sim, i, n) ? (double)NAN : HUGE_VAL;
    for (int k = 0; k < m->expr_count; k++) {
        const int first = m->exprs[k].first_switch, count = carom_expr_switch_count(m->exprs[k].expr);
        for (int n = 0; n < count; n++)
            if (isnan(due[first + n]))
                due[first + n] = due_of(sim, i, k, n);
        /* as a comparison of what another branch lets jump */
        fill(sim, first, count, agreed(sim, i, first, count));
    }
    for (int k = 0; k < m->load_count; k++)
        for (int n = 0; m->loads[k].edges && n < m->loads[k].kind->switches; n++)
            if (isnan(due[m->loads[k].first_switch + n]))
                due[m->loads[k].first_switch + n] = due_by_root(sim, i, m->loads[k].first_root + n);
    for (int k = 0; k < m->site_count; k++)
        if (isnan(due[m->switch_count + k]) && is_found(sim, m->sites[k].root))
            due[m->switch_count + k] = due_by_root(sim, i, m->sites[k].root);
    fill(sim, m->switch_count + m->site_count, m->input_count, 0);
    for (int n = 0; n < branch_count(m); n++)
        unknown = unknown || isnan(due[n]);
    if (unknown)
        fill(sim, 0, branch_count(m), due_of_others(sim, i));
}

static bool differs(const carom_simulation *sim)
{
    for (int n = 0; n < branch_count(sim->model); n++)
        if (has_changed(sim, 0, n))
            return true;
    for (size_t i = 1; i < sim->tangents->count; i++)
        for (int n = 0; n < branch_count(sim->model); n++)
            if (has_changed(sim, i, n))
                return true;
    return false;
}

/* Gives the twins those branches of the motion that change at the instant of the first one which is left; false: none
   is. */
static bool take_group(carom_simulation *sim, size_t i, double *when)
{
    const carom_model *m = sim->model;
    carom_tangents *all = sim->tangents;
    double *due = all->due;
    int first = 0;
    while (first < branch_count(m) && due[first] == HUGE_VAL)
        first++;
    if (first == branch_count(m))
        return false;
    *when = due[first];
    for (int n = first; n < branch_count(m); n++) {
        if (due[n] == HUGE_VAL || (isnan(*when) ? !isnan(due[n]) : !is_one(sim, i, *when, due[n])))
            continue;
        due[n] = HUGE_VAL;
        const int site = n - m->switch_count;
        for (int side = 0; side < 2; side++) {
            carom_state *twin = &all->of[i].twin[side]->s;
            *branch(twin, n) = *branch(&sim->s, n);
            for (int k = 0; site >= 0 && site < m->site_count && k < CAROM_FRICTION_SLIPS; k++)
                twin->site_direction[CAROM_FRICTION_SLIPS * site + k] =
                    sim->s.site_direction[CAROM_FRICTION_SLIPS * site + k];
        }
    }
    return true;
}

/* Gives the twins the branches from before, or those of the motion. */
static void give_branches(carom_simulation *sim, size_t i, bool of_motion)
{
    for (int n = 0; n < branch_count(sim->model); n++)
        for (int side = 0; side < 2; side++)
            *branch(&sim->tangents->of[i].twin[side]->s, n) =
                of_motion ? *branch(&sim->s, n) : sim->tangents->kept[n];
}

/* The twins come to the instant of the switches that let rates jump. Those of other instants by the parameter, which
   are at the same one in the motion, are taken as (6) has it, each as if it were alone. */
static carom_status switch_tangent(carom_simulation *sim, size_t i)
{
    carom_tangents *all = sim->tangents;
    double *before = all->inside, *after = all->after, *s = carom_tangent_vector(all, all->y, i), first = 0, due;
    const double clock = all->of[i].clock;
    int groups = 0;
    CAROM_TRY(carom_tangent_place(sim, i));
    find_due(sim, i);
    memcpy(before, all->flow, all->n * sizeof *before);
    memcpy(after, before, all->n * sizeof *after);
    for (int n = 0; n < branch_count(sim->model); n++)
        all->kept[n] = *branch(&all->of[i].twin[0]->s, n);
    while (take_group(sim, i, &due)) {
        CAROM_TRY(carom_tangent_place(sim, i));
        if (jumps(sim, all->flow, before)) {
            if (!isfinite(due)) {
                give_branches(sim, i, true);
                return carom_tangent_lose(
                    sim, i, sim->statistics.steps == 0
                                ? "forces or rates jump just as the run starts, and with a value beside this one they "
                                  "do so before or after that; give a value with which no switch is at its edge then"
                                : "forces or rates jump there, and when they do has no derivative");
            }
            first = groups++ ? first : due;
            for (size_t k = 0; k < all->n; k++) {
                after[k] += all->flow[k] - before[k];
                s[k] -= (due - first) * (all->flow[k] - before[k]);
            }
        }
        give_branches(sim, i, false);
    }
    give_branches(sim, i, true);
    if (groups == 0)
        return CAROM_OK;
    if (groups > 1) {
        CAROM_TRY(carom_tangent_place(sim, i));
        if (jumps(sim, all->flow, after))
            return carom_tangent_lose(sim, i, "two switches change at the same instant, and which one is first depends "
                                              "on it");
    }
    memcpy(all->flow, before, all->n * sizeof *before);
    move(sim, i, first - clock);
    sim->restart = true;
    return CAROM_OK;
}

/* By how much the twins are later, than their clocks say, at the event that has ended the run. NAN: it has no
   derivative. */
static double stop_lateness(carom_simulation *sim, size_t i)
{
    const carom_model *m = sim->model;
    const int event = *sim->s.event_stop - 1;
    if (event >= m->event_count)
        return (double)NAN;
    const carom_model_expr *e = &m->exprs[m->events[event].expr];
    const int first = m->contact_root_count + e->first_root;
    double nearest = AT_ZERO * sim->run.until, late = (double)NAN;
    for (int r = 0; r < carom_expr_root_count(e->expr); r++) {
        passage p;
        if (!find_passage(sim, i, (root_of){-1, first + r}, &p) || p.rate == 0 || fabs(p.value / p.rate) > nearest)
            continue;
        nearest = fabs(p.value / p.rate);
        late = -p.slope / p.rate;
    }
    if (isfinite(late))
        return late;
    find_due(sim, i);
    late = agreed(sim, i, e->first_switch, carom_expr_switch_count(e->expr)) - sim->tangents->of[i].clock;
    /* what a contact made true is at the instant of the contact, where the twins have come to */
    return !isfinite(late) && contact_changed(sim) ? 0 : late;
}

/* Derivatives of the time at which an event has ended the run, before anything else of it is taken. */
static carom_status find_ends(carom_simulation *sim)
{
    carom_tangents *all = sim->tangents;
    for (size_t i = 0; i < all->count; i++) {
        carom_tangent *of = &all->of[i];
        of->end = (double)NAN;
        if (of->lost < HUGE_VAL)
            continue;
        CAROM_TRY(carom_tangent_place(sim, i));
        of->end = of->clock + stop_lateness(sim, i);
    }
    all->stopped = true;
    return CAROM_OK;
}

carom_status carom_tangents_switches(carom_simulation *sim)
{
    carom_tangents *all = sim->tangents;
    const carom_model *m = sim->model;
    if (!m->expr_count && !m->switch_count && !m->site_count)
        return CAROM_OK;
    if (*sim->s.event_stop && !all->stopped)
        CAROM_TRY(find_ends(sim));
    const bool changed = differs(sim);
    for (size_t i = 0; i < all->count && changed; i++)
        if (all->of[i].lost == HUGE_VAL)
            CAROM_TRY(switch_tangent(sim, i));
    for (size_t i = 0; i < all->count; i++)
        for (int side = 0; side < 2 && all->of[i].lost == HUGE_VAL; side++) {
            carom_tangent_put(sim, i, side, *sim->s.time, sim->s.q, carom_tangent_vector(all, all->y, i));
            if (carom_rhs_update(all->of[i].twin[side]) == 0)
                carom_stops_follow(sim, all->of[i].twin[side]);
        }
    carom_tangents_copy(sim);
    return CAROM_OK;
}
