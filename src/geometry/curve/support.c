/* The points by which a curve may lie on a plane. Sides that are straight or concave touch a plane by their ends,
   so that these are the points: each convex corner (or open end) between two such sides, and the lowest point of
   each run of convex pieces, which takes the corners at its own ends with it. A polygon lies on its corners, a
   capsule on its two rounds, a smooth convex outline on one point. */
#include "geometry/curve/piece.h"

#include <string.h>

/* Whether a piece may touch a plane between its ends. */
static bool is_round(const double *piece)
{
    if (carom_piece_arc(piece))
        return piece[CAROM_PIECE_ARC_SWEEP] > 0;
    if (carom_piece_line(piece))
        return false;
    for (int k = 0; k <= 8; k++) {
        carom_piece_point c;
        carom_piece_eval(piece, k / 8.0, &c);
        if (carom_piece_curvature(&c) > 0)
            return true;
    }
    return false;
}

/* The pieces before and behind a joint; -1 beyond the ends of an open curve. */
static int piece_before(const double *curve, int joint)
{
    const int count = carom_curve_pieces(curve);
    return joint > 0 ? joint - 1 : carom_curve_closed(curve) ? count - 1 : -1;
}

static int piece_behind(const double *curve, int joint)
{
    const int count = carom_curve_pieces(curve);
    return joint < count ? joint : carom_curve_closed(curve) ? 0 : -1;
}

static bool round_at(const double *curve, int piece) { return piece >= 0 && is_round(carom_piece(curve, piece)); }

/* Whether a joint is a point by itself. */
static bool is_point(const double *curve, int joint)
{
    carom_curve_joint at;
    if (round_at(curve, piece_before(curve, joint)) || round_at(curve, piece_behind(curve, joint)))
        return false;
    carom_curve_joint_at(curve, joint, &at);
    return at.kind == CAROM_JOINT_CONVEX || at.kind == CAROM_JOINT_END;
}

/* Whether a run begins with a piece. Pieces that are round all the way are one run, which begins with the first. */
static bool begins_run(const double *curve, int piece)
{
    if (!round_at(curve, piece))
        return false;
    if (!round_at(curve, piece_before(curve, piece)))
        return true;
    for (int k = 0; k < carom_curve_pieces(curve); k++)
        if (!round_at(curve, k))
            return false;
    return piece == 0 && carom_curve_closed(curve);
}

/* What lies at the entry `index` of joints and runs in turn: a joint, or the first piece of a run; returns their
   number. */
static int find(const double *curve, int index, int *joint, int *piece)
{
    int count = 0;
    const int pieces = carom_curve_pieces(curve), joints = pieces + (carom_curve_closed(curve) ? 0 : 1);
    *joint = *piece = -1;
    for (int k = 0; k < joints; k++) {
        if (is_point(curve, k) && count++ == index)
            *joint = k;
        if (k < pieces && begins_run(curve, k) && count++ == index)
            *piece = k;
    }
    return count;
}

int carom_curve_supports(const double *curve)
{
    int joint, piece;
    return find(curve, -1, &joint, &piece);
}

/* Lowest point of one piece; radius of the surface there by the piece itself, where its end is a smooth joint. */
static void lowest(const double *curve, int piece, carom_vec2 origin, carom_vec2 up, carom_curve_contact *out)
{
    double one[CAROM_CURVE_HEADER + CAROM_CURVE_PIECE], u;
    memcpy(one, curve, CAROM_CURVE_HEADER * sizeof(double));
    memcpy(one + CAROM_CURVE_HEADER, carom_piece(curve, piece), CAROM_CURVE_PIECE * sizeof(double));
    one[CAROM_CURVE_COUNT] = 1;
    one[CAROM_CURVE_CLOSED] = one[CAROM_CURVE_CORNERS] = 0;
    carom_curve_half_plane(one, origin, up, out);
    u = out->s_i;
    out->s_i = carom_curve_join(curve, piece, u);
    out->place_i = CAROM_PLACE_SMOOTH;
    carom_curve_joint joint = {.kind = CAROM_JOINT_C2};
    if (u <= 0 || u >= 1)
        carom_curve_joint_at(curve, u <= 0 ? piece : piece + 1, &joint);
    if (joint.kind == CAROM_JOINT_CONVEX || joint.kind == CAROM_JOINT_END)
        out->place_i = joint.kind == CAROM_JOINT_END ? CAROM_PLACE_END : CAROM_PLACE_CORNER;
    carom_piece_point c;
    carom_piece_eval(carom_piece(curve, piece), u, &c);
    out->curvature_i = out->place_i == CAROM_PLACE_SMOOTH ? carom_piece_curvature(&c) : HUGE_VAL;
}

void carom_curve_support(const double *curve, int index, carom_vec2 origin, carom_vec2 up, carom_curve_contact *out)
{
    int joint, piece;
    *out = (carom_curve_contact){.gap = HUGE_VAL, .normal = carom_v2_neg(up), .searched = true, .common = true};
    find(curve, index, &joint, &piece);
    if (joint >= 0) {
        carom_curve_joint at;
        carom_curve_joint_at(curve, joint, &at);
        out->point_i = at.at;
        out->gap = carom_v2_dot(up, carom_v2_sub(at.at, origin));
        out->point_j = carom_v2_add_scaled(at.at, -out->gap, up);
        out->s_i = joint;
        out->curvature_i = HUGE_VAL;
        out->place_i = CAROM_PLACE_CORNER;
        return;
    }
    for (int k = piece, n = 0; n < carom_curve_pieces(curve) && round_at(curve, k); n++) {
        carom_curve_contact at = {0};
        lowest(curve, k, origin, up, &at);
        if (at.gap < out->gap)
            *out = at;
        k = piece_behind(curve, k + 1);
    }
}

carom_vec2 carom_curve_support_point(const double *curve, int index)
{
    int joint, piece;
    carom_curve_joint at;
    find(curve, index, &joint, &piece);
    carom_curve_joint_at(curve, joint >= 0 ? joint : piece, &at);
    return at.at;
}

static int count_sides(const double *curve)
{
    int count = 0;
    for (int k = 0; k < carom_curve_pieces(curve); k++)
        count += carom_piece_line(carom_piece(curve, k));
    return count;
}

bool carom_curve_has_sides(const double *curve) { return count_sides(curve) > 0; }

bool carom_curve_is_polygon(const double *curve) { return count_sides(curve) == carom_curve_pieces(curve); }
