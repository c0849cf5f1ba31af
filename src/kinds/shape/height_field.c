/* Height field (in space): the graph z = h(x, y) of a grid of heights, with material below.
   Source: de Boor 1962, Bicubic spline interpolation, J. Math. Phys. 41, 212-218; do Carmo 1976, section 3.3
   (curvatures of a graph).
   Validity: beyond its edges the surface goes on straight. */
#include "geometry/surface/field.h"
#include "kinds/shape/shape.h"

static const carom_param_row params[] = {
    {"size", "m", 2, CAROM_PARAM_REQUIRED | CAROM_PARAM_ABOVE, 0, 0, HUGE_VAL,
     "Lengths of the grid along x and y; its middle is the origin of the shape."},
    {"between", "smooth|straight", 1, CAROM_PARAM_TEXT, 0, 0, 1,
     "Between the places of the grid: `smooth`, a bicubic spline with continuous curvatures; `straight`, bilinear, "
     "with edges along the lines of the grid."},
    {"scale", "-", 1, 0, 1, -HUGE_VAL, HUGE_VAL, "Factor of the heights; of an image the height of white [m]."},
    {"lines", "-", 2, CAROM_PARAM_ABOVE, 65, 1, CAROM_FIELD_LINES,
     "Lines of the grid across x and across y, with `value`."},
    {"heights", "m", 0, CAROM_PARAM_GRID, 0, -HUGE_VAL, HUGE_VAL,
     "Rows of heights, from low y to high; each from low x to high."},
    {"file", "-", 0, CAROM_PARAM_GRID_FILE, 0, -HUGE_VAL, HUGE_VAL,
     "Instead of `heights`: a file with such rows of numbers, or a PNG image, grey from 0 to 1, whose lowest row of "
     "pixels is that of low y."},
    {"value", "m", 0, CAROM_PARAM_GRAPH, 0, -HUGE_VAL, HUGE_VAL,
     "Instead of `heights`: an expression of `x` and `y` [m], which is taken at the places of the grid."},
};

static double bounding_radius(const double *p)
{
    (void)p;
    return HUGE_VAL;
}

#define DRAWN 120               /* most cells that are drawn along an axis, */
#define DRAWN_LINES 8           /* with a line after each of as many parts */

static void mesh(const double *p, bool planar, double reach, const carom_mesh_sink *sink)
{
    (void)planar;
    (void)reach;
    const bool straight = p[CAROM_FIELD_STRAIGHT] > 0;
    const int lines[2] = {(int)p[CAROM_FIELD_COLUMNS], (int)p[CAROM_FIELD_ROWS]};
    int n[2];
    for (int k = 0; k < 2; k++)
        n[k] = lines[k] - 1 > DRAWN / 2 || straight ? (int)fmin(lines[k] - 1, DRAWN) : 2 * (lines[k] - 1);
    for (int b = 0; b <= n[1]; b++)
        for (int a = 0; a <= n[0]; a++) {
            carom_surface_point at;
            carom_field_at(p, p[CAROM_FIELD_X] * ((double)a / n[0] - 0.5), p[CAROM_FIELD_Y] * ((double)b / n[1] - 0.5),
                           &at);
            sink->point(sink->user, at.position, at.normal);
        }
    for (int b = 0; b < n[1]; b++)
        for (int a = 0; a < n[0]; a++) {
            const int at = b * (n[0] + 1) + a;
            sink->triangle(sink->user, at, at + 1, at + n[0] + 2);
            sink->triangle(sink->user, at, at + n[0] + 2, at + n[0] + 1);
        }
    for (int k = 0; k <= DRAWN_LINES; k++) {
        const int b = k * n[1] / DRAWN_LINES, c = k * n[0] / DRAWN_LINES;
        for (int a = 0; a < n[0]; a++)
            sink->line(sink->user, b * (n[0] + 1) + a, b * (n[0] + 1) + a + 1);
        for (int a = 0; a < n[1]; a++)
            sink->line(sink->user, a * (n[0] + 1) + c, (a + 1) * (n[0] + 1) + c);
    }
}

const carom_shape_kind carom_shape_height_field = {
    .kind = {.name = "height-field",
             .title = "Height field: ground over a grid of heights, from numbers, a file, an image or an expression "
                      "(3-D).",
             .formula = "z = h(x, y), material where z < h",
             .source = "de Boor 1962, Bicubic spline interpolation; do Carmo 1976, section 3.3 (curvatures).",
             .validity =
                 "Ground without overhangs. Between the places of the grid runs a natural cubic spline along x and y, "
                 "so that forces and the radii of Hertz's laws are continuous; it overshoots beside steps by a tenth "
                 "of them. Beyond its edges it goes on straight: let it reach beyond all that may touch it. A ball "
                 "touches at the nearest point; boxes and meshes with their corners, cylinders, cones and tubes with "
                 "the lowest points of their rims or, upright, with eight points of an end, capsules with their ends "
                 "and between them: what rises between two such points of a body is not seen.",
             .params = params,
             .param_count = (int)(sizeof params / sizeof params[0])},
    .in_3d = true,
    .field = true,
    .bounding_radius = bounding_radius,
    .mesh = mesh,
};
