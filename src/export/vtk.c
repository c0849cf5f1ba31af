/* Results for ParaView: a folder with a .vtp file (VTK XML PolyData, raw appended data) a row and a .pvd file that
   lists them with their times. Each row moves the meshes of the scene by the poses of the snapshot at its time. The
   format: "VTK File Formats", section XML. */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif
#include "carom/export.h"
#include "result/h5.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "export/scene.h"
#include "export/vtk_mesh.h"

typedef struct export {
    carom_context *ctx;
    carom_result *result;
    carom_scene *scene;
    carom_arena arena;
    const char *path;           /* of the result */
    const char *name;           /* of the files */
    const char *folder, *part;  /* the folder to make, and its name until it is complete */
    size_t rows;
    const size_t *frame;        /* of each row */
    carom_scene_pose *now;
    carom_vtk_mesh mesh;
    double *points, *normals;   /* of the mesh, in the row */
} export;

/* ---- rows ---- */

/* The snapshots at the times of the output interval; of several at one time the first. */
static carom_status find_rows(export *e)
{
    const carom_scene *s = e->scene;
    size_t count, *frame = carom_arena_alloc(&e->arena, s->snapshot_count, sizeof *frame), at = 0;
    const double *time;
    if (!frame)
        return carom_fail_memory(e->ctx);
    CAROM_TRY(carom_result_times(e->result, 0, &time, &count));
    for (size_t k = 0; k < count; k++) {
        while (at < s->snapshot_count && s->time[at] < time[k])
            at++;
        if (at < s->snapshot_count && s->time[at] == time[k])
            frame[e->rows++] = at++;
    }
    e->frame = frame;
    return CAROM_OK;
}

static double row_time(const export *e, size_t row) { return e->scene->time[e->frame[row]]; }

static void put(double *out, size_t k, carom_vec3 v)
{
    out[3 * k] = v.x;
    out[3 * k + 1] = v.y;
    out[3 * k + 2] = v.z;
}

static carom_vec3 vector_at(const double *const column[3], size_t frame)
{
    return carom_v3(column[0][frame], column[1][frame], column[2] ? column[2][frame] : 0);
}

/* ---- files ---- */

static carom_status fail_write(const export *e, const char *what, int error)
{
    return carom_fail(e->ctx, CAROM_ERROR_IO, NULL, "%s: cannot be written: %s; %s", what, strerror(error),
                      error == ENOENT   ? "make the folder above it first"
                      : error == ENOSPC ? "make room on the disk"
                                        : "choose another name or folder");
}

static void append_number(carom_text *text, double value)
{
    char digits[40];
    carom_text_append(text, "%s", carom_number_text(digits, value));
}

/* Writes the bytes as a file of the folder. */
static carom_status save(const export *e, const char *name, const carom_text *bytes)
{
    if (bytes->failed)
        return carom_fail_memory(e->ctx);
    carom_text path = {.ctx = e->ctx};
    carom_text_append(&path, "%s/%s", e->part, name);
    if (path.failed) {
        carom_text_clear(&path);
        return carom_fail_memory(e->ctx);
    }
    FILE *file = fopen(path.data, "wb");
    bool done = file && fwrite(bytes->data, 1, bytes->length, file) == bytes->length;
    int error = errno;
    if (file && fclose(file) != 0 && done) {
        error = errno;
        done = false;
    }
    carom_status status = done ? CAROM_OK : fail_write(e, path.data, error);
    carom_text_clear(&path);
    return status;
}

static void frame_name(const export *e, const char *kind, size_t row, carom_text *out)
{
    out->length = 0;
    carom_text_append(out, "%s%s_%06zu.vtp", e->name, kind, row);
}

static carom_status save_frame(const export *e, const char *kind, size_t row, carom_text *bytes)
{
    carom_text name = {.ctx = e->ctx};
    frame_name(e, kind, row, &name);
    carom_status status = name.failed ? carom_fail_memory(e->ctx) : save(e, name.data, bytes);
    carom_text_clear(&name);
    return status;
}

/* Texts as VTK writes them: the codes of their bytes, each text ended by 0. */
static void append_texts(carom_text *out, const char *name, const char *const *texts, size_t stride, size_t count)
{
    carom_text_append(out, "<Array type=\"String\" Name=\"%s\" NumberOfTuples=\"%zu\" format=\"ascii\">", name, count);
    for (size_t k = 0; k < count; k++) {
        const char *const *text = (const char *const *)((const char *)texts + k * stride);
        for (const char *c = *text; *c; c++)
            carom_text_append(out, "%d ", (unsigned char)*c);
        carom_text_append(out, "0 ");
    }
    carom_text_append(out, "</Array>\n");
}

/* Begins a file of PolyData; its time stands as TimeValue, beside the names that the indices of the cells mean. */
static void open_frame(const export *e, size_t row, size_t points, size_t verts, size_t lines, size_t polys,
                       carom_text *out)
{
    const carom_scene *s = e->scene;
    out->length = 0;
    carom_text_append(out, "<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"%s\" "
                           "header_type=\"UInt64\">\n<PolyData>\n<FieldData>\n<DataArray type=\"Float64\" "
                           "Name=\"TimeValue\" NumberOfTuples=\"1\" format=\"ascii\">",
                      carom_vtk_byte_order());
    append_number(out, row_time(e, row));
    carom_text_append(out, "</DataArray>\n");
    append_texts(out, "body_names", &s->bodies[0].name, sizeof *s->bodies, s->body_count);
    append_texts(out, "shape_names", &s->shapes[0].name, sizeof *s->shapes, s->shape_count);
    if (s->contact_count)
        append_texts(out, "contact_names", &s->contacts[0].name, sizeof *s->contacts, s->contact_count);
    carom_text_append(out, "</FieldData>\n<Piece NumberOfPoints=\"%zu\" NumberOfVerts=\"%zu\" "
                           "NumberOfLines=\"%zu\" NumberOfStrips=\"0\" NumberOfPolys=\"%zu\">\n",
                      points, verts, lines, polys);
}

static carom_status write_shapes(export *e, size_t row, carom_text *out)
{
    const carom_vtk_mesh *m = &e->mesh;
    size_t cells = m->lines.count + m->polys.count;
    carom_vtk_mesh_move(e->scene, e->now, e->points, e->normals);
    carom_vtk_array arrays[] = {
        {"PointData Normals=\"normal\"", "normal", "Float64", 3, e->normals, m->point_count * 3 * sizeof(double)},
        {"CellData", "body", "Int32", 1, m->cell_body, cells * sizeof(int32_t)},
        {"CellData", "shape", "Int32", 1, m->cell_shape, cells * sizeof(int32_t)},
        {"Points", "points", "Float64", 3, e->points, m->point_count * 3 * sizeof(double)},
        {"Lines", "connectivity", "Int64", 1, m->lines.corners, m->lines.corner_count * sizeof(int64_t)},
        {"Lines", "offsets", "Int64", 1, m->lines.ends, m->lines.count * sizeof(int64_t)},
        {"Polys", "connectivity", "Int64", 1, m->polys.corners, m->polys.corner_count * sizeof(int64_t)},
        {"Polys", "offsets", "Int64", 1, m->polys.ends, m->polys.count * sizeof(int64_t)},
    };
    open_frame(e, row, m->point_count, 0, m->lines.count, m->polys.count, out);
    carom_vtk_append_arrays(out, arrays, CAROM_COUNT(arrays));
    return save_frame(e, "", row, out);
}

/* Room of the contact points of one row. */
typedef struct contact_frame {
    double *points, *force, *friction, *gap;
    int32_t *contact;
    int64_t *corners, *ends;
} contact_frame;

static carom_status make_contact_frame(export *e, contact_frame *f)
{
    size_t n = e->scene->contact_count;
    f->points = carom_arena_alloc(&e->arena, 3 * n, sizeof *f->points);
    f->force = carom_arena_alloc(&e->arena, 3 * n, sizeof *f->force);
    f->friction = carom_arena_alloc(&e->arena, 3 * n, sizeof *f->friction);
    f->gap = carom_arena_alloc(&e->arena, n, sizeof *f->gap);
    f->contact = carom_arena_alloc(&e->arena, n, sizeof *f->contact);
    f->corners = carom_arena_alloc(&e->arena, n, sizeof *f->corners);
    f->ends = carom_arena_alloc(&e->arena, n, sizeof *f->ends);
    if (!f->points || !f->force || !f->friction || !f->gap || !f->contact || !f->corners || !f->ends)
        return carom_fail_memory(e->ctx);
    for (size_t k = 0; k < n; k++) {
        f->contact[k] = (int32_t)k;
        f->corners[k] = (int64_t)k;
        f->ends[k] = (int64_t)k + 1;
    }
    return CAROM_OK;
}

/* The part of the force on a contact along its plane; without friction there is none. */
static carom_vec3 tangential(carom_vec3 force, carom_vec3 normal, bool friction)
{
    return friction ? carom_v3_add_scaled(force, -carom_v3_dot(force, normal), normal) : carom_v3(0, 0, 0);
}

static carom_pose pose_of(const carom_scene_pose *body)
{
    carom_pose pose = {.position = {body->p.x, body->p.y, body->p.z}};
    memcpy(pose.axes, body->axes.m, sizeof pose.axes);
    return pose;
}

static carom_status write_contacts(export *e, size_t row, contact_frame *f, carom_text *out)
{
    size_t n = e->scene->contact_count;
    for (size_t k = 0; k < n; k++) {
        const carom_scene_contact *c = &e->scene->contacts[k];
        carom_pose first = pose_of(&e->now[c->body[0]]), second = pose_of(&e->now[c->body[1]]);
        carom_gap at;
        CAROM_TRY(carom_model_contact_gap(e->ctx, e->scene->model, k, &first, &second, &at));
        carom_vec3 force = vector_at(c->force, e->frame[row]);
        put(f->points, k, vector_at(c->point, e->frame[row]));
        put(f->force, k, force);
        put(f->friction, k, tangential(force, carom_v3_load(at.normal), c->friction));
        f->gap[k] = at.gap;
    }
    carom_vtk_array arrays[] = {
        {"PointData Vectors=\"force\"", "force", "Float64", 3, f->force, n * 3 * sizeof(double)},
        {"PointData Vectors=\"force\"", "gap", "Float64", 1, f->gap, n * sizeof(double)},
        {"PointData Vectors=\"force\"", "contact", "Int32", 1, f->contact, n * sizeof(int32_t)},
        {"PointData Vectors=\"force\"", "friction", "Float64", 3, f->friction, n * 3 * sizeof(double)},
        {"Points", "points", "Float64", 3, f->points, n * 3 * sizeof(double)},
        {"Verts", "connectivity", "Int64", 1, f->corners, n * sizeof(int64_t)},
        {"Verts", "offsets", "Int64", 1, f->ends, n * sizeof(int64_t)},
    };
    open_frame(e, row, n, n, 0, 0, out);
    carom_vtk_append_arrays(out, arrays, CAROM_COUNT(arrays));
    return save_frame(e, "-contacts", row, out);
}

/* The list of the snapshots with their times. */
static carom_status write_list(const export *e, const char *kind, carom_text *out)
{
    out->length = 0;
    carom_text name = {.ctx = e->ctx};
    carom_text_append(out, "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\" byte_order=\"%s\" "
                           "header_type=\"UInt64\">\n<Collection>\n",
                      carom_vtk_byte_order());
    for (size_t row = 0; row < e->rows && !name.failed; row++) {
        carom_text_append(out, "<DataSet timestep=\"");
        append_number(out, row_time(e, row));
        frame_name(e, kind, row, &name);
        if (!name.failed)
            carom_text_append(out, "\" group=\"\" part=\"0\" file=\"%s\"/>\n", name.data);
    }
    carom_text_append(out, "</Collection>\n</VTKFile>\n");
    name.length = 0;
    carom_text_append(&name, "%s%s.pvd", e->name, kind);
    carom_status status = name.failed ? carom_fail_memory(e->ctx) : save(e, name.data, out);
    carom_text_clear(&name);
    return status;
}

static carom_status write_files(export *e)
{
    contact_frame frame;
    carom_text out = {.ctx = e->ctx};
    carom_status status = make_contact_frame(e, &frame);
    for (size_t row = 0; row < e->rows && status == CAROM_OK; row++) {
        carom_scene_poses(e->scene, e->frame[row], e->now);
        status = write_shapes(e, row, &out);
        if (status == CAROM_OK && e->scene->contact_count)
            status = write_contacts(e, row, &frame, &out);
    }
    if (status == CAROM_OK)
        status = write_list(e, "", &out);
    if (status == CAROM_OK && e->scene->contact_count)
        status = write_list(e, "-contacts", &out);
    carom_text_clear(&out);
    return status;
}

/* ---- the folder ---- */

/* The name of the files: the result's without folder and ending, other characters than A-Z a-z 0-9 . - _ as '_'. */
static carom_status choose_name(export *e)
{
    const char *base = strrchr(e->path, '/');
    char *name = carom_arena_text(&e->arena, base ? base + 1 : e->path);
    if (!name)
        return carom_fail_memory(e->ctx);
    size_t length = strlen(name);
    if (length > 3 && strcmp(name + length - 3, ".h5") == 0)
        name[length - 3] = '\0';
    for (char *p = name; *p; p++)
        if (!strchr("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789.-_", *p))
            *p = '_';
    e->name = name;
    return CAROM_OK;
}

static carom_status choose_folder(export *e, const char *folder)
{
    char *whole = carom_arena_text(&e->arena, folder);
    if (!whole)
        return carom_fail_memory(e->ctx);
    for (size_t n = strlen(whole); n > 1 && whole[n - 1] == '/'; n--)
        whole[n - 1] = '\0';
    e->folder = whole;
    struct stat info;
    if (lstat(whole, &info) != 0)
        return CAROM_OK;
    DIR *list = S_ISDIR(info.st_mode) ? opendir(whole) : NULL;
    bool empty = list != NULL;
    for (const struct dirent *d; list && (d = readdir(list)) != NULL;)
        empty &= strcmp(d->d_name, ".") == 0 || strcmp(d->d_name, "..") == 0;
    if (list)
        closedir(list);
    if (empty)
        return CAROM_OK;
    return carom_fail(e->ctx, CAROM_ERROR_IO, NULL, "%s: exists already; remove it or choose another folder", whole);
}

/* Removes the unfinished folder, which holds only files written here. */
static void remove_part(const export *e)
{
    DIR *list = opendir(e->part);
    for (const struct dirent *d; list && (d = readdir(list)) != NULL;)
        unlinkat(dirfd(list), d->d_name, 0);
    if (list)
        closedir(list);
    rmdir(e->part);
}

static carom_status write_folder(export *e)
{
    char *part = carom_arena_format(&e->arena, "%s.part-%ld", e->folder, (long)getpid());
    if (!part)
        return carom_fail_memory(e->ctx);
    e->part = part;
    if (mkdir(part, 0777) != 0)
        return fail_write(e, e->folder, errno);
    carom_status status = write_files(e);
    if (status == CAROM_OK && rename(part, e->folder) != 0)
        status = fail_write(e, e->folder, errno);
    if (status != CAROM_OK)
        remove_part(e);
    return status;
}

static carom_status run_export(export *e, const char *folder)
{
    CAROM_TRY(choose_name(e));
    CAROM_TRY(choose_folder(e, folder));
    CAROM_TRY(carom_scene_create(e->result, &e->scene));
    if (e->scene->shape_count == 0)
        return carom_fail(e->ctx, CAROM_ERROR_USAGE, NULL, "%s: the model has no shapes, there is nothing to draw",
                          e->path);
    CAROM_TRY(carom_scene_need_frames(e->scene));
    CAROM_TRY(find_rows(e));
    CAROM_TRY(carom_vtk_mesh_make(&e->arena, e->scene, &e->mesh));
    e->now = carom_arena_alloc(&e->arena, e->scene->body_count, sizeof *e->now);
    e->points = carom_arena_alloc(&e->arena, 3 * e->mesh.point_count, sizeof *e->points);
    e->normals = carom_arena_alloc(&e->arena, 3 * e->mesh.point_count, sizeof *e->normals);
    if (!e->now || !e->points || !e->normals)
        return carom_fail_memory(e->ctx);
    return write_folder(e);
}

carom_status carom_result_write_vtk(carom_result *result, const char *folder)
{
    CAROM_NEED(NULL, result);
    carom_context *ctx = carom_result_context(result);
    if (!folder || !folder[0])
        return carom_fail(ctx, CAROM_ERROR_USAGE, NULL, "no folder to write to; name one");
    export e = {.ctx = ctx, .result = result, .path = carom_result_path(result)};
    carom_arena_init(&e.arena, ctx);
    carom_status status = run_export(&e, folder);
    carom_scene_free(e.scene);
    carom_arena_free(&e.arena);
    return status;
}
