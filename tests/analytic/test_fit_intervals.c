/* Intervals of fits: in 200 synthetic records of a free impact with noise the 95 % intervals of stiffness, exponent and
   restitution contain the truth in 95 +- 3 %, with sigma given and with sigma estimated. The records are those of
   carom_impact_solve(), at the points of its motion. A commit takes a part of the seeds, whose share may lie three
   binomial deviations below. */
#include "carom_test.h"

#include <math.h>

#include "carom/fit.h"
#include "math/distributions.h"
#include "study/sampler/sampler.h"
#include "support/sample.h"

#define SEEDS 200
#define POINTS 41
#define SIGMA 20.0
#define UNKNOWNS 3

static const double truth[UNKNOWNS] = {5e9, 1.5, 0.7};

static const char study[] = "law: flores\n"
                            "parameters:\n"
                            "  stiffness: {from: 1e8, to: 1e11, start: 1e9, scale: log}\n"
                            "  exponent: {from: 1.2, to: 2, start: 1.4}\n"
                            "  restitution: {from: 0.2, to: 0.95, start: 0.5}\n"
                            "set: {mass: 0.5*kg, speed: 0.3}\n"
                            "starts: 1\n"
                            "records:\n"
                            "  - file: impact.csv\n"
                            "    time: t\n"
                            "    compare: {F: force}\n";

static void solve_truth(carom_context *ctx, carom_impact_solution *out)
{
    const carom_param params[] = {{.name = "stiffness", .value = carom_value_number(truth[0])},
                                  {.name = "exponent", .value = carom_value_number(truth[1])},
                                  {.name = "restitution", .value = carom_value_number(truth[2])}};
    carom_impact_def def = carom_default_impact_def();
    def.law.law = "flores";
    def.law.params = (carom_param_list){params, UNKNOWNS};
    def.mass = 0.5;
    def.speed = 0.3;
    def.loop = POINTS;
    assert_ok(ctx, carom_impact_solve(ctx, &def, out));
}

static void write_record(const carom_impact_solution *s, uint64_t seed)
{
    FILE *file = fopen("impact.csv", "w");
    assert_non_null(file);
    fputs("t [us], F [N]\n", file);
    for (size_t k = 0; k < s->loop; k++)
        fprintf(file, "%.17g, %.17g\n", 1e6 * s->time[k],
                s->force[k] + SIGMA * carom_normal_quantile(carom_random_unit(seed, 1, k)));
    fclose(file);
}

static void write_study(const char *more)
{
    FILE *file = fopen("study.yaml", "w");
    assert_non_null(file);
    fputs(study, file);
    fputs(more, file);
    fclose(file);
}

/* Seeds whose intervals contain the truth; returns how many were tried. */
static int count_hits(const char *more, int hits[UNKNOWNS])
{
    int tried = 0;
    carom_context *ctx = new_context();
    carom_impact_solution s;
    carom_fit_options options = carom_default_fit_options();
    options.brief = true;
    solve_truth(ctx, &s);
    write_study(more);
    memset(hits, 0, UNKNOWNS * sizeof *hits);
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        carom_fit *fit;
        carom_fit_result result;
        if (!sample_turn((int)seed, 5, 20))
            continue;
        tried++;
        write_record(&s, seed);
        assert_ok(ctx, carom_fit_read(ctx, "study.yaml", NULL, &fit));
        assert_ok(ctx, carom_fit_check(ctx, fit));
        assert_ok(ctx, carom_fit_solve(ctx, fit, &options, &result));
        assert_true(result.converged);
        for (int k = 0; k < UNKNOWNS; k++)
            hits[k] += result.estimates[k].low <= truth[k] && truth[k] <= result.estimates[k].high;
        carom_fit_result_free(ctx, &result);
        carom_fit_free(fit);
    }
    carom_impact_solution_free(ctx, &s);
    carom_context_free(ctx);
    return tried;
}

static void check_shares(const char *more)
{
    int hits[UNKNOWNS];
    const int tried = count_hits(more, hits);
    const double least = tried == SEEDS ? 92 : 95 - 3 * sqrt(95.0 * 5 / tried), most = tried == SEEDS ? 98 : 100;
    for (int k = 0; k < UNKNOWNS; k++) {
        const double share = 100.0 * hits[k] / tried;
        if (!(share >= least && share <= most))
            fail_msg("the intervals of unknown %d contain the truth in %.4g %% of %d records, not in %.4g to %.4g %%",
                     k + 1, share, tried, least, most);
    }
}

static void test_sigma_given(void **state)
{
    (void)state;
    check_shares("    sigma: 20*N\n");
}

static void test_sigma_estimated(void **state)
{
    (void)state;
    check_shares("");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_sigma_given), cmocka_unit_test(test_sigma_estimated)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
