/* The impact velocity policy `adaptive`, the default: free impacts as with `per-impact`; copies in the middle of a
   compression continue alike; contact sets follow it; and mechanisms whose contacts begin at rest, are pressed
   slowly or are hit while they are open come out alike with two integrators, close their energy balance and cost
   few steps. */
#include "carom_test.h"

#include <math.h>

#include "support/free_runs.h"
#include "support/scene.h"

/* ---- free impacts ---- */

static void test_free_impacts(void **state)
{
    (void)state;
    static const char *const laws[] = {"flores", "exact", "lankarani-nikravesh", "hu-guo", "poursina-nikravesh"};
    static const double speeds[] = {5e-4, 2e-2, 0.8, 30}, restitutions[] = {0.05, 0.5, 0.95};
    static const char *const policies[] = {"per-impact", "adaptive"};
    carom_context *ctx = new_context();
    for (size_t n = 0; n < 5 * 4 * 3; n++) {
        scene_result results[2];
        for (int p = 0; p < 2; p++) {
            scene s;
            const double v = speeds[n / 3 % 4], gap = 1e-4 * v, R = 0.01, zero[3] = {0, 0, 0}, up[3] = {0, 1, 0};
            const double at[3] = {0, R + gap, 0}, velocity[3] = {0.3 * v, -v, 0};
            scene_begin(&s, 2, 8e-3);
            const int ball = scene_sphere(&s, scene_body(&s, 0.03, 1e-6, at, velocity, NULL), NULL, R);
            scene_contact(&s, ball, scene_plane(&s, -1, zero, up), laws[n / 12], 1e9, restitutions[n % 3]);
            s.contacts[0].velocity = policies[p];
            scene_run(ctx, &s, NULL, 0, &results[p]);
            assert_int_equal(results[p].status, CAROM_OK);
            assert_int_equal(results[p].count, 1);
        }
        const carom_impact *a = &results[0].impacts[0], *b = &results[1].impacts[0];
        if (!(fabs(a->v_out - b->v_out) <= 1e-12 * a->v_in &&
              fabs(a->peak_force - b->peak_force) <= 1e-12 * a->peak_force &&
              fabs(a->energy_lost - b->energy_lost) <= 1e-12 * fabs(a->energy_lost)))
            fail_msg("%s, e %g at %g m/s: leaves at %.17g and %.17g m/s", laws[n / 12], restitutions[n % 3], a->v_in,
                     a->v_out, b->v_out);
        assert_true(b->v_max == b->v_in && b->v0 == fmax(b->v_in, 1e-3));
    }
    carom_context_free(ctx);
}

/* ---- copies ---- */

#define BALLS                                                                                                          \
    "carom: 1\n"                                                                                                       \
    "dimension: 2\n"                                                                                                   \
    "parameters: {R: 12*mm, v: 0.83}\n"                                                                                \
    "bodies:\n"                                                                                                        \
    "  a: {mass: 0.056, inertia: 3e-6, at: [0, 0], velocity: [v, 0], angular_velocity: 0}\n"                           \
    "  b: {mass: 0.056, inertia: 3e-6, at: [2*R, 0], velocity: [0, 0], angular_velocity: 0}\n"                         \
    "  c: {mass: 0.056, inertia: 3e-6, at: [4*R, 0], velocity: [0, 0], angular_velocity: 0}\n"                         \
    "  d: {mass: 0.056, inertia: 3e-6, at: [6*R, 0], velocity: [0, 0], angular_velocity: 0}\n"                         \
    "shapes:\n"                                                                                                        \
    "  a: {type: sphere, on: a, radius: R}\n"                                                                          \
    "  b: {type: sphere, on: b, radius: R}\n"                                                                          \
    "  c: {type: sphere, on: c, radius: R}\n"                                                                          \
    "  d: {type: sphere, on: d, radius: R}\n"

static const char pairs[] =
    BALLS "contacts:\n"
          "  ab: {between: [a, b], normal: {law: flores, stiffness: 1.2e10, restitution: 0.8}}\n"
          "  bc: {between: [b, c], normal: {law: flores, stiffness: 1.2e10, restitution: 0.8}}\n"
          "  cd: {between: [c, d], normal: {law: flores, stiffness: 1.2e10, restitution: 0.8}}\n"
          "run: {until: 4e-4}\n";

/* Copies taken at many times, among them while a contact follows its closing speed, come to the same bits. */
static void test_copies(void **state)
{
    (void)state;
    for (int n = 1; n <= 12; n++) {
        free_run run;
        free_run_parse(&run, pairs, 0, NULL);
        free_run_to(&run, 1e-5 * n);
        carom_simulation *copy = NULL;
        assert_ok(run.ctx, carom_simulation_clone(run.sim, run.ctx, &copy));
        assert_ok(run.ctx, carom_simulation_advance(copy, 4e-4));
        free_run_to(&run, 4e-4);
        for (size_t k = 0; k < 4; k++) {
            carom_body_state a, b;
            carom_simulation_body(run.sim, k, &a);
            carom_simulation_body(copy, k, &b);
            if (memcmp(a.velocity, b.velocity, sizeof a.velocity) || memcmp(a.position, b.position, sizeof a.position))
                fail_msg("body %zu of the copy at %d0 us: %.17g m/s, not %.17g", k, n, b.velocity[0], a.velocity[0]);
        }
        carom_simulation_free(copy);
        free_run_close(&run);
    }
}

/* ---- contact sets ---- */

/* With fixed steps that no event cuts the speeds tend to those of located contacts. */
static void test_contact_sets(void **state)
{
    (void)state;
    static const char text[] =
        BALLS "contacts: {all: {all: [a, b, c, d], normal: {law: flores, stiffness: 1.2e10, restitution: 0.8}}}\n"
              "run: {until: 4e-4, integrator: verlet, step: %g}\n";
    static const char *const names[] = {"a", "b", "c", "d"};
    double exact[4], before = HUGE_VAL;
    free_run run;
    free_run_parse(&run, pairs, 0, NULL);
    free_run_to(&run, 4e-4);
    for (int k = 0; k < 4; k++)
        exact[k] = free_run_body(&run, names[k]).velocity[0];
    free_run_close(&run);
    for (double step = 2e-7; step > 2e-8; step /= 4) {
        char model[4096];
        double worst = 0;
        snprintf(model, sizeof model, text, step);
        free_run_parse(&run, model, 0, NULL);
        free_run_to(&run, 4e-4);
        for (int k = 0; k < 4; k++)
            worst = fmax(worst, fabs(free_run_body(&run, names[k]).velocity[0] - exact[k]));
        print_message("  contact set, step %g s: %.2g m/s off\n", step, worst);
        assert_true(worst < 0.5 * before);
        before = worst;
        free_run_close(&run);
    }
    assert_true(before < 1e-4);
}

/* ---- swells ---- */

/* A ball that a motion drives into the floor closes with V (1 + 0.6 sin(w t + phase)) + growth t: four swells, of which
   each is a little faster than the one before it, for less than a step. */
static const char swells[] =
    "carom: 1\n"
    "dimension: 2\n"
    "parameters: {V: 1, w: 200*pi, phase: %.17g, growth: %.17g}\n"
    "bodies:\n"
    "  ball: {mass: 1, inertia: 1e-3, at: [0, 0.2]}\n"
    "joints:\n"
    "  guide: {type: translational, between: [{ground: [0, 0.2]}, ball], axis: [0, 1], "
    "motion: \"-(V*t + 0.6*V/w*(cos(phase) - cos(w*t + phase)) + 0.5*growth*t^2)\"}\n"
    "shapes:\n"
    "  ball: {type: sphere, on: ball, radius: 0.2}\n"
    "  floor: {type: plane, on: ground, at: [0, -1*mm], normal: [0, 1]}\n"
    "contacts:\n"
    "  c: {between: [floor, ball], normal: {law: lankarani-nikravesh, stiffness: 1, restitution: 0.5}}\n"
    "run: {until: 45*ms, integrator: %s}\n";

/* The impact velocity, which the damping part tells (A = 3 (1 - e^2)/4), is the speed of the fastest swell within the
   share of 1e-5 from which on it is followed. */
static void test_swells(void **state)
{
    (void)state;
    static const char *const integrators[] = {"adams", "bdf", "dopri5", "dop853"};
    static const double growths[] = {0.01, 0.03, 0.1};
    const double V = 1, pi = 3.14159265358979323846, w = 200 * pi, until = 0.045, A = 0.75 * (1 - 0.25);
    for (size_t n = 0; n < 4; n++) {
        double worst = 0;
        for (int k = 0; k < 3 * 40; k++) {
            char model[2048];
            const double growth = growths[k % 3], phase = 2 * pi * k / 120, crest = acos(-growth / (0.6 * V * w));
            const double swell = floor((w * until + phase - crest) / (2 * pi)),
                         at = (crest + 2 * pi * swell - phase) / w,
                         fastest = V * (1 + 0.6 * sin(crest)) + growth * at,
                         rate = V * (1 + 0.6 * sin(w * until + phase)) + growth * until;
            snprintf(model, sizeof model, swells, phase, growth, integrators[n]);
            free_run run;
            free_run_parse(&run, model, 0, NULL);
            free_run_to(&run, until);
            const double share = free_run_get(&run, "contact.c.elastic") / free_run_get(&run, "contact.c.damping");
            const double v0 = A * rate * share, off = v0 / fmax(fastest, rate) - 1;
            worst = fmax(worst, fabs(off));
            if (!(fabs(off) < 1.01e-5))
                fail_msg("%s, phase %g, growth %g: %.9g m/s, not %.9g", integrators[n], phase, growth, v0,
                         fmax(fastest, rate));
            free_run_close(&run);
        }
        print_message("  %s: impact velocities within %.2g\n", integrators[n], worst);
    }
}

/* ---- mechanisms ---- */

typedef struct mechanism {
    const char *name;
    double until;               /* [s] */
    uint64_t steps;             /* of adams, at most */
    const char *text;
} mechanism;

static const mechanism mechanisms[] = {
    {"press", 0.25, 40000, /* a press whose force grows slowly: no impact velocity of the first touch */
     "carom: 1\n"
     "dimension: 2\n"
     "bodies:\n"
     "  ram: {mass: 10, inertia: 0.1, at: [0, 50*mm], velocity: [0, -10*mm/s], angular_velocity: 0}\n"
     "shapes:\n"
     "  ram: {type: sphere, on: ram, radius: 50*mm}\n"
     "  anvil: {type: plane, on: ground, normal: [0, 1]}\n"
     "loads:\n"
     "  oil: {type: force, on: ram, force: [0, \"-1e5*min(t/0.2, 1)\"]}\n"
     "contacts:\n"
     "  c: {between: [anvil, ram], normal: {law: flores, stiffness: 3e10, restitution: 0.5}}\n"
     "run: {until: 0.25}\n"},
    {"stack", 0.06, 6000, /* two balls on the ground, hit by a third from above */
     "carom: 1\n"
     "dimension: 2\n"
     "gravity: [0, -9.81]\n"
     "bodies:\n"
     "  low: {mass: 0.1, inertia: 4e-6, at: [0, 10*mm], velocity: [0, 0], angular_velocity: 0}\n"
     "  mid: {mass: 0.1, inertia: 4e-6, at: [0, 30*mm], velocity: [0, 0], angular_velocity: 0}\n"
     "  top: {mass: 0.1, inertia: 4e-6, at: [0, 60*mm], velocity: [0, -0.5], angular_velocity: 0}\n"
     "shapes:\n"
     "  low: {type: sphere, on: low, radius: 10*mm}\n"
     "  mid: {type: sphere, on: mid, radius: 10*mm}\n"
     "  top: {type: sphere, on: top, radius: 10*mm}\n"
     "  floor: {type: plane, on: ground, normal: [0, 1]}\n"
     "contacts:\n"
     "  f: {between: [floor, low], normal: {law: flores, stiffness: 1e8, restitution: 0.7}}\n"
     "  lm: {between: [low, mid], normal: {law: flores, stiffness: 1e8, restitution: 0.7}}\n"
     "  mt: {between: [mid, top], normal: {law: flores, stiffness: 1e8, restitution: 0.7}}\n"
     "run: {until: 0.06}\n"},
    {"groove", 0.2, 6000, /* a ball in a groove, knocked */
     "carom: 1\n"
     "dimension: 2\n"
     "gravity: [0, -9.81]\n"
     "bodies:\n"
     "  ball: {mass: 0.2, inertia: 8e-6, at: [0, 10*mm*sqrt(2)], velocity: [0, 0], angular_velocity: 0}\n"
     "shapes:\n"
     "  ball: {type: sphere, on: ball, radius: 10*mm}\n"
     "  left: {type: plane, on: ground, normal: [1, 1]}\n"
     "  right: {type: plane, on: ground, normal: [-1, 1]}\n"
     "loads:\n"
     "  tap: {type: force, on: ball, force: [\"if(t > 0.05, if(t < 0.0505, 400, 0), 0)\", 0]}\n"
     "contacts:\n"
     "  l: {between: [left, ball], normal: {law: exact, stiffness: 5e8, restitution: 0.6}}\n"
     "  r: {between: [right, ball], normal: {law: exact, stiffness: 5e8, restitution: 0.6}}\n"
     "run: {until: 0.2}\n"},
    {"plates", 0.1, 10000, /* a soft ball between two plates, one of which moves */
     "carom: 1\n"
     "dimension: 2\n"
     "bodies:\n"
     "  ball: {mass: 8*gram, inertia: 5e-7, at: [0, 0], velocity: [0, 0], angular_velocity: 0}\n"
     "  plate: {mass: 1, inertia: 1e-3, at: [0, 12*mm]}\n"
     "joints:\n"
     "  guide: {type: translational, between: [{ground: [0, 12*mm]}, plate], axis: [0, 1], "
     "motion: \"-0.5*mm*(1 - cos(2*pi*40*t))\"}\n"
     "shapes:\n"
     "  ball: {type: sphere, on: ball, radius: 12*mm}\n"
     "  low: {type: plane, on: ground, at: [0, -12*mm], normal: [0, 1]}\n"
     "  high: {type: plane, on: plate, normal: [0, -1]}\n"
     "contacts:\n"
     "  low: {between: [low, ball], normal: {law: flores, stiffness: 6e5, restitution: 0.6}}\n"
     "  high: {between: [high, ball], normal: {law: flores, stiffness: 6e5, restitution: 0.6}}\n"
     "run: {until: 0.1}\n"},
    {"stop", 0.1, 2500, /* a pendulum that hangs against a wall, knocked */
     "carom: 1\n"
     "dimension: 2\n"
     "gravity: [0, -9.81]\n"
     "bodies:\n"
     "  arm: {mass: 0.4, inertia: 2e-3, at: [0, -0.1], angular_velocity: 0}\n"
     "joints:\n"
     "  pin: {type: revolute, between: [ground, {arm: [0, 0.1]}]}\n"
     "shapes:\n"
     "  tip: {type: sphere, on: arm, at: [0, -0.1], radius: 10*mm}\n"
     "  wall: {type: plane, on: ground, at: [-10*mm, 0], normal: [1, 0]}\n"
     "loads:\n"
     "  knock: {type: force, on: arm, force: [\"if(t > 0.02, if(t < 0.021, -300, 0), 0)\", 0]}\n"
     "contacts:\n"
     "  c: {between: [wall, tip], normal: {law: lankarani-nikravesh, stiffness: 2e9, restitution: 0.8}}\n"
     "run: {until: 0.1}\n"},
    {"wall", 0.001, 2000, /* three unequal balls that touch before a wall */
     "carom: 1\n"
     "dimension: 2\n"
     "bodies:\n"
     "  a: {mass: 0.05, inertia: 3e-6, at: [0, 0], velocity: [1, 0], angular_velocity: 0}\n"
     "  b: {mass: 0.1, inertia: 3e-6, at: [24*mm, 0], velocity: [0, 0], angular_velocity: 0}\n"
     "  c: {mass: 0.2, inertia: 3e-6, at: [48*mm, 0], velocity: [0, 0], angular_velocity: 0}\n"
     "shapes:\n"
     "  a: {type: sphere, on: a, radius: 12*mm}\n"
     "  b: {type: sphere, on: b, radius: 12*mm}\n"
     "  c: {type: sphere, on: c, radius: 12*mm}\n"
     "  wall: {type: plane, on: ground, at: [60*mm, 0], normal: [-1, 0]}\n"
     "contacts:\n"
     "  ab: {between: [a, b], normal: {law: exact, stiffness: 1e10, restitution: 0.6}}\n"
     "  bc: {between: [b, c], normal: {law: exact, stiffness: 1e10, restitution: 0.6}}\n"
     "  cw: {between: [wall, c], normal: {law: exact, stiffness: 1e10, restitution: 0.6}}\n"
     "run: {until: 1*ms}\n"},
    {"cradle", 0.3, 2000, /* three pendulums that touch */
     "carom: 1\n"
     "dimension: 2\n"
     "gravity: [0, -9.81]\n"
     "parameters: {R: 10*mm, l: 0.1}\n"
     "bodies:\n"
     "  a: {mass: 0.03, inertia: 1e-6, at: [-l*sin(0.5), -l*cos(0.5)], angle: -0.5, angular_velocity: 0}\n"
     "  b: {mass: 0.03, inertia: 1e-6, at: [2*R, -l], angular_velocity: 0}\n"
     "  c: {mass: 0.03, inertia: 1e-6, at: [4*R, -l], angular_velocity: 0}\n"
     "joints:\n"
     "  a: {type: revolute, between: [{ground: [0, 0]}, {a: [0, l]}]}\n"
     "  b: {type: revolute, between: [{ground: [2*R, 0]}, {b: [0, l]}]}\n"
     "  c: {type: revolute, between: [{ground: [4*R, 0]}, {c: [0, l]}]}\n"
     "shapes:\n"
     "  a: {type: sphere, on: a, radius: R}\n"
     "  b: {type: sphere, on: b, radius: R}\n"
     "  c: {type: sphere, on: c, radius: R}\n"
     "contacts:\n"
     "  ab: {between: [a, b], normal: {law: flores, stiffness: 1e10, restitution: 0.9}}\n"
     "  bc: {between: [b, c], normal: {law: flores, stiffness: 1e10, restitution: 0.9}}\n"
     "run: {until: 0.3}\n"},
    {"laid", 0.2, 25000, /* a beam on two feet, laid on the floor and loaded slowly */
     "carom: 1\n"
     "dimension: 2\n"
     "gravity: [0, -9.81]\n"
     "bodies:\n"
     "  box: {mass: 2, inertia: 0.01, at: [0, 50*mm], velocity: [0, 0], angular_velocity: 0}\n"
     "shapes:\n"
     "  a: {type: sphere, on: box, at: [-80*mm, -40*mm], radius: 10*mm}\n"
     "  b: {type: sphere, on: box, at: [80*mm, -40*mm], radius: 10*mm}\n"
     "  floor: {type: plane, on: ground, normal: [0, 1]}\n"
     "loads:\n"
     "  push: {type: force, on: {box: [60*mm, 40*mm]}, force: [0, \"-200*min(t/0.1, 1)\"]}\n"
     "contacts:\n"
     "  a: {between: [floor, a], normal: {law: flores, stiffness: 5e8, restitution: 0.3}}\n"
     "  b: {between: [floor, b], normal: {law: flores, stiffness: 5e8, restitution: 0.3}}\n"
     "run: {until: 0.2}\n"},
    {"valve", 0.1, 15000, /* a valve on its rocker, with a spring */
     "carom: 1\n"
     "dimension: 2\n"
     "bodies:\n"
     "  valve: {mass: 0.08, inertia: 1e-5, at: [0, 0], velocity: [0, 0]}\n"
     "  rocker: {mass: 0.2, inertia: 1e-4, at: [0, 30*mm]}\n"
     "joints:\n"
     "  guide: {type: translational, between: [ground, valve], axis: [0, 1]}\n"
     "  lift: {type: translational, between: [{ground: [0, 30*mm]}, rocker], axis: [0, 1], "
     "motion: \"-4*mm*(1 - cos(2*pi*20*t))\"}\n"
     "shapes:\n"
     "  tip: {type: sphere, on: valve, at: [0, 20*mm], radius: 10*mm}\n"
     "  pad: {type: plane, on: rocker, normal: [0, -1]}\n"
     "loads:\n"
     "  spring: {type: spring, between: [{ground: [0, -50*mm]}, valve], stiffness: 20*N/mm, length: 60*mm}\n"
     "contacts:\n"
     "  c: {between: [pad, tip], normal: {law: hunt-crossley, stiffness: 8e9, restitution: 0.5}}\n"
     "run: {until: 0.1}\n"},
    {"crush", 0.0005, 1500, /* a small ball that touches two large ones which come together */
     "carom: 1\n"
     "dimension: 2\n"
     "parameters: {v: 0.4}\n"
     "bodies:\n"
     "  a: {mass: 0.05, inertia: 3e-6, at: [0, 0], velocity: [v, 0], angular_velocity: 0}\n"
     "  b: {mass: 0.01, inertia: 3e-7, at: [18*mm, 0], velocity: [0, 0], angular_velocity: 0}\n"
     "  c: {mass: 0.05, inertia: 3e-6, at: [36*mm, 0], velocity: [-v, 0], angular_velocity: 0}\n"
     "shapes:\n"
     "  a: {type: sphere, on: a, radius: 12*mm}\n"
     "  b: {type: sphere, on: b, radius: 6*mm}\n"
     "  c: {type: sphere, on: c, radius: 12*mm}\n"
     "contacts:\n"
     "  ab: {between: [a, b], normal: {law: gonthier, stiffness: 8e9, restitution: 0.7}}\n"
     "  bc: {between: [b, c], normal: {law: gonthier, stiffness: 8e9, restitution: 0.7}}\n"
     "run: {until: 0.5*ms}\n"},
    {"cam", 0.1, 25000, /* an eccentric cam, its tappet and a valve spring */
     "carom: 1\n"
     "dimension: 2\n"
     "parameters: {r: 20*mm, ecc: 5*mm, w: 2*pi*25}\n"
     "materials: {steel: {E: 210*GPa, nu: 0.3}}\n"
     "bodies:\n"
     "  cam: {mass: 0.5, inertia: 1e-4, at: [0, 0]}\n"
     "  tappet: {mass: 0.15, inertia: 1e-5, at: [0, r - ecc], velocity: [0, 0]}\n"
     "joints:\n"
     "  shaft: {type: revolute, between: [ground, cam], motion: w*t}\n"
     "  guide: {type: translational, between: [{ground: [0, r - ecc]}, tappet], axis: [0, 1]}\n"
     "shapes:\n"
     "  disc: {type: sphere, on: cam, at: [0, -ecc], radius: r, material: steel}\n"
     "  face: {type: plane, on: tappet, normal: [0, -1], material: steel}\n"
     "loads:\n"
     "  spring: {type: spring, between: [{ground: [0, 80*mm]}, tappet], stiffness: 15*N/mm, "
     "length: 80*mm, damping: 5}\n"
     "contacts:\n"
     "  c: {between: [face, disc], normal: {law: flores, restitution: 0.4}}\n"
     "run: {until: 0.1}\n"},
};

/* Velocities of all bodies in the end, into `out`; returns how many. */
static size_t run_mechanism(const mechanism *m, const char *integrator, double *out)
{
    free_run run;
    size_t count = 0, warnings;
    free_run_parse(&run, m->text, 0, integrator);
    free_run_to(&run, m->until);
    for (size_t k = 0; carom_model_body_name(run.model, k); k++) {
        carom_body_state body;
        carom_simulation_body(run.sim, k, &body);
        out[count++] = body.velocity[0];
        out[count++] = body.velocity[1];
    }
    const carom_ledger ledger = carom_simulation_ledger(run.sim);
    if (!(ledger.residual_fraction < 1e-7) || !(ledger.dissipated_contact >= 0))
        fail_msg("%s, %s: residual %.2g, %.3g J lost", m->name, integrator, ledger.residual_fraction,
                 ledger.dissipated_contact);
    const uint64_t steps = carom_simulation_statistics(run.sim).steps;
    if (strcmp(integrator, "adams") == 0 && steps > m->steps)
        fail_msg("%s: %llu steps", m->name, (unsigned long long)steps);
    const char *const *texts = carom_simulation_warnings(run.sim, &warnings);
    for (size_t k = 0; k < warnings; k++)
        if (strstr(texts[k], "minimum_speed") || strstr(texts[k], "its impact velocity"))
            fail_msg("%s: %s", m->name, texts[k]);
    if (strcmp(m->name, "press") == 0)
        assert_true(fabs(free_run_get(&run, "contact.c.force") - 1e5) < 10);
    free_run_close(&run);
    return count;
}

/* Two integrators come to the same motion, the balance closes, and the steps are those of a contact, not of a damping
   that is hundreds of times too strong. */
static void test_mechanisms(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof mechanisms / sizeof *mechanisms; k++) {
        double a[64], b[64], fastest = 1e-2, worst = 0;
        const size_t count = run_mechanism(&mechanisms[k], "adams", a);
        assert_int_equal(run_mechanism(&mechanisms[k], "bdf", b), count);
        for (size_t i = 0; i < count; i++) {
            fastest = fmax(fastest, fabs(a[i]));
            worst = fmax(worst, fabs(a[i] - b[i]));
        }
        print_message("  %-7s adams and bdf differ by %.2g of the speed\n", mechanisms[k].name, worst / fastest);
        if (!(worst < 1e-5 * fastest))
            fail_msg("%s: adams and bdf differ by %.3g m/s of %.3g m/s", mechanisms[k].name, worst, fastest);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_free_impacts), cmocka_unit_test(test_copies),
                                       cmocka_unit_test(test_contact_sets), cmocka_unit_test(test_swells),
                                       cmocka_unit_test(test_mechanisms)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
