/* Evaluations: what a simulation holds for its present state is what an evaluation of that state makes, whatever method
   moved it there; and integrators say truly where they evaluated last. */
#include "carom_test.h"

#include "integrate/integrator.h"
#include "sim/sim.h"
#include "support/trial.h"

/* ---- integrators ---- */

typedef struct oscillator {
    double time, y[2];          /* of the last right-hand side */
} oscillator;

static int rates(void *user, double t, const double *y, double *rate)
{
    oscillator *o = user;
    o->time = t;
    memcpy(o->y, y, sizeof o->y);
    rate[0] = y[1];
    rate[1] = -y[0];
    return 0;
}

static int position_rate(void *user, const double *q, const double *v, double *rate)
{
    (void)user;
    (void)q;
    rate[0] = v[0];
    return 0;
}

/* A step of a system without contacts, of a method that has them rigid. */
static int leap(void *user, double t, const double *y, const double *f, double h, double *y_new)
{
    (void)user;
    (void)t;
    for (int k = 0; k < 2; k++)
        y_new[k] = y[k] + h * f[k];
    return 0;
}

static void says_where_it_evaluated(void **state)
{
    (void)state;
    carom_context *ctx = new_context();
    size_t count, told = 0;
    const char *const *names = carom_kind_names(ctx, CAROM_FAMILY_INTEGRATOR, &count);
    for (size_t k = 0; k < count; k++) {
        const carom_integrator_kind *kind =
            (const carom_integrator_kind *)carom_kind_find(ctx, CAROM_FAMILY_INTEGRATOR, names[k]);
        oscillator o = {0};
        const carom_ode ode = {.user = &o,
                               .size = 2,
                               .position_count = 1,
                               .velocity_count = 1,
                               .coupled_count = 2,
                               .rhs = rates,
                               .position_rate = position_rate,
                               .leap = leap};
        const double start[2] = {1, 0}, tolerance[2] = {1e-8, 1e-8};
        const int direction = 0;
        carom_integrator *self;
        assert_int_equal(kind->create(ctx, kind, &ode, &self), CAROM_OK);
        assert_true(kind->restart(self, 0, start, 1e-8, tolerance, &direction, 0, 1e-2));
        for (int step = 0; step < 200; step++) {
            assert_true(kind->step(self, 10) != CAROM_STEP_FAILED);
            if (self->rates == CAROM_RATES_ELSEWHERE) {
                assert_true(!kind->fixed_step || kind->rigid);
                continue;
            }
            told++;
            assert_true(o.time == self->t);
            assert_true(o.y[0] == self->y[0]);
            assert_true((o.y[1] == self->y[1]) == (self->rates == CAROM_RATES_AT_END));
            assert_true(self->rates == CAROM_RATES_AT_END || kind->corrects);
        }
        kind->destroy(self);
    }
    assert_true(told >= 600); /* three methods with fixed steps at each of theirs */
    carom_context_free(ctx);
}

/* ---- simulations ---- */

/* All that stands in the present evaluation, against a new one. */
static void compare(const carom_simulation *sim)
{
    const carom_model *m = sim->model;
    const carom_evaluation *d = sim->d;
    carom_evaluation *now = carom_system_workspace(sim->system);
    assert_non_null(now);
    assert_true(carom_system_evaluate(now, &sim->s, *sim->s.time, sim->s.q));
    for (int k = 0; k < m->contact_count; k++)
        if (!sim->s.located[k].open)
            carom_system_closed_contact(now, k);
    assert_true(d->time == now->time);
    assert_memory_equal(d->pose, now->pose, ((size_t)m->body_count + 1) * sizeof *now->pose);
    for (int k = 0; k < sim->s.layout.velocities; k++)
        assert_true(d->acceleration[k] == now->acceleration[k]);
    for (int k = 0; k < m->row_count; k++)
        assert_true(d->rows[k].phi == now->rows[k].phi && d->multipliers[k] == now->multipliers[k]);
    for (int k = 0; k < m->contact_count; k++)
        assert_true(d->contacts[k].gap == now->contacts[k].gap && d->contacts[k].force == now->contacts[k].force);
    for (int k = 0; k < m->load_count; k++)
        assert_true(d->loads[k].work_power == now->loads[k].work_power);
    const carom_energy held = carom_system_energy(d, &sim->s), made = carom_system_energy(now, &sim->s);
    assert_true(held.kinetic == made.kinetic && held.potential == made.potential && held.elastic == made.elastic);
}

static void run(const trial *of, const char *integrator, const char *constraints)
{
    carom_context *ctx;
    carom_model *model;
    carom_simulation *sim;
    carom_check check;
    ctx = new_context();
    if (trial_compile(ctx, of, integrator, constraints, &model) != CAROM_OK)
        fail_msg("%s: %s", of->name, carom_context_error(ctx));
    if (carom_simulation_create(ctx, model, NULL, &sim) == CAROM_OK) {
        compare(sim);
        assert_int_equal(carom_simulation_check(sim, &check), CAROM_OK);
        compare(sim);
        for (int k = 1; k <= 40; k++) {
            if (carom_simulation_advance(sim, of->until * k / 80) != CAROM_OK)
                fail_msg("%s, %s: %s", of->name, integrator, carom_context_error(ctx));
            compare(sim);
        }
        carom_simulation_free(sim);
    } else /* adams cannot project */
        assert_true(constraints && strstr(carom_context_error(ctx), "adams cannot project"));
    carom_model_free(model);
    carom_context_free(ctx);
}

static void holds_the_present_state(void **state)
{
    (void)state;
    const trial *const trials[] = {&trial_block, &trial_redundant, &trial_balls,   &trial_balls_3d,
                                   &trial_loads, &trial_driven,    &trial_rubbing, &trial_pins, &trial_events,
                                   &trial_drives};
    for (size_t k = 0; k < CAROM_COUNT(trials); k++)
        for (size_t i = 0; i < CAROM_COUNT(trial_integrators); i++) {
            run(trials[k], trial_integrators[i], NULL);
            if (trials[k] == &trial_block || trials[k] == &trial_redundant)
                run(trials[k], trial_integrators[i], "projection");
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(says_where_it_evaluated),
        cmocka_unit_test(holds_the_present_state),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
