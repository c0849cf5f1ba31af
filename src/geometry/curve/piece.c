/* Pieces of curves: what follows from their data, and distances of chords. */
#include <string.h>
#include "geometry/curve/piece.h"

/* Ends, tangents and bounds of a piece whose data are set. */
void carom_piece_complete(double *piece)
{
    carom_piece_point from, to;
    carom_piece_eval(piece, 0, &from);
    carom_piece_eval(piece, 1, &to);
    carom_vec2 t0 = carom_v2_unit(from.d1), t1 = carom_v2_unit(to.d1), centre = {0, 0};
    double radius = 0, bend = 0;
    if (carom_piece_arc(piece)) {
        double sweep = piece[CAROM_PIECE_ARC_SWEEP], r = piece[CAROM_PIECE_ARC_RADIUS];
        bend = r * sweep * sweep;
        centre = carom_piece_pair(piece, CAROM_PIECE_ARC_CENTRE);
        radius = r;
        if (fabs(sweep) < CAROM_PI) {
            centre = carom_v2_scale(0.5, carom_v2_add(from.at, to.at));
            radius = fmax(0.5 * carom_v2_distance(from.at, to.at), r * (1 - cos(0.5 * sweep)));
        }
    } else {
        const double *x = piece + CAROM_PIECE_DATA, *y = x + CAROM_CURVE_DEGREE + 1;
        centre = carom_v2(x[0], y[0]);
        for (int k = 1; k <= CAROM_CURVE_DEGREE; k++) {
            double size = sqrt(x[k] * x[k] + y[k] * y[k]);
            radius += size;
            bend += 4.0 * k * (k - 1) * size;
        }
    }
    const double values[] = {
        centre.x, centre.y, radius * (1 + 1e-14), bend, from.at.x, from.at.y, to.at.x, to.at.y, t0.x, t0.y, t1.x, t1.y};
    memcpy(piece + CAROM_PIECE_CENTRE, values, sizeof values);
}

void carom_piece_set_line(double *piece, carom_vec2 from, carom_vec2 to)
{
    memset(piece, 0, CAROM_CURVE_PIECE * sizeof *piece);
    double *x = piece + CAROM_PIECE_DATA, *y = x + CAROM_CURVE_DEGREE + 1;
    piece[CAROM_PIECE_DEGREE] = 1;
    x[0] = 0.5 * (from.x + to.x);
    x[1] = 0.5 * (to.x - from.x);
    y[0] = 0.5 * (from.y + to.y);
    y[1] = 0.5 * (to.y - from.y);
    carom_piece_complete(piece);
    /* The points as given, free of rounding. */
    piece[CAROM_PIECE_FROM] = from.x;
    piece[CAROM_PIECE_FROM + 1] = from.y;
    piece[CAROM_PIECE_TO] = to.x;
    piece[CAROM_PIECE_TO + 1] = to.y;
}

/* ---- chords ---- */

double carom_chord_point_distance(carom_vec2 a, carom_vec2 b, carom_vec2 p)
{
    carom_vec2 e = carom_v2_sub(b, a), d = carom_v2_sub(p, a);
    double square = carom_v2_dot(e, e), t = square > 0 ? carom_v2_dot(d, e) / square : 0;
    return carom_v2_norm(carom_v2_add_scaled(d, -fmin(fmax(t, 0), 1), e));
}

double carom_chord_distance(carom_vec2 a, carom_vec2 b, carom_vec2 c, carom_vec2 d)
{
    carom_vec2 e = carom_v2_sub(b, a), f = carom_v2_sub(d, c);
    double side_c = carom_v2_cross(e, carom_v2_sub(c, a)), side_d = carom_v2_cross(e, carom_v2_sub(d, a));
    double side_a = carom_v2_cross(f, carom_v2_sub(a, c)), side_b = carom_v2_cross(f, carom_v2_sub(b, c));
    if (((side_c < 0) != (side_d < 0)) && ((side_a < 0) != (side_b < 0)))
        return 0;
    return fmin(fmin(carom_chord_point_distance(a, b, c), carom_chord_point_distance(a, b, d)),
                fmin(carom_chord_point_distance(c, d, a), carom_chord_point_distance(c, d, b)));
}
