/* Meshes of shapes: a first call of the kind counts, a second one fills. */
#include "export/mesh.h"
#include "kinds/shape/shape.h"

/* Counts only while the arrays are NULL. */
typedef struct gatherer {
    carom_mesh *mesh;
    size_t points, triangles, lines;
} gatherer;

static void put_vector(double *out, carom_vec3 v)
{
    out[0] = v.x;
    out[1] = v.y;
    out[2] = v.z;
}

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

carom_status carom_mesh_make(carom_arena *arena, const carom_shape_kind *kind, const double *p, bool planar,
                             double reach, carom_mesh *out)
{
    *out = (carom_mesh){0};
    gatherer g = {.mesh = out};
    const carom_mesh_sink sink = {&g, take_point, take_triangle, take_line};
    carom_shape_mesh(kind, p, planar, reach, &sink);
    out->point_count = g.points;
    out->triangle_count = g.triangles;
    out->line_count = g.lines;
    out->points = carom_arena_alloc(arena, g.points, 3 * sizeof *out->points);
    out->normals = carom_arena_alloc(arena, g.points, 3 * sizeof *out->normals);
    out->triangles = carom_arena_alloc(arena, g.triangles, 3 * sizeof *out->triangles);
    out->lines = carom_arena_alloc(arena, g.lines, 2 * sizeof *out->lines);
    if (!out->points || !out->normals || !out->triangles || !out->lines)
        return carom_fail_memory(arena->ctx);
    g.points = g.triangles = g.lines = 0;
    carom_shape_mesh(kind, p, planar, reach, &sink);
    return CAROM_OK;
}
