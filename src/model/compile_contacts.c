/* Shapes and contacts: pairs of shapes, radii, materials. The laws are in compile_law.c. */
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

/* Radii and materials of the two sides. */
static carom_contact_geometry geometry(const contact_part *w)
{
    const carom_model *m = w->c->model;
    const carom_model_contact *contact = w->contact;
    const carom_model_shape *sides[2] = {&m->shapes[contact->shape_i], &m->shapes[contact->shape_j]};
    carom_contact_geometry g = {.dimension = m->dimension, .has_materials = true, .length = w->def->length};
    int first = contact->swapped ? 1 : 0;
    contact->pair->curvature(sides[first]->p, sides[1 - first]->p, &g.radius[first], &g.radius[1 - first]);
    for (int side = 0; side < 2; side++) {
        if (sides[side]->material < 0) {
            g.has_materials = false;
            continue;
        }
        const carom_material_def *material = &w->c->spec->materials[sides[side]->material];
        g.young[side] = material->young;
        g.poisson[side] = material->poisson;
        g.density[side] = material->density;
        g.yield[side] = material->yield;
    }
    return g;
}

static carom_status compile_contact(carom_compiler *c, const carom_contact_def *def, carom_model_contact *contact)
{
    contact_part w = {.c = c, .def = def, .contact = contact};
    if (def->owner)
        snprintf(w.owner, sizeof w.owner, "%s", def->owner);
    else
        snprintf(w.owner, sizeof w.owner, "contact '%s'", def->name);
    contact->name = carom_arena_text(&c->model->arena, def->name);
    contact->place = carom_compile_place(c, def->place);
    if (!contact->name)
        return carom_fail_memory(c->ctx);
    CAROM_TRY(find_pair(&w));
    contact->geometry = geometry(&w);
    CAROM_TRY(carom_compile_normal(c, w.owner, def, contact));
    return carom_compile_friction(c, w.owner, def, contact);
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
    carom_compile_roots(m);
    return CAROM_OK;
}
