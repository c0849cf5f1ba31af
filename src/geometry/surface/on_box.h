/* A torus, a tube or a cone over a face of a box, as j: the gap to its plane, and places as on a plane. */
#ifndef CAROM_ON_BOX_H
#define CAROM_ON_BOX_H

#include "geometry/surface/surface.h"

/* The least gap where it is that to the plane of a face; false: it is not, or these are others. */
bool carom_surface_over_face(const carom_surface *solid, const carom_shape_pose *pose, const carom_surface *box,
                             const carom_shape_pose *box_pose, carom_surface_contact *out);

/* Places of a torus or a tube as on a plane, of a cone the lowest points of both ends, on which its side lies; 0: these
   are others. */
int carom_surface_on_box_count(const carom_surface *solid, const carom_surface *box);
/* How much of a law acts at each of them, 1 where all of the solid lies over the face: what is left acts where the gap
   is least. */
double carom_surface_on_box_share(const carom_surface *solid, const carom_shape_pose *pose, const carom_surface *box,
                                  const carom_shape_pose *box_pose);
void carom_surface_on_box(const carom_surface *solid, const carom_shape_pose *pose, const carom_surface *box,
                          const carom_shape_pose *box_pose, int which, carom_surface_contact *out,
                          double *share);

#endif
