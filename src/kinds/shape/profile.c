/* Profile: an outline of lines, arcs, polynomials and splines, open or closed.
   Source: Machado et al. 2012, section 3, eqs. (7)-(16) (contact of planar profiles).
   Validity: no gaps and no crossings; smooth where a law sees its radius. */
#include "kinds/shape/shape.h"

static const carom_param_row params[] = {
    {"outline", "m", 0, CAROM_PARAM_REQUIRED | CAROM_PARAM_OUTLINE, 0, -HUGE_VAL, HUGE_VAL,
     "Segments in the direction of travel, each a mapping with one key: line, arc, polynomial or spline. The material "
     "lies "
     "to the left."},
    {"closed", "false|true", 1, CAROM_PARAM_TEXT, 0, -HUGE_VAL, HUGE_VAL,
     "Whether the last segment ends where the first begins."},
    {"flip", "false|true", 1, CAROM_PARAM_TEXT, 0, -HUGE_VAL, HUGE_VAL,
     "Puts the material to the right of the direction of travel."},
};

static int segments(const double *p, const carom_shape_lists *lists)
{
    (void)p;
    int count = 0;
    for (size_t k = 0; k < lists->outline_count; k++)
        count += carom_outline_segments(&lists->outline[k]);
    return count;
}

/* The entry of the outline that a segment of the curve belongs to. */
static int entry_of(const carom_shape_lists *lists, int segment)
{
    for (size_t k = 0; k < lists->outline_count; k++) {
        const carom_outline_def *entry = &lists->outline[k];
        const bool open_spline = carom_outline_segments(entry) > 1 && !(entry->ends && entry->ends[0] == 'p');
        const int count = carom_outline_segments(entry) - (open_spline ? 1 : 0);
        if (segment < count)
            return (int)k;
        segment -= count;
    }
    return lists->outline_count ? (int)lists->outline_count - 1 : -1;
}

static const char *curve(const double *p, const carom_shape_lists *lists, double *curve, int *item)
{
    carom_curve_builder b = carom_curve_begin(curve, segments(p, lists));
    for (size_t k = 0; k < lists->outline_count; k++) {
        const char *refusal = carom_outline_add(&b, &lists->outline[k]);
        *item = (int)k;
        if (refusal)
            return refusal;
    }
    const char *refusal = carom_curve_finish(&b, p[0] > 0, CAROM_MATERIAL_LEFT);
    *item = entry_of(lists, b.segment);
    if (!refusal && p[1] > 0)
        carom_curve_reverse(curve);
    return refusal;
}

const carom_shape_kind carom_shape_profile = {
    .kind = {.name = "profile",
             .title = "Profile: an outline of lines, arcs, polynomials and splines (2-D).",
             .formula = "segments r(u), joined; material to the left of the direction of travel",
             .source = "Machado et al. 2012, section 3, eqs. (7)-(16) (contact of planar profiles).",
             .validity = "Segments join without gaps and do not cross. An open profile has material behind it however "
                         "deep, and none beside "
                         "its ends: let it reach beyond all that may touch it. The radius at the contact goes into "
                         "laws that need one.",
             .params = params,
             .param_count = (int)(sizeof params / sizeof params[0])},
    .surface = "curve",
    .in_2d = true,
    .segments = segments,
    .curve = curve,
    .bounding_radius = carom_curve_bounding_radius,
    .mesh = carom_curve_mesh,
};
