/* States that a caller holds: arrays and names, what is given back, the assembly of wished coordinates, clones, and the
   way back to the start. Public interface only. */
#include "carom_test.h"

#include <math.h>

#include "base/base.h"
#include "support/free_runs.h"
#include "support/trial.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define MUST(run, call)                                        \
    do {                                                       \
        if ((call) != CAROM_OK)                                \
            fail_msg("%s", carom_context_error((run)->ctx));   \
    } while (0)

static carom_state *state_of(free_run *run)
{
    carom_state *s;
    MUST(run, carom_state_create(run->ctx, run->model, &s));
    MUST(run, carom_simulation_get_state(run->sim, s));
    return s;
}

/* The call fails as a usage error, or another, and its text holds `part`. */
static void refused(free_run *run, carom_status got, carom_status wanted, const char *part)
{
    assert_int_equal(got, wanted);
    if (!strstr(carom_context_error(run->ctx), part))
        fail_msg("'%s' does not hold '%s'", carom_context_error(run->ctx), part);
}

static void assert_same_state(const carom_state *a, const carom_state *b)
{
    size_t nq, nv, mq, mv;
    const double *qa = carom_state_positions(a, &nq), *qb = carom_state_positions(b, &mq);
    const double *va = carom_state_velocities(a, &nv), *vb = carom_state_velocities(b, &mv);
    assert_int_equal(nq, mq);
    assert_int_equal(nv, mv);
    assert_memory_equal(qa, qb, nq * sizeof *qa);
    assert_memory_equal(va, vb, nv * sizeof *va);
}

/* ---- arrays and names ---- */

/* Name of a part of a body, 0 and 1 of its positions, 2 and 3 of its velocities, and its size. */
static size_t part_of_body(const free_run *run, size_t body, int part, char name[128])
{
    static const char *const flat[] = {"position", "angle", "velocity", "angular_velocity"};
    static const char *const space[] = {"position", "orientation", "velocity", "angular_velocity"};
    static const size_t flat_counts[] = {2, 1, 2, 1}, space_counts[] = {3, 4, 3, 3};
    const bool plane = carom_model_get_info(run->model).dimension == 2;
    snprintf(name, 128, "body.%s.%s", carom_model_body_name(run->model, body), (plane ? flat : space)[part]);
    return (plane ? flat_counts : space_counts)[part];
}

/* What is read goes back to the last bit, in the plane and in space, in the middle of a run. */
static void round_trip(const char *model, int per_q, int per_v)
{
    free_run run;
    free_run_open_in(&run, model, "cartesian");
    free_run_to(&run, 0.3 * carom_simulation_until(run.sim));
    carom_state *s = state_of(&run), *t = state_of(&run);
    size_t nq, nv, bodies = carom_model_get_info(run.model).bodies;
    const double *q = carom_state_positions(s, &nq), *v = carom_state_velocities(s, &nv);
    assert_int_equal(nq, bodies * (size_t)per_q);
    assert_int_equal(nv, bodies * (size_t)per_v);
    MUST(&run, carom_state_set_positions(t, q, nq));
    MUST(&run, carom_state_set_velocities(t, v, nv));
    assert_same_state(s, t);
    /* by names, body after body */
    for (size_t k = 0; k < bodies; k++) {
        size_t at[2] = {k * (size_t)per_q, k * (size_t)per_v};
        for (int part = 0; part < 4; part++) {
            char name[128];
            double got[4];
            const size_t n = part_of_body(&run, k, part, name);
            MUST(&run, carom_state_get(s, name, got, n));
            assert_memory_equal(got, (part < 2 ? q : v) + at[part / 2], n * sizeof *got);
            at[part / 2] += n;
        }
    }
    /* a state that was not changed is resumed as it is; a changed one that fits keeps its bits */
    double time;
    MUST(&run, carom_state_get(s, "time", &time, 1));
    assert_true(time == carom_simulation_time(run.sim));
    MUST(&run, carom_state_set(t, "time", &time, 1));
    MUST(&run, carom_simulation_set_state(run.sim, t, NULL, NULL));
    MUST(&run, carom_simulation_get_state(run.sim, t));
    if (per_q == 3)
        assert_same_state(s, t);
    /* in space quaternions become unit ones, from which the integrator drifts by its tolerance */
    for (size_t k = 0; k < nq; k++)
        assert_true(fabs(carom_state_positions(t, NULL)[k] - q[k]) < 1e-7);
    carom_state_free(s);
    carom_state_free(t);
    free_run_close(&run);
}

static void test_round_trips(void **state)
{
    (void)state;
    round_trip("double_pendulum.yaml", 3, 3);
    round_trip("spinning_top.yaml", 7, 6);
    round_trip("free_body.yaml", 7, 6);
}

/* Largest difference of the parts of all bodies between two states; orientations up to their sign. */
static double difference_of_bodies(free_run *run, const carom_state *a, const carom_state *b)
{
    double largest = 0;
    for (size_t k = 0; k < carom_model_get_info(run->model).bodies; k++)
        for (int part = 0; part < 4; part++) {
            char name[128];
            double x[4], y[4], sum = 0;
            const size_t n = part_of_body(run, k, part, name);
            MUST(run, carom_state_get(a, name, x, n));
            MUST(run, carom_state_get(b, name, y, n));
            for (size_t i = 0; i < n; i++)
                sum += x[i] * y[i];
            for (size_t i = 0; i < n; i++)
                largest = fmax(largest, fabs(x[i] - (n == 4 && sum < 0 ? -y[i] : y[i])));
        }
    return largest;
}

/* In joint coordinates the bodies of a moment, set one by one, lead there again, whatever the state had before: to
   rounding where they fit, by assembly where they fit roughly. */
static void place_bodies(const char *model)
{
    free_run run;
    free_run_open_in(&run, model, "tree");
    carom_state *start = state_of(&run);
    free_run_to(&run, 0.3 * carom_simulation_until(run.sim));
    carom_state *s = state_of(&run);
    for (int rough = 0; rough < 2; rough++) {
        carom_state *t;
        carom_assembly report;
        MUST(&run, carom_state_create(run.ctx, run.model, &t));
        MUST(&run, carom_state_copy(t, start));
        for (size_t k = 0; k < carom_model_get_info(run.model).bodies; k++)
            for (int part = 0; part < 4; part++) {
                char name[128];
                double x[4];
                const size_t n = part_of_body(&run, k, part, name);
                MUST(&run, carom_state_get(s, name, x, n));
                x[0] += rough * 1e-5 * (k % 2 ? 1 : -1);
                MUST(&run, carom_state_set(t, name, x, n));
            }
        if (!rough)
            assert_true(difference_of_bodies(&run, s, t) < 1e-15);
        double time;
        carom_evaluated at;
        MUST(&run, carom_state_get(s, "time", &time, 1));
        MUST(&run, carom_state_set(t, "time", &time, 1));
        if (!rough)
            MUST(&run, carom_simulation_evaluate_at(run.sim, t, &at));
        else
            refused(&run, carom_simulation_evaluate_at(run.sim, t, &at), CAROM_ERROR_MODEL, "does not fit");
        MUST(&run, carom_simulation_set_state(run.sim, t, NULL, &report));
        MUST(&run, carom_simulation_get_state(run.sim, t));
        const double off = difference_of_bodies(&run, s, t);
        print_message("%-28s bodies %s: off by %.2g, %.2g left\n", model, rough ? "roughly" : "placed", off,
                      report.position_left);
        assert_true(off < (rough ? 1e-2 : 1e-9) && report.position_left < 1e-9);
        carom_state_free(t);
    }
    carom_state_free(s);
    carom_state_free(start);
    free_run_close(&run);
}

static void test_placed_bodies(void **state)
{
    (void)state;
    place_bodies("spinning_top.yaml");
    place_bodies("four_bar.yaml");
    place_bodies("slider_crank_3d.yaml");
    place_bodies("humanoid.yaml");
    place_bodies("iiwa_dropped.yaml");
}

/* One body of several is placed: the state has it there at once, the others where they were, and the assembly ends
   where that of absolute coordinates does. */
static void test_one_body_placed(void **state)
{
    (void)state;
    double angles[2][3];
    static const char *const formulations[] = {"cartesian", "tree"};
    for (int k = 0; k < 2; k++) {
        free_run run;
        free_run_open_in(&run, "four_bar.yaml", formulations[k]);
        carom_state *s = state_of(&run);
        char names[3][128];
        double before, got, x;
        for (size_t body = 0; body < 3; body++)
            snprintf(names[body], sizeof names[body], "body.%s.angle", carom_model_body_name(run.model, body));
        MUST(&run, carom_state_get(s, names[0], &x, 1));
        MUST(&run, carom_state_get(s, names[1], &before, 1));
        x += 0.2;
        MUST(&run, carom_state_set(s, names[0], &x, 1));
        MUST(&run, carom_state_get(s, names[0], &got, 1));
        assert_true(got == x);
        MUST(&run, carom_state_get(s, names[1], &got, 1));
        assert_true(fabs(got - before) < 1e-15);
        MUST(&run, carom_simulation_assemble(run.sim, s, NULL, NULL));
        for (size_t body = 0; body < 3; body++)
            MUST(&run, carom_state_get(s, names[body], &angles[k][body], 1));
        carom_state_free(s);
        free_run_close(&run);
    }
    for (int body = 0; body < 3; body++)
        assert_true(fabs(angles[0][body] - angles[1][body]) < 1e-12);
}

/* Coordinates of a state are those of the simulation's channels. */
static void test_coordinates(void **state)
{
    (void)state;
    free_run run;
    free_run_open(&run, "four_bar.yaml", NULL, 0, 0, NULL);
    free_run_to(&run, 1.3);
    carom_state *s = state_of(&run);
    static const char *const names[] = {"joint.A.coordinate", "joint.B.coordinate", "joint.A.rate", "joint.D.rate"};
    for (size_t k = 0; k < COUNT(names); k++) {
        double got;
        MUST(&run, carom_state_get(s, names[k], &got, 1));
        assert_true(fabs(got - free_run_get(&run, names[k])) <= 1e-14 * fmax(1, fabs(got)));
    }
    carom_state_free(s);
    free_run_close(&run);
}

static void test_misuse(void **state)
{
    (void)state;
    free_run run, other;
    free_run_open(&run, "four_bar.yaml", NULL, 0, 0, NULL);
    free_run_open(&other, "double_pendulum.yaml", NULL, 0, 0, NULL);
    carom_state *s = state_of(&run), *t = state_of(&run), *foreign = state_of(&other);
    double x[16] = {0}, nan = NAN;
    refused(&run, carom_state_get(s, "body.crnk.position", x, 2), CAROM_ERROR_USAGE, "did you mean 'crank'?");
    refused(&run, carom_state_get(s, "body.crank.positon", x, 2), CAROM_ERROR_USAGE, "did you mean 'position'?");
    refused(&run, carom_state_get(s, "body.crank.position.z", x, 1), CAROM_ERROR_USAGE, "component 'z'");
    refused(&run, carom_state_get(s, "body.crank.position", x, 3), CAROM_ERROR_USAGE, "2 numbers, not 3");
    refused(&run, carom_state_get(s, "jont.A.coordinate", x, 1), CAROM_ERROR_USAGE, "did you mean 'joint'?");
    refused(&run, carom_state_get(s, NULL, x, 1), CAROM_ERROR_USAGE, "NULL");
    refused(&run, carom_state_get(s, "time", NULL, 1), CAROM_ERROR_USAGE, "NULL");
    refused(&run, carom_state_set(s, "time", &nan, 1), CAROM_ERROR_USAGE, "not finite");
    refused(&run, carom_state_set(s, "joint.A.coordinate", NULL, 1), CAROM_ERROR_USAGE, "NULL");
    refused(&run, carom_state_set_positions(s, x, 8), CAROM_ERROR_USAGE, "8 numbers where 9");
    refused(&run, carom_state_set_velocities(s, NULL, 9), CAROM_ERROR_USAGE, "NULL");
    refused(&run, carom_state_copy(s, foreign), CAROM_ERROR_USAGE, "another model");
    refused(&run, carom_simulation_set_state(run.sim, foreign, NULL, NULL), CAROM_ERROR_USAGE, "another model");
    refused(&run, carom_simulation_get_state(run.sim, foreign), CAROM_ERROR_USAGE, "another model");
    refused(&run, carom_simulation_set_state(run.sim, NULL, NULL, NULL), CAROM_ERROR_USAGE, "NULL");
    refused(&run, carom_simulation_clone(run.sim, NULL, NULL), CAROM_ERROR_USAGE, "NULL");
    refused(&run, carom_simulation_observe(run.sim, NULL), CAROM_ERROR_USAGE, "NULL");
    assert_int_equal(carom_simulation_step(NULL), CAROM_ERROR_USAGE);
    assert_int_equal(carom_state_get(NULL, "time", x, 1), CAROM_ERROR_USAGE);
    assert_same_state(s, t);
    x[0] = 1e9;
    MUST(&run, carom_state_set(s, "time", x, 1));
    refused(&run, carom_simulation_set_state(run.sim, s, NULL, NULL), CAROM_ERROR_USAGE, "beyond the run's end");
    MUST(&run, carom_simulation_get_state(run.sim, s));
    assert_same_state(s, t);
    carom_state_free(s);
    carom_state_free(t);
    carom_state_free(foreign);
    free_run_close(&run);
    free_run_close(&other);
}

/* ---- assembly ---- */

/* Closed form of models/four_bar.yaml: angles of coupler and rocker at a crank angle, C above the diagonal
   (Freudenstein). */
static void four_bar(double theta, double *coupler, double *rocker)
{
    const double a = 0.3, b = 1.0, c = 0.8, d = 1.1, bx = a * cos(theta), by = a * sin(theta);
    const double diagonal = hypot(d - bx, by);
    *coupler = atan2(-by, d - bx) + acos((b * b + diagonal * diagonal - c * c) / (2 * b * diagonal));
    *rocker = atan2(by + b * sin(*coupler), bx + b * cos(*coupler) - d);
}

/* The crank turned to any angle, whole turns included, and given a rate: the linkage is assembled on its branch. The
   tolerance is that of the assembly, 1e-13 of the length, over the least transmission angle of the linkage, 20 degrees
   or so. */
static void test_four_bar(void **state)
{
    (void)state;
    static const double angles[] = {1.2, 3.0, 4.6, -0.7, 1.2 + 4 * CAROM_PI};
    free_run run;
    free_run_open(&run, "four_bar.yaml", NULL, 0, 0, NULL);
    carom_state *s = state_of(&run);
    for (size_t k = 0; k < COUNT(angles); k++) {
        double rate = 2, theta, coupler, rocker, got, h = 1e-5, ahead[2], behind[2];
        carom_assembly report;
        MUST(&run, carom_state_set(s, "joint.A.coordinate", &angles[k], 1));
        MUST(&run, carom_state_set(s, "joint.A.rate", &rate, 1));
        MUST(&run, carom_simulation_set_state(run.sim, s, NULL, &report));
        assert_true(report.position_residual > 0.1 && report.moved > 0.01);
        assert_true(report.position_left < 1e-12 && report.velocity_left < 1e-9);
        MUST(&run, carom_simulation_get_state(run.sim, s));
        MUST(&run, carom_state_get(s, "joint.A.coordinate", &theta, 1));
        assert_true(fabs(theta - angles[k]) < 1e-12);
        four_bar(angles[k], &coupler, &rocker);
        MUST(&run, carom_state_get(s, "body.rod.angle", &got, 1));
        assert_true(fabs(sin(0.5 * (got - coupler))) < 2e-12);
        MUST(&run, carom_state_get(s, "body.rocker.angle", &got, 1));
        assert_true(fabs(sin(0.5 * (got - rocker))) < 2e-12);
        /* rates against central differences of the closed form, whose error is near 1e-10 */
        four_bar(angles[k] + h, &ahead[0], &ahead[1]);
        four_bar(angles[k] - h, &behind[0], &behind[1]);
        MUST(&run, carom_state_get(s, "body.rocker.angular_velocity", &got, 1));
        assert_true(fabs(got - rate * (ahead[1] - behind[1]) / (2 * h)) < 1e-8);
    }
    carom_state_free(s);
    free_run_close(&run);
}

/* What cannot be assembled is refused by name and changes nothing; so is, on demand, what would have to be
   assembled. */
static void test_refusals(void **state)
{
    (void)state;
    free_run run;
    free_run_open(&run, "four_bar.yaml", (const char *const[]){"d=1.6"}, 1, 0, NULL);
    free_run_to(&run, 0.2);
    carom_state *s = state_of(&run), *before = state_of(&run), *after;
    double folded = CAROM_PI, shift = 3;
    MUST(&run, carom_state_set(s, "joint.A.coordinate", &folded, 1));
    refused(&run, carom_simulation_set_state(run.sim, s, NULL, NULL), CAROM_ERROR_MODEL, "cannot be assembled");
    MUST(&run, carom_state_copy(s, before));
    MUST(&run, carom_state_set(s, "body.rod.position.x", &shift, 1));
    refused(&run, carom_simulation_set_state(run.sim, s, &(carom_assembly_def){.size = sizeof(carom_assembly_def),
                                                                               .refuse = true}, NULL),
                                                                               CAROM_ERROR_MODEL,
            "does not fit");
    after = state_of(&run);
    assert_same_state(before, after);
    /* the run continues as one that was never asked */
    free_run other;
    free_run_open(&other, "four_bar.yaml", (const char *const[]){"d=1.6"}, 1, 0, NULL);
    free_run_to(&other, 0.2);
    carom_state *twin = state_of(&other);
    MUST(&run, carom_simulation_set_state(run.sim, before, NULL, NULL));
    MUST(&other, carom_simulation_set_state(other.sim, twin, NULL, NULL));
    free_run_to(&run, 1);
    free_run_to(&other, 1);
    assert_true(trial_same(run.sim, other.sim, 3));
    carom_state_free(twin);
    carom_state_free(s);
    carom_state_free(before);
    carom_state_free(after);
    free_run_close(&run);
    free_run_close(&other);
}

/* ---- begun again, resumed ---- */

/* A ball set above the floor falls as one whose file has it there: same bits of the impacts but for the time scale of
   tolerances; the energy balance begins at the set. */
static void test_begins(void **state)
{
    (void)state;
    free_run run;
    free_run_open(&run, "bouncing_ball.yaml", NULL, 0, 0, NULL);
    free_run_to(&run, 0.6 * carom_simulation_until(run.sim));
    size_t impacts;
    carom_simulation_impacts(run.sim, &impacts);
    assert_true(impacts > 0);
    carom_state *s;
    MUST(&run, carom_state_create(run.ctx, run.model, &s));
    MUST(&run, carom_simulation_set_state(run.sim, s, NULL, NULL));
    carom_simulation_impacts(run.sim, &impacts);
    carom_ledger l = carom_simulation_ledger(run.sim);
    assert_int_equal(impacts, 0);
    assert_true(carom_simulation_time(run.sim) == 0 && l.residual == 0 && l.dissipated_contact == 0 && l.work == 0);
    MUST(&run, carom_simulation_run(run.sim));
    free_run other;
    free_run_open(&other, "bouncing_ball.yaml", NULL, 0, 0, NULL);
    MUST(&other, carom_simulation_run(other.sim));
    assert_true(trial_same(run.sim, other.sim, 1));
    free_run_close(&other);
    carom_state_free(s);
    free_run_close(&run);
}

/* A law that pulls loses its elastic energy where its tension is cut off: a start from a state begins that term at
   zero. */
static void test_begins_losses(void **state)
{
    (void)state;
    static const char text[] = "carom: 1\ndimension: 2\ngravity: [0, -9.81]\n"
                               "bodies: {ball: {mass: 1, inertia: 1e-3, at: [0, 0.2]}}\n"
                               "shapes: {ball: {type: sphere, on: ball, radius: 0.1},\n"
                               "         floor: {type: plane, on: ground, normal: [0, 1]}}\n"
                               "contacts: {hit: {between: [floor, ball], normal: {law: kelvin-voigt, damping: 150,\n"
                               "           stiffness: 1e5, tension: cut-off}}}\n"
                               "run: {until: 0.5}\n";
    free_run run;
    free_run_parse(&run, text, 0, NULL);
    MUST(&run, carom_simulation_run(run.sim));
    const double before = carom_simulation_ledger(run.sim).cutoff_loss;
    print_message("cut off: %.3g J\n", before);
    assert_true(before > 1e-3);
    carom_state *s = state_of(&run);
    const double start[] = {0, 0.2, 0}, rest[] = {0, 0, 0}, time = 0;
    MUST(&run, carom_state_set_positions(s, start, 3));
    MUST(&run, carom_state_set_velocities(s, rest, 3));
    MUST(&run, carom_state_set(s, "time", &time, 1));
    MUST(&run, carom_simulation_set_state(run.sim, s, NULL, NULL));
    assert_true(carom_simulation_ledger(run.sim).cutoff_loss == 0);
    MUST(&run, carom_simulation_run(run.sim));
    const carom_ledger l = carom_simulation_ledger(run.sim);
    assert_true(l.cutoff_loss == before && l.residual_fraction < 1e-7);
    carom_state_free(s);
    free_run_close(&run);
}

/* Kept inside an impact, resumed twice: the same bits each time, and impacts that ended later are gone. */
static void resume_twice(const trial *of, const char *integrator)
{
    carom_context *ctx = trial_context(NULL);
    carom_model *model;
    carom_simulation *sim, *first;
    carom_state *s;
    size_t count, kept;
    assert_int_equal(trial_compile(ctx, of, integrator, NULL, &model), CAROM_OK);
    assert_int_equal(carom_simulation_create(ctx, model, NULL, &sim), CAROM_OK);
    assert_int_equal(carom_state_create(ctx, model, &s), CAROM_OK);
    assert_int_equal(carom_simulation_run(sim), CAROM_OK);
    const carom_impact *impacts = carom_simulation_impacts(sim, &count);
    assert_true(count > 2);
    const double inside = impacts[1].onset + 0.4 * impacts[1].duration;
    assert_int_equal(carom_simulation_reset(sim), CAROM_OK);
    assert_int_equal(carom_simulation_advance(sim, inside), CAROM_OK);
    carom_simulation_impacts(sim, &kept);
    assert_int_equal(carom_simulation_get_state(sim, s), CAROM_OK);
    assert_int_equal(carom_simulation_clone(sim, NULL, &first), CAROM_OK);
    assert_int_equal(carom_simulation_run(first), CAROM_OK);
    for (int round = 0; round < 2; round++) {
        assert_int_equal(carom_simulation_run(sim), CAROM_OK);
        assert_true(trial_same(first, sim, carom_model_get_info(model).bodies));
        assert_int_equal(carom_simulation_set_state(sim, s, NULL, NULL), CAROM_OK);
        carom_simulation_impacts(sim, &count);
        assert_int_equal(count, kept);
        assert_true(carom_simulation_time(sim) == inside);
    }
    carom_state_free(s);
    carom_simulation_free(first);
    carom_simulation_free(sim);
    carom_model_free(model);
    carom_context_free(ctx);
}

static void test_resumes(void **state)
{
    (void)state;
    for (size_t k = 0; k < COUNT(trial_integrators); k++)
        resume_twice(&trial_balls, trial_integrators[k]);
    resume_twice(&trial_balls_3d, "adams");
    resume_twice(&trial_many, "verlet");
}

/* ---- what a state keeps of the run until then ---- */

/* Falls 0.3 m, bounces thrice in 1 s; an event at 0.2 s. */
static const char bouncing[] =
    "{carom: 1, dimension: 2, gravity: [0, -9.81], inputs: {u: 0}, bodies: {ball: {mass: 2, inertia: 0.01,"
    " at: [0, 0.5]}}, shapes: {s: {type: sphere, on: ball, radius: 0.1}, f: {type: plane, on: ground, normal: [0, 1]}},"
    " contacts: {hit: {between: [f, s], normal: {law: flores, stiffness: 1e6, restitution: 0.7}}},"
    " events: {on: {when: t > 0.2, do: {set: {u: 1}}}}, run: {until: 1, tolerance: 1e-9}}";
/* The same followed by a contact set with fixed steps. */
static const char bouncing_set[] =
    "{carom: 1, dimension: 2, gravity: [0, -9.81], bodies: {ball: {mass: 2, inertia: 0.01, at: [0, 0.5]}, other: {mass:"
    " 2, inertia: 0.01, at: [1, 0.6]}}, shapes: {s: {type: sphere, on: ball, radius: 0.1}, o: {type: sphere, on: other,"
    " radius: 0.1}, f: {type: plane, on: ground, normal: [0, 1]}}, contacts: {hit: {all: [s, o, f], normal:"
    " {law: flores, stiffness: 1e6, restitution: 0.7}}}, run: {until: 1, integrator: verlet, step: 1e-5}}";

static carom_simulation *another(free_run *run)
{
    carom_simulation *out;
    MUST(run, carom_simulation_create(run->ctx, run->model, NULL, &out));
    return out;
}

/* Impacts and events of two simulations are the same, and the energies of the impacts those of the ledger. */
static void same_past(carom_simulation *a, carom_simulation *b)
{
    size_t count, others, fired, others_fired;
    double lost = 0;
    const carom_impact *x = carom_simulation_impacts(a, &count), *y = carom_simulation_impacts(b, &others);
    const carom_fired_event *e = carom_simulation_fired_events(a, &fired);
    const carom_fired_event *f = carom_simulation_fired_events(b, &others_fired);
    assert_int_equal(count, others);
    assert_int_equal(fired, others_fired);
    for (size_t k = 0; k < count; k++) {
        assert_string_equal(x[k].contact, y[k].contact);
        /* those behind the state by the tolerance alone, as one of both has restarted there */
        assert_true(fabs(x[k].onset - y[k].onset) < 1e-7 && fabs(x[k].e_got - y[k].e_got) < 1e-6 &&
                    fabs(x[k].energy_lost - y[k].energy_lost) < 1e-6);
        lost += y[k].energy_lost;
    }
    for (size_t k = 0; k < fired; k++)
        assert_true(fabs(e[k].time - f[k].time) < 1e-12 && strcmp(e[k].event, f[k].event) == 0);
    assert_true(count > 0);
    /* the tolerance of both sums, relative */
    assert_true(fabs(lost - carom_simulation_ledger(b).dissipated_contact) < 1e-5 * lost);
}

static void past_of(const char *model, bool located)
{
    free_run run;
    free_run_parse(&run, model, 0, NULL);
    carom_simulation *a = run.sim, *fresh = another(&run), *other = another(&run);
    carom_state *early, *late, *copy;
    MUST(&run, carom_state_create(run.ctx, run.model, &early));
    MUST(&run, carom_state_create(run.ctx, run.model, &late));
    MUST(&run, carom_state_create(run.ctx, run.model, &copy));
    MUST(&run, carom_simulation_advance(a, 0.5));
    MUST(&run, carom_simulation_get_state(a, early));
    MUST(&run, carom_simulation_advance(a, 0.8));
    MUST(&run, carom_simulation_get_state(a, late));
    MUST(&run, carom_state_copy(copy, late));
    MUST(&run, carom_simulation_set_state(fresh, copy, NULL, NULL));
    same_past(a, fresh);
    if (located)
        MUST(&run, carom_simulation_set_parameter(other, "contact.hit.restitution", 0.3));
    MUST(&run, carom_simulation_advance(other, 0.35)); /* an impact of its own */
    if (located)
        MUST(&run, carom_simulation_set_parameter(other, "contact.hit.restitution", 0.7));
    MUST(&run, carom_simulation_set_state(other, late, NULL, NULL));
    same_past(a, other);
    MUST(&run, carom_simulation_run(a));
    MUST(&run, carom_simulation_run(fresh));
    MUST(&run, carom_simulation_run(other));
    same_past(a, fresh);
    same_past(a, other);
    MUST(&run, carom_simulation_reset(fresh));
    MUST(&run, carom_simulation_set_state(fresh, early, NULL, NULL));
    MUST(&run, carom_simulation_set_state(fresh, late, NULL, NULL));
    MUST(&run, carom_simulation_run(fresh));
    same_past(a, fresh);
    carom_simulation_free(fresh);
    carom_simulation_free(other);
    carom_state_free(early);
    carom_state_free(late);
    carom_state_free(copy);
    free_run_close(&run);
}

/* A state brings the impacts and events of its run to any simulation of the model. */
static void test_past(void **state)
{
    (void)state;
    past_of(bouncing, true);
    past_of(bouncing_set, false);
}

static carom_status count_impact(void *user, const carom_impact *impact)
{
    (void)impact;
    ++*(int *)user;
    return CAROM_OK;
}

static carom_status count_event(void *user, const carom_fired_event *event)
{
    (void)event;
    *(int *)user += 100;
    return CAROM_OK;
}

/* A sink is given once what has been, and again what happens again. */
static void test_past_sent(void **state)
{
    (void)state;
    free_run run;
    carom_state *s;
    size_t before, all;
    int own = 0, others = 0;
    carom_sink sink = carom_default_sink();
    sink.impact = count_impact;
    sink.event = count_event;
    free_run_parse(&run, bouncing, 0, NULL);
    carom_simulation *fresh = another(&run);
    sink.user = &own;
    MUST(&run, carom_simulation_set_sink(run.sim, &sink));
    sink.user = &others;
    MUST(&run, carom_simulation_set_sink(fresh, &sink));
    MUST(&run, carom_state_create(run.ctx, run.model, &s));
    MUST(&run, carom_simulation_advance(run.sim, 0.8));
    MUST(&run, carom_simulation_get_state(run.sim, s));
    carom_simulation_impacts(run.sim, &before);
    MUST(&run, carom_simulation_run(run.sim));
    carom_simulation_impacts(run.sim, &all);
    assert_true(before > 0 && all > before);
    assert_int_equal(own, 100 + all);
    MUST(&run, carom_simulation_set_state(run.sim, s, NULL, NULL));
    MUST(&run, carom_simulation_run(run.sim));
    assert_int_equal(own, 100 + all + (all - before));
    MUST(&run, carom_simulation_set_state(fresh, s, NULL, NULL));
    MUST(&run, carom_simulation_run(fresh));
    assert_int_equal(others, 100 + all);
    carom_simulation_free(fresh);
    carom_state_free(s);
    free_run_close(&run);
}

/* A state that goes to a simulation with other parameters: what they change of its energy is in the start, at once and
   to the end. Kinetic and potential energy go with the mass, potential energy with gravity. */
static void test_other_parameters(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        double value;
    } changes[] = {{"body.ball.mass", 4}, {"gravity.y", -3}, {"contact.hit.stiffness", 1e7}};
    free_run run;
    carom_state *s;
    free_run_parse(&run, bouncing, 0, NULL);
    MUST(&run, carom_state_create(run.ctx, run.model, &s));
    MUST(&run, carom_simulation_advance(run.sim, 0.4)); /* behind an impact */
    MUST(&run, carom_simulation_get_state(run.sim, s));
    const carom_ledger was = carom_simulation_ledger(run.sim);
    for (int k = 0; k < 3; k++) {
        carom_simulation *sim = another(&run);
        MUST(&run, carom_simulation_set_parameter(sim, changes[k].name, changes[k].value));
        MUST(&run, carom_simulation_set_state(sim, s, NULL, NULL));
        const carom_ledger is = carom_simulation_ledger(sim);
        const double added = is.kinetic + is.potential - (was.kinetic + was.potential);
        const double wanted = k == 0 ? was.kinetic + was.potential : k == 1 ? was.potential * (3 / 9.81 - 1) : 0;
        assert_true(fabs(added - wanted) < 1e-13 * was.start);
        assert_true(fabs(is.start - was.start - wanted) < 1e-13 * was.start);
        assert_true(fabs(is.residual - was.residual) < 1e-12 * was.start);
        MUST(&run, carom_simulation_run(sim));
        assert_true(carom_simulation_ledger(sim).residual_fraction < 1e-7);
        carom_simulation_free(sim);
    }
    carom_state_free(s);
    free_run_close(&run);
}

/* A contact that is open keeps the law of its onset: a simulation with another one does not take it and stays as it is,
   one whose law has the same numbers does. */
static void test_other_law(void **state)
{
    (void)state;
    free_run run;
    carom_state *s;
    free_run_parse(&run, bouncing, 0, NULL);
    carom_simulation *sim = another(&run);
    MUST(&run, carom_state_create(run.ctx, run.model, &s));
    MUST(&run, carom_simulation_advance(run.sim, sqrt(2 * 0.4 / 9.81) + 5e-4)); /* it falls 0.4 m */
    assert_int_equal(carom_simulation_open_contacts(run.sim, NULL, 0), 1);
    MUST(&run, carom_simulation_get_state(run.sim, s));
    MUST(&run, carom_simulation_set_parameter(sim, "contact.hit.stiffness", 1e5));
    assert_refused(run.ctx, carom_simulation_set_state(sim, s, NULL, NULL), CAROM_ERROR_USAGE, "contact 'hit' is open");
    assert_true(carom_simulation_time(sim) == 0);
    MUST(&run, carom_simulation_set_parameter(sim, "contact.hit.stiffness", 1e6));
    MUST(&run, carom_simulation_set_parameter(sim, "gravity.y", -5));
    MUST(&run, carom_simulation_set_state(sim, s, NULL, NULL));
    MUST(&run, carom_simulation_run(sim));
    assert_true(carom_simulation_ledger(sim).residual_fraction < 1e-7);
    carom_simulation_free(sim);
    carom_state_free(s);
    free_run_close(&run);
}

/* ---- clones, reset ---- */

/* In the middle of a run, in another context: the same bits to the end; a reset simulation is a new one. */
static void clone_and_reset(const trial *of, const char *integrator)
{
    carom_context *ctx = trial_context(NULL), *own = trial_context(NULL);
    carom_model *model;
    carom_simulation *sim, *clone, *fresh;
    assert_int_equal(trial_compile(ctx, of, integrator, NULL, &model), CAROM_OK);
    const size_t bodies = carom_model_get_info(model).bodies;
    assert_int_equal(carom_simulation_create(ctx, model, NULL, &sim), CAROM_OK);
    assert_int_equal(carom_simulation_advance(sim, 0.37 * of->until), CAROM_OK);
    assert_int_equal(carom_simulation_clone(sim, own, &clone), CAROM_OK);
    assert_true(trial_same(sim, clone, bodies));
    assert_int_equal(carom_simulation_run(clone), CAROM_OK);
    assert_int_equal(carom_simulation_run(sim), CAROM_OK);
    if (!trial_same(sim, clone, bodies))
        fail_msg("%s, %s: the clone differs", of->name, carom_simulation_integrator(sim));
    carom_simulation_free(sim);
    assert_int_equal(carom_simulation_reset(clone), CAROM_OK);
    assert_int_equal(carom_simulation_create(ctx, model, NULL, &fresh), CAROM_OK);
    assert_true(trial_same(fresh, clone, bodies));
    assert_int_equal(carom_simulation_run(clone), CAROM_OK);
    assert_int_equal(carom_simulation_run(fresh), CAROM_OK);
    if (!trial_same(fresh, clone, bodies))
        fail_msg("%s, %s: the simulation that was reset differs", of->name, carom_simulation_integrator(fresh));
    carom_simulation_free(clone);
    carom_simulation_free(fresh);
    carom_model_free(model);
    carom_context_free(own);
    carom_context_free(ctx);
}

static void test_clones(void **state)
{
    (void)state;
    const trial *const all[] = {&trial_block, &trial_top, &trial_redundant, &trial_balls, &trial_loads, &trial_driven,
                                &trial_rubbing, &trial_pins, &trial_events, &trial_drives};
    for (size_t k = 0; k < COUNT(all); k++)
        clone_and_reset(all[k], "adams");
    clone_and_reset(&trial_many, "verlet");
    clone_and_reset(&trial_balls, "rk4");
    static char text[16384];
    const trial chain = {"chain of 31 bars", trial_chain_text(31, text, sizeof text), 0.2, 1e-4, 1e-2};
    clone_and_reset(&chain, "dopri5");
    clone_and_reset(&chain, "bdf");
}

/* ---- inputs and states of the model file ---- */

#define LAG                                                                                                          \
    "carom: 1\ndimension: 2\ninputs: {u: {start: 1, unit: V}}\nstates: {z: {rate: (u - z)/0.5, start: 0.25}}\n"    \
    "bodies:\n  cart: {mass: 2, inertia: 1}\nloads:\n  pull: {type: force, on: cart, force: [z, 0]}\nrun: {until: 10}\n"

/* z' = (u - z)/T from where a state puts z and u: closed form, and the force that reads it at once. */
static void test_variables(void **state)
{
    (void)state;
    free_run run;
    free_run_parse(&run, LAG, 1e-11, NULL);
    free_run_to(&run, 0.3);
    carom_state *s = state_of(&run);
    double z, u, wanted = 3, level = -2;
    MUST(&run, carom_state_get(s, "state.z", &z, 1));
    MUST(&run, carom_state_get(s, "input.u", &u, 1));
    assert_true(u == 1 && fabs(z - (1 - 0.75 * exp(-0.6))) < 1e-10);
    MUST(&run, carom_state_set(s, "state.z", &wanted, 1));
    MUST(&run, carom_state_set(s, "input.u", &level, 1));
    MUST(&run, carom_simulation_set_state(run.sim, s, NULL, NULL));
    assert_true(free_run_get(&run, "body.cart.acceleration.x") == 1.5);
    free_run_to(&run, 1.3);
    assert_true(fabs(free_run_get(&run, "state.z") - (-2 + 5 * exp(-2))) < 1e-10);
    refused(&run, carom_state_get(s, "state.y", &z, 1), CAROM_ERROR_USAGE, "no state 'y'");
    refused(&run, carom_state_get(s, "input.u.x", &z, 1), CAROM_ERROR_USAGE, "no input");
    refused(&run, carom_state_set(s, "input.u", &(double){NAN}, 1), CAROM_ERROR_USAGE, "not finite");
    carom_state_free(s);
    free_run_close(&run);
}

/* Every name of the list is read with its size, and gives what the state has; positions and velocities are all
   there. */
static void list_names(free_run *run, const char *const *some, size_t some_count)
{
    carom_state *s = state_of(run);
    size_t count, positions, velocities, numbers[2] = {0, 0};
    const carom_state_part *parts = carom_state_parts(s, &count);
    carom_state_positions(s, &positions);
    carom_state_velocities(s, &velocities);
    for (size_t k = 0; k < count; k++) {
        double got[4];
        MUST(run, carom_state_get(s, parts[k].name, got, parts[k].size));
        MUST(run, carom_state_set(s, parts[k].name, got, parts[k].size));
        assert_true(parts[k].unit[0] != '\0');
        if (strncmp(parts[k].name, "body.", 5) == 0)
            numbers[strstr(parts[k].name, "veloc") != NULL] += parts[k].size;
    }
    assert_int_equal(numbers[0], positions);
    assert_int_equal(numbers[1], velocities);
    for (size_t n = 0; n < some_count; n++) {
        size_t found = 0;
        for (size_t k = 0; k < count; k++)
            found += strcmp(parts[k].name, some[n]) == 0;
        if (found != 1)
            fail_msg("'%s' is in the list %zu times", some[n], found);
    }
    assert_ptr_equal(carom_state_parts(s, NULL), parts);
    carom_state_free(s);
}

static void test_names(void **state)
{
    (void)state;
    free_run run;
    free_run_parse(&run, LAG, 0, NULL);
    list_names(&run, (const char *const[]){"time", "input.u", "state.z", "body.cart.angle"}, 4);
    free_run_close(&run);
    free_run_open_in(&run, "slider_crank_3d.yaml", "cartesian");
    list_names(&run, (const char *const[]){"time"}, 1);
    free_run_close(&run);
    free_run_open(&run, "four_bar.yaml", NULL, 0, 0, NULL);
    list_names(&run, (const char *const[]){"joint.A.coordinate", "joint.D.rate", "body.rod.position"}, 3);
    free_run_close(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trips), cmocka_unit_test(test_placed_bodies),
        cmocka_unit_test(test_one_body_placed), cmocka_unit_test(test_coordinates), cmocka_unit_test(test_misuse),
        cmocka_unit_test(test_four_bar),    cmocka_unit_test(test_refusals),    cmocka_unit_test(test_begins),
        cmocka_unit_test(test_begins_losses), cmocka_unit_test(test_resumes), cmocka_unit_test(test_clones),
        cmocka_unit_test(test_variables),
        cmocka_unit_test(test_names), cmocka_unit_test(test_past), cmocka_unit_test(test_past_sent),
        cmocka_unit_test(test_other_parameters), cmocka_unit_test(test_other_law),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
