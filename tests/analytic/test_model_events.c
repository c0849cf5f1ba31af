/* Events of model files: instants against closed forms; locks that keep momentum and take the energy of a plastic
   impact; loads that are switched, values that are set, runs that are stopped; checkpoints; what is refused. */
#include "carom_test.h"

#include <math.h>

#include "base/base.h"
#include "support/free_runs.h"

static const char *const integrators[] = {"adams", "bdf", "dopri5", "rk4"};
#define INTEGRATORS 4

#define BALL(events) \
    "carom: 1\ndimension: 2\ngravity: [0, -9.81]\nbodies:\n  ball: {mass: 1, inertia: 1, at: [0, 5]}\n" events \
    "run: {until: 2, step: 1e-3}\n"
#define DISCS(more)                                                                                                  \
    "carom: 1\ndimension: 2\nbodies:\n  a: {mass: 1, inertia: 0.02, angular_velocity: 10}\n"                           \
    "  b: {mass: 2, inertia: 0.03, angular_velocity: -2}\njoints:\n  base: {type: revolute, between: [ground, a]}\n"   \
    "  latch: {type: revolute, between: [a, b]}\n" more "run: {until: 2, step: 1e-3}\n"

static const carom_fired_event *fired(const free_run *run, size_t count)
{
    size_t n;
    const carom_fired_event *list = carom_simulation_fired_events(run->sim, &n);
    if (n != count)
        fail_msg("%zu events instead of %zu", n, count);
    return list;
}

static void close_to(double got, double wanted, double accuracy, const char *what)
{
    if (!(fabs(got - wanted) <= accuracy))
        fail_msg("%s: %.17g instead of %.17g", what, got, wanted);
}

/* A ball that falls 5 m - 1.3 m, and one that is as fast as 3 m/s a second after 0.1 s. */
static void instants(void **state)
{
    (void)state;
    for (int n = 0; n < INTEGRATORS; n++) {
        free_run run;
        free_run_parse(&run,
                       BALL("events:\n  low: {when: y(ball) < 1.3, do: stop}\n"
                            "  fast: {when: vy(ball) < -3 and t > 0.1, do: {set: {u: vy(ball)}}}\n"
                            "  mixed: {when: y(ball) - 4 < t, do: {set: {v: t}}}\ninputs: {u: 0, v: 0}\n"),
                       1e-12, integrators[n]);
        free_run_to(&run, 2);
        const carom_fired_event *e = fired(&run, 3);
        /* 5 - g t^2/2 - 4 = t */
        close_to(e[0].time, 3.0 / 9.81, 1e-10, "time of the speed");
        close_to(e[1].time, (sqrt(1 + 2 * 9.81) - 1) / 9.81, 1e-10, "time of the crossing");
        close_to(e[2].time, sqrt(2 * 3.7 / 9.81), 1e-10, "time of the height");
        close_to(free_run_get(&run, "input.u"), -3, 1e-9, "the speed");
        close_to(free_run_get(&run, "input.v"), e[1].time, 1e-12, "the time");
        assert_string_equal(carom_simulation_stopped_by(run.sim), "low");
        assert_true(carom_simulation_time(run.sim) == e[2].time);
        free_run_to(&run, 2);
        assert_true(carom_simulation_time(run.sim) == e[2].time);
        free_run_close(&run);
    }
}

/* Momentum 0.02*10 - 0.03*2 = 0.14 stays; the energy of the slip, (I1 I2/(I1 + I2)) 12^2/2, is taken. */
static void locks_keep_momentum(void **state)
{
    (void)state;
    const double spin = 0.14 / 0.05, taken = 0.5 * (0.02 * 0.03 / 0.05) * 144;
    for (int n = 0; n < INTEGRATORS; n++) {
        free_run run;
        free_run_parse(&run,
                       DISCS("events:\n  catch: {when: t > 0.3, do: {lock: latch}}\n"
                             "  free: {when: t >= 0.7, do: {unlock: latch}}\n"),
                       1e-11, integrators[n]);
        free_run_to(&run, 0.3);
        const double angle = free_run_get(&run, "joint.latch.coordinate");
        close_to(angle, -12 * 0.3, 1e-9, "angle");
        free_run_to(&run, 0.6);
        close_to(free_run_get(&run, "joint.base.rate"), spin, 1e-12, "spin of a");
        close_to(free_run_get(&run, "joint.latch.rate"), 0, 1e-12, "spin of b against a");
        close_to(free_run_get(&run, "joint.latch.coordinate"), angle, 1e-9, "angle");
        free_run_to(&run, 2);
        const carom_fired_event *e = fired(&run, 2);
        assert_true(e[0].time == 0.3 && e[1].time == 0.7);
        close_to(e[0].energy, taken, 1e-12, "energy of the lock");
        close_to(e[1].energy, 0, 1e-14, "energy of the unlocking");
        carom_ledger l = carom_simulation_ledger(run.sim);
        close_to(l.events, taken, 1e-12, "energy of the events");
        close_to(l.residual, 0, 1e-12, "residual");
        close_to(free_run_get(&run, "event.catch"), 1, 0, "count");
        free_run_close(&run);
    }
}

/* A torque on one disc turns both once they are locked, and the latch bears its share: b has 0.03 of 0.05. */
static void locked_joints_bear_moments(void **state)
{
    (void)state;
    free_run run;
    free_run_parse(&run,
                   DISCS("loads:\n  drive: {type: torque, on: a, torque: 0.5}\n"
                         "events:\n  catch: {when: t >= 0, do: {lock: latch}}\n"),
                   1e-11, NULL);
    free_run_to(&run, 1);
    close_to(free_run_get(&run, "body.a.angular_acceleration"), 10, 1e-10, "acceleration");
    close_to(free_run_get(&run, "joint.latch.moment"), 0.3, 1e-10, "moment");
    close_to(free_run_get(&run, "body.a.angular_velocity"), 0.14 / 0.05 + 10, 1e-9, "spin");
    assert_true(fired(&run, 1)->time == 0);
    carom_check check;
    assert_true(carom_simulation_check(run.sim, &check) == CAROM_OK);
    assert_true(check.mobility == 1 && check.redundant_count == 0 && check.rows == 5);
    free_run_close(&run);
}

/* A spring that is switched off while it holds energy, and on again: the events take and give it. */
static void loads_are_switched(void **state)
{
    (void)state;
    free_run run;
    free_run_parse(&run,
                   "carom: 1\ndimension: 2\nbodies:\n  cart: {mass: 2, inertia: 1, at: [1, 0]}\nloads:\n"
                   "  spring: {type: spring, between: [ground, cart], stiffness: 50, length: 0.6}\n"
                   "events:\n  off: {when: t > 0.1, do: {switch-off: spring}}\n"
                   "  on: {when: t > 0.4, do: [switch-on: spring]}\nrun: {until: 2}\n",
                   1e-12, NULL);
    const double w = 5, x = 0.4 * cos(0.5), v = -0.4 * w * sin(0.5), later = x + 0.3 * v;
    free_run_to(&run, 0.3);
    close_to(free_run_get(&run, "body.cart.velocity.x"), v, 1e-10, "speed without spring");
    assert_true(free_run_get(&run, "load.spring.stored") == 0 && free_run_get(&run, "load.spring.pull") == 0);
    close_to(free_run_get(&run, "load.spring.length"), 0.6 + x + 0.2 * v, 1e-10, "length");
    free_run_to(&run, 2);
    const carom_fired_event *e = fired(&run, 2);
    close_to(e[0].energy, 25 * x * x, 1e-9, "energy taken");
    close_to(e[1].energy, -25 * later * later, 1e-9, "energy given");
    close_to(free_run_get(&run, "body.cart.position.x"),
             0.6 + later * cos(w * 1.6) + v / w * sin(w * 1.6), 1e-9, "position");
    close_to(carom_simulation_ledger(run.sim).residual_fraction, 0, 1e-10, "residual");
    free_run_close(&run);
}

/* z' = 1, set back to 0 wherever it reaches 0.25, so that n teeth have fired; `once` fires once. */
static void teeth(void **state)
{
    (void)state;
    for (int n = 0; n < INTEGRATORS; n++) {
        free_run run;
        free_run_parse(&run,
                       BALL("states: {z: {rate: 1}, n: {rate: 0}}\nevents:\n"
                            "  back: {when: z >= 0.25, do: {set: {z: 0, n: n + 1 + 0*z}}}\n"
                            "  first: {when: n > 0.5 and z < 0.1, once: yes, do: {set: {n: n + 10}}}\n"),
                       1e-11, integrators[n]);
        free_run_to(&run, 1.6);
        close_to(free_run_get(&run, "state.z"), 0.1, 1e-9, "state");
        close_to(free_run_get(&run, "state.n"), 16, 1e-12, "teeth");
        const carom_fired_event *e = fired(&run, 7);
        close_to(e[0].time, 0.25, 1e-11, "first tooth");
        close_to(e[6].time, 1.5, 1e-10, "last tooth");
        free_run_close(&run);
    }
}

/* The count of a contact's episodes stops the run at the onset of the third. */
static void contacts_are_counted(void **state)
{
    (void)state;
    free_run run;
    free_run_parse(&run,
                   "carom: 1\ndimension: 2\ngravity: [0, -9.81]\nbodies:\n  ball: {mass: 1, inertia: 1, at: [0, 1]}\n"
                   "shapes:\n  skin: {type: sphere, on: ball, radius: 0.1}\n"
                   "  floor: {type: plane, on: ground, normal: [0, 1]}\ncontacts:\n"
                   "  hit: {between: [floor, skin], normal: {law: flores, stiffness: 1e8, restitution: 0.8}}\n"
                   "events:\n  third: {when: contact.hit.count > 2, do: stop}\n"
                   "  hard: {when: contact.hit.force > 1000, once: yes, do: {set: {u: contact.hit.indentation}}}\n"
                   "inputs: {u: 0}\noutputs: {force: contact.hit.force}\nrun: {until: 5}\n",
                   1e-10, NULL);
    free_run_to(&run, 5);
    size_t impacts;
    carom_simulation_impacts(run.sim, &impacts);
    assert_true(impacts == 2);
    assert_string_equal(carom_simulation_stopped_by(run.sim), "third");
    const carom_fired_event *e = fired(&run, 2);
    /* in the first impact: later than the fall to the floor, earlier than the peak */
    assert_true(e[0].time > sqrt(2 * 0.9 / 9.81) && e[0].time < sqrt(2 * 0.9 / 9.81) + 1e-3);
    assert_true(free_run_get(&run, "input.u") > 0);
    close_to(free_run_get(&run, "output.force"), 0, 1e-3, "force at the onset");
    free_run_close(&run);
}

static void checkpoints_keep_events(void **state)
{
    (void)state;
    static const char text[] = DISCS("loads:\n  drive: {type: torque, on: a, torque: sin(5*t)}\n"
                                     "events:\n  catch: {when: t > 0.3, do: {lock: latch}}\n"
                                     "  free: {when: speed(base) > 3, do: {unlock: latch}}\n");
    free_run run, other;
    unsigned char *bytes;
    size_t size;
    free_run_parse(&run, text, 1e-10, NULL);
    free_run_parse(&other, text, 1e-10, NULL);
    free_run_to(&run, 0.31);
    assert_true(carom_simulation_checkpoint(run.sim, &bytes, &size) == CAROM_OK);
    assert_true(carom_simulation_resume(other.sim, bytes, size) == CAROM_OK);
    free_run_to(&run, 2);
    free_run_to(&other, 2);
    const carom_fired_event *a = fired(&run, 3), *b = fired(&other, 3);
    for (int k = 0; k < 3; k++)
        assert_true(a[k].time == b[k].time && a[k].energy == b[k].energy && a[k].event_index == b[k].event_index);
    assert_true(free_run_get(&run, "joint.latch.coordinate") == free_run_get(&other, "joint.latch.coordinate"));
    carom_bytes_free(run.ctx, bytes, size);
    free_run_close(&run);
    free_run_close(&other);
}

/* models/latch.yaml against docs/theory/events.md, section 4. */
static void clutch(void **state)
{
    (void)state;
    free_run run;
    free_run_open(&run, "latch.yaml", NULL, 0, 1e-11, NULL);
    free_run_to(&run, 10);
    const carom_fired_event *e = fired(&run, 3);
    close_to(e[0].time, 1.5, 1e-10, "engaged");
    close_to(e[0].energy, 0.5 * 0.012 * 225, 1e-9, "energy of the slip");
    close_to(e[1].time, 2.5, 1e-10, "released");
    close_to(e[1].energy, 0, 1e-12, "energy of the release");
    close_to(e[2].time, 2.5 + 10 / (0.06 / 0.03), 1e-9, "standstill");
    close_to(free_run_get(&run, "body.a.angular_velocity"), 10, 1e-9, "speed of a");
    close_to(free_run_get(&run, "output.slip"), -10, 1e-9, "slip");
    carom_ledger l = carom_simulation_ledger(run.sim);
    /* the motor turns 11.25 rad and 6 + 4/2 rad, the brake takes the energy of b */
    close_to(l.work, 0.2 * (11.25 + 8) - 0.015 * 100, 1e-9, "work");
    close_to(l.residual, 0, 1e-10, "residual");
    free_run_close(&run);
}

/* Observers and the sink are told of all of them as they are taken, the one that stops the run included; evaluating
   elsewhere leaves the list alone. */
typedef struct told {
    carom_fired_event sent[8];
    carom_event seen[8];
    size_t sent_count, seen_count;
} told;

static carom_status see(void *user, carom_simulation *sim, const carom_event *event)
{
    told *t = user;
    assert_true(event->type == CAROM_EVENT_ACTION && event->time == carom_simulation_time(sim));
    t->seen[t->seen_count++] = *event;
    return CAROM_OK;
}

static carom_status take(void *user, const carom_fired_event *event)
{
    told *t = user;
    t->sent[t->sent_count++] = *event;
    return CAROM_OK;
}

static void observed(void **state)
{
    (void)state;
    static const char text[] = DISCS("loads:\n  drive: {type: torque, on: a, torque: sin(5*t)}\n"
                                     "events:\n  catch: {when: t > 0.3, do: {lock: latch}}\n"
                                     "  end: {when: t > 1.1, do: [{unlock: latch}, {switch-off: drive}, stop]}\n");
    told t = {.sent_count = 0};
    carom_context *ctx;
    carom_model *model;
    carom_simulation *sim;
    carom_state *s;
    carom_evaluated at;
    carom_sink sink = carom_default_sink();
    carom_observer observer = carom_default_observer();
    carom_simulation_def def = carom_default_simulation_def();
    sink.user = observer.user = &t;
    sink.event = take;
    observer.event = see;
    def.sink = &sink;
    ctx = new_context();
    assert_true(carom_model_parse(ctx, "discs.yaml", text, sizeof text - 1, NULL, 0, &model) == CAROM_OK);
    assert_true(carom_simulation_create(ctx, model, &def, &sim) == CAROM_OK);
    assert_true(carom_simulation_observe(sim, &observer) == CAROM_OK);
    assert_true(carom_simulation_advance(sim, 1) == CAROM_OK);
    assert_true(carom_state_create(ctx, model, &s) == CAROM_OK);
    assert_true(carom_state_set(s, "time", &(double){2}, 1) == CAROM_OK);
    assert_true(carom_simulation_evaluate_at(sim, s, &at) == CAROM_OK);
    assert_true(t.seen_count == 1);
    assert_true(carom_simulation_run(sim) == CAROM_OK);
    size_t count;
    const carom_fired_event *list = carom_simulation_fired_events(sim, &count);
    assert_true(count == 2 && t.sent_count == 2 && t.seen_count == 2);
    for (size_t k = 0; k < 2; k++) {
        assert_true(strcmp(t.sent[k].event, list[k].event) == 0 && strcmp(t.seen[k].name, list[k].event) == 0);
        assert_true(t.sent[k].time == list[k].time && t.seen[k].time == list[k].time && t.seen[k].index == k);
        close_to(t.seen[k].time, k ? 1.1 : 0.3, 1e-12, "event");
    }
    assert_string_equal(list[0].kind, "lock");
    assert_string_equal(list[0].action, "lock latch");
    assert_string_equal(list[1].kind, "unlock+switch-off+stop");
    assert_string_equal(list[1].action, "unlock latch, switch-off drive, stop");
    carom_state_free(s);
    carom_simulation_free(sim);
    carom_model_free(model);
    carom_context_free(ctx);
}

static void refused(void **state)
{
    (void)state;
    static const struct {
        const char *text, *has;
    } wrong[] = {
        {BALL("events: {e: {when: y(ball), do: stop}}\n"), "condition"},
        {BALL("events: {e: {when: t > 1, do: {lock: pin}}}\n"), "no joint 'pin'"},
        {BALL("events: {e: {when: t > 1, do: {set: {u: 1}}}}\n"), "no input or state 'u'"},
        {BALL("events: {e: {when: t > 1, do: {switch-on: spring}}}\n"), "no load 'spring'"},
        {DISCS("events: {e: {when: t > 1, do: {unlock: latch}}}\n"), "no event locks it"},
        {BALL("loads: {f: {type: force, on: ball, force: [force(f), 0]}}\n"), "loop"},
        {BALL("loads: {f: {type: force, on: ball, force: [contact.hit.count, 0]}}\n"), "no contact 'hit'"},
    };
    for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++)
        if (!strstr(free_error_of_text(wrong[k].text), wrong[k].has))
            fail_msg("%zu: '%s' without '%s'", k, free_error_of_text(wrong[k].text), wrong[k].has);
    free_run run;
    free_run_parse(&run,
                   BALL("inputs: {u: 0}\nevents:\n  up: {when: u < 1, do: {set: {u: 2}}}\n"
                        "  down: {when: u > 1, do: {set: {u: 0}}}\n"),
                   1e-10, NULL);
    assert_true(carom_simulation_advance(run.sim, 1) == CAROM_ERROR_SOLVER);
    assert_non_null(strstr(carom_context_error(run.ctx), "without end"));
    free_run_close(&run);
}

#define BOUNCES(rest)                                                                                                \
    "carom: 1\ndimension: 2\ngravity: [0, 0]\ninputs: {held: 0}\n"                                                   \
    "states: {y: {rate: v, start: 1}, v: {rate: \"-10*(1 - held)\"}}\n"                                               \
    "bodies: {b: {mass: 1, inertia: 1, velocity: [1, 0]}}\nevents:\n" rest                                            \
    "  bounce: {when: y <= 0 and v < 0, do: {set: {v: -0.5*v, y: 0}}}\nrun: {until: 3, step: 1e-3}\n"

/* Bounces that halve the speed accumulate at 3 sqrt(2 h/g). The run ends there, soon, and names the event; it is early
   by bounces lower than the tolerance, 3 sqrt(2 1e-10/g). With an event that holds the ball it goes on. */
static void accumulation(void **state)
{
    (void)state;
    const double end = 3 * sqrt(2.0 / 10), early = 3 * sqrt(2e-10 / 10);
    for (int n = 0; n < INTEGRATORS; n++) {
        free_run run;
        size_t count;
        free_run_parse(&run, BOUNCES(""), 1e-10, integrators[n]);
        assert_true(carom_simulation_advance(run.sim, 3) == CAROM_ERROR_SOLVER);
        assert_non_null(strstr(carom_context_error(run.ctx), "event 'bounce' fires without end"));
        close_to(carom_simulation_time(run.sim), end, early, integrators[n]);
        carom_simulation_fired_events(run.sim, &count);
        assert_true(count >= 20 && count <= 3000);
        free_run_close(&run);
        free_run_parse(&run,
                       BOUNCES("  rest: {when: y <= 0 and v < 0 and v > -1e-3, do: {set: {v: 0, y: 0, held: 1}}}\n"),
                       1e-10, integrators[n]);
        free_run_to(&run, 3);
        close_to(free_run_get(&run, "state.y"), 0, 0, "the ball at rest");
        close_to(free_run_get(&run, "body.b.position.x"), 3, 1e-9, "what goes on");
        free_run_close(&run);
    }
}

/* The same of any restitution e, at sqrt(2 h/g) (1 + e)/(1 - e), with methods of long steps as well: none goes on below
   the floor. */
static void restitutions(void **state)
{
    (void)state;
    static const char *const methods[] = {"dop853", "dopri5", "auto", "adams", "bdf"};
    static const double of[] = {0.01, 0.05, 0.3, 0.5, 0.7};
    for (size_t k = 0; k < CAROM_COUNT(of); k++)
        for (size_t n = 0; n < CAROM_COUNT(methods); n++)
            for (int held = 0; held < 2; held++) {
                free_run run;
                char text[600];
                const double e = of[k], end = sqrt(2 / 9.81) * (1 + e) / (1 - e);
                snprintf(text, sizeof text,
                         "carom: 1\ndimension: 2\nbodies:\n  b: {mass: 1, inertia: 1}\nstates:\n"
                         "  h: {start: 1, rate: v, unit: m}\n  v: {start: 0, rate: -9.81, unit: m/s}\n"
                         "events:\n  hit: {when: h <= 0, do: {set: {%sv: -%g*v}}}\nrun: {until: 4}\n",
                         held ? "h: 0, " : "", e);
                free_run_parse(&run, text, 1e-8, methods[n]);
                if (carom_simulation_advance(run.sim, 4) != CAROM_ERROR_SOLVER)
                    fail_msg("e = %g by %s ends at %g m", e, methods[n], free_run_get(&run, "state.h"));
                assert_non_null(strstr(carom_context_error(run.ctx), "event 'hit' fires without end"));
                close_to(carom_simulation_time(run.sim), end, 5e-5, methods[n]);
                assert_true(free_run_get(&run, "state.h") > -1e-9);
                free_run_close(&run);
            }
}

/* Events that are frequent and do not accumulate: a clock of 1 ms, 2000 firings in 2 s. */
static void frequent(void **state)
{
    (void)state;
    free_run run;
    free_run_parse(&run, BALL("states: {next: {rate: 0, start: 1e-3}}\nevents: {tick: {when: t >= next - 1e-9, do: "
                              "{set: {next: next + 1e-3}}}}\n"), 1e-8, NULL);
    free_run_to(&run, 2);
    assert_true(free_run_get(&run, "event.tick") >= 1999);
    free_run_close(&run);
}

/* A gate arm that falls is caught where it is low enough, and let go later. The place that holds it is that of its own
   condition, which rounding must not make true again. Where it is at 3.3 s. */
static double gate(const char *when, const char *once, const char *formulation)
{
    char text[1024];
    free_run run;
    snprintf(text, sizeof text,
             "carom: 1\ndimension: 3\ngravity: [0, 0, -9.81]\n"
             "bodies: {arm: {mass: 5, inertia: [0.01, 1, 1], at: [1, 0, 1], frames: {h: [-1, 0, 0]}}}\n"
             "joints: {h: {type: revolute, between: [{ground: [0, 0, 1]}, arm.h], axis: [0, -1, 0],\n"
             "  damper: {damping: 1}}}\n"
             "events:\n  catch: {when: %s, %sdo: {lock: h}}\n  free: {when: t > 3, do: {unlock: h}}\n"
             "run: {until: 6, formulation: %s}\n",
             when, once, formulation);
    free_run_parse(&run, text, 0, NULL);
    free_run_to(&run, 2.9);
    close_to(free_run_get(&run, "joint.h.coordinate"), -CAROM_PI / 3, 1e-8, "caught");
    free_run_to(&run, 3.3);
    const carom_fired_event *e = fired(&run, 2);
    assert_string_equal(e[0].event, "catch");
    close_to(e[1].time, 3, 0, "let go");
    const double z = free_run_get(&run, "body.arm.position.z");
    free_run_close(&run);
    return z;
}

static void gates(void **state)
{
    (void)state;
    const char *const formulations[] = {"tree", "cartesian"};
    const char *const conditions[] = {"angle(h) < -60*deg", "angle(h) <= -60*deg", "z(arm) < 1 - sin(60*deg)"};
    const double wanted = gate(conditions[0], "once: yes, ", formulations[0]);
    assert_true(wanted < 1 - sin(CAROM_PI / 3) - 0.05);
    for (int f = 0; f < 2; f++)
        for (int k = 0; k < 3; k++)
            close_to(gate(conditions[k], "", formulations[f]), wanted, 1e-7, conditions[k]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(instants),
        cmocka_unit_test(locks_keep_momentum),
        cmocka_unit_test(locked_joints_bear_moments),
        cmocka_unit_test(loads_are_switched),
        cmocka_unit_test(teeth),
        cmocka_unit_test(contacts_are_counted),
        cmocka_unit_test(checkpoints_keep_events),
        cmocka_unit_test(clutch),
        cmocka_unit_test(gates),
        cmocka_unit_test(observed), cmocka_unit_test(refused),
        cmocka_unit_test(accumulation), cmocka_unit_test(frequent), cmocka_unit_test(restitutions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
