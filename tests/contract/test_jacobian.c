/* Derivatives of the rates by the state, as Newton's equations of implicit methods have them, against differences of
   the rates: every normal law, friction law, load, joint, and the friction of joints, at random states. */
#include "carom_test.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "kinds/normal/law.h"
#include "sim/sim.h"
#include "support/free_runs.h"
#include "support/sample.h"
#include "support/trial.h"

#define TOLERANCE 1e-6
/* Differences of two steps that disagree by this straddle a kink, and say nothing. */
#define KINK 5e-8
#define STATES 1000
/* In space, where a state costs most, and of joints with friction, so many of them picked by the commit. */
#define AT_ONCE 50

/* ---- random states ---- */

/* The first of so many states, under the sanitizer of an eighth; they become all, if all are asked for. */
static int first_state(int *states)
{
#ifdef __SANITIZE_ADDRESS__
    *states = *states / 8 > 0 ? *states / 8 : 1;
#endif
    return *states < STATES ? sample_first(STATES, states) : 0;
}

static uint64_t seed = 1;

static double uniform(double low, double high)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return low + (high - low) * (double)(seed >> 11) * 0x1p-53;
}

/* Each state has a seed of its own. */
static void begin_state(int number)
{
    seed = 0x9e3779b97f4a7c15u * (uint64_t)(number % STATES + 1);
    uniform(0, 1);
}

typedef struct bench {
    carom_context *ctx;
    carom_model *model;
    carom_simulation *sim;
    double *y, *size, *column, *work;
    double step;                /* of differences of the positions, of their sizes */
    int n;                      /* numbers that rates depend on */
    double worst;               /* of all errors */
    long compared, kinks;
} bench;

static bool bench_open_trial(bench *b, const trial *t)
{
    *b = (bench){.ctx = new_context()};
    if (trial_compile(b->ctx, t, "bdf", NULL, &b->model) != CAROM_OK)
        return false;
    carom_simulation_def def = carom_default_simulation_def();
    carom_run_def run = carom_default_run_def();
    run.until = t->until;
    run.integrator = "bdf";
    run.jacobian = "elements";
    run.formulation = "cartesian";
    def.run_def = &run;
    if (carom_sim_create(b->ctx, b->model, &def, NULL, 0, &b->sim) != CAROM_OK)
        return false;
    const size_t total = b->sim->s.integrated;
    assert_non_null(b->sim->newton);
    if (carom_simulation_advance(b->sim, 1e-9) != CAROM_OK) /* sets the tolerances */
        return false;
    b->step = 2e-4;
    b->n = (int)(b->sim->s.load_states - b->sim->s.q) + b->sim->model->load_state_count;
    b->y = calloc(6 * total, sizeof *b->y);
    b->size = b->y + total;
    b->column = b->y + 2 * total;
    b->work = b->y + 3 * total;
    for (int k = 0; k < b->n; k++)
        b->size[k] = b->sim->tolerance[k] / carom_rhs_local_tolerance(b->sim);
    return true;
}

static bool bench_open(bench *b, const char *text)
{
    const trial t = {"jacobian", text, 1, 1e-3, 1};
    return bench_open_trial(b, &t);
}

static void bench_close(bench *b)
{
    free(b->y);
    carom_simulation_free(b->sim);
    carom_model_free(b->model);
    carom_context_free(b->ctx);
}

/* Positions near those of the start, velocities of any direction. */
static void shake(bench *b, double move, double speed)
{
    const carom_simulation *sim = b->sim;
    const int positions = sim->s.layout.positions, velocities = sim->s.layout.velocities;
    memcpy(b->y, sim->s.q, sim->s.integrated * sizeof *b->y);
    for (int k = 0; k < positions; k++)
        b->y[k] += move * uniform(-1, 1);
    sim->s.formulation->normalise(sim->model, b->y);
    for (int k = 0; k < velocities; k++)
        b->y[positions + k] = speed * uniform(-1, 1);
    for (int k = positions + velocities; k < b->n; k++)
        b->y[k] = 0.5 * b->size[k] * uniform(-1, 1);
}

/* Puts a contact into an episode of a random velocity, at a random indentation. */
static void touch(bench *b, int contact)
{
    carom_simulation *sim = b->sim;
    const carom_model *m = sim->model;
    const carom_model_contact *c = &m->contacts[contact];
    carom_episode *e = &sim->s.located[contact];
    const double *v = b->y + sim->s.layout.positions, impact = uniform(0.1, 1);
    const int side = c->body_j != 0, body = side ? c->body_j : c->body_i;
    carom_contact_point p;
    double depth = 0;
    for (int turn = 0; turn < 4; turn++) {
        const carom_body_pose i = sim->s.formulation->body_pose(m, c->body_i, b->y, v);
        const carom_body_pose j = sim->s.formulation->body_pose(m, c->body_j, b->y, v);
        carom_contact_geometry_at(m, NULL, contact, &i, &j, &p);
        if (turn == 0) {
            sim->s.formulation->pose(sim->probe, b->y, v);
            carom_dynamics_constraints(sim->probe, &sim->s, 0);
            carom_episode_open(e, 0, impact, &p);
            e->mass = carom_effective_mass(sim->probe, c->body_i, c->body_j, &p);
            carom_episode_set_constants(c, e, &p);
            carom_episode_set_velocity(c, e, impact, 0);
            carom_episode_set_scales(c, e, false);
            depth = e->depth_scale * uniform(0.05, 0.95);
        }
        const double step = -(p.gap + depth) * (side ? 1 : -1), n[3] = {p.normal.x, p.normal.y, p.normal.z};
        double *q = b->y + sim->s.formulation->body_place(m, body - 1, false, false);
        for (int k = 0; k < m->dimension; k++)
            q[k] += step * n[k];
    }
    memset(e->history, 0, sizeof e->history);
    b->step = 1e-3 * depth / m->length_scale;
    if (c->friction_state >= 0) {       /* bristles within the tangent plane */
        double *z = b->y + (sim->s.friction - sim->s.q) + c->friction_state;
        const carom_vec3 at = carom_v3_load(z);
        const double along = carom_v3_dot(at, p.normal);
        z[0] -= along * p.normal.x;
        z[1] -= along * p.normal.y;
        z[2] -= along * p.normal.z;
        if (m->dimension == 2)
            z[2] = 0;
    }
}

/* Friction sites of joints slide. */
static void slide(bench *b)
{
    carom_simulation *sim = b->sim;
    sim->s.formulation->pose(sim->probe, b->y, b->y + sim->s.layout.positions);
    carom_joint_friction_switches(sim->probe, &sim->s, true);
}

/* ---- comparison ---- */

enum { CENTRED, FORWARD, BACKWARD };

/* Five-point difference of the rates by y[k]. False where they cannot be found. */
static bool difference(bench *b, int k, int side, double h, double *out)
{
    static const double at[2][5] = {{-2, -1, 0, 1, 2}, {0, 1, 2, 3, 4}};
    static const double weight[2][5] = {{1. / 12, -8. / 12, 0, 8. / 12, -1. / 12},
                                        {-25. / 12, 48. / 12, -36. / 12, 16. / 12, -3. / 12}};
    const size_t total = b->sim->s.integrated;
    double *rate = b->work + 2 * total;
    const double kept = b->y[k], step = side == BACKWARD ? -h : h;
    memset(out, 0, total * sizeof *out);
    for (int n = 0; n < 5; n++) {
        const double share = weight[side != CENTRED][n];
        if (share == 0)
            continue;
        b->y[k] = kept + at[side != CENTRED][n] * step;
        const int failed = carom_rhs_rates(b->sim, 0, b->y, rate);
        b->y[k] = kept;
        if (failed)
            return false;
        for (size_t i = 0; i < total; i++)
            out[i] += share * rate[i] / step;
    }
    return true;
}

/* What `found`, a derivative of rate i by y[k], differs by from that of the nearer of the two sides: where a kink, like
   a knot of a curve, lies well within the smaller step, both centred differences are the mean of the sides. */
static double error_of_sides(bench *b, size_t i, int k, double h, double found)
{
    double error = INFINITY, *rows = calloc(b->sim->s.integrated, sizeof *rows);
    assert_true(rows);
    for (int side = FORWARD; side <= BACKWARD; side++)
        if (difference(b, k, side, h, rows))
            error = fmin(error, fabs(found - rows[i]));
    free(rows);
    return error;
}

/* A bristle's component across the plane stays zero. */
static bool out_of_plane(const bench *b, int k)
{
    const carom_model *m = b->sim->model;
    const int z = k - (int)(b->sim->s.friction - b->sim->s.q);
    for (int c = 0; m->dimension == 2 && c < m->contact_count; c++)
        if (m->contacts[c].friction_state >= 0 && z == m->contacts[c].friction_state + 2)
            return true;
    return false;
}

/* All columns at the state y. An error is a share of the derivative, or where that is small of a tenth of the
   greatest change that the sizes of y make of the rate, or a millionth of that of any rate. What changes a rate by less
   than rounding of the greatest of them, like that of a spin that no force acts on, cannot be compared. */
static void compare(bench *b, const char *what)
{
    const size_t total = b->sim->s.integrated, n = (size_t)b->n;
    carom_newton *newton = b->sim->newton;
    double greatest = 1, fastest = 0;
    double *all = calloc(3 * n * total, sizeof *all), *scale = calloc(total, sizeof *scale), *x = b->column;
    assert_true(all && scale);
    if (!carom_newton_evaluate(newton, 0, b->y) || !carom_newton_factor(newton, 0)) {
        free(all);
        free(scale);
        return;
    }
    assert_int_equal(carom_rhs_rates(b->sim, 0, b->y, b->work), 0);
    for (size_t i = 0; i < total; i++)
        fastest = fmax(fastest, fabs(b->work[i]));
    for (size_t k = 0; k < n; k++) {
        double *rows = all + 3 * k * total;
        memset(x, 0, total * sizeof *x);
        x[k] = 1;
        carom_newton_times(newton, x, rows);
        const double h = b->size[k] * (k < (size_t)b->sim->s.layout.positions ? b->step : 2e-5);
        assert_true(difference(b, (int)k, CENTRED, h, rows + total));
        assert_true(difference(b, (int)k, CENTRED, 0.5 * h, rows + 2 * total));
        for (size_t i = 0; i < total; i++) {
            scale[i] = fmax(scale[i], fabs(rows[total + i]) * b->size[k]);
            greatest = fmax(greatest, scale[i]);
        }
    }
    for (size_t k = 0; k < n; k++)
        for (size_t i = 0; i < total && !out_of_plane(b, (int)k); i++) {
            const double *rows = all + 3 * k * total;
            const double unit = 1 / fmax(fabs(rows[total + i]), fmax(0.1 * scale[i], 1e-6 * greatest) / b->size[k]);
            const double h = b->size[k] * (k < (size_t)b->sim->s.layout.positions ? b->step : 2e-5);
            if (fmax(fabs(rows[i]), fabs(rows[total + i])) * h < DBL_EPSILON * fastest)
                continue;
            if (fabs(rows[total + i] - rows[2 * total + i]) * unit > KINK) {
                b->kinks++;
                continue;
            }
            /* beyond what the differences leave open */
            double error = (fmin(fabs(rows[i] - rows[total + i]), fabs(rows[i] - rows[2 * total + i])) -
                            fabs(rows[total + i] - rows[2 * total + i])) * unit;
            if (!(error < TOLERANCE))
                error = unit * error_of_sides(b, i, (int)k, h, rows[i]);
            b->compared++;
            b->worst = fmax(b->worst, error);
            if (!(error < TOLERANCE))
                print_message("%s: rate %zu by %zu: %.10g, differences %.10g and %.10g, scale %.3g/%.3g\n",
                              what, i, k, rows[i], rows[total + i], rows[2 * total + i], scale[i], b->size[k]);
            assert_true(error < TOLERANCE);
        }
    free(all);
    free(scale);
}

static void say(const bench *b, const char *what)
{
    print_message("%-34s largest error %.1e of %.0e, %.2f %% at kinks\n", what, b->worst, TOLERANCE,
                  100. * (double)b->kinks / fmax((double)(b->compared + b->kinks), 1));
    assert_true(b->compared > 0);
#ifndef __SANITIZE_ADDRESS__ /* few states tell no share */
    assert_true((double)b->kinks < 0.1 * (double)b->compared);
#endif
}

/* A model, its contacts closed, at so many states. */
static void try_model(const char *what, const char *text, int states, double move, double speed)
{
    bench b;
    const int first = first_state(&states);
    if (!bench_open(&b, text))
        fail_msg("%s: %s\n%s", what, carom_context_error(b.ctx), text);
    for (int n = 0; n < states; n++) {
        begin_state(first + n);
        shake(&b, move, speed);
        for (int k = 0; k < b.sim->model->contact_count; k++)
            touch(&b, k);
        slide(&b);
        compare(&b, what);
    }
    say(&b, what);
    bench_close(&b);
}

/* ---- normal laws ---- */

static const char law_text[] =
    "carom: 1\ndimension: 2\ngravity: [0, -9.81]\n"
    "materials: {steel: {E: 207*GPa, nu: 0.3, density: 7800, yield: 500*MPa}}\n"
    "bodies:\n  ball: {mass: 0.1, inertia: 1e-5, at: [0, 0.05], velocity: [0.1, -0.5]}\n"
    "shapes:\n  floor: {type: plane, on: ground, normal: [0.3, 1], material: steel}\n"
    "  ball: {type: sphere, on: ball, at: [0.004, 0.001], radius: 0.02, material: steel}\n"
    "contacts:\n  hit: {between: [floor, ball], normal: {law: %s, %s}}\nrun: {until: 1}\n";

static void test_normal_laws(void **state)
{
    (void)state;
    carom_context *ctx = new_context();
    size_t count;
    const char *const *names = carom_kind_names(ctx, CAROM_FAMILY_LAW, &count);
    static const char *const params[] = {"stiffness: 1e8, restitution: 0.7",
                                         "restitution: 0.7",
                                         "stiffness: 1e8",
                                         "stiffness: 1e8, damping: 100", "stiffness: 1e8, damping: 100, depth: 1e-4",
                                         "stiffness: 1e8, alpha: 0.5",
                                         "stiffness: 1e8, exponent: 1.1",
                                         "length: 0.01, restitution: 0.7, radius_i: -0.0203",
                                         "length: 0.01, radius_i: -0.0203",
                                         "length: 0.01, radius_i: -0.021",
                                         "length: 0.01",
                                         "stiffness: 1e8, restitution: 0.7, epsilon: 1e-6",
                                         "stiffness: 1e8, chi: 100",
                                         "stiffness: 1e8, chi: 100, power: 0.5",
                                         "radius_i: -0.0203"};
    for (size_t k = 0; k < count; k++) {
        char text[2048], refusals[8192] = "";
        bool fits = false;
        for (size_t p = 0; p < CAROM_COUNT(params) && !fits; p++) {
            bench b;
            snprintf(text, sizeof text, law_text, names[k], params[p]);
            fits = bench_open(&b, text);
            if (!fits)
                snprintf(refusals + strlen(refusals), sizeof refusals - strlen(refusals), "%s\n",
                         carom_context_error(b.ctx));
            bench_close(&b);
        }
        if (!fits)
            fail_msg("%s: %s", names[k], refusals);
        try_model(names[k], text, STATES, 0.01, 0.3);
    }
    carom_context_free(ctx);
}

/* ---- friction laws ---- */

#define STEEL "materials: {steel: {E: 207*GPa, nu: 0.3}}\n"
#define HIT "normal: {law: flores, restitution: 0.7}, friction: {law: %s, kinetic: 0.3%s}"

/* A ball on a plane that moves, and on a disc. */
static const char friction_plane[] = "carom: 1\ndimension: 2\ngravity: [0, -9.81]\n" STEEL
    "bodies:\n  table: {mass: 1, inertia: 0.01, at: [0, 0]}\n  ball: {mass: 0.1, inertia: 1e-5, at: [0, 0.05]}\n"
    "shapes:\n  floor: {type: plane, on: table, at: [0, 0.01], normal: [0.3, 1], material: steel}\n"
    "  ball: {type: sphere, on: ball, at: [0.004, 0.001], radius: 0.02, material: steel}\n"
    "contacts:\n  hit: {between: [floor, ball], " HIT "}\nrun: {until: 1}\n";

static const char friction_space[] = "carom: 1\ndimension: 3\ngravity: [0, 0, -9.81]\n" STEEL
    "bodies:\n  table: {mass: 1, inertia: [0.01, 0.02, 0.015], at: [0, 0, 0]}\n"
    "  ball: {mass: 0.1, inertia: [1e-5, 2e-5, 1.5e-5], at: [0, 0.01, 0.05]}\n"
    "shapes:\n  floor: {type: %s, on: table, at: [0, 0, -0.03], %s, material: steel}\n"
    "  ball: {type: sphere, on: ball, at: [0.004, 0.001, 0], radius: 0.02, material: steel}\n"
    "contacts:\n  hit: {between: [floor, ball], " HIT "}\nrun: {until: 1}\n";

static void test_friction_laws(void **state)
{
    (void)state;
    carom_context *ctx = new_context();
    size_t count;
    const char *const *names = carom_kind_names(ctx, CAROM_FAMILY_FRICTION, &count);
    for (size_t k = 0; k < count; k++) {
        char text[2048], what[64];
        snprintf(text, sizeof text, friction_plane, names[k], ", rolling: 1e-3");
        try_model(names[k], text, STATES, 0.01, 0.3);
        const char *more = ", rolling: 1e-3, spinning: 2e-3";
        snprintf(text, sizeof text, friction_space, "plane", "normal: [0.1, 0.2, 1]", names[k], more);
        snprintf(what, sizeof what, "%s on a plane in space", names[k]);
        try_model(what, text, AT_ONCE, 0.01, 0.3);
        snprintf(text, sizeof text, friction_space, "sphere", "radius: 0.04", names[k], "");
        snprintf(what, sizeof what, "%s on a sphere", names[k]);
        try_model(what, text, AT_ONCE, 0.005, 0.3);
    }
    carom_context_free(ctx);
}

/* ---- contacts that stick ---- */

/* Takes the slip off the second body of each contact, but for a share of the speed at which it sticks. */
static void hold(bench *b, double share)
{
    carom_simulation *sim = b->sim;
    const carom_model *m = sim->model;
    double *v = b->y + sim->s.layout.positions;
    for (int k = 0; k < m->contact_count; k++) {
        const carom_model_contact *c = &m->contacts[k];
        const carom_body_pose i = sim->s.formulation->body_pose(m, c->body_i, b->y, v);
        const carom_body_pose j = sim->s.formulation->body_pose(m, c->body_j, b->y, v);
        carom_contact_point p;
        carom_contact_geometry_at(m, &sim->s, k, &i, &j, &p);
        const double slow = CAROM_KIND_CALL(c->friction, stick_speed, c->friction_constants);
        const carom_vec3 less = carom_v3_scale(1 - share * slow / fmax(carom_v3_norm(p.slip), slow), p.slip);
        double *u = v + (c->body_j - 1) * (m->dimension == 2 ? 3 : 6);
        const double of[3] = {less.x, less.y, less.z};
        for (int n = 0; n < m->dimension; n++)
            u[n] -= of[n];
        sim->s.located[k].stick = CAROM_STICKING;
    }
}

/* `slides`: asked for more than the cone, else less, in most states. */
static void try_sticking(const char *what, const char *text, int states, double move, bool slides)
{
    bench b;
    const int first = first_state(&states);
    int held = 0;
    if (!bench_open(&b, text))
        fail_msg("%s: %s\n%s", what, carom_context_error(b.ctx), text);
    for (int n = 0; n < states; n++) {
        begin_state(first + n);
        shake(&b, move, 0.3);
        for (int k = 0; k < b.sim->model->contact_count; k++)
            touch(&b, k);
        hold(&b, 0.5);
        compare(&b, what);
        bool inside = true;
        for (int k = 0; k < b.sim->model->contact_count; k++)
            inside = inside && carom_slopes_clipped(b.sim->newton, k) == slides;
        held += inside;
    }
    print_message("%d of %d states %s the cone; ", held, states, slides ? "at the edge of" : "within");
    assert_true(2 * held > states);
    say(&b, what);
    bench_close(&b);
}

static void test_sticking(void **state)
{
    (void)state;
    static const char *const laws[] = {"coulomb", "karnopp"};
    char text[2048], what[64];
    for (size_t k = 0; k < CAROM_COUNT(laws); k++) {
        snprintf(text, sizeof text, friction_plane, laws[k], "");
        char *kinetic = strstr(text, "kinetic: 0.3");
        memcpy(kinetic, "kinetic: 900", 12);
        snprintf(what, sizeof what, "%s that sticks", laws[k]);
        try_sticking(what, text, STATES, 0.01, false);
        memcpy(strstr(text, "kinetic: 900"), "kinetic: .01", 12);
        snprintf(what, sizeof what, "%s at its edge", laws[k]);
        try_sticking(what, text, STATES, 0.01, true);
        static const char *const other[][3] = {{"plane", "normal: [0.1, 0.2, 1]", "a plane in space"},
                                               {"sphere", "radius: 0.04", "a sphere"},
                                               {"ellipsoid", "half_axes: [0.04, 0.05, 0.04]", "an ellipsoid"}};
        for (size_t n = 0; n < CAROM_COUNT(other); n++) {
            snprintf(text, sizeof text, friction_space, other[n][0], other[n][1], laws[k], "");
            memcpy(strstr(text, "kinetic: 0.3"), "kinetic: 900", 12);
            snprintf(what, sizeof what, "%s that sticks to %s", laws[k], other[n][2]);
            try_sticking(what, text, AT_ONCE, 0.005, false);
            memcpy(strstr(text, "kinetic: 900"), "kinetic: .01", 12);
            snprintf(what, sizeof what, "%s at its edge on %s", laws[k], other[n][2]);
            try_sticking(what, text, AT_ONCE, 0.005, true);
        }
    }
}

/* ---- loads ---- */

#define PAIR2 \
    "carom: 1\ndimension: 2\ngravity: [0, -9.81]\n" \
    "bodies:\n  a: {mass: 1, inertia: 0.01, at: [0, 0.5], frames: {ear: [0.1, 0.1]}}\n" \
    "  b: {mass: 0.5, inertia: 0.004, at: [0.3, 0.5], frames: {ear: [-0.1, 0.05]}}\n"
#define PAIR3 \
    "carom: 1\ndimension: 3\ngravity: [0, 0, -9.81]\n" \
    "bodies:\n  a: {mass: 1, inertia: [0.01, 0.02, 0.015], at: [0, 0, 0.5], frames: {ear: [0.1, 0.1, 0.05]}}\n" \
    "  b: {mass: 0.5, inertia: [0.004, 0.005, 0.003], at: [0.3, 0.1, 0.5], frames: {ear: [-0.1, 0.05, 0.02]}}\n"

static const char *const loads[][3] = { /* name, in the plane, in space */
    {"force", "on: a.ear, force: [\"3 - 2*vx(a) + x(b)\", \"1*y(b)\"], axes: body",
     "on: a.ear, force: [\"3 - 2*vx(a)\", 1, \"2*z(b)\"], axes: body"},
    {"torque", "on: b, torque: \"-0.05*spin(a) + 0.1*turn(b)\"", "on: b, torque: [1, \"-0.1*vx(a)\", 2], axes: body"},
    {"spring", "between: [a.ear, b.ear], stiffness: 200, length: 0.1, damping: 3",
     "between: [a.ear, b.ear], stiffness: 200, length: 0.1, damping: 3"},
    {"damper", "between: [a.ear, b.ear], damping: 3", "between: [a.ear, b.ear], damping: 3"},
    {"torsion-spring", "between: [a.ear, b.ear], stiffness: 20, damping: 1",
     "between: [a.ear, b.ear], axis: [0, 0, 1], stiffness: 20, damping: 1"},
    {"torsion-damper", "between: [a.ear, b.ear], damping: 1", "between: [a.ear, b.ear], axis: [0, 0, 1], damping: 1"},
    {"line-force", "between: [a.ear, b.ear], force: \"2 - length(l)^2 + rate(l)\"",
     "between: [a.ear, b.ear], force: \"2 - length(l)^2 + rate(l)\""},
    {"ligament", "between: [a.ear, b.ear], stiffness: 200, length: 0.02, damping: 1",
     "between: [a.ear, b.ear], stiffness: 200, length: 0.02, damping: 1"},
    {"bushing", "between: [a.ear, b.ear], stiffness: [40, 30], turn_stiffness: 5, damping: [4, 3], turn_damping: 1",
     "between: [a.ear, b.ear], stiffness: [40, 30, 20], turn_stiffness: [5, 4, 3], damping: [4, 3, 2]"},
    {"motor", "on: pin, target: sin(t), proportional: 30, derivative: 2, integral: 40, integral_limit: 3, limit: 60",
     "on: pin, target: sin(t), proportional: 30, derivative: 2, integral: 40"},
    {"joint-spring", "on: pin, stiffness: 30, cubic: 10, damping: 2",
     "on: pin, stiffness: 30, cubic: 10, damping: 2"},
    {"joint-damper", "on: pin, damping: 2", "on: pin, damping: 2"},
    {"joint-effort", "on: pin, effort: 3*sin(7*t) - 2*joint.pin.rate",
     "on: pin, effort: 3*sin(7*t) - 2*joint.pin.rate"},
    {"joint-limits", "on: pin, lower: 0.4, stiffness: 30, damping: 2",
     "on: pin, lower: 0.4, stiffness: 30, damping: 2"},
};

static void test_loads(void **state)
{
    (void)state;
    carom_context *ctx = new_context();
    size_t count;
    carom_kind_names(ctx, CAROM_FAMILY_LOAD, &count);
    assert_int_equal(count, CAROM_COUNT(loads));
    carom_context_free(ctx);
    for (size_t k = 0; k < CAROM_COUNT(loads); k++)
        for (int space = 0; space < 2; space++) {
            char text[2048], what[64];
            const bool on_joint = strstr(loads[k][1], "on: pin") != NULL;
            snprintf(text, sizeof text, "%s%sloads:\n  l: {type: %s, %s}\nrun: {until: 1}\n", space ? PAIR3 : PAIR2,
                     !on_joint ? ""
                     : space   ? "joints: {pin: {type: revolute, between: [a.ear, b.ear], axis: [0, 0, 1]}}\n"
                               : "joints: {pin: {type: revolute, between: [a.ear, b.ear]}}\n",
                     loads[k][0], loads[k][1 + space]);
            snprintf(what, sizeof what, "%s%s", loads[k][0], space ? " in space" : "");
            try_model(what, text, space ? AT_ONCE : STATES, 0.02, 1);
        }
}

/* ---- joints and their friction ---- */

static void test_joints(void **state)
{
    (void)state;
    carom_context *ctx = new_context();
    size_t count;
    const char *const *names = carom_kind_names(ctx, CAROM_FAMILY_JOINT, &count);
    for (size_t k = 0; k < count; k++) {
        const carom_joint_kind *kind = (const carom_joint_kind *)carom_kind_find(ctx, CAROM_FAMILY_JOINT, names[k]);
        for (int space = 0; space < 2; space++) {
            char text[2048], what[64], needs[256] = "";
            const bool has_axis = kind->has_axis && (space || kind->axis_in_plane);
            for (int n = 0; n < kind->kind.param_count; n++)
                if (kind->kind.params[n].flags & CAROM_PARAM_REQUIRED)
                    snprintf(needs + strlen(needs), sizeof needs - strlen(needs), ", %s: %s",
                             kind->kind.params[n].name,
                             kind->kind.params[n].size == 1                        ? "0.3"
                             : kind->kind.params[n].size == 3 && space ? "[2, 3, 1]"
                                                                       : "[2, 3]");
            if (!(space ? kind->rows_3d : kind->rows_2d) || kind->couple)
                continue;
            snprintf(text, sizeof text,
                     "%sjoints:\n  j: {type: %s, between: [a.ear, b.ear]%s%s%s%s}\nrun: {until: 1}\n",
                     space ? PAIR3 : PAIR2, names[k],
                     !has_axis ? ""
                     : space   ? ", axis: [0, 0.6, 0.8]"
                               : ", axis: [0.6, 0.8]",
                     kind->axis2_on_j ? ", axis2: [1, 0, 0]"
                     : !kind->follow  ? ""
                     : space          ? ", points: [[-0.3, 0, 0], [0.1, 0.1, 0.05], [0.3, 0, 0.2]]"
                                      : ", points: [[-0.3, 0], [0.1, 0.1], [0.3, 0]]",
                     needs, kind->coordinate_unit ? ", armature: 0.02" : "");
            snprintf(what, sizeof what, "%s%s", names[k], space ? " in space" : "");
            try_model(what, text, space ? AT_ONCE : STATES, 0.02, 1);
        }
    }
    carom_context_free(ctx);
}

static void test_coupled_joints(void **state)
{
    (void)state;
    static const char joints[] =
        "  one: {type: revolute, between: [ground, a.ear]%s}\n  two: {type: revolute, between: [a, b.ear]%s}\n"
        "  gear: {type: coupler, joints: [one, two], ratio: -2.5}\nrun: {until: 1}\n";
    char text[2048];
    snprintf(text, sizeof text, "%sjoints:\n", PAIR2);
    snprintf(text + strlen(text), sizeof text - strlen(text), joints, "", "");
    try_model("coupler", text, STATES, 0.02, 1);
    snprintf(text, sizeof text, "%sjoints:\n", PAIR3);
    snprintf(text + strlen(text), sizeof text - strlen(text), joints, ", axis: [0, 0, 1]", ", axis: [0, 0.6, 0.8]");
    try_model("coupler in space", text, AT_ONCE, 0.02, 1);
}

#define CRANK \
    "carom: 1\ndimension: 2\ngravity: [0, -9.81]\nbodies:\n" \
    "  crank:  {mass: 1, inertia: 0.01, at: [0.1, 0], frames: {root: [-0.1, 0], tip: [0.1, 0]}}\n" \
    "  rod:    {mass: 1, inertia: 0.02, at: [0.4, 0], frames: {root: [-0.2, 0], tip: [0.2, 0]}}\n" \
    "  slider: {mass: 2, inertia: 0.01, at: [0.6, 0]}\njoints:\n"

static void test_joint_friction(void **state)
{
    (void)state;
    carom_context *ctx = new_context();
    size_t count;
    const char *const *names = carom_kind_names(ctx, CAROM_FAMILY_FRICTION, &count);
    for (size_t k = 0; k < count; k++) {
        char text[2048], what[64];
        const carom_friction_kind *law =
            (const carom_friction_kind *)carom_kind_find(ctx, CAROM_FAMILY_FRICTION, names[k]);
        if (law->spring)        /* for contacts alone */
            continue;
        snprintf(text, sizeof text, CRANK
                 "  main:  {type: revolute, between: [ground, crank.root], friction: {law: %s, kinetic: 0.2, radius: "
                 "0.05, preload: 20}}\n"
                 "  pin:   {type: revolute, between: [crank.tip, rod.root], friction: {law: %s, kinetic: 0.2, radius: "
                 "0.02}}\n"
                 "  wrist: {type: revolute, between: [rod.tip, slider]}\n"
                 "  guide: {type: translational, between: [ground, slider], axis: [1, 0], friction: {law: %s, kinetic: "
                 "0.2, length: 0.1}}\nrun: {until: 1}\n",
                 names[k], names[k], names[k]);
        snprintf(what, sizeof what, "%s in joints", names[k]);
        try_model(what, text, AT_ONCE, 0.02, 2);
    }
    carom_context_free(ctx);
}

/* Friction sites of joints that hold, all at once: as many as the chain has freedoms. `slides`: asked for more than
   their cones allow, in most states. */
static void try_holding(const char *what, const char *text, int states, bool slides)
{
    bench b;
    const int first = first_state(&states);
    int sites = 0, expected = 0;
    if (!bench_open(&b, text))
        fail_msg("%s: %s\n%s", what, carom_context_error(b.ctx), text);
    carom_simulation *sim = b.sim;
    for (int n = 0; n < states; n++) {
        begin_state(first + n);
        shake(&b, 0.02, 2);
        for (int k = 0; k < sim->model->site_count; k++)
            sim->s.site_stick[k] = 1;
        compare(&b, what);
        assert_int_equal(carom_rhs_rates(sim, 0, b.y, b.work), 0);
        for (int k = 0; k < sim->model->site_count; k++, sites++) {
            assert_true(sim->trial->sites[k].stick);
            expected += sim->trial->sites[k].sliding == slides;
        }
    }
    print_message("%d of %d sites %s; ", expected, sites, slides ? "at the edge of their cones" : "hold");
    assert_true(sites > 0 && 2 * expected > sites);
    say(&b, what);
    bench_close(&b);
}

#define HELD "friction: {law: %s, kinetic: %s, "
#define TROLLEY2 \
    "carom: 1\ndimension: 2\ngravity: [0, -9.81]\nbodies:\n" \
    "  cart: {mass: 2, inertia: 0.02, at: [0.1, 0]}\n" \
    "  arm:  {mass: 1, inertia: 0.01, at: [0.3, 0.1], frames: {root: [-0.2, -0.1], tip: [0.2, 0.05]}}\n" \
    "  hand: {mass: 0.5, inertia: 0.004, at: [0.6, 0.2], frames: {root: [-0.1, -0.05]}}\njoints:\n" \
    "  guide: {type: translational, between: [ground, cart], axis: [1, 0.2], " HELD "length: 0.1}}\n" \
    "  main: {type: revolute, between: [cart, arm.root], " HELD "radius: 0.05, preload: 20}}\n" \
    "  pin: {type: revolute, between: [arm.tip, hand.root], " HELD "radius: 0.02}}\nrun: {until: 1}\n"
#define TROLLEY3 \
    "carom: 1\ndimension: 3\ngravity: [0, 0, -9.81]\nbodies:\n" \
    "  cart: {mass: 2, inertia: [0.02, 0.03, 0.025], at: [0.1, 0, 0]}\n" \
    "  arm: {mass: 1, inertia: [0.01, 0.02, 0.015], at: [0.3, 0.1, 0], frames: {root: [-0.2, -0.1, 0], " \
    "tip: [0.2, 0.05, 0.1]}}\n" \
    "  hand: {mass: 0.5, inertia: [0.004, 0.005, 0.003], at: [0.6, 0.2, 0.1], frames: {root: [-0.1, -0.05, 0]}}\n" \
    "joints:\n" \
    "  guide: {type: cylindrical, between: [ground, cart], axis: [1, 0.2, 0.1], " HELD "length: 0.1, radius: 0.03}}\n" \
    "  main: {type: spherical, between: [cart, arm.root], " HELD "radius: 0.05, preload: 20}}\n" \
    "  pin: {type: revolute, between: [arm.tip, hand.root], axis: [0, 0.6, 0.8], " HELD "radius: 0.02, " \
    "length: 0.1}}\nrun: {until: 1}\n"

static void test_holding_joints(void **state)
{
    (void)state;
    static const char *const laws[] = {"coulomb", "karnopp"}, *const kinetic[] = {"900", ".01"};
    for (size_t k = 0; k < CAROM_COUNT(laws); k++)
        for (int space = 0; space < 2; space++)
            for (int slides = 0; slides < 2; slides++) {
                const char *l = laws[k], *mu = kinetic[slides];
                char text[2048], what[64];
                snprintf(text, sizeof text, space ? TROLLEY3 : TROLLEY2, l, mu, l, mu, l, mu);
                snprintf(what, sizeof what, "%s in joints %s%s", l, slides ? "at its edge" : "that hold",
                         space ? ", space" : "");
                try_holding(what, text, space ? AT_ONCE : STATES, slides);
            }
}

/* ---- whole models ---- */

static void test_models(void **state)
{
    (void)state;
    const trial *const models[] = {&trial_loads, &trial_driven, &trial_pins, &trial_events, &trial_balls,
                                   &trial_balls_3d, &trial_rubbing};
    for (size_t k = 0; k < CAROM_COUNT(models); k++)
        try_model(models[k]->name, models[k]->text, AT_ONCE, 1e-3, 0.5);
}

/* ---- many unknowns, which are solved within an envelope ---- */

/* A heap of discs, some of which touch, from the left to the right or anyhow. */
static char *heap(int count, bool anyhow, char *out, size_t size)
{
    int n = snprintf(out, size, "carom: 1\ndimension: 2\ngravity: [0, -9.81]\nbodies:\n");
    for (int k = 0; k < count; k++)
        n += snprintf(out + n, size - (size_t)n, "  d%d: {mass: 0.1, inertia: 1e-5, at: [%g, 0.1]}\n", k,
                      0.05 * (anyhow ? (7 * k) % count : k));
    n += snprintf(out + n, size - (size_t)n, "shapes:\n");
    for (int k = 0; k < count; k++)
        n += snprintf(out + n, size - (size_t)n, "  s%d: {type: sphere, on: d%d, radius: 0.02}\n", k, k);
    n += snprintf(out + n, size - (size_t)n, "contacts:\n");
    for (int k = 0; k + 1 < count; k++)
        n += snprintf(out + n, size - (size_t)n,
                      "  c%d: {between: [s%d, s%d], normal: {law: flores, stiffness: 1e6, restitution: 0.7}, "
                      "friction: {law: threlfall, kinetic: 0.3, transition_speed: 0.01}}\n", k, k, k + 1);
    snprintf(out + n, size - (size_t)n, "run: {until: 1}\n");
    return out;
}

/* Solutions of (I - gamma J) x = b, against J x. */
static void test_many(void **state)
{
    (void)state;
    static char text[32768];
    for (int k = 0; k < 4; k++) {
        static const char *const names[] = {"chain of 40", "heap of 40, in order", "heap of 40, anyhow",
                                            "slider-crank in space, redundant"};
        const char *model = k ? heap(40, k == 2, text, sizeof text) : trial_chain_text(40, text, sizeof text);
        const trial t = {names[k], model, 1, 1e-3, 1};
        bench b;
        assert_true(bench_open_trial(&b, k == 3 ? &trial_redundant : &t));
        const size_t total = b.sim->s.integrated;
        double *r = calloc(2 * total, sizeof *r), *product = r + total, worst = 0;
        for (int n = 0; n < 5; n++) {
            shake(&b, 1e-4, 0.5);
            for (int c = 0; c < b.sim->model->contact_count; c++)
                if (uniform(0, 1) < 0.7)
                    touch(&b, c);
                else
                    b.sim->s.located[c].open = 0;
            assert_true(carom_newton_evaluate(b.sim->newton, 0, b.y));
            const double gamma = 1e-4;
            for (size_t i = 0; i < total; i++)
                r[i] = b.column[i] = uniform(-1, 1) * (i < (size_t)b.n ? b.size[i] : 0);
            assert_true(carom_newton_factor(b.sim->newton, gamma));
            carom_newton_solve(b.sim->newton, b.column);
            assert_true(carom_newton_factor(b.sim->newton, 0));
            carom_newton_times(b.sim->newton, b.column, product);
            for (int i = 0; i < b.n; i++)
                worst = fmax(worst, fabs(b.column[i] - gamma * product[i] - r[i]) /
                                        (b.size[i] + fabs(gamma * product[i])));
        }
        print_message("%-34s largest residual %.1e\n", names[k], worst);
        assert_true(worst < 1e-8);
        free(r);
        bench_close(&b);
    }
}

/* Implicit methods take derivatives from the elements where they may: each matrix of differences costs an evaluation
   for each coordinate. */
static void test_evaluations(void **state)
{
    (void)state;
    static const char text[] = "carom: 1\ndimension: 2\n"
                               "bodies: {b: {copies: 6, mass: 1, inertia: 0.01, at: [copy, 0], velocity: [0, copy]}}\n"
                               "loads: {s: {copies: 6, type: spring, between: [ground, 'b_$(copy)'], stiffness: 1e4,"
                               " damping: 50, length: 0.5}}\n"
                               "run: {until: 0.1, integrator: bdf%s}\n";
    static const char *const ways[] = {"", ", jacobian: differences"};
    uint64_t evaluations[2];
    for (int k = 0; k < 2; k++) {
        char model[sizeof text + 40];
        free_run run;
        snprintf(model, sizeof model, text, ways[k]);
        free_run_parse(&run, model, 0, NULL);
        free_run_to(&run, 0.1);
        const carom_statistics used = carom_simulation_statistics(run.sim);
        evaluations[k] = used.rhs_evaluations;
        print_message("%llu evaluations in %llu steps\n", (unsigned long long)evaluations[k],
                      (unsigned long long)used.steps);
        free_run_close(&run);
    }
    assert_true(evaluations[1] > evaluations[0] + 6 * 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_normal_laws),    cmocka_unit_test(test_friction_laws),  cmocka_unit_test(test_sticking),
        cmocka_unit_test(test_loads),
        cmocka_unit_test(test_joints),         cmocka_unit_test(test_coupled_joints),
        cmocka_unit_test(test_joint_friction), cmocka_unit_test(test_holding_joints),
        cmocka_unit_test(test_models),         cmocka_unit_test(test_many),
        cmocka_unit_test(test_evaluations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
