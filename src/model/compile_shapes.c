/* Shapes: parameters, curves and solids in their place, materials. */
#include "geometry/surface/field.h"
#include "geometry/surface/hull.h"
#include "kinds/shape/shape_solid.h"
#include "model/compile.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

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
    return carom_fail(c->ctx, CAROM_ERROR_MODEL, place, "%s: %s %d: %s", owner, lists->outline ? "segment" : "side",
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
    return text[0] ? carom_compile_warn(c, CAROM_WARN_SHAPE, "%s: %s", owner, text) : CAROM_OK;
}

/* The curve of a shape instead of its parameters. */
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
    const int segments = carom_shape_segments(shape->kind, shape->p, &lists);
    double *curve =
        carom_arena_alloc(&c->model->arena, (size_t)carom_curve_size(segments > 0 ? segments : 1), sizeof *curve);
    if (!curve)
        return carom_fail_memory(c->ctx);
    int item = -1;
    const char *refusal = shape->kind->curve(shape->p, &lists, curve, &item);
    if (refusal)
        return refuse_curve(c, owner, def, &lists, item, refusal);
    shape->p = curve;
    shape->size = carom_curve_size(carom_curve_segments(curve));
    return CAROM_OK;
}

/* The packed solid of a shape in space instead of its parameters. */
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

/* The one table that a shape is made of. */
static carom_status find_table(const carom_compiler *c, const char *owner, const carom_shape_def *def,
                               const carom_kind *kind, const carom_param **out)
{
    char names[128] = "";
    *out = NULL;
    for (int k = 0; k < kind->param_count; k++) {
        const carom_param_row *row = &kind->params[k];
        const carom_param *given = carom_param_find(&def->params, row->name);
        if (!(row->flags & CAROM_PARAM_TABLE))
            continue;
        snprintf(names + strlen(names), sizeof names - strlen(names), "%s`%s`", names[0] ? " or " : "", row->name);
        if (given && *out)
            return carom_fail(c->ctx, CAROM_ERROR_MODEL, &given->place, "%s: give either '%s' or '%s'", owner,
                              (*out)->name, given->name);
        *out = given ? given : *out;
    }
    return *out ? CAROM_OK
                : carom_fail(c->ctx, CAROM_ERROR_MODEL, &def->place, "%s: %s needs %s", owner, kind->name, names);
}

/* The packed solid of a shape that is a convex hull. */
static carom_status make_hull(carom_compiler *c, const char *owner, const carom_shape_def *def,
                              carom_model_shape *shape)
{
    const carom_param *table;
    const double *scale = shape->p;
    CAROM_TRY(find_table(c, owner, def, &shape->kind->kind, &table));
    const carom_value *value = &table->value;
    const char *refusal = NULL;
    carom_vec3 origin;
    CAROM_TRY(carom_polyhedron_make(&c->model->arena, value->points, value->count, scale, CAROM_SOLID_PARAMS, &shape->p,
                                    &shape->size, &origin, &refusal));
    if (refusal)
        return carom_fail(c->ctx, CAROM_ERROR_MODEL, &value->place, "%s: the mesh cannot be taken: %s", owner, refusal);
    carom_solid_begin(shape->p, &carom_surface_polyhedron, false);
    carom_solid_place(shape->p, origin, carom_v3(0, 0, 1));
    return value->text ? carom_compile_warn(c, CAROM_WARN_MESH, "%s: %s", owner, value->text) : CAROM_OK;
}

/* A height field out of the table of its heights. */
static carom_status make_field(carom_compiler *c, const char *owner, const carom_shape_def *def,
                               carom_model_shape *shape)
{
    const carom_param *table;
    const double *given = shape->p;
    CAROM_TRY(find_table(c, owner, def, &shape->kind->kind, &table));
    const carom_value *value = &table->value;
    const int columns = value->size, rows = (int)fmin((double)value->count, CAROM_FIELD_LINES + 1);
    if (columns < 2 || rows < 2 || columns > CAROM_FIELD_LINES || rows > CAROM_FIELD_LINES)
        return carom_fail(c->ctx, CAROM_ERROR_MODEL, &value->place,
                          "%s: the grid has %d columns and %zu rows; there must be 2 to %d of both", owner, columns,
                          value->count, CAROM_FIELD_LINES);
    const size_t most = (size_t)(columns > rows ? columns : rows), count = (size_t)columns * (size_t)rows;
    const size_t room = 5 * most + count;
    shape->size = carom_field_size(columns, rows);
    double *field = carom_arena_alloc(&c->model->arena, (size_t)shape->size, sizeof *field);
    double *work = field ? carom_allocate(c->ctx, room, sizeof *work) : NULL;
    if (!work)
        return carom_fail_memory(c->ctx);
    for (size_t k = 0; k < count; k++)
        work[k] = given[3] * value->points[k];
    carom_field_make(columns, rows, given[0], given[1], given[2] > 0, work, work + count, field);
    carom_release(c->ctx, work, room, sizeof *work);
    shape->p = field;
    return CAROM_OK;
}

/* The triangles of a drawing, scaled. */
static carom_status make_triangles(carom_compiler *c, const char *owner, const carom_shape_def *def,
                                   carom_model_shape *shape)
{
    const carom_param *table;
    const double *scale = shape->p;
    CAROM_TRY(find_table(c, owner, def, &shape->kind->kind, &table));
    const carom_value *value = &table->value;
    const size_t count = value->count / 3;
    if (value->count % 3 || count > 100000)
        return carom_fail(c->ctx, CAROM_ERROR_MODEL, &value->place, "%s: %zu points are not those of triangles", owner,
                          value->count);
    shape->size = 1 + 9 * (int)count;
    double *p = carom_arena_alloc(&c->model->arena, (size_t)shape->size, sizeof *p);
    if (!p)
        return carom_fail_memory(c->ctx);
    p[0] = (double)count;
    for (size_t k = 0; k < 9 * count; k++)
        p[1 + k] = scale[k % 3] * value->points[k];
    /* a mirrored mesh is not inside out */
    for (size_t k = 0; scale[0] * scale[1] * scale[2] < 0 && k < count; k++)
        for (int n = 0; n < 3; n++) {
            double *t = p + 1 + 9 * k + n;
            const double second = t[3];
            t[3] = t[6];
            t[6] = second;
        }
    shape->p = p;
    return value->text ? carom_compile_warn(c, CAROM_WARN_MESH, "%s: %s", owner, value->text) : CAROM_OK;
}

static carom_status read_colour(carom_compiler *c, const char *owner, const carom_shape_def *def, int *out)
{
    unsigned colour;
    char end;
    *out = -1;
    if (!def->colour)
        return CAROM_OK;
    if (strlen(def->colour) != 7 || strspn(def->colour + 1, "0123456789abcdefABCDEF") != 6 ||
        sscanf(def->colour, "#%6x%c", &colour, &end) != 1)
        return carom_fail(c->ctx, CAROM_ERROR_MODEL, &def->place,
                          "%s: 'colour' is '#rrggbb', such as '#d55e00', not '%.40s'", owner, def->colour);
    *out = (int)colour;
    return CAROM_OK;
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
    if (shape->kind->hull && m->dimension == 3)
        CAROM_TRY(make_hull(c, owner, def, shape));
    if (shape->kind->field)
        CAROM_TRY(make_field(c, owner, def, shape));
    if (shape->kind->triangles)
        CAROM_TRY(make_triangles(c, owner, def, shape));
    CAROM_TRY(read_colour(c, owner, def, &shape->colour));
    shape->visual = def->visual || shape->kind->triangles;
    shape->hidden = def->hidden;
    shape->at = carom_v3_load(def->at);
    shape->axes = carom_quat_matrix(
        (carom_quat){def->orientation[0], def->orientation[1], def->orientation[2], def->orientation[3]});
    shape->centred = shape->at.x == 0 && shape->at.y == 0 && shape->at.z == 0;
    shape->parallel = def->orientation[1] == 0 && def->orientation[2] == 0 && def->orientation[3] == 0;
    shape->material = -1;
    if (!def->material)
        return CAROM_OK;
    shape->material = find_material(c, def->material);
    if (c->spec->material_count == 0)
        return carom_fail(c->ctx, CAROM_ERROR_MODEL, &def->material_place,
                          "%s: no material '%.63s'; the model has none: write `materials: {%.63s: {E: ..., nu: ...}}`, "
                          "with its modulus [Pa] and Poisson's ratio",
                          owner, def->material, def->material);
    for (size_t k = 0; k < c->spec->material_count; k++)
        c->names[k] = c->spec->materials[k].name;
    return shape->material >= 0 ? CAROM_OK
                                : carom_compile_unknown(c, &def->material_place, owner, "material", def->material,
                                                        c->spec->material_count);
}

/* No solid is as soft: jelly has 1 kPa and more. Of GPa or MPa taken for Pa. */
#define SOFTEST 1e3

static carom_status compile_materials(carom_compiler *c)
{
    carom_arena *a = &c->model->arena;
    char text[300];
    const char **names = c->model->materials = carom_arena_alloc(a, c->spec->material_count, sizeof *names);
    if (!names)
        return carom_fail_memory(c->ctx);
    for (size_t k = 0; k < c->spec->material_count; k++) {
        const carom_material_def *m = &c->spec->materials[k];
        if (!(m->young > 0) || !isfinite(m->young) || !(m->poisson > -1 && m->poisson <= 0.5))
            return carom_fail(c->ctx, CAROM_ERROR_MODEL, &m->place,
                              "material '%s': E must be above 0 [Pa] and nu between -1 and 0.5", m->name);
        if (!(names[k] = carom_arena_text(a, m->name)))
            return carom_fail_memory(c->ctx);
        if (m->young >= SOFTEST)
            continue;
        snprintf(text, sizeof text,
                 "material '%.63s': its E of %.6g Pa is that of no solid, jelly has 1000 Pa and more; moduli without a "
                 "unit are in Pa, write %.6g*GPa or %.6g*MPa",
                 m->name, m->young, m->young, m->young);
        CAROM_TRY(carom_compile_warn_at(c, CAROM_WARN_MODULUS, &m->place, text));
    }
    return CAROM_OK;
}

carom_status carom_compile_shapes(carom_compiler *c)
{
    carom_model *m = c->model;
    const carom_spec *s = c->spec;
    m->shapes = carom_arena_alloc(&m->arena, s->shape_count, sizeof *m->shapes);
    if (!m->shapes)
        return carom_fail_memory(c->ctx);
    CAROM_TRY(compile_materials(c));
    CAROM_TRY(carom_names_create(&m->arena, s->shape_count, &c->shape_index));
    const size_t before = carom_problems_count(c->ctx);
    for (size_t k = 0; k < s->shape_count; k++) {
        CAROM_TRY_ON(c->ctx, compile_shape(c, &s->shapes[k], &m->shapes[k]));
        carom_names_add(&c->shape_index, s->shapes[k].name, m->shape_count++);
    }
    return carom_problems_since(c->ctx, before);
}
