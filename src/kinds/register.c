/* Kinds of a program's own: checks of their definitions, and the structs by which the library knows them. */
#include "kinds/kind.h"
#include "kinds/register.h"
#include "kinds/stabilization/stabilization.h"

#include <stdio.h>
#include <string.h>

#define PARAM_FLAGS                                                                                                   \
    (CAROM_PARAM_REQUIRED | CAROM_PARAM_TIME | CAROM_PARAM_ABOVE | CAROM_PARAM_BELOW | CAROM_PARAM_NONZERO |          \
     CAROM_PARAM_TEXT | CAROM_PARAM_OPTIONAL | CAROM_PARAM_AXIAL)

/* ---- checks ---- */

typedef carom_register_need need;

static bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
static bool is_digit(char c) { return c >= '0' && c <= '9'; }

/* A word of letters, of lower case alone unless `upper`, digits and `mark`, that begins with a letter. */
static bool is_word(const char *text, char mark, bool upper)
{
    for (const char *c = text; *c; c++) {
        const bool letter = is_lower(*c) || (upper && *c >= 'A' && *c <= 'Z');
        if (!letter && (c == text || !(is_digit(*c) || *c == mark)))
            return false;
    }
    return text[0] && strlen(text) < 60;
}

static bool given(const char *text) { return text && text[0]; }

static carom_status check_param(carom_context *ctx, const char *owner, const carom_kind_def *def, size_t index,
                                bool time)
{
    const carom_param_row *row = &def->params[index];
    if (!row->name || !is_word(row->name, '_', true))
        return carom_fail(ctx, CAROM_ERROR_USAGE, NULL,
                          "%s: the name of parameter %zu must be a word of letters, digits and '_'", owner, index + 1);
    const char *wrong = NULL;
    if (!given(row->unit))
        wrong = "has no unit; \"-\" stands for none";
    else if (!given(row->description))
        wrong = "has no description";
    else if (row->size != 1 && row->size != 3)
        wrong = "has a size other than 1, a number, or 3, a vector";
    else if (row->flags & ~(unsigned)PARAM_FLAGS)
        wrong = "has flags that carom/kind.h does not have";
    else if ((row->flags & CAROM_PARAM_TIME) && !time)
        wrong = "depends on time, which only parameters of loads may";
    else if (!(row->flags & CAROM_PARAM_TEXT) && !(row->low <= row->high))
        wrong = "has an empty range; low and high may be -HUGE_VAL and HUGE_VAL";
    for (size_t k = 0; k < index && !wrong; k++)
        if (strcmp(def->params[k].name, row->name) == 0)
            wrong = "stands in the table twice";
    return wrong ? carom_fail(ctx, CAROM_ERROR_USAGE, NULL, "%s: parameter '%s' %s", owner, row->name, wrong)
                 : CAROM_OK;
}

carom_status carom_register_check(carom_context *ctx, carom_family family, const carom_kind_def *def, size_t size,
                                  const need *needs, size_t need_count)
{
    const char *what = carom_family_name(family);
    char owner[96];
    if (def->size != size || def->version != CAROM_KIND_VERSION)
        return carom_fail(ctx, CAROM_ERROR_USAGE, NULL,
                          "%s: a definition of version %d and %zu bytes; this library takes version %d with %zu bytes: "
                          "begin with carom_default_%s_kind_def() and compile against its headers",
                          what, def->version, def->size, CAROM_KIND_VERSION, size, what);
    if (!def->name || !is_word(def->name, '-', false))
        return carom_fail(ctx, CAROM_ERROR_USAGE, NULL,
                          "%s: the name '%.60s' must be a word of lower-case letters, digits and hyphens", what,
                          def->name ? def->name : "");
    snprintf(owner, sizeof owner, "%s '%s'", what, def->name);
    if (carom_kind_find(ctx, family, def->name))
        return carom_fail(ctx, CAROM_ERROR_USAGE, NULL, "%s: the name is taken", owner);
    if (!given(def->title))
        return carom_fail(ctx, CAROM_ERROR_USAGE, NULL, "%s: it has no title", owner);
    if (def->param_count > 64 || (def->param_count && !def->params))
        return carom_fail(ctx, CAROM_ERROR_USAGE, NULL, "%s: %zu parameters are announced, but there %s", owner,
                          def->param_count, def->params ? "may be 64" : "is no table");
    for (size_t k = 0; k < def->param_count; k++)
        CAROM_TRY(check_param(ctx, owner, def, k, family == CAROM_FAMILY_LOAD));
    for (size_t k = 0; k < need_count; k++)
        if (!needs[k].given)
            return carom_fail(ctx, CAROM_ERROR_USAGE, NULL, "%s: the function `%s` is missing", owner, needs[k].name);
    return CAROM_OK;
}

/* Returns from the enclosing function unless the definition is sound; the rest are its functions, {name, is there}. */
#define CHECK(family, def, ...)                                                                               \
    do {                                                                                                      \
        if (!ctx || !(def))                                                                                   \
            return no_definition(ctx, family);                                                                \
        const need needs[] = {__VA_ARGS__};                                                                   \
        CAROM_TRY(carom_register_check(ctx, family, &(def)->kind, sizeof *(def), needs, CAROM_COUNT(needs))); \
    } while (0)

static carom_status no_definition(carom_context *ctx, carom_family family)
{
    return ctx ? carom_fail(ctx, CAROM_ERROR_USAGE, NULL, "%s: there is no definition", carom_family_name(family))
               : CAROM_ERROR_USAGE;
}

static int params_size(const carom_kind_def *def)
{
    int size = 0;
    for (size_t k = 0; k < def->param_count; k++)
        size += def->params[k].size;
    return size;
}

static carom_status refuse(carom_context *ctx, carom_family family, const carom_kind_def *def, const char *text)
{
    return carom_fail(ctx, CAROM_ERROR_USAGE, NULL, "%s '%s': %s", carom_family_name(family), def->name, text);
}

/* ---- copies ---- */

static const char *copy_text(carom_arena *arena, const char *text, bool *failed)
{
    const char *copy = carom_arena_text(arena, text ? text : "");
    *failed = *failed || !copy;
    return copy;
}

carom_status carom_register_texts(carom_context *ctx, const carom_kind_def *def, carom_kind *out)
{
    carom_arena *arena = carom_registry_arena(ctx);
    bool failed = false;
    carom_param_row *rows = carom_arena_alloc(arena, def->param_count + 1, sizeof *rows);
    for (size_t k = 0; rows && k < def->param_count; k++) {
        rows[k] = def->params[k];
        rows[k].name = copy_text(arena, rows[k].name, &failed);
        rows[k].unit = copy_text(arena, rows[k].unit, &failed);
        rows[k].description = copy_text(arena, rows[k].description, &failed);
    }
    *out = (carom_kind){.name = copy_text(arena, def->name, &failed),
                        .title = copy_text(arena, def->title, &failed),
                        .formula = copy_text(arena, def->formula, &failed),
                        .source = copy_text(arena, def->source, &failed),
                        .validity = copy_text(arena, def->validity, &failed),
                        .params = rows,
                        .param_count = (int)def->param_count};
    return failed || !rows ? carom_fail_memory(ctx) : CAROM_OK;
}

void *carom_register_block(carom_context *ctx, const void *block, size_t size)
{
    void *copy = carom_arena_alloc(carom_registry_arena(ctx), 1, size);
    if (copy)
        memcpy(copy, block, size);
    return copy;
}

/* The kind of a family, empty but for its texts, and the copy of its definition. */
#define MAKE(type, kind_name, def)                                                                   \
    type *kind_name = carom_arena_alloc(carom_registry_arena(ctx), 1, sizeof *kind_name);            \
    if (!kind_name || !(kind_name->outside = carom_register_block(ctx, def, sizeof *(def))))                   \
        return carom_fail_memory(ctx);                                                               \
    CAROM_TRY(carom_register_texts(ctx, &(def)->kind, &kind_name->kind))

/* Replaces a function that the definition has, so that whoever asks whether there is one finds it; it is
   never called. */
static void is_outside(void) {}

static void mark(void *place, bool there)
{
    void (*function)(void) = there ? is_outside : NULL;
    memcpy(place, &function, sizeof function);
}

#define MARK(kind_name, function) mark(&kind_name->function, kind_name->outside->function != NULL)

/* ---- normal forces ---- */

#define DEFAULT(name)                                                                                       \
    carom_##name##_kind_def carom_default_##name##_kind_def(void)                                               \
    {                                                                                                       \
        return (carom_##name##_kind_def){                                                                   \
            .kind = {.size = sizeof(carom_##name##_kind_def), .version = CAROM_KIND_VERSION}};              \
    }
DEFAULT(elastic)
DEFAULT(damping)
DEFAULT(normal)
DEFAULT(friction)
DEFAULT(joint)
DEFAULT(shape)
DEFAULT(pair)
DEFAULT(load)
DEFAULT(stabilization)

carom_law_kind_def carom_default_law_kind_def(void)
{
    return (carom_law_kind_def){.kind = {.size = sizeof(carom_law_kind_def), .version = CAROM_KIND_VERSION},
                                .damping = "none",
                                .exponent = 1.5};
}

static carom_status make_elastic(carom_context *ctx, const carom_elastic_kind_def *def, carom_elastic_kind **out)
{
    CHECK(CAROM_FAMILY_ELASTIC, def, {"prepare", def->prepare}, {"force", def->force},
          {"branch", def->branch || !def->history}, {"update", def->update || !def->history});
    if (def->history < 0 || def->history > CAROM_LAW_HISTORY)
        return refuse(ctx, CAROM_FAMILY_ELASTIC, &def->kind, "`history` must be 0 to CAROM_LAW_HISTORY");
    MAKE(carom_elastic_kind, kind, def);
    kind->power_law = def->power_law;
    kind->needs = def->needs;
    kind->history = def->history;
    MARK(kind, prepare);
    MARK(kind, force);
    MARK(kind, branch);
    MARK(kind, update);
    MARK(kind, limit);
    *out = kind;
    return CAROM_OK;
}

carom_status carom_register_elastic(carom_context *ctx, const carom_elastic_kind_def *def)
{
    CAROM_NEED(ctx, ctx);
    carom_elastic_kind *kind;
    CAROM_TRY(make_elastic(ctx, def, &kind));
    return carom_registry_add(ctx, CAROM_FAMILY_ELASTIC, &kind->kind);
}

static carom_status make_damping(carom_context *ctx, const carom_damping_kind_def *def, carom_damping_kind **out)
{
    CHECK(CAROM_FAMILY_DAMPING, def, {"force", def->force});
    MAKE(carom_damping_kind, kind, def);
    kind->takes_restitution = def->takes_restitution;
    kind->uses_mass = def->uses_mass;
    kind->uses_stiffness = def->uses_stiffness;
    kind->kinked = def->kinked;
    kind->ignores_v0 = def->ignores_v0;
    MARK(kind, factor);
    MARK(kind, ratio);
    MARK(kind, prepare);
    MARK(kind, fits);
    MARK(kind, force);
    *out = kind;
    return CAROM_OK;
}

carom_status carom_register_damping(carom_context *ctx, const carom_damping_kind_def *def)
{
    CAROM_NEED(ctx, ctx);
    carom_damping_kind *kind;
    CAROM_TRY(make_damping(ctx, def, &kind));
    return carom_registry_add(ctx, CAROM_FAMILY_DAMPING, &kind->kind);
}

/* A named law out of parts whose names the caller has checked. */
static carom_status make_law(carom_context *ctx, const carom_law_kind_def *def, carom_law_kind **out)
{
    carom_arena *arena = carom_registry_arena(ctx);
    bool failed = false;
    carom_law_kind *kind = carom_arena_alloc(arena, 1, sizeof *kind);
    if (!kind)
        return carom_fail_memory(ctx);
    CAROM_TRY(carom_register_texts(ctx, &def->kind, &kind->kind));
    kind->elastic = copy_text(arena, def->elastic, &failed);
    kind->damping = copy_text(arena, def->damping, &failed);
    kind->elastic_without_stiffness =
        def->elastic_without_stiffness ? copy_text(arena, def->elastic_without_stiffness, &failed) : NULL;
    kind->exponent = def->exponent;
    *out = kind;
    return failed ? carom_fail_memory(ctx) : CAROM_OK;
}

carom_status carom_register_law(carom_context *ctx, const carom_law_kind_def *def)
{
    CAROM_NEED(ctx, ctx);
    CHECK(CAROM_FAMILY_LAW, def, {"none", true});
    const carom_kind *elastic = carom_kind_find(ctx, CAROM_FAMILY_ELASTIC, def->elastic);
    const carom_kind *bare = carom_kind_find(ctx, CAROM_FAMILY_ELASTIC, def->elastic_without_stiffness);
    if (!elastic || (def->elastic_without_stiffness && !bare))
        return refuse(ctx, CAROM_FAMILY_LAW, &def->kind, "its elastic part is none that this context has");
    if (!carom_kind_find(ctx, CAROM_FAMILY_DAMPING, def->damping))
        return refuse(ctx, CAROM_FAMILY_LAW, &def->kind, "its damping part is none that this context has");
    if (def->kind.param_count)
        return refuse(ctx, CAROM_FAMILY_LAW, &def->kind,
                      "its parameters are those of its parts; it has none of its own");
    carom_law_kind *kind;
    CAROM_TRY(make_law(ctx, def, &kind));
    return carom_registry_add(ctx, CAROM_FAMILY_LAW, &kind->kind);
}

/* ---- a whole normal force: an elastic part at rate 0, and the rest as its damping part ---- */

static const char *whole_prepare(void *user, const double *p, const carom_contact_geometry *geometry, double *c)
{
    const carom_normal_kind_def *law = user;
    return law->prepare(law->kind.user, p, geometry, c);
}

static void whole_elastic(void *user, const double *c, const double *history, double delta, carom_elastic_force *out)
{
    const carom_normal_kind_def *law = user;
    const carom_normal_input in = {.delta = delta, .rate = 0, .v0 = 1, .mass = 1};
    carom_normal_force f = {0};
    (void)history;
    law->force(law->kind.user, c, &in, &f);
    *out = (carom_elastic_force){.force = f.force, .slope = f.d_delta, .energy = f.energy};
}

static void whole_damping(void *user, const double *c, const carom_damping_input *in, carom_damping_force *out)
{
    const carom_normal_kind_def *law = user;
    const carom_normal_input at = {.delta = in->delta, .rate = in->rate, .v0 = in->v0, .mass = in->mass};
    carom_normal_force f = {0};
    (void)c;
    law->force(law->kind.user, in->constants, &at, &f);
    *out = (carom_damping_force){f.force - in->elastic, f.d_delta - in->elastic_slope, f.d_rate};
}

carom_status carom_register_normal(carom_context *ctx, const carom_normal_kind_def *def)
{
    CAROM_NEED(ctx, ctx);
    CHECK(CAROM_FAMILY_LAW, def, {"prepare", def->prepare}, {"force", def->force});
    void *law = carom_register_block(ctx, def, sizeof *def);
    if (!law)
        return carom_fail_memory(ctx);
    carom_elastic_kind_def elastic = carom_default_elastic_kind_def();
    carom_damping_kind_def damping = carom_default_damping_kind_def();
    carom_law_kind_def named = carom_default_law_kind_def();
    const size_t sizes[] = {elastic.kind.size, damping.kind.size, named.kind.size};
    elastic.kind = damping.kind = named.kind = def->kind;
    elastic.kind.size = sizes[0];
    damping.kind.size = sizes[1];
    named.kind.size = sizes[2];
    elastic.kind.user = damping.kind.user = law;
    damping.kind.param_count = named.kind.param_count = 0;
    elastic.needs = def->needs;
    elastic.prepare = whole_prepare;
    elastic.force = whole_elastic;
    damping.uses_mass = def->uses_mass;
    damping.kinked = def->kinked;
    damping.ignores_v0 = def->ignores_v0;
    damping.force = whole_damping;
    named.elastic = named.elastic_without_stiffness = named.damping = def->kind.name;
    carom_elastic_kind *elastic_kind;
    carom_damping_kind *damping_kind;
    carom_law_kind *law_kind;
    CAROM_TRY(make_elastic(ctx, &elastic, &elastic_kind));
    CAROM_TRY(make_damping(ctx, &damping, &damping_kind));
    damping_kind->only_with = elastic_kind;
    CAROM_TRY(make_law(ctx, &named, &law_kind));
    const carom_family families[] = {CAROM_FAMILY_ELASTIC, CAROM_FAMILY_DAMPING, CAROM_FAMILY_LAW};
    const carom_kind *const kinds[] = {&elastic_kind->kind, &damping_kind->kind, &law_kind->kind};
    return carom_registry_add_all(ctx, families, kinds, CAROM_COUNT(kinds));
}

/* ---- friction, joints ---- */

carom_status carom_register_friction(carom_context *ctx, const carom_friction_kind_def *def)
{
    CAROM_NEED(ctx, ctx);
    CHECK(CAROM_FAMILY_FRICTION, def, {"prepare", def->prepare}, {"map", def->map || def->state},
          {"force", def->force || !def->state}, {"stick_speed", def->stick_speed || !def->set_valued},
          {"scale", def->scale || !def->state}, {"cone", def->cone});
    if (def->state != 0 && def->state != 3 && def->state != 4)
        return refuse(ctx, CAROM_FAMILY_FRICTION, &def->kind, "`state` must be 0, 3 or 4 numbers");
    if (def->set_valued && def->state)
        return refuse(ctx, CAROM_FAMILY_FRICTION, &def->kind, "a `set_valued` law has no state");
    MAKE(carom_friction_kind, kind, def);
    kind->state = def->state;
    kind->spring = def->spring;
    kind->set_valued = def->set_valued;
    MARK(kind, prepare);
    MARK(kind, map);
    MARK(kind, force);
    MARK(kind, update);
    MARK(kind, stick_speed);
    MARK(kind, scale);
    MARK(kind, cone);
    return carom_registry_add(ctx, CAROM_FAMILY_FRICTION, &kind->kind);
}

/* The word among `words` that a kind draws itself by, which ends with NULL; NULL: it is none of them. */
static const char *picture(const char *const *words, const char *drawn)
{
    while (*words && strcmp(*words, drawn) != 0)
        words++;
    return *words;
}

static const char *const joint_pictures[] = {"ball", "ring", "rail", "ring rail", "ball rail", "bar", "none", NULL};

carom_status carom_register_joint(carom_context *ctx, const carom_joint_kind_def *def)
{
    CAROM_NEED(ctx, ctx);
    CHECK(CAROM_FAMILY_JOINT, def, {"rows", def->rows || def->couple},
          {"coordinate", def->coordinate || !def->coordinate_unit});
    if (def->rows_2d < 0 || def->rows_2d > 3 || def->rows_3d < 0 || def->rows_3d > CAROM_JOINT_ROWS ||
        def->rows_2d + def->rows_3d == 0)
        return refuse(ctx, CAROM_FAMILY_JOINT, &def->kind, "it has 1 to 3 rows in the plane, 1 to 6 in space, or both");
    if (def->couple && (def->rows || def->rows_2d > 1 || def->rows_3d > 1 || def->has_axis || def->axis2_on_j ||
                        def->coordinate_unit || def->clearance || def->friction))
        return refuse(ctx, CAROM_FAMILY_JOINT, &def->kind,
                      "with `couple` it has one row, and no `rows`, axis, coordinate, clearance or friction");
    if (def->coordinate_unit && strcmp(def->coordinate_unit, "rad") != 0 && strcmp(def->coordinate_unit, "m") != 0)
        return refuse(ctx, CAROM_FAMILY_JOINT, &def->kind, "`coordinate_unit` must be \"rad\", \"m\" or NULL");
    if ((def->clearance && !def->clearance->parts) ||
        (def->friction && (!def->friction->slips || !def->friction->bearings)))
        return refuse(ctx, CAROM_FAMILY_JOINT, &def->kind,
                      "`clearance` needs the function `parts`, `friction` the functions `slips` and `bearings`");
    const char *drawn = picture(joint_pictures, def->drawn ? def->drawn : "ball");
    if (!drawn)
        return refuse(ctx, CAROM_FAMILY_JOINT, &def->kind,
                      "`drawn` must be \"ball\", \"ring\", \"rail\", \"ring rail\", \"ball rail\", \"bar\", "
                      "\"none\" or NULL");
    MAKE(carom_joint_kind, kind, def);
    kind->drawn = strcmp(drawn, "none") == 0 ? NULL : drawn;
    kind->rows_2d = def->rows_2d;
    kind->rows_3d = def->rows_3d;
    kind->has_axis = def->has_axis;
    kind->axis_in_plane = def->axis_in_plane;
    kind->axes_locked = def->axes_locked;
    kind->axis2_on_j = def->axis2_on_j;
    kind->coordinate_unit = !def->coordinate_unit ? NULL : def->coordinate_unit[0] == 'r' ? "rad" : "m";
    kind->user = def->kind.user;
    if ((def->clearance && !(kind->clearance = carom_register_block(ctx, def->clearance, sizeof *def->clearance))) ||
        (def->friction && !(kind->friction = carom_register_block(ctx, def->friction, sizeof *def->friction))))
        return carom_fail_memory(ctx);
    MARK(kind, start);
    MARK(kind, rows);
    MARK(kind, coordinate);
    MARK(kind, couple);
    MARK(kind, couple_start);
    return carom_registry_add(ctx, CAROM_FAMILY_JOINT, &kind->kind);
}

/* ---- shapes, pairs ---- */

carom_status carom_register_shape(carom_context *ctx, const carom_shape_kind_def *def)
{
    CAROM_NEED(ctx, ctx);
    bool failed = false;
    CHECK(CAROM_FAMILY_SHAPE, def, {"bounding_radius", def->bounding_radius}, {"mesh", def->mesh});
    if (!def->in_2d && !def->in_3d)
        return refuse(ctx, CAROM_FAMILY_SHAPE, &def->kind, "one of `in_2d` and `in_3d` must be set");
    if (def->surface && (strcmp(def->surface, "curve") == 0 || strcmp(def->surface, "surface") == 0))
        return refuse(ctx, CAROM_FAMILY_SHAPE, &def->kind,
                      "the surfaces `curve` and `surface` are those of built-in shapes");
    MAKE(carom_shape_kind, kind, def);
    kind->surface = def->surface ? copy_text(carom_registry_arena(ctx), def->surface, &failed) : NULL;
    if (failed)
        return carom_fail_memory(ctx);
    kind->in_2d = def->in_2d;
    kind->in_3d = def->in_3d;
    kind->isotropic = def->isotropic;
    MARK(kind, check);
    MARK(kind, bounding_radius);
    MARK(kind, mesh);
    return carom_registry_add(ctx, CAROM_FAMILY_SHAPE, &kind->kind);
}

carom_status carom_register_pair(carom_context *ctx, const carom_pair_kind_def *def)
{
    CAROM_NEED(ctx, ctx);
    bool failed = false;
    CHECK(CAROM_FAMILY_PAIR, def, {"gap", def->gap}, {"normal_rate", def->normal_rate}, {"curvature", def->curvature},
          {"feature_size", def->feature_size});
    if (!given(def->shape_i) || !given(def->shape_j))
        return refuse(ctx, CAROM_FAMILY_PAIR, &def->kind,
                      "`shape_i` and `shape_j` must name the surfaces of two shapes");
    for (size_t k = 0; k < carom_kind_count(ctx, CAROM_FAMILY_PAIR); k++) {
        const carom_pair_kind *other = (const carom_pair_kind *)carom_kind_at(ctx, CAROM_FAMILY_PAIR, k);
        if ((strcmp(other->shape_i, def->shape_i) == 0 && strcmp(other->shape_j, def->shape_j) == 0) ||
            (strcmp(other->shape_i, def->shape_j) == 0 && strcmp(other->shape_j, def->shape_i) == 0))
            return carom_fail(ctx, CAROM_ERROR_USAGE, NULL, "pair '%s': '%s' is the pair of the surfaces %s and %s",
                              def->kind.name, other->kind.name, def->shape_i, def->shape_j);
    }
    MAKE(carom_pair_kind, kind, def);
    kind->shape_i = copy_text(carom_registry_arena(ctx), def->shape_i, &failed);
    kind->shape_j = copy_text(carom_registry_arena(ctx), def->shape_j, &failed);
    if (failed)
        return carom_fail_memory(ctx);
    kind->varies = def->varies;
    MARK(kind, check);
    MARK(kind, gap);
    MARK(kind, normal_rate);
    MARK(kind, curvature);
    MARK(kind, feature_size);
    return carom_registry_add(ctx, CAROM_FAMILY_PAIR, &kind->kind);
}

/* ---- loads, stabilizations ---- */

/* The table of a load's states: what is wrong with it, NULL: nothing. */
static const char *check_states(const carom_load_kind_def *def)
{
    static const char *const taken[] = {"force", "torque",      "power",  "loss", "stored", "pull",
                                        "length", "length_rate", "effort", "work", "lost"};
    if (def->state_count > CAROM_LOAD_STATES || (def->state_count && !def->states))
        return "it has at most CAROM_LOAD_STATES states, which stand in `states`";
    for (size_t k = 0; k < def->state_count; k++) {
        const carom_load_state *s = &def->states[k];
        if (!s->name || !is_word(s->name, '_', false))
            return "the name of a state must be a word of lower-case letters, digits and '_'";
        if (!given(s->unit) || !given(s->description))
            return "a state has no unit, which may be \"-\", or no description";
        for (size_t i = 0; i < CAROM_COUNT(taken) + k; i++)
            if (strcmp(i < CAROM_COUNT(taken) ? taken[i] : def->states[i - CAROM_COUNT(taken)].name, s->name) == 0)
                return "the name of a state is that of another channel of the load";
        if (!(s->scale >= 0) || !(s->start - s->start == 0))
            return "a state has a start that is not finite, or a scale below 0";
    }
    return NULL;
}

/* Copies the table, with a size for each state. */
static carom_status copy_states(carom_context *ctx, const carom_load_kind_def *def, carom_load_kind *kind)
{
    carom_arena *arena = carom_registry_arena(ctx);
    carom_load_state *own = carom_arena_alloc(arena, def->state_count, sizeof *own);
    bool failed = !own;
    for (size_t k = 0; k < def->state_count && !failed; k++) {
        const double start = def->states[k].start, size = start < 0 ? -start : start;
        own[k] = def->states[k];
        own[k].name = copy_text(arena, own[k].name, &failed);
        own[k].unit = copy_text(arena, own[k].unit, &failed);
        own[k].description = copy_text(arena, own[k].description, &failed);
        own[k].scale = own[k].scale > 0 ? own[k].scale : size > 0 ? size : 1;
    }
    kind->states = own;
    kind->state_count = (int)def->state_count;
    return failed ? carom_fail_memory(ctx) : CAROM_OK;
}

carom_status carom_register_load(carom_context *ctx, const carom_load_kind_def *def)
{
    CAROM_NEED(ctx, ctx);
    static const char *const pictures[] = {"coil", "dashpot", "line", NULL};
    CHECK(CAROM_FAMILY_LOAD, def, {"apply", def->apply}, {"rates", def->rates || !def->state_count});
    const char *wrong = check_states(def);
    if (wrong)
        return refuse(ctx, CAROM_FAMILY_LOAD, &def->kind, wrong);
    if (def->frame_count != 1 && def->frame_count != 2)
        return refuse(ctx, CAROM_FAMILY_LOAD, &def->kind, "`frame_count` must be 1 or 2");
    if (def->frame_count == 2 && (def->may_react || def->on_joint))
        return refuse(ctx, CAROM_FAMILY_LOAD, &def->kind, "`may_react` and `on_joint` are for loads with one frame");
    const char *drawn = def->drawn ? picture(pictures, def->drawn) : NULL;
    if (def->drawn && !drawn)
        return refuse(ctx, CAROM_FAMILY_LOAD, &def->kind, "`drawn` must be \"coil\", \"dashpot\", \"line\" or NULL");
    MAKE(carom_load_kind, kind, def);
    kind->frame_count = def->frame_count;
    kind->may_react = def->may_react;
    kind->on_joint = def->on_joint;
    kind->has_axis = def->has_axis;
    kind->drawn = drawn;
    CAROM_TRY(copy_states(ctx, def, kind));
    MARK(kind, start);
    MARK(kind, apply);
    return carom_registry_add(ctx, CAROM_FAMILY_LOAD, &kind->kind);
}

carom_status carom_register_stabilization(carom_context *ctx, const carom_stabilization_kind_def *def)
{
    CAROM_NEED(ctx, ctx);
    CHECK(CAROM_FAMILY_STABILIZATION, def, {"correction", def->correction});
    if (params_size(&def->kind) > CAROM_STABILIZATION_PARAMS)
        return refuse(ctx, CAROM_FAMILY_STABILIZATION, &def->kind, "its parameters are at most 8 numbers");
    MAKE(carom_stabilization_kind, kind, def);
    MARK(kind, correction);
    return carom_registry_add(ctx, CAROM_FAMILY_STABILIZATION, &kind->kind);
}
