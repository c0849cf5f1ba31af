/* Pairs of shapes that are far apart are left alone step by step: the run is the same as one that looks at all of them,
   and who asks for their gaps between two steps is told them. Internal headers: the second run is without the list. */
#include "carom_test.h"

#include <math.h>

#include "sim/sim.h"

/* Boxes, balls and a bar that fall upon each other and into a bin of planes, a wall of a box and a turning paddle. */
static const char heap[] =
    "carom: 1\ndimension: 3\ngravity: [0, 0, -9.81]\n"
    "bodies:\n"
    "  p: {copies: 5, mass: 0.1, inertia: [3e-5, 3e-5, 3e-5], at: ['60*mm*mod(copy, 2)', '4*mm*copy', '45*mm*copy'],\n"
    "      orientation: {axis: [1, 1, 0], angle: 0.4*copy}, velocity: [0, 0, -0.5]}\n"
    "  b: {copies: 3, mass: 0.05, inertia: [1e-5, 1e-5, 1e-5], at: ['-50*mm', '40*mm*copy - 60*mm', '60*mm*copy'],\n"
    "      velocity: [0.4, 0, 0]}\n"
    "  paddle: {mass: 0.2, inertia: [1e-4, 1e-3, 1e-3], at: ['0.2', 0, '30*mm'], angular_velocity: [0, 0, 30]}\n"
    "joints:\n  pin: {type: revolute, between: [{ground: [0.2, 0, 30*mm]}, paddle], axis: [0, 0, 1]}\n"
    "shapes:\n"
    "  p: {type: box, on: p, size: ['40*mm', '40*mm', '40*mm']}\n"
    "  b: {type: sphere, on: b, radius: 18*mm}\n"
    "  paddle: {type: box, on: paddle, size: ['0.2', '8*mm', '20*mm'], edge: 2*mm}\n"
    "  floor: {type: plane, on: ground, normal: [0, 0, 1]}\n"
    "  wall: {type: box, on: ground, at: ['-0.1', 0, 0], size: ['20*mm', '0.4', '0.3']}\n"
    "contacts:\n"
    "  s: {all: [p, b, paddle, floor, wall], normal: {law: flores, stiffness: 1e6, exponent: 1.5, restitution: 0.5},\n"
    "      friction: {law: brown-mcphee, kinetic: 0.3}}\n"
    "run: {until: 0.1, tolerance: 1e-9}\n";

static const char row[] =
    "carom: 1\ndimension: 2\ngravity: [0, -9.81]\n"
    "bodies:\n"
    "  d: {copies: 8, mass: 0.01, inertia: 2e-6, at: ['25*mm*copy', '40*mm'], velocity: ['0.3*(4.5 - copy)', 0],\n"
    "      angle: 0.3*copy}\n"
    "shapes:\n"
    "  d: {type: box, on: d, size: ['10*mm', '20*mm']}\n"
    "  floor: {type: plane, on: ground, normal: [0, 1]}\n"
    "contacts:\n"
    "  s: {all: [d, floor], normal: {law: flores, stiffness: 1e5, exponent: 1, restitution: 0.4}}\n"
    "run: {until: 0.1, tolerance: 1e-11}\n";

/* A hammer that is driven from rest by the sixth power of the time into a row of balls: neither its speed nor its
   acceleration tells at first that it comes. */
static const char driven[] =
    "carom: 1\ndimension: 2\n"
    "bodies:\n"
    "  b: {copies: 10, mass: 0.1, inertia: 1e-5, at: ['21*mm*copy', 0]}\n"
    "  hammer: {mass: 1, inertia: 1e-3, at: [-0.4, 0]}\n"
    "joints:\n"
    "  rail: {type: translational, between: [ground, hammer], axis: [1, 0], motion: '-0.4 + 0.5*(t/0.1)^6'}\n"
    "shapes:\n"
    "  b: {type: sphere, on: b, radius: 10*mm}\n"
    "  hammer: {type: box, on: hammer, size: ['20*mm', '40*mm']}\n"
    "contacts:\n"
    "  s: {all: [b, hammer], normal: {law: flores, stiffness: 1e9, exponent: 1.5, restitution: 0.8}}\n"
    "run: {until: 0.1, tolerance: 1e-9}\n";

typedef struct watch {
    long steps, far, places;
} watch;

/* Within a motion the lists have what they say: the open contacts alone, all of which are near; closed ones have no
   force. */
static void check_lists(const carom_simulation *sim)
{
    const carom_system *sys = sim->system;
    int touching = 0, near = 0;
    assert_true(sys->touching_kept);
    for (int k = 0; k < sim->model->contact_count; k++) {
        const bool open = sim->s.located[k].open;
        assert_true(!open || (touching < sys->touching_count && sys->touching[touching] == k));
        touching += open;
        assert_true(carom_is_far(sim, k) || (near < sim->near_count && sim->near[near] == k));
        near += !carom_is_far(sim, k);
        assert_false(open && carom_is_far(sim, k));
        assert_true(open || (sim->d->contacts[k].force == 0 && sim->d->contacts[k].friction_power == 0));
    }
    assert_int_equal(touching, sys->touching_count);
    assert_int_equal(near, sim->near_count);
}

/* Root functions of closed contacts but for the gap are 1 throughout: one that was to rise from there would be taken
   for one that may have crossed and come back in the first step after each restart, and looked for at twenty places. */
static void check_directions(const carom_simulation *sim)
{
    for (int k = 0; k < sim->model->contact_count && !sim->restart; k++)
        for (int r = CAROM_ROOT_GAP + 1; r < CAROM_CONTACT_ROOTS && !sim->s.located[k].open; r++)
            if (sim->model->contacts[k].roots[r] >= 0)
                assert_int_equal(sim->direction[sim->model->contacts[k].roots[r]], -1);
}

static carom_status on_step(void *user, carom_simulation *sim)
{
    watch *w = user;
    check_lists(sim);
    check_directions(sim);
    w->steps++;
    w->places += sim->model->contact_count;
    for (int k = 0; k < sim->model->contact_count; k++)
        w->far += carom_is_far(sim, k);
    return CAROM_OK;
}

typedef struct trial_run {
    carom_context *ctx;
    carom_model *model;
    carom_simulation *sim;
    watch seen;
} trial_run;

static void open_run(trial_run *r, const char *text, bool all)
{
    memset(r, 0, sizeof *r);
    r->ctx = new_context();
    if (carom_model_parse(r->ctx, "far.yaml", text, strlen(text), NULL, 0, &r->model) != CAROM_OK ||
        carom_simulation_create(r->ctx, r->model, NULL, &r->sim) != CAROM_OK)
        fail_msg("%s", carom_context_error(r->ctx));
    if (all)
        r->sim->far = NULL; /* none is far yet: the list of near ones has all */
    carom_observer observer = carom_default_observer();
    observer.user = &r->seen;
    observer.step = on_step;
    assert_int_equal(carom_simulation_observe(r->sim, &observer), CAROM_OK);
}

static void close_run(trial_run *r)
{
    carom_simulation_free(r->sim);
    carom_model_free(r->model);
    carom_context_free(r->ctx);
}

/* Gaps of all contacts, as they are told, against their geometry at the poses of the state. */
static void compare_gaps(carom_simulation *sim)
{
    carom_evaluated now;
    assert_int_equal(carom_simulation_evaluate_at(sim, NULL, &now), CAROM_OK);
    for (int k = 0; k < sim->model->contact_count; k++) {
        const carom_body_pose *pose = sim->d->pose;
        carom_contact_point p;
        if (sim->s.located[k].open)
            continue;
        carom_contact_geometry_at(sim->model, NULL, k, &pose[carom_contact_body(sim->model, k, 0)],
                                  &pose[carom_contact_body(sim->model, k, 1)], &p);
        assert_true(now.contacts[k].gap == p.gap && sim->s.located[k].gap == p.gap);
        assert_true(now.contacts[k].gap_rate == p.gap_rate);
    }
}

static void try_both(const char *name, const char *text)
{
    trial_run some, all;
    open_run(&some, text, false);
    open_run(&all, text, true);
    assert_non_null(some.sim->far);
    const double until = carom_simulation_until(some.sim);
    for (int n = 1; n <= 4; n++) {
        if (carom_simulation_advance(some.sim, until * n / 4) != CAROM_OK)
            fail_msg("%s", carom_context_error(some.ctx));
        assert_int_equal(carom_simulation_advance(all.sim, until * n / 4), CAROM_OK);
        compare_gaps(some.sim);
    }
    size_t count, wanted;
    const carom_impact *got = carom_simulation_impacts(some.sim, &count);
    const carom_impact *expected = carom_simulation_impacts(all.sim, &wanted);
    assert_int_equal(count, wanted);
    assert_true(count > 4);
    double late = 0, off = 0;
    for (size_t k = 0; k < count; k++) {
        assert_int_equal(got[k].contact_index, expected[k].contact_index);
        late = fmax(late, fabs(got[k].onset - expected[k].onset));
        off = fmax(off, fabs(got[k].peak_force / expected[k].peak_force - 1));
    }
    print_message("%-6s %zu impacts, %ld steps, %.0f %% of the places far apart; onsets within %.1e s, forces %.1e\n",
                  name, count, some.seen.steps, 100. * (double)some.seen.far / (double)some.seen.places, late, off);
    assert_true(late < 1e-8 && off < 1e-5);
    assert_true(some.seen.far > some.seen.places / 4);
    assert_int_equal(all.seen.far, 0);
    close_run(&some);
    close_run(&all);
}

static void test_heap(void **state)
{
    (void)state;
    try_both("heap", heap);
}

static void test_row(void **state)
{
    (void)state;
    try_both("row", row);
}

/* A ball whose law pulls before each release: it is cut off then, and closed with that. */
static const char bouncing[] =
    "carom: 1\ndimension: 2\ngravity: [0, -9.81]\n"
    "bodies:\n  ball: {mass: 1, inertia: 4e-5, at: [0, 0.05]}\n"
    "shapes:\n"
    "  ball: {type: sphere, on: ball, radius: 10*mm}\n"
    "  floor: {type: plane, on: ground, normal: [0, 1]}\n"
    "contacts:\n  c: {between: [ball, floor], normal: {law: kelvin-voigt, stiffness: 1e6, damping: 100}}\n"
    "run: {until: 0.5}\n";

static void test_bouncing(void **state)
{
    (void)state;
    trial_run run;
    size_t count;
    open_run(&run, bouncing, false);
    assert_int_equal(carom_simulation_run(run.sim), CAROM_OK);
    carom_simulation_impacts(run.sim, &count);
    assert_true(count > 1 && run.seen.steps > 30);
    close_run(&run);
}

static void test_driven(void **state)
{
    (void)state;
    try_both("driven", driven);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_heap), cmocka_unit_test(test_row),
                                       cmocka_unit_test(test_driven), cmocka_unit_test(test_bouncing)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
