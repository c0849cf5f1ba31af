/* The foot of a point that has moved: Newton steps along the curve from where it was. */
#include "geometry/curve/segment.h"

#define STEPS 30

/* The segment behind (step = -1) or ahead (1), -1 beyond an end. */
static int beside(const double *curve, int k, int step)
{
    int count = carom_curve_segments(curve), next = k + step;
    if (next >= 0 && next < count)
        return next;
    return carom_curve_closed(curve) ? (next + count) % count : -1;
}

/* Newton step of D at u; arcs and lines in one. */
static double step_of(const double *segment, carom_vec2 p, double u, int *evaluations)
{
    carom_segment_point c;
    carom_segment_eval(segment, u, &c);
    ++*evaluations;
    carom_vec2 d = carom_v2_sub(c.at, p);
    double square = carom_v2_dot(c.d1, c.d1), slope = carom_v2_dot(c.d1, d), bend = square + carom_v2_dot(c.d2, d);
    if (carom_segment_arc(segment)) {
        carom_vec2 arm = carom_v2_sub(c.at, carom_segment_pair(segment, CAROM_SEGMENT_ARC_CENTRE));
        carom_vec2 to = carom_v2_sub(p, carom_segment_pair(segment, CAROM_SEGMENT_ARC_CENTRE));
        return atan2(carom_v2_cross(arm, to), carom_v2_dot(arm, to)) / segment[CAROM_SEGMENT_ARC_SWEEP];
    }
    /* Where D bends down, downhill by the step of a straight line. */
    double step = bend > 1e-3 * square ? -slope / bend : -slope / square;
    return fmin(fmax(step, -0.5), 0.5);
}

/* From (k, u) to a local minimum; false: not found. */
static bool descend(const double *curve, carom_vec2 p, int *k, double *u, int *evaluations)
{
    int came = 0; /* over a joint in the last step: -1, 1 */
    for (int n = 0; n < STEPS; n++) {
        const double *segment = carom_segment(curve, *k);
        double step = step_of(segment, p, *u, evaluations), next = *u + step;
        if (next >= 0 && next <= 1) {
            *u = next;
            if (fabs(step) < 1e-8 && !carom_segment_arc(segment)) {
                /* Newton steps are quadratic: one more is exact. */
                *u = fmin(fmax(*u + step_of(segment, p, *u, evaluations), 0), 1);
                return true;
            }
            if (carom_segment_arc(segment) || carom_segment_line(segment))
                return true;
            came = 0;
            continue;
        }
        int side = next > 1 ? 1 : -1;
        double border = side > 0 ? 1 : 0;
        if (*u != border) {
            *u = border;
            came = 0;
            continue;
        }
        /* At the border, and onward: into the neighbour, unless that one leads back. */
        int neighbour = beside(curve, *k, side);
        if (neighbour < 0 || came == -side)
            return true;
        *k = neighbour;
        *u = 1 - border;
        came = side;
    }
    return false;
}

void carom_curve_closest_from(const double *curve, carom_vec2 p, double s, carom_curve_foot *out)
{
    double u;
    int k = carom_curve_split(curve, s, &u);
    out->evaluations = 0;
    out->searched = false;
    if (descend(curve, p, &k, &u, &out->evaluations)) {
        carom_curve_foot_finish(curve, p, k, u, out);
        /* A smooth foot is a minimum while the point is nearer than the centre of curvature. */
        if (out->place != CAROM_PLACE_SMOOTH || (out->residual < 1e-11 && 1 + out->distance * out->curvature > 1e-9))
            return;
    }
    int spent = out->evaluations;
    carom_curve_closest(curve, p, out);
    out->evaluations += spent;
}
