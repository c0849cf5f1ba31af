/* Slot along an arc with round ends, hollow: the material lies outside.
   Source: Autiero et al. 2022, section 4, Figs. 8-9 (annular sector with two semicircular ends).
   Validity: half width below the radius of the centre line. */
#include "kinds/shape/shape.h"

static const carom_param_row params[] = {
    {"centre", "m", 3, CAROM_PARAM_REQUIRED, 0, -HUGE_VAL, HUGE_VAL, "Centre of the arc."},
    {"radius", "m", 1, CAROM_PARAM_REQUIRED | CAROM_PARAM_ABOVE, 0, 0, HUGE_VAL, "Radius of the centre line."},
    {"half_width", "m", 1, CAROM_PARAM_REQUIRED | CAROM_PARAM_ABOVE, 0, 0, HUGE_VAL,
     "Half the width; radius of the ends."},
    {"from", "rad", 1, CAROM_PARAM_REQUIRED, 0, -HUGE_VAL, HUGE_VAL, "Angle of the centre of the first end."},
    {"to", "rad", 1, CAROM_PARAM_REQUIRED, 0, -HUGE_VAL, HUGE_VAL,
     "Angle of the centre of the second end, the larger one."},
};

static const char *curve(const double *p, const carom_shape_lists *lists, double *curve, int *item)
{
    (void)lists;
    *item = -1;
    return carom_outline_sector(curve, carom_v2(p[0], p[1]), p[3], p[4], p[5], p[6], true);
}

const carom_shape_kind carom_shape_curved_slot = {
    .kind = {.name = "curved-slot",
             .title = "Slot along an arc with round ends, with the material outside (2-D).",
             .formula = "distance of r from the arc of the centre line = half_width",
             .source = "Autiero et al. 2022, section 4, Figs. 8-9 (annular sector with two semicircular ends).",
             .validity = "The half width is below the radius of the centre line. A pin in it is a sphere or a curve "
                         "narrower than the "
                         "slot. It touches in one point at a time: the nearest.",
             .params = params,
             .param_count = (int)(sizeof params / sizeof params[0])},
    .surface = "curve",
    .in_2d = true,
    .curve = curve,
    .bounding_radius = carom_curve_bounding_radius,
    .mesh = carom_curve_mesh,
};
