/* Loads and runs. */
#include "geometry/path/path.h"
#include "model/compile.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Axes of a load about an axis: as of a joint, h along it and f each frame's x-axis. */
static carom_status load_axes(carom_compiler *c, const char *owner, const carom_load_def *def,
                              carom_compiled_load *load, carom_param_list *rest)
{
    carom_model *m = c->model;
    carom_vec3 axis = carom_v3(0, 0, 1);
    carom_param *items = carom_arena_alloc(&m->arena, def->params.count, sizeof *items);
    if (!items)
        return carom_fail_memory(c->ctx);
    *rest = (carom_param_list){items, 0};
    for (size_t k = 0; k < def->params.count; k++) {
        const carom_param *p = &def->params.items[k];
        if (strcmp(p->name, "axis") != 0 || !load->kind->has_axis) {
            items[rest->count++] = *p;
            continue;
        }
        if (m->dimension == 2)
            return carom_fail(c->ctx, CAROM_ERROR_MODEL, &p->place, "%s: the axis of a planar model is z; leave it out",
                              owner);
        CAROM_TRY(carom_compile_vector(c, owner, p, &axis));
        if (!(carom_v3_norm(axis) > 0))
            return carom_fail(c->ctx, CAROM_ERROR_MODEL, &p->value.place, "%s: axis must not be the zero vector",
                              owner);
    }
    if (!load->kind->has_axis)
        return CAROM_OK;
    carom_marker *markers[2] = {&load->i, &load->j};
    carom_mat3 world[2];
    carom_compile_axes(m, &load->i, &load->j, axis, &world[0], &world[1]);
    for (int side = 0; side < 2; side++) {
        carom_mat3 body = carom_model_start_axes(m, markers[side]->body);
        markers[side]->axes = carom_m3_multiply_t(&body, &world[side]);
        markers[side]->angle = atan2(markers[side]->axes.m[1][0], markers[side]->axes.m[0][0]);
    }
    return CAROM_OK;
}

/* The joint that a load acts on, instead of a frame; the load's frames are the joint's. */
static carom_status find_joint(carom_compiler *c, const char *owner, const carom_frame_ref *ref,
                               carom_compiled_load *load)
{
    const carom_model *m = c->model;
    size_t count = 0;
    char word[256];
    /* a further coordinate is JOINT.NAME */
    snprintf(word, sizeof word, "%s%s%s", ref->body ? ref->body : "", ref->frame ? "." : "",
             ref->frame ? ref->frame : "");
    for (int k = 0; k < m->joint_count; k++) {
        const carom_model_joint *joint = &m->joints[k];
        if (joint->coordinate < 0)
            continue;
        c->names[count++] = joint->name;
        if (strcmp(joint->name, word) == 0) {
            load->joint = k;
            load->i = joint->i;
            load->j = joint->j;
            return CAROM_OK;
        }
    }
    return carom_compile_unknown(c, &ref->place, owner, "joint with a coordinate named", word, count);
}

static carom_status compile_frames(carom_compiler *c, const char *owner, const carom_load_def *def,
                                   carom_compiled_load *load)
{
    carom_model *m = c->model;
    const carom_load_kind *kind = load->kind;
    if (def->frame_count != kind->frame_count && !(kind->may_react && def->frame_count == 2))
        return carom_fail(c->ctx, CAROM_ERROR_MODEL, &def->place,
                          kind->frame_count == 1 ? "%s: a %s acts `on` one %s" : "%s: a %s acts `between` two %ss",
                          owner, kind->kind.name, kind->on_joint ? "joint" : "frame");
    load->frames = def->frame_count;
    CAROM_TRY(carom_compile_place(c, def->place, &load->place));
    load->joint = -1;
    load->j = (carom_marker){.axes = carom_m3_identity()};
    if (kind->on_joint)
        return find_joint(c, owner, &def->on[0], load);
    CAROM_TRY(carom_compile_marker(c, owner, &def->on[0], &load->i));
    if (def->frame_count < 2)
        return CAROM_OK;
    CAROM_TRY(carom_compile_marker(c, owner, &def->on[1], &load->j));
    if (load->i.body == load->j.body)
        return carom_fail(c->ctx, CAROM_ERROR_MODEL, &def->on[1].place, "%s: both frames are on '%s'", owner,
                          m->bodies[load->i.body].name);
    return CAROM_OK;
}

/* The body or frame whose axes a parameter names, unless it is one of the words of its row. */
static carom_status compile_reference(carom_compiler *c, const char *owner, const carom_param *param,
                                      carom_compiled_load *load)
{
    carom_model *m = c->model;
    const char *text = param->value.text, *dot = strchr(text, '.');
    carom_frame_ref ref = {.body = carom_arena_text_n(&m->arena, text, dot ? (size_t)(dot - text) : strlen(text)),
                           .frame = dot ? dot + 1 : NULL,
                           .place = param->value.place};
    if (!ref.body)
        return carom_fail_memory(c->ctx);
    size_t count = 0;
    bool known = dot != NULL;
    c->names[count++] = "world";
    c->names[count++] = "body";
    for (int k = 0; k <= m->body_count; k++) {
        c->names[count++] = m->bodies[k].name;
        known = known || strcmp(m->bodies[k].name, text) == 0;
    }
    if (!known)
        return carom_compile_unknown(c, &ref.place, owner, "axes", text, count);
    load->has_reference = true;
    return carom_compile_marker(c, owner, &ref, &load->reference);
}

static carom_status compile_references(carom_compiler *c, const char *owner, const carom_load_def *def,
                                       carom_compiled_load *load)
{
    const carom_kind *kind = &load->kind->kind;
    for (int r = 0; r < kind->param_count; r++) {
        const carom_param_row *row = &kind->params[r];
        const carom_param *param = row->flags & CAROM_PARAM_FRAME ? carom_param_find(&def->params, row->name) : NULL;
        if (param && load->p[carom_kind_param_offset(kind, row->name)] > row->high)
            CAROM_TRY(compile_reference(c, owner, param, load));
    }
    return CAROM_OK;
}

/* Thresholds of the load's switches; no place in the state is kept for a load that never switches. */
static carom_status compile_switches(carom_compiler *c, carom_compiled_load *load)
{
    carom_model *m = c->model;
    const carom_load_kind *kind = load->kind;
    size_t total = 0;
    for (int k = 0; k < kind->switches; k++)
        total += kind->edges(load->p, m->curves, m->dimension, k, NULL);
    if (!total)
        return CAROM_OK;
    carom_edges *edges = carom_arena_alloc(&m->arena, (size_t)kind->switches, sizeof *edges);
    double *x = carom_arena_alloc(&m->arena, total, sizeof *x);
    if (!edges || !x)
        return carom_fail_memory(c->ctx);
    for (int k = 0; k < kind->switches; k++) {
        edges[k] = (carom_edges){.n = kind->edges(load->p, m->curves, m->dimension, k, x), .x = x};
        x += edges[k].n;
    }
    load->edges = edges;
    load->first_switch = m->switch_count;
    load->first_root = m->root_count;
    m->switch_count += kind->switches;
    m->root_count += kind->switches;
    m->switching_load_count++;
    return CAROM_OK;
}

/* The row of a motor that computes its effort; it alone drives the coordinate. */
static carom_status compile_computed(carom_compiler *c, const char *owner, const carom_load_def *def,
                                     carom_compiled_load *load)
{
    carom_model *m = c->model;
    const carom_model_joint *joint = &m->joints[load->joint];
    const char *fault = joint->lock >= 0 ? "an event locks it" : NULL;
    for (int k = 0; k < m->block_count; k++) {
        const carom_constraint_block *e = &m->blocks[k];
        if (e->object == load->joint && e->type == CAROM_BLOCK_JOINT_MOTION)
            fault = "its motion is prescribed";
        if (e->object == load->joint && e->type == CAROM_BLOCK_COMPUTED)
            fault = "another motor computes its effort";
    }
    if (fault)
        return carom_fail(c->ctx, CAROM_ERROR_MODEL, &def->place, "%s: it cannot compute the effort on joint '%s': %s",
                          owner, joint->name, fault);
    load->computed = m->block_count;
    m->computed_count++;
    carom_compile_block(m, (carom_constraint_block){CAROM_BLOCK_COMPUTED, .object = load->joint,
                                                    .body_i = joint->i.body, .body_j = joint->j.body, .row_count = 1,
                                                    .expr = -1, .load = (int)(load - m->loads)});
    return CAROM_OK;
}

/* Whether a name is that of a joint, or of a coordinate of one. */
static bool is_joint(const carom_spec *s, const char *name)
{
    for (size_t k = 0; k < s->joint_count; k++)
        if (name && strcmp(s->joints[k].name, name) == 0)
            return true;
    return false;
}

static carom_status find_kind(carom_compiler *c, const char *owner, const carom_load_def *def,
                              carom_compiled_load *load)
{
    const carom_kind *kind;
    CAROM_TRY(carom_compile_find_kind(c, &def->type_place, owner, CAROM_FAMILY_LOAD, def->type, &kind));
    load->kind = (const carom_load_kind *)kind;
    return CAROM_OK;
}

carom_status carom_compile_look_at_loads(carom_compiler *c)
{
    const carom_spec *s = c->spec;
    for (size_t k = 0; k < s->load_count; k++) {
        const carom_load_def *def = &s->loads[k];
        carom_compiled_load load = {0};
        char owner[128];
        snprintf(owner, sizeof owner, "load '%s'", def->name);
        carom_status status = find_kind(c, owner, def, &load);
        /* a joint that is there may be one that has failed */
        if (status == CAROM_OK && !(load.kind->on_joint && def->frame_count && is_joint(s, def->on[0].body)))
            status = compile_frames(c, owner, def, &load);
        CAROM_TRY_ON(c->ctx, status);
    }
    return CAROM_OK;
}

static carom_status compile_load(carom_compiler *c, const char *owner, const carom_load_def *def,
                                 carom_compiled_load *load)
{
    carom_model *m = c->model;
    load->name = carom_arena_text(&m->arena, def->name);
    if (!load->name)
        return carom_fail_memory(c->ctx);
    CAROM_TRY(find_kind(c, owner, def, load));
    const carom_kind *kind = &load->kind->kind;
    CAROM_TRY(compile_frames(c, owner, def, load));
    carom_param_list rest;
    CAROM_TRY(load_axes(c, owner, def, load, &rest));
    CAROM_TRY(
        carom_compile_params(c, owner, kind, &rest, &def->place, &load->p, &load->slots, &load->slot_count));
    load->param_size = carom_kind_param_size(kind);
    load->first_state = m->load_state_count;
    load->state_count = load->kind->keeps && !load->kind->keeps(load->p) ? 0 : load->kind->state_count;
    m->load_state_count += load->state_count;
    load->notice = load->kind->notices ? m->notice_count++ : -1;
    load->computed = -1;
    if (load->kind->computed && load->kind->computed(load->p))
        CAROM_TRY(compile_computed(c, owner, def, load));
    carom_frame_pose i = carom_compile_start_pose(m, &load->i), j = carom_compile_start_pose(m, &load->j);
    const char *refusal = load->kind->start ? CAROM_KIND_CALL(load->kind, start, load->p, &i, &j, m->dimension) : NULL;
    if (refusal)
        return carom_fail(c->ctx, CAROM_ERROR_MODEL, &def->place, "%s: %s", owner, refusal);
    if (load->kind->stops) {
        carom_load_carried carried;
        CAROM_TRY(carom_compile_carried(c, &m->joints[load->joint], &carried));
        load->sized = load->kind->stops->fill(load->p, &carried);
        load->stop_time = load->kind->stops->duration(load->p, carried.inertia);
    }
    CAROM_TRY(compile_references(c, owner, def, load));
    return compile_switches(c, load);
}

/* The spring, damper or limits of a joint as the load that it stands for. */
static carom_status compile_joint_load(carom_compiler *c, const carom_model_joint *joint,
                                       const carom_joint_load_def *given, const char *word)
{
    carom_model *m = c->model;
    if (!given->given)
        return CAROM_OK;
    char owner[128], type[32];
    snprintf(owner, sizeof owner, "joint '%s': %s", joint->name, word);
    snprintf(type, sizeof type, "joint-%s", word);
    if (joint->coordinate < 0)
        return carom_fail(
            c->ctx, CAROM_ERROR_MODEL, &given->place,
            "joint '%s': a %s joint has no coordinate, so it takes no %s; use a load of type bushing between its "
            "frames",
            joint->name, joint->kind->kind.name, word);
    carom_load_def load = carom_default_load_def();
    load.name = carom_arena_format(&m->arena, "%s.%s", joint->name, word);
    load.type = type;
    load.on[0] = (carom_frame_ref){.body = joint->name, .place = given->place};
    load.frame_count = 1;
    load.params = given->params;
    load.place = load.type_place = given->place;
    if (!load.name)
        return carom_fail_memory(c->ctx);
    CAROM_TRY(compile_load(c, owner, &load, &m->loads[m->load_count]));
    m->load_count++;
    return CAROM_OK;
}

/* The limits of a joint; on an open path that nothing drives, without any, stops at both ends. */
static carom_status compile_limits(carom_compiler *c, const carom_model_joint *joint, const carom_joint_def *def)
{
    carom_joint_load_def ends = def->limits;
    carom_param items[2] = {{.name = "lower", .place = def->place}, {.name = "upper", .place = def->place}};
    if (joint->kind->follow && !ends.given && !(joint->p[CAROM_PATH_CLOSED] > 0) &&
        def->motion.type == CAROM_VALUE_NONE) {
        items[0].value = carom_value_number(-joint->zero);
        items[1].value = carom_value_number(joint->p[CAROM_PATH_LENGTH] - joint->zero);
        ends.given = true;
        ends.place = def->place;
        ends.params = (carom_param_list){items, 2};
    }
    return compile_joint_load(c, joint, &ends, "limits");
}

carom_status carom_compile_loads(carom_compiler *c)
{
    carom_model *m = c->model;
    const carom_spec *s = c->spec;
    m->loads = carom_arena_alloc(&m->arena, s->load_count + 3 * (size_t)m->joint_count, sizeof *m->loads);
    if (!m->loads)
        return carom_fail_memory(c->ctx);
    const size_t before = carom_problems_count(c->ctx);
    for (size_t k = 0; k < s->load_count; k++) {
        char owner[128];
        snprintf(owner, sizeof owner, "load '%s'", s->loads[k].name);
        CAROM_TRY_ON(c->ctx, compile_load(c, owner, &s->loads[k], &m->loads[k]));
        m->load_count++;
    }
    CAROM_TRY(carom_problems_since(c->ctx, before));
    for (int k = 0; k < m->joint_count; k++) {
        const carom_joint_def *joint = carom_compile_joint_def(c, k);
        if (!joint)
            continue;
        CAROM_TRY(compile_joint_load(c, &m->joints[k], &joint->spring, "spring"));
        CAROM_TRY(compile_joint_load(c, &m->joints[k], &joint->damper, "damper"));
        CAROM_TRY(compile_limits(c, &m->joints[k], joint));
    }
    return CAROM_OK;
}
