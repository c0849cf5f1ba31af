/* Contact sets at one instant: the points of their open episodes, which stand beside those of the state. */
#ifndef CAROM_CONTACT_SET_H
#define CAROM_CONTACT_SET_H

#include "dynamics/contact/broad.h"

/* Sums over the open episodes of a set. */
typedef struct carom_set_sums {
    int count;
    double force, largest;      /* normal forces, and the largest of them [N] */
    double energy;              /* stored [J] */
    double loss_power, friction_power;  /* [W] */
} carom_set_sums;

/* An open episode at one instant, beside that of the state, with what the model says of it. */
typedef struct carom_set_contact {
    carom_contact_point point;
    const carom_model_contact *law;
    const carom_model_shape *i, *j;
    int body_i, body_j;
    int candidate;              /* in the list of the broad phase */
} carom_set_contact;

typedef struct carom_sets {
    carom_context *ctx;
    carom_broad *broad;
    carom_set_contact *contacts;        /* one an episode of the state */
    size_t contact_capacity;
} carom_sets;

carom_status carom_sets_create(carom_context *ctx, const carom_model *model, carom_sets **out);
void carom_sets_free(carom_sets *sets);
/* Room for so many episodes in workspace and state. Errors: CAROM_ERROR_MEMORY. */
carom_status carom_sets_grow(carom_sets *sets, carom_state *state, size_t episodes);
/* The law of an episode. */
const carom_model_contact *carom_set_law(const carom_model *model, const carom_episode *episode);
/* Sets what the model says of episode k. */
void carom_set_bind(carom_evaluation *d, const carom_state *state, size_t k, int candidate);
/* Gap and normal force of episode k at the poses of the workspace; no force where the shapes are apart. */
void carom_set_force(carom_evaluation *d, const carom_state *state, size_t k);
/* Friction of episode k, whose normal force is known; z, its state, is changed by a step of h [s]. */
void carom_set_friction(carom_evaluation *d, size_t k, double h, double *z);
/* Forces of all open episodes at the poses, with friction as its states are. */
void carom_sets_evaluate(carom_evaluation *d, const carom_state *state);
/* All open episodes, whose forces are known: adds their wrenches and makes the sums. */
void carom_dynamics_sets(carom_evaluation *d, const carom_state *state);

#endif
