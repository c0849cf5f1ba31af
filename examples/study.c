/* study: which of its parameters decides the peak force of an impact, by Sobol's indices. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <carom/carom.h>

static const char model[] = "carom: 1\n"
                            "dimension: 2\n"
                            "parameters: {mass: 0.092, speed: 0.15, K: 5.5e9, e: 0.7}\n"
                            "bodies:\n"
                            "  left:  {mass: mass, inertia: 1.5e-5, at: [-0.0201, 0], velocity: [speed, 0]}\n"
                            "  right: {mass: mass, inertia: 1.5e-5, at: [0.0201, 0], velocity: [-speed, 0]}\n"
                            "shapes:\n"
                            "  left:  {type: sphere, on: left, radius: 0.02}\n"
                            "  right: {type: sphere, on: right, radius: 0.02}\n"
                            "contacts:\n"
                            "  hit: {between: [left, right], normal: {law: flores, stiffness: K, restitution: e}}\n"
                            "run: {until: 0.005, tolerance: 1e-8}\n";

static const char text[] = "model: spheres.yaml\n"
                           "parameters:\n"
                           "  e: {from: 0.6, to: 0.9}\n"
                           "  K: {from: 1e9, to: 1e10, scale: log}\n"
                           "  speed: {from: 0.1, to: 0.2}\n"
                           "sampling: {type: saltelli, count: 32}\n"
                           "quantities: {peak: 'impacts[1].peak_force'}\n";

/* The peaks of all runs. */
static carom_status make_runs(carom_context *context, const carom_study *study, double *peaks)
{
    carom_study_runner *runner;
    carom_study_outcome outcome;
    carom_status status = carom_study_runner_create(context, study, &runner);
    if (status != CAROM_OK)
        return status;
    for (size_t run = 0; run < carom_study_get_info(study).runs && status == CAROM_OK; run++) {
        status = carom_study_run(runner, run, NULL, NULL, &outcome);
        if (status == CAROM_OK)
            peaks[run] = outcome.quantities[0];
    }
    carom_study_runner_free(runner);
    return status;
}

static carom_status print_indices(carom_context *context, const carom_study *study, const double *peaks)
{
    carom_study_index index[3];
    carom_study_parameter parameter;
    size_t used;
    carom_status status = carom_study_indices(context, study, peaks, index, &used);
    for (size_t k = 0; status == CAROM_OK && carom_study_get_parameter(study, k, &parameter); k++)
        printf("%-6s total index %.3f, first order %.3f\n", parameter.name, index[k].total, index[k].first);
    return status;
}

int main(void)
{
    carom_context *context = NULL;
    carom_study *study = NULL;
    double *peaks = NULL;
    carom_status status = carom_context_create(NULL, &context);
    if (status == CAROM_OK)
        status = carom_study_parse(context, "study.yaml", text, strlen(text), model, &study);
    if (status == CAROM_OK)
        status = carom_study_check(context, study);
    if (status == CAROM_OK && !(peaks = malloc(carom_study_get_info(study).runs * sizeof *peaks)))
        status = CAROM_ERROR_MEMORY;
    if (status == CAROM_OK)
        status = make_runs(context, study, peaks);
    if (status == CAROM_OK)
        status = print_indices(context, study, peaks);
    if (status != CAROM_OK)
        fprintf(stderr, "%s\n", carom_context_error(context));
    free(peaks);
    carom_study_free(study);
    carom_context_free(context);
    return status == CAROM_OK ? 0 : 1;
}
