/* The shapes of a scene as VTK's points and cells, and VTK's raw appended arrays. */
#include "export/vtk_mesh.h"

#include <string.h>

/* Room for `count` cells of `corners` corners, and where each ends. */
static bool make_cells(carom_arena *arena, size_t count, size_t corners, carom_vtk_cells *out)
{
    *out = (carom_vtk_cells){.corners = carom_arena_alloc(arena, count * corners, sizeof *out->corners),
                             .ends = carom_arena_alloc(arena, count, sizeof *out->ends)};
    return out->corners && out->ends;
}

static void add_cells(carom_vtk_cells *cells, const uint32_t *corners, size_t count, size_t per_cell,
                      size_t first_point)
{
    for (size_t k = 0; k < count; k++) {
        for (size_t j = 0; j < per_cell; j++)
            cells->corners[cells->corner_count++] = (int64_t)(first_point + corners[k * per_cell + j]);
        cells->ends[cells->count++] = (int64_t)cells->corner_count;
    }
}

carom_status carom_vtk_mesh_make(carom_arena *arena, const carom_scene *scene, carom_vtk_mesh *out)
{
    size_t lines = 0, polys = 0;
    for (size_t k = 0; k < scene->shape_count; k++) {
        lines += scene->shapes[k].hidden ? 0 : scene->meshes[scene->shapes[k].mesh].line_count;
        polys += scene->shapes[k].hidden ? 0 : scene->meshes[scene->shapes[k].mesh].triangle_count;
    }
    *out = (carom_vtk_mesh){0};
    bool made = make_cells(arena, lines, 2, &out->lines) && make_cells(arena, polys, 3, &out->polys);
    out->cell_body = carom_arena_alloc(arena, lines + polys, sizeof *out->cell_body);
    out->cell_shape = carom_arena_alloc(arena, lines + polys, sizeof *out->cell_shape);
    if (!made || !out->cell_body || !out->cell_shape)
        return carom_fail_memory(arena->ctx);
    for (size_t k = 0; k < scene->shape_count; k++) {
        const carom_scene_shape *s = &scene->shapes[k];
        const carom_mesh *m = &scene->meshes[s->mesh];
        if (s->hidden)
            continue;
        size_t line = out->lines.count, poly = lines + out->polys.count;
        add_cells(&out->lines, m->lines, m->line_count, 2, out->point_count);
        add_cells(&out->polys, m->triangles, m->triangle_count, 3, out->point_count);
        out->point_count += m->point_count;
        for (; line < out->lines.count; line++) {
            out->cell_body[line] = s->body;
            out->cell_shape[line] = (int32_t)k;
        }
        for (; poly < lines + out->polys.count; poly++) {
            out->cell_body[poly] = s->body;
            out->cell_shape[poly] = (int32_t)k;
        }
    }
    return CAROM_OK;
}

static void put(double *out, carom_vec3 v)
{
    out[0] = v.x;
    out[1] = v.y;
    out[2] = v.z;
}

void carom_vtk_mesh_move(const carom_scene *scene, const carom_scene_pose *poses, double *points, double *normals)
{
    for (size_t k = 0; k < scene->shape_count; k++) {
        const carom_scene_shape *s = &scene->shapes[k];
        const carom_mesh *m = &scene->meshes[s->mesh];
        const carom_scene_pose *pose = &poses[s->body];
        if (s->hidden)
            continue;
        carom_mat3 axes = carom_m3_multiply(&pose->axes, &s->axes);
        carom_vec3 origin = carom_v3_add(pose->p, carom_m3_apply(&pose->axes, s->at));
        for (size_t i = 0; i < m->point_count; i++, points += 3, normals += 3) {
            put(points, carom_v3_add(origin, carom_m3_apply(&axes, carom_v3_load(m->points + 3 * i))));
            put(normals, carom_m3_apply(&axes, carom_v3_load(m->normals + 3 * i)));
        }
    }
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
        carom_text_append(text,
                          "<DataArray type=\"%s\" Name=\"%s\" NumberOfComponents=\"%d\" format=\"appended\" "
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
