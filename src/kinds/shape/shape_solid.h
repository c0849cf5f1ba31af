/* Solid shapes in space: their packed form, which takes the place of the parameters of the shape once a model is
   compiled, what pairs need of it, and its drawing. A solid is a surface (geometry/surface/surface.h) in a frame of its
   own. */
#ifndef CAROM_SOLID_H
#define CAROM_SOLID_H

#include "kinds/shape/shape.h"
#include "geometry/surface/surface.h"

/* A packed solid: surface kind, 1 where hollow, 1 where the frame is not that of the shape, origin and axes of the
   frame in that of the shape (9 numbers, row after row), parameters of the surface. */
enum {
    CAROM_SOLID_KIND,
    CAROM_SOLID_HOLLOW,
    CAROM_SOLID_PLACED,
    CAROM_SOLID_ORIGIN,
    CAROM_SOLID_AXES = CAROM_SOLID_ORIGIN + 3,
    CAROM_SOLID_PARAMS = CAROM_SOLID_AXES + 9
};

/* Starts a packed solid in the frame of the shape; returns where the parameters of the surface go. */
double *carom_solid_begin(double *solid, const carom_surface_kind *kind, bool hollow);
/* Puts the frame: its origin, and the direction of its z-axis (any length > 0). */
void carom_solid_place(double *solid, carom_vec3 origin, carom_vec3 axis);
/* The check of the surface kind: NULL or the sentence of the refusal. */
const char *carom_solid_check(const double *solid);

static inline carom_surface carom_solid_surface(const double *solid)
{
    return (carom_surface){carom_surface_kind_at((size_t)solid[CAROM_SOLID_KIND]), solid + CAROM_SOLID_PARAMS,
                           solid[CAROM_SOLID_HOLLOW] > 0};
}

/* A solid at an instant: its surface, the pose of the frame of the surface, and its origin from that of the shape. */
typedef struct carom_solid {
    carom_surface surface;
    carom_shape_pose pose;
    carom_vec3 offset;
} carom_solid;

/* `motion`: with the velocity of the frame's origin; else the velocity is that of the shape. */
void carom_solid_at(const carom_shape_pose *shape, bool motion, carom_solid *out);

/* Radius of a ball that fits into the surface, about where it is widest; of a torus that of its tube, of a tube half
   its wall [m]. */
double carom_solid_inner_radius(const double *solid);

/* A radius for laws that see no place of contact yet: the mean one of ellipsoids, that of the tube of a torus, of the
   edges of a box (0: sharp), the greatest of the others; negative where hollow [m]. */
double carom_solid_typical_radius(const double *solid);

/* A contact as that of a pair: the wrench acts halfway between the surfaces, `share` = 0.5, or on i, 0; radii,
   principal relative curvatures, residual. `offset`: origins of the surfaces from those of the shapes. */
void carom_solid_contact(const carom_surface_contact *contact, const carom_shape_pose *i, carom_vec3 offset_i,
                         carom_vec3 offset_j, double share, carom_pair_point *out);

/* Whether two cylinders or capsules, one of them hollow or none, lie beside or in each other with parallel axes. */
bool carom_solid_parallel(const carom_shape_pose *i, const carom_shape_pose *j);
/* Whether they bear at both ends of a line along which they touch. */
bool carom_solid_bears_line(const double *pi, const double *pj);
/* Whether one of them is a box and the other one a torus, a tube or the side of a cone that bears on its faces. */
bool carom_solid_bears_on_box(const double *pi, const double *pj);

#endif
