/* The order in which Newton's equations are eliminated: bodies that touch near each other (Cuthill and McKee 1969, ACM
   Natl. Conf., 157), and what borders them behind the last of them, so that no exchanges are needed. */
#include "dynamics/newton/newton.h"

#include <string.h>

/* Whether its pattern counts: contacts that are closed couple nothing, bodies always stand for themselves. */
static bool counts(const carom_slopes *e) { return e->on || e->fill != carom_slopes_fill_contact; }

bool carom_newton_order_changed(carom_newton *nt)
{
    bool changed = !nt->order_of.made;
    for (int k = 0; k < nt->count; k++) {
        const bool now = counts(&nt->slopes[k]);
        changed = changed || nt->order_of.counted[k] != now;
        nt->order_of.counted[k] = now;
    }
    nt->order_of.made = true;
    return changed;
}

/* The neighbours of each body, as lists in one array. */
static void find_neighbours(carom_newton *nt)
{
    carom_newton_order *o = &nt->order_of;
    const int bodies = nt->model->body_count;
    memset(o->degree, 0, ((size_t)bodies + 1) * sizeof *o->degree);
    for (int pass = 0; pass < 2; pass++) {
        for (int k = 0; k < nt->count; k++) {
            const carom_slopes *e = &nt->slopes[k];
            for (int a = 0; o->counted[k] && a < e->body_count; a++)
                for (int b = 0; b < e->body_count; b++) {
                    if (a == b)
                        continue;
                    if (pass)
                        o->neighbour[o->list[e->body[a]] + o->degree[e->body[a]]] = e->body[b];
                    o->degree[e->body[a]]++;
                }
        }
        if (pass)
            return;
        for (int body = 0, at = 0; body <= bodies; body++) {
            o->list[body] = at;
            at += o->degree[body];
            o->degree[body] = 0;
        }
    }
}

/* Bodies in the order of a breadth-first walk from `start`, behind those that are there; returns their number. */
static int walk(carom_newton *nt, int start, int count)
{
    carom_newton_order *o = &nt->order_of;
    int next = count;
    o->queue[count++] = start;
    o->place[start] = 0;
    while (next < count) {
        const int body = o->queue[next++];
        for (int n = 0; n < o->degree[body]; n++) {
            const int other = o->neighbour[o->list[body] + n];
            if (o->place[other] >= 0)
                continue;
            o->place[other] = 0;
            o->queue[count++] = other;
        }
    }
    return count;
}

/* All parts that hang together, each begun at the far end of a first walk; then `place` is the rank of each body. */
static void order_bodies(carom_newton *nt)
{
    carom_newton_order *o = &nt->order_of;
    const int bodies = nt->model->body_count;
    for (int body = 0; body <= bodies; body++)
        o->place[body] = -1;
    for (int body = 1, count = 0; body <= bodies; body++) {
        if (o->place[body] >= 0)
            continue;
        const int end = walk(nt, body, count), far = o->queue[end - 1];
        for (int k = count; k < end; k++)
            o->place[o->queue[k]] = -1;
        count = walk(nt, far, count);
    }
    for (int k = 0; k < bodies; k++)
        o->place[o->queue[k]] = k;
}

/* Behind which body each unknown that is no velocity is eliminated; -1: before all. */
static void find_borders(carom_newton *nt)
{
    carom_newton_order *o = &nt->order_of;
    for (int u = nt->rows; u < nt->order; u++)
        o->behind[u] = -1;
    for (int k = 0; k < nt->count; k++) {
        const carom_slopes *e = &nt->slopes[k];
        int last = -1;
        for (int b = 0; o->counted[k] && b < e->body_count; b++)
            last = o->place[e->body[b]] > last ? o->place[e->body[b]] : last;
        for (int r = 0; r < e->row_count; r++)
            if (e->row[r] >= 0 && o->behind[e->row[r]] < last)
                o->behind[e->row[r]] = last;
        for (int c = 0; c < e->column_count; c++)
            if (o->behind[e->column[c]] < last)
                o->behind[e->column[c]] = last;
    }
}

/* Positions of all unknowns. Those behind one body keep their order: rows, slips, sticks, states. */
static void order_unknowns(carom_newton *nt)
{
    carom_newton_order *o = &nt->order_of;
    const int bodies = nt->model->body_count;
    memset(o->list, 0, ((size_t)bodies + 1) * sizeof *o->list);
    for (int u = nt->rows; u < nt->order; u++)
        o->list[o->behind[u] + 1]++;
    for (int k = 0, at = 0; k <= bodies; k++) { /* list[k]: the first position behind body k - 1 */
        const int count = o->list[k];
        for (int i = 0; k > 0 && i < nt->width; i++)
            o->position[(o->queue[k - 1] - 1) * nt->width + i] = at++;
        o->list[k] = at;
        at += count;
    }
    for (int u = nt->rows; u < nt->order; u++)
        o->position[u] = o->list[o->behind[u] + 1]++;
}

/* Lowers the beginning of the envelope of one unknown. */
static void reach(carom_newton_order *o, int unknown, int first)
{
    const int at = o->position[unknown];
    o->first[at] = first < o->first[at] ? first : o->first[at];
}

/* Where the envelope begins: all unknowns of an element are coupled. */
static void find_envelope(carom_newton *nt)
{
    carom_newton_order *o = &nt->order_of;
    for (int u = 0; u < nt->order; u++)
        o->first[u] = u;
    for (int k = 0; k < nt->count; k++) {
        const carom_slopes *e = &nt->slopes[k];
        int first = nt->order;
        if (!o->counted[k])
            continue;
        for (int pass = 0; pass < 2; pass++) {
            for (int b = 0; b < e->body_count; b++)
                for (int i = 0; i < nt->width; i++) {
                    const int u = (e->body[b] - 1) * nt->width + i;
                    first = o->position[u] < first ? o->position[u] : first;
                    if (pass)
                        reach(o, u, first);
                }
            for (int n = 0; n < e->row_count + e->column_count; n++) {
                const int u = n < e->row_count ? e->row[n] : e->column[n - e->row_count];
                if (u < 0)
                    continue;
                first = o->position[u] < first ? o->position[u] : first;
                if (pass)
                    reach(o, u, first);
            }
        }
    }
}

void carom_newton_order_make(carom_newton *nt)
{
    find_neighbours(nt);
    order_bodies(nt);
    find_borders(nt);
    order_unknowns(nt);
    find_envelope(nt);
    carom_envelope_shape(&nt->envelope, nt->order_of.first);
}

carom_status carom_newton_order_create(carom_newton *nt)
{
    carom_newton_order *o = &nt->order_of;
    carom_arena *a = &nt->arena;
    const size_t bodies = (size_t)nt->model->body_count + 1, order = (size_t)nt->order;
    size_t neighbours = 0;
    for (int k = 0; k < nt->count; k++)
        neighbours += (size_t)nt->slopes[k].body_count * (size_t)nt->slopes[k].body_count;
    const bool done = (o->counted = carom_arena_alloc(a, (size_t)nt->count, sizeof *o->counted)) &&
                      (o->degree = carom_arena_alloc(a, bodies, sizeof(int))) &&
                      (o->list = carom_arena_alloc(a, bodies, sizeof(int))) &&
                      (o->neighbour = carom_arena_alloc(a, neighbours, sizeof(int))) &&
                      (o->queue = carom_arena_alloc(a, bodies, sizeof(int))) &&
                      (o->place = carom_arena_alloc(a, bodies, sizeof(int))) &&
                      (o->behind = carom_arena_alloc(a, order, sizeof(int))) &&
                      (o->position = carom_arena_alloc(a, order, sizeof(int))) &&
                      (o->first = carom_arena_alloc(a, order, sizeof(int))) &&
                      (o->permuted = carom_arena_alloc(a, order, sizeof(double)));
    return done ? carom_envelope_create(a, nt->order, &nt->envelope) : carom_fail_memory(nt->ctx);
}
