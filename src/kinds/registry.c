/* Registry of all kinds, made from the .def of each family. */
#include "kinds/stabilization/stabilization.h"
#include "kinds/friction/friction.h"
#include "kinds/integrator.h"
#include "kinds/joint/joint.h"
#include "kinds/kind.h"
#include "kinds/normal/law.h"
#include "kinds/load/load.h"
#include "kinds/shape/shape.h"

#include <stdatomic.h>
#include <string.h>

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
static const carom_kind *const integrator_kinds[] = {
#define CAROM_KIND(symbol) &carom_integrator_##symbol.kind,
#include "kinds/integrator/integrator.def"
#undef CAROM_KIND
    NULL};
static const carom_kind *const constraint_kinds[] = {
#define CAROM_KIND(symbol) &carom_constraint_##symbol.kind,
#include "kinds/stabilization/stabilization.def"
#undef CAROM_KIND
    NULL};

#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

/* Names of the kinds, family after family, each family ended by NULL; the only data here that is not constant. */
#define ALL_KINDS                                                                                                     \
    (LENGTH(elastic_kinds) + LENGTH(damping_kinds) + LENGTH(law_kinds) + LENGTH(friction_kinds) +                     \
     LENGTH(joint_kinds) + LENGTH(shape_kinds) + LENGTH(pair_kinds) + LENGTH(load_kinds) + LENGTH(integrator_kinds) + \
     LENGTH(constraint_kinds))
static const char *names[ALL_KINDS];

static const struct {
    const char *name;
    const carom_kind *const *kinds;
    size_t count;
} families[CAROM_FAMILY_COUNT] = {
#define FAMILY(tag, word) [CAROM_FAMILY_##tag] = {#word, word##_kinds, LENGTH(word##_kinds) - 1}
    FAMILY(ELASTIC, elastic),       FAMILY(DAMPING, damping),       FAMILY(LAW, law),   FAMILY(FRICTION, friction),
    FAMILY(JOINT, joint),           FAMILY(SHAPE, shape),           FAMILY(PAIR, pair), FAMILY(LOAD, load),
    FAMILY(INTEGRATOR, integrator), FAMILY(CONSTRAINT, constraint),
#undef FAMILY
};

static bool is_family(carom_family family) { return (int)family >= 0 && family < CAROM_FAMILY_COUNT; }

const char *carom_family_name(carom_family family) { return is_family(family) ? families[family].name : NULL; }

size_t carom_kind_count(carom_family family) { return is_family(family) ? families[family].count : 0; }

const carom_kind *carom_kind_at(carom_family family, size_t index)
{
    return index < carom_kind_count(family) ? families[family].kinds[index] : NULL;
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

const carom_kind *carom_kind_find(carom_family family, const char *name)
{
    size_t count = carom_kind_count(family);
    for (size_t k = 0; name && k < count; k++) {
        const carom_kind *kind = families[family].kinds[k];
        if (strcmp(kind->name, name) == 0 || has_word(kind->aliases, name))
            return kind;
    }
    return NULL;
}

/* Fills the names once; a thread that comes while another one fills waits for it. */
static void fill_names(void)
{
    static atomic_int state; /* 0 empty, 1 being filled, 2 filled */
    int expected = 0;
    if (atomic_load_explicit(&state, memory_order_acquire) == 2)
        return;
    if (atomic_compare_exchange_strong(&state, &expected, 1)) {
        size_t at = 0;
        for (int f = 0; f < CAROM_FAMILY_COUNT; f++)
            for (size_t k = 0; k <= families[f].count; k++)
                names[at++] = k < families[f].count ? families[f].kinds[k]->name : NULL;
        atomic_store_explicit(&state, 2, memory_order_release);
    }
    while (atomic_load_explicit(&state, memory_order_acquire) != 2)
        ;
}

const char *const *carom_kind_names(carom_family family, size_t *count)
{
    *count = carom_kind_count(family);
    if (!is_family(family))
        return NULL;
    fill_names();
    size_t first = 0;
    for (int f = 0; f < (int)family; f++)
        first += families[f].count + 1;
    return names + first;
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
