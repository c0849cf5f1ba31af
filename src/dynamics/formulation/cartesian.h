/* Parts of the cartesian formulation in files of their own. */
#ifndef CAROM_CARTESIAN_H
#define CAROM_CARTESIAN_H

#include "dynamics/formulation/formulation.h"

/* As newton_position, newton_turn and newton_rate of carom_formulation. */
void carom_cartesian_newton_position(const carom_model *m, const double *q, const double *v, double gamma,
                                     const double *r, const double *speed, double *move, double *dq);
void carom_cartesian_newton_turn(const carom_model *m, int body, const double *q, const double *v, double gamma,
                                 double turn[3][3]);
void carom_cartesian_newton_rate(const carom_model *m, const double *q, const double *v, const double *dq,
                                 const double *dv, double *rate);

/* Numbers of a body. */
static inline int carom_cartesian_positions(const carom_model *m) { return m->dimension == 2 ? 3 : 7; }
static inline int carom_cartesian_velocities(const carom_model *m) { return m->dimension == 2 ? 3 : 6; }

/* Functions of the table that are about coordinates: cartesian_coordinates.c. */
carom_layout carom_cartesian_layout(const carom_model *m);
void carom_cartesian_pose_all(carom_evaluation *d, const double *q, const double *v);
carom_body_pose carom_cartesian_body_pose(const carom_model *m, int body, const double *q, const double *v);
void carom_cartesian_normalise(const carom_model *m, double *q);
void carom_cartesian_twist(carom_evaluation *d, const double *v);
void carom_cartesian_position_rate_of(const carom_model *m, int first, int end, const double *q,
                                      const double *v, double *rate);
void carom_cartesian_normalise_of(const carom_model *m, int first, int end, double *q);
void carom_cartesian_pose_of(carom_evaluation *d, int first, int end, const double *q, const double *v);
void carom_cartesian_twist_of(carom_evaluation *d, int first, int end, const double *v);
void carom_cartesian_position_rate(const carom_model *m, const double *q, const double *v, double *rate);
void carom_cartesian_retract(const carom_model *m, const double *step, double *q);
void carom_cartesian_difference(const carom_model *m, const double *from, const double *to, double *step);
int carom_cartesian_body_place(const carom_model *m, int body, bool velocity, bool angular);
void carom_cartesian_get_body(const carom_model *m, int body, const double *q0, const double *v0,
                              carom_body_state *out);
void carom_cartesian_put_body(const carom_model *m, int body, const carom_body_state *at, double *q0);
void carom_cartesian_move_body(const carom_model *m, int body, const carom_body_state *at, double *v0);
void carom_cartesian_tolerate(const carom_model *m, int body, const carom_body_bounds *bounds, double *q0,
                              double *v0);

#endif
