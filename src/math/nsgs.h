/* Impulses of unilateral contacts with Coulomb's cone at given velocities: nonlinear Gauss-Seidel over the contacts.
   Source: Jean 1999, Comput. Methods Appl. Mech. Engrg. 177:235-257; Acary and Brogliato 2008, Numerical Methods for
   Nonsmooth Dynamical Systems, sections 12 and 13. */
#ifndef CAROM_NSGS_H
#define CAROM_NSGS_H

#include <stdbool.h>
#include <stddef.h>

/* Most directions of a contact: its normal, then its tangents. */
#define CAROM_NSGS_ROWS 3

/* A contact: with u = H v along its directions
       0 <= u_N - least   perpendicular to   p_N >= 0,     |p_T| <= mu p_N,  at the limit against u_T. */
typedef struct carom_nsgs_contact {
    int rows;                   /* 1: without friction; 2 in the plane, 3 in space */
    double mu, least;           /* [-], [m/s] */
    double p[CAROM_NSGS_ROWS];  /* where the search begins, and then the impulses [N s] */
    double own[CAROM_NSGS_ROWS][CAROM_NSGS_ROWS]; /* velocities along its directions by its own impulses [1/kg] */
} carom_nsgs_contact;

typedef struct carom_nsgs {
    int n, count;               /* velocities, contacts */
    carom_nsgs_contact *contacts;
    /* For each contact CAROM_NSGS_ROWS vectors of n numbers: H, and the change of the velocities by a unit impulse. */
    double *h, *x;
    double *v;                  /* velocities without impulses, then with them */
    double tolerance;           /* of the velocities at the contacts [m/s] */
    int sweeps;                 /* at most */
} carom_nsgs;

/* Where the vector of a direction of a contact begins in h and x. */
static inline size_t carom_nsgs_at(const carom_nsgs *problem, int contact, int row)
{
    return ((size_t)contact * CAROM_NSGS_ROWS + (size_t)row) * (size_t)problem->n;
}
/* The velocity of a contact along a direction where those of the system are v [m/s]. */
double carom_nsgs_speed(const carom_nsgs *problem, int contact, int row, const double *v);
/* Fills own[][] of all contacts from h and x. */
void carom_nsgs_prepare(carom_nsgs *problem);
/* Finds the impulses. Returns the change of a velocity at a contact by the last sweep, which is above the tolerance if
   they were not found [m/s]. */
double carom_nsgs_solve(carom_nsgs *problem);

#endif
