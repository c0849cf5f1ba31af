/* What the files of Newmark's family share. */
#ifndef CAROM_NEWMARK_H
#define CAROM_NEWMARK_H

#include "integrate/integrator.h"

typedef struct carom_newmark {
    carom_integrator base;
    double alpha_m, alpha_f, beta, gamma;
    double shift;               /* a_n is the acceleration at t_n + shift h */
    double position_error, rate_error;  /* constants of the local errors */
    int first, count;           /* numbers behind the positions that rates depend on, velocities first */
    double *block;              /* all arrays below but base.y */
    size_t block_size;
    double *y_before, *f_before, *f_older, *f, *y_try;
    double *rate_before, *rate; /* of the numbers above, with what holds the constraints */
    double *a_before, *a, *a_scaled;
    double *slope;              /* rate of the rates */
    double *tolerance, *weight, *b, *scratch, *change, *impulse;
    double relative;
    double *roots_before, *roots_now, *roots_try;
    int *direction;
    double longest, planned, stop;      /* [s]; planned: length of the next step, wherever it is to stop */
    double step_of_a;           /* that a_before goes with */
    double step_before;         /* between f_older and f_before; 0: there is none */
    double ahead;               /* [s] from a restart to where its first rates of rates were taken, at y_try */
    double rounding;            /* largest of the positions */
    double least_speed;         /* least weight of a velocity */
    bool by_rates;              /* the step is too short to hold positions: it holds velocities */
    double pull, hold;          /* rows are J dv = -pull Phi - hold Phi' [1/s], [-] */
    int newest;                 /* steps since the matrix was made; -1: there is none */
    double gamma_of;            /* of the matrix */
    /* differences, where the system has no equations of its own */
    double *by_position, *by_number, *matrix, *phi, *jacobian, *answer;
    size_t differences_size;
    int *pivot;
} carom_newmark;

/* Room for differences, where they are needed. */
bool carom_newmark_equations_create(carom_newmark *self);
void carom_newmark_equations_free(carom_newmark *self);
/* Derivatives at y_try and t, and the factors; the last rates are those of y_try before and after. Results as of
   callbacks. */
int carom_newmark_factor(carom_newmark *self, double t, double gamma, double move);
/* Changes of the numbers behind the positions, from gamma times what the rates miss. */
int carom_newmark_solve(carom_newmark *self, double *b);
/* Rates of y into `f`, counted. */
static inline int carom_newmark_rates(carom_newmark *self, double t, const double *y, double *f)
{
    self->base.evaluations++;
    return self->base.ode.rhs(self->base.ode.user, t, y, f);
}

#endif
