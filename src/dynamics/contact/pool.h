/* Contacts of many shapes at one instant: the points of their open episodes, which stand beside those of the state. */
#ifndef CAROM_POOL_H
#define CAROM_POOL_H

#include "dynamics/contact/broad.h"

/* Sums over the open episodes of a pool. */
typedef struct carom_pool_sums {
    int count;
    double force, largest;      /* normal forces, and the largest of them [N] */
    double energy;              /* stored [J] */
    double loss_power, friction_power;  /* [W] */
} carom_pool_sums;

/* An open episode at one instant, beside that of the state, with what the model says of it. */
typedef struct carom_pool_contact {
    carom_contact_point point;
    const carom_model_contact *law;
    const carom_model_shape *i, *j;
    int body_i, body_j;
    int candidate;              /* in the list of the broad phase */
} carom_pool_contact;

typedef struct carom_pools {
    carom_context *ctx;
    carom_broad *broad;
    carom_pool_contact *contacts;       /* one an episode of the state */
    size_t contact_capacity;
} carom_pools;

carom_status carom_pools_create(carom_context *ctx, const carom_model *model, carom_pools **out);
void carom_pools_free(carom_pools *pools);
/* Room for so many episodes in workspace and state. Errors: CAROM_ERROR_MEMORY. */
carom_status carom_pools_grow(carom_pools *pools, carom_state *state, size_t episodes);
/* The law of an episode. */
const carom_model_contact *carom_pool_law(const carom_model *model, const carom_episode *episode);
/* Sets what the model says of episode k. */
void carom_pool_bind(carom_evaluation *d, const carom_state *state, size_t k, int candidate);
/* Gap and normal force of episode k at the poses of the workspace; no force where the shapes are apart. */
void carom_pool_force(carom_evaluation *d, const carom_state *state, size_t k);
/* Friction of episode k, whose normal force is known; z, its state, is changed by a step of h [s]. */
void carom_pool_friction(carom_evaluation *d, size_t k, double h, double *z);
/* Forces of all open episodes at the poses, with friction as its states are. */
void carom_pools_evaluate(carom_evaluation *d, const carom_state *state);
/* All open episodes, whose forces are known: adds their wrenches and makes the sums. */
void carom_dynamics_pools(carom_evaluation *d, const carom_state *state);

#endif
