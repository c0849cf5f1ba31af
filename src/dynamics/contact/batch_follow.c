/* Open episodes of contact sets at the end of a step: what changes in their laws, maxima and sums, and what opens and
   closes; and the passes over all blocks. */
#include "base/team.h"
#include "base/wide.h"
#include "dynamics/contact/contact_set.h"
#include "math/hermite.h"

#include <float.h>
#include <math.h>
#include <string.h>

static bool closes(const carom_set_block *k, const carom_batch *b, int n)
{
    return k->episode[n] >= 0 && b->gap[n] >= 0 && b->gap_rate[n] > 0;
}

/* ---- changes of the law ---- */

/* Constants that an episode has changed act at once. */
static void renew_force(const carom_set_block *k, const carom_episode *e, int n, carom_batch *b)
{
    carom_contact_point p = carom_batch_point(k, b, n);
    if (!(b->delta[n] > 0))
        return;
    carom_episode_force(k->law, e, &p);
    if (k->law->law.tension != CAROM_TENSION_ALLOW && p.force < 0) {
        p.damping = -p.elastic;
        p.force = 0;
    }
    b->elastic[n] = p.elastic;
    b->damping[n] = p.damping;
    b->raw[n] = p.raw_force;
    b->force[n] = p.force;
    b->energy[n] = p.energy;
    b->whole[n] = p.whole;
    b->loss[n] = p.loss;
    b->slope[n] = p.elastic_slope;
}

/* Where the elastic part has become stiffer at once a tangential spring keeps its force, as in located contacts. */
static void shorten_spring(carom_set_block *k, int n, double before, double slope)
{
    const bool spring = k->law->friction && k->law->friction->spring;
    for (int i = 0; spring && slope > before && i < 3; i++)
        k->z[i][n] *= before / slope;
}

static void change(carom_state *s, carom_set_block *k, int n, carom_batch *b)
{
    const carom_model_contact *c = k->law;
    carom_episode *e = &s->episodes[k->episode[n]];
    const bool adapts = carom_normal_adapts(&c->law);
    const double slope = b->slope[n];
    carom_set_take(k, n, e);
    const carom_contact_point p = carom_batch_point(k, b, n);
    bool changed = carom_episode_update_history(c, e, &p);
    if ((c->law.velocity == CAROM_VELOCITY_PER_COMPRESSION || adapts) && p.gap_rate < 0 && !e->compressing) {
        carom_episode_set_velocity(c, e, fmax(-p.gap_rate, 0), p.energy);
        changed = true;
    } else if (adapts && p.gap_rate < 0) {
        carom_episode_follow(c, e, carom_episode_followed(c, e, &p));
    }
    if (c->law.tension == CAROM_TENSION_CUT_OFF && carom_episode_tension(c, e, p.raw_force, &p))
        changed = true;
    if (changed)
        renew_force(k, e, n, b);
    carom_set_put(e, k, n);
    shorten_spring(k, n, slope, b->slope[n]);
}

void carom_batch_change(carom_state *s, carom_set_block *k, carom_batch *b)
{
    const carom_normal_law *law = &k->law->law;
    const bool always = law->elastic->history || law->tension == CAROM_TENSION_CUT_OFF;
    const bool compression = carom_normal_tells_compressions(law);
    if (!always && !compression)
        return;
    for (int n = 0; n < k->count; n++)
        if (k->episode[n] >= 0 && !closes(k, b, n) && (always || b->gap_rate[n] < 0))
            change(s, k, n, b);
}

/* ---- sums and maxima ---- */

/* Least gap between two steps of which the first falls and the second rises. */
static double least(const carom_hermite *k)
{
    const double q = 3 * k->d, p = k->c, discriminant = sqrt(fmax(p * p - q * k->b, 0));
    /* the root of q x^2 + 2 p x + b with a rising slope */
    const double x = p > 0 ? -k->b / (p + discriminant) : q != 0 ? (discriminant - p) / q : 1;
    return x > 0 && x < 1 ? carom_hermite_value(k, x) : fmin(k->a, carom_hermite_value(k, 1));
}

double carom_set_turn_depth(double h, double gap, double gap_rate, double gap_end, double gap_rate_end)
{
    const carom_hermite between = carom_hermite_between(h, gap, gap_rate, gap_end, gap_rate_end);
    return -least(&between);
}

/* What of a block is out of the ordinary at the end of a step. */
typedef struct block_news {
    bool changes, turns, peaks, ends;   /* opens or closes; compressions end; maxima grow; forces end or begin */
} block_news;

/* Open columns, of four. */
static inline carom_four_marks is_open(const carom_set_block *k, int n)
{
    return __builtin_convertvector(*carom_four_ints_of(&k->episode[n]), carom_four_marks) >= 0;
}

/* Those of them that stay so. */
static inline carom_four_marks followed(const carom_set_block *k, const carom_batch *b, int n)
{
    return is_open(k, n) & ((*carom_four_of(&b->gap[n]) < 0) | (*carom_four_of(&b->gap_rate[n]) <= 0));
}

/* Columns of which the force lasts: carom_episode_note_force_end(). */
static inline carom_four_marks acts(const carom_set_block *k, const carom_batch *b, bool cuts, int n)
{
    const carom_four_marks acts = (*carom_four_of(&b->force[n]) != 0) | (*carom_four_of(&b->gap_rate[n]) <= 0);
    return cuts ? acts & (__builtin_convertvector(*carom_four_ints_of(&k->cut_off[n]), carom_four_marks) == 0) : acts;
}

/* Where a compression ended within the step the gap was less than at both ends; by no more than 4/27 h times the sum of
   both rates, what a cubic polynomial may swing out. */
static inline carom_four_marks turns(const carom_set_block *k, const carom_batch *b, double h, int n)
{
    const carom_four was = *carom_four_of(&k->gap[n]), now = *carom_four_of(&b->gap[n]);
    const carom_four fell = *carom_four_of(&k->gap_rate[n]), rises = *carom_four_of(&b->gap_rate[n]);
    const carom_four nearer = CAROM_FOUR_WHERE(was < now, was, now);
    return (fell < 0) & (rises >= 0) & (0.25 * h * (rises - fell) - nearer > *carom_four_of(&k->peak_depth[n]));
}

static inline block_news look_at(const carom_set_block *k, const carom_batch *b, bool cuts, double h)
{
    carom_four_marks change = {0}, turn = {0}, peak = {0}, end = {0};
    for (int n = 0; n < CAROM_BATCH; n += 4) {
        const carom_four gap = *carom_four_of(&b->gap[n]), rate = *carom_four_of(&b->gap_rate[n]);
        const carom_four_marks open = is_open(k, n), on = followed(k, b, n);
        change |= (open & ~on) | (~open & (gap < 0));
        turn |= on & turns(k, b, h, n);
        peak |= on & ((*carom_four_of(&b->force[n]) > *carom_four_of(&k->peak_force[n])) |
                      (-gap > *carom_four_of(&k->peak_depth[n])) | (-rate > *carom_four_of(&k->fastest[n])));
        end |= on & ~acts(k, b, cuts, n);
    }
    return (block_news){CAROM_FOUR_ANY(change), CAROM_FOUR_ANY(turn), CAROM_FOUR_ANY(peak),
                        k->ended || CAROM_FOUR_ANY(end)};
}

static void keep_turns(carom_set_block *k, const carom_batch *b, double h)
{
    for (int n = 0; n < k->count; n++)
        if (k->episode[n] >= 0 && !closes(k, b, n) && k->gap_rate[n] < 0 && b->gap_rate[n] >= 0)
            k->peak_depth[n] = fmax(k->peak_depth[n], carom_set_turn_depth(h, k->gap[n], k->gap_rate[n], b->gap[n],
                                                                           b->gap_rate[n]));
}

/* The larger ones where `on`. */
static inline void keep_larger(carom_four_marks on, carom_four now, double *peak)
{
    const carom_four was = *carom_four_of(peak);
    *carom_four_at(peak) = CAROM_FOUR_WHERE(on & (now > was), now, was);
}

static inline void keep_peaks(carom_set_block *k, const carom_batch *b, double t)
{
    const carom_four now = {t, t, t, t};
    for (int n = 0; n < CAROM_BATCH; n += 4) {
        const carom_four_marks on = followed(k, b, n);
        const carom_four force = *carom_four_of(&b->force[n]);
        const carom_four_marks more = on & (force > *carom_four_of(&k->peak_force[n]));
        *carom_four_at(&k->peak_time[n]) = CAROM_FOUR_WHERE(more, now, *carom_four_of(&k->peak_time[n]));
        keep_larger(on, force, &k->peak_force[n]);
        keep_larger(on, -*carom_four_of(&b->gap[n]), &k->peak_depth[n]);
        keep_larger(on, -*carom_four_of(&b->gap_rate[n]), &k->fastest[n]);
    }
}

/* Elastic energy where the force of column n became zero within the step, whose end has the energy of less: where the
   straight line between the forces at both ends passes through zero [J]. */
static double energy_at_end(const carom_set_block *k, const carom_batch *b, int n, double h)
{
    const double before = k->force[n], raw = b->raw[n], x = before > 0 && raw < 0 ? before / (before - raw) : 1;
    const double deeper = (1 - x) * h * b->gap_rate[n];
    return b->energy[n] + deeper * (b->elastic[n] + 0.5 * deeper * b->slope[n]);
}

/* What the contact holds where the force ends is given up, and taken back where it acts again. */
static void keep_cut_off(carom_set_block *k, const carom_batch *b, int n, bool ends, double h)
{
    k->cutoff_loss[n] += ends ? energy_at_end(k, b, n, h) : -b->energy[n];
}

/* When the force became zero, and what was given up. */
static inline void keep_force_end(carom_set_block *k, const carom_batch *b, double h, double t)
{
    const carom_four now = {t, t, t, t}, none = {-1, -1, -1, -1};
    carom_four_marks ended = {0};
    for (int n = 0; n < CAROM_BATCH; n += 4) {
        const carom_four was = *carom_four_of(&k->force_end[n]);
        const carom_four end = CAROM_FOUR_WHERE(acts(k, b, true, n), none, CAROM_FOUR_WHERE(was < 0, now, was));
        const carom_four is = CAROM_FOUR_WHERE(followed(k, b, n), end, was);
        const carom_four_marks turned = (was < 0) != (is < 0);
        *carom_four_at(&k->force_end[n]) = is;
        for (int i = 0; CAROM_FOUR_ANY(turned) && i < 4; i++)
            if (turned[i])
                keep_cut_off(k, b, n + i, is[i] >= 0, h);
        ended |= is != none;
    }
    k->ended = CAROM_FOUR_ANY(ended);
}

/* Takes the values of four columns over where `on`; adds the integral of the step to `sum`. */
static inline void take_over(carom_four_marks on, carom_four half, carom_four now, double *value, double *sum)
{
    const carom_four was = *carom_four_of(value);
    if (sum)
        *carom_four_at(sum) += half * (was + now);
    *carom_four_at(value) = CAROM_FOUR_WHERE(on, now, was);
}

CAROM_WIDE static bool keep_all(carom_set_block *k, const carom_batch *b, double h, double t)
{
    const int compresses = carom_normal_adapts(&k->law->law) ? CAROM_FOLLOWING : CAROM_COMPRESSING;
    const block_news news = k->law->law.tension == CAROM_TENSION_CUT_OFF ? look_at(k, b, true, h)
                                                                         : look_at(k, b, false, h);
    if (news.turns)
        keep_turns(k, b, h);
    if (news.peaks)
        keep_peaks(k, b, t);
    if (news.ends)
        keep_force_end(k, b, h, t);
    for (int n = 0; n < CAROM_BATCH; n += 4) {
        const carom_four_marks on = followed(k, b, n);
        const carom_four whole = {0.5 * h, 0.5 * h, 0.5 * h, 0.5 * h}, none = {0};
        const carom_four half = CAROM_FOUR_WHERE(on, whole, none), rate = *carom_four_of(&b->gap_rate[n]);
        const carom_four loss = -(*carom_four_of(&b->damping[n]) + *carom_four_of(&b->loss[n])) * rate;
        take_over(on, half, *carom_four_of(&b->force[n]), &k->force[n], &k->impulse[n]);
        take_over(on, half, loss, &k->loss_power[n], &k->loss[n]);
        take_over(on, half, *carom_four_of(&b->friction_power[n]), &k->friction_power[n], &k->friction_loss[n]);
        take_over(on, half, *carom_four_of(&b->gap[n]), &k->gap[n], NULL);
        take_over(on, half, rate, &k->gap_rate[n], NULL);
    }
    for (int n = 0; n < CAROM_BATCH && carom_normal_tells_compressions(&k->law->law); n++) {
        const bool on = k->episode[n] >= 0 && !closes(k, b, n);
        k->compressing[n] = !on ? k->compressing[n] : b->gap_rate[n] >= 0 ? CAROM_OPENING : compresses;
    }
    return news.changes;
}

bool carom_batch_keep(carom_set_block *k, const carom_batch *b, double h, double t)
{
    for (int n = 0; n < k->count && k->law->pair->points; n++) {
        if (closes(k, b, n))
            continue;
        k->less[n] = b->less[n];
        k->whole[n] = b->whole[n];
    }
    return keep_all(k, b, h, t);
}

/* Energy that vanishes from an open column over a step, as its gap jumps or its share of the law changes: no force does
   work there (book_share() of the located contacts). What a column holds that does not act has been given up, and is
   taken back as it is then. */
static double vanished(carom_set_block *k, const carom_batch *b, int n, double h)
{
    const double before = (1 - k->less[n]) * k->whole[n];
    if (!carom_set_jumped(k->law, h, k->gap[n], k->gap_rate[n], b->gap[n], b->gap_rate[n]))
        return 0.5 * (k->whole[n] + b->whole[n]) * (b->less[n] - k->less[n]);
    if (k->force_end[n] >= 0)
        k->cutoff_loss[n] += b->energy[n] - before;
    return before - b->energy[n];
}

static void add_vanished(carom_set_block *k, const carom_batch *b, double h, carom_set_sums *sums)
{
    for (int n = 0; n < k->count && k->law->pair->points && h > 0; n++)
        if (k->episode[n] >= 0 && !closes(k, b, n))
            sums->vanished += vanished(k, b, n, h);
}

/* One column behind the other, so that the sums do not depend on the columns that are apart: these have no force. */
CAROM_WIDE static void add_sums(const carom_set_block *k, const carom_batch *b, carom_set_sums *sums)
{
    carom_four all = {sums->force, sums->energy, sums->loss_power, sums->friction_power}, largest = {0};
    carom_four_marks count = {0};
    for (int n = 0; n < CAROM_BATCH; n += 4) {
        carom_four force = *carom_four_of(&b->force[n]), energy = *carom_four_of(&b->energy[n]);
        const carom_four damping = *carom_four_of(&b->damping[n]) + *carom_four_of(&b->loss[n]);
        carom_four loss = -damping * *carom_four_of(&b->gap_rate[n]);
        carom_four friction = *carom_four_of(&b->friction_power[n]);
        count -= followed(k, b, n);
        largest = CAROM_FOUR_WHERE(force > largest, force, largest);
        CAROM_FOUR_TRANSPOSE(force, energy, loss, friction);
        all += force;
        all += energy;
        all += loss;
        all += friction;
    }
    sums->count += (int)(count[0] + count[1] + count[2] + count[3]);
    for (int n = 0; n < 4; n++)
        sums->largest = largest[n] > sums->largest ? largest[n] : sums->largest;
    sums->force = all[0];
    sums->energy = all[1];
    sums->loss_power = all[2];
    sums->friction_power = all[3];
}

/* Places of a patch that touch and bear nothing: others bear for them. */
static int idle(const carom_set_block *k, const carom_batch *b)
{
    int count = 0;
    for (int n = 0; n < k->count && k->law->pair->points; n++)
        count += k->episode[n] >= 0 && !closes(k, b, n) && b->less[n] >= 1;
    return count;
}

void carom_batch_sum(const carom_set_block *k, const carom_batch *b, carom_set_sums *sums)
{
    add_sums(k, b, sums);
    sums->count -= idle(k, b);
}

/* ---- passes ---- */

/* A step of the sets; without one (`step` NULL) the forces alone. */
typedef struct set_step {
    double h, t;
} set_step;

static void note(carom_set_chunk *chunk, carom_set_change what, int block, int column, const carom_batch *b)
{
    chunk->events[chunk->event_count++] =
        (carom_set_event){what, block, column, b->gap[column], b->gap_rate[column]};
}

static bool has_limit(const carom_set_block *k) { return k->law->varies || isfinite(k->law->law.limit); }

/* What opens and closes, and what is deeper than its law holds. */
static void note_events(carom_set_chunk *chunk, const carom_state *s, const carom_set_block *k, int block,
                        const carom_batch *b)
{
    const bool limited = has_limit(k);
    for (int n = 0; n < k->count; n++) {
        if (k->episode[n] < 0 && b->gap[n] < 0)
            note(chunk, CAROM_SET_OPENS, block, n, b);
        else if (closes(k, b, n))
            note(chunk, CAROM_SET_CLOSES, block, n, b);
        else if (limited && b->delta[n] > 0 &&
                 b->delta[n] > carom_episode_limit(k->law, &s->episodes[k->episode[n]]))
            note(chunk, CAROM_SET_PASSES_LIMIT, block, n, b);
    }
}

static void keep_places(carom_state *s, const carom_set_block *k, const carom_batch *b)
{
    for (int n = 0; n < k->count; n++)
        if (k->episode[n] >= 0 && !closes(k, b, n))
            for (int side = 0; side < 2; side++)
                s->episodes[k->episode[n]].parameter[k->law->swapped ? 1 - side : side] = b->place[side][n];
}

/* A point that has gone to another place of the surfaces, farther apart than its rate closes within a step, leaves,
   whatever its rate. */
static void let_go(const carom_set_block *k, double h, carom_batch *b)
{
    for (int n = 0; n < k->count && k->law->pair->points; n++)
        if (k->episode[n] >= 0 && b->gap[n] > -CAROM_SET_MOST_WAY * h * b->gap_rate[n])
            b->gap_rate[n] = fmax(b->gap_rate[n], DBL_MIN);
}

/* The forces at the end of a step. */
static void follow_block(carom_evaluation *d, carom_state *s, carom_set_chunk *chunk, int block, const set_step *step,
                         carom_batch *b)
{
    carom_set_block *k = &d->system->sets->blocks[block];
    carom_batch_normal(d, s, k, true, b);
    let_go(k, step->h, b);
    carom_batch_change(s, k, b);
    carom_batch_rub(d, k, step->h, k->z, b);
    if (k->law->pair->varies)
        keep_places(s, k, b);
    add_vanished(k, b, step->h, &chunk->sums[k->set]);
    if (carom_batch_keep(k, b, step->h, step->t) || has_limit(k))
        note_events(chunk, s, k, block, b);
}

static void evaluate_block(const carom_evaluation *d, const carom_state *s, const carom_set_block *k, carom_batch *b)
{
    double states[CAROM_FRICTION_STATE][CAROM_BATCH];
    if (k->law->friction && k->law->friction->state)
        memcpy(states, k->z, sizeof states);
    carom_batch_normal(d, s, k, false, b);
    carom_batch_rub(d, k, 0, states, b);
}

static void pass_block(carom_evaluation *d, carom_state *s, carom_set_chunk *chunk, int block, const set_step *step)
{
    const carom_set_block *k = &d->system->sets->blocks[block];
    carom_batch b;
    if (step)
        follow_block(d, s, chunk, block, step, &b);
    else
        evaluate_block(d, s, k, &b);
    carom_batch_apply(d, chunk, k, &b);
    carom_batch_sum(k, &b, &chunk->sums[k->set]);
}

/* Blocks on their way from memory while one is worked on: those of many balls come from far away, and a step reads each
   once. */
#define BLOCKS_AHEAD 3

/* Asks for what a step reads of the block so many behind one, as a rule of the same law: into the second cache, as the
   first, which the work on a block fills, takes but few lines at a time. */
static void fetch_ahead(const carom_sets *p, int block)
{
    const carom_model_contact *law = p->blocks[block].law;
    const int states = law->friction ? law->friction->state : 0;
    if ((size_t)block + BLOCKS_AHEAD >= p->block_count)
        return;
    const carom_set_block *next = &p->blocks[block + BLOCKS_AHEAD];
    for (const char *at = (const char *)next, *end = (const char *)next->z[states]; at < end; at += 64)
        __builtin_prefetch(at, 0, 2);
}

static void begin_chunk(const carom_evaluation *d, carom_set_chunk *chunk)
{
    chunk->event_count = 0;
    memset(&chunk->ground, 0, sizeof chunk->ground);
    memset(chunk->sums, 0, (size_t)d->model->contact_set_count * sizeof *chunk->sums);
}

static void pass_chunk(carom_evaluation *d, carom_state *s, carom_set_chunk *chunk, const set_step *step)
{
    begin_chunk(d, chunk);
    if (chunk->last_body >= chunk->first_body)
        memset(&d->set_wrench[chunk->first_body], 0,
               (size_t)(chunk->last_body - chunk->first_body + 1) * sizeof *d->set_wrench);
    for (int k = chunk->first_block, end = k + chunk->block_count; k < end; k++) {
        fetch_ahead(d->system->sets, k);
        pass_block(d, s, chunk, k, step);
    }
}

/* Adds the shares that other chunks have in a part of the bodies. */
static void collect(carom_evaluation *d, int part)
{
    const carom_sets *p = d->system->sets;
    const size_t parts = (size_t)carom_body_parts(d->model);
    for (int from = 0; from < p->chunk_count; from++) {
        const size_t *first = &p->first_share[(size_t)from * parts + (size_t)part];
        for (size_t n = first[0]; n < first[1]; n++) {
            const carom_set_share *share = &p->shares[n];
            carom_wrench *w = &d->set_wrench[share->body];
            if (!share->body)
                continue;
            w->force = carom_v3_add(w->force, share->wrench.force);
            w->torque = carom_v3_add(w->torque, share->wrench.torque);
        }
    }
}

typedef struct pass_task {
    carom_evaluation *d;
    carom_state *s;
    const set_step *step;
} pass_task;

static void pass_one(void *user, int k)
{
    const pass_task *task = user;
    pass_chunk(task->d, task->s, &task->d->system->sets->chunks[k], task->step);
}

static void collect_one(void *user, int k)
{
    const pass_task *task = user;
    collect(task->d, k);
}

/* Sums over the chunks, in their order. */
static void sum_up(carom_evaluation *d)
{
    const carom_sets *p = d->system->sets;
    const int sets = d->model->contact_set_count;
    memset(d->sums, 0, (size_t)sets * sizeof *d->sums);
    memset(d->set_wrench, 0, sizeof *d->set_wrench);
    for (int k = 0; k < p->chunk_count; k++) {
        d->set_wrench[0].force = carom_v3_add(d->set_wrench[0].force, p->chunks[k].ground.force);
        d->set_wrench[0].torque = carom_v3_add(d->set_wrench[0].torque, p->chunks[k].ground.torque);
        for (int n = 0; n < sets; n++) {
            carom_set_sums *sum = &d->sums[n];
            const carom_set_sums *part = &p->chunks[k].sums[n];
            sum->count += part->count;
            sum->force += part->force;
            sum->largest = fmax(sum->largest, part->largest);
            sum->energy += part->energy;
            sum->loss_power += part->loss_power;
            sum->friction_power += part->friction_power;
            sum->vanished += part->vanished;
        }
    }
}

static void pass(carom_evaluation *d, carom_state *s, const set_step *step)
{
    const carom_system *system = d->system;
    pass_task task = {d, s, step};
    carom_team_run(system->threads, system->sets->chunk_count, pass_one, &task);
    carom_team_run(system->threads, carom_body_parts(d->model), collect_one, &task);
    sum_up(d);
}

/* What threads share where bodies move with the forces. */
typedef struct move_task {
    carom_evaluation *d;
    carom_state *s;
    const set_step *step;
    const carom_set_mover *mover;
} move_task;

static void advance_part(const move_task *task, int part)
{
    carom_evaluation *d = task->d;
    int first;
    const int end = carom_body_part(d->model, part, &first);
    memset(&d->set_wrench[first + 1], 0, (size_t)(end - first) * sizeof *d->set_wrench);
    task->mover->advance(task->mover->user, part);
}

static void end_part(const move_task *task, int part)
{
    collect(task->d, part);
    task->mover->loaded(task->mover->user, part);
}

static void advance_border(void *user, int part)
{
    const move_task *task = user;
    if (task->d->system->sets->border[part])
        advance_part(task, part);
}

static void end_border(void *user, int part)
{
    const move_task *task = user;
    if (task->d->system->sets->border[part])
        end_part(task, part);
}

/* From part `next` to the last one, those within the group; returns what is next then. */
static int advance_to(const move_task *task, int last, int next)
{
    for (; next <= last; next++)
        if (!task->d->system->sets->border[next])
            advance_part(task, next);
    return next;
}

/* Bodies are moved when the first block asks for their poses, and are told of their forces behind the last chunk that
   has one on them: what a step does to a body is done while it and its neighbours are near. */
static void pass_group(void *user, int group)
{
    const move_task *task = user;
    const carom_sets *p = task->d->system->sets;
    int first;
    const int end = carom_set_group(p, group, &first);
    const int from = (p->chunks[first].first_body - 1) / CAROM_BODY_PART;
    const int last = (p->chunks[end - 1].last_body - 1) / CAROM_BODY_PART;
    int next = from;
    for (int c = first; c < end; c++) {
        carom_set_chunk *chunk = &p->chunks[c];
        begin_chunk(task->d, chunk);
        for (int k = chunk->first_block, behind = k + chunk->block_count; k < behind; k++) {
            fetch_ahead(p, k);
            next = advance_to(task, p->blocks[k].last_part < last ? p->blocks[k].last_part : last, next);
            pass_block(task->d, task->s, chunk, k, task->step);
        }
        for (int part = from; part <= last; part++) {
            if (p->last_chunk[part] != c || p->border[part])
                continue;
            next = advance_to(task, part, next);
            end_part(task, part);
        }
    }
}

/* What chunks of several groups ask for is moved before them, and told of its forces behind them. */
static void pass_moving(carom_evaluation *d, carom_state *s, const set_step *step, const carom_set_mover *mover)
{
    const carom_system *system = d->system;
    const int groups = system->sets->group_count, parts = groups > 1 ? carom_body_parts(d->model) : 0;
    move_task task = {d, s, step, mover};
    carom_team_run(system->threads, parts, advance_border, &task);
    carom_team_run(system->threads, groups, pass_group, &task);
    carom_team_run(system->threads, parts, end_border, &task);
    sum_up(d);
}

void carom_sets_evaluate(carom_evaluation *d, const carom_state *s)
{
    carom_state same = *s; /* nothing of its lists is changed without a step */
    if (d->system->sets)
        pass(d, &same, NULL);
}

void carom_sets_follow(carom_evaluation *d, carom_state *s, double t0, double t, const carom_set_mover *mover)
{
    const set_step step = {t - t0, t};
    if (mover)
        pass_moving(d, s, &step, mover);
    else
        pass(d, s, &step);
}

/* Copies column n of a block, and what stands beside it. */
static void copy_column(const carom_set_block *from, int n, carom_set_block *to, int at)
{
    to->point[at] = from->point[n];
    to->reach[at] = from->reach[n];
    to->slot[at] = from->slot[n];
    to->episode[at] = from->episode[n];
    for (int side = 0; side < 2; side++) {
        to->member[side][at] = from->member[side][n];
        to->body[side][at] = from->body[side][n];
        to->shape[side][at] = from->shape[side][n];
    }
    carom_set_copy(from, n, to, at);
}

void carom_sets_open(carom_evaluation *d, carom_state *s, size_t episode, double h, double t)
{
    carom_sets *p = d->system->sets;
    carom_set_block *k = &p->blocks[p->columns[episode].block], *single = p->single;
    const int n = p->columns[episode].column;
    carom_set_chunk everything = {.first_body = 1, .last_body = d->model->body_count};
    carom_batch b;
    single->law = k->law;
    single->set = k->set;
    single->count = 1;
    copy_column(k, n, single, 0);
    /* columns that are not in use read its bodies */
    for (int i = 1; i < CAROM_BATCH; i++)
        for (int side = 0; side < 2; side++)
            single->body[side][i] = single->body[side][0];
    const int slot = single->slot[0];
    single->slot[0] = -1;
    carom_batch_normal(d, s, single, true, &b);
    carom_batch_rub(d, single, h, single->z, &b);
    carom_batch_keep(single, &b, h, t);
    carom_batch_apply(d, &everything, single, &b);
    carom_batch_sum(single, &b, &d->sums[k->set]);
    d->set_wrench[0].force = carom_v3_add(d->set_wrench[0].force, everything.ground.force);
    d->set_wrench[0].torque = carom_v3_add(d->set_wrench[0].torque, everything.ground.torque);
    single->slot[0] = slot;
    copy_column(single, 0, k, n);
}

carom_contact_point carom_set_point(const carom_evaluation *d, const carom_state *s, size_t episode)
{
    const carom_sets *p = d->system->sets;
    const carom_set_block *k = &p->blocks[p->columns[episode].block];
    const int n = p->columns[episode].column;
    carom_batch b;
    carom_batch_normal(d, s, k, false, &b);
    carom_contact_point point = carom_batch_point(k, &b, n);
    point.point = carom_v3_add(d->pose[k->body[k->law->swapped ? 1 : 0][n]].p, point.arm_i);
    return point;
}
