/* Faces of solids that may lie on each other, and which of them the solids are apart along most. */
#ifndef CAROM_FACE_H
#define CAROM_FACE_H

#include "geometry/surface/surface.h"

/* Corners of a face that are looked at. */
#define CAROM_FACE_SIDES 12

typedef struct carom_face {
    carom_vec3 normal;          /* out of the solid, in the axes of i */
    double offset, edge;        /* of the plane, with the radius of the edges */
    double tip;                 /* radius of the corners */
    carom_vec3 sunk;            /* from the corners to the middle of a round edge */
    bool round;                 /* a flat end of a round solid */
    bool thinned;               /* it has more corners than are looked at */
    int count, place[CAROM_FACE_SIDES];
    carom_vec3 at[CAROM_FACE_SIDES];       /* about the direction of the patch */
    double x[CAROM_FACE_SIDES], y[CAROM_FACE_SIDES], area, size;
} carom_face;

/* Solids with faces; a can is a cylinder or a cone. */
bool carom_surface_is_box(const carom_surface *a);
bool carom_surface_is_mesh(const carom_surface *a);
bool carom_surface_is_capsule(const carom_surface *a);
bool carom_surface_is_can(const carom_surface *a);
bool carom_surface_is_round(const carom_surface *a);

/* How far a point is outside of such a solid, in its axes; 0: it is within. */
double carom_face_outside(const carom_surface *a, carom_vec3 x);
/* Places that the faces of a solid have; 0: it has no faces. */
int carom_face_places(const carom_surface *a);
/* The face of a solid most along n, both in the axes of i. */
void carom_face_find(const carom_surface *a, const carom_surface_placed *placed, carom_vec3 n, carom_face *out);
/* The outline the other way round. */
void carom_face_turn_round(carom_face *f);
/* Flat faces of such a solid, -1: more than are gone through; outward normal of one, and its distance from the origin
   of the solid, in its axes. */
int carom_face_planes(const carom_surface *a);
carom_vec3 carom_face_plane(const carom_surface *a, int k, double *offset);
/* The point of a convex solid that is farthest down to the plane of such a face, and its gap to that; the normal as the
   face is placed. */
carom_vec3 carom_face_lowest(const carom_surface *a, const carom_surface_placed *at_a, int k,
                             const carom_surface *solid, const carom_surface_placed *at, carom_vec3 *normal,
                             double *gap);
/* The face of either solid along whose normal they are apart most, and the other's nearest point there, as a contact in
   the axes of i; false: there are too many faces. */
bool carom_face_foremost(const carom_surface *i, const carom_surface *j, const carom_surface_placed *placed,
                         carom_surface_contact *out);

#endif
