/* Soundness of a spec before anything reads it: arrays behind their counts, names, numbers that are finite, values that
   are what their type says. What a value means is checked where it is compiled. */
#include "model/compile.h"
#include "model/runs.h"

#include <math.h>
#include <string.h>

/* Longest name of an object, as in model files. */
#define NAME_LENGTH 63
/* Most numbers in a list of points. */
#define LIST_LENGTH 20000
#define TABLE_LENGTH ((size_t)100000000)

/* The object at hand, for messages. */
typedef struct checker {
    carom_context *ctx;
    const char *family;         /* "body" */
    const char *name;
    const carom_place *place;
} checker;

static carom_status wrong(const checker *k, const char *what, const char *text)
{
    return carom_fail(k->ctx, CAROM_ERROR_MODEL, k->place, "%s '%.63s': %s %s", k->family, k->name, what, text);
}

/* ---- names ---- */

static carom_status check_array(carom_context *ctx, const char *what, const void *items, size_t count)
{
    return items || !count
               ? CAROM_OK
               : carom_fail(ctx, CAROM_ERROR_MODEL, NULL, "%s: %zu are announced, but there is no list", what, count);
}

static const char *name_at(const void *items, size_t size, size_t index)
{
    const char *name;
    memcpy(&name, (const char *)items + index * size, sizeof name); /* every definition begins with its name */
    return name;
}

/* Of letters, digits, '_' and '-', beginning with a letter, as in model files, and '.': names reach tables, pages and
   terminals. */
static bool is_plain(const char *name)
{
    bool plain = carom_is_letter(name[0]);
    for (const char *c = name; *c; c++)
        plain = plain && (carom_is_word_char(*c) || *c == '-' || *c == '.');
    return plain;
}

/* Names are given, plain, not too long, and differ; `size` is that of a definition. */
static carom_status check_names_into(carom_context *ctx, carom_arena *scratch, const char *family, const void *items,
                                     size_t count, size_t size)
{
    carom_names taken;
    CAROM_TRY(carom_names_create(scratch, count, &taken));
    for (size_t k = 0; k < count; k++) {
        const char *name = name_at(items, size, k);
        if (!name || !*name)
            return carom_fail(ctx, CAROM_ERROR_MODEL, NULL, "%s %zu: the name is missing", family, k + 1);
        if (strlen(name) > NAME_LENGTH)
            return carom_fail(ctx, CAROM_ERROR_MODEL, NULL, "%s %zu: the name '%.63s...' is longer than %d characters",
                              family, k + 1, name, NAME_LENGTH);
        if (!is_plain(name))
            return carom_fail(ctx, CAROM_ERROR_MODEL, NULL,
                              "%s %zu: '%.63s' is no name: letters, digits, '_', '-' and '.', beginning with a letter",
                              family, k + 1, name);
        if (!carom_names_add(&taken, name, (int)k))
            return carom_fail(ctx, CAROM_ERROR_MODEL, NULL,
                              "%s '%s': the name is taken; names of one family differ", family, name);
    }
    return CAROM_OK;
}

static carom_status check_names(carom_context *ctx, const char *family, const void *items, size_t count, size_t size)
{
    CAROM_TRY(check_array(ctx, family, items, count));
    if (!count)
        return CAROM_OK;
    carom_arena scratch;
    carom_arena_init(&scratch, ctx);
    carom_status status = check_names_into(ctx, &scratch, family, items, count, size);
    carom_arena_free(&scratch);
    return status;
}

/* ---- numbers and values ---- */

static carom_status check_numbers(const checker *k, const char *what, const double *numbers, int count)
{
    for (int i = 0; i < count; i++)
        if (!isfinite(numbers[i]))
            return wrong(k, what, "holds a number that is not finite");
    return CAROM_OK;
}

static carom_status check_long_list(const checker *k, const char *what, const double *numbers, size_t count)
{
    if (count > LIST_LENGTH)
        return wrong(k, what, "is too long a list");
    if (!numbers && count)
        return wrong(k, what, "is announced, but there is no list");
    return check_numbers(k, what, numbers, (int)count);
}

static carom_status check_outline(const checker *k, const char *what, const carom_value *value)
{
    static const char *const types[] = {"line", "arc", "polynomial", "spline"};
    if (!value->outline || !value->count)
        return wrong(k, what, "has no segments");
    for (size_t n = 0; n < value->count; n++) {
        const carom_outline_def *segment = &value->outline[n];
        const double numbers[] = {segment->centre[0], segment->centre[1], segment->radius, segment->from, segment->to};
        bool known = false;
        for (size_t t = 0; t < CAROM_COUNT(types) && segment->type; t++)
            known = known || strcmp(segment->type, types[t]) == 0;
        if (!known)
            return wrong(k, what, "has a segment that is neither line nor arc, polynomial or spline");
        CAROM_TRY(check_numbers(k, what, numbers, (int)CAROM_COUNT(numbers)));
        CAROM_TRY(check_long_list(k, what, segment->points, 2 * segment->point_count));
        CAROM_TRY(check_long_list(k, what, segment->coefficients, segment->coefficient_count));
        CAROM_TRY(check_long_list(k, what, segment->tangents, 2 * segment->tangent_count));
    }
    return CAROM_OK;
}

static carom_status check_value(const checker *k, const char *what, const carom_value *value)
{
    switch (value->type) {
    case CAROM_VALUE_NONE:
        return CAROM_OK;
    case CAROM_VALUE_NUMBER:
        return check_numbers(k, what, value->number, 1);
    case CAROM_VALUE_VECTOR:
        if (value->size < 1 || value->size > CAROM_VALUE_SIZE)
            return wrong(k, what, "is a list of an impossible length");
        for (int i = 0; i < value->size; i++)
            if (!value->expression[i])
                CAROM_TRY(check_numbers(k, what, &value->number[i], 1));
        return CAROM_OK;
    case CAROM_VALUE_POINTS:
        if (!value->points && value->count)
            return wrong(k, what, "are announced, but there is no list");
        return check_long_list(k, what, value->points, 2 * value->count);
    case CAROM_VALUE_OUTLINE:
        return check_outline(k, what, value);
    case CAROM_VALUE_TABLE:
        if (value->size < 1 || value->count > TABLE_LENGTH / (size_t)value->size)
            return wrong(k, what, "is too large a table");
        if (!value->points && value->count)
            return wrong(k, what, "is announced, but there is no table");
        return check_numbers(k, what, value->points, (int)(value->count * (size_t)value->size));
    case CAROM_VALUE_EXPRESSION:
    case CAROM_VALUE_TEXT:
        return value->text ? CAROM_OK : wrong(k, what, "has no text");
    }
    return wrong(k, what, "is of an unknown type");
}

/* A value whose components are all numbers. */
static carom_status check_constant(const checker *k, const char *what, const carom_value *value)
{
    CAROM_TRY(check_value(k, what, value));
    for (int i = 0; value->type == CAROM_VALUE_VECTOR && i < value->size; i++)
        if (value->expression[i])
            return wrong(k, what, "may not depend on time");
    return CAROM_OK;
}

/* A number, or an expression of time where `timed` is set, or nothing. */
static carom_status check_scalar(const checker *k, const char *what, const carom_value *value, bool timed)
{
    CAROM_TRY(check_value(k, what, value));
    bool fits = value->type == CAROM_VALUE_NONE || value->type == CAROM_VALUE_NUMBER ||
                (timed && value->type == CAROM_VALUE_EXPRESSION);
    return fits ? CAROM_OK : wrong(k, what, timed ? "must be a number or an expression of t" : "must be a number");
}

static carom_status check_params(const checker *k, const carom_param_list *list)
{
    if (!list->items && list->count)
        return wrong(k, "parameters", "are announced, but there is no list");
    for (size_t i = 0; i < list->count; i++) {
        const char *name = list->items[i].name;
        if (!name)
            return wrong(k, "a parameter", "has no name");
        CAROM_TRY(check_value(k, name, &list->items[i].value));
        for (size_t j = 0; j < i; j++)
            if (strcmp(name, list->items[j].name) == 0)
                return wrong(k, name, "is given twice");
    }
    return CAROM_OK;
}

/* A rotation given as a quaternion. */
static carom_status check_quaternion(const checker *k, const double *q)
{
    CAROM_TRY(check_numbers(k, "orientation", q, 4));
    double norm = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    return norm > 0 && isfinite(norm) ? CAROM_OK : wrong(k, "orientation", "must not be the zero quaternion");
}

/* ---- objects ---- */

static carom_status check_frames(const checker *k, const carom_body_def *body)
{
    CAROM_TRY(check_names(k->ctx, "frame", body->frames, body->frame_count, sizeof *body->frames));
    for (size_t i = 0; i < body->frame_count; i++) {
        const carom_frame_def *frame = &body->frames[i];
        checker f = {k->ctx, "frame", frame->name, &frame->place};
        const carom_value *o = &frame->orientation;
        CAROM_TRY(check_numbers(&f, "at", frame->at, 3));
        CAROM_TRY(check_constant(&f, "orientation", o));
        if (o->type == CAROM_VALUE_NONE || o->type == CAROM_VALUE_NUMBER)
            continue;
        if (o->type != CAROM_VALUE_VECTOR || o->size != 4)
            return wrong(&f, "orientation", "must be an angle or a quaternion");
        CAROM_TRY(check_quaternion(&f, o->number));
    }
    return CAROM_OK;
}

static carom_status check_bodies(carom_context *ctx, const carom_spec *s)
{
    CAROM_TRY(check_names(ctx, "body", s->bodies, s->body_count, sizeof *s->bodies));
    for (size_t i = 0; i < s->body_count; i++) {
        const carom_body_def *b = &s->bodies[i];
        checker k = {ctx, "body", b->name, &b->place};
        CAROM_TRY(check_constant(&k, "inertia", &b->inertia));
        CAROM_TRY(check_constant(&k, "velocity", &b->velocity));
        CAROM_TRY(check_constant(&k, "angular_velocity", &b->angular_velocity));
        CAROM_TRY(check_scalar(&k, "motion.x", &b->motion_x, true));
        CAROM_TRY(check_scalar(&k, "motion.y", &b->motion_y, true));
        CAROM_TRY(check_scalar(&k, "motion.z", &b->motion_z, true));
        CAROM_TRY(check_scalar(&k, "motion.angle", &b->motion_angle, true));
        CAROM_TRY(check_frames(&k, b));
    }
    return CAROM_OK;
}

/* What is given of a coordinate of a joint. */
static carom_status check_coordinate(const checker *k, const carom_joint_def *j)
{
    CAROM_TRY(check_scalar(k, "motion", &j->motion, true));
    CAROM_TRY(check_scalar(k, "rate", &j->rate, false));
    CAROM_TRY(check_numbers(k, "zero", &j->zero, 1));
    CAROM_TRY(check_numbers(k, "armature", &j->armature, 1));
    if (j->armature < 0)
        return wrong(k, "armature", "must not be negative");
    CAROM_TRY(check_params(k, &j->spring.params));
    CAROM_TRY(check_params(k, &j->damper.params));
    return check_params(k, &j->limits.params);
}

static carom_status check_joints(carom_context *ctx, const carom_spec *s)
{
    CAROM_TRY(check_names(ctx, "joint", s->joints, s->joint_count, sizeof *s->joints));
    for (size_t i = 0; i < s->joint_count; i++) {
        const carom_joint_def *j = &s->joints[i];
        checker k = {ctx, "joint", j->name, &j->place};
        for (int side = 0; side < 2; side++) {
            CAROM_TRY(check_numbers(&k, "between", j->between[side].point, 3));
            CAROM_TRY(check_numbers(&k, "orientation", j->between[side].orientation, 4));
        }
        CAROM_TRY(check_coordinate(&k, j));
        CAROM_TRY(check_names(ctx, "coordinate", j->coordinates, j->coordinate_count, sizeof *j->coordinates));
        for (size_t n = 0; n < j->coordinate_count; n++)
            CAROM_TRY(check_coordinate(&k, &j->coordinates[n]));
        CAROM_TRY(check_params(&k, &j->params));
        const carom_joint_friction_def *fr = &j->friction;
        const double friction[] = {fr->radius, fr->axial_radius, fr->length, fr->width, fr->preload, fr->constant};
        CAROM_TRY(check_numbers(&k, "friction", friction, (int)CAROM_COUNT(friction)));
        CAROM_TRY(check_params(&k, &fr->params));
        if (!j->clearance.given)
            continue;
        const carom_clearance_def *cl = &j->clearance;
        const double sizes[] = {cl->radial, cl->gap,   cl->radius, cl->length,
                                cl->height, cl->width, cl->axial,  cl->edge};
        CAROM_TRY(check_numbers(&k, "clearance", sizes, (int)CAROM_COUNT(sizes)));
        CAROM_TRY(check_params(&k, &cl->contact.normal));
        CAROM_TRY(check_params(&k, &cl->contact.friction_params));
    }
    return CAROM_OK;
}

static carom_status check_contacts(carom_context *ctx, const carom_spec *s)
{
    CAROM_TRY(check_names(ctx, "material", s->materials, s->material_count, sizeof *s->materials));
    CAROM_TRY(check_names(ctx, "shape", s->shapes, s->shape_count, sizeof *s->shapes));
    CAROM_TRY(check_names(ctx, "contact", s->contacts, s->contact_count, sizeof *s->contacts));
    for (size_t i = 0; i < s->shape_count; i++) {
        const carom_shape_def *shape = &s->shapes[i];
        checker k = {ctx, "shape", shape->name, &shape->place};
        CAROM_TRY(check_numbers(&k, "at", shape->at, 3));
        CAROM_TRY(check_quaternion(&k, shape->orientation));
        CAROM_TRY(check_params(&k, &shape->params));
    }
    for (size_t i = 0; i < s->contact_count; i++) {
        checker k = {ctx, "contact", s->contacts[i].name, &s->contacts[i].place};
        CAROM_TRY(check_params(&k, &s->contacts[i].normal));
        CAROM_TRY(check_params(&k, &s->contacts[i].friction_params));
    }
    return CAROM_OK;
}

static carom_status check_loads(carom_context *ctx, const carom_spec *s)
{
    CAROM_TRY(check_names(ctx, "load", s->loads, s->load_count, sizeof *s->loads));
    for (size_t i = 0; i < s->load_count; i++) {
        const carom_load_def *load = &s->loads[i];
        checker k = {ctx, "load", load->name, &load->place};
        for (int side = 0; side < 2 && side < load->frame_count; side++) {
            CAROM_TRY(check_numbers(&k, "point", load->on[side].point, 3));
            CAROM_TRY(check_numbers(&k, "orientation", load->on[side].orientation, 4));
        }
        CAROM_TRY(check_params(&k, &load->params));
    }
    return CAROM_OK;
}

carom_status carom_run_def_check(carom_context *ctx, const carom_run_def *run)
{
    const char *contacts = run->output_contacts;
    checker k = {ctx, "run", run->analysis ? run->analysis : "dynamics", &run->place};
    CAROM_TRY(check_scalar(&k, "absolute", &run->absolute, false));
    CAROM_TRY(check_params(&k, &run->constraint_params));
    CAROM_TRY(check_array(ctx, "channels of the run", run->channels, run->channel_count));
    for (size_t c = 0; c < run->channel_count; c++)
        if (!run->channels[c])
            return wrong(&k, "channels", "hold one without a name");
    if (contacts && strcmp(contacts, "every-step") != 0 && strcmp(contacts, "interval") != 0)
        return wrong(&k, "output.contacts", "must be every-step or interval");
    if (run->jacobian && strcmp(run->jacobian, "differences") != 0 && strcmp(run->jacobian, "elements") != 0)
        return wrong(&k, "jacobian", "must be differences or elements");
    if (run->about && strcmp(run->about, "equilibrium") != 0 && strcmp(run->about, "state") != 0)
        return wrong(&k, "about", "must be equilibrium or state");
    if (run->singular && strcmp(run->singular, "pass") != 0 && strcmp(run->singular, "stop") != 0)
        return wrong(&k, "singular", "must be pass or stop");
    return CAROM_OK;
}

static carom_status check_runs(carom_context *ctx, const carom_spec *s)
{
    CAROM_TRY(check_array(ctx, "runs", s->runs, s->run_count));
    for (size_t i = 0; i < s->run_count; i++)
        CAROM_TRY(carom_run_def_check(ctx, &s->runs[i]));
    return CAROM_OK;
}

static carom_status check_variables(carom_context *ctx, const carom_spec *s)
{
    CAROM_TRY(check_names(ctx, "input", s->inputs, s->input_count, sizeof *s->inputs));
    for (size_t i = 0; i < s->input_count; i++) {
        checker k = {ctx, "input", s->inputs[i].name, &s->inputs[i].place};
        CAROM_TRY(check_numbers(&k, "start", &s->inputs[i].start, 1));
    }
    CAROM_TRY(check_names(ctx, "state", s->states, s->state_count, sizeof *s->states));
    for (size_t i = 0; i < s->state_count; i++) {
        const carom_state_def *z = &s->states[i];
        const double numbers[] = {z->start, z->scale};
        checker k = {ctx, "state", z->name, &z->place};
        CAROM_TRY(check_numbers(&k, "start or scale", numbers, 2));
        CAROM_TRY(check_scalar(&k, "rate", &z->rate, true));
        if (z->rate.type == CAROM_VALUE_NONE)
            return wrong(&k, "rate", "is missing");
        for (size_t n = 0; n < s->input_count; n++)
            if (strcmp(s->inputs[n].name, z->name) == 0)
                return wrong(&k, "the name", "is that of an input");
    }
    CAROM_TRY(check_names(ctx, "event", s->events, s->event_count, sizeof *s->events));
    for (size_t i = 0; i < s->event_count; i++) {
        const carom_event_def *e = &s->events[i];
        checker k = {ctx, "event", e->name, &e->place};
        CAROM_TRY(check_scalar(&k, "when", &e->when, true));
        CAROM_TRY(check_array(ctx, "actions of an event", e->actions, e->action_count));
        if (e->when.type == CAROM_VALUE_NONE || !e->action_count)
            return wrong(&k, e->action_count ? "when" : "do", "is missing");
        for (size_t a = 0; a < e->action_count; a++) {
            if (!e->actions[a].type)
                return wrong(&k, "an action", "has no type");
            CAROM_TRY(check_scalar(&k, "set", &e->actions[a].value, true));
            if (strcmp(e->actions[a].type, "set") == 0 && e->actions[a].value.type == CAROM_VALUE_NONE)
                return wrong(&k, "set", "has no value");
        }
    }
    CAROM_TRY(check_names(ctx, "output", s->outputs, s->output_count, sizeof *s->outputs));
    for (size_t i = 0; i < s->output_count; i++) {
        checker k = {ctx, "output", s->outputs[i].name, &s->outputs[i].place};
        CAROM_TRY(check_scalar(&k, "value", &s->outputs[i].value, true));
        if (s->outputs[i].value.type == CAROM_VALUE_NONE)
            return wrong(&k, "value", "is missing");
    }
    return CAROM_OK;
}

carom_status carom_compile_check(carom_compiler *c)
{
    const carom_spec *s = c->spec;
    carom_context *ctx = c->ctx;
    checker k = {ctx, "model", s->name ? s->name : "model", NULL};
    CAROM_TRY(check_numbers(&k, "gravity", s->gravity, 3));
    CAROM_TRY(check_names(ctx, "parameter", s->parameters, s->parameter_count, sizeof *s->parameters));
    CAROM_TRY(check_names(ctx, "spline", s->splines, s->spline_count, sizeof *s->splines));
    for (size_t i = 0; i < s->spline_count; i++)
        if (!s->splines[i].x || !s->splines[i].y)
            return carom_fail(ctx, CAROM_ERROR_MODEL, &s->splines[i].place, "spline '%s': x or y is missing",
                              s->splines[i].name);
    CAROM_TRY(check_names(ctx, "trajectory", s->trajectories, s->trajectory_count, sizeof *s->trajectories));
    CAROM_TRY(check_variables(ctx, s));
    CAROM_TRY(check_bodies(ctx, s));
    CAROM_TRY(check_joints(ctx, s));
    CAROM_TRY(check_contacts(ctx, s));
    CAROM_TRY(check_loads(ctx, s));
    return check_runs(ctx, s);
}
