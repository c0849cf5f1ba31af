/* Events: their conditions, and what they do. */
#include "model/compile.h"

#include <stdio.h>
#include <string.h>

/* ---- locks ---- */

static carom_status find_locked(carom_compiler *c, const char *owner, const carom_action_def *action, int *out)
{
    const carom_model *m = c->model;
    for (int k = 0; k < m->joint_count; k++) {
        c->names[k] = m->joints[k].name;
        *out = k;
        if (action->object && strcmp(m->joints[k].name, action->object) == 0)
            return CAROM_OK;
    }
    return carom_compile_unknown(c, &action->place, owner, "joint", action->object ? action->object : "",
                                 (size_t)m->joint_count);
}

static carom_status compile_lock(carom_compiler *c, const char *owner, const carom_action_def *action)
{
    carom_model *m = c->model;
    int joint = 0;
    CAROM_TRY(find_locked(c, owner, action, &joint));
    carom_model_joint *j = &m->joints[joint];
    if (j->lock >= 0)
        return CAROM_OK;
    if (j->coordinate < 0 || j->clearance.index >= 0)
        return carom_fail(c->ctx, CAROM_ERROR_MODEL, &action->place, "%s: joint '%s' cannot be locked: %s", owner,
                          j->name, j->coordinate < 0 ? "its kind has no coordinate" : "it has clearance");
    for (int k = 0; k < m->block_count; k++)
        if (m->blocks[k].type == CAROM_BLOCK_JOINT_MOTION && m->blocks[k].object == joint)
            return carom_fail(c->ctx, CAROM_ERROR_MODEL, &action->place,
                              "%s: joint '%s' cannot be locked: its motion is prescribed", owner, j->name);
    j->lock = m->lock_count++;
    carom_compile_block(m, (carom_constraint_block){CAROM_BLOCK_LOCK, .object = joint, .body_i = j->i.body,
                                             .body_j = j->j.body, .row_count = 1, .expr = -1, .lock = j->lock});
    return CAROM_OK;
}

carom_status carom_compile_locks(carom_compiler *c)
{
    const carom_spec *s = c->spec;
    for (size_t k = 0; k < s->event_count; k++) {
        char owner[128];
        snprintf(owner, sizeof owner, "event '%s'", s->events[k].name);
        for (size_t a = 0; a < s->events[k].action_count; a++)
            if (strcmp(s->events[k].actions[a].type, "lock") == 0)
                CAROM_TRY(compile_lock(c, owner, &s->events[k].actions[a]));
    }
    return CAROM_OK;
}

/* ---- actions ---- */

static carom_status find_load(carom_compiler *c, const char *owner, const carom_action_def *action, int *out)
{
    const carom_model *m = c->model;
    for (*out = 0; *out < m->load_count; ++*out)
        if (action->object && strcmp(m->loads[*out].name, action->object) == 0)
            return CAROM_OK;
    for (size_t k = 0; k < c->spec->load_count; k++)
        c->names[k] = c->spec->loads[k].name;
    return carom_compile_unknown(c, &action->place, owner, "load", action->object ? action->object : "",
                                 c->spec->load_count);
}

static carom_status compile_set(carom_compiler *c, const char *owner, const carom_action_def *def,
                                carom_model_action *action)
{
    const carom_expr_scope *scope = &c->scope;
    size_t k = 0;
    while (k < scope->variable_count && !(def->object && strcmp(scope->variables[k], def->object) == 0))
        k++;
    if (k == scope->variable_count) {
        carom_text known = {.ctx = c->ctx};
        for (size_t i = 0; i < scope->variable_count && i < 12; i++)
            carom_text_append(&known, "%s%s", i ? ", " : "; there are: ", scope->variables[i]);
        carom_status status = carom_fail(c->ctx, CAROM_ERROR_MODEL, &def->place, "%s: no input or state '%.63s'%s",
                                         owner, def->object ? def->object : "",
                                         known.data && !known.failed ? known.data : "; the model has none");
        carom_text_clear(&known);
        return status;
    }
    const size_t inputs = c->spec->input_count;
    action->type = k < inputs ? CAROM_ACTION_SET_INPUT : CAROM_ACTION_SET_STATE;
    action->object = (int)(k < inputs ? k : k - inputs);
    const char *unit = k < inputs ? c->spec->inputs[k].unit : c->spec->states[k - inputs].unit;
    const carom_wanted_unit wanted = {owner, unit, -1, false, false};
    return carom_compile_free_expr(c, &def->value, &wanted, &action->value);
}

static carom_status compile_action(carom_compiler *c, const char *owner, const carom_action_def *def,
                                   carom_model_action *action)
{
    static const char *const types[] = {"lock", "unlock", "switch-off", "switch-on", "set", "set", "stop"};
    size_t type = 0;
    while (type < CAROM_COUNT(types) && strcmp(types[type], def->type) != 0)
        type++;
    if (type == CAROM_COUNT(types))
        return carom_fail(c->ctx, CAROM_ERROR_MODEL, &def->place,
                          "%s: no action '%.63s'; there are lock, unlock, switch-off, switch-on, set and stop", owner,
                          def->type);
    action->type = (carom_action_type)type;
    switch (action->type) {
    case CAROM_ACTION_STOP:
        return CAROM_OK;
    case CAROM_ACTION_SWITCH_OFF:
    case CAROM_ACTION_SWITCH_ON:
        return find_load(c, owner, def, &action->object);
    case CAROM_ACTION_SET_INPUT:
    case CAROM_ACTION_SET_STATE:
        return compile_set(c, owner, def, action);
    default:
        break;
    }
    int joint = 0;
    CAROM_TRY(find_locked(c, owner, def, &joint));
    action->object = c->model->joints[joint].lock;
    if (action->object < 0)
        return carom_fail(c->ctx, CAROM_ERROR_MODEL, &def->place, "%s: joint '%s' is unlocked, but no event locks it",
                          owner, c->model->joints[joint].name);
    return CAROM_OK;
}

/* Types of the actions, each once, and all of them with what they act on. */
static carom_status name_actions(carom_compiler *c, const carom_event_def *def, carom_model_event *event)
{
    carom_text kind = {.ctx = c->ctx}, does = {.ctx = c->ctx};
    for (size_t k = 0; k < def->action_count; k++) {
        const carom_action_def *a = &def->actions[k];
        size_t same = 0;
        while (same < k && strcmp(def->actions[same].type, a->type) != 0)
            same++;
        if (same == k)
            carom_text_append(&kind, "%s%s", k ? "+" : "", a->type);
        carom_text_append(&does, "%s%s%s%s", k ? ", " : "", a->type, a->object ? " " : "", a->object ? a->object : "");
    }
    event->kind = carom_arena_text(&c->model->arena, kind.data ? kind.data : "");
    event->does = carom_arena_text(&c->model->arena, does.data ? does.data : "");
    const bool failed = kind.failed || does.failed || !event->kind || !event->does;
    carom_text_clear(&kind);
    carom_text_clear(&does);
    return failed ? carom_fail_memory(c->ctx) : CAROM_OK;
}

static carom_status compile_event(carom_compiler *c, const carom_event_def *def, carom_model_event *event)
{
    carom_model *m = c->model;
    char owner[128];
    snprintf(owner, sizeof owner, "event '%s'", def->name);
    *event = (carom_model_event){.name = carom_arena_text(&m->arena, def->name),
                                 .once = def->once,
                                 .action_count = (int)def->action_count};
    CAROM_TRY(carom_compile_place(c, def->place, &event->place));
    event->actions = carom_arena_alloc(&m->arena, def->action_count, sizeof *event->actions);
    if (!event->name || !event->actions)
        return carom_fail_memory(c->ctx);
    c->late_measures = true;
    CAROM_TRY(carom_compile_expr(c, &def->when, NULL, true, &event->expr));
    const carom_expr *when = m->exprs[event->expr].expr;
    if (!carom_expr_is_condition(when))
        return carom_fail(c->ctx, CAROM_ERROR_MODEL, &def->when.place,
                          "%s: 'when' is a condition, such as 't > 0.3 and contact.hit.open > 0'; this is a number",
                          owner);
    int sets = 0;
    for (size_t k = 0; k < def->action_count; k++) {
        CAROM_TRY(compile_action(c, owner, &def->actions[k], &event->actions[k]));
        sets += event->actions[k].value != NULL;
    }
    m->set_count = sets > m->set_count ? sets : m->set_count;
    return name_actions(c, def, event);
}

carom_status carom_compile_events(carom_compiler *c)
{
    carom_model *m = c->model;
    const carom_spec *s = c->spec;
    m->events = carom_arena_alloc(&m->arena, s->event_count, sizeof *m->events);
    if (!m->events)
        return carom_fail_memory(c->ctx);
    for (size_t k = 0; k < s->event_count; k++)
        CAROM_TRY_ON(c->ctx, compile_event(c, &s->events[k], &m->events[m->event_count++]));
    return CAROM_OK;
}
