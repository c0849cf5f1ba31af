/* Contact sets: the blocks of their near pairs, made from the list of the broad phase, and what the episodes of the
   state keep in them. */
#include "dynamics/contact/contact_set.h"

#include "base/team.h"
#include <math.h>
#include <string.h>

/* Parts of the bodies in a chunk at least, and chunks at most. */
#define CHUNK_PARTS 4
#define MOST_CHUNKS 16
/* Groups of a thread: when one is held up, another one takes its next. */
#define THREAD_GROUPS 2

/* ---- creation ---- */

/* A shape as the batches read it; members with equal ones have one. */
static void make_shapes(carom_sets *p, const carom_model *m)
{
    int count = 0;
    for (int k = 0; k < m->member_count; k++) {
        const carom_model_shape *shape = &m->shapes[m->members[k].shape];
        const bool sized = isfinite(m->members[k].radius) && shape->size > 0;
        carom_batch_shape *own = &p->shapes[count];
        own->p = shape->p;
        own->at = shape->at;
        own->axes = shape->axes;
        own->centred = shape->centred;
        own->parallel = shape->parallel;
        own->isotropic = shape->kind->isotropic;
        /* copies stand behind each other */
        const carom_model_shape *former = k ? &m->shapes[m->members[k - 1].shape] : NULL;
        const bool same = sized && former && own->centred && former->centred && own->isotropic &&
                          former->kind == shape->kind && former->size == shape->size &&
                          memcmp(former->p, shape->p, (size_t)shape->size * sizeof *shape->p) == 0;
        p->shape_of[k] = same ? p->shape_of[k - 1] : own;
        count += !same;
    }
}

static void clear_column(carom_set_block *k, int n)
{
    static const carom_episode apart = {.mass = 1, .v0 = 1, .force_end = -1};
    carom_set_put(&apart, k, n);
    k->episode[n] = -1;
}

/* Columns behind the last one in use: apart, with the bodies of the first. */
static void clear_rest(carom_set_block *k)
{
    for (int n = k->count; n < CAROM_BATCH; n++) {
        clear_column(k, n);
        k->slot[n] = -1;
        for (int side = 0; side < 2; side++) {
            k->body[side][n] = k->body[side][0];
            k->shape[side][n] = k->shape[side][0];
        }
    }
}

/* What all columns share. */
static void note_common(carom_set_block *k)
{
    int last = 0;
    k->shared = false;
    k->same[0] = k->shape[0][0];
    k->same[1] = k->shape[1][0];
    for (int n = 0; n < k->count; n++) {
        k->shared = k->shared || k->slot[n] >= 0;
        for (int side = 0; side < 2; side++) {
            k->same[side] = k->shape[side][n] == k->same[side] ? k->same[side] : NULL;
            last = k->body[side][n] > last ? k->body[side][n] : last;
        }
    }
    k->last_part = last ? (last - 1) / CAROM_BODY_PART : -1;
}

/* All compositions that occur. */
static void list_laws(carom_sets *p, const carom_model *m)
{
    for (int k = 0; k < m->contact_set_count; k++)
        for (int n = 0; n < m->contact_sets[k].group_count * m->contact_sets[k].group_count; n++)
            if (m->contact_sets[k].laws[n])
                p->laws[p->law_count++] = m->contact_sets[k].laws[n];
}

/* See carom_sets.round. */
static bool all_round(const carom_sets *p, const carom_model *m)
{
    bool round = true;
    for (int k = 0; k < m->member_count && round; k++) {
        const carom_model_shape *shape = &m->shapes[m->members[k].shape];
        round = m->members[k].body ? shape->centred && shape->kind->isotropic : !isfinite(m->members[k].radius);
    }
    for (int k = 0; k < p->law_count && round; k++)
        round = p->laws[k]->pair->batch != NULL;
    return round;
}

static carom_status allocate(carom_sets *p, const carom_model *m)
{
    carom_arena *a = &p->arena;
    const size_t members = (size_t)m->member_count, sets = (size_t)m->contact_set_count;
    const size_t parts = (size_t)carom_body_parts(m);
    size_t laws = 0;
    for (int k = 0; k < m->contact_set_count; k++)
        laws += (size_t)m->contact_sets[k].group_count * (size_t)m->contact_sets[k].group_count;
    const int least = (carom_body_parts(m) + MOST_CHUNKS - 1) / MOST_CHUNKS;
    p->chunk_bodies = CAROM_BODY_PART * (least > CHUNK_PARTS ? least : CHUNK_PARTS);
    p->chunk_count = (m->body_count + p->chunk_bodies - 1) / p->chunk_bodies;
    if (p->chunk_count < 1)
        p->chunk_count = 1;
    const size_t chunks = (size_t)p->chunk_count;
    if (!(p->shapes = carom_arena_alloc(a, members, sizeof *p->shapes)) ||
        !(p->shape_of = carom_arena_alloc(a, members, sizeof *p->shape_of)) ||
        !(p->laws = carom_arena_alloc(a, laws, sizeof *p->laws)) ||
        !(p->chunks = carom_arena_alloc(a, chunks, sizeof *p->chunks)) ||
        !(p->chunk_sums = carom_arena_alloc(a, chunks * sets, sizeof *p->chunk_sums)) ||
        !(p->first_share = carom_arena_alloc(a, chunks * parts + 1, sizeof *p->first_share)) ||
        !(p->last_chunk = carom_arena_alloc(a, parts, sizeof *p->last_chunk)) ||
        !(p->border = carom_arena_alloc(a, parts, sizeof *p->border)) ||
        !(p->reopened = carom_arena_alloc(a, parts, sizeof *p->reopened)) ||
        !(p->places = carom_arena_alloc(a, chunks * laws + 1, sizeof *p->places)) ||
        !(p->single = carom_arena_alloc(a, 1, sizeof *p->single)))
        return carom_fail_memory(p->ctx);
    for (int k = 0; k < p->chunk_count; k++) {
        const int last = (k + 1) * p->chunk_bodies;
        p->chunks[k].first_body = k * p->chunk_bodies + 1;
        p->chunks[k].last_body = last < m->body_count ? last : m->body_count;
        p->chunks[k].sums = p->chunk_sums + (size_t)k * sets;
    }
    make_shapes(p, m);
    list_laws(p, m);
    p->round = all_round(p, m);
    p->single->shape[0][0] = p->single->shape[1][0] = p->shapes;
    if ((p->single->law = p->laws[0]))
        clear_rest(p->single);
    p->single->same[0] = p->single->same[1] = NULL;
    return CAROM_OK;
}

carom_status carom_sets_create(carom_context *ctx, const carom_model *m, carom_sets **out)
{
    *out = NULL;
    carom_sets *p = carom_allocate(ctx, 1, sizeof *p);
    if (!p)
        return carom_fail_memory(ctx);
    p->ctx = ctx;
    carom_arena_init(&p->arena, ctx);
    carom_status status = carom_broad_create(ctx, m, &p->broad);
    if (status == CAROM_OK)
        status = allocate(p, m);
    if (status != CAROM_OK) {
        carom_sets_free(p);
        return status;
    }
    *out = p;
    return CAROM_OK;
}

void carom_sets_free(carom_sets *p)
{
    if (!p)
        return;
    carom_broad_free(p->broad);
    carom_release(p->ctx, p->blocks, p->block_capacity, sizeof *p->blocks);
    carom_release(p->ctx, p->former, p->former_capacity, sizeof *p->former);
    carom_release(p->ctx, p->events, p->event_capacity, sizeof *p->events);
    carom_release(p->ctx, p->shares, p->share_capacity, sizeof *p->shares);
    carom_release(p->ctx, p->columns, p->column_capacity, sizeof *p->columns);
    carom_arena_free(&p->arena);
    carom_release(p->ctx, p, 1, sizeof *p);
}

carom_status carom_sets_grow(carom_sets *p, carom_state *state, size_t episodes)
{
    CAROM_TRY(carom_grow(p->ctx, &p->columns, &p->column_capacity, episodes, sizeof *p->columns));
    return carom_state_grow(state, episodes);
}

const carom_model_contact *carom_set_law(const carom_model *m, const carom_episode *e)
{
    const carom_contact_set *set = &m->contact_sets[e->set];
    return set->laws[m->members[e->i].group * set->group_count + m->members[e->j].group];
}

/* ---- episodes ---- */

/* The state of friction is that of the second shape against the first, which the pair kind may take the other way
   round. */
static double turned(const carom_set_block *k, int n) { return k->law->swapped && n < 3 ? -1 : 1; }

/* Of laws that do not tell compressions apart it follows from the rate. */
static int compression(const carom_set_block *k, int n)
{
    if (carom_normal_tells_compressions(&k->law->law))
        return k->compressing[n];
    return k->gap_rate[n] >= 0 ? CAROM_OPENING : CAROM_COMPRESSING;
}

void carom_set_take(const carom_set_block *k, int n, carom_episode *e)
{
#define FIELD(name) e->name = k->name[n];
    CAROM_BLOCK_FIELDS(FIELD)
    CAROM_BLOCK_RARE_FIELDS(FIELD)
#undef FIELD
    e->compressing = compression(k, n);
    e->cut_off = k->cut_off[n];
    for (int i = 0; i < CAROM_FRICTION_STATE; i++)
        e->friction[i] = turned(k, i) * k->z[i][n];
}

void carom_set_put(const carom_episode *e, carom_set_block *k, int n)
{
#define FIELD(name) k->name[n] = e->name;
    CAROM_BLOCK_FIELDS(FIELD)
    CAROM_BLOCK_RARE_FIELDS(FIELD)
#undef FIELD
    k->compressing[n] = e->compressing;
    k->cut_off[n] = e->cut_off;
    /* threads that fill columns of one block may set it at the same time */
    if (e->force_end != -1)
        __atomic_store_n(&k->ended, true, __ATOMIC_RELAXED);
    for (int i = 0; i < CAROM_FRICTION_STATE; i++)
        k->z[i][n] = turned(k, i) * e->friction[i];
}

void carom_set_copy(const carom_set_block *from, int n, carom_set_block *to, int at)
{
#define FIELD(name) to->name[at] = from->name[n];
    CAROM_BLOCK_FIELDS(FIELD)
    CAROM_BLOCK_RARE_FIELDS(FIELD)
#undef FIELD
    to->compressing[at] = from->compressing[n];
    to->cut_off[at] = from->cut_off[n];
    if (from->force_end[n] != -1)
        __atomic_store_n(&to->ended, true, __ATOMIC_RELAXED);
    for (int i = 0; i < CAROM_FRICTION_STATE; i++)
        to->z[i][at] = from->z[i][n];
}

void carom_set_bind(carom_sets *p, size_t episode, int block, int column)
{
    p->columns[episode] = (carom_set_column){block, column};
    p->blocks[block].episode[column] = (int)episode;
}

typedef struct store_task {
    const carom_sets *p;
    carom_state *s;
} store_task;

static void store_some(void *user, int first, int end)
{
    const store_task *task = user;
    for (int k = first; k < end; k++) {
        const carom_set_column at = task->p->columns[k];
        carom_set_take(&task->p->blocks[at.block], at.column, &task->s->episodes[k]);
    }
}

void carom_sets_store(const carom_sets *p, carom_state *s)
{
    store_task task = {p, s};
    carom_team_share(p->threads, p->built ? (int)s->episode_count : 0, store_some, &task);
}

/* ---- blocks ---- */

static int chunk_of(const carom_sets *p, int body) { return (body - 1) / p->chunk_bodies; }

/* The chunk that has a pair of bodies, and the part of the second where that is in another one; else -1. */
static int home_of(const carom_sets *p, int body_i, int body_j, int *part)
{
    const int home = chunk_of(p, body_i ? body_i : body_j), second = body_i && body_j ? chunk_of(p, body_j) : home;
    *part = second == home ? -1 : (body_j - 1) / CAROM_BODY_PART;
    return home;
}

static int law_index(const carom_sets *p, const carom_candidate *c)
{
    int k = 0;
    while (p->laws[k] != c->law)
        k++;
    return k;
}

static size_t *place_of(const carom_sets *p, const carom_model *m, const carom_candidate *c, int *part)
{
    const int home = home_of(p, m->members[c->i].body, m->members[c->j].body, part);
    return &p->places[home * p->law_count + law_index(p, c)];
}

/* Counts columns and shares, and takes room for them: the places are then those of the first columns. */
static carom_status lay_out(carom_sets *p, const carom_model *m, const carom_candidate *list, size_t count)
{
    const size_t groups = (size_t)(p->chunk_count * p->law_count), parts = (size_t)carom_body_parts(m);
    const size_t lists = (size_t)p->chunk_count * parts;
    memset(p->places, 0, groups * sizeof *p->places);
    memset(p->first_share, 0, (lists + 1) * sizeof *p->first_share);
    for (size_t n = 0; n < count; n++) {
        int part;
        size_t *place = place_of(p, m, &list[n], &part);
        ++*place;
        if (part >= 0)
            p->first_share[(size_t)(place - p->places) / (size_t)p->law_count * parts + (size_t)part + 1]++;
    }
    for (size_t k = 0; k < lists; k++)
        p->first_share[k + 1] += p->first_share[k];
    size_t blocks = 0;
    for (size_t k = 0; k < groups; k++) {
        const size_t columns = p->places[k];
        carom_set_chunk *chunk = &p->chunks[k / (size_t)p->law_count];
        if (k % (size_t)p->law_count == 0)
            chunk->first_block = (int)blocks;
        p->places[k] = blocks * CAROM_BATCH;
        blocks += (columns + CAROM_BATCH - 1) / CAROM_BATCH;
        chunk->block_count = (int)blocks - chunk->first_block;
    }
    CAROM_TRY(carom_grow(p->ctx, &p->blocks, &p->block_capacity, blocks, sizeof *p->blocks));
    CAROM_TRY(carom_grow(p->ctx, &p->events, &p->event_capacity, blocks * CAROM_BATCH, sizeof *p->events));
    p->block_count = blocks;
    for (int k = 0; k < p->chunk_count; k++)
        p->chunks[k].events = p->events ? p->events + (size_t)p->chunks[k].first_block * CAROM_BATCH : NULL;
    return carom_grow(p->ctx, &p->shares, &p->share_capacity, p->first_share[lists], sizeof *p->shares);
}

/* Takes the next columns for the candidates, and their shares. */
static void place_columns(carom_sets *p, const carom_model *m, carom_candidate *list, size_t count)
{
    const size_t parts = (size_t)carom_body_parts(m);
    for (size_t n = 0; n < count; n++) {
        int part;
        size_t *place = place_of(p, m, &list[n], &part);
        const size_t home = (size_t)(place - p->places) / (size_t)p->law_count;
        carom_set_block *k = &p->blocks[*place / CAROM_BATCH];
        const int at = (int)(*place % CAROM_BATCH);
        k->law = list[n].law;
        k->set = list[n].set;
        k->count = at + 1;
        k->ended = false;
        k->slot[at] = part >= 0 ? (int)p->first_share[home * parts + (size_t)part]++ : -1;
        if (part >= 0)
            p->shares[k->slot[at]].body = 0;
        list[n].place = (int)(*place)++;
    }
    /* each first place has moved to that of the next */
    memmove(p->first_share + 1, p->first_share, (size_t)p->chunk_count * parts * sizeof *p->first_share);
    p->first_share[0] = 0;
}

/* The chunks that end what acts on the parts. */
static void note_last_chunks(carom_sets *p, int parts)
{
    for (int part = 0; part < parts; part++) {
        p->last_chunk[part] = part * CAROM_BODY_PART / p->chunk_bodies;
        for (int chunk = p->last_chunk[part] + 1; chunk < p->chunk_count; chunk++) {
            const size_t *first = &p->first_share[(size_t)chunk * (size_t)parts + (size_t)part];
            p->last_chunk[part] = first[1] > first[0] ? chunk : p->last_chunk[part];
        }
    }
}

static void note_borders(carom_sets *p, int parts)
{
    const int most = p->threads > 1 ? THREAD_GROUPS * p->threads : 1;
    p->group_count = most < p->chunk_count ? most : p->chunk_count;
    memset(p->border, 0, (size_t)parts * sizeof *p->border);
    for (int group = 0; group < p->group_count; group++) {
        int first;
        const int end = carom_set_group(p, group, &first);
        for (int part = 0; part < parts; part++) {
            const int home = part * CAROM_BODY_PART / p->chunk_bodies;
            for (int chunk = first; chunk < end && (home < first || home >= end); chunk++) {
                const size_t *share = &p->first_share[(size_t)chunk * (size_t)parts + (size_t)part];
                p->border[part] = p->border[part] || share[1] > share[0];
            }
        }
    }
}

static void fill_column(const carom_sets *p, const carom_model *m, const carom_candidate *c)
{
    carom_set_block *k = &p->blocks[c->place / CAROM_BATCH];
    const int n = c->place % CAROM_BATCH, first = c->law->swapped ? 1 : 0;
    const int members[2] = {c->i, c->j};
    clear_column(k, n);
    for (int side = 0; side < 2; side++) {
        const int member = members[side == 0 ? first : 1 - first];
        k->member[side][n] = members[side];
        k->body[side][n] = m->members[member].body;
        k->shape[side][n] = p->shape_of[member];
    }
    k->point[n] = c->point;
    k->reach[n] = c->reach;
}

/* What threads share of the making of the blocks. */
typedef struct build_task {
    carom_sets *p;
    const carom_model *m;
    const carom_candidate *list;
    const size_t *firsts;       /* of each member */
    size_t former_count;        /* of the blocks */
    size_t lost;                /* the first episode that is in no list */
    const carom_state *s;
} build_task;

static void fill_some(void *user, int first, int end)
{
    const build_task *task = user;
    for (int n = first; n < end; n++)
        fill_column(task->p, task->m, &task->list[n]);
}

static void finish_some(void *user, int first, int end)
{
    const build_task *task = user;
    for (int k = first; k < end; k++) {
        clear_rest(&task->p->blocks[k]);
        note_common(&task->p->blocks[k]);
    }
}

/* Of the candidates of the same member i. */
static bool stands_before(const carom_candidate *c, int j, int point)
{
    return c->j < j || (c->j == j && c->point < point);
}

/* Binds episode k, of members i and j, to its column; NULL: it is in no list. */
static carom_set_block *bind(build_task *task, size_t k, int i, int j, int point, int *column)
{
    const size_t behind = task->firsts[i + 1];
    size_t low = task->firsts[i], high = behind, lost = __atomic_load_n(&task->lost, __ATOMIC_RELAXED);
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (stands_before(&task->list[middle], j, point))
            low = middle + 1;
        else
            high = middle;
    }
    if (low < behind && task->list[low].j == j && task->list[low].point == point) {
        const int block = task->list[low].place / CAROM_BATCH;
        *column = task->list[low].place % CAROM_BATCH;
        carom_set_bind(task->p, k, block, *column);
        return &task->p->blocks[block];
    }
    while (k < lost && !__atomic_compare_exchange_n(&task->lost, &lost, k, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        ;
    return NULL;
}

/* Binds episodes of the state to their columns. */
static void bind_some(void *user, int first, int end)
{
    build_task *task = user;
    for (size_t k = (size_t)first; k < (size_t)end; k++) {
        const carom_episode *e = &task->s->episodes[k];
        int column;
        carom_set_block *block = bind(task, k, e->i, e->j, e->point, &column);
        if (block)
            carom_set_put(e, block, column);
    }
}

/* The same of those that the blocks of the list before hold. */
static void move_some(void *user, int first, int end)
{
    build_task *task = user;
    for (const carom_set_block *from = &task->p->former[first]; from < &task->p->former[end]; from++)
        for (int n = 0; n < from->count; n++) {
            int column;
            if (from->episode[n] < 0)
                continue;
            carom_set_block *block = bind(task, (size_t)from->episode[n], from->member[0][n], from->member[1][n],
                                          from->point[n], &column);
            if (block)
                carom_set_copy(from, n, block, column);
        }
}

static void exchange_blocks(carom_sets *p)
{
    carom_set_block *blocks = p->blocks;
    const size_t capacity = p->block_capacity;
    p->blocks = p->former;
    p->block_capacity = p->former_capacity;
    p->former = blocks;
    p->former_capacity = capacity;
}

/* Takes the blocks of the list before for those of the episodes again. */
static void bring_back(carom_sets *p, size_t former_count)
{
    exchange_blocks(p);
    p->block_count = former_count;
    for (size_t k = 0; k < former_count; k++)
        for (int n = 0; n < p->blocks[k].count; n++)
            if (p->blocks[k].episode[n] >= 0)
                carom_set_bind(p, (size_t)p->blocks[k].episode[n], (int)k, n);
}

static void fill_blocks(build_task *task, int count, bool kept)
{
    const int threads = task->p->threads;
    carom_team_share(threads, count, fill_some, task);
    carom_team_share(threads, (int)task->p->block_count, finish_some, task);
    if (kept)
        carom_team_share(threads, (int)task->former_count, move_some, task);
    else
        carom_team_share(threads, (int)task->s->episode_count, bind_some, task);
}

carom_status carom_sets_build(carom_sets *p, const carom_body_pose *pose, const carom_state *s, size_t *lost)
{
    const carom_model *m = s->model;
    const bool kept = p->built;
    size_t count;
    CAROM_TRY(carom_broad_build(p->broad, pose, p->threads));
    carom_candidate *list = carom_broad_candidates(p->broad, &count);
    CAROM_TRY(carom_grow(p->ctx, &p->columns, &p->column_capacity, s->episode_count, sizeof *p->columns));
    build_task task = {p, m, list, carom_broad_firsts(p->broad), p->block_count, SIZE_MAX, s};
    exchange_blocks(p);
    const carom_status status = lay_out(p, m, list, count);
    if (status == CAROM_OK) {
        place_columns(p, m, list, count);
        note_last_chunks(p, carom_body_parts(m));
        note_borders(p, carom_body_parts(m));
        fill_blocks(&task, (int)count, kept);
        p->built = true;
    }
    *lost = task.lost;
    if (kept && (status != CAROM_OK || task.lost != SIZE_MAX))
        bring_back(p, task.former_count);
    return status;
}
