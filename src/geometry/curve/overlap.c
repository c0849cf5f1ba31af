/* How deep two closed outlines lie in each other, corners or none: crossed bars have none inside the other one, and
   outlines in the same place have all of theirs on each other. */
#include "geometry/curve/segment.h"

/* Chords of a segment that is no straight line. */
#define CHORDS 16

/* Centroid of the area. */
static carom_vec2 centroid(const double *curve)
{
    const carom_vec2 base = carom_segment_pair(carom_segment(curve, 0), CAROM_SEGMENT_FROM);
    carom_vec2 sum = {0, 0}, last = {0, 0};
    double area = 0;
    for (int k = 0; k < carom_curve_segments(curve); k++) {
        const double *segment = carom_segment(curve, k);
        const int chords = carom_segment_line(segment) ? 1 : CHORDS;
        for (int n = 1; n <= chords; n++) {
            const carom_vec2 next = carom_v2_sub(carom_segment_at(segment, (double)n / chords), base);
            const double twice = carom_v2_cross(last, next);
            sum = carom_v2_add_scaled(sum, twice / 3, carom_v2_add(last, next));
            area += twice;
            last = next;
        }
    }
    return carom_v2_add_scaled(base, 1 / area, sum);
}

double carom_curve_overlap(const double *i, const double *j, const carom_pose2 *X, carom_vec2 *at)
{
    if (!(i[CAROM_CURVE_AREA] > 0) || !(j[CAROM_CURVE_AREA] > 0))
        return 0;
    carom_curve_contact contact;
    carom_curve_gap(i, j, X, &contact);
    double depth = fmax(-contact.gap, 0);
    *at = contact.point_i;
    const carom_vec2 of_i = centroid(i), of_j = carom_pose2_apply(X, centroid(j));
    const carom_vec2 within[3] = {of_i, of_j, carom_v2_scale(0.5, carom_v2_add(of_i, of_j))};
    for (int k = 0; k < 3; k++) { /* the width of a circle that lies in both */
        carom_curve_foot in_i, in_j;
        carom_curve_closest(i, within[k], &in_i);
        carom_curve_closest(j, carom_pose2_apply_back(X, within[k]), &in_j);
        const double width = -2 * fmax(in_i.distance, in_j.distance);
        if (width > depth) {
            depth = width;
            *at = within[k];
        }
    }
    return depth;
}
