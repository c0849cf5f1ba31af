/* Body of revolution about the z-axis of the shape with the meridian r(z), a spline of the model or a polynomial,
   closed by flat ends (in space).
   Source: Machado et al. 2012, section 3, eqs. (7)-(13); Rodrigues da Silva et al. 2024, section 3.1.
   Validity: r > 0 between the ends, hollows of the meridian not too narrow. */
#include "kinds/shape/shape_solid.h"

static const carom_param_row params[] = {
    {"meridian", "spline of m to m", 1, CAROM_PARAM_TEXT | CAROM_PARAM_SPLINE, 0, 0, HUGE_VAL,
     "Spline of the model: radius [m] over z [m]; or give from, to and c0, c1, ..."},
    {"from", "m", 1, 0, 0, -HUGE_VAL, HUGE_VAL, "Lower end of a polynomial meridian."},
    {"to", "m", 1, 0, 0, -HUGE_VAL, HUGE_VAL, "Upper end of a polynomial meridian."},
    {"c0", "m", 1, 0, 0, -HUGE_VAL, HUGE_VAL, "Coefficient of s^0 of a polynomial meridian."},
    {"c1", "m", 1, 0, 0, -HUGE_VAL, HUGE_VAL, "Coefficient of s^1 of a polynomial meridian."},
    {"c2", "m", 1, 0, 0, -HUGE_VAL, HUGE_VAL, "Coefficient of s^2 of a polynomial meridian."},
    {"c3", "m", 1, 0, 0, -HUGE_VAL, HUGE_VAL, "Coefficient of s^3 of a polynomial meridian."},
    {"c4", "m", 1, 0, 0, -HUGE_VAL, HUGE_VAL, "Coefficient of s^4 of a polynomial meridian."},
    {"c5", "m", 1, 0, 0, -HUGE_VAL, HUGE_VAL, "Coefficient of s^5 of a polynomial meridian."},
    {"c6", "m", 1, 0, 0, -HUGE_VAL, HUGE_VAL, "Coefficient of s^6 of a polynomial meridian."},
    {"hollow", "false|true", 1, CAROM_PARAM_TEXT, 0, 0, 1,
     "`true`: the material is outside, the other shape inside, between both ends, which are closed."},
};

#define MERIDIAN 0
#define FROM 1
#define COEFFICIENTS 3
#define COUNT 7
#define HOLLOW 10

static int solid_size(const double *p, const carom_spline_table *splines)
{
    const int knots = p[MERIDIAN] > 0 ? (int)splines[(int)p[MERIDIAN] - 1].spline.n : 0;
    return CAROM_SOLID_PARAMS + (knots > 0 ? 1 + 3 * knots : 3 + COUNT);
}

static const char *solid(const double *p, const carom_spline_table *splines, double *out)
{
    const bool polynomial = p[FROM] != p[FROM + 1];
    if (polynomial == (p[MERIDIAN] > 0))
        return "give either meridian, the name of a spline, or from, to and the coefficients c0, c1, ... of a "
               "polynomial";
    if (polynomial) {
        double *a = carom_solid_begin(out, &carom_surface_polynomial, p[HOLLOW] > 0);
        a[0] = p[FROM];
        a[1] = p[FROM + 1];
        a[2] = COUNT;
        for (int k = 0; k < COUNT; k++)
            a[3 + k] = p[COEFFICIENTS + k];
        return carom_solid_check(out);
    }
    double *a = carom_solid_begin(out, &carom_surface_spline, p[HOLLOW] > 0);
    const carom_edges *spline = &splines[(int)p[MERIDIAN] - 1].spline;
    const int n = (int)spline->n;
    if (spline->before)
        return "the meridian is a spline with `between: monotone`, whose curvature jumps at its points; take a smooth "
               "one, with more points where it leaves them";
    a[0] = n;
    for (int k = 0; k < n; k++) {
        a[1 + k] = spline->x[k];
        a[1 + n + k] = spline->y[k];
        a[1 + 2 * n + k] = spline->y2[k];
    }
    return carom_solid_check(out);
}

const carom_shape_kind carom_shape_revolution = {
    .kind = {.name = "revolution",
             .title = "Body of revolution about the z-axis of the shape, with flat ends (3-D).",
             .formula = "hypot(x, y) = r(z): a spline, or sum of c_k s^k with s = (2 z - from - to)/(to - from)",
             .source = "Machado et al. 2012, section 3, eqs. (7)-(13) (common normal); Rodrigues da Silva et al. 2024, "
                       "section 3.1 (parametric surfaces).",
             .validity =
                 "A positive radius between the ends; the radius of hollows of the meridian is at least a fifth of"
                 " the lesser of the radius at mid height and the length. On a plane it touches in its deepest "
                 "point.",
             .params = params,
             .param_count = (int)(sizeof params / sizeof params[0])},
    .in_3d = true,
    .solid = solid,
    .solid_size = solid_size,
};
