/* The first impact of two outlines in free flight, an L and a box that turn: when the first corner of one lies in the
   other, by points in polygons along the motion, which has a closed form. */
#include "carom_test.h"

#include <math.h>
#include <stdio.h>

#include "support/free_runs.h"
#include "support/solids.h"

#define FLIGHTS 500
#define UNTIL 0.12      /* [s] */
#define FLOWN 0.07      /* [s], so that what begins before has ended */
#define SAMPLE 1e-5     /* [s] */
#define CORNERS 6
#define CLIP (5 * SAMPLE)

typedef struct outline {
    int count;
    double corner[CORNERS][2];
    double at[2], angle, velocity[2], spin;
} outline;

static const outline angle_iron = {
    .count = 6,
    .corner = {{-0.1, -0.1}, {0.1, -0.1}, {0.1, -0.02}, {0, -0.02}, {0, 0.1}, {-0.1, 0.1}}};
static const outline box = {.count = 4, .corner = {{-0.1, -0.07}, {0.1, -0.07}, {0.1, 0.07}, {-0.1, 0.07}}};

static void turned(const double *v, double angle, double *out)
{
    out[0] = v[0] * cos(angle) - v[1] * sin(angle);
    out[1] = v[0] * sin(angle) + v[1] * cos(angle);
}

/* A corner of a at a time in the frame of b. */
static void place(const outline *a, int corner, const outline *b, double t, double *out)
{
    double world[2];
    turned(a->corner[corner], a->angle + t * a->spin, world);
    for (int i = 0; i < 2; i++)
        world[i] += a->at[i] + t * a->velocity[i] - b->at[i] - t * b->velocity[i];
    turned(world, -(b->angle + t * b->spin), out);
}

static bool lies_in(const double *p, const outline *a)
{
    bool in = false;
    for (int i = 0, j = a->count - 1; i < a->count; j = i++) {
        const double *u = a->corner[i], *v = a->corner[j];
        if ((u[1] > p[1]) != (v[1] > p[1]) && p[0] < (v[0] - u[0]) * (p[1] - u[1]) / (v[1] - u[1]) + u[0])
            in = !in;
    }
    return in;
}

static bool overlap(const outline *a, const outline *b, double t)
{
    double p[2];
    for (int k = 0; k < a->count; k++) {
        place(a, k, b, t, p);
        if (lies_in(p, b))
            return true;
    }
    for (int k = 0; k < b->count; k++) {
        place(b, k, a, t, p);
        if (lies_in(p, a))
            return true;
    }
    return false;
}

/* Flies towards the other one, past it or not. */
static outline thrown(const outline *shape, uint64_t *seed, double from)
{
    outline a = *shape;
    a.at[0] = from;
    a.at[1] = solid_uniform(seed, -0.12, 0.12);
    a.angle = solid_uniform(seed, -3, 3);
    a.velocity[0] = copysign(solid_uniform(seed, 1, 5), -from);
    a.velocity[1] = solid_uniform(seed, -1, 1);
    a.spin = solid_uniform(seed, -40, 40);
    return a;
}

static void open(free_run *run, const outline *a, const outline *b)
{
    char text[2000];
    snprintf(text, sizeof text,
             "carom: 1\ndimension: 2\nbodies:\n"
             "  a: {mass: 0.7, inertia: 0.0028, at: [%.17g, %.17g], angle: %.17g, velocity: [%.17g, %.17g], "
             "angular_velocity: %.17g}\n"
             "  b: {mass: 1.5, inertia: 0.006, at: [%.17g, %.17g], angle: %.17g, velocity: [%.17g, %.17g], "
             "angular_velocity: %.17g}\n"
             "shapes:\n"
             "  a: {type: polygon, on: a, points: [[-0.1, -0.1], [0.1, -0.1], [0.1, -0.02], [0, -0.02], [0, 0.1], "
             "[-0.1, 0.1]]}\n"
             "  b: {type: box, size: [0.2, 0.14], on: b}\n"
             "contacts:\n  c: {between: [a, b], normal: {law: exact, stiffness: 1e8, restitution: 0.6}}\n"
             "run: {until: %g}\n",
             a->at[0], a->at[1], a->angle, a->velocity[0], a->velocity[1], a->spin, b->at[0], b->at[1], b->angle,
             b->velocity[0], b->velocity[1], b->spin, UNTIL);
    free_run_parse(run, text, 0, NULL);
}

static double first_onset(const free_run *run, double *depth)
{
    size_t count;
    const carom_impact *impacts = carom_simulation_impacts(run->sim, &count);
    double first = HUGE_VAL;
    for (size_t k = 0; k < count; k++)
        if (impacts[k].onset < first) {
            first = impacts[k].onset;
            *depth = impacts[k].max_indentation;
        }
    return first;
}

static void test_flights(void **state)
{
    (void)state;
    uint64_t seed = 11;
    int hits = 0, misses = 0, grazes = 0;
    double worst = 0;
    for (int flight = 0; flight < FLIGHTS; flight++) {
        const outline a = thrown(&angle_iron, &seed, -0.25), b = thrown(&box, &seed, 0.25);
        double inside = 0, depth = 0;
        while (inside < FLOWN && !overlap(&a, &b, inside))
            inside += SAMPLE;
        free_run run;
        open(&run, &a, &b);
        free_run_to(&run, UNTIL);
        const double onset = first_onset(&run, &depth);
        if (inside >= FLOWN) {
            misses++;
            assert_true(onset > FLOWN - SAMPLE || depth < 1e-5);
        } else if ((onset < inside - SAMPLE && depth < 1e-5) ||
                   (onset > inside && onset < inside + CLIP && depth < 3e-4)) {
            grazes++; /* between samples, or a corner cuts another one within a few of them */
        } else {
            hits++;
            worst = fmax(worst, fabs(onset - inside + 0.5 * SAMPLE) / SAMPLE);
            if (!(onset <= inside && onset >= inside - SAMPLE * (1 + 1e-9)))
                fail_msg("flight %d: a corner is inside at %.9g s, the first impact begins at %.9g s", flight, inside,
                         onset);
        }
        free_run_close(&run);
    }
    print_message("%d hits, within %.3f of a sample, %d misses, %d grazes\n", hits, worst, misses, grazes);
    assert_true(hits > FLIGHTS / 2 && misses > 0 && grazes < FLIGHTS / 50);
}

/* A box in a mouth that is as wide: it strikes often, in steps of a few units of rounding of the time. */
static void test_short_steps(void **state)
{
    (void)state;
    static const char text[] =
        "carom: 1\ndimension: 2\ngravity: [6.018150231520483, -7.986355100472928]\nbodies:\n"
        "  p: {mass: 1, inertia: 0.002, at: [-0.15647190601953256, 0.20764523261229614], angle: 0.6457718232379019}\n"
        "shapes:\n"
        "  u: {type: polygon, on: ground, points: [[-0.03936409737904892, -0.2800901066398682], "
        "[0.2800901066398682, -0.03936409737904892], [0.03936409737904892, 0.2800901066398682], "
        "[-0.08043122912804501, 0.189817853167061], [0.039931775502364646, 0.030090751157602416], "
        "[-0.039931775502364646, -0.030090751157602416], [-0.16029478013277432, 0.12963635085185615], "
        "[-0.2800901066398682, 0.03936409737904892]]}\n"
        "  p: {type: polygon, on: p, points: [[-0.05, -0.05], [0.05, -0.05], [0.05, 0.05], [-0.05, 0.05]]}\n"
        "contacts: {c: {between: [u, p], normal: {law: kelvin-voigt, stiffness: 1e6, damping: 1000}}}\n"
        "run: {until: 0.5}\n";
    free_run run;
    free_run_parse(&run, text, 0, NULL);
    free_run_to(&run, 0.5);
    const double fraction = carom_simulation_ledger(run.sim).residual_fraction;
    print_message("in the mouth: residual %.1e\n", fraction);
    assert_true(fraction < 1e-6);
    free_run_close(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_flights), cmocka_unit_test(test_short_steps)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
