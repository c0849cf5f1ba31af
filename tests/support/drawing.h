/* A sink for the meshes of shapes that keeps everything. */
#ifndef CAROM_TEST_DRAWING_H
#define CAROM_TEST_DRAWING_H

#include "carom_test.h"

#include "kinds/kind.h"

#define MOST 20000

typedef struct drawing {
    size_t points, triangles, lines;
    carom_vec3 at[MOST], normal[MOST];
    int triangle[MOST][3], line[MOST][2];
} drawing;

static inline void take_point(void *user, carom_vec3 at, carom_vec3 normal)
{
    drawing *d = user;
    assert_true(d->points < MOST);
    d->at[d->points] = at;
    d->normal[d->points++] = normal;
}

static inline void take_triangle(void *user, int a, int b, int c)
{
    drawing *d = user;
    assert_true(d->triangles < MOST);
    int *corner = d->triangle[d->triangles++];
    corner[0] = a;
    corner[1] = b;
    corner[2] = c;
}

static inline void take_line(void *user, int a, int b)
{
    drawing *d = user;
    assert_true(d->lines < MOST);
    d->line[d->lines][0] = a;
    d->line[d->lines++][1] = b;
}

/* Empties a drawing and gives the sink that fills it. */
static inline carom_mesh_sink drawing_sink(drawing *d)
{
    memset(d, 0, sizeof *d);
    return (carom_mesh_sink){d, take_point, take_triangle, take_line};
}

#endif
