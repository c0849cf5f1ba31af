/* Impulses of unilateral contacts with Coulomb's cone at given velocities: nonlinear Gauss-Seidel over the contacts,
   whose sweeps are accelerated (math/anderson.h).
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
    bool stays;                 /* where friction allows both to bear and to part, it bears (Painleve's paradox) */
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
    double *work;               /* carom_nsgs_work() numbers */
} carom_nsgs;

/* Length of its work for so many contacts. */
size_t carom_nsgs_work(int contacts);

/* Where the vector of a direction of a contact begins in h and x. */
static inline size_t carom_nsgs_at(const carom_nsgs *problem, int contact, int row)
{
    return ((size_t)contact * CAROM_NSGS_ROWS + (size_t)row) * (size_t)problem->n;
}
/* The velocity of a contact along a direction where those of the system are v [m/s]. */
static inline double carom_nsgs_speed(const carom_nsgs *problem, int contact, int row, const double *v)
{
    const double *h = problem->h + carom_nsgs_at(problem, contact, row);
    double sum = 0;
    for (int k = 0; k < problem->n; k++)
        sum += h[k] * v[k];
    return sum;
}
/* ---- nsgs_newton.c ---- */

/* Contacts at most for Newton's method. */
#define CAROM_NSGS_FEW 48

/* Length of its work for so many contacts; the last part is its couplings. */
size_t carom_nsgs_newton_work(int contacts);
void carom_nsgs_couple(const carom_nsgs *problem, double *w);
/* One step, kept near impulses by a share rho of the own couplings in w; returns the greatest change of an impulse, as
   a velocity of its own; NAN: its equations are singular. */
double carom_nsgs_newton(carom_nsgs *problem, double *w, double rho, const double *near, double *work);

/* ---- nsgs.c ---- */

/* Fills own[][] of all contacts from h and x. */
void carom_nsgs_prepare(carom_nsgs *problem);
/* Finds the impulses. Returns the change of a velocity at a contact by the last sweep, which is above the tolerance if
   they were not found [m/s]. */
double carom_nsgs_solve(carom_nsgs *problem);

#endif
