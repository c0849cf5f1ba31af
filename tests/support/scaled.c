#include "carom_test.h"

#include "support/scaled.h"

#include <math.h>

#include "expr/dimension.h"
#include "kinds/joint/joint.h"
#include "law/normal_law.h"
#include "spec/keys.h"

typedef struct scaling {
    const carom_context *ctx;
    carom_arena *arena;
    double length, mass;
    carom_unit_scope scope;
} scaling;

static double factor_of(const scaling *w, const char *unit)
{
    const carom_dimension d = carom_unit_dimension(unit, w->scope);
    return d.kind == CAROM_DIMENSION_FREE ? 1 : pow(w->length, d.e[CAROM_LENGTH]) * pow(w->mass, d.e[CAROM_MASS]);
}

double scaled_factor(const char *unit, double length, double mass)
{
    const scaling w = {.length = length, .mass = mass, .scope = CAROM_UNIT_ANY};
    return unit ? factor_of(&w, unit) : 1;
}

static void *copy(const scaling *w, const void *from, size_t count, size_t size)
{
    if (!count)
        return NULL;
    void *to = carom_arena_alloc(w->arena, count, size);
    assert_non_null(to);
    memcpy(to, from, count * size);
    return to;
}

static const char *times(const scaling *w, const char *text, double factor)
{
    const char *out = text && factor != 1 ? carom_arena_format(w->arena, "(%.17g)*(%s)", factor, text) : text;
    return out;
}

/* ---- values ---- */

static const double *numbers(const scaling *w, const double *from, size_t count, double factor)
{
    double *to = copy(w, from, count, sizeof *to);
    for (size_t k = 0; k < count; k++)
        to[k] *= factor;
    return to;
}

static const carom_outline_def *outline(const scaling *w, const carom_outline_def *from, size_t count)
{
    carom_outline_def *to = copy(w, from, count, sizeof *to);
    const double l = w->length;
    for (size_t k = 0; k < count; k++) {
        carom_outline_def *o = &to[k];
        o->points = numbers(w, o->points, 2 * o->point_count, l);
        o->centre[0] *= l;
        o->centre[1] *= l;
        o->radius *= l;
        if (strcmp(o->type, "polynomial") != 0)
            continue;
        o->from *= l;
        o->to *= l;
        double *c = copy(w, o->coefficients, o->coefficient_count, sizeof *c);
        for (size_t i = 0; i < o->coefficient_count; i++)
            c[i] *= pow(l, 1 - (double)i);
        o->coefficients = c;
    }
    return to;
}

static carom_value value(const scaling *w, carom_value v, double factor)
{
    if (v.type == CAROM_VALUE_NUMBER)
        v.number[0] *= factor;
    for (int k = 0; v.type == CAROM_VALUE_VECTOR && k < v.size; k++) {
        v.number[k] *= factor;
        v.expression[k] = times(w, v.expression[k], factor);
    }
    if (v.type == CAROM_VALUE_EXPRESSION)
        v.text = times(w, v.text, factor);
    if (v.type == CAROM_VALUE_POINTS)
        v.points = numbers(w, v.points, 2 * v.count, factor);
    if (v.type == CAROM_VALUE_OUTLINE)
        v.outline = outline(w, v.outline, v.count);
    return v;
}

static void vector(double *v, double factor)
{
    for (int k = 0; k < 3; k++)
        v[k] *= factor;
}

/* ---- parameters of kinds ---- */

/* Tables in which a parameter may stand. */
typedef struct tables {
    const carom_param_row *rows[6];
    size_t counts[6];
    int count;
} tables;

static void add_rows(tables *t, const carom_param_row *rows, size_t count)
{
    t->rows[t->count] = rows;
    t->counts[t->count++] = count;
}

static void add_kind(const scaling *w, tables *t, carom_family family, const char *name)
{
    const carom_kind *kind = name ? carom_kind_find(w->ctx, family, name) : NULL;
    if (kind)
        add_rows(t, kind->params, (size_t)kind->param_count);
}

static const carom_param_row *row_of(const tables *t, const char *name)
{
    for (int i = 0; i < t->count; i++)
        for (size_t k = 0; k < t->counts[i]; k++)
            if (strcmp(t->rows[i][k].name, name) == 0)
                return &t->rows[i][k];
    return NULL;
}

static const carom_param *given(const carom_param_list *list, const char *name)
{
    for (size_t k = 0; k < list->count; k++)
        if (strcmp(list->items[k].name, name) == 0)
            return &list->items[k];
    return NULL;
}

static bool is_quantity(const carom_param_row *row)
{
    return !(row->flags & (CAROM_PARAM_TEXT | CAROM_PARAM_OUTLINE | CAROM_PARAM_POINTS));
}

/* Of a law with several stiffnesses each has an exponent of its own: `outer_stiffness`, `outer_exponent`. */
static scaling with_exponent(const scaling *w, const carom_param_list *list, const char *name)
{
    scaling own = *w;
    const char *end = strstr(name, "_stiffness");
    for (size_t k = 0; end && k < list->count; k++)
        if (strncmp(list->items[k].name, name, (size_t)(end - name)) == 0 && strstr(list->items[k].name, "_exponent"))
            own.scope.n = list->items[k].value.number[0];
    return own;
}

/* All that are given, and the defaults that have a dimension. */
static carom_param_list params(const scaling *w, carom_param_list list, const tables *t, bool defaults)
{
    size_t most = list.count, count = list.count;
    for (int i = 0; i < t->count; i++)
        most += t->counts[i];
    carom_param *items = carom_arena_alloc(w->arena, most + 1, sizeof *items);
    assert_non_null(items);
    for (size_t k = 0; k < list.count; k++) {
        items[k] = list.items[k];
        const carom_param_row *row = row_of(t, items[k].name);
        if (strcmp(items[k].name, "from_point") == 0) {
            items[k].value.number[0] *= w->length;
            items[k].value.number[1] *= w->length * w->mass;
            continue;
        }
        if (!row)
            fail_msg("no row of parameter '%s'", items[k].name);
        const scaling own = with_exponent(w, &list, items[k].name);
        items[k].value = value(w, items[k].value, is_quantity(row) ? factor_of(&own, row->unit) : w->length);
    }
    for (int i = 0; i < t->count && defaults; i++)
        for (size_t k = 0; k < t->counts[i]; k++) {
            const carom_param_row *row = &t->rows[i][k];
            const double factor = is_quantity(row) ? factor_of(w, row->unit) : 1;
            if (factor == 1 || given(&list, row->name) || !(fabs(row->default_value) > 0) || row->size != 1)
                continue;
            items[count++] =
                (carom_param){.name = row->name, .value = carom_value_number(row->default_value * factor)};
        }
    return (carom_param_list){items, count};
}

static carom_param_list of_kind(const scaling *w, carom_param_list list, carom_family family, const char *kind,
                                bool defaults)
{
    tables t = {.count = 0};
    size_t axes;
    add_kind(w, &t, family, kind);
    if (family == CAROM_FAMILY_JOINT) {
        const carom_param_row *rows = carom_axis_params(&axes);
        add_rows(&t, rows, axes);
    }
    return params(w, list, &t, defaults);
}

static carom_param_list of_normal(scaling *w, const carom_contact_def *c)
{
    tables t = {.count = 0};
    size_t common;
    const carom_law_kind *law =
        c->law ? (const carom_law_kind *)carom_kind_find(w->ctx, CAROM_FAMILY_LAW, c->law) : NULL;
    const carom_param *exponent = given(&c->normal, "exponent");
    w->scope.n = exponent ? exponent->value.number[0] : law ? law->exponent : 1.5;
    w->scope.k = 0;
    add_kind(w, &t, CAROM_FAMILY_ELASTIC, c->elastic ? c->elastic : law ? law->elastic : NULL);
    add_kind(w, &t, CAROM_FAMILY_ELASTIC, c->elastic || !law ? NULL : law->elastic_without_stiffness);
    add_kind(w, &t, CAROM_FAMILY_DAMPING, c->damping ? c->damping : law ? law->damping : NULL);
    const carom_param_row *rows = carom_normal_params(&common);
    add_rows(&t, rows, common);
    const carom_param_list list = params(w, c->normal, &t, false);
    w->scope = CAROM_UNIT_ANY;
    return list;
}

/* ---- objects ---- */

static void contact(scaling *w, carom_contact_def *c)
{
    c->minimum_speed *= w->length;
    c->rolling *= w->length;
    c->spinning *= w->length;
    c->length *= w->length;
    c->normal = of_normal(w, c);
    if (c->friction)
        c->friction_params = of_kind(w, c->friction_params, CAROM_FAMILY_FRICTION, c->friction, true);
}

static void body(const scaling *w, carom_body_def *b)
{
    const double l = w->length;
    b->mass *= w->mass;
    b->inertia = value(w, b->inertia, w->mass * l * l);
    vector(b->at, l);
    b->velocity = value(w, b->velocity, l);
    b->motion_x = value(w, b->motion_x, l);
    b->motion_y = value(w, b->motion_y, l);
    b->motion_z = value(w, b->motion_z, l);
    carom_frame_def *frames = copy(w, b->frames, b->frame_count, sizeof *frames);
    for (size_t k = 0; k < b->frame_count; k++)
        vector(frames[k].at, l);
    b->frames = frames;
}

static bool turns(const scaling *w, const carom_joint_def *j)
{
    const carom_joint_kind *kind = (const carom_joint_kind *)carom_kind_find(w->ctx, CAROM_FAMILY_JOINT, j->type);
    return kind->coordinate_unit && kind->coordinate_unit[0] == 'r';
}

/* Which of "1 or m/rad or rad/m" the ratio of two joints has. */
static int ratio_of(const scaling *w, const carom_spec *spec, const carom_joint_def *j)
{
    bool turning[2] = {true, true};
    for (size_t k = 0; k < spec->joint_count; k++)
        for (int i = 0; i < 2; i++)
            if (strcmp(spec->joints[k].name, j->joints[i]) == 0)
                turning[i] = turns(w, &spec->joints[k]);
    return turning[0] == turning[1] ? 0 : turning[0] ? 1 : 2;
}

static void joint(scaling *w, const carom_spec *spec, carom_joint_def *j)
{
    const double l = w->length, along = turns(w, j) ? 1 : l;
    w->scope.alternative = j->joints[0] ? ratio_of(w, spec, j) : turns(w, j) ? 1 : 0;
    vector(j->between[0].point, l);
    vector(j->between[1].point, l);
    j->motion = value(w, j->motion, along);
    j->rate = value(w, j->rate, along);
    j->zero *= along;
    j->armature *= w->mass * (turns(w, j) ? l * l : 1);
    j->params = of_kind(w, j->params, CAROM_FAMILY_JOINT, j->type, false);
    j->spring.params = of_kind(w, j->spring.params, CAROM_FAMILY_LOAD, "joint-spring", false);
    j->damper.params = of_kind(w, j->damper.params, CAROM_FAMILY_LOAD, "joint-damper", false);
    j->limits.params = of_kind(w, j->limits.params, CAROM_FAMILY_LOAD, "joint-limits", false);
    w->scope = CAROM_UNIT_ANY;
    double *const sizes[] = {&j->clearance.radial, &j->clearance.gap,   &j->clearance.radius, &j->clearance.length,
                             &j->clearance.height, &j->clearance.width, &j->clearance.axial,  &j->clearance.edge,
                             &j->friction.radius,  &j->friction.length, &j->friction.width,
                             &j->friction.axial_radius};
    for (size_t k = 0; k < CAROM_COUNT(sizes); k++)
        *sizes[k] *= l;
    j->friction.preload *= w->mass * l;
    j->friction.constant *= w->mass * (strcmp(j->type, "revolute") == 0 ? l * l : l);
    if (j->friction.given)
        j->friction.params = of_kind(w, j->friction.params, CAROM_FAMILY_FRICTION, j->friction.law, true);
    if (j->clearance.given)
        contact(w, &j->clearance.contact);
}

static void load(scaling *w, const carom_spec *spec, carom_load_def *l)
{
    for (size_t k = 0; k < spec->joint_count; k++)
        if (l->on[0].body && strcmp(spec->joints[k].name, l->on[0].body) == 0)
            w->scope.alternative = turns(w, &spec->joints[k]) ? 1 : 0;
    vector(l->on[0].point, w->length);
    vector(l->on[1].point, w->length);
    l->params = of_kind(w, l->params, CAROM_FAMILY_LOAD, l->type, true);
    w->scope = CAROM_UNIT_ANY;
}

carom_spec scaled_spec(const carom_context *ctx, carom_arena *arena, const carom_spec *spec, double length,
                       double mass)
{
    scaling w = {.ctx = ctx, .arena = arena, .length = length, .mass = mass, .scope = CAROM_UNIT_ANY};
    carom_spec out = *spec;
    vector(out.gravity, length);
    carom_material_def *materials = copy(&w, spec->materials, spec->material_count, sizeof *materials);
    carom_body_def *bodies = copy(&w, spec->bodies, spec->body_count, sizeof *bodies);
    carom_joint_def *joints = copy(&w, spec->joints, spec->joint_count, sizeof *joints);
    carom_shape_def *shapes = copy(&w, spec->shapes, spec->shape_count, sizeof *shapes);
    carom_contact_def *contacts = copy(&w, spec->contacts, spec->contact_count, sizeof *contacts);
    carom_load_def *loads = copy(&w, spec->loads, spec->load_count, sizeof *loads);
    for (size_t k = 0; k < spec->material_count; k++) {
        materials[k].young *= mass / length;
        materials[k].yield *= mass / length;
        materials[k].density *= mass / (length * length * length);
    }
    for (size_t k = 0; k < spec->body_count; k++)
        body(&w, &bodies[k]);
    for (size_t k = 0; k < spec->joint_count; k++)
        joint(&w, spec, &joints[k]);
    for (size_t k = 0; k < spec->shape_count; k++) {
        vector(shapes[k].at, length);
        shapes[k].params = of_kind(&w, shapes[k].params, CAROM_FAMILY_SHAPE, shapes[k].type, false);
    }
    for (size_t k = 0; k < spec->contact_count; k++)
        contact(&w, &contacts[k]);
    for (size_t k = 0; k < spec->load_count; k++)
        load(&w, spec, &loads[k]);
    out.materials = materials;
    out.bodies = bodies;
    out.joints = joints;
    out.shapes = shapes;
    out.contacts = contacts;
    out.loads = loads;
    return out;
}
