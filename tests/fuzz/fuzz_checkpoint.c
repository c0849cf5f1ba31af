/* Checkpoints with changed bytes, whose own hash fits again: each is resumed and goes on, or is refused, and the
   simulation is then as before. Three bytes of the input are one change: place, by two, and value. */
#include "fuzz.h"

#include <math.h>
#include <string.h>

#include "base/base.h"

static const char text[] = "carom: 1\n"
                           "dimension: 2\n"
                           "gravity: [0, -9.81]\n"
                           "bodies:\n"
                           "  ball: {mass: 1, inertia: 1e-3, at: [0, 0.3], velocity: [0.5, 0]}\n"
                           "  arm: {mass: 1, inertia: 1e-2, at: [1, 0]}\n"
                           "  box: {mass: 1, inertia: 1e-2, at: [2, 0.1], velocity: [0.2, 0]}\n"
                           "joints:\n"
                           "  pin: {type: revolute, between: [ground, arm], friction: {law: coulomb, kinetic: 0.1,\n"
                           "        radius: 2*cm}}\n"
                           "shapes:\n"
                           "  ball: {type: sphere, on: ball, radius: 5*cm}\n"
                           "  left: {type: sphere, on: box, at: [-0.1, -0.05], radius: 5*cm}\n"
                           "  right: {type: sphere, on: box, at: [0.1, -0.05], radius: 5*cm}\n"
                           "  floor: {type: plane, on: ground, normal: [0, 1]}\n"
                           "loads:\n"
                           "  push: {type: force, on: box, force: [\"if(vx(box) > 0.19, 3, 5) + 9*floor(3*t)\", 0]}\n"
                           "  rope: {type: spring, between: [ground, ball], stiffness: 50, length: 20*cm,\n"
                           "         only: tension}\n"
                           "events:\n"
                           "  far: {when: x(ball) > 0.4, once: yes, do: stop}\n"
                           "  near: {when: y(ball) < 0.1, once: yes, do: [switch-off: rope]}\n"
                           "contacts:\n"
                           "  left: {between: [left, floor], normal: {law: flores, stiffness: 1e6,\n"
                           "         restitution: 0.6}, friction: {law: coulomb, kinetic: 0.3, static: 0.4}}\n"
                           "  right: {between: [right, floor], normal: {law: flores, stiffness: 1e6,\n"
                           "          restitution: 0.6}, friction: {law: coulomb, kinetic: 0.3}}\n"
                           "  hit: {between: [ball, floor], normal: {law: hunt-crossley, stiffness: 1e6,\n"
                           "        restitution: 0.6}, friction: {law: mindlin, kinetic: 0.3}}\n"
                           "run: {until: 1}\n";

enum { HEAD_SIZE = 112, HASH_PLACE = 8, HASH_SIZE = 8 }; /* of a checkpoint, src/sim/checkpoint/checkpoint.c */

static void change(unsigned char *bytes, size_t count, const uint8_t *data, size_t size)
{
    for (size_t k = 0; k + 2 < size; k += 3)
        bytes[((size_t)data[k] << 8 | data[k + 1]) % count] ^= data[k + 2];
    memset(bytes + HASH_PLACE, 0, HASH_SIZE);
    const uint64_t hash = carom_hash(bytes + HEAD_SIZE, count - HEAD_SIZE, carom_hash(bytes, HEAD_SIZE, 0));
    memcpy(bytes + HASH_PLACE, &hash, sizeof hash);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    carom_context *ctx = fuzz_context();
    carom_model *model = NULL;
    carom_simulation *sim = NULL;
    carom_simulation_def def = carom_default_simulation_def();
    unsigned char *bytes = NULL;
    size_t count = 0;
    if (carom_model_parse(ctx, "model.yaml", text, sizeof text - 1, NULL, 0, &model) != CAROM_OK ||
        carom_simulation_create(ctx, model, &def, &sim) != CAROM_OK ||
        carom_simulation_advance(sim, 0.3) != CAROM_OK ||
        carom_simulation_checkpoint(sim, &bytes, &count) != CAROM_OK)
        fuzz_fail(carom_context_error(ctx));
    change(bytes, count, data, size);
    const size_t kept = size % 5 == 4 ? count * data[size - 1] / 256 : count;
    const double before = carom_simulation_time(sim);
    carom_status status = carom_simulation_resume(sim, bytes, kept);
    fuzz_check(ctx, status);
    if (status != CAROM_OK && carom_simulation_time(sim) != before)
        fuzz_fail("a checkpoint was refused, and the simulation is another one");
    for (int k = 0; k < 20 && carom_simulation_time(sim) < 1; k++)
        if ((status = carom_simulation_step(sim)) != CAROM_OK)
            break;
    fuzz_check(ctx, status);
    if (!isfinite(carom_simulation_time(sim)))
        fuzz_fail("a time that is not finite");
    carom_bytes_free(ctx, bytes, count);
    carom_simulation_free(sim);
    carom_model_free(model);
    fuzz_end(ctx);
    return 0;
}
