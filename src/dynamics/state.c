/* Allocation of the state block, and copies of it. */
#include "dynamics/formulation/formulation.h"
#include "dynamics/state/past.h"

#include <string.h>

/* A block has room for one number more, the work of applied forces, so that the arrays stay where they are with it. */
static size_t room_of(size_t size) { return size + sizeof(double); }

/* Points the fields of a state into another block with the same layout. */
static void point_into(carom_state *to, const carom_state *from, void *block)
{
    to->block = block;
#define CAROM_DOUBLE(name, count, unit, description) \
    to->name = (void *)((char *)block + ((const char *)from->name - (const char *)from->block));
#define CAROM_INT(name, count, unit, description) CAROM_DOUBLE(name, count, unit, description)
#define CAROM_EPISODE(name, count, description) CAROM_DOUBLE(name, count, "", description)
#include "dynamics/state_fields.def"
#undef CAROM_DOUBLE
#undef CAROM_INT
#undef CAROM_EPISODE
}

/* The block for the coordinates of a formulation; all else of the state stays. */
static carom_status take_block(carom_state *out, const carom_formulation *formulation)
{
    const carom_model *m = out->model;
    const carom_layout layout = formulation->layout(m);
    size_t doubles = 0, slots = 0, ints = 0;
#define CAROM_DOUBLE(name, count, unit, description) doubles += (size_t)(count);
#define CAROM_INT(name, count, unit, description) ints += (size_t)(count);
#define CAROM_EPISODE(name, count, description) slots += (size_t)(count);
#include "dynamics/state_fields.def"
#undef CAROM_DOUBLE
#undef CAROM_INT
#undef CAROM_EPISODE
    const size_t size = doubles * sizeof(double) + slots * sizeof(carom_episode) + ints * sizeof(int);
    void *block = carom_allocate(out->ctx, room_of(size), 1);
    if (!block)
        return carom_fail_memory(out->ctx);
    out->block = block;
    out->room = room_of(size);
    out->size = size;
    out->formulation = formulation;
    out->layout = layout;
    out->double_count = doubles;
    out->slot_count = slots;
    out->int_count = ints;
    double *d = out->block;
    carom_episode *e = (carom_episode *)(d + doubles);
    int *i = (int *)(e + slots);
#define CAROM_DOUBLE(name, count, unit, description) \
    out->name = d;                                \
    d += (count);
#define CAROM_INT(name, count, unit, description) \
    out->name = i;                             \
    i += (count);
#define CAROM_EPISODE(name, count, description) \
    out->name = e;                           \
    e += (count);
#include "dynamics/state_fields.def"
#undef CAROM_DOUBLE
#undef CAROM_INT
#undef CAROM_EPISODE
    out->integrated = (size_t)(out->time - out->q);
    return CAROM_OK;
}

carom_status carom_state_init(carom_context *ctx, const carom_model *m, const carom_formulation *formulation,
                              carom_state *out)
{
    *out = (carom_state){.ctx = ctx, .model = m};
    return take_block(out, formulation);
}

void carom_state_clear(carom_state *state)
{
    if (state->block)
        carom_release(state->ctx, state->block, state->room, 1);
    state->block = NULL;
    carom_release(state->ctx, state->episodes, state->episode_capacity, sizeof *state->episodes);
    state->episodes = NULL;
    state->episode_count = state->episode_capacity = 0;
    carom_release(state->ctx, state->wishes, state->wish_capacity, sizeof *state->wishes);
    state->wishes = NULL;
    state->wish_count = state->wish_capacity = 0;
    if (state->placed)
        carom_release(state->ctx, state->placed, carom_state_placed_count(state->model), sizeof *state->placed);
    state->placed = NULL;
    state->placing = false;
    carom_past_free(state);
    if (state->parts)
        carom_arena_free(&state->texts);
    state->parts = NULL;
    state->part_count = 0;
}

carom_state carom_state_at(const carom_state *state, double *y)
{
    carom_state out = *state;
#define CAROM_DOUBLE(name, count, unit, description) \
    if (out.name < state->time)                   \
        out.name = y + (state->name - state->q);
#define CAROM_EPISODE(name, count, description)
#define CAROM_INT(name, count, unit, description)
#include "dynamics/state_fields.def"
#undef CAROM_DOUBLE
#undef CAROM_EPISODE
#undef CAROM_INT
    return out;
}

carom_status carom_state_grow(carom_state *state, size_t episodes)
{
    return carom_grow(state->ctx, &state->episodes, &state->episode_capacity, episodes, sizeof *state->episodes);
}

size_t carom_state_placed_count(const carom_model *m)
{
    const carom_layout layout = carom_formulation_cartesian.layout(m);
    return (size_t)(layout.positions + layout.velocities);
}

void carom_state_absolute(const carom_state *s, double *q, double *v)
{
    const carom_formulation *absolute = &carom_formulation_cartesian;
    const carom_layout layout = absolute->layout(s->model);
    carom_body_state at;
    if (q && s->placing)
        memcpy(q, s->placed, (size_t)layout.positions * sizeof *q);
    if (v && s->placing)
        memcpy(v, s->placed + layout.positions, (size_t)layout.velocities * sizeof *v);
    for (int body = 0; body < s->model->body_count && !s->placing; body++) {
        s->formulation->get_body(s->model, body, s->q, s->v, &at);
        if (q)
            absolute->put_body(s->model, body, &at, q);
        if (v)
            absolute->move_body(s->model, body, &at, v);
    }
}

/* Before anything else of the copy: on failure `to` is as before. */
static carom_status assign_placed(carom_state *to, const carom_state *from)
{
    const size_t count = carom_state_placed_count(from->model);
    if (from->placing && !to->placed && !(to->placed = carom_allocate(to->ctx, count, sizeof *to->placed)))
        return carom_fail_memory(to->ctx);
    if (from->placing)
        memcpy(to->placed, from->placed, count * sizeof *to->placed);
    to->placing = from->placing;
    return CAROM_OK;
}

bool carom_state_alike(const carom_state *a, const carom_state *b)
{
    return a->slot_count == b->slot_count && a->int_count == b->int_count;
}

/* States of the friction of joints: they stand before those of contacts, as joints are compiled first. */
static size_t joint_friction_states(const carom_model *m)
{
    size_t count = 0;
    for (int k = 0; k < m->site_count; k++)
        count += m->sites[k].state >= 0 ? (size_t)m->joints[m->sites[k].joint].friction.law->state : 0;
    return count;
}

static carom_status assign_wishes(carom_state *to, const carom_state *from)
{
    CAROM_TRY(carom_grow(to->ctx, &to->wishes, &to->wish_capacity, from->wish_count, sizeof *to->wishes));
    if (from->wish_count)
        memcpy(to->wishes, from->wishes, from->wish_count * sizeof *to->wishes);
    to->wish_count = from->wish_count;
    return CAROM_OK;
}

carom_status carom_state_move_to(carom_state *to, const carom_state *from)
{
    const carom_model *m = from->model;
    CAROM_TRY(assign_wishes(to, from));
    CAROM_TRY(assign_placed(to, from));
    const struct {
        void *to;
        const void *from;
        size_t size;
    } parts[] = {
        {to->q, from->q, (size_t)from->layout.positions * sizeof *to->q},
        {to->v, from->v, (size_t)from->layout.velocities * sizeof *to->v},
        {to->friction, from->friction, joint_friction_states(m) * sizeof *to->friction},
        {to->states, from->states, (size_t)m->state_count * sizeof *to->states},
        {to->load_states, from->load_states, (size_t)m->load_state_count * sizeof *to->load_states},
        {to->time, from->time, sizeof *to->time},
        {to->coordinate, from->coordinate, (size_t)m->coordinate_count * sizeof *to->coordinate},
        {to->load_deflection, from->load_deflection, (size_t)m->load_count * sizeof *to->load_deflection},
        {to->load_deflection_rate, from->load_deflection_rate,
         (size_t)m->load_count * sizeof *to->load_deflection_rate},
        {to->load_deflection_time, from->load_deflection_time, sizeof *to->load_deflection_time},
        {to->input, from->input, (size_t)m->input_count * sizeof *to->input},
        {to->lock_value, from->lock_value, (size_t)m->lock_count * sizeof *to->lock_value},
        {to->locked, from->locked, (size_t)m->lock_count * sizeof *to->locked},
        {to->load_off, from->load_off, (size_t)m->load_count * sizeof *to->load_off},
    };
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++)
        memcpy(parts[k].to, parts[k].from, parts[k].size);
    to->edited = true;
    to->rests = false;
    return CAROM_OK;
}

/* Room as another state has it, of which the model is but the caller's. */
static carom_status take_block_of(carom_state *to, const carom_state *from)
{
    char *block = carom_allocate(to->ctx, room_of(from->size), 1);
    if (!block)
        return carom_fail_memory(to->ctx);
    to->room = room_of(from->size);
    to->size = from->size;
    to->formulation = from->formulation;
    to->layout = from->layout;
    to->double_count = from->double_count;
    to->slot_count = from->slot_count;
    to->int_count = from->int_count;
    to->integrated = from->integrated;
    point_into(to, from, block);
    return CAROM_OK;
}

carom_state carom_state_in_block_of(const carom_state *state, const carom_state *other)
{
    carom_state in = *state;
    memcpy(other->block, state->block, state->size);
    point_into(&in, state, other->block);
    in.room = other->room;
    return in;
}

/* Makes room for the coordinates of another formulation, and for other contacts. */
static carom_status take_formulation(carom_state *to, const carom_state *from)
{
    void *const former = to->block;
    const size_t room = to->room;
    const bool alike = carom_state_alike(to, from);
    if (to->formulation == from->formulation && alike)
        return CAROM_OK;
    CAROM_TRY(alike ? take_block(to, from->formulation) : take_block_of(to, from));
    carom_release(to->ctx, former, room, 1);
    return CAROM_OK;
}

carom_status carom_state_assign(carom_state *to, const carom_state *from)
{
    CAROM_TRY(carom_state_grow(to, from->episode_count));
    CAROM_TRY(carom_grow(to->ctx, &to->wishes, &to->wish_capacity, from->wish_count, sizeof *to->wishes));
    CAROM_TRY(take_formulation(to, from));
    CAROM_TRY(assign_placed(to, from));
    if (to->integrated == from->integrated)
        memcpy(to->block, from->block, from->size);
    else {
        /* one of them has the work of the caller's forces, the last number that is integrated */
        const size_t both = to->integrated < from->integrated ? to->integrated : from->integrated;
        memcpy(to->q, from->q, both * sizeof *to->q);
        memset(to->q + both, 0, (to->integrated - both) * sizeof *to->q);
        memcpy(to->time, from->time, from->size - from->integrated * sizeof *from->q);
    }
    if (from->episode_count)
        memcpy(to->episodes, from->episodes, from->episode_count * sizeof *to->episodes);
    if (from->wish_count)
        memcpy(to->wishes, from->wishes, from->wish_count * sizeof *to->wishes);
    to->episode_count = from->episode_count;
    to->wish_count = from->wish_count;
    to->edited = from->edited;
    to->rests = from->rests;
    return CAROM_OK;
}

carom_status carom_state_share(carom_state *to, const carom_state *from)
{
    const carom_model *m = from->model;
    const carom_layout layout = {0, 0};
    CAROM_TRY(carom_state_grow(to, from->episode_count));
    CAROM_TRY(assign_wishes(to, from));
#define CAROM_DOUBLE(name, count, unit, description) memcpy(to->name, from->name, (size_t)(count) * sizeof *to->name);
#define CAROM_INT(name, count, unit, description) CAROM_DOUBLE(name, count, unit, description)
#define CAROM_EPISODE(name, count, description) CAROM_DOUBLE(name, count, "", description)
#include "dynamics/state_fields.def"
#undef CAROM_DOUBLE
#undef CAROM_INT
#undef CAROM_EPISODE
    if (from->episode_count)
        memcpy(to->episodes, from->episodes, from->episode_count * sizeof *to->episodes);
    to->episode_count = from->episode_count;
    to->edited = from->edited;
    to->rests = from->rests;
    return CAROM_OK;
}

/* A body as the model has it at the start. */
static carom_body_state start_of(const carom_model_body *b)
{
    return (carom_body_state){.position = {b->position.x, b->position.y, b->position.z},
                              .velocity = {b->velocity.x, b->velocity.y, b->velocity.z},
                              .angle = b->angle,
                              .orientation = {b->orientation.w, b->orientation.x, b->orientation.y, b->orientation.z},
                              .angular_velocity = {b->spin.x, b->spin.y, b->spin.z}};
}

void carom_state_place_bodies(carom_state *s)
{
    for (int k = 0; s->model->path_count && k < s->model->joint_count; k++) {
        const carom_model_joint *j = &s->model->joints[k];
        if (j->kind->follow)
            s->coordinate[j->coordinate] = j->near - j->zero;
    }
    if (s->formulation->take_bodies) {
        s->formulation->take_bodies(s->model, NULL, NULL, s->q, s->v);
        return;
    }
    for (int body = 0; body < s->model->body_count; body++) {
        const carom_body_state at = start_of(&s->model->bodies[body + 1]);
        s->formulation->put_body(s->model, body, &at, s->q);
    }
}

void carom_state_start_variables(carom_state *s)
{
    for (int k = 0; k < s->model->input_count; k++)
        s->input[k] = s->model->inputs[k].start;
    for (int k = 0; k < s->model->state_count; k++)
        s->states[k] = s->model->states[k].start;
    for (int k = 0; k < s->model->load_count; k++) {
        const carom_compiled_load *l = &s->model->loads[k];
        double *own = s->load_states + l->first_state;
        for (int i = 0; i < l->state_count; i++)
            own[i] = l->kind->states[i].start;
        if (l->state_count && l->kind->outside && l->kind->outside->begin)
            l->kind->outside->begin(l->kind->outside->kind.user, l->p, own);
    }
}

void carom_state_move_bodies(carom_state *s)
{
    for (int body = 0; body < s->model->body_count && !s->formulation->take_bodies; body++) {
        const carom_body_state at = start_of(&s->model->bodies[body + 1]);
        s->formulation->move_body(s->model, body, &at, s->v);
    }
}
