/* Laws of a contact: parts of the normal force, stiffness, constants, policies, friction. */
#include "model/compile.h"
#include "spec/keys.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct contact_part {
    carom_compiler *c;
    const carom_contact_def *def;
    carom_model_contact *contact;
    const char *owner;
} contact_part;

/* Index of a word among choices, or among their former words (NULL: none). */
static carom_status choose(contact_part *w, const char *key, const char *word, const carom_place *place,
                           const char *const *choices, const char *const *former, int *out)
{
    size_t count = 0;
    *out = 0;
    if (!word)
        return CAROM_OK;
    for (; choices[count]; count++) {
        w->c->names[count] = choices[count];
        if (strcmp(choices[count], word) == 0 || (former && strcmp(former[count], word) == 0)) {
            *out = (int)count;
            return CAROM_OK;
        }
    }
    char what[64];
    snprintf(what, sizeof what, "%s policy", key);
    return carom_compile_unknown(w->c, place, w->owner, what, word, count);
}

const char *const carom_velocity_words[] = {"per-impact", "per-compression", "fixed-reference", NULL};
const char *const carom_tension_words[] = {"clip", "allow", "cut-off", NULL};
static const char *const former_velocity_words[] = {"latched", "re-armed", "memoryless", NULL};
static const char *const former_tension_words[] = {"clamp", "raw", "latch-open", NULL};
const char *const carom_radii_words[] = {"onset", "pieces", NULL};

static carom_status read_policies(contact_part *w)
{
    int velocity, tension, radii;
    CAROM_TRY(choose(w, "velocity", w->def->velocity, &w->def->velocity_place, carom_velocity_words,
                     former_velocity_words, &velocity));
    CAROM_TRY(choose(w, "tension", w->def->tension, &w->def->tension_place, carom_tension_words, former_tension_words,
                     &tension));
    CAROM_TRY(choose(w, "radii", w->def->radii, &w->def->radii_place, carom_radii_words, NULL, &radii));
    w->contact->pieces = radii == 1;
    w->contact->law.velocity = (carom_velocity_policy)velocity;
    w->contact->law.tension = (carom_tension_policy)tension;
    w->contact->law.minimum_speed = w->def->minimum_speed;
    if (!(w->def->minimum_speed > 0) || !isfinite(w->def->minimum_speed))
        return carom_fail(w->c->ctx, CAROM_ERROR_MODEL, &w->def->place, "%s: minimum_speed must be above 0", w->owner);
    return CAROM_OK;
}

/* Elastic and damping kinds from the law and what overrides it. */
static carom_status find_parts(contact_part *w, const carom_param_list *list, const carom_law_kind **law)
{
    const carom_contact_def *def = w->def;
    carom_model_contact *contact = w->contact;
    const carom_kind *kind;
    *law = NULL;
    if (def->law || !def->elastic) {
        CAROM_TRY(carom_compile_find_kind(w->c, &def->law_place, w->owner, CAROM_FAMILY_LAW, def->law, &kind));
        *law = (const carom_law_kind *)kind;
    }
    contact->law.name = *law ? (*law)->kind.name : def->damping ? def->damping : "none";
    bool stiffness = carom_compile_param(list, "stiffness") || carom_compile_param(list, "from_point");
    const char *elastic = def->elastic ? def->elastic : stiffness ? (*law)->elastic : (*law)->elastic_without_stiffness;
    if (!elastic)
        return carom_fail(w->c->ctx, CAROM_ERROR_MODEL, &def->place, "%s: law %s needs a stiffness [N/m^n]", w->owner,
                          contact->law.name);
    CAROM_TRY(carom_compile_find_kind(w->c, &def->elastic_place, w->owner, CAROM_FAMILY_ELASTIC, elastic, &kind));
    contact->law.elastic = (const carom_elastic_kind *)kind;
    const char *damping = def->damping ? def->damping : *law ? (*law)->damping : "none";
    CAROM_TRY(carom_compile_find_kind(w->c, &def->damping_place, w->owner, CAROM_FAMILY_DAMPING, damping, &kind));
    contact->law.damping = (const carom_damping_kind *)kind;
    return CAROM_OK;
}

/* Must the elastic part be given its exponent? */
static bool exponent_required(const carom_kind *elastic)
{
    for (int r = 0; r < elastic->param_count; r++)
        if (strcmp(elastic->params[r].name, "exponent") == 0)
            return elastic->params[r].flags & CAROM_PARAM_REQUIRED;
    return false;
}

/* Replaces from_point by the stiffness that gives its force; sets the law's default exponent. */
static carom_status complete_params(contact_part *w, const carom_law_kind *law, carom_param_list *list)
{
    const carom_param_list *in = &w->def->normal;
    carom_param *items = carom_arena_alloc(&w->c->model->arena, in->count + 2, sizeof *items);
    if (!items)
        return carom_fail_memory(w->c->ctx);
    size_t count = 0;
    for (size_t k = 0; k < in->count; k++)
        if (strcmp(in->items[k].name, "from_point") != 0)
            items[count++] = in->items[k];
    *list = (carom_param_list){items, count};
    double exponent = law ? law->exponent : 1.5;
    const carom_param *given = carom_compile_param(in, "exponent");
    if (given && given->value.type == CAROM_VALUE_NUMBER)
        exponent = given->value.number[0];
    else if (!exponent_required(&w->contact->law.elastic->kind))
        items[count++] = (carom_param){.name = "exponent", .value = carom_value_number(exponent)};
    const carom_param *point = carom_compile_param(in, "from_point");
    if (point) {
        const double *p = point->value.number;
        if (carom_compile_param(in, "stiffness"))
            return carom_fail(w->c->ctx, CAROM_ERROR_MODEL, &point->place,
                              "%s: give either stiffness or from_point, not both", w->owner);
        if (point->value.type != CAROM_VALUE_VECTOR || point->value.size != 2 || !(p[0] > 0) || !(p[1] > 0))
            return carom_fail(w->c->ctx, CAROM_ERROR_MODEL, &point->place,
                              "%s: from_point needs {indentation: [m], force: [N]}, both above 0", w->owner);
        items[count++] = (carom_param){"stiffness", carom_value_number(p[1] / pow(p[0], exponent)), point->place};
    }
    list->count = count;
    return CAROM_OK;
}

/* Parameters that replace what the shapes and their materials say. */
static const struct {
    const char *name;
    unsigned need;
} geometry_params[] = {{"E_i", CAROM_NEEDS_MATERIALS},  {"nu_i", CAROM_NEEDS_MATERIALS},
                       {"E_j", CAROM_NEEDS_MATERIALS},  {"nu_j", CAROM_NEEDS_MATERIALS},
                       {"radius_i", CAROM_NEEDS_RADII}, {"radius_j", CAROM_NEEDS_RADII},
                       {"length", CAROM_NEEDS_LENGTH}};

unsigned carom_compile_geometry_need(const char *name)
{
    for (size_t k = 0; k < CAROM_COUNT(geometry_params); k++)
        if (strcmp(geometry_params[k].name, name) == 0)
            return geometry_params[k].need;
    return 0;
}

/* A number of the list, `fallback` where it is not given. Its range is that of the table of generic parameters. */
static carom_status geometry_number(contact_part *w, const carom_param_list *list, const char *name, double fallback,
                                    double *out)
{
    const carom_param *p = carom_compile_param(list, name);
    *out = fallback;
    if (!p)
        return CAROM_OK;
    size_t count;
    const carom_param_row *rows = carom_normal_params(&count);
    for (size_t k = 0; k < count; k++)
        if (strcmp(rows[k].name, name) == 0) {
            CAROM_TRY(carom_compile_number(w->c, w->owner, &rows[k], &p->value, out));
            break;
        }
    return CAROM_OK;
}

static carom_status read_geometry(contact_part *w, const carom_param_list *list)
{
    carom_contact_geometry *g = &w->contact->law.geometry;
    const bool known = g->has_materials;
    const bool given = carom_compile_param(list, "E_i") != NULL;
    CAROM_TRY(geometry_number(w, list, "E_i", g->young[0], &g->young[0]));
    CAROM_TRY(geometry_number(w, list, "nu_i", given && !known ? 0.3 : g->poisson[0], &g->poisson[0]));
    CAROM_TRY(geometry_number(w, list, "E_j", given && !known ? g->young[0] : g->young[1], &g->young[1]));
    CAROM_TRY(geometry_number(w, list, "nu_j", given && !known ? g->poisson[0] : g->poisson[1], &g->poisson[1]));
    CAROM_TRY(geometry_number(w, list, "radius_i", g->radius[0], &g->radius[0]));
    CAROM_TRY(geometry_number(w, list, "radius_j", g->radius[1], &g->radius[1]));
    CAROM_TRY(geometry_number(w, list, "length", g->length, &g->length));
    if (carom_compile_param(list, "radius_i") || carom_compile_param(list, "radius_j"))
        g->relative[0] = g->relative[1] = 0;
    g->has_materials = known || given;
    unsigned needs = w->contact->law.elastic->needs;
    const char *name = w->contact->law.elastic->kind.name;
    if ((needs & CAROM_NEEDS_MATERIALS) && !g->has_materials)
        return carom_fail(
            w->c->ctx, CAROM_ERROR_MODEL, &w->def->place,
            "%s: %s needs the materials (E, nu) of both shapes: name a material on each, or give E_i, nu_i, "
            "E_j, nu_j%s",
            w->owner, name, strcmp(name, "hertz") == 0 ? ", or a stiffness" : "");
    if ((needs & CAROM_NEEDS_LENGTH) && !(g->length > 0))
        return carom_fail(w->c->ctx, CAROM_ERROR_MODEL, &w->def->place,
                          "%s: %s needs 'length': the length of the line contact [m]", w->owner, name);
    return CAROM_OK;
}

/* Every parameter must belong to one of the parts; a restitution that no part takes is only worth a warning. */
static carom_status check_used(contact_part *w, const carom_param_list *list)
{
    const carom_kind *parts[2] = {&w->contact->law.elastic->kind, &w->contact->law.damping->kind};
    for (size_t k = 0; k < list->count; k++) {
        const carom_param *p = &list->items[k];
        if (carom_kind_param_offset(parts[0], p->name) >= 0 || carom_kind_param_offset(parts[1], p->name) >= 0)
            continue;
        if (!p->place.line && !p->place.file && strcmp(p->name, "exponent") == 0)
            continue;
        if (strcmp(p->name, "restitution") == 0) {
            CAROM_TRY(carom_compile_warn(w->c, "%s: law %s takes no restitution; the given one is ignored", w->owner,
                                         w->contact->law.name));
            continue;
        }
        if (strcmp(p->name, "exponent") == 0 || strcmp(p->name, "reference_speed") == 0 ||
            (carom_compile_geometry_need(p->name) & w->contact->law.elastic->needs))
            continue;
        size_t count = 0;
        for (int side = 0; side < 2; side++)
            for (int r = 0; r < parts[side]->param_count; r++)
                w->c->names[count++] = parts[side]->params[r].name;
        for (size_t g = 0; g < CAROM_COUNT(geometry_params); g++)
            if (geometry_params[g].need & w->contact->law.elastic->needs)
                w->c->names[count++] = geometry_params[g].name;
        return carom_compile_unknown(w->c, &p->place, w->owner, "parameter", p->name, count);
    }
    return CAROM_OK;
}

static bool is_undamped(const carom_model_contact *contact) { return strcmp(contact->law.damping->kind.name, "none") == 0; }

/* Refuses a damping part that was not made for the elastic one. */
static carom_status check_fit(contact_part *w)
{
    const carom_model_contact *contact = w->contact;
    const carom_elastic_kind *elastic = contact->law.elastic;
    const carom_damping_kind *damping = contact->law.damping;
    const char *refusal =
        damping->fits ? CAROM_KIND_CALL(damping, fits, elastic->power_law, contact->law.exponent) : NULL;
    if (!refusal && damping->only_with && damping->only_with != elastic)
        refusal = "it is part of a whole normal force";
    if (!refusal && damping->uses_stiffness && !elastic->power_law)
        refusal = "it needs the stiffness of a power law";
    if (!refusal && elastic->memory && !is_undamped(contact))
        refusal = "a law with permanent indentation has its loss already";
    return refusal
               ? carom_fail(w->c->ctx, CAROM_ERROR_MODEL, &w->def->place, "%s: damping %s does not fit elastic %s: %s",
                            w->owner, damping->kind.name, elastic->kind.name, refusal)
               : CAROM_OK;
}

/* Refuses pieces where there are none, or where the elastic part cannot change from one to the next. */
static carom_status check_pieces(contact_part *w)
{
    const carom_model_contact *contact = w->contact;
    const char *refusal = NULL;
    if (!contact->pieces)
        return CAROM_OK;
    if (!contact->pair || !contact->pair->varies || w->c->model->dimension != 2)
        refusal = "neither shape is a planar curve with pieces";
    else if (!contact->varies)
        refusal = "the elastic part does not depend on the radii of the curves";
    else if (contact->law.elastic->memory)
        refusal = "a law with permanent indentation belongs to the piece of its onset";
    return refusal ? carom_fail(w->c->ctx, CAROM_ERROR_MODEL, &w->def->radii_place,
                                "%s: radii: pieces: %s; leave the key out", w->owner, refusal)
                   : CAROM_OK;
}

/* The elastic part's constants. from_point holds whatever the exponent of the part is: the force is proportional to the
   stiffness. */
static const char *prepare_elastic(const contact_part *w, double *p)
{
    carom_model_contact *contact = w->contact;
    const carom_elastic_kind *elastic = contact->law.elastic;
    const char *refusal = CAROM_KIND_CALL(elastic, prepare, p, &contact->law.geometry, contact->law.elastic_constants);
    const carom_param *point = carom_compile_param(&w->def->normal, "from_point");
    int offset = carom_kind_param_offset(&elastic->kind, "stiffness");
    if (refusal || !point || offset < 0)
        return refusal;
    const double *wanted = point->value.number;
    carom_elastic_force got;
    CAROM_KIND_CALL(elastic, force, contact->law.elastic_constants, NULL, wanted[0], &got);
    if (fabs(got.force - wanted[1]) <= 1e-12 * wanted[1])
        return NULL;
    p[offset] *= wanted[1] / got.force;
    return CAROM_KIND_CALL(elastic, prepare, p, &contact->law.geometry, contact->law.elastic_constants);
}

static carom_status prepare_laws(contact_part *w, const carom_param_list *list)
{
    carom_model_contact *contact = w->contact;
    double *pe, *pd;
    const carom_place *place = &w->def->place;
    CAROM_TRY(carom_compile_params(w->c, w->owner, &contact->law.elastic->kind, list, true, place, &pe, NULL, NULL));
    CAROM_TRY(carom_compile_params(w->c, w->owner, &contact->law.damping->kind, list, true, place, &pd, NULL, NULL));
    CAROM_TRY(read_geometry(w, list));
    contact->law.elastic_params = pe;
    contact->law.damping_params = pd;
    contact->law.radius_given[0] = carom_compile_param(list, "radius_i") != NULL;
    contact->law.radius_given[1] = carom_compile_param(list, "radius_j") != NULL;
    contact->varies = contact->pair && contact->pair->varies && (contact->law.elastic->needs & CAROM_NEEDS_RADII) &&
                      !(contact->law.radius_given[0] && contact->law.radius_given[1]);
    CAROM_TRY(check_pieces(w));
    const char *refusal = prepare_elastic(w, pe);
    if (!refusal && contact->law.damping->prepare)
        refusal = CAROM_KIND_CALL(contact->law.damping, prepare, pd, contact->law.damping_constants);
    if (refusal)
        return carom_fail(w->c->ctx, CAROM_ERROR_MODEL, place, "%s: %s", w->owner, refusal);
    contact->law.stiffness = contact->law.exponent = (double)NAN;
    if (contact->law.elastic->power_law) {
        contact->law.stiffness = contact->law.elastic_constants[0];
        contact->law.exponent = contact->law.elastic_constants[1];
    }
    CAROM_TRY(check_fit(w));
    contact->law.limit = contact->law.elastic->limit
                             ? CAROM_KIND_CALL(contact->law.elastic, limit, contact->law.elastic_constants)
                             : HUGE_VAL;
    int own = carom_kind_param_offset(&contact->law.elastic->kind, "restitution");
    int offset =
        contact->law.damping->takes_restitution ? carom_kind_param_offset(&contact->law.damping->kind, "restitution") : -1;
    contact->law.restitution = own >= 0 ? pe[own] : offset >= 0 ? pd[offset] : (double)NAN;
    const carom_param *speed = carom_compile_param(list, "reference_speed");
    contact->law.reference_speed = speed && speed->value.type == CAROM_VALUE_NUMBER ? speed->value.number[0] : 1;
    if (!(contact->law.reference_speed > 0) || !isfinite(contact->law.reference_speed))
        return carom_fail(w->c->ctx, CAROM_ERROR_MODEL, &speed->place, "%s: reference_speed must be above 0", w->owner);
    return CAROM_OK;
}


carom_status carom_compile_normal(carom_compiler *c, const char *owner, const carom_contact_def *def,
                                  carom_model_contact *contact)
{
    contact_part w = {.c = c, .def = def, .contact = contact, .owner = owner};
    CAROM_TRY(read_policies(&w));
    const carom_law_kind *law = NULL;
    CAROM_TRY(find_parts(&w, &def->normal, &law));
    if (!law) {
        contact->law.name = carom_arena_text(&c->model->arena, contact->law.name);
        if (!contact->law.name)
            return carom_fail_memory(c->ctx);
    }
    carom_param_list list;
    CAROM_TRY(complete_params(&w, law, &list));
    CAROM_TRY(check_used(&w, &list));
    return prepare_laws(&w, &list);
}

/* ---- friction ---- */

carom_status carom_compile_friction(carom_compiler *c, const char *owner, const carom_contact_def *def,
                                    carom_model_contact *contact)
{
    carom_model *m = c->model;
    const carom_place *place = &def->friction_place;
    contact->friction_state = -1;
    contact->rolling = def->rolling;
    contact->spinning = def->spinning;
    contact->rolling_speed = def->rolling_speed;
    if (!(def->rolling >= 0) || !(def->spinning >= 0) || !isfinite(def->rolling) || !isfinite(def->spinning))
        return carom_fail(c->ctx, CAROM_ERROR_MODEL, place, "%s: rolling and spinning are arms [m], at least 0", owner);
    if (!(def->rolling_speed > 0) || !isfinite(def->rolling_speed))
        return carom_fail(c->ctx, CAROM_ERROR_MODEL, place, "%s: rolling_speed must be above 0 [rad/s]", owner);
    contact->rubbing = def->friction || def->rolling > 0 || def->spinning > 0 ? m->rubbing_count++ : -1;
    if (!def->friction)
        return CAROM_OK;
    const carom_kind *kind;
    double *p;
    CAROM_TRY(carom_compile_find_kind(c, place, owner, CAROM_FAMILY_FRICTION, def->friction, &kind));
    CAROM_TRY(carom_compile_params(c, owner, kind, &def->friction_params, false, place, &p, NULL, NULL));
    const carom_friction_kind *friction = (const carom_friction_kind *)kind;
    const char *refusal = CAROM_KIND_CALL(friction, prepare, p, &contact->law.geometry, contact->friction_constants);
    if (refusal)
        return carom_fail(c->ctx, CAROM_ERROR_MODEL, place, "%s: friction %s: %s", owner, kind->name, refusal);
    contact->friction = friction;
    if (friction->state) {
        contact->friction_state = m->friction_state_count;
        m->friction_state_count += friction->state;
    }
    return CAROM_OK;
}

void carom_compile_roots(carom_model *m)
{
    for (int k = 0; k < m->contact_count; k++) {
        carom_model_contact *c = &m->contacts[k];
        const bool needed[CAROM_CONTACT_ROOTS] = {
            [CAROM_ROOT_GAP] = true,
            [CAROM_ROOT_REARM] = c->law.velocity == CAROM_VELOCITY_PER_COMPRESSION,
            [CAROM_ROOT_RELEASE] = c->law.tension != CAROM_TENSION_ALLOW && !is_undamped(c),
            [CAROM_ROOT_TURN] = c->law.elastic->memory || c->law.damping->kinked,
            [CAROM_ROOT_STICK] = c->friction && c->friction->holds,
            [CAROM_ROOT_PIECE] = c->pieces};
        for (int r = 0; r < CAROM_CONTACT_ROOTS; r++)
            c->roots[r] = needed[r] ? m->contact_root_count++ : -1;
    }
}
