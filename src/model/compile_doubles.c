/* Pairs of shapes in two contacts: both act on them. Pairs of `between` are looked up by their hash; those of sets are
   never listed, since what decides whether two members touch is their bodies and exclusions. */
#include "model/compile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A pair of `between`. */
typedef struct named_pair {
    int shapes[2];              /* the lower one first */
    const char *contact;        /* NULL: a free slot */
} named_pair;

/* What two sets have in common: members of one body and one row of exclusions are alike. */
typedef struct common_member {
    uint32_t exclude[4];        /* of both sets, as first and second */
    int body;
    const carom_set_member *of[2];
} common_member;

typedef struct doubles_part {
    carom_compiler *c;
    named_pair *pairs;
    size_t size;                /* of the table, a power of two */
    const carom_set_member **member;            /* of each shape in the set that is looked at; NULL: none */
    common_member *common;
} doubles_part;

/* Pairs of two contacts that are told of together. */
typedef struct doubled {
    const char *contacts[2];
    int shapes[2];
    size_t count;
} doubled;

static void note(doubled *d, const char *first, const char *second, int i, int j)
{
    if (d->count++ == 0)
        *d = (doubled){{first, second}, {i, j}, 1};
}

static carom_status tell(const doubles_part *w, const doubled *d)
{
    const carom_model_shape *shapes = w->c->model->shapes;
    char more[64] = "";
    if (!d->count)
        return CAROM_OK;
    if (d->count > 1)
        snprintf(more, sizeof more, ", and so in %zu more pairs", d->count - 1);
    return carom_compile_warn(w->c, CAROM_WARN_DOUBLE,
                              "contacts '%.63s' and '%.63s' both act between the shapes '%.63s' and '%.63s'%s: forces "
                              "and losses count twice; leave one of them out, or exclude the pair",
                              d->contacts[0], d->contacts[1], shapes[d->shapes[0]].name, shapes[d->shapes[1]].name,
                              more);
}

/* ---- of two shapes ---- */

/* The slot of a pair, or the free one where it belongs. */
static named_pair *slot_of(const doubles_part *w, const int shapes[2])
{
    size_t k = (size_t)carom_hash(shapes, 2 * sizeof *shapes, 0) & (w->size - 1);
    while (w->pairs[k].contact && memcmp(w->pairs[k].shapes, shapes, sizeof w->pairs[k].shapes) != 0)
        k = (k + 1) & (w->size - 1);
    return &w->pairs[k];
}

static carom_status look_at_pairs(doubles_part *w)
{
    const carom_spec *spec = w->c->spec;
    doubled found = {0};
    for (size_t k = 0; k < spec->contact_count; k++) {
        const carom_contact_def *def = &spec->contacts[k];
        const int i = carom_names_find(&w->c->shape_index, def->between[0]),
                  j = carom_names_find(&w->c->shape_index, def->between[1]);
        if (def->all_count || i < 0 || j < 0)
            continue;
        const int shapes[2] = {i < j ? i : j, i < j ? j : i};
        named_pair *slot = slot_of(w, shapes);
        if (slot->contact)
            note(&found, slot->contact, def->name, i, j);
        else
            *slot = (named_pair){{shapes[0], shapes[1]}, def->name};
    }
    return tell(w, &found);
}

/* ---- of sets ---- */

static carom_status look_at_set(doubles_part *w, const carom_contact_set *set)
{
    const carom_model *m = w->c->model;
    doubled found = {0};
    for (size_t k = 0; k < w->size; k++) {
        const named_pair *pair = &w->pairs[k];
        const carom_set_member *i = pair->contact ? w->member[pair->shapes[0]] : NULL,
                               *j = pair->contact ? w->member[pair->shapes[1]] : NULL;
        if (i && j && carom_contact_set_pairs(m, set, i, j))
            note(&found, set->name, pair->contact, i->shape, j->shape);
    }
    return tell(w, &found);
}

static int compare(const void *a, const void *b)
{
    const common_member *x = a, *y = b;
    for (int k = 0; k < 4; k++)
        if (x->exclude[k] != y->exclude[k])
            return x->exclude[k] < y->exclude[k] ? -1 : 1;
    return (x->body > y->body) - (x->body < y->body);
}

/* Common members of two sets, each body once a row of exclusions, in the order of these; how many. */
static size_t find_common(doubles_part *w, const carom_contact_set *second)
{
    size_t count = 0, kept = 0;
    const carom_set_member *members = w->c->model->members + second->first;
    for (int n = 0; n < second->count; n++) {
        const carom_set_member *b = &members[n], *a = w->member[b->shape];
        if (a)
            w->common[count++] = (common_member){
                {a->exclude[0], a->exclude[1], b->exclude[0], b->exclude[1]}, a->body, {a, b}};
    }
    if (count)
        qsort(w->common, count, sizeof *w->common, compare);
    for (size_t n = 0; n < count; n++)
        if (n == 0 || compare(&w->common[kept - 1], &w->common[n]) != 0)
            w->common[kept++] = w->common[n];
    return kept;
}

/* The end of the row of exclusions that begins at `first`. */
static size_t end_of_row(const doubles_part *w, size_t first, size_t count)
{
    size_t end = first;
    while (end < count && memcmp(w->common[end].exclude, w->common[first].exclude, sizeof w->common->exclude) == 0)
        end++;
    return end;
}

static bool row_pairs(const common_member *a, const common_member *b)
{
    return !(a->exclude[0] & b->exclude[1]) && !(a->exclude[1] & b->exclude[0]) &&
           !(a->exclude[2] & b->exclude[3]) && !(a->exclude[3] & b->exclude[2]);
}

/* The first pair of members of two rows that both sets have. Bodies of a row differ, and few have joints: it is found
   after few others. */
static bool find_in_rows(const doubles_part *w, const carom_contact_set *const sets[2], const size_t rows[4],
                         doubled *out)
{
    const carom_model *m = w->c->model;
    for (size_t n = rows[0]; n < rows[1]; n++)
        for (size_t k = rows[2]; k < rows[3]; k++) {
            const common_member *i = &w->common[n], *j = &w->common[k];
            if (!carom_contact_set_pairs(m, sets[0], i->of[0], j->of[0]) ||
                !carom_contact_set_pairs(m, sets[1], i->of[1], j->of[1]))
                continue;
            const int a = i->of[0]->shape, b = j->of[0]->shape;
            note(out, sets[0]->name, sets[1]->name, a < b ? a : b, a < b ? b : a);
            return true;
        }
    return false;
}

static carom_status look_at_sets(doubles_part *w, const carom_contact_set *first, const carom_contact_set *second)
{
    const carom_contact_set *const sets[2] = {first, second};
    const size_t count = find_common(w, second);
    doubled found = {0};
    size_t end;
    for (size_t a = 0; a < count; a = end) {
        end = end_of_row(w, a, count);
        for (size_t b = a; b < count;) {
            const size_t rows[4] = {a, end, b, end_of_row(w, b, count)};
            if (row_pairs(&w->common[a], &w->common[b]) && find_in_rows(w, sets, rows, &found))
                return tell(w, &found);
            b = rows[3];
        }
    }
    return CAROM_OK;
}

/* ---- all ---- */

static carom_status look(doubles_part *w)
{
    const carom_model *m = w->c->model;
    const carom_contact_set *sets = w->c->sets;
    const size_t count = w->c->set_count;
    CAROM_TRY(look_at_pairs(w));
    for (size_t k = 0; k < count; k++) {
        const carom_set_member *members = m->members + sets[k].first;
        for (int n = 0; n < sets[k].count; n++)
            w->member[members[n].shape] = &members[n];
        CAROM_TRY(look_at_set(w, &sets[k]));
        for (size_t other = k + 1; other < count; other++)
            CAROM_TRY(look_at_sets(w, &sets[k], &sets[other]));
        for (int n = 0; n < sets[k].count; n++)
            w->member[members[n].shape] = NULL;
    }
    return CAROM_OK;
}

carom_status carom_compile_doubles(carom_compiler *c)
{
    const size_t shapes = (size_t)c->model->shape_count + 1;
    doubles_part w = {.c = c, .size = 16};
    while (w.size < 2 * c->spec->contact_count + 2)
        w.size *= 2;
    w.pairs = carom_allocate(c->ctx, w.size, sizeof *w.pairs);
    w.member = carom_allocate(c->ctx, shapes, sizeof *w.member);
    w.common = carom_allocate(c->ctx, shapes, sizeof *w.common);
    const carom_status status = w.pairs && w.member && w.common ? look(&w) : carom_fail_memory(c->ctx);
    carom_release(c->ctx, w.pairs, w.size, sizeof *w.pairs);
    carom_release(c->ctx, w.member, shapes, sizeof *w.member);
    carom_release(c->ctx, w.common, shapes, sizeof *w.common);
    return status;
}
