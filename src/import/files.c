/* Files that a description names: meshes, and parts of MJCF. A name leads nowhere but into the folder of the
   description, the package around it and the packages of the caller. */
#include "import/robot.h"

#include "geometry/surface/hull.h"

#include <math.h>
#include <stdio.h>

#define PATH_LENGTH 1000 /* longest path */

/* ---- paths ---- */

static bool exists(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (file)
        fclose(file);
    return file != NULL;
}

/* Takes `.` and `folder/..` out of a path. */
static void normalise(char *path)
{
    const bool absolute = path[0] == '/';
    char out[PATH_LENGTH * 2 + 2];
    size_t length = 0, kept = 0; /* kept: parts that a ".." may take away */
    for (const char *c = path; *c;) {
        size_t n = strcspn(c, "/");
        if (n == 2 && c[0] == '.' && c[1] == '.' && kept) {
            while (length && out[length - 1] != '/')
                length--;
            length -= length > 0;
            kept--;
        } else if (n && !(n == 1 && c[0] == '.') && !(absolute && n == 2 && c[0] == '.' && c[1] == '.')) {
            if (length || absolute)
                out[length++] = '/';
            memcpy(out + length, c, n);
            length += n;
            kept += !(n == 2 && c[0] == '.' && c[1] == '.');
        }
        c += n + (c[n] == '/');
    }
    if (!length)
        out[length++] = absolute ? '/' : '.';
    out[length] = '\0';
    memcpy(path, out, length + 1);
}

/* Whether a path without ".." inside is within a folder of the same kind. */
static bool is_within(const char *path, const char *folder)
{
    const size_t length = strlen(folder);
    if (strcmp(folder, ".") == 0)
        return path[0] != '/' && strncmp(path, "../", 3) != 0 && strcmp(path, "..") != 0;
    return strncmp(path, folder, length) == 0 &&
           (path[length] == '/' || path[length] == '\0' || folder[length - 1] == '/');
}

/* The folder of a file, "." for none. */
static void folder_of(const char *file, char *out)
{
    snprintf(out, PATH_LENGTH, "%s", file);
    char *slash = strrchr(out, '/');
    if (slash)
        slash[slash == out] = '\0';
    else
        snprintf(out, PATH_LENGTH, ".");
    normalise(out);
}

/* One folder up; false at the top. */
static bool go_up(char *folder)
{
    char up[PATH_LENGTH + 4];
    if (strcmp(folder, "/") == 0 || strlen(folder) + 4 > PATH_LENGTH)
        return false;
    snprintf(up, sizeof up, "%s/..", folder);
    normalise(up);
    const bool moved = strcmp(up, folder) != 0;
    memcpy(folder, up, strlen(up) + 1);
    return moved;
}

static bool has_manifest(const char *folder)
{
    char path[PATH_LENGTH + 16];
    snprintf(path, sizeof path, "%s/package.xml", folder);
    return exists(path);
}

/* ---- packages ---- */

/* The folder that holds the description: its package, where one is around it. */
static void find_home(const carom_robot *robot, char *out)
{
    char at[PATH_LENGTH];
    folder_of(robot->file, out);
    memcpy(at, out, PATH_LENGTH);
    for (int k = 0; k < 16; k++) {
        if (has_manifest(at)) {
            memcpy(out, at, PATH_LENGTH);
            return;
        }
        if (!go_up(at))
            return;
    }
}

/* The folder of a package of a name: in the search paths, around the description, or beside it. */
static bool find_package(const carom_robot *robot, const char *name, size_t length, char *out)
{
    for (size_t k = 0; k < robot->def->package_count; k++) {
        const char *folder = robot->def->packages[k], *last = strrchr(folder, '/');
        snprintf(out, PATH_LENGTH, "%s/%.*s", folder, (int)length, name);
        normalise(out);
        if (has_manifest(out))
            return true;
        last = last ? last + 1 : folder;
        snprintf(out, PATH_LENGTH, "%s", folder);
        normalise(out);
        if (strlen(last) == length && strncmp(last, name, length) == 0)
            return true;
    }
    char at[PATH_LENGTH];
    folder_of(robot->file, at);
    for (int k = 0; k < 16; k++) {
        const char *last = strrchr(at, '/');
        last = last ? last + 1 : at;
        memcpy(out, at, PATH_LENGTH);
        if (has_manifest(at) && strlen(last) == length && strncmp(last, name, length) == 0)
            return true;
        if (snprintf(out, PATH_LENGTH, "%s/%.*s", at, (int)length, name) < PATH_LENGTH && has_manifest(out)) {
            normalise(out);
            return true;
        }
        if (!go_up(at))
            break;
    }
    /* a description in a folder of another name than its package, which has one package.xml around it */
    find_home(robot, out);
    return has_manifest(out);
}

/* ---- entry ---- */

static carom_status fail_path(carom_robot *robot, const carom_place *place, const char *name, const char *text)
{
    return carom_fail(robot->ctx, CAROM_ERROR_MODEL, place, "file '%.200s' %s", name, text);
}

carom_status carom_import_find(carom_robot *robot, const carom_place *place, const char *name, const char **out)
{
    char home[PATH_LENGTH], path[PATH_LENGTH * 2 + 8];
    *out = NULL;
    if (strlen(name) > PATH_LENGTH / 2 || strlen(robot->file) > PATH_LENGTH / 2)
        return fail_path(robot, place, name, "has too long a name");
    find_home(robot, home);
    if (strncmp(name, "package://", 10) == 0) {
        const char *inside = name + 10;
        const size_t length = strcspn(inside, "/");
        if (!find_package(robot, inside, length, home))
            return fail_path(
                robot, place, name,
                "is in a package that is not around the description; name the folder that holds the package "
                "in `packages`, --package DIR");
        snprintf(path, sizeof path, "%s/%s", home, inside[length] ? inside + length + 1 : "");
    } else if (strstr(name, "://") && strncmp(name, "file://", 7) != 0) {
        return fail_path(robot, place, name, "is not on this machine; load it and name the file");
    } else {
        const char *plain = strncmp(name, "file://", 7) == 0 ? name + 7 : name;
        char folder[PATH_LENGTH];
        folder_of(robot->file, folder);
        if (plain[0] == '/')
            snprintf(path, sizeof path, "%s", plain);
        else
            snprintf(path, sizeof path, "%s/%s", folder, plain);
    }
    normalise(path);
    bool allowed = is_within(path, home);
    for (size_t k = 0; k < robot->def->package_count && !allowed; k++) {
        char folder[PATH_LENGTH];
        snprintf(folder, sizeof folder, "%s", robot->def->packages[k]);
        normalise(folder);
        allowed = is_within(path, folder);
    }
    if (!allowed)
        return fail_path(robot, place, name,
                         "leads out of the folder of the description and its package; name the folder that it is in in "
                         "`packages`, --package DIR, or move it");
    if (!exists(path))
        return CAROM_OK;
    *out = carom_arena_text(robot->arena, path);
    return *out ? CAROM_OK : carom_fail_memory(robot->ctx);
}

/* The path from a folder to a file, both without ".." inside: back to what they share, and on. */
const char *carom_import_path(carom_robot *robot, const char *path)
{
    char folder[PATH_LENGTH], up[PATH_LENGTH] = "";
    size_t shared = 0, length = 0;
    snprintf(folder, sizeof folder, "%s", robot->def->folder ? robot->def->folder : ".");
    normalise(folder);
    if (strcmp(folder, ".") == 0 || (path[0] == '/') != (folder[0] == '/') || strncmp(folder, "..", 2) == 0)
        return path;
    for (size_t k = 0;; k++) {
        const bool ends = !folder[k] && path[k] == '/';
        if (ends || (folder[k] == '/' && path[k] == '/'))
            shared = k + 1;
        if (!folder[k] || folder[k] != path[k]) {
            const char *rest = folder + (shared <= strlen(folder) ? shared : strlen(folder));
            for (; *rest && length + 4 < sizeof up; rest += strcspn(rest, "/"), rest += *rest == '/', length += 3)
                memcpy(up + length, "../", 4);
            break;
        }
    }
    return carom_arena_format(robot->arena, "%s%s", up, path + shared);
}

/* ---- what the files hold ---- */

static carom_status measure(carom_arena *scratch, carom_robot_shape *shape)
{
    carom_mesh_data mesh = {0};
    carom_hull hull;
    const char *refusal;
    double low[3], high[3];
    CAROM_TRY(carom_mesh_read(scratch, shape->mesh, &mesh));
    if (shape->visual) {
        CAROM_TRY(carom_hull_make(scratch, mesh.points, mesh.point_count, &hull, &refusal));
        shape->has_hull = !refusal && hull.count <= CAROM_POLYHEDRON_CORNERS;
    }
    shape->mass = carom_mesh_mass_of(&mesh, shape->scale);
    for (size_t k = 0; k < 3 * mesh.point_count; k++) {
        const double x = mesh.points[k] * shape->scale[k % 3];
        low[k % 3] = k < 3 ? x : fmin(low[k % 3], x);
        high[k % 3] = k < 3 ? x : fmax(high[k % 3], x);
        shape->extent = fmax(shape->extent, high[k % 3] - low[k % 3]);
    }
    return CAROM_OK;
}

carom_status carom_import_measure(carom_robot *robot, const carom_place *place, carom_robot_shape *shape)
{
    carom_arena scratch;
    char text[CAROM_ERROR_TEXT / 2];
    carom_arena_init(&scratch, robot->ctx);
    const carom_status status = measure(&scratch, shape);
    carom_arena_free(&scratch);
    if (status != CAROM_ERROR_MODEL && status != CAROM_ERROR_IO)
        return status;
    snprintf(text, sizeof text, "%s", carom_context_error(robot->ctx));
    if (!shape->visual)
        return carom_fail(robot->ctx, status, place, "%s", text);
    shape->mesh = NULL;
    return carom_import_warn(robot, place, "a mesh is not drawn: %s", text);
}
