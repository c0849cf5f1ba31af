/* The surface of a height field. Along each row and column runs a natural cubic spline, so that h is a bicubic
   polynomial over each cell with continuous second derivatives (de Boor 1962, Bicubic spline interpolation), also at
   the edges, beyond which it is straight. */
#include "geometry/surface/field.h"

int carom_field_size(int columns, int rows) { return CAROM_FIELD_TABLE + 4 * columns * rows; }

/* ---- the table ---- */

/* Slopes of the spline through values at even distances. */
static void slopes(int n, double step, const double *value, double *work, double *slope)
{
    if (n == 2) {
        slope[0] = slope[1] = (value[1] - value[0]) / step;
        return;
    }
    double *x = work, *second = work + n, *rest = work + 2 * n;
    for (int k = 0; k < n; k++)
        x[k] = k * step;
    carom_spline_fit((size_t)n, x, value, second, rest);
    for (int k = 0; k + 1 < n; k++)
        slope[k] = (value[k + 1] - value[k]) / step - step / 6 * (2 * second[k] + second[k + 1]);
    slope[n - 1] = (value[n - 1] - value[n - 2]) / step + step / 6 * (second[n - 2] + 2 * second[n - 1]);
}

/* Slopes of one column of the table along a line of it, `stride` places apart, into another column. */
static void line_slopes(double *table, int n, int stride, double step, int from, int to, double *work)
{
    double *value = work, *slope = work + n;
    for (int k = 0; k < n; k++)
        value[k] = table[4 * k * stride + from];
    slopes(n, step, value, work + 2 * n, slope);
    for (int k = 0; k < n; k++)
        table[4 * k * stride + to] = slope[k];
}

void carom_field_make(int columns, int rows, double x, double y, bool straight, const double *heights, double *work,
                      double *p)
{
    double *table = p + CAROM_FIELD_TABLE;
    p[CAROM_FIELD_COLUMNS] = columns;
    p[CAROM_FIELD_ROWS] = rows;
    p[CAROM_FIELD_X] = x;
    p[CAROM_FIELD_Y] = y;
    p[CAROM_FIELD_STRAIGHT] = straight;
    p[CAROM_FIELD_LOW] = p[CAROM_FIELD_HIGH] = heights[0];
    for (int k = 0; k < columns * rows; k++) {
        table[4 * k] = heights[k];
        table[4 * k + 1] = table[4 * k + 2] = table[4 * k + 3] = 0;
        p[CAROM_FIELD_LOW] = fmin(p[CAROM_FIELD_LOW], heights[k]);
        p[CAROM_FIELD_HIGH] = fmax(p[CAROM_FIELD_HIGH], heights[k]);
    }
    if (straight)
        return;
    for (int r = 0; r < rows; r++)
        line_slopes(table + 4 * r * columns, columns, 1, x / (columns - 1), 0, 1, work);
    for (int c = 0; c < columns; c++) {
        line_slopes(table + 4 * c, rows, columns, y / (rows - 1), 0, 2, work);
        line_slopes(table + 4 * c, rows, columns, y / (rows - 1), 1, 3, work);
    }
}

/* ---- values ---- */

/* h and its derivatives: value, x, y, xx, xy, yy. */
typedef struct jet {
    double h, x, y, xx, xy, yy;
} jet;

/* Weights of value and slope at both ends of a cell, and their first and second derivatives; s from 0 to 1. */
static void weights(double s, double step, bool straight, double w[3][4])
{
    const double l0[2][4] = {{1 - s, 0, s, 0}, {-1 / step, 0, 1 / step, 0}};
    if (straight) {
        for (int k = 0; k < 4; k++) {
            w[0][k] = l0[0][k];
            w[1][k] = l0[1][k];
            w[2][k] = 0;
        }
        return;
    }
    const double r = 1 - s, i = 1 / step;
    const double all[3][4] = {{r * r * (1 + 2 * s), step * s * r * r, s * s * (3 - 2 * s), -step * s * s * r},
                              {-6 * s * r * i, r * (1 - 3 * s), 6 * s * r * i, s * (3 * s - 2)},
                              {(12 * s - 6) * i * i, (6 * s - 4) * i, (6 - 12 * s) * i * i, (6 * s - 2) * i}};
    for (int d = 0; d < 3; d++)
        for (int k = 0; k < 4; k++)
            w[d][k] = all[d][k];
}

/* Cell of a coordinate from the low edge, and where it lies in it; returns what it is beyond the edges. */
static double cell_of(double x, double length, int lines, int *cell, double *s)
{
    const double inside = fmin(fmax(x, 0), length), at = inside / length * (lines - 1);
    *cell = at < lines - 1 ? (int)at : lines - 2;
    *s = at - *cell;
    return x - inside;
}

static jet jet_at(const double *p, double x, double y)
{
    const int columns = (int)p[CAROM_FIELD_COLUMNS], rows = (int)p[CAROM_FIELD_ROWS];
    const bool straight = p[CAROM_FIELD_STRAIGHT] > 0;
    int c, r;
    double s, t, wx[3][4], wy[3][4], d[3][3] = {{0}};
    const double off_x = cell_of(x + 0.5 * p[CAROM_FIELD_X], p[CAROM_FIELD_X], columns, &c, &s);
    const double off_y = cell_of(y + 0.5 * p[CAROM_FIELD_Y], p[CAROM_FIELD_Y], rows, &r, &t);
    weights(s, p[CAROM_FIELD_X] / (columns - 1), straight, wx);
    weights(t, p[CAROM_FIELD_Y] / (rows - 1), straight, wy);
    for (int b = 0; b < 2; b++)
        for (int a = 0; a < 2; a++) {
            const double *z = p + CAROM_FIELD_TABLE + 4 * ((r + b) * columns + c + a);
            for (int i = 0; i < 3; i++)
                for (int j = 0; i + j < 4 && j < 3; j++)
                    d[i][j] += wx[i][2 * a] * (wy[j][2 * b] * z[0] + wy[j][2 * b + 1] * z[2]) +
                               wx[i][2 * a + 1] * (wy[j][2 * b] * z[1] + wy[j][2 * b + 1] * z[3]);
        }
    /* straight on beyond the edges, where the second derivatives across them are 0 */
    if (off_x != 0 || off_y != 0) {
        if (off_x != 0)
            d[2][0] = d[2][1] = 0;
        if (off_y != 0)
            d[0][2] = d[1][2] = 0;
        return (jet){d[0][0] + off_x * d[1][0] + off_y * d[0][1] + off_x * off_y * d[1][1],
                     d[1][0] + off_y * d[1][1],
                     d[0][1] + off_x * d[1][1],
                     d[2][0] + off_y * d[2][1],
                     d[1][1],
                     d[0][2] + off_x * d[1][2]};
    }
    return (jet){d[0][0], d[1][0], d[0][1], d[2][0], d[1][1], d[0][2]};
}

double carom_field_cell(const double *p)
{
    return fmin(p[CAROM_FIELD_X] / (p[CAROM_FIELD_COLUMNS] - 1), p[CAROM_FIELD_Y] / (p[CAROM_FIELD_ROWS] - 1));
}

double carom_field_height(const double *p, double x, double y)
{
    const int columns = (int)p[CAROM_FIELD_COLUMNS], rows = (int)p[CAROM_FIELD_ROWS];
    int c, r;
    double s, t;
    const double off_x = cell_of(x + 0.5 * p[CAROM_FIELD_X], p[CAROM_FIELD_X], columns, &c, &s);
    const double off_y = cell_of(y + 0.5 * p[CAROM_FIELD_Y], p[CAROM_FIELD_Y], rows, &r, &t);
    if (off_x != 0 || off_y != 0)
        return jet_at(p, x, y).h;
    const double *z = p + CAROM_FIELD_TABLE + 4 * (r * columns + c), *above = z + 4 * columns;
    const double u = 1 - s, v = 1 - t;
    if (p[CAROM_FIELD_STRAIGHT] > 0)
        return v * (u * z[0] + s * z[4]) + t * (u * above[0] + s * above[4]);
    const double hx = p[CAROM_FIELD_X] / (columns - 1), hy = p[CAROM_FIELD_Y] / (rows - 1);
    const double w[4] = {u * u * (1 + 2 * s), hx * s * u * u, s * s * (3 - 2 * s), -hx * s * s * u};
    const double low = w[0] * z[0] + w[1] * z[1] + w[2] * z[4] + w[3] * z[5];
    const double high = w[0] * above[0] + w[1] * above[1] + w[2] * above[4] + w[3] * above[5];
    const double low_y = w[0] * z[2] + w[1] * z[3] + w[2] * z[6] + w[3] * z[7];
    const double high_y = w[0] * above[2] + w[1] * above[3] + w[2] * above[6] + w[3] * above[7];
    return v * v * (1 + 2 * t) * low + hy * t * v * v * low_y + t * t * (3 - 2 * t) * high - hy * t * t * v * high_y;
}

/* Principal curvatures of a graph, positive where the material is convex: from the forms E, F, G and -(h_xx, h_xy,
   h_yy)/w in an orthonormal base of the tangent plane (do Carmo 1976, section 3.3). */
static void bend(const jet *j, carom_surface_point *out)
{
    const double w = sqrt(1 + j->x * j->x + j->y * j->y);
    const carom_vec3 e = carom_unit(carom_v3(1, 0, j->x)), f = carom_v3_cross(out->normal, e);
    /* the base directions over the plane: dx, dy of e and f; f.z follows */
    const double ee = -(j->xx * e.x * e.x + 2 * j->xy * e.x * e.y + j->yy * e.y * e.y) / w;
    const double ef = -(j->xx * e.x * f.x + j->xy * (e.x * f.y + e.y * f.x) + j->yy * e.y * f.y) / w;
    const double ff = -(j->xx * f.x * f.x + 2 * j->xy * f.x * f.y + j->yy * f.y * f.y) / w;
    const double mean = 0.5 * (ee + ff), half = 0.5 * (ee - ff), radius = hypot(half, ef);
    const double angle = radius > 0 ? 0.5 * atan2(ef, half) : 0;
    out->curvature[0] = mean + radius;
    out->curvature[1] = mean - radius;
    out->direction[0] = carom_v3_add(carom_v3_scale(cos(angle), e), carom_v3_scale(sin(angle), f));
    out->direction[1] = carom_v3_cross(out->normal, out->direction[0]);
}

void carom_field_at(const double *p, double x, double y, carom_surface_point *out)
{
    const jet j = jet_at(p, x, y);
    *out = (carom_surface_point){.u = x, .v = y, .position = {x, y, j.h}, .du = {1, 0, j.x}, .dv = {0, 1, j.y}};
    out->normal = carom_unit(carom_v3(-j.x, -j.y, 1));
    bend(&j, out);
}

/* ---- feet ---- */

#define LATTICE 12              /* most steps of the lattice of starts along an axis, */
#define FAR_LATTICE 6           /* and of points that are more cells than this above the surface */
#define STARTS 4
#define STEPS 60
#define CLOSE 1e-5              /* of the distance and a cell: shorter steps are taken whole, */
#define SETTLED 1e-12           /* and such a one is the last */

typedef struct start {
    double square, x, y;
} start;

static double square_of(const double *p, carom_vec3 at, double x, double y)
{
    const double e = carom_field_height(p, x, y) - at.z;
    return (x - at.x) * (x - at.x) + (y - at.y) * (y - at.y) + e * e;
}

static void keep(start *list, int *count, start one)
{
    if (*count == STARTS && !(one.square < list[STARTS - 1].square))
        return;
    int k = *count < STARTS ? (*count)++ : STARTS - 1;
    for (; k > 0 && list[k - 1].square > one.square; k--)
        list[k] = list[k - 1];
    list[k] = one;
}

/* The low places of a lattice about the point, as far as its height over the surface, beyond which no point is
   nearer. */
static int find_starts(const double *p, carom_vec3 at, start *list)
{
    const double far = fabs(at.z - carom_field_height(p, at.x, at.y));
    const double cells = far / carom_field_cell(p);
    const int most = (cells > FAR_LATTICE ? FAR_LATTICE : LATTICE) / 2, half = (int)fmin(ceil(2 * cells), most);
    const int wide = 2 * half + 1;
    double grid[LATTICE + 1][LATTICE + 1];
    int count = 0;
    list[count++] = (start){far * far, at.x, at.y};
    if (half == 0)
        return count;
    const double step = far / half;
    for (int b = 0; b < wide; b++)
        for (int a = 0; a < wide; a++)
            grid[b][a] = square_of(p, at, at.x + (a - half) * step, at.y + (b - half) * step);
    for (int b = 0; b < wide; b++)
        for (int a = 0; a < wide; a++) {
            const double here = grid[b][a];
            if ((a > 0 && grid[b][a - 1] < here) || (a + 1 < wide && grid[b][a + 1] < here) ||
                (b > 0 && grid[b - 1][a] < here) || (b + 1 < wide && grid[b + 1][a] < here))
                continue;
            keep(list, &count, (start){here, at.x + (a - half) * step, at.y + (b - half) * step});
        }
    return count;
}

/* Newton's method on half of the square of the distance, with the positive part of its matrix where it bends the other
   way; steps that do not go down are halved. */
static void descend(const double *p, carom_vec3 at, start *one)
{
    double value = square_of(p, at, one->x, one->y);
    for (int k = 0, close = 0; k < STEPS; k++) {
        const jet j = jet_at(p, one->x, one->y);
        const double rx = one->x - at.x, ry = one->y - at.y, e = j.h - at.z;
        const double gx = rx + e * j.x, gy = ry + e * j.y;
        double a = 1 + j.x * j.x + e * j.xx, b = j.x * j.y + e * j.xy, c = 1 + j.y * j.y + e * j.yy;
        if (!(a > 0 && a * c - b * b > 1e-3 * (a + c) * (a + c) * 0.25)) {
            a = 1 + j.x * j.x;
            b = j.x * j.y;
            c = 1 + j.y * j.y;
        }
        const double det = a * c - b * b, dx = (b * gy - c * gx) / det, dy = (b * gx - a * gy) / det;
        double share = 1, next = value;
        /* where the square is flat to its last digits whole steps lead on */
        const double way = hypot(dx, dy) / (sqrt(value) + carom_field_cell(p));
        if (way < CLOSE) {
            one->x += dx;
            one->y += dy;
            if (way < SETTLED || ++close == 4)
                break;
            value = square_of(p, at, one->x, one->y);
            continue;
        }
        for (int half = 0; half < 30; half++, share *= 0.5) {
            next = square_of(p, at, one->x + share * dx, one->y + share * dy);
            if (next < value)
                break;
        }
        if (!(next < value))
            break;
        one->x += share * dx;
        one->y += share * dy;
        value = next;
    }
    one->square = square_of(p, at, one->x, one->y);
}

double carom_field_distance_near(const double *p, carom_vec3 at, carom_surface_point *foot)
{
    start here = {0, foot->u, foot->v};
    descend(p, at, &here);
    carom_field_at(p, here.x, here.y, foot);
    return carom_v3_dot(carom_v3_sub(at, foot->position), foot->normal);
}

double carom_field_distance(const double *p, carom_vec3 at, carom_surface_point *foot)
{
    start list[STARTS], best = {HUGE_VAL, at.x, at.y};
    const int count = find_starts(p, at, list);
    for (int k = 0; k < count; k++) {
        descend(p, at, &list[k]);
        if (list[k].square < best.square)
            best = list[k];
    }
    carom_field_at(p, best.x, best.y, foot);
    return carom_v3_dot(carom_v3_sub(at, foot->position), foot->normal);
}
