/* Inside of the curve functions: pieces, parts of them and the two searches. */
#ifndef CAROM_CURVE_PIECE_H
#define CAROM_CURVE_PIECE_H

#include "geometry/curve/curve.h"

#define CAROM_PI 3.14159265358979323846

/* Point and derivatives over u of a piece. */
typedef struct carom_piece_point {
    carom_vec2 at, d1, d2;
} carom_piece_point;

static inline const double *carom_piece(const double *curve, int k)
{
    return curve + CAROM_CURVE_HEADER + k * CAROM_CURVE_PIECE;
}
static inline carom_vec2 carom_piece_pair(const double *piece, int place)
{
    return carom_v2(piece[place], piece[place + 1]);
}
static inline bool carom_piece_arc(const double *piece) { return piece[CAROM_PIECE_ARC] > 0; }
static inline bool carom_piece_line(const double *piece)
{
    return !carom_piece_arc(piece) && piece[CAROM_PIECE_DEGREE] <= 1;
}
/* Greatest distance between a part of length h in u and its chord [m]. */
static inline double carom_piece_sagitta(const double *piece, double h) { return piece[CAROM_PIECE_BEND] * h * h / 8; }

carom_vec2 carom_piece_at(const double *piece, double u);
void carom_piece_eval(const double *piece, double u, carom_piece_point *out);
/* Parameter of the point of an arc in the direction from its centre; outside [0, 1] where the arc does not reach it. */
double carom_arc_parameter(const double *piece, carom_vec2 direction);
/* Piece and u of s; the later piece at joints. */
int carom_curve_split(const double *curve, double s, double *u);
/* s of a piece and u, 0 in place of the end of a closed curve. */
double carom_curve_join(const double *curve, int k, double u);
/* Signed curvature of a piece at a point [1/m]. */
static inline double carom_piece_curvature(const carom_piece_point *c)
{
    double speed = carom_v2_norm(c->d1);
    return carom_v2_cross(c->d1, c->d2) / (speed * speed * speed);
}
/* Joint at s when s is one and it is no smooth one; -1 otherwise. */
int carom_curve_corner(const double *curve, double s);

/* Completes a foot from its s (or piece and u): sign, normal, curvature, place. */
void carom_curve_foot_finish(const double *curve, carom_vec2 point, int k, double u, carom_curve_foot *out);
/* carom_curve_closest with a bound that the distance is known not to exceed. */
void carom_curve_closest_within(const double *curve, carom_vec2 point, double bound, carom_curve_foot *out);
/* Nearest u of one piece and its distance, where it is less than *distance; adds to *evaluations. */
bool carom_piece_closest(const double *piece, carom_vec2 point, double slack, double *u, double *distance,
                         int *evaluations);

/* Newton steps of a contact from s_i, s_j; false: not converged. */
bool carom_curve_gap_newton(const double *i, const double *j, const carom_pose2 *X, double s_i, double s_j,
                            carom_curve_contact *out);
/* Contact of the point of curve `side` (1: j) with its foot on the other curve; adds to the evaluations of `out`. */
void carom_curve_contact_at(const double *i, const double *j, const carom_pose2 *X, double s_i, double s_j, int side,
                            carom_curve_contact *out);

#define CAROM_BREAKS 64

/* Where the side changes on which the points of one curve lie of the other: crossings (and touches), and rays into the
   material behind the ends of the other curve, if it is open. Ascending. */
typedef struct carom_curve_breaks {
    int count;
    double s[CAROM_BREAKS];
    bool ray[CAROM_BREAKS];
} carom_curve_breaks;

/* Breaks of both curves; false: there are more than there is room for. */
bool carom_curve_breaks_find(const double *i, const double *j, const carom_pose2 *X, carom_curve_breaks *of_i,
                             carom_curve_breaks *of_j, bool *crossed, int *evaluations);
/* Least distance of two curves that do not cross, to within `slack`; starts from *distance and keeps it where
   nothing is less. */
void carom_curve_nearest(const double *i, const double *j, const carom_pose2 *X, double slack, double *distance,
                         double *s_i, double *s_j, int *evaluations);
/* Least signed distance from i of the points of j between the parameters a < b, to within `slack` and 1e-6 of it;
   starts from *gap. b may lie beyond the last piece of a closed curve. */
void carom_curve_deepest(const double *i, const double *j, const carom_pose2 *X, double a, double b, double slack,
                         double *gap, double *s_i, double *s_j, int *evaluations);

/* The piece that meets another part of the curve, or that such a meeting could not be excluded for; -1: none. */
int carom_curve_crosses_itself(const double *curve);

/* Ends, tangents and bounds of a piece whose data are set. */
void carom_piece_complete(double *piece);
/* Makes a piece a straight line. */
void carom_piece_set_line(double *piece, carom_vec2 from, carom_vec2 to);

/* Distance of the chords a - b and c - d [m]; 0 where they cross. */
double carom_chord_distance(carom_vec2 a, carom_vec2 b, carom_vec2 c, carom_vec2 d);
/* Distance from p to the chord a - b [m]. */
double carom_chord_point_distance(carom_vec2 a, carom_vec2 b, carom_vec2 p);

#endif
