/* Joints with clearance: each becomes shapes on both bodies and contacts between them, which join those of the spec. */
#include "model/compile.h"

#include <stdio.h>
#include <string.h>

/* Words of the model file, in the order of carom_clearance_size. */
static const char *const size_names[CAROM_CLEARANCE_SIZES] = {"radial", "gap",   "radius", "length",
                                                              "height", "width", "axial",  "edge"};

/* The joint at hand, and the spec that grows. */
typedef struct clearance_part {
    carom_compiler *c;
    carom_spec *all;
    carom_shape_def *shapes; /* those of `all` */
    carom_contact_def *contacts;
    const carom_joint_def *def;
    carom_model_joint *joint;
    const char *owner;
} clearance_part;

/* ---- sizes ---- */

static carom_status wrong_size(const clearance_part *w, const char *name, const char *text)
{
    return carom_fail(w->c->ctx, CAROM_ERROR_MODEL, &w->def->clearance.place, "%s of a %s joint: '%s' %s", w->owner,
                      w->joint->kind->kind.name, name, text);
}

static carom_status read_sizes(const clearance_part *w, double *size)
{
    const carom_clearance_def *def = &w->def->clearance;
    const carom_joint_kind *kind = w->joint->kind;
    const int space = w->c->model->dimension == 3;
    const double given[CAROM_CLEARANCE_SIZES] = {def->radial, def->gap,   def->radius, def->length,
                                                 def->height, def->width, def->axial,  def->edge};
    if (!kind->clearance)
        return carom_fail(w->c->ctx, CAROM_ERROR_MODEL, &def->place,
                          "%s: a %s joint takes none; revolute, spherical, cylindrical and translational joints do",
                          w->owner, kind->kind.name);
    for (int k = 0; k < CAROM_CLEARANCE_SIZES; k++) {
        const unsigned bit = 1u << k, needs = kind->clearance->needs[space],
                       takes = needs | kind->clearance->takes[space];
        size[k] = given[k];
        if (given[k] != 0 && !(takes & bit))
            return wrong_size(w, size_names[k], "does not apply; remove it");
        if (given[k] < 0)
            return wrong_size(w, size_names[k],
                              "must be above 0 [m]; a journal larger than its bearing does not fit, and an "
                              "ideal joint has no key 'clearance'");
        if (given[k] == 0 && (needs & bit))
            return wrong_size(w, size_names[k],
                              k == CAROM_CLEARANCE_AXIAL
                                  ? "is missing: the play along the axis [m]; a joint that slides freely "
                                    "along it is of type cylindrical"
                                  : "is missing [m]");
    }
    for (int k = 0; k < CAROM_CLEARANCE_SIZES; k++) {
        bool side = k == CAROM_CLEARANCE_LENGTH || k == CAROM_CLEARANCE_HEIGHT || k == CAROM_CLEARANCE_WIDTH;
        if (side && size[k] > 0 && 2 * size[CAROM_CLEARANCE_EDGE] > size[k])
            return wrong_size(w, "edge", "must be at most half of length, height and width");
    }
    return CAROM_OK;
}

/* ---- shapes and contacts ---- */

static carom_status check_name(const clearance_part *w, const char *family, const char *taken, const char *name)
{
    if (strcmp(taken, name) != 0)
        return CAROM_OK;
    return carom_fail(w->c->ctx, CAROM_ERROR_MODEL, &w->def->place,
                      "%s has a %s '%s', and the model has one of that name; rename one", w->owner, family, name);
}

/* A direction of the joint's axes as a parameter of a shape, in the axes of its body. */
static carom_value direction_value(const clearance_part *w, const carom_marker *marker, carom_vec3 direction)
{
    const carom_vec3 v = carom_m3_apply(&marker->axes, direction);
    return carom_value_vector(w->c->model->dimension, (const double[]){v.x, v.y, v.z});
}

static carom_status add_shape(const clearance_part *w, const carom_clearance_shape *part)
{
    carom_arena *arena = &w->c->model->arena;
    const carom_marker *marker = part->side ? &w->joint->j : &w->joint->i;
    carom_shape_def *def = &w->shapes[w->all->shape_count];
    carom_param *params = carom_arena_alloc(arena, 3, sizeof *params);
    *def = carom_default_shape_def();
    def->name = carom_arena_format(arena, "%s.%s", w->def->name, part->name);
    if (!params || !def->name)
        return carom_fail_memory(w->c->ctx);
    for (size_t k = 0; k < w->all->shape_count; k++)
        CAROM_TRY(check_name(w, "shape", w->all->shapes[k].name, def->name));
    const carom_vec3 at = carom_v3_add(marker->at, carom_m3_apply(&marker->axes, part->at));
    def->type = part->type;
    def->on = w->c->model->bodies[marker->body].name;
    def->at[0] = at.x;
    def->at[1] = at.y;
    def->at[2] = at.z;
    def->place = def->type_place = def->on_place = w->def->clearance.place;
    def->params.items = params;
    if (part->radius != 0)
        params[def->params.count++] = (carom_param){"radius", carom_value_number(part->radius), def->place};
    if (carom_v3_norm(part->direction) > 0)
        params[def->params.count++] = (carom_param){part->radius != 0 ? "axis" : "normal",
                                                    direction_value(w, marker, part->direction), def->place};
    if (part->length > 0)
        params[def->params.count++] = (carom_param){"length", carom_value_number(part->length), def->place};
    w->all->shape_count++;
    return CAROM_OK;
}

static carom_status add_contact(const clearance_part *w, const carom_clearance_parts *parts, int index,
                                size_t first_shape)
{
    carom_arena *arena = &w->c->model->arena;
    carom_contact_def *def = &w->contacts[w->all->contact_count];
    *def = w->def->clearance.contact;
    def->name = parts->contact_count == 1 ? w->def->name : carom_arena_format(arena, "%s.%d", w->def->name, index + 1);
    def->owner = w->owner;
    if (!def->name)
        return carom_fail_memory(w->c->ctx);
    for (size_t k = 0; k < w->all->contact_count; k++)
        CAROM_TRY(check_name(w, "contact", w->all->contacts[k].name, def->name));
    def->place = w->def->clearance.place;
    for (int side = 0; side < 2; side++) {
        def->between[side] = w->all->shapes[first_shape + (size_t)parts->contacts[index][side]].name;
        def->between_place[side] = def->place;
    }
    if (def->length <= 0)
        def->length = parts->line;
    w->all->contact_count++;
    return CAROM_OK;
}

static carom_status expand(clearance_part *w)
{
    double size[CAROM_CLEARANCE_SIZES];
    carom_clearance_parts parts = {0};
    CAROM_TRY(read_sizes(w, size));
    w->joint->kind->clearance->parts(w->joint->kind->user, size, w->c->model->dimension, &parts);
    carom_model_clearance *clearance = &w->joint->clearance;
    clearance->first_contact = (int)w->all->contact_count;
    clearance->contact_count = parts.contact_count;
    clearance->play = parts.play;
    clearance->round_about = parts.round_about;
    const size_t first_shape = w->all->shape_count;
    for (int k = 0; k < parts.shape_count; k++)
        CAROM_TRY(add_shape(w, &parts.shapes[k]));
    for (int k = 0; k < parts.contact_count; k++)
        CAROM_TRY(add_contact(w, &parts, k, first_shape));
    return CAROM_OK;
}

carom_status carom_compile_clearances(carom_compiler *c)
{
    carom_model *m = c->model;
    const carom_spec *s = c->spec;
    if (m->clearance_count == 0)
        return CAROM_OK;
    const size_t more = (size_t)m->clearance_count;
    carom_spec *all = carom_arena_alloc(&m->arena, 1, sizeof *all);
    carom_shape_def *shapes =
        carom_arena_alloc(&m->arena, s->shape_count + more * CAROM_CLEARANCE_SHAPES, sizeof *shapes);
    carom_contact_def *contacts =
        carom_arena_alloc(&m->arena, s->contact_count + more * CAROM_CLEARANCE_CONTACTS, sizeof *contacts);
    if (!all || !shapes || !contacts)
        return carom_fail_memory(c->ctx);
    *all = *s;
    if (s->shape_count)
        memcpy(shapes, s->shapes, s->shape_count * sizeof *shapes);
    if (s->contact_count)
        memcpy(contacts, s->contacts, s->contact_count * sizeof *contacts);
    all->shapes = shapes;
    all->contacts = contacts;
    c->spec = all;
    for (size_t k = 0; k < s->joint_count; k++) {
        if (!s->joints[k].clearance.given)
            continue;
        clearance_part w = {
            .c = c, .all = all, .shapes = shapes, .contacts = contacts, .def = &s->joints[k], .joint = &m->joints[k]};
        w.owner = carom_arena_format(&m->arena, "joint '%s': clearance", w.def->name);
        if (!w.owner)
            return carom_fail_memory(c->ctx);
        CAROM_TRY(expand(&w));
    }
    return CAROM_OK;
}
