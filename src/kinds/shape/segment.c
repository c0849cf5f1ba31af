/* Segment of a line, thin, open: the material lies to the left of the way from `from` to `to`, however deep.
   Source: Machado et al. 2012, section 3, eqs. (7)-(16) (contact of planar profiles).
   Validity: what may touch it stays beside its ends. */
#include "kinds/shape/shape.h"

static const carom_param_row params[] = {
    {"from", "m", 3, CAROM_PARAM_REQUIRED, 0, -HUGE_VAL, HUGE_VAL, "First end."},
    {"to", "m", 3, CAROM_PARAM_REQUIRED, 0, -HUGE_VAL, HUGE_VAL,
     "Second end; the material lies to the left of the way there."},
};

static const char *curve(const double *p, const carom_shape_lists *lists, double *curve, int *item)
{
    (void)lists;
    *item = -1;
    return carom_outline_segment(curve, carom_v2(p[0], p[1]), carom_v2(p[3], p[4]));
}

const carom_shape_kind carom_shape_segment = {
    .kind = {.name = "segment",
             .title = "Straight wall between two points (2-D).",
             .formula = "r = from + u (to - from), 0 <= u <= 1; material to the left",
             .source = "Machado et al. 2012, section 3, eqs. (7)-(16) (contact of planar profiles).",
             .validity = "Behind it there is material however deep, beside its ends there is none: let it reach beyond "
                         "all that may touch "
                         "it. For a wall without ends take a plane.",
             .params = params,
             .param_count = (int)(sizeof params / sizeof params[0])},
    .surface = "curve",
    .in_2d = true,
    .curve = curve,
    .bounding_radius = carom_curve_bounding_radius,
    .mesh = carom_curve_mesh,
};
