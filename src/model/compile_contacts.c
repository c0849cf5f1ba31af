/* Shapes and contacts: pairs of shapes, radii, materials. The laws are in compile_law.c. */
#include "kinds/shape/shape.h"
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

/* What a curve is refused for, at the entry of its list. */
static carom_status refuse_curve(const carom_compiler *c, const char *owner, const carom_shape_def *def,
                                 const carom_shape_lists *lists, int item, const char *refusal)
{
    const carom_param *list = carom_param_find(&def->params, lists->outline ? "outline" : "points");
    const carom_place *place = list ? &list->value.place : &def->place;
    if (item < 0 || !list)
        return carom_fail(c->ctx, CAROM_ERROR_MODEL, place, "%s: %s", owner, refusal);
    if (lists->outline && (size_t)item < lists->outline_count && lists->outline[item].place.line)
        place = &lists->outline[item].place;
    return carom_fail(c->ctx, CAROM_ERROR_MODEL, place, "%s: %s %d: %s", owner, lists->outline ? "piece" : "side",
                      item + 1, refusal);
}

/* Parameters that do not fit each other, or are to be warned of. */
static carom_status check_shape(carom_compiler *c, const char *owner, const carom_shape_def *def,
                                const carom_model_shape *shape)
{
    char text[CAROM_KIND_TEXT] = "";
    if (!shape->kind->check)
        return CAROM_OK;
    if (!CAROM_KIND_CALL(shape->kind, check, shape->p, text, sizeof text))
        return carom_fail(c->ctx, CAROM_ERROR_MODEL, &def->place, "%s: %s", owner, text);
    return text[0] ? carom_compile_warn(c, "%s: %s", owner, text) : CAROM_OK;
}

/* The curve of a shape in the place of its parameters. */
static carom_status make_curve(carom_compiler *c, const char *owner, const carom_shape_def *def,
                               carom_model_shape *shape)
{
    const carom_param *points = carom_param_find(&def->params, "points");
    const carom_param *outline = carom_param_find(&def->params, "outline");
    carom_shape_lists lists = {0};
    if (points && points->value.type == CAROM_VALUE_POINTS) {
        lists.points = points->value.points;
        lists.point_count = points->value.count;
    }
    if (outline && outline->value.type == CAROM_VALUE_OUTLINE) {
        lists.outline = outline->value.outline;
        lists.outline_count = outline->value.count;
    }
    const int pieces = carom_shape_pieces(shape->kind, shape->p, &lists);
    double *curve =
        carom_arena_alloc(&c->model->arena, (size_t)carom_curve_size(pieces > 0 ? pieces : 1), sizeof *curve);
    if (!curve)
        return carom_fail_memory(c->ctx);
    int item = -1;
    const char *refusal = shape->kind->curve(shape->p, &lists, curve, &item);
    if (refusal)
        return refuse_curve(c, owner, def, &lists, item, refusal);
    shape->p = curve;
    shape->size = carom_curve_size(carom_curve_pieces(curve));
    return CAROM_OK;
}

/* The packed solid of a shape in space in the place of its parameters. */
static carom_status make_solid(carom_compiler *c, const char *owner, const carom_shape_def *def,
                               carom_model_shape *shape)
{
    const carom_shape_kind *kind = shape->kind;
    shape->size = kind->solid_size ? kind->solid_size(shape->p, c->model->curves) : CAROM_SOLID_SIZE;
    double *solid = carom_arena_alloc(&c->model->arena, (size_t)shape->size, sizeof *solid);
    if (!solid)
        return carom_fail_memory(c->ctx);
    const char *refusal = kind->solid(shape->p, c->model->curves, solid);
    shape->p = solid;
    return refusal ? carom_fail(c->ctx, CAROM_ERROR_MODEL, &def->place, "%s: %s", owner, refusal) : CAROM_OK;
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
        return carom_fail(c->ctx, CAROM_ERROR_MODEL, &def->type_place,
                          "%s: there is no shape %s in a model of dimension %d", owner, kind->name, m->dimension);
    CAROM_TRY(carom_compile_find_body(c, &def->on_place, owner, def->on, &shape->body));
    CAROM_TRY(carom_compile_params(c, owner, kind, &def->params, &def->place, &shape->p, NULL, NULL));
    shape->size = carom_kind_param_size(kind);
    CAROM_TRY(check_shape(c, owner, def, shape));
    if (shape->kind->curve && m->dimension == 2)
        CAROM_TRY(make_curve(c, owner, def, shape));
    if (shape->kind->solid && m->dimension == 3)
        CAROM_TRY(make_solid(c, owner, def, shape));
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

/* Warns of the corners of a curve that is round elsewhere: the normal jumps there. */
static carom_status warn_of_corners(const contact_part *w, const carom_model_shape *shape)
{
    const double *curve = shape->p;
    if (strcmp(carom_shape_surface(shape->kind, w->c->model->dimension == 2), "curve") != 0 ||
        !(curve[CAROM_CURVE_CORNERS] > 0) || (curve[CAROM_CURVE_SHARPEST] == 0 && curve[CAROM_CURVE_HOLLOWEST] == 0))
        return CAROM_OK;
    for (int k = carom_curve_closed(curve) ? 0 : 1; k < carom_curve_pieces(curve); k++) {
        carom_curve_joint joint;
        carom_curve_joint_at(curve, k, &joint);
        if (joint.kind != CAROM_JOINT_CONVEX && joint.kind != CAROM_JOINT_CONCAVE)
            continue;
        return carom_compile_warn(
            w->c,
            "%s: shape '%s' is not smooth: it has a corner at (%.6g, %.6g) m, of %.4g degrees%s; the "
            "normal jumps there",
            w->owner, shape->name, joint.at.x, joint.at.y, fabs(joint.turn) * (180 / CAROM_PI),
            curve[CAROM_CURVE_CORNERS] > 1 ? ", and others" : "");
    }
    return CAROM_OK;
}

/* Warns of two curves that may lie flat on each other, but touch in one point at a time. */
static carom_status warn_of_flats(const contact_part *w, const carom_model_shape *i, const carom_model_shape *j)
{
    const bool planar = w->c->model->dimension == 2;
    if (strcmp(carom_shape_surface(i->kind, planar), "curve") != 0 ||
        strcmp(carom_shape_surface(j->kind, planar), "curve") != 0 ||
        !carom_curve_has_sides(i->p) || !carom_curve_has_sides(j->p))
        return CAROM_OK;
    return carom_compile_warn(
        w->c,
        "%s: '%s' and '%s' both have straight sides, and touch in one point at a time: they rattle if "
        "they lie flat on each other; take a plane for one of them, or outlines of straight sides alone",
        w->owner, i->name, j->name);
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

/* Points in which the shapes of a contact may touch at once; 1 where that is not known. */
static int point_count(const carom_compiler *c, const carom_contact_def *def)
{
    const carom_model_shape *i = shape_named(c, def->between[0]), *j = shape_named(c, def->between[1]);
    bool swapped;
    const carom_pair_kind *pair = i && j ? pair_of(c->model, i, j, &swapped) : NULL;
    if (!pair || !pair->points)
        return 1;
    const int count = pair->points(swapped ? j->p : i->p, swapped ? i->p : j->p);
    return count > 0 ? count : 1;
}

/* One of the `count` points of a contact. */
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
    contact->place = carom_compile_place(c, def->place);
    if (!contact->name)
        return carom_fail_memory(c->ctx);
    CAROM_TRY(find_pair(&w));
    if (contact->pair->varies && point == 0) {
        CAROM_TRY(warn_of_corners(&w, &c->model->shapes[contact->shape_i]));
        CAROM_TRY(warn_of_corners(&w, &c->model->shapes[contact->shape_j]));
        if (count == 1)
            CAROM_TRY(warn_of_flats(&w, &c->model->shapes[contact->shape_i], &c->model->shapes[contact->shape_j]));
    }
    const carom_contact_geometry sides = geometry(&w);
    CAROM_TRY(carom_compile_normal(c, w.owner, def, &sides, contact));
    return carom_compile_friction(c, w.owner, def, contact);
}

static carom_status check_materials(carom_compiler *c)
{
    for (size_t k = 0; k < c->spec->material_count; k++) {
        const carom_material_def *m = &c->spec->materials[k];
        if (!(m->young > 0) || !isfinite(m->young) || !(m->poisson > -1 && m->poisson <= 0.5))
            return carom_fail(c->ctx, CAROM_ERROR_MODEL, &m->place,
                              "material '%s': E must be above 0 [Pa] and nu between -1 and 0.5", m->name);
    }
    return CAROM_OK;
}

carom_status carom_compile_contacts(carom_compiler *c)
{
    carom_model *m = c->model;
    const carom_spec *s = c->spec;
    m->shapes = carom_arena_alloc(&m->arena, s->shape_count, sizeof *m->shapes);
    if (!m->shapes)
        return carom_fail_memory(c->ctx);
    CAROM_TRY(check_materials(c));
    CAROM_TRY(carom_names_create(&m->arena, s->shape_count, &c->shape_index));
    for (size_t k = 0; k < s->shape_count; k++) {
        CAROM_TRY(compile_shape(c, &s->shapes[k], &m->shapes[k]));
        carom_names_add(&c->shape_index, m->shapes[k].name, m->shape_count++);
    }
    const carom_contact_def *defs = s->contacts;
    size_t def_count = s->contact_count, total = 0;
    CAROM_TRY(carom_compile_pools(c, &defs, &def_count));
    for (size_t k = 0; k < def_count; k++)
        total += (size_t)point_count(c, &defs[k]);
    m->contacts = carom_arena_alloc(&m->arena, total, sizeof *m->contacts);
    if (!m->contacts)
        return carom_fail_memory(c->ctx);
    for (size_t k = 0; k < def_count; k++) {
        const int count = point_count(c, &defs[k]);
        for (int point = 0; point < count; point++) {
            CAROM_TRY(carom_compile_contact(c, &defs[k], point, count, &m->contacts[m->contact_count]));
            m->contact_count++;
        }
    }
    /* contacts of joints with clearance stand behind those of the spec, which may have become more */
    for (int k = 0; k < m->joint_count; k++)
        m->joints[k].clearance.first_contact += m->contact_count - (int)s->contact_count;
    carom_compile_roots(m);
    return CAROM_OK;
}
