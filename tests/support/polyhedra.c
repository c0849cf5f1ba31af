#include "support/polyhedra.h"

#include <math.h>

#include "carom_test.h"
#include "geometry/surface/hull.h"

const double *polyhedron_of(carom_arena *arena, const double *points, size_t count)
{
    const double one[3] = {1, 1, 1};
    double *p;
    int size;
    carom_vec3 origin;
    const char *refusal = NULL;
    assert_ok(arena->ctx, carom_polyhedron_make(arena, points, count, one, CAROM_SOLID_PARAMS, &p, &size, &origin,
                                                &refusal));
    if (refusal)
        fail_msg("%s", refusal);
    carom_solid_begin(p, &carom_surface_polyhedron, false);
    carom_solid_place(p, origin, carom_v3(0, 0, 1));
    return p;
}

void box_corners(double a, double b, double c, double *points)
{
    for (int k = 0; k < 8; k++) {
        points[3 * k] = k & 1 ? a : -a;
        points[3 * k + 1] = k & 2 ? b : -b;
        points[3 * k + 2] = k & 4 ? c : -c;
    }
}

double sphere_points(int n, double radius, double *points)
{
    const double f = 0.5 * (1 + sqrt(5));
    carom_vec3 x[12];
    int count = 0, used = 0;
    for (int axis = 0; axis < 3; axis++)
        for (int sign = 0; sign < 4; sign++) {
            double a[3] = {0, 0, 0};
            a[(axis + 1) % 3] = sign & 1 ? 1 : -1;
            a[(axis + 2) % 3] = sign & 2 ? f : -f;
            x[count++] = carom_v3_load(a);
        }
    double least = radius;
    for (int a = 0; a < 12; a++)
        for (int b = a; b < 12; b++)
            for (int c = b; c < 12; c++) {
                const bool corner = a == b && b == c;
                const bool ab = a == b || carom_v3_norm(carom_v3_sub(x[a], x[b])) < 2.01;
                const bool bc = b == c || carom_v3_norm(carom_v3_sub(x[b], x[c])) < 2.01;
                const bool ac = a == c || carom_v3_norm(carom_v3_sub(x[a], x[c])) < 2.01;
                if (!(ab && bc && ac) || (a == b && b != c) || (a != b && a == c))
                    continue;
                for (int i = 0; i <= n; i++)
                    for (int j = 0; i + j <= n; j++) {
                        const int k = n - i - j;
                        /* of a corner one, of a side what is within it, of a triangle likewise */
                        const bool own = corner ? i == n : b == c ? i > 0 && j > 0 && k == 0 : i > 0 && j > 0 && k > 0;
                        if (!own)
                            continue;
                        carom_vec3 at = carom_v3_scale(i, x[a]);
                        at = carom_v3_add_scaled(carom_v3_add_scaled(at, j, x[b]), k, x[c]);
                        at = carom_v3_scale(radius / carom_v3_norm(at), at);
                        points[3 * used] = at.x;
                        points[3 * used + 1] = at.y;
                        points[3 * used++ + 2] = at.z;
                    }
            }
    /* the middle triangle of a large one is the farthest from the sphere: its sides are the longest */
    const double side = 2 * radius / carom_v3_norm(x[0]) / n * 1.26;
    least = radius - sqrt(radius * radius - side * side / 3);
    return least;
}
