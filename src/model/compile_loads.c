/* Loads and runs. */
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
    for (int side = 0; side < 2; side++) {
        carom_mat3 body = carom_model_start_axes(m, markers[side]->body);
        carom_vec3 x = carom_m3_apply(&body, carom_m3_column(&markers[side]->axes, 0));
        carom_mat3 world = carom_m3_axes(axis, x);
        markers[side]->axes = carom_m3_multiply_t(&body, &world);
        markers[side]->angle = atan2(markers[side]->axes.m[1][0], markers[side]->axes.m[0][0]);
    }
    return CAROM_OK;
}

/* The joint that a load acts on, in the place of a frame; the load's frames are the joint's. */
static carom_status find_joint(carom_compiler *c, const char *owner, const carom_frame_ref *ref,
                               carom_compiled_load *load)
{
    const carom_model *m = c->model;
    size_t count = 0;
    for (int k = 0; k < m->joint_count; k++) {
        const carom_model_joint *joint = &m->joints[k];
        if (joint->coordinate < 0)
            continue;
        c->names[count++] = joint->name;
        if (!ref->frame && ref->body && strcmp(joint->name, ref->body) == 0) {
            load->joint = k;
            load->i = joint->i;
            load->j = joint->j;
            return CAROM_OK;
        }
    }
    return carom_compile_unknown(c, &ref->place, owner, "joint with a coordinate named", ref->body ? ref->body : "",
                                 count);
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
        total += kind->edges(load->p, m->curves, k, NULL);
    if (!total)
        return CAROM_OK;
    carom_edges *edges = carom_arena_alloc(&m->arena, (size_t)kind->switches, sizeof *edges);
    double *x = carom_arena_alloc(&m->arena, total, sizeof *x);
    if (!edges || !x)
        return carom_fail_memory(c->ctx);
    for (int k = 0; k < kind->switches; k++) {
        edges[k] = (carom_edges){.n = kind->edges(load->p, m->curves, k, x), .x = x};
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

static carom_status compile_load(carom_compiler *c, const char *owner, const carom_load_def *def,
                                 carom_compiled_load *load)
{
    carom_model *m = c->model;
    load->name = carom_arena_text(&m->arena, def->name);
    if (!load->name)
        return carom_fail_memory(c->ctx);
    const carom_kind *kind;
    CAROM_TRY(carom_compile_find_kind(c, &def->type_place, owner, CAROM_FAMILY_LOAD, def->type, &kind));
    load->kind = (const carom_load_kind *)kind;
    CAROM_TRY(compile_frames(c, owner, def, load));
    carom_param_list rest;
    CAROM_TRY(load_axes(c, owner, def, load, &rest));
    CAROM_TRY(
        carom_compile_params(c, owner, kind, &rest, &def->place, &load->p, &load->slots, &load->slot_count));
    load->param_size = carom_kind_param_size(kind);
    carom_frame_pose i = carom_compile_start_pose(m, &load->i), j = carom_compile_start_pose(m, &load->j);
    const char *refusal = load->kind->start ? CAROM_KIND_CALL(load->kind, start, load->p, &i, &j, m->dimension) : NULL;
    if (refusal)
        return carom_fail(c->ctx, CAROM_ERROR_MODEL, &def->place, "%s: %s", owner, refusal);
    CAROM_TRY(compile_references(c, owner, def, load));
    return compile_switches(c, load);
}

/* The spring or damper of a joint as the load that it stands for. */
static carom_status compile_joint_load(carom_compiler *c, const carom_joint_def *def, const carom_model_joint *joint,
                                       const char *word)
{
    carom_model *m = c->model;
    const carom_joint_load_def *given = strcmp(word, "spring") == 0 ? &def->spring : &def->damper;
    if (!given->given)
        return CAROM_OK;
    char owner[128], type[32];
    snprintf(owner, sizeof owner, "joint '%s': %s", def->name, word);
    snprintf(type, sizeof type, "joint-%s", word);
    if (joint->coordinate < 0)
        return carom_fail(
            c->ctx, CAROM_ERROR_MODEL, &given->place,
            "joint '%s': a %s joint has no coordinate, so it takes no %s; use a load of type bushing between its "
            "frames",
            def->name, joint->kind->kind.name, word);
    carom_load_def load = carom_default_load_def();
    load.name = carom_arena_format(&m->arena, "%s.%s", def->name, word);
    load.type = type;
    load.on[0] = (carom_frame_ref){.body = def->name, .place = given->place};
    load.frame_count = 1;
    load.params = given->params;
    load.place = load.type_place = given->place;
    if (!load.name)
        return carom_fail_memory(c->ctx);
    CAROM_TRY(compile_load(c, owner, &load, &m->loads[m->load_count]));
    m->load_count++;
    return CAROM_OK;
}

carom_status carom_compile_loads(carom_compiler *c)
{
    carom_model *m = c->model;
    const carom_spec *s = c->spec;
    m->loads = carom_arena_alloc(&m->arena, s->load_count + 2 * s->joint_count, sizeof *m->loads);
    if (!m->loads)
        return carom_fail_memory(c->ctx);
    for (size_t k = 0; k < s->load_count; k++) {
        char owner[128];
        snprintf(owner, sizeof owner, "load '%s'", s->loads[k].name);
        CAROM_TRY(compile_load(c, owner, &s->loads[k], &m->loads[k]));
        m->load_count++;
    }
    for (size_t k = 0; k < s->joint_count; k++) {
        CAROM_TRY(compile_joint_load(c, &s->joints[k], &m->joints[k], "spring"));
        CAROM_TRY(compile_joint_load(c, &s->joints[k], &m->joints[k], "damper"));
    }
    return CAROM_OK;
}

/* ---- runs ---- */

static carom_status check_numbers(carom_compiler *c, const carom_run_def *def)
{
    const struct {
        const char *name;
        double value, low;
        bool above;
    } rows[] = {{"until", def->until, 0, true},
                {"tolerance", def->tolerance, 1e-13, false},
                {"max_step", def->max_step, 0, false},
                {"step", def->step, 0, false},
                {"output.every", def->output_every, 0, false}};
    for (size_t k = 0; k < CAROM_COUNT(rows); k++) {
        bool fits = rows[k].above ? rows[k].value > rows[k].low : rows[k].value >= rows[k].low;
        if (!fits || !isfinite(rows[k].value))
            return carom_fail(c->ctx, CAROM_ERROR_MODEL, &def->place, "run: %s is %.6g; it must be %s %.6g",
                              rows[k].name, rows[k].value, rows[k].above ? "above" : "at least", rows[k].low);
    }
    if (def->tolerance > 0.1)
        return carom_fail(c->ctx, CAROM_ERROR_MODEL, &def->place,
                          "run: tolerance is %.6g; it is relative and at most 0.1", def->tolerance);
    if (def->analysis && strcmp(def->analysis, "dynamics") != 0)
        return carom_fail(c->ctx, CAROM_ERROR_MODEL, &def->place,
                          "run: analysis '%s' is not available; this version has: dynamics", def->analysis);
    return CAROM_OK;
}

/* Their names, for what is refused. */
static const char formulation_names[] = ""
#define CAROM_FORMULATION(name, sentence) " " #name
#include "spec/formulation.def"
#undef CAROM_FORMULATION
    ;

static carom_status find_formulation(carom_compiler *c, const carom_run_def *def, carom_model_run *run)
{
    static const char *const names[] = {
#define CAROM_FORMULATION(name, sentence) #name,
#include "spec/formulation.def"
#undef CAROM_FORMULATION
    };
    for (size_t k = 0; k < CAROM_COUNT(names); k++)
        if (!def->formulation || strcmp(def->formulation, names[k]) == 0) {
            run->formulation = names[k];
            return CAROM_OK;
        }
    return carom_fail(c->ctx, CAROM_ERROR_MODEL, &def->formulation_place,
                      "run: formulation '%s' is not available; this version has:%s", def->formulation,
                      formulation_names);
}

static carom_status compile_run(carom_compiler *c, const carom_run_def *def, carom_model_run *run)
{
    const carom_kind *kind;
    CAROM_TRY(check_numbers(c, def));
    CAROM_TRY(find_formulation(c, def, run));
    CAROM_TRY(carom_compile_find_kind(c, &def->integrator_place, "run", CAROM_FAMILY_INTEGRATOR,
                                      def->integrator ? def->integrator : "adams", &kind));
    run->integrator = (const carom_integrator_kind *)kind;
    CAROM_TRY(carom_compile_find_kind(c, &def->constraints_place, "run", CAROM_FAMILY_STABILIZATION,
                                      def->constraints ? def->constraints : "baumgarte", &kind));
    run->stabilization = (const carom_stabilization_kind *)kind;
    if (run->stabilization->projects && !run->integrator->can_project)
        return carom_fail(
            c->ctx, CAROM_ERROR_MODEL, &def->constraints_place,
            "run: %s cannot project onto the constraints, because SUNDIALS projects with BDF only; use integrator bdf, "
            "dopri5 or a fixed-step one, or constraints: baumgarte",
            run->integrator->kind.name);
    if (run->integrator->fixed_step && !(def->step > 0))
        return carom_fail(c->ctx, CAROM_ERROR_MODEL, def->step_place.line ? &def->step_place : &def->place,
                          "run: integrator %s needs `step` above 0 [s]", run->integrator->kind.name);
    double *params;
    CAROM_TRY(carom_compile_params(c, "run", kind, &def->constraint_params, &def->place, &params, NULL, NULL));
    int size = carom_kind_param_size(kind);
    memcpy(run->stabilization_params, params, (size_t)(size < 8 ? size : 8) * sizeof *params);
    run->until = def->until;
    run->tolerance = def->tolerance;
    run->absolute = def->absolute.type == CAROM_VALUE_NUMBER ? def->absolute.number[0] : 0;
    if (run->absolute < 0)
        return carom_fail(c->ctx, CAROM_ERROR_MODEL, &def->absolute.place, "run: absolute must be above 0");
    run->max_step = def->max_step;
    run->step = def->step;
    run->output_every = def->output_every > 0 ? def->output_every : def->until / 200;
    run->contacts_every_step = !def->output_contacts || strcmp(def->output_contacts, "every-step") == 0;
    run->integrator_place = carom_compile_place(c, def->integrator_place);
    if (def->until / run->output_every > 5e7)
        return carom_fail(c->ctx, CAROM_ERROR_MODEL, &def->place,
                          "run: output.every is %.3g s, %.3g rows until %.3g s; choose a larger one", run->output_every,
                          def->until / run->output_every, def->until);
    run->channels = carom_arena_alloc(&c->model->arena, def->channel_count, sizeof *run->channels);
    if (!run->channels)
        return carom_fail_memory(c->ctx);
    for (size_t k = 0; k < def->channel_count; k++) {
        run->channels[k] = carom_arena_text(&c->model->arena, def->channels[k]);
        if (!run->channels[k])
            return carom_fail_memory(c->ctx);
    }
    run->channel_count = def->channel_count;
    return CAROM_OK;
}

carom_status carom_compile_runs(carom_compiler *c)
{
    carom_model *m = c->model;
    if (c->spec->run_count == 0)
        return carom_fail(c->ctx, CAROM_ERROR_MODEL, NULL, "%s: no run is defined; add `run: {until: ...}`",
                          c->spec->file ? c->spec->file : "model");
    m->runs = carom_arena_alloc(&m->arena, c->spec->run_count, sizeof *m->runs);
    if (!m->runs)
        return carom_fail_memory(c->ctx);
    for (size_t k = 0; k < c->spec->run_count; k++) {
        CAROM_TRY(compile_run(c, &c->spec->runs[k], &m->runs[k]));
        m->run_count++;
    }
    return CAROM_OK;
}
