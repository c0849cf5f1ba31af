/* Meshes to be drawn: triangles, fewer where there are more than a page should hold. Points are joined within the cells
   of a grid, each to the mean of those in it, and triangles that lose an edge by it are left out.
   Source: Rossignac, Borrel 1993, Multi-resolution 3D approximations for rendering complex scenes. */
#include "import/mesh.h"

#include <math.h>
#include <stdlib.h>

#define FINEST 512 /* cells along the longest side */

typedef struct cell {
    uint64_t key;
    size_t point;
} cell;

static int compare_cells(const void *a, const void *b)
{
    const cell *x = a, *y = b;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return x->point < y->point ? -1 : x->point > y->point;
}

/* Room for one pass: the cell of each point, and the number and mean of each cell. */
typedef struct pass {
    const carom_mesh_data *mesh;
    double low[3], size;
    cell *cells;
    int *cell_of;
    double *means;
} pass;

static void find_box(pass *p)
{
    double high[3] = {0};
    for (size_t k = 0; k < 3 * p->mesh->point_count; k++) {
        const double x = p->mesh->points[k];
        p->low[k % 3] = k < 3 ? x : fmin(p->low[k % 3], x);
        high[k % 3] = k < 3 ? x : fmax(high[k % 3], x);
    }
    for (int k = 0; k < 3; k++)
        p->size = fmax(p->size, high[k] - p->low[k]);
}

static void join_points(pass *p, int resolution)
{
    const carom_mesh_data *mesh = p->mesh;
    const double scale = p->size > 0 ? resolution / p->size : 0;
    for (size_t k = 0; k < mesh->point_count; k++) {
        uint64_t key = 0;
        for (int n = 0; n < 3; n++)
            key = key << 20 | (uint64_t)(scale * (mesh->points[3 * k + (size_t)n] - p->low[n]));
        p->cells[k] = (cell){key, k};
    }
    qsort(p->cells, mesh->point_count, sizeof *p->cells, compare_cells);
    int last = -1;
    size_t members = 0;
    for (size_t k = 0; k < mesh->point_count; k++) {
        if (k == 0 || p->cells[k].key != p->cells[k - 1].key) {
            last++;
            members = 0;
        }
        double *mean = p->means + 3 * last;
        members++;
        for (int n = 0; n < 3; n++) {
            const double x = mesh->points[3 * p->cells[k].point + (size_t)n];
            mean[n] = members == 1 ? x : mean[n] + (x - mean[n]) / (double)members;
        }
        p->cell_of[p->cells[k].point] = last;
    }
}

static bool remains(const pass *p, const int *t)
{
    const int a = p->cell_of[t[0]], b = p->cell_of[t[1]], c = p->cell_of[t[2]];
    return a != b && b != c && c != a;
}

static size_t count_remaining(const pass *p)
{
    size_t count = 0;
    for (size_t k = 0; k < p->mesh->triangle_count; k++)
        count += remains(p, p->mesh->triangles[k]);
    return count;
}

carom_status carom_mesh_drawn(carom_arena *arena, const carom_mesh_data *mesh, size_t most, double **out, size_t *count)
{
    pass p = {.mesh = mesh};
    p.cells = carom_arena_alloc(arena, mesh->point_count + 1, sizeof *p.cells);
    p.cell_of = carom_arena_alloc(arena, mesh->point_count + 1, sizeof *p.cell_of);
    p.means = carom_arena_alloc(arena, 3 * mesh->point_count + 3, sizeof *p.means);
    if (!p.cells || !p.cell_of || !p.means)
        return carom_fail_memory(arena->ctx);
    find_box(&p);
    bool whole = mesh->triangle_count <= most;
    *count = mesh->triangle_count;
    for (int resolution = FINEST; !whole; resolution = 4 * resolution / 5) {
        join_points(&p, resolution);
        *count = count_remaining(&p);
        if (*count <= most || resolution < 4)
            break;
    }
    *count = *count <= most ? *count : most;
    *out = carom_arena_alloc(arena, 9 * *count + 1, sizeof **out);
    if (!*out)
        return carom_fail_memory(arena->ctx);
    size_t made = 0;
    for (size_t k = 0; k < mesh->triangle_count && made < *count; k++) {
        const int *t = mesh->triangles[k];
        if (!whole && !remains(&p, t))
            continue;
        for (int n = 0; n < 9; n++) {
            const double *at = whole ? mesh->points + 3 * (size_t)t[n / 3] : p.means + 3 * p.cell_of[t[n / 3]];
            (*out)[9 * made + (size_t)n] = (double)(float)at[n % 3];
        }
        made++;
    }
    return CAROM_OK;
}
