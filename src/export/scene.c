/* What there is to draw of a result: the model text compiled again, its shapes as meshes, the recorded snapshots. */
#include "export/scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "result/h5.h"

#define SNAPSHOTS 2   /* group of the snapshots */
#define MARGIN 1.1 /* of an unbounded shape beyond the farthest contact point */

/* ---- the model in the result ---- */

static carom_status compile_model(carom_scene *s, const carom_result *result)
{
    size_t count;
    const char *text = carom_result_model_text(result), *const *overrides = carom_result_overrides(result, &count);
    if (!text || !text[0])
        return carom_fail(s->ctx, CAROM_ERROR_USAGE, NULL,
                          "%s: holds no model text, so its shapes are not known; give a file that `carom run` wrote",
                          s->path);
    char *name = carom_arena_format(&s->arena, "%s (model text)", s->path);
    if (!name)
        return carom_fail_memory(s->ctx);
    carom_document *document = NULL;
    CAROM_TRY(carom_document_parse(s->ctx, name, text, strlen(text), overrides, count, &document));
    const carom_spec *spec = carom_document_spec(document);
    carom_status status = carom_model_compile(s->ctx, spec, &s->compiled);
    s->masses = carom_arena_alloc(&s->arena, spec->body_count + 1, sizeof *s->masses);
    if (status == CAROM_OK && !s->masses)
        status = carom_fail_memory(s->ctx);
    for (size_t k = 0; status == CAROM_OK && k < spec->body_count; k++)
        s->masses[k] = spec->bodies[k].mass;
    carom_document_free(document);
    return status;
}

/* ---- bodies, joints, loads, contacts ---- */

static carom_mat3 matrix(const double *axes)
{
    carom_mat3 m;
    memcpy(m.m, axes, sizeof m.m);
    return m;
}

/* The z axis of a frame. */
static carom_vec3 axis_of(const carom_attachment *side)
{
    const double *a = side->pose.axes;
    return carom_v3(a[2], a[5], a[8]);
}

static carom_status make_lists(carom_scene *s)
{
    const carom_model_info info = carom_model_get_info(s->model);
    carom_contact_info contact;
    s->dimension = info.dimension;
    s->gravity = carom_v3_load(info.gravity);
    s->length = info.length;
    s->body_count = info.bodies + 1;
    s->shape_count = info.shapes;
    s->joint_count = info.joints;
    while (carom_model_get_contact(s->model, s->contact_count, &contact))
        s->contact_count++;
    s->bodies = carom_arena_alloc(&s->arena, s->body_count, sizeof *s->bodies);
    s->shapes = carom_arena_alloc(&s->arena, s->shape_count, sizeof *s->shapes);
    s->meshes = carom_arena_alloc(&s->arena, s->shape_count, sizeof *s->meshes);
    s->joints = carom_arena_alloc(&s->arena, s->joint_count, sizeof *s->joints);
    s->loads = carom_arena_alloc(&s->arena, info.loads, sizeof *s->loads);
    s->contacts = carom_arena_alloc(&s->arena, s->contact_count, sizeof *s->contacts);
    return s->bodies && s->shapes && s->meshes && s->joints && s->loads && s->contacts ? CAROM_OK
                                                                                       : carom_fail_memory(s->ctx);
}

static void fill_lists(carom_scene *s)
{
    carom_joint_info j;
    carom_load_info l;
    carom_contact_info c;
    s->bodies[0].name = "ground";
    for (size_t k = 1; k < s->body_count; k++) {
        s->bodies[k].name = carom_model_body_name(s->model, k - 1);
        s->bodies[k].mass = s->masses[k - 1];
    }
    for (size_t k = 0; k < s->joint_count && carom_model_get_joint(s->model, k, &j); k++)
        s->joints[k] =
            (carom_scene_joint){.name = j.name,
                                .type = j.type,
                                .body = {j.side[0].body + 1, j.side[1].body + 1},
                                .at = {carom_v3_load(j.side[0].pose.position), carom_v3_load(j.side[1].pose.position)},
                                .has_axis = j.has_axis,
                                .axis = axis_of(&j.side[0]),
                                .drawn = j.drawn};
    for (size_t k = 0; carom_model_get_load(s->model, k, &l); k++)
        if (l.drawn)
            s->loads[s->load_count++] =
                (carom_scene_load){.name = l.name,
                                   .type = l.type,
                                   .drawn = l.drawn,
                                   .body = {l.side[0].body + 1, l.side[1].body + 1},
                                   .at = {carom_v3_load(l.side[0].pose.position),
                                          carom_v3_load(l.side[1].pose.position)},
                                   .axis = axis_of(&l.side[0])};
    for (size_t k = 0; carom_model_get_contact(s->model, k, &c); k++)
        s->contacts[k] = (carom_scene_contact){.name = c.name,
                                               .body = {c.body[0] + 1, c.body[1] + 1},
                                               .shape = {c.shape[0], c.shape[1]},
                                               .friction = c.friction != NULL};
}

/* Places on the curves of joints. */
static carom_status fill_curves(carom_scene *s)
{
    double points[3];
    for (size_t k = 0; k < s->joint_count; k++) {
        if (!carom_model_joint_curve(s->model, k, 1, points))
            continue;
        s->joints[k].curve = carom_arena_alloc(&s->arena, 3 * CAROM_SCENE_CURVE, sizeof *s->joints[k].curve);
        if (!s->joints[k].curve)
            return carom_fail_memory(s->ctx);
        carom_model_joint_curve(s->model, k, CAROM_SCENE_CURVE, s->joints[k].curve);
    }
    return CAROM_OK;
}

/* ---- snapshots ---- */

/* All components of a quantity of an object in the snapshots. */
static carom_status load_channel(carom_scene *s, carom_result *result, const char *type, const char *object,
                                 const char *quantity, int size, const double **out)
{
    size_t count, channel;
    const carom_channel *list = carom_result_channels(result, &count);
    if (!carom_result_find_quantity(result, SNAPSHOTS, type, object, quantity, &channel) || list[channel].size != size)
        return carom_fail(s->ctx, CAROM_ERROR_IO, NULL, "%s: %s.%s.%s is missing among its frames; run the model again",
                          s->path, type, object, quantity);
    for (int j = 0; j < size; j++)
        CAROM_TRY(carom_result_values(result, channel, j, &out[j]));
    return CAROM_OK;
}

/* Whether the snapshots have all contacts of a model. */
static bool has_contacts(const carom_result *result, const carom_model *m)
{
    carom_contact_info c;
    size_t channel;
    for (size_t k = 0; carom_model_get_contact(m, k, &c); k++)
        if (!carom_result_find_quantity(result, SNAPSHOTS, "contact", c.name, "point", &channel))
            return false;
    return true;
}

/* Contact sets are sets or a contact of each pair, as the run had it. */
static const carom_model *choose_model(const carom_model *compiled, const carom_result *result)
{
    const carom_model *stepped = carom_model_for_steps(compiled, true);
    const carom_model *located = carom_model_for_steps(compiled, false);
    if (!stepped || !located || stepped == located)
        return compiled;
    return has_contacts(result, located) ? located : stepped;
}

static carom_status load_frames(carom_scene *s, carom_result *result)
{
    const double *time;
    CAROM_TRY(carom_result_times(result, SNAPSHOTS, &time, &s->snapshot_count));
    if (s->snapshot_count == 0)
        return CAROM_OK;
    s->time = time;
    const int n = s->dimension;
    for (size_t k = 1; k < s->body_count; k++) {
        carom_scene_body *b = &s->bodies[k];
        CAROM_TRY(load_channel(s, result, "body", b->name, "position", n, b->position));
        CAROM_TRY(n == 2 ? load_channel(s, result, "body", b->name, "angle", 1, &b->angle)
                         : load_channel(s, result, "body", b->name, "orientation", 4, b->orientation));
    }
    for (size_t k = 0; k < s->contact_count; k++) {
        carom_scene_contact *c = &s->contacts[k];
        CAROM_TRY(load_channel(s, result, "contact", c->name, "point", n, c->point));
        CAROM_TRY(load_channel(s, result, "contact", c->name, "total_force", n, c->force));
    }
    return CAROM_OK;
}

carom_status carom_scene_need_frames(const carom_scene *s)
{
    if (s->snapshot_count)
        return CAROM_OK;
    return carom_fail(s->ctx, CAROM_ERROR_USAGE, NULL,
                      "%s: has no snapshots, so there is no motion to draw; run the model again", s->path);
}

static carom_scene_pose body_pose(const carom_scene *s, size_t body, size_t frame)
{
    const carom_scene_body *b = &s->bodies[body];
    carom_scene_pose pose = {.axes = carom_m3_identity()};
    if (!b->position[0])
        return pose;
    pose.p = carom_v3(b->position[0][frame], b->position[1][frame], b->position[2] ? b->position[2][frame] : 0);
    if (s->dimension == 2) {
        double c = cos(b->angle[frame]), sn = sin(b->angle[frame]);
        pose.axes = (carom_mat3){{{c, -sn, 0}, {sn, c, 0}, {0, 0, 1}}};
    } else
        pose.axes = carom_quat_matrix((carom_quat){b->orientation[0][frame], b->orientation[1][frame],
                                                   b->orientation[2][frame], b->orientation[3][frame]});
    return pose;
}

void carom_scene_poses(const carom_scene *s, size_t frame, carom_scene_pose *poses)
{
    for (size_t k = 0; k < s->body_count; k++)
        poses[k] = body_pose(s, k, frame);
}

/* ---- shapes ---- */

/* How far a shape is drawn where it has no bounds: the length of the model, or more where its contacts get farther. */
static double find_reach(const carom_scene *s, size_t shape, const carom_shape_info *info)
{
    double reach = s->length;
    if (isfinite(info->radius))
        return reach;
    for (size_t k = 0; k < s->contact_count; k++) {
        const carom_scene_contact *c = &s->contacts[k];
        if (c->shape[0] != (int)shape && c->shape[1] != (int)shape)
            continue;
        for (size_t frame = 0; frame < s->snapshot_count; frame++) {
            carom_scene_pose pose = body_pose(s, (size_t)(info->on.body + 1), frame);
            carom_vec3 origin =
                carom_v3_add(pose.p, carom_m3_apply(&pose.axes, carom_v3_load(info->on.pose.position)));
            carom_vec3 at = carom_v3(c->point[0][frame], c->point[1][frame], c->point[2] ? c->point[2][frame] : 0);
            double far = carom_v3_norm(carom_v3_sub(at, origin));
            if (isfinite(far))
                reach = fmax(reach, MARGIN * far);
        }
    }
    return reach;
}

/* Whether two shapes are drawn alike: kind and parameters, and the reach if it counts. */
static bool drawn_alike(const carom_scene *s, size_t a, size_t b)
{
    carom_shape_info x, y;
    if (!carom_model_get_shape(s->model, a, &x) || !carom_model_get_shape(s->model, b, &y))
        return false;
    if (x.type != y.type || x.number_count != y.number_count)
        return false;
    for (size_t k = 0; k < x.number_count; k++)
        if (x.numbers[k] != y.numbers[k])
            return false;
    return isfinite(x.radius) || s->shapes[a].reach == s->shapes[b].reach;
}

/* Equal for shapes that are drawn alike. */
static uint64_t drawn_hash(const carom_shape_info *info, double reach)
{
    uint64_t hash = carom_hash(info->type, strlen(info->type), 0);
    for (size_t k = 0; k < info->number_count; k++) {
        double number = info->numbers[k] + 0.0; /* -0 is 0 */
        hash = carom_hash(&number, sizeof number, hash);
    }
    return isfinite(info->radius) ? hash : carom_hash(&reach, sizeof reach, hash);
}

static carom_status make_shapes(carom_scene *s)
{
    carom_shape_info info;
    /* a table of shapes with a mesh of their own by their hash, at most half full; a place holds the shape's index +
       1 */
    size_t places = 16;
    while (places < 2 * s->shape_count + 2)
        places *= 2;
    size_t *table = carom_arena_alloc(&s->arena, places, sizeof *table);
    if (!table)
        return carom_fail_memory(s->ctx);
    for (size_t k = 0; k < s->shape_count && carom_model_get_shape(s->model, k, &info); k++) {
        s->shapes[k] = (carom_scene_shape){.name = info.name,
                                           .kind = info.type,
                                           .body = info.on.body + 1,
                                           .mesh = (int)s->mesh_count,
                                           .at = carom_v3_load(info.on.pose.position),
                                           .axes = matrix(info.on.pose.axes),
                                           .hidden = info.hidden,
                                           .colour = info.colour,
                                           .reach = find_reach(s, k, &info)};
        size_t place = (size_t)drawn_hash(&info, s->shapes[k].reach) & (places - 1);
        while (table[place] && !drawn_alike(s, table[place] - 1, k))
            place = (place + 1) & (places - 1);
        if (table[place]) {
            s->shapes[k].mesh = s->shapes[table[place] - 1].mesh;
            continue;
        }
        table[place] = k + 1;
        CAROM_TRY(carom_model_shape_mesh(s->ctx, s->model, k, s->shapes[k].reach, &s->meshes[s->mesh_count]));
        s->mesh_count++;
    }
    return CAROM_OK;
}

/* ---- the whole ---- */

static carom_status fill_scene(carom_scene *s, carom_result *result)
{
    CAROM_TRY(compile_model(s, result));
    s->model = choose_model(s->compiled, result);
    CAROM_TRY(make_lists(s));
    fill_lists(s);
    CAROM_TRY(fill_curves(s));
    CAROM_TRY(load_frames(s, result));
    return make_shapes(s);
}

carom_status carom_scene_create(carom_result *result, carom_scene **out)
{
    carom_context *ctx = carom_result_context(result);
    *out = NULL;
    carom_scene *s = carom_allocate(ctx, 1, sizeof *s);
    if (!s)
        return carom_fail_memory(ctx);
    s->ctx = ctx;
    s->path = carom_result_path(result);
    carom_arena_init(&s->arena, ctx);
    carom_status status = fill_scene(s, result);
    if (status == CAROM_OK)
        *out = s;
    else
        carom_scene_free(s);
    return status;
}

void carom_scene_free(carom_scene *s)
{
    if (!s)
        return;
    carom_context *ctx = s->ctx;
    for (size_t k = 0; k < s->mesh_count; k++)
        carom_mesh_free(ctx, &s->meshes[k]);
    carom_model_free(s->compiled);
    carom_arena_free(&s->arena);
    carom_release(ctx, s, 1, sizeof *s);
}
