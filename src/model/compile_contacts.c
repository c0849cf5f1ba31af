/* Shapes and contacts: pairs, stiffness, law constants, policies. */
#include "model/compile.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- shapes ---- */

static int find_material(const carom_compiler *c, const char *name)
{
    for (size_t k = 0; k < c->spec->material_count; k++)
        if (strcmp(c->spec->materials[k].name, name) == 0)
            return (int)k;
    return -1;
}

static carom_status compile_shape(carom_compiler *c, const carom_shape_def *def, carom_model_shape *shape)
{
    carom_model *m = c->model;
    char owner[128];
    snprintf(owner, sizeof owner, "shape '%s'", def->name);
    shape->name = carom_arena_text(&m->arena, def->name);
    if (!shape->name)
        return carom_fail_memory(c->ctx);
    const carom_kind *kind;
    CAROM_TRY(carom_compile_find_kind(c, &def->type_place, owner, CAROM_FAMILY_SHAPE, def->type, &kind));
    shape->kind = (const carom_shape_kind *)kind;
    if (!(m->dimension == 2 ? shape->kind->in_2d : shape->kind->in_3d))
        return carom_fail(c->ctx, CAROM_ERROR_MODEL, &def->type_place, "%s: there is no shape %s in a model of dimension %d",
                          owner, kind->name, m->dimension);
    CAROM_TRY(carom_compile_find_body(c, &def->on_place, owner, def->on, &shape->body));
    CAROM_TRY(carom_compile_params(c, owner, kind, &def->params, false, &def->place, &shape->p, NULL, NULL));
    shape->at = carom_v3_load(def->at);
    shape->axes = carom_quat_matrix(
        (carom_quat){def->orientation[0], def->orientation[1], def->orientation[2], def->orientation[3]});
    shape->centred = shape->at.x == 0 && shape->at.y == 0 && shape->at.z == 0;
    shape->parallel = def->orientation[1] == 0 && def->orientation[2] == 0 && def->orientation[3] == 0;
    shape->material = -1;
    if (!def->material)
        return CAROM_OK;
    shape->material = find_material(c, def->material);
    for (size_t k = 0; k < c->spec->material_count; k++)
        c->names[k] = c->spec->materials[k].name;
    return shape->material >= 0 ? CAROM_OK
                                : carom_compile_unknown(c, &def->material_place, owner, "material", def->material,
                                                        c->spec->material_count);
}

/* ---- contacts ---- */

typedef struct contact_part {
    carom_compiler *c;
    const carom_contact_def *def;
    carom_model_contact *contact;
    char owner[128];
} contact_part;

static carom_status find_shape(contact_part *w, int side, int *out)
{
    const carom_model *m = w->c->model;
    const char *name = w->def->between[side] ? w->def->between[side] : "";
    for (int k = 0; k < m->shape_count; k++) {
        w->c->names[k] = m->shapes[k].name;
        if (strcmp(m->shapes[k].name, name) == 0) {
            *out = k;
            return CAROM_OK;
        }
    }
    return carom_compile_unknown(w->c, &w->def->between_place[side], w->owner, "shape", name, (size_t)m->shape_count);
}

static carom_status find_pair(contact_part *w)
{
    carom_model_contact *contact = w->contact;
    const carom_model *m = w->c->model;
    CAROM_TRY(find_shape(w, 0, &contact->shape_i));
    CAROM_TRY(find_shape(w, 1, &contact->shape_j));
    const carom_model_shape *i = &m->shapes[contact->shape_i], *j = &m->shapes[contact->shape_j];
    contact->body_i = i->body;
    contact->body_j = j->body;
    if (i->body == j->body)
        return carom_fail(w->c->ctx, CAROM_ERROR_MODEL, &w->def->between_place[1], "%s: shapes '%s' and '%s' are on the same body '%s'",
                          w->owner, i->name, j->name, m->bodies[i->body].name);
    const char *name_i = i->kind->kind.name, *name_j = j->kind->kind.name;
    for (size_t k = 0; k < carom_kind_count(CAROM_FAMILY_PAIR) && !contact->pair; k++) {
        const carom_pair_kind *pair = (const carom_pair_kind *)carom_kind_at(CAROM_FAMILY_PAIR, k);
        if (strcmp(pair->shape_i, name_i) == 0 && strcmp(pair->shape_j, name_j) == 0)
            contact->pair = pair;
        else if (strcmp(pair->shape_i, name_j) == 0 && strcmp(pair->shape_j, name_i) == 0) {
            contact->pair = pair;
            contact->swapped = true;
        }
    }
    if (!contact->pair)
        return carom_fail(w->c->ctx, CAROM_ERROR_MODEL, &w->def->place, "%s: there is no contact between %s and %s; `carom list pairs` names those served",
                          w->owner, name_i, name_j);
    const double *pi = contact->swapped ? j->p : i->p, *pj = contact->swapped ? i->p : j->p;
    const char *refusal = contact->pair->check ? contact->pair->check(pi, pj) : NULL;
    if (refusal)
        return carom_fail(w->c->ctx, CAROM_ERROR_MODEL, &w->def->place, "%s: %s", w->owner, refusal);
    contact->feature_size = contact->pair->feature_size(pi, pj);
    return CAROM_OK;
}

/* Index of a word among choices; -1 after an error. */
static carom_status choose(contact_part *w, const char *key, const char *word, const carom_place *place,
                           const char *const *choices, size_t count, int *out)
{
    *out = 0;
    if (!word)
        return CAROM_OK;
    for (size_t k = 0; k < count; k++) {
        w->c->names[k] = choices[k];
        if (strcmp(choices[k], word) == 0) {
            *out = (int)k;
            return CAROM_OK;
        }
    }
    char what[64];
    snprintf(what, sizeof what, "%s policy", key);
    return carom_compile_unknown(w->c, place, w->owner, what, word, count);
}

static carom_status read_policies(contact_part *w)
{
    static const char *const velocities[] = {"latched", "re-armed", "memoryless"};
    static const char *const releases[] = {"clamp", "raw", "latch-open"};
    int velocity, release;
    CAROM_TRY(choose(w, "velocity", w->def->velocity, &w->def->velocity_place, velocities, 3, &velocity));
    CAROM_TRY(choose(w, "release", w->def->release, &w->def->release_place, releases, 3, &release));
    w->contact->velocity = (carom_velocity_policy)velocity;
    w->contact->release = (carom_release_policy)release;
    w->contact->minimum_speed = w->def->minimum_speed;
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
    contact->law = *law ? (*law)->kind.name : def->damping ? def->damping : "none";
    bool stiffness = carom_compile_param(list, "stiffness") || carom_compile_param(list, "from_point");
    const char *elastic = def->elastic ? def->elastic : stiffness ? (*law)->elastic : (*law)->elastic_without_stiffness;
    if (!elastic)
        return carom_fail(w->c->ctx, CAROM_ERROR_MODEL, &def->place, "%s: law %s needs a stiffness [N/m^n]", w->owner, contact->law);
    CAROM_TRY(carom_compile_find_kind(w->c, &def->elastic_place, w->owner, CAROM_FAMILY_ELASTIC, elastic, &kind));
    contact->elastic = (const carom_elastic_kind *)kind;
    const char *damping = def->damping ? def->damping : *law ? (*law)->damping : "none";
    CAROM_TRY(carom_compile_find_kind(w->c, &def->damping_place, w->owner, CAROM_FAMILY_DAMPING, damping, &kind));
    contact->damping = (const carom_damping_kind *)kind;
    return CAROM_OK;
}

static carom_contact_geometry geometry(const contact_part *w)
{
    const carom_model *m = w->c->model;
    const carom_model_contact *contact = w->contact;
    const carom_model_shape *sides[2] = {&m->shapes[contact->shape_i], &m->shapes[contact->shape_j]};
    carom_contact_geometry g = {.dimension = m->dimension, .has_materials = true};
    int first = contact->swapped ? 1 : 0;
    contact->pair->curvature(sides[first]->p, sides[1 - first]->p, &g.radius[first], &g.radius[1 - first]);
    for (int side = 0; side < 2; side++) {
        if (sides[side]->material < 0) {
            g.has_materials = false;
            continue;
        }
        g.young[side] = w->c->spec->materials[sides[side]->material].young;
        g.poisson[side] = w->c->spec->materials[sides[side]->material].poisson;
    }
    return g;
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
    else
        items[count++] = (carom_param){.name = "exponent", .value = carom_value_number(exponent)};
    const carom_param *point = carom_compile_param(in, "from_point");
    if (point) {
        const double *p = point->value.number;
        if (carom_compile_param(in, "stiffness"))
            return carom_fail(w->c->ctx, CAROM_ERROR_MODEL, &point->place, "%s: give either stiffness or from_point, not both", w->owner);
        if (point->value.type != CAROM_VALUE_VECTOR || point->value.size != 2 || !(p[0] > 0) || !(p[1] > 0))
            return carom_fail(w->c->ctx, CAROM_ERROR_MODEL, &point->place, "%s: from_point needs {indentation: [m], force: [N]}, both above 0", w->owner);
        items[count++] = (carom_param){"stiffness", carom_value_number(p[1] / pow(p[0], exponent)), point->place};
    }
    list->count = count;
    return CAROM_OK;
}

/* Every parameter must belong to one of the parts; a restitution that no part takes is only worth a warning. */
static carom_status check_used(contact_part *w, const carom_param_list *list)
{
    const carom_kind *parts[2] = {&w->contact->elastic->kind, &w->contact->damping->kind};
    for (size_t k = 0; k < list->count; k++) {
        const carom_param *p = &list->items[k];
        if (carom_kind_param_offset(parts[0], p->name) >= 0 || carom_kind_param_offset(parts[1], p->name) >= 0)
            continue;
        if (!p->place.line && !p->place.file && strcmp(p->name, "exponent") == 0)
            continue;
        if (strcmp(p->name, "restitution") == 0) {
            CAROM_TRY(carom_compile_warn(w->c, "%s: law %s takes no restitution; the given one is ignored", w->owner, w->contact->law));
            continue;
        }
        if (strcmp(p->name, "exponent") == 0 || strcmp(p->name, "reference_speed") == 0)
            continue;
        size_t count = 0;
        for (int side = 0; side < 2; side++)
            for (int r = 0; r < parts[side]->param_count; r++)
                w->c->names[count++] = parts[side]->params[r].name;
        return carom_compile_unknown(w->c, &p->place, w->owner, "parameter", p->name, count);
    }
    return CAROM_OK;
}

static carom_status prepare_laws(contact_part *w, const carom_param_list *list)
{
    carom_model_contact *contact = w->contact;
    double *pe, *pd;
    const carom_place *place = &w->def->place;
    CAROM_TRY(carom_compile_params(w->c, w->owner, &contact->elastic->kind, list, true, place, &pe, NULL, NULL));
    CAROM_TRY(carom_compile_params(w->c, w->owner, &contact->damping->kind, list, true, place, &pd, NULL, NULL));
    carom_contact_geometry g = geometry(w);
    const char *refusal = contact->elastic->prepare(pe, &g, contact->elastic_constants);
    if (!refusal && contact->damping->prepare)
        refusal = contact->damping->prepare(pd, contact->damping_constants);
    if (refusal)
        return carom_fail(w->c->ctx, CAROM_ERROR_MODEL, place, "%s: %s", w->owner, refusal);
    contact->stiffness = contact->exponent = (double)NAN;
    if (contact->elastic->power_law) {
        contact->stiffness = contact->elastic_constants[0];
        contact->exponent = contact->elastic_constants[1];
    }
    int offset = contact->damping->takes_restitution ? carom_kind_param_offset(&contact->damping->kind, "restitution") : -1;
    contact->restitution = offset >= 0 ? pd[offset] : (double)NAN;
    const carom_param *speed = carom_compile_param(list, "reference_speed");
    contact->reference_speed = speed && speed->value.type == CAROM_VALUE_NUMBER ? speed->value.number[0] : 1;
    if (!(contact->reference_speed > 0) || !isfinite(contact->reference_speed))
        return carom_fail(w->c->ctx, CAROM_ERROR_MODEL, &speed->place, "%s: reference_speed must be above 0", w->owner);
    return CAROM_OK;
}

static carom_status compile_contact(carom_compiler *c, const carom_contact_def *def, carom_model_contact *contact)
{
    contact_part w = {.c = c, .def = def, .contact = contact};
    snprintf(w.owner, sizeof w.owner, "contact '%s'", def->name);
    contact->name = carom_arena_text(&c->model->arena, def->name);
    contact->place = carom_compile_place(c, def->place);
    if (!contact->name)
        return carom_fail_memory(c->ctx);
    CAROM_TRY(find_pair(&w));
    CAROM_TRY(read_policies(&w));
    const carom_law_kind *law = NULL;
    CAROM_TRY(find_parts(&w, &def->normal, &law));
    if (!law) {
        contact->law = carom_arena_text(&c->model->arena, contact->law);
        if (!contact->law)
            return carom_fail_memory(c->ctx);
    }
    carom_param_list list;
    CAROM_TRY(complete_params(&w, law, &list));
    CAROM_TRY(check_used(&w, &list));
    return prepare_laws(&w, &list);
}

static carom_status check_materials(carom_compiler *c)
{
    for (size_t k = 0; k < c->spec->material_count; k++) {
        const carom_material_def *m = &c->spec->materials[k];
        if (!(m->young > 0) || !isfinite(m->young) || !(m->poisson > -1 && m->poisson <= 0.5))
            return carom_fail(c->ctx, CAROM_ERROR_MODEL, &m->place, "material '%s': E must be above 0 [Pa] and nu between -1 and 0.5", m->name);
    }
    return CAROM_OK;
}

carom_status carom_compile_contacts(carom_compiler *c)
{
    carom_model *m = c->model;
    const carom_spec *s = c->spec;
    m->shapes = carom_arena_alloc(&m->arena, s->shape_count, sizeof *m->shapes);
    m->contacts = carom_arena_alloc(&m->arena, s->contact_count, sizeof *m->contacts);
    if (!m->shapes || !m->contacts)
        return carom_fail_memory(c->ctx);
    CAROM_TRY(check_materials(c));
    for (size_t k = 0; k < s->shape_count; k++) {
        CAROM_TRY(compile_shape(c, &s->shapes[k], &m->shapes[k]));
        m->shape_count++;
    }
    for (size_t k = 0; k < s->contact_count; k++) {
        CAROM_TRY(compile_contact(c, &s->contacts[k], &m->contacts[k]));
        m->contact_count++;
    }
    return CAROM_OK;
}
