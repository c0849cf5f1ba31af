/* Segments of curves: what follows from their data, and distances of chords. */
#include <string.h>
#include "geometry/curve/segment.h"

/* Ends, tangents and bounds of a segment whose data are set. */
void carom_segment_complete(double *segment)
{
    carom_segment_point from, to;
    carom_segment_eval(segment, 0, &from);
    carom_segment_eval(segment, 1, &to);
    carom_vec2 t0 = carom_v2_unit(from.d1), t1 = carom_v2_unit(to.d1), centre = {0, 0};
    double radius = 0, bend = 0;
    if (carom_segment_arc(segment)) {
        double sweep = segment[CAROM_SEGMENT_ARC_SWEEP], r = segment[CAROM_SEGMENT_ARC_RADIUS];
        bend = r * sweep * sweep;
        centre = carom_segment_pair(segment, CAROM_SEGMENT_ARC_CENTRE);
        radius = r;
        if (fabs(sweep) < CAROM_PI) {
            centre = carom_v2_scale(0.5, carom_v2_add(from.at, to.at));
            radius = fmax(0.5 * carom_v2_distance(from.at, to.at), r * (1 - cos(0.5 * sweep)));
        }
    } else {
        const double *x = segment + CAROM_SEGMENT_DATA, *y = x + CAROM_CURVE_DEGREE + 1;
        centre = carom_v2(x[0], y[0]);
        for (int k = 1; k <= CAROM_CURVE_DEGREE; k++) {
            double size = sqrt(x[k] * x[k] + y[k] * y[k]);
            radius += size;
            bend += 4.0 * k * (k - 1) * size;
        }
    }
    const double values[] = {
        centre.x, centre.y, radius * (1 + 1e-14), bend, from.at.x, from.at.y, to.at.x, to.at.y, t0.x, t0.y, t1.x, t1.y};
    memcpy(segment + CAROM_SEGMENT_CENTRE, values, sizeof values);
}

void carom_segment_set_line(double *segment, carom_vec2 from, carom_vec2 to)
{
    memset(segment, 0, CAROM_CURVE_SEGMENT * sizeof *segment);
    double *x = segment + CAROM_SEGMENT_DATA, *y = x + CAROM_CURVE_DEGREE + 1;
    segment[CAROM_SEGMENT_DEGREE] = 1;
    x[0] = 0.5 * (from.x + to.x);
    x[1] = 0.5 * (to.x - from.x);
    y[0] = 0.5 * (from.y + to.y);
    y[1] = 0.5 * (to.y - from.y);
    carom_segment_complete(segment);
    /* The points as given, free of rounding. */
    segment[CAROM_SEGMENT_FROM] = from.x;
    segment[CAROM_SEGMENT_FROM + 1] = from.y;
    segment[CAROM_SEGMENT_TO] = to.x;
    segment[CAROM_SEGMENT_TO + 1] = to.y;
}

/* ---- chords ---- */

/* Square of the distance of p from the chord a b. */
static double point_square(carom_vec2 a, carom_vec2 b, carom_vec2 p)
{
    const carom_vec2 e = carom_v2_sub(b, a), d = carom_v2_sub(p, a);
    const double square = carom_v2_dot(e, e), t = square > 0 ? carom_v2_dot(d, e) / square : 0;
    const carom_vec2 from = carom_v2_add_scaled(d, -(t > 0 ? t < 1 ? t : 1 : 0), e);
    return carom_v2_dot(from, from);
}

static double lesser(double a, double b) { return a < b ? a : b; }

double carom_chord_point_distance(carom_vec2 a, carom_vec2 b, carom_vec2 p) { return sqrt(point_square(a, b, p)); }

double carom_chord_distance(carom_vec2 a, carom_vec2 b, carom_vec2 c, carom_vec2 d)
{
    carom_vec2 e = carom_v2_sub(b, a), f = carom_v2_sub(d, c);
    double side_c = carom_v2_cross(e, carom_v2_sub(c, a)), side_d = carom_v2_cross(e, carom_v2_sub(d, a));
    double side_a = carom_v2_cross(f, carom_v2_sub(a, c)), side_b = carom_v2_cross(f, carom_v2_sub(b, c));
    if (((side_c < 0) != (side_d < 0)) && ((side_a < 0) != (side_b < 0)))
        return 0;
    return sqrt(lesser(lesser(point_square(a, b, c), point_square(a, b, d)),
                       lesser(point_square(c, d, a), point_square(c, d, b))));
}
