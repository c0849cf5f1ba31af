/* pick_state: a four-bar linkage at a crank angle and speed of one's choice: accelerations, reactions and energies
   there, without integrating. Checks Newton's second law of the rod. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <carom/carom.h>

static const char text[] =
    "{carom: 1, dimension: 2, gravity: [0, -9.81], bodies: {"
    " crank: {mass: 1, inertia: 0.0075, at: [0.15, 0], frames: {tip: [0.15, 0], root: [-0.15, 0]}},"
    " rod: {mass: 2, inertia: 0.17, at: [0.6, 0.4], angle: 0.92, frames: {root: [-0.5, 0], tip: [0.5, 0]}},"
    " rocker: {mass: 1.5, inertia: 0.08, at: [1, 0.4], angle: 1.82, frames: {root: [-0.4, 0], tip: [0.4, 0]}}},"
    " joints: {A: {type: revolute, between: [ground, crank.root]}, B: {type: revolute, between: [crank.tip, rod.root]},"
    " C: {type: revolute, between: [rod.tip, rocker.tip]}, D: {type: revolute, between: [{ground: [1.1, 0]}, "
    "rocker.root]}}, run: {until: 1}}";

static carom_context *context;

/* Ends the program with the text of the failure, if there is one. */
static void must(carom_status status)
{
    if (status != CAROM_OK)
        exit(fprintf(stderr, "%s\n", context ? carom_context_error(context) : carom_status_name(status)));
}

int main(void)
{
    carom_model *model;
    carom_simulation *sim;
    carom_state *state;
    carom_evaluated at;
    size_t rod, b, c;
    must(carom_context_create(NULL, &context));
    must(carom_model_parse(context, "four-bar", text, sizeof text - 1, NULL, 0, &model));
    must(carom_simulation_create(context, model, NULL, &sim));
    must(carom_state_create(context, model, &state));
    must(carom_simulation_get_state(sim, state));
    must(carom_state_set(state, "joint.A.coordinate", &(double){1.2}, 1));
    must(carom_state_set(state, "joint.A.rate", &(double){5}, 1));
    must(carom_simulation_assemble(sim, state, NULL, NULL));
    must(carom_simulation_evaluate_at(sim, state, &at));
    must(carom_simulation_find_body(sim, "rod", &rod));
    must(carom_simulation_find_joint(sim, "B", &b));
    must(carom_simulation_find_joint(sim, "C", &c));
    const double *a = at.accelerations + 3 * rod, *fb = at.joints[b].force, *fc = at.joints[c].force;
    printf("rod: %.6g, %.6g m/s^2, %.6g rad/s^2; B: %.6g, %.6g N; kinetic energy %.6g J\n", a[0], a[1], a[2], fb[0],
           fb[1], at.kinetic);
    /* B is of crank and rod, its reaction acts on the rod; C is of rod and rocker, the rod has the opposite */
    const double x = fb[0] - fc[0] - 2 * a[0], y = fb[1] - fc[1] - 2 * 9.81 - 2 * a[1];
    carom_state_free(state);
    carom_simulation_free(sim);
    carom_model_free(model);
    carom_context_free(context);
    return hypot(x, y) < 1e-10 ? 0 : 1;
}
