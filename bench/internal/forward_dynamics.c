/* Cost of the accelerations of trees of joints, in joint coordinates and in absolute ones: chains of 1 to 1024 links on
   hinges, as in bench/peers (mujoco_peers chain), and a model file if one is named. Prints microseconds of CPU an
   evaluation, the median over repetitions, and microseconds a link; `forward_dynamics N [FORMULATION]` evaluates one
   chain 10,000 times, for counting instructions, `forward_dynamics MODEL.yaml FORMULATION` a model. */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "carom/model.h"
#include "sim/sim.h"

#define REPETITIONS 9
#define LEAST_TIME 0.02

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void die(const carom_context *ctx, const char *what)
{
    fprintf(stderr, "%s: %s\n", what, carom_context_error(ctx));
    exit(1);
}

/* Links of 0.1 m and 0.1 kg about the y-axis. */
static void write_chain(int links, const char *path)
{
    FILE *out = fopen(path, "w");
    if (!out)
        exit(1);
    fprintf(out, "carom: 1\ntitle: chain\ndimension: 3\ngravity: [0, 0, -9.81]\nbodies:\n");
    for (int k = 0; k < links; k++)
        fprintf(out, "  l%d: {mass: 0.1, inertia: [1e-6, %.17g, %.17g], at: [%.17g, 0, 0]}\n", k, 0.1 * 0.01 / 12,
                0.1 * 0.01 / 12, 0.1 * k + 0.05);
    fprintf(out, "joints:\n");
    for (int k = 0; k < links; k++)
        if (k == 0)
            fprintf(out, "  j0: {type: revolute, between: [ground, {l0: [-0.05, 0, 0]}], axis: [0, 1, 0], rate: 0}\n");
        else
            fprintf(out,
                    "  j%d: {type: revolute, between: [{l%d: [0.05, 0, 0]}, {l%d: [-0.05, 0, 0]}], axis: [0, 1, 0], "
                    "rate: %.3g}\n",
                    k, k - 1, k, 0.1 * (k % 3));
    fprintf(out, "run: {until: 1}\n");
    fclose(out);
}

static double measure(const char *path, const char *formulation, int count)
{
    carom_context *ctx;
    carom_document *document;
    carom_model *model;
    carom_simulation *sim;
    double time[REPETITIONS];
    if (carom_context_create(NULL, &ctx) != CAROM_OK)
        exit(1);
    if (carom_document_read(ctx, path, NULL, 0, &document) != CAROM_OK ||
        carom_model_compile(ctx, carom_document_spec(document), &model) != CAROM_OK)
        die(ctx, path);
    carom_run_def run = *carom_model_get_run(model, 0);
    carom_simulation_def def = carom_default_simulation_def();
    run.formulation = formulation;
    def.run_def = &run;
    if (carom_simulation_create(ctx, model, &def, &sim) != CAROM_OK)
        die(ctx, path);
    for (int r = 0; r < REPETITIONS; r++) {
        long calls = 0;
        const double start = now();
        do {
            for (int k = 0; k < 10; k++, calls++)
                if (carom_rhs_rates(sim, *sim->s.time, sim->s.q, sim->rate_scratch) != 0)
                    die(ctx, "evaluation");
        } while (count ? calls < count : now() - start < LEAST_TIME);
        time[r] = (now() - start) / (double)calls * 1e6;
        if (count)
            break;
    }
    carom_simulation_free(sim);
    carom_model_free(model);
    carom_document_free(document);
    carom_context_free(ctx);
    qsort(time, REPETITIONS, sizeof *time, compare);
    return time[REPETITIONS / 2];
}

int main(int argc, char **argv)
{
    char path[] = "/tmp/carom_chain_XXXXXX";
    if (argc > 2 && strstr(argv[1], ".yaml")) {
        measure(argv[1], argv[2], 10000);
        return 0;
    }
    if (argc > 1 && strstr(argv[1], ".yaml")) {
        printf("%s: tree %.3f us, cartesian %.3f us\n", argv[1], measure(argv[1], "tree", 0),
               measure(argv[1], "cartesian", 0));
        return 0;
    }
    const int file = mkstemp(path);
    if (file < 0)
        return 1;
    if (argc > 1) {
        write_chain(atoi(argv[1]), path);
        measure(path, argc > 2 ? argv[2] : "tree", 10000);
        remove(path);
        return 0;
    }
    printf("| links | tree [us] | a link | cartesian [us] |\n|---|---|---|---|\n");
    for (int links = 1; links <= 1024; links *= 2) {
        write_chain(links, path);
        const double tree = measure(path, "tree", 0);
        const double bodies = links > 256 ? 0 : measure(path, "cartesian", 0);
        printf("| %d | %.3f | %.3f | %.3f |\n", links, tree, tree / links, bodies);
        fflush(stdout);
    }
    remove(path);
    return 0;
}
