/* Solids of points for tests of meshes. */
#ifndef CAROM_TEST_POLYHEDRA_H
#define CAROM_TEST_POLYHEDRA_H

#include "base/base.h"
#include "kinds/shape/shape_solid.h"

/* A packed solid of the hull of points, in the arena; fails the test where there is none. */
const double *polyhedron_of(carom_arena *arena, const double *points, size_t count);
/* The corners of a box, x, y, z of eight. */
void box_corners(double a, double b, double c, double *points);
/* Points of a sphere: an icosahedron whose triangles are cut into n^2, 10 n^2 + 2 of them, into room for as many.
   Returns the largest distance of the triangles from the sphere. */
double sphere_points(int n, double radius, double *points);

#endif
