/* The least gap of two solids. */
#ifndef CAROM_LEAST_H
#define CAROM_LEAST_H

#include "geometry/surface/surface.h"

/* As carom_surface_pair() without a hint, in closed form over a face of a box or mesh. Returns 0 or 1: over a face of i
   or of j, which has the normal; -1: elsewhere. */
int carom_surface_least(const carom_surface *i, const carom_shape_pose *pose_i, const carom_surface *j,
                        const carom_shape_pose *pose_j, carom_surface_contact *out);
/* The same of two polyhedra: the polytope of their differences comes to its end. Boxes with edges of a radius are taken
   as their cores. */
void carom_surface_least_polyhedra(const carom_surface *i, const carom_shape_pose *pose_i, const carom_surface *j,
                                   const carom_shape_pose *pose_j, carom_surface_contact *out);
/* Rate of the normal there [1/s]; `face`: what carom_surface_least() returned. */
carom_vec3 carom_surface_least_normal_rate(const carom_surface_contact *least, int face, const carom_shape_pose *pose_i,
                                           const carom_shape_pose *pose_j);

#endif
