/* Warnings of a checkpoint that name contacts which are none, in one whose hash fits again: refused. */
#include "carom_test.h"

#include "base/base.h"

enum { HEAD_SIZE = 112, HASH_PLACE = 8, HASH_SIZE = 8 };        /* of a checkpoint, src/sim/checkpoint/checkpoint.c */
enum { CODE, RULE, FIRST, CONTACT, POINTS, ALSO, ALSO_SECOND, OTHERS, NUMBERS };        /* of a warning in it */

/* Three balls of one law whose impacts are slower than it takes: one warning, of the first and two others. */
#define LAW "normal: {law: flores, stiffness: 1e6, restitution: 0.5, minimum_speed: 3}"

static const char text[] =
    "{carom: 1, dimension: 2, gravity: [0, -9.81], bodies: {a: {mass: 1, inertia: 4e-3, at: [0, 0.11]}, "
    "b: {mass: 1, inertia: 4e-3, at: [1, 0.12]}, c: {mass: 1, inertia: 4e-3, at: [2, 0.13]}}, "
    "shapes: {sa: {type: sphere, on: a, radius: 0.1}, sb: {type: sphere, on: b, radius: 0.1}, "
    "sc: {type: sphere, on: c, radius: 0.1}, f: {type: plane, on: ground, "
    "normal: [0, 1]}}, contacts: {ca: {between: [sa, f], " LAW "}, cb: {between: [sb, f], " LAW "}, cc: {between: [sc, "
    "f], " LAW "}}, run: {until: 0.2}}";

static void make_hash_fit(unsigned char *bytes, size_t count)
{
    memset(bytes + HASH_PLACE, 0, HASH_SIZE);
    const uint64_t hash = carom_hash(bytes + HEAD_SIZE, count - HEAD_SIZE, carom_hash(bytes, HEAD_SIZE, 0));
    memcpy(bytes + HASH_PLACE, &hash, sizeof hash);
}

/* Where the warning of three contacts stands. */
static size_t find(const unsigned char *bytes, size_t count)
{
    for (size_t at = HEAD_SIZE; at + NUMBERS * sizeof(int32_t) <= count; at++) {
        int32_t n[NUMBERS];
        memcpy(n, bytes + at, sizeof n);
        if (n[FIRST] == 0 && n[CONTACT] == 0 && n[ALSO] == 1 && n[ALSO_SECOND] == 2 && n[OTHERS] == 2)
            return at;
    }
    fail_msg("the checkpoint has no warning of three contacts");
    return 0;
}

static void contacts_of_warnings_exist(void **state)
{
    (void)state;
    static const struct {
        int number;
        int32_t value;
    } wrong[] = {{FIRST, 3},       {CONTACT, 3},       {CONTACT, -1},     {ALSO, 3},    {ALSO, -1},
                 {ALSO_SECOND, 3}, {ALSO_SECOND, -1},  {OTHERS, -1},      {POINTS, -1}, {CODE, -1},
                 {CODE, 1000000},  {ALSO, 1000000000}, {FIRST, -1}};
    carom_context *ctx = new_context();
    carom_model *model;
    carom_simulation *sim;
    unsigned char *bytes;
    size_t count;
    assert_ok(ctx, carom_model_parse(ctx, "balls.yaml", text, strlen(text), NULL, 0, &model));
    assert_ok(ctx, carom_simulation_create(ctx, model, NULL, &sim));
    assert_ok(ctx, carom_simulation_advance(sim, 0.15));
    assert_ok(ctx, carom_simulation_checkpoint(sim, &bytes, &count));
    const size_t at = find(bytes, count);
    for (size_t k = 0; k < CAROM_COUNT(wrong); k++) {
        int32_t *place = (int32_t *)(void *)(bytes + at) + wrong[k].number, former;
        memcpy(&former, place, sizeof former);
        memcpy(place, &wrong[k].value, sizeof former);
        make_hash_fit(bytes, count);
        if (carom_simulation_resume(sim, bytes, count) != CAROM_ERROR_IO)
            fail_msg("warning with number %d as %d: %s", wrong[k].number, (int)wrong[k].value,
                     carom_context_error(ctx));
        memcpy(place, &former, sizeof former);
    }
    make_hash_fit(bytes, count);
    assert_ok(ctx, carom_simulation_resume(sim, bytes, count));
    carom_bytes_free(ctx, bytes, count);
    carom_simulation_free(sim);
    carom_model_free(model);
    carom_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(contacts_of_warnings_exist)};
    return cmocka_run_group_tests_name("checkpoint_warnings", tests, NULL, NULL);
}
