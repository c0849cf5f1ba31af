/* Parts of the cartesian formulation in files of their own. */
#ifndef CAROM_CARTESIAN_H
#define CAROM_CARTESIAN_H

#include "dynamics/system.h"

/* As newton_position, newton_turn and newton_rate of carom_formulation. */
void carom_cartesian_newton_position(const carom_model *m, const double *q, const double *v, double gamma,
                                     const double *r, const double *speed, double *move, double *dq);
void carom_cartesian_newton_turn(const carom_model *m, int body, const double *q, const double *v, double gamma,
                                 double turn[3][3]);
void carom_cartesian_newton_rate(const carom_model *m, const double *q, const double *v, const double *dq,
                                 const double *dv, double *rate);

#endif
