/* controller: a PD controller at 1 kHz holds a pendulum upright through an input of its model. Checks that it ends
   upright, that the torque was saturated at first, and that the energies balance. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <carom/carom.h>

static const char text[] =
    "{carom: 1, dimension: 2, gravity: [0, -9.81], inputs: {drive: 0},"
    " bodies: {bar: {mass: 1, inertia: 0.0833, at: [0.13, 0.483], angle: 75*deg, frames: {root: [-0.5, 0]}}},"
    " joints: {pin: {type: revolute, between: [ground, bar.root]}},"
    " loads: {motor: {type: torque, on: bar, torque: drive}}, run: {until: 4, integrator: dopri5}}";

typedef struct controller {
    size_t drive;               /* index of the input */
    int samples, saturated;
} controller;

/* Ends the program with the text of the failure, if there is one. */
static void must(carom_context *context, carom_status status)
{
    if (status != CAROM_OK)
        exit(fprintf(stderr, "%s\n", context ? carom_context_error(context) : carom_status_name(status)));
}

static carom_status control(void *user, carom_simulation *sim, double time)
{
    controller *c = user;
    carom_body_state bar;
    (void)time;
    carom_status status = carom_simulation_body(sim, 0, &bar);
    const double most = 4, wanted = -60 * (bar.angle - acos(0)) - 10 * bar.angular_velocity[2];
    c->samples++;
    c->saturated += fabs(wanted) > most;
    return status == CAROM_OK ? carom_simulation_set_input(sim, c->drive, fmax(-most, fmin(most, wanted))) : status;
}

int main(void)
{
    carom_context *context;
    carom_model *model;
    carom_simulation *sim;
    carom_body_state bar;
    controller c = {0};
    must(NULL, carom_context_create(NULL, &context));
    must(context, carom_model_parse(context, "pendulum", text, sizeof text - 1, NULL, 0, &model));
    must(context, carom_simulation_create(context, model, NULL, &sim));
    must(context, carom_simulation_find_input(sim, "drive", &c.drive));
    const carom_control sampled = {sizeof sampled, 1e-3, control, &c};
    must(context, carom_simulation_set_control(sim, &sampled));
    must(context, carom_simulation_run(sim));
    must(context, carom_simulation_body(sim, 0, &bar));
    const double off = bar.angle - acos(0), residual = carom_simulation_ledger(sim).residual_fraction;
    printf("%.3g rad off after %d samples, %d saturated; ledger %.2g\n", off, c.samples, c.saturated, residual);
    carom_simulation_free(sim);
    carom_model_free(model);
    carom_context_free(context);
    return fabs(off) < 1e-6 && c.samples == 4000 && c.saturated > 10 && residual < 1e-8 ? 0 : 1;
}
