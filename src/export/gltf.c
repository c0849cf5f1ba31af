/* Results as glTF 2.0: one binary file with a node a body, its shapes as meshes, and the motion of the snapshots as an
   animation. Bodies without shapes are drawn as bars between the points of their joints.
   Source: Khronos Group, glTF 2.0 Specification, sections 3.5 (scenes), 3.7 (geometry), 3.9 (materials), 3.11
   (animations). */
#include "export/gltf_file.h"

#include <stdio.h>
#include <math.h>
#include <string.h>

#include "carom/export.h"
#include "result/h5.h"
#include "export/scene.h"

#define BAR 0.015 /* thickness of bars, as a share of the model's length */
#define LAYERS 4  /* planar bars are so many times flatter, and lie behind z = 0 in so many layers */
#define LIFT 2e-3 /* lines lie this share of a mesh's size above its triangles, so that neither hides the other */
#define NONE (-1)

enum { MODE_LINES = 1 }; /* of primitives; triangles are the default */

/* Accessors of a mesh of the scene, which all bodies share; NONE: has none of these. */
typedef struct mesh_data {
    int points, normals, triangles, line_points, lines;
} mesh_data;

/* A mesh of the file: one of the scene's, or the bars' cube (data NONE), in the material of a body or of a colour. */
typedef struct coloured_mesh {
    int data, body;
    int colour; /* 0xrrggbb; NONE: that of the body */
} coloured_mesh;

typedef struct node {
    const char *name;
    int parent, mesh; /* NONE: none */
    carom_vec3 at, scale;
    carom_quat turn;
} node;

typedef struct exporter {
    carom_context *ctx;
    const carom_result *result;
    const carom_scene *scene;
    carom_arena arena;
    carom_gltf_file file;
    carom_json json;
    double speed;     /* [1] of the animation, of the time of the run */
    size_t key_count; /* snapshots whose times differ as floats */
    size_t *keys;
    float *times; /* of the keys, in the animation [s] */
    mesh_data *meshes, cube;
    coloured_mesh *coloured;
    size_t coloured_count, coloured_capacity;
    node *nodes;
    size_t node_count, node_capacity;
    int *body_node; /* NONE: the body is not drawn */
} exporter;

/* ---- values ---- */

static carom_vec3 body_position(const exporter *e, size_t body, size_t frame)
{
    const double *const *p = e->scene->bodies[body].position;
    return p[0] ? carom_v3(p[0][frame], p[1][frame], p[2] ? p[2][frame] : 0) : carom_v3(0, 0, 0);
}

static carom_quat body_turn(const exporter *e, size_t body, size_t frame)
{
    const carom_scene_body *b = &e->scene->bodies[body];
    if (b->angle)
        return (carom_quat){cos(b->angle[frame] / 2), 0, 0, sin(b->angle[frame] / 2)};
    if (!b->orientation[0])
        return (carom_quat){1, 0, 0, 0};
    return carom_quat_normalise((carom_quat){b->orientation[0][frame], b->orientation[1][frame],
                                             b->orientation[2][frame], b->orientation[3][frame]});
}

/* ---- time ---- */

/* The snapshots whose times still rise as floats, from 0, as the format wants the keys of animations. */
static carom_status choose_keys(exporter *e)
{
    const carom_scene *s = e->scene;
    e->keys = carom_arena_alloc(&e->arena, s->snapshot_count, sizeof *e->keys);
    e->times = carom_arena_alloc(&e->arena, s->snapshot_count, sizeof *e->times);
    if (!e->keys || !e->times)
        return carom_fail_memory(e->ctx);
    for (size_t k = 0; k < s->snapshot_count; k++) {
        float time = (float)((s->time[k] - s->time[0]) / e->speed);
        if (!isfinite(time))
            return carom_fail(e->ctx, CAROM_ERROR_USAGE, NULL,
                              "%s: the speed %g makes its times too long for a glTF file", s->path, e->speed);
        if (e->key_count > 0 && !(time > e->times[e->key_count - 1]))
            continue;
        e->times[e->key_count] = time;
        e->keys[e->key_count++] = k;
    }
    return CAROM_OK;
}

/* ---- meshes ---- */

static void put_vector(exporter *e, carom_vec3 v)
{
    carom_gltf_float(&e->file, v.x);
    carom_gltf_float(&e->file, v.y);
    carom_gltf_float(&e->file, v.z);
}

static int put_vectors(exporter *e, const double *values, size_t count, bool bounded)
{
    int accessor = carom_gltf_begin(&e->file, CAROM_GLTF_VERTICES, 3, bounded);
    for (size_t k = 0; k < count; k++)
        put_vector(e, carom_v3_load(values + 3 * k));
    return accessor;
}

static int put_indices(exporter *e, const uint32_t *indices, size_t count)
{
    int accessor = carom_gltf_begin(&e->file, CAROM_GLTF_INDICES, 1, false);
    for (size_t k = 0; k < count; k++)
        carom_gltf_index(&e->file, indices[k]);
    return accessor;
}

/* The points of a mesh a little above it, for its lines. */
static int put_lifted(exporter *e, const carom_mesh *m)
{
    double size = 0;
    for (size_t k = 0; k < m->point_count; k++)
        size = fmax(size, carom_v3_norm(carom_v3_load(m->points + 3 * k)));
    int accessor = carom_gltf_begin(&e->file, CAROM_GLTF_VERTICES, 3, true);
    for (size_t k = 0; k < m->point_count; k++)
        put_vector(
            e, carom_v3_add_scaled(carom_v3_load(m->points + 3 * k), LIFT * size, carom_v3_load(m->normals + 3 * k)));
    return accessor;
}

static mesh_data put_mesh(exporter *e, const carom_mesh *m)
{
    mesh_data d = {NONE, NONE, NONE, NONE, NONE};
    if (m->triangle_count) {
        d.points = put_vectors(e, m->points, m->point_count, true);
        d.normals = put_vectors(e, m->normals, m->point_count, false);
        d.triangles = put_indices(e, m->triangles, 3 * m->triangle_count);
    }
    if (m->line_count) {
        d.line_points = m->triangle_count ? put_lifted(e, m) : put_vectors(e, m->points, m->point_count, true);
        d.lines = put_indices(e, m->lines, 2 * m->line_count);
    }
    return d;
}

/* A cube of side 1 about the origin, four points a face. */
static mesh_data put_cube(exporter *e)
{
    double points[24 * 3], normals[24 * 3];
    uint32_t triangles[6 * 6];
    for (int face = 0; face < 6; face++) {
        const int axis = face / 2, sign = face % 2 ? -1 : 1;
        for (int k = 0; k < 4; k++) {
            double *p = points + 3 * (4 * face + k), *n = normals + 3 * (4 * face + k);
            const int u = k == 1 || k == 2 ? 1 : -1, v = (k >= 2 ? 1 : -1) * sign;
            n[axis] = sign;
            n[(axis + 1) % 3] = n[(axis + 2) % 3] = 0;
            p[axis] = 0.5 * sign;
            p[(axis + 1) % 3] = 0.5 * u;
            p[(axis + 2) % 3] = 0.5 * v;
        }
        static const uint32_t corners[6] = {0, 1, 2, 0, 2, 3};
        for (int k = 0; k < 6; k++)
            triangles[6 * face + k] = (uint32_t)(4 * face) + corners[k];
    }
    const carom_mesh cube = {
        .point_count = 24, .triangle_count = 12, .points = points, .normals = normals, .triangles = triangles};
    return put_mesh(e, &cube);
}

/* The mesh `data` in a body's material; NONE when out of memory. */
static int find_coloured(exporter *e, int data, int body, int colour)
{
    for (size_t k = 0; k < e->coloured_count; k++)
        if (e->coloured[k].data == data && e->coloured[k].body == body && e->coloured[k].colour == colour)
            return (int)k;
    if (carom_grow(e->ctx, &e->coloured, &e->coloured_capacity, e->coloured_count + 1, sizeof *e->coloured) != CAROM_OK)
        return NONE;
    e->coloured[e->coloured_count] = (coloured_mesh){data, body, colour};
    return (int)e->coloured_count++;
}

/* ---- nodes ---- */

static carom_status add_node(exporter *e, const node *n)
{
    CAROM_TRY(carom_grow(e->ctx, &e->nodes, &e->node_capacity, e->node_count + 1, sizeof *e->nodes));
    e->nodes[e->node_count++] = *n;
    return CAROM_OK;
}

static carom_status add_shapes(exporter *e, int body)
{
    for (size_t k = 0; k < e->scene->shape_count; k++) {
        const carom_scene_shape *s = &e->scene->shapes[k];
        if (s->body != body || s->hidden)
            continue;
        const node n = {.name = s->name,
                        .parent = e->body_node[body],
                        .mesh = find_coloured(e, s->mesh, body, s->colour),
                        .at = s->at,
                        .scale = carom_v3(1, 1, 1),
                        .turn = carom_quat_from_axes(&s->axes)};
        if (n.mesh == NONE)
            return carom_fail_memory(e->ctx);
        CAROM_TRY(add_node(e, &n));
    }
    return CAROM_OK;
}

static carom_status add_bar(exporter *e, int body, carom_vec3 from, carom_vec3 to)
{
    const carom_vec3 along = carom_v3_sub(to, from), middle = carom_v3_scale(0.5, carom_v3_add(from, to));
    const double length = carom_v3_norm(along), thickness = BAR * e->scene->length;
    const bool planar = e->scene->dimension == 2;
    const double depth = planar ? thickness / LAYERS : thickness, back = planar ? (body % LAYERS + 1) * depth : 0;
    /* the bar lies along z of its own axes, x is that of the depth; it overlaps the points at its ends */
    const carom_mat3 axes = carom_m3_axes(length > 0 ? along : carom_v3(1, 0, 0), carom_v3(0, 0, 1));
    const node n = {.name = "bar",
                    .parent = e->body_node[body],
                    .mesh = find_coloured(e, NONE, body, NONE),
                    .at = carom_v3_sub(middle, carom_v3(0, 0, back)),
                    .scale = carom_v3(depth, thickness, length + thickness),
                    .turn = carom_quat_from_axes(&axes)};
    return n.mesh == NONE ? carom_fail_memory(e->ctx) : add_node(e, &n);
}

/* Bars from joint to joint, and back to the first where there are more than two; from a single one to the centre of
   mass. */
static carom_status add_bars(exporter *e, int body)
{
    const carom_scene *s = e->scene;
    carom_vec3 *points = carom_arena_alloc(&e->arena, 2 * s->joint_count + 2, sizeof *points);
    if (!points)
        return carom_fail_memory(e->ctx);
    size_t count = 0;
    for (size_t k = 0; k < s->joint_count; k++)
        for (int side = 0; side < 2; side++) {
            if (s->joints[k].body[side] != body)
                continue;
            bool known = false;
            for (size_t i = 0; i < count; i++)
                known |= carom_v3_norm(carom_v3_sub(points[i], s->joints[k].at[side])) <= 0;
            if (!known)
                points[count++] = s->joints[k].at[side];
        }
    if (count < 2)
        points[count++] = carom_v3(0, 0, 0);
    if (count == 1)
        points[count++] = points[0];
    for (size_t k = 0; k + 1 < count; k++)
        CAROM_TRY(add_bar(e, body, points[k], points[k + 1]));
    return count > 2 ? add_bar(e, body, points[count - 1], points[0]) : CAROM_OK;
}

static bool has_shapes(const carom_scene *s, size_t body)
{
    for (size_t k = 0; k < s->shape_count; k++)
        if (s->shapes[k].body == (int)body)
            return true;
    return false;
}

/* The root, which turns z up to y up in spatial models, the bodies below it, and below these what they are drawn
   with. */
static carom_status add_nodes(exporter *e)
{
    const carom_scene *s = e->scene;
    const char *name = carom_result_model_name(e->result);
    node root = {.name = name && name[0] ? name : "model",
                 .parent = NONE,
                 .mesh = NONE,
                 .scale = carom_v3(1, 1, 1),
                 .turn = {1, 0, 0, 0}};
    if (s->dimension == 3)
        root.turn = (carom_quat){sqrt(0.5), -sqrt(0.5), 0, 0};
    CAROM_TRY(add_node(e, &root));
    e->body_node = carom_arena_alloc(&e->arena, s->body_count, sizeof *e->body_node);
    if (!e->body_node)
        return carom_fail_memory(e->ctx);
    for (size_t k = 0; k < s->body_count; k++) {
        const bool shaped = has_shapes(s, k);
        e->body_node[k] = NONE;
        if (k == 0 && !shaped)
            continue;
        e->body_node[k] = (int)e->node_count;
        const node n = {.name = s->bodies[k].name,
                        .parent = 0,
                        .mesh = NONE,
                        .at = body_position(e, k, 0),
                        .scale = carom_v3(1, 1, 1),
                        .turn = body_turn(e, k, 0)};
        CAROM_TRY(add_node(e, &n));
        CAROM_TRY(shaped ? add_shapes(e, (int)k) : add_bars(e, (int)k));
    }
    return CAROM_OK;
}

static void write_quat(carom_json *json, const char *key, carom_quat q)
{
    carom_json_numbers(
        json, key, (const double[]){(double)(float)q.x, (double)(float)q.y, (double)(float)q.z, (double)(float)q.w}, 4);
}

static void write_vector(carom_json *json, const char *key, carom_vec3 v)
{
    carom_json_numbers(json, key, (const double[]){v.x, v.y, v.z}, 3);
}

static void write_children(exporter *e, int parent)
{
    bool open = false;
    for (size_t k = 0; k < e->node_count; k++) {
        if (e->nodes[k].parent != parent)
            continue;
        if (!open)
            carom_json_begin(&e->json, "children", '[');
        open = true;
        carom_json_number(&e->json, NULL, (double)k);
    }
    if (open)
        carom_json_end(&e->json, ']');
}

static void write_nodes(exporter *e)
{
    carom_json *json = &e->json;
    carom_json_begin(json, "nodes", '[');
    for (size_t k = 0; k < e->node_count; k++) {
        const node *n = &e->nodes[k];
        carom_json_begin(json, NULL, '{');
        carom_json_text(json, "name", n->name);
        if (n->mesh != NONE)
            carom_json_number(json, "mesh", n->mesh);
        write_vector(json, "translation", n->at);
        write_quat(json, "rotation", n->turn);
        if (n->mesh != NONE)
            write_vector(json, "scale", n->scale);
        else
            write_children(e, (int)k);
        carom_json_end(json, '}');
    }
    carom_json_end(json, ']');
}

/* ---- materials ---- */

/* Colours of Okabe and Ito (2008), as sRGB; the ground is grey, lines are dark. */
static const unsigned char colours[][3] = {{0, 114, 178}, {213, 94, 0},   {0, 158, 115}, {204, 121, 167},
                                           {230, 159, 0}, {86, 180, 233}, {240, 228, 66}};
static const unsigned char ground_colour[3] = {170, 170, 170}, line_colour[3] = {30, 30, 30};

/* A part of an sRGB colour as the linear intensity that glTF wants (IEC 61966-2-1). */
static double linear(unsigned char part)
{
    double c = part / 255.0;
    return c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
}

static void write_material(exporter *e, const char *name, const unsigned char colour[3])
{
    carom_json *json = &e->json;
    const double rgba[4] = {linear(colour[0]), linear(colour[1]), linear(colour[2]), 1};
    carom_json_begin(json, NULL, '{');
    carom_json_text(json, "name", name);
    carom_json_begin(json, "pbrMetallicRoughness", '{');
    carom_json_numbers(json, "baseColorFactor", rgba, 4);
    carom_json_number(json, "metallicFactor", 0);
    carom_json_number(json, "roughnessFactor", 0.6);
    carom_json_end(json, '}');
    if (e->scene->dimension == 2)
        carom_json_bool(json, "doubleSided", true);
    carom_json_end(json, '}');
}

/* The number of the colour of a mesh among those that shapes give, if it is the first that has it; else NONE. */
static int own_colour(const exporter *e, size_t mesh)
{
    int before = 0;
    if (e->coloured[mesh].colour == NONE)
        return NONE;
    for (size_t k = 0; k < mesh; k++) {
        bool first = e->coloured[k].colour != NONE;
        if (e->coloured[k].colour == e->coloured[mesh].colour)
            return NONE;
        for (size_t n = 0; n < k && first; n++)
            first = e->coloured[n].colour != e->coloured[k].colour;
        before += first;
    }
    return before;
}

static bool has_lines(const exporter *e)
{
    bool lines = false;
    for (size_t k = 0; k < e->scene->mesh_count; k++)
        lines |= e->meshes[k].lines != NONE && e->meshes[k].triangles != NONE;
    return lines;
}

/* Each body that is drawn has a material; behind them stands that of lines on surfaces, if there are any. */
static void write_materials(exporter *e)
{
    carom_json_begin(&e->json, "materials", '[');
    for (size_t k = 0; k < e->scene->body_count; k++)
        if (e->body_node[k] != NONE)
            write_material(e, e->scene->bodies[k].name,
                           k == 0 ? ground_colour : colours[(k - 1) % CAROM_COUNT(colours)]);
    if (has_lines(e))
        write_material(e, "lines", line_colour);
    for (size_t k = 0; k < e->coloured_count; k++)
        if (own_colour(e, k) >= 0) {
            const int c = e->coloured[k].colour;
            const unsigned char colour[3] = {(unsigned char)(c >> 16), (unsigned char)(c >> 8), (unsigned char)c};
            char name[16];
            snprintf(name, sizeof name, "#%06x", (unsigned)c);
            write_material(e, name, colour);
        }
    carom_json_end(&e->json, ']');
}

/* Material of a body; of body_count, one behind the last, that of lines on surfaces. */
static int material_of(const exporter *e, int body)
{
    int material = 0;
    for (int k = 0; k < body; k++)
        material += e->body_node[k] != NONE;
    return material;
}

/* That of a mesh: of its body, or of its colour, behind all bodies and lines. */
static int material_of_mesh(const exporter *e, const coloured_mesh *c)
{
    if (c->colour == NONE)
        return material_of(e, c->body);
    size_t first = 0;
    while (e->coloured[first].colour != c->colour)
        first++;
    return material_of(e, (int)e->scene->body_count) + has_lines(e) + own_colour(e, first);
}

static void write_primitive(carom_json *json, int points, int normals, int indices, int material, bool lines)
{
    carom_json_begin(json, NULL, '{');
    carom_json_begin(json, "attributes", '{');
    carom_json_number(json, "POSITION", points);
    if (normals != NONE)
        carom_json_number(json, "NORMAL", normals);
    carom_json_end(json, '}');
    carom_json_number(json, "indices", indices);
    carom_json_number(json, "material", material);
    if (lines)
        carom_json_number(json, "mode", MODE_LINES);
    carom_json_end(json, '}');
}

static void write_meshes(exporter *e)
{
    carom_json *json = &e->json;
    carom_json_begin(json, "meshes", '[');
    for (size_t k = 0; k < e->coloured_count; k++) {
        const coloured_mesh *c = &e->coloured[k];
        const mesh_data *d = c->data == NONE ? &e->cube : &e->meshes[c->data];
        carom_json_begin(json, NULL, '{');
        carom_json_begin(json, "primitives", '[');
        if (d->triangles != NONE)
            write_primitive(json, d->points, d->normals, d->triangles, material_of_mesh(e, c), false);
        /* lines without a surface are the body */
        const int inked = d->triangles == NONE ? c->body : (int)e->scene->body_count;
        if (d->lines != NONE)
            write_primitive(json, d->line_points, NONE, d->lines, material_of(e, inked), true);
        carom_json_end(json, ']');
        carom_json_end(json, '}');
    }
    carom_json_end(json, ']');
}

/* ---- animation ---- */

/* A channel of the animation: the node it moves, and its sampler's values. */
typedef struct motion {
    int node, values;
    bool turns;
} motion;

typedef struct motions {
    motion *items;
    size_t count;
} motions;

static bool same_float(double a, double b) { return !((float)a < (float)b) && !((float)a > (float)b); }

static bool is_moving(const exporter *e, size_t body)
{
    const carom_vec3 start = body_position(e, body, e->keys[0]);
    for (size_t k = 1; k < e->key_count; k++) {
        carom_vec3 p = body_position(e, body, e->keys[k]);
        if (!same_float(p.x, start.x) || !same_float(p.y, start.y) || !same_float(p.z, start.z))
            return true;
    }
    return false;
}

static bool is_turning(const exporter *e, size_t body)
{
    const carom_quat start = body_turn(e, body, e->keys[0]);
    for (size_t k = 1; k < e->key_count; k++) {
        carom_quat q = body_turn(e, body, e->keys[k]);
        if (!same_float(q.x, start.x) || !same_float(q.y, start.y) || !same_float(q.z, start.z) ||
            !same_float(q.w, start.w))
            return true;
    }
    return false;
}

static int put_positions(exporter *e, size_t body)
{
    int accessor = carom_gltf_begin(&e->file, CAROM_GLTF_ANIMATION, 3, false);
    for (size_t k = 0; k < e->key_count; k++)
        put_vector(e, body_position(e, body, e->keys[k]));
    return accessor;
}

/* Of the two quaternions of an orientation the one next to that before. */
static int put_turns(exporter *e, size_t body)
{
    int accessor = carom_gltf_begin(&e->file, CAROM_GLTF_ANIMATION, 4, false);
    carom_quat before = {1, 0, 0, 0};
    for (size_t k = 0; k < e->key_count; k++) {
        carom_quat q = body_turn(e, body, e->keys[k]);
        if (q.w * before.w + q.x * before.x + q.y * before.y + q.z * before.z < 0)
            q = (carom_quat){-q.w, -q.x, -q.y, -q.z};
        const double values[4] = {q.x, q.y, q.z, q.w};
        for (int j = 0; j < 4; j++)
            carom_gltf_float(&e->file, values[j]);
        before = q;
    }
    return accessor;
}

static carom_status make_motions(exporter *e, motions *out, int *times)
{
    const carom_scene *s = e->scene;
    *out = (motions){.items = carom_arena_alloc(&e->arena, 2 * s->body_count, sizeof *out->items)};
    if (!out->items)
        return carom_fail_memory(e->ctx);
    for (size_t k = 1; k < s->body_count; k++) {
        if (is_moving(e, k))
            out->items[out->count++] = (motion){e->body_node[k], put_positions(e, k), false};
        if (is_turning(e, k))
            out->items[out->count++] = (motion){e->body_node[k], put_turns(e, k), true};
    }
    if (out->count == 0)
        return CAROM_OK;
    *times = carom_gltf_begin(&e->file, CAROM_GLTF_ANIMATION, 1, true);
    for (size_t k = 0; k < e->key_count; k++)
        carom_gltf_float(&e->file, (double)e->times[k]);
    return CAROM_OK;
}

static void write_animation(exporter *e, const motions *m, int times)
{
    carom_json *json = &e->json;
    if (m->count == 0)
        return;
    carom_json_begin(json, "animations", '[');
    carom_json_begin(json, NULL, '{');
    carom_json_text(json, "name", e->nodes[0].name);
    carom_json_begin(json, "channels", '[');
    for (size_t k = 0; k < m->count; k++) {
        carom_json_begin(json, NULL, '{');
        carom_json_number(json, "sampler", (double)k);
        carom_json_begin(json, "target", '{');
        carom_json_number(json, "node", m->items[k].node);
        carom_json_text(json, "path", m->items[k].turns ? "rotation" : "translation");
        carom_json_end(json, '}');
        carom_json_end(json, '}');
    }
    carom_json_end(json, ']');
    carom_json_begin(json, "samplers", '[');
    for (size_t k = 0; k < m->count; k++) {
        carom_json_begin(json, NULL, '{');
        carom_json_number(json, "input", times);
        carom_json_number(json, "output", m->items[k].values);
        carom_json_text(json, "interpolation", "LINEAR");
        carom_json_end(json, '}');
    }
    carom_json_end(json, ']');
    carom_json_end(json, '}');
    carom_json_end(json, ']');
}

/* ---- the file ---- */

static void write_head(exporter *e)
{
    carom_json *json = &e->json;
    char generator[64];
    snprintf(generator, sizeof generator, "Carom %s", carom_version());
    carom_json_begin(json, "asset", '{');
    carom_json_text(json, "version", "2.0");
    carom_json_text(json, "generator", generator);
    carom_json_begin(json, "extras", '{');
    carom_json_text(json, "model", carom_result_model_name(e->result));
    carom_json_text(json, "title", carom_result_title(e->result));
    carom_json_text(json, "options", carom_result_options(e->result));
    carom_json_text(json, "version", carom_result_version(e->result));
    carom_json_number(json, "speed", e->speed);
    carom_json_number(json, "start", e->scene->time[0]);
    carom_json_end(json, '}');
    carom_json_end(json, '}');
    carom_json_number(json, "scene", 0);
    carom_json_begin(json, "scenes", '[');
    carom_json_begin(json, NULL, '{');
    carom_json_text(json, "name", e->nodes[0].name);
    carom_json_begin(json, "nodes", '[');
    carom_json_number(json, NULL, 0);
    carom_json_end(json, ']');
    carom_json_end(json, '}');
    carom_json_end(json, ']');
}

static carom_status write_file(exporter *e, const char *path)
{
    motions m;
    int times = NONE;
    CAROM_TRY(choose_keys(e));
    e->meshes = carom_arena_alloc(&e->arena, e->scene->mesh_count, sizeof *e->meshes);
    if (!e->meshes)
        return carom_fail_memory(e->ctx);
    for (size_t k = 0; k < e->scene->mesh_count; k++)
        e->meshes[k] = put_mesh(e, &e->scene->meshes[k]);
    CAROM_TRY(add_nodes(e));
    if (e->coloured_count == 0)
        return carom_fail(e->ctx, CAROM_ERROR_USAGE, NULL,
                          "%s: the model has neither bodies nor shapes, there is nothing to "
                          "draw",
                          e->scene->path);
    for (size_t k = 0; k < e->coloured_count && e->cube.triangles == NONE; k++)
        if (e->coloured[k].data == NONE)
            e->cube = put_cube(e);
    CAROM_TRY(make_motions(e, &m, &times));
    carom_json_begin(&e->json, NULL, '{');
    write_head(e);
    write_nodes(e);
    write_meshes(e);
    write_materials(e);
    carom_gltf_tables(&e->file, &e->json);
    write_animation(e, &m, times);
    carom_json_end(&e->json, '}');
    return carom_gltf_save(&e->file, &e->json, path);
}

carom_status carom_result_write_gltf(carom_result *result, double speed, const char *path)
{
    CAROM_NEED(NULL, result);
    carom_context *ctx = carom_result_context(result);
    if (!path || !path[0])
        return carom_fail(ctx, CAROM_ERROR_USAGE, NULL, "no file to write to; name one");
    if (!(speed > 0) || !isfinite(speed))
        return carom_fail(ctx, CAROM_ERROR_USAGE, NULL,
                          "the speed of the animation must be above 0; 1 is that of the run");
    if (carom_is_same_file(path, carom_result_path(result)))
        return carom_fail(ctx, CAROM_ERROR_USAGE, NULL, "%s: is the result itself; give the glTF file another name",
                          path);
    carom_scene *scene = NULL;
    CAROM_TRY(carom_scene_create(result, &scene));
    exporter e = {.ctx = ctx,
                  .result = result,
                  .scene = scene,
                  .file = {.ctx = ctx, .bytes = {{.ctx = ctx}, {.ctx = ctx}, {.ctx = ctx}}},
                  .json = {.text = {.ctx = ctx}},
                  .speed = speed,
                  .cube = {NONE, NONE, NONE, NONE, NONE}};
    carom_arena_init(&e.arena, ctx);
    carom_status status = carom_scene_need_frames(scene);
    if (status == CAROM_OK)
        status = write_file(&e, path);
    carom_gltf_free(&e.file);
    carom_text_clear(&e.json.text);
    carom_release(ctx, e.coloured, e.coloured_capacity, sizeof *e.coloured);
    carom_release(ctx, e.nodes, e.node_capacity, sizeof *e.nodes);
    carom_arena_free(&e.arena);
    carom_scene_free(scene);
    return status;
}
