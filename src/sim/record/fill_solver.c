/* Channels of the constraints and of the integrator. */
#include "sim/record/channels.h"

#include <math.h>

/* The largest violation of the rows that are evaluated, or of their rates. */
static double largest_violation(const carom_reading *r, bool of_rates)
{
    double largest = 0;
    for (int b = 0; b < r->model->block_count; b++) {
        const carom_constraint_block *block = &r->model->blocks[b];
        if (carom_dynamics_leaves_out(r->d, b))
            continue;
        for (int i = block->first_row; i < block->first_row + block->row_count; i++)
            largest = fmax(largest, fabs(of_rates ? r->d->phi_rate[i] : r->d->rows[i].phi));
    }
    return largest;
}

static void position_violation(carom_reading *r, int k, double *out)
{
    (void)k;
    *out = largest_violation(r, false);
}
static void velocity_violation(carom_reading *r, int k, double *out)
{
    (void)k;
    *out = largest_violation(r, true);
}

static const carom_quantity violations[] = {
    {"position_violation", "m", "largest violation of a constraint", 1, 1, CAROM_AT_INTERVALS, position_violation},
    {"velocity_violation", "m/s", "largest violation of a constraint's rate", 1, 1, CAROM_AT_INTERVALS,
     velocity_violation},
};

static void step(carom_reading *r, int k, double *out)
{
    (void)k;
    *out = *r->s->step_size;
}
static void order(carom_reading *r, int k, double *out)
{
    (void)k;
    *out = *r->s->step_order;
}

#define AT (CAROM_AT_INTERVALS | CAROM_AT_STEPS | CAROM_OF_POSES)
static const carom_quantity steps[] = {
    {"step", "s", "size of the last step of the integrator", 1, 1, AT, step},
    {"order", "-", "order of the method in that step", 1, 1, AT, order},
};

void carom_channels_of_solver(carom_channel_list *list)
{
    carom_channels_add(list, violations, CAROM_COUNT(violations), "constraint", "", 0, NULL);
    carom_channels_add(list, steps, CAROM_COUNT(steps), "solver", "", 0, NULL);
}

const carom_quantity_group carom_quantities_of_solver[] = {
    {"constraint", "", violations, CAROM_COUNT(violations), NULL},
    {"solver", "", steps, CAROM_COUNT(steps), NULL},
    {NULL, NULL, NULL, 0, NULL}};
