#include "support/surfaces.h"

#include <string.h>
#include "expr/expr.h"

static test_surface list[] = {
    {"sphere", &carom_surface_ellipsoid, {0.7, 0.7, 0.7}},
    {"egg", &carom_surface_ellipsoid, {1.0, 0.6, 0.8}},
    {"needle", &carom_surface_ellipsoid, {0.25, 0.3, 1.1}},
    {"cushion", &carom_surface_superellipsoid, {0.8, 0.7, 0.5, 0.5, 0.4}},
    {"pillow", &carom_surface_superellipsoid, {0.7, 0.9, 0.6, 0.8, 1.0}},
    {"star", &carom_surface_superellipsoid, {0.7, 0.8, 0.9, 1.2, 1.3}},
    {"drum", &carom_surface_superellipsoid, {0.7, 0.7, 0.6, 0.4, 1.0}},
    {"ring", &carom_surface_torus, {0.8, 0.25}},
    {"roller", &carom_surface_cylinder, {0.5, 0.7, 0.1}},
    {"disc", &carom_surface_cylinder, {0.9, 0.2, 0}},
    {"frustum", &carom_surface_cone, {0.8, 0.4, 0.5, 0.08}},
    {"spike", &carom_surface_cone, {0.5, 0, 0.8, 0}},
    {"pill", &carom_surface_capsule, {0.3, 0.6}},
    {"bush", &carom_surface_tube, {0.5, 0.8, 0.4, 0.03}},
    {"brick", &carom_surface_box, {0.5, 0.7, 0.4, 0.05}},
    {"cube", &carom_surface_box, {0.5, 0.5, 0.5, 0}},
    {"barrel", &carom_surface_polynomial, {-0.6, 0.6, 5, 0.6, 0.03, -0.12, 0.01, -0.02}},
    {"waist", &carom_surface_polynomial, {-0.7, 0.5, 3, 0.4, 0.02, 0.2}},
    {"vase", &carom_surface_spline, {5, -0.6, -0.3, 0, 0.35, 0.6, 0.35, 0.55, 0.6, 0.5, 0.3}},
};

const test_surface *test_surface_at(size_t index)
{
    if (index >= sizeof list / sizeof list[0])
        return NULL;
    if (list[index].kind == &carom_surface_spline) {
        double work[5];
        carom_spline_fit(5, list[index].p + 1, list[index].p + 6, list[index].p + 11, work);
    }
    return &list[index];
}

carom_surface test_surface_named(const char *name)
{
    const test_surface *s;
    for (size_t k = 0; (s = test_surface_at(k)) != NULL; k++)
        if (strcmp(s->name, name) == 0)
            return (carom_surface){s->kind, s->p, false};
    return (carom_surface){NULL, NULL, false};
}
