/* Sphere (a disc in planar models) about the origin of the shape: |r| = R; a negative radius is a hollow sphere with
   the material outside.
   Source: Machado et al. 2012, section 3 (contact geometry) and eq. (20) (sign of the radius).
   Validity: any radius but zero. */
#include "base/base.h"
#include "kinds/shape/shape.h"

static const carom_param_row params[] = {
    {"radius", "m", 1, CAROM_PARAM_REQUIRED | CAROM_PARAM_NONZERO, 0, -HUGE_VAL, HUGE_VAL,
     "Radius; negative: a hollow sphere with the other shape inside."},
};

static double bounding_radius(const double *p)
{
    double radius = carom_sphere_radius(p);
    return radius > 0 ? radius : HUGE_VAL;
}

#define RIM 64              /* points of a circle in the plane */
#define LONGITUDES 32
#define LATITUDES 16        /* bands from pole to pole */

/* A disc with a line from its centre to its rim, which shows how it turns; of a hollow one the circle. */
static void draw_disc(double radius, const carom_mesh_sink *sink)
{
    const carom_vec3 normal = carom_v3(0, 0, 1);
    for (int k = 0; k < RIM; k++) {
        double angle = 2 * CAROM_PI * k / RIM;
        sink->point(sink->user, carom_v3(fabs(radius) * cos(angle), fabs(radius) * sin(angle), 0), normal);
    }
    for (int k = 0; k < RIM; k++)
        sink->line(sink->user, k, (k + 1) % RIM);
    if (radius < 0)
        return;
    sink->point(sink->user, carom_v3(0, 0, 0), normal);
    sink->line(sink->user, RIM, 0);
    for (int k = 0; k < RIM; k++)
        sink->triangle(sink->user, RIM, k, (k + 1) % RIM);
}

/* The normal of a hollow sphere points inwards, and its triangles turn the other way. */
static void draw_triangle(const carom_mesh_sink *sink, bool hollow, int a, int b, int c)
{
    sink->triangle(sink->user, a, hollow ? c : b, hollow ? b : c);
}

/* Equator and four meridians, along the edges of the triangles: they show how a sphere turns. */
static void draw_circles(const carom_mesh_sink *sink, int north)
{
    const int ring = 1, equator = ring + (LATITUDES / 2 - 1) * LONGITUDES;
    for (int j = 0; j < LONGITUDES; j++)
        sink->line(sink->user, equator + j, equator + (j + 1) % LONGITUDES);
    for (int j = 0; j < LONGITUDES; j += LONGITUDES / 4) {
        int below = 0;
        for (int at = ring + j; at < north; below = at, at += LONGITUDES)
            sink->line(sink->user, below, at);
        sink->line(sink->user, below, north);
    }
}

/* South pole, rings of latitude from the south, north pole. */
static void draw_sphere(double radius, const carom_mesh_sink *sink)
{
    const bool hollow = radius < 0;
    const double size = fabs(radius), out = hollow ? -1 : 1;
    const int ring = 1, last = ring + (LATITUDES - 2) * LONGITUDES, north = last + LONGITUDES;
    sink->point(sink->user, carom_v3(0, 0, -size), carom_v3(0, 0, -out));
    for (int i = 1; i < LATITUDES; i++)
        for (int j = 0; j < LONGITUDES; j++) {
            double polar = CAROM_PI * i / LATITUDES, angle = 2 * CAROM_PI * j / LONGITUDES;
            carom_vec3 n = carom_v3(sin(polar) * cos(angle), sin(polar) * sin(angle), -cos(polar));
            sink->point(sink->user, carom_v3_scale(size, n), carom_v3_scale(out, n));
        }
    sink->point(sink->user, carom_v3(0, 0, size), carom_v3(0, 0, out));
    for (int j = 0; j < LONGITUDES; j++) {
        int next = (j + 1) % LONGITUDES;
        draw_triangle(sink, hollow, 0, ring + next, ring + j);
        for (int low = ring; low < last; low += LONGITUDES) {
            draw_triangle(sink, hollow, low + j, low + next, low + LONGITUDES + next);
            draw_triangle(sink, hollow, low + j, low + LONGITUDES + next, low + LONGITUDES + j);
        }
        draw_triangle(sink, hollow, last + j, last + next, north);
    }
    draw_circles(sink, north);
}

static void mesh(const double *p, bool planar, double reach, const carom_mesh_sink *sink)
{
    (void)reach;
    if (planar)
        draw_disc(carom_sphere_radius(p), sink);
    else
        draw_sphere(carom_sphere_radius(p), sink);
}

const carom_shape_kind carom_shape_sphere = {
    .kind = {.name = "sphere",
             .aliases = "ball disc circle",
             .title = "Sphere, or disc in planar models; hollow when the radius is negative.",
             .formula = "|r| = radius",
             .source = "Machado et al. 2012, section 3 and eq. (20) (sign of the radius).",
             .validity = "Any radius but zero. The material of a hollow sphere fills the space outside.",
             .params = params,
             .param_count = (int)(sizeof params / sizeof params[0])},
    .in_2d = true,
    .in_3d = true,
    .isotropic = true,
    .bounding_radius = bounding_radius,
    .mesh = mesh,
};
