/* Spec to model: the order of the parts, names, expressions, parameters. */
#include "base/context.h"
#include "model/compile.h"
#include "kinds/shape/shape.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static bool given(const char *text) { return text && text[0]; }

/* ---- names ---- */

carom_status carom_compile_unknown(carom_compiler *c, const carom_place *place, const char *owner, const char *what,
                                   const char *word, size_t name_count)
{
    return carom_fail_unknown(c->ctx, place, owner, what, word, c->names, name_count);
}

carom_status carom_compile_find_body(carom_compiler *c, const carom_place *place, const char *owner, const char *name,
                                     int *out)
{
    const carom_model *m = c->model;
    *out = carom_names_find(&c->body_index, name);
    if (*out >= 0)
        return CAROM_OK;
    for (int k = 0; k <= m->body_count; k++)
        c->names[k] = m->bodies[k].name;
    return carom_compile_unknown(c, place, owner, "body", name ? name : "", (size_t)m->body_count + 1);
}

carom_status carom_compile_find_kind(carom_compiler *c, const carom_place *place, const char *owner,
                                     carom_family family, const char *name, const carom_kind **out)
{
    return carom_kind_require(c->ctx, place, owner, family, name, out);
}

carom_status carom_compile_marker(carom_compiler *c, const char *owner, const carom_frame_ref *ref, carom_marker *out)
{
    *out = (carom_marker){.axes = carom_m3_identity()};
    CAROM_TRY(carom_compile_find_body(c, &ref->place, owner, ref->body, &out->body));
    if (!given(ref->frame)) {
        out->at = carom_v3_load(ref->point);
        return CAROM_OK;
    }
    if (out->body == 0)
        return carom_fail(c->ctx, CAROM_ERROR_MODEL, &ref->place,
                          "%s: the ground has no frames; write {ground: [x, y]} for a point of it", owner);
    const carom_body_def *body = &c->spec->bodies[out->body - 1];
    for (size_t k = 0; k < body->frame_count; k++) {
        const carom_frame_def *frame = &body->frames[k];
        if (strcmp(frame->name, ref->frame) != 0)
            continue;
        out->at = carom_v3_load(frame->at);
        const carom_value *o = &frame->orientation;
        if (o->type == CAROM_VALUE_NUMBER) {
            out->angle = o->number[0];
            out->axes = carom_quat_matrix(carom_quat_from_rotation(carom_v3(0, 0, out->angle)));
        } else if (o->type == CAROM_VALUE_VECTOR)
            out->axes = carom_quat_matrix((carom_quat){o->number[0], o->number[1], o->number[2], o->number[3]});
        return CAROM_OK;
    }
    char what[128];
    snprintf(what, sizeof what, "frame on body '%s' named", body->name);
    for (size_t k = 0; k < body->frame_count; k++)
        c->names[k] = body->frames[k].name;
    return carom_compile_unknown(c, &ref->place, owner, what, ref->frame, body->frame_count);
}

carom_mat3 carom_model_start_axes(const carom_model *m, int body)
{
    if (body == 0)
        return carom_m3_identity();
    if (m->dimension == 2)
        return carom_quat_matrix(carom_quat_from_rotation(carom_v3(0, 0, m->bodies[body].angle)));
    return carom_quat_matrix(m->bodies[body].orientation);
}

carom_frame_pose carom_compile_start_pose(const carom_model *m, const carom_marker *marker)
{
    carom_mat3 axes = carom_model_start_axes(m, marker->body);
    carom_frame_pose pose = {.axes = carom_m3_multiply(&axes, &marker->axes)};
    pose.arm = carom_m3_apply(&axes, marker->at);
    pose.p = carom_v3_add(m->bodies[marker->body].position, pose.arm);
    pose.angle = marker->angle + (marker->body ? m->bodies[marker->body].angle : 0);
    return pose;
}

/* ---- expressions ---- */

carom_status carom_compile_expr_text(carom_compiler *c, const char *text, const carom_place *place,
                                     bool measures_allowed, int *out)
{
    carom_model *m = c->model;
    carom_expr_scope scope = c->scope;
    if (!measures_allowed) {
        scope.measure = NULL;
        scope.variable = carom_compile_moving_variable;
    }
    c->text_place = carom_compile_place(c, *place);
    carom_model_expr e = {.first_switch = m->switch_count, .first_root = m->root_count};
    CAROM_TRY(carom_expr_compile(&m->arena, &scope, text, place, &e.expr));
    e.uses_measures = carom_expr_uses_measures(e.expr);
    CAROM_TRY(carom_grow(c->ctx, &m->exprs, &m->expr_capacity, (size_t)m->expr_count + 1, sizeof *m->exprs));
    m->switch_count += carom_expr_switch_count(e.expr);
    m->root_count += carom_expr_root_count(e.expr);
    *out = m->expr_count;
    m->exprs[m->expr_count++] = e;
    return CAROM_OK;
}

carom_status carom_compile_expr(carom_compiler *c, const carom_value *value, bool measures_allowed, int *out)
{
    char number[40];
    snprintf(number, sizeof number, "%.17g", value->number[0]);
    return carom_compile_expr_text(c, value->type == CAROM_VALUE_NUMBER ? number : value->text, &value->place,
                                   measures_allowed, out);
}

/* Tables of all splines: x, y, second derivatives, and the room for the fit, which then holds the integrals. */
static carom_status compile_splines(carom_compiler *c)
{
    const carom_spec *spec = c->spec;
    c->splines = carom_arena_alloc(&c->model->arena, spec->spline_count, sizeof *c->splines);
    carom_spline_table *curves = c->model->curves =
        carom_arena_alloc(&c->model->arena, spec->spline_count, sizeof *curves);
    if (!c->splines || !curves)
        return carom_fail_memory(c->ctx);
    for (size_t k = 0; k < spec->spline_count; k++) {
        const carom_spline_def *s = &spec->splines[k];
        double *table = c->splines[k] = carom_arena_alloc(&c->model->arena, s->count, 5 * sizeof *table);
        if (!table)
            return carom_fail_memory(c->ctx);
        memcpy(table, s->x, s->count * sizeof *table);
        memcpy(table + s->count, s->y, s->count * sizeof *table);
        if (!carom_spline_fit_ends(s->ends, s->slopes, s->count, s->x, s->y, table + 2 * s->count,
                                   table + 3 * s->count))
            return carom_fail(c->ctx, CAROM_ERROR_MODEL, &s->place,
                              "spline '%s': ends are natural, clamped (2 points or more) or periodic (4 or more)",
                              s->name);
        curves[k] =
            (carom_spline_table){{s->count, table, table + s->count, table + 2 * s->count}, table + 3 * s->count};
        carom_spline_sums(&curves[k].spline, table + 3 * s->count);
    }
    return CAROM_OK;
}

static bool find_spline(void *user, const char *name, size_t *n, const double **x, const double **y, const double **y2)
{
    const carom_compiler *c = user;
    for (size_t k = 0; k < c->spec->spline_count; k++) {
        const carom_spline_def *s = &c->spec->splines[k];
        if (strcmp(s->name, name) != 0)
            continue;
        *n = s->count;
        *x = c->splines[k];
        *y = *x + s->count;
        *y2 = *y + s->count;
        return true;
    }
    return false;
}

static bool spline_repeats(void *user, const char *name)
{
    const carom_compiler *c = user;
    for (size_t k = 0; k < c->spec->spline_count; k++)
        if (strcmp(c->spec->splines[k].name, name) == 0)
            return c->spec->splines[k].ends && strcmp(c->spec->splines[k].ends, "periodic") == 0;
    return false;
}

carom_place carom_compile_place(const carom_compiler *c, carom_place place)
{
    place.file = place.file ? c->model->file : NULL;
    return place;
}

carom_status carom_compile_warn(carom_compiler *c, const char *format, ...)
{
    char line[512];
    va_list args;
    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    carom_model *m = c->model;
    CAROM_TRY(carom_grow(c->ctx, &m->ignored, &m->warning_capacity, (size_t)m->warning_count + 1, sizeof *m->ignored));
    m->ignored[m->warning_count] = carom_arena_text(&m->arena, line);
    if (!m->ignored[m->warning_count])
        return carom_fail_memory(c->ctx);
    m->warning_count++;
    return CAROM_OK;
}

/* ---- the model ---- */

static carom_status prepare(carom_compiler *c)
{
    const carom_spec *s = c->spec;
    carom_model *m = c->model;
    if (s->dimension != 2 && s->dimension != 3)
        return carom_fail(c->ctx, CAROM_ERROR_MODEL, NULL, "%s: dimension is %d; it must be 2 or 3",
                          s->file ? s->file : "model", s->dimension);
    m->dimension = s->dimension;
    m->gravity = carom_v3_load(s->gravity);
    m->name = carom_arena_text(&m->arena, given(s->name) ? s->name : "model");
    m->file = s->file ? carom_arena_text(&m->arena, s->file) : NULL;
    m->title = carom_arena_text(&m->arena, given(s->title) ? s->title : m->name ? m->name : "");
    m->text = carom_arena_text_n(&m->arena, s->text ? s->text : "", s->text ? s->text_length : 0);
    m->text_length = s->text ? s->text_length : 0;
    size_t most = 64 + s->body_count + (1 + CAROM_CLEARANCE_SHAPES) * s->joint_count + s->shape_count +
                  s->material_count + s->spline_count + s->load_count;
    for (size_t k = 0; k < s->body_count; k++)
        most += s->bodies[k].frame_count;
    c->names = carom_arena_alloc(&m->arena, most, sizeof *c->names);
    const char **parameter_names = carom_arena_alloc(&m->arena, s->parameter_count, sizeof *parameter_names);
    double *parameter_values = carom_arena_alloc(&m->arena, s->parameter_count, sizeof *parameter_values);
    const char **variables = carom_arena_alloc(&m->arena, s->input_count + s->state_count, sizeof *variables);
    if (!m->name || !m->title || !m->text || !c->names || !parameter_names || !parameter_values || !variables)
        return carom_fail_memory(c->ctx);
    for (size_t k = 0; k < s->input_count; k++)
        variables[k] = s->inputs[k].name;
    for (size_t k = 0; k < s->state_count; k++)
        variables[s->input_count + k] = s->states[k].name;
    for (size_t k = 0; k < s->parameter_count; k++) {
        parameter_names[k] = s->parameters[k].name;
        parameter_values[k] = s->parameters[k].value;
        m->hash = carom_hash(&s->parameters[k].value, sizeof(double), m->hash);
    }
    m->hash = carom_hash(m->text, m->text_length, m->hash);
    c->scope = (carom_expr_scope){.names = parameter_names,
                                  .values = parameter_values,
                                  .count = s->parameter_count,
                                  .time_allowed = true,
                                  .measure = carom_compile_measure,
                                  .variables = variables,
                                  .variable_count = s->input_count + s->state_count,
                                  .variable = carom_compile_variable,
                                  .spline = find_spline,
                                  .spline_repeats = spline_repeats,
                                  .user = c};
    return CAROM_OK;
}

/* The row groups on each body, ascending: those of body k are group[first[k]] ... group[first[k + 1] - 1]. */
typedef struct body_groups {
    int *first, *group;
} body_groups;

static bool list_groups(const carom_model *m, carom_arena *scratch, body_groups *out)
{
    const size_t bodies = (size_t)m->body_count + 1;
    out->first = carom_arena_alloc(scratch, bodies + 1, sizeof *out->first);
    out->group = carom_arena_alloc(scratch, 2 * (size_t)m->element_count, sizeof *out->group);
    int *next = carom_arena_alloc(scratch, bodies, sizeof *next);
    if (!out->first || !out->group || !next)
        return false;
    for (int e = 0; e < m->element_count; e++) {
        out->first[m->elements[e].body_i + 1]++;
        if (m->elements[e].body_j != m->elements[e].body_i)
            out->first[m->elements[e].body_j + 1]++;
    }
    for (size_t k = 0; k < bodies; k++) {
        out->first[k + 1] += out->first[k];
        next[k] = out->first[k];
    }
    for (int e = 0; e < m->element_count; e++) {
        out->group[next[m->elements[e].body_i]++] = e;
        if (m->elements[e].body_j != m->elements[e].body_i)
            out->group[next[m->elements[e].body_j]++] = e;
    }
    return true;
}

/* The couplings of group a with one before it, or with itself, into `out` unless that is NULL; returns their number. */
static int couple_two(const carom_model *m, int a, int b, carom_coupling *out)
{
    int count = 0;
    for (int sides = 0; sides < 4; sides++) {
        int side_a = sides & 1, side_b = sides >> 1;
        const carom_element *ea = &m->elements[a], *eb = &m->elements[b];
        int body_a = side_a ? ea->body_j : ea->body_i, body_b = side_b ? eb->body_j : eb->body_i;
        if (body_a == 0 || body_a != body_b)
            continue;
        if (out)
            out[count] = (carom_coupling){a, b, body_a, side_a, side_b};
        count++;
    }
    return count;
}

/* Those of group a with all up to itself, in their order: both its bodies' lists are walked at once. */
static int couple_one(const carom_model *m, const body_groups *of, int a, carom_coupling *out)
{
    const int body[2] = {m->elements[a].body_i, m->elements[a].body_j};
    int at[2], count = 0;
    for (int side = 0; side < 2; side++)
        at[side] = body[side] ? of->first[body[side]] : of->first[1];
    for (;;) {
        int b = a + 1;
        for (int side = 0; side < 2; side++)
            if (body[side] && at[side] < of->first[body[side] + 1] && of->group[at[side]] < b)
                b = of->group[at[side]];
        if (b > a)
            return count;
        for (int side = 0; side < 2; side++)
            if (body[side] && at[side] < of->first[body[side] + 1] && of->group[at[side]] == b)
                at[side]++;
        count += couple_two(m, a, b, out ? out + count : NULL);
    }
}

/* Which row groups share a moving body: the blocks of the Schur complement J M^-1 J^T. */
static carom_status couple(carom_compiler *c)
{
    carom_model *m = c->model;
    carom_arena scratch;
    carom_arena_init(&scratch, c->ctx);
    body_groups of;
    bool done = list_groups(m, &scratch, &of);
    for (int a = 0; done && a < m->element_count; a++)
        m->coupling_count += couple_one(m, &of, a, NULL);
    m->couplings = done ? carom_arena_alloc(&m->arena, (size_t)m->coupling_count, sizeof *m->couplings) : NULL;
    int count = 0;
    for (int a = 0; m->couplings && a < m->element_count; a++)
        count += couple_one(m, &of, a, m->couplings + count);
    carom_arena_free(&scratch);
    return m->couplings ? CAROM_OK : carom_fail_memory(c->ctx);
}

/* Length and speed of the model as it starts, for absolute tolerances. */
static void scale(carom_model *m)
{
    double length = 0, speed = 0;
    for (int k = 1; k <= m->body_count; k++) {
        const carom_model_body *b = &m->bodies[k];
        length = fmax(length, carom_v3_norm(b->position));
        speed = fmax(speed, carom_v3_norm(b->velocity));
    }
    for (int k = 0; k < m->joint_count; k++) {
        const carom_model_joint *j = &m->joints[k];
        double arm = fmax(carom_v3_norm(j->i.at), carom_v3_norm(j->j.at));
        length = fmax(length, arm);
        if (j->rate_given && j->kind->coordinate_unit)
            speed = fmax(speed, fabs(j->rate) * (j->kind->coordinate_unit[0] == 'r' ? 2 * arm : 1));
    }
    for (int k = 1; k <= m->body_count; k++)
        speed = fmax(speed, 0.1 * length * carom_v3_norm(m->bodies[k].spin));
    for (int k = 0; k < m->shape_count; k++) {
        double r = carom_shape_bounding_radius(m->shapes[k].kind, m->shapes[k].p, m->dimension == 2);
        if (isfinite(r))
            length = fmax(length, r);
    }
    m->length_scale = length > 0 ? length : 1;
    speed = fmax(speed, sqrt(carom_v3_norm(m->gravity) * m->length_scale));
    m->speed_scale = speed > 0 ? speed : m->length_scale;
}

static carom_status compile_parts(carom_compiler *c)
{
    CAROM_TRY(carom_compile_check(c));
    if (!c->other)
        c->model->stepped = carom_compile_steps(c->ctx, c->spec);
    CAROM_TRY(prepare(c));
    CAROM_TRY(compile_splines(c));
    CAROM_TRY(carom_compile_variables(c));
    CAROM_TRY(carom_compile_bodies(c));
    CAROM_TRY(carom_compile_joints(c));
    CAROM_TRY(carom_compile_clearances(c));
    CAROM_TRY(carom_compile_contacts(c));
    CAROM_TRY(carom_compile_loads(c));
    CAROM_TRY(carom_compile_state_rates(c));
    CAROM_TRY(carom_compile_frames(c));
    CAROM_TRY(carom_compile_events(c));
    CAROM_TRY(carom_compile_outputs(c));
    CAROM_TRY(carom_compile_runs(c));
    CAROM_TRY(couple(c));
    scale(c->model);
    return CAROM_OK;
}

/* With the structure of contact sets that the runs of the spec need, or where there is one with the other. */
static carom_status compile_one(carom_context *ctx, const carom_spec *spec, const carom_model *other, carom_model **out)
{
    *out = NULL;
    carom_model *m = carom_allocate(ctx, 1, sizeof *m);
    if (!m)
        return carom_fail_memory(ctx);
    m->ctx = ctx;
    m->stepped = other && !other->stepped;
    carom_arena_init(&m->arena, ctx);
    carom_compiler c = {.ctx = ctx, .spec = spec, .model = m, .other = other};
    carom_status status = compile_parts(&c);
    if (status != CAROM_OK) {
        carom_model_free(m);
        return status;
    }
    *out = m;
    return CAROM_OK;
}

/* The same spec with the other structure of its contact sets; what it is refused for is kept until a run needs it. */
static carom_status compile_other(carom_context *ctx, const carom_spec *spec, carom_model *m)
{
    const carom_failure former = ctx->failure;
    const carom_status status = compile_one(ctx, spec, m, &m->other);
    if (status == CAROM_OK || status == CAROM_ERROR_MEMORY)
        return status;
    m->other_refusal = carom_arena_text(&m->arena, ctx->failure.text);
    ctx->failure = former;
    return m->other_refusal ? CAROM_OK : carom_fail_memory(ctx);
}

carom_status carom_model_compile(carom_context *ctx, const carom_spec *spec, carom_model **out)
{
    *out = NULL;
    if (!spec)
        return carom_fail(ctx, CAROM_ERROR_USAGE, NULL, "no spec to compile");
    carom_spec own = carom_default_spec();
    CAROM_TRY(carom_take_def(ctx, spec, &own, sizeof own, "spec"));
    spec = &own;
    CAROM_TRY(compile_one(ctx, spec, NULL, out));
    carom_status status = carom_compile_has_sets(spec) ? compile_other(ctx, spec, *out) : CAROM_OK;
    if (status != CAROM_OK) {
        carom_model_free(*out);
        *out = NULL;
    }
    return status;
}

const carom_model *carom_model_for_steps(const carom_model *m, bool fixed_step)
{
    const bool has_other = m->other || m->other_refusal;
    return fixed_step == m->stepped || !has_other ? m : m->other;
}

void carom_model_free(carom_model *m)
{
    if (!m)
        return;
    carom_model_free(m->other);
    carom_release(m->ctx, m->exprs, m->expr_capacity, sizeof *m->exprs);
    carom_release(m->ctx, m->measures, m->measure_capacity, sizeof *m->measures);
    carom_release(m->ctx, m->ignored, m->warning_capacity, sizeof *m->ignored);
    carom_arena_free(&m->arena);
    carom_release(m->ctx, m, 1, sizeof *m);
}

carom_model_info carom_model_get_info(const carom_model *m)
{
    return (carom_model_info){.name = m->name,
                              .title = m->title,
                              .dimension = m->dimension,
                              .bodies = (size_t)m->body_count,
                              .joints = (size_t)m->joint_count,
                              .shapes = (size_t)m->shape_count,
                              .contacts = (size_t)(m->contact_count + m->pool_count),
                              .loads = (size_t)m->load_count,
                              .runs = (size_t)m->run_count,
                              .coordinates = (size_t)(m->body_count * (m->dimension == 2 ? 3 : 6)),
                              .rows = (size_t)m->row_count,
                              .gravity = {m->gravity.x, m->gravity.y, m->gravity.z},
                              .length = m->length_scale};
}

const carom_run_def *carom_model_get_run(const carom_model *m, size_t index)
{
    return index < (size_t)m->run_count ? &m->runs[index] : NULL;
}

const char *carom_model_body_name(const carom_model *m, size_t body)
{
    return body < (size_t)m->body_count ? m->bodies[body + 1].name : NULL;
}
