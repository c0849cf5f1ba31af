/* Balls poured into a box, as models/poured_balls.yaml: CPU time for a ball and a step once they lie, and the contacts
   of a ball. poured_balls [COUNT ACROSS SETTLE STEPS SAMPLES PITCH]: PITCH in micrometres, 9980 and SETTLE 0 for a
   stack that touches from the first step on, in which instructions are counted. Peer: poured_balls.lmp (LAMMPS, the
   same bodies, laws and step). */
#include "impact_bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define STEP 5e-5

static const char *const text =
    "{carom: 1, dimension: 3, gravity: [0, 0, -9.81], parameters: {count: %d, across: %d, until: %.17g, r: 5*mm, "
    "pitch: %d*um, half: 0.5*across*pitch, jitter: '0.4*mm*(pitch > 2*r)', mass: 2500*4/3*pi*r^3},"
    " materials: {soft: {E: 1e7, nu: 0.25}},"
    "bodies: {ball: {copies: count, mass: mass, inertia: [0.4*mass*r^2, 0.4*mass*r^2, 0.4*mass*r^2],"
    " at: ['(mod(copy - 1, across) + 0.5)*pitch - half + jitter*(random(copy) - 0.5)',"
    "  '(mod(floor((copy - 1)/across), across) + 0.5)*pitch - half + jitter*(random(copy + 0.25) - 0.5)',"
    "  '(floor((copy - 1)/across^2) + 0.5)*pitch'], velocity: [0, 0, -0.1], angular_velocity: [0, 0, 0]}},"
    "shapes: {ball: {type: sphere, on: ball, radius: r, material: soft},"
    " floor: {type: plane, on: ground, normal: [0, 0, 1], material: soft},"
    " west: {type: plane, on: ground, at: [-half, 0, 0], normal: [1, 0, 0], material: soft},"
    " east: {type: plane, on: ground, at: [half, 0, 0], normal: [-1, 0, 0], material: soft},"
    " south: {type: plane, on: ground, at: [0, -half, 0], normal: [0, 1, 0], material: soft},"
    " north: {type: plane, on: ground, at: [0, half, 0], normal: [0, -1, 0], material: soft}},"
    "contacts: {pour: {all: [ball, floor, west, east, south, north], normal: {law: tsuji, restitution: 0.7},"
    " friction: {law: mindlin, kinetic: 0.5}}},"
    "run: {until: until, integrator: verlet, step: 5e-5, output: {every: until}}}";

/* Threads share the work: what counts is the time that passes. */
static double wall(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int argument(int argc, char **argv, int k, int fallback) { return argc > k ? atoi(argv[k]) : fallback; }

static void measure(carom_context *ctx, int count, int across, int settle, int steps, int samples, int pitch,
                    int threads)
{
    char model_text[4096];
    carom_simulation_def def = carom_default_simulation_def();
    def.threads = threads;
    snprintf(model_text, sizeof model_text, text, count, across, (settle + (double)steps * samples + 1) * STEP, pitch);
    carom_model *model = bench_model(ctx, model_text);
    carom_simulation *sim;
    double values[64], contacts;
    bench_check(ctx, carom_simulation_create(ctx, model, &def, &sim));
    bench_check(ctx, carom_simulation_advance(sim, settle * STEP));
    for (int k = 0; k < samples && k < 64; k++) {
        const double before = threads > 1 ? wall() : bench_cpu();
        bench_check(ctx, carom_simulation_advance(sim, (settle + (k + 1.0) * steps) * STEP));
        values[k] = ((threads > 1 ? wall() : bench_cpu()) - before) / steps / count * 1e9;
    }
    bench_check(ctx, carom_simulation_channel(sim, "contact.pour.count", &contacts));
    const double median = bench_median(values, samples);
    printf("| %d | %d | %.2f | %.0f | %.0f | %.0f |\n", count, threads, contacts / count, median, values[0],
           values[samples - 1]);
    carom_simulation_free(sim);
    carom_model_free(model);
}

int main(int argc, char **argv)
{
    carom_context *ctx;
    if (carom_context_create(NULL, &ctx) != CAROM_OK)
        return 1;
    const int samples = argument(argc, argv, 5, 5);
    printf("Poured balls, velocity Verlet, Tsuji's law and Mindlin's friction, least and largest of %d samples\n\n",
           samples);
    printf("| balls | threads | contacts a ball | ns a ball and step, median | least | largest |\n");
    printf("|---|---|---|---|---|---|\n");
    if (argc > 1) {
        measure(ctx, argument(argc, argv, 1, 500), argument(argc, argv, 2, 8), argument(argc, argv, 3, 6000),
                argument(argc, argv, 4, 500), samples, argument(argc, argv, 6, 10500), argument(argc, argv, 7, 1));
    } else {
        for (int threads = 1; threads <= 2; threads++) {
            measure(ctx, 500, 8, 12000, 2000, samples, 10500, threads);
            measure(ctx, 4000, 16, 12000, 250, samples, 10500, threads);
        }
        printf("\nBalls that touch from the first step on\n\n");
        for (int threads = 1; threads <= 2; threads++) {
            measure(ctx, 1000, 10, 20, 400, samples, 9980, threads);
            measure(ctx, 16000, 20, 20, 40, samples, 9980, threads);
            measure(ctx, 64000, 40, 20, 15, samples, 9980, threads);
        }
    }
    carom_context_free(ctx);
    return 0;
}
