/* Height field: the surface z = h(x, y) over a grid, with material below, against balls and solids. */
#ifndef CAROM_FIELD_H
#define CAROM_FIELD_H

#include "geometry/surface/surface.h"

/* Parameters, by which pairs know a field. The grid is about the origin; between its lines h is a natural cubic spline
   along x and along y, or runs straight; beyond its edges it goes on straight. */
enum {
    CAROM_FIELD_COLUMNS,        /* along x */
    CAROM_FIELD_ROWS,           /* along y */
    CAROM_FIELD_X,              /* lengths along x and y [m] */
    CAROM_FIELD_Y,
    CAROM_FIELD_STRAIGHT,       /* 1: no spline */
    CAROM_FIELD_LOW,            /* least and greatest height of the grid [m] */
    CAROM_FIELD_HIGH,
    CAROM_FIELD_TABLE           /* of each place of the grid, row after row: h, h_x, h_y, h_xy */
};

#define CAROM_FIELD_LINES 4000  /* most rows or columns */

/* Numbers of a field. */
int carom_field_size(int columns, int rows);
/* Fills the table out of heights, row after row from low y to high, each from low x to high. `work`: 5 doubles for each
   row or column, whichever are more. */
void carom_field_make(int columns, int rows, double x, double y, bool straight, const double *heights, double *work,
                      double *p);

/* The surface over a place, in the axes of the field: point, normal, principal curvatures. */
void carom_field_at(const double *p, double x, double y, carom_surface_point *out);
/* Distance between the lines of the grid, where they are nearest [m]. */
double carom_field_cell(const double *p);
/* Height over a place. */
double carom_field_height(const double *p, double x, double y);
/* Signed distance of a point, negative in the material, and the nearest point of the surface. */
double carom_field_distance(const double *p, carom_vec3 at, carom_surface_point *foot);

/* The same from a foot that is near. */
double carom_field_distance_near(const double *p, carom_vec3 at, carom_surface_point *foot);

/* Contacts with the field as i; world axes. A ball of the given radius about the origin of `ball`: */
void carom_field_sphere(const double *p, const carom_shape_pose *field, double radius, const carom_shape_pose *ball,
                        carom_surface_contact *out);
/* A solid as j at one of its places, as on a plane; capsules have a third one, between their ends. `share`: how much of
   a law acts there. */
int carom_field_places(const carom_surface *j);
void carom_field_solid(const double *p, const carom_shape_pose *field, const carom_surface *j,
                       const carom_shape_pose *pose, int place, carom_surface_contact *out, double *share);

#endif
