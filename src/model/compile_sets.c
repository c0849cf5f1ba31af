/* Contact sets: members, filters, and a law for each two groups of alike shapes. */
#include "kinds/shape/shape.h"
#include "model/compile.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Most pairs of a contact set where each is a contact of its own. */
#define MOST_PAIRS 2000
/* Alike shapes are those of one kind, material and set of parameters, up to so many groups; with more the parameters of
   a group differ. */
#define MOST_GROUPS 24

/* ---- names ---- */

static carom_status unknown_shape(carom_compiler *c, const carom_place *place, const char *owner, const char *name)
{
    const carom_model *m = c->model;
    for (int k = 0; k < m->shape_count; k++)
        c->names[k] = m->shapes[k].name;
    return carom_compile_unknown(c, place, owner, "shape", name, (size_t)m->shape_count);
}

/* ---- members ---- */

/* Marks the shapes that one of the names of `all` fits. */
static carom_status mark(carom_compiler *c, const carom_contact_def *def, const char *owner, bool *is_member)
{
    const carom_model *m = c->model;
    int next = 0; /* names of copies stand in the order of their shapes */
    for (size_t n = 0; n < def->all_count; n++) {
        const char *pattern = def->all[n] ? def->all[n] : "";
        bool found = false, exact = !strchr(pattern, '*');
        for (int i = 0; i < m->shape_count && !(exact && found); i++) {
            const int k = (next + i) % m->shape_count;
            if (exact ? strcmp(pattern, m->shapes[k].name) != 0 : !carom_text_fits(pattern, m->shapes[k].name))
                continue;
            if (m->shapes[k].visual && exact)
                return carom_fail(c->ctx, CAROM_ERROR_MODEL, &def->all_place,
                                  "%s: shape '%.63s' is drawn alone (`visual`) and touches nothing; name another one",
                                  owner, pattern);
            found = true;
            is_member[k] = !m->shapes[k].visual;
            next = exact ? k + 1 : next;
        }
        if (!found)
            return unknown_shape(c, &def->all_place, owner, pattern);
    }
    return CAROM_OK;
}

static bool alike(const carom_model_shape *a, const carom_model_shape *b, bool sizes)
{
    return a->kind == b->kind && a->material == b->material &&
           (!sizes || (a->size == b->size && memcmp(a->p, b->p, (size_t)a->size * sizeof *a->p) == 0));
}

/* Numbers the groups of alike shapes; returns how many there are, or -1 if more than `most`. */
static int make_groups(const carom_model *m, carom_set_member *members, int count, bool sizes, int most)
{
    int groups = 0, first[256];
    for (int i = 0; i < count; i++) {
        int g = 0;
        while (g < groups && !alike(&m->shapes[members[i].shape], &m->shapes[members[first[g]].shape], sizes))
            g++;
        if (g == most || g == (int)CAROM_COUNT(first))
            return -1;
        if (g == groups)
            first[groups++] = i;
        members[i].group = g;
    }
    return groups;
}

/* ---- filters ---- */

static carom_status set_exclusions(carom_compiler *c, const carom_contact_def *def, const char *owner,
                                   carom_set_member *members, int count)
{
    const carom_model *m = c->model;
    if (def->exclude_count > CAROM_SET_EXCLUSIONS)
        return carom_fail(c->ctx, CAROM_ERROR_MODEL, &def->place,
                          "%s: %zu exclusions; at most %d are allowed, patterns with '*' say more", owner,
                          def->exclude_count, CAROM_SET_EXCLUSIONS);
    for (size_t n = 0; n < def->exclude_count; n++)
        for (int side = 0; side < 2; side++) {
            const char *pattern = def->exclude[n].shapes[side] ? def->exclude[n].shapes[side] : "";
            bool found = false;
            for (int i = 0; i < count; i++)
                if (carom_text_fits(pattern, m->shapes[members[i].shape].name)) {
                    members[i].exclude[side] |= (uint32_t)1 << n;
                    found = true;
                }
            if (!found)
                return unknown_shape(c, &def->exclude[n].place, owner, pattern);
        }
    return CAROM_OK;
}

static bool has_joint(const carom_model *m, int a, int b)
{
    for (int k = 0; k < m->joint_count; k++) {
        const int i = m->joints[k].i.body, j = m->joints[k].j.body;
        if ((i == a && j == b) || (i == b && j == a))
            return true;
    }
    return false;
}

bool carom_contact_set_pairs(const carom_model *m, const carom_contact_set *set, const carom_set_member *a,
                            const carom_set_member *b)
{
    if (a->body == b->body || (a->exclude[0] & b->exclude[1]) || (a->exclude[1] & b->exclude[0]))
        return false;
    return set->allow_connected || !has_joint(m, a->body, b->body);
}

/* ---- laws ---- */

static carom_status check_law(carom_compiler *c, const carom_contact_def *def, const char *owner,
                              const carom_model_contact *law)
{
    if (law->friction && (law->friction->set_valued || (law->friction->state && !law->friction->update)))
        return carom_fail(
            c->ctx, CAROM_ERROR_MODEL, &def->friction_place,
            "%s: friction %s needs located onsets, and steps as small as it asks for; a contact set with "
            "fixed steps takes the regularised laws and mindlin",
            owner, law->friction->kind.name);
    if (law->segments || law->radii_of_start)
        return carom_fail(c->ctx, CAROM_ERROR_MODEL, &def->radii_place,
                          "%s: `radii: %s` belongs to a contact of two shapes; a contact set of many takes `onset`",
                          owner, law->segments ? "segments" : "start");
    return CAROM_OK;
}

/* The law between the groups of two members. */
static carom_status make_law(carom_compiler *c, const carom_contact_def *def, const char *owner, bool sizes,
                             carom_contact_set *set, const carom_set_member *a, const carom_set_member *b)
{
    carom_model *m = c->model;
    carom_model_contact *law = carom_arena_alloc(&m->arena, 1, sizeof *law);
    if (!law)
        return carom_fail_memory(c->ctx);
    carom_contact_def two = *def;
    two.owner = owner;
    two.between[0] = m->shapes[a->shape].name;
    two.between[1] = m->shapes[b->shape].name;
    two.between_place[0] = two.between_place[1] = def->all_place;
    const int works = m->friction_work_count, states = m->friction_state_count;
    CAROM_TRY(carom_compile_contact(c, &two, 0, 1, law));
    CAROM_TRY(check_law(c, def, owner, law));
    /* works and states of its episodes are the set's */
    m->friction_work_count = works;
    m->friction_state_count = states;
    law->varies =
        law->varies || (!sizes && !isnan(law->law.geometry.radius[0]) && (law->law.elastic->needs & CAROM_NEEDS_RADII));
    if (law->friction_work >= 0 && set->friction_work < 0)
        set->friction_work = m->set_friction_work_count++;
    set->laws[a->group * set->group_count + b->group] = law;
    return CAROM_OK;
}

/* A law for each two groups of which two members may touch. */
static carom_status make_laws(carom_compiler *c, const carom_contact_def *def, const char *owner, bool sizes,
                              carom_contact_set *set)
{
    const carom_model *m = c->model;
    const carom_set_member *members = m->members + set->first;
    const int groups = set->group_count;
    set->laws = carom_arena_alloc(&c->model->arena, (size_t)(groups * groups), sizeof *set->laws);
    if (!set->laws)
        return carom_fail_memory(c->ctx);
    for (int a = 0; a < groups; a++)
        for (int b = 0; b < groups; b++)
            for (int i = 0; i < set->count && !set->laws[a * groups + b]; i++)
                for (int j = i + 1; members[i].group == a && j < set->count && !set->laws[a * groups + b]; j++)
                    if (members[j].group == b && carom_contact_set_pairs(m, set, &members[i], &members[j]))
                        CAROM_TRY(make_law(c, def, owner, sizes, set, &members[i], &members[j]));
    return CAROM_OK;
}

/* ---- the list of contacts ---- */

typedef struct set_part {
    carom_compiler *c;
    carom_contact_def *defs;    /* of two shapes */
    size_t count, capacity;
} set_part;

/* A contact of its own for each pair. */
static carom_status make_pairs(set_part *w, const carom_contact_def *def, const char *owner,
                               const carom_contact_set *set)
{
    carom_compiler *c = w->c;
    carom_model *m = c->model;
    const carom_set_member *members = m->members + set->first;
    for (int pass = 0; pass < 2; pass++) {
        size_t pairs = 0;
        for (int i = 0; i < set->count && pairs <= MOST_PAIRS; i++)
            for (int j = i + 1; j < set->count && pairs <= MOST_PAIRS; j++) {
                if (!carom_contact_set_pairs(m, set, &members[i], &members[j]))
                    continue;
                pairs++;
                if (!pass)
                    continue;
                carom_contact_def *two = &w->defs[w->count++];
                *two = *def;
                two->all = NULL;
                two->all_count = 0;
                two->between[0] = m->shapes[members[i].shape].name;
                two->between[1] = m->shapes[members[j].shape].name;
                two->between_place[0] = two->between_place[1] = def->all_place;
                two->name = carom_arena_format(&m->arena, "%s.%s-%s", def->name, two->between[0], two->between[1]);
                if (!two->name)
                    return carom_fail_memory(c->ctx);
            }
        if (pass)
            break;
        if (pairs > MOST_PAIRS)
            return carom_fail(
                c->ctx, CAROM_ERROR_MODEL, &def->place,
                "%s: more than %d pairs of shapes, of which the integrator of the run locates each onset: take "
                "`integrator: verlet` with a `step`, or fewer shapes",
                owner, MOST_PAIRS);
        carom_contact_def *more = carom_arena_alloc(&m->arena, w->capacity + pairs, sizeof *more);
        if (!more)
            return carom_fail_memory(c->ctx);
        if (w->count)
            memcpy(more, w->defs, w->count * sizeof *more);
        w->defs = more;
        w->capacity += pairs;
    }
    return CAROM_OK;
}

static carom_status make_members(carom_compiler *c, const carom_contact_def *def, const char *owner,
                                 carom_contact_set *set)
{
    carom_model *m = c->model;
    bool *is_member = carom_allocate(c->ctx, (size_t)m->shape_count + 1, sizeof *is_member);
    if (!is_member)
        return carom_fail_memory(c->ctx);
    carom_status status = mark(c, def, owner, is_member);
    set->first = m->member_count;
    for (int k = 0; k < m->shape_count && status == CAROM_OK; k++) {
        const carom_model_shape *shape = &m->shapes[k];
        if (is_member[k])
            m->members[m->member_count++] =
                (carom_set_member){.shape = k,
                                    .body = shape->body,
                                    .radius = carom_shape_bounding_radius(shape->kind, shape->p, m->dimension == 2)};
    }
    set->count = m->member_count - set->first;
    carom_release(c->ctx, is_member, (size_t)m->shape_count + 1, sizeof *is_member);
    CAROM_TRY(status);
    if (set->count < 2)
        return carom_fail(c->ctx, CAROM_ERROR_MODEL, &def->all_place,
                          "%s: 'all' names %d shape; two or more are needed", owner, set->count);
    return set_exclusions(c, def, owner, m->members + set->first, set->count);
}

static carom_status make_set(set_part *w, const carom_contact_def *def)
{
    carom_compiler *c = w->c;
    carom_model *m = c->model;
    carom_contact_set *set = &m->contact_sets[m->contact_set_count];
    char owner[128];
    snprintf(owner, sizeof owner, "contact '%.63s'", def->name);
    *set = (carom_contact_set){.name = carom_arena_text(&m->arena, def->name),
                               .allow_connected = def->allow_connected,
                               .friction_work = -1};
    CAROM_TRY(carom_compile_place(c, def->place, &set->place));
    if (!set->name)
        return carom_fail_memory(c->ctx);
    CAROM_TRY(make_members(c, def, owner, set));
    carom_located_set *located = &c->located[c->set_count];
    *located = (carom_located_set){.name = set->name, .first = (int)w->count};
    c->sets[c->set_count++] = *set;
    if (!c->model->stepped) {
        CAROM_TRY(make_pairs(w, def, owner, set));
        located->count = (int)w->count - located->first;
        return CAROM_OK;
    }
    m->contact_set_count++;
    carom_set_member *members = m->members + set->first;
    bool sizes = true;
    set->group_count = make_groups(m, members, set->count, true, MOST_GROUPS);
    if (set->group_count < 0) {
        sizes = false;
        set->group_count = make_groups(m, members, set->count, false, 256);
    }
    if (set->group_count < 0)
        return carom_fail(c->ctx, CAROM_ERROR_MODEL, &def->place, "%s: more than 256 kinds of shapes and materials",
                          owner);
    return make_laws(c, def, owner, sizes, set);
}

bool carom_compile_has_sets(const carom_spec *spec)
{
    for (size_t k = 0; k < spec->contact_count; k++)
        if (spec->contacts[k].all_count)
            return true;
    return false;
}

bool carom_compile_steps(carom_context *ctx, const carom_spec *spec)
{
    for (size_t k = 0; k < spec->run_count; k++) {
        const char *name = spec->runs[k].integrator;
        const carom_kind *kind = name ? carom_kind_find(ctx, CAROM_FAMILY_INTEGRATOR, name) : NULL;
        if (!kind || !carom_integrator_has_sets((const carom_integrator_kind *)kind))
            return false;
    }
    return spec->run_count > 0;
}

carom_status carom_compile_sets(carom_compiler *c, const carom_contact_def **defs, size_t *count)
{
    carom_model *m = c->model;
    const carom_contact_def *in = *defs;
    size_t sets = 0;
    for (size_t k = 0; k < *count; k++)
        sets += in[k].all_count > 0;
    if (!sets)
        return CAROM_OK;
    set_part w = {.c = c, .capacity = *count};
    m->contact_sets = carom_arena_alloc(&m->arena, sets, sizeof *m->contact_sets);
    m->members = carom_arena_alloc(&m->arena, sets * (size_t)m->shape_count + 1, sizeof *m->members);
    w.defs = carom_arena_alloc(&m->arena, *count, sizeof *w.defs);
    c->sets = carom_arena_alloc(&m->arena, sets, sizeof *c->sets);
    c->located = carom_arena_alloc(&m->arena, sets, sizeof *c->located);
    if (!m->contact_sets || !m->members || !w.defs || !c->sets || !c->located)
        return carom_fail_memory(c->ctx);
    for (size_t k = 0; k < *count; k++) {
        if (in[k].all_count)
            CAROM_TRY(make_set(&w, &in[k]));
        else
            w.defs[w.count++] = in[k];
    }
    *defs = w.defs;
    *count = w.count;
    return CAROM_OK;
}
