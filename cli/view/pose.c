/* Poses of a mechanism under the hand of its user. */
#include "view/pose.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PASSES = 12, MOST_HALVINGS = 6 };

#define MOST_WAY 0.25 /* of the model's length, in one pull */

struct pose {
    session *s;
    const carom_document *document;
    carom_model *model, *loose; /* as the file has it, and without prescribed motions */
    carom_simulation *start;    /* of `model`, at its assembled start */
    carom_simulation *sim;      /* of `loose`; NULL: not yet, or it cannot be moved */
    carom_state *now, *next, *home;
    carom_model_info info;
};

/* Copies of the joints and bodies without their motions; the coordinates of joints with several are copied as well. */
typedef struct free_parts {
    carom_joint_def *joints, *coordinates;
    carom_body_def *bodies;
} free_parts;

static bool release(const carom_spec *spec, free_parts *out)
{
    size_t count = 0, used = 0;
    for (size_t k = 0; k < spec->joint_count; k++)
        count += spec->joints[k].coordinate_count;
    out->joints = calloc(spec->joint_count + 1, sizeof *out->joints);
    out->coordinates = calloc(count + 1, sizeof *out->coordinates);
    out->bodies = calloc(spec->body_count + 1, sizeof *out->bodies);
    if (!out->joints || !out->coordinates || !out->bodies)
        return false;
    for (size_t k = 0; k < spec->body_count; k++) {
        out->bodies[k] = spec->bodies[k];
        out->bodies[k].motion_x = out->bodies[k].motion_y = out->bodies[k].motion_z = (carom_value){0};
        out->bodies[k].motion_angle = (carom_value){0};
        out->bodies[k].motion_point = NULL;
    }
    for (size_t k = 0; k < spec->joint_count; k++) {
        carom_joint_def *joint = &out->joints[k];
        *joint = spec->joints[k];
        joint->motion = (carom_value){0};
        for (size_t c = 0; c < joint->coordinate_count; c++) {
            out->coordinates[used + c] = joint->coordinates[c];
            out->coordinates[used + c].motion = (carom_value){0};
        }
        if (joint->coordinate_count > 0)
            joint->coordinates = out->coordinates + used;
        used += joint->coordinate_count;
    }
    return true;
}

static carom_status compile_loose(pose *p)
{
    free_parts parts = {NULL, NULL, NULL};
    carom_spec loose = *carom_document_spec(p->document);
    carom_status status = release(&loose, &parts) ? CAROM_OK : CAROM_ERROR_MEMORY;
    loose.joints = parts.joints;
    loose.bodies = parts.bodies;
    if (status == CAROM_OK)
        status = carom_model_compile(p->s->ctx, &loose, &p->loose);
    free(parts.joints);
    free(parts.coordinates);
    free(parts.bodies);
    return status;
}

/* A motion over no matter what time, in absolute coordinates, in which every body can be told where it is. */
static carom_status still(pose *p, const carom_model *model, carom_simulation **out)
{
    const carom_spec *spec = carom_document_spec(p->document);
    carom_simulation_def def = carom_default_simulation_def();
    carom_run_def run = spec->run_count ? spec->runs[0] : carom_default_run_def();
    run.analysis = "dynamics";
    run.formulation = "cartesian";
    run.integrator = run.constraints = run.start = NULL;
    run.constraint_params.count = 0;
    run.actuator_count = 0;
    run.channel_count = 0;
    if (!(run.until > 0))
        run.until = 1;
    def.run_def = &run;
    return carom_simulation_create(p->s->ctx, model, &def, out);
}

pose *pose_open(session *s, const carom_document *document)
{
    pose *p = calloc(1, sizeof *p);
    if (!p) {
        session_fail(s, EXIT_SOLVER, "out of memory");
        return NULL;
    }
    p->s = s;
    p->document = document;
    carom_status status = carom_model_compile(s->ctx, carom_document_spec(document), &p->model);
    if (status == CAROM_OK)
        status = still(p, p->model, &p->start);
    if (status == CAROM_OK) {
        p->info = carom_model_get_info(p->model);
        return p;
    }
    session_error(s, status);
    pose_close(p);
    return NULL;
}

void pose_close(pose *p)
{
    if (!p)
        return;
    carom_state_free(p->now);
    carom_state_free(p->next);
    carom_state_free(p->home);
    carom_simulation_free(p->sim);
    carom_simulation_free(p->start);
    carom_model_free(p->loose);
    carom_model_free(p->model);
    free(p);
}

/* The loose mechanism where the start of the model is. */
static carom_status copy_start(pose *p)
{
    carom_state *from = NULL;
    size_t count = 0;
    carom_status status = carom_state_create(p->s->ctx, p->model, &from);
    if (status == CAROM_OK)
        status = carom_simulation_get_state(p->start, from);
    if (status == CAROM_OK) {
        const double *q = carom_state_positions(from, &count);
        status = carom_state_set_positions(p->home, q, count);
    }
    if (status == CAROM_OK)
        status = carom_state_copy(p->now, p->home);
    carom_state_free(from);
    return status;
}

/* Makes the loose mechanism when something is moved for the first time. */
static carom_status loosen(pose *p)
{
    if (p->sim)
        return CAROM_OK;
    carom_status status = p->loose ? CAROM_OK : compile_loose(p);
    if (status == CAROM_OK)
        status = still(p, p->loose, &p->sim);
    carom_state **states[] = {&p->now, &p->next, &p->home};
    for (size_t k = 0; k < COUNT(states) && status == CAROM_OK; k++) {
        carom_state_free(*states[k]);
        *states[k] = NULL;
        status = carom_state_create(p->s->ctx, p->loose, states[k]);
        if (status == CAROM_OK)
            status = carom_simulation_get_state(p->sim, *states[k]);
    }
    if (status == CAROM_OK)
        status = copy_start(p);
    if (status != CAROM_OK) {
        carom_simulation_free(p->sim);
        p->sim = NULL;
    }
    return status;
}

carom_status pose_record(pose *p, const char *path)
{
    const carom_spec *spec = carom_document_spec(p->document);
    carom_writer_def def = carom_default_writer_def();
    carom_writer *writer = NULL;
    carom_state *state = NULL;
    def.path = path;
    def.model_name = p->info.name;
    def.title = p->info.title;
    def.model_text = spec->text;
    def.options = "the assembled start";
    def.channels = carom_simulation_channels(p->start, &def.channel_count);
    carom_status status = carom_writer_create(p->s->ctx, &def, &writer);
    if (status != CAROM_OK)
        return status;
    status = carom_simulation_set_sink(p->start, carom_writer_sink(writer));
    if (status == CAROM_OK)
        status = carom_state_create(p->s->ctx, p->model, &state);
    if (status == CAROM_OK)
        status = carom_simulation_get_state(p->start, state);
    if (status == CAROM_OK)
        status = carom_simulation_record_state(p->start, state);
    carom_simulation_set_sink(p->start, NULL);
    carom_state_free(state);
    const carom_status closed = carom_writer_close(writer, NULL, NULL);
    return status == CAROM_OK ? closed : status;
}

/* Takes `next` for `now` once it is assembled. */
static carom_status settle(pose *p)
{
    const carom_status status = carom_simulation_assemble(p->sim, p->next, NULL, NULL);
    return status == CAROM_OK ? carom_state_copy(p->now, p->next) : status;
}

carom_status pose_reset(pose *p)
{
    const carom_status status = loosen(p);
    return status == CAROM_OK ? carom_state_copy(p->now, p->home) : status;
}

carom_status pose_set_joint(pose *p, const char *joint, double value)
{
    char *name = format_text("joint.%s.coordinate", joint);
    carom_status status = name ? loosen(p) : CAROM_ERROR_MEMORY;
    if (status == CAROM_OK)
        status = carom_state_copy(p->next, p->now);
    if (status == CAROM_OK)
        status = carom_state_set(p->next, name, &value, 1);
    if (status == CAROM_OK)
        status = settle(p);
    free(name);
    return status;
}

/* ---- a body in a state ---- */

typedef struct place {
    double at[3], turn[4]; /* centre of mass; quaternion w x y z */
} place;

static carom_status get_part(const carom_state *state, const char *body, const char *part, double *out, size_t count)
{
    char *name = format_text("body.%s.%s", body, part);
    const carom_status status = name ? carom_state_get(state, name, out, count) : CAROM_ERROR_MEMORY;
    free(name);
    return status;
}

static carom_status set_part(carom_state *state, const char *body, const char *part, const double *value, size_t count)
{
    char *name = format_text("body.%s.%s", body, part);
    const carom_status status = name ? carom_state_set(state, name, value, count) : CAROM_ERROR_MEMORY;
    free(name);
    return status;
}

static carom_status place_of(const pose *p, const carom_state *state, const char *body, place *out)
{
    const bool planar = p->info.dimension == 2;
    double angle = 0;
    *out = (place){.turn = {1}};
    carom_status status = get_part(state, body, "position", out->at, planar ? 2 : 3);
    if (status == CAROM_OK)
        status = get_part(state, body, planar ? "angle" : "orientation", planar ? &angle : out->turn, planar ? 1 : 4);
    if (planar) {
        out->turn[0] = cos(0.5 * angle);
        out->turn[3] = sin(0.5 * angle);
    }
    return status;
}

static void cross(const double a[3], const double b[3], double out[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

/* v turned by a unit quaternion. */
static void turned(const double q[4], const double v[3], double out[3])
{
    double u[3], w[3];
    cross(q + 1, v, u);
    for (int k = 0; k < 3; k++)
        u[k] += q[0] * v[k];
    cross(q + 1, u, w);
    for (int k = 0; k < 3; k++)
        out[k] = v[k] + 2 * w[k];
}

static double norm(const double v[3]) { return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]); }

/* Moves a body so that its point at r from the centre of mass goes by d, as a pull at the point moves a body with
   radius of gyration k: by l in all, turned by r x l / k^2. To first order: the next pull takes what is left. */
static carom_status pull(pose *p, const char *body, const place *at, const double r[3], const double d[3])
{
    const bool planar = p->info.dimension == 2;
    const double size = norm(r), k2 = fmax(size * size, 0.01 * p->info.length * p->info.length);
    double shift[3], turn[3], along = 0;
    for (int k = 0; k < 3 && size > 0; k++)
        along += d[k] * r[k] / size;
    for (int k = 0; k < 3; k++) {
        const double straight = size > 0 ? along * r[k] / size : d[k];
        shift[k] = straight + (d[k] - straight) / (1 + size * size / k2);
    }
    cross(r, shift, turn);
    for (int k = 0; k < 3; k++) {
        turn[k] /= k2;
        shift[k] += at->at[k];
    }
    carom_status status = set_part(p->next, body, "position", shift, planar ? 2 : 3);
    const double angle = norm(turn);
    if (status != CAROM_OK || !(angle > 0))
        return status;
    if (planar) {
        double now;
        status = get_part(p->now, body, "angle", &now, 1);
        return status == CAROM_OK ? set_part(p->next, body, "angle", &(double){now + turn[2]}, 1) : status;
    }
    const double c = cos(0.5 * angle), s = sin(0.5 * angle) / angle, *q = at->turn;
    const double e[3] = {s * turn[0], s * turn[1], s * turn[2]};
    double v[3], product[4];
    cross(e, q + 1, v);
    product[0] = c * q[0] - e[0] * q[1] - e[1] * q[2] - e[2] * q[3];
    for (int k = 0; k < 3; k++)
        product[k + 1] = c * q[k + 1] + q[0] * e[k] + v[k];
    return set_part(p->next, body, "orientation", product, 4);
}

/* One pull towards the target, by a part of the way that can be assembled and gets nearer; *left: what is left then. */
static carom_status approach(pose *p, const char *body, const double point[3], const double target[3], double *left,
                             bool *nearer)
{
    place at;
    double r[3], d[3];
    carom_status status = place_of(p, p->now, body, &at);
    *nearer = false;
    if (status != CAROM_OK)
        return status;
    turned(at.turn, point, r);
    for (int k = 0; k < 3; k++)
        d[k] = p->info.dimension == 2 && k == 2 ? 0 : target[k] - at.at[k] - r[k];
    *left = norm(d);
    const double part = fmin(1, MOST_WAY * p->info.length / fmax(*left, 1e-300));
    for (int k = 0; k < 3; k++)
        d[k] *= part;
    for (int k = 0; k < MOST_HALVINGS && !*nearer; k++) {
        place then;
        double arm[3], rest[3];
        status = carom_state_copy(p->next, p->now);
        if (status == CAROM_OK)
            status = pull(p, body, &at, r, d);
        if (status != CAROM_OK)
            return status;
        if (carom_simulation_assemble(p->sim, p->next, NULL, NULL) == CAROM_OK &&
            place_of(p, p->next, body, &then) == CAROM_OK) {
            turned(then.turn, point, arm);
            for (int c = 0; c < 3; c++)
                rest[c] = p->info.dimension == 2 && c == 2 ? 0 : target[c] - then.at[c] - arm[c];
            *nearer = norm(rest) < *left * (1 - 1e-6);
        }
        if (*nearer)
            *left = norm(rest);
        for (int c = 0; c < 3; c++)
            d[c] *= 0.5;
    }
    return *nearer ? carom_state_copy(p->now, p->next) : CAROM_OK;
}

carom_status pose_draw(pose *p, const char *body, const double point[3], const double target[3])
{
    bool nearer = true;
    double left = INFINITY, before;
    carom_status status = loosen(p);
    for (int k = 0; k < MOST_PASSES && nearer && left > 1e-6 * p->info.length && status == CAROM_OK; k++) {
        before = left;
        status = approach(p, body, point, target, &left, &nearer);
        if (left > 0.99 * before)
            break;
    }
    return status;
}

static void print_bodies(pose *p, carom_json *json)
{
    carom_json_begin(json, "bodies", '[');
    for (size_t k = 0; k < p->info.bodies; k++) {
        const char *name = carom_model_body_name(p->loose, k);
        place at;
        if (place_of(p, p->now, name, &at) != CAROM_OK)
            continue;
        carom_json_begin(json, NULL, '{');
        carom_json_text(json, "name", name);
        carom_json_numbers(json, "position", at.at, 3);
        carom_json_numbers(json, "orientation", at.turn, 4);
        carom_json_end(json, '}');
    }
    carom_json_end(json, ']');
}

void pose_print(pose *p, carom_json *json)
{
    if (!p->sim)
        return;
    static const char family[] = "joint.", quantity[] = ".coordinate";
    size_t count;
    const carom_state_part *parts = carom_state_parts(p->now, &count);
    print_bodies(p, json);
    carom_json_begin(json, "joints", '[');
    for (size_t k = 0; k < count; k++) {
        const size_t length = strlen(parts[k].name);
        double value;
        const size_t front = sizeof family - 1, back = sizeof quantity - 1;
        if (parts[k].size != 1 || strncmp(parts[k].name, family, front) != 0 || length <= front + back ||
            strcmp(parts[k].name + length - back, quantity) != 0 ||
            carom_state_get(p->now, parts[k].name, &value, 1) != CAROM_OK)
            continue;
        char *name = format_text("%.*s", (int)(length - front - back), parts[k].name + front);
        carom_json_begin(json, NULL, '{');
        carom_json_text(json, "name", name ? name : "");
        carom_json_text(json, "unit", parts[k].unit);
        carom_json_number(json, "value", value);
        carom_json_end(json, '}');
        free(name);
    }
    carom_json_end(json, ']');
    carom_json_number(json, "length", p->info.length);
}
