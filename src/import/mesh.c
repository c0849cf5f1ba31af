/* Meshes in files. STL in binary: 80 bytes, the number of triangles, 50 bytes each; it may begin with `solid` as text
   does, and is told by its length. OBJ: the vertices that faces name; faces with slashes, negative numbers and more
   than three corners. */
#include "import/mesh.h"

#include <math.h>
#include <stdio.h>

#define MOST_BYTES ((size_t)1 << 30)
#define HEADER 84
#define ROW 50

typedef struct scanner {
    carom_arena *arena;
    const char *path, *at, *end;
    int line;
    double *points;
    size_t point_count, point_capacity;
    int (*triangles)[3];
    size_t triangle_count, triangle_capacity;
} scanner;

static carom_status fail(const scanner *s, const char *text, const char *word, size_t length)
{
    const carom_place place = {s->path, s->line, 1};
    return carom_fail(s->arena->ctx, CAROM_ERROR_MODEL, &place, "'%.*s' %s", (int)(length < 40 ? length : 40), word,
                      text);
}

static carom_status add_point(scanner *s, const double *x)
{
    CAROM_TRY(carom_grow(s->arena->ctx, &s->points, &s->point_capacity, 3 * (s->point_count + 1), sizeof *s->points));
    memcpy(s->points + 3 * s->point_count++, x, 3 * sizeof *x);
    return CAROM_OK;
}

static carom_status add_triangle(scanner *s, int a, int b, int c)
{
    CAROM_TRY(
        carom_grow(s->arena->ctx, &s->triangles, &s->triangle_capacity, s->triangle_count + 1, sizeof *s->triangles));
    int *t = s->triangles[s->triangle_count++];
    t[0] = a;
    t[1] = b;
    t[2] = c;
    return CAROM_OK;
}

/* ---- words ---- */

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f'; }

/* The next word of the line; false at its end. */
static bool next_word(scanner *s, const char **word, size_t *length)
{
    for (;;) {
        while (s->at < s->end && is_blank(*s->at))
            s->at++;
        const char *next = s->at + 1;
        while (next < s->end && *next == '\r')
            next++;
        if (s->at < s->end && *s->at == '\\' && next < s->end && *next == '\n') {
            s->at = next + 1;
            s->line++;
            continue;
        }
        break;
    }
    *word = s->at;
    while (s->at < s->end && !is_blank(*s->at) && *s->at != '\n')
        s->at++;
    *length = (size_t)(s->at - *word);
    return *length > 0;
}

static void skip_line(scanner *s)
{
    while (s->at < s->end && *s->at != '\n')
        s->at++;
    if (s->at < s->end)
        s->at++;
    s->line++;
}

static bool is_word(const char *word, size_t length, const char *other)
{
    if (strlen(other) != length)
        return false;
    for (size_t k = 0; k < length; k++)
        if ((word[k] >= 'A' && word[k] <= 'Z' ? word[k] + 32 : word[k]) != other[k])
            return false;
    return true;
}

/* Three coordinates. */
static carom_status read_point(scanner *s, double *x)
{
    const char *word;
    size_t length;
    for (int k = 0; k < 3; k++) {
        if (!next_word(s, &word, &length))
            return fail(s, "needs three numbers behind it", k ? "a vertex" : "vertex", k ? 8 : 6);
        if (!carom_parse_number(word, length, &x[k]))
            return fail(s, "is not a finite number; a coordinate of a vertex stands here", word, length);
    }
    return CAROM_OK;
}

/* ---- STL ---- */

static uint32_t word_at(const unsigned char *bytes)
{
    return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

static carom_status read_binary(scanner *s, const unsigned char *bytes, size_t count)
{
    for (size_t t = 0; t < count; t++) {
        const unsigned char *row = bytes + HEADER + ROW * t + 12;
        for (int corner = 0; corner < 3; corner++) {
            double x[3];
            for (int k = 0; k < 3; k++) {
                const uint32_t word = word_at(row + 12 * corner + 4 * k);
                float number;
                memcpy(&number, &word, sizeof number);
                if (!isfinite(number))
                    return carom_fail(s->arena->ctx, CAROM_ERROR_MODEL, NULL,
                                      "%s: byte %zu: a coordinate of triangle %zu is not a finite number", s->path,
                                      HEADER + ROW * t + 12 + 12 * (size_t)corner + 4 * (size_t)k, t + 1);
                x[k] = number;
            }
            CAROM_TRY(add_point(s, x));
        }
        CAROM_TRY(add_triangle(s, (int)(3 * t), (int)(3 * t + 1), (int)(3 * t + 2)));
    }
    return CAROM_OK;
}

static carom_status read_stl_text(scanner *s)
{
    const char *word;
    size_t length;
    int corners = 0;
    for (; s->at < s->end; skip_line(s)) {
        if (!next_word(s, &word, &length))
            continue;
        const bool ends = is_word(word, length, "endloop") || is_word(word, length, "endfacet");
        if (is_word(word, length, "vertex")) {
            double x[3];
            CAROM_TRY(read_point(s, x));
            CAROM_TRY(add_point(s, x));
            corners++;
        } else if (ends || is_word(word, length, "facet")) {
            if (corners != 0 && corners != 3)
                return fail(s, "ends a facet that has not three vertices", word, length);
            if (corners == 3)
                CAROM_TRY(add_triangle(s, (int)s->point_count - 3, (int)s->point_count - 2, (int)s->point_count - 1));
            corners = 0;
        } else if (!is_word(word, length, "solid") && !is_word(word, length, "endsolid") &&
                   !is_word(word, length, "outer") && !is_word(word, length, "color")) {
            return fail(s, "is no word of a text STL: solid, facet, outer, vertex, endloop, endfacet, endsolid", word,
                        length);
        }
    }
    return corners == 0 ? CAROM_OK : fail(s, "is where the file ends, within a facet", "here", 4);
}

static carom_status read_stl(scanner *s)
{
    const size_t size = (size_t)(s->end - s->at);
    const unsigned char *bytes = (const unsigned char *)s->at;
    const size_t count = size >= HEADER ? word_at(bytes + 80) : 0;
    if (size >= HEADER && size == HEADER + ROW * count)
        return read_binary(s, bytes, count);
    const char *at = s->at;
    while (at < s->end && (is_blank(*at) || *at == '\n'))
        at++;
    const bool text = s->end - at >= 5 && is_word(at, 5, "solid") && !memchr(s->at, 0, size);
    if (text)
        return read_stl_text(s);
    if (size < HEADER)
        return carom_fail(s->arena->ctx, CAROM_ERROR_MODEL, NULL,
                          "%s: is no STL: text begins with `solid`, and a binary file has 84 bytes at least, this %zu",
                          s->path, size);
    if (size > HEADER + ROW * count && count > 0)
        return read_binary(s, bytes, count);
    return carom_fail(s->arena->ctx, CAROM_ERROR_MODEL, NULL,
                      "%s: byte 80: announces %zu triangles, which take %zu bytes, and the file has %zu: is it cut "
                      "off, or no STL?",
                      s->path, count, HEADER + ROW * count, size);
}

/* ---- OBJ ---- */

/* The number of a corner before its first slash. */
static carom_status read_corner(scanner *s, const char *word, size_t length, int *out)
{
    double number;
    size_t digits = 0;
    while (digits < length && word[digits] != '/')
        digits++;
    if (!carom_parse_number(word, digits, &number) || number != floor(number) || number == 0)
        return fail(s, "is no number of a vertex: 1, 1/2, 1//3, 1/2/3, or counted from the last one, -1", word, length);
    const double place = number > 0 ? number - 1 : (double)s->point_count + number;
    if (!(place >= 0 && place < (double)s->point_count))
        return fail(s, "names a vertex that the file does not have before this line", word, length);
    *out = (int)place;
    return CAROM_OK;
}

static carom_status read_face(scanner *s)
{
    const char *word;
    size_t length;
    int corner[3] = {0, 0, 0}, count = 0;
    while (next_word(s, &word, &length) && word[0] != '#') {
        CAROM_TRY(read_corner(s, word, length, &corner[count < 2 ? count : 2]));
        if (++count < 3)
            continue;
        CAROM_TRY(add_triangle(s, corner[0], corner[1], corner[2]));
        corner[1] = corner[2];
    }
    return count >= 3 ? CAROM_OK : fail(s, "needs three vertices at least", "f", 1);
}

static carom_status read_obj(scanner *s)
{
    const char *word;
    size_t length;
    for (; s->at < s->end; skip_line(s)) {
        if (!next_word(s, &word, &length))
            continue;
        if (length == 1 && *word == 'v') {
            double x[3];
            CAROM_TRY(read_point(s, x));
            CAROM_TRY(add_point(s, x));
        } else if (length == 1 && *word == 'f') {
            CAROM_TRY(read_face(s));
        }
    }
    return CAROM_OK;
}

/* Leaves out the points that no triangle has. */
static carom_status leave_out(scanner *s)
{
    int *number = carom_allocate(s->arena->ctx, s->point_count + 1, sizeof *number);
    if (!number)
        return carom_fail_memory(s->arena->ctx);
    for (size_t t = 0; t < s->triangle_count; t++)
        for (int k = 0; k < 3; k++)
            number[s->triangles[t][k]] = 1;
    size_t kept = 0;
    for (size_t k = 0; k < s->point_count; k++) {
        if (!number[k])
            continue;
        memmove(s->points + 3 * kept, s->points + 3 * k, 3 * sizeof *s->points);
        number[k] = (int)kept++;
    }
    for (size_t t = 0; t < s->triangle_count; t++)
        for (int k = 0; k < 3; k++)
            s->triangles[t][k] = number[s->triangles[t][k]];
    carom_release(s->arena->ctx, number, s->point_count + 1, sizeof *number);
    s->point_count = kept;
    return CAROM_OK;
}

/* ---- the whole ---- */

static bool has_ending(const char *path, const char *ending)
{
    const size_t length = strlen(path), n = strlen(ending);
    return length >= n && is_word(path + length - n, n, ending);
}

static carom_status read_kind(scanner *s)
{
    const char *slash = strrchr(s->path, '/'), *dot = strrchr(s->path, '.');
    if (has_ending(s->path, ".stl"))
        return read_stl(s);
    if (has_ending(s->path, ".obj"))
        return read_obj(s);
    if (dot && (!slash || dot > slash))
        return carom_fail(s->arena->ctx, CAROM_ERROR_MODEL, NULL,
                          "%s: meshes are read from .stl and .obj files, not from %.20s; convert it", s->path, dot);
    return read_stl(s);
}

carom_status carom_mesh_parse(carom_arena *arena, const char *path, const char *bytes, size_t size,
                              carom_mesh_data *out)
{
    scanner s = {.arena = arena, .path = path, .at = bytes, .end = bytes + size, .line = 1};
    carom_status status =
        size ? read_kind(&s) : carom_fail(arena->ctx, CAROM_ERROR_MODEL, NULL, "%s: the file is empty", path);
    if (status == CAROM_OK && s.triangle_count > 0)
        status = leave_out(&s);
    if (status == CAROM_OK && s.point_count == 0)
        status = carom_fail(arena->ctx, CAROM_ERROR_MODEL, NULL, "%s: the mesh has no vertices", path);
    if (status == CAROM_OK) {
        *out = (carom_mesh_data){carom_arena_alloc(arena, 3 * s.point_count, sizeof *s.points), s.point_count,
                                 carom_arena_alloc(arena, s.triangle_count + 1, sizeof *s.triangles), s.triangle_count};
        if (!out->points || !out->triangles)
            status = carom_fail_memory(arena->ctx);
    }
    if (status == CAROM_OK) {
        memcpy(out->points, s.points, 3 * s.point_count * sizeof *s.points);
        if (s.triangle_count)
            memcpy(out->triangles, s.triangles, s.triangle_count * sizeof *s.triangles);
    }
    carom_release(arena->ctx, s.points, s.point_capacity, sizeof *s.points);
    carom_release(arena->ctx, s.triangles, s.triangle_capacity, sizeof *s.triangles);
    return status;
}

carom_status carom_mesh_read(carom_arena *arena, const char *path, carom_mesh_data *out)
{
    carom_text text = {.ctx = arena->ctx};
    carom_status status = carom_text_read(&text, path, MOST_BYTES);
    if (status == CAROM_OK && text.length > MOST_BYTES)
        status = carom_fail(arena->ctx, CAROM_ERROR_MODEL, NULL, "%s: is larger than 1 GiB; simplify the mesh", path);
    if (status == CAROM_OK)
        status = carom_mesh_parse(arena, path, text.data ? text.data : "", text.length, out);
    carom_text_clear(&text);
    return status;
}

/* ---- what it holds ---- */

/* Sums over the tetrahedra from the first point to the triangles (Eberly 2002, Polyhedral mass properties). */
carom_mesh_mass carom_mesh_mass_of(const carom_mesh_data *mesh, const double *scale)
{
    carom_mesh_mass out = {.closed = mesh->triangle_count > 0};
    double first[3] = {0, 0, 0}, sum[3] = {0, 0, 0}, second[6] = {0, 0, 0, 0, 0, 0}, whole = 0, six = 0;
    carom_vec3 area = {0, 0, 0};
    static const int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
    for (int k = 0; k < 3 && mesh->point_count; k++)
        first[k] = scale[k] * mesh->points[k];
    for (size_t t = 0; t < mesh->triangle_count; t++) {
        double x[3][3];
        for (int corner = 0; corner < 3; corner++)
            for (int k = 0; k < 3; k++)
                x[corner][k] = scale[k] * mesh->points[3 * mesh->triangles[t][corner] + k] - first[k];
        const carom_vec3 a = carom_v3_load(x[0]), b = carom_v3_load(x[1]), c = carom_v3_load(x[2]);
        const carom_vec3 n = carom_v3_cross(carom_v3_sub(b, a), carom_v3_sub(c, a));
        const double det = carom_v3_dot(a, carom_v3_cross(b, c));
        area = carom_v3_add(area, n);
        whole += carom_v3_norm(n);
        six += det;
        for (int k = 0; k < 3; k++)
            sum[k] += det * (x[0][k] + x[1][k] + x[2][k]) / 24;
        for (int e = 0; e < 6; e++) {
            const int p = row[e], q = column[e];
            double s = 0;
            for (int m = 0; m < 3; m++)
                for (int n2 = 0; n2 < 3; n2++)
                    s += (m == n2 ? 2 : 1) * x[m][p] * x[n2][q];
            second[e] += det * s / 120;
        }
    }
    const double sign = six < 0 ? -1 : 1, volume = sign * six / 6;
    out.closed = out.closed && carom_v3_norm(area) <= 1e-4 * whole && volume > 0;
    out.volume = volume;
    if (!(volume > 0))
        return out;
    double c[3], about[6];
    for (int k = 0; k < 3; k++)
        c[k] = sign * sum[k] / volume;
    for (int e = 0; e < 6; e++)
        about[e] = sign * second[e] - volume * c[row[e]] * c[column[e]];
    out.centre = carom_v3(first[0] + c[0], first[1] + c[1], first[2] + c[2]);
    for (int k = 0; k < 3; k++)
        out.inertia[k] = about[(k + 1) % 3] + about[(k + 2) % 3];
    for (int e = 3; e < 6; e++)
        out.inertia[e] = -about[e];
    return out;
}
