/* Straight slot with round ends, hollow: the material lies outside.
   Source: Machado et al. 2012, section 3, eqs. (7)-(16) (contact of planar profiles). Autiero et al. 2022, section 4
   (slot and pin).
   Validity: the centres of the ends differ. */
#include "kinds/shape/shape.h"

static const carom_param_row params[] = {
    {"from", "m", 3, CAROM_PARAM_REQUIRED, 0, -HUGE_VAL, HUGE_VAL, "Centre of the first round end."},
    {"to", "m", 3, CAROM_PARAM_REQUIRED, 0, -HUGE_VAL, HUGE_VAL, "Centre of the second round end."},
    {"half_width", "m", 1, CAROM_PARAM_REQUIRED | CAROM_PARAM_ABOVE, 0, 0, HUGE_VAL,
     "Half the width; radius of the ends."},
};

static const char *curve(const double *p, const carom_shape_lists *lists, double *curve, int *item)
{
    (void)lists;
    *item = -1;
    return carom_outline_capsule(curve, carom_v2(p[0], p[1]), carom_v2(p[3], p[4]), p[6], true);
}

const carom_shape_kind carom_shape_slot = {
    .kind = {.name = "slot",
             .title = "Straight slot with round ends, with the material outside (2-D).",
             .formula = "distance of r from the line from - to = half_width",
             .source = "Machado et al. 2012, section 3, eqs. (7)-(16); Autiero et al. 2022, section 4 (slot and pin).",
             .validity = "A pin in it is a sphere or a curve narrower than the slot. It touches in one point at a "
                         "time: the nearest.",
             .params = params,
             .param_count = (int)(sizeof params / sizeof params[0])},
    .surface = "curve",
    .in_2d = true,
    .curve = curve,
    .bounding_radius = carom_curve_bounding_radius,
    .mesh = carom_curve_mesh,
};
