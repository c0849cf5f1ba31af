/* batch: a thousand pendulums by four threads: clones of one simulation; they must end as one after the other, bit for
   bit. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <carom/carom.h>

enum { COUNT = 1000, THREADS = 4 };
static const char text[] =
    "{carom: 1, dimension: 2, gravity: [0, -9.81], bodies: {bar: {mass: 1, inertia: 0.1, at: "
    "[0.5, 0]}}, joints: {pin: {type: revolute, between: [ground, {bar: [-0.5, 0]}]}}, run: {until: 0.3}}";
static carom_context *contexts[COUNT];
static carom_simulation *clones[COUNT];
static carom_body_state one[COUNT], many[COUNT];

static void must(carom_context *context, carom_status status)
{
    if (status != CAROM_OK)
        exit(fprintf(stderr, "%s\n", context ? carom_context_error(context) : carom_status_name(status)));
}

static void *run_some(void *first)
{
    for (size_t k = (size_t)first; k < COUNT; k += THREADS) {
        must(contexts[k], carom_simulation_run(clones[k]));
        must(contexts[k], carom_simulation_body(clones[k], 0, &many[k]));
        carom_simulation_free(clones[k]);
        carom_context_free(contexts[k]);
    }
    return NULL;
}

int main(void)
{
    carom_context *context = NULL;
    carom_model *model;
    carom_simulation *sim;
    carom_state *state;
    pthread_t threads[THREADS];
    must(NULL, carom_context_create(NULL, &context));
    must(context, carom_model_parse(context, "pendulum", text, sizeof text - 1, NULL, 0, &model));
    must(context, carom_simulation_create(context, model, NULL, &sim));
    must(context, carom_state_create(context, model, &state));
    for (size_t k = 0; k < COUNT; k++) {
        must(context, carom_state_set(state, "joint.pin.coordinate", &(double){0.003 * (double)k}, 1));
        must(context, carom_simulation_set_state(sim, state, NULL, NULL));
        must(NULL, carom_context_create(NULL, &contexts[k]));
        must(contexts[k], carom_simulation_clone(sim, contexts[k], &clones[k]));
        must(context, carom_simulation_run(sim));
        must(context, carom_simulation_body(sim, 0, &one[k]));
    }
    for (size_t t = 0; t < THREADS; t++)
        must(NULL, pthread_create(&threads[t], NULL, run_some, (void *)t) ? CAROM_ERROR_MEMORY : CAROM_OK);
    for (size_t t = 0; t < THREADS; t++)
        pthread_join(threads[t], NULL);
    carom_state_free(state);
    carom_simulation_free(sim);
    carom_model_free(model);
    carom_context_free(context);
    return memcmp(one, many, sizeof one) != 0;
}
