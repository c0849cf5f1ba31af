/* The parts of a model for those outside: joints, loads, shapes with their meshes, contacts with their gaps. */
#include <string.h>

#include "dynamics/dynamics.h"
#include "geometry/path/path.h"
#include "kinds/joint/joint.h"
#include "kinds/shape/shape.h"

static void put_vector(double *out, carom_vec3 v)
{
    out[0] = v.x;
    out[1] = v.y;
    out[2] = v.z;
}

static carom_pose pose_of(carom_vec3 at, const carom_mat3 *axes)
{
    carom_pose pose;
    put_vector(pose.position, at);
    memcpy(pose.axes, axes->m, sizeof pose.axes);
    return pose;
}

/* The ground is body 0 inside, -1 outside. */
static carom_attachment attachment_of(const carom_marker *marker)
{
    return (carom_attachment){.body = marker->body - 1, .pose = pose_of(marker->at, &marker->axes)};
}

bool carom_model_get_joint(const carom_model *m, size_t index, carom_joint_info *out)
{
    if (!m || index >= (size_t)m->joint_count)
        return false;
    const carom_model_joint *j = &m->joints[index];
    *out = (carom_joint_info){.name = j->name,
                              .type = j->kind->kind.name,
                              .side = {attachment_of(&j->i), attachment_of(&j->j)},
                              .has_axis = j->kind->has_axis,
                              .drawn = j->kind->drawn};
    return true;
}

bool carom_model_joint_curve(const carom_model *m, size_t index, size_t count, double *points)
{
    if (!m || index >= (size_t)m->joint_count || !m->joints[index].kind->follow)
        return false;
    const carom_model_joint *j = &m->joints[index];
    const double last = count > 1 ? (double)count - 1 : 1;
    for (size_t k = 0; k < count; k++) {
        carom_path_point at;
        carom_path_at(j->p, j->p[CAROM_PATH_LENGTH] * ((double)k / last), &at);
        put_vector(points + 3 * k, carom_v3_add(j->i.at, carom_m3_apply(&j->i.axes, at.at)));
    }
    return true;
}

bool carom_model_get_load(const carom_model *m, size_t index, carom_load_info *out)
{
    if (!m || !out || index >= (size_t)m->load_count)
        return false;
    const carom_compiled_load *l = &m->loads[index];
    *out = (carom_load_info){.name = l->name,
                             .type = l->kind->kind.name,
                             .side = {attachment_of(&l->i), attachment_of(&l->j)},
                             .drawn = l->kind->drawn};
    return true;
}

bool carom_model_get_shape(const carom_model *m, size_t index, carom_shape_info *out)
{
    if (!m || !out || index >= (size_t)m->shape_count)
        return false;
    const carom_model_shape *s = &m->shapes[index];
    *out = (carom_shape_info){.name = s->name,
                              .type = s->kind->kind.name,
                              .on = {s->body - 1, pose_of(s->at, &s->axes)},
                              .radius = carom_shape_bounding_radius(s->kind, s->p, m->dimension == 2),
                              .numbers = s->p,
                              .number_count = (size_t)s->size,
                              .visual = s->visual,
                              .hidden = s->hidden,
                              .colour = s->colour};
    return true;
}

bool carom_model_get_contact(const carom_model *m, size_t index, carom_contact_info *out)
{
    if (!m || !out || index >= (size_t)m->contact_count)
        return false;
    const carom_model_contact *c = &m->contacts[index];
    *out = (carom_contact_info){.name = c->name,
                                .law = c->law.name,
                                .friction = c->friction ? c->friction->kind.name : NULL,
                                .shape = {c->shape_i, c->shape_j},
                                .body = {c->body_i - 1, c->body_j - 1}};
    return true;
}

/* ---- meshes: a first call of the kind counts, a second one fills ---- */

/* Counts only while the arrays are NULL. */
typedef struct gatherer {
    carom_mesh *mesh;
    size_t points, triangles, lines;
} gatherer;

static void take_point(void *user, carom_vec3 at, carom_vec3 normal)
{
    gatherer *g = user;
    if (g->mesh->points) {
        put_vector(g->mesh->points + 3 * g->points, at);
        put_vector(g->mesh->normals + 3 * g->points, normal);
    }
    g->points++;
}

static void take_triangle(void *user, int a, int b, int c)
{
    gatherer *g = user;
    if (g->mesh->triangles) {
        uint32_t *corner = g->mesh->triangles + 3 * g->triangles;
        corner[0] = (uint32_t)a;
        corner[1] = (uint32_t)b;
        corner[2] = (uint32_t)c;
    }
    g->triangles++;
}

static void take_line(void *user, int a, int b)
{
    gatherer *g = user;
    if (g->mesh->lines) {
        g->mesh->lines[2 * g->lines] = (uint32_t)a;
        g->mesh->lines[2 * g->lines + 1] = (uint32_t)b;
    }
    g->lines++;
}

static void draw(const carom_model *m, const carom_model_shape *s, double reach, gatherer *g)
{
    const carom_mesh_sink sink = {g, take_point, take_triangle, take_line};
    g->points = g->triangles = g->lines = 0;
    carom_shape_draw(s->kind, s->p, m->dimension == 2, reach, &sink);
}

carom_status carom_model_shape_mesh(carom_context *ctx, const carom_model *m, size_t shape, double reach,
                                    carom_mesh *out)
{
    CAROM_NEED(ctx, ctx);
    CAROM_NEED_AS(ctx, m, "model");
    CAROM_NEED(ctx, out);
    *out = (carom_mesh){0};
    if (shape >= (size_t)m->shape_count)
        return carom_fail(ctx, CAROM_ERROR_USAGE, NULL, "shape %zu: the model has %d", shape, m->shape_count);
    const carom_model_shape *s = &m->shapes[shape];
    carom_mesh mesh = {0};
    gatherer g = {.mesh = &mesh};
    draw(m, s, reach, &g);
    mesh.point_count = g.points;
    mesh.triangle_count = g.triangles;
    mesh.line_count = g.lines;
    mesh.points = carom_allocate(ctx, g.points, 3 * sizeof *mesh.points);
    mesh.normals = carom_allocate(ctx, g.points, 3 * sizeof *mesh.normals);
    mesh.triangles = carom_allocate(ctx, g.triangles, 3 * sizeof *mesh.triangles);
    mesh.lines = carom_allocate(ctx, g.lines, 2 * sizeof *mesh.lines);
    if (!mesh.points || !mesh.normals || !mesh.triangles || !mesh.lines) {
        carom_mesh_free(ctx, &mesh);
        return carom_fail_memory(ctx);
    }
    draw(m, s, reach, &g);
    *out = mesh;
    return CAROM_OK;
}

void carom_mesh_free(carom_context *ctx, carom_mesh *mesh)
{
    carom_release(ctx, mesh->points, mesh->point_count, 3 * sizeof *mesh->points);
    carom_release(ctx, mesh->normals, mesh->point_count, 3 * sizeof *mesh->normals);
    carom_release(ctx, mesh->triangles, mesh->triangle_count, 3 * sizeof *mesh->triangles);
    carom_release(ctx, mesh->lines, mesh->line_count, 2 * sizeof *mesh->lines);
    *mesh = (carom_mesh){0};
}

/* ---- contacts ---- */

static carom_body_pose body_pose(const carom_pose *pose)
{
    carom_body_pose body = {.p = carom_v3_load(pose->position)};
    memcpy(body.axes.m, pose->axes, sizeof body.axes.m);
    return body;
}

carom_status carom_model_contact_gap(carom_context *ctx, const carom_model *m, size_t contact, const carom_pose *first,
                                     const carom_pose *second, carom_gap *out)
{
    CAROM_NEED(ctx, ctx);
    CAROM_NEED_AS(ctx, m, "model");
    CAROM_NEED(ctx, first);
    CAROM_NEED(ctx, second);
    CAROM_NEED(ctx, out);
    if (contact >= (size_t)m->contact_count)
        return carom_fail(ctx, CAROM_ERROR_USAGE, NULL, "contact %zu: the model has %d", contact, m->contact_count);
    const carom_body_pose i = body_pose(first), j = body_pose(second);
    carom_contact_point at;
    carom_contact_geometry_at(m, NULL, (int)contact, &i, &j, &at);
    out->gap = at.gap;
    put_vector(out->point, at.point);
    put_vector(out->normal, at.normal);
    return CAROM_OK;
}
