/* Shapes as meshes: spheres by latitude and longitude, discs as polygons with a spoke, planes as squares or lines. */
#include "io/vtk_mesh.h"

#include <math.h>
#include <string.h>

#include "kinds/shape.h"

#define RIM 64              /* points of a circle */
#define LONGITUDES 32
#define LATITUDES 16        /* bands from pole to pole */

/* The most that one shape needs. */
#define MAX_POINTS (2 + (LATITUDES - 1) * LONGITUDES)
#define MAX_CELLS (LATITUDES * LONGITUDES)
#define MAX_CORNERS (4 * MAX_CELLS)

typedef struct builder {
    carom_vtk_mesh *mesh;
    const carom_model_shape *shape;
    int32_t index;
    int32_t *line_shape, *poly_shape;
} builder;

/* Adds a point in shape axes about the shape's origin; gives its index. */
static int64_t add_point(builder *b, carom_vec3 at, carom_vec3 normal)
{
    const carom_model_shape *s = b->shape;
    carom_vtk_point *point = &b->mesh->points[b->mesh->point_count];
    point->at = carom_v3_add(s->at, carom_m3_apply(&s->axes, at));
    point->normal = carom_m3_apply(&s->axes, normal);
    point->body = s->body;
    return (int64_t)b->mesh->point_count++;
}

static void add_cell(builder *b, bool line, const int64_t *corners, size_t count)
{
    carom_vtk_cells *cells = line ? &b->mesh->lines : &b->mesh->polys;
    memcpy(cells->corners + cells->corner_count, corners, count * sizeof *corners);
    cells->corner_count += count;
    (line ? b->line_shape : b->poly_shape)[cells->count] = b->index;
    cells->ends[cells->count++] = (int64_t)cells->corner_count;
}

/* A disc with a line from its centre to its rim, which shows how it turns; of a hollow one the circle. */
static void add_circle(builder *b, double radius)
{
    int64_t corners[RIM + 1];
    for (int k = 0; k < RIM; k++) {
        double angle = 2 * CAROM_PI * k / RIM;
        corners[k] = add_point(b, carom_v3(fabs(radius) * cos(angle), fabs(radius) * sin(angle), 0),
                               carom_v3(0, 0, 1));
    }
    corners[RIM] = corners[0];
    if (radius < 0) {
        add_cell(b, true, corners, RIM + 1);
        return;
    }
    int64_t spoke[2] = {add_point(b, carom_v3(0, 0, 0), carom_v3(0, 0, 1)), corners[0]};
    add_cell(b, true, spoke, 2);
    add_cell(b, false, corners, RIM);
}

/* Corners run counterclockwise as seen against the normal, which points inwards where the sphere is hollow. */
static void add_polygon(builder *b, bool hollow, const int64_t *corners, size_t count)
{
    int64_t turned[4];
    for (size_t k = 0; k < count; k++)
        turned[k] = corners[hollow ? count - 1 - k : k];
    add_cell(b, false, turned, count);
}

static void add_sphere(builder *b, double radius)
{
    bool hollow = radius < 0;
    double size = fabs(radius), out = hollow ? -1 : 1;
    int64_t south = add_point(b, carom_v3(0, 0, -size), carom_v3(0, 0, -out)), ring = south + 1;
    for (int i = 1; i < LATITUDES; i++)
        for (int j = 0; j < LONGITUDES; j++) {
            double polar = CAROM_PI * i / LATITUDES, angle = 2 * CAROM_PI * j / LONGITUDES;
            carom_vec3 n = carom_v3(sin(polar) * cos(angle), sin(polar) * sin(angle), -cos(polar));
            add_point(b, carom_v3_scale(size, n), carom_v3_scale(out, n));
        }
    int64_t north = add_point(b, carom_v3(0, 0, size), carom_v3(0, 0, out));
    int64_t last = ring + (LATITUDES - 2) * LONGITUDES;
    for (int j = 0; j < LONGITUDES; j++) {
        int next = (j + 1) % LONGITUDES;
        add_polygon(b, hollow, (const int64_t[]){south, ring + next, ring + j}, 3);
        for (int64_t low = ring; low < last; low += LONGITUDES)
            add_polygon(b, hollow,
                        (const int64_t[]){low + j, low + next, low + LONGITUDES + next, low + LONGITUDES + j}, 4);
        add_polygon(b, hollow, (const int64_t[]){last + j, last + next, north}, 3);
    }
}

static void add_plane(builder *b, const double *p, double reach, bool planar)
{
    carom_vec3 n = carom_unit(carom_v3_load(p));
    if (planar) {
        carom_vec3 along = carom_v3(-n.y * reach, n.x * reach, 0);
        int64_t ends[2] = {add_point(b, carom_v3_neg(along), n), add_point(b, along, n)};
        add_cell(b, true, ends, 2);
        return;
    }
    carom_mat3 axes = carom_m3_axes(n, carom_v3(1, 0, 0));
    static const int sides[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
    int64_t corners[4];
    for (int k = 0; k < 4; k++)
        corners[k] = add_point(b, carom_m3_apply(&axes, carom_v3(sides[k][0] * reach, sides[k][1] * reach, 0)), n);
    add_cell(b, false, corners, 4);
}

static bool make_cells(carom_arena *arena, size_t shapes, bool lines, carom_vtk_cells *out)
{
    out->corners = carom_arena_alloc(arena, shapes * (lines ? RIM + 1 : MAX_CORNERS), sizeof *out->corners);
    out->ends = carom_arena_alloc(arena, shapes * (lines ? 1 : MAX_CELLS), sizeof *out->ends);
    return out->corners && out->ends;
}

carom_status carom_vtk_mesh_make(carom_arena *arena, const carom_model *model, const double *reach,
                                 carom_vtk_mesh *out)
{
    size_t shapes = (size_t)model->shape_count, cells = shapes * (MAX_CELLS + 1);
    *out = (carom_vtk_mesh){.points = carom_arena_alloc(arena, shapes * MAX_POINTS, sizeof *out->points)};
    bool room = make_cells(arena, shapes, true, &out->lines) && make_cells(arena, shapes, false, &out->polys);
    out->cell_body = carom_arena_alloc(arena, cells, sizeof *out->cell_body);
    out->cell_shape = carom_arena_alloc(arena, cells, sizeof *out->cell_shape);
    builder b = {.mesh = out, .poly_shape = carom_arena_alloc(arena, cells, sizeof(int32_t))};
    if (!room || !out->points || !out->cell_body || !out->cell_shape || !b.poly_shape)
        return carom_fail_memory(arena->ctx);
    b.line_shape = out->cell_shape;
    for (int k = 0; k < model->shape_count; k++) {
        const carom_model_shape *s = b.shape = &model->shapes[k];
        bool planar = model->dimension == 2;
        b.index = k;
        if (s->kind == &carom_shape_plane)
            add_plane(&b, s->p, reach[k], planar);
        else if (s->kind == &carom_shape_sphere && planar)
            add_circle(&b, carom_sphere_radius(s->p));
        else if (s->kind == &carom_shape_sphere)
            add_sphere(&b, carom_sphere_radius(s->p));
    }
    memcpy(out->cell_shape + out->lines.count, b.poly_shape, out->polys.count * sizeof *b.poly_shape);
    for (size_t k = 0; k < out->lines.count + out->polys.count; k++)
        out->cell_body[k] = model->shapes[out->cell_shape[k]].body;
    return CAROM_OK;
}

/* ---- arrays ---- */

const char *carom_vtk_byte_order(void)
{
    const uint16_t one = 1;
    unsigned char first;
    memcpy(&first, &one, 1);
    return first ? "LittleEndian" : "BigEndian";
}

void carom_vtk_append_arrays(carom_text *text, const carom_vtk_array *arrays, size_t count)
{
    size_t offset = 0;
    for (size_t k = 0; k < count; k++) {
        const carom_vtk_array *a = &arrays[k];
        if (k == 0 || strcmp(a->element, arrays[k - 1].element) != 0)
            carom_text_append(text, "<%s>\n", a->element);
        carom_text_append(text, "<DataArray type=\"%s\" Name=\"%s\" NumberOfComponents=\"%d\" format=\"appended\" "
                                "offset=\"%zu\"/>\n",
                          a->type, a->name, a->components, offset);
        if (k + 1 == count || strcmp(a->element, arrays[k + 1].element) != 0)
            carom_text_append(text, "</%.*s>\n", (int)strcspn(a->element, " "), a->element);
        offset += sizeof(uint64_t) + a->bytes;
    }
    carom_text_append(text, "</Piece>\n</PolyData>\n<AppendedData encoding=\"raw\">\n_");
    for (size_t k = 0; k < count; k++) {
        uint64_t bytes = arrays[k].bytes;
        carom_text_append_n(text, (const char *)&bytes, sizeof bytes);
        carom_text_append_n(text, arrays[k].data, arrays[k].bytes);
    }
    carom_text_append(text, "\n</AppendedData>\n</VTKFile>\n");
}
