/* Tube about the z-axis of the shape: a bush or ring with a bore, closed by flat ends (in space).
   Source: Machado et al. 2012, section 3, eqs. (7)-(13); Rodrigues da Silva et al. 2024, section 3.1.
   Validity: the rims' rounding is less than half the wall and half the length. */
#include "kinds/shape/shape_solid.h"

static const carom_param_row params[] = {
    {"bore", "m", 1, CAROM_PARAM_REQUIRED | CAROM_PARAM_ABOVE, 0, 0, HUGE_VAL, "Radius of the bore."},
    {"radius", "m", 1, CAROM_PARAM_REQUIRED | CAROM_PARAM_ABOVE, 0, 0, HUGE_VAL, "Outer radius."},
    {"length", "m", 1, CAROM_PARAM_REQUIRED | CAROM_PARAM_ABOVE, 0, 0, HUGE_VAL,
     "Length along z, half of it to each side of the origin."},
    {"rim", "m", 1, 0, 0, 0, HUGE_VAL, "Radius of the rounding of the rims; 0: sharp."},
};

static const char *solid(const double *p, const carom_spline_table *splines, double *out)
{
    (void)splines;
    double *a = carom_solid_begin(out, &carom_surface_tube, false);
    a[0] = p[0];
    a[1] = p[1];
    a[2] = 0.5 * p[2];
    a[3] = p[3];
    return carom_solid_check(out);
}

const carom_shape_kind carom_shape_tube = {
    .kind = {.name = "tube",
             .title = "Tube about the z-axis of the shape: a bush with a bore (3-D).",
             .formula = "bore <= hypot(x, y) <= radius, |z| <= length/2",
             .source = "Machado et al. 2012, section 3, eqs. (7)-(13) (common normal); Rodrigues da Silva et al. 2024, "
                       "section 3.1 (parametric surfaces).",
             .validity =
                 "What is thinner than the bore can be in it, other shapes and thicker ones touch it from outside."
                 " A cylinder or capsule thinner than the bore is taken for a pin in it and touches at the two "
                 "ends of what lies in the tube, which holds while their axes are nearly parallel.",
             .params = params,
             .param_count = (int)(sizeof params / sizeof params[0])},
    .in_3d = true,
    .solid = solid,
};
