/* Results for ParaView: a folder with a .vtp file (VTK XML PolyData, raw appended data) a row and a .pvd file that
   lists them with their times. Shapes become a mesh once, in the axes of their bodies; each row moves it by the recorded
   poses. The format: "VTK File Formats", section XML. */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif
#include "io/h5.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "carom/model.h"
#include "dynamics/dynamics.h"
#include "io/vtk_mesh.h"
#include "kinds/shape.h"

#define POSE_COLUMNS 7

/* The recorded pose of a body: position, and angle or quaternion. */
typedef struct pose_columns {
    bool used;
    const double *value[POSE_COLUMNS];
} pose_columns;

/* The recorded forces of a contact of the model. */
typedef struct contact_columns {
    int contact;
    const double *force, *friction[3];  /* friction NULL: none */
} contact_columns;

typedef struct export {
    carom_context *ctx;
    carom_result *result;
    carom_document *document;
    carom_model *model;
    carom_arena arena;
    const char *path;           /* of the result */
    const char *name;           /* of the files */
    const char *folder, *part;  /* the folder to make, and its name until it is complete */
    size_t rows;
    const double *time;
    pose_columns *poses;        /* of the bodies, the ground first */
    carom_body_pose *now;
    contact_columns *contacts;
    size_t contact_count;
    bool friction;              /* all contacts with friction have it recorded */
    carom_vtk_mesh mesh;
    double *points, *normals;   /* of the mesh, in the row */
} export;

/* ---- the model in the result ---- */

/* Values that replaced parameters: "..., set NAME=VALUE, set ..." of the result's options. */
static carom_status find_overrides(export *e, const char ***out, size_t *count)
{
    static const char mark[] = ", set ";
    char *text = carom_arena_text(&e->arena, carom_result_options(e->result));
    if (!text)
        return carom_fail_memory(e->ctx);
    *count = 0;
    for (const char *p = text; (p = strstr(p, mark)) != NULL; p += sizeof mark - 1)
        ++*count;
    *out = carom_arena_alloc(&e->arena, *count + 1, sizeof **out);
    if (!*out)
        return carom_fail_memory(e->ctx);
    size_t k = 0;
    for (char *p = text; (p = strstr(p, mark)) != NULL;) {
        *p = '\0';
        p += sizeof mark - 1;
        (*out)[k++] = p;
    }
    return CAROM_OK;
}

static carom_status compile_model(export *e)
{
    const char *text = carom_result_model_text(e->result), **overrides = NULL;
    size_t count = 0;
    if (!text || !text[0])
        return carom_fail(e->ctx, CAROM_ERROR_USAGE, NULL,
                          "%s: holds no model text, so its shapes are not known; give a file that `carom run` wrote",
                          e->path);
    CAROM_TRY(find_overrides(e, &overrides, &count));
    char *name = carom_arena_format(&e->arena, "%s (model text)", e->path);
    if (!name)
        return carom_fail_memory(e->ctx);
    CAROM_TRY(carom_document_parse(e->ctx, name, text, strlen(text), overrides, count, &e->document));
    CAROM_TRY(carom_model_compile(e->ctx, carom_document_spec(e->document), &e->model));
    if (e->model->shape_count == 0)
        return carom_fail(e->ctx, CAROM_ERROR_USAGE, NULL, "%s: the model has no shapes, there is nothing to draw",
                          e->path);
    return CAROM_OK;
}

/* ---- recorded columns ---- */

/* All components of the channel FAMILY.NAME.QUANTITY of the output interval; *found is false if it is not recorded. */
static carom_status load_channel(export *e, const char *family, const char *name, const char *quantity, int size,
                                 const double **out, bool *found)
{
    size_t count;
    const carom_channel *list = carom_result_channels(e->result, &count);
    char *channel = carom_arena_format(&e->arena, "%s.%s.%s", family, name, quantity);
    *found = false;
    if (!channel)
        return carom_fail_memory(e->ctx);
    for (size_t k = 0; k < count; k++) {
        if (list[k].group != 0 || list[k].size != size || strcmp(list[k].name, channel) != 0)
            continue;
        for (int j = 0; j < size; j++)
            CAROM_TRY(carom_result_values(e->result, k, j, &out[j]));
        *found = true;
    }
    return CAROM_OK;
}

static carom_status load_poses(export *e)
{
    const carom_model *m = e->model;
    bool planar = m->dimension == 2, position, turn;
    e->poses = carom_arena_alloc(&e->arena, (size_t)m->body_count + 1, sizeof *e->poses);
    e->now = carom_arena_alloc(&e->arena, (size_t)m->body_count + 1, sizeof *e->now);
    if (!e->poses || !e->now)
        return carom_fail_memory(e->ctx);
    for (int k = 0; k < m->shape_count; k++) {
        pose_columns *pose = &e->poses[m->shapes[k].body];
        const char *name = m->bodies[m->shapes[k].body].name, *how = planar ? "angle" : "orientation";
        if (m->shapes[k].body == 0 || pose->used)
            continue;
        pose->used = true;
        CAROM_TRY(load_channel(e, "body", name, "position", m->dimension, pose->value, &position));
        CAROM_TRY(load_channel(e, "body", name, how, planar ? 1 : 4, pose->value + 3, &turn));
        if (!position || !turn)
            return carom_fail(e->ctx, CAROM_ERROR_USAGE, NULL,
                              "%s: the channels body.%s.position and body.%s.%s are needed and not both recorded; add "
                              "body.%s to output.channels of the model and run again",
                              e->path, name, name, how, name);
    }
    return CAROM_OK;
}

static carom_status load_contacts(export *e)
{
    const carom_model *m = e->model;
    e->contacts = carom_arena_alloc(&e->arena, (size_t)m->contact_count + 1, sizeof *e->contacts);
    if (!e->contacts)
        return carom_fail_memory(e->ctx);
    e->friction = true;
    for (int k = 0; k < m->contact_count; k++) {
        contact_columns *c = &e->contacts[e->contact_count];
        bool force, friction;
        c->contact = k;
        CAROM_TRY(load_channel(e, "contact", m->contacts[k].name, "force", 1, &c->force, &force));
        if (!force)
            continue;
        CAROM_TRY(load_channel(e, "contact", m->contacts[k].name, "friction", m->dimension, c->friction, &friction));
        e->friction &= friction || !m->contacts[k].friction;
        e->contact_count++;
    }
    return CAROM_OK;
}

/* ---- one row ---- */

static void move_bodies(export *e, size_t row)
{
    for (int k = 0; k <= e->model->body_count; k++) {
        carom_body_pose *now = &e->now[k];
        const double *const *value = e->poses[k].value;
        *now = (carom_body_pose){.axes = carom_m3_identity()};
        if (!e->poses[k].used)
            continue;
        now->p = carom_v3(value[0][row], value[1][row], value[2] ? value[2][row] : 0);
        if (e->model->dimension == 2) {
            double c = cos(value[3][row]), s = sin(value[3][row]);
            now->angle = value[3][row];
            now->axes = (carom_mat3){{{c, -s, 0}, {s, c, 0}, {0, 0, 1}}};
        } else
            now->axes = carom_quat_matrix((carom_quat){value[3][row], value[4][row], value[5][row], value[6][row]});
    }
}

static void put(double *out, size_t k, carom_vec3 v)
{
    out[3 * k] = v.x;
    out[3 * k + 1] = v.y;
    out[3 * k + 2] = v.z;
}

#define MARGIN 1.1      /* of a plane beyond the farthest point that may touch it */

/* Half the side of the square that stands for a plane: the length of the model, or more where a sphere that may touch
   it goes farther. */
static carom_status find_reach(export *e, double **out)
{
    const carom_model *m = e->model;
    double *reach = carom_arena_alloc(&e->arena, (size_t)m->shape_count, sizeof *reach);
    if (!reach)
        return carom_fail_memory(e->ctx);
    for (int k = 0; k < m->shape_count; k++)
        reach[k] = m->length_scale;
    for (size_t row = 0; row < e->rows; row++) {
        move_bodies(e, row);
        for (int k = 0; k < m->contact_count; k++)
            for (int side = 0; side < 2; side++) {
                int plane = side ? m->contacts[k].shape_j : m->contacts[k].shape_i;
                const carom_model_shape *s = &m->shapes[plane];
                carom_contact_point at;
                if (s->kind != &carom_shape_plane)
                    continue;
                carom_contact_geometry_at(m, k, &e->now[m->contacts[k].body_i], &e->now[m->contacts[k].body_j], &at);
                const carom_body_pose *pose = &e->now[s->body];
                double far = carom_v3_norm(carom_v3_sub(at.point, carom_v3_add(pose->p, carom_m3_apply(&pose->axes,
                                                                                                     s->at))));
                if (isfinite(far))
                    reach[plane] = fmax(reach[plane], MARGIN * far);
            }
    }
    *out = reach;
    return CAROM_OK;
}

/* ---- files ---- */

static carom_status fail_write(const export *e, const char *what, int error)
{
    return carom_fail(e->ctx, CAROM_ERROR_IO, NULL, "%s: cannot be written: %s; %s", what, strerror(error),
                      error == ENOENT   ? "make the folder above it first"
                      : error == ENOSPC ? "make room on the disk"
                                        : "choose another name or folder");
}

/* A number with 17 digits and a point, whatever the locale. */
static void append_number(carom_text *text, double value)
{
    char digits[40];
    int length = snprintf(digits, sizeof digits, "%.17g", value);
    for (int k = 0; k < length; k++)
        if (!strchr("0123456789+-enaif", digits[k]))
            digits[k] = '.';
    carom_text_append_n(text, digits, (size_t)length);
}

/* Writes the bytes as a file of the folder. */
static carom_status save(const export *e, const char *name, const carom_text *bytes)
{
    if (bytes->failed)
        return carom_fail_memory(e->ctx);
    carom_text path = {.ctx = e->ctx};
    carom_text_append(&path, "%s/%s", e->part, name);
    if (path.failed) {
        carom_text_free(&path);
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
    carom_text_free(&path);
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
    carom_text_free(&name);
    return status;
}

/* Begins a file of PolyData; its time stands as TimeValue. */
static void open_frame(const export *e, size_t row, size_t points, size_t verts, size_t lines, size_t polys,
                       carom_text *out)
{
    out->length = 0;
    carom_text_append(out, "<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"%s\" "
                           "header_type=\"UInt64\">\n<PolyData>\n<FieldData>\n<DataArray type=\"Float64\" "
                           "Name=\"TimeValue\" NumberOfTuples=\"1\" format=\"ascii\">",
                      carom_vtk_byte_order());
    append_number(out, e->time[row]);
    carom_text_append(out, "</DataArray>\n</FieldData>\n<Piece NumberOfPoints=\"%zu\" NumberOfVerts=\"%zu\" "
                           "NumberOfLines=\"%zu\" NumberOfStrips=\"0\" NumberOfPolys=\"%zu\">\n",
                      points, verts, lines, polys);
}

static carom_status write_shapes(export *e, size_t row, carom_text *out)
{
    const carom_vtk_mesh *m = &e->mesh;
    size_t cells = m->lines.count + m->polys.count;
    for (size_t k = 0; k < m->point_count; k++) {
        const carom_body_pose *pose = &e->now[m->points[k].body];
        put(e->points, k, carom_v3_add(pose->p, carom_m3_apply(&pose->axes, m->points[k].at)));
        put(e->normals, k, carom_m3_apply(&pose->axes, m->points[k].normal));
    }
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
    size_t n = e->contact_count;
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
        f->contact[k] = e->contacts[k].contact;
        f->corners[k] = (int64_t)k;
        f->ends[k] = (int64_t)k + 1;
    }
    return CAROM_OK;
}

static carom_status write_contacts(export *e, size_t row, contact_frame *f, carom_text *out)
{
    size_t n = e->contact_count;
    for (size_t k = 0; k < n; k++) {
        const contact_columns *c = &e->contacts[k];
        const carom_model_contact *contact = &e->model->contacts[c->contact];
        carom_contact_point at;
        carom_contact_geometry_at(e->model, c->contact, &e->now[contact->body_i], &e->now[contact->body_j], &at);
        const double *const *rub = c->friction;
        put(f->points, k, at.point);
        put(f->force, k, carom_v3_scale(c->force[row], at.normal));
        put(f->friction, k, carom_v3(rub[0] ? rub[0][row] : 0, rub[1] ? rub[1][row] : 0, rub[2] ? rub[2][row] : 0));
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
    const size_t friction = 3, count = CAROM_COUNT(arrays);
    if (!e->friction)
        memmove(&arrays[friction], &arrays[friction + 1], (count - friction - 1) * sizeof *arrays);
    open_frame(e, row, n, n, 0, 0, out);
    carom_vtk_append_arrays(out, arrays, e->friction ? count : count - 1);
    return save_frame(e, "-contacts", row, out);
}

/* The list of the frames with their times. */
static carom_status write_list(const export *e, const char *kind, carom_text *out)
{
    out->length = 0;
    carom_text name = {.ctx = e->ctx};
    carom_text_append(out, "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\" byte_order=\"%s\" "
                           "header_type=\"UInt64\">\n<Collection>\n",
                      carom_vtk_byte_order());
    for (size_t row = 0; row < e->rows && !name.failed; row++) {
        carom_text_append(out, "<DataSet timestep=\"");
        append_number(out, e->time[row]);
        frame_name(e, kind, row, &name);
        if (!name.failed)
            carom_text_append(out, "\" group=\"\" part=\"0\" file=\"%s\"/>\n", name.data);
    }
    carom_text_append(out, "</Collection>\n</VTKFile>\n");
    name.length = 0;
    carom_text_append(&name, "%s%s.pvd", e->name, kind);
    carom_status status = name.failed ? carom_fail_memory(e->ctx) : save(e, name.data, out);
    carom_text_free(&name);
    return status;
}

static carom_status write_files(export *e)
{
    contact_frame frame;
    carom_text out = {.ctx = e->ctx};
    carom_status status = make_contact_frame(e, &frame);
    for (size_t row = 0; row < e->rows && status == CAROM_OK; row++) {
        move_bodies(e, row);
        status = write_shapes(e, row, &out);
        if (status == CAROM_OK && e->contact_count)
            status = write_contacts(e, row, &frame, &out);
    }
    if (status == CAROM_OK)
        status = write_list(e, "", &out);
    if (status == CAROM_OK && e->contact_count)
        status = write_list(e, "-contacts", &out);
    carom_text_free(&out);
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
    double *reach = NULL;
    e->time = carom_result_times(e->result, 0, &e->rows);
    CAROM_TRY(choose_name(e));
    CAROM_TRY(choose_folder(e, folder));
    CAROM_TRY(compile_model(e));
    if (e->rows == 0)
        return carom_fail(e->ctx, CAROM_ERROR_USAGE, NULL, "%s: has no rows yet, there is nothing to draw", e->path);
    CAROM_TRY(load_poses(e));
    CAROM_TRY(load_contacts(e));
    CAROM_TRY(find_reach(e, &reach));
    CAROM_TRY(carom_vtk_mesh_make(&e->arena, e->model, reach, &e->mesh));
    e->points = carom_arena_alloc(&e->arena, 3 * e->mesh.point_count, sizeof *e->points);
    e->normals = carom_arena_alloc(&e->arena, 3 * e->mesh.point_count, sizeof *e->normals);
    if (!e->points || !e->normals)
        return carom_fail_memory(e->ctx);
    return write_folder(e);
}

carom_status carom_result_write_vtk(carom_result *result, const char *folder)
{
    carom_context *ctx = carom_result_context(result);
    if (!folder || !folder[0])
        return carom_fail(ctx, CAROM_ERROR_USAGE, NULL, "no folder to write to; name one");
    export e = {.ctx = ctx, .result = result, .path = carom_result_path(result)};
    carom_arena_init(&e.arena, ctx);
    carom_status status = run_export(&e, folder);
    carom_model_free(e.model);
    carom_document_free(e.document);
    carom_arena_free(&e.arena);
    return status;
}
