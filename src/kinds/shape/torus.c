/* Torus about the z-axis of the shape (in space); hollow, the groove of a bearing ring.
   Source: Machado et al. 2012, section 3, eqs. (7)-(13); Rodrigues da Silva et al. 2024, section 3.1.
   Validity: the tube is thinner than the circle. */
#include "kinds/shape/shape_solid.h"

static const carom_param_row params[] = {
    {"radius", "m", 1, CAROM_PARAM_REQUIRED | CAROM_PARAM_ABOVE, 0, 0, HUGE_VAL,
     "Radius of the circle about z on which the centres of the tube lie."},
    {"tube", "m", 1, CAROM_PARAM_REQUIRED | CAROM_PARAM_ABOVE, 0, 0, HUGE_VAL, "Radius of the tube."},
    {"hollow", "false|true", 1, CAROM_PARAM_TEXT, 0, 0, 1, "`true`: the material is outside, the other shape inside."},
};

static const char *solid(const double *p, const carom_spline_table *splines, double *out)
{
    (void)splines;
    double *a = carom_solid_begin(out, &carom_surface_torus, p[2] > 0);
    a[0] = p[0];
    a[1] = p[1];
    return carom_solid_check(out);
}

const carom_shape_kind carom_shape_torus = {
    .kind = {.name = "torus",
             .title = "Torus about the z-axis of the shape; hollow, the groove of a bearing ring (3-D).",
             .formula = "(hypot(x, y) - radius)^2 + z^2 = tube^2",
             .source = "Machado et al. 2012, section 3, eqs. (7)-(13) (common normal); Rodrigues da Silva et al. 2024, "
                       "section 3.1 (parametric surfaces).",
             .validity =
                 "The tube is thinner than the circle. On a plane it touches with its lowest point, the opposite one "
                 "and three between, so that it lies flat on five. A hollow torus is a closed groove all round: a ball "
                 "in it touches the wall that is nearest to it.",
             .params = params,
             .param_count = (int)(sizeof params / sizeof params[0])},
    .in_3d = true,
    .solid = solid,
};
