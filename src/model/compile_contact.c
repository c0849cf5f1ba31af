/* One contact of two shapes: pair, radii, materials. Its laws are in compile_law.c. */
#include "kinds/shape/shape.h"
#include "kinds/shape/shape_solid.h"
#include "model/compile.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

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
    *out = carom_names_find(&w->c->shape_index, name);
    if (*out >= 0)
        return CAROM_OK;
    for (int k = 0; k < m->shape_count; k++)
        w->c->names[k] = m->shapes[k].name;
    return carom_compile_unknown(w->c, &w->def->between_place[side], w->owner, "shape", name, (size_t)m->shape_count);
}

static const carom_model_shape *shape_named(const carom_compiler *c, const char *name)
{
    const int k = carom_names_find(&c->shape_index, name);
    return k >= 0 ? &c->model->shapes[k] : NULL;
}

static const carom_pair_kind *pair_of(const carom_model *m, const carom_model_shape *i, const carom_model_shape *j,
                                      bool *swapped)
{
    const bool planar = m->dimension == 2;
    const char *name_i = carom_shape_surface(i->kind, planar), *name_j = carom_shape_surface(j->kind, planar);
    for (size_t k = 0; k < carom_kind_count(m->ctx, CAROM_FAMILY_PAIR); k++) {
        const carom_pair_kind *pair = (const carom_pair_kind *)carom_kind_at(m->ctx, CAROM_FAMILY_PAIR, k);
        *swapped = strcmp(pair->shape_i, name_i) != 0 || strcmp(pair->shape_j, name_j) != 0;
        if (!*swapped || (strcmp(pair->shape_i, name_j) == 0 && strcmp(pair->shape_j, name_i) == 0))
            return pair;
    }
    return NULL;
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
    if (i->visual || j->visual)
        return carom_fail(w->c->ctx, CAROM_ERROR_MODEL, &w->def->between_place[i->visual ? 0 : 1],
                          "%s: shape '%s' is drawn alone (`visual`) and touches nothing; name another one", w->owner,
                          i->visual ? i->name : j->name);
    if (i->body == j->body)
        return carom_fail(w->c->ctx, CAROM_ERROR_MODEL, &w->def->between_place[1],
                          "%s: shapes '%s' and '%s' are on the same body '%s'", w->owner, i->name, j->name,
                          m->bodies[i->body].name);
    contact->pair = pair_of(m, i, j, &contact->swapped);
    if (!contact->pair)
        return carom_fail(w->c->ctx, CAROM_ERROR_MODEL, &w->def->place,
                          "%s: there is no contact between %s and %s; `carom list pairs` names those served", w->owner,
                          i->kind->kind.name, j->kind->kind.name);
    const double *pi = contact->swapped ? j->p : i->p, *pj = contact->swapped ? i->p : j->p;
    const char *refusal = contact->pair->check ? CAROM_KIND_CALL(contact->pair, check, pi, pj) : NULL;
    if (refusal && contact->pair->varies) {
        double size_i, size_j;
        if (contact->pair->checked) {
            size_i = contact->pair->checked_size(pi);
            size_j = contact->pair->checked_size(pj);
        } else
            CAROM_KIND_CALL(contact->pair, curvature, pi, pj, &size_i, &size_j);
        return carom_fail(w->c->ctx, CAROM_ERROR_MODEL, &w->def->place, "%s: %s (%s %.6g m and %.6g m)", w->owner,
                          refusal, contact->pair->checked ? contact->pair->checked : "radii",
                          contact->swapped ? size_j : size_i, contact->swapped ? size_i : size_j);
    }
    if (refusal)
        return carom_fail(w->c->ctx, CAROM_ERROR_MODEL, &w->def->place, "%s: %s", w->owner, refusal);
    contact->feature_size = CAROM_KIND_CALL(contact->pair, feature_size, pi, pj);
    return CAROM_OK;
}

/* Pose of a shape as the bodies start. */
static carom_shape_pose start_pose(const carom_model *m, const carom_model_shape *shape)
{
    const carom_marker marker = {.body = shape->body, .at = shape->at, .axes = shape->axes};
    const carom_frame_pose frame = carom_compile_start_pose(m, &marker);
    return (carom_shape_pose){.p = shape->p, .origin = frame.p, .axes = frame.axes};
}

/* Radii where the surfaces are nearest as the bodies start, those at a corner left as they are. */
static void start_radii(const carom_model *m, const carom_model_contact *contact, carom_contact_geometry *g)
{
    const carom_model_shape *sides[2] = {&m->shapes[contact->shape_i], &m->shapes[contact->shape_j]};
    const int first = contact->swapped ? 1 : 0;
    const carom_shape_pose i = start_pose(m, sides[first]), j = start_pose(m, sides[1 - first]);
    carom_pair_point point = {0};
    carom_model_gap(contact, contact->point, &i, &j, &point);
    if (point.radius_i != 0)
        g->radius[first] = point.radius_i;
    if (point.radius_j != 0)
        g->radius[1 - first] = point.radius_j;
    memcpy(g->relative, point.curvature, sizeof g->relative);
}

/* Radii and materials of the two sides. */
static carom_contact_geometry geometry(const contact_part *w)
{
    const carom_model *m = w->c->model;
    const carom_model_contact *contact = w->contact;
    const carom_model_shape *sides[2] = {&m->shapes[contact->shape_i], &m->shapes[contact->shape_j]};
    carom_contact_geometry g = {.dimension = m->dimension, .has_materials = true, .length = w->def->length};
    int first = contact->swapped ? 1 : 0;
    CAROM_KIND_CALL(contact->pair, curvature, sides[first]->p, sides[1 - first]->p, &g.radius[first],
                    &g.radius[1 - first]);
    if (contact->pair->varies)
        start_radii(m, contact, &g);
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

/* Of the curvature across: two surfaces are nearest along a line where the one along it is less. One across that is
   less than this over the size is none, as at the flat pole of a superellipsoid. */
#define STRAIGHT 1e-6

static bool is_named(const carom_model_shape *shape, const char *kind)
{
    return strcmp(shape->kind->kind.name, kind) == 0;
}

static bool is_rod(const carom_model_shape *shape) { return is_named(shape, "cylinder") || is_named(shape, "capsule"); }

/* A cylinder or capsule that lies on a mesh bears at both ends of its line. */
static bool lies_on_mesh(const carom_model_shape *round, const carom_model_shape *mesh)
{
    return is_named(mesh, "mesh") && is_rod(round);
}

static bool is_solid_rod(const carom_model_shape *shape)
{
    return is_rod(shape) && !(shape->p[CAROM_SOLID_HOLLOW] > 0);
}

/* What bears at both ends of a line: cylinders and capsules beside each other, and what lies in a tube. */
static const char *bears_instead(const carom_model_shape *i, const carom_model_shape *j)
{
    const bool first = is_named(i, "tube"), second = is_named(j, "tube");
    if ((first && (second || is_solid_rod(j))) || (second && is_solid_rod(i)))
        return "take cylinders for tubes beside each other or beside rods, and for one that lies in another one's bore";
    return "take a tube for what a cylinder or capsule rolls in";
}

/* Warns of two solids that are nearest along a line as the bodies start, of which one point bears at a time; a pair
   with two points has the ends of what lies in a bore. */
static carom_status warn_of_line(const contact_part *w, int points, const carom_contact_geometry *sides)
{
    const carom_model_contact *contact = w->contact;
    const carom_model_shape *i = &w->c->model->shapes[contact->shape_i], *j = &w->c->model->shapes[contact->shape_j];
    const double along = fabs(sides->relative[0]), across = sides->relative[1];
    const bool bent = isfinite(across) && across * contact->feature_size > STRAIGHT;
    if (contact->pair != &carom_pair_surface_surface || points == 2 ||
        carom_solid_bears_line(i->p, j->p) || carom_solid_bears_on_box(i->p, j->p) ||
        (points > 1 && (lies_on_mesh(i, j) || lies_on_mesh(j, i))))
        return CAROM_OK;
    const carom_shape_pose a = start_pose(w->c->model, i), b = start_pose(w->c->model, j);
    if (!(bent && along <= STRAIGHT * across) && !carom_solid_parallel(&a, &b))
        return CAROM_OK;
    return carom_compile_warn(w->c, CAROM_WARN_LINE,
                              "%s: '%s' and '%s' are nearest along a line as they start, and touch in one point of it "
                              "at a time: where they meet so they rattle, in a great many steps, or stand still; %s, "
                              "else a plane, a height field or spheres in the place of one of them",
                              w->owner, i->name, j->name, bears_instead(i, j));
}

int carom_compile_point_count(const carom_compiler *c, const carom_contact_def *def)
{
    const carom_model_shape *i = shape_named(c, def->between[0]), *j = shape_named(c, def->between[1]);
    bool swapped;
    const carom_pair_kind *pair = i && j ? pair_of(c->model, i, j, &swapped) : NULL;
    if (!pair || !pair->points)
        return 1;
    const int count = pair->points(swapped ? j->p : i->p, swapped ? i->p : j->p);
    return count > 0 ? count : 1;
}

static bool hands_over(const carom_model *m, const carom_model_contact *contact)
{
    const double *i = m->shapes[contact->shape_i].p, *j = m->shapes[contact->shape_j].p;
    return contact->pair->hands_over && contact->pair->hands_over(contact->swapped ? j : i, contact->swapped ? i : j);
}

carom_status carom_compile_contact(carom_compiler *c, const carom_contact_def *def, int point, int count,
                                   carom_model_contact *contact)
{
    contact_part w = {.c = c, .def = def, .contact = contact};
    contact->point = point;
    if (def->owner)
        snprintf(w.owner, sizeof w.owner, "%s", def->owner);
    else
        snprintf(w.owner, sizeof w.owner, "contact '%s'", def->name);
    contact->name = count > 1 ? carom_arena_format(&c->model->arena, "%s.%d", def->name, point + 1)
                              : carom_arena_text(&c->model->arena, def->name);
    CAROM_TRY(carom_compile_place(c, def->place, &contact->place));
    if (!contact->name)
        return carom_fail_memory(c->ctx);
    CAROM_TRY(find_pair(&w));
    contact->hands_over = count > 1 && hands_over(c->model, contact);
    if (contact->pair->varies && !contact->pair->turns && point == 0) {
        CAROM_TRY(carom_corners_note(c, w.owner, contact->shape_i));
        CAROM_TRY(carom_corners_note(c, w.owner, contact->shape_j));
        if (carom_compile_point_count(c, def) == 1)
            CAROM_TRY(carom_flats_note(c, def, w.owner, &c->model->shapes[contact->shape_i],
                                       &c->model->shapes[contact->shape_j]));
    }
    const carom_contact_geometry sides = geometry(&w);
    if (contact->pair->varies && point == 0)
        CAROM_TRY(warn_of_line(&w, count, &sides));
    CAROM_TRY(carom_compile_normal(c, w.owner, def, &sides, contact));
    return carom_compile_friction(c, w.owner, def, contact);
}
