/* Default stops (`limits` without a damping) of mechanisms give back the restitution that is asked. A stiff stop is an
   impact: the rate of its coordinate goes from v to -e v, all rates from u to u - M^-1 J^T (1 + e) v/(J M^-1 J^T), and
   the energy (1 - e^2) v^2/(2 J M^-1 J^T) is lost (Pfeiffer, Glocker 1996, Multibody Dynamics with Unilateral Contacts,
   chapter 8). In a mechanism of one degree of freedom that is the share 1 - e^2 of all its kinetic energy. */
#include "carom_test.h"

#include <math.h>

#include "base/base.h"
#include "support/free_runs.h"

#define HEAD "carom: 1\ndimension: 2\n"

/* A four-bar with the limit on its rocker, a slider-crank with it on the slider. */
#define FOUR_BAR(keys)                                                                                          \
    HEAD "bodies:\n  crank: {mass: 0.5, inertia: 0.002, at: [0.1, 0]}\n"                                        \
         "  coupler: {mass: 1.2, inertia: 0.03, at: [0.45, 0.2], angle: \"atan2(0.4, 0.5)\"}\n"                 \
         "  rocker: {mass: 0.8, inertia: 0.015, at: [0.7, 0.2], angle: 90*deg}\n"                               \
         "joints:\n  c: {type: revolute, between: [ground, {crank: [-0.1, 0]}], rate: 8}\n"                     \
         "  m: {type: revolute, between: [{crank: [0.1, 0]}, {coupler: [\"-sqrt(0.41)/2\", 0]}]}\n"             \
         "  r: {type: revolute, between: [{coupler: [\"sqrt(0.41)/2\", 0]}, {rocker: [0.2, 0]}]}\n"             \
         "  j: {type: revolute, between: [{ground: [0.7, 0]}, {rocker: [-0.2, 0]}], limits: {" keys "}}\n"      \
         "run: {until: 2}\n"
#define SLIDER_CRANK(keys)                                                                                      \
    HEAD "bodies:\n  crank: {mass: 0.5, inertia: 0.002, at: [0, 0.1], angle: 90*deg}\n"                         \
         "  rod: {mass: 1, inertia: 0.03, at: [0.3, 0.1], angle: \"-atan2(0.2, 0.6)\"}\n"                       \
         "  slider: {mass: 0.8, inertia: 0.015, at: [0.6, 0]}\n"                                                \
         "joints:\n  c: {type: revolute, between: [ground, {crank: [-0.1, 0]}], rate: 8}\n"                     \
         "  m: {type: revolute, between: [{crank: [0.1, 0]}, {rod: [\"-sqrt(0.1)\", 0]}]}\n"                    \
         "  r: {type: revolute, between: [{rod: [\"sqrt(0.1)\", 0]}, slider]}\n"                                \
         "  j: {type: translational, between: [{ground: [0.6, 0]}, slider], axis: [1, 0], limits: {" keys "}}\n" \
         "run: {until: 2}\n"
/* Rods of 0.4 m in a row, pinned to the ground, with the limit between the first and the second. */
#define CHAIN(keys)                                                                                             \
    HEAD "bodies:\n  a: {mass: 1, inertia: 0.02, at: [0.2, 0]}\n  b: {mass: 0.7, inertia: 0.01, at: [0.6, 0]}\n" \
         "  c: {mass: 0.5, inertia: 0.015, at: [1, 0]}\n"                                                       \
         "joints:\n  s: {type: revolute, between: [ground, {a: [-0.2, 0]}], rate: -2}\n"                        \
         "  j: {type: revolute, between: [{a: [0.2, 0]}, {b: [-0.2, 0]}], rate: 6, limits: {" keys "}}\n"       \
         "  w: {type: revolute, between: [{b: [0.2, 0]}, {c: [-0.2, 0]}], rate: -3}\n"                          \
         "run: {until: 2}\n"

typedef struct mechanism {
    const char *name, *text;
    double asked;               /* restitution */
    double near;                /* share of it, and of the energy lost */
    bool chain;
} mechanism;

/* The default lets in 0.01 rad or 1/100 of the length, and the mechanism moves and turns on meanwhile; an impact with
   1e4 of the stiffness, 1/100 of the time, is off by 1/100 of that. */
static const mechanism cases[] = {
    {"four-bar", FOUR_BAR("lower: 30*deg, upper: 100*deg"), 0.3, 0.02, false},
    {"four-bar, 0.8", FOUR_BAR("lower: 30*deg, upper: 100*deg, restitution: 0.8"), 0.8, 0.02, false},
    {"four-bar, stiff", FOUR_BAR("upper: 100*deg, stiffness: 1e9"), 0.3, 1e-4, false},
    {"slider-crank", SLIDER_CRANK("lower: -0.12"), 0.3, 0.02, false},
    {"slider-crank, stiff", SLIDER_CRANK("lower: -0.12, stiffness: 1e10, restitution: 0.5"), 0.5, 1e-4, false},
    {"chain", CHAIN("upper: 40*deg"), 0.3, 0.02, true},
    {"chain, stiff", CHAIN("upper: 40*deg, stiffness: 1e9, restitution: 0.6"), 0.6, 1e-4, true},
};

/* 1/(J M^-1 J^T) of the chain at a time, along its second relative angle, from the mass matrix of the rods' own angles:
   M_ik = m l_i l_k cos(p_i - p_k) over the rods that both carry, l/2 in the place of l for the rod itself. */
static double chain_mass(const char *text, double time)
{
    free_run run;
    free_run_parse(&run, text, 1e-11, NULL);
    free_run_to(&run, time);
    const double p[3] = {free_run_body(&run, "a").angle, free_run_body(&run, "b").angle,
                         free_run_body(&run, "c").angle};
    free_run_close(&run);
    const double m[3] = {1, 0.7, 0.5}, inertia[3] = {0.02, 0.01, 0.015}, l = 0.4;
    double a[3][4];
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            double sum = i == k ? inertia[i] : 0;
            for (int body = i > k ? i : k; body < 3; body++)
                sum += m[body] * (body == i ? l / 2 : l) * (body == k ? l / 2 : l) * cos(p[i] - p[k]);
            a[i][k] = sum;
        }
    const double row[3] = {-1, 1, 0};
    for (int i = 0; i < 3; i++)
        a[i][3] = row[i];
    for (int i = 0; i < 3; i++) /* Gauss and Jordan: M is positive definite */
        for (int k = 0; k < 3; k++) {
            const double f = a[k][i] / a[i][i];
            for (int n = 0; n < 4 && k != i; n++)
                a[k][n] -= f * a[i][n];
        }
    double sum = 0;
    for (int i = 0; i < 3; i++)
        sum += row[i] * a[i][3] / a[i][i];
    return 1 / sum;
}

static void test_restitution(void **state)
{
    (void)state;
    for (size_t k = 0; k < CAROM_COUNT(cases); k++) {
        const mechanism *c = &cases[k];
        size_t count;
        free_run run;
        free_run_parse(&run, c->text, 1e-11, NULL);
        const double before = carom_simulation_ledger(run.sim).kinetic;
        double t = 0;
        const carom_fired_event *row;
        do {
            free_run_to(&run, t += 1e-3);
            row = carom_simulation_fired_events(run.sim, &count);
        } while (count < 2 && t < 2);
        assert_true(count >= 2);
        const double e = -row[1].rate / row[0].rate;
        double lost = (1 - c->asked * c->asked) * before;
        if (c->chain)
            lost = 0.5 * (1 - c->asked * c->asked) * row[0].rate * row[0].rate * chain_mass(c->text, row[0].time);
        const double off = fabs(e / c->asked - 1), took = fabs(row[1].energy / lost - 1);
        printf("%-24s restitution %.6f of %.1f, off by %.1e, energy lost by %.1e\n", c->name, e, c->asked, off, took);
        assert_true(off < c->near && took < c->near);
        assert_true(carom_simulation_ledger(run.sim).residual_fraction < 1e-9);
        free_run_close(&run);
    }
}

/* Mechanisms whose effective mass has a closed form and does not change: each impact gives back e of the rate, takes
   m v^2 (1 - e^2)/2, and of default stiffness and damping lets in the same share of the depth by each rate. */
static void test_constant_mass(void **state)
{
    (void)state;
    const double lead = 0.05 / (2 * acos(-1));
    const struct {
        const char *name, *text;
        double e, mass, rate;
    } rows[] = {
        /* m (p/(2 pi))^2 + I */
        {"screw",
         "carom: 1\ndimension: 3\nbodies:\n  nut: {mass: 2, inertia: [0.01, 0.01, 0.02]}\njoints:\n  j: {type: screw, "
         "between: [ground, nut], axis: [0, 0, 1], pitch: 0.05, rate: 5, limits: {lower: -1, upper: 4, restitution: "
         "0.6}}\nrun: {until: 10}\n",
         0.6, 2 * lead * lead + 0.02, 5},
        /* wheels that turn half as fast backwards */
        {"gear",
         HEAD "bodies:\n  a: {mass: 1, inertia: 0.02}\n  b: {mass: 1, inertia: 0.1, at: [1, 0]}\njoints:\n"
              "  j: {type: revolute, between: [ground, a], rate: 6, limits: {lower: -1, upper: 1.2, "
              "restitution: 0.5}}\n"
              "  k: {type: revolute, between: [{ground: [1, 0]}, b]}\n  g: {type: coupler, joints: [j, k], ratio: "
              "-0.5}\nrun: {until: 10}\n",
         0.5, 0.02 + 0.1 / 4, 6},
        {"rack, armature",
         HEAD "bodies:\n  a: {mass: 1, inertia: 0.02}\n  s: {mass: 3, inertia: 0.1, at: [1, 0]}\njoints:\n"
              "  j: {type: revolute, between: [ground, a], rate: 6, armature: 0.05, limits: {lower: -1, upper: 1, "
              "restitution: 0.7}}\n  k: {type: translational, between: [{ground: [1, 0]}, s], axis: [1, 0]}\n"
              "  g: {type: coupler, joints: [j, k], ratio: 0.1}\nrun: {until: 10}\n",
         0.7, 0.02 + 0.05 + 3 * 0.01, 6},
        /* three parallel bars carry a fourth one: two rows are redundant */
        {"redundant parallelogram",
         HEAD "bodies:\n  a: {mass: 0.1, inertia: 0.002, at: [0, 0.5]}\n  b: {mass: 0.1, "
         "inertia: 0.002, at: [2, 0.5]}\n"
              "  d: {mass: 0.1, inertia: 0.002, at: [1, 0.5]}\n  c: {mass: 0.2, inertia: 0.03, at: [1, 1]}\njoints:\n"
              "  j: {type: revolute, between: [ground, {a: [0, -0.5]}], rate: 2, limits: {lower: -0.5, upper: 0.5, "
              "restitution: 0.4}}\n  k: {type: revolute, between: [{ground: [2, 0]}, {b: [0, -0.5]}]}\n"
              "  n: {type: revolute, between: [{ground: [1, 0]}, {d: [0, -0.5]}]}\n"
              "  l: {type: revolute, between: [{a: [0, 0.5]}, {c: [-1, 0]}]}\n"
              "  m: {type: revolute, between: [{b: [0, 0.5]}, {c: [1, 0]}]}\n"
              "  o: {type: revolute, between: [{d: [0, 0.5]}, {c: [0, 0]}]}\nrun: {until: 10}\n",
         0.4, 3 * (0.002 + 0.1 * 0.25) + 0.2, 2},
    };
    for (size_t k = 0; k < CAROM_COUNT(rows); k++) {
        double v = rows[k].rate, worst = 0;
        size_t count;
        free_run run;
        free_run_parse(&run, rows[k].text, 1e-11, NULL);
        free_run_to(&run, 4);
        const carom_fired_event *row = carom_simulation_fired_events(run.sim, &count);
        assert_true(count >= 4);
        for (size_t n = 0; n + 1 < count && n < 4; n += 2, v *= rows[k].e) {
            const double lost = 0.5 * rows[k].mass * v * v * (1 - rows[k].e * rows[k].e);
            worst = fmax(worst, fabs(fabs(row[n].rate) / v - 1));
            worst = fmax(worst, fabs(fabs(row[n + 1].rate) / (rows[k].e * v) - 1));
            worst = fmax(worst, fabs(row[n + 1].energy / lost - 1));
            worst = fmax(worst, 1e-4 * fabs(row[n + 1].depth / row[1].depth * rows[k].rate / v - 1));
        }
        printf("%-24s off by %.1e\n", rows[k].name, worst);
        assert_true(worst < 1e-7);
        free_run_close(&run);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_restitution), cmocka_unit_test(test_constant_mass)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
