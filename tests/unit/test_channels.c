/* The list of channels: parts of names, one channel read alone at the cost of one evaluation, channels that are not
   recorded. */
#include "carom_test.h"

#include "sim/sim.h"
#include "support/free_runs.h"
#include "support/trial.h"

static const trial *const trials[] = {&trial_block,   &trial_top,  &trial_balls, &trial_loads,
                                      &trial_driven, &trial_pins, &trial_many, &trial_events,
                                      &trial_drives};

static carom_simulation *open_trial(carom_context *ctx, const trial *of, carom_model **model)
{
    carom_simulation *sim = NULL;
    if (trial_compile(ctx, of, of == &trial_many ? "verlet" : "adams", NULL, model) != CAROM_OK ||
        carom_simulation_create(ctx, *model, NULL, &sim) != CAROM_OK)
        fail_msg("%s: %s", of->name, carom_context_error(ctx));
    return sim;
}

/* Names are put together of their parts, which are what the reading by parts finds. */
static void check_parts(const carom_channel *c)
{
    char name[256];
    snprintf(name, sizeof name, "%s%s%s%s%s", c->type, c->object[0] ? "." : "", c->object, c->quantity[0] ? "." : "",
             c->quantity);
    assert_string_equal(name, c->name);
}

/* Reads channels one by one, whole and by component, and compares with a sample of all of them. */
static void check_alone(const trial *of)
{
    carom_context *ctx;
    carom_model *model = NULL;
    ctx = new_context();
    carom_simulation *sim = open_trial(ctx, of, &model);
    assert_int_equal(carom_simulation_advance(sim, 0.4 * of->until), CAROM_OK);
    size_t count;
    const carom_channel *channels = carom_simulation_channels(sim, &count);
    assert_true(count > 10);
    for (int group = 0; group < CAROM_RECORD_GROUPS; group++) {
        double sample[1024], *at = sample;
        assert_in_range(sim->recorder.columns[group], 1, CAROM_COUNT(sample));
        carom_record_values(sim, group, sim->d, &sim->s, sample);
        for (size_t k = 0; k < count; k++) {
            double value[4], one;
            carom_channel_ref found;
            if (channels[k].group != group)
                continue;
            check_parts(&channels[k]);
            assert_int_equal(carom_simulation_find_channel(sim, channels[k].name, &found), CAROM_OK);
            assert_int_equal(found.size, channels[k].size);
            assert_string_equal(found.unit, channels[k].unit);
            assert_int_equal(carom_simulation_read(sim, &found, value), CAROM_OK);
            assert_memory_equal(value, at, (size_t)found.size * sizeof *value);
            for (int i = 0; channels[k].components && i < channels[k].size; i++) {
                char name[256];
                snprintf(name, sizeof name, "%s.%s", channels[k].name, channels[k].components[i]);
                assert_int_equal(carom_simulation_channel(sim, name, &one), CAROM_OK);
                assert_memory_equal(&one, &value[i], sizeof one);
            }
            at += channels[k].size;
        }
        assert_true(at == sample + sim->recorder.columns[group]);
    }
    carom_simulation_free(sim);
    carom_model_free(model);
    carom_context_free(ctx);
}

static void read_alone_equals_a_sample(void **state)
{
    (void)state;
    for (size_t k = 0; k < CAROM_COUNT(trials); k++)
        check_alone(trials[k]);
}

static void reading_does_not_evaluate(void **state)
{
    (void)state;
    carom_context *ctx;
    carom_model *model = NULL;
    ctx = new_context();
    carom_simulation *sim = open_trial(ctx, &trial_block, &model);
    assert_int_equal(carom_simulation_advance(sim, 0.01), CAROM_OK);
    size_t count;
    const carom_channel *channels = carom_simulation_channels(sim, &count);
    const uint64_t before = sim->system->evaluations;
    for (size_t k = 0; k < count; k++) {
        double value[4];
        assert_int_equal(carom_simulation_channel(sim, channels[k].name, value), CAROM_OK);
    }
    assert_true(sim->system->evaluations == before);
    carom_simulation_free(sim);
    carom_model_free(model);
    carom_context_free(ctx);
}

/* What channels share is found again at each state. */
static void reading_follows_the_state(void **state)
{
    (void)state;
    static const char *const names[] = {"contact.a.indentation", "energy.potential", "body.low.position.y"};
    carom_context *ctx;
    carom_model *model = NULL;
    ctx = new_context();
    carom_simulation *sim = open_trial(ctx, &trial_balls, &model);
    double before[3], after;
    for (size_t k = 0; k < CAROM_COUNT(names); k++)
        assert_int_equal(carom_simulation_channel(sim, names[k], &before[k]), CAROM_OK);
    assert_int_equal(carom_simulation_advance(sim, 0.01), CAROM_OK);
    for (size_t k = 0; k < CAROM_COUNT(names); k++) {
        assert_int_equal(carom_simulation_channel(sim, names[k], &after), CAROM_OK);
        assert_true(after != before[k]);
    }
    carom_simulation_free(sim);
    carom_model_free(model);
    carom_context_free(ctx);
}

static void what_is_not_recorded_is_read(void **state)
{
    (void)state;
    static const trial chosen = {"chosen",
                                 "carom: 1\ndimension: 2\ngravity: [0, -9.81]\n"
                                 "bodies: {a: {mass: 2, inertia: 1, velocity: [3, 0]}}\n"
                                 "run: {until: 1, output: {channels: [body.a.position, energy]}}\n",
                                 1, 1e-3, 1e-1};
    carom_context *ctx;
    carom_model *model = NULL;
    ctx = new_context();
    carom_simulation *sim = open_trial(ctx, &chosen, &model);
    size_t count;
    const carom_channel *channels = carom_simulation_channels(sim, &count);
    for (size_t k = 0; k < count; k++)
        assert_true(channels[k].group == 2 || strcmp(channels[k].type, "energy") == 0 ||
                    strcmp(channels[k].name, "body.a.position") == 0);
    double value[4];
    assert_int_equal(carom_simulation_channel(sim, "body.a.velocity", value), CAROM_OK);
    assert_true(value[0] == 3 && value[1] == 0);
    assert_int_equal(carom_simulation_channel(sim, "body.a.velocity.x", value), CAROM_OK);
    assert_int_equal(carom_simulation_channel(sim, "body.a.velocity.z", value), CAROM_ERROR_USAGE);
    assert_refused(ctx, carom_simulation_channel(sim, "body.a.velocitx", value),
                   CAROM_ERROR_USAGE, "did you mean 'body.a.velocity'?");
    assert_int_equal(carom_simulation_read(sim, &(carom_channel_ref){.index = SIZE_MAX}, value), CAROM_ERROR_USAGE);
    carom_simulation_free(sim);
    carom_model_free(model);
    carom_context_free(ctx);
}

/* Whether a table has a row of a quantity of a type of objects, with its sentence where that is not the model's. */
static bool has_row(const char *table, const carom_channel *c, bool nameless)
{
    char row[256];
    const char *object = nameless ? "" : strcmp(c->type, "frame") == 0 ? ".BODY.FRAME" : ".NAME";
    snprintf(row, sizeof row, "\n| `%s%s%s%s` |", c->type, object, *c->quantity ? "." : "", c->quantity);
    const bool own = strcmp(c->type, "input") == 0 || strcmp(c->type, "state") == 0 || strcmp(c->type, "output") == 0;
    for (const char *at = strstr(table, row); at; at = strstr(at + 1, row)) {
        const char *end = strchr(at + 1, '\n'), *description = own ? NULL : strstr(at, c->description);
        if (own || (description && description < end))
            return true;
    }
    return false;
}

static void every_channel_is_in_the_table(void **state)
{
    (void)state;
    carom_context *ctx = new_context();
    char *table;
    assert_ok(ctx, carom_channel_table(ctx, &table));
    for (size_t n = 0; n < sizeof trials / sizeof trials[0]; n++) {
        carom_model *model;
        carom_simulation *sim = open_trial(ctx, trials[n], &model);
        size_t count;
        const carom_channel *channels = carom_simulation_channels(sim, &count);
        for (size_t k = 0; k < count; k++)
            if (!has_row(table, &channels[k], !*channels[k].object))
                fail_msg("%s is not in the table", channels[k].name);
        carom_simulation_free(sim);
        carom_model_free(model);
    }
    carom_text_free(ctx, table);
    carom_context_free(ctx);
}

/* Coordinates are told in radians where a joint turns, in metres where it slides. */
static void units_of_coordinates(void **state)
{
    (void)state;
    static const char text[] =
        "{carom: 1, dimension: 2, bodies: {arm: {mass: 1, inertia: 1}, slide: {mass: 1, inertia: 1}},"
        " joints: {hinge: {type: revolute, between: [ground, arm]},"
        " rail: {type: translational, between: [ground, slide], axis: [1, 0]}}, run: {until: 1}}";
    static const struct {
        const char *name, *unit;
    } channels[] = {{"joint.hinge.coordinate", "rad"}, {"joint.hinge.rate", "rad/s"},
                    {"joint.rail.coordinate", "m"}, {"joint.rail.rate", "m/s"}};
    carom_context *ctx = new_context();
    carom_model *model = new_model(ctx, text);
    carom_simulation *sim;
    assert_ok(ctx, carom_simulation_create(ctx, model, NULL, &sim));
    for (size_t k = 0; k < CAROM_COUNT(channels); k++) {
        carom_channel_ref found;
        assert_ok(ctx, carom_simulation_find_channel(sim, channels[k].name, &found));
        assert_string_equal(found.unit, channels[k].unit);
    }
    carom_simulation_free(sim);
    carom_model_free(model);
    carom_context_free(ctx);
}

/* A channel that was found in a simulation with others is refused; that of a clone is the same channel. */
static void a_channel_of_another_simulation_is_refused(void **state)
{
    (void)state;
    free_run arm, ball;
    carom_simulation *clone;
    carom_channel_ref reaction, position;
    double own[4] = {0}, value[4] = {-1, -1, -1, -1};
    free_run_parse(&arm, "{carom: 1, dimension: 2, gravity: [0, -9.81], bodies: {arm: {mass: 1, inertia: 1}},"
                         " joints: {pin: {type: revolute, between: [ground, arm]}}, run: {until: 1}}", 0, NULL);
    free_run_parse(&ball, "{carom: 1, dimension: 2, gravity: [0, -9.81], bodies: {ball: {mass: 1, inertia: 1}},"
                          " run: {until: 1}}", 0, NULL);
    assert_int_equal(carom_simulation_find_channel(arm.sim, "joint.pin.reaction", &reaction), CAROM_OK);
    assert_int_equal(carom_simulation_find_channel(arm.sim, "body.arm.position", &position), CAROM_OK);
    assert_refused(ball.ctx, carom_simulation_read(ball.sim, &reaction, value), CAROM_ERROR_USAGE,
                   "carom_simulation_find_channel()");
    /* of the same place, size and unit as that of the ball: only its name is another one */
    assert_refused(ball.ctx, carom_simulation_read(ball.sim, &position, value), CAROM_ERROR_USAGE, "not found");
    for (int k = 0; k < 4; k++)
        assert_true(value[k] == -1);
    carom_channel_ref wide = reaction;
    wide.size = 4;
    assert_int_equal(carom_simulation_read(arm.sim, &wide, value), CAROM_ERROR_USAGE);
    assert_ok(arm.ctx, carom_simulation_clone(arm.sim, arm.ctx, &clone));
    assert_ok(arm.ctx, carom_simulation_read(arm.sim, &reaction, own));
    assert_ok(arm.ctx, carom_simulation_read(clone, &reaction, value));
    assert_true(value[0] == own[0] && value[1] == own[1]);
    carom_simulation_free(clone);
    free_run_close(&arm);
    free_run_close(&ball);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(read_alone_equals_a_sample),
                                       cmocka_unit_test(every_channel_is_in_the_table),
                                       cmocka_unit_test(reading_does_not_evaluate),
                                       cmocka_unit_test(reading_follows_the_state),
                                       cmocka_unit_test(what_is_not_recorded_is_read),
                                       cmocka_unit_test(units_of_coordinates),
                                       cmocka_unit_test(a_channel_of_another_simulation_is_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
