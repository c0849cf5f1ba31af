/* What the user named: inputs, states, outputs and frames. */
#include "model/compile.h"

#include <math.h>
#include <stdio.h>

/* What it is in the words of the user, or its kind. */
static const char *describe(carom_model *m, const char *text, const char *kind)
{
    return carom_arena_text(&m->arena, text ? text : kind);
}

static carom_status compile_inputs(carom_compiler *c)
{
    carom_model *m = c->model;
    const carom_spec *s = c->spec;
    m->inputs = carom_arena_alloc(&m->arena, s->input_count, sizeof *m->inputs);
    if (!m->inputs)
        return carom_fail_memory(c->ctx);
    for (size_t k = 0; k < s->input_count; k++) {
        const carom_input_def *def = &s->inputs[k];
        carom_model_input *input = &m->inputs[m->input_count++];
        *input = (carom_model_input){.name = carom_arena_text(&m->arena, def->name),
                                     .unit = carom_arena_text(&m->arena, def->unit ? def->unit : ""),
                                     .description = describe(m, def->description, "input"),
                                     .between = carom_arena_text(&m->arena, def->between ? def->between : "smooth"),
                                     .start = def->start};
        if (!input->name || !input->unit || !input->description || !input->between)
            return carom_fail_memory(c->ctx);
    }
    return CAROM_OK;
}

static carom_status compile_states(carom_compiler *c)
{
    carom_model *m = c->model;
    const carom_spec *s = c->spec;
    m->states = carom_arena_alloc(&m->arena, s->state_count, sizeof *m->states);
    if (!m->states)
        return carom_fail_memory(c->ctx);
    for (size_t k = 0; k < s->state_count; k++) {
        const carom_state_def *def = &s->states[k];
        carom_model_state *state = &m->states[m->state_count++];
        double size = def->start != 0 ? fabs(def->start) : 1;
        *state = (carom_model_state){.name = carom_arena_text(&m->arena, def->name),
                                     .unit = carom_arena_text(&m->arena, def->unit ? def->unit : ""),
                                     .description = describe(m, def->description, "state"),
                                     .start = def->start,
                                     .scale = def->scale > 0 ? def->scale : size};
        CAROM_TRY(carom_compile_place(c, def->place, &state->place));
        if (!state->name || !state->unit || !state->description)
            return carom_fail_memory(c->ctx);
    }
    return CAROM_OK;
}

carom_status carom_compile_variables(carom_compiler *c)
{
    CAROM_TRY(compile_inputs(c));
    return compile_states(c);
}

carom_status carom_compile_state_rates(carom_compiler *c)
{
    c->late_measures = true;
    for (size_t k = 0; k < c->spec->state_count; k++) {
        const carom_state_def *def = &c->spec->states[k];
        char owner[128];
        snprintf(owner, sizeof owner, "state '%s', rate", def->name);
        const carom_wanted_unit wanted = {owner, def->unit, -1, true, false};
        CAROM_TRY_ON(c->ctx, carom_compile_expr(c, &def->rate, &wanted, true, &c->model->states[k].expr));
    }
    return CAROM_OK;
}

carom_status carom_compile_outputs(carom_compiler *c)
{
    carom_model *m = c->model;
    const carom_spec *s = c->spec;
    m->step_measure_count = m->measure_count;
    for (int k = 0; k < m->measure_count; k++) {
        m->late_measure_count += carom_measure_is_late(m->measures[k].type);
        m->reaction_measure_count += carom_measure_is_reaction(m->measures[k].type);
    }
    m->outputs = carom_arena_alloc(&m->arena, s->output_count, sizeof *m->outputs);
    if (!m->outputs)
        return carom_fail_memory(c->ctx);
    for (size_t k = 0; k < s->output_count; k++) {
        const carom_output_def *def = &s->outputs[k];
        carom_model_output *output = &m->outputs[m->output_count++];
        *output =
            (carom_model_output){.name = carom_arena_text(&m->arena, def->name),
                                 .unit = carom_arena_text(&m->arena, def->unit ? def->unit : ""),
                                 .description = describe(m, def->description, "output")};
        if (!output->name || !output->unit || !output->description)
            return carom_fail_memory(c->ctx);
        char owner[128];
        snprintf(owner, sizeof owner, "output '%s'", def->name);
        const carom_wanted_unit wanted = {owner, def->unit, -1, false, true};
        CAROM_TRY_ON(c->ctx, carom_compile_free_expr(c, &def->value, &wanted, &output->expr));
    }
    return CAROM_OK;
}

carom_status carom_compile_frames(carom_compiler *c)
{
    carom_model *m = c->model;
    const carom_spec *s = c->spec;
    size_t count = 0;
    for (size_t k = 0; k < s->body_count; k++)
        count += s->bodies[k].frame_count;
    m->frames = carom_arena_alloc(&m->arena, count, sizeof *m->frames);
    if (!m->frames)
        return carom_fail_memory(c->ctx);
    for (size_t k = 0; k < s->body_count; k++)
        for (size_t i = 0; i < s->bodies[k].frame_count; i++) {
            const carom_frame_def *def = &s->bodies[k].frames[i];
            const carom_frame_ref ref = {.body = s->bodies[k].name, .frame = def->name, .place = def->place};
            carom_model_frame *frame = &m->frames[m->frame_count++];
            frame->name = carom_arena_format(&m->arena, "%s.%s", ref.body, ref.frame);
            if (!frame->name)
                return carom_fail_memory(c->ctx);
            CAROM_TRY_ON(c->ctx, carom_compile_marker(c, "frames", &ref, &frame->marker));
        }
    return CAROM_OK;
}
