/* Workspace of the pipeline: allocation, and the pattern of the sparse system. */
#include "dynamics/contact/pool.h"

#include <string.h>

/* From this many rows on the multiplier equation is solved sparsely. */
#define SPARSE_ROWS 48

/* Pattern of S (both triangles) and where each product of the coupling loop goes. */
static carom_status create_sparse(carom_dynamics *d)
{
    const carom_model *m = d->model;
    size_t n = (size_t)m->row_count, products = 0, entries = 0;
    for (int k = 0; k < m->coupling_count; k++)
        products += (size_t)(m->elements[m->couplings[k].a].row_count * m->elements[m->couplings[k].b].row_count);
    int *place = carom_allocate(d->ctx, n * n, sizeof *place); /* entry number plus 1 */
    int *start = carom_arena_alloc(&d->arena, n + 1, sizeof *start), *rows = NULL;
    d->sparse_place = carom_arena_alloc(&d->arena, 2 * products, sizeof *d->sparse_place);
    if (!place || !start || !d->sparse_place) {
        carom_release(d->ctx, place, n * n, sizeof *place);
        return carom_fail_memory(d->ctx);
    }
    for (int k = 0; k < m->coupling_count; k++) {
        const carom_element *a = &m->elements[m->couplings[k].a], *b = &m->elements[m->couplings[k].b];
        for (int i = 0; i < b->row_count; i++)
            for (int j = 0; j < a->row_count; j++) {
                size_t column = (size_t)(b->first_row + i), row = (size_t)(a->first_row + j);
                place[column * n + row] = place[row * n + column] = 1;
            }
    }
    for (size_t k = 0; k < n * n; k++)
        entries += place[k] != 0;
    rows = carom_arena_alloc(&d->arena, entries, sizeof *rows);
    carom_status status = rows ? CAROM_OK : carom_fail_memory(d->ctx);
    int at = 0;
    for (size_t column = 0; column < n && rows; column++) {
        start[column] = at;
        for (size_t row = 0; row < n; row++)
            if (place[column * n + row]) {
                rows[at++] = (int)row;
                place[column * n + row] = at;
            }
    }
    if (rows) {
        start[n] = at;
        d->sparse_entries = at;
        size_t p = 0;
        for (int k = 0; k < m->coupling_count; k++) {
            const carom_coupling *c = &m->couplings[k];
            const carom_element *a = &m->elements[c->a], *b = &m->elements[c->b];
            for (int i = 0; i < b->row_count; i++)
                for (int j = c->a == c->b ? i : 0; j < a->row_count; j++) {
                    size_t column = (size_t)(b->first_row + i), row = (size_t)(a->first_row + j);
                    d->sparse_place[p++] = place[column * n + row] - 1;
                    d->sparse_place[p++] = place[row * n + column] - 1;
                }
        }
        status = carom_sparse_create(d->ctx, (int)n, start, rows, &d->sparse);
    }
    carom_release(d->ctx, place, n * n, sizeof *place);
    return status;
}

/* Places of joints that rub, the directions in which they slip, and the room of the search for their forces. */
static carom_status allocate_rubbing(carom_dynamics *d)
{
    const carom_model *m = d->model;
    const size_t n = (size_t)m->slip_count, rows = (size_t)m->row_count, places = (size_t)m->rub_count;
    carom_rub_search *s = &d->rub_search;
    carom_arena *a = &d->arena;
    d->rub_fault = -1;
    if (!places)
        return CAROM_OK;
    double *lines = carom_arena_alloc(a, 2 * n * rows, sizeof *lines);
    carom_vec3 *bearings = carom_arena_alloc(a, n * places * CAROM_RUBBING_BEARINGS, sizeof *bearings);
    double **vectors[] = {&s->residual, &s->scale, &s->force, &s->base, &s->change, &s->slope};
    bool done = lines && bearings && (d->rubs = carom_arena_alloc(a, places, sizeof *d->rubs)) &&
                (d->slips = carom_arena_alloc(a, n, sizeof *d->slips)) &&
                (s->mobility = carom_arena_alloc(a, n * n, sizeof(double))) &&
                (s->matrix = carom_arena_alloc(a, n * n, sizeof(double))) &&
                (s->pivot = carom_arena_alloc(a, n, sizeof *s->pivot));
    for (size_t k = 0; k < CAROM_COUNT(vectors) && done; k++)
        done = (*vectors[k] = carom_arena_alloc(a, n, sizeof(double))) != NULL;
    if (!done)
        return carom_fail_memory(d->ctx);
    for (size_t k = 0; k < n; k++) {
        d->slips[k].coupling = lines + 2 * k * rows;
        d->slips[k].reply = lines + (2 * k + 1) * rows;
        d->slips[k].bearing = bearings + k * places * CAROM_RUBBING_BEARINGS;
    }
    return CAROM_OK;
}

static carom_status allocate_arrays(carom_dynamics *d)
{
    const carom_model *m = d->model;
    size_t bodies = (size_t)m->body_count + 1, rows = (size_t)m->row_count, values = 1;
    for (int k = 0; k < m->load_count; k++)
        if ((size_t)m->loads[k].param_size > values)
            values = (size_t)m->loads[k].param_size;
    carom_arena *a = &d->arena;
    if (!(d->pose = carom_arena_alloc(a, bodies, sizeof *d->pose)) ||
        !(d->wrench = carom_arena_alloc(a, bodies, sizeof *d->wrench)) ||
        !(d->inverse_inertia = carom_arena_alloc(a, bodies, sizeof *d->inverse_inertia)) ||
        !(d->rows = carom_arena_alloc(a, rows, sizeof *d->rows)) ||
        !(d->row_rate = carom_arena_alloc(a, rows, sizeof(double))) ||
        !(d->row_acceleration = carom_arena_alloc(a, rows, sizeof(double))) ||
        !(d->phi_rate = carom_arena_alloc(a, rows, sizeof(double))) ||
        !(d->jacobian = carom_arena_alloc(a, rows, sizeof *d->jacobian)) ||
        !(d->multipliers = carom_arena_alloc(a, rows, sizeof(double))) ||
        !(d->solve = carom_arena_alloc(a, rows, sizeof(double))) ||
        !(d->acceleration = carom_arena_alloc(a, bodies * 6, sizeof(double))) ||
        !(d->contacts = carom_arena_alloc(a, (size_t)m->contact_count, sizeof *d->contacts)) ||
        !(d->friction_rate = carom_arena_alloc(a, (size_t)m->friction_state_count, sizeof(double))) ||
        !(d->loads = carom_arena_alloc(a, (size_t)m->load_count, sizeof *d->loads)) ||
        !(d->load_values = carom_arena_alloc(a, values, sizeof(double))) ||
        !(d->load_rates = carom_arena_alloc(a, values, sizeof(double))) ||
        !(d->measures = carom_arena_alloc(a, (size_t)m->measure_count, sizeof(double))))
        return carom_fail_memory(d->ctx);
    d->pose[0].axes = carom_m3_identity();
    bool holds = false;
    for (int k = 0; k < m->contact_count; k++)
        holds = holds || (m->contacts[k].friction && m->contacts[k].friction->holds);
    if (!holds)
        return CAROM_OK;
    double *responses = carom_arena_alloc(a, (size_t)m->contact_count * 2 * bodies * 6, sizeof *responses);
    d->sticking = carom_arena_alloc(a, (size_t)m->contact_count, sizeof *d->sticking);
    d->sticking_reply = carom_arena_alloc(a, bodies * 6, sizeof(double));
    if (!responses || !d->sticking || !d->sticking_reply)
        return carom_fail_memory(d->ctx);
    for (int k = 0; k < m->contact_count; k++)
        for (int t = 0; t < 2; t++)
            d->sticking[k].response[t] = responses + ((size_t)k * 2 + (size_t)t) * bodies * 6;
    return CAROM_OK;
}

carom_status carom_dynamics_create(carom_context *ctx, const carom_model *model, carom_dynamics **out)
{
    carom_dynamics *d = carom_allocate(ctx, 1, sizeof *d);
    if (!d)
        return carom_fail_memory(ctx);
    d->ctx = ctx;
    d->model = model;
    carom_arena_init(&d->arena, ctx);
    carom_status status = allocate_arrays(d);
    if (status == CAROM_OK)
        status = allocate_rubbing(d);
    if (status == CAROM_OK && model->row_count)
        status = carom_dense_create(ctx, model->row_count, &d->dense);
    if (status == CAROM_OK && model->row_count >= SPARSE_ROWS)
        status = create_sparse(d);
    if (status == CAROM_OK && model->pool_count)
        status = carom_pools_create(ctx, model, &d->pools);
    if (status != CAROM_OK) {
        carom_dynamics_free(d);
        return status;
    }
    *out = d;
    return CAROM_OK;
}

void carom_dynamics_free(carom_dynamics *d)
{
    if (!d)
        return;
    carom_dense_free(d->dense);
    carom_sparse_free(d->sparse);
    carom_pools_free(d->pools);
    carom_arena_free(&d->arena);
    carom_release(d->ctx, d, 1, sizeof *d);
}
