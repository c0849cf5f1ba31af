/* The vector of a method without the works of closed contacts: see works.c. Without sim->works it is the integrated
   vector of the state. */
#ifndef CAROM_SIM_WORKS_H
#define CAROM_SIM_WORKS_H

#include "sim/sim.h"

/* Room for it, of models and methods for which it pays. Errors: CAROM_ERROR_MEMORY. */
carom_status carom_works_create(carom_simulation *sim);
/* Whether an integrator that is made can do with it; until the first restart it has all numbers. */
void carom_works_prepare(carom_simulation *sim, const carom_ode *ode);
/* Leaves out the works of contacts that are closed now: state, tolerances and known rates of a restart. */
void carom_works_restart(carom_simulation *sim, const double **y, const double **tolerance);
/* Of each number of the whole vector its place in the method's, -1: it is left out; NULL: that is the whole one. */
const int *carom_works_places(const carom_simulation *sim);
/* The whole vector at a time of the last step; false: it cannot be had. */
bool carom_works_interpolate(carom_simulation *sim, double t, double *y);
/* The whole vector at the end of the last step, until the next call. */
const double *carom_works_end(carom_simulation *sim);
/* A vector of the method as a whole one, whose other numbers are any, and back. */
double *carom_works_expand(carom_simulation *sim, double *y);
void carom_works_shorten(carom_simulation *sim, const double *whole, double *y);

#endif
