/* The kinds that a context knows: the built-in ones, from the .def of each family, then those registered in it. */
#include "base/base.h"
#include "base/context.h"
#include "kinds/friction/friction.h"
#include "kinds/joint/joint.h"
#include "kinds/kind.h"
#include "kinds/load/load.h"
#include "kinds/normal/law.h"
#include "kinds/shape/shape.h"
#include "kinds/stabilization/stabilization.h"

#include <string.h>

/* ---- the built-in kinds of this layer ---- */

/* The kinds of a family, ended by NULL, since a family may be empty. */
static const carom_kind *const elastic_kinds[] = {
#define CAROM_KIND(symbol) &carom_elastic_##symbol.kind,
#include "kinds/normal/elastic/elastic.def"
#undef CAROM_KIND
    NULL};
static const carom_kind *const damping_kinds[] = {
#define CAROM_KIND(symbol) &carom_damping_##symbol.kind,
#include "kinds/normal/damping/damping.def"
#undef CAROM_KIND
    NULL};
static const carom_kind *const law_kinds[] = {
#define CAROM_KIND(symbol, ...) &carom_law_##symbol.kind,
#include "kinds/normal/named.def"
#undef CAROM_KIND
    NULL};
static const carom_kind *const friction_kinds[] = {
#define CAROM_KIND(symbol) &carom_friction_##symbol.kind,
#include "kinds/friction/friction.def"
#undef CAROM_KIND
    NULL};
static const carom_kind *const joint_kinds[] = {
#define CAROM_KIND(symbol) &carom_joint_##symbol.kind,
#include "kinds/joint/joint.def"
#undef CAROM_KIND
    NULL};
static const carom_kind *const shape_kinds[] = {
#define CAROM_KIND(symbol) &carom_shape_##symbol.kind,
#include "kinds/shape/shape.def"
#undef CAROM_KIND
    NULL};
static const carom_kind *const pair_kinds[] = {
#define CAROM_KIND(symbol) &carom_pair_##symbol.kind,
#include "kinds/pair/pair.def"
#undef CAROM_KIND
    NULL};
static const carom_kind *const load_kinds[] = {
#define CAROM_KIND(symbol) &carom_load_##symbol.kind,
#include "kinds/load/load.def"
#undef CAROM_KIND
    NULL};
static const carom_kind *const stabilization_kinds[] = {
#define CAROM_KIND(symbol) &carom_stabilization_##symbol.kind,
#include "kinds/stabilization/stabilization.def"
#undef CAROM_KIND
    NULL};

static const carom_family_table own_families[] = {
#define FAMILY(tag, word) {CAROM_FAMILY_##tag, word##_kinds, CAROM_COUNT(word##_kinds) - 1}
    FAMILY(ELASTIC, elastic), FAMILY(DAMPING, damping), FAMILY(LAW, law),   FAMILY(FRICTION, friction),
    FAMILY(JOINT, joint),     FAMILY(SHAPE, shape),     FAMILY(PAIR, pair), FAMILY(LOAD, load),
    FAMILY(STABILIZATION, stabilization),
#undef FAMILY
};

/* ---- the registry of a context ---- */

/* The kinds of a family and their names, in the same order. */
typedef struct kind_list {
    const carom_kind **kinds;
    const char **names;
    size_t count, capacity;
} kind_list;

struct carom_registry {
    carom_arena arena;
    kind_list families[CAROM_FAMILY_COUNT];
};

/* Makes room for `more` kinds; arrays that were given out stay valid. */
static carom_status reserve(carom_registry *r, kind_list *list, size_t more)
{
    const size_t need = list->count + more;
    if (need <= list->capacity)
        return CAROM_OK;
    const size_t capacity = need > 2 * list->capacity ? need : 2 * list->capacity;
    const carom_kind **kinds = carom_arena_alloc(&r->arena, capacity, sizeof *kinds);
    const char **names = carom_arena_alloc(&r->arena, capacity, sizeof *names);
    if (!kinds || !names)
        return carom_fail_memory(r->arena.ctx);
    if (list->count) {
        memcpy(kinds, list->kinds, list->count * sizeof *kinds);
        memcpy(names, list->names, list->count * sizeof *names);
    }
    list->kinds = kinds;
    list->names = names;
    list->capacity = capacity;
    return CAROM_OK;
}

static void append(kind_list *list, const carom_kind *kind)
{
    list->kinds[list->count] = kind;
    list->names[list->count++] = kind->name;
}

static carom_status add_families(carom_registry *r, const carom_family_table *tables, size_t count)
{
    for (size_t t = 0; t < count; t++) {
        kind_list *list = &r->families[tables[t].family];
        CAROM_TRY(reserve(r, list, tables[t].count));
        for (size_t k = 0; k < tables[t].count; k++)
            append(list, tables[t].kinds[k]);
    }
    return CAROM_OK;
}

static void release(carom_context *ctx)
{
    carom_arena_free(&ctx->registry->arena);
    carom_release(ctx, ctx->registry, 1, sizeof *ctx->registry);
    ctx->registry = NULL;
}

carom_status carom_registry_create(carom_context *ctx, const carom_family_table *further, size_t count)
{
    carom_registry *r = carom_allocate(ctx, 1, sizeof *r);
    if (!r)
        return carom_fail_memory(ctx);
    carom_arena_init(&r->arena, ctx);
    ctx->registry = r;
    ctx->release_registry = release;
    CAROM_TRY(add_families(r, own_families, CAROM_COUNT(own_families)));
    return add_families(r, further, count);
}

carom_arena *carom_registry_arena(carom_context *ctx) { return &ctx->registry->arena; }

carom_status carom_registry_add_all(carom_context *ctx, const carom_family *families, const carom_kind *const *kinds,
                                    size_t count)
{
    for (size_t k = 0; k < count; k++)
        CAROM_TRY(reserve(ctx->registry, &ctx->registry->families[families[k]], 1));
    for (size_t k = 0; k < count; k++)
        append(&ctx->registry->families[families[k]], kinds[k]);
    return CAROM_OK;
}

carom_status carom_registry_add(carom_context *ctx, carom_family family, const carom_kind *kind)
{
    return carom_registry_add_all(ctx, &family, &kind, 1);
}

/* ---- asking ---- */

static const char *const family_names[CAROM_FAMILY_COUNT] = {
    [CAROM_FAMILY_ELASTIC] = "elastic",       [CAROM_FAMILY_DAMPING] = "damping",
    [CAROM_FAMILY_LAW] = "law",               [CAROM_FAMILY_FRICTION] = "friction",
    [CAROM_FAMILY_JOINT] = "joint",           [CAROM_FAMILY_SHAPE] = "shape",
    [CAROM_FAMILY_PAIR] = "pair",             [CAROM_FAMILY_LOAD] = "load",
    [CAROM_FAMILY_INTEGRATOR] = "integrator", [CAROM_FAMILY_STABILIZATION] = "stabilization",
};

static bool is_family(carom_family family) { return (int)family >= 0 && family < CAROM_FAMILY_COUNT; }

const char *carom_family_name(carom_family family) { return is_family(family) ? family_names[family] : NULL; }

static const kind_list *list_of(const carom_context *ctx, carom_family family)
{
    static const kind_list none;
    return ctx && ctx->registry && is_family(family) ? &ctx->registry->families[family] : &none;
}

size_t carom_kind_count(const carom_context *ctx, carom_family family) { return list_of(ctx, family)->count; }

const carom_kind *carom_kind_at(const carom_context *ctx, carom_family family, size_t index)
{
    const kind_list *list = list_of(ctx, family);
    return index < list->count ? list->kinds[index] : NULL;
}

/* Is `word` one of the blank-separated words of `list`? */
static bool has_word(const char *list, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = list; at && *at; at += strspn(at, " ")) {
        size_t span = strcspn(at, " ");
        if (span == length && span && memcmp(at, word, span) == 0)
            return true;
        at += span;
    }
    return false;
}

const carom_kind *carom_kind_find(const carom_context *ctx, carom_family family, const char *name)
{
    const kind_list *list = list_of(ctx, family);
    for (size_t k = 0; name && k < list->count; k++)
        if (strcmp(list->names[k], name) == 0 || has_word(list->kinds[k]->aliases, name))
            return list->kinds[k];
    return NULL;
}

const char *const *carom_kind_names(const carom_context *ctx, carom_family family, size_t *count)
{
    const kind_list *list = list_of(ctx, family);
    carom_give_count(count, list->count);
    return list->names;
}

int carom_kind_param_size(const carom_kind *kind)
{
    int size = 0;
    for (int k = 0; k < kind->param_count; k++)
        size += kind->params[k].size;
    return size;
}

int carom_kind_param_offset(const carom_kind *kind, const char *name)
{
    int offset = 0;
    for (int k = 0; k < kind->param_count; k++) {
        if (strcmp(kind->params[k].name, name) == 0)
            return offset;
        offset += kind->params[k].size;
    }
    return -1;
}
