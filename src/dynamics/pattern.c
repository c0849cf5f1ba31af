/* The pattern of the sparse equations: the blocks of S = J M^-1 J^T that row groups which share a body make. */
#include "dynamics/system.h"

/* The columns of a row group: those of one group have the same rows. */
typedef struct group {
    int width;      /* rows of each of its columns, */
    int filled;     /* of which these have been named */
    int start;      /* of its first column, in the list of rows */
} group;

/* Where a coupling finds its block and the transposed one in the columns of its groups. Couplings are sorted, so that
   the rows of each column are named in their order, and those of the same two groups follow each other. */
typedef struct block {
    int in_b, in_a;     /* first row of a in the columns of b, and of b in those of a */
    bool first;         /* of this pair of groups */
} block;

static block next_block(const carom_model *m, group *groups, int k, block last)
{
    const carom_coupling *c = &m->couplings[k];
    if (k > 0 && c[-1].a == c->a && c[-1].b == c->b) {
        last.first = false;
        return last;
    }
    block now = {groups[c->b].filled, groups[c->a].filled, true};
    groups[c->a].filled += m->blocks[c->b].row_count;
    if (c->a != c->b)
        groups[c->b].filled += m->blocks[c->a].row_count;
    return now;
}

/* Names the rows of a block in the columns of the group `of`. */
static void name_rows(const carom_constraint_block *of, const group *g, const carom_constraint_block *other, int first,
                      int *rows)
{
    for (int i = 0; i < of->row_count; i++)
        for (int j = 0; j < other->row_count; j++)
            rows[g->start + i * g->width + first + j] = other->first_row + j;
}

/* Widths of all columns; returns the number of products, in pairs of positions. */
static size_t measure(const carom_model *m, group *groups)
{
    size_t products = 0;
    block at = {0};
    for (int k = 0; k < m->coupling_count; k++) {
        products += (size_t)(m->blocks[m->couplings[k].a].row_count * m->blocks[m->couplings[k].b].row_count);
        at = next_block(m, groups, k, at);
    }
    for (int e = 0; e < m->block_count; e++) {
        groups[e].width = groups[e].filled;
        groups[e].filled = 0;
    }
    return products;
}

/* Rows of all columns, and the positions of the products in the order of the walk over the couplings. */
static void fill(carom_system *sys, group *groups, int *rows)
{
    const carom_model *m = sys->model;
    int *place = sys->sparse_place;
    block at = {0};
    for (int k = 0; k < m->coupling_count; k++) {
        const carom_coupling *c = &m->couplings[k];
        const carom_constraint_block *a = &m->blocks[c->a], *b = &m->blocks[c->b];
        const group *ga = &groups[c->a], *gb = &groups[c->b];
        at = next_block(m, groups, k, at);
        if (at.first) {
            name_rows(b, gb, a, at.in_b, rows);
            if (c->a != c->b)
                name_rows(a, ga, b, at.in_a, rows);
        }
        for (int i = 0; i < b->row_count; i++)
            for (int j = c->a == c->b ? i : 0; j < a->row_count; j++) {
                *place++ = gb->start + i * gb->width + at.in_b + j;
                *place++ = ga->start + j * ga->width + at.in_a + i;
            }
        for (int i = 0; sys->diagonal_place && c->a == c->b && i < a->row_count; i++)
            sys->diagonal_place[a->first_row + i] = ga->start + i * ga->width + at.in_a + i;
    }
}

carom_status carom_system_create_sparse(carom_system *sys)
{
    const carom_model *m = sys->model;
    const bool diagonal = carom_model_may_idle(m) || m->armature_count;
    carom_arena scratch;
    carom_arena_init(&scratch, sys->ctx);
    group *groups = carom_arena_alloc(&scratch, (size_t)m->block_count, sizeof *groups);
    int *start = carom_arena_alloc(&scratch, (size_t)m->row_count + 1, sizeof *start), *rows = NULL, entries = 0;
    if (groups && start) {
        const size_t products = measure(m, groups);
        for (int e = 0, r = 0; e < m->block_count; e++) {
            groups[e].start = entries;
            for (int i = 0; i < m->blocks[e].row_count; i++, entries += groups[e].width)
                start[r++] = entries;
        }
        start[m->row_count] = sys->sparse_entries = entries;
        rows = carom_arena_alloc(&scratch, (size_t)entries, sizeof *rows);
        sys->sparse_place = carom_arena_alloc(&sys->arena, 2 * products, sizeof *sys->sparse_place);
        if (diagonal)
            sys->diagonal_place = carom_arena_alloc(&sys->arena, (size_t)m->row_count, sizeof *sys->diagonal_place);
    }
    carom_status status = CAROM_OK;
    if (!rows || !sys->sparse_place || (diagonal && !sys->diagonal_place)) {
        status = carom_fail_memory(sys->ctx);
    } else {
        fill(sys, groups, rows);
        status = carom_sparse_create(sys->ctx, m->row_count, start, rows, &sys->sparse);
    }
    carom_arena_free(&scratch);
    return status;
}

carom_status carom_system_make_skyline(const carom_model *m, carom_arena *arena, carom_skyline *out)
{
    carom_skyline s;
    int *first = carom_arena_alloc(arena, (size_t)m->row_count, sizeof *first);
    if (!first)
        return carom_fail_memory(arena->ctx);
    for (int r = 0; r < m->row_count; r++)
        first[r] = r;
    for (int k = 0; k < m->coupling_count; k++) {
        const carom_constraint_block *a = &m->blocks[m->couplings[k].a], *b = &m->blocks[m->couplings[k].b];
        for (int r = a->first_row; r < a->first_row + a->row_count; r++)
            if (b->first_row < first[r])
                first[r] = b->first_row;
    }
    CAROM_TRY(carom_skyline_create(arena, m->row_count, first, &s));
    *out = s;
    return CAROM_OK;
}
