/* The states that callers hold: their arrays, and their parts by name. */
#include "carom/state.h"
#include "dynamics/dynamics.h"
#include "dynamics/formulation/formulation.h"
#include "dynamics/state/past.h"
#include "kinds/joint/joint.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* What follows is not known by the motion before: turns of deflections are those nearest to the last ones. */
static void edit(carom_state *s)
{
    memset(s->load_deflection_rate, 0, (size_t)s->model->load_count * sizeof *s->load_deflection_rate);
    s->edited = true;
}

/* ---- creation ---- */

carom_status carom_state_create_in(carom_context *ctx, const carom_model *model, const carom_formulation *formulation,
                                   carom_state **out)
{
    *out = NULL;
    carom_state *s = carom_allocate(ctx, 1, sizeof *s);
    if (!s)
        return carom_fail_memory(ctx);
    carom_status status = carom_state_init(ctx, model, formulation, s);
    if (status != CAROM_OK) {
        carom_release(ctx, s, 1, sizeof *s);
        return status;
    }
    carom_state_place_bodies(s);
    carom_state_move_bodies(s);
    carom_state_start_variables(s);
    edit(s);
    *out = s;
    return CAROM_OK;
}

carom_status carom_state_create(carom_context *ctx, const carom_model *model, carom_state **out)
{
    CAROM_NEED(ctx, ctx);
    if (!model || !out)
        return carom_fail(ctx, CAROM_ERROR_USAGE, NULL, "a state needs a model and a place for its pointer, not NULL");
    *out = NULL;
    const carom_run_def *run = carom_model_get_run(model, 0);
    const carom_formulation *formulation;
    CAROM_TRY(carom_formulation_require(ctx, run ? &run->formulation_place : NULL, run ? run->formulation : NULL,
                                        &formulation));
    return carom_state_create_in(ctx, model, carom_formulation_for(model, formulation), out);
}

carom_status carom_state_copy(carom_state *to, const carom_state *from)
{
    CAROM_NEED(NULL, to);
    if (!from || from->model != to->model)
        return carom_fail(to->ctx, CAROM_ERROR_USAGE, NULL, "the state to copy is %s",
                          from ? "of another model; make one with that model" : "NULL");
    if (to == from)
        return CAROM_OK;
    if (from->past)
        CAROM_TRY(carom_past_room(to, from->past->impact_count, from->past->fired_count, from->past->law_count));
    CAROM_TRY(carom_state_assign(to, from));
    return carom_past_assign(to, from);
}

void carom_state_free(carom_state *state)
{
    if (!state)
        return;
    carom_state_clear(state);
    carom_release(state->ctx, state, 1, sizeof *state);
}

/* ---- arrays ---- */

const double *carom_state_positions(const carom_state *state, size_t *count)
{
    if (count)
        *count = state ? (size_t)state->layout.positions : 0;
    return state ? state->q : NULL;
}

const double *carom_state_velocities(const carom_state *state, size_t *count)
{
    if (count)
        *count = state ? (size_t)state->layout.velocities : 0;
    return state ? state->v : NULL;
}

/* Refuses values of which there are not `wanted`, or of which one is not finite. */
static carom_status check_values(const carom_state *s, const char *what, const double *values, size_t count,
                                 size_t wanted)
{
    if (!values)
        return carom_fail(s->ctx, CAROM_ERROR_USAGE, NULL, "%s: the values are NULL", what);
    if (count != wanted)
        return carom_fail(s->ctx, CAROM_ERROR_USAGE, NULL, "%s: %zu number%s where %zu are needed", what, count,
                          count == 1 ? "" : "s", wanted);
    for (size_t k = 0; k < count; k++)
        if (!isfinite(values[k]))
            return carom_fail(s->ctx, CAROM_ERROR_USAGE, NULL, "%s: number %zu is not finite", what, k + 1);
    return CAROM_OK;
}

static double quaternion_norm(const double *x) { return sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2] + x[3] * x[3]); }

/* One that is a unit quaternion as well as an integrator keeps it is copied to the last bit: what was taken from a
   state goes back as it is. */
static void put_quaternion(const double *from, double *to)
{
    const double norm = quaternion_norm(from), scale = fabs(norm - 1) < 1e-6 ? 1 : 1 / norm;
    for (int k = 0; k < 4; k++)
        to[k] = from[k] * scale;
}

/* ---- bodies that are placed one by one ---- */

/* Numbers of the bodies: those of the state's formulation or, once a body that a joint carries was placed, absolute
   ones, until the state is assembled. */
typedef struct bodies {
    const carom_formulation *formulation;
    double *q, *v;
} bodies;

static bodies bodies_of(const carom_state *s)
{
    if (!s->placing)
        return (bodies){s->formulation, s->q, s->v};
    const carom_formulation *absolute = &carom_formulation_cartesian;
    return (bodies){absolute, s->placed, s->placed + absolute->layout(s->model).positions};
}

/* Absolute numbers of the bodies from where the coordinates have them, positions, velocities or both. */
static void place_again(carom_state *s, bool positions, bool velocities)
{
    s->placing = false;
    double *v = s->placed + carom_formulation_cartesian.layout(s->model).positions;
    carom_state_absolute(s, positions ? s->placed : NULL, velocities ? v : NULL);
    s->placing = true;
}

static carom_status place_bodies(carom_state *s)
{
    if (!s->placed && !(s->placed = carom_allocate(s->ctx, carom_state_placed_count(s->model), sizeof *s->placed)))
        return carom_fail_memory(s->ctx);
    place_again(s, true, true);
    return CAROM_OK;
}

/* Where the quaternion of a body stands, -1: nowhere. */
static int orientation_of(const carom_state *s, int body)
{
    return s->formulation->body_place(s->model, body, false, true);
}

carom_status carom_state_set_positions(carom_state *state, const double *q, size_t count)
{
    CAROM_NEED(NULL, state);
    const carom_model *m = state->model;
    CAROM_TRY(check_values(state, "positions", q, count, (size_t)state->layout.positions));
    for (int body = 0; body < m->body_count && m->dimension == 3; body++)
        if (orientation_of(state, body) >= 0 && !(quaternion_norm(q + orientation_of(state, body)) > 1e-6))
            return carom_fail(state->ctx, CAROM_ERROR_USAGE, NULL, "positions: the quaternion of body '%s' is zero",
                              m->bodies[body + 1].name);
    memcpy(state->q, q, count * sizeof *q);
    for (int body = 0; body < m->body_count && m->dimension == 3; body++)
        if (orientation_of(state, body) >= 0)
            put_quaternion(q + orientation_of(state, body), state->q + orientation_of(state, body));
    if (state->placing)
        place_again(state, true, false);
    edit(state);
    return CAROM_OK;
}

carom_status carom_state_set_velocities(carom_state *state, const double *v, size_t count)
{
    CAROM_NEED(NULL, state);
    CAROM_TRY(check_values(state, "velocities", v, count, (size_t)state->layout.velocities));
    memcpy(state->v, v, count * sizeof *v);
    if (state->placing)
        place_again(state, false, true);
    edit(state);
    return CAROM_OK;
}

/* ---- names ---- */

/* A part of the state: numbers in place, those of a body that a joint carries, or the coordinate of a joint. */
typedef struct part {
    double *at;                 /* NULL: of a joint or of a body that one carries */
    size_t count;
    bool quaternion;
    int joint;                  /* -1: none */
    bool rate;                  /* of a joint, velocity of a body */
    int body, first;            /* the body, and where its absolute numbers have the part */
} part;

/* What a body has, by place among its positions or velocities. */
typedef struct body_part {
    const char *name;
    int dimension;              /* 0: in both */
    bool velocity;
    int first;                  /* in space; in the plane the first is 0, or 2 for angles */
} body_part;

static const body_part body_parts[] = {{"position", 0, false, 0}, {"velocity", 0, true, 0},
                                       {"angle", 2, false, 3},    {"orientation", 3, false, 3},
                                       {"angular_velocity", 0, true, 3}};

static carom_status unknown(const carom_state *s, const char *name, const char *what, const char *word,
                            const char *const *names, size_t count)
{
    const char *nearest = carom_nearest_name(word, names, count);
    return carom_fail(s->ctx, CAROM_ERROR_USAGE, NULL, "'%.200s': no %s '%.100s'%s%s%s", name, what, word,
                      nearest ? "; did you mean '" : "", nearest ? nearest : "", nearest ? "'?" : "");
}

/* "body.ball.position" after "body.": the object whose name the text begins with, and the rest behind the dot. */
static bool begins_with(const char *text, const char *object, const char **rest)
{
    const size_t n = strlen(object);
    if (strncmp(text, object, n) != 0 || text[n] != '.')
        return false;
    *rest = text + n + 1;
    return true;
}

/* The object of a name that none begins with: the text up to the last dot. */
static carom_status unknown_object(const carom_state *s, const char *name, const char *what, const char *text,
                                   const char *(*name_of)(const carom_model *m, int k), int count)
{
    char word[128];
    const char *dot = strrchr(text, '.');
    const size_t n = dot ? (size_t)(dot - text) : strlen(text);
    snprintf(word, sizeof word, "%.*s", (int)(n < sizeof word ? n : sizeof word - 1), text);
    const char **names = carom_allocate(s->ctx, (size_t)count, sizeof *names);
    if (!names)
        return carom_fail_memory(s->ctx);
    for (int k = 0; k < count; k++)
        names[k] = name_of(s->model, k);
    carom_status status = unknown(s, name, what, word, names, (size_t)count);
    carom_release(s->ctx, names, (size_t)count, sizeof *names);
    return status;
}

static const char *body_name(const carom_model *m, int k) { return m->bodies[k + 1].name; }
static const char *joint_name(const carom_model *m, int k) { return m->joints[k].name; }
static const char *input_name(const carom_model *m, int k) { return m->inputs[k].name; }
static const char *state_name(const carom_model *m, int k) { return m->states[k].name; }

/* The component behind a vector's name, "" or "x": takes it out of the part. */
static carom_status take_component(const carom_state *s, const char *name, const char *rest, part *out)
{
    static const char *const axes[] = {"x", "y", "z"}, *const quaternion[] = {"w", "x", "y", "z"};
    const char *const *names = out->quaternion ? quaternion : axes;
    if (!*rest)
        return CAROM_OK;
    for (size_t k = 0; out->count > 1 && k < out->count; k++)
        if (strcmp(rest + 1, names[k]) == 0) {
            out->at += out->at ? k : 0;
            out->first += (int)k;
            out->count = 1;
            return CAROM_OK;
        }
    return out->count > 1 ? unknown(s, name, "component", rest + 1, names, out->count)
                          : carom_fail(s->ctx, CAROM_ERROR_USAGE, NULL, "'%.200s': a number has no components", name);
}

static carom_status find_body_part(const carom_state *s, const char *name, int body, const char *rest, part *out)
{
    const carom_model *m = s->model;
    const char *names[CAROM_COUNT(body_parts)];
    size_t count = 0;
    for (size_t k = 0; k < CAROM_COUNT(body_parts); k++) {
        const body_part *p = &body_parts[k];
        const size_t n = strlen(p->name);
        if (p->dimension && p->dimension != m->dimension)
            continue;
        names[count++] = p->name;
        if (strncmp(rest, p->name, n) != 0 || (rest[n] != '\0' && rest[n] != '.'))
            continue;
        const bool angular = p->first > 0, plane = m->dimension == 2;
        const bodies own = bodies_of(s);
        const int place = own.formulation->body_place(m, body, p->velocity, angular);
        *out = (part){.joint = -1, .body = body, .first = angular ? m->dimension : 0, .rate = p->velocity};
        out->at = place < 0 ? NULL : (p->velocity ? own.v : own.q) + place;
        out->quaternion = angular && !plane && !p->velocity;
        out->count = angular ? (plane ? 1 : out->quaternion ? 4 : 3) : (size_t)m->dimension;
        return take_component(s, name, rest + n, out);
    }
    return unknown(s, name, "part of a body", rest, names, count);
}

static carom_status find_joint_part(const carom_state *s, const char *name, int joint, const char *rest, part *out)
{
    static const char *const names[] = {"coordinate", "rate"};
    const carom_model_joint *j = &s->model->joints[joint];
    for (size_t k = 0; k < CAROM_COUNT(names); k++) {
        if (strcmp(rest, names[k]) != 0)
            continue;
        if (j->coordinate < 0)
            return carom_fail(s->ctx, CAROM_ERROR_USAGE, NULL, "'%.200s': a joint of type %s has no coordinate", name,
                              j->kind->kind.name);
        *out = (part){.count = 1, .joint = joint, .rate = k == 1};
        return CAROM_OK;
    }
    return unknown(s, name, "part of a joint", rest, names, CAROM_COUNT(names));
}

/* An input or a state of the model file, `values` are all of them. */
static carom_status find_variable(const carom_state *s, const char *name, const char *what, double *values, int count,
                                  const char *(*name_of)(const carom_model *m, int k), part *out)
{
    const char *word = name + strlen(what) + 1;
    for (int k = 0; k < count; k++)
        if (strcmp(word, name_of(s->model, k)) == 0) {
            *out = (part){.at = values + k, .count = 1, .joint = -1};
            return CAROM_OK;
        }
    return unknown_object(s, name, what, word, name_of, count);
}

static const char *load_name(const carom_model *m, int k) { return m->loads[k].name; }

static carom_status find_load_part(const carom_state *s, const char *name, int load, const char *rest, part *out)
{
    const carom_compiled_load *l = &s->model->loads[load];
    const char *names[CAROM_LOAD_STATES];
    for (int k = 0; k < l->state_count; k++) {
        names[k] = l->kind->states[k].name;
        if (strcmp(rest, names[k]) == 0) {
            *out = (part){.at = s->load_states + l->first_state + k, .count = 1, .joint = -1};
            return CAROM_OK;
        }
    }
    return unknown(s, name, "state of a load", rest, names, (size_t)l->state_count);
}

static carom_status find_part(const carom_state *s, const char *name, part *out)
{
    static const char *const families[] = {"time", "body", "joint", "input", "state", "load"};
    const carom_model *m = s->model;
    const char *rest;
    if (!name)
        return carom_fail(s->ctx, CAROM_ERROR_USAGE, NULL, "the name of a part of the state is NULL");
    *out = (part){.at = s->time, .count = 1, .joint = -1};
    if (strcmp(name, "time") == 0)
        return CAROM_OK;
    if (strncmp(name, "body.", 5) == 0) {
        for (int k = 0; k < m->body_count; k++)
            if (begins_with(name + 5, m->bodies[k + 1].name, &rest))
                return find_body_part(s, name, k, rest, out);
        return unknown_object(s, name, "body", name + 5, body_name, m->body_count);
    }
    if (strncmp(name, "joint.", 6) == 0) {
        for (int k = 0; k < m->joint_count; k++)
            if (begins_with(name + 6, m->joints[k].name, &rest))
                return find_joint_part(s, name, k, rest, out);
        return unknown_object(s, name, "joint", name + 6, joint_name, m->joint_count);
    }
    if (strncmp(name, "load.", 5) == 0) {
        for (int k = 0; k < m->load_count; k++)
            if (begins_with(name + 5, m->loads[k].name, &rest))
                return find_load_part(s, name, k, rest, out);
        return unknown_object(s, name, "load", name + 5, load_name, m->load_count);
    }
    if (strncmp(name, "input.", 6) == 0)
        return find_variable(s, name, "input", s->input, m->input_count, input_name, out);
    if (strncmp(name, "state.", 6) == 0)
        return find_variable(s, name, "state", s->states, m->state_count, state_name, out);
    char word[64];
    snprintf(word, sizeof word, "%.*s", (int)(strcspn(name, ".") < 60 ? strcspn(name, ".") : 60), name);
    return unknown(s, name, "part of a state", word, families, CAROM_COUNT(families));
}

/* ---- the list of names ---- */

static bool add_part(carom_state *s, const char *type, const char *object, const char *quantity, size_t size,
                     const char *unit)
{
    char *name = carom_arena_format(&s->texts, "%s.%s%s%s", type, object, *quantity ? "." : "", quantity);
    if (name)
        s->parts[s->part_count++] = (carom_state_part){name, size, unit};
    return name;
}

static bool add_body_parts(carom_state *s, int body)
{
    const carom_model *m = s->model;
    for (size_t k = 0; k < CAROM_COUNT(body_parts); k++) {
        const body_part *p = &body_parts[k];
        const bool angular = p->first > 0, plane = m->dimension == 2;
        if (p->dimension && p->dimension != m->dimension)
            continue;
        const size_t size = angular ? (plane ? 1 : p->velocity ? 3 : 4) : (size_t)m->dimension;
        const char *unit = angular ? (p->velocity ? "rad/s" : plane ? "rad" : "-") : p->velocity ? "m/s" : "m";
        if (!add_part(s, "body", m->bodies[body + 1].name, p->name, size, unit))
            return false;
    }
    return true;
}

static const char *unit_of(const char *given) { return given && given[0] ? given : "-"; }

static bool add_parts(carom_state *s)
{
    const carom_model *m = s->model;
    bool fits = true;
    s->parts[s->part_count++] = (carom_state_part){"time", 1, "s"};
    for (int k = 0; k < m->body_count && fits; k++)
        fits = add_body_parts(s, k);
    for (int k = 0; k < m->joint_count && fits; k++) {
        const carom_model_joint *j = &m->joints[k];
        if (j->coordinate < 0)
            continue;
        const bool turns = j->kind->coordinate_unit[0] == 'r';
        fits = add_part(s, "joint", j->name, "coordinate", 1, turns ? "rad" : "m") &&
               add_part(s, "joint", j->name, "rate", 1, turns ? "rad/s" : "m/s");
    }
    for (int k = 0; k < m->input_count && fits; k++)
        fits = add_part(s, "input", m->inputs[k].name, "", 1, unit_of(m->inputs[k].unit));
    for (int k = 0; k < m->state_count && fits; k++)
        fits = add_part(s, "state", m->states[k].name, "", 1, unit_of(m->states[k].unit));
    for (int k = 0; k < m->load_count && fits; k++)
        for (int i = 0; i < m->loads[k].state_count && fits; i++) {
            const carom_load_state *own = &m->loads[k].kind->states[i];
            fits = add_part(s, "load", m->loads[k].name, own->name, 1, own->unit);
        }
    return fits;
}

const carom_state_part *carom_state_parts(carom_state *state, size_t *count)
{
    const carom_model *m = state ? state->model : NULL;
    if (state && !state->parts) {
        const int most = 1 + (int)CAROM_COUNT(body_parts) * m->body_count + 2 * m->joint_count + m->input_count +
                         m->state_count + m->load_state_count;
        carom_arena_init(&state->texts, state->ctx);
        state->parts = carom_arena_alloc(&state->texts, (size_t)most, sizeof *state->parts);
        if (!state->parts || !add_parts(state)) {
            carom_fail_memory(state->ctx);
            carom_arena_free(&state->texts);
            state->parts = NULL;
            state->part_count = 0;
        }
    }
    if (count)
        *count = state ? state->part_count : 0;
    return state ? state->parts : NULL;
}

/* ---- values ---- */

static carom_wish *find_wish(const carom_state *s, int joint, bool rate)
{
    for (size_t k = 0; k < s->wish_count; k++)
        if (s->wishes[k].joint == joint && s->wishes[k].rate == rate)
            return &s->wishes[k];
    return NULL;
}

/* Coordinate or rate of a joint where the bodies are. */
static double joint_value(const carom_state *s, int joint, bool rate)
{
    const carom_model *m = s->model;
    const carom_model_joint *j = &m->joints[joint];
    const bodies own = bodies_of(s);
    const carom_body_pose bi = own.formulation->body_pose(m, j->i.body, own.q, own.v);
    const carom_body_pose bj = own.formulation->body_pose(m, j->j.body, own.q, own.v);
    const carom_frame_pose fi = carom_dynamics_frame_pose(&bi, &j->i, m->dimension);
    const carom_frame_pose fj = carom_dynamics_frame_pose(&bj, &j->j, m->dimension);
    carom_row row;
    carom_joint_coordinate(j->kind, j->p, &fi, &fj, m->dimension, s->coordinate[j->coordinate] + j->zero, &row);
    if (rate)
        return carom_v3_dot(row.Li, bi.v) + carom_v3_dot(row.Ai, bi.w) + carom_v3_dot(row.Lj, bj.v) +
               carom_v3_dot(row.Aj, bj.w);
    return row.phi - j->zero;
}

/* A part of a body that a joint carries, in absolute numbers. */
static void body_value(const carom_state *s, const part *p, double *out)
{
    const carom_formulation *absolute = &carom_formulation_cartesian;
    double q[7], v[6];
    carom_body_state at;
    s->formulation->get_body(s->model, p->body, s->q, s->v, &at);
    absolute->put_body(s->model, 0, &at, q);
    absolute->move_body(s->model, 0, &at, v);
    memcpy(out, (p->rate ? v : q) + p->first, p->count * sizeof *out);
}

carom_status carom_state_get(const carom_state *state, const char *name, double *out, size_t count)
{
    part p;
    CAROM_NEED(NULL, state);
    CAROM_TRY(find_part(state, name, &p));
    if (!out || count != p.count)
        return carom_fail(state->ctx, CAROM_ERROR_USAGE, NULL, "'%.200s' is %zu number%s, not %zu%s", name, p.count,
                          p.count == 1 ? "" : "s", count, out ? "" : ", and their place is NULL");
    if (p.at) {
        memcpy(out, p.at, count * sizeof *out);
        return CAROM_OK;
    }
    if (p.joint < 0) {
        body_value(state, &p, out);
        return CAROM_OK;
    }
    const carom_wish *wish = find_wish(state, p.joint, p.rate);
    *out = wish ? wish->value : joint_value(state, p.joint, p.rate);
    return CAROM_OK;
}

static carom_status set_wish(carom_state *s, int joint, bool rate, double value)
{
    carom_wish *wish = find_wish(s, joint, rate);
    if (!wish) {
        CAROM_TRY(carom_grow(s->ctx, &s->wishes, &s->wish_capacity, s->wish_count + 1, sizeof *s->wishes));
        wish = &s->wishes[s->wish_count++];
    }
    *wish = (carom_wish){joint, rate, value};
    return CAROM_OK;
}

carom_status carom_state_set(carom_state *state, const char *name, const double *values, size_t count)
{
    part p;
    char what[208];
    CAROM_NEED(NULL, state);
    CAROM_TRY(find_part(state, name, &p));
    snprintf(what, sizeof what, "'%.200s'", name);
    CAROM_TRY(check_values(state, what, values, count, p.count));
    if (p.at == state->time && *values < 0)
        return carom_fail(state->ctx, CAROM_ERROR_USAGE, NULL, "time %.9g s: runs begin at 0", *values);
    if (p.quaternion && count == 4 && !(quaternion_norm(values) > 1e-6))
        return carom_fail(state->ctx, CAROM_ERROR_USAGE, NULL, "%s: the quaternion is zero", what);
    if (!p.at && p.joint < 0) {
        CAROM_TRY(place_bodies(state));
        CAROM_TRY(find_part(state, name, &p));
    }
    if (!p.at)
        CAROM_TRY(set_wish(state, p.joint, p.rate, *values));
    else if (p.quaternion && count == 4)
        put_quaternion(values, p.at);
    else
        memcpy(p.at, values, count * sizeof *values);
    edit(state);
    return CAROM_OK;
}
