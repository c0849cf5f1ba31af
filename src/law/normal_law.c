/* A normal law from its definition: parts, parameters, stiffness, constants, policies. */
#include "law/normal_law.h"
#include "kinds/parameters.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- parameters that do not belong to a part ---- */

static const carom_param_row normal_rows[] = {
    {"stiffness", "N/m^n", 1, CAROM_PARAM_ABOVE | CAROM_PARAM_OPTIONAL, (double)NAN, 0, HUGE_VAL,
     "Stiffness K of Fe = K delta^n; without it Hertz' from the materials and curvatures."},
    {"exponent", "-", 1, CAROM_PARAM_OPTIONAL, (double)NAN, 1, HUGE_VAL,
     "Exponent n of a power law, in place of the law's."},
    {"restitution", "-", 1, CAROM_PARAM_OPTIONAL, (double)NAN, 0, 1,
     "Coefficient of restitution; laws that take none ignore it with a warning."},
    {"reference_speed", "m/s", 1, CAROM_PARAM_ABOVE | CAROM_PARAM_OPTIONAL, (double)NAN, 0, HUGE_VAL,
     "Impact velocity v0 of the policy `velocity: fixed-reference`, default 1 m/s."},
    {"E_i", "Pa", 1, CAROM_PARAM_ABOVE | CAROM_PARAM_OPTIONAL, (double)NAN, 0, HUGE_VAL,
     "Young's modulus of the first side, in place of its shape's material."},
    {"nu_i", "-", 1, CAROM_PARAM_ABOVE | CAROM_PARAM_OPTIONAL, (double)NAN, -1, 0.5,
     "Poisson's ratio of the first side, default 0.3 where E_i is given."},
    {"E_j", "Pa", 1, CAROM_PARAM_ABOVE | CAROM_PARAM_OPTIONAL, (double)NAN, 0, HUGE_VAL,
     "Young's modulus of the second side; E_i where only that is given."},
    {"nu_j", "-", 1, CAROM_PARAM_ABOVE | CAROM_PARAM_OPTIONAL, (double)NAN, -1, 0.5,
     "Poisson's ratio of the second side; nu_i where only that is given."},
    {"radius_i", "m", 1, CAROM_PARAM_OPTIONAL | CAROM_PARAM_NONZERO, (double)NAN, -HUGE_VAL, HUGE_VAL,
     "Radius of the first side, negative where hollow, in place of its shape's."},
    {"radius_j", "m", 1, CAROM_PARAM_OPTIONAL | CAROM_PARAM_NONZERO, (double)NAN, -HUGE_VAL, HUGE_VAL,
     "Radius of the second side, negative where hollow, in place of its shape's."},
    {"length", "m", 1, CAROM_PARAM_ABOVE | CAROM_PARAM_OPTIONAL, (double)NAN, 0, HUGE_VAL,
     "Length of a line contact."},
};

const carom_param_row *carom_normal_params(size_t *count)
{
    *count = CAROM_COUNT(normal_rows);
    return normal_rows;
}

/* Those that replace what the sides and their materials say. */
static const struct {
    const char *name;
    unsigned need;
} geometry_params[] = {{"E_i", CAROM_NEEDS_MATERIALS},  {"nu_i", CAROM_NEEDS_MATERIALS},
                       {"E_j", CAROM_NEEDS_MATERIALS},  {"nu_j", CAROM_NEEDS_MATERIALS},
                       {"radius_i", CAROM_NEEDS_RADII}, {"radius_j", CAROM_NEEDS_RADII},
                       {"length", CAROM_NEEDS_LENGTH}};

unsigned carom_normal_geometry_need(const char *name)
{
    for (size_t k = 0; k < CAROM_COUNT(geometry_params); k++)
        if (strcmp(geometry_params[k].name, name) == 0)
            return geometry_params[k].need;
    return 0;
}

/* ---- a law being compiled ---- */

typedef struct compilation {
    carom_param_reader reader;
    const carom_normal_law_def *def;
    const carom_law_kind *named;        /* NULL: composed of parts */
    carom_param_list params;            /* of the definition, completed */
    carom_normal_law *law;
} compilation;

/* The place of the last parameter given that a sentence names as one too many; else that of the law. */
static const carom_place *place_of(const compilation *w, const char *sentence)
{
    const carom_param_list *list = &w->def->params;
    const carom_place *found = &w->def->place;
    if (!strstr(sentence, "not both"))
        return found;
    for (size_t k = 0; k < list->count; k++) {
        const carom_place *at = &list->items[k].place;
        if (strstr(sentence, list->items[k].name) && at->line > 0)
            found = at;
    }
    return found;
}

/* Ends the compilation with "OWNER: SENTENCE". */
static carom_status refuse(const compilation *w, const char *sentence)
{
    return carom_fail(w->reader.ctx, CAROM_ERROR_MODEL, place_of(w, sentence), "%s: %s", w->def->owner, sentence);
}

/* ---- policies ---- */

const char *const carom_velocity_words[] = {"per-impact", "per-compression", "fixed-reference", "adaptive", NULL};
const char *const carom_tension_words[] = {"clip", "allow", "cut-off", NULL};
static const char *const former_velocity_words[] = {"latched", "re-armed", "memoryless", "adaptive", NULL};
static const char *const former_tension_words[] = {"clamp", "raw", "latch-open", NULL};

/* Index of a word among the choices, or among their former words; without a word `out` is left. */
static carom_status choose(const compilation *w, const char *what, const char *word, const carom_place *place,
                           const char *const *choices, const char *const *former, int *out)
{
    size_t count = 0;
    for (; word && choices[count]; count++)
        if (strcmp(choices[count], word) == 0 || strcmp(former[count], word) == 0) {
            *out = (int)count;
            return CAROM_OK;
        }
    return word ? carom_fail_unknown(w->reader.ctx, place, w->def->owner, what, word, choices, count) : CAROM_OK;
}

static carom_status read_policies(const compilation *w)
{
    const carom_normal_law_def *def = w->def;
    int velocity = CAROM_VELOCITY_DEFAULT, tension = CAROM_TENSION_CLIP;
    CAROM_TRY(choose(w, "velocity policy", def->velocity, &def->velocity_place, carom_velocity_words,
                     former_velocity_words, &velocity));
    CAROM_TRY(choose(w, "tension policy", def->tension, &def->tension_place, carom_tension_words, former_tension_words,
                     &tension));
    w->law->velocity = (carom_velocity_policy)velocity;
    w->law->tension = (carom_tension_policy)tension;
    w->law->minimum_speed = def->minimum_speed;
    return def->minimum_speed > 0 && isfinite(def->minimum_speed) ? CAROM_OK
                                                                  : refuse(w, "minimum_speed must be above 0");
}

/* ---- parts ---- */

/* Elastic and damping kinds from the named law and what overrides it. */
static carom_status find_parts(compilation *w)
{
    const carom_normal_law_def *def = w->def;
    carom_normal_law *law = w->law;
    carom_context *ctx = w->reader.ctx;
    const carom_kind *kind;
    if (def->law || !def->elastic) {
        CAROM_TRY(carom_kind_require(ctx, &def->law_place, def->owner, CAROM_FAMILY_LAW, def->law, &kind));
        w->named = (const carom_law_kind *)kind;
    }
    const carom_law_kind *named = w->named;
    const char *damping = def->damping ? def->damping : named ? named->damping : "none";
    law->name = named ? named->kind.name : carom_arena_text(w->reader.arena, damping);
    if (!law->name)
        return carom_fail_memory(ctx);
    const bool stiffness = carom_param_find(&def->params, "stiffness") || carom_param_find(&def->params, "from_point");
    const char *elastic =
        def->elastic ? def->elastic : stiffness ? named->elastic : named->elastic_without_stiffness;
    if (!elastic)
        return carom_fail(ctx, CAROM_ERROR_MODEL, &def->place, "%s: law %s needs a stiffness [N/m^n]", def->owner,
                          law->name);
    CAROM_TRY(carom_kind_require(ctx, &def->elastic_place, def->owner, CAROM_FAMILY_ELASTIC, elastic, &kind));
    law->elastic = (const carom_elastic_kind *)kind;
    CAROM_TRY(carom_kind_require(ctx, &def->damping_place, def->owner, CAROM_FAMILY_DAMPING, damping, &kind));
    law->damping = (const carom_damping_kind *)kind;
    return CAROM_OK;
}

/* ---- parameters ---- */

/* Must the elastic part be given its exponent? */
static bool exponent_required(const carom_kind *elastic)
{
    for (int r = 0; r < elastic->param_count; r++)
        if (strcmp(elastic->params[r].name, "exponent") == 0)
            return elastic->params[r].flags & CAROM_PARAM_REQUIRED;
    return false;
}

/* The exponent that an elastic part has where none is given. */
static double exponent_default(const carom_kind *elastic, double otherwise)
{
    for (int r = 0; r < elastic->param_count; r++)
        if (strcmp(elastic->params[r].name, "exponent") == 0 && !(elastic->params[r].flags & CAROM_PARAM_REQUIRED) &&
            !isnan(elastic->params[r].default_value))
            return elastic->params[r].default_value;
    return otherwise;
}

/* Replaces from_point by the stiffness that gives its force; sets the law's default exponent. */
static carom_status complete_params(compilation *w)
{
    const carom_param_list *in = &w->def->params;
    carom_context *ctx = w->reader.ctx;
    carom_param *items = carom_arena_alloc(w->reader.arena, in->count + 2, sizeof *items);
    if (!items)
        return carom_fail_memory(ctx);
    size_t count = 0;
    for (size_t k = 0; k < in->count; k++)
        if (strcmp(in->items[k].name, "from_point") != 0)
            items[count++] = in->items[k];
    /* a part that is named in place of the law's has its own default */
    double exponent = w->named ? w->named->exponent : 1.5;
    if (w->def->elastic)
        exponent = exponent_default(&w->law->elastic->kind, exponent);
    const carom_param *given = carom_param_find(in, "exponent");
    if (given && given->value.type == CAROM_VALUE_NUMBER)
        exponent = given->value.number[0];
    else if (!exponent_required(&w->law->elastic->kind))
        items[count++] = (carom_param){.name = "exponent", .value = carom_value_number(exponent)};
    const carom_param *point = carom_param_find(in, "from_point");
    if (point) {
        const double *p = point->value.number;
        if (carom_param_find(in, "stiffness"))
            return carom_fail(ctx, CAROM_ERROR_MODEL, &point->place,
                              "%s: give either stiffness or from_point, not both", w->def->owner);
        if (point->value.type != CAROM_VALUE_VECTOR || point->value.size != 2 || !(p[0] > 0) || !(p[1] > 0))
            return carom_fail(ctx, CAROM_ERROR_MODEL, &point->place,
                              "%s: from_point needs {indentation: [m], force: [N]}, both above 0", w->def->owner);
        items[count++] = (carom_param){"stiffness", carom_value_number(p[1] / pow(p[0], exponent)), point->place};
    }
    w->params = (carom_param_list){items, count};
    return CAROM_OK;
}

/* A parameter that no part takes. */
static carom_status unknown_param(const compilation *w, const carom_param *p)
{
    const carom_kind *parts[2] = {&w->law->elastic->kind, &w->law->damping->kind};
    const char *names[64];
    size_t count = 0;
    for (int side = 0; side < 2; side++)
        for (int r = 0; r < parts[side]->param_count && count < CAROM_COUNT(names); r++)
            names[count++] = parts[side]->params[r].name;
    for (size_t g = 0; g < CAROM_COUNT(geometry_params) && count < CAROM_COUNT(names); g++)
        if (geometry_params[g].need & w->law->elastic->needs)
            names[count++] = geometry_params[g].name;
    return carom_fail_unknown(w->reader.ctx, &p->place, w->def->owner, "parameter", p->name, names, count);
}

/* Every parameter must belong to one of the parts; a restitution that no part takes is only worth a warning. */
static carom_status check_used(const compilation *w)
{
    const carom_normal_law *law = w->law;
    for (size_t k = 0; k < w->params.count; k++) {
        const carom_param *p = &w->params.items[k];
        if (carom_kind_param_offset(&law->elastic->kind, p->name) >= 0 ||
            carom_kind_param_offset(&law->damping->kind, p->name) >= 0 || strcmp(p->name, "exponent") == 0 ||
            strcmp(p->name, "reference_speed") == 0 || (carom_normal_geometry_need(p->name) & law->elastic->needs))
            continue;
        if (strcmp(p->name, "restitution") != 0)
            return unknown_param(w, p);
        /* a damping part that is named in place of the law's is the one that takes none */
        char text[320];
        snprintf(text, sizeof text, "%.160s: %s %.64s takes no restitution; the given one is ignored", w->def->owner,
                 w->def->damping ? "damping" : "law", w->def->damping ? law->damping->kind.name : law->name);
        CAROM_TRY(w->def->warn(w->def->user, CAROM_WARN_UNUSED_RESTITUTION, text));
    }
    return CAROM_OK;
}

/* Warns of a parameter that does nothing, so that laws and policies can be exchanged beside it. */
static carom_status warn_unused(const compilation *w, const char *what, const char *remedy)
{
    char text[420];
    snprintf(text, sizeof text, "%.160s: %s; the given one is ignored; %s", w->def->owner, what, remedy);
    return w->def->warn(w->def->user, CAROM_WARN_UNUSED_RESTITUTION, text);
}

/* An exponent other than that which the elastic part has, where it takes none. */
static carom_status check_exponent(const compilation *w)
{
    const carom_normal_law *law = w->law;
    const carom_kind *elastic = &law->elastic->kind;
    const carom_param *given = carom_param_find(&w->def->params, "exponent");
    if (!given || carom_kind_param_offset(elastic, "exponent") >= 0 ||
        carom_kind_param_offset(&law->damping->kind, "exponent") >= 0)
        return CAROM_OK;
    if (law->elastic->power_law && given->value.type == CAROM_VALUE_NUMBER && given->value.number[0] == law->exponent)
        return CAROM_OK;
    char what[140], has[40] = "";
    if (law->elastic->power_law)
        snprintf(has, sizeof has, ", its own is %.6g", law->exponent);
    snprintf(what, sizeof what, "elastic %.60s takes no exponent%s", elastic->name, has);
    return warn_unused(w, what,
                       law->elastic->history ? "leave `exponent` out"
                                             : "leave `exponent` out, or write `elastic: power` with a stiffness");
}

/* A reference speed that no policy looks at. */
static carom_status check_reference_speed(const compilation *w)
{
    char what[80];
    if (!carom_param_find(&w->def->params, "reference_speed") || w->law->velocity == CAROM_VELOCITY_FIXED)
        return CAROM_OK;
    snprintf(what, sizeof what, "velocity %s takes no reference_speed", carom_velocity_words[w->law->velocity]);
    return warn_unused(w, what, "leave it out, or write `velocity: fixed-reference`");
}

/* ---- the two sides ---- */

/* A number of the list, `otherwise` where it is not given. Its range is that of its row. */
static carom_status geometry_number(const compilation *w, const char *name, double otherwise, double *out)
{
    const carom_param *p = carom_param_find(&w->params, name);
    *out = otherwise;
    for (size_t k = 0; p && k < CAROM_COUNT(normal_rows); k++)
        if (strcmp(normal_rows[k].name, name) == 0)
            return carom_param_number(&w->reader, &normal_rows[k], &p->value, out);
    return CAROM_OK;
}

static carom_status read_geometry(const compilation *w)
{
    const carom_elastic_kind *elastic = w->law->elastic;
    carom_contact_geometry *g = &w->law->geometry;
    *g = w->def->geometry;
    const bool known = g->has_materials;
    const bool given = carom_param_find(&w->params, "E_i") != NULL;
    bool *radius_given = w->law->radius_given;
    CAROM_TRY(geometry_number(w, "E_i", g->young[0], &g->young[0]));
    CAROM_TRY(geometry_number(w, "nu_i", given && !known ? 0.3 : g->poisson[0], &g->poisson[0]));
    CAROM_TRY(geometry_number(w, "E_j", given && !known ? g->young[0] : g->young[1], &g->young[1]));
    CAROM_TRY(geometry_number(w, "nu_j", given && !known ? g->poisson[0] : g->poisson[1], &g->poisson[1]));
    CAROM_TRY(geometry_number(w, "radius_i", g->radius[0], &g->radius[0]));
    CAROM_TRY(geometry_number(w, "radius_j", g->radius[1], &g->radius[1]));
    CAROM_TRY(geometry_number(w, "length", g->length, &g->length));
    radius_given[0] = carom_param_find(&w->params, "radius_i") != NULL;
    radius_given[1] = carom_param_find(&w->params, "radius_j") != NULL;
    if (radius_given[0] || radius_given[1])
        g->relative[0] = g->relative[1] = 0;
    g->has_materials = known || given;
    /* the named law has another elastic part for a stiffness */
    const bool stiffness_instead = w->named && w->named->elastic_without_stiffness &&
                                   strcmp(w->named->elastic_without_stiffness, elastic->kind.name) == 0 &&
                                   strcmp(w->named->elastic, elastic->kind.name) != 0;
    if ((elastic->needs & CAROM_NEEDS_MATERIALS) && !g->has_materials)
        return carom_fail(
            w->reader.ctx, CAROM_ERROR_MODEL, &w->def->place,
            "%s: %s needs the materials (E, nu) of both shapes: name a material on each, or give E_i, nu_i, "
            "E_j, nu_j%s",
            w->def->owner, elastic->kind.name, stiffness_instead ? ", or a stiffness" : "");
    if ((elastic->needs & CAROM_NEEDS_LENGTH) && !(g->length > 0))
        return carom_fail(w->reader.ctx, CAROM_ERROR_MODEL, &w->def->place,
                          "%s: %s needs 'length': the length of the line contact [m]", w->def->owner,
                          elastic->kind.name);
    return CAROM_OK;
}

/* ---- constants ---- */

/* The elastic part's constants. from_point holds whatever the exponent of the part is: the force is proportional to the
   stiffness. */
static const char *prepare_elastic(const compilation *w, double *p)
{
    carom_normal_law *law = w->law;
    const carom_elastic_kind *elastic = law->elastic;
    const char *refusal = CAROM_KIND_CALL(elastic, prepare, p, &law->geometry, law->elastic_constants);
    const carom_param *point = carom_param_find(&w->def->params, "from_point");
    int offset = carom_kind_param_offset(&elastic->kind, "stiffness");
    if (refusal || !point || offset < 0)
        return refusal;
    const double *wanted = point->value.number;
    carom_elastic_force got;
    CAROM_KIND_CALL(elastic, force, law->elastic_constants, NULL, wanted[0], &got);
    if (fabs(got.force - wanted[1]) <= 1e-12 * wanted[1])
        return NULL;
    p[offset] *= wanted[1] / got.force;
    return CAROM_KIND_CALL(elastic, prepare, p, &law->geometry, law->elastic_constants);
}

/* Refuses a damping part that was not made for the elastic one. */
static carom_status check_fit(const compilation *w)
{
    const carom_elastic_kind *elastic = w->law->elastic;
    const carom_damping_kind *damping = w->law->damping;
    const char *refusal = damping->fits ? CAROM_KIND_CALL(damping, fits, elastic->power_law, w->law->exponent) : NULL;
    if (!refusal && damping->uses_stiffness && !elastic->power_law)
        refusal = "it needs the stiffness of a power law";
    if (!refusal && elastic->history && !damping->undamped)
        refusal = "a law with permanent indentation has its loss already";
    return refusal ? carom_fail(w->reader.ctx, CAROM_ERROR_MODEL, &w->def->place,
                                "%s: damping %s does not fit elastic %s: %s", w->def->owner, damping->kind.name,
                                elastic->kind.name, refusal)
                   : CAROM_OK;
}

void carom_normal_law_use(carom_normal_law *law, const double *constants)
{
    if (constants != law->elastic_constants)
        memcpy(law->elastic_constants, constants, sizeof law->elastic_constants);
    law->stiffness = law->exponent = (double)NAN;
    if (law->elastic->power_law) {
        law->stiffness = law->elastic_constants[0];
        law->exponent = law->elastic_constants[1];
    }
    law->limit = law->elastic->limit ? CAROM_KIND_CALL(law->elastic, limit, law->elastic_constants) : HUGE_VAL;
}

static carom_status prepare_parts(const compilation *w)
{
    carom_normal_law *law = w->law;
    const carom_place *place = &w->def->place;
    double *pe, *pd;
    CAROM_TRY(carom_params_read(&w->reader, &law->elastic->kind, &w->params, true, place, &pe));
    CAROM_TRY(carom_params_read(&w->reader, &law->damping->kind, &w->params, true, place, &pd));
    CAROM_TRY(read_geometry(w));
    law->elastic_params = pe;
    law->damping_params = pd;
    const char *refusal = prepare_elastic(w, pe);
    if (!refusal && law->damping->prepare)
        refusal = CAROM_KIND_CALL(law->damping, prepare, pd, law->damping_constants);
    if (refusal)
        return refuse(w, refusal);
    carom_normal_law_use(law, law->elastic_constants);
    CAROM_TRY(check_fit(w));
    CAROM_TRY(check_exponent(w));
    int own = carom_kind_param_offset(&law->elastic->kind, "restitution");
    int offset = law->damping->takes_restitution ? carom_kind_param_offset(&law->damping->kind, "restitution") : -1;
    law->restitution = own >= 0 ? pe[own] : offset >= 0 ? pd[offset] : (double)NAN;
    const carom_param *speed = carom_param_find(&w->params, "reference_speed");
    law->reference_speed = speed && speed->value.type == CAROM_VALUE_NUMBER ? speed->value.number[0] : 1;
    if (!(law->reference_speed > 0) || !isfinite(law->reference_speed))
        return carom_fail(w->reader.ctx, CAROM_ERROR_MODEL, &speed->place, "%s: reference_speed must be above 0",
                          w->def->owner);
    return CAROM_OK;
}

carom_status carom_normal_law_compile(carom_context *ctx, carom_arena *arena, const carom_normal_law_def *def,
                                      carom_normal_law *out)
{
    compilation w = {.reader = {.ctx = ctx, .arena = arena, .owner = def->owner, .dimension = def->geometry.dimension},
                     .def = def,
                     .law = out};
    memset(out, 0, sizeof *out);
    CAROM_TRY(read_policies(&w));
    CAROM_TRY(find_parts(&w));
    CAROM_TRY(complete_params(&w));
    CAROM_TRY(check_used(&w));
    CAROM_TRY(check_reference_speed(&w));
    return prepare_parts(&w);
}
